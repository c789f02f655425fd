"""A log in a file, JSON Lines. A line that a power loss cut off is not part of the log."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import IO

from croupier.errors import ParseError, Refused
from croupier.record.chain import START, hash_of, seal
from croupier.record.line import Entry, Header, encode, entry_of
from croupier.record.log import Log, read_lines
from croupier.table.actors import Actor
from croupier.table.commands import Command
from croupier.table.events import Event


def read_log(path: Path) -> Log:
    """The log in a file. A ParseError names the first line that is broken."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ParseError(f"{path}: cannot be read: {error.strerror}") from None
    *lines, rest = content.split(b"\n")
    return read_lines(lines, str(path), cut_off=bool(rest))


class LogWriter:
    """Writes a log line by line to an unbuffered stream: a line is with the system when `append` returns."""

    def __init__(self, stream: IO[bytes], last_hash: str = START, count: int = 0) -> None:
        self._stream = stream
        self._hash = last_hash
        self._count = count

    @classmethod
    def create(cls, path: Path, header: Header) -> LogWriter:
        """Begin a log in a new file."""
        try:
            stream = path.open("xb", buffering=0)
        except OSError as error:
            raise ParseError(f"{path}: cannot be written: {error.strerror}") from None
        writer = cls(stream)
        writer._write(header)
        return writer

    @classmethod
    def continue_from(cls, path: Path, log: Log) -> LogWriter:
        """Write on behind the last whole line of a log; what was cut off is cut away."""
        stream = path.open("r+b", buffering=0)
        stream.truncate(log.size)
        stream.seek(log.size)
        return cls(stream, log.last_hash, len(log.entries))

    def append(self, command: Command, by: Actor, outcome: list[Event] | Refused) -> None:
        """A command, who gave it, and the events that it made or why it was refused."""
        self._count += 1
        self._write(entry_of(self._count, command, by, outcome))

    def _write(self, content: Header | Entry) -> None:
        line = seal(encode(content), self._hash)
        self._hash = hash_of(line)
        rest = line + b"\n"
        while rest:  # a raw stream may take a part only
            rest = rest[self._stream.write(rest) :]

    def close(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # not a file on a disk
            os.fsync(self._stream.fileno())
        self._stream.close()
