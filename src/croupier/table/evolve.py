"""evolve(state, event): what an event makes of the state. It never refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from croupier.cards import Card, pack, without
from croupier.rulebook.rules import Rules
from croupier.table import events as ev
from croupier.table.hands import bars_super_bonus
from croupier.table.state import (
    ROUNDS_ON_RECORD,
    Bet,
    Box,
    Dispute,
    Hand,
    Held,
    Past,
    People,
    Result,
    Shoe,
    Side,
    Stage,
    Stake,
    State,
    box_owner,
    places,
    places_now,
    present,
    round_in_progress,
)

Step = Callable[[State, Any], State]
_STEPS: dict[type, Step] = {}


def open_state(rules: Rules) -> State:
    """A table that has just been opened: cards unchecked, nobody there."""
    house = rules.house
    cards = pack(rules.ranks, house.decks)
    return State(
        rules=rules,
        shoe=Shoe(left=sum(cards), unseen=cards, automated=house.automated_shoe),
        boxes=tuple(Box(number=number) for number in range(1, house.boxes + 1)),
        stage="opening" if rules.card_check else "shuffle",
        offered_on=dict.fromkeys(house.side_bets, 0),
        minimum=house.minimum,
        maximum=house.maximum,
    )


def evolve(state: State, event: ev.Event) -> State:
    return _STEPS[type(event)](state, event)


def _on(kind: type) -> Callable[[Step], Step]:
    def register(step: Step) -> Step:
        _STEPS[kind] = step
        return step

    return register


def _same(state: State, event: ev.Event) -> State:
    return state


for _kind in (ev.PlayerWarned, ev.CardMisplaced, ev.Told, ev.TableOpened):
    _STEPS[_kind] = _same


def with_box(state: State, box: Box) -> State:
    boxes = state.boxes
    return replace(state, boxes=(*boxes[: box.number - 1], box, *boxes[box.number :]))


def with_hand(state: State, box_number: int, hand_number: int, hand: Hand) -> State:
    box = state.boxes[box_number - 1]
    hands = (*box.hands[: hand_number - 1], hand, *box.hands[hand_number:])
    return with_box(state, replace(box, hands=hands))


def _seen(shoe: Shoe, card: Card) -> Shoe:
    """The shoe after a card left it; a card held since it was drawn in error had left it before."""
    if shoe.held:
        return replace(shoe, held=shoe.held[1:])
    return replace(shoe, left=shoe.left - 1, unseen=without(shoe.unseen, (card,)))


def cards_on_table(state: State) -> list[Card]:
    """Every card that lies on the table, the dealer's last."""
    hands = [hand for box in state.boxes for hand in box.hands if not hand.removed]
    return [card for hand in hands for card in hand.cards] + list(state.dealer)


# Cards and shoe


@_on(ev.CardsChecked)
def _cards_checked(state: State, event: ev.CardsChecked) -> State:
    return (
        replace(state, stage="shuffle") if state.stage == "opening" else replace(state, checked_at_end=True)
    )


@_on(ev.CardsShuffled)
def _cards_shuffled(state: State, event: ev.CardsShuffled) -> State:
    shoe = state.shoe
    everything = pack(state.rules.ranks, state.rules.house.decks)
    if event.what == "all":
        fresh = Shoe(
            left=event.count,
            unseen=everything,
            number=shoe.number,
            met=shoe.met,
            met_by=shoe.met_by,
            then=shoe.then,
            shuffle_at=shoe.shuffle_at,
            automated=shoe.automated,
            shuffling=event.count,
        )
    else:
        rack = 0 if event.what == "rack" else shoe.rack
        unseen = without(everything, cards_on_table(state)) if event.what == "rack" else shoe.unseen
        fresh = replace(
            shoe,
            left=event.count,
            rack=rack,
            unseen=unseen,
            shuffling=event.count,
            offer="",
            declined=(),
            first_offer=0,
        )
    return replace(state, shoe=fresh, stage="cut")


@_on(ev.CutOffered)
def _cut_offered(state: State, event: ev.CutOffered) -> State:
    shoe = state.shoe
    boxes = [box for box, player in places(state) if player == event.player]
    first = shoe.first_offer or max(boxes, default=0)
    return replace(state, shoe=replace(shoe, offer=event.player, first_offer=first))


@_on(ev.CutDeclined)
def _cut_declined(state: State, event: ev.CutDeclined) -> State:
    shoe = state.shoe
    return replace(state, shoe=replace(shoe, offer="", declined=(*shoe.declined, event.player)))


