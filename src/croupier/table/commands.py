"""Commands: everything anybody can ask of a table, chance included.

Each is a verb. Players' commands name the player, staff commands say who gives them (`by`). A card
that leaves the shoe is a command too: the virtual shoe, a scripted case and a dealer who types in
real cards all speak through `Deal` and its kin. Amounts are cents.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from croupier.cards import Card

Role = Literal["dealer", "supervisor", "operator", "regulator"]


class Command(Struct, frozen=True, tag=True, forbid_unknown_fields=True, omit_defaults=True):
    """What somebody asks of the table."""

    role: ClassVar[Role | None] = None


class Staff(Command, frozen=True):
    """A command that only one role may give."""


# Opening, cards and shoe


class CheckCards(Staff, frozen=True):
    """The dealer has counted the cards, `missing` and `extra` being what did not fit."""

    role: ClassVar[Role | None] = "dealer"
    missing: tuple[Card, ...] = ()
    extra: tuple[Card, ...] = ()
    by: str = "dealer"


class Shuffle(Staff, frozen=True):
    role: ClassVar[Role | None] = "dealer"
    by: str = "dealer"


class OfferCut(Staff, frozen=True):
    """The dealer offers the cut to whoever the rules name next."""

    role: ClassVar[Role | None] = "dealer"
    by: str = "dealer"


class DeclineCut(Command, frozen=True):
    player: str


class Cut(Command, frozen=True):
    """The cutter puts the cutting card `at` so many cards from the front."""

    by: str
    at: int


class PlaceCuttingCards(Staff, frozen=True):
    """The dealer puts the cutting card so many cards from the back, the second from the front."""

    role: ClassVar[Role | None] = "dealer"
    from_back: int
    from_front: int | None = None
    by: str = "dealer"


class LoadAutomatedShoe(Staff, frozen=True):
    role: ClassVar[Role | None] = "dealer"
    by: str = "dealer"


class InstructShuffle(Staff, frozen=True):
    """The supervisor says at which of two cutting cards the shuffle falls."""

    role: ClassVar[Role | None] = "supervisor"
    at: Literal["front", "back"]
    by: str = "supervisor"


class Burn(Staff, frozen=True):
    """The next card of the shoe is burnt, as the rules require here."""

    role: ClassVar[Role | None] = "dealer"
    card: Card
    by: str = "dealer"


# Betting


class OpenBetting(Staff, frozen=True):
    """The dealer invites wagers for the next round; `at` is the time of day, where hours are kept."""

    role: ClassVar[Role | None] = "dealer"
    at: str = ""
    by: str = "dealer"


class Sit(Command, frozen=True):
    player: str
    box: int


class Leave(Command, frozen=True):
    player: str
    box: int


class Wager(Command, frozen=True):
    """A main wager with its side bets; among those not seated the first placed is nearest the dealer."""

    player: str
    box: int
    stake: int
    sides: dict[str, int] = {}
    tender: str = "chips"


class TakeBack(Command, frozen=True):
    """The player takes back or changes a wager."""

    player: str
    box: int


class AnnounceNoMoreBets(Staff, frozen=True):
    role: ClassVar[Role | None] = "dealer"
    by: str = "dealer"


# Cards out of the shoe


class Deal(Staff, frozen=True):
    """The next card leaves the shoe; the rules say where it belongs.

    `laid_on` tells that it was laid elsewhere: `2`, `1.2`, `dealer`.
    """

    role: ClassVar[Role | None] = "dealer"
    card: Card
    laid_on: str = ""
    by: str = "dealer"


class DealFaceUp(Staff, frozen=True):
    """The next card of the shoe lies in it face upwards."""

    role: ClassVar[Role | None] = "dealer"
    card: Card
    by: str = "dealer"


class DrawCuttingCard(Staff, frozen=True):
    """The cutting card comes out of the shoe."""

    role: ClassVar[Role | None] = "dealer"
    by: str = "dealer"


class DrawInError(Staff, frozen=True):
    role: ClassVar[Role | None] = "dealer"
    card: Card
    by: str = "dealer"


class BurnInError(Staff, frozen=True):
    role: ClassVar[Role | None] = "dealer"
    card: Card
    by: str = "dealer"


class OverdrawDealer(Staff, frozen=True):
    """A card is drawn to the dealer's hand that should not have been."""

    role: ClassVar[Role | None] = "dealer"
    card: Card
    by: str = "dealer"


