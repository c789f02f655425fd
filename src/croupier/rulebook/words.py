"""Provisions, grounds and clauses in words: what a rulebook says, as a person would say it.

Names and words are those that stand at a provision's field; odds are told as odds, a share as half,
silence as what silence means.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from croupier.money import odds_text
from croupier.rulebook.grounds import GROUNDS, SIDE_BET_GROUNDS, is_duty
from croupier.rulebook.paytable import Pattern, Row, SideBet, SuperBonus
from croupier.rulebook.provision import Provision, parts, provisions
from croupier.rulebook.rules import Rules
from croupier.rulebook.text import Clause

if TYPE_CHECKING:
    from croupier.rulebook.book import Rulebook

ANY = Provision("", "")  # where nothing is known
MOST_CITED = 3


def ground_words(ground: str) -> str:
    """What a ground, or a provision bound as one, is about."""
    if ground in GROUNDS:
        return GROUNDS[ground]
    *folders, leaf = ground.split(".")
    if is_duty(ground):
        return f"{title(folders[1])}: {SIDE_BET_GROUNDS[leaf]}"
    return name_of(ground)


def name_of(path: str) -> str:
    """A provision as people call it: `side_bets.perfect_pairs.rows.mixed` is Perfect Pairs, mixed."""
    name, each = "", ANY.each
    for part, known in parts(Rules, path):
        if known is None:
            entry = {"name": name, "key": plain(part), "title": title(part)}
            name = each.format(**entry) if name else plain(part).capitalize()
        elif known.name:
            name = f"{name}, {known.name}" if name else known.name
        each = (known or ANY).each
    return name


def plain(name: str) -> str:
    return name.replace("_", " ")


def title(name: str) -> str:
    """A side bet's name: `super_sevens` is Super Sevens."""
    return plain(name).title()


def words(path: str, value: Any) -> str:
    """A provision's value as a person would say it."""
    if isinstance(value, Row | SideBet | SuperBonus | Pattern):
        return _record(value)
    return _said(_known(path), value)


def _known(path: str) -> Provision:
    """What is known of a provision, or of that of which it is a part."""
    found = [known for _, known in parts(Rules, path) if known]
    return found[-1] if found else ANY


def _said(known: Provision, value: Any) -> str:
    """A value in the words of its provision."""
    if value is None or (not value and not isinstance(value, bool | Fraction)):
        return known.nothing
    if isinstance(value, str | int) and value in known.words:
        return known.words[value]
    return known.phrase.format(_plain_value(known, value))


def _plain_value(known: Provision, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        return _fraction(known, value)
    if isinstance(value, tuple | frozenset):
        return _several(known, value if isinstance(value, tuple) else tuple(sorted(value)))
    if isinstance(value, str):
        return _letters(known, value)
    return f"{len(value) if isinstance(value, dict) else value:,}"


def _fraction(known: Provision, value: Fraction) -> str:
    if known.unit == "decks":
        few = {Fraction(0): "nothing", Fraction(1, 2): "half a deck", Fraction(1): "1 deck"}
        return few.get(value, f"{value} decks")
    return share_of(value) if known.unit == "share" else odds_text(value)


def share_of(value: Fraction) -> str:
    """What goes before the thing of which it is a share: half, a quarter of, 2/5 of."""
    few = {(0, 1): "none of", (1, 2): "half", (1, 3): "a third of", (1, 4): "a quarter of", (1, 1): "all of"}
    return few.get(value.as_integer_ratio(), f"{value} of")


def _several(known: Provision, values: tuple[Any, ...]) -> str:
    shown = [known.words.get(value) or plain(str(value)) for value in values]
    if known.either and len(shown) > 1:
        return f"{', '.join(shown[:-1])} or {shown[-1]}"
    return ", ".join(shown)


def _letters(known: Provision, text: str) -> str:
    """Text that stands for cards, or that is plain words."""
    if known.unit == "suits":
        return " or ".join(SUITS[suit] for suit in text)
    if known.unit == "cards":
        return " ".join("10" if rank == "T" else rank for rank in text)
    return _ranks(text) if known.unit == "ranks" else plain(text)


def _ranks(ranks: str) -> str:
    """`A23456789TJQK` as `A, 2 to 10, J, Q, K`."""
    shown = ["10" if rank == "T" else rank for rank in ranks]
    numbers = [rank for rank in shown if rank.isdigit()]
    if len(numbers) < 3:
        return ", ".join(shown)
    span = f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(dict.fromkeys(span if rank.isdigit() else rank for rank in shown))


def _record(value: Row | SideBet | SuperBonus | Pattern) -> str:
    if isinstance(value, Pattern):
        return _pattern(value)
    if isinstance(value, Row):
        late = ", after the round" if value.paid == "after_round" else ""
        return f"{_pattern(value.when)}: {odds_text(value.pays)}{late}"
    if isinstance(value, SuperBonus):
        return (
            f"{_pattern(value.when)} against a dealer's {value.dealer_rank}: {value.below_threshold:,} "
            f"under a wager of {value.threshold}, {value.from_threshold:,} from there; "
            f"{value.others} to all others"
        )
    rows = "; ".join(f"{plain(name)} {odds_text(row.pays)}" for name, row in value.rows.items())
    return f"on the first {value.first_cards} cards: {rows}"


SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def _pattern(when: Pattern) -> str:
    """A condition on cards, its parts in a row, the ranks first, which say how many there are."""
    given = {name: value for name, value in asdict(when).items() if value is not None}
    if when.ranks:
        given = {"ranks": given.pop("ranks")} | {name: given[name] for name in given if name != "cards"}
    return ", ".join(_said(provisions(Pattern)[name], value) for name, value in given.items())


def cited(clauses: Iterable[Clause], *, inside: Rulebook | None = None, glue: str = " ") -> str:
    """Clauses in short, each document named once: act-blackjack-2003 17.1, 17.4.

    Beside the name of a rulebook that is one document its clauses need none.
    """
    named = inside is None or inside.names_documents
    listed = list(clauses)
    shown = []
    for document, members in groupby(listed[:MOST_CITED], lambda clause: clause.document):
        numbers = ", ".join(clause.number for clause in members)
        shown.append(f"{document}{glue}{numbers}" if named else numbers)
    return "; ".join(shown) + (" …" if len(listed) > MOST_CITED else "")
