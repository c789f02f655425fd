"""A request at a table: decided at once, written whole, and told of when it is written.

What a table does for a request, its lines, a new order of the shoe and the money that moved, is gathered and
handed to the writer as one piece of work. Until that is done the table is ahead of its record, nobody has
been told, and nothing else is asked of it. Where it cannot be written the table goes back to where it stood:
the same state, the same next card, the same chips.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, NamedTuple

from msgspec import Struct
from sqlalchemy import Connection, Engine, bindparam, delete, select

from croupier.conductor import Conductor
from croupier.conductor import Mark as TableMark
from croupier.errors import ParseError, StoreError
from croupier.house.clock import now
from croupier.house.database import glimpse
from croupier.house.database.glimpse import Glimpse
from croupier.house.database.ledger import Fold, Transaction, post
from croupier.house.database.prepared import Listed, Prepared, into
from croupier.house.database.schema import glimpses, lines, requests, shoes
from croupier.house.database.writer import Writer
from croupier.house.shoefile import Made
from croupier.house.shoes import VirtualShoe
from croupier.money import Cents, dollars
from croupier.record import Line, Told
from croupier.record.chain import seal
from croupier.record.line import encode, number_of
from croupier.table import State
from croupier.table.actors import DEALER, Actor
from croupier.table.chips import on_table
from croupier.table.commands import LAYING, Command
from croupier.table.events import Event

Done = Callable[[Exception | None], None]


class Lost(StoreError):
    """Another server has taken the table over. It is no longer ours to write to."""


class Sealed(NamedTuple):
    """A line as it is kept."""

    number: int
    text: str
    hash: str


class Answered(NamedTuple):
    """What was answered to a request, and its lines: `last` is before `first` where it made none."""

    first: int
    last: int
    answer: bytes


class Staged:
    """A store that gathers: `lines` and `orders` are those that are not written yet."""

    def __init__(self, count: int, last_hash: str) -> None:
        self.count = count
        self.last_hash = last_hash
        self.lines: list[Sealed] = []
        self.orders: list[Made] = []

    def append(self, line: Line) -> None:
        sealed, self.last_hash = seal(encode(line), self.last_hash)
        self.lines.append(Sealed(number_of(line), sealed.decode(), self.last_hash))
        self.count += 1

    def write(self, before: Made, made: Made) -> None:
        """An order that has been made. The one before it is kept already."""
        self.orders.append(made)

    def close(self) -> None:
        """What is not written is not kept."""


class _Mark(NamedTuple):
    """How a table stood, with all that was gathered by then."""

    table: TableMark
    fold: Fold
    last: int
    last_hash: str
    lines: int
    orders: int
    told: int
    transactions: int


class KeptTable:
    """A table that the database keeps. `number` is its own there, `chips` what each player has at it.

    Its conductor is given to only within a `request`.
    """

    def __init__(
        self,
        number: int,
        name: str,
        conductor: Conductor,
        store: Staged,
        fold: Fold,
        *,
        term: int,
        engine: Engine,
        writer: Writer,
        asked: Iterable[tuple[str, str]] = (),
        glimpsed: int = 0,
    ) -> None:
        self.number = number
        self.name = name
        self.conductor = conductor
        self.pending: Request | None = None
        self._store = store
        self._fold = fold
        self._term = term
        self._engine = engine
        self._writer = writer
        self._asked = {hash(one) for one in asked}
        self._glimpsed = glimpsed  # after which command there is a glimpse of it
        conductor.listeners.append(self._hear)

    @property
    def state(self) -> State:
        return self.conductor.state

    @property
    def live(self) -> bool:
        return self._fold.live

    @property
    def last(self) -> int:
        """The number of the last line; the header is 1."""
        return self._store.count + 1

    @property
    def chips(self) -> dict[str, Cents]:
        return self._fold.chips

    def free(self, player: str, lies: Cents | None = None) -> Cents:
        """What a player has here, and neither on the layout (`lies`) nor promised to an awaited answer."""
        lies = on_table(self.state, player) if lies is None else lies
        return self.chips.get(player, 0) - lies - _promised(self.state, player)

    def answered(self, asker: str, request: str) -> Answered | None:
        """What was answered if this has been asked before. For what is new the database is not asked."""
        if hash((asker, request)) not in self._asked:
            return None
        with self._engine.connect() as connection:
            row = {"table_id": self.number, "asker": asker, "request": request}
            found = _ANSWERED.one(connection, row)
        return None if found is None else Answered(found[0], found[1], bytes(found[2]))

    def request(self, asker: str, request: str) -> Request:
        """Begin a request, the only one at a time; `with` it the table is given to."""
        if self.pending is not None:
            raise RuntimeError(f"{self.name}: a request is decided while another is not written")
        self.pending = Request(self, asker, request)
        return self.pending

    def ask(self, asker: str, request: str, do: Callable[[Request], bytes]) -> Answered:
        """A request from beginning to end, waited for; one that was answered before is not repeated."""
        if known := self.answered(asker, request):
            return known
        with self.request(asker, request) as asked:
            answer = do(asked)
        asked.wait(answer)
        return Answered(asked.first, asked.last, answer)

    def _hear(self, told: Told) -> None:
        assert self.pending is not None, "the table of a database is given to outside of a request"
        self.pending.hear(told)


class Request:
    """What one request does at a table. `told` is what is to be told of it once it is written.

    `first` and `last` are the numbers of its lines.
    """

    def __init__(self, table: KeptTable, asker: str, request: str) -> None:
        self.table = table
        self.asker = asker
        self.request = request
        self.first = table.last + 1
        self.told: list[Told] = []
        self._transactions: list[Transaction] = []
        self._glimpse: Glimpse | None = None
        self._start = self._mark()
        self._decided = False

    @property
    def last(self) -> int:
        return self.table.last

    @property
    def lines(self) -> tuple[Sealed, ...]:
        """The lines as they are kept."""
        return tuple(self.table._store.lines)

    # To be asked

    def give(self, command: Command, by: Actor = DEALER) -> list[Event]:
        """Have a command carried out. Nobody lays more at a virtual table than they have there."""
        if by.role != "player" or self.table.live or not isinstance(command, LAYING):
            return self.table.conductor.give(command, by)
        mark, had = self._mark(), self.table.free(by.name)
        events = self.table.conductor.give(command, by)
        has = self.table.free(by.name)
        if has < 0 and has < had:
            self._back_to(mark)
            raise ParseError(
                f"{by.name} has {dollars(max(had, 0))} here, and this takes {dollars(had - has)}"
            )
        return events

    def bring(self, player: Actor, amount: Cents) -> None:
        """A player brings chips to the table, out of their purse."""
        self.table.conductor.bring(amount, player)

    def take(self, player: str, amount: Cents | None = None) -> Cents:
        """A player takes chips away, all that are free unless less is said; how many."""
        free = self.table.free(player)
        amount = max(free, 0) if amount is None else amount
        if not 0 <= amount <= max(free, 0):
            raise ParseError(f"{player} has {dollars(max(free, 0))} here to take away, not {dollars(amount)}")
        if amount:
            self._transactions.append(self.table._fold.take(player, amount))
        return amount

    def hear(self, told: Told) -> None:
        self.told.append(told)
        self._transactions += self.table._fold.told(told, self.table.conductor.brought)

    # To be written

    def __enter__(self) -> Request:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._take_back()
        self._decided = True

    def send(self, answer: bytes, done: Done) -> None:
        """Have it written, and `done` called after it: with nothing, or with why nothing has happened.

        That is a StoreError, or a ParseError where a purse has less than was brought.
        """
        work = self._work(answer)

        def settled(_: None, error: Exception | None) -> None:
            self._settle(error)
            done(error)

        self.table._writer.put(work, settled)

    def wait(self, answer: bytes) -> None:
        """Have it written, and wait for that."""
        try:
            self.table._writer.do(self._work(answer))
        except Exception as error:
            self._settle(error)
            raise
        self._settle(None)

    def _work(self, answer: bytes) -> Callable[[Connection], None]:
        if not self._decided or self.table.pending is not self:
            raise RuntimeError(f"{self.table.name}: the request {self.request!r} is not decided, or is over")
        store, cards = self.table._store, self.table.conductor.cards
        if isinstance(cards, VirtualShoe) and store.count - self.table._glimpsed >= glimpse.EVERY:
            self._glimpse = glimpse.glimpse(self.told, self.table.conductor.brought, cards.cards)
        rows = _Rows.of(
            self, answer, tuple(store.lines), tuple(store.orders), tuple(self._transactions), self._glimpse
        )
        return rows

    def _settle(self, error: Exception | None) -> None:
        if error is not None:
            self._take_back()
            return
        self.table._store.lines.clear()
        self.table._store.orders.clear()
        self.table._asked.add(hash((self.asker, self.request)))
        if self._glimpse is not None:
            self.table._glimpsed = self._glimpse.after
        self.table.pending = None

    def _take_back(self) -> None:
        self._back_to(self._start)
        self.table.pending = None

    def _mark(self) -> _Mark:
        table, store = self.table, self.table._store
        return _Mark(
            table=table.conductor.mark(),
            fold=table._fold.copy(),
            last=store.count,
            last_hash=store.last_hash,
            lines=len(store.lines),
            orders=len(store.orders),
            told=len(self.told),
            transactions=len(self._transactions),
        )

    def _back_to(self, mark: _Mark) -> None:
        table, store = self.table, self.table._store
        table.conductor.back_to(mark.table)
        table._fold = mark.fold
        store.count, store.last_hash = mark.last, mark.last_hash
        del store.lines[mark.lines :]
        del store.orders[mark.orders :]
        del self.told[mark.told :]
        del self._transactions[mark.transactions :]


def _promised(state: State, player: str) -> Cents:
    """What a player has elected to add to a split or a double while others still answer."""
    hands = [hand for box in state.boxes for hand in box.hands if hand.answers]
    return sum(answer.amount for hand in hands for answer in hand.answers if answer.player == player)


# In the writer's thread

_ANSWERED = Prepared(
    select(requests.c.first, requests.c.last, requests.c.answer).where(
        requests.c.table_id == bindparam("table_id"),
        requests.c.asker == bindparam("asker"),
        requests.c.request == bindparam("request"),
    )
)
_REQUESTS = into(requests)
_LINES = into(lines)
_SHOES = into(shoes)
_NO_GLIMPSE = Prepared(delete(glimpses).where(glimpses.c.table_id == bindparam("table_id")))
_GLIMPSES = into(glimpses)
# Whoever has lost the table to another server changes no row, and so writes nothing.
_FENCE = Listed(
    "UPDATE tables SET last = held.column4 FROM (",
    ("number", "held", "before", "after"),
    ") AS held WHERE id = held.column1 AND term = held.column2 AND last = held.column3",
)
_HASH = Prepared(
    select(lines.c.hash).where(lines.c.table_id == bindparam("number"), lines.c.number == bindparam("after"))
)


class _Rows(Struct, frozen=True):
    """All that a request writes, in one transaction."""

    name: str
    fence: dict[str, int]
    request: dict[str, Any]
    lines: list[dict[str, Any]]
    shoes: list[dict[str, Any]]
    transactions: tuple[Transaction, ...]
    glimpse: Glimpse | None

    @classmethod
    def of(
        cls,
        asked: Request,
        answer: bytes,
        sealed: tuple[Sealed, ...],
        orders: tuple[Made, ...],
        transactions: tuple[Transaction, ...],
        glimpse: Glimpse | None,
    ) -> _Rows:
        table = asked.table
        key = {"table_id": table.number}
        return cls(
            name=table.name,
            fence={
                "number": table.number,
                "held": table._term,
                "before": asked.first - 1,
                "after": asked.last,
            },
            request={
                **key,
                "asker": asked.asker,
                "request": asked.request,
                "first": asked.first,
                "last": asked.last,
                "answer": answer,
            },
            lines=[{**key, **line._asdict()} for line in sealed],
            shoes=[key | shoe_row(made) for made in orders],
            transactions=transactions,
            glimpse=glimpse,
        )

    def __call__(self, connection: Connection) -> None:
        self.together(connection, [self])

    @staticmethod
    def together(connection: Connection, several: Sequence[_Rows]) -> None:
        """Write what requests at as many tables write."""
        if _FENCE.changed(connection, [one.fence for one in several]) < len(several):
            if len(several) == 1 and several[0]._is_written(connection):
                return
            names = ", ".join(one.name for one in several)
            raise Lost(names, RuntimeError("another server has taken the table over"))
        _LINES.changed(connection, [line for one in several for line in one.lines])
        _REQUESTS.changed(connection, [one.request for one in several])
        _SHOES.changed(connection, [shoe for one in several for shoe in one.shoes])
        post(connection, [moved for one in several for moved in one.transactions], now())
        for one in several:
            if one.glimpse is not None:
                key = {"table_id": one.request["table_id"]}
                _NO_GLIMPSE.changed(connection, key)
                row = {"after": one.glimpse.after, "content": glimpse.written(one.glimpse)}
                _GLIMPSES.changed(connection, [key | row])

    def _is_written(self, connection: Connection) -> bool:
        """Was it written by a commit that was only not heard of, as the connection broke?"""
        found = _HASH.one(connection, self.fence) if self.lines else None
        return found is not None and found[0] == self.lines[-1]["hash"]


def shoe_row(made: Made) -> dict[str, Any]:
    """An order with its commitment: the hash of a salt and its cards, which gives nothing of them away."""
    cards, salt = " ".join(made.cards), secrets.token_hex(32)
    return {"after": made.after, "cards": cards, "salt": salt, "commitment": commitment(salt, cards)}


def commitment(salt: str, cards: str) -> str:
    """What a shoe is held to: whoever is shown salt and cards later can tell that they were the same."""
    return hashlib.sha256(f"{salt} {cards}".encode()).hexdigest()
