"""How fast a database acknowledges requests, and how many a commit takes.

Tables ask as fast as they are answered, a request each at a time, each written with the disk before it is
answered. Beside it, in the same directory and turn by turn: one write to a file that waits for the disk,
which no commit can undercut.

    python bench/database.py [DIRECTORY or postgresql://…] [REQUESTS]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from queue import SimpleQueue

from croupier.house.database import Database, KeptTable
from croupier.rulebook import load
from croupier.table import commands as cmd
from croupier.table.actors import player

P1 = player("p1")
TABLES = (1, 15, 70)
ASKER = "bench"


def bare(directory: Path, times: int = 200) -> list[float]:
    """Seconds of one small write that is with the disk."""
    taken = []
    with (directory / "bare").open("wb", buffering=0) as file:
        for _ in range(times):
            began = time.perf_counter()
            file.write(b"x" * 4096)
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - began)
    return taken


def opened(database: Database, count: int) -> list[KeptTable]:
    book = load("act-blackjack-2003")
    return [database.tables.new(book, book.demonstration, name=f"Table {n}") for n in range(count)]


def ask_all(tables: list[KeptTable], requests: int) -> tuple[float, list[float]]:
    """Every table asks again when it is answered; seconds in all, and of each request."""
    ready: SimpleQueue[int] = SimpleQueue()
    began, asked, taken = [0.0] * len(tables), [0] * len(tables), []

    def done(number: int, error: Exception | None) -> None:
        assert error is None, error
        taken.append(time.perf_counter() - began[number])
        ready.put(number)

    for number in range(len(tables)):
        ready.put(number)
    start = time.perf_counter()
    for _ in range(requests):
        number = ready.get()
        began[number], asked[number] = time.perf_counter(), asked[number] + 1
        _ask(tables[number], asked[number], lambda error, number=number: done(number, error))  # type: ignore[misc]
    while len(taken) < requests:
        ready.get()
    return time.perf_counter() - start, sorted(taken)


def _ask(table: KeptTable, number: int, done: object) -> None:
    """Somebody sits down, or gets up again."""
    assert table.answered(ASKER, str(number)) is None
    with table.request(ASKER, str(number)) as request:
        request.give(cmd.Sit(box=1) if number % 2 else cmd.Leave(box=1), P1)
    request.send(b"done", done)  # type: ignore[arg-type]


def main(where: str, requests: int) -> None:
    database = Database.open(where)
    beside = Path(where) if "://" not in where else Path(tempfile.mkdtemp())
    print("tables requests/s commits/s a commit  p50 ms  p99 ms bare ms")
    for count in TABLES:
        tables = opened(database, count)
        disk = sorted(bare(beside))
        commits, items = database.writer.commits, database.writer.items
        seconds, taken = ask_all(tables, requests if count > 1 else requests // 10)
        commits, items = database.writer.commits - commits, database.writer.items - items
        print(
            f"{count:6} {items / seconds:10,.0f} {commits / seconds:9,.0f} {items / commits:8.1f} "
            f"{1000 * taken[len(taken) // 2]:7.2f} {1000 * taken[len(taken) * 99 // 100]:7.2f} "
            f"{1000 * disk[len(disk) // 2]:7.2f}"
        )
    database.close()


if __name__ == "__main__":
    main(
        sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(),
        int(sys.argv[2]) if len(sys.argv) > 2 else 10_000,
    )
