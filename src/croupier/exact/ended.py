"""How hands end in a round under the play of a solver, and how often.

A hand that is not split ends at once, by a natural or a surrender, or is played out. Of the hands of a split
each is looked at by itself here, whatever becomes of the others; what a dealer's natural takes from them
together is another matter (`Solver.jointly`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from croupier.exact.ends import brought
from croupier.exact.game import Paid, suited_pairs
from croupier.exact.hands import TWENTY_ONE, Array, counts_of
from croupier.exact.kernels import Law, Pay
from croupier.exact.kinds import Kinds
from croupier.exact.made import FREE, OTHER, PAIRED, Made, SplitType, made_by, made_by_suits
from croupier.exact.solver import Solver
from croupier.exact.split_kernels import BUSTED, FORFEITED, PAID, STOOD
from croupier.exact.twos import Cards, by_way
from croupier.exact.visited import visited

BESIDE_NATURAL = -2  # the column of a dealer's natural


class Over(NamedTuple):
    """A hand of two cards that is over: by which provision, what it brings, and how often."""

    ending: str
    brings: Any
    chance: Array  # by the dealer's hand


class Ended(NamedTuple):
    """Hands that were played out. `row`, a number of `Solver.paid_rows`, pays one that wins."""

    fate: Array
    stake: Array
    total: Array
    odds: Array
    row: Array
    chance: Array  # [hand, dealer's hand]

    def brought(self, law: Law, pay: Pay) -> Array:
        """What they bring, by the dealer's hand."""
        return brought(law, pay, self.fate, self.stake, self.total, self.odds)


# Hands that are not split, given the dealer's first card


def at_once_over(solver: Solver, upcard: int) -> Iterator[Over]:
    """Naturals and surrendered hands."""
    rules, opening, rows = solver.rules, solver.opening(upcard), solver.unsplit(upcard).rows
    open_to, given_up = solver.surrender_chance(upcard), opening.plan.surrenders
    for hand, kind, natural, dealt in zip(
        opening.hand, opening.variant, opening.natural, opening.chance, strict=True
    ):
        chance = dealt * rows[hand]
        if natural:
            early = solver.natural_is_paid_early(upcard)
            yield from _over("natural_pays", rules.natural_pays, chance, None if early else ("stand_off", 0))
        elif given_up[hand, kind]:
            annulled = ("dealer_natural", -1) if rules.surrender_annulled else None
            yield from _over("surrender_share", -rules.surrender_share, chance * open_to, annulled)


def _over(ending: str, brings: Any, chance: Array, beside_natural: tuple[str, Any] | None) -> Iterator[Over]:
    """A hand that is over in one way, and in another where the dealer has a natural."""
    if beside_natural is None:
        yield Over(ending, brings, chance)
        return
    met = np.zeros_like(chance)
    met[BESIDE_NATURAL] = chance[BESIDE_NATURAL]
    yield Over(ending, brings, chance - met)
    yield Over(*beside_natural, met)


def played_out(solver: Solver, upcard: int) -> Iterator[Ended]:
    """All other hands."""
    hands, law, pay, kind = solver.hands, solver.law, solver.pay, solver.kind
    plan, rows = solver.opening(upcard).plan, solver.unsplit(upcard).rows
    found = visited(solver, upcard, plan)
    at, twice, lost = found.played, found.doubled, found.busted
    moving = (law.may_hit[:, None] & plan.hits) | (law.may_double[:, None] & plan.doubles)
    standing = np.where(moving, kind.of(0), at).sum(axis=1)
    for stake, suited, paid, weight in _suited(solver, upcard, at):
        (standing if stake == 1 else twice)[suited] = 0
        fate, odds = PAID if pay.paid_at_once else STOOD, kind.array([paid.odds])
        by = np.full(1, solver.paid_rows.names.index(paid.row))
        yield _ended(fate, stake, np.full(1, TWENTY_ONE), odds, by, weight * rows[[suited]])
    hand = np.nonzero(standing > 0)[0]
    fates = np.where(pay.paid_at_once & (hands.total[hand] == TWENTY_ONE), PAID, STOOD)
    by, chance = solver.paid_rows.single[hand], standing[hand, None] * rows[hand]
    yield _ended(fates, 1, hands.total[hand], pay.odds[hand], by, chance)
    hand, soft = np.nonzero(twice > 0)
    total = hands.hard[hand] + 10 * soft
    paid_now, forfeited = pay.paid_at_once & (total == TWENTY_ONE), pay.forfeit & plan.forfeits[hand, soft]
    fates = np.where(paid_now, PAID, np.where(forfeited, FORFEITED, STOOD))
    by, chance = solver.paid_rows.doubled[hand, soft], twice[hand, soft, None] * rows[hand]
    yield _ended(fates, 2, total, pay.double_odds[hand, soft], by, chance)
    none = np.zeros(1, np.int64)
    for stake in (1, 2):
        # How often a natural meets a busted hand is known; the dealer's other hands are as ever.
        whole, met = lost[stake - 1]
        dealer = rows[0] * (whole - met) / (kind.of(1) - rows[0, BESIDE_NATURAL])
        dealer[BESIDE_NATURAL] = met
        yield _ended(BUSTED, stake, none, np.ones(1, kind.dtype), none, dealer[None, :])


def _ended(fate: Any, stake: int, total: Array, odds: Array, row: Array, chance: Array) -> Ended:
    fates, stakes = np.broadcast_to(fate, len(total)), np.full(len(total), stake)
    return Ended(fates, stakes, total, odds, row, chance)


