"""A box hand by hand, as the machines play it: what comes after an entry that asks.

Where the box splits, its hands go through the machine for hands that are split, one after another and card by
card like everything else; how each ended is marked, and settled when the dealer's cards are there. What hands
win beside each other where the dealer has a natural, and a Super Bonus, is asked of the kernel.
"""

from __future__ import annotations

import numpy as np

from croupier.simulate.kernel import INSURED, NATURAL, NOTES, hangs_on, settle_box
from croupier.simulate.machine import (
    ACE,
    AT_AGAIN,
    AT_CARDS,
    AT_DEALER,
    AT_FATES,
    AT_PAYS,
    AT_SPLITS,
    BONUS_BARS,
    BONUS_UP,
    GIVES_BACK,
    MOST_ACES,
    MOST_OTHERS,
    ROW_BITS,
    ROW_MASK,
    SYMBOLS,
)
from croupier.simulate.search import ENDS, FIRST_END, FIRST_FATE, JOINTLY, SPLITS, THREE_SUITS
from croupier.simulate.shoe import apart, card_of, inlined, symbol_of
from croupier.simulate.tables import MOST_HANDS, SUIT_CODES

# What is marked of a box: its hands, one until it is split; how many of them are played; what hangs on the
# dealer's cards; whether it is insured, and has lost its Super Bonus; the symbol of the dealer's first card;
# where the entry for a hand of one of its cards stands, and into how many hands it may grow; where the second
# card of the hand at hand lies; how hands ended; the first cards of those that have not, that of the hand at
# hand last. A box that is not split has its two cards there.
MANY, PLAYED, HANGS, IS_INSURED, BARRED, UP, STARTS, MOST, SINCE, FATES = range(10)
FIRSTS = FATES + MOST_HANDS
BOX = FIRSTS + MOST_HANDS

OVER = np.uint32(0)  # instead of an entry: all hands of the box have ended


@inlined
def field_of(entry):
    return np.uint64(entry >> np.uint32(ROW_BITS))


@inlined
def begin_box(marks, box, up, first, second):
    """A box of these cards, which are words, the dealer's first card as its symbol."""
    marks[box + MANY], marks[box + PLAYED], marks[box + UP] = 1, 0, up
    marks[box + HANGS] = marks[box + IS_INSURED] = marks[box + BARRED] = 0
    marks[box + FIRSTS], marks[box + FIRSTS + 1] = np.int64(second), np.int64(first)


@inlined
def go_on(f, rare, deck, marks, box, entry, now):
    """The entry from which a box goes on that asks, the next card being at this place; or it is over."""
    field = np.int64(field_of(entry))
    if field >= FIRST_FATE:
        return _hand_over(rare, marks, box, entry, now)
    if field == SPLITS:
        return _split(f, rare, deck, marks, box, entry, now)
    return _by_suits(rare, deck, marks, box, entry, now)


@inlined
def is_split_again(entry):
    """Has the machine split a pair, which is now split again?"""
    return field_of(entry) == np.uint64(SPLITS) and entry & np.uint32(ROW_MASK) >= np.uint32(2)


@inlined
def split_once(f, rare, deck, marks, box, entry, now):
    """Mark the box of such a pair as it is before that. No more than the ranks of its cards matters."""
    again = rare[AT_AGAIN] + 3 * (np.int64(entry & np.uint32(ROW_MASK)) - 2)
    begin_box(marks, box, rare[again], rare[again + 1], rare[again + 1])
    _split(f, rare, deck, marks, box, np.uint32(0), now)
    if rare[again + 2]:
        _hand_over(rare, marks, box, np.uint32(rare[again + 2]), now)


@inlined
def _hand_over(rare, marks, box, entry, now):
    marks[box + FATES + marks[box + PLAYED]] = np.int64(field_of(entry)) - FIRST_FATE
    marks[box + HANGS] |= np.int64(entry & np.uint32(ROW_MASK))
    marks[box + PLAYED] += 1
    return OVER if marks[box + PLAYED] == marks[box + MANY] else _next_hand(rare, marks, box, now)


@inlined
def _next_hand(rare, marks, box, now):
    """The entry for a hand of one card, which may be split again or not."""
    marks[box + SINCE] = now
    last = marks[box + MANY] >= marks[box + MOST]
    return np.uint32(rare[marks[box + STARTS] + last * rare[SYMBOLS] * rare[SYMBOLS]])


