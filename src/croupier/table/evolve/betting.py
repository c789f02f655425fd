"""What seats and wagers do to the table."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.rulebook.wager import INSURANCE, MAIN
from croupier.table import events as ev
from croupier.table.evolve.steps import (
    bettors_of,
    with_bet,
    with_box,
    without_cutter,
)
from croupier.table.state import Bet, Box, Side, State, places_now, preference


def betting_opened(state: State, event: ev.BettingOpened) -> State:
    terms = replace(state.terms, offered_on=dict.fromkeys(state.terms.offered_on, state.day))
    return replace(state, stage="betting", round=event.round, results=(), terms=terms)


def seat_taken(state: State, event: ev.SeatTaken) -> State:
    return seated(state, event.player, event.box)


def seated(state: State, player: str, number: int) -> State:
    people = state.people
    if player not in people.arrivals:
        people = replace(people, arrivals=(*people.arrivals, player))
    return with_box(replace(state, people=people), replace(state.box(number), seat=player))


def seat_left(state: State, event: ev.SeatLeft) -> State:
    state = with_box(state, replace(state.box(event.box), seat=""))
    if any(box.seat == event.player for box in state.boxes):
        return state
    people = state.people
    left = tuple(player for player in people.arrivals if player != event.player)
    around = tuple(place for place in people.places if place.player != event.player)
    abstained = {player: count for player, count in people.abstained.items() if player != event.player}
    people = replace(people, arrivals=left, places=around, abstained=abstained)
    return without_cutter(replace(state, people=people), event.player)


def wager_placed(state: State, event: ev.WagerPlaced) -> State:
    box = state.box(event.box)
    own = box.bet_of(event.player)
    bet = replace(
        own,
        stake=own.stake + event.stake,
        over=own.over + event.over,
        under=event.under if event.stake else own.under,
        sides=_added(own.sides, event) if event.sides else own.sides,
    )
    people = state.people
    if event.player not in people.bettors:
        state = replace(state, people=replace(people, bettors=(*people.bettors, event.player)))
    return with_box(state, _with_bet_laid(box, bet))


def _added(sides: tuple[Side, ...], event: ev.WagerPlaced) -> tuple[Side, ...]:
    """The side bets with what the event lays down, or adds."""
    held = {side.name: side for side in sides}
    for name, stake in event.sides.items():
        side = held.get(name, Side(name=name, stake=0))
        over = side.over + event.sides_over.get(name, 0)
        held[name] = replace(side, stake=side.stake + stake, over=over)
    return tuple(held.values())


def _with_bet_laid(box: Box, bet: Bet) -> Box:
    """The box with a wager in its old place, or last; without a main wager it lies loose."""
    others = box.loose and tuple(old for old in box.loose if old.player != bet.player)
    if not bet.stake:
        return replace(box, loose=(*others, bet))
    if bet.player in [old.player for old in box.bets]:
        bets = tuple(bet if old.player == bet.player else old for old in box.bets)
    else:
        bets = (*box.bets, bet)
    return replace(box, bets=bets, loose=others)


def player_warned(state: State, event: ev.PlayerWarned) -> State:
    people = state.people
    return replace(state, people=replace(people, warned=(*people.warned, (event.player, event.wager))))


def wager_returned(state: State, event: ev.WagerReturned) -> State:
    box = state.box(event.box)
    if event.wager == MAIN:
        bets = tuple(bet for bet in box.bets if bet.player != event.player)
        return with_box(state, replace(box, bets=bets))
    if event.wager == INSURANCE:
        return with_bet(state, event.box, event.player, insurance=0, insurance_open=False)
    if event.unlaid:
        return state
    loose = (_without_side(bet, event) for bet in box.loose)
    return with_box(state, replace(box, loose=tuple(bet for bet in loose if bet.sides)))


def _without_side(bet: Bet, event: ev.WagerReturned) -> Bet:
    if bet.player != event.player:
        return bet
    return replace(bet, sides=tuple(side for side in bet.sides if side.name != event.wager))


def no_more_bets(state: State, event: ev.NoMoreBets) -> State:
    people = state.people
    bettors = bettors_of(state)
    full = "" not in [box.seat for box in state.boxes]
    abstained = {
        box.seat: people.abstained.get(box.seat, 0) + 1 if full and box.seat not in bettors else 0
        for box in state.boxes
        if box.seat
    }
    if state.shoe_round == 0:
        first = every = tuple(sorted(bettors))
    else:
        first = people.first_round_bettors
        every = tuple(player for player in people.every_round_bettors if player in bettors)
    people = replace(
        people,
        abstained=abstained,
        first_round_bettors=first,
        every_round_bettors=every,
        places=places_now(state),
    )
    left = None if state.final_left is None else state.final_left - 1
    boxes = tuple([_with_deciders(state, box) if box.bets else box for box in state.boxes])
    return replace(
        state,
        stage="dealing",
        boxes=boxes,
        people=people,
        shoe_round=state.shoe_round + 1,
        final_left=left,
    )


def _with_deciders(state: State, box: Box) -> Box:
    """Who decides for the box in this round is settled now, whoever sits down later."""
    order = preference(state.rules, box)
    return replace(box, order=order, seated=box.seat if box.seat in order else "")
