"""A house's settings as people write them, amounts in dollars, read into a `House`.

What is missing, unknown or of the wrong kind is refused by the file that says it and, where there is
one, the clause that leaves it to the house.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, NoReturn, get_type_hints

import msgspec

from croupier.errors import ParseError, RulebookError
from croupier.money import cents
from croupier.rulebook.choose import offers
from croupier.rulebook.house import MONEY, SETTINGS, Approval, House, SideOffer
from croupier.rulebook.rules import Rules, is_ground

if TYPE_CHECKING:
    from croupier.rulebook.book import Rulebook

# The provision or ground behind each setting.
BEHIND = {
    "name": "",
    "operator": "operator",
    "licence": "licence_needed",
    "decks": "decks_allowed",
    "minimum": "limits_displayed",
    "maximum": "limits_displayed",
    "multiple": "wager_multiples",
    "smallest_chip": "float",
    "boxes": "box",
    "several_boxes": "several_boxes",
    "cutting_cards": "cutting_cards_allowed",
    "automated_shoe": "automated_shoe",
    "back_designs": "one_back_design",
    "shuffle": "approved_shuffle",
    "approved_shuffles": "approved_shuffle",
    "bank_holder": "bank_held_by_licensee",
    "bank_shares": "bank_share",
    "hours": "hours",
    "officer_available": "closure_notice_to_officer",
    "withhold": "must_offer",
    "insurance_step": "insurance_step_share",
}


class Cents:
    """The kind of an amount, which is written in dollars."""


KINDS = get_type_hints(House) | dict.fromkeys(MONEY, Cents)


def required(rules: Rules) -> tuple[str, ...]:
    """The settings that a house must state by itself; approvals are asked for one by one."""
    always = ("name", "operator", "decks", "minimum", "maximum", "multiple", "smallest_chip")
    return (*always, "licence") if rules.licence_needed else always


class Settings:
    """The settings of one house under a rulebook; options among them are the rulebook's to read."""

    def __init__(self, book: Rulebook, settings: dict[str, Any], file: str) -> None:
        self.book = book
        self.settings = settings
        self.file = file
        self.offers = offers(book.rules)

    def house(self) -> House:
        """The house that the settings describe."""
        self._check_names()
        self._check_required()
        plain = [name for name in self.settings if name in BEHIND]
        offered = [name for name in sorted(self.offers) if self.settings.get(name, False) is not False]
        return House(
            **{name: self._read(name, self.settings[name], KINDS[name], BEHIND[name]) for name in plain},
            approvals=self._approvals(self.settings.get("approvals", {})),
            side_bets={name: self._offer(name, self.settings[name]) for name in offered},
        )

    def _check_names(self) -> None:
        known = SETTINGS | self.offers | self.book.options().keys()
        for name in sorted(self.settings.keys() - known):
            if is_ground(name):
                self._refuse(f"{name} is not the house's to choose in {self.book.id}", name)
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"perhaps {near[0]}" if near else f"there are {', '.join(sorted(known))}"
            self._refuse(f"no such house setting: {name!r}; {hint}")

    def _check_required(self) -> None:
        for name in required(self.book.rules):
            value = self.settings.get(name, "")
            if isinstance(value, str) and not value.strip():
                self._refuse(f"{name} is missing, and a house must state its own", BEHIND[name])

    def _approvals(self, given: Any) -> dict[str, Approval]:
        """Approvals by their references, or as tables of all there is to them."""
        if not isinstance(given, dict):
            self._refuse(f"approvals = {given!r}: write a table of them", "approvals")
        tables = {thing: {"ref": one} if isinstance(one, str) else one for thing, one in given.items()}
        names = {thing: f"approvals.{thing}" for thing in tables}
        return {thing: self._read(names[thing], one, Approval, names[thing]) for thing, one in tables.items()}

    def _offer(self, name: str, terms: Any) -> SideOffer:
        bets = self.book.rules.side_bets
        behind = next(f"side_bets.{key}.stake" for key, bet in bets.items() if bet.offered_as == name)
        if not isinstance(terms, bool | dict):
            self._refuse(f"{name} = {terms!r}: write true, false, or a table of its terms", behind)
        amounts = terms.items() if isinstance(terms, dict) else ()
        in_cents = {part: self._read(f"{name}.{part}", amount, Cents, behind) for part, amount in amounts}
        offer: SideOffer = self._read(name, in_cents, SideOffer, behind)
        return offer

    def _read(self, name: str, value: Any, kind: Any, behind: str) -> Any:
        """A value in the type of its setting, amounts as cents."""
        try:
            return cents(value) if kind is Cents else msgspec.convert(value, kind)
        except (ParseError, msgspec.ValidationError) as error:
            self._refuse(f"{name} = {value!r}: {str(error).partition(' - at')[0]}", behind)

    def _refuse(self, problem: str, behind: str = "") -> NoReturn:
        raise RulebookError(f"{self.file}: {problem}", self.book.citations(behind)[:1])
