"""How soon a server answers its players, beside a bare fan-out and a bare echo in the same run.

Every player does one thing a second at a moment of their own: what is asked of them (a bet, a decision, no
more of it), or else a question about the limits, which is put on record like everything. The answer is there
when it is written and told, with the disk waited for. The bare server has no tables: it sends a frame as long
as news are to everybody at the same table, and then an answer. Generator and server share the machine, so the
generator does as little as it can: it finds the frames in what comes, and decodes none but those it needs.

Before that, pages: how long Chromium takes from the address to what is read first, with nothing in its cache
and a server that has answered before, and how much comes over the wire.

    python bench/serve.py [--players 100 --tables 15 --seconds 20 --turns 5 --loads 9]
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvloop
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from croupier.house.database import Database
from croupier.table import commands as cmd
from croupier.web import frames
from croupier.web.access import CSRF, SESSION
from croupier.web.bots import Player

CLOCKS = {"results": 0}
PAD = "x" * 2500  # a bare frame is as long as usual news
_own = msgspec.json.Decoder(frames.You | frames.Answer | frames.Snapshot).decode
_news = msgspec.json.Decoder(frames.News).decode


class One(asyncio.Protocol):
    """A player of the generator: who plays, what is waited for. News are read when it is time to act."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.brain = Player(name)
        self.took: list[float] = []
        self.did: Counter[str] = Counter()
        self._transport: asyncio.Transport | None = None
        self._opening: ClientProtocol | None = None
        self._opened: asyncio.Future[None] | None = None
        self._coming = b""
        self._news: bytes = b""
        self._sent: dict[str, float] = {}

    async def open(self, uri: str, cookie: str = "") -> None:
        """Connect, shake hands."""
        where, loop = parse_uri(uri), asyncio.get_running_loop()
        self._opening, self._opened = ClientProtocol(where), loop.create_future()
        transport, _ = await loop.create_connection(lambda: self, where.host, where.port)
        self._transport = transport
        request = self._opening.connect()
        if cookie:
            request.headers["Cookie"] = cookie
        self._opening.send_request(request)
        transport.write(b"".join(self._opening.data_to_send()))
        await self._opened

    def data_received(self, data: bytes) -> None:
        if self._opening is not None and self._opened is not None:
            self._opening.receive_data(data)
            if self._opening.handshake_exc is not None:
                self._opened.set_exception(self._opening.handshake_exc)
            elif self._opening.events_received():
                self._opening = None  # nothing comes before hello
                self._opened.set_result(None)
            return
        self._coming += data
        begin, most = 0, len(self._coming)
        while most - begin >= 2:
            start, short = begin + 2, self._coming[begin + 1]
            if short > 125:
                start += (wide := 2 if short == 126 else 8)
                short = int.from_bytes(self._coming[start - wide : start], "big")
            if start > most or start + short > most:
                break
            if self._coming[begin] & 15 == Opcode.TEXT:
                self.heard(self._coming[start : start + short])
            begin = start + short
        self._coming = self._coming[begin:]

    def say(self, message: bytes) -> None:
        assert self._transport is not None
        self._transport.write(Frame(Opcode.TEXT, message).serialize(mask=True))

    def heard(self, frame: bytes) -> None:
        if frame.startswith(b'{"type":"news"'):
            self._news = frame if b',"table":{' in frame else self._news
        else:
            self._own(_own(frame))

    def _own(self, frame: frames.You | frames.Answer | frames.Snapshot) -> None:
        reply = getattr(frame, "reply", None)
        if reply is not None and (sent := self._sent.pop(reply.id, None)):
            self.took.append(time.perf_counter() - sent)
        self.brain.hear(frame)

    def act(self) -> None:
        """What is asked, or else a question."""
        if self._news:
            self.brain.hear(_news(self._news))
        message = self.brain.wish()
        if message is None:
            seen = self.brain.you.n if self.brain.you else 0
            message = frames.Ask(secrets.token_hex(8), seen, cmd.Ask(about="limits"))
        self.did[kind_of(message)] += 1
        if not isinstance(message, frames.Hello):
            self._sent[message.id] = time.perf_counter()  # type: ignore[union-attr]
        self.say(msgspec.json.encode(message))


