"""Chips and cards counted a second time: from the events alone, and from what lies on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.cards import INDEX, pack
from croupier.table import events as ev
from croupier.table.chips import FLOAT, Account, held_by, moves, on_box, on_table, undecided
from croupier.table.evolve import cards_on_table
from croupier.table.state import Bet, Box, State

Place = tuple[str, int]  # a player, and a box on which they bet
Chips = Counter[Place]


class Wallets:
    """An account of the chips of its own, from the events alone.

    `on_table` is what still lies on the layout. Of the round in progress `staked` is what was put
    there and not withdrawn, `nets` what it has brought; `rounds` keeps both of those that are over.
    """

    def __init__(self) -> None:
        self.won: Counter[str] = Counter()
        self.on_table: Chips = Counter()
        self.staked: Chips = Counter()
        self.nets: Chips = Counter()
        self.rounds: dict[int, tuple[Chips, Chips]] = {}
        self.undone: frozenset[int] = frozenset()
        self.ledger: Counter[Account] = Counter()

    def copy(self) -> Wallets:
        other = Wallets()
        other.won, other.on_table = self.won.copy(), self.on_table.copy()
        other.staked, other.nets = self.staked.copy(), self.nets.copy()
        other.rounds, other.undone = dict(self.rounds), self.undone
        other.ledger = self.ledger.copy()
        return other

    def see(self, event: ev.Event, before: State) -> None:
        for move in moves(before, event):
            self.ledger[move.source] -= move.amount
            self.ledger[move.target] += move.amount
        if isinstance(event, ev.Settled):
            self._settled(event)
        elif isinstance(event, ev.SettlementUndone):
            self._unsettled(event, before)
        elif isinstance(event, ev.WagerVoided):
            self._voided(event)
        elif isinstance(event, ev.RoundEnded):
            self._ended(event.round)
        elif isinstance(event, ev.RoundVoided):
            self._undo(event.round)
        elif isinstance(event, ev.RoundInvalidated):
            self._invalidated(event, before)
        elif isinstance(event, ev.DisputeRuled):
            self.won[event.player] += event.paid
        else:
            for place, amount in laid(event, before):
                self.on_table[place] += amount
                self.staked[place] += amount

    def _settled(self, event: ev.Settled) -> None:
        place = event.player, event.box
        self.on_table[place] -= event.stake
        self.nets[place] += event.net
        self.won[event.player] += event.net
        if event.end == "forfeited":
            self.staked[place] -= event.stake + event.net

    def _unsettled(self, event: ev.SettlementUndone, before: State) -> None:
        place = event.player, event.box
        self.on_table[place] += _opened(event, before)
        self.nets[place] -= event.net
        self.won[event.player] -= event.net

    def _voided(self, event: ev.WagerVoided) -> None:
        place = event.player, event.box
        if event.round is not None:
            staked, nets = self.rounds[event.round]
            self.won[event.player] -= nets[place]
            self.rounds[event.round] = _without(staked, place), _without(nets, place)
            return
        self.won[event.player] -= self.nets.pop(place, 0)
        for chips in (self.on_table, self.staked):
            chips.pop(place, None)

    def _ended(self, number: int) -> None:
        self.rounds[number] = self.staked, self.nets
        self.staked, self.nets = Counter(), Counter()

    def _undo(self, number: int) -> Chips:
        """Take back what a round brought; what was staked in it."""
        staked, nets = self.rounds.get(number, (Counter(), Counter()))
        for (player, _), net in nets.items():
            self.won[player] -= net
        self.rounds[number] = staked, Counter()
        self.undone |= {number}
        return staked

    def _invalidated(self, event: ev.RoundInvalidated, before: State) -> None:
        if event.round == before.round and event.round not in self.rounds:
            self._ended(event.round)
            self.on_table.clear()
        staked = self._undo(event.round)
        if not event.refunded:
            for (player, _), amount in staked.items():
                self.won[player] -= amount


def _without(chips: Chips, place: Place) -> Chips:
    return Counter({other: amount for other, amount in chips.items() if other != place})


def _opened(event: ev.SettlementUndone, before: State) -> int:
    """The chips of a wager whose end is undone; one doubled hand of a bettor at a time."""
    box = before.box(event.box)
    if event.wager == "main":
        return next(stake.total for stake in box.hands[event.hand - 1].stakes if stake.player == event.player)
    bet = next(bet for bet in box.bets if bet.player == event.player)
    if event.wager == "insurance":
        return bet.insurance
    return sum(side.stake for side in bet.sides if side.name == event.wager)


def laid(event: ev.Event, before: State) -> Iterator[tuple[Place, int]]:
    """The chips that an event puts on the layout, or takes back from it."""
    if isinstance(event, ev.WagerPlaced):
        yield (event.player, event.box), event.stake + sum(event.sides.values())
    elif isinstance(event, ev.WagerReturned) and not event.unlaid:
        box = before.box(event.box)
        bets = [bet for bet in (*box.bets, *box.loose) if bet.player == event.player]
        yield (event.player, event.box), -sum(_returned(bet, event) for bet in bets)
    elif isinstance(event, ev.InsurancePlaced):
        yield (event.player, event.box), event.amount
    elif isinstance(event, ev.HandSplit):
        for stake in before.hand(event.box, event.hand).stakes:
            if stake.player in event.players:
                yield (stake.player, event.box), stake.original
    elif isinstance(event, ev.HandDoubled):
        yield from (((player, event.box), amount) for player, amount in event.amounts.items())


def _returned(bet: Bet, event: ev.WagerReturned) -> int:
    """What goes back of a wager that lay there; what lay above the maximum never counted."""
    if event.wager == "main":
        return event.amount - bet.over - sum(side.over for side in bet.sides)
    if event.wager == "insurance":
        return event.amount
    return sum(event.amount - side.over for side in bet.sides if side.name == event.wager)


def lying(state: State) -> Chips:
    """What lies on the layout and is undecided, from the state."""
    return Counter(
        {
            (bet.player, box.number): _lies(box, bet)
            for box in state.boxes
            for bet in (*box.bets, *box.loose)
            if not bet.void
        }
    )


def _lies(box: Box, bet: Bet) -> int:
    stakes = [stake for hand in box.hands for stake in hand.stakes if stake.player == bet.player]
    main = sum(stake.total for stake in stakes if stake.lives) if stakes else bet.stake
    beside = sum(side.stake for side in bet.sides if side.open)
    return main + beside + (bet.insurance if bet.insurance_open else 0)


def chips_amiss(wallets: Wallets, state: State) -> str:
    """In what the state's chips differ from the account; empty where they do not."""
    if +wallets.on_table != +lying(state) or -wallets.on_table:
        return "what lies on the layout is not what was laid there and not settled"
    won = Counter(state.won)
    if any(won[player] != wallets.won[player] for player in won.keys() | wallets.won.keys()):
        return "what players have won is not what was settled, returned and voided"
    return ledger_amiss(wallets.ledger, state)


