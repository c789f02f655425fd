"""The law of a hand stands once: the solver's arrays say of every hand what `game` says of its cards."""

from __future__ import annotations

import functools
import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from croupier.cards import SUITS, Card
from croupier.errors import RulebookError
from croupier.exact.arithmetic import FLOATS
from croupier.exact.asked import card_values, natural_value
from croupier.exact.dealer import dealer_terms
from croupier.exact.game import check_solvable, law_of, split_law_of
from croupier.exact.hands import ACE, NO_LIMITS, TWENTY_ONE, hands, numbers
from croupier.exact.shoe import fresh
from croupier.game.dealer import stands_on
from croupier.game.hand import Hand, hand_total, is_natural_pair, must_draw, total
from croupier.game.moves import (
    Bar,
    card_bar,
    double_bar,
    ended_by_card,
    split_bar,
    stand_bar,
    surrender_bar,
)
from croupier.game.pay import Shown, result
from croupier.game.paytables import may_become_better
from croupier.rulebook import NAMES, Rules, load
from croupier.rulebook.paytable import Pattern, Row, SideBet

WORDS = (
    "no_card_at",
    "twenty_one",
    "double_aces",
    "double_cards",
    "double_totals",
    "double_after_split",
    "natural_after_split",
    "resplit_aces",
    "soft_17",
    "surrender",
    "dealer_natural_takes",
)
NUMBERS: dict[str, tuple[Any, ...]] = {
    "must_draw_below_hard": (0, 12, 17),
    "split_ace_cards": (1, 2, 3),
    "max_hands": (1, 2, 4, None),
    "unsplittable": (frozenset(), frozenset({4, 5, 10}), frozenset({1})),
    "dealer_draws_to": (15, 16, 17),
}


def variations(rules: Rules) -> Iterator[Rules]:
    """The rules, and with each provision on the law of a hand changed to all that it can say."""
    yield rules
    hints = get_type_hints(Rules)
    for name in WORDS:
        values = get_args(hints[name]) if get_origin(hints[name]) is Literal else (True, False)
        for value in values:
            yield msgspec.structs.replace(rules, **{name: value})
    for name, values in NUMBERS.items():
        for value in values:
            yield msgspec.structs.replace(rules, **{name: value})
    for withheld in ("double", "split"):
        yield msgspec.structs.replace(
            rules, house=msgspec.structs.replace(rules.house, withhold=frozenset({withheld}))
        )


@functools.cache
def dealt(ranks: str, values: tuple[tuple[str, int], ...]) -> list[tuple[Card, ...]]:
    """For every hand of the solver cards that make it, of any suits, in any order, a ten of any kind."""
    chance = random.Random(ranks)
    of_value = defaultdict(list)
    for rank, value in values:
        of_value[value].append(rank)
    made = []
    for counts in hands().counts.tolist():
        cards = [
            Card(chance.choice(of_value[value]) + chance.choice(SUITS))
            for value, count in enumerate(counts)
            for _ in range(count)
        ]
        chance.shuffle(cards)
        made.append(tuple(cards))
    return made


def is_open(rules: Rules, hand: Hand, bar: Bar | None) -> bool:
    """A hand that its last card ends has no further move."""
    return bar is None and not ended_by_card(rules, hand, 1)


