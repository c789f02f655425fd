"""How the result of a round is spread: the chance of every result, and the variance.

Of unsplit hands every result and its chance is exact. The hands of a split depend on each other through
the cards they take from each other; here they are taken to depend only on the dealer's final hand, which
they share, and on how many they are. `split_share` is the chance of a split, and so the most by which the
chance of a result can be off; `variance_within` bounds the error of the variance by the most that two
split hands can vary together.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from croupier.errors import ParseError
from croupier.exact import kernels
from croupier.exact.game import Prize, suited_pairs
from croupier.exact.hands import ACE, TEN, TWENTY_ONE, VARIANTS, Array
from croupier.exact.kernels import Draw, Pay, Plan
from croupier.exact.solver import SURRENDER, Opening, Solver
from croupier.exact.splits import ways
from croupier.game.dealer import natural_takes

RARE = 1e-15
MOST_PLACES = 10_000_000


class Spread(Struct, frozen=True):
    """The results of a round, in units of the initial wager, and their chances."""

    results: dict[Fraction, float]
    ev: float
    variance: float
    split_share: float
    variance_within: float

    @property
    def deviation(self) -> float:
        return float(self.variance**0.5)


def spread(solver: Solver) -> Spread:
    """The spread of a round under the play of a solver that works in floats."""
    grid = _Grid(solver)
    results = grid.empty()
    split_share = within = 0.0
    for upcard in solver.upcards:
        weight = float(solver.chance(upcard))
        opening = solver.opening(upcard)
        results += weight * _unsplit(solver, grid, upcard, opening)
        for pair, chance in _split_pairs(solver, opening).items():
            share, bound = _split(solver, grid, upcard, pair, opening.plan)
            results += weight * chance * share
            split_share += weight * chance
            within += weight * chance * bound
    found = {grid.result(place): float(results[place]) for place in np.nonzero(results)[0].tolist()}
    square = sum(float(result) ** 2 * chance for result, chance in found.items())
    ev = float(solver.ev)
    return Spread(found, ev, square - ev * ev, split_share, within)


class _Grid:
    """Results as places of an array: multiples of the smallest part of a wager that can be won or lost."""

    def __init__(self, solver: Solver) -> None:
        rules = solver.rules
        odds: list[Fraction] = [rules.natural_pays, rules.win_pays, rules.surrender_share]
        odds += [row.pays for row in rules.bonus_rows.values()]
        odds += [rules.doubled_wins_pay] if rules.doubled_wins_pay is not None else []
        prizes = [prize.units for prize in map(solver.prize_against, solver.upcards) if prize]
        odds += [prize + pays for prize in prizes for pays in (Fraction(0), *odds)]
        self.parts = lcm(*(number.denominator for number in odds))
        self.hands = max(_most(solver, pair) for pair in range(10))
        self.reach = self.parts * 2 * self.hands * int(max(odds) + 2)
        if self.reach > MOST_PLACES:
            raise ParseError("the odds have too fine a common part to list the results of a round")

    def empty(self) -> Array:
        return np.zeros(2 * self.reach + 1)

    def places(self, results: Array | float) -> Array:
        return np.rint(np.asarray(results, np.float64) * self.parts).astype(np.int64) + self.reach

    def result(self, place: int) -> Fraction:
        return Fraction(place - self.reach, self.parts)

    def collect(self, ends: Ends) -> Array:
        found = self.empty()
        np.add.at(found, self.places(ends.results).ravel(), (ends.weight[:, None] * ends.rows).ravel())
        return found


def _most(solver: Solver, pair: int) -> int:
    """The most hands that a pair comes to, or so many that more are too rare to count."""
    return min(solver.most_hands(pair) or 12, 12)


class Ends(NamedTuple):
    """Ways to end: how often, the chances of the dealer's hands, what each brings, and if it is live."""

    weight: Array
    rows: Array
    results: Array
    live: Array


# Unsplit hands


def _unsplit(solver: Solver, grid: _Grid, upcard: int, opening: Opening) -> Array:
    rules, plan = solver.rules, opening.plan
    found = grid.empty()
    start = np.zeros((len(solver.hands.size), VARIANTS))
    open_to = solver.surrender_chance(upcard)
    for index in np.nonzero(opening.chance > 0)[0]:
        place = opening.hand[index], opening.variant[index]
        chance = opening.chance[index]
        if opening.natural[index]:
            early = solver.natural_is_paid_early(upcard)
            met = 0.0 if early else solver.natural_chance(upcard, ACE, TEN)
            found[grid.places(float(rules.natural_pays))] += chance * (1 - met)
            found[grid.places(0)] += chance * met
            continue
        if plan.surrenders[place] and open_to > 0:
            # Part of the wager is lost, or all where a natural annuls: how often follows from the mean.
            share = float(rules.surrender_share)
            annulled = (-opening.worth[index, SURRENDER] - share) / (1 - share) if share < 1 else 0
            found[grid.places(-share)] += chance * open_to * (1 - annulled)
            found[grid.places(-1)] += chance * open_to * annulled
            chance = chance * (1 - open_to)
        if not plan.splits[place]:
            start[place] += chance
    rows = solver.unsplit(upcard).rows
    prize = solver.prize_against(upcard)
    return found + grid.collect(_ends(solver, solver.pay, solver.draw(upcard), plan, start, rows, prize))


