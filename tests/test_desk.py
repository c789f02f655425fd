"""The dealer's desk: what it asks, what it says, who gives an order, and dealers who type anything."""

from __future__ import annotations

import random
import re
import runpy
from pathlib import Path

import pytest

from croupier.cli.complete import common_start, completions
from croupier.money import in_words
from croupier.record import read_log, replay
from croupier.rulebook import NAMES
from croupier.table.text import VERBS
from desks import CARDS, FULL, OPEN, quiet_desk, typed

ROOT = Path(__file__).parent.parent


# Questions


def test_bets_are_not_closed_on_a_seated_player_unasked() -> None:
    desk, said = quiet_desk()
    typed(desk, "p1 sits 1", "p2 sits 2", *OPEN, "", "1 10", "")
    assert desk.question == "p2 has not bet. No more bets?"
    typed(desk, "Kh")
    assert said[-1] == "Y does it, n leaves everything as it is."
    typed(desk, "n")
    assert (said[-1], desk.question, desk.state.stage) == ("Not done.", "", "betting")
    typed(desk, "", "y")
    assert desk.state.stage == "dealing"


def test_open_offers_are_closed_after_a_question() -> None:
    desk, _ = quiet_desk()
    typed(desk, "p1 sits 1", *OPEN, "", "1 10", "", "ThAc6d", "")
    assert desk.question == "1 offer is still open. Close the offers?"
    typed(desk, "y")
    assert desk.state.stage == "playing"


def test_what_undoes_says_what_goes_back_in_words() -> None:
    desk, _ = quiet_desk()
    typed(desk, *OPEN, "", "p1 bets 10 on 1", "", "Th9c6d", "invalidate cause=fire scope=game")
    assert "Round 1 is invalidated (fire)" in desk.question
    assert "That is ten dollars to players." in desk.question
    typed(desk, "n")
    assert desk.state.stage == "playing"
    typed(desk, "invalidate cause=fire scope=game", "y")
    assert desk.state.stage != "playing"


def test_an_award_is_said_in_words_before_it_is_paid() -> None:
    desk, _ = quiet_desk()
    typed(desk, *OPEN, "", "p1 bets 10 on 1", "", "Th9c6d", "s", "5d5c", "", "")
    typed(desk, "open-dispute by=p1 about=pay", "rule dispute=1 award=1250")
    assert "one thousand two hundred and fifty dollars to players" in desk.question
    typed(desk, "y")
    assert desk.state.people.disputes[0].award == 125000


def test_nothing_is_asked_about_what_is_refused() -> None:
    desk, said = quiet_desk()
    typed(desk, "void-round round=3")
    assert not desk.question
    assert "refused" in said[-1]


def test_a_new_name_beside_a_known_one_is_asked_about() -> None:
    desk, _ = quiet_desk()
    typed(desk, "p3 sits 3", "P3 sits 4")
    assert desk.question == "P3 is new here; p3 sits at 3. Is P3 somebody else?"
    typed(desk, "n")
    assert desk.state.box(4).seat == ""
    typed(desk, "P3 sits 4", "y", "leave by=P3 box=4")
    assert not desk.question


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0, "zero dollars"),
        (101, "one dollar and one cent"),
        (2150, "twenty-one dollars and fifty cents"),
        (100_005_00, "one hundred thousand and five dollars"),
        (1_250_000_00, "one million two hundred and fifty thousand dollars"),
    ],
)
def test_sums_are_said_as_people_say_them(amount: int, words: str) -> None:
    assert in_words(amount) == words
    assert in_words(150, "£") == "one pound and fifty pence"


# Lines


def test_a_card_behind_a_card_is_never_taken_for_a_hit() -> None:
    desk, said = quiet_desk()
    typed(desk, *OPEN, "", "p1 bets 10 on 1", "", "8h9c8d5s")
    assert "Not carried out" not in said[-1]
    assert "a decision on 1 is due" in said[-1]
    typed(desk, "p", "Kh5d")
    assert desk.state.hand(1, 1).cards == ("8h", "Kh")
    typed(desk, "s2c", "3c")
    assert desk.state.hand(1, 2).cards == ("8d", "2c", "3c")


def test_a_hit_whose_card_cannot_be_is_not_taken_for_granted() -> None:
    desk, said = quiet_desk("act-pontoon-2002")
    typed(desk, "", "", "", "150", "60", "5c", "", "p1 bets 10 on 1", "", "9h9c6d")
    before = desk.conductor.store.count
    typed(desk, "Th")
    assert "refused" in said[-1]
    assert desk.conductor.store.count == before


def test_same_goes_on_where_one_wager_is_refused() -> None:
    desk, said = quiet_desk()
    typed(desk, *OPEN, "", "p1 bets 10 on 1", "p2 bets 50 on 2", "", "Th9h9c6d8d", "ss", "5d5c", "", "")
    typed(desk, "give-notice of=limits", "set-limits minimum=20 maximum=500")
    typed(desk, "same")
    assert "refused" in " ".join(said[-4:]) or "under the minimum" in " ".join(said[-4:])
    assert [bet.player for bet in desk.state.box(2).bets] == ["p2"]


