"""Say everything to tables that can be said to them, by everybody, and look whether anything goes wrong.

Messages are made of all commands with likely and odd fields, of bets, lines and answers, with old and future
numbers of lines; they come from players in and out of turn, from people who watch, and from every office, at
a virtual and at a live table of every rulebook. What is not carried out must leave the table as it was and
say why in a sentence, and nothing may raise an error that nobody expected.

    python scripts/serve_fuzz.py [--messages 100000] [--seed 1]
"""

from __future__ import annotations

import asyncio
import logging
import random
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from asking import Asker
from croupier.house.database import Database
from croupier.house.settings import settings_of
from croupier.rulebook import NAMES, load
from croupier.table.commands import KINDS, Command
from croupier.table.position import position
from croupier.table.state import State
from croupier.web import frames
from croupier.web.asking import Sender
from croupier.web.bots import Player
from croupier.web.floor import Floor
from croupier.web.opened import WENT_WRONG, Manner, OpenTable

SENDERS = (
    *(Sender(name, "player") for name in ("p1", "p2", "p3", "p9")),
    *(Sender("ann", role) for role in ("dealer", "supervisor", "operator", "regulator")),
    Sender(),
)
LINES = (
    *("", "h", "s", "d", "p", "same", "1 10", "p1 bets 10 on 1", "Kh", "5d^", "1 p2 insure 5", "p1 returns"),
    *("strike 3 why=x", "help", "x" * 400, "p1=", "1 1 1 1 1 1 1 1 1", "\u202e", "1 Kh / 2", "' unclosed"),
)
SIDES: tuple[dict[str, int], ...] = ({}, {}, {"perfect_pairs": 500}, {"x": 1})


class Listening:
    """A client who keeps the reply, and holds every frame to what it may show."""

    def __init__(self, sender: Sender) -> None:
        self.sender = sender
        self.brain = Player(sender.name)
        self.reply: frames.Reply | None = None
        self.proper: frames.FromPage | None = None

    def send(self, frame: bytes) -> None:
        found = msgspec.json.decode(frame, type=frames.FromServer)
        if isinstance(found, frames.You):
            assert found.name == self.sender.name
            self.reply = found.reply or self.reply
        if self.sender.plays:
            self.proper = self.brain.answer(found) or self.proper

    def bye(self, why: str, words: str) -> None:
        """It hears no more."""


def some_command(state: State, chance: random.Random) -> Command:
    """A command of any kind, its fields likely or one of them odd."""
    asker, kind = Asker(state), chance.choice([*KINDS.values()])
    odd = [*asker.odd(kind, chance)]
    return chance.choice([asker.one(kind, chance), *odd]).command


def said(chance: random.Random, table: OpenTable, client: Listening) -> frames.FromPage:
    """Something that might be said: now and then what makes sense, so that rounds go on."""
    if client.proper is not None and chance.random() < 0.5:
        message, client.proper = client.proper, None
        return message
    new, last = f"{chance.getrandbits(64):x}", table.kept.last
    seen = chance.choice((last, last, last, 0, last - 1, last + 5))
    kind = chance.random()
    if kind < 0.7:
        roles = (None, None, *client.sender.roles, "dealer", "player")
        command = some_command(table.state, chance)
        return frames.Ask(new, max(0, seen), command, chance.choice(roles), chance.random() < 0.3)
    if kind < 0.8:
        return frames.Line(new, max(0, seen), chance.choice(LINES), None, chance.random() < 0.5)
    if kind < 0.9:
        box, stake = chance.randrange(1, 12), chance.choice((0, 500, 1000, 1500, 10**9, 7))
        return frames.Bet(
            new, max(0, seen), box, stake, chance.choice(({}, {}, {"perfect_pairs": 500}, {"x": 1}))
        )
    return frames.Done(new, max(0, seen))


async def fuzzed(messages: int, seed: int, folder: Path) -> Counter[str]:
    chance, found = random.Random(seed), Counter[str]()
    database, loop = Database.open(folder), asyncio.get_running_loop()
    database.writer.tell = lambda told: loop.call_soon_threadsafe(told) and None
    floor = Floor(database, pace=0)
    for sender in SENDERS:
        if sender.plays:
            await floor.give_play_money(sender.name, 10**8)
    tables = [await opened(floor, name, live=live) for name in NAMES for live in (False, True)]
    for turn in range(messages):
        table, clients = tables[turn % len(tables)]
        if table.stopped:  # somebody has closed it
            tables[turn % len(tables)] = await opened(floor, table.book.id, live=table.kept.live)
            continue
        found[await one(chance, table, chance.choice(clients))] += 1
    if wrong := database.ledger.amiss():
        raise AssertionError(wrong)
    await floor.close()
    database.close()
    return found


async def opened(floor: Floor, name: str, *, live: bool) -> tuple[OpenTable, list[Listening]]:
    book = load(name)
    settings = settings_of(book, None, side_bets=True)
    manner = Manner(frames.Clocks(results=0))
    table = await floor.new(book, settings, name=f"{name} {live}", live=live, manner=manner)
    clients = [Listening(sender) for sender in SENDERS]
    for client in clients:
        if client.sender.plays or not client.sender.name:
            table.post(client, frames.Hello())
    return table, clients


async def one(chance: random.Random, table: OpenTable, client: Listening) -> str:
    """Say one thing, wait for the reply, and look."""
    message = said(chance, table, client)
    before, last = position(table.state), table.kept.last
    client.reply = None
    table.post(client, message)
    await asyncio.wait_for(table.rest(), 20)
    reply = client.reply
    if isinstance(message, frames.Hello):
        return "hello"
    assert reply is not None, message
    assert reply.id == message.id  # type: ignore[union-attr]
    if reply.ok:
        return "done"
    assert reply.said is not None, (message, reply)
    assert reply.said.words != WENT_WRONG, message
    assert reply.why in ("refused", "stale", "purse", "input", "question", "role", "closed"), reply
    if reply.why not in ("refused", "purse"):  # who was absent and is heard of is back, whatever they ask
        assert (position(table.state), table.kept.last) == (before, last), (message, reply)
    return reply.why


def run(messages: int, seed: int) -> Counter[str]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(fuzzed(messages, seed, Path(folder) / "data"))


def main() -> None:
    logging.basicConfig()
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found: Counter[Any] = run(given.messages, given.seed)
    print(", ".join(f"{count:,} {why}" for why, count in found.most_common()))


if __name__ == "__main__":
    main()
