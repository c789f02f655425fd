"""A log that has been read: where its table starts, and all that was asked of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from croupier.errors import ParseError
from croupier.record.chain import hash_of, verified
from croupier.record.line import Entry, Header, other_release, read_entry, read_header
from croupier.rulebook import Rulebook, Rules, load
from croupier.rulebook.plain import rules_from
from croupier.rulebook.sense import contradictions
from croupier.table import State, open_state
from croupier.table.opening import start_state


class Log(Struct, frozen=True):
    """Lines whose chain holds; `source` is what they are called.

    `size` counts the bytes of whole lines, each with its end; `cut_off`: behind them was a part of one.
    """

    header: Header
    entries: tuple[Entry, ...]
    source: str
    last_hash: str
    size: int
    cut_off: bool = False

    @property
    def book(self) -> Rulebook:
        """The rulebook as it is today, to cite clauses from."""
        return load(self.header.rulebook)

    @property
    def rules(self) -> Rules:
        """The rules in the header; where it has none (format 1), what its settings make of the rulebook."""
        what = self.header.rules
        if what is None:
            return self.book.rules_for(self.header.settings, file=self.source)
        try:
            rules = rules_from(what)
        except msgspec.ValidationError as error:
            raise ParseError(
                f"{self.source}:1: the rules: {error}{other_release(self.header.engine)}"
            ) from None
        for _, problem in contradictions(rules):
            raise ParseError(f"{self.source}:1: the rules: {problem}")
        return rules

    def initial_state(self) -> State:
        """The table before the first command."""
        start = self.header.start
        return open_state(self.rules) if start is None else start_state(self.rules, start)


def read_lines(lines: Sequence[bytes], source: str, *, cut_off: bool = False) -> Log:
    """The log in sealed lines. A ParseError names the first that is broken."""
    if not lines:
        raise ParseError(f"{source}: is no log: it has no whole line")
    bodies = verified(lines, source)
    header = read_header(next(bodies), f"{source}:1")
    entries = (read_entry(body, f"{source}:{number}", header) for number, body in enumerate(bodies, start=2))
    return Log(
        header=header,
        entries=tuple(entries),
        source=source,
        last_hash=hash_of(lines[-1]),
        size=sum(len(line) + 1 for line in lines),
        cut_off=cut_off,
    )
