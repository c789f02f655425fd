"""People at a table in the browser: what a player and what somebody at the console presses and sees.

Everything is found by its role and its accessible name, as somebody who cannot see the page finds it.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Locator, Page, expect

from browsing import Line, listened

PASSWORD = "a good password"
RANKS = {
    **{"A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven"},
    **{"8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king"},
}
SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
# The page drops presses in the first quarter of a second of a turn: they may be meant for the one before.
SETTLED_INTO_TURN = 260


def card_name(card: str) -> str:
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def starting(words: str) -> re.Pattern[str]:
    return re.compile(f"^{re.escape(words)}")


class Person:
    """Somebody with a browser of their own, in the lobby."""

    def __init__(self, browser: BrowserContext, name: str) -> None:
        self.name = name
        self.page: Page = browser.new_page()
        self.problems = listened(self.page)
        self.hosts: set[str] = set()
        self.page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, name: str) -> None:
        self.button(name).click()

    def reads(self, words: str) -> None:
        """Is it said anywhere on the page?"""
        expect(self.page.get_by_text(words).first).to_be_visible()

    @property
    def first_line(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    def sees(self, words: str) -> None:
        """Does the first line of the page say so, as it is read aloud?"""
        expect(self.first_line).to_have_accessible_name(re.compile(re.escape(words)))

    def is_told(self, words: str, clause: str = "") -> None:
        """Does the log of the round say so, and name the clause?"""
        self.page.get_by_role("tab", name="Round", exact=True).click()
        log = self.page.get_by_role("log")
        expect(log).to_contain_text(words)
        if clause:
            expect(log.get_by_role("button", name=f"{clause}, show", exact=True).first).to_be_visible()

    def give_name(self) -> None:
        self.page.get_by_role("textbox", name="Name").fill(self.name)
        self.page.keyboard.press("Enter")

    def post(self, path: str, **body: Any) -> Any:
        """What no page asks for, or not so."""
        token = self.page.request.get("/api/me").json()["csrf"]
        answer = self.page.request.post(path, data=body, headers={"X-CSRF-Token": token})
        assert answer.ok, answer.text()
        return answer.json()


class Official(Person):
    """Somebody who holds an office: at the console of a table."""

    def come_in(self, link: str) -> None:
        """As the operator, by the link that works once."""
        self.page.goto(f"/first#{link}")
        self.page.get_by_role("textbox", name="Name").fill(self.name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.press("Come in")
        expect(self.button(self.name)).to_be_visible()

    def register(self) -> None:
        """A name with a password: whoever has no office yet is refused a console, but is in."""
        self.page.goto("/")
        self.button(starting("Open a dealer")).click()
        self.give_name()
        expect(self.page.get_by_role("alert")).to_contain_text("A live table is opened by who deals at it")
        self.press(self.name)
        self.page.get_by_label("Password, so that you can come back").fill(PASSWORD)
        self.press("Keep this name")
        expect(self.button("Keep this name")).to_have_count(0)
        self.problems.clear()  # a refusal is an answer of 403, which a browser's console complains of

    def appoint(self, name: str, office: str) -> None:
        self.page.get_by_role("textbox", name="Name").fill(name)
        self.page.get_by_label("Office").select_option(office)
        self.press("Appoint")
        self.reads(f"{name} is {office}.")

    def open_table(self, title: str) -> str:
        """Open a live table with side bets from the lobby; its number."""
        self.page.goto("/")
        panel = self.page.locator("form").filter(has_text="Run a table")
        panel.get_by_label("Rules").select_option(label=title)
        panel.get_by_role("checkbox", name="Side bets").check()
        self.button(starting("Open a dealer")).click()
        self.page.wait_for_url("**/console/*")
        return self.page.url.rpartition("/")[2]

    def go_to(self, table: str, name: str) -> None:
        """To a table of another's, from the lobby."""
        self.page.goto("/")
        self.button(f"Console, {name}").last.click()
        self.page.wait_for_url(f"**/console/{table}")

    def tap(self, cards: str) -> None:
        """Cards as they fall, `8s 5h Ac`, each on its key of the pad."""
        for card in cards.split():
            self.press(card_name(card))

    def deal(self, due: str, cards: str) -> None:
        """Cards as they fall, typed when the first of them is due, and not before."""
        self.sees(due)
        self.page.keyboard.type(cards.replace(" ", ""))

    def hands_with(self, card: str) -> Locator:
        return self.page.get_by_role("group", name=re.compile(rf"^[a-z ,]*\b{card_name(card)},"))

    def falls(self, way: str, card: str) -> None:
        self.page.get_by_role("radio", name=starting(way)).click()
        self.tap(card)

    def counts(self, cards: int) -> None:
        self.page.get_by_role("textbox", name="Number of cards").fill(str(cards))
        self.press("So many cards")

    @property
    def last_line(self) -> int:
        """The number of the last line on record, as the bar on top says it."""
        found = re.search(r"Logging, line ([\d,]+)", self.page.get_by_role("banner").inner_text())
        assert found
        return int(found[1].replace(",", ""))

    def types(self, line: str) -> None:
        field = self.page.get_by_role("textbox", name="Command line")
        field.fill(line)
        field.press("Enter")

    def confirm(self, *words: str) -> None:
        """Answer yes to what is asked before an act that ends or moves something."""
        for one in words:
            self.reads(one)
        self.press("Yes, do it")

    def order(self, office: str, topic: str, order: str, **fields: str) -> None:
        """Fill in an order of an office, and give it."""
        self.page.get_by_role("radio", name=office, exact=True).click()
        if self.button(topic).get_attribute("aria-expanded") == "false":
            self.press(topic)
        self.button(starting(order)).click()
        for label, value in fields.items():
            self.page.get_by_role("textbox", name=starting(label)).fill(value)
        self.press("Order")


