"""The inner loop: rounds and hands, compiled by Numba. It knows no rule: every answer is in a table."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.exact.hands import VARIANTS, Array
from croupier.simulate.shoe import (
    BEGAN,
    FIRST_SEEN,
    MARKS,
    NEXT,
    RAN_OUT,
    REFILLED,
    RUNNING,
    SHUFFLED,
    SIZE,
    below,
    card_of,
    compiled,
    draw,
    inlined,
)
from croupier.simulate.tables import (
    DOUBLE,
    HIT,
    KINDS,
    MOST_HANDS,
    SPLIT,
    SPLIT_ACE,
    SPLIT_HAND,
    SUIT_CODES,
    SURRENDER,
    WHOLE,
)

MOST_COUNT = 60  # counts beyond it are taken for it
COUNT_ROWS = 2 * MOST_COUNT + 1
MOST_RUNNING = 1024  # running counts of play, likewise
RUNNING_ROW = 2 * MOST_RUNNING + 1

LIVES, BUSTED, PAID, FORFEITED, SURRENDERED, HOLDS_NATURAL = range(6)
NOTHING, NATURAL, TOTAL = range(3)  # what hangs on the dealer's further cards
TWENTY_ONE = 21

# What is noted of a hand.
HAND, CARDS, SUITS, ACES, FIRST, SECOND, STAKE, END, SHOWN, WINS, INSURED = range(11)
NOTES = 11
ROOM = NOTES * (MOST_HANDS + 1)  # for the hands of a box


class Room(NamedTuple):
    """What a round is written down in."""

    marks: Array
    notes: Array  # the hands of each box
    held: Array  # of each box its first cards, where its hands end, and whether it has lost its Super Bonus
    nets: Array  # what each box wins or loses, in units
    bonuses: Array  # and its Super Bonuses
    sides: Array  # how each of its side bets ends
    won_at: Array  # what was won in a shoe at each count


def room_for(boxes: int, sides: int = 0) -> Room:
    sizes = MARKS, ROOM * boxes, 4 * boxes, boxes, boxes, sides * boxes, COUNT_ROWS
    return Room(*(np.zeros(size, np.int64) for size in sizes))


# What is counted.
(
    ROUNDS,
    DEALER_NATURALS,
    DEALER_BUSTS,
    NATURALS,
    SURRENDERS,
    SPLITS,
    DOUBLES,
    FORFEITS,
    BUSTS,
    BONUSES,
    HANDS,
    STAKED,
    DEALT,
    SHARED,  # boxes that have a part in another's Super Bonus
) = range(14)
COUNTS = 14


# Counting


class Counting(NamedTuple):
    """How cards are counted, in whole numbers, `scale` times the tags; without tags they are not."""

    tags: Array  # [card]
    scale: int
    start: int
    deck: int  # cards of a deck, 0 where the running count is not divided
    step: int  # to how many cards those left are estimated


class ByCount(NamedTuple):
    """What goes by which count: bets by one, the play by the tags in the words of the cards.

    Where insurance has tags of its own it is asked of them, otherwise of the plan that is played.
    """

    bets: Counting
    rows: Array  # [cards left, running count]: the row of the count that bets go by
    play_start: int
    plans: Array  # [cards left, running count]; none where there is one plan
    insures: Array  # [plan]
    insurance: Counting
    insured: Array  # [cards left, running count]: is insurance taken?; none where it goes by the plan


def nothing_by_count() -> ByCount:
    none, no_table = Counting(np.zeros(0, np.int64), 1, 0, 0, 1), np.zeros(0, np.uint8)
    return ByCount(none, no_table, 0, no_table, np.zeros(1, np.uint8), none, no_table)


@inlined
def count_now(counting, running, left):
    """The count by which a bet is made: by the decks left, rounded down, or as it runs."""
    scaled = running
    by = counting.scale
    if counting.deck:
        estimated = max((left + counting.step // 2) // counting.step * counting.step, counting.step)
        scaled *= counting.deck
        by *= estimated
    return min(max(scaled // by, -MOST_COUNT), MOST_COUNT)


@compiled
def look_up_by(counting, thresholds, table):
    """Fill a table: by cards left and running count, how many thresholds the count has come to."""
    for left in range(table.size // RUNNING_ROW - 1):
        for running in range(-MOST_RUNNING, MOST_RUNNING + 1):
            count = count_now(counting, running, left)
            for threshold in thresholds:
                table[no_count_at(left) + running] += np.uint8(count >= threshold)


@inlined
def no_count_at(left):
    """Where a table by cards left and running count has the count of nothing.

    There is a row before that of no cards left, for the cutting card behind all cards.
    """
    return RUNNING_ROW * (left + 1) + MOST_RUNNING


@inlined
def looked_up(table, left, running):
    """In a table by cards left and running count; that may lie beyond it where the rack was shuffled in."""
    return np.int64(table[no_count_at(left) + min(max(running, -MOST_RUNNING), MOST_RUNNING)])


@inlined
def plan_now(by_count, marks):
    """Which plan is played at the count at hand."""
    if by_count.plans.size == 0:
        return np.int64(0)
    return looked_up(by_count.plans, marks[SIZE] - marks[NEXT], marks[RUNNING])


@inlined
def insures_now(by_count, deck, marks):
    """Is insurance taken at the count at hand?"""
    if by_count.insured.size == 0:
        return np.int64(by_count.insures[plan_now(by_count, marks)])
    running = by_count.insurance.start
    for seen in range(marks[FIRST_SEEN], marks[NEXT]):
        running += by_count.insurance.tags[card_of(deck[seen])]
    return looked_up(by_count.insured, marks[SIZE] - marks[NEXT], running)


# A round. Tables lie one behind another in `f`; `t` says where each begins. What is noted of hands lies in
# `notes`, `at` being where a hand's begins.


@inlined
def deal_to(f, t, notes, at, card):
    """One more card to a hand; its number is -1 when it is over 21."""
    size = notes[at + CARDS]
    value = f[t.value + card]
    notes[at + HAND] = f[t.after + 10 * notes[at + HAND] + value]
    if size < 3:
        notes[at + SUITS] |= (card // 13) << 2 * size
        if size < 2:
            notes[at + ACES] += value == 0
            notes[at + FIRST + size] = card
    notes[at + CARDS] = size + 1


@inlined
def begin_hand(f, t, notes, at, card):
    """A hand of one card."""
    for note in range(NOTES):
        notes[at + note] = 0
    notes[at + STAKE] = 1
    deal_to(f, t, notes, at, card)


@inlined
def variant_of(f, t, notes, at):
    """What play further hangs on: the suits of two cards, or how many aces came first."""
    if f[t.suited + notes[at + HAND]]:
        return f[t.pair_suits + 4 * (notes[at + FIRST] // 13) + notes[at + SECOND] // 13]
    return notes[at + ACES] if t.first_aces else 0


@inlined
def _wins(f, t, notes, at, soft, kind):
    """What the hand wins if it wins, by the unit staked."""
    hand, cards = notes[at + HAND], notes[at + CARDS]
    doubled = notes[at + STAKE] == 2
    if not doubled and cards == 2 and f[t.natural + hand] and (kind == WHOLE or t.natural_after_split):
        return t.natural_odds
    row = f[t.suit_row + hand]
    if row >= 0 and cards == 3 and notes[at + SHOWN] == TWENTY_ONE and (t.doubled_suits or not doubled):
        return f[t.suit_odds + SUIT_CODES * row + notes[at + SUITS]]
    return f[t.double_odds + 2 * hand + soft] if doubled else f[t.odds + hand]


@inlined
def shows_bonus(f, t, notes, at, up):
    row = f[t.suit_row + notes[at + HAND]]
    if row < 0 or notes[at + CARDS] != 3 or notes[at + STAKE] != 1 or not f[t.bonus_rank + up % 13]:
        return 0
    return f[t.bonus + SUIT_CODES * row + notes[at + SUITS]]


@inlined
def end_hand(f, t, notes, at, kind, shown, soft):
    """A hand that is not over 21 has its last card: it is paid at once, or waits for the dealer."""
    notes[at + SHOWN] = shown
    notes[at + WINS] = _wins(f, t, notes, at, soft, kind)
    if shown == TWENTY_ONE and t.paid_at_once:
        notes[at + END] = PAID
    elif (
        kind != WHOLE and t.natural_after_split and notes[at + CARDS] == 2 and f[t.natural + notes[at + HAND]]
    ):
        notes[at + END] = HOLDS_NATURAL
    else:
        notes[at + END] = LIVES


@inlined
def double(f, t, notes, at, kind, upcard, card):
    """The last card of a hand whose stake is doubled."""
    hand, variant = notes[at + HAND], variant_of(f, t, notes, at)
    deal_to(f, t, notes, at, card)
    notes[at + STAKE] = 2
    grown = notes[at + HAND]
    if grown < 0:
        notes[at + END] = BUSTED
        return
    soft = f[t.doubled_high + VARIANTS * (10 * hand + f[t.value + card]) + variant]
    end_hand(f, t, notes, at, kind, f[t.hard + grown] + 10 * soft, soft)
    if notes[at + END] == LIVES and f[t.forfeits + 2 * (t.hands * upcard + grown) + soft]:
        notes[at + END] = FORFEITED


@inlined
def split_hand(f, t, notes, at, end):
    """The hand and a new one behind it, with a card each; those behind move on."""
    for note in range(end - 1, at + NOTES - 1, -1):
        notes[note + NOTES] = notes[note]
    second, insured = notes[at + SECOND], notes[at + INSURED]
    begin_hand(f, t, notes, at, notes[at + FIRST])
    notes[at + INSURED] = insured
    begin_hand(f, t, notes, at + NOTES, second)


@inlined
def first_cards(f, t, notes, at, first, second, up):
    """The first two cards of a box: True if they are a natural, which has no further card."""
    begin_hand(f, t, notes, at, first)
    deal_to(f, t, notes, at, second)
    if f[t.natural + notes[at + HAND]]:
        notes[at + SHOWN], notes[at + WINS] = TWENTY_ONE, t.natural_odds
        notes[at + END] = PAID if f[t.natural_early + up % 13] else HOLDS_NATURAL
        return True
    return False


@inlined
def open_hand(f, t, notes, at, first, second, up, plan, insures):
    """The first two cards of a box, which is insured if it may be: True if they end its play."""
    natural = first_cards(f, t, notes, at, first, second, up)
    notes[at + INSURED] = insures and f[t.insurable + 2 * (up % 13) + natural]
    if natural:
        return True
    if planned(f, t, notes, at, WHOLE, f[t.value + up], plan) & SURRENDER and f[t.opens_surrender + up % 13]:
        notes[at + END] = SURRENDERED
        return True
    return False


@inlined
def planned(f, t, notes, at, kind, upcard, plan):
    """What the play has for a hand, as bits."""
    place = t.hands * (10 * (KINDS * plan + kind) + upcard) + notes[at + HAND]
    return f[t.act + VARIANTS * place + variant_of(f, t, notes, at)]


@inlined
def decide(f, t, notes, at, kind, upcard, hands, plan):
    """What a hand does in a box of so many: split, double or hit; or it has ended, over 21 or standing."""
    hand = notes[at + HAND]
    if hand < 0:
        notes[at + END] = BUSTED
        return 0
    act = planned(f, t, notes, at, kind, upcard, plan)
    if act & SPLIT and hands < (t.most_aces if notes[at + FIRST] % 13 == 0 else t.most_hands):
        return SPLIT
    if act & DOUBLE:
        return DOUBLE
    if act & HIT:
        return HIT
    end_hand(f, t, notes, at, kind, f[t.total + hand], 0)
    return 0


@inlined
def play_box(f, t, notes, begin, first, second, up, deck, marks, chance, by_count, insures):
    """Play a box to its end: where its hands end, and whether it has lost its Super Bonus."""
    upcard = f[t.value + up]
    at, end, kind, barred = begin, begin + NOTES, WHOLE, 0
    if open_hand(f, t, notes, begin, first, second, up, plan_now(by_count, marks), insures):
        at = end
    while at < end:
        if notes[at + CARDS] == 1:
            deal_to(f, t, notes, at, draw(deck, marks, chance, t.reshuffles))
        act = decide(f, t, notes, at, kind, upcard, (end - begin) // NOTES, plan_now(by_count, marks))
        if act == SPLIT:
            barred |= f[t.bonus_bars + 52 * notes[at + FIRST] + notes[at + SECOND]]
            kind = SPLIT_ACE if notes[at + FIRST] % 13 == 0 else SPLIT_HAND
            split_hand(f, t, notes, at, end)
            end += NOTES
        elif act == HIT:
            deal_to(f, t, notes, at, draw(deck, marks, chance, t.reshuffles))
        else:
            if act == DOUBLE:
                double(f, t, notes, at, kind, upcard, draw(deck, marks, chance, t.reshuffles))
            at += NOTES
    return end, barred


@inlined
def hangs_on(f, t, notes, begin, end, up):
    """What of a box hangs on the dealer's further cards."""
    found, lost, at = NOTHING, 0, begin
    while at < end:
        fate = notes[at + END]
        if fate == LIVES:
            found = TOTAL
        elif fate in (HOLDS_NATURAL, SURRENDERED):
            found = max(found, NATURAL)
        elif fate == BUSTED:
            lost += notes[at + STAKE]
        elif fate == FORFEITED:
            lost += 1
        if notes[at + INSURED]:
            found = max(found, NATURAL)
        at += NOTES
    if t.gives_back and lost > t.kept_alone and f[t.natural_possible + up % 13]:
        found = max(found, NATURAL)
    return found


