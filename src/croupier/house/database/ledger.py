"""Money in two entries or more: every transaction takes from some accounts what it gives to others.

    cashier    what was paid for chips and paid out for them; chips in circulation are its debt
    purse      what a person has, and no table
    chips      what a player has at a table, in hand or on the layout: brought, won, not taken away
    float      the table's own chips: what it has won since its last count
    house      what tables have won and handed over

A table's part is a fold of its lines (`Fold`): what their events move between players and the float
(`chips.moves`), what players bring, and what a strike takes back. Chips on the layout are the player's until
they are lost, so that an account changes with settlement, and not with every wager.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from sqlalchemy import Connection, Engine, bindparam, func, literal_column, select

from croupier.errors import ParseError
from croupier.house.clock import now
from croupier.house.database.prepared import Prepared, into
from croupier.house.database.schema import accounts, entries
from croupier.house.database.writer import Writer
from croupier.money import Cents, dollars
from croupier.record import Bring, Strike, Told
from croupier.record.line import number_of
from croupier.table import chips
from croupier.table import events as ev

Place = Literal["cashier", "purse", "chips", "float", "house"]
Why = Literal[
    "chips bought", "chips cashed in", "brought", "taken away", "play", "strike", "count", "play money"
]
# Events that only lay chips down or take them back leave them the player's.
LAID = frozenset({ev.WagerPlaced, ev.WagerReturned, ev.InsurancePlaced, ev.HandSplit, ev.HandDoubled})
PAID = frozenset(chips.MOVES) - LAID


class Account(NamedTuple):
    """Where money can be: a purse is a holder's, a float is a table's, chips are a holder's at a table."""

    place: Place
    table: int | None = None
    holder: str = ""

    @property
    def name(self) -> str:
        """What the database calls it. A holder's name comes last, for it may hold anything."""
        parts = (self.place, "" if self.table is None else str(self.table), self.holder)
        return " ".join(part for part in parts if part)


CASHIER = Account("cashier")
HOUSE = Account("house")


def purse(holder: str) -> Account:
    return Account("purse", holder=holder)


def chips_of(holder: str, table: int) -> Account:
    return Account("chips", table, holder)


def float_of(table: int) -> Account:
    return Account("float", table)


class Transaction(Struct, frozen=True):
    """What accounts gain and lose, for one reason; it sums to zero. `line` is the one that moved it."""

    gains: Mapping[Account, Cents]
    why: Why
    table: int | None = None
    line: int | None = None

    def __post_init__(self) -> None:
        if sum(self.gains.values()):
            raise ValueError(
                f"a transaction sums to zero, and this one to {sum(self.gains.values())}: {self}"
            )


def transfer(
    source: Account,
    target: Account,
    amount: Cents,
    why: Why,
    table: int | None = None,
    line: int | None = None,
) -> Transaction:
    return Transaction({source: -amount, target: amount}, why, table, line)


class Takings(NamedTuple):
    """What a table has taken: `drop` was brought to it, `win` is the house's."""

    drop: Cents
    win: Cents

    @property
    def hold(self) -> Fraction | None:
        """The part of the drop that was won; None where nothing was brought."""
        return Fraction(self.win, self.drop) if self.drop else None


# A table's lines as transactions


