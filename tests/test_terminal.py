"""`croupier play` through a real terminal: rounds under every rulebook, every prompt, every way out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pexpect
import pyte
import pytest

from croupier.cli.screen import Screen
from croupier.conductor import Conductor
from croupier.house import players
from croupier.house.shoes import ScriptedShoe, VirtualShoe
from croupier.house.tables import new_table
from croupier.record import read_log
from croupier.rulebook import NAMES, load
from croupier.rulebook.about import meanings
from croupier.rulebook.study import study
from croupier.table import commands as cmd
from croupier.table.actors import player
from croupier.table.conduct import due
from croupier.table.state import decider, turn

CROUPIER = (sys.executable, "-m", "croupier")
PROMPT = r"\r\n> "
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PATIENCE = 20
ACT = load("act-blackjack-2003")
OURS = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in OURS} | {
    "TERM": "xterm-256color"
}


class Terminal:
    """A `croupier play` at the other end of a pseudo-terminal."""

    def __init__(self, *args: str | Path, columns: int = 80, **env: str) -> None:
        self.seen = ""
        self.process = pexpect.spawn(
            CROUPIER[0],
            [*CROUPIER[1:], "play", "--plain", "--no-save", *map(str, args)],
            env={**ENVIRONMENT, **env},
            dimensions=(50, columns),
            encoding="utf-8",
            timeout=PATIENCE,
        )

    def prompt(self) -> str:
        """What is shown up to the next prompt."""
        self.process.expect(PROMPT)
        self.seen += (shown := self.process.before + "\r\n> ")
        return COLOUR.sub("", shown)

    def answer(self, line: str) -> str:
        """Type a line and read up to the next prompt."""
        self.process.sendline(line)
        return self.prompt()

    def leave(self, way: str = "q") -> str:
        """Leave by q, Ctrl-C or Ctrl-D; what is shown, the status being 0."""
        if way == "q":
            self.process.sendline("q")
        else:
            self.process.sendcontrol(way)
        return self.end()

    def end(self) -> str:
        self.process.expect(pexpect.EOF)
        self.process.close()
        self.seen += self.process.before
        assert self.process.exitstatus == 0, self.seen
        assert "Traceback" not in self.seen
        return COLOUR.sub("", self.process.before)


def simple_answer(shown: str) -> str:
    """What somebody without ambition answers: the least bet, stand where possible, no to the rest."""
    question = shown.splitlines()[-2] if len(shown.splitlines()) > 1 else shown
    if "Your bet?" in question:
        return "10"
    if "s stand" in question:
        return "s"
    return "h" if "h hit" in question else "n"


def rounds(terminal: Terminal, count: int) -> str:
    """Play on until so many rounds are over."""
    shown = terminal.prompt()
    while f"Round {count}: " not in shown:
        shown = terminal.answer(simple_answer(shown))
    return shown


def replayed(log: Path) -> dict[str, object]:
    """What `croupier replay` makes of a log."""
    done = subprocess.run([*CROUPIER, "replay", "--json", log], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report: dict[str, object] = json.loads(done.stdout)
    return report


def until_asked(path: Path, rulebook: str, cards: str, boxes: tuple[int, ...] = (1,)) -> Path:
    """The log of a table on which p1 has bet 10 a box and been dealt these cards."""
    book = load(rulebook)
    burns = ["2c"] * book.rules.burn_cards
    host = new_table(book, book.demonstration, cards=ScriptedShoe([*burns, *cards.split()]), log=path)
    host.carry_on()
    for box in boxes:
        host.give(cmd.Sit(box=box), player("p1"))
    host.give(cmd.OpenBetting())
    for box in boxes:
        host.give(cmd.Wager(box=box, stake=1000), player("p1"))
    host.give(cmd.AnnounceNoMoreBets())
    host.carry_on()
    host.close()
    return path


def until_cut(path: Path) -> Path:
    """The log of a table that offers p1 the cut."""
    host = new_table(ACT, ACT.demonstration, cards=VirtualShoe(1), log=path)
    host.give(cmd.Sit(box=1), player("p1"))
    for command in (cmd.CheckCards(), cmd.Shuffle(), cmd.OfferCut()):
        host.give(command)
    host.close()
    return path


# Every prompt, how to get there, and how it looks. (An ace as the dealer's card opens the offers.)
PROMPTS: dict[str, tuple[Callable[[Path], Path], tuple[str, ...], str]] = {
    "bet": (lambda path: _between_rounds(path), (), "Your bet?"),
    "decision": (lambda path: until_asked(path, "act-blackjack-2003", "Th 9c 6d"), (), "h hit"),
    "offer": (lambda path: until_asked(path, "act-blackjack-2003", "Th Ac 6d"), (), "i insure"),
    "insurance": (
        lambda path: until_asked(path, "act-blackjack-2003", "Th Ac 6d"),
        ("i",),
        "Insure for how much",
    ),
    "even money": (lambda path: until_asked(path, "act-blackjack-2003", "Th Ac Ad"), (), "e even money"),
    "surrender": (lambda path: until_asked(path, "act-pontoon-2002", "9h Kc 7d"), (), "r surrender"),
    "double": (lambda path: until_asked(path, "act-pontoon-2002", "5h 9c 6d"), ("d",), "Double by how much"),
    "forfeit": (lambda path: until_asked(path, "act-pontoon-2002", "2h 9c 3d"), ("d", ""), "f forfeit"),
    "cut": (until_cut, (), "The cut is yours"),
}


def _between_rounds(path: Path) -> Path:
    host = new_table(ACT, ACT.demonstration, cards=VirtualShoe(1), log=path)
    host.carry_on()
    host.give(cmd.Sit(box=1), player("p1"))
    host.close()
    return path


def at_prompt(name: str, path: Path) -> tuple[Terminal, str]:
    """A terminal that stands at the named prompt, and what it shows there."""
    prepare, answers, words = PROMPTS[name]
    terminal = Terminal("--resume", prepare(path), "--seed", "1")
    shown = terminal.prompt()
    for line in answers:
        shown = terminal.answer(line)
    assert words in shown
    return terminal, shown


# Whole rounds


@pytest.mark.parametrize("rulebook", NAMES)
def test_rounds_of_every_rulebook_are_played_logged_and_replayed(rulebook: str, tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    terminal = Terminal(rulebook, "--seed", "11", "--log", log)
    rounds(terminal, 5)
    shown = terminal.leave()
    report = replayed(log)
    nets = report["net"]
    assert report["rounds"] in (5, 6)
    assert isinstance(nets, dict)
    assert f"{500 + nets['p1']:,.2f}".removesuffix(".00") in shown


@pytest.mark.parametrize("rulebook", NAMES)
def test_others_fill_the_table_and_are_never_refused(rulebook: str, tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    terminal = Terminal(rulebook, "--seed", "4", "--others", "6", "--log", log)
    shown = rounds(terminal, 4)
    terminal.leave()
    assert all(f"p{number} " in shown for number in range(2, 8))
    refused = [entry for entry in read_log(log).entries if entry.refused]
    assert [entry for entry in refused if getattr(entry.command, "player", "p1") != "p1"] == []


@pytest.mark.parametrize("rulebook", NAMES)
def test_simple_players_get_through_shoes_without_a_refusal(rulebook: str) -> None:
    host = _crowd(rulebook)
    while host.state.round < 60:
        _crowd_step(host)
    assert host.state.shoe.number > 1


def _crowd(rulebook: str) -> Conductor:
    host = new_table(load(rulebook), load(rulebook).demonstration, cards=VirtualShoe(2))
    for box in range(1, 8):
        host.give(cmd.Sit(box=box), player(f"p{box}"))
    return host


def _crowd_step(host: Conductor) -> None:
    """One step of a table at which only simple players sit; every command must be granted."""
    host.carry_on()
    wanted = due(host.state)
    if wanted == "between rounds":
        host.give(cmd.OpenBetting())
    elif wanted == "cut":
        host.give(cmd.DeclineCut(), player(host.state.shoe.offer))
    elif wanted == "betting":
        for box in range(1, 8):
            wager = players.opening_wager(host.state, f"p{box}", box)
            assert wager is not None
            host.give(*wager)
        host.give(cmd.AnnounceNoMoreBets())
    elif wanted == "offers":
        host.give(cmd.CloseOffers())
    else:
        place = turn(host.state)
        assert place is not None
        assert decider(host.state, host.state.box(place[0]))
        host.give(*players.decision(host.state))


def test_the_settlement_cites_and_restates_its_clause(tmp_path: Path) -> None:
    log = until_asked(tmp_path / "table.log", "act-blackjack-2003", "Th 9c Kd")
    terminal = Terminal("--resume", log, "--seed", "3")
    terminal.prompt()
    shown = terminal.answer("s")
    assert re.search(r"box 1  [-+]?\$\d+ on \$10  \[13\.1\(", shown)
    assert re.search(r"13\.1\(\w\): [A-Z]", shown)
    assert re.search(r"Round 1: [-+]?\$\d+\. You have \$\d+\.", shown)
    terminal.leave()


def test_uk_gives_two_boxes_unless_others_play() -> None:
    terminal = Terminal("uk-blackjack-1994", "--seed", "1")
    assert "box 1" in terminal.prompt()
    assert "box 2" in terminal.answer("5")
    terminal.leave()
    terminal = Terminal("uk-blackjack-1994", "--seed", "1", "--others", "1")
    terminal.prompt()
    assert "box 2 p2" in terminal.answer("5")
    terminal.leave()


# Leaving


@pytest.mark.parametrize("way", ["q", "c", "d"])
@pytest.mark.parametrize("name", PROMPTS)
def test_leaving_at_any_prompt_is_clean_and_loses_nothing(name: str, way: str, tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    terminal, _ = at_prompt(name, log)
    stage = replayed(log)["stage"]
    shown = terminal.leave(way)
    assert "You leave with" in shown
    if name not in ("bet", "cut"):
        assert "stays on the table as it lies" in shown
    assert replayed(log)["stage"] == stage


@pytest.mark.parametrize("name", [name for name in PROMPTS if name not in ("bet", "cut")])
def test_a_round_that_was_left_can_be_resumed_and_finished(name: str, tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    terminal, _ = at_prompt(name, log)
    terminal.leave("d")
    terminal = Terminal("--resume", log, "--seed", "2")
    rounds(terminal, 1)
    terminal.leave()
    report = replayed(log)
    assert isinstance(report["net"], dict)
    assert "p1" in report["net"]


def test_who_goes_on_is_told_when_the_cards_were_shuffled_afresh(tmp_path: Path) -> None:
    log = _between_rounds(tmp_path / "table.log")
    terminal = Terminal("--resume", log)
    shown = terminal.prompt()
    assert "The log goes on where it ended." in shown
    terminal.leave()
    (tmp_path / "table.log.shoe").unlink()
    terminal = Terminal("--resume", log)
    shown = " ".join(terminal.prompt().split())
    assert "the cards not yet seen are shuffled afresh" in shown
    terminal.leave()


def test_resume_remembers_purse_and_bet(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    terminal = Terminal("--seed", "5", "--log", log, "--chips", "300")
    rounds(terminal, 2)
    left = terminal.leave()
    purse = re.search(r"You leave with (\$[\d,.]+) ", left)
    assert purse is not None
    terminal = Terminal("--resume", log)
    shown = terminal.prompt()
    assert f"you have {purse[1]}." in shown
    assert "Enter: $10 again" in shown
    terminal.leave()


def test_end_of_piped_input_is_a_clean_exit(tmp_path: Path) -> None:
    done = subprocess.run(
        [*CROUPIER, "play", "--seed", "1"], input="10\n", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert "no log was kept" in done.stdout
    assert "\x1b[" not in done.stdout


# Answers


BAD = {
    "bet": ("x", "-5", "1e9", "7", "10 zz=5", "10 pp=5", "501", "1000000", "10 10", "", "💰", "'", "9" * 300),
    "decision": ("x", "", "10", "hs", "💰", "p", "w nonsense"),
    "offer": ("x", "", "10", "s"),
    "insurance": ("x", "-1", "1", "99", "1e99999999"),
    "even money": ("x", "h"),
    "surrender": ("x", "h"),
    "double": ("x", "-1", "99", "5000"),
    "forfeit": ("x", "h"),
    "cut": ("x", "-1", "1", "300", "9" * 300),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence_and_the_question_again(name: str, tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    terminal, _ = at_prompt(name, log)
    for line in BAD[name]:
        shown = terminal.answer(line)
        assert "Traceback" not in shown
        assert not re.search(r"Round \d+: ", shown)
        if name in ("insurance", "double") and PROMPTS[name][2] not in shown and "amount" not in shown:
            terminal.answer(PROMPTS[name][1][-1])  # refused by the rules: back at the menu
    terminal.leave()
    replayed(log)


def test_what_is_not_possible_is_explained_with_its_clause(tmp_path: Path) -> None:
    terminal, shown = at_prompt("decision", tmp_path / "table.log")
    assert "w why not split" in shown
    assert "Dict:Split]" in terminal.answer("w")
    assert "Dict:Split]" in terminal.answer("p")
    assert "another card" in terminal.answer("?")
    assert "9.1(a)" in terminal.answer("w 9.1(a)")
    terminal.leave()


def test_enter_repeats_the_last_bet_with_its_side_bets(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    terminal = Terminal("--seed", "6", "--side-bets", "--log", log)
    shown = terminal.prompt()
    assert "There is no bet to repeat yet" in terminal.answer("")
    shown = terminal.answer("20 pp=5 super-sevens")
    while "Your bet?" not in shown:
        shown = terminal.answer(simple_answer(shown))
    assert "Enter: $20 pp=$5 ss=$5 again" in shown
    terminal.answer("")
    terminal.leave()
    wagers = [entry.command for entry in read_log(log).entries if isinstance(entry.command, cmd.Wager)]
    assert [(wager.stake, wager.sides) for wager in wagers] == [
        (2000, {"perfect_pairs": 500, "super_sevens": 500})
    ] * 2


def test_a_bet_beyond_the_purse_is_refused_kindly_and_not_logged(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    terminal = Terminal("--seed", "6", "--chips", "30", "--log", log)
    terminal.prompt()
    assert "That takes $50, and you have $30 left." in terminal.answer("50")
    terminal.leave()
    assert not any(isinstance(entry.command, cmd.Wager) for entry in read_log(log).entries)


def test_a_double_beyond_the_purse_is_explained(tmp_path: Path) -> None:
    log = until_asked(tmp_path / "table.log", "act-blackjack-2003", "5h 9c 6d")
    terminal = Terminal("--resume", log, "--chips", "15")
    assert "w why not stand, double, split" in terminal.prompt()
    assert "That takes $10, and you have $5 left." in terminal.answer("d")
    terminal.leave()


def test_double_for_less_and_forfeit(tmp_path: Path) -> None:
    log = until_asked(tmp_path / "table.log", "act-pontoon-2002", "2h 9c 3d")
    terminal = Terminal("--resume", log, "--seed", "1")
    terminal.prompt()
    terminal.answer("d")
    assert "is not a multiple of 5" in terminal.answer("4")
    terminal.answer("d")
    assert "$10+5" in terminal.answer("5")
    shown = terminal.answer("f")
    assert re.search(r"box 1  −\$10 on \$15", shown)
    terminal.leave()


def test_insurance_in_full_and_in_part(tmp_path: Path) -> None:
    for answer, amount in (("", 500), ("2.50", 250)):
        log = tmp_path / f"{amount}.log"
        terminal, _ = at_prompt("insurance", log)
        terminal.answer(answer)
        terminal.leave()
        insured = [entry.command for entry in read_log(log).entries if isinstance(entry.command, cmd.Insure)]
        assert [command.amount for command in insured] == [amount]


def test_the_cut_is_made_at_random_at_a_place_or_declined(tmp_path: Path) -> None:
    for answer, kind in (("", cmd.Cut), ("100", cmd.Cut), ("n", cmd.DeclineCut)):
        log = tmp_path / f"cut{answer}.log"
        terminal, _ = at_prompt("cut", log)
        assert "Your bet?" in terminal.answer(answer)
        terminal.leave()
        assert any(isinstance(entry.command, kind) for entry in read_log(log).entries)


# Options


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--decks", "3"), "act-blackjack-2003 2.1"),
        (("--set", "nonsense=1"), "no such house setting"),
        (("--set", "decks"), "write name=value"),
        (("--box", "9"), "there is no box 9"),
        (("--others", "9"), "do not fit"),
        (("--chips", "0"), "bring something"),
        (("--resume", "nowhere.log"), "cannot be read"),
        (("--resume", "x.log", "--decks", "6"), "leave the rest out"),
        (("uk-blackjack-1994", "--boxes", "1"), "7(1)(a)"),
        (("nonsense",), "is no rulebook"),
    ],
)
def test_bad_options_are_one_sentence_and_status_2(args: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*CROUPIER, "play", *args], input="", capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_log_is_never_overwritten(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    log.write_text("precious")
    done = subprocess.run(
        [*CROUPIER, "play", "--log", log], input="", capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert log.read_text() == "precious"


def test_settings_reach_the_table() -> None:
    terminal = Terminal("--set", "multiple=2.5", "--set", "minimum=2.5", "--maximum", "50", "--decks", "8")
    assert "8 decks. Bets $2.50 to $50, in multiples of $2.50." in terminal.prompt()
    terminal.leave()


# The screen


@pytest.fixture
def crowded() -> pyte.Screen:
    """Eighty columns by fifty lines, with p1 and six others before the first decision."""
    screen = pyte.Screen(80, 50)
    terminal = Terminal("--seed", "21", "--others", "6", "--side-bets")
    terminal.prompt()
    shown = terminal.answer("10")
    pyte.Stream(screen).feed(terminal.seen)
    terminal.leave()
    assert "▶box 1" in shown or "before play" in shown
    return screen


def test_the_title_limits_and_keys_come_first(crowded: pyte.Screen) -> None:
    assert crowded.display[0].startswith("ACT Blackjack, 2003")
    assert crowded.display[1].startswith("6 decks. Bets $10 to $500, in multiples of $5.")
    keys = next(line for line in crowded.display if "q quit" in line)
    assert "h hit" in keys


def test_a_full_table_fits_eighty_columns(crowded: pyte.Screen) -> None:
    titles = next(line for line in crowded.display if "box 1 you" in line)
    top = crowded.display[crowded.display.index(titles) + 1]
    assert [f"box {number}" in titles for number in range(1, 8)] == [True] * 7
    assert top.count("╭────╮") == 7
    assert crowded.display[crowded.display.index(titles) + 4].count("╰────╯") == 7


def test_red_suits_are_red_unless_no_color_is_set(tmp_path: Path) -> None:
    one, two = (
        until_asked(tmp_path / f"{name}.log", "act-blackjack-2003", "Th 9c 6d") for name in ("one", "two")
    )
    coloured, plain = Terminal("--resume", one), Terminal("--resume", two, NO_COLOR="1")
    for terminal in (coloured, plain):
        terminal.prompt()
        terminal.leave()
    assert re.search(r"\x1b\[1;31m +♦", coloured.seen)
    assert not re.search(r"\x1b\[[0-9;]*3\dm", plain.seen)


def test_a_narrow_terminal_wraps_boxes_instead_of_breaking_them() -> None:
    terminal = Terminal("--seed", "21", "--others", "6", columns=40)
    terminal.prompt()
    shown = terminal.answer("10")
    terminal.leave()
    art = [line for line in shown.split("\r\n") if "╭──" in line or "╰──" in line]
    assert all(len(line.rstrip()) <= 40 for line in art)
    assert sum(line.count("╭────╮") for line in art) == sum(line.count("╰────╯") for line in art) >= 8


def test_a_terminal_without_utf8_gets_letters() -> None:
    done = subprocess.run(
        [*CROUPIER, "play", "--seed", "1"],
        input="10\nq\n",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0
    assert "+--+----+" in done.stdout
    assert done.stderr == ""


# Help is made from the rules


def test_help_tells_the_share_that_the_rulebook_has(tmp_path: Path) -> None:
    ours = resources.files("croupier") / "rulebooks" / "act-pontoon-2002.toml"
    file = tmp_path / "quarter.toml"
    text = ours.read_text("utf-8").replace('surrender_share = "1/2"', 'surrender_share = "1/4"')
    file.write_text(text, "utf-8")
    terminal = Terminal("--resume", until_asked(tmp_path / "table.log", str(file), "9h Kc 7d"))
    terminal.prompt()
    assert "give up a quarter of the bet and the hand" in " ".join(terminal.answer("?").split())
    terminal.leave()


@pytest.mark.parametrize(
    ("settings", "key", "meaning"),
    [
        ([], "r", "give up half the bet and the hand"),
        (["surrender_share=2/5"], "r", "give up 2/5 of the bet and the hand"),
        ([], "e", "your Blackjack is paid 1 to 1 now, whatever the dealer draws"),
        (["even_money_pays=6/5"], "e", "your Blackjack is paid 6 to 5 now, whatever the dealer draws"),
        ([], "i", "a side wager that the dealer gets a Blackjack; it pays 2 to 1"),
        (["insurance_pays=3"], "i", "a side wager that the dealer gets a Blackjack; it pays 3 to 1"),
    ],
)
def test_every_key_means_what_the_rules_say(settings: list[str], key: str, meaning: str) -> None:
    assert meanings(study(ACT, settings).rules, ACT)[key] == meaning


@pytest.mark.parametrize("name", NAMES)
def test_help_names_a_clause_that_there_is(name: str) -> None:
    book = load(name)
    named = Screen(book).any_clause()
    assert any(clause.is_named(named) for clause in book.clauses)
