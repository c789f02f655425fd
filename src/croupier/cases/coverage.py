"""Coverage: for each clause of the documents, the code that obeys it and the tests that hold it.

The tests are the clause tests. They are run, and what the table does on the way is recorded (`places.py`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from croupier.cases.clauses import ClauseTest, Verdict, run_test
from croupier.cases.places import PACKAGE, Place, Places, Record
from croupier.cases.read import read_tests
from croupier.errors import ParseError
from croupier.rulebook import NAMES, load
from croupier.rulebook.book import flatten
from croupier.rulebook.text import Clause, plain_number

Status = Literal["tested", "outside", "untested"]

# What the software itself enforces or performs is shown in more than one situation.
SHOWN_TWICE = ("enforced", "performed")
SITUATIONS = 2


class Covered(Struct, frozen=True):
    """A clause, where the code obeys it, and what came of the tests that name it."""

    clause: Clause
    places: tuple[Place, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def label(self) -> str:
        return label(self.clause)

    @property
    def status(self) -> Status:
        if self.clause.obeyed == "outside":
            return "outside"
        held = self.verdicts and all(verdict.passed for verdict in self.verdicts)
        return "tested" if held else "untested"

    @property
    def situations(self) -> int:
        """How many different tests that name the clause pass."""
        return len({(one.test.source, one.test.title) for one in self.verdicts if one.passed})

    @property
    def is_narrow(self) -> bool:
        """Does a clause that the software enforces or performs lack a second situation?"""
        return self.clause.obeyed in SHOWN_TWICE and self.situations < SITUATIONS


class Coverage(Struct, frozen=True):
    """Every clause of the documents, and every test that failed."""

    clauses: tuple[Covered, ...]
    failed: tuple[Verdict, ...]

    @property
    def is_complete(self) -> bool:
        return not self.failed and not self.counts()["untested"]

    def counts(self, document: str = "") -> Counter[str]:
        """How many clauses are tested, outside and untested, in all or of one document."""
        return Counter(
            covered.status for covered in self.clauses if document in ("", covered.clause.document)
        )

    @property
    def enforced(self) -> tuple[Covered, ...]:
        """The clauses that the software enforces or performs."""
        return tuple(one for one in self.clauses if one.clause.obeyed in SHOWN_TWICE)

    @property
    def narrow(self) -> tuple[Covered, ...]:
        return tuple(one for one in self.clauses if one.is_narrow)

    def breadth(self) -> str:
        broad = len(self.enforced) - len(self.narrow)
        return (
            f"{broad} of {len(self.enforced)} enforced and performed clauses are tested in two or more "
            "situations"
        )

    def summary(self) -> str:
        counts = self.counts()
        return (
            f"{len(self.clauses)} clauses: {counts['tested']} tested, {counts['outside']} outside software, "
            f"{counts['untested']} untested"
        )


def label(clause: Clause) -> str:
    """A clause's number as the law writes it: §10.3, reg 7(9), Dict:Box."""
    if not clause.number[0].isdigit():
        return clause.number
    return f"reg {clause.number}" if clause.document.startswith("uk-") else f"§{clause.number}"


def documents() -> dict[str, tuple[Clause, ...]]:
    """The clauses that each document itself makes; what it takes over from a base counts there."""
    return {name: tuple(clause for clause in load(name).clauses if clause.document == name) for name in NAMES}


def clause_tests_folder() -> Path:
    """The clause tests: in the installed package, or in a checkout beside the sources."""
    installed = Path(str(resources.files("croupier"))) / "clause_tests"
    checkout = PACKAGE.parent.parent / "tests" / "rules"
    for folder in (installed, checkout):
        if folder.is_dir():
            return folder
    raise ParseError(f"no clause tests at {installed} or {checkout}; name a folder with --tests")


def coverage(folder: Path, told: Callable[[str], None] = lambda _: None) -> Coverage:
    """Run the clause tests of a folder and lay them beside the clauses; `told` hears of the progress."""
    if not folder.is_dir():
        raise ParseError(f"{folder}: there is no such folder of clause tests")
    tests = read_tests(folder)
    verdicts = []
    record = Record()
    with record.listening():
        for done, test in enumerate(tests, start=1):
            told(f"clause test {done} of {len(tests)}: {test.source}")
            verdicts.append(run_test(test))
    named, places = _by_clause(verdicts), Places(record)
    covered = [
        Covered(clause=clause, places=places.of(clause, clauses), verdicts=tuple(named(clause)))
        for clauses in documents().values()
        for clause in clauses
    ]
    return Coverage(clauses=tuple(covered), failed=tuple(v for v in verdicts if not v.passed))


def _by_clause(verdicts: Iterable[Verdict]) -> Callable[[Clause], list[Verdict]]:
    """A lookup of the verdicts on the tests that name a clause, by its own number and not a part's."""
    found: defaultdict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        for name in dict.fromkeys(verdict.test.clauses):
            found[_document_and_number(verdict.test, name)].append(verdict)

    def named(clause: Clause) -> list[Verdict]:
        names = dict.fromkeys((plain_number(clause.number), *clause.also))
        verdicts = [verdict for name in names for verdict in found.get((clause.document, name), ())]
        # A test may name the clause by two of its names.
        return list({id(verdict): verdict for verdict in verdicts}.values())

    return named


