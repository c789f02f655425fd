"""The table as a player sees it: the dealer's and one's own cards large, every box in a row below.

Where there is too little room for cards, rows are all there is. The dealer's hand is always in sight.
"""

from __future__ import annotations

from rich.text import Text

from croupier.cli.felt import draw, rows
from croupier.cli.screen import Block, cards_block, flow
from croupier.house.evening import YOU
from croupier.rulebook import Rulebook
from croupier.story import dealer_words, hand_words, money
from croupier.table.deal import place_name
from croupier.table.state import Box, State, turn

CARD_LINES = 7  # a title, four lines of cards, what they are worth, and a line between


def table_lines(state: State, book: Rulebook, width: int, height: int) -> list[Text]:
    """The table in no more than so many lines."""
    table = [row for row in rows(state, book, YOU) if row.bettors or row.cards or not row.box]
    own = [(box, number) for box in state.boxes for number in _own_hands(box)]
    others = [row for row in table[1:] if (row.box, row.hand or 1) not in _places(own)]
    if height < CARD_LINES + len(others) or not state.dealer:
        return draw(table if state.dealer else table[1:], width, max(height, 1))[:height]
    cards = _cards(state, book, own, width)
    if len(cards) > 1 and height >= CARD_LINES * len(cards) + len(others):
        return [*(line for block in cards for line in (*block, Text())), *draw(others, width)]
    if len(cards) == 1:
        return [*cards[0], Text(), *draw(others, width)]
    top = flow([_dealer(state, book), *_in_turn(state, book, own)], width)[0]
    return [*top, Text(), *draw(table[1:], width, max(height - CARD_LINES, 1))][:height]


def _places(own: list[tuple[Box, int]]) -> set[tuple[int, int]]:
    return {(box.number, number) for box, number in own}


def _own_hands(box: Box) -> range:
    """The numbers of the hands on a box that are the player's alone."""
    mine = bool(box.hands) and [bet.player for bet in box.bets] == [YOU]
    return range(1, len(box.hands) + 1) if mine else range(0)


def _cards(state: State, book: Rulebook, own: list[tuple[Box, int]], width: int) -> list[Block]:
    return flow([_dealer(state, book), *(_hand(state, book, *one) for one in own)], width)


def _in_turn(state: State, book: Rulebook, own: list[tuple[Box, int]]) -> list[Block]:
    """The player's hand that is to be decided on, or the first."""
    now = [one for one in own if turn(state) == (one[0].number, one[1])] or own[:1]
    return [_hand(state, book, *one) for one in now]


def _dealer(state: State, book: Rulebook) -> Block:
    worth = Text(f" {dealer_words(state.rules, book, state.dealer)}", "bold")
    return [Text(f" {book.words.dealer}      ", "bold"), *cards_block(state.dealer), worth]


def _hand(state: State, book: Rulebook, box: Box, number: int) -> Block:
    hand, mine = box.hands[number - 1], turn(state) == (box.number, number)
    ink = "bold yellow" if mine else "bold"
    stake = hand.stakes[0]
    doubled = f"+{money(stake.doubled, book)}" if stake.doubled else ""
    bet = f"  {money(stake.original, book)}{doubled}" if stake.lives else ""
    place = f"box {place_name(box.number, number)}"
    title = Text("   ").append("▶" if mine else " ", ink).append(f"you, {place}{bet}  ", ink)
    worth = Text(f"    {hand_words(state.rules, book, hand)}", "bold")
    return [title, *(Text("   ").append_text(line) for line in cards_block(hand.cards)), worth]
