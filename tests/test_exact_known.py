"""Figures that others have published or computed, each with its source."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

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
