"""The report as one page of HTML that needs no other file, for the screen and for paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from importlib import resources
from math import log10
from typing import Any, NamedTuple

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from msgspec.structs import replace

from croupier.exact.by_cards import Run
from croupier.exact.records import Cell
from croupier.exact.tally import Forfeits
from croupier.money import odds_text
from croupier.release import release
from croupier.report.beside import SideBetReport
from croupier.report.by_cards import NOTATION, by_cards_charts, further_notes, suited_notes
from croupier.report.data import cited
from croupier.report.exceptions import blocks
from croupier.report.first_cards import first_cards, suits_decide
from croupier.report.model import Report
from croupier.report.text import (
    KNOWN,
    NAMES,
    UPCARDS,
    about_one_in,
    action,
    card,
    decks_text,
    done_in_full,
    fraction,
    in_full,
    known_percent,
    number,
    one_in,
    percent,
    result_text,
    row_label,
    row_order,
    signed,
    small_percent,
    so_many_decks,
    ten_of,
)
from croupier.rulebook import Rules
from croupier.rulebook.book import Words
from croupier.rulebook.provision import provisions
from croupier.rulebook.words import plain
from croupier.rulebook.words import words as value_in_words
from croupier.story import capital

RARE = 1e-6  # results that are rarer are shown together
# What binds three hands moves the chance of a result by at most so much of that of such a split, from one
# deck; it falls with the square of the decks (docs/exact.md).
LEFT_OUT = 4e-4
FILTERS = {
    "percent": percent,
    "small_percent": small_percent,
    "signed": signed,
    "number": number,
    "one_in": one_in,
    "about_one_in": about_one_in,
    "odds": odds_text,
    "plain": plain,
    "decks": decks_text,
    "so_many_decks": so_many_decks,
    "result": result_text,
    "action": action,
    "in_full": in_full,
    "fraction": fraction,
    "known_percent": known_percent,
}
# How what is said of any rules says "split", so that a document's own word can take its place.
A_SPLIT = re.compile(r"(?<=\b[Aa] )split\b(?! ace)|(?<=\bone )split\b|(?<=\bafter )split\b|\bsplit(?=s\b)")
TO_SPLIT = re.compile(r"(?<=\bnot )split\b|(?<=\bmay )split\b|(?<=\ball )split\b")
IS_SPLIT = re.compile(r"\bsplit\b")


def render(
    report: Report, *, made: str, command: str, run: Any = None, figures: Sequence[tuple[str, str]] = ()
) -> str:
    """The report as a page. Whatever comes out of a rulebook is escaped.

    `figures` are plots of a simulated `run`, as SVG of our own making.
    """
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    report = _with_doubles_open(report)
    ten = ten_of(report.study.rules.ranks)
    words = report.study.book.words
    environment.filters |= FILTERS | {
        "card": partial(card, ten=ten),
        "called": partial(_called, words=words),
        "done": partial(done_in_full, split=words.split),
    }
    template = environment.from_string((resources.files("croupier.report") / "sheet.html").read_text("utf-8"))
    return template.render(
        report=report,
        book=report.study.book,
        rules=report.study.rules,
        words=words,
        release=release(),
        made=made,
        command=command,
        run=run,
        figures=[(name, Markup(svg)) for name, svg in figures],
        raw=f"{report.ev:.{KNOWN}f}",
        examined=_examined(report),
        charts=charts(report),
        otherwise=_otherwise(report),
        upcards=upcards(report),
        actions=_actions(report),
        exceptions=blocks(report.exceptions, ten),
        by_cards=by_cards_charts(report.by_cards.cells, ten) if report.by_cards else [],
        further=further_notes(report.by_cards.cells, ten) if report.by_cards else [],
        suited=suited_notes(report.by_cards.cells, ten) if report.by_cards else [],
        notation=NOTATION,
        cited=cited(report),
        reference=report.study.book.short,
        provisions=_by_section(report),
        results=results(report),
        digits=result_digits(report),
        first_cards=first_cards(report.first_cards, ten),
        suits_decide=suits_decide(report.first_cards),
        forfeits=forfeits(report),
        shared_forfeits=any(given.share < 1 for given in report.forfeits),
        insured=value_in_words("insurance_share", report.study.rules.insurance_share),
        frequencies=_frequencies(report),
        totals=_totals(report),
        starts=starts,
        bonus_hand=value_in_words("super_bonus", report.study.rules.super_bonus).partition(":")[0],
        bonus_wagers=list(_bonus_wagers(report)),
        variations=_variations(report),
        scale=_scale(report),
        row_name=partial(row_label, ten=ten),
        letters=letters,
    )


def _called(text: str, words: Words) -> str:
    """What is said of any rules, with the dealer, a natural and splits called as the document does."""
    kind = type(text)  # text of the page itself stays such
    for ours, theirs in {"dealer": words.dealer, "natural": words.natural}.items():
        text = text.replace(ours, theirs).replace(capital(ours), capital(theirs))
    for ways, theirs in ((A_SPLIT, words.a_split), (TO_SPLIT, words.split), (IS_SPLIT, words.is_split)):
        text = ways.sub(theirs, text)
    return kind(text)


def _with_doubles_open(report: Report) -> Report:
    """The report without what follows a double, where the rules never bar one."""
    rules = report.study.rules
    if rules.double_cards != "any" or not rules.double_after_split:
        return report

    def said(text: str) -> str:
        return text[: text.index("D") + 1] if "D" in text else text

    chart = [
        replace(cell, action=said(cell.action), others=tuple(map(said, cell.others))) for cell in report.chart
    ]
    by_cards = report.by_cards and replace(
        report.by_cards,
        cells=tuple(
            replace(cell, runs=tuple(Run(run.cards, said(run.action)) for run in cell.runs))
            for cell in report.by_cards.cells
        ),
    )
    return replace(report, chart=tuple(chart), by_cards=by_cards)


def _examined(report: Report) -> str:
    """The wagers that are looked at with every number of decks, in a row."""
    rules = report.study.rules
    found = ["the main game", *(bet.name for bet in report.side_bets)]
    found += ["insurance"] * bool(report.insurance) + ["even money"] * bool(rules.even_money_upcards)
    *most, last = found
    return f"{', '.join(most)} and {last}" if most else last


def _otherwise(report: Report) -> str:
    """What may be barred where the chart says what is done then."""
    barred = {"D": "doubled", "R": "surrendered"}
    shown = {action(cell.action) for cell in report.chart}
    return " or ".join(
        said for letter, said in barred.items() if any(text[0] == letter and text[1:] for text in shown)
    )


def _by_section(report: Report) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {known.section: [] for known in provisions(Rules).values()}
    for provision in report.provisions:
        found[provision.section].append(provision)
    return {section: held for section, held in found.items() if held}


# The chart


class Square(NamedTuple):
    """A cell as the page shows it: the action, what follows where it is not allowed, and all values."""

    cell: Cell
    action: str
    otherwise: str
    tip: str


class Chart(NamedTuple):
    name: str
    rows: dict[str, dict[str, Square]]


def upcards(report: Report) -> list[str]:
    held = {cell.upcard for cell in report.chart}
    return [upcard for upcard in UPCARDS if upcard in held]


def charts(report: Report) -> list[Chart]:
    """Hard totals, soft totals and pairs, each from the highest."""
    found = {"0": Chart("Hard totals", {}), "1": Chart("Soft totals", {}), "2": Chart("Pairs", {})}
    ten = ten_of(report.study.rules.ranks)
    for cell in sorted(report.chart, key=lambda cell: row_order(cell.row)):
        rows = found[str(row_order(cell.row)[0])].rows
        rows.setdefault(cell.row, {})[cell.upcard] = _square(cell, ten, _names(report))
    return [chart for chart in found.values() if chart.rows]


def _actions(report: Report) -> dict[str, str]:
    """The actions that these rules know, as the document calls them."""
    known = {letter for cell in report.chart for letter in cell.worth}
    return {letter: name for letter, name in _names(report).items() if letter in known}


def _names(report: Report) -> dict[str, str]:
    return NAMES | {"P": report.study.book.words.split}


def _square(cell: Cell, ten: str, names: dict[str, str]) -> Square:
    shown = action(cell.action)
    values = sorted(cell.worth.items(), key=lambda pair: -pair[1])
    lines = [f"{row_label(cell.row, ten)} against {card(cell.upcard, ten)}"]
    lines += [f"{names[letter]:<9} {signed(value, 6)}" for letter, value in values]
    if cell.others:
        others = ", ".join(in_full(other) for other in cell.others)
        lines.append(f"{cell.share:.1%} of these hands are best played so, others {others}")
    lines.append(f"once in {1 / cell.chance:,.0f} rounds")
    return Square(cell, shown[0], shown[1:], "\n".join(lines))


def letters(squares: dict[str, Square]) -> list[str]:
    """The actions that a row knows, in the order of the legend."""
    return [letter for letter in NAMES if any(letter in square.cell.worth for square in squares.values())]


def forfeits(report: Report) -> dict[str, list[str]]:
    """For each first card of the dealer the totals of doubled hands that are given up, in runs."""
    found: dict[str, list[str]] = {}
    for upcard in upcards(report):
        runs: list[list[Forfeits]] = []
        held = [given for given in report.forfeits if given.upcard == upcard]
        for given in sorted(held, key=lambda given: (given.soft, given.total)):
            last = runs[-1][-1] if runs else None
            if last and (last.soft, last.total + 1, last.share) == (given.soft, given.total, given.share):
                runs[-1].append(given)
            else:
                runs.append([given])
        found[upcard] = [_run(run) for run in runs]
    return found


def _run(run: list[Forfeits]) -> str:
    first, last = run[0], run[-1]
    totals = f"{first.total}" if first is last else f"{first.total} to {last.total}"
    share = "" if first.share == 1 else f" ({first.share:.0%})"
    return f"{'soft ' if first.soft else ''}{totals}{share}"


# Results and frequencies


def results(report: Report) -> list[tuple[str, float]]:
    """The results of a round with their chances, the rare ones at either end together."""
    spread = sorted(report.spread.results.items())
    usual = [result for result, chance in spread if chance >= RARE]
    low, high = min(usual), max(usual)
    found = [(result_text(result), chance) for result, chance in spread if low <= result <= high]
    found = [pair for pair in found if pair[1] >= 10.0 ** -(result_digits(report) + 2)]
    below = sum(chance for result, chance in spread if result < low)
    above = sum(chance for result, chance in spread if result > high)
    return [
        *([(f"below {result_text(low)}", below)] if below else []),
        *found,
        *([(f"above {result_text(high)}", above)] if above else []),
    ]


def result_digits(report: Report) -> int:
    """How many digits of a result's chance, in percent, are known."""
    left_out = LEFT_OUT / report.decks**2 * report.spread.three_hands
    return max(2, min(6, int(-log10(left_out)) - 2)) if left_out else 6


