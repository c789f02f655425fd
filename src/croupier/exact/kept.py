"""What was found before, kept in the user's folder for what can be made again: expectations, whole answers.

A game is known by its rules, its cards and how split hands are played; the file by the text of the solver, so
that no other release's answers are taken for this one's. Several processes may use it at once. Where it can't
be read or written, nothing is kept, and nobody is the worse for it.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sqlite3
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from types import TracebackType

SOURCE = Path(__file__).parent.parent
SOLVER = ("cards.py", "money.py", "exact/*.py", "game/*.py", "rulebook/*.py")
COMPILERS = ("numba", "numpy")
AT_ONCE = 500  # games that are asked for in one statement, or written in one transaction
PATIENCE = 5.0  # seconds to wait for another process that writes


def folder() -> Path:
    """Where the user's programs keep what can be made again."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(home) if os.path.isabs(home) else Path.home() / ".cache"
    return base / "croupier"


@functools.cache
def text_of(sources: tuple[str, ...] = SOLVER) -> str:
    """A fingerprint of all that a value is made by."""
    hashed = hashlib.sha256()
    for pattern in sources:
        for file in sorted(SOURCE.glob(pattern)):
            hashed.update(file.name.encode() + b"\0" + file.read_bytes())
    for name in COMPILERS:
        hashed.update(metadata.version(name).encode())
    return hashed.hexdigest()


class Kept:
    """What is on file. To be used by the thread that opened it."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file or folder() / f"solved-{text_of()[:16]}.sqlite"
        self._new: dict[str, float] = {}
        self._database: sqlite3.Connection | None = None
        with contextlib.suppress(OSError, sqlite3.Error):
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._database = sqlite3.connect(self.file, timeout=PATIENCE, isolation_level=None)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS solved (game TEXT PRIMARY KEY, ev REAL NOT NULL)"
            )
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS answers (question TEXT PRIMARY KEY, answer BLOB NOT NULL)"
            )

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, where: TracebackType | None) -> None:
        self._write()
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.close()

    def known(self, games: Iterable[str]) -> Mapping[str, float]:
        """What is on file of these games."""
        wanted = list(games)
        found: dict[str, float] = {}
        if self._database is None:
            return found
        with contextlib.suppress(sqlite3.Error):
            for begin in range(0, len(wanted), AT_ONCE):
                some = wanted[begin : begin + AT_ONCE]
                asked = f"SELECT game, ev FROM solved WHERE game IN ({', '.join('?' * len(some))})"
                rows = self._database.execute(asked, some).fetchall()
                found.update({game: ev for game, ev in rows if isinstance(ev, float)})
        return found

    def keep(self, game: str, ev: float) -> None:
        self._new[game] = ev
        if len(self._new) >= AT_ONCE // 10:
            self._write()

    def answer(self, question: str) -> bytes | None:
        """What is on file as the answer to a question."""
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                asked = "SELECT answer FROM answers WHERE question = ?"
                for (found,) in self._database.execute(asked, (question,)):
                    return bytes(found)
        return None

    def keep_answer(self, question: str, answer: bytes) -> None:
        if self._database is not None:
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (question, answer))

    def _write(self) -> None:
        if self._database is None or not self._new:
            return
        try:
            with self._database:
                self._database.execute("BEGIN IMMEDIATE")
                self._database.executemany("INSERT OR REPLACE INTO solved VALUES (?, ?)", self._new.items())
        except sqlite3.Error:
            self._database = None  # a full disk, most likely: nobody should wait for it again
        self._new.clear()
