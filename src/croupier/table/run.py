"""How a command is carried out: handlers check it, then emit events one after another.

A handler sees the state as its own events have made it so far, so that what follows from a card
(a bust, a payment, the next stage) is decided on what the card has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from msgspec import Struct

from croupier.errors import Refused
from croupier.game.hand import Bar
from croupier.table.actors import PLAYERS, Actor
from croupier.table.commands import Command
from croupier.table.events import Event
from croupier.table.evolve.steps import Step
from croupier.table.state import State

# Who is told of the provisions of every event and refusal as it comes about. Nobody, but for coverage.
Witness = Callable[..., None]
WITNESSES: list[Witness] = []


@contextmanager
def witnessed(witness: Witness) -> Iterator[None]:
    """While this lasts the witness is called, by whatever emits or refuses, with the provisions named."""
    WITNESSES.append(witness)
    try:
        yield
    finally:
        WITNESSES.remove(witness)


class Run(Struct, gc=False):
    """A command in progress: who asks, the state so far and the events that made it."""

    state: State
    by: Actor
    steps: Mapping[type[Event], Step]
    events: list[Event] = []

    def emit(self, event: Event) -> None:
        if WITNESSES:
            for witness in WITNESSES:
                witness(*event.basis)
        self.state = self.steps[type(event)](self.state, event)
        self.events.append(event)


Handler = Callable[[Run, Any], None]


def refuse(provision: str, command: Command, why: str, *also: str) -> NoReturn:
    """Refuse the command under a provision; `also` are others that would forbid it."""
    for witness in WITNESSES:
        witness(provision, *also)
    raise Refused(provision, describe(command), why, *also)


def refuse_asker(command: Command, by: Actor) -> None:
    """Refuse what one in this role may not ask."""
    bar = asker_bar(command, by)
    if bar:
        refuse(bar.provision, command, bar.why)


def asker_bar(command: Command, by: Actor) -> Bar | None:
    """What bars one in this role: an order that is another's, or a move of the players."""
    if by.role in command.askers:
        return None
    if command.askers == PLAYERS:
        return Bar("bank_does_not_play", f"the {by.role} does not play")
    role = min(command.askers - PLAYERS)
    return Bar(role, f"only the {role} may do that")


def refuse_barred(command: Command, bar: Bar | None) -> None:
    """Refuse the command if something bars it."""
    if bar:
        refuse(bar.provision, command, bar.why, *bar.also)


def refusal(command: Command, bar: Bar) -> Refused:
    """The refusal that the command would meet, for whoever tells of it beforehand."""
    return Refused(bar.provision, describe(command), bar.why, *bar.also)


def describe(command: Command) -> str:
    """The command's verb in words: `PlaceCuttingCards` is "place cutting cards"."""
    return describe_kind(type(command))


def describe_kind(kind: type[Command]) -> str:
    name = kind.__name__
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()


def stage_bar(state: State, provision: str, *stages: str) -> Bar | None:
    """What bars that which belongs to other stages than the table's."""
    if state.stage in stages:
        return None
    return Bar(provision, f"not while the table is at the stage '{state.stage}'")
