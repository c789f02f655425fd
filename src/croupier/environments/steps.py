"""Many games in lock step, compiled: what each answer does, and what is asked next.

What a hand may do, what is offered, what cards do and what is paid are tables, most of them the simulator's;
its functions deal, double, split, end and settle. A game is a row of numbers: the marks of its shoe, and
behind them where the round stands.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.unsafe.ndarray import to_fixed_tuple

from croupier.environments.questions import (
    BETTING,
    BOX,
    DECIDING,
    DECLINE,
    DOUBLED,
    EVEN_MONEY,
    FIRST_ACES,
    FIRST_BET,
    FORFEIT,
    HAND,
    HANDS,
    HAS_DOUBLED,
    HIT,
    INSURE,
    INSURED,
    MASK,
    OFFERED,
    QUESTION,
    SOFT,
    SPLIT,
    SPLIT_OF,
    STAND,
    SUITS,
    SURRENDER,
    TOTAL,
)
from croupier.exact.hands import Array
from croupier.simulate.kernel import (
    ACES,
    BUSTED,
    CARDS,
    END,
    FIRST,
    FORFEITED,
    LIVES,
    NATURAL,
    NOTES,
    PAID,
    SECOND,
    SHOWN,
    SURRENDERED,
    WINS,
    deal_to,
    double,
    end_hand,
    first_cards,
    hangs_on,
    play_dealer,
    settle_box,
    split_hand,
    variant_of,
)
from croupier.simulate.kernel import HAND as NUMBER
from croupier.simulate.kernel import NOTHING as HANGS_NOTHING
from croupier.simulate.shoe import (
    BEGAN,
    BEHIND,
    MARKS,
    NEXT,
    RAN_OUT,
    REFILLED,
    SHUFFLED,
    SIZE,
    bare,
    below,
    card_of,
    compiled,
    draw,
    shuffle,
)
from croupier.simulate.shoe import spliced as inlined  # all in one: what is handed on would take longest
from croupier.simulate.tables import SPLIT_ACE, SPLIT_HAND, WHOLE, Places

# A game, behind the marks of its shoe: the box, the place of the hand and the kind of question that is asked,
# and its answers as bits; how many cards lie behind the cutting card; how many are counted as gone.
AT_BOX, AT_HAND, PHASE, OPEN, CUT, COUNTED = range(MARKS, MARKS + 6)
GAME = COUNTED + 1
RECOUNTED = 2  # a shoe that was refilled, and of which what is gone has been counted anew since
# A box: its first cards, where its hands end, their kind, whether it has lost its Super Bonus, its wager and
# its insurance. The dealer's card lies beside the first box, so that one table says where each card is dealt.
ONE, OTHER, HANDS_END, KIND, BARRED, WAGER, IS_INSURED, UP = range(8)
BOX_SIZE = 8
# An observation is written in words of eight fields. What may be answered begins within the third of them.
WORD = 8
KNOWN = 2  # words of what is known by the hand alone
IN_THIRD = 3 * WORD - MASK
PLACES = len(Places._fields)
AHEAD = 8  # so many games ahead a shoe's next card is looked at, so that it is at hand when its turn comes


class Terms(NamedTuple):
    """What is played, beside the tables of the simulator."""

    dealt: Array  # [card of the initial deal]: where it lies among the boxes
    moves: Array  # [kind, hand]: what a hand may do, as bits
    offers: Array  # [card]: may anything be offered against it?
    insures: Array  # [rank, natural, lives]: may the box be insured?
    evens: Array  # [rank]: may a natural be paid even money?
    known: Array  # [hand, word]: what is seen of it; that suits count, where they do
    dealers: Array  # [card]: the word in which the dealer's is seen
    spread: Array  # [bits]: a word with a field for each of eight bits
    units: Array  # [bet]
    insurance: Array  # [bet]: what insurance takes, in units
    bonus: Array  # [bet]: what a Super Bonus pays, in units; at the end what a box without one has of it
    insurance_pays: float
    even_pays: int
    forfeits: bool
    boxes: int
    room: int  # of a box, for notes
    burnt: int
    nearest: int  # the cutting card lies from so many cards from the back
    farthest: int  # to so many
    fresh: bool
    ready: int  # so many cards of a shoe for one round are shuffled beforehand
    whole_shoe: bool  # is an episode a shoe?
    see_gone: bool


class Games(NamedTuple):
    """The games as they stand."""

    decks: Array
    shared: Array  # the cards of a shoe, from which those for one round are taken
    rows: Array
    boxes: Array
    notes: Array
    gone: Array  # what is gone, by rank
    gone_last: Array  # the same when an episode ended
    picks: Array  # room for `shuffle`


class Told(NamedTuple):
    """What a step tells of every game; all of it is written anew."""

    seen: Array  # observations, in words
    rewards: Array
    over: Array
    refused: Array


@intrinsic
def _fetch(context, entries, place):
    """Have the machine fetch an entry from far memory, without waiting for it."""

    def code(context, builder, signature, arguments):
        at = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), cgutils.voidptr_t)
        number = ir.IntType(32)
        fetch = builder.module.declare_intrinsic(
            "llvm.prefetch", [at.type], ir.FunctionType(ir.VoidType(), [at.type, number, number, number])
        )
        builder.call(fetch, [at, number(0), number(3), number(1)])  # to read, to be kept close, data
        return context.get_dummy_value()

    return types.void(entries, place), code


@compiled
def reset_games(terms, games, chance):
    """A fresh shoe and a new round for every game."""
    for game in range(games.rows.shape[0]):
        row = bare(games.rows[game])
        _new_shoe(terms, games, chance, game, row)
        _new_round(terms, row)


@compiled
def give_orders(terms, games, sizes):
    """The shoes lie as somebody has laid them: so many cards of each are to come."""
    for game in range(games.rows.shape[0]):
        row, size = bare(games.rows[game]), sizes[game]
        _clear(terms, games, game, row)
        row[SIZE], row[SHUFFLED], row[BEHIND] = size, size, games.decks.shape[1] - size
        _new_round(terms, row)


@compiled
def see_games(flat, places, terms, games, seen):
    """What is seen of each game as it stands."""
    t = Places(*to_fixed_tuple(places, PLACES))
    for game in range(games.rows.shape[0]):
        _see(bare(flat), t, terms, games, game, bare(games.rows[game]), seen[game])


@compiled
def step_games(flat, places, terms, games, chance, actions, told):
    """An answer for each game. False if a shoe ran out where the rules provide nothing for that.

    `places` are those of the tables as an array, which is handed over faster than a tuple of many numbers.
    """
    f, t, ran_out = bare(flat), Places(*to_fixed_tuple(places, PLACES)), 0
    for game in range(actions.size):
        ahead = min(game + AHEAD, actions.size - 1)
        _fetch(bare(games.decks[ahead]), games.rows[ahead, NEXT])
        row, action = bare(games.rows[game]), actions[game]
        refused = action < 0 or action > 31 or not row[OPEN] >> action & 1
        reward, over = 0.0, False
        if not refused and not _answered(f, t, terms, games, chance, game, row, action):
            reward = _settled(f, t, terms, games, chance, game, row)
            ran_out |= row[RAN_OUT]
            over = _next_round(terms, games, chance, game, row)
        _see(f, t, terms, games, game, row, told.seen[game])
        told.rewards[game], told.over[game], told.refused[game] = reward, over, refused
    return ran_out == 0


# Shoes and rounds


@inlined
def _clear(terms, games, game, row):
    for mark in range(GAME):
        row[mark] = 0
    if terms.see_gone:
        for rank in range(13):
            games.gone[game, rank] = 0


@inlined
def _new_shoe(terms, games, chance, game, row):
    """Shuffled up to the cutting card at once.

    A shoe for one round is shuffled as far as most rounds go, and is a copy of one that is close at hand;
    cards behind are shuffled if they come.
    """
    deck, shared = games.decks[game], games.shared
    _clear(terms, games, game, row)
    row[SIZE] = deck.size
    if terms.fresh:
        for at in range(terms.ready):
            other = at + below(chance, deck.size - at)
            shared[at], shared[other] = shared[other], shared[at]
        for at in range(deck.size):
            deck[at] = shared[at]
        row[SHUFFLED] = terms.ready
    else:
        row[CUT] = terms.nearest + below(chance, terms.farthest - terms.nearest + 1)
        row[SHUFFLED] = deck.size - row[CUT]
        shuffle(deck, deck.size, row[SHUFFLED], chance, games.picks)
        row[NEXT] = row[COUNTED] = terms.burnt


@inlined
def _new_round(terms, row):
    """The first question is for the wager of the first box."""
    row[AT_BOX], row[AT_HAND], row[PHASE] = 0, 0, BETTING
    row[OPEN] = ((1 << terms.units.size) - 1) << FIRST_BET


@inlined
def _next_round(terms, games, chance, game, row):
    """The round is over; and so may be the shoe, and the episode: is it?"""
    used_up = terms.fresh or row[REFILLED] != 0 or row[SIZE] - row[NEXT] <= row[CUT]
    over = used_up or not terms.whole_shoe
    if terms.see_gone:
        _count_gone(games, game, row)
        if over:
            for rank in range(13):
                games.gone_last[game, rank] = games.gone[game, rank]
    if used_up:
        _new_shoe(terms, games, chance, game, row)
    _new_round(terms, row)
    return over


@inlined
def _deal(f, t, terms, games, chance, game, row):
    """The first cards of a round."""
    deck, boxes, notes = bare(games.decks[game]), bare(games.boxes[game]), bare(games.notes[game])
    row[BEGAN] = row[NEXT]
    for place in terms.dealt:
        boxes[place] = draw(deck, row, chance, t.reshuffles)
    for box in range(terms.boxes):
        mine, begin = BOX_SIZE * box, terms.room * box
        first_cards(f, t, notes, begin, boxes[mine + ONE], boxes[mine + OTHER], boxes[UP])
        boxes[mine + HANDS_END], boxes[mine + KIND] = begin + NOTES, WHOLE
        boxes[mine + BARRED] = boxes[mine + IS_INSURED] = 0


# Answers


@inlined
def _answered(f, t, terms, games, chance, game, row, action):
    """What an answer does, and what is asked next: False if nothing is, and the round is over."""
    deck, boxes, notes = bare(games.decks[game]), bare(games.boxes[game]), bare(games.notes[game])
    phase, box, at = np.int64(row[PHASE]), np.int64(row[AT_BOX]), np.int64(row[AT_HAND])
    if phase == DECIDING:
        phase, at = _move(f, t, terms, deck, boxes, notes, chance, row, box, at, action)
    elif phase == BETTING:
        boxes[BOX_SIZE * box + WAGER] = action - FIRST_BET
        if box + 1 < terms.boxes:
            row[AT_BOX] = box + 1
            return True
        _deal(f, t, terms, games, chance, game, row)
        box, at, phase = 0, 0, OFFERED if bare(terms.offers)[boxes[UP]] else DECIDING
    elif phase == OFFERED:
        box = _taken(terms, boxes, notes, box, at, action)
    else:
        if action == FORFEIT:
            notes[at + END] = FORFEITED
        phase, at = DECIDING, at + NOTES
    bits = 0
    if phase == OFFERED:
        bits, box, at = _to_offer(f, t, terms, boxes, notes, row, box)
        phase = OFFERED if bits else DECIDING
    elif phase == DOUBLED:
        bits = 1 << FORFEIT | 1 << DECLINE
    if phase == DECIDING:
        bits, box, at = _to_move(f, t, terms, deck, boxes, notes, chance, row, box, at)
        if bits == 0:
            return False
    row[PHASE], row[AT_BOX], row[AT_HAND], row[OPEN] = phase, box, at, bits
    return True


@inlined
def _move(f, t, terms, deck, boxes, notes, chance, row, box, at, action):
    """A move of a hand: what is to be asked next, and of which hand."""
    mine = BOX_SIZE * box
    kind = boxes[mine + KIND]
    if action == STAND:
        end_hand(f, t, notes, at, kind, f[t.total + notes[at + NUMBER]], 0)
        return DECIDING, at + NOTES
    if action == SPLIT:
        boxes[mine + BARRED] |= f[t.bonus_bars + 52 * notes[at + FIRST] + notes[at + SECOND]]
        boxes[mine + KIND] = SPLIT_ACE if notes[at + FIRST] % 13 == 0 else SPLIT_HAND
        split_hand(f, t, notes, at, boxes[mine + HANDS_END])
        boxes[mine + HANDS_END] += NOTES
        return DECIDING, at
    card = draw(deck, row, chance, t.reshuffles)
    if action == HIT:
        deal_to(f, t, notes, at, card)
        return DECIDING, at
    double(f, t, notes, at, kind, f[t.value + boxes[UP]], card)
    if terms.forfeits and notes[at + END] == LIVES:
        return DOUBLED, at
    return DECIDING, at + NOTES


@inlined
def _taken(terms, boxes, notes, box, at, action):
    """An offer is taken, or the others are declined: which box is asked next?"""
    if action == INSURE:
        boxes[BOX_SIZE * box + IS_INSURED] = 1
    elif action == SURRENDER:
        notes[at + END] = SURRENDERED
    elif action == EVEN_MONEY:
        notes[at + END], notes[at + WINS] = PAID, terms.even_pays
    else:
        return box + 1
    return box


# Questions


@inlined
def _to_offer(f, t, terms, boxes, notes, row, box):
    """What is offered to the next box to which anything is, as bits; 0 if there is none."""
    while box < terms.boxes:
        bits = _offered(f, t, terms, boxes, notes, row, box)
        if bits:
            return bits | 1 << DECLINE, box, terms.room * box
        box += 1
    return 0, 0, 0


@inlined
def _offered(f, t, terms, boxes, notes, row, box):
    mine, at, rank = BOX_SIZE * box, terms.room * box, boxes[UP] % 13
    natural = np.int64(f[t.natural + notes[at + NUMBER]] != 0)
    lives = np.int64(notes[at + END] != PAID)
    bits = 0
    if terms.insures[4 * rank + 2 * natural + lives] and not boxes[mine + IS_INSURED]:
        bits |= np.int64(terms.insurance[boxes[mine + WAGER]] > 0.0) << INSURE
    if natural and lives and terms.evens[rank]:
        bits |= 1 << EVEN_MONEY
    if notes[at + END] == LIVES and not natural and f[t.opens_surrender + rank]:
        bits |= 1 << SURRENDER
    return bits


@inlined
def _to_move(f, t, terms, deck, boxes, notes, chance, row, box, at):
    """What the next hand that has a choice may do, as bits; 0 if none has."""
    while box < terms.boxes:
        mine, begin = BOX_SIZE * box, terms.room * box
        while at < boxes[mine + HANDS_END]:
            if notes[at + CARDS] == 1:
                deal_to(f, t, notes, at, draw(deck, row, chance, t.reshuffles))
            if notes[at + END] == LIVES:
                bits = _moves(f, t, terms, boxes, notes, mine, begin, at)
                if bits:
                    return bits, box, at
            at += NOTES
        box += 1
        at = terms.room * box
    return 0, box, at


@inlined
def _moves(f, t, terms, boxes, notes, mine, begin, at):
    """What a hand may do, as bits; one that is over 21 or can only stand has ended."""
    hand, kind = notes[at + NUMBER], boxes[mine + KIND]
    if hand < 0:
        notes[at + END] = BUSTED
        return 0
    bits = np.int64(bare(terms.moves)[t.hands * kind + hand])
    if bits & 1 << SPLIT:
        most = t.most_aces if notes[at + FIRST] % 13 == 0 else t.most_hands
        if boxes[mine + HANDS_END] - begin >= most * NOTES:
            bits ^= 1 << SPLIT
    if bits & ~(1 << STAND) == 0:
        end_hand(f, t, notes, at, kind, f[t.total + hand], 0)
        return 0
    return bits


# The end of a round


@inlined
def _settled(f, t, terms, games, chance, game, row):
    """The dealer's hand, and what the boxes win, in units."""
    deck, boxes, notes = bare(games.decks[game]), bare(games.boxes[game]), bare(games.notes[game])
    up, hangs = boxes[UP], HANGS_NOTHING
    for box in range(terms.boxes):
        mine, begin = BOX_SIZE * box, terms.room * box
        hangs = max(hangs, hangs_on(f, t, notes, begin, boxes[mine + HANDS_END], up))
        if boxes[mine + IS_INSURED]:
            hangs = max(hangs, NATURAL)
    dealer, natural = play_dealer(f, t, up, hangs, deck, row, chance)
    reward, winners = 0.0, 0
    for box in range(terms.boxes):
        mine, begin = BOX_SIZE * box, terms.room * box
        end, barred, bet = boxes[mine + HANDS_END], boxes[mine + BARRED], boxes[mine + WAGER]
        net, bonuses = settle_box(f, t, notes, begin, end, up, barred, dealer, natural)
        reward += terms.units[bet] * net / t.unit
        if bonuses:
            reward += bonuses * terms.bonus[bet]
            winners += 1
        if boxes[mine + IS_INSURED]:
            reward += terms.insurance[bet] * (terms.insurance_pays if natural else -1.0)
    if winners:
        reward += (terms.boxes - winners) * terms.bonus[terms.units.size]
    return reward


