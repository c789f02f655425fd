"""What is typed and cannot be meant is a ParseError that shows it, and nothing else is raised."""

from __future__ import annotations

import contextlib
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import ParseError
from croupier.rulebook import load
from croupier.table import commands as cmd
from croupier.table import open_state
from croupier.table.lines import read_line
from croupier.table.text import VERBS, parse_all, usage, verb

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


@pytest.mark.parametrize("kind", cmd.KINDS.values(), ids=lambda kind: kind.__name__)
def test_every_command_says_what_it_is_and_what_its_fields_take(kind: type[cmd.Command]) -> None:
    meaning = " ".join((kind.__doc__ or "").split())
    assert meaning.endswith(".")
    assert "cents" not in meaning
    shown = usage(kind)
    assert shown.startswith(f"usage: {verb(kind)} ")
    for field in msgspec.structs.fields(kind):
        assert re.search(rf"\b{field.name}=[A-Za-z|_:,/…]+", shown)


@pytest.mark.parametrize("letter", ["\x1b", "\x00", "\x9b", "\u202e", "\u2066"])
def test_nothing_typed_deceives_a_screen(letter: str) -> None:
    for line in (f"p1{letter} sits 1", f"open-dispute by=p1 about='a{letter}b'"):
        with pytest.raises(ParseError, match="which a screen would not show"):
            parse_all(STATE, line)
