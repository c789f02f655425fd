"""Statements of the hot path, handed to the database's driver as text.

The driver keeps them prepared; SQLAlchemy's own way to execute costs more than the database does. Rows go in
many at once: at every statement the interpreter's lock changes hands, and whoever conducts the tables does
not give it back at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Delete, Select, Table, Update

Row = Mapping[str, Any]
VALUES = 900  # in one statement: the least that any build of SQLite takes is 999


class Prepared:
    """A statement whose values are given by name."""

    def __init__(self, statement: Update | Delete | Select[Any]) -> None:
        self._statement = statement
        self._texts: dict[str, str] = {}

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
            found = self._texts[dialect.name] = str(self._statement.compile(dialect=dialect))
        return found


class Listed:
    """A statement around `VALUES (…), (…)`: what stands before it, the names of a row's values, the rest."""

    def __init__(self, before: str, columns: Sequence[str], behind: str = "") -> None:
        self._before = before
        self._columns = columns
        self._behind = behind
        self._texts: dict[tuple[str, int], str] = {}

    def changed(self, connection: Connection, rows: Sequence[Row]) -> int:
        """Carry it out with all rows; how many it changes."""
        most, found = VALUES // len(self._columns), 0
        for begin in range(0, len(rows), most):
            some = rows[begin : begin + most]
            values = [row[name] for row in some for name in self._columns]
            cursor = connection.connection.cursor()
            cursor.execute(self._text(connection, len(some)), values)
            found += int(cursor.rowcount)
        return found

    def _text(self, connection: Connection, count: int) -> str:
        key = connection.dialect.name, count
        if key not in self._texts:
            value = "?" if connection.dialect.name == "sqlite" else "%s"
            row = f"({', '.join([value] * len(self._columns))})"
            self._texts[key] = f"{self._before} VALUES {', '.join([row] * count)}{self._behind}"
        return self._texts[key]


def into(table: Table, *, behind: str = "") -> Listed:
    """New rows of a table; a number that the database gives by itself is not listed."""
    columns = [column.name for column in table.columns if column is not table.autoincrement_column]
    return Listed(f"INSERT INTO {table.name} ({', '.join(columns)})", columns, behind)
