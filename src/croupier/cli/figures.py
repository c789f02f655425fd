"""What bets win and risk: as data, as rows of a table, and as people read it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from croupier.cli.output import Console
from croupier.cli.tables import Row
from croupier.errors import ParseError

if TYPE_CHECKING:
    from croupier.exact.hands import Array
    from croupier.simulate.betting import Figures, Ramp, Rounds
    from croupier.simulate.kept import Kept
    from croupier.simulate.paths import Paths
    from croupier.simulate.statistics import Found

RARE = 0.002  # of the rounds: counts at either end with the same bet are shown together up to here
RISKS = (0.135, 0.05, 0.01)  # for which a bankroll is told
POINTS = 5  # of the paths that are shown, from their beginning on
ASSUMES = (
    "bets do not change with the bankroll",
    "rounds without a bet are dealt as if the boxes were played",
    "risks and paths take rounds for independent",
    "what is staked beside the bet is that of the average count",
)


class Plan(Struct, frozen=True):
    """What is asked of bets: for what bankroll and Kelly fraction, in how many rounds, up to what target."""

    bankroll: float
    kelly: float
    trip: int
    target: float | None
    paths: int
    seed: int


# For programs


def assumptions(found: Found) -> list[str]:
    """What holds of bets, and of this run's counts."""
    return [*ASSUMES, *clipped(found)]


def clipped(found: Found) -> list[str]:
    """Counts that were too high or too low to be told apart, if any came up."""
    from croupier.simulate.kernel import MOST_COUNT

    if not found.beyond:
        return []
    return [f"counts beyond {MOST_COUNT} are taken for it, either way: {found.beyond:.2%} of the rounds"]


def as_data(
    stored: Kept, rounds: Rounds, bets: Array, found: Figures, plan: Plan, trips: Paths | None
) -> dict[str, Any]:
    from croupier.simulate.betting import ramp_of

    asked = stored.asked
    return {
        "rulebook": asked.rulebook,
        "rules_hash": asked.rules_hash,
        "decks": asked.decks,
        "boxes": asked.boxes,
        "seed": asked.seed,
        "fresh_shoe": asked.fresh_shoe,
        "cutting_card": None if asked.fresh_shoe else list(asked.back),
        "count": asked.count.name if asked.count else None,
        "rounds": rounds.rounds,
        "shoes": rounds.shoes,
        "partial": stored.partial,
        "outside_the_law": list(stored.outside),
        "version": stored.engine,
        "ramp": [list(step) for step in ramp_of(rounds.counts, bets)],
        "by_count": [{name: row[name] for name in row if name != "table"} for row in rows_of(rounds, bets)],
        **figures_data(found),
        "bankroll": plan.bankroll,
        "kelly": plan.kelly,
        "certainty_equivalent": found.certainty_equivalent(plan.bankroll, plan.kelly),
        "certainty_equivalent_per_100": 100 * found.certainty_equivalent(plan.bankroll, plan.kelly),
        "ruin": found.ruin(plan.bankroll),
        "ruin_normal": found.walk.ruin(plan.bankroll),
        "bankroll_for_risk": {str(risk): _finite(found.bankroll_for(risk)) for risk in RISKS},
        "trip": _trip(found, plan),
        "target": _target(found, plan),
        "paths": to_builtins(trips),
        "assumes": assumptions(stored.found),
    }


def figures_data(found: Figures) -> dict[str, Any]:
    return {
        "win": found.win,
        "se": _finite(found.se),
        "interval": [_finite(end) for end in found.interval],
        "win_per_100": 100 * found.win,
        "deviation": found.deviation,
        "deviation_per_100": 10 * found.deviation,
        "variance_by_shoes": _finite(found.together),
        "played": found.played,
        "average_bet": found.bet,
        "average_bet_played": found.bet_played,
        "edge": found.edge,
        "edge_at_risk": found.edge_at_risk,
        "di": found.di,
        "score": found.score,
        "n0": _finite(found.n0),
    }


def ramp_data(found: Found, ramp: Ramp) -> dict[str, Any]:
    """The figures of a system's own ramp, in units, or why there are none."""
    steps = {"steps": [list(step) for step in ramp]}
    try:
        return steps | figures_data(_of_ramp(found, ramp))
    except ParseError as error:
        return steps | {"problem": str(error)}


def _of_ramp(found: Found, ramp: Ramp) -> Figures:
    from croupier.simulate.betting import bets_of, figures, rounds_of

    rounds = rounds_of(found)
    return figures(rounds, bets_of(ramp, rounds.counts))


