"""Rulebooks from TOML: the four that come with Croupier by name, anybody's own by path."""

from __future__ import annotations

import datetime
import difflib
import functools
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier.errors import RulebookError
from croupier.rulebook.book import Rulebook, Words, bind, convert_values
from croupier.rulebook.demonstration import derived, shipped
from croupier.rulebook.provision import provisions
from croupier.rulebook.rules import Rules
from croupier.rulebook.text import Clause, Instrument, consolidate, sorted_by_date
from croupier.rulebook.toml import parse, read_text

NAMES = ("act-blackjack-2003", "act-blackjack-1997", "uk-blackjack-1994", "act-pontoon-2002")
# What people type for them.
SHORT_NAMES = {
    "blackjack": "act-blackjack-2003",
    "2003": "act-blackjack-2003",
    "1997": "act-blackjack-1997",
    "uk": "uk-blackjack-1994",
    "pontoon": "act-pontoon-2002",
}


class Document(Struct, frozen=True, forbid_unknown_fields=True):
    """A rulebook file as it is written."""

    id: str
    title: str
    instrument: tuple[Instrument, ...]
    clause: tuple[Clause, ...]
    words: Words = Words()
    base: str = ""
    base_omits: tuple[str, ...] = ()
    until: datetime.date | None = None
    silent: dict[str, tuple[Any, ...]] = {}


def load(name: str, on: datetime.date | None = None) -> Rulebook:
    """The rulebook called `name`, or in the file `name`, as in force `on` a day (None: as amended last).

    A short name will do. It is built once for as long as its file, and those of the rulebooks it is based on,
    stay as they are.
    """
    name = SHORT_NAMES.get(name, name)
    try:
        return _load(name, on, _texts(name))
    except RecursionError:
        raise RulebookError(f"{name}: is based, in the end, on itself") from None


@functools.lru_cache(maxsize=64)
def _load(name: str, on: datetime.date | None, _: tuple[str, ...]) -> Rulebook:
    return build(_parsed(name, read(name)), name, on)


@functools.lru_cache(maxsize=64)
def _parsed(name: str, text: str) -> dict[str, Any]:
    return parse(text, name)


def _texts(name: str) -> tuple[str, ...]:
    """What stands in the file now, and in that of its base; what came with Croupier stays as it is."""
    if name in NAMES:
        return ()
    text = read(name)
    base = _parsed(name, text).get("base")
    return (text, *(_texts(base) if isinstance(base, str) and base else ()))


def read(name: str) -> str:
    if name in NAMES:
        return (resources.files("croupier") / "rulebooks" / f"{name}.toml").read_text("utf-8")
    path = Path(name)
    for successor in map(load, NAMES):
        if any(name in instrument.revokes for instrument in successor.instruments):
            raise RulebookError(f"{name} was revoked by {successor.title}", successor.citations("revoked"))
    if path.suffix != ".toml":
        raise RulebookError(
            f"{name!r} is no rulebook{_nearest(name)}: name one of {', '.join(NAMES)}, or a .toml file"
        )
    return read_text(path)


def _nearest(name: str) -> str:
    """The name that was meant, if one is near."""
    near = difflib.get_close_matches(name.lower(), (*NAMES, *SHORT_NAMES), n=1)
    return f"; {near[0]} is one" if near else ""


def short_names(name: str) -> list[str]:
    """What a rulebook that came with Croupier is called for short."""
    return [short for short, long in SHORT_NAMES.items() if long == name]