def ledger_amiss(ledger: Counter[Account], state: State) -> str:
    """In what a fold of the table's moves differs from the state; empty where it does not."""
    players = state.won.keys() | {account.player for account in ledger if account.player}
    for player in players:
        if ledger[held_by(player)] != state.won.get(player, 0) - on_table(state, player):
            return "by the moves a player holds another amount"
        for box in state.boxes:
            bets = [bet for bet in box.lying if bet.player == player]
            if ledger[on_box(player, box.number)] != sum(undecided(box, bet) for bet in bets):
                return "by the moves another amount lies on a box"
    if ledger[FLOAT] != state.float_change or sum(ledger.values()):
        return "by the moves the float is another, or they do not sum to zero"
    return ""


def cards_amiss(state: State) -> str:
    """What is wrong with the count of the cards; empty where nothing is."""
    shoe = state.shoe
    everything = pack(state.rules.ranks, state.terms.decks)
    out = [*cards_on_table(state), *shoe.held]
    seen = Counter(INDEX[card] for card in out)
    if shoe.left < 0 or shoe.rack < 0:
        return "fewer than no cards in the shoe or the rack"
    if shoe.left + shoe.rack + len(out) != sum(everything):
        return "shoe, rack, table and held cards are not all the cards"
    if any(shoe.unseen[card] + seen[card] > everything[card] for card in range(len(everything))):
        return "a card lies on the table and counts as unseen"
    return "" if sum(shoe.unseen) >= shoe.left else "more cards in the shoe than are unseen"
