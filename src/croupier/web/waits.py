"""What a table in the browser waits for beside what its rules say, and what it does when the wait is over.

The rules say what is due. Whoever conducts a table decides how long it waits: until everybody whom it
concerns has answered, or until a clock runs out. Who does not decide in time is reported absent, and the
rules say what becomes of the hand. Everything here follows from the table, from who has said that they are
done, and from who is there.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.house.tables import open_betting
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, player
from croupier.table.commands import Asked
from croupier.table.conduct import due_and_chore
from croupier.table.contents import bar_of
from croupier.table.legal import menu
from croupier.table.state import State, turn
from croupier.table.waiting import waiting
from croupier.web.frames import Clocks, Kind

CLOCK_OF: dict[Kind, str] = {
    "betting": "betting",
    "offers": "offers",
    "decision": "decision",
    "forfeit": "decision",
    "cut": "decision",
    "results": "results",
}
CARD: Literal["card"] = "card"
BOT = "bot-"  # how the names of simple players begin, and nobody else's


class Wait(Struct, frozen=True):
    """What is waited for, from whom, and at which question: another one has another clock.

    `place` is the doubled hand, box and number, that may be forfeited.
    """

    kind: Kind
    names: tuple[str, ...]
    question: tuple[object, ...]
    place: tuple[int, int] = (0, 0)


class Answers:
    """Who has said in this stage that they are done, and which doubled hands are kept."""

    def __init__(self) -> None:
        self.done: set[str] = set()
        self.kept: set[tuple[int, int, str]] = set()
        self.changes = 0  # so far
        self._stage: tuple[int, str] = (0, "")

    def copy(self) -> Answers:
        """What is known now, to be gone back to where what follows is not written."""
        found = Answers()
        found.done, found.kept = set(self.done), set(self.kept)
        found.changes, found._stage = self.changes, self._stage
        return found

    def back_to(self, before: Answers) -> None:
        self.done, self.kept, self._stage = before.done, before.kept, before._stage
        self.changes += 1

    def hear(self, state: State) -> None:
        """Another stage asks everybody anew."""
        if (state.round, state.stage) != self._stage:
            if state.stage == "betting":
                self.kept.clear()
            self._stage = state.round, state.stage
            self.done.clear()
            self.changes += 1

    def pass_by(self, state: State, name: str) -> None:
        """The player wants none of what is offered now."""
        forfeits = open_forfeits(state, name, self.kept)
        self.kept.update((*place, name) for place in forfeits)
        if not forfeits:
            self.done.add(name)
        self.changes += 1

    def again(self, name: str) -> None:
        """The player does something after all."""
        self.done.discard(name)
        self.changes += 1


def open_forfeits(state: State, name: str, kept: set[tuple[int, int, str]]) -> list[tuple[int, int]]:
    """The doubled hands that a player may still give up and has not been asked about."""
    if not state.rules.forfeit or state.stage not in ("playing", "dealer"):
        return []
    commands = [one.command for one in menu(state, player(name)) if one.bar is None]
    places = [(one.box, one.hand) for one in commands if isinstance(one, cmd.Forfeit)]
    return [place for place in places if (*place, name) not in kept]


def wait(state: State, answers: Answers, here: set[str]) -> Wait | None:
    """What is waited for now; None where the table goes on by itself, or nobody is there to wait for."""
    if forfeit := _forfeit(state, answers):
        return forfeit
    due, chore = due_and_chore(state)
    if chore is not None and isinstance(chore.command, cmd.Collect):
        bettors = {bet.player for box in state.boxes for bet in box.bets}
        names = tuple(sorted((bettors & here) - answers.done))
        return Wait("results", names, (state.round, "results")) if names else None
    if chore is not None:
        return None
    if due == "betting":
        names = tuple(sorted(_betting(state, here) - answers.done))
        return Wait("betting", names, (state.round, "betting")) if names else None
    if due == "offers":
        names = tuple(name for name in waiting(state).players if name not in answers.done)
        return Wait("offers", names, (state.round, "offers")) if names else None
    if due == "cut":
        return Wait("cut", (state.shoe.offer,), (state.shoe.number, "cut", state.shoe.offer))
    if due == "decision":
        return Wait("decision", waiting(state).players, question(state))
    return None


def _forfeit(state: State, answers: Answers) -> Wait | None:
    if not state.rules.forfeit or state.stage not in ("playing", "dealer"):
        return None
    doubled = {
        stake.player for box in state.boxes for hand in box.hands for stake in hand.stakes if stake.doubled
    }
    for name in sorted(doubled):
        if places := open_forfeits(state, name, answers.kept):
            return Wait("forfeit", (name,), (state.round, "forfeit", name, places[0]), places[0])
    return None


def doubled(now: Wait | None, name: str) -> tuple[int, int] | None:
    """The doubled hand that a player is waited for to keep or forfeit, box and number."""
    return now.place if now is not None and now.kind == "forfeit" and name in now.names else None


def _betting(state: State, here: set[str]) -> set[str]:
    """Those who may still bet: who sits and is there, and who has bet, for a lost connection is no word."""
    seats = {box.seat for box in state.boxes if box.seat}
    return (seats & here) | {bet.player for box in state.boxes for bet in box.lying}


def question(state: State) -> tuple[object, ...]:
    """What a decision is about: another card, hand or turn is another question."""
    place = turn(state)
    if place is None:
        return state.round, state.stage, state.shoe.left, state.shoe.offer
    hand = state.hand(*place)
    return state.round, place, len(hand.cards), hand.asked, len(hand.answers)


def next_step(
    state: State, now: Wait | None, here: set[str], *, late: bool
) -> Asked | Literal["card"] | Wait | None:
    """What the house does next without being asked; None where it waits. `late`: the clock has run out.

    Of a forfeit that nobody answers in time there is nothing to give: the wait itself is the answer.
    """
    if now is not None and not late:
        return None
    if now is not None and now.kind == "forfeit":
        return now
    due, chore = due_and_chore(state)
    if chore is not None:
        return chore
    if due == "card":
        return CARD
    if due == "between rounds":
        return _opening(state, here)
    if due == "betting":
        return _possible(state, Asked(cmd.AnnounceNoMoreBets(), DEALER)) if _laid(state) else None
    if due == "offers":
        return Asked(cmd.CloseOffers(), DEALER)
    if now is not None and now.kind == "cut":
        return Asked(cmd.DeclineCut(), player(state.shoe.offer))
    place = turn(state)
    if now is not None and now.kind == "decision" and place is not None:
        return _possible(
            state, Asked(cmd.ReportAbsent(box=place[0], hand=place[1], player=now.names[0]), DEALER)
        )
    return None


def _laid(state: State) -> bool:
    """Has anybody bet for whom a round is played? Simple players do not play among themselves."""
    return any(not bet.player.startswith(BOT) for box in state.boxes for bet in box.bets)


def _opening(state: State, here: set[str]) -> Asked | None:
    """Bets are invited where somebody sits who is there."""
    seated = {box.seat for box in state.boxes if box.seat and not box.seat.startswith(BOT)} & here
    return _possible(state, Asked(open_betting(state), DEALER)) if seated else None


def _possible(state: State, asked: Asked) -> Asked | None:
    """Nothing is asked by itself that would be refused: every refusal is a line on record."""
    return asked if bar_of(state, *asked) is None else None


def seconds(kind: Kind, clocks: Clocks) -> float | None:
    """How long is waited for this; None: until everybody has answered."""
    found: float | None = getattr(clocks, CLOCK_OF[kind])
    return found
