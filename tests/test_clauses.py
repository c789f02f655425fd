"""Every clause test of tests/rules, one by one, and of tests/studies what is outside the law."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.cases import ClauseTest, read_tests, run_test

HERE = Path(__file__).parent
TESTS = [*read_tests(HERE / "rules"), *read_tests(HERE / "studies")]


@pytest.mark.parametrize("test", TESTS, ids=[f"{test.source} {test.title}" for test in TESTS])
def test_clause(test: ClauseTest) -> None:
    assert run_test(test).problems == ()


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"clauses": ("5.7", "13.1(a)")}, "nothing cited 13.1(a)"),
        ({"steps": "p1 sits 1\nready 5c\nstate shoe.left = 400"}, "found 415"),
        ({"steps": "p1 sits 1\nready 5c\nevent CardBurnt card=6c"}, "found "),
        ({"steps": "p1 sits 1\n! 5.7: p1 sits 2"}, "and is allowed"),
        ({"steps": "p1 sits 1\n! 5.7: p2 sits 1"}, "not first under 5.7"),
        ({"steps": "p2 sits 9"}, "there is no box 9"),
        ({"steps": "sing"}, "not understood"),
        ({"steps": "p1 sits 1\nready 5c\nnet p1 3"}, "found 0"),
        ({"house": {"decks": 9}}, "decks = 9 is not permitted"),
        ({"refused": "2.1", "house": {"decks": 6}}, "must be refused under 2.1"),
    ],
)
def test_a_clause_test_that_does_not_hold_says_why(changed: dict[str, object], problem: str) -> None:
    good = next(test for test in TESTS if test.clauses == ("5.7", "Dict:Burn"))
    fields = {name: getattr(good, name) for name in good.__struct_fields__}
    verdict = run_test(ClauseTest(**(fields | changed)))
    assert not verdict.passed
    assert problem in verdict.problems[0]
