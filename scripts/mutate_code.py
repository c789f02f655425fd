"""Do the tests bite? Change the table's code at random, one place at a time, and see whether one fails.

A comparison is turned, a number or a word moved, a condition negated, decided beforehand or robbed of a
part, a sum turned round, a call left out. Each change runs in a process of its own, against a copy of the
package, and must be noticed by a clause test, a case or a property test. One that nothing notices survives,
and is printed. What only words or types depend on is left alone.

    python scripts/mutate_code.py [--count 8] [--seed 2]        exit status 1 if anything survives
"""

from __future__ import annotations

import argparse
import ast
import compileall
import functools
import hashlib
import os
import py_compile
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from croupier.threads import cores

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "croupier"
STAGES = (
    "clause tests",
    "cases",
    "test_text.py",
    "test_shorthand.py",
    "test_view.py",
    "test_menu.py",
    "test_position.py",
    "test_waiting.py",
    "test_chips.py",
    "test_random_rounds.py",
    "test_game.py",
    "test_table_properties.py",
    "test_states.py",
)
NOTHING = "nothing fails"

COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
}  # fmt: skip
COMPUTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "//"), ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"), ast.Mod: ("%", "//"),
}  # fmt: skip

# What these make, or are made of, is words for people or names of provisions, which `mutate.py` is about.
WORDY_FUNCTIONS = frozenset({"describe", "usage"})
NAMING_CALLS = {"refuse": 2, "stage_bar": 2, "Bar": 0}  # so many arguments are more than words
# Changes that make no difference, by function, place and what would stand there.
SAME = {
    ("_multiple_bar|if stake <= |0", "1"),  # a cent is no multiple of any chip
    ("_side_bar|if added <= |0", "1"),
    ("|PAGE = |64", "63"),  # how many rounds make a page is nobody's law
    ("|PAGE = |64", "65"),
    ("round_invalidated|results = tuple(Result(box=|0", "1"),  # of a round that is decided nobody asks it
    ("_circumstances|basis += sorted(kinds, reverse=|True", "False"),  # two citations change places
}
OTHER_RANK = {"A": "K", "T": "9"}


class Change(NamedTuple):
    """Bytes of a file to replace; `context` tells the place by what stands around it, not by its number."""

    file: str
    context: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}  {_short(self.before)}  →  {_short(self.after)}"

    def lot(self, seed: int) -> str:
        """A draw that hangs on the change alone, so that others' work elsewhere does not alter the choice."""
        return hashlib.sha256(f"{seed}|{self.file}|{self.context}|{self.after}".encode()).hexdigest()


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."


# Where the code may be changed


@functools.cache
def choices() -> dict[str, tuple[str, ...]]:
    """The fields of the table's and the rules' records that hold one of a few words, and the words."""
    files = sorted(file for room in ("rulebook", "game", "table") for file in (PACKAGE / room).rglob("*.py"))
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    named = {
        ast.unparse(node.targets[0]): _words(node.value) for node in nodes if isinstance(node, ast.Assign)
    }
    fields: dict[str, tuple[str, ...]] = {}
    for node in nodes:
        if isinstance(node, ast.AnnAssign):
            words = _words(node.annotation) or named.get(ast.unparse(node.annotation), ())
            if len(words) > 1:
                fields.setdefault(ast.unparse(node.target), words)
    return fields


def _words(node: ast.expr) -> tuple[str, ...]:
    """The words of a Literal, looked for inside unions and tuples."""
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript) and ast.unparse(part.value) == "Literal":
            values = [one.value for one in ast.walk(part.slice) if isinstance(one, ast.Constant)]
            return tuple(value for value in values if isinstance(value, str))
    return ()


