"""Where cards come from: a virtual shoe that follows the dealer's chores, or a script.

The virtual shoe is shuffled by Fisher and Yates' method with numbers below each bound drawn without bias
(rejection), from the operating system's entropy or, for tests and study, from a seed. What happens to its
cards between two shuffles, the cut and the drawing, follows from the events alone, so that an order and the
log from there on give the order now. The cutting cards are not in it: the table knows where they are.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct

from croupier.cards import ALL_CARDS, CUT, FACE_UP, INDEX, Card
from croupier.errors import ParseError
from croupier.house.shoefile import Made
from croupier.record import Told
from croupier.table import State
from croupier.table import events as ev
from croupier.table.events import Event

DRAWN = (ev.CardDealt, ev.CardBurnt, ev.CardDrawnInError)
# Most events leave the cards of the shoe alone; those that do not are few.
WATCHED = frozenset({*DRAWN, ev.CardsShuffled, ev.CardsCut, ev.CardsCollected, ev.RoundInvalidated})
# While the cards are still to be shuffled it does not matter how they lie.
UNSHUFFLED = ("opening", "shuffle", "closed")
REMEMBERED = 8  # shuffles, more than a request has


class Order(Struct, frozen=True, gc=False):
    """The cards of a shoe in the order in which they come out, the last `left` of which are still in it."""

    cards: tuple[Card, ...]
    left: int

    @property
    def rest(self) -> tuple[Card, ...]:
        return self.cards[len(self.cards) - self.left :]

    def cut(self, at: int) -> Order:
        """So many cards from the front go to the back."""
        rest = self.rest
        return whole(rest[at:] + rest[:at])

    def fits(self, state: State) -> bool:
        """Are these the cards that the table has not seen?"""
        counts = [0] * len(ALL_CARDS)
        for card in self.rest:
            counts[INDEX[card]] += 1
        return counts == list(state.shoe.unseen)


def whole(cards: tuple[Card, ...]) -> Order:
    return Order(cards, len(cards))


def moments(told: Told) -> list[tuple[Event, State]]:
    """What a command does to the cards in the shoe, each event with the table right after it.

    Nothing else changes the shoe's cards, so after a single such event they are as they are in the end.
    """
    watched = [event for event in told.entry.events if type(event) in WATCHED]
    if len(watched) > 1:
        return [(event, state) for event, state in told.moments() if type(event) in WATCHED]
    return [(watched[0], told.after)] if watched else []


def carried(order: Order, event: Event, state: State) -> Order | None:
    """The order after an event; None where it does not follow: the cards were mixed, or another came out."""
    left = state.shoe.left
    if isinstance(event, DRAWN) and left == order.left - 1 and event.card == order.cards[-order.left]:
        return Order(order.cards, left)
    if type(event) is ev.CardsCut:
        order = order.cut(event.at)
    return None if type(event) is ev.CardsShuffled or left != order.left else order


class Follower:
    """An order on file, carried along a log from the entry after which it holds; None once it is lost."""

    def __init__(self, made: Made) -> None:
        self.made = made
        self.order: Order | None = whole(made.cards)

    def __call__(self, told: Told) -> None:
        if told.entry.n > self.made.after:
            for event, state in moments(told):
                self.order = self.order and carried(self.order, event, state)


class Orders(Protocol):
    """Where orders are kept: in a file beside the log, or with its lines."""

    def write(self, before: Made, made: Made) -> None:
        """Keep an order that has been made, and the one before it in case its entry never comes."""


class VirtualShoe:
    """A shoe of shuffled cards that is cut, loaded and reshuffled as the events say.

    Whatever does not follow from its order, the cards not yet seen are shuffled. `afresh` says why they
    were when a table was taken up again.
    """

    def __init__(self, seed: int | str | None = None) -> None:
        self.afresh = ""
        self._random: random.Random = random.SystemRandom() if seed is None else random.Random(seed)
        self._order = whole(())
        self._made = Made(after=0, cards=())
        self._shuffles: dict[tuple[int, bytes], tuple[Card, ...]] = {}
        self._orders: Orders | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in the shoe, the next one first."""
        return self._order.rest

    def peek(self, state: State) -> str:
        shoe = state.shoe
        if shoe.left == shoe.back_card or shoe.left == shoe.front_card:
            return CUT
        order = self._order
        if not order.left:
            raise ParseError("the shoe is empty")
        return order.cards[-order.left]

    def cut_position(self, low: int, high: int) -> int:
        """Where somebody without a preference cuts."""
        return self._random.randint(low, high)

    def prepare(self, told: Told) -> tuple[Order, Made] | None:
        if told.before.shoe is told.after.shoe:
            return None
        order, mixed = self._order, False
        for event, state in moments(told):
            following = carried(order, event, state)
            if following is None:
                following, mixed = whole(self._mix(told.entry.n, state.shoe.unseen)), True
            order = following
        made = self._written(Made(after=told.entry.n, cards=order.rest)) if mixed else self._made
        return order, made

    def keep(self, ready: tuple[Order, Made]) -> None:
        self._order, self._made = ready

    def mark(self) -> tuple[Order, Made]:
        return self._order, self._made

    def back_to(self, mark: tuple[Order, Made]) -> None:
        self.keep(mark)

    def keep_beside(self, orders: Orders) -> None:
        """From now on every order that is made is kept there."""
        self._orders = orders

    def take_up(self, state: State, entries: int, followers: Iterable[Follower], problem: str) -> None:
        """Go on in the middle: with the newest order that the log has borne out, or afresh."""
        found = [(one.order, one.made) for one in followers if one.order and one.made.after <= entries]
        found = [(order, made) for order, made in found if order.fits(state)]
        self.afresh = "" if found or state.stage in UNSHUFFLED else problem
        if found:
            self.keep(found[-1])
            return
        order = whole(self._mix(entries, state.shoe.unseen))
        self.keep((order, self._written(Made(after=entries, cards=order.cards))))

    def _written(self, made: Made) -> Made:
        """An order that has been made, on file before the entry is after which it holds."""
        if self._orders is not None:
            self._orders.write(self._made, made)
        return made

    def _mix(self, entry: int, unseen: bytes) -> tuple[Card, ...]:
        """These cards in an order of chance. A shuffle that did not get on record is not made twice."""
        found = self._shuffles.get((entry, unseen))
        if found is None:
            cards = [card for card, count in zip(ALL_CARDS, unseen, strict=True) for _ in range(count)]
            self._random.shuffle(cards)
            found = self._shuffles[entry, unseen] = tuple(reversed(cards))
            while len(self._shuffles) > REMEMBERED:
                del self._shuffles[next(iter(self._shuffles))]
        return found


class ScriptedShoe:
    """A shoe whose words are known beforehand: cards, `cut`, and with ^ a card that lies face up."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = deque(words)

    def peek(self, state: State) -> str:
        if not self._words:
            raise ParseError("the script has no more cards")
        return self._words[0]

    def prepare(self, told: Told) -> str | None:
        """The next word, if the command has drawn it; what else the dealer does, a script does not mind."""
        word = self._words[0] if self._words else ""
        if told.after.shoe.left < told.before.shoe.left:
            drawn = [event.card for event in told.events if isinstance(event, DRAWN)]
            return word if word.removesuffix(FACE_UP) in drawn else None
        cut = any(isinstance(event, ev.CuttingCardDrawn) for event in told.events)
        return word if cut and word == CUT else None

    def keep(self, ready: str) -> None:
        self._words.popleft()

    def mark(self) -> tuple[str, ...]:
        return tuple(self._words)

    def back_to(self, mark: tuple[str, ...]) -> None:
        self._words = deque(mark)
