"""The same database on PostgreSQL, a real one of its own for the tests, and two servers at it."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from croupier.errors import ParseError
from croupier.house.database import Database, Elsewhere, KeptTable, Lost
from croupier.house.database.connect import engine_for
from croupier.house.database.ledger import purse
from croupier.house.database.schema import metadata
from croupier.house.settings import settings_of
from croupier.house.shoes import VirtualShoe
from croupier.rulebook import load
from croupier.table import commands as cmd
from croupier.table.actors import player
from croupier.web import frames
from croupier.web.asking import Sender
from croupier.web.floor import ELSEWHERE, Floor
from croupier.web.frames import Clocks
from croupier.web.opened import Manner
from kept import BOOK, PLENTY, KeptEvening, money_amiss, record_amiss

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
pytestmark = pytest.mark.skipif(not PROGRAMS, reason="PostgreSQL is not installed")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A PostgreSQL of our own; it does not run as root. What it is called, up to the database's name."""
    where = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    user = "postgres" if os.getuid() == 0 else None
    if user is not None:
        os.chown(where, pwd.getpwnam(user).pw_uid, -1)

    def run(program: str, *words: str) -> None:
        command = [str(PROGRAMS[-1].with_name(program)), *words]
        subprocess.run(
            command, user=user, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
        )

    data = str(where / "data")
    run("initdb", "-D", data, "-A", "trust", "-U", "croupier", "--no-sync")
    run(
        "pg_ctl",
        "-D",
        data,
        "-o",
        f"-k {where} -c listen_addresses=",
        "-l",
        str(where / "log"),
        "-w",
        "start",
    )
    yield f"postgresql://croupier@/{{}}?host={where}"
    run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    shutil.rmtree(where)


@pytest.fixture
def address(server: str, request: pytest.FixtureRequest) -> str:
    """An empty database of the test's own."""
    name = request.node.name.removeprefix("test_")[:60]
    engine = engine_for(server.format("postgres"))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server.format(name)


@pytest.fixture
def servers(address: str) -> Iterator[tuple[Database, Database]]:
    """Two servers at the same database, with people who have full purses."""
    both = Database.open(address), Database.open(address)
    for name in ("p1", "p2"):
        both[0].ledger.buy(name, PLENTY, "play money")
    yield both
    for one in both:
        one.close()


def new_table(database: Database) -> KeptTable:
    book = load(BOOK)
    return database.tables.new(book, book.demonstration, name="Table 1", cards=VirtualShoe(5))


def test_the_migrations_make_the_schema(address: str) -> None:
    database = Database.open(address)
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()
    Database.open(address).close()


def test_an_address_without_a_database_is_refused(server: str) -> None:
    with pytest.raises(ParseError, match=r'cannot be opened: .*database "nowhere" does not exist'):
        Database.open(server.format("nowhere"))


def test_tables_go_from_one_server_to_the_other(servers: tuple[Database, Database]) -> None:
    """Each takes the table up with the same next card, and who has lost it writes no more."""
    table = new_table(servers[0])
    evening = KeptEvening(table, seed=3)
    evening.sit()
    for number in range(8):
        evening.request(steps=6).wait(b"")
        with pytest.raises(Elsewhere, match="Table 1: is conducted by another server"):
            servers[1 - number % 2].tables.reopen(table.number)
        end_leases(servers[0])
        taken_up = servers[1 - number % 2].tables.reopen(table.number)
        assert taken_up.state == table.state
        assert isinstance(table.conductor.cards, VirtualShoe)
        assert isinstance(taken_up.conductor.cards, VirtualShoe)
        assert taken_up.conductor.cards.cards == table.conductor.cards.cards
        with pytest.raises(Lost, match="another server has taken the table over"):
            table.ask("p1", "late", lambda request: request.bring(player("p1"), 100) or b"")
        table = evening.table = taken_up
        evening.evening.table = table.conductor
    assert record_amiss(servers[0], table) == ""
    assert money_amiss(servers[0], table, evening.taken) == ""


def end_leases(database: Database) -> None:
    """As if every server had been silent for long."""
    database.writer.do(lambda connection: connection.execute(text("UPDATE tables SET leased = 1")) and None)


