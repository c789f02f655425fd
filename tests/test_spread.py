"""The results of a round and their chances, held to enumeration of the table and to simulation."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

from croupier.errors import ParseError
from croupier.exact import kernels, solve, without_end
from croupier.exact.ends import Ends, brought, powers
from croupier.exact.hands import Array, counts_of
from croupier.exact.made import FREE, OTHER, Made, SplitType
from croupier.exact.records import Spread
from croupier.exact.scale import Scale
from croupier.exact.shoe import fresh
from croupier.exact.solver import Solver
from croupier.exact.split_spread import SplitSpread
from croupier.exact.spread import spread
from croupier.exact.twos import falling
from croupier.rulebook import load
from croupier.rulebook.study import study
from enumeration import Enumerated, enumerate_round
from test_exact_truth import NATURALS, PAID_AT_ONCE, TAKES, as_shoe, rules_of, shoe_of

Shoe = tuple[str, str, dict[str, Any]]
# A pair of eights is surrendered to a face, and split against a ten.
SURRENDERED: dict[str, Any] = {"surrender": "faces_and_ace", "dealer_natural_takes": "original"}

SHOES: list[Shoe] = [
    ("act-blackjack-2003", "8s:5 Ts:6 As:3", {}),
    ("act-blackjack-2003", "7s:3 6s:2 8s:6 Ks:2 Ts:1", SURRENDERED),
    ("act-blackjack-2003", "6s:4 9s:4 Js:10", {"surrender": "late", "soft_17": "hit"}),
    ("act-blackjack-2003", "As:5 Ks:8 9s:2", {"natural_after_split": True, "resplit_aces": True}),
    ("act-blackjack-1997", "9s:4 Js:3 8s:5", {}),
    ("uk-blackjack-1994", "8s:6 As:4 Ts:8", {}),
    ("uk-blackjack-1994", "As:7 Ts:12", PAID_AT_ONCE),
    # There are not aces enough to pay all four hands of a split.
    ("act-blackjack-2003", "As:4 Ts:10", PAID_AT_ONCE),
    ("act-pontoon-2002", "7s:3 7h:1 6s:1 8s:1 Js:9 Ah:1", {}),
    ("act-pontoon-2002", "7s:2 7h:3 8s:1 8h:1 Js:12 6s:1", {}),
    ("act-pontoon-2002", "6s:1 7s:2 8s:2 Js:6", {"doubled_wins_pay": None}),
    ("act-pontoon-2002", "3s:2 8s:6 Ks:3 Js:5", SURRENDERED),
    ("act-blackjack-2003", "As:3 Ts:7 9s:3", NATURALS | {"dealer_natural_takes": "original"}),
    *[("act-blackjack-2003", "As:3 8s:5 Js:14", {"dealer_natural_takes": takes}) for takes in TAKES],
]


def both(book: str, shoe: str, changes: dict[str, Any]) -> tuple[Spread, Enumerated]:
    rules, counts = rules_of(book, **changes), shoe_of(shoe)
    return spread(Solver(rules, as_shoe(counts), exact=True)), enumerate_round(rules, counts)


@pytest.mark.parametrize(("book", "shoe", "changes"), SHOES, ids=str)
def test_the_variance_from_small_shoes_is_exact(book: str, shoe: str, changes: dict[str, Any]) -> None:
    found, truth = both(book, shoe, changes)
    assert found.three_hands > 0
    assert found.variance == truth.second_moment - truth.ev**2


@pytest.mark.parametrize(("book", "shoe", "changes"), SHOES, ids=str)
def test_every_result_of_two_hands_is_exact(book: str, shoe: str, changes: dict[str, Any]) -> None:
    found, truth = both(book, shoe, changes | {"max_hands": 2})
    assert found.split_share > found.three_hands == 0
    assert found.results == truth.outcomes


def test_results_without_splits_are_exact() -> None:
    found, truth = both("act-pontoon-2002", "As:2 8s:3 5s:3 6s:1 7s:1 7h:1 Js:8", {"max_hands": 1})
    assert found.split_share == 0
    assert found.results == truth.outcomes


def test_the_super_bonus_counts_in_the_variance() -> None:
    rules, counts = load("act-pontoon-2002").choose(), shoe_of("7s:3 7h:2 Js:8")
    found = spread(Solver(rules, as_shoe(counts), exact=True, wager=Fraction(10)))
    truth = enumerate_round(rules, counts, stake=1000)
    assert found.variance == truth.second_moment - truth.ev**2


# The dealer cannot come to 16 or 18, which in floats is a chance of rounding errors.
IMPOSSIBLE: Shoe = ("act-pontoon-2002", "7s:3 8h:1 8s:2 As:2 Js:6", {"dealer_draws_to": 13})


@pytest.mark.parametrize(("book", "shoe", "changes"), [*SHOES[5:9], IMPOSSIBLE], ids=str)
def test_floats_and_fractions_agree(book: str, shoe: str, changes: dict[str, Any]) -> None:
    rules, cards = rules_of(book, **changes), as_shoe(shoe_of(shoe))
    exact, found = spread(Solver(rules, cards, exact=True)), spread(Solver(rules, cards))
    assert found.variance == pytest.approx(float(exact.variance), abs=1e-13)
    for result, chance in exact.results.items():
        assert found.results.get(result, 0.0) == pytest.approx(float(chance), abs=1e-14)


# Three hands and more


def card_by_card(solver: Solver, scale: Scale, upcard: int, pair: int, made: Made) -> Array:
    """The results of hands of one type, every combination of their ends gone through."""
    ends = solver.split_ends(upcard, pair)
    if made.hands[0].second == OTHER:
        ends = ends.only(np.array([not way.paired for way in ends.ways]))
    terms = np.array(list(combinations_with_replacement(range(len(ends.keys)), len(made.hands))))
    alike = [prod(map(factorial, Counter(row).values())) for row in terms.tolist()]
    orders = ends.orders[terms].prod(axis=1) * factorial(len(made.hands)) / np.array(alike)
    cards = powers(ends.keys[terms].sum(axis=1))
    draw = solver.draw(upcard, *[pair] * (2 + made.gone))
    chance = orders * made.weight * solver.second_cards(upcard, pair).chance(made.gone, 0)
    chance /= falling(draw.size, draw.step, 48, solver.kind)[cards.sum(axis=1)]
    for value in range(10):
        chance *= falling(draw.left[value], draw.step, 48, solver.kind)[cards[:, value]]
    shoes, sizes = draw.left - cards * draw.step, draw.size - cards.sum(axis=1) * draw.step
    rows = kernels.evaluate(solver.weighed_terms(upcard), shoes, sizes, draw.step)
    found = scale.empty()
    places = scale.reach + brings(solver, scale, ends)[ends.way[terms]].sum(axis=1)
    np.add.at(found, places, chance[:, None] * rows)
    return found


def brings(solver: Solver, scale: Scale, ends: Ends) -> Array:
    fate, stake, total, odds = (np.array([way[field] for way in ends.ways]) for field in range(4))
    return scale.steps(brought(solver.law, solver.split_pay, fate, stake, total, odds))


@pytest.mark.parametrize(("decks", "error"), [(1, 5e-4), (8, 5e-6)])
def test_three_and_four_hands_are_close_to_all_combinations_of_cards(decks: int, error: float) -> None:
    """The error, as a part of the chance that so many hands are made."""
    rules = load("act-blackjack-2003").choose()
    solver, found = Solver(rules, fresh(rules.ranks, decks)), 0
    solver.ev  # noqa: B018 - solved
    scale = Scale(solver, 4)
    for upcard in solver.upcards:
        for pair in (6, 7, 8):
            few = len(solver.split_ends(upcard, pair).keys) <= 28
            hand = solver.number[counts_of([pair, pair])]
            if not few or not solver.opening(upcard).plan.splits[hand].any():
                continue
            found += 1
            for made in (Made(2, (SplitType(OTHER),) * 3, 1), Made(1, (SplitType(FREE),) * 4, 2)):
                chances = SplitSpread(solver, scale, upcard, pair, 1.0, [made]).results()
                truth = card_by_card(solver, scale, upcard, pair, made)
                assert abs(chances - truth).max() < error * truth.sum()
                squares = [(each * scale.results**2).sum() for each in (chances, truth)]
                assert squares[0] == pytest.approx(squares[1], rel=1e-12)
    assert found > 7


def test_three_and_four_hands_from_many_cards_are_close_to_enumeration() -> None:
    rules, counts = rules_of("act-blackjack-2003"), shoe_of("9s:32 Ts:128 As:32")
    truth, found = enumerate_round(rules, counts), spread(Solver(rules, as_shoe(counts)))
    assert found.variance == pytest.approx(float(truth.second_moment - truth.ev**2), abs=1e-13)
    for result in {*truth.outcomes, *found.results}:
        error = found.results.get(result, 0.0) - float(truth.outcomes.get(result, 0))
        assert abs(error) < 3e-5 * found.three_hands, result


# Every game: that the chances sum to one and have the mean that is known is asserted where they are found


@pytest.mark.parametrize(
    ("book", "settings"),
    [
        ("act-blackjack-2003", ["surrender=faces_and_ace", "dealer_natural_takes=original_and_busted"]),
        ("act-blackjack-2003", ["max_hands=none", "dealer_natural_takes=busted_and_one"]),
        ("uk-blackjack-1994", ["natural_after_split=true", "soft_17=hit"]),
    ],
    ids=str,
)
def test_every_game_has_a_spread(book: str, settings: list[str]) -> None:
    found = solve(study(load(book), settings, 1).rules).spread
    assert sum(found.results.values()) == pytest.approx(1, abs=1e-12)
    assert sum(float(result) * chance for result, chance in found.results.items()) == pytest.approx(
        found.ev, abs=1e-12
    )
    assert min(found.results.values()) > 0


def test_packs_without_end_have_independent_hands() -> None:
    rules = load("act-blackjack-2003").choose()
    solver = Solver(rules, without_end(rules))
    solver.ev  # noqa: B018 - solved
    scale = Scale(solver, 3)
    three = Made(1, (SplitType(OTHER),) * 3, 1)
    found = SplitSpread(solver, scale, 5, 8, 1.0, [three]).results()
    assert abs(found - card_by_card(solver, scale, 5, 8, three)).max() < 1e-15


def test_play_of_single_hands_has_no_spread() -> None:
    solution = solve(load("act-blackjack-2003").choose(), decks=1, post_split="cdp")
    assert not solution.has_spread
    with pytest.raises(ParseError, match="cdp plays each hand of a split by itself"):
        solution.find_spread()


def test_it_is_told_how_far_the_work_is() -> None:
    heard: list[tuple[int, int]] = []
    solution = solve(load("act-blackjack-2003").choose(), decks=1)
    solution.find_spread(lambda done, total: heard.append((done, total)))
    assert [done for done, _ in heard] == list(range(1, heard[0][1] + 1))
    solution.find_spread(lambda done, total: heard.append((0, 0)))
    assert heard[-1] != (0, 0)
