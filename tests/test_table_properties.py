"""Random tables: whatever is asked of a table, these things stay true."""

from __future__ import annotations

import os
from typing import Any

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from accounts import Wallets, cards_amiss, chips_amiss
from croupier.cards import ALL_CARDS
from croupier.errors import Refused
from croupier.game.hand import Bar
from croupier.rulebook import NAMES, load
from croupier.table import State, advance, decide, evolve, open_state
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import DEALER, Actor, actor
from croupier.table.commands import Asked
from croupier.table.conduct import due
from croupier.table.contents import bar_of
from croupier.table.legal import Choice, legal, menu
from croupier.table.text import parse, write
from croupier.table.view import view

PLAYERS = ("p1", "p2", "p3")
OFFERS = {
    "act-blackjack-2003": {"perfect_pairs": {"minimum": 2, "maximum": 50}, "super_sevens": {"amount": 5}},
    "act-blackjack-1997": {"perfect_pairs": {"minimum": 2, "maximum": 50}, "super_sevens": {"amount": 5}},
    "act-pontoon-2002": {"perfect_pairs": {"minimum": 2, "maximum": 50}},
    "uk-blackjack-1994": {"over_under_13": True},
}

boxes = st.integers(0, 4)
hands = st.integers(1, 3)
players = st.sampled_from((*PLAYERS, "p9"))
amounts = st.sampled_from((0, 1, 250, 500, 1000, 1200, 1500, 60000))
cards = st.sampled_from(ALL_CARDS)

dealer = st.just("dealer")


def asked(by: st.SearchStrategy[str], kind: type[cmd.Command], **fields: Any) -> st.SearchStrategy[Asked]:
    return st.builds(Asked, st.builds(kind, **fields), st.builds(actor, by))


# Everything that players, dealer and shoe can ask, right and wrong.
ASKED = st.one_of(
    asked(players, cmd.Hit, box=boxes, hand=hands),
    asked(players, cmd.Stand, box=boxes, hand=hands),
    asked(players, cmd.Surrender, box=boxes),
    asked(players, cmd.TakeEvenMoney, box=boxes),
    asked(players, cmd.Insure, box=boxes, amount=amounts),
    asked(players, cmd.Forfeit, box=boxes, hand=hands),
    asked(players, cmd.Split, box=boxes, hand=hands, amount=st.none() | amounts),
    asked(players, cmd.Ride, box=boxes, hand=hands),
    asked(players, cmd.Double, box=boxes, hand=hands, amount=st.none() | amounts),
    asked(players, cmd.Stay, box=boxes, hand=hands),
    asked(dealer, cmd.Return, player=players),
    asked(st.sampled_from(PLAYERS), cmd.Wager, box=boxes, stake=amounts),
    asked(st.sampled_from(PLAYERS), cmd.TakeBack, box=boxes),
    asked(dealer, cmd.Deal, card=cards),
    asked(dealer, cmd.Burn, card=cards),
    asked(dealer, cmd.DealFaceUp, card=cards),
    asked(dealer, cmd.DrawInError, card=cards),
    asked(dealer, cmd.BurnInError, card=cards),
    asked(dealer, cmd.OverdrawDealer, card=cards),
    asked(dealer, cmd.ReportAbsent, box=boxes, hand=hands, player=st.just("") | players),
    asked(st.sampled_from((*PLAYERS, "supervisor")), cmd.Cut, at=st.integers(0, 420)),
    asked(dealer, cmd.PlaceCuttingCards, from_back=st.integers(0, 420)),
    asked(players, cmd.DeclineCut),
    st.builds(Asked, st.sampled_from(
        (
            cmd.CheckCards(), cmd.Shuffle(), cmd.OfferCut(), cmd.LoadAutomatedShoe(), cmd.OpenBetting(),
            cmd.AnnounceNoMoreBets(), cmd.CloseOffers(), cmd.Settle(), cmd.Collect(), cmd.ShoeRunsOut(),
            cmd.DrawCuttingCard(),
        )
    ), st.just(DEALER)),
)  # fmt: skip


# What people do without a mishap.
PLAIN = (
    *(cmd.CheckCards, cmd.Shuffle, cmd.OfferCut, cmd.Cut, cmd.DeclineCut, cmd.PlaceCuttingCards),
    *(cmd.LoadAutomatedShoe, cmd.OpenBetting, cmd.CloseOffers, cmd.Insure, cmd.TakeEvenMoney, cmd.Surrender),
    *(cmd.Hit, cmd.Stand, cmd.Split, cmd.Ride, cmd.Double, cmd.Stay, cmd.Forfeit, cmd.Settle, cmd.Collect),
)


Said = tuple[str, ...]


def said(bar: Bar | None) -> Said | None:
    """A bar as `refusal_of` has it: the reason, the provision and others."""
    return (bar.why, bar.provision, *bar.also) if bar else None


