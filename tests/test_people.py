"""Who plays and who holds an office: names, passwords, sessions and the operator's link."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select

from croupier.errors import ParseError, StoreError
from croupier.house.database import Database, Person
from croupier.house.database.people import LASTS, People, checked_name
from croupier.house.database.schema import sessions
from croupier.table.actors import Actor

SECRET = "correct horse"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database.open(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def people(database: Database) -> People:
    return database.people


@pytest.fixture
def operator(people: People) -> Person:
    return people.use_link(people.operator_link() or "", "boss", SECRET).person


# Names


@pytest.mark.parametrize(
    "name",
    ["Ann", "  Ann ", "Mary-Ann", "Zoë", "अमित", "p1", "Łukasz", "李小龙", "Анна", "ひろしA", "a" * 24],
)
def test_a_name_is_taken_as_it_is(name: str) -> None:
    assert checked_name(name) == name.strip()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "a name is one word"),
        ("   ", "a name is one word"),
        ("two words", "a name is one word"),
        ("a" * 25, "up to 24 letters"),
        ("a\\x1b[2J", "which a screen would not show"),
        ("a\\u202eb", "which a screen would not show"),
        ("a\\u200bb", "a name is one word"),
        ("a;b", "a name is one word"),
        ("O'Neill", "a name is one word"),
        ("1st", "a name begins with a letter"),
        ("-", "a name begins with a letter"),
        ("dealer", "is the name of an office"),
        ("Supervisor", "is the name of an office"),
        ("House", "is the name of an office"),
        ("\\uff44ealer", "is the name of an office"),
        ("Ann\\u034f", "a name is one word"),
        ("Ann\\u3164", "a name is one word"),
        ("Ann\\ufe0f", "a name is one word"),
        ("A\\u043d\\u043d", "the letters of a name are of one alphabet"),
        ("\\u0430nn", "the letters of a name are of one alphabet"),
        ("a\\u0316\\u0317\\u0318\\u0319", "has 3 marks at the most"),
    ],
)
def test_a_name_that_could_deceive_is_refused(people: People, name: str, why: str) -> None:
    with pytest.raises(ParseError, match=why):
        people.enter(name.encode().decode("unicode_escape") if "\\" in name else name)
    assert people.everybody() == []


@pytest.mark.parametrize("other", ["Ann", "ann", "ANN", " ann", "\uff21nn"])
def test_nobody_takes_another_s_name(people: People, other: str) -> None:
    people.enter("Ann")
    with pytest.raises(ParseError, match=r"somebody here is called .* already"):
        people.register(other, SECRET)
    assert [person.name for person in people.everybody()] == ["Ann"]


# Coming and going


def test_a_newcomer_gives_a_name_and_is_known_by_a_token(people: People) -> None:
    ann, token = people.enter("Ann")
    assert (ann.name, ann.role, ann.registered, ann.actor) == ("Ann", "player", False, Actor("player", "Ann"))
    assert people.who(token) == ann == people.named("ann")
    assert people.who("x") is None
    assert people.who("\ud800") is None
    with pytest.raises(ParseError, match="the name or the password is not right"):
        people.login("Ann", "")


def test_who_is_given_nothing_has_not_come(people: People) -> None:
    """A name is not taken by somebody who was told that it could not be put on record."""

    def fails(connection: Connection, name: str) -> None:
        raise OSError("full")

    for come in (lambda: people.enter("Ann", fails), lambda: people.register("Ann", SECRET, fails)):
        with pytest.raises(StoreError):
            come()
    assert people.everybody() == []
    assert people.enter("Ann").person.name == "Ann"


def test_who_is_registered_can_come_back(people: People) -> None:
    first = people.register("Ann", SECRET)
    second = people.login("ANN", SECRET)
    assert first.person == second.person
    assert first.token != second.token
    people.logout(first.token)
    assert people.who(first.token) is None
    assert people.who(second.token) == second.person


@pytest.mark.parametrize(("name", "password"), [("Ann", "wrong"), ("Ann", ""), ("Bob", SECRET), ("", SECRET)])
def test_a_wrong_name_and_a_wrong_password_are_the_same(people: People, name: str, password: str) -> None:
    people.register("Ann", SECRET)
    with pytest.raises(ParseError, match=r"^the name or the password is not right$"):
        people.login(name, password)


@pytest.mark.parametrize("password", ["", "short", "x" * 201])
def test_a_password_has_a_length(people: People, password: str) -> None:
    with pytest.raises(ParseError, match=r"a password has 8 to 200 letters, and this one \d+"):
        people.register("Ann", password)
    assert people.named("Ann") is None


def test_a_newcomer_sets_a_password_and_other_sessions_end(people: People) -> None:
    ann, old = people.enter("Ann")
    new = people.set_password(ann, SECRET)
    assert new.person.registered
    assert people.who(old) is None
    assert people.who(new.token) == new.person == people.login("Ann", SECRET).person


def test_a_session_ends_by_itself(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    people = database.people
    ann, token = people.enter("Ann")
    moment = time.time()
    monkeypatch.setattr(time, "time", lambda: moment + LASTS - 5)
    assert people.who(token) == ann
    monkeypatch.setattr(time, "time", lambda: moment + LASTS + 5)
    assert people.who(token) is None
    people.enter("Ben")  # with every session that begins those are forgotten that are over
    with database.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(sessions)).scalar() == 1


def test_neither_passwords_nor_tokens_are_kept(database: Database, tmp_path: Path) -> None:
    link = database.people.operator_link() or ""
    token = database.people.use_link(link, "boss", SECRET).token
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"argon2id" in content
    assert not [secret for secret in (SECRET, token, link) if secret.encode() in content]


# Offices


def test_the_link_works_once(people: People) -> None:
    link = people.operator_link() or ""
    assert people.link_is_good(link)
    boss, token = people.use_link(link, "boss", SECRET)
    assert (boss.role, people.who(token)) == ("operator", boss)
    assert not people.link_is_good(link)
    with pytest.raises(ParseError, match="was used already, or a later one was made"):
        people.use_link(link, "other", SECRET)
    assert people.operator_link() is None


def test_a_later_link_takes_the_place_of_the_first(people: People) -> None:
    first, second = people.operator_link() or "", people.operator_link() or ""
    with pytest.raises(ParseError, match="a later one was made"):
        people.use_link(first, "boss", SECRET)
    assert people.use_link(second, "boss", SECRET).person.role == "operator"


@pytest.mark.parametrize(("name", "password"), [("Ann", SECRET), ("dealer", SECRET), ("boss", "short")])
def test_a_link_that_led_nowhere_is_still_good(people: People, name: str, password: str) -> None:
    people.enter("Ann")
    link = people.operator_link() or ""
    with pytest.raises(ParseError):
        people.use_link(link, name, password)
    assert people.use_link(link, "boss", SECRET).person.role == "operator"


def test_an_operator_appoints(people: People, operator: Person) -> None:
    _, token = people.register("Dan", SECRET)
    assert people.appoint("dan", "dealer", by=operator).actor == Actor("dealer", "Dan")
    found = people.who(token)
    assert found is not None
    assert found.role == "dealer"
    with pytest.raises(ParseError, match="only an operator appoints somebody, and Dan is none"):
        people.appoint("Dan", "operator", by=found)


@pytest.mark.parametrize(
    ("name", "role", "why"),
    [
        ("nobody", "dealer", "nobody here is called 'nobody'"),
        ("Ann", "dealer", "Ann has no password, and an office is held with one"),
        ("Ann", "king", "'king' is no role"),
        ("boss", "player", "boss is the only operator"),
    ],
)
def test_not_everybody_can_be_appointed(
    people: People, operator: Person, name: str, role: str, why: str
) -> None:
    people.enter("Ann")
    with pytest.raises(ParseError, match=why):
        people.appoint(name, role, by=operator)  # type: ignore[arg-type]
    assert [(person.name, person.role) for person in people.everybody()] == [
        ("boss", "operator"),
        ("Ann", "player"),
    ]
