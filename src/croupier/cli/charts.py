"""Charts beside the best play, as `croupier solve` tells of them: exceptions, costs, and numbers of cards."""

from __future__ import annotations

import json as json_text
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from croupier.cli.describing import described
from croupier.cli.output import Console, pages, print_json, require_place, write_file
from croupier.errors import ParseError
from croupier.report.by_cards import NOTATION, by_cards_text, further_notes, suited_notes
from croupier.report.exceptions import by_action
from croupier.report.tabular import SUFFIXES, require_writable, rows_to
from croupier.report.text import (
    DIGITS,
    UPCARDS,
    done_in_full,
    hand_text,
    one_in,
    row_name,
    row_order,
)
from croupier.rulebook.study import Study

if TYPE_CHECKING:
    from croupier.exact import Solution
    from croupier.exact.by_cards import CardsCell
    from croupier.exact.exceptions import CellCost, Compared, Otherwise, SplitRest

Row = dict[str, Any]
EXCEPTIONS = "croupier exceptions 1"
MILLION = 1_000_000
HAND = 30  # columns of a hand's name
SHOWN = 12  # cells of a chart that are shown with what they cost
COLUMNS: dict[str, type] = {
    "kind": str,
    "upcard": str,
    "row": str,
    "hand": str,
    "suits": str,
    "chart": str,
    "best": str,
    "gain": float,
    "chance": float,
    "worth": float,
}
Exceptions = Annotated[
    bool,
    Parameter(
        name="--exceptions",
        negative="",
        show_default=False,
        help="List every hand that is better played otherwise than the chart says, and what that is worth; "
        "--output writes them to a file.",
    ),
]


# Exceptions


def require_output(output: Path, *, force: bool) -> None:
    require_place(output, force=force)
    if output.suffix not in (*SUFFIXES, ".json"):
        raise ParseError(f"{output}: exceptions are written to a file that ends in .csv, .parquet or .json")
    if output.suffix != ".json":
        require_writable(output)


def tell_exceptions(
    studied: Study,
    solution: Solution,
    chart: Path | None,
    *,
    output: Path | None,
    force: bool,
    json: bool,
    begin: float,
) -> int:
    """The exceptions to the chart of a solution: by totals, unless its play has another."""
    from croupier.exact.exceptions import compared

    # What has a play of its own is held against the best, and the best against its chart.
    found = compared(solution if solution.solver.plans else solution.charted("total"))
    seconds = round(time.perf_counter() - begin, 4)
    data = described(EXCEPTIONS, studied, solution, chart) | _as_data(found) | {"seconds": seconds}
    if output is not None and output.suffix == ".json":
        write_file(output, json_text.dumps(data, ensure_ascii=False, indent=1) + "\n", force=force)
    elif output is not None:
        with rows_to(output, COLUMNS) as take:
            for row in rows(found):
                take(row)
    if json:
        print_json(data)
    elif output is not None:
        console = Console()
        _show_sum(console, found, solution)
        console.print(f"They are in {escape(str(output))}.")
    else:
        with pages() as console:
            console.print(f"[bold]{escape(studied.book.title)}[/]: exceptions to {_whose(solution)}")
            _show_hands(console, found)
            _show_sum(console, found, solution)
            for line in _notes(found):
                console.print(f"[dim]{line}[/]")
    return 0


def rows(found: Compared) -> Iterator[Row]:
    """Exceptions as rows, then what is left to the hands of each pair that the chart splits."""
    for one in found.hands:
        yield {"kind": "hand"} | _hand_as_data(one)
    for rest in found.splits:
        named = {"kind": "split", "upcard": rest.upcard, "row": rest.row}
        yield dict.fromkeys(COLUMNS) | named | _numbers(rest)


def _as_data(found: Compared) -> Row:
    return _sums(found) | {
        "exceptions": [_hand_as_data(one) for one in found.hands],
        "splits": _splits_as_data(found),
    }


def _sums(found: Compared) -> Row:
    sums = {
        "ev": found.ev,
        "best_ev": found.best_ev,
        "difference": found.difference,
        "of_hands": found.of_hands,
        "of_splits": found.of_splits,
    }
    return {name: _rounded(value) for name, value in sums.items()}


def _hand_as_data(one: Otherwise) -> Row:
    named = {"upcard": one.upcard, "row": one.row, "hand": one.hand, "suits": one.suits}
    return named | {"chart": one.says, "best": one.best} | _numbers(one)


def _splits_as_data(found: Compared) -> list[Row]:
    return [{"upcard": rest.upcard, "row": rest.row} | _numbers(rest) for rest in found.splits]


def _numbers(one: Otherwise | CellCost | SplitRest) -> Row:
    return {
        "gain": _rounded(one.gain),
        "chance": float(f"{float(one.chance):.15g}"),
        "worth": float(f"{float(one.worth):.15g}"),
    }


def _rounded(value: Any) -> float:
    return round(float(value), DIGITS)


def _whose(solution: Solution) -> str:
    if solution.post_split == "cards":
        return "the best chart by number of cards"
    if solution.solver.plans and solution.post_split != "total":
        return "the chart given"
    return "the best chart by totals"


