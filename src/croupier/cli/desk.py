"""The dealer's desk: what a typed line does at the table, on a page and in plain lines alike.

A line is carried out part by part, and the first problem ends it. Where something is to be asked first, the
desk has a `question`, and the next line is its answer. What the rules forbid is refused in a sentence and
changes nothing, so a school can try out every irregularity.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable

from rich.text import Text

from croupier.cli import manual
from croupier.cli.felt import draw, rows
from croupier.cli.screen import Screen
from croupier.conductor import Conductor
from croupier.errors import ParseError, Refused, RulebookError, StoreError
from croupier.house.confirm import doubt_of_name, question
from croupier.house.due import typed_now
from croupier.house.tables import open_betting
from croupier.printable import require_printable
from croupier.record.line import Entry, number_of
from croupier.rulebook import Rulebook
from croupier.story import cited, tell
from croupier.table import advance
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import OFFICES, Actor, actor
from croupier.table.again import LastBids
from croupier.table.commands import Asked, Command
from croupier.table.events import Event
from croupier.table.position import position
from croupier.table.run import describe
from croupier.table.shorthand import Reading, is_card, parts, read
from croupier.table.state import IN_ROUND, State

# What adds nothing for somebody who stands at the table.
DULL = (ev.StageReached,)
LINES_KEPT = 1000
LINES_SHOWN = 20

Steps = Generator[str, bool, None]


class Desk:
    """The dealer's side of one table.

    `asks`: somebody is there to answer; `yes`: all answers are known; `draws`: the table is drawn as it
    grows.
    """

    def __init__(
        self,
        book: Rulebook,
        table: Conductor,
        screen: Screen,
        *,
        asks: bool = False,
        yes: bool = False,
        draws: bool = True,
        past: Iterable[Entry] = (),
    ) -> None:
        self.book, self.conductor, self.screen = book, table, screen
        self.asks, self.yes, self.draws = asks, yes, draws
        self.question = ""
        self.cited: tuple[str, ...] = ()  # the provisions last applied, for a bare `why`
        self.lines: deque[tuple[int, str]] = deque(maxlen=LINES_KEPT)
        self.bids = LastBids()
        self._steps: Steps | None = None
        for entry in past:
            self._remember(entry)

    @property
    def state(self) -> State:
        return self.conductor.state

    def type(self, line: str) -> bool:
        """Take a line, or the answer to the question; False when it is the last."""
        line = line.strip()
        if self.question:
            self._answer(line)
            return True
        word, _, rest = line.partition(" ")
        if word.lower() in ("quit", "q", "exit"):
            return False
        aside = aside_of(word, rest)
        if aside is not None:
            self._aside(aside, rest.strip())
        elif not line.startswith("#"):
            self._steps = self._strike(rest) if word.lower() == "strike" else self._carry_out(line)
            self._go_on(None)
        return True

    def _answer(self, line: str) -> None:
        if line.lower() not in ("y", "yes", "n", "no"):
            self.screen.problem("y does it, n leaves everything as it is")
            return
        self._go_on(line.lower() in ("y", "yes"))

    def _go_on(self, answer: bool | None) -> None:
        """Carry the line on to its end or its next question."""
        steps, self.question = self._steps, ""
        if steps is None:
            return
        try:
            self.question = next(steps) if answer is None else steps.send(answer)
        except StopIteration:
            self._steps = None

    def _aside(self, say: Callable[[Desk, str], None], rest: str) -> None:
        try:
            say(self, rest)
        except ParseError as error:
            self.screen.problem(str(error))

    # Commands

    def _carry_out(self, line: str) -> Steps:
        """Give what the line says, part by part; the first problem ends it."""
        todo = parts(line)
        hits = True
        while todo:
            part = todo.pop(0)
            try:
                done = yield from self._part(part, hits=hits)
            except Refused as refused:
                self._refused(refused)
                break
            except (ParseError, RulebookError, StoreError) as error:
                self.screen.problem(str(error))
                break
            if not done:
                break
            hits = not is_card(part)  # a card behind a card may be one too many, or another hand's
        if todo:
            self.screen.problem(f"not carried out: {' '.join(todo)}")

    def _part(self, part: str, *, hits: bool) -> Generator[str, bool, bool]:
        reading = read(self.state, part, self.bids.last, hits=hits)
        self._grant(reading)
        for asked in reading.asked:
            words = self._doubt(asked)
            if words and not (yield words):
                self.screen.say("Not done.", "yellow")
                return False
            try:
                self._give(*asked)
            except Refused as refused:
                if not (reading.each and isinstance(asked.command, cmd.Wager)):
                    raise
                self._refused(refused)
        return True

    def _grant(self, reading: Reading) -> None:
        """Say what is taken for granted, once it is clear that all of it can be done."""
        if not reading.granted:
            return
        state = self.state
        for asked in reading.asked:
            state, _ = advance(state, *asked)
        self.screen.say(f"Taken for granted: {reading.granted}.", "dim")

    def _doubt(self, asked: Asked) -> str:
        """What is to be asked before a command is given, if anything is."""
        if self.yes:
            return ""
        if self.asks:
            return question(self.state, asked, self.book)
        if doubt := doubt_of_name(self.state, asked):
            raise ParseError(f"{doubt} Then --yes lets both play")
        return ""

    def _give(self, command: Command, by: Actor) -> None:
        if command == cmd.OpenBetting():
            command = open_betting(self.state)
        events = self.conductor.give(command, by)
        for event in events:
            if not isinstance(event, DULL):
                self.screen.told(event)
        self.cited = tuple(name for event in events for name in event.basis)
        self._keep(events)
        stages = [event.stage for event in events if isinstance(event, ev.StageReached)]
        if self.draws and IN_ROUND.intersection(stages):
            self.table("")

    def _refused(self, refused: Refused) -> None:
        self.cited = (refused.provision,)
        self.lines.append((self._line_number, self.book.why_refused(refused)))
        self.screen.refusal(refused)

    # What was mistyped

    def _strike(self, words: str) -> Steps:
        """Strike the lines from one on, as the supervisor; what really happened is typed anew."""
        number, _, why = words.strip().partition(" ")
        last = self._line_number
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            self.screen.problem("say from which line on, and why, as in `strike 37 why=the card was 5h`")
            return
        why = why.strip().removeprefix("why=").strip("'\"")
        if problem := self.conductor.strike_bar(int(number), why=why):
            self.screen.problem(f"strike {number}: {problem}")
            return
        if self.asks and not self.yes and not (yield f"Strike the record from line {number} to {last}?"):
            self.screen.say("Not done.", "yellow")
            return
        try:
            self.conductor.strike(int(number), why=require_printable(why, "why"))
        except (ParseError, StoreError) as error:
            self.screen.problem(str(error))
            return
        which = f"Line {last} is" if int(number) == last else f"Lines {number} to {last} are"
        self._struck(int(number), f"{which} struck: {why}")

    def _struck(self, first: int, words: str) -> None:
        """The table is as it stood, and so is what everybody bet last."""
        for at, (number, sentence) in enumerate(self.lines):
            if number >= first and not sentence.startswith("struck: "):
                self.lines[at] = number, f"struck: {sentence}"
        self.bids = LastBids()
        for line in self.conductor.lines:
            self.bids.hear(line.events)
        self.lines.append((self._line_number, words))
        self.screen.say(f"{words}. The table is as it stood before; type what really happened.")
        if self.draws:
            self.table("")

    # What is remembered of the record

    def _keep(self, events: list[Event]) -> None:
        self.bids.hear(events)
        self._note(self._line_number, events)

    @property
    def _line_number(self) -> int:
        """The number of the last line on record; the header is the first."""
        return self.conductor.store.count + 1

    def _remember(self, entry: Entry) -> None:
        """A line that was on record before this desk was opened."""
        self.bids.hear(entry.events)
        if entry.refused:
            self.lines.append((number_of(entry), f"{describe(entry.command)} refused: {entry.refused.why}"))
        self._note(number_of(entry), entry.events)

    def _note(self, number: int, events: list[Event]) -> None:
        for event in events:
            if not isinstance(event, DULL):
                self.lines.append((number, f"{tell(event, self.book)}  {cited(event, self.book)}".rstrip()))

    # Asides: they change nothing at the table

    def help(self, topic: str) -> None:
        """All that can be typed, or how one command is written."""
        if not topic:
            manual.overview(self.state, self.screen)
            return
        found = [*manual.about(topic, self.state, self.screen)]
        for sentence in filter(None, found):
            self.screen.say(sentence, indent=1)
        if not found:
            self.screen.problem(f"there is no command {topic!r}; `help` lists them all")

    def what(self, _: str) -> None:
        """What may be typed now, and what it does."""
        state = self.state
        self.screen.say(f"Round {state.round}, stage '{state.stage}', {state.shoe.left} cards left.")
        for left, right in typed_now(state, self.book, self.bids.last):
            self.screen.entry(left, right)

    def table(self, _: str) -> None:
        """The table as it lies."""
        self.screen.lines(draw(rows(self.state, self.book), self.screen.console.width))

    def why(self, number: str) -> None:
        """Restate a clause or a chapter; without a number, the clauses behind what happened last."""
        if number:
            self.screen.why(number)
            return
        clauses = self.book.cite(*dict.fromkeys(self.cited))
        for clause in clauses:
            self.screen.clause(clause)
        if not clauses:
            one = f"`why {self.screen.any_clause()}` restates one"
            self.screen.say(f"No clause stands behind what happened last; {one}.")

    def last_lines(self, count: str) -> None:
        """The last lines on record, in words."""
        if count and not (count.isascii() and count.isdigit() and len(count) < 5):
            raise ParseError(f"{count!r} is no number of lines: type lines, or lines 40")
        for number, sentence in [*self.lines][-max(1, int(count or LINES_SHOWN)) :]:
            self.screen.say(Text().append(f"{number:>4}  ", "dim").append(sentence))
        if not self.lines:
            self.screen.say("Nothing is on record yet.")

    def position(self, _: str) -> None:
        """The table in one line of text, for whoever wants to set it up again."""
        self.screen.say(position(self.state))

    def role(self, words: str) -> None:
        """From now on the orders of an office are those of a named person."""
        word, _, name = (part.strip() for part in words.partition(" "))
        if not name:
            raise ParseError(f"as {words}: write who holds the office, as in as {word} NAME")
        role = actor(word.lower()).role
        self.conductor.staff[role] = Actor(role, require_printable(name, "the name"))
        self.screen.say(f"The {role}'s orders are {name}'s from now on.")

    def undo(self, _: str) -> None:
        """Nothing is undone."""
        self.screen.problem(
            "undo refused: the log only grows. What was mistyped a supervisor strikes, as in `strike 37 "
            "why=the card was 5h`; `lines` numbers them. What happened stays, and is put right as the rules "
            "say: `error`, `burnt`, `overdraw`, `5h on 1`, `take-back`, `void-round`, `invalidate`"
        )


ASIDES: dict[str, Callable[[Desk, str], None]] = {
    "help": Desk.help,
    "?": Desk.help,
    "what": Desk.what,
    "table": Desk.table,
    "why": Desk.why,
    "lines": Desk.last_lines,
    "undo": Desk.undo,
    "position": Desk.position,
    "as": Desk.role,
}


def aside_of(word: str, rest: str) -> Callable[[Desk, str], None] | None:
    """The aside that a line opens; `as` is one before an office, and else the ace of spades."""
    if word.lower() == "as" and rest.lower().split()[:1] not in [[role] for role in OFFICES]:
        return None
    return ASIDES.get(word.lower())
