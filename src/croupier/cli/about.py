"""`croupier rules about`: what a game is, for somebody who has never played it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from croupier.cli.options import DEFAULT, Book
from croupier.cli.output import Console
from croupier.rulebook import Rulebook, Rules, load
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


def about_lines(book: Rulebook, rules: Rules | None = None) -> Iterator[str]:
    """The five lines, what soft means, what bonuses and side bets pay, and how those are written.

    With a table's own rules it is what is played there.
    """
    known = rules or book.rules
    yield from told(book, known)
    yield soft()
    if known.bonus_rows:
        yield f"Bonuses: {'; '.join(bonuses(known))}."
    for name, bet in known.side_bets.items():
        if rules and bet.offered_as not in rules.house.side_bets:
            continue
        yield f"{side_bet(name, bet)}. Write it behind your bet, as in `10 {short_name(name)}=5`."
