r"""The risk of ruin of somebody who wins so much a round on average, with so much deviation.

Over many rounds what is won is taken for Brownian motion with drift: W(n) = win n + deviation B(n). With a
bankroll b, a target of g above it, s = deviation, t = 2 win / s^2 and the normal distribution N:

    ruin ever                       exp(-t b), or 1 where nothing is won on average
    ruin within n rounds            N((-b - win n) / s sqrt n) + exp(-t b) N((-b + win n) / s sqrt n)
    behind by b after n rounds      N((-b - win n) / s sqrt n)
    the target before ruin          (1 - exp(-t b)) / (1 - exp(-t (b + g)))
    ruin before the target, within n rounds: the first passage between two barriers, by images of the
    starting point where n is small against (b + g)^2 / s^2, by its sine series where it is large

What a round wins comes in steps, so that a bankroll is overshot by part of a bet when it is lost; the
formulas neglect that, and say a little too much for a bankroll of few bets.
"""

from __future__ import annotations

from math import erfc, exp, expm1, inf, log, log1p, pi, sin, sqrt

import numpy as np
from msgspec import Struct

TERMS = 60  # of either series; the first one left out is below 1e-16
SMALL = 0.3  # the time, in (b + g)^2 / s^2, from which the sine series is the better one
NODES = 200


class Walk(Struct, frozen=True):
    """What is won a round on average, and its deviation, above 0; in any money."""

    win: float
    deviation: float

    @property
    def _slope(self) -> float:
        return 2 * self.win / self.deviation**2

    def ruin(self, bankroll: float) -> float:
        """The chance that the bankroll is ever lost."""
        return exp(-self._slope * bankroll) if self.win > 0 else 1.0

    def bankroll_for(self, risk: float) -> float:
        """The bankroll that is ever lost with this risk; endless where nothing is won on average."""
        return -log(risk) / self._slope if self.win > 0 else inf

    def ruin_within(self, bankroll: float, rounds: float) -> float:
        """The chance that the bankroll is lost at any time in so many rounds."""
        if rounds <= 0:
            return 0.0
        spread = self.deviation * sqrt(rounds)
        back = _log_normal((self.win * rounds - bankroll) / spread) - self._slope * bankroll
        return min(self.behind_after(bankroll, rounds) + exp(back), 1.0)

    def behind_after(self, bankroll: float, rounds: float) -> float:
        """The chance to be behind by the bankroll or more at the end, were it played on whatever happens."""
        return exp(_log_normal((-bankroll - self.win * rounds) / (self.deviation * sqrt(rounds))))

    def target_first(self, bankroll: float, gain: float) -> float:
        """The chance that so much is won before the bankroll is lost, however long it takes."""
        low, high = self._slope * bankroll, self._slope * (bankroll + gain)
        if abs(high) < 1e-12:
            return bankroll / (bankroll + gain)
        if high > 0:
            return expm1(-low) / expm1(-high)
        return exp(high - low) * expm1(low) / expm1(high)

    def ruin_before(self, bankroll: float, gain: float, rounds: float) -> float:
        """The chance that the bankroll is lost within so many rounds, and before so much is won."""
        if rounds <= 0:
            return 0.0
        width = bankroll + gain
        if self.deviation**2 * rounds < SMALL * width**2:
            found = self._by_images(bankroll, width, rounds)
        else:
            found = self._turned.target_first(gain, bankroll) - self._by_sines(bankroll, width, rounds)
        return min(max(found, 0.0), 1.0)

    def target_before(self, bankroll: float, gain: float, rounds: float) -> float:
        """The chance that so much is won within so many rounds, and before the bankroll is lost."""
        return self._turned.ruin_before(gain, bankroll, rounds)

    @property
    def _turned(self) -> Walk:
        return Walk(-self.win, self.deviation)

    def _by_images(self, start: float, width: float, rounds: float) -> float:
        """Each image of the starting point gives a first passage of one barrier, with its sign."""
        variance, spread = self.deviation**2, self.deviation * sqrt(rounds)
        drift, pull = abs(self.win) * rounds, abs(self.win) / self.deviation**2
        weight = -self.win * start / variance
        found = 0.0
        for image in range(-TERMS, TERMS + 1):
            place = start + 2 * image * width
            far = abs(place)
            passed = exp(weight - pull * far + _log_normal((drift - far) / spread))
            passed += exp(weight + pull * far + _log_normal((-drift - far) / spread))
            found += passed if place > 0 else -passed
        return found

    def _by_sines(self, start: float, width: float, rounds: float) -> float:
        """The chance to be ruined before the target, but only after so many rounds."""
        variance, found = self.deviation**2, 0.0
        for term in range(1, TERMS):
            rate = (term * pi / width) ** 2 * variance / 2 + self.win**2 / (2 * variance)
            fade = exp(-self.win * start / variance - rate * rounds)
            found += term * sin(term * pi * start / width) * fade / rate
        return found * pi * variance / width**2

    def rounds_within(self, bankroll: float, rounds: float) -> float:
        """The rounds that are played on average of so many, where ruin ends play."""
        safe = (bankroll / (16 * self.deviation)) ** 2  # before, ruin is eight deviations away
        safe = min(safe, bankroll / (2 * abs(self.win)) if self.win else inf, rounds)
        nodes, weights = np.polynomial.legendre.leggauss(NODES)
        half = log(rounds / safe) / 2
        times = safe * np.exp(half * (nodes + 1))
        alive = np.array([1 - self.ruin_within(bankroll, time) for time in times.tolist()])
        return safe + half * float(weights @ (alive * times))

    def hold(self, bankroll: float, rounds: float) -> float:
        """The share of a bankroll bought in with that the house keeps of it, on average, in so many rounds.

        Ruin ends play, so this is what is lost in the rounds that are played; below 0 where the player wins.
        """
        return -self.win * self.rounds_within(bankroll, rounds) / bankroll


def _log_normal(at: float) -> float:
    """The logarithm of the normal distribution, far out too."""
    if at > -30:
        return log(erfc(-at / sqrt(2)) / 2)
    return -at * at / 2 - log(-at * sqrt(2 * pi)) + log1p(-1 / at**2)
