"""Everything that is known of a provision stands at its field: nothing is missing, and all else asks it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Annotated, Literal

import pytest
from msgspec import Struct

from croupier.rulebook import GROUNDS, NAMES, House, Pattern, Row, Rules, SideBet, SuperBonus, load
from croupier.rulebook.demonstration import TERMS
from croupier.rulebook.provision import (
    Provision,
    Setting,
    choices,
    has_parts,
    parts,
    provisions,
    settings_in,
    types,
)
from croupier.rulebook.rules import PLAY
from croupier.rulebook.study import studied, study, writable
from croupier.rulebook.words import name_of, words

RECORDS = (Pattern, Row, SideBet, SuperBonus)
NO_SECTION = {"house", "rulebook"}  # what was chosen, and from where


def missing(record: type[Struct], *, not_provisions: frozenset[str] = frozenset()) -> Iterator[str]:
    """What is not said of the provisions of a record."""
    known = provisions(record)
    for name in record.__struct_fields__:
        if name not in known:
            if name not in not_provisions:
                yield f"{name} is no provision"
            continue
        unsaid = [choice for choice in choices(types(record)[name]) if choice not in known[name].words]
        yield from (f"{name}: no words for {choice}" for choice in unsaid)
        if not known[name].name and not has_parts(record, name):
            yield f"{name}: no name"
        if record not in RECORDS and not known[name].section:
            yield f"{name}: no section"


def test_every_provision_is_complete() -> None:
    assert not list(missing(Rules, not_provisions=frozenset(NO_SECTION)))


@pytest.mark.parametrize("record", RECORDS)
def test_every_part_of_a_provision_is_complete(record: type[Struct]) -> None:
    assert not list(missing(record))


class More(Rules, frozen=True):
    """The rules with more provisions, of which some are told too little about."""

    peek: Annotated[
        Literal["none", "ace"], PLAY("Dealer peeks", {"none": "never", "ace": "under an ace"}, worth="dealer")
    ] = "none"
    half_told: Annotated[Literal["yes", "no"], PLAY("Half told", {"yes": "yes"})] = "no"
    nameless: Annotated[int, Provision("", "")] = 0
    bare: bool = False


def test_a_provision_is_added_in_one_place_and_what_is_missing_is_found() -> None:
    assert list(provisions(More))[: len(provisions(Rules))] == list(provisions(Rules))
    assert provisions(More)["peek"].section == "Play"
    assert dict(parts(More, "peek"))["peek"] == provisions(More)["peek"]
    assert list(missing(More, not_provisions=frozenset(NO_SECTION))) == [
        "half_told: no words for no",
        "nameless: no name",
        "nameless: no section",
        "bare is no provision",
    ]


def test_words_are_for_choices_and_for_people() -> None:
    for record in (Rules, *RECORDS):
        for name, known in provisions(record).items():
            listed = choices(types(record)[name])
            assert not listed or set(known.words) <= set(listed), name
            assert not [said for said in (known.name, *known.words.values()) if "_" in said], name


def test_names_are_told_apart_and_sections_stand_together() -> None:
    names = [known.name for known in provisions(Rules).values()]
    assert len(set(names)) == len(names)
    sections = [known.section for known in provisions(Rules).values()]
    changes = 1 + sum(one != other for one, other in itertools.pairwise(sections))
    assert changes == len(set(sections))


def test_what_is_known_refers_to_what_there_is() -> None:
    known = provisions(Rules)
    assert {one.of for one in known.values()} - {""} <= set(known)
    for setting in settings_in(House).values():
        assert setting.behind in {"", *known, *GROUNDS}
        assert setting.by in {"", *known}
        assert "{}" not in setting.permitted or (setting.by or setting.behind) in known


def test_every_setting_of_a_house_is_known() -> None:
    assert set(House.__struct_fields__) - set(settings_in(House)) == {"approvals", "side_bets"}
    assert all(isinstance(known, Setting) for known in settings_in(House).values())


def test_every_stake_of_a_side_bet_has_terms() -> None:
    assert set(TERMS) == set(choices(types(SideBet)["stake"]))


@pytest.mark.parametrize("rulebook", NAMES)
def test_every_value_of_a_rulebook_is_in_words(rulebook: str) -> None:
    rules = load(rulebook).rules
    for name in provisions(Rules):
        assert name_of(name)
        said = words(name, getattr(rules, name))
        assert said
        assert "_" not in said


def test_what_is_asked_of_any_game_can_be_set() -> None:
    book = load("act-blackjack-2003")
    for name, known in provisions(Rules).items():
        assert not known.asked or known.worth
        for value in known.asked:
            assert study(book, [f"{name}={value}"])


def test_what_may_be_set_for_study_says_how_it_is_written() -> None:
    assert all(writable(name) for name in studied())
    assert writable("soft_17") == "stand or hit"
    assert writable("house") == ""
