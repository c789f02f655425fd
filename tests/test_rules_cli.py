"""`croupier rules` as a user meets it: what it prints, what it refuses, and how."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import main
from croupier.rulebook import GROUNDS, NAMES, load
from croupier.rulebook.compare import compare

HARBOUR = Path(__file__).parent.parent / "docs" / "examples" / "harbour-21.toml"
TWO_DAYS = (str(HARBOUR), "--on", "2020-03-01", "--on", "2024-07-01")

# main() reads sys.argv, as it should; cyclopts suspects a mistake when it does so under pytest.
pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked")


class Printed:
    """What a command printed, and its exit status."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err
        # Tables wrap and pad; most tests care for the words.
        self.text = " ".join(out.split())

    @property
    def data(self) -> Any:
        return json.loads(self.out)


class Croupier:
    """Runs `croupier rules …` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def __call__(self, *words: str, columns: int = 200) -> Printed:
        self.monkeypatch.setenv("COLUMNS", str(columns))
        self.monkeypatch.setattr(sys, "argv", ["croupier", "rules", *words])
        with pytest.raises(SystemExit) as exit_:
            main()
        printed = self.capsys.readouterr()
        return Printed(int(exit_.value.code or 0), printed.out, printed.err)


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Croupier:
    return Croupier(monkeypatch, capsys)


def rulebook_text(name: str) -> str:
    return (resources.files("croupier") / "rulebooks" / f"{name}.toml").read_text("utf-8")


def own_rulebook(folder: Path, name: str, *changes: tuple[str, str]) -> str:
    """A rulebook of one's own: a shipped one with some text replaced, each once."""
    text = rulebook_text(name)
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = folder / "mine.toml"
    file.write_text(text, "utf-8")
    return str(file)


# List


def test_list_names_every_rulebook_with_its_instrument(rules: Croupier) -> None:
    printed = rules("list")
    assert printed.status == 0
    for name in NAMES:
        assert name in printed.text
    assert "NI2003-192, 2003-05-30" in printed.text
    assert "Gazette S8 of 1997, 1997-01-07" in printed.text
    assert "known from 1997-01-07 until 1999-08-27" in printed.text


def test_no_command_lists(rules: Croupier) -> None:
    assert rules().out == rules("list").out


def test_list_as_json_counts_clauses(rules: Croupier) -> None:
    books = rules("list", "--json").data["rulebooks"]
    assert {book["rulebook"]: book["clauses"] for book in books} == dict(
        zip(NAMES, (198, 25, 40, 202), strict=True)
    )


def test_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "croupier", "rules", "list"], capture_output=True, text=True, check=True
    )
    assert "act-pontoon-2002" in done.stdout
    assert done.stderr == ""


# Show


def test_show_groups_the_text_by_chapter(rules: Croupier) -> None:
    printed = rules("show", "act-blackjack-2003")
    assert "198 clauses in force" in printed.text
    assert "Dictionary" in printed.out
    assert "10 splits" in printed.text
    assert "10.3 At most four hands from splits; two initial aces split only once. enforced" in printed.text


@pytest.mark.parametrize("day", ["1997-01-07", "1999-08-26"])
def test_show_on_a_day_of_the_alterations_is_the_amended_text(rules: Croupier, day: str) -> None:
    shown = rules("show", "act-blackjack-1997", "--on", day, "--json").data["clauses"]
    citations = {clause["citation"] for clause in shown}
    assert "act-blackjack-1997 3.1" in citations
    assert "act-blackjack-2003 2.1" not in citations


@pytest.mark.parametrize("day", ["0001-01-01", "1996-01-01", "1997-01-06", "1999-08-27", "2003-05-30"])
@pytest.mark.parametrize(
    "command",
    [["show", "act-blackjack-1997"], ["diff", "act-blackjack-1997", "uk-blackjack-1994"]],
)
def test_a_day_whose_text_we_do_not_have_is_refused(rules: Croupier, command: list[str], day: str) -> None:
    printed = rules(*command, "--on", day)
    assert printed.status == 2
    assert printed.out == ""
    assert "before 7 January 1997 and from 27 August 1999 the text is not known to us" in printed.err


