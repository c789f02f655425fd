"""Cells of the chart in which hands of one total are played differently, and the hands by name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from msgspec import Struct

from croupier.exact.hands import VALUES, VARIANTS
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
