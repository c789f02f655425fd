"""Many shoes of full tables: every box a walk through the machine for boxes, then the dealer's.

Some tables are played side by side, box by box, each from its own shoe: while one waits for an entry of the
table the others go on, and how many cards boxes take is guessed wrong once for all of them and not for each.
A round for which too few cards lie shuffled is played by the kernel, from its first card on.
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

# So many cards lie shuffled behind the cutting card, for each box and beside; if a round that began before
# it takes more, the kernel plays it. No box takes more cards than there is room for behind the shoe.
AHEAD_FOR_BOX, AHEAD = 5, 10
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
    began: Array  # and of the first one of the round
    ups: Array  # the symbol of the dealer's first card
    starts: Array  # where entries for boxes stand against it
    entries: Array  # at which the box or the dealer has come
    hangs: Array  # what hangs on the dealer's cards
    held: Array  # the marks of each box
    fates: Array  # [box, table]: how its hand ended; -1 where it is marked
    nets: Array  # [table, box]
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
        began=np.zeros(TABLES, np.uint64),
        ups=np.zeros(TABLES, np.int64),
        starts=np.zeros(TABLES, np.uint64),
        entries=np.zeros(TABLES, np.uint32),
        hangs=np.zeros(TABLES, np.uint32),
        held=np.zeros(BOX * TABLES * boxes, np.int64),
        fates=np.zeros(TABLES * boxes, np.int64),
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
    desk.entries[:] = ASKS
    for table in range(tables):
        _begin_shoe(desk, chance, by_count, table, burnt, back)
    while tables:
        play_rounds(bare(flat), t, bare(machine.table), bare(machine.rare), desk, counted, tables)
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
                desk.entries[tables] = ASKS
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
def play_rounds(f, t, table, rare, desk, counted, tables):
    """A round at each of so many tables; where it ends stands in `ats`.

    Places are unsigned here, which the compiler need not look at from both ends.
    """
    decks, marks, ats = bare(desk.decks), bare(desk.marks), bare(desk.ats)
    entries, fates = bare(desk.entries), bare(desk.fates)
    began_at, starts, ups, all_hang = bare(desk.began), bare(desk.starts), bare(desk.ups), bare(desk.hangs)
    boxes, stride, symbols = desk.room.nets.size, desk.decks.size // TABLES, np.uint64(rare[SYMBOLS])
    many, firsts = np.uint64(tables), np.uint64(rare[FIRST_PART])
    seconds = np.uint64(boxes + rare[SECOND_PART] - 1)
    for one in range(many):
        began = stride * np.int64(one) + marks[MARKS * np.int64(one) + BEGAN]
        up = np.int64(symbol_of(decks[began + boxes * rare[UP_PART]]))
        began_at[one], ups[one], ats[one], all_hang[one] = began, up, began + 2 * boxes + 1, 0
        starts[one] = rare[AT_BOXES] + up * rare[SYMBOLS] * rare[SYMBOLS]
    for box in range(np.uint64(boxes)):
        for one in range(many):
            here = began_at[one] + box
            first, second = symbol_of(decks[here + firsts]), symbol_of(decks[here + seconds])
            entries[one] = rare[starts[one] + np.uint64(first) * symbols + np.uint64(second)]
        _walk(table, decks, ats, entries)
        for one in range(many):
            entry = entries[one]
            fate, hangs = np.int64(field_of(entry)) - FIRST_FATE, entry & np.uint32(ROW_MASK)
            if fate < 0 or hangs & np.uint32(JOINTLY):
                fate, hangs = np.int64(-1), _play_on(f, t, table, rare, desk, np.int64(one), np.int64(box))
            fates[box * np.uint64(TABLES) + one] = fate
            all_hang[one] |= hangs
    for one in range(many):
        entries[one] = dealer_for(rare, np.int64(all_hang[one] & ~np.uint32(JOINTLY)), ups[one])
    _walk(table, decks, ats, entries)
    for one in range(many):
        if np.int64(ats[one]) <= stride * np.int64(one) + marks[MARKS * np.int64(one) + MIXED]:
            _settle(f, t, rare, desk, counted, one, boxes)


@inlined
def _walk(table, decks, ats, entries):
    """Card after card at each table until its entry asks."""
    e0, e1, e2, e3 = entries[0], entries[1], entries[2], entries[3]
    a0, a1, a2, a3 = ats[0], ats[1], ats[2], ats[3]
    while not e0 & e1 & e2 & e3 & np.uint32(ASKS):
        e0, a0 = _stepped(table, decks, e0, a0)
        e1, a1 = _stepped(table, decks, e1, a1)
        e2, a2 = _stepped(table, decks, e2, a2)
        e3, a3 = _stepped(table, decks, e3, a3)
    entries[0], entries[1], entries[2], entries[3] = e0, e1, e2, e3
    ats[0], ats[1], ats[2], ats[3] = a0, a1, a2, a3


@inlined
def _stepped(table, decks, entry, at):
    """One more card, unless the entry asks."""
    on = entry < np.uint32(ASKS)
    after = table[np.uint64(entry & np.uint32(ROW_MASK)) + np.uint64(symbol_of(decks[at]))]
    return after if on else entry, at + np.uint64(on)


@inlined
def _settle(f, t, rare, desk, counted, one, boxes):
    end, pays = np.int64(field_of(bare(desk.entries)[one])), np.uint64(rare[AT_PAYS])
    fates, alone, held, ends = bare(desk.fates), bare(desk.alone), bare(desk.held), bare(desk.ends)
    all_nets, nets = bare(desk.nets), one * np.uint64(boxes)
    total, winners = np.int64(0), 0
    for box in range(np.uint64(boxes)):
        fate = fates[box * np.uint64(TABLES) + one]
        if fate >= 0:
            here = np.uint64(ENDS * fate + end - FIRST_END)
            net = np.int64(rare[pays + here])
            alone[here] += 1
        else:
            mine = BOX * np.int64(nets + box)
            net, bonuses = settle(f, t, rare, bare(desk.room.notes), held, mine, end, ends)
            count_result(counted.results, net, 1)
            counted.counts[BONUSES] += bonuses
            winners += bonuses > 0
            counted.counts[COUNT_SPLITS] += held[mine + MANY] > 1
        all_nets[nets + box] = net
        total += net
    ends[end] += 1
    counted.counts[SHARED] += boxes - winners if winners else 0
    bare(desk.marks)[MARKS * np.int64(one) + TOTAL] = total


@inlined
def _play_on(f, t, table, rare, desk, one, box):
    """A box whose entry asks is played to its end: what hangs on the dealer's cards.

    If there are not enough cards, the next is one behind those that are shuffled.
    """
    held, boxes, stride = bare(desk.held), desk.room.nets.size, desk.decks.size // TABLES
    deck, began = bare(desk.decks[stride * one :]), desk.marks[MARKS * one + BEGAN]
    mixed, at = desk.marks[MARKS * one + MIXED], np.int64(desk.ats[one]) - stride * one
    entry, mine = desk.entries[one], BOX * (boxes * one + box)
    first, second = began + rare[FIRST_PART] + box, began + boxes + rare[SECOND_PART] - 1 + box
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
    desk.entries[:] = ASKS
    play_rounds(bare(flat), t, bare(machine.table), bare(machine.rare), desk, counted, 1)
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
