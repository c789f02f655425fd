"""Bad input is refused in one sentence that shows it, exit status 2, no traceback, nothing lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from croupier.errors import ParseError, RulebookError
from croupier.money import cents, dollars, parse_odds
from croupier.rulebook import load
from croupier.table import open_state
from croupier.table.text import parse

HERE = Path(__file__).parent
UK = HERE.parent / "src" / "croupier" / "rulebooks" / "uk-blackjack-1994.toml"
CASE = HERE / "cases" / "uk-blackjack-1994" / "u1-standing-on-5-no-forced-draw-banker-busts.toml"


def croupier(*words: object, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "croupier", *map(str, words)]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False)


def refused(*words: object) -> str:
    done = croupier(*words)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["sing"], "sing"),
        (["play", "nope"], "'nope' is no rulebook"),
        (["play", "--decks", "3"], "decks = 3 is not permitted; allowed: 4, 5, 6, 7, 8"),
        (["play", "--decks", "many"], "many"),
        (["play", "--set", "colour=red"], "colour"),
        (["play", "--set", "soft_17=hit"], "soft_17 is not the house's to choose"),
        (["play", "--set", "self=1"], "self"),
        (["play", "--set", "perfect_pairs=5"], "perfect_pairs = 5"),
        (["play", "--set", "double_cards=three"], "double_cards = three is not permitted"),
        (["play", "--set", "minimum=1e999999"], "is not an amount"),
        (["check", "/nowhere"], "/nowhere"),
        (["check"], "no path was given"),
        (["replay", "/nowhere"], "/nowhere: cannot be read"),
        (["explain", "/nowhere"], "/nowhere: cannot be read"),
        (["case", "/nowhere"], "/nowhere: cannot be read"),
        (["replay", str(CASE)], "is no line of a log"),
        (["rules", "show", "uk-blackjack-1994", "99"], "99"),
        (["rules", "show", "uk-blackjack-1994", "--on", "yesterday"], "yesterday"),
        (["rules", "diff", "uk-blackjack-1994"], "diff takes two rulebooks"),
        (["serve", "--port", "70000"], "they go from 0 to 65535"),
        (["serve", "--host", ""], "--host: is empty"),
        (["serve", "--data", ""], "--data: is empty"),
        (["serve", "--port", "0", "--data", str(CASE)], "cannot be written: File exists"),
        (["serve", "--port", "0", "--data", "mysql://host/name"], "is no database"),
        (["serve", "--host", "192.0.2.1", "--data", "/nowhere"], "cannot be listened at"),
    ],
)
def test_a_wrong_command_line(words: list[str], says: str) -> None:
    assert says in refused(*words)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("sets.decks_allowed = [4, 6]", "sets.decks_allowed = []", "[uk-blackjack-1994 7(1)(b)]"),
        ("sets.decks_allowed = [4, 6]", 'sets.decks_allowed = ["three"]', "[uk-blackjack-1994 7(1)(b)]"),
        ("[silent]", "[house]\ndecks = 6\n\n[silent]", "a house is a file of its own"),
        ("sets.soft_17", "sets.soft_seventeen", "[uk-blackjack-1994 7(1)(g)]"),
        ('grounds = ["face_up"]', 'grounds = ["face_up", "luck"]', "[uk-blackjack-1994 7(1)(c)]"),
        ('kind = "definition"', 'sort = "definition"', "clause 7(1)"),
        ('natural_pays = "3 to 2"', 'natural_pays = "a lot"', "[uk-blackjack-1994 7(6)(a)]"),
        ('ten_ranks = "JQK"', 'ten_ranks = "JQ"', "rank K has no value [uk-blackjack-1994 7(11)(c)]"),
        ('id = "uk-blackjack-1994"', "id = ", "is not TOML"),
        ("burn_cards = [1]", "burnt_cards = [1]", "burnt_cards"),
    ],
)
def test_an_edited_rulebook_is_refused_by_file_and_clause(
    old: str, new: str, says: str, tmp_path: Path
) -> None:
    file = tmp_path / "edited.toml"
    text = UK.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    sentence = refused("rules", "show", file)
    assert "edited.toml" in sentence
    assert says in sentence


@pytest.mark.parametrize(
    "content", ["", "[", "title = 5", 'rulebook = "x"\ncards = "Zz"\nwager = []', "a" * 3000]
)
def test_a_broken_case_fails_and_the_rest_are_run(content: str, tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text(content)
    (tmp_path / "good.toml").write_text(CASE.read_text())
    done = croupier("check", tmp_path)
    assert done.returncode == 1
    assert "broken.toml" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 passed, 1 failed"
    assert "Traceback" not in done.stderr


def test_an_empty_folder_and_an_empty_file_have_no_cases(tmp_path: Path) -> None:
    assert "no case in this folder" in croupier("check", tmp_path).stdout
    (tmp_path / "empty.jsonl").write_text("\n")
    assert "no case in this file" in croupier("check", tmp_path).stdout


def test_a_failing_case_shows_the_round_and_what_was_expected(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(CASE.read_text().replace("net = 10\n", "net = 15\n"))
    done = croupier("check", file)
    assert done.returncode == 1
    assert "6♣ to the banker" in done.stdout
    assert "expected 15" in done.stdout
    assert "7(5)(a)" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"


@pytest.mark.parametrize(
    "text", ["ten", "1e5000", "1e999999", "nan", "inf", "0.001", "", "--1", "10.0000000000000000001"]
)
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(ParseError):
        cents(text)


@pytest.mark.parametrize("amount", [0, 1, 750, 1000, 123456789, -250])
def test_amounts_parse_back(amount: int) -> None:
    assert cents(dollars(amount)) == amount


@pytest.mark.parametrize("text", ["", "3 to 0", "a to b", "-1", "1e99", "3 to 2 to 1"])
def test_what_are_no_odds(text: str) -> None:
    with pytest.raises(ParseError):
        parse_odds(text)


WRONG_LINES = [
    *("", "Zz", "11h", "1 dance", "1.x hit", "p1 bets", "p1 bets x on 1", "p1 sits ²", "cut by=p1", "'"),
    *("cut by=p1 at=x", "check-cards missing=Z", "wager player=p1 box=1 stake=ten", "9999999 hit", "error"),
    "give-notice of=rain",
]


@pytest.mark.parametrize("line", WRONG_LINES)
def test_a_wrong_line_at_the_table(line: str) -> None:
    state = open_state(load("act-blackjack-2003").choose())
    with pytest.raises(ParseError):
        parse(state, line)


def test_a_dealers_mistakes_lose_nothing(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    typed = "p1 sits 1\nnonsense\ncheck-cards missing=Zz\n1 hit\n'\np1 bets 1e999999 on 1\n\n\nquit\n"
    done = croupier("deal", "--log", log, typed=typed)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr + done.stdout
    assert croupier("replay", log).returncode == 0


def test_a_rulebook_before_its_day_is_not_in_force() -> None:
    import datetime

    with pytest.raises(RulebookError, match="not in force on 2002-01-01"):
        load("act-pontoon-2002", datetime.date(2002, 1, 1))
