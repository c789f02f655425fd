"""How often things happen under the best play: doubles that are given up, the dealer's ends, the bonus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from msgspec import Struct

from croupier.cards import SUITS, Card
from croupier.exact.hands import ACE, TWENTY_ONE, VALUES, Array
from croupier.exact.shoe import CardsLeft
from croupier.exact.sidebets import super_bonus
from croupier.exact.solution import Solution
from croupier.exact.solver import Solver
from croupier.exact.visited import visited


class Forfeits(Struct, frozen=True):
    """Doubled hands of one total against one first card: how often they arise, and the share given up."""

    upcard: str
    total: int
    soft: bool
    chance: float
    share: float


class DealerRow(Struct, frozen=True):
    """How the dealer's hand ends from one first card, and how often that card comes; "" is any card."""

    upcard: str
    chance: float
    ends: dict[str, float]


class Chase(Struct, frozen=True):
    """Drawing for the Super Bonus: how often two cards call for it, how often it comes, what it costs."""

    reached: Fraction
    comes: Fraction
    cost: float


def forfeits(solution: Solution) -> tuple[Forfeits, ...]:
    """The doubled hands, of those not split, that are given up: all of a total, or a share of them."""
    solver = solution.solver
    found: list[Forfeits] = []
    for upcard in solver.upcards if solver.rules.forfeit else ():
        twice = visited(solver, upcard, solver.opening(upcard).plan).doubled
        found += [row for row in _forfeits(solver, upcard, twice) if row.share > 0]
    return tuple(found)


def _forfeits(solver: Solver, upcard: int, twice: Array) -> list[Forfeits]:
    """Doubled hands by their totals, and how many of each are better given up."""
    given_up, weight = solver.opening(upcard).plan.forfeits, float(solver.chance(upcard))
    arisen: dict[tuple[int, bool], float] = defaultdict(float)
    given: dict[tuple[int, bool], float] = defaultdict(float)
    for hand, soft in np.argwhere(twice > 0).tolist():
        key = int(solver.hands.hard[hand]) + 10 * soft, bool(soft)
        if key[0] == TWENTY_ONE and solver.pay.paid_at_once:
            continue
        arisen[key] += float(twice[hand, soft])
        given[key] += float(twice[hand, soft]) * bool(given_up[hand, soft])
    return [
        Forfeits(VALUES[upcard], total, soft, weight * often, given[total, soft] / often)
        for (total, soft), often in arisen.items()
    ]


def dealer_rows(solution: Solution) -> Iterator[DealerRow]:
    """The dealer's final hands by first card, then over all first cards."""
    whole: dict[str, float] = defaultdict(float)
    for upcard in sorted(solution.solver.upcards, key=lambda value: (value == ACE, value)):
        chance = float(solution.solver.chance(upcard))
        ends = {end: float(part) for end, part in solution.dealer(VALUES[upcard]).items()}
        for end, part in ends.items():
            whole[end] += chance * part
        yield DealerRow(VALUES[upcard], chance, ends)
    yield DealerRow("", 1.0, dict(whole))


def chase(solution: Solution, shoe: CardsLeft) -> Chase | None:
    """What drawing for the Super Bonus costs, where it is for three alike of one suit."""
    bonus = solution.rules.super_bonus
    when = bonus.when if bonus else None
    if bonus is None or when is None or not when.same_suit or len(set(when.ranks or "")) != 1:
        return None
    rank = when.ranks[0] if when.ranks else ""
    if when.ranks != rank * 3 or len(bonus.dealer_rank) != 1:
        return None
    reached, cost = Fraction(0), 0.0
    for suit in SUITS:
        pair = Card(rank + suit), Card(rank + suit)
        if not (chance := shoe.chance(*pair)):
            continue
        rest = shoe.without(*pair)
        held = sum(rest.chance(Card(bonus.dealer_rank + other)) for other in SUITS)
        decided = solution.decision(" ".join(pair), bonus.dealer_rank)
        reached += chance * held
        cost += float(chance * held) * float(decided.cost["H"])
    if not reached:
        return None
    won = super_bonus(solution.rules, shoe).chance
    return Chase(reached=reached, comes=won / reached, cost=cost / float(reached))
