"""What is told of a solved game, as plain records: to read them nothing needs to be compiled or solved."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from typing import Any, Literal

from msgspec import Struct

# How hands of a split are played: by their cards, all alike; each by itself; by totals; by numbers of cards.
PostSplit = Literal["cdz", "cdp", "total", "cards"]


class Cell(Struct, frozen=True):
    """All hands of one total, or one pair, against one first card.

    `action` is what the chart says, and `share` how many of the hands are played so, by how often they come
    up; `others` are the actions of the rest. `worth` is the mean over the hands of each action's worth,
    `chance` how often a decision falls here in a round.
    """

    upcard: str
    row: str
    action: str
    share: float
    others: tuple[str, ...]
    worth: dict[str, float]
    chance: float


class Spread(Struct, frozen=True):
    """The results of a round, in units of the initial wager, and their chances: floats, or fractions.

    `split_share` is how often a pair is split, `three_hands` how often it comes to three hands or more.
    """

    results: dict[Fraction, Any]
    ev: Any
    variance: Any
    split_share: Any
    three_hands: Any

    @property
    def deviation(self) -> float:
        return sqrt(self.variance)


class Start(Struct, frozen=True):
    """The first two cards of a box against a first card of the dealer, under the play that was solved.

    `chance` is that of all three cards in a round, `ev` what the round is then worth. `suits` says which
    two cards are meant where suits are played for: `mixed`, `suited` or `spades`. `action` is as in a file of
    play, and empty for a natural, which has none.
    """

    upcard: str
    hand: str
    suits: str
    chance: float
    ev: float
    action: str


class Upcard(Struct, frozen=True):
    """A first card of the dealer: its chance, and what a round is worth against it."""

    chance: float
    ev: float


def by_upcard(starts: Iterable[Start]) -> dict[str, Upcard]:
    """What a round is worth against each first card of the dealer."""
    sums: dict[str, tuple[float, float]] = {}
    for start in starts:
        chance, worth = sums.get(start.upcard, (0.0, 0.0))
        sums[start.upcard] = chance + start.chance, worth + start.chance * start.ev
    return {upcard: Upcard(chance, worth / chance) for upcard, (chance, worth) in sums.items()}
