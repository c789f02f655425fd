"""Paytables: conditions on cards, what they pay, and the side bets and prizes that are made of them."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.cards import Card, is_red
from croupier.rulebook.provision import Provision

Positive = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]

PART = partial(Provision, "")  # of a provision, in whose section it stands


class Pattern(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition on cards: every part that is given must hold."""

    cards: Annotated[Positive | None, PART("number of cards", {1: "1 card"}, phrase="{} cards")] = None
    at_least_cards: Annotated[Positive | None, PART("number of cards", phrase="{} cards or more")] = None
    ranks: Annotated[str | None, PART("ranks", unit="cards")] = None
    same_rank: Annotated[bool | None, PART("ranks", {True: "a pair", False: "no pair"})] = None
    same_suit: Annotated[bool | None, PART("suits", {True: "of one suit", False: "not of one suit"})] = None
    same_colour: Annotated[bool | None, PART("colours", {True: "of one colour", False: "of two colours"})] = (
        None
    )
    suits: Annotated[
        Annotated[str, Meta(pattern="^[shdc]+$")] | None, PART("suits", phrase="in {}", unit="suits")
    ] = None
    total_below: Annotated[int | None, PART("total", phrase="below {}")] = None
    total_above: Annotated[int | None, PART("total", phrase="above {}")] = None

    def fits(self, cards: tuple[Card, ...], total: int) -> bool:
        return (
            (self.cards is None or len(cards) == self.cards)
            and (self.at_least_cards is None or len(cards) >= self.at_least_cards)
            and (self.ranks is None or sorted(self.ranks) == sorted(card[0] for card in cards))
            and (self.same_rank is None or self.same_rank == (len({card[0] for card in cards}) == 1))
            and (self.same_suit is None or self.same_suit == (len({card[1] for card in cards}) == 1))
            and (self.same_colour is None or self.same_colour == (len({is_red(card) for card in cards}) == 1))
            and (self.suits is None or all(card[1] in self.suits for card in cards))
            and (self.total_below is None or total < self.total_below)
            and (self.total_above is None or total > self.total_above)
        )


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a paytable: what must be shown, and what it pays."""

    when: Annotated[Pattern, PART("")]
    pays: Annotated[Fraction, PART("pays")]
    paid: Annotated[
        Literal["at_once", "after_round"],
        PART("paid", {"at_once": "at once", "after_round": "after the round"}),
    ] = "at_once"


class SideBet(Struct, frozen=True, forbid_unknown_fields=True):
    """A wager on the first cards of a box. No fitting row loses; of several the best pays."""

    first_cards: Annotated[Positive, PART("first cards", phrase="first {}")]
    rows: Annotated[dict[str, Row], PART("")]
    stake: Annotated[
        Literal["limits", "approved_amount", "up_to_main"],
        PART(
            "stake",
            {
                "limits": "within displayed limits",
                "approved_amount": "the approved amount",
                "up_to_main": "up to the main wager",
            },
        ),
    ]
    alone: Annotated[Literal["void", "refused"], PART("alone", {"void": "void", "refused": "refused"})]
    offered_as: Annotated[str, PART("offered as")]
    ace: Annotated[Literal[1, 11], PART("ace", {1: "1", 11: "11"})] = 1


class SuperBonus(Struct, frozen=True, forbid_unknown_fields=True):
    """A prize in dollars for a hand against a dealer's first card, and a consolation for all others."""

    when: Annotated[Pattern, PART("")]
    dealer_rank: Annotated[str, PART("dealer rank", unit="cards")]
    threshold: Annotated[Natural, PART("threshold")]
    below_threshold: Annotated[Natural, PART("below threshold")]
    from_threshold: Annotated[Natural, PART("from threshold")]
    others: Annotated[Natural, PART("others")]
    lost_by_splitting: Annotated[bool, PART("lost by splitting")] = False
