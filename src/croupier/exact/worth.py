"""What each rule is worth: the difference between two games, shared out over the provisions that differ.

Changing one provision after another from the first game to the second gives each a worth that depends on
the order. The Shapley value is the mean over all orders: with n provisions, that of provision i is the sum
over all sets S of the others of  |S|! (n-|S|-1)! / n!  times  v(S and i) - v(S),  where v(S) is the
player's expectation under the first game with the provisions of S taken from the second. Every v(S) is
solved once; the shares are summed as fractions and so add up to the whole difference exactly.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from itertools import combinations
from math import factorial

import msgspec
from msgspec import Struct

from croupier.errors import RulebookError
from croupier.exact.shoe import endless, fresh
from croupier.exact.solution import solve
from croupier.exact.solver import PostSplit
from croupier.game.dealer import natural_possible
from croupier.game.hand import points
from croupier.game.pay import natural_paid_early
from croupier.rulebook.provision import Worth, provisions
from croupier.rulebook.rules import Rules
from croupier.rulebook.study import studied
from croupier.threads import Told, at_once

MOST = 11

# Provisions that mean something only together, and families that are taken together when there are too many.
TOGETHER: Worth = "cards"
FAMILIES: tuple[Worth, ...] = ("drawing", "splitting", "doubling", "surrender", "winning")


class Share(Struct, frozen=True):
    """Provisions that change together, and what the change is worth to the player."""

    provisions: tuple[str, ...]
    worth: Fraction


class SharedDifference(Struct, frozen=True):
    """Two games' expectations, and the difference shared out over what makes it."""

    first: float
    second: float
    shares: tuple[Share, ...]
    without_effect: tuple[str, ...]

    @property
    def total(self) -> Fraction:
        return Fraction(self.second) - Fraction(self.first)


def difference(
    first: Rules,
    second: Rules,
    *,
    decks: int | None = None,
    post_split: PostSplit = "cdz",
    told: Told | None = None,
) -> SharedDifference:
    """Share the difference of two games over their provisions; no `decks`: packs without end.

    `told` hears how many games of how many have been solved.
    """
    differing = [name for name in studied() if getattr(first, name) != getattr(second, name)]
    idle = [name for name in differing if _is_idle(name, first, second)]
    players = _together([name for name in differing if name not in idle])
    games = [frozenset(chosen) for size in range(len(players) + 1) for chosen in combinations(players, size)]

    def value(chosen: frozenset[tuple[str, ...]]) -> float:
        changes = {name: getattr(second, name) for player in chosen for name in player}
        rules = msgspec.structs.replace(first, **changes)
        shoe = endless(rules.ranks) if decks is None else fresh(rules.ranks, decks)
        return float(solve(rules, shoe=shoe, post_split=post_split).ev)

    found = at_once({game: functools.partial(value, game) for game in games}, told)
    shares = tuple(Share(player, _share(player, players, found)) for player in players)
    return SharedDifference(
        first=found[frozenset()],
        second=found[frozenset(players)],
        shares=tuple(sorted(shares, key=lambda share: -abs(share.worth))),
        without_effect=tuple(idle),
    )


def _is_idle(name: str, first: Rules, second: Rules) -> bool:
    """Do two values of a provision come to the same thing for what a hand is worth?"""
    if name == "natural_paid_early":
        # Against a first card that cannot become a natural it comes to the same.
        matters = [rank for rank in first.ranks if natural_possible(first, rank)]
        return all(natural_paid_early(first, rank) == natural_paid_early(second, rank) for rank in matters)
    if name in ("face_value_ranks", "ten_ranks"):
        return first.ranks == second.ranks and points(first) == points(second)
    return False


def _together(names: list[str]) -> list[tuple[str, ...]]:
    """The provisions as they are changed: the cards at once, and families when there are too many."""
    players = _joined([(name,) for name in names], TOGETHER)
    for family in FAMILIES:
        if len(players) > MOST:
            players = _joined(players, family)
    if len(players) > MOST:
        raise RulebookError(f"{len(players)} provisions differ, too many to share the difference over")
    return players


def _joined(players: list[tuple[str, ...]], family: Worth) -> list[tuple[str, ...]]:
    """The players with those of a family made one, which comes last."""
    members = [player for player in players if provisions(Rules)[player[0]].worth == family]
    joined = tuple(name for player in members for name in player)
    return [player for player in players if player not in members] + ([joined] if joined else [])


def _share(
    player: tuple[str, ...],
    players: list[tuple[str, ...]],
    value: dict[frozenset[tuple[str, ...]], float],
) -> Fraction:
    others = [other for other in players if other != player]
    total = Fraction(0)
    for size in range(len(others) + 1):
        weight = Fraction(factorial(size) * factorial(len(others) - size), factorial(len(players)))
        for chosen in combinations(others, size):
            without = frozenset(chosen)
            total += weight * (Fraction(value[without | {player}]) - Fraction(value[without]))
    return total
