"""The conductor: decide, store, swap, tell. What cannot be put on record has not happened."""

from __future__ import annotations

import errno
import io
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cards import Card
from croupier.conductor import Conductor
from croupier.errors import ParseError, Refused, StoreError
from croupier.house.shoes import ScriptedShoe, VirtualShoe
from croupier.house.tables import new_table, resume
from croupier.record import LogWriter, Memory, Told, header_for, read_log, replay
from croupier.record.log import read_lines
from croupier.rulebook import load
from croupier.table import commands as cmd
from croupier.table import evolve, open_state
from croupier.table.actors import DEALER, Actor, player
from croupier.table.commands import Asked
from evenings import Evening

BOOK = load("act-blackjack-2003")
HOUSE = BOOK.demonstration
P1 = player("p1")


class Tight(io.BytesIO):
    """A disk with room for so many bytes; what is beyond them is refused after the part that fits."""

    room = 10**9
    stuck = False

    def write(self, data: bytes) -> int:  # type: ignore[override]
        fits = max(0, self.room - self.tell())
        if not fits and data:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data[:fits])

    def truncate(self, size: int | None = None) -> int:
        if self.stuck:
            raise OSError(errno.EIO, "Input/output error")
        return super().truncate(size)


def table_on(stream: Tight) -> Conductor:
    rules = BOOK.rules_for(HOUSE)
    store = LogWriter(stream, "table.log")
    store._write(header_for(BOOK, rules, HOUSE))
    return Conductor(open_state(rules), store, VirtualShoe(seed=5))


def commands(table: Conductor) -> list[Asked]:
    """What is asked in a first round, a refusal among it, from an uninterrupted table."""
    asked: list[Asked] = []
    table.listeners.append(lambda told: asked.append(told.entry.asked))
    table.give(cmd.Sit(box=1), P1)
    while table.carry_on() == "cut":
        table.give(cmd.DeclineCut(), player(table.state.shoe.offer))
    table.give(cmd.OpenBetting())
    with pytest.raises(Refused):
        table.give(cmd.Wager(box=9, stake=1000), P1)
    asked.append(Asked(cmd.Wager(box=9, stake=1000), P1))
    table.give(cmd.Wager(box=1, stake=1000), P1)
    table.give(cmd.AnnounceNoMoreBets())
    table.carry_on()
    return asked


def told_of(table: Conductor) -> list[Told]:
    told: list[Told] = []
    table.listeners.append(told.append)
    return told


def obey(table: Conductor, command: cmd.Command, by: Actor) -> StoreError | None:
    """Give a command, a card as the shoe has it: a refusal is an answer, and a store's error is returned."""
    assert isinstance(table.cards, VirtualShoe)
    if isinstance(command, cmd.CardCommand):
        assert command.card == table.cards.peek(table.state)
    try:
        table.give(command, by)
    except Refused:
        return None
    except StoreError as error:
        return error
    return None


def test_a_full_disk_changes_nothing_wherever_it_is_full() -> None:
    disk = Tight()
    asked = commands(table_on(disk))
    reference = disk.getvalue()
    for room in range(reference.index(b"\n") + 1, len(reference)):
        stream = Tight()
        table = table_on(stream)
        stream.room = room
        assert _gets_past(table, stream, asked, reference) == 1
        assert stream.getvalue() == reference
    assert replay(read_lines(reference.split(b"\n")[:-1], "table.log")).refusals == 1


def _gets_past(table: Conductor, stream: Tight, asked: list[Asked], reference: bytes) -> int:
    """Give all that is asked, what could not be stored a second time; how often that was."""
    assert isinstance(table.cards, VirtualShoe)
    told = told_of(table)
    failed = 0
    for number, one in enumerate(asked, start=1):
        before = table.state, table.cards.cards, len(told)
        error = obey(table, *one)
        if error is not None:
            failed += 1
            assert re.search(r"^table\.log: cannot be written: No space .* can be given again$", str(error))
            assert (table.state, table.cards.cards, len(told)) == before
            assert stream.getvalue() == b"".join(reference.splitlines(keepends=True)[:number])
            stream.room = 10**9
            assert obey(table, *one) is None
    return failed


def test_a_line_that_could_not_be_taken_back_at_once_is_before_the_next() -> None:
    stream = Tight()
    table = table_on(stream)
    table.give(cmd.Sit(box=1), P1)
    before = stream.getvalue()
    stream.room, stream.stuck = len(before) + 7, True
    for _ in range(2):
        with pytest.raises(StoreError):
            table.give(cmd.CheckCards())
    stream.room, stream.stuck = 10**9, False
    table.give(cmd.CheckCards())
    assert stream.getvalue().startswith(before + b'{"n":2,')
    assert replay(read_lines(stream.getvalue().split(b"\n")[:-1], "table.log")).state == table.state


def test_a_refusal_that_cannot_be_stored_is_no_refusal() -> None:
    stream = Tight()
    table = table_on(stream)
    stream.room = stream.tell() + 20
    with pytest.raises(StoreError):
        table.give(cmd.Wager(box=1, stake=1000), P1)
    assert table.store.count == 0


