"""Many shoes of one box, four at a time under one index, each card a step of the machine.

A machine waits for one entry of its table before it can ask for the next; four of them side by side wait
together. All lanes read the card at the same place. The cutting card is a symbol like any other, written over
the card at its place.

A split, or a round that the machine leaves to the kernel, is played apart, and the cards that it takes beyond
the place at hand leave the lane: the last cards before the cutting card come into their places, which in a
shuffled shoe is as good an order as any, and what is gone lies behind the cutting card.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.hands import Array
from croupier.simulate.kernel import (
    COUNT_ROWS,
    COUNTS,
    DEALT,
    MOST_RUNNING,
    ROUND_WON_2,
    RUNNING_ROW,
    Room,
    count_at,
    count_dealer,
    count_products,
    count_results,
    count_shoe,
    looked_up,
    no_count_at,
    play_round,
    room_for,
)
from croupier.simulate.kernel import SPLITS as COUNT_SPLITS
from croupier.simulate.machine import (
    ACE,
    ASKS,
    AT_DEALER,
    AT_HANGS,
    AT_PAYS,
    AT_SPLITS,
    BOX_PART,
    CUT,
    ENDED_BIT,
    ENDS,
    FIELD_MASK,
    FIELDS,
    FIRST_END,
    FIRST_FATE,
    FIRST_OUTCOME,
    KERNEL,
    MIDDLE,
    MOST_ACES,
    MOST_OTHERS,
    PARTS,
    ROW_BITS,
    ROW_MASK,
    SPLITS,
    SYMBOLS,
    UP_PART,
    Machine,
)
from croupier.simulate.shoe import (
    BEHIND,
    NEXT,
    NO_TAG,
    RAN_OUT,
    REFILLED,
    RUNNING,
    SHUFFLED,
    SIZE,
    TAG_SHIFT,
    apart,
    below,
    compiled,
    inlined,
    shuffle,
    spliced,
    symbol_of,
    tag_of,
)
from croupier.simulate.tables import MOST_HANDS

LANES = 4
RAN_SHORT = -1  # how a round ends for which there are not enough cards
NOTED_SHIFT = 12  # of a round that is noted: below it the running count

# Of a lane: where the cutting card lies and what it covers; how many cards that are gone lie from there on;
# where the cards end that are not gone, and up to where they are shuffled; where its play has come to an end,
# and how many cards of rounds apart lie before that; rounds apart, and what they won; the running count, and
# how many rounds are noted.
PLACE, COVERED, GONE, CARDS, MIXED, ENDED, DEALT_APART, ROUNDS_APART, WON_APART, RUNS, NOTED = range(11)
LANE = 11

# Behind all that there is to note, of boxes that were split: how many, their cards, what the one at hand won,
# and how its hands ended.
SPLIT_BOXES, SPLIT_CARDS, WON_NOW, HANDS = range(FIELDS, FIELDS + 4)


class Desk(NamedTuple):
    """What lanes are played on."""

    room: Room
    decks: Array  # one behind another, with room for the cutting card behind each
    picks: Array
    lanes: Array
    entries: Array  # at which the lanes have come
    seen: Array  # [lane, what there is to note], for the shoes at hand
    ends: Array  # the same for all shoes, and more of boxes that were split
    noted: Array  # [lane, round]: its last card, the running count behind it, how it ended
    aparts: Array  # [lane, round apart]: what it won, and how many of its cards are gone
    at_counts: Array  # [row of a count, outcome]


def desk_for(words: Array, machine: Machine) -> Desk:
    outcomes = len(machine.outcomes)
    return Desk(
        room=room_for(1),
        decks=np.tile(np.append(words, np.uint32(0)), LANES),
        picks=np.zeros(len(words), np.uint32),
        lanes=np.zeros(LANE * LANES, np.int64),
        entries=np.zeros(LANES, np.uint32),
        seen=np.zeros(LANES * (FIRST_OUTCOME + outcomes), np.uint32),
        ends=ends_for(),
        noted=np.zeros(LANES * (len(words) + 1), np.uint64),
        aparts=np.zeros(2 * LANES * len(words), np.int64),
        at_counts=np.zeros(COUNT_ROWS * outcomes, np.int64),
    )


def ends_for() -> Array:
    return np.zeros(HANDS + MOST_HANDS, np.int64)


@inlined
def lay_out(lanes, lane, deck, size, place, mixed, width):
    """A shoe with its cutting card."""
    at = LANE * lane
    for mark in range(LANE):
        lanes[at + mark] = 0
    lanes[at + CARDS], lanes[at + MIXED] = size, mixed
    _cut_at(deck, lanes, at, place, width)


@inlined
def _cut_at(deck, lanes, mine, place, width):
    """Lay the cutting card, which counts nothing."""
    lanes[mine + PLACE], lanes[mine + COVERED] = place, deck[place]
    deck[place] = NO_TAG << TAG_SHIFT | width - 1


@compiled
def play_lanes(f, t, machine, desk, chance, by_count, shoes, burnt, back, counted):
    """So many shoes, in fours, or none but those laid out.

    False if the cards ran out where the rules provide nothing for that. What is done for every four shoes or
    more often is not handed all that there is: that would take longer than to do it.
    """
    lanes, entries, size, notes = desk.lanes, desk.entries, desk.picks.size, by_count.bets.tags.size > 0
    for _ in range(max(shoes // LANES, 1)):
        last = 0
        for lane in range(LANES):
            if shoes:
                end = max(size - back[0] - below(chance, back[1] - back[0] + 1), burnt)
                deck = desk.decks[lane * (size + 1) : (lane + 1) * (size + 1)]
                shuffle(deck, size, end, chance, desk.picks)
                lay_out(lanes, lane, deck, size, end, end, machine.width)
            last = max(last, lanes[LANE * lane + PLACE])
            lanes[LANE * lane + RUNS] = by_count.play_start
            entries[lane] = 0
        at = _on(machine, desk, by_count, notes, burnt, last + 1)
        while at <= last:
            for lane in range(LANES):
                entry, mine = entries[lane], LANE * lane
                if not entry & np.uint32(ASKS):
                    continue
                deck = desk.decks[lane * (size + 1) : (lane + 1) * (size + 1)]
                field, now, began = np.int64(field_of(entry, np.uint64(FIELD_MASK))), at + 1, np.int64(-1)
                over = field == CUT
                if over:
                    game = machine.table, machine.idle + machine.width, deck, lanes, mine, chance
                    now, field = _finish(*game, by_count.plans, entry, at)
                    if field == RAN_SHORT:
                        began = _beginning(machine.table, deck, burnt, now)
                    elif field >= FIRST_OUTCOME:
                        _note(desk, lane, now - 1, field)
                if SPLITS <= field < FIRST_OUTCOME:
                    began = now - (t.parts if field == SPLITS else field - KERNEL)
                if began >= 0:
                    end = np.int64(-1)
                    if field == SPLITS and not over and machine.alone and not t.gives_back:
                        end = _split(machine.table, machine.rare, deck, desk.ends, began, lanes[mine + PLACE])
                        desk.room.nets[0] = desk.ends[WON_NOW]
                    if end < 0:
                        _by_kernel(f, t, desk, chance, by_count, counted, mine, deck, began, now)
                        end = desk.room.marks[NEXT]
                        over |= end > lanes[mine + PLACE] or desk.room.marks[REFILLED] != 0
                    won = count_results(desk.room.nets, counted)
                    if notes:
                        apart_at = 2 * (lane * size + lanes[mine + ROUNDS_APART])
                        desk.aparts[apart_at], desk.aparts[apart_at + 1] = won, end - now
                        for gone in range(now, min(end, size)):
                            lanes[mine + RUNS] += tag_of(deck[gone])
                        _note(desk, lane, now - 1, SPLITS)
                    lanes[mine + DEALT_APART] += now - began
                    lanes[mine + ROUNDS_APART] += 1
                    lanes[mine + WON_APART] += won
                    if not over:
                        _leave(deck, lanes, mine, now, end, machine.width)
                        entries[lane] = 0
                if over:
                    lanes[mine + ENDED], entries[lane] = now, machine.idle
                    lanes[mine + CARDS], lanes[mine + GONE] = size, 0  # it idles over all of them
            at = _on(machine, desk, by_count, notes, at + 1, last + 1)
        if desk.room.marks[RAN_OUT]:
            return False
        for lane in range(LANES):
            if notes:
                _count_noted(machine.outcomes, desk, by_count, lane, burnt, counted)
            else:
                _count_lane(machine.outcomes, desk, lane, burnt, counted)
    count_rounds(machine, desk, counted)
    return True


@inlined
def _on(machine, desk, by_count, notes, begin, end):
    if notes:
        room = desk.lanes, desk.noted, by_count.plans, machine.idle + machine.width
        return walk_noting(machine.table, desk.decks, desk.entries, *room, begin, end)
    return walk(machine.table, desk.decks, desk.entries, desk.seen, begin, end)


@apart
def walk(table, decks, entries, seen, begin, end):
    """Card after card until a lane asks, and at which card that was."""
    stride, fields = np.uint64(decks.size // LANES), np.uint64(seen.size // LANES)
    row, asks, mask, one = np.uint32(ROW_MASK), np.uint32(ASKS), np.uint64(FIELD_MASK), np.uint32(1)
    s0, s1 = np.uint64(entries[0] & row), np.uint64(entries[1] & row)
    s2, s3 = np.uint64(entries[2] & row), np.uint64(entries[3] & row)
    for at in range(np.uint64(begin), np.uint64(end)):
        e0 = table[s0 + np.uint64(symbol_of(decks[at]))]
        e1 = table[s1 + np.uint64(symbol_of(decks[at + stride]))]
        e2 = table[s2 + np.uint64(symbol_of(decks[at + stride + stride]))]
        e3 = table[s3 + np.uint64(symbol_of(decks[at + stride + stride + stride]))]
        s0, s1, s2, s3 = np.uint64(e0 & row), np.uint64(e1 & row), np.uint64(e2 & row), np.uint64(e3 & row)
        seen[field_of(e0, mask)] += one
        seen[fields + field_of(e1, mask)] += one
        seen[fields + fields + field_of(e2, mask)] += one
        seen[fields + fields + fields + field_of(e3, mask)] += one
        if (e0 | e1 | e2 | e3) & asks:
            entries[0], entries[1], entries[2], entries[3] = e0, e1, e2, e3
            return np.int64(at)
    return np.int64(end)


@apart
def walk_noting(table, decks, entries, lanes, noted, plans, plan_size, begin, end):
    """The same, with the running count, by which one plan or another is played, and every round noted."""
    stride, row, asks = np.uint64(decks.size // LANES), np.uint32(ROW_MASK), np.uint32(ASKS)
    s0, s1 = np.uint64(entries[0] & row), np.uint64(entries[1] & row)
    s2, s3 = np.uint64(entries[2] & row), np.uint64(entries[3] & row)
    r0, r1, r2, r3 = lanes[RUNS], lanes[LANE + RUNS], lanes[2 * LANE + RUNS], lanes[3 * LANE + RUNS]
    n0, n1 = np.uint64(lanes[NOTED]), stride + np.uint64(lanes[LANE + NOTED])
    n2 = stride + stride + np.uint64(lanes[2 * LANE + NOTED])
    n3 = stride + stride + stride + np.uint64(lanes[3 * LANE + NOTED])
    l0, l1 = _middle(lanes, 0, begin), _middle(lanes, 1, begin)
    l2, l3 = _middle(lanes, 2, begin), _middle(lanes, 3, begin)
    by_plan, at, found = plans.size > 0, np.uint64(begin), np.int64(end)
    while at < np.uint64(end):
        w0, w1 = decks[at], decks[at + stride]
        w2, w3 = decks[at + stride + stride], decks[at + stride + stride + stride]
        r0, r1, r2, r3 = r0 + tag_of(w0), r1 + tag_of(w1), r2 + tag_of(w2), r3 + tag_of(w3)
        if by_plan:
            s0 += np.uint64(plans[np.uint64(l0 + r0)]) * np.uint64(plan_size)
            s1 += np.uint64(plans[np.uint64(l1 + r1)]) * np.uint64(plan_size)
            s2 += np.uint64(plans[np.uint64(l2 + r2)]) * np.uint64(plan_size)
            s3 += np.uint64(plans[np.uint64(l3 + r3)]) * np.uint64(plan_size)
            l0, l1, l2, l3 = l0 - RUNNING_ROW, l1 - RUNNING_ROW, l2 - RUNNING_ROW, l3 - RUNNING_ROW
        e0 = table[s0 + np.uint64(symbol_of(w0))]
        e1 = table[s1 + np.uint64(symbol_of(w1))]
        e2 = table[s2 + np.uint64(symbol_of(w2))]
        e3 = table[s3 + np.uint64(symbol_of(w3))]
        s0, s1, s2, s3 = np.uint64(e0 & row), np.uint64(e1 & row), np.uint64(e2 & row), np.uint64(e3 & row)
        noted[n0], noted[n1] = noted_as(at, r0, e0), noted_as(at, r1, e1)
        noted[n2], noted[n3] = noted_as(at, r2, e2), noted_as(at, r3, e3)
        n0, n1 = n0 + _ended(e0), n1 + _ended(e1)
        n2, n3 = n2 + _ended(e2), n3 + _ended(e3)
        if (e0 | e1 | e2 | e3) & asks:
            entries[0], entries[1], entries[2], entries[3] = e0, e1, e2, e3
            found = np.int64(at)
            break
        at += np.uint64(1)
    lanes[RUNS], lanes[LANE + RUNS], lanes[2 * LANE + RUNS], lanes[3 * LANE + RUNS] = r0, r1, r2, r3
    lanes[NOTED], lanes[LANE + NOTED] = n0, n1 - stride
    lanes[2 * LANE + NOTED], lanes[3 * LANE + NOTED] = n2 - stride - stride, n3 - stride - stride - stride
    return found


@inlined
def _middle(lanes, lane, at):
    """Where in a table by cards left and running count the count of nothing is, when this card is dealt."""
    return no_count_at(lanes[LANE * lane + CARDS] - lanes[LANE * lane + GONE] - at - 1)


@inlined
def noted_as(at, running, entry):
    """A round as one word: its last card, the running count behind it, how it ended."""
    place = np.uint64(at) << np.uint64(NOTED_SHIFT)
    return np.uint64(entry) << np.uint64(32) | place | np.uint64(running + MOST_RUNNING)


@inlined
def _ended(entry):
    return np.uint64((entry >> np.uint32(ENDED_BIT)) & np.uint32(1))


@inlined
def _note(desk, lane, at, field):
    mine = LANE * lane
    place = lane * (desk.picks.size + 1) + desk.lanes[mine + NOTED]
    desk.noted[place] = noted_as(at, desk.lanes[mine + RUNS], np.uint32(field << ROW_BITS))
    desk.lanes[mine + NOTED] += 1
    if field >= FIRST_OUTCOME:
        desk.seen[lane * (desk.seen.size // LANES) + field] += np.uint32(1)


@inlined
def field_of(entry, mask):
    return np.uint64(entry >> np.uint32(ROW_BITS)) & mask


@spliced
def _leave(deck, lanes, mine, begin, end, width):
    """The cards of these places have left the lane."""
    place = lanes[mine + PLACE]
    deck[place] = lanes[mine + COVERED]
    for step in range(min(end - begin, place - end)):
        one, other = begin + step, place - 1 - step
        deck[one], deck[other] = deck[other], deck[one]
    lanes[mine + GONE] += end - begin
    _cut_at(deck, lanes, mine, place - (end - begin), width)


@spliced
def _finish(table, plan_size, deck, lanes, mine, chance, plans, entry, at):
    """The cutting card has come at this place: the round in which it did is played to its end.

    Up to where, and how it ended; or it is one to be played apart; or there are no more cards.
    """
    deck[at] = lanes[mine + COVERED]
    field = np.int64(MIDDLE)
    while entry & np.uint32(ROW_MASK):
        there = at + lanes[mine + GONE]
        if there == lanes[mine + CARDS]:
            return np.int64(at), np.int64(RAN_SHORT)
        word = _drawn(deck, lanes, mine, chance, at)
        lanes[mine + RUNS] += tag_of(word)
        state = np.uint64(entry & np.uint32(ROW_MASK))
        if plans.size:
            plan = looked_up(plans, lanes[mine + CARDS] - there - 1, lanes[mine + RUNS])
            state += np.uint64(plan) * np.uint64(plan_size)
        entry = table[state + np.uint64(symbol_of(word))]
        at += 1
        field = np.int64(field_of(entry, np.uint64(FIELD_MASK)))
        if entry & np.uint32(ASKS):
            break
    return np.int64(at), field


@inlined
def _drawn(deck, lanes, mine, chance, at):
    """The card behind those that are gone comes to this place; it is shuffled if it is not yet."""
    there = at + lanes[mine + GONE]
    if there >= lanes[mine + MIXED]:
        other = there + below(chance, lanes[mine + CARDS] - there)
        deck[there], deck[other] = deck[other], deck[there]
        lanes[mine + MIXED] = there + 1
    deck[at], deck[there] = deck[there], deck[at]
    return deck[at]


@inlined
def _beginning(table, deck, burnt, end):
    """Where the round began that is not over at the end of these cards."""
    began, state = burnt, np.uint64(0)
    for at in range(burnt, end):
        entry = table[state + np.uint64(symbol_of(deck[at]))]
        state = np.uint64(0) if entry & np.uint32(ASKS) else np.uint64(entry & np.uint32(ROW_MASK))
        if state == 0:
            began = at + 1
    return began


# Rounds apart


@apart
def _by_kernel(f, t, desk, chance, by_count, counted, mine, deck, began, now):
    """A round from its first card on, dealt so far up to now, played by the kernel."""
    lanes, marks = desk.lanes, desk.room.marks
    if now <= lanes[mine + PLACE]:
        deck[lanes[mine + PLACE]] = lanes[mine + COVERED]
    _close(deck, lanes, mine, max(now, lanes[mine + PLACE]))
    marks[NEXT], marks[SHUFFLED] = began, lanes[mine + MIXED]
    marks[SIZE], marks[BEHIND] = lanes[mine + CARDS], desk.picks.size - lanes[mine + CARDS]
    marks[REFILLED], marks[RUNNING] = 0, lanes[mine + RUNS]
    for dealt in range(began, now):
        marks[RUNNING] -= tag_of(deck[dealt])
    play_round(f, t, desk.room, deck, chance, by_count, counted.counts)
    lanes[mine + MIXED] = marks[SHUFFLED]
    lanes[mine + COVERED] = deck[lanes[mine + PLACE]]


@inlined
def _close(deck, lanes, mine, begin):
    """What is gone, from this place on, comes behind all other cards."""
    gone = lanes[mine + GONE]
    if gone:
        for one in range(begin, lanes[mine + CARDS] - gone):
            deck[one], deck[one + gone] = deck[one + gone], deck[one]
    lanes[mine + CARDS] -= gone
    lanes[mine + MIXED] -= gone
    lanes[mine + GONE] = 0


@spliced
def _split(table, rare, deck, ends, began, limit):
    """A round whose box splits its first two cards: where it ends, -1 if it is one for the kernel.

    That is so where the cards up to the limit are not enough, and beside a dealer's natural.
    """
    up = np.int64(symbol_of(deck[began + rare[UP_PART]]))
    first = np.int64(symbol_of(deck[began + rare[BOX_PART]]))
    at, many, hangs = play_split(table, rare, deck, ends[HANDS:], began + rare[PARTS], up, first, limit)
    if many < 0:
        return np.int64(-1)
    start = np.uint32(rare[rare[AT_DEALER] + hangs * rare[SYMBOLS] + up])
    entry, at = walk_alone(table, start, deck, at, limit)
    field = np.int64(field_of(entry, np.uint64(FIELD_MASK)))
    if field < FIRST_END or field & 1:
        return np.int64(-1)
    net = np.int64(0)
    for hand in range(HANDS, HANDS + many):
        net += rare[rare[AT_PAYS] + ENDS * (ends[hand] - FIRST_FATE) + field - FIRST_END]
        ends[ends[hand]] += 1
    ends[field] += 1
    ends[WON_NOW] = net
    ends[SPLIT_BOXES] += 1
    ends[SPLIT_CARDS] += at - began
    return np.int64(at)


@spliced
def play_split(table, rare, deck, hands, at, up, first, limit):
    """The hands of a box that is split: where they end, how many they are, what hangs on the dealer's cards.

    There are -1 if it is a box for the kernel.
    """
    symbols = rare[SYMBOLS]
    aces = np.int64(first == rare[ACE])
    most = rare[MOST_ACES] if aces else rare[MOST_OTHERS]
    many, played, hangs = np.int64(2), 0, np.int64(0)
    while played < many:
        start = ((2 * aces + np.int64(many >= most)) * symbols + up) * symbols + first
        entry, at = walk_alone(table, np.uint32(rare[rare[AT_SPLITS] + start]), deck, at, limit)
        field = np.int64(field_of(entry, np.uint64(FIELD_MASK)))
        if field == SPLITS:
            many += 1
        elif field < FIRST_FATE:
            return at, np.int64(-1), hangs
        else:
            hands[played] = field
            hangs = max(hangs, rare[rare[AT_HANGS] + field - FIRST_FATE])
            played += 1
    return at, many, hangs


@spliced
def walk_alone(table, entry, deck, at, limit):
    """From an entry on until the first state comes again, or the limit: the last entry, and where that is."""
    while entry & np.uint32(ROW_MASK) and at < limit:
        entry = table[np.uint64(entry & np.uint32(ROW_MASK)) + np.uint64(symbol_of(deck[at]))]
        at += 1
    return entry, at


# Counting


@inlined
def _count_lane(outcomes, desk, lane, burnt, counted):
    """A shoe is over."""
    lanes, mine, fields = desk.lanes, LANE * lane, desk.seen.size // LANES
    rounds, won = lanes[mine + ROUNDS_APART], lanes[mine + WON_APART]
    for outcome in range(outcomes.shape[0]):
        field = FIRST_OUTCOME + outcome
        many = np.int64(desk.seen[lane * fields + field])
        desk.seen[lane * fields + field] = 0
        desk.ends[field] += many
        rounds += many
        won += many * outcomes[outcome, 0]
    counted.counts[DEALT] += lanes[mine + ENDED] - burnt - lanes[mine + DEALT_APART]
    count_shoe(counted.sums, rounds, won)


@inlined
def _count_noted(outcomes, desk, by_count, lane, burnt, counted):
    """A shoe is over whose rounds were noted: each is counted by the count before it."""
    lanes, mine, size = desk.lanes, LANE * lane, desk.picks.size
    won_at, kinds = desk.room.won_at, outcomes.shape[0]
    at, left, running, rounds_apart = burnt, size - burnt, by_count.play_start, 0
    won, low, high, begin = 0, COUNT_ROWS, 0, lane * (size + 1)
    for place in range(begin, begin + lanes[mine + NOTED]):
        noted = desk.noted[np.uint64(place)]
        row = looked_up(by_count.rows, left, running)
        field = np.int64(field_of(np.uint32(noted >> np.uint64(32)), np.uint64(FIELD_MASK)))
        if field == SPLITS:
            apart_at = 2 * (lane * size + rounds_apart)
            gain = desk.aparts[apart_at]
            left -= desk.aparts[apart_at + 1]
            rounds_apart += 1
            count_at(counted.by_count, row, gain)
        else:
            gain = outcomes[field - FIRST_OUTCOME, 0]
            desk.at_counts[kinds * row + field - FIRST_OUTCOME] += 1
        won += gain
        won_at[row] += gain
        low, high = min(low, row), max(high, row)
        last = np.int64(np.uint32(noted) >> np.uint32(NOTED_SHIFT))
        running = np.int64(noted & np.uint64((1 << NOTED_SHIFT) - 1)) - MOST_RUNNING
        left -= last + 1 - at
        at = last + 1
    rounds = lanes[mine + NOTED]
    counted.counts[DEALT] += lanes[mine + ENDED] - burnt - lanes[mine + DEALT_APART]
    count_shoe(counted.sums, rounds, won)
    count_products(counted.products, won_at, low, high, rounds)


@inlined
def count_rounds(machine, desk, counted):
    """The rounds that the machines played."""
    results, counts, ends, kinds = counted.results, counted.counts, desk.ends, machine.outcomes.shape[0]
    middle = results.size // 2
    for place in range(desk.at_counts.size):
        many, outcome = desk.at_counts[place], place % kinds
        if many:
            ends[FIRST_OUTCOME + outcome] += many
            count_at(counted.by_count, place // kinds, machine.outcomes[outcome, 0], many)
    for outcome in range(kinds):
        many, won = ends[FIRST_OUTCOME + outcome], machine.outcomes[outcome, 0]
        results[min(max(middle + won, 0), results.size - 1)] += many
        counted.sums[ROUND_WON_2] += many * won * won
        for count in range(COUNTS):
            counts[count] += many * machine.outcomes[outcome, 1 + count]
    count_ends(machine.fates, ends, counts)
    desk.at_counts[:] = 0


@inlined
def count_ends(fates, ends, counts):
    """How boxes and hands that were played alone ended, and the dealer beside them."""
    for fate in range(fates.shape[0]):
        for count in range(COUNTS):
            counts[count] += ends[FIRST_FATE + fate] * fates[fate, 1 + count]
    for end in range(ENDS):
        count_dealer(end >> 1, end & 1, counts, ends[FIRST_END + end])
    counts[COUNT_SPLITS] += ends[SPLIT_BOXES]
    counts[DEALT] += ends[SPLIT_CARDS]
    ends[:] = 0
