"""`croupier sheet`: the page is whole, needs no other file, and says what the solver says."""

from __future__ import annotations

import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

import croupier
from croupier.cli import main
from croupier.exact import solve
from croupier.report.gather import gather
from croupier.report.model import Report
from croupier.report.page import forfeits, render, results
from croupier.report.text import ENDLESS, action, one_in, result_text, signed
from croupier.rulebook import NAMES, load

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
    the_page_is_whole_and_needs_no_other(report)
    the_page_says_what_the_solver_says(report)
    things_are_called_as_the_document_does(report)
    a_regulator_is_told_what_matters(report)
    every_number_of_decks_is_there(report)
    what_happens_adds_up(report)
    rules_change_within_the_law_or_outside_it(report)
    mistakes_cost_something_and_name_another_action(report)
    doubled_hands_are_given_up_in_pontoon_alone(report)


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


def the_page_is_whole_and_needs_no_other(report: Report) -> None:
    page = page_of(report)
    parsed = Page(page)
    assert set(SECTIONS) <= set(parsed.ids)
    assert len(set(parsed.ids)) == len(parsed.ids)
    assert all(name == "href" and link[1:] in parsed.ids for name, link in parsed.links)
    assert not re.search(r"https?:|//www|url\(|@import|<script|<link", page)
    assert not re.search(r"\bnan\b|\binf\b|None|Fraction\(|\{\{|\{%", parsed.text)


def the_page_says_what_the_solver_says(report: Report) -> None:
    page = page_of(report)
    ev = solve(report.study.rules).ev
    assert f"{ev:.15f}" in page
    assert f"{-ev:.6%}" in page
    assert report.rules_hash in page
    assert f"croupier {croupier.__version__}" in page
    assert report.study.book.instruments[0].day in page
    text = Page(page).text
    dealer = report.study.book.words.dealer
    for provision in report.provisions:
        for said in (provision.name, provision.value):
            assert said.replace("dealer", dealer).replace("Dealer", dealer.capitalize()) in text
    for clause in report.readings:
        assert clause.reading in text


def things_are_called_as_the_document_does(report: Report) -> None:
    page = page_of(report)
    if report.study.book.id == "uk-blackjack-1994":
        assert "banker" in page
        assert "dealer" not in page.lower()
    ten = "10" if "T" in report.study.rules.ranks else "JQK"
    assert page.count(f"<th>9</th><th>{ten}</th><th>A</th>") == (6 if report.by_cards else 3)


def a_regulator_is_told_what_matters(report: Report) -> None:
    told = " ".join(caution.text for caution in report.cautions)
    if report.study.book.id == "act-pontoon-2002":
        assert "Perfect Pairs favours the player with 6, 7 or 8 decks" in told
        assert "Perfect Pairs is exactly fair with 5 decks" in told
        assert "What a regulator must know" in page_of(report)
        assert page_of(report).count("favours the player</span>") >= 3
    else:
        assert told == ""
        assert "No wager favours the player" in page_of(report)


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
    assert report.frequencies.dealer_natural == pytest.approx(report.frequencies.player_natural)


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


def doubled_hands_are_given_up_in_pontoon_alone(report: Report) -> None:
    given = forfeits(report)
    if not report.study.rules.forfeit:
        assert not any(given.values())
        return
    assert given["T"] == ["12 to 16"]
    assert given["6"] == []


def test_text_of_a_rulebook_is_escaped() -> None:
    report = gather(load(HARBOUR), ("natural_pays=2",), decks=1)
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


def test_the_command_writes_one_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sheet.html"
    assert run(monkeypatch, HARBOUR, "-o", str(file), "--decks", "1", "--set", "soft_17=stand") == 0
    said = capsys.readouterr()
    assert str(file) in said.out
    assert said.err == ""
    page = Page(file.read_text("utf-8"))
    assert "--decks 1 --set soft_17=stand" in page.text
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.html"]


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
    minus = "\N{MINUS SIGN}"
    assert signed(-0.12345) == f"{minus}0.1235"
    assert signed(-1e-9) == "0.0000"
    assert signed(0.0021, 3, "%") == "+0.210%"
    assert one_in(Fraction(1, 668382)) == "1 in 668,382"
    assert one_in(0) == "never"
    assert result_text(Fraction(-3, 2)) == f"{minus}1.5"
    assert [action(text) for text in ("D/H", "P/H", "R/H", "S")] == ["Dh", "P", "Rh", "S"]
