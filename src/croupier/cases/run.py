"""Running a case: the table is driven by the case's cards and lines, then held to its expectations."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from croupier.cards import CUT, FACE_UP, Card
from croupier.cases.model import LAID_ON, Case, Expectation
from croupier.conductor import Conductor
from croupier.errors import ParseError, Refused, RulebookError
from croupier.money import dollars
from croupier.record import Store, Told, entry_of
from croupier.rulebook import Rulebook, load
from croupier.rulebook.rules import Rules
from croupier.table import advance
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import DEALER, SUPERVISOR, Actor, player
from croupier.table.commands import Asked, Command
from croupier.table.conduct import card_command, chore, due
from croupier.table.events import Event
from croupier.table.lines import irregularity, is_offer, read_line, split_refused
from croupier.table.opening import Start, start_state
from croupier.table.position import position
from croupier.table.state import State, standing
from croupier.table.text import parse_all
from croupier.table.waiting import waiting

# A case that names no limits is not about limits.
OPEN_LIMITS = {
    "minimum": 0.02,
    "maximum": 1_000_000,
    "multiple": 0.02,
    "smallest_chip": 0.02,
}


# A line that says when it comes: after so many acts with a card, and the table is at this stage.
_WHEN = re.compile(r"after (\d{1,4}) (dealing|offers|playing|dealer|settled) (.+)", re.ASCII)


class Failure(Exception):
    """The case does not hold; the message says where."""


class Outcome(Struct, frozen=True):
    """What came of a case: the events, and what did not hold."""

    case: Case
    events: tuple[Event, ...]
    problems: tuple[str, ...]
    position: str = ""  # where the table stood, if something did not hold

    @property
    def passed(self) -> bool:
        return not self.problems


def run_case(case: Case, book: Rulebook | None = None) -> Outcome:
    """Play the case and compare. `book` stands in for the rulebook that the case names."""
    try:
        book = book or load(case.rulebook)
        player = CasePlayer(case, book)
    except (RulebookError, ParseError) as error:
        return Outcome(case=case, events=(), problems=(str(error),))
    problems: list[str] = []
    try:
        player.play()
        problems += player.differences()
    except (Failure, ParseError) as error:
        problems.append(str(error))
    stood = position(player.state) if problems else ""
    return Outcome(case=case, events=tuple(player.events), problems=tuple(problems), position=stood)


def case_settings(case: Case) -> dict[str, Any]:
    """The house settings of the case's table; who meets two cutting cards uses two."""
    two = {"cutting_cards": 2} if case.cards.count(CUT) == 2 else {}
    return OPEN_LIMITS | two | {name: value for name, value in case.table.items() if name != "final_rounds"}


def case_rules(case: Case, book: Rulebook) -> Rules:
    return book.choose(**case_settings(case))


def case_start(case: Case) -> Start:
    listed = len([word for word in case.cards if word != CUT]) + (case.burn is not None)
    return Start(left=listed if case.reshuffled else None, burns=1 if case.burn else 0)


