"""How many keys a dealer types for a round of seven boxes with three bettors each who bet the same again.

    python bench/keys.py

Every key is counted, Enter included. Cards need two keys each, and nothing can be saved on them: they are
counted apart and with the rest. The first round, in which 21 wagers are laid one by one, is shown beside it.
The round is dealt at a desk as `croupier deal` runs it; were a line not understood, the counting would fail.
"""

from __future__ import annotations

import re
import sys
from contextlib import redirect_stdout
from io import StringIO

from croupier.cli.desk import Desk
from croupier.cli.screen import Screen
from croupier.house.tables import new_table
from croupier.rulebook import load
from croupier.table.shorthand import CARD

GOAL = 60
OPENING = ["", "", "", "150", "60", "5c"]
WAGERS = [f"p{3 * box + one} bets {5 * one + 5} on {box + 1}" for box in range(7) for one in (1, 2, 3)]
FIRST = {"bets": ["", *WAGERS], "no more bets": [""]}
AGAIN = {"bets": ["same"], "no more bets": [""]}
PLAY = {
    "initial deal, 15 cards": ["9s7dTcKhTdKc8d7c8sKh6s8c9d4h9c"],
    "seven stands and two hits before them": ["ss2csss3css"],
    "the dealer's card": ["Td"],
    "settle, collect": ["", ""],
}


def keys(lines: list[str]) -> tuple[int, int]:
    """All keys of these lines, and how many of them are cards."""
    cards = sum(len(card) for line in lines for card in re.findall(CARD, line)) if lines else 0
    return sum(len(line) + 1 for line in lines), cards


def deal(desk: Desk, parts: dict[str, list[str]]) -> None:
    """Type it, as dealers do; a refusal or a question is a failure."""
    for line in (line for lines in parts.values() for line in lines):
        before = desk.conductor.store.count
        desk.type(line)
        if desk.conductor.store.count == before or desk.question:
            sys.exit(f"{line!r} was not carried out: {desk.question or desk.state.stage}")


def show(title: str, parts: dict[str, list[str]]) -> int:
    print(title)
    for name, lines in parts.items():
        count, cards = keys(lines)
        print(f"  {name:<44} {count:>4} keys, {cards:>3} of them cards")
    total, cards = (sum(column) for column in zip(*map(keys, parts.values()), strict=True))
    print(f"  {'in all':<44} {total:>4} keys, {cards:>3} of them cards, {total - cards} beside them")
    return total


def main() -> None:
    book = load("act-blackjack-2003")
    with redirect_stdout(StringIO()):
        desk = Desk(book, new_table(book, book.demonstration), Screen(book), asks=True)
        deal(desk, {"opening": OPENING})
        deal(desk, FIRST | PLAY)
        deal(desk, AGAIN | PLAY)
    show("the first round", FIRST | PLAY)
    total = show("everybody bets the same again", AGAIN | PLAY)
    if desk.state.round != 2 or desk.state.stage != "idle":
        sys.exit("the rounds were not played to their end")
    sys.exit(0 if total < GOAL else f"{total} keys are not under {GOAL}")


if __name__ == "__main__":
    main()
