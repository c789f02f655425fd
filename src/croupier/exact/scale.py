"""The scale of results: places of an array, multiples of the smallest part of a wager that can be won."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np

from croupier.errors import ParseError
from croupier.exact.hands import Array
from croupier.exact.solver import Solver

MOST_PLACES = 10_000_000


class Scale:
    """Room for all results of a round in which at most so many hands are made."""

    def __init__(self, solver: Solver, hands: int) -> None:
        rules = solver.rules
        odds: list[Fraction] = [rules.natural_pays, rules.win_pays, rules.surrender_share]
        odds += [row.pays for row in rules.bonus_rows.values()]
        odds += [rules.doubled_wins_pay] if rules.doubled_wins_pay is not None else []
        prizes = [prize.units for prize in map(solver.prize_against, solver.upcards) if prize]
        odds += [prize + pays for prize in prizes for pays in (Fraction(0), *odds)]
        self.kind = solver.kind
        self.parts = lcm(*(number.denominator for number in odds))
        self.reach = self.parts * 2 * hands * int(max(odds) + 2)
        if self.reach > MOST_PLACES:
            raise ParseError("the odds have too fine a common part to list the results of a round")

    def empty(self) -> Array:
        return np.zeros(2 * self.reach + 1, self.kind.dtype)

    def steps(self, results: Array) -> Array:
        """Results in parts of a wager."""
        parts = results * self.parts
        found: Array = (parts if parts.dtype == object else np.rint(parts)).astype(np.int64)
        return found

    def result(self, place: int) -> Fraction:
        return Fraction(place - self.reach, self.parts)

    def lifted(self, chances: Array) -> Array:
        """Chances without any below zero, of the same sum, mean and second moment.

        From both ends to the commonest result, what is missing to zero is taken from the next results by
        third differences, in which all three cancel.
        """
        found, middle = chances.copy(), int(chances.argmax())
        for way in (found, found[::-1]):
            end = middle if way is found else len(way) - 1 - middle
            for place in range(end):
                if way[place] < 0:
                    missing = -way[place]
                    for step, times in enumerate((1, -3, 3, -1)):
                        way[place + step * self.parts] += times * missing
        return found

    @property
    def results(self) -> Array:
        """The result of each place."""
        return self.kind.array([self.result(place) for place in range(2 * self.reach + 1)])
