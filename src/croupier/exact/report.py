"""The mathematics of one game, gathered for a report: every figure that a regulator is told, and its clause.

Nothing here is laid out. `gather` solves the game with every number of decks that the law permits and with
every rule that is commonly asked about changed, and puts the answers into plain records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec import Struct

from croupier.errors import RulebookError
from croupier.exact import sidebets
from croupier.exact.beside import (
    Bets,
    BonusReport,
    InsuranceReport,
    SideBetReport,
    bets_with,
    bonus_report,
    bonus_wagers,
    insurance_report,
    row_clauses,
    side_bet_report,
)
from croupier.exact.shoe import Shoe, fresh
from croupier.exact.solution import Cell, Mistake, Solution, solve, without_end
from croupier.exact.spread import Spread
from croupier.exact.tally import (
    DealerRow,
    Forfeits,
    Frequencies,
    MixedCell,
    counted,
    dealer_rows,
    mixed_cells,
)
from croupier.exact.threads import Told, at_once
from croupier.rulebook.book import NOTHING, Rulebook, encode_special, rules_hash
from croupier.rulebook.provision import provisions
from croupier.rulebook.rules import Rules
from croupier.rulebook.study import Study, study
from croupier.rulebook.text import Clause
from croupier.rulebook.words import name_of, title, words

ENDLESS = 0  # in place of a number of decks

# A ground whose readings matter to the value as well.
ALSO_READ = "winning_odds"


class Provision(Struct, frozen=True):
    """One rule in words; `standing` says if the house chose it so, or left the law for it."""

    section: str
    name: str
    value: str
    clauses: tuple[Clause, ...]
    standing: str = ""  # "", "chosen" or "outside"


class Choice(Struct, frozen=True):
    """What is left to the house: by a reading of a clause, or because the document is silent."""

    name: str
    chosen: str
    others: tuple[str, ...]
    clause: Clause | None
    changes_value: bool


class DecksRow(Struct, frozen=True):
    """The game from so many decks: the best play, the best by totals alone, and the deviation."""

    decks: int
    permitted: bool
    ev: float
    by_totals: float
    deviation: float


class Variation(Struct, frozen=True):
    """The game with one rule changed."""

    provision: str
    name: str
    now: str
    value: str
    ev: float
    change: float
    within: bool
    clauses: tuple[Clause, ...]


class Caution(Struct, frozen=True):
    """What a regulator must know, with the clauses it rests on."""

    kind: str  # "outside" the law, "favours" the player, or "fair": no edge at all
    text: str
    clauses: tuple[str, ...] = ()


class Report(Struct, frozen=True):
    study: Study
    rules_hash: str
    decks: int
    ev: float
    spread: Spread
    cautions: tuple[Caution, ...]
    provisions: tuple[Provision, ...]
    readings: tuple[Clause, ...]
    choices: tuple[Choice, ...]
    by_decks: tuple[DecksRow, ...]
    chart: tuple[Cell, ...]
    mixed_cells: tuple[MixedCell, ...]
    forfeits: tuple[Forfeits, ...]
    mistakes: tuple[Mistake, ...]
    dealer: tuple[DealerRow, ...]
    removals: dict[str, float]
    frequencies: Frequencies
    side_bets: tuple[SideBetReport, ...]
    insurance: tuple[InsuranceReport, ...]
    bonus: BonusReport | None
    variations: tuple[Variation, ...]


# Gathering


def gather(
    book: Rulebook, settings: tuple[str, ...] = (), decks: int | None = None, told: Told | None = None
) -> Report:
    """Solve a game in every way that the report asks for, on two cores, and tell how far it is."""
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
    jobs |= {("total", number): _job(_by_totals, rules, number) for number in games}
    jobs |= {("wager", wager): _job(_with_bonus, rules, wager) for wager in bonus_wagers(rules)}
    jobs |= {("bets", number): _job(bets_with, rules, number) for number in all_decks}
    found = at_once(jobs, told)
    solution: Solution = found["best", here]
    by_decks = tuple(_decks_row(book, found["best", n], found["total", n], n) for n in games)
    variations = tuple(
        _variation(studied, what, found["what if", place], float(solution.ev))
        for place, what in enumerate(varied)
    )
    bets: dict[int, Bets] = {number: found["bets", number] for number in all_decks}
    tally = counted(solution)
    by_wager = {wager: found["wager", wager] for wager in bonus_wagers(rules)}
    bonus = bonus_report(solution, bets, by_wager) if rules.super_bonus else None
    return Report(
        study=studied,
        rules_hash=rules_hash(rules),
        decks=here,
        ev=float(solution.ev),
        spread=solution.spread,
        cautions=tuple(_cautions(studied, by_decks, bets, bonus, variations)),
        provisions=tuple(_provisions(studied)),
        readings=tuple(_readings(book)),
        choices=tuple(_choices(studied)),
        by_decks=by_decks,
        chart=tuple(solution.chart),
        mixed_cells=tuple(mixed_cells(solution, found["total", here])),
        forfeits=tally.forfeits,
        mistakes=tuple(solution.mistakes()),
        dealer=tuple(dealer_rows(solution)),
        removals=solution.removals(),
        frequencies=tally.frequencies,
        side_bets=tuple(side_bet_report(studied, solution, name, bets) for name in rules.side_bets),
        insurance=tuple(insurance_report(rules, upcard, bets) for upcard in rules.insurance_upcards),
        bonus=bonus,
        variations=variations,
    )


def _job(work: Callable[[Rules, int], Any], rules: Rules, decks: int) -> Callable[[], Any]:
    return lambda: work(rules, decks)


def _shoe(rules: Rules, decks: int) -> Shoe:
    return without_end(rules) if decks == ENDLESS else fresh(rules.ranks, decks)


def _best(rules: Rules, decks: int) -> Solution:
    solution = solve(rules, shoe=_shoe(rules, decks))
    solution.spread  # noqa: B018 - worked out here, beside other jobs
    return solution


def _by_totals(rules: Rules, decks: int) -> Solution:
    solution = solve(rules, shoe=_shoe(rules, decks), post_split="total")
    solution.ev  # noqa: B018 - likewise
    return solution


def _worth(rules: Rules, decks: int) -> float:
    return float(solve(rules, shoe=_shoe(rules, decks)).ev)


def _with_bonus(rules: Rules, wager: int) -> float:
    """What a round is worth to a wager of so many dollars, the Super Bonus counted and played for."""
    return float(solve(rules, shoe=_shoe(rules, rules.house.decks), wager=Fraction(wager)).ev)


def _decks_row(book: Rulebook, best: Solution, totals: Solution, decks: int) -> DecksRow:
    return DecksRow(
        decks=decks,
        permitted=decks in book.rules.decks_allowed,
        ev=float(best.ev),
        by_totals=float(totals.ev),
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


def _choices(studied: Study) -> Iterator[Choice]:
    for name, clause, values in studied.book.readings(studied.rules):
        chosen = getattr(studied.rules, name)
        others = tuple(words(name, value) for value in values if value != chosen)
        yield Choice(name_of(name), words(name, chosen), others, clause, bool(provisions(Rules)[name].worth))


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
            texts = [_as_setting(value) for value in values]
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


def _as_setting(value: Any) -> str:
    """A value as `--set` takes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction):
        return str(encode_special(value))
    if isinstance(value, tuple | list | frozenset):
        return ",".join(map(str, sorted(value))) or "none"
    return str(value)


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


