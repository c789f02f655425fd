"""No state is stuck: a bounded search of small tables finds nothing out of order.

`scripts/search_states.py` is the same search at length.
"""

from __future__ import annotations

import functools
import tomllib

import msgspec
import pytest

from croupier.cases.clauses import ClauseTest, run_test
from croupier.rulebook import NAMES
from croupier.table import HANDLERS
from croupier.table import commands as cmd
from croupier.table.commands import KINDS, Command
from croupier.table.run import Run, refuse
from small_tables import tables
from states import NEVER, Finding, Search

STATES = 100  # on each table


@functools.cache
def searched(name: str) -> list[Search]:
    return [Search(table, seed).run(STATES) for seed, table in enumerate(tables(name))]


@pytest.mark.parametrize("name", NAMES)
def test_no_state_is_stuck_or_out_of_order(name: str) -> None:
    found = [finding.text() for search in searched(name) for finding in search.findings.values()]
    assert not found, "\n\n".join(found)


def test_every_kind_of_command_is_accepted_somewhere() -> None:
    accepted = {kind for name in NAMES for search in searched(name) for kind in search.accepted}
    assert KINDS.keys() - accepted <= NEVER


# The search itself


def never(run: Run, command: Command) -> None:
    refuse("round", command, "never")


def breaks(run: Run, command: Command) -> None:
    raise KeyError("broken")


def planted(fault: str) -> Finding:
    """What a short search tells of a fault."""
    search = Search(tables("act-blackjack-2003")[0]).run(12)
    return next(finding for finding in search.findings.values() if finding.fault.startswith(fault))


def test_a_round_that_cannot_end_is_found_and_told_as_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HANDLERS, cmd.Collect, never)
    found = planted("ends: ")
    assert cmd.Wager in {type(asked.command) for asked in found.commands}
    named = {"clauses": [], "title": "", "rulebook": found.table.rulebook}
    test = msgspec.convert(tomllib.loads(found.text()) | named, ClauseTest)
    assert not run_test(test).problems


def test_an_error_that_is_no_refusal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HANDLERS, cmd.OpenDispute, breaks)
    assert len(planted("machine: KeyError").commands) == 1
