"""A game in chunks: each with chance of its own, so that how many work on them makes no difference.

A chunk is so many shoes, and its number is all that it depends on. Chunks are counted in the order of their
numbers, until there are rounds enough or the error is small enough: the same answer, to the bit, from one
thread or many.
"""

from __future__ import annotations

import collections
import hashlib
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import pack
from croupier.errors import ParseError, RulebookError
from croupier.exact import solve
from croupier.exact.hands import Array
from croupier.exact.records import PostSplit
from croupier.game.pay import super_bonus_for
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.rules import Rules
from croupier.simulate.counting import Count, System, count_for, plans_of
from croupier.simulate.full import full_desk_for, play_full
from croupier.simulate.kernel import (
    COUNT_ROWS,
    COUNTS,
    SIDE_SUMS,
    SUMS,
    Counted,
    nothing_by_count,
    play_shoes,
    room_for,
)
from croupier.simulate.lanes import desk_for, play_lanes
from croupier.simulate.machine import Machine, machine_of
from croupier.simulate.shoe import chance_from, words_for
from croupier.simulate.statistics import Found, Prize, Tally
from croupier.simulate.stored import Stored, Tabulated
from croupier.simulate.tables import Tables, tables_of
from croupier.table import open_state
from croupier.table.shoe import cutting_card_window
from croupier.threads import cores

SHOES = 1 << 14
FRESH_SHOES = 1 << 17
REACH = 64  # what boxes win is counted up to so many wagers, either way

Told = Callable[[Found], None]


class Game(Struct, frozen=True):
    """What is played: the rules and the play as tables, the shoe, where it is cut off, and the seed.

    `back`: the cutting card lies from so many to so many cards from the back, each place as likely. `fresh`:
    the cards are shuffled before every round instead. `wager`: on each box, in dollars, if the Super Bonus is
    to be valued.
    """

    rules: Rules
    tables: Tables
    boxes: int
    back: tuple[int, int]
    fresh: bool
    seed: int
    count: Count | None = None
    machine: Machine | None = None
    wager: Fraction | None = None

    @property
    def deck(self) -> Array:
        counts = pack(self.rules.ranks, self.rules.house.decks)
        cards = np.repeat(np.arange(len(counts)), list(counts))
        symbols = self.machine.symbols if self.machine else None
        return words_for(cards, symbols, self.count.tags if self.count else None)

    @property
    def window(self) -> tuple[int, int]:
        """Where the rules let the cutting card lie."""
        return cutting_card_window(open_state(self.rules))

    @property
    def play_hash(self) -> str:
        """By which the way to play is known."""
        return hashlib.sha256(self.tables.flat.tobytes()).hexdigest()

    def nothing(self) -> Tally:
        sides = self.tables.sides
        ends = sum(len(side.ends) for side in sides)
        reach = 2 * REACH * self.tables.places.unit
        by_count = COUNT_ROWS * (reach * self.boxes + 1) if self.count else 0
        products = COUNT_ROWS * (COUNT_ROWS + 1) if self.count else 0
        sizes = reach + 1, COUNTS, SUMS, ends, SIDE_SUMS * len(sides), by_count, products
        return Tally(0, Counted(*(np.zeros(size, np.int64) for size in sizes)))

    def chunk(self, number: int) -> Tally:
        """One chunk. A RulebookError where the cards run out and the rules do not say what then."""
        tally = self.nothing()
        game = self.tables.flat, self.tables.places
        chance = chance_from(np.random.SeedSequence(self.seed, spawn_key=(number,)))
        burnt, back = self.rules.burn_cards, np.array(self.back)
        by_count = self.count.by_count if self.count else nothing_by_count()
        shoes = chance, by_count, SHOES, burnt, back, tally.counted
        if self.machine and self.boxes == 1:
            ran = play_lanes(*game, self.machine, desk_for(self.deck, self.machine), *shoes)
        elif self.machine:
            desk = full_desk_for(self.deck, self.boxes, self.machine)
            ran = play_full(*game, self.machine, desk, *shoes)
        else:
            room = room_for(self.boxes, len(self.tables.sides))
            many = FRESH_SHOES if self.fresh else SHOES
            ran = play_shoes(
                *game, room, self.deck, chance, by_count, many, burnt, back, self.fresh, tally.counted
            )
        if not ran:
            raise RulebookError(
                "the shoe ran out within a round, for which the rules provide nothing (shoe_runs_out)"
            )
        return replace(tally, chunks=1)

    @property
    def prize(self) -> Prize | None:
        bonus = self.rules.super_bonus
        if bonus is None or self.wager is None:
            return None
        amount, _ = super_bonus_for(bonus, self.wager)
        return Prize(float(amount / self.wager), float(bonus.others / self.wager))

    def found(self, tally: Tally) -> Found:
        unit = self.tables.places.unit
        return Found(tally.counted, unit, self.boxes, self.tables.sides, prize=self.prize)


