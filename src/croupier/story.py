"""Events in plain words, and the clauses behind them, for people to read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from croupier.cards import Card, pretty
from croupier.game.hand import TWENTY_ONE, hand_total, is_natural, is_natural_pair, total
from croupier.money import dollars
from croupier.rulebook import Rulebook, Rules
from croupier.rulebook.book import HOUSE_RULE
from croupier.rulebook.text import Clause
from croupier.rulebook.wager import INSURANCE, MAIN, SUPER_BONUS, WagerName
from croupier.table import events as ev
from croupier.table.actors import SUPERVISOR
from croupier.table.deal import place_name
from croupier.table.events import Event
from croupier.table.state import BoxHand, State

STAGES = {
    "offers": "Before the subsequent deal: insurance, even money and surrender as far as they are open",
    "playing": "The subsequent deal begins",
    "dealer": "All boxes are done; the {dealer} plays",
    "settled": "The settlement is complete",
    "shuffle": "The cards are to be shuffled",
}

MOVES_MONEY = (
    ev.Settled,
    ev.WagerReturned,
    ev.WagerVoided,
    ev.RoundVoided,
    ev.RoundInvalidated,
    ev.DisputeRuled,
)

MINUS = "−"
YOU = "you"
OF_MANY = {"is": "are", "has": "have", "was": "were"}

WAGERS = {MAIN: "", INSURANCE: " insurance", SUPER_BONUS: " Super Bonus"}


def tell(event: Event, book: Rulebook) -> str:
    """One event in one sentence, without its clauses."""
    return _TELLERS[type(event)](event, book)


def tell_own(event: Event, book: Rulebook, player: str) -> str:
    """One event as it is told to the player whom it is about."""
    own = _OWN.get(type(event))
    if own is not None:
        return capital(own(event, book))
    names = {name: YOU for name in ("player", "by") if getattr(event, name, "") == player}
    return capital(_second_person(tell(replace(event, **names), book)))


def _second_person(sentence: str) -> str:
    """`you bets $10` is put right: who is spoken to bets like many."""
    subject, verb, *rest = sentence.split(" ", 2)
    if subject == f"{YOU}'s":
        return " ".join(("your", verb, *rest))
    if subject != YOU:
        return sentence
    return " ".join((YOU, OF_MANY.get(verb, verb.removesuffix("s")), *rest))


def clauses_of(event: Event, book: Rulebook) -> tuple[Clause, ...]:
    return book.cite(*event.basis)


def cited(event: Event, book: Rulebook, most: int = 3) -> str:
    """The clauses of an event in brackets, the chief ones first: `[13.1(b), 13.2(b)]`.

    Money that no clause moves is moved by the house.
    """
    names = [book.short(clause) for clause in clauses_of(event, book)[:most]]
    if not names and isinstance(event, MOVES_MONEY):
        names = [HOUSE_RULE]
    return f"[{', '.join(names)}]" if names else ""


def restated(clause: Clause) -> str:
    """What a clause says in our words, and how it is read where it leaves room."""
    return f"{clause.says} Read as: {clause.reading}" if clause.reading else clause.says


def rules_text(book: Rulebook) -> str:
    """The rules themselves: every clause in force, one a line."""
    return "\n".join(f"{book.short(clause)}  {restated(clause)}" for clause in book.clauses)


def money(amount: int, book: Rulebook) -> str:
    sign = MINUS if amount < 0 else ""
    return f"{sign}{book.words.currency}{dollars(abs(amount))}"


def gain(net: int, book: Rulebook) -> str:
    """What a wager or a round brought: `+$15`, `−$10` or `$0`."""
    return f"{'+' if net > 0 else ''}{money(net, book)}"


def wager_name(name: str) -> str:
    """A wager as people call it: `perfect_pairs` is Perfect Pairs."""
    return WAGERS.get(WagerName(name), " " + name.replace("_", " ").title())


def capital(sentence: str) -> str:
    """The sentence with a capital letter in front, unless it opens with a quotation."""
    return sentence[:1].upper() + sentence[1:]


def as_sentence(sentence: str) -> str:
    """With a capital letter in front and a full stop behind, where it has no end of its own."""
    return capital(sentence) + ("" if sentence.endswith((".", "?", "]")) else ".")


# Totals in words


def worth_words(value: int, *, soft: bool, count: int) -> str:
    if value > TWENTY_ONE:
        return f"{value} bust"
    if value == TWENTY_ONE:
        return "21"
    return f"{value} soft" if soft else f"{value} hard" if count > 1 else str(value)


def hand_words(rules: Rules, book: Rulebook, hand: BoxHand) -> str:
    """A player's hand: `16 hard`, `17 soft`, `Blackjack`, `22 bust`."""
    if is_natural(rules, hand):
        return book.words.natural
    if hand.surrendered:
        return "surrender"
    value, soft = hand_total(rules, hand)
    return worth_words(value, soft=soft, count=len(hand.cards))


