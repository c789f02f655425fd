"""What events move, for those that move most; that it is so everywhere the property tests show."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from croupier.cards import Card
from croupier.rulebook import load
from croupier.rulebook.sense import contradictions
from croupier.table import State, advance, evolve, open_state
from croupier.table import commands as cmd
from croupier.table.actors import DEALER
from croupier.table.chips import FLOAT, MOVES, Account, held_by, moves, on_box, on_table
from croupier.table.commands import Asked
from croupier.table.conduct import chore
from croupier.table.events import KINDS
from croupier.table.text import parse_all


def opened(book: str) -> State:
    """A table with its shoe ready and bets open."""
    state = open_state(load(book).choose())
    while state.stage != "idle":
        asked = chore(state) or Asked(cmd.Burn(card=Card("Kc")), DEALER)
        state, _ = advance(state, *asked)
    return advance(state, cmd.OpenBetting(), DEALER)[0]


def told(*lines: str, book: str = "act-blackjack-2003") -> tuple[Counter[Account], list[tuple[str, ...]]]:
    """The ledger after these lines, and each line's moves in words."""
    state = opened(book)
    ledger: Counter[Account] = Counter()
    words = []
    for line in lines:
        said = []
        for asked in parse_all(state, line, everybody=True):
            _, events = advance(state, *asked)
            for event in events:
                for source, target, amount in moves(state, event):
                    assert amount > 0
                    ledger[source] -= amount
                    ledger[target] += amount
                    said.append(f"{source.player or 'float'}>{target.player or 'float'} {amount}")
                state = evolve(state, event)
        words.append(tuple(said))
    assert sum(ledger.values()) == 0
    assert ledger[held_by("p1")] == state.won.get("p1", 0) - on_table(state, "p1")
    return ledger, words


def test_a_split_and_a_double_put_chips_on_the_box() -> None:
    lines = ("p1 bets 10 on 1", "announce-no-more-bets", "8h", "6d", "8s", "1 split", "3c", "1.1 double")
    ledger, words = told(*lines)
    assert words[0] == ("p1>p1 1000",)
    assert words[5] == ("p1>p1 1000",)
    assert words[7] == ("p1>p1 1000",)
    assert ledger[on_box("p1", 1)] == 3000
    assert ledger[held_by("p1")] == -3000


def test_a_surrender_gives_half_to_the_float() -> None:
    lines = (
        "p1 bets 10 on 1",
        "announce-no-more-bets",
        "9h",
        "Kd",
        "7s",
        "1 surrender",
        "close-offers",
        "5d",
    )
    _, words = told(*lines, "settle", book="act-pontoon-2002")
    assert words[-1] == ("p1>float 500", "p1>p1 500")


def test_insurance_and_a_push_leave_everything_as_it_was() -> None:
    lines = ("p1 bets 10 on 1", "announce-no-more-bets", "Th", "Ad", "9s", "1 p1 insure 5", "close-offers")
    ledger, words = told(*lines, "1 stand", "Kc", "settle")
    assert words[5] == ("p1>p1 500",)
    assert ledger[held_by("p1")] == ledger[FLOAT] == 0


def test_a_voided_wager_comes_back_whole() -> None:
    lines = ("p1 bets 10 on 1", "announce-no-more-bets", "Th", "6d", "9s", "record-breach player=p1 what=x")
    ledger, words = told(*lines, "void-wager player=p1 box=1")
    assert words[-1] == ("p1>p1 1000",)
    assert not +ledger
    assert not -ledger


@pytest.mark.parametrize("refund", ["true", "false"])
def test_an_invalidated_round_is_undone_or_kept(refund: str) -> None:
    lines = ("p1 bets 10 on 1", "announce-no-more-bets", "Th", "6d", "5s", "1 hit", "Ks", "settle")
    cause = sorted(load("act-blackjack-2003").rules.round_invalidation_causes)[0]
    ledger, _ = told(*lines, f"invalidate cause={cause} refund={refund}")
    assert ledger[held_by("p1")] == (0 if refund == "true" else -1000)
    assert ledger[FLOAT] == -ledger[held_by("p1")]


def test_every_event_that_moves_chips_is_known() -> None:
    assert set(MOVES) <= set(KINDS.values())


@pytest.mark.parametrize("name", ["main", "insurance", "super_bonus"])
def test_a_side_bet_cannot_have_the_name_of_another_wager(name: str) -> None:
    rules = load("act-blackjack-2003").rules
    bet = next(iter(rules.side_bets.values()))
    named = msgspec.structs.replace(rules, side_bets={name: bet})
    assert [problem for problem, _ in contradictions(named)] == [f"side_bets.{name}"]
