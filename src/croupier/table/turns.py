"""The turn of a hand: what goes on by itself once people have answered, or are not there to.

After every command, whatever may have ended a wait (a card, a decision, an absence, a voided wager,
a shuffle), `go_on` carries out a split or double that everybody on the hand has answered, draws to
hands for which nobody decides, and ends the boxes' part of the round when no hand is left to play.
"""

from __future__ import annotations

from croupier.game.hand import hand_total
from croupier.game.pay import bars_super_bonus
from croupier.table import events as ev
from croupier.table.run import Run
from croupier.table.settle import pay_lost_bonus
from croupier.table.sidebets import settle_sides
from croupier.table.state import Box, BoxHand, State, present, turn


def go_on(run: Run) -> None:
    """Carry the subsequent deal on as far as it goes without a card or a decision."""
    while run.state.stage == "playing":
        place = turn(run.state)
        if place is None:
            run.emit(ev.StageReached(stage="dealer", basis=("dealer_draws_last",)))
            return
        hand = run.state.hand(*place)
        if hand.asked:
            if not _resolve(run, *place):
                return
        elif not hand.unattended or hand.calls or not draw_unattended(run, *place):
            return


def end_hand(run: Run, number: int, hand_number: int, ground: str) -> None:
    run.emit(ev.HandStood(box=number, hand=hand_number, basis=(ground,)))
    settle_sides(run, number, final=True)


def draw_unattended(run: Run, number: int, hand_number: int) -> bool:
    """Where nobody decides: call a card up to the total that the rules name, or end the hand (True)."""
    state = run.state
    value, _ = hand_total(state.rules, state.hand(number, hand_number))
    if value <= state.rules.absent_draws_to:
        run.emit(ev.CardCalled(box=number, hand=hand_number, basis=("absent_draws_to",)))
        return False
    end_hand(run, number, hand_number, "absent_draws_to")
    return True


# Splits and doubles that several bettors answer


def who_may_join(state: State, box: Box, hand: BoxHand) -> list[str]:
    """The bettors with a live stake on the hand who are there to split or double, the decider first."""
    live = {stake.player for stake in hand.stakes if stake.lives}
    return [player for player in present(state, box, hand) if player in live]


def still_asked(state: State, box: Box, hand: BoxHand) -> list[str]:
    """Who has yet to answer what the decider has elected."""
    answered = {answer.player for answer in hand.answers}
    return [player for player in who_may_join(state, box, hand) if player not in answered]


def _resolve(run: Run, number: int, hand_number: int) -> bool:
    """Carry out what was elected, once all have answered; False while somebody is still asked."""
    state = run.state
    box = state.box(number)
    hand = box.hands[hand_number - 1]
    live = {stake.player for stake in hand.stakes if stake.lives}
    # An answer that was given stands, whoever has gone since; a void wager has none.
    amounts = {
        answer.player: answer.amount for answer in hand.answers if answer.amount and answer.player in live
    }
    if hand.answers[0].player not in live:
        ground = "split_by_decider" if hand.asked == "split" else "double_by_decider"
        lapse(run, box, hand_number, ground)
    elif still_asked(state, box, hand):
        return False
    elif hand.asked == "split" and state.rules.riders == "none" and live - amounts.keys():
        lapse(run, box, hand_number, "riders")
    else:
        carry_out(run, box, hand_number, hand.asked, amounts)
    return True


def lapse(run: Run, box: Box, hand_number: int, ground: str) -> None:
    move = box.hands[hand_number - 1].asked
    run.emit(ev.MoveLapsed(box=box.number, hand=hand_number, move=move, basis=(ground,)))


def carry_out(run: Run, box: Box, hand_number: int, move: str, amounts: dict[str, int]) -> None:
    """Split or double the hand with what each bettor adds."""
    if move == "split":
        _split(run, box, hand_number, tuple(amounts))
    else:
        _double(run, box, hand_number, amounts)


def _split(run: Run, box: Box, hand_number: int, players: tuple[str, ...]) -> None:
    hand = box.hands[hand_number - 1]
    basis = ["may_split", "split_needs_equal"]
    others = {stake.player for stake in hand.stakes if stake.lives} - {players[0]}
    if others:
        basis.append("others_choose_at_split")
        if others & set(players):
            basis.append("others_split")
        if others - set(players):
            basis.append("riders")
    barred = bars_super_bonus(run.state.rules, hand.cards)
    if barred:
        basis.append("super_bonus.lost_by_splitting")
    run.emit(ev.HandSplit(box=box.number, hand=hand_number, players=players, basis=tuple(basis)))
    if barred:
        pay_lost_bonus(run, box.number)


def _double(run: Run, box: Box, hand_number: int, amounts: dict[str, int]) -> None:
    hand = box.hands[hand_number - 1]
    basis = ["may_double", "double_cards", "double_amount", "double_is_for_one_card"]
    if hand.split:
        basis.append("double_on_split")
    if sum(stake.lives for stake in hand.stakes) > 1:
        basis.append("one_card_binds_all")
    if len(hand.cards) > 2:
        basis.append("double_on_more")
    elif not hand.split:
        basis.append("double_on_two")
    run.emit(ev.HandDoubled(box=box.number, hand=hand_number, amounts=amounts, basis=tuple(basis)))
