"""Logs of every release, kept in tests/logs: each is replayed for ever, and leaves what it left then.

What later releases may do, add provisions and citations, makes notes; what nobody may do is found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields, replace

import croupier
from croupier.cli.logs import replay as replay_command
from croupier.errors import DoesNotHold, ParseError
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import resume
from croupier.record import Log, read_log, replay
from croupier.record.chain import START, seal, verified
from croupier.record.line import FORMAT, FORMATS
from croupier.record.log import read_lines
from croupier.rulebook import NAMES, Rulebook, Rules
from croupier.rulebook.plain import fingerprint
from croupier.table import commands as cmd

FOLDER = Path(__file__).parent / "logs"
GOLDEN = sorted(FOLDER.glob("*.log"))
TABLES = [path for path in GOLDEN if "-case-" not in path.stem and "-live" not in path.stem]
Line = dict[str, Any]


@pytest.fixture(autouse=True)
def later_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """Golden logs are read by releases to come."""
    monkeypatch.setattr("croupier.__version__", "9.9")


def both_formats(name: str) -> list[Path]:
    return [FOLDER / f"0.1.0-{name}.log", FOLDER / f"0.1.0-format-2-{name}.log"]


def sealed_anew(path: Path, change: Callable[[list[Line]], object]) -> list[bytes]:
    """The lines of a log, changed, and their chain made to hold again."""
    lines = [json.loads(body) for body in verified(path.read_bytes().splitlines(), path.name)]
    change(lines)
    sealed, previous = [], START
    for line in lines:
        one, previous = seal(msgspec.json.encode(line), previous)
        sealed.append(one)
    return sealed


def written_anew(path: Path, change: Callable[[list[Line]], object]) -> Log:
    return read_lines(sealed_anew(path, change), path.name)


def event_of(lines: list[Line], kind: str, **having: object) -> tuple[int, Line]:
    """The first event of a kind with such fields, and the number of its line."""
    for number, line in enumerate(lines, start=1):
        for event in line.get("events", ()):
            if event["type"] == kind and having.items() <= event.items():
                return number, event
    raise AssertionError(kind)


# What was written is read


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_log_leaves_the_table_as_it_did_then(path: Path) -> None:
    done = replay(read_log(path))
    state = done.state
    assert json.loads(path.with_suffix(".json").read_text()) == {
        "commands": done.commands,
        "events": done.events,
        "refusals": done.refusals,
        "round": state.round,
        "stage": state.stage,
        "left": state.shoe.left,
        "minimum": state.terms.minimum,
        "won": state.won,
        "float_change": state.float_change,
    }


def test_every_format_and_every_rulebook_has_golden_logs() -> None:
    logs = [read_log(path) for path in TABLES]
    assert {(log.header.log, log.header.rulebook) for log in logs} == {
        (form, name) for form in FORMATS for name in NAMES
    }


@pytest.mark.parametrize("name", [*NAMES, "case-a1", "case-p9"])
def test_both_formats_tell_the_same_evening(name: str) -> None:
    first, second = (read_log(path) for path in both_formats(name))
    assert first.entries == second.entries
    assert first.rules == second.rules
    assert first.initial_state() == second.initial_state()


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_goes_on_in_a_log_of_any_release(path: Path, tmp_path: Path) -> None:
    file = tmp_path / path.name
    file.write_bytes(path.read_bytes())
    kept = read_log(file)
    host = resume(kept, cards=VirtualShoe(1) if kept.header.kind == "virtual" else None)
    host.give(cmd.OpenBetting())
    host.close()
    log = read_log(file)
    assert host.state.rules == log.rules
    assert replay(log).state == host.state
    assert file.read_bytes().startswith(path.read_bytes())


def test_a_header_says_who_wrote_it_and_holds_the_rules() -> None:
    header = read_log(FOLDER / "0.1.0-format-3-uk-blackjack-1994.log").header
    assert (header.log, header.engine) == (FORMAT, "0.1.0")
    assert (header.kind, header.opened.house) == ("virtual", "Demonstration house")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", header.at)
    assert header.rules is not None
    assert header.rules["bettors_per_box"] == 3
    assert "soft_17" not in header.rules


# What later releases may do


@pytest.fixture
def another_provision(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release in which the rules have one field more, of which no log and no rulebook knows."""
    later = msgspec.defstruct(
        "Rules", [("music", str, "none")], bases=(Rules,), frozen=True, forbid_unknown_fields=True
    )
    rules_for = Rulebook.rules_for

    def with_music(self: Rulebook, *given: Any, **named: Any) -> Rules:
        rules = rules_for(self, *given, **named)
        return later(**{field.name: getattr(rules, field.name) for field in fields(Rules)})

    monkeypatch.setattr(Rulebook, "rules_for", with_music)
    monkeypatch.setattr("croupier.rulebook.plain.Rules", later)


