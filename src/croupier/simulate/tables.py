"""A game and a way to play it as tables for the kernel, filled by asking `game`.

A hand is a number, as in the solver (`exact.hands`); what it may do comes from the solver's arrays, which are
asked hand by hand, and what a player does from a plan. Money is in whole parts of a wager, `unit` to one, so
that every odds of the rules is a whole number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, NamedTuple, get_args

import numpy as np

from croupier.cards import ALL_CARDS, RANKS, SUITS, Card
from croupier.errors import RulebookError
from croupier.exact.arithmetic import FRACTIONS
from croupier.exact.asked import card_values, cards_with, may_double, may_hit, rank_of_value, remembered
from croupier.exact.asked import results as results_of
from croupier.exact.game import looks_at_suits, pay_of, suits_of
from croupier.exact.hands import TWENTY_ONE, VARIANTS, Array, Limits, hands
from croupier.exact.kernels import Plan
from croupier.exact.solver import Solver
from croupier.game.dealer import (
    Hangs,
    draws,
    given_back,
    lowest_total,
    natural_possible,
    natural_takes,
    taken,
)
from croupier.game.hand import Hand
from croupier.game.moves import most_hands
from croupier.game.offers import insurable, opens_insurance, opens_surrender
from croupier.game.pay import (
    Shown,
    bars_super_bonus,
    natural_paid_early,
    odds_by_cards,
    result,
    shows_super_bonus,
)
from croupier.game.paytables import best_row, may_become_better
from croupier.rulebook.paytable import Row, SideBet
from croupier.rulebook.rules import Rules

HIT, DOUBLE, SPLIT, SURRENDER = 1, 2, 4, 8
WHOLE, SPLIT_HAND, SPLIT_ACE = range(3)
KINDS = 3
HANGS = get_args(Hangs)
NATURAL_COLUMN = -2  # of the solver's results
MOST_HANDS = 32
Plans = dict[int, Plan]  # by the dealer's first card
SUIT_CODES = 64  # suits of three cards, two bits each, the first card lowest


class Places(NamedTuple):
    """What the kernel knows of the rules: numbers, and where in one array each table begins.

    One array, because the kernel would have to hold every one of several. Odds and amounts are in `unit`ths
    of a wager.
    """

    # Numbers
    unit: int
    parts: int  # of the initial deal
    hands: int  # how many there are
    columns: int  # of `results`
    lowest: int  # the dealer's total of the first of them
    most_hands: int
    most_aces: int
    natural_odds: int
    natural_tie: int  # what a natural is paid against a natural
    surrender_share: int
    kept_beside: int  # what of all that was lost stays lost beside a dealer natural, where a hand lives
    kept_alone: int  # and where none does
    gives_back: bool
    first_aces: bool  # does play hang on how many aces came first?
    doubled_suits: bool
    paid_at_once: bool
    natural_after_split: bool
    surrender_annulled: bool
    bonus_instead: bool  # the Super Bonus, of the odds
    reshuffles: bool  # does a shoe that runs out go on with the discard rack?
    sides: int  # how many side bets are made
    insurance_share: int
    insurance_wins: int
    # Tables
    order: int  # 1 for a card to each box, 0 for one to the dealer
    value: int  # [card]
    after: int  # [hand, value]: the hand with one more card, -1 over 21
    hard: int  # [hand]
    total: int  # [hand]
    natural: int  # [hand]
    suited: int  # [hand]: does play hang on the suits of these two cards?
    pair_suits: int  # [suit, suit]: the variant that two cards of these suits are
    act: int  # [plan, kind, upcard, hand, variant]: what to do
    forfeits: int  # [upcard, hand, soft]
    doubled_high: int  # [hand, value, variant]
    odds: int  # [hand]
    double_odds: int  # [hand, soft]
    suit_row: int  # [hand]: the row of three cards whose suits count, or -1
    suit_odds: int  # [row, suits]
    natural_early: int  # [rank]
    natural_possible: int  # [rank]
    opens_surrender: int  # [rank]
    insurable: int  # [rank, whether a natural is held]: may a box be insured?
    results: int  # [total, column]: 1, 0 or -1
    draws: int  # [what hangs on it, hand]: does the dealer draw?
    taken: int  # [first hand, first live, stake - 1]: what a dealer natural takes
    bonus: int  # [row, suits]: do the three cards show a Super Bonus?
    bonus_rank: int  # [rank]: against which first cards?
    bonus_bars: int  # [card, card]: does splitting these lose it?
    side_ends: int  # [side bet, card, card]: how it ends, or -1 and less for a row of `side_thirds`
    side_thirds: int  # [row, card + 1]: how it ends with this third card, with none first
    side_pays: int  # [end]


class Side(NamedTuple):
    """A side bet: its name, the number of its first end, and its ends: lost, then its rows."""

    name: str
    first: int
    ends: tuple[str, ...]
    pays: tuple[Fraction, ...]


class Tables(NamedTuple):
    flat: Array
    places: Places
    sides: tuple[Side, ...]


def tables_of(solver: Solver, *, side_bets: bool = False, plans: Sequence[Plans] = ()) -> Tables:
    """The game of a solver, played as its plans say or best, with every side bet of the rules or none.

    `plans`: to be played one or another of these instead.
    """
    rules, limits = solver.rules, solver.limits
    _check_simulable(rules)
    pay = pay_of(rules, limits, FRACTIONS, split=False)
    rows = _suit_rows(solver)
    suit_odds = np.array([[_suited_odds(rules, cards) for cards in row] for row in rows.values()], object)
    sides = _sides(rules) if side_bets else ()
    pays = np.array([pays for side in sides for pays in side.pays], object)
    unit = _unit(rules, pay.odds, pay.double_odds, suit_odds, pays)
    ends, thirds = _side_ends(rules, sides)
    table = hands(limits)
    takes = natural_takes(rules)
    tie, _ = result(rules, Shown(TWENTY_ONE, True), Shown(TWENTY_ONE, True))
    results = np.delete(results_of(rules), NATURAL_COLUMN, axis=1)  # a natural is settled by itself
    tables = {
        "order": [part == "boxes" for part in rules.deal_order],
        "value": _values(rules),
        "after": table.after,
        "hard": table.hard,
        "total": table.total,
        "natural": solver.law.natural,
        "suited": solver.law.suited >= 0,
        "pair_suits": [suits_of(Card(f"A{one}"), Card(f"A{other}")) for one in SUITS for other in SUITS],
        "act": [_acts(solver, by_upcard) for by_upcard in plans or (_plans(solver),)],
        "forfeits": _by_upcard(solver, lambda plan: plan.forfeits),
        "doubled_high": solver.law.doubled_high,
        "odds": _units(pay.odds, unit),
        "double_odds": _units(pay.double_odds, unit),
        "suit_row": _row_numbers(list(rows), len(table.size)),
        "suit_odds": _units(suit_odds, unit),
        "natural_early": _by_rank(rules, lambda rank: natural_paid_early(rules, rank)),
        "natural_possible": _by_rank(rules, lambda rank: natural_possible(rules, rank)),
        "opens_surrender": _by_rank(rules, lambda rank: opens_surrender(rules, rank)),
        "insurable": [
            [
                rank in rules.ranks and opens_insurance(rules, rank) and insurable(rules, natural=natural)
                for natural in (False, True)
            ]
            for rank in RANKS
        ],
        "results": results,
        "draws": _draws(rules, limits),
        "taken": [
            taken(takes, 1, stake, first_hand=first, first_live=live) * unit
            for first in (False, True)
            for live in (False, True)
            for stake in (1, 2)
        ],
        "bonus": [[_shows_bonus(rules, cards) for cards in row] for row in rows.values()],
        "bonus_rank": _by_rank(rules, lambda rank: _bonus_rank(rules, rank)),
        "bonus_bars": [[bars_super_bonus(rules, (one, other)) for other in ALL_CARDS] for one in ALL_CARDS],
        "side_ends": ends,
        "side_thirds": thirds,
        "side_pays": _units(pays, unit),
    }
    flat, places = laid_out(tables, np.int32)
    return Tables(
        flat,
        Places(
            unit=unit,
            parts=len(rules.deal_order),
            hands=len(table.size),
            columns=results.shape[1],
            lowest=lowest_total(rules),
            most_hands=_most_hands(rules, aces=False),
            most_aces=_most_hands(rules, aces=True),
            natural_odds=int(rules.natural_pays * unit),
            natural_tie=max(tie, 0) * int(rules.natural_pays * unit) + min(tie, 0) * unit,
            surrender_share=int(rules.surrender_share * unit),
            kept_beside=2 - given_back(takes, 2, 1, lives=True),
            kept_alone=2 - given_back(takes, 2, 1, lives=False),
            gives_back=takes.gives_back,
            first_aces=solver.law.first_aces,
            doubled_suits=pay.doubled_suits,
            paid_at_once=pay.paid_at_once,
            natural_after_split=rules.natural_after_split,
            surrender_annulled=rules.surrender_annulled,
            bonus_instead=rules.super_bonus_with_odds == "instead",
            reshuffles=rules.shoe_runs_out != "none",
            sides=len(sides),
            insurance_share=int(rules.insurance_share * unit),
            insurance_wins=int(rules.insurance_share * rules.insurance_pays * unit),
            **places,
        ),
        sides,
    )


def laid_out(tables: dict[str, Any], kind: type) -> tuple[Array, dict[str, int]]:
    """All tables one behind another, and where each begins."""
    parts: dict[str, Array] = {name: np.ravel(np.array(table)).astype(kind) for name, table in tables.items()}
    ends = np.cumsum([len(part) for part in parts.values()])
    begins = dict(zip(parts, [0, *ends.tolist()], strict=False))
    return np.concatenate(list(parts.values())), begins


def _most_hands(rules: Rules, *, aces: bool) -> int:
    """Into how many hands a pair may grow; a shoe never holds as many as the kernel has room for."""
    return min(most_hands(rules, aces=aces) or MOST_HANDS, MOST_HANDS)


def _bonus_rank(rules: Rules, rank: str) -> bool:
    return rules.super_bonus is not None and rank in rules.super_bonus.dealer_rank


def _check_simulable(rules: Rules) -> None:
    """Refuse, by name, what the kernel does not play beyond what the solver does not."""
    if rules.deal_order.count("boxes") != 2 or rules.deal_order.count("dealer") != 1:
        order = ", ".join(rules.deal_order)
        raise RulebookError(
            f"the simulator does not deal {order}: boxes twice and the dealer once (deal_order)"
        )


# Cards


def _values(rules: Rules) -> Array:
    """The value of each card; one that is in no pack has none."""
    of_rank = card_values(rules)
    return np.array([of_rank.get(card[0], -1) for card in ALL_CARDS], np.int64)


def _by_rank(rules: Rules, asks: Callable[[str], bool]) -> Array:
    return np.array([rank in rules.ranks and asks(rank) for rank in RANKS])


# Play


def _by_upcard(solver: Solver, part: Callable[[Plan], Array]) -> Array:
    """A part of the plans against every first card; nothing against one that is in no pack."""
    nothing = np.zeros_like(part(solver.opening(solver.upcards[0]).plan))
    return np.array(
        [part(solver.opening(upcard).plan) if upcard in solver.upcards else nothing for upcard in range(10)]
    )


def _plans(solver: Solver) -> Plans:
    return {upcard: solver.opening(upcard).plan for upcard in solver.upcards}


def _acts(solver: Solver, plans: Plans) -> Array:
    """By kind of hand, first card, hand and variant, what the plan does and the law allows, as bits."""
    rules, limits = solver.rules, solver.limits
    acts = np.zeros((KINDS, 10, len(solver.hands.size), VARIANTS), np.uint8)
    for kind, split in ((WHOLE, ""), (SPLIT_HAND, "others"), (SPLIT_ACE, "aces")):
        hit, double = may_hit(rules, limits, split)[:, None], may_double(rules, limits, split)[:, None]
        for upcard in solver.upcards:
            plan = plans[upcard]
            act = HIT * (plan.hits & hit) + DOUBLE * (plan.doubles & double) + SPLIT * plan.splits
            acts[kind, upcard] = act + (SURRENDER * plan.surrenders if kind == WHOLE else 0)
    return acts


# Pay


def _unit(rules: Rules, *odds: Array) -> int:
    """Into how many parts a wager goes so that everything it can win or lose is a whole number of them."""
    every = [rules.natural_pays, rules.win_pays, rules.surrender_share]
    every += [rules.insurance_share, rules.insurance_share * rules.insurance_pays]
    return lcm(*(Fraction(one).denominator for one in (*every, *(one for part in odds for one in part.flat))))


def _units(odds: Array, unit: int) -> Array:
    return np.array([int(one * unit) for one in odds.flat], np.int64).reshape(odds.shape)


def _suit_rows(solver: Solver) -> dict[int, list[tuple[Card, ...]]]:
    """The hands of three cards whose suits count, each with its cards in all suits."""
    rules = solver.rules
    patterns = [row.when for row in rules.bonus_rows.values()]
    if rules.super_bonus is not None:
        patterns.append(rules.super_bonus.when)
    found: dict[int, list[tuple[Card, ...]]] = {}
    for pattern in patterns:
        if pattern.ranks is None or not looks_at_suits(pattern):
            continue
        values = [card_values(rules)[rank] for rank in pattern.ranks]
        hand = solver.number[tuple(values.count(value) for value in range(10))]
        found[hand] = [
            tuple(Card(rank + SUITS[code >> 2 * place & 3]) for place, rank in enumerate(pattern.ranks))
            for code in range(SUIT_CODES)
        ]
    return found


def _row_numbers(rows: list[int], size: int) -> Array:
    numbers = np.full(size, -1, np.int64)
    numbers[rows] = np.arange(len(rows))
    return numbers


def _suited_odds(rules: Rules, cards: tuple[Card, ...]) -> Fraction:
    return odds_by_cards(rules, Hand(cards=cards))[0]


def _shows_bonus(rules: Rules, cards: tuple[Card, ...]) -> bool:
    bonus = rules.super_bonus
    return bonus is not None and shows_super_bonus(rules, Hand(cards=cards), bonus.dealer_rank[0])


# Side bets


def _sides(rules: Rules) -> tuple[Side, ...]:
    found: list[Side] = []
    first = 0
    for name, bet in rules.side_bets.items():
        if bet.first_cards > 3:
            raise RulebookError(
                f"the simulator does not look at {bet.first_cards} first cards (side_bets.{name})"
            )
        pays = tuple(row.pays for row in bet.rows.values())
        found.append(Side(name, first, ("lost", *bet.rows), (Fraction(-1), *pays)))
        first += 1 + len(bet.rows)
    return tuple(found)


def _side_ends(rules: Rules, sides: tuple[Side, ...]) -> tuple[list[int], list[int]]:
    """How each side bet ends by the first two cards of a box, and where those leave it open, by the third."""
    ends: list[int] = []
    thirds: list[int] = []
    for side in sides:
        bet = rules.side_bets[side.name]
        for pair in product(ALL_CARDS, repeat=2):
            if bet.first_cards > 2 and may_become_better(bet, pair, _row(rules, bet, pair)):
                ends.append(-1 - len(thirds) // (1 + len(ALL_CARDS)))
                thirds.append(_end(rules, side, pair))
                thirds += [_end(rules, side, (*pair, third)) for third in ALL_CARDS]
            else:
                ends.append(_end(rules, side, pair))
    return ends, thirds


def _row(rules: Rules, bet: SideBet, cards: tuple[Card, ...]) -> tuple[str, Row] | None:
    """The row that first cards are paid by; of cards that no pack has nothing is asked."""
    known = all(card[0] in rules.ranks for card in cards)
    return best_row(rules, bet, cards[: bet.first_cards]) if known else None


def _end(rules: Rules, side: Side, cards: tuple[Card, ...]) -> int:
    """The number of the end to which these cards bring a side bet."""
    found = _row(rules, rules.side_bets[side.name], cards)
    return side.first + (side.ends.index(found[0]) if found else 0)


# The dealer


@remembered
def _draws(rules: Rules, limits: Limits) -> Array:
    """By what hangs on it and by the dealer's hand: must a card be drawn?"""
    ranks, table = rank_of_value(rules), hands(limits)
    found = np.zeros((len(HANGS), len(table.size)), np.bool_)
    for hand, counts in enumerate(table.counts.tolist()):
        if sum(counts) > 0 and all(rank or not count for rank, count in zip(ranks, counts, strict=True)):
            cards = cards_with(ranks, counts)
            found[:, hand] = [draws(rules, cards, _always(hangs)) for hangs in HANGS]
    return found


def _always(hangs: Hangs) -> Callable[[], Hangs]:
    return lambda: hangs
