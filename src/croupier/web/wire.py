"""A web socket on the wire, as uvicorn has it, but for clients who do not read or write no text.

What cannot be sent waits in the kernel, in the transport and in the window's own queue. The first two are
kept small here, so that the third fills and whoever does not read is found out; and they can be dropped, for
a connection that is closed politely stays until everything is sent.
"""

from __future__ import annotations

import logging
import socket
from asyncio.transports import BaseTransport
from collections.abc import Callable

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

DROP = "croupier.drop"
UNSENT = 65_536  # bytes that wait in the kernel, and as many in the transport


class Wire(WebSocketsSansIOProtocol):
    """One connection. Its scope has a way to drop it."""

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=UNSENT)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][DROP] = {"now": self.transport.abort}


def drop(websocket: WebSocket) -> None:
    """End the connection without a word, and forget what waits to be sent."""
    now: Callable[[], None] = websocket.scope["extensions"][DROP]["now"]
    now()


class NoText(logging.Filter):
    """Whoever writes bytes as text that are none is sent away; that is no error of the server's."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))
