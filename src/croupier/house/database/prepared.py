"""Statements of the hot path: written once by SQLAlchemy, then handed to the database's driver as text.

The driver keeps them prepared. SQLAlchemy's own way to execute costs more than the database does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Delete, Insert, Select, TextClause, Update

Row = Mapping[str, Any]


class Prepared:
    """A statement whose values are given by name; of an insertion, the `columns` that it fills."""

    def __init__(self, statement: Insert | Update | Delete | Select[Any] | TextClause, *columns: str) -> None:
        self._statement = statement
        self._columns = columns or None
        self._texts: dict[str, str] = {}

    def many(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Carry it out for each row."""
        if rows:
            connection.connection.cursor().executemany(self._text(connection), rows)

    def one(self, connection: Connection, row: Row) -> Any:
        """The first row that it finds, or None."""
        cursor = connection.connection.cursor()
        cursor.execute(self._text(connection), row)
        return cursor.fetchone()

    def changed(self, connection: Connection, row: Row) -> int:
        """How many rows it changes."""
        cursor = connection.connection.cursor()
        cursor.execute(self._text(connection), row)
        return int(cursor.rowcount)

    def _text(self, connection: Connection) -> str:
        dialect = connection.dialect
        found = self._texts.get(dialect.name)
        if found is None:
            found = self._texts[dialect.name] = str(
                self._statement.compile(dialect=dialect, column_keys=self._columns)
            )
        return found
