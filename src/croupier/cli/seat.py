"""`croupier play` on a whole screen: one key acts, cards arrive one by one, results stay in sight.

The page asks its evening what is asked, shows it, and gives back what was pressed. While cards are on their
way a key only hurries them along, so that nobody decides on a hand that they have not seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from rich.console import Console
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static

from croupier.cli import asking
from croupier.cli.about import about_lines
from croupier.cli.band import table_lines
from croupier.cli.news import News
from croupier.errors import ParseError, Refused, StoreError
from croupier.house.coaching import Coach
from croupier.house.evening import YOU, Evening, Question
from croupier.printable import visible
from croupier.table import events as ev
from croupier.table.events import Event
from croupier.table.state import State

if TYPE_CHECKING:
    from croupier.house.coach import Judged

PAUSE = 0.35  # seconds between two cards
TYPED = ("bet", "amount", "cut")  # questions that are answered by typing
STARTS = frozenset("0123456789$£.")  # what an amount begins with
BELOW = 3  # lines under the table: the question, the keys or the field, the hints
NEWS = 6  # lines that are kept for what happened
LEAST = 9  # lines of the table that stay where much is to be told


class Field(Input):
    """Where amounts are typed. As long as it is empty a letter is a key of the page, as everywhere."""

    def on_key(self, event: events.Key) -> None:
        page = self.app
        if not isinstance(page, Page) or page.clause or self.value or not event.character:
            return
        if event.is_printable and event.character not in STARTS:
            event.stop()
            event.prevent_default()
            page.press(event.character.lower())


class Advised(Message):
    """The coach knows what to do."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words


class Verdict(Message):
    """The coach has judged a decision."""

    def __init__(self, judged: Judged) -> None:
        super().__init__()
        self.judged = judged


