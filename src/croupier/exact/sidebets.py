"""What the bets beside the main wager are worth, as exact fractions: side bets, insurance, the Super Bonus.

A side bet is a paytable over the first cards of a box. A row's chance is the sum of those of all cards in
their order, each under the row that the table itself would pay (`best_row`). Two things keep the sum short.
Cards are first told as the rows see them: where no row looks at suits one suit stands for all, and of ranks
that no row names only their points or their likeness count. And cards are drawn only while they can still
end in different rows. With p the chance of a row and x what it pays, a lost stake being x = -1, the expected
value is the sum of p x, and the variance that of p x^2 less its square.

Insurance wins with the chance of the ranks that make the dealer's card a natural. For the Super Bonus let
P(k) be the chance that k given boxes all win it; that I miss it while at least one of n others wins it has,
by inclusion and exclusion over them, the chance  sum over j = 1..n of (-1)^(j+1) C(n, j) (P(j) - P(j+1)).
Which cards come in between, and how many, changes none of this: any card is as likely to be next as another.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

from croupier.cards import INDEX, RANKS, SUITS, Card, parse_card
from croupier.errors import ParseError, RulebookError
from croupier.exact.shoe import CardsLeft, fresh
from croupier.game.hand import is_natural_pair, total
from croupier.game.offers import insurable
from croupier.game.paytables import best_row, side_total
from croupier.rulebook.paytable import Pattern, SideBet, SuperBonus
from croupier.rulebook.rules import Rules

Number = Fraction | float
Cards = tuple[Card, ...]
RowChances = dict[str | None, Fraction]  # the chance of each row, and under None that of losing

INITIAL = 2  # cards of a box before anybody decides
LOST = Fraction(-1)


class Payout(Struct, frozen=True):
    """A row of a paytable: what it pays to one, and how often."""

    row: str
    pays: Fraction
    chance: Fraction


class BetValue(Struct, frozen=True):
    """A bet of one unit: how often it is paid by each row, how often it loses, and what that comes to."""

    name: str
    payouts: tuple[Payout, ...]
    loses: Fraction
    ev: Fraction
    variance: Fraction

    @property
    def frequencies(self) -> dict[Fraction, Fraction]:
        """The chance of every net result, the lost stake among them."""
        found = {LOST: self.loses}
        for payout in self.payouts:
            found[payout.pays] = found.get(payout.pays, Fraction(0)) + payout.chance
        return found


class ThirdCard(Struct, frozen=True):
    """Two cards for which a third decides a side bet: its value if the box stands, and if it draws."""

    cards: tuple[str, ...]
    chance: Fraction
    standing: Fraction
    drawing: Fraction


class EvenMoney(Struct, frozen=True):
    """What a natural is worth where even money is offered, in units of the wager."""

    taking: Fraction
    declining: Fraction


class SuperBonusValue(Struct, frozen=True):
    """How often a box wins the Super Bonus, and in dollars a round what that is worth to its wager.

    `others` is the worth of the consolation for what other boxes win.
    """

    chance: Fraction
    below_threshold: Fraction
    from_threshold: Fraction
    others: Fraction


# Side bets


def side_bets(rules: Rules, shoe: CardsLeft) -> tuple[BetValue, ...]:
    """Every side bet of the rules, each card that could still change it taken."""
    return tuple(side_bet(rules, name, shoe) for name in rules.side_bets)


def side_bet(
    rules: Rules, name: str, shoe: CardsLeft, *, cards: int | None = None, upcard: str | None = None
) -> BetValue:
    """One side bet before the first card; `cards`: how many its box takes, if fewer than the bet looks at.

    `upcard` is a rank or card that the dealer has from this shoe.
    """
    bet = _terms(rules, name)
    if cards is not None and cards < INITIAL:
        raise ParseError(f"{cards} cards: a box takes at least {INITIAL}")
    looks = min(cards or bet.first_cards, bet.first_cards)
    shoe = _less(shoe, upcard)
    _require(rules, shoe, looks, name)
    by_row = _row_chances(_Paytable(rules, bet, looks), shoe)
    payouts = (Payout(row, terms.pays, by_row.get(row, Fraction(0))) for row, terms in bet.rows.items())
    return _bet_value(name, tuple(payouts), by_row.get(None, Fraction(0)))


def third_card(rules: Rules, name: str, shoe: CardsLeft, upcard: str | None = None) -> tuple[ThirdCard, ...]:
    """Every two cards, in whichever order, after which a further card can change the side bet.

    A bet that looks at more than three cards has them all drawn.
    """
    bet = _terms(rules, name)
    shoe = _less(shoe, upcard)
    _require(rules, shoe, bet.first_cards, name)
    table = _Paytable(rules, bet, bet.first_cards)
    chances: dict[tuple[tuple[str, ...], Fraction, Fraction], Fraction] = defaultdict(Fraction)
    for cards, chance, rest in _undecided(table, shoe):
        found = best_row(rules, bet, cards)
        standing = found[1].pays if found else LOST
        by_row = _row_chances(table, rest, cards)
        net = ((bet.rows[row].pays if row else LOST) * part for row, part in by_row.items())
        shown = sorted(cards, key=INDEX.__getitem__)
        named = tuple(card if table.suits else card[0] for card in shown)
        chances[named, standing, sum(net, Fraction(0))] += chance
    return tuple(
        ThirdCard(cards=named, chance=chance, standing=standing, drawing=drawing)
        for (named, standing, drawing), chance in chances.items()
    )


def takes_third_card(start: ThirdCard, *, draw: Number, best_without_draw: Number, ratio: Number) -> bool:
    """Is the third card worth its price? `ratio` is the side stake to the main wager.

    `draw` and `best_without_draw` are what the main game is worth to one unit of the main wager.
    """
    return draw + ratio * start.drawing > best_without_draw + ratio * start.standing


def _terms(rules: Rules, name: str) -> SideBet:
    if name not in rules.side_bets:
        raise ParseError(f"there is no side bet {name!r}; there are {', '.join(rules.side_bets) or 'none'}")
    return rules.side_bets[name]


def _less(shoe: CardsLeft, *shown: str | None) -> CardsLeft:
    """The shoe without what was shown: cards, or ranks whose suits nobody knows."""
    for word in filter(None, shown):
        if len(word) > 1:
            shoe = shoe.without(parse_card(word))
            continue
        rank = RANKS.find(word.upper())
        if rank < 0 or not shoe.left[rank]:
            raise ParseError(f"{word!r} is not a rank that the shoe holds")
        if not shoe.endless:
            left = (*shoe.left[:rank], shoe.left[rank] - 1, *shoe.left[rank + 1 :])
            shoe = CardsLeft(left=left, pool=shoe.pool)
    return shoe


def _chance_of_ranks(shoe: CardsLeft, *ranks: str) -> Fraction:
    """The probability that the next cards are of these ranks, in this order."""
    chance = Fraction(1)
    for rank in ranks:
        left = shoe.left[RANKS.index(rank)]
        if not left:
            return Fraction(0)
        chance *= Fraction(left, shoe.size)
        shoe = _less(shoe, rank)
    return chance


def _require(rules: Rules, shoe: CardsLeft, cards: int, what: str) -> None:
    """Hold the shoe to ranks of this game, and to as many cards as are needed."""
    held = [rank for rank, left in zip(RANKS, shoe.left, strict=True) if left]
    if strangers := [rank for rank in held if rank not in rules.ranks]:
        raise ParseError(f"the shoe holds {', '.join(strangers)}, which the packs of this game have not")
    if shoe.size < (1 if shoe.endless else cards):
        raise ParseError(f"too few cards: {what} takes {cards} out of the shoe, which has {shoe.size} left")


def _bet_value(name: str, payouts: tuple[Payout, ...], loses: Fraction) -> BetValue:
    ev = sum((payout.pays * payout.chance for payout in payouts), LOST * loses)
    square = sum((payout.pays**2 * payout.chance for payout in payouts), LOST**2 * loses)
    return BetValue(name, payouts, loses, ev, square - ev**2)


# What a paytable sees

_SUITS = {"same_suit", "same_colour", "suits"}
_PAIRS = {"same_rank"}
_POINTS = {"total_below", "total_above"}
_NAMES = {"ranks"}
_LENGTH = {"cards", "at_least_cards"}


class _Paytable:
    """A side bet that is decided on so many cards, told no more of them than its rows can see."""

    def __init__(self, rules: Rules, bet: SideBet, looks: int) -> None:
        self.rules, self.bet, self.looks = rules, bet, looks
        patterns = [row.when for row in bet.rows.values()]
        used = {
            field
            for field in Pattern.__struct_fields__
            for when in patterns
            if getattr(when, field) is not None
        }
        understood = used <= _SUITS | _PAIRS | _POINTS | _NAMES | _LENGTH
        self.suits = bool(used & _SUITS) or not understood
        self.pairs = bool(used & _PAIRS)
        named = "".join(when.ranks or "" for when in patterns) if understood else rules.ranks
        self._alike = _alike(rules, bet, named, points=bool(used & _POINTS))
        self._pack = [
            Card(rank + suit) for rank in rules.ranks for suit in (SUITS if self.suits else SUITS[0])
        ]
        self._ends: dict[Cards, frozenset[str | None]] = {}

    def seen(self, cards: Cards) -> Cards:
        """The cards by their stand-ins: equal for cards that no row can tell apart."""
        names: dict[str, str] = {}
        for card in cards:
            alike = self._alike[card[0]]
            if card[0] not in names:
                free = (rank for rank in alike if rank not in names.values())
                names[card[0]] = next(free) if self.pairs else alike[0]
        return tuple(Card(names[card[0]] + (card[1] if self.suits else SUITS[0])) for card in cards)

    def ends(self, cards: Cards) -> frozenset[str | None]:
        """The rows in which these first cards may end, whatever comes; None is a lost bet."""
        seen = self.seen(cards)
        if seen not in self._ends:
            if len(seen) == self.looks:
                found = best_row(self.rules, self.bet, seen)
                self._ends[seen] = frozenset({found[0] if found else None})
            else:
                self._ends[seen] = frozenset().union(*(self.ends((*seen, card)) for card in self._pack))
        return self._ends[seen]


def _alike(rules: Rules, bet: SideBet, named: str, *, points: bool) -> dict[str, str]:
    """For each rank those that no row tells from it, likeness to other cards aside."""

    def sight(rank: str) -> tuple[str, int]:
        counted = side_total(rules, bet, (Card(rank + SUITS[0]),)) if points else 0
        return rank if rank in named else "", counted

    return {
        rank: "".join(other for other in rules.ranks if sight(other) == sight(rank)) for rank in rules.ranks
    }


def _next_cards(shoe: CardsLeft, *, suits: bool) -> Iterator[tuple[Card, Fraction]]:
    """The next card and its chance; where suits do not matter one card stands for its rank."""
    for rank, left in zip(RANKS, shoe.left, strict=True):
        held = [card for suit in SUITS if shoe.pool[INDEX[card := Card(rank + suit)]]] if left else []
        if suits:
            yield from ((card, shoe.chance(card)) for card in held)
        elif held:
            yield held[0], Fraction(left, shoe.size)


def _row_chances(table: _Paytable, shoe: CardsLeft, cards: Cards = ()) -> RowChances:
    """The chance of every end of the first cards."""
    by_row: RowChances = defaultdict(Fraction)
    for card, chance in _next_cards(shoe, suits=table.suits):
        grown = (*cards, card)
        ends = table.ends(grown)
        if len(ends) == 1:
            by_row[next(iter(ends))] += chance
        else:
            for end, part in _row_chances(table, shoe.without(card), grown).items():
                by_row[end] += chance * part
    return by_row


def _undecided(
    table: _Paytable, shoe: CardsLeft, cards: Cards = (), chance: Fraction = Fraction(1)
) -> Iterator[tuple[Cards, Fraction, CardsLeft]]:
    """The initial cards of a box that leave the bet open, their chance, and the shoe behind them."""
    if len(cards) == INITIAL:
        yield cards, chance, shoe
        return
    for card, part in _next_cards(shoe, suits=table.suits):
        if len(table.ends((*cards, card))) > 1:
            yield from _undecided(table, shoe.without(card), (*cards, card), chance * part)


# Insurance and even money


def insurance(rules: Rules, shoe: CardsLeft, *shown: str, upcard: str = "A") -> BetValue:
    """One unit of insurance against the dealer's first card; `shown`: other cards or ranks that are known."""
    if upcard[:1] not in tuple(rules.insurance_upcards):
        against = ", ".join(rules.insurance_upcards) or "nothing"
        raise ParseError(f"there is no insurance against {upcard}; it is offered against {against}")
    chance = _natural_comes(rules, shoe, upcard, shown)
    return _bet_value("insurance", (Payout("natural", rules.insurance_pays, chance),), 1 - chance)


