"""`croupier ceiling`: what a perfect player could win, and what share of it each count has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.markup import escape
from rich.table import Table

import croupier
from croupier.cli.options import DEFAULT, Book, Json, StudySettings, whole
from croupier.cli.output import INTERRUPTED, Console, print_json, remark
from croupier.cli.solving import INFINITE, announce, parse_decks, solving_progress
from croupier.errors import ParseError
from croupier.rulebook import load
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.study import Study, study
from croupier.rulebook.words import title

if TYPE_CHECKING:
    from croupier.simulate.ceiling import Ceiling, Measured

ASSUMES = [
    "he leaves without cost and bets any amount",
    "rounds begin evenly up to the cutting card",
    "who bets by a count plays as is best for the whole shoe, and does not insure",
    "the variance of a round is that from the whole shoe",
]


def ceiling(
    rulebook: Book = DEFAULT,
    /,
    *,
    shoes: Annotated[int, Parameter(converter=whole, help="Shoes to sample and value exactly.")] = 1000,
    penetration: Annotated[float, Parameter(help="The share of the shoe before the cutting card.")] = 0.75,
    count: Annotated[
        tuple[str, ...],
        Parameter(
            negative="",
            help="A count to hold against it, or a .toml file; repeatable (default: all that there are).",
            show_default=False,
        ),
    ] = (),
    decks: Annotated[
        str, Parameter(help="Decks in the shoe (default: those of the house).", show_default=False)
    ] = "",
    settings: StudySettings = (),
    seed: Annotated[int, Parameter(converter=whole, help="The same seed gives the same answer.")] = 1,
    json: Json = False,
) -> int:
    """Value sampled shoes exactly: what perfect bets, plays and insurance could win, and the counts' shares.

    In SCOREs: what is won in 100 rounds from a bankroll of 10,000, at the risk of full Kelly bets.
    """
    if decks == INFINITE:
        raise ParseError("--decks inf: nothing is gone from packs without end, and nothing to know")
    if seed < 0:
        raise ParseError(f"--seed {seed}: a seed is 0 or more")
    if not 0 < penetration < 1:
        raise ParseError(f"--penetration {penetration}: a share of the shoe between 0 and 1, as 0.75")
    announce()
    from croupier.simulate.ceiling import ceiling as sampled
    from croupier.simulate.counting import SHIPPED, read_count

    systems = [read_count(name) for name in count or SHIPPED]
    studied = study(load(rulebook), settings, parse_decks(decks) if decks else None)
    with solving_progress(quiet=json) as told:
        found = sampled(
            studied.rules, penetration=penetration, shoes=shoes, systems=systems, seed=seed, told=told
        )
    if json:
        print_json(as_data(studied, found, penetration, seed))
    else:
        _show(Console(), studied, found, penetration)
    if found.partial:
        remark(f"interrupted, after {found.shoes:,} shoes")
        return INTERRUPTED
    return 0


def as_data(studied: Study, found: Ceiling, penetration: float, seed: int) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(found)
    return data | {
        "rulebook": studied.book.id,
        "decks": studied.rules.house.decks,
        "penetration": penetration,
        "seed": seed,
        "rules_hash": rules_hash(studied.rules),
        "version": croupier.__version__,
        "outside_the_law": [str(departure) for departure in studied.departures],
        "assumes": ASSUMES,
    }


def _show(console: Console, studied: Study, found: Ceiling, penetration: float) -> None:
    decks = studied.rules.house.decks
    console.print(
        f"[bold]{escape(studied.book.title)}[/], {decks} deck{'s' if decks > 1 else ''}, "
        f"{penetration:.0%} dealt, {found.shoes:,} shoes{'  [yellow]partial[/]' if found.partial else ''}"
    )
    for departure in studied.departures:
        console.print(f"[yellow]outside the law:[/] {escape(str(departure))}")
    console.print()
    console.print(_most_table(found))
    console.print()
    console.print(_counts_table(found))
    console.print(
        f"\n[dim]± standard errors, r the correlation with what a round brings; {'; '.join(ASSUMES)}.[/]"
    )


def _most_table(found: Ceiling) -> Table:
    table = _table("perfect", "SCORE", "±")
    rows = {
        "bets, plays and insurance": found.best,
        "bets and plays": found.plays,
        "bets alone": found.bets,
        **{f"{title(name)} alone": side for name, side in found.sides.items()},
    }
    for name, most in rows.items():
        table.add_row(name, *_digits(most))
    table.add_row("rounds that favour him", f"{found.favourable.value:.2%}", f"{found.favourable.se:.2%}")
    return table


def _counts_table(found: Ceiling) -> Table:
    headings = "SCORE", "±", "of ceiling", "±", "of bets", "±", "r"
    table = _table("bets by the count", *headings)
    for one in found.counts:
        shares = [f"{part:.1%}" for of in (one.share, one.of_bets) for part in (of.value, of.se)]
        table.add_row(escape(one.name), *_digits(one.score), *shares, f"{one.correlation.value:.3f}")
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(first, no_wrap=True)
    for heading in others:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _digits(one: Measured) -> tuple[str, str]:
    return f"{one.value:.2f}", f"{one.se:.2f}"
