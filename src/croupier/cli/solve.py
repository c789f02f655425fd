"""`croupier solve`: the edge of a game, its best play, and every action's worth for one decision."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from croupier.cli.charts import (
    Exceptions,
    by_cards_as_data,
    costs_as_data,
    require_output,
    show_by_cards,
    show_costs,
    tell_exceptions,
)
from croupier.cli.describing import described, other_game, play_head
from croupier.cli.grid import GridSettings, Output, solve_grid
from croupier.cli.options import (
    DEFAULT,
    Book,
    Force,
    Json,
    NoCache,
    PostSplit,
    StudyDecks,
    StudySettings,
    whole,
)
from croupier.cli.output import Console, print_json, remark, require_place, write_file
from croupier.cli.solving import (
    INFINITE,
    announce,
    parse_decks,
    parse_post_split,
    parse_wager,
    read_chart,
    solving_progress,
)
from croupier.errors import ParseError
from croupier.report.text import DIGITS, NAMES, UPCARDS, done_in_full, row_name, row_order
from croupier.rulebook import load
from croupier.rulebook.study import Study, study

# Work in fractions takes about a second for ten of them.
MOST_HANDS_IN_FRACTIONS = 800

SOLVED, DECISION = "croupier solve 1", "croupier decision 1"

if TYPE_CHECKING:
    from croupier.exact import CardsLeft, Cell, Decision, Solution


def solve(
    rulebook: Book = DEFAULT,
    /,
    *,
    decks: StudyDecks = "",
    settings: StudySettings = (),
    shoe: Annotated[
        str,
        Parameter(
            help="A depleted shoe: what is left (A=20 7s=3) or gone (-5 -6h), before the round.",
            show_default=False,
            allow_leading_hyphen=True,
        ),
    ] = "",
    hand: Annotated[
        str, Parameter(help="One decision: the player's cards in order, as '8s 8d'.", show_default=False)
    ] = "",
    dealer: Annotated[
        str, Parameter(help="With --hand: the dealer's first card, as Th.", show_default=False)
    ] = "",
    post_split: PostSplit = "cdz",
    strategy: Annotated[
        Path | None, Parameter(help="Write the play to this file, one line a decision.")
    ] = None,
    chart: Annotated[
        Path | None, Parameter(help="Value the play that this file describes, and price it cell by cell.")
    ] = None,
    exceptions: Exceptions = False,
    exact: Annotated[
        bool,
        Parameter(negative="", help="Work in fractions; for shoes of some twenty cards.", show_default=False),
    ] = False,
    wager: Annotated[
        str,
        Parameter(
            help="The wager in dollars, to count the Super Bonus, which is in dollars too.",
            show_default=False,
        ),
    ] = "",
    others: Annotated[
        int, Parameter(converter=whole, help="With --wager: other boxes in play, one wager each.")
    ] = 0,
    grid: GridSettings = (),
    output: Output = None,
    no_cache: NoCache = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Solve a game exactly: the edge, the deviation, the chart of best play, and the seconds it took."""
    if grid:
        of_one: dict[str, object] = {"--shoe": shoe, "--hand": hand, "--strategy": strategy, "--chart": chart}
        of_one |= {"--exact": exact, "--wager": wager, "--exceptions": exceptions}
        if given := [option for option, value in of_one.items() if value]:
            raise ParseError(f"--grid solves many games: leave out {' and '.join(given)}")
        return solve_grid(
            rulebook,
            grid,
            decks,
            settings,
            post_split=post_split,
            output=output,
            no_cache=no_cache,
            force=force,
            json=json,
        )
    if no_cache or (output is not None and not exceptions):
        raise ParseError("--output and --no-cache go with --grid, as in --grid decks=1,2,6")
    if exceptions and (hand or strategy is not None):
        raise ParseError("--exceptions lists hands by itself: leave out --hand and --strategy")
    if output is not None:
        require_output(output, force=force)
    if bool(hand) != bool(dealer):
        raise ParseError("--hand and --dealer go together, as in --hand '8s 8d' --dealer Th")
    if hand and strategy is not None:
        raise ParseError("--strategy writes the whole play: leave out --hand")
    if strategy is not None:
        require_place(strategy, force=force)
    announce()
    begin = time.perf_counter()
    studied, solution = solved(
        rulebook,
        decks,
        settings,
        shoe=shoe,
        post_split=post_split,
        chart=chart,
        exact=exact,
        wager=parse_wager(wager),
        others=others,
    )
    if exceptions:
        said: dict[str, Any] = {"output": output, "force": force, "json": json, "begin": begin}
        return tell_exceptions(studied, solution, chart, **said)
    if hand:
        decided = solution.decision(hand, dealer)
        seconds = time.perf_counter() - begin
        if json:
            asked = described(DECISION, studied, solution, chart)
            print_json(asked | decision_as_data(decided) | {"seconds": round(seconds, 4)})
        else:
            _show_decision(studied, solution, decided, seconds)
        return 0
    if exact:
        _solve_one_by_one(solution)
    ev = solution.ev
    seconds = time.perf_counter() - begin
    if strategy is not None:
        write_file(strategy, play_head(studied, solution) + solution.strategy(), force=force)
        if post_split == "cdp":
            remark("the file has no play after a split, which with cdp depends on the cards gone")
    if json:
        asked = described(SOLVED, studied, solution, chart)
        data = asked | as_data(solution) | {"seconds": round(seconds, 4)}
        print_json(data | {"spread_seconds": round(time.perf_counter() - begin - seconds, 4)})
        return 0
    _show(Console(), studied, solution, ev, seconds)
    if strategy is not None:
        print(f"The play is in {strategy}.")
    return 0


