"""A table that is played as a plan says, beside the simulator on the same cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.cards import Card
from croupier.conductor import Conductor
from croupier.exact import solve
from croupier.exact.solver import Solver
from croupier.house.shoes import VirtualShoe
from croupier.rulebook import Rules, load
from croupier.rulebook.study import study
from croupier.simulate import game_of, simulate
from croupier.simulate.beside import Beside, PlannedTable, Stakes, difference
from croupier.simulate.counting import Count, System, plans_of
from croupier.simulate.tables import tables_of
from croupier.table import open_state
from test_table_properties import OFFERS

STAKE = 1000
SIDE_STAKE = 500


# What-ifs that change a round in ways that no rulebook does.
STUDIES = {
    "act-blackjack-2003": [
        "dealer_natural_takes=original",
        "dealer_natural_takes=busted_and_one",
        "dealer_natural_takes=original_and_busted",
        "dealer_natural_takes=one_per_live_hand",
        "surrender=late",
        "soft_17=hit",
        "natural_after_split=true",
        "dealer_draws_when_decided=true",
        "natural_paid_early=always",
        "natural_paid_early=never",
        "twenty_one=paid_at_once",
        "double_cards=any",
        "max_hands=2",
        "resplit_aces=true",
        "split_ace_cards=2",
    ],
    "act-pontoon-2002": [
        "forfeit=false",
        "twenty_one=compared",
        "surrender=none",
        "natural_after_split=false",
        "double_aces=free",
        "double_aces=all_before",
        "dealer_natural_takes=all",
        "soft_17=stand",
    ],
    "uk-blackjack-1994": [
        "max_hands=4",
        "resplit_aces=false",
        "soft_17=hit",
        "double_totals=any",
        "surrender=late",
    ],
    "act-blackjack-1997": [
        "soft_17=hit",
        "max_hands=3",
        "double_after_split=false",
        "dealer_natural_takes=original",
    ],
}


def random_study(name: str, chance: random.Random, most: int = 4) -> list[str]:
    """Some what-ifs at once."""
    by_name = dict(pair.split("=") for pair in chance.sample(STUDIES[name], chance.randint(1, most)))
    return [f"{option}={value}" for option, value in by_name.items()]


def deviation(name: str, pairs: list[str], *, rounds: int, seed: int) -> float:
    """By how many standard errors simulation, with a fresh shoe every round, and solver differ."""
    rules = study(load(name), pairs).rules
    found = simulate(game_of(rules, seed=seed, fresh=True), rounds=rounds)
    return float((found.ev - solve(rules).ev) / found.se)


PLAYS: dict[str, Any] = {
    "tags": {**dict.fromkeys("23456", 1), **dict.fromkeys("789", 0), **dict.fromkeys("ATJQK", -1)},
    "plays_from": {"T h16 - S": 0, "T h15 - S": 2, "A h11 - D/H": 1, "2 h12 - S": 3, "5 TT - P/S": 3},
    "plays_below": {"4 h12 - H": 0, "6 h12 - H": -1, "3 h13 - H": -2},
    "insurance": 0,
}


def playing_system(rules: Rules, **others: Any) -> System:
    """One by whose count hands are played and insured, as far as the rules let them be."""
    splits = "T" in rules.ranks and 10 not in rules.unsplittable
    plays = {line: at for line, at in PLAYS["plays_from"].items() if splits or "TT" not in line}
    return msgspec.convert({**PLAYS, "name": "plays", "plays_from": plays, **others}, System)


class ClumpedShoe(VirtualShoe):
    """A badly shuffled shoe: cards of a rank, or of a suit, lie together here and there.

    So hands are split again and again and rare hands come up.
    """

    def _mix(self, unseen: bytes) -> tuple[Card, ...]:
        mixed = list(super()._mix(unseen))
        for begin in range(0, len(mixed), 16):
            part = self._random.choice([0, 0, 1])
            mixed[begin : begin + 16] = sorted(mixed[begin : begin + 16], key=lambda card: card[part])
        return tuple(mixed)


def stakes_of(rules: Rules) -> Stakes:
    return Stakes(STAKE, dict.fromkeys(rules.side_bets, SIDE_STAKE))


def beside_of(solver: Solver, boxes: int, count: Count | None = None) -> Beside:
    """The kernel with every side bet."""
    tables = tables_of(solver, side_bets=True, plans=plans_of(solver, count))
    return Beside(tables, solver.rules, boxes=boxes, stakes=stakes_of(solver.rules), count=count)


def rules_with_sides(name: str, settings: list[str]) -> Rules:
    """Rules for study of a house that has seven boxes and offers every side bet."""
    rules = study(load(name), ["boxes=7", *settings]).rules
    offers = load(name).choose(**OFFERS[name]).house.side_bets
    return replace(rules, house=replace(rules.house, side_bets=offers))


def differences(
    solver: Solver,
    boxes: int,
    rounds: int,
    seed: int | str,
    *,
    clumped: bool = False,
    count: Count | None = None,
) -> Iterator[str]:
    """Where table and simulator differ, a line each."""
    shoe = ClumpedShoe(seed) if clumped else VirtualShoe(seed)
    beside = beside_of(solver, boxes, count)
    for played in islice(planned_table(solver, boxes, shoe, count).rounds(), rounds):
        if found := difference(played, beside):
            yield found


def planned_table(solver: Solver, boxes: int, shoe: VirtualShoe, count: Count | None = None) -> PlannedTable:
    conductor = Conductor(open_state(solver.rules), None, shoe)
    return PlannedTable(solver, conductor, shoe, boxes=boxes, stakes=stakes_of(solver.rules), count=count)
