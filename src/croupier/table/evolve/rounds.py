"""What cards, decisions and settlements do to a round."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.cards import Card, without
from croupier.game.hand import must_draw
from croupier.game.pay import bars_super_bonus
from croupier.rulebook.wager import INSURANCE, MAIN, SUPER_BONUS
from croupier.table import events as ev
from croupier.table.evolve.steps import full_packs, paid, seen, with_bet, with_box, with_hand
from croupier.table.state import (
    Answer,
    Bet,
    Box,
    BoxHand,
    Laid,
    Past,
    Result,
    Stage,
    Stake,
    State,
    present,
)


def card_dealt(state: State, event: ev.CardDealt) -> State:
    shoe = seen(state.shoe, event.card, held=bool(state.shoe.held))
    dealt = state.dealt + (state.stage == "dealing")
    if event.box == 0:
        return replace(state, shoe=shoe, begun=True, dealt=dealt, dealer=(*state.dealer, event.card))
    box = state.boxes[event.box - 1]
    if box.hands:
        hand = box.hands[event.hand - 1]
        came = sum([len(other.cards) for other in box.hands])
        hand = replace(
            hand,
            cards=(*hand.cards, event.card),
            arrived=(*hand.arrived, came),
            calls=max(hand.calls - 1, 0),
        )
        hands = (*box.hands[: event.hand - 1], hand, *box.hands[event.hand :])
    else:
        stakes = tuple([Stake(bet.player, bet.stake, end="void" if bet.void else "") for bet in box.bets])
        hands = (BoxHand(cards=(event.card,), arrived=(0,), stakes=stakes),)
    box = replace(box, hands=hands)
    boxes = (*state.boxes[: event.box - 1], box, *state.boxes[event.box :])
    return replace(state, shoe=shoe, begun=True, dealt=dealt, boxes=boxes)


def stage_reached(state: State, event: ev.StageReached) -> State:
    """A new stage; while part of the cards is shuffled it is the one to go back to."""
    if state.shoe.resume is not None:
        return replace(state, shoe=replace(state.shoe, resume=event.stage))
    return replace(state, stage=event.stage)


def insurance_placed(state: State, event: ev.InsurancePlaced) -> State:
    laid = next(bet.insurance for bet in state.box(event.box).bets if bet.player == event.player)
    amount = laid + event.amount
    return with_bet(state, event.box, event.player, insurance=amount, insurance_open=True)


def hand_surrendered(state: State, event: ev.HandSurrendered) -> State:
    hand = replace(state.hand(event.box, event.hand), surrendered=True, done=True)
    return with_hand(state, event.box, event.hand, hand)


def card_called(state: State, event: ev.CardCalled) -> State:
    hand = state.hand(event.box, event.hand)
    return with_hand(state, event.box, event.hand, replace(hand, calls=hand.calls + 1))


def hand_stood(state: State, event: ev.HandStood) -> State:
    hand = state.hand(event.box, event.hand)
    hand = replace(hand, done=True, stood=hand.stood or bool(event.player), calls=0)
    return with_hand(state, event.box, event.hand, hand)


def move_elected(state: State, event: ev.MoveElected) -> State:
    answer = Answer(player=event.player, amount=event.amount)
    hand = replace(state.hand(event.box, event.hand), asked=event.move, answers=(answer,))
    return with_hand(state, event.box, event.hand, hand)


def move_answered(state: State, event: ev.MoveAnswered) -> State:
    hand = state.hand(event.box, event.hand)
    answers = (*hand.answers, Answer(player=event.player, amount=event.amount))
    return with_hand(state, event.box, event.hand, replace(hand, answers=answers))


def move_lapsed(state: State, event: ev.MoveLapsed) -> State:
    hand = replace(state.hand(event.box, event.hand), asked="", answers=())
    return with_hand(state, event.box, event.hand, hand)


def hand_split(state: State, event: ev.HandSplit) -> State:
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
    parts = [
        BoxHand(cards=cards, arrived=arrived, stakes=stakes, split=True, split_aces=aces, calls=1)
        for cards, arrived, stakes in (
            (hand.cards[:1], hand.arrived[:1], first_stakes),
            (hand.cards[1:], hand.arrived[1:], second_stakes),
        )
    ]
    hands = (*box.hands[: event.hand - 1], *parts, *box.hands[event.hand :])
    barred = box.bonus_barred or bars_super_bonus(state.rules, hand.cards)
    return with_box(state, replace(box, hands=hands, bonus_barred=barred))


def hand_doubled(state: State, event: ev.HandDoubled) -> State:
    hand = state.hand(event.box, event.hand)
    stakes = tuple(replace(stake, doubled=event.amounts.get(stake.player, 0)) for stake in hand.stakes)
    hand = replace(hand, stakes=stakes, doubled_on=len(hand.cards), calls=1, asked="", answers=())
    return with_hand(state, event.box, event.hand, hand)


def player_absent(state: State, event: ev.PlayerAbsent) -> State:
    box = state.box(event.box)
    return with_box(state, _attended(state, replace(box, absent=(*box.absent, event.player))))


def player_returned(state: State, event: ev.PlayerReturned) -> State:
    for box in state.boxes:
        if event.player in box.absent:
            absent = tuple(player for player in box.absent if player != event.player)
            state = with_box(state, _attended(state, replace(box, absent=absent)))
    return state


def _attended(state: State, box: Box) -> Box:
    """The box with each open hand marked for whether anybody is there to decide for it.

    A card that was called only because nobody was there is not called any more.
    """
    hands = []
    for hand in box.hands:
        alone = not present(state, box, hand)
        if not hand.done and alone != hand.unattended:
            needed = hand.calls if alone or len(hand.cards) < 2 or hand.doubled_on else 0
            hand = replace(hand, unattended=alone, calls=needed)
        hands.append(hand)
    return replace(box, hands=tuple(hands))


def hands_reconstructed(state: State, event: ev.HandsReconstructed) -> State:
    shoe = replace(state.shoe, rack=state.shoe.rack + len(event.burnt))
    state = replace(state, shoe=shoe)
    for place, cards in event.hands.items():
        if place == "dealer":
            state = replace(state, dealer=cards)
        else:
            number, _, part = place.partition(".")
            state = _laid_again(state, int(number), int(part or 1), cards)
    return state


def _laid_again(state: State, number: int, hand_number: int, cards: tuple[Card, ...]) -> State:
    """A hand with other cards: each has the place of the one that lay there, and is still to be judged."""
    box = state.box(number)
    hand = box.hands[hand_number - 1]
    if hand.removed:
        state = replace(state, shoe=replace(state.shoe, rack=state.shoe.rack - len(hand.cards)))
    after = 1 + max(came for other in box.hands for came in other.arrived)
    arrived = (*hand.arrived, *range(after, after + len(cards)))[: len(cards)]
    hand = replace(hand, cards=cards, arrived=arrived, calls=0, removed=False)
    stood = hand.stood and not must_draw(state.rules, hand)
    hand = replace(hand, done=stood or hand.surrendered, stood=stood)
    return with_hand(state, number, hand_number, hand)


def surrender_undone(state: State, event: ev.SurrenderUndone) -> State:
    hand = replace(state.hand(event.box, 1), surrendered=False, done=False)
    return with_hand(state, event.box, 1, hand)


def settlement_undone(state: State, event: ev.SettlementUndone) -> State:
    results = list(state.results)
    results.remove(
        next(
            result
            for result in results
            if (result.box, result.player, result.wager, result.net, result.hand)
            == (event.box, event.player, event.wager, event.net, event.hand)
        )
    )
    won = paid(state, event.player, -event.net)
    return _open_again(replace(state, results=tuple(results), won=won), event)


def _open_again(state: State, event: ev.SettlementUndone) -> State:
    if event.wager == MAIN:
        hand = state.hand(event.box, event.hand)
        stakes = tuple(
            replace(stake, end="", super_bonus=False, owed=0) if stake.player == event.player else stake
            for stake in hand.stakes
        )
        return with_hand(state, event.box, event.hand, replace(hand, stakes=stakes))
    if event.wager == INSURANCE:
        return with_bet(state, event.box, event.player, insurance_open=True)
    if event.wager == SUPER_BONUS:
        return state
    own = next(bet for bet in state.box(event.box).bets if bet.player == event.player)
    sides = tuple(replace(side, open=True) if side.name == event.wager else side for side in own.sides)
    return with_bet(state, event.box, event.player, sides=sides)


def settled(state: State, event: ev.Settled) -> State:
    result = Result(
        box=event.box,
        player=event.player,
        wager=event.wager,
        net=event.net,
        hand=event.hand,
        final=state.stage == "dealer",
    )
    box = state.boxes[event.box - 1]
    if event.wager == MAIN:
        hand = box.hands[event.hand - 1]
        stakes = tuple(
            [_ended(stake, event) if stake.player == event.player else stake for stake in hand.stakes]
        )
        hands = (*box.hands[: event.hand - 1], replace(hand, stakes=stakes), *box.hands[event.hand :])
        box = replace(box, hands=hands)
    elif event.wager == INSURANCE:
        bets = tuple(
            replace(bet, insurance_open=False) if bet.player == event.player else bet for bet in box.bets
        )
        box = replace(box, bets=bets)
    elif event.wager != SUPER_BONUS:
        box = replace(box, bets=tuple(_close_side(bet, event) for bet in box.bets))
    boxes = (*state.boxes[: event.box - 1], box, *state.boxes[event.box :])
    won = paid(state, event.player, event.net)
    return replace(state, boxes=boxes, results=(*state.results, result), won=won)


def _ended(stake: Stake, event: ev.Settled) -> Stake:
    """The stake at its end; whoever forfeits has taken the doubled part away."""
    doubled = 0 if event.end == "forfeited" else stake.doubled
    bonus = event.super_bonus
    return replace(stake, end=event.end, doubled=doubled, super_bonus=bonus, owed=event.owed)


def _close_side(bet: Bet, event: ev.Settled) -> Bet:
    if bet.player != event.player:
        return bet
    sides = tuple(replace(side, open=False) if side.name == event.wager else side for side in bet.sides)
    return replace(bet, sides=sides)


def hand_removed(state: State, event: ev.HandRemoved) -> State:
    hand = replace(state.hand(event.box, event.hand), removed=True)
    shoe = replace(state.shoe, rack=state.shoe.rack + event.count)
    return with_hand(replace(state, shoe=shoe), event.box, event.hand, hand)


def cards_collected(state: State, event: ev.CardsCollected) -> State:
    return collected(state, event.count)


def collected(state: State, count: int) -> State:
    """The table with so many cards gone to the rack, or back into an automated shoe."""
    shoe = state.shoe
    if shoe.automated and not shoe.failed:
        cards = without(full_packs(state), shoe.held)
        shoe = replace(shoe, left=sum(cards), unseen=cards, rack=0)
    else:
        shoe = replace(shoe, rack=shoe.rack + count)
    return replace(state, shoe=shoe, dealer=(), dealt=0)


def round_ended(state: State, event: ev.RoundEnded) -> State:
    return ended(state, event.round)


def ended(state: State, number: int) -> State:
    """The table after a round, which is on record."""
    boxes = tuple([Box(box.number, box.seat, box.raised_to, box.raised_for) for box in state.boxes])
    over = Past(round=number, results=state.results, laid=wagers_of(state))
    past = state.past.with_round(over)
    return replace(state, boxes=boxes, past=past, begun=False, stage=after_round(state))


def wagers_of(state: State) -> tuple[Laid, ...]:
    """Everything that players have wagered in the round: main wagers, doubles, insurance, side bets."""
    laid = [box for box in state.boxes if box.bets or box.loose]
    return tuple(
        [Laid(box.number, bet.player, wagered(box, bet)) for box in laid for bet in box.lying if not bet.void]
    )


def wagered(box: Box, bet: Bet) -> int:
    """What a bettor has wagered on a box and not taken away."""
    on_hands = sum(stake.total for hand in box.hands for stake in hand.stakes if stake.player == bet.player)
    return (on_hands or bet.stake) + bet.insurance + sum(side.stake for side in bet.sides)


def after_round(state: State) -> Stage:
    """Where the table stands once a round is over."""
    if state.closing or state.final_left == 0:
        return "closed"
    if state.shoe.shuffle_due and not state.shoe.failed:
        return "shuffle"
    return "idle"
