"""The order of a shoe: followed, kept beside the log, and there again when the table goes on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.conductor import Conductor
from croupier.house.shoes import UNSHUFFLED, VirtualShoe
from croupier.house.tables import new_table, resume
from croupier.record import read_log
from croupier.record.chain import START, seal, verified
from croupier.rulebook import NAMES, load
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import OPERATOR
from croupier.table.conduct import due
from evenings import Evening, accounted_for

ACT = "act-blackjack-2003"
AUTOMATED = {"automated_shoe": True}


def opened(path: Path, name: str = ACT, mishaps: float = 0, **settings: Any) -> Evening:
    book = load(name)
    table = new_table(book, book.demonstration | settings, cards=VirtualShoe(7), log=path)
    evening = Evening(table, 7, mishaps)
    evening.sit()
    return evening


def shoe_of(table: Conductor) -> VirtualShoe:
    assert isinstance(table.cards, VirtualShoe)
    return table.cards


def taken_up(path: Path, folder: Path, seed: int = 99) -> Conductor:
    """The table of a log as a copy of its files brings it back, while it goes on itself."""
    folder.mkdir(exist_ok=True)
    for file in (path, path.with_name(f"{path.name}.shoe")):
        if file.exists():
            shutil.copy(file, folder / file.name)
    table = resume(read_log(folder / path.name), cards=VirtualShoe(seed))
    table.close()
    return table


def holds_the_same(table: Conductor, again: Conductor) -> bool:
    assert again.state == table.state
    if table.state.stage in UNSHUFFLED:
        return shoe_of(again).afresh == ""
    return shoe_of(again).cards == shoe_of(table).cards and not shoe_of(again).afresh


@pytest.mark.parametrize(
    ("name", "mishaps", "settings"),
    [
        (ACT, 0, {}),
        (ACT, 0, AUTOMATED),
        (ACT, 0.1, {}),
        (ACT, 0.1, AUTOMATED),
        ("act-pontoon-2002", 0.1, AUTOMATED),
        ("uk-blackjack-1994", 0.1, {}),
    ],
)
def test_wherever_a_table_is_left_the_same_cards_are_in_its_shoe(
    name: str, mishaps: float, settings: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "table.log"
    evening = opened(path, name, mishaps, **settings)
    stages = set()
    for _ in range(150):
        evening.step()
        stages.add(evening.table.state.stage)
        assert holds_the_same(evening.table, taken_up(path, tmp_path / "again"))
    assert {"cut", "dealing", "playing"} <= stages


def test_an_interrupted_evening_is_dealt_as_one_that_was_not(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    evening = opened(path)
    while evening.table.state.round < 3 or due(evening.table.state) != "decision":
        evening.step()
    taken_up(path, tmp_path / "again")
    again = resume(read_log(tmp_path / "again" / path.name), cards=VirtualShoe(1))
    other = Evening(again, 0)
    other.chance.setstate(evening.chance.getstate())
    for _ in range(60):
        evening.step()
        other.step()
    assert evening.table.state == again.state
    assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_a_shoe_that_ran_out_is_the_same_after_its_rack_was_shuffled(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    evening = opened(path)
    table = evening.table
    while due(table.state) != "decision":
        evening.step()
    while table.state.shoe.left:  # cards drawn in error, until none is left
        word = shoe_of(table).peek(table.state)
        table.give(cmd.DrawCuttingCard() if word == "cut" else cmd.BurnInError(card=shoe_of(table).cards[0]))
    heard: list[type[ev.Event]] = []
    table.listeners.append(lambda told: heard.extend(map(type, told.events)))
    while ev.CardsCut not in heard or table.state.stage in ("shuffle", "cut"):
        evening.step()
        assert holds_the_same(table, taken_up(path, tmp_path / "again"))
    assert ev.ShoeRanOut in heard
    assert accounted_for(table)
    for _ in range(10):
        evening.step()
        assert holds_the_same(table, taken_up(path, tmp_path / "again"))


@pytest.mark.parametrize("settings", [{}, AUTOMATED])
def test_an_invalidated_round_leaves_no_card_missing(settings: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    evening = opened(path, **settings)
    table = evening.table
    while due(table.state) != "decision":
        evening.step()
    cause = min(table.state.rules.round_invalidation_causes or table.state.rules.invalidation_causes)
    scope = "round" if table.state.rules.round_invalidation_causes else "game"
    table.give(cmd.Invalidate(cause=cause, scope=scope), OPERATOR)
    assert accounted_for(table)
    assert bool(settings) == (table.state.shoe.rack == 0)
    assert holds_the_same(table, taken_up(path, tmp_path / "again"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("automated", [False, True])
def test_every_card_is_accounted_for_whatever_happens(name: str, automated: bool) -> None:
    book = load(name)
    settings = book.demonstration | (AUTOMATED if automated and book.rules.malfunction != "none" else {})
    for seed in range(4):
        table = new_table(book, settings, cards=VirtualShoe(seed))
        evening = Evening(table, seed, mishaps=0.15)
        evening.sit()
        for _ in range(400):
            evening.step()
            assert accounted_for(table)


# What becomes of a file that is not there or not right


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """The log of a table that was left in the middle of a round."""
    path = tmp_path / "table.log"
    evening = opened(path)
    while evening.table.state.round < 2 or due(evening.table.state) != "decision":
        evening.step()
    evening.table.close()
    return path


def test_the_order_is_for_its_owner_only_and_not_in_the_log(left: Path) -> None:
    file = left.with_name("table.log.shoe")
    assert file.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in left.parent.iterdir() if one not in (left, file)] == []
    shoe = shoe_of(resume(read_log(left), cards=VirtualShoe(1)))
    assert " ".join(shoe.cards[:3]) not in left.read_text()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read"),
        (b"", "truncated"),
        (b"\xff\xfe", ""),
        (b'{"shoe":"croupier shoe 9","orders":[]}', "is not the order of a shoe"),
        (b'{"shoe":"croupier shoe 1","orders":[{"after":2,"cards":["Xx"]}]}', "is not the order of a shoe"),
        (b'{"shoe":"croupier shoe 1","orders":[{"after":2,"cards":["Kh","5d"]}]}', "does not fit the log"),
        (b'{"shoe":"croupier shoe 1","orders":[]}', "does not fit the log"),
    ],
)
def test_without_a_good_file_the_cards_are_shuffled_afresh(
    left: Path, content: bytes | None, why: str
) -> None:
    file = left.with_name("table.log.shoe")
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    table = resume(read_log(left), cards=VirtualShoe(1))
    assert str(file) in shoe_of(table).afresh
    assert why in shoe_of(table).afresh
    assert accounted_for(table)
    cards = shoe_of(table).cards
    table.close()
    again = resume(read_log(left), cards=VirtualShoe(2))
    assert (shoe_of(again).cards, shoe_of(again).afresh) == (cards, "")


def test_another_table_s_order_does_not_fit_though_its_cards_would(left: Path, tmp_path: Path) -> None:
    book = load(ACT)
    (tmp_path / "other").mkdir()
    other = new_table(book, book.demonstration, cards=VirtualShoe(8), log=tmp_path / "other" / left.name)
    evening = Evening(other, 7)
    evening.sit()
    while other.state.stage != "place":
        evening.step()
    other.close()
    shutil.copy(tmp_path / "other" / "table.log.shoe", left.with_name("table.log.shoe"))
    assert "does not fit" in shoe_of(resume(read_log(left), cards=VirtualShoe(1))).afresh


def test_a_shuffle_whose_line_was_lost_leaves_the_order_before_it(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    evening = opened(path, **AUTOMATED)
    table = evening.table
    while table.state.round < 2 or table.state.stage != "settled":
        evening.step()
    state, cards, size = table.state, shoe_of(table).cards, path.stat().st_size
    table.give(cmd.Collect())
    assert shoe_of(table).cards != cards
    path.write_bytes(path.read_bytes()[: size + 40])
    again = taken_up(path, tmp_path / "again")
    assert again.state == state
    assert (shoe_of(again).cards, shoe_of(again).afresh) == (cards, "")


def as_typed(path: Path) -> None:
    """Make the log one of a format that did not say whether its cards are real."""
    bodies = [json.loads(body) for body in verified(path.read_bytes().splitlines(), "")]
    del bodies[0]["kind"]
    previous, content = START, b""
    for body in bodies:
        line, previous = seal(msgspec.json.encode(body), previous)
        content += line + b"\n"
    path.write_bytes(content)


def test_a_log_whose_cards_were_typed_in_does_not_fit_the_shoe_any_more(left: Path) -> None:
    as_typed(left)
    table = resume(read_log(left))
    unlike = next(
        card for card in ("2c", "3c") if card != shoe_of(taken_up(left, left.parent / "a")).cards[0]
    )
    table.give(cmd.BurnInError(card=unlike))  # type: ignore[arg-type]
    table.close()
    assert "does not fit" in shoe_of(resume(read_log(left), cards=VirtualShoe(1))).afresh