@_on(ev.CardsCut)
def _cards_cut(state: State, event: ev.CardsCut) -> State:
    shoe = state.shoe
    if shoe.resume is not None:
        return replace(
            state, stage=shoe.resume, shoe=replace(shoe, resume=None, offer="", declined=(), shuffling=0)
        )
    return replace(state, stage="place", shoe=replace(shoe, offer="", declined=()))


@_on(ev.CuttingCardPlaced)
def _cutting_card_placed(state: State, event: ev.CuttingCardPlaced) -> State:
    shoe = state.shoe
    front = None if event.from_front is None else shoe.left - event.from_front
    return replace(state, shoe=replace(shoe, back_card=event.from_back, front_card=front, shuffling=0))


@_on(ev.ShoeLoaded)
def _shoe_loaded(state: State, event: ev.ShoeLoaded) -> State:
    shoe = replace(
        state.shoe,
        number=state.shoe.number + 1,
        burns_due=event.burns,
        met=None,
        met_by="",
        shuffle_due=False,
        shuffling=0,
        automated=event.automated,
        then=state.shoe.then if event.burns else "idle",
    )
    announced = state.shoe.then == "dealing"
    bettors = tuple(sorted(_bettors(state))) if announced else ()
    people = replace(state.people, held=(), first_round_bettors=bettors, every_round_bettors=bettors)
    stage: Stage = "burn" if event.burns else state.shoe.then
    return replace(state, shoe=shoe, people=people, shoe_round=int(announced), stage=stage)


def _bettors(state: State) -> set[str]:
    return {bet.player for box in state.boxes for bet in box.bets}


@_on(ev.ShuffleInstructed)
def _shuffle_instructed(state: State, event: ev.ShuffleInstructed) -> State:
    return replace(state, shoe=replace(state.shoe, shuffle_at=event.at))


@_on(ev.CardBurnt)
def _card_burnt(state: State, event: ev.CardBurnt) -> State:
    shoe = _seen(state.shoe, event.card)
    shoe = replace(shoe, rack=shoe.rack + 1)
    if state.stage != "burn":
        return replace(state, shoe=shoe)
    shoe = replace(shoe, burns_due=shoe.burns_due - 1)
    if shoe.burns_due:
        return replace(state, shoe=shoe)
    return replace(state, shoe=replace(shoe, then="idle"), stage=shoe.then)


@_on(ev.CuttingCardDrawn)
def _cutting_card_drawn(state: State, event: ev.CuttingCardDrawn) -> State:
    shoe = state.shoe
    shoe = replace(shoe, front_card=None) if event.which == "front" else replace(shoe, back_card=None)
    if event.then == "set_aside":
        return replace(state, shoe=shoe)
    owner = box_owner(state.box(event.at)) if event.at else places_now(state)[-1][1]
    shoe = replace(shoe, met=event.at, met_by=owner, shuffle_due=True)
    if event.then == "shuffle_now":
        return replace(state, shoe=replace(shoe, then=state.stage), stage="shuffle")
    return replace(state, shoe=shoe)


@_on(ev.CardDrawnInError)
def _card_drawn_in_error(state: State, event: ev.CardDrawnInError) -> State:
    shoe = state.shoe
    return replace(
        state,
        shoe=replace(
            shoe,
            left=shoe.left - 1,
            unseen=without(shoe.unseen, (event.card,)),
            held=(*shoe.held, event.card),
        ),
    )


@_on(ev.ShoeRanOut)
def _shoe_ran_out(state: State, event: ev.ShoeRanOut) -> State:
    shoe = replace(state.shoe, rack=state.shoe.rack + state.shoe.left, left=0, resume=state.stage)
    return replace(state, shoe=shoe, stage="shuffle")


@_on(ev.PastCuttingCardNoticed)
def _past_cutting_card_noticed(state: State, event: ev.PastCuttingCardNoticed) -> State:
    shoe = replace(state.shoe, shuffle_due=event.shuffle or state.shoe.shuffle_due)
    if event.shuffle and state.dealt == 0 and state.stage in ("idle", "betting", "dealing"):
        return replace(state, shoe=replace(shoe, then=state.stage), stage="shuffle")
    return replace(state, shoe=shoe)


@_on(ev.ShoeFailed)
def _shoe_failed(state: State, event: ev.ShoeFailed) -> State:
    if event.rectified:
        return state
    shoe = replace(state.shoe, failed=True, back_card=event.cutting_card)
    if not event.reshuffle:
        return replace(state, shoe=shoe)
    return replace(state, shoe=replace(shoe, resume=state.stage), stage="shuffle")


