"""Two boxes together: held to the table, which plays both through every order of a small shoe."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cards import parse_cards
from croupier.errors import ParseError
from croupier.exact import solve, without_end
from croupier.exact.boxes import covariance
from croupier.exact.ended import splits
from croupier.exact.shoe import fresh, of_cards
from croupier.rulebook import load
from croupier.simulate import game_of, simulate
from planned import PlannedRound

UNSPLIT: list[tuple[str, str, dict[str, Any]]] = [
    ("act-blackjack-2003", "8s 8s 8s 8s As As 5s 5s 5s Ts Ts Ts Ts", {}),
    ("act-blackjack-2003", "7s 7s 7s 7s 9s 9s 9s As Ks Ts Ts", {"surrender": "faces_and_ace"}),
    ("uk-blackjack-1994", "9s 9s 9s 9s As As 6s 6s 6s Js Js Js", {}),
    ("act-pontoon-2002", "9s 9s 9s As As 5s 5s 5s Js Js Js Js Js", {"super_bonus": None}),
]


@pytest.mark.parametrize(("book", "cards", "changes"), UNSPLIT)
def test_boxes_that_do_not_split(book: str, cards: str, changes: dict[str, Any]) -> None:
    rules = replace(load(book).choose(), max_hands=1, **changes)
    dealt = parse_cards(cards)
    solver = solve(rules, shoe=of_cards(*dealt), exact=True).solver
    played = PlannedRound(solver, dealt, boxes=2)
    assert played.mean(1) == played.mean(2) == solver.ev
    found = covariance(solver)
    assert isinstance(found, Fraction)
    assert found == played.mean(1, 2) - solver.ev**2


SPLIT: list[tuple[str, str, dict[str, Any]]] = [
    ("act-blackjack-2003", "9s 9s 9s 6s 6s As As Ts Ts Ts Ts Ts Ts Ts Ts", {"dealer_natural_takes": "all"}),
    ("act-blackjack-1997", "8s 8s 8s 7s 6s 5s Ts Ts Ts Ts Ts Ts Ts Ts", {}),
    ("uk-blackjack-1994", "9s 9s 9s 3s As As Ts Ts Ts Ts Ts Ts Ts Ts", {"double_totals": "any"}),
]


@pytest.mark.parametrize(("book", "cards", "changes"), SPLIT)
def test_boxes_of_which_one_splits(book: str, cards: str, changes: dict[str, Any]) -> None:
    """There are not enough cards for both to have a pair that is split."""
    rules = replace(load(book).choose(), max_hands=3, unsplittable=(1, 10), **changes)
    dealt = parse_cards(cards)
    solver = solve(rules, shoe=of_cards(*dealt), exact=True).solver
    assert len({split.pair for split in splits(solver)}) == 1
    played = PlannedRound(solver, dealt, boxes=2)
    assert covariance(solver) == played.mean(1, 2) - solver.ev**2


@pytest.mark.parametrize(
    ("book", "cards"),
    [
        ("act-blackjack-2003", "9s 9s 9s 9s 9s As As Ts Ts Ts Ts Ts Ts Ts Ts"),
        ("uk-blackjack-1994", "9s 9s 9s 9s 9s As As Ts Ts Ts Ts Ts Ts Ts Ts"),
        ("act-pontoon-2002", "8s 8s 8s 8s 9s 9s 9s Js Js Js Js Js Js Js Js Js"),
    ],
)
def test_boxes_that_both_split(book: str, cards: str) -> None:
    rules = replace(load(book).choose(), max_hands=2, super_bonus=None)
    dealt = parse_cards(cards)
    solver = solve(rules, shoe=of_cards(*dealt), exact=True).solver
    played = PlannedRound(solver, dealt, boxes=2)
    assert float(covariance(solver)) == pytest.approx(float(played.mean(1, 2) - solver.ev**2), abs=0.01)


def test_packs_without_end_leave_the_dealer_alone_in_common() -> None:
    rules = replace(load("act-blackjack-2003").choose(), max_hands=1)
    near, none = (solve(rules, shoe=shoe).covariance for shoe in (fresh(rules.ranks, 80), without_end(rules)))
    assert near != none
    assert near == pytest.approx(none, abs=0.0002)


def test_play_without_a_round_has_none() -> None:
    with pytest.raises(ParseError, match="each hand of a split by itself"):
        solve(load("act-blackjack-2003").choose(), decks=1, post_split="cdp").covariance  # noqa: B018


def test_simulated_boxes_go_together_as_much() -> None:
    rules = load("act-blackjack-2003").choose(boxes=2)
    found = simulate(game_of(rules, seed=3, fresh=True, boxes=2), rounds=4_000_000)
    played = found.round_deviation**2 / 2 - found.deviation**2
    assert played == pytest.approx(solve(rules).covariance, abs=0.004)
