"""legal(state): every move of the game that is allowed now, by players, dealer and shoe.

A choice is a command, with the amounts that it may carry. What is not a move of the game is not
listed and answered by `decide` alone: seats, questions and disputes, side bets bound to the main
wager, and the orders of operator, supervisor and regulator.

menu(state): the decisions and offers of the moment, those that are closed among them, each with its bar.

Nothing is tried: what bars a move is asked, as its handler asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from croupier.cards import ALL_CARDS, INDEX, Card
from croupier.game.hand import Bar
from croupier.game.offers import opens_insurance
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, Actor, actor, player
from croupier.table.commands import Command
from croupier.table.conduct import chore
from croupier.table.contents import bar_of
from croupier.table.offers import (
    first_rank,
    holds_natural,
    insurable_yet,
    insurance_is_open,
    insurance_step,
)
from croupier.table.play import double_step
from croupier.table.shoe import cut_window, cutting_card_window, second_card_window
from croupier.table.state import Bet, Box, State, active, bets_open, decider, present, turn
from croupier.table.turns import still_asked
from croupier.table.wagers import (
    bets_of,
    chip_step,
    held,
    held_bar,
    most_in_play,
    raised_room,
    room_bar,
    several_bar,
    stake_bar,
    welcome_bar,
)


class Amounts(Struct, frozen=True):
    """From low to high (None: no bound) in steps, counted from zero with `base` added."""

    low: int
    high: int | None
    step: int = 1
    base: int = 0

    def __contains__(self, amount: int) -> bool:
        fits = self.low <= amount and (self.high is None or amount <= self.high)
        return fits and (amount + self.base) % self.step == 0


Free = dict[str, Amounts | tuple[Card, ...]]


class Choice(Struct, frozen=True):
    """A command, whose it is, and the fields whose value may vary: by name, or `field.key`.

    A card is such a field: any of those listed may come, and the command shows the first of them. What
    is closed has the bar that its command meets.
    """

    command: Command
    by: Actor
    free: Free = {}
    bar: Bar | None = None

    @property
    def price(self) -> int:
        """The least that the command takes, where it takes chips."""
        amount = self.free.get("amount")
        return amount.low if isinstance(amount, Amounts) else 0

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
    return tuple(choice for choice in listed(state, by) if choice.bar is None)


def menu(state: State, by: Actor | None = None) -> tuple[Choice, ...]:
    """The decisions and offers of the moment, everybody's or one player's, each open or with its bar."""
    return (*_offers(state, by), *_decisions(state, by))


def listed(state: State, by: Actor | None = None) -> Iterator[Choice]:
    """What `legal` has, and what is closed on the menu."""
    for room in ROOMS:
        yield from room(state, by)


def _wants(whose: Actor | None, name: str) -> bool:
    """Is a player of this name among those who are asked about?"""
    return whose is None or (whose.name == name and whose.role == "player")


def _asked(state: State, command: Command, by: Actor, free: Free) -> Choice:
    return Choice(command, by, free, bar_of(state, command, by))


# Room by room: what is open, to everybody or to one, and of the menu what is closed


def _chores(state: State, whose: Actor | None) -> Iterator[Choice]:
    """What a dealer does when it is time, and whoever the cut is offered to."""
    if whose not in (None, DEALER) and state.stage != "cut":
        return
    for command, by, free in (*_preparing(state), *((command, DEALER, {}) for command in IN_TIME)):
        if whose in (None, by) and bar_of(state, command, by) is None:
            yield Choice(command, by, free)


IN_TIME: tuple[Command, ...] = (
    *(cmd.OpenBetting(), cmd.AnnounceNoMoreBets(), cmd.CloseOffers()),
    *(cmd.DrawCuttingCard(), cmd.ShoeRunsOut()),
)


def _preparing(state: State) -> Iterator[tuple[Command, Actor, Free]]:
    """The chore that is due, with what may vary in it."""
    due, by = chore(state) or (None, DEALER)
    if isinstance(due, cmd.PlaceCuttingCards):
        free: Free = {"from_back": Amounts(*cutting_card_window(state))}
        if due.from_front is not None:
            free["from_front"] = Amounts(*second_card_window(state))
        yield due, by, free
    elif state.stage == "cut" and state.shoe.offer:
        low, high = cut_window(state)
        yield cmd.Cut(at=low), actor(state.shoe.offer), {"at": Amounts(low, high)}
        yield cmd.DeclineCut(), actor(state.shoe.offer), {}
    elif state.stage == "cut":
        yield cmd.OfferCut(), DEALER, {}
        yield cmd.LoadAutomatedShoe(), DEALER, {}
    elif due is not None or state.stage == "closed":
        yield due or cmd.CheckCards(), by, {}


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
        for command in (kind(card=cards[0]) for kind in kinds if cards):
            if bar_of(state, command, DEALER) is None:
                yield Choice(command, DEALER, {"card": cards})


def _absences(state: State, whose: Actor | None) -> Iterator[Choice]:
    """Who may be reported absent, and back."""
    if whose in (None, DEALER):
        for command in _reports(state):
            if bar_of(state, command, DEALER) is None:
                yield Choice(command, DEALER)


def _reports(state: State) -> Iterator[Command]:
    now = turn(state)
    for box in active(state):
        for number, hand in enumerate(box.hands, start=1):
            if state.stage == "offers" or now == (box.number, number):
                for name in ("", *present(state, box, hand)):
                    yield cmd.ReportAbsent(box=box.number, hand=number, player=name)
        for name in box.absent:
            yield cmd.Return(player=name)


# Bets


def _bets(state: State, whose: Actor | None) -> Iterator[Choice]:
    if not bets_open(state):
        return
    lying = (bet.player for box in state.boxes for bet in box.lying)
    for name in dict.fromkeys((*state.people.arrivals, *lying)):
        if _wants(whose, name):
            for box in state.boxes:
                yield from _bets_on(state, box, player(name))


def _bets_on(state: State, box: Box, by: Actor) -> Iterator[Choice]:
    """What a player may lay on a box or take back from it."""
    name, bet = by.name, box.bet_of(by.name)
    away = welcome_bar(state, name) or several_bar(state, name, bets_of, box.number)
    if not (away or held_bar(state, box, name) or room_bar(state, box, name)):
        sides = _side_stakes(state, bet)
        for stakes in _stakes(state, box, bet):
            if stake_bar(state, box, bet, stakes.low) is None:
                yield Choice(cmd.Wager(box=box.number, stake=stakes.low), by, {"stake": stakes, **sides})
    if bet.chips:
        back = cmd.TakeBack(box=box.number)
        if bar_of(state, back, by) is None:
            yield Choice(back, by)


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


# The menu


def _offers(state: State, whose: Actor | None) -> Iterator[Choice]:
    """Insurance while it is its time; before the subsequent deal even money and surrender as well."""
    now = state.stage == "offers"
    if not now and not (insurance_is_open(state) and opens_insurance(state.rules, first_rank(state))):
        return
    for box in active(state):
        bets = [bet for bet in box.bets if _wants(whose, bet.player)]
        for bet in bets:
            yield _insurance(state, box, bet)
            if now and holds_natural(state, box):
                yield _asked(state, cmd.TakeEvenMoney(box=box.number), player(bet.player), {})
        if bets and now and state.rules.surrender != "none":
            owner = decider(state, box)
            if owner and _wants(whose, owner):
                yield _asked(state, cmd.Surrender(box=box.number), player(owner), {})


def _insurance(state: State, box: Box, bet: Bet) -> Choice:
    """Insurance, or what is left of it; where nothing is, the command shows it in full."""
    step, left = insurance_step(state), insurable_yet(state, bet)
    amount = step if left > 0 else max(bet.insurance, step)
    insure = cmd.Insure(box=box.number, amount=amount)
    return _asked(state, insure, player(bet.player), {"amount": Amounts(step, left, step)})


def _decisions(state: State, whose: Actor | None) -> Iterator[Choice]:
    """What the decider of the hand in turn may do with it, or the others on it answer; and forfeits."""
    if state.rules.forfeit:
        yield from _forfeits(state, whose)
    place = turn(state)
    if place is None or state.hand(*place).calls:
        return
    box, number = state.box(place[0]), place[1]
    hand = box.hands[number - 1]
    if hand.asked:
        for name in still_asked(state, box, hand):
            if _wants(whose, name):
                yield from _answers(state, box, number, player(name))
        return
    owner = decider(state, box, hand)
    if owner and _wants(whose, owner):
        yield from _moves(state, box, number, player(owner))


def _moves(state: State, box: Box, number: int, by: Actor) -> Iterator[Choice]:
    yield _asked(state, cmd.Hit(box=box.number, hand=number), by, {})
    yield _asked(state, cmd.Stand(box=box.number, hand=number), by, {})
    yield from _doubles(state, box, number, by)
    yield _split(state, box, number, by)


def _forfeits(state: State, whose: Actor | None) -> Iterator[Choice]:
    for box in active(state):
        for number, hand in enumerate(box.hands, start=1):
            for stake in hand.stakes:
                if stake.doubled and stake.lives and _wants(whose, stake.player):
                    forfeit = cmd.Forfeit(box=box.number, hand=number)
                    yield _asked(state, forfeit, player(stake.player), {})


def _answers(state: State, box: Box, number: int, by: Actor) -> Iterator[Choice]:
    if box.hands[number - 1].asked == "split":
        yield _split(state, box, number, by)
    else:
        yield from _doubles(state, box, number, by)
    yield _asked(state, cmd.Ride(box=box.number, hand=number), by, {})
    yield _asked(state, cmd.Stay(box=box.number, hand=number), by, {})


def _split(state: State, box: Box, number: int, by: Actor) -> Choice:
    stake = box.hands[number - 1].stake_of(by.name)
    split = cmd.Split(box=box.number, hand=number)
    return _asked(state, split, by, {"amount": Amounts(stake, stake)})


def _doubles(state: State, box: Box, number: int, by: Actor) -> Iterator[Choice]:
    """A double in full, and for less where the rules allow it."""
    hand = box.hands[number - 1]
    full = hand.stake_of(by.name)
    double = _asked(state, cmd.Double(box=box.number, hand=number), by, {"amount": Amounts(full, full)})
    yield double
    step = double_step(state, hand, by.name)
    if step < full and double.bar is None:
        less = cmd.Double(box=box.number, hand=number, amount=step)
        yield _asked(state, less, by, {"amount": Amounts(step, full, step)})


Room = Callable[[State, Actor | None], Iterator[Choice]]
ROOMS: tuple[Room, ...] = (_chores, _bets, _offers, _decisions, _absences, _cards)