@pytest.mark.parametrize("name", NAMES)
def test_the_solver_s_arrays_say_what_game_says(name: str) -> None:
    plain = load(name).choose()
    assert len(hands().size) == 3_083
    for rules in variations(plain):
        try:
            check_solvable(rules)
        except RulebookError:
            continue
        law = law_of(rules, fresh(rules.ranks, rules.house.decks), NO_LIMITS, FLOATS)
        others, aces = (split_law_of(rules, NO_LIMITS, pair) for pair in (7, ACE))
        for number, cards in enumerate(dealt(rules.ranks, tuple(card_values(rules).items()))):
            if len(cards) < 2:
                continue
            hand = Hand(cards=cards)
            assert law.may_hit[number] == is_open(rules, hand, card_bar(rules, hand)), cards
            assert law.may_stand[number] == (stand_bar(rules, hand) is None), cards
            assert law.may_double[number] == is_open(rules, hand, double_bar(rules, hand)), cards
            assert law.natural[number] == is_natural_pair(rules, cards), cards
            for split, may in ((Hand(cards, True), others), (Hand(cards, True, True), aces)):
                assert may.may_hit[number] == is_open(rules, split, card_bar(rules, split)), cards
                assert may.may_double[number] == is_open(rules, split, double_bar(rules, split)), cards


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("aces", ["free", "first_two", "all_before"])
def test_a_doubled_hand_is_worth_to_the_solver_what_its_cards_are(name: str, aces: str) -> None:
    rules = msgspec.structs.replace(load(name).choose(), double_aces=aces)
    law = law_of(rules, fresh(rules.ranks, 8), NO_LIMITS, FLOATS)
    values, chance = card_values(rules), random.Random(1)
    number = numbers()
    for hand, cards in enumerate(dealt(rules.ranks, tuple(values.items()))):
        if not law.may_double[hand]:
            continue
        first = sum(card[0] == "A" for card in cards[:2]) if law.first_aces else 0
        drawn = Card(chance.choice(rules.ranks) + chance.choice(SUITS))
        counts = hands().counts[hand].copy()
        counts[values[drawn[0]]] += 1
        grown = number.get(tuple(counts.tolist()))
        value, _ = hand_total(rules, Hand(cards=(*cards, drawn), doubled_on=len(cards)))
        if grown is None:
            assert value > TWENTY_ONE
        else:
            high = law.doubled_high[hand, values[drawn[0]], first]
            assert value == hands().hard[grown] + 10 * high, (cards, drawn)


@pytest.mark.parametrize("name", NAMES)
def test_the_dealer_of_the_solver_draws_as_game_says(name: str) -> None:
    for rules in variations(load(name).choose()):
        law = law_of(rules, fresh(rules.ranks, rules.house.decks), NO_LIMITS, FLOATS)
        lowest = rules.dealer_draws_to + 1
        for mine in range(4, TWENTY_ONE + 1):
            for column, dealers in enumerate(range(lowest, TWENTY_ONE + 1)):
                assert law.results[mine, column] == result(rules, Shown(mine), Shown(dealers))[0]
            assert law.results[mine, -1] == 1
    for rules in variations(load(name).choose()):
        for upcard in range(10):
            found = _endless(dealer_terms(rules, upcard, NO_LIMITS))
            assert found == pytest.approx(_drawn(rules, upcard), abs=1e-12)


def _endless(terms: Any) -> dict[int, float]:
    """The sums of a dealer's final hands if every value is as likely as any other, whatever was drawn."""
    product = [1.0]
    sums: dict[int, float] = defaultdict(float)
    for (depth, _, _, into, _), weight in zip(terms.nodes.tolist(), terms.weight.tolist(), strict=True):
        del product[depth + 1 :]
        product.append(product[depth] / 10)
        sums[into] += weight * product[-1]
    return {end: chance for end, chance in sums.items() if chance}


def _drawn(rules: Rules, upcard: int) -> dict[int, float]:
    """The same by drawing card after card as `game` says."""
    rank_of = {value: rank for rank, value in card_values(rules).items()}
    lowest = rules.dealer_draws_to + 1
    ends: dict[int, float] = defaultdict(float)
    waiting: dict[tuple[Card, ...], float] = {(Card(rank_of[upcard] + "s"),): 1.0}
    while waiting:
        longer: dict[tuple[Card, ...], float] = defaultdict(float)
        for cards, chance in waiting.items():
            for value in range(10):
                grown = (cards[0], *sorted((*cards[1:], Card(rank_of[value] + "s"))))
                if not stands_on(rules, grown):
                    longer[grown] += chance / 10
                elif is_natural_pair(rules, grown):
                    ends[TWENTY_ONE + 1 - lowest] += chance / 10
                elif total(rules, grown)[0] <= TWENTY_ONE:
                    ends[total(rules, grown)[0] - lowest] += chance / 10
        waiting = longer
    return dict(ends)


