"""The hands of a split taken together, where a dealer's natural asks whether any of them lives.

A hand that is over before the dealer draws is a multiset of cards, weighed by the number of orders in
which the plan draws it: a polynomial in the ten values, one power for each card. Several such hands are
the product of their polynomials, and the chance of a product is that of its cards being drawn: the
falling products of what is left of each value over that of all the cards. Of four hands, two make one
polynomial and two the other; the second is summed, as the dealer's hands are, on every shoe that a term
of the first leaves behind.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from croupier.exact import kernels
from croupier.exact.arithmetic import Numbers
from croupier.exact.dealer import terms_of
from croupier.exact.hands import ACE, TWENTY_ONE, Array, Hands
from croupier.exact.kernels import (
    HIT,
    STAND,
    Draw,
    Law,
    Pay,
    Plan,
    SplitLaw,
)
from croupier.exact.splits import last_made, ways

EXACT_HANDS = 4
# Of a product of more hands, the most terms that are summed: of the last hands that are allowed, whose
# second cards are free, and of others, which the hands before them foretell better.
MOST_TERMS, MOST_FORETOLD = 2_000_000_000, 20_000_000
MOST_HANDS = 40
NEGLIGIBLE = 1e-16

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
    action, _ = kind.run(kernels.reached, hands, law, plan, split)
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
            orders[hand, hands.counts[hand, ACE] if law.first_aces else 0] = 1
    for hand, variant in np.argwhere(action >= 0):
        here = orders[hand, variant]
        chosen = action[hand, variant]
        if chosen == STAND:
            # A natural of a split hand only ties with the dealer's: nothing is taken from it.
            natural = pay.natural_after_split and law.natural[hand]
            if natural or (pay.paid_at_once and hands.total[hand] == TWENTY_ONE):
                keys.append(int(own[hand]))
                weights.append(here)
            continue
        carried = variant if law.first_aces and hands.counts[hand, ACE] > 0 else 0
        for value in range(10):
            grown = hands.after[hand, value]
            if chosen == HIT and grown >= 0:
                orders[grown, carried] += here
                continue
            if grown < 0:
                over = not only_paid
            else:
                soft = int(law.doubled_high[hand, value, variant])
                paid = pay.paid_at_once and hands.hard[grown] + 10 * soft == TWENTY_ONE
                over = paid or (not only_paid and pay.forfeit and plan.forfeits[grown, soft])
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
    if draw.step:
        held = (powers <= draw.left).all(axis=1) & (powers.sum(axis=1) <= draw.size)
        first, powers = Polynomial(first.keys[held], first.weights[held]), powers[held]
    if not len(first.keys):
        return draw.size - draw.size
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


class AllOver(NamedTuple):
    """A chance, and by how much it may be off."""

    chance: Any
    within: float


def chance_all_over(
    over: OverHands, pair: int, most: int | None, draw: Draw, kind: Numbers, exact_hands: int = EXACT_HANDS
) -> AllOver:
    """The chance that every hand of a split is over, of at most so many hands.

    More than `exact_hands` whose product would have too many terms are taken to be all over less often than
    one hand fewer was by the same share as that, and are so no more often than that one fewer; without a
    limit it goes on until it changes nothing.
    """
    left, size, step = draw.left.copy(), draw.size, draw.step
    products = _Products(over, kind)
    made, total = kind.of(1), kind.of(0)
    shares: list[Any] = []  # of so many hands, how often all are over
    within = 0.0
    for hands in range(2, (most or MOST_HANDS) + 1):
        here = Draw(left.copy(), size, step, draw.natural)
        if hands == most:
            orders = [(last_made(hands, done), done) for done in range(hands) if last_made(hands, done)]
        else:
            orders = [(ways(hands, hands - 1), hands)]
        dealt = made * _second_cards(orders, left[pair], here)
        limit = MOST_TERMS if hands == most else MOST_FORETOLD
        if hands > exact_hands and kind.dtype is not object and products.terms(hands) > limit:
            within += float(dealt * shares[-1])
            shares.append(shares[-1] * shares[-1] / shares[-2] if shares[-2] else shares[-2])
            chance = dealt * shares[-1]
        else:
            chance = made * products.chance(orders, hands, here)
            shares.append(chance / dealt if dealt else dealt)
        total += chance
        if left[pair] <= 0 or chance < NEGLIGIBLE * total:
            break
        made = made * left[pair] / size
        left[pair] -= step
        size = size - step
    return AllOver(total, within)


def _second_cards(orders: list[tuple[int, int]], pairs: Any, draw: Draw) -> Any:
    """The chance of so many times so many second cards that are not of the pair's value."""
    total = draw.size - draw.size
    for number, others in orders:
        chance = draw.size / draw.size
        for drawn in range(others):
            chance = chance * (draw.size - pairs - drawn * draw.step) / (draw.size - drawn * draw.step)
        total += number * chance
    return total


def takes_long(over: OverHands, kind: Numbers) -> bool:
    """Has the product of four such hands so many terms that it takes long to sum?"""
    return kind.dtype is not object and _Products(over, kind).terms(EXACT_HANDS) > MOST_TERMS


class _Products:
    """Chances of products of hands, of which some have a second card that is not of the pair's value."""

    def __init__(self, over: OverHands, kind: Numbers) -> None:
        self.kind = kind
        self._made: dict[tuple[int, int], Polynomial] = {(1, 0): over.any, (1, 1): over.other}

    def of(self, hands: int, others: int) -> Polynomial:
        """The product of so many hands, so many of them `other`."""
        if (hands, others) not in self._made:
            one = min(1, others)
            self._made[hands, others] = times(self.of(hands - 1, others - one), self._made[1, one])
        return self._made[hands, others]

    def chance(self, orders: list[tuple[int, int]], hands: int, draw: Draw) -> Any:
        """The sum of so many times the chance of products with so many `other` hands among them."""
        # All products share some hands: free ones where each has some, else `other` ones. The rest is summed.
        free = hands - max(others for _, others in orders)
        shared = min(free, hands // 2) or hands // 2
        others_shared = 0 if free else shared
        rest = plus(*[(number, self.of(hands - shared, others - others_shared)) for number, others in orders])
        return chance_of_product(rest, self.of(shared, others_shared), draw, self.kind)

    def terms(self, hands: int) -> int:
        """About how many terms the two halves of so many hands have when multiplied."""
        one = len(self._made[1, 0].keys)

        def of(factors: int) -> int:
            alike = {1: 1, 2: 3, 3: 20}.get(factors, 100)  # about so many products have the same cards
            return comb(one + factors - 1, factors) // alike

        return of(hands // 2) * of(hands - hands // 2)
