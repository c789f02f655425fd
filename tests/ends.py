"""The way to the end: does what people do when all goes by the rules lead out of a state?"""

from __future__ import annotations

import contextlib
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

from accounts import lying
from asking import Asker, few_cards
from croupier.table import advance
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, OPERATOR, player
from croupier.table.commands import Asked
from croupier.table.conduct import chore, due
from croupier.table.evolve import cards_on_table
from croupier.table.legal import Choice, legal
from croupier.table.state import State, bets_open
from small_tables import key

MISHAPS = (cmd.DrawInError, cmd.BurnInError, cmd.OverdrawDealer, cmd.DealFaceUp, cmd.DrawCuttingCard)
FIRST = ("Stand", "CloseOffers", "AnnounceNoMoreBets", "OpenBetting", "Cut", "DeclineCut", "TakeBack", "Hit")
# Orders that the rules themselves make due: the operator replaces a shoe that failed.
DUE_ORDERS = tuple(Asked(cmd.ReplaceShoe(automated=automated), OPERATOR) for automated in (True, False))


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

    def lists(self, asked: Asked) -> bool:
        return any(choice.covers(*asked) for choice in self.listed[type(asked.command)])

    def asked(self) -> Iterator[Asked]:
        """Those that are listed; of the cards a few."""
        few = few_cards(self.state)
        for choice in (choice for choices in self.listed.values() for choice in choices):
            cards = choice.free.get("card")
            if isinstance(cards, tuple):
                yield from (
                    Asked(type(choice.command)(card=card), choice.by) for card in few if card in cards
                )
            else:
                yield Asked(choice.command, choice.by)


def is_over(state: State) -> bool:
    """No chip and no card is left of a round, and bets are open for the next; or the table is closed."""
    return state.stage in ("betting", "closed") and not +lying(state) and not cards_on_table(state)


def ways(state: State) -> Iterator[Asked]:
    """What people do when all goes by the rules, the likeliest first."""
    usual = chore(state)
    if usual is not None:
        yield usual
    if due(state) == "card":
        for card in few_cards(state)[::2]:
            yield Asked(cmd.Burn(card=card) if state.stage == "burn" else cmd.Deal(card=card), DEALER)
    other = (*MISHAPS, cmd.Deal, cmd.Burn, cmd.Wager)
    moves = (move for move in Moves(state).asked() if not isinstance(move.command, other))
    yield from sorted(moves, key=_rank)
    yield from DUE_ORDERS
    if bets_open(state):  # somebody comes to the table and bets
        wagers = (cmd.Wager(box=box.number, stake=state.terms.minimum) for box in state.boxes)
        yield from (Asked(wager, player("p4")) for wager in wagers)


def _rank(asked: Asked) -> int:
    kind = type(asked.command).__name__
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
        path: list[tuple[bytes, State, Iterator[Asked]]] = [(start, state, ways(state))]
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

    def by_order(self, state: State) -> tuple[Asked, ...] | None:
        """The fewest typed commands of any kind after which the end can be reached, if few will do."""
        waiting: deque[tuple[State, tuple[Asked, ...]]] = deque([(state, ())])
        seen = {key(state)}
        while waiting and len(seen) < self.most:
            here, so_far = waiting.popleft()
            for asked, there in accepted(here, Asker(here).all_likely()):
                name = key(there)
                if name in seen:
                    continue
                seen.add(name)
                if self(there):
                    return (*so_far, asked)
                waiting.append((there, (*so_far, asked)))
        return None


def _first_new(state: State, commands: Iterator[Asked], seen: set[bytes]) -> tuple[bytes, State] | None:
    for _, there in accepted(state, commands):
        name = key(there)
        if name not in seen:
            return name, there
    return None


def accepted(state: State, asked: Iterable[Asked]) -> Iterator[tuple[Asked, State]]:
    """What is not refused; whatever breaks is told where it is asked."""
    for one in asked:
        with contextlib.suppress(Exception):
            yield one, advance(state, *one)[0]
