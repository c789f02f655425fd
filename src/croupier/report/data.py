"""Records as data that JSON can say. Fields that a record gains come along by themselves.

A fraction is a number, and beside it under the same name with `_exact` the fraction as text. A clause is its
citation. Decks without end are `inf`, as on the command line.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from croupier.report.text import DIGITS, ENDLESS
from croupier.rulebook.text import Clause

if TYPE_CHECKING:
    from croupier.report.model import Report

EXACT = "_exact"
INFINITE = "inf"
Data = dict[str, Any]
# What records work out of their fields and is told with them.
WORKED_OUT = {
    "Spread": ("deviation",),
    "Compared": ("of_hands", "of_splits", "difference"),
    "Otherwise": ("worth",),
    "SplitRest": ("worth",),
}


def plain(value: Any) -> Any:
    """A record, or whatever one holds, as JSON says it."""
    if isinstance(value, Clause):
        return value.citation
    if isinstance(value, Struct):
        return dict(_fields((name, getattr(value, name)) for name in told_of(value)))
    if isinstance(value, dict):
        return dict(_fields(value.items()))
    if isinstance(value, tuple | list | frozenset):
        return [plain(part) for part in value]
    if isinstance(value, Fraction):
        return float(value)
    return round(float(value), DIGITS) if isinstance(value, float) else value


def told_of(record: Struct) -> tuple[str, ...]:
    """The names of all that is told of a record."""
    return (*record.__struct_fields__, *WORKED_OUT.get(type(record).__name__, ()))


def _fields(pairs: Any) -> Iterator[tuple[str, Any]]:
    for key, value in pairs:
        name = str(key)
        yield name, INFINITE if name == "decks" and value == ENDLESS else plain(value)
        if isinstance(value, Fraction):
            yield name + EXACT, str(value)


def report_as_data(report: Report) -> Data:
    """Everything that a report has, but its study, which is told before it; and the clauses that it cites."""
    data = dict(
        _fields((name, getattr(report, name)) for name in report.__struct_fields__ if name != "study")
    )
    data["clauses"] = {
        clause.citation: {"says": clause.says, "reading": clause.reading} for clause in cited(report)
    }
    return data


def cited(report: Report) -> list[Clause]:
    """Every clause that the rules, the paytables and the readings rest on, with its parts, in their order."""
    book = report.study.book
    named = {clause.citation for provision in report.provisions for clause in provision.clauses}
    named |= {clause.citation for clause in report.readings}
    named |= {clause.citation for end in report.par.endings for clause in end.clauses}
    for bet in report.side_bets:
        named |= {clause.citation for clauses in bet.clauses.values() for clause in clauses}
    named |= {part.citation for citation in named for part in book.called(citation)}
    return [clause for clause in book.clauses if clause.citation in named]
