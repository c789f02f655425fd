"""Do rounds end as often as the solver says? Its results and endings against rounds that are played.

The simulator plays the solver's play card by card and knows nothing of how the solver adds up chances. From a
fresh shoe every round it counts results, doubles, busts, doubles given up and all that is staked.

    python scripts/spread_truth.py [--rounds 1000000000] [--decks 6] [RULEBOOK ...]

Exit status 1 if a chi-square or a frequency lies farther off than chance alone would have it.
"""

from __future__ import annotations

import argparse
import math
import sys

from croupier.exact import solve
from croupier.rulebook import NAMES, load
from croupier.rulebook.study import study
from croupier.simulate import game_of, simulate
from croupier.simulate.statistics import Found

FEWEST = 10  # results that are expected more rarely are counted as one
FAR = 4.0  # standard deviations


def off(chi_square: float, degrees: int) -> float:
    """By how many standard deviations a chi-square is off, by the cube root of Wilson and Hilferty."""
    part = 2 / (9 * degrees)
    return ((chi_square / degrees) ** (1 / 3) - 1 + part) / math.sqrt(part)


def chi_square(expected: dict[object, float], seen: dict[object, float], rounds: int) -> tuple[float, int]:
    usual = {result: rounds * chance for result, chance in expected.items() if rounds * chance >= FEWEST}
    counts = [(many, rounds * seen.get(result, 0.0)) for result, many in usual.items()]
    rare = rounds - sum(many for many, _ in counts), rounds - sum(count for _, count in counts)
    counts += [rare] if rare[0] > FEWEST else []
    return sum((count - many) ** 2 / many for many, count in counts), len(counts) - 1


def shown(name: str, decks: int, rounds: int) -> bool:
    """Is what is found of one rulebook such as chance alone makes it?"""
    rules = study(load(name), (), decks).rules
    solution = solve(rules)
    found: Found = simulate(game_of(rules, seed=decks, fresh=True), rounds=rounds)
    squares, degrees = chi_square(dict(solution.spread.results), dict(found.distribution()), found.rounds)
    ends, often = solution.endings, found.frequencies()
    far = [off(squares, degrees)]
    print(f"{name}, {decks} decks, {found.rounds:,} rounds", flush=True)
    print(f"  results: chi-square {squares:.1f} of {degrees}, {far[0]:+.2f} deviations")
    # Hands of one split go together: their number varies a little more than if each came by itself.
    for what, exactly, played in (
        ("doubled", ends.doubled, often["double"]),
        ("busted", ends.of("player_busts"), often["bust"]),
        ("given up", ends.of("forfeit"), often["forfeit"]),
        ("staked beyond one", ends.staked - 1, found.at_risk - 1),
    ):
        if exactly:
            error = math.sqrt(2 * float(exactly) / found.rounds)
            far.append((played - float(exactly)) / error)
            print(f"  {what}: {played:.8f}, exactly {float(exactly):.8f}, {far[-1]:+.2f} of its error")
    return all(abs(one) < FAR for one in far)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("rulebooks", nargs="*", default=NAMES)
    parser.add_argument("--rounds", type=lambda text: int(float(text)), default=1_000_000_000)
    parser.add_argument("--decks", type=int, default=6)
    asked = parser.parse_args()
    as_expected = [shown(name, asked.decks, asked.rounds) for name in asked.rulebooks]
    return 0 if all(as_expected) else 1


if __name__ == "__main__":
    sys.exit(main())
