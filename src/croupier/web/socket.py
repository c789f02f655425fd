"""A window of a page at a table: frames out without waiting, messages in one by one.

What cannot be read is answered with a sentence and does nothing. Who sends too fast is told so; who does not
read is cut, for frames that wait would fill the server's memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Iterator

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from croupier.errors import ParseError
from croupier.web import frames
from croupier.web.asking import Sender
from croupier.web.opened import OpenTable
from croupier.web.stopwatch import millis
from croupier.web.wire import wire_of

MOST_WINDOWS = 5000
OF_ADDRESS = 2000  # of them, the most that one address has: a whole house may be behind it
RATE, BURST = 50.0, 100.0  # messages a second, and how many at once
MOST = 16_384  # bytes of a message
GONE = (WebSocketDisconnect, RuntimeError, OSError)  # what is raised where the other end has left
ANEW = "Who you are here has changed."
TOO_FAST = "That was too fast; nothing was done."


class Window:
    """One connection, and whose session it was opened with."""

    def __init__(self, socket: WebSocket, sender: Sender, session: str, *, patience: float = 1.0) -> None:
        self.sender = sender
        self.session = session
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
            with contextlib.suppress(*GONE):
                await asyncio.wait_for(self._socket.close(), 1)

    async def _read(self, table: OpenTable) -> None:
        with contextlib.suppress(*GONE):
            while True:
                received = await self._socket.receive()
                if received["type"] != "websocket.receive":
                    return
                self._take(table, received.get("text") or received.get("bytes") or b"")

    def _take(self, table: OpenTable, raw: str | bytes) -> None:
        """One message: read, and put in the table's mailbox; or a sentence on what is wrong with it."""
        if self._over.is_set():
            return
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


class Windows:
    """All windows of a server: how many there are, and who is sent away from theirs."""

    def __init__(self, of_address: float = OF_ADDRESS) -> None:
        self.changes = 0  # how often somebody was sent away
        self._of_address = of_address
        self._count: Counter[str] = Counter()
        self._open: set[Window] = set()

    @contextlib.contextmanager
    def room(self, address: str) -> Iterator[bool]:
        """Room for one more, if there is any: for nobody so much that there is none for the others."""
        found = self._count.total() < MOST_WINDOWS and self._count[address] < self._of_address
        self._count[address] += found
        try:
            yield found
        finally:
            self._count -= Counter({address: int(found)})

    @contextlib.contextmanager
    def open(self, window: Window) -> Iterator[Window]:
        self._open.add(window)
        try:
            yield window
        finally:
            self._open.discard(window)

    def send_away(self, *, name: str = "", session: str = "") -> None:
        """A session is over, or what somebody may is not what it was: their windows come again."""
        self.changes += 1
        for window in [*self._open]:
            if window.sender.name == name != "" or window.session == session != "":
                window.bye("anew", ANEW)


def read(raw: str | bytes) -> frames.FromPage:
    """The message in a frame. A ParseError says in a sentence why it is none."""
    if len(raw) > MOST:
        raise ParseError(f"A message has at most {MOST:,} bytes.")
    try:
        return frames.decode_message(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        why = " ".join(str(error).split())[:200]
        raise ParseError(f"This is no message that a table understands: {why}.") from None
