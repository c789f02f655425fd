"""A pair that is split once, as rows of the machine: its hands one after the other, then the dealer.

They follow from the machines for a hand that is split and for the dealer alone: a row for every row of those,
beside what the rest of the round needs to know. Most pairs end so, and how both hands ended is a fate of the
box like any other. Only one that is split again leaves the machine, and what it needs to go on from there is
listed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.hands import Array
from croupier.simulate.kernel import COUNTS, NOTES, count_dealer, settle_box
from croupier.simulate.kernel import SPLITS as COUNT_SPLITS
from croupier.simulate.search import (
    AGAIN,
    ASKED,
    ENDS,
    FATES,
    FIRST_END,
    FIRST_FATE,
    FIRST_OUTCOME,
    JOINTLY,
    MOST_FATES,
    MOST_OUTCOMES,
    OUTCOMES,
    PAIRS,
    SPLITS,
    Search,
    found_among,
    next_classes,
    noted,
)
from croupier.simulate.shoe import apart, compiled, inlined
from croupier.simulate.tables import Tables

# What a row of a pair is: who is to have the next card, and three parts that say the rest. A card to the
# first hand: the dealer's first card, the pair's, the hand's own row. The second card of the second hand: the
# same cards, how the first hand ended. A further one: the dealer's card, how the first hand ended, the hand's
# own row. One to the dealer: how both hands ended, the dealer's own row. The hands of a box alone, behind
# which the dealer's cards do not follow at once, have rows of their own.
FIRST_HAND, SECOND_CARD, SECOND_HAND, DEALER, ALONE = range(5)

ROWS, SPLIT_AGAIN = range(2)
MOST_ROWS, MOST_AGAIN = 1 << 16, 1 << 13


class Pairs(NamedTuple):
    """What is found: rows of the machine, with those of pairs behind them, and pairs that are split again."""

    sizes: Array
    rows: Array  # [row, symbol]
    known: Array  # [row, who and the rest]
    numbers: Array  # [who and the rest]: the row, 0 if there is none yet
    again: Array  # [which]: the dealer's card and the pair's, and how the first hand ended, 0 if it has not
    boxes: Array  # [dealer's card, first, second]: the row of a box alone, or what there is to note
    kinds: Array  # [fate]: which of those that can be told apart
    fates: Array  # [kind]: a fate of it
    both: Array  # [kind, kind]: the fate of a box whose hands ended so
    hands: Array  # [dealer's card, pair's]: the row of a hand of one card
    starts: Array  # [what hangs on it, dealer's card]: the dealer's row, or the end


def with_pairs(tables: Tables, search: Search, rows: Array, classes: Array, ace: int) -> Pairs | None:
    """The rows and those of pairs, or None where more of a pair matters than its ranks, or too much."""
    t, own, symbols = tables.places, *rows.shape
    all_fates = search.fates[: search.sizes[FATES]]
    if search.sizes[ASKED] or t.gives_back or (all_fates[:, NOTES] & JOINTLY).any():
        return None
    nets = np.zeros((len(all_fates), len(all_fates), ENDS), np.int64)
    settle_pairs(tables.flat, t, all_fates, np.zeros(2 * NOTES, np.int64), nets)
    beside = nets.reshape(len(nets), -1), nets.swapaxes(0, 1).reshape(len(nets), -1), all_fates[:, NOTES:]
    _, fates, kinds = np.unique(np.hstack(beside), axis=0, return_index=True, return_inverse=True)
    both = _fates_of_both(search, fates, nets)
    if both is None:
        return None
    cards = np.arange(symbols)
    last = np.where(cards == ace, t.most_aces, t.most_hands) <= 2
    hands = classes[search.splits[(cards == ace).astype(int), last.astype(int), cards[:, None], cards]]
    most = max(symbols, len(fates))
    found = Pairs(
        sizes=np.array([own, 0]),
        rows=np.zeros((MOST_ROWS, symbols), rows.dtype),
        known=np.zeros((MOST_ROWS, 4), np.int32),
        numbers=np.zeros((ALONE + DEALER, max(most, both.max() + 1), most, max(own, most)), np.int32),
        again=np.zeros((MOST_AGAIN, 3), np.int32),
        boxes=next_classes(search.boxes, classes),
        kinds=kinds.ravel(),
        fates=fates,
        both=both,
        hands=hands,
        starts=next_classes(search.starts, classes),
    )
    found.rows[:own] = rows
    if not follow_pairs(search, found):
        return None
    many, again = found.sizes.tolist()
    return found._replace(rows=found.rows[:many], again=found.again[:again])


def _fates_of_both(search: Search, fates: Array, nets: Array) -> Array | None:
    """How boxes end whose two hands ended as these fates say; None if there is no room for that."""
    one, other = (part.ravel() for part in np.meshgrid(fates, fates, indexing="ij"))
    counts = search.fates[one, NOTES + 1 :] + search.fates[other, NOTES + 1 :]
    counts[:, COUNT_SPLITS] += 1
    hangs = search.fates[one, NOTES] | search.fates[other, NOTES]
    ends = np.hstack([hangs[:, None], counts, nets[one, other]])
    ended, both = np.unique(ends, axis=0, return_inverse=True)
    begin = int(search.sizes[FATES])
    end = begin + len(ended)
    if end > MOST_FATES:
        return None
    search.fates[begin:end, NOTES:], search.pays[begin:end] = ended[:, :-ENDS], ended[:, -ENDS:]
    search.sizes[FATES] = end
    return begin + both.reshape(len(fates), len(fates))


@compiled
def settle_pairs(f, t, fates, notes, nets):
    """What two hands win that ended in some way, by how the dealer ended."""
    for one in range(len(fates)):
        for other in range(len(fates)):
            for note in range(NOTES):
                notes[note], notes[NOTES + note] = fates[one, note], fates[other, note]
            for end in range(ENDS):
                reached = max(end >> 1, t.lowest)
                nets[one, other, end], _ = settle_box(f, t, notes, 0, 2 * NOTES, 0, 0, reached, end & 1)


@compiled
def follow_pairs(search, pairs):
    """Where every card leads from a pair; False if there is no room for that."""
    sizes, rows, symbols = pairs.sizes, pairs.rows, pairs.rows.shape[1]
    own = node = sizes[ROWS]
    for row in range(own):
        for symbol in range(symbols):
            rows[row, symbol] = _begun(pairs, rows[row, symbol], FIRST_HAND)
    for up in range(symbols):
        for card in range(symbols):
            pairs.boxes[up, card, card] = _begun(pairs, pairs.boxes[up, card, card], ALONE + FIRST_HAND)
    while node < sizes[ROWS]:
        if (
            sizes[ROWS] + symbols > MOST_ROWS
            or sizes[SPLIT_AGAIN] + symbols > MOST_AGAIN
            or search.sizes[OUTCOMES] + symbols > MOST_OUTCOMES
        ):
            return False
        for symbol in range(symbols):
            rows[node, symbol] = _next(search, pairs, node, symbol)
        node += 1
    return True


@inlined
def _begun(pairs, on, whose):
    """What comes next: the first hand's second card, if it is a pair that is split."""
    pair, symbols = noted(on) - PAIRS, pairs.rows.shape[1]
    if pair < 0:
        return np.int64(on)
    up, first = pair // symbols, pair % symbols
    return _row(pairs, whose, up, first, pairs.hands[up, first])


