"""The options that several commands have, each in one wording."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter, Token

from croupier.errors import ParseError
from croupier.printable import require_printable

if TYPE_CHECKING:
    from croupier.table.actors import Actor, Role


def whole(_: object, tokens: Sequence[Token]) -> int:
    """A whole number: what lies between two is a slip, and not to be rounded."""
    (token,) = tokens
    if not re.fullmatch("[+-]?[0-9]{1,18}", token.value):
        raise ValueError(f"{token.value!r} is no whole number of up to 18 digits")
    return int(token.value)


def many(_: object, tokens: Sequence[Token]) -> int:
    """A large whole number, as 1000000, 1_000_000 or 1e6."""
    (token,) = tokens
    if not re.fullmatch(r"[0-9][0-9_]{0,18}|[0-9]{1,4}(\.[0-9]{1,6})?[eE]\+?[0-9]{1,2}", token.value):
        raise ValueError(f"{token.value!r} is no number of rounds: write one as 1000000 or 1e6")
    number = float(token.value) if set("eE.") & set(token.value) else int(token.value)
    if number != int(number) or not 1 <= number <= 1e15:
        raise ValueError(f"{token.value!r}: from 1 to 1e15 rounds are played")
    return int(number)


DEFAULT = "act-blackjack-2003"

BOOK_HELP = "A rulebook: blackjack, 1997, uk, pontoon, as `croupier rules list` names them, or a .toml file."
Book = Annotated[str, Parameter(help=BOOK_HELP)]
BookName = Annotated[str, Parameter(help=BOOK_HELP, show_default=False)]
On = Annotated[
    datetime.date | None, Parameter(name="--on", help="The text in force on this day, as in 1997-01-07.")
]
Json = Annotated[
    bool, Parameter(name="--json", help="Print one JSON object.", negative="", show_default=False)
]

Force = Annotated[bool, Parameter(help="Write over a file that exists.", negative="", show_default=False)]

# A table that is opened

HouseFile = Annotated[
    Path | None,
    Parameter(
        name="--house",
        help="The house's file, as `croupier rules house` writes one (default: the demonstration house).",
    ),
]
Decks = Annotated[
    int | None, Parameter(converter=whole, help="Decks in the shoe, as far as the rulebook permits.")
]
Settings = Annotated[
    list[str],
    Parameter(name="--set", help="A house setting or option as name=value, amounts in dollars; repeatable."),
]
SideBets = Annotated[
    bool, Parameter(name="--side-bets", negative="", help="Offer every side bet the rulebook has.")
]
NewLog = Annotated[Path | None, Parameter(name="--log", help="Write the table's log to this new file.")]
Resume = Annotated[
    Path | None, Parameter(name="--resume", help="Go on with the table of this log, in the same file.")
]
TableName = Annotated[
    str, Parameter(name="--table", help="What the house calls the table (default: like its log).")
]
Staff = Annotated[
    list[str],
    Parameter(
        name="--as",
        negative="",
        help="Who holds an office, as ROLE:NAME: dealer, supervisor, operator or regulator; repeatable. "
        "What is typed for the office is on record as theirs.",
    ),
]


def staff(pairs: Sequence[str]) -> dict[Role, Actor]:
    """Who holds which office, from `supervisor:NAME`."""
    from croupier.table.actors import STAFF, Actor, actor

    found: dict[Role, Actor] = {}
    for pair in pairs:
        word, _, name = (part.strip() for part in pair.partition(":"))
        role = actor(word).role
        if role == "player" or not name:
            raise ParseError(
                f"--as {pair}: write ROLE:NAME, as in supervisor:NAME; roles: {', '.join(sorted(STAFF))}"
            )
        found[role] = Actor(role, require_printable(name, f"--as {word}"))
    return found


# How a dealer's desk is run

Plain = Annotated[
    bool,
    Parameter(
        name="--plain",
        negative="",
        show_default=False,
        help="Lines one after another, not a page (as in pipes).",
    ),
]
Yes = Annotated[
    bool,
    Parameter(name="--yes", negative="", show_default=False, help="Answer yes to every question in advance."),
]

# A game that is studied

StudyDecks = Annotated[
    str,
    Parameter(
        name="--decks",
        help="Decks in the shoe, or inf for packs without end (default: those of the house; 6 to compare).",
        show_default=False,
    ),
]
StudySettings = Annotated[
    tuple[str, ...],
    Parameter(
        name="--set",
        negative="",
        show_default=False,
        help="An option, or any what-if outside the law, as name=value; repeatable. "
        "`croupier rules options` lists them.",
    ),
]
PostSplit = Annotated[
    str,
    Parameter(
        name="--post-split",
        help="Play after a split: cdz as unsplit hands, cdp for the pair cards gone; or all play by totals "
        "alone (total), or by totals and the number of cards (cards).",
    ),
]
NoCache = Annotated[
    bool,
    Parameter(
        name="--no-cache",
        negative="",
        show_default=False,
        help="Solve everything anew, and keep nothing for the next time.",
    ),
]