class ShoeRunsOut(Staff, frozen=True):
    """The shoe is empty and the round is not over."""

    role: ClassVar[Role | None] = "dealer"
    by: str = "dealer"


# Insurance and play


class Insure(Command, frozen=True):
    player: str
    box: int
    amount: int
    place: str = "insurance line"


class TakeEvenMoney(Command, frozen=True):
    player: str
    box: int


class Surrender(Command, frozen=True):
    player: str
    box: int


class CloseOffers(Staff, frozen=True):
    """The dealer ends the time for insurance, even money and surrender."""

    role: ClassVar[Role | None] = "dealer"
    by: str = "dealer"


class Hit(Command, frozen=True):
    player: str
    box: int
    hand: int = 1


class Stand(Command, frozen=True):
    player: str
    box: int
    hand: int = 1


class Split(Command, frozen=True):
    """These bettors split; the others on the hand ride on its first part."""

    players: tuple[str, ...]
    box: int
    hand: int = 1
    amounts: dict[str, int] = {}


class Double(Command, frozen=True):
    """These bettors double, each by so much."""

    amounts: dict[str, int]
    box: int
    hand: int = 1


class Forfeit(Command, frozen=True):
    player: str
    box: int
    hand: int = 1


class ReportAbsent(Staff, frozen=True):
    """The player who should decide is not there."""

    role: ClassVar[Role | None] = "dealer"
    box: int
    hand: int = 1
    by: str = "dealer"


class Settle(Staff, frozen=True):
    """The dealer makes the final settlement."""

    role: ClassVar[Role | None] = "dealer"
    by: str = "dealer"


class Collect(Staff, frozen=True):
    """The dealer collects all cards: the round is over."""

    role: ClassVar[Role | None] = "dealer"
    by: str = "dealer"


# Supervision


class GiveNotice(Staff, frozen=True):
    role: ClassVar[Role | None] = "operator"
    of: Literal["limits", "cards", "closure"]
    to: Literal["players", "officer"] = "players"
    by: str = "operator"


class SetLimits(Staff, frozen=True):
    role: ClassVar[Role | None] = "operator"
    minimum: int
    maximum: int
    by: str = "operator"


class SetCards(Staff, frozen=True):
    """The operator determines decks and shuffle for the next shoe."""

    role: ClassVar[Role | None] = "operator"
    decks: int | None = None
    shuffle: str | None = None
    by: str = "operator"


class SetSideBet(Staff, frozen=True):
    """The operator opens or withdraws a side bet."""

    role: ClassVar[Role | None] = "operator"
    name: str
    offered: bool
    by: str = "operator"


class BeginDay(Staff, frozen=True):
    """A new gaming day begins."""

    role: ClassVar[Role | None] = "operator"
    by: str = "operator"


class SetCuttingCards(Staff, frozen=True):
    """The supervisor determines how many cutting cards the next shoe has."""

    role: ClassVar[Role | None] = "supervisor"
    count: int
    by: str = "supervisor"


class RaiseLimit(Staff, frozen=True):
    """A marker at the box shows a new maximum, for everybody or for one player."""

    role: ClassVar[Role | None] = "operator"
    box: int
    maximum: int
    player: str = ""
    by: str = "operator"


class RemoveMarker(Staff, frozen=True):
    """The marker at a raised-limit box is taken away."""

    role: ClassVar[Role | None] = "operator"
    box: int
    by: str = "operator"


class Hold(Staff, frozen=True):
    """A late or lapsed bettor may bet only the minimum, and/or only on the first box, until a new shoe."""

    role: ClassVar[Role | None] = "operator"
    player: str
    minimum: bool = True
    first_box: bool = False
    by: str = "operator"


