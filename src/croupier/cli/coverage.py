"""`croupier rules coverage`: every clause, the code that obeys it and the tests that hold it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import groupby
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from croupier.cases.coverage import Coverage, Covered, as_json, as_page, clause_tests_folder
from croupier.cases.coverage import coverage as run_coverage
from croupier.cli.options import Json
from croupier.cli.output import Console, print_json, write_file

STATUSES = {"tested": ", [green]tested[/]", "outside": "", "untested": ", [red]untested[/]"}
NARROW = ", [yellow]one test[/]"
MOST_TESTS = 2


def coverage(
    *,
    json: Json = False,
    tests: Annotated[
        Path | None, Parameter(help="The folder of clause tests (default: Croupier's own).")
    ] = None,
    page: Annotated[Path | None, Parameter(help="Write the coverage to this file, as Markdown.")] = None,
) -> int:
    """Run the clause tests; show for each clause the code that obeys it and the tests that hold it.

    Exit status 1 if a clause that needs a test has none that passes, or a test fails.
    """
    console = Console()
    folder = tests or clause_tests_folder()
    waiting = (
        console.status("Reading the clause tests") if console.is_terminal and not json else nullcontext()
    )
    with waiting as status:
        found = run_coverage(folder, told=status.update if status else lambda _: None)
    if page is not None:
        write_file(page, as_page(found), force=True)
    if json:
        print_json(as_json(found))
    else:
        if page is None:
            _show_coverage(console, found)
        _show_failed(console, found)
        print(found.breadth(), found.summary(), sep="\n")
    return 0 if found.is_complete else 1


def _show_coverage(console: Console, found: Coverage) -> None:
    for document, members in groupby(found.clauses, lambda one: one.clause.document):
        table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, expand=True)
        table.add_column(document, width=21, overflow="fold")
        table.add_column("code", no_wrap=True)
        cut = console.is_terminal  # a file has room for all of it
        table.add_column("tests", ratio=1, no_wrap=cut, overflow="ellipsis" if cut else "fold")
        for one in members:
            table.add_row(*_covered_row(one))
        console.print(table)


def _show_failed(console: Console, found: Coverage) -> None:
    for verdict in found.failed:
        console.print(f"[red]fails[/] {escape(verdict.test.source)}: {escape(verdict.test.title)}")
        for problem in verdict.problems:
            console.print(f"    {escape(problem)}", style="dim", soft_wrap=True)


def _covered_row(covered: Covered) -> tuple[str, str, str]:
    code = "\n".join(str(place).removeprefix("croupier/") for place in covered.places)
    status = NARROW if covered.status == "tested" and covered.is_narrow else STATUSES[covered.status]
    head = f"[cyan]{escape(covered.label)}[/]\n{covered.clause.obeyed}{status}"
    return head, code, "\n".join(_test_lines(covered))


def _test_lines(covered: Covered) -> Iterator[str]:
    """The tests of a clause by file, those that fail before those that pass."""
    ordered = sorted(covered.verdicts, key=lambda verdict: verdict.passed)
    for source, verdicts in groupby(ordered[:MOST_TESTS], lambda verdict: verdict.test.source):
        yield f"[dim]{escape(Path(source).name)}[/]"
        for verdict in verdicts:
            mark = "[green]✓[/]" if verdict.passed else "[red]✗[/]"
            yield f"{mark} {escape(verdict.test.title)}"
    if len(ordered) > MOST_TESTS:
        yield f"[dim]and {len(ordered) - MOST_TESTS} more[/]"
