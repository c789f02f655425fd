"""A run that is kept in a file: what was asked for, and what was counted.

The file is one JSON object. It is gone on with where the same is asked for again, since other chunks would
not add up with these; and it describes itself, so that whoever asks what it found needs nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

import croupier
from croupier.errors import ParseError
from croupier.rulebook.plain import rules_hash, what_is_set
from croupier.simulate import kernel as k
from croupier.simulate.counting import System
from croupier.simulate.run import Game
from croupier.simulate.statistics import Found, Tally
from croupier.simulate.tables import Side

FORMAT = "croupier run 3"


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """All that the chunks of a game depend on, and what is needed to read them."""

    rulebook: str
    rules: dict[str, Any]  # what is set in them
    rules_hash: str
    play: str  # by which the way to play is known
    decks: int
    cards: int
    boxes: int
    unit: int  # parts of a wager, in which results are counted
    back: tuple[int, int]
    fresh_shoe: bool
    side_bets: tuple[tuple[str, int, tuple[str, ...]], ...]
    count: System | None
    seed: int


class _Head(Struct, frozen=True):
    run: str
    engine: str = ""


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """A run: its format, the release that wrote it, what was asked for, and the tally.

    `partial`: it has not yet what was asked for. `outside`: where the game leaves the law.
    """

    run: str
    engine: str
    asked: Asked
    partial: bool
    outside: tuple[str, ...]
    chunks: int
    parts: tuple[list[int], ...]

    @property
    def tally(self) -> Tally:
        return Tally(self.chunks, k.Counted(*(np.array(part, np.int64) for part in self.parts)))

    @property
    def found(self) -> Found:
        sides = tuple(Side(*side, pays=()) for side in self.asked.side_bets)
        return Found(self.tally.counted, self.asked.unit, self.asked.boxes, sides, self.partial)


def asked_of(game: Game) -> Asked:
    return Asked(
        rulebook=game.rules.rulebook,
        rules=what_is_set(game.rules),
        rules_hash=rules_hash(game.rules),
        play=game.play_hash,
        decks=game.rules.house.decks,
        cards=len(game.deck),
        boxes=game.boxes,
        unit=int(game.tables.places.unit),
        back=game.back,
        fresh_shoe=game.fresh,
        side_bets=tuple((side.name, side.first, side.ends) for side in game.tables.sides),
        count=game.count.system if game.count else None,
        seed=game.seed,
    )


def written(game: Game, tally: Tally, *, partial: bool = False, outside: tuple[str, ...] = ()) -> str:
    kept = Kept(
        run=FORMAT,
        engine=croupier.__version__,
        asked=asked_of(game),
        partial=partial,
        outside=outside,
        chunks=tally.chunks,
        parts=tuple(part.tolist() for part in tally.counted),
    )
    return msgspec.json.encode(kept).decode() + "\n"


def read(path: Path, game: Game) -> Tally:
    """What was counted before; a ParseError if the file is another game's, or no run at all."""
    return _tally(opened(path), game, str(path))


def read_text(content: bytes | str, game: Game, path: str = "run") -> Tally:
    return _tally(opened_text(content, path), game, path)


def opened(path: Path) -> Kept:
    """A run as it is; a ParseError if the file is none."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ParseError(f"{path}: cannot be read: {error.strerror}") from None
    return opened_text(content, str(path))


def opened_text(content: bytes | str, path: str = "run") -> Kept:
    try:
        head = msgspec.json.decode(content, type=_Head)
        if head.run != FORMAT and head.run.startswith("croupier run "):
            raise ParseError(f"{path}: is of {head.run[:40]!r}; this release reads {FORMAT!r}")
        kept = msgspec.json.decode(content, type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ParseError(f"{path}: is no run of a simulation: {error}") from None
    if wrong := _wrong(kept):
        raise ParseError(f"{path}: is no run of a simulation: {wrong}")
    return kept


def _wrong(kept: Kept) -> str:
    """What does not hold together in a run, if anything."""
    sizes = dict(zip(k.Counted._fields, map(len, kept.parts), strict=False))
    counting = kept.asked.count is not None
    expected = {
        "counts": k.COUNTS,
        "sums": k.SUMS,
        "products": k.COUNT_ROWS * (k.COUNT_ROWS + 1) if counting else 0,
        "side_sums": k.SIDE_SUMS * len(kept.asked.side_bets),
        "ends": sum(len(ends) for _, _, ends in kept.asked.side_bets),
    }
    if len(kept.parts) != len(k.Counted._fields) or any(sizes[name] != expected[name] for name in expected):
        return "its counts are not of its game's size"
    if sizes["results"] % 2 == 0 or sizes["by_count"] % k.COUNT_ROWS or bool(sizes["by_count"]) != counting:
        return "its counts are not of its game's size"
    if not all(-(2**63) <= number < 2**63 for part in kept.parts for number in part):
        return "a number in it is too large"
    if kept.run != FORMAT or min(kept.asked.unit, kept.asked.boxes, kept.asked.cards) < 1:
        return "its game makes no sense"
    return ""


def _tally(kept: Kept, game: Game, path: str) -> Tally:
    """The tally of a run, if it is one of the game's."""
    if kept.engine != croupier.__version__:
        raise ParseError(f"{path}: is of croupier {kept.engine}: a run is gone on with by its release")
    asked = asked_of(game)
    other = [name for name in Asked.__struct_fields__ if getattr(kept.asked, name) != getattr(asked, name)]
    if other:
        raise ParseError(f"{path}: is a run of another game: its {', '.join(other)} differ(s)")
    if [len(part) for part in kept.parts] != [part.size for part in game.nothing().counted]:
        raise ParseError(f"{path}: is no run of a simulation: its counts are not of this game's size")
    return kept.tally
