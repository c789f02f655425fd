"""The examples of the documents run, one after another, and print what they say they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parent.parent / "docs"


def examples(file: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", file.read_text(), re.DOTALL)


@pytest.mark.parametrize("name", ["exact.md", "houses.md"])
def test_examples_run_and_print_what_they_say(name: str) -> None:
    known: dict[str, Any] = {}
    for example in examples(DOCS / name):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(example, known)
        for said in re.findall(r"print\(.*\)  # (.+)", example):
            assert said in printed.getvalue(), example
