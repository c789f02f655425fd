"""The ceiling: what a perfect player could win, from shoes that are sampled and solved."""

from __future__ import annotations

import functools
import json
import time

import numpy as np
import pytest

from croupier.cards import pack
from croupier.errors import ParseError
from croupier.exact import solve
from croupier.exact.shoe import of_counts
from croupier.exact.sidebets import insurance
from croupier.rulebook import load
from croupier.simulate.ceiling import PARTS, Ceiling, _measured, ceiling, expected, sampled
from croupier.simulate.counting import read_system
from croupier.threads import at_once
from test_record_file import croupier as croupier_run

RULES = load("act-blackjack-2003").choose(decks=4)
SHOES = 40


def test_shoes_are_sampled_up_to_the_cutting_card() -> None:
    cards = np.array(list(pack(RULES.ranks, 4)))
    gone = [sampled(RULES, 0.75, 1, number) for number in range(300)]
    sizes = [int(one.sum()) for one in gone]
    assert min(sizes) < 10
    assert 145 < max(sizes) < 0.75 * 208
    assert all((one <= cards).all() for one in gone)
    assert np.mean(sizes) == pytest.approx(0.375 * 208, abs=10)
    assert (sampled(RULES, 0.75, 1, 7) == gone[7]).all()
    assert (sampled(RULES, 0.75, 2, 7) != gone[7]).any()


def test_the_ceiling_is_what_each_shoe_is_worth() -> None:
    systems = [read_system("hi-lo"), read_system("omega-ii")]
    found = ceiling(RULES, penetration=0.8, shoes=SHOES, systems=systems)
    solved_again(found)
    knows_less(found)


def solved_again(found: Ceiling) -> None:
    """The sample, shoe by shoe."""
    whole = solve(RULES)
    worths, insured = [], []
    for number in range(SHOES):
        left = np.array(list(pack(RULES.ranks, 4))) - sampled(RULES, 0.8, 1, number)
        shoe = of_counts(bytes(left.tolist()))
        aces = shoe.left[0] / shoe.size
        worths.append(solve(RULES, shoe=shoe).ev)
        insured.append(worths[-1] + aces / 2 * max(0.0, float(insurance(RULES, shoe).ev)))
    for measured, worth in ((found.plays, worths), (found.best, insured)):
        squares = np.maximum(worth, 0.0) ** 2
        assert measured.value == pytest.approx(1e6 * squares.mean() / whole.variance, rel=1e-9)
    assert found.favourable.value == pytest.approx(np.mean(np.array(insured) > 0))


def knows_less(found: Ceiling) -> None:
    """Who knows less wins less."""
    assert found.best.value >= found.plays.value > found.bets.value > 0
    for one in found.counts:
        assert 0 < one.score.value < found.bets.value
        assert one.share.value == pytest.approx(one.score.value / found.best.value)
        assert one.of_bets.value == pytest.approx(one.score.value / found.bets.value)
    hi_lo, omega = found.counts
    assert hi_lo.correlation.value > omega.correlation.value > 0.8
    assert set(found.sides) == set(RULES.side_bets)
    assert found.sides["super_sevens"].value > 0


def test_a_count_that_knows_all_or_nothing() -> None:
    chance = np.random.default_rng(1)
    worth = chance.normal(size=4000)
    assert expected(worth, worth) == pytest.approx(worth, abs=1e-9)
    assert np.abs(expected(chance.normal(size=4000), worth)).mean() < 0.1


def test_the_error_of_a_mean() -> None:
    values = np.random.default_rng(2).normal(size=PARTS * 500)
    measured = _measured(lambda kept: float(values[kept].mean()), len(values))
    assert measured.se == pytest.approx(0.01, rel=0.4)


def test_too_few_shoes_are_refused() -> None:
    with pytest.raises(ParseError, match="39 shoes: at least 40"):
        ceiling(RULES, penetration=0.75, shoes=39, systems=[])


def test_the_command() -> None:
    done = croupier_run("ceiling", "2003", "--decks", "4", "--shoes", "40", "--count", "ko", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [one["name"] for one in data["counts"]] == ["KO"]
    assert data["best"]["value"] >= data["bets"]["value"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--decks", "inf"], "nothing to know"),
        (["--shoes", "3"], "at least 40"),
        (["--penetration", "0"], "between 0 and 1"),
        (["--seed", "-1"], "a seed is 0 or more"),
        (["--count", "hi-low"], "no counting system 'hi-low'"),
    ],
)
def test_what_makes_no_sense_is_refused(options: list[str], says: str) -> None:
    done = croupier_run("ceiling", "2003", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_who_interrupts_keeps_the_first_answers() -> None:
    """So that a sample that was cut short is that of as many shoes; too few are nothing."""

    def slow(number: int) -> int:
        time.sleep(0.001)
        return number

    jobs = {number: functools.partial(slow, number) for number in range(1000)}

    def interrupt(done: int, _: int) -> None:
        if done == 50:
            raise KeyboardInterrupt

    found = at_once(jobs, interrupt, least=10)
    assert found == {number: number for number in range(len(found))}
    assert 50 <= len(found) < 1000
    for least in (1000, None):
        with pytest.raises(KeyboardInterrupt):
            at_once(jobs, interrupt, least=least)
    assert at_once(jobs) == {number: number for number in range(1000)}
