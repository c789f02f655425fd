"""What a console has that players' pages have not: orders as they stand, and words for whoever deals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from asking import Asker
from croupier.cards import ALL_CARDS, INDEX
from croupier.conductor import Conductor
from croupier.errors import Refused
from croupier.house.due import next_words
from croupier.house.shoes import ScriptedShoe
from croupier.rulebook import NAMES, Rulebook, load
from croupier.table import State, advance, open_state
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, OPERATOR
from croupier.table.commands import Asked
from croupier.table.waiting import waiting
from croupier.web import orders
from croupier.web.awaiting import awaited, for_dealer, passed
from croupier.web.choosing import barred
from croupier.web.orders import TOPICS
from croupier.web.trying import NEWCOMER, Tried, try_order
from small_tables import tables
from states import Search

ORDERS = [kind for kinds in TOPICS.values() for kind in kinds]
# What only whoever deals is told: what to type, and what another may choose.
FOR_DEALERS = re.compile(
    r"\btype\b|\byour\b (own )?hand|\b(hit|stand)\b|p1 (sits|bets)|quit|\bp splits|\b1 r\b"
)
STATES, WAYS = 40, 40  # looked at on each table, and in which an order is filled in at each


def states(name: str) -> Iterator[State]:
    """Some states of small tables under a rulebook, as rounds are played there and orders are given."""
    for seed, table in enumerate(tables(name)):
        search = Search(table, seed)
        search.walk()
        nodes = [node for nodes in search.waiting.values() for node in nodes]
        yield from (node.state for node in search.chance.sample(nodes, min(STATES, len(nodes))))


def is_accepted(state: State, asked: Asked) -> bool:
    try:
        advance(state, *asked)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_what_is_closed_is_refused_however_it_is_filled_in(name: str) -> None:
    book, closed = load(name), 0
    for state in states(name):
        for kind in ORDERS:
            tried = try_order(state, book, kind)
            if tried.closed is None:
                continue
            closed += 1
            assert NEWCOMER not in tried.closed.words
            given = [asked for asked in islice(Asker(state).likely(kind), WAYS) if is_accepted(state, asked)]
            assert not given, f"{tried.closed.words} {given[0]}"
    assert closed > 500


def test_an_order_has_its_clause_and_its_reason_and_opens_when_the_table_has_moved_on() -> None:
    book = load("act-blackjack-2003")
    table = Conductor(open_state(book.choose()), cards=ScriptedShoe(["2c"]))
    table.carry_on()
    closed = try_order(table.state, book, cmd.SetLimits)
    assert closed.closed
    assert (closed.closed.words, closed.clauses) == ("Notice has not been given to the players.", ("3.1",))
    assert try_order(table.state, book, cmd.GiveNotice) == (("3.1",), None)
    table.give(cmd.GiveNotice(of="limits", minimum=2000, maximum=20000), OPERATOR)
    opened = try_order(table.state, book, cmd.SetLimits)
    assert opened.closed is None
    assert opened.clauses[0] == "3.1"


@pytest.mark.parametrize("kind", [cmd.Exclude, cmd.Rule, cmd.VoidRound, cmd.Return, cmd.RemoveMarker])
def test_where_there_is_nothing_to_order_about_that_is_said(kind: type[cmd.Command]) -> None:
    book = load("act-blackjack-2003")
    closed = try_order(open_state(book.choose()), book, kind).closed
    assert closed
    assert closed.words.startswith("No")


def test_fields_offer_what_can_fill_them() -> None:
    table: Any = Mock(state=open_state((book := load("act-blackjack-2003")).choose()), book=book)
    fields = {
        (one["command"], field["name"]): field
        for one in orders.as_they_stand(table)
        for field in one["fields"]
    }
    assert fields["SetSideBet", "name"]["choices"] == ["perfect_pairs", "super_sevens"]
    assert "fire" in fields["Invalidate", "cause"]["choices"]
    assert fields["ReplaceCards", "checked_by"]["choices"] == [("dealer", "supervisor")]
    assert fields["Hold", "minimum"]["kind"] == "yes or no"
    assert fields["VoidRound", "round"]["choices"] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_key_that_is_not_barred_records_something(name: str) -> None:
    """A card in each way, the cutting card, the empty shoe: what is barred is refused whatever the card."""
    book, seen = load(name), set[str]()
    for state in states(name):
        closed = barred(state, book)
        seen |= closed.keys()
        assert all(one.words for one in closed.values())
        cards = [*state.shoe.held, *(card for card in ALL_CARDS if state.shoe.unseen[INDEX[card]])]
        ways = {"dealt": cmd.Deal, "burnt": cmd.BurnInError, "error": cmd.DrawInError, "up": cmd.DealFaceUp}
        for key, kind in ways.items():
            if state.stage == "burn" and key == "dealt":
                continue  # then a card is burnt
            done = [card for card in cards if is_accepted(state, Asked(kind(card=card), DEALER))]
            assert bool(done) == (key not in closed), (key, state.stage)
        assert is_accepted(state, Asked(cmd.ShoeRunsOut(), DEALER)) == ("empty" not in closed)
    assert {"dealt", "empty", "absent"} <= seen


def test_orders_are_tried_once_for_all_consoles_until_the_table_moves_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[type[cmd.Command]] = []

    def try_and_note(state: State, book: Rulebook, kind: type[cmd.Command]) -> Tried:
        tried.append(kind)
        return try_order(state, book, kind)

    monkeypatch.setattr(orders, "try_order", try_and_note)
    book = load("act-blackjack-2003")
    table: Any = Mock(state=open_state(book.choose()), book=book)
    first = orders.as_they_stand(table)
    assert orders.as_they_stand(table) is first
    assert tried == ORDERS
    table.state = replace(table.state, stage="idle")
    assert orders.as_they_stand(table) != first
    assert tried == ORDERS * 2


# Words


@pytest.mark.parametrize("name", NAMES)
def test_players_are_told_what_is_waited_for_in_words_of_their_own(name: str) -> None:
    book = load(name)
    found = [*states(name)]
    for state in found:
        words = awaited(waiting(state), book)
        assert words.words
        assert not FOR_DEALERS.search(words.words), words.words
        due, how = for_dealer(state, book)
        assert words.clauses == due.clauses
        whole = next_words(state, book)
        assert whole.startswith((due.words, due.words[:1].lower() + due.words[1:]))
        assert how in whole
    dealers = {how for state in found for _, how in [for_dealer(state, book)]}
    assert any(FOR_DEALERS.search(words) for words in dealers)


def test_the_dealer_is_told_who_plays_on() -> None:
    state = open_state(load("act-blackjack-2003").choose())
    assert passed(state, []) == ""
    assert passed(replace(state, stage="offers"), ["p1"]) == "p1 plays on"
    assert passed(replace(state, stage="offers"), ["p1", "p2", "p3"]) == "p1, p2 and p3 play on"
    assert passed(replace(state, stage="betting"), ["p1", "p2"]) == "p1 and p2 bet no more"