def solved(
    rulebook: str,
    decks: str = "",
    settings: tuple[str, ...] = (),
    *,
    shoe: str = "",
    post_split: str = "cdz",
    chart: Path | None = None,
    exact: bool = False,
    wager: Fraction | None = None,
    others: int = 0,
) -> tuple[Study, Solution]:
    """The rules that the command line describes, solved."""
    from croupier.exact import solve as solve_exactly
    from croupier.exact import without_end

    after_split = parse_post_split(post_split)
    endless = decks == INFINITE
    studied = study(load(rulebook), settings, parse_decks(decks) if decks else None)
    cards: CardsLeft | None = without_end(studied.rules) if endless else None
    if shoe:
        if endless:
            raise ParseError("--shoe says what is left of so many decks: --decks inf has no end")
        from croupier.exact import parse_shoe

        cards = parse_shoe(shoe, studied.rules.ranks, studied.rules.house.decks)
    if exact:
        _check_fractions(studied, cards)
    play = read_chart(chart) if chart else None
    if play and (other := other_game(play, studied.rules)):
        remark(f"{chart} was written for another game: {other}")
    solution = solve_exactly(
        studied.rules,
        shoe=cards,
        post_split=after_split,
        chart=play,
        chart_name=str(chart),
        exact=exact,
        wager=wager,
        others=others,
    )
    return studied, solution


def _check_fractions(studied: Study, cards: CardsLeft | None) -> None:
    """Fractions grow with the cards: a shoe with too many different hands would not end in a day."""
    from croupier.exact.shoe import fresh
    from croupier.exact.solver import Solver

    shoe = cards or fresh(studied.rules.ranks, studied.rules.house.decks)
    count = len(Solver(studied.rules, shoe, exact=True).hands.size)
    if count > MOST_HANDS_IN_FRACTIONS:
        raise ParseError(
            f"--exact: this shoe makes {count:,} different hands, and fractions bear some "
            f"{MOST_HANDS_IN_FRACTIONS:,}; leave --exact out, or take a smaller --shoe"
        )


def _solve_one_by_one(solution: Solution) -> None:
    """Solve the game against one first card of the dealer after another, and tell how far that is."""
    upcards = solution.solver.upcards
    with solving_progress("first cards of the dealer") as told:
        for done, upcard in enumerate(upcards, 1):
            solution.solver.opening(upcard)
            if told:
                told(done, len(upcards))


