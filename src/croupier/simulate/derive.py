"""A count for any game, from the effects of removal: tags, correlations, and counts at which play changes.

Let p be the shares of the ten values in a pack, t their tags and e the effects of removing a card on some
worth m, all less their means over the pack. Of the correlation

    r = sum of p t e / sqrt(sum of p t^2 · sum of p e^2)

that with the effects on a round is the *betting correlation*, on insurance the *insurance correlation*, and
on a question of the chart (`exact.removal`) its *playing correlation*.

**The best tags** of a level L maximise r among all whole numbers from -L to L, ranks of one value alike.
Among tags of one sum and one sum of squares only the sum of p t e is left to maximise, and it is added up
value by value: for every (sum, sum of squares) the most that it can be is carried on. No tags are left out.

**A question's gain.** Of N cards, n being left, a worth that is linear in the cards left is normal about m
with deviation s = sqrt(sum of p e^2 · (N - 1)(N - n) / n); who knows it through a count knows |r| s of
that. To do the other thing where it is better then gains |r| s L(|m| / (|r| s)), L(z) = phi(z) - z Phi(-z)
being the unit normal linear loss integral (Griffin, The Theory of Blackjack), times the chance to come to
the question. The mean over all depths up to the cutting card is the gain of a round. The sum over all
questions, as a share of that with r = 1, is the *playing efficiency*; insurance is apart.

**An index.** At a true count c, the count of all cards seen divided by the packs left, the share of a value
in the cards left is on average p (1 - c t / (D sum of p t^2)), a pack having D cards. Shoes like that are
solved at counts from low to high, and the index is where the worth of the question changes sign, the cards
of the hand itself counted as well. The linear estimate is -m D sum(p t^2) / ((N - 1) sum(p t e)). True
counts are rounded down: those from k to k + 1 are one, and it is k from which on the other thing is done if
at k + 1/2 that is better. The depth is the mean one, each weighed by the deviation of true counts there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import ALL_CARDS, SUITS
from croupier.errors import ParseError
from croupier.exact.asked import card_values
from croupier.exact.hands import VALUES, Array
from croupier.exact.removal import ASKED, Effects, Question, Removal, answers_from, shoe_of
from croupier.exact.solver import Solver
from croupier.rulebook.rules import Rules
from croupier.simulate.counting import System, count_for
from croupier.threads import Told

MOST_LEVEL = 9
DEPTHS = 24
SHOES = 17  # at so many counts, from the lowest to the highest
FAR = 2.5  # deviations of the true count at the cutting card
FEWEST_PACKS = 2  # a shoe of parts of cards should hold more than a hand takes of any rank
INSURANCE = "insurance"


class Tags(Struct, frozen=True):
    """What the values count, less the mean of the pack; `excess` is what a whole pack counts.

    `deviation` is that of all cards, which is more where cards of one value count differently.
    """

    by_value: Array
    deviation: float
    excess: float
    pack: Array

    def correlation(self, effects: Effects) -> float:
        """With the effects on some worth; 0 where nothing has an effect."""
        both = self.deviation * effects.deviation
        return self._product(effects) / both if both else 0.0

    def slope(self, effects: Effects, cards: int) -> float:
        """By how much a worth grows with the true count, were it linear in the cards left."""
        return (cards - 1) / float(self.pack.sum()) * self._product(effects) / self.deviation**2

    def _product(self, effects: Effects) -> float:
        return float(self.pack @ (self.by_value * effects.by_value) / self.pack.sum())


class Index(Struct, frozen=True):
    """A line of the chart that holds instead of the base play from the count `at` on, or only below it.

    `count` is where both plays are worth the same, `linear` the linear estimate of it, and `gain` what the
    change brings in wagers a round. Insurance is no line of a chart.
    """

    upcard: str
    row: str
    letter: str
    line: str
    above: bool
    at: int
    count: float
    linear: float
    correlation: float
    gain: float


class Rating(Struct, frozen=True):
    """How well a system tells what a round brings, what insurance does, and how to play."""

    name: str
    betting: float
    insurance: dict[str, float]
    playing: float


class Derived(Struct, frozen=True):
    """A system with its indices, the most valuable first, at a depth of so many packs left."""

    system: System
    rating: Rating
    indices: tuple[Index, ...]
    packs: float


# Tags


def best_tags(effects: Effects, level: int, *, balanced: bool = True) -> Array:
    """The whole-numbered tags up to a level with the highest correlation, a whole pack counting 0.

    Not `balanced`, it counts more than 0, and up to 4 for each level: that is its pivot, and should be a true
    count that comes up.
    """
    check_level(level)
    ranks = (effects.pack / len(SUITS)).astype(int)
    found: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
    for value in range(10):
        grown: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
        for (excess, squares), (product, tags) in found.items():
            for tag in range(-level, level + 1) if ranks[value] else (0,):
                key = excess + tag * int(ranks[value]), squares + tag * tag * int(ranks[value])
                more = product + tag * float(ranks[value] * effects.by_value[value])
                if key not in grown or more > grown[key][0]:
                    grown[key] = more, (*tags, tag)
        found = grown
    cards = int(ranks.sum())

    def merit(key: tuple[int, int]) -> tuple[float, int]:
        excess, squares = key
        return round(found[key][0] / math.sqrt(squares - excess * excess / cards), 12), -squares

    allowed = [key for key in found if key[1] and (key[0] == 0 if balanced else 0 < key[0] <= level)]
    allowed = [key for key in allowed if key[1] * cards > key[0] ** 2]
    return np.array(found[max(allowed, key=merit)][1], float)


def check_level(level: int | None) -> None:
    if level is not None and not 1 <= level <= MOST_LEVEL:
        raise ParseError(f"--level {level}: from 1 to {MOST_LEVEL}")


def tags_of(rules: Rules, tags: dict[str, int | float]) -> Tags:
    """The tags of a system, by value."""
    values = card_values(rules)
    cards = [card for card in ALL_CARDS if card[0] in values]
    counted = np.array([float(tags.get(card, tags.get(card[0], 0))) for card in cards])
    value = np.array([values[card[0]] for card in cards])
    pack = np.bincount(value, minlength=10).astype(float)
    centred = counted - counted.mean()
    by_value = np.bincount(value, centred, minlength=10) / np.maximum(pack, 1)
    return Tags(by_value, float(counted.std()), float(counted.sum()), pack)


def system_of(rules: Rules, by_value: Array, name: str) -> System:
    """A system with these tags; where a pack counts more than 0, one that runs and has its pivot there."""
    values = card_values(rules)
    tags: dict[str, int | float] = {rank: int(by_value[values[rank]]) for rank in rules.ranks}
    excess = len(SUITS) * int(sum(tags.values()))
    says = f"Derived from the effects of removal in {rules.rulebook}, {rules.house.decks} decks."
    if not excess:
        return System(name=name, tags=tags, says=says)
    return System(name=name, tags=tags, says=says, true_count=False, start=excess, start_per_deck=-excess)


# Rating


def rated(found: Removal, system: System, penetration: float) -> Rating:
    """Of one system, its correlations and its playing efficiency."""
    rules = found.solution.rules
    betting = tags_of(rules, system.betting_tags or system.tags)
    insured = tags_of(rules, system.insurance_tags or system.tags)
    playing = tags_of(rules, system.tags)
    cards = found.solution.shoe.size
    gained = sum(
        question.chance * gain(effects, playing.correlation(effects), cards, penetration)
        for question, effects in found.questions
    )
    most = sum(
        question.chance * gain(effects, 1, cards, penetration) for question, effects in found.questions
    )
    return Rating(
        name=system.name,
        betting=betting.correlation(found.round),
        insurance={upcard: insured.correlation(effects) for upcard, effects in found.insurance.items()},
        playing=gained / most if most else 0.0,
    )


def gain(effects: Effects, correlation: float, cards: int, penetration: float) -> float:
    """What a question brings on average, at depths up to the cutting card, to who answers it by a count."""
    depths = (np.arange(DEPTHS) + 0.5) / DEPTHS * penetration
    deviations = abs(correlation) * effects.deviation * np.sqrt((cards - 1) * depths / (1 - depths))
    return float(np.mean([_loss(abs(effects.worth), float(deviation)) for deviation in deviations]))


def _loss(mean: float, deviation: float) -> float:
    """What is left on average of a normal value below 0, cut off at 0."""
    if deviation <= 0:
        return 0.0
    z = mean / deviation
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    return deviation * (density - z * math.erfc(z / math.sqrt(2)) / 2)


# Indices


def derived(
    found: Removal, system: System, penetration: float, most: int, told: Told | None = None
) -> Derived:
    """A system with the indices that are worth most in this game."""
    count_for(system, found.solution.rules)  # refuses tags that leave a rank out
    at = _Counts(found, system, penetration)
    chosen = _best(at.indices(told), most)
    named = tuple(replace(index, line=_line(found, index)) for index in chosen)
    insured = [index.at for index in named if index.row == INSURANCE]
    complete = replace(
        system,
        insurance=insured[0] if insured else None,
        plays_from={index.line: index.at for index in named if index.line and index.above},
        plays_below={index.line: index.at for index in named if index.line and not index.above},
    )
    return Derived(complete, rated(found, system, penetration), named, at.packs)


class _Counts:
    """Shoes at counts from low to high, at one depth, and what each question is worth there."""

    def __init__(self, found: Removal, system: System, penetration: float) -> None:
        self.found, self.system, self.penetration = found, system, penetration
        self.rules = found.solution.rules
        self.tags = tags_of(self.rules, system.tags)
        self.insurance_tags = tags_of(self.rules, system.insurance_tags or system.tags)
        self.cards = found.solution.shoe.size
        self.deck = float(self.tags.pack.sum())
        whole = self.cards / self.deck
        self.packs = max((1 - _depth(penetration)) * whole, min(whole, FEWEST_PACKS))
        left = (1 - penetration) * self.cards
        deviation = (
            self.tags.deviation * self.deck * math.sqrt((self.cards - left) / (left * (self.cards - 1)))
        )
        self.counts = np.linspace(-FAR * deviation, FAR * deviation, SHOES)
        self.shoes = {
            count: shoe_of(self.rules, self._left(count, self.tags)) for count in self.counts.tolist()
        }

    def _left(self, count: float, tags: Tags) -> Array:
        """What is left of each value on average, at a true count."""
        share = 1 - count * tags.by_value / (self.deck * tags.deviation**2)
        return np.asarray(self.packs * tags.pack * np.maximum(share, 0.0))

    def indices(self, told: Told | None = None) -> Iterator[Index]:
        """Every question that changes its answer within the counts, and insurance."""
        asked = [question for question, _ in self.found.questions]
        by_count = np.array(list(answers_from(self.rules, asked, self.shoes, told).values()))
        for (question, effects), worths in zip(self.found.questions, by_count.T, strict=True):
            counts = self._seen(self._counted(question), question.cards)
            place = VALUES[question.upcard], question.row, question.letter
            yield from self._index(place, effects, question.chance, counts, worths)
        for upcard, effects in self.found.insurance.items():
            yield from self._insured(upcard, effects)

    def _index(
        self, place: tuple[str, str, str], effects: Effects, chance: float, counts: Array, worths: Array
    ) -> Iterator[Index]:
        """The index of a question that is worth so much at these true counts, if it has one among them."""
        tags = self.tags if place[1] != INSURANCE else self.insurance_tags
        slope = tags.slope(effects, self.cards)
        linear = -effects.worth / slope if slope else math.inf
        crossings = _crossings(counts, worths)
        if crossings:
            count = min(crossings, key=lambda one: abs(one - linear))
            correlation = tags.correlation(effects)
            yield Index(
                *place,
                line="",
                above=(slope > 0) == (effects.worth <= 0),
                at=self._shown(count),
                count=count,
                linear=linear,
                correlation=correlation,
                gain=chance * gain(effects, correlation, self.cards, self.penetration),
            )

    def _insured(self, upcard: str, effects: Effects) -> Iterator[Index]:
        """Insurance, by the chance of a natural from each shoe, two cards of one's own being seen as well."""
        value, pays = card_values(self.rules)[upcard], float(self.rules.insurance_pays)
        tags = self.insurance_tags
        shoes = [shoe_of(self.rules, self._left(count, tags)) for count in self.counts.tolist()]
        chances = [float(Solver(self.rules, shoe).natural_chance(value)) for shoe in shoes]
        worths = (pays + 1) * np.array(chances) - 1
        chance = float(self.rules.insurance_share * self.found.solution.solver.chance(value))
        counts = self._seen(float(tags.by_value[value]), 3)
        yield from self._index((upcard, INSURANCE, "I"), effects, chance, counts, worths)

    def _counted(self, question: Question) -> float:
        """What the cards of a hand and the dealer's first card count, on average over the hands."""
        hands = self.found.solution.solver.hands
        held = hands.counts[question.hand] @ self.tags.by_value
        return float(question.weight @ held + self.tags.by_value[question.upcard])

    def _seen(self, counted: float, cards: float) -> Array:
        """The true counts once so many cards, which count so much, are seen as well."""
        return np.asarray((self.counts * self.packs + counted) / (self.packs - cards / self.deck))

    def _shown(self, count: float) -> int:
        """The count as the system has it, rounded to where what is better from there on begins."""
        system, decks = self.system, self.cards / self.deck
        start = system.start + system.start_per_deck * decks
        running = start + self.tags.excess * (decks - self.packs) + count * self.packs
        return math.ceil(running / self.packs - 0.5) if system.true_count else math.ceil(running)


