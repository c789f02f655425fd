"""What is asked of a player, in words: the question, the keys of the moment, and why not the others.

The line mode and the page say the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.cards import pretty
from croupier.cli.screen import any_clause
from croupier.house.evening import Evening, Option, Question
from croupier.house.wish import open_sides, side_terms
from croupier.rulebook import Rulebook
from croupier.rulebook.about import meanings, side_bet
from croupier.story import capital, hand_words, restated
from croupier.table import commands as cmd
from croupier.table.again import Bid
from croupier.table.deal import place_name
from croupier.table.sidebets import short_name

EVERYTHING_OPEN = "Everything is open to you here."


def shown_bid(bid: Bid, evening: Evening) -> str:
    sides = "".join(f" {short_name(name)}={evening.money(stake)}" for name, stake in bid.sides.items())
    return f"{evening.money(bid.stake)}{sides}"


def limits(evening: Evening) -> str:
    terms = evening.state.terms
    return f"{evening.money(terms.minimum)} to {evening.money(terms.maximum)}"


def question_words(evening: Evening, question: Question) -> tuple[str, str]:
    """The question, and what can be answered beside the keys of a menu."""
    place = f"box {place_name(question.box, question.hand or 1)}"
    if question.kind == "bet":
        last = evening.again(question.box)
        hint = f"Enter: {shown_bid(last, evening)} again" if last else limits(evening)
        return (
            f"Round {evening.state.round}, {place}: you have {evening.money(evening.free)}. Your bet?",
            hint,
        )
    if question.kind == "cut":
        return (
            f"The cut is yours: {question.low} to {question.high} cards from the front.",
            "Enter: at random. n: decline.",
        )
    if question.kind == "amount":
        return amount_words(evening, question), f"Enter: {evening.money(question.full)}. n: go back."
    if question.kind == "offer":
        return f"Box {question.box}, {hand_against(evening, question)}, before play:", ""
    return f"{capital(place)}, {hand_against(evening, question)}: what do you do?", ""


def hand_against(evening: Evening, question: Question) -> str:
    """`16 hard against 10`: what a decision is about."""
    state, book = evening.state, evening.book
    hand = hand_words(state.rules, book, state.hand(question.box, question.hand))
    return f"{hand} against {pretty(state.upcard)}" if state.upcard else hand


def amount_words(evening: Evening, question: Question) -> str:
    what = "Insure" if isinstance(question.command, cmd.Insure) else "Double by"
    most, step = evening.money(question.high), evening.money(question.low)
    many = "for how much" if what == "Insure" else "how much"
    return f"{what} {many}, up to {most} in steps of {step}?"


# Help


def help_lines(evening: Evening, question: Question) -> Iterator[str]:
    """The keys of the moment and what each does, from the rules."""
    if question.kind == "bet":
        yield from bet_help(evening)
    elif question.kind == "cut":
        yield "A number of cards to cut at, Enter to cut at random, n to leave the cut to others."
    elif question.kind == "amount":
        yield f"An amount up to {evening.money(question.high)}, Enter for all of it, n to go back."
    meaning = meanings(evening.state.rules, evening.book)
    for option in question.options:
        closed = " (not now)" if option.problem else ""
        yield f"{option.key}  {option.label}: {meaning[option.key]}{closed}"


def bet_help(evening: Evening) -> Iterator[str]:
    yield f"Type an amount from {limits(evening)}."
    for name in open_sides(evening.state):
        yield f"Behind it, as in `10 {short_name(name)}=5`: {side_terms(evening.state, evening.book, name)}"
        yield f"   {side_bet(name, evening.state.rules.side_bets[name])}"
    needed = needed_words(evening)
    if needed:
        yield needed
    yield "Enter repeats the last bet, n passes this box by, q leaves."


def needed_words(evening: Evening) -> str:
    """Why one player is asked for several bets, with the clause, where it is so."""
    needed, book = evening.state.rules.boxes_needed, evening.book
    if needed < 2:
        return ""
    clauses = ", ".join(book.short(clause) for clause in book.cite("boxes_needed"))
    return f"A round needs wagers on {needed} boxes or more [{clauses}]."


def limits_words(evening: Evening) -> str:
    """What holds of any bet here."""
    multiple = evening.state.rules.house.multiple
    many = f", in multiples of {evening.money(multiple)}" if evening.state.rules.wager_multiples else ""
    return f"A bet is {limits(evening)}{many}. {needed_words(evening)}".rstrip()


def clause_lines(book: Rulebook, number: str) -> list[str]:
    """What a clause and its parts say, or that there is none of that name."""
    found = [clause for clause in book.clauses if clause.is_named(number)]
    if not found:
        return [f"{book.id} has no clause {number!r}; {any_clause(book)} is one."]
    return [f"{book.short(clause)}  {restated(clause)}" for clause in found]


def why_not(question: Question) -> list[str]:
    """The bar of everything that is closed."""
    return [sentence(option) for option in question.closed] or [EVERYTHING_OPEN]


def sentence(option: Option) -> str:
    return capital(option.problem)
