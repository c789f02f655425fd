"""The floor: all tables that are open in the browser, and the people's purses.

A table that was open when the server stopped is taken up when somebody looks at it, where its lines leave it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from sqlalchemy import Connection, select

from croupier.errors import DoesNotHold, ParseError, StoreError
from croupier.house.clock import now
from croupier.house.database import CASHIER, Account, Database, KeptTable, Listed, ledger
from croupier.house.database.schema import requests
from croupier.record import Told
from croupier.rulebook import NAMES, Rulebook, load
from croupier.table import commands as cmd
from croupier.table.actors import player
from croupier.table.events import BettingOpened
from croupier.table.state import State, bets_open
from croupier.web import telling
from croupier.web.bots import Bot, Player, Wishes, simple
from croupier.web.edges import Edges
from croupier.web.opened import STOPS, Manner, OpenTable
from croupier.web.waits import BOT

log = logging.getLogger("croupier.web")
HOUSE, MANNER = "house", "manner"  # under which request the manner of a table is kept
MOST_TABLES = 2000
PLAY_MONEY = 100_000  # cents that a newcomer is given
BOT_MONEY = 10_000_000
ELSEWHERE = "Another server conducts this table now; load the page again."
CHART = "-chart"  # how the names of those end who play by the solver's chart


class Floor:
    """All open tables of one server."""

    def __init__(self, database: Database, *, pace: float = 0.6) -> None:
        self.database = database
        self.tables: dict[int, OpenTable] = {}
        self.edges = Edges()
        self._pace = pace
        self._purses: dict[str, int] = {}
        self._opening: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._ending: dict[int, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._glimpsed: dict[int, tuple[int, State]] = {}

    # Purses

    def purse(self, name: str) -> int:
        """What somebody has that is at no table."""
        if name not in self._purses:
            self._purses[name] = self.database.ledger.balance(Account("purse", holder=name))
        return self._purses[name]

    def at_tables(self, name: str) -> int:
        """What somebody has at tables that the house deals, on the layout and beside it."""
        dealt = {one.number for one in self.listed() if one.kind == "virtual"}
        held = self.database.ledger.balances(holder=name)
        return sum(cents for account, cents in held.items() if account.table in dealt)

    def spent(self, name: str) -> None:
        """What is remembered may have been read before this was written or after: it is read again."""
        self._purses.pop(name, None)

    async def give_play_money(self, name: str, amount: int = PLAY_MONEY) -> None:
        await asyncio.to_thread(self.database.ledger.buy, name, amount, "play money")
        self._purses.pop(name, None)

    async def cash_in(self, name: str, amount: int) -> None:
        await asyncio.to_thread(self.database.ledger.cash_in, name, amount)
        self._purses.pop(name, None)

    # Tables

    async def new(
        self, book: Rulebook, settings: dict[str, Any], *, name: str, live: bool, manner: Manner
    ) -> OpenTable:
        """Open a new table; it is kept when this returns."""
        await self._make_room()
        if len(self.tables) >= MOST_TABLES:
            raise ParseError(f"{MOST_TABLES} tables are open here, and that is the most")

        def opened() -> KeptTable:
            kept = self.database.tables.new(book, settings, name=name, live=live)
            kept.ask(HOUSE, MANNER, lambda request: msgspec.json.encode(manner))
            return kept

        table = self._begin(await asyncio.to_thread(opened), book, manner, [])
        table.wake()  # the shoe is prepared before anybody sits, so that the first question is for the wager
        return table

    async def table(self, number: int) -> OpenTable:
        """An open table by its number. A ParseError says that there is none, or that it is closed."""
        if number in self.tables:
            return self.tables[number]
        lock = self._opening.setdefault(number, asyncio.Lock())
        async with lock:
            if number not in self.tables:
                await self._make_room()
                kept, book, manner, told = await asyncio.to_thread(self._taken_up, number)
                self._begin(kept, book, manner, told)
        return self.tables[number]

    def _taken_up(self, number: int) -> tuple[KeptTable, Rulebook, Manner, list[Told]]:
        last = LastRound()
        kept = self.database.tables.reopen(number, last.hear)
        known = kept.answered(HOUSE, MANNER)
        manner = manner_of(known and known.answer, kept.name)
        return kept, load(self.database.tables.listed(number).rulebook), manner, last.told

    def _begin(self, kept: KeptTable, book: Rulebook, manner: Manner, told: list[Told]) -> OpenTable:
        table = OpenTable(kept, book, manner, self)
        for one in told:
            table.hear(one)
        self.tables[kept.number] = table
        table.start()
        seated = [(box.seat, box.number) for box in kept.state.boxes if box.seat.startswith(BOT)]
        if seated:
            self._keep(asyncio.get_running_loop().create_task(self._seat_again(table, seated)))
        return table

    async def _make_room(self) -> None:
        """Where as many tables are open as may be, one that is deserted stands still until somebody comes."""
        if len(self.tables) >= MOST_TABLES:
            idle = (one for one in self.tables.values() if one.is_deserted and not one.stopped)
            if table := next(idle, None):
                await self._part(table, STOPS)

    def _keep(self, task: asyncio.Task[None]) -> None:
        """Nobody else holds on to a task."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def listed(self) -> list[Listed]:
        """Every table that is not closed."""
        return [one for one in self.database.tables.all() if not one.closed]

    def at(self, name: str) -> list[int]:
        """The tables at which somebody sits or has chips on the layout."""
        return [number for number, table in self.tables.items() if boxes_of(table.state, name)]

    def over(self, table: OpenTable) -> None:
        """Chips go back to purses, and the table is closed for good; its history stays."""
        if self.tables.get(table.kept.number) is table and table.kept.number not in self._ending:
            ending = asyncio.get_running_loop().create_task(self._end(table))
            self._ending[table.kept.number] = ending
            ending.add_done_callback(lambda _: self._ending.pop(table.kept.number, None) and None)

    def lost(self, table: OpenTable) -> None:
        """Whoever is there comes again, and finds it where it is."""
        if self.tables.get(table.kept.number) is table:
            self._keep(asyncio.get_running_loop().create_task(self._part(table)))

    async def _end(self, table: OpenTable) -> None:
        await table.stop("closed", "This table is closed.")
        holders = [*table.kept.chips]
        try:
            await asyncio.to_thread(self._close, table.kept)
        except (ParseError, StoreError) as error:
            log.warning("table %s is not closed: %s", table.id, error)
        self._forget(table, holders)

    async def _part(self, table: OpenTable, words: str = ELSEWHERE) -> None:
        await table.stop("closed", words)
        self._forget(table, [*table.kept.chips])

    def _forget(self, table: OpenTable, holders: list[str]) -> None:
        if self.tables.get(table.kept.number) is table:
            del self.tables[table.kept.number]
        for name in holders:
            self._purses.pop(name, None)

    def _close(self, kept: KeptTable) -> None:
        """Bets that lie there for a round that will not be go back first."""
        with kept.request(HOUSE, secrets.token_hex(8)) as request:
            if bets_open(kept.state):
                for box in kept.state.boxes:
                    for bet in box.lying:
                        request.give(cmd.TakeBack(box=box.number), player(bet.player))
        request.wait(b"")
        self.database.tables.close(kept)

    def manners(self) -> dict[int, bytes]:
        """How each table is run, as it is kept; also of those that nobody has looked at yet."""
        wanted = requests.c.asker == HOUSE, requests.c.request == MANNER
        query = select(requests.c.table_id, requests.c.answer).where(*wanted)
        with self.database.engine.connect() as connection:
            rows = connection.execute(query).all()
        return {row.table_id: row.answer for row in rows}

    # Simple players

    async def seat_bot(self, table: OpenTable, box: int, *, by_chart: bool = False) -> str:
        """A player for an empty seat, with chips of the house's. The name says how it plays."""
        if not 1 <= box <= len(table.state.boxes) or table.state.box(box).seat:
            raise ParseError(f"box {box} is not free")
        if table.kept.live:
            raise ParseError("at a live table people play who are there")
        name = f"{BOT}{box}{CHART if by_chart else ''}"
        wants = await _by_chart(table) if by_chart else simple
        if self.purse(name) < BOT_MONEY:
            await self.give_play_money(name, BOT_MONEY)
        self._seat(table, name, box, wants)
        return name

    async def _seat_again(self, table: OpenTable, seated: list[tuple[str, int]]) -> None:
        """Those who sat there when the server stopped, each in their manner."""
        wants: dict[bool, Wishes] = {False: simple}
        for name, box in seated:
            charted = name.endswith(CHART)
            if charted not in wants:
                wants[charted] = await _by_chart(table)
            self._seat(table, name, box, wants[charted])

    def _seat(self, table: OpenTable, name: str, box: int, wants: Wishes) -> None:
        Bot(table, Player(name, wants), pace=self._pace).sit(box)

    def stands(self, listed: Listed) -> State:
        """Where a table stands that nobody has looked at since the server began, replayed once."""
        known = self._glimpsed.get(listed.number)
        if known is None or known[0] != listed.last:
            known = self._glimpsed[listed.number] = listed.last, self.database.tables.stands(listed.number)
        return known[1]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self.edges.close()
        await asyncio.gather(*self._ending.values())
        await asyncio.gather(*(table.stop() for table in self.tables.values()))


