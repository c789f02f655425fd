"""Opening a table: its first event says under which law it is played, and at whose house."""

from __future__ import annotations

from croupier.rulebook import Rulebook
from croupier.rulebook.rules import Rules
from croupier.table.events import TableOpened
from croupier.table.evolve import open_state
from croupier.table.state import State


def open_table(book: Rulebook, rules: Rules) -> tuple[State, TableOpened]:
    """A new table under the rules, and the event that opens it."""
    instrument = max(book.instruments, key=lambda instrument: instrument.made)
    opened = TableOpened(
        rulebook=book.id,
        instrument=instrument.id,
        made=instrument.day,
        house=rules.house.name,
        operator=rules.house.operator,
        approvals={name: approval.ref for name, approval in rules.house.approvals.items()},
        basis=("instrument", "approvals", "operator"),
    )
    return open_state(rules), opened
