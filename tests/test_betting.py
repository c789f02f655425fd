"""Bets reckoned from a run: against identities, against each other, and against what is played out."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from math import exp, log, sqrt
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from msgspec.structs import replace

import croupier.cli
import croupier.simulate.run
from croupier.cli import keeping
from croupier.cli.tables import COLUMNS
from croupier.errors import ParseError
from croupier.exact.hands import Array
from croupier.rulebook import load
from croupier.simulate import Found, Game, Tally, game_of, simulate
from croupier.simulate import kept as kept_run
from croupier.simulate.betting import (
    Limits,
    Rounds,
    best_bets,
    bets_for_risk,
    bets_of,
    exponent,
    figures,
    outcomes,
    parse_ramp,
    placed,
    ramp_of,
    ramp_text,
    rounds_of,
)
from croupier.simulate.counting import System, read_system
from croupier.simulate.kernel import ROUNDS, SUM_WON
from croupier.simulate.paths import paths
from croupier.simulate.ruin import SMALL, Walk

BOOK = "act-blackjack-2003"
pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")


def counted_game(boxes: int = 1, system: System | None = None, seed: int = 3) -> Game:
    rules = load(BOOK).choose()
    return game_of(rules, seed=seed, boxes=boxes, penetration=0.8, system=system or read_system("hi-lo"))


@pytest.fixture(scope="module")
def played() -> tuple[Game, Tally]:
    """A run of some 200,000 rounds, which is one chunk."""
    game = counted_game()
    return game, game.chunk(0)


@pytest.fixture(scope="module")
def rounds(played: tuple[Game, Tally]) -> Rounds:
    game, tally = played
    return rounds_of(game.found(tally))


def made_up(often: dict[int, dict[int, int]]) -> Rounds:
    """Rounds by count and what they won, each a shoe of its own."""
    won = sorted({result for row in often.values() for result in row})
    table = np.array([[row.get(result, 0) for result in won] for row in often.values()])
    squares = np.diag(table @ np.array(won) ** 2).astype(object)
    total = int(table.sum())
    by_rounds = (table @ np.array(won)).astype(object)
    return Rounds(np.array(list(often)), np.array(won), table, squares, by_rounds, total, total, 1, 1, 1.0)


COIN = made_up({0: {-1: 49, 1: 51}})
ONE = np.ones(1)


# Ruin


@pytest.mark.parametrize("win", [-0.05, -1e-9, 0.0, 0.01, 0.05])
def test_risks_agree_with_one_another(win: float) -> None:
    walk = Walk(win, 1.2)
    assert walk.ruin_within(30, 1e9) == pytest.approx(walk.ruin(30), abs=0.002)
    assert walk.behind_after(30, 900) < walk.ruin_within(30, 900) < walk.ruin_within(30, 1000)
    assert walk.ruin_before(30, 1e6, 900) == pytest.approx(walk.ruin_within(30, 900), rel=1e-9)
    assert walk.target_first(30, 20) + walk.ruin_before(30, 20, 1e9) == pytest.approx(1)
    assert walk.target_before(30, 20, 1e9) == pytest.approx(walk.target_first(30, 20))
    both = walk.target_before(30, 20, 500) + walk.ruin_before(30, 20, 500)
    assert walk.ruin_within(30, 500) - walk.target_before(30, 20, 500) < both < 1
    assert walk.ruin_within(30, 0) == walk.ruin_before(30, 20, 0) == 0
    if win > 0:
        assert walk.ruin(walk.bankroll_for(0.05)) == pytest.approx(0.05)


def test_both_series_of_two_barriers_say_the_same() -> None:
    for win in (-0.04, 0.0, 0.04):
        walk, change = Walk(win, 1.2), SMALL * 50**2 / 1.2**2
        before, after = (walk.ruin_before(30, 20, change * part) for part in (1 - 1e-9, 1 + 1e-9))
        assert before == pytest.approx(after, rel=1e-8)


def test_far_out_nothing_overflows() -> None:
    for win in (-5.0, 5.0):
        walk = Walk(win, 0.01)
        assert walk.ruin_within(1e6, 10) == walk.ruin_before(1e6, 1e6, 10) == 0
        assert walk.ruin_within(1e6, 1e9) == walk.ruin(1e6) == (win < 0)
        assert walk.target_first(1e6, 1e6) == (win > 0)


def test_a_coin_ruins_as_the_gamblers_formula_says() -> None:
    """With (q / p)^b, exactly; the normal formula is near."""
    root = exponent(COIN, ONE)
    assert root == pytest.approx(log(51 / 49), rel=1e-12)
    assert figures(COIN, ONE).ruin(50) == pytest.approx((49 / 51) ** 50)
    assert figures(COIN, ONE).walk.ruin(50) == pytest.approx((49 / 51) ** 50, rel=0.002)
    assert exponent(made_up({0: {-1: 51, 1: 49}}), ONE) == 0
    assert exponent(made_up({0: {0: 51, 1: 49}}), ONE) == float("inf")


def test_the_exponent_is_found_wherever_it_lies() -> None:
    """A game all but fair, losses of all but nothing, and bets of any size."""
    fair = made_up({0: {-1: 10**9, 1: 10**9 + 1}})
    assert exponent(fair, ONE) == pytest.approx(1e-9, rel=1e-6)
    for size in (1e-9, 1e12):
        assert exponent(COIN, size * ONE) == pytest.approx(log(51 / 49) / size, rel=1e-9)
    rare = made_up({0: {-1: 1, 1: 10**9}})
    assert exponent(rare, ONE) == pytest.approx(log(1e9), rel=1e-9)
    wide = made_up({0: {-1000: 1, 1: 10**9}})
    root = exponent(wide, ONE)
    assert exp(1000 * root) + 1e9 * exp(-root) == pytest.approx(1e9 + 1, rel=1e-9)


def test_what_the_house_holds_is_what_is_lost_before_ruin() -> None:
    walk = Walk(-0.02, 1.1)
    assert walk.rounds_within(1e6, 300) == pytest.approx(300)
    assert walk.hold(1e6, 300) == pytest.approx(0.02 * 300 / 1e6)
    assert walk.hold(30, 1e12) == pytest.approx(1)  # in the end everything
    assert 0.05 < walk.hold(30, 100) < walk.hold(30, 200) < 0.02 * 200 / 30


# The figures of bets


def test_bets_of_one_are_the_game_itself(played: tuple[Game, Tally], rounds: Rounds) -> None:
    game, tally = played
    found, ones = game.found(tally), figures(rounds, np.ones(rounds.counts.size))
    assert (ones.win, ones.se, ones.edge) == pytest.approx((found.ev, found.se, found.ev), rel=1e-14)
    assert ones.deviation == pytest.approx(found.deviation, rel=1e-12)
    assert ones.edge_at_risk == pytest.approx(-found.edge_at_risk)
    assert (ones.played, ones.bet) == pytest.approx((1, 1), rel=1e-14)
    assert ones.score is None


def test_so_they_are_on_several_boxes_and_uncounted() -> None:
    three = counted_game(boxes=3)
    found = three.found(three.chunk(0))
    whole = rounds_of(found)
    ones = figures(whole, np.ones(whole.counts.size))
    assert (ones.edge, ones.se / 3) == (pytest.approx(found.ev), pytest.approx(found.se))
    assert ones.deviation == pytest.approx(found.round_deviation)
    plain = simulate(game_of(load(BOOK).choose(), seed=1), rounds=1000)
    alone = figures(rounds_of(plain), ONE)
    assert (alone.win, alone.se) == (plain.ev, plain.se)
    with pytest.raises(ParseError, match="simulate with --count"):
        rounds_of(replace(plain, boxes=2))
    with pytest.raises(ParseError, match="no rounds yet"):
        rounds_of(three.found(three.nothing()))


def test_the_error_of_any_bets_goes_by_shoes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shoe by shoe: what its bets won, against what its rounds should have brought."""
    monkeypatch.setattr(croupier.simulate.run, "SHOES", 1)
    game = replace(counted_game(), machine=None)  # lanes play four shoes at a time
    shoes = [game.chunk(number) for number in range(60)]
    ramp = parse_ramp("1 1:2.5 3:10")
    won, lasted = [], []
    for shoe in shoes:
        one = rounds_of(game.found(shoe))
        won.append(float(bets_of(ramp, one.counts) @ (one.table @ one.won)))
        lasted.append(one.rounds)
    mean = sum(won) / sum(lasted)
    squares = sum((gain - mean * count) ** 2 for gain, count in zip(won, lasted, strict=True))
    whole = rounds_of(game.found(sum(shoes[1:], shoes[0])))
    found = figures(whole, bets_of(ramp, whole.counts))
    assert found.win == pytest.approx(mean)
    assert found.se == pytest.approx(sqrt(squares * 60 / 59) / sum(lasted))


