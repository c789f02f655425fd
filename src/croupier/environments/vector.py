"""A Gymnasium vector environment: thousands of games in lock step, on the simulator's compiled functions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from croupier.cards import ALL_CARDS, INDEX, RANKS, Card, pack
from croupier.environments.questions import (
    DEALER,
    DOUBLE,
    HIT,
    NOTHING,
    QUESTION,
    SOFT,
    SPLIT,
    STAND,
    SUITS,
    TOTAL,
    Options,
    options_of,
)
from croupier.environments.seats import unit_of
from croupier.environments.single import SEEDS
from croupier.environments.steps import (
    BOX_SIZE,
    GAME,
    KNOWN,
    ONE,
    UP,
    WORD,
    Games,
    Terms,
    Told,
    give_orders,
    reset_games,
    see_games,
    step_games,
)
from croupier.errors import ParseError, RulebookError
from croupier.exact.asked import goes_on, may_double, may_hit, may_stand
from croupier.exact.hands import Array
from croupier.exact.shoe import fresh
from croupier.exact.solver import Solver
from croupier.game.offers import insurance_offered, opens_even_money, opens_surrender
from croupier.game.pay import super_bonus_for
from croupier.rulebook import Rules
from croupier.simulate.kernel import NOTES
from croupier.simulate.run import back_of
from croupier.simulate.shoe import CARD_SHIFT, WORDS, chance_from
from croupier.simulate.tables import SPLIT_ACE, SPLIT_HAND, WHOLE, Tables, tables_of
from croupier.table import open_state
from croupier.table.offers import insurable_yet
from croupier.table.state import Bet


class GamesEnv(VectorEnv[Array, Array, Array]):
    """So many games of one rulebook. Keyword arguments are those of `options_of`; there are no side bets.

    A finished episode goes on in the same step with the next (`AutoresetMode.SAME_STEP`); its last
    observation is in `info["final_obs"]`. An action that is not open is refused: nothing has changed in its
    game, and `info["refused"]` is true of it. `penetration`: the share of the shoe before the cutting card.
    `copy`: arrays are the caller's; without it they are those of the environment, which the next step
    overwrites.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        rulebook: str,
        num_envs: int = 1,
        *,
        penetration: float | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if num_envs < 1 or render_mode is not None:
            raise ParseError(
                f"{num_envs} games, render_mode {render_mode!r}: one or more games, and none is shown"
            )
        self.options: Options = options_of(rulebook, **options)
        if self.options.side_bets:
            raise ParseError("many games at once are played without side bets: make one environment for them")
        self.num_envs, self.copy = num_envs, copy
        self.single_action_space = self.options.action_space
        self.single_observation_space = self.options.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        rules = self.options.rules
        solver = Solver(rules, fresh(rules.ranks, rules.house.decks))
        self.tables: Tables = tables_of(solver, planned=False)
        self._places = np.array(self.tables.places)
        self.unit = unit_of(self.options)
        self.terms = _terms(
            solver, self.options, self.tables, self.unit, back_of(rules, penetration, window=False)
        )
        self.games = _games(self.options, self.terms, num_envs)
        self._told = _room_to_tell(self.options, num_envs)
        self._chance: Any = None
        nothing_asked = np.zeros(self.options.gone_at, np.uint8)
        nothing_asked[QUESTION] = NOTHING
        self._nothing_asked = np.broadcast_to(nothing_asked, (num_envs, len(nothing_asked)))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Fresh shoes; with the option `orders` cards for the next round of every game, the next first."""
        super().reset(seed=seed)
        if self._chance is None or seed is not None:
            self._chance = chance_from(np.random.SeedSequence(int(self.np_random.integers(SEEDS))))
            self.games.decks[:] = self.games.shared[:] = _deck(self.options.rules) << CARD_SHIFT
        if options and "orders" in options:
            self._lay(options["orders"])
        else:
            reset_games(self.terms, self.games, self._chance)
        told = self._to_tell()
        see_games(self.tables.flat, self._places, self.terms, self.games, told.seen)
        seen = self._seen(told)
        return seen, {"action_mask": self.options.mask_in(seen)}

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        if self._chance is None:
            raise ParseError("the games have not begun: reset begins them")
        given = np.ascontiguousarray(actions, np.int64)
        if given.shape != (self.num_envs,):
            raise ParseError(f"actions of shape {given.shape}: one for each of {self.num_envs} games")
        told = self._to_tell()
        if not step_games(self.tables.flat, self._places, self.terms, self.games, self._chance, given, told):
            raise RulebookError(
                "the shoe ran out within a round, for which the rules provide nothing (shoe_runs_out)"
            )
        seen = self._seen(told)
        info = {
            "action_mask": self.options.mask_in(seen),
            "refused": told.refused,
            "final_obs": self._last(),
            "_final_obs": told.over,
        }
        return seen, told.rewards, told.over, np.zeros(self.num_envs, np.bool_), info

    def _to_tell(self) -> Told:
        """Where a step writes what came of it: arrays that will be the caller's, or always the same."""
        return _room_to_tell(self.options, self.num_envs) if self.copy else self._told

    def _seen(self, told: Told) -> Array:
        seen: Array = told.seen.view(np.uint8)[:, : self.options.gone_at]
        return np.column_stack([seen, self.games.gone]) if self.options.see_gone else seen

    def _last(self) -> Array:
        """With what episodes have ended: nothing is asked any more."""
        last = self._nothing_asked
        return np.column_stack([last, self.games.gone_last]) if self.options.see_gone else last

    def _lay(self, orders: Sequence[Sequence[Card]]) -> None:
        """Cards in the order in which they come out; those of the packs that are not among them are gone."""
        if len(orders) != self.num_envs:
            raise ParseError(f"{len(orders)} orders of cards: one for each of {self.num_envs} games")
        whole = _deck(self.options.rules)
        for game, order in enumerate(orders):
            cards = np.array([INDEX[card] for card in order])
            rest = np.bincount(whole, minlength=52) - np.bincount(cards, minlength=52)
            if rest.min() < 0:
                raise ParseError(f"order {game} has cards that the packs do not hold")
            self.games.decks[game] = np.append(cards, np.repeat(np.arange(52), rest)) << CARD_SHIFT
        give_orders(self.terms, self.games, np.array([len(order) for order in orders]))


