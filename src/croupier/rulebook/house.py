"""What the law leaves to the house: decks within the range, limits, chips, side bets on offer."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


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
    decks: int = 6
    minimum: int = 1000
    maximum: int = 50000
    multiple: int = 500
    smallest_chip: int = 500
    boxes: int = 7
    several_boxes: bool = True
    cutting_cards: int = 1
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
    insurance_step: int = 0
    side_bets: dict[str, SideOffer] = {}


MONEY = ("minimum", "maximum", "multiple", "smallest_chip", "insurance_step")
SETTINGS = frozenset(House.__struct_fields__) - {"side_bets"}
