"""The menu: the decisions and offers of the moment, each open with its amounts or closed with its bar."""

from __future__ import annotations

import pytest

from croupier.rulebook import NAMES
from croupier.table import State, advance
from croupier.table import commands as cmd
from croupier.table.actors import SUPERVISOR, player
from croupier.table.commands import KINDS
from croupier.table.contents import BARS, bar_of
from croupier.table.legal import Amounts, Choice, legal, menu
from croupier.table.run import refusal
from croupier.table.text import parse
from croupier.table.view import view, views
from states import NOT_MOVES
from test_random_rounds import RandomHouse, settings_of
from test_table_properties import refusal_of, said
from test_view import SHARED, table

P1, P2 = player("p1"), player("p2")


def on(state: State, name: str = "p1") -> dict[str, Choice]:
    """The menu of a player by the names of its commands; of two doubles the one in full."""
    return {type(choice.command).__name__: choice for choice in reversed(menu(state, player(name)))}


def closed(state: State, name: str = "p1") -> dict[str, str]:
    return {kind: choice.bar.provision for kind, choice in on(state, name).items() if choice.bar}


def one_box(*cards: str, book: str = "act-blackjack-2003") -> State:
    """A table at which p1 has $20 on a box, and these cards have been dealt."""
    return table("p1 sits 1", "p1 bets 20 on 1", "announce-no-more-bets", *cards, book=book)


def test_every_move_of_the_game_has_its_bars() -> None:
    assert {kind for kind in KINDS.values() if not issubclass(kind, NOT_MOVES)} == BARS.keys()


@pytest.mark.parametrize("name", NAMES)
def test_the_menu_is_open_where_nothing_is_refused_and_closed_by_what_refuses(name: str) -> None:
    seen: set[tuple[str, bool]] = set()
    for number, settings in enumerate(settings_of(name)):
        house = RandomHouse(name, settings, number)
        while house.state.round < (2 if settings else 20):
            house.step()
            for choice in menu(house.state):
                refused = refusal_of(house.state, choice.command, choice.by)
                assert said(choice.bar) == refused, (settings, choice)
                seen.add((type(choice.command).__name__, refused is None))
    assert {("Hit", True), ("Stand", True), ("Double", True), ("Split", True), ("Split", False)} <= seen


@pytest.mark.parametrize("name", NAMES)
def test_everybodys_menu_is_each_players_menu(name: str) -> None:
    house = RandomHouse(name, {}, 1)
    while house.state.round < 8:
        house.step()
        state = house.state
        for found in (menu, legal):
            owners = dict.fromkeys(choice.by for choice in found(state))
            own = [choice for by in owners for choice in found(state, by)]
            assert sorted(map(repr, own)) == sorted(map(repr, found(state)))
        names = ("p1", "p2", "p3", "p9")
        assert views(state, names) == tuple(view(state, name) for name in names)
        for seen in views(state, names):
            assert seen.choices == legal(state, player(seen.player))
            assert seen.closed == tuple(one for one in menu(state, player(seen.player)) if one.bar)


def test_a_decision_comes_with_what_bars_it() -> None:
    state = one_box("Th", "6c", "7d")
    assert closed(state) == {"Split": "split_needs_equal"}
    assert list(reversed(on(state))) == ["Hit", "Stand", "Double", "Split"]
    assert on(state)["Double"].free == {"amount": Amounts(2000, 2000)}
    state, _ = advance(state, cmd.Hit(box=1, hand=1), P1)
    assert menu(state) == ()  # a card is due first


def test_who_is_asked_has_answers_and_others_have_nothing() -> None:
    state = table(*SHARED, "announce-no-more-bets", "8h", "9c", "6h", "8d", "9d", "1 split")
    assert set(on(state, "p2")) == {"Split", "Ride", "Stay"}
    assert not on(state, "p1")
    assert not menu(state, SUPERVISOR)


def test_an_offer_that_is_not_of_the_moment_is_not_on_the_menu() -> None:
    state = one_box("Th", "Ac", "7d")
    assert set(on(state)) == {"Insure"}
    assert set(on(one_box("Th", "Ac", "Ad"))) == {"Insure", "TakeEvenMoney"}
    assert set(on(one_box("Th", "6c", "7d"))) == {"Hit", "Stand", "Double", "Split"}


def test_insurance_is_open_for_what_is_left_of_it() -> None:
    state = one_box("Th", "Ac", "Ad")
    assert on(state)["Insure"].free == {"amount": Amounts(250, 1000, 250)}
    state, _ = advance(state, *parse(state, "1 p1 insure 7.50"))
    assert on(state)["Insure"].free == {"amount": Amounts(250, 250, 250)}
    assert on(state)["Insure"].price == 250
    state, _ = advance(state, *parse(state, "1 p1 insure 2.50"))
    insure = on(state)["Insure"]
    assert insure.bar is not None
    assert str(refusal(insure.command, insure.bar)) == "insure refused: 10 is not within 0"


def test_beside_what_lies_the_next_multiple_is_the_least() -> None:
    state = table("p1 sits 1", "p1 bets 20 on 1")
    wagers = [one for one in legal(state, P1) if isinstance(one.command, cmd.Wager) and one.command.box == 1]
    assert [one.free["stake"] for one in wagers] == [Amounts(500, None, 500, 2000)]


def test_beside_what_lies_a_maximum_leaves_the_rest() -> None:
    state = table("p1 sits 1", "p1 bets 20 on 1", book="uk-blackjack-1994", maximum=50)
    wagers = [one for one in legal(state, P1) if isinstance(one.command, cmd.Wager) and one.command.box == 1]
    assert [one.free["stake"] for one in wagers] == [Amounts(500, 3000, 500, 2000)]


def test_a_closed_surrender_says_why() -> None:
    state = table(
        *("p1 bets 20 on 1", "p1 bets 20 on 2", "p2 bets 20 on 3", "announce-no-more-bets"),
        *("5h", "9c", "8c", "Ah", "6d", "Kd", "9s"),
        book="act-pontoon-2002",
    )
    surrenders = [choice for choice in menu(state) if isinstance(choice.command, cmd.Surrender)]
    assert surrenders
    assert [choice.by.name for choice in surrenders] == ["p1", "p1", "p2"]


def test_a_bar_is_asked_of_the_asker_too() -> None:
    state = one_box("Th", "6c", "7d")
    bar = bar_of(state, cmd.Hit(box=1, hand=1), SUPERVISOR)
    assert bar is not None
    assert bar.provision == "bank_does_not_play"
