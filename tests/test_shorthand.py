"""What a dealer types at speed, as text: who asks what, what is taken for granted, what is not understood."""

from __future__ import annotations

import pytest

from croupier.conductor import Conductor
from croupier.errors import ParseError
from croupier.house.due import next_words
from croupier.house.shoes import ScriptedShoe
from croupier.house.tables import new_table
from croupier.house.wish import wish
from croupier.rulebook import Rulebook, load
from croupier.story import tell
from croupier.table import commands as cmd
from croupier.table.again import Bid, Bids, LastBids
from croupier.table.commands import Command
from croupier.table.events import HandSplit
from croupier.table.shorthand import enter, namesake, parts, read

ACT = load("act-blackjack-2003")
PONTOON = load("act-pontoon-2002")
LAST: Bids = {(1, "p1"): Bid(1000), (1, "p2"): Bid(2500), (3, "p3"): Bid(500, {"perfect_pairs": 500})}


def table(lines: str = "", cards: str = "", book: Rulebook = ACT) -> Conductor:
    """A table with open bets at which these lines were typed, and the cards dealt as far as they go."""
    shoe = ScriptedShoe([*["2c"] * book.rules.burn_cards, *cards.split()])
    host = new_table(book, book.demonstration, cards=shoe)
    host.carry_on()
    host.give(cmd.OpenBetting())
    for line in filter(None, lines.split("; ")):
        give(host, line)
    if cards:
        host.give(cmd.AnnounceNoMoreBets())
        host.carry_on()
    return host


def give(host: Conductor, line: str) -> None:
    for part in parts(line):
        for asked in read(host.state, part, LAST).asked:
            host.give(*asked)


def said(host: Conductor, line: str, last: Bids = LAST) -> list[tuple[Command, str]]:
    return [(asked.command, asked.by.name) for asked in read(host.state, line, last).asked]


# Parts of a line


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("9s7d6c", ["9s", "7d", "6c"]),
        ("10h10dKc", ["10h", "10d", "Kc"]),
        ("kh as", ["kh", "as"]),
        ("sss5ds", ["s", "s", "s", "5d", "s"]),
        ("s s hit 5d", ["s", "s", "hit", "5d"]),
        ("5d^ cut 9♠", ["5d^", "cut", "9♠"]),
        ("pnn", ["p", "n", "n"]),
        ("5h on 1", ["5h on 1"]),
        ("p1 bets 10 on 1", ["p1 bets 10 on 1"]),
        ("1 h", ["1 h"]),
        ("25 25 - 10", ["25 25 - 10"]),
        ("same", ["same"]),
        ("", [""]),
    ],
)
def test_cards_and_decisions_come_apart_and_nothing_else_does(line: str, found: list[str]) -> None:
    assert parts(line) == found


# Bets


def test_same_is_what_everybody_bet_and_has_not_bet_yet() -> None:
    host = table("p1 bets 20 on 1")
    assert said(host, "same") == [
        (cmd.Wager(box=1, stake=2500), "p2"),
        (cmd.Wager(box=3, stake=500, sides={"perfect_pairs": 500}), "p3"),
    ]
    with pytest.raises(ParseError, match="nobody has bet yet"):
        read(host.state, "same", {})


def test_same_between_rounds_opens_the_bets() -> None:
    host = new_table(ACT, ACT.demonstration, cards=ScriptedShoe(["2c"]))
    host.carry_on()
    assert isinstance(said(host, "same")[0][0], cmd.OpenBetting)


def test_a_box_and_an_amount_are_its_players_bet() -> None:
    host = table("p4 sits 2")
    assert said(host, "2 25") == [(cmd.Wager(box=2, stake=2500), "p4")]
    assert said(host, "3 7.50") == [(cmd.Wager(box=3, stake=750), "p3")]
    with pytest.raises(ParseError, match="p1, p2 were on it"):
        read(host.state, "1 25", LAST)
    with pytest.raises(ParseError, match="nobody sits there"):
        read(host.state, "5 25", LAST)
    with pytest.raises(ParseError, match="on which box"):
        read(host.state, "25", LAST)


def test_amounts_go_box_by_box() -> None:
    host = table("p4 sits 1; p5 sits 2")
    assert said(host, "25 30 - ") == [
        (cmd.Wager(box=1, stake=2500), "p4"),
        (cmd.Wager(box=2, stake=3000), "p5"),
    ]
    assert said(host, "- 30 10")[1] == (cmd.Wager(box=3, stake=1000), "p3")
    assert len(said(host, "- - 10 - - - -")) == 1  # as many as there are boxes
    with pytest.raises(ParseError, match="7 boxes"):
        read(host.state, "10 " * 8, LAST)


def test_side_bets_go_by_long_and_short_names() -> None:
    host = table("p4 sits 2", book=PONTOON)
    both = said(host, "2 25 pp=5"), said(host, "2 25 perfect_pairs=5")
    assert both[0] == both[1] == said(host, "p4 bets 25 on 2 PP=5")
    assert both[0] == [(cmd.Wager(box=2, stake=2500, sides={"perfect_pairs": 500}), "p4")]
    with pytest.raises(ParseError, match="named twice"):
        read(host.state, "p4 bets 25 on 2 pp=5 perfect_pairs=5", {})
    with pytest.raises(ParseError, match="named twice"):
        wish(host.state, "25 pp=5 perfect-pairs=5")
    assert wish(host.state, "25 pp=5") == Bid(2500, {"perfect_pairs": 500})
    with pytest.raises(ParseError, match="is not an amount"):
        wish(host.state, "٢٥")  # no digits that a purse could show


