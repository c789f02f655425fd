"""By which provisions hands end, how often in a round, and what part of the return that is.

An ending is named by the provision or ground for which the table settles a hand, so that its clause can be
told: what pays a winner (`win_pays`, `natural_pays`, a row of `bonus_rows`), `stand_off`, `dealer_higher`,
`player_busts`, and so on. All that a dealer's natural takes or gives back, beyond what was lost before it, is
`dealer_natural`. A round in which a pair is split has several hands, so that numbers of hands are means and
not chances; what the endings bring sums to the expectation of the round.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from msgspec import Struct

from croupier.errors import ParseError
from croupier.exact.arithmetic import FLOATS
from croupier.exact.ended import BESIDE_NATURAL, Ended, Over, at_once_over, played_out, split_hands, splits
from croupier.exact.hands import TWENTY_ONE, Array
from croupier.exact.kernels import Pay
from croupier.exact.solver import Solver
from croupier.exact.split_kernels import BUSTED, FORFEITED, NATURAL, STOOD

CLOSE = 1e-12
STAND_OFF, HIGHER, MET, BUSTS, FORFEIT, SURRENDER, PAYS_NATURAL = range(7)
GROUNDS = (
    "stand_off",
    "dealer_higher",
    "dealer_natural",
    "player_busts",
    "forfeit",
    "surrender_share",
    "natural_pays",
)
GIVEN_UP = "given up"


class Ending(Struct, frozen=True):
    """Hands that end by a provision, with the original wager (`stake` 1) or a doubled one (2).

    `hands` end so in a round, on average; they bring that much of the initial wager, all in all.
    """

    provision: str
    stake: int
    hands: Any
    brings: Any


class Endings(Struct, frozen=True):
    """How the hands of a round end. `totals` are those that they end with, in hands a round."""

    ends: tuple[Ending, ...]
    totals: dict[str, Any]
    ev: Any
    hands: Any

    @property
    def staked(self) -> Any:
        """The mean of all that is wagered in a round, splits and doubles included."""
        return sum(end.stake * end.hands for end in self.ends)

    @property
    def doubled(self) -> Any:
        """Hands doubled in a round."""
        return sum(end.hands for end in self.ends if end.stake == 2)

    def of(self, provision: str) -> Any:
        """Hands that end by a provision."""
        return sum(end.hands for end in self.ends if end.provision == provision)


def endings(solver: Solver) -> Endings:
    """How hands end under the play of a solver."""
    if solver.post_split == "cdp":
        raise ParseError("cdp plays each hand of a split by itself: there is no round to tell the ends of")
    counted, more_hands = _Counted(solver), solver.kind.of(0)
    for upcard in solver.upcards:
        shown = solver.chance(upcard)
        for over in at_once_over(solver, upcard):
            counted.add_over(over._replace(chance=over.chance * shown))
        for ended in played_out(solver, upcard):
            counted.add(ended._replace(chance=ended.chance * shown), solver.pay)
    for split in splits(solver):
        for ended in split_hands(solver, split):
            counted.add(ended, solver.split_pay)
        counted.add_met(split.chance * solver.jointly(split.upcard, split.pair))
        cards = solver.second_cards(split.upcard, split.pair)
        more_hands += split.chance * sum(made.chance(cards) * (len(made.hands) - 1) for made in split.made)
    found = counted.endings()
    _check(solver, found, more_hands)
    return found


def _check(solver: Solver, found: Endings, more_hands: Any) -> None:
    """What hands bring must sum to what a round is worth, and hands to as many as are made."""
    within = CLOSE if solver.kind is FLOATS else 0
    if abs(found.ev - solver.ev) > within * max(1, abs(solver.ev)):
        raise AssertionError(f"endings bring {found.ev} where {solver.ev} is due")
    if abs(found.hands - 1 - more_hands) > within * (1 + more_hands):
        raise AssertionError(f"{found.hands} hands end where {1 + more_hands} are made")


class _Counted:
    """Hands and what they bring, by stake and number of the provision."""

    def __init__(self, solver: Solver) -> None:
        self.law = solver.law
        self.names = [*GROUNDS, *solver.paid_rows.names]
        self.many = np.full((2, len(self.names)), solver.kind.of(0), solver.kind.dtype)
        self.brings = self.many.copy()
        self.totals: Counter[str] = Counter()

    def add_over(self, over: Over) -> None:
        place = 0, self.names.index(over.ending)
        self.many[place] += over.chance.sum()
        self.brings[place] += over.chance.sum() * over.brings
        natural = over.ending in ("natural_pays", "stand_off")
        self.totals["natural" if natural else GIVEN_UP] += over.chance.sum()

    def add_met(self, brings: Any) -> None:
        """What a dealer's natural takes or gives back, beside what hands lose to it one by one."""
        self.brings[0, MET] += brings

    def add(self, ended: Ended, pay: Pay) -> None:
        brings, fate, stake = ended.brought(self.law, pay), ended.fate, ended.stake - 1
        over = (fate == BUSTED) | (fate == FORFEITED)
        # Beside a natural what was lost before may come back in part: that is the natural's matter.
        back = (brings[over, BESIDE_NATURAL] - brings[over, -1]) * ended.chance[over, BESIDE_NATURAL]
        self.add_met(back.sum())
        brings[over, BESIDE_NATURAL] = brings[over, -1]
        place = stake[:, None], self._endings(ended, brings)
        np.add.at(self.many, place, ended.chance)
        np.add.at(self.brings, place, ended.chance * brings)
        for one, total, chance in zip(fate.tolist(), ended.total.tolist(), ended.chance, strict=True):
            self.totals[_total(one, total)] += chance.sum()

    def _endings(self, ended: Ended, brings: Array) -> Array:
        """The number of the ending by hand and by the dealer's."""
        fate, paid = ended.fate, len(GROUNDS) + ended.row
        paid = np.where(fate == NATURAL, PAYS_NATURAL, paid)[:, None]
        found = np.where(brings > 0, paid, np.where(brings == 0, STAND_OFF, HIGHER))
        found[fate == STOOD, BESIDE_NATURAL] = MET
        found[fate == BUSTED], found[fate == FORFEITED] = BUSTS, FORFEIT
        return found

    def endings(self) -> Endings:
        ends = tuple(
            Ending(name, stake + 1, self.many[stake, number], self.brings[stake, number])
            for number, name in enumerate(self.names)
            for stake in range(2)
            if self.many[stake, number] or self.brings[stake, number]
        )
        totals = {name: self.totals[name] for name in sorted(self.totals, key=_order)}
        return Endings(ends, totals, self.brings.sum(), self.many.sum())


def _total(fate: int, total: int) -> str:
    return {BUSTED: "bust", FORFEITED: GIVEN_UP, NATURAL: "natural"}.get(fate, str(total))


def _order(total: str) -> int:
    """Naturals, then totals from the highest, then hands that lost whatever the dealer had."""
    apart = {"natural": -TWENTY_ONE - 1, "bust": 1, GIVEN_UP: 2}
    return apart[total] if total in apart else -int(total)
