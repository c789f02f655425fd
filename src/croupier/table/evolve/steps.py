"""What the steps of evolution share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from croupier.cards import Card, pack, without
from croupier.rulebook.rules import Rules
from croupier.table import events as ev
from croupier.table.state import Box, BoxHand, Shoe, Stage, State

Step = Callable[[State, Any], State]


def unchanged(state: State, event: ev.Event) -> State:
    """An event that is only told."""
    return state


def with_box(state: State, box: Box) -> State:
    boxes = state.boxes
    return replace(state, boxes=(*boxes[: box.number - 1], box, *boxes[box.number :]))


def with_hand(state: State, box_number: int, hand_number: int, hand: BoxHand) -> State:
    box = state.boxes[box_number - 1]
    hands = (*box.hands[: hand_number - 1], hand, *box.hands[hand_number:])
    return with_box(state, replace(box, hands=hands))


def seen(shoe: Shoe, card: Card, *, held: bool) -> Shoe:
    """The shoe after a card left it; one held since it was drawn in error had left it before."""
    if held:
        return replace(shoe, held=shoe.held[1:])
    return replace(shoe, left=shoe.left - 1, unseen=without(shoe.unseen, (card,)))


def cards_on_table(state: State) -> list[Card]:
    """Every card that lies on the table, the dealer's last."""
    hands = [hand for box in state.boxes for hand in box.hands if not hand.removed]
    return [card for hand in hands for card in hand.cards] + list(state.dealer)


def bettors_of(state: State) -> set[str]:
    return {bet.player for box in state.boxes for bet in box.bets}


def with_bet(state: State, number: int, player: str, **changes: Any) -> State:
    box = state.box(number)
    bets = tuple(replace(bet, **changes) if bet.player == player else bet for bet in box.bets)
    return with_box(state, replace(box, bets=bets))


def full_packs(state: State) -> bytes:
    """All cards of the table, by kind."""
    return pack(state.rules.ranks, state.terms.decks)


def new_shoe(state: State, *, automated: bool | None = None) -> Shoe:
    """A full set of cards; of the earlier shoe is kept what the next cut and the machine depend on."""
    cards = full_packs(state)
    old = state.shoe
    return Shoe(
        left=sum(cards),
        unseen=cards,
        automated=old.automated if automated is None else automated,
        number=old.number,
        met=old.met,
        then=old.then,
        failed=old.failed,
        shuffle_due=old.failed,  # a failed shoe is replaced before the new cards are shuffled
        shuffle_at=old.shuffle_at,
    )


def unopened(rules: Rules) -> Stage:
    """The stage of a table with new cards."""
    return "opening" if rules.card_check else "shuffle"


def paid(state: State, player: str, amount: int) -> dict[str, int]:
    """What each player has won since the table opened, after one more payment."""
    return {**state.won, player: state.won.get(player, 0) + amount}


def without_cutter(state: State, player: str) -> State:
    """Whoever goes away can no longer be waited for to cut: the offer passes on."""
    shoe = state.shoe
    if shoe.offer != player:
        return state
    return replace(state, shoe=replace(shoe, offer="", declined=(*shoe.declined, player)))
