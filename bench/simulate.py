"""How many rounds a second the simulator plays, beside the bare shuffle of their cards in the same run.

One core unless it says otherwise, and only the processor's time is counted; every line is the best of some
turns, which alternate, so that a busy machine slows all alike. The bare shuffle is that of as many shoes, up
to the cutting card, and no more. Two threads are measured by the clock, beside one.

    python bench/simulate.py [ROUNDS]
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numba import njit

from croupier.exact import solve
from croupier.rulebook import load
from croupier.simulate import Game, game_of, simulate
from croupier.simulate.counting import System
from croupier.simulate.machine import machine_of
from croupier.simulate.shoe import chance_from, shuffle
from croupier.simulate.tables import tables_of
from croupier.threads import cores

TURNS = 9
LONG = 16  # times the rounds where threads are compared, which play some in vain at the end
HI_LO = dict.fromkeys("23456", 1) | dict.fromkeys("789", 0) | dict.fromkeys("TJQKA", -1)
PLAYS_FROM = {
    "T h16 - S": 0,
    "T h15 - S": 4,
    "5 TT - P/S": 5,
    "6 TT - P/S": 4,
    "T h10 - D/H": 4,
    "3 h12 - S": 2,
    "2 h12 - S": 3,
    "A h11 - D/H": 1,
    "2 h9 - D/H": 1,
    "A h10 - D/H": 4,
    "7 h9 - D/H": 3,
    "9 h16 - S": 5,
}
PLAYS_BELOW = {"2 h13 - H": -1, "4 h12 - H": 0, "5 h12 - H": -2, "6 h12 - H": -1, "3 h13 - H": -2}
COUNTED = System(name="Hi-Lo", tags=HI_LO, ramp=((-30, 1), (2, 4), (4, 8)))
PLAYED = System(
    name="Hi-Lo", tags=HI_LO, insurance=3, plays_from=PLAYS_FROM, plays_below=PLAYS_BELOW, ramp=COUNTED.ramp
)


@njit(nogil=True, _nrt=False)  # type: ignore[call-overload]
def shuffled(deck: Any, size: int, end: int, chance: Any, picks: Any, shoes: int) -> None:
    for _ in range(shoes):
        shuffle(deck, size, end, chance, picks)


def bare(
    game: Game,
    rounds: int,
    per_shoe: float,
    *,
    threads: int = 1,
    clock: Callable[[], float] = time.process_time,
) -> Callable[[], float]:
    """The seconds in which the shoes of so many rounds are shuffled up to the cutting card."""
    each = len(game.deck) - game.back[0]
    shoes = int(rounds / per_shoe / threads)

    def shuffle_some(seed: int) -> None:
        deck, picks = game.deck.copy(), np.zeros(len(game.deck), np.uint32)
        shuffled(deck, len(deck), each, chance_from(np.random.SeedSequence(seed)), picks, shoes)

    def measure() -> float:
        begin = clock()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(shuffle_some, range(threads)))
        return clock() - begin

    measure()
    return measure


def played(
    game: Game, rounds: int, *, threads: int = 1, clock: Callable[[], float] = time.process_time
) -> Callable[[], float]:
    """The seconds that a round of each box takes, times as many as are asked for."""
    simulate(game, rounds=1, threads=1)

    def measure() -> float:
        begin = clock()
        found = simulate(game, rounds=rounds // game.boxes, threads=threads)
        return (clock() - begin) * rounds / (found.rounds * game.boxes)

    return measure


def tabulated(name: str) -> float:
    """The seconds in which new rules become tables and machines, the best of some turns."""
    best = float("inf")
    for _ in range(TURNS):
        solver = solve(load(name).choose()).solver
        for upcard in solver.upcards:
            solver.opening(upcard)
        begin = time.process_time()
        machine_of(tables_of(solver))
        best = min(best, time.process_time() - begin)
    return best


def first_result() -> float:
    """The seconds from the command to its answer, the best of some turns.

    As after an installation, everything is compiled.
    """
    command = [sys.executable, "-m", "croupier", "simulate", "act-blackjack-2003"]
    command += ["--rounds", "1e6", "--seed", "1", "--json"]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, capture_output=True, env=env)
    best = float("inf")
    for _ in range(TURNS):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=env)
        best = min(best, time.perf_counter() - begin)
    return best


def main() -> None:
    rounds = int(float(sys.argv[1])) if len(sys.argv) > 1 else 8_000_000
    act = load("act-blackjack-2003")
    game = game_of(act.choose(), seed=1, penetration=0.75)
    pontoon = game_of(load("act-pontoon-2002").choose(), seed=1, penetration=0.75)
    counted = game_of(act.choose(), seed=1, penetration=0.75, system=COUNTED)
    by_index = game_of(act.choose(), seed=1, penetration=0.75, system=PLAYED)
    full = game_of(act.choose(boxes=7), seed=1, boxes=7, penetration=0.75)
    per_shoe = simulate(game, rounds=100_000).rounds_per_shoe
    wall = time.perf_counter
    measured = {
        "bare shuffle": bare(game, rounds, per_shoe),
        "act-blackjack-2003": played(game, rounds),
        "act-pontoon-2002": played(pontoon, rounds),
        "true counts": played(counted, rounds),
        "plays by the count": played(by_index, rounds),
        "seven boxes, box-hands": played(full, rounds),
        "one thread, by the clock": played(game, LONG * rounds, clock=wall),
        f"{cores()} threads, by the clock": played(game, LONG * rounds, threads=cores(), clock=wall),
        "shuffle, by the clock": bare(game, LONG * rounds, per_shoe, clock=wall),
        f"{cores()} shuffle, by the clock": bare(game, LONG * rounds, per_shoe, threads=cores(), clock=wall),
    }
    best = dict.fromkeys(measured, float("inf"))
    for _ in range(TURNS):
        for name, measure in measured.items():
            best[name] = min(best[name], measure() / (LONG if "clock" in name else 1))
    for name, seconds in best.items():
        rate, share = rounds / seconds / 1e6, best["bare shuffle"] / seconds
        print(f"{name:<26} {rate:8.2f} million a second {share:8.1%} of the bare shuffle")
    one, all_play, shuffle_one, all_shuffle = (seconds for name, seconds in best.items() if "clock" in name)
    faster, at_most = one / all_play, shuffle_one / all_shuffle
    print(f"{cores()} threads are {faster:.2f} times as fast as one, bare shuffles {at_most:.2f} times")
    for name in ("act-blackjack-2003", "act-pontoon-2002"):
        print(f"{name}: tabulated in {tabulated(name):.2f} s")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    simulate(game, rounds=40 * rounds, threads=1)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"memory {before / 1024:.0f} MB, after {40 * rounds:,} rounds more {after / 1024:.0f} MB")
    print(f"a warm start to the first result: {first_result():.2f} s")


if __name__ == "__main__":
    main()
