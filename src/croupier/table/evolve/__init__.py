"""What events make of the state: one step a kind of event, listed in `croupier.table.contents`."""

from croupier.rulebook.rules import Rules
from croupier.table.evolve.rounds import wagered, wagers_of
from croupier.table.evolve.steps import cards_on_table, new_cards, unopened
from croupier.table.state import Box, State

__all__ = ["cards_on_table", "open_state", "wagered", "wagers_of"]


def open_state(rules: Rules) -> State:
    """A table that has just been opened: cards unchecked, nobody there."""
    house = rules.house
    return State(
        rules=rules,
        shoe=new_cards(rules, automated=house.automated_shoe),
        boxes=tuple(Box(number=number) for number in range(1, house.boxes + 1)),
        stage=unopened(rules),
        offered_on=dict.fromkeys(house.side_bets, 0),
        minimum=house.minimum,
        maximum=house.maximum,
    )
