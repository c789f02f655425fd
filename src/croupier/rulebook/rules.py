"""The provisions: everything a rulebook can say that makes the table behave differently.

`Rules` is one frozen record. Each of its fields is a provision: clauses of a rulebook set it, events
and refusals name it, and the rulebook turns the name back into clauses. A dotted name reaches into
the nested provisions, as in `side_bets.perfect_pairs.rows.mixed.pays`. What is known of a provision,
its words first of all, stands at its field.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.cards import RANKS
from croupier.rulebook.house import House
from croupier.rulebook.paytable import Natural, Positive, Row, SideBet, SuperBonus
from croupier.rulebook.provision import NO_PROVISION, Provision

# The sections of the rules, in their order.
CARDS = partial(Provision, "Cards")
LIMITS = partial(Provision, "Limits")
WAGERS = partial(Provision, "Wagers")
SHUFFLE = partial(Provision, "Shuffle and cut")
DEAL = partial(Provision, "Deal")
INTERIM = partial(Provision, "Insurance, interim settlement, surrender")
PLAY = partial(Provision, "Play")
SETTLEMENT = partial(Provision, "The dealer's hand and settlement")
IRREGULARITIES = partial(Provision, "Irregularities")
SUPERVISION = partial(Provision, "Closure and supervision")
SIDE_BETS = partial(Provision, "Side bets")

DealerNaturalTakes = Literal["all", "original", "busted_and_one", "one_per_live_hand", "original_and_busted"]


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What the law says, provision by provision. A default is what silence of the document means.

    It never changes, here and in the parts: logs keep only what was set (`rulebook/plain.py`).
    """

    # Cards
    ranks: Annotated[
        str, CARDS("Cards of a pack", unit="ranks", worth="cards", write=f"ranks of {RANKS}")
    ] = "A23456789TJQK"
    decks_allowed: Annotated[
        frozenset[Annotated[int, Meta(ge=1, le=100)]], CARDS("Decks", either=True, told="value")
    ] = frozenset()
    one_back_design: Annotated[bool, CARDS("All backs alike")] = False
    card_check: Annotated[bool, CARDS("Cards checked before gaming and after")] = False
    decks_change_needs_notice: Annotated[
        bool, CARDS("Notice before decks or shuffle change", house_rules=True)
    ] = False
    cards_notice_to_officer: Annotated[bool, CARDS("Notice of new decks to an authorised officer too")] = (
        False
    )
    replace_card: Annotated[
        Literal["any_time", "after_round", "never"],
        CARDS(
            "Replacing a card", {"any_time": "at any time", "after_round": "after a round", "never": "never"}
        ),
    ] = "never"
    replacement_checks: Annotated[
        frozenset[Literal["supervisor", "dealer"]],
        CARDS("Replacements checked by", {"supervisor": "supervisor", "dealer": "dealer"}),
    ] = frozenset()
    ace_low: Annotated[int, CARDS("An ace counted low", told="reading")] = 1
    ace_high: Annotated[int, CARDS("An ace counted high", told="reading")] = 11
    face_value_ranks: Annotated[
        str,
        CARDS(
            "Cards that count their number",
            unit="ranks",
            worth="cards",
            write="ranks that count their number",
        ),
    ] = "23456789T"
    ten_ranks: Annotated[
        str, CARDS("Cards that count ten", unit="ranks", worth="cards", write="ranks that count ten")
    ] = "JQK"
    double_aces: Annotated[
        Literal["free", "first_two", "all_before"],
        CARDS(
            "Aces of a doubled hand",
            {
                "free": "1 or 11",
                "first_two": "1 if among the first two",
                "all_before": "1 if there before the double",
            },
            worth="doubling",
        ),
    ] = "free"

    # Limits
    limits_change_needs_notice: Annotated[bool, LIMITS("Notice before limits change", house_rules=True)] = (
        False
    )
    wager_multiples: Annotated[bool, LIMITS("Wagers in multiples")] = True
    under_minimum: Annotated[
        Literal["settle_and_warn", "refuse"],
        LIMITS(
            "A wager under the minimum",
            {"settle_and_warn": "settled once, with a warning", "refuse": "refused"},
        ),
    ] = "refuse"
    over_maximum: Annotated[
        Literal["settle_to_maximum", "refuse"],
        LIMITS(
            "A wager over the maximum",
            {"settle_to_maximum": "settled up to the maximum", "refuse": "refused"},
        ),
    ] = "refuse"
    maximum_for: Annotated[
        Literal["wager", "box"],
        LIMITS("The maximum applies to", {"wager": "each wager", "box": "all wagers on a box together"}),
    ] = "wager"
    raised_limit: Annotated[
        Literal["none", "shared", "sole"],
        LIMITS(
            "A raised limit at a box",
            {"none": "no", "shared": "others may join in", "sole": "for one player alone"},
        ),
    ] = "none"
    raised_box_bettors: Annotated[
        Literal["capped", "any"],
        LIMITS(
            "Bettors on a raised box",
            {"capped": "no more than on any box", "any": "any number within the total"},
        ),
    ] = "capped"
    raised_total: Annotated[
        Literal["marker", "sign"],
        LIMITS(
            "All wagers on a raised box within",
            {"marker": "the marker's limit", "sign": "the maximum on the sign"},
        ),
    ] = "marker"

    # Wagers
    chips_only: Annotated[bool, WAGERS("Chips only")] = False
    several_boxes: Annotated[
        Literal["house", "always"],
        WAGERS("Several boxes for one player", {"house": "if the house allows it", "always": "always"}),
    ] = "house"
    bettors_per_box: Annotated[Positive, WAGERS("Bettors per box", phrase="at most {}")] = 1
    decider: Annotated[
        tuple[Literal["seated", "nearest"], ...],
        WAGERS("Who decides for a box", {"seated": "seated", "nearest": "nearest"}),
    ] = ("seated", "nearest")
    late_bettor_held_to: Annotated[
        frozenset[Literal["minimum", "first_box"]],
        WAGERS("A late bettor may be held to", {"minimum": "the minimum", "first_box": "the first box"}),
    ] = frozenset()
    boxes_needed: Annotated[Positive, WAGERS("Boxes with a wager for a round", phrase="at least {}")] = 1
    abstentions_before_vacating: Annotated[
        Natural, WAGERS("Seat given up after rounds without a bet", nothing="never")
    ] = 0

    # Shuffle and cut
    cut_offered_to: Annotated[
        tuple[Literal["first_player", "cutting_card_box", "right_of_dealer", "clockwise"], ...],
        SHUFFLE(
            "The cut is offered to",
            {
                "first_player": "the first player",
                "cutting_card_box": "the box of the cutting card",
                "right_of_dealer": "the right of the dealer",
                "clockwise": "clockwise",
            },
        ),
    ] = ()
    cut_depth_decks: Annotated[Fraction, SHUFFLE("Cut from either end, at least", unit="decks")] = Fraction(1)
    cutting_cards_allowed: Annotated[frozenset[Positive], SHUFFLE("Cutting cards", either=True)] = frozenset(
        {1}
    )
    cutting_card_back_decks: Annotated[
        Fraction, SHUFFLE("Cutting card from the back, decks", unit="decks")
    ] = Fraction(1)
    cutting_card_back: Annotated[
        Literal["at_least", "more_than"],
        SHUFFLE(
            "Cutting card from the back",
            {"at_least": "so many decks or more", "more_than": "more than so many decks"},
        ),
    ] = "at_least"
    cutting_card_back_share: Annotated[
        Fraction | None,
        SHUFFLE(
            "Cutting card from the back, at most", nothing="no bound", phrase="{} the decks", unit="share"
        ),
    ] = None
    cutting_card_variance_decks: Annotated[Fraction, SHUFFLE("Cutting card, give or take", unit="decks")] = (
        Fraction(0)
    )
    second_card_front_decks: Annotated[
        Fraction | None, SHUFFLE("Second cutting card from the front", nothing="none in use", unit="decks")
    ] = None
    final_rounds: Annotated[Natural, SHUFFLE("Final rounds announced")] = 0
    burn_cards: Annotated[Natural, SHUFFLE("Cards burnt after the shuffle")] = 0
    automated_shoe: Annotated[bool, SHUFFLE("Automated shuffling shoe")] = False
    automated_shoe_suspends: Annotated[
        frozenset[Literal["late_bettor_held_to", "shoe_runs_out", "dealt_past_cutting_card"]],
        SHUFFLE(
            "Automated shoe suspends",
            {
                "late_bettor_held_to": "the hold on late bettors",
                "shoe_runs_out": "what follows when the shoe runs out",
                "dealt_past_cutting_card": "what follows past the cutting card",
            },
        ),
    ] = frozenset()
    malfunction_kinds: Annotated[frozenset[str], SHUFFLE("Kinds of malfunction")] = frozenset()
    malfunction: Annotated[
        Literal["none", "reshuffle_rest", "dealer_chooses"],
        SHUFFLE(
            "Automated shoe fails",
            {
                "none": NO_PROVISION,
                "reshuffle_rest": "the rest is shuffled",
                "dealer_chooses": "deal on or shuffle the rest",
            },
        ),
    ] = "none"
    malfunction_rectifiable: Annotated[bool, SHUFFLE("A fault put right changes nothing")] = False
    malfunction_cut_offered_to: Annotated[
        tuple[Literal["right_of_dealer", "clockwise"], ...],
        SHUFFLE(
            "Cut after a malfunction",
            {"right_of_dealer": "the right of the dealer", "clockwise": "clockwise"},
        ),
    ] = ()
    malfunction_cut: Annotated[
        Literal["free", "by_rules"],
        SHUFFLE(
            "The cut after a malfunction",
            {"free": "anywhere", "by_rules": "as any cut, with a cutting card behind it"},
        ),
    ] = "free"
    malfunction_cutting_card_decks: Annotated[
        Fraction, SHUFFLE("Cutting card after a malfunction", unit="decks")
    ] = Fraction(1)
    malfunction_replaced: Annotated[
        Literal["after_round", "after_shoe"],
        SHUFFLE(
            "A failed shoe is replaced", {"after_round": "after the round", "after_shoe": "after the shoe"}
        ),
    ] = "after_round"

    # Deal
    deal_order: Annotated[
        tuple[Literal["boxes", "dealer"], ...],
        DEAL("Deal order", {"boxes": "boxes", "dealer": "dealer"}, told="value"),
    ] = ("boxes", "dealer", "boxes")

    # Insurance, interim settlement, surrender
    insurance_upcards: Annotated[
        str, INTERIM("Insurance against", nothing="nothing: no insurance", unit="ranks", told="value")
    ] = ""
    insurance_for: Annotated[
        Literal["anyone", "natural", "not_natural"],
        INTERIM(
            "Insurance is open to",
            {"anyone": "anyone", "natural": "holders of a natural", "not_natural": "all without a natural"},
            told="value",
            of="insurance_upcards",
        ),
    ] = "anyone"
    insurance_until: Annotated[
        Literal["subsequent_deal", "second_card"],
        INTERIM(
            "Insurance until",
            {"subsequent_deal": "the subsequent deal begins", "second_card": "the dealer's second card"},
            of="insurance_upcards",
        ),
    ] = "subsequent_deal"
    insurance_share: Annotated[
        Fraction,
        INTERIM(
            "Insurance, at most", phrase="{} the wager", unit="share", told="value", of="insurance_upcards"
        ),
    ] = Fraction(1, 2)
    insurance_step_share: Annotated[
        Fraction | None,
        INTERIM(
            "Insurance in multiples of",
            nothing="what the house sets",
            phrase="{} the smallest chip",
            unit="share",
            of="insurance_upcards",
        ),
    ] = None
    insurance_pays: Annotated[Fraction, INTERIM("Insurance pays", told="value", of="insurance_upcards")] = (
        Fraction(2)
    )
    insurance_paid: Annotated[
        Literal["second_card", "after_final_settlement"],
        INTERIM(
            "Insurance paid",
            {
                "second_card": "at the dealer's second card",
                "after_final_settlement": "after final settlement",
            },
            of="insurance_upcards",
        ),
    ] = "second_card"
    natural_paid_early: Annotated[
        Literal["never", "no_dealer_natural_possible", "always"],
        INTERIM(
            "A natural paid before the dealer draws",
            {
                "never": "never",
                "no_dealer_natural_possible": "if the dealer can have none",
                "always": "always",
            },
            worth="winning",
        ),
    ] = "never"
    even_money_upcards: Annotated[
        str, INTERIM("Even money against", nothing="nothing: no even money", unit="ranks", told="value")
    ] = ""
    even_money_pays: Annotated[
        Fraction, INTERIM("Even money pays", told="value", of="even_money_upcards")
    ] = Fraction(1)
    surrender: Annotated[
        Literal["none", "late", "faces_and_ace"],
        INTERIM(
            "Surrender",
            {"none": "no", "late": "yes, whatever the dealer shows", "faces_and_ace": "against J, Q, K or A"},
            worth="surrender",
            asked=("none", "late"),
        ),
    ] = "none"
    surrender_share: Annotated[
        Fraction,
        INTERIM(
            "A surrender gives up", phrase="{} the wager", unit="share", worth="surrender", of="surrender"
        ),
    ] = Fraction(1, 2)
    surrender_annulled: Annotated[
        bool, INTERIM("A dealer natural undoes a surrender", worth="surrender", of="surrender")
    ] = True

    # Play
    no_card_at: Annotated[
        Literal["any_21", "natural"],
        PLAY("No card is drawn to", {"any_21": "any 21", "natural": "a natural"}, worth="drawing"),
    ] = "natural"
    must_draw_below_hard: Annotated[
        Natural, PLAY("A player must draw", nothing="never", phrase="below hard {}", worth="drawing")
    ] = 0
    max_hands: Annotated[
        Positive | None,
        PLAY(
            "Hands from splits",
            nothing="no limit",
            phrase="at most {}",
            worth="splitting",
            write="a number from 1, or none",
            asked=("2", "3", "4", "none"),
        ),
    ] = None
    resplit_aces: Annotated[bool, PLAY("Aces split again", worth="splitting", asked=("false", "true"))] = True
    unsplittable: Annotated[
        frozenset[Annotated[int, Meta(ge=1, le=10)]],
        PLAY(
            "Cards never split, worth",
            either=True,
            worth="splitting",
            write="values from 1 to 10 with commas, as 4,5,10, or none",
        ),
    ] = frozenset()
    split_ace_cards: Annotated[Positive, PLAY("Cards to a split ace", worth="splitting")] = 1
    natural_after_split: Annotated[bool, PLAY("A natural counts after a split", worth="splitting")] = False
    riders: Annotated[
        Literal["first_hand", "none"],
        PLAY(
            "Bettors who do not split",
            {"first_hand": "ride on the first hand", "none": "all split, or nobody"},
        ),
    ] = "first_hand"
    double_cards: Annotated[
        Literal["two", "any"],
        PLAY(
            "Doubling on",
            {"two": "two cards", "any": "any number of cards"},
            worth="doubling",
            asked=("two", "any"),
        ),
    ] = "two"
    double_totals: Annotated[
        Literal["any", "9-11", "10-11"],
        PLAY(
            "Totals that may be doubled",
            {"any": "any", "9-11": "9-11", "10-11": "10-11"},
            worth="doubling",
            asked=("any", "9-11", "10-11"),
        ),
    ] = "any"
    double_after_split: Annotated[
        bool, PLAY("Double after split", worth="doubling", asked=("false", "true"))
    ] = True
    double_amount: Annotated[
        Literal["equal", "up_to"],
        PLAY("A double is", {"equal": "equal to the wager", "up_to": "up to the wager"}),
    ] = "equal"
    doubled_wins_pay: Annotated[
        Fraction | None,
        PLAY(
            "Doubled hands that win pay",
            nothing="as other wins do",
            worth="doubling",
            write="odds, as 1, or none for those of other wins",
        ),
    ] = None
    doubled_evens: Annotated[
        Literal["hand", "box"],
        PLAY(
            "Paid as a doubled hand",
            {"hand": "all winners on the doubled hand", "box": "all later winners on the box"},
        ),
    ] = "hand"
    forfeit: Annotated[bool, PLAY("Giving up a doubled hand", worth="doubling")] = False

    # The dealer's hand and settlement
    dealer_draws_to: Annotated[Positive, SETTLEMENT("Dealer draws to", worth="dealer")] = 16
    soft_17: Annotated[
        Literal["stand", "hit"],
        SETTLEMENT(
            "Dealer on soft 17", {"stand": "stands", "hit": "draws"}, worth="dealer", asked=("stand", "hit")
        ),
    ] = "stand"
    dealer_draws_when_decided: Annotated[bool, SETTLEMENT("Dealer draws though all is decided")] = False
    dealer_natural_takes: Annotated[
        DealerNaturalTakes,
        SETTLEMENT(
            "A dealer natural takes",
            {
                "all": "all stakes",
                "original": "one original wager, busted hands counted in",
                "busted_and_one": "busted hands and one original wager",
                "one_per_live_hand": "the original wager of each live hand",
                "original_and_busted": "the first hand's original wager and busted hands",
            },
            worth="dealer",
            asked=("all", "one_per_live_hand", "original_and_busted", "busted_and_one", "original"),
        ),
    ] = "all"
    twenty_one: Annotated[
        Literal["compared", "paid_at_once"],
        SETTLEMENT(
            "A player's 21", {"compared": "is compared", "paid_at_once": "is paid at once"}, worth="winning"
        ),
    ] = "compared"
    natural_pays: Annotated[Fraction, SETTLEMENT("Natural pays", worth="winning", asked=("6/5", "3/2"))] = (
        Fraction(3, 2)
    )
    win_pays: Annotated[Fraction, SETTLEMENT("Other wins pay", worth="winning")] = Fraction(1)
    bonus_rows: Annotated[
        dict[str, Row],
        SETTLEMENT(
            "Bonus",
            phrase="for {} kinds of hand",
            worth="winning",
            write="a part of it, as bonus_rows.five_cards.pays=2",
            of="bonus_rows",
        ),
    ] = {}
    super_bonus: Annotated[SuperBonus | None, SETTLEMENT("Super bonus", told="value")] = None
    super_bonus_with_odds: Annotated[
        Literal["on_top", "instead"],
        SETTLEMENT(
            "Super Bonus and the ordinary odds",
            {"on_top": "both", "instead": "the bonus alone"},
            told="value",
            of="super_bonus",
        ),
    ] = "on_top"
    super_bonus_others: Annotated[
        Literal["every_wager", "eligible"],
        SETTLEMENT(
            "A part in another's Super Bonus",
            {
                "every_wager": "every other wager",
                "eligible": "no winning doubled hand, no box that split suited sevens",
            },
            of="super_bonus",
        ),
    ] = "every_wager"

    # Irregularities
    face_up_card: Annotated[
        Literal["burnt", "none"],
        IRREGULARITIES("A card face up in the shoe", {"burnt": "burnt", "none": NO_PROVISION}),
    ] = "none"
    drawn_in_error: Annotated[
        Literal["next_card", "none"],
        IRREGULARITIES("A card drawn in error", {"next_card": "is the next card", "none": NO_PROVISION}),
    ] = "none"
    burnt_in_error: Annotated[
        Literal["stays_out", "none"],
        IRREGULARITIES("A card burnt in error", {"stays_out": "stays out", "none": NO_PROVISION}),
    ] = "none"
    dealer_overdraw: Annotated[
        Literal["burnt", "none"],
        IRREGULARITIES("A card too many to the dealer", {"burnt": "burnt", "none": NO_PROVISION}),
    ] = "none"
    misplaced_card: Annotated[
        Literal["reconstructed", "none"],
        IRREGULARITIES(
            "A card misplaced, found in the round", {"reconstructed": "reconstructed", "none": NO_PROVISION}
        ),
    ] = "none"
    misplacement_found_late: Annotated[
        Literal["round_void", "none"],
        IRREGULARITIES(
            "A card misplaced, found later", {"round_void": "the round is void", "none": NO_PROVISION}
        ),
    ] = "none"
    shoe_runs_out: Annotated[
        Literal["rack_reshuffled", "none"],
        IRREGULARITIES(
            "Shoe runs out", {"rack_reshuffled": "the discard rack is shuffled", "none": NO_PROVISION}
        ),
    ] = "none"
    absent_draws_to: Annotated[
        Natural,
        IRREGULARITIES(
            "Hand of an absent player", nothing=NO_PROVISION, phrase="drawn to while at {} or less"
        ),
    ] = 0
    dealt_past_cutting_card: Annotated[
        Literal["rounds_stand", "none"],
        IRREGULARITIES("Rounds past the cutting card", {"rounds_stand": "they stand", "none": NO_PROVISION}),
    ] = "none"

    # Closure and supervision
    closing_needs_notice: Annotated[bool, SUPERVISION("Notice before closing early", house_rules=True)] = (
        False
    )
    closure_notice_to_officer: Annotated[
        bool, SUPERVISION("Notice of closure to an authorised officer too")
    ] = False
    invalidation_causes: Annotated[frozenset[str], SUPERVISION("A game is invalidated for")] = frozenset()
    round_invalidation_causes: Annotated[frozenset[str], SUPERVISION("A round is invalidated for")] = (
        frozenset()
    )
    must_offer: Annotated[
        frozenset[Literal["double", "split", "insurance"]],
        SUPERVISION("Must offer", {"double": "double", "split": "split", "insurance": "insurance"}),
    ] = frozenset({"double", "split", "insurance"})
    approval_by: Annotated[
        Literal["regulator", "officer"],
        SUPERVISION(
            "Approvals come from", {"regulator": "the regulator", "officer": "an authorised officer"}
        ),
    ] = "regulator"
    approvals: Annotated[
        dict[str, Literal["written"]],
        SUPERVISION(
            "Approval needed for the", {"written": "yes, in writing"}, nothing="no", each="{name} {key}"
        ),
    ] = {}
    feature_stays_all_day: Annotated[bool, SUPERVISION("A side bet stays for the day")] = False
    licence_needed: Annotated[bool, SUPERVISION("Licence needed")] = False
    bank_held_by_licensee: Annotated[bool, SUPERVISION("Only the licensee holds the bank")] = False

    # Side bets
    side_bets: Annotated[dict[str, SideBet], SIDE_BETS("Side bets", each="{title}", told="reading")] = {}

    # What the house has chosen, and the rulebook chosen from; no clause sets these.
    house: House = House()
    rulebook: str = ""