def test_the_identities_of_score_hold(rounds: Rounds) -> None:
    """Scaled to a risk of exp(-2) on 10,000, a hundred rounds win the SCORE, and N0 rounds a deviation."""
    found = figures(rounds, bets_of(parse_ramp("1:1 2:2 3:4 4:8"), rounds.counts))
    assert found.score is not None
    assert found.score == pytest.approx(found.di**2) == pytest.approx(1e6 / found.n0)
    assert found.n0 * found.win == pytest.approx(sqrt(found.n0) * found.deviation)
    scale = 10_000 * found.win / found.deviation**2
    scaled = figures(rounds, scale * bets_of(parse_ramp("1:1 2:2 3:4 4:8"), rounds.counts))
    assert scaled.walk.ruin(10_000) == pytest.approx(exp(-2))
    assert 100 * scaled.win == pytest.approx(found.score) == pytest.approx(scaled.score)
    assert scaled.certainty_equivalent(10_000) == pytest.approx(scaled.win / 2)
    assert scaled.bankroll_for(scaled.ruin(10_000)) == pytest.approx(10_000)


# Ramps


def test_ramps_read_and_written_are_the_same() -> None:
    counts = np.arange(-5, 6)
    for text in ("1", "1:1 2:2 3:4", "1 2:4 3:0 4:8.5", "-2:5"):
        assert ramp_text(parse_ramp(text)) == text
        assert ramp_of(counts, bets_of(parse_ramp(text), counts)) == parse_ramp(text)
    assert bets_of(parse_ramp("-1:1, 2:4"), counts).tolist() == [0] * 4 + [1] * 3 + [4] * 4


