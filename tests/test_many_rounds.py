"""The sum of many rounds: against convolution in fractions, its moments, and the normal limit."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from croupier.errors import ParseError
from croupier.exact.many_rounds import many_rounds, sums
from croupier.exact.records import Spread

# A game with a rare prize, and halves of a wager.
RESULTS = {
    Fraction(-2): Fraction(1, 20),
    Fraction(-1): Fraction(9, 20),
    Fraction(0): Fraction(2, 20),
    Fraction(1): Fraction(7, 20),
    Fraction(3, 2): Fraction(19, 400),
    Fraction(40): Fraction(1, 400),
}


def spread_of(results: dict[Fraction, Fraction]) -> Spread:
    ev = sum(result * chance for result, chance in results.items())
    variance = sum(result**2 * chance for result, chance in results.items()) - ev**2
    return Spread(results, ev, variance, Fraction(0), Fraction(0))


def convolved(rounds: int) -> dict[Fraction, Fraction]:
    """The sum of so many rounds, one after another."""
    found = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        grown: dict[Fraction, Fraction] = {}
        for before, chance in found.items():
            for result, part in RESULTS.items():
                grown[before + result] = grown.get(before + result, Fraction(0)) + chance * part
        found = grown
    return found


@pytest.mark.parametrize("rounds", [1, 2, 3, 7, 12])
def test_few_rounds_are_as_convolved_in_fractions(rounds: int) -> None:
    due = convolved(rounds)
    first, parts, chances = sums(RESULTS, rounds)
    found = {Fraction(first + place, parts): chance for place, chance in enumerate(chances.tolist())}
    assert due.keys() <= found.keys()
    for result, chance in found.items():
        assert chance == pytest.approx(float(due.get(result, 0)), abs=1e-14)
    told = many_rounds(spread_of(RESULTS), rounds)
    assert told.ahead == pytest.approx(float(sum(due[s] for s in due if s > 0)), abs=1e-14)
    assert told.level == pytest.approx(float(due.get(Fraction(0), 0)), abs=1e-14)
    assert told.within == pytest.approx(
        float(sum(due[s] for s in due if told.low <= s <= told.high)), abs=1e-14
    )
    assert (
        sum(due[s] for s in due if s < told.low)
        < Fraction(1, 200)
        > sum(due[s] for s in due if s > told.high)
    )
    narrower = [sum(due[s] for s in due if s <= told.low), sum(due[s] for s in due if s >= told.high)]
    assert min(narrower) >= Fraction(1, 200)


@pytest.mark.parametrize("rounds", [1_000, 1_000_000, 100_000_000])
def test_many_rounds_have_their_moments(rounds: int) -> None:
    first, parts, chances = sums(RESULTS, rounds)
    spread = spread_of(RESULTS)
    assert chances.sum() == pytest.approx(1, abs=1e-13)
    away = (np.arange(len(chances)) + first) / parts - float(rounds * spread.ev)
    deviation = sqrt(rounds * spread.variance)
    assert (chances * away).sum() / deviation == pytest.approx(0, abs=1e-10)
    assert (chances * away**2).sum() / deviation**2 == pytest.approx(1, abs=1e-12)


def test_sums_become_normal() -> None:
    spread = spread_of(RESULTS)
    for rounds in (10_000, 100_000_000):
        found = many_rounds(spread, rounds)
        normal = NormalDist(found.mean, found.deviation)
        allowed = 2 / sqrt(rounds)  # what is left of the skewness
        assert normal.cdf(float(found.low)) == pytest.approx(0.005, abs=allowed)
        assert normal.cdf(float(found.high)) == pytest.approx(0.995, abs=allowed)
        assert found.ahead == pytest.approx(1 - normal.cdf(0), abs=allowed)
        assert found.ahead + found.level + found.behind == pytest.approx(1, abs=1e-13)
        assert found.within >= 0.99 - 1e-12


def test_so_many_that_nobody_plays_are_refused() -> None:
    with pytest.raises(ParseError, match="ask for fewer"):
        sums(RESULTS, 10**15)
    with pytest.raises(ParseError, match="1 or more"):
        sums(RESULTS, 0)
