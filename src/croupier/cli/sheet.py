"""`croupier sheet`: the report on a game's mathematics that a test laboratory files, as a page or as data."""

from __future__ import annotations

import csv
import datetime
import io
import json as json_text
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from croupier.cli.describing import described
from croupier.cli.options import Book, Force, StudySettings, whole
from croupier.cli.output import print_json, require_place, write_file
from croupier.cli.plotting import figures, read_simulated
from croupier.cli.solving import MOST_DECKS, announce, solving_progress
from croupier.errors import ParseError
from croupier.report.plots import require_plots
from croupier.rulebook import load
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.study import study

if TYPE_CHECKING:
    from croupier.report.model import Report

SHEET = "croupier sheet 1"
FORMATS = {".json": "json", ".csv": "csv"}


def sheet(
    rulebook: Book,
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            help="The file to write: a page, or data where its name ends in .json or .csv.",
        ),
    ] = None,
    decks: Annotated[
        int | None, Parameter(converter=whole, help="Decks in the shoe; those of the rulebook if not said.")
    ] = None,
    settings: StudySettings = (),
    simulation: Annotated[
        Path | None,
        Parameter(
            help="With the plots of a run of the same game: the file to which `croupier simulate --json` was "
            "written.",
            show_default=False,
        ),
    ] = None,
    json: Annotated[
        bool,
        Parameter(name="--json", help="The report as one JSON object.", negative="", show_default=False),
    ] = False,
    csv: Annotated[
        bool,
        Parameter(
            name="--csv",
            help="The report as a table in CSV, one row a figure.",
            negative="",
            show_default=False,
        ),
    ] = False,
    force: Force = False,
) -> int:
    """Write the report on a game's mathematics: value, play, other wagers, what each rule is worth.

    The page is one file that needs no other, for the screen and for paper. Data has the same figures.
    """
    if decks is not None and not 1 <= decks <= MOST_DECKS:
        raise ParseError(f"--decks {decks}: write a number from 1 to {MOST_DECKS}")
    form = _form(output, json=json, csv=csv)
    book = load(rulebook)
    if output is not None:
        require_place(output, force=force)
    run = None
    if simulation is not None:
        if form:
            raise ParseError("--simulation is for the page: its plots are no data")
        require_plots()
        run = read_simulated(simulation, rules_hash(study(book, settings, decks).rules))
    announce()
    from croupier.report.gather import gather
    from croupier.report.page import render

    with solving_progress() as told:
        report = gather(book, settings, decks, told)
    if form:
        return _write_data(report, form, output, force=force)
    page = render(
        report,
        made=datetime.date.today().isoformat(),
        command=_command(rulebook, decks, settings),
        run=run,
        figures=figures(run, report.ev) if run else (),
    )
    if output is not None:
        write_file(output, page, force=force)
        print(f"The report on {book.title} is in {output}.")
    return 0


def _form(output: Path | None, *, json: bool, csv: bool) -> str:
    """`json` or `csv`, or nothing for a page, as is said or as the file is called."""
    if json and csv:
        raise ParseError("--json and --csv: one at a time")
    asked = "json" if json else "csv" if csv else ""
    called = FORMATS.get(output.suffix.lower(), "") if output is not None else ""
    if output is None and not asked:
        raise ParseError("--output says where the page goes, as -o report.html; --json and --csv print data")
    if asked and called and asked != called:
        raise ParseError(f"--{asked}: {output} is called otherwise")
    return asked or called


def _write_data(report: Report, form: str, output: Path | None, *, force: bool) -> int:
    about = _about(report)
    if form == "json":
        from croupier.report.data import report_as_data

        data = about | report_as_data(report)
        if output is None:
            print_json(data)
        else:
            write_file(output, json_text.dumps(data, ensure_ascii=False, indent=1) + "\n", force=force)
    elif output is None:
        sys.stdout.write(_as_csv(report, about))
    else:
        write_file(output, _as_csv(report, about), force=force)
    if output is not None:
        print(f"The report on {report.study.book.title} is in {output}.")
    return 0


def _about(report: Report) -> dict[str, Any]:
    from croupier.exact.answers import Question
    from croupier.exact.shoe import fresh

    rules = report.study.rules
    return described(SHEET, report.study, Question(rules, fresh(rules.ranks, report.decks)))


def _as_csv(report: Report, about: dict[str, Any]) -> str:
    from croupier.report.rows import COLUMNS, rows

    text = io.StringIO()
    writer = csv.DictWriter(text, list(COLUMNS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(report, about))
    return text.getvalue()


def _command(rulebook: str, decks: int | None, settings: tuple[str, ...]) -> str:
    words = [rulebook, *(["--decks", str(decks)] if decks else [])]
    return shlex.join([*words, *(word for pair in settings for word in ("--set", pair))])
