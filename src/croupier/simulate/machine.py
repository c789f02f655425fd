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
from croupier.exact.hands import Array
from croupier.simulate.kernel import NOTES, TWENTY_ONE
from croupier.simulate.pairs import with_pairs
from croupier.simulate.search import (
    AGAIN,
    CUT,
    FIELDS,
    FIRST_END,
    FIRST_FATE,
    INSURED_SPLIT,
    NODES,
    PAIRS,
    SPLITS,
    TWO_SUITS,
    explore,
    next_classes,
    search_for,
)
from croupier.simulate.tables import MOST_HANDS, SUIT_CODES, Tables, laid_out

MOST_SKIPPED = (MOST_HANDS + 1) * TWENTY_ONE  # cards of a round that a lane passes over: none takes more

# An entry of the table: where the row of the next state begins, and above it what there is to note. Where
# suits are asked for, their table begins where a row would; where a pair is split, there stands whether its
# box is insured, or 2 and more where it is split again; where a hand ended what hangs on the dealer's cards.
ROW_BITS = 22
ROW_MASK = (1 << ROW_BITS) - 1
ENDED_BIT = 30  # of an entry with which a round is over
ASKS = 1 << 31  # of one at which somebody is to look at the round

# What splits and full tables need begins with numbers: how many symbols there are, the ace's, how many parts
# the deal has, which of them is the dealer's and which are the first and the second to the boxes, into how
# many hands a pair may grow, others and aces, whether what was lost may be given back, a card of the dealer's
# against which a Super Bonus is shown, and where the kernel has what loses it. Then where its tables begin:
# [symbol], a card of it; [dealer's, first, second symbol], the entry for a box alone; [aces, whether no more
# may be split, dealer's, symbol], the entry for a hand of one card; [what hangs on it, symbol], the entry for
# the dealer's first card; [fate, end], what is won; [fate, note], how the hand ended; [which], of a pair that
# the machine split and that is split again, the dealer's card, its own, and how its first hand ended; [which,
# whether a Super Bonus is lost, suits], the entry where suits were asked for.
SYMBOLS, ACE, PARTS, UP_PART, FIRST_PART, SECOND_PART = range(6)
MOST_OTHERS, MOST_ACES, GIVES_BACK, BONUS_UP, BONUS_BARS = range(6, 11)
AT_CARDS, AT_BOXES, AT_SPLITS, AT_DEALER, AT_PAYS, AT_FATES, AT_AGAIN, AT_SUITS = range(11, 19)
SUIT_BLOCK = 2 * SUIT_CODES


class Machine(NamedTuple):
    """Rows of the table are as wide as there are symbols and the cutting card; the first is the beginning."""

    table: Array  # [plan, state, symbol]
    outcomes: Array  # [outcome, column]
    fates: Array  # [fate, column]: what the kernel counts of it
    rare: Array  # what splits and full tables need
    symbols: Array  # [card]
    width: int
    idle: int  # where a row begins that no card leads out of; rows that so many cards lead out of follow
    plan_size: int


def machine_of(tables: Tables, insures: Array | None = None) -> Machine | None:
    """The machines of a game, or None where they would be too large. `insures`: which of its plans insure."""
    insures = np.zeros(1, np.uint8) if insures is None else insures
    symbols, cards = _symbols(tables)
    search, shown_to = search_for(tables, len(cards), len(insures)), _bonus_up(tables)
    if not explore(tables.flat, tables.places, cards, insures, shown_to, search):
        return None
    rows, classes = _merged(search.nodes[: search.sizes[NODES]])
    t, ace = tables.places, int(symbols[RANKS.index("A")])
    pairs = with_pairs(tables, search, rows, classes, ace) if len(insures) == 1 else None
    rows = pairs.rows if pairs else rows
    _, fates, outcomes, asked = search.sizes.tolist()
    width, states = len(cards) + 1, len(rows)
    order = tables.flat[t.order : t.order + t.parts].tolist()
    first_part = order.index(1)
    numbers = [len(cards), ace, t.parts, order.index(0), first_part]
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
        "again": pairs.again if pairs else np.zeros((0, 3), int),
        "suits": search.suits[:asked],
    }
    places = (begin + np.cumsum([0, *(part.size for part in sizes.values())])).tolist()
    if states * width > ROW_MASK or places[-1] > ROW_MASK:
        return None
    entries = partial(_entries, width=width, suits=places[-2], hangs=search.fates[:, NOTES])
    table = np.empty((len(insures), states + 1 + MOST_SKIPPED, width), np.uint32)
    table[:, :states, :-1] = entries(rows).reshape(states, len(insures), -1).swapaxes(0, 1)
    table[:, :states, -1] = width * np.arange(states) | CUT << ROW_BITS
    table[:, states] = width * states
    table[:, states + 1] = 0
    table[:, states + 2 :] = width * np.arange(states + 1, states + MOST_SKIPPED)[:, None]
    parts = sizes | {
        "boxes": entries(pairs.boxes if pairs else next_classes(search.boxes, classes)),
        "splits": width * classes[search.splits],
        "dealer": entries(next_classes(search.starts, classes)),
        "again": np.column_stack([sizes["again"][:, :2], entries(sizes["again"][:, 2])]),
        "suits": entries(next_classes(search.suits[:asked], classes)),
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
        plan_size=table[0].size,
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


# States


def _merged(nodes: Array) -> tuple[Array, Array]:
    """For each class of nodes a row of what comes next, in the order of the nodes; and each node's class.

    Nodes are taken for alike until a card tells them apart, and again with the classes so found (Moore).
    """
    factors = np.random.default_rng(0).integers(1 << 63, size=(2, nodes.shape[1]), dtype=np.uint64) | 1
    classes, count, found = np.zeros(len(nodes), np.int64), 0, 1
    while found > count:
        count = found
        mixed = next_classes(nodes, classes).astype(np.uint64) * factors[0]
        mixed = (mixed ^ mixed >> np.uint64(29)) * factors[1]
        _, first, classes = np.unique(mixed.sum(axis=1), return_index=True, return_inverse=True)
        found = len(first)
    order = np.argsort(first)
    classes = np.argsort(order)[classes]
    rows = next_classes(nodes, classes)
    if (rows != rows[first[order]][classes]).any():
        raise AssertionError("states that cards tell apart were taken for one")
    return rows[first[order]], classes


def _entries(rows: Array, width: int, suits: int, hangs: Array) -> Array:
    """What comes next as entries: where a row begins or what else stands there, and what there is to note."""
    noted = np.where(rows < 0, -1 - rows, 0)
    kinds = [
        (noted >= AGAIN, SPLITS, 2 + noted - AGAIN),
        (noted >= PAIRS, SPLITS, 0),
        (noted == INSURED_SPLIT, SPLITS, 1),
        (noted >= FIELDS, TWO_SUITS + (noted - FIELDS) % 2, suits + SUIT_BLOCK * ((noted - FIELDS) // 2)),
        (noted >= FIRST_END, noted, 0),
        (noted >= FIRST_FATE, noted, hangs[np.clip(noted - FIRST_FATE, 0, len(hangs) - 1)]),
        (rows < 0, noted, 0),
    ]
    which, fields, begins = zip(*kinds, strict=True)
    entries = np.select(which, fields, 0) << ROW_BITS | np.select(which, begins, width * rows)
    return np.asarray(entries, np.uint32)
