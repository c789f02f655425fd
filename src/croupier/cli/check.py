"""`croupier check`: cases and clause tests against the rules."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.progress import track

from croupier.cases import Case, ClauseTest, Outcome, Verdict, read_path, run_case, run_test
from croupier.cli.output import Console, print_json, print_text, remark
from croupier.errors import ParseError
from croupier.house.rounds import write_case_log
from croupier.rulebook import load
from croupier.story import cited, tell
from croupier.table import events as ev

Result = Outcome | Verdict | ParseError

# What a reader of a failure does not need to see again.
DULL = (ev.TableOpened, ev.StageReached, ev.SeatTaken, ev.BettingOpened)


def check(
    *paths: Annotated[
        Path, Parameter(help="Cases and clause tests: TOML files, JSON Lines of cases, folders of them.")
    ],
    json_: Annotated[
        bool, Parameter(name="--json", negative="", help="Print one JSON object a case or test.")
    ] = False,
    log: Annotated[Path | None, Parameter(help="Write the log of a single case to this file.")] = None,
) -> int:
    """Run cases and clause tests. Exit status 0 only if all pass; the last line is `N passed, M failed`.

    With --json standard output has an object a line and nothing else.
    """
    if not paths:
        raise ParseError("no path was given; name case files or folders, as in `croupier check cases/`")
    for path in paths:
        if not path.exists():
            raise ParseError(f"{path}: there is no such file or folder")
    passed = failed = 0
    found = _found(paths)
    if log is not None:
        _write_log(found, log)
    # Only a person watches; a program that reads our output gets nothing but it.
    for one in track(
        found, "checked", console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ):
        result = _run(one)
        good = not isinstance(result, ParseError) and result.passed
        passed, failed = passed + good, failed + (not good)
        if json_:
            print_json(_as_json(result))
        elif not good:
            print_text(_as_text(result))
    summary = f"{passed} passed, {failed} failed"
    remark(summary) if json_ else print(summary)
    return 0 if passed and not failed else 1


def _found(paths: tuple[Path, ...]) -> list[Case | ClauseTest | ParseError]:
    """Everything to be run; a whole disk takes a while to look through."""
    found: list[Case | ClauseTest | ParseError] = []
    with Console(stderr=True).status("Looking for cases and tests") as status:
        for path in paths:
            for one in read_path(path):
                found.append(one)
                status.update(f"Looking for cases and tests: {len(found):,} found")
    return found


def _run(found: Case | ClauseTest | ParseError) -> Result:
    if isinstance(found, Case):
        return run_case(found)
    return run_test(found) if isinstance(found, ClauseTest) else found


def _write_log(found: list[Case | ClauseTest | ParseError], log: Path) -> None:
    if len(found) != 1:
        raise ParseError(f"--log takes a single case, and {len(found)} were given")
    if isinstance(found[0], ParseError):
        raise found[0]
    if isinstance(found[0], ClauseTest):
        raise ParseError(f"--log takes a case, and {found[0].source} holds a clause test")
    write_case_log(found[0], log)


def _as_json(result: Result) -> dict[str, object]:
    if isinstance(result, ParseError):
        return {"passed": False, "problems": [str(result)]}
    shown: dict[str, object]
    if isinstance(result, Outcome):
        shown = {"case": result.case.source, "title": result.case.title}
    else:
        test = result.test
        shown = {"source": test.source, "title": test.title, "clauses": list(test.clauses)}
    shown |= {"passed": result.passed, "problems": list(result.problems)}
    return shown | ({"position": result.position} if result.position else {})


def _as_text(result: Result) -> str:
    """A failure: what happened so far with its clauses, where the table stands, then what does not hold."""
    if isinstance(result, ParseError):
        return f"FAILED {result}\n"
    subject = result.case if isinstance(result, Outcome) else result.test
    lines = [f"FAILED {subject.source} {subject.title}".rstrip()]
    told = [event for event in result.events if not isinstance(event, DULL)]
    if told:
        book = load(subject.rulebook)
        lines += [f"    {tell(event, book)}  {cited(event, book)}".rstrip() for event in told]
    lines += [f"  at {result.position}"] if result.position else []
    lines += [f"  → {problem}" for problem in result.problems]
    return "\n".join(lines) + "\n"
