"""Rows for other programs: a .parquet file, for which pyarrow is needed, or a .csv one."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from croupier.errors import ParseError
from croupier.whole import whole

Row = dict[str, Any]
SUFFIXES = (".parquet", ".csv")
BATCH = 10_000  # rows that are written at once


def require_writable(path: Path) -> None:
    """Can rows be written to a file of this name?"""
    if path.suffix not in SUFFIXES:
        raise ParseError(f"{path}: rows are written to a file that ends in {' or '.join(SUFFIXES)}")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise ParseError(
            f"{path}: Parquet needs pyarrow: pip install 'croupier[parquet]'; or write a .csv file"
        )


@contextlib.contextmanager
def rows_to(path: Path, columns: dict[str, type]) -> Iterator[Callable[[Row], None]]:
    """What takes row after row, in columns of these types. The file is written whole or not at all."""
    require_writable(path)
    kind = _parquet if path.suffix == ".parquet" else _csv
    try:
        with whole(path) as beside, kind(beside, columns) as take:
            yield take
    except OSError as error:
        why = error.strerror or str(error).rpartition("] ")[2]  # Arrow puts what the system says last
        raise ParseError(f"{path}: cannot be written: {why}") from None


@contextlib.contextmanager
def _csv(path: Path, columns: dict[str, type]) -> Iterator[Callable[[Row], None]]:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(columns), lineterminator="\n")
        writer.writeheader()
        yield lambda row: writer.writerow({name: _plain(row[name]) for name in columns})


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


def schema_of(columns: dict[str, type]) -> Any:
    """The columns as Arrow knows them."""
    import pyarrow as pa

    kinds = {int: pa.int64(), float: pa.float64(), str: pa.string(), bool: pa.bool_()}
    return pa.schema([(name, kinds[kind]) for name, kind in columns.items()])


@contextlib.contextmanager
def _parquet(path: Path, columns: dict[str, type]) -> Iterator[Callable[[Row], None]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = schema_of(columns)
    waiting: list[Row] = []
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:

        def take(row: Row) -> None:
            waiting.append(row)
            if len(waiting) == BATCH:
                put()

        def put() -> None:
            writer.write_table(pa.Table.from_pylist(waiting, schema))
            waiting.clear()

        yield take
        put()
