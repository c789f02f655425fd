"""The dealer's page: driven by a pilot, and through a real terminal of eighty columns by twenty-four."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pexpect
import pyte
import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from croupier.cli.page import Page, Reader
from croupier.house.tables import new_table, resume
from croupier.record import read_log, replay
from croupier.rulebook import load
from desks import CARDS, FULL, OPEN, quiet_desk, typed

SIZES = [(80, 24), (120, 40)]
Steps = Callable[[Page, Pilot[None]], Awaitable[None]]


def drive(steps: Steps, size: tuple[int, int] = (80, 24), name: str = "act-blackjack-2003") -> Page:
    """A page at a new table, driven by `steps`."""

    async def run() -> Page:
        book = load(name)
        page = Page(book, new_table(book, book.demonstration), ())
        async with page.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(page, pilot)
        return page

    return asyncio.run(run())


async def enter(page: Page, pilot: Pilot[None], *lines: str) -> None:
    for line in lines:
        page.query_one("#line", Input).value = line
        await pilot.press("enter")
    await pilot.pause()


def seen(page: Page) -> list[str]:
    strips = page.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


# By pilot


@pytest.mark.parametrize("size", SIZES)
def test_a_full_table_is_all_in_sight_to_its_settlement(size: tuple[int, int]) -> None:
    async def steps(page: Page, pilot: Pilot[None]) -> None:
        await enter(page, pilot, *OPEN, "", *FULL, "", CARDS)
        shown = seen(page)
        assert len(shown) == size[1]
        assert max(map(len, shown)) <= size[0]
        assert shown[1].startswith(" dealer  7♣")
        assert shown[2].startswith("▶1       9♠ 8♠")
        for box in range(1, 8):
            assert f"p{3 * box - 2} $10 · p{3 * box - 1} $20 · p{3 * box} $30" in shown[box + 1]
        assert "next: box 1 decides (p1): 17 hard" in "\n".join(shown)
        await enter(page, pilot, "ss2csss3css", "Td", "")
        shown = seen(page)
        assert "17 hard" in shown[1]
        assert "p21 $0" in shown[8]
        assert shown[-2].startswith("> Enter: collect")

    drive(steps, size)


def test_many_splits_keep_the_dealer_and_the_hand_in_turn_in_sight() -> None:
    async def steps(page: Page, pilot: Pilot[None]) -> None:
        bets = [f"p{box} bets 10 on {box}" for box in range(1, 8)]
        await enter(page, pilot, *OPEN, "", *bets, "", "8h8d8s8c8h8d8s9c8c8h8d8s8c8h8d")
        for suits in ("hd",) * 4 + ("sc",) * 3:
            await enter(page, pilot, "p", f"9{suits[0]}", "s", f"9{suits[1]}")
            shown = seen(page)
            assert shown[1].startswith(" dealer  9♣")
            assert sum("▶" in line for line in shown[:16]) == 1
            await enter(page, pilot, "s")
        assert page.desk.state.stage == "dealer"
        assert "2 hands" in "\n".join(seen(page))
        assert seen(page)[-3].startswith("next: ")

    drive(steps)


def test_a_question_is_answered_by_y_or_n() -> None:
    async def steps(page: Page, pilot: Pilot[None]) -> None:
        await enter(page, pilot, "p1 sits 1", "p2 sits 2", *OPEN, "", "1 10", "")
        assert seen(page)[-3] == "p2 has not bet. No more bets? y/n"
        await enter(page, pilot, "n")
        assert page.desk.state.stage == "betting"
        await enter(page, pilot, "", "y")
        assert page.desk.state.stage == "dealing"

    drive(steps)


def test_help_and_the_record_are_read_on_a_page_of_their_own() -> None:
    async def steps(page: Page, pilot: Pilot[None]) -> None:
        await pilot.press("f1")
        assert isinstance(page.screen, Reader)
        assert "Every round" in seen(page)[1]
        await pilot.press("pagedown", "pagedown")
        await pilot.pause()
        assert "Every round" not in seen(page)[1]
        await pilot.press("escape")
        await enter(page, pilot, *OPEN, "", *FULL)
        await pilot.press("pageup")
        assert isinstance(page.screen, Reader)
        await pilot.press("q")
        await enter(page, pilot, "?")
        assert isinstance(page.screen, Reader)
        await pilot.press("escape")
        await enter(page, pilot, "ask by=p1 about=rules")
        assert isinstance(page.screen, Reader)
        assert seen(page)[1].startswith("p1 asks for the rules")

    drive(steps)


def test_lines_are_recalled_and_completed() -> None:
    async def steps(page: Page, pilot: Pilot[None]) -> None:
        line = page.query_one("#line", Input)
        await enter(page, pilot, "p1 sits 1", "what")
        await pilot.press("up", "up")
        assert line.value == "p1 sits 1"
        await pilot.press("down", "down")
        assert line.value == ""
        await pilot.press("g", "i", "tab")
        assert line.value == "give-"
        await pilot.press("n", "tab")
        assert line.value == "give-notice"

    drive(steps)


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+d"])
def test_control_keys_leave(key: str) -> None:
    async def steps(page: Page, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await pilot.pause()

    assert not drive(steps).is_running


def test_letters_only_where_the_terminal_has_no_more() -> None:
    async def steps(page: Page, pilot: Pilot[None]) -> None:
        page.notes.letters_only = True
        await enter(page, pilot, *OPEN, "", "p1 bets 10 on 1", "", "Th9c6d")
        assert all(line.isascii() for line in seen(page))
        assert ">1       10h 6d" in seen(page)[2]

    drive(steps)


def test_a_resumed_table_shows_what_happened_and_offers_the_last_bets(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    desk, _ = quiet_desk(log=log)
    typed(desk, *OPEN, "", "p1 bets 10 on 1", "p2 bets 50 on 2", "", "Th9h9c6d8d", "ss", "5d5c", "", "")
    desk.conductor.close()

    async def run() -> None:
        kept = read_log(log)
        page = Page(kept.book, resume(kept), kept.entries)
        async with page.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert any("Round 1 is over" in line for line in seen(page))
            await enter(page, pilot, "same")
            assert "p2 $50" in seen(page)[3]
        page.desk.conductor.close()

    asyncio.run(run())


# Through a terminal


class Terminal:
    """A `croupier deal` at the other end of a pseudo-terminal, and what that shows."""

    def __init__(self, *args: str | Path) -> None:
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.Stream(self.screen)
        self.seen = ""
        self.process = pexpect.spawn(
            sys.executable,
            ["-m", "croupier", "deal", *map(str, args)],
            env={**os.environ, "TERM": "xterm-256color"},
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=20,
        )

    def until(self, words: str, patience: float = 20) -> list[str]:
        """Read until the words are on the screen."""
        end = time.monotonic() + patience
        while words not in "\n".join(self.screen.display):
            assert time.monotonic() < end, "\n".join(self.screen.display)
            try:
                part = self.process.read_nonblocking(65536, timeout=0.2)
            except pexpect.TIMEOUT:
                continue
            self.seen += part
            self.stream.feed(part)
        return [line.rstrip() for line in self.screen.display]

    def type(self, *lines: str) -> None:
        for line in lines:
            self.process.send(f"{line}\r")


def test_a_round_on_a_real_screen(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    terminal = Terminal("--log", log)
    terminal.until("Whose table is it")
    terminal.type("")
    terminal.until("Enter: all 312 cards are there")
    terminal.type(*OPEN)
    terminal.until("Enter: place your bets")
    terminal.type("", *FULL)
    terminal.until("21 wagers on 7 boxes, $420")
    terminal.type("", CARDS)
    shown = terminal.until("next: box 1 decides (p1)")
    assert shown[1].startswith(" dealer  7♣")
    assert shown[8].startswith(" 7       8♦ 9♣")
    terminal.type("ss2csss3css", "Td", "")
    terminal.until("Enter: collect")
    terminal.type("quit")
    terminal.process.expect("The table is left at round 1, stage 'settled'; everything is in")
    terminal.process.expect(pexpect.EOF)
    terminal.process.close()
    assert terminal.process.exitstatus == 0
    assert replay(read_log(log)).state.stage == "settled"


@pytest.mark.parametrize("way", ["c", "d"])
def test_leaving_a_real_screen(way: str) -> None:
    terminal = Terminal()
    terminal.until("Whose table is it")
    terminal.type("")
    terminal.until("Enter: all 312 cards are there")
    terminal.process.sendcontrol(way)
    terminal.process.expect("The table is left at round 0")
    terminal.process.expect(pexpect.EOF)
    terminal.process.close()
    assert terminal.process.exitstatus == 0


def test_lines_need_no_page() -> None:
    """What a pipe runs must not wait for what only a page needs."""
    code = "import sys, croupier.cli.deal; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