class Player(Person):
    """Somebody at the table page."""

    def __init__(self, browser: BrowserContext, name: str) -> None:
        super().__init__(browser, name)
        self.line = Line(self.page)

    def second_window(self) -> Player:
        """The same player at the same table once more."""
        window = Player(self.page.context, self.name)
        window.page.goto(self.page.url)
        return window

    def go_to(self, table: str) -> None:
        self.page.goto(f"/table/{table}")

    def find(self, table: str, name: str) -> None:
        """By its name in the lobby."""
        self.page.goto("/")
        self.button(f"Sit, {name}").last.click()
        self.page.wait_for_url(f"**/table/{table}")

    def choose(self, name: str) -> None:
        """Press an action that is open."""
        self.settled_into(name).click()

    def choose_twice(self, name: str) -> None:
        """Press it as impatient people do."""
        self.settled_into(name).dblclick()

    def settled_into(self, name: str) -> Locator:
        """An action that has been open for long enough to be pressed."""
        action = self.action(name)
        expect(action).to_be_visible()
        self.page.wait_for_timeout(SETTLED_INTO_TURN)
        return action

    def action(self, name: str) -> Locator:
        return self.button(re.compile(f"^{name}, (?!not )"))

    def bet(self, spot: str, *chips: str) -> None:
        """Lay chips on a spot, one by one."""
        for chip in chips:
            self.page.get_by_role("radio", name=f"{chip} chip", exact=True).click()
            self.button(starting(spot)).click()

    def lies(self, spot: str) -> None:
        """Is it laid, and confirmed by the table?"""
        expect(self.button(spot)).to_be_visible()

    def is_asked(self, *words: str) -> bool:
        """Is one of these what the first line says now?"""
        return self.first_line.inner_text().startswith(words)

    def answer(self, name: str) -> None:
        """Press an action that is open, and wait until something else is asked."""
        asked = self.first_line.inner_text()
        self.choose(name)
        expect(self.first_line).not_to_have_text(asked)

    def come_back(self) -> None:
        """The line holds again; the page is told to try at once, unless it has already."""
        self.line.mend()
        self.button("Try now").evaluate_all("all => all.forEach((one) => one.click())")

    def has(self, words: str) -> None:
        """What is left to bet with, or what a live table has brought, as the bar on top says it."""
        expect(self.page.get_by_role("banner")).to_have_text(re.compile(f"{re.escape(words)}$"))
