"""The chain: each line ends in a hash of the line before and of itself.

So no line can be changed, dropped or moved without the next one telling; whoever keeps the last hash can
tell that nothing was cut from the end or written anew. A line is bytes of one JSON object.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

from croupier.errors import DoesNotHold

START = "0" * 64  # before the first line
_SEALED = re.compile(rb'^(.*),"hash":"([0-9a-f]{64})"\}$', re.DOTALL)


def seal(body: bytes, previous: str) -> tuple[bytes, str]:
    """A JSON object as the line that follows the one whose hash was `previous`, and the hash of that line."""
    opened = body[:-1]
    own = hashlib.sha256(previous.encode() + opened).hexdigest()
    return b"".join((opened, b',"hash":"', own.encode(), b'"}')), own


def hash_of(line: bytes) -> str:
    """The hash that a sealed line ends in."""
    return line[-66:-2].decode("ascii", "replace")


def is_sealed(line: bytes) -> bool:
    """Does the line end in a hash, whether or not it is the right one?"""
    return _SEALED.match(line) is not None


def follows(line: bytes, previous: str) -> bool:
    """Is it, to the last byte, what was sealed behind the line whose hash was `previous`?"""
    match = _SEALED.match(line)
    return match is not None and seal(match[1] + b"}", previous)[0] == line


def verified(lines: Iterable[bytes], source: str, previous: str = START, first: int = 1) -> Iterator[bytes]:
    """The lines without their hashes; the first that is not what was sealed does not hold."""
    for number, line in enumerate(lines, start=first):
        match = _SEALED.match(line)
        if match is None:
            raise DoesNotHold(f"{source}:{number}: is no line of a log: it does not end in its hash")
        previous = hashlib.sha256(previous.encode() + match[1]).hexdigest()
        if previous != match[2].decode():
            raise DoesNotHold(
                f"{source}:{number}: the chain is broken here: the line or the one before was changed"
            )
        yield match[1] + b"}"
