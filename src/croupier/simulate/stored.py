"""Games that were tabulated before, kept in the user's folder for what can be made again.

A file is known by what was asked for and by the text of all that makes it, and begins with a checksum: the
kernel does not look where its tables lead. Where files can't be read or written, nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from croupier.exact.kept import SOLVER, folder, text_of
from croupier.simulate.machine import Machine
from croupier.simulate.tables import Places, Tables
from croupier.whole import whole

MADE_BY = (*SOLVER, "simulate/*.py")
CHECKSUM = hashlib.sha256().digest_size
MOST_FILES = 100


class Tabulated(NamedTuple):
    tables: Tables
    machine: Machine | None


class Stored:
    def __init__(self, at: Path | None = None) -> None:
        self.at = at or folder() / "tabulated"

    def of(self, asked: tuple[Any, ...], tabulated: Callable[[], Tabulated]) -> Tabulated:
        """The tables of a game, from its file or made now."""
        known_by = hashlib.sha256(f"{text_of(MADE_BY)} {asked!r}".encode()).hexdigest()
        file = self.at / f"{known_by}.tables"
        found = _read(file)
        if found is None:
            found = tabulated()
            if not found.tables.sides:
                with contextlib.suppress(OSError):
                    _write(file, found)
        return found


def _read(file: Path) -> Tabulated | None:
    try:
        content = file.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(content[CHECKSUM:]).digest() != content[:CHECKSUM]:
        return None
    with contextlib.suppress(OSError):
        file.touch()
    parts = msgspec.msgpack.decode(zlib.decompress(content[CHECKSUM:]))
    flat, places, *machine = map(_unpacked, parts)
    return Tabulated(Tables(flat, Places(*places), ()), Machine(*machine) if machine else None)


def _write(file: Path, found: Tabulated) -> None:
    """Whole or not at all; files that were not used for longest make room."""
    tables, machine = found
    parts = tables.flat, tuple(tables.places), *(machine or ())
    content = zlib.compress(msgspec.msgpack.encode(list(map(_packed, parts))), level=1)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    others = sorted(file.parent.glob("*.tables"), key=lambda other: other.stat().st_mtime)
    for other in others[: -MOST_FILES + 1]:
        other.unlink(missing_ok=True)
    with whole(file) as beside:
        beside.write_bytes(hashlib.sha256(content).digest() + content)


def _packed(part: Any) -> Any:
    return [part.dtype.str, part.shape, part.tobytes()] if isinstance(part, np.ndarray) else part


def _unpacked(part: Any) -> Any:
    """An array is copied, since compiled code is made for such as may be written to."""
    if isinstance(part, list) and isinstance(part[-1], bytes):
        kind, shape, content = part
        return np.frombuffer(content, kind).reshape(shape).copy()
    return part
