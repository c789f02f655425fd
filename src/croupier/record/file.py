"""A log in a file, JSON Lines, which one table at a time writes on.

Whoever writes holds a lock on the file for as long as the table is open. Lines are only ever put behind the
last, and only if the file ends where we left it. What a power loss left of a line is put aside in a file of
its own before the table goes on; nothing that we have not written ourselves a moment ago is ever cut away.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import os
import stat
from pathlib import Path
from typing import IO

from croupier.errors import ParseError, StoreError
from croupier.record.chain import START, seal
from croupier.record.line import Header, Line, encode
from croupier.record.log import Log, read_content


def read_log(path: Path) -> Log:
    """The log in a file. A DoesNotHold names the first line that is broken."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ParseError(f"{path}: cannot be read: {error.strerror}") from None
    return read_content(content, str(path))


class LogWriter:
    """Writes a log line by line to an unbuffered stream: a line is with the system when `append` returns.

    Of a line that the disk does not take whole nothing stays, so that the next one can follow the last.
    """

    def __init__(
        self, stream: IO[bytes], name: str, *, last_hash: str = START, count: int = 0, size: int = 0
    ) -> None:
        self.count = count
        self.last_hash = last_hash
        self._stream = stream
        self._number = _number(stream)
        self._name = name
        self._size = size
        self._looked_at: str | None = None
        self._half = 0  # bytes of a line that was not taken whole, and could not be taken back yet

    @classmethod
    def create(cls, path: Path, header: Header) -> LogWriter:
        """Begin a log in a new file. An empty one is as good as none: somebody's first line did not fit."""
        writer = cls(_locked(path, os.O_CREAT), str(path))
        if writer._length():
            writer.close()
            raise ParseError(f"{path}: exists; `--resume {path}` goes on with it")
        try:
            writer._write(header)
        except OSError as error:
            path.unlink(missing_ok=True)
            writer.close()
            raise ParseError(f"{path}: cannot be written: {error.strerror}") from None
        return writer

    @classmethod
    def continue_from(cls, path: Path, log: Log) -> LogWriter:
        """Write on behind a log that has been read, once what was torn is put aside (`mend`)."""
        writer = cls(_locked(path), str(path), last_hash=log.last_hash, count=len(log.lines), size=log.size)
        if writer._length() != log.size + len(log.torn):
            writer.close()
            raise ParseError(f"{path}: was written to while it was read; try again")
        return writer

    def mend(self, log: Log) -> str:
        """Put aside what is left of a torn line, and end one that lacks its end; in words, what was done."""
        try:
            if log.unended:
                self._put(b"\n")
            if not log.torn:
                return ""
            aside = _put_aside(Path(self._name), log.torn)
            self._stream.truncate(self._size)
        except OSError as error:
            raise StoreError(self._name, error) from None
        return (
            f"{self._name}: its last line was cut off, and is not part of the log; "
            f"the {len(log.torn)} bytes that were left of it are in {aside}"
        )

    def append(self, line: Line) -> None:
        """The next line behind the last; where that fails the file is as it was."""
        try:
            self._write(line)
        except OSError as error:
            raise StoreError(self._name, error) from None
        self.count += 1

    def _write(self, content: Header | Line) -> None:
        line, own_hash = seal(encode(content), self.last_hash)
        self._put(line + b"\n", content.at)
        self.last_hash = own_hash

    def _put(self, rest: bytes, at: str | None = None) -> None:
        """All of it behind the end that we know, or nothing."""
        if self._half:
            self._take_back()
        if self._length(at) != self._size:
            raise OSError(errno.EBUSY, "somebody else has written to it")
        whole = len(rest)
        try:
            while rest:  # a raw stream may take a part only
                rest = rest[self._stream.write(rest) :]
        except BaseException:  # whatever broke in, half a line must not stay
            self._half = whole - len(rest)
            with contextlib.suppress(OSError):
                self._take_back()
            raise
        self._size += whole

    def _take_back(self) -> None:
        """Back to the end of the last whole line, if what lies behind it is ours."""
        if self._length() > self._size + self._half:
            raise OSError(errno.EBUSY, "somebody else has written to it")
        self._stream.truncate(self._size)
        self._stream.seek(self._size)
        self._half = 0

    def _length(self, at: str | None = None) -> int:
        """How long the file is now. What is written to a file that was deleted would be lost.

        To ask whether it was takes longer than all else of a line: lines of the same time ask once.
        """
        if self._number is None:
            return self._stream.seek(0, os.SEEK_END)
        if at is None or at != self._looked_at:
            if not os.fstat(self._number).st_nlink:
                raise OSError(errno.ENOENT, "the file was deleted")
            self._looked_at = at
        return os.lseek(self._number, 0, os.SEEK_END)

    def close(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # not a file on a disk
            os.fsync(self._stream.fileno())
        self._stream.close()


def _locked(path: Path, flags: int = 0) -> IO[bytes]:
    """The file, for appending, and nobody else's as long as it is open."""
    try:
        stream = os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | flags, 0o666), "ab", buffering=0)
    except OSError as error:
        raise ParseError(f"{path}: cannot be written: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise ParseError(f"{path}: is no file that a log could be kept in")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise ParseError(f"{path} is in use by another croupier") from None
    except OSError as error:
        stream.close()
        raise ParseError(f"{path}: cannot be locked: {error.strerror}") from None
    return stream


def _number(stream: IO[bytes]) -> int | None:
    """The number by which the system knows a file, if it is one on a disk."""
    try:
        return stream.fileno()
    except io.UnsupportedOperation:
        return None


def _put_aside(path: Path, torn: bytes) -> Path:
    """What was left of a line in a file of its own beside the log, on the disk and over no other."""
    number = 1
    while True:
        aside = path.with_name(f"{path.name}.torn-{number}")
        try:
            with aside.open("xb") as file:
                try:
                    file.write(torn)
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    aside.unlink()
                    raise
        except FileExistsError:
            number += 1
        else:
            return aside
