"""`croupier play`: a seat at a table in the terminal.

The player is p1. The table does its chores and deals by itself, simple players fill other boxes, and
whatever p1 may decide is asked for here: on a page where both ends are a terminal, else line by line.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from croupier.cli.lines import Lines
from croupier.cli.options import DEFAULT, Book, Decks, HouseFile, NewLog, Resume, Settings, SideBets, whole
from croupier.cli.results import gain
from croupier.cli.settings import settings_of
from croupier.errors import ParseError, Refused
from croupier.house.evening import YOU, Evening
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import new_table
from croupier.house.tables import resume as resume_table
from croupier.money import cents
from croupier.record import read_log
from croupier.rulebook import Rulebook, load
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
    chips: Annotated[float, Parameter(help="What you bring along, in dollars.")] = 500,
    seed: Annotated[
        int | None, Parameter(converter=whole, help="Shuffle by this seed (default: true randomness).")
    ] = None,
    log: NewLog = None,
    resume: Resume = None,
) -> int:
    """Play at a table in the terminal."""
    shoe = VirtualShoe(seed)
    brought = cents(chips)
    if brought <= 0:
        raise ParseError(f"--chips {chips}: bring something to play with")
    if resume is not None:
        unsaid = rulebook == DEFAULT and {decks, minimum, maximum, boxes} == {None}
        if not unsaid or any((house, log, set_, side_bets, others)):
            raise ParseError(
                "--resume goes on under the log's own rulebook, settings and seats; leave the rest out"
            )
        return _line_by_line(_resumed(resume, shoe, brought, box), resume)
    book = load(rulebook)
    settings = settings_of(
        book, house, set_, side_bets=side_bets, decks=decks, minimum=minimum, maximum=maximum
    )
    seats = _seats(book, settings, box, boxes, others)
    evening = Evening(book, new_table(book, settings, cards=shoe, log=log), shoe, brought)
    evening.sit_down(seats)
    return _line_by_line(evening, log)


def _resumed(resume: Path, shoe: VirtualShoe, brought: int, box: int) -> Evening:
    past = read_log(resume)
    evening = Evening(past.book, resume_table(past, cards=shoe), shoe, brought)
    evening.take_up(past, box)
    return evening


def _line_by_line(evening: Evening, log: Path | None) -> int:
    lines = Lines(evening)
    lines.welcome()
    try:
        lines.run()
    finally:
        evening.table.close()
    for line in farewell(evening, log):
        lines.screen.say(line)
    return 0


def farewell(evening: Evening, log: Path | None) -> list[str]:
    """What stays on the table and how to go on, and what the player leaves with."""
    risk, said = evening.risk, []
    if risk:
        kept = f"; `croupier play --resume {log}` goes on" if log else ", but no log was kept (--log FILE)"
        said.append(f"Your {evening.money(risk)} stays on the table as it lies{kept}.")
    elif log:
        said.append(f"The table is in {log}; `croupier play --resume {log}` goes on.")
    table = f" and have {evening.money(risk)} on the table" if risk else ""
    result = f"{gain(evening.purse - evening.start, evening.book)} since you sat down"
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
