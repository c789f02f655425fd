"""What beats what, and at which odds a winner is paid."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from croupier.cards import Card
from croupier.game.dealer import natural_possible
from croupier.game.hand import TWENTY_ONE, Hand, hand_total, is_natural, is_natural_pair, total
from croupier.game.paytables import best_bonus
from croupier.rulebook.paytable import SuperBonus
from croupier.rulebook.rules import Rules

Basis = tuple[str, ...]


class Shown(NamedTuple):
    """What counts when a hand meets another: its total, and whether it is a natural."""

    total: int
    natural: bool = False


def shown_by(rules: Rules, hand: Hand) -> Shown:
    return Shown(hand_total(rules, hand)[0], is_natural(rules, hand))


def shown_by_dealer(rules: Rules, cards: tuple[Card, ...]) -> Shown:
    return Shown(total(rules, cards)[0], is_natural_pair(rules, cards))


def result(rules: Rules, mine: Shown, dealers: Shown) -> tuple[int, Basis]:
    """1, 0 or -1 for a hand that is not over 21 against the dealer's, and the ground."""
    if dealers.natural:
        return (0, ("equal", "stand_off", "natural")) if mine.natural else (-1, ("dealer_natural",))
    first: Basis = ("natural_wins",) if mine.natural else ()
    if dealers.total > TWENTY_ONE:
        return 1, (*first, "dealer_busts")
    if mine.natural and dealers.total == TWENTY_ONE:
        return 1, (*first, "natural_beats_21")
    if mine.total > dealers.total:
        return 1, (*first, "player_higher")
    if mine.total < dealers.total:
        return -1, ("dealer_higher",)
    if mine.total == TWENTY_ONE and rules.twenty_one == "paid_at_once":
        return 1, ("twenty_one_wins",)
    return 0, ("equal", "stand_off")


def winning_odds(
    rules: Rules, hand: Hand, *, doubled: bool, beside_double: bool = False
) -> tuple[Fraction, Basis]:
    """The odds at which a winning stake is paid, and why.

    `doubled`: the stake itself is; `beside_double`: another hand of the box is.
    """
    if rules.doubled_wins_pay is not None:
        if hand.doubled_on:
            return rules.doubled_wins_pay, ("doubled_wins_pay" if doubled else "doubled_binds_box",)
        if rules.doubled_evens == "box" and beside_double:
            return rules.doubled_wins_pay, ("doubled_binds_box", "doubled_evens")
    return odds_by_cards(rules, hand)


def odds_by_cards(rules: Rules, hand: Hand) -> tuple[Fraction, Basis]:
    """The best odds that a winning hand has by its cards."""
    if is_natural(rules, hand):
        return rules.natural_pays, ("natural_pays", "natural", "winning_odds")
    bonus = best_bonus(rules.bonus_rows, hand.cards, hand_total(rules, hand)[0])
    if bonus:
        name, row = bonus
        return row.pays, (f"bonus_rows.{name}", "winning_odds")
    return rules.win_pays, ("win_pays", "winning_odds")


def natural_paid_early(rules: Rules, first: str) -> bool:
    """Is a natural paid before the dealer draws, against a first card of this rank?"""
    if rules.natural_paid_early == "no_dealer_natural_possible":
        return not natural_possible(rules, first)
    return rules.natural_paid_early == "always"


# The Super Bonus


def shows_super_bonus(rules: Rules, hand: Hand, first: str) -> bool:
    """Do the cards make a Super Bonus against this first card, whatever the box has done to lose it?"""
    bonus = rules.super_bonus
    return (
        bonus is not None
        and not hand.doubled_on
        and first in bonus.dealer_rank
        and bonus.when.fits(hand.cards, hand_total(rules, hand)[0])
    )


def bars_super_bonus(rules: Rules, cards: tuple[Card, ...]) -> bool:
    """Does splitting these cards lose the box its Super Bonus? Suited cards that lead to one do."""
    bonus = rules.super_bonus
    if bonus is None or not bonus.lost_by_splitting:
        return False
    return all(card[0] in (bonus.when.ranks or "") and card[1] == cards[0][1] for card in cards)


def super_bonus_for(bonus: SuperBonus, wager: Fraction) -> tuple[int, str]:
    """The Super Bonus in dollars for a wager of so many, and the provision's name."""
    if wager < bonus.threshold:
        return bonus.below_threshold, "super_bonus.below_threshold"
    return bonus.from_threshold, "super_bonus.from_threshold"