@_on(ev.ShoeReplaced)
def _shoe_replaced(state: State, event: ev.ShoeReplaced) -> State:
    cards = pack(state.rules.ranks, state.rules.house.decks)
    old = state.shoe
    shoe = Shoe(
        left=sum(cards), unseen=cards, number=old.number, automated=event.automated, met=old.met, met_by=old.met_by,
        then=old.then,
    )  # fmt: skip
    return replace(state, shoe=shoe, stage="opening" if state.rules.card_check else "shuffle")


# Betting


@_on(ev.BettingOpened)
def _betting_opened(state: State, event: ev.BettingOpened) -> State:
    offered = state.offered_on
    if any(day != state.day for day in offered.values()):
        offered = dict.fromkeys(offered, state.day)
    return replace(state, stage="betting", round=event.round, results=(), offered_on=offered)


@_on(ev.SeatTaken)
def _seat_taken(state: State, event: ev.SeatTaken) -> State:
    people = state.people
    if event.player not in people.arrivals:
        people = replace(people, arrivals=(*people.arrivals, event.player))
    box = replace(state.box(event.box), seat=event.player)
    return with_box(replace(state, people=people), box)


@_on(ev.SeatLeft)
def _seat_left(state: State, event: ev.SeatLeft) -> State:
    state = with_box(state, replace(state.box(event.box), seat=""))
    if any(box.seat == event.player for box in state.boxes):
        return state
    people = state.people
    left = tuple(player for player in people.arrivals if player != event.player)
    around = tuple(place for place in people.places if place[1] != event.player)
    abstained = {player: count for player, count in people.abstained.items() if player != event.player}
    return replace(state, people=replace(people, arrivals=left, places=around, abstained=abstained))


@_on(ev.WagerPlaced)
def _wager_placed(state: State, event: ev.WagerPlaced) -> State:
    box = state.box(event.box)
    sides = tuple(Side(name=name, stake=stake) for name, stake in event.sides.items())
    if not event.stake:  # side bets beside a wager that lies there already
        own = next(bet for bet in box.bets if bet.player == event.player)
        return _with_bet(state, event.box, event.player, sides=(*own.sides, *sides))
    bet = Bet(player=event.player, stake=event.stake, over=event.over, under=event.under, sides=sides)
    people = state.people
    if event.under and event.player not in people.warned:
        state = replace(state, people=replace(people, warned=(*people.warned, event.player)))
    return with_box(state, replace(box, bets=(*box.bets, bet)))


@_on(ev.WagerReturned)
def _wager_returned(state: State, event: ev.WagerReturned) -> State:
    if event.wager != "main":
        return state
    box = state.box(event.box)
    return with_box(state, replace(box, bets=tuple(bet for bet in box.bets if bet.player != event.player)))


@_on(ev.NoMoreBets)
def _no_more_bets(state: State, event: ev.NoMoreBets) -> State:
    people = state.people
    bettors = _bettors(state)
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


# The round


@_on(ev.CardDealt)
def _card_dealt(state: State, event: ev.CardDealt) -> State:
    shoe = _seen(state.shoe, event.card)
    dealt = state.dealt + (state.stage == "dealing")
    if event.box == 0:
        return replace(state, shoe=shoe, dealt=dealt, dealer=(*state.dealer, event.card))
    box = state.boxes[event.box - 1]
    if box.hands:
        hand = box.hands[event.hand - 1]
        hand = replace(hand, cards=(*hand.cards, event.card), calls=max(hand.calls - 1, 0))
        hands = (*box.hands[: event.hand - 1], hand, *box.hands[event.hand :])
    else:
        stakes = tuple(
            Stake(player=bet.player, original=bet.stake, end="void" if bet.void else "") for bet in box.bets
        )
        hands = (Hand(cards=(event.card,), stakes=stakes),)
    first = (*box.first_cards, event.card)
    box = replace(box, hands=hands, first_cards=first)
    boxes = (*state.boxes[: event.box - 1], box, *state.boxes[event.box :])
    return replace(state, shoe=shoe, dealt=dealt, boxes=boxes)


@_on(ev.StageReached)
def _stage_reached(state: State, event: ev.StageReached) -> State:
    return replace(state, stage=event.stage)


@_on(ev.InsurancePlaced)
def _insurance_placed(state: State, event: ev.InsurancePlaced) -> State:
    return _with_bet(state, event.box, event.player, insurance=event.amount, insurance_open=True)