def newcomers_chips(connection: Connection, name: str) -> None:
    """What a newcomer is given, in the transaction in which they come."""
    ledger.post(connection, [ledger.transfer(CASHIER, ledger.purse(name), PLAY_MONEY, "play money")], now())


async def _by_chart(table: OpenTable) -> Wishes:
    """What the solver finds best at a table."""
    from croupier.web.chart import by_chart  # only this reads in the solver

    return await asyncio.to_thread(by_chart, table.state.rules)


def manner_of(kept: bytes | None, name: str) -> Manner:
    """How a table is run, by what is kept of that."""
    try:
        return msgspec.json.decode(kept, type=Manner) if kept else Manner()
    except msgspec.DecodeError as error:
        raise DoesNotHold(f"{name}: its clocks cannot be read: {error}") from None


def boxes_of(state: State, name: str) -> list[int]:
    """The boxes where somebody sits or bets."""
    return [
        box.number
        for box in state.boxes
        if name and (box.seat == name or any(bet.player == name for bet in box.lying))
    ]


class LastRound:
    """What there is to tell of the round that is on, or was the last; and of exclusions, which last."""

    def __init__(self) -> None:
        self.told: list[Told] = []

    def hear(self, one: Told) -> None:
        if any(isinstance(event, BettingOpened) for event in one.events):
            self.told[:] = filter(telling.excludes, self.told)
        self.told.append(one)


def book_named(name: str) -> Rulebook:
    """A rulebook that comes with Croupier; no file of the server's is read for a stranger."""
    if name not in NAMES:
        raise ParseError(f"there is no rulebook {name!r}; there are {', '.join(NAMES)}")
    return load(name)
