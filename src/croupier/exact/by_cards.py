"""The chart by number of cards: what is best for a total, and from how many cards on something else is.

Its play is found as that by totals is, from cells that are told apart by their number of cards (`totals.py`).
Two cards that can become a suited row are played by their ranks and suits: where they do not what their cell
does, a note says so.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from croupier.exact.chart import LETTERS, Decided, decided, done, letters, row_of
from croupier.exact.hands import VALUES, Array
from croupier.exact.kernels import NEVER
from croupier.exact.solver import Solver
from croupier.exact.strategy import SUITS, action_texts, hand_name
from croupier.rulebook.rules import Rules


class Run(Struct, frozen=True):
    """What is done with so many cards or more, until the next run begins."""

    cards: int
    action: str


class Note(Struct, frozen=True):
    """Two cards, with their suits as in a file of play, that are not played as their cell is."""

    hand: str
    suits: str
    action: str


class CardsCell(Struct, frozen=True):
    """One total, or one pair, against one first card, by the number of its cards."""

    upcard: str
    row: str
    runs: tuple[Run, ...]
    notes: tuple[Note, ...]


def pays_by_cards(rules: Rules) -> bool:
    """Does what a hand is paid depend on how many cards it has?"""
    patterns = [row.when for row in rules.bonus_rows.values()]
    return any(one.cards is not None or one.at_least_cards is not None for one in patterns)


def chart_by_cards(solver: Solver) -> Iterator[CardsCell]:
    """The chart of a play that knows totals and numbers of cards."""
    for upcard in solver.upcards:
        found = decided(solver, upcard)
        does = np.array(action_texts(solver, solver.opening(upcard).plan, found.hand, found.variant))
        rows = np.array([row_of(solver, hand) for hand in found.hand.tolist()])
        always_open = solver.surrender_chance(upcard) == 1
        for row in dict.fromkeys(rows.tolist()):
            at = rows == row
            held = Decided(*(part[at] for part in found))
            yield _cell(solver, VALUES[upcard], row, held, does[at], always_open=always_open)


def _cell(
    solver: Solver, upcard: str, row: str, held: Decided, does: Array, *, always_open: bool
) -> CardsCell:
    cards = solver.hands.size[held.hand]
    runs: list[Run] = []
    notes: list[Note] = []
    for number in np.unique(cards).tolist():
        here = cards == number
        action = letters(does[here], held.weight[here], held.worth[here])
        if not runs or any(
            done(runs[-1].action, allowed, always_open=always_open)
            != done(action, allowed, always_open=always_open)
            for allowed in _allowed(held.worth[here])
        ):
            runs.append(Run(number, action))
        for place in np.nonzero(here)[0].tolist():
            (allowed,) = _allowed(held.worth[place : place + 1])
            taken = done(str(does[place]), allowed, always_open=always_open)
            if taken != done(action, allowed, always_open=always_open):
                hand, variant = int(held.hand[place]), int(held.variant[place])
                notes.append(Note(hand_name(solver, hand, variant), SUITS[variant], taken))
    return CardsCell(upcard, row, tuple(runs), tuple(notes))


def _allowed(worth: Array) -> set[str]:
    """The letters open to each of some hands, told once."""
    return {"".join(np.array(list(LETTERS))[one]) for one in worth > NEVER}
