"""`croupier solve` and `croupier compare` as people and programs call them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import croupier
from typed import Made, typed

# main() reads sys.argv, as it should; cyclopts suspects a mistake when it does so under pytest.
pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked")


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test has solved is there for the next, and nothing from outside."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def run(*arguments: str) -> Made:
    return typed(Path(os.environ["XDG_CACHE_HOME"]), *arguments)


def answer(*arguments: str) -> dict[str, Any]:
    made = run(*arguments, "--json")
    assert made.returncode == 0, made.stderr
    found: dict[str, Any] = json.loads(made.stdout)
    return found


def test_a_process_of_its_own() -> None:
    command = [sys.executable, "-m", "croupier", "solve", "--hand", "8s 8d", "--dealer", "Th"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert "-0.615844813" in made.stdout


def test_the_answer_as_data() -> None:
    found = answer("solve", "act-blackjack-2003", "--decks", "6")
    assert found["ev"] == pytest.approx(-0.005140564552902, abs=1e-12)
    assert found["variance"] == pytest.approx(1.288436625667, abs=1e-12)
    assert len(found["rules_hash"]) == 64
    assert found["version"] == croupier.__version__
    assert found["seconds"] > 0
    assert found["outside_the_law"] == []
    assert found["chart"]["T"]["TT"] == "S"
    assert sum(found["results"].values()) == pytest.approx(1, abs=1e-12)
    mean = sum(float(Fraction(result)) * chance for result, chance in found["results"].items())
    assert mean == pytest.approx(found["ev"], abs=1e-12)
    assert found["split_share"] > found["three_hands"] > 0
    assert "of three hands and more (0.24% of rounds)" in " ".join(found["assumes"])
    it_is_told_by_first_cards(found)


def it_is_told_by_first_cards(found: dict[str, Any]) -> None:
    assert len(found["first_cards"]) == 550
    for told in (found["first_cards"], found["by_upcard"].values()):
        assert sum(start["chance"] for start in told) == pytest.approx(1, abs=1e-12)
        assert sum(start["chance"] * start["ev"] for start in told) == pytest.approx(found["ev"], abs=1e-12)
    cards = {(start["upcard"], start["hand"]): start for start in found["first_cards"]}
    assert cards["6", "56"]["action"] == "D/H"
    assert (cards["6", "AT"]["action"], cards["6", "AT"]["ev"]) == ("", 1.5)


def test_an_answer_is_kept_and_read_without_the_solver() -> None:
    command = ["solve", "act-blackjack-2003", "--decks", "6", "--json"]
    first = json.loads(run(*command).stdout)
    checked = (
        "import sys; from croupier.cli import main\ntry: main()\nfinally: assert 'numba' not in sys.modules"
    )
    made = subprocess.run(
        [sys.executable, "-c", checked, *command], capture_output=True, text=True, check=False
    )
    assert made.stderr == ""
    again = json.loads(made.stdout)
    assert again["kept"]
    assert {**again, "kept": 0, "seconds": 0, "spread_seconds": 0} == {
        **first,
        "kept": 0,
        "seconds": 0,
        "spread_seconds": 0,
    }
    said = run(*command[:-1], "--rounds", "1e5").stdout
    assert "from what was kept; --no-cache solves it anew" in said
    assert re.search("exactly +\N{MINUS SIGN}1,438.5 +410.5", said)
    assert "the player is ahead 7.5968%" in said
    many = answer(*command[:-1], "--rounds", "100000")["many_rounds"]
    assert many["interval"] == [-1438.5, 410.5]
    assert many["within"] >= 0.99
    assert many["normal_interval"][0] == pytest.approx(-1438.6452, abs=1e-4)


def test_the_endings_of_hands() -> None:
    command = ["solve", "act-pontoon-2002", "--decks", "1", "--endings"]
    told = answer(*command)
    ends = told["par"]["endings"]
    assert sum(end["brings"] for end in ends) == pytest.approx(told["ev"], abs=1e-12)
    (five,) = (end for end in ends if end["provision"] == "bonus_rows.five_cards")
    assert (five["pays_exact"], five["clauses"]) == ("3/2", ["act-pontoon-2002 14.2 Table 1: 5 cards 21"])
    said = run(*command).stdout
    assert re.search(r"Bonus, five.* 3 to 2 +0\.00\d+ +\d+ +\+0\.\d+% +14\.2", said)
    assert re.search("element of risk +\N{MINUS SIGN}0.247692%", said)


def test_the_edge_is_told_before_the_deviation() -> None:
    said = run("solve", "act-blackjack-2003", "--decks", "6", "--no-cache").stdout
    assert said.index("edge       0.514056%") < said.index("deviation  1.135093")
    assert "s for the deviation" in said


def test_play_of_single_hands_has_no_deviation() -> None:
    found = answer("solve", "act-blackjack-2003", "--decks", "6", "--post-split", "cdp")
    assert found["variance"] is found["deviation"] is found["results"] is None
    assert "no deviation" in " ".join(found["assumes"])
    assert "deviation  " not in run("solve", "--decks", "6", "--post-split", "cdp").stdout


SEVENS = ["--hand", "7h 7d", "--dealer", "5h"]


def test_an_answer_says_what_it_is_an_answer_to() -> None:
    found = answer("solve", "act-pontoon-2002", "--shoe", "7s=3 -5", "--set", "soft_17=stand", *SEVENS)
    assert found["schema"] == "croupier decision 1"
    assert found["shoe"]["7"] == {"s": 3, "h": 6, "d": 6, "c": 6}
    assert (found["shoe"]["5"], found["shoe"]["A"]) == (23, 24)
    assert "T" not in found["shoe"]
    assert found["play"] == "best"
    assert found["outside_the_law"] == ["soft_17 = stand [act-pontoon-2002 13.1(a)]"]
    assert set(found["commit"]) <= set("0123456789abcdef-dirty")
    house = answer("solve", "--set", "minimum=20", *SEVENS)
    assert house["settings"] == {"minimum": "20"}


def test_a_file_of_play_says_what_it_was_written_for(tmp_path: Path) -> None:
    file = tmp_path / "play.txt"
    assert answer("solve", "--decks", "4", "--strategy", str(file))["schema"] == "croupier solve 1"
    made = run("solve", "--decks", "4", "--chart", str(file), "--json", *SEVENS)
    assert made.stderr == ""
    play = json.loads(made.stdout)["play"]
    assert play == {"chart": str(file), "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    other = run("solve", "--decks", "5", "--chart", str(file), *SEVENS)
    assert "was written for another game: ACT Blackjack, 2003, 4 decks, 208 cards" in other.stderr
    assert other.returncode == 0


def test_what_is_outside_the_law_is_said() -> None:
    settings = ["--set", "double_totals=9-11", "--set", "unsplittable=4,5,10", "--set", "resplit_aces=true"]
    found = answer("solve", "act-blackjack-2003", "--decks", "6", *settings)
    assert found["ev"] == pytest.approx(-0.005488248984576, abs=1e-12)
    said = " ".join(found["outside_the_law"])
    assert "double_totals = 9-11 [act-blackjack-2003 11.1]" in said
    assert "resplit_aces" in said
    two = answer("solve", "act-blackjack-2003", "--decks", "2")
    assert two["outside_the_law"] == ["decks = 2 [act-blackjack-2003 2.1]"]


FIXED_NAMES = [
    "soft_17=hit",
    "soft_17=stand",
    *[
        f"dealer_natural_takes={takes}"
        for takes in ("all", "original", "busted_and_one", "one_per_live_hand", "original_and_busted")
    ],
    "max_hands=2",
    "max_hands=none",
    "resplit_aces=true",
    "resplit_aces=false",
    "double_totals=any",
    "double_totals=10-11",
    "double_cards=two",
    "double_cards=any",
    "double_after_split=false",
    "unsplittable=none",
    "unsplittable=4,5,10",
    "surrender=none",
    "surrender=late",
    "surrender=faces_and_ace",
    "double_aces=first_two",
    "double_aces=all_before",
    "double_aces=free",
    "forfeit=true",
    "forfeit=false",
    "natural_pays=6/5",
]


@pytest.mark.parametrize("book", ["act-blackjack-2003", "uk-blackjack-1994", "act-pontoon-2002"])
def test_every_what_if_has_an_answer(book: str) -> None:
    from croupier.exact import solve
    from croupier.exact.common import Common
    from croupier.rulebook import load
    from croupier.rulebook.study import study

    common = Common()
    usual = solve(load(book).choose(), decks=6, common=common).ev
    for setting in FIXED_NAMES:
        rules = study(load(book), [setting], 6).rules
        assert abs(solve(rules, common=common).ev - usual) < 0.03, setting


def test_side_bets_from_any_shoe() -> None:
    found = answer("solve", "pontoon", "--side-bets", "--decks", "8")
    assert found["schema"] == "croupier side bets 1"
    pairs = found["side_bets"]["perfect_pairs"]
    assert (pairs["ev_exact"], pairs["house_edge_exact"]) == ("15/383", "-15/383")
    assert pairs["ev"] == pytest.approx(15 / 383)
    assert sum(Fraction(row["contributes_exact"]) for row in pairs["rows"]) - Fraction(
        pairs["loses_exact"]
    ) == Fraction(15, 383)
    assert pairs["deviation"] == pytest.approx(float(Fraction(pairs["variance_exact"])) ** 0.5)
    bonus = answer("solve", "pontoon", "--side-bets", "--wager", "25", "--others", "2")["super_bonus"]
    assert bonus["chance_exact"] == "1/668382"
    own, others = Fraction(5000, 668382), Fraction(bonus["dollars_a_round"]["others_exact"])
    assert Fraction(bonus["of_the_wager_exact"]) == (own + others) / 25
    assert others > 0
    assert answer("solve", "--side-bets")["insurance"]["A"]["house_edge_exact"] == "23/311"


def test_side_bets_from_a_depleted_shoe() -> None:
    found = answer("solve", "--side-bets", "--shoe", "A=1 7s=0 7h=0 7d=0 7c=0")
    assert found["shoe"]["7"] == 0
    assert found["side_bets"]["super_sevens"]["ev_exact"] == "-1"
    assert found["insurance"]["A"]["rows"][0]["chance_exact"] == "4/11"
    assert found["insurance_with_natural"] == found["even_money"] == {}  # one ace, and it is the dealer's
    none = answer("solve", "--side-bets", "--shoe", "A=0")
    assert none["insurance"] == {}
    said = run("solve", "--side-bets", "--shoe", "-K -K").stdout
    assert "310 cards left" in said
    assert "Insurance against A" in said
    assert "94/309" in said


def test_one_decision() -> None:
    found = answer("solve", "act-blackjack-2003", "--hand", "8s 8d", "--dealer", "Th")
    assert found["best"] == "H"
    assert found["values"]["P"] == pytest.approx(-0.615844813370, abs=1e-11)
    plain = run("solve", "act-blackjack-2003", "--hand", "8s 8d", "--dealer", "Th")
    assert "split" in plain.stdout
    assert "-0.615844813" in plain.stdout


def test_a_depleted_shoe_in_fractions() -> None:
    gone = " ".join(f"{rank}=0" for rank in "24567J9QK")
    found = answer("solve", "--shoe", f"8=5 T=6 3=4 A=3 {gone}", "--exact")
    assert found["ev_exact"] == "850951/5717712"


def test_the_play_is_written_and_read_back(tmp_path: Path) -> None:
    from croupier.exact import solve
    from croupier.rulebook import load

    file = tmp_path / "play.txt"
    written = answer("solve", "act-pontoon-2002", "--decks", "4", "--strategy", str(file))
    lines = file.read_text().splitlines()
    assert "A 88 - H" in lines
    assert any(line.startswith("F ") for line in lines)
    assert "7 77 m P/H" in lines
    hand = ["--hand", "8s 8d", "--dealer", "Kh"]  # the results of a round need not be found again
    read = run("solve", "act-pontoon-2002", "--decks", "4", "--chart", str(file), *hand)
    assert (read.returncode, read.stderr) == (0, "")
    rules = load("act-pontoon-2002").choose(decks=4)
    assert solve(rules, chart=file.read_text()).ev == pytest.approx(written["ev"], abs=1e-14)


def test_a_short_chart_of_ones_own(tmp_path: Path) -> None:
    chart = tmp_path / "mimic.txt"
    rows = [f"* h{total} - {'H' if total < 17 else 'S'}" for total in range(4, 21)]
    rows += [f"* s{total} - {'H' if total < 17 else 'S'}" for total in range(12, 21)]
    remark = "# plays as the dealer does\n"
    chart.write_text(remark + "\n".join(rows), "utf-8-sig")  # with the mark of some editors at the front
    found = answer("solve", "act-blackjack-2003", "--decks", "6", "--chart", str(chart))
    assert found["ev"] == pytest.approx(-0.0567, abs=0.001)  # mimicking the dealer costs some 5.5 %


def test_packs_without_end() -> None:
    found = answer(
        "solve", "--decks", "inf", "--set", "dealer_natural_takes=original", "--post-split", "total"
    )
    assert found["ev"] == pytest.approx(-0.00511734, abs=1e-8)


def test_the_super_bonus_is_counted_for_a_wager() -> None:
    from croupier.exact import solve
    from croupier.rulebook import load

    rules = load("act-pontoon-2002").choose()
    without, small, large = (solve(rules, wager=wager).ev for wager in (None, Fraction(10), Fraction(25)))
    beside = answer("solve", "act-pontoon-2002", "--wager", "25", "--others", "3")["ev"]
    assert without < small < large < beside
    assert large - without == pytest.approx(200 / 668382, rel=0.2)


def test_compared_games_add_up() -> None:
    found = answer("compare", "uk-blackjack-1994", "act-blackjack-2003", "--decks", "6")
    total = sum(share["worth"] for share in found["shares"])
    assert total == pytest.approx(found["difference"], abs=1e-14)
    assert found["difference"] == pytest.approx(0.005453908593452 - 0.005140564552902, abs=1e-12)
    by_name = {share["provisions"][0]: share for share in found["shares"]}
    assert by_name["double_totals"]["sides"][0]["first"] == ["9-11", ["uk-blackjack-1994 7(8)"]]
    assert by_name["resplit_aces"]["worth"] < 0


BAD: list[tuple[list[str], str]] = [
    (["solve", "no-such-book"], "no-such-book"),
    (["solve", "--decks", "0"], "write a number from 1"),
    (["solve", "--decks", "many"], "write a number from 1"),
    (["solve", "--set", "soft_17=maybe"], "stand or hit"),
    (["solve", "--set", "soft_17"], "name=value"),
    (["solve", "--set", "softness=1"], "no provision"),
    (["solve", "--set", "unsplittable=11"], "from 1 to 10"),
    (["solve", "--set", "ranks=A23"], "cannot be combined"),
    (["solve", "--set", "dealer_draws_to=30"], "does not solve"),
    (["solve", "--set", "ace_high=12"], "does not solve"),
    (["solve", "--post-split", "other"], "cdz, cdp, total or cards"),
    (["solve", "--hand", "8s 8d"], "go together"),
    (["solve", "--hand", "8s", "--dealer", "Th"], "two cards or more"),
    (["solve", "--hand", "Ts Td 2c", "--dealer", "Th"], "over 21"),
    (["solve", "--hand", "As Td", "--dealer", "Th"], "nothing to decide"),
    (["solve", "--hand", "8s 8x", "--dealer", "Th"], "8x"),
    (["solve", "act-pontoon-2002", "--hand", "Ts 8d", "--dealer", "9h"], "have no T"),
    (["solve", "act-pontoon-2002", "--hand", "7 7", "--dealer", "9h"], "say the suits"),
    (["solve", "--shoe", "8=0", "--hand", "8s 8d", "--dealer", "Th"], "too few"),
    (["solve", "--shoe", "8s=0", "--hand", "8s 8d", "--dealer", "Th"], "no 8s is left"),
    (["solve", "--shoe", "A=-1"], "cannot be negative"),
    (["solve", "--shoe", "A=99"], "the packs hold 24"),
    (["solve", "--shoe", "Z=3"], "neither a rank"),
    (["solve", "--shoe", "A"], "write A=20"),
    (["solve", "--shoe", " ".join(f"{rank}=0" for rank in "23456789TJQK")], "run out"),
    (["solve", "--decks", "inf", "--shoe", "A=3"], "no end"),
    (["solve", "--wager", "10"], "Super Bonus"),
    (["solve", "act-pontoon-2002", "--wager", "much"], "write dollars"),
    (["solve", "--chart", "/no/such/chart.txt"], "No such file"),
    (["solve", "--strategy", "/no/such/folder/play.txt"], "cannot be written"),
    (["compare", "act-blackjack-2003"], "SECOND"),
    (
        ["compare", "act-blackjack-2003", "uk-blackjack-1994", "--post-split", "odd"],
        "cdz, cdp, total or cards",
    ),
    (["solve", "--decks", "²"], "write a number from 1"),
    (["solve", "--decks", "9" * 5000], "write a number from 1"),
    (["solve", "--shoe", f"A={'9' * 5000}"], "write A=20"),
    (["solve", "--set", "surrender_share=2"], "no part of a wager"),
    (["solve", "--shoe", "A=3 A=4"], "is said twice"),
    (["solve", "--shoe", "7s=1 7s=2"], "is said twice"),
    (["solve", "--decks", "1", "--exact", "--exceptions"], "fractions bear some 800"),
    (["solve", "--set", "natural_pays=1/1000003"], "too fine"),
    (["solve", "--hand", "8s 8d", "--dealer", "Th", "--strategy", "play.txt"], "leave out --strategy"),
    (["solve", "--hand", "8s 8d", "--dealer", "Th", "--rounds", "100"], "leave out --rounds"),
    (["solve", "--rounds", "0"], "from 1 to"),
    (["solve", "--rounds", "1e14", "--decks", "6"], "ask for fewer rounds"),
    (["solve", "--rounds", "100", "--post-split", "cdp", "--decks", "6"], "plays each hand"),
    (["solve", "--side-bets", "--chart", "play.txt"], "leave out --chart"),
    (["solve", "--side-bets", "--wager", "10"], "Super Bonus"),
    (["solve", "pontoon", "--side-bets", "--others", "9"], "from 0 to 6"),
    (["solve", "--side-bets", "--shoe", " ".join(f"{rank}=0" for rank in "23456789TJQKA")], "too few cards"),
    (["solve", "act-pontoon-2002", "--others", "3"], "with a wager"),
    (["solve", "act-pontoon-2002", "--wager", "10", "--others", "-1"], "from 0 to 6"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD, ids=lambda value: " ".join(value))
def test_bad_input_is_one_sentence(arguments: list[str], said: str) -> None:
    made = run(*arguments)
    assert made.returncode == 2, made.stdout
    assert said in made.stderr
    assert made.stderr.count("\n") == 1
    assert "Traceback" not in made.stderr


CHARTS = [
    ("* h4 - H", "nothing is said of"),
    ("T 88 - P", "must end with H or S"),
    ("T 88 - H/P", "must end with H or S"),
    ("T 88 - D/P/H", "R before P before D"),
    ("T 89 - P/H", "do not let this hand be split"),
    ("T 88 - R/H", "do not let this hand be surrendered"),
    ("T 235 - D/H", "do not let this hand be doubled"),
    ("T 23 - S", "do not let this hand stand"),
    ("T 678 - H", "no further card"),
    ("X 88 - H", "is no upcard"),
    ("T 8x - H", "is no hand"),
    ("T TTT - H", "at most 21"),
    ("T 88 s H", "make no difference"),
    ("T 88 - H\nT 88 - S", "says it already"),
    ("T 88 H", "write upcard, hand, suits and action"),
    ("F T 88", "no forfeit"),
    ("* h16 - P/H", "a total is not split"),
    ("* h99 - S", "no such total"),
    ("* s11 - S", "no such total"),
    ("* h16 - R/H", "no surrender"),
]


@pytest.mark.parametrize(("chart", "said"), CHARTS)
def test_a_chart_that_cannot_be_is_refused(chart: str, said: str) -> None:
    from croupier.errors import ParseError
    from croupier.exact import solve
    from croupier.rulebook import load

    with pytest.raises(ParseError, match=said):
        solve(load("act-blackjack-2003").choose(), chart=chart)


SMALL = "8=5 3=4 A=3 2=0 4=0 5=0 6=0 7=0 9=0 T=2 J=2 Q=2 K=0"


@pytest.mark.parametrize(
    "cards", [["--decks", "1"], ["--shoe", SMALL], ["--shoe", SMALL, "--exact"]], ids=str
)
def test_what_is_written_of_a_small_shoe_is_read_back(cards: list[str], tmp_path: Path) -> None:
    file = tmp_path / "play.txt"
    written = answer("solve", *cards, "--strategy", str(file))
    assert answer("solve", *cards, "--chart", str(file))["ev"] == written["ev"]
    by_totals = run("solve", *cards, "--post-split", "total", "--json")
    assert by_totals.stderr == ""
    assert json.loads(by_totals.stdout)["ev"] <= written["ev"]


def test_cards_are_taken_out_of_the_shoe() -> None:
    whole, without = answer("solve")["ev"], answer("solve", "--shoe", "-5 -6h")["ev"]
    assert without - whole == pytest.approx(0.0019, abs=0.0001)


def test_the_words_of_a_shoe_mean_the_same_in_any_order() -> None:
    from croupier.exact import parse_shoe

    assert parse_shoe("7=10 7s=0 -7", "A789TJQK", 6) == parse_shoe("-7 7s=0 7=10", "A789TJQK", 6)


def test_effects_of_removal_are_of_the_play_that_was_asked_for() -> None:
    from croupier.exact import solve
    from croupier.rulebook import load

    rules = load("act-blackjack-2003").choose(decks=6)
    by_totals = solve(rules, post_split="total").removals()
    best = solve(rules).removals()
    apart = [by_totals[value] - worth for value, worth in best.items()]
    assert max(map(abs, apart)) < 5e-5
    assert abs(sum(apart) / len(apart)) < 1e-5
