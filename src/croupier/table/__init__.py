"""The conduct of the game as one pure machine.

decide(state, command, by) -> events    may refuse
evolve(state, event) -> state        never refuses
advance(state, command, by)          both at once
"""

from croupier.table.contents import HANDLERS, STEPS, advance, decide, evolve
from croupier.table.evolve import open_state
from croupier.table.state import State

__all__ = ["HANDLERS", "STEPS", "State", "advance", "decide", "evolve", "open_state"]
