"""An evening under each rulebook in the browser: two players, one who bets behind, a dealer and a supervisor.

The server is its own process on a file. Cards are those that the dealer taps and types, so that every split,
offer and mishap comes when it is wanted; pages are driven by the names that are read aloud.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from browsing import browsing, context
from croupier.house.database.ledger import chips_of, purse
from croupier.money import cents
from croupier.record import replay
from croupier.rulebook import NAMES, load
from croupier.story import money
from evening import Official, Player, starting
from serving import Server, on_file, serving

SETTLED = ("You won", "You lost", "You are even")


class People(NamedTuple):
    server: Server
    p1: Player
    p2: Player
    p3: Player
    dealer: Official
    supervisor: Official

    @property
    def players(self) -> tuple[Player, ...]:
        return self.p1, self.p2, self.p3


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    """Five people with a browser each, and the operator who has appointed two of them."""
    with serving(tmp_path_factory.mktemp("evening") / "data") as server, browsing() as browser:
        yield gathered(server, browser)
    assert "Traceback" not in server.errors, server.errors


def gathered(server: Server, browser: Browser) -> People:
    boss, dealer, supervisor = (
        Official(context(browser, address=server.address), name) for name in ("boss", "d1", "s1")
    )
    boss.come_in(server.link)
    boss.press("boss")
    for official, office in ((dealer, "dealer"), (supervisor, "supervisor")):
        official.register()
        boss.appoint(official.name, office)
    boss.page.context.close()
    players = [Player(context(browser, address=server.address), name) for name in ("p1", "p2", "p3")]
    for player in players:
        player.post("/api/enter", name=player.name)
    return People(server, *players, dealer, supervisor)


class Clauses(NamedTuple):
    """What people are shown of the law in an evening, as it is called there."""

    burnt_in_error: str = ""
    absent: str = ""
    voided: str = ""
    forfeit: str = ""


TITLES = {
    "act-blackjack-2003": "ACT Blackjack, 2003",
    "act-blackjack-1997": "ACT Blackjack with the 1997 alterations",
    "act-pontoon-2002": "Canberra Pontoon, 2002",
}
CLAUSES = {
    "act-blackjack-2003": Clauses("Clause 14.2", "Clause 14.7", "Clause 14.5"),
    "act-blackjack-1997": Clauses("Clause 14.2 of 2003", "Clause 14.7 of 2003", "Clause 14.5 of 2003"),
    "act-pontoon-2002": Clauses("Clause 15.2", "Clause 15.7", "Clause 15.5", "Clause 12.6"),
    "uk-blackjack-1994": Clauses(absent="regulation 7(1)(e)"),
}


@pytest.mark.parametrize("book", TITLES)
def test_an_evening_of_the_territory(people: People, book: str) -> None:
    law = CLAUSES[book]
    table = people.dealer.open_table(TITLES[book])
    come_to(people, table, "Pontoon, d1" if law.forfeit else "Blackjack, d1")
    prepare_the_shoe(people, burns=book == "act-blackjack-2003")
    split_insured_and_doubled(people)
    struck_stale_and_absent(people, law)
    found_late(people, law, back="p1 −$20, p3 −$10, p2 $20")
    natural_and_doubled(people, law)
    show_what_the_ledger_has(people, table, p1="+$120", p2="+$20" if law.forfeit else "+$80", p3="+$5")


def test_an_evening_of_the_kingdom(people: People) -> None:
    """The regulation is silent on several bettors on a box, so the house says that there may be two."""
    law = CLAUSES["uk-blackjack-1994"]
    book, settings = "uk-blackjack-1994", {"bettors_per_box": 2}
    asked = {"rulebook": book, "kind": "live", "side_bets": True, "settings": settings}
    table = str(people.dealer.post("/api/tables", **asked)["id"])
    people.dealer.page.goto(f"/console/{table}")
    come_to(people, table, "Blackjack, d1")
    have_the_supervisor_cut(people)
    natural_insured(people)
    separated_struck_stale_and_absent(people, law)
    found_late(people, law, back="p1 −£55, p3 −£20, p2 £20")
    natural_and_doubled(people, law)
    show_what_the_ledger_has(people, table, p1="+£52.50", p2="+£80", p3="+£30")


@pytest.mark.parametrize("book", NAMES)
def test_who_is_gone_when_the_clock_runs_out_is_absent(people: People, book: str) -> None:
    """At a table that deals by itself, with chips out of one's purse."""
    p1, p2 = people.p1, people.p2
    table = int(p1.post("/api/tables", rulebook=book, clocks={"away": 1})["id"])
    for box, player in enumerate((p1, p2), start=1):
        player.go_to(str(table))
        player.press(f"Sit here, box {box}")
    while not dealt_to_a_decision(p1, p2, "pounds" if book.startswith("uk") else "dollars"):
        for player in (p1, p2):
            player.button(starting("Next bets")).click()
    p1.line.cut()
    p1.reads("Connection lost")
    while not p2.is_asked("Your turn", *SETTLED):
        decide(p2)
    p2.is_told("p1 is not there to decide for box 1", CLAUSES[book].absent)
    while not p2.is_asked(*SETTLED):
        decide(p2)
    p1.come_back()
    p1.reads("While you were away: ")
    with on_file(people.server.data) as (ledger, tables):
        assert ledger.amiss() == ""
        for player in (p1, p2):
            has = ledger.balance(purse(player.name)) + ledger.balance(chips_of(player.name, table))
            player.has(f"Your play chips{money(has, load(book))}")
        replay(tables.log(table))


