"""A round of one box or more that play as a solver plans, through every order of a small shoe.

Every card, decision and settlement goes through `advance`, and what the table refuses is not done. As in
`enumeration.py` chance is counted in orders of the shoe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import factorial
from typing import Any

from msgspec.structs import replace

from croupier.cards import ALL_CARDS, Card
from croupier.errors import Refused
from croupier.exact.asked import card_values
from croupier.exact.kernels import Plan
from croupier.exact.solver import Solver
from croupier.game.hand import hand_total
from croupier.simulate.beside import place_of
from croupier.table import advance, open_state
from croupier.table import commands as cmd
from croupier.table.actors import player
from croupier.table.commands import Command, office_of
from croupier.table.conduct import chore, due
from croupier.table.state import BoxHand, State, turn
from enumeration import Key, cards_left, hand_flags, key_of_fate, key_when_done

Won = tuple[int, ...]  # cents, by box
Counts = Counter[Won]  # in how many orders of the cards left


class PlannedRound:
    def __init__(self, solver: Solver, cards: tuple[Card, ...], boxes: int = 1) -> None:
        house = replace(solver.rules.house, boxes=boxes, hours="")
        self.solver, self.rules = solver, replace(solver.rules, boxes_needed=1, house=house)
        self.boxes = range(1, boxes + 1)
        self.known: dict[Any, Counts] = {}
        state = open_state(self.rules)
        unseen = bytes(cards.count(card) for card in ALL_CARDS)
        shoe = replace(state.shoe, left=len(cards), unseen=unseen, number=1, automated=False)
        state = self.give(replace(state, shoe=shoe, stage="idle"), cmd.OpenBetting())
        for box in self.boxes:
            state = self.give(state, cmd.Wager(box=box, stake=house.minimum), box)
        self.start = self.give(state, cmd.AnnounceNoMoreBets())

    def mean(self, *boxes: int) -> Fraction:
        """That of what these boxes win, multiplied by each other."""
        total = 0
        for won, orders in self.counts(self.start).items():
            for box in boxes:
                orders *= won[box - 1]
            total += orders
        return Fraction(total, factorial(self.start.shoe.left) * self.rules.house.minimum ** len(boxes))

    def give(self, state: State, command: Command, box: int = 0) -> State:
        return advance(state, command, office_of(type(command)) or player(f"p{box}"))[0]

    def tried(self, state: State, command: Command, box: int) -> State | None:
        try:
            return self.give(state, command, box)
        except Refused:
            return None

    def won(self, state: State) -> Won:
        return tuple(state.won.get(f"p{box}", 0) for box in self.boxes)

    def counts(self, state: State) -> Counts:
        """What is yet won."""
        boxes = tuple(tuple(key_of_hand(state, hand) for hand in box.hands) for box in state.boxes)
        key = state.stage, state.shoe.unseen, tuple(sorted(state.dealer)), boxes
        if key not in self.known:
            found: Counts = Counter()
            before = self.won(state)
            for after, many in self.steps(state):
                gained = [now - then for now, then in zip(self.won(after), before, strict=True)]
                for won, orders in self.counts(after).items():
                    found[tuple(map(sum, zip(won, gained, strict=True)))] += many * orders
            self.known[key] = found or Counter({(0,) * len(self.boxes): factorial(state.shoe.left)})
        return self.known[key]

    def steps(self, state: State) -> Iterator[tuple[State, int]]:
        """Where a state leads, and in how many ways."""
        if state.stage == "settled":
            return
        if due(state) == "card":
            for card, many in cards_left(state):
                yield self.after_double(self.give(state, cmd.Deal(card=card)), turn(state)), many
        elif state.stage == "offers":
            yield self.give(self.surrendered(state), cmd.CloseOffers()), 1
        elif usual := chore(state):
            yield self.give(state, usual.command), 1
        else:
            yield self.decided(state), 1

    # The plan

    def plan(self, state: State) -> Plan:
        return self.solver.opening(card_values(self.rules)[state.dealer[0][0]]).plan

    def surrendered(self, state: State) -> State:
        for box in self.boxes:
            hand = state.hand(box, 1)
            if not hand.done and self.plan(state).surrenders[place_of(self.solver, hand)]:
                state = self.tried(state, cmd.Surrender(box=box), box) or state
        return state

    def decided(self, state: State) -> State:
        box, number = turn(state) or (0, 0)
        plan, place = self.plan(state), place_of(self.solver, state.hand(box, number))
        for wished, command in (
            (plan.splits, cmd.Split),
            (plan.doubles, cmd.Double),
            (plan.hits, cmd.Hit),
            ({place: True}, cmd.Stand),
        ):
            after = self.tried(state, command(box=box, hand=number), box) if wished[place] else None
            if after is not None:
                return after
        raise AssertionError("a hand that is not done may stand")

    def after_double(self, state: State, place: tuple[int, int] | None) -> State:
        if place is None or not state.hand(*place).doubled_on:
            return state
        hand = state.hand(*place)
        number, soft = place_of(self.solver, hand)[0], hand_total(self.rules, hand)[1]
        if not self.plan(state).forfeits[number, int(soft)]:
            return state
        return self.tried(state, cmd.Forfeit(box=place[0], hand=place[1]), place[0]) or state


def key_of_hand(state: State, hand: BoxHand) -> Key:
    """All that the table reads of a hand from there on; of its cards only the first two by their order."""
    if hand.done:
        return key_when_done(state, hand)
    return (*key_of_fate(hand), *hand.cards[:2], *sorted(hand.cards[2:]), *hand_flags(hand))
