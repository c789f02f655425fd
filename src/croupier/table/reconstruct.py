"""A misplaced card found later: the hands are laid as the rules say, and what followed is put right.

Until the cards are collected any hand can be reconstructed. What was settled by the wrong cards is
undone first, then the hands lie as they must, and whatever hangs on their cards is judged again: a
hand may be bust now, or open for a decision that it did not have; insurance and surrender that the
cards never allowed go back; a dealer's card that is now too many is burnt. A split or double that was
carried out stands, one that is still being answered lapses.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from croupier.cards import Card, pretty
from croupier.game.dealer import lawful_cards
from croupier.game.hand import TWENTY_ONE, hand_total, is_natural
from croupier.game.moves import INITIAL_CARDS
from croupier.game.offers import insurable, opens_insurance, opens_surrender
from croupier.rulebook.wager import INSURANCE, MAIN, SUPER_BONUS
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.deal import finish_initial_deal, judge, place_name, settle_natural
from croupier.table.offers import first_rank, holds_natural, offers_open
from croupier.table.run import Run, refuse
from croupier.table.sidebets import settle_sides
from croupier.table.state import IN_ROUND, BoxHand, Result, State, standing
from croupier.table.turns import lapse

DEALER = "dealer"
Hands = dict[str, tuple[Card, ...]]
Place = tuple[int, int]  # box and hand


class Change(Struct, frozen=True):
    """The hands that change, by box and number, and the dealer's."""

    hands: dict[Place, tuple[Card, ...]]
    dealer: bool
    upcard: bool

    @property
    def boxes(self) -> set[int]:
        return {number for number, _ in self.hands}


def reconstruct(run: Run, command: cmd.Reconstruct) -> None:
    state = run.state
    laid = _checked(state, command)
    change = _change(state, laid)
    undone = [result for result in state.results if _hangs_on(state, result, change)]
    for place in change.hands:
        if state.hand(*place).asked:
            lapse(run, state.box(place[0]), place[1], "misplaced_card")
    for result in undone:
        run.emit(
            ev.SettlementUndone(
                box=result.box,
                player=result.player,
                wager=result.wager,
                net=result.net,
                hand=result.hand,
                basis=("misplaced_card",),
            )
        )
    _lay(run, laid)
    judged = [
        *change.hands,
        *((one.box, one.hand) for one in undone if one.wager == MAIN and not one.final),
    ]
    _put_right(run, change, list(dict.fromkeys(judged)))


def lying(state: State) -> Hands:
    """All the cards on the table, and of hands that were paid and removed, by the hands they belong to."""
    hands = {
        place_name(box.number, number): hand.cards
        for box in state.boxes
        for number, hand in enumerate(box.hands, start=1)
        if not hand.gone
    }
    return hands | ({DEALER: state.dealer} if state.dealer else {})


def _checked(state: State, command: cmd.Reconstruct) -> Hands:
    """The hands that change, or a refusal: no card may come from elsewhere or be lost."""
    if state.rules.misplaced_card == "none":
        refuse("misplaced_card", command, "the rules provide nothing for a misplaced card")
    found = lying(state)
    if standing(state) not in IN_ROUND:
        refuse("misplaced_card", command, "no cards lie on the table")
    for place, cards in command.hands.items():
        if place not in found or not cards:
            refuse("misplaced_card", command, f"{place!r} is no hand with cards")
        fixed = place == DEALER or standing(state) in ("dealing", "offers")
        if fixed and len(cards) != len(found[place]):
            refuse("misplaced_card", command, f"{len(found[place])} card(s) are due to {place}")
    before = Counter(card for place in command.hands for card in found[place])
    after = Counter(card for cards in command.hands.values() for card in cards)
    for card in (before - after) or (after - before):
        why = f"{pretty(card)} is {'left out' if card in before - after else 'not among these cards'}"
        refuse("misplaced_card", command, why)
    changed = {place: cards for place, cards in command.hands.items() if cards != found[place]}
    if not changed:
        refuse("misplaced_card", command, "these hands lie so already")
    return changed


def _change(state: State, laid: Hands) -> Change:
    hands = {}
    for place, cards in laid.items():
        number, _, part = place.partition(".")
        if place != DEALER:
            hands[int(number), int(part or 1)] = cards
    return Change(hands, DEALER in laid, laid.get(DEALER, state.dealer)[:1] != state.dealer[:1])


