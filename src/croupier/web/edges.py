"""The house edge of every game that is played here, by the solver.

Whoever asks is told what is known and waits for nothing. What is not known is found meanwhile, one game
after another, in a process of its own and at the lowest priority: on file, if it was solved here before, or
else by the solver, which takes a second where its kernels are compiled and some more where they are not.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from typing import Any

import msgspec

from croupier.exact.kept import Kept
from croupier.exact.many import Game, expectations
from croupier.rulebook import Rules
from croupier.rulebook.plain import fingerprint, rules_from, what_is_set

log = logging.getLogger("croupier.web")
POLITENESS = 19  # the most there is


class Edges:
    """What the solver has found so far, by game; tables with the same rules share it."""

    def __init__(self) -> None:
        self._names: dict[tuple[int, int], tuple[Rules, str]] = {}
        self._found: dict[str, float | None] = {}
        self._wanted: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self._solving: asyncio.Task[None] | None = None

    def of(self, rules: Rules, decks: int) -> float | None:
        """The house's edge on the main wager at best play; None while it is not known."""
        key = id(rules), decks
        if key not in self._names:
            self._names[key] = rules, self._ask(rules, decks)
        return self._found.get(self._names[key][1])

    def _ask(self, rules: Rules, decks: int) -> str:
        game = {"rules": what_is_set(rules), "decks": decks}
        name = fingerprint(game)
        if name not in self._found:
            self._found[name] = None
            self._wanted.put_nowait((name, msgspec.json.encode(game)))
        if self._solving is None:
            self._solving = asyncio.get_running_loop().create_task(self._solve_all(), name="house edges")
        return name

    async def _solve_all(self) -> None:
        while True:
            name, game = await self._wanted.get()
            self._found[name] = await _solved_apart(game)

    async def close(self) -> None:
        if self._solving is not None:
            self._solving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._solving


async def _solved_apart(game: bytes) -> float | None:
    """The edge of a game from another process; None where it has no answer."""
    pipe = asyncio.subprocess.PIPE
    command = [sys.executable, "-m", __name__]
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=pipe)
    try:
        said, errors = await process.communicate(game)
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        log.warning("a house edge was not found: %s", errors.decode(errors="replace").strip()[-500:])
        return None
    return float(said)


def solved(game: dict[str, Any]) -> float:
    """The house's edge, which is kept on file. Why there is none is raised."""
    with Kept() as kept:
        [(_, found)] = expectations({"": Game(rules_from(game["rules"]), game["decks"])}, kept)
    if not isinstance(found, float):
        raise found
    return -found


if __name__ == "__main__":
    os.nice(POLITENESS)
    print(solved(msgspec.json.decode(sys.stdin.buffer.read())))
