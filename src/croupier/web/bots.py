"""Players for empty seats and for load: clients like any other, who know what their frames tell them.

A simple player bets the minimum and plays as `house.players` says; one by the chart plays what the solver
found best for the game. Neither sees more than a seat does: `Player.answer` is given a table and what is the
player's own as they come over the wire, and gives the message that a page would send.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
from collections.abc import Callable

import msgspec

from croupier.house.players import wishes
from croupier.table import commands as cmd
from croupier.table.commands import Command
from croupier.web import frames
from croupier.web.asking import Sender
from croupier.web.opened import OpenTable

OFFERS = "ierf"

Wishes = Callable[[frames.Hand, frames.Dealer], list[type[Command]]]
_decode = msgspec.json.Decoder(frames.FromServer).decode


def simple(hand: frames.Hand, dealer: frames.Dealer) -> list[type[Command]]:
    """What a simple player wants, whatever the dealer shows."""
    return wishes(hand.cards, hand.total, soft=hand.soft)


class Player:
    """A player who answers frames. `stakes` is how many times the minimum is bet."""

    def __init__(self, name: str, wants: Wishes = simple) -> None:
        self.name = name
        self.table: frames.Table | None = None
        self.you: frames.You | None = None
        self._wants = wants
        self._ids = itertools.count(1)
        self._run = secrets.token_hex(8)
        self._muted = -1  # the line at which something was refused: no second try there
        self._asked = ""  # the request whose reply is waited for

    def answer(self, frame: frames.Frame) -> frames.FromPage | None:
        """What the player says to a frame, if anything."""
        return self.wish() if self.hear(frame) else None

    def hear(self, frame: frames.Frame) -> bool:
        """Take a frame in. Is it one to answer?"""
        if isinstance(frame, frames.News | frames.Snapshot):
            self.table = frame.table or self.table
        if isinstance(frame, frames.Snapshot):
            self.you, self._asked = frame.you, ""
        elif isinstance(frame, frames.You | frames.Answer):
            self.you = frame if isinstance(frame, frames.You) else self._answered(frame)
            if frame.reply is not None and frame.reply.id == self._asked:
                self._asked = ""
        return isinstance(frame, frames.Snapshot | frames.You | frames.Answer)

    def _answered(self, frame: frames.Answer) -> frames.You | None:
        """What is the player's own stands as it stood."""
        return self.you and msgspec.structs.replace(self.you, n=frame.n, reply=frame.reply)

    def wish(self) -> frames.FromPage | None:
        """What the player says now, if anything. Nothing more is said until its reply is there."""
        if self.you is None or self._asked:
            return None
        message = self._own(self.you)
        self._asked = getattr(message, "id", "")
        return message

    def _own(self, you: frames.You) -> frames.FromPage | None:
        table = self.table
        if table is None or self._muted == you.n:
            return None
        if you.reply is not None and not you.reply.ok:
            if you.reply.why == "stale":
                return frames.Hello(you.n)
            self._muted = you.n
            return self._done(you) if you.spots and not you.done else None
        if you.spots:
            return self._bet(table, you)
        if table.stage == "settled":
            return None if you.done else self._done(you)
        return self._chosen(table, you)

    def _id(self) -> str:
        return f"{self._run}-{next(self._ids)}"

    def _done(self, you: frames.You) -> frames.Done:
        return frames.Done(self._id(), you.n)

    def _ask(self, you: frames.You, choice: frames.Choice) -> frames.Ask:
        command: Command = msgspec.convert(choice.command, cmd.KINDS[choice.command["type"]])
        return frames.Ask(self._id(), you.n, command)

    def _bet(self, table: frames.Table, you: frames.You) -> frames.FromPage | None:
        """The minimum on every seat where it is taken, and then no more."""
        if you.done:
            return None
        for box in table.boxes:
            spot = you.spots[box.number - 1]
            if box.seat == self.name and spot.closed is None and not self._lies(box):
                return frames.Bet(self._id(), you.n, box.number, spot.low)
        return self._done(you)

    def _lies(self, box: frames.Box) -> bool:
        return any(bet.player == self.name for bet in box.bets)

    def _chosen(self, table: frames.Table, you: frames.You) -> frames.FromPage | None:
        """The dearest wish that is open; of what is only offered nothing."""
        open_now = [one for one in you.choices if one.closed is None]
        if not open_now:
            return None
        named = {one.command.get("type", ""): one for one in open_now}
        if "DeclineCut" in named:
            return self._ask(you, named["DeclineCut"])
        if "" in named:
            return None if you.done else self._done(you)
        place = table.turn
        if place is None:
            return None
        wanted = self._wants(table.boxes[place[0] - 1].hands[place[1] - 1], table.dealer)
        found = next((named[kind.__name__] for kind in wanted if kind.__name__ in named), None)
        return self._ask(you, found) if found else None


class Bot:
    """A player in the server itself, at a seat. `pace`: how long each answer takes, for people to follow."""

    def __init__(self, table: OpenTable, player: Player, *, pace: float = 0.0) -> None:
        self.sender = Sender(player.name, "player")
        self._table = table
        self._player = player
        self._pace = pace
        self._over = False

    def send(self, frame: bytes) -> None:
        answer = self._player.answer(_decode(frame))
        if answer is not None and not self._over:
            loop = asyncio.get_running_loop()
            loop.call_later(self._pace, self._table.post, self, answer)

    def bye(self, why: str, words: str) -> None:
        self._over = True

    def sit(self, box: int) -> None:
        """Come to the table, and take a seat unless it is this player's already."""
        self._table.post(self, frames.Hello())
        if self._table.state.box(box).seat != self._player.name:
            seat = frames.Ask(secrets.token_hex(8), self._table.kept.last, cmd.Sit(box=box))
            self._table.post(self, seat)
