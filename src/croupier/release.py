"""Which Croupier this is: its version, and the commit where that is known."""

from __future__ import annotations

import functools
import json
import subprocess
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from croupier import __version__

CHECKOUT = Path(__file__).parents[2]  # where the package lies in one as src/croupier
LETTERS = 7


@functools.cache
def commit() -> str:
    """`89ffb2b`, with `-dirty` behind it where something is changed; nothing where it is not known."""
    return _installed() or _checked_out()


def release() -> str:
    """`Croupier 1.2.0 (89ffb2b)`."""
    known = commit()
    return f"Croupier {__version__}{f' ({known})' if known else ''}"


def _installed() -> str:
    """The commit that pip fetched, if it fetched one."""
    try:
        origin = json.loads(distribution("croupier").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        return ""
    return str(origin.get("vcs_info", {}).get("commit_id", ""))[:LETTERS]


def _checked_out() -> str:
    """The commit of the checkout that the package is run from, if it is one."""
    if not (CHECKOUT / ".git").exists():
        return ""
    command = [
        "git",
        "-C",
        str(CHECKOUT),
        "describe",
        "--always",
        "--dirty",
        "--exclude=*",
        f"--abbrev={LETTERS}",
    ]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""
