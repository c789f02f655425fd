"""Many shoes of a full table: every box a walk through the machine for boxes, then the dealer's.

Box after box goes on with the next card, so that there are no lanes. What the machines leave to the kernel,
hands whose suits count and a dealer's natural beside a split, it plays from the first card of the round on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.hands import Array
from croupier.simulate.kernel import (
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
from croupier.simulate.lanes import SPLIT_BOXES, count_ends, ends_for, field_of, play_split, walk_alone
from croupier.simulate.machine import (
    AT_BOXES,
    AT_DEALER,
    AT_HANGS,
    AT_PAYS,
    ENDS,
    FIELD_MASK,
    FIRST_END,
    FIRST_FATE,
    SPLITS,
    SYMBOLS,
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
    shuffle,
    symbol_of,
    tag_of,
)
from croupier.simulate.tables import MOST_HANDS

AHEAD = 10  # cards a box that lie shuffled before a round begins; if it takes more, the kernel plays it


class FullDesk(NamedTuple):
    """What a full table is played on."""

    room: Room
    deck: Array
    picks: Array
    ends: Array
    first: Array  # the symbols of each box's first two cards
    hands: Array  # how the hands of all boxes ended
    until: Array  # of each box, behind its last hand


def full_desk_for(words: Array, boxes: int) -> FullDesk:
    return FullDesk(
        room=room_for(boxes),
        deck=words,
        picks=np.zeros(len(words), np.uint32),
        ends=ends_for(),
        first=np.zeros(2 * boxes, np.int64),
        hands=np.zeros(MOST_HANDS * boxes, np.int64),
        until=np.zeros(boxes, np.int64),
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
            held = desk.first, desk.hands, desk.until, nets, desk.ends
            end = round_of(f, t, machine.table, machine.rare, deck, *held, at, mixed)
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


@compiled
def round_of(f, t, table, rare, deck, first, hands, until, nets, ends, began, limit):
    """One round: where it ends, -1 if it is one for the kernel."""
    boxes, symbols, mask = nets.size, rare[SYMBOLS], np.uint64(FIELD_MASK)
    at, dealt, up = began, 0, np.int64(0)
    if began + 2 * boxes + 1 > limit:
        return np.int64(-1)
    for part in range(t.parts):
        if f[t.order + part]:
            for box in range(boxes):
                first[2 * box + dealt] = symbol_of(deck[at + box])
            at += boxes
            dealt += 1
        else:
            up = np.int64(symbol_of(deck[at]))
            at += 1
    many, hangs, splits = 0, np.int64(0), 0
    for box in range(boxes):
        start = (up * symbols + first[2 * box]) * symbols + first[2 * box + 1]
        entry, at = walk_alone(table, np.uint32(rare[rare[AT_BOXES] + start]), deck, at, limit)
        field = np.int64(field_of(entry, mask))
        if field >= FIRST_FATE:
            hands[many] = field
            hangs = max(hangs, rare[rare[AT_HANGS] + field - FIRST_FATE])
            many += 1
        elif field == SPLITS:
            at, more, hang = play_split(table, rare, deck, hands[many:], at, up, first[2 * box], limit)
            if more < 0:
                return np.int64(-1)
            many += more
            hangs = max(hangs, hang)
            splits += 1
        else:
            return np.int64(-1)
        until[box] = many
    entry, at = walk_alone(table, np.uint32(rare[rare[AT_DEALER] + hangs * symbols + up]), deck, at, limit)
    end = np.int64(field_of(entry, mask))
    if end < FIRST_END or (end & 1 and splits):
        return np.int64(-1)
    hand = 0
    for box in range(boxes):
        net = np.int64(0)
        while hand < until[box]:
            net += rare[rare[AT_PAYS] + ENDS * (hands[hand] - FIRST_FATE) + end - FIRST_END]
            ends[hands[hand]] += 1
            hand += 1
        nets[box] = net
    ends[end] += 1
    ends[SPLIT_BOXES] += splits
    return np.int64(at)


@apart
def _by_kernel(f, t, room, deck, chance, by_count, counts, began, mixed):
    marks = room.marks
    marks[NEXT], marks[SHUFFLED], marks[SIZE], marks[BEHIND], marks[REFILLED] = began, mixed, deck.size, 0, 0
    play_round(f, t, room, deck, chance, by_count, counts)
