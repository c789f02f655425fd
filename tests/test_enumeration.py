"""The enumeration held to rounds worked out by hand, to every order played out, and to itself unmerged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest
from msgspec.structs import replace

from croupier.cards import Card
from croupier.rulebook import NAMES, load
from croupier.table import commands as cmd
from croupier.table.conduct import due
from croupier.table.state import State, turn
from enumeration import BOX, Enumeration, best_first, enumerate_round, give, settlement, won

SHOES = {
    "act-blackjack-2003": {"7s": 5, "4s": 2, "Ts": 6, "As": 2},
    "act-blackjack-1997": {"As": 1, "Ks": 5, "6s": 5, "7s": 2},
    "uk-blackjack-1994": {"8s": 4, "Ts": 6, "3s": 2, "As": 2},
    "act-pontoon-2002": {"7s": 3, "7h": 1, "6s": 1, "8s": 1, "Js": 7, "Ah": 1},
}


def shoe(**counts: int) -> dict[Card, int]:
    """The named cards, which must begin with a letter here: `s9` is the nine of spades."""
    return {Card(name[1] + name[0]): count for name, count in counts.items()}


# Worked out by hand


def test_eleven_tens_and_a_nine_in_the_act() -> None:
    """T against 9 is split for four wins, T against T stands: a tie unless the nine comes to the dealer.

    The nine is the box's (2 in 12): 19 against 20, lost. It is the upcard (1 in 12): four hands of 20
    beat 19. It comes behind three tens (9 in 12): standing on 20 wins if it is the next card, 1 in 9.
    Splitting there takes six cards, then the dealer's: one hand of 19 lost with 6 in 9, four won with 1.
    """
    found = enumerate_round(load("act-blackjack-2003").choose(), shoe(sT=11, s9=1))
    assert found.ev == Fraction(2, 12) * -1 + Fraction(1, 12) * 4 + Fraction(9, 12) * Fraction(1, 9)
    assert found.outcomes == {-1: Fraction(2, 12), 0: Fraction(8, 12), 1: Fraction(1, 12), 4: Fraction(1, 12)}
    assert found.second_moment == Fraction(2 + 1 + 16, 12)
    assert found.values["9", "TsTs"] == {"S": 1, "H": -1, "D": -2, "P": 4}
    assert found.values["T", "TsTs"]["S"] == Fraction(1, 9)
    assert found.values["T", "TsTs"]["P"] == Fraction(-6 + 4, 9)
    assert found.values["T", "Ts9s"] == {"S": -1, "H": -1, "D": -2}


def test_eleven_tens_and_an_ace_in_the_uk() -> None:
    """The ace is the box's (2 in 12): 3 to 2. The upcard (1 in 12): a natural, 20 lost. Otherwise standing
    on 20 loses to it with 1 in 9 and ties, and drawing wins with it and is over 21 without. Tens are not
    split and 20 is not doubled."""
    found = enumerate_round(load("uk-blackjack-1994").choose(), shoe(sT=11, sA=1))
    assert found.ev == Fraction(1, 4) - Fraction(1, 12) - Fraction(1, 12)
    assert found.second_moment == Fraction(2, 12) * Fraction(9, 4) + Fraction(2, 12)
    assert found.values == {
        ("A", "TsTs"): {"S": -1, "H": -1},
        ("T", "TsTs"): {"S": Fraction(-1, 9), "H": Fraction(1 - 8, 9)},
    }


def test_fives_alone_in_pontoon() -> None:
    """The dealer ends with 20. A hand draws to 20 and ties, split or not; a doubled 15 is forfeited."""
    found = enumerate_round(load("act-pontoon-2002").choose(), shoe(s5=20))
    assert found.values == {("5", "5s5s"): {"H": 0, "D": -1, "P": 0}}
    assert found.outcomes == {0: 1}


def test_jacks_alone_in_pontoon() -> None:
    found = enumerate_round(load("act-pontoon-2002").choose(), shoe(sJ=12))
    assert found.values == {("J", "JsJs"): {"S": 0, "H": -1, "D": -2, "P": 0, "R": Fraction(-1, 2)}}


@pytest.mark.parametrize(("stake", "prize"), [(1000, 100), (2500, 200)])
def test_sevens_of_spades_alone_in_pontoon(stake: int, prize: int) -> None:
    """Three of them are 21 at 3 to 1 and the Super Bonus: $1000, or $5000 for $25 and more.

    A double is paid 1 to 1, and splitting gives four hands of three sevens and loses the bonus. 14
    loses to the dealer's 21.
    """
    found = enumerate_round(load("act-pontoon-2002").choose(), shoe(s7=16), stake=stake)
    assert found.values == {("7", "7s7s"): {"S": -1, "H": 3 + prize, "D": 2, "P": 12}}
    assert found.ev == 3 + prize
    assert found.second_moment == (3 + prize) ** 2


def test_shoe_that_runs_out() -> None:
    with pytest.raises(ValueError, match="the shoe runs out"):
        enumerate_round(load("uk-blackjack-1994").choose(), shoe(s5=6))


# Held to itself


@pytest.mark.parametrize("name", NAMES)
def test_chances_sum_to_one_and_moments_agree(name: str) -> None:
    found = enumerate_round(load(name).choose(), SHOES[name])
    assert sum(found.outcomes.values()) == 1
    assert all(chance > 0 for chance in found.outcomes.values())
    assert found.ev == sum(net * chance for net, chance in found.outcomes.items())
    assert found.second_moment >= found.ev**2
    assert all(values for values in found.values.values())


@pytest.mark.parametrize(
    ("name", "takes"),
    [
        ("uk-blackjack-1994", "all"),
        ("uk-blackjack-1994", "original_and_busted"),
        ("act-pontoon-2002", "original"),
        ("act-pontoon-2002", "busted_and_one"),
    ],
)
def test_merged_states_are_alike(name: str, takes: str) -> None:
    rules = replace(load(name).choose(), dealer_natural_takes=takes)
    counts = SHOES[name] if name.startswith("uk") else shoe(sA=3, s5=1, s9=2, sJ=7)
    assert enumerate_round(rules, counts) == enumerate_round(rules, counts, merge=False)


def test_ev_is_the_mean_of_the_best_values() -> None:
    rules = load("act-pontoon-2002").choose()
    enumeration = Enumeration(rules, SHOES["act-pontoon-2002"], 1000, always_resplit=True)
    best = [
        ways * max(enumeration.values(cards, upcard[0]).values())
        for upcard, cards, ways in enumeration.deals()
    ]
    assert enumeration.result().ev == sum(best) / (14 * 13 * 12)


# Every order of a shoe, card by card


def orders(counts: Counter[Card]) -> Iterator[tuple[Card, ...]]:
    """Every different order of the cards."""
    if not counts.total():
        yield ()
    for card in sorted(+counts):
        for rest in orders(counts - Counter([card])):
            yield (card, *rest)


def play_out(enumeration: Enumeration, cards: tuple[Card, ...]) -> int:
    """The net of a round in which the cards come in this order."""
    state = enumeration.start
    coming = iter(cards)
    while state.stage != "dealer" or due(state) == "card":
        if due(state) == "card":
            place = turn(state)
            state = give(state, cmd.Deal(card=next(coming)))
            if place and state.hand(*place).doubled_on:
                state = enumeration.after_double(state, place[1])
        elif state.stage == "offers" and state.hand(BOX, 1).done:
            state = give(state, cmd.CloseOffers())
        else:
            state = next(filter(None, moves(enumeration, state)))
    return won(state) + settlement(state)


def moves(enumeration: Enumeration, state: State) -> Iterator[State | None]:
    """Where the moves lead, from the best on by the values unsplit; None where one is refused."""
    hand = state.hand(*(turn(state) or (BOX, 1)))
    for move in best_first(enumeration.values(hand.cards, state.dealer[0][0])):
        yield enumeration.attempt(state, move)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("uk-blackjack-1994", shoe(s7=3, sJ=6)),
        ("uk-blackjack-1994", shoe(sK=5, s8=2, s5=1, s9=1)),
        ("act-blackjack-2003", shoe(sK=10, s3=2)),
        ("act-blackjack-1997", shoe(sT=9, sA=2, s9=1)),
        ("act-pontoon-2002", shoe(sJ=4, sQ=1, sA=5)),
    ],
)
def test_every_order_played_out(name: str, counts: dict[Card, int]) -> None:
    rules = load(name).choose()
    enumeration = Enumeration(rules, counts, rules.house.minimum)
    played = Counter(play_out(enumeration, cards) for cards in orders(Counter(counts)))
    chances = {Fraction(net, enumeration.stake): Fraction(n, played.total()) for net, n in played.items()}
    assert chances == enumeration.result().outcomes
