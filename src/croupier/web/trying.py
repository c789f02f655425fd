"""Whether an order can be given at a table as it stands, before anybody has filled it in.

It is tried with everything that the table knows: its boxes, people, rounds, disputes and side bets. If one
of these would be carried out the order is open, by the clauses behind what it would put on record; if none
would, it is closed, and the refusals say why.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable, Iterator
from itertools import combinations, islice, product
from typing import Any, Literal, NamedTuple

import msgspec

from croupier.cards import ALL_CARDS
from croupier.errors import Refused
from croupier.game.hand import Bar
from croupier.rulebook import Rulebook
from croupier.rulebook.choose import offers
from croupier.rulebook.hours import DAY, parse_hours
from croupier.table import State, advance
from croupier.table import commands as cmd
from croupier.table.commands import Command, office_of
from croupier.table.reconstruct import lying
from croupier.table.shoe import cutting_card_window, second_card_window
from croupier.web import frames
from croupier.web.choosing import said
from croupier.web.telling import clauses

MOST = 400  # ways in which one order is tried
ROUNDS = 3  # earlier rounds with which it is
NEWCOMER = "somebody"  # who has not been at the table yet

# What is said where there is nobody and nothing to give an order about, or each is refused on its own ground.
FOR_NONE: dict[type[Command], str] = {
    cmd.RaiseLimit: "wagers lie on every box",
    cmd.RemoveMarker: "no box has a marker, or wagers lie there",
    cmd.Hold: "nobody has come late to this shoe or let a round of it pass",
    cmd.GiveUpBox: "nobody waits for a box that another could give up",
    cmd.VacateSeat: "nobody has let so many rounds pass by",
    cmd.ReportAbsent: "nobody is asked for a decision",
    cmd.Return: "nobody is absent",
    cmd.VoidRound: "no earlier round is on record, or the next has not begun",
    cmd.Invalidate: "no round is in progress or on record",
    cmd.VoidWager: "no offender has a wager to be voided",
    cmd.Exclude: "no breach is on record of anybody who is not excluded",
    cmd.Rule: "no dispute is open",
    cmd.Review: "no dispute is under review",
    cmd.SetSideBet: "no side bet may be opened or withdrawn",
    cmd.Reconstruct: "no two hands lie on the table whose cards could be exchanged",
}


# Fields that only what the rules name can fill.
CLOSED_SETS = ("name", "cause", "kind", "count", "checked_by")

# What is said where the rules have nothing that a field could be filled with.
RULED_OUT = {
    "cause": "the rules know no cause for it",
    "name": "this game has no side bet",
    "minimum": "the rules hold a late bettor to nothing",
}


class Tried(NamedTuple):
    """Whether an order is open; its clauses if it is, and why not otherwise."""

    clauses: tuple[str, ...] = ()
    closed: frames.Said | None = None


def try_order(state: State, book: Rulebook, kind: type[Command]) -> Tried:
    """An order as it stands with the table now."""
    by = office_of(kind)
    assert by is not None
    refusals: dict[str, Refused] = {}
    known = {name: _values(state, kind, name, hint) for name, hint in _fields(kind)}
    for command in islice(_likely(kind, known), MOST):
        try:
            _, events = advance(state, command, by)
        except Refused as error:
            refusals.setdefault(error.why, error)
        else:
            return Tried(clauses(book, *(name for event in events for name in event.basis)))
    closed = said(book, _why_not(kind, known, [*refusals.values()]))
    return Tried(closed.clauses, closed)


def few(state: State, name: str) -> list[Any]:
    """All that a field can be filled with, where the rules know that."""
    return [value for value in VALUES[name](state) if value] if name in CLOSED_SETS else []


def _why_not(kind: type[Command], known: dict[str, tuple[Any, ...]], refusals: list[Refused]) -> Bar:
    """One reason for all: the only one there is, or that there is nothing that the order could be about."""
    first = refusals[0]
    lacking = [name for name, values in known.items() if not values]
    words = [RULED_OUT[name] for name in lacking if name in RULED_OUT]
    if not words and (lacking or len(refusals) > 1 or NEWCOMER in first.why):
        words = [FOR_NONE.get(kind, first.why)]
    return Bar(first.provision, words[0] if words else first.why)


def _likely(kind: type[Command], known: dict[str, tuple[Any, ...]]) -> Iterator[Command]:
    """The order with all that is known; where nothing is, with something that is not at the table."""
    for chosen in product(*(values or (NOTHING.get(name, ""),) for name, values in known.items())):
        yield kind(**dict(zip(known, chosen, strict=True)))


@functools.cache
def _fields(kind: type[Command]) -> tuple[tuple[str, Any], ...]:
    hints = typing.get_type_hints(kind)
    return tuple((field.name, hints[field.name]) for field in msgspec.structs.fields(kind))


def _values(state: State, kind: type[Command], name: str, hint: Any) -> tuple[Any, ...]:
    """What a field is tried with: its few choices, or what its name means at this table."""
    if typing.get_origin(hint) is Literal:
        return typing.get_args(hint)
    find = VALUES.get((kind, name)) or VALUES.get(name)
    if find is None and hint is bool:
        return True, False
    return find(state) if find else ()


def _boxes(state: State) -> tuple[int, ...]:
    return tuple(box.number for box in state.boxes)


def _people(state: State) -> tuple[str, ...]:
    people = state.people
    seats = (box.seat for box in state.boxes if box.seat)
    known = (*people.arrivals, *people.bettors, *seats, *people.breaches)
    return (*dict.fromkeys(known), NEWCOMER)


def _rounds(state: State) -> tuple[int, ...]:
    return tuple(past.round for past in islice(state.past.last_first(), ROUNDS))


def _this_or_earlier(state: State) -> tuple[int | None, ...]:
    return None, *_rounds(state)


def _causes(state: State) -> tuple[str, ...]:
    return tuple(sorted(state.rules.invalidation_causes | state.rules.round_invalidation_causes))


def _exchanged(state: State) -> tuple[dict[str, Any], ...]:
    """Two hands with their last cards exchanged."""
    found = lying(state)
    return tuple(
        {one: (*found[one][:-1], found[other][-1]), other: (*found[other][:-1], found[one][-1])}
        for one, other in combinations(found, 2)
    )


def _held_to(state: State, what: str) -> tuple[bool, ...]:
    held = state.rules.late_bettor_held_to
    return (what in held,) if held else ()


def _limits(state: State) -> tuple[int, int]:
    """Those of which notice was given, else those that hold."""
    told = next((one for one in state.notices if one.of == "limits" and one.maximum), None)
    return (told.minimum, told.maximum) if told else (state.terms.minimum, state.terms.maximum)


def _closing_time(state: State) -> tuple[str, ...]:
    """No time, or the last minute of the house's hours."""
    hours = state.rules.house.hours
    if not hours:
        return ("",)
    last = (parse_hours(hours)[1] - 1) % DAY
    return "", f"{last // 60:02d}:{last % 60:02d}"


