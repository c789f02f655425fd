"""The pages as they are sent: one shell for all of them, and each rulebook as a page that needs no script."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from croupier.rulebook import NAMES, load

STATIC = Path(__file__).parent / "static"
TEMPLATES = Path(__file__).parent / "templates"

EVERYWHERE = ("tokens", "base", "bar", "clause", "sheet")
FELT = ("card", "chip", "hand", "box", "felt", "lines", "log", "rail", "motion")


class Shell(NamedTuple):
    """What sets one page's head apart: its title, its folder of scripts, and its own styles."""

    title: str
    script: str
    styles: tuple[str, ...]


LOBBY = Shell("Croupier", "lobby", ("lobby",))
TABLE = Shell("Table · Croupier", "table", (*FELT, "actions", "table"))
CONSOLE = Shell("Console · Croupier", "console", (*FELT, "actions", "console"))
HISTORY = Shell("History · Croupier", "history", (*FELT, "history"))
RULES = Shell("Rules · Croupier", "rules", ("rules",))
SHELLS = (LOBBY, TABLE, CONSOLE, HISTORY, RULES)


@functools.cache
def version() -> str:
    """What the files of the pages are together: a page that has another one is not this server's."""
    files = sorted(file for folder in (STATIC, TEMPLATES) for file in folder.rglob("*") if file.is_file())
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


@functools.cache
def shell(one: Shell) -> str:
    """The page that a browser loads first; its script draws the rest."""
    books = [(name, load(name).title) for name in NAMES]
    styles = (*EVERYWHERE, *one.styles)
    return _template("shell.html").render(
        title=one.title, script=one.script, styles=styles, version=version(), books=books
    )


@functools.cache
def plain(name: str) -> str:
    """A rulebook to be read where no script runs."""
    return _template("plain.html").render(book=load(name), styles=("tokens", "base", "rules"))


@functools.cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )


def _template(name: str) -> Template:
    return _environment().get_template(name)
