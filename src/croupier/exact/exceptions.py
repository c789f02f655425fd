"""A chart beside the best play by composition: on which hands they differ, and what each is worth.

Let V be what a hand is worth under the best play, and Q(hand, action) what it is worth to take an action once
and play best from there. Whoever plays by the chart comes to a hand with some chance and loses there
V - Q(hand, the chart's action): nothing where both do the same. What is lost later is counted at the later
hand. So

    ev(best) - ev(chart) = sum over hands of  chance under the chart x (V - Q(hand, the chart's action))
                         + sum over pairs that the chart splits of  chance x (split under best - under chart)

exactly. The second sum is of hands after a split, which have no V of their own: both plays take them as they
take unsplit hands with the same cards, whether or not that is best there, and so a part of it may be less
than nothing. A doubled hand that may be forfeited is a hand like any other, kept (K) or forfeited (F).

Hands to which only the best play comes, by an exception before them, have no chance under the chart; what
they are worth is in that exception.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from croupier.exact import kernels
from croupier.exact.arithmetic import FLOATS
from croupier.exact.chart import LETTERS, done, row_of, worths
from croupier.exact.hands import TWENTY_ONE, VALUES, Array
from croupier.exact.kernels import NEVER
from croupier.exact.solution import Solution
from croupier.exact.solver import SPLIT
from croupier.exact.strategy import SUITS, action_texts, hand_name
from croupier.exact.visited import visited

TIED = 1e-13  # floats that are no further apart are taken to be equal
KEPT, FORFEITED = "K", "F"


class Otherwise(Struct, frozen=True):
    """A hand that the best play plays otherwise than a chart.

    `row` is that of the chart; of a doubled hand that may be forfeited it is `dh16` or `ds18`. `hand` and
    `suits` are written as in a file of play. `gain` is what the best action brings above the chart's when the
    hand comes up, in units of the wager, and `chance` how often it does in a round that is played by the
    chart: never where only another exception leads to it.
    """

    upcard: str
    row: str
    hand: str
    suits: str
    says: str
    best: str
    gain: Any
    chance: Any

    @property
    def worth(self) -> Any:
        """What it brings in a round."""
        return self.gain * self.chance


class CellCost(Struct, frozen=True):
    """The hands of one cell on which a chart takes one action and the best play another, taken together."""

    upcard: str
    row: str
    says: str
    best: str
    hands: int
    gain: Any
    chance: Any

    @property
    def worth(self) -> Any:
        return self.gain * self.chance


class SplitRest(Struct, frozen=True):
    """A pair that a chart splits: how much better its hands are played by the best play, and how often."""

    upcard: str
    row: str
    gain: Any
    chance: Any

    @property
    def worth(self) -> Any:
        return self.gain * self.chance


class Compared(Struct, frozen=True):
    """A chart beside the best play. What `hands` and `splits` are worth is `difference`, but for rounding."""

    ev: Any
    best_ev: Any
    hands: tuple[Otherwise, ...]
    splits: tuple[SplitRest, ...]

    @property
    def difference(self) -> Any:
        return self.best_ev - self.ev

    @property
    def of_hands(self) -> Any:
        return sum((one.worth for one in self.hands), start=self.ev - self.ev)

    @property
    def of_splits(self) -> Any:
        return sum((one.worth for one in self.splits), start=self.ev - self.ev)

    def cells(self) -> list[CellCost]:
        """What the cells of the chart cost, the dearest first; those that cost nothing are left out."""
        cells: dict[tuple[str, str, str, str], list[Otherwise]] = defaultdict(list)
        for one in self.hands:
            if one.chance > 0:
                cells[one.upcard, one.row, one.says, one.best].append(one)
        found = []
        for key, held in cells.items():
            chance = sum(one.chance for one in held)
            found.append(CellCost(*key, len(held), sum(one.worth for one in held) / chance, chance))
        return sorted(found, key=lambda cell: -cell.worth)


def compared(chart: Solution) -> Compared:
    """The play of a solution beside the best play of the same game."""
    best = chart.best
    hands: list[Otherwise] = []
    splits: list[SplitRest] = []
    for upcard in chart.solver.upcards:
        one = _Upcard(chart, best, upcard)
        hands += [*one.hands(), *one.forfeits()]
        splits += one.splits()
    found = [one for held in by_cell(hands) for one in held]
    return Compared(chart.ev, best.ev, tuple(found), tuple(splits))


def by_cell(hands: Iterable[Otherwise]) -> list[list[Otherwise]]:
    """The hands, those of one cell together, what is worth most first."""
    cells: dict[tuple[str, str], list[Otherwise]] = defaultdict(list)
    for one in sorted(hands, key=lambda one: (-one.worth, -one.gain)):
        cells[one.row, one.upcard].append(one)
    return sorted(cells.values(), key=lambda held: -sum(one.worth for one in held))


class _Upcard:
    """Both plays against one first card."""

    def __init__(self, chart: Solution, best: Solution, upcard: int) -> None:
        self.chart, self.best, self.upcard = chart.solver, best.solver, upcard
        self.solution = best
        self.plan, self.best_plan = (solver.opening(upcard).plan for solver in (self.chart, self.best))
        self.visits = visited(self.chart, upcard, self.plan)
        self.often = self.chart.chance(upcard)
        self.worths = worths(self.best, upcard)
        self.open = self.best.surrender_chance(upcard)
        # A chart that was written by somebody is asked only of hands to which it leads.
        self.is_whole = chart.post_split in ("total", "cards")

    # Hands

    def hands(self) -> Iterator[Otherwise]:
        at = self._differing()
        says = action_texts(self.best, self.plan, *at)
        does = action_texts(self.best, self.best_plan, *at)
        for hand, variant, said, best in zip(*(part.tolist() for part in at), says, does, strict=True):
            allowed = "".join(np.array(list(LETTERS))[self.worths[hand, variant] > NEVER])
            said, best = (done(one, allowed, always_open=self.open == 1) for one in (said, best))
            gain = self._worth(hand, variant, best) - self._worth(hand, variant, said)
            if said != best and not (self.best.kind is FLOATS and abs(gain) < TIED):
                yield self._otherwise(hand, variant, said, best, gain)

    def _differing(self) -> tuple[Array, Array]:
        """Where the plans differ, among the hands that come up."""
        differs = np.zeros(self.plan.hits.shape, np.bool_)
        for name in ("hits", "doubles", "splits", "surrenders"):
            differs |= getattr(self.plan, name) != getattr(self.best_plan, name)
        there = self.visits.decided > 0
        if self.is_whole:
            there |= visited(self.best, self.upcard, self.best_plan).decided > 0
        hand, variant = np.nonzero(differs & there & self.best.law.may_hit[:, None])
        return hand, variant

    def _otherwise(self, hand: int, variant: int, says: str, best: str, gain: Any) -> Otherwise:
        return Otherwise(
            upcard=VALUES[self.upcard],
            row=row_of(self.best, hand),
            hand=hand_name(self.best, hand, variant),
            suits=SUITS[variant] if self.best.law.suited[hand] >= 0 else "-",
            says=says,
            best=best,
            gain=gain,
            chance=self.often * self.visits.decided[hand, variant],
        )

    def _worth(self, hand: int, variant: int, action: str) -> Any:
        """What an action is worth if best play follows; surrender with what is done where it is closed."""
        letter, *rest = action.split("/")
        if letter == "P":
            return self._split(hand, variant)
        worth = self.worths[hand, variant, LETTERS.index(letter)]
        if not rest:
            return worth
        return self.open * worth + (1 - self.open) * self._worth(hand, variant, rest[0])

    def _split(self, hand: int, variant: int) -> Any:
        """What splitting is worth under the best play, which itself may not split."""
        worth = self.worths[hand, variant]
        if self.best_plan.splits[hand, variant]:
            return worth[SPLIT]
        pair = int(self.best.hands.counts[hand].argmax())
        others = {letter: worth[at] for at, letter in enumerate(LETTERS) if letter != "P"}
        return self.solution.split_worth(self.upcard, pair, hand, variant, others)

    # Doubled hands, and those of splits

    def forfeits(self) -> Iterator[Otherwise]:
        """Doubled hands that only one of both plays forfeits."""
        solver, hands = self.best, self.best.hands
        if not solver.pay.forfeit:
            return
        doubled = self._kept_doubles()
        differs = (doubled > 0) & (self.plan.forfeits != self.best_plan.forfeits)
        rows, pay, results = solver.unsplit(self.upcard).rows, solver.pay, solver.law.results
        for hand, soft in np.argwhere(differs).tolist():
            total = int(hands.hard[hand]) + 10 * soft
            if pay.paid_at_once and total == TWENTY_ONE:
                continue
            natural = rows[hand, results.shape[1] - 2]
            least = pay.natural_forfeited * natural - (1 - natural)
            odds, takes = pay.double_odds[hand, soft], pay.natural_takes[1]
            kept = kernels.settled(rows, hand, results, total, 2, odds, takes)  # type: ignore[no-untyped-call]
            says, best = (KEPT, FORFEITED) if self.best_plan.forfeits[hand, soft] else (FORFEITED, KEPT)
            yield Otherwise(
                upcard=VALUES[self.upcard],
                row=f"d{'s' if soft else 'h'}{total}",
                hand=self._doubled_name(hand, soft=bool(soft)),
                suits="-",
                says=says,
                best=best,
                gain=(least - kept) * (1 if best == FORFEITED else -1),
                chance=self.often * doubled[hand, soft],
            )

    def _doubled_name(self, hand: int, *, soft: bool) -> str:
        """As in a file of play, where an ace that counts 1 for good is `a`."""
        name = hand_name(self.best, hand, 0)
        return name.replace("A", "a") if self.best.hands.soft[hand] and not soft else name

    def _kept_doubles(self) -> Array:
        """How often a double ends in a hand that may be forfeited: those paid for their suits are none."""
        law, doubled = self.best.law, self.visits.doubled.copy()
        if not self.best.pay.doubled_suits:
            return doubled
        draw, hands = self.best.draw(self.upcard), self.best.hands
        twice = self.plan.doubles & law.may_double[:, None] & (law.suited >= 0)[:, None]
        for hand, variant in np.argwhere(twice & (self.visits.played > 0)).tolist():
            for value in np.nonzero(law.suited_odds[law.suited[hand], :, variant] >= 0)[0].tolist():
                left = draw.left[value] - hands.counts[hand, value] * draw.step
                cards = draw.size - hands.size[hand] * draw.step
                soft = int(law.doubled_high[hand, value, variant])
                doubled[hands.after[hand, value], soft] -= (
                    self.visits.played[hand, variant] * max(0, left) / cards
                )
        return doubled

    def splits(self) -> Iterator[SplitRest]:
        """The pairs that the chart splits, all kinds of one together."""
        opening = self.chart.opening(self.upcard)
        under_chart = dict(
            zip(zip(opening.hand.tolist(), opening.variant.tolist(), strict=True), opening.worth, strict=True)
        )
        found: dict[int, list[tuple[Any, Any]]] = defaultdict(list)
        for hand, variant in np.argwhere(self.visits.split > 0).tolist():
            gain = self._split(hand, variant) - under_chart[hand, variant][SPLIT]
            found[hand].append((self.visits.split[hand, variant], gain))
        for hand, held in found.items():
            chance = sum(weight for weight, _ in held)
            gain = sum(weight * gain for weight, gain in held) / chance
            yield SplitRest(VALUES[self.upcard], row_of(self.best, hand), gain, self.often * chance)
