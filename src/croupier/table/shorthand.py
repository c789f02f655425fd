"""What a dealer types at speed: the table knows whose turn it is, so most of a line can be left out.

    h s d p r f         hit, stand, double, split, surrender, forfeit: the hand in turn; or the word itself
    p · d · n           while a split or double is answered: the next bettor asked joins in, or does not
    sss5d               several in one line, glued or apart, each read at the table that the one before left
    5d                  where a hand may hit: its decider hits, and this is the card
    2 h · 2 d 10        box 2, in letters as in words; `2 i 5` insures, `2 e` is even money
    same                everybody who bet last round bets the same again
    1 25 · 1 25 pp=5    box 1: the player who sits there, or its last bettor, bets 25
    25 25 - 10          box by box from 1 on, - for none
    52 · no             where a cut or a cutting card is due: so many cards; the cut is declined

A line says what it says in `croupier.table.text` if it is none of these. What had to be taken for granted
is told with the reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from croupier.cards import CUT, parse_card
from croupier.errors import ParseError
from croupier.money import cents, plain
from croupier.table import commands as cmd
from croupier.table.actors import DEALER, actor, player
from croupier.table.again import Bids
from croupier.table.commands import Asked, Command
from croupier.table.conduct import card_command, chore, due
from croupier.table.deal import place_name
from croupier.table.legal import Choice, menu
from croupier.table.lines import PLACE
from croupier.table.shoe import card_target
from croupier.table.state import Box, State, places, turn
from croupier.table.text import parse_all, read_sides
from croupier.table.waiting import waiting

DECISIONS: dict[str, type[Command]] = {
    "hit": cmd.Hit,
    "stand": cmd.Stand,
    "double": cmd.Double,
    "split": cmd.Split,
    "surrender": cmd.Surrender,
    "forfeit": cmd.Forfeit,
}
LETTERS = {
    **{"h": "hit", "s": "stand", "d": "double", "p": "split", "r": "surrender", "f": "forfeit"},
    **{"i": "insure", "e": "even-money"},
}
DECLINES = ("n", "no")
JOINS: dict[str, type[Command]] = {"split": cmd.Split, "double": cmd.Double}

CARD = r"(?:10|[A2-9TJQK])[shdc♠♥♦♣]\^?"
GLUED = re.compile(rf"(?:{CARD}|[hsdprfn])+", re.IGNORECASE)
PIECE = re.compile(rf"{CARD}|[hsdprfn]", re.IGNORECASE)
AMOUNT = re.compile(r"[$£]?\d{1,9}(?:\.\d{1,2})?", re.ASCII)


class Reading(NamedTuple):
    """What a line asks, and what was taken for granted in it; `each`: a refusal does not end it."""

    asked: list[Asked]
    granted: str = ""
    each: bool = False


# A line and its parts


def parts(line: str) -> list[str]:
    """A line of several cards and decisions as one part each; any other line is one part."""
    found = [part for word in line.split() for part in _pieces(word)]
    return found if found and "" not in found else [line.strip()]


def _pieces(word: str) -> list[str]:
    if word.lower() in (CUT, *DECISIONS):
        return [word]
    return PIECE.findall(word) if GLUED.fullmatch(word) else [""]


def read(state: State, part: str, last: Bids, *, hits: bool = True) -> Reading:
    """What one part of a line means at this state; `hits`: a card may be that of a hit not announced."""
    for reader in (_enter, _positions, _same, _bets, _decision, _box_line):
        reading = reader(state, part, last)
        if reading is not None:
            return reading
    return _card_for_hit(state, part) if hits and is_card(part) and _may_hit(state) else _plain(state, part)


def _plain(state: State, part: str) -> Reading:
    return Reading(parse_all(state, part))


def is_card(word: str) -> bool:
    try:
        parse_card(word)
    except ParseError:
        return False
    return True


# Enter


def enter(state: State) -> Asked | None:
    """What Enter does: the next act of the dealer that needs neither a choice nor a fact."""
    if state.shoe.held and (card_target(state) is not None or state.stage == "burn"):
        return Asked(card_command(state, state.shoe.held[0]), DEALER)
    usual: dict[str, Command] = {
        "between rounds": cmd.OpenBetting(),
        "betting": cmd.AnnounceNoMoreBets(),
        "offers": cmd.CloseOffers(),
    }
    command = usual.get(due(state))
    asked = Asked(command, DEALER) if command else chore(state)
    where = (cmd.Cut, cmd.PlaceCuttingCards)  # the place is a fact, and only those at the table know it
    return None if asked is None or isinstance(asked.command, where) else asked


def _enter(state: State, part: str, _: Bids) -> Reading | None:
    if part:
        return None
    asked = enter(state)
    if asked is None:
        raise ParseError("Enter does nothing here: what is due needs a card, a number or a choice")
    return Reading([asked])


# Cut and cutting cards


def _positions(state: State, part: str, _: Bids) -> Reading | None:
    """Where the cut is made or the cutting cards are put; or that the cut is declined."""
    words = part.lower().split()
    offered = state.shoe.offer if state.stage == "cut" else ""
    if offered and words in (["n"], ["no"], ["declines"]):
        return Reading([Asked(cmd.DeclineCut(), actor(offered))])
    if state.stage not in ("cut", "place") or not all(re.fullmatch("[0-9]{1,5}", word) for word in words):
        return None
    numbers = [int(word) for word in words]
    if offered and len(numbers) == 1:
        return Reading([Asked(cmd.Cut(at=numbers[0]), actor(offered))])
    return _placed(state, numbers) if state.stage == "place" else None


def _placed(state: State, numbers: list[int]) -> Reading:
    wanted = state.terms.cutting_cards
    if len(numbers) != wanted:
        how = "two numbers, from the back and from the front" if wanted == 2 else "one number, from the back"
        raise ParseError(f"the cutting cards go where you say: type {how}")
    return Reading([Asked(cmd.PlaceCuttingCards(*numbers), DEALER)])


# Bets


def _same(state: State, part: str, last: Bids) -> Reading | None:
    if part.lower() != "same":
        return None
    if not last:
        raise ParseError("nobody has bet yet: `same` repeats the wagers of the last round")
    opening = [Asked(cmd.OpenBetting(), DEALER)] if due(state) == "between rounds" else []
    lying = {(box.number, bet.player) for box in state.boxes for bet in box.lying}
    wagers = [
        Asked(cmd.Wager(box=box, stake=bid.stake, sides=bid.sides), player(name))
        for (box, name), bid in last.items()
        if (box, name) not in lying
    ]
    if not wagers:
        raise ParseError("everybody who bet last round has chips on the table already")
    return Reading(opening + wagers, each=True)


def _bets(state: State, part: str, last: Bids) -> Reading | None:
    """`1 25 pp=5`, or `25 25 - 10` by box."""
    words = part.split()
    if state.stage != "betting" or not words or not _are_bets(words):
        return None
    amounts, sides = _apart(words)
    if len(amounts) == 2 and "-" not in amounts and _is_box(state, amounts[0]):
        return Reading([_bet(state, last, int(amounts[0]), amounts[1], sides)])
    if len(amounts) < 2 or sides:
        raise ParseError(f"{part!r}: say on which box, as in `1 25`, or one amount a box, as in `25 25 - 10`")
    if len(amounts) > len(state.boxes):
        raise ParseError(f"{part!r}: there are {len(state.boxes)} boxes")
    named = [(box, amount) for box, amount in enumerate(amounts, start=1) if amount != "-"]
    return Reading([_bet(state, last, box, amount, []) for box, amount in named], each=True)


def _are_bets(words: list[str]) -> bool:
    """Amounts, dashes for boxes without one, and side bets behind."""
    amounts, sides = _apart(words)
    written = all(word == "-" or AMOUNT.fullmatch(word) for word in amounts)
    return written and bool(amounts) and all(re.fullmatch(r"[\w-]+=\S+", side) for side in sides)


def _apart(words: list[str]) -> tuple[list[str], list[str]]:
    first = next((index for index, word in enumerate(words) if "=" in word), len(words))
    return words[:first], words[first:]


def _is_box(state: State, word: str) -> bool:
    return word.isdecimal() and 1 <= int(word) <= len(state.boxes)


def _bet(state: State, last: Bids, box: int, amount: str, sides: list[str]) -> Asked:
    laid = read_sides(state, sides)
    return Asked(cmd.Wager(box=box, stake=cents(amount), sides=laid), player(bettor(state, last, box)))


def bettor(state: State, last: Bids, number: int) -> str:
    """Who bets on a box where nobody is named: who sits there, or the only one who bet there last."""
    box = state.box(number)
    if box.seat:
        return box.seat
    names = [name for place, name in last if place == number] or [bet.player for bet in box.bets]
    if len(names) == 1:
        return names[0]
    among = f"{', '.join(names)} were on it" if names else "nobody sits there or has bet there"
    raise ParseError(f"who bets on box {number}? {among}: type `p1 bets 25 on {number}`")


# Decisions


def _decision(state: State, part: str, _: Bids) -> Reading | None:
    word = LETTERS.get(part.lower(), part.lower())
    if word in DECLINES:
        return Reading([_answer(state, word)])
    if word not in DECISIONS:
        return None
    place = turn(state)
    if place and state.hand(*place).asked:
        return Reading([_answer(state, word)])
    return Reading([_only(state, word)])


def _answer(state: State, word: str) -> Asked:
    """The next bettor who is asked joins in the split or double, or does not."""
    place = turn(state)
    move = state.hand(*place).asked if place else ""
    names = waiting(state).players if move else ()
    if place is None or not names:
        raise ParseError(f"{word!r}: nobody is asked to join in anything now")
    if word not in (move, *DECLINES):
        joins = next(letter for letter, meant in LETTERS.items() if meant == move)
        raise ParseError(f"{names[0]} answers the {move} first: {joins} joins in, n does not")
    rides = move == "split" and state.rules.riders != "none"
    kind = JOINS[move] if word == move else cmd.Ride if rides else cmd.Stay
    return Asked(kind(box=place[0], hand=place[1]), player(names[0]))


def _only(state: State, word: str) -> Asked:
    """The one decision of this kind that the moment has, open or closed: the hand in turn's, or an offer."""
    kind = DECISIONS[word]
    choices = _distinct(choice for choice in menu(state) if type(choice.command) is kind)
    open_ = [choice for choice in choices if choice.bar is None] or choices
    if len(open_) == 1:
        return Asked(open_[0].command, open_[0].by)
    if not open_:
        raise ParseError(f"{word!r}: no such decision is due now; `what` shows what is")
    boxes = ", ".join(str(getattr(choice.command, "box", "")) for choice in open_)
    raise ParseError(f"{word!r}: which box? It is open to {boxes}: type `1 {word}`")


