"""Numbers, cards and actions as people read them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

DIGITS = 15  # what double precision bears of values below one: in data, so that parts sum to the whole
KNOWN = 12  # behind which rounding errors of the solver lie: what people are shown
UNKNOWN = 1e-12  # rarer sums of many rounds are lost in rounding
ENDLESS = 0  # in place of a number of decks
UPCARDS = "23456789TA"
NAMES = {"S": "stand", "H": "hit", "D": "double", "P": "split", "R": "surrender"}
ALL_NAMES = NAMES | {"K": "keep", "F": "forfeit"}
OF_SUITS = {"-": "", "m": " of two suits", "s": " of one suit but spades", "S": " of spades"}


# Numbers


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def percent(value: Any, digits: int = 4) -> str:
    return _minus(f"{float(value):,.{digits}%}")


def signed(value: Any, digits: int = 4, unit: str = "") -> str:
    """With its sign, and no sign where nothing is left of it."""
    shown = float(value) * (100 if unit == "%" else 1)
    text = f"{shown:+,.{digits}f}"
    return _minus(text if float(text.replace(",", "")) else f"{0:.{digits}f}") + unit


def small_percent(value: Any, digits: int = 4) -> str:
    """The same of a chance that may be tiny: then two figures of it, or beyond what is known only a bound."""
    chance = float(value)
    if chance < UNKNOWN:
        return f"< {(100 * Decimal(str(UNKNOWN))).normalize():f}%"
    return percent(chance, digits) if chance >= 10.0**-digits else f"{_figures(chance)}%"


def known_percent(value: Any, digits: int) -> str:
    """A chance of which so many digits are known, or that it is less than any of them."""
    return percent(value, digits) if float(value) >= _least(digits) else f"< {10.0**-digits:.{digits}f}%"


def _least(digits: int) -> float:
    """The smallest chance that is more than nothing in percent with so many digits."""
    return 0.5 * 10.0 ** -(digits + 2)


def _figures(chance: float) -> str:
    """In percent, to two figures and without an exponent."""
    return f"{Decimal(f'{100 * chance:.1e}'):f}"


def number(value: Any, digits: int = 0) -> str:
    return _minus(f"{float(value):,.{digits}f}")


def fraction(value: Any) -> str:
    return _minus(str(value))


def one_in(chance: Any) -> str:
    """How rare: `1 in 23.4`, `1 in 668,382`."""
    if not chance:
        return "never"
    rounds = 1 / float(chance)
    return f"1 in {rounds:,.1f}" if rounds < 100 else f"1 in {rounds:,.0f}"


def about_one_in(chance: Any, digits: int) -> str:
    """The same of a chance, in percent known to so many digits: with no more than it has, at most three."""
    if not chance:
        return one_in(chance)
    if float(chance) < _least(digits):
        return f"1 in over {1 / _least(digits):,.0f}"
    known = len(f"{float(chance) * 10 ** (digits + 2):.0f}")
    return one_in(1 / float(f"{1 / float(chance):.{min(known, 3)}g}"))


def decks_text(decks: int) -> str:
    return str(decks) if decks else "∞"


def so_many_decks(decks: int) -> str:
    return "1 deck" if decks == 1 else f"{decks} decks"


def ten_of(ranks: str) -> str:
    """What a card worth ten is called: 10, or where the pack has no tens its faces."""
    return "10" if "T" in ranks else "".join(rank for rank in "JQK" if rank in ranks)


def card(value: str, ten: str = "10") -> str:
    return ten if value == "T" else value


def result_text(result: Fraction) -> str:
    return signed(result, 0 if result.denominator == 1 else 1 if result.denominator == 2 else 2)


# Actions, and the rows of a chart


def action(text: str) -> str:
    """`D/H` as Dh, `P/H` as P: what follows a split is seen at the hand it leaves."""
    first, *rest = text.split("/")
    return first + (rest[0].lower() if rest and first in "DR" else "")


def in_full(text: str) -> str:
    """`P/H` as Ph too: for what differs only in what follows."""
    first, *rest = text.split("/")
    return first + "".join(rest).lower()


def done_in_full(text: str, otherwise: str = " or ", split: str = NAMES["P"]) -> str:
    """What is done, in words: `R/H` as surrender or hit."""
    names = ALL_NAMES | {"P": split}
    return otherwise.join(names[letter] for letter in text.split("/"))


def hand_text(hand: str, suits: str = "-", ten: str = "10") -> str:
    """`78` and `s` as 7-8 of one suit."""
    return "-".join(card(value, ten) for value in hand) + OF_SUITS[suits]


def row_order(row: str) -> tuple[str, int]:
    """Hard totals, soft totals, pairs, doubled hands: each from the highest."""
    if row[0] == "d":
        return f"3{row[1]}", -int(row[2:])
    if row[0] in "hs":
        return {"h": "0", "s": "1"}[row[0]], -int(row[1:])
    return "2", -UPCARDS.index(row[0])


def row_name(row: str) -> str:
    """`h16` as hard 16, `TT` as T-T, `dh16` as doubled 16."""
    if row[0] == "d":
        return f"doubled {'soft ' if row[1] == 's' else ''}{row[2:]}"
    if row[0] in "hs":
        return f"{'hard' if row[0] == 'h' else 'soft'} {row[1:]}"
    return f"{row[0]}-{row[1]}"


def row_label(row: str, ten: str = "10") -> str:
    """`TT` as 10-10, or as a pair of faces."""
    return f"{ten} pair" if row == "TT" and ten != "10" else row_name(row).replace("T", ten)
