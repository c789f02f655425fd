"""`croupier solve --grid`: every combination of some settings solved, as a table or a file that grows.

A file holds one row a game, and every row says what was asked for: the same command goes on with it, and a
file of anything else is refused.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
import time
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

import croupier
from croupier.cli.output import INTERRUPTED, Console, pages, print_json, remark, require_place, write_file
from croupier.cli.solving import announce, keeping, parse_decks, parse_post_split, solving_progress
from croupier.errors import ParseError, RulebookError
from croupier.report.tabular import SUFFIXES, require_writable, rows_to
from croupier.report.text import DIGITS
from croupier.rulebook import Rulebook, load
from croupier.rulebook.pairs import read_pair
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.study import Study, study

if TYPE_CHECKING:
    from croupier.exact.common import Common
    from croupier.exact.kept import Kept
    from croupier.exact.many import Game

Row = dict[str, Any]
Values = tuple[str, ...]
GridSettings = Annotated[
    tuple[str, ...],
    Parameter(
        name="--grid",
        consume_multiple=True,
        negative="",
        show_default=False,
        help="Solve every combination of settings, as decks=1,2,6 soft_17=stand,hit; values that have commas "
        "themselves are divided by |, as 'unsplittable=none|4,5,10'.",
    ),
]
Output = Annotated[
    Path | None,
    Parameter(
        name="--output",
        help="With --grid: write the games to this .csv, .parquet or .json file as they are solved, "
        "and go on with one that is there.",
    ),
]
MOST_GAMES = 100_000
AT_ONCE = 500  # games that are made ready for the solver
WRITTEN_EVERY = 5.0  # seconds, or so many times those that it took
FOUND: dict[str, type] = {
    "ev": float,
    "house_edge": float,
    "outside_the_law": str,
    "refused": str,
    "rules_hash": str,
}


def solve_grid(
    rulebook: str,
    words: Values,
    decks: str,
    settings: Values,
    *,
    post_split: str,
    output: Path | None,
    no_cache: bool,
    force: bool,
    json: bool,
) -> int:
    grid = Grid(load(rulebook), words, decks, settings, post_split)
    if output is not None:
        _require_file(output)
    before = _read(output, grid) if output is not None and output.exists() and not force else {}
    announce()
    begin = time.perf_counter()
    rows = GridFile(output, grid, before)
    try:
        with keeping(no_cache=no_cache) as kept, solving_progress(lines=True) as told:
            for place, row in _solved(grid, before, kept):
                rows.add(place, row)
                if told:
                    told(len(rows.found), grid.size)
        partial = False
    except KeyboardInterrupt:
        partial = True
    rows.write()
    seconds = time.perf_counter() - begin
    if json:
        print_json(_as_data(grid, rows.ordered()) | {"partial": partial, "seconds": round(seconds, 3)})
    else:
        _show(grid, rows.ordered(), None if rows.problem else output, seconds)
    if partial:
        goes_on = "; the same command goes on" if output or not no_cache else ""
        remark(f"interrupted, after {len(rows.found):,} of {grid.size:,} games{goes_on}")
        return INTERRUPTED
    if rows.problem:
        raise ParseError(rows.problem)
    return 0


# What is asked for


class Grid:
    """The settings that change, those that do not, and every combination by its place."""

    def __init__(self, book: Rulebook, words: Values, decks: str, settings: Values, post_split: str) -> None:
        self.book = book
        self.post_split = parse_post_split(post_split)
        self.axes = dict(_axis(word) for word in words)
        self.fixed = dict(read_pair(pair) for pair in settings)
        if decks:
            self.fixed["decks"] = decks
        names = [read_pair(word)[0] for word in (*words, *settings)] + ["decks"] * bool(decks)
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise ParseError(f"--grid: {twice} is set twice")
        self.size = math.prod(map(len, self.axes.values()))
        if self.size > MOST_GAMES:
            raise ParseError(f"--grid: {self.size:,} games; {MOST_GAMES:,} are the most")
        self._check_words()

    def _check_words(self) -> None:
        """A slip is refused at once; what the rules do not allow together is said of each game."""
        for name, values in self.axes.items():
            for value in values:
                try:
                    self.study({name: value})
                except RulebookError:
                    continue

    @property
    def columns(self) -> dict[str, type]:
        names = ["rulebook", "version", "post_split", *self.fixed, *self.axes]
        return dict.fromkeys(names, str) | FOUND

    def combinations(self) -> Iterator[Values]:
        """The values of each game, the last setting changing fastest."""
        return product(*self.axes.values())

    def study(self, changed: dict[str, str]) -> Study:
        chosen = self.fixed | changed
        number = parse_decks(chosen["decks"]) if "decks" in chosen else None
        pairs = [f"{name}={value}" for name, value in chosen.items() if name != "decks"]
        return study(self.book, pairs, number)

    def game(self, values: Values) -> tuple[Study, Game]:
        from croupier.exact.many import Game

        changed = dict(zip(self.axes, values, strict=True))
        found = self.study(changed)
        decks = (self.fixed | changed).get("decks", str(found.rules.house.decks))
        return found, Game(found.rules, parse_decks(decks), self.post_split)

    def row(self, values: Values) -> Row:
        """What is asked for, as the beginning of a row."""
        asked = {"rulebook": self.book.id, "version": croupier.__version__, "post_split": self.post_split}
        return asked | self.fixed | dict(zip(self.axes, values, strict=True))


def _axis(word: str) -> tuple[str, Values]:
    name, text = read_pair(word)
    values = tuple(dict.fromkeys(text.split("|" if "|" in text else ",")))
    if not all(values):
        raise ParseError(f"--grid {word}: a value is missing; write name=value,value")
    return name, values


# Solving


def _solved(grid: Grid, before: dict[Values, Row], kept: Kept | None) -> Iterator[tuple[Values, Row]]:
    """Every game that has no row yet, as it is solved."""
    from croupier.exact.common import Common

    common, wanted = Common(), _scattered(values for values in grid.combinations() if values not in before)
    for begin in range(0, len(wanted), AT_ONCE):
        yield from _solved_together(grid, wanted[begin : begin + AT_ONCE], kept, common)


def _solved_together(
    grid: Grid, some: list[Values], kept: Kept | None, common: Common
) -> Iterator[tuple[Values, Row]]:
    from croupier.exact.many import expectations

    games: dict[Values, Game] = {}
    rows: dict[Values, Row] = {}
    for values in some:
        row = grid.row(values) | dict.fromkeys(FOUND)
        try:
            studied, games[values] = grid.game(values)
        except (ParseError, RulebookError) as error:
            yield values, row | {"refused": str(error)}
            continue
        departures = "; ".join(map(str, studied.departures))
        rows[values] = row | {"outside_the_law": departures, "rules_hash": rules_hash(studied.rules)}
    for values, found in expectations(games, kept, common):
        if isinstance(found, float):
            yield values, rows[values] | {"ev": round(found, DIGITS), "house_edge": round(-found, DIGITS)}
        else:
            yield values, rows[values] | {"refused": str(found)}


def _scattered(combinations: Iterable[Values]) -> list[Values]:
    """In an order in which neighbours, which have most in common, are not solved side by side."""
    return sorted(combinations, key=lambda values: hashlib.blake2b(repr(values).encode()).digest())


# The file


class GridFile:
    """The rows that there are, written whole now and then. A full disk ends nothing: the file stands."""

    def __init__(self, file: Path | None, grid: Grid, before: dict[Values, Row]) -> None:
        self.file = file
        self.grid = grid
        self.found = dict(before)
        self.problem = ""
        self._next = time.monotonic() + WRITTEN_EVERY

    def add(self, values: Values, row: Row) -> None:
        self.found[values] = row
        if time.monotonic() > self._next:
            told = self.problem
            self.write()
            if self.problem and not told:
                remark(f"{self.problem}; solving goes on")

    def ordered(self) -> list[Row]:
        return [self.found[values] for values in self.grid.combinations() if values in self.found]

    def write(self) -> None:
        if self.file is None:
            return
        begin = time.monotonic()
        try:
            if self.file.suffix == ".json":
                text = json.dumps(self.ordered(), ensure_ascii=False, indent=1)
                write_file(self.file, text + "\n", force=True)
            else:
                with rows_to(self.file, self.grid.columns) as take:
                    for row in self.ordered():
                        take(row)
            self.problem = ""
        except ParseError as error:
            self.problem = str(error)
        end = time.monotonic()
        self._next = end + WRITTEN_EVERY * max(1.0, end - begin)


def _require_file(file: Path) -> None:
    """Nobody should wait for rows that cannot be written."""
    require_place(file, force=True)
    if file.suffix == ".parquet":
        require_writable(file)
    if file.suffix not in (*SUFFIXES, ".json"):
        raise ParseError(f"{file}: a grid is written to a file that ends in .csv, .parquet or .json")


def _read(file: Path, grid: Grid) -> dict[Values, Row]:
    """The rows of a file, if it is one of this grid; games that could not be solved are tried again."""
    try:
        columns, rows = _rows(file)
    except (OSError, ValueError, KeyError) as error:
        raise ParseError(f"{file}: is no grid: {error}") from None
    other = f"{file}: holds other games than are asked for; name another file, or --force writes over it"
    wanted = set(grid.combinations())
    found = {}
    for names in (columns, *rows):
        if names and set(names) != grid.columns.keys():
            raise ParseError(f"{other} (its columns are {', '.join(map(str, names))})")
    for row in rows:
        values = tuple(row[name] for name in grid.axes)
        asked = grid.row(values)
        if differs := next((name for name in asked if row[name] != asked[name]), ""):
            raise ParseError(f"{other} ({differs} = {row[differs]})")
        if values not in wanted:
            which = ", ".join(f"{name} = {row[name]}" for name in grid.axes)
            raise ParseError(f"{other} ({which})")
        if row["ev"] is None or row["house_edge"] is None:
            continue
        if not _is_edge(row["ev"], row["house_edge"]):
            edges = f"its ev is {row['ev']!r}, its house_edge {row['house_edge']!r}"
            raise ParseError(f"{file}: is no grid: {edges}")
        found[values] = row
    if found:
        values, row = next(iter(found.items()))
        if row["rules_hash"] != rules_hash(grid.study(dict(zip(grid.axes, values, strict=True))).rules):
            raise ParseError(f"{other} (the rulebook has changed)")
    return found


def _is_edge(ev: Any, edge: Any) -> bool:
    return isinstance(ev, float) and isinstance(edge, float) and math.isfinite(ev) and edge == -ev


def _rows(file: Path) -> tuple[Iterable[str], list[Row]]:
    """The columns that a file names by themselves, if any, and its rows."""
    if file.suffix == ".parquet":
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(file)
        return table.column_names, table.to_pylist()
    text = file.read_text("utf-8")
    if file.suffix == ".json":
        found = json.loads(text)
        if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
            raise ValueError("a list of rows is expected")
        return (), found
    rows = csv.DictReader(text.splitlines())
    return rows.fieldnames or (), [
        row | {name: kind(row[name]) if row[name] else None for name, kind in FOUND.items() if name in row}
        for row in rows
    ]


# Shown


def _as_data(grid: Grid, rows: list[Row]) -> Row:
    return {
        "rulebook": grid.book.id,
        "post_split": grid.post_split,
        "version": croupier.__version__,
        "settings": grid.fixed,
        "games": [{name: row[name] for name in (*grid.axes, *FOUND)} for row in rows],
    }


def _show(grid: Grid, rows: list[Row], output: Path | None, seconds: float) -> None:
    if output is not None:
        _show_summary(Console(), grid, rows, output, seconds)
        return
    with pages() as console:
        table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
        for name in grid.axes:
            table.add_column(escape(name))
        table.add_column("house edge", justify="right", no_wrap=True)
        table.add_column("")
        for row in rows:
            edge = "" if row["ev"] is None else f"{row['house_edge']:+.6%}"
            note = f"[red]{escape(row['refused'])}[/]" if row["refused"] else ""
            if not note and row["outside_the_law"]:
                note = f"[yellow]outside the law: {escape(row['outside_the_law'])}[/]"
            table.add_row(*(escape(row[name]) for name in grid.axes), edge, note)
        fixed = "".join(f", {name} = {value}" for name, value in grid.fixed.items())
        console.print(f"[bold]{escape(grid.book.title)}[/]{escape(fixed)}")
        console.print(table)
        console.print(f"[dim]{len(rows):,} games, {seconds:.1f} s[/]")


def _show_summary(console: Console, grid: Grid, rows: list[Row], output: Path, seconds: float) -> None:
    solved = [row for row in rows if row["ev"] is not None]
    refused = f", {len(rows) - len(solved):,} refused" if len(rows) > len(solved) else ""
    console.print(f"{len(solved):,} games are in {escape(str(output))}{refused}; {seconds:.1f} s.")
    if not solved:
        return
    for title, which in (("best for the player", max), ("best for the house", min)):
        row = which(solved, key=lambda row: row["ev"])
        settings = ", ".join(f"{name} = {row[name]}" for name in grid.axes)
        console.print(f"  {title}: house edge {row['house_edge']:+.6%} with {escape(settings)}")
