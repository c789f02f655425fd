"""House settings from the command line, for every table that people open there."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter

from croupier.errors import ParseError
from croupier.rulebook import Rulebook
from croupier.rulebook.book import put

DEFAULT = "act-blackjack-2003"

Decks = Annotated[int | None, Parameter(help="Decks in the shoe, as far as the rulebook permits.")]
Settings = Annotated[
    list[str],
    Parameter(name="--set", help="A house setting or option as name=value, amounts in dollars; repeatable."),
]
SideBets = Annotated[
    bool, Parameter(name="--side-bets", negative="", help="Offer every side bet the rulebook has.")
]


def settings_of(book: Rulebook, pairs: list[str], *, side_bets: bool, **given: Any) -> dict[str, Any]:
    """House settings from the command line; what is said with --set comes last."""
    settings: dict[str, Any] = {}
    if side_bets:
        settings |= {bet.offered_as: _TERMS[bet.stake] for bet in book.rules.side_bets.values()}
    settings |= {name: value for name, value in given.items() if value is not None}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not all(name.split(".")):
            raise ParseError(f"--set {pair}: write name=value, as in --set multiple=2.5")
        _set(settings, book, name, _value(value))
    return settings


_TERMS: dict[str, Any] = {
    "limits": {"minimum": 2, "maximum": 50},
    "approved_amount": {"amount": 5},
    "up_to_main": True,
}


def _set(settings: dict[str, Any], book: Rulebook, name: str, value: Any) -> None:
    """Set a name, or one part of it (`perfect_pairs.maximum`) beside what the rulebook says already."""
    top, dot, _ = name.partition(".")
    if dot:
        held = settings.get(top, book.defaults.get(top, {}))
        settings[top] = dict(held) if isinstance(held, dict) else {}
    put(settings, name, value)


def _value(text: str) -> Any:
    """An int, a float, a truth, a list of such (with commas), or the text itself."""
    if "," in text:
        return [_value(part) for part in text.split(",") if part]
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
