"""`croupier deal`: a live table, whose dealer types in the cards as they fall.

Before each line the dealer is told what comes next and under which clause; Enter does it where it
needs no choice. Everything `croupier.table.text` understands can be typed. What the rules forbid is
refused in a sentence and changes nothing, so a school can try out every irregularity.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.text import Text

from croupier.cards import parse_card, pretty
from croupier.cli.options import (
    DEFAULT,
    Book,
    Decks,
    HouseFile,
    NewLog,
    Resume,
    Settings,
    SideBets,
    Staff,
    TableName,
    staff,
)
from croupier.cli.output import remark
from croupier.cli.screen import Screen, dealer_words, hand_words, quiet_line_editing
from croupier.cli.settings import settings_of
from croupier.conductor import Conductor
from croupier.errors import ParseError, Refused, RulebookError, StoreError
from croupier.game.offers import opens_surrender
from croupier.house.tables import new_table, open_betting
from croupier.house.tables import resume as resume_table
from croupier.printable import require_printable
from croupier.record import Bring, Line, Strike, read_log
from croupier.record.line import number_of
from croupier.rulebook import Rulebook, load
from croupier.story import money
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import DEALER, Actor, actor
from croupier.table.commands import Asked, Command
from croupier.table.conduct import card_command, chore, due
from croupier.table.deal import place_name
from croupier.table.legal import Amounts, Choice, legal, menu
from croupier.table.offers import first_rank, insurance_limit
from croupier.table.play import answer_ground
from croupier.table.shoe import (
    card_target,
    cut_window,
    cutting_card_window,
    next_cutter,
    replacement_due,
    second_card_window,
)
from croupier.table.state import IN_ROUND, State, active, turn
from croupier.table.text import MONEY, MONEY_TABLES, VERBS, parse_all, usage, write
from croupier.table.waiting import waiting

# What adds nothing for somebody who stands at the table.
DULL = (ev.StageReached,)


def deal(
    rulebook: Book = DEFAULT,
    *,
    house: HouseFile = None,
    decks: Decks = None,
    set_: Settings = [],  # noqa: B006
    side_bets: SideBets = False,
    table: TableName = "",
    as_: Staff = [],  # noqa: B006
    log: NewLog = None,
    resume: Resume = None,
) -> int:
    """Run a real table: type in the cards as they fall; `help` lists what can be typed.

    Without --house a terminal asks for the house's file.
    """
    quiet_line_editing()
    people = staff(as_)
    if resume is None:
        book = load(rulebook)
        chosen = functools.partial(settings_of, book, pairs=set_, side_bets=side_bets, decks=decks)
        try:
            settings = ask_for_house(Screen(book), chosen) if _must_ask(house) else chosen(house)
        except (EOFError, KeyboardInterrupt):
            return 0
        conductor = new_table(book, settings, log=log, name=table)
    elif house or log or set_ or side_bets or table or decks is not None or rulebook != DEFAULT:
        raise ParseError("--resume goes on under the log's own rulebook and settings; leave the rest out")
    else:
        past = read_log(resume)
        book, conductor = past.book, resume_table(past, tell=remark)
    conductor.staff |= people
    return Desk(book, conductor).run(resume or log)


def _must_ask(house: Path | None) -> bool:
    return house is None and sys.stdin.isatty()


def ask_for_house(screen: Screen, chosen: Callable[[Path | None], dict[str, Any]]) -> dict[str, Any]:
    """The settings of the house whose file is typed; Enter opens a table of the demonstration house."""
    while True:
        screen.say("Whose table is it? Type the path of the house's file; Enter: the demonstration house.")
        path = screen.ask()
        if not path:
            return chosen(None)
        try:
            return chosen(Path(path).expanduser())
        except (ParseError, RulebookError) as error:
            screen.problem(str(error))


class Desk:
    """The dealer's side of one table."""

    def __init__(self, book: Rulebook, table: Conductor) -> None:
        self.book = book
        self.conductor = table
        self.screen = Screen(book)
        self.cited: tuple[str, ...] = ()  # the provisions last applied, for a bare `why`

    @property
    def state(self) -> State:
        return self.conductor.state

    def run(self, log: Path | None) -> int:
        """Read lines until the dealer quits or the input ends."""
        self.screen.heading(self.state)
        self.screen.say(
            "Enter does what is due; type cards and commands; help, what, table, why, quit.", "dim"
        )
        try:
            while self._line():
                pass
        except (EOFError, KeyboardInterrupt):
            self.screen.say()
        finally:
            self.conductor.close()
        kept = f"everything is in {log}" if log else "no log was kept (--log FILE keeps one)"
        self.screen.say(f"The table is left at round {self.state.round}, stage '{self.state.stage}'; {kept}.")
        self.screen.last_hash(self.conductor.store.last_hash)
        return 0

    def _line(self) -> bool:
        """One line of the dealer's; False when it is the last."""
        self.screen.say(Text().append("next: ", "bold green").append(next_words(self.state, self.book)))
        line = self.screen.ask()
        word, _, rest = line.partition(" ")
        if word.lower() in ("quit", "q", "exit"):
            return False
        if word.lower() in ASIDES:
            ASIDES[word.lower()](self, rest.strip())
        elif not line.startswith("#"):
            self._carry_out(line)
        return True

    # Commands

    def _carry_out(self, line: str) -> None:
        """Give what the line says, several cards one by one; the first problem ends it."""
        parts = split_cards(line)
        for index, part in enumerate(parts):
            try:
                for asked in self._read(part):
                    self._give(*asked)
            except Refused as refused:
                self.cited = (refused.provision,)
                self.screen.refusal(refused)
            except (ParseError, RulebookError, StoreError) as error:
                self.screen.problem(str(error))
            else:
                continue
            self._undone(parts[index + 1 :])
            return

    def _undone(self, rest: list[str]) -> None:
        if rest:
            self.screen.problem(f"not carried out: {' '.join(rest)}")

    def _read(self, line: str) -> list[Asked]:
        """What a line asks, and who: Enter is what is due, a number a position where one is asked for."""
        state = self.state
        if not line:
            asked = due_chore(state)
            if asked is None:
                raise ParseError("Enter does nothing here: what is due needs a card or a choice")
            return [asked]
        if line.isdecimal() and len(line) < 6:
            if state.stage == "cut" and state.shoe.offer:
                return [Asked(cmd.Cut(at=int(line)), actor(state.shoe.offer))]
            usual = chore(state)
            if usual and isinstance(usual.command, cmd.PlaceCuttingCards):
                front = usual.command.from_front
                return [Asked(cmd.PlaceCuttingCards(from_back=int(line), from_front=front), DEALER)]
        if line.lower() in ("n", "no", "declines") and due(state) == "cut":
            return [Asked(cmd.DeclineCut(), actor(state.shoe.offer))]
        return parse_all(state, line)

    def _give(self, command: Command, by: Actor) -> None:
        if command == cmd.OpenBetting():
            command = open_betting(self.state)
        events = self.conductor.give(command, by)
        for event in events:
            if not isinstance(event, DULL):
                self.screen.told(event)
        self.cited = tuple(name for event in events for name in event.basis)
        if any(isinstance(event, ev.StageReached) and event.stage in IN_ROUND for event in events):
            self.screen.table(self.state)

    # Asides: they change nothing

    def help(self, topic: str) -> None:
        """All that can be typed, or how one command is written."""
        if not topic:
            for left, right in self._help_lines():
                self.screen.say(Text().append(f"{left:<24}", "cyan").append(right), indent=1)
            names = ", ".join(sorted(VERBS))
            self.screen.say(f"Every command in full (help VERB tells how): {names}", "dim", indent=1)
            return
        kind = VERBS.get(topic.lower())
        short = [
            (left, right)
            for left, right in self._help_lines()
            if topic.lower() in left.lower().replace("·", " ").split()
        ]
        for left, right in short:
            self.screen.say(f"{left}: {right}", indent=1)
        if kind is not None:
            meaning = " ".join((kind.__doc__ or "").split())
            self.screen.say(f"{usage(kind)}", indent=1)
            if kind.__doc__ and not meaning.startswith(f"{kind.__name__}("):
                self.screen.say(meaning, indent=1)
        elif not short:
            self.screen.problem(f"there is no command {topic!r}; `help` lists them all")

    def _help_lines(self) -> Iterator[tuple[str, str]]:
        """What can be typed, with the cards and the clauses of this game."""
        rules = self.state.rules
        side = next(iter(rules.side_bets), "")
        said = {
            "ranks": rules.ranks,
            "clause": self.screen.any_clause(),
            "sides": f"; with side bets behind it: {side}=5" if side else "",
        }
        yield from ((left.format(**said), right.format(**said)) for left, right in HELP)

    def what(self, _: str) -> None:
        """What is due, and what players and dealer may do now."""
        self.screen.say(
            f"Round {self.state.round}, stage '{self.state.stage}', {self.state.shoe.left} cards left."
        )
        for line in dict.fromkeys(self._choices()):
            self.screen.say(line, indent=2)
        if card_target(self.state) is not None or self.state.stage == "burn":
            self.screen.say("any card that is left in the shoe, or `cut` for the cutting card", indent=2)

    def _choices(self) -> Iterator[str]:
        """What is legal, as it is typed; cards aside, and the boxes of a wager taken together."""
        for choice in legal(self.state):
            if isinstance(choice.command, cmd.Wager):
                yield f"{choice.by} bets … on …   ({ranges_words(choice, self.book)})"
            elif not isinstance(choice.command, cmd.CardCommand):
                ranges = ranges_words(choice, self.book)
                yield write(choice.command, choice.by) + (f"   ({ranges})" if ranges else "")

    def table(self, _: str) -> None:
        """The table as it lies."""
        if not active(self.state):
            seats = [f"box {box.number} {box.seat}" for box in self.state.boxes if box.seat]
            self.screen.say(f"No wager lies on the table. Seated: {', '.join(seats) or 'nobody'}.")
            return
        self.screen.table(self.state)

    def why(self, number: str) -> None:
        """Restate a clause; without a number, the clauses behind what happened last."""
        if number:
            self.screen.why(number)
            return
        clauses = self.book.cite(*dict.fromkeys(self.cited))
        for clause in clauses:
            self.screen.clause(clause)
        if not clauses:
            one = f"`why {self.screen.any_clause()}` restates one"
            self.screen.say(f"No clause stands behind what happened last; {one}.")

    def undo(self, _: str) -> None:
        """Nothing is undone."""
        self.screen.problem(
            "undo refused: the log only grows. What was mistyped a supervisor strikes, as in `strike 37 "
            "why=the card was 5h`; `lines` numbers them. What happened stays, and is put right as the rules "
            "say: `error`, `burnt`, `overdraw`, `5h on 1`, `take-back`, `void-round`, `invalidate`"
        )

    # The record

    def lines(self, count: str) -> None:
        """The last lines of the record that stand, with their numbers."""
        if count and not (count.isdecimal() and len(count) < 6):
            self.screen.problem(f"lines {count}: say how many, as in `lines 20`")
            return
        for line in self.conductor.lines[-int(count or 10) :]:
            self.screen.say(line_words(line, self.book))

    def strike(self, words: str) -> None:
        """Strike the lines from one on, as the supervisor; what really happened is typed anew."""
        number, _, why = words.partition(" ")
        try:
            if not (number.isdecimal() and len(number) < 10):
                raise ParseError("say from which line on, and why, as in `strike 37 why=the card was 5h`")
            why = require_printable(why.strip().removeprefix("why=").strip("'\""), "why")
            last = self.conductor.store.count + 1
            self.conductor.strike(int(number), why=why)
        except (ParseError, StoreError) as error:
            self.screen.problem(str(error))
            return
        lines = f"Line {number} is" if int(number) == last else f"Lines {number} to {last} are"
        self.screen.say(f"{lines} struck. The table is as it stood before; type what really happened.")
        self.table("")


