"""How fast the engine conducts rounds with its full log, against bare dealing.

One box, one player, simple play, a virtual shoe, every event logged and hash-chained to a file.
Bare dealing is the least that any program must do: draw the same number of cards from a shuffled
list and add up their points. Both run in this process, turn by turn, so that the ratio means
something on a noisy machine.

Then, at a full table of seven boxes with three bettors each: what a server asks after every event,
beside the time of `advance` for a card in the same run.

    python bench/table.py [RULEBOOK] [ROUNDS]
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from croupier.cards import Card
from croupier.conductor import Conductor
from croupier.game.hand import hand_total
from croupier.house.shoes import VirtualShoe
from croupier.record import LogWriter, Told, header_for
from croupier.rulebook import Rulebook, load
from croupier.rulebook.book import Bound
from croupier.table import State, advance, open_state
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import DEALER, player
from croupier.table.conduct import chore
from croupier.table.legal import legal, menu
from croupier.table.shoe import card_target
from croupier.table.state import turn
from croupier.table.view import views

REPEATS = 5
TIMES = 50
SEATS = tuple(f"p{number}" for number in range(1, 8))
P1 = player("p1")
CARDS = (ev.CardDealt, ev.CardBurnt)


class Count:
    """Counts what the table does."""

    def __init__(self) -> None:
        self.events = self.cards = 0

    def __call__(self, told: Told) -> None:
        for event in told.entry.events:
            self.events += 1
            self.cards += isinstance(event, CARDS)


def decide(table: Conductor) -> cmd.Command:
    """Draw below 15, else stand."""
    box, hand = turn(table.state) or (0, 0)
    value, _ = hand_total(table.state.rules, table.state.hand(box, hand))
    act = cmd.Hit if value < 15 else cmd.Stand
    return act(box=box, hand=hand)


def conduct(table: Conductor, rounds: int, boxes: int) -> None:
    """So many rounds from the opening of the bets to the collection of the cards."""
    last = table.state.round + rounds
    while (wanted := table.carry_on()) != "between rounds" or table.state.round < last:
        if wanted == "between rounds":
            table.give(cmd.OpenBetting())
        elif wanted == "betting":
            for box in range(1, boxes + 1):
                table.give(cmd.Wager(box=box, stake=1000), P1)
            table.give(cmd.AnnounceNoMoreBets())
        elif wanted == "cut":
            table.give(cmd.DeclineCut(), player(table.state.shoe.offer))
        elif wanted == "offers":
            table.give(cmd.CloseOffers())
        elif wanted == "decision":
            table.give(decide(table), P1)


def with_log(book: Rulebook, path: Path) -> Conductor:
    """A table with its full log, but not the order of its shoe: that waits for the disk at every shuffle."""
    store = LogWriter.create(path, header_for(book, book.rules_for(book.demonstration), book.demonstration))
    return Conductor(open_state(book.rules_for(book.demonstration)), store, VirtualShoe(seed=1))


def deal_barely(cards: int) -> int:
    """Draw so many cards from shuffled packs and add up their points."""
    points = [min(rank, 10) for rank in range(1, 14)] * 24
    total = 0
    shoe: list[int] = []
    for _ in range(cards):
        if len(shoe) < 52:
            shoe = points[:]
            random.shuffle(shoe)
        total += shoe.pop()
    return total


# A full table, whose boxes have 14 each against an ace


def full_table(book: Rulebook) -> Iterator[tuple[str, State]]:
    """A round of seven boxes with three bettors each, up to the middle of the subsequent deal."""
    state = _ready(book)
    yield "bets open", state
    for box in range(len(SEATS)):
        for seat in range(min(3, book.rules.bettors_per_box)):
            wager = cmd.Wager(box=box + 1, stake=1000)
            state, _ = advance(state, wager, player(SEATS[(box + seat) % len(SEATS)]))
    yield "betting", state
    state, _ = advance(state, cmd.AnnounceNoMoreBets(), DEALER)
    for _ in range(len(SEATS) + 3):
        state = _dealt(state)
    yield "dealing", state
    while state.stage == "dealing":
        state = _dealt(state)
    if state.stage == "offers":
        yield "offers", state
        state, _ = advance(state, cmd.CloseOffers(), DEALER)
    for box in range(1, 4):
        state, _ = advance(state, cmd.Stand(box=box, hand=1), player(SEATS[box - 1]))
    yield "decision", state


def _ready(book: Rulebook) -> State:
    """A table whose bets are open, everybody seated."""
    state = open_state(book.choose(boxes=len(SEATS)))
    while (usual := chore(state)) is not None:
        state, _ = advance(state, *usual)
    if state.stage == "burn":
        state, _ = advance(state, cmd.Burn(card=Card("2c")), DEALER)
    for box, name in enumerate(SEATS, start=1):
        state, _ = advance(state, cmd.Sit(box=box), player(name))
    return advance(state, cmd.OpenBetting(), DEALER)[0]


def _dealt(state: State) -> State:
    box, _ = card_target(state) or (0, 0)
    suit = "shdc"[box % 4]
    rank = "A" if not box else "8" if state.box(box).hands else "6"
    return advance(state, cmd.Deal(card=Card(rank + suit)), DEALER)[0]


def best(act: Callable[[], object], times: int = TIMES) -> float:
    """The least time that it took, in microseconds."""
    least = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        for _ in range(times):
            act()
        least = min(least, (time.perf_counter() - start) / times)
    return least * 1e6


def asked_of(book: Rulebook) -> Iterator[tuple[str, float]]:
    """What is asked at a full table, and how long it takes."""
    moments = dict(full_table(book))
    state = moments["decision"]
    hit = cmd.Hit(box=4, hand=1), player(SEATS[3])
    called, _ = advance(state, *hit)
    yield "advance: a card", best(lambda: advance(called, cmd.Deal(card=Card("5h")), DEALER))
    yield "advance: a hit", best(lambda: advance(state, *hit))
    yield "menu, decision", best(lambda: menu(state))
    for moment, state in moments.items():
        yield f"legal, {moment}", best(lambda state=state: legal(state))
        yield f"seven views, {moment}", best(lambda state=state: views(state, SEATS))
    names = tuple(book.bound)
    yield "cite, first", best(lambda: _cited(replace(book, bound=Bound(book.bound)), names), 1) / len(names)
    yield "cite, again", best(lambda: _cited(book, names), 5) / len(names)


def _cited(book: Rulebook, names: tuple[str, ...]) -> None:
    for name in names:
        book.cite(name)


def tell_full_table(book: Rulebook) -> None:
    print(f"{book.id}, seven boxes, three bettors each, best of {REPEATS}")
    card = 0.0
    for what, taken in asked_of(book):
        card = card or taken
        print(f"  {taken:10,.1f} µs {taken / card:7.2f} times a card: {what}")


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "act-blackjack-2003"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    book = load(name)
    tell_rounds(book, rounds)
    tell_full_table(book)


def tell_rounds(book: Rulebook, rounds: int) -> None:
    boxes = book.rules.boxes_needed
    with tempfile.TemporaryDirectory() as folder:
        table = with_log(book, Path(folder) / "bench.log")
        for box in range(1, boxes + 1):
            table.give(cmd.Sit(box=box), P1)
        conduct(table, 100, boxes)
        count = Count()
        table.listeners.append(count)
        engine = bare = float("inf")
        for _ in range(REPEATS):
            before = (count.events, count.cards)
            start = time.perf_counter()
            conduct(table, rounds, boxes)
            engine = min(engine, time.perf_counter() - start)
            events, cards = count.events - before[0], count.cards - before[1]
            start = time.perf_counter()
            deal_barely(cards)
            bare = min(bare, time.perf_counter() - start)
        table.close()
    print(f"{book.id}, {boxes} box(es), {rounds} rounds, best of {REPEATS}, one core, full log")
    print(f"  {rounds / engine:10,.0f} rounds a second")
    print(f"  {events / engine:10,.0f} events a second, {events / rounds:.1f} a round")
    print(f"  {engine / bare:10.1f} times the time of bare dealing ({cards} cards)")


if __name__ == "__main__":
    main()