def test_chips_are_whole_and_who_leaves_bets_nothing(rounds: Rounds) -> None:
    near = np.array([2.4, 2.5, 2.6, 4.9, 5.0, 7.4, 7.6])
    assert placed(rounds, near, Limits(chip=5)).tolist() == [0, 5, 5, 5, 5, 5, 10]
    assert placed(rounds, near, Limits(chip=5, way="down")).tolist() == [0, 0, 0, 0, 5, 5, 5]
    bets = np.linspace(1, 60, rounds.counts.size)
    for way, slack in (("nearest", 2.5), ("down", 5)):
        found = placed(rounds, bets, Limits(chip=5, way=way, leave=-1))
        assert not found[rounds.counts < -1].any()
        played = rounds.counts >= -1
        assert np.all(found % 5 == 0)
        assert np.all(abs(found - bets)[played] <= slack)
        assert way == "nearest" or np.all(found <= bets)


# The best bets


def worth(rounds: Rounds, bets: Array, capital: float) -> float:
    """The certainty equivalent that best bets are sought for, with squares in the variance's place."""
    shares, means, squares = rounds.shares, rounds.means, rounds.squares
    return float(shares @ (bets * means - bets**2 * squares / (2 * capital)))


@pytest.mark.parametrize(
    "limits",
    [Limits(), Limits(low=10, high=150), Limits(spread=8), Limits(spread=8, leave=-1), Limits(high=40)],
)
def test_no_other_rising_bets_are_better(rounds: Rounds, limits: Limits) -> None:
    """Drawn at random around them; counts at the ends, which are taken together, stay together."""
    best = best_bets(rounds, 10_000, limits)
    assert np.all(np.diff(best) >= 0)
    chance = np.random.default_rng(5)
    playing = best > 0 if limits.leave is not None else np.ones(best.size, bool)
    base = best[playing]
    ends = (rounds.shares > 0.05)[playing]
    for scale in (0.01, 0.1, 1.0) * 100:
        steps = np.where(ends, chance.normal(size=base.size), 0.0)
        other = np.sort(np.maximum(base + scale * steps * (base.max() + 1), 0.0))
        low, high = limits.low, limits.high
        if limits.spread is not None:
            low = float(best[playing].min() * np.exp(scale * chance.normal()))
            high = limits.spread * low
        tried = best.copy()
        tried[playing] = np.clip(other, low, high)
        assert worth(rounds, tried, 10_000) <= worth(rounds, best, 10_000) + 1e-12


