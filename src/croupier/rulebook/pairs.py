"""Settings as the command line writes them, `name=value`: one grammar for houses and for study.

    soft_17=hit   decks=4   minimum=2.5   resplit_aces=false   unsplittable=4,5,10   max_hands=none

A name may reach into a table, as `perfect_pairs.maximum`. What is known to be text stays as it is
written, and what is known to be a list needs no comma.
"""

from __future__ import annotations

from typing import Any, get_origin

from croupier.errors import ParseError
from croupier.rulebook.house import House
from croupier.rulebook.provision import choices, types
from croupier.rulebook.rules import Rules

TRUTHS = {"true": True, "false": False}


def read_pair(pair: str) -> tuple[str, str]:
    """The name and the value of a setting, both as written."""
    name, equals, text = pair.partition("=")
    if not equals or not all(name.split(".")):
        raise ParseError(f"--set {pair}: write name=value, as in --set decks=4")
    return name, text


def value_of(name: str, text: str) -> Any:
    """A value by the type of its setting or provision, or else by its looks."""
    kind = types(House).get(name) or types(Rules).get(name)
    if kind is str:
        return text
    if "," in text or get_origin(kind) in (tuple, frozenset):
        return [_by_looks(part) for part in text.split(",") if part and text != "none"]
    return text if text in choices(kind) else _by_looks(text)


def _by_looks(text: str) -> Any:
    """None, a truth, a number, or the text itself."""
    if text == "none":
        return None
    if text.lower() in TRUTHS:
        return TRUTHS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
