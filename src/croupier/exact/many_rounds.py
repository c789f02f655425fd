"""Many rounds together: the chance of every sum of N results, each round from a shoe like the first.

Let a round bring x with the chance p(x), every x a multiple of one part of a wager. N independent rounds
have the characteristic function phi(t)^N, where phi(t) is the sum of p(x) e^(itx). At the M frequencies
t = 2 pi k / M that is the transform of the sum's chances, wound around a circle of M places, and an inverse
FFT gives them back.

M is so large that nothing meets on the circle: by Bernstein's inequality a sum is farther than s from its
mean with a chance of at most 2 exp(-s^2 / 2(N v + b s / 3)), where v is the variance of a round and b how far
a result can be from the mean; s is taken where that is 1e-16.

A power magnifies errors: (phi + e)^N is off by N e. So where phi^N is not yet nothing, phi - 1 is summed as
such, from e^(ix) - 1 = 2i sin(x/2) e^(ix/2), and phi^N = exp(N log(1 + (phi - 1))) loses no digit, whatever
N is.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import Struct

from croupier.errors import ParseError

if TYPE_CHECKING:
    from croupier.exact.hands import Array
    from croupier.exact.records import Spread

SURE = Fraction(99, 100)  # the part of all cases that lies in an interval
NEGLIGIBLE = 1e-16
MOST_PLACES = 1 << 22
DEVIATIONS = NormalDist().inv_cdf(float(1 + SURE) / 2)  # either side, if sums were normal


class ManyRounds(Struct, frozen=True):
    """What the player has after so many rounds, in initial wagers.

    From `low` to `high` lie 99 in 100 cases: not one in 200 lies below, nor above. `within` is how many do
    exactly. If sums were normal it would be the mean and `normal_reach` either side.
    """

    rounds: int
    mean: float
    deviation: float
    normal_reach: float
    low: Fraction
    high: Fraction
    within: float
    ahead: float
    level: float
    behind: float


class Sums(NamedTuple):
    """The chances of sums, from `first` on, in so many parts of a wager."""

    first: int
    parts: int
    chances: Array


def many_rounds(spread: Spread, rounds: int) -> ManyRounds:
    """The exact distribution of what so many independent rounds bring, told in a few figures."""
    first, parts, chances = sums(spread.results, rounds)
    below = np.cumsum(chances)
    tail = float(1 - SURE) / 2
    low, high = np.searchsorted(below, (tail, 1 - tail)).tolist()
    zero = -first  # its place
    deviation = sqrt(float(spread.variance) * rounds)
    return ManyRounds(
        rounds=rounds,
        mean=float(spread.ev) * rounds,
        deviation=deviation,
        normal_reach=DEVIATIONS * deviation,
        low=Fraction(first + low, parts),
        high=Fraction(first + high, parts),
        within=_chance(chances[low : high + 1]),
        ahead=_chance(chances[max(0, zero + 1) :]),
        level=_chance(chances[zero : zero + 1] if zero >= 0 else chances[:0]),
        behind=_chance(chances[: max(0, zero)]),
    )


def _chance(parts: Array) -> float:
    """Their sum, which rounding may have put a little below nothing."""
    return min(1.0, max(0.0, float(parts.sum())))


def sums(results: dict[Fraction, Any], rounds: int) -> Sums:
    """The chance of every sum of so many independent results, but of those too rare to matter."""
    if rounds < 1:
        raise ParseError(f"{rounds} rounds: write 1 or more")
    parts = lcm(*(result.denominator for result in results))
    steps = np.array([int(result * parts) for result in results])
    chances = np.array([float(chance) for chance in results.values()])
    chances /= chances.sum()
    middle = round(rounds * float(chances @ steps))
    reach = _reach(steps, chances, rounds)
    first = max(rounds * int(steps.min()), middle - reach)
    places = min(rounds * int(steps.max()), middle + reach) - first + 1
    if places > MOST_PLACES:
        raise ParseError(
            f"{rounds:,} rounds can bring too many different sums, {places:,}: ask for fewer rounds"
        )
    return Sums(first, parts, _wound(steps, chances, rounds, first, places))


def _reach(steps: Array, chances: Array, rounds: int) -> int:
    """How far from its mean a sum can be, but for a chance that is negligible."""
    mean = chances @ steps
    variance = rounds * float(chances @ (steps - mean) ** 2)
    exponent = log(2 / NEGLIGIBLE)
    slant = exponent * float(np.abs(steps - mean).max()) / 3
    return int(slant + sqrt(slant**2 + 2 * exponent * variance)) + 1


def _wound(steps: Array, chances: Array, rounds: int, first: int, places: int) -> Array:
    """The chances of sums from `first` on, on a circle of at least so many places."""
    size = 1 << (places - 1).bit_length()
    wound = np.zeros(size)
    np.add.at(wound, steps % size, chances)
    nothing = log(NEGLIGIBLE) - log(size)
    with np.errstate(divide="ignore"):
        matters = np.nonzero(rounds * np.log(np.abs(np.fft.rfft(wound))) > nothing)[0]
    frequencies = 2 * np.pi / size * matters
    less = np.zeros(len(matters), np.complex128)
    for step, chance in zip(steps.tolist(), chances.tolist(), strict=True):
        half = frequencies * (step / 2)
        less -= 2j * chance * np.sin(half) * np.exp(-1j * half)
    transform = np.zeros(size // 2 + 1, np.complex128)
    transform[matters] = np.exp(rounds * _log_of_one_and(less) + 1j * (frequencies * first))
    found: Array = np.fft.irfft(transform, size)[:places]
    return found


def _log_of_one_and(less: Array) -> Array:
    """The logarithm of 1 + x for small complex x; NumPy's own adds the 1 first."""
    x, y = less.real, less.imag
    found: Array = np.log1p(2 * x + x**2 + y**2) / 2 + 1j * np.arctan2(y, 1 + x)
    return found
