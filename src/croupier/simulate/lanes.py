"""Many shoes of one box, four at a time under one index, each card a step of the machine.

A machine waits for one entry of its table before it can ask for the next; four of them side by side wait
together. All lanes read the card at the same place. The cutting card is a symbol like any other, written over
the card at its place.

A round that asks for something, such as a pair that is split again, is played to its end at once (`box.py`),
and the lane then passes over the cards that it took. So is the round in which the cutting card comes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.hands import Array
from croupier.simulate.box import (
    BOX,
    MANY,
    OVER,
    begin_box,
    dealer_begins,
    field_of,
    go_on,
    is_split_again,
    settle,
    split_once,
)
from croupier.simulate.kernel import (
    BONUSES,
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
    count_result,
    count_results,
    count_shoe,
    looked_up,
    no_count_at,
    play_round,
    room_for,
)
from croupier.simulate.kernel import SPLITS as COUNT_SPLITS
from croupier.simulate.machine import (
    ASKS,
    ENDED_BIT,
    FIRST_PART,
    PARTS,
    ROW_BITS,
    ROW_MASK,
    SECOND_PART,
    UP_PART,
    Machine,
)
from croupier.simulate.search import (
    CUT,
    ENDS,
    FIELDS,
    FIRST_END,
    FIRST_FATE,
    FIRST_OUTCOME,
    SPLITS,
    THREE_SUITS,
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
    bare,
    below,
    compiled,
    inlined,
    shuffle,
    symbol_of,
    tag_of,
)

LANES = 4
SEEN = FIELDS + 24  # words a lane: with 4096 bytes the processor would take one lane's for another's
NOTED_SHIFT = 12  # of a round that is noted: below it the running count

# Of a lane: where the cutting card lies and what it covers; up to where the cards are shuffled; where its
# play has come to an end, and a place before which all rounds are over; rounds that are no outcomes of the
# machine, and what they won; the running count, and how many rounds are noted; then the marks of the box.
PLACE, COVERED, MIXED, ENDED, BEFORE, ROUNDS_APART, WON_APART, RUNS, NOTED, HELD = range(10)
LANE = HELD + BOX


class Desk(NamedTuple):
    """What lanes are played on."""

    room: Room
    decks: Array  # one behind another, with room for the cutting card behind each
    picks: Array
    lanes: Array
    entries: Array  # at which the lanes have come
    seen: Array  # [lane, what there is to note]
    before: Array  # [lane]: rounds that were seen in earlier shoes, and what they won
    wins: Array  # [outcome]
    ends: Array  # the same for all shoes, and how hands that were split ended
    noted: Array  # [lane, round]: its last card, the running count behind it, how it ended
    aparts: Array  # [lane, round that is no outcome of the machine]: what it won
    at_counts: Array  # [row of a count, outcome]


def desk_for(words: Array, machine: Machine) -> Desk:
    outcomes = len(machine.outcomes)
    return Desk(
        room=room_for(1),
        decks=np.tile(np.append(words, np.uint32(0)), LANES),
        picks=np.zeros(len(words), np.uint32),
        lanes=np.zeros(LANE * LANES, np.int64),
        entries=np.zeros(LANES, np.uint32),
        seen=np.zeros(LANES * SEEN, np.uint32),
        before=np.zeros(2 * LANES, np.int64),
        wins=machine.outcomes[:, 0].copy(),
        ends=np.zeros(FIELDS, np.int64),
        noted=np.zeros(LANES * (len(words) + 1), np.uint64),
        aparts=np.zeros(LANES * len(words), np.int64),
        at_counts=np.zeros(COUNT_ROWS * outcomes, np.int64),
    )


@inlined
def lay_out(lanes, lane, deck, place, mixed, width):
    """A shoe with its cutting card, which counts nothing."""
    mine = LANE * lane
    for mark in range(HELD):
        lanes[mine + mark] = 0
    lanes[mine + HELD + MANY] = 0
    lanes[mine + MIXED], lanes[mine + PLACE], lanes[mine + COVERED] = mixed, place, deck[place]
    deck[place] = NO_TAG << TAG_SHIFT | width - 1


@compiled
def play_lanes(flat, t, machine, desk, chance, by_count, shoes, burnt, back, counted):
    """So many shoes, in fours, or none but those laid out.

    False if the cards ran out where the rules provide nothing for that. What is done for every four shoes or
    more often is not handed all that there is: that would take longer than to do it.
    """
    lanes, entries, rare, f = bare(desk.lanes), bare(desk.entries), bare(machine.rare), bare(flat)
    table, plans, hands, ends = bare(machine.table), by_count.plans, bare(desk.room.notes), bare(desk.ends)
    size, notes = desk.picks.size, by_count.bets.tags.size > 0
    asks, row = np.uint32(ASKS), np.uint32(ROW_MASK)
    for _ in range(max(shoes // LANES, 1)):
        last = 0
        for lane in range(LANES):
            mine = LANE * lane
            if shoes:
                place = max(size - back[0] - below(chance, back[1] - back[0] + 1), burnt)
                deck = desk.decks[lane * (size + 1) : (lane + 1) * (size + 1)]
                shuffle(deck, size, place, chance, desk.picks)
                lay_out(lanes, lane, deck, place, place, machine.width)
            last = max(last, lanes[mine + PLACE])
            lanes[mine + BEFORE], lanes[mine + RUNS] = burnt, by_count.play_start
            entries[lane] = 0
        at = _on(machine, desk, by_count, notes, burnt, last + 1)
        while at <= last:
            for lane in range(LANES):
                entry, mine, now = entries[lane], LANE * lane, at + 1
                if not entry & asks:
                    continue
                deck = bare(desk.decks[lane * (size + 1) :])
                box, running, over = mine + HELD, lanes[mine + RUNS], field_of(entry) == np.uint64(CUT)
                if over:
                    now, entry = at, entry & row
                while entry:
                    if field_of(entry) >= np.uint64(FIRST_END):
                        ended = np.int64(field_of(entry))
                        won, bonuses = settle(f, t, rare, hands, lanes, box, ended, ends)
                        ends[ended] += 1
                        counted.counts[COUNT_SPLITS] += 1
                        counted.counts[BONUSES] += bonuses
                        _count_apart(desk, counted, lane, now, running, won)
                        entry = OVER
                    elif entry & asks:
                        if lanes[box + MANY] == 0 and is_split_again(entry):
                            split_once(f, rare, deck, lanes, box, entry, now)
                        elif lanes[box + MANY] == 0:
                            _look_back(rare, deck, lanes, mine, now, entry)
                        entry = go_on(f, rare, deck, lanes, box, entry, now)
                        if entry == OVER:
                            entry = dealer_begins(f, t, rare, hands, lanes, box)
                    elif _has_ended(entry):
                        _note(desk, lane, now - 1, running, np.int64(field_of(entry)))
                        entry = OVER
                    elif now == size:
                        now = _beginning(table, deck, desk, lane, notes, burnt, now)
                        _by_kernel(flat, t, desk, chance, by_count, counted, lane, now, running)
                        over, entry = True, OVER
                    else:
                        word = _drawn(deck, lanes, mine, chance, now, size)
                        running += tag_of(word)
                        state = np.uint64(entry & row)
                        if plans.size:
                            plan = looked_up(plans, size - now - 1, running)
                            state += np.uint64(plan) * np.uint64(machine.plan_size)
                        entry = table[state + np.uint64(symbol_of(word))]
                        now += 1
                lanes[box + MANY], lanes[mine + BEFORE] = 0, now
                entries[lane] = machine.idle + machine.width * (now - at - 1) if now > at + 1 else 0
                if over or now > lanes[mine + PLACE]:
                    deck[lanes[mine + PLACE]] = lanes[mine + COVERED]
                    lanes[mine + ENDED], entries[lane] = now, machine.idle
            at = _on(machine, desk, by_count, notes, at + 1, last + 1)
        if desk.room.marks[RAN_OUT]:
            return False
        for lane in range(LANES):
            if notes:
                _count_noted(machine.outcomes, desk, by_count, lane, burnt, counted)
            else:
                _count_lane(desk, lane, burnt, counted)
    count_rounds(machine, desk, notes, counted)
    return True


@inlined
def _on(machine, desk, by_count, notes, begin, end):
    stride, walked = (
        np.uint64(desk.picks.size + 1),
        (bare(machine.table), bare(desk.decks), bare(desk.entries)),
    )
    if notes:
        room = bare(desk.lanes), bare(desk.noted), bare(by_count.plans)
        by_plan = by_count.plans.size > 0
        return walk_noting(*walked, *room, by_plan, machine.plan_size, stride, begin, end)
    return walk(*walked, bare(desk.seen), stride, begin, end)


@apart
def walk(table, decks, entries, seen, stride, begin, end):
    """Card after card until a lane asks, and at which card that was."""
    fields = np.uint64(SEEN)
    row, asks, one = np.uint32(ROW_MASK), np.uint32(ASKS), np.uint32(1)
    s0, s1 = np.uint64(entries[0] & row), np.uint64(entries[1] & row)
    s2, s3 = np.uint64(entries[2] & row), np.uint64(entries[3] & row)
    for at in range(np.uint64(begin), np.uint64(end)):
        e0 = table[s0 + np.uint64(symbol_of(decks[at]))]
        e1 = table[s1 + np.uint64(symbol_of(decks[at + stride]))]
        e2 = table[s2 + np.uint64(symbol_of(decks[at + stride + stride]))]
        e3 = table[s3 + np.uint64(symbol_of(decks[at + stride + stride + stride]))]
        s0, s1, s2, s3 = np.uint64(e0 & row), np.uint64(e1 & row), np.uint64(e2 & row), np.uint64(e3 & row)
        seen[field_of(e0)] += one
        seen[fields + field_of(e1)] += one
        seen[fields + fields + field_of(e2)] += one
        seen[fields + fields + fields + field_of(e3)] += one
        if (e0 | e1 | e2 | e3) & asks:
            entries[0], entries[1], entries[2], entries[3] = e0, e1, e2, e3
            return np.int64(at)
    return np.int64(end)


@apart
def walk_noting(table, decks, entries, lanes, noted, plans, by_plan, plan_size, stride, begin, end):
    """The same, with the running count, by which one plan or another is played, and every round noted."""
    row, asks = np.uint32(ROW_MASK), np.uint32(ASKS)
    s0, s1 = np.uint64(entries[0] & row), np.uint64(entries[1] & row)
    s2, s3 = np.uint64(entries[2] & row), np.uint64(entries[3] & row)
    r0, r1, r2, r3 = lanes[RUNS], lanes[LANE + RUNS], lanes[2 * LANE + RUNS], lanes[3 * LANE + RUNS]
    n0, n1 = np.uint64(lanes[NOTED]), stride + np.uint64(lanes[LANE + NOTED])
    n2 = stride + stride + np.uint64(lanes[2 * LANE + NOTED])
    n3 = stride + stride + stride + np.uint64(lanes[3 * LANE + NOTED])
    middle = no_count_at(np.int64(stride) - begin - 2)  # cards left behind the one at hand
    at, found = np.uint64(begin), np.int64(end)
    while at < np.uint64(end):
        w0, w1 = decks[at], decks[at + stride]
        w2, w3 = decks[at + stride + stride], decks[at + stride + stride + stride]
        r0, r1, r2, r3 = r0 + tag_of(w0), r1 + tag_of(w1), r2 + tag_of(w2), r3 + tag_of(w3)
        if by_plan:
            s0 += np.uint64(plans[np.uint64(middle + r0)]) * np.uint64(plan_size)
            s1 += np.uint64(plans[np.uint64(middle + r1)]) * np.uint64(plan_size)
            s2 += np.uint64(plans[np.uint64(middle + r2)]) * np.uint64(plan_size)
            s3 += np.uint64(plans[np.uint64(middle + r3)]) * np.uint64(plan_size)
            middle -= RUNNING_ROW
        e0 = table[s0 + np.uint64(symbol_of(w0))]
        e1 = table[s1 + np.uint64(symbol_of(w1))]
        e2 = table[s2 + np.uint64(symbol_of(w2))]
        e3 = table[s3 + np.uint64(symbol_of(w3))]
        s0, s1, s2, s3 = np.uint64(e0 & row), np.uint64(e1 & row), np.uint64(e2 & row), np.uint64(e3 & row)
        noted[n0], noted[n1] = noted_as(at, r0, e0), noted_as(at, r1, e1)
        noted[n2], noted[n3] = noted_as(at, r2, e2), noted_as(at, r3, e3)
        n0, n1 = n0 + _has_ended(e0), n1 + _has_ended(e1)
        n2, n3 = n2 + _has_ended(e2), n3 + _has_ended(e3)
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
def noted_as(at, running, entry):
    """A round as one word: its last card, the running count behind it, how it ended."""
    place = np.uint64(at) << np.uint64(NOTED_SHIFT)
    return np.uint64(entry) << np.uint64(32) | place | np.uint64(running + MOST_RUNNING)


@inlined
def _place_of(noted):
    return np.int64(np.uint32(noted) >> np.uint32(NOTED_SHIFT))


@inlined
def _has_ended(entry):
    return np.uint64((entry >> np.uint32(ENDED_BIT)) & np.uint32(1))


@inlined
def _note(desk, lane, at, running, field):
    mine = LANE * lane
    place = lane * (desk.picks.size + 1) + desk.lanes[mine + NOTED]
    desk.noted[place] = noted_as(at, running, np.uint32(field << ROW_BITS))
    desk.lanes[mine + NOTED] += 1
    if field != SPLITS:
        desk.seen[lane * SEEN + field] += np.uint32(1)


@inlined
def _look_back(rare, deck, lanes, mine, now, entry):
    """The first cards of the round in which an entry asks for the first time."""
    began = now - rare[PARTS] - (field_of(entry) == np.uint64(THREE_SUITS))
    up, first, second = rare[UP_PART], rare[FIRST_PART], rare[SECOND_PART]
    begin_box(lanes, mine + HELD, symbol_of(deck[began + up]), deck[began + first], deck[began + second])
    lanes[mine + BEFORE] = began


@inlined
def _drawn(deck, lanes, mine, chance, at, size):
    """The card at this place, which is shuffled if it is not yet."""
    if at == lanes[mine + PLACE]:
        deck[at] = lanes[mine + COVERED]
    if at >= lanes[mine + MIXED]:
        other = at + below(chance, size - at)
        deck[at], deck[other] = deck[other], deck[at]
        lanes[mine + MIXED] = at + 1
    if at == lanes[mine + PLACE]:
        lanes[mine + COVERED] = deck[at]
    return deck[at]


@apart
def _beginning(table, deck, desk, lane, notes, burnt, end):
    """Where the round began that is not over at the end of these cards."""
    lanes, mine, entry = desk.lanes, LANE * lane, np.uint32(0)
    if notes:
        last = lane * (desk.picks.size + 1) + lanes[mine + NOTED] - 1
        return _place_of(desk.noted[last]) + 1 if lanes[mine + NOTED] else burnt
    began = lanes[mine + BEFORE]
    for at in range(began, end):
        entry = table[np.uint64(entry & np.uint32(ROW_MASK)) + np.uint64(symbol_of(deck[at]))]
        if entry & np.uint32(ASKS):
            break
        if not entry & np.uint32(ROW_MASK):
            began = at + 1
    return began


@apart
def _by_kernel(f, t, desk, chance, by_count, counted, lane, began, running):
    """The last round of a shoe whose cards are not enough for it, from its first card on."""
    marks, size = desk.room.marks, desk.picks.size
    deck = desk.decks[lane * (size + 1) : lane * (size + 1) + size]
    marks[NEXT], marks[SHUFFLED], marks[SIZE] = began, size, size
    marks[BEHIND], marks[REFILLED], marks[RUNNING] = 0, 0, running
    for dealt in range(began, size):
        marks[RUNNING] -= tag_of(deck[dealt])
    play_round(f, t, desk.room, deck, chance, by_count, counted.counts)
    _count_apart(desk, counted, lane, began + 1, running, desk.room.nets[0])


# Counting


@inlined
def _count_apart(desk, counted, lane, now, running, won):
    """A round that is no outcome of the machine is over, the next card being at this place."""
    mine = LANE * lane
    desk.room.nets[0] = won
    count_results(desk.room.nets, counted)
    desk.aparts[lane * desk.picks.size + desk.lanes[mine + ROUNDS_APART]] = won
    desk.lanes[mine + ROUNDS_APART] += 1
    desk.lanes[mine + WON_APART] += won
    _note(desk, lane, now - 1, running, SPLITS)


@inlined
def _count_lane(desk, lane, burnt, counted):
    """A shoe is over: what was seen of it is what was not seen before."""
    lanes, mine, before = bare(desk.lanes), LANE * lane, bare(desk.before)
    seen, wins = bare(desk.seen[lane * SEEN + FIRST_OUTCOME :]), bare(desk.wins)
    rounds, won = np.int64(0), np.int64(0)
    for outcome in range(np.uint64(desk.wins.size)):
        rounds += np.int64(seen[outcome])
        won += np.int64(seen[outcome]) * wins[outcome]
    new_rounds, new_won = rounds - before[2 * lane], won - before[2 * lane + 1]
    before[2 * lane], before[2 * lane + 1] = rounds, won
    counted.counts[DEALT] += lanes[mine + ENDED] - burnt
    count_shoe(counted.sums, lanes[mine + ROUNDS_APART] + new_rounds, lanes[mine + WON_APART] + new_won)


@inlined
def _count_noted(outcomes, desk, by_count, lane, burnt, counted):
    """A shoe is over whose rounds were noted: each is counted by the count before it."""
    lanes, mine, size = desk.lanes, LANE * lane, desk.picks.size
    won_at, kinds = desk.room.won_at, outcomes.shape[0]
    at, running, rounds_apart = burnt, by_count.play_start, 0
    won, low, high, begin = 0, COUNT_ROWS, 0, lane * (size + 1)
    for place in range(begin, begin + lanes[mine + NOTED]):
        noted = desk.noted[np.uint64(place)]
        row = looked_up(by_count.rows, size - at, running)
        field = np.int64(field_of(np.uint32(noted >> np.uint64(32))))
        if field == SPLITS:
            gain = desk.aparts[lane * size + rounds_apart]
            rounds_apart += 1
            count_at(counted.by_count, row, gain)
        else:
            gain = outcomes[field - FIRST_OUTCOME, 0]
            desk.at_counts[kinds * row + field - FIRST_OUTCOME] += 1
        won += gain
        won_at[row] += gain
        low, high = min(low, row), max(high, row)
        running = np.int64(noted & np.uint64((1 << NOTED_SHIFT) - 1)) - MOST_RUNNING
        at = _place_of(noted) + 1
    rounds = lanes[mine + NOTED]
    counted.counts[DEALT] += lanes[mine + ENDED] - burnt
    count_shoe(counted.sums, rounds, won)
    count_products(counted.products, won_at, low, high, rounds)


@inlined
def count_rounds(machine, desk, notes, counted):
    """The rounds that the machines played: as they were seen, or noted at a count."""
    results, counts, ends, kinds = counted.results, counted.counts, desk.ends, desk.wins.size
    for lane in range(LANES):
        for field in range(FIRST_OUTCOME, FIRST_OUTCOME + (0 if notes else kinds)):
            ends[field] += desk.seen[lane * SEEN + field]
    desk.seen[:], desk.before[:] = 0, 0
    for place in range(desk.at_counts.size):
        many, outcome = desk.at_counts[place], place % kinds
        if many:
            ends[FIRST_OUTCOME + outcome] += many
            count_at(counted.by_count, place // kinds, machine.outcomes[outcome, 0], many)
    for outcome in range(kinds):
        many, won = ends[FIRST_OUTCOME + outcome], machine.outcomes[outcome, 0]
        count_result(results, won, many)
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
            counts[count] += ends[FIRST_FATE + fate] * fates[fate, count]
    for end in range(ENDS):
        count_dealer(end >> 1, end & 1, counts, ends[FIRST_END + end])
    ends[:] = 0
