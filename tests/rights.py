"""Who may move whose chips: what an accepted command did, held to who gave it.

A bettor moves their own chips and nobody else's, and needs a wager on the box to decide there. The
dealer's cards and settlements move anybody's, and of the other orders only those in `ORDERS`. What
a side bet wins or loses when its cards are known follows from the cards, whoever's word ended the hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from asking import NOBODY
from croupier.table import events as ev
from croupier.table.commands import Asked, Command
from croupier.table.state import State

# Orders and dealer's acts that move chips by the rules; any other of the staff moves none.
ORDERS = {
    *(
        "Deal",
        "OverdrawDealer",
        "Settle",
        "Collect",
        "AnnounceNoMoreBets",
        "CloseOffers",
        "ReportAbsent",
        "Reconstruct",
    ),
    *("VoidRound", "VoidWager", "Invalidate", "Exclude", "Rule", "Review", "CloseTable"),
}
# What players say without a chip.
WORDS = {"Ask", "Attempt", "OpenDispute", "RequestReview", "Cut", "DeclineCut", "Sit"}
# What one does on a box without having a wager there.
COMING_AND_GOING = {"Wager", "Sit", "Leave"}


def speaker(asked: Asked) -> set[str]:
    """The player who asks, if one does."""
    return {asked.by.name} if asked.by.role == "player" else set()


def is_away(state: State, player: str, box: int) -> bool:
    """Excluded, or absent from the box."""
    absent = state.box(box).absent if 1 <= box <= len(state.boxes) else ()
    return player in state.people.excluded or player in absent


def people_of(state: State) -> set[str]:
    bets = {bet.player for box in state.boxes for bet in (*box.bets, *box.loose)}
    return bets | state.won.keys()


def main_chips(state: State, player: str) -> Any:
    """A player's main wagers and insurances by box, the order of the hands left out."""
    return [
        (
            box.number,
            [(bet.stake, bet.over, bet.insurance, bet.insurance_open) for bet in _bets(box, player)],
            sorted(
                (stake.original, stake.doubled, stake.end)
                for hand in box.hands
                for stake in hand.stakes
                if stake.player == player
            ),
        )
        for box in state.boxes
    ]


def all_chips(state: State, player: str) -> Any:
    sides = [bet.sides for box in state.boxes for bet in _bets(box, player)]
    return main_chips(state, player), sides, state.won.get(player, 0)


def _bets(box: Any, player: str) -> list[Any]:
    return [bet for bet in (*box.bets, *box.loose) if bet.player == player]


def wrongs(
    before: State, asked: Asked, events: Iterable[ev.Event], after: State, consent: frozenset[str]
) -> Iterator[str]:
    """What the command did without a right; `consent`: who has spoken since the last card.

    Whoever has answered a split or double has spoken too: the last answer carries out all of them.
    """
    command = asked.command
    kind = type(command).__name__
    consent |= {answer.player for box in before.boxes for hand in box.hands for answer in hand.answers}
    moved = {
        player
        for player in people_of(before) | people_of(after)
        if all_chips(before, player) != all_chips(after, player)
    }
    if not speaker(asked):
        meant = getattr(command, "player", "")
        if moved and kind not in ORDERS:
            yield "an order that moves no chips moved some"
        others = moved - {meant} - consent
        if meant and any(_moved_beside_sides(before, events, after, other) for other in others):
            yield "an order about one player moved another's chips"
        return
    if kind in WORDS:
        if moved:
            yield "words moved chips"
        return
    yield from _wrong_actor(before, command, kind, asked.by.name, moved)
    others = moved - speaker(asked) - consent
    if any(_moved_beside_sides(before, events, after, other) for other in others):
        yield "one player's command moved another's chips"


def _wrong_actor(before: State, command: Command, kind: str, actor: str, moved: set[str]) -> Iterator[str]:
    box = getattr(command, "box", 0)
    if actor == NOBODY:
        yield "somebody without a name acts"
    elif is_away(before, actor, box):
        if moved:
            yield "one who is excluded or absent moved chips"
        elif kind not in COMING_AND_GOING:
            yield "one who is excluded or absent decides"
    elif kind not in COMING_AND_GOING and not _bets(before.box(box), actor):
        yield "one without a wager on the box decides there"


def _moved_beside_sides(before: State, events: Iterable[ev.Event], after: State, player: str) -> bool:
    """Did main wager, insurance or winnings change, other than by side bets that were settled?"""
    if main_chips(before, player) != main_chips(after, player):
        return True
    sides = sum(
        event.net
        for event in events
        if isinstance(event, ev.Settled) and event.player == player and event.wager in before.rules.side_bets
    )
    return after.won.get(player, 0) - before.won.get(player, 0) != sides
