"""A game as machines: what is next after every card, tabulated by asking the kernel.

Everything that matters before the next card is a state, and a card leads to another state or to an end. One
machine plays a round of one box, the dealer's cards included; others play a box alone, a hand that is split,
and the dealer alone, for splits and full tables. All states are searched with the kernel's own functions, and
those that no cards can tell apart are merged. A machine reads no suits: where they count it asks for them at
the card in question, and another table says where they lead.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from croupier.cards import RANKS
from croupier.exact.hands import VARIANTS, Array
from croupier.simulate.kernel import (
    BONUSES,
    CARDS,
    COUNTS,
    END,
    FIRST,
    HAND,
    INSURED,
    LIVES,
    NOTES,
    SECOND,
    SHOWN,
    STAKE,
    SUITS,
    TOTAL,
    TWENTY_ONE,
    WINS,
    begin_hand,
    count_box,
    count_dealer,
    deal_to,
    decide,
    double,
    hangs_on,
    open_hand,
    settle_box,
    shows_bonus,
    variant_of,
)
from croupier.simulate.shoe import apart, compiled, inlined
from croupier.simulate.tables import (
    HIT,
    MOST_HANDS,
    SPLIT,
    SPLIT_ACE,
    SPLIT_HAND,
    SUIT_CODES,
    WHOLE,
    Tables,
    laid_out,
)

# An entry of the table: where the row of the next state begins, and above it what there is to note. Where
# suits are asked for, their table begins where a row would; where a pair is split, there stands whether its
# box is insured, and where a hand ended what hangs on the dealer's cards.
ROW_BITS = 22
ROW_MASK = (1 << ROW_BITS) - 1
ENDED_BIT = 30  # of an entry with which a round is over
ASKS = 1 << 31  # of one at which somebody is to look at the round

# What there is to note: nothing; how a round ended; then what asks: the cutting card, a pair that is split,
# two or three cards whose suits are to be looked at, how a hand ended, how the dealer ended (twice the total,
# and 1 more for a natural).
MIDDLE, FIRST_OUTCOME, FIRST_ASKING, FIRST_FATE, FIRST_END, FIELDS = 0, 256, 512, 544, 960, 1024
CUT, SPLITS, TWO_SUITS, THREE_SUITS = range(FIRST_ASKING, FIRST_ASKING + 4)
ENDS = 2 * (TWENTY_ONE + 2)

# How a round ended: what was won, then what the kernel counts.
OUTCOME = 1 + COUNTS

# What hangs on the dealer's cards (the kernel's NATURAL and TOTAL) is taken for bits, which the hands of a
# box add up to; one more is for a hand that can't be settled by itself.
MOST_HANGS = 4
JOINTLY = 4

# What splits and full tables need begins with numbers: how many symbols there are, the ace's, how many parts
# the deal has, which of them is the dealer's and which are the first and the second to the boxes, into how
# many hands a pair may grow, others and aces, whether what was lost may be given back, a card of the dealer's
# against which a Super Bonus is shown, and where the kernel has what loses it. Then where its tables begin:
# [symbol], a card of it; [dealer's, first, second symbol], the entry for a box alone; [aces, whether no more
# may be split, dealer's, symbol], the entry for a hand of one card; [what hangs on it, symbol], the entry for
# the dealer's first card; [fate, end], what is won; [fate, note], how the hand ended; [which, whether a Super
# Bonus is lost, suits], the entry where suits were asked for.
SYMBOLS, ACE, PARTS, UP_PART, FIRST_PART, SECOND_PART = range(6)
MOST_OTHERS, MOST_ACES, GIVES_BACK, BONUS_UP, BONUS_BARS = range(6, 11)
AT_CARDS, AT_BOXES, AT_SPLITS, AT_DEALER, AT_PAYS, AT_FATES, AT_SUITS = range(11, 18)
SUIT_BLOCK = 2 * SUIT_CODES


class Machine(NamedTuple):
    """Rows of the table are as wide as there are symbols and the cutting card; the first is the beginning."""

    table: Array  # [plan, state, symbol]
    outcomes: Array  # [outcome, column]
    fates: Array  # [fate, column]: what the kernel counts of it
    rare: Array  # what splits and full tables need
    symbols: Array  # [card]
    width: int
    idle: int  # where a row begins that no card leads out of


def machine_of(tables: Tables, insures: Array | None = None) -> Machine | None:
    """The machines of a game, or None where they would be too large. `insures`: which of its plans insure."""
    insures = np.zeros(1, np.uint8) if insures is None else insures
    symbols, cards = _symbols(tables)
    search, shown_to = _search_for(tables, len(cards), len(insures)), _bonus_up(tables)
    if not _explore(tables.flat, tables.places, cards, insures, shown_to, search):
        return None
    nodes, fates, outcomes, asked = search.sizes.tolist()
    rows, classes = _merged(search.nodes[:nodes])
    width, states = len(cards) + 1, len(rows)
    t = tables.places
    order = tables.flat[t.order : t.order + t.parts].tolist()
    first_part = order.index(1)
    numbers = [len(cards), int(symbols[RANKS.index("A")]), t.parts, order.index(0), first_part]
    numbers += [
        order.index(1, first_part + 1),
        t.most_hands,
        t.most_aces,
        t.gives_back,
        shown_to,
        t.bonus_bars,
    ]
    begin = AT_SUITS + 1
    sizes = {
        "cards": cards,
        "boxes": search.boxes,
        "splits": search.splits,
        "dealer": search.starts,
        "pays": search.pays[:fates],
        "fates": search.fates[:fates, :NOTES],
        "suits": search.suits[:asked],
    }
    places = (begin + np.cumsum([0, *(part.size for part in sizes.values())])).tolist()
    if states * width > ROW_MASK or places[-1] > ROW_MASK:
        return None
    entries = partial(_entries, width=width, suits=places[-2], hangs=search.fates[:, NOTES])
    table = np.empty((len(insures), states + 1, width), np.uint32)
    table[:, :-1, :-1] = entries(rows).reshape(states, len(insures), -1).swapaxes(0, 1)
    table[:, :-1, -1] = width * np.arange(states) | CUT << ROW_BITS
    table[:, -1] = width * states
    parts = sizes | {
        "boxes": entries(_next_classes(search.boxes, classes)),
        "splits": width * classes[search.splits],
        "dealer": entries(_next_classes(search.starts, classes)),
        "suits": entries(_next_classes(search.suits[:asked], classes)),
    }
    behind, _ = laid_out(parts, np.uint32)
    return Machine(
        table=table.ravel(),
        outcomes=search.outcomes[:outcomes].copy(),
        fates=search.fates[:fates, NOTES + 1 :].copy(),
        rare=np.concatenate([np.array([*numbers, *places[:-1]], np.uint32), behind]).view(np.int32),
        symbols=symbols,
        width=width,
        idle=states * width,
    )


def _bonus_up(tables: Tables) -> int:
    """A card of the dealer's against which a Super Bonus is shown, if there is one."""
    begin = tables.places.bonus_rank
    return int(tables.flat[begin : begin + len(RANKS)].argmax())


