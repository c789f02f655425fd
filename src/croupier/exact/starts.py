"""What a round is worth once its first three cards are known: by the dealer's, and by the player's two.

The chance of the three cards times what they are worth, summed over all of them, is the expectation.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.exact.hands import VALUES
from croupier.exact.records import Start
from croupier.exact.solver import Solver
from croupier.exact.strategy import action_text

SUITS = ("mixed", "suited", "spades")


def starts(solver: Solver) -> Iterator[Start]:
    """Every two first cards that can come up, against every first card of the dealer."""
    for upcard in solver.upcards:
        opening, chance = solver.opening(upcard), solver.chance(upcard)
        rows = zip(
            opening.hand.tolist(),
            opening.variant.tolist(),
            opening.chance.tolist(),
            opening.taken.tolist(),
            opening.natural.tolist(),
            strict=True,
        )
        for hand, variant, dealt, taken, natural in rows:
            if dealt > 0:
                yield Start(
                    upcard=VALUES[upcard],
                    hand=_named(solver, hand),
                    suits=SUITS[variant] if solver.law.suited[hand] >= 0 else "",
                    chance=float(chance * dealt),
                    ev=float(taken),
                    action="" if natural else action_text(solver, opening.plan, hand, variant),
                )


def _named(solver: Solver, hand: int) -> str:
    counts = solver.hands.counts[hand].tolist()
    return "".join(value * count for value, count in zip(VALUES, counts, strict=True))
