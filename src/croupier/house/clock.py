"""The house's own time. Nothing below the house has a clock; lines are only stamped with what it says."""

from __future__ import annotations

import datetime
import functools
import time


def now() -> str:
    """The local time with its offset: 2003-06-01T20:15:00+10:00."""
    return _written(int(time.time()))


@functools.lru_cache(maxsize=1)
def _written(second: int) -> str:
    return datetime.datetime.fromtimestamp(second).astimezone().isoformat()
