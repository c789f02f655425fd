"""The ceiling: what a player could win who knew every card that is gone, and what share of it a count has.

Shoes are sampled: a depth evenly from the first card to the cutting card, as rounds begin nearly evenly
there, and so many cards that were seen, each one at random. Burnt cards are not seen, and count as left.
Each shoe is valued exactly: the best play for it, and insurance where that favours the player, judged
before his own cards are known; the play for the whole shoe; and every side bet.

A player who leaves without cost and bets what he likes bets best in proportion to the expectation e of the
round, where that is above 0, over its variance v. The square of mean over deviation of what he then wins a
round is E[max(e, 0)^2 / v], and a million times it is his SCORE: what he wins in 100 rounds from 10,000 at
the risk of full Kelly bets. With all known of every shoe that is the ceiling: of bets, plays and insurance,
or of bets alone (the play for the whole shoe). Who bets by a count bets in proportion to b = E[e | count],
where that is above 0, and has the SCORE E[max(b, 0) e]^2 / (v E[max(b, 0)^2]). b is a broken line in the
count, fitted to all parts of the sample but that of the shoe, so that nobody bets on what only this sample
has. v is the variance of a round from the whole shoe, which differs by some percent from shoe to shoe. A
side bet has its own, exactly.

Standard errors come from leaving out each of the parts of the sample in turn (the jackknife).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from croupier.cards import RANKS, pack
from croupier.errors import ParseError
from croupier.exact import Solution, solve
from croupier.exact.hands import Array
from croupier.exact.kernels import Plan
from croupier.exact.shoe import CardsLeft, of_counts
from croupier.exact.sidebets import insurance, side_bet
from croupier.exact.solver import Solver
from croupier.rulebook.rules import Rules
from croupier.simulate.counting import System, count_for
from croupier.simulate.kernel import Counting, count_now
from croupier.threads import Told, at_once

PARTS = 20
FEWEST = 2 * PARTS
SCORE = 1e6
KNOTS = (0, 0.25, 0.5, 0.75, 0.9, 1)  # of the line that is fitted, as shares of the sample


class Measured(Struct, frozen=True):
    """A number and its standard error."""

    value: float
    se: float


class Valued(Struct, frozen=True):
    """One shoe: the cards gone from it, and what it is worth."""

    gone: Array
    best: float
    insured: float  # what insurance adds, where it favours the player
    plain: float  # the play for the whole shoe
    sides: dict[str, tuple[float, float]]  # expectation and variance


class Counted(Struct, frozen=True):
    """A count's bets, with the play for the whole shoe.

    `share` is that of the ceiling, `of_bets` of what perfect bets alone would win; `correlation` is that of
    the count with the expectation, over the sampled shoes.
    """

    name: str
    score: Measured
    share: Measured
    of_bets: Measured
    correlation: Measured


class Ceiling(Struct, frozen=True):
    """What can be won at most, as SCOREs, and what of it each count wins."""

    shoes: int
    partial: bool  # it was interrupted before it had as many as were asked for
    best: Measured  # bets, play and insurance
    plays: Measured  # bets and play
    bets: Measured
    favourable: Measured  # the share of rounds in which the best play with insurance is worth more than 0
    sides: dict[str, Measured]
    counts: tuple[Counted, ...]


def ceiling(
    rules: Rules,
    *,
    penetration: float,
    shoes: int,
    systems: Sequence[System],
    seed: int = 1,
    told: Told | None = None,
) -> Ceiling:
    """Sample so many shoes, and value them on all cores; interrupted, the first of them alone."""
    if not 0 < penetration < 1:
        raise ParseError(f"a penetration of {penetration}: a share of the shoe between 0 and 1, as 0.75")
    if shoes < FEWEST:
        raise ParseError(f"{shoes} shoes: at least {FEWEST}, for an error to be known")
    counts = [count_for(system, rules) for system in systems]
    whole = solve(rules)
    variance = whole.variance
    plans = {upcard: whole.solver.opening(upcard).plan for upcard in whole.solver.upcards}
    jobs = {
        number: functools.partial(_valued, whole, plans, sampled(rules, penetration, seed, number))
        for number in range(shoes)
    }
    found = list(at_once(jobs, told, least=FEWEST).values())
    partial, shoes = len(found) < shoes, len(found)
    best = np.array([one.best + one.insured for one in found])
    plays = np.array([one.best for one in found])
    plain = np.array([one.plain for one in found])
    return Ceiling(
        shoes=shoes,
        partial=partial,
        best=_measured(lambda kept: _most(best[kept], variance), shoes),
        plays=_measured(lambda kept: _most(plays[kept], variance), shoes),
        bets=_measured(lambda kept: _most(plain[kept], variance), shoes),
        favourable=_measured(lambda kept: float((best[kept] > 0).mean()), shoes),
        sides={name: _side(found, name) for name in rules.side_bets},
        counts=tuple(
            _counted(count.system.name, _counts(count.by_count.bets, rules, found), best, plain, variance)
            for count in counts
        ),
    )


def sampled(rules: Rules, penetration: float, seed: int, number: int) -> Array:
    """How many of each card were seen before a round of the numbered sample."""
    cards = np.array(list(pack(rules.ranks, rules.house.decks)))
    chance = np.random.default_rng((seed, number))
    last = int(penetration * cards.sum()) - rules.burn_cards
    if last < 1:
        raise ParseError(f"a penetration of {penetration} leaves no card before the cutting card")
    seen = int(chance.integers(0, last))
    return np.asarray(chance.multivariate_hypergeometric(cards, seen))


def _valued(whole: Solution, plans: dict[int, Plan], gone: Array) -> Valued:
    rules = whole.rules
    cards = np.array(list(pack(rules.ranks, rules.house.decks)))
    shoe = of_counts(bytes((cards - gone).tolist()))
    solver = Solver(rules, shoe)
    sides = {name: side_bet(rules, name, shoe) for name in rules.side_bets}
    return Valued(
        gone=gone,
        best=float(solver.ev),
        insured=_insured(solver, shoe),
        plain=float(Solver(rules, shoe, plans=plans).ev),
        sides={name: (float(bet.ev), float(bet.variance)) for name, bet in sides.items()},
    )


def _insured(solver: Solver, shoe: CardsLeft) -> float:
    """What insurance adds to a round if it is taken where it favours the player."""
    rules = solver.rules
    added = 0.0
    for rank in rules.insurance_upcards:
        chance = shoe.left[RANKS.index(rank)] / shoe.size
        if chance:
            worth = max(0.0, float(insurance(rules, shoe, upcard=rank).ev))
            added += chance * float(rules.insurance_share) * worth
    return added


# From the sample


def _measured(of: Callable[[Array], float], shoes: int) -> Measured:
    """A number that hangs on the sample, and its error; `of` takes which shoes are kept."""
    part = _parts(shoes)
    without = np.array([of(part != number) for number in range(PARTS)])
    se = float(np.sqrt((PARTS - 1) * np.mean((without - without.mean()) ** 2)))
    return Measured(of(np.ones(shoes, np.bool_)), se)


def _parts(shoes: int) -> Array:
    return np.arange(shoes) % PARTS


def _most(worth: Array, variance: float) -> float:
    """The SCORE of bets in proportion to what each shoe is worth."""
    return SCORE * float(np.mean(np.maximum(worth, 0.0) ** 2)) / variance


def _side(found: Sequence[Valued], name: str) -> Measured:
    worth = np.array([one.sides[name][0] for one in found])
    variance = np.array([one.sides[name][1] for one in found])
    # A bet that cannot be won any more has no variance, and is not made.
    scores = SCORE * np.maximum(worth, 0.0) ** 2 / np.where(variance > 0, variance, 1.0)
    return _measured(lambda kept: float(scores[kept].mean()), len(found))


def _counts(counting: Counting, rules: Rules, found: Sequence[Valued]) -> Array:
    """The count of each shoe."""
    cards = sum(pack(rules.ranks, rules.house.decks))
    running = [counting.start + int(counting.tags @ one.gone) for one in found]
    left = [cards - int(one.gone.sum()) for one in found]
    return np.array([count_now(counting, *one) for one in zip(running, left, strict=True)], float)  # type: ignore[no-untyped-call]


def _counted(name: str, counts: Array, best: Array, plain: Array, variance: float) -> Counted:
    bets = np.maximum(expected(counts, plain), 0.0)

    def score(kept: Array) -> float:
        risked = float(np.mean(bets[kept] ** 2)) * variance
        return SCORE * float(np.mean(bets[kept] * plain[kept])) ** 2 / risked if risked else 0.0

    def share(most: Array) -> Callable[[Array], float]:
        return lambda kept: score(kept) / _most(most[kept], variance) if most[kept].max() > 0 else 0.0

    def correlation(kept: Array) -> float:
        return float(np.corrcoef(counts[kept], plain[kept])[0, 1])

    shoes = len(counts)
    return Counted(
        name=name,
        score=_measured(score, shoes),
        share=_measured(share(best), shoes),
        of_bets=_measured(share(plain), shoes),
        correlation=_measured(correlation, shoes),
    )


def expected(counts: Array, worth: Array) -> Array:
    """What each shoe's count leads to expect, from the other parts of the sample."""
    knots = np.unique(np.quantile(counts, KNOTS))
    hats = np.array([np.interp(counts, knots, row) for row in np.eye(len(knots))]).T
    found = np.zeros(len(counts))
    for number in range(PARTS):
        here = _parts(len(counts)) == number
        fit, *_ = np.linalg.lstsq(hats[~here], worth[~here], rcond=None)
        found[here] = hats[here] @ fit
    return found
