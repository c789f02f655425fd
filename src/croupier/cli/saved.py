"""Where `croupier play` keeps its tables by itself, so that nothing is lost by leaving."""

from __future__ import annotations

import os
import time
from pathlib import Path

PATTERN = "play-*.log"


def folder() -> Path:
    """The user's folder for what programs remember."""
    home = os.environ.get("XDG_STATE_HOME", "")
    base = Path(home) if os.path.isabs(home) else Path.home() / ".local" / "state"
    return base / "croupier"


def records() -> list[Path]:
    """The tables that were kept, the last one first."""
    try:
        found = [path for path in folder().glob(PATTERN) if path.is_file()]
        return sorted(found, key=lambda path: (path.stat().st_mtime, path.name), reverse=True)
    except OSError:
        return []


def new_record() -> Path | None:
    """A place for a new table; None where the folder cannot be made or written in."""
    try:
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    if not os.access(folder(), os.W_OK):
        return None
    stem = time.strftime("play-%Y%m%d-%H%M%S")
    for number in range(100):
        path = folder() / f"{stem}{f'-{number}' if number else ''}.log"
        if not path.exists():
            return path
    return None
