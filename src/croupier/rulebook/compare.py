"""The differences of two rulebooks, or of one on two days: provisions, duties and clauses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from croupier.rulebook.book import Rulebook, convert_values
from croupier.rulebook.grounds import is_duty
from croupier.rulebook.paytable import SideBet, SuperBonus
from croupier.rulebook.provision import provisions
from croupier.rulebook.rules import Rules
from croupier.rulebook.text import Clause
from croupier.rulebook.words import ground_words, name_of, words


class Wording(Struct, frozen=True):
    """What one rulebook says on a provision, and the clauses that say it; none where it is silent."""

    words: str
    value: Any
    clauses: tuple[Clause, ...]


class Difference(Struct, frozen=True):
    section: str
    provision: str
    name: str
    first: Wording
    second: Wording


class Duty(Struct, frozen=True):
    """A ground that only one of two rulebooks binds."""

    ground: str
    words: str
    clauses: tuple[Clause, ...]


class Comparison(Struct, frozen=True):
    """What sets two rulebooks apart. Clauses are told apart only where both are one document's."""

    first: Rulebook
    second: Rulebook
    differences: tuple[Difference, ...]
    only_first: tuple[Duty, ...]
    only_second: tuple[Duty, ...]
    deleted: tuple[Clause, ...]
    inserted: tuple[Clause, ...]


def compare(first: Rulebook, second: Rulebook) -> Comparison:
    """The differences of two rulebooks, or of one on two days."""
    same = first.id == second.id
    return Comparison(
        first=first,
        second=second,
        differences=tuple(_differences(first, second)),
        only_first=tuple(_duties(first, second)),
        only_second=tuple(_duties(second, first)),
        deleted=_lacking(second, first) if same else (),
        inserted=_lacking(first, second) if same else (),
    )


def _lacking(book: Rulebook, other: Rulebook) -> tuple[Clause, ...]:
    """The clauses of another text that the book does not have."""
    have = {clause.citation for clause in book.clauses}
    return tuple(clause for clause in other.clauses if clause.citation not in have)


# Differences


def _differences(first: Rulebook, second: Rulebook) -> Iterator[Difference]:
    for provision, known in provisions(Rules).items():
        pair = getattr(first.rules, provision), getattr(second.rules, provision)
        for path, one, other in _apart(provision, *pair):
            here, there = _wording(first, path, one), _wording(second, path, other)
            if here.words != there.words:
                yield Difference(
                    section=known.section, provision=path, name=name_of(path), first=here, second=there
                )


def _apart(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """(path, value, value) of what may differ; tables and records present on both sides are opened."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one | other:
            yield from _apart(f"{path}.{key}", one.get(key), other.get(key))
    elif isinstance(one, SideBet | SuperBonus) and isinstance(other, SideBet | SuperBonus):
        for field in one.__struct_fields__:
            yield from _apart(f"{path}.{field}", getattr(one, field), getattr(other, field))
    else:
        yield path, one, other


def _wording(book: Rulebook, path: str, value: Any) -> Wording:
    said = words(path, value)
    options = book.options().get(path)
    if options:
        others = [convert_values({path: other})[path] for other in options[1][1:]]
        choice = f": {words(path, others[0])}" if len(others) == 1 else " otherwise"
        said += f" (the house may choose{choice})"
    return Wording(words=said, value=value, clauses=book.cite(path))


def _duties(book: Rulebook, other: Rulebook) -> Iterator[Duty]:
    """The grounds that only `book` binds; those of a side bet that the other has not are no news."""
    for ground, clauses in book.bound.items():
        if ground in other.bound or not is_duty(ground):
            continue
        bet = ground.split(".")[1] if ground.startswith("side_bets.") else ""
        if not bet or bet in other.rules.side_bets:
            yield Duty(ground=ground, words=ground_words(ground), clauses=clauses)
