"""The dealer's own hand: when a card must be drawn to it and when it must not."""

from __future__ import annotations

from croupier.game.dealer import natural_possible, natural_takes, stands_on
from croupier.game.hand import is_natural, is_natural_pair
from croupier.table.state import State, active


def dealer_stands(state: State) -> bool:
    """Has the dealer's hand reached a total on which no card is drawn?"""
    return stands_on(state.rules, state.dealer)


def dealer_needs_card(state: State) -> bool:
    """Must the dealer draw now? Every box is done.

    A live hand to compare with takes a full draw. If only naturals, surrendered hands or insurance
    are undecided, the second card decides them. Some rulebooks let the dealer draw regardless.
    """
    if dealer_stands(state):
        return False
    if state.rules.dealer_draws_when_decided:
        return True
    second_card_matters = False
    for box in active(state):
        for hand in box.hands:
            if not hand.lives:
                continue
            if not hand.surrendered and not is_natural(state.rules, hand):
                return True
            second_card_matters = True
        for bet in box.bets:
            if bet.insurance_open:
                second_card_matters = True
    return (second_card_matters or _natural_would_give_back(state)) and len(state.dealer) < 2


def _natural_would_give_back(state: State) -> bool:
    """Where a dealer natural takes one original wager only, it gives back what was lost beyond it."""
    if not natural_takes(state.rules).gives_back or not dealer_natural_possible(state):
        return False
    for box in state.boxes:
        for bet in box.bets:
            lost = [
                stake.total if stake.end == "busted" else stake.original
                for hand in box.hands
                for stake in hand.stakes
                if stake.player == bet.player and stake.end in ("busted", "forfeited")
            ]
            if sum(lost) > bet.stake:
                return True
    return False


def dealer_has_natural(state: State) -> bool:
    return is_natural_pair(state.rules, state.dealer)


def dealer_natural_possible(state: State) -> bool:
    """Could the first card still become a natural?"""
    return natural_possible(state.rules, state.dealer[0][0])
