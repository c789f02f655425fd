"""`croupier simulate`: a game played many times, with the error of what is found."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import croupier
from croupier.cli.clustered import ClusterAt, cluster_asked, why_partial
from croupier.cli.figures import clipped, ramp_data, ramp_shown
from croupier.cli.keeping import Keeper
from croupier.cli.options import DEFAULT, Book, Force, Json, NoCache, PostSplit, StudySettings, many, whole
from croupier.cli.output import INTERRUPTED, Console, print_json, remark, require_place
from croupier.cli.plotting import PlotFormat, PlotsTo, Trace, plots_of, require_plots_place, write_plots
from croupier.cli.sampling import Record, Rows, require_places, sample_words, write_sample
from croupier.cli.solving import INFINITE, announce, parse_decks, parse_post_split, parse_wager, read_chart
from croupier.cli.tables import Csv, Parquet, require_tables, rows_of, write_tables
from croupier.errors import ParseError
from croupier.report.text import DIGITS
from croupier.rulebook import load
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.study import Study, study
from croupier.rulebook.words import plain, title

if TYPE_CHECKING:
    from croupier.simulate import Found, Game
    from croupier.simulate.cluster import Cluster

LOST = 1  # the cluster
WINDOW = "window"
SELDOM = 0.00005  # of the rounds: what is as rare is told to more places
RARE = 0.0005  # of the rounds: counts that come up less often are not shown
NAMES = {
    "natural": "naturals",
    "double": "doubles",
    "split": "boxes split",
    "surrender": "surrenders",
    "forfeit": "doubles forfeited",
    "bust": "hands over 21",
    "super_bonus": "Super Bonuses",
    "dealer_natural": "dealer's naturals",
    "dealer_bust": "dealer over 21",
}


def simulate(
    rulebook: Book = DEFAULT,
    /,
    *,
    rounds: Annotated[
        int, Parameter(converter=many, help="Rounds at least, as 1e9; whole shoes are played to their end.")
    ] = 10_000_000,
    until_se: Annotated[
        float, Parameter(help="Stop once the standard error is down to this, if before.", show_default=False)
    ] = 0.0,
    seed: Annotated[
        int, Parameter(converter=whole, help="The same seed gives the same answer, on any number of threads.")
    ] = 1,
    boxes: Annotated[
        int | None, Parameter(converter=whole, help="Boxes in play, all alike (default: one, or all needed).")
    ] = None,
    decks: Annotated[
        str, Parameter(help="Decks in the shoe (default: those of the house).", show_default=False)
    ] = "",
    settings: StudySettings = (),
    penetration: Annotated[
        str,
        Parameter(
            help="The share of the cards before the cutting card, as 0.75; `window` for anywhere that the "
            "rules permit (default: where the table's dealer places it).",
            show_default=False,
        ),
    ] = "",
    fresh_shoe: Annotated[
        bool, Parameter(negative="", help="Shuffle before every round.", show_default=False)
    ] = False,
    side_bets: Annotated[
        bool, Parameter(negative="", help="With every side bet of the rulebook.", show_default=False)
    ] = False,
    count: Annotated[
        str,
        Parameter(
            help="Go by a count: hi-lo, ko, zen, omega-ii, pontoon, or a .toml file of one's own; `depth` "
            "tells rounds apart by how much of the shoe is gone.",
            show_default=False,
        ),
    ] = "",
    wager: Annotated[
        str,
        Parameter(
            help="The wager on each box in dollars, to play for the Super Bonus, which is in dollars too, "
            "and value it.",
            show_default=False,
        ),
    ] = "",
    post_split: PostSplit = "cdz",
    chart: Annotated[Path | None, Parameter(help="Play as this file says, not best.")] = None,
    threads: Annotated[
        int | None, Parameter(converter=whole, help="Threads (default: the cores that there are).")
    ] = None,
    cluster: ClusterAt = "",
    run: Annotated[
        Path | None,
        Parameter(help="Keep the run in this file, and go on with it if it is there.", show_default=False),
    ] = None,
    csv: Csv = None,
    parquet: Parquet = None,
    record: Record = None,
    rows: Rows = None,
    sample: Annotated[
        int, Parameter(converter=many, help="Rounds at least that --record and --rows write.")
    ] = 1000,
    plots: PlotsTo = None,
    format_: PlotFormat = "png",
    no_cache: NoCache = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Play a game many times: its expectation with an interval, the deviation, how often what happens.

    Play is the solver's best, or a chart's. The error is reckoned by shoes. Ctrl-C ends a run early: what was
    found is printed, marked as partial, and with --run it is kept and can be gone on with.
    """
    if not 0 <= until_se < 1:
        raise ParseError(f"--until-se {until_se}: an error is more than nothing, and below a wager")
    if threads is not None and not 1 <= threads <= 1024:
        raise ParseError(f"--threads {threads}: from 1 to 1024")
    if run is not None:
        require_place(run, force=True)
    require_tables(csv, parquet, force=force)
    require_places(record, rows, sample, force=force)
    require_plots_place(plots, format_, force=force)
    announce()
    studied, game = asked(
        rulebook,
        decks,
        settings,
        seed=seed,
        boxes=boxes,
        penetration=penetration,
        fresh=fresh_shoe,
        side_bets=side_bets,
        count=count,
        post_split=post_split,
        chart=chart,
        wager=wager,
        no_cache=no_cache,
    )
    sampled: dict[str, Any] = {}
    if record is not None or rows is not None:
        sampled = write_sample(studied, game, post_split, chart, record=record, rows=rows, sample=sample)
    keep, trace = Keeper(run, game, _outside(studied, game)), Trace()
    with cluster_asked(cluster, threads) as source:
        found, seconds, before = _played(game, rounds, until_se, threads, keep, source, trace, quiet=json)
    if found.partial and not found.rounds:
        raise ParseError(f"{why_partial(source)}, before a round was counted")
    rate = (found.rounds - before) / seconds if seconds and found.rounds > before else 0.0
    data = as_data(studied, game, found) | {"convergence": trace.upto(found), "sample": sampled or None}
    if json:
        print_json(data | {"rounds_per_second": round(rate), "seconds": seconds})
    else:
        _show(Console(), studied, game, found, rate)
        if sampled:
            print(sample_words(sampled))
    if plots is not None:
        write_plots(plots_of(data), plots, format_)
    if keep.problem:
        raise ParseError(keep.problem)
    if found.partial:
        kept = f"; {run} has it, and the same command goes on" if run else ""
        remark(f"{why_partial(source)}, after {found.rounds:,} rounds{kept}")
        return LOST if source and source.problem else INTERRUPTED
    write_tables([*rows_of(found)], csv, parquet, force=force)
    return 0


