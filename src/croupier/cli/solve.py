"""`croupier solve`: the edge of a game, its best play, and every action's worth for one decision."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from croupier.cli.answering import (
    Rounds,
    first_cards_as_data,
    rounds_as_data,
    rounds_together,
    show_rounds,
)
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
from croupier.cli.endings import WithEndings, endings_as_data, found_endings, show_endings
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
    keeping,
    parse_decks,
    parse_post_split,
    parse_wager,
    read_chart,
    solving_progress,
)
from croupier.cli.wagers import WithSideBets, solve_side_bets
from croupier.errors import ParseError
from croupier.report.text import DIGITS, KNOWN, NAMES, UPCARDS, done_in_full, row_name, row_order
from croupier.rulebook import load
from croupier.rulebook.study import Study, study

# Work in fractions takes about a second for ten of them.
MOST_HANDS_IN_FRACTIONS = 800

SOLVED, DECISION = "croupier solve 1", "croupier decision 1"

if TYPE_CHECKING:
    from croupier.exact import Cell, Decision, Solution
    from croupier.exact.answers import Answer, Question
    from croupier.exact.kept import Kept


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
    rounds: Rounds = None,
    endings: WithEndings = False,
    side_bets: WithSideBets = False,
    grid: GridSettings = (),
    output: Output = None,
    no_cache: NoCache = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Solve a game exactly: the edge, the deviation, the chart of best play, and the seconds it took."""
    of_one: dict[str, object] = {"--hand": hand, "--strategy": strategy, "--chart": chart, "--exact": exact}
    of_one |= {"--rounds": rounds, "--endings": endings}
    if grid:
        of_one |= {"--shoe": shoe, "--wager": wager, "--side-bets": side_bets, "--exceptions": exceptions}
        _refuse("--grid solves many games", of_one)
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
    if output is not None and not exceptions:
        raise ParseError("--output goes with --grid and --exceptions, as in --grid decks=1,2,6")
    if exceptions:
        alone: dict[str, object] = {"--hand": hand, "--strategy": strategy, "--rounds": rounds}
        _refuse(
            "--exceptions lists hands by itself", alone | {"--endings": endings, "--side-bets": side_bets}
        )
    if output is not None:
        require_output(output, force=force)
    if bool(hand) != bool(dealer):
        raise ParseError("--hand and --dealer go together, as in --hand '8s 8d' --dealer Th")
    if side_bets:
        _refuse("--side-bets tells of no main game", of_one)
        studied, question = asked(rulebook, decks, settings, shoe=shoe, wager=wager, others=others)
        return solve_side_bets(studied, question, json=json)
    of_rounds: dict[str, object] = {"--rounds": rounds, "--endings": endings}
    if hand:
        _refuse("--hand asks for one decision", {"--strategy": strategy, **of_rounds})
    if post_split == "cdp":
        _refuse("cdp plays each hand of a split by itself, and no whole round", of_rounds)
    if strategy is not None:
        require_place(strategy, force=force)
    begin = time.perf_counter()
    studied, question = asked(
        rulebook,
        decks,
        settings,
        shoe=shoe,
        post_split=post_split,
        chart=chart,
        exact=exact,
        wager=wager,
        others=others,
    )
    if exceptions:
        said: dict[str, Any] = {"output": output, "force": force, "json": json, "begin": begin}
        return tell_exceptions(studied, _solved(question, question.solve), chart, **said)
    if hand:
        announce()
        if exact:
            _check_fractions(question)
        solution = question.solve()
        decided = solution.decision(hand, dealer)
        seconds = time.perf_counter() - begin
        if json:
            told = described(DECISION, studied, solution, chart)
            print_json(told | decision_as_data(decided) | {"seconds": round(seconds, 4)})
        else:
            _show_decision(studied, solution, decided, seconds)
        return 0
    with keeping(no_cache=no_cache) as kept:
        answer = answered(question, kept)
        ev = answer.ev
        seconds = time.perf_counter() - begin
        if strategy is not None:
            write_file(strategy, play_head(studied, answer) + answer.solution.strategy(), force=force)
            if post_split == "cdp":
                remark("the file has no play after a split, which with cdp depends on the cards gone")
        if json:
            told = described(SOLVED, studied, answer, chart) | as_data(answer)
            if rounds is not None:
                told["many_rounds"] = rounds_as_data(rounds_together(answer, rounds))
            if endings:
                told["par"] = endings_as_data(found_endings(studied, answer))
            took = {"seconds": seconds, "spread_seconds": time.perf_counter() - begin - seconds}
            print_json(
                told | {"kept": answer.on_file} | {name: round(value, 4) for name, value in took.items()}
            )
        else:
            _show(Console(), studied, answer, ev, seconds, rounds)
            if endings:
                show_endings(Console(), studied, found_endings(studied, answer))
            if strategy is not None:
                print(f"The play is in {strategy}.")
        answer.keep()
    return 0


