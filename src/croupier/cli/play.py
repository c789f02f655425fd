"""`croupier play`: a seat at a table in the terminal.

The player is p1. The table does its chores and deals by itself, simple players fill other boxes, and
whatever p1 may decide is asked for here: on a page where both ends are a terminal, else line by line.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from msgspec import Struct

from croupier.cli.keys import ask_key
from croupier.cli.lines import Lines
from croupier.cli.options import DEFAULT, Book, Decks, HouseFile, NewLog, Resume, Settings, SideBets, whole
from croupier.cli.output import remark
from croupier.cli.saved import new_record, records
from croupier.cli.screen import Screen
from croupier.cli.terminal import is_terminal, shows_pages
from croupier.errors import ParseError, Refused, RulebookError, StoreError
from croupier.house.coaching import Coach
from croupier.house.evening import YOU, Evening
from croupier.house.settings import settings_of
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import new_table
from croupier.house.tables import resume as resume_table
from croupier.money import cents
from croupier.record import Log, read_log
from croupier.rulebook import Rulebook, load
from croupier.rulebook.load import short_names
from croupier.story import gain
from croupier.table import commands as cmd
from croupier.table.actors import player


def play(
    rulebook: Book = DEFAULT,
    *,
    house: HouseFile = None,
    decks: Decks = None,
    minimum: Annotated[float | None, Parameter(help="The least wager, in dollars.")] = None,
    maximum: Annotated[float | None, Parameter(help="The highest wager, in dollars.")] = None,
    set_: Settings = [],  # noqa: B006
    side_bets: SideBets = False,
    box: Annotated[int, Parameter(converter=whole, help="Your box.")] = 1,
    boxes: Annotated[
        int | None, Parameter(converter=whole, help="How many boxes you play (default: what a round needs).")
    ] = None,
    others: Annotated[int, Parameter(converter=whole, help="Boxes for simple players beside you.")] = 0,
    chips: Annotated[
        float | None,
        Parameter(help="What you bring along, in dollars (default: 500; with --resume, nothing more)."),
    ] = None,
    seed: Annotated[
        int | None, Parameter(converter=whole, help="Shuffle by this seed (default: true randomness).")
    ] = None,
    log: NewLog = None,
    resume: Resume = None,
    save: Annotated[
        bool, Parameter(negative="--no-save", help="Keep the table in your state folder where no log is.")
    ] = True,
    coach: Annotated[
        bool, Parameter(negative="", help="Say after each decision what it cost; advice on `a`.")
    ] = False,
    fast: Annotated[bool, Parameter(negative="", help="Deal without a pause between cards.")] = False,
    plain: Annotated[bool, Parameter(negative="", help="Line by line, also on a terminal.")] = False,
) -> int:
    """Play at a table in the terminal."""
    shoe = VirtualShoe(seed)
    brought = None if chips is None else cents(chips)
    if brought is not None and brought <= 0:
        raise ParseError(f"--chips {chips}: bring something to play with")
    manner = Manner(plain=plain or not shows_pages(), fast=fast, coach=coach)
    unsaid = {decks, minimum, maximum, boxes} == {None} and not any((house, log, set_, side_bets, others))
    if resume is not None:
        if rulebook != DEFAULT or not unsaid:
            raise ParseError(
                "--resume goes on under the log's own rulebook, settings and seats; leave the rest out"
            )
        return manner.play(_resumed(read_log(resume), shoe, brought, box), resume)
    book = load(rulebook)
    if save and unsaid and is_terminal() and (left := go_on(book, VirtualShoe(seed), brought, box)):
        return manner.play(*left)
    settings = settings_of(
        book, house, set_, side_bets=side_bets, decks=decks, minimum=minimum, maximum=maximum
    )
    seats = _seats(book, settings, box, boxes, others)
    kept = log or (new_record() if save and is_terminal() else None)
    evening = Evening(book, new_table(book, settings, cards=shoe, log=kept), shoe, brought)
    evening.sit_down(seats)
    return manner.play(evening, kept)


LOOKED_AT = 20  # tables that were left, when one is looked for to go on with


class Manner(Struct, frozen=True):
    """How somebody wants to play."""

    plain: bool
    fast: bool
    coach: bool

    def play(self, evening: Evening, log: Path | None) -> int:
        """Play until the player leaves, and say farewell."""
        coach = self._coach(evening)
        said = Screen(evening.book, you=YOU)
        try:
            begin(evening, said)
            said = self._lines(evening, coach) if self.plain else self._page(evening, coach)
        except EOFError:
            said.say()
        finally:
            evening.table.close()
            if coach:
                coach.wait()
                coach.close()
        for line in (*farewell(evening, log), *(coach.summary() if coach else ())):
            said.say(line)
        said.last_hash(evening.table.store.last_hash)
        return 0

    def _coach(self, evening: Evening) -> Coach | None:
        if not self.coach:
            return None
        from croupier.cli.solving import announce

        announce()
        coach = Coach(evening.book)
        evening.chose = coach.judge
        return coach

    def _lines(self, evening: Evening, coach: Coach | None) -> Screen:
        lines = Lines(evening, coach)
        lines.welcome()
        lines.run()
        return lines.screen

    def _page(self, evening: Evening, coach: Coach | None) -> Screen:
        from croupier.cli.seat import Page

        page = Page(evening, fast=self.fast, coach=coach)
        page.run()
        if page.return_code:
            raise SystemExit(page.return_code)
        return Screen(evening.book, you=YOU)


def begin(evening: Evening, screen: Screen) -> None:
    """Come to the table; while that cannot be put on record it is tried again, or given up (EOFError)."""
    while True:
        try:
            return evening.begin()
        except StoreError as error:
            screen.try_again(error)


def go_on(book: Rulebook, shoe: VirtualShoe, brought: int | None, box: int) -> tuple[Evening, Path] | None:
    """The table that was left, if there is one under this rulebook and the player would go on with it."""
    for path in records()[:LOOKED_AT]:
        try:
            past = read_log(path)
            if past.book.id != book.id:
                continue
            evening = _resumed(past, shoe, brought, box)
        except (ParseError, RulebookError, StoreError):
            continue
        if evening.purse >= evening.least():
            if _wants(evening):
                return evening, path
            evening.table.close()
            return None
        evening.table.close()
    return None


def _wants(evening: Evening) -> bool:
    where = f"{evening.book.title}, round {max(evening.state.round, 1)}, {evening.money(evening.free)}"
    risk = f" and {evening.money(evening.risk)} on the table" if evening.risk else ""
    return ask_key(f"Go on where you left ({where}{risk})? y/n", "yn", "y") == "y"


def _resumed(past: Log, shoe: VirtualShoe, brought: int | None, box: int) -> Evening:
    evening = Evening(past.book, resume_table(past, cards=shoe, tell=remark), shoe, brought)
    evening.take_up(past, box)
    return evening


def farewell(evening: Evening, log: Path | None) -> list[str]:
    """What stays on the table and how to go on, and what the player leaves with."""
    risk, said = evening.risk, []
    if risk:
        kept = f"; {_how(log, evening.book)} goes on" if log else ", but no log was kept (--log FILE)"
        said.append(f"Your {evening.money(risk)} stays on the table as it lies{kept}.")
    elif log:
        said.append(f"The table is in {log}; {_how(log, evening.book)} goes on.")
    table = f" and have {evening.money(risk)} on the table" if risk else ""
    result = f"{gain(evening.purse - evening.brought, evening.book)} since you sat down"
    return [*said, f"You leave with {evening.money(evening.free)}{table} ({result})."]


def _seats(
    book: Rulebook, settings: dict[str, Any], box: int, boxes: int | None, others: int
) -> list[tuple[str, int]]:
    """Who sits where: p1 from their box on, the others where room is left. The table may refuse it."""
    trial = new_table(book, settings)
    layout, needed = trial.state.rules.house.boxes, trial.state.rules.boxes_needed
    mine = max(1, needed - others) if boxes is None else boxes
    if mine < 1 or others < 0 or mine + others > layout:
        raise ParseError(f"{mine} boxes for you and {others} for others do not fit a layout of {layout}")
    if mine + others < needed:
        clauses = ", ".join(book.citations("boxes_needed"))
        raise ParseError(
            f"a round needs wagers on {needed} boxes: take --boxes {needed} or --others [{clauses}]"
        )
    numbers = [(box - 1 + step) % layout + 1 for step in range(layout)]
    if not 1 <= box <= layout:
        numbers[0] = box  # refused below, with the clause
    seats = [(YOU, number) for number in numbers[:mine]]
    free = sorted(numbers[mine:])[:others]
    seats += [(f"p{index}", number) for index, number in enumerate(free, start=2)]
    try:
        for name, number in seats:
            trial.give(cmd.Sit(box=number), player(name))
    except Refused as refused:
        raise ParseError(book.why_refused(refused)) from None
    return seats


def _how(log: Path, book: Rulebook) -> str:
    """The command that goes on with a table; with the last that was kept by itself, the shortest."""
    if records()[:1] != [log]:
        return f"`croupier play --resume {log}`"
    name = "" if book.id == DEFAULT else f" {(short_names(book.id) or [book.id])[0]}"
    return f"`croupier play{name}`"
