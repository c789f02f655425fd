"""What commands print and write: nothing deceives a screen, and no file is lost."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NoReturn

import rich.console
from rich.segment import Segment
from rich.text import Text

from croupier.errors import ParseError
from croupier.printable import visible
from croupier.whole import whole

MIN_WIDTH = 20
INTERRUPTED = 130  # the exit status of what somebody ended at the keyboard


class Console(rich.console.Console):
    """A console that shows what its text holds, and ends quietly when nobody reads on."""

    def __init__(self, *, stderr: bool = False, pager: IO[str] | None = None) -> None:
        """`pager`: where a person reads page by page, as on a terminal."""
        super().__init__(
            highlight=False, emoji=False, stderr=stderr, file=pager, force_terminal=True if pager else None
        )

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        shown = (part if part.control else Segment(visible(part.text), part.style) for part in buffer)
        return super()._render_buffer(shown)

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError

    def print_hanging(self, head: Text, body: Text) -> None:
        """A line of its own in a file; on a terminal what does not fit goes on below, behind the head."""
        lines: Iterable[Text] = [body]
        if self.is_terminal:
            lines = body.wrap(self, max(self.width - head.cell_len, MIN_WIDTH))
        for line in lines:
            line.rstrip()
            self.print(head + line, soft_wrap=True)
            head = Text(" " * head.cell_len)


@contextmanager
def pages() -> Iterator[Console]:
    """A console that goes through the reader's pager where a person reads, as git's output does.

    PAGER names another than `less`; an empty one is none.
    """
    command = shlex.split(os.environ.get("PAGER", "less"))
    if not sys.stdout.isatty() or not command or shutil.which(command[0]) is None:
        yield Console()
        return
    # Less ends by itself where everything fits on the screen, and shows colours.
    env = {"LESS": "FRX", **os.environ}
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the pager's
    try:
        with (
            suppress(BrokenPipeError),  # whoever reads has seen enough
            subprocess.Popen(command, stdin=subprocess.PIPE, env=env, encoding="utf-8") as pager,
        ):
            yield Console(pager=pager.stdin)
    finally:
        signal.signal(signal.SIGINT, before)


def print_text(text: str) -> None:
    print(visible(text))


def print_json(value: object) -> None:
    """One line of JSON, plain ASCII where a letter could deceive."""
    text = json.dumps(value, ensure_ascii=False)
    print(text if visible(text) == text else json.dumps(value))


def require_place(path: Path, *, force: bool = False) -> None:
    """Nobody should wait for what has no place to go, and no file is written over unless it is to be."""
    folder = path.absolute().parent
    if path.is_file() and not force:
        raise ParseError(f"{path}: exists; --force writes over it")
    if path.is_dir():
        raise ParseError(f"{path}: cannot be written: it is a directory")
    if not folder.is_dir():
        raise ParseError(f"{path}: cannot be written: there is no such directory")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise ParseError(f"{path}: cannot be written: permission denied")


def write_file(path: Path, content: str | bytes, *, force: bool = False) -> None:
    """Write a file, whole or not at all."""
    require_place(path, force=force)
    try:
        if path.exists() and not path.is_file():  # a pipe or a device
            _write(path, content)
            return
        with whole(path) as beside:
            _write(beside, content)
    except OSError as error:
        raise ParseError(f"{path}: cannot be written: {error.strerror}") from None


def _write(path: Path, content: str | bytes) -> None:
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content, "utf-8")


def remark(what: str) -> None:
    """Say something on standard error, apart from what is asked for."""
    print(visible(what), file=sys.stderr, flush=True)
