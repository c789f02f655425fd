"""view(state, seat): what a seat may see. Every card on the table is face up; the shoe is not.

views(state, seats): the same for several, who are told of one event at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from croupier.cards import Card
from croupier.table.actors import Actor
from croupier.table.conduct import Due, due
from croupier.table.legal import Choice, listed
from croupier.table.state import Box, Result, Stage, State


class View(Struct, frozen=True):
    """The table from a seat: its cards and wagers, what has been settled, and what the seat may do.

    `closed` are the decisions and offers of the moment that the seat has not, each with its bar.
    """

    player: str
    stage: Stage
    due: Due
    round: int
    minimum: int
    maximum: int
    boxes: tuple[Box, ...]
    dealer: tuple[Card, ...]
    results: tuple[Result, ...]
    choices: tuple[Choice, ...]
    closed: tuple[Choice, ...]
    cards_left: int
    final_rounds_left: int | None


def view(state: State, player: str) -> View:
    """What `player` may see: no card of the shoe, seen or unseen, and no choice but their own."""
    return _seen(state, player, due(state))


def views(state: State, players: Iterable[str]) -> tuple[View, ...]:
    """What each of them may see; what is the same for all is looked up once."""
    wanted = due(state)
    return tuple(_seen(state, player, wanted) for player in players)


def _seen(state: State, player: str, wanted: Due) -> View:
    own = tuple(listed(state, Actor("player", player)))
    return View(
        player=player,
        stage=state.stage,
        due=wanted,
        round=state.round,
        minimum=state.terms.minimum,
        maximum=state.terms.maximum,
        boxes=state.boxes,
        dealer=state.dealer,
        results=state.results,
        choices=tuple(choice for choice in own if choice.bar is None),
        closed=tuple(choice for choice in own if choice.bar is not None),
        cards_left=state.shoe.left,
        final_rounds_left=state.final_left,
    )
