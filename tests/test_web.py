"""What goes over the wire, without a server: what is told, what is hidden, what is asked."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import Request

from croupier import __version__, release
from croupier.conductor import Conductor
from croupier.errors import ParseError, RulebookError, StoreError
from croupier.house.database import Account, Database
from croupier.house.settings import settings_of
from croupier.house.shoes import ScriptedShoe, VirtualShoe
from croupier.record.told import Told
from croupier.rulebook import NAMES, load
from croupier.rulebook.plain import what_is_set
from croupier.table import HANDLERS, open_state
from croupier.table import commands as cmd
from croupier.table.actors import player
from croupier.table.chips import on_table
from croupier.table.legal import menu
from croupier.table.run import Run, refuse
from croupier.web import access, asking, chart, choosing, edges, frames, opened, showing, telling, waits
from croupier.web import floor as floors
from croupier.web.asking import Sender
from croupier.web.choosing import Purse
from croupier.web.floor import Floor
from croupier.web.socket import read
from evenings import Evening

ACT = load("act-blackjack-2003")
RICH = Purse(10_000_000, 0)


class Table:
    """A table with known cards, and every line that was told of it."""

    def __init__(self, cards: str, book: Any = ACT, **settings: Any) -> None:
        self.book = book
        self.told: list[Told] = []
        self.conductor = Conductor(open_state(book.choose(**settings)), cards=ScriptedShoe(cards.split()))
        self.conductor.listeners.append(self.told.append)

    @property
    def state(self) -> Any:
        return self.conductor.state

    def play(self, **bets: int) -> Table:
        """To the first decision, everybody having bet: p1=1 is ten dollars on box 1."""
        self.conductor.carry_on()
        self.conductor.give(cmd.OpenBetting())
        for name, box in bets.items():
            self.conductor.give(cmd.Wager(box=box, stake=1000), player(name))
        self.conductor.give(cmd.AnnounceNoMoreBets())
        while self.conductor.carry_on() == "offers":
            self.conductor.give(cmd.CloseOffers())
        return self

    def lines(self) -> list[frames.Told]:
        return [line for told in self.told for line in telling.lines(told, self.book)]

    def shown(self) -> bytes:
        return frames.encode(showing.table(self.state, self.book, now=0))


@pytest.fixture
def split() -> Table:
    """Eights on box 1, which p1 decides for; p2 and p3 are behind, and a split is under way."""
    table = Table("2c 8s Td 8h", decks=6).play(p1=1, p2=1, p3=1)
    table.conductor.give(cmd.Split(box=1), player("p1"))
    return table


def test_what_another_has_answered_is_not_told_while_answers_are_wanted(split: Table) -> None:
    before, lines = split.shown(), len(split.lines())
    split.conductor.give(cmd.Split(box=1), player("p2"))
    assert split.state.hand(1, 1).answers[-1].player == "p2"
    assert len(split.lines()) == lines
    assert b"p2" in before
    after = msgspec.json.decode(split.shown())
    assert after["boxes"][0]["hands"] == msgspec.json.decode(before)["boxes"][0]["hands"]
    assert not choosing.choices(split.state, ACT, "p2", RICH, passed=False)
    found = choosing.choices(split.state, ACT, "p3", RICH, passed=False)
    assert [(one.key, one.label, one.closed) for one in found] == [("p", "Split", None), ("n", "Ride", None)]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_shown_beside_the_last_is_what_is_shown_alone(name: str) -> None:
    """Boxes that were shown before are not made again; whatever happens, they are as if they were."""
    book = load(name)
    evening = Evening(Conductor(open_state(book.choose()), cards=VirtualShoe(seed=4)), seed=4, mishaps=0.03)
    evening.sit()
    shown = showing.Shown()
    for _ in range(600):
        evening.step()
        state = evening.table.state
        beside = showing.table(state, book, now=0, shown=shown)
        assert beside == showing.table(state, book, now=0)
    assert state.round > 5


@pytest.mark.parametrize(
    ("name", "last"), [("act-blackjack-2003", "Burnt"), ("act-pontoon-2002", "Cutting card placed")]
)
def test_what_is_done_to_the_cards_is_what_the_rules_have_done_to_them(name: str, last: str) -> None:
    book = load(name)
    conductor = Conductor(open_state(book.choose()), cards=VirtualShoe(seed=4))
    told = [showing.table(conductor.state, book, now=0).preparing]
    conductor.listeners.append(lambda one: told.append(showing.table(one.after, book, now=0).preparing))
    conductor.carry_on()
    assert told[0][-1].words == last
    assert [step.done for step in told[0]] == [False] * len(told[0])
    assert all(step.clauses for step in told[0])
    assert [sum(step.done for step in steps) for steps in told if steps] == sorted(
        sum(step.done for step in steps) for steps in told if steps
    )
    assert told[-1] == ()


def test_choices_for_several_boxes_say_which_they_are_for() -> None:
    table = Table("2c 8s 3c Ad 8h 4c", decks=6)
    table.conductor.carry_on()
    table.conductor.give(cmd.OpenBetting())
    for box in (1, 2):
        table.conductor.give(cmd.Wager(box=box, stake=1000), player("p1"))
    table.conductor.give(cmd.AnnounceNoMoreBets())
    assert table.conductor.carry_on() == "offers"
    found = choosing.choices(table.state, ACT, "p1", RICH, passed=False)
    assert [(one.key, one.place) for one in found] == [("i", "box 1"), ("i", "box 2"), ("n", "")]


def test_a_choice_that_is_closed_says_why_with_its_clause() -> None:
    table = Table("2c 6s Td 5h", decks=6).play(p1=1)
    found = {one.key: one for one in choosing.choices(table.state, ACT, "p1", RICH, passed=False)}
    assert [*found] == ["h", "s", "d", "p", "r"]
    assert found["r"].closed == frames.Said("The rules know no surrender (no clause provides for it).")
    assert found["h"].closed is None
    assert found["s"].closed
    assert found["s"].closed.clauses
    assert found["p"].closed
    poor = choosing.choices(table.state, ACT, "p1", Purse(500, 1000), passed=False)
    assert next(one for one in poor if one.key == "d").closed == frames.Said(
        "That takes $10, and you have $5 left."
    )
    assert choosing.choices(table.state, ACT, "p9", RICH, passed=False) == ()
    assert choosing.asked(table.state, ACT, "p1", passed=False) == "Box 1: 11 hard against 10♦."


def test_what_is_closed_to_a_hand_in_turn_is_said_behind_its_name() -> None:
    book = load("act-pontoon-2002")
    table = Table("6s Kd 5h 4c", book, decks=6).play(p1=1)
    surrender = choosing.choices(table.state, book, "p1", RICH, passed=False)[-1].closed
    assert surrender == frames.Said("It is for the first two cards, before the subsequent deal.", ("9.1",))
    desk = choosing.at_desk(frames.You(n=1, name="p2", purse=None, on_table=0), table.state, book, [])
    assert desk.choices[-1].closed == frames.Said("P1 has no double on hand 1.", ("12.6",))


def test_who_bets_is_told_what_became_of_it_beside_being_laid() -> None:
    def told(*stakes: int) -> list[frames.Said | None]:
        table = Table("2c", decks=6)
        table.conductor.carry_on()
        table.conductor.give(cmd.OpenBetting())
        found = []
        for box, stake in enumerate(stakes, start=1):
            table.told.clear()
            table.conductor.give(cmd.Wager(box=box, stake=stake), player("p1"))
            assert telling.otherwise(table.told, ACT, "p2") is None
            found.append(telling.otherwise(table.told, ACT, "p1"))
        return found

    laid, over, warned, back = told(1000, 60000, 500, 500)
    assert laid is None
    assert over == frames.Said("You bet $500 on box 2 ($100 above the maximum goes back).", ("3.5",))
    assert warned == frames.Said(
        "You are told that further wagers under the minimum will be returned.", ("3.4",)
    )
    assert back == frames.Said("You get $5 back on box 4.", ("3.4",))


def test_what_is_insured_in_full_is_said_so() -> None:
    table = Table("2c 6s Ad 5h", decks=6)
    table.conductor.carry_on()
    table.conductor.give(cmd.OpenBetting())
    table.conductor.give(cmd.Wager(box=1, stake=1000), player("p1"))
    table.conductor.give(cmd.AnnounceNoMoreBets())
    assert table.conductor.carry_on() == "offers"
    table.conductor.give(cmd.Insure(box=1, amount=500), player("p1"))
    (insure,) = choosing.choices(table.state, ACT, "p1", RICH, passed=False)
    assert insure.closed == frames.Said("Box 1 is insured in full.", ("7.1",))


@pytest.mark.parametrize("name", NAMES)
def test_every_open_choice_of_a_page_is_one_of_the_menu(name: str) -> None:
    book = load(name)
    table = Table("2c 9s 9d 6h 9h 7c 7d 5h 4c", book)
    boxes = {f"p{box}": box for box in range(1, 1 + max(1, table.state.rules.boxes_needed))}
    table.play(**boxes)
    shown = choosing.choices(table.state, book, "p1", RICH, passed=False)
    commands = [
        msgspec.to_builtins(one.command) for one in menu(table.state, player("p1")) if one.bar is None
    ]
    assert all(one.command in commands for one in shown if one.closed is None and one.command)


def test_names_stay_as_they_are_and_every_line_has_its_words() -> None:
    table = Table("2c 8s Td 9h", decks=6).play(anna=1)
    words = [line.words for line in table.lines()]
    assert "anna bets $10 on box 1" in words
    assert all(line.words and line.phase and line.event for line in table.lines())
    placed = next(line for line in table.lines() if line.event == "WagerPlaced")
    assert [(move.source, move.target, move.amount) for move in placed.moved] == [("player", "box", 1000)]


def test_who_is_waited_for_and_for_how_long() -> None:
    table = Table("2c 8s Td 9h", decks=6).play(p1=1)
    answers = waits.Answers()
    now = waits.wait(table.state, answers, {"p1"})
    assert now
    assert (now.kind, now.names) == ("decision", ("p1",))
    assert waits.next_step(table.state, now, {"p1"}, late=False) is None
    late = waits.next_step(table.state, now, {"p1"}, late=True)
    assert late == (cmd.ReportAbsent(box=1, hand=1, player="p1"), late[1])  # type: ignore[index]
    assert waits.seconds("forfeit", frames.Clocks(decision=7)) == 7


def test_a_lost_connection_closes_no_bets() -> None:
    table = Table("2c 8s Td 9h", decks=6)
    table.conductor.carry_on()
    table.conductor.give(cmd.OpenBetting())
    table.conductor.give(cmd.Sit(box=2), player("p2"))
    assert waits.wait(table.state, waits.Answers(), set()) is None
    table.conductor.give(cmd.Wager(box=2, stake=1000), player("p2"))
    now = waits.wait(table.state, waits.Answers(), set())
    assert now
    assert (now.kind, now.names) == ("betting", ("p2",))


# Requests that are repeated


class Heard:
    """A client who keeps the replies."""

    def __init__(self, name: str) -> None:
        self.sender = Sender(name, "player")
        self.replies: list[frames.Reply] = []
        self.byes: list[str] = []

    def send(self, frame: bytes) -> None:
        reply = getattr(msgspec.json.decode(frame, type=frames.FromServer), "reply", None)
        self.replies += [reply] if reply else []

    def bye(self, why: str, words: str) -> None:
        self.byes.append(why)


def test_an_id_of_long_ago_gets_its_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its answer is not at hand any more, and somebody says that they have seen all since."""
    monkeypatch.setattr(opened, "REPLIES", 2)

    async def scenario(floor: Floor) -> None:
        table, client = await new_table(floor), Heard("p1")
        await floor.give_play_money("p1")
        sit = frames.Ask("sit", 0, cmd.Sit(box=2))
        bets = [frames.Bet(str(number), 99, 2, 1000 * number) for number in range(1, 5)]
        for message in (frames.Hello(), sit, *bets, frames.Bet("1", 99, 2, 5000)):
            table.post(client, message)
            await table.rest()
        assert [reply.id for reply in client.replies] == ["sit", "1", "2", "3", "4", "1"]
        assert client.replies[-1] == client.replies[1]
        assert on_table(table.state, "p1") == 4000

    on_a_floor(tmp_path, scenario)


