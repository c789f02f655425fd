"""How long a table has waited at one question, and until when it does.

Nothing of this is on record: the rules know no clock.
"""

from __future__ import annotations

import time

from croupier.web import frames, waits
from croupier.web.waits import Wait


class Stopwatch:
    """The watch of one table, by the clocks that it is run with. Another question has it begin again."""

    def __init__(self, clocks: frames.Clocks) -> None:
        self._clocks = clocks
        self._question: tuple[object, ...] = ()
        self._since = time.monotonic()
        self._begun_anew = 0  # how often at this question
        self._left: dict[str, float] = {}  # when those who are not there went

    def gone(self, name: str) -> None:
        self._left[name] = time.monotonic()

    def back(self, name: str) -> None:
        self._left.pop(name, None)

    def begin(self) -> None:
        """Wait as long again: the time was over, and nothing could be done."""
        self._since = time.monotonic()

    def begin_anew(self) -> None:
        """Wait as long again, for somebody has asked for more time."""
        self.begin()
        self._begun_anew += 1

    def runs(self, now: Wait | None, name: str) -> bool:
        """Does a clock run for this player?"""
        return now is not None and name in now.names and waits.seconds(now.kind, self._clocks) is not None

    def more(self, now: Wait | None, name: str) -> int:
        """How often a player may still have the clock of this question begin anew."""
        return max(0, self._clocks.more - self._begun_anew) if self.runs(now, name) else 0

    def left(self, now: Wait | None, here: set[str]) -> float | None:
        """In how many seconds the wait is over, whoever has answered by then; None where no clock runs."""
        if now is None:
            return None
        if now.question != self._question:
            self._question, self._since, self._begun_anew = now.question, time.monotonic(), 0
        limit = waits.seconds(now.kind, self._clocks)
        if limit is not None:
            return self._since + limit - time.monotonic()
        gone = [self._left.get(name, self._since) for name in now.names if name not in here]
        if self._clocks.away is None or not gone:
            return None
        return max(self._since, min(gone)) + self._clocks.away - time.monotonic()

    def is_late(self, now: Wait | None, here: set[str]) -> bool:
        left = self.left(now, here)
        return left is not None and left <= 0

    def clock(self, now: Wait | None, here: set[str]) -> frames.Clock | None:
        """The clock as a page shows it."""
        left = self.left(now, here)
        if left is None or now is None:
            return None
        limit = waits.seconds(now.kind, self._clocks) or self._clocks.away or 0
        return frames.Clock(until=millis(left), seconds=limit)


def millis(ahead: float = 0.0) -> int:
    """So many seconds from now, in milliseconds of the epoch."""
    return int((time.time() + ahead) * 1000)