def _distinct(choices: Iterable[Choice]) -> list[Choice]:
    """One for each hand and bettor: a double for less is not another double."""
    found: dict[tuple[str, str], Choice] = {}
    for choice in choices:
        found.setdefault((place_of(choice.command), choice.by.name), choice)
    return list(found.values())


def place_of(command: Command) -> str:
    return place_name(getattr(command, "box", 0), getattr(command, "hand", 1))


# A card where a hand may hit


def _may_hit(state: State) -> bool:
    return card_target(state) is None and any(
        isinstance(choice.command, cmd.Hit) and choice.bar is None for choice in menu(state)
    )


def _card_for_hit(state: State, part: str) -> Reading:
    hit = _only(state, "hit")
    return Reading([hit, *parse_all(state, part)], granted=f"{hit.by} hits box {place_of(hit.command)}")


# A box and a letter


def _box_line(state: State, part: str, _: Bids) -> Reading | None:
    """`2 h`, `2 d 10`, `2 i 5`: a box, or its second hand, and what is said for it."""
    words = part.split()
    if len(words) < 2 or not PLACE.match(words[0]):
        return None
    place, word, rest = words[0], LETTERS.get(words[1].lower(), words[1]), words[2:]
    if word not in ("insure", "even-money", "forfeit"):
        return _plain(state, " ".join([place, word, *rest]))
    name = _alone(state, place, word)
    amount = rest or ([_full(state, int(place.partition(".")[0]), name)] if word == "insure" else [])
    granted = f"{name} insures in full, {amount[0]}" if amount and not rest else ""
    return _plain(state, " ".join([place, name, word, *amount]))._replace(granted=granted)


