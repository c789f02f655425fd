"""The best play that knows less of a hand than its cards, as a chart does.

Play by totals knows the total of a hand, soft or hard, and whether it is a pair that may be split. Play by
cards knows beside that of how many cards the hand is, and of two cards that can become a suited row their
ranks and suits. Hands that are so alike form a cell and are played alike. Which play of a cell is best hangs
on how often its hands come up, and that on the play of the cells before it; what drawing is worth depends on
the cells after it. So: value a plan, and for every cell weigh each hand's actions by how often the plan comes
to the hand; take the best action of each cell as the next plan; stop when no cell changes. A cell to which
the plan does not come is played as is best for its hands as often as they would come up if nothing were split
or surrendered. Counted are hands before a split; those after it are played alike.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from croupier.exact.hands import TWENTY_ONE, VARIANTS, Array
from croupier.exact.kernels import DOUBLE, HIT, NEVER, STAND, Plan
from croupier.exact.parts import Opening, Played, SplitStart
from croupier.exact.solver import SURRENDER, Solver
from croupier.exact.visited import visited

Known = Literal["total", "cards"]
MOST_ROUNDS = 60
MOST_CHOICES = 6
CELLS = 2 * (TWENTY_ONE + 1)


def total_plans(solver: Solver, known: Known = "total") -> dict[int, Plan]:
    """The best play against each first card that knows so much, to be valued by a solver of its own."""
    return {upcard: _Cells(solver, upcard, known).plan() for upcard in solver.upcards}


def cells(solver: Solver, known: Known) -> Array:
    """The cell of each hand and variant: total, soft or hard, and if they are known cards and suits."""
    hands = solver.hands
    found = hands.total + (TWENTY_ONE + 1) * hands.soft
    if known == "cards":
        found = found + CELLS * hands.size
    by_variant: Array = np.repeat(found[:, None], VARIANTS, axis=1)
    if known == "cards":
        apart = np.nonzero(solver.law.suited >= 0)[0]
        numbers = np.arange(len(apart) * VARIANTS).reshape(-1, VARIANTS)
        by_variant[apart] = found.max() + 1 + numbers
    return by_variant


class _Cells:
    """The cells against one first card, and how they are played best."""

    def __init__(self, solver: Solver, upcard: int, known: Known) -> None:
        self.solver = solver
        self.upcard = upcard
        self.known = known
        self.cell = cells(solver, known)
        self.opening: Opening = solver.opening(upcard)
        self.best = solver.unsplit(upcard)
        never = np.zeros_like(self.opening.plan.splits)
        unsplit = self.opening.plan._replace(splits=never, surrenders=never)
        self.often = visited(solver, upcard, unsplit).played

    def plan(self) -> Plan:
        """Which hands are split or given up changes which are played on: that too until nothing changes."""
        plan, played = self.opening.plan, self.best
        for _ in range(MOST_CHOICES):
            plan, played = self._settled(plan, played)
            chosen = self._with_first_choices(plan, played)
            if np.array_equal(chosen.splits, plan.splits) and np.array_equal(
                chosen.surrenders, plan.surrenders
            ):
                break
            plan = chosen
        return chosen

    # Hit, stand and double

    def _settled(self, plan: Plan, played: Played) -> tuple[Plan, Played]:
        solver = self.solver
        for _ in range(MOST_ROUNDS):
            better = self._improved(plan, played)
            if all(np.array_equal(new, old) for new, old in zip(better[:2], plan[:2], strict=True)):
                break
            plan = better
            played = solver.played(self.upcard, solver.draw(self.upcard), solver.hands.size >= 2, plan)
        return plan, played

    def _improved(self, plan: Plan, played: Played) -> Plan:
        """The plan in which every cell takes the action that is best for its hands together."""
        at = self._weights(plan)
        worth, may = played.worth, played.worth > NEVER
        free = (at > 0) & may[:, :, HIT] & may[:, :, STAND]
        drawing = self._by_cell(free, at, worth[:, :, HIT], worth[:, :, STAND])
        hits = may[:, :, HIT] & ((drawing > 0)[self.cell] | ~may[:, :, STAND])
        plain = np.where(hits, worth[:, :, HIT], worth[:, :, STAND])
        doubling = self._by_cell((at > 0) & may[:, :, DOUBLE], at, worth[:, :, DOUBLE], plain)
        return plan._replace(hits=hits, doubles=may[:, :, DOUBLE] & (doubling > 0)[self.cell])

    def _weights(self, plan: Plan) -> Array:
        at = visited(self.solver, self.upcard, plan).played
        return np.where((self._sums(at) > 0)[self.cell], at, self.often)

    def _sums(self, weight: Array) -> Array:
        total = np.zeros(self.cell.max() + 1, weight.dtype)
        np.add.at(total, self.cell, weight)
        return total

    def _by_cell(self, counted: Array, weight: Array, worth: Array, instead: Array) -> Array:
        """By cell, what one action gains over another on the hands that are counted."""
        total = np.zeros(self.cell.max() + 1, worth.dtype)
        np.add.at(total, self.cell[counted], weight[counted] * (worth[counted] - instead[counted]))
        return total

    # Split and surrender

    def _with_first_choices(self, plan: Plan, played: Played) -> Plan:
        """The plan with pairs split and totals surrendered where that is better."""
        opening, solver = self.opening, self.solver
        splits, surrenders = np.zeros_like(plan.splits), np.zeros_like(plan.surrenders)
        hand, variant = opening.hand, opening.variant
        giving_up = opening.worth[:, SURRENDER] > NEVER
        counts = solver.hands.counts[hand]
        is_pair = (counts.max(axis=1) == 2) & np.isin(counts.argmax(axis=1), solver.splittable)
        group = np.where(is_pair, -1 - counts.argmax(axis=1), self.cell[hand, variant])
        by_plan = self._valuing(plan)
        for number in np.unique(group[~opening.natural]):
            members = np.nonzero((group == number) & (opening.chance > 0))[0]
            if not len(members):
                continue
            weight, worth = opening.chance[members], played.taken[hand[members], variant[members]]
            if number < 0:
                split = self._split(by_plan, int(-1 - number), members, worth)
                splits[hand[members], variant[members]] = split.chosen
                worth = np.where(split.chosen, split.worth, worth)
            gain = weight * (opening.worth[members, SURRENDER] - worth)
            if giving_up[members].all() and gain.sum() > 0:
                surrenders[hand[members], variant[members]] = True
        return plan._replace(splits=splits, surrenders=surrenders)

    def _valuing(self, plan: Plan) -> Solver:
        """A solver that plays hands of a split by the plan."""
        solver = self.solver
        same = all(np.array_equal(*pair) for pair in zip(plan[:3], self.opening.plan[:3], strict=True))
        if same and solver.post_split != "cdp":
            return solver
        exact = solver.kind.dtype is object
        plans = {self.upcard: plan}
        return Solver(solver.rules, solver.shoe, exact=exact, plans=plans, wager=solver.wager)

    def _split(self, by_plan: Solver, pair: int, members: Array, taken: Array) -> SplitStart:
        """Which kinds of a pair are split: each as is best for it, or by totals all alike."""
        if self.known == "cards":
            return by_plan.split_start(self.upcard, pair, taken, self.opening.variant[members], None)
        weight = self.opening.chance[members]
        worth = by_plan.split_apart(self.upcard, pair).most
        if worth * weight.sum() > (weight * taken).sum():
            worth = by_plan.split(self.upcard, pair)
        chosen = bool(worth * weight.sum() > (weight * taken).sum())
        return SplitStart(np.full(len(members), worth, taken.dtype), np.full(len(members), chosen))