def refusal_of(state: State, command: cmd.Command, by: Actor) -> Said | None:
    """The reason and the provisions of the refusal that a command meets, if it meets one."""
    try:
        decide(state, command, by)
    except Refused as refused:
        return (refused.why, *refused.provisions)
    return None


class RandomTable(RuleBasedStateMachine):
    @initialize(
        name=st.sampled_from(NAMES),
        decks=st.integers(0, 5),
        side_bets=st.booleans(),
        automated=st.booleans(),
    )
    def open(self, name: str, decks: int, side_bets: bool, automated: bool) -> None:
        book = load(name)
        allowed = sorted(book.rules.decks_allowed)
        chosen = {"decks": allowed[decks % len(allowed)], "boxes": 3} | (OFFERS[name] if side_bets else {})
        if automated and book.rules.automated_shoe:
            chosen["automated_shoe"] = True
        self.rules = book.choose(**chosen)
        self.state = open_state(self.rules)
        self.events: list[ev.Event] = []
        self.wallets = Wallets()
        for number, player in enumerate(PLAYERS, start=1):
            self.give(cmd.Sit(box=number), actor(player))

    def give(self, command: cmd.Command, by: Actor) -> None:
        before = self.state
        after, events = advance(before, command, by)
        for event in events:
            self.wallets.see(event, before)
            before = evolve(before, event)
        assert before == after
        self.state = after
        self.events += events

    @rule(data=st.data())
    def carry_on(self, data: st.DataObject) -> None:
        """Something that is allowed, with a leaning towards what the table waits for."""
        choices = legal(self.state)
        assert choices or self.state.stage == "closed"
        wanted = due(self.state)
        if data.draw(st.integers(0, 9)):
            likely = (cmd.Deal, cmd.Burn, cmd.AnnounceNoMoreBets) if wanted in ("card", "betting") else PLAIN
            choices = tuple(choice for choice in choices if isinstance(choice.command, likely)) or choices
        if choices:
            choice = data.draw(st.sampled_from(choices))
            self.give(self.vary(choice, data), choice.by)

    def vary(self, choice: Choice, data: st.DataObject) -> cmd.Command:
        """The choice's command, some amounts moved within what is free."""
        changed: dict[str, object] = {}
        for name, free in choice.free.items():
            if isinstance(free, tuple):
                rich = [card for card in free if card[0] in "A78K"] if data.draw(st.booleans()) else []
                changed[name] = data.draw(st.sampled_from(rich or free))
                continue
            high = free.low + 20 * free.step if free.high is None else free.high
            value = data.draw(st.integers(0, (high - free.low) // free.step)) * free.step + free.low
            field, _, key = name.partition(".")
            if not key:
                changed[field] = value
            elif data.draw(st.booleans()) or key in getattr(choice.command, field):
                table = changed.setdefault(field, {})
                assert isinstance(table, dict)
                table[key] = value
        return msgspec.structs.replace(choice.command, **changed)

    @rule(asked=ASKED)
    def ask(self, asked: Asked) -> None:
        """`legal` covers exactly what is not refused; a refusal changes nothing."""
        covered = any(choice.covers(*asked) for choice in legal(self.state))
        before = msgspec.json.encode(self.state.people)
        refused = refusal_of(self.state, *asked)
        assert covered == (refused is None), (asked, self.state.stage)
        assert said(bar_of(self.state, *asked)) == refused
        assert msgspec.json.encode(self.state.people) == before

    @rule()
    def read(self) -> None:
        """What is on the menu is open exactly if it is not refused, and closed by what refuses it."""
        for choice in menu(self.state):
            assert said(choice.bar) == refusal_of(self.state, choice.command, choice.by)

    @rule(asked=ASKED)
    def say(self, asked: Asked) -> None:
        assert parse(self.state, write(*asked)) == asked

    @precondition(lambda self: hasattr(self, "state") and self.state.round)
    @rule(player=players)
    def look(self, player: str) -> None:
        seen = view(self.state, player)
        assert seen.dealer == self.state.dealer
        assert not hasattr(seen, "shoe")

    @invariant()
    def chips_are_conserved(self) -> None:
        if not hasattr(self, "state"):
            return
        assert not chips_amiss(self.wallets, self.state)

    @invariant()
    def cards_are_conserved(self) -> None:
        if not hasattr(self, "state"):
            return
        assert not cards_amiss(self.state)

    def teardown(self) -> None:
        if hasattr(self, "state"):
            state = open_state(self.rules)
            encoded = msgspec.json.encode(self.events)
            decoder = msgspec.json.Decoder(list[ANY_EVENT])  # type: ignore[valid-type]
            for event in decoder.decode(encoded):
                state = evolve(state, event)
            assert state == self.state


ANY_EVENT = ev.KINDS["Settled"]
for _kind in ev.KINDS.values():
    ANY_EVENT = ANY_EVENT | _kind  # type: ignore[operator]

RandomTable.TestCase.settings = settings(
    max_examples=80,
    stateful_step_count=60,
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=list(HealthCheck),
)
TestRandomTable = RandomTable.TestCase
