"""What cards, decisions and settlements do to a round."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.cards import pack, without
from croupier.table import events as ev
from croupier.table.evolve.steps import on, paid, seen, with_bet, with_box, with_hand
from croupier.table.hands import bars_super_bonus
from croupier.table.state import (
    ROUNDS_ON_RECORD,
    Bet,
    Box,
    Hand,
    Past,
    Result,
    Stage,
    Stake,
    State,
    present,
)


@on(ev.CardDealt)
def _card_dealt(state: State, event: ev.CardDealt) -> State:
    shoe = seen(state.shoe, event.card)
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


@on(ev.StageReached)
def _stage_reached(state: State, event: ev.StageReached) -> State:
    return replace(state, stage=event.stage)


@on(ev.InsurancePlaced)
def _insurance_placed(state: State, event: ev.InsurancePlaced) -> State:
    return with_bet(state, event.box, event.player, insurance=event.amount, insurance_open=True)


@on(ev.HandSurrendered)
def _hand_surrendered(state: State, event: ev.HandSurrendered) -> State:
    hand = replace(state.hand(event.box, event.hand), surrendered=True, done=True)
    return with_hand(state, event.box, event.hand, hand)


@on(ev.CardCalled)
def _card_called(state: State, event: ev.CardCalled) -> State:
    hand = state.hand(event.box, event.hand)
    return with_hand(state, event.box, event.hand, replace(hand, calls=hand.calls + 1))


@on(ev.HandStood)
def _hand_stood(state: State, event: ev.HandStood) -> State:
    hand = state.hand(event.box, event.hand)
    return with_hand(state, event.box, event.hand, replace(hand, done=True, calls=0))


@on(ev.HandSplit)
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


@on(ev.HandDoubled)
def _hand_doubled(state: State, event: ev.HandDoubled) -> State:
    hand = state.hand(event.box, event.hand)
    stakes = tuple(replace(stake, doubled=event.amounts.get(stake.player, 0)) for stake in hand.stakes)
    hand = replace(hand, stakes=stakes, doubled_on=len(hand.cards), calls=1)
    return with_hand(state, event.box, event.hand, hand)


@on(ev.PlayerAbsent)
def _player_absent(state: State, event: ev.PlayerAbsent) -> State:
    box = replace(state.box(event.box), absent=(*state.box(event.box).absent, event.player))
    hands = tuple(
        hand if hand.done or present(state, box, hand) else replace(hand, unattended=True)
        for hand in box.hands
    )
    return with_box(state, replace(box, hands=hands))


@on(ev.Settled)
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
    won = paid(state, event.player, event.net)
    return replace(state, boxes=boxes, results=(*state.results, result), won=won)


def _close_side(bet: Bet, event: ev.Settled) -> Bet:
    if bet.player != event.player:
        return bet
    sides = tuple(replace(side, open=False) if side.name == event.wager else side for side in bet.sides)
    return replace(bet, sides=sides)


@on(ev.HandRemoved)
def _hand_removed(state: State, event: ev.HandRemoved) -> State:
    hand = replace(state.hand(event.box, event.hand), removed=True)
    shoe = replace(state.shoe, rack=state.shoe.rack + event.count)
    return with_hand(replace(state, shoe=shoe), event.box, event.hand, hand)


@on(ev.CardsCollected)
def cards_collected(state: State, event: ev.CardsCollected) -> State:
    shoe = state.shoe
    if shoe.automated and not shoe.failed:
        cards = without(pack(state.rules.ranks, state.rules.house.decks), shoe.held)
        shoe = replace(shoe, left=sum(cards), unseen=cards, rack=0)
    else:
        shoe = replace(shoe, rack=shoe.rack + event.count)
    return replace(state, shoe=shoe, dealer=(), dealt=0)


@on(ev.RoundEnded)
def round_ended(state: State, event: ev.RoundEnded) -> State:
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
