"""The state of a table: frozen records, and plain questions about them.

Boxes are numbered clockwise from the dealer's left, hands on a box from 1. The dealer's place is
box 0. What is due next follows from the state; it is never stored twice.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.cards import Card
from croupier.rulebook.rules import Rules

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

# How a stake ended; "" while it lives. What a dealer natural takes depends on it.
End = Literal["", "busted", "forfeited", "paid", "settled", "void"]


class Stake(Struct, frozen=True):
    """One bettor's money on one hand."""

    player: str
    original: int
    doubled: int = 0
    end: End = ""
    rides: bool = False
    joined: bool = False
    super_bonus: bool = False

    @property
    def total(self) -> int:
        return self.original + self.doubled

    @property
    def lives(self) -> bool:
        return self.end == ""


class Hand(Struct, frozen=True):
    """The cards of a hand and the stakes on it. `calls` counts cards asked for and not yet dealt."""

    cards: tuple[Card, ...] = ()
    stakes: tuple[Stake, ...] = ()
    split: bool = False
    split_aces: bool = False
    doubled_on: int = 0
    calls: int = 0
    done: bool = False
    surrendered: bool = False
    unattended: bool = False
    removed: bool = False

    @property
    def lives(self) -> bool:
        return any(stake.end == "" for stake in self.stakes)


class Side(Struct, frozen=True):
    """A side bet and whether it is still open."""

    name: str
    stake: int
    open: bool = True


class Bet(Struct, frozen=True):
    """One bettor's wager on a box: what is in play, and what was staked beyond the maximum."""

    player: str
    stake: int
    over: int = 0
    under: bool = False
    sides: tuple[Side, ...] = ()
    insurance: int = 0
    insurance_open: bool = False
    void: bool = False


class Box(Struct, frozen=True):
    number: int
    seat: str = ""
    raised_to: int = 0
    sole: str = ""
    bets: tuple[Bet, ...] = ()
    hands: tuple[Hand, ...] = ()
    first_cards: tuple[Card, ...] = ()
    absent: tuple[str, ...] = ()
    bonus_barred: bool = False


class Shoe(Struct, frozen=True):
    """The cards: how many are left in the shoe and in the rack, and which have not been seen.

    Cutting cards are kept by the number of cards behind them. `resume` is the stage of a round to
    go back to after a shuffle in its midst, `then` the stage after a new shoe.
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
    met_by: str = ""
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


class Dispute(Struct, frozen=True):
    player: str
    about: str
    status: Literal["open", "ruled", "review", "final"] = "open"
    award: int = 0


class Past(Struct, frozen=True):
    """What players had staked in an earlier round and what it moved, so that it can still be undone."""

    round: int
    nets: tuple[tuple[str, int], ...]
    stakes: tuple[tuple[str, int], ...] = ()
    undone: bool = False


class Held(Struct, frozen=True):
    """A late or lapsed bettor, and what the order holds them to."""

    player: str
    minimum: bool
    first_box: bool


class People(Struct, frozen=True):
    """Who is at the table, and what is on record about them.

    `places` are boxes and players of the last round dealt, those without a seat among them.
    """

    arrivals: tuple[str, ...] = ()
    places: tuple[tuple[int, str], ...] = ()
    warned: tuple[str, ...] = ()
    held: tuple[Held, ...] = ()
    excluded: tuple[str, ...] = ()
    breaches: tuple[str, ...] = ()
    abstained: dict[str, int] = {}
    first_round_bettors: tuple[str, ...] = ()
    every_round_bettors: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()


class Result(Struct, frozen=True):
    """A wager's end: what it was, and what it gained or lost."""

    box: int
    player: str
    wager: str
    net: int
    hand: int = 0


ROUNDS_ON_RECORD = 64


class State(Struct, frozen=True):
    rules: Rules
    shoe: Shoe
    boxes: tuple[Box, ...]
    stage: Stage = "opening"
    round: int = 0
    shoe_round: int = 0
    dealt: int = 0
    dealer: tuple[Card, ...] = ()
    results: tuple[Result, ...] = ()
    past: tuple[Past, ...] = ()
    people: People = People()
    won: dict[str, int] = {}
    final_left: int | None = None
    closing: bool = False
    notices: tuple[str, ...] = ()
    day: int = 1
    offered_on: dict[str, int] = {}
    checked_at_end: bool = False
    minimum: int = 0
    maximum: int = 0

    def box(self, number: int) -> Box:
        return self.boxes[number - 1]

    def hand(self, box: int, number: int) -> Hand:
        return self.boxes[box - 1].hands[number - 1]

    @property
    def float_change(self) -> int:
        """What the table's chips have gained since it opened: the players' loss."""
        return -sum(self.won.values())

    @property
    def upcard(self) -> Card | None:
        return self.dealer[0] if self.dealer else None


def active(state: State) -> list[Box]:
    """The boxes with a wager, clockwise."""
    return [box for box in state.boxes if box.bets]


def round_in_progress(state: State) -> bool:
    """Has "no more bets" been announced, and the round not ended? A shuffle may hold it up."""
    return state.stage in IN_ROUND or state.shoe.resume is not None or state.shoe.then == "dealing"


def present(state: State, box: Box, hand: Hand | None = None) -> list[str]:
    """The bettors of the box (with a stake on the hand) who may decide, in order of nearness."""
    return [
        bet.player
        for bet in box.bets
        if not bet.void
        and bet.player not in box.absent
        and bet.player not in state.people.excluded
        and (hand is None or any(stake.player == bet.player for stake in hand.stakes))
    ]


def decider(state: State, box: Box, hand: Hand | None = None) -> str:
    """Who decides for the box or hand: by the rulebook's order of preference, of those present."""
    here = present(state, box, hand)
    for preference in state.rules.decider:
        if preference == "seated" and box.seat in here:
            return box.seat
        if preference == "nearest" and here:
            return here[0]
    return ""


def turn(state: State) -> tuple[int, int] | None:
    """Box and hand whose turn it is in the subsequent deal."""
    if state.stage == "playing":
        for box in state.boxes:
            for index, hand in enumerate(box.hands):
                if not hand.done and hand.lives:
                    return box.number, index + 1
    return None


def initial_target(state: State) -> int | None:
    """The box (0: the dealer) that gets the next card of the initial deal; None when it is complete."""
    count = state.dealt
    boxes = [box.number for box in state.boxes if box.bets]
    for part in state.rules.deal_order:
        places = boxes if part == "boxes" else [0]
        if count < len(places):
            return places[count]
        count -= len(places)
    return None


def places_now(state: State) -> tuple[tuple[int, str], ...]:
    """Every seat and wager as (box, player), clockwise, the seated player of a box first."""
    return tuple(
        (box.number, player)
        for box in state.boxes
        for player in dict.fromkeys((box.seat, *(bet.player for bet in box.bets)))
        if player
    )


def places(state: State) -> list[tuple[int, str]]:
    """(box, player) of everybody at the table, clockwise: seats, wagers, and bettors of the last round."""
    everywhere = dict.fromkeys((*places_now(state), *state.people.places))
    allowed = [place for place in everywhere if place[1] not in state.people.excluded]
    return sorted(allowed, key=lambda place: place[0])


def box_owner(box: Box) -> str:
    """The player for whom the box stands when somebody is wanted: the seated one, or the first bettor."""
    return box.seat or (box.bets[0].player if box.bets else "")
