"""Provisions in words, what is left to the house, and the differences of two rulebooks.

A provision's name is its field's, but for a few that read badly; its group is the section of the
Rules class in which it stands. What a rulebook says about it is put as a person would say it:
odds as odds, a share as half, silence as what silence means.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from croupier.money import number, odds_text
from croupier.rulebook.book import NOT_PROVISIONS, Rulebook, convert_values
from croupier.rulebook.choose import BANK_HOLDERS
from croupier.rulebook.house import MONEY, House
from croupier.rulebook.rules import (
    GROUNDS,
    SECTIONS,
    SIDE_BET_GROUNDS,
    Pattern,
    Row,
    Rules,
    SideBet,
    SuperBonus,
)
from croupier.rulebook.settings import BEHIND
from croupier.rulebook.text import Clause

READ_BADLY = {
    "ranks": "Cards of a pack",
    "decks_allowed": "Decks",
    "one_back_design": "All backs alike",
    "card_check": "Cards checked before gaming and after",
    "decks_change_needs_notice": "Notice before decks or shuffle change",
    "cards_notice_to_officer": "Notice of new decks to an authorised officer too",
    "replace_card": "Replacing a card",
    "replacement_checks": "Replacements checked by",
    "ace_low": "An ace counted low",
    "ace_high": "An ace counted high",
    "face_value_ranks": "Cards that count their number",
    "ten_ranks": "Cards that count ten",
    "double_aces": "Aces of a doubled hand",
    "limits_change_needs_notice": "Notice before limits change",
    "wager_multiples": "Wagers in multiples",
    "under_minimum": "A wager under the minimum",
    "over_maximum": "A wager over the maximum",
    "maximum_for": "The maximum applies to",
    "raised_limit": "A raised limit at a box",
    "raised_box_bettors": "Bettors on a raised box",
    "raised_total": "All wagers on a raised box within",
    "several_boxes": "Several boxes for one player",
    "decider": "Who decides for a box",
    "late_bettor_held_to": "A late bettor may be held to",
    "boxes_needed": "Boxes with a wager for a round",
    "abstentions_before_vacating": "Seat given up after rounds without a bet",
    "cut_offered_to": "The cut is offered to",
    "malfunction_cut": "The cut after a malfunction",
    "insurance_until": "Insurance until",
    "doubled_evens": "Paid as a doubled hand",
    "super_bonus_others": "A part in another's Super Bonus",
    "cut_depth_decks": "Cut from either end, at least",
    "cutting_cards_allowed": "Cutting cards",
    "cutting_card_back_decks": "Cutting card from the back, decks",
    "cutting_card_back": "Cutting card from the back",
    "cutting_card_back_share": "Cutting card from the back, at most",
    "cutting_card_variance_decks": "Cutting card, give or take",
    "second_card_front_decks": "Second cutting card from the front",
    "final_rounds": "Final rounds announced",
    "burn_cards": "Cards burnt after the shuffle",
    "automated_shoe": "Automated shuffling shoe",
    "automated_shoe_suspends": "Automated shoe suspends",
    "malfunction": "Automated shoe fails",
    "malfunction_kinds": "Kinds of malfunction",
    "malfunction_rectifiable": "A fault put right changes nothing",
    "malfunction_cut_offered_to": "Cut after a malfunction",
    "malfunction_cutting_card_decks": "Cutting card after a malfunction",
    "malfunction_replaced": "A failed shoe is replaced",
    "insurance_upcards": "Insurance against",
    "insurance_for": "Insurance is open to",
    "insurance_share": "Insurance, at most",
    "insurance_step_share": "Insurance in multiples of",
    "natural_paid_early": "A natural paid before the dealer draws",
    "even_money_upcards": "Even money against",
    "surrender_share": "A surrender gives up",
    "surrender_annulled": "A dealer natural undoes a surrender",
    "no_card_at": "No card is drawn to",
    "must_draw_below_hard": "A player must draw",
    "max_hands": "Hands from splits",
    "resplit_aces": "Aces split again",
    "unsplittable": "Cards never split, worth",
    "split_ace_cards": "Cards to a split ace",
    "natural_after_split": "A natural counts after a split",
    "riders": "Bettors who do not split",
    "double_cards": "Doubling on",
    "double_totals": "Totals that may be doubled",
    "double_amount": "A double is",
    "doubled_wins_pay": "Doubled hands that win pay",
    "forfeit": "Giving up a doubled hand",
    "dealer_draws_to": "Dealer draws to",
    "soft_17": "Dealer on soft 17",
    "dealer_draws_when_decided": "Dealer draws though all is decided",
    "dealer_natural_takes": "A dealer natural takes",
    "twenty_one": "A player's 21",
    "win_pays": "Other wins pay",
    "bonus_rows": "Bonus",
    "super_bonus_with_odds": "Super Bonus and the ordinary odds",
    "face_up_card": "A card face up in the shoe",
    "drawn_in_error": "A card drawn in error",
    "burnt_in_error": "A card burnt in error",
    "dealer_overdraw": "A card too many to the dealer",
    "misplaced_card": "A card misplaced, found in the round",
    "misplacement_found_late": "A card misplaced, found later",
    "absent_draws_to": "Hand of an absent player",
    "dealt_past_cutting_card": "Rounds past the cutting card",
    "closing_needs_notice": "Notice before closing early",
    "closure_notice_to_officer": "Notice of closure to an authorised officer too",
    "invalidation_causes": "A game is invalidated for",
    "round_invalidation_causes": "A round is invalidated for",
    "approval_by": "Approvals come from",
    "approvals": "Approval needed for the",
    "feature_stays_all_day": "A side bet stays for the day",
    "bank_held_by_licensee": "Only the licensee holds the bank",
    "side_bets": "",
}

NO_PROVISION = "no provision"
MOST_CITED = 3
# Values that say little by themselves; any other text value reads well with spaces for underscores.
READ_SO: dict[str, dict[Any, str]] = {
    "double_aces": {
        "free": "1 or 11",
        "first_two": "1 if among the first two",
        "all_before": "1 if there before the double",
    },
    "replace_card": {"any_time": "at any time", "after_round": "after a round"},
    "raised_limit": {"none": "no", "shared": "others may join in", "sole": "for one player alone"},
    "under_minimum": {"settle_and_warn": "settled once, with a warning", "refuse": "refused"},
    "over_maximum": {"settle_to_maximum": "settled up to the maximum", "refuse": "refused"},
    "maximum_for": {"wager": "each wager", "box": "all wagers on a box together"},
    "raised_box_bettors": {"capped": "no more than on any box", "any": "any number within the total"},
    "raised_total": {"marker": "the marker's limit", "sign": "the maximum on the sign"},
    "several_boxes": {"house": "if the house allows it", "always": "always"},
    "boxes_needed": {1: "1"},
    "abstentions_before_vacating": {0: "never"},
    "cutting_card_back": {"at_least": "so many decks or more", "more_than": "more than so many decks"},
    "cutting_card_back_share": {None: "no bound"},
    "second_card_front_decks": {None: "none in use"},
    "final_rounds": {0: "none"},
    "burn_cards": {0: "none"},
    "malfunction": {
        "none": NO_PROVISION,
        "reshuffle_rest": "the rest is shuffled",
        "dealer_chooses": "deal on or shuffle the rest",
    },
    "malfunction_cut": {"free": "anywhere", "by_rules": "as any cut, with a cutting card behind it"},
    "malfunction_replaced": {"after_round": "after the round", "after_shoe": "after the shoe"},
    "insurance_upcards": {"": "nothing: no insurance"},
    "even_money_upcards": {"": "nothing: no even money"},
    "insurance_for": {"natural": "holders of a natural", "not_natural": "all without a natural"},
    "insurance_until": {
        "subsequent_deal": "the subsequent deal begins",
        "second_card": "the dealer's second card",
    },
    "insurance_step_share": {None: "what the house sets"},
    "insurance_paid": {"second_card": "at the dealer's second card"},
    "natural_paid_early": {"no_dealer_natural_possible": "if the dealer can have none"},
    "surrender": {
        "none": "no",
        "late": "yes, whatever the dealer shows",
        "faces_and_ace": "against J, Q, K or A",
    },
    "no_card_at": {"any_21": "any 21", "natural": "a natural"},
    "must_draw_below_hard": {0: "never"},
    "max_hands": {None: "no limit"},
    "riders": {"first_hand": "ride on the first hand", "none": "all split, or nobody"},
    "double_cards": {"two": "two cards", "any": "any number of cards"},
    "double_amount": {"equal": "equal to the wager", "up_to": "up to the wager"},
    "doubled_wins_pay": {None: "as other wins do"},
    "doubled_evens": {
        "hand": "all winners on the doubled hand",
        "box": "all later winners on the box",
    },
    "super_bonus_others": {
        "every_wager": "every other wager",
        "eligible": "no winning doubled hand, no box that split suited sevens",
    },
    "dealer_natural_takes": {
        "all": "all stakes",
        "original": "one original wager, busted hands counted in",
        "busted_and_one": "busted hands and one original wager",
        "one_per_live_hand": "the original wager of each live hand",
        "original_and_busted": "the first hand's original wager and busted hands",
    },
    "soft_17": {"stand": "stands", "hit": "draws"},
    "twenty_one": {"compared": "is compared", "paid_at_once": "is paid at once"},
    "super_bonus_with_odds": {"on_top": "both", "instead": "the bonus alone"},
    "drawn_in_error": {"next_card": "is the next card"},
    "misplacement_found_late": {"round_void": "the round is void"},
    "shoe_runs_out": {"rack_reshuffled": "the discard rack is shuffled"},
    "dealt_past_cutting_card": {"rounds_stand": "they stand"},
    "absent_draws_to": {0: NO_PROVISION},
    "approval_by": {"regulator": "the regulator", "officer": "an authorised officer"},
    "approvals": {None: "no", "written": "yes, in writing"},
    "super_bonus": {None: "none"},
    "side_bets": {None: "none"},
    "bonus_rows": {None: "none"},
    "stake": {"limits": "within displayed limits", "up_to_main": "up to the main wager"},
    "alone": {"void": "void", "refused": "refused"},
}
# Members of lists that say little by themselves.
MEMBERS = {
    "minimum": "the minimum",
    "first_box": "the first box",
    "first_player": "the first player",
    "cutting_card_box": "the box of the cutting card",
    "right_of_dealer": "the right of the dealer",
    "late_bettor_held_to": "the hold on late bettors",
    "shoe_runs_out": "what follows when the shoe runs out",
    "dealt_past_cutting_card": "what follows past the cutting card",
}
PHRASES = {
    "bettors_per_box": "at most {}",
    "boxes_needed": "at least {}",
    "must_draw_below_hard": "below hard {}",
    "max_hands": "at most {}",
    "absent_draws_to": "drawn to while at {} or less",
    "insurance_share": "{} the wager",
    "surrender_share": "{} the wager",
    "insurance_step_share": "{} the smallest chip",
    "cutting_card_back_share": "{} the decks",
    "first_cards": "first {}",
}
CHOICES = frozenset({"decks_allowed", "cutting_cards_allowed", "unsplittable"})
RANKS = frozenset({"ranks", "face_value_ranks", "ten_ranks", "insurance_upcards", "even_money_upcards"})


class Wording(Struct, frozen=True):
    """What one rulebook says on a provision, and the clauses that say it; none where it is silent."""

    words: str
    value: Any
    clauses: tuple[Clause, ...]


class Difference(Struct, frozen=True):
    section: str
    provision: str
    name: str
    first: Wording
    second: Wording


class Duty(Struct, frozen=True):
    """A ground that only one of two rulebooks binds."""

    ground: str
    words: str
    clauses: tuple[Clause, ...]


class Comparison(Struct, frozen=True):
    """What sets two rulebooks apart. Clauses are told apart only where both are one document's."""

    first: Rulebook
    second: Rulebook
    differences: tuple[Difference, ...]
    only_first: tuple[Duty, ...]
    only_second: tuple[Duty, ...]
    deleted: tuple[Clause, ...]
    inserted: tuple[Clause, ...]


