"""The wagers beside the main one, with every number of decks: side bets, insurance, the Super Bonus."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from croupier.exact import sidebets
from croupier.exact.hands import VALUES
from croupier.exact.shoe import fresh
from croupier.exact.sidebets import Bets, BetValue, EvenMoney, SuperBonusValue, ThirdCard
from croupier.exact.solution import Solution
from croupier.exact.tally import Chase, chase
from croupier.rulebook.book import Rulebook
from croupier.rulebook.rules import Rules
from croupier.rulebook.study import Study
from croupier.rulebook.text import Clause
from croupier.rulebook.words import title


class SideBetReport(Struct, frozen=True):
    """One side bet: its rows here, its value by decks, and the two cards after which a third decides."""

    name: str
    first_cards: int
    here: BetValue
    clauses: dict[str, tuple[Clause, ...]]
    by_decks: dict[int, BetValue]
    starts: tuple[ThirdCard, ...]
    stands_against: tuple[str, ...]  # where the best play of the main game takes no third card


class InsuranceReport(Struct, frozen=True):
    """Insurance and even money by decks: with the upcard known, and with a natural held besides.

    `brings` is what a round gains, in initial wagers, for who insures for the most whenever that is open.
    """

    upcard: str
    brings: Fraction
    by_decks: dict[int, BetValue]
    with_natural: dict[int, BetValue]
    even_money: dict[int, EvenMoney]


class BonusReport(Struct, frozen=True):
    """The Super Bonus by decks, its consolation by the number of other wagers, and the price of the chase.

    `by_wager` is what a round is worth to a wager of so many dollars, the bonus counted and played for.
    """

    by_decks: dict[int, SuperBonusValue]
    by_wager: dict[int, float]
    consolation: dict[int, Fraction]
    chase: Chase | None


def side_bet_report(studied: Study, solution: Solution, name: str, bets: dict[int, Bets]) -> SideBetReport:
    rules, here = studied.rules, studied.rules.house.decks
    bet = rules.side_bets[name]
    starts = sidebets.third_card(rules, name, fresh(rules.ranks, here)) if bet.first_cards > 2 else ()
    pairs = {start.cards for start in starts}
    return SideBetReport(
        name=title(name),
        first_cards=bet.first_cards,
        here=bets[here].side[name],
        clauses={row: row_clauses(studied.book, name, row) for row in bet.rows},
        by_decks={decks: found.side[name] for decks, found in bets.items()},
        starts=starts,
        stands_against=tuple(_stands(solution, pairs)),
    )


def row_clauses(book: Rulebook, bet: str, row: str) -> tuple[Clause, ...]:
    """The clause that says what a row pays."""
    return book.bound.get(f"side_bets.{bet}.rows.{row}.pays", ())


def _stands(solution: Solution, pairs: set[tuple[str, ...]]) -> Iterator[str]:
    """The first cards against which the best play takes no further card to some of these two cards."""
    for upcard in solution.solver.upcards:
        for pair in pairs:
            decided = solution.decision(" ".join(pair), VALUES[upcard])
            if decided.best in "SR":
                yield VALUES[upcard]
                break


def insurance_report(rules: Rules, upcard: str, bets: dict[int, Bets]) -> InsuranceReport:
    return InsuranceReport(
        upcard=upcard,
        brings=rules.insurance_share * sidebets.insured(rules, fresh(rules.ranks, rules.house.decks), upcard),
        by_decks={decks: found.insurance[upcard] for decks, found in bets.items()},
        with_natural={
            decks: found.with_natural[upcard] for decks, found in bets.items() if found.with_natural
        },
        even_money={
            decks: found.even_money[upcard] for decks, found in bets.items() if upcard in found.even_money
        },
    )


def bonus_wagers(rules: Rules) -> list[int]:
    """Wagers in dollars that show what the Super Bonus is worth: the smallest, the greatest, some between."""
    terms, house = rules.super_bonus, rules.house
    if terms is None:
        return []
    least, most = max(1, house.minimum // 100), max(1, house.maximum // 100)
    below = terms.threshold - max(1, house.multiple // 100)
    sizes = {least, most, below, *(terms.threshold * times for times in (1, 2, 4, 10))}
    return sorted(size for size in sizes if least <= size <= most)


def bonus_report(solution: Solution, bets: dict[int, Bets], by_wager: dict[int, float]) -> BonusReport:
    rules = solution.rules
    shoe = fresh(rules.ranks, rules.house.decks)
    return BonusReport(
        by_decks={decks: found.bonus for decks, found in bets.items() if found.bonus},
        by_wager=by_wager,
        consolation={
            others: sidebets.super_bonus(rules, shoe, others).others for others in range(1, rules.house.boxes)
        },
        chase=chase(solution, shoe),
    )
