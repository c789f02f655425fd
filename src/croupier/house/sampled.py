"""Rounds of a simulated game in full: played by the real table, and each of them held to the kernel.

A run counts rounds and keeps none. The sample is played beside it, with the run's own play, boxes, cutting
card and side bets, from shoes whose chance comes from the run's seed under a key that no chunk has. What the
table makes of its cards the kernel must make of them too, and both must shuffle after the same round.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import INDEX, pack
from croupier.conductor import Conductor
from croupier.errors import DoesNotHold, ParseError
from croupier.exact.solver import Solver
from croupier.house.shoes import VirtualShoe
from croupier.record import header_for
from croupier.record.line import Header
from croupier.record.store import Store
from croupier.rulebook.demonstration import TERMS
from croupier.rulebook.rules import Rules
from croupier.rulebook.study import Study
from croupier.simulate import Game
from croupier.simulate.beside import Beside, PlannedTable, Played, Stakes, difference
from croupier.simulate.kernel import count_now
from croupier.table import State, open_state
from croupier.table.shoe import deck_size
from croupier.table.wagers import chip_step

KEY = (0, 1)  # of the sample's chance; a chunk's is one number

COLUMNS: dict[str, type] = {
    "shoe": int,
    "round": int,
    "box": int,
    "cards": str,
    "dealer": str,
    "left": int,
    "count": int,
    "net": float,
    "bonus": float,
    "doubled": bool,
    "split": bool,
    "surrendered": bool,
    "forfeited": bool,
}


class SampledTable(Struct, frozen=True):
    """A table for the rounds of a sample: its rules, and the settings that its log names."""

    game: Game
    solver: Solver
    study: Study
    rules: Rules
    settings: dict[str, Any]

    def header(self, name: str) -> Header:
        return header_for(self.study.book, self.rules, self.settings, table=name, kind="virtual")

    @property
    def columns(self) -> dict[str, type]:
        """What is said of each round and box, side bets last."""
        return COLUMNS | {side.name: float for side in self.game.tables.sides}

    def rounds(self, least: int, store: Store | None = None) -> Iterator[Sampled]:
        """At least so many rounds, the last shoe played to its end.

        A DoesNotHold where the kernel would have it otherwise.
        """
        game, state = self.game, open_state(self.rules)
        shoe = VirtualShoe(sample_seed(game.seed))
        stakes = stakes_at(state, [side.name for side in game.tables.sides])
        table = PlannedTable(
            self.solver,
            Conductor(state, store, shoe),
            shoe,
            boxes=game.boxes,
            stakes=stakes,
            back=None if game.fresh else game.back,
            count=game.count,
        )
        beside = Beside(game.tables, game.rules, boxes=game.boxes, stakes=stakes, count=game.count)
        count, number, running, expected = 0, 0, 0, self.whole
        for played in table.rounds():
            _certify(played, beside, expected)
            if expected == self.whole:
                number, running = number + 1, game.count.by_count.bets.start if game.count else 0
            yield Sampled(played, stakes, number, self._count(running, played.left))
            running += self._counted(played)
            rest = played.left - played.outcome.taken
            over = game.fresh or rest <= played.behind
            count, expected = count + 1, self.whole if over else rest
            if over and count >= least:
                return

    @property
    def whole(self) -> int:
        """The cards of a new shoe before its first round."""
        rules = self.game.rules
        cards = sum(pack(rules.ranks, rules.house.decks))
        return cards if self.game.fresh else cards - rules.burn_cards

    def _count(self, running: int, left: int) -> int | None:
        if not self.game.count:
            return None
        return int(count_now(self.game.count.by_count.bets, running, left))  # type: ignore[no-untyped-call]

    def _counted(self, played: Played) -> int:
        """What the cards of a round count."""
        if not self.game.count:
            return 0
        tags = self.game.count.by_count.bets.tags
        return sum(int(tags[INDEX[card]]) for card in played.order[: played.outcome.taken])


class Sampled(Struct, frozen=True):
    """A round that table and kernel agree on, in which shoe, and the count before it."""

    played: Played
    stakes: Stakes
    shoe: int
    count: int | None

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each box; what is won is in units of the wager."""
        settled, won = self.played.settled, self.played.outcome
        for place, net in enumerate(won.nets):
            hands = settled.box(place + 1).hands
            yield {
                "shoe": self.shoe,
                "round": settled.round,
                "box": place + 1,
                "cards": " / ".join(" ".join(hand.cards) for hand in hands),
                "dealer": " ".join(settled.dealer),
                "left": self.played.left,
                "count": self.count,
                "net": net / self.stakes.main,
                "bonus": won.bonuses[place] / 100,
                "doubled": any(hand.doubled_on for hand in hands),
                "split": len(hands) > 1,
                "surrendered": any(hand.surrendered for hand in hands),
                "forfeited": any(stake.end == "forfeited" for hand in hands for stake in hand.stakes),
            } | {name: side / self.stakes.sides[name] for name, side in won.sides[place].items()}


def sample_seed(seed: int) -> int:
    """The seed of the sample's shoes, from that of the run."""
    words = np.random.SeedSequence(seed, spawn_key=KEY).generate_state(8, np.uint32)
    return int.from_bytes(words.astype("<u4").tobytes(), "little")


def _certify(played: Played, beside: Beside, expected: int) -> None:
    where = f"round {played.settled.round} of the sample: table and simulator differ"
    if played.left != expected:
        raise DoesNotHold(f"{where}: it began with {played.left} cards in the shoe, not {expected}")
    if found := difference(played, beside):
        raise DoesNotHold(f"{where}: {found}")


def sampled_table(game: Game, solver: Solver, study: Study) -> SampledTable:
    """The table on which rounds of a game are sampled.

    It offers the side bets that are simulated. A shoe that is shuffled before every round is an automated
    one, and a cutting card may lie where it does: where that is outside the law, the log's rules say so.
    """
    book, rules, settings = study.book, game.rules, dict(study.settings)
    if not game.fresh and game.back[1] >= sum(pack(rules.ranks, rules.house.decks)) - rules.burn_cards:
        raise ParseError("no card lies before the cutting card, and so no round can be sampled")
    if game.tables.sides:
        settings |= {bet.offered_as: TERMS[bet.stake] for bet in rules.side_bets.values()}
        offered = book.choose(**settings).house.side_bets
        rules = replace(rules, house=replace(rules.house, side_bets=offered))
    if game.fresh and not rules.house.automated_shoe:
        if book.rules.automated_shoe:
            settings["automated_shoe"] = True
        rules = replace(rules, automated_shoe=True, house=replace(rules.house, automated_shoe=True))
    low, high = game.window
    if not game.fresh and not low <= game.back[0] <= game.back[1] <= high:
        decks = Fraction(min(low, game.back[0]), deck_size(open_state(rules)))
        rules = replace(
            rules,
            cutting_card_back_decks=decks,
            cutting_card_back="at_least",
            cutting_card_back_share=None,
        )
    return SampledTable(game, solver, study, rules, book.demonstration | settings)


def stakes_at(state: State, sides: list[str]) -> Stakes:
    """The least that a table takes."""
    house = state.rules.house
    return Stakes(house.minimum, {name: _side_stake(state, name) for name in sides})


def _side_stake(state: State, name: str) -> int:
    terms = state.rules.side_bets[name]
    offer = state.rules.house.side_bets[terms.offered_as]
    if terms.stake == "limits":
        step = chip_step(state, offer.minimum)
        return -(-offer.minimum // step) * step
    return offer.amount if terms.stake == "approved_amount" else state.rules.house.minimum