def game_of(
    rules: Rules,
    *,
    seed: int,
    boxes: int | None = None,
    penetration: float | None = None,
    window: bool = False,
    fresh: bool = False,
    side_bets: bool = False,
    system: System | None = None,
    post_split: PostSplit = "cdz",
    chart: str | None = None,
    chart_name: str = "chart",
    wager: Fraction | None = None,
    stored: Stored | None = None,
) -> Game:
    """A game to simulate, played best or as a chart says.

    The cutting card lies where the table's dealer places it; with `penetration` behind that share of the
    cards, with a `window` anywhere that the rules permit. `side_bets`: every box makes every side bet of the
    rulebook, whatever the house offers. With a `system` rounds are told apart by its count before them. With
    a `wager` in dollars the Super Bonus, which is in dollars too, is played for and valued. What is `stored`
    need not be solved and tabulated again.
    """
    boxes = rules.boxes_needed if boxes is None else boxes
    if not rules.boxes_needed <= boxes <= rules.house.boxes:
        raise ParseError(f"{boxes} boxes: from {rules.boxes_needed} to {rules.house.boxes} are played here")
    if post_split == "cdp":
        raise ParseError("play after a split that depends on the cards gone is not simulated: cdz or total")
    if wager is not None and boxes > 1 and rules.super_bonus_others != "every_wager":
        raise RulebookError(
            "the simulator does not look who shares in another box's Super Bonus (super_bonus_others)"
        )
    count = count_for(system, rules) if system else None
    fresh = fresh or rules.house.automated_shoe
    by_machine = not fresh and (count is None or count.is_simple)
    if boxes > 1:
        by_machine &= count is None or len(count.plans) == 1

    def tabulated() -> Tabulated:
        solver = solve(rules, post_split=post_split, chart=chart, chart_name=chart_name, wager=wager).solver
        tables = tables_of(solver, side_bets=side_bets, plans=plans_of(solver, count))
        if not by_machine or tables.sides:
            return Tabulated(tables, None)
        return Tabulated(tables, machine_of(tables, count.by_count.insures if count else None))

    asked = rules_hash(rules), post_split, chart, wager, side_bets, system, by_machine
    tables, machine = stored.of(asked, tabulated) if stored else tabulated()
    return Game(
        rules=rules,
        tables=tables,
        boxes=boxes,
        back=(0, 0) if fresh else back_of(rules, penetration, window=window),
        fresh=fresh,
        seed=seed,
        count=count,
        machine=machine,
        wager=wager,
    )


def back_of(rules: Rules, penetration: float | None, *, window: bool) -> tuple[int, int]:
    """From how many to how many cards from the back the cutting card lies."""
    cards = sum(pack(rules.ranks, rules.house.decks))
    low, high = cutting_card_window(open_state(rules))
    if penetration is None:
        back, why = (low, high if window else low), f"the cutting card lies {low} cards from the back"
    elif 0 < penetration <= 1:
        behind = cards - round(cards * penetration)
        back, why = (behind, behind), f"a penetration of {penetration}"
    else:
        raise ParseError(f"a penetration of {penetration}: it is a share of the shoe, above 0 and up to 1")
    if back[0] >= cards - rules.burn_cards - 1:
        raise ParseError(f"{why}: that leaves no card before the cutting card")
    return back


Source = Callable[[Game, int], Generator[Tally]]  # chunk after chunk of a game, from a number on


class ChunksLost(Exception):
    """A source of chunks gave out, and says why."""


def simulate(
    game: Game,
    *,
    rounds: int,
    until_se: float = 0.0,
    threads: int | None = None,
    told: Told | None = None,
    tally: Tally | None = None,
    keep: Callable[[Tally], None] | None = None,
    source: Source | None = None,
) -> Found:
    """Play at least so many rounds, or until the standard error is small enough.

    `tally` is what was played before, and is gone on from; `keep` is handed it after every chunk. Chunks come
    from threads of this process or another `source`. Interrupted from the keyboard, or where the source gives
    out, what is found so far is marked as partial.
    """
    tally = game.nothing() if tally is None else tally
    found = game.found(tally)
    source = source or partial(_chunks, threads=threads or cores())
    try:
        with closing(source(game, tally.chunks)) as chunks:
            while not _enough(found, rounds, until_se):
                tally += next(chunks)
                found = game.found(tally)
                if told:
                    told(found)
                if keep:
                    keep(tally)
    except (KeyboardInterrupt, ChunksLost):
        return replace(found, partial=True)
    return found


def _enough(found: Found, rounds: int, until_se: float) -> bool:
    return found.rounds >= rounds or (until_se > 0 and found.shoes > 1 and found.se <= until_se)


def _chunks(game: Game, first: int, threads: int) -> Generator[Tally]:
    """Chunk after chunk in the order of their numbers, on several threads some of them played ahead."""
    number = first
    while threads == 1:
        yield game.chunk(number)
        number += 1
    pool = ThreadPoolExecutor(threads)
    ahead: collections.deque[Future[Any]] = collections.deque()
    try:
        while True:
            while len(ahead) < 2 * threads:
                ahead.append(pool.submit(game.chunk, number))
                number += 1
            yield ahead.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
