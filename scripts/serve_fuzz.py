"""Say everything to a server that can be said to it, and look whether anything goes wrong.

Messages are made of all commands with likely and odd fields, of bets, lines and answers, with old and future
numbers of lines and ids that were used before; then changed: a field of another kind, endless or deep, bytes
that are no text, frames that are too long or come by halves. They come, many at once, from players in and out
of turn, from people who watch, and from every office, at a virtual and at a live table of every rulebook;
forms and addresses are spoiled in the same way. The server is a process of its own. Everything must be
answered: with a reply, with a sentence on what is wrong, or with the end of the connection and its code.

Every so often the record is looked at beside the answers: what was not done is not there, what was done is
there once, every line is what the rules make of it, and the table that the server shows is where they lead.

    python scripts/serve_fuzz.py [--messages 100000] [--seed 1]
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import msgspec
from sqlalchemy import Engine, func, select
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from asking import Asker
from croupier.errors import ParseError
from croupier.house.database import Database
from croupier.house.database.connect import engine_for
from croupier.house.database.schema import entries, lines, people, requests, sessions, tables
from croupier.record import Entry, Log, replay
from croupier.record.log import read_lines
from croupier.rulebook import NAMES, load
from croupier.table.actors import DEALER
from croupier.web import frames, showing
from croupier.web.access import CSRF, SESSION
from croupier.web.asking import HOLDS
from croupier.web.bots import Player
from croupier.web.opened import WENT_WRONG
from croupier.web.socket import read
from saying import BROKEN, Forms, Sayings
from serving import Server

PLAYERS = ("p1", "p2", "p3")
OFFICES = {"dee": "dealer", "sue": "supervisor", "boss": "operator", "reg": "regulator"}
PASSWORD = "correct horse"
AT_ONCE = 12  # messages of one window that wait for their answers
CHUNK = 3000  # messages between two looks at the record
EVENING = 36_000  # messages until all tables are new ones
HTTP = 0.03  # of the messages are forms and addresses
PATIENCE = 60.0
NOT_DONE = ("stale", "purse", "input", "question", "role", "closed")  # and nothing is on record
GONE = 4404  # somebody has closed the table
STATUSES = {200, 201, 304, 307, 400, 401, 403, 404, 405, 409, 413}
FRAMES = msgspec.json.Decoder(frames.FromServer)


class Ill(Exception):
    """What was promised and does not hold."""


# One window


class Voice:
    """Somebody's window at a table: what was said, and what was answered to it."""

    def __init__(self, uri: str, name: str, cookie: str) -> None:
        self.name = name
        self.brain = Player(name) if name in PLAYERS else None
        self.sayings: Sayings | None = None
        self.proper: frames.FromPage | None = None
        self.you: frames.You | None = None
        self.snapshot: frames.Snapshot | None = None
        self.n = 0
        self.replies: dict[str, frames.Reply] = {}
        self.over = False
        self.found: Counter[str] = Counter()
        self._uri, self._cookie = uri, cookie
        self._socket: ClientConnection | None = None
        self._listening: asyncio.Task[None] | None = None
        self._waits: Counter[str] = Counter()  # for what kind of answer, or for the reply to which id
        self._moved = asyncio.Event()

    async def open(self) -> None:
        head = {"Cookie": f"{SESSION}={self._cookie}"} if self._cookie else {}
        self._socket = await connect(
            self._uri,
            additional_headers=head,
            compression=None,
            max_queue=None,
            max_size=None,
            open_timeout=PATIENCE,
        )
        self._listening = asyncio.create_task(self._listen(self._socket))
        await self.say('{"type":"hello"}')
        await self.answered()

    async def say(self, raw: str | bytes) -> None:
        """Say something, once there is room for another answer to wait for."""
        assert self._socket is not None
        while self._waits.total() >= AT_ONCE and not self.over:
            await self._wait()
        if self.over:
            return
        self._waits[_answer_to(raw)] += 1
        with contextlib.suppress(ConnectionClosed):  # then the listener has something to tell
            await self._socket.send(raw)

    async def answered(self) -> None:
        """Until everything is."""
        while self._waits.total() and not self.over:
            await self._wait()

    async def _wait(self) -> None:
        self._moved.clear()
        try:
            await asyncio.wait_for(self._moved.wait(), PATIENCE)
        except TimeoutError:
            raise Ill(f"{self.name}: {dict(self._waits)} was not answered") from None

    async def _listen(self, socket: ClientConnection) -> None:
        try:
            async for raw in socket:
                self._hear(raw.encode() if isinstance(raw, str) else raw)
                self._moved.set()
        except ConnectionClosed:
            pass
        finally:
            self.over = True
            self._moved.set()

    def _hear(self, raw: bytes) -> None:
        frame: Any = FRAMES.decode(raw)
        if isinstance(frame, frames.Bye):
            if frame.why not in ("closed", "anew"):
                raise Ill(f"{self.name}: {frame}")
            self.found[frame.why] += 1
        elif isinstance(frame, frames.Problem | frames.Pong):
            self._tick(type(frame).__name__)
            if isinstance(frame, frames.Problem) and not frame.words.endswith("."):
                raise Ill(f"no sentence: {frame}")
        elif isinstance(frame, frames.Snapshot):
            self.snapshot, self.you, self.n = frame, frame.you, frame.n
            self._tick("Snapshot")
        elif isinstance(frame, frames.You | frames.Answer):
            self.you, self.n = frame if isinstance(frame, frames.You) else self.you, frame.n
            if frame.reply is not None:
                self._reply(frame.reply)
        if self.brain is not None:
            self.proper = self.brain.answer(frame) or self.proper

    def _reply(self, reply: frames.Reply) -> None:
        self._tick(f"reply {reply.id}")
        self.found["done" if reply.ok else reply.why] += 1
        words = reply.said.words if reply.said else ""
        if not reply.ok and (not words or words == WENT_WRONG or reply.why not in (*NOT_DONE, "refused")):
            raise Ill(f"{self.name}: {reply}")
        before = self.replies.get(reply.id, reply)
        if before != reply and before.n:  # what did nothing may be asked again, some time later
            raise Ill(f"{self.name}: {reply.id} was answered {before}, and then {reply}")
        self.replies[reply.id] = reply

    def _tick(self, what: str) -> None:
        if not self._waits[what]:
            raise Ill(f"{self.name}: {what} came, and nobody waited for it")
        self._waits[what] -= 1
        self.found["unread"] += what == "Problem"
        self.found["read"] += what in ("Snapshot", "Pong")

    def require_there(self) -> None:
        """Nobody is sent away who did not ask for it, unless the table is closed."""
        assert self._listening is not None
        if self._listening.done():
            self._listening.result()
            if not self.found["closed"] and not self.found["anew"]:
                raise Ill(f"{self.name} was cut off")

    async def close(self) -> None:
        assert self._socket is not None
        assert self._listening is not None
        await self._socket.close()
        await self._listening


