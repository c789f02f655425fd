"""A server as its own process on a free port, and clients who speak to it as pages do."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from croupier.house.database.connect import engine_for
from croupier.house.database.ledger import Ledger
from croupier.house.database.tables import Tables
from croupier.house.database.writer import Writer
from croupier.web import frames
from croupier.web.bots import Player, Wishes, simple

FRAMES = msgspec.json.Decoder(frames.FromServer)
PATIENCE = 10.0


class Server:
    """`croupier serve` on a directory."""

    def __init__(self, data: Path, *, pace: float = 0.0, patience: float = 1.0) -> None:
        self.data = data
        self._pace = pace
        self._patience = patience
        self.address = ""
        self.link = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> Server:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "croupier", "serve", "--port", "0", "--no-open"]
        command += ["--data", str(self.data), "--pace", str(self._pace)]
        command += ["--patience", str(self._patience)]
        # A group of its own, so that nothing outlives it.
        with (self.data.parent / f"{self.data.name}.err").open("a") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
            )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().rpartition(" ")[2].strip()
        assert self.address.startswith("http"), self.errors
        if os.set_blocking:
            os.set_blocking(self.process.stdout.fileno(), False)
        time.sleep(0.05)
        self.link = (self.process.stdout.readline() or "").rpartition("#")[2].strip()
        return self

    @property
    def errors(self) -> str:
        return (self.data.parent / f"{self.data.name}.err").read_text()

    def kill(self) -> None:
        """As a power loss does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()


@contextmanager
def on_file(data: Path) -> Iterator[tuple[Ledger, Tables]]:
    """What is on record, read beside the server that writes it."""
    engine = engine_for(data)
    writer = Writer(engine)
    ledger = Ledger(engine, writer)
    try:
        yield ledger, Tables(engine, writer, ledger, owner="nobody")
    finally:
        writer.close()
        engine.dispose()


@contextmanager
def serving(data: Path, *, pace: float = 0.0, patience: float = 1.0) -> Iterator[Server]:
    server = Server(data, pace=pace, patience=patience)
    try:
        yield server.start()
    finally:
        server.stop()


class Page:
    """Somebody's browser: a session, and what its pages fetch."""

    def __init__(self, server: Server, name: str = "") -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.address, timeout=30)
        self.csrf = self.http.get("/api/me").json()["csrf"]
        self.name = name
        if name:
            self.post("/api/enter", name=name)

    def post(self, path: str, status: int | None = None, **body: Any) -> Any:
        found = self.http.post(path, json=body, headers={"X-CSRF-Token": self.csrf})
        if status is None:
            assert found.status_code < 300, found.text
        else:
            assert found.status_code == status, found.text
        return found.json()

    def get(self, path: str) -> Any:
        found = self.http.get(path)
        assert found.status_code == 200, found.text
        return found.json()

    def operator(self, name: str = "Boss") -> Page:
        """Come in by the one-time link."""
        self.post("/api/first", token=self.server.link, name=name, password="a good password")
        self.name = name
        return self

    def at(self, table: str, **more: Any) -> Window:
        return Window(self, table, **more)


class Window:
    """A socket at a table: what was last said, and every frame that came."""

    def __init__(self, page: Page, table: str, *, seen: int = 0, origin: str | None = None) -> None:
        cookies = "; ".join(f"{one.name}={one.value}" for one in page.http.cookies.jar)
        address = page.server.address.replace("http", "ws", 1)
        self._open = ExitStack()
        self.socket: ClientConnection = self._open.enter_context(
            connect(
                f"{address}/api/tables/{table}/socket",
                additional_headers={"Cookie": cookies} if cookies else {},
                origin=origin,  # type: ignore[arg-type]
                compression=None,
            )
        )
        self.name = page.name
        self.frames: list[bytes] = []
        self.table: frames.Table | None = None
        self.you: frames.You | None = None
        self.lines: list[frames.Told] = []
        self.n = seen
        self._ids = itertools.count(1)
        self._run = os.urandom(4).hex()
        self.say(frames.Hello(seen))
        self.until(lambda frame: isinstance(frame, frames.Snapshot))

    def say(self, message: frames.FromPage | bytes | str) -> None:
        raw = message if isinstance(message, bytes | str) else msgspec.json.encode(message).decode()
        self.socket.send(raw)

    def hear(self, timeout: float = PATIENCE) -> Any:
        """The next frame, taken in."""
        raw = self.socket.recv(timeout)
        data = raw.encode() if isinstance(raw, str) else raw
        self.frames.append(data)
        frame = FRAMES.decode(data)
        if isinstance(frame, frames.Snapshot):
            self.table, self.you, self.n, self.lines = frame.table, frame.you, frame.n, [*frame.lines]
        elif isinstance(frame, frames.News):
            self.table, self.n = frame.table or self.table, frame.n
            self.lines += frame.lines
        elif isinstance(frame, frames.You):
            self.you = frame
        return frame

    def until(self, found: Callable[[Any], bool], timeout: float = PATIENCE) -> Any:
        end = time.monotonic() + timeout
        while True:
            frame = self.hear(max(0.01, end - time.monotonic()))
            if found(frame):
                return frame

    def new_id(self) -> str:
        return f"{self._run}-{next(self._ids)}"

    def ask(self, command: Any, *, seen: int | None = None, **more: Any) -> frames.Reply:
        return self.request(frames.Ask(self.new_id(), self.n if seen is None else seen, command, **more))

    def line(self, line: str, **more: Any) -> frames.Reply:
        return self.request(frames.Line(self.new_id(), self.n, line, **more))

    def bet(self, box: int, stake: int, **sides: int) -> frames.Reply:
        return self.request(frames.Bet(self.new_id(), self.n, box, stake, sides))

    def done(self) -> frames.Reply:
        return self.request(frames.Done(self.new_id(), self.n))

    def request(self, message: Any) -> frames.Reply:
        """Say it, and wait for its reply."""
        self.say(message)

        def answers(frame: Any) -> bool:
            reply = getattr(frame, "reply", None)
            return reply is not None and reply.id == message.id

        reply: frames.Reply = self.until(answers).reply
        return reply

    def close(self) -> None:
        self._open.close()


class Client:
    """A window that plays by itself: what it hears is answered as a simple player does."""

    def __init__(self, window: Window, wants: Wishes = simple) -> None:
        self.window = window
        self.player = Player(window.name, wants)

    def play(self, *, rounds: int, limit: float = 60.0) -> int:
        """Play until so many rounds are settled; how many were."""
        window, settled, end = self.window, 0, time.monotonic() + limit
        window.say(frames.Hello(window.n))
        while settled < rounds and time.monotonic() < end:
            try:
                frame = window.hear()
            except (TimeoutError, ConnectionClosed):
                return settled
            if isinstance(frame, frames.News):
                settled += sum(line.event == "RoundEnded" for line in frame.lines)
            if isinstance(frame, frames.Problem):  # too fast: look again after a while
                time.sleep(0.3)
                window.say(frames.Hello(window.n))
            answer = self.player.answer(frame)
            if answer is not None:
                window.say(answer)
        return settled
