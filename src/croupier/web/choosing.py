"""What one player is asked and may do: the choices of the moment, open and closed, and the boxes to bet on.

Everything comes from `menu` and from what bars a wager; the words are those of the terminal. What the law
allows and the player's chips do not reach for is closed too, without a clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec
from msgspec import Struct

from croupier.cards import ALL_CARDS, INDEX, pretty
from croupier.game.hand import Bar
from croupier.house.evening import DECISIONS, LABELS, OFFERS
from croupier.rulebook import Rulebook
from croupier.rulebook.about import meanings
from croupier.story import capital, hand_words, money
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, Actor, player
from croupier.table.again import Bids
from croupier.table.commands import Command
from croupier.table.conduct import card_command, due
from croupier.table.contents import bar_of
from croupier.table.deal import place_name
from croupier.table.legal import Amounts, Choice, menu
from croupier.table.play import answer_ground
from croupier.table.reconstruct import lying
from croupier.table.shoe import cut_window
from croupier.table.state import Box, State, bets_open, present, turn
from croupier.table.wagers import chip_step, most_in_play
from croupier.table.waiting import waiting
from croupier.web import awaiting, frames
from croupier.web.frames import Kind
from croupier.web.showing import limits_words
from croupier.web.telling import clauses

KEYS: dict[type[Command], str] = {
    **OFFERS,
    **DECISIONS,
    cmd.Forfeit: "f",
    cmd.Ride: "n",
    cmd.Stay: "n",
}
NAMES: dict[type[Command], str] = {cmd.Forfeit: "forfeit", cmd.Ride: "ride", cmd.Stay: "stay"}
ANSWERS: dict[type[Command], str] = {
    cmd.Ride: "your bet stays on the first hand",
    cmd.Stay: "your bet stays as it is",
}
NONE = "n"
NO_LIMIT = 10**12
OFFERED: tuple[type[Command], ...] = (*OFFERS, cmd.Forfeit)  # what may be passed by


class Purse(Struct, frozen=True):
    """What a player has to bet with, and what of it lies on the table. None: only the player knows."""

    free: int | None
    on_table: int

    def reaches(self, price: int) -> bool:
        return self.free is None or price <= self.free


def said(book: Rulebook, bar: Bar) -> frames.Said:
    """Why something is closed, with its clauses; or that no clause provides for it."""
    found = clauses(book, bar.provision)
    without = "" if found else f" ({book.without_clause(bar.provision)})"
    return frames.Said(f"{capital(bar.why)}{without}.", found)


def choices(
    state: State, book: Rulebook, name: str, purse: Purse, *, passed: bool
) -> tuple[frames.Choice, ...]:
    """What is on the menu of a player now. `passed`: they have said that they want none of the offers."""
    if state.shoe.offer == name and state.stage == "cut":
        return tuple(_cut(state))
    found: dict[tuple[str, int, int], list[Choice]] = {}
    for one in menu(state, player(name)):
        if passed and isinstance(one.command, OFFERED):
            continue
        if one.bar and type(one.command) in ANSWERS:
            continue  # a split is declined by riding and a double by staying; the other is not meant
        place = getattr(one.command, "box", 0), getattr(one.command, "hand", 1)
        found.setdefault((KEYS[type(one.command)], *place), []).append(one)
    shown = tuple(_choice(state, book, several, purse) for several in found.values())
    if len({box for _, box, _ in found}) > 1:
        shown = tuple(map(_of_its_box, shown))
    return (*shown, *_beside(state, book, name, shown), *_none(state, shown))


def _of_its_box(choice: frames.Choice) -> frames.Choice:
    """Where several boxes are asked about, each choice says which it is for."""
    return msgspec.structs.replace(choice, place=f"box {choice.command['box']}")


def _beside(
    state: State, book: Rulebook, name: str, shown: tuple[frames.Choice, ...]
) -> Iterator[frames.Choice]:
    """What has a place among a hand's decisions and is not on its menu: closed, with what bars it."""
    place = turn(state)
    if place and any(one.key == KEYS[cmd.Hit] for one in shown):
        yield from _barred(state, book, name, shown, cmd.Surrender(place[0]))


