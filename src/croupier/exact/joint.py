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
from croupier.exact.ends import Ends, brought, powers
from croupier.exact.hands import Array
from croupier.exact.kernels import Draw, Law, Pay
from croupier.exact.split_kernels import BUSTED, FORFEITED, NATURAL, PAID
from croupier.exact.splits import last_made, ways
from croupier.exact.twos import falling

EXACT_HANDS = 4
# Of a product of more hands, the most terms that are summed: of the last hands that are allowed, whose
# second cards are free, and of others, which the hands before them foretell better.
MOST_TERMS, MOST_FORETOLD = 2_000_000_000, 20_000_000
MOST_HANDS = 40
NEGLIGIBLE = 1e-16


class Polynomial(NamedTuple):
    """Sorted keys, which hold the power of each value, and what each term weighs."""

    keys: Array
    weights: Array


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


class Over(NamedTuple):
    """Hands that are over: how often, and weighed by what they bring beside a dealer's natural."""

    often: Polynomial
    brings: Polynomial


class OverHands(Struct, frozen=True):
    """The split hands that are over before the dealer draws, without the card that was split."""

    any: Over  # the second card is free
    other: Over  # the second card is not of the pair's value


def over_hands(ends: Ends, law: Law, pay: Pay, kind: Numbers, *, only_paid: bool) -> OverHands:
    """Of the ends of one split card those that are over: paid, and unless `only_paid` busted or forfeited.

    A natural of a split hand only ties with the dealer's, so that nothing is taken from it either.
    """
    fates = (PAID, NATURAL) if only_paid else (PAID, NATURAL, BUSTED, FORFEITED)
    fate, stake, total = (np.array([way[field] for way in ends.ways]) for field in range(3))
    odds, chance = (kind.array([way[field] for way in ends.ways]) for field in (3, 7))
    beside_natural = brought(law, pay, fate, stake, total, odds)[:, -2]
    over, paired = np.isin(fate, fates), np.array([way.paired for way in ends.ways])

    def of(chosen: Array) -> Over:
        terms = ends.only(chosen)
        often = chance[terms.way] * terms.orders
        return Over(collected(terms.keys, often), collected(terms.keys, often * beside_natural[terms.way]))

    return OverHands(any=of(over), other=of(over & ~paired))


def chance_of_product(first: Polynomial, second: Polynomial, draw: Draw, kind: Numbers) -> Any:
    """The chance that the cards of some term of the product are drawn, in one of its orders."""
    if len(first.keys) < len(second.keys):
        first, second = second, first
    if not len(second.keys):
        return draw.size - draw.size
    held = powers(first.keys)
    if draw.step:
        fits = (held <= draw.left).all(axis=1) & (held.sum(axis=1) <= draw.size)
        first, held = Polynomial(first.keys[fits], first.weights[fits]), held[fits]
    if not len(first.keys):
        return draw.size - draw.size
    terms = terms_of(powers(second.keys), second.weights, np.zeros(len(second.keys), np.int64), 1)
    shoes = draw.left - held * draw.step
    cards = held.sum(axis=1)
    sums = kind.run(kernels.evaluate, terms, shoes, draw.size - cards * draw.step, draw.step)[:, 0]
    drawn = falling(draw.size, draw.step, int(cards.max()), kind)[cards] ** -1
    for value in range(10):
        drawn = drawn * falling(draw.left[value], draw.step, int(held[:, value].max()), kind)[held[:, value]]
    return (first.weights * drawn * sums).sum()


class AllOver(NamedTuple):
    """A chance, by how much it may be off, and if asked for what the hands bring then, times their chance."""

    chance: Any
    within: float
    brings: Any = 0


def chance_all_over(
    over: OverHands,
    pair: int,
    most: int | None,
    draw: Draw,
    kind: Numbers,
    exact_hands: int = EXACT_HANDS,
    *,
    brings: bool = False,
) -> AllOver:
    """The chance that every hand of a split is over, of at most so many hands.

    More than `exact_hands` whose product would have too many terms are taken to be all over less often than
    one hand fewer was by the same share as that, and are so no more often than that one fewer; without a
    limit it goes on until it changes nothing.
    """
    left, size, step = draw.left.copy(), draw.size, draw.step
    products = _Products(over, kind)
    made, total, brought_in_all = kind.of(1), kind.of(0), kind.of(0)
    shares: list[Any] = []  # of so many hands, how often all are over
    each: Any = kind.of(0)  # and what one of them then brings
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
            if brings and chance:
                each = made * products.brings(orders, hands, here) / (chance * hands)
        total += chance
        brought_in_all += chance * hands * each
        if left[pair] <= 0 or chance < NEGLIGIBLE * total:
            break
        made = made * left[pair] / size
        left[pair] -= step
        size = size - step
    return AllOver(total, within, brought_in_all)


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
        self._made: dict[tuple[int, int], Polynomial] = {(1, 0): over.any.often, (1, 1): over.other.often}
        self._brings: dict[tuple[int, int], Polynomial] = {(1, 0): over.any.brings, (1, 1): over.other.brings}

    def of(self, hands: int, others: int) -> Polynomial:
        """The product of so many hands, so many of them `other`."""
        if (hands, others) not in self._made:
            one = min(1, others)
            self._made[hands, others] = times(self.of(hands - 1, others - one), self._made[1, one])
        return self._made[hands, others]

    def brought(self, hands: int, others: int) -> Polynomial:
        """The same weighed by what the hands bring together: each of them in turn, the others as they are."""
        if (hands, others) not in self._brings:
            one = min(1, others)
            before = hands - 1, others - one
            self._brings[hands, others] = plus(
                (1, times(self.brought(*before), self._made[1, one])),
                (1, times(self.of(*before), self._brings[1, one])),
            )
        return self._brings[hands, others]

    def chance(self, orders: list[tuple[int, int]], hands: int, draw: Draw) -> Any:
        """The sum of so many times the chance of products with so many `other` hands among them."""
        shared, rest = _halves(orders, hands)
        summed = plus(*[(number, self.of(*part)) for number, part in rest])
        return chance_of_product(summed, self.of(*shared), draw, self.kind)

    def brings(self, orders: list[tuple[int, int]], hands: int, draw: Draw) -> Any:
        """The same times what the hands bring."""
        shared, rest = _halves(orders, hands)
        summed = plus(*[(number, self.of(*part)) for number, part in rest])
        brought = plus(*[(number, self.brought(*part)) for number, part in rest])
        here = chance_of_product(brought, self.of(*shared), draw, self.kind)
        return here + chance_of_product(summed, self.brought(*shared), draw, self.kind)

    def terms(self, hands: int) -> int:
        """About how many terms the two halves of so many hands have when multiplied."""
        one = len(self._made[1, 0].keys)

        def of(factors: int) -> int:
            alike = {1: 1, 2: 3, 3: 20}.get(factors, 100)  # about so many products have the same cards
            return comb(one + factors - 1, factors) // alike

        return of(hands // 2) * of(hands - hands // 2)


def _halves(
    orders: list[tuple[int, int]], hands: int
) -> tuple[tuple[int, int], list[tuple[int, tuple[int, int]]]]:
    """The hands and `other` ones that all products share, and how often what others are beside them.

    Free ones are shared where each product has some, else `other` ones.
    """
    free = hands - max(others for _, others in orders)
    shared = min(free, hands // 2) or hands // 2
    others_shared = 0 if free else shared
    rest = [(number, (hands - shared, others - others_shared)) for number, others in orders]
    return (shared, others_shared), rest
