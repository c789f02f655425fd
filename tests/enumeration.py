"""The exact value of a round, dealt from a small shoe, by enumerating the table itself.

Ground truth for whoever computes such values faster. Every card, decision and settlement goes
through `advance`; what is legal is what the table does not refuse; no rule of a game is restated here.

The play. The hand that is not split is played best: each decision maximises the expected net,
knowing the hand's cards, the rank (not the suit) of the dealer's first card and what the shoe held
before the round. A hand after a split is played as the same cards are best played unsplit, as if
they had been dealt first from the full shoe; where the table refuses that, the next best by those
unsplit values is done ("CDZ-"). Of equal values the first of S H D P R is taken, and a double is
kept rather than forfeited. The value of P is that of splitting again whenever the table allows it;
in the round itself a pair is split again only if P is best for it too, which can differ where suits
pay: then `ev` is not the mean of the best values, except with `always_resplit`. Insurance and even
money are declined, there are no side bets, and doubles are for the full amount.

Chance is counted in orders of the shoe: with n cards left there are n! of them, and `Counts` say in
how many of these the round yet brings so many cents. So all arithmetic is in whole numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from math import factorial
from typing import NamedTuple, NoReturn

from msgspec.structs import replace

from croupier.cards import ALL_CARDS, INDEX, Card
from croupier.errors import Refused
from croupier.game.hand import hand_total, is_natural, total
from croupier.game.pay import winning_odds
from croupier.rulebook.rules import Rules
from croupier.table import advance, open_state
from croupier.table import commands as cmd
from croupier.table.actors import player
from croupier.table.commands import Command, office_of
from croupier.table.conduct import chore, due
from croupier.table.dealer import dealer_has_natural
from croupier.table.state import BoxHand, State, turn

PLAYER = "p1"
BOX = 1
MOVES = "SHDPR"

Cards = tuple[Card, ...]
Key = tuple[Hashable, ...]
Counts = dict[int, int]  # what the round yet brings, in cents -> in how many orders of the cards left


class Enumerated(NamedTuple):
    """A round before the deal, per unit wagered, and its first decisions by upcard and cards."""

    ev: Fraction
    second_moment: Fraction
    outcomes: dict[Fraction, Fraction]
    values: dict[tuple[str, str], dict[str, Fraction]]


def enumerate_round(
    rules: Rules,
    shoe: Mapping[Card, int],
    *,
    stake: int | None = None,
    always_resplit: bool = False,
    merge: bool = True,
) -> Enumerated:
    """The value of a round for one player on one box, under the best play.

    `stake` is the wager in cents, the house's minimum unless given: a prize in dollars is worth more
    to a smaller wager. `always_resplit`: who has split splits again whenever it is allowed. Without
    `merge` no two states are taken for the same; slow, to check that those which are merged are
    alike. A ValueError: some play that is valued, be it the worst, needs more cards.
    """
    stake = stake or rules.house.minimum
    return Enumeration(rules, shoe, stake, always_resplit=always_resplit, merge=merge).result()


class Enumeration:
    """All rounds from one shoe, and the policy found on the way."""

    def __init__(
        self,
        rules: Rules,
        shoe: Mapping[Card, int],
        stake: int,
        *,
        always_resplit: bool = False,
        merge: bool = True,
    ) -> None:
        self.stake = stake
        self.always_resplit = always_resplit
        self.merge = merge
        self.start = first_state(rules, shoe, stake)
        self.states: dict[tuple[Cards, Card], State] = {}
        self.unsplit: dict[tuple[Cards, str], dict[str, Fraction]] = {}
        self.split: dict[tuple[Cards, str], Fraction | None] = {}
        self.forfeited: dict[tuple[Cards, str], bool] = {}
        self.known: dict[Key, Counts] = {}
        self.drawn: dict[Key, dict[Cards, int]] = {}
        self.settled: dict[Key, int] = {}
        self.dealers: dict[Key, Cards] = {}
        self.hand_keys: dict[BoxHand, Key] = {}

    def result(self) -> Enumerated:
        outcomes: Counter[int] = Counter()
        values = {}
        for upcard, cards, ways in self.deals():
            state = self.dealt(cards, upcard)
            add(outcomes, ways, self.then(self.start, state))
            if not state.hand(BOX, 1).done:
                values[upcard[0], "".join(cards)] = self.values(cards, upcard[0])
        orders = factorial(self.start.shoe.left)
        shared = sorted(outcomes.items())
        chances = {Fraction(net, self.stake): Fraction(count, orders) for net, count in shared}
        return Enumerated(
            ev=sum((net * chance for net, chance in chances.items()), Fraction()),
            second_moment=sum((net**2 * chance for net, chance in chances.items()), Fraction()),
            outcomes=chances,
            values=values,
        )

    # The deal

    def deals(self) -> Iterator[tuple[Card, Cards, int]]:
        """Every first card of the dealer with two cards of the box, and in how many ways they come."""
        for first, one in self.cards_after(()):
            for second, two in self.cards_after((first,)):
                for upcard, three in self.cards_after((first, second)):
                    yield upcard, (first, second), one * two * three

    def cards_after(self, cards: Cards) -> list[tuple[Card, int]]:
        """What the full shoe has left after these cards, and how many of each."""
        gone = Counter(cards)
        left = [(card, count - gone[card]) for card, count in cards_left(self.start) if count > gone[card]]
        return left or run_out()

    def dealt(self, cards: Cards, upcard: Card) -> State:
        """The table with these cards on a hand that is not split, by the deal and by hitting."""
        key = (cards, upcard)
        if key not in self.states:
            if len(cards) == 2:
                state = give(self.start, *(cmd.Deal(card=card) for card in (cards[0], upcard, cards[1])))
            else:
                asked = self.attempt(self.dealt(cards[:-1], upcard), "H")
                assert asked is not None
                state = give(asked, cmd.Deal(card=cards[-1]))
            self.states[key] = state
        return self.states[key]

    # The policy

    def values(self, cards: Cards, rank: str) -> dict[str, Fraction]:
        """What each move is worth to a hand that is not split."""
        found = dict(self.values_unsplit(cards, rank))
        splitting = self.value_of_split(cards, rank)
        if splitting is not None:
            found["P"] = splitting
        return {move: found[move] for move in MOVES if move in found}

    def values_unsplit(self, cards: Cards, rank: str) -> dict[str, Fraction]:
        """`values` without the split; a hand that is done by itself stands."""
        key = (self.in_any_order(cards), rank)
        if key not in self.unsplit:
            sums: Counter[str] = Counter()
            for upcard, count in self.upcards(cards, rank):
                for move, after in self.moves_unsplit(self.dealt(cards, upcard)).items():
                    sums[move] += count * in_all(self.then(self.start, after))
            self.unsplit[key] = {move: self.per_unit(cents, cards, rank) for move, cents in sums.items()}
        return self.unsplit[key]

    def moves_unsplit(self, state: State) -> dict[str, State]:
        """The moves but the split that the table allows the only hand, and where they lead."""
        if state.hand(BOX, 1).done:
            return {"S": state}
        tried = ((move, self.attempt(state, move)) for move in MOVES if move != "P")
        return {move: after for move, after in tried if after is not None}

    def value_of_split(self, cards: Cards, rank: str) -> Fraction | None:
        """What it is worth to split these cards, and again whenever that is allowed; None: refused."""
        key = (self.in_any_order(cards), rank)
        if key not in self.split:
            cents = 0
            refused = False
            for upcard, count in self.upcards(cards, rank):
                after = self.attempt(self.dealt(cards, upcard), "P")
                if after is None:
                    refused = True
                else:
                    cents += count * in_all(self.then(self.start, after, always=True))
            self.split[key] = None if refused else self.per_unit(cents, cards, rank)
        return self.split[key]

    def forfeits(self, cards: Cards, doubled_on: int, rank: str) -> bool:
        """Is a double given up that made so many of these cards one more, the hand not being split?"""
        key = (cards, rank)
        if key not in self.forfeited:
            kept = given_up = 0
            for upcard, count in self.upcards(cards, rank):
                doubled = self.attempt(self.dealt(cards[:doubled_on], upcard), "D")
                assert doubled is not None
                state = give(doubled, cmd.Deal(card=cards[-1]))
                after = give(state, cmd.Forfeit(box=BOX))
                kept += count * in_all(self.counts(state))
                given_up += count * in_all(self.then(state, after))
            self.forfeited[key] = given_up > kept
        return self.forfeited[key]

    def upcards(self, cards: Cards, rank: str) -> list[tuple[Card, int]]:
        """The dealer's first cards of the rank that may lie beside the hand, and how many of each."""
        return [(card, count) for card, count in self.cards_after(cards) if card[0] == rank]

    def per_unit(self, cents: int, cards: Cards, rank: str) -> Fraction:
        """Cents summed over the upcards of the rank and all orders behind them, as a value."""
        count = sum(count for _, count in self.upcards(cards, rank))
        orders = factorial(self.start.shoe.left - len(cards) - 1)
        return Fraction(cents, count * orders * self.stake)

    # The play

    def attempt(self, state: State, move: str) -> State | None:
        """The table after the move of the hand whose turn it is, or None where it is refused."""
        if state.stage == "offers" and move != "R":
            state = give(state, cmd.CloseOffers())
        number = (turn(state) or (BOX, 1))[1]
        commands: dict[str, Command] = {
            "S": cmd.Stand(box=BOX, hand=number),
            "H": cmd.Hit(box=BOX, hand=number),
            "D": cmd.Double(box=BOX, hand=number),
            "P": cmd.Split(box=BOX, hand=number),
            "R": cmd.Surrender(box=BOX),
        }
        return attempt(state, commands[move])

    def counts(self, state: State, *, always: bool = False) -> Counts:
        """What the round yet brings under the policy; `always`: what may be split is split."""
        key = (state.stage, always, state.shoe.unseen, state.dealer, self.key_of_box(state))
        if key not in self.known:
            self.known[key] = self.next_step(state, always)
        return self.known[key]

    def then(self, before: State, after: State, *, always: bool = False) -> Counts:
        """The counts of `after`, with what has been won or lost on the way there."""
        counts = self.counts(after, always=always)
        gained = won(after) - won(before)
        return {net + gained: count for net, count in counts.items()} if gained else counts

    def next_step(self, state: State, always: bool) -> Counts:
        if state.stage == "dealer":
            return self.showdown(state)
        if due(state) == "card":
            return self.draw(state, always)
        if state.stage == "offers" and state.hand(BOX, 1).done:
            return self.then(state, give(state, cmd.CloseOffers()))
        return self.decide(state, always)

    def draw(self, state: State, always: bool) -> Counts:
        """Every card that may come to the hand; behind a double's card the double may be forfeited."""
        place = turn(state)
        assert place is not None
        counts: Counter[int] = Counter()
        for card, count in cards_left(state):
            after = give(state, cmd.Deal(card=card))
            if after.hand(*place).doubled_on:
                after = self.after_double(after, place[1])
            add(counts, count, self.then(state, after, always=always))
        return counts

    def after_double(self, state: State, number: int) -> State:
        hand = state.hand(BOX, number)
        after = attempt(state, cmd.Forfeit(box=BOX, hand=number))
        if after is not None and self.forfeits(hand.cards, hand.doubled_on, state.dealer[0][0]):
            return after
        return state

    def decide(self, state: State, always: bool) -> Counts:
        """Of the moves that the table does not refuse the best by the values of the hand unsplit."""
        hand = state.hand(*(turn(state) or (BOX, 1)))
        rank = state.dealer[0][0]
        values = self.values_unsplit(hand.cards, rank) if always else self.values(hand.cards, rank)
        for move in ("P", *best_first(values)) if always else best_first(values):
            after = self.attempt(state, move)
            if after is not None:
                return self.then(state, after, always=always or self.splits_on(move, hand.cards, rank))
        raise AssertionError(f"no move is left for {hand.cards}")

    def splits_on(self, move: str, cards: Cards, rank: str) -> bool:
        """Does the move split cards of which every pair that may come of it is split again?"""
        if move != "P" or self.always_resplit:
            return move == "P"
        alike = [card for card, _ in cards_left(self.start) if self.may_split((cards[0], card), rank)]
        pairs = [(one, other) for one in alike for other in alike if self.may_split((one, other), rank)]
        return all(best_first(self.values(pair, rank))[0] == "P" for pair in pairs)

    def may_split(self, cards: Cards, rank: str) -> bool:
        held = dict(cards_left(self.start))
        enough = all(held[card] >= count for card, count in Counter(cards).items())
        return enough and bool(self.upcards(cards, rank)) and self.value_of_split(cards, rank) is not None

    # The dealer and the settlement

    def showdown(self, state: State) -> Counts:
        """What the box brings, now that it is done, against all that the dealer may draw."""
        counts: Counter[int] = Counter()
        box = self.key_of_box(state)
        for dealer, count in self.dealer_hands(state).items():
            key = (dealer, box)
            if key not in self.settled:
                self.settled[key] = settlement(replace(state, dealer=dealer))
            counts[self.settled[key]] += count
        return counts

    def dealer_hands(self, state: State) -> dict[Cards, int]:
        """The hands that the dealer may end with, and in how many orders of the cards left."""
        key = (state.shoe.unseen, self.in_any_order(state.dealer), self.key_of_drawing(state))
        if key not in self.drawn:
            self.drawn[key] = self.draw_to_dealer(state)
        return self.drawn[key]

    def draw_to_dealer(self, state: State) -> dict[Cards, int]:
        if due(state) != "card":
            return {self.like_dealer(state): factorial(state.shoe.left)}
        hands: Counter[Cards] = Counter()
        for card, count in cards_left(state):
            after = give(state, cmd.Deal(card=card))
            assert won(after) == won(state)
            for dealer, orders in self.dealer_hands(after).items():
                hands[dealer] += count * orders
        return hands

    # What may be taken for the same. The keys hold all that the table reads from there on.

    def in_any_order(self, cards: Cards) -> Cards:
        """The order of cards behind the first two is nothing, except to a hand that is doubled."""
        return (*cards[:2], *sorted(cards[2:])) if self.merge else cards

    def key_of_box(self, state: State) -> Key:
        """The hands: the first is told from the others, and of those done the order is nothing."""
        box = state.box(BOX)
        if not self.merge:
            return (box.bonus_barred, box.hands)
        first, *others = (self.key_of_hand(state, hand) for hand in box.hands)
        done = sum(hand.done for hand in box.hands[1:])
        return (box.bonus_barred, first, *sorted(others[:done]), *others[done:])

    def key_of_hand(self, state: State, hand: BoxHand) -> Key:
        if hand not in self.hand_keys:
            playing = (*key_of_fate(hand), self.in_any_order(hand.cards), *hand_flags(hand))
            self.hand_keys[hand] = key_when_done(state, hand) if hand.done else playing
        return self.hand_keys[hand]

    def key_of_drawing(self, state: State) -> Key:
        """What `dealer_needs_card` reads of the box: the kinds of its hands, and what it may get back."""
        hands = state.box(BOX).hands
        if not self.merge:
            return hands
        kinds = frozenset((hand.lives, hand.surrendered, is_natural(state.rules, hand)) for hand in hands)
        stakes = [hand.stakes[0] for hand in hands if not hand.lives]
        returned = state.rules.dealer_natural_takes == "original"
        return (kinds, *sorted((stake.end, stake.total) for stake in stakes if returned))

    def like_dealer(self, state: State) -> Cards:
        """The dealer's hand, or one seen before in which `settle` reads the same."""
        if not self.merge:
            return state.dealer
        read = (state.dealer[0], total(state.rules, state.dealer), dealer_has_natural(state))
        return self.dealers.setdefault(read, state.dealer)


