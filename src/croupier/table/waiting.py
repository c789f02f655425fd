"""waiting(state): whom the table waits for, what is due from them, and what they may do."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.table import commands as cmd
from croupier.table.actors import Actor, actor, player
from croupier.table.conduct import Due, chore, due
from croupier.table.legal import Choice, legal
from croupier.table.shoe import replacement_due
from croupier.table.state import State, decider, remembered, turn
from croupier.table.turns import still_asked

On = Literal["shoe", "dealer", "supervisor", "operator", "players", "nobody"]

FROM_THE_SHOE = (cmd.CardCommand, cmd.DrawCuttingCard, cmd.ShoeRunsOut)
OFFERS = (cmd.Insure, cmd.TakeEvenMoney, cmd.Surrender)


class Waiting(Struct, frozen=True):
    """A table that waits: on whom, which of the players if on players, and for what."""

    state: State
    due: Due
    on: On
    players: tuple[str, ...] = ()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What those waited for may do. It is asked of the rules each time, so ask once."""
        if self.on == "shoe":
            return tuple(one for one in legal(self.state) if isinstance(one.command, FROM_THE_SHOE))
        return tuple(choice for by in self._actors for choice in legal(self.state, by))

    @property
    def _actors(self) -> tuple[Actor, ...]:
        if self.on == "players":
            return tuple(map(player, self.players))
        return () if self.on == "nobody" else (actor(self.on),)


@remembered
def waiting(state: State) -> Waiting:
    """Whom the table waits for. Where players could still act and need not, it waits for the dealer."""
    wanted = due(state)
    if wanted == "card":
        return Waiting(state, wanted, "shoe")
    if wanted == "chore":
        asked = chore(state)
        return Waiting(state, wanted, "supervisor" if asked and asked.by.role == "supervisor" else "dealer")
    if wanted == "nothing":
        return Waiting(state, wanted, "operator" if replacement_due(state) else "nobody")
    players = _players(state, wanted)
    return Waiting(state, wanted, "players" if players else "dealer", players)


def _players(state: State, wanted: Due) -> tuple[str, ...]:
    """The players whose answer is wanted."""
    if wanted == "cut":
        return (state.shoe.offer,)
    if wanted == "betting":
        return _without_wager(state)
    if wanted == "offers":
        offers = (choice.by.name for choice in legal(state) if isinstance(choice.command, OFFERS))
        return tuple(dict.fromkeys(offers))
    return _deciding(state) if wanted == "decision" else ()


def _without_wager(state: State) -> tuple[str, ...]:
    """Those who sit at a box and have no chips on it."""
    seated = (box.seat for box in state.boxes if box.seat and not box.bet_of(box.seat).chips)
    return tuple(dict.fromkeys(name for name in seated if name not in state.people.excluded))


def _deciding(state: State) -> tuple[str, ...]:
    """Who decides for the hand in turn, or those who have yet to answer what was decided."""
    place = turn(state)
    if place is None:
        return ()
    box, hand = state.box(place[0]), state.hand(*place)
    if hand.asked:
        return tuple(still_asked(state, box, hand))
    name = decider(state, box, hand)
    return (name,) if name else ()
