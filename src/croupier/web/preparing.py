"""What is done to the cards before they are dealt, step by step, and how far it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from croupier.rulebook import Rulebook
from croupier.table.shoe import cut_preference
from croupier.table.state import PREPARING, Stage, State
from croupier.web import frames
from croupier.web.telling import clauses

ORDER = get_args(Stage)


def preparing(state: State, book: Rulebook) -> tuple[frames.Step, ...]:
    """The steps of this shoe in their order; none where the cards are ready."""
    if state.stage not in PREPARING:
        return ()
    return tuple(
        frames.Step(words, clauses(book, provision), done=ORDER.index(stage) < ORDER.index(state.stage))
        for stage, words, provision in _steps(state)
    )


def _steps(state: State) -> Iterator[tuple[str, str, str]]:
    """Each with its stage, in words, and the provision behind it."""
    shoe, rules = state.shoe, state.rules
    if state.stage == "opening" or (rules.card_check and state.round == 0):
        yield "opening", "Cards checked", "card_check"
    yield "shuffle", "Shuffled", "shuffle"
    if shoe.automated and not shoe.failed:
        yield "cut", "Loaded", "automated_shoe_loaded"
        return
    yield "cut", "Cut", cut_preference(state)
    if shoe.resume is None or state.stage == "place":
        several = state.terms.cutting_cards > 1
        yield "place", "Cutting cards placed" if several else "Cutting card placed", "cutting_card_back_decks"
    if shoe.resume is None and (rules.burn_cards or state.stage == "burn"):
        yield "burn", "Burnt", "burn_cards"
