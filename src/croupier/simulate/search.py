"""All that can be before the next card, searched by asking the kernel's own functions with every card.

A node is all that matters then: of the box, and behind it of the dealer, as the kernel notes it.
"""

from __future__ import annotations

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
)

# What there is to note: nothing; how a round ended; then what asks: the cutting card, a pair that is split,
# two or three cards whose suits are to be looked at, how a hand ended, how the dealer ended (twice the total,
# and 1 more for a natural).
FIRST_OUTCOME, FIRST_ASKING, FIRST_FATE, FIRST_END, FIELDS = 256, 512, 544, 960, 1024
CUT, SPLITS, TWO_SUITS, THREE_SUITS = range(FIRST_ASKING, FIRST_ASKING + 4)
ENDS = 2 * (TWENTY_ONE + 2)

# How a round ended: what was won, then what the kernel counts.
OUTCOME = 1 + COUNTS

# What hangs on the dealer's cards (the kernel's NATURAL and TOTAL) is taken for bits, which the hands of a
# box add up to; one more is for a hand that can't be settled by itself.
MOST_HANGS = 4
JOINTLY = 4

NODES, FATES, OUTCOMES, ASKED = range(4)
MOST_NODES = 1 << 18
MOST_FATES, MOST_OUTCOMES = FIRST_END - FIRST_FATE, FIRST_ASKING - FIRST_OUTCOME
MOST_ASKED = 1 << 10

# Behind what there is to note: tables of suits, for two or three cards; a pair of an insured box; pairs that
# are split by the dealer's card and their own, and such as are split again (`pairs.py`).
INSURED_SPLIT = FIELDS + 2 * MOST_ASKED
PAIRS = INSURED_SPLIT + 1
AGAIN = PAIRS + len(RANKS) ** 2

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


def search_for(tables: Tables, symbols: int, plans: int) -> Search:
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


def next_classes(nodes: Array, classes: Array) -> Array:
    """What comes next by the class of the node."""
    return np.where(nodes >= 0, classes[nodes], nodes)


@compiled
def explore(f, t, cards, insures, shown_to, search):
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
def noted(field):
    """What there is to note in the place of a node, and back."""
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
        if found == noted(SPLITS):
            found = noted(PAIRS + cards.size * up + first)
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
            return noted(FIELDS + 2 * which + field - TWO_SUITS)
    sizes[ASKED] = last + 1
    return noted(FIELDS + 2 * last + field - TWO_SUITS)


@apart
def _decided(f, t, cards, shown_to, search, mode, up, plan, barred):
    """What the hand in the notes does."""
    notes = search.notes
    hands = MOST_HANDS if mode in (OTHERS_LAST, AFTER_ACES_LAST) else 1
    act = decide(f, t, notes, 0, _kind(mode), f[t.value + cards[up]], hands, plan)
    if act == SPLIT:
        return noted(INSURED_SPLIT if notes[INSURED] else SPLITS)
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
    fates = search.sizes[FATES]
    fate = found_among(search.fates, search.sizes, FATES)
    for end in range(ENDS if fate == fates else 0):
        search.pays[fate, end], _ = _won(f, t, shown_to, search.fates[fate], end >> 1, end & 1)
    if mode != ROUND:
        return noted(FIRST_FATE + fate)
    return _dealer_with(f, t, shown_to, search, fate, np.int64(f[t.after + f[t.value + cards[up]]]))


@inlined
def found_among(rows, sizes, which):
    """Which row is the same as the last, which is dropped if there is another."""
    last = sizes[which]
    for row in range(last):
        column = 0
        while column < rows.shape[1] and rows[row, column] == rows[last, column]:
            column += 1
        if column == rows.shape[1]:
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
    return noted(FIRST_OUTCOME + found_among(search.outcomes, sizes, OUTCOMES))


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
    return noted(FIRST_END + 2 * dealer + natural)
