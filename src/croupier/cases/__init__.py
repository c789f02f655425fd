"""Rounds as plain data, run against the table."""

from croupier.cases.model import Case, read_case, read_path
from croupier.cases.run import Outcome, run_case

__all__ = ["Case", "Outcome", "read_case", "read_path", "run_case"]