def dealt_to_a_decision(p1: Player, p2: Player, coin: str) -> bool:
    """Bet, and pass all offers by, until p1 decides; False where the round ends without, by a natural."""
    for box, player in enumerate((p1, p2), start=1):
        player.bet(f"Bet on box {box}", f"25 {coin}")
        player.lies(f"Bet on box {box}, 25 {coin}")
        player.press("Deal")
    while not p1.is_asked("Your turn"):
        if p1.is_asked(*SETTLED):
            return False
        for player in (p1, p2):
            decide(player)
    return True


def decide(player: Player) -> None:
    """What comes first to mind, if anything is asked now."""
    if player.action("Play on").count():
        player.answer("Play on")
    elif player.is_asked("Your turn"):
        player.answer("Stand" if player.action("Stand").count() else "Hit")
    else:
        player.page.wait_for_timeout(50)


# Before the first round


def come_to(people: People, table: str, name: str) -> None:
    people.supervisor.go_to(table, name)
    people.p1.go_to(table)
    people.p2.go_to(table)
    people.p3.find(table, name)
    people.p1.press("Sit here, box 1")
    people.p2.press("Sit here, box 2")
    people.p3.reads("You are watching. Sit at a free box, or bet behind.")


def prepare_the_shoe(people: People, *, burns: bool) -> None:
    p1, dealer = people.p1, people.dealer
    dealer.sees("Check the cards")
    dealer.press("All cards are there")
    dealer.press("Shuffled")
    dealer.press("Offer the cut")
    p1.sees("The cut is yours: ")
    p1.button(re.compile("^Cut, [0-9]+ to")).click()
    dealer.sees("Place the cutting card")
    dealer.counts(60)
    if burns:
        dealer.deal("Burn a card", "5c")


def have_the_supervisor_cut(people: People) -> None:
    dealer, supervisor = people.dealer, people.supervisor
    dealer.press("Shuffled")
    dealer.press("Offer the cut")
    supervisor.sees("The supervisor cuts")
    supervisor.counts(150)
    dealer.sees("Place the cutting card")
    dealer.counts(60)


# The first round


def bet(people: People, coin: str, side: str) -> None:
    """p1 with a side bet, p3 behind, p2; the chips are those of the table's coin."""
    p1, p2, p3 = people.players
    people.dealer.press("Open the betting")
    p1.bet("Bet on box 1", f"25 {coin}")
    p1.bet(f"{side} on box 1", f"5 {coin}")
    p1.lies(f"{side} on box 1, 5 {coin}")
    p3.bet("Bet behind p1 on box 1", f"5 {coin}", f"5 {coin}")
    p3.lies(f"Bet behind p1 on box 1, your 10 {coin}")
    p2.bet("Bet on box 2", *[f"5 {coin}"] * 4)
    p2.lies(f"Bet on box 2, 20 {coin}")
    close_bets(people)


def close_bets(people: People) -> None:
    people.dealer.sees("3 wagers on 2 boxes")
    people.dealer.press("No more bets")


