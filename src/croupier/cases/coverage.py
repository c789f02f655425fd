"""Coverage: for each clause of the documents, the code that obeys it and the tests that hold it.

The code is found by parsing the package. A function belongs to a clause when it reads a provision
that the clause sets (`rules.burn_cards`), or names a provision or ground that the clause stands
behind (`"cut_to_box"`, `f"side_bets.{name}.loses"`). The tests are the clause tests; they are run.
"""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from importlib import resources
from itertools import groupby, product
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

import croupier
from croupier.cases.clauses import ClauseTest, Verdict, run_test
from croupier.cases.read import read_tests
from croupier.errors import ParseError
from croupier.rulebook import GROUNDS, NAMES, Rules, load
from croupier.rulebook.book import flatten
from croupier.rulebook.provision import has_parts, provisions
from croupier.rulebook.text import Clause, plain_number

Status = Literal["tested", "outside", "untested"]
MOST_PLACES = 3
PACKAGE = Path(croupier.__file__).parent

# What the software itself enforces or performs is shown in more than one situation.
SHOWN_TWICE = ("enforced", "performed")
SITUATIONS = 2

# Where the rules decide something comes first, what only follows from it next, then the rest of the
# package. What shows the rules to people, or tests them, is no place that obeys.
LAYERS = (("table/evolve/", "table/legal.py", "table/view.py"), ("table/", "rulebook/"))
NOT_PLACES = (
    "cli",
    "cases",
    "exact",
    "rulebook/compare.py",
    "rulebook/demonstration.py",
    "rulebook/housefile.py",
    "rulebook/permitted.py",
    "rulebook/study.py",
    "rulebook/words.py",
)

# No event names these: amendments take effect when the text is consolidated, and that the table is
# conducted by the rules is that every command goes the same way.
ACTED_ON_BY = {
    "amendment": "consolidate",
    "deleted": "consolidate",
    "glossary": "Rulebook.glossary",
    "conduct_by_rules": "advance",
}


class Place(Struct, frozen=True, order=True):
    """A function of the package."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Use(Struct, frozen=True):
    """A provision or ground as a function uses it; `*` in the path stands for one part of any name."""

    path: str
    reads: bool


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
    for done, test in enumerate(tests, start=1):
        told(f"clause test {done} of {len(tests)}: {test.source}")
        verdicts.append(run_test(test))
    told("the code behind the clauses")
    named = _by_clause(verdicts)
    covered = [
        Covered(clause=clause, places=places_of(clause, clauses), verdicts=tuple(named(clause)))
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


def _document_and_number(test: ClauseTest, name: str) -> tuple[str, str]:
    """Which document's clause a test means; a bare number is one of its own."""
    document, _, number = name.partition(" ")
    return (document, plain_number(number)) if document in NAMES else (test.rulebook, plain_number(name))


# Places


def places_of(clause: Clause, document: tuple[Clause, ...]) -> tuple[Place, ...]:
    """At most three functions that obey the clause, the most specific first.

    A clause that only introduces its parts has theirs.
    """
    own = _ranked(_targets(clause))
    if own:
        return own[:MOST_PLACES]
    parts = [part for part in document if part != clause and part.is_named(clause.number)]
    first_of_each = [place for part in parts for place in _ranked(_targets(part))[:1]]
    return tuple(dict.fromkeys(first_of_each))[:MOST_PLACES]


def _targets(clause: Clause) -> tuple[str, ...]:
    """The provisions that the clause sets or leaves to the house, and the grounds it binds."""
    return tuple(dict.fromkeys((*flatten(clause.sets), *clause.options, *clause.grounds)))


def _ranked(targets: tuple[str, ...]) -> tuple[Place, ...]:
    """The functions that use a target, best match first.

    Among equals where the table decides comes before the rest, then the one that uses more of the
    targets, then the function that does little else.
    """
    scores: dict[Place, list[float]] = {}
    for place, uses in uses_by_place().items():
        found = [_closest(target, place, uses) for target in targets]
        if any(found):
            scores[place] = found
    if not scores:
        return ()
    best = max(max(found) for found in scores.values())
    # A function that merely touches a whole family of provisions is noise beside a real match.
    near = [place for place, found in scores.items() if max(found) >= best / 2]

    def rank(place: Place) -> tuple[int, float, int, int, Place]:
        found = scores[place]
        uses = len(uses_by_place()[place])
        return _layer(place), -max(found), -sum(1 for score in found if score), uses, place

    return tuple(sorted(near, key=rank))


