"""What an answer is an answer to, so that a file of it needs nothing beside it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import croupier
from croupier.cards import INDEX, RANKS, SUITS, Card
from croupier.cli.solving import INFINITE
from croupier.release import commit, release
from croupier.report.text import so_many_decks
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.rules import Rules
from croupier.rulebook.study import Study, as_setting

if TYPE_CHECKING:
    from croupier.exact import CardsLeft

BEST = "best"
PLAY = "croupier play 1"
_HEAD = re.compile(rf"# {PLAY}: (?P<game>.*)\n# rules (?P<rules>[0-9a-f]{{64}})\n")


class Solved(Protocol):
    """A game that was asked about, or its answer: from which cards, and how split hands are played."""

    @property
    def shoe(self) -> CardsLeft: ...

    @property
    def post_split(self) -> str: ...


def described(schema: str, studied: Study, solution: Solved, chart: Path | None = None) -> dict[str, Any]:
    """The game, its cards, its settings, how it is played, and what worked that out."""
    shoe = solution.shoe
    return {
        "schema": schema,
        "rulebook": studied.book.id,
        "decks": INFINITE if shoe.endless else studied.rules.house.decks,
        "shoe": {rank: _held(shoe, rank) for rank in studied.rules.ranks},
        "settings": {name: as_setting(value) for name, value in studied.settings.items()},
        "outside_the_law": [str(departure) for departure in studied.departures],
        "rules_hash": rules_hash(studied.rules),
        "play": {"chart": str(chart), "sha256": _hash_of(chart)} if chart else BEST,
        "post_split": solution.post_split,
        "version": croupier.__version__,
        "commit": commit(),
    }


def _held(shoe: CardsLeft, rank: str) -> int | dict[str, int]:
    """How many cards of a rank there are, by suits where they are not as many of each."""
    suits = {suit: shoe.pool[INDEX[Card(rank + suit)]] for suit in SUITS}
    return suits if len(set(suits.values())) > 1 else shoe.left[RANKS.index(rank)]


# The head of a file of play


def play_head(studied: Study, solution: Solved) -> str:
    decks = "packs without end" if solution.shoe.endless else so_many_decks(studied.rules.house.decks)
    departures = "".join(f"# outside the law: {departure}\n" for departure in studied.departures)
    return (
        f"# {PLAY}: {studied.book.title}, {decks}, {solution.shoe.size} cards, after a split "
        f"{solution.post_split}\n# rules {rules_hash(studied.rules)}\n{departures}# {release()}\n"
    )


def other_game(play: str, rules: Rules) -> str:
    """For which other game a file of play was written; nothing where it does not say, or it is this one."""
    said = _HEAD.match(play)
    return said["game"] if said and said["rules"] != rules_hash(rules) else ""


def _hash_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
