"""What a game is, in five lines for somebody who has never played it; every word follows from the rules."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.money import odds_text
from croupier.rulebook.book import Rulebook
from croupier.rulebook.paytable import Row, SideBet
from croupier.rulebook.rules import Rules
from croupier.rulebook.words import share_of, title, words


def about(book: Rulebook, rules: Rules | None = None) -> list[str]:
    """Aim and values, the dealer, what wins and pays, what a player may do, and what is special."""
    known = rules or book.rules
    return [
        f"{_aim(book)} {_values(known)}",
        _dealer(book, known),
        _pays(book, known),
        _choices(book, known),
        _special(book, known),
    ]


def soft() -> str:
    return "A hand that counts an ace as 11 is soft: no next card can take it over 21. Any other is hard."


def _aim(book: Rulebook) -> str:
    return f"Come closer to 21 than the {book.words.dealer}; over 21 is bust, and loses."


def _values(rules: Rules) -> str:
    tens = words("ten_ranks", rules.ten_ranks)
    missing = "" if "T" in rules.ranks else " (there are no tens)"
    return f"An ace counts {rules.ace_low} or {rules.ace_high}; {tens} ten{missing}; others their number."


def _dealer(book: Rulebook, rules: Rules) -> str:
    """What the dealer does, and that there is no hidden card."""
    name, stands = book.words.dealer, rules.dealer_draws_to + 1
    soft_17 = "but draws on soft 17" if rules.soft_17 == "hit" else "soft 17 too"
    on_soft = f", {soft_17}" if stands == 17 else ""
    one = rules.deal_order.count("dealer") == 1
    first = f"The {name} gets one card, face up, and the rest when you are done: " if one else f"The {name} "
    return f"{first}draws to {rules.dealer_draws_to}, stands on {stands}{on_soft}."


def _pays(book: Rulebook, rules: Rules) -> str:
    natural = book.words.natural
    made = "an ace with a card that counts ten, as your first two"
    same = "The same total is a push: your bet comes back."
    if rules.twenty_one == "paid_at_once":
        same = f"Your 21 wins whatever the {book.words.dealer} has. {same}"
    odds = f"pays {odds_text(rules.natural_pays)}; other wins {odds_text(rules.win_pays)}"
    return f"A {natural}, {made}, {odds}. {same}"


def _choices(book: Rulebook, rules: Rules) -> str:
    return " ".join((_drawing(rules), _doubling(rules), _splitting(book, rules)))


def _drawing(rules: Rules) -> str:
    least = rules.must_draw_below_hard
    must = f", and below hard {least} you must" if least else ""
    return f"Hit (a card) as often as you like{must}, or stand (no more)."


def _doubling(rules: Rules) -> str:
    on = words("double_cards", rules.double_cards)
    totals = "" if rules.double_totals == "any" else f" that make {rules.double_totals.replace('-', ' to ')}"
    amount = "as much as" if rules.double_amount == "equal" else "up to"
    return f"Double on {on}{totals}: add {amount} your bet, for one last card."


def _splitting(book: Rulebook, rules: Rules) -> str:
    split = book.words.split.capitalize()
    never = words("unsplittable", rules.unsplittable) if rules.unsplittable else ""
    but = f" (not those worth {never})" if never else ""
    most = f" up to {rules.max_hands} hands" if rules.max_hands else " as often as they come"
    aces = "one card to each ace" if rules.split_ace_cards == 1 else ""
    return f"{split} two equal cards{but} into two hands,{most}{'; ' if aces else ''}{aces}."


def _special(book: Rulebook, rules: Rules) -> str:
    found = [*_offers(book, rules), *_extras(book, rules)]
    return "Also: " + "; ".join(found) + "." if found else "There is nothing beside that."


def _offers(book: Rulebook, rules: Rules) -> Iterator[str]:
    dealer = book.words.dealer
    if rules.surrender != "none":
        when = words("surrender", rules.surrender).removeprefix("yes, ")
        yield f"surrender for {share_of(rules.surrender_share)} the bet, {when}"
    if rules.insurance_upcards:
        against = words("insurance_upcards", rules.insurance_upcards)
        whose = (
            "" if rules.insurance_for == "anyone" else f", for {words('insurance_for', rules.insurance_for)}"
        )
        yield f"insurance against the {dealer}'s {against} pays {odds_text(rules.insurance_pays)}{whose}"
    if rules.even_money_upcards:
        upcards = words("even_money_upcards", rules.even_money_upcards)
        yield f"even money for a {book.words.natural} against {upcards}"


def _extras(book: Rulebook, rules: Rules) -> Iterator[str]:
    if rules.forfeit:
        yield "a doubled hand may be given up for the first bet"
    if rules.bonus_rows:
        best = max(rules.bonus_rows.values(), key=lambda row: row.pays)
        yield f"bonuses for {len(rules.bonus_rows)} kinds of 21, up to {odds_text(best.pays)}"
    if rules.super_bonus is not None:
        bonus = rules.super_bonus
        prize = (
            f"{book.words.currency}{bonus.below_threshold:,} or {book.words.currency}{bonus.from_threshold:,}"
        )
        yield f"a Super Bonus of {prize} for suited sevens against a {bonus.dealer_rank}"
    if rules.boxes_needed > 1:
        clauses = ", ".join(book.short(clause) for clause in book.cite("boxes_needed"))
        yield f"a round needs bets on {rules.boxes_needed} boxes [{clauses}]"


# What a player may do


def meanings(rules: Rules, book: Rulebook) -> dict[str, str]:
    """What each key of a menu does under these rules."""
    dealer, natural = book.words.dealer, book.words.natural
    return {
        "h": "another card",
        "s": "no further card",
        "d": "raise the bet for one last card",
        "p": "two equal cards become two hands, each with your bet",
        "i": f"a side wager that the {dealer} gets a {natural}; it pays {odds_text(rules.insurance_pays)}",
        "e": f"your {natural} is paid {odds_text(rules.even_money_pays)} now, whatever the {dealer} draws",
        "r": f"give up {share_of(rules.surrender_share)} the bet and the hand",
        "f": "give up the original bet and take back what you doubled by",
        "n": "none of these",
    }


# Tables of what is paid


def bonuses(rules: Rules) -> list[str]:
    """What each bonus hand pays."""
    return [_row(row) for row in rules.bonus_rows.values()]


def side_bet(name: str, bet: SideBet) -> str:
    """What a side bet is on and what it pays."""
    rows = "; ".join(_row(row) for row in bet.rows.values())
    return f"{title(name)}, on your first {bet.first_cards} cards: {rows}"


def _row(row: Row) -> str:
    return words("", row)
