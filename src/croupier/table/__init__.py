"""The conduct of the game as one pure machine.

decide(state, command) -> events     may refuse
evolve(state, event) -> state        never refuses
advance(state, command)              both at once
"""

from croupier.table import deal, offers, play, settle, shoe, supervise, wagers  # noqa: F401  (register handlers)
from croupier.table.evolve import evolve, open_state
from croupier.table.run import HANDLERS, advance, decide
from croupier.table.state import State

__all__ = ["HANDLERS", "State", "advance", "decide", "evolve", "open_state"]