@inlined
def play_dealer(f, t, up, hangs, deck, marks, chance):
    """The dealer's total, over 21 if it is that, and whether it is a natural."""
    hand = f[t.after + f[t.value + up]]
    while hand >= 0 and f[t.draws + t.hands * hangs + hand]:
        card = draw(deck, marks, chance, t.reshuffles)
        hand = f[t.after + 10 * hand + f[t.value + card]]
    if hand < 0:
        return TWENTY_ONE + 1, 0
    return f[t.total + hand], f[t.natural + hand]


@inlined
def settle_box(f, t, notes, begin, end, up, barred, dealer, natural):
    """What a box wins or loses, in units, and how many Super Bonuses it has won."""
    net, bonuses, lost, first_live, at = 0, 0, 0, -1, begin
    while at < end:
        fate, stake = notes[at + END], notes[at + STAKE]
        won = 0
        if notes[at + INSURED]:
            net += t.insurance_wins if natural else -t.insurance_share
        if fate == BUSTED:
            lost += stake
        elif fate == FORFEITED:
            lost += 1
        elif fate == SURRENDERED:
            net -= t.unit if natural and t.surrender_annulled else t.surrender_share
            first_live = at if first_live < 0 else first_live
        elif fate == HOLDS_NATURAL and natural:
            net += t.natural_tie
        elif fate == LIVES and natural:
            first_live = at if first_live < 0 else first_live
            net -= f[t.taken + 4 * (at == begin) + 2 * (at == first_live) + stake - 1]
        elif fate == LIVES:
            won = f[t.results + t.columns * notes[at + SHOWN] + dealer - t.lowest]
        else:
            won = 1
        wins = notes[at + WINS] if won > 0 else -t.unit
        if won > 0 and not barred and shows_bonus(f, t, notes, at, up):
            bonuses += 1
            wins = 0 if t.bonus_instead else wins
        net += stake * wins * abs(won)
        at += NOTES
    if natural and t.gives_back and lost:
        lost = t.kept_beside if first_live >= 0 else t.kept_alone
    return net - lost * t.unit, bonuses