def insured(rules: Rules, shoe: CardsLeft, upcard: str = "A") -> Fraction:
    """What a round brings to who lays one unit of insurance whenever the rules leave it open to them."""
    anyone = _chance_of_ranks(shoe, upcard) * insurance(rules, shoe, upcard=upcard).ev
    naturals = Fraction(0)
    for one, other in itertools.product(rules.ranks, repeat=2):
        chance = _chance_of_ranks(shoe, upcard, one, other)
        if chance and is_natural_pair(rules, (Card(one), Card(other))):
            naturals += chance * insurance(rules, shoe, one, other, upcard=upcard).ev
    return {"anyone": anyone, "natural": naturals, "not_natural": anyone - naturals}[rules.insurance_for]


def even_money(
    rules: Rules, shoe: CardsLeft, cards: tuple[str, str] = ("A", "T"), upcard: str = "A"
) -> EvenMoney:
    """A natural against an upcard that opens even money: the offer, and what refusing it is worth.

    Refused, the natural stands off against the dealer's and is paid its odds otherwise.
    """
    if upcard[:1] not in tuple(rules.even_money_upcards):
        against = ", ".join(rules.even_money_upcards) or "nothing"
        raise ParseError(f"there is no even money against {upcard}; it is offered against {against}")
    if not is_natural_pair(rules, (Card(cards[0]), Card(cards[1]))):
        raise ParseError(f"even money is for a natural, and {' '.join(cards)} is none")
    chance = _natural_comes(rules, shoe, upcard, cards)
    return EvenMoney(taking=rules.even_money_pays, declining=rules.natural_pays * (1 - chance))


