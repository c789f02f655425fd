"""Two boxes that play alike against one dealer: the covariance of their results.

Boxes have the dealer's hand in common, and take their cards from one shoe. How a hand ends is a matter of its
cards, so that two hands are a product: the orders in which a plan comes to each, times the chance of all
their cards together and of what the dealer then draws (`twos.py` does so for the hands of a split). The mean
of the product of both results is

    sum over hands h, k and the dealer's hands d of  N(h) x(h, d) N(k) x(k, d) P(h and k are drawn, then d)

where N counts orders and x is what a hand brings. P depends on the cards of h and k together only, so that it
is worked out once for all hands that share them.

That is exact where neither box splits; where one does it is, for each hand of the split, but for suits that
both boxes see and for a wager that a dealer's natural takes from all hands together. Where both boxes split,
their results are taken to be independent once their pairs and the dealer's first card and final hand are
known.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from croupier.errors import ParseError
from croupier.exact import kernels
from croupier.exact.arithmetic import FLOATS
from croupier.exact.ended import (
    BESIDE_NATURAL,
    Split,
    at_once_over,
    ends_of,
    reached,
    split_hands,
    splits_against,
)
from croupier.exact.ends import DIGITS, brought, powers
from croupier.exact.hands import Array
from croupier.exact.solver import Solver
from croupier.exact.split_kernels import by_way_beside, products, sum_of_products, sums_of_keys
from croupier.exact.twos import Cards, common, falling
from croupier.threads import at_once

DIGITS_KNOWN = 3  # simulated boxes confirm no more
RARE = 1e-10  # hands, and products of hands, that bring no more than this in all are left out


class Box(NamedTuple):
    """A box that does not split: the cards that it may end with, as keys, and what they bring."""

    keys: Array
    brings: Array  # [hand, dealer's hand]: by one order of its cards, times the number of orders
    often: Array  # the most that each brings, in all orders
    by_dealer: Array  # what the box brings in all


def covariance(solver: Solver) -> Any:
    """Of the results of two boxes."""
    if solver.post_split == "cdp":
        raise ParseError("cdp plays each hand of a split by itself: there is no round that boxes share")
    solver.ev  # noqa: B018 - its parts are there before threads ask for them
    jobs = {upcard: partial(_against, solver, upcard) for upcard in solver.upcards}
    return sum(at_once(jobs).values(), solver.kind.of(0)) - solver.ev**2


def _against(solver: Solver, upcard: int) -> Any:
    """The mean of the product of both results against a first card, times the chance of that card."""
    opens = solver.surrender_chance(upcard)  # to both boxes or to none
    cases = (solver.kind.of(1), opens), (solver.kind.of(0), 1 - opens)
    return sum(chance * _together(solver, upcard, open_to) for open_to, chance in cases if chance > 0)


def _together(solver: Solver, upcard: int, open_to: Any) -> Any:
    """The same if surrender is open, or if it is not."""
    box = _unsplit(solver, upcard, open_to)
    found = _both_unsplit(solver, upcard, box) * solver.chance(upcard)
    often = solver.chance(upcard) * solver.unsplit(upcard).rows[0]
    splits = {split.pair: split for split in splits_against(solver, upcard, open_to)}
    by_dealer = {pair: _split(solver, split) for pair, split in splits.items()}
    for pair, split in splits.items():
        found += 2 * _one_splits(solver, split, box)
        if jointly := _jointly(solver, split):
            met = box.by_dealer[BESIDE_NATURAL] / solver.natural_chance(upcard)
            found += 2 * jointly * met
        for other in splits:
            both = by_dealer[pair] * by_dealer[other]
            found += _both_dealt(solver, upcard, pair, other) * (both[often > 0] / often[often > 0]).sum()
    return found


def _both_dealt(solver: Solver, upcard: int, pair: int, other: int) -> Any:
    """How often both boxes are dealt these pairs, against what it were if boxes were independent."""
    apart = solver.chance(upcard, pair, pair) * solver.chance(upcard, other, other)
    return solver.chance(upcard, pair, pair, other, other) * solver.chance(upcard) / apart


def _jointly(solver: Solver, split: Split) -> Any:
    """What a natural takes from all hands of a split together, beside what each loses by itself."""
    return split.chance * solver.jointly(split.upcard, split.pair)


def _split(solver: Solver, split: Split) -> Array:
    """What a split brings, by the dealer's hand."""
    ended = list(split_hands(solver, split))
    found: Array = sum((one.chance * one.brought(solver.law, solver.split_pay)).sum(axis=0) for one in ended)
    found[BESIDE_NATURAL] += _jointly(solver, split)
    return found


