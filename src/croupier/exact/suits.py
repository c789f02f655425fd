"""Splits of a pair whose suits are seen, where some kinds of it are split again and others are not.

The ranks of the cards are counted as in `splits.py`. Beside them the suits of the pair's cards that have
come up are followed one by one: given how many cards of that rank have been seen, and in which suits, the
next is of each suit as often as the pool still holds it, whatever else has left the shoe unseen.

A prize for the pair's suits is lost to the box once suited cards are split. That a later split can still
take a prize already shown is left out: it needs five cards of the rank on one box, three of one suit.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from croupier.cards import INDEX, SUITS, Card
from croupier.exact.game import Prize, paid_for, suits_of
from croupier.exact.hands import MIXED, SPADES, SUITED, VALUES, VARIANTS, counts_of
from croupier.exact.kernels import Law
from croupier.exact.memory import remembered
from croupier.exact.splits import SplitHand, by_differences

if TYPE_CHECKING:
    from croupier.exact.solver import Solver

Seen = tuple[int, ...]  # how many cards of the pair's rank were seen, suit by suit

Again = tuple[bool, ...]  # which kinds of the pair are split again


class SuitedSplit:
    """A split of a pair against a first card."""

    def __init__(self, solver: Solver, upcard: int, pair: int) -> None:
        self.solver = solver
        self.rank = VALUES[pair]
        self.pool = [solver.shoe.pool[INDEX[Card(self.rank + suit)]] for suit in SUITS]
        self.most = solver.most_hands(pair) or 0
        prize = solver.prize_against(upcard)
        self.paid = {barred: self._paid(None if barred else prize) for barred in (True, False)}
        self.memory: dict[Any, Any] = {}
        self._follow_hands(upcard, pair)

    def _follow_hands(self, upcard: int, pair: int) -> None:
        solver = self.solver
        draw = solver.draw(upcard, pair, pair)
        cards = 2 * self.most + 1
        if not solver.shoe.endless:
            cards = min(cards, int(draw.left[pair]))
        plan, gone = solver.unsplit(upcard).plan, [(number, 0) for number in range(cards + 1)]

        def followed(law: Law) -> SplitHand:
            found = solver.follow(upcard, pair, draw, plan, gone, law).copy()
            found[:, 0] -= found[:, 2]  # what is left of any second card is the pair's own value
            return by_differences(found, (0, 2), solver.second_cards(upcard, pair))

        self.other = [followed(self._law_of_suit(suit, pair)).other for suit in SUITS]
        self.paired = [
            (followed(self._law_of_kind(kind, pair, 0)).any, followed(self._law_of_kind(kind, pair, 1)).any)
            for kind in range(VARIANTS)
        ]

    def _row(self, *values: int) -> int:
        return int(self.solver.law.suited[self.solver.number[counts_of(list(values))]])

    def _law_of_suit(self, suit: str, pair: int) -> Law:
        """The law as a hand sees it whose first card is of this suit."""
        law = self.solver.law
        mix = law.suited_mix.copy()
        for value in range(10):
            counts = counts_of([pair, value])
            if value == pair or counts not in self.solver.number or self._row(pair, value) < 0:
                continue
            pool = [self.solver.shoe.pool[INDEX[Card(VALUES[value] + other)]] for other in SUITS]
            alike = self.solver.kind.of(Fraction(pool[SUITS.index(suit)], max(1, sum(pool))))
            row = self._row(pair, value)
            mix[row] = 0
            mix[row, SPADES if suit == "s" else SUITED] = alike
            mix[row, MIXED] = 1 - alike
        return law._replace(suited_mix=mix)

    def _law_of_kind(self, kind: int, pair: int, odds: int) -> Law:
        """The law for a second card that makes the pair of this kind, a third of it paid at these odds."""
        law = self.solver.law
        row = self._row(pair, pair)
        mix, paid = law.suited_mix.copy(), law.suited_odds.copy()
        mix[row] = 0
        mix[row, kind] = 1
        paid[row, pair, kind] = odds
        return law._replace(suited_mix=mix, suited_odds=paid)

    # Suits

    def pairs_of(self, kind: int) -> dict[tuple[int, int], Any]:
        """The suits of a pair of this kind, and how often it has them."""
        found = {
            (first, second): self.share(first, ()) * self.share(second, (first,))
            for first, second in product(range(4), repeat=2)
            if self.kind(first, second) == kind
        }
        whole = sum(found.values())
        return {suits: weight / whole for suits, weight in found.items() if weight > 0}

    def share(self, suit: int, suits: tuple[int, ...]) -> Any:
        """How often the next card of the rank is of this suit, when cards of these suits were seen."""
        return self._share(suit, tuple(suits.count(one) for one in range(4)))

    @remembered
    def _share(self, suit: int, seen: Seen) -> Any:
        """How often the next card of the rank is of this suit."""
        step = self.solver.step
        left = max(0, self.pool[suit] - step * seen[suit])
        return self.solver.kind.of(left) / max(1, sum(self.pool) - step * sum(seen))

    @remembered
    def kind(self, first: int, second: int) -> int:
        return suits_of(self._card(first), self._card(second))

    def _card(self, suit: int) -> Card:
        return Card(self.rank + SUITS[suit])

    def _paid(self, prize: Prize | None) -> dict[tuple[int, ...], Any]:
        """What three cards of the rank are paid, by their suits."""
        rules = self.solver.rules
        rows = tuple(rules.bonus_rows.items())
        found = {}
        for suits in product(range(4), repeat=3):
            cards = tuple(self._card(suit) for suit in suits)
            found[suits] = self.solver.kind.of(paid_for(cards, rows, rules.win_pays, prize).odds)
        return found

    # Hands

    def worth(self, kind: int, again: Again) -> Any:
        """The worth of splitting a pair of this kind, if such kinds are split again."""
        total = self.solver.kind.of(0)
        for (first, second), weight in self.pairs_of(kind).items():
            seen = _with(_with((0,) * 4, first), second)
            total += weight * self._hands(again, kind != MIXED, (first, second), 2, 0, seen)
        return total

    @remembered
    def _hands(
        self, again: Again, barred: bool, waiting: tuple[int, ...], hands: int, done: int, seen: Seen
    ) -> Any:
        """The worth of the hands that wait for a second card, `done` others having had one that differs."""
        if not waiting:
            return 0
        if hands == self.most:
            return sum(self._free(barred, first, done, seen) for first in waiting)
        first, rest = waiting[0], waiting[1:]
        gone = sum(seen) - 2
        total = self.other[first](gone, done) + self._hands(again, barred, rest, hands, done + 1, seen)
        for second in range(4):
            share = self._share(second, seen)
            if share == 0:
                continue
            more = _with(seen, second)
            kind = self.kind(first, second)
            if again[kind]:
                split = first, second, *rest
                total += share * self._hands(again, barred or kind != MIXED, split, hands + 1, done, more)
            else:
                pair = self._pair(barred, first, second, gone, done, more)
                total += share * (pair + self._hands(again, barred, rest, hands, done, more))
        return total

    @remembered
    def _free(self, barred: bool, first: int, done: int, seen: Seen) -> Any:
        """The worth of a hand once no further hand may be made."""
        gone = sum(seen) - 2
        total = self.other[first](gone, done)
        for second in range(4):
            share = self._share(second, seen)
            if share > 0:
                total += share * self._pair(barred, first, second, gone, done, _with(seen, second))
        return total

    @remembered
    def _pair(self, barred: bool, first: int, second: int, gone: int, done: int, seen: Seen) -> Any:
        """The worth of a pair that is not split: linear in what a third card of the rank is paid."""
        without, at_evens = self.paired[self.kind(first, second)]
        paid = self.paid[barred]
        odds = sum(self._share(third, seen) * paid[first, second, third] for third in range(4))
        plain = without(gone, done)
        return plain + odds * (at_evens(gone, done) - plain)


def _with(seen: Seen, suit: int) -> Seen:
    return (*seen[:suit], seen[suit] + 1, *seen[suit + 1 :])
