"""Where a table's entries are kept: in a file, in memory, or wherever somebody keeps them.

A store takes entries one after another. It has an entry whole once `append` returns, and where `append`
fails (StoreError) it has nothing of it.
"""

from __future__ import annotations

from typing import Protocol

from croupier.record.line import Entry


class Store(Protocol):
    """Keeps the entries of one table. `count` is how many it has; the next is numbered one more."""

    @property
    def count(self) -> int: ...

    def append(self, entry: Entry) -> None: ...

    def close(self) -> None: ...


class Memory:
    """Keeps the entries as they are: for cases and tests, and for a table without a log."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    @property
    def count(self) -> int:
        return len(self.entries)

    def append(self, entry: Entry) -> None:
        self.entries.append(entry)

    def close(self) -> None:
        """What is in memory stays there."""
