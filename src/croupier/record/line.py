"""What a line holds, and how lines of every format are read.

The first line, the header, says what is needed to open the same table again: the rules themselves, so that
a log stands alone whatever becomes of the rulebook. Every further line is one command with the events that
it made, or with the provision under which it was refused.

Formats are read for ever, each by a function for its header and one for its entries that make today's of
them. Format 1 had a hash over all fields of the rules where the rules are now, and in each command who
gave it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, Union

import msgspec
from msgspec import Struct

import croupier
from croupier.errors import ParseError, Refused
from croupier.rulebook import Rulebook, Rules
from croupier.rulebook.book import encode_special
from croupier.rulebook.plain import fingerprint, rules_hash, what_is_set
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor, actor
from croupier.table.commands import Asked, Command, asker_words, office_of
from croupier.table.events import Event, TableOpened
from croupier.table.opening import Start, open_table

FORMAT = "croupier log 2"
T = TypeVar("T")


class Header(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line. `engine` is the release that wrote it, `rules` what was set in them.

    Logs of format 1 name no engine and have no rules, and their fingerprint is another one.
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


class Refusal(Struct, frozen=True, forbid_unknown_fields=True):
    provision: str
    why: str


class Entry(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """One command, who gave it, and what came of it."""

    n: int
    by: Actor
    command: Union[tuple(cmd.KINDS.values())]  # type: ignore[valid-type]  # noqa: UP007
    events: list[Union[tuple(ev.KINDS.values())]] = []  # type: ignore[valid-type]  # noqa: UP007
    refused: Refusal | None = None

    @property
    def asked(self) -> Asked:
        return Asked(self.command, self.by)


def header_for(
    book: Rulebook, rules: Rules, settings: dict[str, Any], start: Start | None = None, title: str = ""
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
    )


def entry_of(n: int, command: Command, by: Actor, outcome: list[Event] | Refused) -> Entry:
    """The `n`th command, who gave it, and the events that it made or why it was refused."""
    if isinstance(outcome, list):
        return Entry(n, by, command, outcome)
    return Entry(n, by, command, refused=Refusal(provision=outcome.provision, why=outcome.why))


encode = msgspec.json.Encoder().encode


# Reading


def read_header(line: bytes, where: str) -> Header:
    """The header in the first line, whatever its format."""
    named = _read(msgspec.json.Decoder(_Named).decode, line, where)
    if named.log not in FORMATS:
        raise ParseError(
            f"{where}: {named.log!r} is no format of a log that croupier {croupier.__version__} reads; "
            f"it reads {', '.join(FORMATS)}"
        )
    return _read(FORMATS[named.log].header, line, where, named.engine)


def read_entry(line: bytes, where: str, header: Header) -> Entry:
    """The entry in a line behind such a header."""
    return _read(FORMATS[header.log].entry, line, where, header.engine)


def other_release(engine: str) -> str:
    """A hint, where something cannot be read and another release wrote it."""
    if engine in ("", croupier.__version__):
        return ""
    return f"; the log was written by croupier {engine}, and this is croupier {croupier.__version__}"


def _read(decode: Callable[[bytes], T], line: bytes, where: str, engine: str = "") -> T:
    try:
        return decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ParseError(f"{where}: {error}{other_release(engine)}") from None


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
    old = _header_1_decoder.decode(line)
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
    header = _header_decoder.decode(line)
    if header.rules is None or fingerprint(header.rules) != header.fingerprint:
        raise msgspec.ValidationError("the fingerprint is not that of the rules")
    return header


class Format(NamedTuple):
    """How the lines of a format are made into today's, and by what it knows rules."""

    header: Callable[[bytes], Header]
    entry: Callable[[bytes], Entry]
    fingerprint: Callable[[Rules], str]


_header_decoder = msgspec.json.Decoder(Header)
_header_1_decoder = msgspec.json.Decoder(_Header1)
_entry = msgspec.json.Decoder(Entry).decode

FORMATS = {
    "croupier log 1": Format(_header_1, _entry_1, _fingerprint_1),
    FORMAT: Format(_header_2, _entry, rules_hash),
}
