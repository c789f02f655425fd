"""`croupier sheet`: the page is whole, needs no other file, and says what the solver says."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import msgspec
import pytest

import croupier
from croupier.cli import main
from croupier.exact import solve
from croupier.release import release
from croupier.report.data import cited, report_as_data
from croupier.report.first_cards import first_cards
from croupier.report.gather import gather
from croupier.report.model import Report
from croupier.report.page import _called, forfeits, render, results
from croupier.report.rows import KEYS, rows
from croupier.report.text import (
    ENDLESS,
    about_one_in,
    action,
    known_percent,
    one_in,
    result_text,
    signed,
    small_percent,
)
from croupier.rulebook import NAMES, load
from typed import Made, typed

# main() reads sys.argv, as it should; cyclopts suspects a mistake when it does so under pytest.
pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked")

HARBOUR = str(Path(__file__).parent.parent / "docs" / "examples" / "harbour-21.toml")
SECTIONS = (
    "warnings",
    "rules",
    "decks",
    "strategy",
    "mistakes",
    "distributions",
    "side-bets",
    "sensitivity",
    "method",
    "values",
)
VOID = {"meta", "br", "link", "img", "hr", "input"}


@pytest.mark.parametrize("name", [*NAMES, HARBOUR], ids=lambda name: Path(name).stem)
def test_the_sheet_of_a_rulebook(name: str) -> None:
    """One test for each, since a report takes seconds to gather and workers do not share it."""
    report = gather(load(name))
    page = page_of(report)
    the_page_is_whole_and_needs_no_other(page)
    the_page_says_what_the_solver_says(report, page)
    things_are_called_as_the_document_does(report, page)
    a_regulator_is_told_what_matters(report, page)
    every_number_of_decks_is_there(report)
    what_happens_adds_up(report)
    endings_rest_on_their_clauses(report)
    rules_change_within_the_law_or_outside_it(report)
    mistakes_cost_something_and_name_another_action(report)
    a_double_is_followed_where_it_may_be_barred(report, page)
    doubled_hands_are_given_up_in_pontoon_alone(report)
    a_bonus_that_never_comes_is_no_division_by_zero(report)
    what_the_house_chooses_is_said_to_be_valued_or_not(report, page)
    first_cards_sum_to_the_expectation(report, page)
    data_say_what_the_page_says(report)


def page_of(report: Report) -> str:
    return render(report, made="2026-01-02", command=report.study.book.id)


class Page(HTMLParser):
    """Checks that tags are balanced, and collects ids, links and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "action", "data", "srcset", "poster"):
                self.links.append((name, value or ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def the_page_is_whole_and_needs_no_other(page: str) -> None:
    parsed = Page(page)
    assert set(SECTIONS) <= set(parsed.ids)
    assert len(set(parsed.ids)) == len(parsed.ids)
    assert all(name == "href" and link[1:] in parsed.ids for name, link in parsed.links)
    assert not re.search(r"https?:|//www|url\(|@import|<script|<link", page)
    assert not re.search(r"\bnan\b|\binf\b|None|Fraction\(|\{\{|\{%", parsed.text)


def the_page_says_what_the_solver_says(report: Report, page: str) -> None:
    ev = solve(report.study.rules).ev
    assert f"{ev:.12f}" in page
    assert f"{-ev:.6%}" in page
    assert report.rules_hash in page
    assert f"{release()}, on " in page
    assert report.study.book.instruments[0].day in page
    text = Page(page).text
    words = report.study.book.words
    for provision in report.provisions:
        for said in (provision.name, provision.value):
            assert _called(said, words) in text
    for clause in report.readings:
        assert clause.reading in text


def things_are_called_as_the_document_does(report: Report, page: str) -> None:
    if report.study.book.id == "uk-blackjack-1994":
        assert "banker" in page
        assert "dealer" not in page.lower()
        assert "two-card 21" in page
        assert "natural" not in page.lower()
        parsed = Page(page)
        assert "split" not in parsed.text.lower().replace("--split", "").replace(".split", "")
        assert "Cards to a separated ace" in parsed.text
        assert "Double after separation" in parsed.text
        assert "separate  " in page  # what a cell says when one rests on it
    ten = "10" if "T" in report.study.rules.ranks else "JQK"
    assert page.count(f"<th>9</th><th>{ten}</th><th>A</th>") == (6 if report.by_cards else 3)


def a_regulator_is_told_what_matters(report: Report, page: str) -> None:
    told = " ".join(caution.text for caution in report.cautions)
    if report.study.book.id == "act-pontoon-2002":
        assert "Perfect Pairs favours the player with 6, 7 or 8 decks" in told
        assert "Perfect Pairs is exactly fair with 5 decks" in told
        assert "What a regulator must know" in page
        assert page.count("favours the player</span>") >= 3
    else:
        assert told == ""
        assert "No wager favours the player" in page


def every_number_of_decks_is_there(report: Report) -> None:
    decks = [row.decks for row in report.by_decks]
    assert decks == [*sorted(report.study.rules.decks_allowed), ENDLESS]
    here = next(row for row in report.by_decks if row.decks == report.decks)
    assert here.ev == report.ev
    assert all(row.by_totals <= row.ev + 1e-12 for row in report.by_decks)
    for bet in report.side_bets:
        assert list(bet.by_decks) == decks[:-1]
        assert sum(payout.chance for payout in bet.here.payouts) + bet.here.loses == 1


def what_happens_adds_up(report: Report) -> None:
    assert sum(report.spread.results.values()) == pytest.approx(1)
    assert sum(chance for _, chance in results(report)) == pytest.approx(1, abs=1e-6)
    for row in report.dealer:
        assert sum(row.ends.values()) == pytest.approx(1)
    assert report.dealer[-1].ends["natural"] == pytest.approx(report.par.totals["natural"])


def endings_rest_on_their_clauses(report: Report) -> None:
    """Equal totals on the clause that calls them so; and a clause is told with its parts."""
    book = report.study.book
    for end in report.par.endings:
        if end.provision == "stand_off":
            assert set(book.citations("equal")) <= {clause.citation for clause in end.clauses}
    told = cited(report)
    assert {part.citation for clause in told for part in book.called(clause.citation)} <= {
        clause.citation for clause in told
    }


def rules_change_within_the_law_or_outside_it(report: Report) -> None:
    allowed = {
        name: len(values) - 1 for name, (_, values) in report.study.book.options().items() if len(values) > 1
    }
    within = [varied for varied in report.variations if varied.within]
    names = {varied.provision for varied in report.variations}
    assert {"soft_17", "dealer_natural_takes", "double_after_split", "max_hands", "surrender"} <= names
    for name in names & allowed.keys():
        assert sum(varied.provision == name for varied in within) == allowed[name]
    assert all(varied.provision in allowed for varied in within)


def mistakes_cost_something_and_name_another_action(report: Report) -> None:
    assert len(report.mistakes) == 20
    for mistake in report.mistakes:
        assert mistake.instead != mistake.cell.action[0]
        assert mistake.cost < 0.1
        assert 0 < mistake.per_round <= mistake.cost * mistake.cell.chance * (1 + 1e-9)

    if report.study.book.id == "act-pontoon-2002":
        dearest = report.mistakes[0]
        assert (dearest.cell.row, dearest.cell.upcard, dearest.instead) == ("h17", "T", "H")
        against_sixteen = {
            mistake.instead
            for mistake in report.mistakes
            if (mistake.cell.row, mistake.cell.upcard) == ("h16", "T")
        }
        assert against_sixteen == {"S", "R"}


def a_double_is_followed_where_it_may_be_barred(report: Report, page: str) -> None:
    barred = report.study.rules.double_cards == "two" or not report.study.rules.double_after_split
    assert ("D<small>h</small>" in page) == barred
    assert ("A small letter is what to do where the hand may not be doubled." in page) == barred


def a_bonus_that_never_comes_is_no_division_by_zero(report: Report) -> None:
    """As from one deck or two, which have no three sevens of one suit beside the dealer's."""
    if report.bonus is None:
        return
    here = msgspec.structs.replace(report.bonus.by_decks[report.decks], chance=Fraction(0))
    bonus = msgspec.structs.replace(report.bonus, by_decks=report.bonus.by_decks | {report.decks: here})
    assert "never, from so few decks" in page_of(msgspec.structs.replace(report, bonus=bonus))


def what_the_house_chooses_is_said_to_be_valued_or_not(report: Report, page: str) -> None:
    unknown = [choice.name for choice in report.choices if choice.changes_value is None]
    assert unknown == (["Paid as a doubled hand"] if report.study.book.id == "act-pontoon-2002" else [])
    assert ("not valued here otherwise than it is chosen" in page) == bool(unknown)


def doubled_hands_are_given_up_in_pontoon_alone(report: Report) -> None:
    given = forfeits(report)
    if not report.study.rules.forfeit:
        assert not any(given.values())
        return
    assert given["T"] == ["12 to 16"]
    assert given["6"] == []


def first_cards_sum_to_the_expectation(report: Report, page: str) -> None:
    for told in (report.first_cards, report.by_upcard.values()):
        assert sum(one.chance for one in told) == pytest.approx(1, abs=1e-12)
        assert sum(one.chance * one.ev for one in told) == pytest.approx(report.ev, abs=1e-12)
    groups = first_cards(report.first_cards, "10")
    assert [len(hands) for hands in groups.values()] == [36, 9, 10]
    for hands in groups.values():
        for square in (square for hand in hands for square in hand.squares.values()):
            assert signed(square.ev) in page


def data_say_what_the_page_says(report: Report) -> None:
    data = msgspec.json.decode(msgspec.json.encode(report_as_data(report)))
    assert set(report.__struct_fields__) - {"study"} <= data.keys()
    assert data["ev"] == pytest.approx(report.ev, abs=1e-14)
    assert sum(data["spread"]["results"].values()) == pytest.approx(1, abs=1e-12)
    for bet, told in zip(report.side_bets, data["side_bets"], strict=True):
        assert Fraction(told["here"]["ev_exact"]) == bet.here.ev
        assert told["here"]["ev"] == float(bet.here.ev)
    assert data["by_decks"][-1]["decks"] == "inf"
    told = data["exceptions"]
    assert sum(one["worth"] for one in told["hands"]) == pytest.approx(told["of_hands"], abs=1e-12)
    assert told["of_hands"] + told["of_splits"] == pytest.approx(told["difference"], abs=1e-12)
    assert all(clause in data["clauses"] for one in data["provisions"] for clause in one["clauses"])
    table = list(rows(report, {"schema": "croupier sheet 1"}))
    names = [tuple(row[column] for column in ("section", *KEYS, "figure")) for row in table]
    assert len(set(names)) == len(names)
    in_table = {row["value"] for row in table}
    assert set(_floats({name: part for name, part in data.items() if name not in TOLD_IN_CHART})) <= in_table


TOLD_IN_CHART = ("mistakes",)  # repeat cells of the chart


def _floats(data: Any) -> Iterator[float]:
    if isinstance(data, float):
        yield data
    elif isinstance(data, dict | list):
        for part in data.values() if isinstance(data, dict) else data:
            yield from _floats(part)


class Written(NamedTuple):
    file: Path
    said: Made
    report: Report


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """What the command makes of a game that leaves the law, from one deck, and the report behind it."""
    folder = tmp_path_factory.mktemp("sheet")
    found: list[Report] = []

    def gathered(*asked: Any) -> Report:
        found.append(gather(*asked))
        return found[0]

    game = [HARBOUR, "--decks", "1", "--set", "natural_pays=2"]
    with mock.patch("croupier.report.gather.gather", gathered):
        said = typed(folder / "cache", "sheet", *game, "-o", str(folder / "sheet.html"))
    return Written(folder / "sheet.html", said, found[0])


@pytest.fixture
def report(written: Written) -> Report:
    return written.report


def test_text_of_a_rulebook_is_escaped(report: Report) -> None:
    book = msgspec.structs.replace(report.study.book, title="<script>alert(1)</script> & Sons")
    study = msgspec.structs.replace(report.study, book=book)
    page = page_of(msgspec.structs.replace(report, study=study))
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; Sons" in page
    Page(page)
    # The rules of this page leave the law, and the main game favours the player.
    assert [caution.kind for caution in report.cautions] == ["outside", "favours", "favours"]
    assert "outside the law</span>" in page
    assert "Player\N{RIGHT SINGLE QUOTATION MARK}s edge" in page


# The command


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["croupier", "sheet", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_the_command_writes_one_file(written: Written) -> None:
    assert written.said.returncode == 0
    assert str(written.file) in written.said.stdout
    assert written.said.stderr == ""
    page = Page(written.file.read_text("utf-8"))
    assert "--decks 1 --set natural_pays=2" in page.text
    assert [path.name for path in written.file.parent.iterdir()] == ["sheet.html"]


def test_the_command_writes_data(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], report: Report
) -> None:
    monkeypatch.setattr("croupier.report.gather.gather", lambda *_: report)
    game = [HARBOUR, "--decks", "1", "--set", "natural_pays=2"]
    assert run(monkeypatch, *game, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["schema"] == "croupier sheet 1"
    assert printed["version"] == croupier.__version__
    assert printed["rules_hash"] == report.rules_hash
    assert any(said.startswith("natural_pays = 2") for said in printed["outside_the_law"])
    assert printed["shoe"]["A"] == 4
    file = tmp_path / "sheet.json"
    assert run(monkeypatch, *game, "-o", str(file)) == 0
    assert json.loads(file.read_text("utf-8")) == printed
    assert run(monkeypatch, *game, "--csv") == 0
    said = capsys.readouterr().out.removeprefix(f"The report on {report.study.book.title} is in {file}.\n")
    evs = {row["section"]: row["value"] for row in csv.DictReader(said.splitlines()) if row["figure"] == "ev"}
    assert float(evs["game"]) == printed["ev"]
    table = tmp_path / "sheet.csv"
    assert run(monkeypatch, *game, "-o", str(table)) == 0
    assert table.read_text("utf-8") == said
    assert run(monkeypatch, *game, "-o", str(table)) == 2
    assert "--force writes over it" in capsys.readouterr().err
    assert run(monkeypatch, *game, "-o", str(table), "--force") == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such-game", "-o", "{tmp}/a.html"], "'no-such-game' is no rulebook"),
        (["act-blackjack-2003", "-o", "{tmp}/none/a.html"], "there is no such directory"),
        (["act-blackjack-2003", "-o", "{tmp}"], "it is a directory"),
        (["act-blackjack-2003", "-o", "{tmp}/a.html", "--decks", "0"], "write a number from 1 to 100"),
        (["act-blackjack-2003", "-o", "{tmp}/a.html", "--decks", "six"], "six"),
        (["act-blackjack-2003", "-o", "{tmp}/a.html", "--set", "soft_71=hit"], "soft_17"),
        (["act-blackjack-2003"], "--output"),
        (["act-blackjack-2003", "--json", "--csv"], "one at a time"),
        (["act-blackjack-2003", "--csv", "-o", "{tmp}/a.json"], "is called otherwise"),
        (["act-blackjack-2003", "--json", "--simulation", "{tmp}/run.json"], "its plots are no data"),
    ],
    ids=str,
)
def test_bad_input_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    assert run(monkeypatch, *(word.format(tmp=tmp_path) for word in words)) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_numbers_as_people_read_them() -> None:
    # 0.00002% is known to one digit, 0.00023% to two: the rounds are told to no more.
    assert about_one_in(1.845e-7, 5) == "1 in 5,000,000"
    assert about_one_in(2.331e-6, 5) == "1 in 430,000"
    assert about_one_in(1.1617e-4, 5) == "1 in 8,610"
    assert about_one_in(0.4409656, 5) == "1 in 2.3"
    assert about_one_in(0, 5) == "never"
    assert about_one_in(2.4e-7, 4) == "1 in over 2,000,000"
    assert known_percent(2.4e-7, 4) == "< 0.0001%"
    assert known_percent(2.4e-7, 5) == "0.00002%"
    assert small_percent(0.310886) == "31.0886%"
    assert small_percent(2.99e-6) == "0.00030%"
    assert small_percent(4.61e-7) == "0.000046%"
    assert small_percent(2e-54) == small_percent(0) == "< 0.0000000001%"
    minus = "\N{MINUS SIGN}"
    assert signed(-0.12345) == f"{minus}0.1235"
    assert signed(-1e-9) == "0.0000"
    assert signed(0.0021, 3, "%") == "+0.210%"
    assert one_in(Fraction(1, 668382)) == "1 in 668,382"
    assert one_in(0) == "never"
    assert result_text(Fraction(-3, 2)) == f"{minus}1.5"
    assert [action(text) for text in ("D/H", "P/H", "R/H", "S")] == ["Dh", "P", "Rh", "S"]
