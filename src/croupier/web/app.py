"""The server: its addresses, and what holds of every answer.

Pages are a shell and files under `static`; what they show comes as JSON under `/api`, and over a socket for
each table.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from croupier.errors import ParseError, Refused, RulebookError, StoreError
from croupier.house.database import Database
from croupier.house.database.tables import LEASE
from croupier.rulebook import NAMES
from croupier.web import access, frames, laws, orders, pages, people, rounds, tables
from croupier.web.access import Limits, Problem, answer, problem_of
from croupier.web.files import Files
from croupier.web.floor import Floor
from croupier.web.opened import OpenTable
from croupier.web.socket import GONE, OF_ADDRESS, Window, Windows

log = logging.getLogger("croupier.web")
ANEW = {"Cache-Control": "no-cache"}  # kept, but asked for each time whether it is still the same
REPLAYS = 2  # records decided again at once, so that they do not hold up all the others
WENT_WRONG = "Something went wrong; nothing was done."

Endpoint = Callable[[Request], Awaitable[Response]]


def look_through_types(kind: type[Struct] = Struct) -> None:
    """Have msgspec look through every kind of struct that there is.

    It does so when one is first read, and where two threads come to the same one at once the process dies.
    """
    for inner in kind.__subclasses__():
        with contextlib.suppress(TypeError):  # one that is never read may be such as cannot be
            msgspec.json.Decoder(inner)
        look_through_types(inner)


def create(database: Database, *, pace: float = 0.6, patience: float = 1.0) -> Starlette:
    """The server for a database, which is closed with it.

    `pace` is how long simple players take to answer, `patience` how many times its usual rate it allows.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        look_through_types()
        loop = asyncio.get_running_loop()

        def on_the_loop(told: Callable[[], None]) -> None:
            loop.call_soon_threadsafe(told)

        database.writer.tell = on_the_loop
        app.state.floor = Floor(database, pace=pace)
        holding = loop.create_task(_hold_on(database))
        try:
            yield
        finally:
            holding.cancel()
            await app.state.floor.close()
            await asyncio.to_thread(database.close)

    app = Starlette(
        routes=[*API, *PAGES, Route("/static/{version}/{path:path}", Files())],
        lifespan=lifespan,
        middleware=[Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers={HTTPException: _no_such_page},
    )
    app.state.link = database.people.operator_link()
    app.state.limits = Limits(patience)
    app.state.kept = {}
    app.state.replays = asyncio.Semaphore(REPLAYS)
    app.state.windows = Windows(OF_ADDRESS * patience)
    return app


async def _hold_on(database: Database) -> None:
    """Renew the leases of this server's tables, where there may be other servers."""
    while database.tables.shared:
        await asyncio.sleep(LEASE / 3)
        try:
            await asyncio.to_thread(database.tables.renew)
        except StoreError as error:
            log.error("leases are not renewed: %s", error)


class Headers:
    """What every answer says of itself: nothing inline, nothing from elsewhere, in no frame."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._own = [(name.lower().encode(), value.encode()) for name, value in access.HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._own]
            await send(message)

        await self._app(scope, receive, with_headers)


async def _no_such_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if request.url.path.startswith("/api"):
        known = error.status_code == 405
        words = f"This address takes no {request.method}." if known else "There is no such address."
        return answer({"words": words, "clauses": [], "field": ""}, error.status_code, error.headers)
    return HTMLResponse(pages.missing(), error.status_code, error.headers)


# Addresses


def api(path: str, endpoint: Endpoint, *, posts: bool = False) -> Route:
    """An address under /api; what goes wrong there is a sentence."""

    async def guarded(request: Request) -> Response:
        try:
            if posts:
                access.require_own(request)
            else:
                access.count(request, "get", access.GETS)
            return await endpoint(request)
        except (Problem, ParseError, RulebookError, Refused, StoreError) as error:
            problem = problem_of(error)
            told = {"words": problem.words, "clauses": problem.clauses, "field": problem.field}
            return answer(told, problem.status)
        except Exception:
            log.exception("%s %s", request.method, request.url.path)
            return answer({"words": WENT_WRONG}, 500)

    return Route(f"/api{path}", guarded, methods=["POST" if posts else "GET"], name=path)


def page(path: str, one: pages.Shell) -> Route:
    """An address that gives a page's shell."""

    async def shell(request: Request) -> Response:
        return HTMLResponse(pages.shell(one), headers=ANEW)

    return Route(path, shell, name=path)


async def plain_rules(request: Request) -> Response:
    """A rulebook for a browser that runs no scripts."""
    name = request.path_params["book"]
    if name not in NAMES:
        raise HTTPException(404)
    return HTMLResponse(pages.plain(name), headers=ANEW)


async def health(request: Request) -> Response:
    return answer({"ready": True})


async def socket(websocket: WebSocket) -> None:
    """A window at a table."""
    with websocket.app.state.windows.room(access.address_of(websocket)) as found:
        if not found or not access.is_own_origin(websocket):
            await websocket.close(4403)
            return
        await websocket.accept()
        try:
            table = await tables.find(access.floor_of(websocket), websocket.path_params["id"])
        except (Problem, StoreError, RulebookError) as error:
            bye = frames.Bye("closed", problem_of(error).words)
            with contextlib.suppress(*GONE):
                await websocket.send_text(frames.encode(bye).decode())
                await websocket.close(4404)
            return
        await _serve(websocket, table)


async def _serve(websocket: WebSocket, table: OpenTable) -> None:
    """Serve a window of whoever it is, by what they may now."""
    windows: Windows = websocket.app.state.windows
    at = -1
    while at != windows.changes:  # while it was looked up, that may have changed
        at = windows.changes
        person = await access.person_of(websocket)
    session = websocket.cookies.get(access.SESSION, "")
    patience = websocket.app.state.limits.patience
    with windows.open(Window(websocket, access.sender_of(person), session, patience=patience)) as window:
        await window.serve(table)


API = [
    Route("/health", health),
    api("/me", people.me),
    api("/enter", people.enter, posts=True),
    api("/register", people.register, posts=True),
    api("/login", people.login, posts=True),
    api("/logout", people.logout, posts=True),
    api("/first", people.first, posts=True),
    api("/people", people.everybody),
    api("/people/{name}/role", people.appoint, posts=True),
    api("/chips/buy", people.buy, posts=True),
    api("/chips/cash", people.cash, posts=True),
    api("/tables", tables.lobby),
    api("/tables", tables.open_new, posts=True),
    api("/alone", tables.alone, posts=True),
    api("/tables/{id}", tables.one),
    api("/tables/{id}/bots", tables.add_bot, posts=True),
    api("/tables/{id}/foretell", tables.foretell, posts=True),
    api("/tables/{id}/orders", orders.orders),
    api("/tables/{id}/rounds", rounds.listing),
    api("/tables/{id}/rounds/{round}", rounds.one),
    api("/tables/{id}/rounds/{round}/case", rounds.case),
    api("/tables/{id}/takings", rounds.takings),
    api("/rules", laws.shelf),
    api("/rules/{book}", laws.book),
    api("/rules/{book}/diff/{other}", laws.diff),
    WebSocketRoute("/api/tables/{id}/socket", socket),
]
PAGES = [
    page("/", pages.LOBBY),
    page("/first", pages.LOBBY),
    page("/table/{id}", pages.TABLE),
    page("/console/{id}", pages.CONSOLE),
    page("/history/{id}", pages.HISTORY),
    page("/history/{id}/{round}", pages.HISTORY),
    page("/rules", pages.RULES),
    page("/rules/{book}", pages.RULES),
    Route("/plain/{book}", plain_rules),
]
