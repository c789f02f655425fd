"""Clause tests: data that shows, for a clause, what the table does because of it.

A file names its rulebook and holds tests. A test names the clauses it is about; it passes when all
its steps hold and each named clause (or a part of it) was cited on the way, by an event, a refusal
or a refused house setting. docs/clause-tests.md describes the steps.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from croupier.cards import Card, parse_cards
from croupier.conductor import Conductor
from croupier.errors import ParseError, Refused, RulebookError
from croupier.game.hand import total, value_basis
from croupier.money import cents, dollars, plain
from croupier.record import Memory
from croupier.rulebook import Rulebook, Rules, load
from croupier.rulebook.book import convert_values
from croupier.rulebook.text import Clause
from croupier.rulebook.wager import INSURANCE, MAIN, SUPER_BONUS
from croupier.table import advance, evolve, open_state
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import DEALER, Actor, player
from croupier.table.commands import Command
from croupier.table.conduct import chore, due
from croupier.table.events import Event
from croupier.table.lines import PLACE
from croupier.table.opening import open_table
from croupier.table.position import position
from croupier.table.state import State
from croupier.table.text import parse_all
from croupier.table.waiting import waiting

MONEY = frozenset({"stake", "net", "amount", "over", "minimum", "maximum", "award", "paid", "back", "undone"})
MOST_ROUNDS = 1_000


class TextCheck(Struct, frozen=True, forbid_unknown_fields=True):
    """What the text in force on a day must have and lack."""

    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    on: datetime.date | None = None
    unknown: bool = False
    terms: int | None = None
    revoked: str = ""


class WrittenTest(Struct, frozen=True, forbid_unknown_fields=True):
    """A clause test as its file writes it; `study` sets provisions as no house may."""

    clauses: tuple[str, ...]
    title: str
    steps: str = ""
    house: dict[str, Any] = {}
    study: dict[str, Any] = {}
    refused: str = ""
    text: TextCheck | None = None


class ClauseTest(WrittenTest, frozen=True):
    rulebook: str = ""
    source: str = ""


class ClauseFile(Struct, frozen=True, forbid_unknown_fields=True):
    rulebook: str
    test: tuple[dict[str, Any], ...]


class Verdict(Struct, frozen=True):
    """What came of a clause test: what did not hold, which clauses were cited on the way, what happened."""

    test: ClauseTest
    problems: tuple[str, ...]
    cited: frozenset[str] = frozenset()
    events: tuple[Event, ...] = ()
    position: str = ""  # where the table stood, if something did not hold

    @property
    def passed(self) -> bool:
        return not self.problems


class StepFailed(Exception):
    """A step that does not hold."""


def read_tests_of(raw: Any, source: str) -> Iterator[ClauseTest | ParseError]:
    """The clause tests of a parsed file; one that makes no sense comes as its error."""
    try:
        file = msgspec.convert(raw, ClauseFile)
    except msgspec.ValidationError as error:
        yield ParseError(f"{source}: {error}")
        return
    for number, given in enumerate(file.test, start=1):
        try:
            written = msgspec.convert(given, WrittenTest)
            yield ClauseTest(**msgspec.structs.asdict(written), rulebook=file.rulebook, source=source)
        except msgspec.ValidationError as error:
            yield ParseError(f"{source}: test {number} ({given.get('title', 'no title')}): {error}")


def run_test(test: ClauseTest, book: Rulebook | None = None) -> Verdict:
    """Run a clause test, under `book` where it stands in for the rulebook that the file names."""
    try:
        runner = Runner(test, book or load(test.rulebook))
    except RulebookError as error:
        return Verdict(test=test, problems=(str(error),))
    try:
        problems = list(runner.run())
    except (StepFailed, ParseError, RulebookError) as error:
        problems = [str(error)]
    if not problems:
        problems = [f"nothing cited {name}" for name in test.clauses if not runner.has_cited(name)]
    return Verdict(
        test=test,
        problems=tuple(problems),
        cited=frozenset(runner.cited),
        events=tuple(runner.events),
        position=position(runner.state) if problems and runner.events else "",
    )


class Runner:
    """Carries out the steps of one test."""

    def __init__(self, test: ClauseTest, book: Rulebook) -> None:
        self.test = test
        self.book = book
        self.reference = load(test.rulebook)
        self._documents = tuple(f"{document} " for document in self.reference.documents)
        own_last = sorted(self.reference.clauses, key=self._is_own)
        self.numbered = {clause.number: clause for clause in own_last}
        self.numbered |= {clause.citation: clause for clause in own_last}
        self.cited: dict[str, Clause] = {}
        self.record = Memory()
        self.events: list[Event] = []
        self.last: list[Event] = []

    def cite(self, *names: str) -> tuple[Clause, ...]:
        clauses = self.book.cite(*names)
        self.cited |= {clause.citation: clause for clause in clauses}
        return clauses

    def is_meant(self, clause: Clause, name: str) -> bool:
        """Does a test that names `name` mean this clause?

        A clause that sets or grounds something itself is meant exactly; a mere heading by its parts.
        """
        exact = self.numbered.get(name)
        if exact is not None and (exact.sets or exact.grounds):
            return clause.citation == exact.citation
        return clause.is_named(name)

    def _is_own(self, clause: Clause) -> bool:
        return clause.document == self.reference.id

    def has_cited(self, name: str) -> bool:
        """Was the clause cited? One of the text that the rulebook is based on, where it has none so named."""
        own = any(self._is_own(clause) and clause.is_named(name) for clause in self.reference.clauses)
        full = f"{self.reference.id} {name}" if own and not name.startswith(self._documents) else name
        return any(self.is_meant(clause, full) for clause in self.cited.values())

    def run(self) -> Iterator[str]:
        if self.test.text:
            yield from self._check_text(self.test.text)
        try:
            rules = self._rules()
        except RulebookError as error:
            yield from self._check_house(error)
            return
        if self.test.refused:
            yield f"the house's choice must be refused under {self.test.refused}, and is allowed"
            return
        state, opened = open_table(self.book, rules)
        self.table = Conductor(state, self.record)
        self._happened([opened])
        for number, line in enumerate(self.test.steps.splitlines(), start=1):
            step = line.partition("#")[0].strip()
            if step:
                try:
                    self._step(step)
                except (StepFailed, ValueError) as error:
                    raise StepFailed(f"step {number} ({step}): {error}") from None
                except Exception as error:
                    # A fault of the table's own fails this test; the others still run.
                    raise StepFailed(f"step {number} ({step}): the table broke: {error!r}") from error

    def _rules(self) -> Rules:
        rules = self.book.choose(**self.test.house)
        try:
            return msgspec.structs.replace(rules, **convert_values(self.test.study))
        except (msgspec.ValidationError, ValueError, AttributeError, TypeError) as error:
            raise ParseError(f"study: {error}") from None

    def _check_house(self, error: RulebookError) -> Iterator[str]:
        for clause in self.book.clauses:
            if clause.citation in error.clauses:
                self.cited[clause.citation] = clause
        if not self.test.refused or not any(
            clause.is_named(self.test.refused)
            for clause in self.book.clauses
            if clause.citation in error.clauses
        ):
            yield f"the house's choice: {error}"

    def _check_text(self, text: TextCheck) -> Iterator[str]:
        if text.unknown:
            yield from self._check_unknown(text.on)
            return
        book = load(self.book.file, text.on) if text.on else self.book
        names = {name for clause in book.clauses for name in (clause.number, clause.citation)}
        yield from (f"the text lacks {name}" for name in text.has if name not in names)
        yield from (f"the text has {name}" for name in text.lacks if name in names)
        if text.terms is not None and len(book.glossary) != text.terms:
            yield f"the glossary has {len(book.glossary)} terms, not {text.terms}"
        if text.revoked:
            try:
                load(text.revoked)
                yield f"{text.revoked} can be loaded"
            except RulebookError as error:
                if not error.clauses:
                    yield str(error)
                self.cite("revoked")
        self.cite("amendment", "deleted", "glossary")

    def _check_unknown(self, on: datetime.date | None) -> Iterator[str]:
        try:
            load(self.book.id, on)
        except RulebookError:
            return
        yield f"the text of {on} is known"

    @property
    def state(self) -> State:
        return self.table.state

    def _happened(self, events: list[Event]) -> None:
        self.events += events
        self.last += events
        for event in events:
            self.cite(*event.basis)

    def give(self, command: Command, by: Actor = DEALER) -> None:
        try:
            events = self.table.give(command, by)
        except Refused as refused:
            self.cite(refused.provision)
            raise StepFailed(self.book.why_refused(refused)) from None
        self._happened(events)

    def _give_all(self, text: str) -> None:
        """Everything that a line says; a split or double says it of everybody on the hand."""
        for asked in parse_all(self.state, text, everybody=True):
            self.give(*asked)

    # Steps

    def _step(self, step: str) -> None:
        word, _, rest = step.partition(" ")
        check = CHECKS.get(word)
        if check:
            check(self, rest.strip())
            return
        self.last = []
        if step.startswith("!"):
            self._must_be_refused(step[1:].strip())
        elif word in DIRECTIVES:
            DIRECTIVES[word](self, rest.strip())
        else:
            self._give_all(step)

    def _must_be_refused(self, text: str) -> None:
        name, colon, act = text.partition(": ")
        if not colon:
            raise StepFailed("write `! CLAUSE: command`")
        before = after = self.state
        try:
            for asked in parse_all(self.state, act.strip(), everybody=True):
                after, _ = advance(after, *asked)
        except Refused as refused:
            clauses = self.cite(refused.provision)
            if name != "house" and not any(self.is_meant(clause, name) for clause in clauses[:1]):
                raise StepFailed(
                    f"refused, but not first under {name}: {self.book.why_refused(refused)}"
                ) from None
            if name == "house" and clauses:
                raise StepFailed(f"refused under a clause: {self.book.why_refused(refused)}") from None
        else:
            raise StepFailed(f"must be refused under {name}, and is allowed")
        if self.state != before:
            raise StepFailed("was refused and yet changed the table")

    def _prepare(self, text: str) -> None:
        """Every chore before a round, cuts declined; cards to be burnt may be named."""
        burns = list(parse_cards(text))
        while self.state.stage not in ("idle", "betting", "dealing"):
            if self.state.stage == "burn":
                self.give(cmd.Burn(card=burns.pop(0) if burns else Card("Kc")))
            elif due(self.state) == "cut":
                for name in waiting(self.state).players:
                    self.give(cmd.DeclineCut(), player(name))
            else:
                self._chore()
        if burns:
            raise StepFailed(f"{burns[0]} is not to be burnt")

    def _ready(self, text: str) -> None:
        """Everything up to the opening of the bets."""
        self._prepare(text)
        if self.state.stage == "idle":
            self.give(cmd.OpenBetting())

    def _chore(self) -> None:
        asked = chore(self.state)
        if asked is None:
            raise StepFailed(f"no chore is due at the stage '{self.state.stage}'")
        self.give(*asked)

    def _deal(self, text: str) -> None:
        if self.state.stage == "betting":
            self.give(cmd.AnnounceNoMoreBets())
        for word in text.split():
            self._give_all(word)

    def _finish(self, text: str) -> None:
        """The settlement and the collection of the cards."""
        self.give(cmd.Settle())
        self.give(cmd.Collect())

    def _replay(self, text: str) -> None:
        """The commands decided again give the same events, and the events the same state."""
        state = again = open_state(self._rules())
        decided: list[Event] = []
        for entry in self.record.entries:
            again, events = advance(again, *entry.asked)
            decided += events
        for event in self.events[1:]:
            state = evolve(state, event)
        if decided != self.events[1:] or state != self.state or again != self.state:
            raise StepFailed("the replayed log differs")
        self.cite("conduct_by_rules")

    def _play_rounds(self, text: str) -> None:
        """Deal `COUNT CARDS`: the same one-box round so many times over, standing at once."""
        count, _, cards = text.partition(" ")
        for _ in range(_number(count, MOST_ROUNDS)):
            if self.state.stage != "betting":
                self._ready("")
            self._give_all("p1 bets 10 on 1")
            self._deal(cards)
            self._finish("")

    # Checks

    def check_net(self, text: str) -> None:
        """`net PLAYER [BOX[.HAND]] [WAGER] AMOUNT`: what the round has brought so far."""
        player, *where, amount = self._words_of_net(text)
        place = next((match for word in where if (match := PLACE.match(word))), None)
        box, hand = (int(place[1]), int(place[2] or 0)) if place else (0, 0)
        wager = next((word for word in where if not PLACE.match(word)), "")
        net = sum(
            result.net
            for result in self.state.results
            if result.player == player
            and box in (0, result.box)
            and hand in (0, result.hand)
            and wager in ("", result.wager)
        )
        if net != cents(amount):
            raise StepFailed(f"found {dollars(net)}")

    def _words_of_net(self, text: str) -> list[str]:
        words = text.split()
        places = [word for word in words[1:-1] if PLACE.match(word)]
        wagers = [word for word in words[1:-1] if word not in places]
        if len(words) < 2 or len(places) > 1 or len(wagers) > 1:
            raise StepFailed("write `net PLAYER [BOX[.HAND]] [WAGER] AMOUNT`")
        known = (MAIN, INSURANCE, SUPER_BONUS, *self.state.rules.side_bets)
        if not set(wagers) <= set(known):
            raise StepFailed(f"there is no wager {wagers[0]!r}; there are {', '.join(known)}")
        return words

    def check_event(self, text: str) -> None:
        """`event NAME field=value … [clause; clause]`: the last step has brought it."""
        if not self._matching(text, self.last):
            found = "; ".join(show_event(event, self.book) for event in self.last) or "nothing"
            raise StepFailed(f"found {found}")

    def check_no_event(self, text: str) -> None:
        matching = self._matching(text, self.last)
        if matching:
            raise StepFailed(f"found {show_event(matching[0], self.book)}")

    def check_count(self, text: str) -> None:
        """`count N NAME field=value …`: so many in the whole test."""
        number, _, what = text.partition(" ")
        found = len(self._matching(what, self.events))
        if found != _number(number):
            raise StepFailed(f"found {found}")

    def check_order(self, text: str) -> None:
        """`order A field=value … < B field=value …`: the last step's events come in this order."""
        places = []
        if " < " not in text:
            raise StepFailed("write `order A … < B …`")
        for part in text.split(" < "):
            matching = self._matching(part, self.last)
            if not matching:
                raise StepFailed(f"no {part}")
            places.append(next(index for index, event in enumerate(self.last) if event is matching[0]))
        if places != sorted(places):
            raise StepFailed("they came in another order")

    def _matching(self, text: str, events: list[Event]) -> list[Event]:
        bracket = re.search(r"\[(.+)\]$", text)
        clauses = [name.strip() for name in bracket[1].split(";")] if bracket else []
        name, _, rest = text[: bracket.start() if bracket else None].strip().partition(" ")
        if name not in ev.KINDS:
            raise StepFailed(f"there is no event {name!r}")
        wanted = _fields(name, rest.split())
        return [
            event
            for event in events
            if type(event).__name__ == name
            and all(show_field(event, field) == value for field, value in wanted.items())
            and all(
                any(self.is_meant(cited, clause) for cited in self.book.cite(*event.basis))
                for clause in clauses
            )
        ]

    def check_state(self, text: str) -> None:
        """`state shoe.left = 311`: a part of the state, as text."""
        path, equals, wanted = text.partition("=")
        if not equals:
            raise StepFailed("write `state PATH = VALUE`")
        value: Any = self.state
        try:
            for name in path.strip().split("."):
                value = _part(value, name)
        except LookupError:
            raise StepFailed(f"the state has no {path.strip()}") from None
        shown = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        if shown != wanted.strip():
            raise StepFailed(f"found {shown}")

    def check_float(self, text: str) -> None:
        """`float -15`: the table's chips since it opened."""
        if self.state.float_change != cents(text):
            raise StepFailed(f"found {dollars(self.state.float_change)}")
        self.cite("float")

    def check_total(self, text: str) -> None:
        """`total As 9d = 20 soft`: what cards are worth."""
        cards, _, wanted = text.partition("=")
        hand = parse_cards(cards)
        for card in hand:
            if card[0] not in self.state.rules.ranks:
                raise StepFailed(f"{card} is not in the packs of this game")
        value, soft = total(self.state.rules, hand)
        self.cite(*value_basis(self.state.rules, hand), "soft_total" if soft else "hard_total")
        if f"{value} {'soft' if soft else 'hard'}" != wanted.strip():
            raise StepFailed(f"found {value} {'soft' if soft else 'hard'}")

    def check_allowed(self, text: str) -> None:
        state = self.state
        for asked in parse_all(state, text, everybody=True):
            try:
                state, events = advance(state, *asked)
            except Refused as refused:
                raise StepFailed(self.book.why_refused(refused)) from None
            for event in events:
                self.cite(*event.basis)


