"""Dealers' desks for tests: a table, and what its screens show."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rich.text import Text

from croupier.cli.desk import Desk
from croupier.cli.screen import Screen
from croupier.house.tables import new_table
from croupier.rulebook import load

OPEN = ("", "", "", "150", "60", "5c")
FULL = tuple(f"p{3 * box + one} bets {10 * one} on {box + 1}" for box in range(7) for one in (1, 2, 3))
CARDS = "9s7dTcKhTdKc8d7c8sKh6s8c9d4h9c"


class Quiet(Screen):
    """Keeps what is said, as plain lines."""

    def __init__(self, name: str) -> None:
        super().__init__(load(name))
        self.said: list[str] = []

    def say(self, text: str | Text = "", style: str = "", indent: int = 0) -> None:
        self.said.append(str(text))

    def lines(self, lines: Iterable[Text]) -> None:
        self.said += map(str, lines)


def quiet_desk(
    name: str = "act-blackjack-2003", *, asks: bool = True, log: Path | None = None
) -> tuple[Desk, list[str]]:
    """A desk at a new table of the demonstration house, and what it says."""
    screen = Quiet(name)
    table = new_table(screen.book, screen.book.demonstration, log=log)
    return Desk(screen.book, table, screen, asks=asks), screen.said


def typed(desk: Desk, *lines: str) -> None:
    for line in lines:
        assert desk.type(line)
