"""A table open for play: its state, its cards and its log, moved on by one command at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from croupier.errors import ParseError, Refused
from croupier.house.shoes import CardSource
from croupier.record import LogWriter, header_for, read_log, replay
from croupier.rulebook import Rulebook, Rules
from croupier.table import advance, open_state
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, Actor
from croupier.table.commands import Command
from croupier.table.conduct import card_command, chore, due
from croupier.table.events import Event
from croupier.table.state import State

Listener = Callable[[Event], None]


class Host:
    """Conducts one table of a house, all of whose settings are given. `listeners` hear every event.

    `rules` are those that a log has on record; a new table has what the settings make of the rulebook.
    """

    def __init__(
        self,
        book: Rulebook,
        settings: dict[str, Any],
        *,
        rules: Rules | None = None,
        cards: CardSource | None = None,
        log: Path | None = None,
    ) -> None:
        self.book = book
        self.rules = rules or book.rules_for(settings)
        self.state: State = open_state(self.rules)
        self.cards = cards
        self.listeners: list[Listener] = []
        self._log: LogWriter | None = None
        if log is not None:
            self._log = LogWriter.create(log, header_for(book, self.rules, settings))

    def give(self, command: Command, by: Actor = DEALER) -> list[Event]:
        """Carry out a command and log it; a refusal is logged and raised, and changes nothing."""
        try:
            self.state, events = advance(self.state, command, by)
        except Refused as refused:
            if self._log:
                self._log.append(command, by, refused)
            raise
        if self._log:
            self._log.append(command, by, events)
        for event in events:
            if self.cards is not None:
                self.cards.watch(event, self.state)
            for listener in self.listeners:
                listener(event)
        return events

    def betting_command(self) -> cmd.OpenBetting:
        """The invitation to bet, with the time of day where hours of gaming are kept."""
        return cmd.OpenBetting(at=time.strftime("%H:%M") if self.rules.house.hours else "")

    def next_card(self) -> list[Event]:
        """The next card out of the shoe, whatever it is due for."""
        if self.cards is None:
            raise ParseError("this table has no shoe of its own; its dealer types in the cards")
        state = self.state
        if state.shoe.held:
            return self.give(card_command(state, state.shoe.held[0]))
        if state.shoe.left == 0:
            return self.give(cmd.ShoeRunsOut())
        return self.give(card_command(state, self.cards.next_word()))

    def carry_on(self) -> None:
        """Do chores and deal cards until somebody's answer is wanted."""
        while (wanted := due(self.state)) in ("chore", "card"):
            if wanted == "card":
                self.next_card()
            elif (asked := chore(self.state)) is not None:
                self.give(*asked)

    def close(self) -> None:
        if self._log:
            self._log.close()
            self._log = None


def resume(path: Path, *, cards: CardSource | None = None) -> Host:
    """Open the table of a log again where the log leaves it, and write on in the same file."""
    log = read_log(path)
    if log.header.start is not None:
        raise ParseError(f"{path}: is the log of a case, which does not go on")
    host = Host(log.book, log.header.settings, rules=log.rules, cards=cards)
    host.state = replay(log).state
    host._log = LogWriter.continue_from(path, log)
    return host
