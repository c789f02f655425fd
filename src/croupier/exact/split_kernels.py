"""The inner loops of split hands: all ends of one, those of two together, and what several bring.

Written as those in `kernels.py`. Cards are keys: so many bits for the number of each value.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable as inlined

from croupier.exact.hands import ACE, TWENTY_ONE, VARIANTS
from croupier.exact.kernels import DOUBLE, HIT, STAND, compiled, reach

STOOD, PAID, NATURAL, BUSTED, FORFEITED = range(5)
# A second card whose suit is not looked at: of another value, or of the pair's. One that is, is a number
# from 0 on: its value times VARIANTS, and the kind that it makes with the split card.
OTHER, PAIRED = -2, -1
NONE = -1

BITS = 6
FIELDS = 9
FATE, STAKE, TOTAL, HAND, SOFT, SECOND, THIRD, KEY, ORDERS = range(FIELDS)

EMPTY = -1
SCATTER = np.uint64(0x9E3779B97F4A7C15)


@inlined
def put(rows, row, fate, stake, total, hand, soft, second, third, key, orders):
    rows[row, FATE], rows[row, STAKE], rows[row, TOTAL] = fate, stake, total
    rows[row, HAND], rows[row, SOFT] = hand, soft
    rows[row, SECOND], rows[row, THIRD] = second, third
    rows[row, KEY], rows[row, ORDERS] = key, orders


@compiled
def walk(hands, law, pay, plan, split):
    """The rows of all ends; `third` is a card with which suits decide what is paid."""
    counts, sizes, hard, totals, after = hands.counts, hands.size, hands.hard, hands.total, hands.after
    suits, first_aces, pair = law.suited, law.first_aces, split.pair
    begin = after[0, pair]
    action, _ = reach(hands, law, plan, split)
    second = np.empty(2 + 10 * VARIANTS, np.int64)
    second[0], second[1] = OTHER, PAIRED
    origins = 2
    for value in range(10):
        hand = after[begin, value]
        if hand >= 0 and suits[hand] >= 0:
            for kind in range(VARIANTS):
                second[origins] = value * VARIANTS + kind
                origins += 1
    orders = np.zeros((sizes.shape[0], VARIANTS, origins), np.int64)
    own = np.zeros(sizes.shape[0], np.int64)
    for hand in range(begin, sizes.shape[0]):
        for value in range(10):
            own[hand] += counts[hand, value] << (BITS * value)
        own[hand] -= 1 << (BITS * pair)
    for value in range(10):
        hand = after[begin, value]
        if hand >= 0 and suits[hand] < 0:
            orders[hand, counts[hand, ACE] if first_aces else 0, 1 if value == pair else 0] = 1
    for origin in range(2, origins):
        orders[after[begin, second[origin] // VARIANTS], second[origin] % VARIANTS, origin] = 1
    rows = np.empty((1024, FIELDS), np.int64)
    made = 0
    for hand in range(begin, sizes.shape[0]):
        for variant in range(VARIANTS):
            chosen = action[hand, variant]
            if chosen < 0:
                continue
            carried = variant if first_aces and counts[hand, ACE] > 0 else 0
            for origin in range(origins):
                here = orders[hand, variant, origin]
                if here == 0:
                    continue
                if made + 10 > rows.shape[0]:
                    longer = np.empty((2 * rows.shape[0], FIELDS), np.int64)
                    longer[:made] = rows[:made]
                    rows = longer
                if chosen == STAND:
                    fate = STOOD
                    if pay.natural_after_split and law.natural[hand]:
                        fate = NATURAL
                    elif pay.paid_at_once and totals[hand] == TWENTY_ONE:
                        fate = PAID
                    put(rows, made, fate, 1, totals[hand], hand, -1, second[origin], NONE, own[hand], here)
                    made += 1
                    continue
                suited, stake = suits[hand], 2 if chosen == DOUBLE else 1
                for value in range(10):
                    grown = after[hand, value]
                    key = own[hand] + (1 << (BITS * value))
                    if grown < 0:
                        put(rows, made, BUSTED, stake, 0, 0, 0, second[origin], NONE, key, here)
                        made += 1
                        continue
                    looked_at = suited >= 0 and law.suited_odds[suited, value, variant] >= 0
                    if looked_at and (chosen == HIT or pay.doubled_suits):
                        fate = PAID if pay.paid_at_once else STOOD
                        put(rows, made, fate, stake, TWENTY_ONE, 0, 0, second[origin], value, key, here)
                        made += 1
                        continue
                    if chosen == HIT:
                        orders[grown, carried, origin] += here
                        continue
                    soft = 1 if law.doubled_high[hand, value, variant] else 0
                    total, fate = hard[grown] + 10 * soft, STOOD
                    if pay.paid_at_once and total == TWENTY_ONE:
                        fate = PAID
                    elif pay.forfeit and plan.forfeits[grown, soft]:
                        fate = FORFEITED
                    put(rows, made, fate, stake, total, grown, soft, second[origin], NONE, key, here)
                    made += 1
    return rows[:made]


@compiled
def products(keys, orders):
    """All products of two keys, and which is whose: of each key with itself and those behind it.

    Returns their keys, their orders in all (one column for each of `orders`), and their numbers.
    """
    count, columns = orders.shape
    of = np.empty(count * (count + 1) // 2, np.int32)
    bits, many, place = 12, 0, 0
    table, found, weight = room(bits, columns)
    for first in range(count):
        for second in range(first, count):
            of[place] = number_of(keys[first] + keys[second], table, found, many, bits)
            many = max(many, of[place] + 1)
            for column in range(columns):
                by = orders[first, column] * orders[second, column]
                weight[of[place], column] += by if first == second else 2 * by
            place += 1
            if 2 * many >= table.shape[0]:
                bits += 1
                table, longer, heavier = room(bits, columns)
                longer[:many], heavier[:many] = found[:many], weight[:many]
                found, weight = longer, heavier
                fill(table, found, many, bits)
    return found[:many].copy(), weight[:many].copy(), of


@inlined
def room(bits, columns):
    """An empty table, and what is found."""
    size = 1 << bits
    return np.full(size, EMPTY, np.int32), np.empty(size, np.int64), np.zeros((size, columns), np.float64)


@inlined
def number_of(key, table, found, many, bits):
    """The number of a key that was found before, or the next, under which it is put into the table."""
    at = begin_at(key, bits)
    while table[at] != EMPTY and found[table[at]] != key:
        at = (at + 1) & (table.shape[0] - 1)
    if table[at] == EMPTY:
        table[at] = many
        found[many] = key
    return table[at]


@inlined
def fill(table, found, many, bits):
    """Put all that are found into a new table."""
    for one in range(many):
        at = begin_at(found[one], bits)
        while table[at] != EMPTY:
            at = (at + 1) & (table.shape[0] - 1)
        table[at] = one


@inlined
def begin_at(key, bits):
    """Where in a table a key is looked for first."""
    return np.int64((np.uint64(key) * SCATTER) >> np.uint64(64 - bits))


@compiled
def by_ways(keys, of, place, orders, way, ways, chances):
    """The chances of products, column by column, by the ways of two terms.

    `place` has the key of each term, in ascending order, `of` the products of so many keys.
    """
    columns = chances.shape[1]
    apart = np.empty((ways, ways, columns), chances.dtype)
    alike = np.empty((ways, ways, columns), chances.dtype)
    apart[:], alike[:] = 0, 0
    for first in range(orders.shape[0]):
        # The products of a key begin behind those of all before it, with itself.
        begin = place[first] * keys - place[first] * (place[first] + 1) // 2
        for second in range(first, orders.shape[0]):
            by, product = orders[first] * orders[second], chances[of[begin + place[second]]]
            into = apart[way[first], way[second]]
            if first == second:
                into = alike[way[first], way[second]]
            for column in range(columns):
                into[column] += by * product[column]
    # Cell by cell: a sum of whole arrays takes seconds and 60 MB more to compile.
    for one in range(ways):
        for other in range(ways):
            for column in range(columns):
                alike[one, other, column] += apart[one, other, column] + apart[other, one, column]
    return alike


@compiled
def multiply(first, second):
    """The products of polynomials, row by row."""
    made = np.empty((first.shape[0], first.shape[1] + second.shape[1] - 1), first.dtype)
    made[:] = 0
    for row in range(first.shape[0]):
        for power in range(second.shape[1]):
            by = second[row, power]
            if by == 0:
                continue
            for place in range(first.shape[1]):
                made[row, power + place] += by * first[row, place]
    return made


@compiled
def sums_of_keys(first, second):
    """All sums of a first and a second key, each once, and by both keys the number of their sum."""
    of = np.empty((first.shape[0], second.shape[0]), np.int32)
    bits, many = 12, 0
    table, found, _ = room(bits, 0)
    for one in range(first.shape[0]):
        for other in range(second.shape[0]):
            of[one, other] = number_of(first[one] + second[other], table, found, many, bits)
            many = max(many, of[one, other] + 1)
            if 2 * many >= table.shape[0]:
                bits += 1
                table, longer, _ = room(bits, 0)
                longer[:many] = found[:many]
                found = longer
                fill(table, found, many, bits)
    return found[:many].copy(), of


@compiled
def sum_of_products(of, weights, chances):
    """The sum, over any two terms, of both weights and the chance of their product, column by column."""
    total = chances[0, 0] - chances[0, 0]
    place = 0
    for first in range(weights.shape[0]):
        for second in range(first, weights.shape[0]):
            here = total - total
            for column in range(chances.shape[1]):
                here += weights[first, column] * weights[second, column] * chances[of[place], column]
            total += here if first == second else 2 * here
            place += 1
    return total


@compiled
def by_way_beside(of, orders, way, ways, weights, chances):
    """The sums of the weights beside the terms of each way, and the chances of their products."""
    found = np.empty((ways, chances.shape[1]), chances.dtype)
    found[:] = 0
    for first in range(of.shape[0]):
        into = found[way[first]]
        for second in range(of.shape[1]):
            product = chances[of[first, second]]
            for column in range(chances.shape[1]):
                into[column] += orders[first] * weights[second, column] * product[column]
    return found
