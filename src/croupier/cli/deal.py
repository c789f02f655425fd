"""`croupier deal`: a live table, whose dealer types in the cards as they fall.

On a terminal it is a page, redrawn in place (`croupier.cli.page`); in a pipe, and with --plain, lines one
after another. Before each line the dealer is told what comes next, under which clause, and what Enter does.
What a line does is the same on both: `croupier.cli.desk`.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.text import Text

from croupier.cli.complete import completions
from croupier.cli.desk import Desk
from croupier.cli.options import (
    DEFAULT,
    Book,
    Decks,
    HouseFile,
    NewLog,
    Plain,
    Resume,
    Settings,
    SideBets,
    Staff,
    TableName,
    Yes,
    staff,
)
from croupier.cli.output import remark
from croupier.cli.screen import Screen, quiet_line_editing
from croupier.cli.terminal import shows_pages
from croupier.conductor import Conductor
from croupier.errors import ParseError, RulebookError
from croupier.house.due import enter_words, next_words
from croupier.house.settings import settings_of
from croupier.house.tables import new_table
from croupier.house.tables import resume as resume_table
from croupier.record import read_log
from croupier.record.line import Entry
from croupier.rulebook import Rulebook, load


def deal(
    rulebook: Book = DEFAULT,
    *,
    house: HouseFile = None,
    decks: Decks = None,
    set_: Settings = [],  # noqa: B006
    side_bets: SideBets = False,
    table: TableName = "",
    as_: Staff = [],  # noqa: B006
    log: NewLog = None,
    resume: Resume = None,
    plain: Plain = False,
    yes: Yes = False,
) -> int:
    """Run a real table: type in the cards as they fall; `help` lists what can be typed.

    Without --house a terminal asks for the house's file.
    """
    quiet_line_editing()
    people = staff(as_)
    past: tuple[Entry, ...] = ()
    if resume is None:
        book = load(rulebook)
        chosen = functools.partial(settings_of, book, pairs=set_, side_bets=side_bets, decks=decks)
        try:
            settings = ask_for_house(Screen(book), chosen) if _must_ask(house) else chosen(house)
        except (EOFError, KeyboardInterrupt):
            return 0
        conductor = new_table(book, settings, log=log, name=table)
    elif house or log or set_ or side_bets or table or decks is not None or rulebook != DEFAULT:
        raise ParseError("--resume goes on under the log's own rulebook and settings; leave the rest out")
    else:
        kept = read_log(resume)
        book, conductor, past = kept.book, resume_table(kept, tell=remark), kept.entries
    conductor.staff |= people
    return run(book, conductor, past, resume or log, plain=plain, yes=yes)


def _must_ask(house: Path | None) -> bool:
    return house is None and sys.stdin.isatty()


def ask_for_house(screen: Screen, chosen: Callable[[Path | None], dict[str, Any]]) -> dict[str, Any]:
    """The settings of the house whose file is typed; Enter opens a table of the demonstration house."""
    while True:
        screen.say("Whose table is it? Type the path of the house's file; Enter: the demonstration house.")
        path = screen.ask()
        if not path:
            return chosen(None)
        try:
            return chosen(Path(path).expanduser())
        except (ParseError, RulebookError) as error:
            screen.problem(str(error))


def run(
    book: Rulebook, table: Conductor, past: tuple[Entry, ...], log: Path | None, *, plain: bool, yes: bool
) -> int:
    """The desk until its dealer leaves: a page where there is a terminal for one, else lines."""
    try:
        if shows_pages() and not plain:
            from croupier.cli.page import show  # a page takes a moment to read in, and a pipe needs none

            show(book, table, past, yes=yes)
        else:
            read_lines(Desk(book, table, Screen(book), asks=sys.stdin.isatty(), yes=yes, past=past))
    finally:
        table.close()
    kept = f"everything is in {log}" if log else "no log was kept (--log FILE keeps one)"
    state = table.state
    screen = Screen(book)
    screen.say(f"The table is left at round {state.round}, stage '{state.stage}'; {kept}.")
    screen.last_hash(table.store.last_hash)
    return 0


def read_lines(desk: Desk) -> None:
    """Read lines until the dealer quits or the input ends."""
    _complete(desk)
    desk.screen.heading(desk.state)
    desk.screen.unkept(desk.conductor.store.last_hash)
    desk.screen.say("Type cards and commands; help, what, table, lines, strike, why, quit.", "dim")
    try:
        while desk.type(_prompted(desk)):
            pass
    except (EOFError, KeyboardInterrupt):
        desk.screen.say()


def _complete(desk: Desk) -> None:
    """Tab completes a line, where the platform can."""
    if not sys.stdin.isatty():
        return
    with contextlib.suppress(ImportError):
        import readline

        def found(typed: str, number: int) -> str | None:
            lines = completions(desk.state, desk.book, desk.bids.last, typed)
            return lines[number] if number < len(lines) else None

        readline.set_completer_delims("")
        readline.set_completer(found)
        readline.parse_and_bind("tab: complete")


def _prompted(desk: Desk) -> str:
    """A line, after the question that waits for an answer or what comes next."""
    if desk.question:
        desk.screen.say(f"{desk.question} y/n", "bold yellow")
    else:
        desk.screen.say(next_line(desk))
    return desk.screen.ask()


def next_line(desk: Desk) -> Text:
    line = Text().append("next: ", "bold green").append(next_words(desk.state, desk.book, desk.bids.last))
    enter = enter_words(desk.state)
    return line.append(f"  Enter: {enter}", "dim") if enter else line
