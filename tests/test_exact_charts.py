"""Charts by totals and by number of cards, the exceptions to them, and what a given chart costs."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cards import parse_cards
from croupier.cli import main
from croupier.cli.charts import by_cards_as_data, show_by_cards
from croupier.cli.output import Console
from croupier.exact import Solution, solve
from croupier.exact.by_cards import Run, chart_by_cards, pays_by_cards
from croupier.exact.exceptions import Compared, compared
from croupier.exact.shoe import of_cards
from croupier.exact.spread import spread
from croupier.exact.totals import Known
from croupier.report.by_cards import by_cards_text, further_notes, suited_notes
from croupier.report.exceptions import blocks
from croupier.rulebook import NAMES, load
from planned import PlannedRound

# main() reads sys.argv, as it should; cyclopts suspects a mistake when it does so under pytest.
pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked")

NEVER_BUST = "\n".join(
    [f"* h{total} - {'H' if total < 12 else 'S'}" for total in range(4, 21)]
    + [f"* s{total} - {'H' if total < 18 else 'S'}" for total in range(12, 22)]
)


def is_exact(found: Compared) -> bool:
    """Do hands and splits sum to the difference between both plays?"""
    apart = found.of_hands + found.of_splits - found.difference
    return apart == 0 if isinstance(apart, Fraction) else abs(apart) < 1e-12


@pytest.fixture(scope="module", params=NAMES)
def game(request: pytest.FixtureRequest) -> Solution:
    return solve(load(request.param).choose(), decks=1)


def test_exceptions_sum_to_the_difference(game: Solution) -> None:
    for known in ("total", "cards"):
        found = compared(game.charted(known))
        assert is_exact(found)
        assert found.of_hands > abs(found.of_splits)
        assert all(one.gain > 0 and one.says != one.best for one in found.hands)
        places = [(one.upcard, one.hand, one.suits) for one in found.hands]
        assert len(set(places)) == len(places)
        assert sum(cell.worth for cell in found.cells()) == pytest.approx(found.of_hands, abs=1e-15)
        assert sum(block.hands for block in blocks(found, "10")) == len(found.hands)


def test_whoever_knows_more_wins_more(game: Solution) -> None:
    total, cards = game.charted("total"), game.charted("cards")
    assert total.ev < cards.ev < game.ev


def test_what_is_written_of_a_play_is_worth_the_same_when_it_is_read() -> None:
    game = solve(load("act-pontoon-2002").choose(), decks=1)
    cards = game.charted("cards")
    again = solve(game.rules, decks=1, chart=cards.strategy())
    assert again.ev == pytest.approx(cards.ev, abs=1e-14)
    assert compared(again).of_hands == pytest.approx(compared(cards).of_hands, abs=1e-14)
    best = compared(solve(game.rules, decks=1, chart=game.strategy()))
    assert best.hands == ()
    assert best.of_splits == pytest.approx(0, abs=1e-15)


def test_hands_with_as_many_cards_are_played_alike(game: Solution) -> None:
    solver = game.charted("cards").solver
    for cell in chart_by_cards(solver):
        assert [run.cards for run in cell.runs] == sorted({run.cards for run in cell.runs})
        assert all(note.hand in ("67", "68", "78", "77") for note in cell.notes)
    assert pays_by_cards(game.rules) == bool(game.rules.bonus_rows)


def test_the_letters_of_a_chart_are_those_by_totals(game: Solution) -> None:
    letters = {(cell.upcard, cell.row): cell.action for cell in game.chart}
    by_totals = {(cell.upcard, cell.row): cell.action for cell in game.charted("total").chart}
    assert letters == by_totals | {key: letters[key] for key in letters.keys() - by_totals.keys()}
    starred = {(cell.upcard, cell.row) for cell in game.chart if cell.others}
    # Hands to which the chart leads and the best play does not are exceptions as well.
    assert starred <= {(one.upcard, one.row) for one in compared(game.charted("total")).hands}


SHOES = [
    ("act-blackjack-2003", "6s 6s 6s 6s 9s 9s 9s 9s " + "Js " * 10),
    ("uk-blackjack-1994", "8s 8s 8s 8s 8s 8s As As As As " + "Ts " * 8),
    ("act-pontoon-2002", "7s 7s 7h 7h 7h 8s 8h 6s " + "Js " * 12),
]


@pytest.mark.parametrize(("book", "cards"), SHOES)
@pytest.mark.parametrize("known", ["total", "cards"])
def test_fractions_sum_exactly(book: str, cards: str, known: Known) -> None:
    rules = replace(load(book).choose(), super_bonus=None)
    found = compared(solve(rules, shoe=of_cards(*parse_cards(cards)), exact=True, post_split=known))
    assert isinstance(found.difference, Fraction)
    assert is_exact(found)
    assert all(one.gain > 0 for one in found.hands)


@pytest.mark.parametrize(("book", "cards"), SHOES)
@pytest.mark.parametrize("known", ["total", "cards"])
def test_the_table_pays_as_much_to_who_plays_so(book: str, cards: str, known: Known) -> None:
    rules = replace(load(book).choose(), super_bonus=None)
    dealt = parse_cards(cards)
    found = solve(rules, shoe=of_cards(*dealt), exact=True, post_split=known)
    played = PlannedRound(found.solver, dealt)
    assert played.mean(1) == found.ev
    assert played.mean(1, 1) - found.ev**2 == spread(found.solver).variance


def test_totals_that_are_surrendered_leave_hands_of_more_cards() -> None:
    """Of two cards 16 is given up, so that 16 of three and more decides between hit and stand."""
    rules = replace(load("act-blackjack-2003").choose(), surrender="late")
    found = solve(rules, decks=6, post_split="total")
    assert found.ev == pytest.approx(-0.004367145185227, abs=1e-12)
    (cell,) = (cell for cell in found.chart if (cell.upcard, cell.row) == ("T", "h16"))
    assert (cell.action, cell.others) == ("R/S", ())


CHANGES: list[dict[str, Any]] = [
    {},
    {"surrender": "faces_and_ace", "double_cards": "any"},
    {"doubled_wins_pay": None, "forfeit": True},
]


@pytest.mark.parametrize("changes", CHANGES, ids=str)
@pytest.mark.parametrize("book", ["act-blackjack-2003", "act-pontoon-2002"])
def test_what_a_chart_costs(book: str, changes: dict[str, Any]) -> None:
    rules = replace(load(book).choose(), **changes)
    doubling = NEVER_BUST.replace("h10 - H", "h10 - D/H").replace("h11 - H", "h11 - D/H")
    found = compared(solve(rules, decks=1, chart=doubling + "\n* 88 - P/H\n* TT - P/S"))
    assert is_exact(found)
    dearest = [(cell.row, cell.upcard, cell.says, cell.best) for cell in found.cells()[:6]]
    assert dearest[0] == ("TT", "T", "P", "S")
    assert ("h12", "T", "S", "H") in dearest
    kept = [one for one in found.hands if one.row[0] == "d"]
    assert bool(kept) == rules.forfeit
    assert {(one.says, one.best) for one in kept} <= {("K", "F")}


# As people read it


def test_numbers_of_cards_as_text() -> None:
    assert by_cards_text([Run(2, "S"), Run(4, "H")]) == "S4"
    assert by_cards_text([Run(2, "D/H"), Run(5, "H")]) == "D5"
    assert by_cards_text([Run(2, "H"), Run(5, "S")]) == "H5s"
    assert by_cards_text([Run(2, "D/H")]) == "Dh"
    assert by_cards_text([Run(2, "S"), Run(4, "H"), Run(5, "D/H")]) == "S4+"


def test_pontoon_as_its_players_write_it() -> None:
    solution = solve(load("act-pontoon-2002").choose(), decks=6, post_split="cards")
    cells = list(chart_by_cards(solution.solver))
    text = {(cell.row, cell.upcard): by_cards_text(cell.runs) for cell in cells}
    assert [text["h17", upcard] for upcard in "89TA"] == ["S6", "S6", "S6", "H"]
    assert [text["h11", upcard] for upcard in "2356T"] == ["D4", "D5", "D5", "Dh", "D4"]
    assert "7-8 of one suit: hit against 3" in suited_notes(cells)
    assert "soft 18 against 6: stand from 2 cards on, hit from 4 cards on" in further_notes(cells)[0]


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["croupier", "solve", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_exceptions_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["act-blackjack-2003", "--decks", "1", "--exceptions"]
    assert run(monkeypatch, *words) == 0
    said = capsys.readouterr().out
    assert "hard 12 against 4: hit, not stand" in said
    assert "399 hands of 16 cells" in said
    assert run(monkeypatch, *words, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "croupier exceptions 1"
    assert len(data["exceptions"]) == 399
    assert data["of_hands"] + data["of_splits"] == pytest.approx(data["difference"], abs=1e-14)
    file = tmp_path / "exceptions.csv"
    assert run(monkeypatch, *words, "--output", str(file)) == 0
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    assert [row["kind"] for row in rows].count("hand") == 399
    assert sum(float(row["worth"]) for row in rows) == pytest.approx(data["difference"], abs=1e-14)
    capsys.readouterr()
    assert run(monkeypatch, *words, "--output", str(file)) == 2
    assert "--force" in capsys.readouterr().err
    assert run(monkeypatch, *words, "--output", str(tmp_path / "a.txt")) == 2
    assert ".csv, .parquet or .json" in capsys.readouterr().err
    assert run(monkeypatch, *words, "--hand", "8s 8d", "--dealer", "Th") == 2


def test_a_chart_is_priced_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "chart.txt"
    file.write_text(NEVER_BUST.rpartition("\n")[0], "utf-8")
    words = ["act-blackjack-2003", "--decks", "1", "--chart", str(file)]
    assert run(monkeypatch, *words) == 0
    said = capsys.readouterr().out
    assert said.index("edge ") < said.index("hard 20") < said.index("The chart costs 5.745")
    assert "hard 12 T " in " ".join(said.rpartition("The chart costs")[2].split())
    assert run(monkeypatch, *words, "--json") == 0
    costs = json.loads(capsys.readouterr().out)["costs"]
    assert sum(cell["worth"] for cell in costs["cells"]) == pytest.approx(costs["difference"], abs=1e-14)
    assert costs["splits"] == []


def test_numbers_of_cards_as_data_and_as_a_table(game: Solution, capsys: pytest.CaptureFixture[str]) -> None:
    cells = list(chart_by_cards(game.charted("cards").solver))
    data = by_cards_as_data(cells)
    show_by_cards(Console(), cells, dict.fromkeys("SHDPR", "red"))
    said = capsys.readouterr().out
    assert "S4: stand, and hit with 4 cards or more." in said
    if game.rules.bonus_rows:
        assert data["chart_by_cards"]["2"]["h11"][0] == {"cards": 2, "action": "D/H"}
        assert {note["hand"] for note in data["suited"]} <= {"67", "68", "78", "77"}
        return
    assert data["suited"] == []
    assert data["chart_by_cards"]["T"]["h16"] == [{"cards": 2, "action": "H"}, {"cards": 3, "action": "S"}]
    assert "H3s" in said
