"""view(state, seat): what a seat may see. Every card on the table is face up; the shoe is not."""

from __future__ import annotations

from msgspec import Struct

from croupier.cards import Card
from croupier.table.actors import Actor
from croupier.table.conduct import Due, due
from croupier.table.legal import Choice, legal
from croupier.table.state import Box, Result, Stage, State


class View(Struct, frozen=True):
    """The table from a seat: its cards and wagers, what has been settled, and what the seat may do."""

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
    cards_left: int
    final_rounds_left: int | None


def view(state: State, player: str) -> View:
    """What `player` may see: no card of the shoe, seen or unseen, and no choice but their own."""
    return View(
        player=player,
        stage=state.stage,
        due=due(state),
        round=state.round,
        minimum=state.terms.minimum,
        maximum=state.terms.maximum,
        boxes=state.boxes,
        dealer=state.dealer,
        results=state.results,
        choices=legal(state, Actor("player", player)),
        cards_left=state.shoe.left,
        final_rounds_left=state.final_left,
    )
