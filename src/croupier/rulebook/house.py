"""What the law leaves to the house: decks within the range, limits, chips, side bets on offer."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.rulebook.provision import Setting

# What holds of any table; the rest is for the law to say (`rulebook/choose.py`).
Decks = Annotated[int, Meta(ge=1, le=100)]
Boxes = Annotated[int, Meta(ge=1, le=20)]
Positive = Annotated[int, Meta(ge=1)]

LICENSEE = "licence holder"
BANK_HOLDERS = (LICENSEE, "employee of the licence holder")

AMOUNT = partial(Setting, is_amount=True)
YES_OR_NO = "yes or no"


class Approval(Struct, frozen=True, forbid_unknown_fields=True):
    """A reference to an approval, and how it was given."""

    ref: str = ""
    written: bool = True
    officer: str = ""


class SideOffer(Struct, frozen=True, forbid_unknown_fields=True):
    """A side bet on offer: limits, or the one approved amount, in cents (0 where not set)."""

    minimum: int = 0
    maximum: int = 0
    amount: int = 0


class House(Struct, frozen=True, forbid_unknown_fields=True):
    """The house's choices. Amounts are cents.

    Approvals and side bets are asked for one by one, as far as the rules know them.
    """

    name: Annotated[str, Setting("", "a name", must_state=True, is_name=True)] = ""
    decks: Annotated[Decks, Setting("decks_allowed", "{}", must_state=True)] = 6
    minimum: Annotated[
        Positive,
        AMOUNT(
            "limits_displayed", "an amount up to the maximum, a whole number of multiples", must_state=True
        ),
    ] = 1000
    maximum: Annotated[
        Positive, AMOUNT("limits_displayed", "an amount, a whole number of multiples", must_state=True)
    ] = 50000
    multiple: Annotated[
        Positive, AMOUNT("wager_multiples", "an amount that every odds pay in whole cents", must_state=True)
    ] = 500
    smallest_chip: Annotated[Positive, AMOUNT("float", "an amount", must_state=True)] = 500
    boxes: Annotated[Boxes, Setting("box", "1 to 20")] = 7
    several_boxes: Annotated[bool, Setting("several_boxes", YES_OR_NO, {"always": "yes"})] = True
    cutting_cards: Annotated[Positive, Setting("cutting_cards_allowed", "{}")] = 1
    automated_shoe: Annotated[bool, Setting("automated_shoe", "no", {True: YES_OR_NO})] = False
    back_designs: Annotated[int, Setting("one_back_design", "any number", {True: "1"})] = 1
    shuffle: Annotated[str, Setting("approved_shuffle", "one of the approved shuffles")] = "S1"
    approved_shuffles: Annotated[
        tuple[str, ...], Setting("approved_shuffle", "those that have been approved")
    ] = ("S1",)
    operator: Annotated[str, Setting("operator", "a name", must_state=True, is_name=True)] = "the operator"
    licence: Annotated[str, Setting("licence_needed", "any or none", {True: "a licence"}, is_name=True)] = ""
    bank_holder: Annotated[
        str, Setting("bank_held_by_licensee", "anybody", {True: " or ".join(BANK_HOLDERS)})
    ] = LICENSEE
    bank_shares: Annotated[
        dict[str, int],
        Setting("bank_share", "any", {True: "the licence holder's"}, by="bank_held_by_licensee"),
    ] = {}
    hours: Annotated[str, Setting("hours", "a span as 12:00-06:00, or none")] = ""
    officer_available: Annotated[bool, Setting("closure_notice_to_officer", YES_OR_NO)] = False
    approvals: dict[str, Approval] = {}
    withhold: Annotated[
        tuple[Literal["double", "split", "insurance"], ...], Setting("must_offer", "none of {}")
    ] = ()
    insurance_step: Annotated[
        int, Meta(ge=0), AMOUNT("insurance_step_share", "not used: {}", {None: "an amount"})
    ] = 0
    side_bets: dict[str, SideOffer] = {}
