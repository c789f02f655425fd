"""Golden logs: a lively evening at a table of every rulebook, a live table whose dealer mistypes, two cases.

A log must be read and replayed by every later release (tests/test_golden_logs.py). So each release writes
its own into tests/logs before it is published, named after it, and beside each what the table was left with.
A file that is there is never written again.

    python scripts/golden_logs.py [--release NAME]
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from croupier import __version__
from croupier.cards import ALL_CARDS, CUT, INDEX, Card
from croupier.cases import read_case
from croupier.conductor import Conductor
from croupier.errors import Refused
from croupier.game.hand import hand_total
from croupier.house.rounds import write_case_log
from croupier.house.settings import settings_of
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import new_table
from croupier.record import Told, read_log, replay
from croupier.rulebook import NAMES, load
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor, actor
from croupier.table.commands import Asked, Command
from croupier.table.conduct import chore, due
from croupier.table.events import Event
from croupier.table.legal import Choice, legal
from croupier.table.shoe import cut_window, cutting_card_window
from croupier.table.state import State, turn

TESTS = Path(__file__).parent.parent / "tests"
CASES = (
    "cases/act-blackjack-2003/a1-first-round-of-a-new-shoe-burn-interim-blackjack-doubled-21.toml",
    "cases/act-pontoon-2002/p9-shoe-runs-out-during-the-round.toml",
)
ROUNDS = 8
LINES = range(100, 301)
SEATED = {"p1": 1, "p2": 2, "p3": 4}
BEHIND = ("p4", 1)  # a second bettor on a box
CARDS_BEFORE_THE_CUT = 70
# Where the document is silent a house may have more than the least.
SETTINGS = {"uk-blackjack-1994": ("bettors_per_box=3", "burn_cards=1")}
OFFERS = (cmd.Insure, cmd.TakeEvenMoney, cmd.Surrender)
# How much players like a move; hitting and standing depend on the hand.
LIKED: dict[type[Command], int] = {cmd.Split: 50, cmd.Double: 8, cmd.Ride: 25, cmd.Stay: 4}
DECISIONS: tuple[type[Command], ...] = (*LIKED, cmd.Hit, cmd.Stand)


class Evening:
    """Some rounds at one table, and everything that happens in them."""

    def __init__(self, table: Conductor, shoe: VirtualShoe, chance: random.Random) -> None:
        self.table = table
        self.shoe = shoe
        self.chance = chance
        self.events: list[Event] = []
        self.refusals = 0
        self.mishaps: dict[int, type[cmd.CardCommand]] = {2: cmd.DrawInError, 3: cmd.BurnInError}
        table.listeners.append(self._hear)

    def _hear(self, told: Told) -> None:
        self.events += told.events

    @property
    def state(self) -> State:
        return self.table.state

    def give(self, command: Command, by: str = "dealer") -> None:
        """Ask something of the table, whether it is refused or not."""
        try:
            self.table.give(command, actor(by))
        except Refused:
            self.refusals += 1

    def run(self) -> None:
        for player, box in SEATED.items():
            self.give(cmd.Sit(box=box), player)
        while self.state.round < ROUNDS or due(self.state) != "between rounds":
            self._step()
        self.give(cmd.OpenDispute(about="a card"), "p1")
        self.give(cmd.Rule(dispute=1, award=500), "operator")
        self.give(cmd.RequestReview(dispute=1), "p1")
        self.give(cmd.Review(dispute=1, award=1500), "regulator")

    def _step(self) -> None:
        steps = {
            "between rounds": self._between_rounds,
            "betting": self._bets,
            "cut": self._cut,
            "offers": self._offers,
            "decision": self._decision,
        }
        if self.state.stage == "place":
            low, high = cutting_card_window(self.state)
            wished = self.state.shoe.left - CARDS_BEFORE_THE_CUT
            self.give(cmd.PlaceCuttingCards(from_back=max(low, min(high, wished))))
        elif self.state.stage in ("playing", "dealer") and self._forfeits():
            return
        elif due(self.state) in steps:
            steps[due(self.state)]()
        else:
            self._carry_on()

    def _carry_on(self) -> None:
        """One chore or card: the conductor's own `carry_on` would place the cutting card as well."""
        usual = chore(self.state)
        if due(self.state) == "card" or usual is None:
            self.table.next_card()
        else:
            self.give(usual.command, usual.by.name)

    def _cut(self) -> None:
        low, high = cut_window(self.state)
        who = self.state.shoe.offer
        accepts = self.chance.random() < 0.5
        self.give(cmd.Cut(at=self.chance.randint(low, high)) if accepts else cmd.DeclineCut(), who)

    def _between_rounds(self) -> None:
        """What operators and players ask between rounds, by the number of the round before."""
        if self.state.round == 1:
            self.give(cmd.Ask(about="limits"), "p1")
            self.give(cmd.SetLimits(minimum=1000, maximum=20000))
        if self.state.round == 5:
            self.give(cmd.SetLimits(minimum=2000, maximum=40000), "operator")
            self.give(cmd.GiveNotice(of="limits", minimum=2000, maximum=40000), "operator")
            self.give(cmd.SetLimits(minimum=2000, maximum=40000), "operator")
        if self.state.round == 6:
            self.give(cmd.Sit(box=3), "p5")
        self.give(cmd.OpenBetting())

    def _bets(self) -> None:
        seated = [(box.seat, box.number) for box in self.state.boxes if box.seat]
        for player, box in (*seated, BEHIND):
            stake = 1000 * self.chance.randint(2, 5)
            if player != BEHIND[0] or self.chance.random() < 0.6:
                self.give(cmd.Wager(box=box, stake=stake, sides=self._sides(stake)), player)
        self.give(cmd.AnnounceNoMoreBets())

    def _sides(self, stake: int) -> dict[str, int]:
        """One of the side bets on offer, now and then."""
        offered = self.state.rules.house.side_bets
        known = [(name, bet) for name, bet in self.state.rules.side_bets.items() if bet.offered_as in offered]
        if not known or self.chance.random() < 0.4:
            return {}
        name, bet = self.chance.choice(known)
        return {name: offered[bet.offered_as].amount or min(stake, 1000)}

    def _offers(self) -> None:
        for choice in legal(self.state):
            if isinstance(choice.command, OFFERS) and self.chance.random() < 0.5:
                self.give(choice.command, choice.by.name)
        self.give(cmd.CloseOffers())

    def _forfeits(self) -> bool:
        """Somebody gives up a double."""
        for choice in legal(self.state):
            if isinstance(choice.command, cmd.Forfeit) and self.chance.random() < 0.2:
                self.give(choice.command, choice.by.name)
                return True
        return False

    def _decision(self) -> None:
        if self.state.round in self.mishaps:
            self._mishap(self.mishaps.pop(self.state.round))
        elif self.state.round == 4 and not any(isinstance(event, ev.RoundVoided) for event in self.events):
            self.give(cmd.VoidRound(round=3), "supervisor")
        elif self.state.round == 6 and "p2" not in self.state.people.excluded:
            self.give(cmd.VoidWager(player="p2", box=2), "operator")
            self.give(cmd.RecordBreach(player="p2", what="touched the chips"), "supervisor")
            self.give(cmd.VoidWager(player="p2", box=2), "operator")
            self.give(cmd.Exclude(player="p2"), "operator")
        else:
            choice = self._decided()
            self.give(choice.command, choice.by.name)

    def _mishap(self, kind: type[cmd.CardCommand]) -> None:
        word = self.shoe.peek(self.state)
        self.give(cmd.DrawCuttingCard() if word == CUT else kind(card=Card(word)))

    def _decided(self) -> Choice:
        """What the one who is asked answers."""
        place = turn(self.state)
        assert place is not None
        total, soft = hand_total(self.state.rules, self.state.hand(*place))
        stands = total >= (18 if soft else 16)
        liked = LIKED | {cmd.Hit: 1 if stands else 10, cmd.Stand: 10 if stands else 1}
        moves = [choice for choice in legal(self.state) if isinstance(choice.command, DECISIONS)]
        return self.chance.choices(moves, [liked[type(move.command)] for move in moves])[0]

    def lacks(self) -> list[str]:
        """What a golden log should show and this evening does not."""
        rules = self.state.rules
        kinds: list[type[Event]] = [ev.HandSplit, ev.HandDoubled, ev.WagerVoided, ev.PlayerExcluded]
        kinds += [ev.CardDrawnInError, ev.RoundVoided, ev.CuttingCardDrawn, ev.LimitsSet]
        kinds += [ev.MoveAnswered] if rules.riders != "none" else []
        kinds += [ev.InsurancePlaced] if rules.insurance_upcards else []
        kinds += [ev.HandSurrendered] if rules.surrender != "none" else []
        lacking = [kind.__name__ for kind in kinds if not any(isinstance(one, kind) for one in self.events)]
        settled = [event for event in self.events if isinstance(event, ev.Settled)]
        sides = rules.side_bets.keys() - {event.wager for event in settled if event.net > 0}
        forfeited = not rules.forfeit or any(event.end == "forfeited" for event in settled)
        return lacking + sorted(sides) + ([] if forfeited else ["forfeit"])


