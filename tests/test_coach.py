"""The coach: what a choice costs, from the cards that are left."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.cards import ALL_CARDS, Card
from croupier.exact.shoe import fresh
from croupier.exact.solution import solve
from croupier.game.hand import Hand
from croupier.house.coach import Advice, on_double, on_hand, on_offers
from croupier.rulebook import load
from croupier.table import State, advance
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, player
from croupier.table.conduct import card_command
from croupier.table.opening import Start, start_state
from croupier.table.text import parse_all

P1 = player("p1")


def dealt(name: str, *lines: str, stake: int = 2000) -> State:
    """A table of as many boxes as a round needs, all p1's, after these cards and decisions."""
    rules = load(name).choose()
    state = start_state(rules, Start())
    for box in range(1, rules.boxes_needed + 1):
        state, _ = advance(state, cmd.Sit(box=box), P1)
    state, _ = advance(state, cmd.OpenBetting(), DEALER)
    for box in range(1, rules.boxes_needed + 1):
        state, _ = advance(state, cmd.Wager(box=box, stake=stake), P1)
    state, _ = advance(state, cmd.AnnounceNoMoreBets(), DEALER)
    for line in lines:
        asked = [(card_command(state, line), DEALER)] if line in ALL_CARDS else parse_all(state, line)
        for command, by in asked:
            state, _ = advance(state, command, by)
    return state


def test_a_hand_is_worth_what_the_solver_says_from_this_very_shoe() -> None:
    state = dealt("act-blackjack-2003", "Th", "6d", "6c")
    advice = on_hand(state, 1, 1, "p1")
    assert advice is not None
    decision = solve(state.rules, shoe=fresh(state.rules.ranks, 6)).decision("Th 6c", "6d")
    assert advice.worth == {
        action.lower(): pytest.approx(2000 * worth, abs=1e-9) for action, worth in decision.worth.items()
    }
    assert advice.best == "s"
    assert advice.cost("s") == 0
    assert advice.cost("h") == pytest.approx(advice.worth["s"] - advice.worth["h"])


def test_cards_that_were_seen_are_gone() -> None:
    """UK: on two boxes the other box's cards are as gone as one's own."""
    state = dealt("uk-blackjack-1994", "Th", "5h", "9d", "6c", "5s")
    advice = on_hand(state, 1, 1, "p1")
    assert advice is not None
    shoe = fresh(state.rules.ranks, state.terms.decks).without(Card("5h"), Card("5s"))
    assert advice.worth["h"] == pytest.approx(
        2000 * solve(state.rules, shoe=shoe).decision("Th 6c", "9d").worth["H"]
    )


def test_a_pontoon_hand_counts_the_super_bonus_of_its_wager() -> None:
    found = []
    for stake in (2500, 5000):
        advice = on_hand(dealt("act-pontoon-2002", "7s", "7d", "7s", stake=stake), 1, 1, "p1")
        assert advice is not None
        found.append(advice.worth["h"] / stake)
    assert found[0] > found[1]  # the bonus is in dollars, the same for both


@pytest.mark.parametrize(("pair", "upcard"), [("8", "6"), ("9", "7"), ("3", "5")])
def test_hands_of_a_split_add_up_to_the_split(pair: str, upcard: str) -> None:
    """Two hands at most, each played best for the cards that are left: twice the mean over second cards."""
    rules = replace(load("act-blackjack-2003").choose(), max_hands=2)
    shoe = fresh(rules.ranks, 6)
    split = solve(rules, shoe=shoe, post_split="cdp").decision(f"{pair}s {pair}d", f"{upcard}h").worth["P"]
    rest = shoe.without(Card(f"{pair}d"))
    game = solve(rules, shoe=rest)
    left = rest.without(Card(f"{pair}s"), Card(f"{upcard}h"))
    mean = 0.0
    for rank, count in zip("A23456789TJQK", left.left, strict=True):
        worth = game.split_decision(f"{pair}s {rank}c", f"{upcard}h").worth
        mean += count / left.size * max(worth.values())
    assert 2 * mean == pytest.approx(split, abs=1e-12)


def test_a_hand_of_a_split_may_be_split_again_while_hands_are_left() -> None:
    state = dealt("act-blackjack-2003", "8h", "6d", "8c", "split player=p1 box=1", "8s")
    advice = on_hand(state, 1, 1, "p1")
    assert advice is not None
    assert set(advice.worth) == {"s", "h", "d", "p"}
    assert advice.best == "p"
    game = solve(state.rules, shoe=fresh(state.rules.ranks, 6))
    assert set(game.split_decision("8h 8s", "6d", 1, 4).worth) == {"S", "H", "D"}  # four hands are all
    assert set(game.split_decision("As 5c", "6d").worth) == {"S"}  # a split ace has its one card


def test_offers_are_weighed_against_playing_on() -> None:
    advice = on_offers(dealt("act-pontoon-2002", "Kh", "As", "6d"), 1, "p1")
    assert advice is not None
    assert set(advice.worth) == {"n", "r", "i"}
    assert advice.best == "n"
    assert advice.cost("r") > 0
    insured = advice.cost("i")
    assert advice.cost("i", 0.5) == pytest.approx((advice.cost("n") + insured) / 2)
    natural = on_offers(dealt("act-blackjack-2003", "Th", "As", "Ad"), 1, "p1")
    assert natural is not None
    assert natural.worth["e"] == 2000
    assert natural.worth["n"] > natural.worth["e"]
    assert natural.cost("e") == pytest.approx(natural.worth["n"] - 2000)


def test_a_bad_double_is_better_forfeited() -> None:
    bad = dealt("act-pontoon-2002", "5h", "8s", "6d", "double player=p1 box=1", "2c")
    advice = on_double(bad, 1, 1, "p1")
    assert advice is not None
    assert advice.best == "f"
    assert advice.worth["f"] == -2000
    good = on_double(dealt("act-pontoon-2002", "5h", "8s", "6d", "double player=p1 box=1", "9c"), 1, 1, "p1")
    assert good is not None
    assert good.best == "n"
    hand = Hand(cards=(Card("5h"), Card("6d"), Card("9c")), doubled_on=2)
    kept = solve(bad.rules, shoe=fresh(bad.rules.ranks, 6)).forfeit_decision(hand, "8s").worth["K"]
    assert good.worth["n"] == pytest.approx(2000 * kept)


def test_where_nothing_can_be_told_nothing_is() -> None:
    state = dealt("act-blackjack-2003", "Th", "6d", "6c")
    assert on_hand(state, 1, 1, "p2") is None
    few = replace(state, shoe=replace(state.shoe, unseen=bytes(51) + b"\1"))
    assert on_hand(few, 1, 1, "p1") is None


def test_a_part_costs_a_part() -> None:
    advice = Advice("", {"d": -40.0, "h": -10.0})
    assert advice.cost("d") == 30
    assert advice.cost("d", 0.75) == 20
