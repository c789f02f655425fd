"""The inner loops: written once, compiled by Numba for floats, run as plain Python on fractions.

A function marked `@compiled` keeps its source as `.py_func`; `arithmetic.py` picks one or the other. What
they call among themselves is `@inlined`, plain Python to Python and compiled to Numba. No function
creates a number of its own except small integers, so that floats stay floats and fractions exact.

Cards are drawn without replacement: from `left` cards of each value and `size` in all, a hand takes its
own with it (`step` 1), or takes nothing from packs without end (`step` 0).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import register_jitable as inlined

from croupier.exact.hands import ACE, TWENTY_ONE, Array

compiled = njit(cache=True, nogil=True, error_model="numpy")

LANES = 160
VECTOR = 16
STAND, HIT, DOUBLE = range(3)
NEVER = -1_000_000


class Law(NamedTuple):
    """What a hand may do, hand by hand, and what suits can make of two cards."""

    may_stand: Array
    may_hit: Array
    may_double: Array
    natural: Array
    doubled_high: Array  # [hand, value, variant]: doubled and dealt this card, does an ace of it count high?
    first_aces: bool  # does that hang on how many aces came first?
    results: Array  # [total, column of the dealer's hands]: 1, 0 or -1
    suited: Array  # the row of suited_odds that belongs to a hand, or -1
    suited_odds: Array  # [row, third card, variant]: odds of the 21 it makes, or -1
    suited_mix: Array  # [row, variant]: how often the two cards are of that kind


class Pay(NamedTuple):
    """What a hand wins, and what is left of it when the dealer turns out to have a natural."""

    odds: Array
    double_odds: Array  # [hand, soft]
    doubled_suits: bool  # are doubled hands paid for their suits too?
    paid_at_once: bool
    forfeit: bool
    natural_after_split: bool
    natural_pays: Any
    natural_takes: Array  # [stake - 1] what a live stake receives then (negative)
    natural_busted: Array  # [stake - 1] what a busted stake receives then
    natural_forfeited: Any


class Draw(NamedTuple):
    """The cards from which a hand draws, and the value that would make a dealer's natural (or -1)."""

    left: Array
    size: Any
    step: Any
    natural: int


class Plan(NamedTuple):
    """A way to play against one first card.

    By (hand, variant): hit or stand, and what to do first where it is allowed: double, split, surrender.
    By (hand, soft): whether a doubled hand is forfeited.
    """

    hits: Array
    doubles: Array
    forfeits: Array
    splits: Array
    surrenders: Array


# Sums of products


