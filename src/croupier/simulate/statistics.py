"""What many rounds say: expectation and error, deviation, results, and how often things happen.

Rounds of a shoe hang together, so the error is reckoned by shoes: what each won against what it should have
won for its rounds (a ratio of two sums). Values are in units of the initial wager on a box.
"""

from __future__ import annotations

from fractions import Fraction
from math import hypot, sqrt

import numpy as np
from msgspec import Struct

from croupier.simulate import kernel as k
from croupier.simulate.ruin import Walk
from croupier.simulate.tables import Side

SIGMAS = 1.959963984540054  # of an interval that holds the truth in 19 of 20 runs
# A visit: so many wagers bought in with, and so many rounds unless they are lost before.
BUY_IN, VISIT = 50, 300


class Tally(Struct, frozen=True):
    """What was counted in some chunks; the tallies of two parts add up to that of the whole."""

    chunks: int
    counted: k.Counted

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.chunks + other.chunks, k.Counted(*map(np.add, self.counted, other.counted)))


class AtCount(Struct, frozen=True):
    """The rounds that began at a count: their share of all, and by box what they bring."""

    count: int
    share: float
    ev: float
    se: float
    deviation: float


class SideFound(Struct, frozen=True):
    """A side bet: its expectation and error, by what is wagered on it, and how often it ends how."""

    ev: float
    se: float
    ends: dict[str, float]


class Prize(Struct, frozen=True):
    """The Super Bonus in wagers: what a box wins by its own, and its part in another's."""

    own: float
    part: float


