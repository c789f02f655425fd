"""What a table waits for, in a sentence for those who sit or look on.

Whoever deals is told what to do by `house/due.py`, with what may be typed; none of that is for a player's
page, and nobody is told what another may choose.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.cards import pretty
from croupier.game.hand import hand_total, total
from croupier.house.due import next_grounds, next_parts
from croupier.rulebook import Rulebook
from croupier.story import capital
from croupier.table.conduct import due
from croupier.table.deal import place_name
from croupier.table.shoe import card_target, replacement_due
from croupier.table.state import State, turn
from croupier.table.waiting import Waiting
from croupier.web import frames
from croupier.web.telling import clauses, worth_words

PLAIN = {
    "opening": "the cards are checked one by one",
    "shuffle": "the cards are shuffled",
    "place": "the cutting card is placed",
    "burn": "a card is burnt",
    "idle": "between rounds, bets are not open",
    "betting": "place your bets",
    "dealing": "the cards are dealt",
    "dealer": "the wagers are settled",
    "settled": "the round is settled",
    "closed": "the table is closed",
}


def awaited(wait: Waiting, book: Rulebook) -> frames.Said:
    """What is waited for, with its clauses."""
    grounds = next_grounds(wait.state, book)
    return frames.Said(_sentence(wait.state, _words(wait, book)), clauses(book, *grounds))


def for_dealer(state: State, book: Rulebook) -> tuple[frames.Said, str]:
    """What whoever deals does next, with its clauses; and how it is done."""
    words, provisions = next_parts(state, book)
    how = words.how if due(state) != "nothing" else ""  # then one quits, at a terminal
    return frames.Said(_sentence(state, words.what), clauses(book, *provisions)), how


def _sentence(state: State, words: str) -> str:
    """With a capital in front, unless that is somebody's name."""
    first = words.partition(" ")[0].rstrip(",")
    return words if first in state.people.arrivals or first in state.people.bettors else capital(words)


def passed(state: State, names: Sequence[str]) -> str:
    """Who wants nothing more of what the stage offers, and has said so on a page of their own."""
    return _of(names, *PASSED.get(state.stage, ("is done", "are done"))) if names else ""


PASSED = {"offers": ("plays on", "play on"), "betting": ("bets no more", "bet no more")}


def _words(wait: Waiting, book: Rulebook) -> str:
    state = wait.state
    target = card_target(state)
    if target is not None:
        return _card(state, book, *target)
    if state.stage == "shuffle" and replacement_due(state):
        return "the shoe has failed and is replaced"
    if state.stage == "cut":
        return _cut(state)
    if state.stage == "idle" and not any(box.seat for box in state.boxes):
        return "nobody sits at this table yet"
    if state.stage == "offers":
        return f"before play, {_of(wait.players, 'is asked', 'are asked')}"
    if state.stage == "playing":
        return _turn(wait, book)
    return PLAIN[state.stage]


def _card(state: State, book: Rulebook, box: int, hand: int) -> str:
    place = f"box {place_name(box, hand)}" if box else f"the {book.words.dealer}"
    if state.shoe.held:
        return f"the {pretty(state.shoe.held[0])} drawn in error goes to {place}"
    if state.stage == "dealing":
        return PLAIN["dealing"]
    if box:
        return f"a card comes to {place}, which has {_worth(hand_total(state.rules, state.hand(box, hand)))}"
    return f"{place} has {_worth(total(state.rules, state.dealer))} and draws"


def _cut(state: State) -> str:
    if state.shoe.automated and not state.shoe.failed:
        return "the automated shoe is loaded"
    if not state.shoe.offer:
        return "the cut is offered"
    return f"the cut is with {'the supervisor' if state.shoe.offer == 'supervisor' else state.shoe.offer}"


def _turn(wait: Waiting, book: Rulebook) -> str:
    state, names = wait.state, wait.players
    place = turn(state)
    if place is None:
        return "play goes on"
    where, hand = place_name(*place), state.hand(*place)
    if not names:
        return f"nobody is there to decide for box {where}"
    if hand.asked:
        move = book.words.noun(hand.asked)
        return f"box {where}: a {move} is under way, {_of(names, 'is asked', 'are asked')} to join"
    return f"box {where} decides ({', '.join(names)}): {_worth(hand_total(state.rules, hand))}"


def _worth(found: tuple[int, bool]) -> str:
    """A total as it stands under the cards."""
    value, soft = found
    return worth_words(value, soft=soft)


def _of(names: Sequence[str], one: str, many: str) -> str:
    """`p1 is asked`, `p1 and p2 are asked`; where there is nobody, nobody is."""
    *before, last = names or ("nobody",)
    return f"{', '.join(before)} and {last} {many}" if before else f"{last} {one}"