def test_two_days_are_refused_for_the_one_that_is_not_known(rules: Croupier) -> None:
    printed = rules("diff", "act-blackjack-1997", "--on", "1997-02-01", "--on", "1999-08-27")
    assert printed.status == 2
    assert "act-blackjack-1997: not on 1999-08-27" in printed.err


def test_the_end_of_a_text_comes_after_its_beginning(rules: Croupier, tmp_path: Path) -> None:
    file = own_rulebook(tmp_path, "act-blackjack-1997", ("until = 1999-08-27", "until = 1997-01-07"))
    printed = rules("show", file)
    assert printed.status == 2
    assert "until = 1997-01-07 is not after the first instrument, made on 1997-01-07" in printed.err


def test_show_a_clause_tells_all_there_is(rules: Croupier) -> None:
    printed = rules("show", "act-pontoon-2002", "11.9")
    for expected in (
        "binds dealer",
        "obeyed performed",
        "read as Against a dealer Pontoon busted hands stay lost",
        'sets dealer_natural_takes = "busted_and_one"',
        'leaves dealer_natural_takes to the house: "busted_and_one", or "original_and_busted"',
        "NI2002-25, 2002-01-24",
    ):
        assert expected in printed.text


@pytest.mark.parametrize(
    ("book", "asked", "citation"),
    [
        ("act-blackjack-2003", ["13.1"], "act-blackjack-2003 13.1"),
        ("act-blackjack-2003", ["§10.3"], "act-blackjack-2003 10.3"),
        ("act-blackjack-2003", ["Dict:Split"], "act-blackjack-2003 Dict:Split"),
        ("act-blackjack-2003", ["dict:double"], "act-blackjack-2003 Dict:Double/double down"),
        ("uk-blackjack-1994", ["7(5)(a)"], "uk-blackjack-1994 7(5)(a)"),
        ("uk-blackjack-1994", ["reg", "7(9)"], "uk-blackjack-1994 7(9)"),
        ("act-pontoon-2002", ["14.2", "Table", "1:", "Pontoon"], "act-pontoon-2002 14.2 Table 1: Pontoon"),
        ("act-blackjack-1997", ["act-blackjack-2003 3.1"], "act-blackjack-2003 3.1"),
    ],
)
def test_show_finds_a_clause_as_people_write_it(
    rules: Croupier, book: str, asked: list[str], citation: str
) -> None:
    assert [clause["citation"] for clause in rules("show", book, *asked, "--json").data["clauses"]] == [
        citation
    ]


def test_show_a_parent_shows_its_parts(rules: Croupier) -> None:
    printed = rules("show", "act-blackjack-2003", "13.1")
    assert "Its parts" in printed.text
    parts = rules("show", "act-blackjack-2003", "13.1", "--json").data["parts"]
    assert [part["number"] for part in parts] == [f"13.1({letter})" for letter in "abcdefg"]


def test_show_a_chapter(rules: Croupier) -> None:
    clauses = rules("show", "act-blackjack-2003", "9", "--json").data["clauses"]
    assert [clause["number"] for clause in clauses][:2] == ["9.1", "9.1(a)"]
    assert all(clause["number"].startswith("9.") for clause in clauses)


def test_show_a_number_that_an_amended_text_has_twice(rules: Croupier) -> None:
    clauses = rules("show", "act-blackjack-1997", "3.1", "--json").data["clauses"]
    assert [clause["citation"] for clause in clauses] == ["act-blackjack-1997 3.1", "act-blackjack-2003 3.1"]


def test_show_an_amendment_names_what_it_deletes(rules: Croupier) -> None:
    assert "deletes 2.1" in rules("show", "act-blackjack-1997", "3", "(delete", "3.1)").text


def test_every_clause_can_be_shown(rules: Croupier) -> None:
    for name in NAMES:
        for clause in load(name).clauses[::7]:
            assert clause.citation in rules("show", name, clause.citation).text


def test_show_a_rulebook_of_ones_own(rules: Croupier, tmp_path: Path) -> None:
    file = own_rulebook(tmp_path, "uk-blackjack-1994", ('id = "uk-blackjack-1994"', 'id = "mine"'))
    assert "mine 7(1)(b)" in rules("show", file, "7(1)(b)").text


# Options


def test_options_name_default_range_and_clause(rules: Croupier) -> None:
    text = rules("options", "act-blackjack-2003").text
    assert "decks 6 4, 5, 6, 7 or 8 2.1" in text
    assert "minimum $10 an amount up to the maximum, a whole number of multiples 3.1" in text
    assert "super_sevens off off, or the approved amount 17.4" in text


