"""Houses made up to show the games: one for each rulebook that comes with Croupier, one for any other.

Nobody has approved or licensed them, and their references say so.
"""

from __future__ import annotations

import math
from importlib import resources
from typing import Any

from croupier.money import number
from croupier.rulebook.choose import whole_cents
from croupier.rulebook.house import House
from croupier.rulebook.rules import Rules
from croupier.rulebook.toml import parse

NAME = "Demonstration house"
MADE_UP = "DEMONSTRATION"

# Terms for a side bet that a house has not set any for, by what its stake must be.
TERMS: dict[str, dict[str, Any]] = {
    "limits": {"minimum": 2, "maximum": 50},
    "approved_amount": {"amount": 5},
    "up_to_main": {},
}


def shipped(name: str) -> dict[str, Any]:
    """The settings in the demonstration house's file of one of our rulebooks."""
    file = resources.files("croupier") / "houses" / f"{name}.toml"
    settings = parse(file.read_text("utf-8"), str(file))
    del settings["rulebook"]
    return settings


def derived(rules: Rules) -> dict[str, Any]:
    """Settings that fit the rules: decks permitted, limits that every odds pays, all approvals."""
    usual = House()
    multiple = usual.multiple
    coin = math.lcm(whole_cents(rules), (rules.insurance_step_share or 1).denominator)
    if multiple % coin:
        multiple = 100 * coin
    decks = usual.decks if usual.decks in rules.decks_allowed else max(rules.decks_allowed, default=0)
    officer = {"officer": MADE_UP} if rules.approval_by == "officer" else {}
    settings = {
        "name": NAME,
        "operator": usual.operator,
        "decks": decks,
        "minimum": number(2 * multiple),
        "maximum": number(100 * multiple),
        "multiple": number(multiple),
        "smallest_chip": number(multiple),
        "cutting_cards": min(rules.cutting_cards_allowed, default=1),
        "approvals": {thing: {"ref": MADE_UP} | officer for thing in rules.approvals},
    }
    return settings | ({"licence": MADE_UP} if rules.licence_needed else {})
