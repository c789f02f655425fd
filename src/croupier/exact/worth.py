"""What each rule is worth: the difference between two games, shared out over the provisions that differ.

Changing one provision after another from the first game to the second gives each a worth that depends on
the order. The Shapley value is the mean over all orders: with n provisions, that of provision i is the sum
over all sets S of the others of  |S|! (n-|S|-1)! / n!  times  v(S and i) - v(S),  where v(S) is the
player's expectation under the first game with the provisions of S taken from the second. Every v(S) is
solved once; the shares are summed as fractions and so add up to the whole difference exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import factorial

import msgspec
from msgspec import Struct

from croupier.errors import RulebookError
from croupier.exact.kept import Kept
from croupier.exact.many import Game, expectations
from croupier.exact.records import PostSplit
from croupier.game.dealer import natural_possible
from croupier.game.hand import points
from croupier.game.pay import natural_paid_early
from croupier.rulebook.provision import Worth, provisions
from croupier.rulebook.rules import Rules
from croupier.rulebook.study import studied

MOST = 11
Player = tuple[str, ...]  # provisions that change together
Chosen = frozenset[Player]

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
    kept: Kept | None = None,
    told: Callable[[Settling], None] | None = None,
) -> SharedDifference:
    """Share the difference of two games over their provisions; no `decks`: packs without end.

    What was solved before is taken from what is `kept`; `told` hears of every game how far the shares are.
    """
    differing = [name for name in studied() if getattr(first, name) != getattr(second, name)]
    idle = [name for name in differing if _is_idle(name, first, second)]
    players = _together([name for name in differing if name not in idle])

    def game(chosen: Chosen) -> Game:
        changes = {name: getattr(second, name) for player in chosen for name in player}
        return Game(msgspec.structs.replace(first, **changes), decks, post_split)

    settling = Settling(players)
    for chosen, ev in expectations({chosen: game(chosen) for chosen in _ordered(players)}, kept):
        if not isinstance(ev, float):
            raise ev
        settling.hear(chosen, ev)
        if told:
            told(settling)
    found = settling.values
    shares = tuple(Share(player, _share(player, players, found)) for player in players)
    return SharedDifference(
        first=found[frozenset()],
        second=found[frozenset(players)],
        shares=tuple(sorted(shares, key=lambda share: -abs(share.worth))),
        without_effect=tuple(idle),
    )


def _ordered(players: list[Player]) -> list[Chosen]:
    """All sets of players, the smallest and the largest first: of these every share has most."""
    sizes = sorted(range(len(players) + 1), key=lambda size: min(size, len(players) - size))
    return [frozenset(chosen) for size in sizes for chosen in combinations(players, size)]


class Settling:
    """Shares while games are being solved: each the mean over the orders of which both games are known."""

    def __init__(self, players: list[Player]) -> None:
        self.players = players
        self.values: dict[Chosen, float] = {}
        self.known = dict.fromkeys(players, 0.0)  # what part of all orders
        self._sums = dict.fromkeys(players, 0.0)

    @property
    def games(self) -> int:
        return int(2 ** len(self.players))

    def worth(self, player: Player) -> float | None:
        """The share as far as it is known."""
        return self._sums[player] / self.known[player] if self.known[player] else None

    def hear(self, chosen: Chosen, value: float) -> None:
        self.values[chosen] = value
        for player in self.players:
            other = self.values.get(chosen ^ {player})
            if other is not None:
                weight = float(_weight(len(chosen - {player}), len(self.players)))
                self.known[player] += weight
                self._sums[player] += weight * (value - other if player in chosen else other - value)


def _is_idle(name: str, first: Rules, second: Rules) -> bool:
    """Do two values of a provision come to the same thing for what a hand is worth?"""
    if name == "natural_paid_early":
        # Against a first card that cannot become a natural it comes to the same.
        matters = [rank for rank in first.ranks if natural_possible(first, rank)]
        return all(natural_paid_early(first, rank) == natural_paid_early(second, rank) for rank in matters)
    if name in ("face_value_ranks", "ten_ranks"):
        return first.ranks == second.ranks and points(first) == points(second)
    return False


def _together(names: list[str]) -> list[Player]:
    """The provisions as they are changed: the cards at once, and families when there are too many."""
    players = _joined([(name,) for name in names], TOGETHER)
    for family in FAMILIES:
        if len(players) > MOST:
            players = _joined(players, family)
    if len(players) > MOST:
        raise RulebookError(f"{len(players)} provisions differ, too many to share the difference over")
    return players


def _joined(players: list[Player], family: Worth) -> list[Player]:
    """The players with those of a family made one, which comes last."""
    members = [player for player in players if provisions(Rules)[player[0]].worth == family]
    joined = tuple(name for player in members for name in player)
    return [player for player in players if player not in members] + ([joined] if joined else [])


def _weight(size: int, players: int) -> Fraction:
    """In what part of all orders a player comes right behind a given set of so many others."""
    return Fraction(factorial(size) * factorial(players - size - 1), factorial(players))


def _share(player: Player, players: list[Player], value: dict[Chosen, float]) -> Fraction:
    others = [other for other in players if other != player]
    total = Fraction(0)
    for size in range(len(others) + 1):
        weight = _weight(size, len(players))
        for chosen in combinations(others, size):
            without = frozenset(chosen)
            total += weight * (Fraction(value[without | {player}]) - Fraction(value[without]))
    return total