def _layer(place: Place) -> int:
    inside = place.file.removeprefix("croupier/")
    follows, decides = LAYERS
    if inside.startswith(follows):
        return 1
    return 0 if inside.startswith(decides) else 2


def _closest(target: str, place: Place, uses: Iterable[Use]) -> float:
    """How closely a function is about a target; one that reads it and names it too is the closer."""
    scores = {use: _closeness(target, place, use) for use in uses}
    kinds = {use.reads for use, score in scores.items() if score}
    return max(scores.values()) + (0.05 if len(kinds) == 2 else 0)


def _closeness(target: str, place: Place, use: Use) -> float:
    """How closely a use is about a target: 1 for the very thing, less for its family, 0 for neither."""
    if ACTED_ON_BY.get(target) == place.function:
        return 1.0
    if use.path == target:
        return 1.0 if use.reads else 0.98
    if use.path[0].isupper():
        is_own = place.function.startswith(use.path.split(".")[0])
        return 0.8 + 0.1 * is_own if use.path == _record_field(target) else 0.0
    wanted, given = target.split("."), use.path.split(".")
    if wanted[0] != given[0]:
        return 0.0
    if not all(part in ("*", name) for part, name in zip(given, wanted, strict=False)):
        return 0.0
    if len(given) >= len(wanted):
        return 0.9 if len(given) == len(wanted) else 0.7
    return 0.6 * len(given) / len(wanted)


def _record_field(path: str) -> str:
    """A nested provision as a field of its record: `side_bets.over_13.ace` is `SideBet.ace`."""
    *folders, leaf = path.split(".")
    if not folders:
        return ""
    if folders[-1] == "when":
        return f"Pattern.{leaf}"
    if folders[0] == "side_bets":
        return f"{'SideBet' if len(folders) == 2 else 'SideRow'}.{leaf}"
    return f"{'SuperBonus' if folders[0] == 'super_bonus' else 'BonusRow'}.{leaf}"


