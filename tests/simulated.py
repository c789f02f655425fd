"""A table that is played as a plan says, beside the simulator on the same cards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from croupier.cards import CUT, INDEX, Card
from croupier.conductor import Conductor
from croupier.exact import solve
from croupier.exact.asked import card_values
from croupier.exact.game import suits_of
from croupier.exact.hands import ACE
from croupier.exact.solver import Solver
from croupier.game.hand import hand_total
from croupier.game.pay import super_bonus_for
from croupier.house.shoes import VirtualShoe
from croupier.rulebook import Rules, load
from croupier.rulebook.study import study
from croupier.rulebook.wager import MAIN, SUPER_BONUS
from croupier.simulate import game_of, simulate
from croupier.simulate.kernel import COUNTS, nothing_by_count, play_given, room_for
from croupier.simulate.shoe import BEGAN, NEXT, SHUFFLED, SIZE, chance_from, words_for
from croupier.simulate.tables import Tables, tables_of
from croupier.table import State, open_state
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, Actor, player
from croupier.table.conduct import due_and_chore
from croupier.table.contents import bar_of
from croupier.table.state import BoxHand, turn
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


class Played(NamedTuple):
    """A round: the cards before it, how many it took, and what each box won in all, in cents."""

    order: tuple[Card, ...]
    taken: int
    nets: tuple[int, ...]
    bonuses: tuple[int, ...]
    sides: tuple[dict[str, int], ...]


class NotedShoe(VirtualShoe):
    """A shoe that notes its order before the first card of each round.

    It is badly shuffled where `clumped` is: cards of a rank, or of a suit, lie together here and there, so
    that hands are split again and again and rare hands come up.
    """

    def __init__(self, seed: int | str, *, clumped: bool = False) -> None:
        super().__init__(seed)
        self.clumped = clumped
        self.order: tuple[Card, ...] = ()

    def _mix(self, unseen: bytes) -> tuple[Card, ...]:
        mixed = list(super()._mix(unseen))
        if self.clumped:
            for begin in range(0, len(mixed), 16):
                part = self._random.choice([0, 0, 1])
                mixed[begin : begin + 16] = sorted(mixed[begin : begin + 16], key=lambda card: card[part])
        return tuple(mixed)

    def peek(self, state: State) -> str:
        word = super().peek(state)
        if word != CUT and state.stage == "dealing" and not state.dealt:
            self.order = self.cards
        return word


class PlannedTable:
    """Every box plays as the solver's plan says, as far as the table lets it."""

    def __init__(self, solver: Solver, boxes: int, seed: int | str, *, clumped: bool) -> None:
        self.solver, self.boxes = solver, boxes
        self.rules = solver.rules
        self.shoe = NotedShoe(seed, clumped=clumped)
        self.table = Conductor(open_state(solver.rules), None, self.shoe)
        self.values = card_values(solver.rules)

    def rounds(self, count: int) -> Iterator[Played]:
        """So many rounds, those in which a shoe ran out left out."""
        self.table.carry_on()
        for _ in range(count):
            loaded = self._play()
            order, used = self.shoe.order, len(self.shoe.order) - len(self.shoe.cards)
            self._collect()
            if loaded:
                yield Played(order, used, self._won(MAIN), self._won(SUPER_BONUS), self._sides())

    def _won(self, wager: str) -> tuple[int, ...]:
        """What each box has won in all by a wager."""
        results = [result for result in self.table.state.results if result.wager == wager]
        boxes = range(1, self.boxes + 1)
        return tuple(sum(result.net for result in results if result.box == box) for box in boxes)

    def _sides(self) -> tuple[dict[str, int], ...]:
        won = {name: self._won(name) for name in self.rules.side_bets}
        return tuple({name: nets[box] for name, nets in won.items()} for box in range(self.boxes))

    def _give(self, command: cmd.Command, by: Actor = DEALER) -> None:
        self.table.give(command, by)

    def _play(self) -> bool:
        """One round up to its settlement; False if the discard rack was shuffled in."""
        self._give(cmd.OpenBetting())
        for box in range(1, self.boxes + 1):
            sides = dict.fromkeys(self.rules.side_bets, SIDE_STAKE)
            self._give(cmd.Wager(box=box, stake=STAKE, sides=sides), player(f"p{box}"))
        self._give(cmd.AnnounceNoMoreBets())
        whole, number = True, self.table.state.shoe.number
        while self.table.state.stage != "settled":
            state = self.table.state
            if state.dealt and state.shoe.number != number:
                whole = False
            if not state.dealt:
                number = state.shoe.number
            self._step(state)
        return whole

    def _step(self, state: State) -> None:
        wanted, chore = due_and_chore(state)
        if wanted == "card":
            self.table.next_card()
        elif chore is not None:
            self._give(*chore)
        elif wanted == "cut":
            self._give(cmd.DeclineCut(), player(state.shoe.offer))
        elif wanted == "offers":
            self._offers(state)
        else:
            self._decide(state)

    def _collect(self) -> None:
        self._give(cmd.Collect())
        while self.table.carry_on() == "cut":
            self._give(cmd.DeclineCut(), player(self.table.state.shoe.offer))

    def _offers(self, state: State) -> None:
        for box in range(1, self.boxes + 1):
            place = self._place(state.hand(box, 1))
            surrender, by = cmd.Surrender(box=box), player(f"p{box}")
            if self._plan(state).surrenders[place] and bar_of(state, surrender, by) is None:
                self._give(surrender, by)
        self._give(cmd.CloseOffers())

    def _decide(self, state: State) -> None:
        box, number = turn(state) or (0, 0)
        by = player(f"p{box}")
        place, plan = self._place(state.hand(box, number)), self._plan(state)
        wished = [
            (plan.splits[place], cmd.Split(box=box, hand=number)),
            (plan.doubles[place], cmd.Double(box=box, hand=number)),
            (plan.hits[place], cmd.Hit(box=box, hand=number)),
            (True, cmd.Stand(box=box, hand=number)),
        ]
        command = next(command for wish, command in wished if wish and bar_of(state, command, by) is None)
        self._give(command, by)
        if isinstance(command, cmd.Double) and self.rules.forfeit:
            while self.table.state.hand(box, number).calls:  # the cutting card may come first
                self.table.next_card()
            self._forfeit(box, number)

    def _forfeit(self, box: int, number: int) -> None:
        state = self.table.state
        forfeit, by = cmd.Forfeit(box=box, hand=number), player(f"p{box}")
        if bar_of(state, forfeit, by) is None:
            hand = state.hand(box, number)
            if self._plan(state).forfeits[self._place(hand)[0], int(hand_total(self.rules, hand)[1])]:
                self._give(forfeit, by)

    def _plan(self, state: State) -> Any:
        return self.solver.opening(self.values[state.dealer[0][0]]).plan

    def _place(self, hand: BoxHand) -> tuple[int, int]:
        values = [self.values[card[0]] for card in hand.cards]
        number = self.solver.number[tuple(values.count(value) for value in range(10))]
        law = self.solver.law
        if law.suited[number] >= 0:
            return number, suits_of(*hand.cards[:2])
        return number, values[:2].count(ACE) if law.first_aces else 0


