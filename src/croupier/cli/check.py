"""`croupier check`: cases against the rules."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import track

from croupier.cases import Case, Outcome, read_path, run_case
from croupier.errors import ParseError
from croupier.house.rounds import write_case_log
from croupier.rulebook import load
from croupier.story import cited, tell
from croupier.table import events as ev

# What a reader of a failure does not need to see again.
DULL = (ev.StageReached, ev.SeatTaken, ev.BettingOpened)


def check(
    *paths: Annotated[Path, Parameter(help="Cases: TOML files, JSON Lines, folders of them.")],
    json_: Annotated[
        bool, Parameter(name="--json", negative="", help="Print one JSON object a case.")
    ] = False,
    log: Annotated[Path | None, Parameter(help="Write the log of a single case to this file.")] = None,
) -> int:
    """Run cases. Exit status 0 only if all pass; the last line is `N passed, M failed`."""
    if not paths:
        raise ParseError("no path was given; name case files or folders, as in `croupier check cases/`")
    for path in paths:
        if not path.exists():
            raise ParseError(f"{path}: there is no such file or folder")
    passed = failed = 0
    found = [case for path in paths for case in read_path(path)]
    if log is not None:
        _write_log(found, log)
    # Only a person watches; a program that reads our output gets nothing but it.
    for case in track(
        found, "cases", console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ):
        outcome = case if isinstance(case, ParseError) else run_case(case)
        good = isinstance(outcome, Outcome) and outcome.passed
        passed, failed = passed + good, failed + (not good)
        if json_:
            print(json.dumps(_as_json(outcome), ensure_ascii=False))
        elif not good:
            print(_as_text(outcome))
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


def _write_log(found: list[Case | ParseError], log: Path) -> None:
    if len(found) != 1:
        raise ParseError(f"--log takes a single case, and {len(found)} were given")
    if isinstance(found[0], ParseError):
        raise found[0]
    write_case_log(found[0], log)


def _as_json(outcome: Outcome | ParseError) -> dict[str, object]:
    if isinstance(outcome, ParseError):
        return {"passed": False, "problems": [str(outcome)]}
    case = outcome.case
    return {
        "case": case.source,
        "title": case.title,
        "passed": outcome.passed,
        "problems": list(outcome.problems),
    }


def _as_text(outcome: Outcome | ParseError) -> str:
    """A failure: the round so far with its clauses, then what was expected and found."""
    if isinstance(outcome, ParseError):
        return f"FAILED {outcome}\n"
    case = outcome.case
    lines = [f"FAILED {case.source} {case.title}".rstrip()]
    if outcome.events:
        book = load(case.rulebook)
        lines += [
            f"    {tell(event, book)}  {cited(event, book)}"
            for event in outcome.events
            if not isinstance(event, DULL)
        ]
    lines += [f"  → {problem}" for problem in outcome.problems]
    return "\n".join(lines) + "\n"
