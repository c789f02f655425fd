"""Play rounds at tables of every rulebook, and look through every frame for what its seat may not know.

At each table players sit, one bets behind another's box, somebody watches, a dealer and a supervisor look on;
what is open to them they choose by chance, so that hands are split and doubled by several at once. Tables,
frames and record are those of the server, in this process, where the truth is at hand beside each frame:

- a card is in a frame only if it has come out of the shoe, and as often; a line has the cards of its line;
- with the rest of the shoe in another order, and with other answers of those who have answered a split or
  double that others still answer, everybody would be shown the same;
- what somebody has in their purse, what they may choose and what was replied to them, nobody else is sent:
  purses are so far apart that a sum tells whose it is;
- nothing looks like the salt of a shoe, a token or a seed.

    python scripts/serve_scan.py [--rounds 10000] [--seed 1]
"""

from __future__ import annotations

import asyncio
import random
import re
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from croupier.cards import INDEX, SUIT_SYMBOLS
from croupier.house.database import Database
from croupier.house.settings import settings_of
from croupier.house.shoes import DRAWN, VirtualShoe
from croupier.record import Told
from croupier.record.line import number_of
from croupier.rulebook import NAMES, load
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.state import Answer, State
from croupier.web import frames
from croupier.web.asking import Sender
from croupier.web.bots import Player
from croupier.web.floor import Floor
from croupier.web.opened import Manner, OpenTable

APART = 10**9  # cents between what one player has and the next
SEATS = {"p1": 1, "p2": 2, "p3": 3}
BEHIND = {"p4": 1}  # whose box it is not
LOOK_ON = (Sender(), Sender("dee", "dealer"), Sender("sue", "supervisor"))
STUCK = 30.0  # seconds without a round
AGAIN = 0.01  # how often somebody looks at all of it anew
OVER = (ev.CardsCollected, ev.RoundInvalidated)

SYMBOLS = {symbol: suit for suit, symbol in SUIT_SYMBOLS.items()}
WORDS = re.compile(rf"(?<![0-9A-Za-z])(10|[A2-9JQKT])([{''.join(SYMBOLS)}shdc])(?![0-9A-Za-z])")
SUMS = re.compile(rf"(?<![0-9A-Za-z.-])[0-9]{{{len(str(APART))},{len(str(APART)) + 1}}}(?![0-9A-Za-z])")
SECRET = re.compile(r"[0-9a-f]{32,}|[A-Za-z0-9_-]{40,}")


class Leak(Exception):
    """Somebody was sent what they may not know."""


# What may be known


class Truth:
    """What has come out of a table's shoe, line by line and in the round; told by its record."""

    def __init__(self, table: OpenTable) -> None:
        self.table = table
        self.drawn: Counter[str] = Counter()  # since cards were collected last
        self.of_line: dict[int, tuple[Counter[str], set[str]]] = {}  # drawn by it; and by then in all
        self.leaks: list[Leak] = []
        self._looked: Looked | None = None
        table.kept.conductor.listeners.append(self._hear)

    def looked(self, raw: bytes) -> Looked:
        """A frame looked through; everybody is sent the same news, one after another."""
        if self._looked is None or self._looked.raw is not raw:
            self._looked = Looked(raw, self)
        return self._looked

    def _hear(self, told: Told) -> None:
        number, own, known = number_of(told.entry), Counter[str](), {*self.drawn}
        for event in told.events:
            if isinstance(event, OVER):
                self.drawn.clear()
            if isinstance(event, DRAWN):
                self.drawn[event.card] += 1
                own[event.card] += 1
        self.of_line[number] = own, known | {*own}
        self.of_line.pop(number - 2000, None)


def cards_in(text: str) -> list[str]:
    """The cards that a text names, as codes or as people read them."""
    found = [("T" if rank == "10" else rank) + SYMBOLS.get(suit, suit) for rank, suit in WORDS.findall(text)]
    return [card for card in found if card in INDEX]


