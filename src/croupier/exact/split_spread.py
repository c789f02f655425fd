"""How the results of a split are spread: of two hands exactly, of more from what any two bring.

By the dealer's hand and by how many hands are made, `Twos` has the chances that two of them end in such ways.
They are gathered by what the hands bring, and made into polynomials that `together.py` multiplies. A dealer's
natural may take one wager from all hands of the box: from its first hand, or if any of them lives. The chance
that none does, and what the hands then bring, is known exactly (`joint.py`) for more hands than two as well.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from croupier.exact.arithmetic import FLOATS
from croupier.exact.ends import Way, brought
from croupier.exact.game import Prize
from croupier.exact.hands import Array
from croupier.exact.joint import chance_all_over
from croupier.exact.kinds import Kinds, Suits
from croupier.exact.made import FREE, OTHER, PAIRED, Made, SplitType, merged
from croupier.exact.scale import Scale
from croupier.exact.solver import Solver
from croupier.exact.split_kernels import BUSTED, FORFEITED, STOOD, multiply
from croupier.exact.together import together
from croupier.exact.twos import Beside, Twos
from croupier.game.dealer import natural_takes

# The chance in a round of all the products that are left out of one sum.
NEGLIGIBLE = 1e-16
ALIKE = 1e-9  # so little do results differ that they are the same
NOISE = 1e-14  # in floats, the part of the chances of two hands below which a dealer's hand cannot be
BESIDE_NATURAL = -2

Hand = tuple[bool, SplitType]  # is it the first hand, from which alone a natural takes?


class _Outcomes:
    """What split hands bring: outcomes that bring the same are of one class."""

    def __init__(self, solver: Solver, scale: Scale, pair: int, ways: list[Way], prize: Prize | None) -> None:
        self.kind, self.kinds = solver.kind, Kinds(solver, pair, ways, prize)
        outcomes = self.kinds.outcomes
        self.way = np.array([one.way for one in outcomes])
        self.seen = np.array([one.seen for one in outcomes])
        self.paired = np.array([ways[way].paired for way in self.way])
        fate, stake, total = (np.array([ways[way][field] for way in self.way]) for field in range(3))
        odds = solver.kind.array([one.odds for one in outcomes])
        steps = scale.steps(brought(solver.law, solver.split_pay, fate, stake, total, odds))
        takes = natural_takes(solver.rules)
        taken_from = (STOOD, BUSTED, FORFEITED) if takes.gives_back else (STOOD,)
        told = np.column_stack([steps, np.isin(fate, taken_from)])
        classes, self.of = np.unique(told, axis=0, return_inverse=True)
        self.live = classes[:, -1].astype(np.bool_)
        # Counted from the least that a hand can bring, so that they are powers of a polynomial.
        self.least = int(steps.min()) - (0 if takes.from_live == "each" else scale.parts)
        self.steps = classes[:, :-1] - self.least
        self._steps_of_first = self.steps.copy()
        self._steps_of_first[self.live, BESIDE_NATURAL] -= scale.parts
        self.places = int(self.steps.max()) + 1

    def steps_of(self, hand: Hand) -> Array:
        return self._steps_of_first if hand[0] else self.steps

    def chosen(self, hand: SplitType) -> Array:
        if hand.second == FREE:
            return np.arange(len(self.way))
        return np.nonzero(self.paired == (hand.second == PAIRED))[0]

    def gathered(self, chances: Array, first: SplitType, second: SplitType, suits: Suits) -> Array:
        """Chances by the ways of two hands, by the classes of hands of these types."""
        ones, others = self.chosen(first), self.chosen(second)
        part = chances[self.way[ones]][:, self.way[others]]
        if len(self.kinds.seen) > 1:
            seen = self.kinds.together(first.suits, second.suits, suits)
            part = part * seen[self.seen[ones]][:, self.seen[others], None]
        found = np.zeros((len(self.steps), len(self.steps), chances.shape[2]), chances.dtype)
        np.add.at(found, (self.of[ones][:, None], self.of[others][None, :]), part)
        return found


class SplitSpread:
    """A pair split against a first card, which has a chance in a round, and the hands that it comes to."""

    def __init__(
        self, solver: Solver, scale: Scale, upcard: int, pair: int, chance: Any, made: list[Made]
    ) -> None:
        self.solver, self.scale, self.upcard, self.pair = solver, scale, upcard, pair
        rare = NEGLIGIBLE / (float(chance) * max(float(one.weight) for one in made))
        self.from_live = natural_takes(solver.rules).from_live
        self.noise = NOISE if solver.kind is FLOATS else 0
        ends = solver.split_ends(upcard, pair)
        if all(hand.second == OTHER for one in made for hand in one.hands):
            ends = ends.only(np.array([not way.paired for way in ends.ways]))
        prize = solver.prize_against(upcard)
        self.outcomes = {
            barred: _Outcomes(solver, scale, pair, ends.ways, None if barred else prize)
            for barred in {one.barred for one in made}
        }
        symmetries = {barred: outcomes.kinds.symmetries() for barred, outcomes in self.outcomes.items()}
        self.made = merged(made, symmetries, first_apart=self.from_live == "first_hand")
        beside = {_beside(one, *two) for one in self.made for two in combinations(one.hands, 2)}
        self._chances = Twos(solver, upcard, pair, ends).chances(sorted(beside), rare)
        # What the hands bring beside a natural before it takes a wager, and the part where none lives.
        self.beside_natural, self.over = scale.empty(), scale.empty()

    def results(self) -> Array:
        """The chances of all results, on the scale."""
        found = self.scale.empty()
        for made in self.made:
            self._add(found, made)
        if self.from_live == "first_live":
            over = self._matched(self.over)
            found += over + np.roll(self.beside_natural - over, -self.scale.parts)
        return found

    def _add(self, found: Array, made: Made) -> None:
        """Add the results of all hands that are made."""
        outcomes, from_first = self.outcomes[made.barred], self.from_live == "first_hand"
        first, *others = ((from_first and not place, hand) for place, hand in enumerate(made.hands))
        hands = (first, *sorted(others)) if from_first else tuple(sorted((first, *others)))
        twos = {
            (one, other): self._two(made, one[1], other[1])
            for place, one in enumerate(hands)
            for other in dict.fromkeys(hands[place + 1 :])
        }
        whole = next(iter(twos.values())).sum(axis=(0, 1))
        whole[whole <= self.noise * whole.sum()] = 0
        given = {key: two / np.where(whole == 0, self.solver.kind.of(1), whole) for key, two in twos.items()}
        begin = self.scale.reach + len(hands) * outcomes.least
        every = _all(outcomes, hands, given, outcomes.live | True) * (whole * made.weight)[:, None]
        place = slice(begin, begin + every.shape[1])
        if self.from_live != "first_live":
            found[place] += every.sum(axis=0)
            return
        found[place] += np.delete(every, BESIDE_NATURAL, axis=0).sum(axis=0)
        self.beside_natural[place] += every[BESIDE_NATURAL]
        if whole[BESIDE_NATURAL]:
            over = _all(outcomes, hands, given, ~outcomes.live)[BESIDE_NATURAL]
            self.over[place] += made.weight * whole[BESIDE_NATURAL] * over

    def _two(self, made: Made, one: SplitType, other: SplitType) -> Array:
        """The chances of two of the hands, by their classes and the dealer's hand."""
        chances = self._chances[_beside(made, one, other)]
        return self.outcomes[made.barred].gathered(chances, one, other, made.suits)

    def _matched(self, over: Array) -> Array:
        """The results of hands that are all over, with as much added as their chance and mean lack.

        It is shared out by the size of their chances, of which some may be below zero.
        """
        known, results = self.solver.all_over(self.upcard, self.pair), self.scale.results
        if known is None or not over.any():
            return over
        chance = known.chance - over.sum()
        brings = self._brought_when_over() - (over * results).sum()
        size = abs(over)
        whole, mean, square = size.sum(), (size * results).sum(), (size * results**2).sum()
        width = whole * square - mean * mean
        alike = width <= ALIKE * whole * square
        slope = 0 if alike else (whole * brings - mean * chance) / width
        matched: Array = over + size * ((chance - slope * mean) / whole + slope * results)
        return matched

    def _brought_when_over(self) -> Any:
        """What the hands bring beside a natural when all are over, times the chance of that."""
        solver, upcard, pair = self.solver, self.upcard, self.pair
        over, after = solver.over(upcard, pair), solver.draw(upcard, pair, pair, solver.draw(upcard).natural)
        found = chance_all_over(over, pair, solver.most_hands(pair), after, solver.kind, brings=True)
        return solver.natural_chance(upcard, pair, pair) * found.brings