def kind_of(message: frames.FromPage) -> str:
    """What is done with a message: a command by its name, anything else by its own."""
    return type(message.command if isinstance(message, frames.Ask) else message).__name__.lower()


async def load(players: list[One], seconds: float) -> list[float]:
    """Everybody does one thing a second. Where the host takes the cores away meanwhile, that is told."""
    busy, taken = cores()

    async def live(player: One) -> None:
        await asyncio.sleep(random.random())
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            begun = time.monotonic()
            player.act()
            await asyncio.sleep(max(0.0, begun + 1 - time.monotonic()))

    await asyncio.gather(*map(live, players))
    await asyncio.sleep(0.5)
    wanted, stolen = (now - before for now, before in zip(cores(), (busy, taken), strict=True))
    print(f"  {stolen / max(1, wanted + stolen):.0%} of the processor time taken by the host", flush=True)
    return [took for player in players for took in player.took]


def cores() -> tuple[int, int]:
    """How long all cores were busy so far, and how long the host had taken them away from somebody busy."""
    user, nice, system, _, _, irq, soft, stolen, *_ = map(int, Path("/proc/stat").read_text().split()[1:11])
    return user + nice + system + irq + soft, stolen


# The server


def prepared(data: Path, names: list[str]) -> dict[str, str]:
    """People with sessions and chips, before the server begins."""
    database = Database.open(data)
    tokens = {}
    for name in names:
        tokens[name] = database.people.enter(name).token
        database.ledger.buy(name, 100_000_000, "play money")
    database.close()
    return tokens


def started(*command: str) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().rpartition(" ")[2].strip()


def opened(address: str, token: str, tables: int) -> list[str]:
    with httpx.Client(base_url=address, cookies={SESSION: token}, timeout=30) as page:
        csrf = page.get("/api/me").json()["csrf"]
        page.cookies.set(CSRF, csrf)
        head = {"X-CSRF-Token": csrf}
        return [
            page.post("/api/tables", json={"clocks": CLOCKS}, headers=head).json()["id"]
            for _ in range(tables)
        ]


