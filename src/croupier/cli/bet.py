"""`croupier bet`: what bets by the count win and risk, and which are best, from a run that is on file."""

from __future__ import annotations

from math import ceil, floor, inf, log
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.figures import Plan, as_data, rows_of, show, walked
from croupier.cli.options import Force, Json, many, whole
from croupier.cli.output import Console, print_json, remark
from croupier.cli.plotting import PATHS, PlotFormat, plot_of_paths, require_plots_place, write_plots
from croupier.cli.tables import Csv, Parquet, require_tables, write_tables
from croupier.errors import ParseError

if TYPE_CHECKING:
    from croupier.exact.hands import Array
    from croupier.simulate.betting import Limits, Rounds
    from croupier.simulate.kept import Kept

MOST = 1e12
MOST_DRAWN = 2_000_000_000
Amount = float | None


def bet(
    run: Annotated[Path, Parameter(help="A run that `croupier simulate --count … --run FILE` has kept.")],
    /,
    *,
    ramp: Annotated[
        str,
        Parameter(
            help="From a count on so many units, as `1:1 2:2 3:4`; below the first nothing, unless a bet "
            "stands alone before it, as `1 2:4` (default: the system's own, or 1 at every count).",
            show_default=False,
            allow_leading_hyphen=True,
        ),
    ] = "",
    unit: Annotated[float, Parameter(help="What a unit of the ramp is in money.")] = 1.0,
    bankroll: Annotated[float, Parameter(help="What can be lost.")] = 10_000.0,
    kelly: Annotated[
        Amount, Parameter(help="Find the best bets at this fraction of Kelly (default: 1).")
    ] = None,
    risk: Annotated[
        Amount, Parameter(help="Find the best bets that ever lose the bankroll with this chance.")
    ] = None,
    least: Annotated[Amount, Parameter(name="--min", help="The least bet, made at every count.")] = None,
    most: Annotated[Amount, Parameter(name="--max", help="The largest bet.")] = None,
    spread: Annotated[
        Amount,
        Parameter(help="The largest bet over the least; the best least bet is found unless one is given."),
    ] = None,
    chip: Annotated[Amount, Parameter(help="Bet whole chips of this size.")] = None,
    rounding: Annotated[str, Parameter(help="To the `nearest` chip, or `down`.")] = "nearest",
    leave_below: Annotated[
        int | None, Parameter(converter=whole, help="Bet nothing below this count.")
    ] = None,
    trip: Annotated[int, Parameter(converter=many, help="Rounds of a trip, as 1000 or 1e6.")] = 1000,
    target: Annotated[Amount, Parameter(help="A bankroll at which one stops.")] = None,
    paths: Annotated[
        int, Parameter(converter=whole, help="Play so many trips, and show how bankrolls go.")
    ] = 0,
    seed: Annotated[int, Parameter(converter=whole, help="The seed of the paths.")] = 1,
    csv: Csv = None,
    parquet: Parquet = None,
    plots: Annotated[
        Path | None,
        Parameter(help="Draw the --paths and who is ruined, to this directory.", show_default=False),
    ] = None,
    format_: PlotFormat = "png",
    force: Force = False,
    json: Json = False,
) -> int:
    """Reckon bets from a stored run, at once: win and error, SCORE, N0, ruin; or find the best.

    Bets are in money, on each box. With --kelly, --risk, --min, --max or --spread the best bets are found,
    else those of the ramp are made. A round at a count without a bet is watched.
    """
    from croupier.simulate import kept
    from croupier.simulate.betting import figures, rounds_of

    sought = any(given is not None for given in (risk, least, most, spread))
    _require_one(ramp, kelly, risk, sought=sought)
    plan = Plan(bankroll, _dared(kelly, risk), trip, target, paths, seed)
    _require_plan(plan, unit)
    limits = _limits(least, most, spread, chip, rounding, leave_below)
    require_tables(csv, parquet, force=force)
    if plots is not None and not paths:
        raise ParseError("--plots draws the bankrolls of --paths: give a number of players")
    require_plots_place(plots, format_, force=force, names=(PATHS,))
    stored = kept.opened(run)
    try:
        rounds = rounds_of(stored.found)
    except ParseError as error:
        raise ParseError(f"{run}: {error}") from None
    if sought or (kelly is not None and not ramp):
        bets = _best(rounds, plan, risk, limits)
    else:
        bets = _made(stored, rounds, ramp, unit, limits)
    found, trips = figures(rounds, bets), walked(rounds, bets, plan)
    if json:
        print_json({"run": str(run)} | as_data(stored, rounds, bets, found, plan, trips))
    else:
        show(Console(), stored, rounds, bets, found, plan, trips, unit)
        if (bets == bets[0]).all() and not (ramp or sought):
            remark("the same is bet at every count; --ramp, --kelly or --spread asks for other bets")
    write_tables(rows_of(rounds, bets), csv, parquet, force=force)
    if plots is not None and trips is not None:
        write_plots(plot_of_paths(trips, target), plots, format_)
    return 0


