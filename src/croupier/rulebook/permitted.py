"""What a house may state, setting by setting, in words and with the provision that says so."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from croupier.money import number
from croupier.rulebook.house import House
from croupier.rulebook.provision import Setting, provisions, settings_in
from croupier.rulebook.rules import Rules
from croupier.rulebook.words import words


def permitted(rules: Rules) -> dict[str, tuple[str, str]]:
    """For each house setting what the law permits, and the provision or ground that says so."""
    known = sorted(settings_in(House).items(), key=lambda one: not one[1].is_name)
    officer = " and the officer" if rules.approval_by == "officer" else ""
    approvals = {
        f"approvals.{thing}": (f"the reference of the written approval{officer}", f"approvals.{thing}")
        for thing in rules.approvals
    }
    stated = {name: (_permitted(one, rules), one.behind) for name, one in known}
    return stated | approvals | _side_offers(rules)


def _permitted(setting: Setting, rules: Rules) -> str:
    """What the provision behind a setting permits: words for its value, or words around it."""
    by = setting.by or setting.behind
    if by not in provisions(Rules):
        return setting.permitted
    value = getattr(rules, by)
    chosen = setting.where.get(value) if setting.where else None
    return chosen or setting.permitted.format(words(by, value))


def _side_offers(rules: Rules) -> dict[str, tuple[str, str]]:
    terms = {
        "limits": "off, or a minimum and a maximum",
        "approved_amount": "off, or the approved amount",
        "up_to_main": "off, or on, up to the main wager",
    }
    return {
        bet.offered_as: (terms[bet.stake], f"side_bets.{name}.stake") for name, bet in rules.side_bets.items()
    }


def setting(house: House, name: str) -> Any:
    """A setting by its name in `permitted`: amounts in dollars, a side bet that is not on offer False."""
    if name.startswith("approvals."):
        approval = house.approvals.get(name.partition(".")[2])
        return approval.ref if approval else None
    if name not in settings_in(House):
        offer = house.side_bets.get(name)
        return {part: number(amount) for part, amount in asdict(offer).items()} if offer else False
    value = getattr(house, name)
    return number(value) if settings_in(House)[name].is_amount else value
