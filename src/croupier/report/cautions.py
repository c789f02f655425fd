"""What a regulator must know of a game: what is outside the law, favours the player, or earns nothing."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.exact.sidebets import Advantage, Bets, warnings
from croupier.report.beside import BonusReport, row_clauses
from croupier.report.model import Caution, DecksRow, Variation
from croupier.report.text import ENDLESS, so_many_decks
from croupier.rulebook.book import Rulebook
from croupier.rulebook.study import Study
from croupier.rulebook.words import name_of, title, words
from croupier.story import wager_name


def cautions(
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
        decks = so_many_decks(row.decks)
        text = f"The main game favours the player with {decks}, by {row.ev:.4%} of a wager a round."
        yield Caution("favours", text, book.citations("decks_allowed"))
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
    for advantage in warnings(rules):
        yield Caution("favours", in_words(advantage), _pays(book, advantage.bet))
    for name in rules.side_bets:
        if fair := [str(decks) for decks, found in bets.items() if found.side[name].ev == 0]:
            text = (
                f"{title(name)} is exactly fair with {' or '.join(fair)} decks: it earns the house nothing."
            )
            yield Caution("fair", text, _pays(book, name))
    if here not in rules.decks_allowed:
        for bet in (*bets[here].side.values(), *bets[here].insurance.values()):
            if bet.ev > 0:
                with_decks = so_many_decks(here)
                text = f"{title(bet.name)} favours the player with {with_decks}, by {float(bet.ev):.3%}."
                yield Caution("favours", text)
    for upcard, money in bets[here].even_money.items():
        if money.taking > money.declining:
            text = f"Even money against {upcard} is worth more than the natural that it settles."
            yield Caution("favours", text, book.citations("even_money_pays"))


def _pays(book: Rulebook, bet: str) -> tuple[str, ...]:
    """The clauses that say what a side bet, or insurance, pays."""
    if bet not in book.rules.side_bets:
        return book.citations("insurance_pays")
    clauses = (clause for row in book.rules.side_bets[bet].rows for clause in row_clauses(book, bet, row))
    return tuple(dict.fromkeys(clause.citation for clause in clauses))


def in_words(advantage: Advantage) -> str:
    """With how many decks a bet favours the player, and where it does most."""
    bet = wager_name(advantage.bet).strip()
    decks, best = max(advantage.by_decks.items(), key=lambda pair: pair[1])
    *most, last = map(str, advantage.by_decks)
    with_decks = f"{', '.join(most)} or {last}" if most else last
    return (
        f"{bet[0].upper()}{bet[1:]} favours the player with {with_decks} decks: with {decks} it wins"
        f" {best} of the stake on average ({float(best):.3%})."
    )
