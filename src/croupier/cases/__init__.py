"""Rounds and clause tests as plain data, run against the table."""

from croupier.cases.clauses import ClauseTest, Verdict, run_test
from croupier.cases.model import Case, read_case
from croupier.cases.read import read_path, read_tests
from croupier.cases.run import Outcome, run_case

__all__ = [
    "Case",
    "ClauseTest",
    "Outcome",
    "Verdict",
    "read_case",
    "read_path",
    "read_tests",
    "run_case",
    "run_test",
]