def test_who_asks_while_the_table_stops_does_not_keep_it_from_that(tmp_path: Path) -> None:
    """The table was woken to stop; what is asked before it has come round is answered when it has."""

    async def scenario(floor: Floor) -> None:
        table, client = await new_table(floor), Heard("p1")
        await table.rest()
        stopping = asyncio.create_task(table.stop())
        await asyncio.sleep(0)
        table.post(client, frames.Ask("sit", 0, cmd.Sit(box=2)))
        await asyncio.wait_for(stopping, 5)
        table.post(client, frames.Ask("again", 0, cmd.Sit(box=2)))
        assert [(reply.id, reply.why) for reply in client.replies] == [("sit", "closed"), ("again", "closed")]

    on_a_floor(tmp_path, scenario)


def test_what_only_carrying_out_refuses_brings_no_chips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing bars the wager, and it is refused all the same: purse, table and record are as they were."""

    def never(run: Run, command: cmd.Wager) -> None:
        refuse("round", command, "never")

    async def scenario(floor: Floor) -> None:
        table, client = await new_table(floor), Heard("p1")
        await floor.give_play_money("p1")
        for message in (frames.Hello(), frames.Ask("sit", 0, cmd.Sit(box=2))):
            table.post(client, message)
            await table.rest()
        monkeypatch.setitem(HANDLERS, cmd.Wager, never)
        table.post(client, frames.Bet("bet", 99, 2, 1000))
        await table.rest()
        assert (client.replies[-1].id, client.replies[-1].why) == ("bet", "refused")
        assert (floor.purse("p1"), table.kept.free("p1")) == (100_000, 0)
        assert floor.database.ledger.balance(Account("purse", holder="p1")) == 100_000
        assert not any(line.event == "Bring" for line in table.lines)

    on_a_floor(tmp_path, scenario)


async def begun_to_bet(floor: Floor, clocks: frames.Clocks) -> tuple[opened.OpenTable, Heard]:
    """A table at which a bet lies, and more can be laid."""
    table, client = await new_table(floor, opened.Manner(clocks)), Heard("p1")
    await floor.give_play_money("p1")
    bet = frames.Bet("bet", 99, 2, 1000)
    for message in (frames.Hello(), frames.Ask("sit", 0, cmd.Sit(box=2)), bet):
        table.post(client, message)
        await table.rest()
    assert table.state.stage == "betting"
    return table, client


@contextlib.contextmanager
def full_disk(floor: Floor) -> Iterator[None]:
    """Nothing can be written meanwhile."""
    writer = floor.database.writer

    def fail(work: Any, done: Callable[[None, Exception], None]) -> None:
        done(None, StoreError("the disk", OSError("full")))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "put", fail)
        yield


def test_who_could_not_say_that_they_are_done_is_not_done(tmp_path: Path) -> None:
    async def scenario(floor: Floor) -> None:
        table, client = await begun_to_bet(floor, frames.Clocks())
        with full_disk(floor):
            table.post(client, frames.Done("done", 99))
            await table.rest()
        assert client.replies[-1].why == "store"
        table.wake()
        await table.rest()
        assert table.state.stage == "betting"
        table.post(client, frames.Done("done", 99))
        await table.rest()
        assert table.state.stage != "betting"

    on_a_floor(tmp_path, scenario)


def test_what_the_house_could_not_write_it_does_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock for bets runs out on a full disk, and nobody says anything more."""
    monkeypatch.setattr(opened, "AGAIN", 0.05)

    async def scenario(floor: Floor) -> None:
        table, _ = await begun_to_bet(floor, frames.Clocks(betting=0.3))
        with full_disk(floor):
            await asyncio.sleep(0.5)
            assert table.state.stage == "betting"
        await asyncio.sleep(0.3)
        assert table.state.stage != "betting"

    on_a_floor(tmp_path, scenario)


