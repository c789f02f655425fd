"""Lines that were typed in error are struck: they stay, and the table is as it stood before them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from croupier.cards import ALL_CARDS, INDEX
from croupier.conductor import Conductor
from croupier.errors import DoesNotHold, ParseError
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import new_table, resume
from croupier.record import Entry, Strike, Told, read_log, replay
from croupier.record.chain import START, seal, verified
from croupier.record.line import encode
from croupier.record.log import read_lines
from croupier.report.timeline import timeline
from croupier.rulebook import NAMES, load
from croupier.table import commands as cmd
from croupier.table import open_state
from croupier.table.actors import DEALER, OPERATOR, SUPERVISOR, Actor, player
from croupier.table.commands import Asked
from croupier.table.conduct import chore
from evenings import Evening
from test_record_file import croupier

BOOK = load("act-blackjack-2003")
P1 = player("p1")
ROUND = (
    *("", "p1 sits 1", "", "", "104", "52", "2c", "", "p1 bets 10 on 1", ""),
    *("Kh", "9c", "5d", "1 stand", "Td", ""),
)


def live(path: Path, name: str = "act-blackjack-2003") -> Conductor:
    book = load(name)
    return new_table(book, book.demonstration, log=path)


def asked_in_an_evening(name: str, seed: int, rounds: int) -> list[Asked]:
    """What is asked, and not refused, in an evening with mishaps."""
    book = load(name)
    table = new_table(book, book.demonstration, cards=VirtualShoe(seed))
    asked: list[Asked] = []

    def hear(told: Told) -> None:
        assert isinstance(told.entry, Entry)
        asked.append(told.entry.asked)

    table.listeners.append(hear)
    evening = Evening(table, seed, mishaps=0.03)
    evening.sit()
    while table.state.round < rounds and table.state.stage != "closed":
        evening.step()
    return asked


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_an_evening_of_mistyping_ends_as_if_nobody_had(name: str, seed: int, tmp_path: Path) -> None:
    """Lines are struck at random, far back too, and typed anew; money and cards follow."""
    asked = asked_in_an_evening(name, seed, 6)
    path, chance = tmp_path / "table.log", random.Random(seed)
    table = live(path, name)
    done: list[int] = []  # the line of each command that stands
    while len(done) < len(asked):
        if done and chance.random() < 0.04:
            place = chance.randrange(max(0, len(done) - 30), len(done))
            table.strike(done[place], why="mistyped")
            del done[place:]
            continue
        wrong = _wrong(table, asked[len(done)].command, chance)
        table.give(wrong or asked[len(done)].command, asked[len(done)].by)
        done.append(table.store.count + 1)
        if wrong:
            table.strike(done.pop(), why="another card")
    table.close()
    model = Conductor(open_state(table.state.rules))
    for one in asked:
        model.give(*one)
    assert table.state == model.state
    again = replay(read_log(path))
    assert again.state == table.state
    assert [entry.asked for entry in again.log.entries] == asked
    told = timeline(read_log(path))
    assert told.nets == {
        player: net for player, net in sorted(table.state.won.items()) if player in told.nets
    }
    assert all(net == 0 for player, net in table.state.won.items() if player not in told.nets)
    assert (
        sum(item.struck and item.kind == "event" for chapter in told.chapters for item in chapter.items) > 0
    )
    assert told.differences == ()


def _wrong(table: Conductor, command: cmd.Command, chance: random.Random) -> cmd.Command | None:
    """Now and then another card than the one that came."""
    if type(command) is not cmd.Deal or chance.random() > 0.1 or table.state.shoe.held:
        return None
    left = [card for card in ALL_CARDS if card != command.card and table.state.shoe.unseen[INDEX[card]]]
    return cmd.Deal(card=chance.choice(left))


def test_a_table_that_goes_on_can_strike_what_was_typed_before(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    table = live(path)
    before = table.state
    table.give(cmd.Sit(box=1), P1)
    table.close()
    table = resume(read_log(path))
    assert table.strike(2, why="nobody sat") == before
    table.close()
    assert replay(read_log(path)).state == before
    assert [type(line) for line in read_log(path).lines] == [Entry, Strike]
    assert read_log(path).entries == ()


def test_listeners_are_told_of_a_strike() -> None:
    table = Conductor(open_state(BOOK.choose()))
    before = table.state
    table.give(cmd.Sit(box=1), P1)
    told: list[Told] = []
    table.listeners.append(told.append)
    table.strike(2, why="nobody sat")
    assert [(one.entry, one.events, one.after) for one in told] == [
        (Strike(2, "nobody sat", 2, SUPERVISOR), [], before)
    ]


def test_who_strikes_a_strike_brings_back_what_it_struck() -> None:
    table = Conductor(open_state(BOOK.choose()))
    for box in (1, 2, 3):
        table.give(cmd.Sit(box=box), player(f"p{box}"))
    seated = table.state
    table.strike(3, why="the wrong table")
    assert table.state.box(2).seat == ""
    table.give(cmd.Sit(box=4), player("p4"))
    table.strike(5, why="it was the right one")
    assert table.state == seated
    table.strike(4, why="p3 is not there")
    assert [box.seat for box in table.state.boxes[:3]] == ["p1", "p2", ""]


def test_what_was_brought_follows_a_strike(tmp_path: Path) -> None:
    table = live(tmp_path / "table.log")
    table.bring(50000, P1)
    table.bring(20000, P1)
    table.strike(3, why="it was counted twice")
    assert table.brought == {"p1": 50000}
    table.close()
    assert resume(read_log(tmp_path / "table.log")).brought == {"p1": 50000}
    for amount, by in ((0, P1), (-5, P1), (5, DEALER)):
        with pytest.raises(ParseError, match="brings"):
            table.bring(amount, by)


def test_a_strike_takes_in_a_strike_as_a_whole_or_not_at_all() -> None:
    table = Conductor(open_state(BOOK.choose()))
    for box in (1, 2, 3):
        table.give(cmd.Sit(box=box), player(f"p{box}"))
    table.strike(3, why="p2 and p3 are not there")
    for line in (3, 4):
        with pytest.raises(ParseError, match=f"^strike {line}: line {line} is struck already$"):
            table.strike(line, why="half of it")
    table.strike(2, why="nobody is there")
    assert [box.seat for box in table.state.boxes[:3]] == ["", "", ""]


def test_what_bars_a_strike(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    table = live(path)
    table.give(cmd.Sit(box=1), P1)
    size = path.stat().st_size
    for by in (P1, DEALER, OPERATOR):
        with pytest.raises(ParseError, match="only a supervisor strikes lines"):
            table.strike(2, by, "a slip")
    for line in (-1, 0, 1, 3, 99):
        with pytest.raises(ParseError, match=f"; {line} is none of them"):
            table.strike(line, why="a slip")
    with pytest.raises(ParseError, match="a strike says why"):
        table.strike(2, why=" ")
    assert path.stat().st_size == size
    table.close()


def test_no_line_of_a_virtual_table_is_struck(tmp_path: Path) -> None:
    table = new_table(BOOK, BOOK.demonstration, cards=VirtualShoe(1), log=tmp_path / "table.log")
    table.give(cmd.Sit(box=1), P1)
    with pytest.raises(ParseError, match="the cards of a virtual shoe cannot be called back"):
        table.strike(2, why="a slip")
    table.close()


def test_a_closed_day_is_closed(tmp_path: Path) -> None:
    book = load("uk-blackjack-1994")
    path = tmp_path / "table.log"
    table = new_table(book, book.demonstration, log=path)
    table.give(cmd.Sit(box=1), P1)
    while (asked := chore(table.state)) is not None:
        table.give(*asked)
    table.give(cmd.BeginDay(), OPERATOR)
    closed = table.store.count + 1
    table.give(cmd.Sit(box=2), player("p2"))
    for again in (table, None):
        if again is None:
            table.close()
            table = resume(read_log(path))
        for line in (2, closed):
            with pytest.raises(
                ParseError, match=f"line {line} is of a day that is closed with line {closed}"
            ):
                table.strike(line, why="a slip")
    table.strike(closed + 1, why="nobody sat")
    assert table.state.box(2).seat == ""
    table.close()


def test_a_forged_strike_does_not_hold(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    table = live(path)
    table.give(cmd.Sit(box=1), P1)
    table.strike(2, why="nobody sat")
    table.close()
    bodies = list(verified(path.read_bytes().splitlines(), ""))
    for strike, problem in (
        (Strike(1, "all of it", 2, SUPERVISOR), "1 is none of them"),
        (Strike(3, "itself", 2, SUPERVISOR), "3 is none of them"),
        (Strike(2, "mine", 2, P1), "only a supervisor"),
        (Strike(2, "", 2, SUPERVISOR), "says why"),
    ):
        sealed, previous = [], START
        for body in (*bodies[:2], encode(strike)):
            line, previous = seal(body, previous)
            sealed.append(line)
        with pytest.raises(DoesNotHold, match=rf"^t:3: .*{problem}"):
            read_lines(sealed, "t")


# At the desk


def test_a_dealer_puts_a_mistyped_card_right(tmp_path: Path) -> None:
    typed = [*ROUND[:14], "lines 3", "strike 14 why=it was a six", "6d", "1 stand", "Td", "", "", "quit", ""]
    done = croupier("deal", "--log", "t.log", "--as", "supervisor:s1", typed="\n".join(typed), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "  14  5♦ to box 1" in done.stdout
    assert "Lines 14 to 15 are struck: it was a six. The table is as it stood before" in done.stdout
    log = read_log(tmp_path / "t.log")
    (strike,) = (line for line in log.lines if isinstance(line, Strike))
    assert (strike.strike, strike.why, strike.by) == (14, "it was a six", Actor("supervisor", "s1"))
    told = croupier("explain", "t.log", cwd=tmp_path)
    assert told.returncode == 0
    assert "struck: 5♦ to box 1" in told.stdout
    assert "lines 14 to 15 are struck by s1 (supervisor): it was a six" in told.stdout
    assert "6♦ to box 1" in told.stdout
    assert json.loads(croupier("replay", "t.log", "--json", cwd=tmp_path).stdout)["struck"] == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("strike", "Say from which line on, and why"),
        ("strike x why=y", "Say from which line on"),
        ("strike 2", "a strike says why"),
        ("strike 77 why=y", "77 is none of them"),
        ("lines x", "no number of lines"),
        ("lines ²", "no number of lines"),
    ],
)
def test_a_wrong_strike_is_a_sentence(line: str, says: str) -> None:
    done = croupier("deal", typed=f"p1 sits 1\n{line}\nquit\n")
    assert done.returncode == 0
    assert says in done.stdout


def test_a_struck_round_is_typed_into_again(tmp_path: Path) -> None:
    """Back from the second round into the first: the sum stands where the round ends."""
    typed = [*ROUND, "", "", "p1 bets 20 on 1", "strike 16 why=it was an ace", "As", "", "", "quit", ""]
    done = croupier("deal", "--log", "t.log", typed="\n".join(typed), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = timeline(read_log(tmp_path / "t.log"))
    titles = [chapter.title for chapter in told.chapters]
    assert "Round 2" in titles
    assert any(title.startswith("Round 1, from line ") for title in titles)
    ends = [chapter for chapter in told.chapters if chapter.round == 1]
    assert [bool(chapter.nets) for chapter in ends] == [False, True]
    assert told.nets == {"p1": -1000}
    (second,) = (chapter for chapter in told.chapters if chapter.round == 2)
    assert (second.fate, second.nets) == ("struck", {})


def test_a_round_that_was_struck_into_is_a_case_of_what_stands(tmp_path: Path) -> None:
    typed = [*ROUND[:14], "strike 14 why=it was a six", "6d", "1 stand", "Td", "", "", "quit", ""]
    croupier("deal", "--log", "t.log", typed="\n".join(typed), cwd=tmp_path)
    done = croupier("case", "t.log", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert 'cards = "Kh 9c 6d Td"' in done.stdout
