"""Events of a table as lines for a page: words, clauses, and what each is about.

What another bettor on a box has answered is not told while answers are still wanted: once the split or double
is made, its own line says who joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from croupier.game.hand import TWENTY_ONE, hand_total, is_natural, is_natural_pair, total
from croupier.money import odds_text
from croupier.record.line import Bring, Entry, Strike, number_of
from croupier.record.told import Told
from croupier.rulebook import Rulebook
from croupier.story import hand_of, money, outcome, tell, tell_own
from croupier.table import State
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.chips import MOVES, ChipMove, moves
from croupier.table.events import Event
from croupier.table.run import describe
from croupier.table.state import PREPARING, decider, standing
from croupier.web import frames

MOST_CLAUSES = 4
UNTOLD = (ev.MoveAnswered,)
OF_A_HAND = (ev.CardDealt, ev.CardCalled, ev.HandSurrendered)

PHASES = {
    "opening": "The cards",
    "idle": "Between rounds",
    "betting": "Bets",
    "dealing": "Deal",
    "offers": "Between the deals",
    "playing": "Play",
    "dealer": "Dealer",
    "settled": "Settlement",
    "closed": "Closed",
}


def phase(state: State) -> str:
    """The part of a round, as the log groups it."""
    if state.stage in PREPARING:
        return PHASES["opening"]
    return PHASES[standing(state)]


def clauses(book: Rulebook, *provisions: str) -> tuple[str, ...]:
    """The names of the clauses behind provisions, the chief ones first. Every line asks for them."""
    key = book.file, book.until, provisions
    if key not in _CLAUSES:
        _CLAUSES[key] = tuple(book.short(clause) for clause in book.cite(*provisions)[:MOST_CLAUSES])
    return _CLAUSES[key]


_CLAUSES: dict[tuple[object, ...], tuple[str, ...]] = {}


def lines(told: Told, book: Rulebook, *, all_of_it: bool = False) -> tuple[frames.Told, ...]:
    """A line on record in words, event by event; `all_of_it`: pending answers too, of a round gone by."""
    return tuple(line for line, _ in steps(told, book, all_of_it=all_of_it))


def steps(told: Told, book: Rulebook, *, all_of_it: bool = False) -> Iterator[tuple[frames.Told, State]]:
    """Each event in words, with the table right after it."""
    entry = told.entry
    if not isinstance(entry, Entry):
        yield _beside(entry, book, told.before), told.after
        return
    before = told.before
    for event, after in told.moments():
        if all_of_it or not isinstance(event, UNTOLD):
            yield _line(entry, event, before, after, book), after
        before = after


def refused(entry: Entry, book: Rulebook, state: State) -> frames.Told:
    """A refused command that is on record."""
    assert entry.refused is not None
    provision, why = entry.refused.provision, entry.refused.why
    return frames.Told(
        n=number_of(entry),
        event="Refused",
        words=f"{entry.by}, {describe(entry.command)}: {why}",
        phase=phase(state),
        clauses=clauses(book, provision),
        box=getattr(entry.command, "box", None),
        player=entry.by.name,
        refused=True,
        by=str(entry.by),
        at=entry.at,
    )


def otherwise(told: Iterable[Told], book: Rulebook, name: str) -> frames.Said | None:
    """What became of a player's wager beside being laid: something went back, or they were warned."""
    found = None
    for one in told:
        entry = one.entry
        if isinstance(entry, Entry) and isinstance(entry.command, cmd.Wager) and entry.by.name == name:
            for event in entry.events:
                laid = isinstance(event, ev.WagerPlaced)
                if not laid or event.over or event.sides_over:
                    ground = ("over_maximum",) if laid else event.basis
                    found = frames.Said(f"{tell_own(event, book, name)}.", clauses(book, *ground))
    return found


def _beside(entry: Bring | Strike, book: Rulebook, state: State) -> frames.Told:
    """What a player brings, or that lines are struck."""
    own = ""
    if isinstance(entry, Bring):
        sum_of = money(entry.brings, book)
        words, own = f"{entry.by} brings {sum_of}", f"You bring {sum_of}"
    else:
        words = f"The record is struck from line {entry.strike} on: {entry.why}"
    return frames.Told(
        n=number_of(entry),
        event=type(entry).__name__,
        words=words,
        phase=phase(state),
        player=entry.by.name if isinstance(entry, Bring) else "",
        yours=own,
        by=str(entry.by),
        at=entry.at,
    )


