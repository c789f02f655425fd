"""TOML in and out: what is no file of it is one sentence, and a value is written as it is read."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from croupier.errors import RulebookError

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def read_text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RulebookError(f"{path}: cannot be read: {reason}") from None


def parse(text: str, file: str) -> dict[str, Any]:
    """The tables of a TOML text; errors name its file."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{file}: is not TOML: {error}") from None
    except RecursionError:
        raise RulebookError(f"{file}: is nested too deeply") from None


def written(value: Any) -> str:
    """A value on one line, tables inline."""
    if isinstance(value, dict):
        parts = ", ".join(f"{_key(name)} = {written(part)}" for name, part in value.items())
        return f"{{ {parts} }}" if parts else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(written, value))}]"
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)