def key_of_fate(hand: BoxHand) -> Key:
    stake = hand.stakes[0]
    return (stake.end, stake.doubled, stake.super_bonus, hand.surrendered)


def hand_flags(hand: BoxHand) -> Key:
    return (hand.calls, hand.doubled_on, hand.split, hand.split_aces)


def key_when_done(state: State, hand: BoxHand) -> Key:
    """What `settle` reads of a hand: of one that is decided only how, of a live one what it is worth."""
    if not hand.lives:
        return key_of_fate(hand)
    rules = state.rules
    value, _ = hand_total(rules, hand)
    odds, _ = winning_odds(
        state.rules,
        hand,
        doubled=bool(hand.stakes[0].doubled),
        beside_double=any(other.doubled_on for other in state.box(BOX).hands),
    )
    bonus = rules.super_bonus is not None and rules.super_bonus.when.fits(hand.cards, value)
    worth = (value, is_natural(rules, hand), odds.as_integer_ratio(), bonus, hand.doubled_on > 0)
    return (*key_of_fate(hand), *worth)


# The table


def first_state(rules: Rules, shoe: Mapping[Card, int], stake: int) -> State:
    """A table of one box with a shoe of these cards, its wager placed and no more bets."""
    rules = replace(rules, boxes_needed=1, house=replace(rules.house, boxes=1, hours=""))
    unseen = bytes(shoe.get(card, 0) for card in ALL_CARDS)
    state = open_state(rules)
    cards = replace(state.shoe, left=sum(unseen), unseen=unseen, number=1, automated=False)
    return give(
        replace(state, shoe=cards, stage="idle"),
        cmd.Sit(box=BOX),
        cmd.OpenBetting(),
        cmd.Wager(box=BOX, stake=stake),
        cmd.AnnounceNoMoreBets(),
    )


