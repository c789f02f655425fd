"""Simple players for the other boxes.

They bet the minimum, draw to hard 17 and soft 18, double a hard 10 or 11, split aces and
eights, never insure and leave the cut to others. What they do is always one of `legal`'s choices.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.game.hand import hand_total
from croupier.table import commands as cmd
from croupier.table.actors import player
from croupier.table.commands import Asked, Command
from croupier.table.legal import Choice, legal
from croupier.table.state import BoxHand, State, turn
from croupier.table.waiting import waiting

STANDS_HARD, STANDS_SOFT = 17, 18
DOUBLES = (10, 11)
SPLITS = "A8"


def opening_wager(state: State, name: str, box: int) -> Asked | None:
    """The least wager that needs no warning, or None where the table would not take it."""
    multiple = state.rules.house.multiple if state.rules.wager_multiples else 1
    least = state.terms.minimum
    wager = Asked(cmd.Wager(box=box, stake=least + -least % multiple), player(name))
    return wager if any(choice.covers(*wager) for choice in legal(state, wager.by)) else None


def decision(state: State) -> Asked:
    """What the decider of the hand whose turn it is does. A decision must be due."""
    place = turn(state)
    if place is None:
        raise ValueError(f"no decision is due at the stage '{state.stage}'")
    by_kind: dict[type[Command], Choice] = {}
    for choice in waiting(state).choices:
        by_kind.setdefault(type(choice.command), choice)
    for kind in _wishes(state, state.hand(*place)):
        if kind in by_kind:
            return Asked(by_kind[kind].command, by_kind[kind].by)
    raise ValueError(f"hand {place} has no choice left")


def _wishes(state: State, hand: BoxHand) -> list[type[Command]]:
    total, soft = hand_total(state.rules, hand)
    return wishes(hand.cards, total, soft=soft)


def wishes(cards: Sequence[str], total: int, *, soft: bool) -> list[type[Command]]:
    """What a simple player would do with a hand, the dearest wish first."""
    wishes: list[type[Command]] = []
    if len(cards) == 2 and cards[0][0] == cards[1][0] and cards[0][0] in SPLITS:
        wishes.append(cmd.Split)
    if not soft and total in DOUBLES:
        wishes.append(cmd.Double)
    stands = total >= (STANDS_SOFT if soft else STANDS_HARD)
    wishes += [cmd.Stand, cmd.Hit] if stands else [cmd.Hit, cmd.Stand]
    return [*wishes, cmd.Ride, cmd.Stay]
