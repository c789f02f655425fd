"""The worth of side bets, insurance and the Super Bonus: closed forms, enumeration, the table itself."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, cast

import pytest
from msgspec.structs import replace

from croupier.cards import ALL_CARDS, INDEX, RANKS, Card, parse_cards
from croupier.errors import ParseError, RulebookError
from croupier.exact import sidebets
from croupier.exact.shoe import CardsLeft, endless, fresh, of_cards, parse_shoe
from croupier.exact.sidebets import (
    BetValue,
    ThirdCard,
    even_money,
    favourable,
    insurance,
    insured,
    side_bet,
    side_bets,
    super_bonus,
    takes_third_card,
    third_card,
    warnings,
)
from croupier.game.paytables import best_row
from croupier.report.cautions import in_words
from croupier.rulebook import NAMES, load
from croupier.rulebook.paytable import Pattern, Row, SideBet
from croupier.rulebook.rules import Rules
from croupier.table import advance
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import DEALER, player
from croupier.table.commands import Asked
from croupier.table.conduct import chore, due
from croupier.table.legal import legal
from croupier.table.opening import Start, start_state
from test_table_properties import OFFERS

ACT = load("act-blackjack-2003").rules
UK = load("uk-blackjack-1994").rules
PONTOON = load("act-pontoon-2002").rules
SIX = fresh(ACT.ranks, 6)
PONTOON_SIX = fresh(PONTOON.ranks, 6)
TWO = of_cards(*parse_cards("7s 7h"))
BETS = [(name, bet) for name in NAMES for bet in load(name).rules.side_bets]
DECKS = range(1, 9)
F = Fraction
Net = Callable[[tuple[Card, ...]], int]


# Closed forms


@pytest.mark.parametrize("n", DECKS)
def test_perfect_pairs(n: int) -> None:
    assert side_bet(ACT, "perfect_pairs", fresh(ACT.ranks, n)).ev == F(n - 25, 52 * n - 1)
    assert side_bet(PONTOON, "perfect_pairs", fresh(PONTOON.ranks, n)).ev == F(5 * n - 25, 48 * n - 1)


@pytest.mark.parametrize("n", DECKS)
def test_every_row_of_perfect_pairs(n: int) -> None:
    value = side_bet(ACT, "perfect_pairs", fresh(ACT.ranks, n))
    chances = {payout.row: payout.chance for payout in value.payouts}
    others = 52 * n - 1
    assert chances == {
        "mixed": F(2 * n, others),
        "coloured_red": F(n, 2 * others),
        "coloured_black": F(n, 2 * others),
        "perfect": F(n - 1, others),
    }


@pytest.mark.parametrize(("n", "ev"), [(4, F(-14708, 92391)), (8, F(-404, 4485))])
def test_super_sevens_with_the_third_card(n: int, ev: Fraction) -> None:
    assert side_bet(ACT, "super_sevens", fresh(ACT.ranks, n)).ev == ev


@pytest.mark.parametrize("n", DECKS)
def test_every_row_of_super_sevens(n: int) -> None:
    sevens, size = 4 * n, 52 * n
    pair, three = F(1, size * (size - 1)), F(1, size * (size - 1) * (size - 2))
    always = side_bet(ACT, "super_sevens", fresh(ACT.ranks, n))
    assert [payout.chance for payout in always.payouts] == [
        sevens * (size - sevens) * pair,
        sevens * 3 * n * (size - sevens) * three,
        sevens * (n - 1) * (size - sevens) * three,
        sevens * ((sevens - 1) * (sevens - 2) - (n - 1) * (n - 2)) * three,
        sevens * (n - 1) * (n - 2) * three,
    ]
    never = side_bet(ACT, "super_sevens", fresh(ACT.ranks, n), cards=2)
    assert [payout.chance for payout in never.payouts] == [
        sevens * (size - sevens) * pair,
        sevens * 3 * n * pair,
        sevens * (n - 1) * pair,
        0,
        0,
    ]
    assert always.loses == never.loses == F(12, 13)


@pytest.mark.parametrize("n", DECKS)
def test_over_and_under_13(n: int) -> None:
    orders = 52 * n * (52 * n - 1)
    weights: Counter[int] = Counter()
    for one, two in itertools.product(range(1, 14), repeat=2):
        weights[min(one, 10) + min(two, 10)] += 4 * n * (4 * n - (one == two))
    assert weights.total() == orders
    over = F(sum(weight for total, weight in weights.items() if total > 13), orders)
    under = F(sum(weight for total, weight in weights.items() if total < 13), orders)
    aces = F(4 * n * (4 * n - 1), orders)
    assert side_bet(UK, "over_13", fresh(UK.ranks, n)).ev == 2 * over - 1
    assert side_bet(UK, "under_13", fresh(UK.ranks, n)).ev == 2 * under - 1 + 6 * aces


def test_over_and_under_13_with_four_decks() -> None:
    assert [bet.ev for bet in side_bets(UK, fresh(UK.ranks, 4))] == [F(-59, 897), F(-181, 2691)]


@pytest.mark.parametrize("n", DECKS)
def test_insurance_and_even_money(n: int) -> None:
    assert insurance(ACT, fresh(ACT.ranks, n)).ev == F(1 - 4 * n, 52 * n - 1)
    assert insurance(PONTOON, fresh(PONTOON.ranks, n)).ev == F(1 - 12 * n, 48 * n - 1)
    assert even_money(ACT, fresh(ACT.ranks, n)).declining == F(3 * (18 * n - 1), 52 * n - 3)


@pytest.mark.parametrize("n", DECKS)
def test_insurance_whenever_it_is_open(n: int) -> None:
    # An ace on the table, and a natural beside it in either order.
    held = F(1, 13) * 2 * F(4 * n - 1, 52 * n - 1) * F(16 * n, 52 * n - 2)
    of_natural = 3 * F(16 * n - 1, 52 * n - 3) - 1
    assert insured(ACT, fresh(ACT.ranks, n)) == F(1, 13) * F(1 - 4 * n, 52 * n - 1)
    assert insured(UK, fresh(UK.ranks, n)) == held * of_natural
    held = F(1, 12) * 2 * F(4 * n - 1, 48 * n - 1) * F(12 * n, 48 * n - 2)
    of_natural = 3 * F(12 * n - 1, 48 * n - 3) - 1
    everyone = F(1, 12) * F(1 - 12 * n, 48 * n - 1)
    assert insured(PONTOON, fresh(PONTOON.ranks, n)) == everyone - held * of_natural


def test_insurance_as_published() -> None:
    assert insurance(ACT, SIX).ev == F(-23, 311)
    assert insurance(PONTOON, fresh(PONTOON.ranks, 4)).ev == F(-47, 191)
    offer = even_money(ACT, SIX)
    assert (offer.taking, offer.declining) == (F(1), F(107, 103))


def test_insurance_with_the_players_cards_known() -> None:
    shoe = SIX
    assert insurance(ACT, shoe, "T", "K").payouts[0].chance == F(94, 309)
    assert insurance(ACT, shoe, "7h", "9s").payouts[0].chance == F(96, 309)
    assert insurance(ACT, shoe, "T", "K").ev == 3 * F(94, 309) - 1
    # An insured natural is even money: half the wager at two to one, whatever the dealer's second card.
    held = insurance(ACT, shoe, "Ah", "Ts")
    assert even_money(ACT, shoe, ("Ah", "Ts")).declining + held.ev / 2 == 1
    assert insurance(ACT, endless(ACT.ranks), "T", "K").ev == F(-1, 13)


@pytest.mark.parametrize("n", DECKS)
def test_super_bonus(n: int) -> None:
    size = 48 * n
    chance = F(4 * n * (n - 1) * (n - 2) * (4 * n - 3), size * (size - 1) * (size - 2) * (size - 3))
    value = super_bonus(PONTOON, fresh(PONTOON.ranks, n))
    assert value.chance == chance
    assert (value.below_threshold, value.from_threshold, value.others) == (1000 * chance, 5000 * chance, F(0))
    assert n != 6 or chance == F(1, 668382)


# Enumeration


def sevens(cards: tuple[Card, ...]) -> int:
    count = len(list(itertools.takewhile(lambda card: card[0] == "7", cards[:3])))
    suited = len({card[1] for card in cards[:count]}) == 1
    return (-1, 3, 100 if suited else 50, 5000 if suited else 500)[count]


def pairs(cards: tuple[Card, ...]) -> int:
    (rank, suit), (other, second) = cards[:2]
    if rank != other:
        return -1
    return 25 if suit == second else 12 if {suit, second} in ({"h", "d"}, {"s", "c"}) else 6


def points(cards: tuple[Card, ...]) -> int:
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards[:2])


def over(cards: tuple[Card, ...]) -> int:
    return 1 if points(cards) > 13 else -1


def under(cards: tuple[Card, ...]) -> int:
    return 7 if points(cards) == 2 else 1 if points(cards) < 13 else -1


TINY = parse_cards("7s 7s 7h 7d 7d Ah As Kd 3c")
NETS: list[tuple[Rules, str, Net]] = [
    (ACT, "super_sevens", sevens),
    (ACT, "perfect_pairs", pairs),
    (UK, "over_13", over),
    (UK, "under_13", under),
]


def enumerated(cards: tuple[Card, ...], net: Net) -> dict[Fraction, Fraction]:
    """The chance of every net result, by dealing three of the cards in all orders."""
    counts = Counter(net(order) for order in itertools.permutations(cards, 3))
    return {F(result): F(count, counts.total()) for result, count in counts.items()}


def likely(value: BetValue) -> dict[Fraction, Fraction]:
    return {net: chance for net, chance in value.frequencies.items() if chance}


@pytest.mark.parametrize(("rules", "name", "net"), NETS)
def test_a_tiny_shoe_in_all_its_orders(rules: Rules, name: str, net: Net) -> None:
    law = enumerated(TINY, net)
    value = side_bet(rules, name, of_cards(*TINY))
    assert likely(value) == law
    assert value.ev == sum(result * chance for result, chance in law.items())
    assert value.variance == sum((result - value.ev) ** 2 * chance for result, chance in law.items())


def unseen(shoe: CardsLeft, gone: str) -> CardsLeft:
    """The shoe without cards of these ranks whose suits nobody saw."""
    left = (count - gone.count(rank) for rank, count in zip(RANKS, shoe.left, strict=True))
    return CardsLeft(left=tuple(left), pool=shoe.pool)


@pytest.mark.parametrize(("rules", "name", "net"), NETS)
def test_suits_of_cards_that_are_gone_may_be_unknown(rules: Rules, name: str, net: Net) -> None:
    """Two sevens and an ace are gone, nobody knows which: the mean over all that they can be."""
    mean: dict[Fraction, Fraction] = defaultdict(Fraction)
    ways = [
        [index for index in range(len(TINY)) if index not in (*two, one)]
        for two in itertools.combinations(range(5), 2)
        for one in (5, 6)
    ]
    for kept in ways:
        for result, chance in enumerated(tuple(TINY[index] for index in kept), net).items():
            mean[result] += chance / len(ways)
    assert likely(side_bet(rules, name, unseen(of_cards(*TINY), "77A"))) == mean


def test_known_suits_matter_and_unknown_ones_do_less() -> None:
    known = parse_shoe("-7s -7s -7s -7s", ACT.ranks, 4)
    unknown = parse_shoe("-7 -7 -7 -7", ACT.ranks, 4)
    evs = [side_bet(ACT, "super_sevens", shoe).ev for shoe in (known, unknown)]
    assert known.left == unknown.left
    assert evs[0] > evs[1]  # three suits of four sevens hold more triples than four suits of three
    spread = [side_bet(ACT, "super_sevens", shoe).frequencies[F(3)] for shoe in (known, unknown)]
    assert spread[0] == spread[1]


@pytest.mark.parametrize(("rulebook", "name"), BETS)
def test_frequencies_sum_to_one(rulebook: str, name: str) -> None:
    rules = load(rulebook).rules
    shoes = [
        fresh(rules.ranks, 6),
        endless(rules.ranks),
        parse_shoe("A=3 7=9 -8 -8h -9s 7s=1", rules.ranks, 4),
        parse_shoe(" ".join(f"-{rank}" for rank in rules.ranks), rules.ranks, 3),
    ]
    for shoe in shoes:
        value = side_bet(rules, name, shoe)
        assert sum(value.frequencies.values()) == 1
        assert all(chance >= 0 for chance in value.frequencies.values())
        assert [payout.row for payout in value.payouts] == list(rules.side_bets[name].rows)


def test_decks_without_end_are_the_limit() -> None:
    value = side_bet(ACT, "super_sevens", endless(ACT.ranks))
    thirteen = F(1, 13)
    assert [payout.chance for payout in value.payouts] == [
        thirteen * (1 - thirteen),
        thirteen**2 * (1 - thirteen) * F(3, 4),
        thirteen**2 * (1 - thirteen) * F(1, 4),
        thirteen**3 * F(15, 16),
        thirteen**3 * F(1, 16),
    ]
    assert side_bet(PONTOON, "perfect_pairs", endless(PONTOON.ranks)).ev == F(5, 48)
    two = replace(TWO, endless=True)
    assert likely(side_bet(ACT, "super_sevens", two)) == {F(500): F(3, 4), F(5000): F(1, 4)}


# Paytables that no document has


def paytable(looks: int, **rows: Pattern) -> Rules:
    """A side bet `test` whose rows pay 2, 3, 4, ... to one in their order."""
    table = {name: Row(when=when, pays=F(number)) for number, (name, when) in enumerate(rows.items(), 2)}
    bet = SideBet(first_cards=looks, rows=table, stake="limits", alone="void", offered_as="test")
    return replace(ACT, side_bets={"test": bet})


@pytest.mark.parametrize(
    "rules",
    [
        paytable(3, a=Pattern(same_suit=True), b=Pattern(same_rank=True), c=Pattern(same_colour=False)),
        paytable(3, a=Pattern(total_above=20), b=Pattern(total_below=6), c=Pattern(cards=2, ranks="7K")),
        paytable(3, a=Pattern(same_rank=True, total_above=10), b=Pattern(same_rank=False, suits="hd")),
        paytable(3, a=Pattern(cards=1, suits="h"), b=Pattern(cards=2, same_rank=True, same_suit=False)),
        paytable(1, a=Pattern(suits="hd")),
    ],
)
def test_any_paytable_in_all_its_orders(rules: Rules) -> None:
    bet = rules.side_bets["test"]
    rows: Counter[str | None] = Counter()
    for order in itertools.permutations(TINY, bet.first_cards):
        found = best_row(rules, bet, order)
        rows[found[0] if found else None] += 1
    value = side_bet(rules, "test", of_cards(*TINY))
    assert {payout.row: payout.chance for payout in value.payouts} == {
        row: F(rows[row], rows.total()) for row in bet.rows
    }
    assert value.loses == F(rows[None], rows.total())


def test_every_part_of_a_pattern_is_known_by_what_it_sees() -> None:
    parts = (sidebets._SUITS, sidebets._PAIRS, sidebets._POINTS, sidebets._NAMES, sidebets._LENGTH)
    assert set().union(*parts) == set(Pattern.__struct_fields__)


def test_a_part_that_is_not_known_sees_all_of_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = side_bet(ACT, "perfect_pairs", of_cards(*TINY))
    monkeypatch.setattr(sidebets, "_PAIRS", set())
    assert side_bet(ACT, "perfect_pairs", of_cards(*TINY)) == plain


# The third card


@pytest.mark.parametrize("upcard", [None, "7", "7h", "T"])
@pytest.mark.parametrize("shoe", [SIX, endless(ACT.ranks), parse_shoe("7s=1 -7", ACT.ranks, 4)])
def test_the_third_card_is_what_lies_between_standing_and_drawing(
    shoe: CardsLeft, upcard: str | None
) -> None:
    starts = third_card(ACT, "super_sevens", shoe, upcard)
    never = side_bet(ACT, "super_sevens", shoe, cards=2, upcard=upcard)
    always = side_bet(ACT, "super_sevens", shoe, upcard=upcard)
    assert never.ev + sum(start.chance * (start.drawing - start.standing) for start in starts) == always.ev
    assert all(card[0] == "7" for start in starts for card in start.cards)
    assert sum(start.chance for start in starts) == sum(payout.chance for payout in never.payouts[1:])


def test_the_third_card_of_two_sevens() -> None:
    starts = {start.cards: start for start in third_card(ACT, "super_sevens", SIX, "9")}
    assert len(starts) == 10
    suited, mixed = starts["7s", "7s"], starts["7s", "7h"]
    # 309 cards behind two sevens and a nine: four sevens of the suit and eighteen of the others.
    assert (suited.standing, suited.drawing) == (F(100), F(4 * 5000 + 18 * 500 + 287 * 100, 309))
    assert (mixed.standing, mixed.drawing) == (F(50), F(22 * 500 + 287 * 50, 309))
    assert suited.chance == F(6 * 5, 311 * 310)
    assert mixed.chance == F(2 * 6 * 6, 311 * 310)


def test_no_third_card_decides_a_bet_on_two() -> None:
    assert third_card(ACT, "perfect_pairs", SIX) == ()


def test_third_cards_where_no_row_looks_at_suits() -> None:
    rules = paytable(3, two=Pattern(cards=2, ranks="88"), three=Pattern(ranks="888"))
    (start,) = third_card(rules, "test", fresh(rules.ranks, 1))
    assert start.cards == ("8", "8")
    assert (start.standing, start.drawing) == (F(2), F(2 * 48 + 3 * 2, 50))


def test_a_third_card_is_taken_when_it_is_worth_its_price() -> None:
    start = ThirdCard(("7s", "7h"), F(1, 100), standing=F(50), drawing=F(80))
    assert takes_third_card(start, draw=-0.5, best_without_draw=-0.2, ratio=0.02)
    assert not takes_third_card(start, draw=F(-1, 2), best_without_draw=F(-1, 5), ratio=F(1, 100))
    assert not takes_third_card(start, draw=-0.5, best_without_draw=-0.2, ratio=0)
    assert takes_third_card(start, draw=-0.2, best_without_draw=-0.5, ratio=0)


# The Super Bonus beside other boxes


@pytest.mark.parametrize("others", range(7))
def test_boxes_are_independent_where_decks_have_no_end(others: int) -> None:
    wins = 4 * F(1, 48) ** 3
    value = super_bonus(PONTOON, endless(PONTOON.ranks), others)
    assert value.chance == wins / 12
    assert value.others == F(50, 12) * (1 - wins) * (1 - (1 - wins) ** others)


def arrangements(left: dict[Card, int], length: int) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    """All ways in which so many cards can come, with their chances."""
    if length == 0:
        yield (), F(1)
        return
    size = sum(left.values())
    for card, count in left.items():
        if count:
            for rest, chance in arrangements(left | {card: count - 1}, length - 1):
                yield (card, *rest), chance * F(count, size)


@pytest.mark.parametrize("others", [0, 1, 2])
def test_super_bonus_in_all_orders_of_a_tiny_shoe(others: int) -> None:
    cards = parse_cards("7s 7s 7s 7s 7h 7h 7h 8d 8d 8d")
    mine = consolation = F(0)
    for order, chance in arrangements(dict(Counter(cards)), 3 * (others + 1) + 1):
        won = [
            order[-1][0] == "7" and len(set(order[3 * box : 3 * box + 3])) == 1 and order[3 * box][0] == "7"
            for box in range(others + 1)
        ]
        mine += chance * won[0]
        consolation += 50 * chance * (any(won[1:]) and not won[0])
    value = super_bonus(PONTOON, of_cards(*cards), others)
    assert (value.chance, value.others) == (mine, consolation)
    assert others < 2 or consolation > 0


def test_more_boxes_bring_more_consolation_and_never_change_my_own_chance() -> None:
    values = [super_bonus(PONTOON, PONTOON_SIX, others) for others in range(7)]
    assert {value.chance for value in values} == {F(1, 668382)}
    worth = [value.others for value in values]
    assert all(0 < more - less < 50 * F(1, 668382) for less, more in itertools.pairwise(worth))


# The table itself


def settled(rules: Rules, name: str, cards: tuple[Card, ...], *, draw: bool) -> Fraction:
    """What the table pays to one for a side bet on box 1 with these cards, the third taken or not."""
    state = start_state(rules, Start())
    boxes = rules.boxes_needed
    state, _ = advance(state, cmd.OpenBetting(), DEALER)
    for box in range(1, boxes + 1):
        sides = {name: 500} if box == 1 else {}
        state, _ = advance(state, cmd.Wager(box=box, stake=1000, sides=sides), player("p1"))
    state, _ = advance(state, cmd.AnnounceNoMoreBets(), DEALER)
    filler = ["9c"] * (boxes - 1)
    words = [cards[0], *filler, "6c", cards[1], *filler, *(cards[2:] if draw else ())]
    net: list[int] = []
    while state.stage != "idle":
        wanted = due(state)
        asked: Asked | None
        if wanted == "card":
            asked = Asked(cmd.Deal(card=Card(words.pop(0) if words else "6c")), DEALER)
        elif wanted == "chore":
            asked = chore(state)
        elif wanted == "offers":
            asked = Asked(cmd.CloseOffers(), DEALER)
        else:
            moves = [Asked(choice.command, choice.by) for choice in legal(state)]
            hits = [move for move in moves if isinstance(move.command, cmd.Hit)]
            stands = [move for move in moves if isinstance(move.command, cmd.Stand)]
            asked = (hits if words and hits else stands or hits)[0]
        assert asked is not None
        state, events = advance(state, *asked)
        net += [event.net for event in events if isinstance(event, ev.Settled) and event.wager == name]
    assert len(net) == 1
    return F(net[0], 500)


@pytest.mark.parametrize("draw", [True, False])
@pytest.mark.parametrize(
    ("rulebook", "name"), [(rulebook, name) for rulebook, name in BETS if rulebook != "act-blackjack-1997"]
)
def test_the_table_settles_by_the_same_law(rulebook: str, name: str, draw: bool) -> None:
    """Random shoes of five cards, rich in sevens and pairs, dealt at the table in all their orders."""
    rules = load(rulebook).choose(decks=6, **cast(dict[str, Any], OFFERS[rulebook]))
    dice = random.Random(f"{rulebook} {name} {draw}")
    rich = [card for card in ALL_CARDS if card[0] in "7A" or card in ("8h", "8s", "Kd", "3c")]
    for _ in range(2):
        cards = tuple(dice.choices(rich, k=5))
        counts = Counter(settled(rules, name, order, draw=draw) for order in itertools.permutations(cards, 3))
        value = side_bet(rules, name, of_cards(*cards), cards=None if draw else 2)
        assert likely(value) == {net: F(count, counts.total()) for net, count in counts.items()}, cards


# What a regulator is told


def test_warnings_name_the_decks_with_which_a_bet_favours_the_player() -> None:
    (advantage,) = warnings(PONTOON)
    assert advantage.bet == "perfect_pairs"
    assert advantage.by_decks[8] == F(15, 383)
    assert in_words(advantage) == (
        "Perfect Pairs favours the player with 6, 7 or 8 decks: with 8 it wins 15/383 of the stake on average"
        " (3.916%)."
    )
    assert warnings(ACT) == warnings(UK) == ()


def test_a_depleted_shoe_may_favour_the_player() -> None:
    rich = parse_shoe("2=0 3=0 4=0 5=0 6=0", ACT.ranks, 6)
    assert [bet.name for bet in favourable(ACT, rich)] == ["super_sevens", "perfect_pairs", "insurance"]
    assert favourable(ACT, SIX) == ()
    no_ace = parse_shoe("A=0", ACT.ranks, 6)
    assert "insurance" not in [bet.name for bet in favourable(ACT, no_ace)]


# What cannot be computed


@pytest.mark.parametrize(
    ("compute", "why"),
    [
        (
            lambda: side_bet(ACT, "super_sevens", TWO),
            "super_sevens takes 3 out of the shoe, which has 2 left",
        ),
        (lambda: side_bet(ACT, "perfect_pairs", TWO, upcard="7"), "which has 1 left"),
        (lambda: third_card(ACT, "super_sevens", of_cards()), "which has 0 left"),
        (lambda: side_bet(ACT, "super_sevens", SIX, cards=1), "a box takes at least 2"),
        (lambda: side_bet(ACT, "lucky", SIX), "no side bet 'lucky'; there are super_sevens"),
        (lambda: side_bet(PONTOON, "perfect_pairs", SIX), "the shoe holds T"),
        (lambda: side_bet(ACT, "super_sevens", SIX, upcard="x"), "'x' is not a rank"),
        (lambda: side_bet(ACT, "super_sevens", TWO, upcard="A"), "'A' is not a rank"),
        (lambda: insurance(ACT, SIX, upcard="9"), "no insurance against 9; it is offered against A"),
        (lambda: insurance(ACT, of_cards(Card("As"))), "the dealer takes 1 out of the shoe"),
        (lambda: even_money(PONTOON, PONTOON_SIX), "no even money against A"),
        (lambda: even_money(ACT, SIX, ("A", "9")), "A 9 is none"),
        (lambda: super_bonus(ACT, SIX), "no Super Bonus"),
        (lambda: super_bonus(PONTOON, PONTOON_SIX, -1), "-1 other boxes"),
        (lambda: super_bonus(PONTOON, of_cards(*[Card("7s")] * 9), 2), "the Super Bonus takes 10 out of the"),
    ],
)
def test_what_cannot_be_computed_is_told_in_a_sentence(compute: Callable[[], object], why: str) -> None:
    with pytest.raises(ParseError, match=why) as told:
        compute()
    assert "\n" not in str(told.value)


def test_a_super_bonus_that_names_no_cards_is_no_rulebook() -> None:
    assert PONTOON.super_bonus is not None
    rules = replace(PONTOON, super_bonus=replace(PONTOON.super_bonus, when=Pattern(same_suit=True)))
    with pytest.raises(RulebookError, match="names no cards"):
        super_bonus(rules, fresh(rules.ranks, 6))


def test_the_chance_of_cards_is_that_of_their_suits_in_the_pool() -> None:
    """By counting: three of four sevens are left, nobody knows of which suits."""
    pool = of_cards(*parse_cards("7s 7s 7h 7d 8c"))
    shoe = unseen(pool, "7")
    orders = list(itertools.permutations(parse_cards("7s 7s 7h 7d"), 4))
    suited = sum(order[:2] == ("7s", "7s") for order in orders)
    assert shoe.chance(Card("7s"), Card("7s")) == F(3, 4) * F(2, 3) * F(suited, len(orders))
    assert shoe.chance(Card("8c"), Card("8c")) == 0
    assert INDEX[Card("8c")] % len(RANKS) == RANKS.index("8")
