"""A log in a file, JSON Lines. A line that a power loss cut off is not part of the log."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import IO

from croupier.errors import ParseError, StoreError
from croupier.record.chain import START, seal
from croupier.record.line import Entry, Header, encode
from croupier.record.log import Log, read_lines


def read_log(path: Path) -> Log:
    """The log in a file. A ParseError names the first line that is broken."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ParseError(f"{path}: cannot be read: {error.strerror}") from None
    *lines, rest = content.split(b"\n")
    return read_lines(lines, str(path), cut_off=bool(rest))


class LogWriter:
    """Writes a log line by line to an unbuffered stream: a line is with the system when `append` returns.

    Of a line that the disk does not take whole nothing stays, so that the next one can follow the last.
    """

    def __init__(
        self, stream: IO[bytes], name: str, *, last_hash: str = START, count: int = 0, size: int = 0
    ) -> None:
        self.count = count
        self._stream = stream
        self._name = name
        self._hash = last_hash
        self._size = size
        self._torn = False

    @classmethod
    def create(cls, path: Path, header: Header) -> LogWriter:
        """Begin a log in a new file."""
        try:
            stream = path.open("xb", buffering=0)
        except OSError as error:
            raise ParseError(f"{path}: cannot be written: {error.strerror}") from None
        writer = cls(stream, str(path))
        try:
            writer._write(header)
        except OSError as error:
            stream.close()
            path.unlink()
            raise ParseError(f"{path}: cannot be written: {error.strerror}") from None
        return writer

    @classmethod
    def continue_from(cls, path: Path, log: Log) -> LogWriter:
        """Write on behind the last whole line of a log; what was cut off is cut away."""
        stream = path.open("r+b", buffering=0)
        writer = cls(stream, str(path), last_hash=log.last_hash, count=len(log.entries), size=log.size)
        writer._take_back()
        return writer

    def append(self, entry: Entry) -> None:
        """The next entry as a line behind the last; where that fails the file is as it was."""
        try:
            self._write(entry)
        except OSError as error:
            raise StoreError(self._name, error) from None
        self.count += 1

    def _write(self, content: Header | Entry) -> None:
        line, own_hash = seal(encode(content), self._hash)
        if self._torn:
            self._take_back()
        rest = line + b"\n"
        try:
            while rest:  # a raw stream may take a part only
                rest = rest[self._stream.write(rest) :]
        except BaseException:  # whatever broke in, half a line must not stay
            self._torn = True
            with contextlib.suppress(OSError):
                self._take_back()
            raise
        self._hash = own_hash
        self._size += len(line) + 1

    def _take_back(self) -> None:
        """Back to the end of the last whole line; what lies behind it is gone."""
        self._stream.truncate(self._size)
        self._stream.seek(self._size)
        self._torn = False

    def close(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # not a file on a disk
            os.fsync(self._stream.fileno())
        self._stream.close()