def dealer_words(rules: Rules, book: Rulebook, cards: tuple[Card, ...]) -> str:
    if is_natural_pair(rules, cards):
        return book.words.natural
    value, soft = total(rules, cards)
    return worth_words(value, soft=soft, count=len(cards))


def main_net(state: State, box: int, hand: int, player: str) -> int:
    """What a bettor's stake on a hand has brought so far."""
    mine = (box, hand, player, MAIN)
    return sum(
        result.net
        for result in state.results
        if (result.box, result.hand, result.player, result.wager) == mine
    )


def hand_of(state: State, event: ev.Settled) -> BoxHand | None:
    """The hand that a settlement is about; none where it is about a wager beside the main one."""
    hands = state.box(event.box).hands
    return hands[event.hand - 1] if event.wager == MAIN and 0 < event.hand <= len(hands) else None


def outcome(state: State, event: ev.Settled, book: Rulebook) -> str:
    """One word, or a few: what happened to the wager. `state`: the table while the cards lie there."""
    hand = hand_of(state, event)
    if hand is None:
        won = "wins" if event.net > 0 else "loses" if event.net < 0 else "comes back"
        return f"{wager_name(event.wager).strip()} {won}"
    return _ended(state, event, hand) or _compared(state, event, hand, book)


def _ended(state: State, event: ev.Settled, hand: BoxHand) -> str:
    """What a hand came to before it was compared with the dealer's, if it did."""
    if event.end == "forfeited":
        return "forfeited"
    if hand.surrendered:
        return "surrendered"
    return "bust" if hand_total(state.rules, hand)[0] > TWENTY_ONE else ""


def _compared(state: State, event: ev.Settled, hand: BoxHand, book: Rulebook) -> str:
    if event.net == 0:
        return "push"
    if event.net > 0:
        return book.words.natural if is_natural(state.rules, hand) else "wins"
    return f"loses to a {book.words.natural}" if is_natural_pair(state.rules, state.dealer) else "loses"


# Every kind of event


def _place(box: int, hand: int = 1, *, book: Rulebook) -> str:
    return f"the {book.words.dealer}" if box == 0 else f"box {place_name(box, hand)}"


def _settled(event: ev.Settled, book: Rulebook) -> str:
    if event.player == YOU:
        return _settled_for_you(event, book)
    who = f"{event.player} on {_place(event.box, event.hand or 1, book=book)}{wager_name(event.wager)}"
    stake = f" on {money(event.stake, book)}" if event.stake else ""
    if event.net > 0:
        return f"{who} wins {money(event.net, book)}{stake}"
    if event.net < 0:
        return f"{who} loses {money(-event.net, book)}{stake}"
    return f"{who} gets {money(event.stake, book)} back"


def _settled_for_you(event: ev.Settled, book: Rulebook) -> str:
    verb = "wins" if event.net > 0 else "loses" if event.net < 0 else "gets"
    sum_of = money(abs(event.net), book) if event.net else f"{money(event.stake, book)} back"
    stake = f" on {money(event.stake, book)}" if event.stake and event.net else ""
    place = _place(event.box, event.hand or 1, book=book)
    return f"{YOU} {verb} {sum_of}{stake}{wager_name(event.wager)}, {place}"