def _hangs_on(state: State, result: Result, change: Change) -> bool:
    """Was the wager settled by cards that change?"""
    if result.wager == MAIN:
        return _main_hangs_on(state, result, change)
    if result.wager == INSURANCE:
        return change.dealer
    return result.wager == SUPER_BONUS or result.box in change.boxes


def _main_hangs_on(state: State, result: Result, change: Change) -> bool:
    hand = state.hand(result.box, result.hand)
    ends = {stake.end for stake in hand.stakes if stake.player == result.player}
    if ends & {"forfeited", "void"}:  # by somebody's word, and not by cards
        return False
    if result.final and (change.dealer or result.box in change.boxes):
        return True
    if (result.box, result.hand) in change.hands:
        return True
    return change.upcard and (is_natural(state.rules, hand) or _may_win_bonus(state, hand))


def _may_win_bonus(state: State, hand: BoxHand) -> bool:
    bonus = state.rules.super_bonus
    return bonus is not None and bonus.when.fits(hand.cards, hand_total(state.rules, hand)[0])


def _lay(run: Run, laid: Hands) -> None:
    """The hands as they must lie; what the dealer's then has too many is burnt."""
    burnt: tuple[Card, ...] = ()
    if DEALER in laid:
        lawful = lawful_cards(run.state.rules, laid[DEALER])
        laid, burnt = laid | {DEALER: lawful}, laid[DEALER][len(lawful) :]
    basis = ("misplaced_card", *(("dealer_overdraw", "burn") if burnt else ()))
    run.emit(ev.HandsReconstructed(hands=laid, burnt=burnt, basis=basis))


def _put_right(run: Run, change: Change, judged: list[Place]) -> None:
    """Everything that hangs on the cards as they lie now, and the stage that the round is at."""
    stage = standing(run.state)
    if stage == "dealing":
        return
    _undo_surrenders(run)
    _return_insurance(run)
    if stage != "offers":
        run.emit(ev.StageReached(stage="playing", basis=("misplaced_card",)))
        for place in judged:
            _judge_again(run, *place)
    reopened = change.upcard and len(run.state.dealer) == 1 and offers_open(run.state)
    if stage == "offers" or reopened:
        run.emit(ev.StageReached(stage="dealing", basis=("misplaced_card",)))
        finish_initial_deal(run)


def _judge_again(run: Run, number: int, hand_number: int) -> None:
    hand = run.state.hand(number, hand_number)
    settle_sides(run, number)
    if not hand.lives or hand.surrendered:
        return
    if not hand.split and is_natural(run.state.rules, hand):
        settle_natural(run, number)
        return
    value, _ = hand_total(run.state.rules, hand)
    short = len(hand.cards) < INITIAL_CARDS or hand.doubled_on >= len(hand.cards)
    if short and value < TWENTY_ONE:  # its card lay elsewhere, or is still to come
        run.emit(ev.CardCalled(box=number, hand=hand_number, basis=("misplaced_card",)))
    else:
        judge(run, number, hand_number)


def _undo_surrenders(run: Run) -> None:
    """A surrender that the dealer's first card, or a natural, never allowed."""
    for box in run.state.boxes:
        if box.hands and box.hands[0].surrendered:
            natural = is_natural(run.state.rules, box.hands[0])
            if natural or not opens_surrender(run.state.rules, first_rank(run.state)):
                run.emit(ev.SurrenderUndone(box=box.number, basis=("misplaced_card", "surrender")))
                if natural:
                    settle_natural(run, box.number)


def _return_insurance(run: Run) -> None:
    """Insurance that the cards never allowed goes back."""
    rules = run.state.rules
    opens = opens_insurance(rules, first_rank(run.state))
    for box in run.state.boxes:
        allowed = opens and insurable(rules, natural=holds_natural(run.state, box))
        for bet in box.bets:
            if bet.insurance_open and not allowed:
                run.emit(
                    ev.WagerReturned(
                        player=bet.player,
                        box=box.number,
                        wager=INSURANCE,
                        amount=bet.insurance,
                        basis=("misplaced_card", "insurance_upcards", "insurance_for"),
                    )
                )