def split_insured_and_doubled(people: People) -> None:
    """A side bet wins; one of three insures; the one behind rides on a split; two hands are doubled."""
    _, p1, p2, p3, dealer, _ = people
    bet(people, "dollars", "Perfect Pairs")
    dealer.tap("8s 5h Ac 8s 6h")
    for player in people.players:
        player.sees("Before play: the dealer shows ace of clubs")
    p1.has("Won here+$125")
    p1.choose("Insure, adds 12 dollars 50 cents")
    p2.choose("Play on")
    p3.choose("Play on")
    p3.is_told("p1 insures box 1 for $12.50")
    dealer.press("Close the offers")
    dealer.confirm("Close the offers?")
    p1.sees("Your turn: sixteen")
    p1.choose("Split")
    p3.sees("a split is under way. Do you join?")
    p3.choose("Ride")
    dealer.deal("Card to box 1, which has 8", "Jh")
    p1.sees("Your turn: hand 1 of 2, eighteen")
    p1.choose("Stand")
    dealer.deal("Card to box 1.2, which has 8", "3d")
    p1.sees("Your turn: hand 2 of 2, eleven")
    p1.choose("Double, adds 25 dollars")
    dealer.deal("Card to box 1.2, which has 11", "9c")
    p2.sees("Your turn: eleven")
    p2.choose("Double, adds 20 dollars")
    dealer.deal("Card to box 2, which has 11", "Kh 9d")
    settle(people, p1="You won $87.50", p2="You won $40", p3="You lost $10")


def natural_insured(people: People) -> None:
    """Only a two-card 21 is insured; a side bet loses; a double wins."""
    _, p1, p2, p3, dealer, _ = people
    bet(people, "pounds", "Over 13")
    dealer.tap("Ks 5h Ac As 6h")
    p1.sees("Before play: the banker shows ace of clubs")
    p1.choose("Insure, adds 12 pounds 50 pence")
    p3.choose("Play on")
    p3.is_told("p1 insures box 1 for £12.50")
    dealer.press("Close the offers")
    dealer.confirm("Close the offers?")
    p2.sees("Your turn: eleven")
    p2.choose("Double, adds 20 pounds")
    dealer.deal("Card to box 2, which has 11", "Jh 9d")
    settle(people, p1="You won £20", p2="You won £40", p3="You won £15")


def settle(people: People, **results: str) -> None:
    people.dealer.press("Settle")
    for player in people.players:
        player.sees(results[player.name])
    people.dealer.press("Collect the cards")


# The second round


def bet_again(people: People) -> None:
    people.dealer.press("Open the betting")
    for player in people.players:
        player.button(starting("Repeat last")).click()
    close_bets(people)


def struck_stale_and_absent(people: People, law: Clauses) -> None:
    """A card burnt in error, one typed wrong; a second window, a slow line and a lost one."""
    dealer = people.dealer
    deal_with_mistakes(people, law, "Jh 5s 7d", wrong="7c", then="6c 4d")
    asked, then = "Your turn: sixteen", "Your turn: twenty"
    press_twice_in_a_second_window(people, asked, "Card to box 1, which has 16", "4h", then)
    press_on_a_stale_page(people, "Your turn: twenty", "Box 2 decides (p2)", "Box 2 decides (p2)")
    lose_the_connection(people, law, draws="3c")
    dealer.deal("Draw to your hand", "8h 3s")
    settle(people, p1="You won $20", p2="You lost $20", p3="You won $10")


def separated_struck_stale_and_absent(people: People, law: Clauses) -> None:
    """Who bets behind separates as well, or nobody does; who is absent stands."""
    _, p1, _, p3, dealer, _ = people
    deal_with_mistakes(people, law, "8s 5s 7d", wrong="7c", then="8d 4d")
    p1.sees("Your turn: sixteen")
    p1.choose("Separate")
    p3.sees("a separation is under way. Do you join?")
    p3.choose("Separate, adds 10 pounds")
    dealer.deal("Card to box 1, which has 8", "3d")
    eleven, twenty = "Your turn: hand 1 of 2, eleven", "Your turn: hand 1 of 2, twenty"
    press_twice_in_a_second_window(people, eleven, "Card to box 1, which has 11", "9h", twenty)
    press_on_a_stale_page(people, twenty, "Card to box 1.2", "A card comes to box 1.2")
    dealer.deal("Card to box 1.2", "Jh")
    p1.sees("Your turn: hand 2 of 2, eighteen")
    p1.choose("Stand")
    lose_the_connection(people, law)
    dealer.deal("Draw to your hand", "Td")
    settle(people, p1="You won £55", p2="You lost £20", p3="You won £20")