def compare(first: Rulebook, second: Rulebook) -> Comparison:
    """The differences of two rulebooks, or of one on two days."""
    same = first.id == second.id
    return Comparison(
        first=first,
        second=second,
        differences=tuple(_differences(first, second)),
        only_first=tuple(_duties(first, second)),
        only_second=tuple(_duties(second, first)),
        deleted=_lacking(second, first) if same else (),
        inserted=_lacking(first, second) if same else (),
    )


def _lacking(book: Rulebook, other: Rulebook) -> tuple[Clause, ...]:
    """The clauses of another text that the book does not have."""
    have = {clause.citation for clause in book.clauses}
    return tuple(clause for clause in other.clauses if clause.citation not in have)


@functools.cache
def sections() -> dict[str, str]:
    """The section of each provision."""
    found: dict[str, str] = {}
    section = ""
    for name in Rules.__struct_fields__:
        section = SECTIONS.get(name, section)
        if name not in NOT_PROVISIONS:
            found[name] = section
    return found


# Differences


def _differences(first: Rulebook, second: Rulebook) -> Iterator[Difference]:
    for provision, section in sections().items():
        pair = getattr(first.rules, provision), getattr(second.rules, provision)
        for path, one, other in _apart(provision, *pair):
            here, there = _wording(first, path, one), _wording(second, path, other)
            if here.words != there.words:
                yield Difference(
                    section=section, provision=path, name=name_of(path), first=here, second=there
                )