ASIDES = {
    "help": Desk.help,
    "?": Desk.help,
    "what": Desk.what,
    "table": Desk.table,
    "why": Desk.why,
    "undo": Desk.undo,
    "lines": Desk.lines,
    "strike": Desk.strike,
}

HELP = (
    ("Enter", "do what is due, where it needs no choice"),
    ("Kh · Kh 5d Qc", "cards leave the shoe: rank {ranks}, suit shdc"),
    ("Kh^", "the next card lies face up in the shoe"),
    ("5h on 1", "the card was laid on the wrong hand (2, 1.2, dealer)"),
    ("cut", "the cutting card comes out"),
    ("52 · no", "when the cut is offered: cut there, or decline"),
    ("error Kd", "a card is drawn in error"),
    ("burnt Kd", "a card is burnt in error"),
    ("overdraw 4c", "a card too many to the dealer"),
    ("p1 sits 1", "p1 takes the seat at box 1"),
    ("p1 bets 10 on 1", "p1 lays a wager on box 1{sides}"),
    ("1 hit · 1.2 stand", "what box 1, or its second hand, decides"),
    ("1 split · 1 double 10", "the decider's own part; then each other bettor on the hand is asked"),
    ("1 p2 splits · 1 p2 rides", "what p2 answers to a split"),
    ("1 p2 doubles 10 · 1 p2 stays", "what p2 answers to a double"),
    ("1 p1 insure 5", "p1 insures box 1; also even-money, forfeit"),
    ("1 surrender · 1 absent", "box 1 gives up; the one who decides is not there"),
    ("p1 returns", "p1, who was absent, is back"),
    ("reconstruct 1 Kh 5d / 2 9c", "misplaced cards found later: how these hands must lie"),
    ("what", "what is due and what may be done"),
    ("table", "draw the table"),
    ("why {clause}", "restate a clause; why alone: those applied last"),
    ("lines · lines 20", "the last lines of the record, with their numbers"),
    ("strike 37 why=…", "typed in error: the supervisor strikes from line 37 on"),
    ("help split", "how a command is written"),
    ("quit", "leave; the log can be resumed"),
)


