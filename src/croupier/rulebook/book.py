"""A rulebook: the text in force, the rules it makes, and which clause stands behind each of them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from croupier.errors import Refused, RulebookError
from croupier.money import parse_odds
from croupier.rulebook.choose import check_house
from croupier.rulebook.grounds import MAY_BE_UNKNOWN, is_ground
from croupier.rulebook.provision import provisions
from croupier.rulebook.rules import Rules
from croupier.rulebook.sense import contradictions
from croupier.rulebook.settings import Settings
from croupier.rulebook.text import Clause, Instrument, plain_number, sorted_by_date

HOUSE_RULE = "house rule"
NOT_PROVIDED = "no clause provides for it"
# What a provision says where the game does not have the thing.
NOTHING: tuple[object, ...] = (None, False, 0, "", "none", "never", (), frozenset())


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """What the document calls things, for people."""

    game: str = "Blackjack"
    natural: str = "Blackjack"
    dealer: str = "dealer"
    split: str = "split"
    is_split: str = "split"
    a_split: str = "split"
    currency: str = "$"

    def verb(self, move: str) -> str:
        """To split or to double, as the document says it."""
        return self.split if move == "split" else move

    def noun(self, move: str) -> str:
        """A split or a double."""
        return self.a_split if move == "split" else move


class Bound(dict[str, tuple[Clause, ...]]):
    """The clauses behind each provision and ground, by its dotted name."""

    def __init__(self, bound: dict[str, tuple[Clause, ...]]) -> None:
        super().__init__(bound)
        self._known: dict[str, dict[str, Clause]] = {}
        self._order = {path: number for number, path in enumerate(bound)}
        self._parts: dict[str, list[str]] = {}
        for path in bound:
            for whole in _wholes(path):
                self._parts.setdefault(whole, []).append(path)

    def behind(self, name: str) -> dict[str, Clause]:
        """The clauses behind a name, its parts and what it is part of, by citation; looked up once."""
        if name not in self._known:
            paths = {*self._parts.get(name, ()), *(whole for whole in _wholes(name) if whole in self)}
            self._known[name] = {
                clause.citation: clause
                for path in sorted(paths, key=self._order.__getitem__)
                for clause in self[path]
            }
        return self._known[name]


def _wholes(path: str) -> Iterator[str]:
    """A dotted name, and everything that it is part of."""
    while path:
        yield path
        path = path.rpartition(".")[0]


class Rulebook(Struct, frozen=True):
    """One document in force on a day. `rules` are the law's; `rules_for` adds a house's part.

    `demonstration` has the settings of a house made up for whoever names none, amounts in dollars.
    """

    id: str
    title: str
    words: Words
    instruments: tuple[Instrument, ...]
    clauses: tuple[Clause, ...]
    demonstration: dict[str, Any]
    rules: Rules
    bound: Bound
    file: str
    silent: dict[str, tuple[Any, ...]] = {}
    until: datetime.date | None = None

    @property
    def span(self) -> str:
        """The days whose law this is, `until` not among them: from 1997-01-07 until 1999-08-27."""
        end = f" until {self.until}" if self.until else ""
        return f"from {sorted_by_date(self.instruments)[0].day}{end}"

    @property
    def glossary(self) -> dict[str, Clause]:
        """The terms that the document defines."""
        terms = [clause for clause in self.clauses if clause.number.startswith("Dict:")]
        return {term.number[5:]: term for term in terms if not term.number.startswith("Dict:(")}

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents whose clauses are in force here; more than one where a text amends another."""
        return tuple(dict.fromkeys(clause.document for clause in self.clauses))

    @property
    def names_documents(self) -> bool:
        """Must a citation name its document? Numbers of two documents collide."""
        return len(self.documents) > 1

    def short(self, clause: Clause) -> str:
        """What a clause is called here: its number, behind its document where that must be named."""
        return clause.citation if self.names_documents else clause.number

    def called(self, name: str) -> list[Clause]:
        """The clauses that `name` means: one with its parts, or all of a chapter, as 14 means 14.1 and on."""
        if not name.strip():
            return []
        found = [clause for clause in self.clauses if clause.is_named(name)]
        return found or [one for one in self.clauses if one.number.startswith(f"{one.bare(name)}.")]

    def cite(self, *names: str) -> tuple[Clause, ...]:
        """The clauses behind provisions or grounds, their parts and what they are part of, in order."""
        found: dict[str, Clause] = {}
        for name in names:
            found |= self.bound.behind(name)
        return tuple(found.values())

    def citations(self, *names: str) -> tuple[str, ...]:
        return tuple(clause.citation for clause in self.cite(*names))

    def clause(self, number: str) -> Clause:
        """The clause with this very number; a bare number is enough, a document's name is allowed."""
        own_first = sorted(self.clauses, key=lambda clause: clause.document != self.id)
        for clause in own_first:
            if plain_number(clause.number) == clause.bare(number):
                return clause
        raise RulebookError(f"{self.id} has no clause {number!r}; `croupier rules show {self.id}` lists them")

    def why_refused(self, refused: Refused) -> str:
        """The refusal in a sentence with its clause."""
        clauses = self.citations(refused.provision)
        return f"{refused} [{clauses[0] if clauses else self.without_clause(refused.provision)}]"

    def without_clause(self, name: str) -> str:
        """What is said where a clause would stand: a rule of the house, or that the game has no such thing.

        Where the document is silent, and where it only fails to ask for a notice, the house rules.
        """
        known = provisions(Rules).get(name)
        if name in self.silent or (known and known.house_rules):
            return HOUSE_RULE
        value = getattr(self.rules, name, None if name in MAY_BE_UNKNOWN else HOUSE_RULE)
        return NOT_PROVIDED if value in NOTHING else HOUSE_RULE

    def options(self) -> dict[str, tuple[Clause | None, tuple[Any, ...]]]:
        """The provisions left to the house, by a reading (with its clause) or by the text's silence.

        Each comes with the values allowed, that of the rules first.
        """
        read: dict[str, tuple[Clause | None, tuple[Any, ...]]] = {
            name: (clause, (getattr(self.rules, name), *alternatives))
            for clause in self.clauses
            for name, alternatives in clause.options.items()
        }
        for name, values in self.silent.items():
            read[name] = (None, (getattr(self.rules, name), *values))
        return read

    def readings(self, chosen: Rules) -> Iterator[tuple[str, Clause | None, list[Any]]]:
        """The provisions left to the house, each with its choices, that of the rules chosen first."""
        for name, (clause, raw) in self.options().items():
            choices = [convert_values({name: choice})[name] for choice in raw]
            choices.sort(key=lambda choice: bool(choice != getattr(chosen, name)))
            yield name, clause, choices

    def rules_for(self, settings: dict[str, Any], *, file: str = "") -> Rules:
        """The rules of a table: this law, and a house's settings (amounts in dollars) and options.

        Only what is given counts. A choice outside the law is a RulebookError that names the clause, and
        the house's `file`.
        """
        where = file or self.file
        house = Settings(self, settings, where).house()
        chosen = self._chosen(settings, where)
        rules = msgspec.structs.replace(self.rules, **chosen, house=house, rulebook=self.id)
        check_house(rules, self, where)
        return rules

    def choose(self, /, **settings: Any) -> Rules:
        """`rules_for` the demonstration house with other settings."""
        return self.rules_for(self.demonstration | settings)

    def _chosen(self, settings: dict[str, Any], where: str) -> dict[str, Any]:
        """The options among the settings, each one of the values allowed."""
        chosen = {}
        for name, (clause, allowed) in self.options().items():
            if name not in settings:
                continue
            chosen[name] = value = _converted(name, settings[name])
            choices = [_converted(name, choice) for choice in allowed]
            # True is not 1 here, though Python finds them equal.
            if not any(type(value) is type(choice) and value == choice for choice in choices):
                shown = ", ".join(str(choice) for choice in allowed)
                why = f"{where}: {name} = {settings[name]} is not permitted; allowed: {shown}"
                raise RulebookError(why, (clause.citation,) if clause else ())
        return chosen


