"""Rows of a pattern and odds: what cards are paid for what they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from croupier.cards import Card
from croupier.game.hand import points
from croupier.rulebook.paytable import Pattern, Row, SideBet
from croupier.rulebook.rules import Rules


def best_bonus(rows: Mapping[str, Row], cards: tuple[Card, ...], value: int) -> tuple[str, Row] | None:
    """Of the rows that these cards of such a total fit, the one that pays most."""
    if not rows:
        return None
    fitting = [(row.pays, name) for name, row in rows.items() if row.when.fits(cards, value)]
    if not fitting:
        return None
    name = max(fitting)[1]
    return name, rows[name]


def side_total(rules: Rules, bet: SideBet, cards: tuple[Card, ...]) -> int:
    """The points of the cards, every ace counted as the side bet counts it."""
    value = points(rules)
    return sum(bet.ace if card[0] == "A" else value[card[0]] for card in cards)


def best_row(rules: Rules, bet: SideBet, cards: tuple[Card, ...]) -> tuple[str, Row] | None:
    """Of a side bet's rows that the first cards fit, the one that pays most."""
    fitting = []
    for name, row in bet.rows.items():
        shown = cards[: row.when.cards or bet.first_cards]
        if row.when.fits(shown, side_total(rules, bet, shown)):
            fitting.append((name, row))
    return max(fitting, key=lambda named: named[1].pays, default=None)


def may_become_better(bet: SideBet, cards: tuple[Card, ...], found: tuple[str, Row] | None) -> bool:
    """Could further cards make more of a side bet than the row found?"""
    pays = found[1].pays if found else -1
    return any(
        row.pays > pays and _may_still_fit(row.when, row.when.cards or bet.first_cards, cards)
        for row in bet.rows.values()
    )


def _may_still_fit(when: Pattern, needed: int, cards: tuple[Card, ...]) -> bool:
    """Could further cards, up to so many in all, complete the pattern?"""
    if needed <= len(cards):
        return False
    if when.ranks is not None and Counter(card[0] for card in cards) - Counter(when.ranks):
        return False
    return not (when.same_suit and len({card[1] for card in cards}) > 1)
