"""Replay: every command of a log is decided again, and what happened must be what the log says.

What happened is an event without its `basis`. Which provisions the rules cite for it, what the rulebook says
by now, and under which provision something is refused may change from release to release: that is a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from croupier.errors import ParseError, Refused, RulebookError
from croupier.record.line import FORMATS, Entry
from croupier.record.log import Log
from croupier.record.told import Listener, Told
from croupier.rulebook import Rules
from croupier.rulebook.plain import what_is_set
from croupier.table import State, advance
from croupier.table.events import Event
from croupier.table.opening import open_table, opened_as


class Note(Struct, frozen=True):
    """What a log has on record otherwise than it would be written today, though the same happened."""

    line: int
    about: str
    recorded: tuple[str, ...]
    now: tuple[str, ...]

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"

    @property
    def what(self) -> str:
        """The note in words, whatever its line."""
        recorded, now = (", ".join(words) or "nothing" for words in (self.recorded, self.now))
        return f"{self.about}: recorded {recorded}; now {now}"


class Replay(Struct, frozen=True):
    """The table as the log leaves it, how much was replayed, and what would be written otherwise today."""

    log: Log
    state: State
    commands: int
    events: int
    refusals: int
    notes: tuple[Note, ...]


def replay(log: Log, *listeners: Listener) -> Replay:
    """Decide every command again, and tell of those obeyed as the table did.

    A ParseError names the first line that the rules do not bear out.
    """
    rules = log.rules
    notes = [*_opening(log, rules), *_law(log)]
    state = log.initial_state()
    for number, entry in enumerate(log.entries, start=1):
        if entry.n != number:
            raise ParseError(f"{log.source}:{number + 1}: is numbered {entry.n}, not {number}")
        try:
            after, made = advance(state, entry.command, entry.by)
        except Refused as refused:
            notes += _refused(log, entry, refused)
            continue
        notes += _obeyed(log, entry, made)
        told = Told(state, entry, after)
        for listener in listeners:
            listener(told)
        state = after
    return Replay(
        log=log,
        state=state,
        commands=len(log.entries),
        events=sum(len(entry.events) for entry in log.entries),
        refusals=sum(entry.refused is not None for entry in log.entries),
        notes=tuple(notes),
    )


# The first line


def _opening(log: Log, rules: Rules) -> list[Note]:
    """Was the table opened as the line says, for the house that the rules name?"""
    recorded = log.header.opened
    opened = opened_as(rules, recorded.instrument, recorded.made)
    if difference := _difference(recorded, opened):
        raise ParseError(f"{log.source}:1: the table was not opened as the line says: {difference}")
    return _citations(1, recorded, opened)


def _law(log: Log) -> Iterator[Note]:
    """Does the rulebook of today make the same rules for this house? The log's own hold in any case."""
    name, recorded = log.header.rulebook, log.header.opened
    try:
        book = log.book
        today = book.rules_for(log.header.settings, file=name)
    except RulebookError as error:
        yield Note(1, f"the rulebook {name}", (recorded.instrument,), (str(error),))
        return
    opened = open_table(book, today)[1]
    if (opened.instrument, opened.made) != (recorded.instrument, recorded.made):
        about = f"the instrument of {name}"
        yield Note(1, about, (recorded.instrument, recorded.made), (opened.instrument, opened.made))
    if not _are_recorded(log, today):
        yield Note(1, f"the rules of {name}", *_unlike(log, today))


def _are_recorded(log: Log, rules: Rules) -> bool:
    return FORMATS[log.header.log].fingerprint(rules) == log.header.fingerprint


def _unlike(log: Log, today: Rules) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The provisions that differ, as recorded and as they are now; of format 1 the fingerprints."""
    recorded, now = log.header.rules, what_is_set(today)
    if recorded is None:
        return (log.header.fingerprint,), (FORMATS[log.header.log].fingerprint(today),)
    names = [name for name in recorded | now if recorded.get(name) != now.get(name)]
    return _said(recorded, names), _said(now, names)


def _said(rules: dict[str, Any], names: list[str]) -> tuple[str, ...]:
    return tuple(f"{name} = {rules.get(name, 'not set')}" for name in names)


# Every further line


def _refused(log: Log, entry: Entry, refused: Refused) -> list[Note]:
    """The rules refuse the command: so must the log have it."""
    if entry.refused is None or entry.events:
        raise _failure(log, entry, f"the rules refuse this: {_why(log, refused)}")
    if entry.refused.provision == refused.provision:
        return []
    about = "the provision it is refused under"
    return [Note(entry.n + 1, about, (entry.refused.provision,), (refused.provision,))]


def _why(log: Log, refused: Refused) -> str:
    try:
        return log.book.why_refused(refused)
    except RulebookError:  # the refusal stands without its clause
        return str(refused)


def _obeyed(log: Log, entry: Entry, made: list[Event]) -> list[Note]:
    """The rules carry the command out: the same must have happened."""
    if made == entry.events and entry.refused is None:
        return []
    if problem := _problem(entry, made):
        what = "the rules make something else of this command than the log says"
        raise _failure(log, entry, f"{what}: {problem}")
    pairs = zip(entry.events, made, strict=True)
    return [note for recorded, event in pairs for note in _citations(entry.n + 1, recorded, event)]


def _problem(entry: Entry, made: list[Event]) -> str:
    """What did not happen as recorded, or nothing."""
    if entry.refused is not None:
        return "they allow it, and it is on record as refused"
    for recorded, event in zip(entry.events, made, strict=False):
        if difference := _difference(recorded, event):
            return difference
    if len(entry.events) != len(made):
        return f"{len(made)} events, and {len(entry.events)} are on record"
    return ""


def _difference(recorded: Event, event: Event) -> str:
    """How two events differ in what happened. A field that the line has not is as its default says."""
    kind = type(event).__name__
    if type(recorded) is not type(event):
        return f"{kind}, and {type(recorded).__name__} is on record"
    then, now = asdict(recorded), asdict(event)
    names = [name for name in now if name != "basis" and then[name] != now[name]]
    return "; ".join(f"{kind} has {name} {now[name]!r}, and {then[name]!r} is on record" for name in names)


def _citations(line: int, recorded: Event, event: Event) -> list[Note]:
    if recorded.basis == event.basis:
        return []
    return [Note(line, f"what {type(event).__name__} rests on", recorded.basis, event.basis)]


def _failure(log: Log, entry: Entry, what: str) -> ParseError:
    """The rules do not bear the line out; of format 1 it may be said that they are others by now."""
    others = log.header.rules is None and not _are_recorded(log, log.rules)
    doubt = f"; {log.header.rulebook} makes other rules now than when the log was written" if others else ""
    return ParseError(f"{log.source}:{entry.n + 1}: {what}{doubt}")