def _with_bet(state: State, number: int, player: str, **changes: Any) -> State:
    box = state.box(number)
    bets = tuple(replace(bet, **changes) if bet.player == player else bet for bet in box.bets)
    return with_box(state, replace(box, bets=bets))


@_on(ev.HandSurrendered)
def _hand_surrendered(state: State, event: ev.HandSurrendered) -> State:
    hand = replace(state.hand(event.box, event.hand), surrendered=True, done=True)
    return with_hand(state, event.box, event.hand, hand)


@_on(ev.CardCalled)
def _card_called(state: State, event: ev.CardCalled) -> State:
    hand = state.hand(event.box, event.hand)
    return with_hand(state, event.box, event.hand, replace(hand, calls=hand.calls + 1))


@_on(ev.HandStood)
def _hand_stood(state: State, event: ev.HandStood) -> State:
    hand = state.hand(event.box, event.hand)
    return with_hand(state, event.box, event.hand, replace(hand, done=True, calls=0))


@_on(ev.HandSplit)
def _hand_split(state: State, event: ev.HandSplit) -> State:
    box = state.box(event.box)
    hand = box.hands[event.hand - 1]
    aces = hand.cards[0][0] == "A"
    first_stakes = tuple(
        replace(
            stake,
            rides=stake.rides or stake.player not in event.players,
            joined=stake.joined or stake.player in event.players[1:],
        )
        for stake in hand.stakes
    )
    second_stakes = tuple(
        replace(stake, rides=False, joined=stake.player in event.players[1:])
        for stake in hand.stakes
        if stake.player in event.players
    )
    first = Hand(cards=hand.cards[:1], stakes=first_stakes, split=True, split_aces=aces, calls=1)
    second = Hand(cards=hand.cards[1:], stakes=second_stakes, split=True, split_aces=aces, calls=1)
    hands = (*box.hands[: event.hand - 1], first, second, *box.hands[event.hand :])
    barred = box.bonus_barred or bars_super_bonus(state.rules, hand.cards)
    return with_box(state, replace(box, hands=hands, bonus_barred=barred))


@_on(ev.HandDoubled)
def _hand_doubled(state: State, event: ev.HandDoubled) -> State:
    hand = state.hand(event.box, event.hand)
    stakes = tuple(replace(stake, doubled=event.amounts.get(stake.player, 0)) for stake in hand.stakes)
    hand = replace(hand, stakes=stakes, doubled_on=len(hand.cards), calls=1)
    return with_hand(state, event.box, event.hand, hand)


@_on(ev.PlayerAbsent)
def _player_absent(state: State, event: ev.PlayerAbsent) -> State:
    box = replace(state.box(event.box), absent=(*state.box(event.box).absent, event.player))
    hands = tuple(
        hand if hand.done or present(state, box, hand) else replace(hand, unattended=True)
        for hand in box.hands
    )
    return with_box(state, replace(box, hands=hands))


@_on(ev.Settled)
def _settled(state: State, event: ev.Settled) -> State:
    result = Result(box=event.box, player=event.player, wager=event.wager, net=event.net, hand=event.hand)
    box = state.boxes[event.box - 1]
    if event.wager == "main":
        hand = box.hands[event.hand - 1]
        stakes = tuple(
            replace(stake, end=event.end, super_bonus=event.super_bonus)
            if stake.player == event.player
            else stake
            for stake in hand.stakes
        )
        hands = (*box.hands[: event.hand - 1], replace(hand, stakes=stakes), *box.hands[event.hand :])
        box = replace(box, hands=hands)
    elif event.wager == "insurance":
        bets = tuple(
            replace(bet, insurance_open=False) if bet.player == event.player else bet for bet in box.bets
        )
        box = replace(box, bets=bets)
    elif event.wager != "super_bonus":
        box = replace(box, bets=tuple(_close_side(bet, event) for bet in box.bets))
    boxes = (*state.boxes[: event.box - 1], box, *state.boxes[event.box :])
    return replace(
        state, boxes=boxes, results=(*state.results, result), float_change=state.float_change - event.net
    )


def _close_side(bet: Bet, event: ev.Settled) -> Bet:
    if bet.player != event.player:
        return bet
    sides = tuple(replace(side, open=False) if side.name == event.wager else side for side in bet.sides)
    return replace(bet, sides=sides)


