"""What a terminal shows of a table: cards, boxes, chips, clauses, and one way to ask for a line.

Cards lie half over each other, so that seven boxes of two cards fit eighty columns:

    ╭──╭────╮
    │10│A   │
    │♥ │   ♠│
    ╰──╰────╯

A terminal without UTF-8 gets the same table in plain letters.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable

from rich.text import Text

from croupier.cards import SUIT_SYMBOLS, Card, is_red, pretty
from croupier.cli.output import Console
from croupier.errors import Refused, StoreError
from croupier.house.wish import open_sides, side_terms
from croupier.money import dollars, odds_text
from croupier.rulebook import Rulebook
from croupier.rulebook.demonstration import NAME
from croupier.rulebook.text import Clause
from croupier.story import capital, cited, dealer_words, gain, hand_words, main_net, money, tell
from croupier.table.deal import place_name
from croupier.table.events import Event
from croupier.table.sidebets import short_name
from croupier.table.state import Bet, Box, Stake, State, turn

ASCII = str.maketrans("♠♥♦♣╭╮╰╯─│▶·…£−", "shdc++++-|>-.L-")
COLUMN = 32  # where the second column of a manual begins
READABLE = 100  # sentences longer than this are hard to read on a wide terminal

Block = list[Text]


class Screen:
    """Shows one rulebook's table; `you` is the player who sits in front of it, if one does."""

    def __init__(self, book: Rulebook, *, you: str = "") -> None:
        self.book = book
        self.you = you
        self.console = Console()

    # Lines out and in

    def say(self, text: str | Text = "", style: str = "", indent: int = 0) -> None:
        """A sentence or a line, wrapped for people and left whole for programs."""
        shown = Text(text, style=style) if isinstance(text, str) else text
        if self.console.options.ascii_only:
            shown.plain = shown.plain.translate(ASCII)
        if not self.console.is_terminal:
            self.console.print(Text(" " * indent) + shown, soft_wrap=True)
            return
        room = max(self.room() - indent, 10)
        for line in shown.wrap(self.console, room) if shown.plain else [shown]:
            line.rstrip()
            self.console.print(Text(" " * indent) + line, soft_wrap=True)

    def room(self) -> int:
        """How wide a sentence may be; 0 where lines are left whole."""
        return min(self.console.width, READABLE) if self.console.is_terminal else 0

    def entry(self, left: str, right: str) -> None:
        """What is typed and what it does, in two columns; what is long goes on below itself."""
        room, head = self.room(), Text("  ").append(left, "cyan")
        parts = list(Text(right).wrap(self.console, max(room - COLUMN, 20))) if room else [Text(right)]
        if head.cell_len > COLUMN - 2 and room:
            self.say(head)
            head = Text()
        for part in parts:
            part.rstrip()
            head.pad_right(max(COLUMN - head.cell_len, 2))
            self.say(head + part)
            head = Text()

    def ask(self, prompt: str = "> ") -> str:
        """A line from the player; the end of input is an EOFError. Piped lines are shown like typed ones."""
        self.console.file.flush()
        line = input(prompt)
        if not sys.stdin.isatty():
            self.console.print(line, markup=False, soft_wrap=True)
        return line.strip()

    def try_again(self, error: StoreError) -> None:
        """What could not be put on record is tried again, or the table left as it stands (EOFError)."""
        self.problem(str(error))
        self.say("Enter: try again. q: leave the table as it stands.")
        if self.ask().lower() in ("q", "quit"):
            raise EOFError

    def unkept(self, last_hash: str) -> None:
        """Say so where a table keeps no record, and so has no hash."""
        if not last_hash:
            self.say("No record is kept of this table: --log FILE keeps one.", "yellow")

    def last_hash(self, last: str) -> None:
        """What to keep elsewhere, so that `croupier replay --expect` can tell later that nothing was cut."""
        if last:
            self.say(f"last hash {last}", "dim")

    def refusal(self, refused: Refused) -> None:
        self.say(capital(self.book.why_refused(refused)), "yellow")

    def problem(self, sentence: str) -> None:
        end = "" if sentence.endswith((".", "]")) else "."
        self.say(capital(sentence) + end, "yellow")

    def told(self, event: Event, style: str = "") -> None:
        """An event in a sentence, with its clauses."""
        line = Text().append(tell(event, self.book), style)
        if brackets := cited(event, self.book):
            line.append(f"  {brackets}", "dim cyan")
        self.say(line)

    def clause(self, clause: Clause, indent: int = 0) -> None:
        """A clause's number and what it says."""
        self.say(Text().append(self.book.short(clause), "cyan").append(f"  {clause.says}"), indent=indent)
        if clause.reading:
            self.say(f"read here as: {clause.reading}", "dim", indent=indent + 4)

    def why(self, number: str) -> None:
        """Restate the clause with this number and its parts, or a chapter; or say that there is none."""
        found = self.book.called(number)
        for clause in found:
            self.clause(clause)
        if not found:
            self.problem(f"{self.book.id} has no clause {number!r}; {self.any_clause()} is one")

    def any_clause(self) -> str:
        return any_clause(self.book)

    # The table

    def table(self, state: State) -> None:
        """The dealer's hand and every box with a wager, as wide as the terminal allows."""
        self.console.print()
        if state.dealer:
            self._rows([self._dealer(state)])
        self._rows([block for box in state.boxes if box.bets for block in self._box(state, box)])

    def _rows(self, blocks: list[Block]) -> None:
        for row in flow(blocks, self.console.width):
            for line in row:
                self._raw(line)

    def _raw(self, line: Text) -> None:
        line.rstrip()
        if self.console.options.ascii_only:
            line.plain = line.plain.translate(ASCII)
        self.console.print(line, no_wrap=True, crop=self.console.is_terminal, overflow="crop")

    def lines(self, lines: Iterable[Text]) -> None:
        """Lines that are as wide as they should be."""
        for line in lines:
            self._raw(line)

    def _dealer(self, state: State) -> Block:
        name = self.book.words.dealer
        worth = dealer_words(state.rules, self.book, state.dealer)
        title = Text().append(f" {name}", "bold").append(f" · {worth}")
        return [title, *cards_block(state.dealer)]

    def _box(self, state: State, box: Box) -> list[Block]:
        if not box.hands:
            return [[self._title(state, box, 1), *(Text(f" {self._bet(bet, box)}") for bet in box.bets)]]
        return [self._hand(state, box, number) for number in range(1, len(box.hands) + 1)]

    def _title(self, state: State, box: Box, hand: int) -> Text:
        mine = turn(state) == (box.number, hand)
        names = [self._name(bet.player) for bet in box.bets]
        who = names[0] if len(names) == 1 else ""
        label = f"box {place_name(box.number, hand)} {who}".rstrip()
        return (
            Text()
            .append("▶" if mine else " ", "bold yellow")
            .append(label, "bold yellow" if mine else "bold")
        )

    def _name(self, player: str) -> str:
        return "you" if player == self.you else player

    def _bet(self, bet: Bet, box: Box) -> str:
        who = f"{self._name(bet.player)} " if len(box.bets) > 1 else ""
        return f"{who}{money(bet.stake, self.book)}"

    def _hand(self, state: State, box: Box, number: int) -> Block:
        hand = box.hands[number - 1]
        block = [self._title(state, box, number), *cards_block(hand.cards)]
        block.append(Text(f" {hand_words(state.rules, self.book, hand)}", "bold"))
        block += [self._stake(state, box, number, stake) for stake in hand.stakes]
        if number == 1:
            block += [Text(f" {line}", "dim") for bet in box.bets for line in beside_words(bet, self.book)]
        return block

    def _stake(self, state: State, box: Box, number: int, stake: Stake) -> Text:
        who = f" {self._name(stake.player)}" if len(box.bets) > 1 else ""
        if stake.lives:
            doubled = f"+{dollars(stake.doubled)}" if stake.doubled else ""
            return Text(f"{who} {money(stake.original, self.book)}{doubled}")
        net = main_net(state, box.number, number, stake.player)
        return Text(f"{who} ").append(gain(net, self.book), gain_style(net))

    # Money

    # What the table is

    def heading(self, state: State) -> None:
        """The title of the rulebook, the limits of the table, and whose it is."""
        house, book = state.rules.house, self.book
        instrument = max(book.instruments, key=lambda made: made.made)
        self.say(Text().append(book.title, "bold").append(f"  ({instrument.title})", "dim"))
        multiples = f", in multiples of {money(house.multiple, book)}" if state.rules.wager_multiples else ""
        limits = f"{money(state.terms.minimum, book)} to {money(state.terms.maximum, book)}{multiples}"
        natural = f"a {book.words.natural} pays {odds_text(state.rules.natural_pays)}"
        self.say(f"{state.terms.decks} decks. Bets {limits}. {natural[0].upper()}{natural[1:]}.")
        made_up = ", which nobody has approved; --house FILE names your own" if house.name == NAME else ""
        self.say(f"{house.name}{made_up}.", "dim")
        for name in open_sides(state):
            self.say(side_terms(state, book, name), indent=2)


