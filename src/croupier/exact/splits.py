"""What a split pair is worth, hand by hand.

Zero-memory play treats every hand of a split alike, so the worth of a split is a sum over its hands, and
each hand needs only its own cards, the dealer's, and what the making of the other hands tells of the
shoe: that so many of their second cards were of the pair's value (and made further hands) and so many
were not. Write

    Q(a, b) = E[worth of a hand; a given cards are of the pair's value, b given others are not]

and Q' for a hand whose own second card is not of the value either. With h hands of which d have their second
card, the next second card makes another hand or completes one, and `ways(h, d)` counts how often each (h, d)
is met. Where fewer hands are made than the most allowed, N, all second cards are of other values; from the
last hand that is allowed on they are free, `last_made(N, d)` times with d hands complete:

    worth = sum over h < N of ways(h, h-1) h Q'(h-2, h-1)
          + sum over d of last_made(N, d) (d Q'(N-2, d-1) + (N-d) Q(N-2, d))

Of few hands Q is had from Q(a, 0), the worth with a such cards gone times the chance that they are: one card
is of the value or is not, so  Q(a, b) = Q(a, b-1) - Q(a+1, b-1).  Those differences grow finer and finer and
would be lost in rounding where there are many hands; then every Q that is needed is worked out by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np
from msgspec import Struct

from croupier.exact.hands import Array

FEW_HANDS = 6
NEGLIGIBLE = 1e-18

Given = Callable[[int, int], Any]  # Q(a, b)


class Differences:
    """Q(a, b) from the row of all Q(a, 0)."""

    def __init__(self, row: list[Any]) -> None:
        self._rows = [row]

    def __call__(self, gone: int, not_gone: int) -> Any:
        while len(self._rows) <= not_gone:
            last = self._rows[-1]
            self._rows.append([here - more for here, more in zip(last, [*last[1:], 0], strict=True)])
        row = self._rows[not_gone]
        return row[gone] if gone < len(row) else 0


class SplitHand(Struct, frozen=True):
    """One hand of a split."""

    any: Given  # the second card is free
    other: Given  # the second card is not of the pair's value


class SecondCards(Struct, frozen=True):
    """Among which cards the second cards of a split are: those of the pair's value, and all."""

    pairs: Any
    size: Any
    step: Any

    def chance(self, gone: int, not_gone: int) -> Any:
        """The chance that so many given cards are of the value and so many others are not."""
        chance, rest = self.size / self.size, self.size - self.pairs
        for drawn in range(gone + not_gone):
            left = self.pairs - drawn * self.step if drawn < gone else rest - (drawn - gone) * self.step
            if left <= 0 or self.size <= drawn * self.step:
                return chance - chance
            chance = chance * left / (self.size - drawn * self.step)
        return chance


class Growth(Struct, frozen=True):
    """Into how many hands a pair may grow, and into how many it does but for chances that change nothing."""

    most: int | None
    made: int

    @property
    def is_limited(self) -> bool:
        return self.made == self.most

    def needed(self, cards: SecondCards) -> list[tuple[int, int]]:
        """All (a, b) of which the sums below ask, but those that can't be."""
        free = range(2, self.made if self.is_limited else self.made + 1)
        last = [(self.made - 2, done) for done in range(self.made)] if self.is_limited else []
        return (
            [(hands - 2, hands - 1) for hands in free] + last + [(gone, 0) for gone in range(self.made - 1)]
        )


def growth_of(most: int | None, cards: SecondCards, *, exact: bool) -> Growth:
    hands = 2
    while hands != most and cards.chance(hands - 1, 0) > 0:
        share = hands * ways(hands, hands - 1) * cards.chance(hands - 2, hands - 1)
        if not exact and 0 < share <= NEGLIGIBLE:
            break
        hands += 1
    return Growth(most, hands)


def by_differences(found: Array, columns: tuple[int, int], cards: SecondCards) -> SplitHand:
    """From the kernel's rows for 0, 1 and more further cards of the value."""
    chances = np.array([cards.chance(gone, 0) for gone in range(len(found))], found.dtype)
    free, other = ((chances * found[:, column]).tolist() for column in columns)
    return SplitHand(any=Differences(free), other=Differences(other))


def one_by_one(
    found: Array, columns: tuple[int, int], cards: SecondCards, gone: list[tuple[int, int]]
) -> SplitHand:
    """From the kernel's rows for just those (a, b)."""
    chances = np.array([cards.chance(*numbers) for numbers in gone], found.dtype)
    free, other = (dict(zip(gone, chances * found[:, column], strict=True)) for column in columns)
    return SplitHand(any=lambda *numbers: free.get(numbers, 0), other=lambda *numbers: other.get(numbers, 0))


def further_cards(most: int, left: int, *, endless: bool) -> int:
    """How many further cards of the pair's value the differences need."""
    needed = max(0, 2 * most - 4)
    return needed if endless else min(needed, left)


def ways(hands: int, done: int) -> int:
    """In how many orders of second cards a split comes to so many hands, so many of them complete."""
    if hands < 2 or done >= hands or done < 0:
        return 0
    cards = hands - 2 + done
    return comb(cards, done) - (comb(cards, done - 2) if done >= 2 else 0)


def last_made(most: int, done: int) -> int:
    """In how many orders the last hand allowed is made while so many are complete."""
    return int(done == 0) if most == 2 else ways(most - 1, done)


def split_worth(growth: Growth, hand: SplitHand) -> Any:
    """The worth of a split."""
    made = growth.made
    worth = sum(
        hands * ways(hands, hands - 1) * hand.other(hands - 2, hands - 1)
        for hands in range(2, made if growth.is_limited else made + 1)
    )
    for done in range(made if growth.is_limited else 0):
        complete = done * hand.other(made - 2, done - 1) if done else 0
        worth += last_made(made, done) * (complete + (made - done) * hand.any(made - 2, done))
    return worth


def first_hand_worth(growth: Growth, hand: SplitHand) -> Any:
    """The same of the first hand alone: it draws until its second card is not of the pair's value."""
    worth = sum(hand.other(gone, 0) for gone in range(growth.made - 2))
    last = hand.any if growth.is_limited else hand.other
    return worth + last(growth.made - 2, 0)


def endless_worth(hand: SplitHand, cards: SecondCards) -> Any:
    """The worth of a split in packs without end and without a limit on its hands.

    So many cards being of the pair's value, a hand is complete with its second card, or becomes two: in all
    there are 2 (1 - p) / (1 - 2p) of them.
    """
    return 2 * hand.other(0, 0) / (1 - 2 * cards.pairs / cards.size)


def endless_first_worth(hand: SplitHand, cards: SecondCards) -> Any:
    """The same of the first hand alone."""
    return hand.other(0, 0) / (1 - cards.pairs / cards.size)
