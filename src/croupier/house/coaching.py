"""A coach beside a player: what each decision cost, worked out on a thread while the player thinks.

Only for play on one's own. The solver is read in when the coach is made, and not before.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import INDEX, Card, pretty
from croupier.house.evening import LABELS, YOU, Question
from croupier.rulebook import Rulebook
from croupier.story import gain, money
from croupier.table.state import State

if TYPE_CHECKING:
    from croupier.house.coach import Advice, Judged

COSTLIEST = 3


class Thought(Struct, frozen=True):
    """A question that is being thought about."""

    question: Question
    advice: Future[Advice | None]


class Coach:
    """Thinks about every question and judges every answer; `told` is called, on its thread, with verdicts.

    Of the offers on a box only the first answer is judged.
    """

    def __init__(self, book: Rulebook) -> None:
        from croupier.house import coach

        self.book = book
        self.judged: list[Judged] = []
        self.told: Callable[[Judged], object] = lambda judged: None
        self._values = coach
        self._thread = ThreadPoolExecutor(1, "coach")
        self._thought: Thought | None = None
        self._offered: set[tuple[int, int]] = set()  # rounds and boxes whose offers were answered

    def consider(self, state: State, question: Question) -> None:
        """Begin to think about a question."""
        if question.kind not in ("offer", "decision", "forfeit"):
            return
        if self._thought is not None and self._thought.question == question:
            return
        offer = (state.round, question.box)
        if question.kind == "offer" and offer in self._offered:
            self._thought = None
        else:
            self._thought = Thought(question, self._thread.submit(self._advice, state, question))
            self._offered |= {offer} if question.kind == "offer" else set()

    def _advice(self, state: State, question: Question) -> Advice | None:
        """What the choices that are open are worth."""
        if question.kind == "offer":
            found = self._values.on_offers(state, question.box, YOU)
        elif question.kind == "forfeit":
            found = self._values.on_double(state, question.box, question.hand, YOU)
        else:
            found = self._values.on_hand(state, question.box, question.hand, YOU)
        if found is None:
            return None
        keys = {option.key for option in question.open}
        worth = {key: value for key, value in found.worth.items() if key in keys}
        return replace(found, worth=worth) if len(worth) > 1 else None

    def judge(self, choice: str, share: float = 1) -> None:
        """The player has chosen, for so much of what it could be: the verdict comes when it is known."""
        if self._thought is None:
            return
        thought, self._thought = self._thought, None
        self._thread.submit(self._verdict, thought.advice, choice, share)

    def _verdict(self, advice: Future[Advice | None], choice: str, share: float) -> None:
        found = advice.result()
        if found is None or choice not in found.worth:
            return
        judged = self._values.Judged(found.about, choice, found.best, found.cost(choice, share))
        self.judged.append(judged)
        self.told(judged)

    def when_ready(self, then: Callable[[str], object]) -> None:
        """Call `then` with the advice on the question of the moment as soon as it is known."""
        if self._thought is not None:
            thought = self._thought
            self._thread.submit(lambda: then(self.advice_words(thought)))

    def wait(self) -> None:
        """Until everything that was asked is answered."""
        self._thread.submit(lambda: None).result()

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    # Words

    def called(self, choice: str, *others: str) -> str:
        """A choice in a word; what n declines, the others among which it was tell."""
        if choice == "n":
            return "keep the double" if "f" in others else "play on"
        return {"p": self.book.words.split, "f": "forfeit"}.get(choice) or LABELS[choice]

    def advice_words(self, thought: Thought) -> str:
        """What each choice is worth, the best first."""
        advice = thought.advice.result()
        if advice is None:
            return "The coach cannot tell here."
        ranked = sorted(advice.worth.items(), key=lambda item: -item[1])
        shown = [
            f"{self.called(key, *advice.worth)} {gain(round(value), self.book)}" for key, value in ranked
        ]
        return f"{_in_symbols(advice.about)}: {', '.join(shown)}"

    def words(self, judged: Judged) -> str:
        """`best`, or what would have been better by how much."""
        if judged.is_best:
            return "best"
        better = self.called(judged.best, judged.choice)
        return f"{better} was better by {money(round(judged.cost), self.book)}"

    def summary(self) -> list[str]:
        """How many decisions were best, what was given away, and the costliest of them."""
        if not self.judged:
            return []
        best = sum(judged.is_best for judged in self.judged)
        lost = round(sum(judged.cost for judged in self.judged if not judged.is_best))
        said = [f"Coach: {best} of {len(self.judged)} best, {money(lost, self.book)} given away."]
        worst = sorted(self.judged, key=lambda judged: -judged.cost)[:COSTLIEST]
        for judged in (judged for judged in worst if not judged.is_best):
            chosen = self.called(judged.choice, judged.best)
            said.append(f"  {_in_symbols(judged.about)}: {chosen}; {self.words(judged)}")
        return said


def _in_symbols(about: str) -> str:
    """`8h 5c against Ad` with the suits as they stand on cards."""
    return " ".join(pretty(Card(word)) if word in INDEX else word for word in about.split())
