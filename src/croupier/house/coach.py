"""The coach: what each choice is worth, from the very cards that are left.

Only for play on one's own; at a table nobody is told how to play. A value is exact for the hand by itself:
all cards that have been seen are gone from the shoe, and the other hands of a split are left to themselves.
Of a double or insurance for less the worth is taken in proportion.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from msgspec import Struct

from croupier.cards import Card
from croupier.errors import ParseError, RulebookError
from croupier.exact.shoe import CardsLeft, of_counts
from croupier.exact.sidebets import even_money, insurance
from croupier.exact.solution import Decision, Solution, solve
from croupier.game.hand import is_natural
from croupier.game.offers import opens_even_money, opens_insurance
from croupier.table.offers import insurable_yet
from croupier.table.state import BoxHand, State

NOTHING = 0.5  # cents: less is no mistake


class Advice(Struct, frozen=True):
    """What the choices of a moment are worth to a player, in cents: by the letters h s d p, r i e n, f n."""

    about: str
    worth: dict[str, float]

    @property
    def best(self) -> str:
        return max(self.worth, key=self.worth.__getitem__)

    def cost(self, choice: str, share: float = 1) -> float:
        """What a choice gives away; `share`: made for so much of what it could be made for."""
        worth = self.worth[choice]
        if share != 1:
            usual = self.worth["n"] if choice == "i" else 0.0
            worth = usual + (worth - usual) * share
        return max(0.0, self.worth[self.best] - worth)


class Judged(Struct, frozen=True):
    """A decision that was made: on what, which, which would have been best, and what it cost in cents."""

    about: str
    choice: str
    best: str
    cost: float

    @property
    def is_best(self) -> bool:
        return self.cost < NOTHING


def on_hand(state: State, box: int, number: int, player: str) -> Advice | None:
    """Hit, stand, double or split for the hand whose turn it is; None where there is no telling."""
    hand, hands = state.hand(box, number), len(state.box(box).hands)
    cards = " ".join(hand.cards)

    def decided(game: Solution, upcard: Card) -> Decision:
        if hand.split:
            return game.split_decision(cards, upcard, number, hands)
        return game.decision(cards, upcard)

    return _advised(state, hand, player, lambda game, upcard: _units(decided(game, upcard), "SHDP"))


def on_double(state: State, box: int, number: int, player: str) -> Advice | None:
    """Forfeit a doubled hand, or not (n)."""
    hand = state.hand(box, number)

    def worth(game: Solution, upcard: Card) -> dict[str, Any]:
        found = game.forfeit_decision(hand, upcard, first=number == 1).worth
        return {"f": found["F"], "n": found["K"]}

    return _advised(state, hand, player, worth)


def on_offers(state: State, box: int, player: str) -> Advice | None:
    """Insurance, even money and surrender, or none of them (n)."""
    hand = state.box(box).hands[0]

    def worth(game: Solution, upcard: Card) -> dict[str, Any]:
        found = _played_on(game, hand, upcard)
        if opens_insurance(state.rules, upcard[0]):
            found["i"] = found["n"] + _insured(state, box, player) * _insurance(game, hand, upcard)
        return found

    return _advised(state, hand, player, worth)


def _played_on(game: Solution, hand: BoxHand, upcard: Card) -> dict[str, Any]:
    """What playing on is worth, and what is offered instead of it."""
    if not is_natural(game.rules, hand):
        worth = game.decision(" ".join(hand.cards), upcard).worth
        instead = {"r": worth["R"]} if "R" in worth else {}
        return {"n": max(worth[action] for action in worth if action != "R"), **instead}
    if opens_even_money(game.rules, upcard[0]):
        found = even_money(game.rules, game.shoe, (hand.cards[0], hand.cards[1]), upcard)
        return {"n": found.declining, "e": found.taking}
    return {"n": game.rules.natural_pays}


def _insurance(game: Solution, hand: BoxHand, upcard: Card) -> Fraction:
    return insurance(game.rules, game.shoe, *hand.cards, upcard=upcard).ev


def _insured(state: State, box: int, player: str) -> Fraction:
    """The most that can be insured, in units of the wager."""
    bet = state.box(box).bet_of(player)
    return Fraction(insurable_yet(state, bet), bet.stake)


def _advised(
    state: State, hand: BoxHand, player: str, worth: Callable[[Solution, Card], dict[str, Any]]
) -> Advice | None:
    stake, upcard = hand.stake_of(player), state.upcard
    if not stake or upcard is None:
        return None
    prize = Fraction(stake, 100) if state.rules.super_bonus else None
    try:
        game = solve(state.rules, shoe=_cards(state, hand, upcard), wager=prize)
        found = {choice: float(units) * stake for choice, units in worth(game, upcard).items()}
    except (ParseError, RulebookError):
        return None
    return Advice(about=f"{' '.join(hand.cards)} against {upcard}", worth=found)


def _cards(state: State, hand: BoxHand, upcard: Card) -> CardsLeft:
    """The cards that the solver starts from: those not seen, and those of the hand itself and the dealer."""
    return of_counts(state.shoe.unseen, *hand.cards, upcard)


def _units(decision: Decision, actions: str) -> dict[str, Any]:
    return {action.lower(): decision.worth[action] for action in actions if action in decision.worth}
