"""Text that people typed or files hold, so that it can deceive no screen.

Control characters move a terminal's cursor, and marks of direction turn lines round: either can hide a
payment. They are refused where text comes in, and written as escapes wherever it is shown.
"""

from __future__ import annotations

import re

from croupier.errors import ParseError

# C0 and C1 controls, line and paragraph separators, and marks that change the direction of writing.
_DECEIVING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_IN_LINES = re.compile(f"(?![\n\t]){_DECEIVING.pattern}")


def require_printable(text: str, what: str) -> str:
    """The text, unless it holds a character that cannot be seen for what it is."""
    found = _DECEIVING.search(text)
    if found:
        raise ParseError(f"{what}: {visible(text)} holds {_escape(found)}, which a screen would not show")
    return text


def visible(text: str) -> str:
    """The text with such characters written as escapes; lines and tabs stay."""
    return _IN_LINES.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
