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
    COUNTS,
    DEALT,
    ROUND_WON_2,
    Room,
    count_dealer,
    count_results,
    count_shoe,
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
    ENDS,
    FIELD_MASK,
    FIELDS,
    FIRST_END,
    FIRST_FATE,
    FIRST_OUTCOME,
    KERNEL,
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
    RAN_OUT,
    REFILLED,
    SHUFFLED,
    SIZE,
    apart,
    below,
    compiled,
    inlined,
    shuffle,
    symbol_of,
)
from croupier.simulate.tables import MOST_HANDS

LANES = 4

# Of a lane: where the cutting card lies and what it covers; how many cards that are gone lie from there on;
# where the cards end that are not gone, and up to where they are shuffled; where its play has come to an end,
# and how many cards of rounds apart lie before that; rounds apart, and what they won.
PLACE, COVERED, GONE, CARDS, MIXED, ENDED, DEALT_APART, ROUNDS_APART, WON_APART = range(9)
LANE = 9

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


def desk_for(words: Array, machine: Machine) -> Desk:
    fields = FIRST_OUTCOME + len(machine.outcomes)
    return Desk(
        room=room_for(1),
        decks=np.tile(np.append(words, np.uint32(0)), LANES),
        picks=np.zeros(len(words), np.uint32),
        lanes=np.zeros(LANE * LANES, np.int64),
        entries=np.zeros(LANES, np.uint32),
        seen=np.zeros(LANES * fields, np.uint32),
        ends=np.zeros(HANDS + MOST_HANDS, np.int64),
    )


