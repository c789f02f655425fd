"""What a message from a page asks of the table, and of whom it may come.

The session says who asks and which offices they hold; a message only says in which of them. At a virtual
table the dealer is the house's own, and its cards come out of its shoe: nobody gives the dealer's commands
there. At a live one whoever deals types in what players say.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from croupier.cards import INDEX
from croupier.errors import ParseError, Refused
from croupier.game.hand import Bar
from croupier.house.confirm import question as first_asked
from croupier.house.tables import open_betting
from croupier.printable import require_printable, visible
from croupier.rulebook import Rulebook
from croupier.story import tell
from croupier.table import State, advance
from croupier.table import commands as cmd
from croupier.table.actors import Actor, Role
from croupier.table.again import Bids
from croupier.table.commands import Asked, Command
from croupier.table.contents import bar_of
from croupier.table.shorthand import is_card, parts, read
from croupier.table.text import write
from croupier.web import frames
from croupier.web.choosing import said
from croupier.web.telling import clauses

Message = frames.Request
REQUESTS = (frames.Ask, frames.Line, frames.Bet, frames.Done, frames.More)
# Which offices somebody holds who was appointed to one.
HOLDS: dict[Role, tuple[Role, ...]] = {
    "player": ("player",),
    "dealer": ("dealer",),
    "supervisor": ("supervisor", "dealer"),
    "operator": ("operator", "supervisor", "dealer"),
    "regulator": ("regulator",),
}
# What is as good a moment later, whatever the table has done in between.
UNHURRIED = (
    *(cmd.Sit, cmd.Leave, cmd.Ask, cmd.Attempt, cmd.OpenDispute, cmd.RequestReview, cmd.Forfeit),
    *(cmd.OperatorCommand, cmd.SupervisorCommand, cmd.RegulatorCommand),
)
CARDS = ("card", "missing", "extra", "hands")  # fields of commands that hold cards
LONGEST = 500
NOT_WRITTEN = "This cannot be put on record now; nothing was done, and it can be asked again."
OWN_DEALER = "The dealer of this table is the house's own, and the cards come out of its shoe."


class Problem(Exception):
    """Why a request is not carried out; nothing has happened, and nothing is on record."""

    def __init__(self, why: str, words: frames.Said | str) -> None:
        super().__init__(words)
        self.why = why
        self.said = frames.Said(words) if isinstance(words, str) else words


def no(asked: str, why: str, words: str) -> frames.Reply:
    return frames.Reply(asked, ok=False, why=why, said=frames.Said(words))


class Sender(Struct, frozen=True):
    """Who is at the other end: by name and office; nobody, to watch."""

    name: str = ""
    role: Role | str = ""

    @property
    def roles(self) -> tuple[Role, ...]:
        return HOLDS.get(self.role, ())  # type: ignore[call-overload, no-any-return]

    @property
    def plays(self) -> bool:
        return self.role == "player"


class Struck(Struct, frozen=True):
    """Lines typed in error, from one on."""

    line: int
    by: Actor
    why: str


Steps = list[Asked | Struck]


def steps(state: State, book: Rulebook, message: Message, sender: Sender, last: Bids, *, live: bool) -> Steps:
    """What a message asks, one after another. A Problem or a ParseError says why not."""
    if isinstance(message, frames.Done | frames.More):
        _require_player(sender)
        return []
    if isinstance(message, frames.Bet):
        return [*_bet(state, book, message, sender)]
    if isinstance(message, frames.Ask):
        _require_sound(msgspec.to_builtins(message.command))
        by = _actor(message.command, sender, message.role, live=live)
        return [Asked(_timed(state, message.command), by)]
    if message.line.split()[:1] == ["strike"]:
        return [_strike(message.line, sender)]
    return _line(state, book, message, sender, last, live=live)


def _require_sound(value: object, field: str = "") -> None:
    """Text that deceives no screen and is not endless, and cards that are some."""
    if isinstance(value, str):
        if len(value) > LONGEST:
            raise ParseError(f"{field}: a text has at most {LONGEST} letters")
        require_printable(value, field)
        if field in CARDS and value not in INDEX:
            raise ParseError(f"{value!r} is not a card")
    elif isinstance(value, dict):
        for name, part in value.items():
            _require_sound(name, "name")
            _require_sound(part, field if field in CARDS else name)
    elif isinstance(value, list):
        for part in value:
            _require_sound(part, field)


# Who asks


def _actor(command: Command, sender: Sender, role: Role | None, *, live: bool) -> Actor:
    """In which of the sender's offices a command is given."""
    if role is not None and role not in sender.roles:
        raise Problem("role", f"You are not here as {role}.")
    held = (role,) if role else sender.roles
    found = [one for one in held if one in command.askers]
    if not found:
        raise Problem("role", f"That is for the {' or '.join(sorted(command.askers))} to do.")
    if found[0] == "dealer" and not live:
        raise Problem("role", OWN_DEALER)
    return Actor(found[0], sender.name)


def _speaks_for(asked: Asked, sender: Sender, role: Role | None, *, live: bool) -> Asked:
    """What was typed, as the one who gives it: one's own, an office's, or what a dealer hears players say."""
    command, by = asked
    if by.role == "player" and by.name != sender.name:
        if not (live and "dealer" in sender.roles):
            raise Problem("role", f"{by.name} speaks for {by.name} here.")
        return asked
    if by.role != "player" and by.role in sender.roles:
        role = by.role
    return Asked(command, _actor(command, sender, role, live=live))


