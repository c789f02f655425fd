"""A process that writes to a database until it is killed, and says what it will write and what it has."""

from __future__ import annotations

import itertools
import sys
import time
from functools import partial
from pathlib import Path

from croupier.house.database import Database, KeptTable
from croupier.house.shoes import VirtualShoe
from croupier.rulebook import load
from croupier.table import commands as cmd
from evenings import SEATED
from kept import BOOK, PLENTY, KeptEvening

TABLES = 3


def write(where: str, seed: int) -> None:
    database = Database.open(Path(where))
    tables = [database.tables.reopen(listed.number) for listed in database.tables.all()]
    evenings = [KeptEvening(table, seed) for table in tables]
    while len(evenings) < TABLES:
        evenings.append(_new(database, seed))
    for number in itertools.count():
        evening = evenings[number % TABLES]
        while evening.table.pending is not None:
            time.sleep(0.0002)  # the writer is busy with its last request
        _ask(evening, f"{seed}-{number}")


def _new(database: Database, seed: int) -> KeptEvening:
    book = load(BOOK)
    for name in SEATED.values():
        database.ledger.buy(name, PLENTY, "play money")
    table = database.tables.new(book, book.demonstration, name="Table", cards=VirtualShoe(seed))
    evening = KeptEvening(table, seed)
    evening.sit()
    return evening


def _ask(evening: KeptEvening, name: str) -> None:
    table = evening.table
    with table.request("house", name) as request:
        for _ in range(evening.chance.randint(1, 6)):
            if table.state.stage != "closed":
                evening.evening.step()
        if not request.lines:
            evening.evening._ask(cmd.OpenBetting())
    _say("plan", table, name, str(request.last), request.lines[-1].hash, _next_cards(table))
    request.send(b"", partial(_done, table, name))


def _next_cards(table: KeptTable) -> str:
    assert isinstance(table.conductor.cards, VirtualShoe)
    return "".join(table.conductor.cards.cards[:5]) or "none"


def _done(table: KeptTable, name: str, error: Exception | None) -> None:
    assert error is None, error
    _say("done", table, name)


def _say(word: str, table: KeptTable, *rest: str) -> None:
    sys.stdout.write(" ".join((word, str(table.number), *rest)) + "\n")
    sys.stdout.flush()