def test_a_purse_holds_what_is_on_record(tmp_path: Path) -> None:
    """Also where chips were brought to a table, that is written, and the table is not told of it yet."""

    async def scenario(floor: Floor) -> None:
        table, client = await new_table(floor), Heard("p1")
        await floor.give_play_money("p1")
        for message in (frames.Hello(), frames.Ask("sit", 0, cmd.Sit(box=2))):
            table.post(client, message)
            await table.rest()
        tell, held = floor.database.writer.tell, list[Callable[[], None]]()
        floor.database.writer.tell = held.append
        table.post(client, frames.Bet("bet", 99, 2, 1000))
        while not held:
            await asyncio.sleep(0.01)
        await floor.give_play_money("p1", 500)
        assert floor.purse("p1") == 100_000 + 500 - 20_000
        floor.database.writer.tell = tell
        held[0]()
        await table.rest()
        assert floor.purse("p1") == floor.database.ledger.balance(Account("purse", holder="p1"))

    on_a_floor(tmp_path, scenario)


def test_the_same_chips_are_not_brought_to_two_tables(tmp_path: Path) -> None:
    """Both bets are decided before either is written; whose is not is told so, by no name with a capital."""

    async def scenario(floor: Floor) -> None:
        tables, clients = [await new_table(floor) for _ in range(2)], [Heard("p1"), Heard("p1")]
        await floor.give_play_money("p1", 2000)
        for table, client in zip(tables, clients, strict=True):
            for message in (frames.Hello(), frames.Ask("sit", 0, cmd.Sit(box=2))):
                table.post(client, message)
                await table.rest()
        for table, client in zip(tables, clients, strict=True):
            table.post(client, frames.Bet("bet", 99, 2, 1500))
        for table in tables:
            await table.rest()
        first, second = (client.replies[-1] for client in clients)
        assert (first.ok, second.ok, second.why) == (True, False, "purse")
        assert second.said
        assert second.said.words == "Your chips have gone to another table meanwhile; nothing was done."
        assert floor.purse("p1") == 0

    on_a_floor(tmp_path, scenario)


