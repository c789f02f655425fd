"""Sampled rounds: the table's own record of them, rows for other programs, and the kernel that agrees."""

from __future__ import annotations

import csv
import json
import resource
from pathlib import Path
from typing import Any

import duckdb
import pytest
from msgspec.structs import replace

import croupier.report.tabular
from croupier.cli.sampling import _log, write_sample
from croupier.errors import DoesNotHold, ParseError
from croupier.exact import solve
from croupier.house.sampled import COLUMNS, SampledTable, sample_seed, sampled_table
from croupier.record import read_log, replay
from croupier.report.tabular import rows_to
from croupier.rulebook import load
from croupier.rulebook.study import study
from croupier.simulate import game_of
from croupier.simulate.counting import read_system
from test_record_file import croupier as croupier_run

HI_LO = read_system("hi-lo")
GAMES: dict[str, tuple[str, list[str], dict[str, Any]]] = {
    "counted": ("act-blackjack-2003", [], {"penetration": 0.75, "system": HI_LO}),
    "side bets": ("act-pontoon-2002", [], {"boxes": 3, "side_bets": True}),
    "beyond the law": ("act-blackjack-2003", ["soft_17=hit"], {"boxes": 7, "penetration": 1.0}),
    "fresh": ("uk-blackjack-1994", [], {"fresh": True, "side_bets": True}),
    "window": ("act-blackjack-1997", [], {"window": True}),
    "by totals": ("act-pontoon-2002", ["decks=8"], {"post_split": "total"}),
}


def table_of(name: str, seed: int = 1) -> SampledTable:
    rulebook, pairs, options = GAMES[name]
    studied = study(load(rulebook), pairs)
    solver = solve(studied.rules, post_split=options.get("post_split", "cdz")).solver
    return sampled_table(game_of(studied.rules, seed=seed, **options), solver, studied)


def written(table: SampledTable, path: Path, rounds: int = 60) -> list[dict[str, Any]]:
    with _log(path, table.header("sample")) as store:
        return [row for found in table.rounds(rounds, store) for row in found.rows()]


@pytest.mark.parametrize("name", GAMES)
def test_sampled_rounds_are_the_tables_own_record(name: str, tmp_path: Path) -> None:
    table = table_of(name)
    rows = written(table, tmp_path / "sample.log")
    done = replay(read_log(tmp_path / "sample.log"))
    rounds = done.state.round
    assert 60 <= rounds < 130
    assert [row["round"] for row in rows[:: table.game.boxes]] == list(range(1, rounds + 1))
    house = table.rules.house
    won = dict.fromkeys(done.state.won, 0.0)
    for row in rows:
        won[f"p{row['box']}"] += row["net"] * house.minimum / 100 + row["bonus"]
    if not table.game.tables.sides:
        assert won == pytest.approx({player: net / 100 for player, net in done.state.won.items()})
    assert all(row.keys() == table.columns.keys() for row in rows)


def test_a_shoe_is_played_to_its_end(tmp_path: Path) -> None:
    table = table_of("counted")
    rows = written(table, tmp_path / "sample.log")
    first = [next(row for row in rows if row["shoe"] == shoe) for shoe in {row["shoe"] for row in rows}]
    assert {row["left"] for row in first} == {311}
    assert {row["count"] for row in first} == {0}
    assert len({row["count"] for row in rows}) > 3
    assert all(row["left"] > 78 for row in rows)
    last = rows[-1]
    taken = sum(len(last[part].replace("/", "").split()) for part in ("cards", "dealer"))
    assert last["left"] - taken <= 78


def test_the_seed_alone_decides_the_sample(tmp_path: Path) -> None:
    for number, seed in enumerate((1, 1, 2)):
        written(table_of("counted", seed), tmp_path / str(number), rounds=1)
    one, again, other = ((tmp_path / str(number)).read_bytes() for number in range(3))
    assert one == again
    assert one != other
    assert sample_seed(1) != sample_seed(2)


def test_a_round_on_which_the_kernel_differs_is_an_error(tmp_path: Path) -> None:
    table = table_of("counted")
    tables = table.game.tables
    places = tables.places._replace(natural_odds=tables.places.natural_odds + 1)
    wrong = replace(table, game=replace(table.game, tables=tables._replace(places=places)))
    with pytest.raises(DoesNotHold, match=r"table and simulator differ: .* table .* simulator"):
        written(wrong, tmp_path / "sample.log", rounds=200)
    assert list(tmp_path.iterdir()) == []


