"""How fast the solver is, on one core and with many games on all of them.

Work done is held against the machine's own peak, in the same run.

Run as `python bench/exact.py`. The peak is a loop of independent multiply-adds that stay in registers;
the solver's work is counted in factors of its sums of products, two multiply-adds each. The results of a
round are worked out on all cores. Absolute times are noise on a shared machine; the shares of the peak and
the ratios within the run are what to compare.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numba import njit

from croupier.exact import CardsLeft, kernels, parse_shoe, solve
from croupier.exact.shoe import fresh
from croupier.exact.solver import Solver
from croupier.exact.spread import spread
from croupier.rulebook import Rules, load
from croupier.threads import cores

# Settings that change what hands are worth; what only surrender changes is a third of it.
GRID = [
    "decks=1,2,4,6,8",
    "soft_17=stand,hit",
    "double_totals=any,9-11,10-11",
    "max_hands=2,3,4",
    "double_after_split=true,false",
    "resplit_aces=true,false",
    "surrender=none,late,faces_and_ace",
]


@njit(fastmath=True)
def multiply_adds(rounds: int, lanes: np.ndarray) -> None:
    for _ in range(rounds):
        for lane in range(lanes.shape[0]):
            lanes[lane] = lanes[lane] * 0.999999 + 1e-9


def best(action: Callable[[], object], times: int = 7) -> float:
    found = []
    for _ in range(times):
        begin = time.perf_counter()
        action()
        found.append(time.perf_counter() - begin)
    return min(found)


def peak() -> float:
    """Multiply-adds a second of one core, on numbers that never leave the fastest cache."""
    lanes = np.ones(512)
    multiply_adds(1, lanes)
    rounds = 200_000
    return rounds * lanes.shape[0] / best(lambda: multiply_adds(rounds, lanes), 3)


def work(solver: Solver) -> int:
    """The multiply-adds that a whole solve takes in its sums of products."""
    factors = 0
    for upcard in solver.upcards:
        nodes = len(solver.dealer_terms(upcard).nodes)
        factors += nodes * int((solver.hands.size != 1).sum())
        for pair in solver.splittable:
            _, compared = kernels.reached(
                solver.hands,
                solver.law,
                solver.unsplit(upcard).plan,
                solver.split_law(pair),
            )
            factors += nodes * int(compared.sum()) * len(solver.valued_beside(upcard, pair))
    return 2 * factors


def whole(rules: Rules, decks: int) -> Solver:
    solver = Solver(rules, fresh(rules.ranks, decks))
    assert solver.ev < 0.01
    return solver


def decide(rules: Rules, shoes: list[CardsLeft], hand: str, upcard: str) -> None:
    for shoe in shoes:
        solve(rules, shoe=shoe).decision(hand, upcard)


def command(*arguments: str, **environment: str) -> tuple[float, float, float]:
    """Seconds of a whole process, of the solving in it, and its most memory in MB."""
    begin = time.perf_counter()
    made = subprocess.run(
        [sys.executable, "-m", "croupier", "solve", *arguments, "--json"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - begin
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return seconds, json.loads(made.stdout)["seconds"], memory


def grid(rulebook: str) -> tuple[int, float]:
    """How many games there are in the grid, and the seconds of a process that solves them on all cores."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.csv"
        asked = ["--grid", *GRID, "--no-cache", "--output", str(file)]
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "croupier", "solve", rulebook, *asked], capture_output=True, check=True
        )
        return len(file.read_text().splitlines()) - 1, time.perf_counter() - begin


def main() -> None:
    rate = peak()
    print(f"peak of one core                     {rate / 1e9:6.2f} thousand million multiply-adds/s")
    for name in ("act-blackjack-2003", "uk-blackjack-1994", "act-pontoon-2002"):
        rules = load(name).choose()
        solver = whole(rules, 8)
        seconds = best(lambda rules=rules: whole(rules, 8))
        done = work(solver)
        print(
            f"{name:20} 8 decks, whole  {seconds:7.3f} s  {done / 1e6:6.0f} million multiply-adds, "
            f"{done / seconds / rate:.1%} of the peak"
        )
        spread(solver)
        results = best(lambda solver=solver: spread(solver), 3)
        ratio = f"{results / seconds:.1f} times as long, on {cores()} cores"
        print(f"{'':20} its results     {results:7.3f} s  {ratio}")
    rules = load("act-blackjack-2003").choose()
    shoes = [parse_shoe(f"A={18 + n} 5={10 + n} K={9 + n} 9={20 - n}", rules.ranks, 6) for n in range(5)]
    for hand, upcard in (("8s 8d", "Th"), ("As 7d", "9h"), ("Ts 2d 3c", "6h")):
        each = 1000 * best(lambda hand=hand, upcard=upcard: decide(rules, shoes, hand, upcard)) / len(shoes)
        print(f"one decision from a depleted shoe    {each:6.1f} ms  {hand} against {upcard}")
    seconds, solving, memory = command("act-blackjack-2003", "--decks", "8")
    print(f"a cold process, kernels compiled     {seconds:6.2f} s  solving {solving:.2f} s, {memory:.0f} MB")
    with tempfile.TemporaryDirectory() as empty:
        seconds, _, memory = command("act-pontoon-2002", "--decks", "8", NUMBA_CACHE_DIR=empty)
    print(f"the first run ever, compiling        {seconds:6.2f} s  {memory:.0f} MB")
    for name in ("act-blackjack-2003", "act-pontoon-2002"):
        games, seconds = grid(name)
        print(
            f"{name:20} a grid on {cores()} cores {seconds:6.1f} s  {games:,} games, {games / seconds:.0f}/s"
        )


if __name__ == "__main__":
    main()
