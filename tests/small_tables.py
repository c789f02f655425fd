"""Small tables to search, and what counts as one state of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from asking import RANKS
from croupier.rulebook import load
from croupier.rulebook.book import Rulebook
from croupier.table import open_state
from croupier.table.opening import Start, start_state
from croupier.table.state import State


class Table(NamedTuple):
    """A small table: its rulebook, the house's settings, and how many cards its shoe begins with."""

    rulebook: str
    title: str
    house: dict[str, Any]
    left: int | None = None

    def start(self) -> State:
        rules = load(self.rulebook).choose(**self.house)
        if self.left is None:
            return open_state(rules)
        few = {name: _of(RANKS, getattr(rules, name)) for name in ("ranks", "face_value_ranks", "ten_ranks")}
        return start_state(replace(rules, **few), Start(left=self.left))


def _of(wanted: str, ranks: str) -> str:
    return "".join(rank for rank in ranks if rank in wanted)


SIDE_BETS = {
    "perfect_pairs": {"minimum": 2, "maximum": 50},
    "super_sevens": {"amount": 5},
    "over_under_13": True,
}


def tables(name: str) -> list[Table]:
    """The small tables on which a rulebook is searched."""
    book = load(name)
    rules = book.rules
    small = {"boxes": max(2, rules.boxes_needed), "decks": min(rules.decks_allowed)}
    offered = {bet.offered_as for bet in rules.side_bets.values()}
    sides = {name: terms for name, terms in SIDE_BETS.items() if name in offered}
    found = [
        Table(name, "side bets", small | sides),
        Table(name, "options", small | {"boxes": 3} | _options(book)),
        Table(name, "few cards", small, left=14),
    ]
    if rules.several_boxes == "house":
        found.append(Table(name, "one box each", small | {"several_boxes": False, "officer_available": True}))
    if rules.automated_shoe:
        found.append(Table(name, "automated shoe", small | {"automated_shoe": True}))
    if 2 in rules.cutting_cards_allowed:
        found.append(Table(name, "two cutting cards", small | {"cutting_cards": 2}))
    return found


def _options(book: Rulebook) -> dict[str, Any]:
    """The last value of every option, but as many bettors on a box as may be."""
    options = {name: values for name, (_, values) in book.options().items()}
    return {
        name: max(values) if name == "bettors_per_box" else values[-1] for name, values in options.items()
    }


# What counts as one state

FAR = 20  # so many cards left in the shoe are as good as any more


def key(state: State) -> bytes:
    """The state without what makes no difference to where it can lead."""
    shoe, people = state.shoe, state.people
    boxes = [
        replace(
            box,
            hands=tuple(replace(hand, cards=_ranks(hand.cards), arrived=()) for hand in box.hands),
        )
        for box in state.boxes
    ]
    return msgspec.msgpack.encode(
        (
            *(state.stage, boxes, _ranks(state.dealer), state.dealt, state.final_left, state.closing),
            *(
                state.checked_at_end,
                state.terms.minimum,
                state.terms.maximum,
                min(state.shoe_round, 2),
                min(state.day, 2),
            ),
            *(state.notices, [old.decided for old in state.past.page[-2:]]),
            *(sorted(state.terms.offered_on), state.begun),
            replace(
                shoe,
                left=min(shoe.left, FAR),
                rack=min(shoe.rack, FAR),
                unseen=b"",
                number=min(shoe.number, 2),
                held=_ranks(shoe.held),
                back_card=shoe.back_card and 1,
                front_card=shoe.front_card and 1,
                shuffling=min(shoe.shuffling, 1),
            ),
            replace(
                people,
                breaches=tuple(sorted(set(people.breaches))),
                excluded=tuple(sorted(set(people.excluded))),
                held=tuple(dict.fromkeys(people.held)),
                abstained={player: min(count, 3) for player, count in people.abstained.items()},
                disputes=(),
            ),
            *(sorted({dispute.status for dispute in people.disputes}), state.terms.decks),
            state.terms.cutting_cards,
        )
    )


def _ranks(cards: Iterable[str]) -> tuple[Any, ...]:
    return tuple(card[0] for card in cards)


def feature(state: State) -> tuple[Any, ...]:
    """What is uncommon about a state: the search takes every such kind as often as any other."""
    shoe = state.shoe
    bets = [bet for box in state.boxes for bet in (*box.bets, *box.loose)]
    hands = [hand for box in state.boxes for hand in box.hands]
    return (
        *(state.stage, bool(bets), state.closing, state.final_left is not None),
        *(any(notice.of == "closure" for notice in state.notices), bool(state.people.excluded), state.begun),
        state.people.disputes[-1].status if state.people.disputes else "",
        *(shoe.failed, shoe.resume, shoe.then, shoe.shuffle_due, bool(shoe.held)),
        *(any(bet.void for bet in bets), any(box.absent for box in state.boxes)),
        *(any(hand.calls for hand in hands), len(hands) > 2, any(hand.asked for hand in hands)),
    )