def _trip(found: Figures, plan: Plan) -> dict[str, float]:
    walk = found.walk
    return {
        "rounds": plan.trip,
        "win": plan.trip * found.win,
        "deviation": sqrt(plan.trip) * found.deviation,
        "ruin_at_any_time": walk.ruin_within(plan.bankroll, plan.trip),
        "ruin_at_the_end": walk.behind_after(plan.bankroll, plan.trip),
        "hold": walk.hold(plan.bankroll, plan.trip),
    }


def _target(found: Figures, plan: Plan) -> dict[str, float] | None:
    if plan.target is None:
        return None
    walk, gain = found.walk, plan.target - plan.bankroll
    return {
        "bankroll": plan.target,
        "before_ruin": walk.target_first(plan.bankroll, gain),
        "reached_in_the_trip": walk.target_before(plan.bankroll, gain, plan.trip),
        "ruin_in_the_trip": walk.ruin_before(plan.bankroll, gain, plan.trip),
    }


def walked(rounds: Rounds, bets: Array, plan: Plan) -> Paths | None:
    """The trips that are asked for."""
    from croupier.simulate.betting import outcomes
    from croupier.simulate.paths import paths

    if not plan.paths:
        return None
    return paths(
        *outcomes(rounds, bets),
        plan.bankroll,
        rounds=plan.trip,
        players=plan.paths,
        seed=plan.seed,
        target=plan.target,
    )


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


def rows_of(rounds: Rounds, bets: Array) -> list[Row]:
    """Count by count: share, value, error and deviation for a wager of one, and the bet."""
    return [_row(rounds, bets, slice(place, place + 1)) for place in range(rounds.counts.size)]


def _row(rounds: Rounds, bets: Array, part: slice) -> Row:
    often = rounds.table[part].sum(axis=0)
    count = int(often.sum())
    mean = float(often @ rounds.won) / count
    deviation = sqrt(max(float(often @ rounds.won**2) / count - mean**2, 0.0))
    return {
        "table": "bets",
        "count": int(rounds.counts[part.start]),
        "rounds": count,
        "share": count / rounds.rounds,
        "ev": mean / rounds.boxes,
        "se": deviation / sqrt(count) / rounds.boxes,
        "deviation": deviation,
        "bet": float(bets[part.start]),
    }


# For people


def show(
    console: Console,
    stored: Kept,
    rounds: Rounds,
    bets: Array,
    found: Figures,
    plan: Plan,
    trips: Paths | None,
    unit: float,
) -> None:
    from croupier.simulate.betting import ramp_of, ramp_text

    console.print(_heading(stored, rounds))
    for departure in stored.outside:
        console.print(f"[yellow]outside the law:[/] {escape(departure)}")
    if stored.asked.count:
        console.print(_by_count(stored.asked.count.name, rounds, bets))
    else:
        console.print()
    table = Table.grid(padding=(0, 2))
    if stored.asked.count:
        table.add_row(
            "  ramp", f"{ramp_text(ramp_of(rounds.counts, bets / unit))}, a unit being {_money(unit)}"
        )
    for name, words in _lines(found):
        table.add_row(f"  {name}", words)
    table.add_row("", "")
    for name, words in _risks(found, plan):
        table.add_row(f"  {name}", words)
    console.print(table)
    if trips is not None:
        console.print(_shown(trips))
    console.print(f"[dim]{'; '.join(assumptions(stored.found))}.[/]")


def ramp_shown(found: Found, ramp: Ramp) -> Table:
    """A system's own ramp in a simulation's answer, in units."""
    from croupier.simulate.betting import ramp_text

    table = Table.grid(padding=(0, 2))
    table.add_row("  ramp", f"{ramp_text(ramp)}, in units")
    try:
        for name, words in _lines(_of_ramp(found, ramp)):
            table.add_row(f"  {name}", words)
    except ParseError as error:
        table.add_row("", str(error))
    return table


def _heading(stored: Kept, rounds: Rounds) -> str:
    asked = stored.asked
    low, high = asked.back
    where = f"{low}" if low == high else f"{low} to {high}"
    shoe = "shuffled before every round" if asked.fresh_shoe else f"cutting card {where} from the back"
    part = "  [yellow]partial[/]" if stored.partial else ""
    return (
        f"[bold]{escape(asked.rulebook)}[/], {asked.decks} deck{'s' if asked.decks > 1 else ''}, "
        f"{asked.boxes} box{'es' if asked.boxes > 1 else ''}, {shoe}\n"
        f"[dim]{rounds.rounds:,} rounds, seed {asked.seed}[/]{part}"
    )


