"""The table against rounds adjudicated by hand and by an independent program."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from croupier.cases import Case, read_case, read_path, run_case
from croupier.house.rounds import case_of, to_toml, write_case_log
from croupier.record import read_log, replay

CASES = [case for case in read_path(Path(__file__).parent / "cases") if isinstance(case, Case)]
ids = [f"{case.rulebook}: {case.title}" for case in CASES]


def test_all_cases_are_readable() -> None:
    assert len(CASES) == len(list(read_path(Path(__file__).parent / "cases"))) == 340


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_case(case: Case) -> None:
    assert run_case(case).problems == ()


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_a_case_becomes_a_log_and_a_case_again_without_loss(case: Case, tmp_path: Path) -> None:
    first, second = tmp_path / "first.log", tmp_path / "second.log"
    write_case_log(case, first)
    log = read_log(first)
    assert replay(log).refusals == sum(" refused " in line for line in case.play)
    written = read_case(tomllib.loads(to_toml(case_of(log))), "written")
    assert run_case(written).problems == ()
    assert (written.cards, written.reshuffled, written.burn) == (case.cards, case.reshuffled, case.burn)
    assert (written.wagers, written.dealer, written.table) == (case.wagers, case.dealer, case.table)
    assert len(written.play) == len(case.play)
    write_case_log(written, second)
    again = read_log(second)
    assert again.entries == log.entries
    assert read_case(tomllib.loads(to_toml(case_of(again))), "written") == written


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"dealer": "6d Tc 6s"}, "the dealer's cards"),
        ({"cards": "Th 9c cut 6d 8h 9d Tc 5s 2c"}, "these cards are left: 2c"),
        ({"cards": "Th 9c cut 6d 8h 9d Tc"}, "has no more cards"),
        ({"play": ["1 stand"]}, "says nothing more"),
        ({"play": ["1 stand", "2 stand", "2 stand"]}, "the table is at the stage 'dealer'"),
        ({"play": ["1 stand", "2 hit refused 9.2(a)", "2 stand"]}, "and is allowed"),
        ({"play": ["1 split refused 10.3", "1 stand", "2 stand"]}, "must be refused under 10.3"),
        ({"table": {"decks": 7}}, "[act-blackjack-1997 3.1]"),
        ({"rulebook": "nope"}, "'nope' is no rulebook"),
    ],
)
def test_a_wrong_case_fails_and_says_where(change: dict[str, object], problem: str) -> None:
    raw = tomllib.loads((Path(__file__).parent / "cases" / ONE).read_text())
    outcome = run_case(read_case(raw | change, "changed"))
    assert not outcome.passed
    assert problem in outcome.problems[0]


ONE = "act-blackjack-1997/n1-one-cutting-card-met-on-the-dealer-s-hand.toml"


def test_a_wrong_net_or_clause_or_a_missing_expectation_fails() -> None:
    raw = tomllib.loads((Path(__file__).parent / "cases" / ONE).read_text())
    first, second = raw["expect"]
    for expect, problem in (
        ([first | {"net": -9}, second], "expected -9"),
        ([first | {"clause": "13.1(a)"}, second], "expected a clause of 13.1(a)"),
        ([first], "not expected: p2 box 2"),
    ):
        outcome = run_case(read_case(raw | {"expect": expect}, "changed"))
        assert problem in outcome.problems[0]
