"""What a seat sees: its own choices and nobody else's, and no card of the shoe."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import Refused
from croupier.rulebook import load
from croupier.table import State, advance, open_state
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, player
from croupier.table.conduct import chore
from croupier.table.opening import Start, start_state
from croupier.table.text import parse
from croupier.table.view import View, view

SHARED = ("p1 sits 1", "p1 bets 10 on 1", "p2 bets 20 on 1", "p3 bets 10 on 2")


def table(*lines: str, book: str = "act-blackjack-2003", **house: Any) -> State:
    """A table after its chores, its bets opened, and these lines."""
    state = open_state(load(book).choose(boxes=3, **house))
    while (due := chore(state)) is not None:
        state, _ = advance(state, *due)
    if state.stage == "burn":
        state, _ = advance(state, cmd.Burn(card=Card("Kc")), DEALER)
    state, _ = advance(state, cmd.OpenBetting(), DEALER)
    for line in lines:
        state, _ = advance(state, *parse(state, line))
    return state


def kinds(seen: View) -> set[str]:
    return {type(choice.command).__name__ for choice in seen.choices}


def test_the_decider_has_the_moves_of_the_hand_and_others_have_none() -> None:
    state = table(*SHARED, "announce-no-more-bets", "8h", "9c", "6h", "8d", "9d")
    assert kinds(view(state, "p1")) == {"Hit", "Stand", "Split", "Double"}
    assert not view(state, "p2").choices
    assert not view(state, "p3").choices
    assert not view(state, "p9").choices


def test_a_bettor_who_is_asked_has_their_own_answers_alone() -> None:
    state = table(*SHARED, "announce-no-more-bets", "8h", "9c", "6h", "8d", "9d", "1 split")
    assert kinds(view(state, "p2")) == {"Split", "Ride", "Stay"}
    assert all(choice.by == player("p2") for choice in view(state, "p2").choices)
    assert not view(state, "p1").choices


def test_whose_cut_it_is_may_cut_or_decline() -> None:
    state = open_state(load("act-blackjack-2003").choose())
    for line in ("p1 sits 1", "p2 sits 2", "check-cards", "shuffle", "offer-cut"):
        state, _ = advance(state, *parse(state, line))
    assert kinds(view(state, "p1")) == {"Cut", "DeclineCut"}
    assert not view(state, "p2").choices


def test_a_choice_covers_what_its_amounts_allow() -> None:
    rules = load("act-blackjack-2003").choose(
        perfect_pairs={"minimum": 5, "maximum": 50}, super_sevens={"amount": 5}
    )
    state = open_state(rules)
    for line in ("p1 sits 1", "check-cards", "shuffle", "offer-cut", "cut by=p1 at=100"):
        state, _ = advance(state, *parse(state, line))
    for line in ("place-cutting-cards from_back=60", "burn card=Kc", "open-betting"):
        state, _ = advance(state, *parse(state, line))

    def covered(line: str) -> bool:
        return any(choice.covers(*parse(state, line)) for choice in view(state, "p1").choices)

    assert covered("p1 bets 10 on 1 perfect_pairs=5 super_sevens=5")
    assert covered("p1 bets 10 on 1 perfect_pairs=100")
    assert not covered("p1 bets 10 on 1 perfect_pairs=7")
    assert not covered("p1 bets 10 on 1 super_sevens=10")
    assert not covered("p1 bets 12 on 1 perfect_pairs=5")
    assert covered("p1 bets 5 on 1")
    assert not covered("p1 bets 0 on 1")
    assert not covered("p1 bets 10 on 1 over_13=5")


def test_on_a_raised_box_a_wager_has_the_room_that_others_leave() -> None:
    state = table("raise-limit box=1 maximum=900 player=p1", "p1 sits 1", "p1 bets 700 on 1")

    def covered(line: str) -> bool:
        return any(choice.covers(*parse(state, line)) for choice in view(state, "p2").choices)

    state, _ = advance(state, *parse(state, "p2 sits 2"))
    assert covered("p2 bets 200 on 1")
    assert not covered("p2 bets 205 on 1")
    assert covered("p2 bets 600 on 2")  # what lies above the maximum goes back


def test_a_shoe_may_be_found_empty_before_a_card_is_asked_for() -> None:
    state = start_state(load("act-blackjack-2003").choose(), Start(left=3))
    lines = ("p1 sits 1", "open-betting", "p1 bets 10 on 1", "announce-no-more-bets", "9h", "6h", "7d")
    for line in lines:
        state, _ = advance(state, *parse(state, line))
    assert (state.stage, state.shoe.left) == ("playing", 0)
    _, events = advance(state, cmd.ShoeRunsOut(), DEALER)
    assert [type(event).__name__ for event in events] == ["ShoeRanOut"]


def test_everybody_sees_the_table_and_nobody_the_shoe() -> None:
    state = table(*SHARED, "announce-no-more-bets", "8h", "9c", "6h", "8d", "9d")
    for name in ("p1", "p2", "p9"):
        seen = view(state, name)
        assert (seen.player, seen.stage, seen.due, seen.round) == (name, "playing", "decision", 1)
        assert (seen.boxes, seen.dealer, seen.cards_left) == (state.boxes, ("6h",), state.shoe.left)
        assert (seen.minimum, seen.maximum, seen.final_rounds_left) == (1000, 50000, None)
        assert not any(choice.by.role != "player" for choice in seen.choices)
        assert not {"shoe", "unseen", "held"} & set(View.__struct_fields__)


def test_a_wager_below_the_minimum_pays_in_whole_cents_too() -> None:
    """What the sign displays always does; small chips may not: at 3 to 2 five cents win seven and a half."""
    state = table(
        "p1 sits 1", book="uk-blackjack-1994", minimum=1, multiple=1, smallest_chip=0.05, insurance_step=0.05
    )
    with pytest.raises(Refused, match=r"0\.05 does not pay in whole cents"):
        advance(state, *parse(state, "p1 bets 0.05 on 1"))


def test_what_a_house_need_not_offer_nobody_is_asked_about() -> None:
    """No document here lets a house withhold insurance; one's own may."""
    state = table("p1 sits 1", "p1 bets 10 on 1", "announce-no-more-bets")
    house = replace(state.rules.house, withhold=("insurance",))
    state = replace(state, rules=replace(state.rules, house=house))
    for card in ("9h", "As", "8d"):
        state, _ = advance(state, *parse(state, card))
    assert state.stage == "playing"
    with pytest.raises(Refused):
        advance(state, *parse(state, "1 p1 insure 5"))


def test_the_least_that_may_be_added_is_taken() -> None:
    state = table("p1 sits 1", "p1 bets 15 on 1")
    choices = view(state, "p1").choices
    assert any(choice.covers(*parse(state, "p1 bets 5 on 1")) for choice in choices)
    for choice in choices:
        advance(state, choice.command, choice.by)
