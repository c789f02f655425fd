"""A log that has been read: where its table starts, and all that was asked of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from croupier.errors import DoesNotHold, ParseError
from croupier.record.chain import START, follows, hash_of, is_sealed, verified
from croupier.record.line import (
    Entry,
    Header,
    Line,
    Strike,
    number_of,
    other_release,
    read_entry,
    read_header,
)
from croupier.record.standing import Standing
from croupier.rulebook import Rulebook, Rules, load
from croupier.rulebook.plain import rules_from
from croupier.rulebook.sense import contradictions
from croupier.table import State, open_state
from croupier.table.opening import start_state


class Log(Struct, frozen=True):
    """Lines whose chain holds; `source` is what they are called.

    `lines` are all behind the header, and `entries` the commands that stand. `size` counts the bytes of
    whole lines, each with its end, which the last may lack (`unended`); `torn` is what was behind them.
    """

    header: Header
    lines: tuple[Line, ...]
    entries: tuple[Entry, ...]
    source: str
    last_hash: str
    size: int
    unended: bool = False
    torn: bytes = b""
    begins: State | None = None  # the table before `lines`, where they are only the last of the log

    @property
    def cut_off(self) -> bool:
        return bool(self.torn)

    @property
    def book(self) -> Rulebook:
        """The rulebook as it is today, to cite clauses from."""
        return load(self.header.rulebook)

    @property
    def rules(self) -> Rules:
        """The rules in the header; where it has none (format 1), what its settings make of the rulebook."""
        what = self.header.rules
        if what is None:
            return self.book.rules_for(self.header.settings, file=self.source)
        try:
            rules = rules_from(what)
        except msgspec.ValidationError as error:
            raise DoesNotHold(
                f"{self.source}:1: the rules: {error}{other_release(self.header.engine)}"
            ) from None
        for _, problem in contradictions(rules):
            raise DoesNotHold(f"{self.source}:1: the rules: {problem}")
        return rules

    def initial_state(self) -> State:
        """The table before the first command."""
        if self.begins is not None:
            return self.begins
        start = self.header.start
        return open_state(self.rules) if start is None else start_state(self.rules, start)


def read_content(content: bytes, source: str) -> Log:
    """The log in the bytes of a file. What is left of a line is torn, unless only its end is missing."""
    *lines, rest = content.split(b"\n")
    unended = bool(rest) and follows(rest, hash_of(lines[-1]) if lines else START)
    if unended:
        return read_lines([*lines, rest], source, unended=True)
    return read_lines(lines, source, torn=rest)


def read_lines(lines: Sequence[bytes], source: str, *, unended: bool = False, torn: bytes = b"") -> Log:
    """The log in sealed lines. A DoesNotHold names the first that is broken."""
    _require_log(lines, source, torn)
    bodies = verified(lines, source)
    header = read_header(next(bodies), f"{source}:1")
    found = tuple(
        read_entry(body, f"{source}:{number}", header) for number, body in enumerate(bodies, start=2)
    )
    return Log(
        header=header,
        lines=found,
        entries=_standing(found, header, source),
        source=source,
        last_hash=hash_of(lines[-1]),
        size=sum(len(line) + 1 for line in lines) - unended,
        unended=unended,
        torn=torn,
    )


def read_tail(lines: Sequence[bytes], source: str, number: int, begins: State) -> Log:
    """A log without what is long past: the header, the line of a number and those behind it.

    `begins` is the table as that line left it.
    """
    first, known, *rest = lines
    header = read_header(next(verified([first], source)), f"{source}:1")
    bodies = verified(rest, source, hash_of(known), number + 1)
    found = tuple(
        read_entry(body, f"{source}:{place}", header) for place, body in enumerate(bodies, number + 1)
    )
    return Log(
        header=header,
        lines=found,
        entries=_standing(found, header, source, number),
        source=source,
        last_hash=hash_of(lines[-1]),
        size=sum(len(line) + 1 for line in lines),
        begins=begins,
    )


def _require_log(lines: Sequence[bytes], source: str, torn: bytes) -> None:
    """Is there a log at all, whether or not it holds?"""
    first = lines[0] if lines else torn
    if not first.startswith(b'{"log":"croupier log') and not is_sealed(first):
        raise ParseError(f"{source}: is no log: its first line is no line of a log")
    if not lines:
        raise DoesNotHold(f"{source}: was cut off in its first line")


def _standing(lines: Sequence[Line], header: Header, source: str, first: int = 1) -> tuple[Entry, ...]:
    """The commands that were not struck."""
    standing = Standing(virtual=header.kind == "virtual")
    for number, line in enumerate(lines, start=first):
        if line.n != number:
            raise DoesNotHold(f"{source}:{number + 1}: is numbered {line.n}, not {number}")
        if not isinstance(line, Strike):
            standing.add(line)
        elif problem := standing.bar(line):
            raise DoesNotHold(f"{source}:{number_of(line)}: {problem}")
        else:
            standing.strike(line)
    return tuple(line for line in standing.lines if isinstance(line, Entry))
