"""What happened at the table, as a player wants to hear it: results first, in a word, with the clause."""

from __future__ import annotations

from rich.text import Text

from croupier.cli.results import result
from croupier.errors import Refused
from croupier.house.evening import YOU, Evening
from croupier.printable import visible
from croupier.record import Told
from croupier.rulebook.about import about
from croupier.story import capital, cited, gain, tell
from croupier.table import events as ev
from croupier.table.events import Event
from croupier.table.state import State

TOLD = (
    *(ev.CardBurnt, ev.CuttingCardDrawn, ev.ShoeRanOut, ev.LimitsSet, ev.WagerReturned, ev.PlayerWarned),
    *(ev.CardsCut, ev.CutDeclined),
)


class News:
    """The lines of this round. What a card brings is held back until the card has been seen."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.lines: list[Text] = []
        self._held: list[Text] = []

    def welcome(self) -> None:
        """What game this is, for who sits down; for who comes back, that the table goes on."""
        if self.evening.resumed:
            self.lines = [Text(f"The table goes on where you left it{self.evening.afresh}.", "dim")]
        else:
            self.lines = [Text(line) for line in about(self.evening.book, self.evening.state.rules)]

    def hear(self, told: Told) -> None:
        for event in told.events:
            if isinstance(event, ev.NoMoreBets):
                self.lines, self._held = [], []
            elif isinstance(event, ev.Settled) and event.player == YOU:
                self._held.append(self._result(told.after, event))
            elif isinstance(event, ev.RoundEnded):
                self._round(told)
            elif isinstance(event, TOLD):
                self._held.append(self._told(event))

    def flush(self) -> None:
        """What was held back is told."""
        self.lines += self._held
        self._held = []

    def problem(self, error: Exception) -> None:
        """Why the player was not obeyed, in place of an earlier reason."""
        words = self.evening.book.why_refused(error) if isinstance(error, Refused) else str(error)
        line = Text(visible(capital(words)), "yellow")
        if self.lines and self.lines[-1].style == "yellow":
            self.lines.pop()
        self.lines.append(line)

    def coached(self, words: str, *, best: bool) -> None:
        self.lines.append(Text(f"coach: {words}", "green" if best else "magenta"))

    def _result(self, state: State, event: ev.Settled) -> Text:
        told = result(state, event, self.evening.book)
        line = Text(f"{capital(told.words)} {told.gain}", f"bold {told.style}")
        return line.append(f"   {told.place}   {told.clauses}", "dim")

    def _round(self, told: Told) -> None:
        finished = self.evening.finished
        if finished is None:
            return
        nets, book = finished.nets, self.evening.book
        total = Text(f"Round {told.after.round}: {gain(nets.get(YOU, 0), book)}", "bold")
        rest = [f"{name} {gain(net, book)}" for name, net in sorted(nets.items()) if name != YOU]
        self._held.append(total.append(f"   {' · '.join(rest)}", "dim"))

    def _told(self, event: Event) -> Text:
        return Text(visible(tell(event, self.evening.book)), "dim").append(
            f"  {cited(event, self.evening.book)}", "dim"
        )
