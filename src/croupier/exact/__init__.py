"""Expected values and best play: every hand, every rulebook, exactly.

The names below are imported when they are first asked for: who needs a shoe, or what is on file, does not
wait for the compiler of the solver's inner loops.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from croupier.exact.records import Cell, Spread
    from croupier.exact.shoe import CardsLeft, parse_shoe
    from croupier.exact.solution import Decision, Mistake, Solution, solve, without_end
else:
    HOMES = {
        "croupier.exact.records": ("Cell", "Spread"),
        "croupier.exact.shoe": ("CardsLeft", "parse_shoe"),
        "croupier.exact.solution": ("Decision", "Mistake", "Solution", "solve", "without_end"),
    }

    def __getattr__(name):
        for home, names in HOMES.items():
            if name in names:
                return getattr(import_module(home), name)
        raise AttributeError(f"module 'croupier.exact' has no attribute {name!r}")