@_on(ev.HandRemoved)
def _hand_removed(state: State, event: ev.HandRemoved) -> State:
    hand = replace(state.hand(event.box, event.hand), removed=True)
    shoe = replace(state.shoe, rack=state.shoe.rack + event.count)
    return with_hand(replace(state, shoe=shoe), event.box, event.hand, hand)


@_on(ev.CardsCollected)
def _cards_collected(state: State, event: ev.CardsCollected) -> State:
    shoe = state.shoe
    if shoe.automated and not shoe.failed:
        cards = without(pack(state.rules.ranks, state.rules.house.decks), shoe.held)
        shoe = replace(shoe, left=sum(cards), unseen=cards, rack=0)
    else:
        shoe = replace(shoe, rack=shoe.rack + event.count)
    return replace(state, shoe=shoe, dealer=(), dealt=0)


@_on(ev.RoundEnded)
def _round_ended(state: State, event: ev.RoundEnded) -> State:
    boxes = tuple(
        Box(number=box.number, seat=box.seat, raised_to=box.raised_to, sole=box.sole) for box in state.boxes
    )
    nets: dict[str, int] = {}
    for result in state.results:
        nets[result.player] = nets.get(result.player, 0) + result.net
    over = Past(round=event.round, nets=tuple(nets.items()), stakes=wagers_of(state))
    past = (*state.past[-(ROUNDS_ON_RECORD - 1) :], over)
    return replace(state, boxes=boxes, past=past, stage=after_round(state))


def wagers_of(state: State) -> tuple[tuple[str, int], ...]:
    """Everything that players have wagered in the round: main wagers, doubles, insurance, side bets."""
    made: dict[str, int] = {}
    for box in state.boxes:
        for bet in box.bets:
            if bet.void:
                continue
            on_hands = sum(
                stake.total for hand in box.hands for stake in hand.stakes if stake.player == bet.player
            )
            sides = sum(side.stake for side in bet.sides)
            made[bet.player] = made.get(bet.player, 0) + (on_hands or bet.stake) + bet.insurance + sides
    return tuple(made.items())


def after_round(state: State) -> Stage:
    """Where the table stands once a round is over."""
    if state.closing or state.final_left == 0:
        return "closed"
    if state.shoe.shuffle_due and not state.shoe.failed:
        return "shuffle"
    return "idle"


# Supervision


@_on(ev.NoticeGiven)
def _notice_given(state: State, event: ev.NoticeGiven) -> State:
    return replace(state, notices=(*state.notices, f"{event.of} to {event.to}"))


@_on(ev.LimitsSet)
def _limits_set(state: State, event: ev.LimitsSet) -> State:
    notices = tuple(notice for notice in state.notices if not notice.startswith("limits"))
    return replace(state, minimum=event.minimum, maximum=event.maximum, notices=notices)


@_on(ev.CardsDetermined)
def _cards_determined(state: State, event: ev.CardsDetermined) -> State:
    house = replace(state.rules.house, decks=event.decks, shuffle=event.shuffle)
    same_decks = event.decks == state.rules.house.decks
    rules = replace(state.rules, house=house)
    notices = tuple(notice for notice in state.notices if not notice.startswith("cards"))
    state = replace(state, rules=rules, notices=notices)
    if same_decks:
        return state
    cards = pack(rules.ranks, event.decks)
    shoe = Shoe(left=sum(cards), unseen=cards, number=state.shoe.number, automated=state.shoe.automated)
    return replace(state, shoe=shoe, stage="opening" if rules.card_check else "shuffle")


@_on(ev.SideBetSet)
def _side_bet_set(state: State, event: ev.SideBetSet) -> State:
    offered = {name: day for name, day in state.offered_on.items() if name != event.name}
    if event.offered:
        offered[event.name] = state.day
    return replace(state, offered_on=offered)


@_on(ev.DayBegun)
def _day_begun(state: State, event: ev.DayBegun) -> State:
    return replace(state, day=event.day)


@_on(ev.CuttingCardsDetermined)
def _cutting_cards_determined(state: State, event: ev.CuttingCardsDetermined) -> State:
    house = replace(state.rules.house, cutting_cards=event.count)
    return replace(state, rules=replace(state.rules, house=house))


@_on(ev.MarkerRemoved)
def _marker_removed(state: State, event: ev.MarkerRemoved) -> State:
    return with_box(state, replace(state.box(event.box), raised_to=0, sole=""))


@_on(ev.LimitRaised)
def _limit_raised(state: State, event: ev.LimitRaised) -> State:
    return with_box(state, replace(state.box(event.box), raised_to=event.maximum, sole=event.player))


