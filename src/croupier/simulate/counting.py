"""Counting systems as data: what each card counts, what the running count is divided by, and what it is for.

A system is a TOML file: `tags` by rank or by card (`7s`, where suits matter), `true_count` (is it divided by
the decks left?), for one that is not `start` and `start_per_deck`, and `decks` = "exact", "half" or "full",
to what the decks left are estimated. What is done by the count is a `ramp` of bets, from which count on
`insurance` is taken, and plays that are lines of a chart, each with a count: `plays_from` hold at that count
and above, `plays_below` below it. A side count is kept for one purpose: `betting_tags` or `insurance_tags`
are then counted for it instead. A system without tags goes by depth: its count is the part of the shoe that
is gone, of so many `parts`.
"""

from __future__ import annotations

from fractions import Fraction
from importlib import resources
from math import lcm
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from msgspec import Struct

from croupier.cards import ALL_CARDS, RANKS, SUITS, Card, pack
from croupier.errors import ParseError
from croupier.exact.hands import Array
from croupier.exact.solver import Solver
from croupier.exact.strategy import deviating
from croupier.rulebook.rules import Rules
from croupier.rulebook.toml import parse, read_text
from croupier.simulate.kernel import MOST_COUNT, MOST_RUNNING, RUNNING_ROW, ByCount, Counting, look_up_by
from croupier.simulate.tables import Plans

MOST_TAG = 20
MOST_PLANS = 64
BEYOND = 1000  # no count is as low
SHIPPED = ("hi-lo", "ko", "zen", "omega-ii", "pontoon")
DEPTH = "depth"
Tags = dict[str, int | float]
Estimate = Literal["exact", "half", "full"]


class System(Struct, frozen=True, forbid_unknown_fields=True):
    """A way to count the cards that are gone."""

    name: str
    tags: Tags = {}
    says: str = ""
    betting_tags: Tags = {}
    insurance_tags: Tags = {}
    true_count: bool = True
    start: int = 0
    start_per_deck: int = 0
    decks: Estimate = "exact"
    parts: int = 0  # of the shoe, by which rounds are told apart instead of by tags
    ramp: tuple[tuple[int, float], ...] = ()  # from a count on, so many units; below the first nothing
    insurance: int | None = None
    plays_from: dict[str, int] = {}
    plays_below: dict[str, int] = {}

    @property
    def balanced(self) -> bool:
        """Does a whole pack of 52 count nothing?"""
        return sum(_tag(self.tags, card) or 0 for card in ALL_CARDS) == 0


class Count(Struct, frozen=True):
    """A system for the packs of some rules, as it is and as the kernel has it.

    `tags` of cards are those of the play, and `plans` the lines of a chart that hold in each of them.
    """

    system: System
    by_count: ByCount
    tags: Array
    reach: int  # no running count is further from nothing
    plans: tuple[tuple[str, ...], ...]

    @property
    def is_simple(self) -> bool:
        """Do bets, play and insurance go by the same tags, and is there a place for every running count?"""
        one = not (self.system.betting_tags or self.by_count.insured.size)
        return one and self.reach <= MOST_RUNNING


def read_system(name: str) -> System:
    """One that came with Croupier, by its name, or one's own from a file."""
    if name in (*SHIPPED, DEPTH):
        text = (resources.files("croupier.simulate") / "systems" / f"{name}.toml").read_text("utf-8")
    elif name.endswith(".toml"):
        text = read_text(Path(name))
    else:
        raise ParseError(
            f"no counting system {name!r}: there are {', '.join((*SHIPPED, DEPTH))}, or a .toml file"
        )
    try:
        system = msgspec.convert(parse(text, name), System)
    except msgspec.ValidationError as error:
        raise ParseError(f"{name}: {error}") from None
    for purpose in ("tags", "betting_tags", "insurance_tags"):
        _check_tags(getattr(system, purpose), f"{name}: {purpose}")
    _check_parts(system, name)
    _check_ramp(system.ramp, f"{name}: ramp")
    _check_counts(system, name)
    return system


def read_count(name: str) -> System:
    """A system that counts cards, as a whole one does that is rated or for which indices are sought."""
    system = read_system(name)
    if system.parts:
        raise ParseError(f"{name}: goes by the depth of the shoe, and counts no cards")
    return system


def _check_tags(tags: Tags, where: str) -> None:
    strange = [key for key in tags if key not in (*RANKS, *ALL_CARDS)]
    if strange:
        known = f"{' '.join(RANKS)}, or a card such as 7s"
        raise ParseError(f"{where}: {', '.join(strange)} is no rank; they are {known}")
    if not all(abs(tag) <= MOST_TAG and (4 * float(tag)).is_integer() for tag in tags.values()):
        raise ParseError(
            f"{where}: each is a quarter, a half or a whole number, from -{MOST_TAG} to {MOST_TAG}"
        )


def _check_parts(system: System, name: str) -> None:
    if not 0 <= system.parts <= MOST_COUNT:
        raise ParseError(f"{name}: parts: a shoe is told apart by 1 to {MOST_COUNT} of them")
    if system.parts and (system.tags or system.betting_tags or system.insurance_tags):
        raise ParseError(f"{name}: parts: who goes by the depth of the shoe counts no tags")


