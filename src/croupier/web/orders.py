"""What the console can order, by topic: every command of an office, its fields, and how it stands now."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin
from weakref import WeakKeyDictionary

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.confirm import ENDS, MOVES_MONEY
from croupier.table import State
from croupier.table import commands as cmd
from croupier.table.actors import PLAYERS
from croupier.table.commands import Command
from croupier.table.run import describe_kind
from croupier.table.text import MONEY, usage, verb
from croupier.web import frames
from croupier.web.access import answer
from croupier.web.asking import OWN_DEALER
from croupier.web.opened import OpenTable
from croupier.web.tables import table_of
from croupier.web.trying import few, try_order

TOPICS: dict[str, tuple[type[Command], ...]] = {
    "Cards and shoe": (
        *(cmd.CheckCards, cmd.Shuffle, cmd.OfferCut, cmd.PlaceCuttingCards, cmd.LoadAutomatedShoe),
        *(cmd.InstructShuffle, cmd.SetCards, cmd.SetCuttingCards, cmd.ReplaceCards, cmd.Reconstruct),
        *(cmd.NoticePastCuttingCard, cmd.ReportMalfunction, cmd.ReplaceShoe, cmd.ShoeRunsOut),
    ),
    "Limits and side bets": (cmd.GiveNotice, cmd.SetLimits, cmd.SetSideBet, cmd.RaiseLimit, cmd.RemoveMarker),
    "Boxes and players": (cmd.Hold, cmd.GiveUpBox, cmd.VacateSeat, cmd.ReportAbsent, cmd.Return),
    "Rounds that do not count": (cmd.VoidRound, cmd.Invalidate),
    "Breaches and exclusion": (cmd.RecordBreach, cmd.VoidWager, cmd.Exclude),
    "Disputes": (cmd.Rule, cmd.Review),
    "Closing": (cmd.AnnounceFinalRounds, cmd.CloseTable, cmd.BeginDay),
}


async def orders(request: Request) -> Response:
    """Every order, whoever may give it, with its clauses; a closed one with what forbids it now."""
    return answer({"orders": as_they_stand(await table_of(request))})


def as_they_stand(table: OpenTable) -> list[dict[str, Any]]:
    """The orders of a table: tried once for all its consoles, and again when it has moved on."""
    state, found = _known.get(table, (None, []))
    if state is not table.state:
        found = [_order(table, topic, kind) for topic, kinds in TOPICS.items() for kind in kinds]
        _known[table] = table.state, found
    return found


_known: WeakKeyDictionary[OpenTable, tuple[State, list[dict[str, Any]]]] = WeakKeyDictionary()


def _order(table: OpenTable, topic: str, kind: type[Command]) -> dict[str, Any]:
    tried = try_order(table.state, table.book, kind)
    if not table.kept.live and kind.askers == cmd.DealerCommand.askers:
        tried = tried._replace(closed=frames.Said(OWN_DEALER))
    return {
        "topic": topic,
        "command": kind.__name__,
        "verb": verb(kind),
        "label": describe_kind(kind).capitalize(),
        "words": " ".join((kind.__doc__ or "").split()),
        "roles": sorted(kind.askers - PLAYERS),
        "fields": [_field(table.state, field) for field in msgspec.structs.fields(kind)],
        "usage": usage(kind),
        "asks": kind in (*MOVES_MONEY, *ENDS),
        "clauses": tried.clauses,
        "closed": tried.closed,
    }


def _field(state: State, field: msgspec.structs.FieldInfo) -> dict[str, Any]:
    """A field to fill in: its kind, and its choices where the rules or the command know them all."""
    choices = _choices(field.type) or few(state, field.name)
    return {
        "name": field.name,
        "label": field.name.replace("_", " ").capitalize(),
        "kind": "choice" if choices else _kind(field),
        "choices": choices,
        "required": field.required,
    }


def _kind(field: msgspec.structs.FieldInfo) -> str:
    parts = (field.type, *get_args(field.type))
    if bool in parts:
        return "yes or no"
    if field.name in MONEY:
        return "money"
    if field.name in ("card", "box", "player", "round", "hands", "missing", "extra"):
        return field.name
    return "number" if int in parts else "text"


def _choices(kind: Any) -> list[Any]:
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [choice for part in get_args(kind) for choice in _choices(part)]