def _frequencies(report: Report) -> list[tuple[str, float]]:
    rules, words, par, dealer = report.study.rules, report.study.book.words, report.par, report.dealer
    spread = report.spread.results
    return [
        ("the player is ahead after the round", sum(part for result, part in spread.items() if result > 0)),
        ("neither side is ahead", spread.get(Fraction(0), 0.0)),
        ("the player is behind", sum(part for result, part in spread.items() if result < 0)),
        (f"the {words.dealer} has a {words.natural}", dealer[-1].ends["natural"]),
        (f"the {words.dealer} shows an ace", sum(row.chance for row in dealer if row.upcard == "A")),
        (f"the {words.dealer}, drawing alone, goes over 21", dealer[-1].ends["bust"]),
        (f"the hand is {words.is_split}", report.spread.split_share),
        ("it becomes three hands or more", report.spread.three_hands),
        *([("the hand is surrendered", par.of("surrender_share"))] if rules.surrender != "none" else []),
    ]


def _totals(report: Report) -> list[tuple[str, float]]:
    """The totals that hands end with, in words."""
    named = {"natural": report.study.book.words.natural, "bust": "over 21"}
    return [(named.get(total, total), hands) for total, hands in report.par.totals.items()]


# Other wagers


def starts(bet: SideBetReport) -> list[tuple[str, Fraction, Fraction, Fraction]]:
    """Two cards after which a third decides, alike ones together: chance, standing, drawing."""
    found: dict[tuple[str, Fraction, Fraction], Fraction] = {}
    for start in bet.starts:
        ranks = "-".join(card(shown[0]) for shown in start.cards)
        suits = {shown[1:] for shown in start.cards}
        kind = "" if suits == {""} else " of one suit" if len(suits) == 1 else " of two suits"
        key = ranks + kind, start.standing, start.drawing
        found[key] = found.get(key, Fraction(0)) + start.chance
    return [(name, chance, standing, drawing) for (name, standing, drawing), chance in found.items()]


