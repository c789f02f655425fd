"""`croupier sheet`: the report on a game's mathematics that a test laboratory files, as one page of HTML."""

from __future__ import annotations

import datetime
import shlex
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.cli.options import Book, Force, StudySettings, whole
from croupier.cli.output import require_place, write_file
from croupier.cli.plotting import figures, read_simulated
from croupier.cli.solving import MOST_DECKS, announce, solving_progress
from croupier.errors import ParseError
from croupier.report.plots import require_plots
from croupier.rulebook import load
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.study import study


def sheet(
    rulebook: Book,
    /,
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="The HTML file to write.")],
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
    force: Force = False,
) -> int:
    """Write the report on a game's mathematics: value, play, other wagers, what each rule is worth.

    The page is one file that needs no other, for the screen and for paper.
    """
    if decks is not None and not 1 <= decks <= MOST_DECKS:
        raise ParseError(f"--decks {decks}: write a number from 1 to {MOST_DECKS}")
    book = load(rulebook)
    require_place(output, force=force)
    run = None
    if simulation is not None:
        require_plots()
        run = read_simulated(simulation, rules_hash(study(book, settings, decks).rules))
    announce()
    from croupier.report.gather import gather
    from croupier.report.page import render

    with solving_progress() as told:
        report = gather(book, settings, decks, told)
    page = render(
        report,
        made=datetime.date.today().isoformat(),
        command=_command(rulebook, decks, settings),
        run=run,
        figures=figures(run, report.ev) if run else (),
    )
    write_file(output, page, force=force)
    print(f"The report on {book.title} is in {output}.")
    return 0


def _command(rulebook: str, decks: int | None, settings: tuple[str, ...]) -> str:
    words = [rulebook, *(["--decks", str(decks)] if decks else [])]
    return shlex.join([*words, *(word for pair in settings for word in ("--set", pair))])
