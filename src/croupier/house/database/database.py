"""The whole database, opened together."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from croupier.errors import StoreError
from croupier.house.database.connect import bring_up_to_date, engine_for, lock, require_durable
from croupier.house.database.ledger import Ledger
from croupier.house.database.people import People
from croupier.house.database.tables import Tables
from croupier.house.database.writer import Writer


class Database:
    """Tables, money and people of a house. `writer.tell` is where a server says who calls what is done."""

    def __init__(self, where: str | Path) -> None:
        self.engine = engine_for(where)
        self._lock = lock(self.engine)
        bring_up_to_date(self.engine)
        require_durable(self.engine)
        self.writer = Writer(self.engine)
        self.ledger = Ledger(self.engine, self.writer)
        self.people = People(self.engine, self.writer)
        self.tables = Tables(self.engine, self.writer, self.ledger, owner=secrets.token_hex(8))

    @classmethod
    def open(cls, where: str | Path) -> Database:
        """The database in a directory, or at an address; it is made, or brought up to date, if need be."""
        return cls(where)

    def close(self) -> None:
        """Write what waits, and let go of tables and database."""
        with contextlib.suppress(StoreError):  # then its leases end by themselves
            self.tables.let_go()
        self.writer.close()
        self.engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