class Page(App[None]):
    """A player's page: the table above, what happened below it, and the question of the moment."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { overflow: hidden; background: ansi_default; color: ansi_default; }
    #top { height: 1fr; }
    #menu, #hints { height: 1; }
    Input { height: 1; border: none; padding: 0; background: ansi_default; }
    Input:focus { border: none; }
    """
    BINDINGS: ClassVar = [
        Binding("ctrl+c", "leave", show=False, priority=True),
        Binding("ctrl+d", "leave", show=False, priority=True),
        Binding("escape", "forget", show=False, priority=True),
    ]

    def __init__(self, evening: Evening, *, fast: bool = False, coach: Coach | None = None) -> None:
        super().__init__(ansi_color=True)
        self.evening = evening
        self.coach = coach
        self.pause = 0.0 if fast else PAUSE
        self.news = News(evening)
        self.aside: list[Text] = []  # help and the like, in place of the news until the next key
        self.question: Question | None = None
        self.clause = False  # is the number of a clause being typed?
        self.stuck = ""  # why the last step could not be put on record
        self._dealing: Timer | None = None
        self._console = Console(width=80)

    def compose(self) -> ComposeResult:
        yield Static(id="top")
        yield Static(id="menu")
        yield Field(id="field", compact=True, select_on_focus=False)
        yield Static(id="hints")

    def on_mount(self) -> None:
        self.evening.table.listeners.append(self.news.hear)
        if self.coach:
            self.coach.told = lambda judged: self.post_message(Verdict(judged))
        self.news.welcome()
        self._go()

    def on_resize(self) -> None:
        self._draw()

    # The table goes on

    def _go(self) -> None:
        """Have the table go on until something is asked, a card is to be seen, or the evening is over."""
        self._dealing = None
        while not self._rest():
            events = self._step()
            if self.pause and not self.stuck and _to_see(events):
                self._dealing = self.set_timer(self.pause, self._go)
                self._draw()
                return
        self.news.flush()
        self._ask()

    def _rest(self) -> bool:
        """Is there nothing that the table could do now?"""
        return bool(self.stuck or self.evening.over) or self.evening.asked is not None

    def _step(self) -> list[Event]:
        self.news.flush()
        try:
            return self.evening.on()
        except (ParseError, Refused) as error:
            self.news.problem(error)
        except StoreError as error:
            self.stuck = str(error)
        return []

    def _hurry(self) -> None:
        """The cards that are on their way come at once."""
        if self._dealing is not None:
            self._dealing.stop()
        pause, self.pause = self.pause, 0.0
        self._go()
        self.pause = pause

    # The player

    def _ask(self) -> None:
        self.question = None if self.stuck else self.evening.asked
        if self.coach and self.question:
            self.coach.consider(self.evening.state, self.question)
        self._draw()

    def on_key(self, event: events.Key) -> None:
        """A key where nothing is being typed; the field has its own."""
        if self.focused is not None:
            return
        if event.key == "enter":
            waiting = self.query_one(Field).value.strip()  # typed before the field was ready for it
            self.press(waiting, typed=bool(waiting))
        elif event.is_printable and event.character:
            self.press(event.character.lower())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.press(event.value.strip(), typed=True)

    def press(self, key: str, *, typed: bool = False) -> None:
        """A key of the page, or the line of the field."""
        helped = {
            "?": self._help,
            "w": self._why_not,
            "g": self._about,
            "a": self._advise,
            "c": self._ask_clause,
        }
        self.aside = []
        if key == "q" and not self.clause:
            self.action_leave()
        elif self._dealing is not None:
            self._hurry()
            self._type_ahead(key)
        elif self.stuck or self.evening.over:
            self._again()
        elif self.clause:
            self._show_clause(key)
        elif key in helped and not typed:
            helped[key]()
            self._draw()
        elif typed or not self._type_ahead(key):
            self._answer(key)

    def _type_ahead(self, key: str) -> bool:
        """The beginning of an amount goes into the field, so that no digit of it is lost; was it one?"""
        if key not in STARTS or self.question is None or self.question.kind not in TYPED:
            return False
        field = self.query_one(Field)
        field.value += key
        field.cursor_position = len(field.value)
        return True

    def _again(self) -> None:
        """Try once more what could not be put on record; when all is over a key leaves."""
        if self.evening.over:
            self.action_leave()
            return
        self.stuck = ""
        self._go()

    def _answer(self, text: str) -> None:
        field, stays = self.query_one(Field), ""  # what was refused does not begin the next amount
        try:
            self.evening.answer(text)
        except (ParseError, Refused) as error:
            self.news.problem(error)
        except StoreError as error:  # Enter tries the same again
            self.news.problem(error)
            stays = field.value
        field.value = stays
        self._go()

    def action_leave(self) -> None:
        self.exit()

    def action_forget(self) -> None:
        """Away with what was typed and with what was only asked by the way."""
        self.aside, self.clause = [], False
        self.query_one(Field).value = ""
        self._draw()

    # By the way

    def _say(self, lines: Iterable[str]) -> None:
        self.aside = [Text(visible(line)) for line in lines]

    def _help(self) -> None:
        if self.question is None:
            return
        keys = ["w  why not something else   c  a clause   g  the game   q  leave; nothing is lost"]
        if self.coach:
            keys.append("a  what the coach would do")
        self._say([*asking.help_lines(self.evening, self.question), *keys])

    def _why_not(self) -> None:
        if self.question is not None:
            why = (
                asking.why_not(self.question)
                if self.question.options
                else [asking.limits_words(self.evening)]
            )
            self._say(why)

    def _about(self) -> None:
        self._say(about_lines(self.evening.book, self.evening.state.rules))

    def _advise(self) -> None:
        """What the coach would do; without one, what the game is."""
        if self.coach is None or self.question is None or not self.question.options:
            self._about()
            return
        self.coach.when_ready(lambda words: self.post_message(Advised(words)))

    def on_advised(self, message: Advised) -> None:
        self._say([message.words])
        self._draw()

    def on_verdict(self, message: Verdict) -> None:
        if self.coach:
            self.news.coached(self.coach.words(message.judged), best=message.judged.is_best)
            self._draw()

    def _ask_clause(self) -> None:
        self.clause = True

    def _show_clause(self, number: str) -> None:
        self.clause = False
        self.query_one(Field).value = ""
        if number:
            self._say(asking.clause_lines(self.evening.book, number))
        self._draw()

    # Drawing

    @property
    def shown(self) -> State:
        """The table: between two rounds as the last one left it, so that its cards can still be seen."""
        state, finished = self.evening.state, self.evening.finished
        bets = any(bet.player == YOU for box in state.boxes for bet in box.lying)
        between = state.stage in ("betting", "idle") and not state.dealer and not bets
        return finished.state if finished and between else state

    def _draw(self) -> None:
        width, height = self.size
        if not width or not self._running:
            return
        self.query_one("#top", Static).update(Text("\n").join(self._top(width, height - BELOW + 1)))
        typing = self.clause or (
            self._dealing is None and self.question is not None and self.question.kind in TYPED
        )
        field, menu = self.query_one(Field), self.query_one("#menu", Static)
        field.display, menu.display = typing, not typing
        if typing:
            field.placeholder = "a number, as in 9.1" if self.clause else "type an amount, or press a key"
            field.focus()
        else:
            self.set_focus(None)
            menu.update(self._menu())
        self.query_one("#hints", Static).update(self._hints())

    def _top(self, width: int, height: int) -> list[Text]:
        """The heading, the table, what happened, and the question in the last lines, which are never lost."""
        asked = self._wrapped([self._asked()], width)
        room = max(height - 1 - len(asked), 1)
        news = self._wrapped(self.aside or self.news.lines, width)
        wanted = len(news) if self.aside else min(len(news), NEWS)
        table = table_lines(self.shown, self.evening.book, width, max(room - wanted, min(room, LEAST)))
        news = news[: room - len(table)] if self.aside else news[max(len(news) + len(table) - room, 0) :]
        blank = [Text()] * (room - len(table) - len(news))
        gap = len(blank) > 2
        return [self._heading(width), *blank[:gap], *table, *blank[:gap], *news, *blank[2 * gap :], *asked]

    def _wrapped(self, lines: list[Text], width: int) -> list[Text]:
        return [
            part for line in lines for part in (line.wrap(self._console, width) if line.plain else [line])
        ]

    def _heading(self, width: int) -> Text:
        evening = self.evening
        purse = f"you have {evening.money(evening.free)}"
        risk = f", {evening.money(evening.risk)} on the table" if evening.risk else ""
        right = f" {purse}{risk} "
        line = Text(f" {visible(evening.book.title)}  round {max(evening.state.round, 1)}", "reverse")
        line.truncate(max(width - len(right), 0), pad=True)
        return line.append(right)

    def _asked(self) -> Text:
        if self.clause:
            return Text("Which clause? Type its number, Enter.", "bold")
        if self.stuck:
            return Text(self.stuck, "yellow")
        if self.evening.over:
            return Text(self.evening.over, "bold")
        if self._dealing is not None or self.question is None:
            return Text()
        words, hint = asking.question_words(self.evening, self.question)
        return Text(words, "bold").append(f" {hint}", "dim")

    def _menu(self) -> Text:
        line = Text()
        if self.stuck:
            return Text("Enter try again   q leave")
        if self.evening.over:
            return Text("any key leaves")
        if self._dealing is not None or self.question is None:
            return line
        for option in self.question.open:
            line.append(f" {option.key} ", "bold reverse").append(f" {option.label}   ")
        return line

    def _hints(self) -> Text:
        advice = "a advice   " if self.coach else ""
        closed = self.question.closed if self.question else ()
        why = f"w why not {', '.join(option.label for option in closed)}   " if closed else ""
        return Text(f"? keys   {why}{advice}c clause   g the game   q leave", "dim")


def _to_see(events: list[Event]) -> bool:
    """Is there a card to be looked at before the table goes on?"""
    return any(isinstance(event, ev.CardDealt | ev.CardBurnt) for event in events)