@apart
def _next(search, pairs, node, symbol):
    whose, a, b, c = pairs.known[node]
    alone = whose > DEALER
    whose -= ALONE * alone
    on = np.int64(pairs.rows[pairs.hands[a, b] if whose == SECOND_CARD else c, symbol])
    if on >= 0:
        if whose == SECOND_CARD:
            return _row(pairs, ALONE * alone + SECOND_HAND, a, c, on)
        return _row(pairs, ALONE * alone + whose, a, b, on)
    field = noted(on)
    if whose == DEALER:
        return _outcome(search, a, field - FIRST_END)
    if field == SPLITS:
        return _split_again(pairs, a, b, noted(FIRST_FATE + pairs.fates[c]) if whose == SECOND_CARD else 0)
    kind = pairs.kinds[field - FIRST_FATE]
    if whose == FIRST_HAND:
        return _row(pairs, ALONE * alone + SECOND_CARD, a, b, kind)
    fate = pairs.both[c if whose == SECOND_CARD else b, kind]
    if alone:
        return noted(FIRST_FATE + fate)
    on = np.int64(pairs.starts[search.fates[fate, NOTES], a])
    return _row(pairs, DEALER, fate, 0, on) if on >= 0 else _outcome(search, fate, noted(on) - FIRST_END)


@inlined
def _row(pairs, whose, a, b, c):
    found = np.int64(pairs.numbers[whose, a, b, c])
    if found == 0:
        found = pairs.sizes[ROWS]
        pairs.sizes[ROWS] = found + 1
        pairs.numbers[whose, a, b, c] = found
        known = pairs.known[found]
        known[0], known[1], known[2], known[3] = whose, a, b, c
    return found


@inlined
def _split_again(pairs, up, first, ended):
    which = pairs.sizes[SPLIT_AGAIN]
    pairs.sizes[SPLIT_AGAIN] = which + 1
    again = pairs.again[which]
    again[0], again[1], again[2] = up, first, ended
    return noted(AGAIN + which)


@apart
def _outcome(search, fate, end):
    """How a round ends in which the dealer and the hands end so."""
    new = search.outcomes[search.sizes[OUTCOMES]]
    new[0] = search.pays[fate, end]
    for count in range(COUNTS):
        new[1 + count] = search.fates[fate, NOTES + 1 + count]
    count_dealer(end >> 1, end & 1, new[1:], 1)
    return noted(FIRST_OUTCOME + found_among(search.outcomes, search.sizes, OUTCOMES))
