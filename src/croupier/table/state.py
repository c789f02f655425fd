"""The state of a table: frozen records, and plain questions about them.

Boxes are numbered clockwise from the dealer's left, hands on a box from 1. The dealer's place is
box 0. What is due next follows from the state; it is never stored twice.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.hand import Hand
from croupier.rulebook.rules import Rules
from croupier.rulebook.wager import WagerName

Stage = Literal[
    "opening",  # the cards are to be checked
    "shuffle",  # the cards are to be shuffled
    "cut",  # the cut is to be offered and made
    "place",  # the cutting card is to be placed
    "burn",  # a card is to be burnt
    "idle",  # between rounds
    "betting",
    "dealing",
    "offers",  # insurance, even money, surrender
    "playing",
    "dealer",
    "settled",  # the cards are to be collected
    "closed",
]
IN_ROUND = frozenset({"dealing", "offers", "playing", "dealer", "settled"})
PREPARING = frozenset({"opening", "shuffle", "cut", "place", "burn"})

# How a stake ended; "" while it lives. What a dealer natural takes depends on it.
End = Literal["", "busted", "forfeited", "paid", "settled", "void"]

# What a decider may elect that the other bettors on the hand answer to.
Move = Literal["", "split", "double"]


class Stake(Struct, frozen=True, gc=False):
    """One bettor's money on one hand."""

    player: str
    original: int
    doubled: int = 0
    end: End = ""
    rides: bool = False
    joined: bool = False
    super_bonus: bool = False
    owed: int = 0  # what the Super Bonus stands in for

    @property
    def total(self) -> int:
        return self.original + self.doubled

    @property
    def lives(self) -> bool:
        return self.end == ""


class Answer(Struct, frozen=True, gc=False):
    """What a bettor adds where the decider has split or doubled: nothing, for who rides or stays."""

    player: str
    amount: int


class BoxHand(Hand, frozen=True, gc=False):
    """A hand of a box with the stakes on it. `calls` counts cards asked for and not yet dealt.

    `arrived` numbers the cards in the order in which they came to the box. `removed`: they lie in the
    rack, and `gone` that they have been shuffled from there.
    `asked` is what the decider has elected while the other bettors are still answering; the decider's
    is the first of the `answers`. `stood`: the hand is done by a player's word.
    """

    arrived: tuple[int, ...] = ()
    stakes: tuple[Stake, ...] = ()
    calls: int = 0
    asked: Move = ""
    answers: tuple[Answer, ...] = ()
    done: bool = False
    stood: bool = False
    unattended: bool = False
    removed: bool = False
    gone: bool = False

    @property
    def lives(self) -> bool:
        return "" in [stake.end for stake in self.stakes]

    def stake_of(self, player: str) -> int:
        """What a bettor wagered on the hand: a split adds as much, a double at the most as much."""
        return next((stake.original for stake in self.stakes if stake.player == player), 0)


class Side(Struct, frozen=True, gc=False):
    """A side bet: what is in play, what lies above its maximum, and whether it is still open."""

    name: str
    stake: int
    over: int = 0
    open: bool = True


class Bet(Struct, frozen=True, gc=False):
    """One bettor's wager on a box: what is in play, and what was staked beyond the maximum."""

    player: str
    stake: int
    over: int = 0
    under: bool = False
    sides: tuple[Side, ...] = ()
    insurance: int = 0
    insurance_open: bool = False
    void: bool = False

    @property
    def chips(self) -> int:
        """Everything that was laid down before the first card."""
        return self.stake + self.over + sum(side.stake + side.over for side in self.sides)


class Box(Struct, frozen=True, gc=False):
    """A box of the layout. `loose` are side bets whose main wager has not been laid.

    `order` are those who wagered, in the order in which they decide, and `seated` the one of them who
    sits there; both are settled when bets close.
    """

    number: int
    seat: str = ""
    raised_to: int = 0
    raised_for: str = ""
    bets: tuple[Bet, ...] = ()
    loose: tuple[Bet, ...] = ()
    order: tuple[str, ...] = ()
    seated: str = ""
    hands: tuple[BoxHand, ...] = ()
    absent: tuple[str, ...] = ()
    bonus_barred: bool = False

    @property
    def lying(self) -> tuple[Bet, ...]:
        """Everybody's chips on the box, main wagers and loose side bets."""
        return (*self.bets, *self.loose) if self.loose else self.bets

    def bet_of(self, player: str) -> Bet:
        """The player's chips on the box, or none."""
        for bet in self.lying:
            if bet.player == player:
                return bet
        return Bet(player=player, stake=0)

    @property
    def first_cards(self) -> tuple[Card, ...]:
        """The cards of the box in the order in which they came to it."""
        came = [pair for hand in self.hands for pair in zip(hand.arrived, hand.cards, strict=True)]
        return tuple(card for _, card in sorted(came))


