"""What seats and wagers do to the table."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.table import events as ev
from croupier.table.evolve.steps import (
    bettors_of,
    on,
    with_bet,
    with_box,
)
from croupier.table.state import (
    Bet,
    Side,
    State,
    places_now,
)


@on(ev.BettingOpened)
def _betting_opened(state: State, event: ev.BettingOpened) -> State:
    offered = state.offered_on
    if any(day != state.day for day in offered.values()):
        offered = dict.fromkeys(offered, state.day)
    return replace(state, stage="betting", round=event.round, results=(), offered_on=offered)


@on(ev.SeatTaken)
def _seat_taken(state: State, event: ev.SeatTaken) -> State:
    people = state.people
    if event.player not in people.arrivals:
        people = replace(people, arrivals=(*people.arrivals, event.player))
    box = replace(state.box(event.box), seat=event.player)
    return with_box(replace(state, people=people), box)


@on(ev.SeatLeft)
def _seat_left(state: State, event: ev.SeatLeft) -> State:
    state = with_box(state, replace(state.box(event.box), seat=""))
    if any(box.seat == event.player for box in state.boxes):
        return state
    people = state.people
    left = tuple(player for player in people.arrivals if player != event.player)
    around = tuple(place for place in people.places if place[1] != event.player)
    abstained = {player: count for player, count in people.abstained.items() if player != event.player}
    return replace(state, people=replace(people, arrivals=left, places=around, abstained=abstained))


@on(ev.WagerPlaced)
def _wager_placed(state: State, event: ev.WagerPlaced) -> State:
    box = state.box(event.box)
    sides = tuple(Side(name=name, stake=stake) for name, stake in event.sides.items())
    if not event.stake:  # side bets beside a wager that lies there already
        own = next(bet for bet in box.bets if bet.player == event.player)
        return with_bet(state, event.box, event.player, sides=(*own.sides, *sides))
    bet = Bet(player=event.player, stake=event.stake, over=event.over, under=event.under, sides=sides)
    people = state.people
    if event.under and event.player not in people.warned:
        state = replace(state, people=replace(people, warned=(*people.warned, event.player)))
    return with_box(state, replace(box, bets=(*box.bets, bet)))


@on(ev.WagerReturned)
def _wager_returned(state: State, event: ev.WagerReturned) -> State:
    if event.wager != "main":
        return state
    box = state.box(event.box)
    return with_box(state, replace(box, bets=tuple(bet for bet in box.bets if bet.player != event.player)))


@on(ev.NoMoreBets)
def _no_more_bets(state: State, event: ev.NoMoreBets) -> State:
    people = state.people
    bettors = bettors_of(state)
    full = all(box.seat for box in state.boxes)
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
    return replace(state, stage="dealing", people=people, shoe_round=state.shoe_round + 1, final_left=left)