@compiled
def play_lanes(f, t, machine, desk, chance, shoes, burnt, back, counted):
    """So many shoes, in fours. False if the cards ran out where the rules provide nothing for that."""
    size = desk.picks.size
    for _ in range(shoes // LANES):
        for lane in range(LANES):
            end = size - back[0] - below(chance, back[1] - back[0] + 1)
            deck = desk.decks[lane * (size + 1) : (lane + 1) * (size + 1)]
            shuffle(deck, size, end, chance, desk.picks)
            lay_out(desk.lanes, lane, deck, size, end, end, machine.width)
        if not run_lanes(f, t, machine, desk, chance, burnt, counted):
            return False
    count_rounds(machine, desk.ends, counted)
    return True


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
    lanes[mine + PLACE], lanes[mine + COVERED] = place, deck[place]
    deck[place] = width - 1


@compiled
def run_lanes(f, t, machine, desk, chance, burnt, counted):
    """The shoes that are laid out, to their ends.

    What is seldom done is handed few arrays: to hand on all that there are takes longer than to do it.
    """
    lanes, entries, size = desk.lanes, desk.entries, desk.picks.size
    last = 0
    for lane in range(LANES):
        last = max(last, lanes[LANE * lane + PLACE])
        entries[lane] = 0
    at = walk(machine.table, desk.decks, entries, desk.seen, burnt, last + 1)
    while at <= last:
        for lane in range(LANES):
            entry, mine = entries[lane], LANE * lane
            if not entry & np.uint32(ASKS):
                continue
            deck = desk.decks[lane * (size + 1) : (lane + 1) * (size + 1)]
            field, now = np.int64(field_of(entry, np.uint64(FIELD_MASK))), at + 1
            over = field == CUT
            if over:
                fields = desk.seen.size // LANES
                seen = desk.seen[lane * fields : (lane + 1) * fields]
                now, began = _finish(
                    machine.table, deck, lanes, mine, seen, chance, entry, at, t.parts, burnt
                )
            else:
                began = now - (t.parts if field == SPLITS else field - KERNEL)
            if began >= 0:
                end = -1
                if field == SPLITS and not t.gives_back:
                    end = _split(machine.table, machine.rare, deck, desk.ends, began, lanes[mine + PLACE])
                    desk.room.nets[0] = desk.ends[WON_NOW]
                if end < 0:
                    end = _by_kernel(f, t, desk, chance, counted, mine, deck, began, now)
                    over |= end > lanes[mine + PLACE] or desk.room.marks[REFILLED] != 0
                lanes[mine + DEALT_APART] += now - began
                lanes[mine + ROUNDS_APART] += 1
                lanes[mine + WON_APART] += count_results(desk.room.nets, counted)
                if not over:
                    _leave(deck, lanes, mine, now, end, machine.width)
                    entries[lane] = 0
            if over:
                lanes[mine + ENDED], entries[lane] = now, machine.idle
        at = walk(machine.table, desk.decks, entries, desk.seen, at + 1, last + 1)
    if desk.room.marks[RAN_OUT]:
        return False
    for lane in range(LANES):
        _count_lane(machine.outcomes, desk, lane, burnt, counted)
    return True


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


@inlined
def field_of(entry, mask):
    return np.uint64(entry >> np.uint32(ROW_BITS)) & mask


@inlined
def _leave(deck, lanes, mine, begin, end, width):
    """The cards of these places have left the lane."""
    place = lanes[mine + PLACE]
    deck[place] = lanes[mine + COVERED]
    for step in range(min(end - begin, place - end)):
        one, other = begin + step, place - 1 - step
        deck[one], deck[other] = deck[other], deck[one]
    lanes[mine + GONE] += end - begin
    _cut_at(deck, lanes, mine, place - (end - begin), width)


@apart
def _finish(table, deck, lanes, mine, seen, chance, entry, at, parts, burnt):
    """The cutting card has come at this place: the round in which it did is played to its end.

    Where that is, and -1; or the round is one for the kernel: up to where it is dealt, and where it began.
    """
    deck[at] = lanes[mine + COVERED]
    while entry & np.uint32(ROW_MASK):
        if at + lanes[mine + GONE] == lanes[mine + CARDS]:
            return at, _beginning(table, deck, burnt, at)
        word = _drawn(deck, lanes, mine, chance, at)
        entry = table[np.uint64(entry & np.uint32(ROW_MASK)) + np.uint64(symbol_of(word))]
        at += 1
        field = np.int64(field_of(entry, np.uint64(FIELD_MASK)))
        seen[field] += np.uint32(1)
        if entry & np.uint32(ASKS):
            return at, at - (parts if field == SPLITS else field - KERNEL)
    return at, -1


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
def _by_kernel(f, t, desk, chance, counted, mine, deck, began, now):
    """A round from its first card on, dealt so far up to now, played by the kernel: where it ends."""
    lanes, marks = desk.lanes, desk.room.marks
    if now <= lanes[mine + PLACE]:
        deck[lanes[mine + PLACE]] = lanes[mine + COVERED]
    _close(deck, lanes, mine, max(now, lanes[mine + PLACE]))
    marks[NEXT], marks[SHUFFLED] = began, lanes[mine + MIXED]
    marks[SIZE], marks[BEHIND] = lanes[mine + CARDS], desk.picks.size - lanes[mine + CARDS]
    marks[REFILLED] = 0
    play_round(f, t, desk.room, deck, chance, counted.counts)
    lanes[mine + MIXED] = marks[SHUFFLED]
    lanes[mine + COVERED] = deck[lanes[mine + PLACE]]
    return marks[NEXT]


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


@apart
def _split(table, rare, deck, ends, began, limit):
    """A round whose box splits its first two cards: where it ends, -1 if it is one for the kernel.

    That is so where the cards up to the limit are not enough, and beside a dealer's natural.
    """
    symbols = rare[SYMBOLS]
    up, first = (
        np.int64(symbol_of(deck[began + rare[UP_PART]])),
        np.int64(symbol_of(deck[began + rare[BOX_PART]])),
    )
    aces = np.int64(first == rare[ACE])
    most = rare[MOST_ACES] if aces else rare[MOST_OTHERS]
    at, many, played, hangs = began + rare[PARTS], 2, 0, np.int64(0)
    while played < many:
        start = ((2 * aces + np.int64(many >= most)) * symbols + up) * symbols + first
        entry, at = _walk_alone(table, np.uint32(rare[rare[AT_SPLITS] + start]), deck, at, limit)
        field = np.int64(field_of(entry, np.uint64(FIELD_MASK)))
        if field == SPLITS:
            many += 1
        elif field < FIRST_FATE:
            return np.int64(-1)
        else:
            ends[HANDS + played] = field
            hangs = max(hangs, rare[rare[AT_HANGS] + field - FIRST_FATE])
            played += 1
    entry, at = _walk_alone(table, np.uint32(rare[rare[AT_DEALER] + hangs * symbols + up]), deck, at, limit)
    field = np.int64(field_of(entry, np.uint64(FIELD_MASK)))
    end = field - FIRST_END
    if end < 0 or end & 1:
        return np.int64(-1)
    net = np.int64(0)
    for hand in range(many):
        fate = ends[HANDS + hand]
        net += rare[rare[AT_PAYS] + ENDS * (fate - FIRST_FATE) + end]
        ends[fate] += 1
    ends[field] += 1
    ends[WON_NOW] = net
    ends[SPLIT_BOXES] += 1
    ends[SPLIT_CARDS] += at - began
    return np.int64(at)


@inlined
def _walk_alone(table, entry, deck, at, limit):
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
def count_rounds(machine, ends, counted):
    """The rounds that the machines played."""
    results, counts = counted.results, counted.counts
    middle = results.size // 2
    for outcome in range(machine.outcomes.shape[0]):
        many, won = ends[FIRST_OUTCOME + outcome], machine.outcomes[outcome, 0]
        results[min(max(middle + won, 0), results.size - 1)] += many
        counted.sums[ROUND_WON_2] += many * won * won
        for count in range(COUNTS):
            counts[count] += many * machine.outcomes[outcome, 1 + count]
    for fate in range(machine.fates.shape[0]):
        for count in range(COUNTS):
            counts[count] += ends[FIRST_FATE + fate] * machine.fates[fate, 1 + count]
    for end in range(ENDS):
        count_dealer(end >> 1, end & 1, counts, ends[FIRST_END + end])
    counts[COUNT_SPLITS] += ends[SPLIT_BOXES]
    counts[DEALT] += ends[SPLIT_CARDS]
    ends[:] = 0
