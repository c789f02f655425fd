"""What everybody bet last, kept from the events, so that it need not be typed again."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from croupier.rulebook.wager import MAIN
from croupier.table import events as ev
from croupier.table.events import Event


class Bid(Struct, frozen=True):
    """A wager and the side bets behind it, as somebody laid them."""

    stake: int
    sides: dict[str, int] = {}

    @property
    def total(self) -> int:
        return self.stake + sum(self.sides.values())


Bids = dict[tuple[int, str], Bid]  # by box and player, in the order in which they were laid


class LastBids:
    """The wagers of the last round for which bets were closed. It hears all events since the opening."""

    def __init__(self) -> None:
        self.last: Bids = {}
        self._now: Bids = {}

    def hear(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, ev.BettingOpened):
                self._now = {}
            elif isinstance(event, ev.WagerPlaced):
                self._lay(event)
            elif isinstance(event, ev.WagerReturned) and not event.unlaid:
                self._return(event)
            elif isinstance(event, ev.NoMoreBets):
                self.last = {place: bid for place, bid in self._now.items() if bid.stake}

    def _lay(self, event: ev.WagerPlaced) -> None:
        place = (event.box, event.player)
        before = self._now.get(place, Bid(0))
        sides = {
            name: before.sides.get(name, 0) + event.sides.get(name, 0) for name in before.sides | event.sides
        }
        self._now[place] = Bid(before.stake + event.stake, sides)

    def _return(self, event: ev.WagerReturned) -> None:
        place = (event.box, event.player)
        if event.wager == MAIN:
            self._now.pop(place, None)
        elif (bid := self._now.get(place)) and event.wager in bid.sides:
            left = {name: stake for name, stake in bid.sides.items() if name != event.wager}
            self._now[place] = Bid(bid.stake, left)
