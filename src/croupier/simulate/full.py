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
    spliced,
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
    pays: Array  # [end, fate]: what a box wins
    alone: Array  # [end, fate]: boxes that the machine has played to their end


def full_desk_for(words: Array, boxes: int, machine: Machine) -> FullDesk:
    fates, begin = len(machine.fates), machine.rare[AT_PAYS]
    pays = machine.rare[begin : begin + ENDS * fates].reshape(fates, ENDS)
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
        pays=pays.T.ravel(),
        alone=np.zeros(pays.size, np.int64),
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
    alone, fates = desk.alone, machine.fates.shape[0]
    for place in range(alone.size):
        if alone[place]:
            desk.ends[FIRST_FATE + place % fates] += alone[place]
            count_result(counted.results, desk.pays[place], alone[place])
    alone[:] = 0
    count_ends(machine.fates, desk.ends, counted.counts)


@spliced
def play_rounds(f, t, machine, desk, counted, tables):
    """A round at each of so many tables; where it ends stands in `ats`."""
    table, rare, stop = bare(machine.table), bare(machine.rare), np.uint32(machine.idle)
    decks, marks, entries = bare(desk.decks), bare(desk.marks), bare(desk.entries)
    seats = bare(desk.ats), entries, bare(desk.turns), bare(desk.line)
    boxes, stride = np.uint64(desk.room.nets.size), np.uint64(desk.decks.size // TABLES)
    many, ups = np.uint64(tables), bare(desk.ups)
    goal = _line_up(rare, decks, marks, ups, bare(desk.boxes), *seats, boxes, stride, many, stop)
    _walk(table, decks, *seats, goal, stop)
    while (entries[0] | entries[1] | entries[2] | entries[3]) & np.uint32(ASKS):
        _answer(f, t, table, rare, desk, tables)
        _walk(table, decks, *seats, goal, stop)
    if _begin_dealers(rare, ups, *seats, boxes, many, stop) & np.uint32(JOINTLY):
        _play_joint(f, t, table, rare, desk, tables)
        _begin_dealers(rare, ups, *seats, boxes, many, stop)
    goal = np.uint64(TABLES * (TABLES - 1) // 2) * (boxes + np.uint64(3)) + many * (boxes + np.uint64(1))
    _walk(table, decks, *seats, goal, stop)
    counts = bare(desk.pays), bare(desk.alone), bare(desk.ends), bare(desk.nets)
    fates = np.uint64(machine.fates.shape[0])
    if not _settle(*counts, marks, *seats, boxes, stride, many, fates):
        for one in range(tables):
            _settle_others(f, t, rare, desk, counted, one)


@apart
def _line_up(rare, decks, marks, ups, waiting, ats, entries, turns, line, boxes, stride, many, stop):
    """The boxes of each table that wait for cards, in their order; the others from the end on.

    Where all lines end, added up, is returned. Places are unsigned here and below, which the compiler need
    not look at from both ends.
    """
    symbols, goal = np.uint64(rare[SYMBOLS]), np.uint64(0)
    for one in range(np.uint64(TABLES)):
        front = turns[one] = one * (boxes + np.uint64(3))
        if one < many:
            began = stride * one + np.uint64(marks[np.uint64(MARKS) * one + np.uint64(BEGAN)])
            up = np.uint64(symbol_of(decks[began + boxes * np.uint64(rare[UP_PART])]))
            first = began + np.uint64(rare[FIRST_PART])
            second = began + boxes + np.uint64(rare[SECOND_PART] - 1)
            starts = np.uint64(rare[AT_BOXES]) + up * symbols * symbols
            for box in range(boxes):
                here = np.uint64(symbol_of(decks[first + box])) * symbols
                entry = np.uint32(rare[starts + here + np.uint64(symbol_of(decks[second + box]))])
                line[front] = line[front + boxes - box] = entry
                waiting[front] = np.int64(box)
                front += np.uint64(entry < np.uint32(ENDED))
            ups[one], ats[one] = np.int64(up), began + boxes + boxes + np.uint64(1)
        line[front] = stop
        entries[one] = line[turns[one]]
        goal += front
    return goal


@apart
def _walk(table, decks, ats, entries, turns, line, goal, stop):
    """Card after card at each table, from one in its line to the next, until all have ended or one asks."""
    e0, e1, e2, e3 = entries[0], entries[1], entries[2], entries[3]
    a0, a1, a2, a3 = ats[0], ats[1], ats[2], ats[3]
    t0, t1, t2, t3 = turns[0], turns[1], turns[2], turns[3]
    one = np.uint64(1)
    n0, n1, n2, n3 = line[t0 + one], line[t1 + one], line[t2 + one], line[t3 + one]
    while t0 + t1 + t2 + t3 != goal and not (e0 | e1 | e2 | e3) & np.uint32(ASKS):
        e0, a0, t0, n0 = _stepped(table, decks, line, e0, a0, t0, n0, stop)
        e1, a1, t1, n1 = _stepped(table, decks, line, e1, a1, t1, n1, stop)
        e2, a2, t2, n2 = _stepped(table, decks, line, e2, a2, t2, n2, stop)
        e3, a3, t3, n3 = _stepped(table, decks, line, e3, a3, t3, n3, stop)
    entries[0], entries[1], entries[2], entries[3] = e0, e1, e2, e3
    ats[0], ats[1], ats[2], ats[3] = a0, a1, a2, a3
    turns[0], turns[1], turns[2], turns[3] = t0, t1, t2, t3


@inlined
def _stepped(table, decks, line, entry, at, turn, following, stop):
    """One more card, unless the line is at its end; where a hand ends with it, the next has its turn."""
    after = table[np.uint64(entry & np.uint32(ROW_MASK)) + np.uint64(symbol_of(decks[at]))]
    over = after >= np.uint32(ENDED)
    line[turn] = after
    turn += np.uint64(over)
    return following if over else after, at + np.uint64(entry < stop), turn, line[turn + np.uint64(1)]


@apart
def _begin_dealers(rare, ups, ats, entries, turns, line, boxes, many, stop):
    """The dealers have their turn, each for what hangs on the cards; all that hangs is returned."""
    all_hang = np.uint32(0)
    for one in range(many):
        mine, hang = one * (boxes + np.uint64(3)), np.uint32(0)
        line[turns[one]] = line[mine + boxes]
        for place in range(mine, mine + boxes):
            hang |= line[place]
        entry = dealer_for(rare, np.int64(hang & np.uint32(JOINTLY - 1)), ups[one])
        line[mine + boxes], line[mine + boxes + np.uint64(1)] = entry, stop
        over = entry >= np.uint32(ENDED)
        turns[one] = mine + boxes + np.uint64(over)
        entries[one] = stop if over else entry
        all_hang |= hang
    return all_hang


@apart
def _settle(pays, alone, ends, nets, marks, ats, entries, turns, line, boxes, stride, many, fates):
    """What boxes win that the machine has played to their end; False if there are others."""
    all_ended = True
    for one in range(many):
        mine, marked = one * (boxes + np.uint64(3)), np.uint64(MARKS) * one
        if ats[one] > stride * one + np.uint64(marks[marked + np.uint64(MIXED)]):
            continue
        end, total = field_of(line[mine + boxes]), np.int64(0)
        against = (end - np.uint64(FIRST_END)) * fates - np.uint64(FIRST_FATE)
        for place in range(boxes):
            entry, net = line[mine + place], np.int64(0)
            if entry >= np.uint32(ENDED):
                here = against + field_of(entry)
                net = np.int64(pays[here])
                alone[here] += 1
            else:
                all_ended = False
            nets[one * boxes + place] = net
            total += net
        ends[end] += 1
        marks[marked + np.uint64(TOTAL)] = total
    return all_ended


@inlined
def _settle_others(f, t, rare, desk, counted, one):
    """The boxes of a table whose hands were played one by one."""
    boxes, stride, marks = desk.room.nets.size, desk.decks.size // TABLES, bare(desk.marks)
    if np.int64(desk.ats[one]) > stride * one + marks[MARKS * one + MIXED]:
        return
    mine, winners = one * (boxes + 3), 0
    end = np.int64(field_of(desk.line[mine + boxes]))
    for place in range(boxes):
        if desk.line[mine + place] < np.uint32(ENDED):
            held = BOX * (one * boxes + place)
            net, bonuses = settle(
                f, t, rare, bare(desk.room.notes), bare(desk.held), held, end, bare(desk.ends)
            )
            count_result(counted.results, net, 1)
            counted.counts[BONUSES] += bonuses
            winners += bonuses > 0
            counted.counts[COUNT_SPLITS] += desk.held[held + MANY] > 1
            desk.nets[one * boxes + place] = net
            marks[MARKS * one + TOTAL] += net
    counted.counts[SHARED] += boxes - winners if winners else 0


@inlined
def _answer(f, t, table, rare, desk, tables):
    """Boxes whose turn it is and whose entries ask are played to their end; the next have their turn."""
    for one in range(tables):
        if desk.entries[one] & np.uint32(ASKS):
            turn = np.int64(desk.turns[one])
            desk.line[turn] = _play_on(f, t, table, rare, desk, one, turn, desk.entries[one])
            desk.turns[one], desk.entries[one] = turn + 1, desk.line[turn + 1]


@inlined
def _play_joint(f, t, table, rare, desk, tables):
    """Boxes that can't be settled by themselves have ended: how, is marked hand by hand."""
    boxes = desk.room.nets.size
    for one in range(tables):
        for place in range(one * (boxes + 3), one * (boxes + 3) + boxes):
            entry = desk.line[place]
            if entry & np.uint32(JOINTLY) and entry & np.uint32(ASKS):
                desk.line[place] = _play_on(f, t, table, rare, desk, one, place, entry)


@inlined
def _play_on(f, t, table, rare, desk, one, turn, entry):
    """A box whose entry asks is played to its end: what hangs on the dealer's cards.

    If there are not enough cards, the next is one behind those that are shuffled.
    """
    held, boxes, stride = bare(desk.held), desk.room.nets.size, desk.decks.size // TABLES
    deck, began = bare(desk.decks[stride * one :]), desk.marks[MARKS * one + BEGAN]
    mixed, at = desk.marks[MARKS * one + MIXED], np.int64(desk.ats[one]) - stride * one
    box, mine = desk.boxes[turn], BOX * (boxes * one + turn - (boxes + 3) * one)
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
