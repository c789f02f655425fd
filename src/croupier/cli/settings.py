"""House settings from a house's file and the command line, for every table that people open there."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from croupier.errors import ParseError
from croupier.rulebook import Rulebook
from croupier.rulebook.demonstration import TERMS
from croupier.rulebook.housefile import read_house_file

DEFAULT = "act-blackjack-2003"

HouseFile = Annotated[
    Path | None,
    Parameter(
        name="--house",
        help="The house's file, as `croupier rules house` writes one (default: the demonstration house).",
    ),
]
Decks = Annotated[int | None, Parameter(help="Decks in the shoe, as far as the rulebook permits.")]
Settings = Annotated[
    list[str],
    Parameter(name="--set", help="A house setting or option as name=value, amounts in dollars; repeatable."),
]
SideBets = Annotated[
    bool, Parameter(name="--side-bets", negative="", help="Offer every side bet the rulebook has.")
]


def settings_of(
    book: Rulebook, house: Path | None, pairs: Sequence[str] = (), *, side_bets: bool = False, **given: Any
) -> dict[str, Any]:
    """All settings of a table, within the law: its house's, the command line's on top, --set last.

    Side bets that the house has no terms for are offered on those of a demonstration.
    """
    settings = copy.deepcopy(book.demonstration) if house is None else read_house_file(house, book)
    for bet in book.rules.side_bets.values() if side_bets else ():
        settings[bet.offered_as] = settings.get(bet.offered_as) or TERMS[bet.stake]
    settings |= {name: value for name, value in given.items() if value is not None}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not all(name.split(".")):
            raise ParseError(f"--set {pair}: write name=value, as in --set multiple=2.5")
        _set(settings, name, _value(value))
    book.rules_for(settings, file=str(house or ""))
    return settings


def _set(settings: dict[str, Any], name: str, value: Any) -> None:
    """Set a name, or one part of it (`perfect_pairs.maximum`) beside what is said already."""
    *folders, leaf = name.split(".")
    for folder in folders:
        if not isinstance(settings.get(folder), dict):
            settings[folder] = {}
        settings = settings[folder]
    settings[leaf] = value


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
