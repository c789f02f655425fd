"""`croupier deal` as a dealer's script drives it: a round with irregularities, refusals, the log."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from croupier.record import read_log
from croupier.rulebook import NAMES
from croupier.table import commands as cmd

CROUPIER = (sys.executable, "-m", "croupier")


def deal(script: str, *args: str | Path) -> str:
    """What `croupier deal` prints for a script; it always ends well."""
    done = subprocess.run(
        [*CROUPIER, "deal", *args],
        input=script,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def replayed(log: Path) -> dict[str, object]:
    done = subprocess.run([*CROUPIER, "replay", "--json", log], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report: dict[str, object] = json.loads(done.stdout)
    return report


def after(shown: str, line: str) -> str:
    """What was printed between a typed line and the next prompt."""
    return shown.split(f"\n> {line}\n", 1)[1].split("\n> ", 1)[0]


# Two players take their seats, the cards are checked, shuffled, cut, the cutting card placed, one burnt.
READY = "p1 sits 1\np2 sits 2\n\n\n\n52\n52\n5c\n"

# A whole round: a card burnt in error, one face up, one laid on the wrong hand, one drawn in error,
# the cutting card, and one too many for the dealer.
ROUND = (
    READY
    + """
p1 bets 10 on 1
p2 bets 20 on 2

Th
burnt 2c
3d^
6d on 1
9c 6s Kd
1 stand
2 hit
error 4h

2 stand
cut
5d 4c
overdraw 9s


