"""Dealing: where the next card goes, and what follows from it."""

from __future__ import annotations

from typing import NoReturn

from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.dealer import dealer_has_natural, dealer_natural_possible, dealer_stands
from croupier.table.hands import TWENTY_ONE, hand_total, is_natural, split_value
from croupier.table.offers import offers_open
from croupier.table.run import Run, handles, refuse
from croupier.table.settle import lose_busted, pay_naturals_early, pay_twenty_one, settle_insurance
from croupier.table.shoe import card_target, check_card
from croupier.table.sidebets import settle_sides
from croupier.table.state import State, active, initial_target, turn

INITIAL_CARDS = 2


def place_name(box: int, hand: int) -> str:
    return "dealer" if box == 0 else str(box) if hand == 1 else f"{box}.{hand}"


@handles(cmd.Deal)
def deal(run: Run, command: cmd.Deal) -> None:
    state = run.state
    target = card_target(state)
    if target is None:
        _refuse_card(state, command)
    check_card(state, command, command.card)
    box, hand = target
    if command.laid_on:
        _reconstruct(run, command, place_name(box, hand))
    basis = _deal_basis(state, box)
    if state.shoe.held:
        basis = (*basis, "drawn_in_error")
    run.emit(ev.CardDealt(card=command.card, box=box, hand=max(hand, 1), basis=basis))
    if state.stage == "dealing":
        if initial_target(run.state) is None:
            _finish_initial_deal(run)
    elif box:
        after_card(run, box, hand)
    elif len(run.state.dealer) == INITIAL_CARDS:
        _second_dealer_card(run)


def _refuse_card(state: State, command: cmd.Deal) -> NoReturn:
    if state.stage == "dealer":
        ground = "dealer_draws_to" if dealer_stands(state) else "no_effect"
        refuse(ground, command, "no further card may be drawn to the dealer's hand")
    if state.stage == "betting":
        refuse("no_more_bets", command, "no more bets has not been announced")
    if state.stage in ("shuffle", "cut", "place", "opening"):
        refuse("new_shoe", command, "the cards are not shuffled, cut and in the shoe yet")
    if state.stage == "burn":
        refuse("burn_cards", command, "a card must be burnt first")
    if state.stage == "playing":
        place = turn(state)
        refuse(
            "subsequent_deal", command, f"a decision on {place_name(*place) if place else 'a hand'} is due"
        )
    refuse("round", command, f"no card is due at the stage '{state.stage}'")


def _deal_basis(state: State, box: int) -> tuple[str, ...]:
    if state.stage == "dealing":
        which = "dealer_card" if not box else "second_card" if state.box(box).hands else "first_card"
        return (which, "deal_order", "initial_deal", "face_up")
    if box:
        return ("subsequent_deal", "face_up")
    return ("dealer_draws_last", "dealer_draws_to", "face_up")


def _reconstruct(run: Run, command: cmd.Deal, due: str) -> None:
    """A card laid on the wrong hand is moved to where it belongs."""
    if run.state.rules.misplaced_card == "none":
        refuse("misplaced_card", command, "the rules provide nothing for a misplaced card")
    hands = {
        place_name(box.number, index + 1) for box in active(run.state) for index in range(len(box.hands) or 1)
    }
    if command.laid_on not in (hands | {"dealer"}) - {due}:
        refuse(
            "misplaced_card",
            command,
            f"{command.laid_on!r} is no hand where a card for {due} could lie wrongly",
        )
    run.emit(ev.CardMisplaced(card=command.card, on=command.laid_on, due=due, basis=("misplaced_card",)))