def _best(rounds: Rounds, plan: Plan, risk: Amount, limits: Limits) -> Array:
    from croupier.simulate.betting import best_bets, bets_for_risk

    if risk is not None:
        return bets_for_risk(rounds, plan.bankroll, risk, limits)
    return best_bets(rounds, plan.kelly * plan.bankroll, limits)


def _made(stored: Kept, rounds: Rounds, ramp: str, unit: float, limits: Limits) -> Array:
    """The bets of the ramp that is given, or the system's own, or one unit at every count."""
    from croupier.simulate.betting import bets_of, parse_ramp, placed

    own = stored.asked.count.ramp if stored.asked.count else ()
    steps = own if own and not ramp else parse_ramp(ramp or "1")
    return placed(rounds, unit * bets_of(steps, rounds.counts), limits)


# What is asked


def _require_plan(plan: Plan, unit: float) -> None:
    _require("--unit", unit)
    _require("--bankroll", plan.bankroll)
    _require("--kelly", plan.kelly)
    if plan.target is not None and not plan.bankroll < plan.target <= MOST:
        raise ParseError(f"--target {plan.target:g}: it is above the bankroll, which is {plan.bankroll:g}")
    if plan.paths < 0 or plan.paths * plan.trip > MOST_DRAWN:
        raise ParseError(f"--paths {plan.paths}: from 0 to {MOST_DRAWN:,} rounds in all trips together")
    if plan.seed < 0:
        raise ParseError(f"--seed {plan.seed}: a seed is 0 or more")


def _require(name: str, amount: Amount) -> None:
    if amount is not None and not 0 < amount <= MOST:
        raise ParseError(f"{name} {amount:g}: it is above 0, and {MOST:g} at most")


def _require_one(ramp: str, kelly: Amount, risk: Amount, *, sought: bool) -> None:
    """Bets are given or asked for; beside a ramp a Kelly fraction is for the certainty equivalent."""
    if ramp and sought:
        raise ParseError("--ramp says the bets; --risk, --min, --max and --spread ask for them: not both")
    if risk is not None and kelly is not None:
        raise ParseError("--risk and --kelly both say how much is dared: give one")
    if risk is not None and not 0 < risk < 1:
        raise ParseError(f"--risk {risk:g}: it is a chance, above 0 and below 1")


def _dared(kelly: Amount, risk: Amount) -> float:
    """The fraction of Kelly at which bets in proportion to it have this risk: exp(-2 / fraction)."""
    if risk is not None:
        return -2 / log(risk)
    return 1.0 if kelly is None else kelly


def _limits(
    least: Amount, most: Amount, spread: Amount, chip: Amount, rounding: str, leave: int | None
) -> Limits:
    from croupier.simulate.betting import Limits

    for name, amount in (("--min", least), ("--max", most), ("--spread", spread), ("--chip", chip)):
        _require(name, amount)
    if rounding not in ("nearest", "down"):
        raise ParseError(f"--rounding {rounding}: write nearest or down")
    if spread is not None and (least is not None or most is not None):
        if least is not None and most is not None:
            raise ParseError("--min, --max and --spread: two of them say the third")
        least, most, spread = _ends(least, most, spread, chip)
    if (spread or 1.0) < 1 or (least or 0.0) > (inf if most is None else most):
        raise ParseError("the largest bet is less than the least")
    for name, amount in (("least", least), ("largest", most)):
        if chip and amount is not None and abs(amount / chip - round(amount / chip)) > 1e-9:
            raise ParseError(f"the {name} bet, {amount:g}, is not in chips of {chip:g}")
    return Limits(
        low=least or 0.0,
        high=inf if most is None else most,
        spread=spread,
        leave=leave,
        chip=chip or 0.0,
        way="down" if rounding == "down" else "nearest",
    )


def _ends(least: Amount, most: Amount, spread: float, chip: Amount) -> tuple[Amount, Amount, None]:
    """The least bet and the largest, one from the other, in chips and within the spread."""
    if least is not None:
        other = least * spread
        return least, floor(other / chip + 1e-9) * chip if chip else other, None
    other = (most or 0.0) / spread
    return ceil(other / chip - 1e-9) * chip if chip else other, most, None
