"""The table as rows: what they hold, and that they fit whatever the table and the terminal are like."""

from __future__ import annotations

import pytest
from rich.text import Text

from croupier.cli.felt import Row, draw, rows
from croupier.conductor import Conductor
from croupier.house.shoes import ScriptedShoe
from croupier.house.tables import new_table
from croupier.rulebook import load
from croupier.table import commands as cmd
from croupier.table.actors import player

ACT = load("act-blackjack-2003")


def full_table(cards: str, *, boxes: int = 7, bettors: int = 3, stake: int = 50000) -> Conductor:
    """Every box with so many bettors, and these cards dealt as far as they go without a decision."""
    table = new_table(ACT, ACT.demonstration, cards=ScriptedShoe(["2c", *cards.split()]))
    table.carry_on()
    table.give(cmd.OpenBetting())
    for box in range(1, boxes + 1):
        for one in range(bettors):
            table.give(cmd.Wager(box=box, stake=stake), player(f"p{bettors * (box - 1) + one + 1}"))
    table.give(cmd.AnnounceNoMoreBets())
    table.carry_on()
    return table


PAIRS = "8h 8d 8s 8c 8h 8d 8s  9c  8c 8h 8d 8s 8c 8h 8d"


def of(table: list[Row], place: str) -> Row:
    return next(row for row in table if row.place == place)


def words(lines: list[Text]) -> str:
    return "\n".join(line.plain for line in lines)


def test_a_row_has_bettors_cards_total_and_whose_turn_it_is() -> None:
    table = full_table("Th 9d 9c 6d 8c", boxes=2, bettors=2, stake=1000)
    found = rows(table.state, ACT, you="p3")
    assert [row.place for row in found] == ["dealer", "1", "2"]
    assert of(found, "dealer").total == "9"
    first = of(found, "1")
    assert (first.cards, first.total, first.note, first.turn) == (("Th", "6d"), "16 hard", "p1 decides", True)
    assert [chips.shown(24) for chips in first.bettors] == ["p1 $10", "p2 $10"]
    assert [chips.name for chips in of(found, "2").bettors] == ["you", "p4"]


def test_what_became_of_a_hand_takes_the_place_of_its_chips() -> None:
    table = full_table("Th 9c 6d Kd", boxes=1, bettors=2, stake=1000)
    table.give(cmd.Hit(box=1), player("p1"))
    table.next_card()
    (row,) = rows(table.state, ACT)[1:]
    assert row.total == "26 bust"
    assert [(chips.words, chips.net) for chips in row.bettors] == [("−$10", -1000)] * 2


def test_seats_and_wagers_are_seen_before_the_cards() -> None:
    table = new_table(ACT, ACT.demonstration, cards=ScriptedShoe(["2c"]))
    table.carry_on()
    table.give(cmd.Sit(box=3), player("p1"))
    table.give(cmd.OpenBetting())
    assert of(rows(table.state, ACT), "3").note == "p1 sits here"
    table.give(cmd.Wager(box=3, stake=1000), player("p1"))
    assert of(rows(table.state, ACT, you="p1"), "3").bettors[0].shown(9) == "you $10"


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_seven_boxes_of_three_bettors_fit(width: int) -> None:
    table = full_table(PAIRS)
    lines = draw(rows(table.state, ACT), width)
    assert len(lines) == 8
    assert max(line.cell_len for line in lines) <= width
    if width >= 80:
        assert "p19 $500 · p20 $500 · p21 $500" in lines[-1].plain
    else:
        assert "p19 $500" in lines[-1].plain


def test_splits_have_a_line_a_hand_or_one_a_box() -> None:
    table = full_table(PAIRS + " 9h Kh 9d 9s", bettors=1)
    for name in ("p1", "p2"):
        place = int(name[1:])
        table.give(cmd.Split(box=place), player(name))
        table.carry_on()
        for hand in (1, 2):
            table.give(cmd.Stand(box=place, hand=hand), player(name))
            table.carry_on()
    found = rows(table.state, ACT)
    assert {"1.1", "1.2", "2.1", "2.2"} <= {row.place for row in found}
    folded = draw(found, 80, most=8)
    assert len(folded) == 8
    assert "17 hard / 17 hard" in words(folded)
    assert "2 hands" in words(folded)


def test_long_hands_and_long_names_are_shortened() -> None:
    row = Row(1, 1, "1", (), ("Th", "2d", "2c", "2h", "2s", "Ac"), "19 hard")
    assert "10♥ 2♦ 2♣ 2♥ 2♠ A♣" in words(draw([row], 80))
    assert "…" in words(draw([row], 34))
    table = full_table("Th 9c 6d", boxes=1)
    long = [chips.__class__("Bartholomew" * 2, chips.words) for chips in rows(table.state, ACT)[1].bettors]
    line = words(draw([Row(1, 1, "1", (*long,), ("Th",), "10", "somebody decides")], 80))
    assert len(line) <= 80
    assert line.count("$500") == 3


def test_a_terminal_without_utf8_gets_letters() -> None:
    shown = words(draw(rows(full_table("Th 9c 6d", boxes=1).state, ACT), plain=True))
    assert shown.isascii()
    assert ">1" in shown
    assert "10h 6d" in shown
