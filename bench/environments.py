"""How many steps a second the vector environment takes, beside a bare shuffle in the same run.

One core, 4,096 games, random play; every line is the best of some turns, which alternate, so that a busy
machine slows all alike, and only the time of our own thread is counted. A step is one answer of one game,
through `step` with all that it returns; choosing the answers is not counted. The bare shuffle shuffles whole
shoes, one swap a card, and looks at none of them.

    python bench/environments.py [TURNS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from croupier.environments import GamesEnv, TableEnv
from croupier.rulebook import NAMES
from croupier.simulate.shoe import WORDS, chance_from, shuffle

GAMES, STEPS, SHOES = 4096, 40, 5000


@njit(nogil=True, _nrt=False)  # type: ignore[call-overload]
def shuffle_many(deck: Any, chance: Any, picks: Any, shoes: int) -> None:
    for _ in range(shoes):
        shuffle(deck, deck.size, deck.size, chance, picks)


def stepped(games: GamesEnv) -> Callable[[], float]:
    """The seconds that a step of one game takes."""
    chance = np.random.default_rng(1)
    _, info = games.reset(seed=1)
    held = {"info": info}

    def measure() -> float:
        seconds = 0.0
        for _ in range(STEPS):
            mask = held["info"]["action_mask"]
            actions = ((1 - chance.random(mask.shape, np.float32)) * mask).argmax(axis=1)
            begin = time.thread_time()
            *_, held["info"] = games.step(actions)
            seconds += time.thread_time() - begin
        return seconds / STEPS / games.num_envs

    return measure


def at_a_table(env: TableEnv) -> Callable[[], float]:
    """The seconds that a step at the real table takes."""
    chance = np.random.default_rng(1)

    def measure() -> float:
        _, info = env.reset(seed=1)
        begin = time.thread_time()
        for _ in range(STEPS):
            action = chance.choice(np.nonzero(info["action_mask"])[0])
            *_, over, _, info = env.step(action)
            if over:
                _, info = env.reset()
        return (time.thread_time() - begin) / STEPS

    return measure


def shuffled(games: GamesEnv) -> Callable[[], float]:
    """The seconds in which a card is shuffled."""
    deck, picks = games.games.decks[0].copy(), np.zeros(WORDS, np.uint32)
    chance = chance_from(np.random.SeedSequence(1))

    shuffle_many(deck, chance, picks, 1)

    def measure() -> float:
        begin = time.thread_time()
        shuffle_many(deck, chance, picks, SHOES)
        return (time.thread_time() - begin) / SHOES / deck.size

    return measure


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    act = GamesEnv("act-blackjack-2003", GAMES)
    measured: dict[str, Callable[[], float]] = {"bare shuffle, cards": shuffled(act)}
    kinds: dict[str, dict[str, Any]] = {
        "": {},
        ", fresh shoes": {"fresh": True},
        ", not copied": {"copy": False},
    }
    for name in NAMES:
        for said, options in kinds.items():
            measured[name + said] = stepped(GamesEnv(name, GAMES, **options))
    measured["one real table"] = at_a_table(TableEnv("act-blackjack-2003"))
    best = dict.fromkeys(measured, float("inf"))
    for _ in range(turns):
        for said, measure in measured.items():
            best[said] = min(best[said], measure())
    for said, seconds in best.items():
        rate, share = 1e-6 / seconds, best["bare shuffle, cards"] / seconds
        print(f"{said:<34} {rate:9.3f} million a second {share:8.2%} of the bare shuffle")


if __name__ == "__main__":
    main()
