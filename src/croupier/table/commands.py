"""Commands: everything anybody can ask of a table, chance included.

Each is a verb. Who asks is no part of it: `advance` is told by whom. A card that leaves the shoe is a
command too: the virtual shoe, a scripted case and a dealer who types in real cards all speak through
`Deal` and its kin. Amounts are cents.
"""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple

from msgspec import Struct

from croupier.cards import Card
from croupier.table.actors import EVERYBODY, PLAYERS, Actor, Role, actor


class Command(Struct, frozen=True, gc=False, tag=True, forbid_unknown_fields=True, omit_defaults=True):
    """What somebody asks of the table, and in which roles it may be asked."""

    askers: ClassVar[frozenset[Role]] = PLAYERS


class DealerCommand(Command, frozen=True):
    askers: ClassVar[frozenset[Role]] = frozenset({"dealer"})


class CardCommand(DealerCommand, frozen=True):
    """A card leaves the shoe."""

    card: Card


class SupervisorCommand(Command, frozen=True):
    askers: ClassVar[frozenset[Role]] = frozenset({"supervisor"})


class OperatorCommand(Command, frozen=True):
    askers: ClassVar[frozenset[Role]] = frozenset({"operator"})


class RegulatorCommand(Command, frozen=True):
    askers: ClassVar[frozenset[Role]] = frozenset({"regulator"})


# Opening, cards and shoe


class CheckCards(DealerCommand, frozen=True):
    """The dealer has counted the cards, `missing` and `extra` being what did not fit."""

    missing: tuple[Card, ...] = ()
    extra: tuple[Card, ...] = ()


class Shuffle(DealerCommand, frozen=True):
    """The dealer shuffles what is to be shuffled."""


class OfferCut(DealerCommand, frozen=True):
    """The dealer offers the cut to whoever the rules name next."""


class DeclineCut(Command, frozen=True):
    """Whoever is offered the cut leaves it to the next."""

    askers: ClassVar[frozenset[Role]] = EVERYBODY


class Cut(Command, frozen=True):
    """The cutter puts the cutting card `at` so many cards from the front."""

    askers: ClassVar[frozenset[Role]] = EVERYBODY

    at: int


class PlaceCuttingCards(DealerCommand, frozen=True):
    """The dealer puts the cutting card so many cards from the back, the second from the front."""

    from_back: int
    from_front: int | None = None


class LoadAutomatedShoe(DealerCommand, frozen=True):
    """The cards go into the automated shuffling shoe."""


class InstructShuffle(SupervisorCommand, frozen=True):
    """The supervisor says at which of two cutting cards the shuffle falls."""

    at: Literal["front", "back"]


class Burn(CardCommand, frozen=True):
    """The next card of the shoe is burnt, as the rules require here."""


# Betting


class OpenBetting(DealerCommand, frozen=True):
    """The dealer invites wagers for the next round; `at` is the time of day, where hours are kept."""

    at: str = ""


class Sit(Command, frozen=True):
    """A player takes the seat at a box."""

    box: int


class Leave(Command, frozen=True):
    """A player gives up the seat at a box."""

    box: int


class Wager(Command, frozen=True):
    """A main wager with its side bets, or chips added to it; a side bet may be laid first (stake 0).

    Among those not seated the first placed is nearest the dealer.
    """

    box: int
    stake: int
    sides: dict[str, int] = {}
    tender: str = "chips"


class TakeBack(Command, frozen=True):
    """A wager is taken back."""

    box: int


class AnnounceNoMoreBets(DealerCommand, frozen=True):
    """Betting is over, and the cards come."""


# Cards out of the shoe


class Deal(CardCommand, frozen=True):
    """The next card leaves the shoe; the rules say where it belongs.

    `laid_on` tells that it was laid elsewhere: `2`, `1.2`, `dealer`.
    """

    laid_on: str = ""


class DealFaceUp(CardCommand, frozen=True):
    """The next card of the shoe lies in it face upwards."""


class DrawCuttingCard(DealerCommand, frozen=True):
    """The cutting card comes out of the shoe."""


class DrawInError(CardCommand, frozen=True):
    """A card is drawn that nobody was to have yet."""