def line_words(line: Line, book: Rulebook) -> str:
    """A line of the record with its number, and what was typed for it."""
    if isinstance(line, Strike):
        what = f"strike {line.strike} why={line.why}"
    elif isinstance(line, Bring):
        what = f"{line.by.name} brings {money(line.brings, book)}"
    else:
        office = line.by if line.by.role == "player" else actor(line.by.role)
        what = write(line.command, office) + (" (refused)" if line.refused else "")
    return f"{number_of(line):>5}  {line.at[11:19]}  {what}"


def split_cards(line: str) -> list[str]:
    """A line of several cards, the cutting card among them, as one line each."""
    words = line.split()
    return words if len(words) > 1 and all(_is_card(word) for word in words) else [line]


def _is_card(word: str) -> bool:
    try:
        parse_card(word.removesuffix("^"))
    except ParseError:
        return word == "cut"
    return True


def due_chore(state: State) -> Asked | None:
    """What Enter does: the next act of the dealer that needs no choice."""
    if state.shoe.held and (card_target(state) is not None or state.stage == "burn"):
        return Asked(card_command(state, state.shoe.held[0]), DEALER)
    usual: dict[str, Command] = {
        "between rounds": cmd.OpenBetting(),
        "betting": cmd.AnnounceNoMoreBets(),
        "offers": cmd.CloseOffers(),
    }
    command = usual.get(due(state))
    return Asked(command, DEALER) if command else chore(state)


