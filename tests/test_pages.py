"""The pages in a browser: on kept frames for every moment of a round, and at a real server for rounds."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import Theme, browsing, context, listened, serious
from croupier.web import frames, pages
from serving import Client, Server, serving
from serving import Page as Visitor
from stage import FRAMES, Stage, kept

MOMENTS = ("turn", "betting", "settlement", "full", "offers", "answers", "watching")
LAW = {"/api/rules/act-pontoon-2002": kept("law")}
MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("pages") / "data") as server:
        yield server


def at(browser: Browser, moment: str, width: int = 1440, theme: Theme = "dark") -> Stage:
    stage = Stage(context(browser, width, theme), LAW, moment)
    stage.open("/table/4")
    expect(stage.page.locator(".ask")).to_be_visible()
    return stage


def named(page: Page, role: Any, name: str) -> None:
    expect(page.get_by_role(role, name=name, exact=True)).to_be_visible()


# On kept frames


@pytest.mark.parametrize("moment", MOMENTS)
def test_kept_frames_are_what_the_protocol_says(moment: str) -> None:
    msgspec.json.decode((FRAMES / f"{moment}.json").read_bytes(), type=frames.Snapshot)


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_every_moment_is_drawn_without_complaint_and_within_reach(
    browser: Browser, width: int, theme: Theme
) -> None:
    stage = at(browser, MOMENTS[0], width, theme)
    for moment in MOMENTS:
        stage.send(kept(moment))
        expect(stage.page.locator(".table-page")).to_have_attribute("data-line", str(kept(moment)["n"]))
        wide = stage.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{moment} is {wide} wide"
        if width != 1024:  # which has nothing that the others have not
            assert serious(stage.page) == [], moment
    assert stage.problems == []
    stage.page.context.close()


@pytest.mark.parametrize("width", [1024, 390])
def test_the_log_of_a_narrow_page_is_opened_and_closed(browser: Browser, width: int) -> None:
    page = at(browser, "turn", width).page
    rail = page.get_by_role("complementary", name="Round")
    expect(rail).to_be_hidden()
    page.keyboard.press("l")
    expect(page.get_by_role("log")).to_be_visible()
    assert serious(page) == []
    page.get_by_role("button", name="Close the log").click()
    expect(rail).to_be_hidden()
    page.context.close()


def test_names_are_those_that_others_drive_the_page_by(browser: Browser) -> None:
    page = at(browser, "turn").page
    assert page.title() == "Your turn · Table 4"
    named(page, "main", "Table 4")
    named(page, "complementary", "Round")
    named(
        page, "group", "Box 4, you, split into three hands. P5 rides on hand 1. Perfect Pairs won 30 dollars."
    )
    named(
        page, "group", "Hand 2 of 3, eight of spades, eight of diamonds, sixteen, bet 25 dollars, your turn."
    )
    named(page, "button", "Double, adds 25 dollars, one card only")
    closed = "Surrender, not open. It is for the first two cards, before the subsequent deal. Clause 9.1"
    named(page, "button", closed)
    expect(page.get_by_role("button", name="Clause 15.7, show")).to_be_visible()


def test_a_spot_is_called_by_its_box_and_its_sum(browser: Browser) -> None:
    page = at(browser, "betting").page
    named(page, "button", "Bet on box 4, 25 dollars")
    named(page, "button", "Perfect Pairs on box 4, 5 dollars")
    named(page, "button", "Bet behind p6 on box 6, your 10 dollars")
    named(page, "button", "Sit here, box 5")
    named(page, "radio", "25 dollars chip")


def test_focus_goes_from_the_actions_over_the_boxes_to_the_bar_on_top(browser: Browser) -> None:
    page = at(browser, "turn").page
    seen: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                "document.activeElement.closest('.action-bar, .box, .dealer-place, .rail, .topbar, .skip')"
                "?.className.split(' ')[0] ?? ''"
            )
        )
    order = [name for at, name in enumerate(seen) if name and name != (seen[at - 1] if at else "")]
    assert order[:6] == ["skip", "action-bar", "box", "dealer-place", "rail", "topbar"]


def test_a_closed_action_says_why_and_sends_nothing(browser: Browser) -> None:
    stage = at(browser, "turn")
    page = stage.page
    page.keyboard.press("r")
    expect(page.locator(".strip.why")).to_contain_text("Surrender is closed: it is for the first two cards")
    expect(page.locator("#reader")).to_contain_text("surrender is offered when the dealer shows")
    assert page.evaluate("document.activeElement.dataset.key") == "r"
    page.keyboard.press("Escape")
    expect(page.locator(".strip.why")).to_have_count(0)
    assert [message["type"] for message in stage.heard] == ["hello"]


def test_a_press_is_sent_once_and_its_siblings_are_inert(browser: Browser) -> None:
    stage = at(browser, "turn")
    page = stage.page
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Hit, one more card").dblclick()
    page.keyboard.press("s")
    expect(page.locator(".action.sent")).to_contain_text("sent …")
    (asked,) = [message for message in stage.heard if message["type"] == "ask"]
    assert asked["command"] == {"type": "Hit", "box": 4, "hand": 2}
    assert asked["seen"] == 103
    said = {"words": "A hard total under 12 must be drawn to.", "clauses": ["10.2(c)"]}
    reply = {"id": asked["id"], "ok": False, "why": "refused", "said": said}
    stage.send({**kept("turn")["you"], "reply": reply})
    expect(page.locator(".strip.why")).to_contain_text("Refused: A hard total under 12")
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("Refused: hit. A hard total under 12 must be drawn to. Clause 10.2(c).")


def test_an_answer_alone_frees_what_was_pressed(browser: Browser) -> None:
    stage = at(browser, "turn")
    page = stage.page
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Hit, one more card").click()
    expect(page.locator(".action.sent")).to_contain_text("sent …")
    stage.send({"type": "answer", "n": 103, "reply": {"id": stage.heard[-1]["id"], "ok": True, "n": 103}})
    expect(page.locator(".action.sent")).to_have_count(0)
    named(page, "button", "Hit, one more card")
    page.context.close()


def test_a_lost_connection_closes_the_actions_and_comes_back(browser: Browser) -> None:
    stage = at(browser, "turn")
    page = stage.page
    assert stage.socket is not None
    stage.shut = True
    stage.socket.close()
    expect(page.locator(".notice")).to_contain_text("Connection lost")
    page.keyboard.press("h")
    expect(page.locator(".strip.why")).to_contain_text("Hit is closed")
    stage.shut = False
    page.get_by_role("button", name="Try now").click()
    expect(page.locator(".notice")).to_contain_text("Back")
    assert [message["type"] for message in stage.heard].count("ask") == 0
    assert [message["type"] for message in stage.heard if message["type"] == "hello"] == ["hello"] * 2
    # What was pressed meanwhile is not waited for.
    page.keyboard.press("h")
    expect(page.locator(".action.sent")).to_contain_text("sent …")
    assert stage.heard[-1]["type"] == "ask"


def test_a_bet_that_cannot_be_sent_is_given_back_and_its_buttons_say_why(browser: Browser) -> None:
    stage = at(browser, "betting")
    page = stage.page
    assert stage.socket is not None
    stage.shut = True
    stage.socket.close()
    expect(page.locator(".notice")).to_contain_text("Connection lost")
    page.keyboard.press("b")
    expect(page.locator(".strip.why")).to_have_text("The connection is lost; nothing was done.")
    named(page, "button", "Bet on box 4, 25 dollars")
    named(page, "button", "Clear, not open. The connection is lost.")
    page.context.close()


def test_a_turn_that_has_passed_is_not_announced_again(browser: Browser) -> None:
    """The table is told to all before a player is told that nothing is asked any more."""
    stage = at(browser, "turn")
    alert = stage.page.get_by_role("alert")
    expect(alert).to_contain_text("Your turn.")
    stage.page.evaluate("document.querySelector('[role=alert]').textContent = ''")
    turn = kept("turn")
    table = {**turn["table"], "turn": [6, 1], "players": ["p6"]}
    n = turn["n"]
    stage.send({"type": "news", "n": n + 1, "before": n, "lines": [], "table": table})
    expect(stage.page.locator(".table-page")).to_have_attribute("data-line", str(n + 1))
    expect(alert).to_have_text("")
    stage.page.context.close()


def test_the_cut_goes_where_the_slider_stands_by_button_and_by_key(browser: Browser) -> None:
    stage = at(browser, "watching")
    page, before = stage.page, kept("watching")
    cut = {"command": {"type": "Cut", "at": 144}, "key": "c", "label": "Cut", "words": "48 to 240 cards"}
    decline = {"command": {"type": "DeclineCut"}, "key": "n", "label": "Decline", "words": "leave it"}
    before["table"] |= {"stage": "cut", "boxes": [], "dealer": {}, "turn": None, "clock": None}
    before["table"]["preparing"] = [{"words": "Shuffled", "done": True}, {"words": "Cut"}]
    before["you"] |= {"name": "p9", "asked": "The cut is yours: 48 to 240 cards from the front."}
    before["you"]["choices"] = [{**cut, "free": {"at": {"low": 48, "high": 240}}}, decline]
    stage.send(before)
    expect(page.get_by_role("list", name="The cards are prepared").get_by_role("listitem")).to_have_count(2)
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("144")
    slider.fill("200")
    named(page, "button", "Decline, leave it")
    assert serious(page) == []
    page.wait_for_timeout(300)  # presses in the first moment of a turn are dropped
    page.keyboard.press("c")
    expect(page.locator(".action.sent")).to_be_visible()
    assert stage.heard[-1]["command"] == {"type": "Cut", "at": 200}
    page.context.close()


def test_chips_of_somebody_who_has_left_the_box_are_not_nobodys(browser: Browser) -> None:
    stage = at(browser, "turn")
    before = kept("turn")
    box = next(one for one in before["table"]["boxes"] if one["number"] == 6)
    box |= {"seat": "", "decider": ""}
    stage.send(before)
    expect(stage.page.locator("#box-6 .plate")).to_have_text("6p6")
    stage.page.context.close()


def test_what_was_bet_otherwise_than_asked_is_said_and_what_is_no_amount_is_not_bet(browser: Browser) -> None:
    stage = at(browser, "betting")
    page = stage.page
    field = page.get_by_role("textbox", name="Bet on your box, typed")
    for text in ("-25", "1e3", "12.345", "all"):
        field.fill(text)
        field.press("Enter")
        expect(page.locator(".strip.why")).to_contain_text(f"“{text}” is no amount")
    assert [message["type"] for message in stage.heard] == ["hello"]
    field.fill("$1,020")
    field.press("Enter")
    named(page, "button", "Bet on box 4, 1020 dollars, being placed")
    asked = stage.heard[-1]
    assert (asked["type"], asked["stake"]) == ("bet", 102000)
    said = {"words": "You bet $500 on box 4 ($520 above the maximum goes back).", "clauses": ["3.5"]}
    reply = {"id": asked["id"], "ok": True, "said": said}
    stage.send({**kept("betting")["you"], "type": "you", "reply": reply})
    expect(page.locator(".strip.why")).to_contain_text("$520 above the maximum goes back")
    expect(page.get_by_role("alert")).to_have_text(f"{said['words']} Clause 3.5.")
    page.context.close()


def test_a_button_of_the_bets_that_is_closed_says_why_and_what_was_repeated_is_taken_back(
    browser: Browser,
) -> None:
    stage = at(browser, "betting")
    page, frame = stage.page, kept("betting")
    for box in frame["table"]["boxes"]:
        box["bets"] = [bet for bet in box.get("bets", []) if bet["player"] != frame["you"]["name"]]
    again = {spot["box"]: spot.pop("again", None) for spot in frame["you"]["spots"]}
    stage.send(frame)
    expect(page.locator(".ask h1")).to_have_text("You have no bet yet")
    for key, name in (("r", "Repeat last"), ("c", "Clear"), ("Backspace", "Take back")):
        page.keyboard.press(key)
        expect(page.locator(".strip.why")).to_contain_text(f"{name} is closed: ")
    page.keyboard.press("Escape")
    expect(page.locator(".strip.why")).to_have_count(0)
    assert [message["type"] for message in stage.heard] == ["hello"]
    for spot in frame["you"]["spots"]:
        spot["again"] = again[spot["box"]] or {}
    stage.send(frame)
    expect(page.get_by_role("button", name="Repeat last $30")).to_be_enabled()
    page.keyboard.press("r")
    named(page, "button", "Bet on box 4, 25 dollars, being placed")
    page.keyboard.press("Backspace")
    named(page, "button", "Perfect Pairs on box 4, nothing yet, being placed")
    page.keyboard.press("Backspace")
    named(page, "button", "Bet on box 4, nothing yet, being placed")
    page.context.close()


def test_what_happens_is_read_aloud_by_box_with_its_total(browser: Browser) -> None:
    stage = at(browser, "turn")
    turn = kept("turn")
    n = turn["n"]
    lines = [
        {"n": n + 1, "event": "BettingOpened", "words": "Round 19: place your bets", "phase": "Bets"},
        {
            "n": n + 1,
            "event": "CardDealt",
            "words": "K♣ to the dealer",
            "phase": "Deal",
            "box": 0,
            "cards": ["Kc"],
        },
        {
            "n": n + 1,
            "event": "CardDealt",
            "words": "8♥ to box 4",
            "phase": "Deal",
            "box": 4,
            "cards": ["8h"],
        },
        {"n": n + 1, "event": "CardCalled", "words": "Box 1 draws", "phase": "Play", "box": 1, "hand": 1},
        {"n": n + 1, "event": "CardDealt", "words": "7♣ to box 1: 21", "phase": "Play", "box": 1, "hand": 1}
        | {"cards": ["7c"]},
        {"n": n + 1, "event": "HandSurrendered", "words": "p2 surrenders box 2", "phase": "Play", "box": 2},
        {"n": n + 1, "event": "CardDealt", "words": "9♦ to the dealer: 19", "phase": "Dealer", "box": 0}
        | {"cards": ["9d"]},
    ]
    table = {**turn["table"], "clock": None}
    stage.send({"type": "news", "n": n + 1, "before": n, "lines": lines, "table": table})
    expect(stage.page.locator('[aria-live="polite"]')).to_have_text(
        "Your cards: eight of hearts, queen of diamonds, eighteen. Place your bets. "
        "Dealer shows the king of clubs. Box 1 draws seven of clubs: twenty-one, paid. "
        "Box 2 surrenders. Dealer draws nine of diamonds: nineteen."
    )
    stage.page.context.close()


def test_the_table_in_another_window_can_be_taken_back(browser: Browser) -> None:
    stage = at(browser, "turn")
    stage.send({"type": "bye", "why": "elsewhere", "words": "This table is played in another window."})
    assert stage.socket is not None
    stage.socket.close()
    expect(stage.page.get_by_text("You play this table in another window")).to_be_visible()
    named(stage.page, "button", "Play here")


def test_what_happens_when_the_time_is_up_is_said_and_more_of_it_can_be_had(browser: Browser) -> None:
    for width in (1440, 390):
        stage = at(browser, "turn", width)
        bar = stage.page.locator(".action-bar")
        expect(bar).to_contain_text("the dealer draws for you to 12 or more")
        stage.page.get_by_role("button", name="More time, the clock begins anew").click()
        expect(stage.page.locator(".action-bar")).to_be_visible()
        assert stage.heard[-1]["type"] == "more"
        stage.page.context.close()


def test_a_page_older_than_its_server_says_so(browser: Browser) -> None:
    stage = at(browser, "turn")
    expect(stage.page.locator(".notice")).to_have_count(0)
    newer = kept("turn")
    newer["facts"]["version"] = "another"
    stage.send(newer)
    expect(stage.page.locator(".notice")).to_contain_text("A new version is there")
    named(stage.page, "button", "Reload")
    stage.page.context.close()


def test_who_is_excluded_reads_on_whose_order(browser: Browser) -> None:
    stage = at(browser, "watching")
    excluded = {"words": "Ordered by p8 (supervisor).", "clauses": ["17.3(b)"]}
    stage.send({**kept("watching")["you"], "type": "you", "excluded": excluded})
    expect(stage.page.locator(".notice.refused")).to_contain_text(
        "Ordered by p8 (supervisor). You may watch."
    )
    named(stage.page, "button", "Dispute")
    stage.page.context.close()


def test_chips_travel_when_they_are_paid_and_stay_where_motion_is_not_wanted(browser: Browser) -> None:
    paid = {"amount": 2500, "source": "float", "target": "player", "player": "p9", "box": 4}
    lost = {"amount": 2000, "source": "box", "target": "float", "player": "p5", "box": 4}
    settled = kept("settlement")
    line = {
        "n": settled["n"] + 1,
        "event": "Settled",
        "words": "Paid",
        "phase": "Settlement",
        "moved": [paid, lost],
    }
    news = {
        "type": "news",
        "n": line["n"],
        "before": settled["n"],
        "lines": [line],
        "table": settled["table"],
    }
    for motion, copies in (("no-preference", 2), ("reduce", 0)):
        stage = at(browser, "settlement")
        stage.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        stage.page.evaluate(
            "window.flown = 0; new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach("
            "(node) => { if (node.className === 'travelling') window.flown += 1; }"
            "))).observe(document.body, {childList: true})"
        )
        stage.send(news)
        expect(stage.page.locator(".table-page")).to_have_attribute("data-line", str(line["n"]))
        stage.page.wait_for_function(f"window.flown === {copies}")
        expect(stage.page.locator(".travelling")).to_have_count(0)
        assert stage.problems == []
        stage.page.context.close()


def test_chips_that_are_refused_go_back_and_the_reason_is_said(browser: Browser) -> None:
    stage = at(browser, "betting")
    page = stage.page
    page.get_by_role("button", name="Bet on box 4, 25 dollars").click()
    named(page, "button", "Bet on box 4, 50 dollars, being placed")
    asked = stage.heard[-1]
    assert (asked["type"], asked["stake"]) == ("bet", 5000)
    said = {"words": "The most here is $40.", "clauses": ["3.1"]}
    stage.send(
        {
            **kept("betting")["you"],
            "type": "you",
            "reply": {"id": asked["id"], "ok": False, "why": "refused", "said": said},
        }
    )
    named(page, "button", "Bet on box 4, 25 dollars")
    expect(page.locator(".strip.why")).to_contain_text("Refused: The most here is $40.")
    page.context.close()


def test_what_is_repeated_at_settlement_is_laid_when_bets_are_open(browser: Browser) -> None:
    """The table is told to all before a player is told of their spots."""
    stage = at(browser, "settlement")
    stage.page.keyboard.press("r")
    expect(stage.page.locator(".action.sent").first).to_be_visible()
    before, betting = kept("settlement")["n"], kept("betting")
    betting["table"]["boxes"] = [{**box, "bets": []} for box in betting["table"]["boxes"]]
    news = {"type": "news", "n": before + 1, "before": before, "lines": [], "table": betting["table"]}
    stage.send(news)
    expect(stage.page.locator(".betting-row")).to_be_visible()
    spots = [{"box": 4, "low": 1000, "step": 500, "again": {"": 3000, "perfect_pairs": 500}}]
    stage.send({**betting["you"], "type": "you", "n": before + 1, "spots": spots})
    named(stage.page, "button", "Bet on box 4, 30 dollars, being placed")
    asked = [message for message in stage.heard if message["type"] == "bet"]
    assert [(one["box"], one["stake"], one["sides"]) for one in asked] == [(4, 3000, {"perfect_pairs": 500})]
    stage.page.context.close()


def test_the_log_speaks_to_whom_it_is_about(browser: Browser) -> None:
    page = at(browser, "turn").page
    expect(page.get_by_role("log")).to_contain_text("You bet $25, $5 Perfect Pairs on box 4")
    expect(page.get_by_role("log")).to_contain_text("to you on box 4")
    expect(page.get_by_role("log")).not_to_contain_text("p9")
    page.context.close()


def test_settings_are_kept_on_the_device_and_apply_at_once(browser: Browser) -> None:
    page = at(browser, "turn").page
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Light").check()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.reload()
    expect(page.locator(".ask h1")).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


def test_insurance_is_raised_and_lowered_by_its_steps(browser: Browser) -> None:
    stage = at(browser, "offers")
    page = stage.page
    page.get_by_role("button", name="Less insurance").click()
    expect(page.locator('.action[data-key="i"]')).to_contain_text("$10")
    page.wait_for_timeout(300)
    page.keyboard.press("i")
    page.wait_for_timeout(100)
    assert stage.heard[-1]["command"] == {"type": "Insure", "box": 4, "amount": 1000}


# What is shipped


def test_shells_hold_nothing_inline() -> None:
    for shell in pages.SHELLS:
        text = pages.shell(shell)
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text), shell
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text), shell


def test_the_rules_can_be_read_where_no_script_runs(browser: Browser, server: Server) -> None:
    page = browser.new_context(java_script_enabled=False, base_url=server.address).new_page()
    page.goto("/table/1")
    expect(page.get_by_role("heading", name="Croupier needs JavaScript")).to_be_in_viewport()
    page.get_by_role("link", name="Canberra Pontoon, 2002").click()
    expect(page.get_by_role("heading", name="Canberra Pontoon, 2002")).to_be_visible()
    expect(page.get_by_text("A player with a hard total under 12 must draw")).to_be_visible()
    assert page.request.get("/plain/nothing").status == 404
    page.context.close()


def test_a_page_reaches_no_other_host_and_is_light(browser: Browser) -> None:
    stage = at(browser, "turn")
    asked = stage.page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    own = [url for url in asked if "/static/" in url]
    assert len(own) > 20
    assert all(url.startswith("http://croupier.test/") for url in asked)
    files = {url.partition(pages.address(""))[2].partition("#")[0] for url in own}
    sent = [pages.shell(pages.TABLE).encode(), *(pages.files()[file] for file in files)]
    assert sum(len(gzip.compress(one)) for one in sent) < MOST_BYTES


def test_nothing_is_fetched_late_and_everything_is_kept_for_good(browser: Browser, server: Server) -> None:
    for shell in pages.SHELLS:
        told = set(re.findall(r'"(/static/[^"]+)"', pages.shell(shell)))
        assert {pages.address(module) for module in pages.modules(shell.script)} <= told
    page = context(browser, address=server.address).new_page()
    page.goto("/")
    expect(page.get_by_role("button", name="Deal me in")).to_be_visible()
    asked = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    fetched = {url.removeprefix(server.address) for url in asked if url.endswith(".js")}
    assert fetched == {*map(pages.address, pages.modules("lobby")), pages.address("js/theme.js")}
    page.reload()
    expect(page.get_by_role("button", name="Deal me in")).to_be_visible()
    again = page.evaluate(
        "performance.getEntriesByType('resource').filter((entry) => entry.transferSize && "
        "entry.name.includes('/static/')).map((entry) => entry.name)"
    )
    assert again == []
    assert page.request.get("/static/another/js/theme.js").status == 404
    page.context.close()


# At a server


def enter(page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_role("button", name="Deal me in").click()
    page.get_by_role("textbox", name="Name").fill(name)
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    expect(page.get_by_text("Place your bets", exact=True)).to_be_visible()


def play_by_keys(page: Page) -> None:
    """To the settlement, with keys alone."""
    for _ in range(40):
        page.wait_for_timeout(300)
        if page.locator(".table-page.settled").count():
            return
        keys = page.locator(".action[data-key]:not(.closed)").evaluate_all(
            "all => all.map((one) => one.dataset.key)"
        )
        page.keyboard.press(next((key for key in "nsh" if key in keys), "n"))
    raise AssertionError(page.locator(".ask").inner_text())


def test_a_newcomer_plays_a_round_by_keyboard_and_steps_through_it(browser: Browser, server: Server) -> None:
    page = context(browser, address=server.address).new_page()
    problems = listened(page)
    enter(page, "p1")
    page.get_by_role("button", name=re.compile("^Bet on box 4")).focus()
    page.keyboard.press("Enter")
    named(page, "button", "Bet on box 4, 25 dollars")
    expect(page.locator(".ask h1")).to_have_text("On the table: $25")
    page.keyboard.press("n")
    play_by_keys(page)
    expect(page.locator(".ask h1")).to_have_text(re.compile(r"You (won|lost|are even)"))
    expect(page.get_by_role("tab", name="What moved")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("t")
    page.wait_for_url("**/history/**")
    slider = page.get_by_role("slider")
    expect(slider).to_be_visible()
    page.keyboard.press("End")
    last = int(slider.get_attribute("aria-valuemax") or 0)
    assert last > 10
    expect(slider).to_have_accessible_name(re.compile(f"^Step {last} of {last}, "))
    page.keyboard.press("ArrowLeft")
    assert page.url.endswith(f"#{last - 1}")
    assert serious(page) == []
    assert problems == []
    page.context.close()


def test_a_newcomer_needs_no_mouse_from_the_lobby_to_the_first_decision(
    browser: Browser, server: Server
) -> None:
    page = context(browser, address=server.address).new_page()
    page.goto("/")
    expect(page.get_by_role("button", name="Deal me in")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Play alone")).to_be_focused()
    page.keyboard.press("Enter")
    for _ in range(5):
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Deal me in")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    page.keyboard.type("p7")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    expect(page.get_by_text("Put a chip in your circle, then press Deal")).to_be_visible()
    page.keyboard.press("b")
    named(page, "button", "Bet on box 4, 25 dollars")
    page.keyboard.press("n")
    expect(page.locator(".ask h1")).to_have_text(re.compile("Your turn|Before play|You (won|lost|are even)"))
    page.context.close()


def test_the_lobby_of_a_phone_has_every_page_in_its_bar(browser: Browser, server: Server) -> None:
    visitor = Visitor(server, "a-name-of-many-letters")
    visitor.post("/api/alone")
    page = as_person(browser, visitor, width=390)
    page.goto("/")
    for name in ("Play", "Rules", "History"):
        link = page.get_by_role("navigation", name="Pages").get_by_role("link", name=name, exact=True)
        expect(link).to_be_in_viewport(ratio=1)
        assert link.evaluate("(link) => link.closest('nav').scrollWidth <= link.closest('nav').clientWidth")
    expect(page.get_by_role("button", name="Settings")).to_be_in_viewport(ratio=1)
    page.context.close()


def test_a_round_is_played_by_mouse_on_a_phone(browser: Browser, server: Server) -> None:
    page = context(browser, width=390, address=server.address).new_page()
    problems = listened(page)
    enter(page, "p2")
    page.get_by_role("button", name=re.compile("^Bet on box 4")).click()
    expect(page.locator(".ask h1")).to_have_text("On the table: $25")
    page.get_by_role("button", name="Deal", exact=True).click()
    for _ in range(40):
        page.wait_for_timeout(300)
        if page.locator(".table-page.settled").count():
            break
        for name in ("Play on", "Stand", "Hit"):
            button = page.get_by_role("button", name=re.compile(f"^{name}, (?!not)"))
            if button.count():
                button.first.click()
                break
    expect(page.locator(".moved")).to_be_visible()
    assert problems == []
    page.context.close()


class House(NamedTuple):
    """A server with an operator, a live table in the middle of a round, and a round that was played."""

    server: Server
    boss: Visitor
    live: str
    played: str


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with serving(tmp_path_factory.mktemp("house") / "data") as server:
        boss, p1 = Visitor(server).operator("boss"), Visitor(server, "p1")
        live = boss.post("/api/tables", kind="live", name="Table 5")["id"]
        desk = boss.at(live)
        for line in ("p1 sits 1", "", "", "", "150", "60", "5c", "", "1 25", "", "Th 7s 6c"):
            assert desk.line(line).ok, line
        played = p1.post("/api/alone", others=1)["id"]
        assert Client(p1.at(played)).play(rounds=1, limit=20)
        yield House(server, boss, live, played)


def as_person(browser: Browser, person: Visitor, width: int = 1440, theme: Theme = "dark") -> Page:
    """A page in the session of somebody who came in otherwise."""
    opened = context(browser, width, theme, person.server.address)
    jar = person.http.cookies.jar
    opened.add_cookies(
        [{"name": one.name, "value": one.value or "", "url": person.server.address} for one in jar]
    )
    return opened.new_page()


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("width", [1440, 390])
def test_every_page_of_the_server_is_sound(browser: Browser, house: House, width: int, theme: Theme) -> None:
    page = as_person(browser, house.boss, width, theme)
    problems = listened(page)
    for path, title in (
        ("/", "Open tables"),
        ("/rules", "Rules"),
        ("/rules/uk-blackjack-1994", "UK Blackjack, 1994"),
        ("/rules/act-blackjack-2003?with=act-pontoon-2002", "ACT Blackjack, 2003 and Canberra Pontoon, 2002"),
        (f"/history/{house.played}/1#9", "Round 1"),
        (f"/console/{house.live}", "Box 1 decides"),
        (f"/table/{house.live}", "Box 1 decides"),
        ("/plain/act-blackjack-1997", "ACT Blackjack with the 1997 alterations"),
    ):
        page.goto(path)
        expect(page.get_by_role("heading", level=1, name=title).first).to_be_visible()
        expect(page.get_by_text("One moment")).to_have_count(0)
        page.wait_for_function("wide => document.documentElement.scrollWidth <= wide", arg=width)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{path} is {wide} wide"
        assert serious(page) == [], path
    assert problems == []
    page.context.close()


def test_clauses_are_searched_and_a_link_leads_to_one(browser: Browser, server: Server) -> None:
    page = context(browser, address=server.address).new_page()
    page.goto("/rules/act-blackjack-2003#9.1")
    expect(page.get_by_role("article", name="Clause 9.1", exact=True)).to_be_in_viewport()
    page.get_by_role("searchbox", name="Search the clauses").fill("insurance")
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^[1-9]\d? of 198 clauses"))
    page.get_by_role("searchbox", name="Search the clauses").fill("§ 9.1(d)")
    expect(page.get_by_role("article", name="Clause 9.1(d)", exact=True)).to_be_visible()
    page.context.close()


def test_a_dealer_runs_a_table_by_keys_and_gives_an_order(browser: Browser, server: Server) -> None:
    page = context(browser, address=server.address).new_page()
    problems = listened(page)
    page.goto(f"/first#{server.link}")
    page.get_by_role("textbox", name="Name").fill("boss")
    page.get_by_label("Password").fill("a good password")
    page.get_by_role("button", name="Come in").click()
    page.get_by_role("button", name="console").click()
    page.wait_for_url("**/console/*")
    following = page.locator(".next h1")

    def typed(line: str, then: str) -> None:
        page.keyboard.press("/")
        page.keyboard.type(line)
        page.keyboard.press("Enter")
        expect(following).to_contain_text(then)
        page.evaluate("document.activeElement.blur()")

    def entered(then: str) -> None:
        page.keyboard.press("Enter")
        expect(following).to_contain_text(then)

    expect(following).to_contain_text("Check the cards")
    typed("p1 sits 1", "Check the cards")
    expect(page.get_by_role("log")).to_contain_text("p1 sits at box 1")
    page.wait_for_timeout(300)  # Enter so soon is meant for the line before
    page.keyboard.press("/")
    entered("Shuffle")
    page.evaluate("document.activeElement.blur()")
    entered("Offer the cut")
    entered("cuts")
    typed("150", "Place the cutting card")
    typed("60", "Burn a card")
    page.get_by_role("button", name="five of clubs").click()
    expect(following).to_contain_text("Open the betting")
    page.evaluate("document.activeElement.blur()")
    entered("Take wagers")
    typed("1 25", "1 wager")
    entered("Card to box 1")
    for key in "Th7s6c":
        page.keyboard.press(key)
    expect(following).to_contain_text("Box 1 decides")
    page.keyboard.press("p")
    expect(page.locator(".next")).to_contain_text("Refused:")
    expect(page.get_by_role("button", name=re.compile("^Split, not open. "))).to_be_visible()
    page.keyboard.press("s")
    expect(following).to_contain_text("Draw to your hand")
    page.get_by_role("radio", name=re.compile("^On wrong hand")).click()
    page.get_by_role("button", name="nine of clubs").click()
    expect(page.locator(".next")).to_contain_text("Press the hand on which it lies")
    page.emulate_media(color_scheme="light")
    expect(page.locator(".wordmark")).to_have_css("color", "rgb(26, 33, 30)")
    named(page, "button", "It lies here")
    assert serious(page) == []
    page.emulate_media(color_scheme="dark")
    page.keyboard.press("Escape")
    expect(page.get_by_role("radio", name=re.compile("^Falls as dealt"))).to_be_checked()
    page.get_by_role("radio", name="Operator").click()
    page.get_by_role("button", name="Limits and side bets").click()
    page.get_by_role("button", name=re.compile("^Give notice")).click()
    expect(page.get_by_text("On record: Notice of limits")).to_be_visible()
    assert serious(page) == []
    page.get_by_role("button", name="Order", exact=True).click()
    expect(page.get_by_role("log")).to_contain_text("Notice of limits")
    assert problems == []
    page.context.close()


def test_an_order_shows_its_clause_and_why_it_is_closed_before_it_is_opened(
    browser: Browser, house: House
) -> None:
    page = as_person(browser, house.boss)
    page.goto(f"/console/{house.live}")
    expect(page.get_by_role("radio", name="Operator")).to_be_checked()
    page.get_by_role("button", name="Limits and side bets").click()
    why = "Between rounds only, not at the stage 'playing'. Clause 3.1"
    limits = page.get_by_role("button", name=f"Set limits, not open {why}")
    expect(limits).to_be_visible()
    expect(limits).to_contain_text("3.1")
    limits.click()
    expect(page.get_by_role("textbox", name="Minimum")).to_have_count(0)
    notice = page.get_by_role("button", name=re.compile("^Give notice Notice of a change"))
    expect(notice).to_contain_text("3.1")
    page.get_by_role("radio", name="Dealer").click()
    expect(page.get_by_role("button", name="Give notice, not open For the operator.")).to_be_visible()
    page.context.close()


def test_a_supervisor_begins_in_the_supervisors_office(browser: Browser, house: House) -> None:
    supervisor = Visitor(house.server, "s1")
    supervisor.post("/api/register", name="s1", password="a good password")
    house.boss.post("/api/people/s1/role", role="supervisor")
    page = as_person(browser, supervisor)
    page.goto(f"/console/{house.live}")
    expect(page.get_by_role("radio", name="Supervisor")).to_be_checked()
    page.get_by_role("tab", name="Table").click()
    expect(page.get_by_role("tabpanel")).to_contain_text(re.compile("Taken.*Drop.*Win.*Hold", re.DOTALL))
    page.context.close()


def test_at_a_table_that_the_house_deals_the_dealers_orders_are_closed(
    browser: Browser, house: House
) -> None:
    table = house.boss.post("/api/tables", name="Table 8")["id"]
    page = as_person(browser, house.boss)
    page.goto(f"/console/{table}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nobody sits at this table yet")
    expect(page.get_by_role("button", name="five of clubs")).to_have_count(0)
    page.get_by_role("radio", name="Dealer").click()
    page.get_by_role("button", name="Cards and shoe").click()
    shuffle = page.get_by_role("button", name=re.compile("^Shuffle, not open The dealer of this table"))
    expect(shuffle).to_be_visible()
    assert serious(page) == []
    page.context.close()


def test_a_double_click_is_one_press_and_what_is_offered_is_pressed(browser: Browser, house: House) -> None:
    table = house.boss.post("/api/tables", kind="live", name="Table 7")["id"]
    page = as_person(browser, house.boss)
    page.goto(f"/console/{table}")
    following = page.locator(".next h1")

    def typed(*lines: str) -> None:
        for line in lines:
            page.get_by_role("textbox", name="Command line").fill(line)
            page.get_by_role("textbox", name="Command line").press("Enter")
            expect(page.get_by_role("textbox", name="Command line")).to_have_value("")

    typed("help")
    page.get_by_role("dialog", name="Keys").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="All cards are there", exact=True).dblclick()
    expect(following).to_contain_text("Shuffle")
    closed = "Burnt in error, not open. The cards are not shuffled, cut and in the shoe yet. Dict. New shoe"
    expect(page.get_by_role("radio", name=closed)).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Cutting card, not open. The cards"))).to_be_visible()
    typed("p2 sits 1")
    page.get_by_role("button", name="Shuffled", exact=True).click()
    page.get_by_role("button", name="Offer the cut", exact=True).click()
    page.get_by_role("button", name="Declined", exact=True).click()
    page.get_by_role("button", name="Offer the cut", exact=True).click()
    typed("150", "60", "5c")
    page.get_by_role("button", name="Open the betting", exact=True).click()
    typed("1 25", "p3 bets 10 on 2")
    page.get_by_role("button", name="No more bets", exact=True).click()
    typed("Th 9s Ac 6c 5d")
    page.get_by_role("radio", name=re.compile("^Insure p3, box 2")).click()
    page.get_by_role("textbox", name="Insurance of p3 on box 2").press("Enter")
    expect(page.get_by_role("log")).to_contain_text("p3 insures box 2 for $5")
    page.get_by_role("button", name="Close the offers", exact=True).dblclick()
    expect(page.locator(".next")).to_contain_text("1 offer is still open")
    page.get_by_role("button", name="Yes, do it", exact=True).click()
    expect(following).to_contain_text("Box 1 decides")
    assert serious(page) == []
    page.context.close()


def test_the_dealer_sees_who_plays_on_and_players_see_none_of_the_dealers_words(
    browser: Browser, house: House
) -> None:
    p2 = Visitor(house.server, "p2")
    table = house.boss.post("/api/tables", kind="live", name="Table 6")["id"]
    console, own = as_person(browser, house.boss), as_person(browser, p2)
    console.goto(f"/console/{table}")
    own.goto(f"/table/{table}")

    def typed(line: str, due: str, told: str) -> None:
        console.get_by_role("textbox", name="Command line").fill(line)
        console.keyboard.press("Enter")
        expect(console.locator(".next-words")).to_contain_text(due)
        expect(own.get_by_role("heading", level=1)).to_contain_text(told)

    def entered(due: str, told: str) -> None:
        console.evaluate("document.activeElement.blur()")
        console.keyboard.press("Enter")
        expect(console.locator(".next-words")).to_contain_text(due)
        expect(own.get_by_role("heading", level=1)).to_contain_text(told)

    typed("p2 sits 1", "Check the cards one by one", "The cards are checked")
    entered("Shuffle, then offer the cut", "The cards are shuffled")
    entered("Offer the cut", "The cut is offered")
    entered("p2 cuts", "The cut is yours")
    typed("150", "type the number", "The cutting card is placed")
    typed("60", "Burn a card", "A card is burnt")
    typed("5c", "players may sit", "Between rounds")
    entered("Take wagers", "You have no bet yet")
    typed("1 25", "1 wager", "On the table: $25")
    entered("Card to box 1", "The cards are dealt")
    typed("Th", "Card to your own hand", "The cards are dealt")
    typed("As", "Card to box 1", "The cards are dealt")
    typed("6c", "p2 may insure", "Before play")
    own.wait_for_timeout(300)  # presses in the first moment of a turn are dropped
    own.get_by_role("button", name=re.compile("^Play on")).click()
    expect(console.locator(".next")).to_contain_text("p2 plays on")
    console.context.close()
    own.context.close()


def test_anybody_opens_a_table_for_several_and_reads_what_is_wrong_at_its_field(
    browser: Browser, server: Server
) -> None:
    page = context(browser, address=server.address).new_page()
    page.goto("/")
    expect(page.get_by_role("contentinfo")).to_have_text(re.compile(r"^Croupier \d+\.\d+\.\d+"))
    page.get_by_role("button", name="Open a table", exact=True).click()
    page.get_by_role("textbox", name="Name").fill("p5")
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog", name="A table for several")
    sheet.get_by_label("Rules", exact=True).select_option(label="Canberra Pontoon, 2002")
    sheet.get_by_label("Decks", exact=True).select_option("8")
    sheet.get_by_label("Bets", exact=True).select_option(label="no limit")
    minimum = sheet.get_by_role("textbox", name="Minimum", exact=True)
    minimum.fill("7")
    sheet.get_by_role("button", name="Open the table").click()
    alert = sheet.get_by_role("alert")
    expect(alert).to_contain_text("Minimum 7 is no multiple of 5.")
    expect(alert.get_by_role("button", name="Clause 3.3, show")).to_be_visible()
    expect(minimum).to_be_focused()
    assert serious(page) == []
    minimum.fill("20")
    expect(alert).to_have_count(0)
    sheet.get_by_text("What the rules leave to the house").click()
    sheet.get_by_label("The maximum applies to").select_option(label="all wagers on a box together")
    sheet.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/table/*")
    expect(page.get_by_text("You are watching. Sit at a free box")).to_be_visible()
    number = page.url.rpartition("/")[2]
    table = page.request.get(f"/api/tables/{number}").json()
    assert (table["book"], table["decks"], table["minimum"]) == ("act-pontoon-2002", 8, 2000)
    assert (table["alone"], table["clocks"]["decision"], "betting" in table["clocks"]) == (False, 25, False)
    page.context.close()


def test_at_a_table_of_real_cards_the_dealer_closes_the_bets(browser: Browser) -> None:
    stage = at(browser, "betting")
    frame = kept("betting")
    frame["facts"] |= {"kind": "live", "play_money": False}
    frame["table"]["clock"] = None
    stage.send(frame)
    expect(stage.page.get_by_text("The dealer closes the bets")).to_be_visible()
    expect(stage.page.get_by_role("button", name="Done", exact=True)).to_be_visible()
    expect(stage.page.get_by_text("press Deal")).to_have_count(0)
    expect(stage.page.get_by_text("play money")).to_have_count(0)
    stage.page.context.close()


def test_no_tile_lies_under_the_shoe_of_a_phone(browser: Browser) -> None:
    stage = at(browser, "watching", 390)
    before = kept("watching")
    before["you"] |= {"name": "p9", "roles": ["player"]}
    before["table"] |= {"stage": "idle", "dealer": {}, "turn": None}
    before["table"]["boxes"] = [{"number": number} for number in range(1, 8)]
    stage.send(before)
    expect(stage.page.locator(".tile")).to_have_count(7)
    shoe = stage.page.locator(".shoe").bounding_box()
    assert shoe
    for tile in stage.page.locator(".tile").all():
        box = tile.bounding_box()
        assert box
        assert box["y"] >= shoe["y"] + shoe["height"] or box["x"] + box["width"] <= shoe["x"]
    stage.page.context.close()


def test_a_wrong_address_says_so(browser: Browser, server: Server) -> None:
    page = context(browser, address=server.address).new_page()
    for path, title in (("/table/999999", "No such table"), ("/nowhere", "No such page")):
        page.goto(path)
        expect(page.get_by_role("heading", name=title)).to_be_visible(timeout=8000)
        named(page, "link", "Back to the lobby")
    page.context.close()


def test_a_name_that_is_taken_is_said_in_its_place(browser: Browser, server: Server) -> None:
    first = context(browser, address=server.address).new_page()
    enter(first, "p3")
    second = context(browser, address=server.address).new_page()
    second.goto("/")
    second.get_by_role("button", name="Deal me in").click()
    second.get_by_role("textbox", name="Name").fill("p3")
    second.keyboard.press("Enter")
    expect(second.get_by_role("alert")).not_to_be_empty()
    assert json.loads(second.evaluate("fetch('/api/me').then((answer) => answer.text())"))["name"] is None
    first.context.close()
    second.context.close()
