"""What a learner is asked, may answer and sees: one layout for the table and for many games at once.

A round is a row of questions: the wager of each box, what is offered to it before play, the moves of its
hands, and whether a doubled hand is forfeited. An observation is a row of small numbers (`FIELDS`), behind
which come what may be answered now, action by action, and, if wanted, what is gone from the shoe by rank.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from gymnasium import spaces
from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import RANKS
from croupier.errors import ParseError
from croupier.exact.hands import VALUES, Array
from croupier.rulebook import Rulebook, Rules, load
from croupier.rulebook.study import study

MOVES = ("stand", "hit", "double", "split", "surrender", "insure", "even money", "forfeit", "decline")
STAND, HIT, DOUBLE, SPLIT, SURRENDER, INSURE, EVEN_MONEY, FORFEIT, DECLINE = range(len(MOVES))
FIRST_BET = len(MOVES)  # from here on actions are wagers

ASKED = ("bet", "offer", "decision", "forfeit", "nothing")
BETTING, OFFERED, DECIDING, DOUBLED, NOTHING = range(len(ASKED))

FIELDS = (
    *VALUES,
    *("total", "soft", "suits", "first aces", "dealer", "box", "hand", "hands", "split", "doubled"),
    *("insured", "asked"),
)
TOTAL, SOFT, SUITS, FIRST_ACES, DEALER, BOX, HAND, HANDS, SPLIT_OF, HAS_DOUBLED, INSURED, QUESTION = range(
    len(VALUES), len(FIELDS)
)
MASK = len(FIELDS)  # from here on what may be answered
MOST_BETS = 16
MOST = 255

Episode = Literal["round", "shoe"]
Settings = Mapping[str, object] | tuple[str, ...] | list[str]


class Options(Struct, frozen=True):
    """What is played, and what of it is seen and counted.

    `boxes` are all the learner's. A wager is one of `bets`, in units, a unit being the least that the table
    takes. `fresh`: every round is dealt from a fresh shoe, rather than up to the cutting card. `super_bonus`:
    it counts as a reward.
    """

    book: Rulebook
    rules: Rules
    boxes: int
    bets: tuple[int, ...]
    side_bets: tuple[str, ...]
    episode: Episode
    fresh: bool
    see_gone: bool
    super_bonus: bool

    @property
    def actions(self) -> tuple[str, ...]:
        """What each number of an action stands for."""
        return (*MOVES, *(f"bet {units}" for units in self.bets))

    @property
    def fields(self) -> tuple[str, ...]:
        """What each number of an observation stands for."""
        gone = (f"gone {rank}" for rank in RANKS) if self.see_gone else ()
        return (*FIELDS, *(f"may {action}" for action in self.actions), *gone)

    @property
    def gone_at(self) -> int:
        return MASK + FIRST_BET + len(self.bets)

    @property
    def action_space(self) -> spaces.Discrete:
        return spaces.Discrete(len(self.actions))

    @property
    def observation_space(self) -> spaces.Box:
        high = np.ones(len(self.fields), np.uint8)
        high[: len(VALUES)] = 21
        high[[TOTAL, SUITS, FIRST_ACES, DEALER, BOX]] = 21, 3, 2, len(RANKS), self.boxes
        high[[HAND, HANDS, SPLIT_OF, QUESTION]] = MOST, MOST, len(VALUES), NOTHING
        high[self.gone_at :] = MOST
        return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)

    def mask_in(self, observation: Array) -> Array:
        """What may be answered, as Gymnasium's spaces take it, of one observation or of many."""
        found: Array = observation[..., MASK : self.gone_at].view(np.int8)
        return found


def options_of(
    rulebook: str,
    *,
    settings: Settings = (),
    decks: int | None = None,
    boxes: int | None = None,
    bets: tuple[int, ...] = (1,),
    side_bets: Mapping[str, object] | None = None,
    episode: Episode = "round",
    fresh: bool = False,
    see_gone: bool = False,
    super_bonus: bool = False,
) -> Options:
    """A game by the name or file of its rulebook.

    `settings`, as `name=value` or by name, are those of a study; `side_bets` are made on every box, on the
    terms on which a house's file offers them.
    """
    book = load(rulebook)
    rules = study(book, _pairs(settings), decks).rules
    if side_bets:
        rules = replace(rules, house=replace(rules.house, side_bets=book.choose(**side_bets).house.side_bets))
    made = [name for name, bet in rules.side_bets.items() if bet.offered_as in (side_bets or {})]
    boxes = rules.boxes_needed if boxes is None else boxes
    if not rules.boxes_needed <= boxes <= rules.house.boxes:
        raise ParseError(f"{boxes} boxes: from {rules.boxes_needed} to {rules.house.boxes} are played here")
    if not 0 < len(bets) <= MOST_BETS or list(bets) != sorted(set(bets)) or bets[0] < 1:
        raise ParseError(f"bets of {bets}: up to {MOST_BETS} whole numbers of units, the least first")
    if episode not in ("round", "shoe"):
        raise ParseError(f"an episode of {episode!r}: it is a round or a shoe")
    return Options(
        book=book,
        rules=rules,
        boxes=boxes,
        bets=tuple(bets),
        side_bets=tuple(made),
        episode=episode,
        fresh=fresh or rules.house.automated_shoe,
        see_gone=see_gone,
        super_bonus=super_bonus,
    )


def _pairs(settings: Settings) -> list[str]:
    if not isinstance(settings, Mapping):
        return list(settings)
    return [
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in settings.items()
    ]
