"""A log as a file: one writer at a time, nothing undetected, nothing lost."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.conductor import Conductor
from croupier.errors import DoesNotHold, ParseError, StoreError
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import new_table, resume
from croupier.record import Log, LogWriter, read_log, replay
from croupier.record.log import read_content
from croupier.rulebook import load
from croupier.table import commands as cmd
from croupier.table.actors import Actor, player
from evenings import Evening

BOOK = load("act-blackjack-2003")
CROUPIER = [sys.executable, "-m", "croupier"]
P1 = player("p1")


def croupier(*args: object, typed: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*CROUPIER, *map(str, args)], input=typed, capture_output=True, text=True, check=False, cwd=cwd
    )


def live(path: Path) -> Conductor:
    return new_table(BOOK, BOOK.demonstration, log=path)


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a log of two rounds."""
    path = tmp_path_factory.mktemp("logs") / "table.log"
    table = new_table(BOOK, BOOK.demonstration, cards=VirtualShoe(5), log=path)
    evening = Evening(table, 5)
    evening.sit()
    while table.state.round < 3:
        evening.step()
    table.close()
    return path.read_bytes()


# Ten thousand attacks


def outcome(content: bytes) -> Log | None:
    """The log that is read, or None if it does not hold."""
    try:
        return read_content(content, "table.log")
    except ParseError:
        return None


def test_of_four_thousand_truncations_none_is_undetected_and_no_byte_is_lost(content: bytes) -> None:
    whole = read_content(content, "table.log")
    ends = [place for place, byte in enumerate(content, start=1) if byte == 10]
    for size in random.Random(1).sample(range(ends[0], len(content)), 4000):
        log = read_content(content[:size], "table.log")
        assert log.lines == whole.lines[: len(log.lines)]
        assert log.size + len(log.torn) == size
        assert content[log.size : size] == log.torn
        assert (log.cut_off or log.unended) == (size not in ends)
        assert (log.last_hash != whole.last_hash) == (size < len(content) - 1)


def test_a_log_cut_off_in_its_header_does_not_hold(content: bytes) -> None:
    header = content[: content.index(b"\n")]
    for size in (30, 400, len(header) - 1):
        with pytest.raises(DoesNotHold, match="cut off in its first line"):
            read_content(header[:size], "table.log")
    assert read_content(header, "table.log").unended


@pytest.mark.parametrize("kind", ["edit", "insert", "drop"])
def test_of_a_thousand_changed_bytes_each_none_is_undetected(content: bytes, kind: str) -> None:
    chance = random.Random(kind)
    for _ in range(1000):
        place, byte = chance.randrange(len(content)), chance.randrange(256)
        after = {"edit": 1, "insert": 0, "drop": 1}[kind]
        new = b"" if kind == "drop" else bytes([byte])
        changed = content[:place] + new + content[place + after :]
        log = None if changed == content else outcome(changed)
        assert log is None or log.cut_off or log.unended, (place, byte)


def test_of_three_thousand_swapped_dropped_and_doubled_lines_none_is_undetected(content: bytes) -> None:
    chance = random.Random(3)
    lines = content.splitlines(keepends=True)
    for step in range(3000):
        changed = list(lines)
        one, other = chance.sample(range(len(lines)), 2)
        if step % 3 == 0:
            changed[one], changed[other] = changed[other], changed[one]
        elif step % 3 == 1:
            changed.insert(one, lines[other])
        else:
            del changed[min(one, len(lines) - 2)]  # a last line that is gone only its hash can tell
        assert outcome(b"".join(changed)) is None


# Torn lines


