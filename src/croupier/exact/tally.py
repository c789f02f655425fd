"""How often things happen under the best play, and where hands of one total are played differently."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from croupier.exact import kernels
from croupier.exact.hands import ACE, TWENTY_ONE, VALUES, VARIANTS, Array
from croupier.exact.solution import Cell, Entry, Solution
from croupier.exact.solver import Solver
from croupier.exact.strategy import hand_name

NAMED = 4  # hands of a mixed cell that are named


class MixedCell(Struct, frozen=True):
    """A cell of the chart in which some hands are played otherwise: the commonest of them, and how many."""

    cell: Cell
    hands: tuple[str, ...]
    others: int
    by_totals: str


class Forfeits(Struct, frozen=True):
    """Doubled hands of one total against one first card: how often they arise, and the share given up."""

    upcard: str
    total: int
    soft: bool
    chance: float
    share: float


class DealerRow(Struct, frozen=True):
    """How the dealer's hand ends from one first card, and how often that card comes; "" is any card."""

    upcard: str
    chance: float
    ends: dict[str, float]


class Frequencies(Struct, frozen=True):
    """How often things happen in a round under the best play. All but the first four are of unsplit hands."""

    player_natural: float
    dealer_ace: float
    dealer_natural: float
    split: float
    doubled: float
    given_up: float
    surrendered: float
    busted: float


# Mixed cells


def mixed_cells(solution: Solution, totals: Solution) -> Iterator[MixedCell]:
    by_totals = {(cell.upcard, cell.row): cell.action for cell in totals.chart}
    for upcard in solution.solver.upcards:
        apart: dict[str, list[Entry]] = defaultdict(list)
        cells = {cell.row: cell for cell in solution.chart if cell.upcard == VALUES[upcard] and cell.others}
        for entry in solution.entries(upcard) if cells else ():
            if entry.row in cells and not _follows(entry, cells[entry.row].action):
                apart[entry.row].append(entry)
        for row, entries in apart.items():
            entries.sort(key=lambda entry: -entry.weight)
            names = _names(solution.solver, entries)
            otherwise = by_totals.get((VALUES[upcard], row), cells[row].action)
            yield MixedCell(cells[row], names[:NAMED], max(0, len(names) - NAMED), otherwise)


def _follows(entry: Entry, action: str) -> bool:
    """A hand with too many cards to double does what the cell's doubling hands fall back on."""
    return entry.action == action or ("D" not in entry.worth and f"D/{entry.action}" == action)


def _names(solver: Solver, entries: list[Entry]) -> tuple[str, ...]:
    """The hands by name, with their suits only where other suits are played otherwise."""
    names = []
    kinds = Counter(entry.hand for entry in entries)
    for entry in entries:
        name = "-".join(hand_name(solver, entry.hand, entry.variant))
        if solver.law.suited[entry.hand] >= 0 and kinds[entry.hand] < VARIANTS:
            name += (" of two suits", " of one suit", " of spades")[entry.variant]
        names.append(name)
    return tuple(dict.fromkeys(names))


# How often


class Counted(NamedTuple):
    frequencies: Frequencies
    forfeits: tuple[Forfeits, ...]


def counted(solution: Solution) -> Counted:
    """How often the best play doubles, gives up, busts and so on."""
    solver = solution.solver
    doubled = given_up = surrendered = busted = dealer_natural = player_natural = 0.0
    forfeits: list[Forfeits] = []
    for upcard in solver.upcards:
        weight = float(solver.chance(upcard))
        opening = solver.opening(upcard)
        start, left = _kept(solver, upcard)
        _, twice, lost = solver.kind.run(
            kernels.visits, solver.hands, solver.law, solver.draw(upcard), opening.plan, start
        )
        rows = _forfeits(solver, upcard, twice, weight)
        forfeits += [row for row in rows if row.share > 0]
        doubled += weight * float(twice.sum() + lost[1, 0])
        given_up += sum(row.chance * row.share for row in rows)
        busted += weight * float(lost[0, 0] + lost[1, 0])
        surrendered += weight * left
        player_natural += weight * float(opening.chance[opening.natural].sum())
        dealer_natural += weight * float(solution.dealer(VALUES[upcard])["natural"])
    ace = float(solver.chance(ACE)) if ACE in solver.upcards else 0.0
    return Counted(
        Frequencies(
            player_natural=player_natural,
            dealer_ace=ace,
            dealer_natural=dealer_natural,
            split=solution.spread.split_share,
            doubled=doubled,
            given_up=given_up,
            surrendered=surrendered,
            busted=busted,
        ),
        tuple(forfeits),
    )


def _kept(solver: Solver, upcard: int) -> tuple[Array, float]:
    """The first two cards that are played on unsplit, with their chances; and the chance of a surrender."""
    opening = solver.opening(upcard)
    plan = opening.plan
    start = opening.weights(len(solver.hands.size))
    given = np.where(plan.surrenders, start, 0.0) * float(solver.surrender_chance(upcard))
    return np.where(plan.splits, 0.0, start - given), float(given.sum())


def _forfeits(solver: Solver, upcard: int, twice: Array, weight: float) -> list[Forfeits]:
    """Doubled hands by their totals, and how many of each are better given up; none where none may be."""
    if not solver.rules.forfeit:
        return []
    forfeits = solver.opening(upcard).plan.forfeits
    arisen: dict[tuple[int, bool], float] = defaultdict(float)
    given: dict[tuple[int, bool], float] = defaultdict(float)
    for hand, soft in np.argwhere(twice > 0).tolist():
        key = int(solver.hands.hard[hand]) + 10 * soft, bool(soft)
        if key[0] == TWENTY_ONE and solver.pay.paid_at_once:
            continue
        arisen[key] += float(twice[hand, soft])
        given[key] += float(twice[hand, soft]) * bool(forfeits[hand, soft])
    return [
        Forfeits(VALUES[upcard], total, soft, weight * often, given[total, soft] / often)
        for (total, soft), often in arisen.items()
    ]


def dealer_rows(solution: Solution) -> Iterator[DealerRow]:
    """The dealer's final hands by first card, then over all first cards."""
    whole: dict[str, float] = defaultdict(float)
    for upcard in sorted(solution.solver.upcards, key=lambda value: (value == ACE, value)):
        chance = float(solution.solver.chance(upcard))
        ends = {end: float(part) for end, part in solution.dealer(VALUES[upcard]).items()}
        for end, part in ends.items():
            whole[end] += chance * part
        yield DealerRow(VALUES[upcard], chance, ends)
    yield DealerRow("", 1.0, dict(whole))
