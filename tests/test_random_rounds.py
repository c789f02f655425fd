"""Thousands of rounds with random but lawful play, from shoes rich in pairs, sevens and naturals."""

from __future__ import annotations

import random

import pytest

from accounts import Wallets
from croupier.cards import ALL_CARDS, INDEX, Card
from croupier.rulebook import NAMES, load
from croupier.table import advance, evolve, open_state
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import DEALER, Actor, player
from croupier.table.conduct import chore, due
from croupier.table.evolve import cards_on_table
from croupier.table.legal import legal
from croupier.table.state import State
from test_table_properties import OFFERS, PLAIN

RICH = "A78KJ65"


def settings_of(name: str) -> list[dict[str, object]]:
    """The rulebook's own settings, and every value of every option that it leaves to the house."""
    options = load(name).options()
    return [{}] + [{option: value} for option, (_, values) in options.items() for value in values[1:]]


class RandomHouse:
    """Plays lawful random rounds on three boxes, one of them shared, and keeps its own account."""

    def __init__(self, name: str, settings: dict[str, object], seed: int) -> None:
        book = load(name)
        self.rules = book.choose(**({"boxes": 3, "decks": 6} | OFFERS[name] | settings))
        self.state: State = open_state(self.rules)
        self.random = random.Random(seed)
        self.wallets = Wallets()
        self.kinds: set[str] = set()

    def give(self, command: cmd.Command, by: Actor = DEALER) -> None:
        before = self.state
        self.state, events = advance(before, command, by)
        for event in events:
            self.wallets.see(event, before)
            before = evolve(before, event)
            self.kinds.add(type(event).__name__)
        assert before == self.state

    def card(self) -> Card:
        """A card that the shoe still holds, of the ranks wanted while they last."""
        left = [card for card in ALL_CARDS if self.state.shoe.unseen[INDEX[card]]]
        rich = [card for card in left if card[0] in RICH]
        return self.random.choice(rich or left)

    def bet(self) -> None:
        self.give(cmd.OpenBetting())
        for box, players in ((1, ("p1", "p2", "p3")), (2, ("p2",)), (3, ("p3", "p1"))):
            for name in players:
                sides = {"perfect_pairs": 500, "super_sevens": 500, "over_13": 500, "under_13": 500}
                offered = {side: stake for side, stake in sides.items() if side in self.rules.side_bets}
                if self.random.random() < 0.8 and len(self.state.box(box).bets) < self.rules.bettors_per_box:
                    stake = self.random.choice((1000, 2500))
                    self.give(cmd.Wager(box=box, stake=stake, sides=offered), player(name))
        if sum(bool(box.bets) for box in self.state.boxes) >= self.rules.boxes_needed:
            self.give(cmd.AnnounceNoMoreBets())

    def step(self) -> None:
        wanted = due(self.state)
        if wanted == "between rounds":
            self.bet()
        elif wanted == "betting":
            empty = next(box.number for box in self.state.boxes if not box.bets)
            self.give(cmd.Wager(box=empty, stake=1000), player("p9"))
            if sum(bool(box.bets) for box in self.state.boxes) >= self.rules.boxes_needed:
                self.give(cmd.AnnounceNoMoreBets())
        elif wanted == "card":
            card = self.card()
            self.give(cmd.Burn(card=card) if self.state.stage == "burn" else cmd.Deal(card=card))
        elif wanted == "chore":
            usual = chore(self.state)
            assert usual is not None
            self.give(*usual)
        else:
            allowed = [choice for choice in legal(self.state) if isinstance(choice.command, PLAIN)]
            bold = (cmd.Split, cmd.Double, cmd.Insure)
            eager = [choice for choice in allowed if isinstance(choice.command, bold)]
            choice = self.random.choice(eager or allowed)
            self.give(choice.command, choice.by)


@pytest.mark.parametrize("name", NAMES)
def test_random_rounds_keep_account_of_every_chip_and_card(name: str) -> None:
    kinds: set[str] = set()
    for number, settings in enumerate(settings_of(name)):
        house = RandomHouse(name, settings, number)
        while house.state.round < 40:
            house.step()
            if house.state.stage == "idle":
                assert not +house.wallets.on_table, settings
                assert not -house.wallets.on_table, settings
                assert house.state.float_change == -sum(house.wallets.won.values())
                assert not cards_on_table(house.state)
                shoe = house.state.shoe
                assert shoe.left + shoe.rack == 24 * len(house.rules.ranks)
                if shoe.left < 60:
                    break
        kinds |= house.kinds
    wanted = {ev.HandSplit, ev.HandDoubled, ev.InsurancePlaced, ev.Settled}
    assert {kind.__name__ for kind in wanted} <= kinds
