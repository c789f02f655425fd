"""Cases and clause tests from files and folders.

A TOML file with `[[test]]` holds clause tests; any other is one case, and so is a line of JSON Lines.
A rulebook that lies among them is what they name, and no test.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from croupier.cases.clauses import ClauseTest, read_tests_of
from croupier.cases.model import Case, read_case
from croupier.errors import ParseError

Found = Case | ClauseTest | ParseError
KINDS = "cases and clause tests are .toml files, cases .jsonl files too"


def read_path(path: Path) -> Iterator[Found]:
    """Every case and clause test in a file or folder; one that cannot be read comes as its error."""
    if not path.is_dir():
        yield from _read_file(path, named=True)
        return
    files = sorted(file for file in path.rglob("*") if file.suffix in (".toml", ".jsonl"))
    if not files:
        yield ParseError(f"{path}: no case in this folder; {KINDS}")
    for file in files:
        yield from _read_file(file, named=False)


def read_tests(folder: Path) -> list[ClauseTest]:
    """All clause tests below a folder, in the order of their files, which they name from there."""
    tests = []
    for found in read_path(folder):
        if isinstance(found, ParseError):
            raise found
        if isinstance(found, ClauseTest):
            tests.append(replace(found, source=Path(found.source).relative_to(folder).as_posix()))
    return tests


def _read_file(path: Path, *, named: bool) -> Iterator[Found]:
    for found in _read_text(path, named=named):
        yield found if isinstance(found, ParseError) else _beside(path, found)


def _beside(path: Path, found: Case | ClauseTest) -> Case | ClauseTest:
    """A rulebook's file may be named from the folder of the file that names it."""
    near = os.path.join(path.parent, found.rulebook)
    is_near = found.rulebook.endswith(".toml") and os.path.isfile(near)
    return replace(found, rulebook=near) if is_near else found


def _read_text(path: Path, *, named: bool) -> Iterator[Found]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        yield ParseError(f"{path}: cannot be read: {reason}")
        return
    if path.suffix == ".jsonl":
        yield from _read_lines(text, path)
    elif path.suffix == ".toml":
        raw = _parsed(tomllib.loads, text, str(path))
        yield from [raw] if isinstance(raw, ParseError) else _read_toml(raw, path, named=named)
    else:
        yield ParseError(f"{path}: is no case; {KINDS}")


def _read_lines(text: str, path: Path) -> Iterator[Found]:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        yield ParseError(f"{path}: no case in this file")
    for number, line in lines:
        raw = _parsed(json.loads, line, f"{path}:{number}")
        yield raw if isinstance(raw, ParseError) else _read_case(raw, f"{path}:{number}")


def _read_toml(raw: dict[str, Any], path: Path, *, named: bool) -> Iterator[Found]:
    if "test" in raw:
        yield from read_tests_of(raw, str(path))
    elif "clause" not in raw:
        yield _read_case(raw, str(path))
    elif named:
        yield ParseError(f"{path}: is a rulebook, no case or clause test")


def _read_case(raw: Any, source: str) -> Case | ParseError:
    try:
        return read_case(raw, source)
    except ParseError as error:
        return error


def _parsed(parser: Callable[[str], Any], text: str, source: str) -> Any:
    """What the text holds, or a ParseError."""
    try:
        return parser(text)
    except RecursionError:
        return ParseError(f"{source}: is nested too deeply")
    except ValueError as error:
        return ParseError(f"{source}: {error}")
