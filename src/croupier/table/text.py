"""Commands as text that parses back: what a dealer types, a test says and a log shows.

Every command has one plain form, its verb, who asks and its fields: `cut by=p1 at=52`, amounts in dollars.
A player who asks may be named as `player=p1`; an order is its office's own unless `by=` says another.
What is said all the time is said shorter:

    Th                      the card leaves the shoe (`Th^` face up, `Th on 1.2` laid on the wrong hand)
    cut                     the cutting card comes out
    p1 sits 3               p1 takes the seat at box 3
    p1 bets 10 on 3         with side bets behind: `p1 bets 10 on 3 perfect_pairs=5`, or `pp=5`
    1 hit · 1.2 stand · 1 split · 1 p2 rides · 2 p1 insure 5 · p1 returns …     see `croupier.table.lines`
    reconstruct 1 Th 5d / 2 9c 4s           how these hands must lie
    error Th · burnt Th · overdraw Th    a card drawn in error, burnt in error, too many for the dealer
"""

from __future__ import annotations

import re
import shlex
from typing import Any, TypeVar, get_args

import msgspec

from croupier.cards import CUT, FACE_UP, parse_card, parse_cards
from croupier.errors import ParseError
from croupier.money import cents, plain
from croupier.printable import require_printable
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, PLAYERS, Actor, actor
from croupier.table.commands import KINDS, Asked, Command, asker_words, office_of
from croupier.table.conduct import card_command
from croupier.table.lines import PLACE, Amounts, read_line, several
from croupier.table.sidebets import short_name
from croupier.table.state import State

S = TypeVar("S", bound=msgspec.Struct)
MONEY = frozenset({"stake", "amount", "minimum", "maximum", "award"})
MONEY_TABLES = frozenset({"sides", "amounts"})
MISHAPS: dict[str, type[cmd.DrawInError] | type[cmd.BurnInError] | type[cmd.OverdrawDealer]] = {
    "error": cmd.DrawInError,
    "burnt": cmd.BurnInError,
    "overdraw": cmd.OverdrawDealer,
}


def verb(kind: type[Command]) -> str:
    """`PlaceCuttingCards` is `place-cutting-cards`."""
    return re.sub(r"(?<!^)([A-Z])", r"-\1", kind.__name__).lower()


VERBS: dict[str, type[Command]] = {verb(kind): kind for kind in KINDS.values()}


def write(command: Command, by: Actor) -> str:
    """The plain form of a command and who gives it."""
    words = [verb(type(command))]
    if by != office_of(type(command)):
        words.append(shlex.quote(f"{'player' if command.askers == PLAYERS else 'by'}={by.name}"))
    for field in msgspec.structs.fields(command):
        value = getattr(command, field.name)
        if field.required or (value != field.default and value != {}):
            words.append(shlex.quote(f"{field.name}={_show(field.name, value)}"))
    return " ".join(words)


def _show(name: str, value: Any) -> str:
    if name == "hands":
        return "/".join(f"{place}:{' '.join(cards)}" for place, cards in value.items())
    if isinstance(value, dict):
        return ",".join(f"{key}:{plain(part)}" for key, part in value.items())
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    return plain(value) if name in MONEY else str(value)


def parse(state: State, text: str) -> Asked:
    """The one thing that `text` means at this state, in its plain or its short form."""
    commands = parse_all(state, text)
    if len(commands) != 1:
        raise ParseError(f"{text!r} says several things; say them one by one")
    return commands[0]


def parse_all(state: State, text: str, *, everybody: bool = False) -> list[Asked]:
    """What `text` asks, and who: one command, or the answers of several bettors.

    `everybody`: a split or double says what everybody on the hand does, as in cases and tests.
    """
    require_printable(text.replace("\t", " "), "the line")
    try:
        words = shlex.split(text, comments=True)
    except ValueError as error:
        raise ParseError(f"{text!r}: {error}") from None
    if not words:
        raise ParseError("nothing was typed; `help` lists what the table understands")
    if PLACE.match(words[0]) or words[1:] == ["returns"]:
        return read_line(state, " ".join(words), everybody=everybody)
    if words[0] == "reconstruct" and "=" not in text:
        return [Asked(_reconstruct(" ".join(words[1:]), text), DEALER)]
    if words[0] in VERBS and (len(words) > 1 or words[0] != "cut"):
        kind = VERBS[words[0]]
        if {word.partition("=")[0] for word in words[1:]} & {"players", "amounts"}:
            return _for_several(state, words[0], words[1:], text, everybody=everybody)
        return [_plain(kind, words[1:], text)]
    return [_short(state, words, text)]


class _Several(msgspec.Struct, forbid_unknown_fields=True):
    """A split or double of several bettors in the plain form."""

    box: int
    hand: int = 1
    players: list[str] = []
    amounts: dict[str, int] = {}


def _for_several(state: State, word: str, words: list[str], text: str, *, everybody: bool) -> list[Asked]:
    if word not in ("split", "double"):
        raise ParseError(f"{text!r}: only a split or double is for several bettors")
    given = _given(_Several, words, text)
    named: Amounts = dict.fromkeys(given.players) | given.amounts
    return several(state, given.box, given.hand, word, named, everybody=everybody)


def _reconstruct(hands: str, text: str) -> cmd.Reconstruct:
    """`1 Th 5d / 2 9c 4s`: places and their cards."""
    groups = [group.split() for group in hands.split("/")]
    if not all(groups):
        raise ParseError(f"{text!r}: write each hand and its cards, as in reconstruct 1 Th 5d / 2 9c 4s")
    return cmd.Reconstruct(hands={place: parse_cards(" ".join(cards)) for place, *cards in groups})


