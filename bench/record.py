"""How fast a record is written, and how fast it is replayed.

Lines are appended to a file as a table writes them, each sealed and handed to the system. Replay is timed
against bare `advance` over the same commands, and reading the file by itself; all run in this process, turn
by turn, so that the ratios mean something on a noisy machine.

    python bench/record.py [RULEBOOK] [ROUNDS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from table import P1, conduct

from croupier.conductor import Conductor
from croupier.errors import Refused
from croupier.house.clock import now
from croupier.house.shoes import VirtualShoe
from croupier.record import Log, LogWriter, header_for, read_log, replay
from croupier.rulebook import Rulebook, load
from croupier.table import State, advance, open_state
from croupier.table import commands as cmd

REPEATS = 5


def evening(book: Rulebook, path: Path, rounds: int) -> None:
    """Some rounds of simple play, stamped with the time."""
    boxes = book.rules.boxes_needed
    rules = book.rules_for(book.demonstration)
    store = LogWriter.create(path, header_for(book, rules, book.demonstration))
    table = Conductor(open_state(rules), store, VirtualShoe(seed=1), clock=now)
    for box in range(1, boxes + 1):
        table.give(cmd.Sit(box=box), P1)
    conduct(table, rounds, boxes)
    table.close()


def append(log: Log, path: Path) -> None:
    """The lines of a log once more, into a new file."""
    path.unlink(missing_ok=True)
    store = LogWriter.create(path, log.header)
    for line in log.lines:
        store.append(line)
    store.close()


def barely(log: Log) -> State:
    """The commands decided, and no more."""
    state = log.initial_state()
    for entry in log.entries:
        try:
            state, _ = advance(state, entry.command, entry.by)
        except Refused:
            continue
    return state


def timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def main() -> None:
    book = load(sys.argv[1] if len(sys.argv) > 1 else "act-blackjack-2003")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory() as folder:
        path, copy = Path(folder) / "evening.log", Path(folder) / "copy.log"
        evening(book, path, rounds)
        log = read_log(path)
        acts = {
            "append": lambda: append(log, copy),
            "read": lambda: read_log(path),
            "advance": lambda: barely(log),
            "replay": lambda: replay(log),
        }
        best = dict.fromkeys(acts, float("inf"))
        for _ in range(REPEATS):
            best = {name: min(best[name], timed(act)) for name, act in acts.items()}
        size = path.stat().st_size
    lines = len(log.lines)
    print(f"{book.id}, {lines:,} lines of {size / lines:.0f} bytes, best of {REPEATS}, one core")
    print(f"  {lines / best['append']:10,.0f} lines a second appended")
    print(f"  {lines / best['read']:10,.0f} lines a second read, the chain verified")
    print(f"  {lines / best['advance']:10,.0f} lines a second by bare advance")
    print(f"  {lines / best['replay']:10,.0f} lines a second replayed")
    print(f"  {best['replay'] / best['advance']:10.2f} times the time of advance")


if __name__ == "__main__":
    main()
