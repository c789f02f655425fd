"""A misplaced card found later: the hands are laid as the rules say, and what followed is put right.

Until the cards are collected any hand can be reconstructed. What was settled by the wrong cards is
undone first; then the hands lie as they must, and each is judged again: it may be bust now, or open
for a decision that it did not have.
"""

from __future__ import annotations

from collections import Counter

from croupier.cards import Card, pretty
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.deal import INITIAL_CARDS, finish_initial_deal, judge, place_name, settle_natural
from croupier.table.hands import is_natural
from croupier.table.offers import offers_open
from croupier.table.run import Run, handles, refuse
from croupier.table.sidebets import settle_sides
from croupier.table.state import IN_ROUND, Result, State
from croupier.table.turns import lapse

DEALER = "dealer"
Hands = dict[str, tuple[Card, ...]]
PLAYED = frozenset({"playing", "dealer", "settled"})


@handles(cmd.Reconstruct)
def reconstruct(run: Run, command: cmd.Reconstruct) -> None:
    state = run.state
    changed = _checked(state, command)
    if not changed:
        refuse("misplaced_card", command, "these hands lie so already")
    for result in _settled_by(state, changed):
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
    run.emit(ev.HandsReconstructed(hands=changed, basis=("misplaced_card",)))
    if state.stage in PLAYED:
        _play_on(run, changed)
    elif state.stage == "offers":
        _offer_again(run)


def lying(state: State) -> Hands:
    """All the cards on the table by the hands that they lie on."""
    hands = {
        place_name(box.number, number): hand.cards
        for box in state.boxes
        for number, hand in enumerate(box.hands, start=1)
    }
    return hands | ({DEALER: state.dealer} if state.dealer else {})


def _checked(state: State, command: cmd.Reconstruct) -> Hands:
    """The hands that change, or a refusal: no card may come from elsewhere or be lost."""
    if state.rules.misplaced_card == "none":
        refuse("misplaced_card", command, "the rules provide nothing for a misplaced card")
    if state.stage not in IN_ROUND:
        refuse("misplaced_card", command, "no cards lie on the table")
    found = lying(state)
    for place, cards in command.hands.items():
        if place not in found or not cards:
            refuse("misplaced_card", command, f"{place!r} is no hand with cards")
        fixed = place == DEALER or state.stage in ("dealing", "offers")
        if fixed and len(cards) != len(found[place]):
            refuse("misplaced_card", command, f"{len(found[place])} card(s) are due to {place}")
    before = Counter(card for place in command.hands for card in found[place])
    after = Counter(card for cards in command.hands.values() for card in cards)
    for card in (before - after) or (after - before):
        why = f"{pretty(card)} is {'left out' if card in before - after else 'not among these cards'}"
        refuse("misplaced_card", command, why)
    return {place: cards for place, cards in command.hands.items() if cards != found[place]}


def _settled_by(state: State, changed: Hands) -> list[Result]:
    """What the misplaced cards have settled: of the hands that change, and all by the dealer's hand."""
    boxes = {int(place.partition(".")[0]) for place in changed if place != DEALER}
    ends = {
        (box.number, number, stake.player): stake.end
        for box in state.boxes
        for number, hand in enumerate(box.hands, start=1)
        for stake in hand.stakes
    }
    undone = []
    for result in state.results:
        end = ends.get((result.box, result.hand, result.player), "")
        place = place_name(result.box, result.hand or 1)
        if result.wager == "main":
            by_hand = place in changed and end in ("busted", "paid", "settled")
            by_dealer = end == "settled" and (result.box in boxes or DEALER in changed)
            natural = DEALER in changed and end == "paid" and _is_natural(state, result)
            hit = by_hand or by_dealer or natural
        elif result.wager == "insurance":
            hit = DEALER in changed
        else:
            hit = result.wager == "super_bonus" or result.box in boxes
        if hit:
            undone.append(result)
    return undone


def _is_natural(state: State, result: Result) -> bool:
    return is_natural(state.rules, state.hand(result.box, result.hand))


def _offer_again(run: Run) -> None:
    """Before the subsequent deal: the interim settlement is made anew, and nobody has decided anything."""
    _return_insurance(run)
    for box in run.state.boxes:
        for number, hand in enumerate(box.hands, start=1):
            if hand.asked:
                lapse(run, box, number, "misplaced_card")
    run.emit(ev.StageReached(stage="dealing", basis=("misplaced_card",)))
    finish_initial_deal(run)


def _play_on(run: Run, changed: Hands) -> None:
    """Judge the changed hands by the cards that they have now, and go back to whose turn it is."""
    if DEALER in changed and run.state.stage == "playing" and offers_open(run.state):
        _offer_again(run)
        return
    _return_insurance(run)
    run.emit(ev.StageReached(stage="playing", basis=("misplaced_card",)))
    for place in changed:
        if place != DEALER:
            number, _, part = place.partition(".")
            _judge_again(run, int(number), int(part or 1))
    if DEALER in changed:
        for box in run.state.boxes:
            if box.hands and not any(hand.split for hand in box.hands) and box.hands[0].lives:
                settle_natural(run, box.number)


def _judge_again(run: Run, number: int, hand_number: int) -> None:
    hand = run.state.hand(number, hand_number)
    settle_sides(run, number)
    if not hand.lives or hand.surrendered:
        return
    short = len(hand.cards) < INITIAL_CARDS or hand.doubled_on == len(hand.cards)
    if short:  # its card lay elsewhere: it is still to come
        run.emit(ev.CardCalled(box=number, hand=hand_number, basis=("misplaced_card",)))
    elif not hand.split and is_natural(run.state.rules, hand):
        settle_natural(run, number)
    else:
        judge(run, number, hand_number)


def _return_insurance(run: Run) -> None:
    """Insurance against a first card that the dealer never had goes back."""
    rules = run.state.rules
    upcard = run.state.upcard
    if upcard is None or upcard[0] in rules.insurance_upcards:
        return
    for box in run.state.boxes:
        for bet in box.bets:
            if bet.insurance_open:
                run.emit(
                    ev.WagerReturned(
                        player=bet.player,
                        box=box.number,
                        wager="insurance",
                        amount=bet.insurance,
                        basis=("misplaced_card", "insurance_upcards"),
                    )
                )