@pytest.mark.parametrize("cut", [2, 40, 90])
def test_what_is_torn_is_put_aside_and_told(content: bytes, cut: int, tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(content[:-cut])
    torn = read_log(path).torn
    (tmp_path / "table.log.torn-1").write_text("an older one")
    told: list[str] = []
    table = resume(read_log(path), cards=VirtualShoe(1), tell=told.append)
    assert (tmp_path / "table.log.torn-1").read_text() == "an older one"
    assert (tmp_path / "table.log.torn-2").read_bytes() == torn
    assert path.read_bytes() + torn == content[:-cut]
    (words,) = told
    assert words.endswith(f"the {len(torn)} bytes that were left of it are in {path}.torn-2")
    table.give(cmd.Ask(about="limits"), P1)
    table.close()
    assert replay(read_log(path)).state == table.state


def test_a_whole_line_that_lacks_its_end_counts(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(content[:-1])
    assert read_log(path).lines == read_content(content, "").lines
    told: list[str] = []
    table = resume(read_log(path), cards=VirtualShoe(1), tell=told.append)
    assert path.read_bytes() == content
    table.give(cmd.Ask(about="limits"), P1)
    table.close()
    assert told == []
    assert path.read_bytes().startswith(content)
    assert not read_log(path).unended


def test_a_log_that_does_not_hold_is_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    lines = content.splitlines(keepends=True)
    changed = b"".join([*lines[:5], *lines[6:]])[:-20]
    path.write_bytes(changed)
    with pytest.raises(DoesNotHold):
        resume(read_log(path), cards=VirtualShoe(1))
    assert path.read_bytes() == changed
    assert list(tmp_path.iterdir()) == [path]


# One writer at a time


def test_a_second_table_on_the_same_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table-4.log"
    table = live(path)
    for open_it in (lambda: resume(read_log(path)), lambda: live(path)):
        with pytest.raises(ParseError, match=r"table-4\.log is in use by another croupier$"):
            open_it()
    table.close()
    resume(read_log(path)).close()


def test_a_second_process_is_told_that_the_log_is_in_use(tmp_path: Path) -> None:
    first = subprocess.Popen(
        [*CROUPIER, "deal", "--log", "table-4.log"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    assert first.stdin is not None
    assert first.stdout is not None
    first.stdin.write("p1 sits 1\n")
    first.stdin.flush()
    while "p1 sits at" not in first.stdout.readline():
        pass
    before = (tmp_path / "table-4.log").read_bytes()
    for option in ("--resume", "--log"):
        second = croupier("deal", option, "table-4.log", typed="p2 sits 2\n", cwd=tmp_path)
        assert second.returncode == 2
        assert second.stderr == "croupier: table-4.log is in use by another croupier\n"
    assert (tmp_path / "table-4.log").read_bytes() == before
    first.communicate("p1 sits 2\nquit\n")
    assert len(read_log(tmp_path / "table-4.log").lines) == 2


def test_two_processes_that_race_lose_nothing(tmp_path: Path) -> None:
    """Each opens the log again and again, and writes where it may: every line that was taken is there."""
    path = tmp_path / "table.log"
    live(path).close()
    program = f"""
import sys
from pathlib import Path
from croupier.errors import ParseError
from croupier.house.tables import resume
from croupier.record import read_log
from croupier.table import commands as cmd
from croupier.table.actors import player
written, path = 0, Path({str(path)!r})
while written < 40:
    try:
        table = resume(read_log(path))
    except ParseError as error:
        assert "in use" in str(error) or "was written to" in str(error) or "cut off" in str(error), error
        continue
    table.give(cmd.Ask(about="limits"), player(sys.argv[1]))
    written += 1
    table.close()
"""
    runs = [subprocess.Popen([sys.executable, "-c", program, name]) for name in ("p1", "p2")]
    assert [run.wait(120) for run in runs] == [0, 0]
    entries = replay(read_log(path)).log.entries
    assert [sum(entry.by.name == name for entry in entries) for name in ("p1", "p2")] == [40, 40]
    assert [one.name for one in tmp_path.iterdir()] == ["table.log"]


def opened(path: Path, *, in_use: bool) -> list[Conductor]:
    if not in_use:
        return [resume(read_log(path))]
    with pytest.raises(ParseError, match="in use"):
        resume(read_log(path))
    return []


def test_a_thousand_interleaved_writers_leave_a_log_that_holds(tmp_path: Path) -> None:
    chance = random.Random(9)
    path = tmp_path / "table.log"
    tables: list[Conductor] = [live(path)]
    written = 0
    for _ in range(1000):
        if tables and chance.random() < 0.3:
            tables.pop(chance.randrange(len(tables))).close()
        elif tables and chance.random() < 0.5:
            tables[0].give(cmd.Ask(about="limits"), P1)
            written += 1
        else:
            tables += opened(path, in_use=bool(tables))
        assert len(tables) <= 1
    for table in tables:
        table.close()
    assert replay(read_log(path)).commands == written


def test_what_somebody_else_has_written_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    table = live(path)
    table.give(cmd.Sit(box=1), P1)
    for meddled in (path.read_bytes() + b"mine", path.read_bytes()[:-7]):
        whole = path.read_bytes()
        path.write_bytes(meddled)
        with pytest.raises(
            StoreError, match=r"table\.log: cannot be written: somebody else has written to it"
        ):
            table.give(cmd.CheckCards())
        assert path.read_bytes() == meddled
        assert table.state.stage == "opening"
        path.write_bytes(whole)
    table.give(cmd.CheckCards())
    table.close()
    assert len(read_log(path).lines) == 2


def test_a_deleted_log_takes_no_more_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At another time than that of the line before; who writes more at once is not asked again."""
    seconds = itertools.count()
    monkeypatch.setattr("croupier.house.tables.now", lambda: f"2003-06-01T20:15:{next(seconds):02}+10:00")
    path = tmp_path / "table.log"
    table = live(path)
    table.give(cmd.Sit(box=1), P1)
    path.unlink()
    with pytest.raises(StoreError, match="the file was deleted"):
        table.give(cmd.CheckCards())
    assert table.store.count == 1


def test_a_log_that_grew_while_it_was_read_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    table = live(path)
    read = read_log(path)
    table.give(cmd.Sit(box=1), P1)
    table.close()
    with pytest.raises(ParseError, match="was written to while it was read; try again"):
        resume(read)


def test_an_existing_log_says_how_to_go_on(tmp_path: Path) -> None:
    live(tmp_path / "small.log").close()
    for command in ("play", "deal"):
        done = croupier(command, "--log", "small.log", cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr == "croupier: small.log: exists; `--resume small.log` goes on with it\n"


def test_an_empty_file_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "table.log").touch()
    live(tmp_path / "table.log").close()
    assert read_log(tmp_path / "table.log").lines == ()


# A full disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for a few lines."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def fill(folder: Path) -> Path:
    """Take up all the room that is left."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 512)
        except OSError:
            return filler


def several(table: Conductor) -> None:
    for _ in range(200):
        table.give(cmd.Ask(about="limits"), P1)


def test_on_a_full_disk_nothing_is_lost_and_the_table_goes_on(small_disk: Path) -> None:
    path = small_disk / "table.log"
    table = live(path)
    filler = fill(small_disk)
    while path.stat().st_blocks * 512 - path.stat().st_size > 1000:  # what is left of its last block
        table.give(cmd.Ask(about="limits"), P1)
    with pytest.raises(StoreError, match=str(path)):
        several(table)
    assert not read_log(path).cut_off
    assert len(read_log(path).lines) == table.store.count
    filler.unlink()
    table.give(cmd.Ask(about="limits"), P1)
    table.close()
    assert replay(read_log(path)).commands == table.store.count


def test_a_full_disk_begins_no_log_and_no_shoe(small_disk: Path) -> None:
    fill(small_disk)
    done = croupier("play", "--log", small_disk / "table.log")
    assert done.returncode == 2
    assert "table.log: cannot be written: No space left on device" in done.stderr
    assert [one.name for one in small_disk.iterdir()] == ["filler"]


@pytest.mark.parametrize(
    ("first", "typed"), [(1, "\n\n10\ns\nq\n"), (6, "\n\n10\ns\nq\n"), (14, "10\n\n\ns\nq\n")]
)
def test_play_waits_until_there_is_room_again(first: int, typed: str, tmp_path: Path) -> None:
    """A line does not fit twice; what was to be done is done when the player says so."""
    log = tmp_path / "table.log"
    program = f"""
import os, resource, sys
from croupier.cli import main
from croupier.record import LogWriter
append, tries = LogWriter.append, []
def tight(store, line):
    tries.append(line)
    full = {first} <= len(tries) <= {first + 1}
    room = os.path.getsize({str(log)!r}) + 30 if full else resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    append(store, line)
LogWriter.append = tight
sys.argv = ["croupier", "play", "--seed", "1", "--log", {str(log)!r}]
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], input=typed, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("table.log: cannot be written: File too large") == 2
    assert done.stdout.count("Enter: try again. q: leave the table as it stands.") == 2
    assert "You leave with" in done.stdout
    assert not read_log(log).cut_off
    assert replay(read_log(log)).brought == {"p1": 50000}


# Who, when, which table


def test_a_log_says_which_table_it_is_whose_when_and_by_whom(tmp_path: Path) -> None:
    people = ("--as", "dealer:d1", "--as", "supervisor:s1", "--as", "operator:o1")
    done = croupier(
        *("deal", "--log", "t.log", "--table", "Table 4", *people),
        typed="\np1 sits 1\ngive-notice of=limits\nquit\n",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    log = read_log(tmp_path / "t.log")
    assert (log.header.table, log.header.kind, log.header.log) == ("Table 4", "live", "croupier log 3")
    assert [entry.by for entry in log.entries] == [Actor("dealer", "d1"), P1, Actor("operator", "o1")]
    stamps = [log.header.at, *(entry.at for entry in log.entries)]
    assert stamps == sorted(stamps)
    assert all(len(stamp) == len("2003-06-01T20:15:00+10:00") for stamp in stamps)
    assert f"last hash {log.last_hash}" in done.stdout
    told = croupier("explain", "t.log", cwd=tmp_path).stdout
    assert "Table 4: Demonstration house opens the table" in told
    assert "cards are checked one by one (d1)" in told


def test_the_time_is_the_house_s_and_decides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    done = subprocess.run(
        [*CROUPIER, "deal", "--log", path],
        input="\nquit\n",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TZ": "XYZ-10"},
    )
    assert done.returncode == 0, done.stderr
    assert read_log(path).header.at.endswith("+10:00")
    assert all(line.at.endswith("+10:00") for line in read_log(path).lines)


@pytest.mark.parametrize("pair", ["supervisor", "cook:s1", "player:p1", "supervisor:", "dealer:a\x1bb"])
def test_a_wrong_name_for_an_office_is_a_sentence(pair: str) -> None:
    done = croupier("deal", "--as", pair)
    assert done.returncode == 2
    assert "--as" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_live_and_virtual_tables_refuse_each_other(tmp_path: Path) -> None:
    live(tmp_path / "live.log").close()
    new_table(BOOK, BOOK.demonstration, cards=VirtualShoe(1), log=tmp_path / "virtual.log").close()
    for command, name, other in (("play", "live", "deal"), ("deal", "virtual", "play")):
        before = (tmp_path / f"{name}.log").read_bytes()
        done = croupier(command, "--resume", f"{name}.log", cwd=tmp_path)
        assert done.returncode == 2
        assert f"{name}.log: is a {name} table's" in done.stderr
        assert f"`croupier {other} --resume {name}.log` goes on with it" in done.stderr
        assert (tmp_path / f"{name}.log").read_bytes() == before


# The purse


def test_the_purse_is_on_record(tmp_path: Path) -> None:
    first = croupier("play", "--seed", 3, "--chips", 900, "--log", "t.log", typed="q\n", cwd=tmp_path)
    assert "You leave with $900 " in first.stdout
    assert f"last hash {read_log(tmp_path / 't.log').last_hash}" in first.stdout
    again = croupier("play", "--resume", "t.log", typed="q\n", cwd=tmp_path)
    assert "you have $900." in again.stdout
    more = croupier("play", "--resume", "t.log", "--chips", 100, typed="q\n", cwd=tmp_path)
    assert "you have $1,000." in more.stdout
    assert replay(read_log(tmp_path / "t.log")).brought == {"p1": 100000}
    assert "p1 brings $900" in croupier("explain", "t.log", cwd=tmp_path).stdout


def test_a_log_without_a_purse_goes_on_with_chips(tmp_path: Path) -> None:
    path = tmp_path / "t.log"
    new_table(BOOK, BOOK.demonstration, cards=VirtualShoe(1), log=path).close()
    done = croupier("play", "--resume", path, "--chips", 70, typed="q\n")
    assert "You leave with $70 " in done.stdout


# Exit statuses


def test_replay_exits_1_for_what_does_not_hold_and_2_for_misuse(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    lines = content.splitlines(keepends=True)
    bad = {
        "cut off": content[:-30],
        "garbage": content + b"garbage\n",
        "garbage without an end": content + b"garbage",
        "last byte": content[:-1] + b"x",
        "changed": content.replace(b'"box":1', b'"box":2', 1),
        "dropped": b"".join([*lines[:4], *lines[5:]]),
    }
    for what, changed in bad.items():
        path.write_bytes(changed)
        done = croupier("replay", path)
        assert done.returncode == 1, what
        assert "table.log" in done.stderr + done.stdout
        report = croupier("replay", path, "--json")
        assert report.returncode == 1
        assert json.loads(report.stdout)["holds"] is False
    assert "is cut off" in json.loads(_json_of(path, content[:-30]))["problem"]
    assert croupier("replay", tmp_path / "nowhere").returncode == 2
    (tmp_path / "text").write_text("hello\n")
    assert croupier("replay", tmp_path / "text").returncode == 2


def _json_of(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return croupier("replay", path, "--json").stdout


def test_a_hash_that_was_kept_is_held_against_the_log(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(content)
    last = read_log(path).last_hash
    assert croupier("replay", path, "--expect", last).returncode == 0
    path.write_bytes(b"".join(content.splitlines(keepends=True)[:-1]))
    assert croupier("replay", path).returncode == 0
    done = croupier("replay", path, "--expect", last)
    assert done.returncode == 1
    assert f"and {last} is expected" in done.stdout
    assert croupier("replay", path, "--expect", "abc").returncode == 2


def test_the_writer_knows_the_last_hash(tmp_path: Path) -> None:
    table = live(tmp_path / "t.log")
    table.give(cmd.Sit(box=1), P1)
    assert isinstance(table.store, LogWriter)
    assert table.store.last_hash == read_log(tmp_path / "t.log").last_hash
    table.close()