def _natural_comes(rules: Rules, shoe: CardsLeft, upcard: str, shown: tuple[str, ...]) -> Fraction:
    """The chance that the dealer's second card makes a natural."""
    shoe = _less(shoe, upcard, *shown)
    _require(rules, shoe, 1, "the dealer")
    left = zip(RANKS, shoe.left, strict=True)
    makes = (count for rank, count in left if count and is_natural_pair(rules, (Card(upcard), Card(rank))))
    return Fraction(sum(makes), shoe.size)


# The Super Bonus


def super_bonus(rules: Rules, shoe: CardsLeft, others: int = 0) -> SuperBonusValue:
    """The Super Bonus of a box beside so many other boxes, each with one main wager.

    Every box draws to the cards that lead to it and neither splits nor doubles them. What the hand is paid
    besides belongs to the main game.
    """
    bonus = rules.super_bonus
    if bonus is None:
        raise ParseError("these rules have no Super Bonus")
    if others < 0:
        raise ParseError(f"{others} other boxes: write 0 or more")
    if others and rules.super_bonus_others != "every_wager":
        what = "the part in another's Super Bonus that not every wager has (super_bonus_others)"
        raise RulebookError(f"the solver does not solve {what}")
    hands = _bonus_hands(rules, bonus)
    _require(rules, shoe, len(hands[0]) * (others + 1) + 1, "the Super Bonus")
    all_win = _all_win(bonus, hands)
    together = [all_win(shoe, boxes) for boxes in range(others + 2)]
    missed = sum(
        (-1) ** (j + 1) * math.comb(others, j) * (together[j] - together[j + 1]) for j in range(1, others + 1)
    )
    return SuperBonusValue(
        chance=together[1],
        below_threshold=bonus.below_threshold * together[1],
        from_threshold=bonus.from_threshold * together[1],
        others=Fraction(bonus.others * missed),
    )


