"""Many shoes of one box, four at a time under one index, each card a step of the machine.

A machine waits for one entry of its table before it can ask for the next; four of them side by side wait
together. All lanes read the card at the same place. Where a round is left to somebody else, the cards that it
took beyond that place are put behind all others, and so the next card lies at the next place again. The
cutting card is a symbol like any other, written over the card at its place.
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
    ASKS,
    CUT,
    ENDS,
    FIELD_MASK,
    FIELDS,
    FIRST_END,
    FIRST_FATE,
    FIRST_OUTCOME,
    KERNEL,
    ROW_BITS,
    ROW_MASK,
    SPLITS,
    Machine,
)
from croupier.simulate.shoe import (
    BEHIND,
    NEXT,
    RAN_OUT,
    REFILLED,
    SHUFFLED,
    SIZE,
    below,
    compiled,
    inlined,
    shuffle,
    symbol_of,
)
from croupier.simulate.tables import MOST_HANDS

LANES = 4

# Of a lane: where the cutting card lies and what it covers, how many cards there are, up to where they are
# shuffled; where it has come to an end, and cards that are counted apart; rounds that others played, and what
# they won.
PLACE, COVERED, CARDS, MIXED, ENDED, COUNTED_APART, ROUNDS_APART, WON_APART = range(8)
LANE = 8


class Desk(NamedTuple):
    """What lanes are played on."""

    room: Room
    decks: Array  # one behind another, with room for the cutting card behind each
    symbols: Array  # the same memory, byte by byte
    picks: Array
    lanes: Array
    seen: Array  # [lane, what there is to note], for the shoes at hand
    total: Array  # and for all
    entries: Array  # of the lanes, where one of them asks
    hands: Array  # how the hands of a split ended


def desk_for(words: Array, machine: Machine) -> Desk:
    decks = np.tile(np.append(words, np.uint32(0)), LANES)
    fields = FIRST_OUTCOME + len(machine.outcomes)
    return Desk(
        room=room_for(1),
        decks=decks,
        symbols=decks.view(np.uint8),
        picks=np.zeros(len(words), np.uint32),
        lanes=np.zeros(LANE * LANES, np.int64),
        seen=np.zeros(LANES * fields, np.int64),
        total=np.zeros(FIELDS, np.int64),
        entries=np.zeros(LANES, np.uint32),
        hands=np.zeros(MOST_HANDS, np.int64),
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
    count_rounds(machine, desk.total, counted)
    return True


@inlined
def lay_out(lanes, lane, deck, size, place, mixed, width):
    """A shoe with its cutting card."""
    at = LANE * lane
    lanes[at + PLACE], lanes[at + COVERED] = place, deck[place]
    lanes[at + CARDS], lanes[at + MIXED] = size, mixed
    lanes[at + COUNTED_APART] = lanes[at + ROUNDS_APART] = lanes[at + WON_APART] = 0
    deck[place] = width - 1


@compiled
def run_lanes(f, t, machine, desk, chance, burnt, counted):
    """The shoes that are laid out, to their ends."""
    table, symbols, seen, lanes = machine.table, desk.symbols, desk.seen, desk.lanes
    stride = np.uint64(4 * (desk.picks.size + 1))
    fields = np.uint64(seen.size // LANES)
    last = 0
    for lane in range(LANES):
        last = max(last, lanes[LANE * lane + PLACE])
    row, asks, mask = np.uint32(ROW_MASK), np.uint32(ASKS), np.uint64(FIELD_MASK)
    s0 = s1 = s2 = s3 = np.uint64(0)
    for at in range(burnt, last + 1):
        here = np.uint64(4 * at)
        e0 = table[s0 + np.uint64(symbols[here])]
        e1 = table[s1 + np.uint64(symbols[here + stride])]
        e2 = table[s2 + np.uint64(symbols[here + stride + stride])]
        e3 = table[s3 + np.uint64(symbols[here + stride + stride + stride])]
        s0, s1, s2, s3 = np.uint64(e0 & row), np.uint64(e1 & row), np.uint64(e2 & row), np.uint64(e3 & row)
        seen[_field(e0, mask)] += 1
        seen[fields + _field(e1, mask)] += 1
        seen[fields + fields + _field(e2, mask)] += 1
        seen[fields + fields + fields + _field(e3, mask)] += 1
        if (e0 | e1 | e2 | e3) & asks:
            entries = desk.entries
            entries[0], entries[1], entries[2], entries[3] = e0, e1, e2, e3
            for lane in range(LANES):
                if entries[lane] & asks:
                    entries[lane] = _asked(
                        f, t, machine, desk, chance, burnt, counted, lane, entries[lane], at
                    )
                entries[lane] &= row
            s0, s1 = np.uint64(entries[0]), np.uint64(entries[1])
            s2, s3 = np.uint64(entries[2]), np.uint64(entries[3])
    if desk.room.marks[RAN_OUT]:
        return False
    for lane in range(LANES):
        _count_lane(machine.outcomes, desk, lane, burnt, counted)
    return True


@inlined
def _field(entry, mask):
    return np.uint64(entry >> np.uint32(ROW_BITS)) & mask


@inlined
def _asked(f, t, machine, desk, chance, burnt, counted, lane, entry, at):
    """The cutting card, a split or a round for the kernel: the state with which the lane goes on."""
    lanes, mine = desk.lanes, LANE * lane
    size = desk.picks.size
    deck = desk.decks[lane * (size + 1) : (lane + 1) * (size + 1)]
    field = np.int64(_field(entry, np.uint64(FIELD_MASK)))
    deck[lanes[mine + PLACE]] = lanes[mine + COVERED]
    if field == CUT:
        state = np.uint64(entry & np.uint32(ROW_MASK))
        _finish(f, t, machine, desk, chance, burnt, counted, lane, deck, state, at)
        return np.uint32(machine.idle)
    dealt = t.parts if field == SPLITS else field - KERNEL
    end = _apart(f, t, machine, desk, chance, counted, lane, deck, at + 1 - dealt, field)
    lanes[mine + COUNTED_APART] += dealt
    gone = end - at - 1
    place = lanes[mine + PLACE] - gone
    if place <= at or desk.room.marks[REFILLED]:
        lanes[mine + ENDED] = at + 1
        return np.uint32(machine.idle)
    _put_behind(deck, desk.picks, at + 1, lanes[mine + CARDS], gone)
    lanes[mine + CARDS] -= gone
    lanes[mine + MIXED] -= gone
    lanes[mine + PLACE], lanes[mine + COVERED] = place, deck[place]
    deck[place] = machine.width - 1
    return np.uint32(0)


@inlined
def _put_behind(deck, room, begin, end, gone):
    """So many cards from the front of a stretch to its end."""
    _copy(deck[begin:end], room, end - begin)
    _copy(room[gone:], deck[begin:], end - begin - gone)
    _copy(room, deck[end - gone :], gone)


@compiled
def _copy(source, target, many):
    for place in range(many):
        target[place] = source[place]


@inlined
def _finish(f, t, machine, desk, chance, burnt, counted, lane, deck, state, at):
    """The cutting card has come: the round in which it did is played to its end."""
    lanes, mine, began = desk.lanes, LANE * lane, -1
    field = FIRST_OUTCOME
    while state != 0:
        if at == lanes[mine + CARDS]:
            began, field = _beginning(machine.table, deck, burnt, at), KERNEL
            break
        entry = machine.table[state + np.uint64(_drawn(deck, lanes, mine, chance, at))]
        at += 1
        field = np.int64(_field(entry, np.uint64(FIELD_MASK)))
        desk.seen[lane * (desk.seen.size // LANES) + field] += 1
        if entry & np.uint32(ASKS):
            began = at - (t.parts if field == SPLITS else field - KERNEL)
            break
        state = np.uint64(entry & np.uint32(ROW_MASK))
    if began >= 0:
        _apart(f, t, machine, desk, chance, counted, lane, deck, began, field)
        at = began
    lanes[mine + ENDED] = at


@inlined
def _drawn(deck, lanes, mine, chance, at):
    """The symbol of the card at a place, which is shuffled if it is not yet."""
    if at >= lanes[mine + MIXED]:
        other = at + below(chance, lanes[mine + CARDS] - at)
        deck[at], deck[other] = deck[other], deck[at]
        lanes[mine + MIXED] = at + 1
    return symbol_of(deck[at])


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


@inlined
def _apart(f, t, machine, desk, chance, counted, lane, deck, began, field):
    """A round from its first card on, by the machines for splits or else by the kernel: where it ends."""
    end = -1
    if field == SPLITS and not t.gives_back:
        end = _split(f, t, machine, desk, chance, counted, LANE * lane, deck, began)
    if end < 0:
        end = _by_kernel(f, t, desk, chance, counted, LANE * lane, deck, began)
    desk.lanes[LANE * lane + ROUNDS_APART] += 1
    desk.lanes[LANE * lane + WON_APART] += count_results(desk.room.nets, counted)
    return end


@compiled
def _by_kernel(f, t, desk, chance, counted, mine, deck, began):
    lanes, marks = desk.lanes, desk.room.marks
    marks[NEXT], marks[SHUFFLED] = began, lanes[mine + MIXED]
    marks[SIZE], marks[BEHIND] = lanes[mine + CARDS], desk.picks.size - lanes[mine + CARDS]
    marks[REFILLED] = 0
    play_round(f, t, desk.room, deck, chance, counted.counts)
    lanes[mine + MIXED] = marks[SHUFFLED]
    return marks[NEXT]


@inlined
def _split(f, t, machine, desk, chance, counted, mine, deck, began):
    """A round whose box splits its first two cards; -1 if it is one for the kernel."""
    lanes, table, hands = desk.lanes, machine.table, desk.hands
    desk.room.marks[REFILLED] = 0
    up = first = 0
    for part in range(t.parts):
        symbol = np.int64(symbol_of(deck[began + part]))
        if f[t.order + part]:
            first = symbol
        else:
            up = symbol
    aces = first == machine.ace
    most = t.most_aces if aces else t.most_hands
    at, many, played, hangs = began + t.parts, 2, 0, 0
    while played < many:
        state = np.uint64(machine.splits[np.int64(aces), np.int64(many >= most), up, first])
        entry = np.uint32(0)
        while state != 0:
            if at == lanes[mine + CARDS]:
                return -1
            entry = table[state + np.uint64(_drawn(deck, lanes, mine, chance, at))]
            state = np.uint64(entry & np.uint32(ROW_MASK))
            at += 1
        field = np.int64(_field(entry, np.uint64(FIELD_MASK)))
        if field == SPLITS:
            many += 1
        elif field < FIRST_FATE:
            return -1
        else:
            hands[played] = field - FIRST_FATE
            hangs = max(hangs, machine.fates[field - FIRST_FATE, 0])
            played += 1
    entry = machine.dealer[hangs, up]
    state = np.uint64(entry & np.uint32(ROW_MASK))
    while state != 0:
        if at == lanes[mine + CARDS]:
            return -1
        entry = table[state + np.uint64(_drawn(deck, lanes, mine, chance, at))]
        state = np.uint64(entry & np.uint32(ROW_MASK))
        at += 1
    end = np.int64(_field(entry, np.uint64(FIELD_MASK))) - FIRST_END
    if end & 1:
        return -1
    net = 0
    for hand in range(many):
        net += machine.pays[hands[hand], end]
        desk.total[FIRST_FATE + hands[hand]] += 1
    desk.total[FIRST_END + end] += 1
    desk.room.nets[0] = net
    counted.counts[COUNT_SPLITS] += 1
    counted.counts[DEALT] += at - began
    return at


# Counting


@inlined
def _count_lane(outcomes, desk, lane, burnt, counted):
    """A shoe is over."""
    lanes, mine, fields = desk.lanes, LANE * lane, desk.seen.size // LANES
    rounds, won = lanes[mine + ROUNDS_APART], lanes[mine + WON_APART]
    for outcome in range(outcomes.shape[0]):
        field = FIRST_OUTCOME + outcome
        many = desk.seen[lane * fields + field]
        desk.seen[lane * fields + field] = 0
        desk.total[field] += many
        rounds += many
        won += many * outcomes[outcome, 0]
    counted.counts[DEALT] += lanes[mine + ENDED] - burnt - lanes[mine + COUNTED_APART]
    count_shoe(counted.sums, rounds, won)


@inlined
def count_rounds(machine, total, counted):
    """The rounds that the machines played."""
    results, counts = counted.results, counted.counts
    middle = results.size // 2
    for outcome in range(machine.outcomes.shape[0]):
        many, won = total[FIRST_OUTCOME + outcome], machine.outcomes[outcome, 0]
        results[min(max(middle + won, 0), results.size - 1)] += many
        counted.sums[ROUND_WON_2] += many * won * won
        for count in range(COUNTS):
            counts[count] += many * machine.outcomes[outcome, 1 + count]
    for fate in range(machine.fates.shape[0]):
        for count in range(COUNTS):
            counts[count] += total[FIRST_FATE + fate] * machine.fates[fate, 1 + count]
    for end in range(ENDS):
        for _ in range(total[FIRST_END + end]):
            count_dealer(end >> 1, end & 1, counts)
    total[:] = 0
