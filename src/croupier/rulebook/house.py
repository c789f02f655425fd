"""What the law leaves to the house: decks within the range, limits, chips, side bets on offer."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

# What holds of any table; the rest is for the law to say (`rulebook/choose.py`).
Decks = Annotated[int, Meta(ge=1, le=100)]
Boxes = Annotated[int, Meta(ge=1, le=20)]
Positive = Annotated[int, Meta(ge=1)]


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
    """The house's choices. Amounts are cents."""

    name: str = ""
    decks: Decks = 6
    minimum: Positive = 1000
    maximum: Positive = 50000
    multiple: Positive = 500
    smallest_chip: Positive = 500
    boxes: Boxes = 7
    several_boxes: bool = True
    cutting_cards: Positive = 1
    automated_shoe: bool = False
    back_designs: int = 1
    shuffle: str = "S1"
    approved_shuffles: tuple[str, ...] = ("S1",)
    operator: str = "the operator"
    licence: str = ""
    bank_holder: str = "licence holder"
    bank_shares: dict[str, int] = {}
    hours: str = ""
    officer_available: bool = False
    approvals: dict[str, Approval] = {}
    withhold: tuple[Literal["double", "split", "insurance"], ...] = ()
    insurance_step: Annotated[int, Meta(ge=0)] = 0
    side_bets: dict[str, SideOffer] = {}


MONEY = ("minimum", "maximum", "multiple", "smallest_chip", "insurance_step")
SETTINGS = frozenset(House.__struct_fields__) - {"side_bets"}
