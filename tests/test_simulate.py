"""The simulator against the table, on the same cards and to the cent, and against the solver."""

from __future__ import annotations

import itertools
import json
import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import croupier.simulate.run
from croupier.cards import ALL_CARDS, Card, pack
from croupier.cli.figures import clipped
from croupier.errors import ParseError, RulebookError
from croupier.exact import solve
from croupier.exact.endings import endings
from croupier.exact.shoe import fresh
from croupier.exact.sidebets import side_bet, super_bonus
from croupier.house.shoes import VirtualShoe
from croupier.rulebook import NAMES, load
from croupier.rulebook.paytable import Pattern
from croupier.rulebook.study import study
from croupier.rulebook.wager import INSURANCE
from croupier.simulate import Found, Game, Tally, game_of, simulate
from croupier.simulate import kept as kept_run
from croupier.simulate.beside import Beside
from croupier.simulate.counting import DEPTH, SHIPPED, System, count_for, read_system
from croupier.simulate.kernel import (
    BONUSES,
    COUNT_ROWS,
    MOST_COUNT,
    ROUNDS,
    SHARED,
    Counted,
    count_now,
    nothing_by_count,
    play_given,
    play_shoes,
    room_for,
)
from croupier.simulate.shoe import (
    NEXT,
    RAN_OUT,
    REFILLED,
    SHUFFLED,
    SIZE,
    card_of,
    chance_from,
    words_for,
)
from simulated import (
    STUDIES,
    beside_of,
    deviation,
    differences,
    planned_table,
    playing_system,
    random_study,
    rules_with_sides,
)
from test_random_rounds import settings_of
from test_record_file import croupier as croupier_run


def compared(name: str, settings: list[str], *, rounds: int, boxes: int, seed: int, clumped: bool) -> None:
    solver = solve(rules_with_sides(name, settings)).solver
    rules = solver.rules
    found = list(differences(solver, max(boxes, rules.boxes_needed), rounds, seed, clumped=clumped))
    assert found == [], (settings, found[:3])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("clumped", [False, True])
def test_table_and_simulator_settle_every_round_alike(name: str, clumped: bool) -> None:
    for boxes in (1, 3, 7):
        compared(name, [], rounds=1000, boxes=boxes, seed=boxes, clumped=clumped)


@pytest.mark.parametrize("name", NAMES)
def test_so_they_do_under_every_option_of_the_house(name: str) -> None:
    for number, settings in enumerate(settings_of(name)[1:]):
        pairs = [f"{option}={value}" for option, value in settings.items()]
        if "doubled_evens=box" in pairs:  # the solver has no play for it
            continue
        compared(name, pairs, rounds=300, boxes=3, seed=number, clumped=True)


@pytest.mark.parametrize("name", STUDIES)
def test_so_they_do_where_the_law_is_changed_for_study(name: str) -> None:
    for number, pair in enumerate(STUDIES[name]):
        compared(name, [pair], rounds=300, boxes=3, seed=number, clumped=True)
    chance = random.Random(name)
    for number in range(6):
        compared(name, random_study(name, chance), rounds=300, boxes=3, seed=number, clumped=True)


ACES_APART = {**dict.fromkeys("23456789", 1), **dict.fromkeys("TJQK", -2), "A": 0, "As": 1}


@pytest.mark.parametrize("others", [{}, {"insurance_tags": ACES_APART, "insurance": 1}], ids=["one", "apart"])
@pytest.mark.parametrize("name", NAMES)
def test_so_they_do_where_play_and_insurance_go_by_a_count(name: str, others: dict[str, Any]) -> None:
    rules = rules_with_sides(name, [])
    solver, count = solve(rules).solver, count_for(playing_system(rules, **others), rules)
    found = [*differences(solver, 3, 1200, f"count {name}", clumped=True, count=count)]
    assert not found, found[:3]
    boxes = max(1, rules.boxes_needed)
    table = planned_table(solver, boxes, VirtualShoe("how often"), count)
    played = itertools.islice(table.rounds(), 2000)
    assert any(result.wager == INSURANCE for one in played for result in one.settled.results)


# Against the solver


def test_a_fresh_shoe_every_round_has_the_solvers_value() -> None:
    """Over many games the squares of the deviations, in standard errors, are one on average."""
    chance = random.Random(3)
    squares = []
    for name in NAMES:
        for pairs in ([], *(random_study(name, chance) for _ in range(3))):
            squares.append(deviation(name, pairs, rounds=400_000, seed=len(squares)) ** 2)
    assert max(squares) < 3.9**2, squares
    assert sum(squares) < 40, squares  # of 16; one time in a thousand it is more


