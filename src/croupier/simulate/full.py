"""Many shoes of a full table: every box a walk through the machine for boxes, then the dealer's.

Box after box goes on with the next card, so that there are no lanes. A round for which too few cards lie
shuffled is played by the kernel, from its first card on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.hands import Array
from croupier.simulate.box import (
    BOX,
    HANGS,
    MANY,
    begin_box,
    dealer_for,
    field_of,
    go_on,
    hangs_jointly,
    settle,
)
from croupier.simulate.kernel import (
    BONUSES,
    COUNT_ROWS,
    DEALT,
    Room,
    count_at,
    count_products,
    count_results,
    count_shoe,
    looked_up,
    play_round,
    room_for,
)
from croupier.simulate.kernel import SPLITS as COUNT_SPLITS
from croupier.simulate.lanes import count_ends
from croupier.simulate.machine import (
    ASKS,
    AT_BOXES,
    FIELDS,
    FIRST_PART,
    GIVES_BACK,
    JOINTLY,
    ROW_MASK,
    SECOND_PART,
    SYMBOLS,
    UP_PART,
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
    tag_of,
)

AHEAD = 10  # cards a box that lie shuffled before a round begins; if it takes more, the kernel plays it


class FullDesk(NamedTuple):
    """What a full table is played on."""

    room: Room
    deck: Array
    picks: Array
    ends: Array
    held: Array  # the marks of each box


def full_desk_for(words: Array, boxes: int) -> FullDesk:
    return FullDesk(
        room=room_for(boxes),
        deck=words,
        picks=np.zeros(len(words), np.uint32),
        ends=np.zeros(FIELDS, np.int64),
        held=np.zeros(BOX * boxes, np.int64),
    )


@compiled
def play_full(f, t, machine, desk, chance, by_count, shoes, burnt, back, counted):
    """So many shoes. False if the cards ran out where the rules provide nothing for that."""
    deck, room, marks, nets = desk.deck, desk.room, desk.room.marks, desk.room.nets
    size, boxes, counts = deck.size, nets.size, by_count.bets.tags.size > 0
    ahead = min(AHEAD * boxes, size)
    for _ in range(shoes):
        place = size - back[0] - below(chance, back[1] - back[0] + 1)
        shuffle(deck, size, place, chance, desk.picks)
        at, mixed, over = burnt, place, False
        rounds, won, running, low, high = 0, 0, by_count.play_start, COUNT_ROWS, 0
        while at < place and not over:
            if at + ahead > mixed and mixed < size:
                more = min(at + ahead, size) - mixed
                shuffle(deck[mixed:], size - mixed, more, chance, desk.picks)
                mixed += more
            end = round_of(f, t, machine.table, machine.rare, desk, counted.counts, at, mixed)
            if end < 0:
                _by_kernel(f, t, room, deck, chance, by_count, counted.counts, at, mixed)
                if marks[RAN_OUT]:
                    return False
                end, mixed, over = marks[NEXT], marks[SHUFFLED], marks[REFILLED] != 0
            else:
                counted.counts[DEALT] += end - at
            total = count_results(nets, counted)
            rounds += 1
            won += total
            if counts:
                row = looked_up(by_count.rows, size - at, running)
                low, high = min(low, row), max(high, row)
                count_at(counted.by_count, row, total)
                room.won_at[row] += total
                for seen in range(at, min(end, size)):
                    running += tag_of(deck[seen])
            at = end
        count_shoe(counted.sums, rounds, won)
        if counts:
            count_products(counted.products, room.won_at, low, high, rounds)
    count_ends(machine.fates, desk.ends, counted.counts)
    return True


@inlined
def round_of(f, t, table, rare, desk, counts, began, limit):
    """One round: where it ends, -1 if there are not enough cards up to the limit."""
    deck, held, nets, notes, ends = desk.deck, desk.held, desk.room.nets, desk.room.notes, desk.ends
    boxes, symbols, asks, row = nets.size, rare[SYMBOLS], np.uint32(ASKS), np.uint32(ROW_MASK)
    at, hangs = began + 2 * boxes + 1, np.int64(0)
    if at > limit:
        return np.int64(-1)
    up = np.int64(symbol_of(deck[began + boxes * rare[UP_PART]]))
    firsts, seconds = began + rare[FIRST_PART], began + boxes + rare[SECOND_PART] - 1
    for number in range(boxes):
        first, second, box = deck[firsts + number], deck[seconds + number], BOX * number
        begin_box(held, box, up, first, second)
        start = (up * symbols + np.int64(symbol_of(first))) * symbols + np.int64(symbol_of(second))
        entry = np.uint32(rare[rare[AT_BOXES] + start])
        while entry:
            if entry & asks:
                entry = go_on(f, rare, deck, held, box, entry, at)
            elif at < limit:
                entry = table[np.uint64(entry & row) + np.uint64(symbol_of(deck[at]))]
                at += 1
            else:
                return np.int64(-1)
        hangs |= hangs_jointly(f, t, rare, notes, held, box) if rare[GIVES_BACK] else held[box + HANGS]
    entry = dealer_for(rare, hangs & ~JOINTLY, up)
    while not entry & asks:
        if at == limit:
            return np.int64(-1)
        entry = table[np.uint64(entry & row) + np.uint64(symbol_of(deck[at]))]
        at += 1
    end = np.int64(field_of(entry))
    for number in range(boxes):
        box = BOX * number
        nets[number], bonuses = settle(f, t, rare, notes, held, box, end, ends)
        counts[BONUSES] += bonuses
        counts[COUNT_SPLITS] += held[box + MANY] > 1
    ends[end] += 1
    return np.int64(at)


@compiled
def play_one(f, t, machine, desk, counts, began, limit):
    """One round from a shoe whose order is given."""
    return round_of(f, t, machine.table, machine.rare, desk, counts, began, limit)


@apart
def _by_kernel(f, t, room, deck, chance, by_count, counts, began, mixed):
    marks = room.marks
    marks[NEXT], marks[SHUFFLED], marks[SIZE], marks[BEHIND], marks[REFILLED] = began, mixed, deck.size, 0, 0
    play_round(f, t, room, deck, chance, by_count, counts)
