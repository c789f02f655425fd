"""A shoe that can run out within a round is refused, splits and all, and no other."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards import Card
from croupier.errors import ParseError, RulebookError
from croupier.exact import solve
from croupier.exact.common import Common
from croupier.exact.shoe import of_cards
from croupier.exact.solver import PostSplit, Solver
from croupier.rulebook import NAMES, load
from croupier.rulebook.study import studied
from enumeration import enumerate_round
from test_exact_truth import rules_of


def refusal(book: str, cards: str, post_split: PostSplit = "cdz", *, exact: bool = False) -> str:
    """Why a shoe of these cards is refused; empty where it is not."""
    shoe = of_cards(*map(Card, cards.split()))
    try:
        found = solve(load(book).choose(), shoe=shoe, post_split=post_split, exact=exact)
        assert -8 <= found.ev <= 8
        if found.has_spread:
            results = found.spread.results
            assert sum(results.values()) == pytest.approx(1, abs=1e-12)
            assert sum(result * chance for result, chance in results.items()) == pytest.approx(
                found.ev, abs=1e-12
            )
    except ParseError as error:
        return str(error)
    return ""


def test_a_split_that_can_take_more_cards_than_there_are() -> None:
    said = refusal("act-blackjack-2003", "2s " * 24)
    assert said == "a shoe of 24 cards can run out before a round is over in which a pair of 2 is split"
    assert refusal("act-blackjack-2003", "2s " * 48) == said.replace("24", "48")
    assert refusal("act-blackjack-2003", "2s " * 49) == ""  # four hands of ten cards, and nine of the dealer


def test_the_command_says_so_in_a_sentence() -> None:
    gone = " ".join(f"{rank}=0" for rank in "A3456789TJQK")
    made = subprocess.run(
        [sys.executable, "-m", "croupier", "solve", "--decks", "6", "--shoe", gone],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 2
    assert made.stderr == (
        "croupier: a shoe of 24 cards can run out before a round is over in which a pair of 2 is split\n"
    )


def test_a_pair_that_is_not_split_does_not_matter() -> None:
    # Two tens are worth more together, though four hands of them could take all the cards.
    tens = "Ts " * 5 + "5s " * 4 + "4s " * 3
    shoe = of_cards(*map(Card, tens.split()))
    solver = Solver(load("act-blackjack-2003").choose(), shoe, must_last=True)
    assert not solver.lasts_split(9, 9)
    assert solver.ev > -1
    with pytest.raises(ParseError, match="a pair of T is split"):
        solver.split(9, 9)


def test_who_values_shoes_by_the_thousand_may_take_the_cards_to_suffice() -> None:
    solver = Solver(load("act-blackjack-2003").choose(), of_cards(*[Card("2s")] * 24))
    assert solver.ev == pytest.approx(4)  # four hands that win, if all find their cards


@pytest.mark.parametrize("book", NAMES)
def test_a_single_pack_lasts_whatever_the_house_chooses(book: str) -> None:
    rulebook, common = load(book), Common()
    options = [(name, value) for name, (_, values) in rulebook.options().items() for value in values]
    for name, value in options:
        if name in studied():
            rules = rulebook.choose(**{name: value})
            with contextlib.suppress(RulebookError):  # what is not solved from any shoe
                assert solve(rules, decks=1, common=common).ev < 0.1
    for post_split in ("cdz", "cdp"):
        assert solve(rulebook.choose(), decks=1, post_split=post_split).ev < 0.1


@pytest.mark.parametrize(
    ("book", "cards"),
    [
        ("uk-blackjack-1994", "8c 8d 8h 8s As Tc Td"),
        ("uk-blackjack-1994", "7c 7d 7d 7h 7h 7h 7s 8d 8d 8s"),
        ("act-pontoon-2002", "2c 2d 2d 2s 2s 2s 6d 6d 6h 6h Jc Kc"),
        ("act-blackjack-2003", "4d 4s 5c 5c 5d 5d 5h 8h 8s Ah As"),
    ],
)
@pytest.mark.parametrize("post_split", ["cdz", "cdp"])
def test_fractions_of_a_tiny_shoe(book: str, cards: str, post_split: PostSplit) -> None:
    said = refusal(book, cards, post_split, exact=True)
    assert said == "" or "can run out before a round is over" in said


SMALL = st.lists(st.sampled_from("A23456789TJQK"), min_size=1, max_size=5, unique=True).flatmap(
    lambda ranks: st.lists(st.sampled_from(ranks), min_size=6, max_size=26)
)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(NAMES[:3]), SMALL, st.sampled_from(["cdz", "cdz", "cdp", "total"]))
def test_every_small_shoe_has_an_answer_or_a_refusal(book: str, ranks: list[str], after: PostSplit) -> None:
    said = refusal(book, " ".join(f"{rank}s" for rank in ranks), after)
    assert said == "" or "can run out before a round is over" in said


@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from("37TA"), min_size=9, max_size=12))
def test_what_the_table_can_play_to_its_end_is_not_refused(ranks: list[str]) -> None:
    counts = Counter(Card(f"{rank}s") for rank in ranks)
    rules = rules_of("act-blackjack-2003", max_hands=3)
    try:
        truth = enumerate_round(rules, counts).ev
    except ValueError:  # some play needs more cards
        return
    assert solve(rules, shoe=of_cards(*counts.elements()), exact=True).ev == truth
