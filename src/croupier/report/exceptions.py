"""Exceptions to a chart, laid out for people: the hands of one cell together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from croupier.report.text import hand_text

if TYPE_CHECKING:
    from croupier.exact.exceptions import Compared, Otherwise

RARE = 1e-6  # hands that come up more rarely are named together
ALL_KINDS = "Sms"  # of the suits of two cards, in the order of their letters


class Listed(NamedTuple):
    """A hand by name, kinds of suits that are alike together."""

    name: str
    gain: float
    chance: float


class Block(NamedTuple):
    """Hands of one cell that do one thing and not another: those that come up, and by name the rare ones."""

    row: str
    upcard: str
    says: str
    best: str
    hands: int
    worth: float
    usual: list[Listed]
    rare: list[str]


def blocks(compared: Compared, ten: str) -> list[Block]:
    return [_block(held, ten) for held in by_action(compared.hands)]


def _block(held: Sequence[Otherwise], ten: str) -> Block:
    one, hands = held[0], listed(held, ten)
    usual = [hand for hand in hands if hand.chance >= RARE] or hands[:1]
    rare = [hand.name for hand in hands if hand not in usual]
    worth = float(sum(other.worth for other in held))
    return Block(one.row, one.upcard, one.says, one.best, len(held), worth, usual, rare)


def by_action(hands: Iterable[Otherwise]) -> list[list[Otherwise]]:
    """Hands in their order, by cell and within it by what is said and what is best."""
    found: list[list[Otherwise]] = []
    for _, held in groupby(hands, key=lambda one: (one.row, one.upcard)):
        of_cell: dict[tuple[str, str], list[Otherwise]] = {}
        for one in held:
            of_cell.setdefault((one.says, one.best), []).append(one)
        found += of_cell.values()
    return found


def listed(held: Sequence[Otherwise], ten: str) -> list[Listed]:
    """The hands of one group. Suits are said only where other suits are played otherwise."""
    kinds: dict[str, list[Otherwise]] = {}
    for one in held:
        kinds.setdefault(one.hand, []).append(one)
    found = []
    for hand, alike in kinds.items():
        if "".join(sorted(one.suits for one in alike)) == ALL_KINDS:
            chance = float(sum(one.chance for one in alike))
            worth = float(sum(one.worth for one in alike))
            found.append(Listed(hand_text(hand, ten=ten), worth / chance if chance else 0.0, chance))
            continue
        found += [
            Listed(hand_text(hand, one.suits, ten), float(one.gain), float(one.chance)) for one in alike
        ]
    return found
