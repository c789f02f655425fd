"""The table played as a plan says, and the kernel beside it on the same cards.

The table is the real one: every move is a command that it may refuse. What the kernel makes of the cards that
came out must be what the table made of them: the same cards taken, and for every box the same cents.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np
from msgspec.structs import replace

from croupier.cards import INDEX, Card
from croupier.conductor import CardSource, Conductor
from croupier.exact.asked import card_values
from croupier.exact.game import suits_of
from croupier.exact.hands import ACE, counts_of
from croupier.exact.kernels import Plan
from croupier.exact.solver import Solver
from croupier.game.hand import hand_total
from croupier.game.pay import super_bonus_for
from croupier.record.told import Told
from croupier.rulebook.rules import Rules
from croupier.rulebook.wager import INSURANCE, MAIN, SUPER_BONUS
from croupier.simulate.counting import Count, plans_of
from croupier.simulate.kernel import COUNTS, looked_up, nothing_by_count, play_given, room_for
from croupier.simulate.shoe import BEGAN, NEXT, RUNNING, SHUFFLED, SIZE, chance_from, words_for
from croupier.simulate.tables import Tables
from croupier.table import State
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import DEALER, Actor, player
from croupier.table.commands import Asked
from croupier.table.conduct import due_and_chore
from croupier.table.contents import bar_of
from croupier.table.offers import insurable_yet
from croupier.table.state import BoxHand, turn


class OrderedShoe(CardSource, Protocol):
    """A shoe whose order is known, the next card first."""

    @property
    def cards(self) -> tuple[Card, ...]: ...

    def cut_position(self, low: int, high: int) -> int: ...


class Stakes(NamedTuple):
    """What every box wagers, in cents."""

    main: int
    sides: dict[str, int] = {}


class Outcome(NamedTuple):
    """What comes of a round: how many cards it takes, and by box what is won, in cents."""

    taken: int
    nets: tuple[int, ...]
    bonuses: tuple[int, ...]
    sides: tuple[dict[str, int], ...]


class Runs(NamedTuple):
    """The running counts by which hands are played and insured."""

    play: int = 0
    insurance: int = 0


class Played(NamedTuple):
    """A round as the table played it.

    `order` are the cards that it took and those behind them, `left` how many there were before it, and so
    many of them lie behind the cutting card. `runs`: the counts before it.
    """

    order: tuple[Card, ...]
    left: int
    behind: int
    settled: State
    outcome: Outcome
    runs: Runs


class PlannedTable:
    """Every box plays as the solver's plan says, as far as the table lets it; with a count, as that says.

    `back`: from how many to how many cards from the back the cutting card is placed, if not where the dealer
    would place it.
    """

    def __init__(
        self,
        solver: Solver,
        table: Conductor,
        shoe: OrderedShoe,
        *,
        boxes: int,
        stakes: Stakes,
        back: tuple[int, int] | None = None,
        count: Count | None = None,
    ) -> None:
        self.solver, self.table, self.shoe = solver, table, shoe
        self.count, self.plans = count, plans_of(solver, count)
        self._runs, self._shoe, self._insured = Runs(), 0, True
        self.boxes, self.stakes, self.back = boxes, stakes, back
        self.rules = table.state.rules
        self.values = card_values(self.rules)
        self._drawn: list[Card] = []
        table.listeners.append(self._hear)

    def rounds(self) -> Iterator[Played]:
        """Round after round, without end."""
        while True:
            self._prepare()
            left, behind, runs = self._play()
            settled, order = self.table.state, (*self._drawn, *self.shoe.cards)
            self._give(cmd.Collect())
            nets = tuple(map(sum, zip(self._won(MAIN), self._won(INSURANCE), strict=True)))
            outcome = Outcome(len(self._drawn), nets, self._won(SUPER_BONUS), self._sides())
            yield Played(order, left, behind, settled, outcome, runs)

    def _hear(self, told: Told) -> None:
        for event in told.events:
            if type(event) is ev.CardDealt:
                self._drawn.append(event.card)
                self._runs = counted(self.count, self._runs, event.card)

    def _won(self, wager: str) -> tuple[int, ...]:
        """What each box has won in all by a wager."""
        results = [result for result in self.table.state.results if result.wager == wager]
        boxes = range(1, self.boxes + 1)
        return tuple(sum(result.net for result in results if result.box == box) for box in boxes)

    def _sides(self) -> tuple[dict[str, int], ...]:
        won = {name: self._won(name) for name in self.stakes.sides}
        return tuple({name: nets[box] for name, nets in won.items()} for box in range(self.boxes))

    def _give(self, command: cmd.Command, by: Actor = DEALER) -> None:
        self.table.give(command, by)

    def _prepare(self) -> None:
        """All that comes before bets are invited."""
        while due_and_chore(self.table.state)[0] != "between rounds":
            self._step(self.table.state)

    def _play(self) -> tuple[int, int, Runs]:
        """One round up to its settlement: the cards before it, those behind the cutting card, the counts."""
        self._give(cmd.OpenBetting())
        for box in range(1, self.boxes + 1):
            wager = cmd.Wager(box=box, stake=self.stakes.main, sides=dict(self.stakes.sides))
            self._give(wager, player(f"p{box}"))
        self._give(cmd.AnnounceNoMoreBets())
        self._drawn.clear()
        left, behind, runs, self._insured = 0, 0, self._runs, False
        while self.table.state.stage != "settled":
            state = self.table.state
            if not state.dealt:
                if state.shoe.number != self._shoe:
                    self._shoe, self._runs = state.shoe.number, at_first(self.count)
                left, behind, runs = state.shoe.left, state.shoe.back_card or 0, self._runs
            self._step(state)
        return left, behind, runs

    def _step(self, state: State) -> None:
        if not self._insured and state.stage in ("offers", "playing", "dealer"):
            self._insured = True
            self._insure(state)
            state = self.table.state
        wanted, chore = due_and_chore(state)
        if wanted == "card" and state.shoe.left == state.shoe.back_card == 0:
            self._give(cmd.DrawCuttingCard())  # it lay behind all cards
        elif wanted == "card":
            self.table.next_card()
        elif chore is not None:
            self._give(*self._placed(state, chore))
        elif wanted == "cut":
            self._give(cmd.DeclineCut(), player(state.shoe.offer))
        elif wanted == "offers":
            self._offers(state)
        else:
            self._decide(state)

    def _placed(self, state: State, chore: Asked) -> Asked:
        """A chore; the cutting card of a new shoe goes where this table has it."""
        command = chore.command
        if self.back is None or not isinstance(command, cmd.PlaceCuttingCards) or state.shoe.resume:
            return chore
        return Asked(replace(command, from_back=self.shoe.cut_position(*self.back)), chore.by)

    def _insure(self, state: State) -> None:
        """Every box that may, for all that it may, if the count says so."""
        if self.count is None or not insures(self.count, self._runs, state.shoe.left):
            return
        for box in range(1, self.boxes + 1):
            by = player(f"p{box}")
            insure = cmd.Insure(box=box, amount=insurable_yet(state, state.box(box).bet_of(by.name)))
            if bar_of(self.table.state, insure, by) is None:
                self._give(insure, by)

    def _offers(self, state: State) -> None:
        for box in range(1, self.boxes + 1):
            place = place_of(self.solver, state.hand(box, 1))
            surrender, by = cmd.Surrender(box=box), player(f"p{box}")
            if self._plan(state).surrenders[place] and bar_of(state, surrender, by) is None:
                self._give(surrender, by)
        self._give(cmd.CloseOffers())

    def _decide(self, state: State) -> None:
        box, number = turn(state) or (0, 0)
        by = player(f"p{box}")
        place, plan = place_of(self.solver, state.hand(box, number)), self._plan(state)
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
                self._step(self.table.state)
            self._forfeit(box, number)

    def _forfeit(self, box: int, number: int) -> None:
        state = self.table.state
        forfeit, by = cmd.Forfeit(box=box, hand=number), player(f"p{box}")
        if bar_of(state, forfeit, by) is None:
            hand = state.hand(box, number)
            (place, _), (_, soft) = place_of(self.solver, hand), hand_total(self.rules, hand)
            if self._plan(state).forfeits[place, int(soft)]:
                self._give(forfeit, by)

    def _plan(self, state: State) -> Plan:
        which = plan_at(self.count, self._runs, state.shoe.left) if self.count else 0
        return self.plans[which][self.values[state.dealer[0][0]]]


def place_of(solver: Solver, hand: BoxHand) -> tuple[int, int]:
    """Where plans have this hand: its number and its variant."""
    by_rank, law = card_values(solver.rules), solver.law
    values = [by_rank[card[0]] for card in hand.cards]
    number = solver.number[counts_of(values)]
    if law.suited[number] >= 0:
        return number, suits_of(*hand.cards[:2])
    return number, values[:2].count(ACE) if law.first_aces else 0


# By the count


def at_first(count: Count | None) -> Runs:
    """The counts of a new shoe."""
    return Runs(count.by_count.play_start, count.by_count.insurance.start) if count else Runs()


def counted(count: Count | None, runs: Runs, card: Card) -> Runs:
    if count is None:
        return runs
    place = INDEX[card]
    return Runs(
        runs.play + int(count.tags[place]), runs.insurance + int(count.by_count.insurance.tags[place])
    )


def plan_at(count: Count, runs: Runs, left: int) -> int:
    plans = count.by_count.plans
    return int(looked_up(plans, left, runs.play)) if plans.size else 0  # type: ignore[no-untyped-call]


def insures(count: Count, runs: Runs, left: int) -> bool:
    insured = count.by_count.insured
    if insured.size:
        return bool(looked_up(insured, left, runs.insurance))  # type: ignore[no-untyped-call]
    return bool(count.by_count.insures[plan_at(count, runs, left)])


class Beside:
    """The kernel on cards in an order that is given."""

    def __init__(
        self, tables: Tables, rules: Rules, *, boxes: int, stakes: Stakes, count: Count | None = None
    ) -> None:
        self.tables, self.rules, self.stakes = tables, rules, stakes
        self.by_count = count.by_count if count else nothing_by_count()
        self.tags = count.tags if count else None
        self.room = room_for(boxes, len(tables.sides))
        self.chance = chance_from(np.random.SeedSequence(1))
        self.counts = np.zeros(COUNTS, np.int64)

    def play(self, order: tuple[Card, ...], runs: Runs = Runs()) -> Outcome:  # noqa: B008
        """One round from a shoe in this order, at these counts."""
        deck = words_for(np.array([INDEX[card] for card in order]), tags=self.tags)
        marks = self.room.marks
        marks[:] = 0
        marks[SIZE] = marks[SHUFFLED] = len(deck)
        marks[RUNNING] = runs.play
        insurance = self.by_count.insurance._replace(start=runs.insurance)
        by_count = self.by_count._replace(insurance=insurance)
        tables = self.tables.flat, self.tables.places
        play_given(*tables, self.room, deck, self.chance, by_count, self.counts)
        unit = self.tables.places.unit
        nets = tuple(int(net) * self.stakes.main // unit for net in self.room.nets)
        taken = int(marks[NEXT] - marks[BEGAN])
        return Outcome(taken, nets, self._bonuses(tuple(map(int, self.room.bonuses))), self._sides())

    def _bonuses(self, won: tuple[int, ...]) -> tuple[int, ...]:
        """What boxes receive of Super Bonuses, the part of those that won none among it."""
        bonus = self.rules.super_bonus
        if bonus is None or not any(won):
            return (0,) * len(won)
        amount, _ = super_bonus_for(bonus, Fraction(self.stakes.main, 100))
        return tuple(100 * (amount * own if own else bonus.others) for own in won)

    def _sides(self) -> tuple[dict[str, int], ...]:
        """What the side bets of each box have won."""
        sides = self.tables.sides
        ends = self.room.sides.reshape(self.room.nets.size, len(sides))
        return tuple(
            {
                side.name: int(self.stakes.sides[side.name] * side.pays[end - side.first])
                for side, end in zip(sides, box, strict=True)
            }
            for box in ends.tolist()
        )


def difference(played: Played, beside: Beside) -> str:
    """How table and kernel differ in a round, or nothing."""
    found = beside.play(played.order, played.runs)
    if found == played.outcome:
        return ""
    cards = " ".join(played.order[: max(found.taken, played.outcome.taken)])
    return f"{cards}: table {tuple(played.outcome)}, simulator {tuple(found)}"
