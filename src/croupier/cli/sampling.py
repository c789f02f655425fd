"""The sample of a run: rounds in full, as a table's log and as rows."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from croupier.cli.output import require_place
from croupier.cli.solving import parse_post_split, read_chart
from croupier.errors import ParseError, StoreError
from croupier.record import LogWriter
from croupier.record.line import Header
from croupier.report.tabular import require_writable, rows_to
from croupier.rulebook.study import Study
from croupier.whole import whole

if TYPE_CHECKING:
    from croupier.simulate import Game

MOST = 1_000_000

Record = Annotated[
    Path | None,
    Parameter(
        help="Write sampled rounds, played by the table itself, to this file: a log for `replay`, `explain` "
        "and `case`.",
        show_default=False,
    ),
]
Rows = Annotated[
    Path | None,
    Parameter(help="Write the sampled rounds as rows, to a .parquet or .csv file.", show_default=False),
]


def require_places(record: Path | None, rows: Path | None, sample: int, *, force: bool) -> None:
    """Nobody should wait for a sample that cannot be written."""
    if not 1 <= sample <= MOST:
        raise ParseError(f"--sample {sample}: from 1 to {MOST} rounds are written in full")
    if rows is not None:
        require_writable(rows)
    for path in (record, rows):
        if path is not None:
            require_place(path, force=force)


def write_sample(
    studied: Study,
    game: Game,
    post_split: str,
    chart: Path | None,
    *,
    record: Path | None,
    rows: Path | None,
    sample: int,
) -> dict[str, Any]:
    """Play the sample, write it, and say what it was. A DoesNotHold where table and simulator differ."""
    from croupier.exact import solve
    from croupier.house.sampled import sampled_table

    solver = solve(
        game.rules,
        post_split=parse_post_split(post_split),
        chart=read_chart(chart) if chart else None,
        chart_name=str(chart),
        wager=game.wager,
    ).solver
    table = sampled_table(game, solver, studied)
    with contextlib.ExitStack() as files:
        store = None if record is None else files.enter_context(_log(record, table.header(record.stem)))
        take = None if rows is None else files.enter_context(rows_to(rows, table.columns))
        count, shoes = 0, 0
        for found in table.rounds(sample, store):
            count, shoes = count + 1, found.shoe
            if take is not None:
                for row in found.rows():
                    take(row)
    written = {"record": record, "rows": rows}
    return {"rounds": count, "shoes": shoes} | {name: str(path) for name, path in written.items() if path}


@contextlib.contextmanager
def _log(path: Path, header: Header) -> Iterator[LogWriter]:
    """A log that is written whole or not at all."""
    try:
        with whole(path) as beside, contextlib.closing(_begun(beside, path, header)) as store:
            yield store
    except StoreError as error:
        why = error.__context__
        reason = why.strerror if isinstance(why, OSError) else error
        raise ParseError(f"{path}: cannot be written: {reason}") from None


def _begun(beside: Path, path: Path, header: Header) -> LogWriter:
    """The log beside; where not even its first line fits, the file that was asked for is named."""
    try:
        return LogWriter.create(beside, header)
    except ParseError as error:
        raise ParseError(str(error).replace(str(beside), str(path))) from None


def sample_words(sample: dict[str, Any]) -> str:
    """What was sampled, in a sentence."""
    where = " and ".join(sample[name] for name in ("record", "rows") if name in sample)
    return (
        f"Table and simulator agree in all {sample['rounds']:,} rounds of the sample, "
        f"{sample['shoes']:,} shoes, which are in {where}."
    )
