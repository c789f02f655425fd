"""Is the house's choice within the law? Each check names the provision it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.errors import ParseError, RulebookError
from croupier.money import dollars, odds_text
from croupier.rulebook.hours import parse_hours
from croupier.rulebook.house import BANK_HOLDERS, LICENSEE
from croupier.rulebook.rules import Rules
from croupier.rulebook.words import words

if TYPE_CHECKING:
    from croupier.rulebook.book import Rulebook

WHOLE = 100  # per cent of the bank


def check_house(rules: Rules, book: Rulebook, file: str) -> None:
    """Raise a RulebookError for the first choice that the law does not permit."""
    for provision, problem in problems(rules):
        raise RulebookError(f"{file}: {problem}", book.citations(provision)[:1])


def problems(rules: Rules) -> Iterator[tuple[str, str]]:
    """(provision, what is wrong) for every choice outside the law."""
    yield from _cards(rules)
    yield from _limits(rules)
    yield from _approvals(rules)
    yield from _side_bets(rules)
    yield from _standing(rules)


def _cards(rules: Rules) -> Iterator[tuple[str, str]]:
    house = rules.house
    if house.decks not in rules.decks_allowed:
        allowed = ", ".join(map(str, sorted(rules.decks_allowed)))
        yield "decks_allowed", f"decks = {house.decks} is not permitted; allowed: {allowed}"
    if rules.one_back_design and house.back_designs != 1:
        yield "one_back_design", f"back_designs = {house.back_designs}; all backs must be alike"
    if house.cutting_cards not in rules.cutting_cards_allowed:
        allowed = ", ".join(map(str, sorted(rules.cutting_cards_allowed)))
        yield (
            "cutting_cards_allowed",
            f"cutting_cards = {house.cutting_cards} is not permitted; allowed: {allowed}",
        )
    if house.automated_shoe and not rules.automated_shoe:
        yield "automated_shoe", "automated_shoe = true, and no clause provides for one"
    if house.shuffle not in house.approved_shuffles:
        allowed = ", ".join(house.approved_shuffles)
        yield "approved_shuffle", f"shuffle = {house.shuffle!r} is not approved; approved: {allowed}"


def _limits(rules: Rules) -> Iterator[tuple[str, str]]:
    house = rules.house
    if not 0 < house.minimum <= house.maximum:
        low, high = dollars(house.minimum), dollars(house.maximum)
        yield "limits_displayed", f"minimum {low} and maximum {high} are no range"
    if house.multiple <= 0 or house.maximum % house.multiple:
        yield (
            "wager_multiples",
            f"maximum {dollars(house.maximum)} is no multiple of {dollars(house.multiple)}",
        )
    elif rules.wager_multiples and house.minimum % house.multiple:
        yield (
            "wager_multiples",
            f"minimum {dollars(house.minimum)} is no multiple of {dollars(house.multiple)}",
        )
    elif fraction := next((share for share in _shares(rules) if house.multiple * share % 1), None):
        yield "wager_multiples", f"{dollars(house.multiple)} at {odds_text(fraction)} is not whole cents"
    if house.smallest_chip <= 0:
        yield "float", f"smallest_chip = {dollars(house.smallest_chip)} is no chip"
    if not 1 <= house.boxes <= 20:
        yield "box", f"boxes = {house.boxes}; a table has 1 to 20"
    if house.boxes < rules.boxes_needed:
        yield "boxes_needed", f"boxes = {house.boxes}; a round needs wagers on {rules.boxes_needed}"
    if rules.insurance_step_share is not None and house.smallest_chip * rules.insurance_step_share % 1:
        yield (
            "insurance_step_share",
            f"{words('insurance_step_share', rules.insurance_step_share)} of "
            f"{dollars(house.smallest_chip)} is not whole cents",
        )
    step = house.insurance_step or Fraction(house.smallest_chip, 2)
    if house.insurance_step < 0 or (rules.insurance_step_share is None and step % 1):
        yield "insurance_step_share", f"insurance in steps of {float(step / 100)} is not whole cents"
    elif _must_insure(rules) and step > house.minimum * rules.insurance_share:
        yield (
            "must_offer",
            f"insurance in steps of {dollars(int(step))} rules out insuring the minimum of "
            f"{dollars(house.minimum)}; set a smaller insurance_step or smallest_chip",
        )


def _must_insure(rules: Rules) -> bool:
    """Must insurance be on offer, in steps that are the house's to set?"""
    on_offer = bool(rules.insurance_upcards) and "insurance" in rules.must_offer
    return on_offer and rules.insurance_step_share is None


