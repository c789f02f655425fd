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

import croupier
from croupier.cli.options import DEFAULT, Book, Force, Json, PostSplit, StudyDecks, StudySettings, whole
from croupier.cli.output import Console, print_json, remark, require_place, write_file
from croupier.cli.solving import (
    INFINITE,
    announce,
    parse_decks,
    parse_post_split,
    parse_wager,
    read_chart,
)
from croupier.errors import ParseError
from croupier.report.text import DIGITS, NAMES, UPCARDS, row_name, row_order
from croupier.rulebook import load
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.study import Study, study

# Work in fractions takes about a second for ten of them.
MOST_HANDS_IN_FRACTIONS = 800

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
    chart: Annotated[Path | None, Parameter(help="Value the play that this file describes.")] = None,
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
    force: Force = False,
    json: Json = False,
) -> int:
    """Solve a game exactly: the edge, the deviation, the chart of best play, and the seconds it took."""
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
    if hand:
        decided = solution.decision(hand, dealer)
        return _show_decision(studied, solution, decided, time.perf_counter() - begin, json=json)
    ev = solution.ev
    seconds = time.perf_counter() - begin
    if strategy is not None:
        write_file(strategy, solution.strategy(), force=force)
        if post_split == "cdp":
            remark("the file has no play after a split, which with cdp depends on the cards gone")
    if json:
        print_json(as_data(studied, solution) | {"seconds": round(seconds, 4)})
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
    solution = solve_exactly(
        studied.rules,
        shoe=cards,
        post_split=after_split,
        chart=read_chart(chart) if chart else None,
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


# As data


def as_data(studied: Study, solution: Solution) -> dict[str, Any]:
    ev, spread = solution.ev, solution.spread
    data: dict[str, Any] = {
        "rulebook": studied.book.id,
        "decks": INFINITE if solution.shoe.endless else studied.rules.house.decks,
        "ev": round(float(ev), DIGITS),
        "variance": round(spread.variance, DIGITS),
        "deviation": round(spread.deviation, DIGITS),
        "variance_within": round(spread.variance_within, DIGITS),
        "split_share": round(spread.split_share, DIGITS),
        "post_split": solution.post_split,
        "rules_hash": rules_hash(studied.rules),
        "version": croupier.__version__,
        "outside_the_law": [str(departure) for departure in studied.departures],
        "assumes": assumptions(solution),
        "results": {str(result): round(chance, DIGITS) for result, chance in spread.results.items()},
        "chart": _chart_as_data(solution),
    }
    if isinstance(ev, Fraction):
        data["ev_exact"] = str(ev)
    return data


def _chart_as_data(solution: Solution) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for cell in solution.chart:
        found.setdefault(cell.upcard, {})[cell.row] = cell.action
    return found


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
    if solution.spread.split_share > 0:
        found.append(
            f"for the deviation and results alone, split hands ({solution.spread.split_share:.2%} of rounds) "
            "depend on each other through the dealer's hand only"
        )
    return found


# For people

COLOURS = {"S": "red", "H": "green", "D": "blue", "P": "yellow", "R": "magenta"}


def _show(console: Console, studied: Study, solution: Solution, ev: Any, seconds: float) -> None:
    console.print(f"[bold]{escape(studied.book.title)}[/], {_cards(studied, solution)}")
    for departure in studied.departures:
        console.print(f"[yellow]outside the law:[/] {escape(str(departure))}")
    _show_chart(console, solution.chart)
    letters = "  ".join(f"[{COLOURS[letter]}]{letter}[/] {NAMES[letter]}" for letter in "SHDPR")
    console.print(f"{letters}   [dim]* some hands of the cell are played otherwise[/]")
    if pairs := _pairs(solution.chart):
        console.print(pairs)
    who = "the player's" if ev > 0 else "the house's"
    console.print(
        f"\n  edge       [bold]{abs(float(ev)):.6%}[/] {who}   [dim]{_number(ev)} of a wager a round[/]"
    )
    console.print(f"  deviation  {solution.spread.deviation:.6f} wagers a round")
    console.print(f"  time       {seconds:.2f} s\n")
    console.print(f"[dim]{'; '.join(assumptions(solution))}.[/]")


def _pairs(cells: list[Cell]) -> str:
    """What two letters in a square mean, for those that the chart has."""
    found = sorted({cell.action for cell in cells if "/" in cell.action})
    said = [(action, *(NAMES[letter] for letter in action.split("/"))) for action in found]
    return "  ".join(
        f"[{COLOURS[action[0]]}]{action.replace('/', '')}[/] {first}, or {second} where that is closed"
        for action, first, second in said
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


def _show_decision(
    studied: Study, solution: Solution, decided: Decision, seconds: float, *, json: bool
) -> int:
    best = decided.best
    if json:
        data = {
            "rulebook": studied.book.id,
            "hand": decided.hand,
            "dealer": decided.upcard,
            "best": best,
            "values": {action: round(float(worth), DIGITS) for action, worth in decided.worth.items()},
            "split_within": decided.split_within,
            "rules_hash": rules_hash(studied.rules),
            "version": croupier.__version__,
            "outside_the_law": [str(departure) for departure in studied.departures],
            "seconds": round(seconds, 4),
        }
        print_json(data)
        return 0
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
    return 0
