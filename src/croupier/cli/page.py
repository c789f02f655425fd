"""The dealer's page: the table, the last lines, what is due next and one line to type, redrawn in place.

    ACT Blackjack, 2003 · round 3 · playing · 212 cards left
     dealer  9♣               9
    ▶1       10♥ 6♦           16 hard  p1 $10 · p2 $25 · p3 $5                   p1 decides
     ...
    ────────────────────────────────────────────────────────────────────────────────
    6♦ to box 1  [9.1]
    next: box 1 decides (p1): 16 hard; hit, stand, double [9.1]
    >

Whatever the terminal's height, the table keeps all its boxes and the lines above `next` give way. What is
longer than the room for lines is shown on a page of its own, to be scrolled.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key, Resize
from textual.screen import ModalScreen
from textual.suggester import Suggester
from textual.widgets import Input, Static

from croupier.cli.complete import common_start, completions
from croupier.cli.desk import ASIDES, Desk
from croupier.cli.felt import draw, rows
from croupier.cli.screen import ASCII, Screen
from croupier.conductor import Conductor
from croupier.house.due import enter_words, next_words
from croupier.printable import visible
from croupier.record.line import Entry
from croupier.rulebook import Rulebook

NEXT_LINES = 3
AROUND = 5  # the head, the rule, what is due, the line that is typed, the keys
LEAST_LINES = 3
KEYS = "F1 help · Tab completes · Up typed before · PgUp the record · quit leaves"


def show(book: Rulebook, table: Conductor, past: Iterable[Entry], *, yes: bool = False) -> None:
    """The page until its dealer leaves."""
    Page(book, table, past, yes=yes).run()


class Notes(Screen):
    """Takes down what is said instead of printing it."""

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book)
        self.taken: list[Text] = []
        self.width = 80
        self.letters_only = self.console.options.ascii_only

    def say(self, text: str | Text = "", style: str = "", indent: int = 0) -> None:
        shown = Text(text, style=style) if isinstance(text, str) else text
        self.taken.append(self.fit(Text(" " * indent) + shown))

    def lines(self, lines: Iterable[Text]) -> None:
        self.taken += map(self.fit, lines)

    def room(self) -> int:
        return self.width - 2

    def fit(self, text: Text) -> Text:
        """Only what the terminal can show, and nothing that deceives it."""
        plain = visible(text.plain)
        if plain != text.plain:
            return Text(plain)
        if self.letters_only:
            text.plain = plain.translate(ASCII)
        return text

    def wrapped(self, lines: Iterable[Text], width: int) -> list[Text]:
        return [part for line in lines for part in line.wrap(self.console, max(width, 10))]


class Completion(Suggester):
    """The likeliest end of what is being typed; the right arrow takes it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.desk = desk

    async def get_suggestion(self, value: str) -> str | None:
        found = completions(self.desk.state, self.desk.book, self.desk.bids.last, value)
        return found[0] if found else None


class Line(Input):
    """The line that is typed. Each key does its work before the next, so that a fast dealer loses none.

    Left to Textual, letters would be taken at once and all other keys after a way through the whole page.
    """

    BINDINGS = [
        Binding("ctrl+j", "submit", "Enter"),  # as some terminals and programs send it
        Binding("f1", "app.type('help')", "help"),
        Binding("pageup", "app.type('lines 200')", "the record"),
        Binding("tab", "app.complete", "complete"),
        Binding("up", "app.recall(-1)", "typed before"),
        Binding("down", "app.recall(1)", "typed after"),
    ]

    async def _on_key(self, event: Key) -> None:
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            event.stop().prevent_default()
            await self.run_action(binding.action)

    async def action_submit(self) -> None:
        line = self.value
        self.clear()
        self.post_message(self.Submitted(self, line))


class Reader(ModalScreen[None]):
    """Lines that are read at leisure."""

    BINDINGS = [Binding("escape,q,enter,f1", "app.pop_screen", "back")]

    def __init__(self, title: str, lines: list[Text]) -> None:
        super().__init__()
        self.title, self.lines = title, lines

    async def on_key(self, event: Key) -> None:
        """Who goes on typing is done reading."""
        if event.is_printable and event.character and event.key != "q":
            event.stop()
            await self.app.pop_screen()
            line = self.app.query_one(Line)
            line.value += event.character
            line.cursor_position = len(line.value)

    def compose(self) -> ComposeResult:
        yield Static(Text(f"{self.title}   (Esc goes back; arrows, PgUp and PgDn scroll)", "bold"))
        with VerticalScroll():
            yield Static(Text("\n").join(self.lines))


