"""A window of a page at a table: frames out without waiting, messages in one by one.

What cannot be read is answered with a sentence and does nothing. Who sends too fast is told so; who does not
read is cut, for frames that wait would fill the server's memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import time

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from croupier.errors import ParseError
from croupier.web import frames
from croupier.web.asking import Sender
from croupier.web.opened import OpenTable
from croupier.web.stopwatch import millis
from croupier.web.wire import wire_of

RATE, BURST = 50.0, 100.0  # messages a second, and how many at once
MOST = 16_384  # bytes of a message
TOO_FAST = "That was too fast; nothing was done."


class Window:
    """One connection."""

    def __init__(self, socket: WebSocket, sender: Sender, *, patience: float = 1.0) -> None:
        self.sender = sender
        self._socket = socket
        self._wire = wire_of(socket)
        self._over = asyncio.Event()
        self._rate, self._burst = RATE * patience, BURST * patience
        self._room, self._at = self._burst, time.monotonic()

    def send(self, frame: bytes) -> None:
        self._wire.put(frame)

    def bye(self, why: str, words: str) -> None:
        self.send(frames.encode(frames.Bye(why, words)))
        self._over.set()

    async def serve(self, table: OpenTable) -> None:
        """Until the page goes, is sent away, or does not read."""
        tasks = [asyncio.create_task(self._read(table)), asyncio.create_task(self._over.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            table.post(self, None)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._close()

    async def _close(self) -> None:
        if self._socket.client_state == WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):
                await asyncio.wait_for(self._socket.close(), 1)

    async def _read(self, table: OpenTable) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                received = await self._socket.receive()
                if received["type"] != "websocket.receive":
                    return
                self._take(table, received.get("text") or received.get("bytes") or b"")

    def _take(self, table: OpenTable, raw: str | bytes) -> None:
        """One message: read, and put in the table's mailbox; or a sentence on what is wrong with it."""
        if not self._may_send():
            self.send(frames.encode(frames.Problem(TOO_FAST)))
            return
        try:
            message = read(raw)
        except ParseError as error:
            self.send(frames.encode(frames.Problem(str(error))))
            return
        if isinstance(message, frames.Ping):
            self.send(frames.encode(frames.Pong(millis())))
        else:
            table.post(self, message)

    def _may_send(self) -> bool:
        """A bucket that fills by the second."""
        now = time.monotonic()
        self._room = min(self._burst, self._room + (now - self._at) * self._rate)
        self._at = now
        if self._room < 1:
            return False
        self._room -= 1
        return True


def read(raw: str | bytes) -> frames.FromPage:
    """The message in a frame. A ParseError says in a sentence why it is none."""
    if len(raw) > MOST:
        raise ParseError(f"A message has at most {MOST:,} bytes.")
    try:
        return frames.decode_message(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        why = " ".join(str(error).split())[:200]
        raise ParseError(f"This is no message that a table understands: {why}.") from None