class Beside:
    """The simulator on cards in an order that is given."""

    def __init__(self, solver: Solver, boxes: int) -> None:
        self.tables: Tables = tables_of(solver, side_bets=True)
        self.room = room_for(boxes, len(self.tables.sides))
        self.chance = chance_from(np.random.SeedSequence(1))
        self.counts = np.zeros(COUNTS, np.int64)

    def play(self, order: tuple[Card, ...]) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """How many cards a round takes, what each box wins in cents, and how many Super Bonuses."""
        deck = words_for(np.array([INDEX[card] for card in order]))
        marks = self.room.marks
        marks[:] = 0
        marks[SIZE] = marks[SHUFFLED] = len(deck)
        play_given(
            self.tables.flat,
            self.tables.places,
            self.room,
            deck,
            self.chance,
            nothing_by_count(),
            self.counts,
        )
        unit = self.tables.places.unit
        nets = tuple(int(net) * STAKE // unit for net in self.room.nets)
        return int(marks[NEXT] - marks[BEGAN]), nets, tuple(map(int, self.room.bonuses))

    def sides(self) -> tuple[dict[str, int], ...]:
        """What the side bets of each box have won, in cents."""
        sides = self.tables.sides
        ends = self.room.sides.reshape(-1, len(sides))
        return tuple(
            {
                side.name: int(SIDE_STAKE * side.pays[end - side.first])
                for side, end in zip(sides, box, strict=True)
            }
            for box in ends.tolist()
        )


def rules_with_sides(name: str, settings: list[str]) -> Rules:
    """Rules for study of a house that has seven boxes and offers every side bet."""
    rules = study(load(name), ["boxes=7", *settings]).rules
    offers = load(name).choose(**OFFERS[name]).house.side_bets
    return replace(rules, house=replace(rules.house, side_bets=offers))


def differences(
    solver: Solver, boxes: int, rounds: int, seed: int | str, *, clumped: bool = False
) -> Iterator[str]:
    """Where table and simulator differ, a line each; at the end how many rounds were compared."""
    beside, compared = Beside(solver, boxes), 0
    for played in PlannedTable(solver, boxes, seed, clumped=clumped).rounds(rounds):
        taken, nets, bonuses = beside.play(played.order)
        compared += 1
        found = taken, nets, bonuses_in_cents(solver.rules, bonuses), beside.sides()
        if found != played[1:]:
            cards = " ".join(played.order[: max(taken, played.taken)])
            yield f"{cards}: table {played[1:]}, simulator {found}"
    yield f"{compared} compared"


def bonuses_in_cents(rules: Rules, won: tuple[int, ...]) -> tuple[int, ...]:
    """What boxes receive of Super Bonuses, the part of those that won none among it."""
    bonus = rules.super_bonus
    if bonus is None or not any(won):
        return (0,) * len(won)
    amount, _ = super_bonus_for(bonus, Fraction(STAKE, 100))
    return tuple(100 * (amount * own if own else bonus.others) for own in won)
