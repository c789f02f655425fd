"""Who plays and who holds an office.

A newcomer gives a name and plays; who sets a password can come back. Offices are given by an operator, and
the first operator comes by a link that works once. Of passwords and tokens only hashes are kept. How often
somebody may try is the server's to limit.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
import unicodedata
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple, get_args

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import Connection, Engine, delete, insert, select, update

from croupier.errors import ParseError
from croupier.house.clock import now
from croupier.house.database.schema import links, people, sessions
from croupier.house.database.writer import Writer
from croupier.printable import require_printable
from croupier.table.actors import Actor, Role

LONGEST = 24  # letters of a name
SHORTEST = 8  # letters of a password
MOST = 200  # letters of a password, so that nobody keeps us busy with it
LASTS = 30 * 24 * 3600  # seconds of a session
UNKNOWN = "the name or the password is not right"
# Letters and marks that leave no trace on a screen, and alphabets whose letters look like each other's.
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
ALIKE = {"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LATIN", "LISU"}
MARKS = 3  # on one letter: more would run over what is above and below


class Person(NamedTuple):
    """Somebody known by name. `registered`: they have a password, and can come back."""

    id: int
    name: str
    role: Role
    registered: bool

    @property
    def actor(self) -> Actor:
        return Actor(self.role, self.name)


Gift = Callable[[Connection, str], None]  # what somebody of this name is given, in the same transaction


class Entered(NamedTuple):
    """Somebody who came in, and the token of their session, which is kept nowhere."""

    person: Person
    token: str


class People:
    """All people of a database. What is written is there when a function returns: not for a server's loop."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer
        self._hasher = PasswordHasher()

    # Coming and going

    def enter(self, name: str, gift: Gift | None = None) -> Entered:
        """A newcomer, without a password. A ParseError says what is wrong with the name."""
        return self._come(checked_name(name), None, gift)

    def register(self, name: str, password: str, gift: Gift | None = None) -> Entered:
        """Somebody new who can come back."""
        return self._come(checked_name(name), self._hash(password), gift)

    def _come(self, name: str, hashed: str | None, gift: Gift | None) -> Entered:
        """Who comes in has what a newcomer is given, or has not come in."""

        def work(connection: Connection) -> Entered:
            person = _add(connection, name, hashed)
            if gift is not None:
                gift(connection, name)
            return _begin_session(connection, person)

        return self._writer.do(work)

    def login(self, name: str, password: str) -> Entered:
        """Somebody comes back. Whether name or password was wrong a ParseError does not tell."""
        row = self._find(people.c.folded == folded(name[:MOST]))
        hashed, nobodys = None if row is None else row.password, self._nobodys
        if not self._is_right(hashed or nobodys, password) or row is None or hashed is None:
            raise ParseError(UNKNOWN)
        return self._writer.do(lambda connection: _begin_session(connection, _person(row)))

    def set_password(self, person: Person, password: str, old: str = "") -> Entered:
        """A newcomer registers, or who knows the old password takes another. Earlier sessions are over."""
        hashed = self._hash(password)
        row = self._find(people.c.id == person.id)
        if row.password is not None and not self._is_right(row.password, old):
            raise ParseError("the old password is not right")

        def work(connection: Connection) -> Entered:
            connection.execute(update(people).where(people.c.id == person.id).values(password=hashed))
            connection.execute(delete(sessions).where(sessions.c.person == person.id))
            return _begin_session(connection, person._replace(registered=True))

        return self._writer.do(work)

    def who(self, token: str) -> Person | None:
        """Whose session it is; None if it is nobody's, or over."""
        query = select(people).join(sessions, sessions.c.person == people.c.id)
        wanted = sessions.c.token == _hashed(token), sessions.c.expires > int(time.time())
        with self._engine.connect() as connection:
            row = connection.execute(query.where(*wanted)).first()
        return None if row is None else _person(row)

    def logout(self, token: str) -> None:
        """The session is over."""
        own = sessions.c.token == _hashed(token)
        self._writer.do(lambda connection: connection.execute(delete(sessions).where(own)) and None)

    # Who there is

    def named(self, name: str) -> Person | None:
        row = self._find(people.c.folded == folded(name))
        return None if row is None else _person(row)

    def everybody(self) -> list[Person]:
        with self._engine.connect() as connection:
            return [_person(row) for row in connection.execute(select(people).order_by(people.c.id))]

    def appoint(self, name: str, role: Role, by: Person) -> Person:
        """An operator gives an office to somebody who is registered, or takes it away again (`player`)."""
        if role not in get_args(Role):
            raise ParseError(f"{role!r} is no role: {', '.join(get_args(Role))} are")
        row = self._find(people.c.folded == folded(name))
        if row is None:
            raise ParseError(f"nobody here is called {name!r}")
        person = _person(row)
        if not person.registered and role != "player":
            raise ParseError(f"{person.name} has no password, and an office is held with one")

        def work(connection: Connection) -> Person:
            _require_operator(connection, by)
            connection.execute(update(people).where(people.c.id == person.id).values(role=role))
            if not _has_operator(connection):
                raise ParseError(f"{person.name} is the only operator; appoint another one first")
            return person._replace(role=role)

        return self._writer.do(work)

    # The first operator

    def operator_link(self) -> str | None:
        """The token of a link by which somebody becomes the operator, in place of any before it.

        None once there is an operator.
        """
        token = secrets.token_urlsafe(32)

        def work(connection: Connection) -> str | None:
            if _has_operator(connection):
                return None
            connection.execute(delete(links))
            connection.execute(insert(links).values(token=_hashed(token)))
            return token

        return self._writer.do(work)

    def use_link(self, token: str, name: str, password: str) -> Entered:
        """Become the operator, as somebody new. The link works once; if the name is taken it was not used."""
        name, hashed = checked_name(name), self._hash(password)

        def work(connection: Connection) -> Entered:
            used = connection.execute(delete(links).where(links.c.token == _hashed(token)))
            if not used.rowcount:
                raise ParseError("the operator's link was used already, or a later one was made")
            return _begin_session(connection, _add(connection, name, hashed, "operator"))

        return self._writer.do(work)

    def link_is_good(self, token: str) -> bool:
        """Would the link work?"""
        with self._engine.connect() as connection:
            query = select(links.c.token).where(links.c.token == _hashed(token))
            return connection.execute(query).first() is not None

    # Passwords

    def _hash(self, password: str) -> str:
        if not SHORTEST <= len(password) <= MOST:
            raise ParseError(f"a password has {SHORTEST} to {MOST} letters, and this one {len(password)}")
        return self._hasher.hash(password)

    def _is_right(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password[:MOST])
        except VerificationError:
            return False

    @cached_property
    def _nobodys(self) -> str:
        """A hash that no password has, so that an unknown name takes as long as a wrong password."""
        return self._hasher.hash(secrets.token_hex(32))

    def _find(self, wanted: Any) -> Any:
        with self._engine.connect() as connection:
            return connection.execute(select(people).where(wanted)).first()


