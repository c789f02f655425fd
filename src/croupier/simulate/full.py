"""Many shoes of full tables: boxes go through the machine for boxes one after another, then the dealer.

Some tables are played side by side, each from its own shoe: while one waits for an entry of the machine the
others go on. Boxes that wait for cards stand in a line, and the next has its turn without a stop, so that how
many cards are taken is guessed wrong once a round and not once a box. A round for which too few cards lie
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
    is_split_again,
    settle,
    split_once,
)
from croupier.simulate.kernel import (
    BONUSES,
    COUNT_ROWS,
    DEALT,
    ROUND_WON_2,
    SHARED,
    TWENTY_ONE,
    Room,
    count_at,
    count_products,
    count_result,
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
    AT_PAYS,
    FIRST_PART,
    GIVES_BACK,
    ROW_BITS,
    ROW_MASK,
    SECOND_PART,
    SYMBOLS,
    UP_PART,
    Machine,
)
from croupier.simulate.search import ENDS, FIELDS, FIRST_END, FIRST_FATE, JOINTLY
from croupier.simulate.shoe import (
    BEHIND,
    NEXT,
    RAN_OUT,
    REFILLED,
    SHUFFLED,
    SIZE,
    apart,
    bare,
    below,
    compiled,
    inlined,
    shuffle,
    symbol_of,
    tag_of,
)

TABLES = 4
ENDED = FIRST_FATE << ROW_BITS  # an entry from here on is how a hand, or the dealer, ended

# So many cards lie shuffled behind the cutting card, for each box and beside; if a round that began before
# it takes more, the kernel plays it, which is seldom. Most shoes so need one stock of chance and not two, the
# place of the cutting card included. No box takes more cards than there is room for behind the shoe.
AHEAD_FOR_BOX, AHEAD = 2, 7
MOST_CARDS = TWENTY_ONE

# Of a table: where its cutting card lies, up to where its cards are shuffled; where the round at hand began,
# and what its boxes won; rounds of the shoe, and what they won; the running count, and the rows of the lowest
# and highest counts.
PLACE, MIXED, BEGAN, TOTAL, ROUNDS, WON, RUNS, LOW, HIGH = range(9)
MARKS = 9


class FullDesk(NamedTuple):
    """What full tables are played on."""

    room: Room
    decks: Array  # one behind another, with room behind each
    picks: Array
    marks: Array  # [table, mark]
    ats: Array  # of each table the place of the next card in all decks
    ups: Array  # the symbol of the dealer's first card
    entries: Array  # at which the box or the dealer has come whose turn it is
    turns: Array  # and which in the line that is
    line: Array  # [table, place]: entries of boxes, those that wait for cards before the others
    boxes: Array  # [table, place]: which box waits there
    held: Array  # [table, place]: the marks of the box
    nets: Array  # [table, place]
    won_at: Array  # [table, row of a count]: what was won in the shoe
    ends: Array
    alone: Array  # [fate, end]: boxes that were not split


def full_desk_for(words: Array, boxes: int, machine: Machine) -> FullDesk:
    room_behind = np.zeros((boxes + 1) * MOST_CARDS, np.uint32)
    return FullDesk(
        room=room_for(boxes),
        decks=np.tile(np.append(words, room_behind), TABLES),
        picks=np.zeros(len(words), np.uint32),
        marks=np.zeros(TABLES * MARKS, np.int64),
        ats=np.zeros(TABLES, np.uint64),
        ups=np.zeros(TABLES, np.int64),
        entries=np.zeros(TABLES, np.uint32),
        turns=np.zeros(TABLES, np.uint64),
        line=np.zeros(TABLES * (boxes + 3), np.uint32),
        boxes=np.zeros(TABLES * (boxes + 3), np.int64),
        held=np.zeros(BOX * TABLES * boxes, np.int64),
        nets=np.zeros(TABLES * boxes, np.int64),
        won_at=np.zeros(TABLES * COUNT_ROWS, np.int64),
        ends=np.zeros(FIELDS, np.int64),
        alone=np.zeros(ENDS * len(machine.fates), np.int64),
    )


@compiled
def play_full(flat, t, machine, desk, chance, by_count, shoes, burnt, back, counted):
    """So many shoes. False if the cards ran out where the rules provide nothing for that."""
    marks, size, stride = bare(desk.marks), desk.picks.size, desk.decks.size // TABLES
    begun = tables = min(shoes, TABLES)
    for table in range(tables):
        _begin_shoe(desk, chance, by_count, table, burnt, back)
    while tables:
        play_rounds(bare(flat), t, machine, desk, counted, tables)
        for table in range(tables - 1, -1, -1):
            mine, deck = MARKS * table, desk.decks[stride * table : stride * table + size]
            end = np.int64(desk.ats[table]) - stride * table
            if end > marks[mine + MIXED]:
                _by_kernel(flat, t, desk, deck, chance, by_count, counted, table)
                if desk.room.marks[RAN_OUT]:
                    return False
                end = desk.room.marks[NEXT]
            else:
                counted.counts[DEALT] += end - marks[mine + BEGAN]
            _count_round(desk, deck, by_count, counted, table, end)
            if end < marks[mine + PLACE]:
                marks[mine + BEGAN] = end
                continue
            _count_shoe(desk, by_count, counted, table)
            if begun < shoes:
                _begin_shoe(desk, chance, by_count, table, burnt, back)
                begun += 1
            else:
                tables -= 1
                _take_place(desk, table, tables)
    count_full(machine, desk, counted)
    return True


@inlined
def _begin_shoe(desk, chance, by_count, table, burnt, back):
    marks, mine, size = desk.marks, MARKS * table, desk.picks.size
    stride = desk.decks.size // TABLES
    marks[mine + PLACE] = size - back[0] - below(chance, back[1] - back[0] + 1)
    ahead = AHEAD + AHEAD_FOR_BOX * desk.room.nets.size
    marks[mine + MIXED] = min(marks[mine + PLACE] + ahead, size)
    deck = desk.decks[stride * table : stride * table + size]
    shuffle(deck, size, marks[mine + MIXED], chance, desk.picks)
    marks[mine + BEGAN], marks[mine + ROUNDS], marks[mine + WON] = burnt, 0, 0
    marks[mine + RUNS], marks[mine + LOW], marks[mine + HIGH] = by_count.play_start, COUNT_ROWS, -1


@inlined
def _take_place(desk, table, other):
    """The other table goes on at the place of one that is over."""
    stride = desk.decks.size // TABLES
    for word in range(stride):
        desk.decks[stride * table + word] = desk.decks[stride * other + word]
    for mark in range(MARKS):
        desk.marks[MARKS * table + mark] = desk.marks[MARKS * other + mark]
    for row in range(COUNT_ROWS):
        desk.won_at[COUNT_ROWS * table + row] = desk.won_at[COUNT_ROWS * other + row]


@inlined
def _count_round(desk, deck, by_count, counted, table, end):
    marks, mine = bare(desk.marks), MARKS * table
    total = marks[mine + TOTAL]
    counted.sums[ROUND_WON_2] += total * total
    marks[mine + ROUNDS] += 1
    marks[mine + WON] += total
    if by_count.bets.tags.size:
        row = looked_up(by_count.rows, deck.size - marks[mine + BEGAN], marks[mine + RUNS])
        marks[mine + LOW], marks[mine + HIGH] = min(marks[mine + LOW], row), max(marks[mine + HIGH], row)
        count_at(counted.by_count, row, total)
        desk.won_at[COUNT_ROWS * table + row] += total
        for seen in range(marks[mine + BEGAN], min(end, deck.size)):
            marks[mine + RUNS] += tag_of(deck[seen])


@inlined
def _count_shoe(desk, by_count, counted, table):
    marks, mine = bare(desk.marks), MARKS * table
    count_shoe(counted.sums, marks[mine + ROUNDS], marks[mine + WON])
    if by_count.bets.tags.size:
        won_at = desk.won_at[COUNT_ROWS * table : COUNT_ROWS * (table + 1)]
        count_products(counted.products, won_at, marks[mine + LOW], marks[mine + HIGH], marks[mine + ROUNDS])


@inlined
def count_full(machine, desk, counted):
    """The boxes that were not split, by how they and the dealer ended, and the others."""
    pays, alone = machine.rare[AT_PAYS], desk.alone
    for place in range(alone.size):
        if alone[place]:
            desk.ends[FIRST_FATE + place // ENDS] += alone[place]
            count_result(counted.results, machine.rare[pays + place], alone[place])
    alone[:] = 0
    count_ends(machine.fates, desk.ends, counted.counts)


@inlined
def play_rounds(f, t, machine, desk, counted, tables):
    """A round at each of so many tables; where it ends stands in `ats`.

    Places are unsigned here, which the compiler need not look at from both ends.
    """
    table, rare, stop = bare(machine.table), bare(machine.rare), np.uint32(machine.idle)
    entries, turns, line, ats = bare(desk.entries), bare(desk.turns), bare(desk.line), bare(desk.ats)
    boxes, stride = np.uint64(desk.room.nets.size), desk.decks.size // TABLES
    many, room = np.uint64(tables), boxes + np.uint64(3)
    for one in range(np.uint64(TABLES)):
        turns[one], entries[one], line[one * room] = one * room, stop, stop
    for one in range(many):
        _line_up(rare, desk, one, stop)
    _walk(table, bare(desk.decks), ats, entries, turns, line, stop)
    while (entries[0] | entries[1] | entries[2] | entries[3]) & np.uint32(ASKS):
        for one in range(many):
            if entries[one] & np.uint32(ASKS):
                line[turns[one]] = _play_on(f, t, table, rare, desk, np.int64(one), entries[one])
                turns[one] += np.uint64(1)
                entries[one] = line[turns[one]]
        _walk(table, bare(desk.decks), ats, entries, turns, line, stop)
    for one in range(many):
        mine, all_hang = one * room, np.uint32(0)
        line[turns[one]] = line[mine + boxes]
        for place in range(mine, mine + boxes):
            all_hang |= line[place]
        if all_hang & np.uint32(JOINTLY):
            for place in range(mine, mine + boxes):
                if line[place] & np.uint32(JOINTLY) and line[place] & np.uint32(ASKS):
                    turns[one] = place
                    line[place] = _play_on(f, t, table, rare, desk, np.int64(one), line[place])
                    all_hang |= line[place]
        entry = dealer_for(rare, np.int64(all_hang & np.uint32(JOINTLY - 1)), desk.ups[one])
        line[mine + boxes], line[mine + boxes + np.uint64(1)] = entry, stop
        turns[one] = mine + boxes + np.uint64(entry >= np.uint32(ENDED))
        entries[one] = line[turns[one]]
    _walk(table, bare(desk.decks), ats, entries, turns, line, stop)
    for one in range(many):
        if np.int64(ats[one]) <= stride * np.int64(one) + desk.marks[MARKS * np.int64(one) + MIXED]:
            _settle(f, t, rare, desk, counted, one)


@inlined
def _line_up(rare, desk, one, stop):
    """The boxes of a table that wait for cards, in their order; the others from the end on."""
    decks, line, waiting = bare(desk.decks), bare(desk.line), bare(desk.boxes)
    boxes, symbols, stride = desk.room.nets.size, np.uint64(rare[SYMBOLS]), desk.decks.size // TABLES
    began = np.uint64(stride * np.int64(one) + desk.marks[MARKS * np.int64(one) + BEGAN])
    up = symbol_of(decks[began + np.uint64(boxes * rare[UP_PART])])
    first = began + np.uint64(rare[FIRST_PART])
    second = began + np.uint64(boxes + rare[SECOND_PART] - 1)
    starts = np.uint64(rare[AT_BOXES]) + np.uint64(up) * symbols * symbols
    front = one * np.uint64(boxes + 3)
    desk.turns[one], back = front, front + np.uint64(boxes)
    for box in range(np.uint64(boxes)):
        here = np.uint64(symbol_of(decks[first + box])) * symbols + np.uint64(symbol_of(decks[second + box]))
        entry = np.uint32(rare[starts + here])
        over = np.uint64(entry >= np.uint32(ENDED))
        line[back if over else front] = entry
        waiting[front] = np.int64(box)
        front, back = front + np.uint64(1) - over, back - over
    line[front] = stop
    desk.ups[one], desk.ats[one] = np.int64(up), began + np.uint64(2 * boxes + 1)
    desk.entries[one] = line[desk.turns[one]]


@inlined
def _walk(table, decks, ats, entries, turns, line, stop):
    """Card after card at each table, from one in its line to the next, until all have ended or one asks."""
    e0, e1, e2, e3 = entries[0], entries[1], entries[2], entries[3]
    a0, a1, a2, a3 = ats[0], ats[1], ats[2], ats[3]
    t0, t1, t2, t3 = turns[0], turns[1], turns[2], turns[3]
    while not (e0 | e1 | e2 | e3) & np.uint32(ASKS) and (e0 ^ stop) | (e1 ^ stop) | (e2 ^ stop) | (e3 ^ stop):
        e0, a0, t0 = _stepped(table, decks, line, e0, a0, t0, stop)
        e1, a1, t1 = _stepped(table, decks, line, e1, a1, t1, stop)
        e2, a2, t2 = _stepped(table, decks, line, e2, a2, t2, stop)
        e3, a3, t3 = _stepped(table, decks, line, e3, a3, t3, stop)
    entries[0], entries[1], entries[2], entries[3] = e0, e1, e2, e3
    ats[0], ats[1], ats[2], ats[3] = a0, a1, a2, a3
    turns[0], turns[1], turns[2], turns[3] = t0, t1, t2, t3


@inlined
def _stepped(table, decks, line, entry, at, turn, stop):
    """One more card, unless the line is at its end; where a hand ends with it, the next has its turn."""
    after = table[np.uint64(entry & np.uint32(ROW_MASK)) + np.uint64(symbol_of(decks[at]))]
    following, over = line[turn + np.uint64(1)], after >= np.uint32(ENDED)
    line[turn] = after
    return following if over else after, at + np.uint64(entry != stop), turn + np.uint64(over)


@inlined
def _settle(f, t, rare, desk, counted, one):
    boxes, line, pays = np.uint64(desk.room.nets.size), bare(desk.line), np.uint64(rare[AT_PAYS])
    alone, held, ends, nets = bare(desk.alone), bare(desk.held), bare(desk.ends), bare(desk.nets)
    mine = one * (boxes + np.uint64(3))
    end = np.int64(field_of(line[mine + boxes]))
    total, winners = np.int64(0), 0
    for place in range(boxes):
        entry = line[mine + place]
        if entry >= np.uint32(ENDED):
            fate = field_of(entry) - np.uint64(FIRST_FATE)
            here = np.uint64(ENDS) * fate + np.uint64(end - FIRST_END)
            net = np.int64(rare[pays + here])
            alone[here] += 1
        else:
            marks = BOX * np.int64(one * boxes + place)
            net, bonuses = settle(f, t, rare, bare(desk.room.notes), held, marks, end, ends)
            count_result(counted.results, net, 1)
            counted.counts[BONUSES] += bonuses
            winners += bonuses > 0
            counted.counts[COUNT_SPLITS] += held[marks + MANY] > 1
        nets[one * boxes + place] = net
        total += net
    ends[end] += 1
    counted.counts[SHARED] += np.int64(boxes) - winners if winners else 0
    bare(desk.marks)[MARKS * np.int64(one) + TOTAL] = total


@inlined
def _play_on(f, t, table, rare, desk, one, entry):
    """A box whose entry asks is played to its end: what hangs on the dealer's cards.

    If there are not enough cards, the next is one behind those that are shuffled.
    """
    held, boxes, stride = bare(desk.held), desk.room.nets.size, desk.decks.size // TABLES
    deck, began = bare(desk.decks[stride * one :]), desk.marks[MARKS * one + BEGAN]
    mixed, at = desk.marks[MARKS * one + MIXED], np.int64(desk.ats[one]) - stride * one
    place = np.int64(desk.turns[one]) - (boxes + 3) * one
    box, mine = desk.boxes[desk.turns[one]], BOX * (boxes * one + place)
    first, second = began + rare[FIRST_PART] + box, began + boxes + rare[SECOND_PART] - 1 + box
    if is_split_again(entry):
        split_once(f, rare, deck, held, mine, entry, at)
    else:
        begin_box(held, mine, desk.ups[one], deck[first], deck[second])
    while entry and at <= mixed:
        if entry & np.uint32(ASKS):
            entry = go_on(f, rare, deck, held, mine, entry, at)
        else:
            entry = table[np.uint64(entry & np.uint32(ROW_MASK)) + np.uint64(symbol_of(deck[at]))]
            at += 1
    desk.ats[one] = stride * one + at
    if rare[GIVES_BACK] and not entry:
        held[mine + HANGS] |= hangs_jointly(f, t, rare, bare(desk.room.notes), held, mine)
    return np.uint32(held[mine + HANGS])


@compiled
def play_one(flat, t, machine, desk, counted):
    """One round from a shoe whose order is given, at the first table."""
    play_rounds(bare(flat), t, machine, desk, counted, 1)
    count_full(machine, desk, counted)


@apart
def _by_kernel(f, t, desk, deck, chance, by_count, counted, table):
    """The round at hand of a table, from its first card on."""
    marks, mine, room = desk.room.marks, MARKS * table, desk.room
    marks[NEXT], marks[SHUFFLED] = desk.marks[mine + BEGAN], desk.marks[mine + MIXED]
    marks[SIZE], marks[BEHIND], marks[REFILLED] = deck.size, 0, 0
    play_round(f, t, room, deck, chance, by_count, counted.counts)
    desk.marks[mine + MIXED] = marks[SHUFFLED]
    if marks[REFILLED]:
        desk.marks[mine + PLACE] = 0
    desk.marks[mine + TOTAL] = 0
    for net in room.nets:
        desk.marks[mine + TOTAL] += net
        count_result(counted.results, net, 1)
