"""Everything that can be typed at a table: commands of every kind, made from their fields alone.

A field's values come from its name where the name has a meaning at a table, else from its type, so
that a new kind of command is asked without a word here. Each field has values that may well be
right and odd ones. A command is made of likely values, or of likely values and one that is odd.
"""

from __future__ import annotations

import functools
import math
import random
import types
import typing
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any, Literal, NamedTuple

import msgspec

from croupier.cards import ALL_CARDS, INDEX, Card
from croupier.table.actors import EVERYBODY, SUPERVISOR, player
from croupier.table.commands import KINDS, Asked, Command, office_of
from croupier.table.reconstruct import lying
from croupier.table.shoe import cut_window, cutting_card_window, deck_size, second_card_window
from croupier.table.state import State

PLAYERS = ("p1", "p2", "p3")
STRANGER = "p9"
NOBODY = ""
LARGE = 10**9
RANKS = "A47K"  # pairs, naturals, three sevens, an eleven, hands below twelve; and few of them


class Values(NamedTuple):
    """What a field may be asked with."""

    likely: tuple[Any, ...]
    odd: tuple[Any, ...] = ()


def few_cards(state: State) -> tuple[Card, ...]:
    """The held cards, and of the ranks at hand two suits each that may still come."""
    shoe = state.shoe
    left = [card for card in ALL_CARDS if card[0] in RANKS and shoe.unseen[INDEX[card]]]
    suits = {rank: [card for card in left if card[0] == rank][:2] for rank in RANKS}
    return tuple(dict.fromkeys((*shoe.held, *(card for cards in suits.values() for card in cards))))


def _cards(state: State) -> Values:
    return Values(few_cards(state) or (Card("Ks"),), (Card("2s"), Card("Xx")))


def _hands(state: State) -> Values:
    """How hands might have to lie: two of them with their last cards exchanged."""
    found = lying(state)
    swapped = [
        {one: (*found[one][:-1], found[other][-1]), other: (*found[other][:-1], found[one][-1])}
        for one, other in combinations(found, 2)
    ]
    return Values(tuple(swapped[:4]) or ({},), (found, {"1": (Card("Ks"),)}))


def _sides(state: State) -> Values:
    named = tuple({name: 500} for name in state.rules.side_bets)
    return Values(({}, *named), ({"x": 500}, *({name: 1} for name in state.rules.side_bets)))


