"""How hands end in a round under the play of a solver, and how often.

A hand that is not split ends at once, by a natural or a surrender, or is played out. Of the hands of a split
each is looked at by itself here, whatever becomes of the others; what a dealer's natural takes from them
together is another matter (`Solver.jointly`).
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from croupier.exact.ends import Ends, brought
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
    hand: int
    weight: Array  # how often the hand is dealt, or 0 where another hand of the dealer's ends it otherwise
    chance: Array  # by the dealer's hand


class Reached(NamedTuple):
    """Hands that a plan ends with, before the dealer draws. `row`, one of `Solver.paid_rows`, pays a winner.

    Hands over 21 are told by those not over it: as a hand that draws, less all that it may become.
    """

    fate: Array
    stake: Array
    total: Array
    odds: Array
    row: Array
    hand: Array
    weight: Array


class Ended(NamedTuple):
    """Hands that were played out, and paid as `Reached` is."""

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


def at_once_over(solver: Solver, upcard: int, *, open_to: Any = None) -> Iterator[Over]:
    """Naturals and surrendered hands."""
    rules, opening, rows = solver.rules, solver.opening(upcard), solver.unsplit(upcard).rows
    given_up = opening.plan.surrenders
    open_to = solver.surrender_chance(upcard) if open_to is None else open_to
    for hand, kind, natural, dealt in zip(
        opening.hand, opening.variant, opening.natural, opening.chance, strict=True
    ):
        if natural:
            paid = "natural_pays", rules.natural_pays
            beside_natural = paid if solver.natural_is_paid_early(upcard) else ("stand_off", 0)
            yield from _over(hand, dealt, rows[hand], paid, beside_natural)
        elif given_up[hand, kind]:
            share = "surrender_share", -rules.surrender_share
            beside_natural = ("dealer_natural", -1) if rules.surrender_annulled else share
            yield from _over(hand, dealt * open_to, rows[hand], share, beside_natural)


def _over(
    hand: int, dealt: Any, dealer: Array, usual: tuple[str, Any], beside_natural: tuple[str, Any]
) -> Iterator[Over]:
    """A hand that is over in one way, and maybe in another where the dealer has a natural."""
    for way in dict.fromkeys((usual, beside_natural)):
        weight = np.full(len(dealer), dealt if way == usual else dealt - dealt, dealer.dtype)
        weight[BESIDE_NATURAL] = dealt if way == beside_natural else dealt - dealt
        yield Over(*way, hand, weight, weight * dealer)


def played_out(solver: Solver, upcard: int) -> Iterator[Ended]:
    """All other hands."""
    rows = solver.unsplit(upcard).rows
    for fate, stake, total, odds, row, hand, weight in reached(solver, upcard):
        yield Ended(fate, stake, total, odds, row, weight[:, None] * rows[hand])


def reached(solver: Solver, upcard: int, *, open_to: Any = None) -> Iterator[Reached]:
    """The same before the dealer draws."""
    hands, law, pay, kind = solver.hands, solver.law, solver.pay, solver.kind
    plan = solver.opening(upcard).plan
    found = visited(solver, upcard, plan, open_to=open_to)
    at, twice = found.played, found.doubled
    doubling = law.may_double[:, None] & plan.doubles
    hitting = law.may_hit[:, None] & plan.hits & ~doubling
    standing = np.where(hitting | doubling, kind.of(0), at).sum(axis=1)
    for stake, suited, paid, weight in _suited(solver, upcard, at):
        (standing if stake == 1 else twice)[suited] = 0
        fate, odds = PAID if pay.paid_at_once else STOOD, kind.array([paid.odds])
        by, total = np.full(1, solver.paid_rows.names.index(paid.row)), np.full(1, TWENTY_ONE)
        yield _reached(fate, stake, total, odds, by, np.full(1, suited), kind.array([weight]))
    hand = np.nonzero(standing > 0)[0]
    fates = np.where(pay.paid_at_once & (hands.total[hand] == TWENTY_ONE), PAID, STOOD)
    by = solver.paid_rows.single[hand]
    yield _reached(fates, 1, hands.total[hand], pay.odds[hand], by, hand, standing[hand])
    hand, soft = np.nonzero(twice > 0)
    total = hands.hard[hand] + 10 * soft
    paid_now, forfeited = pay.paid_at_once & (total == TWENTY_ONE), pay.forfeit & plan.forfeits[hand, soft]
    fates = np.where(paid_now, PAID, np.where(forfeited, FORFEITED, STOOD))
    by, odds = solver.paid_rows.doubled[hand, soft], pay.double_odds[hand, soft]
    yield _reached(fates, 2, total, odds, by, hand, twice[hand, soft])
    for stake, drawing in ((1, hitting), (2, doubling)):
        hand, weight = _over_21(solver, upcard, np.where(drawing, at, kind.of(0)).sum(axis=1))
        none = np.zeros(len(hand), np.int64)
        yield _reached(BUSTED, stake, none, np.ones(len(hand), kind.dtype), none, hand, weight)


def _over_21(solver: Solver, upcard: int, drawing: Array) -> tuple[Array, Array]:
    """Hands that draw so often, as those that are over 21 then."""
    hands, draw = solver.hands, solver.draw(upcard)
    left = np.maximum(draw.left - hands.counts * draw.step, solver.kind.of(0))
    over = hands.after < 0
    drawn = np.nonzero((drawing > 0) & (over & (left > 0)).any(axis=1))[0]
    weight = np.full(len(drawing), solver.kind.of(0), solver.kind.dtype)
    weight[drawn] = drawing[drawn]
    for value in range(10):
        grows = drawn[~over[drawn, value] & (left[drawn, value] > 0)]
        chance = left[grows, value] / (draw.size - hands.size[grows] * draw.step)
        np.subtract.at(weight, hands.after[grows, value], drawing[grows] * chance)
    hand = np.nonzero(weight)[0]
    return hand, weight[hand]


def _reached(
    fate: Any, stake: int, total: Array, odds: Array, row: Array, hand: Array, weight: Array
) -> Reached:
    fates, stakes = np.broadcast_to(fate, len(total)), np.full(len(total), stake)
    return Reached(fates, stakes, total, odds, row, hand, weight)


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


ByWay = Callable[[int, int], Array]  # beside so many cards gone and so many hidden


class Split(NamedTuple):
    """A pair that is split against a first card: its chance in a round, and the hands that it comes to."""

    upcard: int
    pair: int
    chance: Any
    made: list[Made]


def splits(solver: Solver) -> Iterator[Split]:
    """The pairs that are split: not where they are surrendered first."""
    for upcard in solver.upcards:
        yield from splits_against(solver, upcard, solver.surrender_chance(upcard))


def splits_against(solver: Solver, upcard: int, open_to: Any) -> Iterator[Split]:
    """Those against one first card, where surrender is open so often."""
    opening = solver.opening(upcard)
    plan = opening.plan
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


def ends_of(solver: Solver, split: Split) -> Ends:
    """How one of its hands may end."""
    return solver.ends_of_split(split.upcard, split.pair, every_total=True)


def split_hands(solver: Solver, split: Split, found: ByWay | None = None) -> Iterator[Ended]:
    """The hands of a split, each as it ends by itself, with their chances in a round.

    `found` has the chances of a hand by its ways, if those are not to be the plain ones.
    """
    ends, prize = ends_of(solver, split), solver.prize_against(split.upcard)
    pair, ways = split.pair, ends.ways
    cards = Cards(solver, split.upcard, pair, ends.keys)
    found = found or functools.partial(by_way, ends, cards)
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
                alone[beside] = found(*beside)
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
