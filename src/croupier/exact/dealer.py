"""The dealer's hand as a sum of products.

From a first card the dealer draws until the rules say stand. Which hand that makes depends on the cards
and not on their order, so each final hand is one term: the number of orders in which it can be drawn,
times the falling products of the cards left of each value, over that of all the cards. For stands on soft
17 that is 4,634 terms over all first cards. The terms of one first card share their beginnings: written
as a tree, each costs one multiplication more than the term it extends.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from croupier.exact.asked import cards_of_hands, remembered
from croupier.exact.hands import NO_LIMITS, TWENTY_ONE, Array, Limits, hands
from croupier.game.dealer import lowest_total, stands_on
from croupier.game.hand import is_natural_pair, total
from croupier.rulebook.rules import Rules

DRAWS, NEVER = -1, -2


class Terms(NamedTuple):
    """A sum of products in the order of a walk through its tree.

    Row by row: how many factors came before, the value of this factor's card, how many cards of that value
    came before, the sum to which the product is added with its `weight` (0: none), and which of the `shares`
    it has: how many cards came before, and how many that may be hidden (-1: this one can't be).
    """

    nodes: Array
    weight: Array
    sums: int
    longest: int
    shares: Array


def terms_of(powers: Array, weight: Array, into: Array, sums: int) -> Terms:
    """Terms from multisets of cards (counts by value, row by row), their weights, and their sums."""
    length = powers.sum(axis=1)
    longest = int(length.max(initial=1))
    places = np.arange(longest)
    ends = powers.cumsum(axis=1)
    # Each multiset as its values in ascending order, padded with -1 so that a beginning sorts first.
    paths = (places[None, :, None] >= ends[:, None, :]).sum(axis=2)
    paths[places[None, :] >= length[:, None]] = -1
    order = np.lexsort(paths.T[::-1])
    paths, length = paths[order], length[order]
    alike = np.zeros(len(paths), np.int64)
    alike[1:] = (paths[1:] == paths[:-1]).cumprod(axis=1).sum(axis=1)
    new = (places[None, :] >= alike[:, None]) & (places[None, :] < length[:, None])
    row, depth = np.nonzero(new)
    value = paths[row, depth]
    before = depth - np.column_stack([np.zeros(len(order), np.int64), ends[order]])[row, value]
    last = depth == length[row] - 1
    nodes = np.column_stack([depth, value, before, np.where(last, into[order][row], 0), depth])
    shares = np.column_stack([places, np.full(longest, -1)])
    return Terms(nodes, np.where(last, weight[order][row], 0), sums, longest, shares)


def with_hidden(terms: Terms, pair: int) -> Terms:
    """The same terms where cards of other values than this may be hidden."""
    nodes = terms.nodes.copy()
    pairs = np.zeros(terms.longest + 1, np.int64)  # before so many factors of the term at hand
    shares: dict[tuple[int, int], int] = {}
    for node, (depth, value) in enumerate(terms.nodes[:, :2].tolist()):
        pairs[depth + 1] = pairs[depth] + (value == pair)
        share = depth, -1 if value == pair else depth - int(pairs[depth])
        nodes[node, 4] = shares.setdefault(share, len(shares))
    return terms._replace(nodes=nodes, shares=np.array(list(shares), np.int64).reshape(-1, 2))


@remembered
def dealer_terms(rules: Rules, upcard: int, limits: Limits = NO_LIMITS) -> Terms:
    """The dealer's final hands from a first card.

    The sums are those of the totals from the lowest that stands to 21, then the natural. What is missing
    to one is the dealer's bust.
    """
    table, ends = hands(), _ends(rules)
    _, final = _drawn(rules, upcard, limits)
    powers = table.counts[list(final)]
    weight = np.array(list(final.values()), np.int64)
    into = np.array([ends[table.after[drawn, upcard]] for drawn in final], np.int64)
    return terms_of(powers, weight, into, TWENTY_ONE - lowest_total(rules) + 2)


@remembered
def drawing_hands(rules: Rules, upcard: int) -> frozenset[tuple[int, ...]]:
    """What a dealer may hold beside a first card, by the number of cards of each value, and draw on."""
    drawn_to, _ = _drawn(rules, upcard, NO_LIMITS)
    return frozenset(map(tuple, hands().counts[drawn_to].tolist()))


def _drawn(rules: Rules, upcard: int, limits: Limits) -> tuple[list[int], dict[int, int]]:
    """The dealer's hands beside a first card: those that draw on, and the final ones with their orders."""
    table, ends = hands(), _ends(rules)
    drawing: dict[int, int] = {0: 1}
    drawn_to: list[int] = []
    final: dict[int, int] = {}
    while drawing:
        drawn_to += drawing
        longer: Counter[int] = Counter()
        for drawn, orders in drawing.items():
            for value, grown in enumerate(table.after[drawn].tolist()):
                if grown >= 0 and table.counts[grown, value] <= limits[value]:
                    longer[grown] += orders
        drawing = {}
        for drawn, orders in longer.items():
            end = ends[table.after[drawn, upcard]]
            if end == DRAWS:
                drawing[drawn] = orders
            elif end != NEVER:
                final[drawn] = orders
    return drawn_to, final


@remembered
def _ends(rules: Rules) -> list[int]:
    """By hand, if it is the dealer's, to which sum it goes, or DRAWS; at the end NEVER, for all over 21."""
    lowest = lowest_total(rules)
    ends = []
    for cards in cards_of_hands(rules, NO_LIMITS):
        if cards is None:
            ends.append(NEVER)
        elif not stands_on(rules, cards):
            ends.append(DRAWS)
        elif is_natural_pair(rules, cards):
            ends.append(TWENTY_ONE - lowest + 1)
        else:
            ends.append(total(rules, cards)[0] - lowest)
    return [*ends, NEVER]