def build(raw: dict[str, Any], file: str, on: datetime.date | None = None) -> Rulebook:
    """A rulebook from the parsed TOML of `file`; errors name the file and, where there is one, the clause."""
    if "house" in raw:
        raise RulebookError(f"{file}: has a [house]; a house is a file of its own, which --house names")
    try:
        document = msgspec.convert(raw, Document)
    except msgspec.ValidationError as error:
        raise RulebookError(f"{file}: {_locate(raw, str(error))}") from None
    own = _with_origin(document, file)
    base = load(document.base) if document.base else None
    _check_known(document, file, on)
    inherited = (
        tuple(clause for clause in base.clauses if clause.number not in document.base_omits) if base else ()
    )
    clauses = consolidate(inherited, document.instrument, own, on)
    rules, bound = bind(clauses, file)
    book = Rulebook(
        id=document.id,
        title=document.title,
        words=document.words,
        instruments=document.instrument,
        clauses=clauses,
        demonstration=_demonstration(file, base, rules),
        rules=rules,
        bound=bound,
        file=file,
        silent=(base.silent if base else {}) | document.silent,
        until=document.until,
    )
    _check_left_to_house(book)
    book.choose()
    return book


def _check_known(document: Document, file: str, on: datetime.date | None) -> None:
    """A day on which the text was not made yet, or had given way to one that we do not have, is refused."""
    first = sorted_by_date(document.instrument)[0].made
    until = document.until
    if until is not None and until <= first:
        raise RulebookError(f"{file}: until = {until} is not after the first instrument, made on {first}")
    if on is None or (on >= first and (until is None or on < until)):
        return
    if until is None:
        raise RulebookError(f"{file}: {document.id} is not in force on {on}; it was made on {first}")
    days = f"before {_in_words(first)} and from {_in_words(until)}"
    raise RulebookError(f"{file}: not on {on}: {days} the text is not known to us")


def _in_words(day: datetime.date) -> str:
    return f"{day.day} {day:%B %Y}"


def _demonstration(file: str, base: Rulebook | None, rules: Rules) -> dict[str, Any]:
    """The settings of the demonstration house: those that came with Croupier, or some that fit the rules."""
    if file in NAMES:
        return (base.demonstration if base else {}) | shipped(file)
    return derived(rules)


def _check_left_to_house(book: Rulebook) -> None:
    """What is left to the house must be provisions, and the alternatives values that they can have."""
    left = [(clause.options, (clause.citation,)) for clause in book.clauses]
    for options, clauses in [*left, (book.silent, ())]:
        for name, alternatives in options.items():
            if name not in provisions(Rules):
                raise RulebookError(
                    f"{book.file}: leaves {name!r} to the house, which is no provision", clauses
                )
            for value in alternatives:
                try:
                    convert_values({name: value})
                except (msgspec.ValidationError, ValueError) as error:
                    why = f"{book.file}: leaves {name} = {value!r} to the house: {error}"
                    raise RulebookError(why, clauses) from None


def _with_origin(document: Document, file: str) -> tuple[Clause, ...]:
    """The clauses with their document and instrument filled in, each number used once."""
    if not document.clause:
        raise RulebookError(f"{file}: no [[clause]]; a rulebook needs clauses")
    known = {instrument.id for instrument in document.instrument}
    if not known:
        raise RulebookError(f"{file}: no [[instrument]]; a rulebook needs the act that makes it")
    first = document.instrument[0].id
    own = tuple(
        msgspec.structs.replace(clause, document=document.id, instrument=clause.instrument or first)
        for clause in document.clause
    )
    for clause in own:
        if clause.instrument not in known:
            raise RulebookError(
                f"{file}: instrument {clause.instrument!r} is not declared", (clause.citation,)
            )
    number, times = Counter(clause.number for clause in own).most_common(1)[0]
    if times > 1:
        raise RulebookError(f"{file}: clause {number} stands there {times} times")
    return own


def _locate(raw: dict[str, Any], message: str) -> str:
    """msgspec's message with the clause's number in place of its index."""
    clauses = raw.get("clause", ())
    for index, clause in enumerate(clauses if isinstance(clauses, list) else ()):
        place = f"$.clause[{index}]"
        named = clause.get("number", index) if isinstance(clause, dict) else index
        if message.endswith(f"`{place}`") or f"`{place}." in message or f"`{place}[" in message:
            return f"clause {named}: {message}"
    return message
