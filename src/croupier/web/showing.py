"""A table as every seat may see it: cards and wagers that lie there, totals in words, what it waits for.

No card of the shoe, no choice of anybody, and no answer of a bettor while others still answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from croupier.cards import ALL_CARDS, INDEX, pretty
from croupier.game.hand import TWENTY_ONE, hand_total, is_natural, is_natural_pair, total
from croupier.house.wish import open_sides, side_terms
from croupier.money import odds_text
from croupier.rulebook import Rulebook, Rules
from croupier.rulebook.about import side_bet
from croupier.rulebook.wager import INSURANCE, MAIN
from croupier.rulebook.words import words
from croupier.story import capital, money, wager_name
from croupier.table import commands as cmd
from croupier.table.commands import Command
from croupier.table.shorthand import enter
from croupier.table.sidebets import short_name
from croupier.table.state import Bet, Box, BoxHand, Stake, State, decider, turn
from croupier.table.waiting import waiting
from croupier.web import frames
from croupier.web.awaiting import awaited
from croupier.web.pages import version
from croupier.web.preparing import preparing
from croupier.web.telling import clauses, phase, worth_words

CHIPS = (100, 250, 500, 2500, 10000, 50000, 100000)
CHIPS_SHOWN = 5
CITES = {
    "decks": "decks_allowed",
    "limits": "limits_displayed",
    "multiple": "wager_multiples",
    "bettors": "bettors_per_box",
    "marker": "raised_limit",
    "dispute": "dispute",
    "dealt": "face_up",
    "up": "face_up_card",
    "error": "drawn_in_error",
    "burnt": "burnt_in_error",
    "overdrawn": "dealer_overdraw",
    "misplaced": "misplaced_card",
    "empty": "shoe_runs_out",
    "absent": "absent_draws_to",
    "exclusion": "exclusion",
    "final_rounds": "final_rounds",
    "last_of_shoe": "cutting_card_met",
}

Nets = dict[tuple[int, int, str, str], int]


class Shown:
    """The boxes of a table as they were shown last: most news change one of them, or none."""

    def __init__(self) -> None:
        self._boxes: dict[int, tuple[_BoxOf, frames.Box]] = {}

    def box(self, state: State, book: Rulebook, box: Box, nets: Nets) -> frames.Box:
        of = _BoxOf.at(state, book, box, nets)
        before, shown = self._boxes.get(box.number, (None, None))
        if shown is None or of != before:
            shown = _box(of)
            self._boxes[box.number] = of, shown
        return shown


class _BoxOf(NamedTuple):
    """All that a box is shown by. `turn` is the number of its hand that is in turn, if one is."""

    rules: Rules
    book: Rulebook
    box: Box
    nets: Nets
    turn: int
    decider: str

    @classmethod
    def at(cls, state: State, book: Rulebook, box: Box, nets: Nets) -> _BoxOf:
        number, hand = turn(state) or (0, 0)
        by = decider(state, box) if box.hands else ""
        return cls(state.rules, book, box, nets, hand if number == box.number else 0, by)


def table(
    state: State,
    book: Rulebook,
    *,
    now: int,
    shown: Shown | None = None,
    clock: frames.Clock | None = None,
    here: tuple[str, ...] = (),
    live: bool = False,
) -> frames.Table:
    """The table as it lies, beside how it was `shown` before.

    `here` are those who are connected; a `live` one is dealt by hand.
    """
    wait, nets, shown = waiting(state), _nets(state), shown or Shown()
    return frames.Table(
        stage=state.stage,
        phase=phase(state),
        due=wait.due,
        on=wait.on,
        players=wait.players,
        next=awaited(wait, book),
        round=state.round,
        minimum=state.terms.minimum,
        maximum=state.terms.maximum,
        decks=state.terms.decks,
        shoe=state.shoe.left,
        rack=state.shoe.rack,
        last_of_shoe=state.shoe.shuffle_due,
        held=state.shoe.held,
        now=now,
        clock=clock,
        boxes=tuple(shown.box(state, book, box, nets) for box in state.boxes),
        dealer=_dealer(state, book),
        turn=turn(state),
        sides=tuple(_side_terms(state, book, name) for name in open_sides(state)),
        final_rounds=state.final_left,
        excluded=state.people.excluded,
        disputes=tuple(
            frames.Dispute(number, one.player, one.about, one.status, one.award)
            for number, one in enumerate(state.people.disputes, start=1)
        ),
        here=here,
        enter=_enter(state) if live else "",
        gone=_gone(state) if live else (),
        preparing=preparing(state, book),
    )


def _enter(state: State) -> str:
    """What Enter does at the desk, as it stands on a button; empty where it does nothing."""
    asked = enter(state)
    if asked is None:
        return ""
    if isinstance(asked.command, cmd.Burn | cmd.Deal):
        return f"The {pretty(asked.command.card)} goes there"
    return ENTERS[type(asked.command)]


ENTERS: dict[type[Command], str] = {
    cmd.CheckCards: "All cards are there",
    cmd.Shuffle: "Shuffled",
    cmd.OfferCut: "Offer the cut",
    cmd.LoadAutomatedShoe: "The shoe is loaded",
    cmd.OpenBetting: "Open the betting",
    cmd.AnnounceNoMoreBets: "No more bets",
    cmd.CloseOffers: "Close the offers",
    cmd.ReportAbsent: "Report it",
    cmd.Settle: "Settle",
    cmd.Collect: "Collect the cards",
}


def _gone(state: State) -> tuple[str, ...]:
    """The cards of which none is left unseen; whoever watched knows them."""
    return tuple(
        card for card in ALL_CARDS if card[0] in state.rules.ranks and not state.shoe.unseen[INDEX[card]]
    )


def _nets(state: State) -> Nets:
    """What each wager has brought so far, by box, hand, player and wager."""
    nets: Nets = defaultdict(int)
    for result in state.results:
        nets[result.box, result.hand, result.player, result.wager] += result.net
    return dict(nets)


def _box(of: _BoxOf) -> frames.Box:
    box = of.box
    if not (box.seat or box.bets or box.loose or box.raised_to):
        return frames.Box(number=box.number)
    return frames.Box(
        number=box.number,
        seat=box.seat,
        decider=of.decider,
        bets=tuple(_bettor(box, bet, of.nets, loose=bet in box.loose) for bet in box.lying),
        hands=tuple(_hand(of, number) for number in range(1, len(box.hands) + 1)),
        absent=box.absent,
        raised_to=box.raised_to,
        raised_for=box.raised_for,
    )


def _bettor(box: Box, bet: Bet, nets: Nets, *, loose: bool) -> frames.Bettor:
    own = [net for (number, _, name, _), net in nets.items() if (number, name) == (box.number, bet.player)]
    return frames.Bettor(
        player=bet.player,
        stake=bet.stake,
        over=bet.over,
        under=bet.under,
        loose=loose,
        sides=tuple(
            frames.Side(side.name, side.stake, side.open, _net(nets, box.number, bet.player, side.name))
            for side in bet.sides
        ),
        insurance=bet.insurance,
        insurance_net=_net(nets, box.number, bet.player, INSURANCE),
        void=bet.void,
        net=sum(own) if own else None,
    )


def _net(nets: Nets, box: int, player: str, wager: str) -> int | None:
    found = [net for key, net in nets.items() if (key[0], key[2], key[3]) == (box, player, wager)]
    return sum(found) if found else None


def _hand(of: _BoxOf, number: int) -> frames.Hand:
    hand = of.box.hands[number - 1]
    value, soft = hand_total(of.rules, hand)
    natural = is_natural(of.rules, hand)
    how = _hand_state(hand, value, natural=natural, in_turn=of.turn == number)
    return frames.Hand(
        cards=hand.cards,
        words=_total_words(of.book, how, value, soft=soft, natural=natural),
        total=value,
        soft=soft,
        state=how,
        stakes=tuple(
            _stake(stake, of.nets.get((of.box.number, number, stake.player, MAIN))) for stake in hand.stakes
        ),
        asked=hand.asked,
        removed=hand.removed,
    )


def _stake(stake: Stake, net: int | None) -> frames.Stake:
    return frames.Stake(stake.player, stake.original, stake.doubled, stake.rides, stake.end, net)


def _hand_state(hand: BoxHand, value: int, *, natural: bool, in_turn: bool) -> frames.HandState:
    """How a hand stands: what ended it comes first, then whose turn it is, then what was done with it."""
    ends = {stake.end for stake in hand.stakes}
    found: tuple[tuple[bool, frames.HandState], ...] = (
        (ends == {"void"}, "void"),
        (hand.surrendered, "surrendered"),
        (value > TWENTY_ONE, "bust"),
        (ends == {"paid"}, "paid"),
        (natural, "natural"),
        (not hand.lives and bool(ends), "settled"),
        (in_turn, "turn"),
        (hand.unattended, "away"),
        (bool(hand.doubled_on), "doubled"),
        (hand.done, "stood"),
    )
    return next((name for holds, name in found if holds), "waiting")


def _total_words(book: Rulebook, how: frames.HandState, value: int, *, soft: bool, natural: bool) -> str:
    said = {"void": "Void", "surrendered": "Surrendered"}
    worth = book.words.natural if natural else worth_words(value, soft=soft)
    return said.get(how) or (f"{worth} paid" if how == "paid" else worth)


def _dealer(state: State, book: Rulebook) -> frames.Dealer:
    cards = state.dealer
    if not cards:
        return frames.Dealer()
    value, soft = total(state.rules, cards)
    natural = is_natural_pair(state.rules, cards)
    soft = soft and len(cards) > 1  # of a first ace nobody says so
    return frames.Dealer(cards, book.words.natural if natural else worth_words(value, soft=soft), value)


def _side_terms(state: State, book: Rulebook, name: str) -> frames.SideTerms:
    bet = state.rules.side_bets[name]
    offer = state.rules.house.side_bets[bet.offered_as]
    low, high = (offer.amount, offer.amount) if offer.amount else (offer.minimum, offer.maximum or None)
    return frames.SideTerms(
        name=name,
        title=wager_name(name).strip(),
        short=short_name(name),
        words=side_terms(state, book, name),
        pays=side_bet(name, bet),
        low=low,
        high=high,
        clauses=clauses(book, f"side_bets.{name}.rows", f"side_bets.{name}.stake"),
    )


# What never changes


def facts(
    state: State, book: Rulebook, *, number: str, name: str, kind: str, clocks: frames.Clocks, alone: bool
) -> frames.Facts:
    house, words = state.rules.house, book.words
    return frames.Facts(
        id=number,
        name=name,
        kind=kind,
        book=book.id,
        title=book.title,
        game=words.game,
        natural=words.natural,
        dealer=words.dealer,
        split=words.split,
        currency=words.currency,
        house=house.name,
        multiple=house.multiple if state.rules.wager_multiples else 1,
        smallest_chip=house.smallest_chip,
        chips=_chips(state),
        ranks=state.rules.ranks,
        bettors=state.rules.bettors_per_box,
        felt=_felt(state, book),
        clocks=clocks,
        version=version(),
        cites={name: found for name, behind in CITES.items() if (found := clauses(book, behind))},
        pays=tuple(_pays(state, book)),
        alone=alone,
        play_money=kind != "live",  # there real chips lie
    )


def _pays(state: State, book: Rulebook) -> Iterator[frames.Pays]:
    """Every kind of win and what it pays, side bets on offer included."""
    rules, natural = state.rules, book.words.natural
    yield frames.Pays(capital(natural), odds_text(rules.natural_pays), clauses(book, "natural_pays"))
    for key, row in rules.bonus_rows.items():
        cited = clauses(book, f"bonus_rows.{key}.pays")
        yield frames.Pays(capital(words("", row.when)), odds_text(row.pays), cited)
    yield frames.Pays("Every other win", odds_text(rules.win_pays), clauses(book, "win_pays"))
    if rules.insurance_upcards:
        yield frames.Pays("Insurance", odds_text(rules.insurance_pays), clauses(book, "insurance_pays"))
    for name, bet in rules.side_bets.items():
        for key, row in bet.rows.items():
            cited = clauses(book, f"side_bets.{name}.rows.{key}.pays")
            yield frames.Pays(capital(words("", row.when)), odds_text(row.pays), cited, name)


def _chips(state: State) -> tuple[int, ...]:
    """The chips to bet with: from the smallest that a wager can be made of, five kinds."""
    step = state.rules.house.multiple if state.rules.wager_multiples else state.rules.house.smallest_chip
    fit = [chip for chip in CHIPS if chip % step == 0 and chip <= state.terms.maximum]
    return tuple(fit[:CHIPS_SHOWN]) or (step,)


def _felt(state: State, book: Rulebook) -> frames.Felt:
    """What is printed on the layout: what a natural pays, what the dealer does, what insurance pays."""
    rules, words = state.rules, book.words
    stands = rules.dealer_draws_to + 1
    soft = f"{'on' if rules.soft_17 == 'hit' else 'stands on'} soft 17" if stands == 17 else ""
    dealer = f"{words.dealer} draws to {rules.dealer_draws_to}" + (f" and {soft}" if soft else "")
    insurance = None
    if rules.insurance_upcards:
        pays = f"Insurance pays {odds_text(rules.insurance_pays)}"
        insurance = frames.Said(pays, clauses(book, "insurance_pays"))
    return frames.Felt(
        natural=frames.Said(
            f"{words.natural} pays {odds_text(rules.natural_pays)}", clauses(book, "natural_pays")
        ),
        dealer=frames.Said(capital(dealer), clauses(book, "dealer_draws_to")),
        insurance=insurance,
    )


def limits_words(state: State, book: Rulebook) -> str:
    """`$10 to $500`."""
    return f"{money(state.terms.minimum, book)} to {money(state.terms.maximum, book)}"
