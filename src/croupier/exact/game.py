"""What the solver takes from the rules: a game in numbers, or a refusal that names the provision.

A card is one of ten values; suits are looked at only where a paytable names three cards by rank and
suits, and then only on the two cards that can still become them.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from croupier.cards import INDEX, RANKS, SUITS, Card
from croupier.errors import RulebookError
from croupier.exact.arithmetic import Numbers
from croupier.exact.asked import (
    card_values,
    cards_with,
    doubled_high,
    looks_at_first_aces,
    may_double,
    may_hit,
    may_stand,
    naturals,
    rank_of_value,
    results,
)
from croupier.exact.hands import (
    ACE,
    MIXED,
    SPADES,
    SUITED,
    TEN,
    TWENTY_ONE,
    VARIANTS,
    Array,
    Limits,
    counts_of,
    hands,
    numbers,
)
from croupier.exact.kernels import Law, Pay, SplitLaw
from croupier.exact.shoe import CardsLeft
from croupier.game.dealer import natural_takes
from croupier.game.hand import Hand, total
from croupier.game.moves import split_bar
from croupier.game.paytables import best_bonus
from croupier.rulebook.paytable import Pattern, Row
from croupier.rulebook.rules import Rules

Rows = tuple[tuple[str, Row], ...]
WIN, DOUBLED = "win_pays", "doubled_wins_pay"


def check_solvable(rules: Rules) -> None:
    """Refuse, by name, what the solver does not solve."""
    if (rules.ace_low, rules.ace_high) != (1, 11):
        raise _unsolved("ace_low", "aces that count other than 1 or 11")
    if not 11 <= rules.dealer_draws_to < TWENTY_ONE:
        raise _unsolved("dealer_draws_to", f"a dealer who draws to {rules.dealer_draws_to}")
    if rules.doubled_evens == "box" and rules.doubled_wins_pay is not None and rules.max_hands != 1:
        raise _unsolved("doubled_evens", "a double that binds the other hands of its box")
    values = card_values(rules)
    if rules.super_bonus is not None and not _is_row_of_suits(rules.super_bonus.when, rules):
        raise _unsolved("super_bonus", "a Super Bonus for cards that no bonus row looks at the suits of")
    for name, row in rules.bonus_rows.items():
        pattern = row.when
        named = tuple(Card(f"{rank}s") for rank in pattern.ranks or "" if rank in values)
        if pattern.same_rank is not None or any(values[card[0]] == TEN for card in named):
            raise _unsolved(f"bonus_rows.{name}", "a bonus that tells tens from faces")
        if looks_at_suits(pattern) and (len(named) != 3 or total(rules, named)[0] != TWENTY_ONE):
            raise _unsolved(f"bonus_rows.{name}", "a bonus for suits other than of three cards that make 21")


def _is_row_of_suits(pattern: Pattern, rules: Rules) -> bool:
    return any(
        looks_at_suits(row.when) and row.when.ranks == pattern.ranks for row in rules.bonus_rows.values()
    )


def _unsolved(provision: str, what: str) -> RulebookError:
    return RulebookError(f"the solver does not solve {what} ({provision})")


def left_by_value(rules: Rules, shoe: CardsLeft) -> list[int]:
    """How many cards of each value the shoe holds."""
    left = [0] * 10
    for rank, value in card_values(rules).items():
        left[value] += shoe.left[RANKS.index(rank)]
    return left


# The law


def law_of(rules: Rules, shoe: CardsLeft, limits: Limits, kind: Numbers, prize: Prize | None = None) -> Law:
    table = hands(limits)
    suited = suited_pairs(tuple(rules.bonus_rows.items()), shoe.pool, shoe.endless, rules.win_pays, prize)
    row_of = np.full(len(table.size), -1, np.int64)
    odds = np.full((max(1, len(suited)), 10, VARIANTS), Fraction(-1), object)
    mix = np.full((max(1, len(suited)), VARIANTS), Fraction(0), object)
    number = numbers(limits)
    for row, ((first, second), pair) in enumerate(suited.items()):
        hand = number.get(counts_of([first, second]))
        if hand is None:
            continue
        row_of[hand] = row
        mix[row] = pair.mix
        for third in pair.paid:
            odds[row, third] = pair.odds(third)
    return Law(
        may_stand=may_stand(rules, limits),
        may_hit=may_hit(rules, limits),
        may_double=may_double(rules, limits),
        natural=naturals(rules, limits),
        doubled_high=doubled_high(rules, limits),
        first_aces=looks_at_first_aces(rules),
        results=results(rules),
        suited=row_of,
        suited_odds=kind.array(odds),
        suited_mix=kind.array(mix),
    )


def split_law_of(rules: Rules, limits: Limits, pair: int) -> SplitLaw:
    """What the hands of a split pair of this value may do."""
    kind = "aces" if pair == ACE else "others"
    return SplitLaw(pair, may_hit(rules, limits, kind), may_double(rules, limits, kind))


def splittable(rules: Rules) -> list[int]:
    """The values of which a pair may be split."""
    pairs = {
        value: Hand(cards=(Card(f"{rank}s"),) * 2) for value, rank in enumerate(rank_of_value(rules)) if rank
    }
    return [value for value, pair in pairs.items() if split_bar(rules, pair, 1) is None]


# Pay


def pay_of(rules: Rules, limits: Limits, kind: Numbers, *, split: bool) -> Pay:
    """What hands win, and how a dealer's natural changes it.

    For split hands only what each hand has of its own: where a natural takes one wager from all of them
    together, it is counted over the hands jointly, elsewhere.
    """
    rows = tuple(rules.bonus_rows.items())
    pays = kind.array(list(paying(rows, rules.win_pays).values()))
    odds = pays[rows_of(rows, limits, tuple(rank_of_value(rules)))]
    takes, doubled = natural_takes(rules), rules.doubled_wins_pay
    if takes.doubles:
        live = [-1, -2]
    elif split and takes.from_live != "each":
        live = [0, 0]
    else:
        live = [-1, -1]
    gone = [0, 0] if split else [-1, -1]
    return Pay(
        odds=np.where(hands(limits).soft, odds[:, 1], odds[:, 0]),
        double_odds=odds if doubled is None else odds * 0 + kind.of(doubled),
        doubled_suits=doubled is None,
        paid_at_once=rules.twenty_one == "paid_at_once",
        forfeit=rules.forfeit,
        natural_after_split=rules.natural_after_split,
        natural_pays=kind.of(rules.natural_pays),
        natural_takes=kind.array(live),
        natural_busted=kind.array(gone if takes.gives_back else [-1, -2]),
        natural_forfeited=kind.of(gone[0] if takes.gives_back else -1),
    )


def looks_at_suits(pattern: Pattern) -> bool:
    return not (pattern.same_suit is None and pattern.same_colour is None and pattern.suits is None)


class Paid(NamedTuple):
    """By which provision a hand that wins is paid, and at which odds, a prize included."""

    row: str
    odds: Fraction


def paying(rows: Rows, win_pays: Fraction) -> dict[str, Fraction]:
    """The provisions by which an undoubled hand can be paid for its cards, and their odds."""
    return {WIN: win_pays} | {f"bonus_rows.{name}": row.pays for name, row in rows}


class PaidRows(Struct, frozen=True):
    """By which provision every hand is paid that wins, as numbers of their names, suits apart."""

    names: list[str]
    single: Array  # [hand]
    doubled: Array  # [hand, soft]


def paid_rows(rules: Rules, limits: Limits) -> PaidRows:
    rows = tuple(rules.bonus_rows.items())
    by_soft = rows_of(rows, limits, tuple(rank_of_value(rules)))
    names = [*paying(rows, rules.win_pays), DOUBLED]
    doubled = by_soft if rules.doubled_wins_pay is None else np.full_like(by_soft, names.index(DOUBLED))
    return PaidRows(names, np.where(hands(limits).soft, by_soft[:, 1], by_soft[:, 0]), doubled)


@functools.lru_cache(maxsize=64)
def rows_of(rows: Rows, limits: Limits, ranks: tuple[str, ...]) -> Array:
    """The number in `paying` of what pays a hand on its hard total, and on that plus ten, suits apart."""
    table = hands(limits)
    number = {name: place for place, name in enumerate(paying(rows, Fraction(1)))}
    found = np.zeros((len(table.size), 2), np.int64)
    plain = {name: row for name, row in rows if not looks_at_suits(row.when)}
    for hand, (counts, hard) in enumerate(zip(table.counts.tolist(), table.hard.tolist(), strict=True)):
        cards = cards_with(list(ranks), counts)
        for soft in range(2):
            found[hand, soft] = number[_row(plain, cards, hard + 10 * soft)]
    return found


def _row(rows: Mapping[str, Row], cards: tuple[Card, ...], value: int) -> str:
    bonus = best_bonus(rows, cards, value)
    return f"bonus_rows.{bonus[0]}" if bonus else WIN


class SuitedPair(Struct, frozen=True):
    """Two cards that suits can make more of: how often they are of each kind, and what a third brings."""

    mix: tuple[Fraction, ...]
    paid: dict[int, tuple[dict[Paid, Fraction], ...]]  # by third card and kind: how often it is paid how

    def odds(self, third: int) -> list[Fraction]:
        """The mean odds with a third card, by kind."""
        return [
            sum((paid.odds * chance for paid, chance in by.items()), Fraction(0)) for by in self.paid[third]
        ]


class Prize(Struct, frozen=True):
    """A prize for three cards, in units of the wager, on top of the odds or in their place."""

    when: Pattern
    units: Fraction
    on_top: bool


def paid_for(cards: tuple[Card, ...], rows: Rows, win_pays: Fraction, prize: Prize | None) -> Paid:
    """How cards that make 21 are paid."""
    name = _row(dict(rows), cards, TWENTY_ONE)
    odds = paying(rows, win_pays)[name]
    if prize and prize.when.fits(cards, TWENTY_ONE):
        odds = odds * prize.on_top + prize.units
    return Paid(name, odds)


@functools.lru_cache(maxsize=64)
def suited_pairs(
    rows: Rows, pool: bytes, endless: bool, win_pays: Fraction, prize: Prize | None = None
) -> dict[tuple[int, int], SuitedPair]:
    """The pairs of values from which a third card can make a row that looks at suits."""
    found: dict[tuple[int, int], SuitedPair] = {}
    triples = {"".join(sorted(row.when.ranks or "")) for _, row in rows if looks_at_suits(row.when)}
    for triple in sorted(triples):
        for third in sorted(set(triple)):
            first, second = list(triple.replace(third, "", 1))
            pair = (RANKS.index(first), RANKS.index(second))
            paid = _paid_by_kind(first + second + third, rows, pool, endless, win_pays, prize)
            held = found.get(pair)
            found[pair] = SuitedPair(
                mix=_kinds(first, second, pool, endless),
                paid=(held.paid if held else {}) | {RANKS.index(third): paid},
            )
    return found


def _kinds(first: str, second: str, pool: bytes, endless: bool) -> tuple[Fraction, ...]:
    """How often two cards of these ranks are of each kind by suits."""
    chances: dict[int, Fraction] = defaultdict(Fraction)
    for cards, chance in _suits(first + second, pool, endless):
        chances[suits_of(*cards)] += chance
    whole = sum(chances.values()) or Fraction(1)
    return tuple(chances[kind] / whole for kind in range(VARIANTS))


def _paid_by_kind(
    ranks: str, rows: Rows, pool: bytes, endless: bool, win_pays: Fraction, prize: Prize | None
) -> tuple[dict[Paid, Fraction], ...]:
    """How three cards of these ranks are paid, and how often so, by the kind of the first two."""
    found: list[dict[Paid, Fraction]] = [defaultdict(Fraction) for _ in range(VARIANTS)]
    for cards, chance in _suits(ranks, pool, endless):
        found[suits_of(*cards[:2])][paid_for(cards, rows, win_pays, prize)] += chance
    return tuple(
        {paid: chance / sum(by.values()) for paid, chance in by.items()}
        if by
        else {Paid(WIN, win_pays): Fraction(1)}
        for by in found
    )


def _suits(ranks: str, pool: bytes, endless: bool) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    """All suits of cards of these ranks, with their weights."""
    for suits in product(SUITS, repeat=len(ranks)):
        cards = tuple(Card(rank + suit) for rank, suit in zip(ranks, suits, strict=True))
        weight = Fraction(1)
        for place, card in enumerate(cards):
            gone = 0 if endless else cards[:place].count(card)
            weight *= max(0, pool[INDEX[card]] - gone)
        if weight:
            yield cards, weight


def suits_of(first: Card, second: Card) -> int:
    """The kind of two cards by their suits."""
    if first[1] != second[1]:
        return MIXED
    return SPADES if first[1] == "s" else SUITED