def evening(name: str, seed: int, log: Path) -> Evening:
    """An evening with so much chance in it, and its log."""
    book = load(name)
    chance = random.Random(seed)
    shoe = VirtualShoe(seed)
    decks = min(book.rules.decks_allowed)
    settings = settings_of(book, None, SETTINGS.get(name, ()), side_bets=True, decks=decks)
    night = Evening(new_table(book, settings, cards=shoe, log=log), shoe, chance)
    night.run()
    night.table.close()
    return night


def golden(name: str, folder: Path) -> Path:
    """The log of the first evening that has everything in it."""
    for seed in itertools.count():
        log = folder / f"{name}-{seed}.log"
        lacking = evening(name, seed, log).lacks()
        if not lacking and len(log.read_bytes().splitlines()) in LINES:
            print(f"{name}: seed {seed}")
            return log
    raise AssertionError


def live(name: str, folder: Path) -> Path:
    """The log of a live table by named people, at which now and then a wrong card is typed and struck."""
    book, shoe = load(name), VirtualShoe(3)
    settings = settings_of(book, None, SETTINGS.get(name, ()), decks=min(book.rules.decks_allowed))
    model = new_table(book, settings, cards=shoe)
    asked: list[Asked] = []
    model.listeners.append(lambda told: asked.append(told.entry.asked))
    Evening(model, shoe, random.Random(3)).run()
    log = folder / f"{name}-live.log"
    table = new_table(book, settings, log=log, name="Table 4")
    table.staff |= {"dealer": Actor("dealer", "d1"), "supervisor": Actor("supervisor", "s1")}
    table.bring(50000, actor("p1"))
    for number, (command, by) in enumerate(asked):
        if number % 19 == 0 and isinstance(command, cmd.Deal):
            _mistype(table, command)
        table.give(command, by)
    table.close()
    return log


