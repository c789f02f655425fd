"""Kill a server at random moments, and look whether anything that it had answered is lost or doubled.

Players play at several tables while the process is killed as a power loss would kill it. Each time the files
are looked at: every request that was answered is on record once and as it was answered, every line follows
from the one before and is what the rules make of it, the books balance, and the cards that come next are
those that were to come next. Then the server is started again, whoever got no answer asks again under the
same id, and play goes on.

    python scripts/serve_kill.py [--times 100] [--seed 1]
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake

sys.path.append(str(Path(__file__).parent.parent / "tests"))
from croupier.house.database import Database
from croupier.house.database.schema import requests
from croupier.house.shoefile import Made
from croupier.house.shoes import DRAWN, Follower, VirtualShoe
from croupier.record import replay
from croupier.table import commands as cmd
from croupier.table.events import CardsShuffled
from croupier.web import frames
from croupier.web.bots import Player
from serving import Page, Server

BOOKS = ("act-blackjack-2003", "act-pontoon-2002", "uk-blackjack-1994")
PLAYERS = 2  # at each table
GONE = (ConnectionClosed, InvalidHandshake, TimeoutError, OSError, EOFError, httpx.HTTPError)


class Ill(Exception):
    """What was promised and does not hold."""


class One:
    """A player who keeps what was answered, and asks again what was not."""

    def __init__(self, server: Server, name: str) -> None:
        self.page = Page(server, name)
        self.name = name
        self.table = ""
        self.answered: dict[str, frames.Reply] = {}
        self.open: frames.FromPage | None = None
        self.ill = ""

    def play(self, box: int, stop: threading.Event) -> None:
        """Until the server is gone."""
        try:
            self._play(box, stop)
        except GONE:
            pass
        except Ill as error:
            self.ill = str(error)

    def _play(self, box: int, stop: threading.Event) -> None:
        window, brain = self.page.at(self.table), Player(self.name)
        assert window.table is not None
        if not any(one.seat == self.name for one in window.table.boxes):
            window.say(frames.Ask(f"sit-{self.name}", window.n, cmd.Sit(box=box)))
        if self.open is not None:
            window.say(self.open)
        window.say(frames.Hello(window.n))
        while not stop.is_set():
            frame = window.hear(2)
            self._keep(frame)
            if isinstance(frame, frames.Problem):
                time.sleep(0.1)
                window.say(frames.Hello(window.n))
            answer = brain.answer(frame)
            if answer is not None:
                if not isinstance(answer, frames.Hello):
                    self.open = answer
                window.say(answer)

    def _keep(self, frame: Any) -> None:
        reply = getattr(frame, "reply", None)
        if reply is None:
            return
        before = self.answered.setdefault(reply.id, reply)
        if before != reply:
            raise Ill(f"{self.name}: {reply.id} was answered {before}, and then {reply}")
        if self.open is not None and reply.id == getattr(self.open, "id", ""):
            self.open = None


class Trial:
    """One set of files, killed again and again."""

    def __init__(self, data: Path, seed: int, *, tables: int = 3) -> None:
        self.chance = random.Random(seed)
        self.server = Server(data)
        self.foretold: dict[int, Made] = {}  # the cards that were to come next, when it was killed last
        self.acknowledged = 0
        self.server.start()
        self.players: list[One] = []
        for number in range(tables):
            host = One(self.server, f"host{number}")
            clocks = {"betting": 1, "offers": 0.3, "decision": 0.3, "results": 0, "away": 0.2}
            made = host.page.post("/api/tables", rulebook=BOOKS[number % len(BOOKS)], clocks=clocks)
            guests = [One(self.server, f"guest{number}-{each}") for each in range(PLAYERS - 1)]
            for one in (host, *guests):
                one.table = made["id"]
            self.players += [host, *guests]

    def once(self) -> None:
        """Play for a moment, kill, look, start again."""
        stop = threading.Event()
        threads = [
            threading.Thread(target=one.play, args=(place % PLAYERS + 1, stop))
            for place, one in enumerate(self.players)
        ]
        for thread in threads:
            thread.start()
        time.sleep(self.chance.uniform(0.15, 1.2))
        self.server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        for one in self.players:
            if one.ill:
                raise Ill(one.ill)
        self.look()
        self.server.start()
        for one in self.players:
            one.page.http.base_url = httpx.URL(self.server.address)

    def look(self) -> None:
        """Is everything as it was promised?"""
        database = Database.open(self.server.data)
        try:
            if wrong := database.ledger.amiss():
                raise Ill(wrong)
            for number in {int(one.table) for one in self.players}:
                self._look_at(database, number)
            self._look_up(database)
        finally:
            database.close()

    def _look_at(self, database: Database, number: int) -> None:
        log = database.tables.log(number)
        foretold = Follower(self.foretold.get(number, Made(after=0, cards=())))
        replay(log, foretold)
        since = [event for line in log.lines[foretold.made.after :] for event in line.events]
        if foretold.order is None and not any(isinstance(event, CardsShuffled) for event in since):
            drawn = [event.card for event in since if isinstance(event, DRAWN)]
            raise Ill(f"table {number}: {drawn[:5]} came, and {foretold.made.cards[:5]} were next")
        shoe = VirtualShoe()
        database.tables.reopen(number, cards=shoe)
        self.foretold[number] = Made(after=len(log.lines), cards=shoe.cards)

    def _look_up(self, database: Database) -> None:
        """Every answered request once, with the answer that was given."""
        with database.engine.connect() as connection:
            rows = connection.execute(requests.select()).all()
        kept: dict[tuple[str, str], list[bytes]] = {}
        for row in rows:
            kept.setdefault((row.asker, row.request), []).append(bytes(row.answer))
        self.acknowledged = 0
        for one in self.players:
            for key, reply in one.answered.items():
                if not reply.n:
                    continue  # nothing was done
                self.acknowledged += 1
                found = kept.get((one.name, key), [])
                if len(found) != 1 or msgspec.json.decode(found[0], type=frames.Reply) != reply:
                    raise Ill(f"{one.name}: {key} was answered {reply}, and on record is {found}")


def run(data: Path, times: int, seed: int, told: Any = print) -> int:
    """Kill so many times; how many requests were answered in all."""
    trial = Trial(data, seed)
    try:
        for time_ in range(1, times + 1):
            trial.once()
            if time_ % 10 == 0 or time_ == times:
                told(f"killed {time_} times: {trial.acknowledged:,} answered, none lost, none doubled")
        return trial.acknowledged
    finally:
        trial.server.stop()


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder) / "data", given.times, given.seed)


if __name__ == "__main__":
    main()
