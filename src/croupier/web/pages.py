"""The pages as they are sent: one shell for all of them, and each rulebook as a page that needs no script."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from croupier.release import release
from croupier.rulebook import NAMES, load

STATIC = Path(__file__).resolve().parent / "static"
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


def address(file: str) -> str:
    """Where a file of the pages is found, under `static`: of this version, and of no other."""
    return f"/static/{version()}/{file}"


def styles(one: Shell) -> str:
    """The name of the file that has all styles of a page, one after another: a browser asks once for it."""
    return f"css/all-of-{one.script}.css"


@functools.cache
def files() -> dict[str, bytes]:
    """Everything under `static` by its name, and the styles of each page."""
    found = {
        file.relative_to(STATIC).as_posix(): file.read_bytes() for file in STATIC.rglob("*") if file.is_file()
    }
    for one in SHELLS:
        found[styles(one)] = b"".join(found[f"css/{name}.css"] for name in (*EVERYWHERE, *one.styles))
    return found


IMPORTED = re.compile(r"""\bfrom "(\.{1,2}/[^"]+)\"""")


@functools.cache
def modules(script: str) -> tuple[str, ...]:
    """All modules of a page, so that a browser fetches none of them only when another has named it."""
    found: dict[Path, None] = {}
    ahead = [STATIC / "js" / script / "main.js"]
    while ahead:
        file = ahead.pop(0)
        if file not in found:
            found[file] = None
            ahead += [(file.parent / name).resolve() for name in IMPORTED.findall(file.read_text("utf-8"))]
    return tuple(file.relative_to(STATIC).as_posix() for file in found)


@functools.cache
def shell(one: Shell) -> str:
    """The page that a browser loads first; its script draws the rest."""
    books = [(name, load(name).title) for name in NAMES]
    return _template("shell.html").render(
        title=one.title,
        modules=modules(one.script),
        styles=styles(one),
        version=version(),
        release=release(),
        books=books,
    )


@functools.cache
def plain(name: str) -> str:
    """A rulebook to be read where no script runs."""
    return _template("plain.html").render(book=load(name), styles=("tokens", "base", "rules"))


@functools.cache
def missing() -> str:
    """What an address has where there is no page."""
    return _template("missing.html").render(styles=("tokens", "base"))


@functools.cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    made.globals["address"] = address
    return made


def _template(name: str) -> Template:
    return _environment().get_template(name)
