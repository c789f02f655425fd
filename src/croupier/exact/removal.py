"""What a card that is gone changes: the worth of a round, of insurance, and of every decision of the chart.

A *question* is one letter of a cell's action: hit or stand, double or not, split or not, surrender or not,
for the hands of the cell that come to it. Its worth is by how much yes is better than the best that is left,
a mean over those hands. The effect of removing a card of a value is by how much a worth then changes; effects
are told as departures from their mean over all cards of a pack. The worth of a round is that of the play for
the whole shoe, which is not changed for a card: the effects are then of the cards alone, and their mean is 0.

A shoe at a count holds parts of cards: what is left of each rank on average, given the count. The solver
works in floats, and takes it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from msgspec import Struct

from croupier.cards import RANKS, SUITS, Card
from croupier.exact.asked import card_values
from croupier.exact.chart import LETTERS, CellHand, worths
from croupier.exact.hands import Array
from croupier.exact.joint import EXACT_HANDS
from croupier.exact.shoe import CardsLeft, fresh
from croupier.exact.sidebets import insurance
from croupier.exact.solution import Solution
from croupier.exact.solver import Solver
from croupier.rulebook.rules import Rules
from croupier.threads import Told, at_once

ASKED = "RPDH"  # in the order of a line: each is asked against all that come after it, and standing
Key = TypeVar("Key")
Place = tuple[int, int, float]  # hand, variant, and how often it comes up


class Question(Struct, frozen=True):
    """One letter of a cell's action: what is asked, of which hands, and how often a round comes to it."""

    upcard: int
    row: str
    letter: str
    chance: float
    cards: float  # of the hand and the dealer's first, on average
    hand: Array
    variant: Array
    weight: Array

    def worth(self, worths: Array) -> float:
        """By how much yes is better than no; `worths` are those of all hands against the upcard."""
        here = worths[self.hand, self.variant]
        others = here[:, : LETTERS.index(self.letter)].max(axis=1)
        return float(self.weight @ (here[:, LETTERS.index(self.letter)] - others))


class Effects(Struct, frozen=True):
    """What is worth so much from the whole shoe, and by how much each value changes that when a card is gone.

    `pack` has how many cards of each value one pack holds.
    """

    worth: float
    by_value: Array
    pack: Array

    @property
    def deviation(self) -> float:
        """Of the effect of one card at random."""
        return float(np.sqrt(self.pack @ self.by_value**2 / self.pack.sum()))


class Removal(Struct, frozen=True):
    """All effects of removal from one shoe: on a round, on insurance by upcard, and on every question.

    `suits` is the share of the variance of the effects on a round that lies between suits of one rank, which
    no count of ranks can see.
    """

    solution: Solution
    round: Effects
    insurance: dict[str, Effects]
    questions: tuple[tuple[Question, Effects], ...]
    suits: float


def removal(solution: Solution, told: Told | None = None) -> Removal:
    """The effects of removing each card from the shoe of a solution."""
    rules, shoe = solution.rules, solution.shoe
    asked = questions(solution)
    held = {value: rank for rank, value in card_values(rules).items()}
    shoes: dict[int | None, CardsLeft] = {None: shoe}
    shoes |= {value: _less(shoe, rank) for value, rank in held.items()}
    found = answers_from(rules, asked, shoes, told)
    rounds = at_once({key: functools.partial(_replayed, solution, left) for key, left in shoes.items()})
    pack = pack_by_value(rules)

    def effects(worth: Callable[[int | None], float]) -> Effects:
        by_value = np.zeros(10)
        for value in held:
            by_value[value] = worth(value) - worth(None)
        mean = pack @ by_value / pack.sum()
        return Effects(worth(None), np.where(pack > 0, by_value - mean, 0.0), pack)

    def insured(upcard: str) -> Callable[[int | None], float]:
        return lambda value: float(insurance(rules, shoes[value], upcard=upcard).ev)

    def answered(at: int) -> Callable[[int | None], float]:
        return lambda value: found[value][at]

    whole = effects(lambda value: rounds[value])
    return Removal(
        solution=solution,
        round=whole,
        insurance={upcard: effects(insured(upcard)) for upcard in rules.insurance_upcards},
        questions=tuple((question, effects(answered(at))) for at, question in enumerate(asked)),
        suits=_between_suits(solution, whole),
    )


