"""The provisions: everything a rulebook can say that makes the table behave differently.

`Rules` is one frozen record. Each of its fields is a provision: clauses of a rulebook set it, events
and refusals name it, and the rulebook turns the name back into clauses. A dotted name reaches into
the nested provisions, as in `side_bets.perfect_pairs.rows.mixed.pays`.

`GROUNDS` are reasons without a value: what the table does the same way wherever a document orders
it, such as announcing "no more bets". Clauses bind grounds so that events can cite them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.cards import Card, is_red
from croupier.rulebook.house import House

Positive = Annotated[int, Meta(ge=1)]
Natural = Annotated[int, Meta(ge=0)]

DealerNaturalTakes = Literal["all", "original", "busted_and_one", "one_per_live_hand", "original_and_busted"]


class Pattern(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition on cards: every part that is given must hold."""

    cards: Positive | None = None
    at_least_cards: Positive | None = None
    ranks: str | None = None
    same_rank: bool | None = None
    same_suit: bool | None = None
    same_colour: bool | None = None
    suits: Annotated[str, Meta(pattern="^[shdc]+$")] | None = None
    total_below: int | None = None
    total_above: int | None = None

    def fits(self, cards: tuple[Card, ...], total: int) -> bool:
        return (
            (self.cards is None or len(cards) == self.cards)
            and (self.at_least_cards is None or len(cards) >= self.at_least_cards)
            and (self.ranks is None or sorted(self.ranks) == sorted(card[0] for card in cards))
            and (self.same_rank is None or self.same_rank == (len({card[0] for card in cards}) == 1))
            and (self.same_suit is None or self.same_suit == (len({card[1] for card in cards}) == 1))
            and (self.same_colour is None or self.same_colour == (len({is_red(card) for card in cards}) == 1))
            and (self.suits is None or all(card[1] in self.suits for card in cards))
            and (self.total_below is None or total < self.total_below)
            and (self.total_above is None or total > self.total_above)
        )


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a paytable: what must be shown, and what it pays."""

    when: Pattern
    pays: Fraction
    paid: Literal["at_once", "after_round"] = "at_once"


class SideBet(Struct, frozen=True, forbid_unknown_fields=True):
    """A wager on the first cards of a box. No fitting row loses; of several the best pays."""

    first_cards: Positive
    rows: dict[str, Row]
    stake: Literal["limits", "approved_amount", "up_to_main"]
    alone: Literal["void", "refused"]
    offered_as: str
    ace: Literal[1, 11] = 1


class SuperBonus(Struct, frozen=True, forbid_unknown_fields=True):
    """A prize in dollars for a hand against a dealer's first card, and a consolation for all others."""

    when: Pattern
    dealer_rank: str
    threshold: Natural
    below_threshold: Natural
    from_threshold: Natural
    others: Natural
    lost_by_splitting: bool = False


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What the law says, provision by provision. A default is what silence of the document means.

    It never changes, here and in the parts: logs keep only what was set (`rulebook/plain.py`).
    """

    # Cards
    ranks: str = "A23456789TJQK"
    decks_allowed: frozenset[Annotated[int, Meta(ge=1, le=100)]] = frozenset()
    one_back_design: bool = False
    card_check: bool = False
    decks_change_needs_notice: bool = False
    cards_notice_to_officer: bool = False
    replace_card: Literal["any_time", "after_round", "never"] = "never"
    replacement_checks: frozenset[Literal["supervisor", "dealer"]] = frozenset()
    ace_low: int = 1
    ace_high: int = 11
    face_value_ranks: str = "23456789T"
    ten_ranks: str = "JQK"
    double_aces: Literal["free", "first_two", "all_before"] = "free"

    # Limits
    limits_change_needs_notice: bool = False
    wager_multiples: bool = True
    under_minimum: Literal["settle_and_warn", "refuse"] = "refuse"
    over_maximum: Literal["settle_to_maximum", "refuse"] = "refuse"
    maximum_for: Literal["wager", "box"] = "wager"
    raised_limit: Literal["none", "shared", "sole"] = "none"
    raised_box_bettors: Literal["capped", "any"] = "capped"
    raised_total: Literal["marker", "sign"] = "marker"

    # Wagers
    chips_only: bool = False
    several_boxes: Literal["house", "always"] = "house"
    bettors_per_box: Positive = 1
    decider: tuple[Literal["seated", "nearest"], ...] = ("seated", "nearest")
    late_bettor_held_to: frozenset[Literal["minimum", "first_box"]] = frozenset()
    boxes_needed: Positive = 1
    abstentions_before_vacating: Natural = 0

    # Shuffle and cut
    cut_offered_to: tuple[
        Literal["first_player", "cutting_card_box", "right_of_dealer", "clockwise"], ...
    ] = ()
    cut_depth_decks: Fraction = Fraction(1)
    cutting_cards_allowed: frozenset[Positive] = frozenset({1})
    cutting_card_back_decks: Fraction = Fraction(1)
    cutting_card_back: Literal["at_least", "more_than"] = "at_least"
    cutting_card_back_share: Fraction | None = None
    cutting_card_variance_decks: Fraction = Fraction(0)
    second_card_front_decks: Fraction | None = None
    final_rounds: Natural = 0
    burn_cards: Natural = 0
    automated_shoe: bool = False
    automated_shoe_suspends: frozenset[
        Literal["late_bettor_held_to", "shoe_runs_out", "dealt_past_cutting_card"]
    ] = frozenset()
    malfunction_kinds: frozenset[str] = frozenset()
    malfunction: Literal["none", "reshuffle_rest", "dealer_chooses"] = "none"
    malfunction_rectifiable: bool = False
    malfunction_cut_offered_to: tuple[Literal["right_of_dealer", "clockwise"], ...] = ()
    malfunction_cut: Literal["free", "by_rules"] = "free"
    malfunction_cutting_card_decks: Fraction = Fraction(1)
    malfunction_replaced: Literal["after_round", "after_shoe"] = "after_round"

    # Deal
    deal_order: tuple[Literal["boxes", "dealer"], ...] = ("boxes", "dealer", "boxes")

    # Insurance, interim settlement, surrender
    insurance_upcards: str = ""
    insurance_for: Literal["anyone", "natural", "not_natural"] = "anyone"
    insurance_until: Literal["subsequent_deal", "second_card"] = "subsequent_deal"
    insurance_share: Fraction = Fraction(1, 2)
    insurance_step_share: Fraction | None = None
    insurance_pays: Fraction = Fraction(2)
    insurance_paid: Literal["second_card", "after_final_settlement"] = "second_card"
    natural_paid_early: Literal["never", "no_dealer_natural_possible", "always"] = "never"
    even_money_upcards: str = ""
    even_money_pays: Fraction = Fraction(1)
    surrender: Literal["none", "late", "faces_and_ace"] = "none"
    surrender_share: Fraction = Fraction(1, 2)
    surrender_annulled: bool = True

    # Play
    no_card_at: Literal["any_21", "natural"] = "natural"
    must_draw_below_hard: Natural = 0
    max_hands: Positive | None = None
    resplit_aces: bool = True
    unsplittable: frozenset[Annotated[int, Meta(ge=1, le=10)]] = frozenset()
    split_ace_cards: Positive = 1
    natural_after_split: bool = False
    riders: Literal["first_hand", "none"] = "first_hand"
    double_cards: Literal["two", "any"] = "two"
    double_totals: Literal["any", "9-11", "10-11"] = "any"
    double_after_split: bool = True
    double_amount: Literal["equal", "up_to"] = "equal"
    doubled_wins_pay: Fraction | None = None
    doubled_evens: Literal["hand", "box"] = "hand"
    forfeit: bool = False

    # The dealer's hand and settlement
    dealer_draws_to: Positive = 16
    soft_17: Literal["stand", "hit"] = "stand"
    dealer_draws_when_decided: bool = False
    dealer_natural_takes: DealerNaturalTakes = "all"
    twenty_one: Literal["compared", "paid_at_once"] = "compared"
    natural_pays: Fraction = Fraction(3, 2)
    win_pays: Fraction = Fraction(1)
    bonus_rows: dict[str, Row] = {}
    super_bonus: SuperBonus | None = None
    super_bonus_with_odds: Literal["on_top", "instead"] = "on_top"
    super_bonus_others: Literal["every_wager", "eligible"] = "every_wager"

    # Irregularities
    face_up_card: Literal["burnt", "none"] = "none"
    drawn_in_error: Literal["next_card", "none"] = "none"
    burnt_in_error: Literal["stays_out", "none"] = "none"
    dealer_overdraw: Literal["burnt", "none"] = "none"
    misplaced_card: Literal["reconstructed", "none"] = "none"
    misplacement_found_late: Literal["round_void", "none"] = "none"
    shoe_runs_out: Literal["rack_reshuffled", "none"] = "none"
    absent_draws_to: Natural = 0
    dealt_past_cutting_card: Literal["rounds_stand", "none"] = "none"

    # Closure and supervision
    closing_needs_notice: bool = False
    closure_notice_to_officer: bool = False
    invalidation_causes: frozenset[str] = frozenset()
    round_invalidation_causes: frozenset[str] = frozenset()
    must_offer: frozenset[Literal["double", "split", "insurance"]] = frozenset(
        {"double", "split", "insurance"}
    )
    approval_by: Literal["regulator", "officer"] = "regulator"
    approvals: dict[str, Literal["written"]] = {}
    feature_stays_all_day: bool = False
    licence_needed: bool = False
    bank_held_by_licensee: bool = False

    # Side bets
    side_bets: dict[str, SideBet] = {}

    # What the house has chosen, and the rulebook chosen from; no clause sets these.
    house: House = House()
    rulebook: str = ""


# The sections of Rules for people, each by the provision it begins with.
SECTIONS: dict[str, str] = {
    "ranks": "Cards",
    "limits_change_needs_notice": "Limits",
    "chips_only": "Wagers",
    "cut_offered_to": "Shuffle and cut",
    "deal_order": "Deal",
    "insurance_upcards": "Insurance, interim settlement, surrender",
    "no_card_at": "Play",
    "dealer_draws_to": "The dealer's hand and settlement",
    "face_up_card": "Irregularities",
    "closing_needs_notice": "Closure and supervision",
    "side_bets": "Side bets",
}

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
    if top not in Rules.__struct_fields__ or top in ("house", "rulebook"):
        return False
    if top == "side_bets" and len(rest) == 2:
        return rest[1] in SIDE_BET_GROUNDS or rest[1] in SideBet.__struct_fields__
    return True
