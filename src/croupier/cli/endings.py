"""`croupier solve --endings`: by which provisions hands end, how often, and what that returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from croupier.cli.output import Console
from croupier.money import odds_text
from croupier.report.data import plain
from croupier.report.text import number, one_in, percent, signed
from croupier.rulebook.study import Study

if TYPE_CHECKING:
    from croupier.exact.answers import Answer
    from croupier.report.par import Par

WIDE = 110  # columns of a screen on which clauses have room

WithEndings = Annotated[
    bool,
    Parameter(
        name="--endings",
        negative="",
        show_default=False,
        help="By which provisions hands end: how often, and their parts of the return.",
    ),
]


def found_endings(studied: Study, answer: Answer) -> Par:
    from croupier.report.par import par

    return par(studied, answer.solution)


def endings_as_data(found: Par) -> dict[str, Any]:
    told: dict[str, Any] = plain(found)
    return told


def show_endings(console: Console, studied: Study, found: Par) -> None:
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False)
    table.add_column("a hand ends")
    for title, width in (("pays", 6), ("a round", 10), ("once in", 7), ("returns", 11)):
        table.add_column(title, justify="right", no_wrap=True, min_width=width)
    table.add_column("clause", style="dim", no_wrap=True, max_width=12 if console.width < WIDE else None)
    for end in found.endings:
        name = f"{end.name}, doubled" if end.stake == 2 else end.name
        clauses = ", ".join(studied.book.short(clause) for clause in end.clauses)
        pays = odds_text(end.pays) if end.pays is not None else ""
        rare = one_in(end.hands).removeprefix("1 in ")
        returns = signed(end.brings, 6, "%")
        table.add_row(escape(name), pays, number(end.hands, 8), rare, returns, escape(clauses))
    console.print(table)
    for name, value in (
        ("return to player", percent(found.rtp, 6)),
        ("wagered in a round", number(found.staked, 6)),
        ("element of risk", percent(found.element_of_risk, 6)),
        ("hands in a round", number(found.hands, 6)),
        ("doubled of them", number(found.doubled, 6)),
    ):
        console.print(f"  {name:20}{value:>12}")
