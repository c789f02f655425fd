"""`croupier solve --side-bets`: the wagers beside the main one, from any shoe, in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from croupier.cli.describing import described
from croupier.cli.output import Console, print_json
from croupier.errors import ParseError
from croupier.money import odds_text
from croupier.report.data import plain
from croupier.report.text import DIGITS, number, one_in, percent, signed, so_many_decks
from croupier.rulebook.study import Study
from croupier.rulebook.words import plain as in_words
from croupier.rulebook.words import title

if TYPE_CHECKING:
    from croupier.exact.answers import Question
    from croupier.exact.sidebets import Bets, BetValue

SIDE_BETS = "croupier side bets 1"
DRAWN = "every card that can still change a side bet is drawn"
INITIAL = 2  # cards of a box before anybody decides
WithSideBets = Annotated[
    bool,
    Parameter(
        name="--side-bets",
        negative="",
        show_default=False,
        help="The side bets, insurance and the Super Bonus from these cards, in fractions, and no main game.",
    ),
]


def solve_side_bets(studied: Study, question: Question, *, json: bool) -> int:
    from croupier.exact.sidebets import bets_from

    rules = studied.rules
    if question.wager is not None and rules.super_bonus is None:
        raise ParseError("a wager in dollars is for rules with a Super Bonus, which these have not")
    if not 0 <= question.others < rules.house.boxes:
        raise ParseError(f"{question.others} others: from 0 to {rules.house.boxes - 1} of them")
    bets = bets_from(rules, question.shoe, question.others)
    if json:
        game = described(SIDE_BETS, studied, question)
        head = {name: value for name, value in game.items() if name not in ("play", "post_split")}
        print_json(head | bets_as_data(studied, question, bets))
    else:
        _show(Console(), studied, question, bets)
    return 0


# As data


def bets_as_data(studied: Study, question: Question, bets: Bets) -> dict[str, Any]:
    looks = {name: bet.first_cards for name, bet in studied.rules.side_bets.items()}
    return {
        "side_bets": {name: {"first_cards": looks[name]} | _bet(bet) for name, bet in bets.side.items()},
        "insurance": {upcard: _bet(bet) for upcard, bet in bets.insurance.items()},
        "insurance_with_natural": {upcard: _bet(bet) for upcard, bet in bets.with_natural.items()},
        "even_money": plain(bets.even_money),
        "super_bonus": _bonus(studied, question, bets),
        "assumes": [DRAWN] if max(looks.values(), default=0) > INITIAL else [],
    }


def _bet(bet: BetValue) -> dict[str, Any]:
    rows = [plain(payout) | plain({"contributes": payout.pays * payout.chance}) for payout in bet.payouts]
    return {
        "rows": rows,
        **plain({"loses": bet.loses, "ev": bet.ev, "house_edge": -bet.ev, "variance": bet.variance}),
        "deviation": round(_deviation(bet), DIGITS),
    }


def _bonus(studied: Study, question: Question, bets: Bets) -> dict[str, Any] | None:
    """The Super Bonus in dollars, and of the wager where one is said."""
    terms = studied.rules.super_bonus
    if terms is None or bets.bonus is None:
        return None
    prizes = {"below_threshold": terms.below_threshold, "from_threshold": terms.from_threshold}
    found: dict[str, Any] = {
        "threshold": terms.threshold,
        "prizes": {**prizes, "others": terms.others},
        "other_boxes": question.others,
        "chance": bets.bonus.chance,
        "dollars_a_round": {
            "below_threshold": bets.bonus.below_threshold,
            "from_threshold": bets.bonus.from_threshold,
            "others": bets.bonus.others,
        },
    }
    if question.wager is not None:
        found |= {"wager": question.wager, "of_the_wager": _of_wager(studied, question.wager, bets)}
    data: dict[str, Any] = plain(found)
    return data


def _of_wager(studied: Study, wager: Fraction, bets: Bets) -> Fraction:
    """What the Super Bonus, one's own and others', adds to the return of a wager."""
    from croupier.game.pay import super_bonus_for

    terms, bonus = studied.rules.super_bonus, bets.bonus
    if terms is None or bonus is None:
        return Fraction(0)
    return (super_bonus_for(terms, wager)[0] * bonus.chance + bonus.others) / wager


def _deviation(bet: BetValue) -> float:
    return sqrt(bet.variance)


# For people


def _show(console: Console, studied: Study, question: Question, bets: Bets) -> None:
    shoe, decks = question.shoe, studied.rules.house.decks
    cards = "packs without end" if shoe.endless else f"{so_many_decks(decks)}, {shoe.size} cards left"
    console.print(f"[bold]{escape(studied.book.title)}[/], {cards}")
    for departure in studied.departures:
        console.print(f"[yellow]outside the law:[/] {escape(str(departure))}")
    if not (bets.side or bets.insurance or bets.bonus):
        console.print("There are no other wagers than the main one.")
    for name, bet in bets.side.items():
        looks = studied.rules.side_bets[name].first_cards
        _show_bet(console, f"{title(name)}, on the first {looks} cards", bet)
    for upcard, bet in bets.insurance.items():
        _show_bet(console, f"Insurance against {upcard}", bet)
        if upcard in bets.with_natural:
            edge = -bets.with_natural[upcard].ev
            console.print(f"  house edge where a natural is held: {percent(edge)} ({edge})")
    for upcard, money in bets.even_money.items():
        console.print(
            f"  even money against {upcard}: {signed(money.taking)} of the wager taken, "
            f"{signed(money.declining)} declined"
        )
    _show_bonus(console, studied, question, bets)
    if any(bet.first_cards > INITIAL for bet in studied.rules.side_bets.values()):
        console.print(f"\n[dim]{DRAWN}.[/]")


def _show_bet(console: Console, name: str, bet: BetValue) -> None:
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True)
    for column in ("pays", "chance", "exactly", "once in", "contributes"):
        table.add_column(column, justify="right", overflow="fold")
    rows = [(in_words(paid.row), odds_text(paid.pays), paid.chance, paid.pays) for paid in bet.payouts]
    for row, pays, chance, brings in (*rows, ("loses", "", bet.loses, Fraction(-1))):
        rare = one_in(chance).removeprefix("1 in ")
        table.add_row(escape(row), pays, percent(chance, 5), str(chance), rare, signed(brings * chance, 5))
    console.print(f"\n[bold]{escape(name)}[/]")
    console.print(table)
    flag = "  [red]favours the player[/]" if bet.ev > 0 else "  [yellow]exactly fair[/]" if not bet.ev else ""
    console.print(
        f"  house edge {percent(-bet.ev)} ({-bet.ev}), deviation {number(_deviation(bet), 4)}{flag}"
    )


def _show_bonus(console: Console, studied: Study, question: Question, bets: Bets) -> None:
    terms, bonus = studied.rules.super_bonus, bets.bonus
    if terms is None or bonus is None:
        return
    sign = escape(studied.book.words.currency)
    rare = one_in(bonus.chance).replace("1 in", "once in")
    console.print("\n[bold]Super Bonus[/]")
    console.print(f"  a box that draws for it wins it {rare} rounds ({bonus.chance})")
    for where, prize, worth in (
        (f"below {sign}{terms.threshold}", terms.below_threshold, bonus.below_threshold),
        (f"from {sign}{terms.threshold}", terms.from_threshold, bonus.from_threshold),
    ):
        console.print(f"  {where} it is {sign}{prize:,}: worth {sign}{number(worth, 6)} a round ({worth})")
    if question.others:
        console.print(
            f"  beside {question.others} others: their {sign}{terms.others} is worth "
            f"{sign}{number(bonus.others, 6)} a round"
        )
    if question.wager is not None:
        share = _of_wager(studied, question.wager, bets)
        console.print(f"  of a wager of {sign}{float(question.wager):g}: {percent(share, 5)} of it a round")