DIRECTIVES: dict[str, Callable[[Runner, str], None]] = {
    "prepare": Runner._prepare,
    "ready": Runner._ready,
    "chore": lambda runner, text: runner._chore(),
    "deal": Runner._deal,
    "finish": Runner._finish,
    "replay": Runner._replay,
    "rounds": Runner._play_rounds,
}
CHECKS: dict[str, Callable[[Runner, str], None]] = {
    "net": Runner.check_net,
    "event": Runner.check_event,
    "no-event": Runner.check_no_event,
    "count": Runner.check_count,
    "order": Runner.check_order,
    "state": Runner.check_state,
    "float": Runner.check_float,
    "total": Runner.check_total,
    "allowed": Runner.check_allowed,
}


def _number(word: str, most: int = 999_999) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= len(str(most)) and int(word) <= most):
        raise StepFailed(f"{word!r} is not a number from 0 to {most:,}")
    return int(word)


def _part(value: Any, name: str) -> Any:
    """A field, entry or member by its name; a LookupError where there is none."""
    if isinstance(value, dict):
        return value[name]
    if isinstance(value, tuple) and PLACE.match(name):
        return value[int(name)]
    if name in getattr(value, "__struct_fields__", ()):
        return getattr(value, name)
    raise LookupError(name)


def _fields(event: str, words: list[str]) -> dict[str, str]:
    """The fields that a check names, which the event must have."""
    wanted = {}
    known = ev.KINDS[event].__struct_fields__
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in known:
            raise StepFailed(f"{event} has no {word!r}; write field=value, of {', '.join(known)}")
        wanted[name] = value
    return wanted


def show_field(event: Event, name: str) -> str:
    """A field of an event as tests write it: amounts in dollars, lists with commas."""
    value = getattr(event, name, None)
    if name in MONEY and isinstance(value, int):
        return plain(value)
    if isinstance(value, tuple):
        return ",".join(
            f"{part[0]}:{plain(part[1])}" if isinstance(part, tuple) else str(part) for part in value
        )
    if isinstance(value, dict):
        return ",".join(
            f"{key}:{plain(part) if isinstance(part, int) else part}" for key, part in value.items()
        )
    return str(value).lower() if isinstance(value, bool) else str(value)


def show_event(event: Event, book: Rulebook) -> str:
    fields = [
        f"{name}={show_field(event, name)}"
        for name in type(event).__struct_fields__
        if name != "basis" and getattr(event, name) not in ("", (), {}, None)
    ]
    clauses = "; ".join(book.short(clause) for clause in book.cite(*event.basis))
    return f"{type(event).__name__} {' '.join(fields)} [{clauses}]"
