"""Play lines: what people do in a case, as text, turned into commands for the state at hand."""

from __future__ import annotations

import re

from croupier.errors import ParseError
from croupier.money import cents
from croupier.table import commands as cmd
from croupier.table.commands import Command
from croupier.table.state import Hand, Stake, State, decider, present

PLACE = re.compile(r"^(\d{1,3})(?:\.(\d{1,3}))?$", re.ASCII)
IRREGULARITIES = {
    "drawn-in-error": cmd.DrawInError,
    "burnt-in-error": cmd.BurnInError,
    "dealer-overdraw": cmd.OverdrawDealer,
}
OFFER_VERBS = frozenset({"insure", "even-money", "surrender"})


def split_refused(line: str) -> tuple[str, str]:
    """A line and the clause under which it must be refused, if it must."""
    act, _, clause = line.partition(" refused ")
    return act.strip(), clause.strip()


def is_offer(line: str) -> bool:
    """Is the line about insurance, even money or surrender?"""
    return bool(OFFER_VERBS & set(line.split()))


def irregularity(line: str) -> type[Command] | None:
    """The irregularity that the line names, if it names one."""
    words = line.split()
    if not words or words[0] != "irregularity":
        return None
    kind = IRREGULARITIES.get(" ".join(words[1:]))
    if kind is None:
        raise ParseError(f"{line!r}: an irregularity is one of {', '.join(IRREGULARITIES)}")
    return kind


def read_line(state: State, line: str) -> Command:
    """The command that a play line means at this state."""
    words = line.split()
    place = PLACE.match(words[0]) if words else None
    if place is None or len(words) < 2:
        raise ParseError(f"{line!r} is no play line: it begins with a box, as in `1 hit` or `1.2 stand`")
    box, hand = int(place[1]), int(place[2] or 1)
    rest = words[1:]
    if len(rest) >= 2 and rest[1] in ("insure", "even-money", "forfeit", "surrender"):
        return _bettor_line(line, box, hand, rest[0], rest[1:])
    return _box_line(state, line, box, hand, rest[0], rest[1:])


def _bettor_line(line: str, box: int, hand: int, player: str, words: list[str]) -> Command:
    if words[0] == "insure" and len(words) == 2:
        return cmd.Insure(player=player, box=box, amount=cents(words[1]))
    if words == ["even-money"]:
        return cmd.TakeEvenMoney(player=player, box=box)
    if words == ["forfeit"]:
        return cmd.Forfeit(player=player, box=box, hand=hand)
    if words == ["surrender"]:
        return cmd.Surrender(player=player, box=box)
    raise ParseError(f"{line!r} is no play line")


def _box_line(state: State, line: str, box: int, hand: int, verb: str, rest: list[str]) -> Command:
    known = 1 <= box <= len(state.boxes)
    owner = decider(state, state.box(box), _hand(state, box, hand)) if known else ""
    if verb == "hit" and not rest:
        return cmd.Hit(player=owner, box=box, hand=hand)
    if verb == "stand" and not rest:
        return cmd.Stand(player=owner, box=box, hand=hand)
    if verb == "surrender" and not rest:
        return cmd.Surrender(player=owner, box=box)
    if verb == "absent" and not rest:
        return cmd.ReportAbsent(box=box, hand=hand)
    if verb == "split":
        return cmd.Split(players=tuple(rest) or _everyone(state, box, hand), box=box, hand=hand)
    if verb == "double":
        return cmd.Double(amounts=_amounts(line, rest) or _in_full(state, box, hand), box=box, hand=hand)
    raise ParseError(
        f"{line!r} is no play line: {verb!r} is not hit, stand, split, double, surrender or absent"
    )


def _hand(state: State, box: int, hand: int) -> Hand:
    if 1 <= box <= len(state.boxes) and 1 <= hand <= len(state.box(box).hands):
        return state.hand(box, hand)
    return Hand()


def _everyone(state: State, box: int, hand: int) -> tuple[str, ...]:
    return tuple(stake.player for stake in _joining(state, box, hand))


def _in_full(state: State, box: int, hand: int) -> dict[str, int]:
    return {stake.player: stake.original for stake in _joining(state, box, hand)}


def _joining(state: State, box: int, number: int) -> list[Stake]:
    """The stakes of those who are there to split or double."""
    hand = _hand(state, box, number)
    here = present(state, state.box(box), hand) if hand.stakes else []
    return [stake for stake in hand.stakes if stake.player in here]


def _amounts(line: str, words: list[str]) -> dict[str, int]:
    amounts = {}
    for word in words:
        player, equals, amount = word.partition("=")
        if not equals:
            raise ParseError(f"{line!r}: write who doubles by how much, as in p1=10")
        amounts[player] = cents(amount)
    return amounts
