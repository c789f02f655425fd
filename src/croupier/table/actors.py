"""Who asks: a person or an office at the table, by name and role.

A server takes the actor from its session and a log from its line, never from the message itself. In text
a role's own word stands for it; every other name is a player's.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Role = Literal["player", "dealer", "supervisor", "operator", "regulator"]
PLAYERS: frozenset[Role] = frozenset({"player"})
EVERYBODY: frozenset[Role] = frozenset(get_args(Role))
OFFICES: tuple[Role, ...] = tuple(role for role in get_args(Role) if role not in PLAYERS)
STAFF = frozenset(OFFICES)


class Actor(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Somebody who asks something of the table."""

    role: Role
    name: str

    def __str__(self) -> str:
        return self.name if self.role in (self.name, "player") else f"{self.name} ({self.role})"


DEALER = Actor("dealer", "dealer")
SUPERVISOR = Actor("supervisor", "supervisor")
OPERATOR = Actor("operator", "operator")
REGULATOR = Actor("regulator", "regulator")
_OFFICES = {actor.name: actor for actor in (DEALER, SUPERVISOR, OPERATOR, REGULATOR)}


def player(name: str) -> Actor:
    return Actor("player", name)


def actor(word: str) -> Actor:
    """Who is meant by a word: an office by its own name, else a player."""
    return _OFFICES.get(word) or player(word)
