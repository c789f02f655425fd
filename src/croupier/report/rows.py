"""The report as one long table, a row a figure, for whoever loads it into a program of their own.

`section` is the part of the report and `figure` what the number is, within a part of that part after a dot.
The columns between say of what it is told; no two rows have all of these in common. `value` is a number,
`exact` the same as a fraction where one is known, and `text` what is no number: an action, a rule in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from croupier.report.data import INFINITE, told_of
from croupier.report.model import Report
from croupier.report.text import DIGITS, ENDLESS
from croupier.rulebook.text import Clause

KEYS = ("decks", "upcard", "hand", "action", "item")
COLUMNS: dict[str, type] = dict.fromkeys(("section", *KEYS, "figure"), str)
COLUMNS |= {"value": float, "exact": str, "text": str}
ABOUT, GAME = "about", "game"  # sections: what the report is of, and the figures of the game as a whole
Row = dict[str, Any]
Keys = dict[str, str]

# Which fields say of what a record is, and in which column; of other records all that are words. A field
# without a column is a record that says it, and whose own figures are told elsewhere.
TOLD_BY = {
    "Cell": {"upcard": "upcard", "row": "hand"},
    "Start": {"upcard": "upcard", "hand": "hand", "suits": "item"},
    "Mistake": {"cell": "", "instead": "action"},
    "Otherwise": {"upcard": "upcard", "hand": "hand", "row": "item", "suits": "item"},
    "SplitRest": {"upcard": "upcard", "row": "hand"},
    "CardsCell": {"upcard": "upcard", "row": "hand"},
    "Run": {"cards": "item"},
    "Note": {"hand": "item", "suits": "item"},
    "Paid": {"provision": "item", "stake": "item"},
    "Provision": {"name": "item"},
    "HouseChoice": {"name": "item"},
    "Variation": {"provision": "item", "value": "item"},
    "Payout": {"row": "item"},
    "ThirdCard": {"cards": "item"},
    "Forfeits": {"upcard": "upcard", "total": "item", "soft": "item"},
    "Caution": {"kind": "item"},
    "BetValue": {},
    "Spread": {},
    "ManyRounds": {"rounds": "item"},
}
# The column for the keys of a field that has several values.
COLUMN_OF = {"worth": "action", "by_upcard": "upcard"} | dict.fromkeys(
    ("by_decks", "with_natural", "even_money"), "decks"
)
APART = " / "


def rows(report: Report, about: dict[str, Any]) -> Iterator[Row]:
    """Every figure of a report, after what it is a report of."""
    seen: dict[tuple[Any, ...], int] = {}
    for row in _all(report, about):
        place = tuple(row[column] for column in ("section", *KEYS, "figure"))
        seen[place] = seen.get(place, 0) + 1
        if seen[place] > 1:
            row["item"] = _joined(row["item"], str(seen[place]))
        yield row


def _all(report: Report, about: dict[str, Any]) -> Iterator[Row]:
    for name, value in about.items():
        yield from _told(name, value, ABOUT, {})
    for name in report.__struct_fields__:
        value = getattr(report, name)
        if name in about:
            continue
        if isinstance(value, int | float | str):
            yield from _told(name, value, GAME, {})
        elif name != "study":
            yield from _told("", value, name, {})


def _told(figure: str, value: Any, section: str, keys: Keys) -> Iterator[Row]:
    if isinstance(value, Struct) and not isinstance(value, Clause):
        told_by, keys = _told_by(value), keys | _identified(value, keys)
        for name in told_of(value):
            if name not in told_by:
                yield from _told(f"{figure}.{name}".strip("."), getattr(value, name), section, keys)
    elif isinstance(value, dict):
        column = COLUMN_OF.get((figure or section).rpartition(".")[2], "item")
        for key, part in value.items():
            yield from _told(figure, part, section, keys | {column: _joined(keys.get(column, ""), str(key))})
    elif isinstance(value, tuple | list) and any(isinstance(part, Struct) for part in value):
        if isinstance(value[0], Clause):
            yield _row(figure or "clause", _words(value), section, keys)
        else:
            for part in value:
                yield from _told(figure, part, section, keys)
    elif value is not None and not (isinstance(value, tuple | list | str) and not value):
        yield _row(figure or section, value, section, keys)


def _told_by(record: Struct) -> dict[str, str]:
    known = TOLD_BY.get(type(record).__name__)
    if known is not None:
        return known
    return {
        name: name if name in KEYS else "item"
        for name in record.__struct_fields__
        if name in KEYS or isinstance(getattr(record, name), str)
    }


def _identified(record: Struct, keys: Keys) -> Keys:
    """What a record is told of, beside what is known of it already."""
    found = dict(keys)
    for name, column in _told_by(record).items():
        value = getattr(record, name)
        if column == "decks" and value == ENDLESS:
            value = INFINITE
        if not column:
            found |= _identified(value, found)
        elif isinstance(value, bool):
            found[column] = _joined(found.get(column, ""), name if value else f"not {name}")
        else:
            said = _words(value) if isinstance(value, tuple) else str(value)
            found[column] = _joined(found.get(column, "") if column == "item" else "", said)
    return found


def _joined(*words: str) -> str:
    return APART.join(filter(None, words))


def _row(figure: str, value: Any, section: str, keys: Keys) -> Row:
    row: Row = dict.fromkeys(COLUMNS, "") | keys | {"section": section, "figure": figure, "value": None}
    if isinstance(value, Fraction):
        row |= {"value": float(value), "exact": str(value)}
    elif isinstance(value, bool | int):
        row["value"] = int(value)
    elif isinstance(value, float):
        row["value"] = round(float(value), DIGITS)
    else:
        row["text"] = value if isinstance(value, str) else _words(value)
    return row


def _words(value: Any) -> str:
    if isinstance(value, Clause):
        return value.citation
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    return "; ".join(map(_words, value))
