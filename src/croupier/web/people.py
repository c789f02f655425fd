"""People over HTTP: a newcomer gives a name and plays; who sets a password can come back; chips for play."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.errors import ParseError
from croupier.house.database import Person
from croupier.house.database.people import Entered, folded
from croupier.table.actors import Role
from croupier.web import access
from croupier.web.access import Problem, answer, body, floor_of, somebody
from croupier.web.floor import newcomers_chips
from croupier.web.waits import BOT

Text = Annotated[str, Meta(max_length=500)]
MOST_CHIPS = 100_000_000  # cents that one may buy at once


class Named(Struct, frozen=True, forbid_unknown_fields=True):
    name: Text


class Password(Struct, frozen=True, forbid_unknown_fields=True):
    name: Text
    password: Text


class NewPassword(Password, frozen=True, forbid_unknown_fields=True):
    """`old` is the password before, if there is one: an open page alone is not enough to take a name away."""

    old: Text = ""


class First(Struct, frozen=True, forbid_unknown_fields=True):
    token: Text
    name: Text
    password: Text


class Amount(Struct, frozen=True, forbid_unknown_fields=True):
    amount: Annotated[int, Meta(gt=0, le=MOST_CHIPS)]


class Appointed(Struct, frozen=True, forbid_unknown_fields=True):
    role: Role


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    pass


async def me(request: Request) -> Response:
    """Who somebody is, what they have, and the token for what they do."""
    return await _as_me(request, await access.person_of(request))


async def enter(request: Request) -> Response:
    asked = await body(request, Named)
    if await access.person_of(request):
        raise Problem(409, "You have a name already.")
    people = floor_of(request).database.people
    entered = await asyncio.to_thread(people.enter, _free(asked.name), newcomers_chips)
    return await _entered(request, entered)


async def register(request: Request) -> Response:
    """Somebody new with a password, or a newcomer who sets one and keeps name and chips."""
    asked = await body(request, NewPassword)
    access.count(request, "password", access.TRIES)
    people = floor_of(request).database.people
    person = await access.person_of(request)
    if person is not None:
        if folded(asked.name) != folded(person.name):
            raise Problem(409, f"You are here as {person.name}; log out first.")
        entered = await asyncio.to_thread(people.set_password, person, asked.password, asked.old)
        request.app.state.windows.send_away(name=person.name)
        return await _entered(request, entered)
    entered = await asyncio.to_thread(people.register, _free(asked.name), asked.password, newcomers_chips)
    return await _entered(request, entered)


async def login(request: Request) -> Response:
    asked = await body(request, Password)
    access.count(request, "password", access.TRIES)
    people = floor_of(request).database.people
    return await _entered(request, await asyncio.to_thread(people.login, asked.name, asked.password))


async def logout(request: Request) -> Response:
    await body(request, Nothing)
    token = request.cookies.get(access.SESSION, "")
    await asyncio.to_thread(floor_of(request).database.people.logout, token)
    request.app.state.windows.send_away(session=token)
    response = await _as_me(request, None)
    access.end_session(response)
    return response


async def first(request: Request) -> Response:
    """The operator's one-time link."""
    asked = await body(request, First)
    access.count(request, "password", access.TRIES)
    people = floor_of(request).database.people
    return await _entered(
        request, await asyncio.to_thread(people.use_link, asked.token, _free(asked.name), asked.password)
    )


async def appoint(request: Request) -> Response:
    asked, by = await body(request, Appointed), await somebody(request)
    people = floor_of(request).database.people
    if by.role != "operator":
        raise Problem(403, "Only an operator appoints somebody.")
    person = await asyncio.to_thread(people.appoint, request.path_params["name"], asked.role, by)
    request.app.state.windows.send_away(name=person.name)
    return answer(_shown(person))


async def everybody(request: Request) -> Response:
    """All people, for the operator."""
    if (await somebody(request)).role != "operator":
        raise Problem(403, "Only an operator sees everybody.")
    found = await asyncio.to_thread(floor_of(request).database.people.everybody)
    return answer({"people": [_shown(person) for person in found]})


async def buy(request: Request) -> Response:
    asked, person = await body(request, Amount), await somebody(request)
    access.require_player(person)
    await floor_of(request).give_play_money(person.name, asked.amount)
    return await _as_me(request, person)


async def cash(request: Request) -> Response:
    asked, person = await body(request, Amount), await somebody(request)
    access.require_player(person)
    await floor_of(request).cash_in(person.name, asked.amount)
    return await _as_me(request, person)


def _free(name: str) -> str:
    if folded(name).startswith(BOT):
        raise ParseError(f"{name!r} is how a simple player is called")
    return name


def _shown(person: Person) -> dict[str, Any]:
    return {"name": person.name, "registered": person.registered, "role": person.role}


async def _entered(request: Request, entered: Entered) -> Response:
    response = await _as_me(request, entered.person)
    access.keep_session(request, response, entered.token)
    return response


async def _as_me(request: Request, person: Person | None) -> Response:
    floor, cookies = floor_of(request), dict[str, str]()
    shown: dict[str, Any] = {"csrf": access.csrf_of(request, cookies), "name": None, "play_money": True}
    if person is not None:
        shown |= _shown(person) | {
            "roles": access.sender_of(person).roles,
            "purse": floor.purse(person.name),
            "at_tables": await asyncio.to_thread(floor.at_tables, person.name),
            "at": [str(number) for number in floor.at(person.name)],
        }
    response = answer(shown)
    access.set_cookies(request, response, cookies)
    return response
