"""What a database keeps is whole or not there: schema, writer, requests, tables taken up, and what fails."""

from __future__ import annotations

import hashlib
import os
import random
import resource
import sqlite3
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

import croupier
import croupier.house.database as package
from croupier.errors import DoesNotHold, ParseError, Refused, StoreError
from croupier.house.database import Database, KeptTable, Request, glimpse
from croupier.house.database.connect import bring_up_to_date, engine_for
from croupier.house.database.schema import REVISION, metadata
from croupier.house.shoes import VirtualShoe
from croupier.record import LogWriter, Told, read_log
from croupier.rulebook import NAMES
from croupier.table import commands as cmd
from croupier.table.actors import player
from evenings import accounted_for
from kept import KeptEvening, money_amiss, opened, record_amiss

P1 = player("p1")
MIGRATIONS = Path(package.__file__).parent / "migrations"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[Database, KeptTable]]:
    database, table = opened(tmp_path)
    yield database, table
    database.close()


def cards(table: KeptTable) -> tuple[str, ...]:
    assert isinstance(table.conductor.cards, VirtualShoe)
    return table.conductor.cards.cards


def sits(request: Request) -> bytes:
    request.give(cmd.Sit(box=1), P1)
    return b"seated"


# The schema


def test_the_migrations_make_the_schema_from_nothing(tmp_path: Path) -> None:
    engine = engine_for(tmp_path)
    bring_up_to_date(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == REVISION


def test_every_connection_waits_for_the_disk(kept: tuple[Database, KeptTable]) -> None:
    database, _ = kept

    def pragmas(connection: Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    with database.engine.connect() as connection:
        assert pragmas(connection) == ["wal", 2, 1]
    assert database.writer.do(pragmas) == ["wal", 2, 1]


def test_a_database_that_would_not_be_durable_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(package.connect.DURABLE, "synchronous", 3)
    monkeypatch.setattr(package.connect, "_make_durable", lambda connection, _: None)
    with pytest.raises(ParseError, match=r"journal_mode is delete, not wal: nothing kept here would be safe"):
        Database.open(tmp_path)


def test_a_database_of_a_later_release_is_refused(tmp_path: Path) -> None:
    Database.open(tmp_path).close()
    with sqlite3.connect(tmp_path / "croupier.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(ParseError, match=r"was written by a later release of croupier \(revision 9999\)"):
        Database.open(tmp_path)


def test_a_directory_is_one_server_s_at_a_time(kept: tuple[Database, KeptTable], tmp_path: Path) -> None:
    with pytest.raises(ParseError, match="is in use by another croupier"):
        Database.open(tmp_path)
    opens = f"from croupier.house.database import Database; Database.open({str(tmp_path)!r})"
    other = subprocess.run([sys.executable, "-c", opens], capture_output=True, text=True, check=False)
    assert "is in use by another croupier" in other.stderr


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("mysql://host/name", "is no database: give a directory"),
        ("://", "cannot be opened|is no database"),
        ("/dev/null/data", "cannot be written: Not a directory"),
    ],
)
def test_what_is_no_database_is_refused(where: str, why: str) -> None:
    with pytest.raises(ParseError, match=why):
        Database.open(where)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "croupier.db").write_bytes(b"no database at all " * 100)
    with pytest.raises(ParseError, match="cannot be opened: file is not a database"):
        Database.open(tmp_path)


def test_a_directory_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "croupier.lock").mkdir()
    with pytest.raises(ParseError, match=r"croupier\.lock: cannot be written: Is a directory"):
        Database.open(tmp_path)


def test_only_its_owner_reads_a_database(kept: tuple[Database, KeptTable], tmp_path: Path) -> None:
    assert (tmp_path / "croupier.db").stat().st_mode & 0o077 == 0


# The writer