class Page(App[None]):
    """One table's page."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { overflow: hidden; }
    Static { height: auto; }
    #head, #felt, #keys { text-wrap: nowrap; text-overflow: ellipsis; }
    #bottom { dock: bottom; height: auto; }
    #log { height: 1fr; content-align: left bottom; }
    #line { border: none; height: 1; padding: 0; background: transparent; }
    #line:focus { border: none; height: 1; }
    #line > .input--cursor { background: ansi_default; color: ansi_default; text-style: reverse; }
    #typed { height: 1; }
    #prompt { width: 2; }
    Reader { background: $background; }
    """
    BINDINGS = [
        Binding("ctrl+c", "leave", "leave", priority=True),
        Binding("ctrl+d", "leave", "leave", priority=True),
    ]

    def __init__(self, book: Rulebook, table: Conductor, past: Iterable[Entry], *, yes: bool = False) -> None:
        super().__init__(ansi_color=True)
        self.notes = Notes(book)
        self.desk = Desk(book, table, self.notes, asks=True, yes=yes, draws=False, past=past)
        self.kept: list[Text] = [Text(sentence) for _, sentence in [*self.desk.lines][-20:]]
        self.fresh: list[Text] = []
        self.typed: list[str] = []
        self.at = 0
        self.notes.heading(self.desk.state)
        self.notes.unkept(table.store.last_hash)

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        yield Static(id="felt")
        yield Static(id="rule")
        yield Static(id="log")
        with Vertical(id="bottom"):
            yield Static(id="next")
            with Horizontal(id="typed"):
                yield Static("> ", id="prompt")
                yield Line(id="line", suggester=Completion(self.desk), select_on_focus=False)
            yield Static(id="keys")

    def on_mount(self) -> None:
        self.query_one("#line", Input).focus()
        self._take()
        self.redraw()

    def on_resize(self, _: Resize) -> None:
        self.redraw()

    # What is typed

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_type(event.value)

    def action_type(self, line: str) -> None:
        """Carry a line out as if it had been typed."""
        if line.strip() and line not in self.typed[-1:] and not self.desk.question:
            self.typed.append(line)
        self.at = len(self.typed)
        if not self.desk.type(line):
            self.exit()
            return
        self._take()
        self._read_on(line)
        self.redraw()

    def _take(self) -> None:
        """What was said last stands out from what was said before."""
        if self.notes.taken:
            self.kept = [*self.kept, *self.fresh][-100:]
            self.fresh, self.notes.taken = self.notes.taken, []

    def _read_on(self, line: str) -> None:
        """What there is no room for is read on a page of its own: an aside's answer, or all the rules."""
        first, room = line.split()[:1], self._room()
        lines = self.notes.wrapped(self.fresh, self.size.width - 2)
        whole = any(len(said.plain.splitlines()) > room for said in self.fresh)
        if len(lines) > room and (whole or (first and first[0].lower() in ASIDES)):
            self.push_screen(Reader(line, lines))
            self.fresh = []

    def action_leave(self) -> None:
        self.exit()

    def action_complete(self) -> None:
        line = self.query_one("#line", Input)
        found = completions(self.desk.state, self.desk.book, self.desk.bids.last, line.value)
        if not found:
            return
        if len(found) > 1:
            self.notes.say(" · ".join(one.strip() for one in found[:12]), "dim")
            self._take()
            self.redraw()
        line.value = common_start(found)
        line.action_end()

    def action_recall(self, step: int) -> None:
        """A line that was typed before, or the one after it."""
        self.at = min(max(self.at + step, 0), len(self.typed))
        line = self.query_one("#line", Input)
        line.value = self.typed[self.at] if self.at < len(self.typed) else ""
        line.action_end()

    # What is seen

    def redraw(self) -> None:
        """All of it again: a page has no past."""
        width = self.notes.width = self.size.width
        self._show("head", [self._head()])
        self._show("felt", self._felt())
        self._show("rule", [Text("─" * width, "dim")])
        older = [Text(line.plain, "dim") for line in self.kept]
        said = self.notes.wrapped([*older, *self.fresh], width)
        self._show("log", said[-self._room() :])
        self._show("next", self._due())
        self._show("keys", [Text(KEYS, "dim")])
        line = self.query_one("#line", Input)
        enter = enter_words(self.desk.state)
        line.placeholder = "y or n" if self.desk.question else f"Enter: {enter}" if enter else ""

    def _show(self, name: str, lines: list[Text]) -> None:
        text = Text("\n", no_wrap=True).join([self.notes.fit(line) for line in lines])
        self.query_one(f"#{name}", Static).update(text)

    def _head(self) -> Text:
        state = self.desk.state
        people = "".join(f" · {person}" for person in self.desk.conductor.staff.values())
        where = f" · round {state.round} · {state.stage} · {state.shoe.left} cards left{people}"
        return Text().append(self.desk.book.title, "bold").append(where, "dim")

    def _felt(self) -> list[Text]:
        most = self.size.height - AROUND - NEXT_LINES - LEAST_LINES + 1
        return draw(rows(self.desk.state, self.desk.book), self.size.width, most)

    def _due(self) -> list[Text]:
        """The question that waits for an answer, or what comes next."""
        desk = self.desk
        if desk.question:
            words = Text(f"{desk.question} y/n", "bold yellow")
        else:
            due = next_words(desk.state, desk.book, desk.bids.last)
            words = Text().append("next: ", "bold green").append(due)
        lines = self.notes.wrapped([words], self.size.width)
        return lines if desk.question else lines[:NEXT_LINES]

    def _room(self) -> int:
        """How many lines there are for what was said."""
        return max(self.size.height - AROUND + 1 - len(self._felt()) - len(self._due()), 1)
