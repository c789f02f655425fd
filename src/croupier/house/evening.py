"""One player's evening at one table: what is asked of them now, and what their answers do.

A screen has the table go `on` until something is `asked`, shows that, and gives the `answer` as it was typed
or pressed; it never decides what comes next. What is asked follows from the table; all that is remembered
beside it is what the player has declined in this round. The purse is the player's own matter: it is what was
brought along, which is on record, plus what the table's events have moved, less what lies on the table now.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from croupier.conductor import Conductor
from croupier.errors import ParseError, Refused
from croupier.house import players
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import open_betting
from croupier.house.wish import amount_of, wish
from croupier.money import cents
from croupier.record import Log, Told
from croupier.rulebook import Rulebook
from croupier.story import money
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import DEALER, player
from croupier.table.again import Bid
from croupier.table.chips import on_table
from croupier.table.commands import Command
from croupier.table.conduct import chore, due
from croupier.table.contents import bar_of
from croupier.table.events import Event
from croupier.table.legal import Choice, menu
from croupier.table.offers import insurable_yet, insurance_step
from croupier.table.play import double_step
from croupier.table.run import refusal
from croupier.table.shoe import cut_window
from croupier.table.state import Bet, State, turn
from croupier.table.waiting import waiting

YOU = "p1"
ME = player(YOU)
USUAL_CHIPS = cents(500)

Kind = Literal["bet", "cut", "offer", "decision", "amount", "forfeit"]

# The keys of the menu, and what they are called beside the game's own word for a split.
OFFERS: dict[type[Command], str] = {cmd.Insure: "i", cmd.TakeEvenMoney: "e", cmd.Surrender: "r"}
DECISIONS: dict[type[Command], str] = {cmd.Hit: "h", cmd.Stand: "s", cmd.Double: "d", cmd.Split: "p"}
LABELS = {"i": "insure", "e": "even money", "r": "surrender", "h": "hit", "s": "stand", "d": "double"}
NO = ("n", "no")


class Option(Struct, frozen=True):
    """A key, what it does, and why it cannot be done now (empty: it can)."""

    key: str
    label: str
    command: Command | None = None
    problem: str = ""


class Question(Struct, frozen=True):
    """What is asked of the player: for a box or a hand, among options or between amounts."""

    kind: Kind
    box: int = 0
    hand: int = 0
    options: tuple[Option, ...] = ()
    command: Command | None = None
    low: int = 0
    high: int = 0
    full: int = 0

    @property
    def open(self) -> tuple[Option, ...]:
        return tuple(option for option in self.options if not option.problem)

    @property
    def closed(self) -> tuple[Option, ...]:
        return tuple(option for option in self.options if option.problem)


class Finished(Struct, frozen=True):
    """A round that is over: what was settled in it, and the table before the cards were collected."""

    state: State
    settled: tuple[ev.Settled, ...]

    @property
    def nets(self) -> dict[str, int]:
        nets: dict[str, int] = {}
        for event in self.settled:
            nets[event.player] = nets.get(event.player, 0) + event.net
        return nets


class Evening:
    """A player's seat, purse and answers at a table that conducts itself."""

    def __init__(self, book: Rulebook, table: Conductor, shoe: VirtualShoe, brought: int | None) -> None:
        self.book = book
        self.table = table
        self.shoe = shoe
        self._brings = brought if brought is not None else 0 if YOU in table.brought else USUAL_CHIPS
        self._seats: list[tuple[str, int]] = []
        self.boxes: list[int] = []
        self.last: dict[int, Bid] = {}
        self.resumed = False
        self.over = ""  # why nothing more will be asked
        self.settled: list[ev.Settled] = []
        self.finished: Finished | None = None
        self.chose: Callable[[str, float], None] = lambda key, share: None  # told of every decision made
        self._amount: Question | None = None
        self._passed: set[int] = set()  # boxes without a bet or an offer taken, in this stage of this round
        self._kept: set[tuple[int, int]] = set()  # doubled hands that were asked about a forfeit
        table.listeners.append(self._hear)

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def purse(self) -> int:
        """What the player has brought and won, wherever it lies."""
        return self.brought + self.state.won.get(YOU, 0)

    @property
    def brought(self) -> int:
        """What the player has brought along, and is about to."""
        return self.table.brought.get(YOU, 0) + self._brings

    @property
    def free(self) -> int:
        """The chips that are not on the table."""
        return self.purse - on_table(self.state, YOU)

    @property
    def risk(self) -> int:
        """The chips that are on the table."""
        return on_table(self.state, YOU)

    @property
    def afresh(self) -> str:
        """What is to be said of the cards of a table that was taken up, if they had to be shuffled."""
        why = self.shoe.afresh
        return f"; the cards not yet seen are shuffled afresh ({why})" if why else ""

    def money(self, amount: int) -> str:
        return money(amount, self.book)

    def _hear(self, told: Told) -> None:
        for event in told.events:
            if isinstance(event, ev.Settled):
                self.settled.append(event)
            elif isinstance(event, ev.BettingOpened | ev.NoMoreBets):
                self._passed, self._kept = set(), set()
            elif isinstance(event, ev.RoundEnded):
                self.finished = Finished(told.before, tuple(self.settled))
                self.settled = []

    # Coming

    def sit_down(self, seats: list[tuple[str, int]]) -> None:
        """Choose seats at a new table."""
        self._seats = seats
        self.boxes = [box for name, box in seats if name == YOU]

    def take_up(self, log: Log, box: int) -> None:
        """Sit where the log left the player, with the last wagers in mind."""
        self.resumed = True
        for entry in log.entries:
            if isinstance(entry.command, cmd.Wager) and entry.by == ME and not entry.refused:
                self.last[entry.command.box] = Bid(entry.command.stake, entry.command.sides)
        self.settled = _of_round(log)
        self.boxes = [place.number for place in self.state.boxes if _is_on(place.seat, place.bets)]
        if not self.boxes:
            free = [place.number for place in self.state.boxes if not place.seat]
            self.boxes = [box if box in free or not free else free[0]]
            self._seats = [(YOU, self.boxes[0])]

    def begin(self) -> None:
        """Bring the chips and sit; where that cannot be put on record it can be done again.

        The shoe of a new table is prepared before anybody sits, so that the first question is for the wager.
        """
        if self._brings:
            self.table.bring(self._brings, ME)
            self._brings = 0
        if not self.resumed:
            self.table.carry_on()
        for name, box in self._seats:
            if self.state.box(box).seat != name:
                self.table.give(cmd.Sit(box=box), player(name))

    # What is asked

    @property
    def asked(self) -> Question | None:
        """What is asked of the player now; None while the table goes on by itself, or is over."""
        if self._amount is not None or self.over:
            return self._amount
        kinds = {"betting": self._bet_asked, "cut": self._cut_asked, "offers": self._offer_asked}
        return self._forfeit_asked() or kinds.get(due(self.state), self._decision_asked)()

    def _bet_asked(self) -> Question | None:
        for box in self.boxes:
            if box not in self._passed and all(bet.player != YOU for bet in self.state.box(box).bets):
                return Question("bet", box)
        return None

    def _cut_asked(self) -> Question | None:
        if self.state.shoe.offer != YOU:
            return None
        low, high = cut_window(self.state)
        return Question("cut", low=low, high=high)

    def _offer_asked(self) -> Question | None:
        for box in self.boxes:
            if box in self._passed or all(bet.player != YOU for bet in self.state.box(box).bets):
                continue
            options = self._options(box, OFFERS)
            if not all(option.problem for option in options):
                return Question("offer", box, 1, (*options, Option("n", "no, play on")))
        return None

    def _decision_asked(self) -> Question | None:
        place = turn(self.state)
        if due(self.state) != "decision" or place is None or YOU not in waiting(self.state).players:
            return None
        return Question("decision", *place, self._options(place[0], DECISIONS))

    def _forfeit_asked(self) -> Question | None:
        """After the card of a double the original may be given up, where the rules know that."""
        for choice in menu(self.state, ME) if self.state.rules.forfeit else ():
            command = choice.command
            if choice.bar or not isinstance(command, cmd.Forfeit):
                continue
            if (command.box, command.hand) not in self._kept:
                options = (Option("f", "forfeit", command), Option("n", "no, keep the double"))
                return Question("forfeit", command.box, command.hand, options)
        return None

    def _options(self, box: int, keys: dict[type[Command], str]) -> tuple[Option, ...]:
        """Of the menu of a box what these keys are for, one option each."""
        found: dict[str, list[Choice]] = {}
        for choice in menu(self.state, ME):
            key = keys.get(type(choice.command))
            if key and getattr(choice.command, "box", None) == box:
                found.setdefault(key, []).append(choice)
        return tuple(self._option(key, *choices) for key, choices in found.items())

    def _option(self, key: str, first: Choice, *others: Choice) -> Option:
        """An option with the reason against it: the law's first, then the purse's."""
        label = LABELS.get(key, self.book.words.split)
        price = min(choice.price for choice in (first, *others))
        if first.bar:
            problem = self.book.why_refused(refusal(first.command, first.bar))
        else:
            problem = self.too_dear(price) if price > self.free else ""
        return Option(key, label, first.command, problem)

    def too_dear(self, price: int) -> str:
        return f"That takes {self.money(price)}, and you have {self.money(self.free)} left."

    # What the table does by itself

    def on(self) -> list[Event]:
        """One step of the table, while nothing is asked: a card, a chore, another player's turn."""
        steps: dict[str, Callable[[], list[Event]]] = {
            "between rounds": self._next_round,
            "betting": self._close_bets,
            "cut": lambda: self.table.give(cmd.DeclineCut(), player(self.state.shoe.offer)),
            "card": self.table.next_card,
            "chore": self._chore,
            "offers": lambda: self.table.give(cmd.CloseOffers()),
            "decision": lambda: self.table.give(*players.decision(self.state)),
            "nothing": self._closed,
        }
        return steps[due(self.state)]()

    def _chore(self) -> list[Event]:
        asked = chore(self.state)
        return self.table.give(*asked) if asked else []

    def _closed(self) -> list[Event]:
        self.over = "The table is closed."
        return []

    def _next_round(self) -> list[Event]:
        """Open the bets, unless the chips do not reach for a round any more."""
        need = self.least()
        if self.free < need:
            self.over = (
                f"Your {self.money(self.free)} does not reach for a round: it takes {self.money(need)}."
            )
            return []
        try:
            return self.table.give(open_betting(self.state))
        except Refused as refused:
            self.over = self.book.why_refused(refused)
            return []

    def least(self) -> int:
        """What a round takes from this player, who fills the boxes that nobody else does."""
        seats = {box.seat for box in self.state.boxes if box.seat and box.seat != YOU}
        return self.state.terms.minimum * max(1, self.state.rules.boxes_needed - len(seats))

    def _close_bets(self) -> list[Event]:
        """The others bet and the bets close; where they make no round, the player is asked again."""
        for place in self.state.boxes:
            if place.seat and place.seat != YOU and not place.bets:
                wager = players.opening_wager(self.state, place.seat, place.number)
                if wager:
                    self.table.give(*wager)
        try:
            return self.table.give(cmd.AnnounceNoMoreBets(), DEALER)
        except Refused as refused:
            why = self.book.why_refused(refused).partition("refused: ")[2]
            self._passed.clear()
            if self.asked is None:
                self.over = why
            raise ParseError(why) from None

    # Answers

    def answer(self, text: str) -> list[Event]:
        """Answer what is asked, by a key, a word or an amount.

        What makes no sense here is a ParseError; what the law forbids goes on record and is Refused. Either
        way the question stays.
        """
        question, line = self.asked, text.strip()
        if question is None:
            raise ParseError("Nothing is asked of you now")
        if question.kind == "bet":
            return self._bet(question.box, line)
        if question.kind == "cut":
            return self._cut(question, line.lower())
        if question.kind == "amount":
            return self._amount_given(question, line)
        return self._chosen(question, self._found(question, line.lower()))

    def _found(self, question: Question, word: str) -> Option:
        """The option of a key or a word; `split` is understood whatever the game calls it."""
        for option in question.options:
            if word in (option.key, option.label) or (word, option.key) == ("split", "p"):
                return option
        keys = ", ".join(option.key for option in question.open)
        raise ParseError(f"{word!r} is none of {keys}; ? explains them" if word else f"choose one of {keys}")

    def _chosen(self, question: Question, option: Option) -> list[Event]:
        command = option.command
        if command is None:
            return self._declined(question)
        if option.problem and bar_of(self.state, command, ME) is None:
            raise ParseError(option.problem)  # the purse forbids it, and not the law
        if not option.problem and isinstance(command, cmd.Insure):
            return self._ask_insurance(question.box, command)
        if not option.problem and isinstance(command, cmd.Double) and self._may_be_less(command):
            return self._ask_double(command)
        events = self.table.give(command, ME)
        self.chose(option.key, 1)
        return events

    def _declined(self, question: Question) -> list[Event]:
        if question.kind == "forfeit":
            self._kept.add((question.box, question.hand))
        else:
            self._passed.add(question.box)
        self.chose("n", 1)
        return []

    def _bet(self, box: int, line: str) -> list[Event]:
        if line.lower() in NO:
            self._passed.add(box)
            return []
        wanted = wish(self.state, line) if line else self._repeated(box)
        if wanted.total > self.free:
            raise ParseError(self.too_dear(wanted.total))
        beside = self._needed_beside(box)
        if wanted.total + beside > self.free:
            raise ParseError(f"A round needs bets on more boxes; leave {self.money(beside)} for them.")
        events = self.table.give(cmd.Wager(box=box, stake=wanted.stake, sides=wanted.sides), ME)
        if any(isinstance(event, ev.WagerPlaced) and not event.under for event in events):
            self.last[box] = wanted
        return events

    def _needed_beside(self, box: int) -> int:
        """What must be left for the boxes that a round needs beside this one, and that are this player's."""
        others = {
            place.number
            for place in self.state.boxes
            if place.number != box and (place.bets or (place.seat and place.seat != YOU))
        }
        return self.state.terms.minimum * max(0, self.state.rules.boxes_needed - 1 - len(others))

    def again(self, box: int) -> Bid | None:
        """The bet that Enter repeats: the last on this box, or where there is none on another."""
        return next((self.last[one] for one in (box, *self.boxes) if one in self.last), None)

    def _repeated(self, box: int) -> Bid:
        known = self.again(box)
        if known is None:
            least = self.money(self.state.terms.minimum)
            raise ParseError(f"There is no bet to repeat yet: type an amount, such as {least}")
        return known

    def _cut(self, question: Question, word: str) -> list[Event]:
        if word in NO:
            return self.table.give(cmd.DeclineCut(), ME)
        if word and not (word.isascii() and word.isdecimal() and len(word) < 6):
            raise ParseError(f"{word[:20]!r} is no position: type a number of cards, Enter or n")
        at = int(word) if word else self.shoe.cut_position(question.low, question.high)
        return self.table.give(cmd.Cut(at=at), ME)

    # Amounts

    def _may_be_less(self, command: cmd.Double) -> bool:
        hand = self.state.hand(command.box, command.hand)
        return double_step(self.state, hand, YOU) < hand.stake_of(YOU)

    def _ask_double(self, command: cmd.Double) -> list[Event]:
        hand = self.state.hand(command.box, command.hand)
        full, step = hand.stake_of(YOU), double_step(self.state, hand, YOU)
        most = full if full <= self.free else self.free - self.free % step
        self._amount = Question("amount", command.box, command.hand, (), command, step, full, most)
        return []

    def _ask_insurance(self, box: int, command: cmd.Insure) -> list[Event]:
        bet, step = self.state.box(box).bet_of(YOU), insurance_step(self.state)
        left = insurable_yet(self.state, bet)
        most = min(left, self.free)
        self._amount = Question("amount", box, 1, (), command, step, left, most - most % step)
        return []

    def _amount_given(self, question: Question, line: str) -> list[Event]:
        """An amount of the player's own, Enter for all of it; n thinks better of it."""
        amount = 0 if line.lower() in NO else amount_of(line) if line else question.full
        if amount > self.free:
            raise ParseError(self.too_dear(amount))
        if line.lower() not in NO and amount == 0:
            raise ParseError("That is nothing; n goes back")
        if not isinstance(question.command, cmd.Insure | cmd.Double) or not amount:
            self._amount = None
            return []
        events = self.table.give(replace(question.command, amount=amount), ME)
        self._amount = None
        self.chose({**OFFERS, **DECISIONS}[type(question.command)], amount / question.high)
        return events


def _is_on(seat: str, bets: tuple[Bet, ...]) -> bool:
    return seat == YOU or any(bet.player == YOU for bet in bets)


def _of_round(log: Log) -> list[ev.Settled]:
    """What has been settled already in the round that is still on."""
    settled: list[ev.Settled] = []
    for event in (event for entry in log.entries for event in entry.events):
        if isinstance(event, ev.BettingOpened | ev.RoundEnded | ev.RoundInvalidated):
            settled = []
        elif isinstance(event, ev.Settled):
            settled.append(event)
    return settled