def piled_up(database: Database, works: list[object]) -> list[tuple[object, Exception | None]]:
    """Have these written while a commit runs, and so together; how each ended, in their order."""
    begun, gate, ended = threading.Event(), threading.Event(), threading.Event()
    found: dict[int, tuple[object, Exception | None]] = {}

    def hold(connection: Connection) -> None:
        begun.set()
        gate.wait()

    def end(number: int, made: object, error: Exception | None) -> None:
        found[number] = made, error
        if len(found) == len(works):
            ended.set()

    database.writer.put(hold, lambda made, error: None)
    begun.wait()
    for number, work in enumerate(works):
        database.writer.put(work, lambda made, error, number=number: end(number, made, error))  # type: ignore
    gate.set()
    assert ended.wait(20)
    return [found[number] for number in range(len(works))]


def account(number: int) -> object:
    row = {"name": f"purse p{number}", "place": "purse", "holder": f"p{number}"}
    return lambda connection: (
        connection.execute(metadata.tables["accounts"].insert().values(**row)) and number
    )


def test_what_waits_is_written_in_one_commit(kept: tuple[Database, KeptTable]) -> None:
    database, _ = kept
    commits, items = database.writer.commits, database.writer.items
    assert piled_up(database, [account(number) for number in range(50, 90)]) == [
        (number, None) for number in range(50, 90)
    ]
    assert (database.writer.commits - commits, database.writer.items - items) == (2, 41)


def test_nobody_s_work_fails_for_another_s(kept: tuple[Database, KeptTable]) -> None:
    database, _ = kept

    def breaks(connection: Connection) -> None:
        connection.execute(metadata.tables["accounts"].insert().values(name="half", place="purse"))
        raise ParseError("no")

    ended = piled_up(database, [account(50), breaks, account(50), account(51)])
    assert [type(error) for _, error in ended] == [type(None), ParseError, StoreError, type(None)]
    assert "UNIQUE constraint failed" in str(ended[2][1])
    with database.engine.connect() as connection:
        names = connection.execute(text("SELECT name FROM accounts")).scalars().all()
    assert "half" not in names
    assert {"purse p50", "purse p51"} <= set(names)


def test_what_is_told_is_handed_over_once_a_commit(kept: tuple[Database, KeptTable]) -> None:
    database, _ = kept
    handed: list[object] = []

    def tell(function: Callable[[], None]) -> None:
        handed.append(function)
        function()

    database.writer.tell = tell
    piled_up(database, [account(number) for number in range(60, 70)])
    assert len(handed) == 2


def test_everybody_is_told_even_if_somebody_fails_at_it(
    kept: tuple[Database, KeptTable], caplog: pytest.LogCaptureFixture
) -> None:
    database, _ = kept
    told: list[Exception | None] = []

    def fails(made: object, error: Exception | None) -> None:
        raise RuntimeError("is gone")

    def hold(connection: Connection) -> None:
        for done in (fails, lambda made, error: told.append(error)):
            database.writer.put(lambda connection: None, done)

    database.writer.do(hold)
    database.writer.do(lambda connection: None)
    assert told == [None]
    assert "somebody who was told of a commit has failed" in caplog.text


def test_a_closed_writer_has_written_what_waited(tmp_path: Path) -> None:
    database, _ = opened(tmp_path)
    for number in range(50, 60):
        database.writer.put(account(number), lambda made, error: None)  # type: ignore[arg-type]
    database.close()
    with pytest.raises(RuntimeError, match="the database is closed"):
        database.writer.put(account(70), lambda made, error: None)  # type: ignore[arg-type]
    with sqlite3.connect(tmp_path / "croupier.db") as connection:
        (found,) = connection.execute("SELECT count(*) FROM accounts WHERE name LIKE 'purse p5_'").fetchone()
    connection.close()
    assert found == 10


# Requests


def test_a_request_is_told_of_when_it_is_written(kept: tuple[Database, KeptTable]) -> None:
    database, table = kept
    ended: list[tuple[Exception | None, int]] = []
    over = threading.Event()

    def done(error: Exception | None) -> None:
        ended.append((error, len(database.tables.lines(table.number))))
        over.set()

    with table.request("p1", "1") as request:
        request.give(cmd.Sit(box=1), P1)
    assert table.last == 2
    assert len(database.tables.lines(table.number)) == 1
    request.send(b"seated", done)
    assert over.wait(20)
    assert ended == [(None, 2)]
    assert [type(told) for told in request.told] == [Told]
    assert table.answered("p1", "1") == (2, 2, b"seated")