def _refuse(why: str, options: dict[str, object]) -> None:
    if given := [option for option, value in options.items() if value]:
        raise ParseError(f"{why}: leave out {' and '.join(given)}")


def asked(
    rulebook: str,
    decks: str = "",
    settings: tuple[str, ...] = (),
    *,
    shoe: str = "",
    post_split: str = "cdz",
    chart: Path | None = None,
    exact: bool = False,
    wager: str = "",
    others: int = 0,
) -> tuple[Study, Question]:
    """The rules that the command line describes, and what is to be solved."""
    from croupier.exact.answers import Question
    from croupier.exact.shoe import endless, fresh, parse_shoe

    after_split = parse_post_split(post_split)
    studied = study(load(rulebook), settings, parse_decks(decks) if decks else None)
    rules = studied.rules
    cards = endless(rules.ranks) if decks == INFINITE else fresh(rules.ranks, rules.house.decks)
    if shoe:
        if cards.endless:
            raise ParseError("--shoe says what is left of so many decks: --decks inf has no end")
        cards = parse_shoe(shoe, rules.ranks, rules.house.decks)
    play = read_chart(chart) if chart else None
    if play and (other := other_game(play, rules)):
        remark(f"{chart} was written for another game: {other}")
    question = Question(
        rules, cards, after_split, play, str(chart), exact=exact, wager=parse_wager(wager), others=others
    )
    return studied, question


def answered(question: Question, kept: Kept | None) -> Answer:
    """What is on file, or the game solved, with word of how far it is where that takes long."""
    from croupier.exact.answers import Answer

    answer = Answer(question, kept)
    if not answer.on_file:
        _solved(question, lambda: answer.solution)
    return answer


def _solved(question: Question, solve: Callable[[], Solution]) -> Solution:
    """The game solved; in fractions, which take long, with word of how far it is."""
    announce()
    if question.exact:
        _check_fractions(question)
    solution = solve()
    if question.exact:
        _solve_one_by_one(solution)
    return solution


def _check_fractions(question: Question) -> None:
    """Fractions grow with the cards: a shoe with too many different hands would not end in a day."""
    from croupier.exact.solver import Solver

    count = len(Solver(question.rules, question.shoe, exact=True).hands.size)
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


def as_data(answer: Answer) -> dict[str, Any]:
    ev = answer.ev
    data: dict[str, Any] = {
        "ev": round(float(ev), DIGITS),
        **_spread_as_data(answer),
        "assumes": assumptions(answer) + _left_out(answer),
        "chart": _chart_as_data(answer),
        **first_cards_as_data(answer),
        **_charts_as_data(answer),
    }
    if isinstance(ev, Fraction):
        data["ev_exact"] = str(ev)
    return data


def _spread_as_data(answer: Answer) -> dict[str, Any]:
    if not answer.has_spread:
        return dict.fromkeys(("variance", "deviation", "split_share", "three_hands", "results"))
    spread = answer.spread
    return {
        "variance": round(spread.variance, DIGITS),
        "deviation": round(spread.deviation, DIGITS),
        "split_share": round(spread.split_share, DIGITS),
        "three_hands": round(spread.three_hands, DIGITS),
        "results": {str(result): round(chance, DIGITS) for result, chance in spread.results.items()},
    }


def _left_out(answer: Answer) -> list[str]:
    """What the chances of results leave out."""
    if not answer.has_spread or not answer.spread.three_hands:
        return []
    share = f"{answer.spread.three_hands:.2%} of rounds"
    return [f"results of three hands and more ({share}) from what every two of them bring"]


def _chart_as_data(answer: Answer) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for cell in answer.chart:
        found.setdefault(cell.upcard, {})[cell.row] = cell.action
    return found


