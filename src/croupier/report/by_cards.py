"""The chart by number of cards as people read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from croupier.report.text import UPCARDS, action, card, done_in_full, hand_text, row_label, row_order

if TYPE_CHECKING:
    from croupier.exact.by_cards import CardsCell, Run

NOTATION = (
    "S4: stand, and hit with 4 cards or more. Where something else than hit follows, its letter stands "
    "behind the number, as in H5s; + where more changes."
)
CHARTS = {"0": "Hard totals", "1": "Soft totals", "2": "Pairs"}
OF_KINDS = {
    "msS": "",
    "m": " of two suits",
    "s": " of one suit but spades",
    "S": " of spades",
    "sS": " of one suit",
    "ms": " not both of spades",
    "mS": " of two suits or of spades",
}


def by_cards_text(runs: Iterable[Run]) -> str:
    """`S4`, or `Dh` where the number of cards changes nothing; a + for what is said below the chart."""
    first, *rest = runs
    if not rest:
        return action(first.action)
    then = "" if rest[0].action == "H" else rest[0].action[0].lower()
    return f"{first.action[0]}{rest[0].cards}{then}{'+' if len(rest) > 1 else ''}"


class CardsSquare(NamedTuple):
    """A cell by number of cards as a page shows it."""

    action: str
    text: str
    tip: str
    noted: bool


class CardsChart(NamedTuple):
    name: str
    rows: dict[str, dict[str, CardsSquare]]


def by_cards_charts(cells: Iterable[CardsCell], ten: str) -> list[CardsChart]:
    """Hard totals, soft totals and pairs, each from the highest."""
    found = {number: CardsChart(name, {}) for number, name in CHARTS.items()}
    for cell in sorted(cells, key=lambda cell: row_order(cell.row)):
        head = f"{row_label(cell.row, ten)} against {card(cell.upcard, ten)}"
        lines = [f"{run.cards} cards: {done_in_full(run.action)}" for run in cell.runs]
        square = CardsSquare(
            cell.runs[0].action[0], by_cards_text(cell.runs), "\n".join([head, *lines]), bool(cell.notes)
        )
        found[row_order(cell.row)[0]].rows.setdefault(cell.row, {})[cell.upcard] = square
    return [chart for chart in found.values() if chart.rows]


def further_notes(cells: Iterable[CardsCell], ten: str = "10") -> list[str]:
    """Cells in which more changes with the number of cards than fits into them, in words."""
    return [
        f"{row_label(cell.row, ten)} against {card(cell.upcard, ten)}: "
        + ", ".join(f"{done_in_full(run.action)} from {run.cards} cards on" for run in cell.runs)
        for cell in cells
        if len(cell.runs) > 2
    ]


def suited_notes(cells: Iterable[CardsCell], ten: str = "10") -> list[str]:
    """Two cards that are not played as their cell is, each in a line with the first cards against which."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for cell in cells:
        kinds: dict[tuple[str, str], str] = {}
        for note in cell.notes:
            kinds[note.hand, note.action] = kinds.get((note.hand, note.action), "") + note.suits
        for (hand, taken), suits in kinds.items():
            found.setdefault((hand, suits, taken), []).append(cell.upcard)
    return [
        f"{hand_text(hand, ten=ten)}{OF_KINDS[suits]}: {done_in_full(taken)} against "
        + ", ".join(card(upcard, ten) for upcard in sorted(upcards, key=UPCARDS.index))
        for (hand, suits, taken), upcards in sorted(
            found.items(), key=lambda item: (item[0][0], -len(item[0][1]))
        )
    ]
