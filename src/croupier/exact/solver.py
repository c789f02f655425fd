"""One game and one shoe, solved: what every hand is worth against every first card of the dealer.

Play is known by the hand alone (its values, and the variant of `hands.py`) and the dealer's first card.
After a split it is one of

cdz     the play of an unsplit hand with the same cards (zero memory);
cdp     the best play for the number of further cards of the pair's value that are gone;
total   the best play that knows only the total, soft or hard, and pairs - before a split as well;
cards   the same, and the number of cards.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from croupier.cards import INDEX, RANKS, SUITS, Card
from croupier.errors import ParseError
from croupier.exact import kernels
from croupier.exact.arithmetic import FLOATS, FRACTIONS, Numbers
from croupier.exact.asked import card_values, natural_value, rank_of_value
from croupier.exact.common import Common, digest, key_of, key_of_rows, key_of_split
from croupier.exact.dealer import Terms, dealer_terms, with_hidden
from croupier.exact.ends import Ends, split_ends
from croupier.exact.game import (
    PaidRows,
    Prize,
    check_solvable,
    law_of,
    left_by_value,
    paid_rows,
    pay_of,
    split_law_of,
    splittable,
)
from croupier.exact.hands import (
    ACE,
    NO_LIMITS,
    TEN,
    VALUES,
    VARIANTS,
    Array,
    Limits,
    counts_of,
    hands,
    numbers,
)
from croupier.exact.joint import EXACT_HANDS, AllOver, OverHands, chance_all_over, over_hands, takes_long
from croupier.exact.kernels import DOUBLE, HIT, NEVER, STAND, Draw, Law, Pay, Plan, SplitLaw
from croupier.exact.lasting import lasts_split, may_run_out
from croupier.exact.memory import remembered
from croupier.exact.parts import Opening, Played, SplitStart, SplitWorth, Weighed
from croupier.exact.records import PostSplit
from croupier.exact.shoe import CardsLeft
from croupier.exact.splits import (
    FEW_HANDS,
    Growth,
    SecondCards,
    SplitHand,
    by_differences,
    endless_first_worth,
    endless_worth,
    first_hand_worth,
    further_cards,
    growth_of,
    one_by_one,
    split_worth,
)
from croupier.exact.suits import SuitedSplit
from croupier.game.dealer import natural_takes
from croupier.game.moves import most_hands
from croupier.game.offers import opens_surrender
from croupier.game.pay import natural_paid_early, super_bonus_for
from croupier.rulebook.rules import Rules

SPLIT, SURRENDER = 3, 4
# The suits of a pair change the worth of splitting it by less than this, over the cards of its rank.
CLOSE = 0.2


class Solver:
    """The game under these rules from this shoe; each part is worked out when it is first asked for.

    With `plans`, one for each first card, the given play is valued; without, the best is found. A `wager`
    in dollars counts the Super Bonus of one's own box. `limits` are for plans made with the same: they say
    which hands there are, and so their numbers. `common` is what the best play of several games shares.
    With `must_last` a shoe is refused that a split may run out of; without, hands are taken to find cards.
    """

    def __init__(
        self,
        rules: Rules,
        shoe: CardsLeft,
        *,
        exact: bool = False,
        post_split: PostSplit = "cdz",
        plans: dict[int, Plan] | None = None,
        wager: Fraction | None = None,
        limits: Limits | None = None,
        common: Common | None = None,
        must_last: bool = False,
    ) -> None:
        check_solvable(rules)
        self.memory: dict[tuple[Any, ...], Any] = {}
        self.rules = rules
        self.shoe = shoe
        self.post_split = post_split
        self.plans = plans
        self.wager = wager
        self.kind: Numbers = FRACTIONS if exact else FLOATS
        self.must_last = must_last
        self.common = None if exact or plans or wager is not None else common
        self.left = left_by_value(rules, shoe)
        self.size = sum(self.left)
        self.step = 0 if shoe.endless else 1
        held = tuple(min(most, left) for most, left in zip(NO_LIMITS, self.left, strict=True))
        self.limits = limits or (held if exact and not shoe.endless else NO_LIMITS)
        self.hands = hands(self.limits)
        self.number = numbers(self.limits)
        self.law = law_of(rules, shoe, self.limits, self.kind)
        self.pay = pay_of(rules, self.limits, self.kind, split=False)
        self.split_pay = pay_of(rules, self.limits, self.kind, split=True)
        self.splittable = splittable(rules)
        self._require_cards()

    def _require_cards(self) -> None:
        """A single hand and the dealer's must never take all the cards."""
        if self.shoe.endless:
            return
        drawing = self.hands.hard[self.law.may_hit | self.law.may_double]
        drawn_to = int(drawing.max(initial=0)) + self.rules.dealer_draws_to
        if may_run_out(tuple(self.left), 1, drawn_to):
            raise ParseError(f"a shoe of {self.size} cards can run out before a round is over")

    # Cards

    @remembered
    def draw(self, upcard: int, *gone: int) -> Draw:
        """The cards left once the dealer's first card, and these, have gone."""
        left = list(self.left)
        for value in (upcard, *gone):
            left[value] -= self.step
        natural = natural_value(self.rules, upcard)
        size = self.size - self.step * (1 + len(gone))
        return Draw(self.kind.array(left), self.kind.of(size), self.kind.of(self.step), natural)

    def chance(self, *values: int) -> Any:
        """The chance that the next cards have these values, in this order."""
        left = list(self.left)
        chance = self.kind.of(1)
        for drawn, value in enumerate(values):
            chance = chance * max(0, left[value]) / (self.size - drawn * self.step)
            left[value] -= self.step
        return chance

    def natural_chance(self, upcard: int, *gone: int) -> Any:
        """The chance that the dealer's second card makes a natural."""
        draw = self.draw(upcard, *gone)
        return draw.left[draw.natural] / draw.size if draw.natural >= 0 else self.kind.of(0)

    @remembered
    def weighed_terms(self, upcard: int) -> Terms:
        """The dealer's hands, their weights of the solver's kind of numbers."""
        terms = self.dealer_terms(upcard)
        return terms._replace(weight=self.kind.array(terms.weight))

    @remembered
    def terms_beside_hidden(self, upcard: int, pair: int) -> Terms:
        """The same where cards of other values than this may be hidden."""
        return with_hidden(self.weighed_terms(upcard), pair)

    def dealer_terms(self, upcard: int) -> Terms:
        return dealer_terms(self.rules, upcard, self.limits)

    def outcomes(self, upcard: int, draw: Draw, wanted: Array) -> Array:
        """By hand, for those wanted, the chances of the dealer's hands: totals, natural, bust."""
        find = functools.partial(self._outcomes, upcard, draw, wanted)
        if self.common is None:
            return find()
        return self.common.rows.once(key_of_rows(self, upcard, draw, wanted), find)

    def _outcomes(self, upcard: int, draw: Draw, wanted: Array) -> Array:
        chosen = np.nonzero(wanted)[0]
        shoes = draw.left - self.hands.counts[chosen] * draw.step
        sizes = draw.size - self.hands.size[chosen] * draw.step
        found = self.kind.run(kernels.evaluate, self.weighed_terms(upcard), shoes, sizes, draw.step)
        rows = np.zeros((len(wanted), found.shape[1]), self.kind.dtype)
        rows[chosen] = found
        return rows

    # Unsplit hands

    def prize_against(self, upcard: int) -> Prize | None:
        """The Super Bonus that a box can win against a first card, if it is counted."""
        bonus = self.rules.super_bonus
        if self.wager is None or bonus is None or VALUES[upcard] not in bonus.dealer_rank:
            return None
        amount, _ = super_bonus_for(bonus, self.wager)
        return Prize(bonus.when, Fraction(amount) / self.wager, self.rules.super_bonus_with_odds == "on_top")

    def law_against(self, upcard: int) -> Law:
        prize = self.prize_against(upcard)
        return law_of(self.rules, self.shoe, self.limits, self.kind, prize) if prize else self.law

    def played(
        self,
        upcard: int,
        draw: Draw,
        wanted: Array,
        plan: Plan | None = None,
        law: Law | None = None,
        pay: Pay | None = None,
    ) -> Played:
        """The play of hands that draw from these cards, the best or by plan; of unsplit ones if not told."""
        rows = self.outcomes(upcard, draw, wanted)
        worth, taken, forfeits = self.kind.run(
            kernels.play,
            self.hands,
            law or self.law_against(upcard),
            pay or self.pay,
            draw,
            rows,
            wanted,
            plan or self._no_plan,
            plan is not None,
        )
        if plan is None:
            stand, hit, double = (worth[:, :, action] for action in (STAND, HIT, DOUBLE))
            plan = self._no_plan._replace(
                hits=self._beats(hit, stand),
                doubles=self._beats(double, np.maximum(stand, hit)),
                forfeits=forfeits,
            )
        return Played(worth=worth, taken=taken, plan=plan, rows=rows)

    def _beats(self, worth: Array, others: Array) -> Array:
        """Where an action is better than others; of equal ones the first of S H D P R is taken."""
        return np.asarray(worth > others + self.kind.even, np.bool_)

    @property
    @remembered
    def _no_plan(self) -> Plan:
        by_variant = np.zeros((len(self.hands.size), VARIANTS), np.bool_)
        by_soft = np.zeros((len(self.hands.size), 2), np.bool_)
        return Plan(by_variant, by_variant, by_soft, by_variant, by_variant)

    @remembered
    def unsplit(self, upcard: int) -> Played:
        """Every unsplit hand against a first card; no word yet of splits and surrender."""
        plan = self.plans[upcard] if self.plans else None
        return self.played(upcard, self.draw(upcard), self.hands.size != 1, plan)

    # Splits

    def of_split(self, upcard: int, pair: int, *, first: bool) -> Played:
        """The play of one hand of a split, whatever becomes of the others: the first of them, or another.

        Where a dealer natural takes one wager from all of them, it is the first hand's.
        """
        split = self.split_law(pair)
        law = self.law_against(upcard)._replace(may_hit=split.may_hit, may_double=split.may_double)
        pay = self.pay if first else self.split_pay
        return self.played(upcard, self.draw(upcard), self.hands.size != 1, law=law, pay=pay)

    def most_hands(self, pair: int) -> int | None:
        """Into how many hands a pair of this value may grow; None: no limit."""
        return most_hands(self.rules, aces=pair == ACE)

    @remembered
    def split_law(self, pair: int) -> SplitLaw:
        return split_law_of(self.rules, self.limits, pair)

    def second_cards(self, upcard: int, pair: int) -> SecondCards:
        draw = self.draw(upcard, pair, pair)
        return SecondCards(draw.left[pair], draw.size, draw.step)

    @remembered
    def growth(self, upcard: int, pair: int) -> Growth:
        exact = self.kind is FRACTIONS
        return growth_of(self.most_hands(pair), self.second_cards(upcard, pair), exact=exact)

    def _grows_endlessly(self, pair: int) -> bool:
        return self.shoe.endless and self.most_hands(pair) is None

    @remembered
    def _split_hands(self, upcard: int, pair: int) -> tuple[SplitHand, SplitHand]:
        """One hand of a split: its own worth, and its chance to live beside a dealer's natural."""
        draw, cards = self.draw(upcard, pair, pair), self.second_cards(upcard, pair)
        most, gone = self.most_hands(pair), self.valued_beside(upcard, pair)
        if self.post_split == "cdp":
            plans = {number: self.replanned(upcard, pair, number) for number, _ in gone}
            found = np.concatenate(
                [self.follow(upcard, pair, draw, plans[one[0]], [one], self.law) for one in gone]
            )
        else:
            found = self.follow(upcard, pair, draw, self.unsplit(upcard).plan, gone, self.law)
        if most is not None and most <= FEW_HANDS:
            return by_differences(found, (0, 2), cards), by_differences(found, (1, 3), cards)
        return one_by_one(found, (0, 2), cards, gone), one_by_one(found, (1, 3), cards, gone)

    def valued_beside(self, upcard: int, pair: int) -> list[tuple[int, int]]:
        """Beside which numbers of second cards, of the pair's value and of others, a hand is valued."""
        cards, most = self.second_cards(upcard, pair), self.most_hands(pair)
        if self._grows_endlessly(pair):
            if 2 * cards.pairs >= cards.size:
                raise ParseError(
                    f"pairs of {VALUES[pair]} in such packs without end are split without an end"
                )
            return [(0, 0)]
        if most is not None and most <= FEW_HANDS:
            further = further_cards(most, int(cards.pairs), endless=self.shoe.endless)
            return [(number, 0) for number in range(further + 1)]
        return self.growth(upcard, pair).needed(cards)

    def follow(
        self, upcard: int, pair: int, draw: Draw, plan: Plan, gone: list[tuple[int, int]], law: Law
    ) -> Array:
        """One split hand with these numbers of further cards gone, as the kernel has it."""
        find = functools.partial(self._follow, upcard, pair, draw, plan, gone, law)
        if self.common is None:
            return find()
        return self.common.answers.once(key_of_split(self, upcard, pair, plan, gone, law), find)

    def _follow(
        self, upcard: int, pair: int, draw: Draw, plan: Plan, gone: list[tuple[int, int]], law: Law
    ) -> Array:
        terms, split = self.weighed_terms(upcard), self.split_law(pair)
        if any(others for _, others in gone):
            terms = self.terms_beside_hidden(upcard, pair)
        pay = self.split_pay
        found: Array = self.kind.run(
            kernels.split_hand, self.hands, law, pay, draw, plan, split, terms, np.array(gone)
        )
        return found

    def replanned(self, upcard: int, pair: int, gone: int) -> Plan:
        """The best play of hands with a card of this value when so many more of them are gone."""
        draw = self.draw(upcard, pair, *[pair] * gone)
        wanted = (self.hands.size >= 2) & (self.hands.counts[:, pair] > 0)
        if self.step:
            wanted &= (self.hands.counts <= draw.left).all(axis=1)
        return self.played(upcard, draw, wanted).plan

    def _all_worth(self, upcard: int, pair: int) -> Any:
        """What the hands of a split are worth, each by itself."""
        worth, _ = self._split_hands(upcard, pair)
        if self._grows_endlessly(pair):
            return endless_worth(worth, self.second_cards(upcard, pair))
        return split_worth(self.growth(upcard, pair), worth)

    def _first_alive(self, upcard: int, pair: int) -> Any:
        """The chance of the first hand of a split to live beside a dealer's natural."""
        _, alive = self._split_hands(upcard, pair)
        if self._grows_endlessly(pair):
            return endless_first_worth(alive, self.second_cards(upcard, pair))
        return first_hand_worth(self.growth(upcard, pair), alive)

    @remembered
    def lasts_split(self, upcard: int, pair: int) -> bool:
        """Does the shoe last a round in which this pair is split, whatever comes?"""
        return lasts_split(self, upcard, pair)

    def plans_of_split(self, upcard: int, pair: int) -> list[Plan]:
        """The plans by which hands of a split may be played."""
        if self.post_split != "cdp":
            return [self.unsplit(upcard).plan]
        numbers_gone = {number for number, _ in self.valued_beside(upcard, pair)}
        return [self.replanned(upcard, pair, number) for number in numbers_gone]

    @remembered
    def split_apart(self, upcard: int, pair: int) -> SplitWorth:
        """A split but for what a natural takes from its hands jointly, and with the least it can take."""
        apart, first_alive = self._all_worth(upcard, pair), self._first_alive(upcard, pair)
        takes = natural_takes(self.rules)
        if takes.from_live == "each":
            return SplitWorth(apart=apart, most=apart)
        if takes.from_live == "first_hand":
            return SplitWorth(apart=apart - first_alive, most=apart - first_alive)
        natural = self.natural_chance(upcard, pair, pair)
        least = 0 if self._may_be_over else natural
        return SplitWorth(apart - natural, apart - (least if takes.gives_back else first_alive))

    def is_jointly_taken(self, upcard: int) -> bool:
        """Does what a natural takes from a split depend on how its hands end together?"""
        takes = natural_takes(self.rules)
        jointly = takes.from_live == "first_live" and (not takes.gives_back or self._may_be_over)
        return jointly and self.natural_chance(upcard) > 0

    @property
    def _may_be_over(self) -> bool:
        """Can a split hand be paid, or be safe from a dealer's natural, before the dealer draws?"""
        return self.pay.paid_at_once or self.pay.natural_after_split

    @remembered
    def split(self, upcard: int, pair: int, exact_hands: int = EXACT_HANDS) -> Any:
        """The worth of splitting a pair; exact even where it takes long, for up to so many hands."""
        apart = self.split_apart(upcard, pair).apart
        if not self.lasts_split(upcard, pair):
            if self.must_last:
                raise ParseError(
                    f"a shoe of {self.size} cards can run out before a round is over in which a pair of "
                    f"{VALUES[pair]} is split"
                )
            return apart
        over = self.all_over(upcard, pair, exact_hands)
        return apart + over.chance if over else apart

    def jointly(self, upcard: int, pair: int) -> Any:
        """What a natural takes from the hands of a split together, beside what it takes from each."""
        return self.split(upcard, pair) - self._all_worth(upcard, pair)

    @remembered
    def all_over(self, upcard: int, pair: int, exact_hands: int = EXACT_HANDS) -> AllOver | None:
        """The chance of a natural beside a split whose hands are all over; None where it does not matter."""
        if not self.is_jointly_taken(upcard) or not len(self.over(upcard, pair).any.often.keys):
            return None
        over, after = self.over(upcard, pair), self.draw(upcard, pair, pair, self.draw(upcard).natural)
        asked = over, pair, self.most_hands(pair), after, self.kind, exact_hands
        find = functools.partial(chance_all_over, *asked)
        key = digest("over", over.any, over.other, *asked[1:4]) if self.common else b""
        found = self.common.answers.once(key, find) if self.common else find()
        natural = self.natural_chance(upcard, pair, pair)
        return AllOver(natural * found.chance, float(natural) * found.within)

    @remembered
    def over(self, upcard: int, pair: int) -> OverHands:
        """The hands of a split that are over before the dealer draws."""
        only_paid, ends = natural_takes(self.rules).gives_back, self.split_ends(upcard, pair)
        return over_hands(ends, self.law, self.split_pay, self.kind, only_paid=only_paid)

    @remembered
    def split_ends(self, upcard: int, pair: int) -> Ends:
        """How one hand of a split ends; totals that fare alike are one."""
        return self.ends_of_split(upcard, pair, every_total=False)

    def ends_of_split(self, upcard: int, pair: int, *, every_total: bool) -> Ends:
        plan = self.replanned(upcard, pair, 0) if self.post_split == "cdp" else self.unsplit(upcard).plan
        law, pay, paid, split = self.law, self.split_pay, self.paid_rows, self.split_law(pair)
        return split_ends(self.hands, law, pay, paid, plan, split, self.kind, every_total=every_total)

    @property
    @remembered
    def paid_rows(self) -> PaidRows:
        return paid_rows(self.rules, self.limits)

    def split_takes_long(self, upcard: int, pair: int) -> bool:
        """Does it take long to value a split exactly?"""
        return self.is_jointly_taken(upcard) and takes_long(self.over(upcard, pair), self.kind)

    @remembered
    def suited_split(self, upcard: int, pair: int) -> SuitedSplit:
        return SuitedSplit(self, upcard, pair)

    def kinds_matter(self, pair: int, kinds: Array) -> bool:
        """Are there kinds of a pair whose splits are valued one by one?"""
        return len(kinds) > 1 and self.most_hands(pair) is not None and self.post_split != "cdp"

    def split_by_kind(self, upcard: int, pair: int, again: tuple[bool, ...]) -> Array:
        """The worth of splitting a pair of each kind, if such kinds are split again."""
        split, jointly = self.suited_split(upcard, pair), self.jointly(upcard, pair)
        found = [split.worth(kind, again) + jointly for kind in range(VARIANTS)]
        return np.array(found, self.kind.dtype)

    # The first two cards

    @property
    @remembered
    def _starts(self) -> tuple[Array, Array, Array]:
        """All first two cards: hand, variant, and how often the two are of that variant."""
        found = []
        for hand in np.nonzero(self.hands.size == 2)[0].tolist():
            row = self.law.suited[hand]
            if row >= 0:
                found += [(hand, variant, self.law.suited_mix[row, variant]) for variant in range(VARIANTS)]
            else:
                found.append((hand, self.first_variant(hand), self.kind.of(1)))
        columns = list(zip(*found, strict=True))
        return np.array(columns[0]), np.array(columns[1]), self.kind.array(columns[2])

    def first_variant(self, hand: int) -> int:
        """The variant of two cards whose suits are not looked at."""
        return int(self.hands.counts[hand, ACE]) if self.law.first_aces else 0

    def surrender_chance(self, upcard: int) -> Any:
        """How often a first card of this value opens surrender: a ten may be a face or not."""
        opening = sum(
            self.shoe.left[RANKS.index(rank)]
            for rank, value in card_values(self.rules).items()
            if value == upcard and opens_surrender(self.rules, rank)
        )
        return self.kind.of(opening) / max(1, self.left[upcard])

    @remembered
    def opening(self, upcard: int) -> Opening:
        """The first two cards against a first card of the dealer: every action's worth and the one taken."""
        hand, variant, _ = self._starts
        weighed, (worth, taken, given_up) = self._weighed(upcard), self._with_surrender(upcard)
        splits, surrenders = np.zeros_like(self._no_plan.splits), np.zeros_like(self._no_plan.splits)
        splits[hand, variant], surrenders[hand, variant] = weighed.split, given_up
        plan = self.unsplit(upcard).plan._replace(splits=splits, surrenders=surrenders)
        return Opening(hand, variant, weighed.chance, worth, taken, self.law.natural[hand], plan)

    @remembered
    def _weighed(self, upcard: int) -> Weighed:
        if self.common is None:
            return self._weigh(upcard)
        return self.common.answers.once(key_of(self, upcard), functools.partial(self._weigh, upcard))

    def _weigh(self, upcard: int) -> Weighed:
        hand, variant, mix = self._starts
        played = self.unsplit(upcard)
        counts = self.hands.counts[hand]
        chance = mix * self._deal_chance(self.draw(upcard), counts)
        worth = np.full((len(hand), 5), NEVER, self.kind.dtype)
        worth[:, :3] = played.worth[hand, variant]
        taken = played.taken[hand, variant].copy()
        chosen = np.zeros(len(hand), np.bool_)
        given = self.plans[upcard] if self.plans else None
        pairs = (chance > 0) & (counts.max(axis=1) == 2)
        for pair in self.splittable:
            starts = np.nonzero(pairs & (counts[:, pair] == 2))[0]
            if len(starts):
                split = self.split_start(upcard, pair, taken[starts], variant[starts], given)
                worth[starts, SPLIT] = split.worth
                taken[starts] = np.where(split.chosen, split.worth, taken[starts])
                chosen[starts] = split.chosen
        return Weighed(chance, worth, taken, chosen)

    @remembered
    def _with_surrender(self, upcard: int) -> tuple[Array, Array, Array]:
        """What the first two cards are worth with naturals and surrender, and which are given up."""
        hand, variant, _ = self._starts
        weighed, natural = self._weighed(upcard), self.law.natural[hand]
        worth, taken, given_up = weighed.worth.copy(), weighed.taken.copy(), np.zeros(len(hand), np.bool_)
        taken[natural] = self._natural_worth(upcard)
        open_to = self.surrender_chance(upcard)
        if open_to > 0:
            worth[:, SURRENDER] = self.surrender_worth(upcard, self.hands.counts[hand])
            if self.plans:
                given_up = self.plans[upcard].surrenders[hand, variant]
            else:
                given_up = self._beats(worth[:, SURRENDER], taken) & ~natural
            taken[given_up] += open_to * (worth[given_up, SURRENDER] - taken[given_up])
        return worth, taken, given_up

    def split_start(
        self, upcard: int, pair: int, taken: Array, kinds: Array, given: Plan | None
    ) -> SplitStart:
        """Which kinds of a pair are split, and what that is worth; `taken` is what they are worth unsplit."""
        hand = self.number[counts_of([pair, pair])]
        most = self.split_apart(upcard, pair).most
        chosen = given.splits[hand, kinds] if given else self._beats(most, taken)
        kinds_matter = self.kinds_matter(pair, kinds)
        close = kinds_matter and given is None and self._is_close(pair, most, taken)
        if not chosen.any() and not (close and self.lasts_split(upcard, pair)):
            return SplitStart(np.full(len(kinds), most, self.kind.dtype), chosen)
        worth = np.full(len(kinds), self.split(upcard, pair), self.kind.dtype)
        if given is None:
            chosen = self._beats(worth, taken)
        if not kinds_matter or not (close or self.prize_against(upcard) or 0 < chosen.sum() < len(kinds)):
            return SplitStart(worth, chosen)
        mix = self.law.suited_mix[self.law.suited[hand]][kinds]
        ways = [given.splits[hand]] if given else map(np.array, product((False, True), repeat=VARIANTS))
        found = []
        for again in ways:
            by_kind = self.split_by_kind(upcard, pair, tuple(again.tolist()))
            found.append(SplitStart(by_kind[kinds], again[kinds]))
        return max(found, key=lambda one: (mix * np.where(one.chosen, one.worth, taken)).sum())

    def _is_close(self, pair: int, split: Any, taken: Array) -> bool:
        """May the kinds of a pair differ in whether to split it?"""
        cards = sum(self.shoe.pool[INDEX[Card(VALUES[pair] + suit)]] for suit in SUITS)
        return bool((abs(taken - split) * cards < CLOSE).any())

    def _deal_chance(self, draw: Draw, counts: Array) -> Array:
        """The chance of two cards with these counts, in any order."""
        chance = np.full(
            len(counts), self.kind.of(2) / (draw.size * (draw.size - draw.step)), self.kind.dtype
        )
        for value in range(10):
            left = draw.left[value]
            pairs = left * (left - draw.step) / 2
            chance = chance * np.array([self.kind.of(1), left, pairs], self.kind.dtype)[counts[:, value]]
        return chance

    def _natural_worth(self, upcard: int) -> Any:
        pays = self.kind.of(self.rules.natural_pays)
        if self.natural_is_paid_early(upcard):
            return pays
        if self.limits[ACE] == 0 or self.limits[TEN] == 0:
            return self.kind.of(0)
        return pays * (1 - self.natural_chance(upcard, ACE, TEN))

    def natural_is_paid_early(self, upcard: int) -> bool:
        return natural_paid_early(self.rules, rank_of_value(self.rules)[upcard])

    def surrender_worth(self, upcard: int, counts: Array) -> Any:
        """What surrendering two cards, or each of several, is worth."""
        draw = self.draw(upcard)
        share = self.kind.of(self.rules.surrender_share)
        natural = self.kind.of(0)
        if self.rules.surrender_annulled and draw.natural >= 0:
            left = draw.left[draw.natural] - counts[..., draw.natural] * draw.step
            natural = left / (draw.size - 2 * draw.step)
        return -share * (1 - natural) - natural

    # The round

    @property
    @remembered
    def upcards(self) -> list[int]:
        """The values that the dealer's first card can have."""
        return [value for value in range(10) if self.left[value] > 0]

    @property
    @remembered
    def ev(self) -> Any:
        """The player's expectation of a round, in units of the initial wager."""
        total = self.kind.of(0)
        for upcard in self.upcards:
            _, taken, _ = self._with_surrender(upcard)
            total += self.chance(upcard) * (self._weighed(upcard).chance * taken).sum()
        return total
