"""How long `croupier play` and `deal` take to be ready and to answer a key, beside an empty Textual page.

    python bench/terminal.py [times]

Everything is measured through a pseudo-terminal, in turns, so that a busy machine slows all alike; the ratios
to the empty page are what counts. Ready is when the words that are waited for have been written; an answer is
the first thing that is written after a key. As after an installation, everything is compiled: a first turn
is thrown away.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pexpect

from croupier.rulebook import load
from croupier.rulebook.housefile import write_house_file

EMPTY = """
from textual.app import App
from textual.widgets import Input, Static
class Empty(App):
    def compose(self):
        yield Static("ready", id="text")
    def on_key(self, event):
        self.query_one("#text").update(event.key * 20)
Empty().run()
"""
PLAY = ("-m", "croupier", "play", "--no-save", "--fast", "--seed", "3")
DEAL = ("-m", "croupier", "deal", "act-blackjack-2003", "--house")
Started = tuple[float, pexpect.spawn]


def started(words: str, *args: str) -> Started:
    """A program at a terminal of its own, and the seconds until these words were written."""
    env = {**os.environ, "TERM": "xterm-256color", "XDG_STATE_HOME": tempfile.gettempdir()}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    begin = time.perf_counter()
    process = pexpect.spawn(
        sys.executable, list(args), env=env, dimensions=(24, 80), encoding="utf-8", timeout=60
    )
    process.delaybeforesend = None
    process.expect_exact(words)
    return time.perf_counter() - begin, process


def key(process: pexpect.spawn, pressed: str) -> float:
    """The seconds until something is written after a key."""
    quiet(process)
    begin = time.perf_counter()
    process.send(pressed)
    process.read_nonblocking(1, timeout=10)
    return time.perf_counter() - begin


def quiet(process: pexpect.spawn, seconds: float = 0.3) -> None:
    """Read until nothing has been written for a while."""
    while True:
        try:
            process.read_nonblocking(65536, timeout=seconds)
        except pexpect.TIMEOUT:
            return


def ready(words: str, *args: str) -> Callable[[], float]:
    def measure() -> float:
        seconds, process = started(words, *args)
        process.close(force=True)
        return seconds

    return measure


def keys(words: str, typed: str, pressed: str, *args: str) -> Callable[[], float]:
    """The median answer to some keys, after what was typed first."""

    def measure() -> float:
        _, process = started(words, *args)
        for one in typed:
            quiet(process)
            process.send(one)
        found = [key(process, one) for one in pressed]
        process.close(force=True)
        return statistics.median(found)

    return measure


def measured(house: Path) -> dict[str, Callable[[], float]]:
    return {
        "empty page, ready": ready("ready", "-c", EMPTY),
        "play, ready": ready("Your", *PLAY),
        "deal, ready": ready("next:", *DEAL, str(house)),
        "play --plain, ready": ready("Your bet", *PLAY, "--plain"),
        "empty page, a key": keys("ready", "", "abcabc", "-c", EMPTY),
        "play, a key": keys("Your", "10\r", "?w?w?w", *PLAY),
        "play, a decision": keys("Your", "10\r", "s", *PLAY),
        "play --coach, a key": keys("Your", "10\r", "?w?w?w", *PLAY, "--coach"),
        "play --coach, a decision": keys("Your", "10\r", "s", *PLAY, "--coach"),
        "deal, a key": keys("next:", "", "seat 1", *DEAL, str(house)),
        "deal, a line": keys("next:", "", "\r", *DEAL, str(house)),
    }


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    book = load("act-blackjack-2003")
    with tempfile.TemporaryDirectory() as folder:
        house = Path(folder) / "house.toml"
        house.write_text(write_house_file(book, book.demonstration), "utf-8")
        turns = measured(house)
        found: dict[str, list[float]] = {name: [] for name in turns}
        for _ in range(times + 1):
            for name, measure in turns.items():
                found[name].append(measure())
    middle = {name: statistics.median(seconds[1:]) for name, seconds in found.items()}
    for name, seconds in middle.items():
        empty = middle["empty page, ready" if name.endswith("ready") else "empty page, a key"]
        print(f"{name:<26} {1000 * seconds:8.1f} ms {seconds / empty:6.2f} x the empty page")


if __name__ == "__main__":
    main()
