"""The law of a hand as arrays, filled by asking `game`, one hand at a time.

An answer hangs on a few provisions only. While it is worked out, those that are read are noted, and it
is remembered by their values: the thousands of games of a comparison ask anew only what has changed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar, cast

import numpy as np

from croupier.cards import RANKS, Card
from croupier.exact.hands import ACE, TWENTY_ONE, VALUES, VARIANTS, Array, Limits, hands
from croupier.game.dealer import lowest_total
from croupier.game.hand import Bar, Hand, hand_total, hardened, is_natural_pair, points
from croupier.game.moves import card_bar, double_bar, ended_by_card, stand_bar
from croupier.game.pay import Shown, result
from croupier.rulebook.house import House
from croupier.rulebook.rules import Rules

Answer = TypeVar("Answer")
Provision = tuple[Callable[[Rules], Any], Any]  # how it is read, and the value that it had
REMEMBERED = 64
NATURAL = 0
CARD_OF = {rank: Card(f"{rank}s") for rank in RANKS}  # the law of a hand does not look at suits


class _Read:
    """The rules, or a part of them, with a note of the provisions that were read.

    What has been noted is an attribute from then on, so that a provision read of every hand is noted once.
    """

    def __init__(self, rules: Any, noted: dict[str, Any], within: str = "") -> None:
        self._rules, self._noted, self._within = rules, noted, within

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._rules, name)
        if isinstance(value, House | _Read):
            value = _Read(value, self._noted, f"{name}.")
        else:
            self._noted[self._within + name] = value
        self.__dict__[name] = value
        return value


def _hold(rules: Rules, provisions: list[Provision]) -> bool:
    """Have the provisions these values under the rules? None is read behind the first that has not."""
    for read, value in provisions:  # noqa: SIM110 - a generator takes twice as long
        if read(rules) != value:
            return False
    return True


def remembered(ask: Callable[..., Answer]) -> Callable[..., Answer]:
    """Remember the answers of a function of rules by the provisions that it read for each."""
    known: dict[tuple[Any, ...], list[tuple[list[Provision], Answer]]] = {}

    @functools.wraps(ask)
    def asking(rules: Rules, *others: Any) -> Answer:
        answers = known.setdefault(others, [])
        for provisions, answer in answers:
            if _hold(rules, provisions):
                return answer
        noted: dict[str, Any] = {}
        answer = ask(cast(Rules, _Read(rules, noted)), *others)
        provisions = [(attrgetter(name), value) for name, value in noted.items()]
        known[others] = [*answers[1 - REMEMBERED :], (provisions, answer)]
        return answer

    return asking


# Cards


@remembered
def card_values(rules: Rules) -> dict[str, int]:
    """The value, 0 for an ace to 9 for a ten, of each rank in the packs."""
    worth = points(rules)
    return {rank: worth[rank] - 1 for rank in rules.ranks}


@remembered
def rank_of_value(rules: Rules) -> list[str]:
    """A rank of each value; where the packs have none, one that is never dealt."""
    of_value = {value: rank for rank, value in reversed(card_values(rules).items())}
    return [of_value.get(value, "") for value in range(len(VALUES))]


def cards_with(ranks: list[str], counts: list[int], first_aces: int = 0) -> tuple[Card, ...]:
    """Cards with these counts, of which so many aces, and no more, are among the first two."""
    others: list[Card] = []
    for rank, count in zip(ranks[1:], counts[1:], strict=True):
        if count:
            others += [CARD_OF[rank]] * count
    if not counts[ACE]:
        return tuple(others)
    aces, lead = [CARD_OF[ranks[ACE]]] * counts[ACE], 2 - first_aces
    return (*aces[:first_aces], *others[:lead], *aces[first_aces:], *others[lead:])


@remembered
def cards_of_hands(rules: Rules, limits: Limits) -> list[tuple[Card, ...] | None]:
    """The cards of every hand of the solver; None where the packs have no such card."""
    counts, ranks = hands(limits).counts, rank_of_value(rules)
    lacks: Array = counts[:, [not rank for rank in ranks]].sum(axis=1)
    return [
        None if lacking else cards_with(ranks, held)
        for lacking, held in zip(lacks.tolist(), counts.tolist(), strict=True)
    ]


@remembered
def _held(rules: Rules, limits: Limits, split: bool, split_aces: bool) -> list[Hand | None]:
    """Every hand of the solver as the law sees it; None while it has not two cards, or cannot be."""
    return [
        Hand(cards=cards, split=split, split_aces=split_aces) if cards and len(cards) > 1 else None
        for cards in cards_of_hands(rules, limits)
    ]


# Moves


def _by_hand(rules: Rules, limits: Limits, asks: Callable[[Hand], bool], split: str = "") -> Array:
    """By hand what it is asked; no to one that cannot be, and while it has not two cards."""
    held = _held(rules, limits, bool(split), split == "aces")
    return np.array([hand is not None and asks(hand) for hand in held])


def _open(rules: Rules, bar: Callable[[Rules, Hand], Bar | None], limits: Limits, split: str) -> Array:
    """By hand whether a move is open to it; none is to a hand that its last card ends."""

    def is_open(hand: Hand) -> bool:
        return not ended_by_card(rules, hand, 1) and bar(rules, hand) is None

    return _by_hand(rules, limits, is_open, split)


@remembered
def may_hit(rules: Rules, limits: Limits, split: str = "") -> Array:
    """By hand: may it have a further card? `split`: "", or of split cards "others" or "aces"."""
    return _open(rules, card_bar, limits, split)


@remembered
def may_stand(rules: Rules, limits: Limits, split: str = "") -> Array:
    """By hand: may it stand, or has its last card ended it?"""
    return _by_hand(rules, limits, lambda hand: stand_bar(rules, hand) is None, split)


@remembered
def goes_on(rules: Rules, limits: Limits, split: str = "") -> Array:
    """By hand, the only one of its box: has its last card not ended it?"""
    return _by_hand(rules, limits, lambda hand: not ended_by_card(rules, hand, 1), split)


@remembered
def may_double(rules: Rules, limits: Limits, split: str = "") -> Array:
    return _open(rules, double_bar, limits, split)


@remembered
def naturals(rules: Rules, limits: Limits) -> Array:
    """By hand: is it an ace and a ten-value card?"""
    return _by_hand(rules, limits, lambda hand: is_natural_pair(rules, hand.cards))


# Doubled hands


def looks_at_first_aces(rules: Rules) -> bool:
    """Does what a doubled hand comes to depend on how many of its aces came first?"""
    return 0 < hardened(rules, 3) < 3


@remembered
def doubled_high(rules: Rules, limits: Limits) -> Array:
    """By (hand, value, variant): doubled, and dealt a card of this value, has it an ace that counts high?"""
    table, ranks = hands(limits), rank_of_value(rules)
    high = np.zeros((len(table.size), len(VALUES), VARIANTS), np.bool_)
    by_first = looks_at_first_aces(rules)
    for hand in np.nonzero(may_double(rules, limits))[0].tolist():
        counts, size = table.counts[hand].tolist(), int(table.size[hand])
        fewest, most = max(0, 2 - size + counts[ACE]), min(2, counts[ACE])
        for first in range(fewest, most + 1) if by_first else (fewest,):
            cards = cards_with(ranks, counts, first)
            for value, rank in enumerate(ranks):
                if rank and table.after[hand, value] >= 0:
                    grown = Hand(cards=(*cards, Card(f"{rank}s")), doubled_on=size)
                    high[hand, value, first if by_first else slice(None)] = hand_total(rules, grown)[1]
    return high


# The dealer


@remembered
def natural_value(rules: Rules, upcard: int) -> int:
    """The value of the card that makes a natural of a dealer's first card, or -1."""
    ranks = rank_of_value(rules)
    makes = [
        value
        for value, rank in enumerate(ranks)
        if rank and ranks[upcard] and is_natural_pair(rules, (Card(f"{ranks[upcard]}s"), Card(f"{rank}s")))
    ]
    return makes[0] if makes else -1


@remembered
def results(rules: Rules) -> Array:
    """By (total, column) 1, 0 or -1 for a hand against the dealer's.

    The columns are the totals on which a dealer can stand, the natural (0: what it takes is another
    matter) and the bust.
    """
    dealers = [*range(lowest_total(rules), TWENTY_ONE + 1), NATURAL, TWENTY_ONE + 1]
    return np.array(
        [
            [0 if dealer is NATURAL else result(rules, Shown(total), Shown(dealer))[0] for dealer in dealers]
            for total in range(TWENTY_ONE + 1)
        ],
        np.int8,
    )