@pytest.mark.parametrize("name", NAMES)
def test_results_come_as_often_as_the_solver_says(name: str) -> None:
    rules = load(name).choose()
    found = simulate(game_of(rules, seed=4, fresh=True), rounds=2_000_000)
    solution = solve(rules)
    spread, ends, often = solution.spread, endings(solution.solver), found.frequencies()
    assert found.deviation == pytest.approx(spread.deviation, abs=0.003)
    assert found.at_risk == pytest.approx(float(ends.staked), abs=0.0015)
    assert often["double"] == pytest.approx(ends.doubled, abs=0.001)
    assert often["bust"] == pytest.approx(ends.of("player_busts"), abs=0.0013)
    assert often["forfeit"] == pytest.approx(ends.of("forfeit"), abs=0.0005)
    seen = found.distribution()
    expected = {result: chance * found.rounds for result, chance in spread.results.items()}
    common = [result for result, many in expected.items() if many > 10]
    squares = [(seen[result] * found.rounds - expected[result]) ** 2 / expected[result] for result in common]
    assert sum(squares) < len(squares) + 4 * (2 * len(squares)) ** 0.5


@pytest.mark.parametrize("name", NAMES)
def test_side_bets_have_the_solvers_value(name: str) -> None:
    rules = load(name).choose()
    found = simulate(game_of(rules, seed=5, fresh=True, side_bets=True), rounds=1_000_000).side_bets()
    assert found.keys() == rules.side_bets.keys()
    for side, simulated in found.items():
        assert sum(simulated.ends.values()) == pytest.approx(1)
        if rules.side_bets[side].first_cards == 2:  # what comes of a third card hangs on how hands are played
            exact = float(side_bet(rules, side, fresh(rules.ranks, rules.house.decks)).ev)
            assert abs(simulated.ev - exact) < 4 * simulated.se


# A run


def same(one: Found, other: Found) -> bool:
    return all(map(np.array_equal, one.counted, other.counted))


def test_threads_and_interruptions_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(croupier.simulate.run, "SHOES", 50)
    game = game_of(load("act-pontoon-2002").choose(), seed=7, boxes=2, penetration=0.8)
    whole = simulate(game, rounds=30_000, threads=1)
    assert same(whole, simulate(game, rounds=30_000, threads=3))
    kept: list[Tally] = []
    part = simulate(game, rounds=9_000, threads=2, keep=kept.append)
    assert part.rounds < whole.rounds
    again = kept_run.read_text(kept_run.written(game, kept[-1]), game)
    assert same(whole, simulate(game, rounds=30_000, tally=again))


def test_an_interrupted_run_is_marked_and_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(croupier.simulate.run, "SHOES", 50)
    game = game_of(load("act-blackjack-2003").choose(), seed=7)

    def interrupt(found: Found) -> None:
        if found.rounds > 8_000:
            raise KeyboardInterrupt

    found = simulate(game, rounds=10**12, told=interrupt)
    assert found.partial
    assert 8_000 < found.rounds < 20_000


def test_it_ends_when_the_error_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(croupier.simulate.run, "SHOES", 50)
    game = game_of(load("act-blackjack-2003").choose(), seed=7)
    found = simulate(game, rounds=10**12, until_se=0.01)
    assert found.se <= 0.01
    assert found.rounds < 40_000


def test_the_error_goes_by_shoes() -> None:
    """A shoe of seven boxes shares a dealer: rounds taken as independent would make too little of it."""
    game = game_of(load("act-blackjack-2003").choose(boxes=7), seed=2, boxes=7, penetration=0.75)
    found = simulate(game, rounds=100_000)
    assert found.se > 1.3 * found.deviation / found.wagers**0.5


# The shoe


def test_a_shoe_that_runs_out_goes_on_with_the_rack() -> None:
    rules = load("act-blackjack-2003").choose(boxes=7, decks=4)
    game = game_of(rules, seed=1, boxes=7, penetration=1.0)
    found = simulate(game, rounds=20_000)
    assert found.counted.counts[ROUNDS] == found.rounds
    assert found.cards_per_round * found.rounds_per_shoe > 0.93 * len(game.deck)