def _ends(
    solver: Solver,
    pay: Pay,
    draw: Draw,
    plan: Plan,
    start: Array,
    rows: Array,
    prize: Prize | None = None,
) -> Ends:
    """Every way in which hands that begin with these weights end; `rows[0]` is the dealer's hand alone."""
    hands, law = solver.hands, solver.law
    at, twice, lost = solver.kind.run(kernels.visits, hands, law, draw, plan, start)
    dealer = rows[0]
    moving = (law.may_hit[:, None] & plan.hits) | (law.may_double[:, None] & plan.doubles)
    suited = _suited_ends(solver, plan, at, draw, moving, prize)
    standing = np.where(moving, 0, at).sum(axis=1)
    standing[[hand for hand, _, _ in suited]] = 0
    hand = np.nonzero(standing > 0)[0]
    parts = [_stood(solver, pay, 1, hands.total[hand], pay.odds[hand], standing[hand], rows[hand])]
    for grown, paid, often in suited:
        total, one = np.array([TWENTY_ONE]), np.array([often])
        parts.append(_stood(solver, pay, 1, total, np.array([paid]), one, rows[[grown]]))
    hand, soft = np.nonzero(twice > 0)
    total = hands.hard[hand] + 10 * soft
    kept = ~(pay.forfeit & plan.forfeits[hand, soft]) | (pay.paid_at_once & (total == TWENTY_ONE))
    odds, weight = pay.double_odds[hand, soft], twice[hand, soft]
    parts.append(_stood(solver, pay, 2, total[kept], odds[kept], weight[kept], rows[hand[kept]]))
    parts.append(_over(weight[~kept], rows[hand[~kept]], -1, pay.natural_forfeited))
    for stake in (1, 2):
        # How often a natural meets a busted hand is known; the dealer's other hands are as ever.
        row = dealer * (lost[stake - 1, 0] - lost[stake - 1, 1]) / (1 - dealer[-2])
        row[-2] = lost[stake - 1, 1]
        parts.append(_over(np.ones(1), row[None, :], -stake, pay.natural_busted[stake - 1]))
    return Ends(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _over(weight: Array, rows: Array, result: float, beside_natural: float) -> Ends:
    results = np.full(rows.shape, float(result))
    results[:, -2] = beside_natural
    return Ends(weight, rows, results, np.zeros(len(weight), np.bool_))


def _stood(
    solver: Solver, pay: Pay, stake: int, total: Array, odds: Array, weight: Array, rows: Array
) -> Ends:
    """Hands that stand on their totals."""
    compared, won = solver.law.results[total], stake * odds[:, None]
    results = np.where(compared > 0, won, stake * compared.astype(np.float64))
    results[:, -2] = pay.natural_takes[stake - 1]
    paid = pay.paid_at_once & (total == TWENTY_ONE)
    results[paid] = won[paid]
    return Ends(weight, rows, results, ~paid)


def _suited_ends(
    solver: Solver, plan: Plan, at: Array, draw: Draw, moving: Array, prize: Prize | None
) -> list[tuple[int, float, float]]:
    """Three cards that suits pay for: the hand, at which odds, and how often."""
    found = []
    rules, hands = solver.rules, solver.hands
    pairs = suited_pairs(
        tuple(rules.bonus_rows.items()), solver.shoe.pool, solver.shoe.endless, rules.win_pays, prize
    )
    for (first, second), suits in pairs.items():
        hand = int(hands.after[hands.after[0, first], second])
        for third, by_kind in suits.paid.items():
            left = draw.left[third] - hands.counts[hand, third] * draw.step
            hits = moving[hand] & ~(solver.law.may_double[hand] & plan.doubles[hand])
            for kind in np.nonzero(hits & (left > 0))[0].tolist():
                weight = at[hand, kind] * left / (draw.size - 2 * draw.step)
                grown = int(hands.after[hand, third])
                found += [(grown, float(odds), weight * float(part)) for odds, part in by_kind[kind].items()]
    return found


# Split hands


def _split_pairs(solver: Solver, opening: Opening) -> dict[int, float]:
    """The pairs that are split, and how often."""
    found: dict[int, float] = {}
    chosen = opening.plan.splits[opening.hand, opening.variant] & (opening.chance > 0)
    for index in np.nonzero(chosen)[0]:
        pair = int(solver.hands.counts[opening.hand[index]].argmax())
        found[pair] = found.get(pair, 0.0) + float(opening.chance[index])
    return found


def hand_counts(solver: Solver, upcard: int, pair: int) -> dict[int, float]:
    """How often a split makes how many hands."""
    cards, most = solver.second_cards(upcard, pair), _most(solver, pair)
    found = {hands: ways(hands, hands - 1) * cards.chance(hands - 2, hands) for hands in range(2, most)}
    found[most] = 1 - sum(found.values())
    return {hands: often for hands, often in found.items() if often > RARE}


def _split(solver: Solver, grid: _Grid, upcard: int, pair: int, plan: Plan) -> tuple[Array, float]:
    """The spread of a split's results, and the most that dependence could add to its second moment."""
    results = grid.empty()
    bound = 0.0
    ends = {free: _one_hand(solver, upcard, pair, plan, free=free) for free in (True, False)}
    takes = natural_takes(solver.rules).from_live
    for hands, often in hand_counts(solver, upcard, pair).items():
        one = ends[hands == solver.most_hands(pair)]
        for dealer in range(one.rows.shape[1]):
            weight = one.weight * one.rows[:, dealer]
            whole = weight.sum()
            if whole <= 0:
                continue
            natural = dealer == one.rows.shape[1] - 2
            every = _Hand(grid, one.results[:, dealer], weight / whole)
            if natural and takes == "first_hand":
                first = _Hand(grid, one.results[:, dealer] - one.live, weight / whole)
                together = first.beside(every, hands - 1)
            elif natural and takes == "first_live":
                over = _Hand(grid, one.results[:, dealer], np.where(one.live, 0, weight) / whole)
                all_over = over.beside(over, hands - 1)
                lived = every.beside(every, hands - 1) - all_over
                together = all_over + np.roll(lived, -grid.parts)
            else:
                together = every.beside(every, hands - 1)
            results += often * whole * together
            # Two hands vary together by at most their squares; taken alone, by the square of their mean.
            square = (weight * one.results[:, dealer] ** 2).sum()
            mean = (weight * one.results[:, dealer]).sum()
            bound += often * hands * (hands - 1) * (square + mean * mean / whole)
    return results, bound


class _Hand:
    """The results of one hand and their chances, as the part of the grid between the least and the most."""

    def __init__(self, grid: _Grid, results: Array, weight: Array) -> None:
        self.grid = grid
        whole = grid.empty()
        np.add.at(whole, grid.places(results), weight)
        used = np.nonzero(whole)[0]
        self.begin = int(used[0]) - grid.reach if len(used) else 0
        self.part = whole[used[0] : used[-1] + 1] if len(used) else np.zeros(1)

    def beside(self, other: _Hand, times: int) -> Array:
        """The sum of this hand and so many of the other, on the grid."""
        made, begin = self.part, self.grid.reach + self.begin + times * other.begin
        for _ in range(times):
            made = np.convolve(made, other.part)
        total = self.grid.empty()
        total[begin : begin + len(made)] = made
        return total


def _one_hand(solver: Solver, upcard: int, pair: int, plan: Plan, *, free: bool) -> Ends:
    """The ends of one split hand; unless `free` its second card is not of the pair's value."""
    draw = solver.draw(upcard, pair)
    start = np.zeros((len(solver.hands.size), VARIANTS))
    begin = int(solver.hands.after[0, pair])
    for value in range(10):
        hand = int(solver.hands.after[begin, value])
        left = max(0.0, draw.left[value] - (draw.step if value == pair else 0))
        if value == pair and not free:
            continue
        if solver.law.suited[hand] >= 0:
            start[hand] += solver.law.suited_mix[solver.law.suited[hand]] * left
        else:
            start[hand, solver.first_variant(hand)] += left
    plan = _after_split(solver, plan, pair)
    wanted = ((solver.hands.counts[:, pair] > 0) & (solver.hands.size >= 2)) | (solver.hands.size == 0)
    rows = solver.outcomes(upcard, draw, wanted)
    return _ends(solver, solver.split_pay, draw, plan, start / max(1, start.sum()), rows)


def _after_split(solver: Solver, plan: Plan, pair: int) -> Plan:
    """The plan as split hands of this value may follow it."""
    law = solver.split_law(pair)
    return plan._replace(
        hits=plan.hits & law.may_hit[:, None], doubles=plan.doubles & law.may_double[:, None]
    )
