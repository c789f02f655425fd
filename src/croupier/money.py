"""Money is whole cents, odds are fractions; both have text forms that parse back."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from croupier.errors import ParseError

Cents = int
MOST: Cents = 10**15
DIGITS = 20
_ODDS = re.compile(r"^\s*([\d,]{1,12})\s*(?:to|/|:)\s*([\d,]{1,12})\s*$", re.ASCII)
_SHARE = re.compile(r"^\d{1,9}(?:\.\d{1,9})?$", re.ASCII)


def cents(amount: str | int | float | Decimal) -> Cents:
    """Cents of an amount in dollars (or pounds): 7.5 is 750."""
    try:
        given = Decimal(str(amount).strip().lstrip("$£").replace(",", ""))
        exact = given * 100
    except ArithmeticError:
        raise ParseError(f"{amount!r} is not an amount: write dollars and cents, as in 7.50") from None
    if not exact.is_finite() or abs(exact) > MOST or len(given.as_tuple().digits) > DIGITS:
        raise ParseError(f"{amount!r} is not an amount that a table could hold")
    if exact != int(exact):
        raise ParseError(f"{amount!r} is not an amount: the smallest coin is one cent")
    return int(exact)


def dollars(amount: int) -> str:
    """`750` as `7.50`, `1000` as `10`."""
    sign = "-" if amount < 0 else ""
    whole, part = divmod(abs(amount), 100)
    return f"{sign}{whole:,}.{part:02d}" if part else f"{sign}{whole:,}"


def plain(amount: int) -> str:
    """`dollars` without the commas, for programs to read."""
    return dollars(amount).replace(",", "")


_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_LARGE = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (10**3, "thousand"), (100, "hundred"))
_COINS = {"£": ("pound", "penny", "pence")}


def in_words(amount: Cents, currency: str = "$") -> str:
    """A sum as it is said, so that a slip is heard: 125000 is one thousand two hundred and fifty dollars."""
    whole, part = divmod(abs(amount), 100)
    coin, small, smalls = _COINS.get(currency, ("dollar", "cent", "cents"))
    said = f"{_said(whole)} {coin}{'' if whole == 1 else 's'}"
    return f"{said} and {_said(part)} {small if part == 1 else smalls}" if part else said


def _said(count: int) -> str:
    if count < 20:
        return _SMALL[count]
    if count < 100:
        tens, ones = divmod(count, 10)
        return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")
    size, name = next((size, name) for size, name in _LARGE if count >= size)
    times, rest = divmod(count, size)
    link = " and " if 0 < rest < 100 else " " if rest else ""
    return f"{_said(times)} {name}{link}{_said(rest) if rest else ''}"


def number(amount: int) -> int | float:
    """Dollars as a number: `750` as 7.5, `1000` as 10."""
    return amount // 100 if amount % 100 == 0 else amount / 100


def parse_odds(text: str | int | float | Fraction) -> Fraction:
    """Odds or a share: `3 to 2`, `3/2`, 1.5 or 2."""
    if isinstance(text, int | Fraction) and text >= 0:
        return Fraction(text)
    text = str(text)
    match = _ODDS.match(text)
    if match and int(match[2].replace(",", "")):
        return Fraction(int(match[1].replace(",", "")), int(match[2].replace(",", "")))
    if _SHARE.match(text):
        return Fraction(text)
    raise ParseError(f"{text!r} is not odds or a share: write 3 to 2, 3/2 or 0.5")


def odds_text(odds: Fraction) -> str:
    return f"{odds.numerator:,} to {odds.denominator:,}"


def part_of(amount: Cents, share: Fraction) -> Cents:
    """So large a part of an amount, down to whole cents."""
    return amount * share.numerator // share.denominator


def at_odds(stake: int, odds: Fraction) -> int:
    """What `stake` wins at `odds`; stakes are held to amounts that pay in whole cents."""
    won, rest = divmod(stake * odds.numerator, odds.denominator)
    if rest:
        raise ParseError(f"{dollars(stake)} at {odds_text(odds)} does not come out in whole cents")
    return won
