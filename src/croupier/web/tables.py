"""Tables over HTTP: the lobby's list, a new table, one to play at alone, simple players for empty seats."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import ParseError, RulebookError
from croupier.house.database import Elsewhere, Listed
from croupier.house.settings import settings_of
from croupier.house.wish import open_sides
from croupier.rulebook import Rulebook, load
from croupier.story import capital, wager_name
from croupier.table import State
from croupier.table import commands as cmd
from croupier.web import access, asking, frames
from croupier.web.access import Problem, answer, body, floor_of, somebody
from croupier.web.asking import Sender
from croupier.web.edges import Edges
from croupier.web.floor import Floor, book_named, boxes_of, manner_of
from croupier.web.opened import Manner, OpenTable

DEFAULT = "act-blackjack-2003"
SHARED = frames.Clocks(betting=15, offers=12, decision=25, results=6, away=30)
ALONE = frames.Clocks()
STAGES = {
    "idle": "between rounds",
    "betting": "place your bets",
    "dealing": "the deal",
    "offers": "before play",
    "playing": "play",
    "dealer": "the dealer draws",
    "settled": "settlement",
    "closed": "closed",
}
Text = Annotated[str, Meta(max_length=200)]
Setting = str | int | float | bool | None


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be opened; settings and options by name, amounts in dollars, on top of the house's."""

    rulebook: Text = DEFAULT
    kind: Literal["virtual", "live"] = "virtual"
    name: Text = ""
    settings: dict[str, Setting] = {}
    side_bets: bool = False
    clocks: frames.Clocks | None = None


class Alone(Struct, frozen=True, forbid_unknown_fields=True):
    """A table for one person, with simple players beside."""

    rulebook: Text = DEFAULT
    decks: int | None = None
    others: Annotated[int, Meta(ge=0, le=6)] = 2
    side_bets: bool = False
    settings: dict[str, Setting] = {}
    box: Annotated[int, Meta(ge=1, le=20)] = 4
    clocks: frames.Clocks = ALONE


class NewBot(Struct, frozen=True, forbid_unknown_fields=True):
    box: Annotated[int, Meta(ge=1, le=20)]
    manner: Literal["simple", "chart"] = "simple"


class Foretell(Struct, frozen=True, forbid_unknown_fields=True):
    command: dict[str, Any]
    role: str | None = None


async def lobby(request: Request) -> Response:
    """Every table that is not closed, alone ones only to whom they are; and the usual clocks of a new one."""
    floor, person = floor_of(request), await access.person_of(request)
    name = person.name if person else ""
    shown = []
    manners = await asyncio.to_thread(floor.manners)
    for listed in await asyncio.to_thread(floor.listed):
        with contextlib.suppress(ParseError, RulebookError):  # a table that cannot go on is in its history
            manner = manner_of(manners.get(listed.number), listed.name)
            if manner.alone in ("", name):
                shown.append(_listed(listed, await _state(floor, listed), manner, name, floor.edges))
    shown.sort(key=lambda one: not one["you"])
    return answer({"tables": shown, "clocks": SHARED})


async def one(request: Request) -> Response:
    table, person = await table_of(request), await access.person_of(request)
    listed = await asyncio.to_thread(floor_of(request).database.tables.listed, table.kept.number)
    name = person.name if person else ""
    return answer(_listed(listed, table.state, table.manner, name, floor_of(request).edges))


async def _state(floor: Floor, listed: Listed) -> State:
    """Where a table stands, whether or not it is open here."""
    if listed.number in floor.tables:
        return floor.tables[listed.number].state
    return await asyncio.to_thread(floor.stands, listed)


async def table_of(request: Request) -> OpenTable:
    return await find(floor_of(request), request.path_params["id"])


async def find(floor: Floor, number: str) -> OpenTable:
    """The open table of a number in an address."""
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Problem(404, "No such table.")
    try:
        return await floor.table(int(number))
    except Elsewhere as error:
        raise Problem(503, f"{error}.") from None
    except ParseError as error:
        raise Problem(404, f"No such table: {error}.") from None


def _listed(listed: Listed, state: State, manner: Manner, name: str, edges: Edges) -> dict[str, Any]:
    book = load(listed.rulebook)
    return {
        "id": str(listed.number),
        "name": listed.name,
        "kind": listed.kind,
        "book": book.id,
        "title": book.title,
        "opened": listed.opened,
        "play_money": True,
        "round": state.round,
        "stage": state.stage,
        "words": capital(STAGES.get(state.stage, "the cards are prepared")),
        "minimum": state.terms.minimum,
        "maximum": state.terms.maximum,
        "decks": state.terms.decks,
        "currency": book.words.currency,
        "multiple": state.rules.house.multiple if state.rules.wager_multiples else 1,
        "sides": [wager_name(side).strip() for side in open_sides(state)],
        "edge": edges.of(state.rules, state.terms.decks),
        "seats": [box.seat for box in state.boxes],
        "you": boxes_of(state, name),
        "alone": bool(manner.alone),
        "clocks": manner.clocks,
    }


# Opening