async def against_tables(players: int, tables: int, seconds: float) -> list[float]:
    names = [f"p{number}" for number in range(1, players + 1)]
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        tokens = prepared(data, names)
        process, address = started("-m", "croupier", "serve", "--port", "0", "--no-open", "--data", str(data))
        try:
            numbers = opened(address, tokens[names[0]], tables)
            everybody = [One(name) for name in names]
            for index, player in enumerate(everybody):
                await seat(player, address, tokens[player.name], numbers[index % tables], index // tables + 1)
            before = processor(process.pid)
            took = await load(everybody, seconds)
            spent = 1000 * (processor(process.pid) - before) / max(1, len(took))
            did = sum((player.did for player in everybody), Counter())
            told_of = ", ".join(f"{count} {kind}" for kind, count in did.most_common())
            print(f"  processor {spent:.2f} ms an answer; {told_of}", flush=True)
            return took
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


def processor(pid: int) -> float:
    """The seconds that a process has had of the processor, whoever else is busy."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def seat(player: One, address: str, token: str, table: str, box: int) -> None:
    uri = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    await player.open(uri, f"{SESSION}={token}")
    player.say(b'{"type":"hello"}')
    player.say(msgspec.json.encode(frames.Ask(secrets.token_hex(8), 0, cmd.Sit(box=box))))


# Pages

READY = {"lobby": ".table-row", "table": ".betting-row"}  # what is read first
WATCH = """(wanted) => new Promise((ready) => {
  const look = () => {
    if (document.querySelector(wanted)) ready(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})"""
WEIGHT = "performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0)"


def pages(loads: int) -> None:
    """How soon the lobby and a table can be read, each time in a browser that has seen neither."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
    from browsing import browsing, context
    from serving import Page, serving

    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "data") as server,
        browsing() as browser,
    ):
        person = Page(server, "p1")
        table = person.post("/api/alone", others=6)["id"]
        cookies = [
            {"name": one.name, "value": one.value, "url": server.address} for one in person.http.cookies.jar
        ]
        for name, path in (("lobby", "/"), ("table", f"/table/{table}")):
            took, weight = [], 0
            for _ in range(loads + 1):
                window = context(browser, address=server.address)
                window.add_cookies(cookies)  # type: ignore[arg-type]
                page = window.new_page()
                page.goto(path, wait_until="commit")
                took.append(page.evaluate(WATCH, READY[name]))
                page.wait_for_load_state("networkidle")
                weight = page.evaluate(WEIGHT)
                window.close()
            median = statistics.median(took[1:])  # the first warms the server
            print(f"  {name:<8} ready in {median:4.0f} ms, {weight / 1000:.0f} kB", flush=True)


# The bare one


def bare() -> None:
    """Frames to everybody at a table, and an answer; nothing is decided or kept."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.routing import WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect

    tables: defaultdict[str, list[WebSocket]] = defaultdict(list)

    async def serve(socket: WebSocket) -> None:
        await socket.accept()
        table = tables[socket.path_params["table"]]
        table.append(socket)
        try:
            while True:
                asked = json.loads(await socket.receive_text())
                if socket.path_params["table"] != "echo":
                    for other in [*table]:
                        await other.send_text(f'{{"type":"news","pad":"{PAD}"}}')
                await socket.send_text(json.dumps({"id": asked["id"]}))
        except (WebSocketDisconnect, RuntimeError):
            table.remove(socket)

    app = Starlette(routes=[WebSocketRoute("/{table}", serve)])
    config = uvicorn.Config(app, log_level="warning", ws="websockets-sansio", ws_per_message_deflate=False)
    import socket as sockets

    bound = sockets.socket()
    bound.bind(("127.0.0.1", 0))
    bound.listen(1024)
    print(f"at http://127.0.0.1:{bound.getsockname()[1]}", flush=True)
    uvicorn.Server(config).run(sockets=[bound])


class Plain(One):
    """A player of the bare server."""

    def heard(self, frame: bytes) -> None:
        if b'"news"' not in frame[:20]:
            self.took.append(time.perf_counter() - self._sent.pop(json.loads(frame)["id"]))

    def act(self) -> None:
        asked = secrets.token_hex(8)
        self._sent[asked] = time.perf_counter()
        self.say(json.dumps({"id": asked}).encode())


async def against_bare(players: int, tables: int, seconds: float, *, echo: bool) -> list[float]:
    process, address = started(__file__, "--bare")
    try:
        everybody = [Plain(f"p{number}") for number in range(players)]
        for index, player in enumerate(everybody):
            table = "echo" if echo else str(index % tables)
            uri = f"{address.replace('http', 'ws', 1)}/{table}"
            await player.open(uri)
        return await load([*everybody], seconds)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def told(name: str, took: list[float], players: int, seconds: float) -> dict[str, Any]:
    cuts = statistics.quantiles(took, n=1000) if len(took) > 1 else [0.0] * 999
    p50, p99, p999 = (1000 * cuts[at] for at in (499, 989, 998))
    print(
        f"  {name:<8} {len(took):6} answers  p50 {p50:6.2f} ms  p99 {p99:6.2f} ms  p99.9 {p999:6.2f} ms",
        flush=True,
    )
    return {"p50": p50, "p99": p99, "answers": len(took)}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--tables", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--loads", type=int, default=9)
    parser.add_argument("--bare", action="store_true")
    given = parser.parse_args()
    if given.bare:
        bare()
        return
    if given.loads:
        pages(given.loads)
    print(f"{given.players} players at {given.tables} tables, {os.cpu_count()} cores", flush=True)
    size = given.players, given.tables, given.seconds
    best: dict[str, float] = {}
    for _ in range(given.turns):
        for name, run in (
            ("tables", lambda: against_tables(*size)),
            ("fan-out", lambda: against_bare(*size, echo=False)),
            ("echo", lambda: against_bare(*size, echo=True)),
        ):
            found = told(name, uvloop.run(run()), given.players, given.seconds)
            for key in ("p50", "p99"):
                best[f"{name} {key}"] = min(best.get(f"{name} {key}", 1e9), found[key])
    ratio = best["tables p50"] / best["fan-out p50"]
    print(f"best: p99 {best['tables p99']:.2f} ms; p50 {ratio:.1f} times the bare fan-out's", flush=True)


if __name__ == "__main__":
    main()
