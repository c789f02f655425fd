"""Events: what has happened at a table, in the order in which it did. They only accumulate.

`basis` names the provisions and grounds that an event applies; a rulebook turns them into clauses.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.cards import Card
from croupier.rulebook.wager import MAIN, WagerName
from croupier.table.state import End, Move, Stage


class Event(
    Struct, frozen=True, gc=False, tag=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True
):
    basis: tuple[str, ...] = ()


class TableOpened(Event, frozen=True, kw_only=True):
    """The first event of every table: under which instrument it is open, and whose it is."""

    rulebook: str
    instrument: str
    made: str
    house: str
    operator: str
    approvals: dict[str, str] = {}


# Cards and shoe


class CardsChecked(Event, frozen=True, kw_only=True):
    count: int


class CardsShuffled(Event, frozen=True, kw_only=True):
    """`what` was shuffled: all cards, the discard rack, or what was left in a failed shoe."""

    count: int
    what: Literal["all", "rack", "rest"] = "all"


class CutOffered(Event, frozen=True, kw_only=True):
    """The cut is offered to a player on account of a box, or to the supervisor."""

    player: str
    box: int = 0


class CutDeclined(Event, frozen=True, kw_only=True):
    player: str


class CardsCut(Event, frozen=True, kw_only=True):
    by: str
    at: int
    count: int


class CuttingCardPlaced(Event, frozen=True, kw_only=True):
    from_back: int
    from_front: int | None = None


class ShoeLoaded(Event, frozen=True, kw_only=True):
    """A new shoe is ready; cards still to be burnt are counted."""

    count: int
    burns: int = 0
    automated: bool = False


class ShuffleInstructed(Event, frozen=True, kw_only=True):
    at: Literal["front", "back"]


class CardBurnt(Event, frozen=True, kw_only=True):
    """`due`: it is the burn that a new shoe needs; `held`: it had been drawn in error before."""

    card: Card
    due: bool = False
    held: bool = False


class CuttingCardDrawn(Event, frozen=True, kw_only=True):
    """The cutting card came out while `at` (a box, 0 the dealer) was to be dealt to, if anybody was."""

    at: int | None
    which: Literal["front", "back"] = "back"
    then: Literal["shuffle_now", "shuffle_after_round", "set_aside"]


class CardDrawnInError(Event, frozen=True, kw_only=True):
    card: Card


class ShoeRanOut(Event, frozen=True, kw_only=True):
    pass


class PastCuttingCardNoticed(Event, frozen=True, kw_only=True):
    """`counted`: so many cards are gone that the cutting card must have come; nobody had to notice."""

    shuffle: bool
    which: Literal["front", "back"] = "back"
    counted: bool = False


class ShoeFailed(Event, frozen=True, kw_only=True):
    """`replace_now`: nothing is left to deal from the shoe, and it must be replaced first."""

    kind: str
    rectified: bool = False
    reshuffle: bool = False
    cutting_card: int | None = None
    replace_now: bool = False


class ShoeReplaced(Event, frozen=True, kw_only=True):
    automated: bool


# Betting


class BettingOpened(Event, frozen=True, kw_only=True):
    round: int


class SeatTaken(Event, frozen=True, kw_only=True):
    player: str
    box: int


class SeatLeft(Event, frozen=True, kw_only=True):
    player: str
    box: int


class WagerPlaced(Event, frozen=True, kw_only=True):
    """Chips are laid, or added: `stake` is in play, `over` lies above the maximum and goes back.

    `under`: the wager, with what lay there before, is below the minimum.
    """

    player: str
    box: int
    stake: int
    over: int = 0
    under: bool = False
    sides: dict[str, int] = {}
    sides_over: dict[str, int] = {}


class WagerReturned(Event, frozen=True, kw_only=True):
    """A wager that does not count, or is taken back in time, goes back.

    `unlaid`: it was handed back at once and never lay there.
    """

    player: str
    box: int
    wager: WagerName
    amount: int
    unlaid: bool = False


class PlayerWarned(Event, frozen=True, kw_only=True):
    player: str
    wager: WagerName = MAIN


class NoMoreBets(Event, frozen=True, kw_only=True):
    boxes: tuple[int, ...]


# The round


class CardDealt(Event, frozen=True, kw_only=True):
    """A card to a hand of a box, or (box 0) to the dealer."""

    card: Card
    box: int
    hand: int = 1


class CardMisplaced(Event, frozen=True, kw_only=True):
    card: Card
    on: str
    due: str


class HandsReconstructed(Event, frozen=True, kw_only=True):
    """These hands, the dealer's among them, lie as the rules say now; `burnt` was too many for the dealer."""

    hands: dict[str, tuple[Card, ...]]
    burnt: tuple[Card, ...] = ()


class SurrenderUndone(Event, frozen=True, kw_only=True):
    """A hand was surrendered that could not be."""

    box: int


class SettlementUndone(Event, frozen=True, kw_only=True):
    """What a wager had won or lost by misplaced cards is undone, and the wager open again."""

    box: int
    player: str
    wager: WagerName
    net: int
    hand: int = 0


class StageReached(Event, frozen=True, kw_only=True):
    stage: Stage


