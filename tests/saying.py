"""What might be said to a server: messages and forms that make sense, and the same with something spoiled.

Below the messages are those of a page: a command, a bet, a line, `done`. What is spoiled is one field, or the
bytes. Which of it a server must take, refuse or not understand is not known here.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec

from asking import Asker
from croupier.record import Entry, Line
from croupier.rulebook import NAMES
from croupier.table.actors import Role
from croupier.table.commands import KINDS
from croupier.table.text import write
from croupier.web import frames

LINES = (
    *("", "", "", "h", "s", "d", "p", "same", "1 10", "10 10", "10 10 - 10", "p1 bets 10 on 1"),
    *("ss", "hs", "Th9d7c", "Th 9d s 7c", "5d^", "1 p2 insure 5", "1 10 2 10", "p1 returns"),
    *("strike 3 why=x", "help", "x" * 500, "p1=", "1 1 1 1 1 1 1 1 1", "\u202e", "1 Kh / 2", "' unclosed"),
    *("strike 99999999999999999999", "strike", "1 10; 2 10; 9 10", "\x00", "9" * 300, "p1 bets 1e9 on 1"),
)
CARDS = tuple(f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "shdc")
DEEP = '{"a":' * 400 + "1" + "}" * 400
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2**31, 2**63, 10**40, 1.5, 1e308, "", "1", "p1", "dealer", "\x00", "\u202e"),
    *("é" * 300, "x" * 600, [], [1], [[]], {}, {"": 0}, {"type": "Hit"}, "As", "Xx"),
)
SUMS = (0, 1, 500, 1000, 1000, 1500, 2500, 10**9, 10**12, 10**13, -500, 7)

# Frames as they lie on the wire, and with which code the connection ends; none where we end it ourselves.
_MASK = b"\x00\x00\x00\x00"
BROKEN: tuple[tuple[bytes, tuple[int, ...]], ...] = (
    (b"\x81\x84" + _MASK + b"\xff\xfe\xff\xfe", (1007,)),  # a text that is none
    (b"\x81\xff" + (2**17).to_bytes(8, "big") + _MASK, (1009,)),  # too long
    (b"\x81\xff" + (2**62).to_bytes(8, "big") + _MASK, (1009,)),
    (b"\x83\x80" + _MASK, (1002,)),  # a kind of frame that there is not
    (b"\xc1\x82" + _MASK + b"{}", (1002,)),  # a bit that is not agreed on
    (b"\x81\x02{}", (1002,)),  # not masked
    (b"\x80\x80" + _MASK, (1002,)),  # goes on, and nothing has begun
    (b"\x09\x80" + _MASK, (1002,)),  # a ping in parts
    (b"\x89\xfe\x00\xc8" + _MASK + bytes(200), (1002,)),  # a long ping
    (b"\x88\x81" + _MASK + b"x", (1002,)),  # half a code
    (b"\x81\x85\x00", ()),  # half a frame
    (b"\x81\x85" + _MASK + b'{"t', ()),
    (b"\x01\x82" + _MASK + b"{}", ()),  # the first part of a message
)


def spoilt(value: Any, chance: random.Random) -> Any:
    """A value with one thing in it changed, left out, added or put deeper."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        key = chance.choice([*value])
        changed = dict(value)
        how = chance.random()
        if how < 0.7:
            changed[key] = spoilt(value[key], chance)
        elif how < 0.85:
            del changed[key]
        else:
            changed[chance.choice(("more", "by", "type", "id", key.upper()))] = chance.choice(ODD)
        return changed
    if isinstance(value, list) and value and chance.random() < 0.7:
        place = chance.randrange(len(value))
        return [*value[:place], spoilt(value[place], chance), *value[place + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and chance.random() < 0.5:
        return value + chance.choice((-1, 1, 5, 100, -value, 10**12))
    return chance.choice(ODD)


def torn(raw: bytes, chance: random.Random) -> bytes:
    """Some bytes replaced, lost or put in."""
    found = bytearray(raw)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(found) + 1)
        found[place : place + chance.randrange(3)] = chance.randbytes(chance.randrange(4))
    return bytes(found)


class Sayings:
    """What somebody might say at a table: in which roles they may, and what others said there lately."""

    def __init__(self, asker: Asker, roles: Sequence[Role], lately: Sequence[Line]) -> None:
        self._asker = asker
        self._roles = roles
        self._lately = [line for line in lately if isinstance(line, Entry)]
        self._said: deque[dict[str, Any]] = deque(maxlen=8)

    def one(
        self,
        chance: random.Random,
        last: int,
        you: frames.You | None,
        proper: frames.FromPage | None,
    ) -> str | bytes:
        """Something, spoiled or not; half of the time what makes sense, if there is something that does."""
        if proper is not None and chance.random() < 0.5:
            return _text(msgspec.to_builtins(proper))
        message = self._message(chance, last, you)
        how = chance.random()
        if how < 0.6:
            return _text(message)
        if how < 0.8:
            return _text(spoilt(message, chance))
        raw = msgspec.json.encode(message)
        if how < 0.9:
            return torn(raw, chance)
        if how < 0.92:
            return raw  # as bytes
        return chance.choice(
            (
                chance.randbytes(chance.randrange(40)),
                DEEP,
                "[" * chance.randrange(10_000),
                raw.decode().replace("}", ',"more":' + DEEP + "}", 1),
                "x" * chance.choice((16_384, 16_385, 20_000)),
                raw.decode().replace("{", '{"type":"bet",', 1),
                raw.decode() + raw.decode(),
                '{"type":"ask","id":"' + "i" * 65 + '","seen":0,"command":{"type":"Hit","box":1}}',
                '"\\ud800"',
                "\ufeff" + raw.decode(),
                "",
            )
        )

    def _message(self, chance: random.Random, last: int, you: frames.You | None) -> dict[str, Any]:
        kind = chance.random()
        if kind < 0.02:
            return {"type": "ping"}
        if kind < 0.05:
            return {"type": "hello", "seen": last}
        if kind < 0.15 and self._said:
            return self._again(chance)
        seen = max(0, chance.choice((last, last, last, last, 0, last - 1, last + 5, last + 10**6)))
        message: dict[str, Any] = {"type": "done", "id": f"{chance.getrandbits(64):x}", "seen": seen}
        if kind < 0.55:
            message |= {"type": "ask", "command": self._command(chance, you)}
            message |= self._office(chance)
        elif kind < 0.7:
            line = chance.choice((*LINES, *CARDS, *map(self._written, self._lately)))
            message |= {"type": "line", "line": line} | self._office(chance)
        elif kind < 0.9:
            sides = chance.choice(({}, {}, {"perfect_pairs": 500}, {"x": 1}, {"perfect_pairs": 10**12}))
            box = chance.randrange(0, 12)
            message |= {"type": "bet", "box": box, "stake": chance.choice(SUMS), "sides": sides}
        self._said.append(message)
        return message

    def _again(self, chance: random.Random) -> dict[str, Any]:
        """An id that was used: for the same, or for something else."""
        said = chance.choice(self._said)
        other = chance.choice(self._said)
        return chance.choice((said, said, {**other, "id": said["id"]}))

    def _office(self, chance: random.Random) -> dict[str, Any]:
        role = chance.choice((None, None, None, *self._roles, "dealer", "player", "operator"))
        return ({"role": role} if role else {}) | ({"yes": True} if chance.random() < 0.4 else {})

    def _command(self, chance: random.Random, you: frames.You | None) -> Any:
        """One of the choices, perhaps closed; one that was given lately, perhaps by another; or any."""
        how = chance.random()
        offered = [one.command for one in you.choices if one.command] if you else []
        if offered and how < 0.3:
            return chance.choice(offered)
        if self._lately and how < 0.4:
            return msgspec.to_builtins(chance.choice(self._lately).command)
        own = [kind for kind in KINDS.values() if not kind.askers.isdisjoint(self._roles)]
        kind = chance.choice(own if own and how < 0.85 else [*KINDS.values()])
        odd = [*self._asker.odd(kind, chance)]
        return msgspec.to_builtins(chance.choice([self._asker.one(kind, chance), *odd]).command)

    @staticmethod
    def _written(line: Entry) -> str:
        return write(line.command, line.by)


def _text(message: Any) -> str:
    return msgspec.json.encode(message).decode()


# Over HTTP

IDS = ("999999", "0", "x", "-1", "1" * 30, "%00", "%2e%2e", "é", "1.0", " ", "1%2F2", "%ff", "\u0661")
PLACES = ("", "/rounds", "/rounds/1", "/rounds/{other}", "/rounds/1/case", "/rounds/{other}/case", "/orders")
GETS = (
    *(f"/api/tables/{{id}}{place}" for place in PLACES),
    *("/api/tables", "/api/me", "/api/people", "/api/rules", "/api/rules/{book}", "/api/rules/{other}"),
    *("/api/rules/{book}/diff/{other}", "/api/rules/{book}/diff/act-pontoon-2002", "/api/{other}"),
    *("/table/{id}", "/history/{id}/{other}", "/static/{other}", "/static/%2e%2e/app.py", "/{other}"),
    *("/api/tables/{id}/socket", "/health"),
)
HIT = {"type": "Hit", "box": 1}
POSTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/enter", {"name": "p1"}),
    ("/api/register", {"name": "p1", "password": "short"}),
    ("/api/login", {"name": "nobody", "password": "x"}),
    ("/api/first", {"token": "x", "name": "p1", "password": "short"}),
    ("/api/people/{other}/role", {"role": "dealer"}),
    ("/api/people/p1/role", {"role": "x"}),
    ("/api/chips/buy", {"amount": 0}),
    ("/api/chips/cash", {"amount": 10**8}),
    ("/api/tables", {"rulebook": "x", "kind": "live", "side_bets": True, "name": "x"}),
    ("/api/tables", {"rulebook": NAMES[0], "settings": {"decks": 99}, "clocks": {"away": -1}}),
    ("/api/alone", {"rulebook": "x", "decks": 6, "others": 2, "box": 4}),
    ("/api/alone", {"rulebook": NAMES[0], "decks": 99, "settings": {"minimum": 10}}),
    ("/api/tables/{other}/bots", {"box": 1, "manner": "simple"}),
    *2 * (("/api/tables/{id}/foretell", {"command": HIT, "role": "dealer"}),),
    ("/api/{other}", {}),
)


