"""Replay: every command of a log is decided again, and what happened must be what the log says.

What happened is an event without its `basis`. Which provisions the rules cite for it, what the rulebook says
by now, and what another release says when it refuses may change from release to release: that is a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

import croupier
from croupier.errors import DoesNotHold, Refused, RulebookError
from croupier.record.line import FORMATS, Entry, Line, Strike, number_of
from croupier.record.log import Log
from croupier.record.standing import Standing, brought_by
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


class Difference(Struct, frozen=True):
    """Where a line and the rules differ: in words, and the two events where it is about one."""

    line: int
    what: str
    recorded: Event | None = None
    now: Event | None = None


class Decided(Struct, frozen=True, gc=False):
    """A line that has been decided again: the table before and after it, by the rules.

    `made` is what the rules make of its command, `refused` why they do not; a table goes on by the rules.
    """

    line: Line
    before: State
    after: State
    made: list[Event] = []
    refused: Refused | None = None
    differences: tuple[Difference, ...] = ()
    notes: tuple[Note, ...] = ()


class Replay(Struct, frozen=True):
    """The table as the log leaves it, how much was replayed, and what would be written otherwise today.

    `brought` is what players have brought along. Of a table that is to go on, `standing` are its lines.
    """

    log: Log
    state: State
    commands: int
    events: int
    refusals: int
    notes: tuple[Note, ...]
    brought: dict[str, int]
    standing: Standing


def replay(log: Log, *listeners: Listener, remember: bool = False) -> Replay:
    """Decide every command again, and tell of those obeyed as the table did.

    A DoesNotHold names the first line that the rules do not bear out. `remember`: what was before each line
    stays at hand, so that lines can be struck.
    """
    differences, notes = opening(log)
    for difference in differences:
        raise _failure(log, difference)
    state, standing = log.initial_state(), Standing(virtual=log.header.kind == "virtual")
    for step in decided(log, standing, remember=remember):
        for difference in step.differences:
            raise _failure(log, difference)
        notes += step.notes
        state = step.after
        if step.refused is None:
            told = Told(step.before, step.line, state)
            for listener in listeners:
                listener(told)
    return Replay(
        log=log,
        state=state,
        commands=len(log.lines),
        events=sum(len(line.events) for line in log.lines),
        refusals=sum(isinstance(line, Entry) and line.refused is not None for line in log.lines),
        notes=tuple(notes),
        brought=brought_by(standing.lines),
        standing=standing,
    )


def decided(log: Log, standing: Standing, *, remember: bool = False) -> Iterator[Decided]:
    """Every line behind the header, decided again. Where line and rules differ the rules' table goes on.

    Struck lines are decided like any other: they were, when they were written. `standing` follows.
    """
    state = log.initial_state()
    struck = {line.strike for line in log.lines if isinstance(line, Strike)}
    for line in log.lines:
        before = state
        kept = before if remember or number_of(line) in struck else None
        if isinstance(line, Strike):
            state = standing.strike(line, kept)
            yield Decided(line, before, state)
            continue
        standing.add(line, kept)
        step = _decided(log, line, before) if isinstance(line, Entry) else Decided(line, before, before)
        state = step.after
        yield step


def _decided(log: Log, entry: Entry, before: State) -> Decided:
    try:
        after, made = advance(before, entry.command, entry.by)
    except Refused as refused:
        return Decided(entry, before, before, [], refused, *_refused(log, entry, refused))
    if made == entry.events and entry.refused is None:
        return Decided(entry, before, after, made)
    return Decided(entry, before, after, made, None, *_obeyed(entry, made))


# The first line


def opening(log: Log) -> tuple[list[Difference], list[Note]]:
    """Was the table opened as the line says, for the house that the rules name, and what is noted of it?"""
    recorded = log.header.opened
    opened = opened_as(log.rules, recorded.instrument, recorded.made)
    what = _difference(recorded, opened)
    lead = "the table was not opened as the line says"
    return (
        [Difference(1, f"{lead}: {what}", recorded, opened)] if what else [],
        [*_citations(1, recorded, opened), *_law(log)],
    )


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

Found = tuple[tuple[Difference, ...], tuple[Note, ...]]


def _refused(log: Log, entry: Entry, refused: Refused) -> Found:
    """The rules refuse the command: so must the log have it, and for the reason that this release gives."""
    number = number_of(entry)
    if entry.refused is None or entry.events:
        return (Difference(number, f"the rules refuse this: {why_refused(log, refused)}"),), ()
    told = (
        ("the provision it is refused under", entry.refused.provision, refused.provision),
        ("the reason why it is refused", entry.refused.why, refused.why),
    )
    notes = [Note(number, about, (then,), (now,)) for about, then, now in told if then != now]
    if log.header.engine == croupier.__version__:
        return tuple(Difference(note.line, note.what) for note in notes), ()
    return (), tuple(notes)


def why_refused(log: Log, refused: Refused) -> str:
    try:
        return log.book.why_refused(refused)
    except RulebookError:  # the refusal stands without its clause
        return str(refused)


def _obeyed(entry: Entry, made: list[Event]) -> Found:
    """The rules carry the command out: the same must have happened."""
    if differences := tuple(_unlike_events(entry, made)):
        return differences, ()
    pairs = zip(entry.events, made, strict=True)
    number = number_of(entry)
    return (), tuple(note for then, now in pairs for note in _citations(number, then, now))


def _unlike_events(entry: Entry, made: list[Event]) -> Iterator[Difference]:
    """What did not happen as recorded."""
    lead = "the rules make something else of this command than the log says"
    number = number_of(entry)
    if entry.refused is not None:
        yield Difference(number, f"{lead}: they allow it, and it is on record as refused")
        return
    for recorded, event in zip(entry.events, made, strict=False):
        if what := _difference(recorded, event):
            yield Difference(number, f"{lead}: {what}", recorded, event)
    if len(entry.events) != len(made):
        yield Difference(number, f"{lead}: {len(made)} events, and {len(entry.events)} are on record")


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


def _failure(log: Log, difference: Difference) -> DoesNotHold:
    """The rules do not bear the line out; of format 1 it may be said that they are others by now."""
    others = log.header.rules is None and not _are_recorded(log, log.rules)
    doubt = f"; {log.header.rulebook} makes other rules now than when the log was written" if others else ""
    return DoesNotHold(f"{log.source}:{difference.line}: {difference.what}{doubt}")