class Shoe(Struct, frozen=True, gc=False):
    """The cards: how many are left in the shoe and in the rack, and which have not been seen.

    Cutting cards are kept by the number of cards behind them; `met` is the box (0: the dealer) at
    which the one that ends the shoe came out. `resume` is the stage to go back to after a shuffle of
    part of the cards, `then` the stage after a new shoe. `first_offer` is the box of whoever was
    first offered the cut.
    """

    left: int
    unseen: bytes
    number: int = 0
    rack: int = 0
    held: tuple[Card, ...] = ()
    back_card: int | None = None
    front_card: int | None = None
    shuffle_at: Literal["front", "back"] = "back"
    met: int | None = None
    shuffle_due: bool = False
    offer: str = ""
    declined: tuple[str, ...] = ()
    first_offer: int = 0
    burns_due: int = 0
    resume: Stage | None = None
    then: Stage = "idle"
    shuffling: int = 0
    automated: bool = False
    failed: bool = False

    def behind(self, which: Literal["front", "back"]) -> int | None:
        """How many cards lie behind a cutting card; None where it is not in the shoe."""
        return self.front_card if which == "front" else self.back_card


class Dispute(Struct, frozen=True, gc=False):
    player: str
    about: str
    status: Literal["open", "ruled", "review", "final"] = "open"
    award: int = 0


class Result(Struct, frozen=True, gc=False):
    """A wager's end: what it was, and what it gained or lost; `final`: in the final settlement."""

    box: int
    player: str
    wager: WagerName
    net: int
    hand: int = 0
    final: bool = False


class Laid(Struct, frozen=True, gc=False):
    """All that a player wagered on a box in a round."""

    box: int
    player: str
    amount: int


class Past(Struct, frozen=True, gc=False):
    """What was wagered in an earlier round and what came of it, so that it can still be undone.

    `decided`: the round has been voided or invalidated, and nothing more is decided about it.
    """

    round: int
    results: tuple[Result, ...]
    laid: tuple[Laid, ...] = ()
    decided: bool = False


PAGE = 64


class History(Struct, frozen=True, gc=False):
    """The rounds that are over, in pages, so that one more does not copy all before it."""

    full: tuple[tuple[Past, ...], ...] = ()
    page: tuple[Past, ...] = ()

    def with_round(self, past: Past) -> History:
        if len(self.page) < PAGE:
            return History(self.full, (*self.page, past))
        return History((*self.full, self.page), (past,))

    def last_first(self) -> Iterator[Past]:
        yield from reversed(self.page)
        for page in reversed(self.full):
            yield from reversed(page)

    def of(self, number: int | None) -> Past | None:
        """The round of this number, the last of them if several had it."""
        return next((past for past in self.last_first() if past.round == number), None)

    def with_changed(self, number: int, **changes: Any) -> History:
        """The same rounds but for what is changed of one."""
        pages = [
            tuple(replace(past, **changes) if past.round == number else past for past in page)
            for page in (*self.full, self.page)
        ]
        return History(tuple(pages[:-1]), pages[-1])


class Held(Struct, frozen=True, gc=False):
    """A late or lapsed bettor, and what the order holds them to."""

    player: str
    minimum: bool
    first_box: bool


class Place(Struct, frozen=True, gc=False):
    """Somebody at a box, seated there or with a wager on it."""

    box: int
    player: str
    bets: bool


class People(Struct, frozen=True, gc=False):
    """Who is at the table, and what is on record about them.

    `places` are those of the last round dealt. `warned` are players with the wager, main or side, that
    they once made below its minimum. `bettors` have had a wager on this table.
    """

    arrivals: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    warned: tuple[tuple[str, str], ...] = ()
    bettors: tuple[str, ...] = ()
    held: tuple[Held, ...] = ()
    excluded: tuple[str, ...] = ()
    breaches: tuple[str, ...] = ()
    abstained: dict[str, int] = {}
    first_round_bettors: tuple[str, ...] = ()
    every_round_bettors: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()


class Notice(Struct, frozen=True, gc=False):
    """That something will change; of new limits the notice may say which."""

    of: str
    to: str
    minimum: int = 0
    maximum: int = 0


class Terms(Struct, frozen=True, gc=False):
    """What is determined at the table, within what the house's file and the law permit; rules never change.

    `offered_on`: the side bets on offer, and the day since which they are.
    """

    decks: int
    shuffle: str
    cutting_cards: int
    minimum: int
    maximum: int
    offered_on: dict[str, int] = {}


class State(Struct, frozen=True, gc=False):
    """A table. All that it will do follows from this: `rules` as the table was opened under, `terms` as they
    were determined since, and the rest, which events change. What is over is in `past`.
    """

    rules: Rules
    terms: Terms
    shoe: Shoe
    boxes: tuple[Box, ...]
    stage: Stage = "opening"
    round: int = 0
    begun: bool = False  # a card of the round has left the shoe
    shoe_round: int = 0
    dealt: int = 0
    dealer: tuple[Card, ...] = ()
    results: tuple[Result, ...] = ()
    past: History = History()
    people: People = People()
    won: dict[str, int] = {}
    final_left: int | None = None
    closing: bool = False
    notices: tuple[Notice, ...] = ()
    day: int = 1
    checked_at_end: bool = False

    def __hash__(self) -> int:
        return hash((self.stage, self.round, self.shoe, self.boxes, self.dealer, self.results))

    def box(self, number: int) -> Box:
        return self.boxes[number - 1]

    def hand(self, box: int, number: int) -> BoxHand:
        return self.boxes[box - 1].hands[number - 1]

    @property
    def float_change(self) -> int:
        """What the table's chips have gained since it opened: the players' loss."""
        return -sum(self.won.values())

    @property
    def upcard(self) -> Card | None:
        return self.dealer[0] if self.dealer else None


