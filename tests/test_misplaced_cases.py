"""Rounds in which cards were misplaced, as cases: where a card was laid, and how the hands must lie."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from croupier.cases import read_case, run_case
from croupier.errors import ParseError
from croupier.house.rounds import case_of, to_toml, write_case_log
from croupier.house.shoes import VirtualShoe
from croupier.house.tables import new_table
from croupier.record import read_log
from croupier.rulebook import load
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.conduct import card_command, due
from croupier.table.reconstruct import lying
from evenings import Evening
from test_log import round_numbers

ACT = ("act-blackjack-2003", "act-blackjack-1997", "act-pontoon-2002")


class Careless(Evening):
    """An evening whose dealer lays cards on wrong hands, draws some in error, and finds some later."""

    def step(self) -> None:
        if self.chance.random() < 0.15:
            self._lay_anew()
        elif due(self.table.state) == "card" and self.chance.random() < 0.3:
            self._lay_wrongly()
        else:
            super().step()

    def _lay_wrongly(self) -> None:
        state = self.table.state
        assert self.table.cards is not None
        if not state.shoe.left:
            self.table.next_card()
            return
        word = state.shoe.held[0] if state.shoe.held else self.table.cards.peek(state)
        command = card_command(state, word)
        if not isinstance(command, cmd.Deal):
            self.table.next_card()
        elif self.chance.random() < 0.2 and not state.shoe.held:
            self._ask(cmd.DrawInError(card=command.card))
        else:
            self._ask(cmd.Deal(card=command.card, laid_on=self.chance.choice(("1", "2", "3", "dealer"))))

    def _lay_anew(self) -> None:
        """Two hands have each other's card."""
        hands = {place: list(cards) for place, cards in lying(self.table.state).items() if cards}
        if len(hands) < 2:
            return
        one, other = self.chance.sample(sorted(hands), 2)
        first, second = (self.chance.randrange(len(hands[place])) for place in (one, other))
        hands[one][first], hands[other][second] = hands[other][second], hands[one][first]
        self._ask(cmd.Reconstruct(hands={place: tuple(hands[place]) for place in (one, other)}))


def careless(path: Path, name: str, seed: int, rounds: int = 12) -> None:
    book = load(name)
    table = new_table(book, book.demonstration, cards=VirtualShoe(seed), log=path)
    evening = Careless(table, seed)
    evening.sit()
    while table.state.round < rounds:
        evening.step()
    table.close()


@pytest.mark.parametrize("name", ACT)
@pytest.mark.parametrize("seed", range(8))
def test_every_round_with_misplaced_cards_is_a_case_that_holds(name: str, seed: int, tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    careless(path, name, seed)
    log = read_log(path)
    misplaced = 0
    for number in round_numbers(log)[:-1]:
        case = read_case(tomllib.loads(to_toml(case_of(log, number))), "written")
        assert run_case(case).problems == (), (number, to_toml(case))
        misplaced += any(">" in word for word in case.cards) or any(
            "reconstruct" in line for line in case.play
        )
    assert misplaced > 2


def test_such_a_case_becomes_a_log_and_a_case_again(tmp_path: Path) -> None:
    careless(tmp_path / "table.log", ACT[0], 3)
    log = read_log(tmp_path / "table.log")
    for number in round_numbers(log)[:-1]:
        case = read_case(tomllib.loads(to_toml(case_of(log, number))), "written")
        again = tmp_path / f"{number}.log"
        write_case_log(case, again)
        written = read_case(tomllib.loads(to_toml(case_of(read_log(again)))), "written")
        assert (written.cards, written.play, written.expect) == (case.cards, case.play, case.expect)


RAW = {
    "rulebook": "act-blackjack-2003",
    "cards": "Kh 9c>2 6d Td>1 7h 9s",
    "play": ["1 stand", "2 stand"],
    "wager": [{"box": 1, "player": "p1", "stake": 10}, {"box": 2, "player": "p2", "stake": 10}],
}


def test_a_misplaced_card_goes_where_it_is_due() -> None:
    raw = RAW | {
        "dealer": "6d 9s 8h",
        "cards": "Kh 9c>dealer 6d Td>2 7h 9s 8h",
        "expect": [
            {"player": "p1", "box": 1, "net": 10, "clause": "13.2(b)"},
            {"player": "p2", "box": 2, "net": 10, "clause": "13.2(b)"},
        ],
    }
    outcome = run_case(read_case(raw, "case"))
    assert outcome.problems == ()
    laid = [
        (event.card, event.on, event.due) for event in outcome.events if isinstance(event, ev.CardMisplaced)
    ]
    assert laid == [("9c", "dealer", "2"), ("Td", "2", "1")]


def test_the_case_in_the_docs_holds() -> None:
    page = (Path(__file__).parent.parent / "docs" / "cases.md").read_text()
    case = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert case is not None
    assert run_case(read_case(tomllib.loads(case[1]), "cases.md")).problems == ()


@pytest.mark.parametrize("word", ["9c>", "9c>x", "9c>2.x", "9c>2>1", "9c^>2", ">2", "9c>²"])
def test_a_wrong_mark_is_a_sentence(word: str) -> None:
    with pytest.raises(ParseError, match=r"^case: "):
        read_case(RAW | {"cards": f"Kh {word} 6d"}, "case")


def test_a_line_that_does_not_come_when_it_says_fails() -> None:
    raw = RAW | {"cards": "Kh 9c 6d Td 7h", "play": ["after 3 playing reconstruct 1 9c Td / 2 Kh 7h"]}
    (problem,) = run_case(read_case(raw, "case")).problems
    assert "does not come when it says: the table waits after 5 playing" in problem


def test_a_reconstruction_that_the_rules_refuse_fails() -> None:
    raw = RAW | {"cards": "Kh 9c 6d Td 7h", "play": ["after 5 playing reconstruct 1 9c / 2 Kh 7h"]}
    (problem,) = run_case(read_case(raw, "case")).problems
    assert "is left out" in problem
