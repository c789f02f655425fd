"""Evenings at a table with a shoe of its own: lawful play by chance, and what goes wrong now and then."""

from __future__ import annotations

import random

from croupier.cards import CUT, Card
from croupier.conductor import Conductor
from croupier.errors import Refused
from croupier.house.shoes import UNSHUFFLED, VirtualShoe, whole
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, OPERATOR, SUPERVISOR, Actor, player
from croupier.table.conduct import chore
from croupier.table.waiting import waiting

SEATED = {1: "p1", 2: "p2"}


def accounted_for(table: Conductor) -> bool:
    """Are the cards of the virtual shoe those that the table has not seen, once they are shuffled?"""
    assert isinstance(table.cards, VirtualShoe)
    return table.state.stage in UNSHUFFLED or whole(table.cards.cards).fits(table.state)


class Evening:
    """Two players at a table, one command at a time. `mishaps` is how likely one is at each step."""

    def __init__(self, table: Conductor, seed: int, mishaps: float = 0) -> None:
        self.table = table
        self.chance = random.Random(seed)
        self.mishaps = mishaps

    def sit(self) -> None:
        for box, name in SEATED.items():
            self.table.give(cmd.Sit(box=box), player(name))

    def step(self) -> None:
        if self.chance.random() < self.mishaps:
            self._mishap()
            return
        now = waiting(self.table.state)
        asked = chore(self.table.state)
        if now.due == "card":
            self.table.next_card()
        elif now.due == "chore" and asked is not None:
            self.table.give(*asked)
        elif now.due == "between rounds":
            self._ask(cmd.ReplaceShoe(automated=True), OPERATOR)
            self._ask(cmd.OpenBetting())
        elif now.due == "betting":
            self._bet()
        elif now.due == "nothing":
            self._ask(cmd.ReplaceShoe(automated=True), OPERATOR)
        elif now.due == "offers":
            self.table.give(cmd.CloseOffers())
        else:
            choice = self.chance.choice(now.choices)
            self._ask(choice.command, choice.by)

    def _bet(self) -> None:
        for box, name in SEATED.items():
            self._ask(cmd.Wager(box=box, stake=1000), player(name))
        self._ask(cmd.AnnounceNoMoreBets())

    def _ask(self, command: cmd.Command, by: Actor = DEALER) -> None:
        try:
            self.table.give(command, by)
        except Refused:
            return

    def _mishap(self) -> None:
        state = self.table.state
        rules = state.rules
        causes = sorted(rules.round_invalidation_causes) or ["none"]
        self._ask(
            *self.chance.choice(
                [
                    (cmd.Invalidate(cause=causes[0]), OPERATOR),
                    (cmd.Invalidate(cause=causes[0], round=max(1, state.round - 1)), OPERATOR),
                    (cmd.VoidRound(round=max(1, state.round - 1)), SUPERVISOR),
                    (cmd.ReportMalfunction(kind="mechanical", then="reshuffle"), DEALER),
                    (cmd.ReportMalfunction(kind="mechanical", then="cutting_card"), DEALER),
                    (self._drawn(cmd.DrawInError), DEALER),
                    (self._drawn(cmd.BurnInError), DEALER),
                    (cmd.DrawInError(card=Card("Kc")), DEALER),
                    (cmd.NoticePastCuttingCard(), DEALER),
                ]
            )
        )

    def _drawn(self, kind: type[cmd.CardCommand]) -> cmd.Command:
        assert self.table.cards is not None
        if not self.table.state.shoe.left or self.table.state.stage in UNSHUFFLED:
            return cmd.Shuffle()
        word = self.table.cards.peek(self.table.state)
        return cmd.DrawCuttingCard() if word == CUT else kind(card=Card(word))
