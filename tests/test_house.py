"""A house is a file of its own: written, filled in, read, held to the law, and named at its table."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pexpect
import pytest

from croupier.errors import ParseError, RulebookError
from croupier.house.rounds import case_of, to_toml
from croupier.house.shoes import ScriptedShoe
from croupier.house.tables import new_table
from croupier.record import read_log, replay
from croupier.rulebook import NAMES, Rulebook, load
from croupier.rulebook.choose import offers
from croupier.rulebook.demonstration import MADE_UP, NAME, TERMS, derived
from croupier.rulebook.hours import is_within, minutes
from croupier.rulebook.house import House
from croupier.rulebook.housefile import read_house_file, write_house_file
from croupier.rulebook.toml import written as as_toml
from croupier.table import commands as cmd
from croupier.table.actors import player

CROUPIER = (sys.executable, "-m", "croupier")
EXAMPLES = Path(__file__).parent.parent / "docs" / "examples"
HARBOUR = str(EXAMPLES / "harbour-21.toml")
CLUB = EXAMPLES / "harbour-house.toml"
BOOKS = [*NAMES, HARBOUR]


def croupier(*words: object, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [*CROUPIER, *map(str, words)]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False)


def written(folder: Path, book: Rulebook, **changes: Any) -> Path:
    """The demonstration house as a file, with some settings changed; None takes one out."""
    settings = {name: value for name, value in (book.demonstration | changes).items() if value is not None}
    file = folder / "house.toml"
    file.write_text(write_house_file(book, settings), "utf-8")
    return file


def filled(text: str, book: Rulebook) -> str:
    """A file as it was written to be filled in, with the demonstration's values for what is empty."""
    given = book.demonstration | book.demonstration["approvals"]
    lines = []
    for line in text.splitlines():
        name, equals, value = line.partition(" = ")
        if equals and not line.startswith("#") and '""' in value:
            line = f"{name} = {as_toml(given[name])}"
        lines.append(line)
    return "\n".join(lines)


# Files written and read back


@pytest.mark.parametrize("name", BOOKS)
def test_a_written_house_is_refused_until_it_is_filled_in(name: str, tmp_path: Path) -> None:
    book = load(name)
    file = tmp_path / "house.toml"
    assert croupier("rules", "house", name, "--out", file).returncode == 0
    text = file.read_text("utf-8")
    with pytest.raises(RulebookError, match="name is missing"):
        book.rules_for(read_house_file(file, book), file=str(file))
    file.write_text(filled(text, book), "utf-8")
    settings = read_house_file(file, book)
    assert book.rules_for(settings, file=str(file)).house.name == NAME
    for setting in ("operator", "decks", "minimum", "maximum", "multiple", "smallest_chip"):
        assert settings[setting] == book.demonstration[setting]


@pytest.mark.parametrize("name", BOOKS)
def test_the_demonstration_house_is_a_file_like_any_other(name: str, tmp_path: Path) -> None:
    book = load(name)
    printed = croupier("rules", "house", name, "--demonstration")
    assert printed.returncode == 0
    file = tmp_path / "house.toml"
    file.write_text(printed.stdout, "utf-8")
    assert read_house_file(file, book) == book.demonstration
    assert book.rules_for(book.demonstration) == book.choose()


@pytest.mark.parametrize("name", BOOKS)
def test_all_that_need_not_be_stated_may_be(name: str, tmp_path: Path) -> None:
    """Uncommented, every line of a file is TOML that its rulebook takes."""
    book = load(name)
    settings = book.demonstration | {
        bet.offered_as: TERMS[bet.stake] for bet in book.rules.side_bets.values()
    }
    lines = write_house_file(book, settings).splitlines()
    uncommented = [line[2:] if line.startswith("# ") and " = " in line else line for line in lines]
    file = tmp_path / "house.toml"
    file.write_text("\n".join(uncommented), "utf-8")
    stated = read_house_file(file, book)
    rules = book.rules_for(stated)
    assert set(book.options()) <= set(stated)
    assert set(rules.house.side_bets) == offers(book.rules)
    assert {name for name in House.__struct_fields__ if name not in stated} <= {"side_bets"}


@pytest.mark.parametrize("name", BOOKS)
def test_every_setting_comes_with_its_clause(name: str) -> None:
    text = write_house_file(load(name), {})
    for line, after in zip(text.splitlines(), text.splitlines()[1:], strict=False):
        if " = " in after and not line.startswith("#   ") and "rulebook" not in after:
            assert line.startswith(("# ", "[")), after
    assert "decks" in tomllib.loads(text)


def test_a_house_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("precious")
    done = croupier("rules", "house", "uk-blackjack-1994", "--out", file)
    assert done.returncode == 2
    assert "house.toml: exists; --force writes over it" in done.stderr
    assert file.read_text() == "precious"


