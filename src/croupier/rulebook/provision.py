"""What is known of a rule beside its type and its default stands at its field, in one record.

    soft_17: Annotated[
        Literal["stand", "hit"],
        SETTLEMENT("Dealer on soft 17", {"stand": "stands", "hit": "draws"}, worth="dealer"),
    ] = "stand"

A provision of the law carries a `Provision`, a house's setting a `Setting`. Whatever shows, compares,
studies or reports rules asks for them here, so that a new rule is stated once, at its field.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct

NO_PROVISION = "no provision"

# What a hand's worth may depend on; provisions of one kind are taken together where there are too many.
Worth = Literal["", "cards", "drawing", "splitting", "doubling", "surrender", "winning", "dealer"]


class Provision(Struct, frozen=True):
    """What is known of a provision, or of a part of one."""

    section: str
    name: str  # as people call it; empty for what only holds its parts together
    words: dict[Any, str] = {}  # for each of its choices, or for each member of its list
    nothing: str = "none"  # said where it is empty, or zero, or None
    phrase: str = "{}"  # what is said around a value that has no words of its own
    unit: Literal["odds", "share", "decks", "ranks", "cards", "suits"] = (
        "odds"  # of a fraction, or of letters
    )
    either: bool = False  # a list of which one is chosen
    each: str = "{name}, {key}"  # the name of one entry of a table
    worth: Worth = ""  # what it changes of a hand's worth: it may then be set for study
    write: str = ""  # what may be written for it, where its type alone does not tell
    asked: tuple[str, ...] = ()  # the values that are asked about in any game
    told: Literal["", "value", "reading"] = (
        ""  # what a report tells of it though no hand's worth depends on it
    )
    of: str = ""  # the provision without which it means nothing
    house_rules: bool = False  # where no clause speaks, the house rules and the game does not lack it


class Setting(Struct, frozen=True):
    """What is known of a house's setting."""

    behind: str  # the provision or ground that leaves it to the house
    permitted: str  # in words; {} stands for what the provision behind says
    where: dict[Any, str] = {}  # the words for some values of that provision, in place of `permitted`
    by: str = ""  # the provision that says so, where it is not the one behind
    is_amount: bool = False  # cents, which people write in dollars
    must_state: bool = False  # no house may leave it out
    is_name: bool = False  # says whose table it is, which is told first


Known = TypeVar("Known", Provision, Setting)


@functools.cache
def provisions(record: type[Struct]) -> dict[str, Provision]:
    """The provisions of a record by their fields; a field may be none, as what a house has chosen."""
    return dict(_known(record, Provision))


@functools.cache
def settings_in(record: type[Struct]) -> dict[str, Setting]:
    """The settings of a record by their fields."""
    return dict(_known(record, Setting))


def _known(record: type[Struct], kind: type[Known]) -> Iterator[tuple[str, Known]]:
    hints = get_type_hints(record, include_extras=True)
    for name in record.__struct_fields__:
        if get_origin(hints[name]) is Annotated:
            yield from ((name, known) for known in hints[name].__metadata__ if isinstance(known, kind))


@functools.cache
def types(record: type[Struct]) -> dict[str, Any]:
    """The types of a record's fields, without what else is known of them."""
    return get_type_hints(record)


def parts(record: type[Struct], path: str) -> Iterator[tuple[str, Provision | None]]:
    """The parts of a dotted name, each with what is known of it: None for a key of a table."""
    kind: Any = record
    for name in path.split("."):
        if get_origin(kind) is dict:
            kind = get_args(kind)[1]
            yield name, None
        else:
            holder = _record_in(kind)
            yield name, provisions(holder).get(name) if holder else None
            kind = types(holder).get(name) if holder else None


def has_parts(record: type[Struct], name: str) -> bool:
    """Is the field a table or a record, whose parts have dotted names?"""
    kind = types(record)[name]
    return get_origin(kind) is dict or _record_in(kind) is not None


def _record_in(kind: Any) -> type[Struct] | None:
    """A record's type, also where it may be None instead."""
    return next((one for one in (kind, *get_args(kind)) if hasattr(one, "__struct_fields__")), None)


def choices(kind: Any) -> tuple[Any, ...]:
    """The values of a Literal, also of one inside a union, a list or a table."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return tuple(choice for part in get_args(kind) for choice in choices(part))
