"""The house's own time. Nothing below the house has a clock; lines are only stamped with what it says."""

from __future__ import annotations

import datetime


def now() -> str:
    """The local time with its offset: 2003-06-01T20:15:00+10:00."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")
