"""Dealing: where the next card goes, and what follows from it."""

from __future__ import annotations

from croupier.cards import Card
from croupier.game.hand import Bar, hand_total, is_natural
from croupier.game.moves import INITIAL_CARDS, ended_by_card
from croupier.game.offers import opens_surrender
from croupier.game.pay import natural_paid_early
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor
from croupier.table.dealer import dealer_has_natural, dealer_stands
from croupier.table.offers import first_rank, offers_open
from croupier.table.run import Run, refuse_barred
from croupier.table.settle import lose_busted, pay_naturals_early, pay_twenty_one, settle_insurance
from croupier.table.shoe import card_target, leaves_shoe, next_card_bar, unloaded_bar
from croupier.table.sidebets import settle_sides, settle_sides_between
from croupier.table.state import State, active, initial_target, turn
from croupier.table.turns import end_hand
from croupier.table.wagers import return_loose


def place_name(box: int, hand: int) -> str:
    return "dealer" if box == 0 else str(box) if hand == 1 else f"{box}.{hand}"


def deal(run: Run, command: cmd.Deal) -> None:
    target = card_target(run.state)
    refuse_barred(command, _target_bar(run.state, command, target))
    lay(run, command.card, target or (0, 0), laid_on=command.laid_on)


def bars_deal(state: State, command: cmd.Deal, by: Actor) -> Bar | None:
    """What bars a card from being dealt, or from having been laid there."""
    return _target_bar(state, command, card_target(state))


def _target_bar(state: State, command: cmd.Deal, target: tuple[int, int] | None) -> Bar | None:
    """What bars the card that is meant for a hand, or for none."""
    if target is None:
        return _undue_bar(state)
    bar = next_card_bar(state, command.card)
    if bar or not command.laid_on:
        return bar
    return _misplaced_bar(state, command.laid_on, place_name(*target))


def lay(run: Run, card: Card, target: tuple[int, int], *, laid_on: str = "") -> None:
    """Lay a card where it is due, moved there from where it was laid, and see what follows."""
    state = run.state
    box, hand = target
    dealing = state.stage == "dealing"
    if dealing and not state.dealt:
        return_loose(run)
    if laid_on:
        due = place_name(box, hand)
        run.emit(ev.CardMisplaced(card=card, on=laid_on, due=due, basis=("misplaced_card",)))
    basis = _deal_basis(state, box)
    if state.shoe.held:
        basis = (*basis, "drawn_in_error")
    leaves_shoe(run, ev.CardDealt(card=card, box=box, hand=hand or 1, basis=basis))
    if dealing:
        if initial_target(run.state) is None:
            finish_initial_deal(run)
    elif box:
        settle_sides(run, box)
        judge(run, box, hand)
    elif len(run.state.dealer) == INITIAL_CARDS:
        _second_dealer_card(run)


def _undue_bar(state: State) -> Bar:
    """What bars a card where none is due."""
    bar = unloaded_bar(state)
    if bar:
        return bar
    if state.stage == "dealer":
        ground = "dealer_draws_to" if dealer_stands(state) else "no_effect"
        return Bar(ground, "no further card may be drawn to the dealer's hand")
    if state.stage == "betting":
        return Bar("no_more_bets", "no more bets has not been announced")
    if state.stage == "burn":
        return Bar("burn_cards", "a card must be burnt first")
    if state.stage == "playing":
        place = turn(state)
        return Bar("subsequent_deal", f"a decision on {place_name(*place) if place else 'a hand'} is due")
    return Bar("round", f"no card is due at the stage '{state.stage}'")


def _deal_basis(state: State, box: int) -> tuple[str, ...]:
    if state.stage == "dealing":
        which = "dealer_card" if not box else "second_card" if state.box(box).hands else "first_card"
        return (which, "deal_order", "initial_deal", "face_up")
    if box:
        return ("subsequent_deal", "face_up")
    return ("dealer_draws_last", "dealer_draws_to", "face_up")


def _misplaced_bar(state: State, on: str, due: str) -> Bar | None:
    """The card was laid on another hand, a box without a wager or the dealer's place."""
    if state.rules.misplaced_card == "none":
        return Bar("misplaced_card", "the rules provide nothing for a misplaced card")
    hands = {place_name(box.number, index + 1) for box in state.boxes for index in range(len(box.hands) or 1)}
    if on in (hands | {"dealer"}) - {due}:
        return None
    return Bar("misplaced_card", f"{on!r} is no place where a card for {due} could lie wrongly")


def finish_initial_deal(run: Run) -> None:
    """The interim settlement: side bets that are known, naturals that are paid now, then the offers."""
    settle_sides_between(run)
    for box in active(run.state):
        settle_natural(run, box.number)
    if offers_open(run.state):
        basis = (
            ("surrender", "interim_settlement")
            if opens_surrender(run.state.rules, first_rank(run.state))
            else ()
        )
        run.emit(ev.StageReached(stage="offers", basis=basis or ("interim_settlement",)))
    else:
        begin_play(run)


def settle_natural(run: Run, number: int) -> None:
    """A natural takes no card, and is paid now where the rules say so."""
    rules = run.state.rules
    if is_natural(rules, run.state.hand(number, 1)):
        if natural_paid_early(rules, first_rank(run.state)):
            pay_naturals_early(run, number)
        run.emit(ev.HandStood(box=number, hand=1, basis=("natural_no_card", "natural")))


def begin_play(run: Run) -> None:
    run.emit(ev.StageReached(stage="playing", basis=("subsequent_deal", "turns")))


def judge(run: Run, number: int, hand_number: int) -> None:
    """Does the hand end by its cards, and what comes of that at once?"""
    box = run.state.box(number)
    hand = box.hands[hand_number - 1]
    ground = ended_by_card(run.state.rules, hand, len(box.hands))
    if ground is None:
        return
    if ground == "player_busts":
        lose_busted(run, number, hand_number)
    elif ground == "twenty_one":
        value, _ = hand_total(run.state.rules, hand)
        run.emit(ev.HandAnnounced(box=number, hand=hand_number, total=value, basis=(ground,)))
        pay_twenty_one(run, number, hand_number)
    end_hand(run, number, hand_number, ground)
    if ground == "twenty_one":
        _remove_cards(run, number, hand_number)


def _remove_cards(run: Run, number: int, hand_number: int) -> None:
    """The cards of a paid 21 go before any further card is dealt; those of a Super Bonus stay."""
    hand = run.state.hand(number, hand_number)
    if not any(stake.super_bonus for stake in hand.stakes):
        run.emit(ev.HandRemoved(box=number, hand=hand_number, count=len(hand.cards), basis=("twenty_one",)))


def _second_dealer_card(run: Run) -> None:
    """Insurance is lost on the second card at once, and won then too unless the rules pay it later."""
    won = dealer_has_natural(run.state)
    if not won or run.state.rules.insurance_paid == "second_card":
        settle_insurance(run, won=won)