def _symbols(tables: Tables) -> tuple[Array, Array]:
    """What each card is to a machine, and a card for each symbol. Ranks without a difference are one."""
    flat, t = tables.flat, tables.places
    ranks = np.arange(len(RANKS))
    by_rank = (t.value, t.natural_early, t.natural_possible, t.opens_surrender)
    told_apart = np.stack([flat[place + ranks] for place in by_rank], axis=1)
    in_pack = flat[t.value + ranks] >= 0
    _, first, kinds = np.unique(told_apart[in_pack], axis=0, return_index=True, return_inverse=True)
    symbols = np.zeros(len(RANKS), np.uint32)
    symbols[in_pack] = kinds.ravel()
    return np.tile(symbols, 4), ranks[in_pack][first]


# The search

NODES, FATES, OUTCOMES, ASKED = range(4)
MOST_NODES = 1 << 18
MOST_FATES, MOST_OUTCOMES = FIRST_END - FIRST_FATE, FIRST_ASKING - FIRST_OUTCOME
MOST_ASKED = 1 << 10

# Behind what there is to note: tables of suits, for two or three cards, and a pair of an insured box.
INSURED_SPLIT = FIELDS + 2 * MOST_ASKED

# Of a node: which card is waited for; whose, the dealer's cards following or not; the symbol of the dealer's
# first card; then the symbols of the box's cards, the notes of its hand, or how it ended and the dealer's
# hand.
PHASE, MODE, UP, ONE, OTHER = range(5)
NODE = ONE + NOTES
DEALING, SECOND_CARD, HITS, DOUBLES, DEALER = range(5)
# A box and the dealer, a box alone, and a hand that was split, of others or of aces, that may be split again
# or not.
ROUND, BOX, OTHERS, OTHERS_LAST, AFTER_ACES, AFTER_ACES_LAST = range(6)
MODES = 6