def _alone(state: State, place: str, word: str) -> str:
    """The only bettor on a box; where there are several, one must be named."""
    number = int(place.partition(".")[0])
    box = state.box(number) if 1 <= number <= len(state.boxes) else Box(number)
    names = [bet.player for bet in box.bets]
    if len(names) == 1:
        return names[0]
    who = f"{', '.join(names)} are on it" if names else "nobody is on it"
    raise ParseError(f"box {number}: {who}; type `{place} p1 {word}`")


def _full(state: State, box: int, name: str) -> str:
    """All that a bettor may still insure for."""
    for choice in menu(state, player(name)):
        if isinstance(choice.command, cmd.Insure) and choice.command.box == box:
            most = getattr(choice.free["amount"], "high", 0)
            return plain(choice.command.amount if choice.bar else most)
    raise ParseError(f"insurance is not open on box {box}; say how much if it should be, as in `{box} i 5`")


# Names


def namesake(state: State, name: str) -> str:
    """Whose a new name may be that differs from a known one only by capital letters; empty if none does."""
    known = names(state)
    if name in known:
        return ""
    other = next((one for one in known if one.casefold() == name.casefold()), "")
    return f"{name} is new here; {other} {known[other]}" if other else ""


def names(state: State) -> dict[str, str]:
    """Everybody known at the table, and where they are."""
    known = dict.fromkeys((*state.people.bettors, *state.people.arrivals), "is at the table")
    for place in places(state):
        known[place.player] = f"bets on {place.box}"
    for box in state.boxes:
        if box.seat:
            known[box.seat] = f"sits at {box.number}"
    return known
