"""The log: chained, replayable, safe against tampering and power loss."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from croupier.conductor import Conductor
from croupier.errors import ParseError, Refused
from croupier.game.hand import hand_total
from croupier.house.rounds import case_of, to_toml
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import new_table, resume
from croupier.record import Log, read_log, replay
from croupier.rulebook import NAMES, load
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import player
from croupier.table.conduct import due
from croupier.table.state import turn


def play_rounds(host: Conductor, count: int) -> None:
    """Some rounds of simple play on boxes 1 and 2."""
    target = host.state.round + count
    while host.state.round < target or due(host.state) != "between rounds":
        wanted = due(host.state)
        if wanted == "between rounds":
            host.give(cmd.OpenBetting())
        elif wanted == "betting":
            for box in (1, 2):
                host.give(cmd.Wager(box=box, stake=1000), player(f"p{box}"))
            host.give(cmd.AnnounceNoMoreBets())
        elif wanted == "cut":
            host.give(cmd.DeclineCut(), player(host.state.shoe.offer))
        elif wanted == "offers":
            host.give(cmd.CloseOffers())
        elif wanted == "decision":
            box, hand = turn(host.state) or (0, 0)
            value, _ = hand_total(host.state.rules, host.state.hand(box, hand))
            act = cmd.Hit if value < 15 else cmd.Stand
            host.give(act(box=box, hand=hand), player(f"p{box}"))
        else:
            host.carry_on()


def new_log(path: Path, name: str = "act-blackjack-2003", rounds: int = 30) -> Conductor:
    host = new_table(
        load(name), load(name).demonstration | {"decks": 6}, cards=VirtualShoe(seed=11), log=path
    )
    for box in (1, 2):
        host.give(cmd.Sit(box=box), player(f"p{box}"))
    play_rounds(host, rounds)
    return host


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    path = tmp_path / "table.log"
    new_log(path).close()
    return path


@pytest.mark.parametrize("name", NAMES)
def test_replay_gives_the_state_to_the_byte(name: str, tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    host = new_log(path, name, rounds=60)
    host.close()
    done = replay(read_log(path))
    assert done.state == host.state
    assert msgspec.json.encode(done.state.boxes) == msgspec.json.encode(host.state.boxes)
    assert done.state.round == 60


@pytest.mark.parametrize("name", NAMES)
def test_every_logged_round_is_a_case_that_holds(name: str, tmp_path: Path) -> None:
    import tomllib

    from croupier.cases import read_case, run_case

    path = tmp_path / "table.log"
    new_log(path, name, rounds=60).close()
    log = read_log(path)
    for number in round_numbers(log):
        case = read_case(tomllib.loads(to_toml(case_of(log, number))), "written")
        assert run_case(case).problems == (), number


def round_numbers(log: Log) -> list[int]:
    events = (event for entry in log.entries for event in entry.events)
    return [event.round for event in events if isinstance(event, ev.BettingOpened)]


def test_a_changed_line_is_named(log_file: Path) -> None:
    lines = log_file.read_bytes().splitlines(keepends=True)
    lines[40] = lines[40].replace(b'"n":40', b'"n":41', 1)
    log_file.write_bytes(b"".join(lines))
    with pytest.raises(ParseError, match=r":41: the chain is broken here"):
        read_log(log_file)


def test_a_dropped_and_a_moved_line_are_named(log_file: Path) -> None:
    lines = log_file.read_bytes().splitlines(keepends=True)
    log_file.write_bytes(b"".join(lines[:20] + lines[21:]))
    with pytest.raises(ParseError, match=r":21: the chain is broken"):
        read_log(log_file)
    lines[20], lines[21] = lines[21], lines[20]
    log_file.write_bytes(b"".join(lines))
    with pytest.raises(ParseError, match=r":21: the chain is broken"):
        read_log(log_file)


def test_a_rehashed_lie_is_found_by_the_rules(log_file: Path) -> None:
    """Somebody who can compute hashes still cannot make the rules say what they do not."""
    import hashlib

    previous = "0" * 64
    forged = []
    done = False
    for line in log_file.read_text().splitlines():
        data = json.loads(line)
        data.pop("hash")
        for event in data.get("events", ()):
            if event["type"] == "Settled" and event.get("net") and not done:
                event["net"] *= 2
                done = True
        body = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()[:-1]
        previous = hashlib.sha256(previous.encode() + body).hexdigest()
        forged.append(body.decode() + f',"hash":"{previous}"}}\n')
    log_file.write_text("".join(forged))
    with pytest.raises(ParseError, match="the rules make something else of this command"):
        replay(read_log(log_file))


@pytest.mark.parametrize("cut", [2, 30, 70])
def test_a_log_cut_off_in_mid_line_replays_to_its_last_whole_line(log_file: Path, cut: int) -> None:
    whole = read_log(log_file)
    log_file.write_bytes(log_file.read_bytes()[:-cut])
    log = read_log(log_file)
    assert log.cut_off
    assert log.entries == whole.entries[:-1]
    replay(log)


def test_a_table_goes_on_where_its_log_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    new_log(path).close()
    path.write_bytes(path.read_bytes()[:-25])
    shoe = VirtualShoe(seed=3)
    host = resume(read_log(path), cards=shoe)
    play_rounds(host, 3)
    host.close()
    done = replay(read_log(path))
    assert done.state == host.state


def test_refusals_are_on_record_and_replayed(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    host = new_log(path)
    with pytest.raises(Refused):
        host.give(cmd.Wager(box=1, stake=1000), player("p1"))
    host.close()
    log = read_log(path)
    assert log.entries[-1].refused is not None
    assert replay(log).refusals == 1


@pytest.mark.parametrize("content", [b"", b"hello", b"hello\n", b'{"log":"x"}\n', b"\xff\xfe\n"])
def test_what_is_no_log_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(content)
    with pytest.raises(ParseError):
        read_log(path)


def test_an_existing_file_is_not_overwritten(log_file: Path) -> None:
    with pytest.raises(ParseError, match=r"exists; `--resume .*table.log` goes on with it$"):
        new_log(log_file)


def test_the_virtual_shoe_is_a_permutation_and_follows_its_seed() -> None:
    draws = []
    for seed in (5, 5, 6):
        book = load("act-pontoon-2002")
        shoe = VirtualShoe(seed=seed)
        host = new_table(book, book.demonstration | {"decks": 3}, cards=shoe)
        host.carry_on()
        assert host.state.shoe.back_card == 48
        draws.append(shoe.cards)
    assert draws[0] == draws[1] != draws[2]
    for cards in draws:
        assert len(cards) == 144
        assert all(cards.count(card) == 3 for card in cards)


def test_the_fingerprint_of_the_rules_is_the_same_in_every_process() -> None:
    """Sets have no order of their own, and Python gives them another one in each process."""
    import subprocess
    import sys

    program = (
        "from croupier.rulebook import load, rules_hash as h; print(h(load('act-blackjack-2003').choose()))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(seen) == 1
    assert len(seen.pop()) == 65