# The demonstration house


@pytest.mark.parametrize("name", BOOKS)
def test_a_demonstration_says_what_it_is(name: str) -> None:
    house = load(name).choose().house
    assert house.name == NAME
    assert all(approval.ref.startswith(MADE_UP) for approval in house.approvals.values())
    assert not house.licence or house.licence.startswith(MADE_UP)


@pytest.mark.parametrize("name", NAMES)
def test_a_house_derived_from_the_rules_keeps_them(name: str) -> None:
    book = load(name)
    rules = book.rules_for(derived(book.rules))
    assert (rules.house.minimum, rules.house.maximum) == (House().minimum, House().maximum)


def test_a_derived_house_pays_odd_odds_in_whole_cents(tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(Path(HARBOUR).read_text().replace('"5 to 4"', '"22 to 7"'))
    assert load(str(file)).choose().house.multiple % 7 == 0


def test_a_rulebook_has_no_house(tmp_path: Path) -> None:
    file = tmp_path / "old.toml"
    file.write_text(Path(HARBOUR).read_text().replace("[words]", "[house]\ndecks = 2\n\n[words]"))
    with pytest.raises(RulebookError, match=r"old.toml: has a \[house\]; a house is a file of its own"):
        load(str(file))


def test_only_what_is_given_counts() -> None:
    book = load("act-blackjack-2003")
    for name in ("name", "operator", "decks", "minimum", "maximum", "multiple", "smallest_chip"):
        settings = {given: value for given, value in book.demonstration.items() if given != name}
        with pytest.raises(RulebookError, match=f"{name} is missing"):
            book.rules_for(settings)
    with pytest.raises(RulebookError, match="no approval of the shoe") as refused:
        book.rules_for({name: value for name, value in book.demonstration.items() if name != "approvals"})
    assert refused.value.clauses == ("act-blackjack-2003 Dict:Shoe",)


# What is refused, by file and clause

BLACKJACK, UK, PONTOON = "act-blackjack-2003", "uk-blackjack-1994", "act-pontoon-2002"
SIGNED = {"ref": "L-1", "officer": "AO-1"}


@pytest.mark.parametrize(
    ("name", "changes", "says"),
    [
        (BLACKJACK, {"decks": 3}, "decks = 3 is not permitted; allowed: 4, 5, 6, 7, 8 [{} 2.1]"),
        (BLACKJACK, {"decks": None}, "decks is missing, and a house must state its own [{} 2.1]"),
        (BLACKJACK, {"decks": "six"}, "decks = 'six': Expected `int`, got `str` [{} 2.1]"),
        (BLACKJACK, {"minimum": "ten"}, "minimum = 'ten': 'ten' is not an amount"),
        (BLACKJACK, {"minimum": 7}, "minimum 7 is no multiple of 5 [{} 3.3]"),
        (BLACKJACK, {"operator": ""}, "operator is missing, and a house must state its own [{} Dict:Casino"),
        (
            BLACKJACK,
            {"hours": "25:00-06:00"},
            "hours: '25:00' is no time of day: write 9:30 or 21:00 [{} 15.1]",
        ),
        (BLACKJACK, {"hours": "noon"}, "hours: 'noon' is no span: write 12:00-06:00 [{} 15.1]"),
        (
            BLACKJACK,
            {"approvals": {"shoe": "S-1"}},
            "no approval of the layout is on record; set approvals.layout",
        ),
        (
            BLACKJACK,
            {"approvals": {"shoe": "S-1", "layout": {"ref": "L-1", "written": False}}},
            "the approval L-1 of the layout was not given in writing [{} Dict:Approved]",
        ),
        (
            BLACKJACK,
            {"perfect_pairs": {"minimum": 2, "maximum": 50}, "approvals": {"shoe": "S-1", "layout": "L-1"}},
            "no approval of the perfect_pairs is on record; set approvals.perfect_pairs [{} 18.2]",
        ),
        (BLACKJACK, {"perfect_pairs": {"minimum": "x"}}, "perfect_pairs.minimum = 'x': 'x' is not an amount"),
        (
            BLACKJACK,
            {"double_cards": "one"},
            "double_cards = one is not permitted; allowed: two, any [{} 11.1]",
        ),
        (
            PONTOON,
            {"approvals": {"shoe": SIGNED, "layout": "L-1"}},
            "the approval L-1 of the layout names no authorised officer [{} Dict:Approved]",
        ),
        (PONTOON, {"hours": "6:00-06:00"}, "hours: '6:00-06:00' begins and ends at the same time [{} 16.1]"),
        (UK, {"licence": None}, "licence is missing, and a house must state its own [{} 7(2)]"),
        (UK, {"bank_holder": "p1"}, "bank_holder = 'p1'; it must be licence holder or employee of the"),
        (
            UK,
            {"bank_shares": {"licence holder": 99, "p1": 1}},
            "bank_shares: licence holder 99, p1 1; the whole",
        ),
        (UK, {"over_under_13": True, "approvals": {}}, "no approval of the over_under_13 is on record"),
        (UK, {"smallest_chip": 20}, "insurance in steps of 10 rules out insuring the minimum of 5"),
    ],
)
def test_a_choice_outside_the_law(name: str, changes: dict[str, Any], says: str, tmp_path: Path) -> None:
    book = load(name)
    file = written(tmp_path, book, **changes)
    with pytest.raises(RulebookError) as refused:
        book.rules_for(read_house_file(file, book), file=str(file))
    sentence = str(refused.value)
    assert sentence.startswith(f"{file}: {says.format(name)}")
    assert refused.value.clauses
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", 'names no rulebook; write rulebook = "act-blackjack-2003"'),
        ("[", "is not TOML"),
        (
            'rulebook = "uk-blackjack-1994"',
            "is a house under 'uk-blackjack-1994', not under 'act-blackjack-2003'",
        ),
        ("rulebook = 3", "is a house under 3, not under"),
        ("minimun = 10", "no such house setting: 'minimun'; perhaps minimum"),
        ("colour = 'red'", "no such house setting: 'colour'; there are approvals, approved_shuffles"),
        ('"a\\nb" = 1', r"no such house setting: 'a\nb'; there are"),
        ("house = 1", "no such house setting: 'house'"),
        (
            "soft_17 = 'hit'",
            "soft_17 is not the house's to choose in act-blackjack-2003 [act-blackjack-2003 12.1",
        ),
        ("boxes = true", "boxes = True: Expected `int`, got `bool`"),
        ("withhold = 'split'", "withhold = 'split': Expected `array`, got `str`"),
        ("perfect_pairs = 5", "perfect_pairs = 5: write true, false, or a table of its terms"),
        ("perfect_pairs.least = 5", "perfect_pairs = {'least': 500}: Object contains unknown field `least`"),
        ("approvals = 'all'", "approvals = 'all': write a table of them"),
        (
            "approvals.layout = 5",
            "approvals.layout = 5: Expected `object`, got `int` [act-blackjack-2003 1.1]",
        ),
        ("approvals.lay_out = 'L-1'", "approvals.lay_out is not asked for; the rules ask for: "),
        ("bank_shares = {p1 = 'half'}", "bank_shares = {'p1': 'half'}: Expected `int`, got `str`"),
    ],
)
def test_what_is_no_house_at_all(text: str, says: str, tmp_path: Path) -> None:
    """The rest of the file is in order, unless it is about the rulebook."""
    file = tmp_path / "house.toml"
    rest = 'rulebook = "act-blackjack-2003"\n' + "\n".join(
        f"{name} = {json.dumps(value)}"
        for name, value in load(BLACKJACK).demonstration.items()
        if name != "approvals"
    )
    file.write_text(text if text in ("", "[") or "rulebook" in text else f"{rest}\n{text}\n", "utf-8")
    done = croupier("play", "--house", file)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"croupier: {file}: {says}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("content", "says"), [(None, "No such file"), (b"\xff", "it is not UTF-8 text")])