def _deck(rules: Rules) -> Array:
    counts = pack(rules.ranks, rules.house.decks)
    return np.repeat(np.arange(len(counts)), list(counts))


def _games(options: Options, terms: Terms, many: int) -> Games:
    cards = len(_deck(options.rules))
    return Games(
        decks=np.zeros((many, cards), np.uint16),
        shared=np.zeros(cards, np.uint16),
        rows=np.zeros((many, GAME), np.int32),
        boxes=np.zeros((many, BOX_SIZE * terms.boxes), np.uint16),  # what has no sign is divided sooner
        notes=np.zeros((many, terms.room * terms.boxes), np.int16),
        gone=np.zeros((many, len(RANKS)), np.uint8),
        gone_last=np.zeros((many, len(RANKS)), np.uint8),
        picks=np.zeros(WORDS, np.uint32),
    )


def _room_to_tell(options: Options, many: int) -> Told:
    return Told(
        seen=np.empty((many, -(-options.gone_at // WORD)), np.uint64),
        rewards=np.empty(many),
        over=np.empty(many, np.bool_),
        refused=np.empty(many, np.bool_),
    )


def _terms(solver: Solver, options: Options, tables: Tables, unit: int, back: tuple[int, int]) -> Terms:
    rules, places = options.rules, tables.places
    state = open_state(rules)
    insures, evens, surrenders = _offers(rules)
    insurable = [insurable_yet(state, Bet("p1", stake=units * unit)) for units in options.bets]
    return Terms(
        dealt=_dealt(tables, options.boxes),
        moves=_moves(solver).ravel(),
        offers=_by_card(insures.any(axis=1) | evens | surrenders).astype(np.uint8),
        insures=insures.astype(np.uint8).ravel(),
        evens=evens.astype(np.uint8),
        known=_known(solver),
        dealers=_dealers(),
        spread=np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        .view(np.uint64)
        .ravel(),
        units=np.array(options.bets, np.float64),
        insurance=np.array(insurable) / unit,
        bonus=np.array(_bonuses(options, unit)) / unit,
        insurance_pays=float(rules.insurance_pays),
        even_pays=int(rules.even_money_pays * places.unit),
        forfeits=rules.forfeit,
        boxes=options.boxes,
        room=NOTES * (1 + max(places.most_hands, places.most_aces)),
        burnt=rules.burn_cards,
        nearest=back[0],
        farthest=back[1],
        fresh=options.fresh,
        ready=min(4 + 6 * options.boxes, len(_deck(rules))),
        whole_shoe=options.episode == "shoe",
        see_gone=options.see_gone,
    )


def _dealt(tables: Tables, boxes: int) -> Array:
    """Where among the boxes the cards of the initial deal lie, in the order in which they come."""
    places: list[int] = []
    order = tables.flat[tables.places.order :][: tables.places.parts]
    for part, to_boxes in enumerate(order):
        card = ONE + int(order[:part].sum())
        places += [BOX_SIZE * box + card for box in range(boxes)] if to_boxes else [UP]
    return np.array(places, np.uint16)


def _offers(rules: Rules) -> tuple[Array, Array, Array]:
    """By the dealer's rank: is insurance (by natural, by lives), even money, surrender open?"""
    insures = [
        [
            rank in rules.ranks and insurance_offered(rules, rank, natural=natural, lives=lives)
            for natural in (False, True)
            for lives in (False, True)
        ]
        for rank in RANKS
    ]
    evens = [rank in rules.ranks and opens_even_money(rules, rank) for rank in RANKS]
    surrenders = [rank in rules.ranks and opens_surrender(rules, rank) for rank in RANKS]
    return np.array(insures), np.array(evens), np.array(surrenders)


def _by_card(by_rank: Array) -> Array:
    return np.tile(by_rank, len(ALL_CARDS) // len(RANKS))


def _dealers() -> Array:
    """The word in which a card of the dealer's is seen."""
    words = np.zeros((len(ALL_CARDS), WORD), np.uint8)
    words[:, DEALER % WORD] = _by_card(np.arange(1, len(RANKS) + 1))
    return words.view(np.uint64).ravel()


def _known(solver: Solver) -> Array:
    """What is seen of every hand by its values, in words; of those whose suits count, that they do."""
    table = solver.hands
    known = np.zeros((len(table.size), KNOWN * WORD), np.uint8)
    known[:, : table.counts.shape[1]] = table.counts
    known[:, [TOTAL, SOFT, SUITS]] = np.column_stack([table.total, table.soft, solver.law.suited >= 0])
    return known.view(np.uint64).ravel()


def _moves(solver: Solver) -> Array:
    """By kind of hand and by hand what it may do, as bits; nothing if its last card has ended it."""
    rules, limits, table = solver.rules, solver.limits, solver.hands
    moves = np.zeros((3, len(table.size)), np.uint8)
    pairs = (
        (table.size == 2)
        & np.isin(table.counts.argmax(axis=1), solver.splittable)
        & (table.counts.max(axis=1) == 2)
    )
    for kind, split in ((WHOLE, ""), (SPLIT_HAND, "others"), (SPLIT_ACE, "aces")):
        stands = goes_on(rules, limits, split) & may_stand(rules, limits, split)
        moves[kind] = (
            (stands << STAND)
            + (may_hit(rules, limits, split) << HIT)
            + (may_double(rules, limits, split) << DOUBLE)
            + ((goes_on(rules, limits, split) & pairs) << SPLIT)
        )
    return moves


def _bonuses(options: Options, unit: int) -> list[int]:
    """What a Super Bonus pays in cents, by bet; at the end what a box without one has of another's."""
    bonus = options.rules.super_bonus
    if bonus is None or not options.super_bonus:
        return [0] * (1 + len(options.bets))
    if options.boxes > 1 and options.rules.super_bonus_others != "every_wager":
        raise RulebookError(
            "many games at once do not look who shares in another box's Super Bonus (super_bonus_others)"
        )
    own = [super_bonus_for(bonus, Fraction(units * unit, 100))[0] for units in options.bets]
    return [100 * amount for amount in (*own, bonus.others)]
