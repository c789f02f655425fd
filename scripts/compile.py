"""Have the inner loops compiled once, before many processes need them at the same time.

Numba keeps what it compiled beside the source. Tests run in several processes, and start more: each would
compile all of it for itself.

    python scripts/compile.py
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

from croupier.environments import GamesEnv
from croupier.exact import solve
from croupier.rulebook import load
from croupier.simulate import game_of, simulate
from croupier.simulate.counting import read_system
from croupier.threads import cores

RULES = load("act-pontoon-2002").choose(boxes=7)


def one_box() -> None:
    simulate(game_of(RULES, seed=1, penetration=0.75), rounds=1)


def solver() -> None:
    found = solve(RULES, decks=1)
    found.spread, found.endings, found.covariance  # noqa: B018


def full_tables() -> None:
    simulate(game_of(RULES, seed=1, penetration=0.75, boxes=7), rounds=1)
    for more in ({"fresh": True, "side_bets": True}, {"penetration": 0.75, "system": read_system("hi-lo")}):
        simulate(game_of(RULES, seed=1, **more), rounds=1)


def environments() -> None:
    games = GamesEnv("act-pontoon-2002", 2)
    games.reset(seed=1)
    games.step(games.action_space.sample())


if __name__ == "__main__":
    with ProcessPoolExecutor(cores()) as pool:
        for done in [pool.submit(part) for part in (one_box, solver, full_tables, environments)]:
            done.result()