def _suited(solver: Solver, upcard: int, at: Array) -> Iterator[tuple[int, int, Paid, Any]]:
    """Three cards that suits pay for: the stake, the hand, how it is paid, and how often."""
    rules, hands, law, draw = solver.rules, solver.hands, solver.law, solver.draw(upcard)
    prize, plan = solver.prize_against(upcard), solver.opening(upcard).plan
    rows = tuple(rules.bonus_rows.items())
    pairs = suited_pairs(rows, solver.shoe.pool, solver.shoe.endless, rules.win_pays, prize)
    for (first, second), suits in pairs.items():
        hand = solver.number.get(counts_of([first, second]))
        if hand is None:
            continue
        doubles = law.may_double[hand] & plan.doubles[hand]
        stakes = np.where(doubles, 2 * solver.pay.doubled_suits, law.may_hit[hand] & plan.hits[hand])
        for third, by_kind in suits.paid.items():
            left = draw.left[third] - hands.counts[hand, third] * draw.step
            for kind in np.nonzero((stakes > 0) & (at[hand] > 0) & (left > 0))[0].tolist():
                weight = at[hand, kind] * left / (draw.size - 2 * draw.step)
                for paid, part in by_kind[kind].items():
                    grown = int(hands.after[hand, third])
                    yield int(stakes[kind]), grown, paid, weight * solver.kind.of(part)


# Split hands


class Split(NamedTuple):
    """A pair that is split against a first card: its chance in a round, and the hands that it comes to."""

    upcard: int
    pair: int
    chance: Any
    made: list[Made]


def splits(solver: Solver) -> Iterator[Split]:
    """The pairs that are split: not where they are surrendered first."""
    for upcard in solver.upcards:
        opening = solver.opening(upcard)
        plan, open_to = opening.plan, solver.surrender_chance(upcard)
        kinds: dict[int, dict[int, Any]] = defaultdict(dict)
        for hand, kind, dealt in zip(opening.hand, opening.variant, opening.chance, strict=True):
            kept = 1 - open_to if plan.surrenders[hand, kind] else 1
            if plan.splits[hand, kind] and dealt > 0 and kept > 0:
                pair = int(solver.hands.counts[hand].argmax())
                kinds[pair][int(kind)] = solver.chance(upcard) * dealt * kept
        for pair, chances in kinds.items():
            yield Split(upcard, pair, sum(chances.values()), _made(solver, upcard, pair, chances))


def _made(solver: Solver, upcard: int, pair: int, kinds: dict[int, Any]) -> list[Made]:
    """The hands that a split comes to, by suits where these decide which pairs are split again."""
    hand, opening = solver.number[counts_of([pair, pair])], solver.opening(upcard)
    dealt = opening.variant[(opening.hand == hand) & (opening.chance > 0)]
    all_alike = opening.plan.splits[hand, dealt].all() and solver.prize_against(upcard) is None
    if all_alike or not solver.kinds_matter(pair, dealt):
        return list(made_by(solver.growth(upcard, pair)))
    whole, again = sum(kinds.values()), tuple(opening.plan.splits[hand].tolist())
    return [
        made._replace(weight=made.weight * chance / whole)
        for kind, chance in kinds.items()
        for made in made_by_suits(solver.suited_split(upcard, pair), kind, again)
    ]


def split_hands(solver: Solver, split: Split) -> Iterator[Ended]:
    """The hands of a split, each as it ends by itself, with their chances in a round."""
    upcard, pair = split.upcard, split.pair
    ends, prize = solver.ends_of_split(upcard, pair, every_total=True), solver.prize_against(upcard)
    cards, ways = Cards(solver, upcard, pair, ends.keys), ends.ways
    kinds = {
        barred: Kinds(solver, pair, ways, None if barred else prize)
        for barred in {one.barred for one in split.made}
    }
    paired = np.array([way.paired for way in ways])
    alone: dict[tuple[int, int], Array] = {}
    for made in split.made:
        others = [hand.second for hand in made.hands].count(OTHER)
        for hand, many in Counter(made.hands).items():
            beside = made.gone - (hand.second == PAIRED), others - (hand.second == OTHER)
            if beside not in alone:
                alone[beside] = by_way(ends, cards, *beside)
            chance = alone[beside] * (split.chance * made.weight * many)
            chance[_closed(hand, paired)] = 0
            yield _by_outcome(solver, kinds[made.barred], made, hand, chance)


def _closed(hand: SplitType, paired: Array) -> Array:
    """The ways in which a hand of this type cannot end."""
    return np.zeros_like(paired) if hand.second == FREE else paired != (hand.second == PAIRED)


def _by_outcome(solver: Solver, kinds: Kinds, made: Made, hand: SplitType, chance: Array) -> Ended:
    """Chances by way, as hands that end with what is seen of their suits."""
    outcomes, names = kinds.outcomes, solver.paid_rows.names
    way = [kinds.ways[one.way] for one in outcomes]
    fate, stake, total = (np.array([one[field] for one in way]) for field in range(3))
    seen = kinds.together(hand.suits, (), made.suits)[[one.seen for one in outcomes], 0]
    return Ended(
        fate=fate,
        stake=stake,
        total=total,
        odds=solver.kind.array([one.odds for one in outcomes]),
        row=np.array([names.index(one.row) for one in outcomes]),
        chance=chance[[one.way for one in outcomes]] * seen[:, None],
    )