def _in_front(state: State) -> tuple[int | None, ...]:
    return (second_card_window(state)[0],) if state.terms.cutting_cards == 2 else (None,)


NOTHING: dict[str, Any] = {
    "round": 0,
    "dispute": 0,
    "count": 0,
    "hands": {},
    "minimum": True,
    "first_box": False,
}
Values = Callable[[State], tuple[Any, ...]]
VALUES: dict[str | tuple[type[Command], str], Values] = {
    "box": _boxes,
    "hand": lambda state: tuple(range(1, 1 + max(len(box.hands) or 1 for box in state.boxes))),
    "player": _people,
    "to": _people,
    (cmd.ReportAbsent, "player"): lambda state: ("",),
    (cmd.RaiseLimit, "player"): lambda state: ("", *_people(state)),
    "round": _this_or_earlier,
    (cmd.VoidRound, "round"): _rounds,
    "dispute": lambda state: tuple(range(1, len(state.people.disputes) + 1)),
    "award": lambda state: (0,),
    "name": lambda state: tuple(sorted(offers(state.rules))),
    "cause": _causes,
    "kind": lambda state: tuple(sorted(state.rules.malfunction_kinds)),
    "count": lambda state: tuple(sorted(state.rules.cutting_cards_allowed)),
    "from_back": lambda state: cutting_card_window(state)[:1],
    "from_front": _in_front,
    "cutting_card": lambda state: (None, cutting_card_window(state)[0]),
    (cmd.SetLimits, "minimum"): lambda state: _limits(state)[:1],
    (cmd.SetLimits, "maximum"): lambda state: _limits(state)[1:],
    (cmd.Hold, "minimum"): lambda state: _held_to(state, "minimum"),
    (cmd.Hold, "first_box"): lambda state: _held_to(state, "first_box"),
    (cmd.GiveNotice, "minimum"): lambda state: (0,),
    (cmd.GiveNotice, "maximum"): lambda state: (0,),
    (cmd.RaiseLimit, "maximum"): lambda state: (state.terms.maximum + state.rules.house.multiple,),
    "decks": lambda state: (None,),
    "shuffle": lambda state: (None,),
    "card": lambda state: (None, next(card for card in ALL_CARDS if card[0] in state.rules.ranks)),
    "checked_by": lambda state: (tuple(sorted(state.rules.replacement_checks)),),
    "missing": lambda state: ((),),
    "extra": lambda state: ((),),
    "hands": _exchanged,
    "what": lambda state: ("something",),
    (cmd.AnnounceFinalRounds, "at"): _closing_time,
}
