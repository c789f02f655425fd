"""A count derived for a game: correlations and indices that others have published, and the command."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from croupier.exact import solve
from croupier.exact.hands import VALUES
from croupier.exact.removal import Effects, Removal, pack_by_value, removal
from croupier.exact.strategy import deviating
from croupier.rulebook import load
from croupier.rulebook.study import study
from croupier.simulate.counting import count_for, read_system
from croupier.simulate.derive import (
    Derived,
    Tags,
    _loss,
    best_tags,
    derived,
    rated,
    system_of,
    tags_of,
    written,
)
from test_record_file import croupier as croupier_run

AMERICAN = ["dealer_natural_takes=original"]  # a hole card that is looked at takes no more


def effects_of(decks: int, *settings: str, total: bool = False) -> Removal:
    rules = study(load("act-blackjack-2003"), settings, decks).rules
    return removal(solve(rules, post_split="total" if total else "cdz"))


# Betting and insurance correlation as they are quoted of these systems everywhere, for Griffin's single deck:
# stands on 17, no double after a split, play by totals.
PUBLISHED = {
    "hi-lo": (0.97, 0.76),
    "ko": (0.98, 0.78),
    "zen": (0.96, 0.85),
    "omega-ii": (0.92, 0.85),
}


@pytest.fixture(scope="module")
def single_deck() -> Removal:
    return effects_of(1, *AMERICAN, "double_after_split=false", total=True)


@pytest.mark.parametrize("name", PUBLISHED)
def test_systems_have_their_published_correlations(single_deck: Removal, name: str) -> None:
    rating = rated(single_deck, read_system(name), 0.75)
    assert (round(rating.betting, 2), round(rating.insurance["A"], 2)) == PUBLISHED[name]


def test_they_come_in_the_published_order_of_playing_efficiency(single_deck: Removal) -> None:
    """Griffin's measure has Hi-Lo at 0.51, KO 0.55, Zen 0.63 and Omega II at 0.67, of fewer decisions."""
    found = [rated(single_deck, read_system(name), 0.75).playing for name in PUBLISHED]
    assert found == sorted(found)
    assert found == pytest.approx([0.51, 0.55, 0.63, 0.67], abs=0.08)


def test_effects_are_those_of_the_cards_alone(single_deck: Removal) -> None:
    """Griffin, The Theory of Blackjack, has them in percent for one deck."""
    griffin = [-0.61, 0.38, 0.44, 0.55, 0.69, 0.46, 0.28, 0.00, -0.18, -0.51]
    assert (100 * single_deck.round.by_value).tolist() == pytest.approx(griffin, abs=0.025)
    assert single_deck.suits == 0


# Indices


ILLUSTRIOUS = {
    ("A", "insurance"): 3,
    ("T", "h16"): 0,
    ("T", "h15"): 4,
    ("5", "TT"): 5,
    ("6", "TT"): 4,
    ("T", "h10"): 4,
    ("3", "h12"): 2,
    ("2", "h12"): 3,
    ("A", "h11"): 1,
    ("2", "h9"): 1,
    ("A", "h10"): 4,
    ("7", "h9"): 3,
    ("9", "h16"): 5,
    ("2", "h13"): -1,
    ("4", "h12"): 0,
    ("5", "h12"): -2,
    ("6", "h12"): -1,
    ("3", "h13"): -2,
}


@pytest.fixture(scope="module")
def american() -> Removal:
    return effects_of(6, *AMERICAN, total=True)


@pytest.fixture(scope="module")
def hi_lo(american: Removal) -> Derived:
    return derived(american, read_system("hi-lo"), 0.75, 60)


def test_hi_lo_has_its_illustrious_indices(hi_lo: Derived) -> None:
    """Schlesinger, Blackjack Attack: the eighteen for several decks, from simulations of another rounding."""
    found = {(index.upcard, index.row): index.at for index in reversed(hi_lo.indices)}
    off = {place: found[place] - at for place, at in ILLUSTRIOUS.items() if found[place] != at}
    assert all(abs(by) == 1 for by in off.values()), off
    assert len(off) <= 5, off


def test_the_most_valuable_are_among_them(hi_lo: Derived) -> None:
    best = [(index.upcard, index.row) for index in hi_lo.indices[:8]]
    assert {("T", "h16"), ("A", "insurance")} == set(best[:2])
    assert set(best) <= set(ILLUSTRIOUS)


def test_early_estimates_are_near(hi_lo: Derived) -> None:
    assert max(abs(index.count - index.linear) for index in hi_lo.indices[:18]) < 0.8


def test_late_surrender_has_the_fabulous_four() -> None:
    """Schlesinger again: 14 against 10, and 15 against 10, 9 and an ace."""
    made = derived(effects_of(6, *AMERICAN, "surrender=late", total=True), read_system("hi-lo"), 0.75, 60)
    found = {(one.upcard, one.row): one for one in made.indices if one.letter == "R"}
    four = {("T", "h14"): 3, ("T", "h15"): 0, ("9", "h15"): 2, ("A", "h15"): 1}
    assert {place: found[place].at for place in four} == four
    assert found["T", "h14"].line == "T h14 - R/H"
    assert made.system.plays_below["T h15 - H"] == 0
    assert made.system.plays_from["T h15 - R/S"] == 4  # two cards are surrendered, more stand


