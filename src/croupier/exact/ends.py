"""How one hand of a split ends: as what, with which cards, and in how many orders they come.

A plan leads from one split card to many ends. Each is a multiset of cards, the split card apart, weighed by
the number of orders in which the plan draws it: a term of a polynomial in the ten values, one power for
each card. What tells ends apart is their `Way`: what they bring, whether the second card was of the pair's
value, and what has been seen of their suits. Suits themselves are weighed elsewhere, over several hands.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.exact.arithmetic import Numbers
from croupier.exact.game import PaidRows
from croupier.exact.hands import TWENTY_ONE, VARIANTS, Array, Hands
from croupier.exact.kernels import Law, Pay, Plan, SplitLaw
from croupier.exact.split_kernels import (
    BITS,
    BUSTED,
    FATE,
    FORFEITED,
    HAND,
    KEY,
    NATURAL,
    ORDERS,
    PAID,
    PAIRED,
    SECOND,
    SOFT,
    STAKE,
    STOOD,
    THIRD,
    TOTAL,
    walk,
)

DIGITS = BITS * np.arange(10)


class Way(NamedTuple):
    """A way to end, its second card of the pair's value (`paired`) or not.

    Where suits decide the odds, the `third` card's do and `odds` are their mean. `chance`: how often one hand
    by itself is of the kind that its second card makes it. `row` pays it if it wins, suits apart.
    """

    fate: int
    stake: int
    total: int
    odds: Any
    second: int
    third: int
    paired: bool
    chance: Any
    row: str


class Ends(NamedTuple):
    """Terms: their cards as keys, the number of their orders, and which of the ways they end."""

    keys: Array
    orders: Array
    way: Array
    ways: list[Way]

    def only(self, chosen: Array) -> Ends:
        """The terms of some ways."""
        kept = chosen[self.way]
        return self._replace(keys=self.keys[kept], orders=self.orders[kept], way=self.way[kept])


def powers(keys: Array) -> Array:
    """How many cards of each value."""
    found: Array = (keys[:, None] >> DIGITS) & ((1 << BITS) - 1)
    return found


def split_ends(
    hands: Hands,
    law: Law,
    pay: Pay,
    paid: PaidRows,
    plan: Plan,
    split: SplitLaw,
    kind: Numbers,
    *,
    every_total: bool = False,
) -> Ends:
    """The ends of one split card under a plan; totals that fare alike are one, unless each is asked for."""
    rows = kind.run(walk, hands, law, pay, plan, split)
    hand, fates = rows[:, HAND], rows[:, FATE]
    odds = np.where(rows[:, STAKE] == 1, pay.odds[hand], pay.double_odds[hand, rows[:, SOFT]])
    by = np.where(rows[:, STAKE] == 1, paid.single[hand], paid.doubled[hand, rows[:, SOFT]])
    unpaid = (rows[:, THIRD] >= 0) | ((fates != STOOD) & (fates != PAID))
    odds[unpaid], by[unpaid] = 0, 0
    if not every_total:  # those under the dealer's lowest fare alike
        rows[:, TOTAL] = np.maximum(rows[:, TOTAL], TWENTY_ONE + 2 - law.results.shape[1])
    rows[(fates == BUSTED) | (fates == FORFEITED), TOTAL] = 0
    values, numbers = np.unique(odds, return_inverse=True)
    told = np.column_stack([rows[:, [FATE, STAKE, TOTAL]], numbers, rows[:, [SECOND, THIRD]], by])
    unique, way = np.unique(told, axis=0, return_inverse=True)
    begin = hands.after[0, split.pair]
    ways = []
    for fate, stake, total, number, second, third, row in unique.tolist():
        pays, chance = values[number], kind.of(1)
        if second >= 0:
            value, suits = divmod(second, VARIANTS)
            of_pair = law.suited[hands.after[begin, value]]
            chance = law.suited_mix[of_pair, suits]
            pays = law.suited_odds[of_pair, third, suits] if third >= 0 else pays
        paired = second == PAIRED or second // VARIANTS == split.pair
        ways.append(Way(fate, stake, total, pays, second, third, paired, chance, paid.names[row]))
    return _merged(rows[:, KEY], rows[:, ORDERS], way.ravel(), ways)


def _merged(keys: Array, orders: Array, way: Array, ways: list[Way]) -> Ends:
    """The same with each multiset of cards once for every way."""
    order = np.lexsort((way, keys))
    keys, orders, way = keys[order], orders[order], way[order]
    new = np.ones(len(keys), np.bool_)
    new[1:] = (keys[1:] != keys[:-1]) | (way[1:] != way[:-1])
    return Ends(keys[new], np.add.reduceat(orders, np.nonzero(new)[0]), way[new], ways)


def brought(law: Law, pay: Pay, fate: Array, stake: Array, total: Array, odds: Array) -> Array:
    """What hands bring that end so, by the dealer's hand."""
    won = (stake * odds)[:, None]
    beside_natural = law.results.shape[1] - 2
    compared = law.results[total].astype(np.int64)
    found = np.where(compared > 0, won, stake[:, None] * compared)
    found[:, beside_natural] = pay.natural_takes[stake - 1]
    paid, natural = fate == PAID, fate == NATURAL
    found[paid] = won[paid]
    found[natural] = pay.natural_pays
    found[natural, beside_natural] = pay.natural_pays if pay.paid_at_once else 0
    for over, lost, then in (
        (fate == BUSTED, stake, pay.natural_busted[stake - 1]),
        (fate == FORFEITED, stake // stake, np.full(len(fate), pay.natural_forfeited)),
    ):
        found[over] = -lost[over, None]
        found[over, beside_natural] = then[over]
    return found
