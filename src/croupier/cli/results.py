"""What came of a wager, in a player's words: bust, push, BLACKJACK +$45."""

from __future__ import annotations

from msgspec import Struct

from croupier.cli.screen import card_list, gain_style
from croupier.game.hand import TWENTY_ONE, hand_total, is_natural, is_natural_pair
from croupier.rulebook import Rulebook
from croupier.rulebook.wager import MAIN
from croupier.story import cited, gain, wager_name
from croupier.table import events as ev
from croupier.table.deal import place_name
from croupier.table.state import BoxHand, State


def hand_of(state: State, event: ev.Settled) -> BoxHand | None:
    hands = state.box(event.box).hands
    return hands[event.hand - 1] if event.wager == MAIN and 0 < event.hand <= len(hands) else None


def outcome(state: State, event: ev.Settled, book: Rulebook) -> str:
    """One word, or a few: what happened to the wager. `state`: the table while the cards lie there."""
    hand = hand_of(state, event)
    if hand is None:
        won = "wins" if event.net > 0 else "loses" if event.net < 0 else "comes back"
        return f"{wager_name(event.wager).strip()} {won}"
    return _ended(state, event, hand, book) or _compared(state, event, hand, book)


def _ended(state: State, event: ev.Settled, hand: BoxHand, book: Rulebook) -> str:
    """What a hand came to before it was compared with the dealer's, if it did."""
    if event.end == "forfeited":
        return "forfeited"
    if hand.surrendered:
        return "surrendered"
    return "bust" if hand_total(state.rules, hand)[0] > TWENTY_ONE else ""


def _compared(state: State, event: ev.Settled, hand: BoxHand, book: Rulebook) -> str:
    if event.net == 0:
        return "push"
    if event.net > 0:
        return book.words.natural.upper() if is_natural(state.rules, hand) else "you win"
    if is_natural_pair(state.rules, state.dealer):
        return f"you lose to a {book.words.natural}"
    return "you lose"


class Line(Struct, frozen=True):
    """A wager's end as it is told: what happened, where, what it brought, and the clauses."""

    words: str
    place: str
    gain: str
    style: str
    clauses: str
    cards: str = ""  # of a natural, which deserves to be seen


def result(state: State, event: ev.Settled, book: Rulebook) -> Line:
    hand, words = hand_of(state, event), outcome(state, event, book)
    return Line(
        words=words,
        place=f"box {place_name(event.box, event.hand or 1)}",
        gain=gain(event.net, book),
        style=gain_style(event.net),
        clauses=cited(event, book),
        cards=card_list(hand.cards) if hand and words.isupper() else "",
    )
