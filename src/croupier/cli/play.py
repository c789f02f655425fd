"""`croupier play`: a seat at a table in the terminal.

The player is p1. The table does its chores and deals by itself, simple players fill other boxes, and
whatever p1 may decide is asked for here. The purse is what was brought along, which is on record, plus what
the table's events have moved, less what lies on the table now.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from msgspec import Struct
from msgspec.structs import replace
from rich.text import Text

from croupier.cli.options import DEFAULT, Book, Decks, HouseFile, NewLog, Resume, Settings, SideBets, whole
from croupier.cli.output import remark
from croupier.cli.screen import (
    Option,
    Screen,
    amount_of,
    capital,
    card_list,
    hand_words,
    open_sides,
    short_name,
)
from croupier.cli.settings import settings_of
from croupier.conductor import Conductor
from croupier.errors import ParseError, Refused, StoreError
from croupier.house import players
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import new_table, open_betting
from croupier.house.tables import resume as resume_table
from croupier.money import cents
from croupier.record import Log, Told, read_log
from croupier.rulebook import Rulebook, load
from croupier.story import money
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import DEALER, Actor, player
from croupier.table.chips import on_table
from croupier.table.commands import Command
from croupier.table.conduct import chore, due
from croupier.table.contents import decide
from croupier.table.events import Event
from croupier.table.legal import Choice, menu
from croupier.table.offers import insurance_limit, insurance_step
from croupier.table.run import refusal
from croupier.table.shoe import cut_window
from croupier.table.state import Bet, State, decider, turn
from croupier.table.waiting import waiting

YOU = "p1"
ME = player(YOU)
USUAL_CHIPS = cents(500)

# The keys of the menu, and what they are called beside the game's own word for a split.
OFFERS: dict[type[Command], str] = {cmd.Insure: "i", cmd.TakeEvenMoney: "e", cmd.Surrender: "r"}
DECISIONS: dict[type[Command], str] = {cmd.Hit: "h", cmd.Stand: "s", cmd.Double: "d", cmd.Split: "p"}
LABELS = {"i": "insure", "e": "even money", "r": "surrender", "h": "hit", "s": "stand", "d": "double"}

# What a player wants to hear of the dealer's chores.
NEWS = (ev.CardsCut, ev.CardBurnt, ev.CuttingCardDrawn, ev.ShoeRanOut, ev.CutDeclined, ev.LimitsSet, ev.Told)


def play(
    rulebook: Book = DEFAULT,
    *,
    house: HouseFile = None,
    decks: Decks = None,
    minimum: Annotated[float | None, Parameter(help="The least wager, in dollars.")] = None,
    maximum: Annotated[float | None, Parameter(help="The highest wager, in dollars.")] = None,
    set_: Settings = [],  # noqa: B006
    side_bets: SideBets = False,
    box: Annotated[int, Parameter(converter=whole, help="Your box.")] = 1,
    boxes: Annotated[
        int | None, Parameter(converter=whole, help="How many boxes you play (default: what a round needs).")
    ] = None,
    others: Annotated[int, Parameter(converter=whole, help="Boxes for simple players beside you.")] = 0,
    chips: Annotated[
        float | None,
        Parameter(help="What you bring along, in dollars (default: 500; with --resume, nothing more)."),
    ] = None,
    seed: Annotated[
        int | None, Parameter(converter=whole, help="Shuffle by this seed (default: true randomness).")
    ] = None,
    log: NewLog = None,
    resume: Resume = None,
) -> int:
    """Play at a table in the terminal."""
    shoe = VirtualShoe(seed)
    brought = None if chips is None else cents(chips)
    if brought is not None and brought <= 0:
        raise ParseError(f"--chips {chips}: bring something to play with")
    if resume is not None:
        unsaid = rulebook == DEFAULT and {decks, minimum, maximum, boxes} == {None}
        if not unsaid or any((house, log, set_, side_bets, others)):
            raise ParseError(
                "--resume goes on under the log's own rulebook, settings and seats; leave the rest out"
            )
        past = read_log(resume)
        game = Game(past.book, resume_table(past, cards=shoe, tell=remark), shoe)
        begin = functools.partial(game.take_up, past, box)
    else:
        book = load(rulebook)
        settings = settings_of(
            book, house, set_, side_bets=side_bets, decks=decks, minimum=minimum, maximum=maximum
        )
        seats = _seats(book, settings, box, boxes, others)
        game = Game(book, new_table(book, settings, cards=shoe, log=log), shoe)
        begin = functools.partial(game.sit_down, seats)
    return game.run(resume or log, functools.partial(game.bring, brought), begin)


def _seats(
    book: Rulebook, settings: dict[str, Any], box: int, boxes: int | None, others: int
) -> list[tuple[str, int]]:
    """Who sits where: p1 from their box on, the others where room is left. The table may refuse it."""
    trial = new_table(book, settings)
    layout, needed = trial.state.rules.house.boxes, trial.state.rules.boxes_needed
    mine = max(1, needed - others) if boxes is None else boxes
    if mine < 1 or others < 0 or mine + others > layout:
        raise ParseError(f"{mine} boxes for you and {others} for others do not fit a layout of {layout}")
    if mine + others < needed:
        clauses = ", ".join(book.citations("boxes_needed"))
        raise ParseError(
            f"a round needs wagers on {needed} boxes: take --boxes {needed} or --others [{clauses}]"
        )
    numbers = [(box - 1 + step) % layout + 1 for step in range(layout)]
    if not 1 <= box <= layout:
        numbers[0] = box  # refused below, with the clause
    seats = [(YOU, number) for number in numbers[:mine]]
    free = sorted(numbers[mine:])[:others]
    seats += [(f"p{index}", number) for index, number in enumerate(free, start=2)]
    try:
        for name, number in seats:
            trial.give(cmd.Sit(box=number), player(name))
    except Refused as refused:
        raise ParseError(book.why_refused(refused)) from None
    return seats


class Wish(Struct, frozen=True):
    """A wager as the player types it."""

    stake: int
    sides: dict[str, int] = {}

    @property
    def total(self) -> int:
        return self.stake + sum(self.sides.values())


class Game:
    """One player's evening at one table."""

    def __init__(self, book: Rulebook, table: Conductor, shoe: VirtualShoe) -> None:
        self.book = book
        self.table = table
        self.shoe = shoe
        self.start = 0
        self.screen = Screen(book, you=YOU)
        self.boxes: list[int] = []
        self.last: dict[int, Wish] = {}
        self.kept: set[tuple[int, int]] = set()  # doubled hands that were asked about a forfeit
        self.settled: list[ev.Settled] = []
        self.screen.asides["rules"] = lambda: table.give(cmd.Ask(about="rules"), ME)
        table.listeners.append(self._hear)

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def purse(self) -> int:
        """What the player has brought and won, wherever it lies."""
        return self.table.brought.get(YOU, 0) + self.state.won.get(YOU, 0)

    @property
    def free(self) -> int:
        """The chips that are not on the table."""
        return self.purse - on_table(self.state, YOU)

    def money(self, amount: int) -> str:
        return money(amount, self.book)

    def _hear(self, told: Told) -> None:
        for event in told.events:
            if isinstance(event, ev.Settled):
                self.settled.append(event)
                if event.player == YOU and event.net > 0 and told.after.stage != "settled":
                    self.screen.told(event, "green")  # paid before the end: good news does not wait
            elif isinstance(event, NEWS) and self.boxes:
                self.screen.told(event, "dim")

    # Coming and going

    def bring(self, amount: int | None) -> None:
        """Put chips on record: those brought now, and where nothing is on record yet, the usual ones."""
        if amount is None and YOU not in self.table.brought:
            amount = USUAL_CHIPS
        if amount is not None:
            self.table.bring(amount, ME)
        self.start = self.purse

    def sit_down(self, seats: list[tuple[str, int]]) -> None:
        """The shoe is prepared before anybody sits, so that the first question is for the wager."""
        self.screen.heading(self.state)
        keys = f"h hit, s stand, d double, p {self.book.words.split}, ? help, q quit"
        self.screen.say(f"Type a bet, then letters: {keys}.", "dim")
        self.table.carry_on()
        for name, box in seats:
            if self.state.box(box).seat != name:
                self.table.give(cmd.Sit(box=box), player(name))
        self.boxes = [box for name, box in seats if name == YOU]

    def take_up(self, log: Log, box: int) -> None:
        """Sit where the log left p1, with the last wagers in mind."""
        self.screen.heading(self.state)
        afresh = (
            f"; the cards not yet seen are shuffled afresh ({self.shoe.afresh})" if self.shoe.afresh else ""
        )
        self.screen.say(f"The log goes on where it ended{afresh}.", "dim")
        for entry in log.entries:
            if isinstance(entry.command, cmd.Wager) and entry.by == ME and not entry.refused:
                self.last[entry.command.box] = Wish(entry.command.stake, entry.command.sides)
        self.settled = _of_round(log)
        self.boxes = [place.number for place in self.state.boxes if _is_on(place.seat, place.bets)]
        if not self.boxes:
            free = [place.number for place in self.state.boxes if not place.seat]
            self.boxes = [box if box in free or not free else free[0]]
            self._give(cmd.Sit(box=self.boxes[0]))

    def run(self, log: Path | None, *first: Callable[[], None]) -> int:
        """Play until the player leaves, the chips are gone or the table closes."""
        try:
            for act in first:
                self._until_stored(act)
            while self._step():
                pass
        except (EOFError, KeyboardInterrupt):
            self.screen.say()
        finally:
            self.table.close()
        self._goodbye(log)
        return 0

    def _goodbye(self, log: Path | None) -> None:
        risk = on_table(self.state, YOU)
        if risk:
            kept = (
                f"; `croupier play --resume {log}` goes on" if log else ", but no log was kept (--log FILE)"
            )
            self.screen.say(f"Your {self.money(risk)} stays on the table as it lies{kept}.")
        elif log:
            self.screen.say(f"The table is in {log}; `croupier play --resume {log}` goes on.", "dim")
        table = f" and have {self.money(risk)} on the table" if risk else ""
        result = f"{self.screen.gain(self.purse - self.start)} since you sat down"
        self.screen.say(f"You leave with {self.money(self.free)}{table} ({result}).")
        self.screen.last_hash(self.table.store.last_hash)

    # One step of the table

    def _step(self) -> bool:
        """Do what is due; False when the game is over."""
        try:
            return self._forfeits() or self._due()
        except Refused as refused:
            self.screen.refusal(refused)
            return False
        except StoreError as error:
            self._try_again(error)
            return True

    def _until_stored(self, act: Callable[[], None]) -> None:
        while True:
            try:
                return act()
            except StoreError as error:
                self._try_again(error)

    def _try_again(self, error: StoreError) -> None:
        """Nothing has moved: when there is room again the same is done, or asked, once more."""
        self.screen.problem(str(error))
        self.screen.say("Enter: try again. q: leave the table as it stands.")
        self.screen.answer()

    def _due(self) -> bool:
        wanted = due(self.state)
        if wanted == "between rounds":
            return self._next_round()
        if wanted == "betting":
            return self._bets()
        if wanted == "nothing":
            self.screen.say("The table is closed.")
            return False
        steps = {"cut": self._cut, "card": self._card, "chore": self._chore, "offers": self._offers}
        steps.get(wanted, self._decision)()
        return True

    def _card(self) -> None:
        events = self.table.next_card()
        for event in events:
            if isinstance(event, ev.HandStood) and self._decider(event.box, event.hand) != YOU:
                self._tell_of(event.box, event.hand)

    def _decider(self, box: int, hand: int) -> str:
        return decider(self.state, self.state.box(box), self.state.hand(box, hand))

    def _tell_of(self, box: int, number: int) -> None:
        hand = self.state.hand(box, number)
        words = hand_words(self.state.rules, self.book, hand)
        who = self._decider(box, number)
        self.screen.say(f"{who} on box {box}: {card_list(hand.cards)}, {words}", "dim")

    def _chore(self) -> None:
        asked = chore(self.state)
        if asked is None:
            return
        if isinstance(asked.command, cmd.Collect):
            self.screen.table(self.state)
        events = self.table.give(*asked)
        if any(isinstance(event, ev.RoundEnded) for event in events):
            self._settlement()

    def _settlement(self) -> None:
        """What the round brought, wager by wager, and the new purse."""
        mine = [event for event in self.settled if event.player == YOU]
        nets: dict[str, int] = {}
        for event in self.settled:
            nets[event.player] = nets.get(event.player, 0) + event.net
        self.screen.say()
        self.screen.settlement(mine)
        rest = [f"{player} {self.screen.gain(net)}" for player, net in sorted(nets.items()) if player != YOU]
        if rest:
            self.screen.say(" · ".join(rest), "dim", indent=1)
        line = Text(f"Round {self.state.round}: ").append(self.screen.gain(nets.get(YOU, 0)), "bold")
        self.screen.say(line.append(f". You have {self.money(self.free)}."))
        self.settled, self.kept = [], set()

    # Asking

    def _choose(self, options: list[Option]) -> Option:
        return self.screen.choose(options, self._attempt, self.state.rules)

    def _attempt(self, option: Option) -> None:
        """A choice that cannot be: what the law refuses goes on record as any refusal does."""
        try:
            if option.command is not None:
                decide(self.state, option.command, ME)
        except Refused:
            self._give(option.command)
        else:
            self.screen.problem(option.problem)

    def _give(self, command: Command | None, by: Actor = ME) -> list[Event]:
        """Give a command; a refusal is shown and nothing happens."""
        try:
            return self.table.give(command, by) if command is not None else []
        except Refused as refused:
            self.screen.refusal(refused)
            return []

    def _options(self, box: int, keys: dict[type[Command], str]) -> list[Option]:
        """Of the menu of a box what these keys are for, one option each."""
        found: dict[str, list[Choice]] = {}
        for choice in menu(self.state, ME):
            key = keys.get(type(choice.command))
            if key and getattr(choice.command, "box", None) == box:
                found.setdefault(key, []).append(choice)
        return [self._option(key, *choices) for key, choices in found.items()]

    def _option(self, key: str, first: Choice, *others: Choice) -> Option:
        """An option with the reason against it: the law's first, then the purse's."""
        label = LABELS.get(key, self.book.words.split)
        price = min(choice.price for choice in (first, *others))
        if first.bar:
            problem = capital(self.book.why_refused(refusal(first.command, first.bar)))
        else:
            problem = self._too_dear(price) if price > self.free else ""
        return Option(key, label, first.command, problem)

    def _too_dear(self, price: int) -> str:
        return f"That takes {self.money(price)}, and you have {self.money(self.free)} left."

    def _amount(self, question: str, full: int) -> int | None:
        """An amount of the player's own, Enter for `full`; None when they think better of it."""
        self.screen.say(f"{question} Enter: {self.money(full)}. n: go back.")
        while True:
            line = self.screen.answer()
            if line.lower() in ("n", "no"):
                return None
            try:
                amount = amount_of(line) if line else full
            except ParseError as error:
                self.screen.problem(str(error))
                continue
            if amount <= self.free:
                return amount
            self.screen.problem(self._too_dear(amount))

    # The cut

    def _cut(self) -> None:
        (name,) = waiting(self.state).players
        if name != YOU:
            self.table.give(cmd.DeclineCut(), player(name))
            return
        low, high = cut_window(self.state)
        self.screen.say(
            f"The cut is yours: {low} to {high} cards from the front. Enter: at random. n: decline."
        )
        line = self.screen.answer().lower()
        if line in ("n", "no"):
            self.table.give(cmd.DeclineCut(), ME)
        elif not line or (line.isdecimal() and len(line) < 6):
            at = int(line) if line else self.shoe.cut_position(low, high)
            self._give(cmd.Cut(at=at))
        else:
            self.screen.problem(f"{line!r} is no position: type a number of cards, Enter or n.")

    # Betting

    def _next_round(self) -> bool:
        """Open the bets, unless the chips do not reach for a round any more."""
        seats = {box.seat for box in self.state.boxes if box.seat and box.seat != YOU}
        need = self.state.terms.minimum * max(1, self.state.rules.boxes_needed - len(seats))
        if self.free < need:
            self.screen.say(
                f"Your {self.money(self.free)} does not reach for a round: it takes {self.money(need)}."
            )
            return False
        self.table.give(open_betting(self.state))
        return True

    def _bets(self) -> bool:
        """Everybody bets; False when the bets do not make a round and nobody is left to ask."""
        open_boxes = [box for box in self.boxes if all(bet.player != YOU for bet in self.state.box(box).bets)]
        for box in open_boxes:
            self._bet_on(box)
        for place in self.state.boxes:
            if place.seat and place.seat != YOU and not place.bets:
                wager = players.opening_wager(self.state, place.seat, place.number)
                if wager:
                    self._give(*wager)
        return bool(self._give(cmd.AnnounceNoMoreBets(), DEALER) or open_boxes)

    def _bet_on(self, box: int) -> None:
        """Ask until a wager lies on the box or the player passes it by."""
        self._bet_question(box)
        while True:
            line = self.screen.answer()
            if line.lower() in ("n", "no"):
                return
            if line.lower() in ("?", "w", "why", "help"):
                self._bet_help()
                continue
            try:
                wish = self._wish(line, box)
            except ParseError as error:
                self.screen.problem(str(error))
                continue
            if wish.total > self.free:
                self.screen.problem(self._too_dear(wish.total))
            elif self._place(wish, box):
                return

    def _bet_question(self, box: int) -> None:
        last = self.last.get(box)
        self.screen.say()
        line = Text().append(f"Round {self.state.round}, box {box}: ", "bold")
        line.append(f"you have {self.money(self.free)}. Your bet? ")
        limits = f"{self.money(self.state.terms.minimum)} to {self.money(self.state.terms.maximum)}"
        self.screen.say(line.append(f"Enter: {self._shown(last)} again" if last else limits, "dim"))

    def _shown(self, wish: Wish) -> str:
        sides = "".join(f" {short_name(name)}={self.money(stake)}" for name, stake in wish.sides.items())
        return f"{self.money(wish.stake)}{sides}"

    def _bet_help(self) -> None:
        state = self.state
        low, high = self.money(state.terms.minimum), self.money(state.terms.maximum)
        self.screen.say(f"Type an amount from {low} to {high}.", indent=1)
        for name in open_sides(state):
            self.screen.say(f"Side bet, written behind it: {self.screen.side_terms(state, name)}", indent=1)
        self.screen.say("Enter repeats the last bet, n passes this box by, q leaves.", indent=1)
        self.screen.say(f"`w {self.screen.any_clause()}` restates a clause, `rules` all of them.", indent=1)

    def _wish(self, line: str, box: int) -> Wish:
        """A wager from `10 pp=5`; Enter repeats the last one."""
        words = line.split()
        if not words:
            if box in self.last:
                return self.last[box]
            least = self.money(self.state.terms.minimum)
            raise ParseError(f"There is no bet to repeat yet: type an amount, such as {least}")
        sides = dict(self._side(word) for word in words[1:])
        return Wish(amount_of(words[0]), sides)

    def _side(self, word: str) -> tuple[str, int]:
        name, equals, amount = word.lower().replace("-", "_").partition("=")
        known = self.state.rules.side_bets
        side = next((side for side in known if name in (side, short_name(side))), None)
        if side is None:
            offered = ", ".join(short_name(side) for side in open_sides(self.state))
            raise ParseError(f"{word!r} is no side bet here; on offer: {offered or 'none'}")
        terms = self.state.rules.house.side_bets.get(known[side].offered_as)
        if not equals and not (terms and terms.amount):
            raise ParseError(f"{word!r}: say how much, as in {name}=5.")
        return side, amount_of(amount) if equals else terms.amount if terms else 0

    def _place(self, wish: Wish, box: int) -> bool:
        """Give the wager; True when it lies on the box."""
        events = self._give(cmd.Wager(box=box, stake=wish.stake, sides=wish.sides))
        placed = any(isinstance(event, ev.WagerPlaced) for event in events)
        for event in events:
            if not isinstance(event, ev.WagerPlaced) or event.over:
                self.screen.told(event)
        if placed:
            self.last[box] = wish
        return placed

    # Insurance, even money, surrender

    def _offers(self) -> None:
        for box in self.boxes:
            while self._offer(box):
                pass
        self.table.give(cmd.CloseOffers())

    def _offer(self, box: int) -> bool:
        """Ask about one box; True when there may be more to ask."""
        bet = next((bet for bet in self.state.box(box).bets if bet.player == YOU), None)
        if bet is None:
            return False
        options = self._options(box, OFFERS)
        if all(option.problem for option in options):
            return False
        self.screen.table(self.state)
        self.screen.say(Text(f"Box {box}, before play:", "bold"))
        option = self._choose([*options, Option("n", "no, play on")])
        if isinstance(option.command, cmd.Insure):
            self._insure(option.command, bet)
        elif option.command is not None:
            self._give(option.command)
        return option.command is not None

    def _insure(self, command: cmd.Insure, bet: Bet) -> None:
        step, left = insurance_step(self.state), insurance_limit(self.state, bet) - bet.insurance
        most = min(left, self.free)
        question = f"Insure for how much, up to {self.money(left)} in steps of {self.money(step)}?"
        amount = self._amount(question, most - most % step)
        if amount is not None:
            self._give(replace(command, amount=amount))

    # Play

    def _decision(self) -> None:
        place = turn(self.state)
        if place is None:
            return
        if YOU not in waiting(self.state).players:
            self._others_turn(*place)
            return
        self.screen.table(self.state)
        option = self._choose(self._options(place[0], DECISIONS))
        if isinstance(option.command, cmd.Double) and self.state.rules.double_amount == "up_to":
            self._double(option.command)
        else:
            self._give(option.command)

    def _others_turn(self, box: int, hand: int) -> None:
        for event in self.table.give(*players.decision(self.state)):
            if isinstance(event, ev.HandStood):
                self._tell_of(box, hand)

    def _double(self, command: cmd.Double) -> None:
        """A double for less, where the rules allow one."""
        full = self.state.hand(command.box, command.hand).stake_of(YOU)
        amount = self._amount(f"Double by how much, up to {self.money(full)}?", min(full, self.free))
        if amount is not None:
            self._give(replace(command, amount=amount))

    def _forfeits(self) -> bool:
        """After the card of a double the original may be given up, where the rules know that."""
        for choice in menu(self.state, ME):
            command = choice.command
            if choice.bar or not isinstance(command, cmd.Forfeit):
                continue
            if (command.box, command.hand) not in self.kept:
                self._forfeit(command)
                self.kept.add((command.box, command.hand))
                return True
        return False

    def _forfeit(self, command: cmd.Forfeit) -> None:
        self.screen.table(self.state)
        options = [Option("f", "forfeit", command), Option("n", "no, keep the double")]
        self._give(self._choose(options).command)


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