def test_options_of_readings(rules: Croupier) -> None:
    (pontoon,) = rules("options", "act-pontoon-2002", "--json").data["rulebooks"]
    readings = {option["name"]: option for option in pontoon["options"]}
    assert readings["doubled_evens"] == {
        "name": "doubled_evens",
        "value": "hand",
        "alternatives": ["box"],
        "clause": "act-pontoon-2002 12.8",
    }
    (book,) = rules("options", "uk-blackjack-1994", "--json").data["rulebooks"]
    assert not {"max_hands", "resplit_aces", "absent_draws_to"} & {one["name"] for one in book["options"]}
    settings = {setting["name"]: setting for setting in book["settings"]}
    assert settings["insurance_step"]["value"] == 0
    assert settings["licence"]["clauses"] == ["uk-blackjack-1994 7(2)"]


def test_options_without_a_rulebook_are_those_of_all(rules: Croupier) -> None:
    books = rules("options", "--json").data["rulebooks"]
    assert [book["rulebook"] for book in books] == list(NAMES)


# Diff


def test_diff_sets_clause_beside_clause(rules: Croupier) -> None:
    text = rules("diff", "act-blackjack-2003", "act-blackjack-1997").text
    assert "Decks 4, 5, 6, 7 or 8 6 or 8 [act-blackjack-2003 2.1] [act-blackjack-1997 3.1]" in text
    assert "Duties only in act-blackjack-1997" in text
    assert GROUNDS["supervisor_instructs"] in text


def test_diff_as_json(rules: Croupier) -> None:
    data = rules("diff", "act-blackjack-2003", "uk-blackjack-1994", "--json").data
    differences = {one["provision"]: one for one in data["differences"]}
    assert differences["natural_paid_early"]["section"] == "Insurance, interim settlement, surrender"
    assert differences["max_hands"]["first"]["clauses"] == ["act-blackjack-2003 10.3"]
    assert differences["max_hands"]["second"]["says"] == "no limit"
    assert differences["side_bets.super_sevens"]["second"]["says"] == "none"
    assert "win_pays" not in differences
    assert {duty["ground"] for duty in data["only_second"]} >= {"bank_share", "no_insurance_after_split"}


def test_diff_of_two_days_tells_deleted_and_inserted(rules: Croupier) -> None:
    data = rules("diff", *TWO_DAYS, "--json").data
    assert data["deleted"] == ["harbour-21 4"]
    assert data["inserted"] == ["harbour-21 4 (deleted)", "harbour-21 4A"]
    text = rules("diff", *TWO_DAYS).text
    assert "Natural pays 3 to 2 5 to 4" in text


def test_a_rulebook_does_not_differ_from_itself(rules: Croupier) -> None:
    printed = rules("diff", "uk-blackjack-1994", "uk-blackjack-1994")
    assert printed.text == "uk-blackjack-1994 and uk-blackjack-1994 set the same provisions."


def test_every_pair_of_rulebooks_compares_alike_both_ways() -> None:
    for first in NAMES:
        for second in NAMES:
            there, back = compare(load(first), load(second)), compare(load(second), load(first))
            assert {one.provision for one in there.differences} == {one.provision for one in back.differences}
            assert there.only_first == back.only_second


