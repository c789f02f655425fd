"""The same game, played many times: a round as tables, compiled, on all cores.

from croupier.rulebook import load
from croupier.simulate import game_of, simulate
found = simulate(game_of(load("act-blackjack-2003").choose(), seed=1), rounds=10**7)
print(found.ev, found.se)
"""

from croupier.simulate.run import Game, game_of, simulate
from croupier.simulate.statistics import Found, Tally

__all__ = ["Found", "Game", "Tally", "game_of", "simulate"]
