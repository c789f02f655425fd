"""A game that is asked about, and the answer: from what is on file, or solved when it is first needed.

What is on file is read without the solver, whose compiled loops take longer to load than most games to solve.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from croupier.exact.records import Cell, PostSplit, Spread, Start
from croupier.exact.shoe import CardsLeft
from croupier.rulebook.plain import fingerprint, what_is_set
from croupier.rulebook.rules import Rules

if TYPE_CHECKING:
    from croupier.exact.kept import Kept
    from croupier.exact.solution import Solution
    from croupier.threads import Told


class Question(Struct, frozen=True):
    """Rules, cards and play that are to be valued, as `solve` takes them."""

    rules: Rules
    shoe: CardsLeft
    post_split: PostSplit = "cdz"
    chart: str | None = None
    chart_name: str = "chart"
    exact: bool = False
    wager: Fraction | None = None
    others: int = 0

    @property
    def name(self) -> str:
        """By which it is known on file; what a chart is called makes no other question."""
        return fingerprint(
            {
                "rules": what_is_set(self.rules),
                "left": self.shoe.left,
                "pool": self.shoe.pool.hex(),
                "endless": self.shoe.endless,
                "post_split": self.post_split,
                "chart": self.chart,
                "exact": self.exact,
                "wager": None if self.wager is None else str(self.wager),
                "others": self.others,
            }
        )

    def solve(self) -> Solution:
        from croupier.exact.solution import solve

        return solve(
            self.rules,
            shoe=self.shoe,
            post_split=self.post_split,
            chart=self.chart,
            chart_name=self.chart_name,
            exact=self.exact,
            wager=self.wager,
            others=self.others,
        )


class Found(Struct, frozen=True):
    """What is kept of a solved game; a fraction as text, beside its float."""

    ev: float
    ev_exact: str
    spread: Spread | None
    chart: tuple[Cell, ...]
    starts: tuple[Start, ...]


class Answer:
    """What a solved game tells. `solution` is there for whatever is not on file."""

    def __init__(self, question: Question, kept: Kept | None = None) -> None:
        self.question = question
        self.rules, self.shoe, self.post_split = question.rules, question.shoe, question.post_split
        self.wager, self.others = question.wager, question.others
        self._kept = kept
        self._found = _read(kept.answer(question.name)) if kept else None
        self._solution: Solution | None = None

    @property
    def on_file(self) -> bool:
        return self._found is not None

    @property
    def solution(self) -> Solution:
        if self._solution is None:
            self._solution = self.question.solve()
        return self._solution

    @property
    def ev(self) -> Any:
        if self._found is None:
            return self.solution.ev
        return Fraction(self._found.ev_exact) if self._found.ev_exact else self._found.ev

    @property
    def has_spread(self) -> bool:
        """Is a whole round played? With cdp each hand of a split is, by itself."""
        return self.post_split != "cdp"

    @property
    def spread(self) -> Spread:
        return self.find_spread()

    def find_spread(self, told: Told | None = None) -> Spread:
        """The chances of all results of a round; `told` hears how far it is."""
        if self._found is not None and self._found.spread is not None:
            return self._found.spread
        return self.solution.find_spread(told)

    @property
    def chart(self) -> list[Cell]:
        return list(self._found.chart) if self._found is not None else self.solution.chart

    @property
    def starts(self) -> list[Start]:
        """Every two first cards against every first card of the dealer."""
        if self._found is not None:
            return list(self._found.starts)
        from croupier.exact.starts import starts

        return list(starts(self.solution.solver))

    def keep(self) -> None:
        """Put on file what is not there yet."""
        if self._kept is None or self._found is not None:
            return
        ev = self.ev
        found = Found(
            ev=float(ev),
            ev_exact=str(ev) if isinstance(ev, Fraction) else "",
            spread=self.spread if self.has_spread else None,
            chart=tuple(self.chart),
            starts=tuple(self.starts),
        )
        self._kept.keep_answer(self.question.name, msgspec.json.encode(found, enc_hook=_plain))


def _read(answer: bytes | None) -> Found | None:
    """What is on file; nothing where the file was meddled with."""
    try:
        return msgspec.json.decode(answer, type=Found, dec_hook=_fraction) if answer else None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _plain(value: Any) -> str | float:
    """A fraction as text, and NumPy's floats as Python's."""
    return str(value) if isinstance(value, Fraction) else float(value)


def _fraction(kind: type, value: Any) -> Fraction:
    if kind is Fraction and isinstance(value, str):
        return Fraction(value)
    raise ValueError(f"{value!r} is no fraction")