@inlined
def play_round(f, t, room, deck, chance, by_count, counts):
    """One round; what came of it is in the room."""
    marks, notes, held, nets, bonuses = room.marks, room.notes, room.held, room.nets, room.bonuses
    boxes = nets.size
    marks[BEGAN] = marks[NEXT]
    up, dealt = 0, 0
    for part in range(t.parts):
        if f[t.order + part]:
            for box in range(boxes):
                held[4 * box + dealt] = draw(deck, marks, chance, t.reshuffles)
            dealt += 1
        else:
            up = draw(deck, marks, chance, t.reshuffles)
    hangs, insures = NOTHING, insures_now(by_count, deck, marks)
    for box in range(boxes):
        begin, mine = ROOM * box, 4 * box
        next_card, began = marks[NEXT], marks[BEGAN]
        cards = held[mine], held[mine + 1], up
        end, barred = play_box(f, t, notes, begin, *cards, deck, marks, chance, by_count, insures)
        if t.sides:
            at = next_card - began + marks[BEGAN]  # where it lies if the rack was shuffled in
            third = card_of(deck[at]) if marks[NEXT] > at else -1
            _end_sides(f, t, room.sides, box, held[mine], held[mine + 1], third)
        held[mine + 2], held[mine + 3] = end, barred
        hangs = max(hangs, hangs_on(f, t, notes, begin, end, up))
    dealer, natural = play_dealer(f, t, up, hangs, deck, marks, chance)
    count_dealer(dealer, natural, counts, 1)
    counts[DEALT] += marks[NEXT] - marks[BEGAN]
    winners = 0
    for box in range(boxes):
        begin, end = ROOM * box, held[4 * box + 2]
        nets[box], bonuses[box] = settle_box(f, t, notes, begin, end, up, held[4 * box + 3], dealer, natural)
        counts[BONUSES] += bonuses[box]
        winners += bonuses[box] > 0
        count_box(notes, begin, end, counts)
    counts[SHARED] += boxes - winners if winners else 0


