"""What is long goes through the reader's pager on a terminal, and breaks between words."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pexpect
import pytest

from test_record_explain import EVENING
from test_record_file import croupier
from test_terminal import COLOUR


def on_a_terminal(*args: str | Path, **env: str) -> tuple[str, int]:
    """What a command writes to a terminal of 80 columns, and its status."""
    environment = {"TERM": "xterm-256color", "PATH": os.environ["PATH"], "NO_COLOR": "1", "PAGER": "", **env}
    shown, status = pexpect.run(
        f"{sys.executable} -m croupier {shlex.join(map(str, args))}",
        withexitstatus=True,
        env=environment,
        encoding="utf-8",
        dimensions=(24, 80),
    )
    return COLOUR.sub("", shown), status


def test_on_a_terminal_words_stay_whole_and_lines_go_on_below() -> None:
    shown, status = on_a_terminal("explain", EVENING)
    in_file = croupier("explain", EVENING).stdout
    assert status == 0
    assert shown.replace("─", "").split() == in_file.replace("─", "").split()
    lines = shown.splitlines()
    assert max(map(len, lines)) <= 80
    first = next(number for number, line in enumerate(lines) if line.startswith("    1 "))
    assert lines[first + 1].startswith(" " * 16)
    assert lines[first + 1].strip()


@pytest.mark.parametrize("args", [("explain", EVENING), ("rules", "show", "2003"), ("rules", "options")])
def test_on_a_terminal_the_readers_pager_is_asked(args: tuple[str | Path, ...], tmp_path: Path) -> None:
    kept = tmp_path / "pages"
    shown, status = on_a_terminal(*args, PAGER=f"tee {kept}")
    assert status == 0
    assert COLOUR.sub("", kept.read_text("utf-8")).split() == shown.split()


def test_a_pager_that_is_left_early_is_no_fault() -> None:
    shown, status = on_a_terminal("rules", "show", "2003", PAGER="head -1")
    assert (len(shown.splitlines()), status) == (1, 0)
    shown, status = on_a_terminal("rules", "show", "2003", "13.1", PAGER="no-such-program")
    assert status == 0
    assert "13.1" in shown
