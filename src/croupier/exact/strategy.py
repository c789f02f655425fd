"""A way to play as text, one line a decision, that other programs can use and that is read back.

    upcard hand suits action        T 88 - P/H          A a6 - H          7 77 S H
    F upcard hand                   F T 2234            (a doubled hand that is forfeited, its last card too)

The hand is its values in ascending order; where the law asks which aces came first, an ace among the first
two cards is `a` (in F lines any ace that counts 1 for good), and precedes other aces. Suits are `-`, or for
two cards that can become a suited row `m` mixed, `s` suited, `S` both spades. An action is one of S H D P R,
then what to do where it is not allowed: the first of them that the table permits is taken.

A chart that a person writes may be shorter: `456` or `*` for several upcards, `h16` and `s18` for all hands
of a hard or soft total (a line for the hand itself goes before), `-` for any suits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple, NoReturn

import numpy as np

from croupier.errors import ParseError
from croupier.exact.asked import cards_with, rank_of_value
from croupier.exact.hands import ACE, TWENTY_ONE, VALUES, VARIANTS, Array
from croupier.exact.kernels import Plan, is_variant
from croupier.exact.solver import Solver
from croupier.game.hand import hardened

SUITS = "msS"
ORDER = "RPDHS"
# All actions with what follows them, by whether they surrender, split, double and hit.
ACTIONS = [
    "/".join([letter for letter, chosen in zip(ORDER, chain, strict=False) if chosen] + [last])
    for *chain, last in product(*((False, True),) * 3, "SH")
]


# Writing


def write_strategy(solver: Solver) -> Iterator[str]:
    """The play of a solver, line by line."""
    for upcard in solver.upcards:
        plan = solver.opening(upcard).plan
        yield from _decisions(solver, upcard, plan)
        yield from _forfeits(solver, upcard, plan)


def _decisions(solver: Solver, upcard: int, plan: Plan) -> Iterator[str]:
    for hand in np.nonzero(_possible(solver, upcard) & (solver.hands.size >= 2))[0].tolist():
        if not solver.law.may_hit[hand]:
            continue
        for variant in variants(solver, hand):
            suits = SUITS[variant] if solver.law.suited[hand] >= 0 else "-"
            name = hand_name(solver, hand, variant)
            yield f"{VALUES[upcard]} {name} {suits} {action_text(solver, plan, hand, variant)}"


def _possible(solver: Solver, upcard: int) -> Array:
    """Which hands the shoe can give beside the dealer's first card."""
    if solver.shoe.endless:
        return np.ones(len(solver.hands.size), np.bool_)
    left = np.array(solver.left)
    left[upcard] -= 1
    return np.asarray((solver.hands.counts <= left).all(axis=1))


def variants(solver: Solver, hand: int) -> list[int]:
    """The variants that a hand comes in."""
    law = solver.law
    aces, size = solver.hands.counts[hand, ACE], solver.hands.size[hand]
    return [
        variant
        for variant in range(VARIANTS)
        if is_variant(law.first_aces, law.suited[hand], aces, size, variant)  # type: ignore[no-untyped-call]
    ]


def hand_name(solver: Solver, hand: int, variant: int) -> str:
    counts = solver.hands.counts[hand]
    first = variant if solver.law.first_aces and solver.law.suited[hand] < 0 else 0
    return "a" * first + "A" * (int(counts[ACE]) - first) + _rest(solver, hand)


def _rest(solver: Solver, hand: int) -> str:
    """The values of a hand but its aces."""
    counts = solver.hands.counts[hand].tolist()
    return "".join(VALUES[value] * counts[value] for value in range(1, 10))


def action_text(solver: Solver, plan: Plan, hand: int, variant: int) -> str:
    """The action and what follows where it is not allowed."""
    return action_texts(solver, plan, np.array([hand]), np.array([variant]))[0]


def action_texts(solver: Solver, plan: Plan, hand: Array, variant: Array) -> list[str]:
    """The same of many hands."""
    place = hand, variant
    splits, doubles = plan.splits[place], plan.doubles[place]
    # A pair that may not be split again doubles only if split hands do.
    for at in np.nonzero(splits & doubles)[0].tolist():
        doubles[at] = _doubles_after_split(solver, int(hand[at]))
    code = 8 * plan.surrenders[place] + 4 * splits + 2 * doubles + plan.hits[place]
    return [ACTIONS[one] for one in code.tolist()]


