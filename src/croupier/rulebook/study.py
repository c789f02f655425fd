"""Rules for study: a rulebook with any of its provisions changed, within the law or outside it.

What the house may choose is chosen as for a table. Everything else that `Rules` can say may be set as
well, and is then named as a departure from the clauses that say otherwise.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from croupier.errors import ParseError, RulebookError
from croupier.rulebook.book import Rulebook, decode_special, encode_special, put
from croupier.rulebook.house import House
from croupier.rulebook.pairs import read_pair, value_of
from croupier.rulebook.provision import choices, provisions, settings_in, types
from croupier.rulebook.rules import Rules
from croupier.rulebook.sense import contradictions


class Departure(Struct, frozen=True):
    """A provision set to what the law does not permit, and the clauses that it goes against."""

    name: str
    value: str
    clauses: tuple[str, ...]

    def __str__(self) -> str:
        against = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return f"{self.name} = {self.value}{against}"


class Study(Struct, frozen=True):
    """Rules to look at, and where they leave the law; `settings` are those within it."""

    book: Rulebook
    rules: Rules
    departures: tuple[Departure, ...]
    settings: dict[str, Any] = {}


def as_setting(value: Any) -> str:
    """A value as `--set` takes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction):
        return str(encode_special(value))
    if isinstance(value, tuple | list | frozenset):
        return ",".join(map(str, sorted(value))) or "none"
    return str(value)


def study(book: Rulebook, settings: Iterable[str] = (), decks: int | None = None) -> Study:
    """The rules of a book with settings given as `name=value`, and so many decks."""
    within: dict[str, Any] = {}
    outside: dict[str, str] = {}
    options = book.options()
    for pair in settings:
        name, text = read_pair(pair)
        value = value_of(name, text)
        top = name.split(".")[0]
        allowed = [_plain(choice) for choice in options[name][1]] if name in options else []
        if name in House.__struct_fields__:
            within[name] = value
        elif value in allowed or text in allowed:
            within[name] = value if value in allowed else text
        elif top not in provisions(Rules):
            raise ParseError(f"--set {pair}: there is no provision {name!r}; {_near(top, book)}")
        else:
            outside[name] = text
    if decks is not None and decks in book.rules.decks_allowed:
        within["decks"] = decks
    rules = book.choose(**within)
    departures = []
    for name, text in outside.items():
        changed = _with(rules, name, text)
        if changed != rules:
            departures.append(_departure(book, name, text))
        rules = changed
    if decks is not None and decks not in book.rules.decks_allowed:
        rules = msgspec.structs.replace(rules, house=msgspec.structs.replace(rules.house, decks=decks))
        departures.append(_departure(book, "decks", str(decks)))
    for provision, contradiction in contradictions(rules):
        raise RulebookError(f"these rules cannot be combined: {contradiction}", book.citations(provision))
    return Study(book, rules, tuple(departures), within)


def _near(name: str, book: Rulebook) -> str:
    close = difflib.get_close_matches(name, provisions(Rules), n=3)
    listed = f"`croupier rules options {book.id}` lists them"
    return f"perhaps {' or '.join(close)}? {listed}" if close else listed


def studied() -> tuple[str, ...]:
    """The provisions that can change what a hand is worth."""
    return tuple(name for name, known in provisions(Rules).items() if known.worth)


def writable(name: str) -> str:
    """What a provision can be set to, in words; empty where there is no such provision."""
    if name not in provisions(Rules):
        return ""
    if said := provisions(Rules)[name].write:
        return said
    kind = types(Rules)[name]
    if listed := choices(kind):
        *most, last = map(str, listed)
        return f"{', '.join(most)} or {last}"
    if kind is bool:
        return "true or false"
    return "odds or a share, as 3/2" if kind is Fraction else "a number"


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value, enc_hook=encode_special)


def _with(rules: Rules, name: str, text: str) -> Rules:
    """The rules with one provision set."""
    tree = _plain(rules)
    for attempt in (text, value_of(name, text)):
        put(tree, name, attempt)
        try:
            changed: Rules = msgspec.convert(tree, Rules, dec_hook=decode_special, strict=False)
        except (msgspec.ValidationError, ValueError) as error:
            problem = str(error).partition(" - at")[0]
            continue
        return changed
    allowed = writable(name)
    raise ParseError(f"--set {name}={text}: {f'write {allowed}' if allowed else problem}")


def _departure(book: Rulebook, name: str, text: str) -> Departure:
    behind = settings_in(House)[name].behind if name in settings_in(House) else name
    return Departure(name, text, book.citations(behind))