# As data


def as_data(solution: Solution) -> dict[str, Any]:
    ev = solution.ev
    data: dict[str, Any] = {
        "ev": round(float(ev), DIGITS),
        **_spread_as_data(solution),
        "assumes": assumptions(solution) + _left_out(solution),
        "chart": _chart_as_data(solution),
        **_charts_as_data(solution),
    }
    if isinstance(ev, Fraction):
        data["ev_exact"] = str(ev)
    return data


def _spread_as_data(solution: Solution) -> dict[str, Any]:
    if not solution.has_spread:
        return dict.fromkeys(("variance", "deviation", "split_share", "three_hands", "results"))
    spread = solution.spread
    return {
        "variance": round(spread.variance, DIGITS),
        "deviation": round(spread.deviation, DIGITS),
        "split_share": round(spread.split_share, DIGITS),
        "three_hands": round(spread.three_hands, DIGITS),
        "results": {str(result): round(chance, DIGITS) for result, chance in spread.results.items()},
    }


def _left_out(solution: Solution) -> list[str]:
    """What the chances of results leave out."""
    if not solution.has_spread or not solution.spread.three_hands:
        return []
    share = f"{solution.spread.three_hands:.2%} of rounds"
    return [f"results of three hands and more ({share}) from what every two of them bring"]


def _chart_as_data(solution: Solution) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for cell in solution.chart:
        found.setdefault(cell.upcard, {})[cell.row] = cell.action
    return found


def _charts_as_data(solution: Solution) -> dict[str, Any]:
    """What there is to say of a chart that is not the best by totals."""
    if solution.post_split == "cards":
        from croupier.exact.by_cards import chart_by_cards

        return by_cards_as_data(chart_by_cards(solution.solver))
    if is_given(solution):
        from croupier.exact.exceptions import compared

        return {"costs": costs_as_data(compared(solution))}
    return {}


def is_given(solution: Solution) -> bool:
    """Is its play that of a chart which was given?"""
    return solution.solver.plans is not None and solution.post_split == "cdz"


def decision_as_data(decided: Decision) -> dict[str, Any]:
    return {
        "hand": decided.hand,
        "dealer": decided.upcard,
        "best": decided.best,
        "values": {action: round(float(worth), DIGITS) for action, worth in decided.worth.items()},
        "split_within": decided.split_within,
    }


def assumptions(solution: Solution) -> list[str]:
    """What the value leaves out."""
    found = ["one box, a fresh deal from the shoe named", "insurance and even money declined"]
    wager = solution.solver.wager
    if wager is not None:
        found.append(f"Super Bonus counted for a wager of {float(wager):g}")
        if solution.others:
            found.append(
                f"{solution.others} others draw for it as well; what they win you is not in the deviation"
            )
    elif solution.rules.super_bonus is not None:
        found.append("no Super Bonus, which is in dollars: --wager counts it")
    if not solution.has_spread:
        found.append("no deviation: cdp plays each hand of a split by itself, and no whole round")
    return found


# For people

COLOURS = {"S": "red", "H": "green", "D": "blue", "P": "yellow", "R": "magenta"}


def _show(console: Console, studied: Study, solution: Solution, ev: Any, seconds: float) -> None:
    console.print(f"[bold]{escape(studied.book.title)}[/], {_cards(studied, solution)}")
    for departure in studied.departures:
        console.print(f"[yellow]outside the law:[/] {escape(str(departure))}")
    who = "the player's" if ev > 0 else "the house's"
    console.print(
        f"\n  edge       [bold]{abs(float(ev)):.6%}[/] {who}   [dim]{_number(ev)} of a wager a round[/]"
    )
    _show_play(console, solution)
    took = f"{seconds:.2f} s"
    if solution.has_spread:
        begin = time.perf_counter()
        with solving_progress("splits") as told:
            deviation = solution.find_spread(told).deviation
        console.print(f"  deviation  {deviation:.6f} wagers a round")
        took += f", and {time.perf_counter() - begin:.2f} s for the deviation"
    console.print(f"  time       {took}\n")
    console.print(f"[dim]{'; '.join(assumptions(solution))}.[/]")


