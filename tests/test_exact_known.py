"""Figures that others have published or computed, each with its source."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cards import RANKS
from croupier.errors import ParseError
from croupier.exact.asked import card_values
from croupier.exact.hands import ACE, TEN
from croupier.exact.shoe import CardsLeft, endless, fresh, parse_shoe
from croupier.exact.solver import PostSplit, Solver
from croupier.exact.totals import total_plans
from croupier.rulebook import Rules, load

UK_DOUBLES: dict[str, Any] = {"double_totals": "9-11", "unsplittable": frozenset({4, 5, 10})}

TWO_SOLVERS = "two independent public solvers agree"
ONE_SOLVER = "one public solver"
OWN_ENUMERATION = "an exact solver checked by enumeration"

KNOWN: list[tuple[str, dict[str, Any], PostSplit, float, str]] = [
    ("act-blackjack-2003", {}, "cdz", -0.005140564552902, TWO_SOLVERS),
    ("act-blackjack-2003", {}, "cdp", -0.005140477425970, ONE_SOLVER),
    ("act-blackjack-2003", {"dealer_natural_takes": "original"}, "cdz", -0.004028702361154, TWO_SOLVERS),
    ("act-blackjack-2003", UK_DOUBLES, "cdz", -0.006124059952433, TWO_SOLVERS),
    ("act-blackjack-2003", UK_DOUBLES | {"resplit_aces": True}, "cdz", -0.005488248984576, ONE_SOLVER),
    ("uk-blackjack-1994", {}, "cdz", -0.005453908593452, OWN_ENUMERATION),
    ("act-pontoon-2002", {}, "cdz", -0.003497565693523, OWN_ENUMERATION),
]


def six_decks(rules: Rules) -> CardsLeft:
    return fresh(rules.ranks, 6)


@pytest.mark.parametrize(("book", "changes", "post_split", "ev", "source"), KNOWN)
def test_published_values_of_six_decks(
    book: str, changes: dict[str, Any], post_split: PostSplit, ev: float, source: str
) -> None:
    rules = replace(load(book).choose(), **changes)
    found = Solver(rules, six_decks(rules), post_split=post_split).ev
    assert found == pytest.approx(ev, abs=1e-12), source


def test_packs_without_end_as_the_wizard_of_odds_has_them() -> None:
    rules = replace(load("act-blackjack-2003").choose(), dealer_natural_takes="original")
    solver = Solver(rules, endless(rules.ranks))
    assert solver.ev == pytest.approx(-0.00511734, abs=1e-8)
    # Where no card changes the next, a total says as much as the cards.
    by_total = Solver(rules, endless(rules.ranks), plans=total_plans(solver))
    assert by_total.ev == pytest.approx(solver.ev, abs=1e-15)


@pytest.mark.parametrize(
    ("book", "decks", "changes", "worth"),
    [
        ("act-blackjack-2003", 8, {"max_hands": None}, 0.347241124),
        ("uk-blackjack-1994", None, {"unsplittable": frozenset()}, 0.370200726),
    ],
)
def test_tens_split_without_a_limit(
    book: str, decks: int | None, changes: dict[str, Any], worth: float
) -> None:
    """So many hands that what tells them apart would be lost in rounding if it were had by differences."""
    rules = replace(load(book).choose(), **changes)
    solver = Solver(rules, fresh(rules.ranks, decks) if decks else endless(rules.ranks))
    assert solver.split(card_values(rules)["6"], TEN) == pytest.approx(worth, abs=1e-9)


@pytest.mark.parametrize("most", [2, 3, 4, 6])
@pytest.mark.parametrize("pair", ["8", "T", "A"])
def test_hands_one_by_one_are_worth_what_differences_say(
    most: int, pair: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = replace(load("act-blackjack-2003").choose(), max_hands=most, resplit_aces=True)
    value = card_values(rules)[pair]
    few = Solver(rules, six_decks(rules))
    monkeypatch.setattr("croupier.exact.solver.FEW_HANDS", 1)
    many = Solver(rules, six_decks(rules))
    for upcard in (5, TEN, ACE):
        assert many.split(upcard, value) == pytest.approx(few.split(upcard, value), abs=1e-14)


def test_tens_without_an_end_are_refused() -> None:
    """Every other card a ten: each hand makes another as often as it is complete."""
    rules = replace(load("uk-blackjack-1994").choose(), unsplittable=frozenset())
    left = tuple(8 if rank in "TJQK" else 1 for rank in RANKS)
    shoe = replace(endless(rules.ranks), left=left)
    with pytest.raises(ParseError, match="without an end"):
        Solver(rules, shoe).split(5, TEN)


# Effects of removing one card in percent, 6 decks, stands on 17, late surrender, aces split again
# (Wizard of Odds, ask 294).
REMOVED = {
    "2": 0.070,
    "3": 0.084,
    "4": 0.114,
    "5": 0.146,
    "6": 0.079,
    "7": 0.041,
    "8": -0.010,
    "9": -0.041,
    "T": -0.092,
    "A": -0.101,
}


@pytest.fixture(scope="module")
def american() -> tuple[Rules, float]:
    rules = replace(
        load("act-blackjack-2003").choose(),
        dealer_natural_takes="original",
        surrender="late",
        resplit_aces=True,
    )
    return rules, Solver(rules, six_decks(rules)).ev


@pytest.mark.parametrize("rank", REMOVED)
def test_effects_of_removal(rank: str, american: tuple[Rules, float]) -> None:
    rules, whole = american
    without = Solver(rules, parse_shoe(f"-{rank}", rules.ranks, 6)).ev
    assert 100 * (without - whole) == pytest.approx(REMOVED[rank], abs=0.0015)