def tests_by_clause(tests: Iterable[ClauseTest]) -> dict[str, list[ClauseTest]]:
    """The tests that name each clause of the documents, by its citation, whatever came of them."""
    found: defaultdict[tuple[str, str], list[ClauseTest]] = defaultdict(list)
    for test in tests:
        for name in dict.fromkeys(test.clauses):
            found[_document_and_number(test, name)].append(test)
    named = {}
    for clause in (clause for clauses in documents().values() for clause in clauses):
        numbers = dict.fromkeys((plain_number(clause.number), *clause.also))
        naming = [test for number in numbers for test in found.get((clause.document, number), ())]
        named[clause.citation] = list({id(test): test for test in naming}.values())
    return {citation: naming for citation, naming in named.items() if naming}


def _document_and_number(test: ClauseTest, name: str) -> tuple[str, str]:
    """Which document's clause a test means; a bare number is one of its own."""
    document, _, number = name.partition(" ")
    return (document, plain_number(number)) if document in NAMES else (test.rulebook, plain_number(name))


# Shown


def as_json(found: Coverage) -> dict[str, Any]:
    """The coverage as plain data."""
    counts = found.counts()
    return {
        "summary": {
            "clauses": len(found.clauses),
            "tested": counts["tested"],
            "outside": counts["outside"],
            "untested": counts["untested"],
            "enforced_and_performed": len(found.enforced),
            "in_two_situations": len(found.enforced) - len(found.narrow),
            "documents": {name: len(clauses) for name, clauses in documents().items()},
            "failed": [_test_as_json(verdict) for verdict in found.failed],
        },
        "clauses": [_clause_as_json(covered) for covered in found.clauses],
    }


def _clause_as_json(covered: Covered) -> dict[str, Any]:
    clause = covered.clause
    return {
        "document": clause.document,
        "clause": covered.label,
        "number": clause.number,
        "kind": clause.kind,
        "obeyed": clause.obeyed,
        "says": clause.says,
        "reading": clause.reading,
        "sets": msgspec.to_builtins(flatten(clause.sets)),
        "grounds": list(clause.grounds),
        "code": [str(place) for place in covered.places],
        "tests": [_test_as_json(verdict) for verdict in covered.verdicts],
        "status": covered.status,
        "situations": covered.situations,
    }


def _test_as_json(verdict: Verdict) -> dict[str, Any]:
    test: ClauseTest = verdict.test
    shown: dict[str, Any] = {"source": test.source, "title": test.title, "passed": verdict.passed}
    return shown if verdict.passed else shown | {"problems": list(verdict.problems)}


PAGE = """\
# Coverage of the clauses

What holds each clause of the four documents: the clause tests that show it, and the functions that made
events or refusals name it when they ran. Written by `croupier rules coverage --page docs/coverage.md`; do
not edit by hand. Functions stand here without their lines, which `croupier rules coverage` shows, so that
the page changes only when the coverage does.

{summary}. {breadth}.

| document | clauses | tested | outside software | untested |
|---|--:|--:|--:|--:|
{totals}
"""


def as_page(found: Coverage) -> str:
    """The coverage as a Markdown page."""
    totals = []
    chapters = []
    for name in NAMES:
        covered = [one for one in found.clauses if one.clause.document == name]
        counts = found.counts(name)
        numbers = (len(covered), counts["tested"], counts["outside"], counts["untested"])
        totals.append(_row(f"[{load(name).title}](#{name})", *map(str, numbers)))
        chapters.append(_chapter(name, covered))
    page = PAGE.format(summary=found.summary(), breadth=found.breadth(), totals="\n".join(totals))
    return "\n".join([page, *chapters])


def _chapter(name: str, covered: list[Covered]) -> str:
    head = f"## {name}\n\n| clause | says | obeyed | code | tests |\n|---|---|---|---|---|\n"
    return head + "".join(f"{_page_row(one)}\n" for one in covered)


def _page_row(covered: Covered) -> str:
    clause = covered.clause
    code = [f"`{place.file.removeprefix('croupier/')}` {place.function}" for place in covered.places]
    tests = list(_page_tests(covered.verdicts))
    if covered.status == "untested":
        tests.append("**untested**")
    elif covered.is_narrow:
        tests.append("**one situation**")
    return _row(
        covered.label, clause.says, clause.obeyed, "<br>".join(code) or "-", "<br>".join(tests) or "-"
    )


def _page_tests(verdicts: Iterable[Verdict]) -> Iterator[str]:
    for source, members in groupby(verdicts, lambda verdict: verdict.test.source):
        titles = [f"{'' if one.passed else '**fails** '}{one.test.title}" for one in members]
        yield f"`{Path(source).name}` {'; '.join(titles)}"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