def _whose(event: Event, before: State) -> str:
    """The player whom an event is about: who is named, or who decides for the hand."""
    if isinstance(event, ev.HandSplit):
        return event.players[0]
    if isinstance(event, ev.CardsCut):
        return event.by
    if isinstance(event, ev.HandDoubled):
        return next(iter(event.amounts))
    named: str = getattr(event, "player", "")
    if named or not isinstance(event, OF_A_HAND) or not event.box:
        return named
    return decider(before, before.box(event.box))


def worth_words(value: int, *, soft: bool) -> str:
    """A total as it stands under a hand."""
    if value > TWENTY_ONE:
        return f"bust {value}"
    return f"soft {value}" if soft and value < TWENTY_ONE else str(value)


def _dealt_to(event: ev.CardDealt, after: State) -> str:
    """What a hand is worth with the card; of a first deal it is not said card by card."""
    if standing(after) == "dealing":
        return ""
    if event.box:
        value, soft = hand_total(after.rules, after.hand(event.box, event.hand))
    else:
        value, soft = total(after.rules, after.dealer)
    return f": {worth_words(value, soft=soft)}"


def _how(state: State, event: ev.Settled, book: Rulebook) -> str:
    """How a wager came to its end, in a few words: `18 against 19`, `Blackjack, 3 to 2`, `6 to 1 on $5`."""
    hand = hand_of(state, event)
    if hand is None:
        on = f" on {money(event.stake, book)}" if event.stake else ""
        return f"{_odds(event)}{on}" if event.net > 0 else "lost" if event.net < 0 else "nothing won"
    if is_natural(state.rules, hand) and event.net > 0:
        return f"{book.words.natural}, {_odds(event)}"
    value, soft = hand_total(state.rules, hand)
    if hand.surrendered or value > TWENTY_ONE or event.end == "forfeited":
        return outcome(state, event, book)
    worth = worth_words(value, soft=soft)
    if len(state.dealer) < 2:
        return (
            f"{worth}, paid at once {_odds(event)}"
            if event.net > 0
            else f"{worth}, {outcome(state, event, book)}"
        )
    return f"{worth} against {_dealer_has(state, book)}"


def _odds(event: ev.Settled) -> str:
    return odds_text(Fraction(event.net, event.stake)) if event.stake else "wins"


def _dealer_has(state: State, book: Rulebook) -> str:
    if is_natural_pair(state.rules, state.dealer):
        return book.words.natural
    value, soft = total(state.rules, state.dealer)
    return worth_words(value, soft=soft)


def _phase(entry: Entry, event: Event, before: State) -> str:
    """The part of a round that a line belongs to; what opens one, or settles, is of that one."""
    if isinstance(event, ev.BettingOpened):
        return PHASES["betting"]
    return PHASES["settled"] if isinstance(entry.command, cmd.Settle) else phase(before)


def _line(entry: Entry, event: Event, before: State, after: State, book: Rulebook) -> frames.Told:
    card = getattr(event, "card", None)
    settled = event if isinstance(event, ev.Settled) else None
    player = _whose(event, before)
    worth = _dealt_to(event, after) if isinstance(event, ev.CardDealt) else ""
    return frames.Told(
        n=number_of(entry),
        event=type(event).__name__,
        words=tell(event, book).partition("\n")[0] + worth,
        phase=_phase(entry, event, before),
        clauses=clauses(book, *event.basis),
        box=getattr(event, "box", None),
        hand=getattr(event, "hand", 0),
        player=player,
        yours=tell_own(event, book, player).partition("\n")[0] + worth if player else "",
        cards=(card,) if card else getattr(event, "burnt", ()),
        wager=str(settled.wager) if settled else "",
        net=settled.net if settled else None,
        how=_how(before, settled, book) if settled else "",
        moved=tuple(map(_moved, moves(before, event))) if type(event) in MOVES else (),
        by=str(entry.by),
        at=entry.at,
    )


def _moved(move: ChipMove) -> frames.Moved:
    source, target = move.source, move.target
    return frames.Moved(
        amount=move.amount,
        source=source.place,
        target=target.place,
        player=source.player or target.player,
        box=source.box or target.box,
    )


# Whom lines are about


def paid(lines: tuple[frames.Told, ...]) -> set[str]:
    """Whose chips may be others after these lines: whom they are about, and whose moved."""
    return {line.player for line in lines} | {move.player for line in lines for move in line.moved}


def excludes(told: Told) -> bool:
    """Was somebody excluded?"""
    return any(isinstance(event, ev.PlayerExcluded) for event in told.events)
