"""The report as plain records. Nothing here is laid out, and nothing is worked out."""

from __future__ import annotations

from msgspec import Struct

from croupier.exact.by_cards import CardsCell
from croupier.exact.exceptions import Compared
from croupier.exact.many_rounds import ManyRounds
from croupier.exact.records import Cell, Spread, Start, Upcard
from croupier.exact.solution import Mistake
from croupier.exact.tally import DealerRow, Forfeits
from croupier.report.beside import BonusReport, InsuranceReport, SideBetReport
from croupier.report.par import Par
from croupier.rulebook.study import Study
from croupier.rulebook.text import Clause


class Provision(Struct, frozen=True):
    """One rule in words; `standing` says if the house chose it so, or left the law for it."""

    section: str
    name: str
    value: str
    clauses: tuple[Clause, ...]
    standing: str = ""  # "", "chosen" or "outside"


class HouseChoice(Struct, frozen=True):
    """What is left to the house: by a reading of a clause, or because the document is silent.

    Whether it changes the value of the main wager is not known of what the solver does not solve.
    """

    name: str
    chosen: str
    others: tuple[str, ...]
    clause: Clause | None
    changes_value: bool | None


class DecksRow(Struct, frozen=True):
    """The game from so many decks: the best play, the best by totals alone, and the deviation."""

    decks: int
    permitted: bool
    ev: float
    by_totals: float
    deviation: float


class ByCards(Struct, frozen=True):
    """The best play that knows numbers of cards too: what it is worth, and its chart."""

    ev: float
    cells: tuple[CardsCell, ...]


class Variation(Struct, frozen=True):
    """The game with one rule changed."""

    provision: str
    name: str
    now: str
    value: str
    ev: float
    change: float
    within: bool
    clauses: tuple[Clause, ...]


class Caution(Struct, frozen=True):
    """What a regulator must know, with the clauses it rests on."""

    kind: str  # "outside" the law, "favours" the player, or "fair": no edge at all
    text: str
    clauses: tuple[str, ...] = ()


class Report(Struct, frozen=True):
    """The mathematics of one game: every figure that a regulator is told, and its clause."""

    study: Study
    rules_hash: str
    decks: int
    ev: float
    spread: Spread
    cautions: tuple[Caution, ...]
    provisions: tuple[Provision, ...]
    readings: tuple[Clause, ...]
    choices: tuple[HouseChoice, ...]
    by_decks: tuple[DecksRow, ...]
    many_rounds: tuple[ManyRounds, ...]
    by_upcard: dict[str, Upcard]
    first_cards: tuple[Start, ...]
    chart: tuple[Cell, ...]
    exceptions: Compared
    by_cards: ByCards | None
    forfeits: tuple[Forfeits, ...]
    mistakes: tuple[Mistake, ...]
    dealer: tuple[DealerRow, ...]
    removals: dict[str, float]
    par: Par
    covariance: float  # of two boxes
    side_bets: tuple[SideBetReport, ...]
    insurance: tuple[InsuranceReport, ...]
    bonus: BonusReport | None
    variations: tuple[Variation, ...]