@inlined
def _split(f, rare, deck, marks, box, entry, now):
    """The hand becomes two; the one at hand keeps the first card, and the next has the second."""
    top = box + FIRSTS + marks[box + MANY] - marks[box + PLAYED]
    if marks[box + MANY] == 1:
        insured = np.int64(entry & np.uint32(ROW_MASK))
        marks[box + IS_INSURED], marks[box + HANGS] = insured, insured * NATURAL
        first = np.int64(symbol_of(marks[top]))
        aces, symbols = first == rare[ACE], rare[SYMBOLS]
        marks[box + MOST] = rare[MOST_ACES] if aces else rare[MOST_OTHERS]
        marks[box + STARTS] = rare[AT_SPLITS] + ((2 * aces) * symbols + marks[box + UP]) * symbols + first
    else:
        marks[top], marks[top - 1] = marks[top - 1], np.int64(deck[now - 1])
    marks[box + MANY] += 1
    marks[box + BARRED] |= f[rare[BONUS_BARS] + 52 * card_of(marks[top]) + card_of(marks[top - 1])]
    return _next_hand(rare, marks, box, now)


@inlined
def _by_suits(rare, deck, marks, box, entry, now):
    """The hand at hand has two or three cards, and it depends on their suits what comes next."""
    top, second = box + FIRSTS + marks[box + MANY] - marks[box + PLAYED] - 1, marks[box + FIRSTS]
    if marks[box + MANY] == 1:
        top += 1
    else:
        second = np.int64(deck[marks[box + SINCE]])
    code = _suit_of(marks[top]) | _suit_of(second) << 2
    if field_of(entry) == THREE_SUITS:
        code |= _suit_of(deck[now - 1]) << 4
    table = np.int64(entry & np.uint32(ROW_MASK))
    return np.uint32(rare[table + SUIT_CODES * marks[box + BARRED] + code])


@inlined
def _suit_of(word):
    return card_of(word) // 13


# The dealer, and what is won


@inlined
def dealer_begins(f, t, rare, notes, marks, box):
    """The entry for the dealer's first card beside this box alone."""
    hangs = marks[box + HANGS] & ~JOINTLY
    if rare[GIVES_BACK]:
        hangs = hangs_jointly(f, t, rare, notes, marks, box)
    return dealer_for(rare, hangs, marks[box + UP])


@inlined
def dealer_for(rare, hangs, up):
    return np.uint32(rare[rare[AT_DEALER] + hangs * rare[SYMBOLS] + up])


@inlined
def settle(f, t, rare, notes, marks, box, field, ends):
    """What a box wins where the dealer ended so, and how many Super Bonuses; how hands ended is counted."""
    end, many = field - FIRST_END, marks[box + MANY]
    net, bonuses = np.int64(0), np.int64(0)
    for hand in range(box + FATES, box + FATES + many):
        net += rare[rare[AT_PAYS] + ENDS * marks[hand] + end]
        ends[FIRST_FATE + marks[hand]] += 1
    if marks[box + HANGS] & JOINTLY or (many > 1 and (end & 1 or marks[box + IS_INSURED])):
        net, bonuses = _settle_jointly(f, t, rare, notes, marks, box, end)
    return net, bonuses


@apart
def _settle_jointly(f, t, rare, notes, marks, box, end):
    until = _noted_again(rare, notes, marks, box)
    reached = max(end >> 1, t.lowest)
    return settle_box(f, t, notes, 0, until, rare[BONUS_UP], 0, reached, end & 1)


@apart
def hangs_jointly(f, t, rare, notes, marks, box):
    return hangs_on(
        f, t, notes, 0, _noted_again(rare, notes, marks, box), rare[rare[AT_CARDS] + marks[box + UP]]
    )


@inlined
def _noted_again(rare, notes, marks, box):
    """How the hands of a box ended as the kernel notes it, and where its notes end."""
    many = marks[box + MANY]
    for hand in range(many):
        fate = rare[AT_FATES] + NOTES * marks[box + FATES + hand]
        for note in range(NOTES):
            notes[NOTES * hand + note] = rare[fate + note]
    notes[INSURED] |= marks[box + IS_INSURED]
    return NOTES * many