def _placed(event: ev.WagerPlaced, book: Rulebook) -> str:
    sides = [f"{money(stake, book)}{wager_name(name)}" for name, stake in event.sides.items()]
    laid = ", ".join([money(event.stake, book), *sides] if event.stake or not sides else sides)
    over = f" ({money(event.over, book)} above the maximum goes back)" if event.over else ""
    return f"{event.player} bets {laid} on box {event.box}{over}"


def _cutting_card(event: ev.CuttingCardDrawn, book: Rulebook) -> str:
    then = {
        "shuffle_now": "the cards are shuffled now",
        "shuffle_after_round": "the cards are shuffled after this round",
        "set_aside": "it is set aside and dealing goes on",
    }[event.then]
    where = "" if event.at is None else f" at {_place(event.at, book=book)}"
    return f"The cutting card comes out{where}: {then}"


def _moves(pairs: tuple[tuple[str, int], ...], book: Rulebook) -> str:
    return ", ".join(f"{player} {money(amount, book)}" for player, amount in pairs) or "nothing"


def _doubled(event: ev.HandDoubled, book: Rulebook) -> str:
    amounts = ", ".join(f"{player} by {money(amount, book)}" for player, amount in event.amounts.items())
    return f"{_place(event.box, event.hand, book=book).capitalize()} is doubled: {amounts}"


def _stood(event: ev.HandStood, book: Rulebook) -> str:
    place = _place(event.box, event.hand, book=book)
    return f"{event.player} stands on {place}" if event.player else f"{place.capitalize()} is complete"


def _split(event: ev.HandSplit, book: Rulebook) -> str:
    place = _place(event.box, event.hand, book=book).capitalize()
    return f"{place} is {book.words.is_split} by {', '.join(event.players)}"


def _elected(event: ev.MoveElected, book: Rulebook) -> str:
    return (
        f"{event.player} elects to {book.words.verb(event.move)} {_place(event.box, event.hand, book=book)}"
    )


def _answered(event: ev.MoveAnswered, book: Rulebook) -> str:
    says = f"adds {money(event.amount, book)}" if event.amount else "adds nothing"
    return f"{event.player} on {_place(event.box, event.hand, book=book)} {says}"


def _reconstructed(event: ev.HandsReconstructed, book: Rulebook) -> str:
    hands = "; ".join(f"{place} {' '.join(map(pretty, cards))}" for place, cards in event.hands.items())
    burnt = f"; burnt: {' '.join(map(pretty, event.burnt))}" if event.burnt else ""
    return f"Misplaced cards are put right: {hands}{burnt}"


def _past_cutting_card(event: ev.PastCuttingCardNoticed, book: Rulebook) -> str:
    seen = "So many cards are gone that the cutting card has come" if event.counted else "It is noticed"
    then = "the cards are shuffled after the round" if event.shuffle else "the dealing goes on"
    return f"{seen}: dealing went on past the cutting card; {then}"


def _notice(event: ev.NoticeGiven, book: Rulebook) -> str:
    figures = f" of {money(event.minimum, book)} to {money(event.maximum, book)}" if event.maximum else ""
    return f"Notice of {event.of}{figures} is given to the {event.to}"


def _invalidated(event: ev.RoundInvalidated, book: Rulebook) -> str:
    money_part = f"refunded: {_moves(event.wagers, book)}" if event.refunded else "no refund"
    return f"Round {event.round} is invalidated ({event.cause}); {money_part}"


def _told(event: ev.Told, book: Rulebook) -> str:
    """An answer; who asks for the rules is given the text, which the event itself leaves to the rulebook."""
    asks = f"{event.player} asks for the {event.about}"
    if event.about == "rules":
        count = len(book.clauses)
        return f"{asks}\n{rules_text(book)}\nThis is the text in force, {count} clauses: {book.title}"
    return f"{asks}: " + ", ".join(f"{name} {value}" for name, value in event.answer.items())