def _money(state: State) -> Values:
    least = state.terms.minimum
    return Values((least, least // 2, 2 * least), (0, 1, -least, least + 1, state.terms.maximum + least))


def _maxima(state: State) -> Values:
    return Values((state.terms.maximum, 2 * state.terms.maximum), (0, 1, state.terms.maximum + 1))


def _positions(state: State) -> Values:
    windows = (cut_window(state), cutting_card_window(state), second_card_window(state))
    ends = (end for window in windows for end in window)
    return Values(tuple(dict.fromkeys((*ends, deck_size(state)))), (0, LARGE))


def _boxes(state: State) -> Values:
    return Values(tuple(range(1, len(state.boxes) + 1)), (0, len(state.boxes) + 1))


def _rounds(state: State) -> Values:
    return Values(tuple({max(state.round - 1, 1), max(state.round, 1)}), (0, LARGE))


def _causes(state: State) -> Values:
    causes = sorted(state.rules.invalidation_causes)[:1] + sorted(state.rules.round_invalidation_causes)[:1]
    return Values(tuple(causes) or ("fire",), ("boredom",))


def _places(state: State) -> Values:
    return Values(("", "1", "2", "1.2", "dealer"), ("9", "x"))


def _decks(state: State) -> Values:
    return Values(tuple(sorted(state.rules.decks_allowed)[:2]), (0, LARGE))


def _people(state: State) -> Values:
    return Values(PLAYERS, (STRANGER, NOBODY, "supervisor"))


def _always(*likely: Any, odd: tuple[Any, ...] = ()) -> Callable[[State], Values]:
    values = Values(likely, odd)
    return lambda state: values


# By (name, type) where a name is used for several things, else by name.
NAMED: dict[str | tuple[str, type], Callable[[State], Values]] = {
    "checked_by": _always(("dealer", "supervisor"), odd=((), ("dealer",))),
    "sides": _sides,
    "box": _boxes,
    "hand": _always(1, 2, odd=(0, 5)),
    "card": _cards,
    ("stake", int): _money,
    ("amount", int): _money,
    ("award", int): _money,
    ("minimum", int): _money,
    ("maximum", int): _maxima,
    ("at", int): _positions,
    ("from_back", int): _positions,
    ("from_front", int): _positions,
    ("cutting_card", int): _positions,
    ("at", str): lambda state: Values(("12:00",) if state.rules.house.hours else ("",)),
    ("count", int): _always(1, 2, odd=(0, 3)),
    ("dispute", int): _always(1, 2, odd=(0, LARGE)),
    ("round", int): _rounds,
    ("decks", int): _decks,
    ("cause", str): _causes,
    ("kind", str): lambda state: Values(tuple(sorted(state.rules.malfunction_kinds)[:1]) or ("x",), ("x",)),
    ("name", str): lambda state: Values(tuple(sorted(state.rules.house.side_bets)) or ("x",), ("x",)),
    ("shuffle", str): lambda state: Values((state.terms.shuffle,), ("x",)),
    ("tender", str): _always("chips", odd=("cash",)),
    ("place", str): _always("insurance line", odd=("box",)),
    ("laid_on", str): _places,
    ("what", str): _always("a breach", odd=("",)),
    ("about", str): _always("the payment", odd=("",)),
}

BY_TYPE: dict[Any, Callable[[State], Values]] = {
    bool: _always(True, False),
    int: _always(0, 1, 2, odd=(-1, LARGE)),
    str: _people,
    Card: _cards,
    tuple[Card, ...]: lambda state: Values(((),), ((Card("Ks"),), (Card("Xx"),))),
    dict[str, tuple[Card, ...]]: _hands,
}


def values_of(name: str, kind: Any, state: State) -> Values:
    """The values with which a field is asked: by its literals, its name, or its type."""
    parts = [part for part in typing.get_args(kind) if part is not type(None)]
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        likely, odd = values_of(name, parts[0], state)
        return Values((None, *likely), odd)
    if typing.get_origin(kind) is Literal:
        return Values(tuple(parts))
    if kind is bool:
        return BY_TYPE[bool](state)
    find = NAMED.get((name, kind)) or NAMED.get(name) or BY_TYPE.get(kind)
    if find is None:
        raise TypeError(f"no values to ask the field {name} with: {kind}")
    return find(state)


@functools.cache
def fields_of(kind: type[Command]) -> tuple[tuple[str, Any], ...]:
    hints = typing.get_type_hints(kind)
    return tuple((field.name, hints[field.name]) for field in msgspec.structs.fields(kind))


def askers_of(kind: type[Command]) -> Values:
    """Who may well ask something of this kind, and who oddly."""
    office = office_of(kind)
    if office is not None:
        return Values((office,), (player("p1"),))
    strangers = (player(STRANGER), player(NOBODY))
    if kind.askers == EVERYBODY:
        return Values((*map(player, PLAYERS[:2]), SUPERVISOR), strangers)
    return Values(tuple(map(player, PLAYERS)), (*strangers, SUPERVISOR))


def _asked(kind: type[Command], chosen: dict[str, Any]) -> Asked:
    fields = {name: value for name, value in chosen.items() if name != "by"}
    return Asked(kind(**fields), chosen["by"])


class Asker:
    """Makes commands for a state; `most` for each kind, and some of them odd."""

    def __init__(self, state: State, most: int = 8) -> None:
        self.state = state
        self.most = most
        self._known: dict[tuple[str, Any], Values] = {}

    def values(self, kind: type[Command]) -> dict[str, Values]:
        """The values of every field, and of `by`: who gives an order may be wrong, but is likely right."""
        found = {"by": askers_of(kind)}
        for name, hint in fields_of(kind):
            if (name, hint) not in self._known:
                self._known[name, hint] = values_of(name, hint, self.state)
            found[name] = self._known[name, hint]
        return found

    def likely(self, kind: type[Command]) -> Iterator[Asked]:
        """Every command of the kind whose values are all likely."""
        values = self.values(kind)
        for chosen in product(*(value.likely for value in values.values())):
            yield _asked(kind, dict(zip(values, chosen, strict=True)))

    def one(self, kind: type[Command], chance: random.Random) -> Asked:
        """One command of the kind whose values are all likely."""
        return _asked(kind, {name: chance.choice(value.likely) for name, value in self.values(kind).items()})

    def all_likely(self) -> Iterator[Asked]:
        for kind in KINDS.values():
            yield from self.likely(kind)

    def sample(self, chance: random.Random) -> Iterator[Asked]:
        """Some commands of every kind: all likely ones where they are few, and two odd ones."""
        for kind in KINDS.values():
            values = self.values(kind)
            if math.prod(len(value.likely) for value in values.values()) <= self.most:
                yield from self.likely(kind)
            else:
                yield from (self.one(kind, chance) for _ in range(self.most))
            yield from self.odd(kind, chance)

    def odd(self, kind: type[Command], chance: random.Random) -> Iterator[Asked]:
        """Two commands of the kind of which one value is odd."""
        values = self.values(kind)
        strange = [name for name, value in values.items() if value.odd]
        for name in chance.sample(strange, min(2, len(strange))):
            chosen = {name: chance.choice(value.likely) for name, value in values.items()}
            yield _asked(kind, chosen | {name: chance.choice(values[name].odd)})
