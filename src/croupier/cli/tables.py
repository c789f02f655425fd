"""Tables for other programs: CSV, or Parquet where pyarrow is installed. Each file is written whole.

A file is one table in which a column says what a row is about, so that nothing hangs on several files; what a
row has nothing to say of is empty.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter

from croupier.cli.output import require_place, write_file
from croupier.errors import ParseError
from croupier.report.tabular import schema_of

if TYPE_CHECKING:
    from croupier.simulate import Found

Row = dict[str, Any]
Csv = Annotated[
    Path | None, Parameter(name="--csv", help="Write the tables to this new file as CSV.", show_default=False)
]
Parquet = Annotated[
    Path | None,
    Parameter(
        name="--parquet",
        help="Write them as Parquet (`pip install 'croupier[parquet]'`).",
        show_default=False,
    ),
]
# What a row is about, and what it may say.
COLUMNS: dict[str, type] = {
    "table": str,
    "name": str,
    "count": int,
    "won": float,
    "rounds": int,
    "share": float,
    "ev": float,
    "se": float,
    "deviation": float,
    "bet": float,
}


def require_tables(csv: Path | None, parquet: Path | None, *, force: bool) -> None:
    """Nobody should wait for tables that cannot be written."""
    for path in (csv, parquet):
        if path is not None:
            require_place(path, force=force)
    if parquet is not None:
        _pyarrow()


def write_tables(rows: Sequence[Row], csv: Path | None, parquet: Path | None, *, force: bool) -> None:
    if csv is not None:
        write_file(csv, as_csv(rows), force=force)
    if parquet is not None:
        write_file(parquet, as_parquet(rows), force=force)


def as_csv(rows: Sequence[Row]) -> str:
    written = io.StringIO()
    table = csv.DictWriter(written, COLUMNS, restval="", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return written.getvalue()


def as_parquet(rows: Sequence[Row]) -> bytes:
    arrow = _pyarrow()
    import pyarrow.parquet

    written = io.BytesIO()
    pyarrow.parquet.write_table(arrow.Table.from_pylist(list(rows), schema_of(COLUMNS)), written)
    return written.getvalue()


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ParseError("--parquet: pyarrow is not installed; `pip install 'croupier[parquet]'`") from None
    return pyarrow


def rows_of(found: Found) -> Iterator[Row]:
    """All tables of a simulation, in wagers: the game, results, counts, how often what happens, side bets."""
    yield {
        "table": "game",
        "rounds": found.rounds,
        "share": 1.0,
        "ev": found.ev,
        "se": found.se,
        "deviation": found.deviation,
    }
    for result, share in found.distribution().items():
        rounds = round(share * found.wagers)
        yield {"table": "results", "won": float(result), "rounds": rounds, "share": share}
    for at in found.by_count():
        yield {"table": "by_count", "rounds": round(at.share * found.rounds)} | msgspec.to_builtins(at)
    for name, share in found.frequencies().items():
        yield {"table": "frequencies", "name": name, "share": share}
    for name, side in found.side_bets().items():
        yield {"table": "side_bets", "name": name, "ev": side.ev, "se": side.se}
        for end, share in side.ends.items():
            yield {"table": f"side_bets {name}", "name": end, "share": share}
