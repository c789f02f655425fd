"""Expected values and best play: every hand, every rulebook, exactly."""

from croupier.exact.chart import Cell
from croupier.exact.shoe import CardsLeft, parse_shoe
from croupier.exact.solution import Decision, Mistake, Solution, solve, without_end
from croupier.exact.spread import Spread

__all__ = [
    "CardsLeft",
    "Cell",
    "Decision",
    "Mistake",
    "Solution",
    "Spread",
    "parse_shoe",
    "solve",
    "without_end",
]
