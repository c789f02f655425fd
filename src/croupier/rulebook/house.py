"""What the law leaves to the house: decks within the range, limits, chips, side bets on offer."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from croupier.errors import ParseError, RulebookError
from croupier.money import cents


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


def read_house(settings: dict[str, Any], offers: frozenset[str], where: str) -> House:
    """A House from settings in dollars; `offers` are the names under which side bets may be offered."""
    known = dict(settings)
    side_bets: dict[str, Any] = {}
    for name in offers & known.keys():
        offer = known.pop(name)
        if not isinstance(offer, bool | dict):
            raise RulebookError(f"{where}: {name} = {offer!r}; write true, false, or a table of its terms")
        if offer is not False:
            side_bets[name] = {} if offer is True else offer
    unknown = known.keys() - SETTINGS
    if unknown:
        allowed = ", ".join(sorted(SETTINGS | offers))
        raise RulebookError(
            f"{where}: no such house setting: {', '.join(sorted(unknown))}; there are {allowed}"
        )
    try:
        known |= {name: cents(known[name]) for name in MONEY if name in known}
        known["side_bets"] = {
            name: {part: cents(value) for part, value in offer.items()} for name, offer in side_bets.items()
        }
        known["approvals"] = {
            name: {"ref": given} if isinstance(given, str) else given
            for name, given in known.get("approvals", {}).items()
        }
        return msgspec.convert(known, House)
    except (ParseError, msgspec.ValidationError, AttributeError) as error:
        raise RulebookError(f"{where}: bad house setting: {error}") from None