def test_full_kelly_risks_what_it_should(rounds: Rounds) -> None:
    for kelly in (0.25, 0.5, 1.0):
        for limits in (Limits(), Limits(spread=12)):
            found = figures(rounds, best_bets(rounds, kelly * 10_000, limits))
            assert found.walk.ruin(10_000) == pytest.approx(exp(-2 / kelly), rel=0.05)
            assert found.ruin(10_000) == pytest.approx(exp(-2 / kelly), rel=0.06)


def test_bets_without_risk_are_refused() -> None:
    with pytest.raises(ParseError, match="no risk to reckon"):
        figures(made_up({0: {0: 10}}), ONE)
    with pytest.raises(ParseError, match="at no count that came up"):
        figures(COIN, 0 * ONE)


def test_a_spread_holds_in_chips(rounds: Rounds) -> None:
    for spread in (2.5, 7.3):
        bets = best_bets(rounds, 20_000, Limits(spread=spread, chip=5))
        assert np.all(bets % 5 == 0)
        assert bets.max() <= spread * bets.min()


def test_bets_are_found_for_a_risk(rounds: Rounds) -> None:
    for risk in (0.01, 0.2):
        for limits in (Limits(), Limits(low=0.5, high=200), Limits(spread=15)):
            bets = bets_for_risk(rounds, 10_000, risk, limits)
            assert figures(rounds, bets).ruin(10_000) == pytest.approx(risk, rel=1e-6)
    chips = figures(rounds, bets_for_risk(rounds, 10_000, 0.05, Limits(low=1, chip=1)))
    assert chips.ruin(10_000) <= 0.05
    with pytest.raises(ParseError, match="within these limits it is"):
        bets_for_risk(rounds, 1000, 0.05, Limits(low=25))


def test_what_wins_nothing_is_not_bet_on() -> None:
    losing = made_up({0: {-1: 60_000, 1: 50_000}, 1: {-1: 52_000, 1: 50_000}})
    for limits in (Limits(), Limits(spread=10)):
        with pytest.raises(ParseError, match="the best is to bet nothing"):
            best_bets(losing, 10_000, limits)


def test_counts_that_fall_are_pooled() -> None:
    """However many rounds each has: 2% of 50,000 and 1% of 200,000 make 1.2%."""
    rising = {0: {-1: 10_000, 1: 10_020}, 1: {-1: 24_500, 1: 25_500}, 2: {-1: 99_000, 1: 101_000}}
    bets = best_bets(made_up(rising | {3: {-1: 14_500, 1: 15_500}}), 1000, Limits())
    assert bets.tolist() == pytest.approx([1000 * 20 / 20_020, 12, 12, 1000 / 30])


def test_rare_counts_are_taken_with_their_neighbours() -> None:
    """Three rounds that all won make no bet of half the bankroll."""
    lucky = made_up({0: {-1: 50_000, 1: 51_000}, 1: {-1: 49_000, 1: 51_000}, 9: {1: 3}})
    bets = best_bets(lucky, 1000, Limits())
    assert bets[2] == bets[1] == pytest.approx(1000 * 2003 / 100_003)
    assert bets[0] == pytest.approx(1000 * 1000 / 101_000)
    few = made_up({-1: {-1: 3}, 0: {-1: 4, 1: 5}, 1: {1: 2}})  # all of them are taken with one neighbour
    assert best_bets(few, 1000, Limits()).size == 3


# Paths


def test_paths_end_as_the_formulas_say() -> None:
    """A coin's bankroll is never overshot, so that the formulas are near."""
    results, chances = outcomes(COIN, ONE)
    walk = figures(COIN, ONE).walk
    found = paths(results, chances, 20, rounds=800, players=20_000, seed=1)
    expected = walk.ruin_within(20, 800)
    assert found.ruined[-1] == pytest.approx(expected, abs=0.01)
    assert found.rounds[-1] == 800
    assert found.bankrolls[0] == (20,) * 5
    assert found.mean[-1] == pytest.approx(20 - 20 * walk.hold(20, 800), rel=0.03)
    both = paths(results, chances, 20, rounds=800, players=20_000, seed=2, target=35)
    assert both.ruined[-1] == pytest.approx(walk.ruin_before(20, 15, 800), abs=0.012)
    assert both.reached[-1] == pytest.approx(walk.target_before(20, 15, 800), abs=0.012)
    assert max(both.bankrolls[-1]) == 35


