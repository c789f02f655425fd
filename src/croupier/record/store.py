"""Where a table's lines are kept: in a file, in memory, or wherever somebody keeps them.

A store takes lines one after another. It has a line whole once `append` returns, and where `append` fails
(StoreError) it has nothing of it.
"""

from __future__ import annotations

from typing import Protocol

from croupier.record.line import Entry, Line


class Store(Protocol):
    """Keeps the lines of one table. `count` is how many it has; the next is numbered one more.

    `last_hash` is that of the last line, "" where lines have none: who keeps it elsewhere can tell later
    that the record is the same.
    """

    @property
    def count(self) -> int: ...

    @property
    def last_hash(self) -> str: ...

    def append(self, line: Line) -> None: ...

    def close(self) -> None: ...


class Memory:
    """Keeps the lines as they are: for cases and tests, and for a table without a log."""

    last_hash = ""

    def __init__(self) -> None:
        self.lines: list[Line] = []

    @property
    def entries(self) -> list[Entry]:
        return [line for line in self.lines if isinstance(line, Entry)]

    @property
    def count(self) -> int:
        return len(self.lines)

    def append(self, line: Line) -> None:
        self.lines.append(line)

    def close(self) -> None:
        """What is in memory stays there."""
