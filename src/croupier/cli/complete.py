"""Completion of what is typed at the dealer's desk: whole lines that begin with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import msgspec

from croupier.errors import ParseError
from croupier.money import plain
from croupier.rulebook import Rulebook
from croupier.table.actors import OFFICES
from croupier.table.again import Bid, Bids
from croupier.table.commands import Command, office_of
from croupier.table.shorthand import DECISIONS, bettor, names
from croupier.table.sidebets import short_name
from croupier.table.state import State
from croupier.table.text import VERBS

ASIDES = ("help", "what", "table", "lines", "strike", "position", "why", "quit", "same")


def completions(state: State, book: Rulebook, last: Bids, typed: str) -> list[str]:
    """The lines that `typed` may become, the likeliest first."""
    if not typed.strip():
        return []
    found = (line for line in _lines(state, book, last, typed) if line.startswith(typed) and line != typed)
    return list(dict.fromkeys(found))


def common_start(lines: list[str]) -> str:
    """How all of the lines begin."""
    first, last = min(lines), max(lines)
    same = (index for index, letter in enumerate(first) if not last.startswith(first[: index + 1]))
    return first[: next(same, len(first))]


def _lines(state: State, book: Rulebook, last: Bids, typed: str) -> Iterator[str]:
    head, _, _ = typed.rpartition(" ")
    first = typed.split()[0]
    if first in VERBS and " " in typed:
        yield from (f"{head} {field}" for field in _fields(VERBS[first], typed.split()[1:], state))
        return
    if first in ("why", "help", "as") and " " in typed:
        yield from (f"{first} {word}" for word in _words(first, book))
        return
    if state.stage == "betting":
        yield from _wagers(state, last)
    yield from ASIDES
    yield from (f"{name} {rest}" for name in names(state) for rest in ("bets ", "sits ", "returns"))
    yield from DECISIONS
    yield from (f"as {role} " for role in OFFICES)
    yield from sorted(VERBS)


def _words(first: str, book: Rulebook) -> list[str]:
    if first == "as":
        return [f"{role} " for role in OFFICES]
    return sorted(VERBS) if first == "help" else [book.short(clause) for clause in book.clauses]


def _wagers(state: State, last: Bids) -> Iterator[str]:
    """Everybody's last wager again, by box and by name."""
    for (box, name), bid in last.items():
        yield f"{name} bets {plain(bid.stake)} on {box}{_sides(bid)}"
        if _alone(state, last, box) == name:
            yield f"{box} {plain(bid.stake)}{_sides(bid)}"


def _sides(bid: Bid) -> str:
    return "".join(f" {short_name(side)}={plain(stake)}" for side, stake in bid.sides.items())


def _alone(state: State, last: Bids, box: int) -> str:
    try:
        return bettor(state, last, box)
    except ParseError:
        return ""


def _fields(kind: type[Command], given: list[str], state: State) -> Iterator[str]:
    """The fields that a command still lacks, with the words that each takes."""
    have = {word.partition("=")[0] for word in given if "=" in word[:-1]}
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    if office_of(kind) is None:
        fields = {"by": str, **fields}
    for name, takes in fields.items():
        words = [*names(state)] if name in ("by", "player", "to") and takes is str else _takes(takes)
        if name not in have or given[-1].startswith(f"{name}="):
            yield from (f"{name}={word}" for word in words)
            yield f"{name}="


def _takes(takes: object) -> list[str]:
    return [word for word in get_args(takes) if isinstance(word, str) and word] + (
        ["true", "false"] if takes is bool else []
    )
