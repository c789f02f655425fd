"""A hand as the law looks at it, and what its cards are worth."""

from __future__ import annotations

import functools
from typing import NamedTuple

from msgspec import Struct

from croupier.cards import RANKS, Card
from croupier.rulebook.rules import Rules

TWENTY_ONE = 21


class Hand(Struct, frozen=True, gc=False):
    """The cards of a hand in their order, and what has been done with it.

    `doubled_on` is how many cards the hand had when it was doubled, 0 where it was not.
    """

    cards: tuple[Card, ...] = ()
    split: bool = False
    split_aces: bool = False
    doubled_on: int = 0
    surrendered: bool = False


class Bar(NamedTuple):
    """Why something is not open to a hand: the provision, the reason, and others that would bar it too."""

    provision: str
    why: str
    also: tuple[str, ...] = ()


@functools.lru_cache(maxsize=64)
def _points(face_value_ranks: str, ten_ranks: str, ace_low: int) -> dict[str, int]:
    return {
        rank: ace_low if rank == "A" else 10 if rank in ten_ranks or rank == "T" else int(rank)
        for rank in RANKS
        if rank == "A" or rank in ten_ranks or rank in face_value_ranks
    }


def points(rules: Rules) -> dict[str, int]:
    """The points of each rank, an ace counted low."""
    return _points(rules.face_value_ranks, rules.ten_ranks, rules.ace_low)


def total(rules: Rules, cards: tuple[Card, ...], hardened: int = 0) -> tuple[int, bool]:
    """The best total of the cards and whether it is soft.

    One ace may count high; aces among the first `hardened` cards may not.
    """
    # Not remembered: there are too many hands, and to keep them costs more than to add them up.
    value = points(rules)
    low, free_ace = 0, False
    for card in cards:
        rank = card[0]
        low += value[rank]
        if rank == "A":
            free_ace = True
    if free_ace and hardened:
        free_ace = any(card[0] == "A" for card in cards[hardened:])
    if free_ace:
        high = low + rules.ace_high - rules.ace_low
        if high <= TWENTY_ONE:
            return high, True
    return low, False


def hand_total(rules: Rules, hand: Hand) -> tuple[int, bool]:
    """The total of a player's hand; a double may have hardened its aces."""
    return total(rules, hand.cards, hardened(rules, hand.doubled_on) if hand.doubled_on else 0)


def hardened(rules: Rules, doubled_on: int) -> int:
    """Among how many first cards of a hand doubled on so many do aces count low?"""
    return {"free": 0, "first_two": 2, "all_before": doubled_on}[rules.double_aces]


def is_natural_pair(rules: Rules, cards: tuple[Card, ...]) -> bool:
    """An ace and a ten-value card, and nothing else."""
    if len(cards) != 2:
        return False
    first, second = cards[0][0], cards[1][0]
    if first == "A":
        return points(rules)[second] == 10
    return second == "A" and points(rules)[first] == 10


def is_natural(rules: Rules, hand: Hand) -> bool:
    """A natural of a player: on a split hand only where the rules count it."""
    return (not hand.split or rules.natural_after_split) and is_natural_pair(rules, hand.cards)


def must_draw(rules: Rules, hand: Hand) -> bool:
    """Is the hard total so low that the hand may not stand?"""
    value, soft = hand_total(rules, hand)
    return not soft and value < rules.must_draw_below_hard and not hand.split_aces


def split_value(rules: Rules, cards: tuple[Card, ...]) -> int | None:
    """The points of each of two equal cards, or None where there is no such pair."""
    if len(cards) != 2:
        return None
    value = points(rules)
    first, second = value[cards[0][0]], value[cards[1][0]]
    return first if first == second else None


def value_basis(rules: Rules, cards: tuple[Card, ...]) -> tuple[str, ...]:
    """The provisions from which the cards have their points."""
    basis = ["values"]
    for card in cards:
        rank = card[0]
        if rank == "A":
            basis.append("ace_low")
        elif rank in rules.ten_ranks:
            basis.append("ten_ranks")
        else:
            basis.append("face_value_ranks")
    return tuple(dict.fromkeys(basis))