class Found(Struct, frozen=True):
    """The answers of a simulation. `partial`: it was interrupted before it had what was asked for.

    With a `prize` the Super Bonus is in the expectation and its error; results, deviations and what goes by
    the count are those of the wagers alone.
    """

    counted: k.Counted
    unit: int
    boxes: int
    sides: tuple[Side, ...] = ()
    partial: bool = False
    prize: Prize | None = None

    # How much was played

    @property
    def rounds(self) -> int:
        return int(self.counted.counts[k.ROUNDS])

    @property
    def shoes(self) -> int:
        return int(self.counted.sums[k.SHOES])

    @property
    def wagers(self) -> int:
        return self.rounds * self.boxes

    @property
    def rounds_per_shoe(self) -> float:
        return self.rounds / self.shoes

    @property
    def cards_per_round(self) -> float:
        return int(self.counted.counts[k.DEALT]) / self.rounds

    # What was won

    @property
    def ev(self) -> float:
        return int(self.counted.sums[k.SUM_WON]) / (self.unit * self.wagers) + self.bonus_ev

    @property
    def se(self) -> float:
        """The standard error of the expectation, by shoes."""
        sums = (int(self.counted.sums[which]) for which in (k.SUM_WON, k.SUM_WON_2, k.SUM_WON_ROUNDS))
        return hypot(self._error(*sums), self.bonus_se)

    @property
    def bonus_ev(self) -> float:
        """What the Super Bonus adds."""
        if self.prize is None:
            return 0.0
        own, part = int(self.counted.counts[k.BONUSES]), int(self.counted.counts[k.SHARED])
        return (self.prize.own * own + self.prize.part * part) / self.wagers

    @property
    def bonus_se(self) -> float:
        """Super Bonuses are rare and come one by one: their number varies as much as it is large.

        Where none came up it is taken for one, for that it cannot come was not seen.
        """
        if self.prize is None:
            return 0.0
        each = self.prize.own + self.prize.part * (self.boxes - 1)
        return each * sqrt(max(int(self.counted.counts[k.BONUSES]), 1)) / self.wagers

    def _error(self, won: int, squared: int, by_rounds: int) -> float:
        """The error by shoes of something won, from its sums."""
        shoes, mean = self.shoes, Fraction(won, self.rounds)
        squares = squared - 2 * mean * by_rounds + mean * mean * int(self.counted.sums[k.SUM_ROUNDS_2])
        spread = float(squares) * shoes / (shoes - 1) if shoes > 1 else float("inf")
        return sqrt(max(spread, 0.0)) / (self.unit * self.wagers)

    @property
    def interval(self) -> tuple[float, float]:
        return self.ev - SIGMAS * self.se, self.ev + SIGMAS * self.se

    @property
    def deviation(self) -> float:
        """Of what one box wins in a round."""
        won = np.arange(self.counted.results.size) - self.counted.results.size // 2
        count = int(self.counted.results.sum())
        mean = int((self.counted.results * won).sum()) / count
        return sqrt(int((self.counted.results * won * won).sum()) / count - mean * mean) / self.unit

    @property
    def round_deviation(self) -> float:
        """Of what all boxes win in a round together."""
        mean = int(self.counted.sums[k.SUM_WON]) / self.rounds
        return sqrt(int(self.counted.sums[k.ROUND_WON_2]) / self.rounds - mean * mean) / self.unit

    @property
    def at_risk(self) -> float:
        """What is staked in all on a box that wagers one."""
        return int(self.counted.counts[k.STAKED]) / self.wagers

    @property
    def edge_at_risk(self) -> float:
        """The house's edge on all that is staked."""
        return -self.ev / self.at_risk

    def hold(self, buy_in: float = BUY_IN, rounds: int = VISIT) -> float:
        """The share of a buy-in that the house keeps, of a player on one box who stays so long or is ruined.

        A casino's hold is a share of the chips sold: it hangs on how many are bought and how long is played.
        """
        return Walk(self.ev, self.deviation).hold(buy_in, rounds)

    def side_bets(self) -> dict[str, SideFound]:
        """What every side bet is worth, and how often it ends how."""
        found = {}
        for number, side in enumerate(self.sides):
            sums = self.counted.side_sums[k.SIDE_SUMS * number :]
            won = [int(sums[which]) for which in (k.SIDE_WON, k.SIDE_WON_2, k.SIDE_WON_ROUNDS)]
            shares = self.counted.ends[side.first : side.first + len(side.ends)] / self.wagers
            found[side.name] = SideFound(
                ev=won[0] / (self.unit * self.wagers),
                se=self._error(*won),
                ends=dict(zip(side.ends, shares.tolist(), strict=True)),
            )
        return found

    @property
    def beyond(self) -> float:
        """The share of rounds at the outermost counts, for which all beyond them are taken."""
        table = self.counted.by_count.reshape(k.COUNT_ROWS, -1)
        return int(table[0].sum() + table[-1].sum()) / self.rounds

    def by_count(self) -> tuple[AtCount, ...]:
        """The rounds at each count, the lowest and the highest with all beyond them."""
        found = []
        if not self.counted.by_count.size:
            return ()
        table = self.counted.by_count.reshape(k.COUNT_ROWS, -1)
        won_each = np.arange(table.shape[1]) - table.shape[1] // 2
        sums = table.sum(axis=1), table @ won_each, table @ won_each**2
        for place, (rounds, won, squared) in enumerate(zip(*(one.tolist() for one in sums), strict=True)):
            if rounds:
                mean = won / rounds
                deviation = sqrt(max(squared / rounds - mean * mean, 0.0)) / self.unit
                found.append(
                    AtCount(
                        count=place - k.MOST_COUNT,
                        share=rounds / self.rounds,
                        ev=mean / (self.unit * self.boxes),
                        se=deviation / sqrt(rounds) / self.boxes,
                        deviation=deviation,
                    )
                )
        return tuple(found)

    def distribution(self) -> dict[Fraction, float]:
        """How often a box wins or loses how much."""
        count, middle = int(self.counted.results.sum()), self.counted.results.size // 2
        return {
            Fraction(int(place) - middle, self.unit): int(self.counted.results[place]) / count
            for place in np.nonzero(self.counted.results)[0]
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
        found = {name: int(self.counted.counts[which]) / self.wagers for name, which in by_box.items()}
        found["dealer_natural"] = int(self.counted.counts[k.DEALER_NATURALS]) / self.rounds
        found["dealer_bust"] = int(self.counted.counts[k.DEALER_BUSTS]) / self.rounds
        return found