class Fold:
    """Carries a table's chips along its lines. `chips` is what each player has there, `brought` what of it
    was brought.

    A live table's players buy their chips of the cashier, since their money is none of ours; a virtual
    one's bring them out of their purses.
    """

    def __init__(
        self, table: int, *, live: bool, chips: Mapping[str, Cents], brought: Mapping[str, Cents]
    ) -> None:
        self.table = table
        self.live = live
        self.chips = dict(chips)
        self.brought = dict(brought)

    def copy(self) -> Fold:
        return Fold(self.table, live=self.live, chips=self.chips, brought=self.brought)

    def told(self, told: Told, brought: Mapping[str, Cents]) -> list[Transaction]:
        """What a line on record moves; `brought` is what players have brought along since."""
        line, struck = number_of(told.entry), isinstance(told.entry, Strike)
        found = self._played(_unwon(told) if struck else _won(told), "strike" if struck else "play", line)
        if isinstance(told.entry, Strike | Bring):
            found += self._brought(brought, "strike" if struck else "brought", line)
        return found

    def take(self, holder: str, amount: Cents) -> Transaction:
        """What a player takes away. That no chips on the layout are taken is the caller's to see."""
        return self._moved({holder: -amount}, self._own(holder), "taken away", None)

    def _played(self, won: Mapping[str, Cents], why: Why, line: int) -> list[Transaction]:
        won = {player: amount for player, amount in won.items() if amount}
        return [self._moved(won, float_of(self.table), why, line)] if won else []

    def _brought(self, brought: Mapping[str, Cents], why: Why, line: int) -> list[Transaction]:
        more = {
            name: brought.get(name, 0) - self.brought.get(name, 0) for name in brought.keys() | self.brought
        }
        self.brought = dict(brought)
        return [self._moved({name: more[name]}, self._own(name), why, line) for name in more if more[name]]

    def _own(self, holder: str) -> Account:
        """Where a player's money is that is at no table."""
        return CASHIER if self.live else purse(holder)

    def _moved(self, gains: Mapping[str, Cents], other: Account, why: Why, line: int | None) -> Transaction:
        for holder, amount in gains.items():
            self.chips[holder] = self.chips.get(holder, 0) + amount
        moved = {chips_of(holder, self.table): amount for holder, amount in gains.items()}
        return Transaction({**moved, other: -sum(gains.values())}, why, self.table, line)


def _won(told: Told) -> Counter[str]:
    """What the events of a line move from the float to each player."""
    won: Counter[str] = Counter()
    if PAID.isdisjoint(map(type, told.events)):
        return won
    state = told.before
    for event, after in told.moments():
        for source, target, amount in chips.moves(state, event):
            won[source.player] -= amount
            won[target.player] += amount
        state = after
    del won[chips.FLOAT.player]
    return won


def _unwon(told: Told) -> dict[str, Cents]:
    """What a strike takes back: the table is as it once stood, and so is what was won there."""
    before, after = told.before.won, told.after.won
    return {player: after.get(player, 0) - before.get(player, 0) for player in before.keys() | after.keys()}


# On record

_NEW_ACCOUNTS = into(accounts, behind=" ON CONFLICT DO NOTHING")
_NEW_ENTRIES = into(entries)
_LOCK = Prepared(select(accounts.c.name).where(accounts.c.name == bindparam("account")).with_for_update())
_TOTAL = func.coalesce(func.sum(entries.c.cents), literal_column("0"))
_BALANCE = Prepared(select(_TOTAL).where(entries.c.account == bindparam("account")))


def post(connection: Connection, transactions: Iterable[Transaction], at: str) -> None:
    """Put transactions on record, in the transaction of whoever writes. No purse gives more than it has."""
    transactions = list(transactions)
    if not transactions:
        return
    touched = {account for one in transactions for account in one.gains}
    _NEW_ACCOUNTS.changed(connection, [_account_row(account) for account in sorted(touched, key=_name)])
    giving = [account for account in sorted(touched, key=_name) if account.place == "purse"]
    for account in giving:  # before its balance is asked, for another server may ask it too
        _LOCK.one(connection, {"account": account.name})
    _NEW_ENTRIES.changed(connection, [row for one in transactions for row in _rows(one, at)])
    for account in giving:
        left = int(_BALANCE.one(connection, {"account": account.name})[0])
        if left < 0:
            raise ParseError(f"{account.holder} would be {dollars(-left)} short: a purse gives what it has")


def counted(connection: Connection, table: int) -> Cents:
    """A float handed over to the house, in the transaction of whoever writes; what there was."""
    won = int(_BALANCE.one(connection, {"account": float_of(table).name})[0])
    if won:
        post(connection, [transfer(float_of(table), HOUSE, won, "count", table)], now())
    return won


