"""Whether a shoe lasts a round, however its cards lie.

The solver values each hand of a split as if the others left it cards enough. A shoe runs out when all its
cards are on the table and somebody must still draw. Every hand that is complete then has one card, its last,
beside those to which it drew; the others have not. So the points of all cards but the largest, one for each
complete hand, are points to which somebody drew, and there is a most for these. Where that bound leaves a
doubt, the hands that the play can make are gone through one after another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from croupier.exact import kernels
from croupier.exact.dealer import drawing_hands
from croupier.exact.hands import POINTS, TWENTY_ONE, Array, Hands
from croupier.exact.kernels import DOUBLE, HIT, STAND

if TYPE_CHECKING:
    from croupier.exact.solver import Solver

Counts = tuple[int, ...]  # how many cards of each value
MOST_STEPS = 2_000  # of a search; one that is not over by then is taken to have found something


def may_run_out(left: Counts, hands: int, drawn_to: int) -> bool:
    """Are these cards too few for so many hands, if all of them together draw to so many points?"""
    points, last = 0, hands
    for value in range(len(left) - 1, -1, -1):
        largest = min(last, left[value])
        last -= largest
        points += (left[value] - largest) * (value + 1)
    return points <= drawn_to


class SplitHands(Struct, frozen=True):
    """What one hand of a split may hold, beside the card that it began with."""

    drawing: frozenset[Counts]  # and have another card
    complete: Array  # row by row, those with most cards first
    busted: Array  # of these

    @property
    def drawn_to(self) -> int:
        """The most points to which such a hand draws."""
        return max(int(POINTS @ np.array(held)) for held in self.drawing)


def hands_of_split(hands: Hands, pair: int, action: Array) -> SplitHands:
    """The hands to which play comes from one split card; `action` by (hand, variant), -1: never there."""
    card = np.eye(len(POINTS), dtype=np.int64)
    hits, doubles, stands = ((action == one).any(axis=1) for one in (HIT, DOUBLE, STAND))
    complete = [hands.counts[stands]]
    for value in range(len(POINTS)):
        ends = doubles | (hits & (hands.after[:, value] < 0))
        complete.append(hands.counts[ends] + card[value])
    rows = np.unique(np.concatenate(complete), axis=0)
    rows = rows[np.argsort(-rows.sum(axis=1), kind="stable")]
    drawing = {tuple(held) for held in (hands.counts[hits | doubles] - card[pair]).tolist()}
    return SplitHands(
        drawing=frozenset(drawing | {(0,) * len(POINTS)}),
        complete=rows - card[pair],
        busted=rows @ POINTS > TWENTY_ONE,
    )


class Dealer(Struct, frozen=True):
    """What the dealer may hold beside the first card and have another, and the most points of that."""

    drawing: frozenset[Counts]
    drawn_to: int


def runs_out(left: Counts, hands: int, of_split: SplitHands, dealer: Dealer) -> bool:
    """Can these cards run out before what so many hands of a split win or lose is known?

    The cards are those beside the dealer's first and one for each hand. Where all hands are busted no more of
    the dealer's matter than the second, for a natural.
    """
    seen: set[tuple[Counts, int, bool]] = set()
    drawn_to = of_split.drawn_to

    def found(left: Counts, hands: int, alive: bool) -> bool:
        known = (left, hands, alive) in seen
        if known or not may_run_out(left, hands, hands * drawn_to + dealer.drawn_to):
            return False
        seen.add((left, hands, alive))
        if len(seen) > MOST_STEPS:
            return True
        if not hands:
            return left in dealer.drawing if alive else not any(left)
        if left in of_split.drawing:
            return True
        fits = (of_split.complete <= np.array(left)).all(axis=1)
        rests = (np.array(left) - of_split.complete[fits]).tolist()
        return any(
            found(tuple(rest), hands - 1, alive or not busted)
            for rest, busted in zip(rests, of_split.busted[fits].tolist(), strict=True)
        )

    return found(left, hands, False)


def lasts_split(solver: Solver, upcard: int, pair: int) -> bool:
    """Does the solver's shoe last a round in which this pair is split, played as it plays?"""
    if solver.shoe.endless:
        return True
    left = [cards - (value == upcard) - 2 * (value == pair) for value, cards in enumerate(solver.left)]
    made = solver.growth(upcard, pair).made
    dealer_to = max(0, solver.rules.dealer_draws_to - (upcard + 1))

    def beside(number: int) -> Counts:
        return tuple(cards - (number - 2) * (value == pair) for value, cards in enumerate(left))

    if not may_run_out(beside(made), made, made * (TWENTY_ONE - (pair + 1)) + dealer_to):
        return True
    run, law, split = solver.kind.run, solver.law, solver.split_law(pair)
    plans = solver.plans_of_split(upcard, pair)
    actions = [run(kernels.reached, solver.hands, law, plan, split)[0] for plan in plans]
    of_split = hands_of_split(solver.hands, pair, np.concatenate(actions, axis=1))
    dealer = Dealer(drawing_hands(solver.rules, upcard), dealer_to)
    return not any(runs_out(beside(number), number, of_split, dealer) for number in range(2, made + 1))