def _bonus_hands(rules: Rules, bonus: SuperBonus) -> tuple[Cards, ...]:
    """Every hand, card by card in its order, that the Super Bonus names."""
    when = bonus.when
    length = when.cards or len(when.ranks or "")
    pack = [
        Card(rank + suit) for rank in rules.ranks if rank in (when.ranks or rules.ranks) for suit in SUITS
    ]
    hands = itertools.product(pack, repeat=length)
    fitting = tuple(cards for cards in hands if cards and when.fits(cards, total(rules, cards)[0]))
    if not fitting:
        raise RulebookError("super_bonus names no cards that a box could hold")
    return fitting


def _all_win(bonus: SuperBonus, hands: tuple[Cards, ...]) -> Callable[[CardsLeft, int], Fraction]:
    """P(k) of a shoe: the dealer's first card is the one named, and so many boxes all hold such a hand."""

    @functools.cache
    def all_win(shoe: CardsLeft, boxes: int) -> Fraction:
        if boxes == 0:
            left = zip(RANKS, shoe.left, strict=True)
            return Fraction(sum(count for rank, count in left if rank in bonus.dealer_rank), shoe.size or 1)
        chances = ((cards, chance) for cards in hands if (chance := shoe.chance(*cards)))
        parts = (chance * all_win(shoe.without(*cards), boxes - 1) for cards, chance in chances)
        return sum(parts, Fraction(0))

    return all_win


