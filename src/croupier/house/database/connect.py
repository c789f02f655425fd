"""A database opened: in a directory of its own (SQLite), or at an address (PostgreSQL).

It is brought up to this release's schema by itself. SQLite writes ahead (WAL) and waits for the disk at every
commit (synchronous FULL), or it is not opened; one server at a time has the directory.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from croupier.errors import ParseError
from croupier.house.database.schema import REVISION

FILE = "croupier.db"
LOCK = "croupier.lock"
WAIT = 5  # seconds that a reader waits for a checkpoint
DURABLE = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def engine_for(where: str | Path) -> Engine:
    """The database in a directory, which is made if there is none, or at an address with `://` in it."""
    address = str(where)
    try:
        if "://" not in address:
            return _sqlite(Path(address))
        url = make_url(address)
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() != "postgresql":
            raise ParseError(f"{address}: is no database: give a directory, or postgresql://user@host/name")
        return create_engine(url, pool_pre_ping=True)  # a server that was started anew is not held against it
    except (ArgumentError, ImportError) as error:
        raise ParseError(f"{address}: cannot be opened: {error}") from None


def _sqlite(directory: Path) -> Engine:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if not (directory / FILE).exists():  # it holds the order of shoes: for its owner's eyes
            os.close(os.open(directory / FILE, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise ParseError(f"{directory}: cannot be written: {error.strerror}") from None
    engine = create_engine(f"sqlite:///{directory / FILE}", paramstyle="named")
    event.listen(engine, "connect", _make_durable)
    event.listen(engine, "begin", _begin)
    return engine


def _make_durable(connection: Any, _: object) -> None:
    connection.isolation_level = None  # the driver begins no transaction of its own
    for name, value in {**DURABLE, "busy_timeout": WAIT * 1000}.items():
        connection.execute(f"PRAGMA {name} = {value}").close()


def _begin(connection: Connection) -> None:
    """Who writes says so when it begins, for a reader who turns writer may be refused."""
    writes = connection.get_execution_options().get("writes")
    connection.connection.cursor().execute("BEGIN IMMEDIATE" if writes else "BEGIN")


def require_durable(engine: Engine) -> None:
    """Does SQLite write ahead and wait for the disk here? Not every file system lets it."""
    if engine.dialect.name != "sqlite":
        return
    with engine.connect() as connection:
        for name, value in DURABLE.items():
            found = connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            if found != value:
                raise ParseError(
                    f"{engine.url.database}: {name} is {found}, not {value}: nothing kept here would be safe"
                )


def lock(engine: Engine) -> int | None:
    """The directory, as this server's: held until it is closed. PostgreSQL serves several."""
    if engine.dialect.name != "sqlite":
        return None
    path = Path(str(engine.url.database)).with_name(LOCK)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ParseError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise ParseError(f"{path.parent} is in use by another croupier") from None
    return handle


# Migrations


def bring_up_to_date(engine: Engine) -> None:
    """Carry out the migrations that the database has not seen yet. An empty one has seen none."""
    try:
        with engine.connect().execution_options(writes=True) as connection, connection.begin():
            found = revision(connection)
            if found != REVISION:
                _upgrade(connection, found)
    except SQLAlchemyError as error:
        raise ParseError(f"{engine.url.database}: cannot be opened: {_said(error)}") from None


def revision(connection: Connection) -> str:
    """The last migration that the database has seen."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def _upgrade(connection: Connection, found: str) -> None:
    # Alembic takes its time to be read in, and is needed once a release.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found and found not in known:
        raise ParseError(
            f"{connection.engine.url.database}: was written by a later release of croupier (revision {found})"
        )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _said(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error).strip().splitlines()[0]
