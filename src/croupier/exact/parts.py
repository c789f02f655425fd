"""What a solver works out, part by part, as plain records."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from croupier.exact.hands import VARIANTS, Array
from croupier.exact.kernels import Plan


class Played(Struct, frozen=True):
    """Unsplit hands against one first card: each action's worth, that of the one taken, and the play."""

    worth: Array  # [hand, variant, action]
    taken: Array  # [hand, variant]
    plan: Plan
    rows: Array  # [hand]: the chances of the dealer's totals, natural and bust


class SplitWorth(Struct, frozen=True):
    """A split pair: what its hands are worth one by one, and at most when a natural takes from them all."""

    apart: Any
    most: Any


class Weighed(Struct, frozen=True):
    """All first two cards against one first card of the dealer, naturals and surrender apart."""

    chance: Array
    worth: Array  # [start, action]; a split that cannot be best with the most it can be worth
    taken: Array
    split: Array


class Opening(Struct, frozen=True):
    """All first two cards against one first card of the dealer."""

    hand: Array
    variant: Array
    chance: Array
    worth: Array  # [start, action]; a split that cannot be best with the most it can be worth
    taken: Array
    natural: Array
    plan: Plan

    def weights(self, hands: int) -> Array:
        """How often each of so many hands is dealt and played, by (hand, variant)."""
        found = np.zeros((hands, VARIANTS), self.chance.dtype)
        played = ~self.natural
        found[self.hand[played], self.variant[played]] = self.chance[played]
        return found


class SplitStart(NamedTuple):
    """The kinds of a pair: what splitting each is worth, and which are split."""

    worth: Array
    chosen: Array
