"""Who asks over HTTP, and whether the request is this house's own page's.

A session is a cookie that no script reads and no other site's page sends. What changes something comes by
POST, from this origin, with a token that only a page of ours can have read.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from croupier.errors import Refused, RulebookError, StoreError
from croupier.house.database import Person
from croupier.story import as_sentence
from croupier.web.asking import NOT_WRITTEN, Sender
from croupier.web.floor import Floor

log = logging.getLogger("croupier.web")
SESSION, CSRF = "croupier_session", "croupier_csrf"
LASTS = 30 * 24 * 3600
MOST = 65_536  # bytes of a body
WITHIN = 10.0  # seconds
POSTS, PER = 600, 60.0  # POSTs of one address in so many seconds
TRIES = 30  # of them attempts at a password
OPENED = 120  # and tables opened
GETS, HISTORY = 3000, 300  # and questions; of them such as have a whole record decided again
ADDRESSES = 10_000

T = TypeVar("T")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Problem(Exception):
    """A request that is answered with a sentence and a status, and has done nothing.

    `field` is the one of a form that it is about.
    """

    def __init__(self, status: int, words: str, clauses: tuple[str, ...] = (), field: str = "") -> None:
        super().__init__(words)
        self.status = status
        self.words = words
        self.clauses = clauses
        self.field = field


def problem_of(error: Exception) -> Problem:
    """What is said of an error that a request has met."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, StoreError):
        log.error("%s", error)  # where it is kept is nobody else's business
        return Problem(503, NOT_WRITTEN)
    if isinstance(error, Refused):
        return Problem(409, as_sentence(str(error)))
    if isinstance(error, RulebookError):
        return Problem(400, as_sentence(str(error)), error.clauses)
    return Problem(400, as_sentence(str(error)))


def answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON as it is now, and for whoever asks: nobody keeps it."""
    headers = {"Cache-Control": "no-store", **(headers or {})}
    return Response(msgspec.json.encode(value), status, headers, "application/json")


async def body(request: Request, kind: type[T]) -> T:
    """The JSON of a request, strictly of its kind."""
    try:
        raw = await asyncio.wait_for(_read(request), WITHIN)
    except TimeoutError:
        raise Problem(408, "That came too slowly.") from None
    try:
        return msgspec.json.decode(raw or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Problem(400, f"This cannot be read: {' '.join(str(error).split())[:200]}.") from None


async def _read(request: Request) -> bytes:
    raw = bytearray()
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > MOST:
            raise Problem(413, f"A request has at most {MOST:,} bytes.")
    return bytes(raw)


# Sessions


def floor_of(connection: HTTPConnection) -> Floor:
    floor: Floor = connection.app.state.floor
    return floor


async def person_of(connection: HTTPConnection) -> Person | None:
    """Whose session it is."""
    token = connection.cookies.get(SESSION, "")
    if not token or len(token) > 200:
        return None
    return await asyncio.to_thread(floor_of(connection).database.people.who, token)


async def somebody(request: Request) -> Person:
    """Whose session it is; nobody's is a Problem."""
    person = await person_of(request)
    if person is None:
        raise Problem(401, "Give a name first.")
    return person


def require_player(person: Person) -> None:
    """Chips are for those who play; others have what they had until they do again."""
    if not sender_of(person).plays:
        raise Problem(403, f"The {person.role} does not play.")


def sender_of(person: Person | None) -> Sender:
    return Sender(person.name, person.role) if person else Sender()


def keep_session(request: Request, response: Response, token: str) -> None:
    _cookie(request, response, SESSION, token)


def end_session(response: Response) -> None:
    response.delete_cookie(SESSION, path="/")


def csrf_of(request: Request, response_cookies: dict[str, str]) -> str:
    """The token that a POST must have: that of the cookie, or a new one."""
    known = request.cookies.get(CSRF, "")
    if 20 <= len(known) <= 100:
        return known
    response_cookies[CSRF] = token = secrets.token_urlsafe(24)
    return token


def set_cookies(request: Request, response: Response, cookies: dict[str, str]) -> None:
    for name, value in cookies.items():
        _cookie(request, response, name, value)


def _cookie(request: Request, response: Response, name: str, value: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=LASTS, path="/", httponly=True, samesite="strict", secure=secure)


# Whether it is ours


def is_own_origin(connection: HTTPConnection) -> bool:
    """Does the page belong to this server? Programs send no origin."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc == connection.headers.get("host", "")
    except ValueError:  # half an address
        return False


def require_own(request: Request) -> None:
    """Only a page of ours may change something, and not too often."""
    if not is_own_origin(request):
        raise Problem(403, "This came from another site's page.")
    token, cookie = request.headers.get("x-csrf-token", ""), request.cookies.get(CSRF, "")
    if not cookie or not hmac.compare_digest(token.encode(), cookie.encode()):
        raise Problem(403, "This page is out of date; load it again.")
    count(request, "post", POSTS)


def count(request: Request, what: str, most: int) -> None:
    """One address does so much of this in a while, and no more."""
    limits: Limits = request.app.state.limits
    limits.count(f"{what} {address_of(request)}", most)


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


class Limits:
    """How often an address has asked lately. `patience`: how many times as often as usual it may."""

    def __init__(self, patience: float = 1.0) -> None:
        self.patience = patience
        self._seen: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def count(self, key: str, most: int) -> None:
        now = time.monotonic()
        since, times = self._seen.pop(key, (now, 0))
        if now - since > PER:
            since, times = now, 0
        self._seen[key] = since, times + 1
        while len(self._seen) > ADDRESSES:
            self._seen.popitem(last=False)
        if times >= most * self.patience:
            raise Problem(429, "That was too often; wait a minute.")
