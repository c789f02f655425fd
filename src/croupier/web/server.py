"""The process: a socket bound, the server on it, and word when it is ready."""

from __future__ import annotations

import contextlib
import gc
import logging
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import uvicorn

from croupier.errors import ParseError
from croupier.house.database import Database
from croupier.web.app import Headers, create
from croupier.web.socket import MOST
from croupier.web.wire import NoText, Wire

Ready = Callable[[str, str | None], None]
# The writer's thread and the loop take turns; by Python's own measure each would wait 5 ms for the other.
SWITCH = 0.0005
# So many things more than have gone, and Python looks for rings among the young ones: seldom, for tables make
# hardly any, and everybody waits meanwhile. What there is at the start stays, and is never looked through.
YOUNG = 20_000
STOPS_WITHIN = 3  # seconds that a client who does not read may hold up the end


class _Server(uvicorn.Server):
    """Says when it is ready, which is when it accepts connections."""

    def __init__(self, config: uvicorn.Config, told: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = told

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            gc.freeze()
            gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
            self._ready()


def run(
    where: str | Path,
    *,
    host: str,
    port: int,
    pace: float,
    patience: float,
    ready: Ready,
    problem: Callable[[str], None],
) -> int:
    """Serve until interrupted; what cannot be opened or bound is a ParseError."""
    bound = _bound(host, port)
    sys.setswitchinterval(SWITCH)
    app = create(Database.open(where), pace=pace, patience=patience)
    config = uvicorn.Config(
        Headers(app),
        log_level="warning",
        access_log=False,
        ws=Wire,
        ws_max_size=2 * MOST,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=STOPS_WITHIN,
        limit_concurrency=None,
        server_header=False,
        lifespan="on",
    )
    logging.getLogger("uvicorn.error").addFilter(NoText())
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{bound.getsockname()[1]}"
    server = _Server(config, lambda: ready(address, app.state.link))
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[bound])
    if not server.started:
        problem("the server could not be started")
        return 1
    return 0


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except (OSError, OverflowError) as error:
        bound.close()
        why = getattr(error, "strerror", None) or str(error)
        raise ParseError(f"--host {host} --port {port}: cannot be listened at: {why}") from None
    return bound
