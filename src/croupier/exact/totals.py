"""The best play that knows only the total of a hand, soft or hard, and whether it is a pair.

Hands of one total form a cell and are played alike. Which play of a cell is best depends on how often the
hands of the cell come up, and that on the play of the cells before it; what drawing is worth depends on
the cells after it. So: value a plan, and for every cell weigh each hand's actions by how often the plan
comes to the hand; take the best action of each cell as the next plan; stop when no cell changes.
"""

from __future__ import annotations

import numpy as np

from croupier.exact import kernels
from croupier.exact.hands import TWENTY_ONE, VARIANTS, Array, Hands
from croupier.exact.kernels import DOUBLE, HIT, NEVER, STAND, Plan
from croupier.exact.parts import Opening, Played
from croupier.exact.solver import SURRENDER, Solver

MOST_ROUNDS = 60
CELLS = 2 * (TWENTY_ONE + 1)


def total_plans(solver: Solver) -> dict[int, Plan]:
    """The best total-dependent play against each first card, to be valued by a solver of its own."""
    return {upcard: _total_plan(solver, upcard) for upcard in solver.upcards}


def cells(hands: Hands) -> Array:
    """The cell of each hand: its total, and 22 more if it is soft."""
    found: Array = hands.total + (TWENTY_ONE + 1) * hands.soft
    return found


def _total_plan(solver: Solver, upcard: int) -> Plan:
    opening = solver.opening(upcard)
    played = solver.unsplit(upcard)
    plan = opening.plan
    for _ in range(MOST_ROUNDS):
        better = _improved(solver, upcard, played, opening, plan)
        if all(np.array_equal(new, old) for new, old in zip(better[:3], plan[:3], strict=True)):
            break
        plan = better
        played = solver.played(upcard, solver.draw(upcard), solver.hands.size >= 2, plan)
    return _with_first_choices(solver, upcard, opening, played, plan)


def _improved(solver: Solver, upcard: int, played: Played, opening: Opening, plan: Plan) -> Plan:
    """The plan in which every cell takes the action that is best for its hands together."""
    start = opening.weights(len(solver.hands.size))
    at, _, _ = solver.kind.run(kernels.visits, solver.hands, solver.law, solver.draw(upcard), plan, start)
    cell = np.repeat(cells(solver.hands)[:, None], VARIANTS, axis=1)
    here = at > 0
    worth, may = played.worth, played.worth > NEVER
    free = here & may[:, :, HIT] & may[:, :, STAND]
    drawing = _by_cell(cell, free, at, worth[:, :, HIT], worth[:, :, STAND])
    hits = may[:, :, HIT] & ((drawing > 0)[cell] | ~may[:, :, STAND])
    plain = np.where(hits, worth[:, :, HIT], worth[:, :, STAND])
    doubling = _by_cell(cell, here & may[:, :, DOUBLE], at, worth[:, :, DOUBLE], plain)
    return plan._replace(hits=hits, doubles=may[:, :, DOUBLE] & (doubling > 0)[cell])


def _by_cell(cell: Array, counted: Array, weight: Array, worth: Array, instead: Array) -> Array:
    """By cell, what one action gains over another on the hands that are counted."""
    total = np.zeros(CELLS, worth.dtype)
    np.add.at(total, cell[counted], weight[counted] * (worth[counted] - instead[counted]))
    return total


def _with_first_choices(solver: Solver, upcard: int, opening: Opening, played: Played, plan: Plan) -> Plan:
    """The plan with pairs split and totals surrendered where that is better."""
    exact = solver.kind.dtype is object
    by_plan = Solver(solver.rules, solver.shoe, exact=exact, plans={upcard: plan}, wager=solver.wager)
    splits, surrenders = np.zeros_like(plan.splits), np.zeros_like(plan.surrenders)
    hand, variant = opening.hand, opening.variant
    taken = played.taken[hand, variant]
    giving_up = opening.worth[:, SURRENDER] > NEVER
    counts = solver.hands.counts[hand]
    pair = np.where(counts.max(axis=1) == 2, counts.argmax(axis=1), -1)
    cell = np.where(pair >= 0, CELLS + pair, cells(solver.hands)[hand])
    for group in np.unique(cell[~opening.natural]):
        members = np.nonzero((cell == group) & (opening.chance > 0))[0]
        if not len(members):
            continue
        weight = opening.chance[members]
        best = (weight * taken[members]).sum()
        if group >= CELLS and int(group - CELLS) in solver.splittable:
            split = by_plan.split_apart(upcard, int(group - CELLS))
            if split.most * weight.sum() > best:
                worth = by_plan.split(upcard, int(group - CELLS)) * weight.sum()
                if worth > best:
                    best = worth
                    splits[hand[members], variant[members]] = True
        if giving_up[members].all() and (weight * opening.worth[members, SURRENDER]).sum() > best:
            surrenders[hand[members], variant[members]] = True
    return plan._replace(splits=splits, surrenders=surrenders)