"""
)


def test_a_round_from_card_check_to_settlement_with_irregularities(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    shown = deal(ROUND + "quit\n", "--log", log)
    assert "312 cards are checked one by one  [2.2" in shown
    assert "next: shuffle, then offer the cut to p1 [5.1, 5.2(a)]" in shown
    assert "next: burn a card: type it [5.7]" in shown
    assert "5♣ is burnt  [5.7" in shown
    assert "[14." in after(shown, "burnt 2c")
    assert "3♦ is burnt" in after(shown, "3d^")
    assert "was laid on 1 and belongs to 2" in after(shown, "6d on 1")
    assert "box 1 decides (p1): 16 hard; hit, stand, double [9.1]" in shown
    assert "drawn in error goes to box 2 [14.2]  Enter: the 4♥ goes there" in after(shown, "error 4h")
    assert "draw to your hand: 9 [12.1" in after(shown, "2 stand")
    assert "The cutting card comes out at the dealer" in after(shown, "cut")
    assert "9♠ is burnt" in after(shown, "overdraw 9s")
    assert "p1 on box 1 loses $10 on $10  [13.1(e)]" in shown
    assert "p2 on box 2 wins $20 on $20" in shown
    assert "next: shuffle, then offer the cut" in shown.split("Round 1 is over")[1]
    report = replayed(log)
    assert report["refusals"] == 0
    assert report["net"] == {"p1": -10.0, "p2": 20.0}


def test_a_refusal_is_one_sentence_with_its_clause_and_changes_nothing(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    shown = deal(
        READY + "\np1 bets 7 on 1\n5c\np1 bets 10 on 1\n\nTh 9c 4d\n1 split\n1 stand\n2 hit\n", "--log", log
    )
    assert after(shown, "p1 bets 7 on 1").splitlines()[0].endswith("[act-blackjack-2003 3.3]")
    assert "Deal refused" in shown.split("> p1 bets 7 on 1")[1]
    assert "14 hard" in after(shown, "1 split")
    assert "[act-blackjack-2003 Dict:Split]" in after(shown, "1 split")
    refusals = [type(entry.command) for entry in read_log(log).entries if entry.refused]
    assert refusals == [cmd.Wager, cmd.Deal, cmd.Split, cmd.Hit]
    assert replayed(log)["stage"] == "dealer"


def test_the_first_refused_card_ends_a_line_of_cards(tmp_path: Path) -> None:
    shown = deal(READY + "\np1 bets 10 on 1\n\nTh 9c 6d Kd 5s\n")
    assert "Deal refused: a decision on 1 is due" in shown
    assert "Not carried out: 5s." in shown


def test_help_is_made_from_the_rules() -> None:
    pontoon = deal("help\nquit\n", "act-pontoon-2002")
    assert "rank A23456789JQK, suit shdc" in pontoon
    assert "with side bets behind it: pp=5 or perfect_pairs=5" in pontoon
    assert "rank A23456789TJQK, suit shdc" in deal("help\nquit\n", "uk-blackjack-1994")


def test_asides_change_nothing(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    asides = (
        "help\nhelp split\nhelp bets\nhelp nonsense\nwhat\ntable\nwhy 5.7\nwhy\nwhy nonsense\nundo\n# aside\n"
    )
    shown = deal(READY + asides + "quit\n", "--log", log)
    assert "usage: split by=NAME box=NUMBER" in shown
    assert "place your bets" in after(shown, "what")
    assert "the log only grows" in after(shown, "undo")
    assert after(shown, "why 5.7").startswith("5.7  ")
    assert "has no clause 'nonsense'" in after(shown, "why nonsense")
    assert "there is no command 'nonsense'" in after(shown, "help nonsense").lower()
    assert replayed(log)["commands"] == len(READY.splitlines())


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "1",
        "99 hit",
        "p1 bets x on 1",
        "p1 bets 1e999999 on 1",
        "Zz",
        "'",
        "cut at=x",
        "9" * 5000,
        "\x00",
        "hit",
    ],
)
def test_what_is_not_understood_is_reported_and_the_table_goes_on(line: str, tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    shown = deal(f"{READY}\n{line}\np1 bets 10 on 1\n", "--log", log)
    assert "p1 bets $10 on box 1" in shown
    replayed(log)


def test_a_script_runs_an_evening_without_a_question() -> None:
    closed = READY + "\n1 10\n\nTh9c6d\ns\n5d5c\n\n\nsame\n\n9h9c6d\n5hs\n5d5c\n\n\n"
    shown = deal(closed + "open-dispute by=p1 about=pay\nrule dispute=1 award=50\nas supervisor s1\n")
    assert "y/n" not in shown
    assert "Taken for granted: p1 hits box 1." in shown
    assert shown.count("p1 bets $10 on box 1") == 2
    assert "Dispute 1 is decided: $50 to p1" in shown
    assert "The supervisor's orders are s1's from now on." in shown


def test_a_name_that_may_be_a_slip_is_not_taken_without_yes() -> None:
    script = READY + "\nP1 bets 10 on 3\n"
    assert "P1 is new here; p1 sits at 1" in deal(script)
    assert "P1 bets $10 on box 3" in deal(script, "--yes")


def test_cut_declined_and_short_positions() -> None:
    shown = deal("p1 sits 1\n\n\n\nno\n\n\n100\n60\n5c\n")
    assert "P1 declines the cut" in shown or "p1 declines the cut" in shown
    assert "the supervisor cuts" in shown
    assert "The cutting card goes 60 cards from the back" in shown


def test_plain_commands_reach_the_table() -> None:
    shown = deal(
        "p1 sits 1\n\n\n\ncut by=p1 at=100\n60\n5c\n"
        "give-notice of=limits\nset-limits minimum=20 maximum=400\n"
    )
    assert "cuts at 100 of 312 cards" in shown
    assert "The limits are $20 to $400" in shown


def test_insurance_and_even_money_are_named_before_the_deal_goes_on() -> None:
    shown = deal(
        READY + "\np1 bets 10 on 1\np2 bets 10 on 2\n\nTh 5d Ac Ad 6d\n1 p1 even-money\n2 p2 insure 5\n\n"
    )
    assert "p1 may take even money on box 1" in shown
    assert "p2 may insure box 2 up to $5" in shown
    assert "box 2 decides (p2): 11 hard" in shown


def test_a_log_is_resumed_in_the_same_file(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    first = ROUND.index("2 hit")
    deal(ROUND[:first], "--log", log)
    before = replayed(log)
    shown = deal(ROUND[first:], "--resume", log)
    assert "next: box 2 decides (p2): 16 hard" in shown
    report = replayed(log)
    assert report["net"] == {"p1": -10.0, "p2": 20.0}
    assert isinstance(before["commands"], int)
    assert isinstance(report["commands"], int)
    assert report["commands"] > before["commands"]


@pytest.mark.parametrize("rulebook", NAMES)
def test_enter_and_two_positions_lead_every_rulebook_to_the_bets(rulebook: str) -> None:
    shown = deal("\n\n\n\n100\n\n60\n\n5c\n\n", rulebook)
    assert "Enter does nothing here" in shown
    assert "Round 1: place your bets" in shown


def test_bad_options_are_one_sentence_and_status_2() -> None:
    for args in (
        ["nonsense"],
        ["--decks", "3"],
        ["--resume", "nowhere.log"],
        ["--resume", "x", "--decks", "6"],
    ):
        done = subprocess.run(
            [*CROUPIER, "deal", *args], input="", capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("way", ["c", "d"])
def test_control_c_and_control_d_leave_cleanly(way: str, tmp_path: Path) -> None:
    process = pexpect.spawn(
        CROUPIER[0], [*CROUPIER[1:], "deal", "--plain"], encoding="utf-8", timeout=20, dimensions=(30, 80)
    )
    process.expect("Whose table is it")
    process.expect("> ")
    process.sendline("")
    process.expect("Demonstration house")
    process.expect("> ")
    process.sendline("")
    process.expect("shuffle, then offer")
    process.expect("> ")
    process.sendcontrol(way)
    process.expect("The table is left at round 0")
    process.expect(pexpect.EOF)
    process.close()
    assert process.exitstatus == 0


def test_plain_lines_at_a_terminal_ask_too() -> None:
    process = pexpect.spawn(
        CROUPIER[0], [*CROUPIER[1:], "deal", "--plain"], encoding="utf-8", timeout=20, dimensions=(30, 80)
    )
    for line in ("", *READY.splitlines(), "", "1 10", ""):
        process.expect("> ")
        process.sendline(line)
    process.expect("p2 has not bet. No more bets[?] y/n")
    process.expect("> ")
    process.sendline("y")
    process.expect("card to box 1")
    process.sendline("quit")
    process.expect("stage 'dealing'")
    process.expect(pexpect.EOF)
    process.close()
    assert process.exitstatus == 0