# Bad input


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["show", "act-blackjack-2004"], "'act-blackjack-2004' is no rulebook"),
        (
            ["show", "act-blackjack-1999"],
            "revoked by ACT Blackjack, 2003 [act-blackjack-2003 Instrument:revocation]",
        ),
        (["show", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["show", "act-blackjack-2003", "13.9"], "has no clause '13.9'; near it: 13.2"),
        (["show", "act-blackjack-2003", "Dict:Splitt"], "near it: Dict:Split"),
        (["show", "act-blackjack-2003", "nonsense"], "`croupier rules show act-blackjack-2003` lists them"),
        (["show", "act-blackjack-2003", "--on", "2003-02-30"], "2003-02-30"),
        (["show", "act-blackjack-2003", "--on", "1999-01-01"], "not in force on 1999-01-01"),
        (["diff", "act-blackjack-2003"], "diff takes two rulebooks"),
        (["diff", "act-blackjack-2003", "--on", "2004-01-01"], "diff takes two rulebooks"),
        (["diff", "act-blackjack-2003", "ponton"], "'ponton' is no rulebook; pontoon is one"),
        (["options", "bridge"], "'bridge' is no rulebook"),
        (["coverage", "--tests", "nowhere"], "nowhere: there is no such folder"),
        (["shwo"], "shwo"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(rules: Croupier, command: list[str], told: str) -> None:
    printed = rules(*command)
    assert printed.status == 2
    assert printed.out == ""
    assert told in printed.err
    assert printed.err.startswith("croupier: ")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("decks_allowed = [4, 6]", "decks_allowed = []"), "decks = 0 is not permitted; allowed:"),
        (("decks_allowed = [4, 6]", 'decks_allowed = ["three"]'), "[uk-blackjack-1994 7(1)(b)]"),
        (("sets.boxes_needed = 2", "sets.boxes_kneaded = 2"), "'boxes_kneaded', which is no provision"),
        (
            ("sets.boxes_needed = 2", "set.boxes_needed = 2"),
            "clause 7(1)(a): Object contains unknown field `set`",
        ),
        (('grounds = ["bank_share"]', 'grounds = ["bank_shares"]'), "'bank_shares', which is no ground"),
        (('number = "7(4)"', 'number = "7(3)"'), "clause 7(3) stands there 2 times"),
        (('id = "uk-blackjack-1994"', 'id = "uk-blackjack-1994'), "is not TOML"),
    ],
)
def test_a_broken_rulebook_is_refused_with_file_and_clause(
    rules: Croupier, tmp_path: Path, change: tuple[str, str], told: str
) -> None:
    file = own_rulebook(tmp_path, "uk-blackjack-1994", change)
    printed = rules("show", file)
    assert printed.status == 2
    assert printed.out == ""
    assert file in printed.err
    assert told in printed.err


def test_the_broken_clauses_are_named(rules: Croupier, tmp_path: Path) -> None:
    text = rulebook_text("uk-blackjack-1994")
    numbers = [clause["number"] for clause in tomllib.loads(text)["clause"]]
    for number in numbers[::9]:
        file = tmp_path / f"{numbers.index(number)}.toml"
        file.write_text(text.replace(f'number = "{number}"\n', f'number = "{number}"\nodd = 1\n'), "utf-8")
        printed = rules("options", str(file))
        assert printed.status == 2
        assert f"{file}: clause {number}:" in printed.err


# What it looks like


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize(
    "command",
    [
        ["list"],
        ["show", "act-pontoon-2002"],
        ["show", "uk-blackjack-1994", "7(9)"],
        ["options"],
        ["diff", "act-blackjack-2003", "act-pontoon-2002"],
        ["diff", HARBOUR.name, *TWO_DAYS[1:]],
    ],
)
def test_output_fits_the_terminal(
    rules: Croupier, command: list[str], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(HARBOUR.parent)  # a path is as long as it is
    lines = rules(*command, columns=columns).out.splitlines()
    assert max(map(len, lines)) <= columns
    assert not any("…" in line and not line.rstrip().endswith(("…", "…]")) for line in lines)


@pytest.mark.parametrize("command", [[], ["list"], ["show"], ["options"], ["house"], ["diff"], ["coverage"]])
def test_every_command_explains_itself(rules: Croupier, command: list[str]) -> None:
    printed = rules(*command, "--help")
    assert printed.status == 0
    assert "Usage: croupier rules" in printed.out


# What a game is


@pytest.mark.parametrize("name", ["blackjack", "2003", "1997", "uk", "pontoon"])
def test_about_tells_a_newcomer_what_the_rules_say(rules: Croupier, name: str) -> None:
    told = rules("about", name)
    book = load(name)
    assert told.status == 0
    assert book.title in told.text
    assert f"A {book.words.natural}, an ace with a card that counts ten" in told.text
    assert "is soft" in told.text
    assert "there are no tens" in told.text or "T" in book.rules.ranks
    assert all(words in told.text for words in ("draws to 16", "pays 3 to 2", "Write it behind your bet"))


def test_short_names_are_listed(rules: Croupier) -> None:
    assert "or blackjack, 2003" in rules("list").text
    assert rules("list", "--json").data["rulebooks"][3]["short_names"] == ["pontoon"]
