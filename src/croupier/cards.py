"""Ranks, suits and cards, with text forms that parse back.

A card is its text: rank then suit, `Th` the ten of hearts. Cards of several packs are not told
apart, because nothing at the table depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NewType

from croupier.errors import ParseError

RANKS = "A23456789TJQK"
SUITS = "shdc"
SUIT_SYMBOLS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
RED_SUITS = "hd"
NUMBERED = frozenset("23456789T")  # ranks that show a number

Card = NewType("Card", str)

# What a shoe gives out is a word: a card, a card with ^ where it lies face up, or the cutting card.
CUT = "cut"
FACE_UP = "^"

ALL_CARDS: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
INDEX: dict[Card, int] = {card: index for index, card in enumerate(ALL_CARDS)}


def parse_card(text: str) -> Card:
    """The card that `text` names; `10h` and `♥` are understood as well as `Th`."""
    plain = text.strip()
    for letter, symbol in SUIT_SYMBOLS.items():
        plain = plain.replace(symbol, letter)
    if plain.startswith("10"):
        plain = "T" + plain[2:]
    card = Card(plain[:1].upper() + plain[1:].lower())
    if card not in INDEX:
        raise ParseError(f"{text!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, as in Th")
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(word) for word in text.split())


def is_red(card: Card) -> bool:
    return card[1] in RED_SUITS


def pretty(card: Card) -> str:
    """The card as people read it: `10♥`."""
    rank = "10" if card[0] == "T" else card[0]
    return rank + SUIT_SYMBOLS[card[1]]


def pack(ranks: str, decks: int) -> bytes:
    """How many of each card (in the order of ALL_CARDS) so many packs of these ranks hold."""
    return bytes(decks if card[0] in ranks else 0 for card in ALL_CARDS)


def without(counts: bytes, cards: Iterable[Card]) -> bytes:
    """`counts` less these cards; a count below zero is a ValueError of bytes itself."""
    left = bytearray(counts)
    for card in cards:
        left[INDEX[card]] -= 1
    return bytes(left)