def _depth(penetration: float) -> float:
    """The mean depth, each weighed by how far true counts depart from 0 there."""
    depths = (np.arange(DEPTHS) + 0.5) / DEPTHS * penetration
    weights = np.sqrt(depths / (1 - depths))
    return float(depths @ weights / weights.sum())


def _crossings(counts: Array, worths: Array) -> list[float]:
    """Where a line through these points changes sign."""
    changes = np.nonzero((worths[:-1] > 0) != (worths[1:] > 0))[0].tolist()
    return [
        float(counts[at] + (counts[at + 1] - counts[at]) * worths[at] / (worths[at] - worths[at + 1]))
        for at in changes
    ]


def _best(indices: Iterable[Index], most: int) -> list[Index]:
    """Those that bring most; at no count does a cell have two lines, which no system could be played by."""
    found: dict[tuple[str, str, bool], Index] = {}
    for index in sorted(indices, key=lambda one: -one.gain):
        other = found.get((index.upcard, index.row, not index.above))
        if other and (index.at < other.at if index.above else other.at < index.at):
            continue
        found.setdefault((index.upcard, index.row, index.above), index)
    return list(found.values())[:most]


def _line(found: Removal, index: Index) -> str:
    """The chart's line with another answer to the question of an index."""
    if index.row == INSURANCE:
        return ""
    here = index.upcard, index.row
    (written,) = (cell.action for cell in found.solution.chart if (cell.upcard, cell.row) == here)
    yes = {letter: letter in written for letter in ASKED}
    for question, effects in found.questions:
        if (VALUES[question.upcard], question.row) == here:
            yes[question.letter] = (effects.worth > 0) != (question.letter == index.letter)
    action = [letter for letter in ASKED[:-1] if yes[letter]] + ["H" if yes["H"] else "S"]
    return f"{index.upcard} {index.row} - {'/'.join(action)}"


# As a file


def written(system: System) -> str:
    """A system as the TOML that `read_system` reads."""
    tags = ", ".join(f"{rank} = {tag:g}" for rank, tag in system.tags.items())
    lines = [f"name = {json.dumps(system.name)}", f"says = {json.dumps(system.says)}", f"tags = {{ {tags} }}"]
    if not system.true_count:
        lines += [
            "true_count = false",
            f"start = {system.start}",
            f"start_per_deck = {system.start_per_deck}",
        ]
    if system.insurance is not None:
        lines.append(f"insurance = {system.insurance}")
    for name in ("plays_from", "plays_below"):
        plays = getattr(system, name)
        if plays:
            lines += ["", f"[{name}]", *(f"{json.dumps(line)} = {at}" for line, at in plays.items())]
    return "\n".join(lines) + "\n"