class Search(NamedTuple):
    """The nodes found, and where each is found by what it is; 0 where it is not yet.

    What comes next hangs on the card, and on the plan that is played when it has come.
    """

    sizes: Array
    nodes: Array  # [node, plan, symbol]: the node that comes next, or what there is to note, as -1 and less
    known: Array  # [node, part]
    fates: Array  # [fate, note]: how a box ended, what hangs on the dealer's cards, what is counted of it
    outcomes: Array
    pays: Array
    dealing: Array  # [dealer's, first, second]: symbols, from 1 on
    hands: Array  # [mode, phase, insured, dealer's, hand, variant]
    dealer: Array  # [fate, dealer's hand]
    alone: Array  # [what hangs on it, dealer's hand]
    boxes: Array
    splits: Array
    starts: Array
    suits: Array  # [which, whether a Super Bonus is lost, suits]: what comes next
    notes: Array


def _search_for(tables: Tables, symbols: int, plans: int) -> Search:
    hands = tables.places.hands
    return Search(
        sizes=np.zeros(4, np.int64),
        nodes=np.zeros((MOST_NODES, plans * symbols), np.int32),
        known=np.zeros((MOST_NODES, NODE), np.int32),
        fates=np.zeros((MOST_FATES, NOTES + 1 + COUNTS), np.int64),
        outcomes=np.zeros((MOST_OUTCOMES, OUTCOME), np.int64),
        pays=np.zeros((MOST_FATES, ENDS), np.int64),
        dealing=np.zeros((symbols + 1,) * 3, np.int32),
        hands=np.zeros((MODES, 2, 2, symbols, hands, VARIANTS), np.int32),
        dealer=np.zeros((MOST_FATES, hands), np.int32),
        alone=np.zeros((TOTAL + 1, hands), np.int32),
        boxes=np.zeros((symbols, symbols, symbols), np.int32),
        splits=np.zeros((2, 2, symbols, symbols), np.int32),
        starts=np.zeros((MOST_HANGS, symbols), np.int32),
        suits=np.zeros((MOST_ASKED, 2, SUIT_CODES), np.int32),
        notes=np.zeros(NOTES, np.int64),
    )


@compiled
def _explore(f, t, cards, insures, shown_to, search):
    """Find all nodes; False if there is no room for them. With several plans none of boxes alone."""
    sizes, symbols = search.sizes, cards.size
    _new_node(search, DEALING, ROUND, -1)
    search.known[0, ONE] = search.known[0, OTHER] = -1
    if not _follow(f, t, cards, insures, shown_to, search, 0):
        return False
    found = sizes[NODES]
    for up in range(symbols):
        for first in range(symbols):
            if insures.size == 1:
                for second in range(symbols):
                    search.boxes[up, first, second] = _opened(
                        f, t, cards, shown_to, search, BOX, up, first, second, 0, 0
                    )
            for aces in range(2):
                for last in range(2):
                    node = _new_node(search, SECOND_CARD, OTHERS + 2 * aces + last, up)
                    search.known[node, ONE] = first
                    search.known[node, OTHER] = f[t.after + f[t.value + cards[first]]]
                    search.splits[aces, last, up, first] = node
        for bits in range(MOST_HANGS):
            hand = np.int64(f[t.after + f[t.value + cards[up]]])
            search.starts[bits, up] = _alone_with(f, t, search, min(bits, TOTAL), hand)
    return _follow(f, t, cards, insures, shown_to, search, found)


@apart
def _follow(f, t, cards, insures, shown_to, search, node):
    """Where every card leads from this node and all that are found on the way."""
    sizes, known, symbols = search.sizes, search.known, insures.size * cards.size
    while node < sizes[NODES]:
        if (
            sizes[NODES] + symbols > MOST_NODES
            or sizes[FATES] + symbols > MOST_FATES
            or sizes[OUTCOMES] + symbols > MOST_OUTCOMES
            or sizes[ASKED] + symbols > MOST_ASKED
        ):
            return False
        for which in range(symbols):
            plan, symbol = which // cards.size, which % cards.size
            phase = known[node, PHASE]
            if phase == DEALING:
                found = _dealt(f, t, cards, shown_to, search, node, symbol, plan, np.int64(insures[plan]))
            elif phase == DEALER:
                fate, hand = np.int64(known[node, ONE]), known[node, OTHER]
                hand = np.int64(f[t.after + 10 * hand + f[t.value + cards[symbol]]])
                if known[node, MODE] == ROUND:
                    found = _dealer_with(f, t, shown_to, search, fate, hand)
                else:
                    found = _alone_with(f, t, search, fate, hand)
            else:
                found = _hand_with(f, t, cards, shown_to, search, node, symbol, plan)
            search.nodes[node, which] = found
        node += 1
    return True