# What a regulator must know


def _cautions(
    studied: Study,
    by_decks: tuple[DecksRow, ...],
    bets: dict[int, Bets],
    bonus: BonusReport | None,
    variations: tuple[Variation, ...],
) -> Iterator[Caution]:
    book, rules = studied.book, studied.rules
    for departure in studied.departures:
        said = words(departure.name, getattr(rules, departure.name, departure.value))
        text = f"Outside the law: {name_of(departure.name)} is set to “{said}”."
        yield Caution("outside", text, departure.clauses)
    winning = [row for row in by_decks if row.ev > 0 and row.decks != ENDLESS]
    for row in winning:
        yield Caution(
            "favours",
            f"The main game favours the player with {_decks(row.decks)}, by {row.ev:.4%} of a wager a round.",
            book.citations("decks_allowed"),
        )
    yield from _other_wagers(studied, bets)
    for wager, ev in bonus.by_wager.items() if bonus and not winning else ():
        if ev > 0:
            amount = f"{book.words.currency}{wager:,}"
            text = f"With the Super Bonus the main game favours the player at a wager of {amount}."
            yield Caution("favours", text, book.citations("super_bonus")[:1])
    for varied in variations:
        if varied.within and varied.ev > 0 and not winning:
            text = (
                f"The main game favours the player, by {varied.ev:.4%} of a wager a round, if the house"
                f" chooses “{varied.name}: {varied.value}”, which it may."
            )
            yield Caution("favours", text, tuple(clause.citation for clause in varied.clauses[:1]))


def _other_wagers(studied: Study, bets: dict[int, Bets]) -> Iterator[Caution]:
    """Side bets, insurance and even money that favour the player, or leave the house nothing."""
    book, rules, here = studied.book, studied.rules, studied.rules.house.decks
    for advantage in sidebets.warnings(rules):
        yield Caution("favours", f"{advantage}.", _pays(book, advantage.bet))
    for name in rules.side_bets:
        if fair := [str(decks) for decks, found in bets.items() if found.side[name].ev == 0]:
            text = (
                f"{title(name)} is exactly fair with {' or '.join(fair)} decks: it earns the house nothing."
            )
            yield Caution("fair", text, _pays(book, name))
    if here not in rules.decks_allowed:
        for bet in (*bets[here].side.values(), *bets[here].insurance.values()):
            if bet.ev > 0:
                name = title(bet.name)
                yield Caution(
                    "favours", f"{name} favours the player with {_decks(here)}, by {float(bet.ev):.3%}."
                )
    for upcard, money in bets[here].even_money.items():
        if money.taking > money.declining:
            text = f"Even money against {upcard} is worth more than the natural that it settles."
            yield Caution("favours", text, book.citations("even_money_pays"))


def _decks(decks: int) -> str:
    return "1 deck" if decks == 1 else f"{decks} decks"


def _pays(book: Rulebook, bet: str) -> tuple[str, ...]:
    """The clauses that say what a side bet, or insurance, pays."""
    if bet not in book.rules.side_bets:
        return book.citations("insurance_pays")
    clauses = (clause for row in book.rules.side_bets[bet].rows for clause in row_clauses(book, bet, row))
    return tuple(dict.fromkeys(clause.citation for clause in clauses))
