"""Frames are looked through for what their seat may not know; and what is planted there is found."""

from __future__ import annotations

import os
from typing import Any

import msgspec
import pytest

from croupier.web import frames, telling
from croupier.web.opened import OpenTable
from test_server import script


def test_no_frame_holds_what_its_seat_may_not_know() -> None:
    found = script("serve_scan").run(rounds=40, seed=3, told=lambda _: None)
    assert found["frames"] > 1000
    assert found["pending"] > 0


def next_card(table: Any) -> str:
    return str(table.kept.conductor.cards.cards[0])


def plant_next_card(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = OpenTable.table

    def table(self: OpenTable) -> frames.Table:
        return msgspec.structs.replace(shown(self), phase=f"soon {next_card(self)}")

    monkeypatch.setattr(OpenTable, "table", table)


def plant_order(monkeypatch: pytest.MonkeyPatch) -> None:
    own = OpenTable.you

    def you(self: OpenTable, client: Any, reply: Any = None) -> frames.You:
        return msgspec.structs.replace(own(self, client, reply), asked=f"Box 1 against {next_card(self)}.")

    monkeypatch.setattr(OpenTable, "you", you)


def plant_purse(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = OpenTable.table

    def table(self: OpenTable) -> frames.Table:
        return msgspec.structs.replace(shown(self), phase=f"p2 has ${self._house.purse('p2'):,}")

    monkeypatch.setattr(OpenTable, "table", table)


def plant_another_s(monkeypatch: pytest.MonkeyPatch) -> None:
    tell = OpenTable._tell

    def to_the_first(self: OpenTable, told: Any, sender: Any, said: Any) -> None:
        tell(self, told, sender, said)
        first, *others = self.clients
        for other in others[:1]:
            first.send(frames.encode(self.you(other)))

    monkeypatch.setattr(OpenTable, "_tell", to_the_first)


def plant_answers_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "UNTOLD", ())


def plant_answers_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = OpenTable.table

    def table(self: OpenTable) -> frames.Table:
        hands = [hand for box in self.state.boxes for hand in box.hands]
        joined = sum(bool(answer.amount) for hand in hands for answer in hand.answers)
        return msgspec.structs.replace(shown(self), rack=joined)

    monkeypatch.setattr(OpenTable, "table", table)


def plant_salt(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = OpenTable.facts
    monkeypatch.setattr(
        OpenTable, "facts", lambda self: msgspec.structs.replace(shown(self), house=os.urandom(32).hex())
    )


@pytest.mark.parametrize(
    "plant",
    [
        *(plant_next_card, plant_order, plant_purse, plant_another_s),
        *(plant_answers_told, plant_answers_shown, plant_salt),
    ],
)
def test_what_a_seat_may_not_know_is_found(plant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    scanning = script("serve_scan")
    with pytest.raises(scanning.Leak):
        scanning.run(rounds=100, seed=3, told=lambda _: None)
