"""Clauses by name: under which document, whether none stands behind an act, and the rules handed out."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.cases import read_case, run_case
from croupier.cases.clauses import ClauseTest, run_test
from croupier.cases.coverage import coverage
from croupier.errors import Refused, RulebookError
from croupier.house.rounds import case_of, write_case_log
from croupier.record import read_log
from croupier.rulebook import NAMES, load
from croupier.story import cited, rules_text, tell
from croupier.table import advance, open_state
from croupier.table import events as ev
from croupier.table.text import parse

OLD, NEW = "act-blackjack-1997", "act-blackjack-2003"
AMENDED = load(OLD)
ONE = Path(__file__).parent / "cases" / OLD / "n1-one-cutting-card-met-on-the-dealer-s-hand.toml"


def croupier(*args: str | Path, script: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-m", "croupier", *args],
        input=script,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# Names


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("6.2(a)", True, True),
        ("§6.2(a)", True, True),
        ("6.2", True, True),
        (f"{OLD} 6.2(a)", True, False),
        (f"{NEW} 6.2(a)", False, True),
        (f"{NEW} §6.2", False, True),
        (f"{NEW} 6.2(b)", False, False),
        ("uk-blackjack-1994 6.2(a)", False, False),
        (OLD, False, False),
        ("", False, False),
    ],
)
def test_a_name_may_begin_with_a_document_which_must_then_be_the_clause_s(
    name: str, old: bool, new: bool
) -> None:
    clauses = [AMENDED.clause(f"{document} 6.2(a)") for document in (OLD, NEW)]
    assert [clause.is_named(name) for clause in clauses] == [old, new]


def test_a_clause_is_found_by_its_number_and_by_its_document_s() -> None:
    assert AMENDED.clause("6.2(a)").citation == f"{OLD} 6.2(a)"
    assert AMENDED.clause(f"{NEW} 6.2(a)").citation == f"{NEW} 6.2(a)"
    assert load("uk-blackjack-1994").clause("uk-blackjack-1994 reg 7(9)").number == "7(9)"
    with pytest.raises(RulebookError, match="has no clause"):
        AMENDED.clause(f"{NEW} 2.1")


@pytest.mark.parametrize("name", NAMES)
def test_what_a_clause_is_called_is_clear(name: str) -> None:
    book = load(name)
    called = [book.short(clause) for clause in book.clauses]
    assert len(set(called)) == len(called)
    assert book.names_documents == (name == OLD)
    for clause in book.clauses:
        assert book.clause(book.short(clause)) is clause
        assert book.short(clause) == (clause.citation if name == OLD else clause.number)


# Where clauses are shown


def test_dealing_under_two_documents_names_them() -> None:
    ready = "p1 sits 1\n\n\n\n52\n60\n\np1 bets 10 on 1\n\nTh\nwhy\nwhy 6.2(a)\n1 split\n"
    shown = croupier("deal", OLD, script=ready)
    assert f"The cut is offered to p1  [{OLD} 6.2(a), {OLD} 6.2]" in shown
    assert f"10♥ to box 1  [{NEW} 6.2(a)" in shown
    assert f"next: shuffle, then offer the cut to p1 [{OLD} 6.2, {OLD} 6.2(a)]" in shown
    assert f"\n{OLD} 6.2(a)  At the start" in shown
    assert f"\n{NEW} 6.2(a)  First a card" in shown
    for line in shown.splitlines():
        for number in line.partition("  [")[2].strip("]").split(", "):
            assert not number or number.startswith((OLD, NEW)), line


def test_a_game_under_one_document_cites_numbers() -> None:
    shown = croupier("deal", NEW, script="p1 sits 1\n\n\n\n52\n52\n5c\n")
    assert "The cut is offered to p1  [5.2(a), 5.2]" in shown
    assert NEW not in shown


def test_playing_under_two_documents_names_them() -> None:
    script = "w 6.2(a)\nw act-blackjack-1997 6.2(a)\n10\n" + "s\n" * 4 + "n\nq\n"
    shown = croupier("play", OLD, "--seed", "4", script=script)
    assert shown.count(f"{OLD} 6.2(a)  At the start") == 2
    assert shown.count(f"{NEW} 6.2(a)  First a card") == 1
    assert f"[{NEW} 13." in shown
    assert f"\n     {NEW} 13." in shown


def test_an_explained_round_and_a_written_case_name_both(tmp_path: Path) -> None:
    raw = tomllib.loads(ONE.read_text())
    raw["play"] = ["1 split refused act-blackjack-2003 Dict:Split", *raw["play"]]
    log = tmp_path / "one.log"
    write_case_log(read_case(raw, "changed"), log)
    explained = croupier("explain", log)
    assert f"[{OLD} 6.3 one card (b)]" in explained
    assert f"[{NEW} 13.1(e)" in explained
    written = case_of(read_log(log))
    assert written.play[0].endswith(f" refused {NEW} Dict:Split")
    assert all(name.startswith((OLD, NEW)) for expect in written.expect for name in expect.clauses)
    assert run_case(written).problems == ()


def test_lists_of_clauses_name_both() -> None:
    options = [line.strip() for line in croupier("rules", "options", OLD).splitlines()]
    decks = next(number for number, line in enumerate(options) if line.startswith("decks"))
    assert [options[decks].split()[-1], options[decks + 1]] == [OLD, "3.1"]
    shown = " ".join(croupier("rules", "show", OLD, f"{NEW} 6").split())
    assert f"{NEW} Every card is dealt face up" in shown
    assert f"{OLD} 6" not in shown


# Cases and clause tests


@pytest.mark.parametrize(
    ("clause", "passes"),
    [
        ("13.1(e)", True),
        (f"{NEW} 13.1(e)", True),
        (f"{NEW} 13.1", True),
        (f"{OLD} 13.1(e)", False),
        (f"{OLD} 13.1(e), {NEW} 13.1(e)", True),
    ],
)
def test_a_case_may_name_the_document_of_a_clause(clause: str, passes: bool) -> None:
    raw = tomllib.loads(ONE.read_text())
    raw["expect"][0]["clause"] = clause
    assert run_case(read_case(raw, "changed")).passed == passes


@pytest.mark.parametrize(
    ("clause", "passes"), [("Dict:Split", True), (f"{NEW} Dict:Split", True), (f"{OLD} Dict:Split", False)]
)
def test_a_case_s_refusal_may_name_the_document(clause: str, passes: bool) -> None:
    raw = tomllib.loads(ONE.read_text())
    raw["play"] = [f"1 split refused {clause}", *raw["play"]]
    assert run_case(read_case(raw, "changed")).passed == passes


CUT = "p1 sits 1\nchore\nchore\nchore\n"
DEALT = "p1 sits 1\nready\np1 bets 10 on 1\ndeal Th\n"


@pytest.mark.parametrize(
    ("test", "passes"),
    [
        ({"clauses": ("6.2(a)",), "steps": CUT}, True),
        ({"clauses": (f"{OLD} 6.2(a)",), "steps": CUT}, True),
        ({"clauses": (f"{NEW} 6.2(a)",), "steps": CUT}, False),
        ({"clauses": (f"{NEW} 6.2(a)",), "steps": DEALT}, True),
        ({"clauses": (), "steps": f"{CUT}event CutOffered [{OLD} 6.2(a)]"}, True),
        ({"clauses": (), "steps": f"{CUT}event CutOffered [{OLD} 6.2(a); {OLD} 6.2]"}, True),
        ({"clauses": (), "steps": f"{CUT}event CutOffered [{NEW} 6.2(a)]"}, False),
        ({"clauses": (), "steps": f"{DEALT}event CardDealt card=Th [{NEW} 6.2(a)]"}, True),
        ({"clauses": (), "steps": f"{DEALT}event CardDealt card=Th [6.2(a)]"}, False),
        ({"clauses": (), "steps": f"{CUT}! {OLD} 6.3: cut by=p1 at=3"}, True),
        ({"clauses": (), "steps": f"{CUT}! {NEW} 6.3: cut by=p1 at=3"}, False),
        ({"clauses": (), "house": {"decks": 7}, "refused": f"{OLD} 3.1"}, True),
        ({"clauses": (), "house": {"decks": 7}, "refused": f"{NEW} 3.1"}, False),
        ({"clauses": (), "text": {"has": [f"{NEW} 3.1"], "lacks": [f"{NEW} 2.1"]}}, True),
    ],
)
def test_a_clause_test_may_name_the_document(test: dict[str, Any], passes: bool) -> None:
    written = msgspec.convert({"title": "one", "rulebook": OLD} | test, ClauseTest)
    verdict = run_test(written)
    assert verdict.passed == passes, verdict.problems


def test_coverage_counts_a_test_for_the_document_it_names(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(
        f'rulebook = "{OLD}"\n[[test]]\nclauses = ["{NEW} 6.2(a)"]\ntitle = "one"\nsteps = """\n{DEALT}"""\n'
    )
    found = coverage(tmp_path)
    tested = [one.clause.citation for one in found.clauses if one.status == "tested"]
    assert tested == [f"{NEW} 6.2(a)"]


# No clause


@pytest.mark.parametrize(
    ("rulebook", "line", "told"),
    [
        (NEW, "1 p1 surrender", "surrender refused: the rules know no surrender [no clause provides for it]"),
        ("uk-blackjack-1994", "1 p1 surrender", "the rules know no surrender [no clause provides for it]"),
        ("uk-blackjack-1994", "1 p1 even-money", "[no clause provides for it]"),
        ("uk-blackjack-1994", "1 p1 forfeit", "[no clause provides for it]"),
        ("uk-blackjack-1994", "raise-limit box=1 maximum=1000", "[no clause provides for it]"),
        (NEW, "set-side-bet name=lucky offered=true", "no side bet called lucky [no clause provides for it]"),
        (NEW, "instruct-shuffle at=front", "[no clause provides for it]"),
        ("uk-blackjack-1994", "p1 bets 1 on 1", "[house rule]"),
        ("uk-blackjack-1994", "p1 sits 9", "[house rule]"),
        ("uk-blackjack-1994", "announce-final-rounds", "[house rule]"),
        (NEW, "p1 sits 9", "[act-blackjack-2003 Dict:Box]"),
        (OLD, "p1 sits 9", "[act-blackjack-2003 Dict:Box]"),
    ],
)
def test_a_refusal_without_a_clause_says_whose_rule_it_is(rulebook: str, line: str, told: str) -> None:
    book = load(rulebook)
    state = open_state(book.choose())
    with pytest.raises(Refused) as refused:
        advance(state, *parse(state, line))
    assert book.why_refused(refused.value).endswith(told)


def test_money_that_no_clause_moves_is_moved_by_the_house() -> None:
    uk, act = load("uk-blackjack-1994"), load(NEW)
    voided = ev.WagerVoided(player="p1", box=1, back=500, undone=0, basis=("void_wager", "void"))
    ruled = ev.DisputeRuled(dispute=1, status="ruled", player="p1", award=500, paid=500, basis=("dispute",))
    assert [cited(event, uk) for event in (voided, ruled)] == ["[house rule]", "[house rule]"]
    assert [cited(event, act) for event in (voided, ruled)] == ["[16.3(a), Dict:Void]", "[16.6]"]
    assert cited(ev.SeatTaken(player="p1", box=1, basis=("box",)), uk) == ""


# The rules themselves


@pytest.mark.parametrize("name", NAMES)
def test_who_asks_for_the_rules_is_given_every_clause_with_its_reading(name: str) -> None:
    book = load(name)
    state = open_state(book.choose())
    _, (told,) = advance(state, *parse(state, "ask player=p1 about=rules"))
    assert isinstance(told, ev.Told)
    assert told.answer == {"rulebook": name}
    first, *clauses, last = tell(told, book).splitlines()
    assert first == "p1 asks for the rules"
    assert last == f"This is the text in force, {len(book.clauses)} clauses: {book.title}"
    assert "\n".join(clauses) == rules_text(book)
    assert len(clauses) == len(book.clauses)
    for clause, line in zip(book.clauses, clauses, strict=True):
        assert line.startswith(f"{book.short(clause)}  {clause.says}")
        assert line.endswith(clause.reading)


def test_the_rules_are_shown_where_they_are_asked_for(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    script = "p1 sits 1\n\n\n\n52\n52\n\nask player=p1 about=rules\nquit\n"
    dealt = croupier("deal", "act-pontoon-2002", "--log", log, script=script)
    played = croupier("play", "act-pontoon-2002", script="rules\nq\n")
    explained = " ".join(croupier("explain", log).split())
    clause = load("act-pontoon-2002").clause("17.11")
    for shown in (dealt, played, explained):
        assert "p1 asks for the rules" in shown
        assert f"{clause.number} {clause.says}" in " ".join(shown.split())
        assert "202 clauses: Canberra Pontoon, 2002 [17.11]" in " ".join(shown.split())


def test_rules_show_has_the_readings_beside_the_clauses() -> None:
    shown = " ".join(croupier("rules", "show", "uk-blackjack-1994").split())
    readings = [clause.reading for clause in load("uk-blackjack-1994").clauses if clause.reading]
    assert shown.count("Read as:") == len(readings)