def test_where_the_rules_do_not_say_what_then_it_says_so() -> None:
    rules = study(load("act-blackjack-2003"), ["shoe_runs_out=none"]).rules
    with pytest.raises(RulebookError, match="shoe_runs_out"):
        simulate(game_of(rules, seed=1, boxes=7, penetration=1.0), rounds=20_000)


def test_the_rack_comes_behind_the_cards_of_the_round() -> None:
    solver = solve(load("act-blackjack-2003").choose()).solver
    beside = beside_of(solver, 1)
    deck = words_for(np.arange(40) % 13)
    marks = beside.room.marks
    marks[:] = 0
    marks[SIZE] = marks[SHUFFLED] = 40
    marks[NEXT] = 38
    before = sorted(deck)
    play_given(
        beside.tables.flat,
        beside.tables.places,
        beside.room,
        deck,
        beside.chance,
        nothing_by_count(),
        beside.counts,
    )
    assert marks[REFILLED]
    assert not marks[RAN_OUT]
    assert deck[:2].tolist() == words_for([38 % 13, 39 % 13]).tolist()
    assert sorted(deck) == before


@pytest.mark.parametrize("name", NAMES)
def test_the_cutting_card_lies_where_the_rules_permit(name: str) -> None:
    rules = load(name).choose()
    low, high = game_of(rules, seed=1).window
    assert game_of(rules, seed=1).back == (low, low)
    assert game_of(rules, seed=1, window=True).back == (low, high)
    assert game_of(rules, seed=1, penetration=0.5).back == (sum(pack(rules.ranks, 6)) // 2,) * 2


# Counting


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", [*SHIPPED, DEPTH])
def test_rounds_are_told_apart_by_the_cards_before_them(name: str, system: str) -> None:
    """Shoe by shoe: the order that was dealt, played again and counted by hand."""
    rules = load(name).choose()
    bets = replace(read_system(system), plays_from={}, plays_below={})
    game = game_of(rules, seed=1, penetration=0.75, system=bets)
    beside = beside_of(solve(rules).solver, game.boxes)
    assert game.count is not None
    expected = game.nothing().counted
    counted = game.nothing().counted
    deck, chance = game.deck, chance_from(np.random.SeedSequence(1))
    for _ in range(12):
        places = game.tables.flat, game.tables.places, room_for(game.boxes), deck, chance
        play_shoes(*places, game.count.by_count, 1, rules.burn_cards, np.array(game.back), False, counted)
        count_by_hand(game, beside, [ALL_CARDS[card_of(word)] for word in deck], expected)
    assert counted.by_count.tolist() == expected.by_count.tolist()
    assert counted.products.tolist() == expected.products.tolist()
    assert counted.by_count.sum() == counted.counts[ROUNDS] > 300


def count_by_hand(game: Game, beside: Beside, order: list[Card], expected: Counted) -> None:
    """What one shoe adds, by the count before each round."""
    assert game.count is not None
    system, rules = game.count.system, game.rules
    table = expected.by_count.reshape(COUNT_ROWS, -1)
    won_at, rounds = np.zeros(COUNT_ROWS, np.int64), 0
    tags = {rank: Fraction(tag) for rank, tag in system.tags.items()}
    running = Fraction(system.start + system.start_per_deck * rules.house.decks)
    if system.parts:
        part = math.ceil(len(order) / system.parts)
        tags, running = dict.fromkeys(rules.ranks, Fraction(1, part)), Fraction(rules.burn_cards, part)
    rest = tuple(order[rules.burn_cards :])
    while len(rest) > game.back[0]:
        divided = system.true_count and not system.parts
        decks = Fraction(len(rest), 4 * len(rules.ranks)) if divided else 1
        taken = beside.play(rest).taken
        won = int(beside.room.nets.sum())
        row = MOST_COUNT + max(-MOST_COUNT, min(MOST_COUNT, math.floor(running / decks)))
        table[row, table.shape[1] // 2 + won] += 1
        won_at[row] += won
        rounds += 1
        running += sum(tags[card[0]] for card in rest[:taken])
        rest = rest[taken:]
    expected.products[:] += np.outer(won_at, [*won_at, rounds]).ravel()


def test_the_decks_left_are_estimated() -> None:
    def count(estimate: str, running: int, left: int) -> int:
        system = replace(read_system("hi-lo"), decks=estimate)
        made = count_for(system, load("act-blackjack-2003").choose())
        return int(count_now(made.by_count.bets, running, left))

    assert [count("exact", 10, left) for left in (312, 208, 130, 100)] == [1, 2, 4, 5]
    assert [count("half", 10, left) for left in (312, 130, 110, 20, 5)] == [1, 4, 5, 20, 20]
    assert [count("full", 10, left) for left in (312, 130, 120, 20, 5)] == [1, 3, 5, 10, 10]
    assert count("exact", -1, 300) == -1


def test_a_high_count_is_good_and_a_low_one_bad() -> None:
    game = game_of(load("act-blackjack-2003").choose(), seed=3, penetration=0.75, system=read_system("hi-lo"))
    rows = {row.count: row for row in simulate(game, rounds=10_000_000).by_count()}
    assert rows[3].ev > 2 * rows[3].se > 0
    assert rows[-4].ev < -0.01
    assert sum(row.share for row in rows.values()) == pytest.approx(1)


def test_counts_that_are_too_far_out_are_told() -> None:
    """KO begins at -28 in eight decks, and is told apart to its end; a count of level 4 as it runs is not."""
    rules = load("act-blackjack-2003").choose(decks=8)
    ko = simulate(game_of(rules, seed=1, system=read_system("ko")), rounds=200_000)
    assert {row.count for row in ko.by_count()} >= set(range(-50, 21))
    assert ko.beyond < 1e-5
    wild = System(
        name="wild", tags=dict.fromkeys("23456", 4) | dict.fromkeys("789TJQKA", -2.5), true_count=False
    )
    far = simulate(game_of(rules, seed=1, system=wild), rounds=50_000)
    rows = far.by_count()
    assert far.beyond == pytest.approx(rows[0].share + rows[-1].share)
    assert clipped(far) == [f"counts beyond 60 are taken for it, either way: {far.beyond:.2%} of the rounds"]


HI_LO = (
    "tags = {A = -1, 2 = 1, 3 = 1, 4 = 1, 5 = 1, 6 = 1, 7 = 0, 8 = 0, 9 = 0, T = -1, J = -1, Q = -1, K = -1}"
)
TWO_WAYS = "x at a count of 3: 'T9 h16 - H': 'T h16 - S' holds there as well, and a hand is played one way"


@pytest.mark.parametrize(
    ("system", "says"),
    [
        ("hi-low", "no counting system 'hi-low'"),
        ("nowhere.toml", "cannot be read"),
        ("name = 1", "name"),
        ('name = "x"\ntags = { A = -1 }', "nothing is said of 2"),
        ('name = "x"\ntags = { X = 1 }', "X is no rank"),
        ('name = "x"\ntags = { A = 0.3 }', "a quarter, a half or a whole number"),
        ('name = "x"\ntags = { A = inf }', "a quarter, a half or a whole number"),
        ('name = "x"\ntags = { A = 99 }', "from -20 to 20"),
        ('name = "x"\ntags = {}\ndecks = "some"', "decks"),
        ('name = "x"\nparts = 61', "parts: a shoe is told apart by 1 to 60 of them"),
        ('name = "x"\nparts = 5\ntags = { A = 1 }', "who goes by the depth of the shoe counts no tags"),
        (f'name = "x"\n{HI_LO}\nramp = [[61, 1]]', "ramp: counts go from -60 to 60, with all beyond them"),
        (f'name = "x"\n{HI_LO}\ninsurance = 99', "insurance: counts go from -60 to 60, with all beyond them"),
        (f'name = "x"\n{HI_LO}\nstart = 99999999999999999999', "start: from -1024 to 1024"),
        (f'name = "x"\n{HI_LO}\n[plays_from]\n"T h16 - S" = 0\n"T9 h16 - H" = 3', TWO_WAYS),
        (
            f'name = "x"\n{HI_LO}\n[plays_below]\n"T h16 - X" = 0',
            "x below all counts that it names: 'T h16 - X'",
        ),
        ("=", "is not TOML"),
    ],
)
def test_a_system_that_makes_no_sense_is_refused(system: str, says: str, tmp_path: Path) -> None:
    if "=" in system:
        (tmp_path / "own.toml").write_text(system, "utf-8")
        system = str(tmp_path / "own.toml")
    done = croupier_run("simulate", "2003", "--rounds", "1000", "--count", system)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


# The command


def test_the_command_prints_what_programs_read(tmp_path: Path) -> None:
    run = tmp_path / "pontoon.run"
    args = "simulate", "pontoon", "--rounds", "1e5", "--penetration", "0.75", "--run", run, "--json"
    done = croupier_run(*args)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["rounds"] >= 100_000
    assert {"ev", "se", "rounds", "rounds_per_second", "seed"} <= found.keys()
    assert found["interval"][0] < found["ev"] < found["interval"][1]
    assert sum(found["results"].values()) == pytest.approx(1)
    again = json.loads(croupier_run(*args).stdout)
    assert (again["ev"], again["rounds"]) == (found["ev"], found["rounds"])
    other = croupier_run(*args, "--seed", "2")
    assert (other.returncode, other.stdout) == (2, "")
    assert "is a run of another game: its seed" in other.stderr


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--rounds", "x"), "is no number of rounds"),
        (("--rounds", "1e99"), "from 1 to 1e15"),
        (("--penetration", "2"), "share of the shoe"),
        (("--penetration", "deep"), "share of the shoe"),
        (("--penetration", "0.001"), "no card before the cutting card"),
        (("--boxes", "8"), "from 1 to 7"),
        (("--seed", "-1"), "0 or more"),
        (("--decks", "inf"), "has an end"),
        (("--threads", "0"), "from 1 to 1024"),
        (("--until-se", "-1"), "more than nothing"),
        (("--post-split", "cdp"), "cdz or total"),
        (("--chart", "nowhere"), "cannot be read"),
        (("--run", "/"), "directory"),
        (("--set", "doubled_evens=box", "--set", "doubled_wins_pay=1"), "doubled_evens"),
    ],
)
def test_bad_input_is_one_sentence(args: tuple[str, ...], says: str) -> None:
    done = croupier_run("simulate", "2003", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_is_no_run_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"{}", b"\xff", b'{"run":"run 9"}'):
        (tmp_path / "run").write_bytes(content)
        done = croupier_run("simulate", "2003", "--rounds", "1000", "--run", tmp_path / "run")
        assert done.returncode == 2
        assert "is no run of a simulation" in done.stderr