def _finish_initial_deal(run: Run) -> None:
    """The interim settlement: side bets that are known, naturals that are paid now, then the offers."""
    rules = run.state.rules
    for box in active(run.state):
        settle_sides(run, box.number)
    early = rules.natural_paid_early == "always" or (
        rules.natural_paid_early == "no_dealer_natural_possible" and not dealer_natural_possible(run.state)
    )
    for box in active(run.state):
        if is_natural(rules, box.hands[0]):
            if early:
                pay_naturals_early(run, box.number)
            run.emit(ev.HandStood(box=box.number, hand=1, basis=("no_card_at", "natural")))
    if offers_open(run.state):
        run.emit(ev.StageReached(stage="offers", basis=("interim_settlement",)))
    else:
        begin_play(run)


def begin_play(run: Run) -> None:
    run.emit(ev.StageReached(stage="playing", basis=("subsequent_deal", "turns")))
    finish_boxes(run)


def finish_boxes(run: Run) -> None:
    """When no hand is left to play, it is the dealer's turn."""
    if run.state.stage == "playing" and turn(run.state) is None:
        run.emit(ev.StageReached(stage="dealer", basis=("dealer_draws_last",)))


def after_card(run: Run, number: int, hand_number: int) -> None:
    """What a card does to a hand in the subsequent deal: bust, 21, one card only, or play on."""
    state = run.state
    rules = state.rules
    hand = state.hand(number, hand_number)
    settle_sides(run, number)
    value, _ = hand_total(rules, hand)
    if value > TWENTY_ONE:
        lose_busted(run, number, hand_number)
        _end_hand(run, number, hand_number, "player_busts")
    elif value == TWENTY_ONE and rules.twenty_one == "paid_at_once":
        pay_twenty_one(run, number, hand_number)
        _end_hand(run, number, hand_number, "twenty_one")
        _remove_cards(run, number, hand_number)
    elif hand.doubled_on:
        _end_hand(run, number, hand_number, "double_is_for_one_card")
    elif value == TWENTY_ONE and rules.no_card_at == "any_21":
        _end_hand(run, number, hand_number, "no_card_at")
    elif (
        hand.split_aces
        and len(hand.cards) > rules.split_ace_cards
        and not may_resplit_aces(state, number, hand_number)
    ):
        _end_hand(run, number, hand_number, "split_ace_cards")
    elif hand.unattended:
        draw_unattended(run, number, hand_number)
    finish_boxes(run)


def _end_hand(run: Run, number: int, hand_number: int, ground: str) -> None:
    run.emit(ev.HandStood(box=number, hand=hand_number, basis=(ground,)))
    settle_sides(run, number, final=True)


def _remove_cards(run: Run, number: int, hand_number: int) -> None:
    """The cards of a paid 21 go before any further card is dealt; those of a Super Bonus stay."""
    hand = run.state.hand(number, hand_number)
    if not any(stake.super_bonus for stake in hand.stakes):
        run.emit(ev.HandRemoved(box=number, hand=hand_number, count=len(hand.cards), basis=("twenty_one",)))


def may_resplit_aces(state: State, number: int, hand_number: int) -> bool:
    """A split ace that received an ace, where the rules let it be split again."""
    rules = state.rules
    box = state.box(number)
    pair = split_value(rules, box.hands[hand_number - 1].cards) == rules.ace_low
    return rules.resplit_aces and pair and (rules.max_hands is None or len(box.hands) < rules.max_hands)


def draw_unattended(run: Run, number: int, hand_number: int) -> None:
    """The dealer draws to a hand for which nobody decides, up to the total that the rules name."""
    state = run.state
    value, _ = hand_total(state.rules, state.hand(number, hand_number))
    if value <= state.rules.absent_draws_to:
        run.emit(ev.CardCalled(box=number, hand=hand_number, basis=("absent_draws_to",)))
    else:
        _end_hand(run, number, hand_number, "absent_draws_to")


def _second_dealer_card(run: Run) -> None:
    """Insurance is lost on the second card at once, and won then too unless the rules pay it later."""
    won = dealer_has_natural(run.state)
    if not won or run.state.rules.insurance_paid == "second_card":
        settle_insurance(run, won=won)