# Decisions

TWO = "p1 bets 10 on 1; p2 bets 20 on 1; p3 bets 10 on 2"


def test_a_letter_or_a_word_is_the_hand_in_turns() -> None:
    host = table(TWO, "8h 9d 9c 8d 8c")
    for words, kind in (("h", cmd.Hit), ("STAND", cmd.Stand), ("p", cmd.Split), ("d", cmd.Double)):
        assert said(host, words) == [(kind(box=1), "p1")]
    assert said(host, "2 s") == [(cmd.Stand(box=2), "p3")]


def test_the_next_bettor_who_is_asked_answers() -> None:
    host = table(TWO, "8h 9d 9c 8d 8c")
    give(host, "p")
    assert said(host, "p") == [(cmd.Split(box=1), "p2")]
    assert said(host, "n") == [(cmd.Ride(box=1), "p2")]
    with pytest.raises(ParseError, match="p2 answers the split first"):
        read(host.state, "s", LAST)


def test_where_nobody_may_ride_a_split_is_declined_by_staying() -> None:
    """The regulations know no bet that stays on the first hand: the split lapses."""
    uk = load("uk-blackjack-1994")
    shoe = ScriptedShoe(["8s", "5c", "7c", "8d", "6h"])
    host = new_table(uk, {**uk.demonstration, "bettors_per_box": 2}, cards=shoe)
    host.carry_on()
    for line in ("", "p1 bets 10 on 1", "p2 bets 10 on 1", "p3 bets 10 on 2", ""):
        give(host, line)
    host.carry_on()
    give(host, "p")
    asked = next_words(host.state, uk)
    assert asked == "box 1: a separation is under way; p2 answers: p separates, n lets it lapse [7(9)]"
    assert said(host, "n") == [(cmd.Stay(box=1), "p2")]
    give(host, "n")
    assert len(host.state.box(1).hands) == 1
    split = HandSplit(box=1, hand=1, players=("p1",), basis=())
    assert (tell(split, uk), tell(split, ACT)) == ("Box 1 is separated by p1", "Box 1 is split by p1")


def test_a_card_is_a_hit_where_the_hand_may_hit() -> None:
    host = table(TWO, "8h 9d 9c 8d 8c")
    reading = read(host.state, "5d", LAST)
    assert [asked.command for asked in reading.asked] == [cmd.Hit(box=1), cmd.Deal(card="5d")]
    assert reading.granted == "p1 hits box 1"
    assert len(read(host.state, "5d", LAST, hits=False).asked) == 1
    assert said(host, "5d^") == [(cmd.DealFaceUp(card="5d"), "dealer")]
    give(host, "p")
    assert said(host, "5d") == [(cmd.Deal(card="5d"), "dealer")]


def test_where_nothing_is_to_be_decided_a_letter_is_not_understood() -> None:
    for letter in "hsdprfn":
        with pytest.raises(ParseError):
            read(table().state, letter, LAST)


def test_offers_by_box() -> None:
    host = table("p1 bets 10 on 1; p3 bets 10 on 2", "Th 5d Ac Ad 6d")
    assert said(host, "1 e") == [(cmd.TakeEvenMoney(box=1), "p1")]
    assert said(host, "2 i 2.50") == [(cmd.Insure(box=2, amount=250), "p3")]
    assert read(host.state, "2 i", LAST).granted == "p3 insures in full, 5"
    host = table("p1 bets 10 on 1", "9h Kc 7d", book=PONTOON)
    assert said(host, "r") == said(host, "1 r") == [(cmd.Surrender(box=1), "p1")]


def test_forfeit_is_the_doubled_hands() -> None:
    host = table("p1 bets 10 on 1", "2h 9c 3d 5d", book=PONTOON)
    give(host, "d")
    host.next_card()
    assert said(host, "f") == said(host, "1 f") == [(cmd.Forfeit(box=1), "p1")]


# Enter and positions


def test_enter_never_makes_up_a_place() -> None:
    host = new_table(ACT, ACT.demonstration)
    for _ in range(3):
        give(host, "")
    assert host.state.shoe.offer == "supervisor"
    assert enter(host.state) is None
    with pytest.raises(ParseError, match="Enter does nothing"):
        read(host.state, "", {})
    assert said(host, "144") == [(cmd.Cut(at=144), "supervisor")]
    give(host, "144")
    with pytest.raises(ParseError, match="one number"):
        read(host.state, "60 30", {})
    assert said(host, "60") == [(cmd.PlaceCuttingCards(from_back=60), "dealer")]


# Memory and names


def test_last_bids_are_those_for_which_bets_were_closed() -> None:
    host, bids = new_table(ACT, ACT.demonstration, cards=ScriptedShoe(["2c", "Th", "9c", "6d"])), LastBids()
    host.listeners.append(lambda told: bids.hear(told.events))
    host.carry_on()
    give(host, "")
    for line in ("p1 bets 10 on 1", "p1 bets 5 on 1", "p2 bets 20 on 2", "take-back by=p2 box=2"):
        give(host, line)
    assert bids.last == {}
    give(host, "")
    assert bids.last == {(1, "p1"): Bid(1500)}


def test_a_new_name_that_looks_like_a_known_one_is_noticed() -> None:
    host = table("p3 sits 3; p4 bets 10 on 4")
    assert namesake(host.state, "P3") == "P3 is new here; p3 sits at 3"
    assert namesake(host.state, "P4") == "P4 is new here; p4 bets on 4"
    assert namesake(host.state, "p3") == namesake(host.state, "p9") == ""