def test_every_line_is_one_of_a_chart(american: Removal, hi_lo: Derived) -> None:
    count = count_for(hi_lo.system, american.solution.rules)
    assert len(count.plans) > 10
    for lines in count.plans:
        deviating(american.solution.solver, list(lines), "")


def test_a_question_is_what_the_solver_decides(american: Removal) -> None:
    worth = american.solution.decision("Ts Td", "6").worth
    found = {(VALUES[one.upcard], one.row, one.letter): effects for one, effects in american.questions}
    split = worth["P"] - max(value for action, value in worth.items() if action != "P")
    assert found["6", "TT", "P"].worth == pytest.approx(split, abs=1e-12)
    assert found["6", "TT", "P"].by_value[9] < 0 < found["6", "TT", "P"].by_value[4]


# Tags


@pytest.mark.parametrize("balanced", [True, False])
@pytest.mark.parametrize("tens", [12, 16])
def test_no_tags_are_better(tens: int, balanced: bool) -> None:
    """All 59,049 of the first level, for effects at random."""
    chance = np.random.default_rng(tens)
    pack = np.array([4] * 9 + [tens], float)
    every = np.array(list(itertools.product((-1.0, 0.0, 1.0), repeat=10)))
    sums = every @ pack
    every = every[(sums == 0) & every.any(axis=1) if balanced else sums == 4]
    for _ in range(5):
        effects = chance.normal(size=10)
        effects -= pack @ effects / pack.sum()
        centred = every - (every @ pack / pack.sum())[:, None]
        found = centred @ (pack * effects) / np.sqrt(centred**2 @ pack)
        tags = best_tags(Effects(0.0, effects, pack), 1, balanced=balanced)
        centred_best = tags - tags @ pack / pack.sum()
        best = centred_best @ (pack * effects) / np.sqrt(centred_best**2 @ pack)
        assert best == pytest.approx(found.max(), abs=1e-9)


def test_higher_levels_do_better(american: Removal) -> None:
    rules = american.solution.rules
    found = [
        rated(american, system_of(rules, best_tags(american.round, level), ""), 0.75).betting
        for level in (1, 2, 3, 4)
    ]
    assert found == sorted(found)
    assert best_tags(american.round, 1).tolist() == [-1, 1, 1, 1, 1, 1, 0, 0, 0, -1]  # Hi-Lo
    assert best_tags(american.round, 1, balanced=False).tolist() == [-1, 1, 1, 1, 1, 1, 1, 0, 0, -1]  # KO
    assert found[2] > 0.99


def test_an_unbalanced_count_has_its_pivot_where_ko_has_it(american: Removal) -> None:
    ko, tags = read_system("ko"), best_tags(american.round, 1, balanced=False)
    made = system_of(american.solution.rules, tags, "")
    assert (made.true_count, made.start, made.start_per_deck) == (ko.true_count, ko.start, ko.start_per_deck)


def test_pontoon_has_a_count_of_its_own() -> None:
    rules = load("act-pontoon-2002").choose()
    by_value = np.array(list(solve(rules).removals().values()))
    pack = pack_by_value(rules)
    effects = Effects(0.0, by_value - pack @ by_value / pack.sum(), pack)

    def betting(name: str) -> tuple[Tags, float]:
        tags = tags_of(rules, read_system(name).tags)
        return tags, tags.correlation(effects)

    own, found = betting("pontoon")
    assert own.excess == 0
    assert found == pytest.approx(0.992, abs=0.002)
    assert found > betting("hi-lo")[1] + 0.02


def test_the_loss_integral() -> None:
    """Unit normal linear loss, from any table of it."""
    assert [round(_loss(z, 1.0), 4) for z in (0.0, 0.5, 1.0, 2.0)] == [0.3989, 0.1978, 0.0833, 0.0085]
    assert _loss(1.0, 0.0) == 0


# The command


def test_the_system_is_written_and_simulated(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    done = croupier_run("count", "2003", "--decks", "4", "--indices", "4", "--json", "-o", str(own))
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert len(data["indices"]) == 4
    system = read_system(str(own))
    assert written(system) == own.read_text("utf-8")
    assert len(system.plays_from) + len(system.plays_below) + (system.insurance is not None) == 4
    assert data["rating"]["betting"] > 0.975
    again = croupier_run("count", "2003", "-o", str(own))
    assert (again.returncode, again.stdout) == (2, "")
    assert "exists; --force writes over it" in again.stderr
    played = croupier_run("simulate", "2003", "--rounds", "2e4", "--count", str(own), "--json")
    assert json.loads(played.stdout)["count"] == "level 2"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--decks", "inf"], "nothing to count"),
        (["--level", "0"], "--level 0: from 1 to 9"),
        (["--level", "2", "--count", "ko"], "leave out --level"),
        (["--penetration", "1"], "between 0 and 1"),
        (["--indices", "-1"], "--indices -1"),
        (["--post-split", "cdp"], "--post-split cdp"),
        (["--count", "hi-low"], "no counting system 'hi-low'"),
        (["-o", "own.txt"], "ends in .toml"),
    ],
)
def test_what_makes_no_sense_is_refused(options: list[str], says: str) -> None:
    done = croupier_run("count", "2003", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
