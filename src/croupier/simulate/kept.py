"""A run that is kept in a file, so that it can be gone on with: what was asked for, and what was counted.

The file is one JSON object. What was asked for must be the same again, since other chunks would not add up
with these.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

import croupier
from croupier.errors import ParseError
from croupier.rulebook.plain import rules_hash
from croupier.simulate.kernel import Counted
from croupier.simulate.run import Game
from croupier.simulate.statistics import Tally

FORMAT = "croupier run 1"


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """A run: its format, the release that wrote it, what was asked for, and the tally."""

    run: str
    engine: str
    asked: dict[str, Any]
    chunks: int
    parts: tuple[list[int], ...]


def asked_of(game: Game) -> dict[str, Any]:
    """All that the chunks of a game depend on."""
    return {
        "rulebook": game.rules.rulebook,
        "rules_hash": rules_hash(game.rules),
        "play": game.play_hash,
        "boxes": game.boxes,
        "back": list(game.back),
        "fresh_shoe": game.fresh,
        "count": msgspec.to_builtins(game.count.system) if game.count else None,
        "seed": game.seed,
    }


def written(game: Game, tally: Tally) -> str:
    kept = Kept(
        run=FORMAT,
        engine=croupier.__version__,
        asked=asked_of(game),
        chunks=tally.chunks,
        parts=tuple(part.tolist() for part in tally.counted),
    )
    return msgspec.json.encode(kept).decode() + "\n"


def read(path: Path, game: Game) -> Tally:
    """What was counted before; a ParseError if the file is another game's, or no run at all."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ParseError(f"{path}: cannot be read: {error.strerror}") from None
    return read_text(content, game, str(path))


def read_text(content: bytes | str, game: Game, path: str = "run") -> Tally:
    try:
        kept = msgspec.json.decode(content, type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ParseError(f"{path}: is no run of a simulation: {error}") from None
    asked = asked_of(game)
    if kept.run != FORMAT or kept.engine != croupier.__version__:
        raise ParseError(
            f"{path}: is of {kept.run}, croupier {kept.engine}: a run is gone on with by its release"
        )
    other = [name for name, value in asked.items() if kept.asked.get(name) != value]
    if other:
        raise ParseError(f"{path}: is a run of another game: its {', '.join(other)} differ(s)")
    if [len(part) for part in kept.parts] != [part.size for part in game.nothing().counted]:
        raise ParseError(f"{path}: is no run of a simulation: its counts are not of this game's size")
    return Tally(kept.chunks, Counted(*(np.array(part, np.int64) for part in kept.parts)))