def test_paths_of_a_ramp_end_as_the_formulas_say(rounds: Rounds) -> None:
    bets = bets_of(parse_ramp("1 2:4 4:8"), rounds.counts)
    found = figures(rounds, bets)
    bankroll = 60.0
    ended = paths(*outcomes(rounds, bets), bankroll, rounds=1500, players=4000, seed=3)
    low = found.walk.ruin_within(bankroll + 0.6 * found.deviation + 4, 1500)  # at most a large loss beyond it
    assert low - 0.02 < ended.ruined[-1] < found.walk.ruin_within(bankroll, 1500) + 0.02
    again = paths(*outcomes(rounds, bets), bankroll, rounds=1500, players=4000, seed=3)
    assert ended == again
    chances = outcomes(rounds, bets)[1]
    assert chances.sum() == pytest.approx(1)
    watched = outcomes(rounds, bets_of(parse_ramp("2:4"), rounds.counts))
    assert float(watched[0] @ watched[1]) == pytest.approx(
        figures(rounds, bets_of(parse_ramp("2:4"), rounds.counts)).win
    )


# The file of a run


def test_a_run_describes_itself(played: tuple[Game, Tally]) -> None:
    game, tally = played
    text = kept_run.written(game, tally, partial=True, outside=("a departure",))
    stored = kept_run.opened_text(text)
    assert (stored.partial, stored.outside, stored.asked.seed) == (True, ("a departure",), 3)
    assert stored.asked.count == read_system("hi-lo")
    assert stored.asked.rules["max_hands"] == game.rules.max_hands
    assert (stored.found.ev, stored.found.se) == (game.found(tally).ev, game.found(tally).se)
    assert stored.found.partial


