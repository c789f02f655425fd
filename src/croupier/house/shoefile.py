"""The order of a shoe on file, beside the log and not in it: players may read the log.

An order is written when it is made, with the number of the entry after which it holds, and before that entry
is. The one before it stays in the file, so that it is at hand if the entry never came. What was cut and drawn
since follows from the log.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec
from msgspec import Struct

from croupier.cards import INDEX, Card
from croupier.errors import ParseError, StoreError

FORMAT = "croupier shoe 1"


class Made(Struct, frozen=True, forbid_unknown_fields=True):
    """An order as it was made, the next card first, and the entry after which it holds."""

    after: int
    cards: tuple[Card, ...]


class _Content(Struct, frozen=True, forbid_unknown_fields=True):
    shoe: str
    orders: tuple[Made, ...]


class ShoeFile:
    """The file of one table's shoe. Only its owner may read it."""

    def __init__(self, log: Path) -> None:
        self.path = log.with_name(f"{log.name}.shoe")

    def write(self, before: Made, made: Made) -> None:
        """All of it or nothing: written beside, with the disk, and then put in the old one's place."""
        beside = self.path.with_name(f"{self.path.name}.new")
        content = msgspec.json.encode(_Content(shoe=FORMAT, orders=(before, made)))
        try:
            beside.unlink(missing_ok=True)
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
            raise StoreError(str(self.path), error) from None

    def read(self) -> tuple[Made, ...]:
        """The orders on file, the newest last. A ParseError says why there are none."""
        try:
            content = msgspec.json.decode(self.path.read_bytes(), type=_Content)
        except OSError as error:
            raise ParseError(f"{self.path}: cannot be read: {error.strerror}") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ParseError(f"{self.path}: {error}") from None
        if content.shoe != FORMAT or not all(card in INDEX for made in content.orders for card in made.cards):
            raise ParseError(f"{self.path}: is not the order of a shoe")
        return content.orders
