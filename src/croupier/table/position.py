"""A position: one line of text for all that a table's state holds beside its rules and its past.

A record is `(name=value …)` without what is as its default says, a list `[…]`, a word bare where it can be.
So a failing test shows where the table stood, and `state_at` stands there again:

    stage=playing round=1 … boxes=[(number=1 … hands=[(cards=[9s 7d] …)])] dealer=[6c] …
"""

from __future__ import annotations

import base64
import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from croupier.cards import ALL_CARDS
from croupier.errors import ParseError
from croupier.rulebook.rules import Rules
from croupier.table.state import State

APART = frozenset({"rules", "past"})  # a position leaves them to the rulebook and to the record
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
BARE = re.compile(r"[\w.:+/-]+")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]=]|[^\s()\[\]="]+|"')


def position(state: State) -> str:
    """The state as one line that `state_at` reads."""
    return " ".join(_fields(state))


def _fields(record: Struct) -> Iterator[str]:
    for field in msgspec.structs.fields(record):
        value = getattr(record, field.name)
        usual = {} if field.default_factory is dict else field.default
        if field.name not in APART and value != usual:
            yield f"{field.name}={_written(value)}"


def _written(value: object) -> str:
    if isinstance(value, Struct):
        return f"({' '.join(_fields(value))})"
    if isinstance(value, tuple):
        return f"[{' '.join(map(_written, value))}]"
    if isinstance(value, dict):
        return f"({' '.join(f'{_written(key)}={_written(part)}' for key, part in value.items())})"
    if isinstance(value, bytes):  # cards counted by kind: a digit each
        return "".join(DIGITS[count] for count in value)
    if isinstance(value, str):
        return value if BARE.fullmatch(value) else json.dumps(value)
    return json.dumps(value)


def state_at(rules: Rules, text: str) -> State:
    """The state that a line tells of, under these rules and with no round on record."""
    tokens = deque(TOKEN.findall(f"({text})"))
    kinds = {field.name: field.type for field in msgspec.structs.fields(State) if field.name not in APART}
    try:
        tree = _read(tokens)
        if tokens or not isinstance(tree, dict) or not tree.keys() <= kinds.keys():
            raise ValueError("write name=value of " + ", ".join(kinds))
        return State(rules=rules, **{name: _converted(tree[name], kinds[name]) for name in tree})
    except (ValueError, TypeError, IndexError) as error:
        raise ParseError(f"this is no position: {error or 'it ends too soon'}") from None


def _read(tokens: deque[str]) -> Any:
    """The next value: a dict for a record, a list, or a word."""
    token = tokens.popleft()
    if token == "(":
        return dict(_named(tokens))
    if token == "[":
        return list(_listed(tokens))
    if token in ")]=":
        raise ValueError(f"{token!r} stands where a value belongs")
    return json.loads(token) if token.startswith('"') else token


def _named(tokens: deque[str]) -> Iterator[tuple[str, Any]]:
    while tokens[0] != ")":
        name = _read(tokens)
        if not isinstance(name, str) or tokens.popleft() != "=":
            raise ValueError(f"{name!r} has no value")
        value = _read(tokens)
        yield name, _as_bytes(value) if name == "unseen" else value
    tokens.popleft()


def _listed(tokens: deque[str]) -> Iterator[Any]:
    while tokens[0] != "]":
        yield _read(tokens)
    tokens.popleft()


def _as_bytes(digits: str) -> str:
    """Counts of all kinds of cards, as msgspec has bytes in text."""
    if len(digits) != len(ALL_CARDS):
        raise ValueError(f"{digits!r} does not count {len(ALL_CARDS)} kinds of cards")
    return base64.b64encode(bytes(map(DIGITS.index, digits))).decode()


def _converted(value: Any, kind: Any) -> Any:
    return msgspec.convert(value, kind, strict=False)
