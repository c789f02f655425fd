"""How the result of a round is spread: the chance of every result, and the variance.

Every result of one hand and of two is exact, and so is the variance of all. Of three hands and more what
binds three of them at once is left out (`together.py`). From fresh packs that moves no chance by a millionth.
From some twenty cards it is up to a few hundredths of `three_hands`, how often so many are made.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from croupier.errors import ParseError
from croupier.exact.arithmetic import FLOATS
from croupier.exact.ended import Split, at_once_over, played_out, splits
from croupier.exact.hands import Array
from croupier.exact.records import Spread
from croupier.exact.scale import Scale
from croupier.exact.solver import Solver
from croupier.exact.split_spread import SplitSpread
from croupier.threads import Told, at_once

CLOSE = 1e-12
ROUNDING = 1e-17  # chances below this are not told from none


def spread(solver: Solver, told: Told | None = None) -> Spread:
    """The spread of a round under the play of a solver; `told` hears how far it is."""
    if solver.post_split == "cdp":
        raise ParseError("cdp plays each hand of a split by itself: there is no round to tell the results of")
    solver.ev  # noqa: B018 - its parts are there before threads ask for them
    # What takes longest goes first.
    pairs = sorted(splits(solver), key=lambda one: -len(solver.split_ends(one.upcard, one.pair).keys))
    scale = Scale(solver, max((len(made.hands) for split in pairs for made in split.made), default=1))
    jobs: dict[Any, Callable[[], Array]] = {
        (split.upcard, split.pair): partial(_split, solver, scale, split) for split in pairs
    }
    jobs |= {upcard: partial(_unsplit, solver, scale, upcard) for upcard in solver.upcards}
    whole = sum(at_once(jobs, told).values(), scale.empty())
    _check(solver, scale, whole)
    chances = scale.lifted(whole).tolist()
    least = ROUNDING if solver.kind is FLOATS else 0
    nothing = solver.kind.of(0)
    return Spread(
        results={scale.result(place): chance for place, chance in enumerate(chances) if chance > least},
        ev=solver.ev,
        variance=(whole * scale.results**2).sum() - solver.ev**2,
        split_share=sum((split.chance for split in pairs), nothing),
        three_hands=sum((split.chance * _of_three(solver, split) for split in pairs), nothing),
    )


def _check(solver: Solver, scale: Scale, found: Array) -> None:
    """What is found must sum to one and have the mean that is known."""
    within = CLOSE if solver.kind is FLOATS else 0
    whole, mean = found.sum(), (found * scale.results).sum()
    if abs(whole - 1) > within or abs(mean - solver.ev) > within * max(1, abs(solver.ev)):
        raise AssertionError(f"results sum to {whole}, with a mean of {mean} where {solver.ev} is due")


def _unsplit(solver: Solver, scale: Scale, upcard: int) -> Array:
    found = scale.empty()
    for over in at_once_over(solver, upcard):
        found[scale.reach + int(over.brings * scale.parts)] += over.chance.sum()
    for ended in played_out(solver, upcard):
        np.add.at(found, scale.reach + scale.steps(ended.brought(solver.law, solver.pay)), ended.chance)
    whole: Array = found * solver.chance(upcard)
    return whole


def _of_three(solver: Solver, split: Split) -> Any:
    """How often a split comes to three hands or more."""
    cards = solver.second_cards(split.upcard, split.pair)
    return sum(made.chance(cards) for made in split.made if len(made.hands) > 2)


def _split(solver: Solver, scale: Scale, split: Split) -> Array:
    results = SplitSpread(solver, scale, split.upcard, split.pair, split.chance, split.made).results()
    found: Array = results * split.chance
    return found