@inlined
def _new_node(search, phase, mode, up):
    node = search.sizes[NODES]
    search.sizes[NODES] = node + 1
    search.known[node, PHASE], search.known[node, MODE], search.known[node, UP] = phase, mode, up
    return node


@inlined
def _noted(field):
    return np.int64(-1 - field)


@inlined
def _kind(mode):
    return WHOLE if mode <= BOX else SPLIT_HAND if mode <= OTHERS_LAST else SPLIT_ACE


@apart
def _dealt(f, t, cards, shown_to, search, node, symbol, plan, insures):
    """A card of the initial deal to one box."""
    known = search.known
    up, first = np.int64(known[node, UP]), np.int64(known[node, ONE])
    second = np.int64(known[node, OTHER])
    dealt = (up >= 0) + (first >= 0) + (second >= 0)
    if not f[t.order + dealt]:
        up = symbol
    elif first < 0:
        first = symbol
    else:
        second = symbol
    if dealt + 1 == t.parts:
        return _opened(f, t, cards, shown_to, search, ROUND, up, first, second, plan, insures)
    found = np.int64(search.dealing[up + 1, first + 1, second + 1])
    if found == 0:
        found = _new_node(search, DEALING, ROUND, up)
        search.dealing[up + 1, first + 1, second + 1] = found
        known[found, ONE], known[found, OTHER] = first, second
    return found


@apart
def _opened(f, t, cards, shown_to, search, mode, up, first, second, plan, insures):
    """The box has its first two cards, and the dealer one."""
    hand = f[t.after + 10 * f[t.after + f[t.value + cards[first]]] + f[t.value + cards[second]]]
    codes = SUIT_CODES if f[t.suited + hand] else 1
    for code in range(codes):
        one, other = cards[first] + 13 * (code & 3), cards[second] + 13 * (code >> 2 & 3)
        if open_hand(f, t, search.notes, 0, one, other, cards[up], plan, insures):
            found = _ended(f, t, cards, shown_to, search, mode, up, 0)
        else:
            found = _decided(f, t, cards, shown_to, search, mode, up, plan, 0)
        search.suits[search.sizes[ASKED], :, code] = found
    return _by_suits(search, codes, TWO_SUITS)


@apart
def _hand_with(f, t, cards, shown_to, search, node, symbol, plan):
    """One more card to the hand of a node."""
    suited = _suits_count(f, t, search, node, f[t.value + cards[symbol]])
    codes = SUIT_CODES if suited else 1
    for barred in range(2 if suited else 1):
        for code in range(codes):
            found = _reached(f, t, cards, shown_to, search, node, symbol, plan, code, barred)
            search.suits[search.sizes[ASKED], barred, code] = found
    return _by_suits(search, codes, TWO_SUITS if search.known[node, PHASE] == SECOND_CARD else THREE_SUITS)


@inlined
def _suits_count(f, t, search, node, value):
    """Does what a hand does or wins with this card hang on its suits?"""
    known = search.known[node]
    if known[PHASE] == SECOND_CARD:
        return f[t.suited + f[t.after + 10 * known[OTHER] + value]] != 0
    grown = f[t.after + 10 * known[ONE + HAND] + value]
    if grown < 0 or known[ONE + CARDS] != 2 or (known[PHASE] == DOUBLES and not t.doubled_suits):
        return False
    return f[t.suit_row + grown] >= 0


