"""A table that is conducted: its state, its record and its cards, moved on by one command at a time.

decide -> store -> swap -> tell: a command is decided on the table as it stands, goes on record, and only then
is the table another one and anybody told. What cannot be put on record has not happened.
"""

from __future__ import annotations

from typing import Any, Protocol

from croupier.errors import ParseError, Refused
from croupier.record.line import entry_of
from croupier.record.store import Memory, Store
from croupier.record.told import Listener, Told
from croupier.table import State, advance
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, Actor
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


class Conductor:
    """Conducts one table. `listeners` are told of every command that was carried out."""

    def __init__(self, state: State, store: Store | None = None, cards: CardSource | None = None) -> None:
        self.state = state
        self.store = Memory() if store is None else store
        self.cards = cards
        self.listeners: list[Listener] = []

    def give(self, command: Command, by: Actor = DEALER) -> list[Event]:
        """Carry out a command; a refusal goes on record and is raised, and changes nothing."""
        before = self.state
        number = self.store.count + 1
        try:
            after, events = advance(before, command, by)
        except Refused as refused:
            self.store.append(entry_of(number, command, by, refused))
            raise
        told = Told(before, entry_of(number, command, by, events), after)
        ready = None if self.cards is None else self.cards.prepare(told)
        self.store.append(told.entry)
        self.state = after
        if self.cards is not None and ready is not None:
            self.cards.keep(ready)
        for listener in self.listeners:
            listener(told)
        return events

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
            if wanted == "card":
                self.next_card()
            elif asked is not None:
                self.give(*asked)
            else:
                return wanted

    def close(self) -> None:
        self.store.close()
