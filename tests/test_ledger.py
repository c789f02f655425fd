"""Money: every transaction sums to zero, and a player's chips are what the table says, whatever happens."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from croupier.cards import Card
from croupier.conductor import Conductor
from croupier.errors import ParseError, Refused
from croupier.house.database import (
    CASHIER,
    HOUSE,
    Account,
    Database,
    KeptTable,
    Request,
    Takings,
    Transaction,
)
from croupier.house.database.ledger import PAID, Fold, chips_of, float_of, purse
from croupier.record import Told
from croupier.rulebook import NAMES, load
from croupier.table import commands as cmd
from croupier.table import open_state
from croupier.table.actors import DEALER, player
from croupier.table.commands import Asked
from croupier.table.conduct import chore
from croupier.table.text import parse_all
from croupier.web.rounds import UNDOES, played
from kept import BOOK, PLENTY, KeptEvening, TypedEvening, money_amiss, opened, record_amiss
from test_record_strike import _wrong, asked_in_an_evening

P1, P2 = player("p1"), player("p2")
FEW = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[Database, KeptTable]]:
    database, table = opened(tmp_path)
    yield database, table
    database.close()


def request(table: KeptTable, name: str) -> Request:
    return table.request("house", name)


# Whatever happens


@FEW
@given(name=st.sampled_from(NAMES), seed=st.integers(0, 10**6), mishaps=st.sampled_from((0, 0.03, 0.2)))
def test_chips_are_what_was_brought_and_won(name: str, seed: int, mishaps: float) -> None:
    """Rounds by chance with splits, doubles, insurance, voids and invalidations, chips brought and taken."""
    with tempfile.TemporaryDirectory() as path:
        database, table = opened(Path(path), name, seed=seed)
        evening = KeptEvening(table, seed, mishaps)
        evening.sit()
        for _ in range(12):
            evening.request(steps=15).wait(b"")
            assert money_amiss(database, table, evening.taken) == ""
        _require_whole(database, table, evening.taken)
        database.close()


@FEW
@given(name=st.sampled_from(NAMES), seed=st.integers(0, 10**6))
def test_chips_are_right_whatever_is_typed(name: str, seed: int) -> None:
    """Anything that can be typed at a live table: disputes, voids, misplaced cards laid anew, the closing."""
    with tempfile.TemporaryDirectory() as path:
        database, table = opened(Path(path), name, live=True)
        evening = TypedEvening(table.conductor, seed, mishaps=0.3)
        with request(table, "sit"):
            evening.sit()
        for number in range(8):
            assert table.pending is not None
            table.pending.wait(b"")
            assert money_amiss(database, table, {}) == ""
            with request(table, str(number)):
                for _ in range(40):
                    evening.step()
        assert table.pending is not None
        table.pending.wait(b"")
        _require_whole(database, table, {})
        database.close()


@pytest.mark.parametrize("seed", [3, 4])
def test_rounds_brought_what_was_won(tmp_path: Path, seed: int) -> None:
    """As the history of a table tells it: what was void or struck since has brought nothing."""
    database, table = opened(tmp_path, seed=seed)
    evening = KeptEvening(table, seed, mishaps=0.2)
    evening.sit()
    for _ in range(12):
        evening.request(steps=30).wait(b"")
    rounds = played(database.tables.log(table.number))
    nets = {name: sum(one.nets.get(name, 0) for one in rounds) for name in table.state.won}
    assert nets == table.state.won
    made = [event for one in rounds for step in one.steps for event in step.made]
    assert any(isinstance(event, UNDOES) for event in made)
    database.close()


def test_every_event_that_pays_is_folded() -> None:
    """After every command of evenings in which all of them happen, by the fold alone."""
    seen: set[type] = set()
    for name in NAMES:
        for seed in range(6):
            seen |= _folded(name, seed)
    assert seen == PAID


def _folded(name: str, seed: int) -> set[type]:
    book = load(name)
    table = Conductor(open_state(book.rules_for(book.demonstration)))
    fold = Fold(1, live=True, chips={}, brought={})
    seen: set[type] = set()

    def hear(told: Told) -> None:
        seen.update(PAID & set(map(type, told.events)))
        for one in fold.told(told, {}):
            assert sum(one.gains.values()) == 0
        assert {who: won for who, won in fold.chips.items() if won} == {
            who: won for who, won in told.after.won.items() if won
        }

    table.listeners.append(hear)
    evening = TypedEvening(table, seed, mishaps=0.3)
    evening.sit()
    for _ in range(800):
        evening.step()
    return seen


@FEW
@given(name=st.sampled_from(NAMES), seed=st.integers(0, 10**6))
def test_what_is_struck_is_paid_back(name: str, seed: int) -> None:
    """A live evening of mistyping: lines are struck, far back too, what players brought among them."""
    asked, chance = asked_in_an_evening(name, seed, 3), random.Random(seed)
    with tempfile.TemporaryDirectory() as path:
        database, table = opened(Path(path), name, live=True)
        done: list[int | None] = []  # the line of each command that stands; None for what was brought
        lines: list[int] = []
        while sum(one is not None for one in done) < len(asked):
            with request(table, str(table.last)):
                for _ in range(chance.randint(1, 12)):
                    _typed(table, asked, done, lines, chance)
            assert table.pending is not None
            table.pending.wait(b"")
            assert money_amiss(database, table, {}) == ""
        _require_whole(database, table, {})
        database.close()


def _typed(
    table: KeptTable, asked: list[Asked], done: list[int | None], lines: list[int], chance: random.Random
) -> None:
    """The next line, or a strike: `done` and `lines` are what stands, in its order."""
    place = sum(one is not None for one in done)
    if lines and chance.random() < 0.08:
        back = chance.randrange(max(0, len(lines) - 30), len(lines))
        table.conductor.strike(lines[back], why="mistyped")
        del lines[back:], done[back:]
    elif chance.random() < 0.1:
        table.conductor.bring(5000, chance.choice((P1, P2)))
        lines.append(table.last)
        done.append(None)
    elif place < len(asked):
        wrong = _wrong(table.conductor, asked[place].command, chance)
        table.conductor.give(wrong or asked[place].command, asked[place].by)
        lines.append(table.last)
        done.append(place)
        if wrong:
            table.conductor.strike(lines.pop(), why="another card")
            done.pop()


def _require_whole(database: Database, table: KeptTable, taken: dict[str, int]) -> None:
    """The same after the table was taken up again; drop and win are what the state says."""
    assert record_amiss(database, table) == ""
    again = database.tables.reopen(table.number)
    assert money_amiss(database, again, taken) == ""
    drop = sum(table.conductor.brought.values())
    assert database.ledger.takings(table.number) == Takings(drop=drop, win=table.state.float_change)


# Single rounds, typed at a live table

CARDS = ("announce-no-more-bets", "Th", "6d", "9s", "1 stand")


def typed(table: KeptTable, name: str, *lines: str) -> None:
    """Have these lines carried out in one request, bets being open at first."""
    conductor = table.conductor
    with request(table, name) as asked:
        while conductor.state.stage in ("opening", "shuffle", "cut", "place", "burn"):
            conductor.give(*(chore(conductor.state) or Asked(cmd.Burn(card=Card("Kd")), DEALER)))
        if conductor.state.stage == "idle":
            conductor.give(cmd.OpenBetting())
        for line in lines:
            for one in parse_all(conductor.state, line, everybody=True):
                conductor.give(*one)
    asked.wait(b"")


def live(tmp_path: Path) -> tuple[Database, KeptTable]:
    database, table = opened(tmp_path, live=True)
    with request(table, "bring") as asked:
        asked.bring(P1, 10_000)
    asked.wait(b"")
    return database, table


def entries_of(database: Database, table: KeptTable) -> list[tuple[object, ...]]:
    query = "SELECT account, cents, why, line FROM entries WHERE table_id = :table ORDER BY id"
    with database.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query), {"table": table.number})]


def test_a_round_is_on_record_with_its_line(tmp_path: Path) -> None:
    database, table = live(tmp_path)
    typed(table, "1", "p1 bets 10 on 1", *CARDS)
    assert entries_of(database, table) == [
        ("chips 1 p1", 10_000, "brought", 2),
        ("cashier", -10_000, "brought", 2),
    ]
    typed(table, "2", "Tc", "Kh", "settle")
    paid = [("chips 1 p1", 1000, "play", table.last), ("float 1", -1000, "play", table.last)]
    assert entries_of(database, table)[2:] == paid
    assert database.ledger.takings(1) == (10_000, -1000)
    assert database.ledger.takings(1).hold == Fraction(-1, 10)
    database.close()


def test_what_is_struck_is_entered_the_other_way(tmp_path: Path) -> None:
    database, table = live(tmp_path)
    typed(table, "1", "p1 bets 10 on 1", *CARDS, "Tc", "Kh", "settle")
    with request(table, "2") as asked:
        table.conductor.strike(2, why="nothing was brought")
    asked.wait(b"")
    moved = entries_of(database, table)[4:]
    assert sorted(moved) == [
        ("cashier", 10_000, "strike", table.last),
        ("chips 1 p1", -10_000, "strike", table.last),
        ("chips 1 p1", -1000, "strike", table.last),
        ("float 1", 1000, "strike", table.last),
    ]
    assert database.ledger.takings(1) == (0, 0)
    assert database.ledger.takings(1).hold is None
    database.close()


# Purses


def test_chips_are_bought_brought_taken_away_and_cashed_in(kept: tuple[Database, KeptTable]) -> None:
    database, table = kept
    ledger = database.ledger
    ledger.buy("ann", 50_000)
    with request(table, "1") as asked:
        asked.bring(player("ann"), 30_000)
    asked.wait(b"")
    with request(table, "2") as asked:
        assert asked.take("ann", 10_000) == 10_000
    asked.wait(b"")
    ledger.cash_in("ann", 25_000)
    assert ledger.balances(holder="ann") == {purse("ann"): 5000, chips_of("ann", 1): 20_000}
    assert ledger.balance(CASHIER) == -25_000 - 2 * PLENTY
    with pytest.raises(ParseError, match="ann would be 50 short: a purse gives what it has"):
        ledger.cash_in("ann", 10_000)
    for amount in (0, -5):
        with pytest.raises(ParseError, match="an amount of chips is more than nothing"):
            ledger.buy("ann", amount)
    assert ledger.balance(purse("ann")) == 5000
    assert ledger.amiss() == ""


def test_a_purse_is_not_spent_at_two_tables(kept: tuple[Database, KeptTable]) -> None:
    """Both requests are decided before either is written: one of them has not happened."""
    database, table = kept
    book = load(BOOK)
    other = database.tables.new(book, book.demonstration, name="Table 2")
    asked = []
    for one in (table, other):
        with request(one, "1") as bringing:
            bringing.bring(P1, PLENTY)
        asked.append(bringing)
    asked[0].wait(b"")
    with pytest.raises(ParseError, match="p1 would be 100,000 short"):
        asked[1].wait(b"")
    assert (table.chips, other.chips, other.conductor.brought, other.last) == ({"p1": PLENTY}, {}, {}, 1)
    assert database.ledger.balance(purse("p1")) == 0


def bet_open(table: KeptTable, name: str, chips: int) -> None:
    """A player seated with chips, and bets open."""
    with request(table, "open") as asked:
        asked.bring(player(name), chips)
        asked.give(cmd.Sit(box=1), player(name))
        while table.conductor.carry_on() == "cut":
            asked.give(cmd.DeclineCut(), player(table.state.shoe.offer))
        asked.give(cmd.OpenBetting())
    asked.wait(b"")


def test_nobody_lays_more_than_they_have_here(kept: tuple[Database, KeptTable]) -> None:
    database, table = kept
    bet_open(table, "p1", 2500)
    before, last = table.state, table.last
    with request(table, "1") as asked:
        asked.give(cmd.Wager(box=1, stake=1500), P1)
        with pytest.raises(ParseError, match="p1 has 10 here, and this takes 15"):
            asked.give(cmd.Wager(box=1, stake=1500), P1)
        assert len(asked.told) == 1
        with pytest.raises(Refused):
            asked.give(cmd.Wager(box=9, stake=1500), P1)
    asked.wait(b"")
    assert table.state != before
    assert (table.last, table.free("p1")) == (last + 2, 1000)
    with request(table, "2") as asked, pytest.raises(ParseError, match="p1 has 10 here to take away, not 11"):
        asked.take("p1", 1100)
    asked.wait(b"")
    with request(table, "3") as asked:
        assert asked.take("p1") == 1000
    asked.wait(b"")
    assert table.free("p1") == 0
    assert money_amiss(database, table, {"p1": 1000}) == ""


def test_a_command_that_is_taken_back_leaves_what_moved_before_it(kept: tuple[Database, KeptTable]) -> None:
    """What was brought and taken away in the same request stays in the books."""
    database, table = kept
    bet_open(table, "p1", 2500)
    with request(table, "1") as asked:
        asked.bring(P1, 1000)
        assert asked.take("p1", 500) == 500
        with pytest.raises(ParseError, match="p1 has 30 here, and this takes 35"):
            asked.give(cmd.Wager(box=1, stake=3500), P1)
    asked.wait(b"")
    assert entries_of(database, table)[2:] == [
        ("chips 1 p1", 1000, "brought", table.last),
        ("purse p1", -1000, "brought", table.last),
        ("chips 1 p1", -500, "taken away", None),
        ("purse p1", 500, "taken away", None),
    ]
    assert money_amiss(database, table, {"p1": 500}) == ""


def test_what_is_promised_to_an_answer_is_not_free(tmp_path: Path) -> None:
    """The decider has split, and the other bettor on the box has not answered yet."""
    database, table = opened(tmp_path, live=True)
    typed(
        table,
        "1",
        "p1 sits 1",
        "p1 bets 10 on 1",
        "p2 bets 10 on 1",
        "announce-no-more-bets",
        "8h",
        "6d",
        "8s",
    )
    laid = table.free("p1")
    with request(table, "2") as asked:
        asked.give(cmd.Split(box=1), P1)
    asked.wait(b"")
    assert table.state.hand(1, 1).asked == "split"
    assert (laid, table.free("p1")) == (-1000, -2000)
    database.close()


# Closing


def test_a_table_that_closes_hands_everything_over(kept: tuple[Database, KeptTable]) -> None:
    database, table = kept
    evening = KeptEvening(table, seed=9)
    evening.sit()
    while table.state.round < 5 or table.state.stage != "idle":
        evening.request(steps=1).wait(b"")
    win = table.state.float_change
    assert win
    database.tables.close(table)
    assert database.ledger.balances(table=1) == {}
    assert database.ledger.balance(HOUSE) == win
    assert database.ledger.takings(1).win == win
    purses = sum(database.ledger.balance(purse(name)) for name in ("p1", "p2"))
    assert purses == 2 * PLENTY - win
    assert database.ledger.amiss() == ""


def test_a_table_with_chips_on_it_is_not_closed(kept: tuple[Database, KeptTable]) -> None:
    database, table = kept
    bet_open(table, "p1", 2500)
    with request(table, "1") as asked:
        asked.give(cmd.Wager(box=1, stake=1500), P1)
    asked.wait(b"")
    with pytest.raises(ParseError, match="chips lie on the layout, so it is not closed"):
        database.tables.close(table)


def test_a_float_is_counted_in_between(tmp_path: Path) -> None:
    database, table = live(tmp_path)
    typed(table, "1", "p1 bets 10 on 1", *CARDS, "Tc", "Kh", "settle")
    assert database.ledger.count(1) == -1000
    assert database.ledger.count(1) == 0
    assert database.ledger.balances(table=1) == {chips_of("p1", 1): 11_000}
    assert database.ledger.balance(HOUSE) == -1000
    assert database.ledger.takings(1).win == -1000
    database.close()


# The books


def test_a_transaction_sums_to_zero() -> None:
    with pytest.raises(ValueError, match="a transaction sums to zero, and this one to 5"):
        Transaction({CASHIER: -10, purse("ann"): 15}, "chips bought")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            "UPDATE entries SET cents = cents + 1 WHERE id = 1",
            "the transaction [0-9a-f]{32} does not sum to zero",
        ),
        ("DELETE FROM entries WHERE id = 1", "the transaction [0-9a-f]{32} does not sum to zero"),
    ],
)
def test_books_that_were_changed_are_noticed(kept: tuple[Database, KeptTable], change: str, why: str) -> None:
    database, _ = kept
    assert database.ledger.amiss() == ""
    database.writer.do(lambda connection: connection.execute(text(change)) and None)
    assert re.fullmatch(why, database.ledger.amiss())


def test_accounts_of_all_kinds_have_names_of_their_own() -> None:
    found = [
        CASHIER,
        HOUSE,
        purse("1 ann"),
        chips_of("ann", 1),
        float_of(1),
        purse("ann"),
        Account("chips", 11, "ann"),
    ]
    assert len({account.name for account in found}) == len(found)