def _format(template: str) -> Callable[[Any, Rulebook], str]:
    """A teller from a template over the event's fields, cards and places made readable."""

    def teller(event: Any, book: Rulebook) -> str:
        fields = {name: getattr(event, name) for name in type(event).__struct_fields__}
        if fields.get("card"):
            fields["card"] = pretty(fields["card"])
        if SUPERVISOR.name in (fields.get("player"), fields.get("by")):
            fields |= dict.fromkeys(("player", "by"), f"the {SUPERVISOR.name}")
        if "box" in fields:
            fields["place"] = _place(fields["box"], fields.get("hand") or 1, book=book)
        for name in ("amount", "minimum", "maximum", "paid", "back"):
            if isinstance(fields.get(name), int):
                fields[name] = money(fields[name], book)
        sentence = template.format(**fields, dealer=book.words.dealer)
        # A player's name stays as it is.
        return sentence if template.startswith(("{player}", "{by}")) else sentence[:1].upper() + sentence[1:]

    return teller


def _own_doubled(event: ev.HandDoubled, book: Rulebook) -> str:
    (_, amount), *others = event.amounts.items()
    beside = "".join(f"; {player} by {money(more, book)}" for player, more in others)
    return f"you double {_place(event.box, event.hand, book=book)} by {money(amount, book)}{beside}"


def _own_split(event: ev.HandSplit, book: Rulebook) -> str:
    beside = "".join(f", {player} with you" for player in event.players[1:])
    return f"you {book.words.split} {_place(event.box, event.hand, book=book)}{beside}"


# What is about a hand rather than a player, as whoever decides for the hand is told of it.
_OWN: dict[type[Event], Callable[[Any, Rulebook], str]] = {
    ev.CardDealt: _format("{card} to you on {place}"),
    ev.CardCalled: _format("you draw on {place}"),
    ev.HandSurrendered: _format("you surrender {place}"),
    ev.HandSplit: _own_split,
    ev.HandDoubled: _own_doubled,
}

