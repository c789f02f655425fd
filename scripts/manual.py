"""Writes docs/croupier.1, the manual page, from what `croupier --help` and its commands say."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

import croupier
from croupier.cli import COMMANDS, app

WIDTH = 78
HEAD = r""".\" Written by scripts/manual.py.
.TH CROUPIER 1 "" "croupier {version}"
.SH NAME
croupier \- casino blackjack and pontoon, conducted clause by clause as the law says
.SH SYNOPSIS
.B croupier
[\fICOMMAND\fR]
.SH DESCRIPTION
Without a command a terminal gets a menu. Rulebooks have short names: blackjack, 1997, uk, pontoon.
\fBcroupier \-\-install\-completion\fR makes the shell complete commands and options.
"""


def said(name: str) -> str:
    """The help of a command, without colours and boxes."""
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None, legacy_windows=False)
    app.help_print([name], console=console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    plain = [
        line.strip("│╭╮╰╯─ ") if line[:1] in "╭╰" else line.replace("│", "").rstrip()
        for line in text.splitlines()
    ]
    return "\n".join(plain).strip()


def escaped(text: str) -> str:
    """Text that troff leaves as it is."""
    lines = text.replace("\\", r"\e").replace("-", r"\-").splitlines()
    return "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line for line in lines)


def main() -> None:
    parts = [HEAD.format(version=croupier.__version__)]
    for name, _, _ in COMMANDS:
        parts.append(f".SH {name.upper()}\n.nf\n{escaped(said(name))}\n.fi\n")
    (Path(__file__).parent.parent / "docs" / "croupier.1").write_text("".join(parts), "utf-8")


if __name__ == "__main__":
    main()