def _doubles_after_split(solver: Solver, hand: int) -> bool:
    return bool(solver.split_law(int(solver.hands.counts[hand].argmax())).may_double[hand])


def _forfeits(solver: Solver, upcard: int, plan: Plan) -> Iterator[str]:
    if not solver.rules.forfeit:
        return
    named = set()
    hands, law = solver.hands, solver.law
    doubling = np.argwhere(plan.doubles & law.may_double[:, None] & _possible(solver, upcard)[:, None])
    for hand, variant in doubling.tolist():
        if variant not in variants(solver, hand):
            continue
        for value in range(10):
            grown = hands.after[hand, value]
            if grown < 0:
                continue
            if plan.forfeits[grown, int(law.doubled_high[hand, value, variant])]:
                low = _low_aces(solver, hand, variant)
                aces = int(hands.counts[grown, ACE])
                named.add((int(grown), "a" * low + "A" * (aces - low) + _rest(solver, grown)))
    for _, name in sorted(named):
        yield f"F {VALUES[upcard]} {name}"


def _low_aces(solver: Solver, hand: int, variant: int) -> int:
    """How many aces of a hand count one for good if it doubles."""
    counts, size = solver.hands.counts[hand].tolist(), int(solver.hands.size[hand])
    first = variant if solver.law.first_aces and solver.law.suited[hand] < 0 else min(2, counts[ACE])
    cards = cards_with(rank_of_value(solver.rules), counts, first)
    return sum(card[0] == "A" for card in cards[: hardened(solver.rules, size)])


# Reading


class Line(NamedTuple):
    """One line of a chart: where it applies, and its action."""

    number: int
    text: str
    upcards: list[int]
    hand: str
    suits: str
    action: str


_TOTAL = re.compile(r"[hs][0-9]{1,2}")


def read_strategy(text: str, solver: Solver, name: str = "chart") -> dict[int, Plan]:
    """The plans that a chart describes; a missing or impossible cell is a ParseError that names it."""
    reader = _Reader(solver, name)
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if words:
            reader.take(number, line.strip(), words)
    return reader.plans()


def deviating(solver: Solver, lines: list[str], name: str) -> dict[int, Plan]:
    """The solver's plans but for some lines of a chart. A line for a total leaves pairs that are split so."""
    reader = _Deviations(solver, name)
    for number, line in enumerate(lines, start=1):
        reader.take(number, line, line.split())
    return {upcard: reader.changed(upcard, solver.opening(upcard).plan) for upcard in solver.upcards}