class BurnInError(CardCommand, frozen=True):
    """A card is burnt that should have been dealt."""


class OverdrawDealer(CardCommand, frozen=True):
    """A card is drawn to the dealer's hand that should not have been."""


class ShoeRunsOut(DealerCommand, frozen=True):
    """The shoe is empty and the round is not over."""


# Insurance and play


class Insure(Command, frozen=True):
    """A bettor insures a box against a dealer's natural, or adds to the insurance."""

    box: int
    amount: int
    place: str = "insurance line"


class TakeEvenMoney(Command, frozen=True):
    """A natural is paid at once, whatever the dealer will draw."""

    box: int


class Surrender(Command, frozen=True):
    """The decider gives up the box and part of the wager."""

    box: int


class CloseOffers(DealerCommand, frozen=True):
    """The dealer ends the time for insurance, even money and surrender."""


class Hit(Command, frozen=True):
    """The decider asks for a card to a hand."""

    box: int
    hand: int = 1


class Stand(Command, frozen=True):
    """The decider takes no further card to a hand."""

    box: int
    hand: int = 1


class Split(Command, frozen=True):
    """The decider splits, or another bettor joins in; `amount`, where given, is what is added."""

    box: int
    hand: int = 1
    amount: int | None = None


class Ride(Command, frozen=True):
    """A bettor who does not split has the wager on the first of the hands."""

    box: int
    hand: int = 1


class Double(Command, frozen=True):
    """The decider doubles, or another bettor joins in; without an `amount` in full."""

    box: int
    hand: int = 1
    amount: int | None = None


class Stay(Command, frozen=True):
    """A bettor does not join in what the decider has elected."""

    box: int
    hand: int = 1


class Forfeit(Command, frozen=True):
    """The bettor gives up the original wager of a doubled hand and takes the double back."""

    box: int
    hand: int = 1


class ReportAbsent(DealerCommand, frozen=True):
    """A player who should decide is not there: the one named, or whoever is asked now."""

    box: int
    hand: int = 1
    player: str = ""


class Return(DealerCommand, frozen=True):
    """A player who was absent is back."""

    player: str


class Reconstruct(DealerCommand, frozen=True):
    """Cards were misplaced: how these hands (`2`, `1.2`, `dealer`) must lie, their own cards among them."""

    hands: dict[str, tuple[Card, ...]]


class Settle(DealerCommand, frozen=True):
    """The dealer makes the final settlement."""


class Collect(DealerCommand, frozen=True):
    """The dealer collects all cards: the round is over."""


# Supervision


class GiveNotice(OperatorCommand, frozen=True):
    """Notice of a change; of new limits the figures may be named, and then bind."""

    of: Literal["limits", "cards", "closure"]
    to: Literal["players", "officer"] = "players"
    minimum: int = 0
    maximum: int = 0


class SetLimits(OperatorCommand, frozen=True):
    """The operator sets the table's limits for a wager."""

    minimum: int
    maximum: int


class SetCards(OperatorCommand, frozen=True):
    """The operator determines decks and shuffle for the next shoe."""

    decks: int | None = None
    shuffle: str | None = None


class SetSideBet(OperatorCommand, frozen=True):
    """The operator opens or withdraws a side bet."""

    name: str
    offered: bool


class BeginDay(OperatorCommand, frozen=True):
    """A new gaming day begins; the last one is over, its cards checked where the rules say so."""


class SetCuttingCards(SupervisorCommand, frozen=True):
    """The supervisor determines how many cutting cards the next shoe has."""

    count: int


class RaiseLimit(OperatorCommand, frozen=True):
    """A marker at the box shows a new maximum, for everybody or for one player."""

    box: int
    maximum: int
    player: str = ""


class RemoveMarker(OperatorCommand, frozen=True):
    """The marker at a raised-limit box is taken away."""

    box: int


class Hold(OperatorCommand, frozen=True):
    """A late or lapsed bettor may bet only the minimum, and/or only on the first box, until a new shoe."""

    player: str
    minimum: bool = True
    first_box: bool = False


