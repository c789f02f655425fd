"""The hands that a split can come to: how many, of which types, and which cards that tells of.

Without suits that is counted (`splits.py`). Where some kinds of a pair are split again and others are not,
the suits of the pair's cards are followed one by one, as in `suits.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.cards import SUITS
from croupier.exact.hands import MIXED
from croupier.exact.splits import Growth, SecondCards, last_made, ways

if TYPE_CHECKING:
    from croupier.exact.kinds import Suits
    from croupier.exact.suits import Again, SuitedSplit

OTHER, PAIRED, FREE = range(3)


class SplitType(NamedTuple):
    """A split hand: its second card is of another value than the pair's, or of the same, or may be any.

    `suits` are those that are known of its first cards.
    """

    second: int
    suits: Suits = ()


class Made(NamedTuple):
    """Hands, the box's first one in front, that are made in so many orders, or as often among all suits.

    `gone`: so many cards of the pair's value have come up beside the two that were split; `suits` are those
    that are known of all of them. `barred`: suited cards were split, and the box can win no prize.
    """

    weight: Any
    hands: tuple[SplitType, ...]
    gone: int
    suits: Suits = ()
    barred: bool = True

    def chance(self, cards: SecondCards) -> Any:
        """How often a split comes to just these."""
        return self.weight * cards.chance(self.gone, [hand.second for hand in self.hands].count(OTHER))


def made_by(growth: Growth) -> Iterator[Made]:
    """What a split comes to when every pair is split again that may be."""
    other, free = SplitType(OTHER), SplitType(FREE)
    last = growth.made
    for hands in range(2, last if growth.is_limited else last + 1):
        yield Made(ways(hands, hands - 1), (other,) * hands, hands - 2)
    for done in range(last if growth.is_limited else 0):
        if last_made(last, done):
            yield Made(last_made(last, done), (other,) * done + (free,) * (last - done), last - 2)


def merged(made: list[Made], symmetries: dict[bool, list[Suits]], *, first_apart: bool) -> list[Made]:
    """The same with those merged that differ in suits only which may be exchanged, or in the order of hands.

    Which suits may be hangs on whether the box is barred. `first_apart`: it matters which is its first hand.
    """
    found: dict[Made, Any] = {}
    for one in made:
        alike = min(_exchanged(one, order, first_apart=first_apart) for order in symmetries[one.barred])
        found[alike] = found.get(alike, 0) + one.weight
    return [one._replace(weight=weight) for one, weight in found.items()]


def _exchanged(made: Made, order: Suits, *, first_apart: bool) -> Made:
    hands = [SplitType(second, tuple(order[suit] for suit in suits)) for second, suits in made.hands]
    first = hands[:1] if first_apart else []
    suits = tuple(sorted(order[suit] for suit in made.suits))
    return made._replace(weight=0, hands=(*first, *sorted(hands[len(first) :])), suits=suits)


class _Growing(NamedTuple):
    waiting: Suits  # first cards of the hands that have no second one yet
    done: tuple[SplitType, ...]
    suits: Suits  # of all cards of the pair's value, in ascending order
    barred: bool

    @property
    def hands(self) -> int:
        return len(self.waiting) + len(self.done)

    def with_hand(self, hand: SplitType, *more: int) -> _Growing:
        """The first of those waiting is complete."""
        first, *others = (*self.done, hand)
        suits = tuple(sorted((*self.suits, *more)))
        return self._replace(waiting=self.waiting[1:], done=(first, *sorted(others)), suits=suits)


def made_by_suits(split: SuitedSplit, kind: int, again: Again) -> Iterator[Made]:
    """What a split of a pair of this kind comes to, if such kinds are split again."""
    growing = {
        _Growing(suits, (), tuple(sorted(suits)), kind != MIXED): weight
        for suits, weight in split.pairs_of(kind).items()
    }
    while growing:
        longer: dict[_Growing, Any] = defaultdict(lambda: split.solver.kind.of(0))
        for state, weight in growing.items():
            if not state.waiting or state.hands == split.most:
                free = tuple(SplitType(FREE, (suit,)) for suit in state.waiting)
                yield Made(weight, state.done + free, len(state.suits) - 2, state.suits, state.barred)
                continue
            first = state.waiting[0]
            longer[state.with_hand(SplitType(OTHER, (first,)))] += weight
            for second in range(len(SUITS)):
                share = split.share(second, state.suits)
                made = split.kind(first, second)
                if not share:
                    continue
                if again[made]:
                    more = state._replace(
                        waiting=(first, second, *state.waiting[1:]),
                        suits=tuple(sorted((*state.suits, second))),
                        barred=state.barred or made != MIXED,
                    )
                else:
                    more = state.with_hand(SplitType(PAIRED, (first, second)), second)
                longer[more] += weight * share
        growing = longer
