"""Two hands of a split together: how often they end in which ways, beside which hand of the dealer.

The ends of one hand are terms of a polynomial (`ends.py`), and those of two are the products. All products
with the same cards leave the same shoe behind, on which the dealer's hand is summed once. Beside the two
hands so many further cards are known to be of the pair's value, which are gone, and so many not to be,
which are hidden among the cards that are left (`splits.py`).

Whatever the other hand does, one hand ends as it does by itself. So the way that has the most terms need not
be multiplied: it is what all other ways leave of the hand beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.exact import kernels
from croupier.exact.arithmetic import FLOATS, Numbers
from croupier.exact.ends import Ends, powers
from croupier.exact.hands import Array
from croupier.exact.memory import remembered
from croupier.exact.split_kernels import by_ways, products

if TYPE_CHECKING:
    from croupier.exact.solver import Solver

AT_ONCE = 5


class Beside(NamedTuple):
    """What is known beside two hands: so many further cards are gone, and so many hidden.

    `paired`: a second card of either hand may be of the pair's value.
    """

    gone: int
    hidden: int
    paired: bool


class Cards:
    """Multisets of cards that are drawn beside a pair split against a first card."""

    def __init__(self, solver: Solver, upcard: int, pair: int, keys: Array) -> None:
        self.solver, self.pair, self.many = solver, pair, len(keys)
        self.powers = powers(keys)
        self.size = self.powers.sum(axis=1)
        self.others = self.size - self.powers[:, pair]
        self.terms, self.beside_hidden = (
            solver.weighed_terms(upcard),
            solver.terms_beside_hidden(upcard, pair),
        )
        self.draw, self.second_cards = solver.draw(upcard, pair, pair), solver.second_cards(upcard, pair)
        self.others_drawn = self._others_drawn()

    def _others_drawn(self) -> Array:
        """The falling products of the cards of other values than the pair's."""
        kind = self.solver.kind
        found = np.full(self.many, kind.of(1), kind.dtype)
        for value in range(10):
            if value != self.pair:
                held = self.powers[:, value]
                found = (
                    found * falling(self.draw.left[value], self.draw.step, held.max(initial=0), kind)[held]
                )
        return found

    def chances(self, gone: int, hidden: int, orders: Array, rare: float) -> Array:
        """The chance of each, in one order of its cards, and of the dealer's hand.

        Of floats those are left out which in so many `orders` have in all a chance of less than `rare`.
        """
        kind, step = self.solver.kind, self.draw.step
        left, size = self.draw.left.copy(), self.draw.size - (gone + hidden) * step
        left[self.pair] -= gone * step
        longest = int(self.others.max(initial=0)) + self.terms.longest
        seen = _seen(self.draw.size - self.draw.left[self.pair], hidden, step, longest, kind)
        drawn = self._drawn(left[self.pair], size, seen) * self.second_cards.chance(gone, hidden)
        kept = np.nonzero(common(drawn * orders, rare) if kind is FLOATS else drawn * orders)[0]
        shown = kept if step else kept[:1]
        shoes, sizes = left - self.powers[shown] * step, size - self.size[shown] * step
        terms = self.beside_hidden if hidden else self.terms
        arguments = terms, shoes, sizes, step, seen, self.others[shown]
        rows = kind.run(kernels.evaluate_beside_hidden, *arguments)
        found = np.zeros((self.many, rows.shape[1]), kind.dtype)
        found[kept] = rows * drawn[kept, None]
        return found

    def _drawn(self, pairs: Any, size: Any, seen: Array) -> Array:
        """The chance that the cards are drawn in one order."""
        kind, step, held = self.solver.kind, self.draw.step, self.powers[:, self.pair]
        whole = falling(size, step, self.size.max(initial=0), kind)
        whole[whole == 0] = kind.of(1)  # where they are more than all cards, they are so of some value too
        chance: Array = self.others_drawn * (running(seen, kind)[self.others] / whole[self.size])
        return chance * falling(pairs, step, held.max(initial=0), kind)[held]


