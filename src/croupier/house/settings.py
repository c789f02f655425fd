"""House settings from a house's file and the command line, for every table that people open there."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from croupier.errors import ParseError
from croupier.rulebook import Rulebook
from croupier.rulebook.demonstration import TERMS
from croupier.rulebook.housefile import read_house_file
from croupier.rulebook.pairs import read_pair, value_of


def settings_of(
    book: Rulebook, house: Path | None, pairs: Sequence[str] = (), *, side_bets: bool = False, **given: Any
) -> dict[str, Any]:
    """All settings of a table, within the law: its house's, the command line's on top, --set last.

    Side bets that the house has no terms for are offered on those of a demonstration.
    """
    settings = copy.deepcopy(book.demonstration) if house is None else read_house_file(house, book)
    for bet in book.rules.side_bets.values() if side_bets else ():
        settings[bet.offered_as] = settings.get(bet.offered_as) or TERMS[bet.stake]
    settings |= {name: value for name, value in given.items() if value is not None}
    for pair in pairs:
        name, text = read_pair(pair)
        if given.get(name) is not None:
            raise ParseError(f"--set {pair}: --{name} {given[name]} says it as well; leave one of them out")
        _set(settings, name, value_of(name, text))
    book.rules_for(settings, file=str(house or ""))
    return settings


def _set(settings: dict[str, Any], name: str, value: Any) -> None:
    """Set a name, or one part of it (`perfect_pairs.maximum`) beside what is said already."""
    *folders, leaf = name.split(".")
    for folder in folders:
        if not isinstance(settings.get(folder), dict):
            settings[folder] = {}
        settings = settings[folder]
    settings[leaf] = value
