"""A web socket on the wire, as uvicorn has it, but with a short way for the frames of a table.

Everybody at a table is sent the same bytes, many times a second, and never waited for. So a frame is put
straight on the wire instead of through the layers of an application; what cannot be sent at once waits in the
transport, and whoever lets too much of it wait, because they do not read, is dropped without a word: a
connection that is closed politely stays until everything is sent.
"""

from __future__ import annotations

import functools
import logging
import socket
from asyncio.transports import BaseTransport

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

WIRE = "croupier.wire"
KERNEL = 65_536  # bytes that wait in the kernel
UNSENT = 524_288  # bytes that may wait in the transport for a client who reads slowly


class Wire(WebSocketsSansIOProtocol):
    """One connection, which its scope leads to."""

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._told: list[bytes] = []  # frames that go out when the loop comes round
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][WIRE] = {"wire": self}

    def data_received(self, data: bytes) -> None:
        """Pings are answered in the transport itself, where whoever does not read could have them pile up."""
        super().data_received(data)
        if self.transport.get_write_buffer_size() > UNSENT:
            self.transport.abort()

    def put(self, text: bytes) -> None:
        """Send a frame without waiting; nothing to somebody who is gone, which their reader finds out.

        It goes out once the loop comes round, with whatever else is told by then.
        """
        if not self._told:
            self.loop.call_soon(self._tell)
        self._told.append(_framed(text))

    def _tell(self) -> None:
        told = b"".join(self._told)
        self._told.clear()
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > UNSENT:
            self.transport.abort()
        else:
            self.transport.write(told)


@functools.lru_cache(maxsize=1)
def _framed(text: bytes) -> bytes:
    """The text as it goes over the wire: the same for everybody who is told."""
    return bytes(Frame(Opcode.TEXT, text).serialize(mask=False))


def wire_of(websocket: WebSocket) -> Wire:
    """The connection behind a socket."""
    wire: Wire = websocket.scope["extensions"][WIRE]["wire"]
    return wire


class NoText(logging.Filter):
    """Whoever writes bytes as text that are none is sent away; that is no error of the server's."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))