class Forms:
    """Requests of a page with their addresses, headers or fields spoiled."""

    def __init__(self, tables: Sequence[str]) -> None:
        self._tables = tables

    def one(self, chance: random.Random) -> dict[str, Any]:
        """The arguments of a request."""
        if chance.random() < 0.5:
            return {"method": chance.choice(("GET",) * 8 + ("PUT", "HEAD")), "url": self._url(chance, GETS)}
        url, form = chance.choice(POSTS)
        raw = msgspec.json.encode(spoilt(form, chance))
        head: dict[str, str] = {}
        how = chance.random()
        if how < 0.1:
            raw = torn(raw, chance)
        elif how < 0.15:
            raw = chance.choice((b"[" * 5000, DEEP.encode(), b"x" * 70_000, b"\xff", b"null", b'"', b""))
        elif how < 0.2:
            head = chance.choice(({"X-CSRF-Token": "x"}, {"Origin": "http://evil.example"}, {"Cookie": "x"}))
        return {"method": "POST", "url": self._url(chance, (url,)), "content": raw, "headers": head}

    def _url(self, chance: random.Random, known: Sequence[str]) -> str:
        number = chance.choice(self._tables if chance.random() < 0.6 else IDS)
        url = chance.choice(known).format(id=number, other=chance.choice(IDS), book=chance.choice(NAMES))
        return url + chance.choice(("", "", "", "?x=1", "?" + "y" * 2000, "/"))
