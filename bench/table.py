"""How fast the engine conducts rounds with its full log, against bare dealing.

One box, one player, simple play, a virtual shoe, every event logged and hash-chained to a file.
Bare dealing is the least that any program must do: draw the same number of cards from a shuffled
list and add up their points. Both run in this process, turn by turn, so that the ratio means
something on a noisy machine.

    python bench/table.py [RULEBOOK] [ROUNDS]
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from croupier.conductor import Conductor
from croupier.game.hand import hand_total
from croupier.house.shoes import VirtualShoe
from croupier.record import LogWriter, Told, header_for
from croupier.rulebook import Rulebook, load
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table import open_state
from croupier.table.actors import player
from croupier.table.state import turn

REPEATS = 5
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


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "act-blackjack-2003"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    book = load(name)
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
