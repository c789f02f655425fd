"""What is at the other end: a person at a terminal, and one that can show a page?"""

from __future__ import annotations

import os
import sys


def is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def shows_pages() -> bool:
    """Can the terminal show a page? One without UTF-8, or that is called dumb, gets lines."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return is_terminal() and encoding == "utf8" and os.environ.get("TERM", "dumb") != "dumb"
