"""`croupier compare`: two games, clause beside clause, and what each rule that differs is worth."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.table import Table

import croupier
from croupier.cli.options import Book, Json, NoCache, PostSplit, StudyDecks, StudySettings
from croupier.cli.output import Console, print_json
from croupier.cli.solving import announce, keeping, parse_decks, parse_post_split, solving_bar
from croupier.report.text import DIGITS
from croupier.rulebook import load
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.study import Study, study
from croupier.rulebook.text import Clause
from croupier.rulebook.words import name_of, words

if TYPE_CHECKING:
    from croupier.exact.worth import Settling, Share, SharedDifference


def compare(
    first: Book,
    second: Book,
    /,
    *,
    decks: StudyDecks = "6",
    first_set: Annotated[
        tuple[str, ...],
        Parameter(name="--first-set", negative="", show_default=False, help="As --set, for the first game."),
    ] = (),
    second_set: Annotated[
        tuple[str, ...],
        Parameter(
            name="--second-set", negative="", show_default=False, help="As --set, for the second game."
        ),
    ] = (),
    settings: StudySettings = (),
    post_split: PostSplit = "cdz",
    no_cache: NoCache = False,
    json: Json = False,
) -> int:
    """Share the difference in edge over the rules that differ, whatever their order (Shapley values).

    Rules that differ and cannot change what a hand is worth are left to `croupier rules diff`.
    """
    from croupier.exact.worth import difference

    number, after_split = parse_decks(decks), parse_post_split(post_split)
    games = (
        study(load(first), (*settings, *first_set), number),
        study(load(second), (*settings, *second_set), number),
    )
    announce()
    begin = time.perf_counter()
    with keeping(no_cache=no_cache) as kept, _settling(quiet=json) as told:
        found = difference(
            games[0].rules,
            games[1].rules,
            decks=number,
            post_split=after_split,
            kept=kept,
            told=told,
        )
    seconds = time.perf_counter() - begin
    if json:
        print_json(_as_data(games, found, decks) | {"seconds": round(seconds, 3)})
    else:
        _show(games, found, decks, seconds)
    return 0


@contextmanager
def _settling(*, quiet: bool) -> Iterator[Callable[[Settling], None] | None]:
    """A bar and the shares as far as they are known, on a terminal; nothing where there is none."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    progress = solving_bar("games", console)
    task = progress.add_task("", total=None)
    newest: list[Settling] = []

    def hear(settling: Settling) -> None:
        newest[:] = [settling]
        progress.update(task, completed=len(settling.values), total=settling.games)

    def shown() -> Group:
        return Group(*map(_shares_so_far, newest), progress)

    with Live(get_renderable=shown, console=console, transient=True):
        yield hear


def _shares_so_far(settling: Settling) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("rule", no_wrap=True)
    table.add_column("worth so far", justify="right", no_wrap=True)
    table.add_column("settled", justify="right", no_wrap=True)
    for player in settling.players:
        worth = settling.worth(player)
        names = ", ".join(map(name_of, player))
        table.add_row(
            escape(names), "" if worth is None else f"{worth:+.4%}", f"{settling.known[player]:.0%}"
        )
    return table


def _side(game: Study, name: str) -> tuple[str, tuple[Clause, ...]]:
    """What a game says on a provision, and where."""
    departed = [departure for departure in game.departures if departure.name.split(".")[0] == name]
    where = () if departed else game.book.cite(name)
    return words(name, getattr(game.rules, name)), where


def _side_as_data(game: Study, name: str) -> tuple[str, list[str]]:
    said, where = _side(game, name)
    return said, [clause.citation for clause in where]


def _as_data(games: tuple[Study, Study], found: SharedDifference, decks: str) -> dict[str, Any]:
    return {
        "first": _game_as_data(games[0], found.first),
        "second": _game_as_data(games[1], found.second),
        "decks": decks,
        "difference": round(float(found.total), DIGITS),
        "shares": [
            {
                "provisions": list(share.provisions),
                "worth": round(float(share.worth), DIGITS),
                "sides": [
                    {
                        "name": name_of(name),
                        "first": _side_as_data(games[0], name),
                        "second": _side_as_data(games[1], name),
                    }
                    for name in share.provisions
                ],
            }
            for share in found.shares
        ],
        "without_effect": list(found.without_effect),
        "version": croupier.__version__,
    }


def _game_as_data(game: Study, ev: float) -> dict[str, Any]:
    return {
        "rulebook": game.book.id,
        "ev": round(ev, DIGITS),
        "rules_hash": rules_hash(game.rules),
        "outside_the_law": [str(departure) for departure in game.departures],
    }


def _show(games: tuple[Study, Study], found: SharedDifference, decks: str, seconds: float) -> None:
    console = Console()
    for game, which in zip(games, ("first", "second"), strict=True):
        for departure in game.departures:
            console.print(f"[yellow]{which}, outside the law:[/] {escape(str(departure))}")
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 1, 0), expand=True)
    table.add_column("rule", ratio=4)
    for game in games:
        table.add_column(escape(game.book.id), ratio=5, style="", header_style="bold cyan")
    table.add_column("worth to the player", justify="right", no_wrap=True)
    for share in found.shares:
        table.add_row(*_row(games, share))
    table.add_section()
    table.add_row("[bold]the player's expectation[/]", *_totals(found))
    console.print(table)
    shares = sum(share.worth for share in found.shares)
    console.print(
        f"[dim]Decks: {decks}. The shares add up to {float(shares):+.12%}. They are Shapley values: the mean "
        f"worth of changing a rule over all orders in which the rules can be changed; {seconds:.1f} s.[/]"
    )
    idle = ", ".join(name_of(name).lower() for name in found.without_effect)
    if idle:
        console.print(f"[dim]Said otherwise with the same effect on every hand: {escape(idle)}.[/]")
    if games[0].book.id != games[1].book.id:
        diff = f"croupier rules diff {games[0].book.id} {games[1].book.id}"
        console.print(f"[dim]`{diff}` has all that differs.[/]")


def _row(games: tuple[Study, Study], share: Share) -> list[str]:
    names = "\n".join(escape(name_of(name)) for name in share.provisions)
    sides = []
    for game in games:
        said = [_side(game, name) for name in share.provisions]
        where = ", ".join(dict.fromkeys(game.book.short(clause) for _, at in said for clause in at))
        shown = "\n".join(escape(text) for text, _ in said)
        sides.append(f"{shown}\n[dim]\\[{escape(where or 'no clause')}][/]")
    colour = "green" if share.worth > 0 else "red" if share.worth < 0 else "dim"
    return [names, *sides, f"[{colour}]{float(share.worth):+.6%}[/]"]


def _totals(found: SharedDifference) -> list[str]:
    return [f"{found.first:+.6%}", f"{found.second:+.6%}", f"[bold]{float(found.total):+.6%}[/]"]
