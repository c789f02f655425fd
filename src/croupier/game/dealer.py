"""The dealer's own hand: when a card is drawn to it, and what a natural of it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from croupier.cards import Card
from croupier.game.hand import points, total
from croupier.rulebook.rules import DealerNaturalTakes, Rules

SOFT_17 = 17


def stands_on(rules: Rules, cards: tuple[Card, ...]) -> bool:
    """Is no card drawn to these cards of a dealer?"""
    if len(cards) < 2:
        return False
    value, soft = total(rules, cards)
    if value == SOFT_17 and soft and rules.soft_17 == "hit":
        return False
    return value > rules.dealer_draws_to


# What of the boxes' wagers hangs on the dealer's further cards: nothing, only whether there is a natural, or
# the total.
Hangs = Literal["nothing", "natural", "total"]


def draws(rules: Rules, cards: tuple[Card, ...], hangs: Callable[[], Hangs]) -> bool:
    """Must the dealer draw to these cards, every box being done? Some rulebooks say so regardless.

    What hangs on it is asked only where that matters.
    """
    if stands_on(rules, cards):
        return False
    if rules.dealer_draws_when_decided:
        return True
    found = hangs()
    return found == "total" or (found == "natural" and len(cards) < 2)


def lawful_cards(rules: Rules, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Of a dealer's cards in their order those up to which the dealer draws."""
    stands = (count for count in range(2, len(cards)) if stands_on(rules, cards[:count]))
    return cards[: next(stands, len(cards))]


def lowest_total(rules: Rules) -> int:
    """The lowest total on which a dealer can stand."""
    return rules.dealer_draws_to + 1


def natural_possible(rules: Rules, first: str) -> bool:
    """Could a first card of this rank become a natural?"""
    return first == "A" or points(rules)[first] == 10


class NaturalTakes(NamedTuple):
    """What a dealer natural takes of a bettor's hands on a box that were split or doubled.

    `from_live`: of the hands that live each gives a stake, or only the first of them, or only the box's
    first hand if it lives. `doubles`: a doubled stake goes whole, not only its original. `gives_back`:
    what was lost before counts towards the one wager that is taken, and the rest comes back.
    """

    from_live: Literal["each", "first_live", "first_hand"]
    doubles: bool = False
    gives_back: bool = False


NATURAL_TAKES: dict[DealerNaturalTakes, NaturalTakes] = {
    "all": NaturalTakes("each", doubles=True),
    "one_per_live_hand": NaturalTakes("each"),
    "original_and_busted": NaturalTakes("first_hand"),
    "busted_and_one": NaturalTakes("first_live"),
    "original": NaturalTakes("first_live", gives_back=True),
}


def natural_takes(rules: Rules) -> NaturalTakes:
    return NATURAL_TAKES[rules.dealer_natural_takes]


def taken(takes: NaturalTakes, original: int, whole: int, *, first_hand: bool, first_live: bool) -> int:
    """What a dealer natural takes of a live stake: on the box's first hand, on the first that lives?"""
    gives = {"each": True, "first_live": first_live, "first_hand": first_hand}[takes.from_live]
    if not gives:
        return 0
    return whole if takes.doubles else original


def given_back(takes: NaturalTakes, lost: int, original: int, *, lives: bool) -> int:
    """What comes back of all that a bettor had lost on a box before; does a hand of theirs live?

    Without one that lives, the one wager that is taken is among what was lost.
    """
    if not takes.gives_back or not lost:
        return 0
    return lost if lives else lost - original
