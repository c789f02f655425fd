"""A house's settings as people write them, amounts in dollars, read into a `House`.

What is missing, unknown or of the wrong kind is refused by the file that says it and, where there is
one, the clause that leaves it to the house.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from croupier.errors import ParseError, RulebookError
from croupier.money import cents
from croupier.rulebook.choose import offers
from croupier.rulebook.grounds import is_ground
from croupier.rulebook.house import Approval, House, SideOffer
from croupier.rulebook.provision import settings_in, types
from croupier.rulebook.rules import Rules

if TYPE_CHECKING:
    from croupier.rulebook.book import Rulebook


def required(rules: Rules) -> tuple[str, ...]:
    """The settings that a house must state by itself; approvals are asked for one by one."""
    always = tuple(name for name, known in settings_in(House).items() if known.must_state)
    return (*always, "licence") if rules.licence_needed else always


class Cents:
    """The kind of an amount, which is written in dollars."""


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
        plain = [name for name in self.settings if name in settings_in(House)]
        offered = [name for name in sorted(self.offers) if self.settings.get(name, False) is not False]
        return House(
            **{name: self._setting(name) for name in plain},
            approvals=self._approvals(self.settings.get("approvals", {})),
            side_bets={name: self._offer(name, self.settings[name]) for name in offered},
        )

    def _check_names(self) -> None:
        known = {*settings_in(House), "approvals", *self.offers, *self.book.options()}
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
                why = f"{name} is missing, and a house must state its own"
                self._refuse(why, settings_in(House)[name].behind)

    def _setting(self, name: str) -> Any:
        known = settings_in(House)[name]
        kind = Cents if known.is_amount else types(House)[name]
        return self._read(name, self.settings[name], kind, known.behind)

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
