"""Clauses, the instruments that make them, and the text in force on a day."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from croupier.errors import RulebookError

Obeyed = Literal["enforced", "performed", "configured", "supervised", "outside"]


class Instrument(Struct, frozen=True, forbid_unknown_fields=True):
    """A legal act that makes clauses, from the day it was made."""

    id: str
    title: str
    made: datetime.date
    revokes: tuple[str, ...] = ()
    dated: str = ""

    @property
    def day(self) -> str:
        """The day it was made, or how the document dates itself where it names no day."""
        return self.dated or self.made.isoformat()


class Clause(Struct, frozen=True, forbid_unknown_fields=True):
    """One clause: what it says in our words, how the software obeys it, and what it sets."""

    number: Annotated[str, Meta(min_length=1)]
    says: Annotated[str, Meta(min_length=1)]
    binds: Literal["player", "dealer", "supervisor", "operator", "regulator"]
    obeyed: Obeyed
    kind: str = "other"
    reading: str = ""
    sets: dict[str, Any] = {}
    grounds: tuple[str, ...] = ()
    options: dict[str, tuple[Any, ...]] = {}
    also: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    instrument: str = ""
    document: str = ""

    @property
    def citation(self) -> str:
        return f"{self.document} {self.number}"

    def bare(self, name: str) -> str:
        """The number in `name`, this clause's document taken off; another's name stays in front."""
        return plain_number(name.strip().removeprefix(f"{self.document} "))

    def is_named(self, name: str) -> bool:
        """Is this clause, or one that contains it, called `name`? 13.1(a) answers to 13.1 as well.

        A name may begin with a document, as in `act-blackjack-1997 6.2(a)`; it is then that one's alone.
        """
        wanted = self.bare(name)
        own = plain_number(self.number)
        if own == wanted or wanted in self.also:
            return True
        return own.startswith(wanted) and own[len(wanted)] in "( :"


def plain_number(number: str) -> str:
    """A clause's number without section sign or the word reg: `reg 7(5)(a)` is `7(5)(a)`."""
    return re.sub(r"^(?:§\s*|reg\.?\s+)", "", number.strip())


def sorted_by_date(instruments: Iterable[Instrument]) -> tuple[Instrument, ...]:
    return tuple(sorted(instruments, key=lambda instrument: instrument.made))


def consolidate(
    base: Iterable[Clause],
    instruments: tuple[Instrument, ...],
    clauses: Iterable[Clause],
    on: datetime.date | None,
) -> tuple[Clause, ...]:
    """The text in force `on` a day (None: with every instrument applied), amendments carried out.

    Each instrument in order of date first deletes, then inserts. A deletion names a clause of the
    text as it stood; it takes the clause's parts with it.
    """
    text = list(base)
    for instrument in sorted_by_date(instruments):
        if on is not None and instrument.made > on:
            break
        inserted = [clause for clause in clauses if clause.instrument == instrument.id]
        for clause in inserted:
            for name in clause.deletes:
                kept = [old for old in text if not old.is_named(name)]
                if len(kept) == len(text):
                    raise RulebookError(f"deletes {name}, which is not in the text", (clause.citation,))
                text = kept
        text += inserted
    return tuple(text)
