"""What is told of a line on record, by a table in play as by a log that is replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from croupier.record.line import Line
from croupier.table import State, evolve
from croupier.table.events import Event


class Told(Struct, frozen=True, gc=False):
    """A line on record: the table before it, what it is, and the table after it.

    Of a command that was refused nothing is told. A strike makes no events: the table is as it once stood.
    """

    before: State
    entry: Line
    after: State

    @property
    def events(self) -> list[Event]:
        return self.entry.events

    def moments(self) -> Iterator[tuple[Event, State]]:
        """Each event with the table right after it. All but the last are made again: ask where it matters."""
        state = self.before
        *events, last = self.events or (None,)
        for event in events:
            state = evolve(state, event)
            yield event, state
        if last is not None:
            yield last, self.after


Listener = Callable[[Told], None]
