"""The cards from which a round is dealt: a fresh shoe, a depleted one, or packs without end.

Two things are known of a shoe: how many cards of each rank are `left`, and the `pool` of suited cards
from which those of a rank were taken. Where the suits of what is gone are known, pool and shoe are the
same. Where only the ranks are, every card of a rank is as likely to be gone as any other, and then the
suits of the next cards are distributed as if they came from the whole pool.
"""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec import Struct

from croupier.cards import ALL_CARDS, INDEX, RANKS, SUITS, Card, pack, parse_card
from croupier.errors import ParseError


class CardsLeft(Struct, frozen=True):
    """A shoe to the solver: how many cards of each rank are left, in the order of RANKS, and their suits."""

    left: tuple[int, ...]
    pool: bytes
    endless: bool = False

    @property
    def size(self) -> int:
        return sum(self.left)

    def chance(self, *cards: Card) -> Fraction:
        """The probability that the next cards are these, in this order."""
        left, pool = list(self.left), bytearray(self.pool)
        size, chance = self.size, Fraction(1)
        for card in cards:
            index = INDEX[card]
            rank = index % len(RANKS)
            if not (left[rank] > 0 and pool[index] > 0):
                return Fraction(0)
            chance *= Fraction(left[rank] * pool[index], size * sum(pool[rank :: len(RANKS)]))
            if not self.endless:
                left[rank], pool[index] = left[rank] - 1, pool[index] - 1
                size -= 1
        return chance

    def without(self, *cards: Card) -> CardsLeft:
        """The shoe after these cards have left it."""
        left, pool = list(self.left), bytearray(self.pool)
        for card in cards:
            rank = RANKS.index(card[0])
            if left[rank] == 0 or pool[INDEX[card]] == 0:
                raise ParseError(f"the shoe cannot hold {' '.join(cards)}: no {card} is left")
            if not self.endless:
                left[rank] -= 1
                pool[INDEX[card]] -= 1
        return CardsLeft(left=tuple(left), pool=bytes(pool), endless=self.endless)

    def __str__(self) -> str:
        shown = ", ".join(f"{rank}={count}" for rank, count in zip(RANKS, self.left, strict=True) if count)
        return f"packs without end, {shown} in each" if self.endless else shown


def fresh(ranks: str, decks: int) -> CardsLeft:
    """So many new packs of these ranks."""
    return _of(pack(ranks, decks))


def endless(ranks: str) -> CardsLeft:
    """A shoe that no card depletes."""
    return CardsLeft(left=_left(pack(ranks, 1)), pool=pack(ranks, 1), endless=True)


def of_cards(*cards: Card) -> CardsLeft:
    """A shoe that holds just these cards."""
    return of_counts(bytes(len(ALL_CARDS)), *cards)


def of_counts(counts: bytes, *also: Card) -> CardsLeft:
    """A shoe that holds so many of each card, in the order of ALL_CARDS, and these cards as well."""
    held = bytearray(counts)
    for card in also:
        held[INDEX[card]] += 1
    return _of(bytes(held))


def _of(counts: bytes) -> CardsLeft:
    return CardsLeft(left=_left(counts), pool=counts)


def _left(counts: bytes) -> tuple[int, ...]:
    return tuple(sum(counts[INDEX[Card(rank + suit)]] for suit in SUITS) for rank in RANKS)


_ENTRY = re.compile(r"(?P<what>[^=]+)=(?P<count>[+-]?[0-9]{1,6})")


def parse_shoe(text: str, ranks: str, decks: int) -> CardsLeft:
    """A depleted shoe in words, starting from so many fresh packs.

    `A=20 T=90` says how many of a rank are left, `7s=3` how many of one card; ranks that are not named
    are untouched. `-5 -6h` then takes cards out: a rank, or a card of a known suit.
    """
    counts = fresh(ranks, decks)
    left, pool = list(counts.left), bytearray(counts.pool)
    said: set[str] = set()
    # Cards before ranks before what is taken out, so that the order of the words means nothing.
    for word in sorted(text.replace(",", " ").split(), key=lambda word: (word[0] == "-", word.find("=") < 2)):
        if word.startswith("-") and "=" not in word:
            _take_out(word[1:], word, left, pool)
            continue
        entry = _ENTRY.fullmatch(word)
        if not entry:
            raise ParseError(
                f"--shoe {word!r}: write A=20 or 7s=3 for what is left, -5 or -6h for what is gone"
            )
        count = int(entry["count"])
        if count < 0:
            raise ParseError(f"--shoe {word}: a count cannot be negative")
        what = entry["what"].replace("10", "T").upper()
        if what in said:
            raise ParseError(f"--shoe {word}: how many are left of {entry['what']} is said twice")
        said.add(what)
        _leave(entry["what"], word, count, left, pool)
    return CardsLeft(left=tuple(left), pool=bytes(pool))


def _rank(text: str, word: str) -> int:
    rank = "T" if text == "10" else text.upper()
    if len(rank) != 1 or rank not in RANKS:
        raise ParseError(f"--shoe {word!r}: {text!r} is neither a rank of {RANKS} nor a card")
    return RANKS.index(rank)


def _take_out(what: str, word: str, left: list[int], pool: bytearray) -> None:
    if len(what) > 1 and what != "10":
        card = parse_card(what)
        rank, index = RANKS.index(card[0]), INDEX[card]
        if pool[index] == 0:
            raise ParseError(f"--shoe {word}: no {card} is left to take out")
        pool[index] -= 1
    else:
        rank = _rank(what, word)
    if left[rank] == 0:
        raise ParseError(f"--shoe {word}: no {RANKS[rank]} is left to take out")
    left[rank] -= 1


def _leave(what: str, word: str, count: int, left: list[int], pool: bytearray) -> None:
    if len(what) > 1 and what != "10":
        card = parse_card(what)
        rank, index = RANKS.index(card[0]), INDEX[card]
        gone = pool[index] - count
        if gone < 0:
            raise ParseError(f"--shoe {word}: the packs hold {pool[index]} of {card}")
        pool[index] = count
        left[rank] -= gone
        if left[rank] < 0:
            raise ParseError(f"--shoe {word}: more cards are gone than there are of rank {card[0]}")
        return
    rank = _rank(what, word)
    held = sum(pool[INDEX[Card(RANKS[rank] + suit)]] for suit in SUITS)
    if count > held:
        raise ParseError(f"--shoe {word}: the packs hold {held} of rank {RANKS[rank]}")
    left[rank] = count
