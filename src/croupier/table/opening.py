"""Opening a table: its first event says under which law it is played, and at whose house."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from croupier.rulebook import Rulebook
from croupier.rulebook.rules import Rules
from croupier.table.events import TableOpened
from croupier.table.evolve import open_state
from croupier.table.state import State


def open_table(book: Rulebook, rules: Rules) -> tuple[State, TableOpened]:
    """A new table under the rules, and the event that opens it."""
    instrument = max(book.instruments, key=lambda instrument: instrument.made)
    return open_state(rules), opened_as(rules, instrument.id, instrument.day)


def opened_as(rules: Rules, instrument: str, made: str) -> TableOpened:
    """The event that opens a table under rules that an instrument made on a day."""
    return TableOpened(
        rulebook=rules.rulebook,
        instrument=instrument,
        made=made,
        house=rules.house.name,
        operator=rules.house.operator,
        approvals={name: approval.ref for name, approval in rules.house.approvals.items()},
        basis=("instrument", "approvals", "operator"),
    )


class Start(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How somebody finds a table in progress: so many cards left in the shoe (None: all), and burns due."""

    left: int | None = None
    burns: int = 0


def start_state(rules: Rules, start: Start) -> State:
    """A table with a shoe in progress, or (with burns due) a new one."""
    state = open_state(rules)
    shoe = state.shoe
    left = shoe.left if start.left is None else start.left
    shoe = replace(
        shoe,
        number=1,
        left=left,
        rack=shoe.left - left,
        back_card=1,
        front_card=1 if rules.house.cutting_cards == 2 else None,
        burns_due=start.burns,
    )
    return replace(state, shoe=shoe, stage="burn" if start.burns else "idle")
