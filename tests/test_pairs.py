"""One grammar for `--set`, whoever reads it."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.errors import ParseError
from croupier.house.settings import settings_of
from croupier.rulebook import load
from croupier.rulebook.pairs import read_pair, value_of
from croupier.rulebook.study import study

ACT = load("act-blackjack-2003")


@pytest.mark.parametrize("pair", ["soft_17", "=hit", ".=1", "perfect_pairs.=5", "a..b=1"])
def test_what_is_no_pair_is_refused_in_the_same_words_everywhere(pair: str) -> None:
    told = rf"--set {pair}: write name=value, as in --set decks=4"
    with pytest.raises(ParseError, match=told):
        study(ACT, [pair])
    with pytest.raises(ParseError, match=told):
        settings_of(ACT, None, [pair])


@pytest.mark.parametrize(
    ("pair", "value"),
    [
        ("decks=4", 4),
        ("minimum=2.5", 2.5),
        ("resplit_aces=False", False),
        ("max_hands=none", None),
        ("unsplittable=none", []),
        ("unsplittable=4", [4]),
        ("unsplittable=4,5,10", [4, 5, 10]),
        ("withhold=double", ["double"]),
        ("approved_shuffles=S1,S2", ["S1", "S2"]),
        ("name=First, Second and Third", "First, Second and Third"),
        ("licence=2003", "2003"),
        ("hours=12:00-06:00", "12:00-06:00"),
        ("ten_ranks=JQK", "JQK"),
        ("natural_pays=6/5", "6/5"),
        ("perfect_pairs.maximum=5", 5),
        ("perfect_pairs=true", True),
        ("soft_17=hit", "hit"),
        ("riders=none", "none"),
    ],
)
def test_a_value_is_read_by_its_type_or_its_looks(pair: str, value: Any) -> None:
    read = value_of(*read_pair(pair))
    assert read == value
    assert type(read) is type(value)


def test_a_name_with_a_comma_is_a_name() -> None:
    assert settings_of(ACT, None, ["name=First, Second and Third"])["name"] == "First, Second and Third"
