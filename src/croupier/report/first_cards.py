"""What a round is worth by its first three cards, laid out: the player's two down, the dealer's across."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from croupier.exact.records import Start
from croupier.report.text import UPCARDS, card, in_full, percent, signed

GROUPS = ("Hard hands", "Soft hands", "Pairs")


class Square(NamedTuple):
    """Two cards against a first card: what they are worth and what most of them do, `mixed` by suits."""

    ev: float
    action: str
    mixed: bool
    tip: str


class HandRow(NamedTuple):
    name: str
    chance: float
    ev: float
    squares: dict[str, Square]


def first_cards(starts: Sequence[Start], ten: str) -> dict[str, list[HandRow]]:
    """Hard hands, soft hands and pairs, each from the highest total."""
    held: dict[str, dict[str, list[Start]]] = defaultdict(lambda: defaultdict(list))
    for start in starts:
        held[start.hand][start.upcard].append(start)
    found: dict[str, list[HandRow]] = {group: [] for group in GROUPS}
    for hand in sorted(held, key=_order):
        found[GROUPS[_order(hand)[0]]].append(_row(hand, held[hand], ten))
    return {group: rows for group, rows in found.items() if rows}


def suits_decide(starts: Sequence[Start]) -> bool:
    """Are there two cards that are played differently in other suits?"""
    actions: dict[tuple[str, str], set[str]] = defaultdict(set)
    for start in starts:
        actions[start.upcard, start.hand].add(start.action)
    return any(len(taken) > 1 for taken in actions.values())


def _row(hand: str, against: dict[str, list[Start]], ten: str) -> HandRow:
    name = "-".join(card(value, ten) for value in (hand if hand[0] == "A" else hand[::-1]))
    squares = {upcard: _square(name, upcard, alike, ten) for upcard, alike in against.items()}
    chance, ev = _mean([start for alike in against.values() for start in alike])
    return HandRow(name, chance, ev, squares)


def _square(name: str, upcard: str, alike: list[Start], ten: str) -> Square:
    chance, ev = _mean(alike)
    often = max(alike, key=lambda start: start.chance)
    lines = [f"{name} against {card(upcard, ten)}", *_lines(alike), f"{percent(chance)} of rounds"]
    return Square(ev, often.action[:1], len({start.action for start in alike}) > 1, "\n".join(lines))


def _lines(alike: list[Start]) -> Iterator[str]:
    for start in alike:
        action = in_full(start.action) if start.action else "natural"
        yield f"{start.suits + ' ' if start.suits else ''}{action} {signed(start.ev, 6)}"


def _mean(starts: list[Start]) -> tuple[float, float]:
    chance = sum(start.chance for start in starts)
    return chance, sum(start.chance * start.ev for start in starts) / chance


def _order(hand: str) -> tuple[int, int, int]:
    """Which group, and there from the highest total, then from the highest card; pairs as in the chart."""
    low, high = sorted(UPCARDS.index(value) for value in hand)
    if hand[0] == hand[1]:
        return 2, -low, 0
    return int("A" in hand), -low - high, -high
