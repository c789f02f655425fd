"""The solver against full enumeration of the table itself: equal as fractions, for all four rulebooks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cards import Card
from croupier.exact.shoe import CardsLeft, of_cards
from croupier.exact.solver import Solver
from croupier.rulebook import Rules, load
from enumeration import enumerate_round

TAKES = ("all", "original", "busted_and_one", "one_per_live_hand", "original_and_busted")


def shoe_of(text: str) -> dict[Card, int]:
    """`8s:5 Ts:6` as counts."""
    return {Card(word[:2]): int(word[3:]) for word in text.split()}


def as_shoe(counts: dict[Card, int]) -> CardsLeft:
    return of_cards(*[card for card, count in counts.items() for _ in range(count)])


def rules_of(book: str, **changes: Any) -> Rules:
    # The Super Bonus is in dollars and stands apart from what a unit is worth.
    return replace(load(book).choose(), super_bonus=None, **changes)


NATURALS: dict[str, Any] = {"natural_after_split": True}
PAID_AT_ONCE: dict[str, Any] = {"twenty_one": "paid_at_once", "dealer_natural_takes": "busted_and_one"}

SHOES: list[tuple[str, str, dict[str, Any]]] = [
    ("act-blackjack-2003", "8s:5 Ts:6 3s:4 As:3", {}),
    ("act-blackjack-2003", "2s:6 9s:4 Ts:6", {}),
    ("act-blackjack-2003", "6s:4 5s:4 Js:14", {"double_after_split": False}),
    ("act-blackjack-2003", "6s:4 9s:4 Js:10", {"double_cards": "any", "surrender": "late", "soft_17": "hit"}),
    ("act-blackjack-2003", "As:5 Ks:8 6s:3 9s:2", {"natural_after_split": True, "resplit_aces": True}),
    ("act-blackjack-2003", "As:5 Ks:8 6s:3 9s:2", {"split_ace_cards": 2, "max_hands": 3}),
    ("act-blackjack-2003", "As:3 Ks:4 Ts:5 6s:3", {"surrender": "faces_and_ace"}),
    ("act-blackjack-1997", "As:1 Ks:5 6s:5 7s:2", {}),
    ("act-blackjack-1997", "9s:4 Js:3 8s:5", {}),
    ("uk-blackjack-1994", "8s:6 As:4 Ts:8", {}),
    ("uk-blackjack-1994", "As:5 Ts:10 5s:6", {}),
    ("uk-blackjack-1994", "6s:3 Ks:3 7s:3 8s:4", {"max_hands": 4}),
    ("uk-blackjack-1994", "Ts:6 7s:16", {"unsplittable": frozenset({7})}),
    ("act-blackjack-2003", "Ts:7 9s:18", {"max_hands": None, "unsplittable": frozenset({9})}),
    ("act-blackjack-2003", "8s:8 Ts:9 3s:3", {"max_hands": 7}),
    ("act-pontoon-2002", "As:4 5s:4 Js:6 8s:4", {}),
    ("act-pontoon-2002", "7s:2 7h:3 8s:1 8h:1 Js:12 6s:1", {}),
    ("act-pontoon-2002", "6s:5 7s:4 2s:1 Js:3 Ks:2", {}),
    ("act-pontoon-2002", "As:4 6s:4 Js:16", {"forfeit": False}),
    ("act-pontoon-2002", "As:4 8s:3 2s:3 Js:12", {"double_aces": "all_before"}),
    ("act-pontoon-2002", "6s:1 7s:2 8s:2 Js:6", {"doubled_wins_pay": None}),
    ("act-pontoon-2002", "As:2 2s:1 3s:1 4s:2 Js:10", {"doubled_wins_pay": None}),
    ("act-pontoon-2002", "As:1 9s:3 3s:4 Js:4", {"max_hands": 3}),
    ("act-pontoon-2002", "7s:3 7h:1 6s:1 8s:1 Js:9 Ah:1", {}),
    ("act-blackjack-2003", "As:3 Ts:7 9s:3", NATURALS | {"dealer_natural_takes": "original"}),
    ("act-blackjack-2003", "As:2 Ts:8 9s:2", NATURALS | {"dealer_natural_takes": "busted_and_one"}),
    ("uk-blackjack-1994", "As:7 Ts:12", PAID_AT_ONCE),
    ("uk-blackjack-1994", "As:7 Ts:12", PAID_AT_ONCE | {"max_hands": 5}),
    *[("act-pontoon-2002", "As:2 8s:5 5s:4 Js:14", {"dealer_natural_takes": takes}) for takes in TAKES],
    *[("act-blackjack-2003", "As:3 8s:5 Js:14", {"dealer_natural_takes": takes}) for takes in TAKES],
    *[("uk-blackjack-1994", "8s:5 As:4 Ts:9", {"dealer_natural_takes": takes}) for takes in TAKES],
]


@pytest.mark.parametrize(("book", "shoe", "changes"), SHOES, ids=str)
def test_the_solver_finds_what_the_table_pays(book: str, shoe: str, changes: dict[str, Any]) -> None:
    rules = rules_of(book, **changes)
    counts = shoe_of(shoe)
    assert Solver(rules, as_shoe(counts), exact=True).ev == enumerate_round(rules, counts).ev


@pytest.mark.parametrize("dollars", [10, 25])
@pytest.mark.parametrize("shoe", ["7s:2 7h:3 8s:1 8h:1 Js:12 6s:1", "7s:4 7h:3 7d:1 Js:14"])
def test_the_super_bonus_through_splits_of_sevens(shoe: str, dollars: int) -> None:
    rules = load("act-pontoon-2002").choose()
    counts = shoe_of(shoe)
    found = Solver(rules, as_shoe(counts), exact=True, wager=Fraction(dollars)).ev
    assert found == enumerate_round(rules, counts, stake=100 * dollars).ev


# Many hands of this shoe are worth the same hit as stood on, and not so after a split.
ONE_WAGER: dict[str, Any] = {"max_hands": 2, "dealer_natural_takes": "busted_and_one"}
EVEN: list[tuple[str, str, dict[str, Any]]] = [
    (
        "act-blackjack-2003",
        "2s:2 9s:5 As:4 Js:7",
        {"double_after_split": False, "double_cards": "any", **ONE_WAGER},
    )
]


@pytest.mark.parametrize(("book", "shoe", "changes"), SHOES[:1] + SHOES[9:10] + SHOES[12:14] + EVEN, ids=str)
def test_floats_and_fractions_agree(book: str, shoe: str, changes: dict[str, Any]) -> None:
    rules = rules_of(book, **changes)
    cards = as_shoe(shoe_of(shoe))
    exact = Solver(rules, cards, exact=True).ev
    assert Solver(rules, cards).ev == pytest.approx(float(exact), abs=1e-13)