@_on(ev.PlayerHeld)
def _player_held(state: State, event: ev.PlayerHeld) -> State:
    people = state.people
    held = Held(player=event.player, minimum=event.minimum, first_box=event.first_box)
    return replace(state, people=replace(people, held=(*people.held, held)))


@_on(ev.BoxGivenUp)
def _box_given_up(state: State, event: ev.BoxGivenUp) -> State:
    return _seat_taken(state, ev.SeatTaken(player=event.to, box=event.box))


@_on(ev.CardReplaced)
def _card_replaced(state: State, event: ev.CardReplaced) -> State:
    if event.card is not None:
        return state
    cards = pack(state.rules.ranks, state.rules.house.decks)
    shoe = Shoe(left=sum(cards), unseen=cards, number=state.shoe.number, automated=state.shoe.automated)
    return replace(state, shoe=shoe, stage="shuffle")


@_on(ev.FinalRoundsAnnounced)
def _final_rounds_announced(state: State, event: ev.FinalRoundsAnnounced) -> State:
    return replace(state, final_left=event.rounds)


def _move(state: State, moves: tuple[tuple[str, int], ...]) -> State:
    return replace(state, float_change=state.float_change - sum(amount for _, amount in moves))


@_on(ev.RoundVoided)
def _round_voided(state: State, event: ev.RoundVoided) -> State:
    return _move(_undone(state, event.round), event.back)


def _undone(state: State, number: int) -> State:
    past = tuple(replace(old, undone=True) if old.round == number else old for old in state.past)
    return replace(state, past=past)


@_on(ev.RoundInvalidated)
def _round_invalidated(state: State, event: ev.RoundInvalidated) -> State:
    kept = () if event.refunded else tuple((player, -amount) for player, amount in event.wagers)
    earlier = next((old for old in state.past if old.round == event.round), None)
    if earlier is not None:
        back = tuple((player, -net) for player, net in earlier.nets)
        return _move(_undone(state, event.round), back + kept)
    state = _move(state, tuple((result.player, -result.net) for result in state.results) + kept)
    results = tuple(Result(box=0, player=player, wager="kept", net=amount) for player, amount in kept)
    state = replace(state, results=results, shoe=replace(state.shoe, resume=None, then="idle"))
    count = len(cards_on_table(state))
    state = _cards_collected(state, ev.CardsCollected(count=count))
    return _round_ended(state, ev.RoundEnded(round=event.round))


@_on(ev.BreachRecorded)
def _breach_recorded(state: State, event: ev.BreachRecorded) -> State:
    people = state.people
    return replace(state, people=replace(people, breaches=(*people.breaches, event.player)))


@_on(ev.WagerVoided)
def _wager_voided(state: State, event: ev.WagerVoided) -> State:
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
    bets = box.bets
    if state.stage == "betting":
        bets = tuple(bet for bet in bets if bet.player != event.player)
    else:
        bets = tuple(
            replace(
                bet,
                void=True,
                insurance_open=False,
                sides=tuple(replace(side, open=False) for side in bet.sides),
            )
            if bet.player == event.player
            else bet
            for bet in bets
        )
    results = tuple(
        result for result in state.results if (result.player, result.box) != (event.player, event.box)
    )
    state = replace(state, results=results, float_change=state.float_change + event.undone)
    return with_box(state, replace(box, hands=hands, bets=bets))


@_on(ev.PlayerExcluded)
def _player_excluded(state: State, event: ev.PlayerExcluded) -> State:
    people = state.people
    return replace(state, people=replace(people, excluded=(*people.excluded, event.player)))


@_on(ev.DisputeOpened)
def _dispute_opened(state: State, event: ev.DisputeOpened) -> State:
    people = state.people
    dispute = Dispute(player=event.player, about=event.about)
    return replace(state, people=replace(people, disputes=(*people.disputes, dispute)))


@_on(ev.DisputeRuled)
def _dispute_ruled(state: State, event: ev.DisputeRuled) -> State:
    people: People = state.people
    disputes = tuple(
        replace(dispute, status=event.status, award=event.award) if index + 1 == event.dispute else dispute
        for index, dispute in enumerate(people.disputes)
    )
    return _move(replace(state, people=replace(people, disputes=disputes)), ((event.player, event.paid),))


@_on(ev.TableClosed)
def _table_closed(state: State, event: ev.TableClosed) -> State:
    return replace(state, closing=True, stage=state.stage if round_in_progress(state) else "closed")
