"""Evenings at tables that a database keeps: requests of some steps each, whatever comes of them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from asking import Asker
from croupier.cards import ALL_CARDS, CUT
from croupier.house.database import Database, KeptTable, Request
from croupier.house.database.ledger import chips_of, float_of
from croupier.house.shoes import VirtualShoe
from croupier.record import replay
from croupier.rulebook import load
from croupier.table import commands as cmd
from croupier.table.actors import player
from croupier.table.chips import on_table
from croupier.table.conduct import card_command
from croupier.table.waiting import waiting
from evenings import SEATED, Evening

BOOK = "act-blackjack-2003"
PLENTY = 10_000_000
SELDOM = (cmd.RecordBreach, cmd.VoidWager) * 4  # one after the other, and so hardly ever by chance
RICH = "A78K"  # pairs, naturals and busts, and few of them


def opened(path: Path, name: str = BOOK, *, seed: int = 5, live: bool = False) -> tuple[Database, KeptTable]:
    """A database with one table and players with full purses."""
    database, book = Database.open(path), load(name)
    for one in SEATED.values():
        database.ledger.buy(one, PLENTY, "play money")
    cards = None if live else VirtualShoe(seed)
    return database, database.tables.new(book, book.demonstration, name="Table 1", live=live, cards=cards)


def sit(table: KeptTable, evening: Evening, chips: int = 1_000_000) -> None:
    """Both players sit down with chips of their own."""
    with table.request("house", "sit") as request:
        for one in SEATED.values():
            request.bring(player(one), chips)
        evening.sit()
    request.wait(b"")


class KeptEvening:
    """Two players at a kept table; a request is some steps of theirs. `taken` is what they took away."""

    def __init__(self, table: KeptTable, seed: int, mishaps: float = 0.03) -> None:
        self.table = table
        self.evening = Evening(table.conductor, seed, mishaps)
        self.chance = random.Random(seed)
        self.taken = dict.fromkeys(SEATED.values(), 0)
        self.asked = 0

    def sit(self) -> None:
        sit(self.table, self.evening)

    def request(self, steps: int = 1) -> Request:
        """The next request, decided and not yet written."""
        self.asked += 1
        with self.table.request("house", str(self.asked)) as request:
            for _ in range(steps):
                if self.table.state.stage != "closed":
                    self.evening.step()
            if self.chance.random() < 0.1:
                self._money(request)
        return request

    def mark(self) -> Any:
        """Where chance and purses are, for a request that is given again."""
        return self.chance.getstate(), self.evening.chance.getstate(), dict(self.taken), self.asked

    def back_to(self, mark: Any) -> None:
        chance, within, taken, self.asked = mark
        self.taken = dict(taken)
        self.chance.setstate(chance)
        self.evening.chance.setstate(within)

    def _money(self, request: Request) -> None:
        name = self.chance.choice(tuple(SEATED.values()))
        if self.chance.random() < 0.5:
            request.bring(player(name), 10_000)
        else:
            free = max(0, self.table.free(name))
            self.taken[name] += request.take(name, self.chance.randint(0, free))


def money_amiss(database: Database, table: KeptTable, taken: dict[str, int]) -> str:
    """In what the ledger is not what the state says, brought, won and taken away; empty where it is."""
    state, brought = table.state, table.conductor.brought
    held = database.ledger.balances(table=table.number)
    for name in {*taken, *brought, *state.won}:
        says = brought.get(name, 0) + state.won.get(name, 0) - taken.get(name, 0)
        if not held.get(chips_of(name, table.number), 0) == table.chips.get(name, 0) == says:
            return f"{name} has other chips by the ledger than by the table"
        if table.free(name) != says - on_table(state, name) and not _asked(table):
            return f"{name} has other chips free"
    if held.get(float_of(table.number), 0) != state.float_change:
        return "the float is another by the ledger than by the table"
    return database.ledger.amiss()


def _asked(table: KeptTable) -> bool:
    return any(hand.answers for box in table.state.boxes for hand in box.hands)


def record_amiss(database: Database, table: KeptTable) -> str:
    """In what the lines of a table do not lead to where it stands; empty where they do."""
    log = database.tables.log(table.number)
    if replay(log).state != table.state:
        return "the lines lead elsewhere"
    return "" if len(log.lines) + 1 == table.last else "lines are missing"


class TypedEvening(Evening):
    """A live table at which cards of chance are typed, and now and then anything that can be typed at all."""

    def step(self) -> None:
        if waiting(self.table.state).due != "card":
            super().step()
        elif self.chance.random() < self.mishaps:
            self._mishap()
        else:
            self.table.give(self._card())

    def _mishap(self) -> None:
        kind = self.chance.choice((*cmd.KINDS.values(), *SELDOM))
        self._ask(*Asker(self.table.state).one(kind, self.chance))

    def _card(self) -> cmd.Command:
        shoe = self.table.state.shoe
        if shoe.held:
            return card_command(self.table.state, shoe.held[0])
        if not shoe.left:
            return cmd.ShoeRunsOut()
        if shoe.left in (shoe.back_card, shoe.front_card):
            return card_command(self.table.state, CUT)
        left = [card for card, count in zip(ALL_CARDS, shoe.unseen, strict=True) if count]
        rich = [card for card in left if card[0] in RICH]
        return card_command(self.table.state, self.chance.choice(rich or left))