def offers(rules: Rules) -> frozenset[str]:
    """The names under which side bets may be offered."""
    return frozenset(bet.offered_as for bet in rules.side_bets.values())


def wager_odds(rules: Rules) -> Iterator[Fraction]:
    """Every odds and share by which a main wager may be settled."""
    yield from (rules.natural_pays, rules.win_pays, rules.even_money_pays, rules.surrender_share)
    if rules.doubled_wins_pay is not None:
        yield rules.doubled_wins_pay
    yield from (row.pays for row in rules.bonus_rows.values())


def whole_cents(rules: Rules) -> int:
    """Main wagers of so many cents, and multiples of it, are settled in whole cents by all of them."""
    return math.lcm(*[odds.denominator for odds in wager_odds(rules)])


def _shares(rules: Rules) -> Iterator[Fraction]:
    yield from wager_odds(rules)
    yield rules.insurance_pays / rules.house.multiple  # insurance comes in any cents


def _approvals(rules: Rules) -> Iterator[tuple[str, str]]:
    house = rules.house
    for thing in house.approvals:
        if thing not in rules.approvals:
            known = ", ".join(rules.approvals) or "none"
            yield "approvals", f"approvals.{thing} is not asked for; the rules ask for: {known}"
    for thing in rules.approvals:
        if thing in offers(rules) and thing not in house.side_bets:
            continue
        approval = house.approvals.get(thing)
        if approval is None or not approval.ref.strip():
            yield f"approvals.{thing}", f"no approval of the {thing} is on record; set approvals.{thing}"
        elif not approval.written:
            yield "approval_by", f"the approval {approval.ref} of the {thing} was not given in writing"
        elif rules.approval_by == "officer" and not approval.officer.strip():
            yield "approval_by", f"the approval {approval.ref} of the {thing} names no authorised officer"


def _side_bets(rules: Rules) -> Iterator[tuple[str, str]]:
    for name, bet in rules.side_bets.items():
        offer = rules.house.side_bets.get(bet.offered_as)
        if offer is None:
            continue
        if bet.stake == "limits" and not 0 < offer.minimum <= offer.maximum:
            yield f"side_bets.{name}.stake", f"{name} needs a minimum and a maximum that are a range"
        if bet.stake == "approved_amount" and offer.amount <= 0:
            yield f"side_bets.{name}.stake", f"{name} needs an approved amount"


def _standing(rules: Rules) -> Iterator[tuple[str, str]]:
    house = rules.house
    try:
        _ = house.hours and parse_hours(house.hours)
    except ParseError as error:
        yield "hours", f"hours: {error}"
    if rules.bank_held_by_licensee and house.bank_holder not in BANK_HOLDERS:
        holders = " or ".join(BANK_HOLDERS)
        yield "bank_held_by_licensee", f"bank_holder = {house.bank_holder!r}; it must be {holders}"
    if rules.bank_held_by_licensee and house.bank_shares not in ({}, {LICENSEE: WHOLE}):
        shares = ", ".join(f"{name} {share}" for name, share in house.bank_shares.items())
        yield "bank_share", f"bank_shares: {shares}; the whole bank, {WHOLE}, is the {LICENSEE}'s alone"
    for kind in house.withhold:
        if kind in rules.must_offer:
            yield "must_offer", f"withhold = {kind}; the wager must be on offer"
