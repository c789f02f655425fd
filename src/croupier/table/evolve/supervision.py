"""What orders of operator, supervisor and regulator do to the table."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.rulebook.wager import KEPT
from croupier.table import events as ev
from croupier.table.evolve.betting import seated
from croupier.table.evolve.rounds import collected, ended
from croupier.table.evolve.steps import (
    cards_on_table,
    new_shoe,
    paid,
    unopened,
    with_bet,
    with_box,
    without_cutter,
)
from croupier.table.state import (
    PREPARING,
    Dispute,
    Held,
    Notice,
    People,
    Result,
    State,
    bets_closed,
)


def notice_given(state: State, event: ev.NoticeGiven) -> State:
    given = Notice(of=event.of, to=event.to, minimum=event.minimum, maximum=event.maximum)
    return replace(state, notices=(*_without_notices(state, event.of, event.to), given))


def _without_notices(state: State, of: str, to: str = "") -> tuple[Notice, ...]:
    """The notices given, less those of one thing (to somebody) that are used up or overtaken."""
    return tuple(notice for notice in state.notices if notice.of != of or (to and notice.to != to))


def limits_set(state: State, event: ev.LimitsSet) -> State:
    notices = _without_notices(state, "limits")
    terms = replace(state.terms, minimum=event.minimum, maximum=event.maximum)
    return replace(state, terms=terms, notices=notices)


def cards_determined(state: State, event: ev.CardsDetermined) -> State:
    same_decks = event.decks == state.terms.decks
    terms = replace(state.terms, decks=event.decks, shuffle=event.shuffle)
    state = replace(state, terms=terms, notices=_without_notices(state, "cards"))
    if same_decks:
        return state
    return replace(state, shoe=new_shoe(state), stage=unopened(state.rules))


def side_bet_set(state: State, event: ev.SideBetSet) -> State:
    offered = {name: day for name, day in state.terms.offered_on.items() if name != event.name}
    if event.offered:
        offered[event.name] = state.day
    return replace(state, terms=replace(state.terms, offered_on=offered))


def day_begun(state: State, event: ev.DayBegun) -> State:
    """A new day: the cards are to be checked, and the game is just beginning."""
    closed = state.stage == "closed"
    state = replace(
        state,
        day=event.day,
        begun=state.begun and not closed,
        final_left=None,
        closing=False,
        checked_at_end=False,
        notices=(),
    )
    if not closed:
        return state
    shoe = replace(new_shoe(state), number=0, met=None, then="idle")
    return replace(state, shoe=shoe, stage=unopened(state.rules))


def cutting_cards_determined(state: State, event: ev.CuttingCardsDetermined) -> State:
    return replace(state, terms=replace(state.terms, cutting_cards=event.count))


def marker_removed(state: State, event: ev.MarkerRemoved) -> State:
    return with_box(state, replace(state.box(event.box), raised_to=0, raised_for=""))


def limit_raised(state: State, event: ev.LimitRaised) -> State:
    return with_box(state, replace(state.box(event.box), raised_to=event.maximum, raised_for=event.player))


def player_held(state: State, event: ev.PlayerHeld) -> State:
    people = state.people
    held = Held(player=event.player, minimum=event.minimum, first_box=event.first_box)
    others = tuple(other for other in people.held if other.player != event.player)
    return replace(state, people=replace(people, held=(*others, held)))


def box_given_up(state: State, event: ev.BoxGivenUp) -> State:
    return seated(state, event.to, event.box)


def card_replaced(state: State, event: ev.CardReplaced) -> State:
    if event.card is not None:
        return state
    return replace(state, shoe=new_shoe(state), stage="shuffle")


def final_rounds_announced(state: State, event: ev.FinalRoundsAnnounced) -> State:
    return replace(state, final_left=event.rounds)


def _move(state: State, moves: tuple[tuple[str, int], ...]) -> State:
    for player, amount in moves:
        state = replace(state, won=paid(state, player, amount))
    return state


def round_voided(state: State, event: ev.RoundVoided) -> State:
    return _move(_decided(state, event.round), event.back)


def _decided(state: State, number: int) -> State:
    return replace(state, past=state.past.with_changed(number, decided=True))


def round_invalidated(state: State, event: ev.RoundInvalidated) -> State:
    kept = () if event.refunded else tuple((player, -amount) for player, amount in event.wagers)
    earlier = state.past.of(event.round)
    if earlier is not None:
        back = tuple((result.player, -result.net) for result in earlier.results)
        return _move(_decided(state, event.round), back + kept)
    state = _move(state, tuple((result.player, -result.net) for result in state.results) + kept)
    results = tuple(Result(box=0, player=player, wager=KEPT, net=amount) for player, amount in kept)
    state = replace(state, results=results)
    state = _given_up(state)
    return _decided(ended(state, event.round), event.round)


def _given_up(state: State) -> State:
    """The cards of a round that is not finished are collected, a shuffle in its midst broken off."""
    preparing = state.stage in PREPARING
    count = len(cards_on_table(state))
    state = collected(state, count)
    shoe = replace(state.shoe, resume=None, then="idle", offer="", declined=(), shuffling=0)
    return replace(state, shoe=replace(shoe, shuffle_due=shoe.shuffle_due or preparing))


def breach_recorded(state: State, event: ev.BreachRecorded) -> State:
    people = state.people
    return replace(state, people=replace(people, breaches=(*people.breaches, event.player)))


def wager_voided(state: State, event: ev.WagerVoided) -> State:
    if event.round is not None:
        return _void_in_past(state, event)
    box = state.box(event.box)
    hands = tuple(
        replace(
            hand,
            stakes=tuple(
                replace(stake, end="void", super_bonus=False) if stake.player == event.player else stake
                for stake in hand.stakes
            ),
        )
        for hand in box.hands
    )
    results = tuple(
        result for result in state.results if (result.player, result.box) != (event.player, event.box)
    )
    state = replace(state, results=results, won=paid(state, event.player, -event.undone))
    state = with_box(state, replace(box, hands=hands))
    if not state.dealt:  # nothing has been dealt for it: it never lay there
        bets = tuple(bet for bet in box.bets if bet.player != event.player)
        loose = tuple(bet for bet in box.loose if bet.player != event.player)
        return with_box(state, replace(box, bets=bets, loose=loose))
    own = next(bet for bet in box.bets if bet.player == event.player)
    sides = tuple(replace(side, open=False) for side in own.sides)
    return with_bet(state, event.box, event.player, void=True, insurance_open=False, sides=sides)


def _void_in_past(state: State, event: ev.WagerVoided) -> State:
    """A wager of a finished round never counted."""
    mine = (event.box, event.player)
    old = next(past for past in state.past.last_first() if past.round == event.round)
    results = tuple(result for result in old.results if (result.box, result.player) != mine)
    laid = tuple(laid for laid in old.laid if (laid.box, laid.player) != mine)
    past = state.past.with_changed(old.round, results=results, laid=laid)
    return replace(state, past=past, won=paid(state, event.player, -event.undone))


def player_excluded(state: State, event: ev.PlayerExcluded) -> State:
    people = state.people
    state = replace(state, people=replace(people, excluded=(*people.excluded, event.player)))
    return without_cutter(state, event.player)


def dispute_opened(state: State, event: ev.DisputeOpened) -> State:
    people = state.people
    dispute = Dispute(player=event.player, about=event.about)
    return replace(state, people=replace(people, disputes=(*people.disputes, dispute)))


def dispute_ruled(state: State, event: ev.DisputeRuled) -> State:
    people: People = state.people
    disputes = tuple(
        replace(dispute, status=event.status, award=event.award) if index + 1 == event.dispute else dispute
        for index, dispute in enumerate(people.disputes)
    )
    return _move(replace(state, people=replace(people, disputes=disputes)), ((event.player, event.paid),))


def table_closed(state: State, event: ev.TableClosed) -> State:
    return replace(state, closing=True, stage=state.stage if bets_closed(state) else "closed")
