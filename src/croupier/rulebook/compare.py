"""Provisions in words, what is left to the house, and the differences of two rulebooks.

Names and words are those that stand at a provision's field. What a rulebook says about it is put as a
person would say it: odds as odds, a share as half, silence as what silence means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from croupier.money import number, odds_text
from croupier.rulebook.book import Rulebook, convert_values
from croupier.rulebook.grounds import GROUNDS, SIDE_BET_GROUNDS
from croupier.rulebook.house import House
from croupier.rulebook.paytable import Pattern, Row, SideBet, SuperBonus
from croupier.rulebook.provision import Provision, Setting, parts, provisions, settings
from croupier.rulebook.rules import Rules
from croupier.rulebook.text import Clause

ANY = Provision("", "")  # where nothing is known
MOST_CITED = 3


class Side(Struct, frozen=True):
    """What one rulebook says on a provision, and the clauses that say it; none where it is silent."""

    words: str
    value: Any
    clauses: tuple[Clause, ...]


class Difference(Struct, frozen=True):
    section: str
    provision: str
    name: str
    first: Side
    second: Side


class Duty(Struct, frozen=True):
    """A ground that only one of two rulebooks binds."""

    ground: str
    words: str
    clauses: tuple[Clause, ...]


class Comparison(Struct, frozen=True):
    """What sets two rulebooks apart. Clauses are told apart only where both are one document's."""

    first: Rulebook
    second: Rulebook
    differences: tuple[Difference, ...]
    only_first: tuple[Duty, ...]
    only_second: tuple[Duty, ...]
    deleted: tuple[Clause, ...]
    inserted: tuple[Clause, ...]


def compare(first: Rulebook, second: Rulebook) -> Comparison:
    """The differences of two rulebooks, or of one on two days."""
    same = first.id == second.id
    return Comparison(
        first=first,
        second=second,
        differences=tuple(_differences(first, second)),
        only_first=tuple(_duties(first, second)),
        only_second=tuple(_duties(second, first)),
        deleted=_lacking(second, first) if same else (),
        inserted=_lacking(first, second) if same else (),
    )


def _lacking(book: Rulebook, other: Rulebook) -> tuple[Clause, ...]:
    """The clauses of another text that the book does not have."""
    have = {clause.citation for clause in book.clauses}
    return tuple(clause for clause in other.clauses if clause.citation not in have)


# Differences


def _differences(first: Rulebook, second: Rulebook) -> Iterator[Difference]:
    for provision, known in provisions(Rules).items():
        pair = getattr(first.rules, provision), getattr(second.rules, provision)
        for path, one, other in _apart(provision, *pair):
            here, there = _side(first, path, one), _side(second, path, other)
            if here.words != there.words:
                yield Difference(
                    section=known.section, provision=path, name=name_of(path), first=here, second=there
                )


def _apart(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    """(path, value, value) of what may differ; tables and records present on both sides are opened."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one | other:
            yield from _apart(f"{path}.{key}", one.get(key), other.get(key))
    elif isinstance(one, SideBet | SuperBonus) and isinstance(other, SideBet | SuperBonus):
        for field in one.__struct_fields__:
            yield from _apart(f"{path}.{field}", getattr(one, field), getattr(other, field))
    else:
        yield path, one, other


def _side(book: Rulebook, path: str, value: Any) -> Side:
    said = words(path, value)
    options = book.options().get(path)
    if options:
        others = [convert_values({path: other})[path] for other in options[1][1:]]
        choice = f": {words(path, others[0])}" if len(others) == 1 else " otherwise"
        said += f" (the house may choose{choice})"
    return Side(words=said, value=value, clauses=book.cite(path))


def _duties(book: Rulebook, other: Rulebook) -> Iterator[Duty]:
    """The grounds that only `book` binds; those of a side bet that the other has not are no news."""
    for ground, clauses in book.bound.items():
        if ground in other.bound or not is_duty(ground):
            continue
        bet = ground.split(".")[1] if ground.startswith("side_bets.") else ""
        if not bet or bet in other.rules.side_bets:
            yield Duty(ground=ground, words=ground_words(ground), clauses=clauses)


# Words


def is_duty(ground: str) -> bool:
    """Is this a ground by itself, and not a provision?"""
    *folders, leaf = ground.split(".")
    return ground in GROUNDS or (len(folders) == 2 and folders[0] == "side_bets" and leaf in SIDE_BET_GROUNDS)


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
    if known.unit == "share":
        return "half" if value == Fraction(1, 2) else f"{value} of"
    return odds_text(value)


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


# What is left to the house


def permitted(rules: Rules) -> dict[str, tuple[str, str]]:
    """For each house setting what the law permits, and the provision or ground that says so."""
    known = sorted(settings(House).items(), key=lambda one: not one[1].is_name)
    officer = " and the officer" if rules.approval_by == "officer" else ""
    approvals = {
        f"approvals.{thing}": (f"the reference of the written approval{officer}", f"approvals.{thing}")
        for thing in rules.approvals
    }
    plain_ones = {name: (_permitted(setting, rules), setting.behind) for name, setting in known}
    return plain_ones | approvals | _side_offers(rules)


def _permitted(setting: Setting, rules: Rules) -> str:
    by = setting.by or setting.behind
    if by not in provisions(Rules):
        return setting.permitted
    value = getattr(rules, by)
    chosen = setting.where.get(value) if setting.where else None
    return chosen or setting.permitted.format(words(by, value))


def _side_offers(rules: Rules) -> dict[str, tuple[str, str]]:
    terms = {
        "limits": "off, or a minimum and a maximum",
        "approved_amount": "off, or the approved amount",
        "up_to_main": "off, or on, up to the main wager",
    }
    return {
        bet.offered_as: (terms[bet.stake], f"side_bets.{name}.stake") for name, bet in rules.side_bets.items()
    }


def setting(house: House, name: str) -> Any:
    """A setting by its name in `permitted`: amounts in dollars, a side bet that is not on offer False."""
    if name.startswith("approvals."):
        approval = house.approvals.get(name.partition(".")[2])
        return approval.ref if approval else None
    if name not in settings(House):
        offer = house.side_bets.get(name)
        return {part: number(amount) for part, amount in asdict(offer).items()} if offer else False
    value = getattr(house, name)
    return number(value) if settings(House)[name].is_amount else value


def readings(book: Rulebook, chosen: Rules) -> Iterator[tuple[str, Clause | None, list[Any]]]:
    """The provisions that the house may choose, each with its choices, that of the rules chosen first."""
    for name, (clause, raw) in book.options().items():
        choices = [convert_values({name: choice})[name] for choice in raw]
        choices.sort(key=lambda choice: bool(choice != getattr(chosen, name)))
        yield name, clause, choices
