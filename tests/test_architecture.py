"""The shape of the package: imports go one way, files stay readable, clauses stand for something."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from croupier.rulebook import NAMES, load
from croupier.table import HANDLERS, STEPS
from croupier.table import commands as cmd
from croupier.table import events as ev

SOURCE = Path(__file__).parent.parent / "src" / "croupier"
FLOORS = [
    "errors",
    "cards",
    "money",
    "printable",
    "threads",
    "whole",
    "release",
    "rulebook",
    "game",
    "table",
    "story",
    "record",
    "conductor",
    "cases",
    "exact",
    "simulate",
    "report",
    "house",
    "environments",
    "web",
    "cli",
]
FILES = sorted(SOURCE.rglob("*.py"))


# Inside a room too: each file asks only those before it.
ROOMS = {
    "game": ["hand", "offers", "moves", "dealer", "paytables", "pay"],
    "table": [
        *("actors", "state", "commands", "events", "dealer", "position", "chips", "evolve", "opening", "run"),
        *("offers", "shoe", "sidebets", "conduct", "settle", "wagers", "supervise", "turns", "deal", "lines"),
        *("play", "reconstruct", "contents", "text", "legal", "waiting", "view", "again", "shorthand"),
    ],
    "record": ["chain", "line", "standing", "log", "told", "replay", "store", "file"],
    "web": [
        *(
            "release",
            "pages",
            "files",
            "frames",
            "telling",
            "awaiting",
            "preparing",
            "showing",
            "choosing",
            "trying",
            "asking",
            "waits",
            "stopwatch",
            "opened",
            "bots",
            "chart",
            "edges",
            "floor",
        ),
        *("access", "people", "tables", "orders", "laws", "rounds", "socket", "app", "server"),
    ],
    "environments": ["questions", "seats", "single", "several", "steps", "vector"],
    "house": [
        *(
            "clock",
            "shoefile",
            "shoes",
            "sampled",
            "tables",
            "settings",
            "players",
            "wish",
            "due",
            "confirm",
            "evening",
            "rounds",
            "coach",
            "coaching",
            "database",
        ),
    ],
    "house/database": [
        *("schema", "connect", "writer", "prepared", "ledger", "staged", "tables", "people"),
        "database",
    ],
}


def imported(file: Path) -> set[str]:
    """The modules of the package that a file imports, by their dotted names without `croupier`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {part.name for part in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{part.name}" for part in node.names)}
    return {name.removeprefix("croupier.") for name in names if name.startswith("croupier.")}


@pytest.mark.parametrize(
    "file", [file for file in FILES if file.parent != SOURCE or file.stem in FLOORS], ids=str
)
def test_imports_go_one_way(file: Path) -> None:
    own = file.relative_to(SOURCE).parts[0].removesuffix(".py")
    for name in imported(file):
        other = name.split(".")[0]
        if other in FLOORS:
            assert FLOORS.index(other) <= FLOORS.index(own), f"{own} imports {name}"
        else:
            assert other.startswith("__"), f"{own} imports {name}, which has no floor"


@pytest.mark.parametrize(
    ("room", "file"),
    [(room, file) for room in ROOMS for file in FILES if SOURCE / room in file.parents],
    ids=str,
)
def test_imports_go_one_way_inside_a_room(room: str, file: Path) -> None:
    order, inside = ROOMS[room], f"{room.replace('/', '.')}."
    own = file.relative_to(SOURCE / room).parts[0].removesuffix(".py")
    if own in ("__init__", "migrations"):
        return
    for name in imported(file):
        part = name.removeprefix(inside).split(".")[0]
        if name.startswith(inside) and part in order:
            assert order.index(part) <= order.index(own), f"{room}.{own} imports {name}"


FORBIDDEN_BELOW_THE_HOUSE = {"random", "secrets", "time", "socket", "asyncio", "threading", "urllib"}


@pytest.mark.parametrize("file", FILES, ids=str)
def test_no_clock_no_network_no_chance_below_the_house(file: Path) -> None:
    if file.relative_to(SOURCE).parts[0] in ("house", "web", "cli"):
        return
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            assert not FORBIDDEN_BELOW_THE_HOUSE & {name.name for name in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.module not in FORBIDDEN_BELOW_THE_HOUSE


@pytest.mark.parametrize("file", FILES, ids=str)
def test_files_stay_readable(file: Path) -> None:
    assert len(file.read_text().splitlines()) <= 650


def test_every_command_has_a_handler_and_every_event_a_meaning() -> None:
    assert set(HANDLERS) == set(cmd.KINDS.values())
    assert set(STEPS) == set(ev.KINDS.values())


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_stands_for_something(name: str) -> None:
    book = load(name)
    for clause in book.clauses:
        parts = [other for other in book.clauses if other is not clause and other.is_named(clause.number)]
        assert clause.sets or clause.grounds or clause.deletes or parts or clause.obeyed == "outside", (
            clause.citation
        )
