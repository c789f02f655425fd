"""What a line holds, and how lines of every format are read.

The first line, the header, says what is needed to open the same table again: the rules themselves, so that
a log stands alone whatever becomes of the rulebook; and which table it is, whose, when it was opened, and
whether its cards are real ones. Every further line says when it was written and by whom. Most are one command
with the events that it made, or with the provision under which it was refused. Two kinds ask nothing of the
table: what a player brings along, and the striking of lines that were typed in error.

Formats are read for ever, each by a function for its header and one for its entries that make today's of
them. Format 1 had a hash over all fields of the rules where the rules are now, and in each command who
gave it; formats 1 and 2 had no time. Behind lines of any format stand those of today.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Literal, NamedTuple, TypeVar, Union

import msgspec
from msgspec import Struct

import croupier
from croupier.errors import DoesNotHold, ParseError, Refused
from croupier.rulebook import Rulebook, Rules
from croupier.rulebook.book import encode_special
from croupier.rulebook.plain import fingerprint, rules_hash, what_is_set
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor, actor
from croupier.table.commands import Asked, Command, asker_words, office_of
from croupier.table.events import Event, TableOpened
from croupier.table.opening import Start, open_table

FORMAT = "croupier log 3"
Kind = Literal["", "live", "virtual"]
T = TypeVar("T")


class Header(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line. `engine` is the release that wrote it, `rules` what was set in them.

    `table` is what the house calls the table and `at` when it was opened, in the house's own time. A live
    table's cards are real ones that somebody types in, a virtual one's come from a shoe of ours; of a log of
    format 1 or 2 that is not known. Logs of format 1 name no engine and have no rules, and their fingerprint
    is another one.
    """

    log: str
    engine: str
    rulebook: str
    settings: dict[str, Any]
    rules: dict[str, Any] | None
    fingerprint: str
    opened: TableOpened
    start: Start | None = None
    title: str = ""
    table: str = ""
    kind: Kind = ""
    at: str = ""


class Refusal(Struct, frozen=True, forbid_unknown_fields=True):
    provision: str
    why: str


