"""Whom a table waits for, for what, and what they may do."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from croupier.conductor import Conductor
from croupier.house.shoes import ScriptedShoe, VirtualShoe
from croupier.house.tables import new_table
from croupier.rulebook import NAMES, load
from croupier.table import commands as cmd
from croupier.table.actors import OPERATOR, SUPERVISOR, player
from croupier.table.state import active, initial_target, turn
from croupier.table.waiting import waiting
from evenings import Evening

BOOK = load("act-blackjack-2003")


def whom(table: Conductor) -> tuple[str, str, tuple[str, ...]]:
    now = waiting(table.state)
    return now.due, now.on, now.players


def kinds(table: Conductor) -> set[type[cmd.Command]]:
    return {type(choice.command) for choice in waiting(table.state).choices}


def seated(cards: str, *names: str) -> Conductor:
    """A table with these cards to come, and everybody at a box of their own with 10 on it."""
    table = new_table(BOOK, BOOK.demonstration, cards=ScriptedShoe(["2c", *cards.split()]))
    table.carry_on()
    for box, name in enumerate(names, start=1):
        table.give(cmd.Sit(box=box), player(name))
    table.give(cmd.OpenBetting())
    for box, name in enumerate(names, start=1):
        table.give(cmd.Wager(box=box, stake=1000), player(name))
    return table


def test_who_is_waited_for_before_a_round() -> None:
    table = new_table(BOOK, BOOK.demonstration, cards=VirtualShoe(1))
    table.give(cmd.Sit(box=1), player("p1"))
    table.give(cmd.Sit(box=2), player("p2"))
    assert whom(table) == ("chore", "dealer", ())
    assert kinds(table) == {cmd.CheckCards}
    assert table.carry_on() == "cut"
    assert whom(table) == ("cut", "players", ("p1",))
    assert kinds(table) == {cmd.Cut, cmd.DeclineCut}
    table.give(cmd.DeclineCut(), player("p1"))
    table.give(cmd.OfferCut())
    assert whom(table) == ("cut", "players", ("p2",))
    table.give(cmd.DeclineCut(), player("p2"))
    table.give(cmd.OfferCut())
    assert whom(table) == ("chore", "supervisor", ())
    assert cmd.Cut in kinds(table)
    table.give(cmd.Cut(at=100), SUPERVISOR)
    table.give(cmd.PlaceCuttingCards(from_back=100))
    assert whom(table) == ("card", "shoe", ())
    assert cmd.Burn in kinds(table)
    assert table.carry_on() == "between rounds"
    assert whom(table) == ("between rounds", "dealer", ())
    assert cmd.OpenBetting in kinds(table)


def test_bets_wait_for_those_who_have_none_and_then_for_the_dealer() -> None:
    table = new_table(BOOK, BOOK.demonstration, cards=ScriptedShoe(["2c"]))
    table.carry_on()
    for box, name in ((1, "p1"), (3, "p2")):
        table.give(cmd.Sit(box=box), player(name))
    table.give(cmd.OpenBetting())
    assert whom(table) == ("betting", "players", ("p1", "p2"))
    assert cmd.Wager in kinds(table)
    table.give(cmd.Wager(box=1, stake=1000), player("p1"))
    assert whom(table) == ("betting", "players", ("p2",))
    table.give(cmd.Wager(box=3, stake=1000), player("p2"))
    assert whom(table) == ("betting", "dealer", ())
    assert cmd.AnnounceNoMoreBets in kinds(table)


def test_a_hand_waits_for_its_decider_and_then_for_those_who_answer() -> None:
    table = seated("8h 9d 7c 8d 9h", "p1", "p2")
    table.give(cmd.Wager(box=1, stake=1000), player("p3"))
    table.give(cmd.AnnounceNoMoreBets())
    assert table.carry_on() == "decision"
    assert whom(table) == ("decision", "players", ("p1",))
    assert {cmd.Hit, cmd.Stand, cmd.Split} <= kinds(table)
    table.give(cmd.Split(box=1), player("p1"))
    assert whom(table) == ("decision", "players", ("p3",))
    assert kinds(table) == {cmd.Split, cmd.Ride, cmd.Stay}
    table.give(cmd.Split(box=1), player("p3"))
    assert whom(table) == ("card", "shoe", ())


def test_offers_wait_for_those_who_may_take_one() -> None:
    table = seated("8h 9d Ac 8d 9h", "p1", "p2")
    table.give(cmd.AnnounceNoMoreBets())
    assert table.carry_on() == "offers"
    assert whom(table) == ("offers", "players", ("p1", "p2"))
    assert kinds(table) >= {cmd.Insure}
    for box in (1, 2):
        table.give(cmd.Insure(box=box, amount=500), player(f"p{box}"))
    assert whom(table) == ("offers", "dealer", ())
    assert cmd.CloseOffers in kinds(table)


def test_a_failed_shoe_waits_for_the_operator_and_a_closed_table_for_nobody() -> None:
    table = new_table(BOOK, BOOK.demonstration | {"automated_shoe": True}, cards=VirtualShoe(1))
    table.give(cmd.CheckCards())
    table.give(cmd.ReportMalfunction(kind="mechanical", then="reshuffle"))
    assert whom(table) == ("nothing", "operator", ())
    table.give(cmd.ReplaceShoe(automated=True), OPERATOR)
    assert whom(table) == ("chore", "dealer", ())
    closed = Conductor(replace(table.state, stage="closed", checked_at_end=True))
    assert whom(closed) == ("nothing", "nobody", ())
    assert kinds(closed) == set()


@pytest.mark.parametrize("name", NAMES)
def test_whoever_is_waited_for_has_a_choice(name: str) -> None:
    table = new_table(load(name), load(name).demonstration, cards=VirtualShoe(4))
    evening = Evening(table, 4)
    evening.sit()
    for _ in range(300):
        now = waiting(table.state)
        choices = now.choices
        assert choices, whom(table)
        assert {choice.by.name for choice in choices} >= set(now.players)
        evening.step()


def test_what_is_remembered_of_one_table_is_said_of_no_other() -> None:
    """Two tables that are asked in turn, and each again in a state that it was in before."""
    one, other = seated("8s 9s Td 3s 2s 6h", "p1", "p2"), seated("8s Td 3s 6h", "p1")
    seen = []
    for table in (one, other):
        table.give(cmd.AnnounceNoMoreBets())
        while table.state.stage == "dealing":
            seen.append(table.state)
            table.next_card()
        seen.append(table.state)
    answers = [(initial_target(state), turn(state), len(active(state))) for state in seen]
    deal = [(1, None, 2), (2, None, 2), (0, None, 2), (1, None, 2), (2, None, 2), (None, (1, 1), 2)]
    assert answers[:6] == deal
    assert answers[6:] == [(1, None, 1), (0, None, 1), (1, None, 1), (None, (1, 1), 1)]
    for state, asked in reversed(list(zip(seen, answers, strict=True))):
        assert (initial_target(state), turn(state), len(active(state))) == asked