@inlined
def add_up(terms, shoes, sizes, step, seen, drawn_open):
    """For each shoe the sums of a tree of products, and in a last column what is missing to one.

    Where cards are hidden, by shoe how many that might have been were drawn before.
    """
    nodes, weight, sums, longest = terms.nodes, terms.weight, terms.sums, terms.longest
    shares = terms.shares
    # As few blocks as may be, all of one width: a last one that is mostly padding costs as much as the rest.
    blocks = max(1, (shoes.shape[0] + LANES - 1) // LANES)
    vectors = (shoes.shape[0] + blocks * VECTOR - 1) // (blocks * VECTOR)
    width = max(1, min(vectors * VECTOR, shoes.shape[0]))
    found = np.empty((shoes.shape[0], sums + 1), shoes.dtype)
    product = np.empty((longest + 1, width), shoes.dtype)
    share = np.empty((shares.shape[0], width), shoes.dtype)
    left = np.empty((10, width), shoes.dtype)
    total = np.empty((sums, width), shoes.dtype)
    for begin in range(0, shoes.shape[0], width):
        lanes = min(width, shoes.shape[0] - begin)
        for lane in range(width):
            shoe = begin + min(lane, lanes - 1)
            product[0, lane] = 1
            for value in range(10):
                left[value, lane] = shoes[shoe, value]
            for row in range(shares.shape[0]):
                cards = sizes[shoe] - shares[row, 0] * step
                share[row, lane] = 1 / cards if cards > 0 else cards - cards
                if shares[row, 1] >= 0:
                    share[row, lane] *= seen[drawn_open[shoe] + shares[row, 1]]
        total[:] = 0
        for node in range(nodes.shape[0]):
            drawn, into = nodes[node, 0], total[nodes[node, 3]]
            before, after = product[drawn], product[drawn + 1]
            cards, gone, one = left[nodes[node, 1]], nodes[node, 2] * step, share[nodes[node, 4]]
            by = weight[node]
            for lane in range(width):
                term = before[lane] * (cards[lane] - gone) * one[lane]
                after[lane] = term
                into[lane] += by * term
        for lane in range(lanes):
            rest = 1 - total[0, lane]
            found[begin + lane, 0] = total[0, lane]
            for column in range(1, sums):
                found[begin + lane, column] = total[column, lane]
                rest -= total[column, lane]
            found[begin + lane, sums] = rest
    return found


@compiled
def evaluate(terms, shoes, sizes, step):
    return add_up(terms, shoes, sizes, step, sizes, terms.shares[:0, 0])


@compiled
def evaluate_beside_hidden(terms, shoes, sizes, step, seen, drawn_open):
    return add_up(terms, shoes, sizes, step, seen, drawn_open)


# One hand


@inlined
def settled(rows, row, results, total, stake, odds, natural_takes):
    """The worth of a hand that stands on a total, given the chances of the dealer's hands."""
    win = rows[row, 0] - rows[row, 0]
    lose = win
    for column in range(results.shape[1]):
        if results[total, column] > 0:
            win += rows[row, column]
        elif results[total, column] < 0:
            lose += rows[row, column]
    return stake * (odds * win - lose) + natural_takes * rows[row, results.shape[1] - 2]


@inlined
def paid_21(rows, row, results, stake, odds, natural_takes, paid_at_once):
    """The worth of a 21 at these odds."""
    if paid_at_once:
        return stake * odds
    return settled(rows, row, results, TWENTY_ONE, stake, odds, natural_takes)


@inlined
def natural_next(naturals, drew_one, cards, step):
    """The chance of a dealer's natural from so many cards that make one, once a card has been drawn."""
    if cards <= step:
        return naturals - naturals
    return (naturals - (step if drew_one else 0)) / (cards - step)


@inlined
def is_variant(first_aces, suited, aces, size, variant):
    """Is there such a hand: with so many of its aces among the first two, or with such suits?"""
    if suited >= 0:
        return True
    if not first_aces:
        return variant == 0
    return variant <= aces and size - aces >= 2 - variant


@compiled
def play(hands, law, pay, draw, rows, wanted, plan, planned):
    """The worth of every action for every wanted hand that is not split, if it goes on by the best play.

    `rows[hand]` are the chances of the dealer's hands against it. Wanted must hold what grows from it. If
    `planned`, hands go on as the plan says instead. Returns the worth by (hand, variant, action), the
    worth of the action taken by (hand, variant), and by (hand, soft) whether a doubled hand is forfeited.
    """
    counts, sizes, hard, totals, after = hands.counts, hands.size, hands.hard, hands.total, hands.after
    may_stand, may_hit, may_double = law.may_stand, law.may_hit, law.may_double
    doubled_high, first_aces, results = law.doubled_high, law.first_aces, law.results
    suits, suited_odds = law.suited, law.suited_odds
    odds, double_odds, paid_at_once = pay.odds, pay.double_odds, pay.paid_at_once
    takes_1, takes_2 = pay.natural_takes[0], pay.natural_takes[1]
    lost_1, lost_2 = pay.natural_busted[0], pay.natural_busted[1]
    left, size, step, natural_value = draw.left, draw.size, draw.step, draw.natural
    hand_count = sizes.shape[0]
    worth = np.empty((hand_count, 3, 3), rows.dtype)
    best = np.empty((hand_count, 3), rows.dtype)
    twice = np.empty((hand_count, 2), rows.dtype)
    gives_up = np.zeros((hand_count, 2), np.bool_)
    worth[:] = NEVER
    best[:] = 0
    zero = size - size
    natural_column = results.shape[1] - 2
    most = 0  # cards in a hand that a double has ended
    for hand in range(hand_count):
        if may_double[hand] or pay.forfeit:
            most = max(most, sizes[hand] + 1)
    for hand in range(hand_count - 1, -1, -1):
        if not wanted[hand] or sizes[hand] < 2:
            continue
        for soft in range(2):
            total = hard[hand] + 10 * soft
            if total > TWENTY_ONE or sizes[hand] > most:
                continue
            if paid_at_once and total == TWENTY_ONE:
                twice[hand, soft] = 2 * double_odds[hand, soft]
                continue
            twice[hand, soft] = settled(rows, hand, results, total, 2, double_odds[hand, soft], takes_2)
            natural = rows[hand, natural_column]
            least = pay.natural_forfeited * natural - (1 - natural)
            if pay.forfeit and (plan.forfeits[hand, soft] if planned else twice[hand, soft] < least):
                twice[hand, soft] = least
                gives_up[hand, soft] = True
        standing = odds[hand]
        if not (paid_at_once and totals[hand] == TWENTY_ONE):
            standing = settled(rows, hand, results, totals[hand], 1, odds[hand], takes_1)
        cards = size - sizes[hand] * step
        naturals = zero
        if natural_value >= 0:
            naturals += left[natural_value] - counts[hand, natural_value] * step
        row = suits[hand]
        for variant in range(3):
            if not is_variant(first_aces, row, counts[hand, ACE], sizes[hand], variant):
                continue
            if may_stand[hand]:
                worth[hand, variant, STAND] = standing
            best[hand, variant] = worth[hand, variant, STAND]
            if not (may_hit[hand] or may_double[hand]):
                continue
            carried = variant if first_aces and counts[hand, ACE] > 0 else 0
            hit = zero
            double = zero
            for value in range(10):
                here = left[value] - counts[hand, value] * step
                if here <= 0:
                    continue
                chance = here / cards
                grown = after[hand, value]
                if grown < 0:
                    natural = natural_next(naturals, value == natural_value, cards, step)
                    hit += chance * (lost_1 * natural - (1 - natural))
                    double += chance * (lost_2 * natural - 2 * (1 - natural))
                    continue
                drawn_twice = zero
                if may_double[hand]:
                    drawn_twice = twice[grown, 1 if doubled_high[hand, value, variant] else 0]
                if row >= 0 and suited_odds[row, value, variant] >= 0:
                    bonus = suited_odds[row, value, variant]
                    hit += chance * paid_21(rows, grown, results, 1, bonus, takes_1, paid_at_once)
                    if pay.doubled_suits:
                        drawn_twice = paid_21(rows, grown, results, 2, bonus, takes_2, paid_at_once)
                else:
                    hit += chance * best[grown, carried]
                double += chance * drawn_twice
            if may_hit[hand]:
                worth[hand, variant, HIT] = hit
            if may_double[hand]:
                worth[hand, variant, DOUBLE] = double
            if not planned:
                best[hand, variant] = max(
                    worth[hand, variant, STAND], worth[hand, variant, HIT], worth[hand, variant, DOUBLE]
                )
            elif may_double[hand] and plan.doubles[hand, variant]:
                best[hand, variant] = double
            elif may_hit[hand] and plan.hits[hand, variant]:
                best[hand, variant] = hit
    return worth, best, gives_up


# One hand of a split pair, played by a fixed plan


class SplitLaw(NamedTuple):
    """The value that was split, and what its hands may do."""

    pair: int
    may_hit: Array
    may_double: Array


@inlined
def reach(hands, law, plan, split):
    """What the plan comes to from one split card.

    Returns by (hand, variant) the action taken there (-1: never there), and by hand whether it may meet
    the dealer.
    """
    counts, sizes, after = hands.counts, hands.size, hands.after
    suits, first_aces = law.suited, law.first_aces
    may_hit, may_double = split.may_hit, split.may_double
    hits, doubles = plan.hits, plan.doubles
    hand_count = sizes.shape[0]
    there = np.zeros((hand_count, 3), np.bool_)
    action = np.full((hand_count, 3), -1, np.int8)
    compared = np.zeros(hand_count, np.bool_)
    begin = after[0, split.pair]
    for value in range(10):
        hand = after[begin, value]
        if hand >= 0 and suits[hand] >= 0:
            there[hand, :] = True
        elif hand >= 0:
            there[hand, counts[hand, ACE] if first_aces else 0] = True
    for hand in range(begin, hand_count):
        for variant in range(3):
            if not there[hand, variant]:
                continue
            chosen = STAND
            if may_double[hand] and doubles[hand, variant]:
                chosen = DOUBLE
            elif may_hit[hand] and hits[hand, variant]:
                chosen = HIT
            action[hand, variant] = chosen
            if chosen == STAND:
                compared[hand] = True
                continue
            carried = variant if first_aces and counts[hand, ACE] > 0 else 0
            for value in range(10):
                grown = after[hand, value]
                if grown < 0:
                    continue
                if chosen == DOUBLE or suits[hand] >= 0:
                    compared[grown] = True
                if chosen == HIT:
                    there[grown, carried] = True
    return action, compared


@compiled
def reached(hands, law, plan, split):
    return reach(hands, law, plan, split)


@inlined
def follow(hands, law, pay, draw, plan, split, action, there, rows, row_of, seen):
    """The worth of one split hand and its chance to live beside a dealer's natural.

    `seen`: behind so many cards of other values than the pair's, how often the next of them is not hidden.
    Four numbers: both over any second card, then both over a second card that is not the pair's.
    """
    counts, sizes, hard, totals, after = hands.counts, hands.size, hands.hard, hands.total, hands.after
    doubled_high, first_aces, results = law.doubled_high, law.first_aces, law.results
    is_natural = law.natural
    suits, suited_odds, suited_mix = law.suited, law.suited_odds, law.suited_mix
    odds, double_odds, paid_at_once = pay.odds, pay.double_odds, pay.paid_at_once
    takes_1, takes_2 = pay.natural_takes[0], pay.natural_takes[1]
    lost_1, lost_2 = pay.natural_busted[0], pay.natural_busted[1]
    left, size, step, natural_value = draw.left, draw.size, draw.step, draw.natural
    forfeits = plan.forfeits
    begin = after[0, split.pair]
    hand_count = sizes.shape[0]
    worth = np.empty((hand_count, 3), rows.dtype)
    alive = np.empty((hand_count, 3), rows.dtype)
    zero = size - size
    natural_column = results.shape[1] - 2
    for index in range(there.shape[0] - 1, -1, -1):
        hand = there[index]
        for variant in range(3):
            chosen = action[hand, variant]
            if chosen < 0:
                continue
            row = row_of[hand]
            if chosen == STAND:
                if pay.natural_after_split and is_natural[hand]:
                    beaten = zero if paid_at_once else rows[row, natural_column]
                    worth[hand, variant] = pay.natural_pays * (1 - beaten)
                    alive[hand, variant] = zero
                elif paid_at_once and totals[hand] == TWENTY_ONE:
                    worth[hand, variant] = odds[hand]
                    alive[hand, variant] = zero
                else:
                    worth[hand, variant] = settled(rows, row, results, totals[hand], 1, odds[hand], takes_1)
                    alive[hand, variant] = rows[row, natural_column]
                continue
            suited = suits[hand]
            carried = variant if first_aces and counts[hand, ACE] > 0 else 0
            cards = size - sizes[hand] * step
            others = sizes[hand] - counts[hand, split.pair]
            naturals = zero
            if natural_value >= 0:
                naturals += left[natural_value] - counts[hand, natural_value] * step
            value_sum = zero
            alive_sum = zero
            for value in range(10):
                here = left[value] - counts[hand, value] * step
                if here <= 0 or cards <= 0:  # some of those here may be hidden, and be all that are left
                    continue
                other = value != split.pair
                chance = here / cards * seen[others] if other else here / cards
                grown = after[hand, value]
                if grown < 0:
                    natural = natural_next(naturals, value == natural_value, cards, step)
                    if natural_value != split.pair:
                        natural *= seen[others + other]
                    if chosen == DOUBLE:
                        value_sum += chance * (lost_2 * natural - 2 * (1 - natural))
                    else:
                        value_sum += chance * (lost_1 * natural - (1 - natural))
                    continue
                row = row_of[grown]
                if (
                    suited >= 0
                    and suited_odds[suited, value, variant] >= 0
                    and (chosen == HIT or pay.doubled_suits)
                ):
                    bonus = suited_odds[suited, value, variant]
                    stake = 2 if chosen == DOUBLE else 1
                    takes = takes_2 if chosen == DOUBLE else takes_1
                    value_sum += chance * paid_21(rows, row, results, stake, bonus, takes, paid_at_once)
                    if not paid_at_once:
                        alive_sum += chance * rows[row, natural_column]
                elif chosen == DOUBLE:
                    soft = 1 if doubled_high[hand, value, variant] else 0
                    total = hard[grown] + 10 * soft
                    natural = rows[row, natural_column]
                    paid = double_odds[grown, soft]
                    if paid_at_once and total == TWENTY_ONE:
                        value_sum += chance * 2 * paid
                    elif pay.forfeit and forfeits[grown, soft]:
                        value_sum += chance * (pay.natural_forfeited * natural - (1 - natural))
                    else:
                        value_sum += chance * settled(rows, row, results, total, 2, paid, takes_2)
                        alive_sum += chance * natural
                else:
                    value_sum += chance * worth[grown, carried]
                    alive_sum += chance * alive[grown, carried]
            worth[hand, variant] = value_sum
            alive[hand, variant] = alive_sum
    found = np.empty(4, rows.dtype)
    found[:] = 0
    for value in range(10):
        here = left[value] - counts[begin, value] * step
        if here <= 0 or size <= step:
            continue
        chance = here / (size - step)
        if value != split.pair:
            chance *= seen[0]
        hand = after[begin, value]
        suited = suits[hand]
        mine = zero
        lives = zero
        if suited >= 0:
            for variant in range(3):
                mine += suited_mix[suited, variant] * worth[hand, variant]
                lives += suited_mix[suited, variant] * alive[hand, variant]
        else:
            variant = counts[hand, ACE] if first_aces else 0
            mine += worth[hand, variant]
            lives += alive[hand, variant]
        found[0] += chance * mine
        found[1] += chance * lives
        if value != split.pair:
            found[2] += chance * mine
            found[3] += chance * lives
    return found


@compiled
def split_hand(hands, law, pay, draw, plan, split, terms, gone):
    """`follow` for one hand of a split, for each number of cards in `gone`: further ones of the pair's value,
    and unknown ones of others, which are hidden among those that are left.

    `draw` is the shoe beside the upcard and both cards of the pair, one of which begins the hand.
    """
    counts, sizes, step = hands.counts, hands.size, draw.step
    action, compared = reach(hands, law, plan, split)
    meeting = np.nonzero(compared)[0]
    there = np.nonzero((action[:, 0] >= 0) | (action[:, 1] >= 0) | (action[:, 2] >= 0))[0]
    row_of = np.full(sizes.shape[0], -1, np.int64)
    others = np.empty(meeting.shape[0], np.int64)
    for index in range(meeting.shape[0]):
        row_of[meeting[index]] = index
        others[index] = sizes[meeting[index]] - counts[meeting[index], split.pair]
    found = np.empty((gone.shape[0], 4), draw.left.dtype)
    shoes = np.empty((meeting.shape[0], 10), draw.left.dtype)
    cards = np.empty(meeting.shape[0], draw.left.dtype)
    seen = np.empty(2 * TWENTY_ONE + 2, draw.left.dtype)
    for entry in range(gone.shape[0]):
        left = draw.left.copy()
        open_cards = draw.size - left[split.pair]
        for drawn in range(seen.shape[0]):
            rest = open_cards - drawn * step
            seen[drawn] = (rest - gone[entry, 1] * step) / rest if rest > 0 else rest - rest
            if seen[drawn] < 0:
                seen[drawn] = 0
        # The hand's own first card counts among its cards, so it is put back here.
        left[split.pair] -= (gone[entry, 0] - 1) * step
        size = draw.size - (gone[entry, 0] + gone[entry, 1] - 1) * step
        for index in range(meeting.shape[0]):
            hand = meeting[index]
            for value in range(10):
                shoes[index, value] = left[value] - counts[hand, value] * step
            cards[index] = size - sizes[hand] * step
        rows = add_up(terms, shoes, cards, step, seen, others)
        here = Draw(left, size, step, draw.natural)
        found[entry] = follow(hands, law, pay, here, plan, split, action, there, rows, row_of, seen)
    return found


# Where a plan leads


@compiled
def visits(hands, law, draw, plan, start):
    """How often a plan comes to each hand from hands that begin with these weights.

    Returns by (hand, variant) how often a decision is made there, and by (hand, soft) how often a double
    ends there.
    """
    counts, sizes, after = hands.counts, hands.size, hands.after
    may_hit, may_double = law.may_hit, law.may_double
    doubled_high, first_aces = law.doubled_high, law.first_aces
    left, size, step = draw.left, draw.size, draw.step
    at = start.copy()
    twice = np.empty((sizes.shape[0], 2), start.dtype)
    twice[:] = 0
    for hand in range(sizes.shape[0]):
        cards = size - sizes[hand] * step
        for variant in range(3):
            here = at[hand, variant]
            doubles = may_double[hand] and plan.doubles[hand, variant]
            if here == 0 or not (doubles or (may_hit[hand] and plan.hits[hand, variant])):
                continue
            carried = variant if first_aces and counts[hand, ACE] > 0 else 0
            for value in range(10):
                many = left[value] - counts[hand, value] * step
                if many <= 0:
                    continue
                weight = here * many / cards
                grown = after[hand, value]
                if grown < 0:
                    continue
                if doubles:
                    twice[grown, 1 if doubled_high[hand, value, variant] else 0] += weight
                else:
                    at[grown, carried] += weight
    return at, twice
