"""What comes next at a table, in words for its dealer: what is due, its clause, and what Enter does.

Enter does only what these words say it will.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sized
from functools import partial
from typing import NamedTuple

from croupier.cards import pretty
from croupier.game.offers import opens_surrender
from croupier.money import plain
from croupier.rulebook import Rulebook
from croupier.story import dealer_words, hand_words, money
from croupier.table import commands as cmd
from croupier.table.again import Bids
from croupier.table.commands import Command
from croupier.table.conduct import chore
from croupier.table.deal import place_name
from croupier.table.evolve import full_packs
from croupier.table.legal import Amounts, Choice, menu
from croupier.table.offers import first_rank, insurable_yet
from croupier.table.play import answer_ground
from croupier.table.shoe import (
    card_target,
    cut_window,
    cutting_card_window,
    next_cutter,
    replacement_due,
    second_card_window,
)
from croupier.table.shorthand import enter
from croupier.table.state import State, active, turn
from croupier.table.text import MONEY, MONEY_TABLES, verb
from croupier.table.waiting import waiting

FEW = 3  # wagers and offers that are told one by one


class Words(NamedTuple):
    """What is due, and how it is done or what else is to be known of it; as one sentence, joined by `by`."""

    what: str
    how: str = ""
    by: str = "; "

    def __str__(self) -> str:
        if self.by == "()":
            return f"{self.what} ({self.how})"
        return f"{self.what}{self.by}{self.how}" if self.how else self.what


# Words, and the provisions behind them. What takes a look at every choice is put into words when it is read.
Next = tuple[Words | Callable[[], Words], *tuple[str, ...]]


def next_words(state: State, book: Rulebook, last: Bids | None = None) -> str:
    """What the dealer does next, with the clause for it; `last` are the wagers of the last round."""
    words, provisions = next_parts(state, book, last)
    names = [book.short(clause) for name in provisions for clause in book.cite(name)[:1]]
    return f"{words} [{', '.join(names)}]" if names else str(words)


def next_parts(state: State, book: Rulebook, last: Bids | None = None) -> tuple[Words, tuple[str, ...]]:
    """What the dealer does next, and the provisions for it."""
    words, *grounds = _next(state, book, last or {})
    return words if isinstance(words, Words) else words(), tuple(grounds)


def next_grounds(state: State, book: Rulebook) -> tuple[str, ...]:
    """The provisions for what the dealer does next, for whoever has words of their own for it."""
    _, *grounds = _next(state, book, {})
    return tuple(grounds)


def enter_words(state: State) -> str:
    """What Enter does now; empty where it does nothing."""
    asked = enter(state)
    if asked is None:
        return ""
    if isinstance(asked.command, cmd.CheckCards):
        return f"all {sum(full_packs(state))} cards are there"
    if isinstance(asked.command, cmd.Burn | cmd.Deal):
        return f"the {pretty(asked.command.card)} goes there"
    return ENTERS[type(asked.command)]


ENTERS: dict[type[Command], str] = {
    cmd.Shuffle: "they are shuffled",
    cmd.OfferCut: "it is offered",
    cmd.LoadAutomatedShoe: "it is loaded",
    cmd.OpenBetting: "place your bets",
    cmd.AnnounceNoMoreBets: "no more bets",
    cmd.CloseOffers: "the offers are closed",
    cmd.ReportAbsent: "so it is reported",
    cmd.Settle: "settle",
    cmd.Collect: "collect",
}


def _next(state: State, book: Rulebook, last: Bids) -> Next:
    target = card_target(state)
    if target is not None:
        return _card_words(state, book, *target)
    if state.stage in ("shuffle", "cut", "place"):
        return _shoe_words(state)
    if state.stage == "betting":
        return partial(_wagers_words, state, book, last), "betting_opens"
    if state.stage == "offers":
        ground = "surrender" if opens_surrender(state.rules, first_rank(state)) else "interim_settlement"
        return partial(_offer_words, state, book), ground
    if state.stage == "playing":
        return _turn_words(state, book)
    if state.stage == "closed" and chore(state) is not None:
        return Words("check the cards once more, now that the table is closed"), "card_check"
    return PLAIN[state.stage]


PLAIN = {
    "opening": (Words("check the cards one by one"), "card_check"),
    "burn": (Words("burn a card", "type it", ": "), "burn_cards"),
    "idle": (Words("open the betting", "players may sit: p1 sits 1", "()"), "betting_opens"),
    "dealing": (Words("deal"), "initial_deal"),
    "dealer": (Words("settle"), "settlement"),
    "settled": (Words("collect the cards"), "round"),
    "closed": (Words("the table is closed", "quit"), "closing_needs_notice"),
}


# The shoe


def _shoe_words(state: State) -> Next:
    if state.stage == "shuffle":
        if replacement_due(state):
            failed = Words("the shoe has failed", "replace-shoe automated=true or false", ": ")
            return failed, "shoe_replaced"
        name, ground, _ = next_cutter(state)
        return Words(f"shuffle, then offer the cut to {_the(name)}"), "shuffle", ground
    if state.stage == "place":
        return _place_words(state), "cutting_card_back_decks"
    return _cut_words(state)


def _cut_words(state: State) -> tuple[Words, str]:
    usual = chore(state)
    if usual and isinstance(usual.command, cmd.LoadAutomatedShoe):
        return Words("load the automated shoe"), "automated_shoe_loaded"
    if not state.shoe.offer:
        name, ground, _ = next_cutter(state)
        return Words(f"offer the cut to {_the(name)}"), ground
    low, high = cut_window(state)
    window = f"{low} to {high} cards from the front"
    if state.shoe.offer == "supervisor":
        return Words(f"the supervisor cuts, {window}", "type the number", ": "), "supervisor_cuts"
    return Words(f"{state.shoe.offer} cuts {window}", "type the number, or no", ": "), "cut_depth_decks"


def _place_words(state: State) -> Words:
    low, high = cutting_card_window(state)
    if state.terms.cutting_cards == 2:
        least = second_card_window(state)[0]
        places = f"{low} to {high} from the back and from {least} from the front"
        return Words(f"place the cutting cards, {places}", "type both numbers", ": ")
    return Words(f"place the cutting card {low} to {high} cards from the back", "type the number", ": ")


def _the(name: str) -> str:
    return "the supervisor" if name == "supervisor" else name


def _card_words(state: State, book: Rulebook, box: int, hand: int) -> tuple[Words, str]:
    if state.shoe.held:
        place = f"the {book.words.dealer}" if box == 0 else f"box {place_name(box, hand)}"
        return Words(f"the {pretty(state.shoe.held[0])} drawn in error goes to {place}"), "drawn_in_error"
    if state.stage == "dealing":
        if box == 0:
            return Words("card to your own hand"), "dealer_card"
        return Words(f"card to box {box}"), "second_card" if state.box(box).hands else "first_card"
    if box:
        worth = hand_words(state.rules, book, state.hand(box, hand))
        return Words(f"card to box {place_name(box, hand)}, which has {worth}"), "subsequent_deal"
    return Words(f"draw to your hand: {dealer_words(state.rules, book, state.dealer)}"), "dealer_draws_to"


# Bets


def _wagers_words(state: State, book: Rulebook, last: Bids) -> Words:
    """How much lies on the table, who sits there without a wager, and what `same` would add."""
    bets = [bet for box in active(state) for bet in box.bets]
    if not bets and not last:
        return Words("take wagers", "p1 bets 10 on 1 · 1 10 · 10 10 - 10", "()")
    boxes = "1 box" if len(active(state)) == 1 else f"{len(active(state))} boxes"
    total = money(sum(bet.stake + sum(side.stake for side in bet.sides) for bet in bets), book)
    lying = f"take wagers: {_count(bets)} on {boxes}, {total}" if bets else "take wagers"
    return Words(lying, "; ".join(filter(None, (without_bet(state), _same_words(state, book, last)))))


def _count(bets: Sized) -> str:
    return "1 wager" if len(bets) == 1 else f"{len(bets)} wagers"


def _same_words(state: State, book: Rulebook, last: Bids) -> str:
    """What everybody bet last round and has not laid yet: by name while they are few."""
    missing = {(box, name): bid for (box, name), bid in last.items() if not state.box(box).bet_of(name).chips}
    if not missing:
        return ""
    few = [f"{name} {money(bid.stake, book)} on {box}" for (box, name), bid in missing.items()]
    total = sum(bid.stake + sum(bid.sides.values()) for bid in missing.values())
    return f"same: {', '.join(few) if len(few) <= FEW else f'{_count(few)}, {money(total, book)}'}"


def without_bet(state: State) -> str:
    """Who sits at the table and has not bet, in a sentence; empty where everybody has."""
    names = waiting(state).players if state.stage == "betting" else ()
    have = "has" if len(names) == 1 else "have"
    return f"{', '.join(names)} {have} not bet" if names else ""


# Offers


def _offer_words(state: State, book: Rulebook) -> Words:
    """What is open to whom before the subsequent deal: in sentences, or by box where there is much of it."""
    choices = open_offers(state)
    if not choices:
        return Words("nothing more is open")
    if len(choices) <= FEW:
        return Words(", ".join(_offer(state, book, choice) for choice in choices))
    kinds = [*_by_kind(choices)]
    return Words("; ".join(what for what, _ in kinds), " · ".join(typed for _, typed in kinds), by="()")


def open_offers(state: State) -> list[Choice]:
    return [one for one in menu(state) if one.bar is None] if state.stage == "offers" else []


def _offer(state: State, book: Rulebook, choice: Choice) -> str:
    command, by = choice.command, choice.by.name
    if isinstance(command, cmd.Insure):
        most = insurable_yet(state, state.box(command.box).bet_of(by))
        return f"{by} may insure box {command.box} up to {money(most, book)}"
    if isinstance(command, cmd.TakeEvenMoney):
        return f"{by} may take even money on box {command.box}"
    return f"box {getattr(command, 'box', '')} may surrender"


OFFERS: dict[type[Command], tuple[str, str]] = {
    cmd.Insure: ("insurance", "1 p1 insure 5"),
    cmd.TakeEvenMoney: ("even money", "1 p1 even-money"),
    cmd.Surrender: ("surrender", "1 r"),
}


def _by_kind(choices: list[Choice]) -> Iterator[tuple[str, str]]:
    """What is offered where, and how it is typed."""
    for kind, (name, typed) in OFFERS.items():
        boxes = dict.fromkeys(
            str(getattr(one.command, "box", "")) for one in choices if type(one.command) is kind
        )
        if boxes:
            yield f"{name} is open on {', '.join(boxes)}", typed


# Decisions

DECISIONS: dict[type[Command], str] = {
    cmd.Hit: "hit",
    cmd.Stand: "stand",
    cmd.Double: "double",
    cmd.Split: "split",
}


def _turn_words(state: State, book: Rulebook) -> Next:
    """Whose decision is due, or who answers to one, or that nobody is there for either."""
    place = turn(state)
    usual = chore(state)
    if usual and isinstance(usual.command, cmd.ReportAbsent):
        where = place_name(*place) if place else ""
        return Words(f"nobody is there to decide for box {where}"), "absent_draws_to"
    if place is None:
        return Words("play"), "turns"
    asked = state.hand(*place).asked
    if asked:
        return _answer_words(state, book, *place), answer_ground(state, asked)
    return partial(_decision_words, state, book, *place), "turns"


def _answer_words(state: State, book: Rulebook, box: int, hand: int) -> Words:
    where, asked = place_name(box, hand), state.hand(box, hand).asked
    rides = "n rides" if state.rules.riders != "none" else "n lets it lapse"
    joins, stays = (f"p {book.words.split}s", rides) if asked == "split" else ("d doubles", "n stays")
    first, *others = waiting(state).players or ("nobody",)
    then = f", then {', '.join(others)}" if others else ""
    return Words(
        f"box {where}: a {book.words.noun(asked)} is under way", f"{first} answers{then}: {joins}, {stays}"
    )


def _decision_words(state: State, book: Rulebook, box: int, hand: int) -> Words:
    kinds = dict.fromkeys(type(choice.command) for choice in menu(state) if choice.bar is None)
    open_to = ", ".join(book.words.verb(DECISIONS[kind]) for kind in kinds if kind in DECISIONS)
    worth = hand_words(state.rules, book, state.hand(box, hand))
    owner = ", ".join(waiting(state).players)
    return Words(f"box {place_name(box, hand)} decides ({owner}): {worth}", open_to)


# What may be typed now


def typed_now(state: State, book: Rulebook, last: Bids) -> Iterator[tuple[str, str]]:
    """Everything that may be typed now as people type it, and what it does."""
    if words := enter_words(state):
        yield "Enter", words
    if state.stage in ("cut", "place") and not enter(state):
        yield "a number", next_words(state, book)
    if state.stage == "betting":
        yield from _bets_now(state, book, last)
    for choice in menu(state):
        if choice.bar is None:
            yield _as_typed(state, choice), _choice_words(choice, book)
    if card_target(state) is not None or state.stage == "burn":
        yield "Kh · cut", "any card that is left in the shoe, or the cutting card"


def _bets_now(state: State, book: Rulebook, last: Bids) -> Iterator[tuple[str, str]]:
    low, high = state.terms.minimum, state.terms.maximum
    yield f"p1 bets {plain(low)} on 1", f"anybody on any box, {money(low, book)} to {money(high, book)}"
    if last:
        yield "same", "everybody bets as last round"
    for (box, name), bid in last.items():
        if not state.box(box).bet_of(name).chips:
            yield f"{name} bets {plain(bid.stake)} on {box}", "as last round"


KEYS: dict[type[Command], str] = {cmd.Hit: "h", cmd.Stand: "s", cmd.Ride: "n", cmd.Stay: "n"}


def _as_typed(state: State, choice: Choice) -> str:
    """A decision or an offer as people type it."""
    command, by = choice.command, choice.by.name
    where = place_name(getattr(command, "box", 0), getattr(command, "hand", 1))
    if isinstance(command, cmd.Double | cmd.Split):
        letter = "d" if isinstance(command, cmd.Double) else "p"
        return f"{where} {by} doubles {plain(command.amount)}" if command.amount else letter
    if isinstance(command, cmd.Insure):
        return f"{where} {by} insure {plain(command.amount)}"
    if isinstance(command, cmd.TakeEvenMoney | cmd.Forfeit):
        return f"{where} {by} {'forfeit' if isinstance(command, cmd.Forfeit) else 'even-money'}"
    return KEYS.get(type(command), f"{where} r")


def _choice_words(choice: Choice, book: Rulebook) -> str:
    command = choice.command
    where = place_name(getattr(command, "box", 0), getattr(command, "hand", 1))
    ranges = ranges_words(choice, book)
    act = verb(type(command)).replace("-", " ")
    return f"{choice.by}, box {where}: {act}" + (f" ({ranges})" if ranges else "")


# Amounts


def ranges_words(choice: Choice, book: Rulebook) -> str:
    """What may vary in a choice, and within which bounds."""
    ranges = ((name, free) for name, free in choice.free.items() if isinstance(free, Amounts))
    return "; ".join(_range(name, amounts, book) for name, amounts in ranges)


def _range(name: str, amounts: Amounts, book: Rulebook) -> str:
    in_money = name.split(".")[0] in MONEY | MONEY_TABLES
    low, high = (
        "any" if bound is None else money(bound, book) if in_money else str(bound)
        for bound in (amounts.low, amounts.high)
    )
    return f"{name} {low}" if low == high else f"{name} {low} to {high}"