def test_a_file_that_does_not_hold_together_is_refused(played: tuple[Game, Tally]) -> None:
    text = kept_run.written(*played)
    data = json.loads(text)

    def refused(says: str, **changes: object) -> None:
        with pytest.raises(ParseError, match=says):
            kept_run.opened_text(json.dumps(data | changes))

    refused("is of 'croupier run 2'; this release reads 'croupier run 3'", run="croupier run 2")
    refused("is no run of a simulation", run="x")
    refused("not of its game's size", parts=data["parts"][:-1])
    refused("not of its game's size", parts=[*data["parts"][:-1], [1, 2]])
    refused("not of its game's size", asked=data["asked"] | {"count": None})
    refused("makes no sense", asked=data["asked"] | {"unit": 0})
    refused("too large", parts=[[2**63, *data["parts"][0][1:]], *data["parts"][1:]])
    for end in range(0, len(text) - 2, len(text) // 40):
        with pytest.raises(ParseError, match="is no run of a simulation"):
            kept_run.opened_text(text[:end])


# The commands


@pytest.fixture(scope="module")
def run(played: tuple[Game, Tally], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("runs") / "hi-lo.run"
    file.write_text(kept_run.written(*played), "utf-8")
    return file


class Said:
    """What a command printed, and its status."""

    def __init__(self, status: object, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


Ask = Callable[..., Said]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    def asked(*words: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["croupier", *map(str, words)])
        monkeypatch.setenv("COLUMNS", "80")
        with pytest.raises(SystemExit) as ended:
            croupier.cli.main()
        return Said(ended.value.code, *capsys.readouterr())

    return asked


def test_bets_are_told_within_a_screen(ask: Ask, run: Path) -> None:
    said = ask("bet", run, "--spread", 12, "--chip", 5, "--target", 15_000, "--paths", 200)
    assert (said.status, said.err) == (0, "")
    assert max(map(len, said.out.splitlines())) <= 80
    for word in ("SCORE", "N0", "certainty equivalent", "ruin", "Hi-Lo count", "at any time", "mean"):
        assert word in said.out
    flat = ask("bet", run)
    assert "none, since nothing is won on average" in flat.out
    assert "--ramp, --kelly or --spread asks for other bets" in flat.err


def test_bets_are_told_to_programs(ask: Ask, run: Path, rounds: Rounds, tmp_path: Path) -> None:
    table = tmp_path / "bets.csv"
    words = "--ramp", "-1:1 2:4", "--unit", 25, "--target", 12_000, "--paths", 50, "--trip", "1e3"
    said = ask("bet", run, *words, "--json", "--csv", table)
    assert said.status == 0, said.err
    found = json.loads(said.out)
    expected = figures(rounds, 25 * bets_of(parse_ramp("-1:1 2:4"), rounds.counts))
    assert (found["win"], found["se"], found["n0"]) == (expected.win, expected.se, expected.n0)
    assert found["ramp"] == [[-1, 25], [2, 100]]
    assert found["partial"] is False
    assert (found["rulebook"], found["seed"], found["count"]) == (BOOK, 3, "Hi-Lo")
    assert found["trip"]["ruin_at_any_time"] >= found["trip"]["ruin_at_the_end"]
    assert len(found["paths"]["bankrolls"]) == len(found["paths"]["rounds"]) == 101
    rows = list(csv.DictReader(table.open()))
    assert [float(row["bet"]) for row in rows] == [row["bet"] for row in found["by_count"]]
    assert sum(float(row["share"]) for row in rows) == pytest.approx(1)
    again = ask("bet", run, "--csv", table)
    assert "exists; --force writes over it" in again.err


def test_a_partial_run_is_marked(ask: Ask, played: tuple[Game, Tally], tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_text(kept_run.written(*played, partial=True, outside=("x = 1",)), "utf-8")
    said = ask("bet", file)
    assert "partial" in said.out
    assert "outside the law: x = 1" in said.out
    assert json.loads(ask("bet", file, "--json").out)["partial"] is True


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--ramp", "x"), "is no step"),
        (("--ramp", "1:2:3"), "is no step"),
        (("--ramp", "1:1 5"), "is no step"),
        (("--ramp", "1:-1"), "is no step"),
        (("--ramp", "1:inf"), "is no step"),
        (("--ramp", "3:1 2:1"), "a higher count than the one before"),
        (("--ramp", "70:1"), "from -60 to 60"),
        (("--ramp", "1:0"), "nothing is ever bet"),
        (("--ramp", "30:1"), "at no count that came up"),
        (("--leave-below", "30"), "at no count that came up"),
        (("--bankroll", "0"), "--bankroll 0: it is above 0"),
        (("--bankroll", "nan"), "--bankroll nan: it is above 0"),
        (("--unit", "-5"), "above 0"),
        (("--kelly", "0"), "above 0"),
        (("--risk", "1"), "above 0 and below 1"),
        (("--risk", "0.1", "--kelly", "1"), "give one"),
        (("--ramp", "1", "--kelly", "1", "--spread", "3"), "not both"),
        (("--min", "5", "--max", "1"), "less than the least"),
        (("--spread", "0.5"), "less than the least"),
        (("--min", "5", "--max", "10", "--spread", "2"), "two of them say the third"),
        (("--min", "7", "--chip", "5"), "not in chips of 5"),
        (("--chip", "0"), "above 0"),
        (("--chip", "100", "--max", "100", "--spread", "0.5"), "less than the least"),
        (("--rounding", "up"), "nearest or down"),
        (("--target", "5"), "above the bankroll"),
        (("--paths", "-1"), "rounds in all trips"),
        (("--paths", "1000000", "--trip", "1e9"), "rounds in all trips"),
        (("--seed", "-1"), "0 or more"),
        (("--trip", "0"), "from 1 to 1e15"),
        (("--risk", "1e-9", "--min", "100"), "within these limits it is"),
        (("--csv", "/"), "directory"),
    ],
)
def test_bad_input_is_one_sentence(ask: Ask, run: Path, args: tuple[str, ...], says: str) -> None:
    said = ask("bet", run, *args)
    assert (said.status, said.out) == (2, "")
    assert says in said.err
    assert len(said.err.splitlines()) == 1


def test_what_is_no_run_is_refused(ask: Ask, tmp_path: Path) -> None:
    assert "cannot be read" in ask("bet", tmp_path / "none").err
    for content in (b"", b"{}", b"\xff", b"[" * 100_000):
        (tmp_path / "run").write_bytes(content)
        said = ask("bet", tmp_path / "run")
        assert said.status == 2
        assert len(said.err.splitlines()) == 1


# What simulations write


def own_system(tmp_path: Path) -> Path:
    file = tmp_path / "own.toml"
    text = "name = 'Own'\nramp = [[-60, 1], [2, 6]]\ntags = { A = -1, 2 = 1, 3 = 1, 4 = 1, 5 = 1, 6 = 1, "
    file.write_text(text + "7 = 0, 8 = 0, 9 = 0, T = -1, J = -1, Q = -1, K = -1 }\n", "utf-8")
    return file


def test_a_simulation_tells_its_ramp_and_writes_its_tables(ask: Ask, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("own.run", "own.csv", "own.parquet")]
    words = "simulate", "2003", "--rounds", "1e5", "--count", own_system(tmp_path), "--run", files[0]
    said = ask(*words, "--csv", files[1], "--parquet", files[2], "--json")
    assert said.status == 0, said.err
    found = json.loads(said.out)
    assert found["ev_per_100"] == pytest.approx(100 * found["ev"])
    assert found["hold"]["share"] == pytest.approx(-300 / 50 * found["ev"], rel=0.01)
    asked = json.loads(ask("bet", files[0], "--json").out)
    assert {name: asked[name] for name in ("win", "se", "di", "n0", "average_bet")} == {
        name: found["ramp"][name] for name in ("win", "se", "di", "n0", "average_bet")
    }
    rows = list(csv.DictReader(files[1].open()))
    arrow = pyarrow.parquet.read_table(files[2])
    assert arrow.column_names == list(COLUMNS)
    assert arrow.num_rows == len(rows)
    for row, other in zip(rows, arrow.to_pylist(), strict=True):
        assert row == {name: "" if value is None else str(value) for name, value in other.items()}
    for table in ("results", "by_count"):
        assert sum(int(row["rounds"]) for row in rows if row["table"] == table) == found["rounds"]
    shown = ask(*words)
    assert "ramp" in shown.out
    assert "SCORE" in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80


def test_without_pyarrow_it_says_so_before_playing(
    ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    said = ask("simulate", "2003", "--rounds", "1e15", "--parquet", tmp_path / "x")
    assert (said.status, said.out) == (2, "")
    assert "pip install 'croupier[parquet]'" in said.err


def test_a_full_disk_loses_nothing(ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "kept.run"
    words = "simulate", "2003", "--run", file, "--json", "--rounds"
    assert ask(*words, "1000").status == 0
    before = file.read_bytes()

    def full(self: Path, *_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    monkeypatch.setattr(keeping, "KEPT_EVERY", 0.0)
    said = ask(*words, "3e6")
    assert said.status == 2
    assert json.loads(said.out)["rounds"] >= 3_000_000
    goes_on, last = said.err.splitlines()
    assert goes_on.endswith("what it held before stands; the run goes on")
    assert "cannot be written: No space left on device; what it held before stands" in last
    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept.run"]


def test_an_interrupted_run_is_kept_as_partial(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file, table = tmp_path / "kept.run", tmp_path / "x.csv"
    words = "simulate", "2003", "--run", file, "--csv", table, "--rounds", "5e5"
    monkeypatch.setattr(croupier.simulate.run, "SHOES", 200)
    chunk = Game.chunk

    def interrupted(game: Game, number: int) -> Tally:
        if number == 3:
            raise KeyboardInterrupt
        return chunk(game, number)

    monkeypatch.setattr(Game, "chunk", interrupted)
    said = ask(*words)
    assert said.status == 130
    assert "partial" in said.out
    stored = kept_run.opened(file)
    assert stored.partial
    assert stored.chunks == 3
    assert int(stored.tally.counted.counts[ROUNDS]) == stored.found.rounds
    assert not table.exists()
    assert "partial" in ask("bet", file).out
    monkeypatch.setattr(Game, "chunk", chunk)
    assert ask(*words, "--threads", "1").status == 0
    assert not kept_run.opened(file).partial
    assert int(kept_run.opened(file).tally.counted.sums[SUM_WON])
    assert table.exists()


def test_hold_is_of_the_game(played: tuple[Game, Tally]) -> None:
    found: Found = played[0].found(played[1])
    assert found.hold(1e6, 100) == pytest.approx(-100 * found.ev / 1e6)
    assert found.hold(5, 10_000) > found.hold(5, 100) > 0