def test_orders_are_given_by_whoever_is_named() -> None:
    desk, said = quiet_desk()
    typed(desk, "as dealer d1", "as supervisor s1", "", "", "", "150")
    people = {entry.by.name for entry in desk.conductor.store.entries}  # type: ignore[attr-defined]
    assert people == {"d1", "s1"}
    typed(desk, "as supervisor")
    assert "write who holds the office" in said[-1]
    typed(desk, "60", "as")
    assert "A♠ is burnt" in said[-1]


def test_lines_are_told_with_their_numbers() -> None:
    desk, said = quiet_desk()
    typed(desk, "", "", "lines")
    assert re.match(r" +2  312 cards are checked", said[-2])
    assert re.match(r" +3  312 cards are shuffled", said[-1])
    typed(desk, "lines x")
    assert "no number of lines" in said[-1]


def test_a_chapter_is_restated() -> None:
    desk, said = quiet_desk()
    typed(desk, "why 14")
    assert len(said) >= 8
    assert said[0].startswith("14.1")


def test_every_command_is_explained() -> None:
    desk, said = quiet_desk()
    typed(desk, "help")
    shown = "\n".join(said)
    assert all(f"  {name} " in shown for name in VERBS)
    for name in VERBS:
        said.clear()
        typed(desk, f"help {name}")
        assert any(sentence.startswith("usage: ") for sentence in said)
        assert said[-1].endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_what_lists_only_what_is_understood(name: str) -> None:
    """Everything that `what` shows with its own figures is carried out when it is typed."""
    desk, said = quiet_desk(name, asks=False)
    typed(desk, *OPEN, "", "p1 bets 20 on 1", "p2 bets 20 on 2", "", "8h8cAc8d8s", "what")
    shown = [line.split("  ")[1].strip() for line in said[-6:] if line.startswith("  ")]
    assert shown
    for line in (line for line in shown if not line.startswith(("Kh", "Enter"))):
        said.clear()
        typed(desk, line)
        assert "is not understood" not in said[-1]


# Completion


def test_lines_are_completed_from_the_table() -> None:
    desk, _ = quiet_desk()
    typed(desk, *OPEN, "", "p1 bets 10 on 1", "p2 bets 50 on 2", "", "Th9h9c6d8d", "ss", "5d5c", "", "", "")

    def found(line: str) -> list[str]:
        return completions(desk.state, desk.book, desk.bids.last, line)

    assert found("p1 b")[0] == "p1 bets 10 on 1"
    assert found("2")[0] == "2 50"
    assert found("sa") == ["same"]
    assert "give-notice of=limits" in found("give-notice o")
    assert found("exclude player=p")[0] == "exclude player=p1"
    assert found("as s") == ["as supervisor "]
    assert "why 12.1" in " ".join(found("why 12"))
    assert common_start(["p1 bets ", "p1 sits "]) == "p1 "


# Dealers who type anything


def anything(chance: random.Random) -> str:
    """A line that a dealer may type, in earnest or by mistake."""
    card = chance.choice("A23456789TJQK") + chance.choice("shdc")
    box, name = chance.randint(0, 8), f"p{chance.randint(1, 4)}"
    lines = (
        *("", "", "", card, card, card * 2, card + "s", "s", "ss", "h", "d", "p", "n", "r", "f", "y", "y"),
        *("same", f"{box} 25", "25 25 - 10", f"{name} bets 10 on {box}", f"{name} sits {box}", "100", "60"),
        *(f"{box} h", f"{box} i", f"{box} e", f"{box} r", f"{name} returns", f"{box} {name} absent", "cut"),
        *(f"error {card}", f"burnt {card}", f"{card} on {box}", f"{card}^", f"overdraw {card}", "undo", "?"),
        *("void-round round=1", "invalidate cause=x", f"exclude player={name}", "rule dispute=1 award=5"),
        *("open-dispute by=p1 about=x", "what", "lines", "why", "table", "help split", "as supervisor s1"),
        *(
            "60 30",
            "1 25 pp=5",
            "-",
            "- -",
            "1 i 999999",
            "1.9 h",
            "'",
            "\x1b[2J",
            "as",
            chance.choice([*VERBS]),
        ),
    )
    return chance.choice(lines)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_typed_leaves_a_record_that_replays(name: str, seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    log = tmp_path / "table.log"
    desk, _ = quiet_desk(name, log=log, asks=seed != 2)
    typed(desk, "p1 sits 1", "p2 sits 2", *OPEN)
    for _ in range(400):
        typed(desk, anything(chance))
    desk.conductor.close()
    assert replay(read_log(log)).state == desk.state


# Keys


def test_a_full_round_takes_few_keys() -> None:
    desk, _ = quiet_desk()
    typed(desk, *OPEN, "", *FULL, "", CARDS)
    assert desk.state.stage == "playing"
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(ROOT / "bench" / "keys.py"), run_name="__main__")
    assert left.value.code == 0


def test_a_strike_that_cannot_be_is_not_asked_about() -> None:
    desk, said = quiet_desk()
    typed(desk, "", "strike 19 why=it was a six")
    assert "19 is none of them" in said[-1]
    typed(desk, "strike 2")
    assert "a strike says why" in said[-1]
    typed(desk, "strike 2 why=they were not")
    assert desk.question == "Strike the record from line 2 to 2?"
    typed(desk, "y")
    assert desk.state.stage == "opening"
