"""`croupier` alone on a terminal: what would you like to do?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from croupier.cli.keys import ask_key
from croupier.cli.output import Console
from croupier.cli.saved import records
from croupier.rulebook.load import NAMES, short_names

CHOICES = {
    "p": "play at a table",
    "d": "deal: run a real table, typing in its cards",
    "l": "look at a record, round by round",
    "r": "rules: what each game is",
    "q": "quit",
}
LISTED = 9
SAID = {
    "act-blackjack-2003": "Blackjack as in Canberra since 2003",
    "act-blackjack-1997": "the same with the alterations of 1997",
    "uk-blackjack-1994": "Blackjack as in the clubs of the United Kingdom, in pounds",
    "act-pontoon-2002": "Pontoon: no tens, your 21 always wins, bonuses",
}


def choose() -> int:
    """Show the menu until something is chosen, and do that."""
    console = Console()
    console.print("[bold]Croupier[/]: casino blackjack and pontoon, as the law says\n")
    for letter, what in CHOICES.items():
        console.print(f"  [bold cyan]{letter}[/]  {what}")
    console.print("\n[dim]`croupier --help` lists all commands.[/]")
    try:
        return DO[ask_key(">", "".join(CHOICES), "p")]()
    except (EOFError, KeyboardInterrupt):
        print()
        return 0


def _game(console: Console) -> str:
    for number, name in enumerate(NAMES, start=1):
        short = short_names(name)[0]
        console.print(f"  [bold cyan]{number}[/]  {short:<10} [dim]{SAID.get(name, '')}[/]")
    numbers = "".join(str(number) for number in range(1, len(NAMES) + 1))
    return NAMES[int(ask_key("Which game?", numbers, "1")) - 1]


def _play() -> int:
    from croupier.cli.play import play

    return play(_game(Console()))


def _deal() -> int:
    from croupier.cli.deal import deal

    return deal(_game(Console()))


def _look() -> int:
    from croupier.cli.explain import explain

    kept = records()[:LISTED]
    for number, path in enumerate(kept, start=1):
        print(f"  {number}  {path.name}")
    hint = f"a number from 1 to {len(kept)}, or a file" if kept else "a file"
    line = input(f"Which record ({hint})? ").strip()
    if not line:
        return 0
    known = line.isascii() and line.isdecimal() and 1 <= int(line) <= len(kept)
    return explain(kept[int(line) - 1] if known else Path(line))


def _rules() -> int:
    from croupier.cli.about import about

    return about(_game(Console()))


def _quit() -> int:
    return 0


DO: dict[str, Callable[[], int]] = {"p": _play, "d": _deal, "l": _look, "r": _rules, "q": _quit}
