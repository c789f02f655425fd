"""`croupier check`: anybody's cases and clause tests, held against the table."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cases import ClauseTest, run_test
from croupier.rulebook import load
from croupier.table.position import state_at

ROOT = Path(__file__).parent.parent
CASE = ROOT / "tests" / "cases" / "uk-blackjack-1994" / "u1-standing-on-5-no-forced-draw-banker-busts.toml"
UK = ROOT / "src" / "croupier" / "rulebooks" / "uk-blackjack-1994.toml"

HOLDS = """
[[test]]
clauses = ["13.2(b)"]
title = "A winner is paid its stake"
steps = \"\"\"
p1 sits 1
ready
p1 bets 10 on 1
deal Th 6d 9h
1 stand
deal Ts 9c
finish
net p1 10
\"\"\"
"""
FAILS = HOLDS.replace("A winner is paid its stake", "A winner is paid double").replace(
    "net p1 10", "net p1 20"
)


def check(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "croupier", "check", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done


def written(folder: Path, *tests: str, rulebook: str = "act-blackjack-2003", name: str = "mine.toml") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f'rulebook = "{rulebook}"\n' + "".join(tests), "utf-8")
    return folder / name


def test_cases_and_clause_tests_of_a_folder_count_together(tmp_path: Path) -> None:
    written(tmp_path, HOLDS)
    (tmp_path / "case.toml").write_text(CASE.read_text("utf-8"), "utf-8")
    done = check(tmp_path)
    assert (done.stdout, done.returncode) == ("2 passed, 0 failed\n", 0)


def test_a_failing_test_says_what_happened_and_which_step_does_not_hold(tmp_path: Path) -> None:
    file = written(tmp_path, HOLDS, FAILS)
    done = check(file)
    assert done.returncode == 1
    head, *story, problem, blank, last = done.stdout.splitlines()
    assert head == f"FAILED {file} A winner is paid double"
    assert "    p1 on box 1 wins $10 on $10  [13.1(a), 13.2(b), 13.2]" in story
    assert problem == "  → step 8 (net p1 20): found 10"
    assert (blank, last) == ("", "1 passed, 1 failed")


def test_json_has_one_object_a_test(tmp_path: Path) -> None:
    file = written(tmp_path, HOLDS, FAILS)
    done = check(file, "--json")
    objects, last = done.stdout.splitlines(), done.stderr.strip()
    first, second = map(json.loads, objects)
    assert first == {
        "source": str(file),
        "title": "A winner is paid its stake",
        "clauses": ["13.2(b)"],
        "passed": True,
        "problems": [],
    }
    assert second["problems"] == ["step 8 (net p1 20): found 10"]
    assert last == "1 passed, 1 failed"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rulebook = 1\n[[test]]\n", "Expected `str`, got `int` - at `$.rulebook`"),
        ("[[test]]\n", "missing required field `rulebook`"),
        ('rulebook = "x"\ncolour = 1\n[[test]]\n', "unknown field `colour`"),
        ('rulebook = "x"\n[[test]]\ntitle = "t"\nclauses = []\nstep = ""\n', "test 1 (t): "),
        ('rulebook = "x"\n[[test]]\ntitle = "t"\nclauses = []\nstep = ""\n', "unknown field `step`"),
        ('rulebook = "x"\n[[test]]\ntitle = "t"\nclauses = []\n[test.text]\nhas_not = []\n', "`has_not`"),
        ("[[test]\n", "line 1"),
    ],
)
def test_what_cannot_be_read_is_a_failure_in_a_sentence_and_the_rest_is_run(
    tmp_path: Path, text: str, says: str
) -> None:
    written(tmp_path, HOLDS)
    bad = tmp_path / "bad.toml"
    bad.write_text(text, "utf-8")
    done = check(tmp_path)
    failure, blank, last = done.stdout.splitlines()
    assert failure.startswith(f"FAILED {bad}: ")
    assert says in failure
    assert (blank, last, done.returncode) == ("", "1 passed, 1 failed", 1)


def test_a_file_that_is_no_text_is_a_failure(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(b"\xff[[test]]")
    assert (
        check(file).stdout == f"FAILED {file}: cannot be read: it is not UTF-8 text\n\n0 passed, 1 failed\n"
    )


def test_a_bad_test_does_not_lose_its_neighbours(tmp_path: Path) -> None:
    file = written(tmp_path, HOLDS, '[[test]]\ntitle = "t"\nclauses = []\nsource = ""\n', HOLDS)
    done = check(file)
    assert "test 2 (t): Object contains unknown field `source`" in done.stdout
    assert done.stdout.endswith("2 passed, 1 failed\n")


def test_a_rulebook_is_named_from_the_folder_of_the_test(tmp_path: Path) -> None:
    law = UK.read_text("utf-8").replace('id = "uk-blackjack-1994"', 'id = "ours"')
    (tmp_path / "ours.toml").write_text(law.replace('"3 to 2"', '"6 to 5"'), "utf-8")
    natural = """
