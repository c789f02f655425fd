"""Draws docs/play.svg: a round of Blackjack on the page of `croupier play`, in colour."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from croupier.cli.seat import Page
from croupier.house.evening import Evening
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import new_table
from croupier.rulebook import load

KEYS = ("1", "0", "enter", "s")


async def drawn() -> str:
    """The page after a few keys."""
    book, shoe = load("blackjack"), VirtualShoe(4)
    evening = Evening(book, new_table(book, book.demonstration, cards=shoe), shoe, 50000)
    evening.sit_down([("p1", 1), ("p2", 2), ("p3", 3)])
    page = Page(evening, fast=True)
    async with page.run_test(size=(80, 24)) as pilot:
        await pilot.press(*KEYS)
        await pilot.pause()
        return page.export_screenshot(title="croupier play")


def main() -> None:
    # The picture stands alone: no font is fetched from anywhere.
    svg = re.sub(r"@font-face \{.*?\}", "", asyncio.run(drawn()), flags=re.DOTALL)
    svg = svg.replace("Fira Code", "DejaVu Sans Mono")
    (Path(__file__).parent.parent / "docs" / "play.svg").write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
