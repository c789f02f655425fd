"""Tables that the database keeps: opened, listed, read, and taken up again where their lines leave them."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, insert, literal_column, select, update
from sqlalchemy.types import Double

from croupier.cards import Card
from croupier.conductor import Conductor
from croupier.errors import DoesNotHold, ParseError
from croupier.house.clock import now
from croupier.house.database import glimpse
from croupier.house.database.glimpse import Glimpse
from croupier.house.database.ledger import Fold, Ledger, counted
from croupier.house.database.schema import glimpses, lines, requests, shoes, tables
from croupier.house.database.staged import KeptTable, Sealed, Staged
from croupier.house.database.writer import Writer
from croupier.house.shoefile import Made
from croupier.house.shoes import Follower, VirtualShoe
from croupier.printable import require_printable
from croupier.record import Log, header_for, replay
from croupier.record.chain import START, seal
from croupier.record.line import Kind, encode
from croupier.record.log import read_lines, read_tail
from croupier.record.told import Listener
from croupier.rulebook import Rulebook
from croupier.table import State, open_state
from croupier.table.chips import on_table

LEASE = 6.0  # seconds that a server may be silent before another takes its tables up
# Servers' clocks differ; that of the database is everybody's.
_CLOCK = literal_column("extract(epoch from clock_timestamp())", Double)


class Listed(NamedTuple):
    """A table of the house, without its lines. `closed` is when it was, "" as long as it is open."""

    number: int
    name: str
    rulebook: str
    kind: Kind
    opened: str
    closed: str
    last: int


class Commitment(NamedTuple):
    """What a shoe was held to before its first card. It is opened, by `salt` and `cards`, at its end."""

    after: int
    commitment: str
    salt: str = ""
    cards: str = ""


class Elsewhere(ParseError):
    """Another server conducts the table, and its lease has not ended."""


class Tables:
    """All tables of a database. `owner` is the server that conducts those it opens.

    SQLite is one server's. At PostgreSQL there may be several, and none takes up what is another's until its
    lease ends: a server renews it as long as it lives (`renew`). Leases are for politeness; that nobody
    writes to a table who has lost it, however late they wake, its term sees to.
    """

    def __init__(self, engine: Engine, writer: Writer, ledger: Ledger, owner: str) -> None:
        self._engine = engine
        self._writer = writer
        self._ledger = ledger
        self._owner = owner
        self.shared = engine.dialect.name != "sqlite"

    # Opened and closed

    def new(
        self,
        book: Rulebook,
        settings: dict[str, Any],
        *,
        name: str,
        live: bool = False,
        cards: VirtualShoe | None = None,
    ) -> KeptTable:
        """Open a table of a house, all of whose settings are given; it is kept when this returns.

        A live table's cards are typed in; any other has a shoe, of its own unless one is given.
        """
        if not require_printable(name, "the table's name").strip():
            raise ParseError("a table has a name")
        rules = book.rules_for(settings)
        kind: Kind = "live" if live else "virtual"
        header = header_for(book, rules, settings, table=name, kind=kind, at=now())
        sealed, own_hash = seal(encode(header), START)
        row = {"name": name, "rulebook": book.file, "kind": kind, "opened": header.at} | self._lease()
        first = Sealed(1, sealed.decode(), own_hash)
        number = self._writer.do(lambda connection: _insert(connection, row, first))
        store = Staged(0, own_hash)
        shoe = None if live else cards or VirtualShoe()
        if shoe is not None:
            shoe.keep_beside(store)
        conductor = Conductor(open_state(rules), store, shoe, clock=now)
        return self._kept(number, name, conductor, store, term=1)

    def reopen(self, number: int, *listeners: Listener, cards: VirtualShoe | None = None) -> KeptTable:
        """Take a table up where its lines leave it, with the same next card; listeners are told of them.

        From now on it is this server's: whoever conducted it before writes no more. A DoesNotHold says
        which line is not what was written, or that the order of the shoe is another's; Elsewhere that
        another server conducts it.
        """
        listed = self.listed(number)
        if listed.closed:
            raise ParseError(f"{listed.name}: was closed at {listed.closed}")
        term = self._writer.do(lambda connection: self._claim(connection, listed))
        if listed.kind == "live":
            log = self.log(number)
            store = Staged(len(log.lines), log.last_hash)
            done = replay(log, *listeners, remember=True)
            conductor = Conductor(done.state, store, clock=now, standing=done.standing)
            return self._kept(number, listed.name, conductor, store, term=term)
        log, seen = self._tail(number)
        after = 0 if seen is None else seen.after
        store = Staged(after + len(log.lines), log.last_hash)
        made = self._order(number)
        if seen is not None and (made is None or made.after <= after):
            made = Made(after=after, cards=seen.cards)
        conductor = _taken_up(log, store, made, cards or VirtualShoe(), listeners)
        if seen is not None:
            conductor.brought = dict(Counter(seen.brought) + Counter(conductor.brought))
        return self._kept(number, listed.name, conductor, store, term=term, glimpsed=after)

    def _claim(self, connection: Connection, listed: Listed) -> int:
        claim = update(tables).where(tables.c.id == listed.number)
        if self.shared:
            claim = claim.where((tables.c.owner == self._owner) | (tables.c.leased < _CLOCK))
        claim = claim.values(**self._lease(), term=tables.c.term + 1)
        term = connection.execute(claim.returning(tables.c.term)).scalar()
        if term is None:
            raise Elsewhere(f"{listed.name}: is conducted by another server")
        return int(term)

    def _lease(self) -> dict[str, Any]:
        """Whose a table is, and until when."""
        return {"owner": self._owner} | ({"leased": _CLOCK + LEASE} if self.shared else {})

    def renew(self) -> None:
        """This server lives, and its tables are its own for another while."""
        self._set_leases(_CLOCK + LEASE)

    def let_go(self) -> None:
        """This server ends: whoever wants its tables need not wait."""
        self._set_leases(0)

    def _set_leases(self, until: Any) -> None:
        own = update(tables).where(tables.c.owner == self._owner, tables.c.closed == "")
        if self.shared:
            self._writer.do(lambda connection: connection.execute(own.values(leased=until)) and None)

    def stands(self, number: int) -> State:
        """Where the lines of a table lead, whoever conducts it."""
        return replay(self._tail(number)[0]).state

    def _tail(self, number: int) -> tuple[Log, Glimpse | None]:
        """The last lines of a table, with how it stood before them; all where there is no glimpse of it."""
        row = self._glimpse(number)
        if row is not None:
            listed, first = self.listed(number), self.lines(number, 1, 1)
            name = listed.name
            head = read_lines([line.text.encode() for line in first], name)
            seen = glimpse.read(row.content, row.after, head.rules)
            if seen is not None:
                rest = self.lines(number, row.after + 1)
                _require_last(listed, rest)
                kept = [line.text.encode() for line in (*first, *rest)]
                return read_tail(kept, name, row.after + 1, seen.state), seen
        return self.log(number), None

    def _glimpse(self, number: int) -> Any:
        with self._engine.connect() as connection:
            return connection.execute(select(glimpses).where(glimpses.c.table_id == number)).first()

    def close(self, table: KeptTable) -> None:
        """Close a table for good: players take their chips away, and the house its winnings."""
        players = sorted(table.chips)
        if any(on_table(table.state, player) for player in players):
            raise ParseError(f"{table.name}: chips lie on the layout, so it is not closed")
        with table.request("house", f"close {secrets.token_hex(8)}") as request:
            for player in players:
                request.take(player)
        request.wait(b"")
        self._writer.do(lambda connection: _close(connection, table.number))

    def _kept(
        self, number: int, name: str, conductor: Conductor, store: Staged, *, term: int, glimpsed: int = 0
    ) -> KeptTable:
        held = self._ledger.balances(table=number)
        fold = Fold(
            number,
            live=conductor.cards is None,
            chips={account.holder: cents for account, cents in held.items() if account.place == "chips"},
            brought=conductor.brought,
        )
        return KeptTable(
            number,
            name,
            conductor,
            store,
            fold,
            term=term,
            engine=self._engine,
            writer=self._writer,
            asked=self._asked(number),
            glimpsed=glimpsed,
        )

    # Read

    def all(self) -> list[Listed]:
        """Every table, those that are closed too."""
        with self._engine.connect() as connection:
            return [Listed(*row) for row in connection.execute(_LISTED.order_by(tables.c.id))]

    def listed(self, number: int) -> Listed:
        with self._engine.connect() as connection:
            row = connection.execute(_LISTED.where(tables.c.id == number)).first()
        if row is None:
            raise ParseError(f"there is no table {number}")
        return Listed(*row)

    def lines(self, number: int, first: int = 1, last: int | None = None) -> list[Sealed]:
        """Lines of a table as they are kept, the header as number 1."""
        wanted = lines.c.table_id == number, lines.c.number >= first
        query = select(lines.c.number, lines.c.text, lines.c.hash).where(*wanted).order_by(lines.c.number)
        if last is not None:
            query = query.where(lines.c.number <= last)
        with self._engine.connect() as connection:
            return [Sealed(*row) for row in connection.execute(query)]

    def log(self, number: int) -> Log:
        """All lines of a table, as a log that has been read. A DoesNotHold names the first that is broken."""
        listed, kept = self.listed(number), self.lines(number)
        _require_last(listed, kept)
        return read_lines([line.text.encode() for line in kept], listed.name)

    def commitments(self, number: int) -> list[Commitment]:
        """What every shoe of a table was held to; all but the last are opened."""
        query = select(shoes.c.after, shoes.c.commitment, shoes.c.salt, shoes.c.cards)
        query = query.where(shoes.c.table_id == number).order_by(shoes.c.after)
        with self._engine.connect() as connection:
            found = [Commitment(*row) for row in connection.execute(query)]
        return [*found[:-1], *(Commitment(one.after, one.commitment) for one in found[-1:])]

    def _asked(self, number: int) -> list[tuple[str, str]]:
        """By whom and under which id everything was asked at a table."""
        query = select(requests.c.asker, requests.c.request).where(requests.c.table_id == number)
        with self._engine.connect() as connection:
            return [(asker, request) for asker, request in connection.execute(query)]

    def _order(self, number: int) -> Made | None:
        query = select(shoes.c.after, shoes.c.cards).where(shoes.c.table_id == number)
        with self._engine.connect() as connection:
            row = connection.execute(query.order_by(shoes.c.after.desc()).limit(1)).first()
        return None if row is None else Made(after=row[0], cards=tuple(map(Card, row[1].split())))


_LISTED = select(
    *(tables.c.id, tables.c.name, tables.c.rulebook, tables.c.kind),
    *(tables.c.opened, tables.c.closed, tables.c.last),
)


def _require_last(listed: Listed, kept: list[Sealed]) -> None:
    """Are the lines there to the last? Nothing in a chain that has lost its end says so."""
    last = kept[-1].number if kept else 0
    if last < listed.last:
        raise DoesNotHold(f"{listed.name}: its last line is {listed.last}, and the record ends with {last}")


def _taken_up(
    log: Log, store: Staged, made: Made | None, shoe: VirtualShoe, listeners: Iterable[Listener]
) -> Conductor:
    """A virtual table where its log leaves it, its shoe carried along from the last order that was made."""
    followers = [] if made is None else [Follower(made)]
    done = replay(log, *followers, *listeners)
    shoe.keep_beside(store)
    shoe.take_up(done.state, store.count, followers, "the order of its shoe is not that of its lines")
    if shoe.afresh:
        raise DoesNotHold(f"{log.source}: {shoe.afresh}")
    return Conductor(done.state, store, shoe, clock=now, standing=done.standing)


# In the writer's thread


def _insert(connection: Connection, row: dict[str, Any], first: Sealed) -> int:
    made = connection.execute(insert(tables).values(**row, term=1, last=1).returning(tables.c.id))
    number = int(made.scalar_one())
    connection.execute(insert(lines).values(table_id=number, **first._asdict()))
    return number


def _close(connection: Connection, number: int) -> None:
    counted(connection, number)
    connection.execute(update(tables).where(tables.c.id == number).values(closed=now()))
