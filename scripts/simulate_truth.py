"""Is the simulator right? Round by round against the table, and by its value against the solver.

Every rulebook on the same cards, half of them badly shuffled so that hands are split again and again; then
games with what-ifs at random. That is the kernel; the machine, which plays most rounds, is held to the
kernel, shoe by shoe with one box and round by round with more. With a fresh shoe every round the simulated
value is held to the exact one, and what is published of cutting cards and of Hi-Lo to what comes out here.

    python scripts/simulate_truth.py [--rounds 1000000] [--games 50] [--shoes 20000] [--simulated 20000000]
        [--effects 1000000000]

A part of which 0 are asked for is left out. Exit status 1 if a round differs by a cent or a card, or a value
by more than its error allows.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from croupier.exact import solve
from croupier.rulebook import NAMES, load
from croupier.rulebook.study import study
from croupier.simulate.lanes import LANES
from croupier.threads import cores
from effects import CUTTING_CARD, SCORES, Measured, cutting_card_effect, scores
from simulated import deviation, differences, random_study, rules_with_sides
from test_lanes import compare, compare_full, game_for

PART = 5_000
BOXES = (1, 1, 3, 1, 1, 2, 1, 1, 7)
# Of a published figure: its rounding, and what its source does not say of the game.
CUT_LEEWAY, SCORE_LEEWAY = 0.3, 0.05


def compared(name: str, pairs: list[str], seed: int, rounds: int) -> list[str]:
    """Where so many rounds of one game differ from the table. Most are of one box, which takes least time."""
    rules = rules_with_sides(name, pairs)
    boxes = max(rules.boxes_needed, BOXES[seed % len(BOXES)])
    return list(differences(solve(rules).solver, boxes, rounds, seed, clumped=bool(seed % 2)))


def against_table(rounds: int, games: int) -> int:
    """How many rounds differ."""
    chance = random.Random(1)
    jobs = [(name, [], seed) for seed in range(math.ceil(rounds / PART)) for name in NAMES]
    names = (NAMES * games)[:games]
    jobs += [(name, random_study(name, chance), seed) for seed, name in enumerate(names)]
    seen: dict[str, int] = dict.fromkeys(NAMES, 0)
    wrong = 0
    with ProcessPoolExecutor(cores()) as pool:
        waiting = [(job, pool.submit(compared, *job, PART)) for job in jobs]
        for done, (job, answer) in enumerate(waiting, start=1):
            found = answer.result()
            seen[job[0]] += PART
            wrong += len(found)
            for line in found[:3]:
                print(*job, line)
            if done % 50 == 0:
                print(f"  {done} of {len(jobs)} parts, {wrong} rounds differ", flush=True)
    for name, count in seen.items():
        print(f"{name}: {count:,} rounds")
    print(f"{wrong} of them differ from the table")
    return wrong


def against_kernel(shoes: int) -> bool:
    """Do machine and kernel agree on so many shoes of every rulebook, and as many rounds of full tables?"""
    right = True
    for name in NAMES:
        rules = study(load(name), ["boxes=7"]).rules
        game = game_for(load(name).choose())
        try:
            for seed in range(shoes // LANES):
                compare(game, f"long {name} {seed}", clumped=bool(seed % 2))
            for boxes in (2, 3, 5, 7):
                compare_full(rules, boxes, f"long {name}", shoes // LANES)
        except AssertionError as error:
            right = False
            print(f"{name}: machine and kernel differ: {error}")
        print(
            f"{name}: {shoes:,} shoes and {4 * shoes:,} rounds of full tables by machine and kernel",
            flush=True,
        )
    return right


def against_solver(games: int, rounds: int) -> bool:
    """Are the values such as chance alone makes them?"""
    chance = random.Random(2)
    chosen = [(name, []) for name in NAMES]
    chosen += [(name, random_study(name, chance)) for name in (NAMES * games)[:games]]
    total, worst = 0.0, 0.0
    for seed, (name, pairs) in enumerate(chosen):
        off = deviation(name, pairs, rounds=rounds, seed=seed)
        total, worst = total + off**2, max(worst, abs(off))
        print(f"{off:+.2f} standard errors: {name} {' '.join(pairs)}", flush=True)
    bound = len(chosen) + 3.1 * math.sqrt(2 * len(chosen))
    print(f"sum of squares {total:.1f} of {len(chosen)} games (below {bound:.0f}), at most {worst:.2f}")
    return total < bound and worst < 4


def against_publications(rounds: int) -> bool:
    """Do known effects come out in their published size?"""
    right = True
    for decks, published in CUTTING_CARD.items():
        effect = cutting_card_effect(decks, rounds=rounds, seed=decks)
        right &= _near(f"cutting card, decks {decks}", effect, published, CUT_LEEWAY)
    for dealt in sorted({dealt for dealt, _ in SCORES}):
        for spread, score in scores(dealt, rounds=rounds, seed=1).items():
            right &= _near(
                f"SCORE of Hi-Lo, {dealt} of 6, 1 to {spread}", score, SCORES[dealt, spread], SCORE_LEEWAY
            )
    return right


def _near(what: str, found: Measured, published: float, leeway: float) -> bool:
    print(f"{what}: {found.value:.6g} ± {found.error:.2g}, published {published:.4g}", flush=True)
    return abs(found.value - published) < 3 * found.error + leeway * published


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1_000_000, help="a rulebook, against the table")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--shoes", type=int, default=20_000, help="a rulebook, by machine and kernel")
    parser.add_argument("--simulated", type=int, default=20_000_000, help="rounds a game, against the solver")
    parser.add_argument("--effects", type=int, default=1_000_000_000, help="rounds a published effect")
    given = parser.parse_args()
    right = not given.shoes or against_kernel(given.shoes)
    right &= not given.simulated or against_solver(given.games, given.simulated)
    right &= not given.effects or against_publications(given.effects)
    right &= not given.rounds or against_table(given.rounds, given.games) == 0
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
