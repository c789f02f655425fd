"""What is typed and cannot be meant is a ParseError that shows it, and nothing else is raised."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import ParseError
from croupier.rulebook import load
from croupier.table import open_state
from croupier.table.lines import read_line
from croupier.table.text import VERBS, parse_all

STATE = open_state(load("act-blackjack-2003").choose())
WORDS = (
    *[
        "1",
        "1.2",
        "9",
        "p1",
        "p2",
        "hit",
        "split",
        "double",
        "insure",
        "absent",
        "returns",
        "sits",
        "bets",
        "on",
        "10",
        "p1=10",
        "by=p1",
        "player=p1",
        "box=1",
    ],
    *["card=Ks", "Ks", "Ks^", "cut", "error", "reconstruct", "/"],
    *VERBS,
)
NO_PLAY_LINES = ("", "1", "hit", "one hit", "p1 hit", "1 sing", "1 p1", "1 p1 insure", "1 p1 stays 5")


@pytest.mark.parametrize("line", NO_PLAY_LINES)
def test_what_is_no_play_line(line: str) -> None:
    with pytest.raises(ParseError):
        read_line(STATE, line)


@pytest.mark.parametrize("line", ["cut at=150", "decline-cut", "ask about=limits", "attempt act=peek"])
def test_what_anybody_may_ask_says_who_asks(line: str) -> None:
    with pytest.raises(ParseError, match="by="):
        parse_all(STATE, line)
    assert parse_all(STATE, f"{line} by=p1")[0].by.name == "p1"


@given(words=st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=5))
def test_whatever_is_typed_is_read_or_told(words: list[str]) -> None:
    with contextlib.suppress(ParseError):
        assert parse_all(STATE, " ".join(words))