def _show_hands(console: Console, found: Compared) -> None:
    """The hands of one cell together, under what they do instead."""
    console.print(f"[dim]{'hand':<{HAND}}{'gain':>10}{'once in':>16}{'in a million':>15}[/]")
    for held in by_action(found.hands):
        one = held[0]
        worth = f"{MILLION * float(sum(other.worth for other in held)):.3f}"
        console.print(
            f"[bold]{row_name(one.row)} against {one.upcard}[/]: {done_in_full(one.best)}, not "
            f"{done_in_full(one.says)}   [dim]{len(held):,} hand{'s' * (len(held) > 1)}, {worth}[/]"
        )
        for other in held:
            _, _, gain, often, million = _figures(other)
            name = hand_text(other.hand, other.suits, "T")
            console.print(f"  {name:<{HAND - 2}}{gain:>10}{often:>16}{million:>15}", soft_wrap=True)
    console.print()


def _figures(one: Otherwise | CellCost) -> tuple[str, ...]:
    """What is said and what is best, the gain, how often, and both together over a million rounds."""
    often = one_in(one.chance).removeprefix("1 in ") if one.chance else "led to"
    often = often if len(often) < 15 else f"{1 / float(one.chance):.1e}"
    million = f"{MILLION * float(one.worth):.3f}" if one.chance else ""
    return done_in_full(one.says), done_in_full(one.best), f"{float(one.gain):.6f}", often, million


def _show_sum(console: Console, found: Compared, solution: Solution) -> None:
    total, splits, both = (
        MILLION * float(part) for part in (found.of_hands, found.of_splits, found.difference)
    )
    cells = len({(one.row, one.upcard) for one in found.hands})
    console.print(
        f"{len(found.hands):,} hands of {cells} cells, worth {total:.3f} wagers in a million rounds; "
        f"hands of splits {splits:+.3f}; in all {both:.3f}"
    )
    console.print(
        f"the best play [bold]{float(found.best_ev):+.6%}[/], {_whose(solution)} {float(found.ev):+.6%}"
    )


def _notes(found: Compared) -> Iterator[str]:
    yield (
        "gain: in units of the wager, when the hand comes up; once in so many rounds that are played by the "
        "chart; and both together in a million rounds."
    )
    if any(not one.chance for one in found.hands):
        yield "led to: the hand comes up after another exception alone, which has its worth."
    if any(one.suits != "-" or "a" in one.hand for one in found.hands):
        yield "a: an ace among the first two cards; in a doubled hand one that counts 1 for good."


# What a chart costs


def costs_as_data(found: Compared) -> Row:
    cells = [
        {"upcard": cell.upcard, "row": cell.row, "chart": cell.says, "best": cell.best, "hands": cell.hands}
        | _numbers(cell)
        for cell in found.cells()
    ]
    return _sums(found) | {"cells": cells, "splits": _splits_as_data(found)}


def show_costs(console: Console, found: Compared) -> None:
    """The cells of a chart that cost most against the best play."""
    cells = found.cells()
    both = MILLION * float(found.difference)
    console.print(
        f"\nThe chart costs [bold]{float(found.difference):.6%}[/] against the best play, "
        f"{float(found.best_ev):+.6%}: {both:,.1f} wagers in a million rounds."
    )
    if not cells and not found.splits:
        return
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("row", "against", "chart", "best"):
        table.add_column(name)
    for name in ("gain", "once in", "in a million"):
        table.add_column(name, justify="right", no_wrap=True)
    for cell in cells[:SHOWN]:
        table.add_row(row_name(cell.row), cell.upcard, *_figures(cell))
    if rest := cells[SHOWN:]:
        worth = MILLION * float(sum(cell.worth for cell in rest))
        table.add_row(f"{len(rest)} more", *[""] * 5, f"{worth:.3f}")
    if found.splits:
        table.add_row("of splits", *[""] * 5, f"{MILLION * float(found.of_splits):.3f}")
    console.print(table)
    console.print(
        "[dim]of splits: how hands of a split are played; in a million: wagers lost in a million rounds. "
        "--json has all cells, --exceptions the hands.[/]"
    )


# By number of cards


def by_cards_as_data(cells: Iterable[CardsCell]) -> Row:
    runs: dict[str, dict[str, list[Row]]] = {}
    notes: list[Row] = []
    for cell in cells:
        found = [{"cards": run.cards, "action": run.action} for run in cell.runs]
        runs.setdefault(cell.upcard, {})[cell.row] = found
        for note in cell.notes:
            named = {"upcard": cell.upcard, "row": cell.row, "hand": note.hand}
            notes.append(named | {"suits": note.suits, "action": note.action})
    return {"chart_by_cards": runs, "suited": notes}


def show_by_cards(console: Console, cells: list[CardsCell], colours: dict[str, str]) -> None:
    columns = sorted({cell.upcard for cell in cells}, key=UPCARDS.index)
    by_place = {(cell.row, cell.upcard): cell for cell in cells}
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True)
    for upcard in columns:
        table.add_column(upcard, min_width=4, no_wrap=True)
    last = ""
    for row in sorted({cell.row for cell in cells}, key=row_order):
        if last and row_order(row)[0] != last:
            table.add_section()
        last = row_order(row)[0]
        shown = (_cell_text(by_place.get((row, upcard)), colours) for upcard in columns)
        table.add_row(row_name(row), *shown)
    console.print(table)
    console.print(f"[dim]{NOTATION}[/]")
    for line in further_notes(cells, "T"):
        console.print(f"+ {line}")
    for line in suited_notes(cells, "T"):
        console.print(f"* {line}")


def _cell_text(cell: CardsCell | None, colours: dict[str, str]) -> str:
    if cell is None:
        return ""
    action = cell.runs[0].action
    text = by_cards_text(cell.runs) if len(cell.runs) > 1 else action.replace("/", "")
    return f"[{colours[action[0]]}]{text}{'*' if cell.notes else ''}[/]"