def test_a_repeated_request_does_nothing_twice(kept: tuple[Database, KeptTable]) -> None:
    database, table = kept
    assert table.ask("p1", "1", sits) == table.ask("p1", "1", sits) == (2, 2, b"seated")
    assert table.answered("p2", "1") is None
    assert table.last == 2
    table = database.tables.reopen(table.number)
    assert table.ask("p1", "1", sits) == (2, 2, b"seated")


def test_a_request_that_is_sent_twice_is_taken_back(kept: tuple[Database, KeptTable]) -> None:
    _, table = kept
    table.ask("p1", "1", sits)
    before = table.state
    with table.request("p1", "1") as request:
        request.give(cmd.Leave(box=1), P1)
    with pytest.raises(StoreError, match="UNIQUE constraint failed"):
        request.wait(b"")
    assert (table.state, table.last) == (before, 2)


def test_a_refusal_is_on_record_and_answered(kept: tuple[Database, KeptTable]) -> None:
    database, table = kept

    def wagers(request: Request) -> bytes:
        with pytest.raises(Refused):
            request.give(cmd.Wager(box=1, stake=1000), P1)
        return b"refused"

    assert table.ask("p1", "1", wagers) == (2, 2, b"refused")
    assert '"refused"' in database.tables.lines(table.number)[-1].text


def test_what_breaks_out_of_a_request_has_not_happened(kept: tuple[Database, KeptTable]) -> None:
    database, table = kept
    before, lay = table.state, cards(table)
    request = table.request("p1", "1")
    with pytest.raises(ParseError, match="no"):
        _breaks(request)
    assert (table.state, table.last, cards(table)) == (before, 1, lay)
    assert table.answered("p1", "1") is None
    with pytest.raises(RuntimeError, match="is not decided, or is over"):
        request.wait(b"")
    table.ask("p1", "1", sits)
    assert record_amiss(database, table) == ""


def _breaks(request: Request) -> None:
    with request:
        request.give(cmd.Sit(box=1), P1)
        request.table.conductor.carry_on()
        raise ParseError("no")


def test_one_request_at_a_time(kept: tuple[Database, KeptTable]) -> None:
    _, table = kept
    with table.request("p1", "1"), pytest.raises(RuntimeError, match="while another is not written"):
        table.request("p1", "2")


def test_who_has_lost_a_table_writes_no_more(kept: tuple[Database, KeptTable]) -> None:
    database, table = kept
    table.ask("p1", "1", sits)
    other = database.tables.reopen(table.number)
    before = table.state
    with pytest.raises(StoreError, match="another server has taken the table over"):
        table.ask("p1", "2", lambda request: request.give(cmd.Leave(box=1), P1) and b"")
    assert table.state == before
    other.ask("p1", "2", lambda request: request.give(cmd.Leave(box=1), P1) and b"")
    assert record_amiss(database, other) == ""