class _Reader:
    def __init__(self, solver: Solver, name: str) -> None:
        self.solver = solver
        self.name = name
        self.cells: dict[tuple[int, int, int], Line] = {}
        self.totals: dict[tuple[int, bool, int], Line] = {}
        self.forfeits: set[tuple[int, int, int]] = set()

    def fail(self, number: int, text: str, why: str) -> NoReturn:
        raise ParseError(f"{self.name}:{number}: {text!r}: {why}")

    def _said(self, line: Line) -> str:
        return f"line {line.number} says it already"

    def take(self, number: int, text: str, words: list[str]) -> None:
        if words[0] == "F" and len(words) == 3:
            self._take_forfeit(number, text, words[1], words[2])
            return
        if len(words) != 4:
            self.fail(number, text, "write upcard, hand, suits and action, as in `T 88 - P/H`")
        upcards = self._upcards(number, text, words[0])
        line = Line(number, text, upcards, words[1], words[2], self._action(number, text, words[3]))
        if _TOTAL.fullmatch(line.hand):
            self._take_total(line)
        else:
            self._take_hand(line)

    def _upcards(self, number: int, text: str, word: str) -> list[int]:
        if word == "*":
            return self.solver.upcards
        if not word or set(word) - set(VALUES):
            self.fail(number, text, f"{word!r} is no upcard: write some of {VALUES}, or *")
        return [VALUES.index(letter) for letter in word]

    def _action(self, number: int, text: str, word: str) -> str:
        chain = word.split("/")
        if any(len(part) != 1 or part not in ORDER for part in chain):
            self.fail(number, text, f"{word!r} is no action: write S H D P R, with a fallback after /")
        if chain[-1] not in "HS" or any(part in "HS" for part in chain[:-1]):
            self.fail(number, text, f"{word!r} must end with H or S, for where the rest is not allowed")
        if sorted(chain, key=ORDER.index) != chain or len(set(chain)) != len(chain):
            self.fail(number, text, f"{word!r}: write R before P before D before H or S")
        return "".join(chain)

    def _hand(self, number: int, text: str, word: str) -> tuple[int, int]:
        """The hand of a name, and how many of its aces are marked as first."""
        values = [VALUES.find(letter.upper() if letter == "a" else letter) for letter in word]
        if min(values, default=-1) < 0:
            self.fail(
                number,
                text,
                f"{word!r} is no hand: write values of {VALUES}, or a for an ace that came first",
            )
        counts = tuple(values.count(value) for value in range(10))
        hand = self.solver.number.get(counts)
        if hand is None or len(values) < 2:
            self.fail(number, text, f"{word!r} is no hand that is played: two cards or more, at most 21")
        return hand, word.count("a")

    def _take_hand(self, line: Line) -> None:
        hand, first = self._hand(line.number, line.text, line.hand)
        known = variants(self.solver, hand)
        if self.solver.law.suited[hand] >= 0:
            if line.suits not in ("-", *SUITS):
                self.fail(line.number, line.text, f"suits are one of - {' '.join(SUITS)}")
            chosen = known if line.suits == "-" else [SUITS.index(line.suits)]
        elif line.suits != "-":
            self.fail(line.number, line.text, "the suits of this hand make no difference: write -")
        elif self.solver.law.first_aces and self.solver.hands.size[hand] > 2:
            chosen = [first]
        else:
            chosen = known
        for upcard in line.upcards:
            for variant in chosen:
                if variant not in known:
                    self.fail(line.number, line.text, f"{first} of the first two cards cannot be aces here")
                cell = upcard, hand, variant
                if cell in self.cells:
                    self.fail(line.number, line.text, self._said(self.cells[cell]))
                self._check(line, hand)
                self.cells[cell] = line

    def _check(self, line: Line, hand: int) -> None:
        """Is every action of a line one that the rules know for the hand?"""
        solver = self.solver
        pair = int(solver.hands.counts[hand].argmax())
        is_pair = solver.hands.size[hand] == 2 and solver.hands.counts[hand, pair] == 2
        if "P" in line.action and not (is_pair and pair in solver.splittable):
            self.fail(line.number, line.text, "the rules do not let this hand be split")
        if "R" in line.action and (solver.rules.surrender == "none" or solver.hands.size[hand] != 2):
            self.fail(line.number, line.text, "the rules do not let this hand be surrendered")
        if "D" in line.action and not solver.law.may_double[hand]:
            self.fail(line.number, line.text, "the rules do not let this hand be doubled")
        if line.action[-1] == "S" and not solver.law.may_stand[hand]:
            self.fail(line.number, line.text, "the rules do not let this hand stand")
        if line.action[-1] == "H" and not solver.law.may_hit[hand]:
            self.fail(line.number, line.text, "the rules give this hand no further card")

    def _take_total(self, line: Line) -> None:
        if line.suits != "-":
            self.fail(line.number, line.text, "a total has no suits: write -")
        if "P" in line.action:
            self.fail(line.number, line.text, "a total is not split: write the pair, as in 88")
        soft, total = line.hand[0] == "s", int(line.hand[1:])
        hands = self.solver.hands
        if not ((hands.soft == soft) & (hands.total == total) & (hands.size > 1)).any():
            self.fail(line.number, line.text, "there is no such total")
        if "R" in line.action and self.solver.rules.surrender == "none":
            self.fail(line.number, line.text, "the rules know no surrender")
        for upcard in line.upcards:
            key = upcard, soft, total
            if key in self.totals:
                self.fail(line.number, line.text, self._said(self.totals[key]))
            self.totals[key] = line

    def _take_forfeit(self, number: int, text: str, upcards: str, word: str) -> None:
        if not self.solver.rules.forfeit:
            self.fail(number, text, "the rules know no forfeit of a double")
        hand, low = self._hand(number, text, word)
        hands = self.solver.hands
        free = hands.counts[hand, ACE] - (low if hardened(self.solver.rules, 2) else 0)
        soft = free > 0 and hands.hard[hand] + 10 <= TWENTY_ONE
        for upcard in self._upcards(number, text, upcards):
            self.forfeits.add((upcard, hand, int(soft)))

    # The plans

    def plans(self) -> dict[int, Plan]:
        return {upcard: self._plan(upcard) for upcard in self.solver.upcards}

    def _plan(self, upcard: int) -> Plan:
        size = len(self.solver.hands.size)
        made = {letter: np.zeros((size, VARIANTS), np.bool_) for letter in "RPDH"}
        possible = _possible(self.solver, upcard)
        waiting = self._first_hands(upcard)
        seen = set(waiting)
        while waiting:
            hand, variant = waiting.pop()
            action = self._cell(upcard, hand, variant)
            for letter in action:
                if letter != "S":
                    made[letter][hand, variant] = True
            if action[-1] == "H":
                waiting += [place for place in self._grown(hand, variant, possible) if place not in seen]
                seen.update(waiting)
        forfeits = np.zeros((size, 2), np.bool_)
        for first, hand, soft in self.forfeits:
            if first == upcard:
                forfeits[hand, soft] = True
        return Plan(made["H"], made["D"], forfeits, made["P"], made["R"])

    def changed(self, upcard: int, plan: Plan) -> Plan:
        """A plan where the lines that were read say something else."""
        parts = {"H": plan.hits, "D": plan.doubles, "P": plan.splits, "R": plan.surrenders}
        made = {letter: part.copy() for letter, part in parts.items()}
        hands, law = self.solver.hands, self.solver.law
        said = np.isin(np.arange(len(hands.size)), [hand for first, hand, _ in self.cells if first == upcard])
        for first, soft, total in self.totals:
            if first == upcard:
                said |= (hands.soft == soft) & (hands.total == total)
        for hand in np.nonzero(said & (hands.size >= 2) & law.may_hit)[0].tolist():
            by_total = (upcard, bool(hands.soft[hand]), int(hands.total[hand])) in self.totals
            for variant in variants(self.solver, hand):
                own = (upcard, hand, variant) in self.cells
                if not (own or by_total):
                    continue
                action = self._cell(upcard, hand, variant)
                for letter in "HDPR" if own else "HDR":
                    made[letter][hand, variant] = letter in action
        return plan._replace(hits=made["H"], doubles=made["D"], splits=made["P"], surrenders=made["R"])

    def _first_hands(self, upcard: int) -> list[tuple[int, int]]:
        possible = _possible(self.solver, upcard) & (self.solver.hands.size == 2) & self.solver.law.may_hit
        return [
            (hand, variant)
            for hand in np.nonzero(possible)[0].tolist()
            for variant in variants(self.solver, hand)
        ]

    def _grown(self, hand: int, variant: int, possible: Array) -> list[tuple[int, int]]:
        solver = self.solver
        carried = variant if solver.law.first_aces and solver.hands.counts[hand, ACE] else 0
        return [
            (int(grown), carried)
            for grown in solver.hands.after[hand]
            if grown >= 0 and solver.law.may_hit[grown] and possible[grown]
        ]

    def _cell(self, upcard: int, hand: int, variant: int) -> str:
        """What the chart says of a hand, as letters in the order to try them."""
        solver = self.solver
        if line := self.cells.get((upcard, hand, variant)):
            return line.action
        soft, total = bool(solver.hands.soft[hand]), int(solver.hands.total[hand])
        if line := self.totals.get((upcard, soft, total)):
            allowed = line.action
            if not solver.law.may_double[hand]:
                allowed = allowed.replace("D", "")
            if solver.hands.size[hand] != 2:
                allowed = allowed.replace("R", "")
            if allowed[-1] == "S" and not solver.law.may_stand[hand]:
                self.fail(line.number, line.text, f"{hand_name(solver, hand, variant)} may not stand")
            return allowed
        suits = SUITS[variant] if solver.law.suited[hand] >= 0 else "-"
        name = hand_name(solver, hand, variant)
        raise ParseError(f"{self.name}: nothing is said of {VALUES[upcard]} {name} {suits}")


class _Deviations(_Reader):
    """Lines that stand in no file of charts: each is known by what it says."""

    def fail(self, number: int, text: str, why: str) -> NoReturn:
        raise ParseError(f"{self.name}: {text!r}: {why}")

    def _said(self, line: Line) -> str:
        return f"{line.text!r} holds there as well, and a hand is played one way"