class Twos:
    """Any two hands of one pair split against one first card."""

    def __init__(self, solver: Solver, upcard: int, pair: int, ends: Ends) -> None:
        self.memory: dict[tuple[Any, ...], Any] = {}
        self.solver, self.ends = solver, ends
        self.paired = np.array([way.paired for way in ends.ways])
        # Where suits are looked at, the chances of all ways do not sum to one until those are weighed.
        self.rest = [] if any(way.second >= 0 for way in ends.ways) else _rest(ends, self.paired)
        chosen = np.ones(len(ends.ways), np.bool_)
        chosen[self.rest] = False
        self.terms = ends.only(chosen)
        keys, self.place = np.unique(self.terms.keys, return_inverse=True)
        self.keys = len(keys)
        orders = np.zeros((len(keys), 2))
        np.add.at(orders[:, 0], self.place, self.terms.orders * ~self.paired[self.terms.way])
        np.add.at(orders[:, 1], self.place, self.terms.orders)
        found, self.orders, self.of = products(keys, orders)
        self.two, self.one = Cards(solver, upcard, pair, found), Cards(solver, upcard, pair, ends.keys)

    def chances(self, beside: list[Beside], rare: float) -> dict[Beside, Array]:
        """For each of these, by the ways of both hands and by the dealer's hand.

        Of floats, products are left out which in all have a chance of less than `rare`.
        """
        kind, terms = self.solver.kind, self.terms
        orders = terms.orders.astype(kind.dtype)
        found: dict[Beside, Array] = {}
        for begin in range(0, len(beside), AT_ONCE):
            here = beside[begin : begin + AT_ONCE]
            columns = np.concatenate(
                [
                    self.two.chances(one.gone, one.hidden, self.orders[:, int(one.paired)], rare)
                    for one in here
                ],
                axis=1,
            )
            made = kind.run(
                by_ways, self.keys, self.of, self.place, orders, terms.way, len(terms.ways), columns
            )
            for one, part in zip(here, np.split(made, len(here), axis=2), strict=True):
                found[one] = self._completed(part, one)
        return found

    def _completed(self, chances: Array, beside: Beside) -> Array:
        """The same with the ways that were not multiplied: what a hand does in all, less its other ways."""
        found = chances.copy()
        filled = [way for way in range(len(found)) if way not in self.rest]
        for others in (filled, self.rest):
            for way in self.rest:
                paired = self.paired[way]
                if paired and not beside.paired:
                    continue
                alike = [one for one in filled if self.paired[one] == paired]
                alone = self._one(beside.gone + int(paired), beside.hidden + int(not paired))
                found[way, others] = alone[others] - found[np.ix_(alike, others)].sum(axis=0)
                found[others, way] = found[way, others]
        return found

    @remembered
    def _one(self, gone: int, hidden: int) -> Array:
        """The ways of one hand, and the dealer's hand."""
        return by_way(self.ends, self.one, gone, hidden)


def by_way(ends: Ends, cards: Cards, gone: int, hidden: int) -> Array:
    """The chances of one hand by its ways and by the dealer's hand; `cards` are those of its ends."""
    part = cards.chances(gone, hidden, ends.orders, 0.0) * ends.orders[:, None]
    found = np.zeros((len(ends.ways), part.shape[1]), part.dtype)
    np.add.at(found, ends.way, part)
    return found


def _rest(ends: Ends, paired: Array) -> list[int]:
    """The ways with the most terms: among those with a second card of the pair's value, and among others."""
    terms = np.bincount(ends.way, minlength=len(ends.ways))
    return [int(np.where(paired == kind, terms, -1).argmax()) for kind in np.unique(paired[ends.way])]


def common(often: Array, rare: float) -> Array:
    """Which are to be looked at: all but the rarest."""
    order = np.argsort(often)
    kept = np.zeros(len(often), np.bool_)
    kept[order[np.searchsorted(np.cumsum(often[order]), rare) :]] = True
    return kept


def _seen(others: Any, hidden: int, step: Any, most: int, kind: Numbers) -> Array:
    """Behind so many cards of other values than the pair's, how often the next of them is not hidden."""
    found = np.empty(most + 1, kind.dtype)
    for drawn in range(most + 1):
        rest = others - drawn * step
        found[drawn] = max(kind.of(0), (rest - hidden * step) / rest) if rest > 0 else kind.of(0)
    return found


def running(factors: Array, kind: Numbers) -> Array:
    """The products of the first factors, by how many."""
    made = np.empty(len(factors) + 1, kind.dtype)
    made[0] = kind.of(1)
    for place, factor in enumerate(factors):
        made[place + 1] = made[place] * factor
    return made


def falling(cards: Any, step: Any, most: int, kind: Numbers) -> Array:
    """The falling products of so many cards, by the number of factors."""
    zero = kind.of(0)
    return running(np.array([max(zero, cards - drawn * step) for drawn in range(most)], kind.dtype), kind)