def _apart(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """(path, value, value) of what may differ; tables and records present on both sides are opened."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one | other:
            yield from _apart(f"{path}.{key}", one.get(key), other.get(key))
    elif isinstance(one, SideBet | SuperBonus) and isinstance(other, SideBet | SuperBonus):
        for field in one.__struct_fields__:
            yield from _apart(f"{path}.{field}", getattr(one, field), getattr(other, field))
    else:
        yield path, one, other


def _wording(book: Rulebook, path: str, value: Any) -> Wording:
    said = words(path, value)
    options = book.options().get(path)
    if options:
        others = [convert_values({path: other})[path] for other in options[1][1:]]
        choice = f": {words(path, others[0])}" if len(others) == 1 else " otherwise"
        said += f" (the house may choose{choice})"
    return Wording(words=said, value=value, clauses=book.cite(path))


def _duties(book: Rulebook, other: Rulebook) -> Iterator[Duty]:
    """The grounds that only `book` binds; those of a side bet that the other has not are no news."""
    for ground, clauses in book.bound.items():
        if ground in other.bound or not is_duty(ground):
            continue
        bet = ground.split(".")[1] if ground.startswith("side_bets.") else ""
        if not bet or bet in other.rules.side_bets:
            yield Duty(ground=ground, words=ground_words(ground), clauses=clauses)


# Words


def is_duty(ground: str) -> bool:
    """Is this a ground by itself, and not a provision?"""
    *folders, leaf = ground.split(".")
    return ground in GROUNDS or (len(folders) == 2 and folders[0] == "side_bets" and leaf in SIDE_BET_GROUNDS)


def ground_words(ground: str) -> str:
    """What a ground, or a provision bound as one, is about."""
    if ground in GROUNDS:
        return GROUNDS[ground]
    *folders, leaf = ground.split(".")
    if is_duty(ground):
        return f"{title(folders[1])}: {SIDE_BET_GROUNDS[leaf]}"
    return name_of(ground)


def name_of(path: str) -> str:
    """A provision as people call it: `side_bets.perfect_pairs.rows.mixed` is Perfect Pairs, mixed."""
    top, *rest = path.split(".")
    known = READ_BADLY.get(top, plain(top).capitalize())
    parts = [plain(part) for part in rest if part not in ("rows", "when")]
    if top == "side_bets" and parts:
        known, parts = title(rest[0]), parts[1:]
    return f"{known} {parts[0]}" if top == "approvals" and parts else ", ".join([known, *parts])


def plain(name: str) -> str:
    return name.replace("_", " ")


def title(name: str) -> str:
    """A side bet's name: `super_sevens` is Super Sevens."""
    return plain(name).title()


def words(path: str, value: Any) -> str:
    """A provision's value as a person would say it."""
    top, leaf = path.split(".")[0], path.split(".")[-1]
    field = leaf if isinstance(value, str | int) and leaf in READ_SO else top
    said = READ_SO.get(field, {}).get(value) if isinstance(value, str | int | None) else None
    if said is not None and not isinstance(value, bool):
        return said
    if isinstance(value, Row | SideBet | SuperBonus | Pattern):
        return _record(value)
    phrase = PHRASES.get(leaf, "{}")
    return phrase.format(_plain_value(leaf, value))


def _plain_value(leaf: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return _fraction(leaf, value)
    if isinstance(value, tuple | frozenset):
        return _several(leaf, value if isinstance(value, tuple) else tuple(sorted(value)))
    if isinstance(value, str):
        if value == "none":
            return NO_PROVISION
        return _ranks(value) if leaf in RANKS else plain(value)
    if isinstance(value, dict) and value:
        return f"for {len(value)} kinds of hand"
    return f"{value:,}" if value else "none"


def _fraction(leaf: str, value: Fraction) -> str:
    if leaf.endswith("decks"):
        known = {Fraction(0): "nothing", Fraction(1, 2): "half a deck", Fraction(1): "1 deck"}
        return known.get(value, f"{value} decks")
    if leaf.endswith("share"):
        return "half" if value == Fraction(1, 2) else f"{value} of"
    return odds_text(value)


def _several(leaf: str, values: tuple[Any, ...]) -> str:
    shown = [MEMBERS.get(value, plain(str(value))) for value in values]
    if not shown:
        return "none"
    if leaf in CHOICES and len(shown) > 1:
        return f"{', '.join(shown[:-1])} or {shown[-1]}"
    return ", ".join(shown)


def _ranks(ranks: str) -> str:
    """`A23456789TJQK` as `A, 2 to 10, J, Q, K`."""
    shown = ["10" if rank == "T" else rank for rank in ranks]
    numbers = [rank for rank in shown if rank.isdigit()]
    if len(numbers) < 3:
        return ", ".join(shown)
    span = f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(dict.fromkeys(span if rank.isdigit() else rank for rank in shown))


def _record(value: Row | SideBet | SuperBonus | Pattern) -> str:
    if isinstance(value, Pattern):
        return _pattern(value)
    if isinstance(value, Row):
        late = ", after the round" if value.paid == "after_round" else ""
        return f"{_pattern(value.when)}: {odds_text(value.pays)}{late}"
    if isinstance(value, SuperBonus):
        return (
            f"{_pattern(value.when)} against a dealer's {value.dealer_rank}: {value.below_threshold:,} "
            f"under a wager of {value.threshold}, {value.from_threshold:,} from there; "
            f"{value.others} to all others"
        )
    rows = "; ".join(f"{plain(name)} {odds_text(row.pays)}" for name, row in value.rows.items())
    return f"on the first {value.first_cards} cards: {rows}"


SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def _pattern(when: Pattern) -> str:
    """A condition on cards, its parts in a row."""
    parts = [
        " ".join("10" if rank == "T" else rank for rank in when.ranks) if when.ranks else "",
        f"{when.cards} cards" if when.cards and not when.ranks else "",
        f"{when.at_least_cards} cards or more" if when.at_least_cards else "",
        _either(when.same_rank, "a pair", "no pair"),
        _either(when.same_suit, "of one suit", "not of one suit"),
        _either(when.same_colour, "of one colour", "of two colours"),
        "in " + " or ".join(SUITS[suit] for suit in when.suits) if when.suits else "",
        f"below {when.total_below}" if when.total_below is not None else "",
        f"above {when.total_above}" if when.total_above is not None else "",
    ]
    return ", ".join(part for part in parts if part)


def _either(given: bool | None, yes: str, no: str) -> str:
    return "" if given is None else yes if given else no


def cited(clauses: Iterable[Clause], *, inside: Rulebook | None = None, glue: str = " ") -> str:
    """Clauses in short, each document named once: act-blackjack-2003 17.1, 17.4.

    Beside the name of a rulebook that is one document its clauses need none.
    """
    named = inside is None or inside.names_documents
    listed = list(clauses)
    shown = []
    for document, members in groupby(listed[:MOST_CITED], lambda clause: clause.document):
        numbers = ", ".join(clause.number for clause in members)
        shown.append(f"{document}{glue}{numbers}" if named else numbers)
    return "; ".join(shown) + (" …" if len(listed) > MOST_CITED else "")


# What is left to the house


def permitted(rules: Rules) -> dict[str, tuple[str, str]]:
    """For each house setting what the law permits, and the provision or ground that says so."""
    officer = " and the officer" if rules.approval_by == "officer" else ""
    step = words("insurance_step_share", rules.insurance_step_share)
    by_law = rules.insurance_step_share is not None
    allowed = {
        "name": "a name",
        "operator": "a name",
        "licence": "a licence" if rules.licence_needed else "any or none",
        "decks": words("decks_allowed", rules.decks_allowed),
        "minimum": "an amount up to the maximum, a whole number of multiples",
        "maximum": "an amount, a whole number of multiples",
        "multiple": "an amount that every odds pay in whole cents",
        "smallest_chip": "an amount",
        "boxes": "1 to 20",
        "several_boxes": "yes" if rules.several_boxes == "always" else "yes or no",
        "cutting_cards": words("cutting_cards_allowed", rules.cutting_cards_allowed),
        "automated_shoe": "yes or no" if rules.automated_shoe else "no",
        "back_designs": "1" if rules.one_back_design else "any number",
        "shuffle": "one of the approved shuffles",
        "approved_shuffles": "those that have been approved",
        "bank_holder": " or ".join(BANK_HOLDERS) if rules.bank_held_by_licensee else "anybody",
        "bank_shares": "the licence holder's" if rules.bank_held_by_licensee else "any",
        "hours": "a span as 12:00-06:00, or none",
        "officer_available": "yes or no",
        "withhold": f"none of {words('must_offer', rules.must_offer)}",
        "insurance_step": f"not used: {step}" if by_law else "an amount",
    }
    settings = {name: (said, BEHIND[name]) for name, said in allowed.items()}
    approvals = {
        f"approvals.{thing}": (f"the reference of the written approval{officer}", f"approvals.{thing}")
        for thing in rules.approvals
    }
    return settings | approvals | _side_offers(rules)


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
    if name not in House.__struct_fields__:
        offer = house.side_bets.get(name)
        return {part: number(amount) for part, amount in asdict(offer).items()} if offer else False
    value = getattr(house, name)
    return number(value) if name in MONEY else value


def readings(book: Rulebook, chosen: Rules) -> Iterator[tuple[str, Clause | None, list[Any]]]:
    """The provisions that the house may choose, each with its choices, that of the rules chosen first."""
    for name, (clause, raw) in book.options().items():
        choices = [convert_values({name: choice})[name] for choice in raw]
        choices.sort(key=lambda choice: bool(choice != getattr(chosen, name)))
        yield name, clause, choices
