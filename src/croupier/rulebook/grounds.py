"""Grounds: reasons without a value, what the table does the same way wherever a document orders it.

Clauses bind grounds so that events can cite them, such as announcing "no more bets".
"""

from __future__ import annotations

from croupier.rulebook.paytable import SideBet
from croupier.rulebook.provision import provisions
from croupier.rulebook.rules import Rules

GROUNDS: dict[str, str] = {
    "instrument": "the approved instrument under which the table is open",
    "revoked": "an earlier instrument no longer in force",
    "glossary": "defined words carry their dictionary meaning",
    "box": "wagers go on the marked boxes",
    "burn": "a burnt card lies in the discard rack",
    "bank_does_not_play": "who runs the game does not play in it",
    "operator": "what only the casino's operator may order",
    "supervisor": "what only a supervisor may order",
    "dealer": "what the dealer does",
    "float": "the chips of the table",
    "hard_total": "a total without an ace, or with aces counted low",
    "soft_total": "a total in which one ace may count high",
    "initial_deal": "the stage that gives each box two cards and the dealer one",
    "insurance_line": "the place for insurance wagers",
    "new_shoe": "cards shuffled, cut and put in the shoe",
    "round": "from the first card out of the shoe to the collection of all cards",
    "natural": "an ace and a ten-value card as the first two",
    "split_needs_equal": "only two cards of equal value are split, for an equal wager",
    "double_is_for_one_card": "a double buys one card, for the amount permitted",
    "stand_off": "neither side wins",
    "subsequent_deal": "the stage in which boxes may draw",
    "void": "chips go back as though the round had not happened",
    "determinations": "decks and shuffle are fixed before a round, and told to who asks",
    "decks_determined": "the number of decks is fixed before a round",
    "approved_shuffle": "the shuffle is one of those approved",
    "limits_displayed": "minimum and maximum are displayed",
    "betting_opens": "every player may bet before the first card",
    "wagers_locked": "no wager is touched after the first card",
    "decider_seated": "the player seated at the box decides",
    "decider_nearest": "of those not seated, the bettor nearest the dealer decides",
    "boxes_given_up": "boxes are given up when others want to play",
    "raised_box_shared": "others may bet on a raised box within its limit",
    "late_first_round": "no wager on the first round of the shoe",
    "late_skipped_round": "a wager, then a round without one",
    "shuffle": "the cards are shuffled for each new shoe",
    "cut_to_first_player": "the first player at the table cuts",
    "cut_to_box": "the player on whose box the cutting card came",
    "cut_to_right": "the player farthest to the dealer's right",
    "cut_clockwise": "each player in turn until one accepts",
    "supervisor_cuts": "a supervisor cuts when nobody else will",
    "cutting_card_first": "the cutting card is the first card of a round: shuffle now",
    "cutting_card_met": "the cutting card comes in a round: shuffle after it",
    "cutting_card_set_aside": "a cutting card in the final rounds is thrown aside",
    "two_cards_first": "of two cutting cards the instructed one is the first card of a round",
    "two_cards_met": "of two cutting cards the instructed one comes in a round",
    "two_cards_set_aside": "of two cutting cards one in the final rounds is thrown aside",
    "supervisor_instructs": "the supervisor says at which cutting card to shuffle",
    "final_rounds_announced": "the supervisor announces the final rounds",
    "face_up": "all cards are dealt face up",
    "first_card": "a first card to each box",
    "dealer_card": "one card to the dealer",
    "second_card": "a second card to each box",
    "no_more_bets": "the dealer announces no more bets, then deals clockwise",
    "insurance_closes": "insurance closes when the subsequent deal begins",
    "insurance_loses": "the dealer's second card is not worth ten",
    "insurance_wins": "the dealer's second card is worth ten",
    "no_insurance_after_split": "no insurance on separated hands",
    "interim_settlement": "naturals are dealt with between the two deals",
    "surrender_binds_box": "a surrender binds all on the box",
    "surrender_button": "a marker lies on a surrendered hand",
    "surrender_collected": "the forfeited share is collected at the end",
    "surrender_by_decider": "others cannot surrender without the decider",
    "turns": "boxes act in turn, clockwise",
    "may_split": "the turn offers a split",
    "may_double": "the turn offers a double",
    "may_draw": "the turn offers a card",
    "may_stand": "the turn offers standing",
    "split_by_decider": "nobody splits without the decider",
    "others_choose_at_split": "the others split too or ride on the first hand",
    "others_split": "another bettor splits too",
    "first_hand_first": "split hands are completed in order",
    "split_hands_play_on": "split hands are played by the ordinary rules",
    "split_bust_loses": "a split hand over 21 is lost whatever the dealer gets",
    "double_by_decider": "nobody doubles without the decider",
    "one_card_binds_all": "the one-card limit binds all on the hand",
    "double_on_two": "the first two cards may be doubled",
    "double_on_more": "a hand of three or more cards may be doubled",
    "double_on_split": "a split hand may be doubled",
    "doubled_binds_box": "all winners where the decider doubled are paid alike",
    "no_double_after_aces": "no double after aces were separated",
    "original_only_doubled": "a dealer natural takes only the original of a double",
    "dealer_draws_last": "the dealer draws when all boxes are done",
    "no_effect": "no card that cannot matter is drawn",
    "settlement": "main wagers are decided by the total",
    "dealer_busts": "the dealer is over 21",
    "player_higher": "the player's total is higher",
    "natural_no_card": "no card is drawn to a natural",
    "natural_wins": "a natural beats what is not one",
    "natural_beats_21": "a natural beats a longer 21",
    "twenty_one_wins": "21 wins",
    "player_busts": "the player is over 21",
    "dealer_higher": "the dealer's total is higher",
    "dealer_natural": "the dealer has a natural and the player none",
    "equal": "the totals are equal",
    "winning_odds": "winning wagers are paid at the odds laid down",
    "super_bonus_before_collection": "the Super Bonus is paid before the cards are collected",
    "hours": "gaming hours are those fixed by law",
    "device_reported": "a forbidden device is reported",
    "breach": "a breach of the rules is on record",
    "void_wager": "the offender's wager may be voided",
    "exclusion": "the offender may be excluded",
    "refund": "wagers of an invalidated round may be refunded",
    "dispute": "the operator's ruling is final but for a review",
    "no_advice": "staff give no advice on play",
    "no_advantage": "nobody changes the odds of the game",
    "conduct_by_rules": "the game is conducted by the rules",
    "no_influence": "nobody plays another's hand",
    "no_private_bets": "players do not bet with each other",
    "rules_available": "the rules are shown to who asks",
    "bank_share": "nobody else has a share in the bank",
    "wager_before_cards": "wagers are made before any card is dealt",
    "values": "the points of the cards",
    "features": "what the game is and is not",
    "deleted": "a section deleted with nothing in its place",
    "amendment": "a change to the text in force",
    "automated_shoe_loaded": "the cards are shuffled and put in the automated shoe",
    "malfunction_reshuffle": "what is left in a failed shoe is shuffled and cut",
    "shoe_replaced": "a failed automated shoe is replaced, with new cards",
}

