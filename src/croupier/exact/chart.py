"""The play as a chart: hands of one total, or one pair, against one first card are a cell.

A cell's letters are an action and what follows where it is not allowed, as in D/H. They are those of the best
play by totals, which plays all hands of a cell alike; hands that the play at hand plays otherwise are told
apart (and one by one in `exceptions.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from croupier.exact.hands import VALUES, Array
from croupier.exact.kernels import NEVER, Plan
from croupier.exact.records import Cell
from croupier.exact.solver import Solver
from croupier.exact.strategy import ORDER, action_texts
from croupier.exact.visited import visited

LETTERS = "SHDPR"  # the solver's columns


class CellHand(NamedTuple):
    """One hand of a cell: how often it comes up, its action, and what each action is worth."""

    row: str
    hand: int
    variant: int
    weight: float
    action: str
    worth: dict[str, float]


class Decided(NamedTuple):
    """Every unsplit hand on which a play comes to decide against a first card, as columns."""

    hand: Array
    variant: Array
    weight: Array
    worth: Array  # [place, letter]: NEVER where the rules do not allow it


def decided(solver: Solver, upcard: int) -> Decided:
    opening = solver.opening(upcard)
    weights = visited(solver, upcard, opening.plan).decided
    hand, variant = np.nonzero((weights > 0) & solver.law.may_hit[:, None])
    worth = worths(solver, upcard)[hand, variant]
    return Decided(hand, variant, weights[hand, variant].astype(float), worth.astype(float))


def worths(solver: Solver, upcard: int) -> Array:
    """What every action is worth to each hand and variant; NEVER where the rules do not allow it.

    A split that cannot be best has the most that it can be worth.
    """
    opening, played = solver.opening(upcard), solver.unsplit(upcard).worth
    found = np.full((*played.shape[:2], len(LETTERS)), NEVER, played.dtype)
    found[:, :, : played.shape[2]] = played
    found[opening.hand, opening.variant] = opening.worth
    return found


def cell_hands(solver: Solver, upcard: int) -> Iterator[CellHand]:
    """Every unsplit hand on which the play comes to decide against a first card."""
    found = decided(solver, upcard)
    actions = action_texts(solver, solver.opening(upcard).plan, found.hand, found.variant)
    for hand, variant, weight, worth, action in zip(*(part.tolist() for part in found), actions, strict=True):
        known = {letter: value for letter, value in zip(LETTERS, worth, strict=True) if value > NEVER}
        yield CellHand(row_of(solver, hand), hand, variant, weight, action, known)


def row_of(solver: Solver, hand: int) -> str:
    """The row of a hand: `88` for a pair that may be split, else `h16` or `s18`."""
    hands = solver.hands
    if hands.size[hand] == 2 and hands.counts[hand].max() == 2:
        pair = int(hands.counts[hand].argmax())
        if pair in solver.splittable:
            return VALUES[pair] * 2
    return f"{'s' if hands.soft[hand] else 'h'}{hands.total[hand]}"


def done(action: str, allowed: str, *, always_open: bool) -> str:
    """What is done of an action where only some are allowed: D/H on a hand that may not double is H.

    Unless it is always open, surrender leaves standing what follows it.
    """
    left = [letter for letter in action.split("/") if letter in allowed]
    return "/".join(left[: 2 if left[0] == "R" and not always_open else 1])


# Cells


def column(solver: Solver, upcard: int, plan: Plan) -> Iterator[Cell]:
    """The cells against a first card, with the letters of a plan, by totals or any other."""
    found = decided(solver, upcard)
    rows = np.array([row_of(solver, hand) for hand in found.hand.tolist()])
    says = np.array(action_texts(solver, plan, found.hand, found.variant))
    does = np.array(action_texts(solver, solver.opening(upcard).plan, found.hand, found.variant))
    chance, always_open = float(solver.chance(upcard)), solver.surrender_chance(upcard) == 1
    for row in dict.fromkeys(rows.tolist()):
        at = rows == row
        weight, worth = found.weight[at], found.worth[at]
        letter = letters(says[at], weight, worth)
        alike = does[at] == letter
        others: dict[str, float] = defaultdict(float)
        for place in np.nonzero(~alike)[0].tolist():
            allowed = "".join(np.array(list(LETTERS))[worth[place] > NEVER])
            taken = done(str(does[at][place]), allowed, always_open=always_open)
            if taken == done(letter, allowed, always_open=always_open):
                alike[place] = True
            else:
                others[taken] += weight[place]
        yield Cell(
            upcard=VALUES[upcard],
            row=row,
            action=letter,
            share=float(weight[alike].sum() / weight.sum()),
            others=tuple(sorted(others, key=lambda action: -others[action])),
            worth=_means(weight, worth),
            chance=float(weight.sum()) * chance,
        )


def letters(says: Array, weight: Array, worth: Array) -> str:
    """What is said of the hands of a cell in one: what most of those do that may.

    Where all are played alike as far as they may, that is every letter that any of them has.
    """
    taken: dict[str, float] = defaultdict(float)
    for action in np.unique(says).tolist():
        for letter in action.split("/"):
            can = worth[:, LETTERS.index(letter)] > NEVER
            taken[letter] += weight[(says == action) & can].sum()
    able = {letter: weight[column > NEVER].sum() for letter, column in zip(LETTERS, worth.T, strict=True)}
    first = [letter for letter in ORDER[:3] if 2 * taken[letter] > able[letter]]
    return "/".join([*first, "H" if taken["H"] > taken["S"] else "S"])


def _means(weight: Array, worth: Array) -> dict[str, float]:
    """What each action is worth on average to the hands that may take it."""
    found = {}
    for letter, values in zip(LETTERS, worth.T, strict=True):
        can = values > NEVER
        if can.any():
            found[letter] = float((weight[can] * values[can]).sum() / weight[can].sum())
    return found