def asked(
    rulebook: str,
    decks: str = "",
    settings: tuple[str, ...] = (),
    *,
    seed: int = 1,
    boxes: int | None = None,
    penetration: str = "",
    fresh: bool = False,
    side_bets: bool = False,
    count: str = "",
    post_split: str = "cdz",
    chart: Path | None = None,
    wager: str = "",
    no_cache: bool = False,
) -> tuple[Study, Game]:
    """The game that the command line describes."""
    from croupier.simulate import game_of
    from croupier.simulate.counting import read_system
    from croupier.simulate.stored import Stored

    if decks == INFINITE:
        raise ParseError("--decks inf: a shoe that is dealt from has an end; `croupier solve` takes it")
    if seed < 0:
        raise ParseError(f"--seed {seed}: a seed is 0 or more")
    studied = study(load(rulebook), settings, parse_decks(decks) if decks else None)
    game = game_of(
        studied.rules,
        seed=seed,
        boxes=boxes,
        penetration=_share(penetration),
        window=penetration == WINDOW,
        fresh=fresh,
        side_bets=side_bets,
        system=read_system(count) if count else None,
        post_split=parse_post_split(post_split),
        chart=read_chart(chart) if chart else None,
        chart_name=str(chart),
        wager=parse_wager(wager),
        stored=None if no_cache else Stored(),
    )
    return studied, game


def _share(text: str) -> float | None:
    if text in ("", WINDOW):
        return None
    if not re.fullmatch(r"[0-9]{0,3}(\.[0-9]{1,9})?", text):
        raise ParseError(f"--penetration {text}: write a share of the shoe, as 0.75, or {WINDOW}")
    return float(text)


