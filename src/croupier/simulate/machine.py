"""A game as machines: what is next after every card, tabulated by asking the kernel.

Everything that matters before the next card is a state, and a card leads to another state or to an end. One
machine plays a round of one box, the dealer's cards included; others play a box alone, a hand that is split,
and the dealer alone, for splits and full tables. All states are searched with the kernel's own functions, and
those that no cards can tell apart are merged. What a machine can't do it says at the card in question, and
the kernel plays that round: hands whose suits count, and a dealer's natural beside a split.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.cards import RANKS
from croupier.exact.hands import VARIANTS, Array
from croupier.simulate.kernel import (
    ACES,
    CARDS,
    COUNTS,
    END,
    HAND,
    INSURED,
    LIVES,
    NOTES,
    SHOWN,
    STAKE,
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
)
from croupier.simulate.shoe import apart, compiled, inlined
from croupier.simulate.tables import (
    DOUBLE,
    HIT,
    KINDS,
    MOST_HANDS,
    SPLIT,
    SPLIT_ACE,
    SPLIT_HAND,
    WHOLE,
    Tables,
    laid_out,
)

# An entry of the table: where the row of the next state begins, above it what there is to note, and whether
# somebody is to look at the round.
ROW_BITS = 18
ROW_MASK = (1 << ROW_BITS) - 1
FIELD_MASK = (1 << 10) - 1
ENDED_BIT = 30  # of an entry with which a round is over
ASKS = 1 << 31

# What there is to note: nothing, the cutting card, a pair that is split, a round of so many cards so far that
# the kernel is to play; how a round ended, how a box ended, how the dealer ended (twice the total, and 1 more
# for a natural).
MIDDLE, CUT, SPLITS, KERNEL = range(4)
FIRST_OUTCOME, FIRST_FATE, FIRST_END, FIELDS = 32, 256, 768, 1024
ENDS = 2 * (TWENTY_ONE + 2)

# How a round ended: what was won, then what the kernel counts.
OUTCOME = 1 + COUNTS


# What splits and full tables need begins with numbers: how many symbols there are, the ace's, how many parts
# the deal has, which of them is the dealer's and which the first to the boxes, into how many hands a pair may
# grow, others and aces. Then where its tables begin: [dealer's, first, second symbol], the entry for a box
# alone; [aces, whether no more may be split, dealer's, symbol], the entry for a hand of one card; [what hangs
# on it, symbol], the entry for the dealer's first card; [fate], what hangs on the dealer's cards;
# [fate, end], what is won.
SYMBOLS, ACE, PARTS, UP_PART, BOX_PART, MOST_OTHERS, MOST_ACES = range(7)
AT_BOXES, AT_SPLITS, AT_DEALER, AT_HANGS, AT_PAYS = range(7, 12)


class Machine(NamedTuple):
    """Rows of the table are as wide as there are symbols and the cutting card; the first is the beginning."""

    table: Array  # [plan, state, symbol]
    outcomes: Array  # [outcome, column]
    fates: Array  # [fate, column]: what hangs on the dealer's cards, then what the kernel counts
    rare: Array  # what splits and full tables need
    symbols: Array  # [card]
    width: int
    idle: int  # where a row begins that no card leads out of
    alone: bool  # are there machines for hands alone?


def machine_of(tables: Tables, insures: Array | None = None) -> Machine | None:
    """The machines of a game, or None where they would be too large. `insures`: which of its plans insure."""
    insures = np.zeros(1, np.uint8) if insures is None else insures
    symbols, cards = _symbols(tables)
    search = _search_for(tables, len(cards), len(insures))
    if not _explore(tables.flat, tables.places, cards, insures, search):
        return None
    nodes, fates, outcomes = search.sizes.tolist()
    rows, classes = _merged(search.nodes[:nodes])
    width, states = len(cards) + 1, len(rows)
    if states * width > ROW_MASK:
        return None
    table = np.empty((len(insures), states + 1, width), np.uint32)
    table[:, :-1, :-1] = _entries(rows, width).reshape(states, len(insures), -1).swapaxes(0, 1)
    table[:, :-1, -1] = width * np.arange(states) | CUT << ROW_BITS | ASKS
    table[:, -1] = width * states
    t = tables.places
    order = tables.flat[t.order : t.order + t.parts].tolist()
    parts = {
        "boxes": _entries(_next_classes(search.boxes, classes), width),
        "splits": width * classes[search.splits],
        "dealer": _entries(_next_classes(search.starts, classes), width),
        "hangs": search.fates[:fates, NOTES],
        "pays": search.pays[:fates],
    }
    behind, begins = laid_out(parts, np.uint32)
    numbers = [len(cards), int(symbols[RANKS.index("A")]), t.parts, order.index(0), order.index(1)]
    numbers += [t.most_hands, t.most_aces]
    begin = len(numbers) + len(begins)
    places = [begin + begins[name] for name in parts]
    return Machine(
        table=table.ravel(),
        outcomes=search.outcomes[:outcomes].copy(),
        fates=search.fates[:fates, NOTES:].copy(),
        rare=np.concatenate([np.array([*numbers, *places], np.uint32), behind]).view(np.int32),
        symbols=symbols,
        width=width,
        idle=states * width,
        alone=len(insures) == 1,
    )


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

NODES, FATES, OUTCOMES = range(3)
MOST_NODES = 1 << 18
MOST_FATES, MOST_OUTCOMES = FIRST_END - FIRST_FATE, FIRST_FATE - FIRST_OUTCOME

# Of a node: which card is waited for; whose, the dealer's cards following or not; the symbol of the dealer's
# first card; then the symbols of the box's cards, the notes of its hand, or how it ended and the dealer's
# hand.
PHASE, MODE, UP, ONE, OTHER = range(5)
NODE = ONE + NOTES
DEALING, SECOND, HITS, DOUBLES, DEALER = range(5)
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
    hands: Array  # [mode, phase, insured, dealer's, hand, first aces]
    dealer: Array  # [fate, dealer's hand]
    alone: Array  # [what hangs on it, dealer's hand]
    boxes: Array
    splits: Array
    starts: Array
    notes: Array


def _search_for(tables: Tables, symbols: int, plans: int) -> Search:
    hands = tables.places.hands
    return Search(
        sizes=np.zeros(3, np.int64),
        nodes=np.zeros((MOST_NODES, plans * symbols), np.int32),
        known=np.zeros((MOST_NODES, NODE), np.int32),
        fates=np.zeros((MOST_FATES, NOTES + 1 + COUNTS), np.int64),
        outcomes=np.zeros((MOST_OUTCOMES, OUTCOME), np.int64),
        pays=np.zeros((MOST_FATES, ENDS), np.int64),
        dealing=np.zeros((symbols + 1,) * 3, np.int32),
        hands=np.zeros((MODES, 2, 2, symbols, hands, 3), np.int32),
        dealer=np.zeros((MOST_FATES, hands), np.int32),
        alone=np.zeros((TOTAL + 1, hands), np.int32),
        boxes=np.zeros((symbols, symbols, symbols), np.int32),
        splits=np.zeros((2, 2, symbols, symbols), np.int32),
        starts=np.zeros((TOTAL + 1, symbols), np.int32),
        notes=np.zeros(NOTES, np.int64),
    )


@compiled
def _explore(f, t, cards, insures, search):
    """Find all nodes; False if there is no room for them. With several plans none of hands alone."""
    sizes, symbols = search.sizes, cards.size
    _new_node(search, DEALING, ROUND, -1)
    search.known[0, ONE] = search.known[0, OTHER] = -1
    if not _follow(f, t, cards, insures, search, 0):
        return False
    if insures.size > 1:
        return True
    found = sizes[NODES]
    for up in range(symbols):
        for first in range(symbols):
            for second in range(symbols):
                search.boxes[up, first, second] = _opened(f, t, cards, search, BOX, up, first, second, 0, 0)
            for aces in range(2):
                for last in range(2):
                    node = _new_node(search, SECOND, OTHERS + 2 * aces + last, up)
                    search.known[node, ONE] = first
                    search.splits[aces, last, up, first] = node
        for hangs in range(TOTAL + 1):
            hand = np.int64(f[t.after + f[t.value + cards[up]]])
            search.starts[hangs, up] = _alone_with(f, t, search, hangs, hand)
    return _follow(f, t, cards, insures, search, found)


@apart
def _follow(f, t, cards, insures, search, node):
    """Where every card leads from this node and all that are found on the way."""
    sizes, known, symbols = search.sizes, search.known, insures.size * cards.size
    while node < sizes[NODES]:
        if (
            sizes[NODES] + symbols > MOST_NODES
            or sizes[FATES] + symbols > MOST_FATES
            or sizes[OUTCOMES] + symbols > MOST_OUTCOMES
        ):
            return False
        for which in range(symbols):
            plan, symbol = which // cards.size, which % cards.size
            phase = known[node, PHASE]
            if phase == DEALING:
                found = _dealt(f, t, cards, search, node, symbol, plan, np.int64(insures[plan]))
            elif phase == DEALER:
                fate, hand = np.int64(known[node, ONE]), known[node, OTHER]
                hand = np.int64(f[t.after + 10 * hand + f[t.value + cards[symbol]]])
                if known[node, MODE] == ROUND:
                    found = _dealer_with(f, t, search, fate, hand)
                else:
                    found = _alone_with(f, t, search, fate, hand)
            else:
                found = _hand_with(f, t, cards, search, node, symbol, plan)
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
def _dealt(f, t, cards, search, node, symbol, plan, insures):
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
        return _opened(f, t, cards, search, ROUND, up, first, second, plan, insures)
    found = np.int64(search.dealing[up + 1, first + 1, second + 1])
    if found == 0:
        found = _new_node(search, DEALING, ROUND, up)
        search.dealing[up + 1, first + 1, second + 1] = found
        known[found, ONE], known[found, OTHER] = first, second
    return found


@apart
def _opened(f, t, cards, search, mode, up, first, second, plan, insures):
    """The box has its first two cards, and the dealer one."""
    ended = open_hand(f, t, search.notes, 0, cards[first], cards[second], cards[up], plan, insures)
    if _suits_matter(f, t, search.notes, WHOLE, f[t.value + cards[up]], plan):
        return _noted(KERNEL + t.parts)
    if ended:
        return _ended(f, t, cards, search, mode, up)
    return _decided(f, t, cards, search, mode, up, plan)


@inlined
def _suits_matter(f, t, notes, kind, upcard, plan):
    """Does play hang on the suits of these two cards?"""
    hand = notes[HAND]
    if not f[t.suited + hand]:
        return False
    acts = t.act + VARIANTS * (t.hands * (10 * (KINDS * plan + kind) + upcard) + hand)
    one = f[acts + f[t.pair_suits]]
    for pair in range(16):
        if f[acts + f[t.pair_suits + pair]] != one:
            return True
    return one & DOUBLE != 0


@inlined
def _suits_pay(f, t, notes):
    """Does what the hand wins hang on its suits?"""
    if notes[HAND] < 0 or notes[CARDS] != 3 or (notes[STAKE] == 2 and not t.doubled_suits):
        return False
    return f[t.suit_row + notes[HAND]] >= 0


@apart
def _hand_with(f, t, cards, search, node, symbol, plan):
    """One more card to the hand of a node."""
    notes, known = search.notes, search.known
    phase, mode, up = known[node, PHASE], np.int64(known[node, MODE]), np.int64(known[node, UP])
    upcard = f[t.value + cards[up]]
    if phase == SECOND:
        begin_hand(f, t, notes, 0, cards[known[node, ONE]])
    else:
        for note in range(NOTES):
            notes[note] = known[node, ONE + note]
    if phase == DOUBLES:
        double(f, t, notes, 0, _kind(mode), upcard, cards[symbol])
        if _suits_pay(f, t, notes):
            return _noted(KERNEL + 1 + notes[CARDS])
        return _ended(f, t, cards, search, mode, up)
    deal_to(f, t, notes, 0, cards[symbol])
    if phase == SECOND and _suits_matter(f, t, notes, _kind(mode), upcard, plan):
        return _noted(KERNEL)
    return _decided(f, t, cards, search, mode, up, plan)


@apart
def _decided(f, t, cards, search, mode, up, plan):
    """What the hand in the notes does."""
    notes = search.notes
    if _suits_pay(f, t, notes):
        return _noted(KERNEL + 1 + notes[CARDS])
    hands = MOST_HANDS if mode in (OTHERS_LAST, AFTER_ACES_LAST) else 1
    act = decide(f, t, notes, 0, _kind(mode), f[t.value + cards[up]], hands, plan)
    if act == SPLIT:
        return _noted(SPLITS)
    if act == 0:
        return _ended(f, t, cards, search, mode, up)
    phase = HITS if act == HIT else DOUBLES
    aces = notes[ACES] if t.first_aces else 0
    found = np.int64(search.hands[mode, phase - HITS, notes[INSURED], up, notes[HAND], aces])
    if found == 0:
        found = _new_node(search, phase, mode, up)
        search.hands[mode, phase - HITS, notes[INSURED], up, notes[HAND], aces] = found
        for note in range(NOTES):
            search.known[found, ONE + note] = notes[note]
    return found


@apart
def _ended(f, t, cards, search, mode, up):
    """The box, or the hand of it, has ended as its notes say: what is left is the dealer's."""
    notes = search.notes
    new = search.fates[search.sizes[FATES]]
    new[:] = 0
    new[END], new[STAKE], new[WINS], new[INSURED] = notes[END], notes[STAKE], notes[WINS], notes[INSURED]
    new[CARDS] = min(notes[CARDS], 3)
    new[SHOWN] = notes[SHOWN] if notes[END] == LIVES else 0
    new[NOTES] = hangs_on(f, t, notes, 0, NOTES, cards[up])
    count_box(notes, 0, NOTES, new[NOTES + 1 :])
    fate = _found(search.fates, search.sizes, FATES)
    for end in range(ENDS):
        search.pays[fate, end] = _won(f, t, search.fates[fate], end >> 1, end & 1)
    if mode != ROUND:
        return _noted(FIRST_FATE + fate)
    return _dealer_with(f, t, search, fate, np.int64(f[t.after + f[t.value + cards[up]]]))


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
def _won(f, t, notes, dealer, natural):
    reached = max(dealer, t.lowest)  # a dealer stops below it only if nothing hangs on it
    won, _ = settle_box(f, t, notes, 0, NOTES, 0, 0, reached, natural)
    return won