def _barred(
    state: State, book: Rulebook, name: str, shown: tuple[frames.Choice, ...], *commands: Command
) -> Iterator[frames.Choice]:
    keys = {one.key for one in shown}
    for command in commands:
        bar = bar_of(state, command, player(name))
        if bar and KEYS[type(command)] not in keys:
            yield _choice(state, book, [Choice(command, player(name), {}, bar)], Purse(None, 0))


# The dealer's desk


def at_desk(own: frames.You, state: State, book: Rulebook, done: Sequence[str]) -> frames.You:
    """What whoever deals is shown beside what is their own: what to do, who is done, what is told aloud there
    (the decisions of the hand in turn, the offers), and what cannot be put on record now.
    """
    desk, how = awaiting.for_dealer(state, book)
    return msgspec.structs.replace(
        own,
        choices=(*_decisions(state, book), *_offers(state, book)),
        desk=desk,
        how=how,
        passed=awaiting.passed(state, done),
        barred=barred(state, book),
    )


def _decisions(state: State, book: Rulebook) -> tuple[frames.Choice, ...]:
    """All decisions of the hand in turn; real chips are counted at the table."""
    place, names = turn(state), waiting(state).players
    if due(state) != "decision" or place is None or not names:
        return ()
    own = choices(state, book, names[0], Purse(NO_LIMIT, 0), passed=False)
    shown = tuple(one for one in own if one.key not in (KEYS[cmd.Insure], KEYS[cmd.TakeEvenMoney]))
    kinds = (cmd.Hit, cmd.Stand, cmd.Double, cmd.Split, cmd.Forfeit)
    every = (*(kind(*place) for kind in kinds), cmd.Surrender(place[0]))
    return (*shown, *_barred(state, book, names[0], shown, *every))


def _offers(state: State, book: Rulebook) -> Iterator[frames.Choice]:
    """What is open to each player before the subsequent deal."""
    for name in waiting(state).players if due(state) == "offers" else ():
        for one in choices(state, book, name, Purse(NO_LIMIT, 0), passed=False):
            if one.closed is None and one.key != NONE:
                yield msgspec.structs.replace(one, player=name)


def barred(state: State, book: Rulebook) -> dict[str, frames.Said]:
    """The keys of a console whose facts cannot be put on record now: a card in each way in which it can fall,
    the cutting card, an empty shoe, an absent player.
    """
    unseen = (card for card in ALL_CARDS if state.shoe.unseen[INDEX[card]])
    card = next(chain(state.shoe.held, unseen), ALL_CARDS[0])
    place = turn(state)
    places = ("dealer", *(str(box.number) for box in state.boxes), *lying(state))
    keys: dict[str, tuple[Command, ...]] = {
        "dealt": (card_command(state, card),),
        "up": (cmd.DealFaceUp(card=card),),
        "error": (cmd.DrawInError(card=card),),
        "burnt": (cmd.BurnInError(card=card),),
        "overdrawn": (cmd.OverdrawDealer(card=card),),
        "misplaced": tuple(cmd.Deal(card=card, laid_on=place) for place in places),
        "cut": (cmd.DrawCuttingCard(),),
        "empty": (cmd.ShoeRunsOut(),),
        "absent": (cmd.ReportAbsent(*(place or (1, 1))),),
    }
    found = {key: [bar_of(state, command, DEALER) for command in commands] for key, commands in keys.items()}
    if place is None:
        found["absent"] = [Bar("turns", "nobody is asked for a decision")]
    return {key: said(book, bars[0]) for key, bars in found.items() if bars[0] and all(bars)}


def _none(state: State, shown: tuple[frames.Choice, ...]) -> Iterator[frames.Choice]:
    """The way past what is only offered; what must be decided has none."""
    offered = [one for one in shown if one.closed is None and one.key in "ierf"]
    if offered and all(one.closed or one.key in "ierf" for one in shown):
        keeps = all(one.key == "f" for one in offered)
        label, words = ("keep the double", "it stays as it is") if keeps else ("play on", "none of these")
        yield frames.Choice(command={}, key=NONE, label=capital(label), words=words)


