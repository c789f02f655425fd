"""A player by the solver's chart: what is best for the first cards of a shoe, by the hand that the seat sees.

Only this reads in the solver, and only when such a player is asked for. A hand that the chart does not have,
as after a split that the rules end, is played as a simple player would.
"""

from __future__ import annotations

import functools

from croupier.errors import ParseError, RulebookError
from croupier.exact.solution import Solution, solve
from croupier.rulebook import Rules
from croupier.table import commands as cmd
from croupier.table.commands import Command
from croupier.web import frames
from croupier.web.bots import Wishes, simple

ACTIONS: dict[str, type[Command]] = {"S": cmd.Stand, "H": cmd.Hit, "D": cmd.Double, "P": cmd.Split}


def by_chart(rules: Rules) -> Wishes:
    """Solve the game, and play by what was found."""
    game = solve(rules)

    @functools.lru_cache(maxsize=10_000)
    def best(cards: tuple[str, ...], upcard: str) -> tuple[type[Command], ...]:
        return tuple(_ranked(game, cards, upcard))

    def wants(hand: frames.Hand, dealer: frames.Dealer) -> list[type[Command]]:
        found = best(hand.cards, dealer.cards[0]) if dealer.cards and not hand.asked else ()
        return [*found, *simple(hand, dealer)]

    return wants


def _ranked(game: Solution, cards: tuple[str, ...], upcard: str) -> list[type[Command]]:
    """What may be done with a hand, the best first; nothing where the solver does not know it."""
    try:
        worth = game.decision(" ".join(cards), upcard).worth
    except (ParseError, RulebookError):
        return []
    known = [action for action in worth if action in ACTIONS]
    return [ACTIONS[action] for action in sorted(known, key=lambda action: -worth[action])]
