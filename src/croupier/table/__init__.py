"""The conduct of the game as one pure machine.

decide(state, command, by) -> events    may refuse
evolve(state, event) -> state        never refuses
advance(state, command, by)          both at once
"""

from croupier.table import (  # noqa: F401  (register handlers)
    deal,
    offers,
    play,
    reconstruct,
    settle,
    shoe,
    supervise,
    wagers,
)
from croupier.table.evolve import evolve, open_state
from croupier.table.run import HANDLERS, advance, decide
from croupier.table.state import State

__all__ = ["HANDLERS", "State", "advance", "decide", "evolve", "open_state"]