async def open_new(request: Request) -> Response:
    asked, person = await body(request, NewTable), await somebody(request)
    if asked.kind == "live" and "dealer" not in access.sender_of(person).roles:
        raise Problem(403, "A live table is opened by who deals at it: dealer, supervisor or operator.")
    if person.role == "regulator":
        raise Problem(403, "The regulator opens no tables.")
    access.count(request, "table", access.OPENED)
    book = book_named(asked.rulebook)
    settings = _settings(book, asked.settings, side_bets=asked.side_bets)
    clocks = asked.clocks or (SHARED if asked.kind == "virtual" else frames.Clocks())
    live, manner = asked.kind == "live", Manner(clocks)
    name = asked.name or f"{capital(book.words.game)}, {person.name}"
    table = await floor_of(request).new(book, settings, name=name, live=live, manner=manner)
    return answer({"id": table.id}, 201)


async def alone(request: Request) -> Response:
    """Deal me in: a table, a seat, others beside; and as many boxes as a round needs."""
    asked, person = await body(request, Alone), await somebody(request)
    sender = access.sender_of(person)
    access.require_player(person)
    access.count(request, "table", access.OPENED)
    floor, book = floor_of(request), book_named(asked.rulebook)
    settings = _settings(book, asked.settings, side_bets=asked.side_bets, decks=asked.decks)
    manner = Manner(asked.clocks, person.name)
    name = f"{capital(book.words.game)}, {person.name} alone"
    table = await floor.new(book, settings, name=name, live=False, manner=manner)
    boxes = _around(asked.box, len(table.state.boxes))
    own, needed = boxes[:1], table.state.rules.boxes_needed
    beside = boxes[1 : 1 + min(asked.others, len(boxes) - 1)]
    own += boxes[1 + len(beside) : 1 + len(beside) + max(0, needed - 1 - len(beside))]
    for box in own:
        await seat(table, sender, box)
    for box in beside:
        await floor.seat_bot(table, box)
    return answer({"id": table.id}, 201)


def _around(box: int, count: int) -> list[int]:
    """The boxes of a layout, the one wanted first and then those nearest to it."""
    return sorted(range(1, count + 1), key=lambda one: (abs(one - min(box, count)), one))


def _settings(book: Rulebook, given: dict[str, Setting], *, side_bets: bool, **more: Any) -> dict[str, Any]:
    try:
        settings = settings_of(book, None, side_bets=side_bets, **more)
        for name, value in given.items():
            if name not in settings and name not in book.options():
                raise Problem(400, f"There is no setting {name[:40]!r} here.", field=name)
            settings[name] = value
        book.rules_for(settings)
    except RulebookError as error:
        raise _outside_the_law(book, error, given) from None
    except (ParseError, msgspec.ValidationError) as error:
        raise access.problem_of(error) from None
    return settings


def _outside_the_law(book: Rulebook, error: RulebookError, given: dict[str, Setting]) -> Problem:
    """What is wrong with a choice, without the file that an operator would look into; and which one it is."""
    names = {clause.citation: book.short(clause) for clause in book.clauses}
    words = str(error).removeprefix(f"{book.file}: ").removesuffix(f" [{', '.join(error.clauses)}]")
    field = next((word for word in re.findall(r"\w+", words) if word in given), "")
    return Problem(400, f"{capital(words)}.", tuple(names.get(one, one) for one in error.clauses), field)


class _Waiting:
    """A client who asks one thing and waits for the reply."""

    def __init__(self, sender: Sender) -> None:
        self.sender = sender
        self.reply: asyncio.Future[frames.Reply] = asyncio.get_running_loop().create_future()

    def send(self, frame: bytes) -> None:
        found = msgspec.json.decode(frame, type=frames.FromServer)
        if isinstance(found, frames.You) and found.reply is not None and not self.reply.done():
            self.reply.set_result(found.reply)

    def bye(self, why: str, words: str) -> None:
        """Nobody reads it."""


async def seat(table: OpenTable, sender: Sender, box: int) -> frames.Reply:
    """Take a seat for somebody who is on the way to the table."""
    client = _Waiting(sender)
    table.post(client, frames.Ask(f"seat-{box}", table.kept.last, cmd.Sit(box=box)))
    return await client.reply


async def add_bot(request: Request) -> Response:
    asked, person = await body(request, NewBot), await somebody(request)
    table = await table_of(request)
    if table.manner.alone != person.name and "operator" not in access.sender_of(person).roles:
        raise Problem(403, "Simple players are seated by whoever plays alone, or by an operator.")
    name = await floor_of(request).seat_bot(table, asked.box, by_chart=asked.manner == "chart")
    return answer({"name": name}, 201)


async def foretell(request: Request) -> Response:
    """What an order of an office would put on record; nothing is done.

    Of a player's command this is not said: it may carry out what others have answered and nobody knows yet.
    """
    asked, person = await body(request, Foretell), await somebody(request)
    table = await table_of(request)
    try:
        wanted = msgspec.convert(
            {"type": "ask", "id": "-", "seen": 0, "command": asked.command, "role": asked.role},
            frames.Ask,
        )
        (step,) = asking.steps(
            table.state, table.book, wanted, access.sender_of(person), table.bids.last, live=table.kept.live
        )
    except asking.Problem as problem:
        raise Problem(403, problem.said.words, problem.said.clauses) from None
    except msgspec.ValidationError as error:
        raise Problem(400, f"This is no order: {error}.") from None
    assert not isinstance(step, asking.Struck)
    if step.by.role == "player":
        raise Problem(403, "Only what an office orders is told beforehand.")
    ok, said, typed = asking.foretold(table.state, table.book, *step)
    return answer({"ok": ok, "said": said, "typed": typed})