def test_a_ramp_that_never_bets_loses_nobody_a_run(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(f'name = "x"\n{HI_LO}\nramp = [[55, 1]]', "utf-8")
    asked = "simulate", "2003", "--rounds", "1000", "--count", file
    done, told = croupier_run(*asked, "--json"), croupier_run(*asked)
    assert (done.returncode, told.returncode) == (0, 0)
    never = "at no count that came up is anything bet"
    assert json.loads(done.stdout)["ramp"] == {"steps": [[55, 1.0]], "problem": never}
    assert never in told.stdout


# The Super Bonus


@pytest.mark.parametrize("boxes", [1, 3])
def test_the_super_bonus_is_valued_as_the_solver_does(boxes: int) -> None:
    """Three sevens of any suits win it against nine of the ranks, so that it comes up a thousand times."""
    rules = load("act-pontoon-2002").choose()
    assert rules.super_bonus is not None
    often = replace(rules.super_bonus, when=Pattern(ranks="777"), dealer_rank="A23456789", others=500)
    rules, wager, others = replace(rules, super_bonus=often), Fraction(10), boxes - 1
    found = simulate(game_of(rules, seed=6, boxes=boxes, fresh=True, wager=wager), rounds=2_000_000)
    exact = super_bonus(rules, fresh(rules.ranks, rules.house.decks), others)
    worth = float((exact.below_threshold + exact.others) / wager)
    assert found.bonus_se < 0.06 * worth
    assert abs(found.bonus_ev - worth) < 4 * found.bonus_se
    assert abs(found.ev - solve(rules, wager=wager, others=others).ev) < 4 * found.se
    assert found.counted.counts[SHARED] == pytest.approx(others * found.counted.counts[BONUSES], rel=0.01)


def test_without_a_wager_the_super_bonus_is_counted_alone() -> None:
    rules = load("act-pontoon-2002").choose()
    found = simulate(game_of(rules, seed=6, penetration=0.5), rounds=100_000)
    assert (found.prize, found.bonus_ev, found.bonus_se) == (None, 0.0, 0.0)
    with pytest.raises(ParseError, match="a wager in dollars is for rules with a Super Bonus"):
        game_of(load("act-blackjack-2003").choose(), seed=1, wager=Fraction(25))
    eligible = load("act-pontoon-2002").choose(super_bonus_others="eligible")
    with pytest.raises(RulebookError, match="who shares in another box's Super Bonus"):
        game_of(eligible, seed=1, boxes=2, wager=Fraction(25))