def test_a_dealer_s_natural_is_an_ace_with_a_ten() -> None:
    rules = load("act-blackjack-2003").choose()
    assert [natural_value(rules, upcard) for upcard in range(10)] == [9, *[-1] * 8, 0]


# Moves and what bars them


def hand_of(text: str, **done: Any) -> Hand:
    return Hand(cards=tuple(Card(word) for word in text.split()), **done)


def test_a_pontoon_hand_of_21_is_barred_from_a_double_by_what_says_so() -> None:
    rules = load("act-pontoon-2002").choose()
    open_to = [
        cards
        for cards in dealt(rules.ranks, tuple(card_values(rules).items()))
        if len(cards) > 1
        and total(rules, cards)[0] == TWENTY_ONE
        and double_bar(rules, Hand(cards=cards)) is None
    ]
    assert open_to == []


@pytest.mark.parametrize(
    ("hand", "open_moves"),
    [
        (hand_of("8s 8d"), {"hit", "stand", "double", "split", "surrender"}),
        (hand_of("5s 6d"), {"hit", "double", "surrender"}),
        (hand_of("As Kd"), {"stand"}),
        (hand_of("9s 5d 7h"), {"stand"}),
        (hand_of("8s 3d", split=True), {"hit", "double"}),
        (hand_of("As 9d", split=True, split_aces=True), {"stand"}),
        (hand_of("5s 6d 9h", doubled_on=2), {"stand"}),
    ],
)
def test_the_moves_of_a_pontoon_hand(hand: Hand, open_moves: set[str]) -> None:
    rules = load("act-pontoon-2002").choose()
    count = 2 if hand.split else 1
    found = {
        "hit": card_bar(rules, hand),
        "stand": stand_bar(rules, hand),
        "double": double_bar(rules, hand),
        "split": split_bar(rules, hand, count),
        "surrender": surrender_bar(rules, hand, count, "A"),
    }
    assert {move for move, bar in found.items() if bar is None} == open_moves
    provisions = {bar.provision for bar in found.values() if bar}
    assert all(load("act-pontoon-2002").citations(provision) for provision in provisions)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_card_ends_has_no_further_card(name: str) -> None:
    rules = load(name).choose()
    for cards in dealt(rules.ranks, tuple(card_values(rules).items())):
        if len(cards) > 2 and ended_by_card(rules, Hand(cards=cards), 1):
            assert card_bar(rules, Hand(cards=cards))
            assert not must_draw(rules, Hand(cards=cards))


def test_aces_may_be_split_as_often_as_the_rules_say() -> None:
    rules = load("act-blackjack-2003").choose()
    again = hand_of("As Ad", split=True, split_aces=True)
    assert (split_bar(rules, again, 2) is None) == rules.resplit_aces
    assert split_bar(msgspec.structs.replace(rules, resplit_aces=True, max_hands=4), again, 4) is not None


def test_two_suits_end_the_hope_for_one() -> None:
    """A side bet is settled as soon as no row that pays more can come about."""
    rows = {
        "any": Row(when=Pattern(cards=2), pays=Fraction(1)),
        "suited": Row(when=Pattern(cards=3, same_suit=True), pays=Fraction(5)),
    }
    bet = SideBet(first_cards=3, rows=rows, stake="limits", alone="void", offered_as="suits")
    for cards, hopes in ((("7s", "7s"), True), (("7s", "7h"), False)):
        assert may_become_better(bet, tuple(map(Card, cards)), ("any", rows["any"])) is hopes
