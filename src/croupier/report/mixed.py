"""Cells of the chart in which hands of one total are played differently, and the hands by name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from msgspec import Struct

from croupier.exact.hands import VALUES, VARIANTS
from croupier.exact.records import Cell
from croupier.exact.solution import CellHand, Solution
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
        apart: dict[str, list[CellHand]] = defaultdict(list)
        cells = {cell.row: cell for cell in solution.chart if cell.upcard == VALUES[upcard] and cell.others}
        for one in solution.cell_hands(upcard) if cells else ():
            if one.row in cells and not _follows(one, cells[one.row].action):
                apart[one.row].append(one)
        for row, cell_hands in apart.items():
            cell_hands.sort(key=lambda one: -one.weight)
            names = _names(solution.solver, cell_hands)
            otherwise = by_totals.get((VALUES[upcard], row), cells[row].action)
            yield MixedCell(cells[row], names[:NAMED], max(0, len(names) - NAMED), otherwise)


def _follows(one: CellHand, action: str) -> bool:
    """A hand with too many cards to double does what the cell's doubling hands fall back on."""
    return one.action == action or ("D" not in one.worth and f"D/{one.action}" == action)


def _names(solver: Solver, cell_hands: list[CellHand]) -> tuple[str, ...]:
    """The hands by name, with their suits only where other suits are played otherwise."""
    names = []
    kinds = Counter(one.hand for one in cell_hands)
    for one in cell_hands:
        name = "-".join(hand_name(solver, one.hand, one.variant))
        if solver.law.suited[one.hand] >= 0 and kinds[one.hand] < VARIANTS:
            name += (" of two suits", " of one suit", " of spades")[one.variant]
        names.append(name)
    return tuple(dict.fromkeys(names))
