"""Games that were tabulated before: the same game, whatever has become of the files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from croupier.rulebook import load
from croupier.simulate import game_of, simulate
from croupier.simulate.counting import read_system
from croupier.simulate.run import Game
from croupier.simulate.stored import MOST_FILES, Stored


def made(at: Path, book: str = "act-blackjack-2003", **asked: Any) -> Game:
    return game_of(load(book).choose(), seed=3, stored=Stored(at), **asked)


def same(one: Game, other: Game) -> bool:
    parts = zip(
        (one.tables.flat, *(one.machine or ())), (other.tables.flat, *(other.machine or ())), strict=True
    )
    return one.tables.places == other.tables.places and all(np.array_equal(*pair) for pair in parts)


@pytest.fixture
def untabulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on nothing can be made, only read."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("was tabulated again")

    monkeypatch.setattr("croupier.simulate.run.tables_of", refuse)


@pytest.mark.parametrize(
    ("book", "asked"),
    [
        ("act-blackjack-2003", {}),
        ("act-pontoon-2002", {"boxes": 2}),
        ("act-blackjack-2003", {"fresh": True}),
        ("act-blackjack-2003", {"system": read_system("hi-lo")}),
    ],
)
def test_a_game_is_read_as_it_was_made(
    tmp_path: Path, request: Any, book: str, asked: dict[str, Any]
) -> None:
    before = made(tmp_path, book, **asked)
    request.getfixturevalue("untabulated")
    after = made(tmp_path, book, **asked)
    assert same(before, after)
    found = [simulate(game, rounds=1000, threads=1).ev for game in (before, after)]
    assert found[0] == found[1]


def test_what_is_asked_for_otherwise_is_another_game(tmp_path: Path) -> None:
    made(tmp_path)
    never_bust = [f"* h{total} - {'H' if total < 12 else 'S'}" for total in range(4, 21)]
    never_bust += [f"* s{total} - {'H' if total < 18 else 'S'}" for total in range(12, 21)]
    for other in (
        {"post_split": "total"},
        {"system": read_system("hi-lo")},
        {"chart": "\n".join(never_bust)},
    ):
        before = len(list(tmp_path.iterdir()))
        made(tmp_path, **other)
        assert len(list(tmp_path.iterdir())) == before + 1
    assert not same(made(tmp_path), made(tmp_path, book="uk-blackjack-1994"))


def test_side_bets_are_made_anew(tmp_path: Path) -> None:
    made(tmp_path, "act-pontoon-2002", side_bets=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("damage", [b"", b"no tables at all, but some text instead of them"])
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    before = made(tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for bad in (damage, whole[:-1], whole[:200] + bytes([whole[200] ^ 1]) + whole[201:]):
        file.write_bytes(bad)
        assert same(made(tmp_path), before)
        assert file.read_bytes() == whole


def test_where_nothing_can_be_kept_nothing_is(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert made(tmp_path / "file").machine is not None


def test_the_oldest_make_room(tmp_path: Path) -> None:
    for number in range(MOST_FILES):
        file = tmp_path / f"{number}.tables"
        file.touch()
        os.utime(file, (number, number))
    made(tmp_path)
    left = {file.name for file in tmp_path.iterdir()}
    assert len(left) == MOST_FILES
    assert "0.tables" not in left
    assert "1.tables" in left


def test_the_command_keeps_games_unless_told(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "croupier",
        "simulate",
        "uk-blackjack-1994",
        "--rounds",
        "1000",
        "--json",
    ]
    env = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    answers = []
    for more, files in ((["--no-cache"], 0), ([], 1), ([], 1)):
        done = subprocess.run([*command, *more], check=True, capture_output=True, env=env)
        answers.append(msgspec.json.decode(done.stdout))
        assert len(list(tmp_path.rglob("*.tables"))) == files
    assert len({answer["ev"] for answer in answers}) == 1
