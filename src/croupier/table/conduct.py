"""What the table waits for, and the chores that a dealer does without a choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from croupier.cards import CUT, FACE_UP, Card
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, SUPERVISOR
from croupier.table.commands import Asked, Command
from croupier.table.shoe import (
    card_target,
    cut_window,
    cutting_card_window,
    replacement_due,
    second_card_window,
)
from croupier.table.state import State, decider, turn

Due = Literal["chore", "card", "cut", "betting", "offers", "decision", "between rounds", "nothing"]

WAITING: dict[str, Due] = {
    "betting": "betting",
    "offers": "offers",
    "playing": "decision",
    "idle": "between rounds",
}


def due(state: State) -> Due:
    """What comes next: a chore, a card out of the shoe, somebody's answer, or nothing any more."""
    return due_and_chore(state)[0]


def chore(state: State) -> Asked | None:
    """The dealer's next act where the rules leave no choice (or only one of position), else None."""
    return due_and_chore(state)[1]


def due_and_chore(state: State) -> tuple[Due, Asked | None]:
    """What comes next, and where it is a chore, which."""
    stage = state.stage
    if stage == "cut" and state.shoe.offer not in ("", "supervisor"):
        return "cut", None
    if stage == "burn" or card_target(state) is not None:
        return "card", None
    usual = CHORES[stage](state) if stage in CHORES else _nobody_there(state)
    return (WAITING.get(stage, "nothing"), None) if usual is None else ("chore", usual)


def card_command(state: State, word: str) -> Command:
    """What a word out of the shoe asks of the table."""
    if word == CUT:
        return cmd.DrawCuttingCard()
    if word.endswith(FACE_UP):
        return cmd.DealFaceUp(card=Card(word[:-1]))
    return cmd.Burn(card=Card(word)) if state.stage == "burn" else cmd.Deal(card=Card(word))


def _nobody_there(state: State) -> Asked | None:
    """The report that a hand has nobody to decide for it, its bettors being excluded."""
    place = turn(state) if state.people.excluded else None
    if place is None:
        return None
    box = state.box(place[0])
    if decider(state, box, box.hands[place[1] - 1]):
        return None
    return Asked(cmd.ReportAbsent(box=place[0], hand=place[1]), DEALER)


def _cut_chore(state: State) -> Asked | None:
    shoe = state.shoe
    if shoe.automated and not shoe.failed:
        return Asked(cmd.LoadAutomatedShoe(), DEALER)
    if not shoe.offer:
        return Asked(cmd.OfferCut(), DEALER)
    if shoe.offer == "supervisor":
        low, high = cut_window(state)
        return Asked(cmd.Cut(at=(low + high) // 2), SUPERVISOR)
    return None


def _place_chore(state: State) -> Asked:
    front = second_card_window(state)[0] if state.terms.cutting_cards == 2 else None
    back = cutting_card_window(state)[0]
    return Asked(cmd.PlaceCuttingCards(from_back=back, from_front=front), DEALER)


def _shuffle_chore(state: State) -> Asked | None:
    return None if replacement_due(state) else Asked(cmd.Shuffle(), DEALER)


def _last_check(state: State) -> Asked | None:
    """The cards of a closed table are checked where the rules have them checked at all."""
    due = state.rules.card_check and not state.checked_at_end
    return Asked(cmd.CheckCards(), DEALER) if due else None


# The chore of each stage, no card being due.
CHORES: dict[str, Callable[[State], Asked | None]] = {
    "opening": lambda state: Asked(cmd.CheckCards(), DEALER),
    "shuffle": _shuffle_chore,
    "cut": _cut_chore,
    "place": _place_chore,
    "dealer": lambda state: Asked(cmd.Settle(), DEALER),
    "settled": lambda state: Asked(cmd.Collect(), DEALER),
    "closed": _last_check,
}
