"""The examples of the documents run, one after another, and print what they say they print."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.cli import app
from desks import quiet_desk, typed

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
# What is typed at its prompts, bets, then no insurance and stand; nothing at those of others.
TYPED = {"play uk": "10\n10\n" + "n\ns\n" * 8}
# These take long, and have tests of their own.
LONG = ("croupier compare", "croupier serve", "croupier sheet", "croupier rules coverage")


def examples(file: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", file.read_text(), re.DOTALL)


@pytest.mark.parametrize(
    "name", ["README.md", "docs/exact.md", "docs/houses.md", "docs/simulate.md", "docs/environments.md"]
)
def test_examples_run_and_print_what_they_say(name: str) -> None:
    known: dict[str, Any] = {}
    for example in examples(ROOT / name):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(example, known)
        for said in re.findall(r"print\(.*\)  # (.+)", example):
            assert said in printed.getvalue(), example


# The commands of the README


def commands() -> list[str]:
    """Every command that the README shows, in blocks and whole in its sentences."""
    text = README.read_text()
    return re.findall(r"^croupier .+", text, re.MULTILINE) + re.findall(r"`(croupier [^`]+ --[^`]+)`", text)


@pytest.mark.parametrize("command", commands())
def test_commands_of_the_readme_are_understood(command: str) -> None:
    app.parse_args(shlex.split(command)[1:], exit_on_error=False, print_error=False)


def test_commands_of_the_readme_run_one_after_another(tmp_path: Path) -> None:
    for command in commands():
        if command.startswith(LONG):
            continue
        words = shlex.split(command)[1:]
        typed = next((typed for start, typed in TYPED.items() if start in command), "")
        done = subprocess.run(
            [sys.executable, "-m", "croupier", *words],
            cwd=tmp_path,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


# What the package itself offers


def test_every_name_of_the_package_is_there() -> None:
    for name in croupier.__all__:
        assert getattr(croupier, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        croupier.lode  # type: ignore[attr-defined]  # noqa: B018


def test_the_package_loads_without_the_solver() -> None:
    code = "import sys, croupier; croupier.load; croupier.advance; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_round_of_the_desks_page_is_dealt_as_it_stands() -> None:
    text = (ROOT / "docs" / "desk.md").read_text()
    block = next(part for part in text.split("```") if "p1 sits 1" in part)
    desk, said = quiet_desk()
    for line in re.findall(r"^>(.*)", block, re.MULTILINE):
        typed(desk, re.split(r"  +", line[1:])[0])
        assert not desk.question
    assert not [sentence for sentence in said if "refused" in sentence or "ot carried out" in sentence]
    assert (desk.state.round, desk.state.stage) == (2, "idle")