def test_what_cannot_be_read(content: bytes | None, says: str, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(RulebookError, match=f"house.toml: cannot be read: {says}"):
        read_house_file(file, load(BLACKJACK))
    with pytest.raises(RulebookError, match="cannot be read"):
        read_house_file(tmp_path, load(BLACKJACK))


# Hours


@pytest.mark.parametrize(
    "text", ["", "99:99", "24:00", "12:60", "noon", "9.30", "1230", "-1:00", "\uff19:30", " 9:30"]
)
def test_what_is_no_time_of_day(text: str) -> None:
    with pytest.raises(ParseError):
        minutes(text)


def test_hours_are_compared_by_time() -> None:
    assert minutes("9:30") == minutes("09:30") == 570
    assert is_within("9:30-18:00", "10:00")
    assert not is_within("9:30-18:00", "9:29")
    assert is_within("18:00-6:00", "5:59")
    assert not is_within("18:00-6:00", "06:00")


# At the table


def test_a_house_of_ones_own_is_named_at_its_table(tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    done = croupier("deal", HARBOUR, "--house", CLUB, "--log", log, typed="quit\n")
    assert "Harbour Club." in done.stdout
    assert "Demonstration" not in done.stdout
    header = read_log(log).header
    assert header.opened.house == "Harbour Club"
    assert header.settings == read_house_file(CLUB, load(HARBOUR))
    assert replay(read_log(log)).log.rules.double_after_split is False


@pytest.mark.parametrize("command", ["play", "deal"])
def test_without_a_house_it_is_said_to_be_the_demonstration(command: str) -> None:
    done = croupier(command, typed="q\n")
    assert done.returncode == 0
    assert f"{NAME}, which nobody has approved; --house FILE names your own." in done.stdout
    assert "Whose table" not in done.stdout


@pytest.mark.parametrize("command", ["play", "deal"])
def test_flags_come_on_top_and_are_held_to_the_law(command: str, tmp_path: Path) -> None:
    file = written(tmp_path, load(BLACKJACK), perfect_pairs={"minimum": 5, "maximum": 25})
    log = tmp_path / "table.log"
    flags = ("--house", file, "--decks", 8, "--side-bets", "--set", "approvals.layout=L-7")
    assert croupier(command, *flags, "--log", log, typed="q\n").returncode == 0
    settings = read_log(log).header.settings
    assert settings["decks"] == 8
    assert settings["perfect_pairs"] == {"minimum": 5, "maximum": 25}
    assert settings["super_sevens"] == TERMS["approved_amount"]
    assert settings["approvals"] == load(BLACKJACK).demonstration["approvals"] | {"layout": "L-7"}
    for flag in ("decks=3", "approvals.layout=", "minimum=7"):
        done = croupier(command, "--house", file, "--set", flag)
        assert done.returncode == 2
        assert done.stderr.startswith(f"croupier: {file}: ")
        assert "[act-blackjack-2003 " in done.stderr


def test_the_demonstration_is_not_changed_by_what_comes_on_top() -> None:
    from croupier.house.settings import settings_of

    book = load(PONTOON)
    before = json.dumps(book.demonstration)
    settings_of(book, None, ["approvals.layout.ref=L-9"])
    assert json.dumps(book.demonstration) == before


def test_a_terminal_asks_whose_table_it_is(tmp_path: Path) -> None:
    process = pexpect.spawn(
        CROUPIER[0], [*CROUPIER[1:], "deal", HARBOUR], encoding="utf-8", timeout=20, dimensions=(30, 120)
    )
    process.expect("Whose table is it")
    process.sendline(str(tmp_path / "nowhere.toml"))
    process.expect("cannot be read")
    process.expect("Whose table is it")
    process.sendline(str(CLUB))
    process.expect("Harbour Club")
    process.sendline("quit")
    process.expect(pexpect.EOF)
    process.close()
    assert process.exitstatus == 0


@pytest.mark.parametrize("way", ["c", "d"])
def test_who_does_not_say_opens_no_table(way: str) -> None:
    process = pexpect.spawn(CROUPIER[0], [*CROUPIER[1:], "deal"], encoding="utf-8", timeout=20)
    process.expect("Whose table is it")
    process.expect("> ")
    process.sendcontrol(way)
    process.expect(pexpect.EOF)
    process.close()
    assert process.exitstatus == 0
    assert "Traceback" not in process.before


def test_a_round_of_a_house_is_a_case_that_says_where_it_differs(tmp_path: Path) -> None:
    book = load(UK)
    silent = [name for name in book.demonstration if name in book.options()]
    file = written(tmp_path, book, name="Club", **dict.fromkeys(silent))
    path = tmp_path / "table.log"
    shoe = ScriptedShoe(["Th", "9c", "8d", "Ts", "7c", "8h", "5c"])
    host = new_table(book, read_house_file(file, book), cards=shoe, log=path)
    host.carry_on()
    host.give(cmd.OpenBetting())
    for box in (1, 2):
        host.give(cmd.Wager(box=box, stake=1000), player("p1"))
    host.give(cmd.AnnounceNoMoreBets())
    host.carry_on()
    for box in (1, 2):
        host.give(cmd.Stand(box=box, hand=1), player("p1"))
    host.carry_on()
    host.close()
    case = case_of(read_log(path))
    assert case.table["name"] == "Club"
    assert {case.table[name] for name in silent} == {"none"}
    round_file = tmp_path / "round.toml"
    round_file.write_text(to_toml(case), "utf-8")
    assert croupier("check", round_file).stdout.splitlines()[-1] == "1 passed, 0 failed"


# Options


def test_options_show_the_choices_of_a_house() -> None:
    shown = " ".join(croupier("rules", "options", HARBOUR, "--house", CLUB).stdout.split())
    assert "name Harbour Club a name" in shown
    assert "lucky_queens minimum 1, maximum 20 off," in shown
    data = json.loads(croupier("rules", "options", HARBOUR, "--house", CLUB, "--json").stdout)
    (book,) = data["rulebooks"]
    assert {one["name"]: one["value"] for one in book["options"]} == {"double_after_split": False}
    assert {one["name"]: one["value"] for one in book["settings"]}["hours"] == "19:00-2:00"


def test_options_of_a_house_need_its_rulebook() -> None:
    done = croupier("rules", "options", "--house", CLUB)
    assert done.returncode == 2
    assert "name its rulebook" in done.stderr
