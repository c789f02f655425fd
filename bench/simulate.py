"""How many rounds a second the simulator plays, beside the bare shuffle of their cards in the same run.

One core unless it says otherwise; every line is the best of some turns, which alternate, so that a busy
machine slows all alike. The bare shuffle is that of as many shoes, up to the cutting card, and no more.

    python bench/simulate.py [ROUNDS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from croupier.rulebook import load
from croupier.simulate import Game, game_of, simulate
from croupier.simulate.shoe import chance_from, shuffle
from croupier.threads import cores

TURNS = 5


@njit(nogil=True, _nrt=False)  # type: ignore[call-overload]
def shuffled(deck: Any, size: int, end: int, chance: Any, picks: Any, shoes: int) -> None:
    for _ in range(shoes):
        shuffle(deck, size, end, chance, picks)


def bare(game: Game, rounds: int, per_shoe: float) -> Callable[[], float]:
    """The seconds in which the shoes of so many rounds are shuffled up to the cutting card."""
    deck = game.deck
    each = len(deck) - game.back[0]
    chance, picks = chance_from(np.random.SeedSequence(1)), np.zeros(len(deck), np.uint32)
    shuffled(deck, len(deck), each, chance, picks, 1)

    def measure() -> float:
        begin = time.perf_counter()
        shuffled(deck, len(deck), each, chance, picks, int(rounds / per_shoe))
        return time.perf_counter() - begin

    return measure


def played(game: Game, rounds: int, threads: int = 1) -> Callable[[], float]:
    """The seconds that a round takes, times as many as are asked for."""
    simulate(game, rounds=1, threads=1)

    def measure() -> float:
        begin = time.perf_counter()
        found = simulate(game, rounds=rounds, threads=threads)
        return (time.perf_counter() - begin) * rounds / found.rounds

    return measure


def main() -> None:
    rounds = int(float(sys.argv[1])) if len(sys.argv) > 1 else 4_000_000
    act = game_of(load("act-blackjack-2003").choose(), seed=1, penetration=0.75)
    full = game_of(load("act-blackjack-2003").choose(boxes=7), seed=1, boxes=7, penetration=0.75)
    pontoon = game_of(load("act-pontoon-2002").choose(), seed=1, penetration=0.75)
    per_shoe = simulate(act, rounds=100_000).rounds_per_shoe
    measured = {
        "bare shuffle": bare(act, rounds, per_shoe),
        "act-blackjack-2003": played(act, rounds),
        f"the same, {cores()} threads": played(act, rounds, cores()),
        "act-pontoon-2002": played(pontoon, rounds),
        "seven boxes, box-hands": played(full, rounds // 7),
    }
    best = dict.fromkeys(measured, float("inf"))
    for _ in range(TURNS):
        for name, measure in measured.items():
            best[name] = min(best[name], measure())
    for name, seconds in best.items():
        rate, share = rounds / seconds / 1e6, best["bare shuffle"] / seconds
        print(f"{name:<26} {rate:8.2f} million a second {share:8.1%} of the bare shuffle")


if __name__ == "__main__":
    main()