class GiveUpBox(Staff, frozen=True):
    """A player with several boxes hands one over to a player who has none."""

    role: ClassVar[Role | None] = "operator"
    box: int
    to: str
    by: str = "operator"


class VacateSeat(Staff, frozen=True):
    role: ClassVar[Role | None] = "operator"
    player: str
    by: str = "operator"


class ReplaceCards(Staff, frozen=True):
    """One card, or (no card named) all of them, replaced after the named checks."""

    role: ClassVar[Role | None] = "operator"
    card: Card | None = None
    checked_by: tuple[str, ...] = ()
    by: str = "operator"


class AnnounceFinalRounds(Staff, frozen=True):
    role: ClassVar[Role | None] = "supervisor"
    by: str = "supervisor"


class NoticePastCuttingCard(Staff, frozen=True):
    """It is noticed that dealing went on after the cutting card had been drawn."""

    role: ClassVar[Role | None] = "supervisor"
    by: str = "supervisor"


class VoidRound(Staff, frozen=True):
    """A misplaced card in an earlier round is found after the next has begun."""

    role: ClassVar[Role | None] = "supervisor"
    round: int
    by: str = "supervisor"


class Invalidate(Staff, frozen=True):
    """The game or a round (an earlier one by its number) is invalidated, its wagers refunded or not."""

    role: ClassVar[Role | None] = "operator"
    cause: str
    scope: Literal["game", "round"] = "round"
    round: int | None = None
    refund: bool = True
    by: str = "operator"


class RecordBreach(Staff, frozen=True):
    """A breach of the rules, or a forbidden device, is put on record."""

    role: ClassVar[Role | None] = "supervisor"
    player: str
    what: str
    device: Literal["", "a", "b", "c"] = ""
    by: str = "supervisor"


class VoidWager(Staff, frozen=True):
    role: ClassVar[Role | None] = "operator"
    player: str
    box: int
    by: str = "operator"


class Exclude(Staff, frozen=True):
    role: ClassVar[Role | None] = "operator"
    player: str
    by: str = "operator"


class OpenDispute(Command, frozen=True):
    player: str
    about: str


class Rule(Staff, frozen=True):
    """The operator rules on a dispute: `award` cents to the player."""

    role: ClassVar[Role | None] = "operator"
    dispute: int
    award: int = 0
    by: str = "operator"


class RequestReview(Command, frozen=True):
    player: str
    dispute: int


class Review(Staff, frozen=True):
    """The regulator decides a dispute under review: `award` cents to the player in all."""

    role: ClassVar[Role | None] = "regulator"
    dispute: int
    award: int = 0
    by: str = "regulator"


class ReportMalfunction(Staff, frozen=True):
    """The automated shoe fails. `then` is the dealer's choice where the rules leave one."""

    role: ClassVar[Role | None] = "dealer"
    kind: str
    rectified: bool = False
    then: Literal["", "cutting_card", "reshuffle"] = ""
    cutting_card: int | None = None
    by: str = "dealer"


class ReplaceShoe(Staff, frozen=True):
    role: ClassVar[Role | None] = "operator"
    automated: bool
    by: str = "operator"


class Ask(Command, frozen=True):
    """Somebody asks to be told what the rules say they may know."""

    player: str
    about: Literal["determinations", "limits", "rules"]


class Attempt(Command, frozen=True):
    """An act that no rulebook allows at the table, put so that the refusal can cite why."""

    by: str
    act: Literal["advise", "peek", "override_payout", "set_shoe_order", "transfer", "play_for_another"]


class CloseTable(Staff, frozen=True):
    role: ClassVar[Role | None] = "operator"
    by: str = "operator"


KINDS: dict[str, type[Command]] = {
    kind.__name__: kind
    for kind in globals().copy().values()
    if isinstance(kind, type) and issubclass(kind, Command) and kind not in (Command, Staff)
}
