"""The hands of a split taken together, where a dealer's natural asks whether any of them lives.

A hand that is over before the dealer draws is a multiset of cards, weighed by the number of orders in
which the plan draws it: a polynomial in the ten values, one power for each card. Several such hands are
the product of their polynomials, and the chance of a product is that of its cards being drawn: the
falling products of what is left of each value over that of all the cards. Of four hands, two make one
polynomial and two the other; the second is summed, as the dealer's hands are, on every shoe that a term
of the first leaves behind.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from croupier.exact import kernels
from croupier.exact.arithmetic import Numbers
from croupier.exact.dealer import terms_of
from croupier.exact.hands import ACE, TWENTY_ONE, Array, Hands
from croupier.exact.kernels import FIRST_TWO, HIT, STAND, Draw, Law, Pay, Plan, SplitLaw, free_ace
from croupier.exact.splits import last_made, ways

BITS = 5
DIGITS = BITS * np.arange(10)


class Polynomial(NamedTuple):
    """Sorted keys, five bits for the power of each value, and what each term weighs."""

    keys: Array
    weights: Array

    def powers(self) -> Array:
        return (self.keys[:, None] >> DIGITS) & ((1 << BITS) - 1)


def collected(keys: Array, weights: Array) -> Polynomial:
    unique, places = np.unique(keys, return_inverse=True)
    total = np.zeros(len(unique), weights.dtype)
    np.add.at(total, places, weights)
    return Polynomial(unique, total)


def times(first: Polynomial, second: Polynomial) -> Polynomial:
    keys = (first.keys[:, None] + second.keys[None, :]).ravel()
    return collected(keys, (first.weights[:, None] * second.weights[None, :]).ravel())


def plus(*parts: tuple[int, Polynomial]) -> Polynomial:
    """The sum of polynomials, each so many times."""
    return collected(
        np.concatenate([part.keys for _, part in parts]),
        np.concatenate([part.weights * factor for factor, part in parts]),
    )


class OverHands(Struct, frozen=True):
    """The split hands that are over before the dealer draws, without the card that was split."""

    any: Polynomial  # the second card is free
    other: Polynomial  # the second card is not of the pair's value


def over_hands(
    hands: Hands, law: Law, pay: Pay, plan: Plan, split: SplitLaw, kind: Numbers, *, only_paid: bool
) -> OverHands:
    """What the plan makes of one split card and is over: paid, and unless `only_paid` busted or forfeited."""
    action, _ = kind.run(kernels.reached, hands, law, pay, plan, split)
    made = [
        _over(hands, law, pay, plan, split, action, kind, only_paid=only_paid, pairs=pairs)
        for pairs in (True, False)
    ]
    return OverHands(any=made[0], other=made[1])


def _over(
    hands: Hands,
    law: Law,
    pay: Pay,
    plan: Plan,
    split: SplitLaw,
    action: Array,
    kind: Numbers,
    *,
    only_paid: bool,
    pairs: bool,
) -> Polynomial:
    begin = int(hands.after[0, split.pair])
    orders = np.zeros(action.shape, kind.dtype)
    keys: list[int] = []
    weights: list[Any] = []
    own = (hands.counts << DIGITS).sum(axis=1) - (1 << BITS * split.pair)
    for value in range(10):
        hand = hands.after[begin, value]
        if hand < 0 or (value == split.pair and not pairs):
            continue
        if law.suited[hand] >= 0:
            orders[hand] = law.suited_mix[law.suited[hand]]
        else:
            orders[hand, hands.counts[hand, ACE] if law.double_aces == FIRST_TWO else 0] = 1
    for hand, variant in np.argwhere(action >= 0):
        here = orders[hand, variant]
        chosen = action[hand, variant]
        if chosen == STAND:
            if pay.paid_at_once and hands.total[hand] == TWENTY_ONE:
                keys.append(int(own[hand]))
                weights.append(here)
            continue
        carried = variant if law.double_aces == FIRST_TWO and hands.counts[hand, ACE] > 0 else 0
        for value in range(10):
            grown = hands.after[hand, value]
            if chosen == HIT and grown >= 0:
                orders[grown, carried] += here
                continue
            if grown < 0:
                over = not only_paid
            else:
                free = free_ace(  # type: ignore[no-untyped-call]
                    law.double_aces, hands.counts[grown, ACE], hands.counts[hand, ACE], variant
                )
                soft = bool(free and hands.hard[grown] + 10 <= TWENTY_ONE)
                paid = pay.paid_at_once and hands.hard[grown] + 10 * soft == TWENTY_ONE
                over = paid or (not only_paid and pay.forfeit and plan.forfeits[grown, int(soft)])
            if over:
                keys.append(int(own[hand]) + (1 << BITS * value))
                weights.append(here)
    made = np.zeros(len(weights), kind.dtype)
    made[:] = weights
    return collected(np.array(keys, np.int64), made)


def chance_of_product(first: Polynomial, second: Polynomial, draw: Draw, kind: Numbers) -> Any:
    """The chance that the cards of some term of the product are drawn, in one of its orders."""
    if len(first.keys) < len(second.keys):
        first, second = second, first
    if not len(second.keys):
        return draw.size - draw.size
    powers = first.powers()
    terms = terms_of(second.powers(), second.weights, np.zeros(len(second.keys), np.int64), 1)
    shoes = draw.left - powers * draw.step
    cards = powers.sum(axis=1)
    sums = kind.run(kernels.evaluate, terms, shoes, draw.size - cards * draw.step, draw.step)[:, 0]
    drawn = _falling(draw.size, draw.step, int(cards.max()), kind)[cards] ** -1
    for value in range(10):
        drawn = (
            drawn * _falling(draw.left[value], draw.step, int(powers[:, value].max()), kind)[powers[:, value]]
        )
    return (first.weights * drawn * sums).sum()


def _falling(cards: Any, step: Any, most: int, kind: Numbers) -> Array:
    """The falling products of so many cards, by the number of factors."""
    made = np.empty(most + 1, kind.dtype)
    made[0] = kind.of(1)
    for factors in range(most):
        left = cards - factors * step
        made[factors + 1] = made[factors] * (left if left > 0 else left - left)
    return made


def chance_all_over(over: OverHands, pair: int, most: int | None, draw: Draw, kind: Numbers) -> Any:
    """The chance that every hand of a split is over, of at most so many hands.

    More than `EXACT_HANDS` are not multiplied out: each further hand is taken to be over as often as the
    last one that was.
    """
    left, size, step = draw.left.copy(), draw.size, draw.step
    made = kind.of(1)
    total = kind.of(0)
    products = _Products(over)
    for hands in range(2, (most or EXACT_HANDS) + 1):
        here = Draw(left.copy(), size, step, draw.natural)
        if hands == most:
            parts = [(last_made(hands, done), done) for done in range(hands) if last_made(hands, done)]
            return total + made * products.chance(parts, hands, here, kind)
        total += made * products.chance([(ways(hands, hands - 1), hands)], hands, here, kind)
        if left[pair] <= 0:
            break
        made = made * left[pair] / size
        left[pair] -= step
        size = size - step
    return total


EXACT_HANDS = 4


class _Products:
    """Chances of products of hands, of which some have a second card that is not of the pair's value."""

    def __init__(self, over: OverHands) -> None:
        self.over = over
        self._two: dict[int, Polynomial] = {}

    def two(self, others: int) -> Polynomial:
        if others not in self._two:
            self._two[others] = times(self._one(others > 0), self._one(others > 1))
        return self._two[others]

    def chance(self, parts: list[tuple[int, int]], hands: int, draw: Draw, kind: Numbers) -> Any:
        """The sum of so many times the chance of products with so many `other` hands among them."""
        if hands == 2:
            return sum(
                factor * chance_of_product(self._one(others > 0), self._one(others > 1), draw, kind)
                for factor, others in parts
            )
        if hands == 3:
            return sum(
                factor * chance_of_product(self.two(min(2, others)), self._one(others > 2), draw, kind)
                for factor, others in parts
            )
        # All parts share two hands: free ones if any part has two, else hands that are not.
        shared = 0 if all(others <= 2 for _, others in parts) else 2
        rest = plus(*[(factor, self.two(others - shared)) for factor, others in parts])
        return chance_of_product(self.two(shared), rest, draw, kind)

    def _one(self, other: bool) -> Polynomial:
        return self.over.other if other else self.over.any
