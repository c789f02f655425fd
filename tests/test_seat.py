"""The player's page: every key, every size, cards one by one, and players who press at random."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pexpect
import pyte
import pytest
from textual.pilot import Pilot

from croupier.cli.play import _seats
from croupier.cli.seat import Field, Page
from croupier.errors import StoreError
from croupier.house.coaching import Coach
from croupier.house.evening import YOU, Evening
from croupier.house.settings import settings_of
from croupier.house.shoes import ScriptedShoe, VirtualShoe
from croupier.house.tables import new_table
from croupier.record import Told, read_log, replay
from croupier.rulebook import NAMES, load
from croupier.table import commands as cmd
from croupier.table.actors import player
from croupier.table.chips import held_by, moves, on_table

SMALL, LARGE = (80, 24), (120, 40)
CROUPIER = (sys.executable, "-m", "croupier")

Script = Callable[[Page, Pilot[None]], Awaitable[None]]


def seated(name: str = "blackjack", *, seed: int = 3, others: int = 0, side_bets: bool = False) -> Evening:
    """Somebody who has just sat down."""
    book, shoe = load(name), VirtualShoe(seed)
    settings = settings_of(book, None, side_bets=side_bets)
    evening = Evening(book, new_table(book, settings, cards=shoe), shoe, 50000)
    evening.sit_down(_seats(book, settings, 1, None, others))
    evening.begin()
    return evening


def dealt(name: str, cards: str) -> Evening:
    """Somebody who will be dealt these cards."""
    book = load(name)
    script = ScriptedShoe([*["2c"] * book.rules.burn_cards, *cards.split()])
    evening = Evening(book, new_table(book, book.demonstration, cards=script), VirtualShoe(1), 50000)
    evening.sit_down([(YOU, 1)])
    evening.begin()
    return evening


def on_page(evening: Evening, script: Script, size: tuple[int, int] = SMALL, *, fast: bool = True) -> None:
    """Play a script on a page of this size."""

    async def run() -> None:
        page = Page(evening, fast=fast)
        async with page.run_test(size=size) as pilot:
            await pilot.pause()
            await script(page, pilot)

    asyncio.run(run())


def shown(page: Page) -> str:
    """What stands on the screen."""
    strips = page.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


async def typed(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


async def to_bet(page: Page, pilot: Pilot[None]) -> None:
    """Stand, decline and draw until the next bet is asked for."""
    while page.question is not None and page.question.kind != "bet":
        keys = [option.key for option in page.question.open]
        await typed(pilot, next(key for key in ("n", "s", "h") if key in keys))


# Rounds


@pytest.mark.parametrize("size", [SMALL, LARGE, (60, 20), (40, 12)])
@pytest.mark.parametrize("name", NAMES)
def test_a_round_of_every_rulebook_at_every_size(name: str, size: tuple[int, int]) -> None:
    evening = seated(name)

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await typed(pilot, "1", "0", "enter")
        if page.question is not None and page.question.kind == "bet":
            await typed(pilot, "enter")
        await to_bet(page, pilot)
        assert "Your bet?" in shown(page)
        assert evening.book.words.dealer in shown(page)
        assert max(map(len, shown(page).splitlines())) <= size[0]

    on_page(evening, script, size)


@pytest.mark.parametrize("name", NAMES)
def test_seven_boxes_leave_the_dealer_and_the_results_in_sight(name: str) -> None:
    evening = seated(name, others=6, seed=21)

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await typed(pilot, "1", "0", "enter")
        before = shown(page)
        await to_bet(page, pilot)
        for text in (before, shown(page)):
            assert evening.book.words.dealer in text
            assert all(f"p{number} " in text for number in range(2, 8))
        assert "Round 1:" in shown(page)
        assert "box 1   [" in shown(page)
        assert "Your bet?" in shown(page)

    on_page(evening, script)


def test_enter_repeats_the_bet_and_the_field_is_edited() -> None:
    evening = seated()

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await typed(pilot, "2", "5", "left", "backspace", "1", "enter")
        assert evening.last[1].stake == 1500
        await to_bet(page, pilot)
        assert "Enter: $15 again" in shown(page)
        await typed(pilot, "enter")
        assert evening.risk == 1500 or evening.finished

    on_page(evening, script)


def test_a_side_bet_is_typed_behind_the_bet() -> None:
    evening = seated(side_bets=True)

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await typed(pilot, *"10", "space", *"pp", "equals_sign", "5", "enter")
        assert evening.last[1].sides == {"perfect_pairs": 500}

    on_page(evening, script)


def test_results_come_in_a_players_words() -> None:
    for cards, words in (
        ("Th 9c 6d Kd", "Bust −$10"),
        ("Th 9c Kd Td", "You win +$10"),
        ("Th 9c 9d Td", "Push $0"),
        ("Ah 9c Kd", "BLACKJACK +$15"),
    ):
        evening = dealt("blackjack", cards)

        async def script(page: Page, pilot: Pilot[None], words: str = words) -> None:
            await typed(pilot, "1", "0", "enter")
            if page.question is not None and page.question.kind == "decision":
                await typed(pilot, "h" if words.startswith("Bust") else "s")
            assert words in shown(page)
            assert "box 1   [" in shown(page)

        on_page(evening, script)


def test_pounds_and_the_word_of_the_game() -> None:
    async def script(page: Page, pilot: Pilot[None]) -> None:
        assert "£5 to £500" in shown(page)
        await typed(pilot, "n", "n")
        assert "a round needs 2 [uk-blackjack-1994 7(1)(a)]" in shown(page)

    on_page(seated("uk"), script)


# Keys by the way


def test_help_why_not_the_game_and_a_clause() -> None:
    evening = dealt("blackjack", "Th 9c 6d Kd")

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await typed(pilot, "1", "0", "enter")
        assert "16 hard against 9♣" in shown(page)
        await typed(pilot, "question_mark")
        assert "another card" in shown(page)
        await typed(pilot, "w")
        assert "Dict:Split]" in shown(page)
        await typed(pilot, "g")
        assert "is soft" in " ".join(shown(page).split())
        await typed(pilot, "c", *"9.1", "enter")
        assert "9.1(a)" in shown(page)
        await typed(pilot, "c", *"77", "enter")
        assert "has no clause '77'" in shown(page)
        await typed(pilot, "c", "escape", "p")
        assert "Split refused" in shown(page)

    on_page(evening, script)


def test_without_a_coach_a_tells_of_the_game_and_nobody_advises() -> None:
    evening = dealt("blackjack", "Th 9c 6d Kd")

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await typed(pilot, "1", "0", "enter", "a")
        assert "Come closer to 21" in shown(page)
        assert "coach" not in shown(page)

    on_page(evening, script)


# Cards one by one


def test_cards_arrive_one_by_one_and_a_key_hurries_them_but_decides_nothing() -> None:
    evening = dealt("blackjack", "Th 9c 6d Kd")

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await pilot.press("1", "0", "enter")
        assert page._dealing is not None
        assert "Your bet?" not in shown(page)  # it has been answered
        assert len(evening.state.box(1).hands[0].cards) == 1
        await typed(pilot, "h")
        assert page._dealing is None
        assert evening.state.box(1).hands[0].cards == ("Th", "6d")
        await pilot.press("h")
        await pilot.pause(1)
        assert "Bust" in shown(page)

    on_page(evening, script, fast=False)


def test_a_natural_is_announced_after_its_cards_are_shown() -> None:
    evening = dealt("blackjack", "Ah 9c Kd")

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await pilot.press("1", "0", "enter")
        while len(evening.state.box(1).hands[0].cards) < 2:
            await asyncio.sleep(0.02)
        await pilot.pause()
        seen = shown(page)
        assert "│K" in seen
        assert "BLACKJACK" not in seen
        await pilot.pause(1)
        assert "BLACKJACK +$15" in shown(page)

    on_page(evening, script, fast=False)


# What goes wrong


def test_what_cannot_be_put_on_record_is_tried_again() -> None:
    evening = seated()
    append, full = evening.table.store.append, [True]

    def fails(entry: object) -> None:
        if full[0]:
            raise StoreError("table.log", OSError(28, "No space left on device"))
        append(entry)  # type: ignore[arg-type]

    async def script(page: Page, pilot: Pilot[None]) -> None:
        evening.table.store.append = fails  # type: ignore[method-assign]
        await typed(pilot, "1", "0", "enter")
        assert "No space left" in shown(page)
        assert evening.risk == 0
        full[0] = False
        await typed(pilot, "enter")
        full[0] = True
        await typed(pilot, "s")
        assert "No space left" in shown(page)
        full[0] = False
        await typed(pilot, "enter")
        assert not page.stuck

    on_page(evening, script)


class Ledger:
    """What p1 holds, folded from the moves of chips."""

    def __init__(self) -> None:
        self.held = 0

    def __call__(self, told: Told) -> None:
        before = told.before
        for event, after in told.moments():
            for move in moves(before, event):
                self.held += move.amount * ((move.target == held_by(YOU)) - (move.source == held_by(YOU)))
            before = after


KEYS = [*"hsdprifen?wgac", *["", ""], "10", "25", "7", "500", "0", "10 pp=5", "x", "1e9", "2.50"]


@pytest.mark.parametrize("name", NAMES)
def test_whoever_presses_at_random_breaks_nothing(name: str, tmp_path: Path) -> None:
    """Thousands of keys: no traceback, the purse is what the ledger says, and the record replays."""
    book, shoe, log = load(name), VirtualShoe(8), tmp_path / "table.log"
    settings = settings_of(book, None, side_bets=True)
    evening = Evening(book, new_table(book, settings, cards=shoe, log=log), shoe, 500000)
    ledger = Ledger()
    evening.table.listeners.append(ledger)
    evening.sit_down(_seats(book, settings, 2, 2, 1))
    evening.begin()
    chance = random.Random(5)

    async def script(page: Page, pilot: Pilot[None]) -> None:
        for number in range(2500):
            key = chance.choice(KEYS)
            page.press(key, typed=len(key) > 1)
            assert evening.free == evening.brought + ledger.held
            if number % 100 == 0:
                await pilot.pause()

    on_page(evening, script)
    evening.table.close()
    done = replay(read_log(log)).state
    assert done.round > 20
    assert evening.purse == evening.brought + done.won.get(YOU, 0)
    assert evening.risk == on_table(done, YOU)


# The coach


def coached(evening: Evening) -> Coach:
    coach = Coach(evening.book)
    evening.chose = coach.judge
    return coach


def answered(evening: Evening, coach: Coach, *answers: str) -> None:
    """Give answers one after another, the table going on in between."""
    for answer in answers:
        while (question := evening.asked) is None:
            evening.on()
        coach.consider(evening.state, question)
        evening.answer(answer)
    coach.wait()


def test_the_coach_says_what_was_best_and_what_a_mistake_cost() -> None:
    evening = dealt("blackjack", "Th 6c Td 5c 8d 9c Kd")
    coach = coached(evening)
    answered(evening, coach, "10", "h")
    (judged,) = coach.judged
    assert judged.best == "s"
    assert coach.words(judged).startswith("stand was better by $")
    assert coach.summary()[0].startswith("Coach: 0 of 1 best, $")
    assert coach.summary()[1].startswith("  10♥ 10♦ against 6♣: hit; stand was better by $")
    coach.close()


def test_the_coach_judges_offers_once_and_only_what_is_open() -> None:
    evening = dealt("blackjack", "Th Ac 6d 5c 8d 9c Kd")
    coach = coached(evening)
    answered(evening, coach, "10", "i", "5", "s")
    assert [judged.choice for judged in coach.judged] == ["i", "s"]
    assert coach.words(coach.judged[0]).startswith("play on was better by $0.")
    coach.close()


def test_the_page_has_advice_before_and_a_verdict_after() -> None:
    evening = dealt("blackjack", "Th 6c Td 5c 8d 9c Kd")
    coach = coached(evening)

    async def run() -> None:
        page = Page(evening, fast=True, coach=coach)
        async with page.run_test(size=SMALL) as pilot:
            await typed(pilot, "1", "0", "enter", "a")
            coach.wait()
            await pilot.pause()
            assert "10♥ 10♦ against 6♣: stand +$" in shown(page)
            await typed(pilot, "s")
            coach.wait()
            await pilot.pause()
            assert "coach: best" in shown(page)

    asyncio.run(run())
    coach.close()


def test_the_coach_speaks_line_by_line_too() -> None:
    typed = "10\na\nh\n"
    done = subprocess.run(
        [*CROUPIER, "play", "--coach", "--seed", "3"], input=typed, capture_output=True, text=True, check=True
    )
    assert "J♣ 10♣ against 3♥: stand +$" in done.stdout
    assert "coach: stand was better by $15.01" in done.stdout
    assert "Coach: 0 of 1 best, $15.01 given away." in done.stdout


# Through a terminal


class Terminal:
    """A whole-screen `croupier` at the other end of a pseudo-terminal."""

    def __init__(self, home: Path, *args: str, size: tuple[int, int] = SMALL) -> None:
        columns, lines = size
        self.screen = pyte.Screen(columns, lines)
        self.stream = pyte.Stream(self.screen)
        env = {**os.environ, "TERM": "xterm-256color", "XDG_STATE_HOME": str(home)}
        env = {name: value for name, value in env.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        self.process = pexpect.spawn(
            CROUPIER[0],
            [*CROUPIER[1:], *args],
            env=env,
            dimensions=(lines, columns),
            encoding="utf-8",
            timeout=30,
        )

    def until(self, words: str, seconds: float = 30) -> str:
        """Read on until these words stand on the screen."""
        end = time.monotonic() + seconds
        while words not in (text := self.text) and time.monotonic() < end:
            try:
                self.stream.feed(self.process.read_nonblocking(65536, timeout=0.1))
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                break
        assert words in self.text, text
        return self.text

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, keys: str) -> None:
        self.process.send(keys)

    def end(self) -> str:
        self.process.expect(pexpect.EOF)
        self.process.close()
        self.stream.feed(self.process.before)
        assert self.process.exitstatus == 0, self.process.before
        assert "Traceback" not in self.process.before
        return self.process.before


def test_play_through_a_terminal_is_kept_and_goes_on(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "--fast", "--seed", "3")
    terminal.until("Your bet?")
    terminal.press("10\r")
    terminal.until("20 hard")
    terminal.press("q")
    said = terminal.end()
    assert "stays on the table as it lies; `croupier play` goes on" in " ".join(said.split())
    terminal = Terminal(tmp_path, "play", "--fast")
    terminal.until("Go on where you left (ACT Blackjack, 2003, round 1, $490 and $10 on the table)?")
    terminal.press("y")
    terminal.until("20 hard against 3♥")
    terminal.press("s")
    terminal.until("Round 1:")
    terminal.press("\x03")
    assert "You leave with" in terminal.end()


def test_who_does_not_go_on_gets_a_new_table(tmp_path: Path) -> None:
    for answer in ("", "n"):
        terminal = Terminal(tmp_path, "play", "--fast")
        if answer:
            terminal.until("Go on where you left")
            terminal.press(answer)
        terminal.until("Your bet?")
        terminal.press("q")
        terminal.end()
    assert len(list((tmp_path / "croupier").glob("play-*.log"))) == 2


def test_no_save_keeps_nothing(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "play", "--no-save")
    terminal.until("Your bet?")
    terminal.press("q")
    terminal.end()
    assert not (tmp_path / "croupier").exists()


def test_croupier_alone_is_a_menu(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.until("p  play at a table")
    terminal.press("r")
    terminal.until("Which game?")
    terminal.press("4")
    assert "Canberra Pontoon" in terminal.end()
    terminal = Terminal(tmp_path)
    terminal.until("q  quit")
    terminal.press("p")
    terminal.until("Which game?")
    terminal.press("3")
    terminal.until("£5 to £500")
    terminal.press("q")
    terminal.end()


def test_croupier_alone_without_a_terminal_is_the_help_in_a_newcomers_order() -> None:
    done = subprocess.run([*CROUPIER], capture_output=True, text=True, check=True)
    names = ["play", "deal", "explain", "replay", "check", "case", "solve", "compare", "sheet", "rules"]
    places = [done.stdout.index(f" {name} ") for name in names]
    assert places == sorted(places)


def test_play_without_a_coach_does_not_read_in_the_solver() -> None:
    code = "import sys, croupier.cli.play, croupier.cli.seat; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_whoever_resumes_in_the_middle_of_a_hand_sees_it(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    book = load("blackjack")
    table = new_table(book, book.demonstration, cards=ScriptedShoe(["2c", "Th", "9c", "6d"]), log=log)
    table.carry_on()
    table.give(cmd.Sit(box=1), player(YOU))
    table.give(cmd.OpenBetting())
    table.give(cmd.Wager(box=1, stake=1000), player(YOU))
    table.give(cmd.AnnounceNoMoreBets())
    table.carry_on()
    table.close()
    terminal = Terminal(tmp_path, "play", "--resume", str(log), size=LARGE)
    terminal.until("16 hard against 9♣")
    terminal.press("q")
    assert f"`croupier play --resume {log}` goes on" in " ".join(terminal.end().split())


def test_the_field_is_only_there_when_something_is_typed() -> None:
    evening = dealt("blackjack", "Th 9c 6d Kd")

    async def script(page: Page, pilot: Pilot[None]) -> None:
        assert page.query_one(Field).display
        await typed(pilot, "1", "0", "enter")
        assert not page.query_one(Field).display

    on_page(evening, script)


# What is typed


def test_a_refused_bet_is_not_the_beginning_of_the_next() -> None:
    evening = seated()

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await typed(pilot, "7", "enter")
        assert "multiple" in shown(page)
        await typed(pilot, "2", "5", "enter")
        assert evening.state.box(1).bets[0].stake == 2500

    on_page(evening, script)


def test_no_digit_is_lost_that_is_typed_while_cards_come() -> None:
    evening = seated(others=3, seed=4)

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await typed(pilot, "n")
        assert page._dealing is not None
        page.press("1")
        page.press("5")
        await pilot.press("0", "enter")
        assert [bet.stake for bet in evening.state.box(1).bets] == [15000]

    on_page(evening, script, fast=False)


def test_a_bet_that_would_go_back_is_not_offered_again() -> None:
    evening = seated()

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await typed(pilot, "5", "enter")
        await to_bet(page, pilot)
        assert evening.again(1) is None

    on_page(evening, script)


def test_what_a_second_box_needs_is_left_for_it() -> None:
    """In the UK a round takes bets on two boxes; who puts everything on one would be asked for ever."""
    evening = seated("uk")

    async def script(page: Page, pilot: Pilot[None]) -> None:
        await typed(pilot, "5", "0", "0", "enter")
        assert "A round needs bets on more boxes" in shown(page)
        assert evening.risk == 0

    on_page(evening, script)
