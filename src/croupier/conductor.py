"""A table that is conducted: its state, its record and its cards, moved on by one command at a time.

decide -> store -> swap -> tell: a command is decided on the table as it stands, goes on record, and only then
is the table another one and anybody told. What cannot be put on record has not happened.

What time it is and who holds an office is the house's to say: a clock and names are given to the conductor,
and are written down beside each command. Nothing is decided by them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from croupier.errors import ParseError, Refused
from croupier.record.line import Bring, Entry, Line, Strike, entry_of
from croupier.record.standing import Mark as StandingMark
from croupier.record.standing import Standing, brought_by
from croupier.record.store import Memory, Store
from croupier.record.told import Listener, Told
from croupier.table import State, advance
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, SUPERVISOR, Actor, Role
from croupier.table.commands import Command
from croupier.table.conduct import Due, card_command, due_and_chore
from croupier.table.events import Event


class CardSource(Protocol):
    """Where the cards of a table come from, if they are not typed in."""

    def peek(self, state: State) -> str:
        """The word that comes out next, a card or `cut`. It stays where it is until it is on record."""

    def prepare(self, told: Told) -> Any:
        """What a command makes of the cards, before it is on record; None if they stay as they are.

        A StoreError keeps the command off the record.
        """

    def keep(self, ready: Any) -> None:
        """The command is on record, and so what was made ready holds."""

    def mark(self) -> Any:
        """How the cards lie now."""

    def back_to(self, mark: Any) -> None:
        """The cards as they lay: what was kept since is not on record after all."""


class Mark(NamedTuple):
    """How a table stood, its lines and cards with it."""

    state: State
    brought: dict[str, int]
    standing: StandingMark
    cards: Any


def no_clock() -> str:
    """For whoever keeps no time: cases and tests."""
    return ""


class Conductor:
    """Conducts one table. `listeners` are told of every line that was carried out.

    `staff` are those who hold an office by name; what the dealer does is then done by that dealer. `brought`
    is what players have brought along, in cents.
    """

    def __init__(
        self,
        state: State,
        store: Store | None = None,
        cards: CardSource | None = None,
        *,
        clock: Callable[[], str] = no_clock,
        standing: Standing | None = None,
    ) -> None:
        self.state = state
        self.store = Memory() if store is None else store
        self.cards = cards
        self.listeners: list[Listener] = []
        self.staff: dict[Role, Actor] = {}
        self._clock = clock
        self._standing = standing or Standing()
        self._standing.virtual |= cards is not None
        self.brought = brought_by(self._standing.lines)

    def give(self, command: Command, by: Actor = DEALER) -> list[Event]:
        """Carry out a command; a refusal goes on record and is raised, and changes nothing."""
        before, cards, number, at = self.state, self.cards, self.store.count + 1, self._clock()
        if self.staff:
            by = self.named(by)
        try:
            after, events = advance(before, command, by)
        except Refused as refused:
            self._append(entry_of(number, command, by, refused, at))
            raise
        entry = Entry(number, by, command, events, None, at)
        told = Told(before, entry, after)
        ready = None if cards is None else cards.prepare(told)
        self._append(entry)
        self.state = after
        if cards is not None and ready is not None:
            cards.keep(ready)
        for listener in self.listeners:
            listener(told)
        return events

    def strike(self, line: int, by: Actor = SUPERVISOR, why: str = "") -> State:
        """Strike the lines from this one on; the table is as it stood before it.

        A ParseError says why that cannot be, and nothing has changed.
        """
        self.require_strikable(line, by, why)
        before, strike = self.state, self._strike(line, by, why)
        self.store.append(strike)
        self.state = self._standing.strike(strike, before)
        self.brought = brought_by(self._standing.lines)
        self._tell(Told(before, strike, self.state))
        return self.state

    def require_strikable(self, line: int, by: Actor, why: str) -> None:
        """A ParseError says why the lines from this one on cannot be struck."""
        if problem := self.strike_bar(line, by, why):
            raise ParseError(f"strike {line}: {problem}")

    def strike_bar(self, line: int, by: Actor = SUPERVISOR, why: str = "") -> str:
        """Why the lines from this one on cannot be struck, or nothing."""
        return self._standing.bar(self._strike(line, by, why))

    def _strike(self, line: int, by: Actor, why: str) -> Strike:
        return Strike(line, why, self.store.count + 1, self.named(by), self._clock())

    def bring(self, amount: int, by: Actor) -> None:
        """Put on record what a player brings along."""
        if amount <= 0 or by.role != "player":
            raise ParseError(f"{by} brings {amount}: a player brings something or nothing is written")
        bring = Bring(amount, self.store.count + 1, by, self._clock())
        self._append(bring)
        self.brought[by.name] = self.brought.get(by.name, 0) + amount
        self._tell(Told(self.state, bring, self.state))

    def mark(self) -> Mark:
        """How the table stands, for whoever has a store that gathers lines before it keeps them."""
        cards = None if self.cards is None else self.cards.mark()
        return Mark(self.state, dict(self.brought), self._standing.mark(), cards)

    def back_to(self, mark: Mark) -> None:
        """The table as it stood: what it did since could not be put on record. Nobody may have been told."""
        self.state, self.brought = mark.state, dict(mark.brought)
        self._standing.back_to(mark.standing)
        if self.cards is not None:
            self.cards.back_to(mark.cards)

    @property
    def lines(self) -> list[Line]:
        """The lines of a live table that stand, those refused among them."""
        return self._standing.lines

    def named(self, by: Actor) -> Actor:
        """An office as whoever holds it; everybody else is who they are."""
        return self.staff.get(by.role, by) if by.name == by.role else by

    def _append(self, line: Line) -> None:
        """The next line on record; where lines can be struck, with the table before it."""
        self.store.append(line)
        if self.cards is None:
            self._standing.add(line, self.state)

    def _tell(self, told: Told) -> None:
        for listener in self.listeners:
            listener(told)

    def next_card(self) -> list[Event]:
        """The next card out of the shoe, whatever it is due for."""
        if self.cards is None:
            raise ParseError("this table has no shoe of its own; its dealer types in the cards")
        state = self.state
        if state.shoe.held:
            return self.give(card_command(state, state.shoe.held[0]))
        if state.shoe.left == 0:
            return self.give(cmd.ShoeRunsOut())
        return self.give(card_command(state, self.cards.peek(state)))

    def carry_on(self) -> Due:
        """Do chores and deal cards until somebody's answer is wanted, and say what."""
        while True:
            wanted, asked = due_and_chore(self.state)
            if asked is not None:
                self.give(*asked)
            elif wanted == "card":
                self.next_card()
            else:
                return wanted

    def close(self) -> None:
        self.store.close()
