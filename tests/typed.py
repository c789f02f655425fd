"""A command as it is typed, run in this process: the solver is read in once."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest

from croupier.cli import main


class Made(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def typed(cache: Path, *arguments: str) -> Made:
    """What comes of a command; what it keeps for the next time is in the folder `cache`."""
    said, errors = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["croupier", *arguments]),
        mock.patch.dict(os.environ, {"XDG_CACHE_HOME": str(cache)}),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(errors),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    return Made(int(ended.value.code or 0), said.getvalue(), errors.getvalue())
