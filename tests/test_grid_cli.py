"""`croupier solve --grid`, and what is kept of games that were solved: as people call them."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pexpect
import pytest

from croupier.cli.grid import solve_grid
from croupier.errors import ParseError
from croupier.exact import solve
from croupier.exact.common import Common
from croupier.exact.kept import Kept
from croupier.exact.many import Game, expectations
from croupier.exact.worth import Settling, difference
from croupier.rulebook import load
from croupier.rulebook.study import study
from test_solve_cli import FIXED_NAMES
from typed import typed as run

GRID = ["decks=2,6", "soft_17=stand,hit", "surrender=none,late"]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def rows_of(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.open()))


def test_every_combination_has_its_row(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    made = run(cache, "solve", "--grid", *GRID, "--set", "resplit_aces=true", "--output", str(file))
    assert made.returncode == 0, made.stderr
    assert "8 games are in" in made.stdout
    rows = rows_of(file)
    assert [(row["decks"], row["soft_17"], row["surrender"]) for row in rows] == [
        (decks, soft, surrender)
        for decks in ("2", "6")
        for soft in ("stand", "hit")
        for surrender in ("none", "late")
    ]
    book = load("act-blackjack-2003")
    for row in rows:
        settings = [f"{name}={row[name]}" for name in ("resplit_aces", "soft_17", "surrender")]
        game = study(book, settings, int(row["decks"]))
        assert float(row["ev"]) == pytest.approx(float(solve(game.rules).ev), abs=1e-12)
        assert float(row["house_edge"]) == -float(row["ev"])
        assert row["outside_the_law"] == "; ".join(map(str, game.departures))


def test_as_a_table_and_as_data(cache: Path) -> None:
    made = run(cache, "solve", "uk", "--grid", "decks=6,inf", "dealer_draws_to=16,30")
    assert made.returncode == 0, made.stderr
    assert "house edge" in made.stdout
    assert "does not solve" in made.stdout  # in the row of the game
    found = json.loads(run(cache, "solve", "uk", "--grid", "decks=6,inf", "--json").stdout)
    assert [game["decks"] for game in found["games"]] == ["6", "inf"]
    assert found["games"][0]["ev"] == pytest.approx(-0.005453908593452, abs=1e-12)


def test_values_with_commas_are_divided_by_bars(cache: Path) -> None:
    found = json.loads(run(cache, "solve", "--grid", "unsplittable=none|4,5,10", "--json").stdout)
    assert [game["unsplittable"] for game in found["games"]] == ["none", "4,5,10"]
    assert all(game["ev"] is not None for game in found["games"])


@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_a_file_is_gone_on_with(ending: str, cache: Path, tmp_path: Path) -> None:
    file = tmp_path / f"games.{ending}"
    command = ["solve", "--output", str(file), "--grid", "soft_17=stand,hit"]
    assert run(cache, *command, "decks=4,6").returncode == 0
    whole = file.read_bytes()
    with database(cache) as kept:
        kept.execute("DELETE FROM solved")
    begun = run(cache, *command, "decks=4,6")
    assert begun.returncode == 0, begun.stderr
    assert file.read_bytes() == whole
    with database(cache) as kept:
        assert kept.execute("SELECT count(*) FROM solved").fetchone() == (0,)  # nothing was solved
    other = run(cache, *command, "decks=6")
    assert other.returncode == 2
    assert "holds other games than are asked for" in other.stderr
    assert file.read_bytes() == whole


def test_a_file_takes_further_values_and_is_written_over_if_it_is_to_be(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    command = ["solve", "--output", str(file), "--no-cache", "--grid", "soft_17=stand,hit"]
    assert run(cache, *command, "decks=6").returncode == 0
    (first, second) = rows_of(file)
    assert run(cache, *command, "decks=4,6").returncode == 0
    rows = rows_of(file)
    assert [row["decks"] for row in rows] == ["4", "6", "4", "6"]
    assert [rows[1], rows[3]] == [first, second]
    assert run(cache, *command, "decks=2", "--force").returncode == 0
    assert [row["decks"] for row in rows_of(file)] == ["2", "2"]
    assert not cache.exists()


def test_other_settings_or_another_rulebook_are_refused(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    command = ["solve", "--grid", "decks=4,6", "--output", str(file)]
    assert run(cache, *command).returncode == 0
    made = run(cache, *command, "--post-split", "cdp")
    assert made.returncode == 2
    assert "holds other games" in made.stderr
    assert "holds other games" in run(cache, *command, "--set", "soft_17=hit").stderr
    assert "rulebook = act-blackjack-2003" in run(cache, "solve", "uk", *command[1:]).stderr
    for foreign in ("a,b\n1,2\n", "name,address\n", "a single line"):
        file.write_text(foreign)
        assert "holds other games" in run(cache, *command).stderr
        assert file.read_text() == foreign
    file.write_bytes(b"\xff\xfe")
    assert "is no grid" in run(cache, *command).stderr


def test_a_file_that_is_spoiled_is_refused(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.json"
    command = ["solve", "--grid", "decks=4,6", "--output", str(file)]
    assert run(cache, *command).returncode == 0
    text = file.read_text()
    number = re.compile(r'(?<="ev": )[-.0-9]+')
    others = (number.sub("NaN", text), number.sub("0.5", text))
    for spoiled in (*others, text[:-20], "{}", "[1]", text.replace('"ev": -', '"ev": "", "x": -'), "[]" * 2):
        file.write_text(spoiled)
        made = run(cache, *command)
        assert made.returncode == 2, spoiled
        assert "is no grid" in made.stderr or "holds other games" in made.stderr
    file.write_text(re.sub('"ev": -[0-9.]+', '"ev": "much"', text))
    assert "its ev is 'much'" in run(cache, *command).stderr


def test_an_interrupt_keeps_what_is_done(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    grid = ["decks=1,2,3,4,5,6,7,8", "soft_17=stand,hit", "max_hands=2,3,4", "double_totals=any,9-11,10-11"]
    grid += ["unsplittable=none|10|4,5,10", "double_after_split=true,false", "resplit_aces=true,false"]
    process = subprocess.Popen(
        [sys.executable, "-m", "croupier", "solve", "--no-cache", "--output", str(file), "--grid", *grid],
        env=os.environ | {"XDG_CACHE_HOME": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "of 1,728 games; the same command goes on" in errors
    rows = rows_of(file)
    assert 0 < len(rows) < 1728
    assert f"{len(rows):,} games are in" in said
    assert all(row["ev"] for row in rows)


BAD = [
    (["soft_17=stand,maybe"], "stand or hit"),
    (["softness=1,2"], "no provision"),
    (["decks=0,1"], "write a number from 1"),
    (["decks=1,,2"], "a value is missing"),
    (["decks"], "name=value"),
    (["decks=1,2", "decks=3"], "decks is set twice"),
    (["decks=1,2", "--decks", "3"], "decks is set twice"),
    (["decks=1,2", "--hand", "8s 8d", "--dealer", "Th"], "leave out --hand"),
    (["decks=1,2", "--exact"], "leave out --exact"),
    (["decks=1,2", "--output", "/no/such/folder/games.csv"], "no such directory"),
    (["decks=1,2", "--output", "games.xls"], ".csv, .parquet or .json"),
    ([f"{name}={','.join(map(str, range(1, 101)))}" for name in ("decks", "a", "b", "c")], "the most"),
]


@pytest.mark.parametrize(("words", "said"), BAD, ids=str)
def test_bad_input_is_one_sentence(words: list[str], said: str, cache: Path) -> None:
    made = run(cache, "solve", "--grid", *words)
    assert made.returncode == 2
    assert said in made.stderr
    assert made.stderr.count("\n") == 1


def test_options_of_a_grid_need_one(cache: Path) -> None:
    assert "goes with --grid" in run(cache, "solve", "--output", "games.csv").stderr


# What is kept


def database(cache: Path) -> sqlite3.Connection:
    (file,) = (cache / "croupier").glob("solved-*.sqlite")
    return sqlite3.connect(file)


def test_what_was_solved_is_not_solved_again(cache: Path) -> None:
    command = ["solve", "--grid", "decks=4,6", "--json"]
    first = json.loads(run(cache, *command).stdout)
    with database(cache) as kept:
        kept.execute("UPDATE solved SET ev = 0.25")
    evs = [game["ev"] for game in json.loads(run(cache, *command).stdout)["games"]]
    assert evs == [0.25, 0.25]
    anew = json.loads(run(cache, *command, "--no-cache").stdout)
    assert anew["games"] == first["games"]


def test_a_comparison_keeps_what_it_solves(cache: Path) -> None:
    command = ["compare", "blackjack", "blackjack", "--first-set", "soft_17=hit", "--second-set"]
    command += ["surrender=late", "--json"]
    first = json.loads(run(cache, *command).stdout)
    with database(cache) as kept:
        (count,) = kept.execute("SELECT count(*) FROM solved").fetchone()
        assert count == 2 ** len(first["shares"]) == 4
        kept.execute("UPDATE solved SET ev = 2 * ev")
    second = json.loads(run(cache, *command).stdout)
    assert [share["worth"] for share in second["shares"]] == pytest.approx(
        [2 * share["worth"] for share in first["shares"]]
    )


def test_shares_are_shown_as_they_settle(cache: Path) -> None:
    command = [
        "compare",
        "blackjack",
        "blackjack",
        "--first-set",
        "soft_17=hit",
        "--second-set",
        "max_hands=2",
    ]
    child = pexpect.spawn(
        sys.executable,
        ["-m", "croupier", *command],
        env=os.environ | {"XDG_CACHE_HOME": str(cache), "TERM": "xterm"},
        dimensions=(40, 120),
        encoding="utf-8",
        timeout=60,
    )
    child.expect("worth so far")
    child.expect("settled")
    child.expect("worth to the player")
    child.expect(pexpect.EOF)


GAMES = {decks: Game(load("act-blackjack-2003").choose(), decks) for decks in (4, 6)}


def test_two_may_keep_at_once(tmp_path: Path) -> None:
    with Kept(tmp_path / "kept.sqlite") as one, Kept(tmp_path / "kept.sqlite") as other:
        found = dict(expectations(GAMES, one))
        one.keep("a", 0.5)
        other.keep("b", 0.25)
        assert dict(expectations(GAMES, other)) == found
    with Kept(tmp_path / "kept.sqlite") as again:
        assert again.known(["a", "b", "c"]) == {"a": 0.5, "b": 0.25}


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Kept(tmp_path / "file" / "kept.sqlite") as kept:
        assert len(dict(expectations(GAMES, kept))) == 2
        assert kept.known(["a"]) == {}


def test_a_full_disk_and_a_spoiled_file_keep_nothing(tmp_path: Path) -> None:
    file = tmp_path / "kept.sqlite"
    with Kept(file) as kept:
        kept._database.execute("PRAGMA max_page_count = 4")
        for number in range(10_000):
            kept.keep(f"{number:064}", 0.5)
    file.write_bytes(b"nothing of the kind" * 1000)
    with Kept(file) as kept:
        kept.keep("a", 0.5)
        assert kept.known(["a"]) == {}


def test_what_is_no_number_is_not_known(tmp_path: Path) -> None:
    with Kept(tmp_path / "kept.sqlite") as kept:
        kept._database.execute("INSERT INTO solved VALUES ('a', 0.5), ('b', 'much')")
        assert kept.known(["a", "b"]) == {"a": 0.5}


def test_games_that_cannot_be_written_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise ParseError("no space left")

    monkeypatch.setattr("croupier.cli.grid.rows_to", full)
    with pytest.raises(ParseError, match="no space left"):
        solve_grid(
            "blackjack",
            ("decks=2,6",),
            "",
            (),
            post_split="cdz",
            output=tmp_path / "games.csv",
            no_cache=True,
            force=False,
            json=False,
        )
    shown = capsys.readouterr().out
    assert "+0.514056%" in shown
    assert "games are in" not in shown


# What games share


@pytest.mark.parametrize("book", ["act-blackjack-2003", "act-pontoon-2002"])
def test_games_solved_together_are_as_if_solved_alone(book: str) -> None:
    chance, common, names = random.Random(7), Common(), [*FIXED_NAMES, "natural_after_split=true"]
    for _ in range(8):
        settings = chance.sample(names, 3)
        rules = study(load(book), settings, chance.choice([4, 6])).rules
        together = solve(rules, common=common).ev
        assert together == solve(rules).ev, settings


def test_shares_settle_at_what_they_are() -> None:
    book = load("act-blackjack-2003")
    first, second = book.choose(), study(book, ["soft_17=hit", "surrender=late", "max_hands=2"]).rules
    heard: list[Settling] = []
    found = difference(first, second, decks=6, told=heard.append)
    settling: Any = heard[-1]
    assert len(heard) == settling.games == len(settling.values)
    for share in found.shares:
        assert settling.known[share.provisions] == pytest.approx(1)
        assert settling.worth(share.provisions) == pytest.approx(float(share.worth), abs=1e-15)