def test_so_is_a_shoe_in_which_others_are_left() -> None:
    table = table_of("counted")
    burns = replace(table, rules=replace(table.rules, burn_cards=2))
    with pytest.raises(DoesNotHold, match="it began with 310 cards in the shoe, not 311"):
        list(burns.rounds(1))


def test_a_shoe_without_a_card_before_the_cutting_card_is_refused() -> None:
    table = table_of("counted")
    game = replace(table.game, back=(311, 311))
    with pytest.raises(ParseError, match="no card lies before the cutting card"):
        sampled_table(game, table.solver, table.study)


def test_the_command_writes_what_duckdb_and_the_table_read(tmp_path: Path) -> None:
    log, rows = tmp_path / "sample.log", tmp_path / "sample.parquet"
    args = "simulate", "2003", "--rounds", "1e5", "--side-bets", "--count", "hi-lo", "--sample", "80"
    done = croupier_run(*args, "--record", log, "--rows", rows, "--json")
    assert done.returncode == 0, done.stderr
    sample = json.loads(done.stdout)["sample"]
    assert sample["rounds"] >= 80
    described = dict(duckdb.sql(f"SELECT column_name, column_type FROM (DESCRIBE '{rows}')").fetchall())
    assert list(described)[: len(COLUMNS)] == list(COLUMNS)
    assert (described["round"], described["cards"], described["split"]) == ("BIGINT", "VARCHAR", "BOOLEAN")
    query = f"SELECT count(*), max(shoe), count(count), avg(net), min(perfect_pairs) FROM '{rows}'"
    count, shoes, counted, mean, least = duckdb.sql(query).fetchall()[0]
    assert (count, shoes, counted, least) == (sample["rounds"], sample["shoes"], count, -1)
    assert -1 < mean < 1
    assert "the rules bear out every one" in croupier_run("replay", log).stdout
    explained = croupier_run("explain", log, "--round", "3").stdout
    assert "perfect" in explained.lower()
    case = tmp_path / "case.toml"
    assert croupier_run("case", log, "--round", "5", "-o", case).returncode == 0
    assert "1 passed" in croupier_run("check", case).stdout
    again = croupier_run(*args, "--record", log)
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr == f"croupier: {log}: exists; --force writes over it\n"


def test_rows_as_csv(tmp_path: Path) -> None:
    table = table_of("side bets")
    path = tmp_path / "rows.csv"
    with rows_to(path, table.columns) as take:
        for found in table.rounds(20):
            for row in found.rows():
                take(row)
    with path.open(newline="") as file:
        read = list(csv.DictReader(file))
    assert list(read[0]) == list(table.columns)
    assert {row["count"] for row in read} == {""}
    assert {row["doubled"] for row in read} == {"0", "1"}
    assert len(duckdb.sql(f"SELECT * FROM '{path}'").fetchall()) == len(read) >= 60


# What goes wrong


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--rows", "rows.txt"), "ends in .parquet or .csv"),
        (("--rows", "/nowhere/rows.csv"), "no such directory"),
        (("--record", "/"), "directory"),
        (("--record", "x.log", "--sample", "1e9"), "from 1 to 1000000"),
    ],
)
def test_bad_input_is_one_sentence(args: tuple[str, ...], says: str) -> None:
    done = croupier_run("simulate", "2003", *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_pyarrow_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(croupier.report.tabular, "find_spec", lambda name: None)
    with (
        pytest.raises(ParseError, match=r"Parquet needs pyarrow: pip install 'croupier\[parquet\]'"),
        rows_to(tmp_path / "rows.parquet", COLUMNS),
    ):
        pass


@pytest.mark.parametrize("option", ["record", "rows"])
def test_a_full_disk_is_one_sentence_and_leaves_nothing(option: str, tmp_path: Path) -> None:
    path = tmp_path / ("sample.log" if option == "record" else "rows.csv")
    table = table_of("counted")
    written_to: dict[str, Any] = {"record": None, "rows": None, option: path}
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, before[1]))
    try:
        with pytest.raises(ParseError) as error:
            write_sample(table.study, table.game, "cdz", None, sample=300, **written_to)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert str(error.value) == f"{path}: cannot be written: File too large"
    assert list(tmp_path.iterdir()) == []