_TELLERS: dict[type[Event], Callable[[Any, Rulebook], str]] = {
    ev.TableOpened: _format("{house} opens the table under {rulebook} ({instrument} of {made})"),
    ev.CardsChecked: _format("{count} cards are checked one by one"),
    ev.CardsShuffled: _format("{count} cards are shuffled"),
    ev.CutOffered: _format("the cut is offered to {player}"),
    ev.CutDeclined: _format("{player} declines the cut"),
    ev.CardsCut: _format("{by} cuts at {at} of {count} cards"),
    ev.CuttingCardPlaced: _format("the cutting card goes {from_back} cards from the back"),
    ev.ShoeLoaded: _format("a new shoe of {count} cards is ready"),
    ev.ShuffleInstructed: _format("the supervisor orders the shuffle at the {at} cutting card"),
    ev.CardBurnt: _format("{card} is burnt"),
    ev.CuttingCardDrawn: _cutting_card,
    ev.CardDrawnInError: _format("{card} is drawn in error and will be the next card"),
    ev.ShoeRanOut: _format("the shoe has run out; the discard rack is shuffled to finish the round"),
    ev.PastCuttingCardNoticed: _past_cutting_card,
    ev.ShoeFailed: lambda event, book: (
        f"The automated shoe fails ({event.kind})" + (" and is put right" if event.rectified else "")
    ),
    ev.ShoeReplaced: _format("the shoe is replaced, with new cards"),
    ev.BettingOpened: _format("round {round}: place your bets"),
    ev.SeatTaken: _format("{player} sits at {place}"),
    ev.SeatLeft: _format("{player} leaves {place}"),
    ev.WagerPlaced: _placed,
    ev.WagerReturned: _format("{player} gets {amount} back on {place}"),
    ev.PlayerWarned: lambda event, book: (
        f"{event.player} is told that further{wager_name(event.wager)} wagers under the minimum "
        "will be returned"
    ),
    ev.NoMoreBets: _format("no more bets"),
    ev.CardDealt: _format("{card} to {place}"),
    ev.CardMisplaced: _format("{card} was laid on {on} and belongs to {due}: it is moved there"),
    ev.StageReached: lambda event, book: STAGES.get(event.stage, event.stage).format(
        dealer=book.words.dealer
    ),
    ev.InsurancePlaced: _format("{player} insures {place} for {amount}"),
    ev.HandSurrendered: _format("{place} surrenders"),
    ev.CardCalled: _format("{place} draws"),
    ev.HandStood: _stood,
    ev.MoveElected: _elected,
    ev.MoveAnswered: _answered,
    ev.MoveLapsed: _format("the {move} of {place} does not happen"),
    ev.HandSplit: _split,
    ev.HandDoubled: _doubled,
    ev.PlayerReturned: _format("{player} is back"),
    ev.HandAnnounced: _format("{place} has {total}"),
    ev.HandsReconstructed: _reconstructed,
    ev.SurrenderUndone: _format("the surrender of {place} is undone"),
    ev.SettlementUndone: lambda event, book: (
        f"What {event.player} had on {_place(event.box, event.hand or 1, book=book)}"
        f"{wager_name(event.wager)} is undone: {money(event.net, book)}"
    ),
    ev.PlayerAbsent: _format("{player} is not there to decide for {place}"),
    ev.Settled: _settled,
    ev.HandRemoved: _format("the cards of {place} are removed"),
    ev.CardsCollected: _format("{count} cards are collected"),
    ev.RoundEnded: _format("round {round} is over"),
    ev.NoticeGiven: _notice,
    ev.LimitsSet: _format("the limits are {minimum} to {maximum}"),
    ev.CardsDetermined: _format("{decks} decks and shuffle {shuffle} are determined"),
    ev.SideBetSet: lambda event, book: (
        f"{wager_name(event.name).strip()} is {'offered' if event.offered else 'withdrawn'}"
    ),
    ev.DayBegun: _format("gaming day {day} begins"),
    ev.CuttingCardsDetermined: _format("{count} cutting card(s) are determined"),
    ev.MarkerRemoved: _format("the marker at {place} is taken away"),
    ev.LimitRaised: lambda event, book: (
        f"A marker raises {_place(event.box, book=book)} to {money(event.maximum, book)}"
        + (f" for {event.player}" if event.player else "")
    ),
    ev.PlayerHeld: lambda event, book: (
        f"{event.player} is held to "
        + " and ".join(["the minimum"] * event.minimum + ["the first box"] * event.first_box)
        + " until a new shoe"
    ),
    ev.BoxGivenUp: _format("{player} gives up {place} to {to}"),
    ev.CardReplaced: lambda event, book: (
        f"{pretty(event.card) if event.card else 'All cards'} replaced, "
        f"checked by {' and '.join(event.checked_by)}"
    ),
    ev.FinalRoundsAnnounced: _format("the final {rounds} rounds are announced"),
    ev.RoundVoided: lambda event, book: f"Round {event.round} is void; back go: {_moves(event.back, book)}",
    ev.RoundInvalidated: _invalidated,
    ev.BreachRecorded: _format("a breach by {player} is on record: {what}"),
    ev.WagerVoided: lambda event, book: (
        f"{event.player}'s wager on {_place(event.box, book=book)}"
        + (f" in round {event.round}" if event.round is not None else "")
        + f" is void: {money(event.back, book)} goes back"
    ),
    ev.PlayerExcluded: _format("{player} is excluded from the game"),
    ev.DisputeOpened: _format("dispute {dispute} by {player}: {about}"),
    ev.DisputeRuled: lambda event, book: (
        f"Dispute {event.dispute} goes to review"
        if event.status == "review"
        else f"Dispute {event.dispute} is decided: {money(event.paid, book)} to {event.player}"
    ),
    ev.Told: _told,
    ev.TableClosed: _format("the table closes"),
}
