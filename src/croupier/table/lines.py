"""Play lines: what people do, as text, turned into commands for the state at hand.

    1 hit · 1.2 stand · 3 surrender · 3 absent      the decider of the box, or of its second hand
    1 split · 1 double · 1 double 10                the decider's own part of a split or double
    1 p2 splits · 1 p2 rides · 1 p2 doubles 10 · 1 p2 stays     what another bettor answers
    2 p1 insure 10 · 2 p1 even-money · 1 p1 forfeit · 1 p2 absent       a bettor on a box
    p1 returns                                      who was absent is back
    1 split p1 p2 · 1 double p1=10 p3=30            several bettors' own answers in one line

In cases and clause tests (`everybody`) a split or double says all the answers: who is not named
rides or stays, and `1 split` or `1 double` alone means that everybody joins in.
"""

from __future__ import annotations

import re

from croupier.errors import ParseError
from croupier.money import cents
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, player
from croupier.table.commands import Asked, Command
from croupier.table.state import Box, BoxHand, State, decider
from croupier.table.turns import who_may_join

PLACE = re.compile(r"^(\d{1,3})(?:\.(\d{1,3}))?$", re.ASCII)
IRREGULARITIES = {
    "drawn-in-error": cmd.DrawInError,
    "burnt-in-error": cmd.BurnInError,
    "dealer-overdraw": cmd.OverdrawDealer,
}
OFFER_VERBS = frozenset({"insure", "even-money", "surrender"})
BETTOR_VERBS = {
    "even-money": cmd.TakeEvenMoney,
    "surrender": cmd.Surrender,
    "forfeit": cmd.Forfeit,
    "splits": cmd.Split,
    "rides": cmd.Ride,
    "doubles": cmd.Double,
    "stays": cmd.Stay,
}
Amounts = dict[str, int | None]


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
    if words[:1] != ["irregularity"]:
        return None
    kind = IRREGULARITIES.get(" ".join(words[1:]))
    if kind is None:
        raise ParseError(f"{line!r}: an irregularity is one of {', '.join(IRREGULARITIES)}")
    return kind


def read_line(state: State, line: str, *, everybody: bool = False) -> list[Asked]:
    """What a play line asks at this state, and who asks it."""
    words = line.split()
    if words[1:] == ["returns"]:
        return [Asked(cmd.Return(player=words[0]), DEALER)]
    place = PLACE.match(words[0]) if words else None
    if place is None or len(words) < 2:
        raise ParseError(f"{line!r} is no play line: it begins with a box, as in `1 hit` or `1.2 stand`")
    box, hand = int(place[1]), int(place[2] or 1)
    rest = words[1:]
    if len(rest) >= 2 and (rest[1] in BETTOR_VERBS or rest[1] in ("insure", "absent")):
        return [_bettor_line(line, box, hand, rest[0], rest[1:])]
    if rest[0] in ("split", "double"):
        return _shared_line(state, line, box, hand, rest[0], rest[1:], everybody=everybody)
    return [_box_line(state, line, box, hand, rest)]


def _bettor_line(line: str, box: int, hand: int, name: str, words: list[str]) -> Asked:
    verb, *amounts = words
    if verb == "insure" and len(amounts) == 1:
        return Asked(cmd.Insure(box=box, amount=cents(amounts[0])), player(name))
    if verb == "absent" and not amounts:
        return Asked(cmd.ReportAbsent(box=box, hand=hand, player=name), DEALER)
    kind = BETTOR_VERBS.get(verb)
    if kind is cmd.Double and len(amounts) == 1:
        return Asked(cmd.Double(box=box, hand=hand, amount=cents(amounts[0])), player(name))
    if kind is None or amounts:
        raise ParseError(f"{line!r} is no play line")
    fields = {"box": box} | ({"hand": hand} if "hand" in kind.__struct_fields__ else {})
    return Asked(kind(**fields), player(name))


def _box_line(state: State, line: str, box: int, hand: int, words: list[str]) -> Asked:
    by = player(decider_of(state, box, hand))
    if words == ["hit"]:
        return Asked(cmd.Hit(box=box, hand=hand), by)
    if words == ["stand"]:
        return Asked(cmd.Stand(box=box, hand=hand), by)
    if words == ["surrender"]:
        return Asked(cmd.Surrender(box=box), by)
    if words == ["absent"]:
        return Asked(cmd.ReportAbsent(box=box, hand=hand), DEALER)
    raise ParseError(
        f"{line!r} is no play line: {words[0]!r} is not hit, stand, split, double, surrender or absent"
    )


def _shared_line(
    state: State, line: str, box: int, hand: int, verb: str, words: list[str], *, everybody: bool
) -> list[Asked]:
    """A split or double: the decider's own, or that of several bettors."""
    owner = decider_of(state, box, hand)
    if verb == "double" and len(words) == 1 and "=" not in words[0]:
        return [Asked(cmd.Double(box=box, hand=hand, amount=cents(words[0])), player(owner))]
    named: Amounts = dict.fromkeys(words) if verb == "split" else _amounts(line, words)
    if not named:
        named = dict.fromkeys(_on_hand(state, box, hand) if everybody else [owner]) or {owner: None}
        if verb == "double" and everybody:
            named = {name: _stake(state, box, hand, name) for name in named}
    return several(state, box, hand, verb, named, everybody=everybody)


def several(state: State, box: int, hand: int, verb: str, named: Amounts, *, everybody: bool) -> list[Asked]:
    """The answers of several bettors to a split or double, the decider's first."""
    kind = cmd.Split if verb == "split" else cmd.Double
    on_hand = _on_hand(state, box, hand)
    # Whoever does not belong there comes first, so that nothing is carried out before the refusal.
    joining = sorted(named, key=lambda name: on_hand.index(name) if name in on_hand else -1)
    asked = [Asked(kind(box=box, hand=hand, amount=named[name]), player(name)) for name in joining]
    if everybody:
        decline = cmd.Ride if verb == "split" else cmd.Stay
        asked += [Asked(decline(box=box, hand=hand), player(name)) for name in on_hand if name not in named]
    return asked


def decider_of(state: State, box: int, hand: int) -> str:
    """Who decides for the hand, "" where there is none or nobody."""
    found = _find(state, box, hand)
    return decider(state, *found) if found else ""


def _on_hand(state: State, box: int, hand: int) -> list[str]:
    """Those on the hand who are there to split or double, the decider first."""
    found = _find(state, box, hand)
    return who_may_join(state, *found) if found else []


def _stake(state: State, box: int, hand: int, name: str) -> int | None:
    """What a bettor has on the hand, which a double in full adds."""
    found = _find(state, box, hand)
    return (found[1].stake_of(name) if found else 0) or None


def _find(state: State, box: int, hand: int) -> tuple[Box, BoxHand] | None:
    if 1 <= box <= len(state.boxes) and 1 <= hand <= len(state.box(box).hands):
        return state.box(box), state.hand(box, hand)
    return (state.box(box), BoxHand()) if 1 <= box <= len(state.boxes) else None


def _amounts(line: str, words: list[str]) -> Amounts:
    amounts: Amounts = {}
    for word in words:
        name, equals, amount = word.partition("=")
        if not equals:
            raise ParseError(f"{line!r}: write who doubles by how much, as in p1=10")
        amounts[name] = cents(amount)
    return amounts
