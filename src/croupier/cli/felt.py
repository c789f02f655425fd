"""The table as rows: one line a hand, so that seven boxes with three bettors each fit eighty columns.

     dealer  9♣              9
    ▶1       10♥ 6♦          16 hard    p1 $10 · p2 $25 · p3 $5           p1 decides
     2.1     8♠ 3♦           11 hard    p4 $10
     2.2     8♥ K♦ 5♠        23 bust    p4 −$10

`rows` is what there is to see, as data; `draw` makes lines of it, as wide as they may be. Where there are
more hands than lines, boxes that are not in turn have all theirs on one.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from croupier.cards import Card, is_red, pretty
from croupier.cli.screen import ASCII, beside_words, card_list, gain_style
from croupier.money import dollars
from croupier.rulebook import Rulebook
from croupier.story import dealer_words, gain, hand_words, main_net, money
from croupier.table.shoe import card_target
from croupier.table.state import Bet, Box, State, turn
from croupier.table.waiting import waiting

GAP = 2
LONGEST_NOTE = 22
USUAL_HAND = 14  # so that columns stay where they are while most hands grow
NAME_LENGTHS = (24, 8, 5, 3)


class Chips(Struct, frozen=True):
    """One bettor's chips on a hand: what lies there, or (`net`) what became of it."""

    name: str
    words: str
    net: int | None = None

    def shown(self, longest: int) -> str:
        name = self.name if len(self.name) <= longest else f"{self.name[: longest - 1]}…"
        return f"{name} {self.words}".rstrip()

    @property
    def style(self) -> str:
        return "" if self.net is None else gain_style(self.net)


class Row(Struct, frozen=True):
    """A hand: where it lies, whose it is, its cards, what they are worth, and what is the matter with it.

    Box 0 is the dealer's. `hand` is 0 where no card lies yet. `turn`: the table waits for this hand.
    """

    box: int
    hand: int
    place: str
    bettors: tuple[Chips, ...] = ()
    cards: tuple[Card, ...] = ()
    total: str = ""
    note: str = ""
    turn: bool = False
    gist: str = ""  # of several hands on one row

    @property
    def faces(self) -> str:
        return self.gist or card_list(self.cards)


# What there is to see


def rows(state: State, book: Rulebook, you: str = "") -> list[Row]:
    """The dealer's row and one for every hand, box by box; `you` is the player who looks on, if one does."""
    due = card_target(state)
    found = [_dealer(state, book, due)]
    for box in state.boxes:
        found += _of_box(state, book, box, you, due)
    return found


def _dealer(state: State, book: Rulebook, due: tuple[int, int] | None) -> Row:
    total = dealer_words(state.rules, book, state.dealer) if state.dealer else ""
    note = "next card" if due and due[0] == 0 else ""
    return Row(0, 0, book.words.dealer, (), state.dealer, total, note, bool(note))


def _of_box(state: State, book: Rulebook, box: Box, you: str, due: tuple[int, int] | None) -> Iterable[Row]:
    if box.hands:
        for number in range(1, len(box.hands) + 1):
            yield _hand(state, book, box, number, you, due)
    elif box.lying or box.seat:
        next_card = due is not None and due[0] == box.number
        chips = tuple(_laid(bet, book, you) for bet in box.lying)
        note = "next card" if next_card else _seat_words(box, you)
        yield Row(box.number, 0, str(box.number), chips, note=note, turn=next_card)


def _seat_words(box: Box, you: str) -> str:
    if not box.seat or box.bet_of(box.seat).chips:
        return ""
    return "you sit here" if box.seat == you else f"{box.seat} sits here"


def _hand(state: State, book: Rulebook, box: Box, number: int, you: str, due: tuple[int, int] | None) -> Row:
    hand = box.hands[number - 1]
    place = f"{box.number}.{number}" if len(box.hands) > 1 else str(box.number)
    here = (box.number, number)
    return Row(
        box=box.number,
        hand=number,
        place=place,
        bettors=tuple(_staked(state, book, box, number, you)),
        cards=hand.cards,
        total=hand_words(state.rules, book, hand),
        note=_note(state, box, number, you, due),
        turn=here in (due, turn(state)),
    )


def _note(state: State, box: Box, number: int, you: str, due: tuple[int, int] | None) -> str:
    """What the table waits for at a hand, or how the hand ended."""
    hand = box.hands[number - 1]
    if due == (box.number, number):
        return "next card"
    if turn(state) == (box.number, number):
        names = [_called(name, you) for name in waiting(state).players]
        return _asks(names, hand.asked)
    if hand.unattended and hand.lives:
        return "nobody there"
    return "stands" if hand.stood and hand.lives else ""


def _asks(names: list[str], asked: str) -> str:
    who = ", ".join(names) or "nobody"
    if asked:
        return f"{asked}: {who}?"
    return f"{who} {'decide' if who == 'you' else 'decides'}"


def _called(name: str, you: str) -> str:
    return "you" if name == you else name