[[test]]
clauses = ["7(6)(a)"]
title = "A natural is paid six to five"
steps = \"\"\"
p1 sits 1
p2 sits 2
ready
p1 bets 10 on 1
p2 bets 10 on 2
deal As Td 6h Ks 9d
2 stand
deal Tc 9c
finish
net p1 12
\"\"\"
"""
    written(tmp_path / "tests", natural, rulebook="../ours.toml")
    assert check(tmp_path).stdout == "1 passed, 0 failed\n"
    assert "is a rulebook" in check(tmp_path / "ours.toml").stdout


def test_a_test_may_name_a_clause_of_the_text_that_its_rulebook_is_based_on(tmp_path: Path) -> None:
    assert check(written(tmp_path, HOLDS, rulebook="act-blackjack-1997")).returncode == 0


def test_a_clause_test_has_no_log(tmp_path: Path) -> None:
    done = check(written(tmp_path, HOLDS), "--log", tmp_path / "a.log")
    assert done.returncode == 2
    assert "holds a clause test" in done.stderr


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("net p1", "write `net PLAYER"),
        ("net", "write `net PLAYER"),
        ("net p1 1 2 3", "write `net PLAYER"),
        ("net p1 mian 0", "there is no wager 'mian'; there are main, insurance"),
        ("net p1 1 lots", "'lots' is not an amount"),
        ("net p1 1e999999", "is not an amount"),
        ("rounds", "'' is not a number"),
        ("rounds x Th", "'x' is not a number"),
        ("rounds 1000000000 Th", "is not a number from 0 to 1,000"),
        ("count x Settled", "'x' is not a number"),
        ("count 1", "there is no event ''"),
        ("event", "there is no event ''"),
        ("event Settled colour=red", "Settled has no 'colour=red'; write field=value, of "),
        ("event Settled net", "Settled has no 'net'"),
        ("event Settled __class__=x", "Settled has no"),
        ("order SeatTaken", "write `order A … < B …`"),
        ("state stage", "write `state PATH = VALUE`"),
        ("state rules.__class__ = x", "the state has no rules.__class__"),
        ("state float_change.real = 0", "the state has no"),
        ("state boxes.99 = x", "the state has no boxes.99"),
        ("state boxes.-1.seat = p1", "the state has no boxes.-1.seat"),
        ("state boxes." + 5000 * "9" + " = x", "the state has no"),
        ("float", "'' is not an amount"),
        ("total Zz = 1", "Zz"),
        ("p1 sits one", "'one' is not the number of a box"),
        ("p1 sits " + 5000 * "9", "is not the number of a box"),
        ("p1 bets 10 on 9", "not while"),
        ("one hit", "not understood"),
        ("99.99 hit", "there is no hand 99.99"),
        ("cut by=p1 at=x", "at= takes NUMBER; usage: cut by=NAME at=NUMBER"),
        ("! p1 sits 2", "write `! CLAUSE: command`"),
        ("! 5.7: ", "write `! CLAUSE: command`"),
        ("! 5.7: sing", "not understood"),
        ("deal Th", "[act-blackjack-2003"),
        ("'", "No closing quotation"),
    ],
)
def test_nonsense_is_a_failed_test_with_a_sentence(step: str, says: str) -> None:
    test = ClauseTest(clauses=(), title="t", steps=f"p1 sits 1\n{step}", rulebook="act-blackjack-2003")
    (problem,) = run_test(test).problems
    assert problem.startswith(f"step 2 ({step.strip()}): ")
    assert says in problem
    assert "\n" not in problem


@pytest.mark.parametrize(
    ("house", "says"),
    [
        ({"colour": "red"}, "no such house setting: 'colour'; there are"),
        ({"self": 1}, "no such house setting: 'self'"),
        ({"decks": "many"}, "decks = 'many': Expected `int`"),
        ({"approvals": "all"}, "approvals = 'all': write a table of them"),
        ({"double_cards": 2}, "double_cards = 2 is not permitted; allowed: two, any"),
        ({"soft_17": "hit"}, "soft_17 is not the house's to choose"),
    ],
)
def test_a_bad_house_setting_is_named(house: dict[str, object], says: str) -> None:
    (problem,) = run_test(
        ClauseTest(clauses=(), title="t", house=house, rulebook="act-blackjack-2003")
    ).problems
    assert says in problem


def test_true_is_not_one() -> None:
    test = ClauseTest(clauses=(), title="t", house={"burn_cards": True}, rulebook="uk-blackjack-1994")
    assert "burn_cards = True is not permitted" in run_test(test).problems[0]


def test_a_failure_shows_where_the_table_stood(tmp_path: Path) -> None:
    file = written(tmp_path, FAILS)
    line = next(line for line in check(file).stdout.splitlines() if line.startswith("  at "))
    assert state_at(load("act-blackjack-2003").choose(), line[5:]).round == 1
    assert json.loads(check("--json", file).stdout.splitlines()[0])["position"] == line[5:]