def _charts_as_data(answer: Answer) -> dict[str, Any]:
    """What there is to say of a chart that is not the best by totals."""
    if answer.post_split == "cards":
        from croupier.exact.by_cards import chart_by_cards

        return by_cards_as_data(chart_by_cards(answer.solution.solver))
    if answer.question.chart is not None:
        from croupier.exact.exceptions import compared

        return {"costs": costs_as_data(compared(answer.solution))}
    return {}


def decision_as_data(decided: Decision) -> dict[str, Any]:
    return {
        "hand": decided.hand,
        "dealer": decided.upcard,
        "best": decided.best,
        "values": {action: round(float(worth), DIGITS) for action, worth in decided.worth.items()},
        "split_within": decided.split_within,
    }


def assumptions(answer: Answer) -> list[str]:
    """What the value leaves out."""
    found = ["one box, a fresh deal from the shoe named", "insurance and even money declined"]
    wager = answer.wager
    if wager is not None:
        found.append(f"Super Bonus counted for a wager of {float(wager):g}")
        if answer.others:
            found.append(
                f"{answer.others} others draw for it as well; what they win you is not in the deviation"
            )
    elif answer.rules.super_bonus is not None:
        found.append("no Super Bonus, which is in dollars: --wager counts it")
    if not answer.has_spread:
        found.append("no deviation: cdp plays each hand of a split by itself, and no whole round")
    return found


# For people

COLOURS = {"S": "red", "H": "green", "D": "blue", "P": "yellow", "R": "magenta"}


def _show(
    console: Console, studied: Study, answer: Answer, ev: Any, seconds: float, rounds: int | None = None
) -> None:
    console.print(f"[bold]{escape(studied.book.title)}[/], {_cards(studied, answer)}")
    for departure in studied.departures:
        console.print(f"[yellow]outside the law:[/] {escape(str(departure))}")
    who = "the player's" if ev > 0 else "the house's"
    console.print(
        f"\n  edge       [bold]{abs(float(ev)):.6%}[/] {who}   [dim]{_number(ev)} of a wager a round[/]"
    )
    _show_play(console, answer)
    took = f"{seconds:.2f} s"
    if answer.has_spread:
        begin = time.perf_counter()
        with solving_progress("splits") as told:
            deviation = answer.find_spread(told).deviation
        console.print(f"  deviation  {deviation:.6f} wagers a round")
        took += f", and {time.perf_counter() - begin:.2f} s for the deviation"
    if answer.on_file:
        took = f"{seconds:.2f} s, from what was kept; --no-cache solves it anew"
    console.print(f"  time       {took}\n")
    if rounds is not None:
        show_rounds(console, rounds_together(answer, rounds))
    console.print(f"[dim]{'; '.join(assumptions(answer))}.[/]")


def _show_play(console: Console, answer: Answer) -> None:
    """The chart, and beside it what the play has of its own."""
    cells = answer.chart
    letters = "  ".join(f"[{COLOURS[letter]}]{letter}[/] {NAMES[letter]}" for letter in "SHDPR")
    if answer.post_split == "cards":
        from croupier.exact.by_cards import chart_by_cards

        show_by_cards(console, list(chart_by_cards(answer.solution.solver)), COLOURS)
        console.print(letters)
    else:
        _show_chart(console, cells)
        console.print(letters)
        if any(cell.others for cell in cells):
            console.print("[dim]* some hands of the cell are better played otherwise: --exceptions[/]")
    if pairs := _pairs(cells):
        console.print(pairs)
    if answer.question.chart is not None:
        from croupier.exact.exceptions import compared

        show_costs(console, compared(answer.solution))


def _pairs(cells: list[Cell]) -> str:
    """What several letters in a square mean, for those that the chart has."""
    found = sorted({cell.action for cell in cells if "/" in cell.action})
    said = [(action, done_in_full(action, ", or ")) for action in found]
    return "  ".join(
        f"[{COLOURS[action[0]]}]{action.replace('/', '')}[/] {words} where that is closed"
        for action, words in said
    )


def _number(value: Any) -> str:
    return str(value) if isinstance(value, Fraction) else f"{value:.{KNOWN}f}"


def _cards(studied: Study, solution: Solution | Answer) -> str:
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