# Names


def checked_name(name: str) -> str:
    """A name by which somebody can be known: it is shown as it is, typed in one word, and no office's."""
    name = unicodedata.normalize("NFC", name.strip())
    require_printable(name, "the name")
    if not 1 <= len(name) <= LONGEST or not all(map(_is_of_a_name, name)):
        raise ParseError(f"{name!r}: a name is one word of up to {LONGEST} letters and digits")
    if len({unicodedata.name(letter, "").split(" ")[0] for letter in folded(name)} & ALIKE) > 1:
        raise ParseError(f"{name!r}: the letters of a name are of one alphabet")
    if "M" * (MARKS + 1) in "".join(unicodedata.category(letter)[0] for letter in name):
        raise ParseError(f"{name!r}: a letter of a name has {MARKS} marks at the most")
    if not name[0].isalpha():
        raise ParseError(f"{name!r}: a name begins with a letter")
    if folded(name) in (*get_args(Role), "house"):  # who asks what nobody else does
        raise ParseError(f"{name!r} is the name of an office")
    return name


def _is_of_a_name(letter: str) -> bool:
    """Letters of any script with their marks, digits, and what joins words; a quote would open a text."""
    seen = unicodedata.category(letter)[0] in "LMN" and not UNSEEN.match(letter)
    return seen or letter in "-_."


def folded(name: str) -> str:
    """A name as names are compared, so that no two differ in case or width only."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name.strip()).casefold())


# In the writer's thread


def _add(connection: Connection, name: str, hashed: str | None = None, role: Role = "player") -> Person:
    known = folded(name)
    if connection.execute(select(people.c.id).where(people.c.folded == known)).first():
        raise ParseError(f"somebody here is called {name} already")
    row = {"name": name, "folded": known, "password": hashed, "role": role, "since": now()}
    number = connection.execute(insert(people).values(**row).returning(people.c.id)).scalar_one()
    return Person(int(number), name, role, hashed is not None)


def _begin_session(connection: Connection, person: Person) -> Entered:
    """A session begins, and those that have expired are forgotten: so there are never many of them."""
    token, at = secrets.token_urlsafe(32), int(time.time())
    connection.execute(delete(sessions).where(sessions.c.expires <= at))
    expires = at + LASTS
    connection.execute(insert(sessions).values(token=_hashed(token), person=person.id, expires=expires))
    return Entered(person, token)


def _require_operator(connection: Connection, by: Person) -> None:
    """Offices change: what somebody was when they came in does not count."""
    if connection.execute(select(people.c.role).where(people.c.id == by.id)).scalar() != "operator":
        raise ParseError(f"only an operator appoints somebody, and {by.name} is none")


def _has_operator(connection: Connection) -> bool:
    return connection.execute(select(people.c.id).where(people.c.role == "operator")).first() is not None


def _person(row: Any) -> Person:
    return Person(row.id, row.name, row.role, row.password is not None)


def _hashed(token: str) -> str:
    """Tokens are long and of chance, so that a plain hash of them is enough."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