A = TypeVar("A")


def remembered(question: Callable[[State], A]) -> Callable[[State], A]:
    """The question, whose answer is kept until it is asked of another table.

    Before the next event the same is asked again: what is due, whether a move is barred, whether the turn
    goes on. A state never changes, so that the answer holds for as long as it is the same one.
    """
    last: Any = None, None  # both at once, for tables are conducted on several threads

    @functools.wraps(question)
    def asked(state: State) -> A:
        nonlocal last
        before, answer = last
        if before is not state:
            answer = question(state)
            last = state, answer
        return answer  # type: ignore[no-any-return]

    return asked


@remembered
def active(state: State) -> tuple[Box, ...]:
    """The boxes with a wager, clockwise."""
    return tuple([box for box in state.boxes if box.bets])


def standing(state: State) -> Stage:
    """The stage that the table is at, or goes back to once the cards are ready again."""
    if state.shoe.resume is not None:
        return state.shoe.resume
    return state.shoe.then if state.stage in PREPARING else state.stage


def bets_open(state: State) -> bool:
    """May wagers be laid and taken back? A shuffle in between does not close the bets."""
    return standing(state) == "betting"


def bets_closed(state: State) -> bool:
    """Has "no more bets" been announced, and the round not ended?"""
    return standing(state) in IN_ROUND


def between_rounds(state: State) -> bool:
    """Is the table open with no round begun and no bets invited? No chip lies on the layout then."""
    return standing(state) == "idle" and not state.begun


def preference(rules: Rules, box: Box) -> tuple[str, ...]:
    """Those with a wager on the box in the order in which they decide for it."""
    nearest = [bet.player for bet in box.bets]
    order: list[str] = []
    for rule in rules.decider:
        order += [player for player in nearest if rule == "nearest" or player == box.seat]
    return tuple(dict.fromkeys(order))


def present(state: State, box: Box, hand: BoxHand | None = None) -> list[str]:
    """The bettors of the box (with a stake on the hand) who may decide, in order of preference."""
    if hand is None:
        staked = [bet.player for bet in box.bets if not bet.void]
    else:
        staked = [stake.player for stake in hand.stakes if stake.end != "void"]
    here = [player for player in box.order or preference(state.rules, box) if player in staked]
    if box.absent or state.people.excluded:
        away = {*box.absent, *state.people.excluded}
        here = [player for player in here if player not in away]
    return here


def decider(state: State, box: Box, hand: BoxHand | None = None) -> str:
    """Who decides for the box or hand: the first in preference of those present, "" if nobody is."""
    here = present(state, box, hand)
    return here[0] if here else ""


@remembered
def turn(state: State) -> tuple[int, int] | None:
    """Box and hand whose turn it is in the subsequent deal."""
    if state.stage == "playing":
        for box in state.boxes:
            if box.hands:
                for index, hand in enumerate(box.hands):
                    if not hand.done and hand.lives:
                        return box.number, index + 1
    return None


@remembered
def initial_target(state: State) -> int | None:
    """The box (0: the dealer) that gets the next card of the initial deal; None when it is complete."""
    boxes = tuple([box.number for box in state.boxes if box.bets])
    places = _places_dealt(state.rules.deal_order, boxes)
    return places[state.dealt] if state.dealt < len(places) else None


@functools.cache
def _places_dealt(order: tuple[str, ...], boxes: tuple[int, ...]) -> tuple[int, ...]:
    """Where the cards of the initial deal go, one after another."""
    return tuple(place for part in order for place in (boxes if part == "boxes" else (0,)))


def places_now(state: State) -> tuple[Place, ...]:
    """Everybody who sits or bets, box by box clockwise, the seated player of a box first."""
    found = []
    for box in state.boxes:
        if box.seat or box.bets:
            bettors = [bet.player for bet in box.bets]
            around = dict.fromkeys([box.seat, *bettors] if box.seat else bettors)
            found += [Place(box.number, player, player in bettors) for player in around]
    return tuple(found)


def places(state: State) -> list[Place]:
    """Everybody at the table, clockwise: seats, wagers, and bettors of the last round."""
    everywhere: dict[tuple[int, str], bool] = {}
    for place in (*places_now(state), *state.people.places):
        if place.player not in state.people.excluded:
            key = (place.box, place.player)
            everywhere[key] = everywhere.get(key, False) or place.bets
    found = [Place(box, player, bets) for (box, player), bets in everywhere.items()]
    return sorted(found, key=lambda place: place.box)
