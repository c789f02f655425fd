"""`explain`: all that is on record, by round and between, with sums that count everything that moved."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.cli.explain import explain
from croupier.errors import DoesNotHold, ParseError
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import new_table
from croupier.record import read_log, replay
from croupier.report.evening import render
from croupier.report.timeline import Item, Timeline, timeline
from croupier.rulebook import NAMES, load
from croupier.table import commands as cmd
from croupier.table.actors import OPERATOR, player
from evenings import Evening
from test_golden_logs import FOLDER, GOLDEN, Line, event_of, sealed_anew
from test_record_file import croupier

EVENING = FOLDER / "0.1.0-format-3-act-blackjack-2003.log"
Show = Callable[..., tuple[int, str]]


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Show:
    """The exit status of `explain`, and what it printed."""

    def run(path: Path, **options: object) -> tuple[int, str]:
        status = explain(path, **options)  # type: ignore[arg-type]
        return status, capsys.readouterr().out

    return run


def forged(tmp_path: Path, change: Callable[[list[Line]], object], of: Path = EVENING) -> Path:
    path = tmp_path / "forged.log"
    path.write_bytes(b"".join(line + b"\n" for line in sealed_anew(of, change)))
    return path


def items(told: Timeline) -> list[Item]:
    return [item for chapter in told.chapters for item in chapter.items]


def kept(nets: dict[str, int]) -> dict[str, int]:
    return {player: net for player, net in nets.items() if net}


@pytest.fixture
def later_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.__version__", "9.9")


# Complete, and in order


@pytest.mark.usefixtures("later_release")
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_event_and_refusal_of_every_golden_log_is_told(path: Path) -> None:
    log = read_log(path)
    told = timeline(log)
    found = items(told)
    assert [item.line for item in found] == sorted(item.line for item in found)
    assert sum(item.kind == "event" for item in found) == sum(len(line.events) for line in log.lines)
    assert sum(item.kind == "refusal" for item in found) == replay(log).refusals
    assert kept(told.nets) == kept(replay(log).state.won)
    assert told.differences == ()


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_sums_of_the_chapters_are_the_sum_of_the_evening(path: Path) -> None:
    told = timeline(read_log(path))
    total: dict[str, int] = {}
    for chapter in told.chapters:
        for name, net in chapter.nets.items():
            total[name] = total.get(name, 0) + net
    assert total == told.nets


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_random_evenings_replay_and_explain(name: str, seed: int, tmp_path: Path) -> None:
    book, path = load(name), tmp_path / "table.log"
    table = new_table(book, book.demonstration, cards=VirtualShoe(seed), log=path)
    evening = Evening(table, seed, mishaps=0.05)
    evening.sit()
    while table.state.round < 12 and table.state.stage != "closed":
        evening.step()
    table.close()
    assert replay(read_log(path)).state == table.state
    told = timeline(read_log(path))
    assert kept(told.nets) == kept(table.state.won)
    assert render(told).count("<h2>") == len(told.chapters) + 1


def test_what_happens_between_rounds_is_told(show: Show) -> None:
    status, shown = show(EVENING)
    assert status == 0
    for words in (
        "208 cards are checked one by one",
        "208 cards are shuffled",
        "declines the cut",
        "is burnt",
        "p1 asks for the limits",
        "Notice of limits of $20 to $400 is given",
        "The limits are $20 to $400",
        "Dispute 1 by p1: a card",
        "Dispute 1 is decided: $10 to p1",
        "p5 sits at box 3",
    ):
        assert words in shown, words
    assert "refused" not in shown


def test_refusals_are_told_when_asked_for(show: Show) -> None:
    _, shown = show(EVENING, refusals=True)
    assert re.search(r"dealer: set limits refused: only the operator may do that \[", shown)
    assert shown.count(" refused: ") == replay(read_log(EVENING)).refusals


def test_a_voided_round_says_so_and_what_its_sum_is_now(show: Show) -> None:
    _, shown = show(EVENING, round=3)
    assert re.search(r"^Round 3 \(void since line \d+\)", shown)
    assert "Sum when the round ended: p1 −$80, p2 +$170, p3 −$70, p4 −$55" in shown
    assert re.search(r"Sum now, void since line \d+: p1 \$0, p2 \$0, p3 \$0, p4 \$0", shown)
    assert "Round 4" not in shown


def test_awards_count(show: Show) -> None:
    _, shown = show(EVENING)
    after = shown[shown.index("After round 8") :]
    assert "Sum: p1 +$15" in after


def test_an_invalidated_round_says_so(tmp_path: Path) -> None:
    book, path = load("act-blackjack-2003"), tmp_path / "table.log"
    table = new_table(book, book.demonstration, cards=VirtualShoe(3), log=path)
    evening = Evening(table, 3)
    evening.sit()
    while table.state.round < 3:
        evening.step()
    cause = sorted(table.state.rules.round_invalidation_causes)[0]
    table.give(cmd.Invalidate(cause=cause, round=1), OPERATOR)
    table.close()
    told = timeline(read_log(path))
    (first,) = (chapter for chapter in told.chapters if chapter.round == 1)
    assert first.fate == f"invalidated by line {len(read_log(path).lines) + 1}"
    assert any(first.ended.values())
    assert not any(first.nets.values())


def test_a_round_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(ParseError, match="has no round 99; it has 1 to 8"):
        explain(EVENING, round=99)


# As JSON and as a page


def test_json_is_one_object_a_line(show: Show) -> None:
    status, shown = show(EVENING, json=True)
    assert status == 0
    objects = [json.loads(line) for line in shown.splitlines()]
    assert objects[0]["kind"] == "opening"
    assert {"line", "at", "by", "role", "round", "what", "clauses", "net", "struck"} <= objects[1].keys()
    void = next(one for one in objects if one["kind"] == "sum" and one["round"] == 3)
    assert void["fate"].startswith("void since line ")
    assert void["ended"]["p2"] == 170
    assert set(void["net"].values()) == {0}
    assert objects[-1]["kind"] == "total"
    assert objects[-1]["net"]["p1"] == 147.5
    settled = next(one for one in objects if one.get("event") == "Settled")
    assert settled["clauses"]


def test_the_page_needs_no_other_file_and_escapes_names(tmp_path: Path) -> None:
    book, path = load("act-blackjack-2003"), tmp_path / "table.log"
    table = new_table(book, book.demonstration, log=path, name="<b>Four</b>")
    table.give(cmd.Sit(box=1), player("<script>p1</script>"))
    table.strike(2, why='"&<i>')
    table.close()
    done = croupier("explain", path, "--html", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;p1&lt;/script&gt;" in page
    assert "<del>" in page
    assert "&lt;b&gt;Four" in page
    assert "<i>" not in page
    assert not re.search(r"(src|href|url\(|@import|http)", page)
    assert "@media print" in page
    again = croupier("explain", path, "--html", tmp_path / "page.html")
    assert again.returncode == 2
    assert "exists; --force writes over it" in again.stderr


def test_a_page_deceives_nobody() -> None:
    told = timeline(read_log(EVENING))
    chapter = told.chapters[0]
    item = replace(chapter.items[0], what="pays \u202e001$ \x1b[2J")
    page = render(replace(told, chapters=(replace(chapter, items=(item,)),)))
    assert "\\u202e001$ \\x1b[2J" in page


# Where log and rules differ


def a_net(lines: list[Line]) -> tuple[int, int]:
    number, event = event_of(lines, "Settled", player="p1", wager="main")
    event["net"] += 1000
    return number, event["net"]


def test_a_forged_payment_is_told_with_its_clause_and_the_telling_goes_on(tmp_path: Path, show: Show) -> None:
    found: list[tuple[int, int]] = []
    path = forged(tmp_path, lambda lines: found.append(a_net(lines)))
    ((number, net),) = found
    status, shown = show(path)
    assert status == 1
    then, now = (
        f"{'-' if sum_ < 0 else '+' if sum_ else ''}${abs(sum_) // 100}" for sum_ in (net, net - 1000)
    )
    says = (
        re.escape(f"line {number} says {then}") + r".*" + re.escape(f"the rules give {now}") + r".* \[13\.1"
    )
    assert re.search(says, shown), shown[:3000]
    assert "Round 8" in shown
    assert "Log and rules differ in 1 place(s)" in shown
    with pytest.raises(DoesNotHold, match=f":{number}: the rules make something else"):
        replay(read_log(path))


def test_many_differences_are_all_told(tmp_path: Path, show: Show) -> None:
    def change(lines: list[Line]) -> None:
        for event in (event for line in lines for event in line.get("events", ())):
            if event["type"] == "Settled":
                event["net"] += 100
            if event["type"] == "CardDealt":
                event["card"] = "2c"

    path = forged(tmp_path, change)
    status, shown = show(path, json=True)
    assert status == 1
    objects = [json.loads(line) for line in shown.splitlines()]
    differing = [one for one in objects if one["kind"] == "difference"]
    assert len(differing) == objects[-1]["differences"] > 100
    assert any("says: 2♣ to box 1; the rules give: " in one["what"] for one in differing)
    assert kept(timeline(read_log(path)).nets) == kept(timeline(read_log(EVENING)).nets)


@pytest.mark.parametrize("card", ["Zz", "", "2", "2c2c", "\x1b"])
def test_a_card_that_is_none_is_told_all_the_same(card: str, tmp_path: Path, show: Show) -> None:
    def change(lines: list[Line]) -> None:
        event_of(lines, "CardDealt")[1]["card"] = card

    try:
        path = forged(tmp_path, change)
        status, shown = show(path)
    except DoesNotHold:
        return
    assert status == 1
    assert "the rules give" in shown
    assert "\x1b" not in shown


def test_a_command_that_the_rules_refuse_is_told(tmp_path: Path, show: Show) -> None:
    def change(lines: list[Line]) -> None:
        line = next(line for line in lines if "refused" in line)
        del line["refused"]
        line["events"] = [{"type": "LimitsSet", "minimum": 1, "maximum": 2}]

    status, shown = show(forged(tmp_path, change))
    assert status == 1
    assert "the rules refuse this: set limits refused: only the operator may do that" in shown
    assert "Round 8" in shown


def test_a_changed_reason_of_a_refusal_is_found(
    tmp_path: Path, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(lines: list[Line]) -> None:
        next(line["refused"] for line in lines if "refused" in line)["why"] = "the dealer did not like p1"

    path = forged(tmp_path, change)
    monkeypatch.setattr("croupier.__version__", read_log(path).header.engine)
    with pytest.raises(
        DoesNotHold, match="the reason why it is refused: recorded the dealer did not like p1"
    ):
        replay(read_log(path))
    status, shown = show(path)
    assert status == 1
    assert "recorded the dealer did not like p1; now only the operator may do that" in shown
    monkeypatch.setattr("croupier.__version__", "9.9")
    (note,) = replay(read_log(path)).notes
    assert note.about == "the reason why it is refused"
    assert show(path)[0] == 0


def test_a_log_that_is_cut_off_is_explained_and_exits_1(tmp_path: Path, show: Show) -> None:
    path = tmp_path / "cut.log"
    path.write_bytes(EVENING.read_bytes()[:-40])
    status, shown = show(path)
    assert status == 1
    assert "is cut off in its last line" in shown
    assert "Round 8" in shown


def test_a_broken_chain_is_a_sentence_and_status_1(tmp_path: Path) -> None:
    path = tmp_path / "broken.log"
    path.write_bytes(EVENING.read_bytes().replace(b'"net":', b'"net":1', 1))
    done = croupier("explain", path)
    assert done.returncode == 1
    assert "the chain is broken here" in done.stderr


def test_the_opening_of_another_house_is_told(tmp_path: Path, show: Show) -> None:
    path = forged(tmp_path, lambda lines: lines[0]["opened"].update(house="another"))
    status, shown = show(path)
    assert status == 1
    assert "line 1 says: Another opens the table" in " ".join(shown.split())