def _beside(made: Made, one: SplitType, other: SplitType) -> Beside:
    """What is known beside two of the hands."""
    seconds = one.second, other.second
    hidden = [hand.second for hand in made.hands].count(OTHER) - seconds.count(OTHER)
    return Beside(made.gone - seconds.count(PAIRED), hidden, seconds != (OTHER, OTHER))


def _all(
    outcomes: _Outcomes, hands: tuple[Hand, ...], twos: dict[tuple[Hand, Hand], Array], kept: Array
) -> Array:
    """What all hands bring that end in some classes, by the dealer's hand."""
    kind = outcomes.kind
    single: dict[Hand, Array] = {}
    bond: dict[tuple[Hand, Hand], Array] = {}
    for (one, other), two in twos.items():
        for hand, rest in ((one, 1), (other, 0)):
            if hand not in single:
                single[hand] = _polynomial(outcomes.steps_of(hand), two.sum(axis=rest), kept, outcomes.places)
        steps = outcomes.steps_of(one)[:, None] + outcomes.steps_of(other)
        both = _polynomial(steps, two, kept[:, None] & kept, 2 * outcomes.places - 1)
        bond[one, other] = both - kind.run(multiply, single[one], single[other])
    return together(hands, single, bond, kind)


def _polynomial(steps: Array, chances: Array, kept: Array, places: int) -> Array:
    """Chances as polynomials, row by row of the dealer's hands."""
    columns = chances.shape[-1]
    found = np.zeros((columns, places), chances.dtype)
    np.add.at(found, (np.arange(columns), steps[kept]), chances[kept])
    return found