# All of them


def favourable(rules: Rules, shoe: CardsLeft) -> tuple[BetValue, ...]:
    """The side bets, and insurance with only the upcard known, that favour the player."""
    upcards = [rank for rank in rules.insurance_upcards if shoe.left[RANKS.index(rank)]]
    insured = (insurance(rules, shoe, upcard=upcard) for upcard in upcards)
    return tuple(bet for bet in (*side_bets(rules, shoe), *insured) if bet.ev > 0)


class Advantage(Struct, frozen=True):
    """A bet that favours the player, and by how much of its stake with each number of decks that it does."""

    bet: str
    by_decks: dict[int, Fraction]


def warnings(rules: Rules) -> tuple[Advantage, ...]:
    """The bets that favour the player with a number of decks that the rules permit."""
    found: dict[str, dict[int, Fraction]] = defaultdict(dict)
    for decks in sorted(rules.decks_allowed):
        for bet in favourable(rules, fresh(rules.ranks, decks)):
            found[bet.name][decks] = max(bet.ev, found[bet.name].get(decks, bet.ev))
    return tuple(Advantage(bet, by_decks) for bet, by_decks in found.items())


class Bets(NamedTuple):
    """The other wagers from one shoe; insurance and even money where it holds the cards they are about."""

    side: dict[str, BetValue]
    insurance: dict[str, BetValue]
    with_natural: dict[str, BetValue]
    even_money: dict[str, EvenMoney]
    bonus: SuperBonusValue | None


def bets_with(rules: Rules, decks: int) -> Bets:
    return bets_from(rules, fresh(rules.ranks, decks))


def bets_from(rules: Rules, shoe: CardsLeft, others: int = 0) -> Bets:
    """Every other wager from a shoe; the Super Bonus beside so many other boxes."""
    left = dict(zip(RANKS, shoe.left, strict=True))
    natural = _a_natural(rules, left)

    def held(upcard: str, *cards: str) -> bool:
        wanted = [upcard, *cards]
        return all(left[rank] >= (1 if shoe.endless else wanted.count(rank)) for rank in wanted)

    insured = [upcard for upcard in rules.insurance_upcards if held(upcard)]
    beside = [upcard for upcard in insured if natural and held(upcard, *natural)]
    even = [upcard for upcard in rules.even_money_upcards if natural and held(upcard, *natural)]
    return Bets(
        side={bet.name: bet for bet in side_bets(rules, shoe)},
        insurance={upcard: insurance(rules, shoe, upcard=upcard) for upcard in insured},
        with_natural={
            upcard: insurance(rules, shoe, *natural, upcard=upcard)
            for upcard in beside
            if insurable(rules, natural=True)
        },
        even_money={upcard: even_money(rules, shoe, (natural[0], natural[1]), upcard) for upcard in even},
        bonus=super_bonus(rules, shoe, others) if rules.super_bonus else None,
    )


def _a_natural(rules: Rules, left: dict[str, int]) -> tuple[str, ...]:
    """An ace and a rank worth ten of which there are cards; nothing where no natural can be."""
    made = (rank for rank in rules.ranks[::-1] if is_natural_pair(rules, (Card("As"), Card(rank + "s"))))
    ten = next((rank for rank in made if left[rank]), "")
    return ("A", ten) if ten and left["A"] else ()
