"""Do the clause tests bite? Change each provision of each rulebook in turn and see whether one fails.

A number is moved by one, a set loses or gains a member, an order is turned round, an option is
withdrawn, a choice is replaced by every other one, and the tie between a clause and what it stands
behind is cut. A change that no clause test of the rulebook notices survives, and is printed.

    python scripts/mutate.py [RULEBOOK…]        exit status 1 if anything survives
"""

from __future__ import annotations

import copy
import sys
import tomllib
import typing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path
from types import UnionType
from typing import Any

from croupier.cards import RANKS, SUITS
from croupier.cases import ClauseTest, read_tests, run_test
from croupier.errors import ParseError, RulebookError
from croupier.money import parse_odds
from croupier.rulebook import NAMES, Rules
from croupier.rulebook.book import flatten, put
from croupier.rulebook.load import build, read
from croupier.threads import cores

TESTS = Path(__file__).parent.parent / "tests" / "rules"
Change = tuple[str, dict[str, Any]]


def choices(kind: Any) -> list[Any]:
    """The values of a Literal, looked for inside unions and tuples."""
    if typing.get_origin(kind) is typing.Literal:
        return list(typing.get_args(kind))
    if typing.get_origin(kind) in (tuple, frozenset, typing.Union, UnionType, dict):
        return [choice for part in typing.get_args(kind) for choice in choices(part)]
    return []


def kind_of(path: str) -> Any:
    """The declared type of a provision, as far down as it is a record."""
    kind: Any = Rules
    for name in path.split("."):
        if typing.get_origin(kind) is dict:
            kind = typing.get_args(kind)[1]
        else:
            record = next(
                (part for part in (kind, *typing.get_args(kind)) if hasattr(part, "__struct_fields__")), None
            )
            kind = typing.get_type_hints(record).get(name) if record else None
    return kind


def other_values(path: str, value: Any) -> Iterator[Any]:
    """Values near the one that the clause sets, none of them the same."""
    allowed = choices(kind_of(path))
    if isinstance(value, bool):
        yield not value
    elif allowed and not isinstance(value, list):
        yield from (choice for choice in allowed if choice != value)
    elif isinstance(value, int):
        # No total of cards is 1, so zero moves further.
        yield from (value + 1, value - 1) if value else (10,)
    elif isinstance(value, list):
        yield from other_lists(value, allowed, ordered=typing.get_origin(kind_of(path)) is tuple)
    elif letters := next((known for known in (RANKS, SUITS) if value and set(value) <= set(known)), ""):
        yield value[1:]
        missing = [letter for letter in letters if letter not in value]
        yield from (value + letter for letter in dict.fromkeys(missing[:1] + missing[-1:]))
    else:
        yield from other_text(value)


def other_lists(value: list[Any], allowed: list[Any], *, ordered: bool) -> Iterator[list[Any]]:
    for index in range(len(value)):
        yield value[:index] + value[index + 1 :]
    if ordered and value != value[::-1]:
        yield value[::-1]
    if value and isinstance(value[0], int):
        yield [*value, max(value) + 1]
        yield [min(value) - 1, *value]
    yield from ([*value, choice] for choice in allowed if choice not in value)


def other_text(value: str) -> Iterator[str]:
    try:
        odds = parse_odds(value)
        yield str(odds + Fraction(1, 2))
    except ParseError:
        yield value + "-x"


def changes(raw: dict[str, Any]) -> Iterator[Change]:
    """Every change of a rulebook file: what it is, and the file so changed."""
    for index, clause in enumerate(raw["clause"]):
        for path, value in flatten(clause.get("sets", {})).items():
            for other in other_values(path, value):
                changed = copy.deepcopy(raw)
                put(changed["clause"][index]["sets"], path, other)
                yield f"{clause['number']}: {path} = {value} becomes {other}", changed
        for name, alternatives in clause.get("options", {}).items():
            for gone in alternatives:
                changed = copy.deepcopy(raw)
                changed["clause"][index]["options"][name] = [kept for kept in alternatives if kept != gone]
                yield f"{clause['number']}: option {name} = {gone} withdrawn", changed
        for field in ("grounds", "deletes"):
            for name in clause.get(field, ()):
                changed = copy.deepcopy(raw)
                changed["clause"][index][field].remove(name)
                yield f"{clause['number']}: no longer {field[:-1]} {name}", changed


def notices(name: str, raw: dict[str, Any], tests: list[ClauseTest], number: str) -> bool:
    """Does loading the changed rulebook, or a test of it, fail?"""
    try:
        book = build(raw, name)
    except RulebookError:
        return True
    concerned = sorted(tests, key=lambda test: number not in test.clauses)
    return any(not run_test(test, book).passed for test in concerned)


def failing(tests: list[ClauseTest]) -> list[str]:
    """Tests that fail unchanged: they would notice anything, and prove nothing."""
    return [f"{test.source}: {test.title}" for test in tests if not run_test(test).passed]


def survivors(name: str, part: int, parts: int) -> tuple[int, list[str]]:
    raw = tomllib.loads(read(name))
    tests = [test for test in read_tests(TESTS) if test.rulebook == name]
    mine = [change for index, change in enumerate(changes(raw)) if index % parts == part]
    return len(mine), [
        what for what, changed in mine if not notices(name, changed, tests, what.split(": ")[0])
    ]


def main(names: list[str]) -> int:
    red = failing(read_tests(TESTS))
    if red:
        print("these tests fail before anything is changed:", *red, sep="\n  ")
        return 1
    left = 0
    parts = cores()
    with ProcessPoolExecutor(parts) as pool:
        for name in names:
            shares = pool.map(survivors, [name] * parts, range(parts), [parts] * parts)
            counts, found = zip(*shares, strict=True)
            alive = sorted(what for part in found for what in part)
            for what in alive:
                print(f"survives: {name} {what}")
            print(f"{name}: {sum(counts)} changes, {len(alive)} survive")
            left += len(alive)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(NAMES)))