def _check_ramp(ramp: tuple[tuple[int, float], ...], where: str) -> None:
    counts = [count for count, _ in ramp]
    if counts != sorted(set(counts)):
        raise ParseError(f"{where}: each step begins at a higher count than the one before")
    if not all(0 <= units < float("inf") for _, units in ramp) or (ramp and not any(bet for _, bet in ramp)):
        raise ParseError(f"{where}: bets are 0 or more units, and one at least is more")


def _check_counts(system: System, name: str) -> None:
    """No count that is named lies where counts are no longer told apart."""
    named = {
        "ramp": [count for count, _ in system.ramp],
        "insurance": [] if system.insurance is None else [system.insurance],
        "plays_from": [*system.plays_from.values()],
        "plays_below": [*system.plays_below.values()],
    }
    for what, counts in named.items():
        if any(abs(count) > MOST_COUNT for count in counts):
            raise ParseError(
                f"{name}: {what}: counts go from -{MOST_COUNT} to {MOST_COUNT}, with all beyond them"
            )
    if max(abs(system.start), abs(system.start_per_deck)) > MOST_RUNNING:
        raise ParseError(f"{name}: start: from -{MOST_RUNNING} to {MOST_RUNNING}")


def count_for(system: System, rules: Rules) -> Count:
    """The system for packs of these rules; one that leaves a rank out is refused."""
    play = _counting(system, system.tags, "tags", rules)
    insurance = _counting(system, system.insurance_tags or system.tags, "insurance_tags", rules)
    index, cards = system.insurance, sum(pack(rules.ranks, rules.house.decks))
    apart = bool(system.insurance_tags) and index is not None
    steps = _steps(system)
    bets = _counting(system, system.betting_tags or system.tags, "betting_tags", rules)
    return Count(
        system,
        ByCount(
            bets=bets,
            rows=_look_up(bets, cards, list(range(1 - MOST_COUNT, MOST_COUNT + 1))),
            play_start=play.start,
            plans=_look_up(play, cards, steps[1:]),
            insures=np.array([index is not None and not apart and step >= index for step in steps], np.uint8),
            insurance=insurance,
            insured=_look_up(insurance, cards, [index] if index is not None and apart else []),
        ),
        play.tags,
        abs(play.start) + rules.house.decks * int(np.abs(play.tags).sum()),
        tuple(_lines(system, step) for step in steps),
    )


def _steps(system: System) -> list[int]:
    """The counts from which on there is another plan, the first of them below all others."""
    thresholds = {*system.plays_from.values(), *system.plays_below.values()}
    if system.insurance is not None and not system.insurance_tags:
        thresholds.add(system.insurance)
    return [-BEYOND, *sorted(thresholds)]


def plans_of(solver: Solver, count: Count | None) -> list[Plans]:
    """What is played where, for each of the plans that go by a count."""
    if count is None:
        return [{upcard: solver.opening(upcard).plan for upcard in solver.upcards}]
    if len(count.plans) > MOST_PLANS:
        raise ParseError(
            f"{count.system.name}: plays at {len(count.plans) - 1} counts: at most {MOST_PLANS - 1}"
        )
    return [
        deviating(solver, list(lines), f"{count.system.name} {_at(step)}")
        for step, lines in zip(_steps(count.system), count.plans, strict=True)
    ]


def _at(step: int) -> str:
    return "below all counts that it names" if step == -BEYOND else f"at a count of {step}"


def _look_up(counting: Counting, cards: int, thresholds: list[int]) -> Array:
    table = np.zeros(RUNNING_ROW * (cards + 2) if thresholds else 0, np.uint8)
    look_up_by(counting, np.array(thresholds, np.int64), table)
    return table


def _lines(system: System, count: int) -> tuple[str, ...]:
    """The lines of a chart that hold at a count."""
    return (
        *(line for line, begin in system.plays_from.items() if count >= begin),
        *(line for line, end in system.plays_below.items() if count < end),
    )


def _counting(system: System, tags: Tags, purpose: str, rules: Rules) -> Counting:
    if system.parts:
        return _depth(system.parts, rules)
    missing = [rank for rank in rules.ranks if any(_tag(tags, Card(rank + suit)) is None for suit in SUITS)]
    if missing:
        raise ParseError(f"{system.name}: {purpose}: nothing is said of {', '.join(missing)}")
    by_card = [Fraction(_tag(tags, card) or 0) for card in ALL_CARDS]
    scale = lcm(*(tag.denominator for tag in by_card))
    deck = 4 * len(rules.ranks)
    return Counting(
        tags=np.array([int(tag * scale) for tag in by_card], np.int64),
        scale=scale,
        start=scale * (system.start + system.start_per_deck * rules.house.decks),
        deck=deck if system.true_count else 0,
        step={"exact": 1, "half": deck // 2, "full": deck}[system.decks],
    )


def _depth(parts: int, rules: Rules) -> Counting:
    """The part of the shoe that is gone, as a count: every card counts one, and so many make a part."""
    cards = sum(pack(rules.ranks, rules.house.decks))
    each = np.ones(len(ALL_CARDS), np.int64)
    return Counting(tags=each, scale=-(-cards // parts), start=rules.burn_cards, deck=0, step=1)


def _tag(tags: Tags, card: Card) -> int | float | None:
    """What a card counts: what is said of it, or else of its rank."""
    return tags.get(card, tags.get(card[0]))