def _answer_to(raw: str | bytes) -> str:
    """What kind of answer a message gets."""
    try:
        message = read(raw)
    except ParseError:
        return "Problem"
    if isinstance(message, frames.Ping):
        return "Pong"
    return "Snapshot" if isinstance(message, frames.Hello) else f"reply {message.id}"


async def broken(uri: str, cookie: str, raw: bytes, codes: tuple[int, ...]) -> None:
    """Frames that no client sends: the connection ends, with a code where the protocol has one."""
    head = {"Cookie": f"{SESSION}={cookie}"} if cookie else {}
    async with connect(
        uri, additional_headers=head, compression=None, max_size=None, open_timeout=PATIENCE
    ) as socket:
        if socket.state is not State.OPEN:
            return  # the table is closed
        socket.transport.write(raw)
        if not codes:  # half a frame, and then nothing: only we can end that
            socket.transport.abort()
            return
        try:
            async with asyncio.timeout(PATIENCE):
                async for _ in socket:
                    pass
        except ConnectionClosed:
            pass
        if socket.close_code not in (*codes, GONE):
            raise Ill(f"{raw[:20]!r} ended the connection with {socket.close_code}, not {codes}")


# One table


class Spoken:
    """A table with everybody at it, and its record as it was looked at last."""

    def __init__(self, number: str, rulebook: str, *, live: bool) -> None:
        self.number = int(number)
        self.book = load(rulebook)
        self.live = live
        self.voices: list[Voice] = []
        self.log: Log | None = None
        self.known: set[tuple[str, str]] = set()  # requests on record

    @property
    def over(self) -> bool:
        return any(voice.found["closed"] for voice in self.voices)

    def require_kept(self) -> None:
        """A table that goes on tells nobody to come again."""
        if not self.over and any(voice.found["anew"] for voice in self.voices):
            raise Ill(f"somebody was sent away from table {self.number}")

    async def come(self, server: Server, cookies: dict[str, str]) -> None:
        uri = f"{server.address.replace('http', 'ws', 1)}/api/tables/{self.number}/socket"
        for name in (*PLAYERS, *OFFICES, ""):
            voice = Voice(uri, name, cookies.get(name, ""))
            self.voices.append(voice)
            await voice.open()
        for voice, box in zip(self.voices, (1, 2), strict=False):
            sit = {"type": "ask", "id": f"sit-{box}", "seen": 0, "command": {"type": "Sit", "box": box}}
            await voice.say(msgspec.json.encode(sit).decode())
            await voice.answered()

    async def look(self, engine: Engine) -> None:
        """Hold what is on record to what was answered, and what is shown to where the record leads."""
        await self.voices[-1].say('{"type":"hello"}')
        await self.voices[-1].answered()
        was = self.log
        self.log = log = _log(engine, self.number)
        done = replay(log)
        self._look_at_requests(engine, log, since=0 if was is None else len(was.lines))
        watcher = self.voices[-1].snapshot
        assert watcher is not None
        shown = showing.table(done.state, self.book, now=0, live=self.live)
        if not self.over and _fixed(shown) != _fixed(watcher.table):
            raise Ill(f"table {self.number} shows {watcher.table}, and its record leads to {shown}")
        for voice in self.voices:
            role = OFFICES.get(voice.name, "player" if voice.name else "")
            roles = HOLDS.get(role, ())  # type: ignore[call-overload]
            voice.sayings = Sayings(Asker(done.state), roles, [*log.lines[-20:]])
        self.voices[-1].replies.clear()

    def _look_at_requests(self, engine: Engine, log: Log, since: int) -> None:
        """What was done is there once as it was answered, and nothing else is there but the house's own."""
        with engine.connect() as connection:
            rows = connection.execute(requests.select().where(requests.c.table_id == self.number)).all()
        new = [row for row in rows if (row.asker, row.request) not in self.known]
        self.known |= {(row.asker, row.request) for row in new}
        kept = {(row.asker, row.request): row for row in new if row.asker != "house"}
        for voice in self.voices:
            for key, reply in voice.replies.items():
                if (row := kept.pop((voice.name, key), None)) is not None:
                    if msgspec.json.decode(row.answer, type=frames.Reply) != reply:
                        raise Ill(f"{voice.name}: {key} was answered {reply}, and on record is {row.answer}")
                    if not reply.ok:
                        self._look_at_refused(log, voice.name, row)
                elif reply.n and (voice.name, key) not in self.known:
                    raise Ill(f"{voice.name}: {key} was answered {reply}, and is not on record")
        if kept and not self.over:
            raise Ill(f"on record and not answered: {sorted(kept)}")
        covered = {number for row in new for number in range(row.first, row.last + 1)}
        written = {number + 2 for number in range(since, len(log.lines))}
        if covered != written:
            raise Ill(f"table {self.number}: lines {covered ^ written} are nobody's")

    def _look_at_refused(self, log: Log, name: str, row: Any) -> None:
        """Of a request that was refused only that is on record; and what the house's own dealer did."""
        made = log.lines[row.first - 2 : row.last - 1]
        if any(not isinstance(line, Entry) or (line.refused is None and line.by != DEALER) for line in made):
            raise Ill(f"{name}: {row.request} was refused, and done was {made}")


