"""What all hands of a split bring together, from what any two of them do.

The results of a hand are a polynomial, a power for each result, and those of hands that do not touch each
other their product. Given the dealer's hand and how many hands were made, split hands still touch each other
through the cards that they take. Write s for one hand, P for two and D = P - s s for what binds the two. All
hands together are taken to be

    the product of all s
  + the sum over all two hands of their D and the s of the others
  + the sum over all two and two hands of both D and the s of the others,

which for two hands is P itself. What binds three hands beyond what binds each two of them is left out. D sums
to nothing over either of its hands, so that the sum, the mean and the second moment are exact all the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

import numpy as np

from croupier.exact.arithmetic import Numbers
from croupier.exact.hands import Array
from croupier.exact.split_kernels import multiply

MOST_BONDS = 2

Type = TypeVar("Type", bound=Hashable)


def together(
    hands: tuple[Type, ...],
    single: Mapping[Type, Array],
    bond: Mapping[tuple[Type, Type], Array],
    kind: Numbers,
) -> Array:
    """The results of hands of these types: one by one as polynomials, and what binds two of them."""
    known: dict[tuple[tuple[Type, ...], int], Array] = {}

    def of(rest: tuple[Type, ...], bonds: int) -> Array:
        if not rest:
            return np.ones((len(single[hands[0]]), 1), single[hands[0]].dtype)
        if (rest, bonds) not in known:
            first, behind = rest[0], rest[1:]
            total: Array = kind.run(multiply, of(behind, bonds), single[first])
            for place, other in enumerate(behind if bonds else ()):
                if other not in behind[:place]:
                    apart = behind[:place] + behind[place + 1 :]
                    bound = kind.run(multiply, of(apart, bonds - 1), bond[first, other])
                    total += behind.count(other) * bound
            known[rest, bonds] = total
        return known[rest, bonds]

    return of(hands, MOST_BONDS)