def _require_player(sender: Sender) -> None:
    if not sender.plays:
        raise Problem("role", f"The {sender.role} does not play.")


# Bets


def _bet(state: State, book: Rulebook, message: frames.Bet, sender: Sender) -> Iterator[Asked]:
    """What brings the chips on a box to what is wanted: more laid, or all taken back and laid anew."""
    _require_player(sender)
    by = Actor("player", sender.name)
    if not 1 <= message.box <= len(state.boxes):
        raise Problem("input", f"There is no box {message.box}; the layout has 1 to {len(state.boxes)}.")
    if unknown := message.sides.keys() - state.rules.side_bets.keys():
        raise Problem("input", f"{visible(min(unknown))[:40]!r} is no side bet of this game.")
    lying = state.box(message.box).bet_of(sender.name)
    stake, sides = lying.stake + lying.over, {side.name: side.stake + side.over for side in lying.sides}
    wanted = {name: amount for name, amount in message.sides.items() if amount}
    if (message.stake, wanted) == (stake, sides):
        return
    if message.stake >= stake and all(wanted.get(name, 0) >= laid for name, laid in sides.items()):
        more = {name: amount - sides.get(name, 0) for name, amount in wanted.items()}
        more = {name: amount for name, amount in more.items() if amount}
        yield Asked(cmd.Wager(box=message.box, stake=message.stake - stake, sides=more), by)
        return
    back = Asked(cmd.TakeBack(box=message.box), by)
    yield back
    if message.stake or wanted:
        laid = Asked(cmd.Wager(box=message.box, stake=message.stake, sides=wanted), by)
        _require_laid(state, book, back, laid)
        yield laid


def _require_laid(state: State, book: Rulebook, back: Asked, laid: Asked) -> None:
    """Nothing is taken back for a wager that would be refused."""
    try:
        without, _ = advance(state, *back)
        advance(without, *laid)
    except Refused as error:
        raise Problem("refused", refused(book, error)) from None


# Lines


def _line(
    state: State, book: Rulebook, message: frames.Line, sender: Sender, last: Bids, *, live: bool
) -> Steps:
    """A line part by part, each read at the table that the one before would leave.

    It is carried out as a whole: where a later part would be refused, nothing is.
    """
    found: Steps = []
    hits = True
    for part in parts(message.line):
        for asked in read(state, part, last, hits=hits).asked:
            own = _speaks_for(asked, sender, message.role, live=live)
            own = Asked(_timed(state, own.command), own.by)
            found.append(own)
            try:
                state, _ = advance(state, *own)
            except Refused as error:
                if own is found[0]:
                    return found
                raise Problem("refused", refused(book, error)) from None
        hits = not is_card(part)
    return found


def _timed(state: State, command: Command) -> Command:
    return open_betting(state) if command == cmd.OpenBetting() else command


def _strike(line: str, sender: Sender) -> Struck:
    if "supervisor" not in sender.roles:
        raise Problem("role", "Only a supervisor strikes lines.")
    _, _, rest = line.strip().partition(" ")
    number, _, why = rest.strip().partition(" ")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise ParseError("say from which line on, and why, as in `strike 37 why=the card was 5h`")
    return Struck(
        int(number), Actor("supervisor", sender.name), why.strip().removeprefix("why=").strip("'\"")
    )


# What is looked at before it is carried out


def hurries(steps: Steps) -> bool:
    """Does it matter what the table has done since the sender looked at it?"""
    return not all(isinstance(step, Asked) and isinstance(step.command, UNHURRIED) for step in steps)


def question(state: State, book: Rulebook, message: Message, steps: Steps, sender: Sender) -> str:
    """What is asked once before an order is carried out; empty if nothing is, or it has been answered."""
    if not isinstance(message, frames.Ask | frames.Line) or message.yes:
        return ""
    for step in steps:
        if isinstance(step, Struck):
            return f"Strike the record from line {step.line} on?"
        if not (sender.plays and step.by.name == sender.name) and (words := first_asked(state, step, book)):
            return words
    return ""


def refused(book: Rulebook, error: Refused) -> frames.Said:
    """A refusal in a sentence, with its clauses."""
    return said(book, Bar(error.provision, error.why))


def price(state: State, command: Command, by: Actor) -> int:
    """What a command takes of the player's chips, as far as it says; what is refused takes nothing."""
    if not isinstance(command, cmd.LAYING):
        return 0
    if bar_of(state, command, by) is not None:
        return 0
    if isinstance(command, cmd.Wager):
        return command.stake + sum(command.sides.values())
    if isinstance(command, cmd.Insure):
        return command.amount
    return command.amount or state.hand(command.box, command.hand).stake_of(by.name)


def foretold(state: State, book: Rulebook, command: Command, by: Actor) -> tuple[bool, frames.Said, str]:
    """What an order would put on record, or why it would be refused; and as it would be typed."""
    typed = write(command, by)
    try:
        _, events = advance(state, command, by)
    except Refused as error:
        return False, refused(book, error), typed
    words = ". ".join(tell(event, book) for event in events) or "Nothing happens"
    basis = [name for event in events for name in event.basis]
    return True, frames.Said(f"{words}.", clauses(book, *basis)), typed
