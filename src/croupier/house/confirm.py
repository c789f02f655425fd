"""What is asked once before it is done: what ends or undoes something, what moves money, whose name is new.

Nothing is asked about what would be refused in any case. The question says what will happen, in the words in
which it will be told, for it has been decided on the table as it stands and only not been put on record.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.errors import Refused
from croupier.house.due import open_offers, without_bet
from croupier.money import in_words
from croupier.rulebook import Rulebook
from croupier.story import tell
from croupier.table import advance, evolve
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.chips import ChipMove, moves
from croupier.table.commands import Asked, Command
from croupier.table.events import Event
from croupier.table.shorthand import namesake
from croupier.table.state import State

MOVES_MONEY: tuple[type[Command], ...] = (
    *(cmd.VoidRound, cmd.Invalidate, cmd.VoidWager),
    *(cmd.Rule, cmd.Review),
)
ENDS: tuple[type[Command], ...] = (cmd.CloseTable, cmd.Exclude)


def question(state: State, asked: Asked, book: Rulebook) -> str:
    """What to ask before a command is given; empty if it is simply given."""
    doubt = doubt_of_name(state, asked)
    if doubt:
        return doubt
    if isinstance(asked.command, cmd.AnnounceNoMoreBets | cmd.CloseOffers):
        return _closing(state, asked.command)
    if not isinstance(asked.command, MOVES_MONEY + ENDS):
        return ""
    try:
        _, events = advance(state, *asked)
    except Refused:
        return ""
    return _foretold(state, events, book)


def doubt_of_name(state: State, asked: Asked) -> str:
    """Is a new name perhaps a known one, written otherwise?"""
    name = asked.by.name if asked.by.role == "player" else ""
    doubt = namesake(state, name)
    return f"{doubt}. Is {name} somebody else?" if doubt else ""


def _closing(state: State, command: Command) -> str:
    """Bets or offers are closed while somebody might still have something to say."""
    if isinstance(command, cmd.CloseOffers):
        count = len(open_offers(state))
        still = "1 offer is" if count == 1 else f"{count} offers are"
        return f"{still} still open. Close the offers?" if count and state.stage == "offers" else ""
    missing = without_bet(state)
    return f"{missing}. No more bets?" if missing else ""


def _foretold(state: State, events: list[Event], book: Rulebook) -> str:
    """What will be told, and in words what players get and give."""
    told = ". ".join(tell(event, book) for event in events if not isinstance(event, ev.StageReached))
    moved = list(_moves(state, events))
    ways = {
        "to players": sum(move.amount for move in moved if move.target.place == "player"),
        "from players": sum(move.amount for move in moved if move.source.place == "player"),
    }
    sums = "; ".join(f"{in_words(total, book.words.currency)} {way}" for way, total in ways.items() if total)
    return f"{told}. {f'That is {sums}. ' if sums else ''}Is it to be done?"


def _moves(state: State, events: list[Event]) -> Iterator[ChipMove]:
    for event in events:
        yield from moves(state, event)
        state = evolve(state, event)
