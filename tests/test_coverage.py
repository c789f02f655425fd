"""Every clause of the four documents has code that obeys it and a clause test that holds it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cases.coverage import Coverage, Covered, as_json, as_page, clause_tests_folder, coverage
from croupier.cases.places import FEW, Record
from croupier.rulebook import NAMES
from croupier.table.run import WITNESSES

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "coverage.md"
CLAUSES = dict(zip(NAMES, (198, 25, 40, 202), strict=True))


@pytest.fixture(scope="module")
def real() -> Coverage:
    return coverage(ROOT / "tests" / "rules")


def find(found: Coverage, document: str, number: str) -> Covered:
    return next(
        one for one in found.clauses if (one.clause.document, one.clause.number) == (document, number)
    )


# The real clauses


def test_every_clause_is_there(real: Coverage) -> None:
    assert len(real.clauses) == sum(CLAUSES.values()) == 465
    for name, count in CLAUSES.items():
        assert sum(real.counts(name).values()) == count
    assert len({(one.clause.document, one.label) for one in real.clauses}) == 465


def test_labels_are_the_laws_own(real: Coverage) -> None:
    labels = {one.clause.citation: one.label for one in real.clauses}
    assert labels["act-blackjack-2003 10.3"] == "§10.3"
    assert labels["act-blackjack-1997 6.3 one card (a)"] == "§6.3 one card (a)"
    assert labels["uk-blackjack-1994 7(9)"] == "reg 7(9)"
    assert labels["act-pontoon-2002 Dict:Box"] == "Dict:Box"
    assert labels["act-blackjack-2003 Instrument:approval"] == "Instrument:approval"


def test_no_clause_test_fails(real: Coverage) -> None:
    assert [(v.test.source, v.test.title, v.problems) for v in real.failed] == []


def test_no_clause_is_untested(real: Coverage) -> None:
    assert [one.clause.citation for one in real.clauses if one.status == "untested"] == []


def test_what_the_software_itself_obeys_is_shown_in_two_situations(real: Coverage) -> None:
    assert [one.clause.citation for one in real.narrow] == []


def test_the_page_is_up_to_date(real: Coverage) -> None:
    write = "write it with `croupier rules coverage --page docs/coverage.md`"
    assert PAGE.exists(), write
    assert PAGE.read_text("utf-8") == as_page(real), write


# The code behind the clauses


def test_every_clause_within_software_has_code(real: Coverage) -> None:
    without = [one.clause.citation for one in real.clauses if not one.places and one.status != "outside"]
    assert without == []


def test_places_are_functions_of_the_package(real: Coverage) -> None:
    for one in real.clauses:
        assert len(one.places) <= 3
        for place in one.places:
            line = (ROOT / "src" / place.file).read_text("utf-8").splitlines()[place.line - 1]
            assert f"def {place.function.split('.')[-1]}(" in line


@pytest.mark.parametrize(
    ("document", "number", "function"),
    [
        ("act-blackjack-2003", "5.1", "shuffle"),
        ("act-blackjack-2003", "5.7", "burn"),
        ("act-blackjack-2003", "5.2(b)", "offer_cut"),
        ("act-blackjack-2003", "10.3", "split_bar"),  # by a refusal
        ("act-blackjack-2003", "16.7(a)", "attempt"),
        ("act-blackjack-1997", "3 (delete 3.1)", "consolidate"),  # by no command
    ],
)
def test_the_most_specific_place_comes_first(
    real: Coverage, document: str, number: str, function: str
) -> None:
    assert find(real, document, number).places[0].function == function


def test_a_clause_without_anything_of_its_own_has_its_parts_places(real: Coverage) -> None:
    parent, part = (find(real, "act-blackjack-2003", number) for number in ("5.5", "5.5(a)"))
    assert not parent.clause.grounds
    assert parent.places == part.places


def test_the_function_that_knows_why_is_the_place() -> None:
    record = Record()

    def pays(*provisions: str) -> None:
        for provision in provisions:
            record(provision)

    def knows_why() -> None:
        emits("natural_pays")

    def emits(*provisions: str) -> None:
        pays(*provisions)

    knows_why()
    emits(*(f"provision_{number}" for number in range(FEW)))
    assert [code.co_name for code in record.speakers()["natural_pays"]] == ["knows_why"]


def test_nobody_listens_when_coverage_is_done(real: Coverage) -> None:
    assert WITNESSES == []


# What is wrong is seen

PASSES = """
[[test]]
clauses = ["5.7", "Dict:Double"]
title = "One card is burnt"
steps = \"\"\"
p1 sits 1
ready 5c
event CardBurnt card=5c [5.7]
p1 bets 10 on 1
deal 5s 6h 6d
! Dict:Double: double box=1 amounts=p1:5
\"\"\"
"""
FAILS = """
[[test]]
clauses = ["5.7", "2.2"]
title = "Two cards are burnt"
steps = \"\"\"
ready 5c
count 2 CardBurnt
\"\"\"
"""
CITES_NOTHING = """
[[test]]
clauses = ["4.1", "99.9"]
title = "Nothing happens"
"""
OUTSIDE = """
[[test]]
clauses = ["16.10"]
title = "A private bet is refused"
steps = "! 16.10: attempt by=p1 act=transfer"
"""


def folder_of(folder: Path, *tests: str) -> Path:
    folder = folder / "act-blackjack-2003"
    folder.mkdir()
    (folder / "some.toml").write_text('rulebook = "act-blackjack-2003"\n' + "".join(tests), "utf-8")
    return folder.parent


def test_a_passing_test_makes_its_clauses_tested(tmp_path: Path) -> None:
    found = coverage(folder_of(tmp_path, PASSES))
    assert found.failed == ()
    assert {one.label for one in found.clauses if one.status == "tested"} == {
        "§5.7",
        "Dict:Double/double down",
    }
    assert found.counts() == {"tested": 2, "outside": 13, "untested": 450}
    assert not found.is_complete


def test_the_base_is_not_tested_by_its_amendments_number(tmp_path: Path) -> None:
    found = coverage(folder_of(tmp_path, PASSES))
    assert find(found, "act-blackjack-1997", "5.7").status == "untested"


def test_a_failing_test_makes_a_tested_clause_untested(tmp_path: Path) -> None:
    found = coverage(folder_of(tmp_path, PASSES, FAILS))
    assert find(found, "act-blackjack-2003", "5.7").status == "untested"
    assert find(found, "act-blackjack-2003", "2.2").status == "untested"
    assert [verdict.test.title for verdict in found.failed] == ["Two cards are burnt"]
    assert "**fails** Two cards are burnt" in as_page(found)


def test_a_test_that_cites_nothing_fails(tmp_path: Path) -> None:
    found = coverage(folder_of(tmp_path, CITES_NOTHING))
    assert found.failed[0].problems == ("nothing cited 4.1", "nothing cited 99.9")
    assert find(found, "act-blackjack-2003", "4.1").status == "untested"


def test_an_outside_clause_stays_outside_with_a_test(tmp_path: Path) -> None:
    found = coverage(folder_of(tmp_path, OUTSIDE))
    outside = find(found, "act-blackjack-2003", "16.10")
    assert outside.status == "outside"
    assert [verdict.passed for verdict in outside.verdicts] == [True]


def test_a_parent_is_not_tested_by_a_test_of_its_part(tmp_path: Path) -> None:
    part = PASSES.replace('["5.7", "Dict:Double"]', '["6.2(a)"]')
    found = coverage(folder_of(tmp_path, part))
    assert find(found, "act-blackjack-2003", "6.2(a)").status == "tested"
    assert find(found, "act-blackjack-2003", "6.2").status == "untested"


def test_two_different_passing_tests_are_two_situations(tmp_path: Path) -> None:
    again = PASSES.replace("One card is burnt", "One card is burnt once more")
    found = coverage(folder_of(tmp_path, PASSES, PASSES, again.replace(', "Dict:Double"', ""), FAILS))
    assert find(found, "act-blackjack-2003", "5.7").situations == 2
    assert find(found, "act-blackjack-2003", "Dict:Double/double down").situations == 1
    assert find(found, "act-blackjack-2003", "2.2").situations == 0
    assert not find(found, "act-blackjack-2003", "5.7").is_narrow
    assert len(found.enforced) - len(found.narrow) == 1
    assert found.breadth().startswith("1 of ")
    assert as_json(found)["summary"]["in_two_situations"] == 1
    assert "**one situation**" in as_page(found)


# The command


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "croupier", "rules", "coverage", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_last_line_sums_up_and_the_status_tells(tmp_path: Path) -> None:
    done = run("--tests", str(folder_of(tmp_path, PASSES, FAILS)))
    assert done.returncode == 1
    assert done.stderr == ""
    breadth, summary = done.stdout.splitlines()[-2:]
    assert breadth.startswith("0 of ")
    assert breadth.endswith(" enforced and performed clauses are tested in two or more situations")
    assert summary == "465 clauses: 1 tested, 13 outside software, 451 untested"
    assert "enforced, one test" in done.stdout
    assert "fails act-blackjack-2003/some.toml: Two cards are burnt" in done.stdout


def test_json_has_every_clause_and_a_summary(tmp_path: Path) -> None:
    done = run("--json", "--tests", str(folder_of(tmp_path, PASSES)))
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert len(data["clauses"]) == 465
    assert data["summary"]["documents"] == CLAUSES
    assert (data["summary"]["tested"], data["summary"]["outside"], data["summary"]["untested"]) == (
        2,
        13,
        450,
    )
    burn = next(one for one in data["clauses"] if (one["document"], one["clause"]) == (NAMES[0], "§5.7"))
    assert burn["sets"] == {"burn_cards": 1}
    assert burn["status"] == "tested"
    assert burn["tests"] == [
        {"source": "act-blackjack-2003/some.toml", "title": "One card is burnt", "passed": True}
    ]
    assert all(file.count(":") == 1 for file in burn["code"])


def test_the_page_is_written_and_deterministic(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, PASSES)
    page = tmp_path / "page.md"
    done = run("--page", str(page), "--tests", str(folder))
    assert done.stdout.splitlines()[-1] == "465 clauses: 2 tested, 13 outside software, 450 untested"
    assert page.read_text("utf-8") == as_page(coverage(folder))


def test_a_page_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    done = run("--page", str(tmp_path / "no" / "page.md"), "--tests", str(folder_of(tmp_path, PASSES)))
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_broken_tests_are_bad_input(tmp_path: Path) -> None:
    done = run("--tests", str(folder_of(tmp_path, "[[test]]\ntitle = 1\n")))
    assert done.returncode == 2
    assert "some.toml" in done.stderr


def test_the_checkouts_tests_are_found() -> None:
    assert clause_tests_folder() == ROOT / "tests" / "rules"


def test_the_whole_as_json_is_plain_data(real: Coverage) -> None:
    assert json.loads(json.dumps(as_json(real)))["summary"]["clauses"] == 465