def deal_with_mistakes(people: People, law: Clauses, cards: str, *, wrong: str, then: str) -> None:
    """A card is burnt that was not to be; the second of box 1 is tapped wrong, struck, and tapped anew."""
    dealer, supervisor = people.dealer, people.supervisor
    bet_again(people)
    dealer.falls("Burnt in error", "2c")
    dealer.is_told("is burnt", law.burnt_in_error)
    dealer.deal("Card to box 1", f"{cards} {wrong}")
    expect(dealer.hands_with(wrong)).to_be_visible()
    expect(supervisor.hands_with(wrong)).to_be_visible()
    supervisor.types(f"strike {supervisor.last_line} why=it was another card")
    supervisor.confirm("Strike the record from line")
    expect(dealer.hands_with(wrong)).to_have_count(0)
    dealer.deal("Card to box 1", then)


def press_twice_in_a_second_window(people: People, asked: str, due: str, card: str, then: str) -> None:
    """The first window says where the table is played; of two presses in the second one counts."""
    p1, dealer = people.p1, people.dealer
    p1.sees(asked)
    second = p1.second_window()
    p1.reads("You play this table in another window")
    second.sees(asked)
    second.choose_twice("Hit")
    dealer.deal(due, card)
    second.sees(then)
    p1.press("Play here")
    second.reads("You play this table in another window")
    p1.sees(then)
    second.page.close()


def press_on_a_stale_page(people: People, asked: str, due: str, then: str) -> None:
    """The dealer hears p1 stand and puts it on record; the page of p1 has not heard of it."""
    p1, dealer = people.p1, people.dealer
    p1.line.hold()
    dealer.button(starting("Stand")).click()
    dealer.sees(due)
    p1.sees(asked)
    p1.choose("Hit")
    p1.line.release()
    p1.reads("The table has moved on; nothing was done.")
    p1.sees(then)


def lose_the_connection(people: People, law: Clauses, draws: str = "") -> None:
    """Who is not there to decide is absent; who comes back is told what became of the hand."""
    p2, dealer = people.p2, people.dealer
    p2.sees("Your turn: nine")
    p2.line.cut()
    p2.reads("Connection lost")
    expect(p2.button(starting("Hit, not open. The connection is lost."))).to_be_visible()
    dealer.press("Player absent")
    dealer.is_told("p2 is not there to decide for box 2", law.absent)
    if draws:
        dealer.deal("Card to box 2, which has 9", draws)
    dealer.sees("Draw to your hand")
    p2.come_back()
    p2.reads("While you were away: ")
    p2.reads("You are away")


# The third round


def found_late(people: People, law: Clauses, *, back: str) -> None:
    """The supervisor voids the round before, once this one has begun, and every chip of it goes back."""
    bet_again(people)
    people.dealer.deal("Card to box 1", "Ah")
    people.dealer.sees("Card to box 2")
    people.supervisor.order("Supervisor", "Rounds that do not count", "Void round", Round="2")
    people.supervisor.confirm(f"Round 2 is void; back go: {back}. That is twenty")
    for player in people.players:
        player.is_told(f"Round 2 is void; back go: {back}", law.voided)


def natural_and_doubled(people: People, law: Clauses) -> None:
    """A natural, and a double that is forfeited where the law knows it."""
    p2, dealer = people.p2, people.dealer
    sign = "£" if law == CLAUSES["uk-blackjack-1994"] else "$"
    dealer.deal("Card to box 2", "5d 6h Kc 6s")
    p2.sees("Your turn: eleven")
    p2.choose("Double")
    dealer.deal("Card to box 2, which has 11", "2h")
    if law.forfeit:
        p2.choose("Forfeit")
        p2.is_told("You lose $20 on $40", law.forfeit)
    else:
        dealer.deal("Draw to your hand", "Jd 9h")
    lost_or_won = f"You lost {sign}20" if law.forfeit else f"You won {sign}40"
    settle(people, p1=f"You won {sign}32.50", p2=lost_or_won, p3=f"You won {sign}15")


# The end


def show_what_the_ledger_has(people: People, table: str, **won: str) -> None:
    """Pages show what the ledger has, it sums to zero, and the record is decided again the same."""
    for player in people.players:
        player.has(f"Won here{won[player.name]}")
    for person in (*people.players, people.dealer, people.supervisor):
        assert person.problems == []
        assert {f"http://{host}" for host in person.hosts} == {people.server.address}
    with on_file(people.server.data) as (ledger, tables):
        assert ledger.amiss() == ""
        for name, words in won.items():
            assert ledger.balance(chips_of(name, int(table))) == cents(words[1:])
        log = tables.log(int(table))
        assert replay(log).commands == len(log.lines)
    people.p1.page.goto(f"/history/{table}/2")
    people.p1.reads("Log verified")
