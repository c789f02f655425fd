"""Croupier: casino blackjack and pontoon, conducted clause by clause as the law says.

These are the names that a program needs; the packages have the rest. Each is imported when it is first asked
for, so that nobody who conducts a table waits for the solver.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "ParseError",
    "Refused",
    "Rulebook",
    "RulebookError",
    "Rules",
    "Solution",
    "State",
    "advance",
    "commands",
    "events",
    "legal",
    "load",
    "open_state",
    "parse",
    "parse_shoe",
    "solve",
    "study",
    "tell",
    "view",
]

if TYPE_CHECKING:
    from croupier.errors import ParseError, Refused, RulebookError
    from croupier.exact import Solution, parse_shoe, solve
    from croupier.rulebook import Rulebook, Rules, load
    from croupier.rulebook.study import study
    from croupier.story import tell
    from croupier.table import State, advance, commands, events, open_state
    from croupier.table.legal import legal
    from croupier.table.text import parse
    from croupier.table.view import view
else:
    HOMES = {
        "croupier.errors": ("ParseError", "Refused", "RulebookError"),
        "croupier.exact": ("Solution", "parse_shoe", "solve"),
        "croupier.rulebook": ("Rulebook", "Rules", "load"),
        "croupier.rulebook.study": ("study",),
        "croupier.story": ("tell",),
        "croupier.table": ("State", "advance", "commands", "events", "open_state"),
        "croupier.table.legal": ("legal",),
        "croupier.table.text": ("parse",),
        "croupier.table.view": ("view",),
    }

    def __getattr__(name):
        for home, names in HOMES.items():
            if name in names:
                return getattr(import_module(home), name)
        raise AttributeError(f"module 'croupier' has no attribute {name!r}")
