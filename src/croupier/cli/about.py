"""`croupier rules about`: what a game is, for somebody who has never played it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from croupier.cli.options import DEFAULT, Book
from croupier.cli.output import Console
from croupier.rulebook import Rulebook, load
from croupier.rulebook.about import about as told
from croupier.rulebook.about import bonuses, side_bet, soft
from croupier.table.sidebets import short_name

READABLE = 100


def about(rulebook: Book = DEFAULT, /) -> int:
    """Say in a few lines what a game is: aim, values, the dealer, what pays, what is special, side bets."""
    book = load(rulebook)
    console = Console()
    console.print(Text(book.title, "bold"))
    for line in about_lines(book):
        console.print(Text(line), width=min(console.width, READABLE) if console.is_terminal else None)
    return 0


def about_lines(book: Rulebook) -> Iterator[str]:
    """The five lines, what soft means, what bonuses and side bets pay, and how those are written."""
    yield from told(book)
    yield soft()
    if book.rules.bonus_rows:
        yield f"Bonuses: {'; '.join(bonuses(book.rules))}."
    for name, bet in book.rules.side_bets.items():
        yield f"{side_bet(name, bet)}. Write it behind your bet, as in `10 {short_name(name)}=5`."
