r"""Bets by the count, reckoned from what was counted: simulated once, asked as often as one likes.

A round that began at count c won X, all boxes together, for a wager of one on each; b_c is what is wagered
on each instead, nothing where the round is watched. With p_c the share of rounds at c, over all rounds:

    win         m = sum p_c b_c E_c[X]                    deviation   s, s^2 = sum p_c b_c^2 E_c[X^2] - m^2
    error       by shoes: sqrt sum (gain - m rounds)^2 over all rounds, a shoe's gain being the sum of
                b_c (won at c), from the products that the run keeps
    DI          1000 m / s                                N0          (s / m)^2 rounds: m n = s sqrt n
    SCORE       DI^2: what a hundred rounds win with a bankroll of 10,000 when all bets are scaled so that
                the risk of ruin is 13.5% (exp(-2), full Kelly). It is Schlesinger's SCORE for the best bets
                of a spread, and the c-SCORE of any others.
    certainty   m - s^2 / (2 f b): what somebody with bankroll b who bets a fraction f of Kelly would
    equivalent  take for sure instead of a round
    ruin        with bankroll b exp(-r b), r > 0 being the root of E[exp(-r b_c X)] = 1: exact for independent
                rounds where no loss overshoots the bankroll, otherwise a little too much. Taking results
                for normal, r = 2 m / s^2 (`ruin.Walk`).

The best bets rise with the count. Among all that do, f b E[X] / E[X^2] with neighbours pooled where it falls
(isotonic regression) is what makes the certainty equivalent largest, and cut off at the least and the
largest bet it still is.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import exp, inf, isfinite, log, sqrt
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import ParseError
from croupier.exact.hands import Array
from croupier.simulate import kernel as k
from croupier.simulate.ruin import Walk
from croupier.simulate.statistics import SIGMAS, Found

ENOUGH = 10_000  # rounds: counts at either end that have fewer are taken together
FRACTIONS_TRIED = np.geomspace(1e-3, 1e3, 121)  # of Kelly, where bets are sought for a risk
HALVINGS = 50
STEPS = 500
Ramp = tuple[tuple[int, float], ...]
Way = Literal["nearest", "down"]


class Rounds(Struct, frozen=True):
    """What rounds won by the count before them: all that bets are reckoned from."""

    counts: Array  # those that came up, ascending; 0 alone where nobody counted
    units: Array  # what a round can win, all boxes together, in parts of a wager
    table: Array  # [count, won]: rounds
    products: Array  # [count, count]: over shoes, won at one times won at the other; Python's whole numbers
    by_rounds: Array  # [count]: over shoes, won at it times the rounds of the shoe
    rounds_squared: int
    shoes: int
    unit: int  # parts to a wager
    boxes: int
    at_risk: float  # what is staked in all on a box that wagers one

    @property
    def rounds(self) -> int:
        return int(self.table.sum())

    @property
    def won(self) -> Array:
        """What a round can win, in wagers."""
        return np.asarray(self.units / self.unit)

    @property
    def shares(self) -> Array:
        return np.asarray(self.table.sum(axis=1) / self.rounds)

    @property
    def means(self) -> Array:
        return np.asarray(self.table @ self.won / self.table.sum(axis=1))

    @property
    def squares(self) -> Array:
        return np.asarray(self.table @ self.won**2 / self.table.sum(axis=1))


class Figures(Struct, frozen=True):
    """What bets bring, by round, rounds that are watched among them."""

    win: float
    se: float
    deviation: float
    played: float  # the share of rounds with a bet
    bet: float  # on a box, on average over all rounds
    edge: float  # the player's, on what is wagered at first
    edge_at_risk: float  # on all that is staked, taken at its average over the counts
    together: float  # how much larger the variance by shoes is than that of independent rounds
    exponent: float  # r of the risk of ruin exp(-r bankroll); 0 where nothing is won on average

    @property
    def walk(self) -> Walk:
        return Walk(self.win, self.deviation)

    @property
    def interval(self) -> tuple[float, float]:
        return self.win - SIGMAS * self.se, self.win + SIGMAS * self.se

    @property
    def bet_played(self) -> float:
        return self.bet / self.played

    @property
    def n0(self) -> float:
        return (self.deviation / self.win) ** 2 if self.win else inf

    @property
    def di(self) -> float:
        return 1000 * self.win / self.deviation

    @property
    def score(self) -> float | None:
        """None where nothing is won on average: no bets would have the risk that it is defined by."""
        return self.di**2 if self.win > 0 else None

    def certainty_equivalent(self, bankroll: float, kelly: float = 1.0) -> float:
        return self.win - self.deviation**2 / (2 * kelly * bankroll)

    def ruin(self, bankroll: float) -> float:
        return exp(-self.exponent * bankroll)

    def bankroll_for(self, risk: float) -> float:
        return -log(risk) / self.exponent if self.exponent else inf


def rounds_of(found: Found) -> Rounds:
    """The rounds of a simulation. A ParseError where whole rounds were not kept: several boxes, uncounted."""
    if not found.rounds:
        raise ParseError("the run has no rounds yet")
    if found.counted.by_count.size:
        table = found.counted.by_count.reshape(k.COUNT_ROWS, -1)
        products = found.counted.products.reshape(k.COUNT_ROWS, k.COUNT_ROWS + 1)
    elif found.boxes == 1:
        table = np.zeros((k.COUNT_ROWS, found.counted.results.size), np.int64)
        products = np.zeros((k.COUNT_ROWS, k.COUNT_ROWS + 1), np.int64)
        table[k.MOST_COUNT] = found.counted.results
        products[k.MOST_COUNT, k.MOST_COUNT] = found.counted.sums[k.SUM_WON_2]
        products[k.MOST_COUNT, k.COUNT_ROWS] = found.counted.sums[k.SUM_WON_ROUNDS]
    else:
        raise ParseError("whole rounds of several boxes are kept by count alone: simulate with --count")
    rows, columns = np.nonzero(table.any(axis=1))[0], np.nonzero(table.any(axis=0))[0]
    return Rounds(
        counts=rows - k.MOST_COUNT,
        units=columns - table.shape[1] // 2,
        table=table[np.ix_(rows, columns)],
        products=products[np.ix_(rows, rows)].astype(object),
        by_rounds=products[rows, k.COUNT_ROWS].astype(object),
        rounds_squared=int(found.counted.sums[k.SUM_ROUNDS_2]),
        shoes=found.shoes,
        unit=found.unit,
        boxes=found.boxes,
        at_risk=found.at_risk,
    )


# Ramps


def parse_ramp(text: str) -> Ramp:
    """`1:1 2:2 3:4`: from a count on so many units, nothing below; a first bet alone is for all below."""
    found: list[tuple[int, float]] = []
    for word in text.replace(",", " ").split():
        match = re.fullmatch(r"(?:([+-]?[0-9]{1,3}):)?([0-9]{1,12}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})", word)
        if not match or (match[1] is None and found):
            raise ParseError(
                f"ramp: {word!r} is no step; write a count and units, as 2:4, the first perhaps a bet alone"
            )
        found.append((-k.MOST_COUNT if match[1] is None else int(match[1]), float(match[2])))
    return require_ramp(tuple(found))


def require_ramp(ramp: Ramp) -> Ramp:
    """The ramp, if its counts rise and can come up, and it bets at all."""
    counts = [count for count, _ in ramp]
    if counts != sorted(set(counts)):
        raise ParseError("ramp: each step begins at a higher count than the one before")
    if any(abs(count) > k.MOST_COUNT for count in counts):
        raise ParseError(f"ramp: counts go from -{k.MOST_COUNT} to {k.MOST_COUNT}, with all beyond them")
    if not any(units for _, units in ramp):
        raise ParseError("ramp: nothing is ever bet")
    return ramp


def bets_of(ramp: Ramp, counts: Array) -> Array:
    """What is bet at each count."""
    steps = np.searchsorted([count for count, _ in ramp], counts, side="right")
    return np.array([0.0, *(units for _, units in ramp)])[steps]


def ramp_of(counts: Array, bets: Array) -> Ramp:
    """The steps of bets by count; the lowest count stands for all below it."""
    found: list[tuple[int, float]] = []
    for count, bet in zip(counts.tolist(), bets.tolist(), strict=True):
        if (not found and bet) or (found and bet != found[-1][1]):
            found.append((count if found or count > counts[0] else -k.MOST_COUNT, bet))
    return tuple(found)


def ramp_text(ramp: Ramp) -> str:
    """As `parse_ramp` reads it, to six digits."""
    steps = [f"{units:.6g}" if count == -k.MOST_COUNT else f"{count}:{units:.6g}" for count, units in ramp]
    return " ".join(steps)


# What bets bring


def figures(rounds: Rounds, bets: Array) -> Figures:
    """The figures of bets on a box, one for each count. A ParseError where nothing is bet in any round."""
    bet = float(rounds.shares @ bets)
    if not bet:
        raise ParseError("at no count that came up is anything bet")
    win, se = _won(rounds, bets)
    variance = float(rounds.shares @ (bets**2 * rounds.squares)) - win**2
    if variance <= 0:
        raise ParseError("wherever these bets are made every round ended alike: there is no risk to reckon")
    edge = win / (bet * rounds.boxes)
    return Figures(
        win=win,
        se=se,
        deviation=sqrt(variance),
        played=int(rounds.table[bets > 0].sum()) / rounds.rounds,
        bet=bet,
        edge=edge,
        edge_at_risk=edge / rounds.at_risk,
        together=se**2 * rounds.rounds / variance,
        exponent=exponent(rounds, bets),
    )


def _won(rounds: Rounds, bets: Array) -> tuple[float, float]:
    """What is won in a round, and its standard error by shoes; in fractions, for sums are large."""
    exact = np.array([Fraction(bet) for bet in bets.tolist()])
    mean = (exact @ (rounds.table @ rounds.units).astype(object)) / rounds.rounds
    spread = exact @ rounds.products @ exact - 2 * mean * (exact @ rounds.by_rounds)
    spread += mean * mean * rounds.rounds_squared
    by_shoes = float(spread) * rounds.shoes / (rounds.shoes - 1) if rounds.shoes > 1 else inf
    return float(mean) / rounds.unit, sqrt(max(by_shoes, 0.0)) / (rounds.unit * rounds.rounds)


def exponent(rounds: Rounds, bets: Array) -> float:
    """The root above 0 of E[exp(-r X)] = 1, which is convex in r; 0 where nothing is won on average.

    Newton's steps from beyond the root fall towards it and never below.
    """
    results, chances = outcomes(rounds, bets)
    win = float(chances @ results)
    if win <= 0:
        return 0.0
    if results.min() >= 0:
        return inf
    low, high = 0.0, 2 * win / float(chances @ results**2)
    while _beyond(results, chances, high)[0] < 0:
        low, high = high, 2 * high
    for _ in range(STEPS):
        value, slope = _beyond(results, chances, high)
        step = value / slope if isfinite(slope) else (high - low) / 2
        high -= step
        if step <= 1e-14 * high:
            break
    return high


def _beyond(results: Array, chances: Array, at: float) -> tuple[float, float]:
    """E[exp(-at X)] - 1 and its slope; endless where that is too much for a float."""
    with np.errstate(over="ignore"):
        powers = np.expm1(-at * results)
    if not np.isfinite(powers).all():
        return inf, inf
    return float(chances @ powers), -float(chances @ (results * (powers + 1)))


def outcomes(rounds: Rounds, bets: Array) -> tuple[Array, Array]:
    """What a round wins at these bets, and with what chance."""
    betting = bets > 0
    results = np.outer(bets[betting], rounds.won)
    often = rounds.table[betting]
    idle = rounds.rounds - int(often.sum())
    happens = often > 0
    every = np.append(results[happens], 0.0), np.append(often[happens], idle) / rounds.rounds
    return every if idle else (every[0][:-1], every[1][:-1])


# What may be bet


class Limits(Struct, frozen=True):
    """What a bet may be: at least `low` and at most `high`, or `spread` times a least bet that is sought.

    Nothing is bet below the count `leave`. Bets are in chips of one size, rounded one way.
    """

    low: float = 0.0
    high: float = inf
    spread: float | None = None
    leave: int | None = None
    chip: float = 0.0
    way: Way = "nearest"


def placed(rounds: Rounds, bets: Array, limits: Limits) -> Array:
    """Bets in whole chips, and none below the count at which one leaves."""
    if limits.chip:
        bets = np.floor(bets / limits.chip + (0.5 if limits.way == "nearest" else 1e-9)) * limits.chip
    return bets if limits.leave is None else np.where(rounds.counts < limits.leave, 0.0, bets)


# The best bets


def best_bets(rounds: Rounds, capital: float, limits: Limits) -> Array:
    """The bets with the largest certainty equivalent; `capital` is the bankroll times the Kelly fraction."""
    return _some(_within(rounds, capital * _worth(rounds), capital, limits))


def bets_for_risk(rounds: Rounds, bankroll: float, risk: float, limits: Limits) -> Array:
    """The best bets with which the bankroll is lost with no more than this risk.

    They are those of the largest Kelly fraction that keeps to it. A ParseError where there is none.
    """
    worth = _worth(rounds)

    def tried(kelly: float) -> tuple[Array, float]:
        bets = _within(rounds, kelly * bankroll * worth, kelly * bankroll, limits)
        return bets, exp(-exponent(rounds, bets) * bankroll) if bets.any() else 0.0

    found = [tried(kelly)[1] for kelly in FRACTIONS_TRIED.tolist()]
    kept = [place for place, ruin in enumerate(found) if ruin <= risk]
    if not kept:
        raise ParseError(
            f"a risk of {risk:g}: within these limits it is {min(found):.2%} or more; "
            "a larger bankroll or lower bets bring it down"
        )
    low = float(FRACTIONS_TRIED[kept[-1]])
    high = float(FRACTIONS_TRIED[min(kept[-1] + 1, len(found) - 1)])
    for _ in range(HALVINGS):
        middle = sqrt(low * high)
        low, high = (middle, high) if tried(middle)[1] <= risk else (low, middle)
    return _some(tried(low)[0])


def _some(bets: Array) -> Array:
    if not bets.any():
        raise ParseError("no count is worth a bet within these limits: the best is to bet nothing")
    return bets


def _worth(rounds: Rounds) -> Array:
    """E[X] / E[X^2] by count, rising: what a bankroll of one bets at each with full Kelly, if above 0."""
    often = rounds.table.sum(axis=1)
    ends = _ends(often)
    blocks: list[tuple[float, float, int]] = []  # won, squared, counts
    won, squared = rounds.table @ rounds.won, rounds.table @ rounds.won**2
    for part in ends:
        blocks.append((float(won[part].sum()), float(squared[part].sum()), part.stop - part.start))
        while len(blocks) > 1 and blocks[-1][0] * blocks[-2][1] <= blocks[-2][0] * blocks[-1][1]:
            last, before = blocks.pop(), blocks.pop()
            blocks.append((last[0] + before[0], last[1] + before[1], last[2] + before[2]))
    return np.concatenate([np.full(counts, one / two) for one, two, counts in blocks])


def _ends(often: Array) -> list[slice]:
    """Count by count, those at either end taken together until they have rounds enough."""
    enough = min(ENOUGH, int(often.sum()) // 2)
    low = int(np.searchsorted(np.cumsum(often), enough)) + 1
    high = max(often.size - 1 - int(np.searchsorted(np.cumsum(often[::-1]), enough)), low)
    inner = [slice(place, place + 1) for place in range(low, high)]
    return [slice(0, low), *inner, *([slice(high, often.size)] if high < often.size else [])]


def _within(rounds: Rounds, ideal: Array, capital: float, limits: Limits) -> Array:
    low, high = limits.low, limits.high
    if limits.spread is not None:
        chips = Limits(chip=limits.chip, way=limits.way)
        least = _least(rounds, ideal, capital, limits.spread, limits.leave)
        low = float(placed(rounds, np.array(least), chips))
        low = max(low, limits.chip)
        high = float(placed(rounds, np.array(limits.spread * low), replace(chips, way="down")))
    return placed(rounds, np.clip(ideal, low, high), limits)


def _least(rounds: Rounds, ideal: Array, capital: float, spread: float, leave: int | None) -> float:
    """The least bet of a spread that is best: the certainty equivalent is concave in it."""
    playing = rounds.counts >= (-k.MOST_COUNT if leave is None else leave)
    won = (rounds.shares * rounds.means)[playing]
    squared = (rounds.shares * rounds.squares)[playing] / (2 * capital)
    wanted = ideal[playing]

    def worth(least: float) -> float:
        bets = np.clip(wanted, least, spread * least)
        return float(won @ bets - squared @ bets**2)

    low, high = 0.0, max(float(wanted.max(initial=0.0)), 0.0)
    golden = (sqrt(5) - 1) / 2
    for _ in range(HALVINGS):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (left, high) if worth(left) < worth(right) else (low, right)
    return low
