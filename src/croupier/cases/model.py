"""A case: one round written as plain data by someone who knows the rules and not the code."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Struct

from croupier.cards import CUT, FACE_UP, Card, parse_card
from croupier.errors import ParseError
from croupier.money import cents
from croupier.rulebook.wager import MAIN

LAID_ON = ">"  # `5h>2`: the card was laid on box 2, where it did not belong
_PLACE = re.compile(r"\d{1,2}(\.\d{1,2})?|dealer", re.ASCII)


class CaseWager(Struct, frozen=True):
    """A wager of the case: amounts in cents."""

    box: int
    player: str
    stake: int
    sides: dict[str, int] = {}


class Expectation(Struct, frozen=True):
    """What a wager must win or lose: net in cents, and the clauses one of which must be cited."""

    player: str
    box: int
    wager: str
    net: int
    hand: int | None = None
    clauses: tuple[str, ...] = ()
    why: str = ""


class Case(Struct, frozen=True):
    title: str
    rulebook: str
    cards: tuple[str, ...]
    wagers: tuple[CaseWager, ...]
    expect: tuple[Expectation, ...]
    play: tuple[str, ...] = ()
    dealer: tuple[Card, ...] = ()
    burn: Card | None = None
    reshuffled: tuple[str, ...] = ()
    table: dict[str, Any] = {}
    source: str = ""


Amount = int | float | str


class _RawWager(Struct):
    """What is not one of these is a side bet and its stake."""

    box: int
    player: str
    stake: Amount


class _RawExpect(Struct, forbid_unknown_fields=True):
    player: str
    box: int
    net: Amount
    wager: str = MAIN
    hand: int | None = None
    clause: str = ""
    why: str = ""


class _RawCase(Struct, forbid_unknown_fields=True):
    rulebook: str
    cards: str
    wager: list[dict[str, Amount]]
    expect: list[_RawExpect] = []
    title: str = ""
    burn: str | None = None
    reshuffled: str = ""
    play: list[str] = []
    dealer: str = ""
    table: dict[str, Any] = {}


def read_case(raw: Any, source: str) -> Case:
    """A case from parsed TOML or JSON; a ParseError names the source and what is wrong with it."""
    try:
        data = msgspec.convert(raw, _RawCase)
        return Case(
            title=data.title,
            rulebook=data.rulebook,
            cards=_read_cards(data.cards),
            wagers=tuple(_read_wager(wager) for wager in data.wager),
            expect=tuple(_read_expect(expect) for expect in data.expect),
            play=tuple(data.play),
            dealer=tuple(parse_card(word) for word in data.dealer.split()),
            burn=parse_card(data.burn) if data.burn else None,
            reshuffled=_read_cards(data.reshuffled),
            table=data.table,
            source=source,
        )
    except (msgspec.ValidationError, ParseError) as error:
        raise ParseError(f"{source}: {error}") from None


def _read_cards(text: str) -> tuple[str, ...]:
    return tuple(word if word == CUT else _read_card(word) for word in text.split())


def _read_card(word: str) -> str:
    """A card with its mark: face up in the shoe, or laid where it did not belong."""
    card, laid, place = word.partition(LAID_ON)
    if laid and not _PLACE.fullmatch(place):
        raise ParseError(f"{word!r}: behind {LAID_ON} comes where the card was laid: 2, 1.2 or dealer")
    mark = FACE_UP if card.endswith(FACE_UP) and not laid else ""
    return parse_card(card.removesuffix(mark)) + mark + laid + place


def _read_wager(raw: dict[str, Amount]) -> CaseWager:
    main = msgspec.convert(raw, _RawWager)
    sides = {name: cents(value) for name, value in raw.items() if name not in _RawWager.__struct_fields__}
    return CaseWager(box=main.box, player=main.player, stake=cents(main.stake), sides=sides)


def _read_expect(raw: _RawExpect) -> Expectation:
    return Expectation(
        player=raw.player,
        box=raw.box,
        wager=raw.wager,
        net=cents(raw.net),
        hand=raw.hand,
        clauses=tuple(part.strip() for part in raw.clause.split(", ") if part.strip()),
        why=raw.why,
    )