def _is_due(state: State, kind: type[Command]) -> bool:
    usual = chore(state)
    return usual is not None and isinstance(usual.command, kind)


# What comes next, in words


def next_words(state: State, book: Rulebook) -> str:
    """What the dealer does next, with the clause for it."""
    words, *provisions = _next(state, book)
    names = [book.short(clause) for name in provisions for clause in book.cite(name)[:1]]
    return f"{words} [{', '.join(names)}]" if names else words


def _next(state: State, book: Rulebook) -> tuple[str, ...]:
    """The words, and the provisions behind them."""
    target = card_target(state)
    if target is not None:
        return _card_words(state, book, *target)
    if state.stage in ("shuffle", "cut", "place"):
        return _shoe_words(state)
    if state.stage == "betting":
        return f"{_wagers_words(state, book)}; Enter: no more bets", "betting_opens"
    if state.stage == "offers":
        ground = "surrender" if opens_surrender(state.rules, first_rank(state)) else "interim_settlement"
        return f"{_offer_words(state, book)}; Enter closes the offers", ground
    if _is_due(state, cmd.ReportAbsent):
        place = turn(state)
        where = place_name(*place) if place else ""
        return f"nobody is there to decide for box {where} (Enter)", "absent_draws_to"
    if state.stage == "playing":
        place = turn(state)
        asked = state.hand(*place).asked if place else ""
        return _decision_words(state, book), answer_ground(state, asked) if asked else "turns"
    if state.stage == "closed" and chore(state) is not None:
        return "check the cards once more, now that the table is closed", "card_check"
    return PLAIN[state.stage]


PLAIN = {
    "opening": ("check the cards one by one", "card_check"),
    "burn": ("burn a card: type it", "burn_cards"),
    "idle": ("open the betting (players may sit: p1 sits 1)", "betting_opens"),
    "dealing": ("deal", "initial_deal"),
    "dealer": ("settle", "settlement"),
    "settled": ("collect the cards", "round"),
    "closed": ("the table is closed; quit", "closing_needs_notice"),
}


