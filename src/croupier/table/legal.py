"""legal(state): every move of the game that is allowed now, by players, dealer and shoe.

A choice is a command, with the amounts that it may carry. What is not a move of the game is not
listed and answered by `decide` alone: seats, questions and disputes, side bets bound to the main
wager, and the orders of operator, supervisor and regulator.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec import Struct

from croupier.cards import ALL_CARDS, INDEX
from croupier.errors import Refused
from croupier.table import commands as cmd
from croupier.table.commands import Command
from croupier.table.conduct import chore
from croupier.table.offers import insurance_limit, insurance_step, may_insure, may_take_even_money
from croupier.table.play import double_limit, double_problem, split_problem, who_may_join
from croupier.table.run import decide
from croupier.table.shoe import card_target, cut_window, cutting_card_window, second_card_window
from croupier.table.state import Bet, Box, Hand, State, active, decider, turn


class Amounts(Struct, frozen=True):
    """From low to high (None: no bound) in steps, counted from zero."""

    low: int
    high: int | None
    step: int = 1

    def __contains__(self, amount: int) -> bool:
        return self.low <= amount and (self.high is None or amount <= self.high) and amount % self.step == 0


class Choice(Struct, frozen=True):
    """A command that is allowed, and the fields whose value may vary: by name, or `field.key`."""

    command: Command
    free: dict[str, Amounts] = {}

    def covers(self, other: Command) -> bool:
        """Is `other` this choice, with amounts that it allows?"""
        if type(other) is not type(self.command):
            return False
        return all(
            self._covers_field(name, getattr(other, name)) for name in type(self.command).__struct_fields__
        )

    def _covers_field(self, name: str, value: object) -> bool:
        if name in self.free:
            return isinstance(value, int) and value in self.free[name]
        mine = getattr(self.command, name)
        if not isinstance(mine, dict):
            return bool(mine == value)
        if not isinstance(value, dict) or not all(f"{name}.{key}" in self.free for key in value):
            return False
        required = set(mine)
        return required <= value.keys() and all(
            amount in self.free[f"{name}.{key}"] for key, amount in value.items()
        )


def legal(state: State) -> tuple[Choice, ...]:
    """Everything that players, dealer and shoe may do at this state."""
    return tuple(choice for choice in _candidates(state) if is_allowed(state, choice.command))


def is_allowed(state: State, command: Command) -> bool:
    try:
        decide(state, command)
    except Refused:
        return False
    return True


def _candidates(state: State) -> Iterator[Choice]:
    yield from _chores(state)
    yield from _cards(state)
    if state.stage == "betting":
        yield from _wagers(state)
    for box in active(state):
        if state.stage == "offers":
            yield from _offers(state, box)
        yield from _forfeits(box)
    place = turn(state)
    if place:
        yield from _decisions(state, state.box(place[0]), place[1])


def _chores(state: State) -> Iterator[Choice]:
    due = chore(state)
    if state.stage == "place" and isinstance(due, cmd.PlaceCuttingCards):
        free = {"from_back": Amounts(*cutting_card_window(state))}
        if due.from_front is not None:
            free["from_front"] = Amounts(*second_card_window(state))
        yield Choice(due, free)
    elif state.stage == "cut" and state.shoe.offer:
        low, high = cut_window(state)
        yield Choice(cmd.Cut(by=state.shoe.offer, at=low), {"at": Amounts(low, high)})
        yield Choice(cmd.DeclineCut(player=state.shoe.offer))
    elif state.stage == "cut":
        yield Choice(cmd.OfferCut())
        yield Choice(cmd.LoadAutomatedShoe())
    elif due is not None:
        yield Choice(due)
    yield Choice(cmd.OpenBetting())
    yield Choice(cmd.AnnounceNoMoreBets())
    yield Choice(cmd.CloseOffers())
    if state.stage == "closed":
        yield Choice(cmd.CheckCards())


def _cards(state: State) -> Iterator[Choice]:
    shoe = state.shoe
    unseen = [card for card in ALL_CARDS if shoe.unseen[INDEX[card]]]
    for card in shoe.held[:1] or unseen:
        if card_target(state) is not None:
            yield Choice(cmd.Deal(card=card))
        yield Choice(cmd.Burn(card=card))
        yield Choice(cmd.DealFaceUp(card=card))
        yield Choice(cmd.BurnInError(card=card))
        yield Choice(cmd.OverdrawDealer(card=card))
    for card in unseen:
        yield Choice(cmd.DrawInError(card=card))
    yield Choice(cmd.DrawCuttingCard())
    yield Choice(cmd.ShoeRunsOut())
    place = turn(state)
    if place:
        yield Choice(cmd.ReportAbsent(box=place[0], hand=place[1]))


def _wagers(state: State) -> Iterator[Choice]:
    multiple = state.rules.house.multiple if state.rules.wager_multiples else 1
    refuses_less = state.rules.under_minimum == "refuse"
    low = state.minimum if refuses_less else multiple
    low += -low % multiple
    held = {held.player for held in state.people.held if held.minimum}
    for player in state.people.arrivals:
        for box in state.boxes:
            stakes = Amounts(low, _most(state, box), multiple)
            if player in held:
                stakes = Amounts(state.minimum, state.minimum, multiple)
            sides = {
                f"sides.{name}": amounts
                for name, amounts in _side_stakes(state).items()
                if state.rules.side_bets[name].stake != "up_to_main"
            }
            yield Choice(
                cmd.Wager(player=player, box=box.number, stake=stakes.low), {"stake": stakes} | sides
            )
            yield Choice(cmd.TakeBack(player=player, box=box.number))


def _most(state: State, box: Box) -> int | None:
    if box.bets and box.raised_to and state.rules.raised_limit == "shared":
        return box.raised_to - sum(bet.stake for bet in box.bets)
    if state.rules.over_maximum == "refuse":
        return max(box.raised_to, state.maximum)
    return None


def _side_stakes(state: State) -> dict[str, Amounts]:
    """The stakes that each side bet on offer takes."""
    stakes = {}
    for name, bet in state.rules.side_bets.items():
        terms = state.rules.house.side_bets.get(bet.offered_as)
        if bet.offered_as not in state.offered_on or terms is None:
            continue
        if bet.stake == "approved_amount":
            stakes[name] = Amounts(terms.amount, terms.amount)
        else:
            stakes[name] = Amounts(terms.minimum or 1, terms.maximum or None)
    return stakes


def _offers(state: State, box: Box) -> Iterator[Choice]:
    for bet in box.bets:
        if may_insure(state, box, bet):
            yield from _insurance(state, box, bet)
        if may_take_even_money(state, box, bet):
            yield Choice(cmd.TakeEvenMoney(player=bet.player, box=box.number))
    yield Choice(cmd.Surrender(player=decider(state, box), box=box.number))


def _insurance(state: State, box: Box, bet: Bet) -> Iterator[Choice]:
    step = insurance_step(state)
    amounts = Amounts(step, insurance_limit(state, bet), step)
    yield Choice(cmd.Insure(player=bet.player, box=box.number, amount=step), {"amount": amounts})


def _forfeits(box: Box) -> Iterator[Choice]:
    for number, hand in enumerate(box.hands, start=1):
        for stake in hand.stakes:
            yield Choice(cmd.Forfeit(player=stake.player, box=box.number, hand=number))


def _decisions(state: State, box: Box, number: int) -> Iterator[Choice]:
    hand = box.hands[number - 1]
    owner = decider(state, box, hand)
    yield Choice(cmd.Hit(player=owner, box=box.number, hand=number))
    yield Choice(cmd.Stand(player=owner, box=box.number, hand=number))
    if split_problem(state, box, number) is None:
        for players in _with_owner(owner, who_may_join(state, box, hand)):
            yield Choice(cmd.Split(players=players, box=box.number, hand=number))
    if double_problem(state, hand) is None:
        yield from _doubles(state, box, number, owner, hand)


def _with_owner(owner: str, players: list[str]) -> Iterator[tuple[str, ...]]:
    """Every group of these bettors that the decider is one of, in the order of their stakes."""
    for size in range(1, len(players) + 1):
        yield from (group for group in combinations(players, size) if owner in group)


def _doubles(state: State, box: Box, number: int, owner: str, hand: Hand) -> Iterator[Choice]:
    equal = state.rules.double_amount == "equal"
    free = {}
    joining = who_may_join(state, box, hand)
    for stake in hand.stakes:
        if stake.player not in joining:
            continue
        most = double_limit(hand, stake.player)
        free[f"amounts.{stake.player}"] = Amounts(most if equal else 1, most)
    least = {owner: free[f"amounts.{owner}"].low} if owner else {}
    yield Choice(cmd.Double(amounts=least, box=box.number, hand=number), free)
