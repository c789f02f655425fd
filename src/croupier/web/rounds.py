"""Rounds that are over, over HTTP: step by step with the table after each, and as a case to keep.

Every line is decided again for it (`replay`), so that what is shown is what the rules bear out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import DoesNotHold, ParseError
from croupier.house.rounds import case_of, to_toml
from croupier.record import Entry, Log, Told
from croupier.record.line import number_of
from croupier.record.replay import Decided, decided
from croupier.record.standing import Standing
from croupier.rulebook import Rulebook
from croupier.table import State
from croupier.table import events as ev
from croupier.web import access, frames, showing, telling
from croupier.web.access import Problem, answer, floor_of, somebody

T = TypeVar("T")
OVERSEE = ("supervisor", "operator", "regulator")
UNDOES = ev.RoundVoided | ev.RoundInvalidated | ev.WagerVoided  # what a round brought, perhaps long ago


class Played(Struct):
    """A round of a log: its number, its lines decided again, and the table before them.

    `nets` is what came of it, with all that was taken back since.
    """

    round: int
    before: State
    steps: list[Decided] = []
    over: bool = False
    nets: dict[str, int] = {}

    def count(self, step: Decided) -> None:
        before, after = step.before.won, step.after.won
        settled = {event.player for event in step.made if isinstance(event, ev.Settled)}
        for player in settled | {
            name for name in after | before if after.get(name, 0) != before.get(name, 0)
        }:
            won = after.get(player, 0) - before.get(player, 0)
            self.nets[player] = self.nets.get(player, 0) + won


def played(log: Log) -> list[Played]:
    """The rounds of a log, each from the opening of its bets to the next; what came before the first is 0."""
    standing = Standing(virtual=log.header.kind == "virtual")
    rounds = [Played(0, log.initial_state())]
    for step in decided(log, standing):
        for difference in step.differences:
            raise DoesNotHold(f"line {difference.line}: {difference.what}")
        if any(isinstance(event, ev.BettingOpened) for event in step.made):
            rounds.append(Played(step.after.round, step.before))
        now = rounds[-1]
        now.steps = [*now.steps, step]
        now.over |= any(isinstance(event, ev.RoundEnded | ev.RoundInvalidated) for event in step.made)
        numbers = {event.round for event in step.made if isinstance(event, UNDOES)}
        next((one for one in reversed(rounds) if one.round in numbers), now).count(step)
    return rounds


async def listing(request: Request) -> Response:
    """All rounds of a table, and whether its lines hold."""
    return answer(await _decided_again(request, lambda: _listing(request)))


async def _decided_again(request: Request, work: Callable[[], T]) -> T:
    """Done in a thread, not too often and not too much at once: it takes as long as the record is."""
    access.count(request, "history", access.HISTORY)
    async with request.app.state.replays:
        return await asyncio.to_thread(work)


def _log(request: Request) -> Log:
    """All lines of a table, whether it is open or closed."""
    return floor_of(request).database.tables.log(_table(request))


def _table(request: Request) -> int:
    """The number of a table that there is, open or closed."""
    number = request.path_params["id"]
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Problem(404, "No such table.")
    try:
        return floor_of(request).database.tables.listed(int(number)).number
    except ParseError:
        raise Problem(404, "No such table.") from None


async def takings(request: Request) -> Response:
    """What a table has taken, for those who oversee it."""
    if (await somebody(request)).role not in OVERSEE:
        raise Problem(403, "What a table has taken is for supervisor, operator and regulator to see.")
    found = await asyncio.to_thread(lambda: floor_of(request).database.ledger.takings(_table(request)))
    hold = None if found.hold is None else float(found.hold)
    return answer({"drop": found.drop, "win": found.win, "hold": hold})


def _facts(request: Request, log: Log) -> frames.Facts:
    """What never changes at a table, as a page of its history needs it."""
    return showing.facts(
        log.initial_state(),
        log.book,
        number=request.path_params["id"],
        name=log.header.table,
        kind=log.header.kind,
        clocks=frames.Clocks(),
        alone=False,
    )


def _listing(request: Request) -> dict[str, Any]:
    try:
        log = _log(request)
        rounds = played(log)
    except DoesNotHold as error:
        broken = f"This log has been changed: {error}. What comes after is not shown as true."
        return {"facts": None, "verified": {"holds": False, "lines": 0, "words": broken}, "rounds": []}
    facts = _facts(request, log)
    lines = len(log.lines) + 1
    words = f"Log verified: {lines:,} lines, decided again, the same"
    return {
        "facts": facts,
        "verified": {"holds": True, "lines": lines, "words": words, "last_hash": log.last_hash},
        "rounds": [_round(one) for one in rounds if one.round],
    }


def _round(one: Played) -> dict[str, Any]:
    numbers = [number_of(step.line) for step in one.steps]
    return {
        "round": one.round,
        "first": numbers[0],
        "last": numbers[-1],
        "at": getattr(one.steps[0].line, "at", ""),
        "over": one.over,
        "nets": one.nets,
    }


async def one(request: Request) -> Response:
    """A round step by step. One that is still on is shown as far as it has been told."""
    wanted = _number(request.path_params["round"])
    return answer(await _decided_again(request, lambda: _steps(request, wanted)))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise Problem(404, "No such round.")
    return int(text)


def _steps(request: Request, wanted: int) -> dict[str, Any]:
    try:
        log = _log(request)
        rounds, book = played(log), log.book
    except DoesNotHold as error:
        raise Problem(409, f"This log has been changed: {error}. It is not shown as true.") from None
    numbers = [one.round for one in rounds]
    if wanted not in numbers:
        raise Problem(404, f"There is no round {wanted} here.")
    one = next(one for one in reversed(rounds) if one.round == wanted)
    return {
        "round": wanted,
        "facts": _facts(request, log),
        "over": one.over,
        "before": showing.table(one.before, book, now=0),
        "steps": [step for each in one.steps for step in _told(each, book, over=one.over)],
        "nets": one.nets,
        "previous": wanted - 1 if wanted - 1 in numbers and wanted > 1 else None,
        "next": wanted + 1 if wanted + 1 in numbers else None,
    }


def _told(step: Decided, book: Rulebook, *, over: bool) -> list[dict[str, Any]]:
    if isinstance(step.line, Entry) and step.refused is not None:
        line = telling.refused(step.line, book, step.before)
        return [{"line": line, "table": showing.table(step.after, book, now=0)}]
    told = Told(step.before, step.line, step.after)
    return [
        {"line": line, "table": showing.table(after, book, now=0)}
        for line, after in telling.steps(told, book, all_of_it=over)
    ]


async def case(request: Request) -> Response:
    """The round as a case, in the format that `croupier check` reads."""
    wanted = _number(request.path_params["round"])
    try:
        text = await _decided_again(request, lambda: to_toml(case_of(_log(request), wanted)))
    except ParseError as error:
        raise Problem(409, f"{error}.") from None
    name = f"table-{request.path_params['id']}-round-{wanted}.toml"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type="application/toml")