class Changes(ast.NodeVisitor):
    """Collects the changes of one file."""

    def __init__(self, file: Path) -> None:
        self.file = file.relative_to(PACKAGE).as_posix()
        self.source = file.read_bytes()
        starts = [0]
        for line in self.source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self.starts = starts
        self.found: list[Change] = []
        self.scope = ""  # the function that is visited
        self.field = ""  # the field that is compared or set here
        module = ast.parse(self.source)
        self.used: set[str] | None = None
        self.seen: set[str] = set()
        self.visit(module)
        # Once more, without what only messages use.
        self.found, self.used = [], self.seen
        self.visit(module)

    # Bytes

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def change(self, start: int, end: int, after: str) -> None:
        before = self.source[start:end].decode()
        line = self.source.count(b"\n", 0, start) + 1
        left = self.source[self.starts[line - 1] : start].decode().lstrip()
        context = f"{self.scope}|{left}|{before}"
        self.found.append(Change(self.file, context, line, start, end, before, after))

    def replace(self, node: ast.expr | ast.stmt, after: str) -> None:
        self.change(*self.span(node), after)

    def turn(self, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        """Replace the operator between two expressions."""
        start, end = self.span(left)[1], self.span(right)[0]
        between = self.source[start:end].decode()
        pattern = r"\s+".join(map(re.escape, old.split()))
        found = re.search(rf"(?<![\w<>=!/*]){pattern}(?![\w<>=/*])", between)
        if found:
            self.change(start + found.start(), start + found.end(), new)

    # What is left alone

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name not in WORDY_FUNCTIONS:
            before, self.scope = self.scope, node.name
            for part in (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body):
                self.visit(part)
            self.scope = before

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """What a record has at first is mostly given anew before it is read."""
        for part in node.body:
            if isinstance(part, ast.FunctionDef):
                self.visit(part)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit_about(ast.unparse(node.target), node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = {part.id for part in ast.walk(node.targets[0]) if isinstance(part, ast.Name)}
        if self.used is None or not self.scope or names & self.used:
            self.visit(node.value)

    def visit_Name(self, node: ast.Name) -> None:
        self.seen.add(node.id)

    def visit_about(self, field: str, *nodes: ast.AST) -> None:
        """Visit what is compared with a field, or is its value."""
        before, self.field = self.field, field
        for node in nodes:
            self.visit(node)
        self.field = before

    def visit_Raise(self, node: ast.Raise) -> None:
        """A message."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A message, or the name of a provision."""

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if ast.unparse(node.value) not in ("Literal", "TypeVar"):
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func).split(".")[-1]
        if name.endswith("Error") or name == "TypeVar":
            return
        self.visit_about("", node.func, *node.args[: NAMING_CALLS.get(name)])
        for keyword in node.keywords:
            if keyword.arg != "strict":
                self.visit_about(keyword.arg or "", keyword.value)

    # What is changed

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.replace(node, "pass")
            self.visit(node.value)
        elif not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.replace(node, str(not value))
        elif isinstance(value, int):
            self.replace(node, str(value + 1))
            if value:
                self.replace(node, str(value - 1))
        elif isinstance(value, str):
            for other in _other_words(self.field, value):
                self.replace(node, repr(other))

    def visit_Compare(self, node: ast.Compare) -> None:
        values = [node.left, *node.comparators]
        for left, operator, right in zip(values, node.ops, values[1:], strict=False):
            self.turn(left, right, *COMPARED[type(operator)])
        self.visit_about(ast.unparse(node.left).split(".")[-1], *values)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        made_of_parts = any(isinstance(part, ast.Tuple | ast.Constant) for part in (node.left, node.right))
        is_text = made_of_parts and not _has_number(node)
        if type(node.op) in COMPUTED and not is_text:
            self.turn(node.left, node.right, *COMPUTED[type(node.op)])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.USub | ast.Not):
            self.replace(node, f"({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        glue = " and " if isinstance(node.op, ast.And) else " or "
        for gone in node.values:
            kept = [f"({self.text(value)})" for value in node.values if value is not gone]
            self.replace(node, f"({glue.join(kept)})")
        self.generic_visit(node)

    def visit_If(self, node: ast.If | ast.IfExp) -> None:
        for after in (f"not ({self.text(node.test)})", "True", "False"):
            self.replace(node.test, after)
        self.generic_visit(node)

    visit_IfExp = visit_If

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            for after in (f"(not ({self.text(test)}))", "True"):
                self.replace(test, after)
        self.generic_visit(node)


def _other_words(field: str, word: str) -> Iterator[str]:
    if word in OTHER_RANK:
        yield OTHER_RANK[word]
    words = choices().get(field, ())
    if word in words:
        yield words[(words.index(word) + 1) % len(words)]


def _has_number(node: ast.BinOp) -> bool:
    return any(
        isinstance(part, ast.Constant) and isinstance(part.value, int) for part in (node.left, node.right)
    )


def all_changes() -> list[Change]:
    """Every change of the code of game and table but those that make no difference."""
    files = sorted(file for room in ("game", "table") for file in (PACKAGE / room).rglob("*.py"))
    found = [change for file in files for change in Changes(file).found]
    return [change for change in found if (change.context, change.after) not in SAME]


# A change at work


class Copies:
    """Copies of the package, one for each core, in which changes are made and unmade."""

    def __init__(self, folder: Path) -> None:
        self.free: queue.Queue[Path] = queue.Queue()
        for number in range(cores()):
            copy = folder / str(number) / "croupier"
            shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
            # Compiled once; a changed file is told by its hash, as its time and size may be the same.
            mode = py_compile.PycInvalidationMode.CHECKED_HASH
            compileall.compile_dir(copy, quiet=2, invalidation_mode=mode)
            self.free.put(copy)

    def tried(self, change: Change | None, stages: tuple[str, ...], limit: float) -> str:
        """What notices the change, in the order of the stages, or NOTHING."""
        copy = self.free.get()
        file = copy / change.file if change else None
        source = file.read_bytes() if file else b""
        try:
            if change and file:
                file.write_bytes(source[: change.start] + change.after.encode() + source[change.end :])
            return run_stages(copy.parent, stages, limit)
        finally:
            if file:
                file.write_bytes(source)
            self.free.put(copy)


def run_stages(path: Path, stages: tuple[str, ...], limit: float) -> str:
    """Run the stages in a process that imports the package from `path`."""
    # Property tests take the same path every time under CI.
    environment = os.environ | {"PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1", "CI": "true"}
    command = [sys.executable, __file__, "--stages", *stages]
    try:
        done = subprocess.run(
            command, cwd=path, env=environment, capture_output=True, text=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired:
        return "a time-out"
    if done.returncode:
        return f"a start that fails: {(done.stderr.strip().splitlines() or ['no word'])[-1]}"
    return done.stdout.strip().splitlines()[-1]


def first_failure(stages: list[str]) -> str:
    """In the child: what fails first."""
    for stage in stages:
        failure = _failing_data(stage) if stage in STAGES[:2] else _failing_property(stage)
        if failure:
            return failure
    return NOTHING


def _failing_data(stage: str) -> str:
    from croupier.cases import Case, ClauseTest, read_path, run_case, run_test
    from croupier.errors import ParseError

    folder = ROOT / "tests"
    within = ("rules", "studies") if stage == "clause tests" else ("cases",)
    for one in (one for name in within for one in read_path(folder / name)):
        if isinstance(one, ParseError):
            return str(one)
        try:
            passed = run_case(one).passed if isinstance(one, Case) else run_test(one).passed
        except Exception:
            passed = False
        if not passed:
            kind = "clause test" if isinstance(one, ClauseTest) else "case"
            return f"{kind} {Path(one.source).relative_to(folder)}: {one.title}"
    return ""


def _failing_property(stage: str) -> str:
    import hypothesis
    import pytest

    # Whether an example fails is enough; the smallest one takes long to find.
    hypothesis.settings.register_profile("first", phases=(hypothesis.Phase.generate,), database=None)
    hypothesis.settings.load_profile("first")
    status = pytest.main(["-qx", "-p", "no:cacheprovider", "--no-header", str(ROOT / "tests" / stage)])
    return f"property test {stage}" if status else ""


# The whole


def broken_unchanged(copies: Copies) -> tuple[list[str], float]:
    """What fails before anything is changed, and how long everything takes."""
    began = time.monotonic()
    halves = (STAGES[:4], STAGES[4:])
    with ThreadPoolExecutor(cores()) as pool:
        found = pool.map(lambda half: copies.tried(None, half, 600), halves)
        return [what for what in found if what != NOTHING], time.monotonic() - began


def main(count: int, seed: int) -> int:
    candidates = all_changes()
    chosen = sorted(candidates, key=lambda change: change.lot(seed))[:count]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(cores()) as pool:
        copies = Copies(Path(folder))
        red, took = broken_unchanged(copies)
        if red:
            print("this fails before anything is changed:", *red, sep="\n  ")
            return 1
        limit = 30 + 6 * took
        survive = 0
        for change, by in zip(
            chosen, pool.map(lambda one: copies.tried(one, STAGES, limit), chosen), strict=True
        ):
            survive += by == NOTHING
            print(f"{change}\n    {'SURVIVES' if by == NOTHING else f'caught by {by}'}", flush=True)
    print(f"{len(chosen)} of {len(candidates)} changes (seed {seed}): {survive} survive")
    return 1 if survive else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--stages", nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.stages:
        print(first_failure(given.stages))
        sys.exit(0)
    sys.exit(main(given.count, given.seed))
