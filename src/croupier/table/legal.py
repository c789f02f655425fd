"""legal(state): every move of the game that is allowed now, by players, dealer and shoe.

A choice is a command, with the amounts that it may carry. What is not a move of the game is not
listed and answered by `decide` alone: seats, questions and disputes, side bets bound to the main
wager, and the orders of operator, supervisor and regulator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from croupier.cards import ALL_CARDS, INDEX, Card
from croupier.errors import Refused
from croupier.game.moves import double_bar, split_bar
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, Actor, actor, player
from croupier.table.commands import Command
from croupier.table.conduct import chore
from croupier.table.contents import decide
from croupier.table.offers import (
    insurance_is_open,
    insurance_limit,
    insurance_step,
    may_insure,
    may_take_even_money,
)
from croupier.table.play import double_step
from croupier.table.shoe import cut_window, cutting_card_window, second_card_window
from croupier.table.state import Bet, Box, State, active, bets_open, decider, present, turn
from croupier.table.turns import still_asked
from croupier.table.wagers import chip_step, held, most_in_play, raised_room


class Amounts(Struct, frozen=True):
    """From low to high (None: no bound) in steps, counted from zero with `base` added."""

    low: int
    high: int | None
    step: int = 1
    base: int = 0

    def __contains__(self, amount: int) -> bool:
        fits = self.low <= amount and (self.high is None or amount <= self.high)
        return fits and (amount + self.base) % self.step == 0


class Choice(Struct, frozen=True):
    """A command that is allowed, to whom, and the fields whose value may vary: by name, or `field.key`.

    A card is such a field: any of those listed may come, and the command shows the first of them.
    """

    command: Command
    by: Actor
    free: dict[str, Amounts | tuple[Card, ...]] = {}

    def covers(self, other: Command, by: Actor) -> bool:
        """Is `other` this choice, with cards and amounts that it allows?"""
        if type(other) is not type(self.command) or by != self.by:
            return False
        return all(
            self._covers_field(name, getattr(other, name)) for name in type(self.command).__struct_fields__
        )

    def _covers_field(self, name: str, value: Any) -> bool:
        mine = getattr(self.command, name)
        if name in self.free:
            return bool(mine == value) or (value is not None and value in self.free[name])
        if not isinstance(mine, dict):
            return bool(mine == value)
        if not isinstance(value, dict) or not all(f"{name}.{key}" in self.free for key in value):
            return False
        required = set(mine)
        return required <= value.keys() and all(
            amount in self.free[f"{name}.{key}"] for key, amount in value.items()
        )


def legal(state: State, by: Actor | None = None) -> tuple[Choice, ...]:
    """Everything that players, dealer and shoe may do at this state; or only what one of them may."""
    return tuple(choice for room in ROOMS for choice in room(state, by) if _is_open(state, choice, by))


def _is_open(state: State, choice: Choice, by: Actor | None) -> bool:
    return (by is None or choice.by == by) and is_allowed(state, choice.command, choice.by)


def is_allowed(state: State, command: Command, by: Actor) -> bool:
    try:
        decide(state, command, by)
    except Refused:
        return False
    return True


# Room by room: what may be open, to everybody or to one. What is not, `decide` refuses.


def _chores(state: State, whose: Actor | None) -> Iterator[Choice]:
    if whose is not None and whose.role == "player" and state.stage != "cut":
        return
    due, by = chore(state) or (None, DEALER)
    if state.stage == "place" and isinstance(due, cmd.PlaceCuttingCards):
        free: dict[str, Amounts | tuple[Card, ...]] = {"from_back": Amounts(*cutting_card_window(state))}
        if due.from_front is not None:
            free["from_front"] = Amounts(*second_card_window(state))
        yield Choice(due, by, free)
    elif state.stage == "cut" and state.shoe.offer:
        low, high = cut_window(state)
        yield Choice(cmd.Cut(at=low), actor(state.shoe.offer), {"at": Amounts(low, high)})
        yield Choice(cmd.DeclineCut(), actor(state.shoe.offer))
    elif state.stage == "cut":
        yield Choice(cmd.OfferCut(), DEALER)
        yield Choice(cmd.LoadAutomatedShoe(), DEALER)
    elif due is not None:
        yield Choice(due, by)
    yield Choice(cmd.OpenBetting(), DEALER)
    yield Choice(cmd.AnnounceNoMoreBets(), DEALER)
    yield Choice(cmd.CloseOffers(), DEALER)
    yield Choice(cmd.DrawCuttingCard(), DEALER)
    yield Choice(cmd.ShoeRunsOut(), DEALER)
    if state.stage == "closed":
        yield Choice(cmd.CheckCards(), DEALER)


def _cards(state: State, whose: Actor | None) -> Iterator[Choice]:
    """Every way in which a card may leave the shoe now, as it should or by mishap.

    What is true of one unseen card is of all; a card like the one held from an error is taken for that one.
    """
    if whose not in (None, DEALER):
        return
    held = state.shoe.held[:1]
    unseen = tuple(card for card in ALL_CARDS if state.shoe.unseen[INDEX[card]])
    others = tuple(card for card in unseen if card not in held)
    fresh: tuple[type[cmd.CardCommand], ...] = (cmd.DrawInError, cmd.DealFaceUp)
    either: tuple[type[cmd.CardCommand], ...] = (cmd.BurnInError, cmd.OverdrawDealer)
    due: tuple[type[cmd.CardCommand], ...] = (cmd.Deal, cmd.Burn)
    for kinds, cards in ((due, held or unseen), (either, held), (either, others), (fresh, unseen)):
        if cards:
            yield from (Choice(kind(card=cards[0]), DEALER, {"card": cards}) for kind in kinds)


def _absences(state: State, whose: Actor | None) -> Iterator[Choice]:
    """Who may be reported absent, and back."""
    if whose not in (None, DEALER):
        return
    now = turn(state)
    for box in active(state):
        for number, hand in enumerate(box.hands, start=1):
            if state.stage == "offers" or now == (box.number, number):
                for name in ("", *present(state, box, hand)):
                    yield Choice(cmd.ReportAbsent(box=box.number, hand=number, player=name), DEALER)
        for name in box.absent:
            yield Choice(cmd.Return(player=name), DEALER)


def _bets(state: State, whose: Actor | None) -> Iterator[Choice]:
    if not bets_open(state):
        return
    lying = (bet.player for box in state.boxes for bet in box.lying)
    for name in dict.fromkeys((*state.people.arrivals, *lying)):
        if whose is None or whose.name == name:
            for box in state.boxes:
                yield from _bets_on(state, box, player(name))


def _bets_on(state: State, box: Box, by: Actor) -> Iterator[Choice]:
    bet = box.bet_of(by.name)
    sides = _side_stakes(state, bet)
    for stakes in _stakes(state, box, bet):
        yield Choice(cmd.Wager(box=box.number, stake=stakes.low), by, {"stake": stakes, **sides})
    if bet.chips:
        yield Choice(cmd.TakeBack(box=box.number), by)


def _stakes(state: State, box: Box, bet: Bet) -> Iterator[Amounts]:
    """What may be laid beside what the player has on the box: a proper wager, or one below the minimum."""
    order = held(state, bet.player)
    least = state.terms.minimum
    if order is not None and order.minimum:
        yield from _added(bet, least, least, least)
        return
    multiple = state.rules.house.multiple if state.rules.wager_multiples else 1
    yield from _added(bet, least, _most(state, box, bet.player), multiple)
    if state.rules.under_minimum != "refuse":
        step = chip_step(state, least) if state.rules.wager_multiples else 1
        yield from _added(bet, step, least - 1, step)


def _added(bet: Bet, low: int, high: int | None, step: int) -> Iterator[Amounts]:
    """The chips that bring a wager to a total between low and high."""
    lying = bet.stake + bet.over
    first = max(low, lying + 1)
    first += -first % step
    if high is None or first <= high:
        yield Amounts(first - lying, None if high is None else high - lying, step, lying)


def _most(state: State, box: Box, player: str) -> int | None:
    """The highest total that is not refused; what lies above a maximum may simply go back."""
    most = most_in_play(state, box, player)
    room = raised_room(state, box, player)
    if room is not None and room < most:
        return room
    return most if state.rules.over_maximum == "refuse" else None


def _side_stakes(state: State, bet: Bet) -> dict[str, Amounts]:
    """What may be laid on each side bet on offer that is not bound to the main wager."""
    stakes = {}
    lying = {side.name: side.stake + side.over for side in bet.sides}
    for name, terms in state.rules.side_bets.items():
        offer = state.rules.house.side_bets.get(terms.offered_as)
        if terms.offered_as not in state.terms.offered_on or offer is None or terms.stake == "up_to_main":
            continue
        if terms.stake == "limits":
            step = chip_step(state, offer.minimum) if state.rules.wager_multiples else 1
            laid = lying.get(name, 0)
            stakes[f"sides.{name}"] = Amounts(step - laid % step, None, step, laid)
        elif name not in lying:
            stakes[f"sides.{name}"] = Amounts(offer.amount, offer.amount)
    return stakes


def _offers(state: State, whose: Actor | None) -> Iterator[Choice]:
    insurance = insurance_is_open(state)
    if not insurance and state.stage != "offers":
        return
    for box in active(state):
        for bet in box.bets:
            if whose is None or whose.name == bet.player:
                yield from _offers_to(state, box, bet, insurance=insurance)
        if state.stage == "offers":
            yield Choice(cmd.Surrender(box=box.number), player(decider(state, box)))


def _offers_to(state: State, box: Box, bet: Bet, *, insurance: bool) -> Iterator[Choice]:
    if insurance and may_insure(state, box, bet):
        step = insurance_step(state)
        amounts = Amounts(step, insurance_limit(state, bet) - bet.insurance, step)
        yield Choice(cmd.Insure(box=box.number, amount=step), player(bet.player), {"amount": amounts})
    if may_take_even_money(state, box, bet):
        yield Choice(cmd.TakeEvenMoney(box=box.number), player(bet.player))


def _decisions(state: State, whose: Actor | None) -> Iterator[Choice]:
    """What the decider of the hand in turn may do with it, or the others on it answer; and forfeits."""
    if state.rules.forfeit:
        yield from _forfeits(state)
    place = turn(state)
    if place is None:
        return
    box, number = state.box(place[0]), place[1]
    hand = box.hands[number - 1]
    if hand.asked:
        for by in map(player, still_asked(state, box, hand)):
            yield from _answers(state, box, number, by)
        return
    owner = player(decider(state, box, hand))
    if whose not in (None, owner):
        return
    yield Choice(cmd.Hit(box=box.number, hand=number), owner)
    yield Choice(cmd.Stand(box=box.number, hand=number), owner)
    if split_bar(state.rules, hand, len(box.hands)) is None:
        yield _split(box, number, owner)
    if double_bar(state.rules, hand) is None:
        yield from _doubles(state, box, number, owner)


def _forfeits(state: State) -> Iterator[Choice]:
    for box in active(state):
        for number, hand in enumerate(box.hands, start=1):
            if hand.doubled_on:
                for stake in hand.stakes:
                    yield Choice(cmd.Forfeit(box=box.number, hand=number), player(stake.player))


def _answers(state: State, box: Box, number: int, by: Actor) -> Iterator[Choice]:
    if box.hands[number - 1].asked == "split":
        yield _split(box, number, by)
    else:
        yield from _doubles(state, box, number, by)
    yield Choice(cmd.Ride(box=box.number, hand=number), by)
    yield Choice(cmd.Stay(box=box.number, hand=number), by)


def _split(box: Box, number: int, by: Actor) -> Choice:
    stake = box.hands[number - 1].stake_of(by.name)
    return Choice(cmd.Split(box=box.number, hand=number), by, {"amount": Amounts(stake, stake)})


def _doubles(state: State, box: Box, number: int, by: Actor) -> Iterator[Choice]:
    """A double in full, and for less where the rules allow it."""
    hand = box.hands[number - 1]
    full = hand.stake_of(by.name)
    yield Choice(cmd.Double(box=box.number, hand=number), by, {"amount": Amounts(full, full)})
    step = double_step(state, hand, by.name)
    if step < full:
        less = cmd.Double(box=box.number, hand=number, amount=step)
        yield Choice(less, by, {"amount": Amounts(step, full, step)})


Room = Callable[[State, Actor | None], Iterator[Choice]]
ROOMS: tuple[Room, ...] = (_chores, _bets, _offers, _decisions, _absences, _cards)