@functools.cache
def uses_by_place() -> dict[Place, frozenset[Use]]:
    """Every function of the package that uses a provision or ground, with all its uses."""
    found: dict[Place, frozenset[Use]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        inside = file.relative_to(PACKAGE).as_posix()
        if not inside.startswith(NOT_PLACES):
            found.update(_uses_in(ast.parse(file.read_text("utf-8")), f"croupier/{inside}"))
    return found


def _uses_in(module: ast.Module, file: str) -> Iterator[tuple[Place, frozenset[Use]]]:
    tables = {
        name: value
        for node in module.body
        for name, value in _assignments(node)
        if name.isupper() and not name.endswith("GROUNDS")
    }
    acting = set(ACTED_ON_BY.values())
    for name, function in _functions(module):
        uses = frozenset(_Reader(function, name, tables).uses())
        if uses or name in acting:
            place = Place(file=file, line=function.lineno, function=name)
            yield place, uses or frozenset({Use(path=name, reads=True)})


def _functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{child.name}.")


def _assignments(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """(name, value) of an assignment to plain names, annotated or not."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr):
        targets = [node.target]
    value = getattr(node, "value", None)
    yield from ((target.id, value) for target in targets if isinstance(target, ast.Name) and value)


# Calls whose argument at this place is the name of a provision or ground; cite takes any number.
NAMING_CALLS = {"refuse": 0, "require_stage": 2}
CITING_CALLS = frozenset({"cite", "citations"})
NAMING_VARIABLES = frozenset({"basis", "ground", "provision", "why"})
RECORDS = frozenset({"SideBet", "Row", "Pattern", "SuperBonus"})
# A variable filled from such an expression holds such a record.
RECORD_SOURCES = {
    r"rules\.side_bets(\[|\.items\(\))": "SideBet",
    r"rules\.bonus_rows\.items": "BonusRow",
    r"\.rows\.items": "SideRow",
    r"rules\.super_bonus$": "SuperBonus",
}


class _Reader:
    """Reads one function for what it uses.

    A name of two words is a provision wherever it stands as text. `"shuffle"` or `"dealer"` may as
    well be a stage, so a name of one word counts only where a provision is meant to be named.
    """

    def __init__(self, function: ast.FunctionDef, name: str, tables: dict[str, ast.expr]) -> None:
        self.function = function
        self.values: dict[str, ast.expr] = {}
        self.records: dict[str, str] = {}
        self.tables = tables
        self._learn_records(name)
        for node in ast.walk(function):
            self._learn(node)

    def _learn_records(self, name: str) -> None:
        owner = name.partition(".")[0]
        for argument in self.function.args.args:
            annotation = ast.unparse(argument.annotation) if argument.annotation else ""
            words = set(re.findall(r"\w+", annotation))
            kind = next(iter(words & RECORDS), owner if argument.arg == "self" else "")
            if kind in RECORDS:
                self.records[argument.arg] = kind

    def _learn(self, node: ast.AST) -> None:
        """What the function's variables stand for: texts, tables, records of the rules."""
        for name, value in _assignments(node):
            self.values[name] = value
            self._learn_record(name, value)
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Tuple):
            last = node.target.elts[-1]
            if isinstance(last, ast.Name):
                self._learn_record(last.id, node.iter)

    def _learn_record(self, name: str, value: ast.expr) -> None:
        text = ast.unparse(value)
        kind = next((kind for pattern, kind in RECORD_SOURCES.items() if re.search(pattern, text)), "")
        if kind:
            self.records[name] = kind

    def uses(self) -> Iterator[Use]:
        for node in ast.walk(self.function):
            if isinstance(node, ast.Attribute):
                yield from self._read(node)
        yield from self._named(self.function.body, naming=False)
        for node in ast.walk(self.function):
            if isinstance(node, ast.Name) and node.id in self.tables:
                yield from self._named([self.tables[node.id]], naming=False)

    def _read(self, node: ast.Attribute) -> Iterator[Use]:
        """`rules.burn_cards`, `bonus.others`, `row.when.fits`."""
        owner = ast.unparse(node.value)
        if owner.split(".")[-1] == "rules" and node.attr in Rules.__struct_fields__:
            yield Use(path=node.attr, reads=True)
        elif owner in self.records:
            yield Use(path=f"{self.records[owner]}.{node.attr}", reads=True)

    def _named(self, nodes: Iterable[ast.AST], *, naming: bool) -> Iterator[Use]:
        """The names in text below some nodes; `naming`: a provision's name is what belongs here."""
        for node in nodes:
            if isinstance(node, ast.Constant | ast.JoinedStr):
                for path in self._texts(node):
                    if _is_name(path) and (naming or "_" in path):
                        yield Use(path=path, reads=False)
            elif isinstance(node, ast.Call):
                yield from self._named_in_call(node)
            elif isinstance(node, ast.Compare | ast.Subscript):
                yield from self._named(ast.iter_child_nodes(node), naming=False)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                yield from self._named(ast.iter_child_nodes(node), naming=_is_naming(node))
            elif isinstance(node, ast.Return | ast.Yield) and isinstance(node.value, ast.Tuple):
                yield from self._named(node.value.elts, naming=True)
            else:
                inner = naming and isinstance(node, ast.expr)
                yield from self._named(ast.iter_child_nodes(node), naming=inner)

    def _named_in_call(self, call: ast.Call) -> Iterator[Use]:
        function = ast.unparse(call.func)
        last = function.split(".")[-1]
        for index, argument in enumerate(call.args):
            names = last in CITING_CALLS or NAMING_CALLS.get(last) == index or function == "basis.append"
            yield from self._named([argument], naming=names)
        for keyword in call.keywords:
            yield from self._named([keyword.value], naming=keyword.arg == "basis")
        yield from self._named([call.func], naming=False)

    def _texts(self, node: ast.expr, depth: int = 3) -> list[str]:
        """What a text may be, `*` for each part that is known only when the code runs."""
        if isinstance(node, ast.Constant):
            return [node.value] if isinstance(node.value, str) else ["*"]
        if isinstance(node, ast.JoinedStr):
            return ["".join(parts) for parts in product(*(self._texts(part, depth) for part in node.values))]
        if isinstance(node, ast.FormattedValue):
            return self._texts(node.value, depth)
        if isinstance(node, ast.IfExp):
            return [*self._texts(node.body, depth), *self._texts(node.orelse, depth)]
        if isinstance(node, ast.Name) and node.id in self.values and depth:
            return self._texts(self.values[node.id], depth - 1)
        return ["*"]


def _is_naming(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id in NAMING_VARIABLES for target in targets)


def _is_name(path: str) -> bool:
    top = path.split(".")[0]
    return path in GROUNDS or (top in provisions(Rules) and (path == top or has_parts(Rules, top)))


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

What holds each clause of the four documents: the functions that obey it and the clause tests that
show it. Written by `croupier rules coverage --page docs/coverage.md`; do not edit by hand. Functions
stand here without their lines, which `croupier rules coverage` shows, so that the page changes only
when the coverage does.

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