def _name(account: Account) -> str:
    return account.name


def _account_row(account: Account) -> dict[str, Any]:
    return {"name": account.name, "place": account.place, "table_id": account.table, "holder": account.holder}


def _rows(one: Transaction, at: str) -> list[dict[str, Any]]:
    key = uuid.uuid4().hex
    common = {"transaction_id": key, "why": one.why, "table_id": one.table, "line": one.line, "at": at}
    return [
        {**common, "account": account.name, "cents": cents} for account, cents in one.gains.items() if cents
    ]


class Ledger:
    """What the accounts hold, and the cashier's business, which needs no table."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    # The cashier. Each waits until it is written.

    def buy(self, holder: str, amount: Cents, why: Why = "chips bought") -> None:
        """Chips for a purse; what was paid for them is the cashier's. Play money is not paid for."""
        self._post(transfer(CASHIER, purse(holder), _some(amount), why))

    def cash_in(self, holder: str, amount: Cents) -> None:
        """Chips out of a purse, paid by the cashier."""
        self._post(transfer(purse(holder), CASHIER, _some(amount), "chips cashed in"))

    def count(self, table: int) -> Cents:
        """Hand a float's winnings over to the house, or make good its losses; what was handed over."""
        return self._writer.do(lambda connection: counted(connection, table))

    def _post(self, transaction: Transaction) -> None:
        self._writer.do(lambda connection: post(connection, [transaction], now()))

    # What the accounts hold

    def balance(self, account: Account) -> Cents:
        with self._engine.connect() as connection:
            return _sum(connection, entries.c.account == account.name)

    def balances(self, *, table: int | None = None, holder: str | None = None) -> dict[Account, Cents]:
        """All accounts that hold something: a table's, a holder's, or everybody's."""
        wanted = [accounts.c.table_id == table] if table is not None else []
        wanted += [accounts.c.holder == holder] if holder is not None else []
        query = (
            select(accounts.c.place, accounts.c.table_id, accounts.c.holder, func.sum(entries.c.cents))
            .join(entries, entries.c.account == accounts.c.name)
            .where(*wanted)
            .group_by(accounts.c.name, accounts.c.place, accounts.c.table_id, accounts.c.holder)
        )
        with self._engine.connect() as connection:
            found = {
                Account(place, number, name): int(cents)
                for place, number, name, cents in connection.execute(query)
            }
        return {account: cents for account, cents in found.items() if cents}

    def takings(self, table: int) -> Takings:
        """Drop and win of a table since it opened, with what was struck taken back."""
        moved = entries.c.table_id == table, entries.c.why.in_(("play", "brought", "strike"))
        at_float = entries.c.account == float_of(table).name
        with self._engine.connect() as connection:
            win = _sum(connection, *moved, at_float)
            chips = accounts.c.place == "chips"
            held = select(accounts.c.name).where(accounts.c.table_id == table, chips)
            return Takings(drop=_sum(connection, *moved, entries.c.account.in_(held)) + win, win=win)

    def amiss(self) -> str:
        """What is wrong with the books: a transaction that is not zero, or all of them; empty if nothing."""
        total = func.sum(entries.c.cents)
        query = select(entries.c.transaction_id).group_by(entries.c.transaction_id).having(total != 0)
        with self._engine.connect() as connection:
            if broken := connection.execute(query.limit(1)).scalar():
                return f"the transaction {broken} does not sum to zero"
            left = _sum(connection)
        return f"all accounts together hold {dollars(left)}, not nothing" if left else ""


def _sum(connection: Connection, *wanted: Any) -> Cents:
    found = connection.execute(select(_TOTAL).where(*wanted)).scalar_one()
    return int(found)


def _some(amount: Cents) -> Cents:
    if amount <= 0:
        raise ParseError(f"{dollars(amount)}: an amount of chips is more than nothing")
    return amount
