"""Which lines of a log stand: all but those that were struck.

A dealer mistypes a card, and finds out three cards later. A supervisor then strikes the lines from that card
on, and the table is as it stood before it. Nothing is erased: the struck lines keep their place and number,
and the strike is a line itself. Whoever strikes a strike brings back what it struck, the table having stood
so before that line; of lines that are struck none can be struck again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import Struct

from croupier.record.line import Bring, Entry, Line, Strike, number_of
from croupier.table import commands as cmd


class Stood(Struct, frozen=True):
    """A line that stands, what was before it, and if it is a strike, what stood then."""

    line: Line
    before: Any = None
    struck: tuple[Stood, ...] = ()

    @property
    def number(self) -> int:
        return number_of(self.line)


class Mark(NamedTuple):
    """Where the lines stood once: their lists, and how long the one was that grows."""

    closed: list[Line]
    open: list[Stood]
    length: int
    last: int


class Standing:
    """The lines that stand. Those of a closed day stand for good, and what was before them is forgotten."""

    def __init__(self, *, virtual: bool = False) -> None:
        self.virtual = virtual
        self._closed: list[Line] = []
        self._open: list[Stood] = []
        self._last = 1

    @property
    def lines(self) -> list[Line]:
        return [*self._closed, *(stood.line for stood in self._open)]

    def add(self, line: Line, before: Any = None) -> None:
        """The next line, and what was before it."""
        self._last = number_of(line)
        if isinstance(line, Entry) and type(line.command) is cmd.BeginDay and line.refused is None:
            self._closed = [*self.lines, line]
            self._open = []
        else:
            self._open.append(Stood(line, before))

    def mark(self) -> Mark:
        return Mark(self._closed, self._open, len(self._open), self._last)

    def back_to(self, mark: Mark) -> None:
        """As the lines stood; those since were not put on record after all."""
        self._closed, self._open, self._last = mark.closed, mark.open, mark.last
        del self._open[mark.length :]

    def bar(self, strike: Strike) -> str:
        """Why the next line cannot be this strike, or nothing."""
        if strike.by.role != "supervisor":
            return f"only a supervisor strikes lines, and {strike.by} is none"
        if self.virtual:
            return "the cards of a virtual shoe cannot be called back, so no line of such a table is struck"
        if not strike.why.strip():
            return "a strike says why"
        return self._reach_bar(strike.strike)

    def _reach_bar(self, line: int) -> str:
        if not 1 < line <= self._last:
            lines = f"lines 2 to {self._last} are" if self._last > 1 else "no line is"
            return f"{lines} behind the first, which opens the table; {line} is none of them"
        if self._closed and line <= number_of(self._closed[-1]):
            return f"line {line} is of a day that is closed with line {number_of(self._closed[-1])}"
        if self._find(line) is None:
            return f"line {line} is struck already"
        return ""

    def _find(self, line: int) -> int | None:
        place = bisect_left(self._open, line, key=lambda stood: stood.number)
        return place if place < len(self._open) and self._open[place].number == line else None

    def strike(self, strike: Strike, before: Any = None) -> Any:
        """Strike the lines, which nothing bars; what was before the first of them."""
        place = self._find(strike.strike)
        assert place is not None, strike
        first, struck = self._open[place], tuple(self._open[place:])
        self._open = [*self._open[:place], *first.struck, Stood(strike, before, struck)]
        self._last = number_of(strike)
        return first.before


def brought_by(lines: Iterable[Line]) -> dict[str, int]:
    """What each player has brought along."""
    brought: dict[str, int] = {}
    for line in lines:
        if isinstance(line, Bring):
            brought[line.by.name] = brought.get(line.by.name, 0) + line.brings
    return brought