def decode_special(kind: type, value: Any) -> Any:
    if kind is Fraction:
        return parse_odds(value)
    raise NotImplementedError(kind)


def convert_values(raw: dict[str, Any]) -> dict[str, Any]:
    """Option values in the types of their Rules fields."""
    rules = msgspec.convert(raw, Rules, dec_hook=decode_special, strict=False)
    return {name: getattr(rules, name) for name in raw}


def _converted(name: str, value: Any) -> Any:
    """An option's value in the type of its field; what cannot be of it stays as it is."""
    try:
        converted = convert_values({name: value})[name]
        return value if isinstance(value, bool) and not isinstance(converted, bool) else converted
    except (msgspec.ValidationError, ValueError):
        return value


def encode_special(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError(type(value))


def flatten(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as dotted paths to their leaves."""
    leaves: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict):
            leaves |= flatten(value, f"{prefix}{key}.")
        else:
            leaves[prefix + key] = value
    return leaves


def put(tree: dict[str, Any], path: str, value: Any) -> None:
    *folders, leaf = path.split(".")
    for folder in folders:
        tree = tree.setdefault(folder, {})
    tree[leaf] = value


def bind(clauses: tuple[Clause, ...], file: str) -> tuple[Rules, Bound]:
    """The rules that the clauses make together, and the clauses behind each provision and ground."""
    tree: dict[str, Any] = {}
    setters: dict[str, Clause] = {}
    bound: dict[str, tuple[Clause, ...]] = {}
    for clause in clauses:
        for path, value in flatten(clause.sets).items():
            top = path.split(".")[0]
            if top not in provisions(Rules):
                raise RulebookError(f"{file}: sets {path!r}, which is no provision", (clause.citation,))
            if path in setters:
                raise RulebookError(
                    f"{file}: sets {path}, which {setters[path].citation} has set already", (clause.citation,)
                )
            setters[path] = clause
            try:
                put(tree, path, value)
            except (TypeError, AttributeError):
                raise RulebookError(f"{file}: sets {path}, and a part of it", (clause.citation,)) from None
            bound[path] = (clause,)
            _convert_one(path, value, clause, file)
    for clause in clauses:
        for ground in clause.grounds:
            if not is_ground(ground):
                raise RulebookError(f"{file}: rests on {ground!r}, which is no ground", (clause.citation,))
            bound[ground] = (*bound.get(ground, ()), clause)
    try:
        rules = msgspec.convert(tree, Rules, dec_hook=decode_special)
    except (msgspec.ValidationError, ValueError) as error:
        raise RulebookError(f"{file}: {error}") from None
    for provision, contradiction in contradictions(rules):
        behind = tuple(clause.citation for clause in bound.get(provision, ()))
        raise RulebookError(f"{file}: {contradiction}", behind)
    return rules, Bound(bound)


def _convert_one(path: str, value: Any, clause: Clause, file: str) -> None:
    """Check a top-level provision alone, so that the error can name its clause."""
    if "." in path:
        return
    try:
        msgspec.convert({path: value}, Rules, dec_hook=decode_special)
    except (msgspec.ValidationError, ValueError) as error:
        raise RulebookError(f"{file}: {path} = {value!r} cannot be: {error}", (clause.citation,)) from None