@apart
def _dealer_with(f, t, search, fate, hand):
    """Behind a box that ended in some way the dealer has this hand, over 21 if it is -1."""
    notes, sizes = search.fates[fate], search.sizes
    if hand >= 0 and f[t.draws + t.hands * notes[NOTES] + hand]:
        found = np.int64(search.dealer[fate, hand])
        if found == 0:
            found = _new_node(search, DEALER, ROUND, 0)
            search.dealer[fate, hand] = found
            search.known[found, ONE], search.known[found, OTHER] = fate, hand
        return found
    dealer, natural = _shows(f, t, hand)
    new = search.outcomes[sizes[OUTCOMES]]
    new[0] = _won(f, t, notes, dealer, natural)
    for count in range(COUNTS):
        new[1 + count] = notes[NOTES + 1 + count]
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


def _entries(rows: Array, width: int) -> Array:
    """What comes next as entries: a row and nothing to note, or the first row and something."""
    fields = np.where(rows < 0, -1 - rows, 0)
    asks = (fields > CUT) & (fields < FIRST_OUTCOME)
    ended = (fields >= FIRST_OUTCOME) & (fields < FIRST_FATE)
    entries = np.where(rows >= 0, width * rows, 0) | fields << ROW_BITS | ended << ENDED_BIT | asks * ASKS
    return np.asarray(entries, np.uint32)