@inlined
def _end_sides(f, t, sides, box, first, second, third):
    """How the side bets of a box end by its first cards; no third card is -1."""
    for side in range(t.sides):
        end = f[t.side_ends + 52 * (52 * side + first) + second]
        if end < 0:
            end = f[t.side_thirds + 53 * (-1 - end) + third + 1]
        sides[t.sides * box + side] = end


@inlined
def count_dealer(dealer, natural, counts, rounds):
    counts[ROUNDS] += rounds
    counts[DEALER_NATURALS] += natural * rounds
    counts[DEALER_BUSTS] += (dealer > TWENTY_ONE) * rounds


@inlined
def count_box(notes, begin, end, counts):
    counts[SPLITS] += end - begin > NOTES
    for at in range(begin, end, NOTES):
        fate, stake = notes[at + END], notes[at + STAKE]
        counts[HANDS] += 1
        counts[STAKED] += stake
        counts[DOUBLES] += stake == 2
        counts[BUSTS] += fate == BUSTED
        counts[FORFEITS] += fate == FORFEITED
        counts[SURRENDERS] += fate == SURRENDERED
        counts[NATURALS] += fate == HOLDS_NATURAL or (fate == PAID and notes[at + CARDS] == 2)


@compiled
def play_given(f, t, room, deck, chance, by_count, counts):
    """One round from a shoe whose order is given."""
    play_round(f, t, room, deck, chance, by_count, counts)


