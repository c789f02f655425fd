"""The dealer's own hand: when a card must be drawn to it and when it must not."""

from __future__ import annotations

from croupier.game.dealer import Hangs, draws, given_back, natural_possible, natural_takes, stands_on
from croupier.game.hand import is_natural, is_natural_pair
from croupier.table.state import Bet, Box, Stake, State, remembered


def dealer_stands(state: State) -> bool:
    """Has the dealer's hand reached a total on which no card is drawn?"""
    return stands_on(state.rules, state.dealer)


@remembered
def dealer_needs_card(state: State) -> bool:
    """Must the dealer draw now? Every box is done."""
    return draws(state.rules, state.dealer, lambda: _hangs(state))


def _hangs(state: State) -> Hangs:
    """What hangs on the dealer's further cards.

    A live hand to compare with hangs on the total. If only naturals, surrendered hands or insurance are
    undecided, or a natural would give back what was lost, the second card decides them.
    """
    hangs: Hangs = "nothing"
    for box in state.boxes:
        for hand in box.hands:
            if not hand.lives:
                continue
            if not hand.surrendered and not is_natural(state.rules, hand):
                return "total"
            hangs = "natural"
        for bet in box.bets:
            if bet.insurance_open or _natural_would_give_back(state, box, bet):
                hangs = "natural"
    return hangs


def lost_before(box: Box, player: str) -> list[tuple[int, Stake, int]]:
    """What a bettor has lost on a box before the settlement: hand, stake, and how much."""
    return [
        (number, stake, stake.total if stake.end == "busted" else stake.original)
        for number, hand in enumerate(box.hands, start=1)
        for stake in hand.stakes
        if stake.player == player and stake.end in ("busted", "forfeited")
    ]


def _natural_would_give_back(state: State, box: Box, bet: Bet) -> bool:
    """Of hands that are all lost, would a dealer natural give something back?"""
    takes = natural_takes(state.rules)
    if not takes.gives_back or not dealer_natural_possible(state):
        return False
    lost = sum(amount for _, _, amount in lost_before(box, bet.player))
    return given_back(takes, lost, bet.stake, lives=False) > 0


def dealer_has_natural(state: State) -> bool:
    return is_natural_pair(state.rules, state.dealer)


def dealer_natural_possible(state: State) -> bool:
    """Could the first card still become a natural?"""
    return natural_possible(state.rules, state.dealer[0][0])