def _shoe_words(state: State) -> tuple[str, ...]:
    shoe = state.shoe
    if state.stage == "shuffle":
        if replacement_due(state):
            return "the shoe has failed: replace-shoe automated=true or false", "shoe_replaced"
        player, ground, _ = next_cutter(state)
        return f"shuffle, then offer the cut to {_the(player)}", "shuffle", ground
    if _is_due(state, cmd.LoadAutomatedShoe):
        return "load the automated shoe", "automated_shoe_loaded"
    if state.stage == "place":
        low, high = cutting_card_window(state)
        if state.terms.cutting_cards == 2:
            least = second_card_window(state)[0]
            return (
                f"place the cutting cards, {low} to {high} from the back and from {least} from the front",
                "cutting_card_back_decks",
            )
        return (
            f"place the cutting card {low} to {high} cards from the back (Enter: {low})",
            "cutting_card_back_decks",
        )
    low, high = cut_window(state)
    if not shoe.offer:
        player, ground, _ = next_cutter(state)
        return f"offer the cut to {_the(player)}", ground
    if shoe.offer == "supervisor":
        return f"the supervisor cuts, {low} to {high} cards from the front", "supervisor_cuts"
    return (
        f"{shoe.offer} cuts {low} to {high} cards from the front: type the number, or no",
        "cut_depth_decks",
    )


def _the(player: str) -> str:
    return "the supervisor" if player == "supervisor" else player


def _card_words(state: State, book: Rulebook, box: int, hand: int) -> tuple[str, str]:
    if state.shoe.held:
        place = f"the {book.words.dealer}" if box == 0 else f"box {place_name(box, hand)}"
        return f"the {pretty(state.shoe.held[0])} drawn in error goes to {place} (Enter)", "drawn_in_error"
    if state.stage == "dealing":
        if box == 0:
            return "card to your own hand", "dealer_card"
        second = bool(state.box(box).hands)
        return f"card to box {box}", "second_card" if second else "first_card"
    if box:
        worth = hand_words(state.rules, book, state.hand(box, hand))
        return f"card to box {place_name(box, hand)}, which has {worth}", "subsequent_deal"
    return f"draw to your hand: {dealer_words(state.rules, book, state.dealer)}", "dealer_draws_to"


def _wagers_words(state: State, book: Rulebook) -> str:
    wagers = [
        f"{bet.player} {money(bet.stake, book)} on {box.number}" for box in active(state) for bet in box.bets
    ]
    return f"take wagers ({', '.join(wagers) if wagers else 'p1 bets 10 on 1'})"


def _offer_words(state: State, book: Rulebook) -> str:
    """What is open to whom before the subsequent deal."""
    offered = (_offer(state, book, choice) for choice in menu(state) if choice.bar is None)
    return ", ".join(offered) or "nothing more is open"


def _offer(state: State, book: Rulebook, choice: Choice) -> str:
    command, by = choice.command, choice.by.name
    if isinstance(command, cmd.Insure):
        most = insurance_limit(state, state.box(command.box).bet_of(by))
        return f"{by} may insure box {command.box} up to {money(most, book)}"
    if isinstance(command, cmd.TakeEvenMoney):
        return f"{by} may take even money on box {command.box}"
    return f"box {getattr(command, 'box', '')} may surrender"


DECISIONS: dict[type[Command], str] = {
    cmd.Hit: "hit",
    cmd.Stand: "stand",
    cmd.Double: "double",
    cmd.Split: "split",
}


def _decision_words(state: State, book: Rulebook) -> str:
    place = turn(state)
    if place is None:
        return "play"
    hand = state.hand(*place)
    where = place_name(*place)
    if hand.asked:
        words = "splits or rides" if hand.asked == "split" else "doubles or stays"
        asked = ", ".join(f"{where} {player} {words}" for player in waiting(state).players)
        return f"box {where}: a {hand.asked} is under way; {asked}"
    kinds = dict.fromkeys(type(choice.command) for choice in menu(state) if choice.bar is None)
    open_to = ", ".join(DECISIONS[kind] for kind in kinds if kind in DECISIONS)
    worth = hand_words(state.rules, book, hand)
    owner = ", ".join(waiting(state).players)
    return f"box {where} decides ({owner}): {worth}; {open_to}"


def ranges_words(choice: Choice, book: Rulebook) -> str:
    """What may vary in a choice, and within which bounds."""
    ranges = ((name, free) for name, free in choice.free.items() if isinstance(free, Amounts))
    return "; ".join(_range(name, amounts, book) for name, amounts in ranges)


def _range(name: str, amounts: Amounts, book: Rulebook) -> str:
    in_money = name.split(".")[0] in MONEY | MONEY_TABLES
    low, high = (
        "any" if bound is None else money(bound, book) if in_money else str(bound)
        for bound in (amounts.low, amounts.high)
    )
    return f"{name} {low}" if low == high else f"{name} {low} to {high}"