def _plain(kind: type[Command], words: list[str], text: str) -> Asked:
    naming = [word for word in words if word.partition("=")[0] in asker_words(kind)]
    by = actor(naming[0].partition("=")[2]) if naming else office_of(kind)
    try:
        if by is None or len(naming) > 1:
            raise ParseError(f"{text!r}: say who asks, once, as in by=p1")
        return Asked(_given(kind, [word for word in words if word not in naming], text), by)
    except ParseError as error:
        raise ParseError(f"{error}; {usage(kind)}") from None


def _given(kind: type[S], words: list[str], text: str) -> S:
    """A record from its fields as `name=value`."""
    given: dict[str, Any] = {}
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise ParseError(f"{text!r}: write name=value, not {word!r}")
        given[name] = _read(types.get(name), name, value)
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise ParseError(f"{text!r}: {_in_words(str(error), types)}") from None


def _in_words(problem: str, types: dict[str, Any]) -> str:
    """What is wrong with a record's fields, as whoever typed them would say it."""
    if missing := re.search(r"missing required field `(\w+)`", problem):
        return f"{missing[1]}={_takes(missing[1], types[missing[1]])} is missing"
    if unknown := re.search(r"unknown field `(\w+)`", problem):
        return f"there is no {unknown[1]}="
    if wrong := re.search(r"`\$\.(\w+)", problem):
        return f"{wrong[1]}= takes {_takes(wrong[1], types[wrong[1]])}"
    return problem


def usage(kind: type[Command]) -> str:
    """How a command is written: its fields, what each takes, and which may be left out."""
    parts = [f"{field.name}={_takes(field.name, field.type)}" for field in msgspec.structs.fields(kind)]
    needed = [field.required for field in msgspec.structs.fields(kind)]
    shown = [part if must else f"[{part}]" for part, must in zip(parts, needed, strict=True)]
    by = "[by=NAME]" if office_of(kind) else "by=NAME"
    return f"usage: {' '.join([verb(kind), by, *shown])}"


TAKES = {
    "at": "HH:MM",
    "card": "CARD",
    "checked_by": "ROLE,…",
    "extra": "CARD,…",
    "hands": "PLACE:CARDS/…",
    "laid_on": "PLACE",
    "missing": "CARD,…",
    "player": "NAME",
    "sides": "BET:AMOUNT,…",
    "to": "NAME",
}


def _takes(name: str, kind: Any) -> str:
    """What may be written for a field: its words, or what kind of value."""
    parts = get_args(kind) or (kind,)
    words = [part for part in parts if isinstance(part, str) and part]
    if words:
        return "|".join(words)
    if bool in parts:
        return "true|false"
    if int in parts and name not in MONEY_TABLES:
        return "AMOUNT" if name in MONEY else "NUMBER"
    return TAKES.get(name, "TEXT")


def _read(kind: Any, name: str, value: str) -> Any:
    """A field's value: amounts in dollars, lists with commas, cards as cards."""
    if name in MONEY_TABLES:
        pairs = (part.partition(":") for part in value.split(",") if part)
        return {key: cents(amount) for key, _, amount in pairs}
    if name in MONEY and kind is not bool:
        return cents(value)
    if name == "hands":
        pairs = (part.partition(":") for part in value.split("/") if part)
        return {place: parse_cards(cards) for place, _, cards in pairs}
    if name in ("missing", "extra"):
        return [parse_card(part) for part in value.split(",") if part]
    if name in ("players", "checked_by"):
        return [part for part in value.split(",") if part]
    if name == "card":
        return parse_card(value)
    return value


def _short(state: State, words: list[str], text: str) -> Asked:
    first = words[0]
    if words == [CUT]:
        return Asked(card_command(state, CUT), DEALER)
    if first in MISHAPS and len(words) == 2:
        return Asked(MISHAPS[first](card=parse_card(words[1])), DEALER)
    if len(words) >= 2 and words[1] == "sits":
        return Asked(cmd.Sit(box=_number(words[-1], text)), actor(first))
    if len(words) >= 5 and words[1] == "bets" and words[3] == "on":
        wager = cmd.Wager(
            stake=cents(words[2]), box=_number(words[4], text), sides=read_sides(state, words[5:])
        )
        return Asked(wager, actor(first))
    return Asked(_card(state, words, text), DEALER)


def read_sides(state: State, words: list[str]) -> dict[str, int]:
    """Side bets by their long or their short names: `perfect_pairs=5`, `pp=5`."""
    sides: dict[str, int] = {}
    for word in words:
        name, _, amount = word.partition("=")
        known = (side for side in state.rules.side_bets if name.lower() in (side, short_name(side)))
        side = next(known, name)
        if side in sides:
            raise ParseError(f"{word!r}: {side} is named twice")
        sides[side] = cents(amount)
    return sides


def _number(word: str, text: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 4):
        raise ParseError(f"{text!r}: {word!r} is not the number of a box")
    return int(word)


def _card(state: State, words: list[str], text: str) -> Command:
    try:
        card = parse_card(words[0].removesuffix(FACE_UP))
    except ParseError:
        raise ParseError(f"{text!r} is not understood; `help` lists what the table understands") from None
    if len(words) == 3 and words[1] == "on":
        return cmd.Deal(card=card, laid_on=words[2])
    if len(words) > 1:
        raise ParseError(f"{text!r}: one card at a time, as it leaves the shoe")
    return card_command(state, card + (FACE_UP if words[0].endswith(FACE_UP) else ""))
