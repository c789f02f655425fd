"""Rules as plain data: they read back to the same rules, and later releases change nothing of them."""

from __future__ import annotations

import json
from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import fields, replace

from croupier.rulebook import NAMES, Rules, load, rules_hash
from croupier.rulebook.plain import rules_from, what_is_set


@pytest.mark.parametrize("name", NAMES)
def test_what_is_set_reads_back_to_equal_rules(name: str) -> None:
    book = load(name)
    for rules in (
        Rules(),
        book.rules,
        book.choose(),
        book.choose(boxes=5, decks=max(book.rules.decks_allowed)),
    ):
        assert rules_from(json.loads(json.dumps(what_is_set(rules)))) == rules


def test_only_what_differs_from_its_default_is_set() -> None:
    assert what_is_set(Rules()) == {}
    assert what_is_set(Rules(natural_pays=Fraction(6, 5))) == {"natural_pays": "6/5"}
    house = replace(Rules().house, decks=8)
    assert what_is_set(Rules(house=house, ten_ranks="JQK")) == {"house": {"decks": 8}}
    row = what_is_set(load("act-blackjack-2003").rules)["side_bets"]["perfect_pairs"]["rows"]["mixed"]
    assert row.keys() == {"when", "pays"}


@pytest.mark.parametrize(
    "what",
    [
        {"natural_pay": "3/2"},
        {"house": {"deck": 8}},
        {"ranks": 7},
        {"natural_pays": 1.5},
        {"natural_pays": "6/4"},
        {"natural_pays": "1/0"},
        {"decks_allowed": [0]},
    ],
)
def test_what_was_never_written_is_not_read(what: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        rules_from(what)


def test_a_provision_that_is_added_leaves_the_fingerprint() -> None:
    rules = load("act-pontoon-2002").choose()
    later = msgspec.defstruct(
        "Rules", [("music", str, "none")], bases=(Rules,), frozen=True, forbid_unknown_fields=True
    )
    values = {field.name: getattr(rules, field.name) for field in fields(Rules)}
    assert rules_hash(later(**values)) == rules_hash(rules)
    assert rules_hash(later(**values, music="loud")) != rules_hash(rules)


def test_the_fingerprint_is_what_anybody_can_compute() -> None:
    import hashlib

    rules = load("uk-blackjack-1994").choose()
    text = json.dumps(what_is_set(rules), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert rules_hash(rules) == hashlib.sha256(text.encode()).hexdigest()
