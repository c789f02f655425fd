"""What is told of a command that was carried out, by a table in play as by a log that is replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from croupier.record.line import Entry
from croupier.table import State, evolve
from croupier.table.events import Event


class Told(Struct, frozen=True, gc=False):
    """A command on record: the table before it, its entry, and the table after it."""

    before: State
    entry: Entry
    after: State

    @property
    def events(self) -> list[Event]:
        return self.entry.events

    def moments(self) -> Iterator[tuple[Event, State]]:
        """Each event with the table right after it. That is made again and costs: ask where it matters."""
        state = self.before
        for event in self.events:
            state = evolve(state, event)
            yield event, state


Listener = Callable[[Told], None]
