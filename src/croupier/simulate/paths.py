"""Bankrolls over time: many players with the same bets, each round drawn from what rounds won by count.

Rounds are drawn one by one, each as likely as in the run, whatever came before: that high counts come one
after another in a shoe is not in it. How little or much that matters is `Figures.together`. Who has nothing
left stops, and so does who has reached the target.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from msgspec import Struct

from croupier.exact.hands import Array

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
POINTS = 100  # at which bankrolls are looked at
FEW = 5  # players who are followed one by one
AT_ONCE = 4_000_000  # results drawn at once


class Paths(Struct, frozen=True):
    """Of so many players, after so many rounds: the bankrolls at some shares of them, and who has stopped."""

    players: int
    seed: int
    shares: tuple[float, ...]
    rounds: tuple[int, ...]
    bankrolls: tuple[tuple[float, ...], ...]  # [rounds, shares]
    mean: tuple[float, ...]  # [rounds]
    ruined: tuple[float, ...]
    reached: tuple[float, ...]  # the target
    few: tuple[tuple[float, ...], ...]  # [player, rounds]: the bankrolls of the first few


def paths(
    results: Array,
    chances: Array,
    bankroll: float,
    *,
    rounds: int,
    players: int,
    seed: int,
    target: float | None = None,
) -> Paths:
    """Play so many rounds; `results` and their `chances` are those of a round (`betting.outcomes`)."""
    chance = np.random.default_rng(seed)
    upto = np.cumsum(chances)[:-1]
    goal = np.inf if target is None else target
    bankrolls = np.full(players, float(bankroll))
    points = np.unique(np.linspace(0, rounds, min(POINTS, rounds) + 1).astype(int)).tolist()
    seen, few = [_seen(bankrolls, goal)], [bankrolls[:FEW].tolist()]
    for before, after in pairwise(points):
        for length in _parts(after - before, max(AT_ONCE // players, 1)):
            going = np.nonzero((bankrolls > 0) & (bankrolls < goal))[0]
            if going.size:
                drawn = results[np.searchsorted(upto, chance.random((going.size, length)), side="right")]
                bankrolls[going] = _stopped(bankrolls[going, None] + np.cumsum(drawn, axis=1), goal)
        seen.append(_seen(bankrolls, goal))
        few.append(bankrolls[:FEW].tolist())
    bands, means, ruined, reached = zip(*seen, strict=True)
    each = tuple(zip(*few, strict=True))
    return Paths(players, seed, SHARES, tuple(points), bands, means, ruined, reached, each)


def _parts(length: int, most: int) -> list[int]:
    return [most] * (length // most) + [length % most] * bool(length % most)


def _stopped(walked: Array, goal: float) -> Array:
    """Where each path is at its end, or where it first had nothing left or reached the goal."""
    over = (walked <= 0) | (walked >= goal)
    last = np.where(over.any(axis=1), over.argmax(axis=1), walked.shape[1] - 1)
    ends: Array = np.maximum(walked[np.arange(walked.shape[0]), last], 0.0)
    return ends


def _seen(bankrolls: Array, goal: float) -> tuple[tuple[float, ...], float, float, float]:
    bands = tuple(np.quantile(bankrolls, SHARES).tolist())
    ruined, reached = float((bankrolls <= 0).mean()), float((bankrolls >= goal).mean())
    return bands, float(bankrolls.mean()), ruined, reached