def texts(value: Any) -> Iterator[str]:
    """All text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)


# The scan


class Looked:
    """A frame looked through once, for everybody whom it is sent to."""

    def __init__(self, raw: bytes, truth: Truth) -> None:
        text = raw.decode()
        self.raw = raw
        self.frame: Any = msgspec.json.decode(raw, type=frames.FromServer)
        self.sums = [int(found) for found in SUMS.findall(text.replace(",", ""))]
        plain = msgspec.json.decode(raw)
        if secret := SECRET.search(text):
            raise Leak(f"{secret[0]} in {text[:2000]}")
        known = {*truth.drawn, *truth.table.state.shoe.held}
        if isinstance(self.frame, frames.News | frames.Snapshot):
            _scan_lines(plain.pop("lines"), truth)
            _scan_table(plain["table"], known, truth)
        if strange := {card for text in texts(plain) for card in cards_in(text)} - known:
            raise Leak(f"{strange} have not come: {plain}")
        if isinstance(self.frame, frames.News) and {*plain} != {"type", "n", "before", "table"}:
            raise Leak(f"not only news: {[*plain]}")


def _scan_lines(lines: list[dict[str, Any]], truth: Truth) -> None:
    """A line names the cards that it has laid; its words those that had come by then."""
    for line in lines:
        own, known = truth.of_line[line["n"]]
        if Counter(line.get("cards", ())) - own or not known.issuperset(cards_in(line["words"])):
            raise Leak(f"line {line['n']} names cards that it has not laid: {line}")
        if line["event"] == "MoveAnswered":
            raise Leak(f"an answer is told of: {line}")


def _scan_table(table: dict[str, Any], known: set[str], truth: Truth) -> None:
    """Every card in it lies there, and as often."""
    hands = [hand for box in table["boxes"] for hand in box.get("hands", ())]
    shown = Counter(card for hand in hands for card in hand["cards"])
    shown += Counter(table.get("dealer", {}).get("cards", ())) + Counter(table.get("held", ()))
    if strange := shown - truth.drawn - Counter(truth.table.state.shoe.held):
        raise Leak(f"{strange} have not come: {table}")
    if table.get("gone"):
        raise Leak(f"what is left of a shoe is told: {table['gone']}")


def scan(looked: Looked, name: str) -> None:
    """What is one's own is sent to nobody else, and no sum that only another has."""
    own = looked.frame.you if isinstance(looked.frame, frames.Snapshot) else looked.frame
    if isinstance(own, frames.You) and own.name != name:
        raise Leak(f"{name} is sent what is {own.name}'s: {own}")
    for amount in looked.sums:
        if f"p{amount // APART}" != name:
            raise Leak(f"{name or 'somebody who watches'} is sent {amount}: {looked.frame}")


def scan_twin(client: Seat, truth: Truth) -> None:
    """Would the client be shown the same if what it may not know were otherwise?"""
    table = truth.table
    conductor = table.kept.conductor
    before = _shown(client, table)
    state, cards = conductor.state, conductor.cards
    assert isinstance(cards, VirtualShoe)
    mark = cards.mark()
    try:
        conductor.state = _otherwise(state, client.sender.name)
        order, made = mark
        cards.back_to((type(order)(tuple(reversed(order.cards)), order.left), made))
        after = _shown(client, table)
    finally:
        conductor.state = state
        cards.back_to(mark)
    if before != after:
        raise Leak(f"{client.sender.name} can tell what others have answered: {before} and {after}")


def _shown(client: Seat, table: OpenTable) -> tuple[frames.Table, frames.You]:
    return msgspec.structs.replace(table.table(), now=0), table.you(client)


def _otherwise(state: State, name: str) -> State:
    """The table if everybody else who has answered had answered the other way."""
    boxes = tuple(
        msgspec.structs.replace(
            box,
            hands=tuple(
                msgspec.structs.replace(hand, answers=tuple(_other(one, name) for one in hand.answers))
                if hand.answers
                else hand
                for hand in box.hands
            ),
        )
        for box in state.boxes
    )
    return msgspec.structs.replace(state, boxes=boxes)


def _other(answer: Answer, name: str) -> Answer:
    if answer.player == name:
        return answer
    return Answer(answer.player, 0 if answer.amount else 1000)


# Those who are sent frames


class ByChance(Player):
    """Bets on one box, with side bets now and then, and chooses by chance of what is open."""

    def __init__(self, name: str, box: int, chance: random.Random) -> None:
        super().__init__(name)
        self._box = box
        self._chance = chance

    def _own(self, you: frames.You) -> frames.FromPage | None:
        """Who looks at all of it anew may ask twice, and is refused once: then something else is chosen.

        Of a table that is closing nothing more is asked, or it would never come to rest.
        """
        if you.reply is not None and you.reply.why == "closed":
            return None
        refused = you.reply is not None and not you.reply.ok and not you.spots
        return super()._own(msgspec.structs.replace(you, reply=None) if refused else you)

    def _bet(self, table: frames.Table, you: frames.You) -> frames.FromPage | None:
        if you.done:
            return None
        box, spot = table.boxes[self._box - 1], you.spots[self._box - 1]
        if spot.closed is not None or self._lies(box):
            return self._done(you)
        sides = {side.name: side.low for side in table.sides if side.low and self._chance.random() < 0.1}
        return frames.Bet(self._id(), you.n, self._box, spot.low, sides)

    def _chosen(self, table: frames.Table, you: frames.You) -> frames.FromPage | None:
        open_now = [one for one in you.choices if one.closed is None]
        if not open_now:
            return None
        dear = [one for one in open_now if one.key in "dp"]  # else they would seldom be made by several
        one = self._chance.choice(dear if dear and self._chance.random() < 0.5 else open_now)
        if not one.command:
            return None if you.done else self._done(you)
        return self._ask(you, one)


