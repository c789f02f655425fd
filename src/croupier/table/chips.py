"""Chips: what lies on the layout, and what every event moves between players, layout and float.

A ledger is a fold of `moves`: each takes an amount from one account and gives it to another, so that the
sum over all accounts is zero whatever happens. What a player holds is told as the change since the table
opened. Chips above a maximum never count: they go back to their owner unplayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple

from croupier.money import Cents
from croupier.rulebook.wager import INSURANCE, MAIN
from croupier.table import events as ev
from croupier.table.state import Bet, Box, State


class Account(NamedTuple):
    """Where chips can be: with a player, as a player's on a box, or in the table's float."""

    place: Literal["player", "box", "float"]
    player: str = ""
    box: int = 0


FLOAT = Account("float")


def held_by(player: str) -> Account:
    return Account("player", player)


def on_box(player: str, box: int) -> Account:
    return Account("box", player, box)


class ChipMove(NamedTuple):
    """Chips go from one account to another; the amount is more than nothing."""

    source: Account
    target: Account
    amount: Cents


Moves = Iterator[ChipMove]


# What lies on the layout


def undecided(box: Box, bet: Bet) -> Cents:
    """What a bettor has on a box and is undecided."""
    if bet.void:
        return 0
    stakes = [stake for hand in box.hands for stake in hand.stakes if stake.player == bet.player]
    main = sum(stake.total for stake in stakes if stake.lives) if stakes else bet.stake
    beside = sum(side.stake for side in bet.sides if side.open)
    return main + beside + (bet.insurance if bet.insurance_open else 0)


def on_table(state: State, player: str) -> Cents:
    """What a player has on the table and is undecided."""
    return sum(undecided(box, bet) for box in state.boxes for bet in box.lying if bet.player == player)


def _of_wager(state: State, event: ev.Settled | ev.SettlementUndone) -> tuple[Cents, bool]:
    """The chips of one wager, and whether they lie on the layout still."""
    box = state.box(event.box)
    if event.wager == MAIN:
        stakes = box.hands[event.hand - 1].stakes
        stake = next(stake for stake in stakes if stake.player == event.player)
        return stake.total, stake.lives
    bet = box.bet_of(event.player)
    if event.wager == INSURANCE:
        return bet.insurance, bet.insurance_open
    side = next((side for side in bet.sides if side.name == event.wager), None)
    return (side.stake, side.open) if side else (0, False)


# What an event moves


def moves(state: State, event: ev.Event) -> tuple[ChipMove, ...]:
    """What an event moves at a table in this state, which it has not changed yet."""
    find = MOVES.get(type(event))
    return tuple(move for move in find(state, event) if move.amount) if find else ()


def _move(source: Account, target: Account, amount: Cents) -> ChipMove:
    return ChipMove(source, target, amount) if amount >= 0 else ChipMove(target, source, -amount)


def _won(player: str, net: Cents) -> ChipMove:
    """What a player wins from the float, or loses to it."""
    return _move(FLOAT, held_by(player), net)


def _laid(player: str, box: int, amount: Cents) -> ChipMove:
    return _move(held_by(player), on_box(player, box), amount)


def _placed(state: State, event: ev.WagerPlaced) -> Moves:
    yield _laid(event.player, event.box, event.stake + sum(event.sides.values()))


def _returned(state: State, event: ev.WagerReturned) -> Moves:
    if not event.unlaid:
        bet = state.box(event.box).bet_of(event.player)
        yield _laid(event.player, event.box, -event.amount + _over(bet, event.wager))


def _over(bet: Bet, wager: str) -> Cents:
    """What of a wager lies above its maximum; with the main wager its side bets go back."""
    sides = sum(side.over for side in bet.sides if wager in (MAIN, side.name))
    return sides + (bet.over if wager == MAIN else 0)


def _insured(state: State, event: ev.InsurancePlaced) -> Moves:
    yield _laid(event.player, event.box, event.amount)


def _split(state: State, event: ev.HandSplit) -> Moves:
    for stake in state.hand(event.box, event.hand).stakes:
        if stake.player in event.players:
            yield _laid(stake.player, event.box, stake.original)


def _doubled(state: State, event: ev.HandDoubled) -> Moves:
    for player, amount in event.amounts.items():
        yield _laid(player, event.box, amount)


def _settled(state: State, event: ev.Settled) -> Moves:
    """What is lost goes to the float and the rest of the stake back; what is won comes from the float."""
    chips, lies = _of_wager(state, event)
    stake = chips if lies else 0
    lost = min(stake, max(0, -event.net))
    yield _move(on_box(event.player, event.box), FLOAT, lost)
    yield _laid(event.player, event.box, lost - stake)
    yield _won(event.player, event.net + lost)


def _unsettled(state: State, event: ev.SettlementUndone) -> Moves:
    chips, lies = _of_wager(state, event)
    yield _won(event.player, -event.net)
    yield _laid(event.player, event.box, 0 if lies else chips)


def _voided(state: State, event: ev.WagerVoided) -> Moves:
    """The chips go back, and what had been won with them."""
    yield _won(event.player, -event.undone)
    if event.round is None:
        box = state.box(event.box)
        yield _laid(event.player, event.box, -undecided(box, box.bet_of(event.player)))


def _round_voided(state: State, event: ev.RoundVoided) -> Moves:
    yield from _all_won(event.back)


def _round_invalidated(state: State, event: ev.RoundInvalidated) -> Moves:
    """What the round moved is undone, then its wagers kept where they are not refunded."""
    earlier = state.past.of(event.round)
    results = state.results if earlier is None else earlier.results
    yield from _all_won((result.player, -result.net) for result in results)
    if earlier is None:
        for box in state.boxes:
            for bet in box.lying:
                yield _laid(bet.player, box.number, -undecided(box, bet))
    if not event.refunded:
        yield from _all_won((player, -amount) for player, amount in event.wagers)


def _all_won(amounts: Iterable[tuple[str, Cents]]) -> Moves:
    for player, amount in amounts:
        yield _won(player, amount)


def _ruled(state: State, event: ev.DisputeRuled) -> Moves:
    yield _won(event.player, event.paid)


MOVES: dict[type[ev.Event], Callable[[State, Any], Moves]] = {
    ev.WagerPlaced: _placed,
    ev.WagerReturned: _returned,
    ev.InsurancePlaced: _insured,
    ev.HandSplit: _split,
    ev.HandDoubled: _doubled,
    ev.Settled: _settled,
    ev.SettlementUndone: _unsettled,
    ev.WagerVoided: _voided,
    ev.RoundVoided: _round_voided,
    ev.RoundInvalidated: _round_invalidated,
    ev.DisputeRuled: _ruled,
}