@pytest.mark.usefixtures("another_provision")
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_provision_that_is_added_makes_no_log_wrong(path: Path) -> None:
    log = read_log(path)
    assert log.rules.music == "none"  # type: ignore[attr-defined]
    notes = replay(log).notes
    if log.header.rules is None:
        assert [(note.line, note.about) for note in notes] == [(1, f"the rules of {log.header.rulebook}")]
        assert notes[0].recorded == (log.header.fingerprint,)
    else:
        assert notes == ()


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_another_citation_is_a_note(path: Path) -> None:
    found: list[int] = []

    def change(lines: list[Line]) -> None:
        number, event = event_of(lines, "Settled")
        event["basis"].append("settlement_of_old")
        found.append(number)

    done = replay(written_anew(path, change))
    (note,) = done.notes
    assert (note.line, note.about) == (found[0], "what Settled rests on")
    assert note.recorded == (*note.now, "settlement_of_old")
    assert done.state == replay(read_log(path)).state


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_refusal_under_another_provision_is_a_note(path: Path) -> None:
    def change(lines: list[Line]) -> None:
        refused = next(line["refused"] for line in lines if "refused" in line)
        refused["provision"] = "of_old"

    (note,) = replay(written_anew(path, change)).notes
    assert (note.about, note.recorded) == ("the provision it is refused under", ("of_old",))
    assert note.now == ("operator",)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_field_written_as_its_default_is_the_same_as_none(path: Path) -> None:
    """So a field may be added to an event, if its default says what was the case before."""

    def change(lines: list[Line]) -> None:
        _, event = event_of(lines, "WagerPlaced")
        assert "over" not in event
        event["over"] = 0

    assert replay(written_anew(path, change)).notes == ()


def test_a_log_stands_though_the_rulebook_makes_other_rules_by_now(monkeypatch: pytest.MonkeyPatch) -> None:
    rules_for = Rulebook.rules_for
    monkeypatch.setattr(
        Rulebook,
        "rules_for",
        lambda self, *given, **named: replace(rules_for(self, *given, **named), burn_cards=3),
    )
    first, second = both_formats("act-blackjack-2003")
    done = replay(read_log(second))
    (note,) = done.notes
    assert str(note) == "line 1: the rules of act-blackjack-2003: recorded burn_cards = 1; now burn_cards = 3"
    with pytest.raises(ParseError, match=r"burns.*; act-blackjack-2003 makes other rules now than when"):
        replay(read_log(first))


def without_rulebook(lines: list[Line]) -> None:
    lines[0]["rulebook"] = "gone.toml"


def test_a_log_stands_without_its_rulebook() -> None:
    """The file of one's own rulebook is gone: it is missing for citations only."""
    path = both_formats("act-pontoon-2002")[1]
    done = replay(written_anew(path, without_rulebook))
    (note,) = done.notes
    assert note.about == "the rulebook gone.toml"
    assert "gone.toml: cannot be read" in note.now[0]
    assert done.state == replay(read_log(path)).state


def test_the_terminal_prints_notes_and_is_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.log"
    lines = sealed_anew(both_formats("act-pontoon-2002")[1], without_rulebook)
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    assert replay_command(file) == 0
    shown = capsys.readouterr().out
    assert "the rules bear out every one" in shown
    assert "gone.toml: 8 rounds" in shown
    assert "note: line 1: the rulebook gone.toml: recorded " in shown
    assert replay_command(file, json=True) == 0
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert note["line"] == 1
    assert note.keys() == {"line", "about", "recorded", "now"}


def test_what_is_noted_many_times_is_printed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def change(lines: list[Line]) -> None:
        for event in (event for line in lines for event in line.get("events", ())):
            if event["type"] == "RoundEnded":
                event["basis"] = ["of_old"]

    file = tmp_path / "table.log"
    lines = sealed_anew(both_formats("act-pontoon-2002")[1], change)
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    assert replay_command(file) == 0
    shown = capsys.readouterr().out
    assert shown.count("note:") == 1
    assert ": what RoundEnded rests on: recorded of_old; now " in shown
    assert "(and 7 more times)" in shown


# What nobody may do


def a_net(lines: list[Line]) -> int:
    number, event = event_of(lines, "Settled")
    event["net"] += 100
    return number


