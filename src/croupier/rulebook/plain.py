"""Rules as plain data and back: what was set, that is, whatever differs from its default.

A default is what silence means, so what was set says everything; and a provision that a later release
adds changes nothing of what was set before it, nor its fingerprint. Nested parts are written alike.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Set
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct

from croupier.money import parse_odds
from croupier.rulebook.rules import Rules


def what_is_set(rules: Rules) -> dict[str, Any]:
    """The provisions that differ from their defaults, as JSON can say them; `rules_from` reads them back."""
    return _set_in(rules)


def rules_from(what: dict[str, Any]) -> Rules:
    """The rules in which so much is set. msgspec's ValidationError names what no release has written so."""
    return msgspec.convert(what, Rules, dec_hook=_decoded)


def fingerprint(what: dict[str, Any]) -> str:
    """SHA-256 of what is set, as JSON without spaces whose keys are sorted."""
    return hashlib.sha256(msgspec.json.encode(what, order="sorted")).hexdigest()


def rules_hash(rules: Rules) -> str:
    """A fingerprint of everything that makes the table behave as it does."""
    return fingerprint(what_is_set(rules))


def _set_in(part: Struct) -> dict[str, Any]:
    values = {name: (getattr(part, name), default) for name, default in _defaults(type(part)).items()}
    return {name: _plain(value) for name, (value, default) in values.items() if value != default}


@functools.cache
def _defaults(kind: type[Struct]) -> dict[str, Any]:
    """The default of each field; what must be given differs from its default whatever it is."""
    return {
        field.name: field.default if field.default_factory is NODEFAULT else field.default_factory()
        for field in msgspec.structs.fields(kind)
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        return _set_in(value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, Set):
        return sorted(map(_plain, value))
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _decoded(kind: type, value: Any) -> Fraction:
    """A fraction as `_plain` writes it, and in no other way."""
    if kind is Fraction and isinstance(value, str) and str(found := parse_odds(value)) == value:
        return found
    raise ValueError(f"{value!r} is no fraction in lowest terms")
