"""What came of a wager, in a player's words: bust, push, BLACKJACK +$45."""

from __future__ import annotations

from msgspec import Struct

from croupier.cli.screen import card_list, gain_style
from croupier.rulebook import Rulebook
from croupier.story import cited, gain, hand_of, outcome
from croupier.table import events as ev
from croupier.table.deal import place_name
from croupier.table.state import State

YOURS = {"wins": "you win", "loses": "you lose"}


def yours(state: State, event: ev.Settled, book: Rulebook) -> str:
    """What became of a wager of your own; a natural is worth capitals."""
    said = outcome(state, event, book)
    if hand_of(state, event) is None:
        return said
    verb, _, rest = said.partition(" ")
    return (
        f"{YOURS[verb]} {rest}".rstrip()
        if verb in YOURS
        else said.replace(book.words.natural, book.words.natural.upper())
    )


class Line(Struct, frozen=True):
    """A wager's end as it is told: what happened, where, what it brought, and the clauses."""

    words: str
    place: str
    gain: str
    style: str
    clauses: str
    cards: str = ""  # of a natural, which deserves to be seen


def result(state: State, event: ev.Settled, book: Rulebook) -> Line:
    hand, words = hand_of(state, event), yours(state, event, book)
    return Line(
        words=words,
        place=f"box {place_name(event.box, event.hand or 1)}",
        gain=gain(event.net, book),
        style=gain_style(event.net),
        clauses=cited(event, book),
        cards=card_list(hand.cards) if hand and words.isupper() else "",
    )