@apart
def _reached(f, t, cards, shown_to, search, node, symbol, plan, code, barred):
    """What one more card brings to the hand of a node, its first cards and this one being of these suits."""
    notes, known = search.notes, search.known
    phase, mode, up = known[node, PHASE], np.int64(known[node, MODE]), np.int64(known[node, UP])
    upcard, kind = f[t.value + cards[up]], _kind(mode)
    if phase == SECOND_CARD:
        begin_hand(f, t, notes, 0, cards[known[node, ONE]] + 13 * (code & 3))
        deal_to(f, t, notes, 0, cards[symbol] + 13 * (code >> 2 & 3))
        return _decided(f, t, cards, shown_to, search, mode, up, plan, barred)
    for note in range(NOTES):
        notes[note] = known[node, ONE + note]
    if code:
        notes[FIRST], notes[SECOND] = (
            notes[FIRST] % 13 + 13 * (code & 3),
            notes[SECOND] % 13 + 13 * (code >> 2 & 3),
        )
        notes[SUITS] = code & 15
    card = cards[symbol] + 13 * (code >> 4)
    if phase == DOUBLES:
        double(f, t, notes, 0, kind, upcard, card)
        return _ended(f, t, cards, shown_to, search, mode, up, barred)
    deal_to(f, t, notes, 0, card)
    return _decided(f, t, cards, shown_to, search, mode, up, plan, barred)


@inlined
def _by_suits(search, codes, field):
    """What comes next by the last table of suits, which is dropped if they do not matter or it is known."""
    sizes, suits = search.sizes, search.suits
    last = sizes[ASKED]
    one, same = np.int64(suits[last, 0, 0]), True
    if codes > 1:
        for code in range(SUIT_CODES):
            same &= suits[last, 0, code] == one and suits[last, 1, code] == one
    if same:
        return one
    for which in range(last):
        same = True
        for code in range(SUIT_CODES):
            same &= suits[which, 0, code] == suits[last, 0, code]
            same &= suits[which, 1, code] == suits[last, 1, code]
        if same:
            return _noted(FIELDS + 2 * which + field - TWO_SUITS)
    sizes[ASKED] = last + 1
    return _noted(FIELDS + 2 * last + field - TWO_SUITS)


@apart
def _decided(f, t, cards, shown_to, search, mode, up, plan, barred):
    """What the hand in the notes does."""
    notes = search.notes
    hands = MOST_HANDS if mode in (OTHERS_LAST, AFTER_ACES_LAST) else 1
    act = decide(f, t, notes, 0, _kind(mode), f[t.value + cards[up]], hands, plan)
    if act == SPLIT:
        return _noted(INSURED_SPLIT if notes[INSURED] else SPLITS)
    if act == 0:
        return _ended(f, t, cards, shown_to, search, mode, up, barred)
    phase = HITS if act == HIT else DOUBLES
    variant = variant_of(f, t, notes, 0)
    found = np.int64(search.hands[mode, phase - HITS, notes[INSURED], up, notes[HAND], variant])
    if found == 0:
        found = _new_node(search, phase, mode, up)
        search.hands[mode, phase - HITS, notes[INSURED], up, notes[HAND], variant] = found
        for note in range(NOTES):
            search.known[found, ONE + note] = notes[note]
    return found


@apart
def _ended(f, t, cards, shown_to, search, mode, up, barred):
    """The box, or the hand of it, has ended as its notes say: what is left is the dealer's.

    Only a hand that shows a Super Bonus keeps its cards, by which it is known.
    """
    notes = search.notes
    new = search.fates[search.sizes[FATES]]
    new[:] = 0
    new[END], new[STAKE], new[WINS], new[INSURED] = notes[END], notes[STAKE], notes[WINS], notes[INSURED]
    new[CARDS] = min(notes[CARDS], 3)
    new[SHOWN] = notes[SHOWN] if notes[END] == LIVES else 0
    new[NOTES] = hangs_on(f, t, notes, 0, NOTES, cards[up])
    if notes[HAND] >= 0 and not barred and shows_bonus(f, t, notes, 0, cards[up]):
        new[HAND], new[SUITS] = notes[HAND], notes[SUITS]
        new[NOTES] |= JOINTLY
    count_box(notes, 0, NOTES, new[NOTES + 1 :])
    fate = _found(search.fates, search.sizes, FATES)
    for end in range(ENDS):
        search.pays[fate, end], _ = _won(f, t, shown_to, search.fates[fate], end >> 1, end & 1)
    if mode != ROUND:
        return _noted(FIRST_FATE + fate)
    return _dealer_with(f, t, shown_to, search, fate, np.int64(f[t.after + f[t.value + cards[up]]]))


