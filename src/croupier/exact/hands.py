"""Every hand that is not over 21, and where each further card leads.

To the solver a hand is how many cards it has of each of ten values, an ace first and the tens last. There
are 3,083 of them, the empty one included. They are numbered so that a hand comes before every hand that
grows from it: what a hand is worth follows by going through the numbers backwards.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

VALUES = "A23456789T"
ACE, TEN = 0, 9
TWENTY_ONE = 21
POINTS = np.arange(1, 11)

# What play may further depend on, beside the values. For a hand with aces, where the law looks at it: how
# many of them were among the first two cards. For two cards that may become a suited row: their suits.
VARIANTS = 3
MIXED, SUITED, SPADES = range(VARIANTS)

Limits = tuple[int, ...]
NO_LIMITS: Limits = tuple(TWENTY_ONE // points for points in range(1, 11))


class Hands(NamedTuple):
    """The hands as arrays: `after[hand, value]` is the hand with one more card, -1 if that is over 21."""

    counts: Array
    size: Array
    hard: Array
    total: Array
    soft: Array
    after: Array


@functools.lru_cache(maxsize=64)
def hands(limits: Limits = NO_LIMITS) -> Hands:
    """All hands with at most so many cards of each value."""
    found = _sorted(limits)
    numbers = {tuple(counts): number for number, counts in enumerate(found.tolist())}
    after = np.full(found.shape, -1, np.int32)
    for counts, number in numbers.items():
        for value, count in enumerate(counts):
            if count:
                smaller = (*counts[:value], count - 1, *counts[value + 1 :])
                after[numbers[smaller], value] = number
    hard = found @ POINTS
    soft = (found[:, ACE] > 0) & (hard + 10 <= TWENTY_ONE)
    return Hands(found, found.sum(axis=1), hard, hard + 10 * soft, soft, after)


def _sorted(limits: Limits) -> Array:
    """The counts of all hands, those with fewer cards first."""
    found = np.zeros((1, 0), np.int64)
    points = np.zeros(1, np.int64)
    for value, limit in enumerate(limits):
        grown = [(found, points)]
        for count in range(1, limit + 1):
            fits = points + count * (value + 1) <= TWENTY_ONE
            grown.append((found[fits], points[fits] + count * (value + 1)))
        found = np.concatenate(
            [np.column_stack([part, np.full(len(part), count)]) for count, (part, _) in enumerate(grown)]
        )
        points = np.concatenate([part for _, part in grown])
    keys = [*found.T[::-1], found.sum(axis=1)]
    return found[np.lexsort(keys)]


@functools.lru_cache(maxsize=64)
def numbers(limits: Limits = NO_LIMITS) -> dict[tuple[int, ...], int]:
    """The number of each hand by its counts."""
    return {tuple(counts): number for number, counts in enumerate(hands(limits).counts.tolist())}


def counts_of(values: list[int]) -> tuple[int, ...]:
    """How many of each value, from a list of values."""
    return tuple(values.count(value) for value in range(len(VALUES)))
