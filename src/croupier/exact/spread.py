"""How the result of a round is spread: the chance of every result, and the variance.

Every result of one hand and of two is exact, and so is the variance of all. Of three hands and more what
binds three of them at once is left out (`together.py`). From fresh packs that moves no chance by a millionth.
From some twenty cards it is up to a few hundredths of `three_hands`, how often so many are made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from croupier.errors import ParseError
from croupier.exact import kernels
from croupier.exact.arithmetic import FLOATS
from croupier.exact.ends import brought
from croupier.exact.game import suited_pairs
from croupier.exact.hands import ACE, TEN, TWENTY_ONE, VARIANTS, Array, counts_of
from croupier.exact.made import Made, made_by, made_by_suits
from croupier.exact.records import Spread
from croupier.exact.scale import Scale
from croupier.exact.solver import SURRENDER, Solver
from croupier.exact.split_kernels import BUSTED, FORFEITED, PAID, STOOD
from croupier.exact.split_spread import SplitSpread
from croupier.threads import Told, at_once

CLOSE = 1e-12
ROUNDING = 1e-17  # chances below this are not told from none


class _Split(NamedTuple):
    """A pair that is split against a first card: its chance in a round, and the hands that it comes to."""

    upcard: int
    pair: int
    chance: Any
    made: list[Made]


def spread(solver: Solver, told: Told | None = None) -> Spread:
    """The spread of a round under the play of a solver; `told` hears how far it is."""
    if solver.post_split == "cdp":
        raise ParseError("cdp plays each hand of a split by itself: there is no round to tell the results of")
    solver.ev  # noqa: B018 - its parts are there before threads ask for them
    # What takes longest goes first.
    splits = sorted(_splits(solver), key=lambda one: -len(solver.split_ends(one.upcard, one.pair).keys))
    scale = Scale(solver, max((len(made.hands) for split in splits for made in split.made), default=1))
    jobs: dict[Any, Callable[[], Array]] = {
        (split.upcard, split.pair): partial(_split, solver, scale, split) for split in splits
    }
    jobs |= {upcard: partial(_unsplit, solver, scale, upcard) for upcard in solver.upcards}
    whole = sum(at_once(jobs, told).values(), scale.empty())
    _check(solver, scale, whole)
    chances = scale.lifted(whole).tolist()
    least = ROUNDING if solver.kind is FLOATS else 0
    nothing = solver.kind.of(0)
    return Spread(
        results={scale.result(place): chance for place, chance in enumerate(chances) if chance > least},
        ev=solver.ev,
        variance=(whole * scale.results**2).sum() - solver.ev**2,
        split_share=sum((split.chance for split in splits), nothing),
        three_hands=sum((split.chance * _of_three(solver, split) for split in splits), nothing),
    )


def _check(solver: Solver, scale: Scale, found: Array) -> None:
    """What is found must sum to one and have the mean that is known."""
    within = CLOSE if solver.kind is FLOATS else 0
    whole, mean = found.sum(), (found * scale.results).sum()
    if abs(whole - 1) > within or abs(mean - solver.ev) > within * max(1, abs(solver.ev)):
        raise AssertionError(f"results sum to {whole}, with a mean of {mean} where {solver.ev} is due")


# Undivided hands


def _unsplit(solver: Solver, scale: Scale, upcard: int) -> Array:
    rules, opening, kind = solver.rules, solver.opening(upcard), solver.kind
    plan = opening.plan
    found = scale.empty()
    start = np.zeros((len(solver.hands.size), VARIANTS), kind.dtype)
    open_to = solver.surrender_chance(upcard)

    def add(result: Any, chance: Any) -> None:
        found[scale.reach + int(result * scale.parts)] += chance

    for index in np.nonzero(opening.chance > 0)[0]:
        place = opening.hand[index], opening.variant[index]
        chance = opening.chance[index]
        if opening.natural[index]:
            early = solver.natural_is_paid_early(upcard)
            met = kind.of(0) if early else solver.natural_chance(upcard, ACE, TEN)
            add(rules.natural_pays, chance * (1 - met))
            add(0, chance * met)
            continue
        if plan.surrenders[place] and open_to > 0:
            # Part of the wager is lost, or all where a natural annuls: how often follows from the mean.
            share = rules.surrender_share
            lost = -opening.worth[index, SURRENDER]
            annulled = (lost - kind.of(share)) / (1 - kind.of(share)) if share < 1 else kind.of(0)
            add(-share, chance * open_to * (1 - annulled))
            add(-1, chance * open_to * annulled)
            chance = chance * (1 - open_to)
        if not plan.splits[place]:
            start[place] += chance
    whole: Array = (found + _played(solver, scale, upcard, start)) * solver.chance(upcard)
    return whole


def _played(solver: Solver, scale: Scale, upcard: int, start: Array) -> Array:
    """The results of hands that begin with these weights and are played to the end."""
    hands, law, pay, draw = solver.hands, solver.law, solver.pay, solver.draw(upcard)
    plan, rows = solver.opening(upcard).plan, solver.unsplit(upcard).rows
    at, twice, lost = solver.kind.run(kernels.visits, hands, law, draw, plan, start)
    found = scale.empty()

    def add(fate: Any, stake: int, total: Array, odds: Array, weight: Array, dealer: Array) -> None:
        fates, stakes = np.broadcast_to(fate, len(weight)), np.full(len(weight), stake)
        places = scale.reach + scale.steps(brought(law, pay, fates, stakes, total, odds))
        np.add.at(found, places, weight[:, None] * dealer)

    moving = (law.may_hit[:, None] & plan.hits) | (law.may_double[:, None] & plan.doubles)
    standing = np.where(moving, solver.kind.of(0), at).sum(axis=1)
    for stake, suited, odds, weight in _suited(solver, upcard, at):
        (standing if stake == 1 else twice)[suited] = 0
        fate, total = PAID if pay.paid_at_once else STOOD, np.full(1, TWENTY_ONE)
        add(fate, stake, total, solver.kind.array([odds]), solver.kind.array([weight]), rows[[suited]])
    hand = np.nonzero(standing > 0)[0]
    ended = np.where(pay.paid_at_once & (hands.total[hand] == TWENTY_ONE), PAID, STOOD)
    add(ended, 1, hands.total[hand], pay.odds[hand], standing[hand], rows[hand])
    hand, soft = np.nonzero(twice > 0)
    total = hands.hard[hand] + 10 * soft
    paid = pay.paid_at_once & (total == TWENTY_ONE)
    forfeited = pay.forfeit & plan.forfeits[hand, soft]
    ended = np.where(paid, PAID, np.where(forfeited, FORFEITED, STOOD))
    add(ended, 2, total, pay.double_odds[hand, soft], twice[hand, soft], rows[hand])
    for stake in (1, 2):
        # How often a natural meets a busted hand is known; the dealer's other hands are as ever.
        dealer = rows[0] * (lost[stake - 1, 0] - lost[stake - 1, 1]) / (solver.kind.of(1) - rows[0, -2])
        dealer[-2] = lost[stake - 1, 1]
        one = np.ones(1, solver.kind.dtype)
        add(BUSTED, stake, np.zeros(1, np.int64), one, one, dealer[None, :])
    return found


def _suited(solver: Solver, upcard: int, at: Array) -> Iterator[tuple[int, int, Any, Any]]:
    """Three cards that suits pay for: the stake, the hand, at which odds, and how often."""
    rules, hands, law, draw = solver.rules, solver.hands, solver.law, solver.draw(upcard)
    prize, plan = solver.prize_against(upcard), solver.opening(upcard).plan
    rows = tuple(rules.bonus_rows.items())
    pairs = suited_pairs(rows, solver.shoe.pool, solver.shoe.endless, rules.win_pays, prize)
    for (first, second), suits in pairs.items():
        hand = solver.number.get(counts_of([first, second]))
        if hand is None:
            continue
        doubles = law.may_double[hand] & plan.doubles[hand]
        stakes = np.where(doubles, 2 * solver.pay.doubled_suits, law.may_hit[hand] & plan.hits[hand])
        for third, by_kind in suits.paid.items():
            left = draw.left[third] - hands.counts[hand, third] * draw.step
            for kind in np.nonzero((stakes > 0) & (at[hand] > 0) & (left > 0))[0].tolist():
                weight, grown = (
                    at[hand, kind] * left / (draw.size - 2 * draw.step),
                    int(hands.after[hand, third]),
                )
                for odds, part in by_kind[kind].items():
                    yield int(stakes[kind]), grown, odds, weight * solver.kind.of(part)


# Split hands


def _splits(solver: Solver) -> Iterator[_Split]:
    """The pairs that are split: not where they are surrendered first."""
    for upcard in solver.upcards:
        opening = solver.opening(upcard)
        plan, open_to = opening.plan, solver.surrender_chance(upcard)
        kinds: dict[int, dict[int, Any]] = defaultdict(dict)
        for hand, kind, dealt in zip(opening.hand, opening.variant, opening.chance, strict=True):
            kept = 1 - open_to if plan.surrenders[hand, kind] else 1
            if plan.splits[hand, kind] and dealt > 0 and kept > 0:
                pair = int(solver.hands.counts[hand].argmax())
                kinds[pair][int(kind)] = solver.chance(upcard) * dealt * kept
        for pair, chances in kinds.items():
            yield _Split(upcard, pair, sum(chances.values()), _made(solver, upcard, pair, chances))


def _made(solver: Solver, upcard: int, pair: int, kinds: dict[int, Any]) -> list[Made]:
    """The hands that a split comes to, by suits where these decide which pairs are split again."""
    hand, opening = solver.number[counts_of([pair, pair])], solver.opening(upcard)
    dealt = opening.variant[(opening.hand == hand) & (opening.chance > 0)]
    all_alike = opening.plan.splits[hand, dealt].all() and solver.prize_against(upcard) is None
    if all_alike or not solver.kinds_matter(pair, dealt):
        return list(made_by(solver.growth(upcard, pair)))
    whole, again = sum(kinds.values()), tuple(opening.plan.splits[hand].tolist())
    return [
        made._replace(weight=made.weight * chance / whole)
        for kind, chance in kinds.items()
        for made in made_by_suits(solver.suited_split(upcard, pair), kind, again)
    ]


def _of_three(solver: Solver, split: _Split) -> Any:
    """How often a split comes to three hands or more."""
    cards = solver.second_cards(split.upcard, split.pair)
    return sum(made.chance(cards) for made in split.made if len(made.hands) > 2)


def _split(solver: Solver, scale: Scale, split: _Split) -> Array:
    results = SplitSpread(solver, scale, split.upcard, split.pair, split.chance, split.made).results()
    found: Array = results * split.chance
    return found