def test_a_new_log_on_a_full_disk_leaves_no_file(tmp_path: Path) -> None:
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limit[1]))
    try:
        with pytest.raises(ParseError, match="cannot be written"):
            new_table(BOOK, HOUSE, log=tmp_path / "table.log")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert list(tmp_path.iterdir()) == []


def test_a_shoe_that_cannot_be_kept_keeps_the_shuffle_off_the_record(tmp_path: Path) -> None:
    shoe = VirtualShoe(1)
    table = new_table(BOOK, HOUSE, cards=shoe, log=tmp_path / "table.log")
    table.give(cmd.CheckCards())
    blocked = tmp_path / "table.log.shoe.new"
    (blocked / "in the way").mkdir(parents=True)
    with pytest.raises(StoreError, match=r"table\.log\.shoe: cannot be written"):
        table.give(cmd.Shuffle())
    assert (table.state.stage, table.store.count, shoe.cards) == ("shuffle", 1, ())
    (blocked / "in the way").rmdir()
    blocked.rmdir()
    table.give(cmd.Shuffle())
    assert len(read_log(tmp_path / "table.log").entries) == 2


def test_a_dealer_is_told_and_goes_on_when_there_is_room_again(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    program = f"""
import resource, sys
from croupier.cli import main
from croupier.cli.deal import Desk
give, tries = Desk._give, []
def tight(desk, command, by):
    tries.append(command)
    soft = {log.as_posix()!r}
    import os
    room = os.path.getsize(soft) + 30 if len(tries) == 2 else resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    give(desk, command, by)
Desk._give = tight
sys.argv = ["croupier", "deal", "--log", {log.as_posix()!r}]
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        input="\np1 sits 1\np1 sits 1\nquit\n",
        capture_output=True,
        text=True,
    )
    assert "the table stands where it stood, and the command can be given again" in done.stdout, done.stderr
    assert [type(entry.command) for entry in read_log(log).entries] == [cmd.CheckCards, cmd.Sit]


def test_memory_keeps_entries_and_refusals() -> None:
    store = Memory()
    table = Conductor(open_state(BOOK.rules_for(HOUSE)), store)
    told = told_of(table)
    table.give(cmd.Sit(box=1), P1)
    with pytest.raises(Refused) as refused:
        table.give(cmd.Shuffle())
    assert [entry.n for entry in store.entries] == [1, 2]
    assert store.entries[1].by == DEALER
    assert store.entries[1].refused is not None
    assert store.entries[1].refused.provision == refused.value.provision
    assert [one.entry for one in told] == store.entries[:1]


def test_each_event_is_told_with_the_table_right_after_it() -> None:
    table = Conductor(open_state(BOOK.rules_for(HOUSE)), cards=VirtualShoe(3))
    told = told_of(table)
    evening = Evening(table, 3)
    evening.sit()
    while table.state.round < 4:
        evening.step()
    assert any(len(one.events) > 1 for one in told)
    for one in told:
        state = one.before
        for (event, at), expected in zip(one.moments(), one.events, strict=True):
            state = evolve(state, expected)
            assert (event, at) == (expected, state)
        assert state == one.after


def test_a_replayed_log_tells_what_the_table_told(tmp_path: Path) -> None:
    table = new_table(BOOK, HOUSE, cards=VirtualShoe(3), log=tmp_path / "table.log")
    told = told_of(table)
    evening = Evening(table, 3, mishaps=0.1)
    evening.sit()
    while table.state.round < 4:
        evening.step()
    table.close()
    again: list[Told] = []
    replay(read_log(tmp_path / "table.log"), again.append)
    assert again == told


def test_a_card_that_is_refused_stays_in_the_shoe() -> None:
    for shoe in (VirtualShoe(2), ScriptedShoe(["2c", "5h", "6h"])):
        table = Conductor(open_state(BOOK.rules_for(HOUSE)), cards=shoe)
        table.carry_on()
        word = shoe.peek(table.state)
        with pytest.raises(Refused):
            table.give(cmd.Deal(card=Card(word)))
        assert shoe.peek(table.state) == word


def test_a_script_gives_up_a_word_only_for_a_card_from_the_shoe() -> None:
    shoe = ScriptedShoe(["2c", "5h", "5h", "6h"])
    table = Conductor(open_state(BOOK.rules_for(HOUSE)), cards=shoe)
    table.carry_on()
    table.give(cmd.Sit(box=1), P1)
    table.give(cmd.OpenBetting())
    table.give(cmd.Wager(box=1, stake=1000), P1)
    table.give(cmd.AnnounceNoMoreBets())
    table.give(cmd.DrawInError(card=Card("5h")))
    table.next_card()
    assert table.state.hand(1, 1).cards == ("5h",)
    assert shoe.peek(table.state) == "5h"


def test_the_log_of_a_case_does_not_go_on() -> None:
    golden = next((Path(__file__).parent / "logs").glob("*case-a1.log"))
    with pytest.raises(ParseError, match="does not go on"):
        resume(read_log(golden))
