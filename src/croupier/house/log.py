"""A table's history as JSON Lines, hash-chained.

The first line says under which rulebook and settings the table is open. Every further line is one
command with the events that it made, or with the provision under which it was refused. Each line
ends in a hash of the line before and of itself, so that no line can be changed, dropped or moved
without the next one telling; whoever keeps the last hash can tell that nothing was cut from the end
or written anew. A line that a power loss cut off is not part of the log.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Union

import msgspec
from msgspec import Struct

from croupier.errors import ParseError, Refused, RulebookError
from croupier.rulebook import Rulebook, Rules, load
from croupier.rulebook.book import encode_special
from croupier.table import advance
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.commands import Command
from croupier.table.events import Event, TableOpened
from croupier.table.opening import Start, open_table, start_state
from croupier.table.state import State

FORMAT = "croupier log 1"
_HASH = re.compile(rb'^(.*),"hash":"([0-9a-f]{64})"\}$', re.DOTALL)
_START = "0" * 64
_encode = msgspec.json.Encoder().encode


class Header(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: what is needed to open the same table again."""

    log: str
    rulebook: str
    settings: dict[str, Any]
    rules: str
    opened: TableOpened
    start: Start | None = None
    title: str = ""


class Refusal(Struct, frozen=True, forbid_unknown_fields=True):
    provision: str
    why: str


class Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One command, and what came of it."""

    n: int
    command: Union[tuple(cmd.KINDS.values())]  # type: ignore[valid-type]  # noqa: UP007
    events: list[Union[tuple(ev.KINDS.values())]] = []  # type: ignore[valid-type]  # noqa: UP007
    refused: Refusal | None = None


_entry_decoder = msgspec.json.Decoder(Entry)
_header_decoder = msgspec.json.Decoder(Header)


class LogWriter:
    """Writes a log line by line to an unbuffered stream: a line is with the system when `append` returns."""

    def __init__(
        self, stream: IO[bytes], header: Header | None, last_hash: str = _START, count: int = 0
    ) -> None:
        self._stream = stream
        self._hash = last_hash.encode()
        self._count = count
        if header is not None:
            self._write(_encode(header))

    @classmethod
    def continue_from(cls, path: Path, log: Log) -> LogWriter:
        """Write on behind the last whole line of a log; what was cut off is cut away."""
        stream = path.open("r+b", buffering=0)
        stream.truncate(log.size)
        stream.seek(log.size)
        return cls(stream, None, log.last_hash, len(log.entries))

    def _write(self, encoded: bytes) -> None:
        body = encoded[:-1]
        self._hash = hashlib.sha256(self._hash + body).hexdigest().encode()
        rest = body + b',"hash":"' + self._hash + b'"}\n'
        while rest:  # a raw stream may take a part only
            rest = rest[self._stream.write(rest) :]

    def append(self, command: Command, events: list[Event]) -> None:
        self._count += 1
        self._write(_encode(Entry(n=self._count, command=command, events=events)))

    def append_refused(self, command: Command, refused: Refused) -> None:
        self._count += 1
        refusal = Refusal(provision=refused.provision, why=refused.why)
        self._write(_encode(Entry(n=self._count, command=command, refused=refusal)))

    def close(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # not a file on a disk
            os.fsync(self._stream.fileno())
        self._stream.close()


def _fingerprint(rules: Rules) -> str:
    """What this format knows the rules by: all of their fields, defaults too."""
    encoded = msgspec.json.encode(rules, enc_hook=encode_special, order="deterministic")
    return hashlib.sha256(encoded).hexdigest()


def header_for(
    book: Rulebook, rules: Rules, settings: dict[str, Any], start: Start | None = None, title: str = ""
) -> Header:
    return Header(
        log=FORMAT,
        rulebook=book.file,
        settings=settings,
        rules=_fingerprint(rules),
        opened=open_table(book, rules)[1],
        start=start,
        title=title,
    )


# Reading


class Log(Struct, frozen=True):
    """A log that has been read: its chain holds. `cut_off`: the last line was not whole."""

    header: Header
    entries: tuple[Entry, ...]
    cut_off: bool
    source: str
    last_hash: str
    size: int

    @property
    def book(self) -> Rulebook:
        return load(self.header.rulebook)

    @property
    def rules(self) -> Rules:
        rules = self.book.rules_for(self.header.settings, file=self.source)
        if _fingerprint(rules) != self.header.rules:
            raise RulebookError(
                f"{self.source}: the rules of {self.header.rulebook} are not those of the log"
            )
        return rules

    def initial_state(self) -> State:
        rules = self.rules
        return start_state(rules, self.header.start) if self.header.start else open_table(self.book, rules)[0]


def read_log(path: Path) -> Log:
    """The log in a file. A ParseError names the first line that is broken."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ParseError(f"{path}: cannot be read: {error.strerror}") from None
    lines = content.split(b"\n")
    cut_off = bool(lines.pop())
    if not lines:
        raise ParseError(f"{path}: is no log: it has no whole line")
    bodies = list(_verified(path, lines))
    header = _decode(_header_decoder, bodies[0], path, 1)
    if header.log != FORMAT:
        raise ParseError(f"{path}:1: {header.log!r} is not {FORMAT!r}")
    entries = tuple(
        _decode(_entry_decoder, body, path, number) for number, body in enumerate(bodies[1:], start=2)
    )
    return Log(
        header=header,
        entries=entries,
        cut_off=cut_off,
        source=str(path),
        last_hash=lines[-1][-66:-2].decode(),
        size=sum(len(line) + 1 for line in lines),
    )


def _verified(path: Path, lines: list[bytes]) -> Iterator[bytes]:
    previous = _START
    for number, line in enumerate(lines, start=1):
        match = _HASH.match(line)
        if match is None:
            raise ParseError(f"{path}:{number}: is no line of a log: it does not end in its hash")
        body, stated = match[1], match[2].decode()
        previous = hashlib.sha256(previous.encode() + body).hexdigest()
        if previous != stated:
            raise ParseError(
                f"{path}:{number}: the chain is broken here: the line or the one before was changed"
            )
        yield body + b"}"


def _decode(decoder: Any, body: bytes, path: Path, number: int) -> Any:
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ParseError(f"{path}:{number}: {error}") from None


class Replay(Struct, frozen=True):
    """The table as the log leaves it, and how much was replayed."""

    log: Log
    state: State
    commands: int
    events: int
    refusals: int


def replay(log: Log) -> Replay:
    """Decide every command again. A ParseError names the first line that the rules do not bear out."""
    state = log.initial_state()
    if open_table(log.book, log.rules)[1] != log.header.opened:
        raise ParseError(f"{log.source}:1: the table was not opened as the line says")
    events = refusals = 0
    for number, entry in enumerate(log.entries, start=1):
        where = f"{log.source}:{number + 1}"
        if entry.n != number:
            raise ParseError(f"{where}: is numbered {entry.n}, not {number}")
        try:
            state, made = advance(state, entry.command)
        except Refused as refused:
            if entry.refused is None:
                raise ParseError(f"{where}: the rules refuse this: {log.book.why_refused(refused)}") from None
            if entry.refused.provision != refused.provision:
                raise ParseError(
                    f"{where}: refused under {refused.provision}, not {entry.refused.provision}"
                ) from None
            refusals += 1
            continue
        if entry.refused is not None or made != entry.events:
            raise ParseError(f"{where}: the rules make something else of this command than the log says")
        events += len(made)
    return Replay(log=log, state=state, commands=len(log.entries), events=events, refusals=refusals)
