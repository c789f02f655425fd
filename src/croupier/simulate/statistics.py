"""What many rounds say: expectation and error, deviation, results, and how often things happen.

Rounds of a shoe hang together, so the error is reckoned by shoes: what each won against what it should have
won for its rounds (a ratio of two sums). Values are in units of the initial wager on a box.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
from msgspec import Struct

from croupier.exact.hands import Array
from croupier.simulate import kernel as k

SIGMAS = 1.959963984540054  # of an interval that holds the truth in 19 of 20 runs


class Found(Struct, frozen=True):
    """The answers of a simulation. `partial`: it was interrupted before it had what was asked for."""

    results: Array
    counts: Array
    sums: Array
    unit: int
    boxes: int
    partial: bool = False

    # How much was played

    @property
    def rounds(self) -> int:
        return int(self.counts[k.ROUNDS])

    @property
    def shoes(self) -> int:
        return int(self.sums[k.SHOES])

    @property
    def wagers(self) -> int:
        return self.rounds * self.boxes

    @property
    def rounds_per_shoe(self) -> float:
        return self.rounds / self.shoes

    @property
    def cards_per_round(self) -> float:
        return int(self.counts[k.DEALT]) / self.rounds

    # What was won

    @property
    def ev(self) -> float:
        return int(self.sums[k.SUM_WON]) / (self.unit * self.wagers)

    @property
    def se(self) -> float:
        """The standard error of the expectation, by shoes."""
        shoes = self.shoes
        won, rounds = int(self.sums[k.SUM_WON]), self.rounds
        mean = Fraction(won, rounds)
        squares = (
            int(self.sums[k.SUM_WON_2])
            - 2 * mean * int(self.sums[k.SUM_WON_ROUNDS])
            + mean * mean * int(self.sums[k.SUM_ROUNDS_2])
        )
        spread = float(squares) * shoes / (shoes - 1) if shoes > 1 else float("inf")
        return sqrt(max(spread, 0.0)) / (self.unit * self.wagers)

    @property
    def interval(self) -> tuple[float, float]:
        return self.ev - SIGMAS * self.se, self.ev + SIGMAS * self.se

    @property
    def deviation(self) -> float:
        """Of what one box wins in a round."""
        won = np.arange(self.results.size) - self.results.size // 2
        count = int(self.results.sum())
        mean = int((self.results * won).sum()) / count
        return sqrt(int((self.results * won * won).sum()) / count - mean * mean) / self.unit

    @property
    def round_deviation(self) -> float:
        """Of what all boxes win in a round together."""
        mean = int(self.sums[k.SUM_WON]) / self.rounds
        return sqrt(int(self.sums[k.ROUND_WON_2]) / self.rounds - mean * mean) / self.unit

    @property
    def at_risk(self) -> float:
        """What is staked in all on a box that wagers one."""
        return int(self.counts[k.STAKED]) / self.wagers

    @property
    def edge_at_risk(self) -> float:
        """The house's edge on all that is staked."""
        return -self.ev / self.at_risk

    def distribution(self) -> dict[Fraction, float]:
        """How often a box wins or loses how much."""
        count, middle = int(self.results.sum()), self.results.size // 2
        return {
            Fraction(int(place) - middle, self.unit): int(self.results[place]) / count
            for place in np.nonzero(self.results)[0]
        }

    def frequencies(self) -> dict[str, float]:
        """How often things happen: the dealer's by round, the others by box and round."""
        by_box = {
            "natural": k.NATURALS,
            "surrender": k.SURRENDERS,
            "split": k.SPLITS,
            "double": k.DOUBLES,
            "forfeit": k.FORFEITS,
            "bust": k.BUSTS,
            "super_bonus": k.BONUSES,
        }
        found = {name: int(self.counts[which]) / self.wagers for name, which in by_box.items()}
        found["dealer_natural"] = int(self.counts[k.DEALER_NATURALS]) / self.rounds
        found["dealer_bust"] = int(self.counts[k.DEALER_BUSTS]) / self.rounds
        return found
