"""What `croupier solve` tells beside the edge and the chart: the first cards, and many rounds together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.table import Table

from croupier.cli.options import many
from croupier.cli.output import Console
from croupier.report.data import plain
from croupier.report.text import DIGITS, number, percent

if TYPE_CHECKING:
    from croupier.exact.answers import Answer
    from croupier.exact.many_rounds import ManyRounds

Rounds = Annotated[
    int | None,
    Parameter(
        name="--rounds",
        converter=many,
        help="After so many rounds: where 99 in 100 players lie, and the chance to be ahead.",
        show_default=False,
    ),
]


def rounds_together(answer: Answer, rounds: int) -> ManyRounds:
    from croupier.exact.many_rounds import many_rounds

    return many_rounds(answer.spread, rounds)


# As data


def first_cards_as_data(answer: Answer) -> dict[str, Any]:
    """What a round is worth by the dealer's first card, and by that and the player's two."""
    from croupier.exact.records import by_upcard

    starts = answer.starts
    return {"by_upcard": plain(by_upcard(starts)), "first_cards": plain(starts)}


def rounds_as_data(found: ManyRounds) -> dict[str, Any]:
    reach = found.normal_reach
    return {
        "rounds": found.rounds,
        "mean": round(found.mean, DIGITS),
        "deviation": round(found.deviation, DIGITS),
        "interval": [float(found.low), float(found.high)],
        "within": round(found.within, DIGITS),
        "normal_interval": [round(found.mean - reach, DIGITS), round(found.mean + reach, DIGITS)],
        "ahead": round(found.ahead, DIGITS),
        "level": round(found.level, DIGITS),
        "behind": round(found.behind, DIGITS),
    }


# For people


def show_rounds(console: Console, found: ManyRounds) -> None:
    reach = found.normal_reach
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(f"after {found.rounds:,} rounds")
    table.add_column("from", justify="right")
    table.add_column("to", justify="right")
    table.add_row("99 in 100 lie, exactly", number(found.low, 1), number(found.high, 1))
    table.add_row("if sums were normal", number(found.mean - reach, 1), number(found.mean + reach, 1))
    console.print(table)
    console.print(
        f"  the player is ahead {percent(found.ahead)}, level {percent(found.level)}, "
        f"behind {percent(found.behind)}"
    )
