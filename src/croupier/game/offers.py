"""Insurance, even money and surrender: to which cards they are open."""

from __future__ import annotations

from croupier.game.hand import Bar, points
from croupier.rulebook.rules import Rules


def opens_surrender(rules: Rules, first: str) -> bool:
    """Does a dealer's first card of this rank open surrender? `late` knows no bound."""
    if not first or rules.surrender == "none":
        return False
    return rules.surrender == "late" or first == "A" or (first in "JQK" and points(rules)[first] == 10)


def surrender_closed(rules: Rules, first: str) -> Bar | None:
    """What bars every surrender against a dealer's first card of this rank, "" while it is not dealt."""
    if rules.surrender == "none":
        return Bar("surrender", "the rules know no surrender")
    if not opens_surrender(rules, first):
        return Bar("surrender", f"the dealer's first card is {first or 'not dealt'}")
    return None


def opens_insurance(rules: Rules, first: str) -> bool:
    """May a dealer's first card of this rank be insured against?"""
    return bool(first) and first in rules.insurance_upcards


def opens_even_money(rules: Rules, first: str) -> bool:
    """Does a dealer's first card of this rank open even money for a natural?"""
    return bool(first) and first in rules.even_money_upcards


def insurable(rules: Rules, *, natural: bool) -> bool:
    """Do the cards of a box, a natural or none, leave insurance open to its bettors?"""
    return {"anyone": True, "natural": natural, "not_natural": not natural}[rules.insurance_for]


def insurance_offered(rules: Rules, first: str, *, natural: bool, lives: bool) -> bool:
    """Is insurance open against a first card of this rank, to one whose wager on the box lives or not?

    Where a natural may be paid even money, what is decided needs no insurance.
    """
    if not opens_insurance(rules, first) or "insurance" in rules.house.withhold:
        return False
    if opens_even_money(rules, first) and not lives:
        return False
    return insurable(rules, natural=natural)


def split_ends_insurance(rules: Rules) -> bool:
    """Is a box that has been split past insuring, its natural with it?"""
    return rules.insurance_for == "natural"
