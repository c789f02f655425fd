"""What the commands that solve games share: their options read, progress told."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from croupier.cli.output import Console, remark
from croupier.errors import ParseError

if TYPE_CHECKING:
    from croupier.exact.kept import Kept
    from croupier.exact.records import PostSplit

INFINITE = "inf"
MOST_DECKS = 100
LINE_EVERY = 10.0  # seconds
POST_SPLIT = ("cdz", "cdp", "total", "cards")


def parse_decks(text: str) -> int | None:
    """A number of decks, or None for packs without end."""
    if text == INFINITE:
        return None
    if not re.fullmatch("[0-9]{1,3}", text) or not 1 <= int(text) <= MOST_DECKS:
        raise ParseError(f"--decks {text}: write a number from 1 to {MOST_DECKS}, or {INFINITE}")
    return int(text)


def parse_post_split(text: str) -> PostSplit:
    if text not in POST_SPLIT:
        raise ParseError(f"--post-split {text}: write cdz, cdp, total or cards")
    return cast("PostSplit", text)


def parse_wager(text: str) -> Fraction | None:
    """A wager in dollars, if one is given."""
    if text and not re.fullmatch(r"[0-9]{1,7}(\.[0-9]{1,2})?", text):
        raise ParseError(f"--wager {text}: write dollars, as 25 or 12.50")
    return Fraction(text) if text else None


def read_chart(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise ParseError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ParseError(f"{path}: is not text") from None


def announce() -> None:
    """Say on standard error if the solver must be compiled first."""
    from croupier.exact.arithmetic import announce_compilation

    announce_compilation(remark)


@contextmanager
def keeping(*, no_cache: bool) -> Iterator[Kept | None]:
    """What was solved before, unless it is not to be used."""
    from croupier.exact.kept import Kept

    if no_cache:
        yield None
        return
    with Kept() as kept:
        yield kept


class Rate(ProgressColumn):
    """How many are solved in a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


@contextmanager
def solving_progress(
    of: str = "games", *, quiet: bool = False, lines: bool = False
) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal; where there is none nothing, or a line now and then."""
    console = Console(stderr=True)
    if not quiet and console.is_terminal:
        with solving_bar(of, console) as progress:
            task = progress.add_task("", total=None)
            yield lambda done, total: progress.update(task, completed=done, total=total)
    else:
        yield Lines(of) if lines and not quiet else None


def solving_bar(of: str, console: Console) -> Progress:
    columns = TextColumn("Solving"), BarColumn(), MofNCompleteColumn(), TextColumn(of)
    return Progress(*columns, Rate(), TimeRemainingColumn(), console=console, transient=True)


class Lines:
    """Progress as lines, for whoever reads them later."""

    def __init__(self, of: str) -> None:
        self._of = of
        self._last, self._done = time.monotonic(), 0

    def __call__(self, done: int, total: int) -> None:
        seconds = time.monotonic() - self._last
        if seconds < LINE_EVERY:
            return
        rate = (done - self._done) / seconds
        self._last, self._done = time.monotonic(), done
        remark(f"{done:,} of {total:,} {self._of}, {rate:.1f}/s, {(total - done) / rate:.0f} s left")
