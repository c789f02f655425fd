"""The mathematics of one game, gathered for a report.

`gather` solves the game with every number of decks that the law permits and with every rule that is commonly
asked about changed, and puts the answers into plain records (`model.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec.structs import replace

from croupier.errors import RulebookError
from croupier.exact.boxes import DIGITS_KNOWN
from croupier.exact.by_cards import chart_by_cards, pays_by_cards
from croupier.exact.exceptions import compared
from croupier.exact.game import check_solvable
from croupier.exact.many_rounds import many_rounds
from croupier.exact.records import by_upcard
from croupier.exact.shoe import CardsLeft, fresh
from croupier.exact.sidebets import Bets, bets_with
from croupier.exact.solution import Solution, solve, without_end
from croupier.exact.starts import starts
from croupier.exact.tally import dealer_rows, forfeits
from croupier.report.beside import (
    bonus_report,
    bonus_wagers,
    insurance_report,
    side_bet_report,
)
from croupier.report.cautions import cautions
from croupier.report.model import ByCards, DecksRow, HouseChoice, Provision, Report, Variation
from croupier.report.par import par
from croupier.report.text import ENDLESS
from croupier.rulebook.book import NOTHING, Rulebook
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.provision import provisions
from croupier.rulebook.rules import Rules
from croupier.rulebook.study import Study, as_setting, study
from croupier.rulebook.text import Clause
from croupier.rulebook.words import name_of, words
from croupier.threads import Told, at_once

# A ground whose readings matter to the value as well.
ALSO_READ = "winning_odds"
IN_A_LOG = (10_000, 100_000, 1_000_000, 10_000_000)  # rounds


def gather(
    book: Rulebook, settings: tuple[str, ...] = (), decks: int | None = None, told: Told | None = None
) -> Report:
    """Solve a game in every way that the report asks for, on all cores, and tell how far it is."""
    studied = study(book, settings, decks)
    rules = studied.rules
    here = rules.house.decks
    all_decks = sorted({*book.rules.decks_allowed, here})
    games = [*all_decks, ENDLESS]
    varied = list(_what_ifs(studied, settings, decks))
    # What takes longest goes first: where a natural takes from many hands jointly, and packs without end.
    jobs: dict[Any, Callable[[], Any]] = {
        ("what if", place): _job(_worth, varied[place].rules, here)
        for place in sorted(range(len(varied)), key=lambda place: varied[place].rules.max_hands is not None)
    }
    jobs |= {("best", number): _job(_best, rules, number) for number in games}
    jobs |= {("wager", wager): _job(_with_bonus, rules, wager) for wager in bonus_wagers(rules)}
    jobs |= {("bets", number): _job(bets_with, rules, number) for number in all_decks}
    found = at_once(jobs, told)
    solution: Solution = found["best", here]
    by_decks = tuple(_decks_row(book, found["best", n], n) for n in games)
    variations = tuple(
        _variation(studied, what, found["what if", place], float(solution.ev))
        for place, what in enumerate(varied)
    )
    bets: dict[int, Bets] = {number: found["bets", number] for number in all_decks}
    first_cards = tuple(starts(solution.solver))
    by_wager = {wager: found["wager", wager] for wager in bonus_wagers(rules)}
    bonus = bonus_report(solution, bets, by_wager) if rules.super_bonus else None
    return Report(
        study=studied,
        rules_hash=rules_hash(rules),
        decks=here,
        ev=float(solution.ev),
        spread=solution.spread,
        cautions=tuple(cautions(studied, by_decks, bets, bonus, variations)),
        provisions=tuple(_provisions(studied)),
        readings=tuple(_readings(book)),
        choices=tuple(_choices(studied)),
        by_decks=by_decks,
        many_rounds=tuple(many_rounds(solution.spread, count) for count in IN_A_LOG),
        by_upcard=by_upcard(first_cards),
        first_cards=first_cards,
        chart=tuple(solution.chart),
        exceptions=compared(solution.charted("total")),
        by_cards=_by_cards(solution),
        forfeits=forfeits(solution),
        mistakes=tuple(solution.mistakes()),
        dealer=tuple(dealer_rows(solution)),
        removals=solution.removals(),
        par=par(studied, solution),
        covariance=round(float(solution.covariance), DIGITS_KNOWN),
        side_bets=tuple(side_bet_report(studied, solution, name, bets) for name in rules.side_bets),
        insurance=tuple(insurance_report(rules, upcard, bets) for upcard in rules.insurance_upcards),
        bonus=bonus,
        variations=variations,
    )


def _job(work: Callable[[Rules, int], Any], rules: Rules, decks: int) -> Callable[[], Any]:
    return lambda: work(rules, decks)


def _shoe(rules: Rules, decks: int) -> CardsLeft:
    return without_end(rules) if decks == ENDLESS else fresh(rules.ranks, decks)


def _best(rules: Rules, decks: int) -> Solution:
    solution = solve(rules, shoe=_shoe(rules, decks))
    # Worked out here, beside other jobs.
    solution.spread, solution.charted("total").ev
    if decks == rules.house.decks:
        solution.endings, solution.covariance  # noqa: B018
    return solution


def _by_cards(solution: Solution) -> ByCards | None:
    """The chart by number of cards, where hands are paid by it."""
    if not pays_by_cards(solution.rules):
        return None
    known = solution.charted("cards")
    return ByCards(float(known.ev), tuple(chart_by_cards(known.solver)))


def _worth(rules: Rules, decks: int) -> float:
    return float(solve(rules, shoe=_shoe(rules, decks)).ev)


def _with_bonus(rules: Rules, wager: int) -> float:
    """What a round is worth to a wager of so many dollars, the Super Bonus counted and played for."""
    return float(solve(rules, shoe=_shoe(rules, rules.house.decks), wager=Fraction(wager)).ev)


def _decks_row(book: Rulebook, best: Solution, decks: int) -> DecksRow:
    return DecksRow(
        decks=decks,
        permitted=decks in book.rules.decks_allowed,
        ev=float(best.ev),
        by_totals=float(best.charted("total").ev),
        deviation=best.spread.deviation,
    )


# Rules, readings and choices


def _provisions(studied: Study) -> Iterator[Provision]:
    book, rules = studied.book, studied.rules
    outside = {departure.name.split(".")[0] for departure in studied.departures}
    for name, known in provisions(Rules).items():
        if not (known.worth or known.told == "value") or _idle(rules, name):
            continue
        value = getattr(rules, name)
        if name == "decks_allowed":
            standing = "outside" if "decks" in outside else ""
        else:
            chosen = value != getattr(book.rules, name)
            standing = "outside" if name in outside else "chosen" if chosen else ""
        rows = value.items() if isinstance(value, dict) else [("", value)]
        for row, said in rows:
            path = f"{name}.{row}" if row else name
            yield Provision(known.section, name_of(path), words(path, said), book.cite(path), standing)


def _idle(rules: Rules, name: str) -> bool:
    """Is this a detail of something that these rules do not have?"""
    of = provisions(Rules)[name].of
    if name == "resplit_aces":
        return rules.max_hands is not None and rules.max_hands <= 2
    return bool(of) and (not getattr(rules, of) or getattr(rules, of) in NOTHING)


def _readings(book: Rulebook) -> Iterator[Clause]:
    """The clauses of which the reading can change what a wager is worth."""
    matter = {name for name, known in provisions(Rules).items() if known.worth or known.told} | {ALSO_READ}
    for clause in book.clauses:
        touched = {path.split(".")[0] for path in (*clause.sets, *clause.grounds, *clause.options)}
        if clause.reading and touched & matter:
            yield clause


def _choices(studied: Study) -> Iterator[HouseChoice]:
    for name, clause, values in studied.book.readings(studied.rules):
        chosen = getattr(studied.rules, name)
        others = tuple(words(name, value) for value in values if value != chosen)
        games = [replace(studied.rules, **{name: value}) for value in values]
        changes_value = bool(provisions(Rules)[name].worth) if all(map(_solved, games)) else None
        yield HouseChoice(name_of(name), words(name, chosen), others, clause, changes_value)


def _solved(rules: Rules) -> bool:
    try:
        check_solvable(rules)
    except RulebookError:
        return False
    return True


# One rule changed


class _WhatIf(NamedTuple):
    name: str
    rules: Rules
    within: bool


def _what_ifs(studied: Study, settings: tuple[str, ...], decks: int | None) -> Iterator[_WhatIf]:
    """The rules with one of them changed: what the house may choose, then what is commonly asked."""
    book = studied.book
    asked: dict[str, list[str]] = {
        name: list(known.asked) for name, known in provisions(Rules).items() if known.asked
    }
    for name, (_, values) in book.options().items():
        if provisions(Rules)[name].worth:
            texts = [as_setting(value) for value in values]
            asked[name] = list(dict.fromkeys([*texts, *asked.get(name, ())]))
    for name, texts in asked.items():
        others = [pair for pair in settings if pair.partition("=")[0] != name]
        seen = [studied.rules]
        for text in texts:
            try:
                changed = study(book, [*others, f"{name}={text}"], decks)
            except RulebookError:
                continue  # it goes against another rule of this game
            if changed.rules in seen or _idle(changed.rules, name):
                continue
            seen.append(changed.rules)
            within = not any(departure.name == name for departure in changed.departures)
            yield _WhatIf(name, changed.rules, within)


def _variation(studied: Study, what: _WhatIf, ev: float, before: float) -> Variation:
    return Variation(
        provision=what.name,
        name=name_of(what.name),
        now=words(what.name, getattr(studied.rules, what.name)),
        value=words(what.name, getattr(what.rules, what.name)),
        ev=ev,
        change=ev - before,
        within=what.within,
        clauses=studied.book.cite(what.name),
    )