def _mistype(table: Conductor, command: cmd.Deal) -> None:
    wrong = next(card for card in ALL_CARDS if card != command.card and table.state.shoe.unseen[INDEX[card]])
    table.give(cmd.Deal(card=wrong))
    table.strike(table.store.count + 1, why=f"the card was {command.card}")


def of_case(file: Path, folder: Path) -> Path:
    """The log of a case, which finds a shoe in progress."""
    log = folder / file.with_suffix(".log").name
    write_case_log(read_case(tomllib.loads(file.read_text("utf-8")), str(file)), log)
    return log


def left_with(log: Path) -> dict[str, Any]:
    """What a log leaves its table with, amounts in cents."""
    done = replay(read_log(log))
    state = done.state
    return {
        "commands": done.commands,
        "events": done.events,
        "refusals": done.refusals,
        "round": state.round,
        "stage": state.stage,
        "left": state.shoe.left,
        "minimum": state.terms.minimum,
        "won": state.won,
        "float_change": state.float_change,
    }


def keep(log: Path, target: Path) -> None:
    with target.open("xb") as file:
        file.write(log.read_bytes())
    target.with_suffix(".json").write_text(json.dumps(left_with(log), indent=1) + "\n", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--release", default=__version__, help="what the files are named after")
    release = parser.parse_args().release
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            keep(golden(name, Path(folder)), TESTS / "logs" / f"{release}-{name}.log")
        keep(live(NAMES[0], Path(folder)), TESTS / "logs" / f"{release}-live.log")
        for case in CASES:
            name = f"case-{Path(case).stem.partition('-')[0]}"
            keep(of_case(TESTS / case, Path(folder)), TESTS / "logs" / f"{release}-{name}.log")
    return 0


if __name__ == "__main__":
    sys.exit(main())