class Entry(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """One command, who gave it, what came of it, and when."""

    n: int
    by: Actor
    command: Union[tuple(cmd.KINDS.values())]  # type: ignore[valid-type]  # noqa: UP007
    events: list[Union[tuple(ev.KINDS.values())]] = []  # type: ignore[valid-type]  # noqa: UP007
    refused: Refusal | None = None
    at: str = ""

    @property
    def asked(self) -> Asked:
        return Asked(self.command, self.by)


class Beside(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A line that asks nothing of the table, so that nothing happens there."""

    @property
    def events(self) -> list[Event]:
        return []


class Strike(Beside, frozen=True):
    """From this line of the log on nothing counts any more that stood; what really happened follows.

    The lines stay where they are. The table is as it stood before the first of them.
    """

    strike: int
    why: str
    n: int
    by: Actor
    at: str = ""


class Bring(Beside, frozen=True):
    """What a player brings along, in cents. It is theirs, and the table knows nothing of it."""

    brings: int
    n: int
    by: Actor
    at: str = ""


Line = Entry | Strike | Bring


def number_of(line: Line) -> int:
    """Which line of the log it is; the header is the first."""
    return line.n + 1


def header_for(
    book: Rulebook,
    rules: Rules,
    settings: dict[str, Any],
    start: Start | None = None,
    title: str = "",
    *,
    table: str = "",
    kind: Kind = "",
    at: str = "",
) -> Header:
    what = what_is_set(rules)
    return Header(
        log=FORMAT,
        engine=croupier.__version__,
        rulebook=book.file,
        settings=settings,
        rules=what,
        fingerprint=fingerprint(what),
        opened=open_table(book, rules)[1],
        start=start,
        title=title,
        table=table,
        kind=kind,
        at=at,
    )


def entry_of(n: int, command: Command, by: Actor, outcome: list[Event] | Refused, at: str = "") -> Entry:
    """The `n`th command, who gave it, the events that it made or why it was refused, and when."""
    if isinstance(outcome, list):
        return Entry(n, by, command, outcome, None, at)
    return Entry(n, by, command, refused=Refusal(provision=outcome.provision, why=outcome.why), at=at)


encode = msgspec.json.Encoder().encode


# Reading


def read_header(line: bytes, where: str) -> Header:
    """The header in the first line, whatever its format."""
    named = _read(partial(_decoded, _Named), line, where)
    if named.log not in FORMATS:
        raise ParseError(
            f"{where}: {named.log!r} is no format of a log that croupier {croupier.__version__} reads; "
            f"it reads {', '.join(FORMATS)}"
        )
    return _read(FORMATS[named.log].header, line, where, named.engine)


def read_entry(line: bytes, where: str, header: Header) -> Line:
    """What is in a line behind such a header; the first word tells what is no command."""
    decode = _BESIDE.get(line[:_WORD]) or FORMATS[header.log].entry
    return _read(decode, line, where, header.engine)


def other_release(engine: str) -> str:
    """A hint, where something cannot be read and another release wrote it."""
    if engine in ("", croupier.__version__):
        return ""
    return f"; the log was written by croupier {engine}, and this is croupier {croupier.__version__}"


@cache
def _decoder(kind: type) -> msgspec.json.Decoder[Any]:
    """Made when something is read: to look through all kinds of commands and events takes its time."""
    return msgspec.json.Decoder(kind)


def _decoded(kind: type[T], line: bytes) -> T:
    decoded: T = _decoder(kind).decode(line)  # type: ignore[arg-type]  # a type can be hashed
    return decoded


def _read(decode: Callable[[bytes], T], line: bytes, where: str, engine: str = "") -> T:
    try:
        return decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DoesNotHold(f"{where}: {error}{other_release(engine)}") from None


class _Named(Struct):
    """What every header says, whatever its format."""

    log: str
    engine: str = ""


class _Header1(Struct, frozen=True, forbid_unknown_fields=True):
    log: str
    rulebook: str
    settings: dict[str, Any]
    rules: str
    opened: TableOpened
    start: Start | None = None
    title: str = ""


def _header_1(line: bytes) -> Header:
    old = _decoded(_Header1, line)
    return Header(
        log=old.log,
        engine="",
        rulebook=old.rulebook,
        settings=old.settings,
        rules=None,
        fingerprint=old.rules,
        opened=old.opened,
        start=old.start,
        title=old.title,
    )


def _entry_1(line: bytes) -> Entry:
    """In format 1 a command said itself who gave it, by `player` or `by`, or left it to its office."""
    raw = msgspec.json.decode(line)
    if "by" not in raw:  # a line that was written behind older ones has it
        kind = cmd.KINDS[raw["command"]["type"]]
        named = [raw["command"].pop(word) for word in asker_words(kind) if word in raw["command"]]
        raw["by"] = msgspec.to_builtins(actor(named[0]) if named else office_of(kind))
    return msgspec.convert(raw, Entry)


def _fingerprint_1(rules: Rules) -> str:
    """The hash of all fields, defaults too: another one as soon as a release adds a provision."""
    encoded = msgspec.json.encode(rules, enc_hook=encode_special, order="deterministic")
    return hashlib.sha256(encoded).hexdigest()


def _header_2(line: bytes) -> Header:
    header = _decoded(Header, line)
    if header.rules is None or fingerprint(header.rules) != header.fingerprint:
        raise msgspec.ValidationError("the fingerprint is not that of the rules")
    return header


class Format(NamedTuple):
    """How the lines of a format are made into today's, and by what it knows rules."""

    header: Callable[[bytes], Header]
    entry: Callable[[bytes], Entry]
    fingerprint: Callable[[Rules], str]


FORMATS = {
    "croupier log 1": Format(_header_1, _entry_1, _fingerprint_1),
    "croupier log 2": Format(_header_2, partial(_decoded, Entry), rules_hash),
    FORMAT: Format(_header_2, partial(_decoded, Entry), rules_hash),
}
_BESIDE: dict[bytes, Callable[[bytes], Line]] = {
    b'{"strike":': partial(_decoded, Strike),
    b'{"brings":': partial(_decoded, Bring),
}
(_WORD,) = {len(word) for word in _BESIDE}
