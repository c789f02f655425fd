"""Counting systems as data: what each card counts, and what the running count is divided by.

A system is a TOML file: `tags` by rank, `true_count` (is it divided by the decks left?), for one that is not
`start` and `start_per_deck`, and `decks` = "exact", "half" or "full", to what the decks left are estimated.
"""

from __future__ import annotations

from fractions import Fraction
from importlib import resources
from math import lcm
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct

from croupier.cards import ALL_CARDS, RANKS
from croupier.errors import ParseError
from croupier.rulebook.rules import Rules
from croupier.rulebook.toml import parse, read_text
from croupier.simulate.kernel import Counting

SHIPPED = ("hi-lo", "ko", "zen", "omega-ii")
Estimate = Literal["exact", "half", "full"]


class System(Struct, frozen=True, forbid_unknown_fields=True):
    """A way to count the cards that are gone."""

    name: str
    tags: dict[str, int | float]
    says: str = ""
    true_count: bool = True
    start: int = 0
    start_per_deck: int = 0
    decks: Estimate = "exact"

    @property
    def balanced(self) -> bool:
        """Does a whole pack of 52 count nothing?"""
        return sum(self.tags.values()) == 0


class Count(Struct, frozen=True):
    """A system for the packs of some rules, as it is and as the kernel has it."""

    system: System
    counting: Counting


def read_system(name: str) -> System:
    """One that came with Croupier, by its name, or one's own from a file."""
    if name in SHIPPED:
        text = (resources.files("croupier.simulate") / "systems" / f"{name}.toml").read_text("utf-8")
    elif name.endswith(".toml"):
        text = read_text(Path(name))
    else:
        raise ParseError(f"no counting system {name!r}: there are {', '.join(SHIPPED)}, or a .toml file")
    try:
        system = msgspec.convert(parse(text, name), System)
    except msgspec.ValidationError as error:
        raise ParseError(f"{name}: {error}") from None
    strange = [rank for rank in system.tags if len(rank) != 1 or rank not in RANKS]
    if strange:
        raise ParseError(f"{name}: tags: {', '.join(strange)} is no rank; they are {' '.join(RANKS)}")
    if not all(abs(tag) <= 20 and (4 * float(tag)).is_integer() for tag in system.tags.values()):
        raise ParseError(f"{name}: tags: each is a quarter, a half or a whole number, from -20 to 20")
    return system


def count_for(system: System, rules: Rules) -> Count:
    """The system for packs of these rules; one that leaves a rank out is refused."""
    missing = [rank for rank in rules.ranks if rank not in system.tags]
    if missing:
        raise ParseError(f"{system.name}: tags: nothing is said of {', '.join(missing)}")
    tags = {rank: Fraction(tag) for rank, tag in system.tags.items()}
    scale = lcm(*(tag.denominator for tag in tags.values()))
    deck = 4 * len(rules.ranks)
    return Count(
        system,
        Counting(
            tags=np.array([int(tags.get(card[0], Fraction(0)) * scale) for card in ALL_CARDS], np.int64),
            scale=scale,
            start=scale * (system.start + system.start_per_deck * rules.house.decks),
            deck=deck if system.true_count else 0,
            step={"exact": 1, "half": deck // 2, "full": deck}[system.decks],
        ),
    )
