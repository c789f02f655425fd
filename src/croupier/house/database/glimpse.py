"""A table as it stood once, so that it need not be played again from its first line to be taken up.

It is a shortcut and nothing else: without it, or where another release wrote it, all lines are decided again.
It is made before bets open, so that all of the round that is on lies behind it. What a live table was before
each of its lines must be at hand for strikes, so there it is of no use.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

import croupier
from croupier.cards import Card
from croupier.record import Bring, Told
from croupier.rulebook import Rules
from croupier.table import State
from croupier.table.events import BettingOpened

EVERY = 200  # lines at the least between one and the next

_RULES = "rules"  # are in the header
_FIELDS = [field for field in msgspec.structs.fields(State) if field.name != _RULES]
_Stood = msgspec.defstruct("_Stood", [(field.name, field.type) for field in _FIELDS])


class Glimpse(Struct, frozen=True):
    """The table as the `after`th command left it: what players had brought, and the cards in its shoe."""

    after: int
    state: State
    brought: dict[str, int]
    cards: tuple[Card, ...]


class _Kept(Struct, frozen=True):
    engine: str
    state: _Stood  # type: ignore[valid-type]
    brought: dict[str, int]
    cards: tuple[Card, ...]


def glimpse(told: list[Told], brought: dict[str, int], cards: tuple[Card, ...]) -> Glimpse | None:
    """The table before bets were opened, if they were with these lines and no card has come since.

    `brought` and `cards` are as they are after them.
    """
    before = dict(brought)
    for one in reversed(told):
        if isinstance(one.entry, Bring):
            before[one.entry.by.name] -= one.entry.brings
        if any(type(event) is BettingOpened for event in one.events):
            still = one.before.shoe == told[-1].after.shoe
            return Glimpse(one.entry.n - 1, one.before, before, cards) if still else None
    return None


def written(found: Glimpse) -> bytes:
    fields: dict[str, Any] = {field.name: getattr(found.state, field.name) for field in _FIELDS}
    kept = _Kept(croupier.__version__, _Stood(**fields), found.brought, found.cards)
    return msgspec.msgpack.encode(kept)


def read(raw: bytes, after: int, rules: Rules) -> Glimpse | None:
    """What was written; None where another release has."""
    try:
        kept = msgspec.msgpack.decode(raw, type=_Kept)
    except msgspec.DecodeError:
        return None
    if kept.engine != croupier.__version__:
        return None
    state = State(rules=rules, **msgspec.structs.asdict(kept.state))
    return Glimpse(after, state, kept.brought, kept.cards)