def _laid(bet: Bet, book: Rulebook, you: str) -> Chips:
    main = [money(bet.stake + bet.over, book)] if bet.stake + bet.over else []
    return Chips(_called(bet.player, you), " ".join([*main, *beside_words(bet, book)]))


def _staked(state: State, book: Rulebook, box: Box, number: int, you: str) -> Iterable[Chips]:
    """Every bettor of a hand: the stake while it lives, then what it brought; side bets at the first."""
    for stake in box.hands[number - 1].stakes:
        beside = beside_words(box.bet_of(stake.player), book) if number == 1 else ()
        net = None if stake.lives else main_net(state, box.number, number, stake.player)
        doubled = f"+{dollars(stake.doubled)}" if stake.doubled else ""
        main = f"{money(stake.original, book)}{doubled}" if net is None else gain(net, book)
        yield Chips(_called(stake.player, you), " ".join([main, *beside]), net)


# Lines


def draw(table: list[Row], width: int = 80, most: int = 0, *, plain: bool = False) -> list[Text]:
    """The rows as lines no wider than `width`; `most` lines, if it is set and they can be brought to that.

    `plain`: for a terminal that has letters only.
    """
    shown = fold(table, most) if most and len(table) > most else table
    note = min(LONGEST_NOTE, width // 4, _widest(row.note for row in shown))
    total = _widest(row.total for row in shown)
    place = _widest(row.place for row in shown)
    left = width - 1 - place - total - note - 4 * GAP
    cards = min(max(_widest(row.faces for row in shown), USUAL_HAND), max(left // 2, 8))
    columns = (place, cards, total, max(left - cards, 0), note)
    lines = [_line(row, columns) for row in shown]
    for line in lines:
        line.truncate(width)
        if plain:
            line.plain = line.plain.translate(ASCII)
    return lines


def _widest(words: Iterable[str]) -> int:
    return max(map(cell_len, words), default=0)


def _line(row: Row, columns: tuple[int, int, int, int, int]) -> Text:
    place, cards, total, bettors, note = columns
    ink = "bold yellow" if row.turn else "bold"
    line = Text().append("▶" if row.turn else " ", ink)
    parts = (
        (Text(row.place, ink), place),
        (Text(row.gist) if row.gist else _cards(row.cards, cards), cards),
        (Text(row.total, "bold" if row.cards else ""), total),
        (_bettors(row.bettors, bettors), bettors),
        (Text(row.note, "yellow" if row.turn else "dim"), note),
    )
    for part, width in parts:
        part.truncate(width, overflow="ellipsis", pad=True)
        line.append_text(part).append(" " * GAP)
    line.rstrip()
    return line


def _cards(cards: tuple[Card, ...], room: int) -> Text:
    """The cards, closer together or only the last of them where there is little room."""
    gap = " " if cell_len(card_list(cards)) <= room else ""
    shown, left = Text(), cards
    while left and _width(left, gap) > room:
        left = left[1:]
    if left != cards:
        left = left[1:] if _width(left, gap) == room else left
        shown.append("…")
    for index, card in enumerate(left):
        shown.append(gap if index else "").append(pretty(card), "bold red" if is_red(card) else "bold")
    return shown


def _width(cards: tuple[Card, ...], gap: str) -> int:
    return cell_len(gap.join(map(pretty, cards)))


def _bettors(bettors: tuple[Chips, ...], room: int) -> Text:
    """Everybody with their chips; names are cut where they must be, and then the last ones only counted."""
    for longest in NAME_LENGTHS:
        shown = _joined(bettors, longest)
        if shown.cell_len <= room:
            return shown
    for count in range(len(bettors) - 1, 0, -1):
        shown = _joined(bettors[:count], NAME_LENGTHS[-1]).append(f" +{len(bettors) - count}", "dim")
        if shown.cell_len <= room:
            break
    return shown


def _joined(bettors: tuple[Chips, ...], longest: int) -> Text:
    return Text(" · ").join([Text(chips.shown(longest), chips.style) for chips in bettors])


# More hands than lines


def fold(table: list[Row], most: int) -> list[Row]:
    """The hands of a box on one row, the later boxes first, until the rows are few enough.

    The box in turn keeps a row a hand, for there a hand must be seen to be decided on.
    """
    boxes = [list(hands) for _, hands in groupby(table, key=lambda row: row.box)]
    for index in range(len(boxes) - 1, -1, -1):
        if sum(map(len, boxes)) <= most:
            break
        if len(boxes[index]) > 1 and not any(row.turn for row in boxes[index]):
            boxes[index] = [_together(boxes[index])]
    return [row for box in boxes for row in box]


def _together(hands: list[Row]) -> Row:
    chips = tuple(chips for row in hands for chips in row.bettors)
    gist = " / ".join(row.total for row in hands)
    place = str(hands[0].box)
    return Row(hands[0].box, 0, place, chips, gist=gist, total=f"{len(hands)} hands")
