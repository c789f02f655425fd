"""Rulebooks: instruments, the text in force on a day, provisions, and one frozen `Rules` a table."""

from croupier.rulebook.book import Rulebook, Words
from croupier.rulebook.grounds import GROUNDS
from croupier.rulebook.house import House
from croupier.rulebook.load import NAMES, load
from croupier.rulebook.paytable import Pattern, Row, SideBet, SuperBonus
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.rules import Rules
from croupier.rulebook.text import Clause, Instrument

__all__ = [
    "GROUNDS",
    "NAMES",
    "Clause",
    "House",
    "Instrument",
    "Pattern",
    "Row",
    "Rulebook",
    "Rules",
    "SideBet",
    "SuperBonus",
    "Words",
    "load",
    "rules_hash",
]