def _unsplit(solver: Solver, upcard: int, open_to: Any) -> Box:
    hands, rows = solver.hands, solver.unsplit(upcard).rows
    brings = np.full(rows.shape, solver.kind.of(0), solver.kind.dtype)
    for over in at_once_over(solver, upcard, open_to=open_to):
        brings[over.hand] += over.weight * solver.kind.of(over.brings)
    for one in reached(solver, upcard, open_to=open_to):
        by_dealer = brought(solver.law, solver.pay, one.fate, one.stake, one.total, one.odds)
        np.add.at(brings, one.hand, one.weight[:, None] * by_dealer)
    often = abs(brings).max(axis=1)
    ends = np.nonzero(_common(solver, often, RARE))[0]
    keys = (hands.counts[ends] << DIGITS).sum(axis=1)
    drawn = _drawn(solver, upcard, hands.counts[ends])
    return Box(keys, brings[ends] / drawn[:, None], often[ends], (brings * rows).sum(axis=0))


def _common(solver: Solver, brings: Array, rare: float) -> Array:
    """Which are to be looked at: of floats all but those that bring least."""
    return common(brings, rare) if solver.kind is FLOATS else brings != 0


def _drawn(solver: Solver, upcard: int, counts: Array) -> Array:
    """The chance that cards are drawn in one order."""
    draw, kind, cards = solver.draw(upcard), solver.kind, counts.sum(axis=1)
    whole = falling(draw.size, draw.step, int(cards.max()), kind)
    whole[whole == 0] = kind.of(1)  # where they are more than all cards, they are so of some value too
    found: Array = kind.of(1) / whole[cards]
    for value in range(10):
        held = counts[:, value]
        found = found * falling(draw.left[value], draw.step, int(held.max()), kind)[held]
    return found


def _both_unsplit(solver: Solver, upcard: int, box: Box) -> Any:
    kind, draw = solver.kind, solver.draw(upcard)
    keys, orders, of = products(box.keys, abs(box.brings).max(axis=1).astype(float)[:, None])
    counts = powers(keys)
    drawn = _drawn(solver, upcard, counts)
    met = np.nonzero(_common(solver, drawn * orders[:, 0], RARE))[0]
    shoes = draw.left - counts[met] * draw.step
    sizes = draw.size - counts[met].sum(axis=1) * draw.step
    chances = np.zeros((len(keys), box.brings.shape[1]), kind.dtype)
    rows = kind.run(kernels.evaluate, solver.weighed_terms(upcard), shoes, sizes, draw.step)
    chances[met] = rows * drawn[met, None]
    return kind.run(sum_of_products, of, box.brings, chances)


def _one_splits(solver: Solver, split: Split, box: Box) -> Any:
    """The mean of the product where a first box splits and a second does not."""
    kind, ends, rare = solver.kind, ends_of(solver, split), RARE / float(split.chance)
    brings = box.brings[common := _common(solver, box.often, rare)]
    keys, of = sums_of_keys(ends.keys, box.keys[common])
    cards = Cards(solver, split.upcard, split.pair, keys)
    orders = np.outer(ends.orders, abs(brings).max(axis=1)).astype(float)
    many = np.bincount(of.ravel(), orders.ravel())

    def by_way(gone: int, hidden: int) -> Array:
        chances = cards.chances(gone, hidden, many, rare)
        found: Array = kind.run(by_way_beside, of, ends.orders, ends.way, len(ends.ways), brings, chances)
        return found

    return sum(
        (ended.chance * ended.brought(solver.law, solver.split_pay)).sum()
        for ended in split_hands(solver, split, by_way)
    )
