"""What a split pair is worth, hand by hand.

Zero-memory play treats every hand of a split alike, so the worth of a split is a sum over its hands, and
each hand needs only its own cards, the dealer's, and what the making of the other hands tells of the
shoe: that so many of their second cards were of the pair's value (and made further hands) and so many
were not. Write

    Q(a, b) = E[worth of a hand; a given cards are of the pair's value, b given others are not].

Q(a, 0) is the worth with a such cards gone, times the chance that they are. One card is of the value or
is not, so  Q(a, b) = Q(a, b-1) - Q(a+1, b-1).  With h hands of which d have their second card, the next
second card makes another hand or completes one; `ways(h, d)` counts how often each (h, d) is met:

    worth = sum over h < N, d < h of ways(h, d) Q'(h-2, d)  +  sum over d of new(N, d) (N-d) Q(N-2, d)

where Q' is of hands whose second card is not of the pair's value, N the most hands allowed, and new(N, d)
the ways in which the last hand is made while d are complete: from then on second cards are free.
"""

from __future__ import annotations

import functools
from typing import Any

from msgspec import Struct

from croupier.exact.hands import Array

CONVERGED = 1e-14
MOST_HANDS = 60


class Given:
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


def weighed(found: Array, columns: tuple[int, int], left: Any, size: Any, step: Any) -> SplitHand:
    """The kernel's rows, each times the chance that so many cards of the pair's value are gone."""
    chance = size / size
    free, other = [], []
    for gone in range(len(found)):
        free.append(chance * found[gone, columns[0]])
        other.append(chance * found[gone, columns[1]])
        cards = size - gone * step
        chance = chance * (left - gone * step) / cards if cards > 0 else chance - chance
    return SplitHand(any=Given(free), other=Given(other))


def further_cards(most_hands: int | None, left: int, *, endless: bool) -> int:
    """How many further cards of the pair's value the sum above looks at."""
    if most_hands is None:
        return MOST_HANDS if endless else min(left, MOST_HANDS)
    needed = max(0, 2 * most_hands - 4)
    return needed if endless else min(needed, left)


@functools.cache
def ways(hands: int, done: int) -> int:
    """In how many orders of second cards a split comes to so many hands, so many of them complete."""
    if hands < 2 or done >= hands or done < 0:
        return 0
    if hands == 2 and done == 0:
        return 1
    return ways(hands - 1, done) + ways(hands, done - 1)


def last_made(most: int, done: int) -> int:
    """In how many orders the last hand allowed is made while so many are complete."""
    return int(done == 0) if most == 2 else ways(most - 1, done)


def _made(hands: int, hand: SplitHand) -> Any:
    return sum(ways(hands, done) * hand.other(hands - 2, done) for done in range(hands))


def _after_last(most: int, hand: SplitHand) -> Any:
    return sum(
        last_made(most, done) * (most - done) * hand.any(most - 2, done)
        for done in range(most)
        if last_made(most, done)
    )


def split_worth(most: int | None, hand: SplitHand) -> Any:
    """The worth of a split; without a limit, until another hand changes nothing."""
    if most is not None:
        return sum(_made(hands, hand) for hands in range(2, most)) + _after_last(most, hand)
    made = 0
    last = None
    for hands in range(2, MOST_HANDS):
        value = made + _after_last(hands, hand)
        if last is not None and abs(value - last) <= (CONVERGED if isinstance(value, float) else 0):
            return value
        made = made + _made(hands, hand)
        last = value
    return last


def first_hand_worth(most: int | None, hand: SplitHand) -> Any:
    """The same of the first hand alone: it draws until its second card is not of the pair's value."""
    most = MOST_HANDS if most is None else most
    return sum(hand.other(gone, 0) for gone in range(most - 2)) + hand.any(most - 2, 0)