def _played(
    game: Game,
    rounds: int,
    until_se: float,
    threads: int | None,
    keep: Keeper,
    source: Cluster | None,
    trace: Trace,
    *,
    quiet: bool,
) -> tuple[Found, float, int]:
    """What is found, the seconds it took, and how many rounds there were before."""
    from croupier.simulate import simulate as play

    tally = keep.begin()
    before, begin = game.found(tally).rounds, time.monotonic()
    with _progress(rounds, quiet=quiet) as told:
        found = play(
            game,
            rounds=rounds,
            until_se=until_se,
            threads=threads,
            told=trace.beside(told),
            tally=tally,
            keep=keep,
            source=source,
        )
    seconds = time.monotonic() - begin
    keep.end(partial=found.partial)
    return found, round(seconds, 3), before


@contextmanager
def _progress(rounds: int, *, quiet: bool) -> Iterator[Callable[[Found], None] | None]:
    """Rounds, rate and the interval so far, on a terminal."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    begin = time.monotonic()
    columns = BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=rounds)

        def told(found: Found) -> None:
            rate = found.rounds / (time.monotonic() - begin) / 1e6
            margin = found.interval[1] - found.ev
            words = f"{found.rounds:,} rounds, {rate:.1f} M/s, {found.ev:+.5%} ± {margin:.5%}"
            progress.update(task, completed=found.rounds, description=words)

        yield told


# For programs


def as_data(studied: Study, game: Game, found: Found) -> dict[str, Any]:
    from croupier.simulate.statistics import BUY_IN, VISIT

    ramp = game.count.system.ramp if game.count else ()
    cards = len(game.deck)
    return {
        "rulebook": studied.book.id,
        "decks": studied.rules.house.decks,
        "boxes": game.boxes,
        "seed": game.seed,
        "fresh_shoe": game.fresh,
        "cutting_card": None if game.fresh else list(game.back),
        "penetration": None
        if game.fresh
        else [round(1 - back / cards, DIGITS) for back in reversed(game.back)],
        "rounds": found.rounds,
        "shoes": found.shoes,
        "partial": found.partial,
        "ev": found.ev,
        "se": found.se,
        "interval": list(found.interval),
        "ev_per_100": 100 * found.ev,
        "deviation": found.deviation,
        "deviation_per_100": 10 * found.deviation,
        "round_deviation": found.round_deviation,
        "at_risk": found.at_risk,
        "house_edge": -found.ev,
        "super_bonus": _bonus_data(game, found),
        "edge_at_risk": found.edge_at_risk,
        "hold": {"share": found.hold(), "buy_in": BUY_IN, "rounds": VISIT},
        "rounds_per_shoe": found.rounds_per_shoe,
        "cards_per_round": found.cards_per_round,
        "frequencies": found.frequencies(),
        "results": {str(result): share for result, share in found.distribution().items()},
        "count": game.count.system.name if game.count else None,
        "by_count": [msgspec.to_builtins(row) for row in found.by_count()],
        "by_depth": _by_depth(game, found),
        "ramp": ramp_data(found, ramp) if ramp else None,
        "side_bets": msgspec.to_builtins(found.side_bets()),
        "rules_hash": rules_hash(studied.rules),
        "version": croupier.__version__,
        "outside_the_law": list(_outside(studied, game)),
        "assumes": assumptions(game, found),
    }


def _by_depth(game: Game, found: Found) -> list[list[float]]:
    """Of each part of the shoe by which rounds were told apart, its middle; and rounds, mean and error."""
    if game.count is None or not game.count.system.parts:
        return []
    part = game.count.by_count.bets.scale / len(game.deck)
    return [
        [(row.count + 0.5) * part, round(row.share * found.rounds), row.ev, row.se]
        for row in found.by_count()
    ]


def _bonus_data(game: Game, found: Found) -> dict[str, float] | None:
    if game.wager is None:
        return None
    return {"wager": float(game.wager), "ev": found.bonus_ev, "se": found.bonus_se}


def _outside(studied: Study, game: Game) -> tuple[str, ...]:
    """Where the game leaves the law."""
    return (*map(str, studied.departures), *_beyond(game))


def _beyond(game: Game) -> list[str]:
    """A cutting card where the rules do not let it be placed."""
    low, high = game.window
    if game.fresh or (low <= game.back[0] and game.back[1] <= high):
        return []
    return [f"cutting card {game.back[0]} from the back, which may lie from {low} to {high}"]


def assumptions(game: Game, found: Found) -> list[str]:
    """What the value leaves out, and what the counts do."""
    said = ["every box bets the same each round", "even money declined"]
    if game.count is None or game.count.system.insurance is None:
        said[1] = "insurance and even money declined"
    if game.tables.sides:
        said.append("side bets do not change how a hand is played")
    if game.wager is not None:
        said.append(
            "the Super Bonus is in the value, and not in the deviation, results and what goes by count"
        )
    elif game.rules.super_bonus is not None:
        said.append(
            "the Super Bonus, which is in dollars, is counted and not in the value: --wager values it"
        )
    return [*said, *clipped(found)]


# For people


def _show(console: Console, studied: Study, game: Game, found: Found, rate: float) -> None:
    from croupier.simulate.statistics import BUY_IN, VISIT

    decks = studied.rules.house.decks
    shoe = "shuffled before every round" if game.fresh else _cut_off(game)
    console.print(
        f"[bold]{escape(studied.book.title)}[/], {decks} deck{'s' if decks > 1 else ''}, "
        f"{game.boxes} box{'es' if game.boxes > 1 else ''}, {shoe}"
    )
    for departure in _outside(studied, game):
        console.print(f"[yellow]outside the law:[/] {escape(departure)}")
    low, high = found.interval
    who = "the player's" if found.ev > 0 else "the house's"
    part = "  [yellow]partial[/]" if found.partial else ""
    table = Table.grid(padding=(0, 2))
    table.add_row("  edge", f"[bold]{abs(found.ev):.4%}[/] {who}{part}")
    table.add_row("", f"[dim]{found.ev:+.7f} of a wager a round, standard error {found.se:.7f} by shoes[/]")
    table.add_row("", f"[dim]19 times of 20 from {low:+.4%} to {high:+.4%}[/]")
    table.add_row(
        "  on all that is staked", f"{abs(found.edge_at_risk):.4%}, of {found.at_risk:.4f} wagers a box"
    )
    table.add_row(
        "  deviation", f"{found.deviation:.5f} wagers a round, {10 * found.deviation:.4f} in a hundred"
    )
    table.add_row("  hold", f"{found.hold():.2%} of {BUY_IN} wagers bought in with, in {VISIT} rounds")
    shares = [f"{NAMES[name]} {_often(share)}" for name, share in found.frequencies().items() if share]
    table.add_row("  how often", ", ".join(shares))
    if game.wager is not None:
        worth = (
            f"{found.bonus_ev:+.4%} of a wager of {float(game.wager):g}, standard error {found.bonus_se:.4%}"
        )
        table.add_row("  Super Bonus", f"{worth}, in the edge")
    for name, side in found.side_bets().items():
        often = ", ".join(f"{plain(end)} {share:.4%}" for end, share in side.ends.items() if end != "lost")
        table.add_row(f"  {title(name)}", f"{side.ev:+.4%}, standard error {side.se:.4%}; {often}")
    played = f"{found.rounds:,} rounds of {found.cards_per_round:.2f} cards"
    shoes = "" if game.fresh else f", {found.shoes:,} shoes of {found.rounds_per_shoe:.1f} rounds"
    speed = f", {rate / 1e6:.1f} million a second" if rate else ""
    table.add_row("  played", f"{played}{shoes}{speed}, seed {game.seed}")
    console.print(table)
    if game.count:
        console.print(_counted(game, found))
        if game.count.system.ramp:
            console.print(ramp_shown(found, game.count.system.ramp))
    console.print(f"[dim]{'; '.join(assumptions(game, found))}.[/]")


def _often(share: float) -> str:
    return f"{share:.3%}" if share >= SELDOM else f"{share:.6%}"


def _counted(game: Game, found: Found) -> Table:
    """What rounds bring by the count before them, or by depth; what is rare is left to --json."""
    depths = [f"{depth:.1%}" for depth, *_ in _by_depth(game, found)]
    rows, name = found.by_count(), game.count.system.name if game.count else ""
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False)
    told_by = "of the shoe gone" if depths else f"{name} count"
    for heading in (told_by, "rounds", "expectation", "standard error", "deviation"):
        table.add_column(heading, justify="right")
    for label, row in zip(depths or [f"{row.count:+d}" for row in rows], rows, strict=True):
        if row.share >= RARE:
            values = f"{row.share:.3%}", f"{row.ev:+.4%}", f"{row.se:.4%}", f"{row.deviation:.4f}"
            table.add_row(label, *values)
    return table


def _cut_off(game: Game) -> str:
    low, high = game.back
    where = f"{low}" if low == high else f"{low} to {high}"
    return f"cutting card {where} from the back ({1 - low / len(game.deck):.0%} dealt)"