class GiveUpBox(OperatorCommand, frozen=True):
    """A player with several boxes hands one over to a player who has none."""

    box: int
    to: str


class VacateSeat(OperatorCommand, frozen=True):
    """The seat of one who has let rounds pass by at a full table is free again."""

    player: str


class ReplaceCards(OperatorCommand, frozen=True):
    """One card, or (no card named) all of them, replaced after the named checks."""

    card: Card | None = None
    checked_by: tuple[str, ...] = ()


class AnnounceFinalRounds(SupervisorCommand, frozen=True):
    """The final rounds are announced: `at` a time when the hours expire, or before the table closes early.

    Where no hours are kept and no notice of closure was given, the supervisor's word that they expire is
    enough.
    """

    at: str = ""


class NoticePastCuttingCard(SupervisorCommand, frozen=True):
    """It is noticed that dealing went on after the cutting card had been drawn."""


class VoidRound(SupervisorCommand, frozen=True):
    """A misplaced card in an earlier round is found after the next has begun."""

    round: int


class Invalidate(OperatorCommand, frozen=True):
    """The game or a round (an earlier one by its number) is invalidated, its wagers refunded or not."""

    cause: str
    scope: Literal["game", "round"] = "round"
    round: int | None = None
    refund: bool = True


class RecordBreach(SupervisorCommand, frozen=True):
    """A breach of the rules, or a forbidden device, is put on record."""

    player: str
    what: str
    device: Literal["", "a", "b", "c"] = ""


class VoidWager(OperatorCommand, frozen=True):
    """An offender's wager is void: the one on the table, or that of an earlier round by its number."""

    player: str
    box: int
    round: int | None = None


class Exclude(OperatorCommand, frozen=True):
    """The operator excludes a player whose breach is on record."""

    player: str


class OpenDispute(Command, frozen=True):
    """A player disputes something, and says what."""

    about: str


class Rule(OperatorCommand, frozen=True):
    """The operator rules on a dispute, and what the player is awarded."""

    dispute: int
    award: int = 0


class RequestReview(Command, frozen=True):
    """A player asks the regulator to review the ruling on a dispute."""

    dispute: int


class Review(RegulatorCommand, frozen=True):
    """The regulator decides a dispute under review, and what the player is awarded in all."""

    dispute: int
    award: int = 0


class ReportMalfunction(DealerCommand, frozen=True):
    """The automated shoe fails. `then` is the dealer's choice where the rules leave one."""

    kind: str
    rectified: bool = False
    then: Literal["", "cutting_card", "reshuffle"] = ""
    cutting_card: int | None = None


class ReplaceShoe(OperatorCommand, frozen=True):
    """A failed shoe is replaced, by an automated one or by another."""

    automated: bool


class Ask(Command, frozen=True):
    """Somebody asks to be told what the rules say they may know."""

    askers: ClassVar[frozenset[Role]] = EVERYBODY

    about: Literal["determinations", "limits", "rules"]


class Attempt(Command, frozen=True):
    """An act that no rulebook allows at the table, put so that the refusal can cite why."""

    askers: ClassVar[frozenset[Role]] = EVERYBODY

    act: Literal["advise", "peek", "override_payout", "set_shoe_order", "transfer", "play_for_another"]


class CloseTable(OperatorCommand, frozen=True):
    """The table closes before the end of gaming, the final rounds having been announced."""


def office_of(kind: type[Command]) -> Actor | None:
    """Who gives an order that only one office may give."""
    roles = [*kind.askers]
    return actor(roles[0]) if len(roles) == 1 and kind.askers != PLAYERS else None


def asker_words(kind: type[Command]) -> set[str]:
    """The fields by which text, and older logs, name who asks: what the command itself does not have."""
    return {"by", "player"} - {*kind.__struct_fields__}


class Asked(NamedTuple):
    """A command, and who gives it."""

    command: Command
    by: Actor


LAYING = (Wager, Insure, Double, Split)  # what a player lays chips with, or promises them

KINDS: dict[str, type[Command]] = {
    kind.__name__: kind
    for kind in globals().copy().values()
    if isinstance(kind, type) and issubclass(kind, Command) and not kind.__subclasses__()
}