def give(state: State, *commands: Command) -> State:
    for command in commands:
        state, _ = advance(state, command, office_of(type(command)) or player(PLAYER))
    return state


def attempt(state: State, command: Command) -> State | None:
    try:
        return give(state, command)
    except Refused:
        return None


def settlement(state: State) -> int:
    """What the final settlement brings."""
    usual = chore(state)
    assert usual is not None
    assert isinstance(usual.command, cmd.Settle)
    return won(give(state, usual.command)) - won(state)


def won(state: State) -> int:
    return state.won.get(PLAYER, 0)


def cards_left(state: State) -> list[tuple[Card, int]]:
    """The cards that may come next, and how many of each."""
    unseen = state.shoe.unseen
    return [(card, unseen[index]) for card, index in INDEX.items() if unseen[index]] or run_out()


def run_out() -> NoReturn:
    raise ValueError("the shoe runs out")


# Counts and values


def add(counts: Counter[int], ways: int, more: Counts) -> None:
    for net, count in more.items():
        counts[net] += ways * count


def in_all(counts: Counts) -> int:
    """Cents, summed over all orders of the cards left."""
    return sum(net * count for net, count in counts.items())


def best_first(values: Mapping[str, Fraction]) -> list[str]:
    """The moves from the best to the worst; equal ones in the order of MOVES."""
    return sorted(values, key=lambda move: (-values[move], MOVES.index(move)))
