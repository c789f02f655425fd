"""How hands end: held to the table, whose own events are counted while a small shoe is enumerated."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

import enumeration
from croupier.errors import ParseError
from croupier.exact import solve
from croupier.exact.endings import GROUNDS, Endings, endings
from croupier.exact.solver import Solver
from croupier.game.hand import hand_total, is_natural
from croupier.rulebook import load
from croupier.rulebook.rules import Rules
from croupier.table import advance
from croupier.table.actors import player
from croupier.table.commands import Command, office_of
from croupier.table.events import Settled
from croupier.table.state import State
from croupier.table.wagers import MAIN
from enumeration import PLAYER, Enumeration
from test_exact_truth import NATURALS, PAID_AT_ONCE, TAKES, as_shoe, rules_of, shoe_of
from test_spread import SURRENDERED

BASE = 1 << 40  # what a round brings and counts are digits of one number, some of them negative
PAYING = ("win_pays", "doubled_wins_pay")
Key = tuple[str, Any]

SHOES: list[tuple[str, str, dict[str, Any]]] = [
    ("act-blackjack-2003", "8s:5 Ts:6 As:3", {}),
    ("act-blackjack-2003", "6s:4 9s:4 Js:10", {"surrender": "late", "soft_17": "hit"}),
    ("act-blackjack-2003", "7s:3 6s:2 8s:6 Ks:2 Ts:1", SURRENDERED),
    ("act-blackjack-2003", "As:5 Ks:8 9s:2", {"natural_after_split": True, "resplit_aces": True}),
    ("act-blackjack-2003", "As:3 Ts:7 9s:3", NATURALS | {"dealer_natural_takes": "original"}),
    ("act-blackjack-1997", "9s:4 Js:3 8s:5", {}),
    ("uk-blackjack-1994", "8s:6 As:4 Ts:8", {}),
    ("uk-blackjack-1994", "As:7 Ts:12", PAID_AT_ONCE),
    ("act-pontoon-2002", "7s:3 7h:1 6s:1 8s:1 Js:9 Ah:1", {}),
    ("act-pontoon-2002", "6s:1 7s:2 8s:2 Js:6", {"doubled_wins_pay": None}),
    ("act-pontoon-2002", "As:2 8s:3 5s:3 6s:1 7s:1 7h:1 Js:8", {"max_hands": 1}),
    *[("act-blackjack-2003", "As:3 8s:5 Js:14", {"dealer_natural_takes": takes}) for takes in TAKES],
]


class Watch:
    """Settlements of main wagers, put into what the player has won as further digits."""

    def __init__(self, rules: Rules, wager: int) -> None:
        self.rules, self.wager = rules, wager
        self.digits: dict[Key, int] = {}

    def give(self, state: State, *commands: Command) -> State:
        for command in commands:
            state, events = advance(state, command, office_of(type(command)) or player(PLAYER))
            noted = sum(
                self.noted(state, event)
                for event in events
                if isinstance(event, Settled) and event.wager == MAIN
            )
            if noted:
                state = replace(state, won=state.won | {PLAYER: state.won.get(PLAYER, 0) + noted})
        return state

    def noted(self, state: State, event: Settled) -> int:
        ending, stake = ending_of(event), event.stake // self.wager
        found = event.net * self.digit(("brings", ending))
        if stake:
            found += self.digit((ending, stake)) + self.digit(("total", self.total(state, event, ending)))
        return found

    def total(self, state: State, event: Settled, ending: str) -> str:
        hand = state.hand(event.box, event.hand)
        if ending == "player_busts":
            return "bust"
        if ending == "forfeit" or hand.surrendered:
            return "given up"
        return "natural" if is_natural(self.rules, hand) else str(hand_total(self.rules, hand)[0])

    def digit(self, key: Key) -> int:
        return BASE ** (1 + self.digits.setdefault(key, len(self.digits)))

    def read(self, number: int) -> tuple[int, Counter[Key]]:
        """What a number says: cents, and the rest."""
        digits = []
        while number:
            digits.append((number + BASE // 2) % BASE - BASE // 2)
            number = (number - digits[-1]) // BASE
        cents = digits[0] if digits else 0
        return cents, Counter(
            {key: digits[1 + at] for key, at in self.digits.items() if 1 + at < len(digits)}
        )


def ending_of(event: Settled) -> str:
    names = (name for name in event.basis if name in (*GROUNDS, *PAYING) or name.startswith("bonus_rows."))
    return next(names, "dealer_natural" if "dealer_natural_takes" in event.basis else str(event.basis))


def counted_by_the_table(
    rules: Rules, shoe: dict[Any, int], patch: pytest.MonkeyPatch
) -> tuple[dict[Key, Fraction], Fraction]:
    """The mean of every digit, and of what the round brings, in units of the wager."""
    watch = Watch(rules, rules.house.minimum)
    alike = enumeration.key_when_done

    def key_when_done(state: State, hand: Any) -> Any:
        paid = enumeration.winning_odds(rules, hand, doubled=bool(hand.stakes[0].doubled))[1]
        return (*alike(state, hand), paid if hand.lives else ())

    patch.setattr(enumeration, "give", watch.give)
    patch.setattr(enumeration, "key_when_done", key_when_done)
    patch.setattr(
        enumeration, "in_all", lambda counts: sum(watch.read(net)[0] * ways for net, ways in counts.items())
    )
    outcomes = Enumeration(rules, shoe, watch.wager).result().outcomes
    found: Counter[Key] = Counter()
    ev = Fraction(0)
    for packed, chance in outcomes.items():
        cents, digits = watch.read(int(packed * watch.wager))
        ev += chance * Fraction(cents, watch.wager)
        for key, digit in digits.items():
            found[key] += chance * Fraction(digit, watch.wager if key[0] == "brings" else 1)
    return {key: mean for key, mean in found.items() if mean}, ev


def as_digits(found: Endings) -> dict[Key, Any]:
    digits: Counter[Key] = Counter()
    for end in found.ends:
        digits[end.provision, end.stake] += end.hands
        digits["brings", end.provision] += end.brings
    for total, hands in found.totals.items():
        digits["total", total] += hands
    return {key: mean for key, mean in digits.items() if mean}


@pytest.mark.parametrize(("book", "shoe", "changes"), SHOES, ids=str)
def test_hands_end_as_often_as_at_the_table(
    book: str, shoe: str, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, counts = rules_of(book, **changes), shoe_of(shoe)
    found = endings(Solver(rules, as_shoe(counts), exact=True))
    digits, ev = counted_by_the_table(rules, counts, monkeypatch)
    assert as_digits(found) == digits
    assert found.ev == ev == sum(brings for key, brings in digits.items() if key[0] == "brings")
    assert found.staked == sum(
        stake * hands for (name, stake), hands in digits.items() if name not in ("brings", "total")
    )


def test_play_of_single_hands_has_no_endings() -> None:
    solution = solve(load("act-blackjack-2003").choose(), decks=1, post_split="cdp")
    with pytest.raises(ParseError, match="cdp plays each hand of a split by itself"):
        endings(solution.solver)
