"""What a laboratory's sheet has of a game: what every ending of a hand returns, and what follows from it."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from croupier.exact.endings import Ending
from croupier.exact.game import DOUBLED, paying
from croupier.exact.solution import Solution
from croupier.rulebook import GROUNDS, Rules
from croupier.rulebook.study import Study
from croupier.rulebook.text import Clause
from croupier.rulebook.words import name_of
from croupier.simulate.ruin import Walk
from croupier.simulate.statistics import BUY_IN, VISIT
from croupier.story import capital


class Paid(Struct, frozen=True):
    """Hands that end by a provision: its words and clauses, at which odds, how many, what they bring."""

    provision: str
    name: str
    stake: int
    pays: Fraction | None
    hands: float
    brings: float
    clauses: tuple[Clause, ...]


class Visit(Struct, frozen=True):
    """A player who buys chips for so many wagers and stays for so many rounds, unless they are lost."""

    wagers: int
    rounds: int


class Par(Struct, frozen=True):
    """Of a round under the best play, in units of the initial wager; endings that pay come first.

    `hands` and `doubled` are hands a round, `staked` all that is wagered, `totals` the final ones in hands a
    round. `hold` is what the house keeps of the chips that such a visitor buys.
    """

    endings: tuple[Paid, ...]
    totals: dict[str, float]
    rtp: float
    hands: float
    doubled: float
    staked: float
    element_of_risk: float
    visit: Visit
    hold: float

    def of(self, provision: str) -> float:
        """Hands a round that end by a provision."""
        return sum(end.hands for end in self.endings if end.provision == provision)


def par(studied: Study, solution: Solution) -> Par:
    found, visit = solution.endings, Visit(BUY_IN, VISIT)
    return Par(
        endings=tuple(sorted((_paid(studied, end) for end in found.ends), key=lambda end: end.pays is None)),
        totals={total: float(hands) for total, hands in found.totals.items()},
        rtp=1 + float(found.ev),
        hands=float(found.hands),
        doubled=float(found.doubled),
        staked=float(found.staked),
        element_of_risk=-float(found.ev) / float(found.staked),
        visit=visit,
        hold=Walk(float(found.ev), solution.spread.deviation).hold(visit.wagers, visit.rounds),
    )


def _paid(studied: Study, end: Ending) -> Paid:
    grounds = ("equal", end.provision) if end.provision == "stand_off" else (end.provision,)
    return Paid(
        provision=end.provision,
        name=capital(GROUNDS.get(end.provision) or name_of(end.provision)),
        stake=end.stake,
        pays=_odds(studied.rules).get(end.provision),
        hands=float(end.hands),
        brings=float(end.brings),
        clauses=studied.book.cite(*grounds),
    )


def _odds(rules: Rules) -> dict[str, Fraction | None]:
    """What every provision pays that pays winners."""
    by_cards = paying(tuple(rules.bonus_rows.items()), rules.win_pays)
    return {**by_cards, "natural_pays": rules.natural_pays, DOUBLED: rules.doubled_wins_pay}
