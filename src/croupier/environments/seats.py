"""A table with a learner in every seat: it is conducted until somebody is asked something.

Everything that may be answered comes from the table's menu, and what may not comes with the bar that the
table gives. Chores, cards and the cut are the house's. A hand that can only stand is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from croupier.cards import INDEX, RANKS
from croupier.conductor import Conductor
from croupier.environments.questions import (
    BETTING,
    BOX,
    DEALER,
    DECIDING,
    DECLINE,
    DOUBLE,
    DOUBLED,
    EVEN_MONEY,
    FIRST_ACES,
    FIRST_BET,
    FORFEIT,
    HAND,
    HANDS,
    HAS_DOUBLED,
    HIT,
    INSURE,
    INSURED,
    MASK,
    NOTHING,
    OFFERED,
    QUESTION,
    SOFT,
    SPLIT,
    SPLIT_OF,
    STAND,
    SUITS,
    SURRENDER,
    TOTAL,
    Options,
)
from croupier.errors import ParseError, Refused
from croupier.exact.asked import card_values, looks_at_first_aces
from croupier.exact.game import suited_pairs, suits_of
from croupier.exact.hands import ACE, Array
from croupier.exact.shoe import fresh
from croupier.game.hand import Bar, hand_total
from croupier.house import players
from croupier.house.shoes import VirtualShoe
from croupier.money import dollars
from croupier.record import Told
from croupier.rulebook import Rules
from croupier.rulebook.wager import SUPER_BONUS
from croupier.table import State, advance, open_state
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor, player
from croupier.table.commands import Command
from croupier.table.conduct import due_and_chore
from croupier.table.contents import bar_of
from croupier.table.evolve import cards_on_table
from croupier.table.legal import Amounts, Choice, menu
from croupier.table.run import refusal
from croupier.table.state import BoxHand, turn
from croupier.table.wagers import most_in_play

KINDS: dict[int, dict[type[Command], int]] = {
    OFFERED: {cmd.Insure: INSURE, cmd.TakeEvenMoney: EVEN_MONEY, cmd.Surrender: SURRENDER},
    DECIDING: {cmd.Hit: HIT, cmd.Stand: STAND, cmd.Double: DOUBLE, cmd.Split: SPLIT},
    DOUBLED: {cmd.Forfeit: FORFEIT},
}
WORDS = {
    BETTING: "a wager",
    OFFERED: "an answer to the offers",
    DECIDING: "a move",
    DOUBLED: "whether to forfeit",
}


class Question(NamedTuple):
    """What is asked of a box: each action that is of the moment with its command, and its bar if closed."""

    kind: int
    box: int
    hand: int
    commands: dict[int, Command | None]
    bars: dict[int, Bar]

    @property
    def open(self) -> list[int]:
        return [action for action in self.commands if action not in self.bars]


def seat(box: int) -> Actor:
    return player(f"p{box}")


def unit_of(options: Options) -> int:
    """The least wager that a table takes, in cents.

    A ParseError where one of the bets would be refused, or not be in play whole.
    """
    state, _ = advance(open_state(options.rules), cmd.Sit(box=1), seat(1))
    betting = replace(state, stage="betting")
    wager = players.opening_wager(betting, seat(1).name, 1)
    if wager is None or not isinstance(wager.command, cmd.Wager):
        raise ParseError("a table of this house takes no wager")
    unit, most = wager.command.stake, most_in_play(betting, betting.box(1), seat(1).name)
    for units in options.bets:
        bar = bar_of(betting, cmd.Wager(box=1, stake=units * unit), seat(1))
        if bar or units * unit > most:
            why = bar.why if bar else f"{dollars(most)} is the most that is in play"
            raise ParseError(f"a bet of {units} units of {dollars(unit)}: {why}")
    return unit


def _side_stake(rules: Rules, name: str, unit: int) -> int:
    """What is laid on a side bet: the amount or the least that the house has named, or a unit."""
    terms = rules.house.side_bets[rules.side_bets[name].offered_as]
    return terms.amount or terms.minimum or unit


class Seats:
    """One table after another, each for a shoe. The table is another once the shoe is used up."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.rules = rules = options.rules
        self.values = card_values(rules)
        self.first_aces = looks_at_first_aces(rules)
        pool = fresh(rules.ranks, rules.house.decks).pool
        self.suited = set(suited_pairs(tuple(rules.bonus_rows.items()), pool, False, rules.win_pays, None))
        self.gone = np.zeros(len(RANKS), np.uint8)
        self.unit = unit_of(options)
        self.sides = {name: _side_stake(rules, name, self.unit) for name in options.side_bets}
        self.question: Question | None = None

    # Tables, shoes and rounds

    def open(self, shoe: VirtualShoe) -> None:
        """A new table, whose cards are in this shoe."""
        self.table = Conductor(open_state(self.rules), cards=shoe)
        self.table.listeners.append(self._hear)
        self.gone[:] = 0
        self.question = None
        for box in range(1, self.options.boxes + 1):
            self.table.give(cmd.Sit(box=box), seat(box))
        self._prepare()

    def begin(self) -> None:
        """A new round."""
        self.table.give(cmd.OpenBetting())
        self._passed: set[int] = set()
        self._kept: set[tuple[int, int]] = set()
        self._go_on()

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def shoe_is_over(self) -> bool:
        """Between rounds: would the cards be shuffled before the next?"""
        shoe = self.state.shoe
        return (
            self.state.stage != "idle" or shoe.left in (shoe.back_card, shoe.front_card) or shoe.shuffle_due
        )

    def _prepare(self) -> None:
        while self.table.carry_on() == "cut":
            self.table.give(cmd.DeclineCut(), player(self.state.shoe.offer))

    def _hear(self, told: Told) -> None:
        for event in told.events:
            if isinstance(event, ev.CardDealt):
                self.gone[INDEX[event.card] % len(RANKS)] += 1
            elif isinstance(event, ev.CardsShuffled):
                ranks = [INDEX[card] % len(RANKS) for card in cards_on_table(told.before)]
                self.gone[:] = np.bincount(ranks, minlength=len(RANKS))

    # Questions

    def _go_on(self) -> None:
        """Until somebody is asked, or the round is over."""
        self.question = None
        while self.question is None:
            self.question = self._forfeit_asked()
            if self.question is None and not self._step():
                return

    def _step(self) -> bool:
        """What the house does next, or a question; False once the round is over."""
        wanted, chore = due_and_chore(self.state)
        if wanted == "card":
            self.table.next_card()
        elif chore is not None:
            self.table.give(*chore)
        elif wanted == "cut":
            self.table.give(cmd.DeclineCut(), player(self.state.shoe.offer))
        elif wanted == "betting":
            self._ask_bets()
        elif wanted == "offers":
            self._ask_offers()
        elif wanted == "decision":
            self._ask_move()
        else:
            return False
        return not isinstance(chore[0] if chore else None, cmd.Collect)

    def _ask_bets(self) -> None:
        for box in range(1, self.options.boxes + 1):
            if not self.state.box(box).bets:
                self.question = self._bet_asked(box)
                return
        self.table.give(cmd.AnnounceNoMoreBets())

    def _bet_asked(self, box: int) -> Question:
        commands: dict[int, Command | None] = {
            FIRST_BET + number: cmd.Wager(box=box, stake=units * self.unit, sides=self.sides)
            for number, units in enumerate(self.options.bets)
        }
        bars = {
            action: bar
            for action, wager in commands.items()
            if wager and (bar := bar_of(self.state, wager, seat(box)))
        }
        return Question(BETTING, box, 0, commands, bars)

    def _ask_offers(self) -> None:
        for box in range(1, self.options.boxes + 1):
            if box not in self._passed:
                found = self._found(OFFERED, box, 1)
                if found.open:
                    found.commands[DECLINE] = None
                    self.question = found
                    return
        self.table.give(cmd.CloseOffers())

    def _ask_move(self) -> None:
        place = turn(self.state)
        if place is None:
            raise ParseError(f"nobody is to decide at the stage {self.state.stage!r}")
        found = self._found(DECIDING, *place)
        if found.open == [STAND]:
            self._give(found.commands[STAND], place[0])
        else:
            self.question = found

    def _forfeit_asked(self) -> Question | None:
        for box in range(1, self.options.boxes + 1) if self.rules.forfeit else ():
            for number in range(1, len(self.state.box(box).hands) + 1):
                if self.state.hand(box, number).doubled_on and (box, number) not in self._kept:
                    found = self._found(DOUBLED, box, number)
                    if found.open:
                        found.commands[DECLINE] = None
                        return found
        return None

    def _found(self, kind: int, box: int, hand: int) -> Question:
        """Of a seat's menu what is of this kind and for this hand."""
        found = Question(kind, box, hand, {}, {})
        for choice in menu(self.state, seat(box)):
            action = KINDS[kind].get(type(choice.command))
            place = getattr(choice.command, "box", box), getattr(choice.command, "hand", hand)
            if action is not None and action not in found.commands and place == (box, hand):
                found.commands[action] = _in_full(choice)
                if choice.bar:
                    found.bars[action] = choice.bar
        return found

    # Answers

    def why_not(self, action: int) -> str:
        """Why an action may not be answered now; nothing if it may."""
        question, actions = self.question, self.options.actions
        if question is None:
            return "the round is over"
        command = question.commands.get(action)
        if action in question.bars and command is not None:
            return self.options.book.why_refused(refusal(command, question.bars[action]))
        return (
            ""
            if action in question.commands
            else f"{actions[action]} refused: {WORDS[question.kind]} is asked"
        )

    def answer(self, action: int) -> None:
        """Answer what is asked; what may not be is Refused and changes nothing."""
        question = self.question
        if question is None:
            raise ParseError("nothing is asked: the round is over")
        if action not in question.commands:
            raise Refused("turns", self.options.actions[action], f"{WORDS[question.kind]} is asked")
        command = question.commands[action]
        if command is not None:
            self._give(command, question.box)
        elif question.kind == OFFERED:
            self._passed.add(question.box)
        else:
            self._kept.add((question.box, question.hand))
        self._go_on()

    def _give(self, command: Command | None, box: int) -> None:
        if command is not None:
            self.table.give(command, seat(box))

    # What comes of a round, and what is seen of it

    def won(self, box: int) -> float:
        """What a box has won in the round that is over, in units."""
        left_out = () if self.options.super_bonus else (SUPER_BONUS,)
        results = self.state.results
        return sum(one.net for one in results if one.box == box and one.wager not in left_out) / self.unit

    def observation(self, box: int) -> Array:
        """What the learner of a box sees: the hand in question, or its first while another is asked."""
        seen = np.zeros(len(self.options.fields), np.uint8)
        question = self.question
        if question is not None:
            mine = question.box == box
            number = question.hand if mine else min(1, len(self.state.box(box).hands))
            seen[[BOX, HAND, QUESTION]] = box, number, question.kind if mine else NOTHING
            seen[[MASK + action for action in question.open if mine]] = 1
            if number:
                self._see_hand(seen, box, number)
        else:
            seen[QUESTION] = NOTHING
        if self.options.see_gone:
            seen[self.options.gone_at :] = self.gone
        return seen

    def _see_hand(self, seen: Array, box: int, number: int) -> None:
        place = self.state.box(box)
        hand = place.hands[number - 1]
        values = [self.values[card[0]] for card in hand.cards]
        for value in values:
            seen[value] += 1
        seen[[TOTAL, SOFT]] = hand_total(self.rules, hand)
        seen[SUITS] = self._suits(hand, values)
        seen[FIRST_ACES] = values[:2].count(ACE) if self.first_aces else 0
        seen[DEALER] = RANKS.index(self.state.dealer[0][0]) + 1 if self.state.dealer else 0
        seen[HANDS] = len(place.hands)
        seen[SPLIT_OF] = values[0] + 1 if hand.split else 0
        seen[HAS_DOUBLED] = bool(hand.doubled_on)
        seen[INSURED] = place.bet_of(seat(box).name).insurance > 0

    def _suits(self, hand: BoxHand, values: list[int]) -> int:
        if len(values) != 2 or tuple(sorted(values)) not in self.suited:
            return 0
        return 1 + suits_of(*hand.cards)

    def told(self) -> str:
        """The table as text: the dealer's cards, and the hands of every box."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"dealer {' '.join(self.state.dealer) or '-'}"
        for box in range(1, self.options.boxes + 1):
            for number, hand in enumerate(self.state.box(box).hands, start=1):
                asked = self.question is not None and self.question[1:3] == (box, number)
                yield f"box {box}.{number} {' '.join(hand.cards)}{' <' if asked else ''}"


def _in_full(choice: Choice) -> Command:
    """The command of a choice; insurance for as much as is left of it."""
    amount = choice.free.get("amount")
    if isinstance(choice.command, cmd.Insure) and isinstance(amount, Amounts) and choice.bar is None:
        return cmd.Insure(box=choice.command.box, amount=amount.high or choice.command.amount)
    return choice.command
