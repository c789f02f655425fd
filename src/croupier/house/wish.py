"""A wager as a player writes it: an amount, and side bets behind it by name or short name, `10 pp=5`."""

from __future__ import annotations

from croupier.errors import ParseError
from croupier.money import cents
from croupier.rulebook import Rulebook
from croupier.story import money, wager_name
from croupier.table.again import Bid
from croupier.table.shorthand import AMOUNT
from croupier.table.sidebets import short_name
from croupier.table.state import State


def wish(state: State, line: str) -> Bid:
    """The wager that a line says."""
    first, *others = line.split()
    stake = amount_of(first)
    if stake == 0:
        raise ParseError("A bet is more than nothing; n passes the box by")
    sides: dict[str, int] = {}
    for word in others:
        side, amount = _side(state, word)
        if side in sides:
            raise ParseError(f"{word!r}: {side} is named twice")
        sides[side] = amount
    return Bid(stake, sides)


def _side(state: State, word: str) -> tuple[str, int]:
    name, equals, amount = word.lower().replace("-", "_").partition("=")
    known = state.rules.side_bets
    side = next((side for side in known if name in (side, short_name(side))), None)
    if side is None:
        offered = ", ".join(short_name(side) for side in open_sides(state))
        raise ParseError(f"{word!r} is no side bet here; on offer: {offered or 'none'}")
    terms = state.rules.house.side_bets.get(known[side].offered_as)
    if not equals and not (terms and terms.amount):
        raise ParseError(f"{word!r}: say how much, as in {name}=5.")
    return side, amount_of(amount) if equals else terms.amount if terms else 0


def amount_of(text: str) -> int:
    """Cents of what was typed: a plain amount, and no more than a purse can show."""
    if not AMOUNT.fullmatch(text):
        raise ParseError(f"{text[:20]!r} is not an amount: write it as in 10 or 7.50")
    return cents(text)


def open_sides(state: State) -> list[str]:
    """The side bets that the table takes now."""
    return [name for name, bet in state.rules.side_bets.items() if bet.offered_as in state.terms.offered_on]


def side_terms(state: State, book: Rulebook, name: str) -> str:
    """A side bet with its short name, how it is written, the stakes it takes and what it pays."""
    bet = state.rules.side_bets[name]
    terms = state.rules.house.side_bets[bet.offered_as]
    stakes = {
        "limits": f"{money(terms.minimum, book)} to {money(terms.maximum, book)}",
        "approved_amount": money(terms.amount, book),
        "up_to_main": "up to the main bet",
    }[bet.stake]
    return f"{short_name(name)} {wager_name(name).strip()}: {stakes}"
