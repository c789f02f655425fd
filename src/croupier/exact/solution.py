"""A solved game and the answers it gives: the edge, the play, the price of a mistake."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import RANKS, Card, parse_card
from croupier.errors import ParseError
from croupier.exact import kernels
from croupier.exact.arithmetic import FLOATS
from croupier.exact.asked import card_values
from croupier.exact.boxes import covariance
from croupier.exact.chart import CellHand, cell_hands, column
from croupier.exact.common import Common
from croupier.exact.endings import Endings, endings
from croupier.exact.game import suits_of
from croupier.exact.hands import ACE, TEN, TWENTY_ONE, VALUES, counts_of
from croupier.exact.joint import EXACT_HANDS
from croupier.exact.kernels import NEVER, Plan
from croupier.exact.memory import remembered
from croupier.exact.records import Cell, PostSplit, Spread
from croupier.exact.shoe import CardsLeft, endless, fresh
from croupier.exact.sidebets import side_bet as side_bet_value
from croupier.exact.sidebets import super_bonus, takes_third_card, third_card
from croupier.exact.solver import Solver
from croupier.exact.spread import spread
from croupier.exact.strategy import read_strategy, write_strategy
from croupier.exact.totals import Known, total_plans
from croupier.game.dealer import lowest_total
from croupier.game.hand import Hand, hand_total
from croupier.game.moves import split_bar
from croupier.game.offers import opens_surrender
from croupier.rulebook.rules import Rules
from croupier.threads import Told, at_once

# A mistake that costs as much as this is one that few people make, such as surrendering a hand of 12.
UNLIKELY = 0.1


def solve(
    rules: Rules,
    *,
    decks: int | None = None,
    shoe: CardsLeft | None = None,
    post_split: PostSplit = "cdz",
    chart: str | None = None,
    chart_name: str = "chart",
    exact: bool = False,
    wager: Fraction | None = None,
    others: int = 0,
    common: Common | None = None,
) -> Solution:
    """Solve a game: from so many fresh decks (those of the house if none is said) or from a shoe.

    With a `chart` its play is valued; otherwise the best play is found, composition by composition, by totals
    alone if `post_split` is `total`, or by totals and the number of cards if it is `cards`. `exact` works in
    fractions, which only small shoes bear. A `wager` in dollars counts the Super Bonus, beside so many
    `others`, each on a box of their own. `common` is given to all games that are solved together, for what
    they share.
    """
    cards = shoe or fresh(rules.ranks, decks or rules.house.decks)
    if wager is not None and rules.super_bonus is None:
        raise ParseError("a wager in dollars is for rules with a Super Bonus, which these have not")
    if wager is not None and wager <= 0:
        raise ParseError(f"a wager of {wager} dollars: it must be more than nothing")
    if others and (wager is None or not 0 <= others < rules.house.boxes):
        raise ParseError(f"{others} others: with a wager, from 0 to {rules.house.boxes - 1} of them")
    asked: dict[str, Any] = {"exact": exact, "wager": wager, "must_last": True}
    solver = Solver(rules, cards, post_split=post_split, common=common, **asked)
    plans = None
    if chart is not None:
        if post_split != "cdz":
            raise ParseError("a chart says the play after a split too: leave out --post-split")
        plans = read_strategy(chart, solver, chart_name)
    elif post_split == "total" or post_split == "cards":
        plans = total_plans(solver, post_split)
    if plans is None:
        return Solution(solver, post_split, others)
    return Solution(Solver(rules, cards, plans=plans, **asked), post_split, others, best=solver)


def without_end(rules: Rules) -> CardsLeft:
    """A shoe of infinitely many decks."""
    return endless(rules.ranks)


class Decision(Struct, frozen=True):
    """One hand against one first card: what each action that the rules allow is worth.

    A split is valued to `split_within`: hands that would take too long to multiply, more than four or the
    fourth of one that cannot be best, are foretold by those before them.
    """

    hand: str
    upcard: str
    worth: dict[str, Any]
    split_within: float = 0.0

    @property
    def best(self) -> str:
        return max(self.worth, key=lambda action: self.worth[action])

    @property
    def cost(self) -> dict[str, Any]:
        """What each action loses against the best."""
        return {action: self.worth[self.best] - worth for action, worth in self.worth.items()}


class Mistake(Struct, frozen=True):
    """A wrong action in a cell: what it costs when it happens, and in a round on average."""

    cell: Cell
    instead: str
    cost: float
    per_round: float


class Beside(Struct, frozen=True):
    """The main game and a side bet on three cards, played as one.

    `main` and `side` are what a unit of each wager is worth under that play; `draws` are the hands, by the
    dealer's first card, that take a card for the side bet's sake.
    """

    main: float
    side: float
    draws: dict[str, tuple[str, ...]]


class Solution:
    """What is known of a game once it is solved. Values are in units of the initial wager."""

    def __init__(
        self, solver: Solver, post_split: PostSplit = "cdz", others: int = 0, best: Solver | None = None
    ) -> None:
        """`best` finds the best play of the same game, if it is at hand and `solver` has another."""
        self.memory: dict[tuple[Any, ...], Any] = {}
        self._best = best
        self.solver = solver
        self.others = others
        self.rules = solver.rules
        self.shoe = solver.shoe
        self.post_split = post_split

    @property
    def ev(self) -> Any:
        """The player's expectation of a round."""
        return self.solver.ev + self.consolation

    @property
    @remembered
    def consolation(self) -> Any:
        """What the Super Bonus of other boxes is worth to this one."""
        wager = self.solver.wager
        if wager is None or not self.others:
            return self.solver.kind.of(0)
        return self.solver.kind.of(super_bonus(self.rules, self.shoe, self.others).others / wager)

    @property
    def has_spread(self) -> bool:
        """Is a whole round played? With cdp each hand of a split is, by itself."""
        return self.solver.post_split != "cdp"

    @property
    def spread(self) -> Spread:
        """The chances of all results of a round."""
        return self.find_spread()

    def find_spread(self, told: Told | None = None) -> Spread:
        """The same; while it is worked out `told` hears how far it is."""
        key = ("spread",)
        if key not in self.memory:
            self.memory[key] = spread(self._in_floats, told)
        found: Spread = self.memory[key]
        return found

    @property
    @remembered
    def endings(self) -> Endings:
        """By which provisions hands end, how often, and what that brings."""
        return endings(self._in_floats)

    @property
    @remembered
    def covariance(self) -> Any:
        """Of the results of two boxes that play alike against the same dealer."""
        return covariance(self._in_floats)

    @property
    def _in_floats(self) -> Solver:
        """The solver that plays the same, in floats."""
        solver = self.solver
        if solver.kind is FLOATS:
            return solver
        plans = {upcard: solver.opening(upcard).plan for upcard in solver.upcards}
        return Solver(
            self.rules,
            self.shoe,
            post_split=solver.post_split,
            plans=plans,
            wager=solver.wager,
            limits=solver.limits,
        )

    @property
    def variance(self) -> float:
        return float(self.spread.variance)

    def strategy(self) -> str:
        """The play, one line a decision, in the form that `solve(chart=...)` reads."""
        return "\n".join(write_strategy(self.solver)) + "\n"

    # One decision

    def decision(self, hand: str, upcard: str) -> Decision:
        """What every action is worth for these cards (in the order they came) against a first card."""
        cards = [_card(word) for word in hand.replace(",", " ").split()]
        shown = _card(upcard)
        if len(cards) < 2:
            raise ParseError(f"{hand!r} is no hand to decide on: write two cards or more, as in '8s 8d'")
        self._require([*cards, shown], f"{hand} against {upcard}")
        values = card_values(self.rules)
        drawn, first = [values[card[0]] for card in cards], values[shown[0]]
        number = self.solver.number.get(counts_of(drawn))
        if number is None:
            raise ParseError(f"{hand} is over 21: there is nothing to decide")
        worth = self._worth(number, self._variant(number, cards, drawn), first, shown[0])
        if not worth:
            raise ParseError(f"{hand} has nothing to decide: the rules give it no further card")
        return Decision(
            hand=hand, upcard=upcard, worth=worth, split_within=self._within(first, drawn[0], worth)
        )

    def split_decision(self, hand: str, upcard: str, number: int = 1, hands: int = 2) -> Decision:
        """What every action is worth for the numbered one of the `hands` that a split has made so far.

        The shoe holds its cards and the dealer's, not those of the other hands, whose play is their own.
        """
        cards = [Card(parse_card(word)) for word in hand.split()]
        self._require([*cards, upcard], f"{hand} against {upcard}")
        values = card_values(self.rules)
        drawn, first = [values[card[0]] for card in cards], values[upcard[0]]
        at = self.solver.number[counts_of(drawn)]
        played = self.solver.of_split(first, drawn[0], first=number == 1)
        worths = played.worth[at, self._variant(at, list(cards), drawn)]
        worth = {action: value for action, value in zip("SHD", worths, strict=True) if value > NEVER}
        held = Hand(cards=tuple(cards), split=True, split_aces=cards[0][0] == "A")
        if split_bar(self.rules, held, hands) is None:
            worth["P"] = self._split_again(first, drawn[0], hands)
        return Decision(hand=hand, upcard=upcard, worth=worth)

    def forfeit_decision(self, hand: Hand, upcard: str, *, first: bool = True) -> Decision:
        """Whether to keep (K) a doubled hand that has its card, or to forfeit (F) its original wager.

        `first`: it is the box's first hand, or its only one.
        """
        solver = self.solver
        value, soft = hand_total(self.rules, hand)
        values = card_values(self.rules)
        at, against = solver.number[counts_of([values[card[0]] for card in hand.cards])], values[upcard[0]]
        pay, rows = solver.pay if first else solver.split_pay, solver.unsplit(against).rows
        odds, takes = pay.double_odds[at, int(soft)], pay.natural_takes[1]
        natural = rows[at, solver.law.results.shape[1] - 2]
        kept = kernels.settled(rows, at, solver.law.results, value, 2, odds, takes)  # type: ignore[no-untyped-call]
        worth = {"K": kept, "F": pay.natural_forfeited * natural - (1 - natural)}
        return Decision(hand=" ".join(hand.cards), upcard=upcard, worth=worth)

    def _split_again(self, upcard: int, pair: int, hands: int) -> Any:
        """The worth of splitting one of so many hands, which has the first claim on those still allowed."""
        most = self.rules.max_hands
        left = None if most is None else most - hands + 1
        solver = Solver(replace(self.rules, max_hands=left), self.shoe, post_split=self.post_split)
        return solver.split(upcard, pair, 3)

    def _within(self, upcard: int, pair: int, worth: dict[str, Any]) -> float:
        """By how much the worth of a split may be off, whose last hands are foretold by those before them."""
        if "P" not in worth:
            return 0.0
        exact_hands = 3 if self._is_extrapolated(upcard, pair, worth) else EXACT_HANDS
        over = self.solver.all_over(upcard, pair, exact_hands)
        return over.within if over else 0.0

    def _is_extrapolated(self, upcard: int, pair: int, worth: dict[str, Any]) -> bool:
        others = max(value for action, value in worth.items() if action != "P")
        cannot_be_best = self.solver.split_apart(upcard, pair).most < others
        return bool(cannot_be_best and self.solver.split_takes_long(upcard, pair))

    def _require(self, cards: list[str], what: str) -> None:
        left = dict(zip(RANKS, self.shoe.left, strict=True))
        for card in cards:
            if card[0] not in self.rules.ranks:
                raise ParseError(f"{what}: the packs of {self.rules.rulebook} have no {card[0]}")
            left[card[0]] -= 0 if self.shoe.endless else 1
            if left[card[0]] < 0:
                raise ParseError(f"the shoe cannot hold {what}: it has too few of rank {card[0]}")
        suited = [Card(card) for card in cards if len(card) == 2]
        self.shoe.without(*suited)

    def _variant(self, hand: int, cards: list[str], values: list[int]) -> int:
        if self.solver.law.suited[hand] >= 0:
            if any(len(card) < 2 for card in cards):
                raise ParseError(f"{' '.join(cards)}: say the suits, which make a difference to this hand")
            return suits_of(Card(cards[0]), Card(cards[1]))
        return values[:2].count(ACE) if self.solver.law.first_aces else 0

    def _worth(self, hand: int, variant: int, upcard: int, rank: str) -> dict[str, Any]:
        solver = self.solver
        counts = solver.hands.counts[hand]
        if solver.law.natural[hand]:
            return {}
        found = {
            action: worth
            for action, worth in zip("SHD", solver.unsplit(upcard).worth[hand, variant], strict=True)
            if worth > NEVER and solver.law.may_hit[hand]
        }
        if solver.hands.size[hand] == 2:
            pair = int(counts.argmax())
            if opens_surrender(self.rules, rank):
                found["R"] = solver.surrender_worth(upcard, counts)
            if counts[pair] == 2 and pair in solver.splittable:
                found["P"] = self.split_worth(upcard, pair, hand, variant, found)
        return found

    def split_worth(self, upcard: int, pair: int, hand: int, variant: int, others: dict[str, Any]) -> Any:
        """What splitting a pair is worth whose other actions are worth so much."""
        solver = self.solver
        if self._is_extrapolated(upcard, pair, others):
            return solver.split(upcard, pair, 3)
        limited = solver.most_hands(pair) is not None and solver.post_split != "cdp"
        if solver.law.suited[hand] < 0 or not limited:
            return solver.split(upcard, pair)
        again = solver.opening(upcard).plan.splits[hand].tolist()
        return solver.split_by_kind(upcard, pair, tuple(again if again[variant] else [True] * 3))[variant]

    # The whole play

    @property
    @remembered
    def chart(self) -> list[Cell]:
        """The chart by totals, soft totals and pairs, with what each action is worth on average.

        Its letters are those of the best play by totals; of a play that was given, its own.
        """
        plans: dict[int, Plan] = self.solver.plans or self.plans_known("total")
        return [cell for upcard in self.solver.upcards for cell in column(self.solver, upcard, plans[upcard])]

    @remembered
    def plans_known(self, known: Known) -> dict[int, Plan]:
        """The best play for each first card that knows no more of a hand than is said."""
        return total_plans(self.best.solver, known)

    @remembered
    def charted(self, known: Known) -> Solution:
        """The same game under the best play that knows no more of a hand than is said."""
        if self.post_split == known:
            return self
        return Solution(self._valued(self.plans_known(known)), known, self.others, best=self.best.solver)

    @property
    @remembered
    def best(self) -> Solution:
        """The same game under the best play by composition, which this may be itself."""
        if not self.solver.plans:
            return self
        return Solution(self._best or self._valued(None), others=self.others)

    def _valued(self, plans: dict[int, Plan] | None) -> Solver:
        """The solver of this game under other plans, or the best."""
        solver = self.solver
        exact = solver.kind is not FLOATS
        return Solver(
            self.rules, self.shoe, exact=exact, plans=plans, wager=solver.wager, must_last=solver.must_last
        )

    def cell_hands(self, upcard: int) -> Iterator[CellHand]:
        """Every unsplit hand on which the play comes to decide against a first card."""
        return cell_hands(self.solver, upcard)

    def mistakes(self, most: int = 20) -> list[Mistake]:
        """The likely mistakes that cost most over many rounds."""
        cell_hands: dict[tuple[str, str], list[CellHand]] = defaultdict(list)
        for upcard in self.solver.upcards:
            for one in self.cell_hands(upcard):
                cell_hands[VALUES[upcard], one.row].append(one)
        found = []
        for cell in self.chart:
            chance = float(self.solver.chance(VALUES.index(cell.upcard)))
            found += [
                mistake
                for instead in cell.worth
                if instead != cell.action[0]
                and (mistake := _mistake(cell, instead, cell_hands[cell.upcard, cell.row], chance))
            ]
        return sorted(found, key=lambda mistake: -mistake.per_round)[:most]

    def dealer(self, upcard: str) -> dict[str, Any]:
        """The chances of the dealer's final hands from a first card."""
        value = TEN if upcard == "T" else card_values(self.rules).get(upcard)
        if value is None or value not in self.solver.upcards:
            raise ParseError(f"{upcard!r} cannot be the dealer's first card here")
        row = self.solver.unsplit(value).rows[0]
        names = [*map(str, range(lowest_total(self.rules), TWENTY_ONE + 1)), "natural", "bust"]
        return dict(zip(names, row, strict=True))

    def _from(self, shoe: CardsLeft) -> Solution:
        """The same game from another shoe: the best play for it, or the chart that was given."""
        wager = self.solver.wager
        if self.solver.plans and self.post_split not in ("total", "cards"):
            return Solution(
                Solver(self.rules, shoe, plans=self.solver.plans, wager=wager), others=self.others
            )
        return solve(self.rules, shoe=shoe, post_split=self.post_split, wager=wager, others=self.others)

    def beside(self, side_bet: str, ratio: float) -> Beside:
        """Play for both wagers, a side bet on three cards being so much of the main one."""
        main = float(self.ev)
        side = float(side_bet_value(self.rules, side_bet, self.shoe, cards=2).ev)
        draws: dict[str, tuple[str, ...]] = {}
        for upcard in self.solver.upcards:
            rank = _rank_of(upcard, self.rules, self.shoe)
            for start in third_card(self.rules, side_bet, self.shoe, rank):
                worth = {
                    key: float(value)
                    for key, value in self.decision(" ".join(start.cards), rank).worth.items()
                }
                draw = max((worth[action] for action in "HDP" if action in worth), default=NEVER)
                stay = max((worth[action] for action in "SR" if action in worth), default=NEVER)
                if takes_third_card(start, draw=draw, best_without_draw=stay, ratio=ratio):
                    chance = float(self.solver.chance(upcard)) * float(start.chance)
                    side += chance * float(start.drawing - start.standing)
                    main -= chance * max(0.0, stay - draw)
                    if stay > draw:
                        draws[rank] = (*draws.get(rank, ()), " ".join(start.cards))
        return Beside(main, side, draws)

    def removals(self) -> dict[str, float]:
        """By how much the expectation changes when one card of a value leaves the shoe."""
        held = [value for value in range(10) if self.solver.left[value] > 0 and not self.shoe.endless]

        def without(value: int) -> float:
            left = list(self.shoe.left)
            place = RANKS.index(_rank_of(value, self.rules, self.shoe))
            left[place] -= 1
            depleted = CardsLeft(left=tuple(left), pool=self.shoe.pool)
            return float(self._from(depleted).ev) - float(self.ev)

        return at_once({VALUES[value]: functools.partial(without, value) for value in held})


def _mistake(cell: Cell, instead: str, cell_hands: list[CellHand], chance: float) -> Mistake | None:
    """One action on all hands of a cell that may take it and should not; None where nobody would."""
    weight = per_round = 0.0
    for one in cell_hands:
        best = max(one.worth.values())
        if instead in one.worth and one.worth[instead] < best:
            weight += one.weight
            per_round += one.weight * (best - one.worth[instead])
    if not weight or per_round / weight >= UNLIKELY:
        return None
    return Mistake(cell, instead, per_round / weight, per_round * chance)


def _rank_of(value: int, rules: Rules, shoe: CardsLeft) -> str:
    """A rank of this value that the shoe holds."""
    return next(
        rank
        for rank, other in card_values(rules).items()
        if other == value and shoe.left[RANKS.index(rank)] > 0
    )


def _card(text: str) -> str:
    """A card, or a rank where the suit does not matter."""
    plain = "T" if text == "10" else text
    if len(plain) == 1 and plain.upper() in RANKS:
        return plain.upper()
    return parse_card(plain)