# Many shoes


# Sums over shoes: their number, rounds, what was won, and the products that an error by shoes takes; then
# over rounds the square of what was won.
SHOES, SUM_ROUNDS, SUM_WON, SUM_WON_2, SUM_WON_ROUNDS, SUM_ROUNDS_2, ROUND_WON_2 = range(7)
SUMS = 7
# Of each side bet: what it won in the shoe at hand, in all, squared, and times the rounds of the shoe.
SIDE_NOW, SIDE_WON, SIDE_WON_2, SIDE_WON_ROUNDS = range(4)
SIDE_SUMS = 4


class Counted(NamedTuple):
    """What is counted over rounds and shoes."""

    results: Array  # what boxes won, the middle being nothing
    counts: Array
    sums: Array
    ends: Array  # how side bets ended
    side_sums: Array
    by_count: Array  # [count before a round, what all boxes won in it]: rounds
    products: Array  # [count, count]: over shoes, won at one times won at the other; last, times rounds


@inlined
def count_result(results, net, boxes):
    """So many boxes won so much."""
    results[min(max(results.size // 2 + net, 0), results.size - 1)] += boxes


@inlined
def count_results(nets, counted):
    """What the boxes of a round won; all together is returned."""
    total = 0
    for net in nets:
        total += net
        count_result(counted.results, net, 1)
    counted.sums[ROUND_WON_2] += total * total
    return total


@inlined
def count_shoe(sums, rounds, won):
    sums[SHOES] += 1
    sums[SUM_ROUNDS] += rounds
    sums[SUM_WON] += won
    sums[SUM_WON_2] += won * won
    sums[SUM_WON_ROUNDS] += won * rounds
    sums[SUM_ROUNDS_2] += rounds * rounds


@inlined
def count_at(by_count, row, total, rounds=1):
    width = by_count.size // COUNT_ROWS
    by_count[width * row + min(max(width // 2 + total, 0), width - 1)] += rounds


@inlined
def count_products(products, won_at, low, high, rounds):
    """A shoe in which counts came from one row to another is over: its products are added up."""
    for row in range(low, high + 1):
        begin = (COUNT_ROWS + 1) * row
        if won_at[row]:
            for other in range(low, high + 1):
                products[begin + other] += won_at[row] * won_at[other]
            products[begin + COUNT_ROWS] += won_at[row] * rounds
    won_at[low : high + 1] = 0


@compiled
def play_shoes(f, t, room, deck, chance, by_count, shoes, burnt, back, fresh, counted):
    """So many shoes. `back`: the cutting card lies from so many to so many cards from the back.

    `fresh`: each shoe is for one round. False if the cards ran out where the rules provide nothing for that.
    """
    marks, nets, counting = room.marks, room.nets, by_count.bets
    ends, side_sums = counted.ends, counted.side_sums
    boxes = nets.size
    marks[SIZE] = deck.size
    for _ in range(shoes):
        marks[NEXT] = marks[SHUFFLED] = marks[BEGAN] = marks[REFILLED] = 0
        behind = 0 if fresh else back[0] + below(chance, back[1] - back[0] + 1)
        if not fresh:
            for _ in range(burnt):
                draw(deck, marks, chance, t.reshuffles)
        marks[FIRST_SEEN], marks[RUNNING] = marks[NEXT], by_count.play_start
        rounds, won, running, low, high = 0, 0, counting.start, COUNT_ROWS, -1
        while marks[SIZE] - marks[NEXT] > behind:
            left = marks[SIZE] - marks[NEXT]
            play_round(f, t, room, deck, chance, by_count, counted.counts)
            if marks[RAN_OUT]:
                return False
            total = count_results(nets, counted)
            for box in range(boxes):
                for side in range(t.sides):
                    end = room.sides[t.sides * box + side]
                    ends[end] += 1
                    side_sums[SIDE_SUMS * side + SIDE_NOW] += f[t.side_pays + end]
            rounds += 1
            won += total
            if counting.tags.size:
                row = MOST_COUNT + count_now(counting, running, left)
                low, high = min(low, row), max(high, row)
                count_at(counted.by_count, row, total)
                room.won_at[row] += total
                for seen in range(marks[BEGAN], marks[NEXT]):
                    running += counting.tags[card_of(deck[seen])]
            if fresh or marks[REFILLED]:
                break
        count_shoe(counted.sums, rounds, won)
        count_products(counted.products, room.won_at, low, high, rounds)
        for at in range(0, SIDE_SUMS * t.sides, SIDE_SUMS):
            gain = side_sums[at + SIDE_NOW]
            side_sums[at + SIDE_WON] += gain
            side_sums[at + SIDE_WON_2] += gain * gain
            side_sums[at + SIDE_WON_ROUNDS] += gain * rounds
            side_sums[at + SIDE_NOW] = 0
    return True
