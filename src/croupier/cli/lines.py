"""`croupier play` line by line: for pipes, for tests, and for whoever asks for it with --plain."""

from __future__ import annotations

from rich.text import Text

from croupier.cli import asking
from croupier.cli.results import result
from croupier.cli.screen import Screen, card_list
from croupier.errors import ParseError, Refused, StoreError
from croupier.house.coaching import Coach
from croupier.house.evening import ME, YOU, Evening, Finished, Question
from croupier.record import Told
from croupier.story import clauses_of, gain, hand_words
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.state import State, decider

# What a player wants to hear of the dealer's chores.
NEWS = (ev.CardsCut, ev.CardBurnt, ev.CuttingCardDrawn, ev.ShoeRanOut, ev.CutDeclined, ev.LimitsSet, ev.Told)
# What is answered when a wager was laid, beside that it lies there.
RETURNED = (ev.WagerReturned, ev.PlayerWarned)

WHY = ("w", "why")
HELP = ("?", "help")


class Lines:
    """Asks an evening's questions one line at a time, and tells what happens in between."""

    def __init__(self, evening: Evening, coach: Coach | None = None) -> None:
        self.evening = evening
        self.coach = coach
        self.screen = Screen(evening.book, you=YOU)
        self.question: Question | None = None

    @property
    def state(self) -> State:
        return self.evening.state

    def welcome(self) -> None:
        """What table this is and how to play at it; from now on what happens is told."""
        evening, say = self.evening, self.screen.say
        self.screen.heading(self.state)
        if evening.resumed:
            say(f"The log goes on where it ended{evening.afresh}.", "dim")
        else:
            keys = f"h hit, s stand, d double, p {evening.book.words.split}, ? help, q quit"
            say(f"Type a bet, then letters: {keys}.", "dim")
        if needed := asking.needed_words(evening):
            say(needed, "dim")
        evening.table.listeners.append(self._hear)

    def run(self) -> None:
        """Play until the player leaves, the chips are gone or the table closes."""
        try:
            while self._step():
                pass
        except (EOFError, KeyboardInterrupt):
            self.screen.say()
        if self.evening.over:
            self.screen.say(self.evening.over)

    def _step(self) -> bool:
        """Ask what is asked, or have the table go on; False when the evening is over."""
        question = self.evening.asked
        try:
            if question is None:
                self.evening.on()
            elif question == self.question:
                self._answer(question)
            else:
                self._show(question)
        except Refused as refused:
            self.screen.refusal(refused)
        except ParseError as error:
            self.screen.problem(str(error))
        except StoreError as error:
            self.screen.try_again(error)
        return not self.evening.over

    # Asking

    def _show(self, question: Question) -> None:
        """The table where a hand is to be decided on, the question, and the menu."""
        self.question = question
        if self.coach:
            self.coach.consider(self.state, question)
        if question.options:
            self.screen.table(self.state)
        words, hint = asking.question_words(self.evening, question)
        if question.kind == "bet":
            self.screen.say()
        if question.kind != "decision" and question.kind != "forfeit":
            self.screen.say(Text().append(words, "bold").append(f" {hint}", "dim"))
        if question.options:
            self._menu(question)

    def _menu(self, question: Question) -> None:
        line = Text()
        for option in question.open:
            line.append(option.key, "bold cyan").append(f" {option.label}   ")
        line.append("a advice   ? help" if self.coach else "? help", "dim")
        if question.closed:
            line.append(f"   w why not {', '.join(option.label for option in question.closed)}", "dim")
        self.screen.say(line)

    def _answer(self, question: Question) -> None:
        line = self._line()
        word = line.lower()
        if word in HELP or (word in WHY and question.kind == "bet"):
            self._help(question)
        elif word in WHY:
            self._why_not(question)
        elif word == "a" and self.coach and question.options:
            self.coach.when_ready(self.screen.say)
            self.coach.wait()
        else:
            events = self.evening.answer(line)
            self._coached()
            self.question = None
            for event in events:
                if isinstance(event, RETURNED) or (isinstance(event, ev.WagerPlaced) and event.over):
                    self.screen.told(event)

    def _coached(self) -> None:
        """What the decision cost, before the table goes on."""
        if self.coach:
            before = len(self.coach.judged)
            self.coach.wait()
            for judged in self.coach.judged[before:]:
                self.screen.say(
                    f"coach: {self.coach.words(judged)}", "green" if judged.is_best else "magenta"
                )

    def _line(self) -> str:
        """A line; q is an EOFError, and `w 13.1` and `rules` are answered on the way."""
        while True:
            line = self.screen.ask()
            words = line.split(maxsplit=1)
            if line.lower() in ("q", "quit"):
                raise EOFError
            if line.lower() == "rules":
                self.evening.table.give(cmd.Ask(about="rules"), ME)
            elif len(words) > 1 and words[0].lower() in WHY:
                self.screen.why(words[1])
            else:
                return line

    def _help(self, question: Question) -> None:
        for line in asking.help_lines(self.evening, question):
            self.screen.say(line, indent=1)
        named = self.screen.any_clause()
        if question.options:
            self.screen.say("w  why something is not possible now", indent=1)
            self.screen.say("q  quit; nothing is lost", indent=1)
        self.screen.say(f"`w {named}` restates a clause, `rules` all of them.", indent=1)
        if question.closed:
            self._why_not(question)

    def _why_not(self, question: Question) -> None:
        for sentence in asking.why_not(question):
            self.screen.say(sentence, "yellow" if question.closed else "")

    # Telling

    def _hear(self, told: Told) -> None:
        for event in told.events:
            if isinstance(event, ev.Settled) and event.player == YOU and event.net > 0:
                if told.after.stage != "settled":
                    self._result(told.after, event)  # paid before the end: good news does not wait
            elif isinstance(event, ev.HandStood) and self._is_others(told.after, event):
                self._tell_of(told.after, event)
            elif isinstance(event, NEWS):
                self.screen.told(event, "dim")
            elif isinstance(event, ev.RoundEnded) and self.evening.finished:
                self._settlement(self.evening.finished)

    def _is_others(self, state: State, event: ev.HandStood) -> bool:
        return decider(state, state.box(event.box), state.hand(event.box, event.hand)) != YOU

    def _tell_of(self, state: State, event: ev.HandStood) -> None:
        hand = state.hand(event.box, event.hand)
        words = hand_words(state.rules, self.evening.book, hand)
        who = decider(state, state.box(event.box), hand)
        self.screen.say(f"{who} on box {event.box}: {card_list(hand.cards)}, {words}", "dim")

    def _result(self, state: State, event: ev.Settled) -> None:
        told = result(state, event, self.evening.book)
        cards = f"{told.cards}: " if told.cards else ""
        stake = f" on {self.evening.money(event.stake)}" if event.stake else ""
        line = Text(f"{cards}{told.words} on {told.place}  ").append(told.gain, f"bold {told.style}")
        self.screen.say(line.append(stake).append(f"  {told.clauses}", "dim cyan"), indent=1)

    def _settlement(self, finished: Finished) -> None:
        """The table as it was, what each wager brought and under which clause, and the new purse."""
        self.screen.table(finished.state)
        self.screen.say()
        explained: set[str] = set()
        for event in finished.settled:
            if event.player != YOU:
                continue
            self._result(finished.state, event)
            for clause in clauses_of(event, self.evening.book)[:1]:
                name = self.evening.book.short(clause)
                if name not in explained:
                    self.screen.say(f"{name}: {clause.says}", "dim", indent=5)
                explained.add(name)
        self._nets(finished)

    def _nets(self, finished: Finished) -> None:
        nets, book = finished.nets, self.evening.book
        rest = [f"{name} {gain(net, book)}" for name, net in sorted(nets.items()) if name != YOU]
        if rest:
            self.screen.say(" · ".join(rest), "dim", indent=1)
        line = Text(f"Round {self.state.round}: ").append(gain(nets.get(YOU, 0), book), "bold")
        self.screen.say(line.append(f". You have {self.evening.money(self.evening.free)}."))
