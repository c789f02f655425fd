"""Where a clause is obeyed: the functions that made events and refusals name it while clause tests ran.

All events and refusals of a table go through `table/run.py`, and each names the provisions it rests on. A
`Record` is told of them and notes the functions under way, from the one that spoke up to the handler of the
command; a bar speaks for the function that made it, not for the handler that refuses by it. The place is the
first of them that speaks for few provisions: what pays whatever it is told to pay speaks for dozens, and the
function that called it knows why.
"""

from __future__ import annotations

import linecache
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from msgspec import Struct

import croupier
from croupier.game.hand import Bar, value_basis
from croupier.rulebook import Rulebook
from croupier.rulebook.book import flatten
from croupier.rulebook.choose import check_house
from croupier.rulebook.load import read
from croupier.rulebook.text import Clause, consolidate
from croupier.table import advance
from croupier.table.contents import BARS
from croupier.table.opening import open_table
from croupier.table.run import refuse_asker, refuse_barred, witnessed

PACKAGE = Path(croupier.__file__).parent
FEW = 12  # provisions, and a function speaks for each of them
MOST_PLACES = 3
Way = tuple[CodeType, ...]
# What a handler asks first as a whole speaks with the handler's voice.
ASKING = frozenset(bars.__code__ for bars in BARS.values())

# What a clause test cites without a command: the text itself, its values, and what a house may choose.
ELSEWHERE: dict[Callable[..., Any], tuple[str, ...]] = {
    consolidate: ("amendment", "deleted"),
    read: ("revoked",),
    vars(Rulebook)["glossary"].fget: ("glossary",),
    advance: ("conduct_by_rules",),
    open_table: ("instrument",),
    value_basis: ("values", "ace_low", "ace_high", "face_value_ranks", "ten_ranks"),
    check_house: ("approvals", "approval_by", "bank_share", "must_offer", "float"),
}


class Place(Struct, frozen=True, order=True):
    """A function of the package."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Record:
    """How often events and refusals named a provision, by the functions under way when they did."""

    def __init__(self) -> None:
        self.ways: defaultdict[str, Counter[Way]] = defaultdict(Counter)
        self.bars: dict[Bar, Way] = {}

    def __call__(self, *provisions: str) -> None:
        # The caller's caller: this one is called by `emit` and `refuse`.
        frame = sys._getframe(2)
        way = tuple(_under_way(frame))
        if frame.f_code is refuse_barred.__code__:
            way = self.bars.get(frame.f_locals["bar"], way)
        for provision in provisions:
            self.ways[provision][way] += 1

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While this lasts every event, refusal and bar is noted."""
        make = Bar.__new__

        def note(kind: type[Bar], *parts: Any, **named: Any) -> Bar:
            bar = make(kind, *parts, **named)
            self.bars[bar] = tuple(_under_way(sys._getframe(1)))
            return bar

        Bar.__new__ = note  # type: ignore[method-assign, assignment]
        try:
            with witnessed(self):
                yield
        finally:
            Bar.__new__ = make  # type: ignore[method-assign]

    def speakers(self) -> dict[str, Counter[CodeType]]:
        """For each provision the functions that speak for it, and how often they did."""
        breadth: Counter[CodeType] = Counter()
        for ways in self.ways.values():
            breadth.update({code for way in ways for code in way})
        found: dict[str, Counter[CodeType]] = {name: Counter() for name in self.ways}
        for name, ways in self.ways.items():
            for way, times in ways.items():
                few = (code for code in way if breadth[code] <= FEW)
                found[name][next(few, min(way, key=breadth.__getitem__))] += times
        return found


def _under_way(frame: FrameType | None) -> Iterator[CodeType]:
    """The functions from here up to the handler of the command; where it is not called, who refuses."""
    machinery = refuse_asker.__code__.co_filename
    if frame and frame.f_code is refuse_asker.__code__:
        yield frame.f_code
    while frame and frame.f_code is not advance.__code__:
        code = frame.f_code
        if code.co_filename != machinery and code not in ASKING and not code.co_name.startswith("<"):
            yield code
        frame = frame.f_back


class Places:
    """Looks up the places of clauses in a record."""

    def __init__(self, record: Record) -> None:
        self.speakers = record.speakers()
        for function, names in ELSEWHERE.items():
            self.speakers = {name: Counter({function.__code__: 1}) for name in names} | self.speakers
        self.words = sum(self.speakers.values(), Counter[CodeType]())

    def of(self, clause: Clause, document: Iterable[Clause]) -> tuple[Place, ...]:
        """At most three, the most specific first; a clause that only introduces its parts has theirs."""
        own = self._own(clause)
        if own:
            return own[:MOST_PLACES]
        parts = [part for part in document if part != clause and part.is_named(clause.number)]
        first_of_each = [place for part in parts for place in self._own(part)[:1]]
        return tuple(dict.fromkeys(first_of_each))[:MOST_PLACES]

    def _own(self, clause: Clause) -> tuple[Place, ...]:
        """The functions that speak for what the clause says; first the one that says little besides."""
        said = dict.fromkeys((*flatten(clause.sets), *clause.options, *clause.grounds))
        names = dict.fromkeys(behind for name in said for behind in self._behind(name))
        times = sum((self.speakers[name] for name in names), Counter[CodeType]())
        ranked = sorted(times, key=lambda code: (-times[code] / self.words[code], _place(code)))
        return tuple(map(_place, ranked))

    def _behind(self, name: str) -> Iterator[str]:
        """What has speakers: the provision, else the nearest that it is part of, else its parts."""
        whole = name
        while whole not in self.speakers and "." in whole:
            whole = whole.rpartition(".")[0]
        if whole in self.speakers:
            yield whole
        else:
            yield from (part for part in self.speakers if part.startswith(f"{name}."))


def _place(code: CodeType) -> Place:
    file, first = Path(code.co_filename), code.co_firstlineno
    from_here = enumerate(linecache.getlines(code.co_filename)[first - 1 :], first)
    # Decorators come first.
    line = next((number for number, text in from_here if text.lstrip().startswith("def ")), first)
    return Place(f"croupier/{file.relative_to(PACKAGE).as_posix()}", line, code.co_qualname)