class BonusWager(NamedTuple):
    """The Super Bonus beside one size of wager: as a share of it, what best play makes of it, the edge."""

    wager: int
    prize: int
    share: float
    draws: bool
    net: float
    ev: float


def _bonus_wagers(report: Report) -> Iterator[BonusWager]:
    terms, bonus = report.study.rules.super_bonus, report.bonus
    if terms is None or bonus is None:
        return
    chance = float(bonus.by_decks[report.decks].chance)
    for wager, ev in bonus.by_wager.items():
        prize = terms.from_threshold if wager >= terms.threshold else terms.below_threshold
        chase = bonus.chase
        draws = chase is None or chase.cost * wager <= float(chase.comes) * prize
        yield BonusWager(wager, prize, chance * prize / wager, draws, ev - report.ev, ev)


def _variations(report: Report) -> dict[str, list[Any]]:
    """The variations by the rule that they change, in the order of the rules."""
    order = list(provisions(Rules))
    found: dict[str, list[Any]] = {}
    for varied in sorted(report.variations, key=lambda varied: order.index(varied.provision)):
        found.setdefault(varied.provision, []).append(varied)
    return found


def _scale(report: Report) -> float:
    """What the bars span: the greatest change but that of the odds for a natural, which dwarfs all others."""
    changes = [abs(varied.change) for varied in report.variations if varied.provision != "natural_pays"]
    return max(changes, default=0.0) or 1.0