def test_a_commit_that_was_not_heard_of_counts(
    kept: tuple[Database, KeptTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks when all is written: what is tried again finds that it is there."""
    database, table = kept
    whole = database.writer._fails
    broken: list[Exception] = []

    def breaks(jobs: object) -> Exception | None:
        error = whole(jobs)  # type: ignore[arg-type]
        if error is None and not broken:
            broken.append(OSError("broken pipe"))
            return broken[0]
        return error

    monkeypatch.setattr(database.writer, "_fails", breaks)
    assert table.ask("p1", "1", sits) == (2, 2, b"seated")
    assert broken
    assert record_amiss(database, table) == ""


# Tables taken up again


@pytest.mark.parametrize("name", NAMES)
def test_a_table_goes_on_with_the_same_next_card(name: str, tmp_path: Path) -> None:
    database, table = opened(tmp_path, name)
    evening = KeptEvening(table, seed=3)
    evening.sit()
    for _ in range(12):
        evening.request(steps=evening.chance.randint(1, 9)).wait(b"")
        taken_up = database.tables.reopen(table.number)
        assert taken_up.state == table.state
        assert cards(taken_up) == cards(table)
        assert taken_up.chips == table.chips
        assert taken_up.conductor.brought == table.conductor.brought
        assert accounted_for(taken_up.conductor)
        evening.table, evening.evening.table = taken_up, taken_up.conductor
        table = taken_up
    assert record_amiss(database, table) == ""
    assert money_amiss(database, table, evening.taken) == ""
    database.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_taken_up_from_where_it_stood_last(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same table, cards and chips as if all lines were decided again; and few of them are.

    Shoes end on the way: the order of a new one may be younger than the glimpse.
    """
    monkeypatch.setattr(glimpse, "EVERY", 1)
    database, table = opened(tmp_path, name)
    evening = KeptEvening(table, seed=3)
    evening.sit()
    short = 0
    while len(database.tables.commitments(table.number)) < 4:
        evening.request(steps=evening.chance.randint(1, 30)).wait(b"")
        taken_up = database.tables.reopen(table.number)
        short += len(database.tables._tail(table.number)[0].lines) < table.last - 1
        assert database.tables.stands(table.number) == taken_up.state == table.state
        assert (cards(taken_up), taken_up.last, taken_up.chips) == (cards(table), table.last, table.chips)
        assert taken_up.conductor.brought == table.conductor.brought
        evening.table, evening.evening.table = taken_up, taken_up.conductor
        table = taken_up
    assert short > 10
    assert record_amiss(database, table) == ""
    assert money_amiss(database, table, evening.taken) == ""
    database.close()


def test_what_another_release_saw_of_a_table_is_not_believed(
    kept: tuple[Database, KeptTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(glimpse, "EVERY", 1)
    database, table = kept
    evening = KeptEvening(table, seed=4)
    evening.sit()
    while database.tables._tail(table.number)[1] is None:
        evening.request(steps=3).wait(b"")
    with monkeypatch.context() as later:
        later.setattr(croupier, "__version__", "9.9.9")
        assert database.tables._tail(table.number)[1] is None
    spoilt = text("UPDATE glimpses SET content = x'00'")
    database.writer.do(lambda connection: connection.execute(spoilt) and None)
    assert database.tables._tail(table.number)[1] is None
    assert database.tables.reopen(table.number).state == table.state


def test_lines_are_what_a_log_would_have(
    kept: tuple[Database, KeptTable], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, table = kept
    evening = KeptEvening(table, seed=4)
    evening.sit()
    evening.request(steps=60).wait(b"")
    log = database.tables.log(table.number)
    writer = LogWriter.create(tmp_path / "table.log", log.header)
    for line in log.lines:
        writer.append(line)
    writer.close()
    kept_lines = [line.text.encode() for line in database.tables.lines(table.number)]
    assert (tmp_path / "table.log").read_bytes().splitlines() == kept_lines
    assert read_log(tmp_path / "table.log").last_hash == database.tables.lines(table.number)[-1].hash


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            "UPDATE lines SET text = replace(text, 'p1', 'p2') WHERE number = 2",
            "Table 1:2: the chain is broken",
        ),
        ("DELETE FROM lines WHERE number = 4", "Table 1:4: the chain is broken"),
        (
            "DELETE FROM lines WHERE number = (SELECT max(number) FROM lines)",
            "its last line is .*, and the record ends with",
        ),
        ("DELETE FROM lines", "the record ends with 0"),
        ("UPDATE shoes SET cards = substr(cards, 4)", "the order of its shoe is not that of its lines"),
        ("DELETE FROM shoes", "the order of its shoe is not that of its lines"),
    ],
)
def test_what_was_changed_by_hand_does_not_go_on(
    kept: tuple[Database, KeptTable], change: str, why: str
) -> None:
    database, table = kept
    evening = KeptEvening(table, seed=4, mishaps=0)
    evening.sit()
    while table.state.stage != "playing":
        evening.request().wait(b"")
    database.writer.do(lambda connection: connection.execute(text(change)) and None)
    with pytest.raises(DoesNotHold, match=why):
        database.tables.reopen(table.number)


def test_a_shoe_is_held_to_its_order(kept: tuple[Database, KeptTable]) -> None:
    """Its hash is there before its first card, and is opened when another shoe has taken its place."""
    database, table = kept
    evening = KeptEvening(table, seed=4, mishaps=0)
    evening.sit()
    evening.request(steps=30).wait(b"")
    (before,) = database.tables.commitments(table.number)
    assert (before.salt, before.cards) == ("", "")
    while len(database.tables.commitments(table.number)) == 1:
        evening.request(steps=50).wait(b"")
    first, second = database.tables.commitments(table.number)
    assert first.commitment == before.commitment
    assert hashlib.sha256(f"{first.salt} {first.cards}".encode()).hexdigest() == first.commitment
    assert (second.salt, second.cards) == ("", "")


def test_a_closed_table_stays_closed(kept: tuple[Database, KeptTable]) -> None:
    database, table = kept
    evening = KeptEvening(table, seed=4, mishaps=0)
    evening.sit()
    database.tables.close(table)
    assert [one.closed != "" for one in database.tables.all()] == [True]
    with pytest.raises(ParseError, match="Table 1: was closed at"):
        database.tables.reopen(table.number)
    with pytest.raises(ParseError, match="there is no table 7"):
        database.tables.reopen(7)


# What fails


@contextmanager
def small_files(most: int) -> Iterator[None]:
    """As long as this lasts the system lets no file grow beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def end_of_wal(database: Database) -> int:
    """Where the next page will be written ahead: behind as many as are committed, each with a head."""
    with database.engine.connect() as connection:  # who comes first after a failure begins anew
        path = connection.exec_driver_sql("SELECT count(*) FROM tables") and database.engine.url.database
        index = Path(f"{path}-shm").read_bytes()
    (pages,) = struct.unpack_from("=I", index, 16)
    return 32 + int(pages) * (24 + 4096)


def test_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    """It is full at every request of an evening: each is taken back, given again, and comes out the same."""
    database, table = opened(tmp_path)
    evening = KeptEvening(table, seed=6)
    evening.sit()
    chance = random.Random(1)
    for _ in range(15):
        before, mark = stands(table), evening.mark()
        request = evening.request(steps=4)
        after = stands(table)
        for _ in range(2):
            room = end_of_wal(database) + chance.choice((0, 24, 5000))
            why = r"croupier\.db: cannot be written: .* can be given again$"
            with small_files(room), pytest.raises(StoreError, match=why):
                request.wait(b"")
            assert stands(table) == before
            evening.back_to(mark)
            request = evening.request(steps=4)
            assert stands(table) == after
        request.wait(b"")
    assert record_amiss(database, table) == ""
    assert money_amiss(database, table, evening.taken) == ""
    database.close()


def stands(table: KeptTable) -> object:
    """All that a table must go back to."""
    return table.state, cards(table), table.last, dict(table.chips), dict(table.conductor.brought)


def test_a_live_table_goes_back_with_its_lines(tmp_path: Path) -> None:
    """What was struck in a request that could not be written still stands, and can be struck again."""
    database, table = opened(tmp_path, live=True)
    table.ask("dealer", "1", sits)
    table.ask("dealer", "2", lambda request: request.bring(P1, 5000) or b"")
    before, lines = stands_live(table), table.conductor.lines
    with table.request("dealer", "3") as request:
        request.give(cmd.Leave(box=1), P1)
    with small_files(0), pytest.raises(StoreError):
        request.wait(b"")
    assert stands_live(table) == before
    assert table.conductor.lines == lines
    for _ in range(2):
        with table.request("supervisor", "3") as request:
            table.conductor.strike(2, why="nobody sat")
            request.give(cmd.Sit(box=2), P1)
        with small_files(0), pytest.raises(StoreError):
            request.wait(b"")
        assert stands_live(table) == before
        assert table.conductor.lines == lines
    table.ask("supervisor", "3", lambda request: table.conductor.strike(2, why="nobody sat") and b"")
    assert table.conductor.lines[0].events == []
    assert money_amiss(database, table, {}) == ""
    taken_up = database.tables.reopen(table.number)
    assert taken_up.state == table.state
    taken_up.ask("supervisor", "4", lambda request: taken_up.conductor.strike(4, why="they did") and b"")
    assert stands_live(taken_up)[0] == before[0]
    assert stands_live(taken_up)[2:] == before[2:]
    assert money_amiss(database, taken_up, {}) == ""
    database.close()


def stands_live(table: KeptTable) -> tuple[object, ...]:
    return table.state, table.last, dict(table.chips), dict(table.conductor.brought)


# A process that is killed

CHILD = """
import sys
sys.path[:0] = [{tests!r}]
from child import write
write({where!r}, {seed})
"""


def test_a_killed_process_has_lost_nothing_it_acknowledged(tmp_path: Path) -> None:
    """Killed at moments of chance while it writes: what it said was written is there, once, and goes on.

    CROUPIER_KILLS has it killed more often than here.
    """
    chance, promised = random.Random(7), Promises()
    for seed in range(int(os.environ.get("CROUPIER_KILLS", "4"))):
        child = subprocess.Popen(
            [
                sys.executable,
                "-c",
                CHILD.format(tests=str(Path(__file__).parent), where=str(tmp_path), seed=seed),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        lines = iter(child.stdout.readline, "")
        for _ in range(chance.randint(30, 150)):
            promised.hear(next(lines))
        reads_while_written(tmp_path)
        child.kill()
        for line in lines:
            promised.hear(line)
        child.wait()
        promised.check(tmp_path)
    assert promised.acknowledged > 50
    print(f"{promised.acknowledged} requests acknowledged, none lost")


def reads_while_written(path: Path) -> None:
    """Another process than the writer's sees whole requests only, and books that sum to zero."""
    engine = engine_for(path)
    with engine.connect() as connection:
        rows = "SELECT t.id, t.last, (SELECT count(*) FROM lines WHERE table_id = t.id) FROM tables t"
        for number, last, count in connection.execute(text(rows)):
            assert last == count, number
        assert connection.execute(text("SELECT coalesce(sum(cents), 0) FROM entries")).scalar() == 0
    engine.dispose()


class Promises:
    """What a process said: which requests it has begun, what they come to, and which are acknowledged."""

    def __init__(self) -> None:
        self.planned: dict[tuple[int, str], list[str]] = {}
        self.done: set[tuple[int, str]] = set()

    @property
    def acknowledged(self) -> int:
        return len(self.done)

    def hear(self, line: str) -> None:
        word, *rest = line.split()
        if not line.endswith("\n"):
            return  # it was killed in the middle of a word
        if word == "plan":
            self.planned[int(rest[0]), rest[1]] = rest[2:]
        elif word == "done":
            self.done.add((int(rest[0]), rest[1]))

    def check(self, path: Path) -> None:
        database = Database.open(path)
        for listed in database.tables.all():
            table = database.tables.reopen(listed.number)
            assert record_amiss(database, table) == ""
            assert table.chips == dict(table.conductor.brought) | {
                name: amount + table.state.won.get(name, 0)
                for name, amount in table.conductor.brought.items()
            }
            hashes = {line.number: line.hash for line in database.tables.lines(listed.number)}
            stored = [
                key for key in self.planned if key[0] == listed.number and table.answered("house", key[1])
            ]
            assert {key for key in self.done if key[0] == listed.number} <= set(stored)
            ends = [int(self.planned[key][0]) for key in stored]
            assert len(set(ends)) == len(ends)
            for key in stored:
                last, own_hash, _ = self.planned[key]
                assert hashes[int(last)] == own_hash
            if stored:
                newest = max(stored, key=lambda key: int(self.planned[key][0]))
                assert int(self.planned[newest][0]) == table.last
                assert self.planned[newest][2] == ("".join(cards(table)[:5]) or "none")
        assert database.ledger.amiss() == ""
        database.close()
