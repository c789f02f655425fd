"""What `scripts/mutate_code.py` changes: code that still compiles, and never mere words or types."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "mutate_code.py"
SOURCE = '''
"""A purpose."""

LIMIT: int = 21


class Record:
    """A record."""

    __slots__ = ("a",)
    stage: str = "idle"


def judge(state: "State", value: int = 3) -> bool:
    """A contract with 7 in it."""
    shown = "a" if value == 4 else "b"
    if value < LIMIT and state.stage == "idle":
        refuse("limits", state, f"{value + 1} is {shown}")
    run.emit(value - 1)
    raise ValueError("no 5")
'''


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutate_code", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutate_code"] = module
    spec.loader.exec_module(module)
    return module


def test_what_is_changed_and_what_is_left_alone(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small.py").write_text(SOURCE, "utf-8")
    script.choices()
    monkeypatch.setattr(script, "PACKAGE", tmp_path)
    found = {(change.before, change.after) for change in script.Changes(tmp_path / "small.py").found}
    test = 'value < LIMIT and state.stage == "idle"'
    assert found == {
        ("21", "22"), ("21", "20"), ("3", "4"), ("3", "2"),
        ("<", "<="), ("==", "!="), ('"idle"', "'betting'"),
        (test, f"not ({test})"), (test, "True"), (test, "False"),
        (test, "((value < LIMIT))"), (test, '((state.stage == "idle"))'),
        ('refuse("limits", state, f"{value + 1} is {shown}")', "pass"),
        ("run.emit(value - 1)", "pass"), ("-", "+"), ("1", "2"), ("1", "0"),
    }  # fmt: skip


def test_changed_code_compiles_and_the_choice_is_always_the_same(script: ModuleType) -> None:
    chosen, again = (sorted(script.all_changes(), key=lambda change: change.lot(7))[:150] for _ in range(2))
    assert chosen == again
    for change in chosen:
        source = (script.PACKAGE / change.file).read_bytes()
        assert source[change.start : change.end].decode() == change.before
        compile(source[: change.start] + change.after.encode() + source[change.end :], change.file, "exec")
