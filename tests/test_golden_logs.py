"""Logs of every release, kept in tests/logs: each is replayed for ever, and leaves what it left then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.record import read_log, replay

FOLDER = Path(__file__).parent / "logs"
GOLDEN = sorted(FOLDER.glob("*.log"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_log_leaves_the_table_as_it_did_then(path: Path) -> None:
    done = replay(read_log(path))
    state = done.state
    assert json.loads(path.with_suffix(".json").read_text()) == {
        "commands": done.commands,
        "events": done.events,
        "refusals": done.refusals,
        "round": state.round,
        "stage": state.stage,
        "left": state.shoe.left,
        "minimum": state.minimum,
        "won": state.won,
        "float_change": state.float_change,
    }