def _choice(state: State, book: Rulebook, several: list[Choice], purse: Purse) -> frames.Choice:
    """One choice of a key; where an amount is free, its least and most over all that the rules list."""
    first = several[0]
    kind, key = type(first.command), KEYS[type(first.command)]
    price = min(one.price for one in several)
    label = NAMES.get(kind) or LABELS.get(key) or book.words.split
    closed = _why(book, label, first) if first.bar else _too_dear(book, price, purse)
    meaning = ANSWERS.get(kind) or meanings(state.rules, book)[key]
    return frames.Choice(
        command=msgspec.to_builtins(first.command if closed else _whole(first, purse)),
        key=key,
        label=capital(label),
        words=capital(meaning),
        price=max(price, _full(several)) if not closed else price,
        free=_free(several) if not closed else {},
        closed=closed,
    )


def _why(book: Rulebook, label: str, choice: Choice) -> frames.Said:
    """What bars a choice, as it goes on behind its name: `surrender is closed: it is for …`."""
    assert choice.bar is not None
    why = choice.bar.why
    amount = choice.free.get("amount")
    if isinstance(choice.command, cmd.Insure) and isinstance(amount, Amounts) and amount.high == 0:
        why = f"box {choice.command.box} is insured in full"
    elif why.startswith(f"{label} is "):
        why = f"it{why.removeprefix(label)}"
    return said(book, Bar(choice.bar.provision, why))


def _whole(choice: Choice, purse: Purse) -> Command:
    """An insurance is laid in full unless less is said, as far as the player's chips reach."""
    amount = choice.free.get("amount")
    if not isinstance(choice.command, cmd.Insure) or not isinstance(amount, Amounts) or amount.high is None:
        return choice.command
    most = amount.high if purse.free is None else min(amount.high, purse.free)
    return msgspec.structs.replace(choice.command, amount=most - most % amount.step)


def _full(several: list[Choice]) -> int:
    """What the choice takes as it is shown: a double in full, the least insurance."""
    amount = several[0].free.get("amount")
    return amount.low if isinstance(amount, Amounts) else 0


def _free(several: list[Choice]) -> dict[str, frames.Range]:
    """The amounts that may vary: those of the widest choice."""
    ranges = [one.free["amount"] for one in several if isinstance(one.free.get("amount"), Amounts)]
    widest = min((one for one in ranges if isinstance(one, Amounts)), key=lambda one: one.low, default=None)
    if widest is None or widest.low == widest.high:
        return {}
    return {"amount": frames.Range(widest.low, widest.high, widest.step, widest.base)}


def _too_dear(book: Rulebook, price: int, purse: Purse) -> frames.Said | None:
    return None if purse.reaches(price) else frames.Said(too_dear(book, price, purse))


def too_dear(book: Rulebook, price: int, purse: Purse) -> str:
    return f"That takes {money(price, book)}, and you have {money(purse.free or 0, book)} left."


def _cut(state: State) -> Iterator[frames.Choice]:
    low, high = cut_window(state)
    middle = (low + high) // 2
    yield frames.Choice(
        command=msgspec.to_builtins(cmd.Cut(at=middle)),
        key="c",
        label="Cut",
        words=f"{low} to {high} cards from the front",
        free={"at": frames.Range(low, high)},
    )
    yield frames.Choice(
        command=msgspec.to_builtins(cmd.DeclineCut()), key=NONE, label="Decline", words="leave it to the next"
    )


# Betting


def spots(state: State, book: Rulebook, name: str, purse: Purse, last: Bids) -> tuple[frames.Spot, ...]:
    """The boxes while bets are open: what may lie there in all, or why the player may not bet."""
    if not bets_open(state):
        return ()
    return tuple(_spot(state, book, box, player(name), purse, last) for box in state.boxes)


