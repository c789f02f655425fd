"""Where cards come from: a virtual shoe that follows the dealer's chores, or a script.

A shoe hands out words, a card or `cut`; the table decides what they mean. The virtual shoe is
shuffled by Fisher and Yates' method with numbers below each bound drawn without bias (rejection),
from the operating system's entropy or, for tests and study, from a seed.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from typing import Protocol

from croupier.cards import ALL_CARDS, CUT, Card
from croupier.errors import ParseError
from croupier.table import events as ev
from croupier.table.events import Event
from croupier.table.state import State

# Most events leave the shoe alone; those that do not are few.
WATCHED = frozenset({ev.CardsShuffled, ev.CardsCut, ev.CuttingCardPlaced, ev.ShoeFailed, ev.CardsCollected})


class CardSource(Protocol):
    """Gives the next word out of the shoe, and watches what the dealer does with the cards."""

    def next_word(self) -> str: ...

    def watch(self, event: Event, state: State) -> None: ...


class VirtualShoe:
    """A shoe of shuffled cards that is cut, loaded and reshuffled as the events say."""

    def __init__(self, seed: int | str | None = None) -> None:
        self._random: random.Random = random.SystemRandom() if seed is None else random.Random(seed)
        self._stack: list[str] = []  # the last word comes out first

    def __len__(self) -> int:
        return len(self._stack) - self._stack.count(CUT)

    def next_word(self) -> str:
        if not self._stack:
            raise ParseError("the shoe is empty")
        return self._stack.pop()

    def cut_position(self, low: int, high: int) -> int:
        """Where somebody without a preference cuts."""
        return self._random.randint(low, high)

    def watch(self, event: Event, state: State) -> None:
        if type(event) not in WATCHED:
            return
        if isinstance(event, ev.CardsShuffled):
            self._shuffle(_cards(state.shoe.unseen))
        elif isinstance(event, ev.CardsCut):
            self._stack = self._stack[-event.at :] + self._stack[: -event.at]
        elif isinstance(event, ev.CuttingCardPlaced):
            if event.from_front is not None:
                self._stack.insert(len(self._stack) - event.from_front, CUT)
            self._stack.insert(event.from_back, CUT)
        elif isinstance(event, ev.ShoeFailed) and event.cutting_card and not event.reshuffle:
            self._stack.insert(event.cutting_card, CUT)
        elif isinstance(event, ev.CardsCollected) and state.shoe.automated and not state.shoe.failed:
            self._shuffle(_cards(state.shoe.unseen))

    def refill(self, state: State) -> None:
        """Take up a shoe in the middle: its order is in no log, so the unseen cards are shuffled afresh.

        Cutting cards still in the shoe keep their distance from its back.
        """
        self._shuffle(_cards(state.shoe.unseen))
        for behind in (state.shoe.front_card, state.shoe.back_card):
            if behind is not None:
                self._stack.insert(min(behind, len(self._stack)), CUT)

    def _shuffle(self, cards: Iterable[Card]) -> None:
        self._stack = list(cards)
        self._random.shuffle(self._stack)


def _cards(counts: bytes) -> list[Card]:
    return [card for card, count in zip(ALL_CARDS, counts, strict=True) for _ in range(count)]


class ScriptedShoe:
    """A shoe whose cards are known beforehand."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = deque(words)

    def next_word(self) -> str:
        if not self._words:
            raise ParseError("the script has no more cards")
        return self._words.popleft()

    def watch(self, event: Event, state: State) -> None:
        """A script does not mind what the dealer does."""
