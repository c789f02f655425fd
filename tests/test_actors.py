"""Who asks is no part of what is asked: a command is obeyed only from one whose it is."""

from __future__ import annotations

import random
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from asking import Asker
from croupier.errors import Refused
from croupier.house.tables import new_table
from croupier.record import read_log
from croupier.rulebook import load
from croupier.table import advance, open_state
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, OPERATOR, PLAYERS, SUPERVISOR, Actor, Role, actor, player
from croupier.table.commands import KINDS, Command, office_of
from croupier.table.text import parse, write

RULES = load("act-blackjack-2003").choose()
STATE = open_state(RULES)


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("role", get_args(Role))
def test_an_order_is_obeyed_only_from_its_office(kind: type[Command], role: Role) -> None:
    try:
        advance(
            STATE,
            Asker(STATE).one(kind, random.Random(1)).command,
            Actor(role, "p1" if role == "player" else role),
        )
        refused = ""
    except Refused as refusal:
        refused = refusal.why
    if role in kind.askers:
        assert "only the" not in refused
        assert "does not play" not in refused
    elif kind.askers == PLAYERS:
        assert refused == f"the {role} does not play"
    else:
        (office,) = kind.askers
        assert refused == f"only the {office} may do that"


def test_a_message_does_not_say_who_sends_it() -> None:
    for kind in KINDS.values():
        assert "by" not in kind.__struct_fields__
    message = b'{"type":"Rule","dispute":1,"award":100000,"by":"operator"}'
    with pytest.raises(msgspec.ValidationError, match="`by`"):
        msgspec.json.decode(message, type=cmd.Rule)
    ruling = msgspec.json.decode(b'{"type":"Rule","dispute":1,"award":100000}', type=cmd.Rule)
    for nobody_s in (player("p1"), player("operator"), DEALER, SUPERVISOR):
        with pytest.raises(Refused, match="only the operator"):
            advance(STATE, ruling, nobody_s)


def test_a_supervisor_by_name_cuts_where_the_cut_is_the_supervisor_s() -> None:
    state = STATE
    for asked in ("check-cards", "shuffle", "offer-cut"):
        state, _ = advance(state, *parse(state, asked))
    assert state.shoe.offer == "supervisor"
    with pytest.raises(Refused):
        advance(state, cmd.Cut(at=100), player("s1"))
    after, (cut,) = advance(state, cmd.Cut(at=100), Actor("supervisor", "s1"))
    assert after.stage == "place"
    assert "supervisor_cuts" in cut.basis


def test_the_record_keeps_who_asked(tmp_path: Path) -> None:
    book = load("act-blackjack-2003")
    host = new_table(book, book.demonstration, log=tmp_path / "table.log")
    host.give(cmd.Sit(box=1), player("p1"))
    host.give(cmd.CheckCards(), Actor("dealer", "d7"))
    with pytest.raises(Refused):
        host.give(cmd.SetLimits(minimum=1000, maximum=50000))
    host.close()
    assert [entry.by for entry in read_log(tmp_path / "table.log").entries] == [
        player("p1"),
        Actor("dealer", "d7"),
        DEALER,
    ]


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("p1 bets 10 on 1", player("p1")),
        ("dealer bets 10 on 1", DEALER),
        ("hit player=p2 box=1", player("p2")),
        ("hit by=p2 box=1", player("p2")),
        ("cut by=supervisor at=52", SUPERVISOR),
        ("void-wager player=p2 box=1", OPERATOR),
        ("void-wager player=p2 box=1 by=dealer", DEALER),
        ("Kc", DEALER),
    ],
)
def test_a_line_says_who_asks(text: str, by: Actor) -> None:
    asked = parse(STATE, text)
    assert asked.by == by
    assert parse(STATE, write(*asked)) == asked


def test_an_office_has_its_own_word() -> None:
    assert actor("supervisor") == SUPERVISOR
    assert actor("p1") == player("p1")
    assert office_of(cmd.Rule) == OPERATOR
    assert office_of(cmd.Hit) is None
    assert office_of(cmd.Cut) is None