def test_numbers_that_are_no_table_s_are_not_remembered(tmp_path: Path) -> None:
    async def scenario(floor: Floor) -> None:
        for number in range(1000, 1010):
            with pytest.raises(ParseError):
                await floor.table(number)
        assert len(floor._opening) < 5  # what was raised last still knows where

    on_a_floor(tmp_path, scenario)


def test_a_table_that_could_not_be_closed_is_closed_later(tmp_path: Path) -> None:
    async def scenario(floor: Floor) -> None:
        table = await new_table(floor)
        await table.rest()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(floor, "_close", no_room)
            floor.over(table)
            await asyncio.wait_for(emptied(floor), 5)
        floor.over(await floor.table(table.kept.number))
        await asyncio.wait_for(emptied(floor), 5)
        assert not floor.listed()

    on_a_floor(tmp_path, scenario)


async def emptied(floor: Floor) -> None:
    while floor.tables:
        await asyncio.sleep(0.01)


def no_room(kept: Any) -> None:
    raise StoreError("the disk", OSError("full"))


def test_a_table_where_nobody_is_makes_room_for_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many somebody opens: those at which people are stay, and the others are taken up again."""
    monkeypatch.setattr(floors, "MOST_TABLES", 2)

    async def scenario(floor: Floor) -> None:
        visited, deserted, client = await new_table(floor), await new_table(floor), Heard("p1")
        visited.post(client, frames.Hello())
        await visited.rest()
        third = await new_table(floor)
        assert [*floor.tables.values()] == [visited, third]
        again = await floor.table(deserted.kept.number)
        assert again.state.shoe == deserted.state.shoe
        assert [*floor.tables.values()] == [visited, again]
        again.post(Heard("p2"), frames.Hello())
        await again.rest()
        with pytest.raises(ParseError, match="that is the most"):
            await new_table(floor)

    on_a_floor(tmp_path, scenario)


def test_an_id_gets_its_answer_from_a_table_that_has_stopped(tmp_path: Path) -> None:
    async def scenario(floor: Floor) -> None:
        table, client = await new_table(floor), Heard("p1")
        table.post(client, frames.Ask("sit", 99, cmd.Sit(box=1)))
        await table.rest()
        await table.stop()
        for asked in ("sit", "stand"):
            table.post(client, frames.Ask(asked, 99, cmd.Sit(box=1)))
        done = [(reply.id, reply.ok) for reply in client.replies]
        assert done == [("sit", True), ("sit", True), ("stand", False)]

    on_a_floor(tmp_path, scenario)


def test_who_says_hello_to_a_table_that_has_stopped_comes_again(tmp_path: Path) -> None:
    async def scenario(floor: Floor) -> None:
        table, client = await new_table(floor), Heard("p1")
        await table.stop()
        table.post(client, frames.Hello())
        assert client.byes == ["anew"]

    on_a_floor(tmp_path, scenario)


def test_whoever_sat_when_the_server_stopped_plays_on_in_their_manner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simple players and those by the chart; and the lobby knows as much of the table as before."""
    seated: list[tuple[str, int, str]] = []

    def keep(self: Floor, table: opened.OpenTable, name: str, box: int, wants: Any) -> None:
        seated.append((name, box, wants.__qualname__))
        seat(self, table, name, box, wants)

    seat = Floor._seat
    monkeypatch.setattr(Floor, "_seat", keep)
    monkeypatch.setattr(chart, "by_chart", lambda rules: by_a_chart)

    async def begins(floor: Floor) -> None:
        table = await new_table(floor)
        assert await floor.seat_bot(table, 2) == "bot-2"
        assert await floor.seat_bot(table, 3, by_chart=True) == "bot-3-chart"
        await table.rest()

    async def goes_on(floor: Floor) -> None:
        (listed,) = floor.listed()
        assert [box.seat for box in floor.stands(listed).boxes][:4] == ["", "bot-2", "bot-3-chart", ""]
        assert not floor.tables
        table = await floor.table(listed.number)
        while len(seated) < 4:
            await asyncio.sleep(0)
        await table.rest()
        assert table.here == {"bot-2", "bot-3-chart"}

    on_a_floor(tmp_path, begins)
    on_a_floor(tmp_path, goes_on)
    assert seated[:2] == seated[2:] == [("bot-2", 2, "simple"), ("bot-3-chart", 3, "by_a_chart")]