def answers_from(
    rules: Rules, asked: Sequence[Question], shoes: Mapping[Key, CardsLeft], told: Told | None = None
) -> dict[Key, list[float]]:
    """The worth of every question from each shoe, best play before and after it."""

    def answers(shoe: CardsLeft) -> list[float]:
        solver = Solver(rules, shoe)
        found = {upcard: worths(solver, upcard) for upcard in solver.upcards}
        for question in asked:
            _split_truly(solver, question, found[question.upcard])
        return [question.worth(found[question.upcard]) for question in asked]

    return at_once({key: functools.partial(answers, shoe) for key, shoe in shoes.items()}, told)


def _replayed(solution: Solution, shoe: CardsLeft) -> float:
    """The play of a solution, from another shoe."""
    plans = {upcard: solution.solver.opening(upcard).plan for upcard in solution.solver.upcards}
    return float(Solver(solution.rules, shoe, plans=plans).ev)


def pack_by_value(rules: Rules) -> Array:
    """How many cards of each value a pack holds."""
    values = list(card_values(rules).values())
    return np.array([len(SUITS) * values.count(value) for value in range(10)], float)


def shoe_of(rules: Rules, by_value: Array) -> CardsLeft:
    """A shoe of so many cards of each value, or parts of cards, its ranks and suits alike."""
    values = card_values(rules)
    each = len(SUITS) * by_value / np.maximum(pack_by_value(rules), 1)
    left = tuple(float(each[values[rank]]) if rank in values else 0 for rank in RANKS)
    return CardsLeft(left=left, pool=fresh(rules.ranks, rules.house.decks).pool)  # type: ignore[arg-type]


# Questions


def questions(solution: Solution) -> list[Question]:
    """Everything that the chart decides, of the hands that answer it as most of their cell do.

    The others do already what a change of the cell would have them do.
    """
    found: dict[tuple[int, str, str], dict[bool, list[Place]]] = {}
    for upcard in solution.solver.upcards:
        for one in solution.cell_hands(upcard):
            for letter in ASKED[: ASKED.find(one.action[0]) + 1] or ASKED:
                if _is_asked(solution.solver, upcard, one, letter):
                    answers = found.setdefault((upcard, one.row, letter), {True: [], False: []})
                    answers[one.action[0] == letter].append((one.hand, one.variant, one.weight))
    return [
        _question(solution.solver, *key, max(answers.values(), key=_weight)) for key, answers in found.items()
    ]


def _weight(places: list[Place]) -> float:
    return sum(weight for _, _, weight in places)


def _is_asked(solver: Solver, upcard: int, one: CellHand, letter: str) -> bool:
    """A split against a natural that takes from its hands jointly is asked about only where it is best."""
    if letter == "P" and solver.is_jointly_taken(upcard) and one.action[0] != "P":
        return False
    return letter in one.worth and (letter != "H" or "S" in one.worth)


def _question(solver: Solver, upcard: int, row: str, letter: str, places: list[Place]) -> Question:
    hand, variant, weights = (np.array(column) for column in zip(*places, strict=True))
    chance = float(solver.chance(upcard)) * float(weights.sum())
    weight = weights / weights.sum()
    cards = 1 + float(weight @ solver.hands.size[hand])
    return Question(upcard, row, letter, chance, cards, hand, variant, weight)


def _split_truly(solver: Solver, question: Question, worths: Array) -> None:
    """Value a split that is asked about, where the solver has only the most that it can be worth."""
    if question.letter == "P" and solver.is_jointly_taken(question.upcard):
        pair = int(solver.hands.counts[question.hand[0]].argmax())
        hands = EXACT_HANDS - int(solver.split_takes_long(question.upcard, pair))
        worths[question.hand, question.variant, LETTERS.index("P")] = solver.split(
            question.upcard, pair, hands
        )


# Suits


def _between_suits(solution: Solution, whole: Effects) -> float:
    """What share of the variance of all cards' effects lies between the suits of a rank."""
    rules, law = solution.rules, solution.solver.law
    values = solution.solver.hands.counts[law.suited >= 0].sum(axis=0)
    ranks = [rank for rank, value in card_values(rules).items() if values[value]]
    shoes = {rank + suit: solution.shoe.without(Card(rank + suit)) for rank in ranks for suit in SUITS}
    found = at_once({card: functools.partial(_replayed, solution, left) for card, left in shoes.items()})
    within = sum(len(SUITS) * float(np.var([found[rank + suit] for suit in SUITS])) for rank in ranks)
    variance = whole.pack @ whole.by_value**2
    return float(within / (variance + within))


def _less(shoe: CardsLeft, rank: str) -> CardsLeft:
    left = list(shoe.left)
    left[RANKS.index(rank)] -= 1
    return CardsLeft(left=tuple(left), pool=shoe.pool)