# What is seen


@inlined
def _put(value, field):
    return np.uint64(value) << np.uint64(WORD * (field % WORD))


@inlined
def _see(f, t, terms, games, game, row, seen):
    """Write an observation: three words, and what else may be answered behind them."""
    spread, bits, phase = bare(terms.spread), np.int64(row[OPEN]), np.int64(row[PHASE])
    first, second, third = np.uint64(0), _put(row[AT_BOX] + 1, BOX), _put(phase, QUESTION)
    if phase != BETTING:
        of_first, of_second, of_third = _see_hand(f, t, terms, games, game, row, phase)
        first, second, third = of_first, second | of_second, third | of_third
    seen[0], seen[1] = first, second
    seen[2] = third | spread[bits & ((1 << IN_THIRD) - 1)] << np.uint64(WORD * (WORD - IN_THIRD))
    for word in range(3, seen.size):
        seen[word] = spread[bits >> (IN_THIRD + WORD * (word - 3)) & 255]
    if terms.see_gone:
        _count_gone(games, game, row)


@inlined
def _see_hand(f, t, terms, games, game, row, phase):
    """What the words of an observation have of the hand that is asked, and of its box and the dealer."""
    notes, boxes, known = bare(games.notes[game]), bare(games.boxes[game]), bare(terms.known)
    box, at = np.int64(row[AT_BOX]), np.int64(row[AT_HAND])
    mine, begin, hand = BOX_SIZE * box, terms.room * box, notes[at + NUMBER]
    first, second = known[KNOWN * hand], known[KNOWN * hand + 1]
    if second & _put(255, SUITS):
        second += _put(variant_of(f, t, notes, at), SUITS)
    if phase == DOUBLED:
        second &= ~(_put(255, TOTAL) | _put(255, SOFT))
        soft = notes[at + SHOWN] != f[t.hard + hand]
        second |= _put(notes[at + SHOWN], TOTAL) | _put(soft, SOFT)
    if t.first_aces:
        second |= _put(notes[at + ACES], FIRST_ACES)
    second |= bare(terms.dealers)[boxes[UP]]
    third = _put(1, HAND) | _put(1, HANDS)
    if boxes[mine + KIND] != WHOLE:
        hands = (boxes[mine + HANDS_END] - begin) // NOTES
        third = _put((at - begin) // NOTES + 1, HAND) | _put(hands, HANDS)
        third |= _put(f[t.value + notes[at + FIRST]] + 1, SPLIT_OF)
    third |= _put(phase == DOUBLED, HAS_DOUBLED) | _put(boxes[mine + IS_INSURED], INSURED)
    return first, second, third


@inlined
def _count_gone(games, game, row):
    deck = games.decks[game]
    if row[REFILLED] and row[REFILLED] != RECOUNTED:
        row[COUNTED], row[REFILLED] = 0, RECOUNTED
        for rank in range(13):
            games.gone[game, rank] = 0
    while row[COUNTED] < row[NEXT]:
        games.gone[game, card_of(deck[row[COUNTED]]) % 13] += 1
        row[COUNTED] += 1
