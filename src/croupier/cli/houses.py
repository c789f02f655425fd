"""`croupier rules house`: a house's file to fill in, or that of the demonstration house."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.cli.options import BookName, Force
from croupier.cli.output import write_file
from croupier.rulebook import load
from croupier.rulebook.housefile import write_house_file


def house(
    rulebook: BookName,
    /,
    *,
    demonstration: Annotated[
        bool, Parameter(help="Write the demonstration house, which is valid as it is.", negative="")
    ] = False,
    out: Annotated[Path | None, Parameter(help="Write to this new file instead of printing.")] = None,
    force: Force = False,
) -> int:
    """Write a house's file to fill in: every setting, what the law permits, and the clause.

    What a house must state by itself is left empty, and the file is refused until that is filled in.
    """
    book = load(rulebook)
    text = write_house_file(book, book.demonstration if demonstration else {})
    if out is None:
        print(text, end="")
        return 0
    write_file(out, text, force=force)
    print(f"The house is in {out}; `croupier rules options {rulebook} --house {out}` checks and shows it.")
    return 0
