"""Which moves a hand has by its cards, what bars the others, and what a card does to it.

Whose turn it is, who decides and for how much is the table's to say.
"""

from __future__ import annotations

from croupier.game.hand import TWENTY_ONE, Bar, Hand, hand_total, is_natural, must_draw, split_value
from croupier.game.offers import surrender_closed
from croupier.rulebook.rules import Rules

INITIAL_CARDS = 2
TOTALS_DOUBLED = {"9-11": range(9, 12), "10-11": range(10, 12)}


def card_bar(rules: Rules, hand: Hand, *also: str) -> Bar | None:
    """What bars any further card to a hand that its last card has not ended."""
    if hand.surrendered:
        return Bar("surrender_binds_box", "the hand has been surrendered")
    if hand.doubled_on:
        return Bar("one_card_binds_all", "the hand has been doubled and has its one card")
    if hand.split_aces and len(hand.cards) > rules.split_ace_cards:
        return Bar("split_ace_cards", f"a split ace takes {rules.split_ace_cards} card(s) only")
    if len(hand.cards) < INITIAL_CARDS:
        return None
    if is_natural(rules, hand):
        return Bar("natural_no_card", "the hand is a natural", also)
    if hand_total(rules, hand)[0] == TWENTY_ONE and rules.no_card_at == "any_21":
        return Bar("no_card_at", "the hand totals 21", also)
    return None


def stand_bar(rules: Rules, hand: Hand) -> Bar | None:
    if not must_draw(rules, hand) or card_bar(rules, hand):
        return None
    value, least = hand_total(rules, hand)[0], rules.must_draw_below_hard
    return Bar("must_draw_below_hard", f"hard {value} is below {least}: the hand must draw")


def double_bar(rules: Rules, hand: Hand) -> Bar | None:
    if rules.double_totals == "any" and not hand.doubled_on and not hand.split_aces:
        bar = card_bar(rules, hand, "double_cards")
        if bar:
            return bar
    if "double" in rules.house.withhold:
        return Bar("must_offer", "the house does not offer doubles")
    if hand.split_aces:
        return Bar("no_double_after_aces", "a split ace is not doubled")
    if len(hand.cards) < INITIAL_CARDS or (rules.double_cards == "two" and len(hand.cards) > INITIAL_CARDS):
        return Bar("double_cards", f"a hand of {len(hand.cards)} cards is not doubled")
    if hand.doubled_on:
        return Bar("double_cards", "the hand has been doubled already")
    if hand.split and not rules.double_after_split:
        return Bar("double_after_split", "a split hand is not doubled")
    value, soft = hand_total(rules, hand)
    if rules.double_totals != "any" and (soft or value not in TOTALS_DOUBLED[rules.double_totals]):
        return Bar("double_totals", f"a total of {value} is not doubled; {rules.double_totals} is")
    if value >= TWENTY_ONE:
        return Bar("double_cards", f"a total of {value} is not doubled")
    return None


def split_bar(rules: Rules, hand: Hand, hands: int) -> Bar | None:
    """What bars a split of a hand, one of so many on its box."""
    if "split" in rules.house.withhold:
        return Bar("must_offer", "the house does not offer splits")
    value = split_value(rules, hand.cards)
    if value is None:
        return Bar("split_needs_equal", "only two cards of equal value can be split")
    if value in rules.unsplittable:
        return Bar("unsplittable", f"two cards worth {value} are not split here")
    if hand.split_aces and not rules.resplit_aces:
        return Bar("resplit_aces", "aces are split only once")
    if rules.max_hands is not None and hands >= rules.max_hands:
        return Bar("max_hands", f"{hands} hands already, the most allowed")
    if hand.surrendered:
        return Bar("surrender_binds_box", "the hand has been surrendered")
    return None


def most_hands(rules: Rules, *, aces: bool) -> int | None:
    """Into how many hands a pair may grow; None: no limit."""
    return 2 if aces and not rules.resplit_aces else rules.max_hands


def surrender_bar(rules: Rules, hand: Hand, hands: int, first: str) -> Bar | None:
    """What bars a surrender of a hand, one of so many on its box, against a first card of this rank."""
    closed = surrender_closed(rules, first)
    if closed:
        return closed
    untouched = not (hand.doubled_on or hand.surrendered or is_natural(rules, hand))
    if hands != 1 or len(hand.cards) != INITIAL_CARDS or not untouched:
        return Bar("surrender", "surrender is for the first two cards, before the subsequent deal")
    return None


def ended_by_card(rules: Rules, hand: Hand, hands: int) -> str | None:
    """The provision under which the card just dealt ends the hand, or None where it goes on."""
    value, _ = hand_total(rules, hand)
    if value > TWENTY_ONE:
        return "player_busts"
    if value == TWENTY_ONE and rules.twenty_one == "paid_at_once":
        return "twenty_one"
    if hand.doubled_on:
        return "double_is_for_one_card"
    if value == TWENTY_ONE and rules.no_card_at == "any_21":
        return "no_card_at"
    if hand.split_aces and len(hand.cards) > rules.split_ace_cards and split_bar(rules, hand, hands):
        return "split_ace_cards"
    return None
