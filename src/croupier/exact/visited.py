"""How often a plan comes to each hand, before any split."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.exact import kernels
from croupier.exact.hands import Array
from croupier.exact.kernels import Plan
from croupier.exact.solver import Solver


class Visited(NamedTuple):
    """Hands against one first card by how often they come up: of all rounds with that card."""

    first: Array  # (hand, variant): two cards that are dealt and are no natural
    kept: Array  # (hand, variant): those of them that are neither given up nor split
    split: Array  # (hand, variant): those that are split
    played: Array  # (hand, variant): where hit, stand and double are decided
    doubled: Array  # (hand, soft): how a double ends that is not over 21

    @property
    def decided(self) -> Array:
        """By (hand, variant): where anything is decided."""
        return np.where(self.first > 0, self.first, self.played)


def visited(solver: Solver, upcard: int, plan: Plan, *, open_to: Any = None) -> Visited:
    """Where a plan leads against a first card; `open_to` surrender so often, if not as ever."""
    first = solver.opening(upcard).weights(len(solver.hands.size))
    open_to = solver.surrender_chance(upcard) if open_to is None else open_to
    stays = first * (1 - plan.surrenders * open_to)
    split = stays * plan.splits
    kept = stays - split
    played, doubled = solver.kind.run(
        kernels.visits, solver.hands, solver.law, solver.draw(upcard), plan, kept
    )
    return Visited(first, kept, split, played, doubled)
