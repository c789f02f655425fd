"""The way to the end: does what people do when all goes by the rules lead out of a state?"""

from __future__ import annotations

import contextlib
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

from accounts import lying
from asking import Asker, few_cards
from croupier.table import advance
from croupier.table import commands as cmd
from croupier.table.commands import Command
from croupier.table.conduct import chore, due
from croupier.table.evolve import cards_on_table
from croupier.table.legal import Choice, legal
from croupier.table.state import State, bets_open
from small_tables import key

MISHAPS = (cmd.DrawInError, cmd.BurnInError, cmd.OverdrawDealer, cmd.DealFaceUp, cmd.DrawCuttingCard)
FIRST = ("Stand", "CloseOffers", "AnnounceNoMoreBets", "OpenBetting", "Cut", "DeclineCut", "TakeBack", "Hit")
# Orders that the rules themselves make due: the operator replaces a shoe that failed.
DUE_ORDERS = (cmd.ReplaceShoe(automated=True), cmd.ReplaceShoe(automated=False))


class Moves:
    """What `legal` lists, by kind, to compare with what is not refused; `broken` where it raises."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.broken = ""
        self.listed: dict[type, list[Choice]] = defaultdict(list)
        try:
            for choice in legal(state):
                self.listed[type(choice.command)].append(choice)
        except Exception as error:
            self.broken = type(error).__name__

    def lists(self, command: Command) -> bool:
        return any(choice.covers(command) for choice in self.listed[type(command)])

    def commands(self) -> Iterator[Command]:
        """Those that are listed; of the cards a few."""
        few = (None, *few_cards(self.state))
        listed = (choice.command for choices in self.listed.values() for choice in choices)
        yield from (command for command in listed if getattr(command, "card", None) in few)


def is_over(state: State) -> bool:
    """No chip and no card is left of a round, and bets are open for the next; or the table is closed."""
    return state.stage in ("betting", "closed") and not +lying(state) and not cards_on_table(state)


def ways(state: State) -> Iterator[Command]:
    """What people do when all goes by the rules, the likeliest first."""
    command = chore(state)
    if command is not None:
        yield command
    if due(state) == "card":
        for card in few_cards(state)[::2]:
            yield cmd.Burn(card=card) if state.stage == "burn" else cmd.Deal(card=card)
    other = (*MISHAPS, cmd.Deal, cmd.Burn, cmd.Wager)
    yield from sorted((move for move in Moves(state).commands() if not isinstance(move, other)), key=_rank)
    yield from DUE_ORDERS
    if bets_open(state):  # somebody comes to the table and bets
        yield from (cmd.Wager(player="p4", box=box.number, stake=state.minimum) for box in state.boxes)


def _rank(command: Command) -> int:
    kind = type(command).__name__
    return FIRST.index(kind) if kind in FIRST else len(FIRST)


class Ends:
    """Which states lead to the end; what is known of one is known of all with the same key."""

    def __init__(self, most: int = 100) -> None:
        self.most = most
        self.known: dict[bytes, bool] = {}

    def __call__(self, state: State) -> bool:
        """Do chores, cards and lawful moves lead to the end from here?"""
        start = key(state)
        if start not in self.known:
            self._search(state, start)
        return self.known[start]

    def _search(self, state: State, start: bytes) -> None:
        path: list[tuple[bytes, State, Iterator[Command]]] = [(start, state, ways(state))]
        seen = {start}
        while path and len(seen) < self.most:
            name, here, left = path[-1]
            if self.known.get(name) is False:
                path.pop()
                continue
            if self.known.get(name) or is_over(here):
                self.known |= {known: True for known, _, _ in path}
                return
            there = _first_new(here, left, seen)
            if there is None:
                path.pop()
            else:
                seen.add(there[0])
                path.append((*there, ways(there[1])))
        self.known |= dict.fromkeys({start} if path else seen - self.known.keys(), False)

    def by_order(self, state: State) -> tuple[Command, ...] | None:
        """The fewest typed commands of any kind after which the end can be reached, if few will do."""
        waiting: deque[tuple[State, tuple[Command, ...]]] = deque([(state, ())])
        seen = {key(state)}
        while waiting and len(seen) < self.most:
            here, so_far = waiting.popleft()
            for command, there in accepted(here, Asker(here).all_likely()):
                name = key(there)
                if name in seen:
                    continue
                seen.add(name)
                if self(there):
                    return (*so_far, command)
                waiting.append((there, (*so_far, command)))
        return None


def _first_new(state: State, commands: Iterator[Command], seen: set[bytes]) -> tuple[bytes, State] | None:
    for _, there in accepted(state, commands):
        name = key(there)
        if name not in seen:
            return name, there
    return None


def accepted(state: State, commands: Iterable[Command]) -> Iterator[tuple[Command, State]]:
    """What is not refused; whatever breaks is told where it is asked."""
    for command in commands:
        with contextlib.suppress(Exception):
            yield command, advance(state, command)[0]
