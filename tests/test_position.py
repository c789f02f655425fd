"""A position is a line of text that parses back; what is determined at a table is its terms alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.cases import ClauseTest, read_path
from croupier.cases.clauses import Runner
from croupier.errors import ParseError, Refused
from croupier.rulebook import NAMES, load
from croupier.table import State, advance, open_state
from croupier.table import commands as cmd
from croupier.table.actors import DEALER
from croupier.table.position import position, state_at
from croupier.table.state import Dispute, History, Past

RULES = Path(__file__).parent / "rules"
TABLE = Path(__file__).parent.parent / "src" / "croupier" / "table"


def opened(name: str) -> State:
    book = load(name)
    return open_state(book.rules_for(book.demonstration))


@pytest.mark.parametrize("name", NAMES)
def test_every_position_of_every_clause_test_parses_back(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[State] = []
    give = Runner.give

    def watched(self: Runner, *asked: Any) -> None:
        give(self, *asked)
        seen.append(self.state)

    monkeypatch.setattr(Runner, "give", watched)
    for test in read_path(RULES / name):
        assert isinstance(test, ClauseTest)
        runner = Runner(test, load(test.rulebook))
        list(runner.run())
    assert len(seen) > 500
    for state in seen[::23]:
        text = position(state)
        assert "\n" not in text
        again = state_at(state.rules, text)
        assert replace(state, past=History()) == again
        assert hash(again) == hash(state)


@given(st.text(max_size=30), st.text(min_size=1, max_size=10))
def test_whatever_people_write_parses_back(about: str, name: str) -> None:
    state = opened(NAMES[0])
    people = replace(state.people, disputes=(Dispute(player=name, about=about),), abstained={name: 2})
    state = replace(state, people=people, won={name: -5})
    assert state_at(state.rules, position(state)) == state


@pytest.mark.parametrize(
    "text",
    [
        *("stage", "stage=", "stage=nowhere", "stge=idle", "=", "(", "boxes=[", "boxes=(number=1)", '"'),
        *("stage=idle)", "unseen=5", "shoe=(left=4 unseen=44)", "stage=idle", "round=[1]", "past=()"),
        "rules=(ranks=A)",
    ],
)
def test_what_is_no_position_is_told(text: str) -> None:
    with pytest.raises(ParseError, match="no position"):
        state_at(opened(NAMES[0]).rules, text)


def test_a_refusal_knows_where_the_table_stood() -> None:
    state = opened(NAMES[0])
    with pytest.raises(Refused) as refused:
        advance(state, cmd.OpenBetting(), DEALER)
    assert refused.value.state is state


# Rules, terms and past


def test_nothing_at_a_table_looks_at_what_the_house_opened_with() -> None:
    """What is determined there (decks, limits, …) may have changed since: `terms` has it."""
    stale = re.compile(r"house\.(decks|shuffle|cutting_cards|minimum|maximum|automated_shoe)\b")
    for file in TABLE.rglob("*.py"):
        if file.relative_to(TABLE) not in (Path("evolve/__init__.py"), Path("opening.py")):
            assert not stale.search(file.read_text()), file


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 128, 200])
def test_every_round_stays_on_record(count: int) -> None:
    history = History()
    for number in range(1, count + 1):
        history = history.with_round(Past(round=number, results=()))
    assert [past.round for past in history.last_first()] == list(range(count, 0, -1))
    for number in (1, 2, 64, 65, count):
        found = history.of(number)
        assert (found is None) == (number > count or number == 0)
        if found is not None:
            changed = history.with_changed(number, decided=True)
            assert [past.round for past in changed.last_first() if past.decided] == [number]
            assert changed.with_changed(number, decided=False) == history
    assert history.of(None) is None