def a_card(lines: list[Line]) -> int:
    number, event = event_of(lines, "CardDealt", box=2)
    event["card"] = "2c" if event["card"] != "2c" else "3c"
    return number


def a_missing_event(lines: list[Line]) -> int:
    number, event = event_of(lines, "Settled")
    lines[number - 1]["events"].remove(event)
    return number


def an_event_too_many(lines: list[Line]) -> int:
    number, event = event_of(lines, "RoundEnded")
    lines[number - 1]["events"].append(event)
    return number


def another_event(lines: list[Line]) -> int:
    number, event = event_of(lines, "HandStood")
    event["type"] = "CardCalled"
    return number


def a_refusal_of_what_was_obeyed(lines: list[Line]) -> int:
    number, _ = event_of(lines, "SeatTaken")
    lines[number - 1].pop("events")
    lines[number - 1]["refused"] = {"provision": "box", "why": "no"}
    return number


def what_was_refused_obeyed(lines: list[Line]) -> int:
    number = next(number for number, line in enumerate(lines, start=1) if "refused" in line)
    lines[number - 1].pop("refused")
    return number


def what_was_refused_with_an_event(lines: list[Line]) -> int:
    number = next(number for number, line in enumerate(lines, start=1) if "refused" in line)
    lines[number - 1]["events"] = [{"type": "LimitsSet", "minimum": 1, "maximum": 2}]
    return number


def another_house(lines: list[Line]) -> int:
    lines[0]["opened"]["house"] = "another"
    return 1


def another_number(lines: list[Line]) -> int:
    lines[20]["n"] += 1
    return 21


@pytest.mark.parametrize(
    "change",
    [
        a_net,
        a_card,
        a_missing_event,
        an_event_too_many,
        another_event,
        a_refusal_of_what_was_obeyed,
        what_was_refused_obeyed,
        what_was_refused_with_an_event,
        another_house,
        another_number,
    ],
)
@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_what_did_not_happen_is_found_and_its_line_named(
    path: Path, change: Callable[[list[Line]], int]
) -> None:
    found: list[int] = []
    lines = sealed_anew(path, lambda lines: found.append(change(lines)))
    with pytest.raises(DoesNotHold, match=rf"^{path.name}:{found[0]}: "):
        replay(read_lines(lines, path.name))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_broken_chain_names_the_line(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    lines[11] = lines[11].replace(b'"n":11', b'"n":12')
    with pytest.raises(ParseError, match=rf"^{path.name}:12: the chain is broken here"):
        read_lines(lines, path.name)


# Headers that no release up to this one has written


def header_with(**changed: object) -> Log:
    path = both_formats("act-blackjack-2003")[1]
    return written_anew(path, lambda lines: lines[0].update(changed))


def test_a_format_of_the_future_is_a_sentence() -> None:
    with pytest.raises(ParseError) as error:
        header_with(log="croupier log 9")
    assert str(error.value) == (
        "0.1.0-format-2-act-blackjack-2003.log:1: 'croupier log 9' is no format of a log that "
        f"croupier {croupier.__version__} reads; it reads croupier log 1, croupier log 2, croupier log 3"
    )


def test_an_unknown_key_is_a_sentence_that_names_who_wrote_it() -> None:
    with pytest.raises(ParseError, match=r":1: Object contains unknown field `music`$"):
        header_with(music="loud", engine=croupier.__version__)
    with pytest.raises(
        ParseError, match=r"`music`; the log was written by croupier 9.0, and this is croupier"
    ):
        header_with(music="loud", engine="9.0")


def test_rules_that_are_not_those_of_the_fingerprint_are_refused() -> None:
    with pytest.raises(ParseError, match=r":1: the fingerprint is not that of the rules"):
        header_with(rules={"natural_pays": "6/5"})
    with pytest.raises(ParseError, match=r":1: the fingerprint is not that of the rules"):
        header_with(rules=None)


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ({"music": "loud"}, "the rules: Object contains unknown field `music`"),
        ({"natural_pays": 1.5}, "the rules: 1.5 is no fraction"),
        ({"house": {"boxes": 10**9}}, "the rules: Expected `int` <= 20"),
        ({"ten_ranks": "JQ"}, "the rules: rank K has no value"),
    ],
)
def test_rules_that_cannot_be_are_a_sentence(rules: dict[str, object], problem: str) -> None:
    log = header_with(rules=rules, fingerprint=fingerprint(rules))
    with pytest.raises(ParseError) as error:
        replay(log)
    assert problem in str(error.value)