def test_a_lease_is_renewed_and_let_go(servers: tuple[Database, Database]) -> None:
    table = new_table(servers[0])
    for renews in (True, False):
        end_leases(servers[0])
        if renews:
            servers[0].tables.renew()
            with pytest.raises(Elsewhere):
                servers[1].tables.reopen(table.number)
    assert servers[1].tables.reopen(table.number).state == table.state
    servers[0].tables.renew()  # is of no use for what is lost
    assert servers[0].tables.stands(table.number) == table.state
    with pytest.raises(Elsewhere):
        servers[0].tables.reopen(table.number)
    servers[1].tables.let_go()
    assert servers[0].tables.reopen(table.number).state == table.state


class Sitting:
    """A client who keeps what it was told."""

    def __init__(self) -> None:
        self.sender = Sender("p1", "player")
        self.heard: list[str] = []

    def send(self, frame: bytes) -> None:
        reply = getattr(msgspec.json.decode(frame, type=frames.FromServer), "reply", None)
        self.heard += [reply.why or "done"] if reply else []

    def bye(self, why: str, words: str) -> None:
        self.heard.append(words)


def test_a_table_that_is_lost_sends_everybody_away(servers: tuple[Database, Database]) -> None:
    """The other server refuses it until the lease has ended; then it goes on there, and only there."""

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        for one in servers:
            one.writer.tell = lambda told: loop.call_soon_threadsafe(told) and None
        first, second = (Floor(one, pace=0) for one in servers)
        book, client = load(BOOK), Sitting()
        table = await first.new(
            book, settings_of(book, None), name="Table 1", live=False, manner=Manner(Clocks())
        )
        table.post(client, frames.Ask("1", 0, cmd.Sit(box=1)))
        table.post(client, frames.Hello())
        await table.rest()
        with pytest.raises(Elsewhere):
            await second.table(table.kept.number)
        await asyncio.to_thread(end_leases, servers[0])
        taken_up = await second.table(table.kept.number)
        assert taken_up.state.box(1).seat == "p1"
        table.post(client, frames.Ask("2", table.kept.last, cmd.Leave(box=1)))
        while first.tables:
            await asyncio.sleep(0)
        assert client.heard == ["done", "store", ELSEWHERE]
        with pytest.raises(Elsewhere):
            await first.table(table.kept.number)
        assert taken_up.state.box(1).seat == "p1"
        await first.close()
        await second.close()

    asyncio.run(scenario())


def test_a_purse_is_not_spent_at_two_servers(servers: tuple[Database, Database]) -> None:
    tables = [new_table(one) for one in servers]
    ended: list[Exception | None] = []
    over = threading.Semaphore(0)

    def done(error: Exception | None) -> None:
        ended.append(error)
        over.release()

    for table in tables:
        with table.request("p1", "1") as request:
            request.bring(player("p1"), PLENTY)
        request.send(b"", done)
    assert over.acquire(timeout=20)
    assert over.acquire(timeout=20)
    assert sorted(map(type, ended), key=str) == [type(None), ParseError]
    assert servers[0].ledger.balance(purse("p1")) == 0
    assert servers[0].ledger.amiss() == ""


def test_a_broken_connection_is_made_anew(servers: tuple[Database, Database]) -> None:
    """PostgreSQL ends the writer's connection: nothing is lost, and the next request is written."""
    table = new_table(servers[0])
    table.ask("p1", "1", lambda request: request.give(cmd.Sit(box=1), player("p1")) and b"")
    others = "pid <> pg_backend_pid() AND datname = current_database()"
    ends = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"
    with servers[1].engine.connect() as connection:
        connection.execute(text(ends))
    with table.request("p1", "2") as request:
        request.give(cmd.Leave(box=1), player("p1"))
    request.wait(b"")
    servers[0].engine.dispose()
    assert record_amiss(servers[0], table) == ""


def test_people_are_the_same_there(servers: tuple[Database, Database]) -> None:
    entered = servers[0].people.register("Ann", "correct horse")
    assert servers[1].people.who(entered.token) == entered.person
    with pytest.raises(ParseError, match="somebody here is called ANN already"):
        servers[1].people.enter("ANN")
    link = servers[1].people.operator_link() or ""
    assert servers[0].people.use_link(link, "boss", "correct horse").person.role == "operator"