def by_a_chart(hand: frames.Hand, dealer: frames.Dealer) -> list[type[cmd.Command]]:
    return [cmd.Stand]


async def new_table(floor: Floor, manner: opened.Manner | None = None) -> opened.OpenTable:
    settings = settings_of(ACT, None)
    manner = manner or opened.Manner()
    return await floor.new(ACT, settings, name="Table 1", live=False, manner=manner)


def on_a_floor(path: Path, scenario: Callable[[Floor], Coroutine[Any, Any, None]]) -> None:
    """Tables in this process, on a database of their own."""

    async def run() -> None:
        database, loop = Database.open(path), asyncio.get_running_loop()
        database.writer.tell = lambda told: loop.call_soon_threadsafe(told) and None
        floor = Floor(database, pace=0)
        await scenario(floor)
        await floor.close()
        database.close()

    asyncio.run(run())


# Who may say what


def steps(message: Any, sender: Sender, table: Table, *, live: bool = False) -> Any:
    return asking.steps(table.state, ACT, message, sender, {}, live=live)


ANNA = Sender("anna", "player")


@pytest.mark.parametrize(
    ("message", "sender", "why"),
    [
        (frames.Ask("1", 0, cmd.Deal(card="As")), ANNA, "role"),
        (frames.Ask("1", 0, cmd.Deal(card="As")), Sender("boss", "operator"), "role"),
        (frames.Ask("1", 0, cmd.Hit(box=1)), Sender("boss", "operator"), "role"),
        (frames.Ask("1", 0, cmd.Hit(box=1), role="dealer"), ANNA, "role"),
        (frames.Ask("1", 0, cmd.CloseTable()), Sender("d", "dealer"), "role"),
        (frames.Line("1", 0, "p1 bets 10 on 1"), ANNA, "role"),
        (frames.Line("1", 0, "strike 3 why=x"), ANNA, "role"),
        (frames.Bet("1", 0, 99, 1000), ANNA, "input"),
        (frames.Bet("1", 0, 1, 1000, {"nothing": 5}), ANNA, "input"),
        (frames.Bet("1", 0, 1, 1000), Sender("d", "dealer"), "role"),
        (frames.Done("1", 0), Sender("r", "regulator"), "role"),
    ],
)
def test_whoever_may_not_is_told_so_and_nothing_is_on_record(message: Any, sender: Sender, why: str) -> None:
    table = Table("2c 8s Td 9h", decks=6).play(p1=1)
    with pytest.raises(asking.Problem) as found:
        steps(message, sender, table)
    assert found.value.why == why
    assert found.value.said.words.endswith(".")


