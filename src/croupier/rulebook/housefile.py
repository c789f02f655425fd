"""A house as a file of its own: its rulebook, its name, and what it chooses within the law.

    rulebook = "uk-blackjack-1994"
    name = "Club"
    licence = "…"
    decks = 4
    …
    [approvals]
    over_under_13 = "…"

Settings and options go by their names, amounts are dollars, a side bet on offer is a table of its
terms. `write_house_file` writes all there is to say, each with what is permitted and the clause.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from croupier.errors import RulebookError
from croupier.rulebook.book import Rulebook, encode_special
from croupier.rulebook.choose import offers
from croupier.rulebook.demonstration import TERMS
from croupier.rulebook.house import House
from croupier.rulebook.permitted import permitted, setting
from croupier.rulebook.provision import settings_in
from croupier.rulebook.settings import required
from croupier.rulebook.toml import parse, read_text, written
from croupier.rulebook.words import cited, name_of, words

HEAD = """\
# A house under {title}: what the rules leave to it, with what they permit and by which clause.
# Fill in what is empty. What is behind a # need not be stated: the value shown, or the first of several,
# counts then. Amounts are in {currency}.
"""


def read_house_file(path: Path, book: Rulebook) -> dict[str, Any]:
    """The settings in a house's file; `Rulebook.rules_for` holds them to the law."""
    settings = parse(read_text(path), str(path))
    rulebook = settings.pop("rulebook", None)
    if rulebook is None:
        raise RulebookError(f"{path}: names no rulebook; write rulebook = {written(book.id)}")
    if rulebook != book.id:
        raise RulebookError(f"{path}: is a house under {rulebook!r}, not under {book.id!r}")
    return settings


def write_house_file(book: Rulebook, settings: dict[str, Any]) -> str:
    """A house's file with these settings, which may be none; what a house must state is left empty."""
    head = HEAD.format(title=book.title, currency=book.words.currency)
    return "\n".join([head, *_Page(book, settings).lines()]) + "\n"


class _Page:
    """The lines of one file. Those of tables come last, as TOML wants it."""

    def __init__(self, book: Rulebook, settings: dict[str, Any]) -> None:
        self.book = book
        self.settings = settings
        self.permitted = permitted(book.rules)

    def lines(self) -> Iterator[str]:
        yield f"rulebook = {written(self.book.id)}"
        for name in self.permitted:
            if name in settings_in(House):
                yield from self._setting(name)
        yield from self._options()
        yield from self._approvals()
        for name in sorted(offers(self.book.rules)):
            yield from self._offer(name)

    def _above(self, name: str) -> str:
        """What is permitted, with its clause."""
        allowed, provision = self.permitted[name]
        return _comment(allowed, cited(self.book.cite(provision), inside=self.book))

    def _setting(self, name: str) -> Iterator[str]:
        yield from ("", self._above(name))
        if name in self.settings:
            yield f"{name} = {written(self.settings[name])}"
        elif name in required(self.book.rules):
            yield f'{name} = ""'
        else:
            yield f"# {name} = {written(setting(House(), name))}"

    def _options(self) -> Iterator[str]:
        """Each reading that the house may choose; one without a value is chosen by saying nothing."""
        for name, clause, choices in self.book.readings(self.book.rules):
            values = [_plain(choice) for choice in choices]
            behind = cited((clause,), inside=self.book) if clause else "not in the text"
            yield from ("", _comment(name_of(name), behind))
            for choice, value in zip(choices, values, strict=True):
                shown = "if nothing is said" if value is None else written(value)
                yield f"#   {shown}: {words(name, choice)}"
            usual = next(value for value in values if value is not None)
            off = "" if name in self.settings else "# "
            yield f"{off}{name} = {written(self.settings.get(name, usual))}"

    def _approvals(self) -> Iterator[str]:
        rules = self.book.rules
        given = self.settings.get("approvals", {})
        empty = {"ref": "", "officer": ""} if rules.approval_by == "officer" else ""
        yield from ("", "[approvals]")
        for thing in rules.approvals:
            unasked = thing in offers(rules) and thing not in given
            yield self._above(f"approvals.{thing}")
            yield f"{'# ' if unasked else ''}{thing} = {written(given.get(thing, empty))}"

    def _offer(self, name: str) -> Iterator[str]:
        """A side bet as a table; one that is not on offer shows terms it could have."""
        bet = next(bet for bet in self.book.rules.side_bets.values() if bet.offered_as == name)
        chosen = self.settings.get(name, False)
        terms = chosen if isinstance(chosen, dict) else TERMS[bet.stake]
        off = "# " if chosen is False else ""
        yield from ("", self._above(name), f"{off}[{name}]")
        yield from (f"{off}{part} = {written(amount)}" for part, amount in terms.items())


def _comment(said: str, clauses: str) -> str:
    return f"# {said} [{clauses or 'house rule'}]"


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value, enc_hook=encode_special, order="deterministic")