def any_clause(book: Rulebook) -> str:
    """The name of a clause, to show how they are called here."""
    known = book.cite("win_pays", "dealer_draws_to") or book.clauses
    return min((book.short(clause) for clause in known), key=lambda name: (" " in name, name))


def beside_words(bet: Bet, book: Rulebook) -> Iterable[str]:
    """The wagers beside the main one that are still open."""
    for side in bet.sides:
        if side.open:
            yield f"{short_name(side.name)} {money(side.stake, book)}"
    if bet.insurance_open:
        yield f"ins {money(bet.insurance, book)}"


def gain_style(net: int) -> str:
    return "green" if net > 0 else "red" if net < 0 else "yellow"


def card_list(cards: Iterable[Card]) -> str:
    return " ".join(pretty(card) for card in cards)


# Cards as lines, blocks side by side


def cards_block(cards: tuple[Card, ...]) -> Block:
    """Four lines: every card but the last shows only its left edge."""
    lines = [Text(" ") for _ in range(4)]
    for index, card in enumerate(cards):
        for line, part in zip(lines, _card(card, last=index == len(cards) - 1), strict=True):
            line.append_text(part)
    return lines


def _card(card: Card, *, last: bool) -> Block:
    ink = "bold red" if is_red(card) else "bold"
    rank, suit = pretty(card)[:-1], SUIT_SYMBOLS[card[1]]
    if not last:
        faces = (f"{rank:<2}", f"{suit} ")
        return [Text("╭──"), *(Text("│").append(face, ink) for face in faces), Text("╰──")]
    faces = (f"{rank:<4}", f"{suit:>4}")
    middle = [Text("│").append(face, ink).append("│") for face in faces]
    return [Text("╭────╮"), *middle, Text("╰────╯")]


def flow(blocks: list[Block], width: int) -> list[Block]:
    """Blocks side by side, a new row where the width ends."""
    rows: list[list[Block]] = []
    room = 0
    for block in blocks:
        need = _width(block) + 1
        if not rows or need > room:
            rows.append([])
            room = width
        rows[-1].append(block)
        room -= need
    return [_beside(row) for row in rows]


def _width(block: Block) -> int:
    return max(line.cell_len for line in block)


def _beside(blocks: list[Block]) -> Block:
    lines = [Text() for _ in range(max(map(len, blocks)))]
    for block in blocks:
        width = _width(block) + 1
        for index, line in enumerate(lines):
            part = block[index].copy() if index < len(block) else Text()
            part.pad_right(width - part.cell_len)
            line.append_text(part)
    return lines


def quiet_line_editing() -> None:
    """Arrow keys and history at a prompt, where the platform has them."""
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401