def test_a_dealer_of_a_live_table_says_what_players_say() -> None:
    table = Table("2c 8s Td 9h", decks=6).play(p1=1)
    (asked,) = steps(frames.Line("1", 0, "1 stand"), Sender("d", "dealer"), table, live=True)
    assert asked == (cmd.Stand(box=1), player("p1"))
    with pytest.raises(asking.Problem):
        steps(frames.Line("1", 0, "1 stand"), Sender("d", "dealer"), table)


def test_a_line_is_carried_out_as_a_whole_or_not_at_all() -> None:
    """Where the last of its cards cannot come, the decision before them is not made either."""
    table, deals = Table("2c 8s Td 9h", decks=6).play(p1=1), Sender("d", "dealer")
    assert len(steps(frames.Line("1", 0, "s Kd"), deals, table, live=True)) == 2
    with pytest.raises(asking.Problem) as found:
        steps(frames.Line("1", 0, "s Kd Kd"), deals, table, live=True)
    assert found.value.why == "refused"
    (alone,) = steps(frames.Line("1", 0, "Kd^"), deals, table, live=True)
    assert isinstance(alone.command, cmd.DealFaceUp)


@pytest.mark.parametrize(
    "command",
    [
        cmd.OpenDispute(about="x" * 501),
        cmd.OpenDispute(about="a\u202eb"),
        cmd.OpenDispute(about="a\x1b[2Jb"),
    ],
)
def test_text_that_deceives_is_not_taken(command: Any) -> None:
    with pytest.raises(ParseError):
        steps(frames.Ask("1", 0, command), ANNA, Table("2c 8s Td 9h", decks=6))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"null",
        b"\xff\xfe",
        b"[" * 5000,
        b'{"type":"hello","seen":-1}',
        b'{"type":"hello","seen":1,"more":2}',
        b'{"type":"nothing"}',
        b'{"type":"ask","id":"","seen":0,"command":{"type":"Hit","box":1}}',
        b'{"type":"ask","id":"1","seen":0,"command":{"type":"Hit","box":1,"by":"p1"}}',
        b'{"type":"ask","id":"1","seen":0,"command":{"type":"Hit","box":"1"}}',
        b'{"type":"bet","id":"1","seen":0,"box":1,"stake":-5}',
        b'{"type":"line","id":"1","seen":0,"line":"\\ud800"}',
        b"x" * 20_000,
    ],
)
def test_what_is_no_message_is_said_to_be_none(raw: bytes) -> None:
    with pytest.raises(ParseError):
        read(raw)


