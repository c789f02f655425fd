"""A run kept in a file while it goes on. A disk that is full ends no run: what was kept before stands."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.output import remark, write_file
from croupier.errors import ParseError

if TYPE_CHECKING:
    from croupier.simulate import Game, Tally

KEPT_EVERY = 5.0  # seconds


class Keeper:
    """Writes the newest tally of a game now and then, marked as partial, and the last one at the end."""

    def __init__(self, file: Path | None, game: Game, outside: tuple[str, ...]) -> None:
        self.file = file
        self.problem = ""
        self._game, self._outside = game, outside
        self._newest: Tally | None = None
        self._written = time.monotonic()

    def begin(self) -> Tally:
        """What the file has of this game; a ParseError if it has something else."""
        from croupier.simulate import kept

        if self.file is not None and self.file.exists():
            self._newest = kept.read(self.file, self._game)
        return self._newest or self._game.nothing()

    def __call__(self, tally: Tally) -> None:
        self._newest = tally
        if time.monotonic() - self._written > KEPT_EVERY:
            told = self.problem
            self._write(partial=True)
            if self.problem and not told:
                remark(f"{self.problem}; the run goes on")

    def end(self, *, partial: bool) -> None:
        self._write(partial=partial)

    def _write(self, *, partial: bool) -> None:
        from croupier.simulate import kept

        if self.file is None or self._newest is None:
            return
        content = kept.written(self._game, self._newest, partial=partial, outside=self._outside)
        try:
            write_file(self.file, content, force=True)
            self.problem = ""
        except ParseError as error:
            self.problem = f"{error}; what it held before stands" if self.file.exists() else str(error)
        self._written = time.monotonic()