class CasePlayer:
    """Drives a table through a case."""

    def __init__(self, case: Case, book: Rulebook, store: Store | None = None) -> None:
        self.case = case
        self.book = book
        self.table = Conductor(start_state(case_rules(case, book), case_start(case)), store)
        self.table.listeners.append(self._hear)
        self.cards = deque(case.cards)
        self.reshuffled = deque(case.reshuffled)
        self.lines = deque(case.play)
        self.acts = 0  # of the dealer with a card: dealt, burnt or drawn, and dealt when it had been drawn
        self.laid: dict[Card, str] = {}  # where cards drawn in error are laid when their time comes
        self.events: list[Event] = []
        self.dealer: tuple[Card, ...] = ()

    @property
    def state(self) -> State:
        return self.table.state

    def _hear(self, told: Told) -> None:
        self.events += told.events

    def give(self, command: Command, by: Actor = DEALER) -> None:
        try:
            self.table.give(command, by)
        except Refused as refused:
            raise Failure(self.book.why_refused(refused)) from None
        self.acts += isinstance(command, cmd.CardCommand | cmd.DrawCuttingCard)

    # The round

    def play(self) -> None:
        if self.case.burn:
            self.give(cmd.Burn(card=self.case.burn))
        self._place_wagers()
        self.acts = 0
        while not self._is_over():
            self._step()
            if self.state.dealer:
                self.dealer = self.state.dealer
        if self.lines:
            raise Failure(f"the round is over, and nobody could {self.lines[0]!r}")
        if set(self.cards) - {CUT} or self.reshuffled:
            raise Failure(
                f"the round is over, and these cards are left: {' '.join((*self.cards, *self.reshuffled))}"
            )

    def _is_over(self) -> bool:
        """Is the round over? Cards that are to be shuffled behind it are no part of the case."""
        behind = self.state.stage == "shuffle" and not any(box.bets for box in self.state.boxes)
        return behind or self.state.stage in ("idle", "closed")

    def _place_wagers(self) -> None:
        seated: set[int] = set()
        for wager in self.case.wagers:
            if wager.box not in seated:
                self.give(cmd.Sit(box=wager.box), player(wager.player))
                seated.add(wager.box)
        if self.case.table.get("final_rounds"):
            self.give(cmd.AnnounceFinalRounds(), SUPERVISOR)
        self.give(cmd.OpenBetting())
        for wager in self.case.wagers:
            laid = cmd.Wager(box=wager.box, stake=wager.stake, sides=wager.sides)
            self.give(laid, player(wager.player))
        self.give(cmd.AnnounceNoMoreBets())

    def _step(self) -> None:
        wanted = due(self.state)
        if self._has_come() or self._line_comes_first(wanted):
            self._line()
        elif wanted == "card":
            self._card()
        elif wanted == "chore":
            self._chore()
        elif wanted == "cut":
            for name in waiting(self.state).players:
                self.give(cmd.DeclineCut(), player(name))
        elif wanted == "offers":
            self._offer()
        elif wanted == "decision" and self.lines:
            self._line()
        else:
            raise Failure(f"the case says nothing more, and the table waits: {wanted}")

    def _line_comes_first(self, wanted: str) -> bool:
        """Before the dealer's second card what people still do comes first; a card too many comes last."""
        if not self.lines or self.state.stage != "dealer" or _WHEN.fullmatch(self.lines[0]):
            return False
        overdraw = irregularity(self.lines[0]) is cmd.OverdrawDealer
        return wanted == "chore" if overdraw else len(self.state.dealer) == 1

    def _has_come(self) -> bool:
        """Does the next line say when it comes, and is it now?"""
        when = _WHEN.fullmatch(self.lines[0]) if self.lines else None
        return when is not None and (int(when[1]), when[2]) == (self.acts, standing(self.state))

    def _take_line(self) -> str:
        """The next line without when it comes, which must be now."""
        if _WHEN.fullmatch(self.lines[0]) and not self._has_come():
            now = f"after {self.acts} {standing(self.state)}"
            raise Failure(f"{self.lines[0]!r} does not come when it says: the table waits {now}")
        line = self.lines.popleft()
        when = _WHEN.fullmatch(line)
        return when[3] if when else line

    def _chore(self) -> None:
        asked = chore(self.state)
        shuffles = asked is not None and isinstance(asked.command, cmd.Shuffle)
        if shuffles and self.state.shoe.resume is None and self.state.dealt:
            raise Failure("the round is not over, and the cards are shuffled")
        if asked:
            self.give(*asked)

    def _offer(self) -> None:
        if self.lines and (is_offer(self.lines[0]) or self._mishap_before_an_offer()):
            self._line()
        elif self._refused_before_an_offer():
            act, clause = split_refused(self._take_line())
            self._expect_refusal(advance(self.state, cmd.CloseOffers(), DEALER)[0], act, clause)
        else:
            self.give(cmd.CloseOffers())

    def _offer_to_come(self) -> bool:
        return any(is_offer(line) and not split_refused(line)[1] for line in self.lines)

    def _mishap_before_an_offer(self) -> bool:
        return irregularity(self.lines[0]) is not None and self._offer_to_come()

    def _refused_before_an_offer(self) -> bool:
        return bool(self.lines and split_refused(self.lines[0])[1]) and self._offer_to_come()

    def _next_card(self) -> str:
        if not self.state.shoe.held:
            return self._next_word()
        card = self.state.shoe.held[0]
        return card + self.laid.pop(card, "")

    def _next_word(self) -> str:
        """The next word out of the shoe, or out of the reshuffled rack when the shoe has run out."""
        if not self.cards:
            if not self.reshuffled:
                raise Failure("the case has no more cards, and the table needs one")
            self.give(cmd.ShoeRunsOut())
            while self.state.stage in ("shuffle", "cut"):
                self._step()
            self.cards, self.reshuffled = self.reshuffled, deque()
        return self.cards.popleft()

    def _card(self) -> None:
        word, _, place = self._next_card().partition(LAID_ON)
        laid = cmd.Deal(card=Card(word), laid_on=place) if place else card_command(self.state, word)
        self.give(laid)

    def _line(self) -> None:
        act, clause = split_refused(self._take_line())
        mishap = irregularity(act)
        if mishap is not None:
            self.give(mishap(card=self._mishap_card()))
        elif clause:
            self._expect_refusal(self.state, act, clause)
        else:
            for asked in _read(self.state, act):
                self.give(*asked)

    def _mishap_card(self) -> Card:
        """The card of an irregularity; a cutting card or a face-up card before it goes its own way."""
        while (word := self._next_word()) == CUT or word.endswith(FACE_UP):
            self.give(card_command(self.state, word))
        card, laid, place = word.partition(LAID_ON)
        if laid:
            self.laid[Card(card)] = laid + place
        return Card(card)

    def _expect_refusal(self, state: State, act: str, clause: str) -> None:
        asked: Asked | None = None
        after = state
        try:
            for asked in _read(state, act):
                after, _ = advance(after, *asked)
        except Refused as refused:
            if state is self.state and asked is not None:
                store = self.table.store
                store.append(entry_of(store.count + 1, *asked, refused))
            clauses = self.book.cite(*refused.provisions)
            if not any(found.is_named(clause) for found in clauses):
                raise Failure(
                    f"{act!r} must be refused under {clause}: {self.book.why_refused(refused)}"
                ) from None
        else:
            raise Failure(f"{act!r} must be refused under {clause}, and is allowed")

    # The comparison

    def differences(self) -> list[str]:
        """What the case expects and the table did otherwise."""
        found = settled_in(self.events)
        problems = []
        if self.dealer != self.case.dealer:
            problems.append(
                f"the dealer's cards: expected {' '.join(self.case.dealer)}, found {' '.join(self.dealer)}"
            )
        explained: set[int] = set()
        for expect in self.case.expect:
            matching = [event for event in found if matches(expect, event)]
            explained |= {id(event) for event in matching}
            problems += self._compare(expect, matching)
        surplus = [event for event in found if id(event) not in explained and event.net]
        problems += [f"not expected: {self.tell(event)}" for event in surplus]
        return problems

    def _compare(self, expect: Expectation, matching: list[ev.Settled]) -> list[str]:
        who = (
            f"{expect.player} box {expect.box}{f' hand {expect.hand}' if expect.hand else ''} {expect.wager}"
        )
        net = sum(event.net for event in matching)
        told = "; ".join(self.tell(event) for event in matching) or "nothing"
        if net != expect.net:
            return [f"{who}: expected {dollars(expect.net)} ({expect.why}), found {dollars(net)} ({told})"]
        cited = [clause for event in matching for clause in self.book.cite(*event.basis)]
        named = any(clause.is_named(name) for clause in cited for name in expect.clauses)
        if matching and expect.clauses and not named:
            return [f"{who}: expected a clause of {', '.join(expect.clauses)}, found {told}"]
        return []

    def tell(self, event: ev.Settled) -> str:
        clauses = ", ".join(self.book.short(clause) for clause in self.book.cite(*event.basis))
        hand = f" hand {event.hand}" if event.hand else ""
        return f"{event.player} box {event.box}{hand} {event.wager} {dollars(event.net)} [{clauses}]"


def _read(state: State, act: str) -> list[Asked]:
    """What a play line asks; how misplaced cards must lie is said as at the table."""
    read = parse_all if act.startswith("reconstruct ") else read_line
    return read(state, act, everybody=True)


def settled_in(events: Iterable[Event]) -> list[ev.Settled]:
    """What was settled and not undone, misplaced cards having been put right."""
    found: list[ev.Settled] = []
    for event in events:
        if isinstance(event, ev.Settled):
            found.append(event)
        elif isinstance(event, ev.SettlementUndone):
            alike = [one for one in found if _undoes(event, one)]
            found.remove(alike[-1])
    return found


def _undoes(undone: ev.SettlementUndone, settled: ev.Settled) -> bool:
    of = (undone.box, undone.player, undone.wager, undone.hand, undone.net)
    return of == (settled.box, settled.player, settled.wager, settled.hand, settled.net)


def matches(expect: Expectation, event: ev.Settled) -> bool:
    return (expect.player, expect.box, expect.wager) == (event.player, event.box, event.wager) and (
        expect.hand is None or expect.hand == event.hand
    )