def _show_play(console: Console, solution: Solution) -> None:
    """The chart, and beside it what the play has of its own."""
    cells = solution.chart
    letters = "  ".join(f"[{COLOURS[letter]}]{letter}[/] {NAMES[letter]}" for letter in "SHDPR")
    if solution.post_split == "cards":
        from croupier.exact.by_cards import chart_by_cards

        show_by_cards(console, list(chart_by_cards(solution.solver)), COLOURS)
        console.print(letters)
    else:
        _show_chart(console, cells)
        console.print(letters)
        if any(cell.others for cell in cells):
            console.print("[dim]* some hands of the cell are better played otherwise: --exceptions[/]")
    if pairs := _pairs(cells):
        console.print(pairs)
    if is_given(solution):
        from croupier.exact.exceptions import compared

        show_costs(console, compared(solution))


def _pairs(cells: list[Cell]) -> str:
    """What several letters in a square mean, for those that the chart has."""
    found = sorted({cell.action for cell in cells if "/" in cell.action})
    said = [(action, done_in_full(action, ", or ")) for action in found]
    return "  ".join(
        f"[{COLOURS[action[0]]}]{action.replace('/', '')}[/] {words} where that is closed"
        for action, words in said
    )


def _number(value: Any) -> str:
    return str(value) if isinstance(value, Fraction) else f"{value:.{DIGITS}f}"


def _cards(studied: Study, solution: Solution) -> str:
    if solution.shoe.endless:
        return "packs without end"
    decks = studied.rules.house.decks
    whole = len(studied.rules.ranks) * 4 * decks
    depleted = "" if solution.shoe.size == whole else f", {solution.shoe.size} cards left"
    return f"{decks} deck{'s' if decks > 1 else ''}{depleted}"


def _show_chart(console: Console, cells: list[Cell]) -> None:
    upcards = list(dict.fromkeys(cell.upcard for cell in cells))
    by_place = {(cell.row, cell.upcard): cell for cell in cells}
    columns = sorted(upcards, key=UPCARDS.index)
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, padding=(0, 1))
    table.add_column("")
    for upcard in columns:
        table.add_column(upcard, justify="left", min_width=4)
    last = ""
    for row in sorted({cell.row for cell in cells}, key=row_order):
        kind = row_order(row)[0]
        if last and kind != last:
            table.add_section()
        last = str(kind)
        table.add_row(row_name(row), *(_cell_text(by_place.get((row, upcard))) for upcard in columns))
    console.print(table)


def _cell_text(cell: Cell | None) -> Text:
    if cell is None:
        return Text("")
    mark = "*" if cell.others else ""
    return Text(cell.action.replace("/", "") + mark, style=COLOURS[cell.action[0]])


def _show_decision(studied: Study, solution: Solution, decided: Decision, seconds: float) -> None:
    best = decided.best
    console = Console()
    console.print(
        f"[bold]{escape(decided.hand)}[/] against [bold]{escape(decided.upcard)}[/], "
        f"{escape(studied.book.title)}, {_cards(studied, solution)}"
    )
    for departure in studied.departures:
        console.print(f"[yellow]outside the law:[/] {escape(str(departure))}")
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False)
    table.add_column("action")
    table.add_column("worth", justify="right")
    table.add_column("costs", justify="right")
    for action, worth in sorted(decided.worth.items(), key=lambda item: -item[1]):
        cost = decided.cost[action]
        name = f"[{'bold ' if action == best else ''}{COLOURS[action]}]{NAMES[action]}[/]"
        table.add_row(name, f"{float(worth):+.9f}", f"{float(cost):.9f}" if cost else "")
    console.print(table)
    if decided.split_within:
        console.print(f"[dim]the split to within {decided.split_within:.1e}[/]")
    console.print(f"[dim]in units of the initial wager; {seconds:.2f} s[/]")