def _by_count(name: str, rounds: Rounds, bets: Array) -> Table:
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False)
    for heading in (f"{name} count", "rounds", "value", "error", "deviation", "bet"):
        table.add_column(heading, justify="right")
    parts = _together(rounds, bets)
    for place, part in enumerate(parts):
        row = _row(rounds, bets, part)
        several = part.stop - part.start > 1
        edge = int(rounds.counts[part.stop - 1 if place == 0 else part.start])
        label = f"{edge:+d}{(' and below' if place == 0 else ' and above') if several else ''}"
        values = f"{row['share']:.3%}", f"{row['ev']:+.3%}", f"{row['se']:.3%}", f"{row['deviation']:.3f}"
        wager = f"[bold]{_money(row['bet'])}[/]" if row["bet"] else "[dim]-[/]"
        table.add_row(label, *values, wager)
    return table


def _together(rounds: Rounds, bets: Array) -> list[slice]:
    """Counts by row: those at either end that are rare and have one bet share a row."""
    shares = rounds.shares
    low, high = 1, shares.size - 1
    while low < high and shares[: low + 1].sum() < RARE and bets[low] == bets[0]:
        low += 1
    while high > low and shares[high - 1 :].sum() < RARE and bets[high - 1] == bets[-1]:
        high -= 1
    edges = [0, *range(low, high), *([high] if high >= low else []), shares.size]
    return [slice(*pair) for pair in pairwise(edges) if pair[0] < pair[1]]


def _lines(found: Figures) -> Iterator[tuple[str, str]]:
    """What bets win, line by line."""
    low, high = (_signed(100 * end) for end in found.interval)
    win, se = _signed(100 * found.win), _money(100 * found.se)
    yield "win", f"[bold]{win}[/] in a hundred rounds, standard error {se} by shoes"
    yield "", f"[dim]19 times of 20 from {low} to {high}[/]"
    yield "deviation", f"{_money(10 * found.deviation)} in a hundred, {_money(found.deviation)} a round"
    yield "", f"[dim]variance by shoes {found.together:.4f} times that of independent rounds[/]"
    rest = f" in {found.played:.2%} of rounds, {_money(found.bet)} over all" if found.played < 1 else ""
    yield "bet", f"{_money(found.bet_played)} on average{rest}"
    yield "edge", f"{found.edge:+.4%} of bets, {found.edge_at_risk:+.4%} of all that is staked"
    if found.score is None:
        yield "SCORE", "none, since nothing is won on average"
    else:
        yield "SCORE", f"[bold]{found.score:.2f}[/]   DI {found.di:.2f}   N0 {found.n0:,.0f} rounds"


def _risks(found: Figures, plan: Plan) -> Iterator[tuple[str, str]]:
    """What becomes of a bankroll, line by line."""
    trip, aim = _trip(found, plan), _target(found, plan)
    sure = _signed(100 * found.certainty_equivalent(plan.bankroll, plan.kelly))
    ruin, normal = found.ruin(plan.bankroll), found.walk.ruin(plan.bankroll)
    yield "bankroll", _money(plan.bankroll)
    yield "certainty equivalent", f"{sure} in a hundred rounds, at {plan.kelly:.3g} Kelly"
    yield "ruin", f"[bold]{ruin:.3%}[/] ever [dim](results taken for normal: {normal:.3%})[/]"
    any_time, at_end = trip["ruin_at_any_time"], trip["ruin_at_the_end"]
    yield f"in {plan.trip:,} rounds", f"{any_time:.3%} at any time, {at_end:.3%} if played to the end"
    win, deviation = _signed(trip["win"]), _money(trip["deviation"])
    yield "", f"{win} on average, deviation {deviation}, hold {trip['hold']:+.2%}"
    if aim is not None:
        reached, ruined = aim["reached_in_the_trip"], aim["ruin_in_the_trip"]
        yield f"up to {_money(aim['bankroll'])}", f"{aim['before_ruin']:.2%} reach it before ruin"
        yield "", f"{reached:.2%} in {plan.trip:,} rounds, {ruined:.2%} are ruined before"
    if found.exponent:
        needed = (f"{found.bankroll_for(risk):,.0f} for {100 * risk:g}%" for risk in RISKS)
        yield "bankroll for a risk", ", ".join(needed)


def _shown(paths: Paths) -> Table:
    """Bankrolls at some points of the trips."""
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False)
    for heading in ("rounds", *(f"{share:.0%}" for share in paths.shares), "mean", "ruined"):
        table.add_column(heading, justify="right")
    last = len(paths.rounds) - 1
    for point in sorted({last * part // POINTS for part in range(1, POINTS + 1)}):
        bands = (f"{bankroll:,.0f}" for bankroll in (*paths.bankrolls[point], paths.mean[point]))
        table.add_row(f"{paths.rounds[point]:,}", *bands, f"{paths.ruined[point]:.2%}")
    return table


def _money(amount: float) -> str:
    text = f"{amount:,.2f}"
    return text.removesuffix(".00")


def _signed(amount: float) -> str:
    return f"{amount:+,.2f}"
