"""What all tests share: an interrupt is one, even where the tests were started in the background."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    # A shell starts background work with interrupts ignored, and what is started from there inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