def _spot(state: State, book: Rulebook, box: Box, by: Actor, purse: Purse, last: Bids) -> frames.Spot:
    number, multiple = box.number, state.rules.house.multiple if state.rules.wager_multiples else 1
    lying = box.bet_of(by.name).stake
    low = state.terms.minimum + -state.terms.minimum % multiple
    bar = bar_of(state, cmd.Wager(box=number, stake=max(low - lying, multiple)), by) if lying < low else None
    closed = said(book, bar) if bar else None
    if closed is None and not purse.reaches(low - lying):
        closed = frames.Said(too_dear(book, low, purse))
    most = most_in_play(state, box, by.name)
    again = last.get((number, by.name))
    return frames.Spot(
        box=number,
        low=low,
        high=most if state.rules.over_maximum == "refuse" else None,
        step=multiple if state.rules.wager_multiples else chip_step(state, low),
        again={"": again.stake, **again.sides} if again else {},
        closed=closed,
    )


# The question


def late(state: State, book: Rulebook, name: str, kind: Kind) -> frames.Said:
    """What happens when a player who is asked does not answer in time, as it goes on after `21 s, then`."""
    place = turn(state)
    if kind == "decision" and place is not None:
        return _late_decision(state, book, name, *place)
    words, provision = LATE[kind]
    return frames.Said(words, clauses(book, provision))


LATE: dict[Kind, tuple[str, str]] = {
    "betting": ("no more bets", "no_more_bets"),
    "offers": ("none of this is yours", "interim_settlement"),
    "decision": ("the next is asked", "decider"),
    "forfeit": ("the double stays", "forfeit"),
    "cut": ("the next may cut", "cut_clockwise"),
    "results": ("the next bets", "betting_opens"),
}


def _late_decision(state: State, book: Rulebook, name: str, number: int, which: int) -> frames.Said:
    """The hand of one who is absent: another bettor decides, or it is drawn to as far as the rules say."""
    box, hand = state.box(number), state.hand(number, which)
    if hand.asked:
        return frames.Said(_unanswered(state, hand.asked), clauses(book, answer_ground(state, hand.asked)))
    others = [other for other in present(state, box, hand) if other != name]
    if others:
        return frames.Said(f"{others[0]} decides", clauses(book, "decider"))
    least = state.rules.absent_draws_to + 1
    drawn = f"the {book.words.dealer} draws for you to {least} or more" if least > 1 else "your hand stands"
    return frames.Said(drawn, clauses(book, "absent_draws_to"))


def _unanswered(state: State, move: str) -> str:
    if move == "double":
        return ANSWERS[cmd.Stay]
    return ANSWERS[cmd.Ride] if state.rules.riders == "first_hand" else "there is no split"


def asked(
    state: State, book: Rulebook, name: str, doubled: tuple[int, int] | None = None, *, passed: bool
) -> str:
    """What the player is asked, in words; empty where nothing is. `doubled`: a hand that may be forfeited."""
    if doubled is not None:
        worth = hand_words(state.rules, book, state.hand(*doubled))
        return f"Box {place_name(*doubled)} has {worth}. Keep the double, or forfeit it?"
    wanted = due(state)
    if wanted == "betting":
        return "" if passed else f"Place your bets, {limits_words(state, book)}."
    if wanted == "cut" and state.shoe.offer == name:
        low, high = cut_window(state)
        return f"The cut is yours: {low} to {high} cards from the front."
    if wanted == "offers" and not passed and name in waiting(state).players:
        return f"Before play: {_against(state, book)}"
    if wanted == "decision" and name in waiting(state).players:
        return _decision(state, book)
    return ""


def _against(state: State, book: Rulebook) -> str:
    return f"the {book.words.dealer} shows {pretty(state.upcard)}" if state.upcard else "before the deal"


def _decision(state: State, book: Rulebook) -> str:
    place = turn(state)
    if place is None:
        return ""
    hand = state.hand(*place)
    if hand.asked:
        return f"Box {place_name(*place)}: a {book.words.noun(hand.asked)} is under way. Do you join?"
    count = len(state.box(place[0]).hands)
    which = f", hand {place[1]} of {count}" if count > 1 else ""
    against = f" against {pretty(state.upcard)}" if state.upcard else ""
    return f"Box {place[0]}{which}: {hand_words(state.rules, book, hand)}{against}."
