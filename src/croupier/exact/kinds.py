"""The suits of two split hands together.

Suits are looked at on the first two cards of a hand, whose kind its play may hang on, and on the third where
it makes a row that suits pay for (`game.py`). Both hands take their cards from the same suits, so that what
is seen of one tells something of the other. The suits of at most six cards are gone through, as many of each
as the pool holds without those that are known to have come up.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.cards import INDEX, SUITS, Card
from croupier.exact.ends import Way
from croupier.exact.game import Paid, Prize, paid_for, suits_of
from croupier.exact.hands import VALUES, VARIANTS, Array
from croupier.exact.split_kernels import NONE

if TYPE_CHECKING:
    from croupier.exact.solver import Solver

Suits = tuple[int, ...]


class Seen(NamedTuple):
    """What is seen of a hand's suits: of the cards of which values, and which suits these may be."""

    values: tuple[int, ...]
    fits: Array  # by the suit of each of the cards

    def beyond(self, known: Suits) -> Seen:
        """The same of the cards behind those whose suits are known."""
        return Seen(self.values[len(known) :], self.fits[known[: len(self.values)]])


NOTHING = Seen((), np.array(1))


class Outcome(NamedTuple):
    """A way to end, the row by which it is paid and the odds, and the number of what is seen of the suits."""

    way: int
    row: str
    odds: Any
    seen: int


class Kinds:
    """Hands of one pair split, by what is seen of their suits."""

    def __init__(self, solver: Solver, pair: int, ways: list[Way], prize: Prize | None) -> None:
        self.solver, self.pair, self.ways, self.prize = solver, pair, ways, prize
        self.seen = [NOTHING]
        self.outcomes = [one for number, way in enumerate(ways) for one in self._outcomes(number, way)]
        self._known: dict[Any, Array] = {}

    def _outcomes(self, number: int, way: Way) -> list[Outcome]:
        if way.second < 0:
            return [Outcome(number, way.row, way.odds, 0)]
        second, kind = divmod(way.second, VARIANTS)
        if way.third == NONE:
            return [Outcome(number, way.row, way.odds, self._number((self.pair, second), kind, None))]
        values = self.pair, second, way.third
        return [
            Outcome(number, *paid, self._number(values, kind, paid)) for paid in self._all_paid(values, kind)
        ]

    def _number(self, values: tuple[int, ...], kind: int, paid: Paid | None) -> int:
        fits = np.zeros((len(SUITS),) * len(values), np.int64)
        for suits in product(range(len(SUITS)), repeat=len(values)):
            cards = self._cards(values, suits)
            fits[suits] = suits_of(*cards[:2]) == kind and paid in (None, self._paid(cards))
        self.seen.append(Seen(values, fits))
        return len(self.seen) - 1

    def _all_paid(self, values: tuple[int, ...], kind: int) -> list[Paid]:
        """How suits can have these cards paid, the first two of a kind."""
        hands = (self._cards(values, suits) for suits in product(range(len(SUITS)), repeat=len(values)))
        return sorted({self._paid(cards) for cards in hands if suits_of(*cards[:2]) == kind})

    def _paid(self, cards: tuple[Card, ...]) -> Paid:
        rules = self.solver.rules
        return paid_for(cards, tuple(rules.bonus_rows.items()), rules.win_pays, self.prize)

    def _cards(self, values: tuple[int, ...], suits: Suits) -> tuple[Card, ...]:
        return tuple(Card(VALUES[value] + SUITS[suit]) for value, suit in zip(values, suits, strict=True))

    # Chances

    def together(self, first: Suits, second: Suits, gone: Suits) -> Array:
        """By what is seen of two hands, how often it is; of their first cards these suits are known.

        `gone`: the suits of all cards of the pair's value that are known, those included.
        """
        key = first, second, gone
        if key not in self._known:
            found = np.zeros((len(self.seen), len(self.seen)), self.solver.kind.dtype)
            for ones, (values, fits) in self._by_values(first).items():
                for others, (other_values, other_fits) in self._by_values(second).items():
                    weights = self._weights(values + other_values, gone)
                    chosen = fits @ weights.reshape(fits.shape[1], other_fits.shape[1]) @ other_fits.T
                    whole = max(1, int(weights.sum()))
                    chances = chosen / whole if found.dtype != object else chosen * Fraction(1, whole)
                    found[np.ix_(ones, others)] = chances
            self._known[key] = found
        return self._known[key]

    def _by_values(self, known: Suits) -> dict[tuple[int, ...], tuple[tuple[int, ...], Array]]:
        """Beyond what is known, all that is seen of cards of the same values: its numbers, and what fits."""
        beyond = [seen.beyond(known) for seen in self.seen]
        numbers: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for number, seen in enumerate(beyond):
            numbers[seen.values].append(number)
        return {
            tuple(alike): (values, np.array([beyond[number].fits.ravel() for number in alike]))
            for values, alike in numbers.items()
        }

    def symmetries(self) -> list[Suits]:
        """The ways to exchange suits for each other that change nothing."""
        pools = [np.array(self._pool(value, ())) for seen in self.seen for value in seen.values]
        found = []
        for order in permutations(range(len(SUITS))):
            fits = (seen.fits[np.ix_(*[order] * seen.fits.ndim)] for seen in self.seen)
            same = all(np.array_equal(one, seen.fits) for one, seen in zip(fits, self.seen, strict=True))
            if same and all(np.array_equal(pool[list(order)], pool) for pool in pools):
                found.append(order)
        return found

    def _weights(self, values: tuple[int, ...], gone: Suits) -> Array:
        """By the suits of cards of these values, in how many ways they come."""
        key = values, gone
        if key not in self._known:
            many = len(SUITS) ** len(values)
            suits = np.indices((len(SUITS),) * len(values), np.int64).reshape(len(values), many)
            made = np.ones(many, np.int64)
            for place, value in enumerate(values):
                left = np.array(self._pool(value, gone))[suits[place]]
                for before in range(place if self.solver.step else 0):
                    left -= (values[before] == value) & (suits[before] == suits[place])
                made *= np.maximum(left, 0)
            self._known[key] = made
        return self._known[key]

    def _pool(self, value: int, gone: Suits) -> list[int]:
        pool = self.solver.shoe.pool
        held = [pool[INDEX[Card(VALUES[value] + suit)]] for suit in SUITS]
        if value == self.pair and self.solver.step:
            held = [max(0, many - gone.count(suit)) for suit, many in enumerate(held)]
        return held