# Those that a game may know nothing of; any other is how a table is conducted, with a clause or without.
MAY_BE_UNKNOWN = frozenset({"features", "supervisor_instructs"})

# Grounds of each side bet, named under it: `side_bets.perfect_pairs.loses`.
SIDE_BET_GROUNDS: dict[str, str] = {
    "box": "the wager goes in its own box before the first card",
    "loses": "nothing that the paytable names was shown",
    "best_row": "only the best fitting row is paid",
    "settled_between": "settled between the initial and the subsequent deal",
    "paid_when_known": "paid as soon as the result is known",
    "third_card": "after a split the next card to the box is the third",
    "face_value": "cards are alike by their face, not by their points",
    "face_number": "a numbered card is alike by its number",
    "face_kind": "an ace or a court card is alike by its kind",
    "own_stake": "each bettor on a box has a side bet of their own",
    "play_goes_on": "the play of the hand goes on untouched",
}


def is_ground(name: str) -> bool:
    """Is `name` something that a clause may stand behind: a ground, or a provision or part of one?"""
    if name in GROUNDS:
        return True
    top, *rest = name.split(".")
    if top not in provisions(Rules):
        return False
    if top == "side_bets" and len(rest) == 2:
        return rest[1] in SIDE_BET_GROUNDS or rest[1] in provisions(SideBet)
    return True


def is_duty(ground: str) -> bool:
    """Is this a ground by itself, and not a provision?"""
    *folders, leaf = ground.split(".")
    return ground in GROUNDS or (len(folders) == 2 and folders[0] == "side_bets" and leaf in SIDE_BET_GROUNDS)