@inlined
def _found(rows, sizes, which):
    """Which row is the same as the last, which is dropped if there is another."""
    last = sizes[which]
    for row in range(last):
        same = True
        for column in range(rows.shape[1]):
            same &= rows[row, column] == rows[last, column]
        if same:
            return row
    sizes[which] = last + 1
    return last


@inlined
def _won(f, t, shown_to, notes, dealer, natural):
    reached = max(dealer, t.lowest)  # a dealer stops below it only if nothing hangs on it
    return settle_box(f, t, notes, 0, NOTES, shown_to, 0, reached, natural)


@apart
def _dealer_with(f, t, shown_to, search, fate, hand):
    """Behind a box that ended in some way the dealer has this hand, over 21 if it is -1."""
    notes, sizes = search.fates[fate], search.sizes
    hangs = min(notes[NOTES] & ~JOINTLY, TOTAL)
    if hand >= 0 and f[t.draws + t.hands * hangs + hand]:
        found = np.int64(search.dealer[fate, hand])
        if found == 0:
            found = _new_node(search, DEALER, ROUND, 0)
            search.dealer[fate, hand] = found
            search.known[found, ONE], search.known[found, OTHER] = fate, hand
        return found
    dealer, natural = _shows(f, t, hand)
    new = search.outcomes[sizes[OUTCOMES]]
    new[0], bonuses = _won(f, t, shown_to, notes, dealer, natural)
    for count in range(COUNTS):
        new[1 + count] = notes[NOTES + 1 + count]
    new[1 + BONUSES] += bonuses
    count_dealer(dealer, natural, new[1:], 1)
    return _noted(FIRST_OUTCOME + _found(search.outcomes, sizes, OUTCOMES))


@inlined
def _shows(f, t, hand):
    if hand < 0:
        return TWENTY_ONE + 1, 0
    return f[t.total + hand], f[t.natural + hand]


@apart
def _alone_with(f, t, search, hangs, hand):
    """The dealer, on whose cards so much hangs, has this hand."""
    if hand >= 0 and f[t.draws + t.hands * hangs + hand]:
        found = np.int64(search.alone[hangs, hand])
        if found == 0:
            found = _new_node(search, DEALER, BOX, 0)
            search.alone[hangs, hand] = found
            search.known[found, ONE], search.known[found, OTHER] = hangs, hand
        return found
    dealer, natural = _shows(f, t, hand)
    return _noted(FIRST_END + 2 * dealer + natural)


# States


def _merged(nodes: Array) -> tuple[Array, Array]:
    """For each class of nodes a row of what comes next, in the order of the nodes; and each node's class.

    Nodes are taken for alike until a card tells them apart, and again with the classes so found (Moore).
    """
    factors = np.random.default_rng(0).integers(1 << 63, size=(2, nodes.shape[1]), dtype=np.uint64) | 1
    classes, count, found = np.zeros(len(nodes), np.int64), 0, 1
    while found > count:
        count = found
        mixed = _next_classes(nodes, classes).astype(np.uint64) * factors[0]
        mixed = (mixed ^ mixed >> np.uint64(29)) * factors[1]
        _, first, classes = np.unique(mixed.sum(axis=1), return_index=True, return_inverse=True)
        found = len(first)
    order = np.argsort(first)
    classes = np.argsort(order)[classes]
    rows = _next_classes(nodes, classes)
    if (rows != rows[first[order]][classes]).any():
        raise AssertionError("states that cards tell apart were taken for one")
    return rows[first[order]], classes


def _next_classes(nodes: Array, classes: Array) -> Array:
    return np.where(nodes >= 0, classes[nodes], nodes)


def _entries(rows: Array, width: int, suits: int, hangs: Array) -> Array:
    """What comes next as entries: a row and nothing to note, or the first row and something."""
    noted = np.where(rows < 0, -1 - rows, 0)
    insured = noted == INSURED_SPLIT
    asked = (noted >= FIELDS) & ~insured
    which = noted - FIELDS
    fields = np.where(insured, SPLITS, np.where(asked, TWO_SUITS + which % 2, noted))
    fates = (fields >= FIRST_FATE) & (fields < FIRST_END)
    begins = np.select(
        [rows >= 0, insured, asked, fates],
        [width * rows, 1, suits + SUIT_BLOCK * (which // 2), hangs[np.where(fates, fields - FIRST_FATE, 0)]],
        0,
    )
    return np.asarray(begins | fields << ROW_BITS, np.uint32)
