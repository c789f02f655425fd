"""Many games at once, on all cores: each one's expectation, with what they have in common found once.

Where all of them are on file the solver is not read in.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from croupier.errors import ParseError, RulebookError
from croupier.exact.kept import Kept
from croupier.exact.records import PostSplit
from croupier.exact.shoe import CardsLeft, endless, fresh
from croupier.rulebook.plain import fingerprint, what_is_set
from croupier.rulebook.rules import Rules
from croupier.threads import as_done

if TYPE_CHECKING:
    from croupier.exact.common import Common

Key = TypeVar("Key")
Unsolved = ParseError | RulebookError


class Game(Struct, frozen=True):
    """Rules and how many decks they are played with; None: packs without end."""

    rules: Rules
    decks: int | None
    post_split: PostSplit = "cdz"

    @property
    def shoe(self) -> CardsLeft:
        ranks = self.rules.ranks
        return endless(ranks) if self.decks is None else fresh(ranks, self.decks)

    @property
    def name(self) -> str:
        """By which it is known on file."""
        return fingerprint(
            {"rules": what_is_set(self.rules), "decks": self.decks, "post_split": self.post_split}
        )


def expectations(
    games: Mapping[Key, Game], kept: Kept | None = None, common: Common | None = None
) -> Iterator[tuple[Key, float | Unsolved]]:
    """Every game's expectation as soon as it is known, or why it has none: first what is on file.

    Games that have much in common should not be neighbours, or it is found by two threads at once. Of games
    that are not given all together `common` is what they share.
    """
    names = {key: game.name for key, game in games.items()} if kept else {}
    on_file = kept.known(names.values()) if kept else {}
    yield from ((key, on_file[name]) for key, name in names.items() if name in on_file)
    wanted = {key: game for key, game in games.items() if names.get(key) not in on_file}
    if not wanted:
        return
    from croupier.exact.common import Common

    shared = common or Common()
    jobs = {key: functools.partial(_expectation, game, shared) for key, game in wanted.items()}
    for key, found in as_done(jobs):
        if kept and isinstance(found, float):
            kept.keep(names[key], found)
        yield key, found


def _expectation(game: Game, common: Common) -> float | Unsolved:
    from croupier.exact.solution import solve

    try:
        return float(solve(game.rules, shoe=game.shoe, post_split=game.post_split, common=common).ev)
    except (ParseError, RulebookError) as error:
        return error