def _log(engine: Engine, number: int) -> Log:
    query = select(lines.c.text).where(lines.c.table_id == number).order_by(lines.c.number)
    with engine.connect() as connection:
        return read_lines([text.encode() for text in connection.execute(query).scalars()], f"table {number}")


def _fixed(table: frames.Table) -> frames.Table:
    """A table without what passes: the time, and who is there."""
    return msgspec.structs.replace(table, now=0, clock=None, here=())


# All of it


class Fuzz:
    """A server and everybody who speaks to it."""

    def __init__(self, server: Server, cookies: dict[str, str], chance: random.Random) -> None:
        self.server = server
        self.cookies = cookies
        self.chance = chance
        self.engine = engine_for(server.data)
        self.found: Counter[str] = Counter()
        self.sent = 0
        self.tables: list[Spoken] = []

    async def run(self, messages: int, told: Any) -> None:
        begun = time.monotonic()
        while self.sent < messages:
            await self._sit_down()
            evening = min(self.sent + EVENING, messages)
            while self.sent < evening:
                await self._chunk(min(CHUNK, evening - self.sent))
                await self._look()
                if any(
                    voice.found["anew"] for table in self.tables if not table.over for voice in table.voices
                ):
                    raise Ill("somebody was sent away from a table that goes on")
                told(f"{self.sent:,} messages, {self.sent / (time.monotonic() - begun):.0f} a second")
                for place in [place for place, one in enumerate(self.tables) if one.over]:
                    await self._leave(self.tables[place])
                    self.tables[place] = await self._opened(
                        self.tables[place].book.id, self.tables[place].live
                    )
            for table in self.tables:
                await self._leave(table)

    async def _sit_down(self) -> None:
        self.tables = [await self._opened(name, live) for name in NAMES for live in (False, True)]

    async def _opened(self, rulebook: str, live: bool) -> Spoken:
        async with self._http("boss") as page:
            kind = "live" if live else "virtual"
            asked = {"rulebook": rulebook, "kind": kind, "side_bets": True, "clocks": {"results": 0}}
            made = await page.post("/api/tables", json=asked)
        table = Spoken(made.json()["id"], rulebook, live=live)
        await table.come(self.server, self.cookies)
        await table.look(self.engine)
        return table

    async def _leave(self, table: Spoken) -> None:
        for voice in table.voices:
            await voice.close()
            self.found += voice.found

    def _http(self, name: str) -> httpx.AsyncClient:
        cookies = {CSRF: "t" * 32} | ({SESSION: self.cookies[name]} if name else {})
        head = {"X-CSRF-Token": cookies[CSRF]}
        return httpx.AsyncClient(
            base_url=self.server.address, cookies=cookies, headers=head, timeout=PATIENCE
        )

    # Saying

    async def _chunk(self, count: int) -> None:
        """Everybody says something at once, over and over."""
        forms = round(count * HTTP)
        voices = [voice for table in self.tables for voice in table.voices]
        each = max(1, (count - forms) // len(voices))
        tasks = [self._speak(voice, random.Random(self.chance.random()), each) for voice in voices]
        await asyncio.gather(*tasks)
        await self._fill_in(forms)
        self.sent += each * len(voices) + forms
        for voice in voices:
            voice.require_there()

    async def _speak(self, voice: Voice, chance: random.Random, count: int) -> None:
        assert voice.sayings is not None
        for _ in range(count):
            if chance.random() < 0.002:
                raw, codes = chance.choice(BROKEN)
                await broken(voice._uri, "", raw, codes)
                self.found["cut off"] += 1
                continue
            proper, voice.proper = voice.proper, None
            await voice.say(voice.sayings.one(chance, voice.n, voice.you, proper))
        await voice.answered()

    async def _fill_in(self, count: int) -> None:
        """Forms and addresses, spoiled; where none was taken nothing has changed."""
        forms = Forms([str(table.number) for table in self.tables])
        await self._quiet()
        while count > 0:
            before, name = self._counted(), self.chance.choice((*PLAYERS, *OFFICES, ""))
            async with self._http(name) as page:
                some = [forms.one(self.chance) for _ in range(min(20, count))]
                answers = await asyncio.gather(*(page.request(**one) for one in some))
            count -= len(some)
            taken = 0
            for asked, answer in zip(some, answers, strict=True):
                _require_told(asked, answer)
                taken += asked["method"] == "POST" and answer.status_code < 300
                self.found[f"HTTP {answer.status_code}"] += 1
            if taken:
                await self._quiet()
            elif (after := self._counted()) != before:
                raise Ill(f"nothing was taken of {some}, and {before} has become {after}")

    async def _quiet(self) -> None:
        """Until simple players have sat down, and tables that were closed have paid everybody out."""
        before: tuple[int, ...] = ()
        while before != (before := self._counted()):
            await asyncio.sleep(0.1)

    def _counted(self) -> tuple[int, ...]:
        """How many rows there are of everything."""
        kinds = (people, sessions, tables, entries, lines, requests)
        with self.engine.connect() as connection:
            return tuple(
                connection.execute(select(func.count()).select_from(kind)).scalar_one() for kind in kinds
            )

    # Looking

    async def _look(self) -> None:
        for table in self.tables:
            await table.look(self.engine)
        if "Traceback" in self.server.errors:
            raise Ill(self.server.errors)
        assert self.server.process is not None
        if self.server.process.poll() is not None:
            raise Ill("the server has ended")


def _require_told(asked: dict[str, Any], answer: httpx.Response) -> None:
    """A status that the protocol has, and under /api a sentence where something is wrong."""
    if answer.status_code not in STATUSES:
        raise Ill(f"{asked} was answered {answer.status_code}: {answer.text[:200]}")
    if answer.status_code < 400 or asked["method"] == "HEAD" or not asked["url"].startswith("/api/"):
        return
    if not answer.headers["content-type"].startswith("application/json") or not answer.json()["words"]:
        raise Ill(f"{asked} was answered without words: {answer.text[:200]!r}")


def prepared(data: Path) -> dict[str, str]:
    """People with sessions, chips and offices, before the server begins."""
    database = Database.open(data)
    cookies = {name: database.people.enter(name).token for name in PLAYERS}
    for name in PLAYERS:
        database.ledger.buy(name, 10**9, "play money")
    boss = database.people.use_link(database.people.operator_link() or "", "boss", PASSWORD)
    cookies["boss"] = boss.token
    for name, role in OFFICES.items():
        if name != "boss":
            cookies[name] = database.people.register(name, PASSWORD).token
            database.people.appoint(name, role, boss.person)  # type: ignore[arg-type]
    database.close()
    return cookies


def run(messages: int, seed: int, told: Any = print) -> Counter[str]:
    """Say so many; what became of them."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        cookies = prepared(data)
        server = Server(data, patience=1e6).start()
        fuzz = Fuzz(server, cookies, random.Random(seed))
        try:
            asyncio.run(fuzz.run(messages, told))
        finally:
            server.stop()
            fuzz.engine.dispose()
        if "Traceback" in server.errors:
            raise Ill(server.errors)
        database = Database.open(data)
        try:
            if wrong := database.ledger.amiss():
                raise Ill(wrong)
        finally:
            database.close()
        return fuzz.found


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = run(given.messages, given.seed, lambda line: print(line, flush=True))
    print(", ".join(f"{count:,} {why}" for why, count in found.most_common()))


if __name__ == "__main__":
    main()