class InsurancePlaced(Event, frozen=True, kw_only=True):
    player: str
    box: int
    amount: int


class HandSurrendered(Event, frozen=True, kw_only=True):
    box: int
    hand: int = 1


class MoveElected(Event, frozen=True, kw_only=True):
    """The decider splits or doubles by so much; the other bettors on the hand are asked."""

    player: str
    box: int
    hand: int
    move: Move
    amount: int


class MoveAnswered(Event, frozen=True, kw_only=True):
    """Another bettor adds so much, or nothing."""

    player: str
    box: int
    hand: int
    amount: int


class MoveLapsed(Event, frozen=True, kw_only=True):
    """What the decider had elected does not happen; the hand is to be decided again."""

    box: int
    hand: int
    move: Move


class CardCalled(Event, frozen=True, kw_only=True):
    box: int
    hand: int
    player: str = ""


class HandStood(Event, frozen=True, kw_only=True):
    box: int
    hand: int
    player: str = ""


class HandSplit(Event, frozen=True, kw_only=True):
    """These bettors have a stake on both hands now; the others ride on the first."""

    box: int
    hand: int
    players: tuple[str, ...]


class HandDoubled(Event, frozen=True, kw_only=True):
    box: int
    hand: int
    amounts: dict[str, int]


class PlayerAbsent(Event, frozen=True, kw_only=True):
    """`unattended`: nobody is left to decide, and the dealer draws as the rules say."""

    player: str
    box: int
    hand: int
    unattended: bool


class PlayerReturned(Event, frozen=True, kw_only=True):
    player: str


class HandAnnounced(Event, frozen=True, kw_only=True):
    """The dealer says what a hand has that is paid at once."""

    box: int
    hand: int
    total: int


class Settled(Event, frozen=True, kw_only=True):
    """A wager's end: `stake` was at risk, `net` is won or lost, the stake itself not counted."""

    box: int
    player: str
    wager: WagerName
    stake: int
    net: int
    hand: int = 0
    end: End = "settled"
    super_bonus: bool = False
    owed: int = 0


class HandRemoved(Event, frozen=True, kw_only=True):
    """The cards of a hand that has been paid leave the table for the rack."""

    box: int
    hand: int
    count: int


class CardsCollected(Event, frozen=True, kw_only=True):
    count: int


class RoundEnded(Event, frozen=True, kw_only=True):
    round: int


# Supervision


class NoticeGiven(Event, frozen=True, kw_only=True):
    of: str
    to: str
    minimum: int = 0
    maximum: int = 0


class LimitsSet(Event, frozen=True, kw_only=True):
    minimum: int
    maximum: int


class CardsDetermined(Event, frozen=True, kw_only=True):
    decks: int
    shuffle: str


class SideBetSet(Event, frozen=True, kw_only=True):
    name: str
    offered: bool


class DayBegun(Event, frozen=True, kw_only=True):
    day: int


class CuttingCardsDetermined(Event, frozen=True, kw_only=True):
    count: int


class LimitRaised(Event, frozen=True, kw_only=True):
    box: int
    maximum: int
    player: str = ""


class MarkerRemoved(Event, frozen=True, kw_only=True):
    box: int


class PlayerHeld(Event, frozen=True, kw_only=True):
    player: str
    minimum: bool
    first_box: bool


class BoxGivenUp(Event, frozen=True, kw_only=True):
    box: int
    player: str
    to: str


class CardReplaced(Event, frozen=True, kw_only=True):
    """One card, or with none named all of them."""

    card: Card | None = None
    checked_by: tuple[str, ...] = ()


class FinalRoundsAnnounced(Event, frozen=True, kw_only=True):
    rounds: int


class RoundVoided(Event, frozen=True, kw_only=True):
    """Everything that the round moved goes back: (player, amount) pairs that undo it."""

    round: int
    back: tuple[tuple[str, int], ...]


class RoundInvalidated(Event, frozen=True, kw_only=True):
    """A round does not count. Its wagers, (player, amount) pairs, are refunded, or else stay lost."""

    round: int
    cause: str
    refunded: bool
    wagers: tuple[tuple[str, int], ...]


class BreachRecorded(Event, frozen=True, kw_only=True):
    player: str
    what: str
    device: str = ""


class WagerVoided(Event, frozen=True, kw_only=True):
    """`back` was wagered, `undone` had been won with it; `round` is that of a finished round."""

    player: str
    box: int
    back: int
    undone: int = 0
    round: int | None = None


class PlayerExcluded(Event, frozen=True, kw_only=True):
    player: str


class DisputeOpened(Event, frozen=True, kw_only=True):
    dispute: int
    player: str
    about: str


class DisputeRuled(Event, frozen=True, kw_only=True):
    """`status` tells whose word it is; `paid` is what this decision moves to the player."""

    dispute: int
    status: Literal["ruled", "review", "final"]
    player: str
    award: int = 0
    paid: int = 0


class Told(Event, frozen=True, kw_only=True):
    """What somebody was told on asking."""

    player: str
    about: str
    answer: dict[str, str]


class TableClosed(Event, frozen=True, kw_only=True):
    pass


KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in Event.__subclasses__()}