class Seat:
    """A client that scans what it is sent, and answers."""

    def __init__(self, sender: Sender, truth: Truth, chance: random.Random, box: int = 0) -> None:
        self.sender = sender
        self.scanned = 0
        self.pending = 0  # of them while others answered
        self._truth = truth
        self._chance = chance
        self._player = ByChance(sender.name, box, chance) if box else None

    def send(self, frame: bytes) -> None:
        truth = self._truth
        self.scanned += 1
        try:
            looked = truth.looked(frame)
            scan(looked, self.sender.name)
            if any(hand.answers for box in truth.table.state.boxes for hand in box.hands):
                scan_twin(self, truth)
                self.pending += 1
        except Leak as leak:  # the table would go on
            truth.leaks.append(leak)
        else:
            self._say(self._player.answer(looked.frame) if self._player else None)

    def _say(self, answer: frames.FromPage | None) -> None:
        if answer is None and self._chance.random() < AGAIN:
            answer = frames.Hello(self._truth.table.kept.last)
        if answer is not None:
            asyncio.get_running_loop().call_soon(self._truth.table.post, self, answer)

    def bye(self, why: str, words: str) -> None:
        """It hears no more."""


# Rounds


async def table_of(floor: Floor, name: str, chance: random.Random) -> tuple[Truth, list[Seat]]:
    """A table with everybody at it."""
    book = load(name)
    settings = settings_of(book, None, side_bets=True)
    manner = Manner(frames.Clocks(results=0))
    table = await floor.new(book, settings, name=name, live=False, manner=manner)
    truth = Truth(table)
    await table.rest()
    seats = [Seat(Sender(one, "player"), truth, chance, box) for one, box in (SEATS | BEHIND).items()]
    for seat in seats[: len(SEATS)]:
        table.post(seat, frames.Ask(f"sit-{name}", table.kept.last, cmd.Sit(box=SEATS[seat.sender.name])))
    seats += [Seat(sender, truth, chance) for sender in LOOK_ON]
    for seat in seats:
        table.post(seat, frames.Hello())
    return truth, seats


async def scanned(rounds: int, seed: int, folder: Path, told: Any) -> dict[str, int]:
    chance = random.Random(seed)
    database, loop = Database.open(folder), asyncio.get_running_loop()
    database.writer.tell = lambda done: loop.call_soon_threadsafe(done) and None
    floor, begun = Floor(database, pace=0), time.monotonic()
    for name in (*SEATS, *BEHIND):
        await floor.give_play_money(name, APART * int(name[1:]) + APART // 2)
    at = [await table_of(floor, name, chance) for name in NAMES]
    truths, seats = [truth for truth, _ in at], [seat for _, some in at for seat in some]
    played, since = 0, begun
    while played < rounds and time.monotonic() - since < STUCK:
        await asyncio.sleep(0.5)
        for leak in (leak for truth in truths for leak in truth.leaks):
            raise leak
        before, played = played, sum(truth.table.state.round for truth in truths)
        since = time.monotonic() if played > before else since
        told(f"{played:,} rounds, {played / (time.monotonic() - begun):.0f} a second")
    await floor.close()
    database.close()
    if played < rounds:
        raise AssertionError(f"it does not go on: {[truth.table.table().next for truth in truths]}")
    return {
        "rounds": played,
        "frames": sum(seat.scanned for seat in seats),
        "pending": sum(seat.pending for seat in seats),
    }


def run(rounds: int, seed: int, told: Any = print) -> dict[str, int]:
    """Play at least so many rounds; how many, how many frames were sent, and how many while some answered."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(scanned(rounds, seed, Path(folder) / "data", told))


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = run(given.rounds, given.seed, lambda line: print(line, flush=True))
    print(
        f"{found['rounds']:,} rounds, {found['frames']:,} frames, {found['pending']:,} of them while answers "
        "were awaited: nothing that a seat may not know"
    )


if __name__ == "__main__":
    main()
