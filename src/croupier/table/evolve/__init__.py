"""What events make of the state: one step a kind of event, listed in `croupier.table.contents`."""

from croupier.cards import pack
from croupier.rulebook.rules import Rules
from croupier.table.evolve.rounds import wagered, wagers_of
from croupier.table.evolve.steps import cards_on_table, full_packs, unopened
from croupier.table.state import Box, Shoe, State, Terms

__all__ = ["cards_on_table", "full_packs", "open_state", "wagered", "wagers_of"]


def open_state(rules: Rules) -> State:
    """A table that has just been opened: cards unchecked, nobody there."""
    house = rules.house
    cards = pack(rules.ranks, house.decks)
    return State(
        rules=rules,
        terms=Terms(
            decks=house.decks,
            shuffle=house.shuffle,
            cutting_cards=house.cutting_cards,
            minimum=house.minimum,
            maximum=house.maximum,
            offered_on=dict.fromkeys(house.side_bets, 0),
        ),
        shoe=Shoe(left=sum(cards), unseen=cards, automated=house.automated_shoe),
        boxes=tuple(Box(number=number) for number in range(1, house.boxes + 1)),
        stage=unopened(rules),
    )