# Threads

READS_AT_ONCE = """
import sys, threading
sys.setswitchinterval(1e-6)
import msgspec
from croupier.record.line import Entry, Header
from croupier.web.app import look_through_types

look_through_types()
barrier = threading.Barrier(8)
def read(kind):
    barrier.wait()
    msgspec.json.Decoder(kind)
threads = [threading.Thread(target=read, args=(kind,)) for kind in 4 * (Entry, Header)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "WITHIN", 0.05)

    async def never() -> Any:
        await asyncio.sleep(60)

    with pytest.raises(access.Problem, match="too slowly") as found:
        asyncio.run(access.body(Request({"type": "http"}, never), dict))
    assert found.value.status == 408


def test_threads_that_read_at_once_do_not_end_the_process() -> None:
    """Two times in three they did, before types were looked through beforehand."""
    for _ in range(4):
        assert subprocess.run([sys.executable, "-c", READS_AT_ONCE], check=False).returncode == 0


# Words for whom they concern


def test_what_is_about_a_player_is_told_to_them_in_their_own_words() -> None:
    table = Table("2c 8s Td 8h 9c 5c", decks=6).play(p1=1, p2=1)
    table.conductor.give(cmd.Split(box=1), player("p1"))
    table.conductor.give(cmd.Split(box=1), player("p2"))
    table.conductor.carry_on()
    told = {(line.event, line.player): line for line in table.lines() if line.yours}
    assert told["WagerPlaced", "p2"].yours == "You bet $10 on box 1"
    assert told["HandSplit", "p1"].words == "Box 1 is split by p1, p2"
    assert told["HandSplit", "p1"].yours == "You split box 1, p2 with you"
    assert told["CardDealt", "p1"].yours == "9♣ to you on box 1: 17"
    assert not any(line.yours for line in table.lines() if line.event == "NoMoreBets")


def test_a_settlement_is_told_to_whose_it_is() -> None:
    table = Table("2c Ts Td 9h 7c", decks=6).play(p1=1)
    table.conductor.give(cmd.Stand(box=1), player("p1"))
    table.conductor.carry_on()
    (settled,) = [line for line in table.lines() if line.event == "Settled"]
    assert (settled.words, settled.yours) == ("p1 on box 1 wins $10 on $10", "You win $10 on $10, box 1")
    assert settled.how == "19 against 17"


def test_a_natural_is_settled_at_its_odds() -> None:
    table = Table("2c As 9d Kh 8c", decks=6).play(p1=1)
    table.conductor.carry_on()
    (settled,) = [line for line in table.lines() if line.event == "Settled"]
    assert settled.how == "Blackjack, 3 to 2"


@pytest.mark.parametrize(
    ("rulebook", "words", "clause"),
    [
        ("act-blackjack-2003", "the dealer draws for you to 12 or more", "14.7"),
        ("act-pontoon-2002", "the dealer draws for you to 12 or more", "15.7"),
        ("uk-blackjack-1994", "your hand stands", "7(1)(e)"),
    ],
)
def test_who_lets_the_time_run_out_is_told_what_happens_by_the_rulebook(
    rulebook: str, words: str, clause: str
) -> None:
    book = load(rulebook)
    table = Table("2c 9s Kd 5h 8c 5d", book).play(p1=1, p2=2) if book.rules.boxes_needed > 1 else None
    state = (table or Table("2c 9s Kd 5h", book).play(p1=1)).state
    late = choosing.late(state, book, "p1", "decision")
    assert (late.words, late.clauses[0]) == (words, clause)


def test_whose_double_may_be_forfeited_is_asked_about_that_hand() -> None:
    book = load("act-pontoon-2002")
    table = Table("5s 6s 3d 4s 6h 8d", book).play(p1=1, p2=2)
    table.conductor.give(cmd.Double(box=1), player("p1"))
    table.conductor.next_card()
    now = waits.wait(table.state, waits.Answers(), {"p1", "p2"})
    assert now
    assert (now.kind, now.names, waits.doubled(now, "p2")) == ("forfeit", ("p1",), None)
    asked = choosing.asked(table.state, book, "p1", waits.doubled(now, "p1"), passed=False)
    assert asked == "Box 1 has 17 hard. Keep the double, or forfeit it?"


def test_another_on_the_box_decides_for_one_who_lets_the_time_run_out() -> None:
    state = Table("2c 9s Kd 5h", decks=6).play(p1=1, p2=1).state
    assert choosing.late(state, ACT, "p1", "decision").words == "p2 decides"


@pytest.mark.parametrize("rulebook", NAMES)
def test_what_a_page_shows_without_a_sentence_has_its_clauses(rulebook: str) -> None:
    book = load(rulebook)
    state = open_state(book.choose())
    clocks = frames.Clocks()
    facts = showing.facts(state, book, number="1", name="Table 1", kind="live", clocks=clocks, alone=False)
    known = {book.short(clause) for clause in book.clauses}
    assert {name for cited in facts.cites.values() for name in cited} <= known
    assert facts.cites["decks"]
    assert all(row.clauses for row in facts.pays)
    if book.rules.misplaced_card != "none":
        assert facts.cites["misplaced"] == telling.clauses(book, "misplaced_card")


# Which Croupier it is


def test_the_commit_is_named_where_it_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Fetched:
        def read_text(self, name: str) -> str:
            return '{"url": "x", "vcs_info": {"vcs": "git", "commit_id": "0123456789abcdef"}}'

    monkeypatch.setattr(release, "CHECKOUT", tmp_path)
    monkeypatch.setattr(release, "commit", release.commit.__wrapped__)
    assert release.release() == f"Croupier {__version__}"
    monkeypatch.setattr(release, "distribution", lambda name: Fetched())
    assert release.release() == f"Croupier {__version__} (0123456)"


def test_a_house_edge_is_solved_once_and_then_on_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game = {"rules": what_is_set(load("act-blackjack-2003").choose()), "decks": 6}
    edge = edges.solved(game)
    assert edge == pytest.approx(0.00514056, abs=1e-8)
    asked = (
        "import sys, msgspec; from croupier.web.edges import solved\n"
        "print(solved(msgspec.json.decode(sys.argv[1])))\nassert 'numba' not in sys.modules"
    )
    command = [sys.executable, "-c", asked, msgspec.json.encode(game).decode()]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (float(made.stdout), made.stderr) == (edge, "")
    without = {**game, "rules": what_is_set(load("act-pontoon-2002").choose(doubled_evens="box"))}
    with pytest.raises(RulebookError, match="doubled_evens"):
        edges.solved(without)
