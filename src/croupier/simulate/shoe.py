"""Chance and the shoe, compiled: words of chance from many streams at once, and cards shuffled by them.

A shoe is an array of words, each a card and what it is to a machine (`machine.py`), and a few marks. Cards
are shuffled as they are drawn, one swap a card (Fisher and Yates), so that what is never dealt is never
shuffled; a shoe that is given in order has no need of chance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numba import njit, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic, register_jitable

from croupier.exact.hands import Array


class _LowerApart(Lower):
    """Functions that the compiler leaves where they are, whoever calls them."""

    names: ClassVar[set[str]] = set()

    def setup_function(self, fndesc: Any) -> None:
        super().setup_function(fndesc)
        if f"{fndesc.modname}.{fndesc.qualname}" in self.names:
            self.function.attributes.discard("alwaysinline")
            self.function.attributes.add("noinline")


@register_pass(mutates_CFG=True, analysis_only=False)
class _LoweringApart(NativeLowering):
    _name = "lowering_apart"

    @property
    def lowering_class(self) -> type:
        return _LowerApart


class _Apart(CompilerBase):
    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (_LoweringApart if step is NativeLowering else step, why) for step, why in manager.passes
        ]
        manager.finalize()
        return [manager]


# Nothing here makes an array. Numba need not count who holds one, which would take most of the time.
_options: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
compiled = njit(**_options)
inlined = register_jitable(_nrt=False)
spliced = register_jitable(_nrt=False, forceinline=True)


def apart(function: Callable[..., Any]) -> Any:
    """Compile a function that is called seldom, and by compiled ones only.

    Otherwise the compiler would put it into the loop that calls it, and slow that down; and what is needed to
    call it from Python takes longer to compile than the function.
    """
    _LowerApart.names.add(f"{function.__module__}.{function.__qualname__}")
    bare: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _Apart}
    return njit(**_options, **bare)(function)


@intrinsic
def bare(context, array):
    """An array as the address of its first entry.

    Places in it are never taken to count from the end; to ask that of each would take a quarter of the time.
    """

    def code(context, builder, signature, arguments):
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), code


# Chance: xoshiro256++, by Blackman and Vigna; many of them side by side, so that the machine's wide registers
# make words for all of them at once.

STREAMS = 128
WORDS = 2 * STREAMS


class Chance(NamedTuple):
    """The state of the streams, and a stock of words, which lie there in pairs."""

    state: Array
    pairs: Array
    words: Array
    used: Array  # how many words are used up


def chance_from(seeds: np.random.SeedSequence) -> Chance:
    pairs = np.zeros(STREAMS, np.uint64)
    state = seeds.generate_state(4 * STREAMS, np.uint64)
    return Chance(state, pairs, pairs.view(np.uint32), np.array([WORDS]))


@inlined
def _turned(word, by):
    return (word << np.uint64(by)) | (word >> np.uint64(64 - by))


@compiled
def _stock_up(state, pairs):
    for stream in range(STREAMS):
        a, b = state[stream], state[STREAMS + stream]
        c, d = state[2 * STREAMS + stream], state[3 * STREAMS + stream]
        pairs[stream] = _turned(a + d, 23) + a
        shifted = b << np.uint64(17)
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = _turned(d, 45)
        state[stream], state[STREAMS + stream] = a, b
        state[2 * STREAMS + stream], state[3 * STREAMS + stream] = c, d


@inlined
def _word(chance):
    if chance.used[0] == WORDS:
        _stock_up(chance.state, chance.pairs)
        chance.used[0] = 0
    word = chance.words[chance.used[0]]
    chance.used[0] += 1
    return np.uint64(word)


@inlined
def below(chance, bound):
    """A whole number below the bound, each as likely (Lemire's method)."""
    product = _word(chance) * np.uint64(bound)
    while not _good(product, bound):
        product = _word(chance) * np.uint64(bound)
    return np.int64(product >> np.uint64(32))


@inlined
def _good(product, bound):
    """Is a word, multiplied by the bound, one of as many as every other number below the bound has?"""
    low, bound = product & np.uint64(0xFFFFFFFF), np.uint64(bound)
    return low >= bound or low >= ((np.uint64(1) << np.uint64(32)) - bound) % bound


# The shoe

# Its marks: the next card, the end of what is shuffled, where the round began, all cards, whether the discard
# rack was shuffled into it or it ran out where the rules provide nothing for that, how many cards of earlier
# rounds lie behind all others, the first card that was seen, and the running count.
NEXT, SHUFFLED, BEGAN, SIZE, REFILLED, RAN_OUT, BEHIND, FIRST_SEEN, RUNNING = range(9)
MARKS = 9

NOWHERE = 0xFFFFFFFF
CARD_SHIFT = 8  # below it, a word has the card's symbol
TAG_SHIFT = 16  # from it on, what the card counts
NO_TAG = 128  # so that none is negative


def words_for(cards: Array, symbols: Array | None = None, tags: Array | None = None) -> Array:
    """The words of cards, which are numbers; without symbols where no machine reads them."""
    cards = np.asarray(cards, np.uint32)
    symbol = np.uint32(0) if symbols is None else np.asarray(symbols, np.uint32)[cards]
    tag = np.uint32(NO_TAG) if tags is None else (np.asarray(tags) + NO_TAG).astype(np.uint32)[cards]
    return tag << np.uint32(TAG_SHIFT) | cards << np.uint32(CARD_SHIFT) | symbol


@inlined
def card_of(word):
    return np.int64(word >> np.uint32(CARD_SHIFT) & np.uint32(0xFF))


@inlined
def tag_of(word):
    return np.int64(word >> np.uint32(TAG_SHIFT)) - NO_TAG


@inlined
def symbol_of(word):
    return word & np.uint32((1 << CARD_SHIFT) - 1)


@inlined
def draw(deck, marks, chance, reshuffles):
    """The next card. From an empty shoe the discard rack is dealt on, shuffled; the table's cards stay."""
    if marks[NEXT] == marks[SIZE]:
        _refill(deck, marks, reshuffles)
    at = marks[NEXT]
    if at >= marks[SHUFFLED]:
        other = at + below(chance, marks[SIZE] - at)
        deck[at], deck[other] = deck[other], deck[at]
        marks[SHUFFLED] = at + 1
    marks[NEXT] = at + 1
    marks[RUNNING] += tag_of(deck[at])
    return card_of(deck[at])


@compiled
def _refill(deck, marks, reshuffles):
    """The cards of the round stay in front; the rest, the discard rack, comes behind them."""
    began, size = marks[BEGAN], marks[SIZE] + marks[BEHIND]
    rack = began + marks[BEHIND]
    if not reshuffles or rack == 0:
        marks[RAN_OUT] = 1
        rack = began = size // 2  # the round is not counted, but must end
    for begin, end in ((0, began), (began, size), (0, size)):  # turned by three reversals
        for place in range((end - begin) // 2):
            one, other = begin + place, end - 1 - place
            deck[one], deck[other] = deck[other], deck[one]
    marks[NEXT] = marks[SHUFFLED] = size - rack
    marks[SIZE] = size
    marks[BEGAN] = marks[BEHIND] = 0
    marks[REFILLED] = 1


# Many cards at once


@compiled
def shuffle(deck, size, end, chance, picks):
    """Shuffle the cards of a shoe up to `end`. `picks` has room for the places they are swapped with."""
    at = 0
    while at < end:
        many = min(end - at, WORDS)
        _stock_up(chance.state, chance.pairs)
        chance.used[0] = many
        if _picked(chance.words, picks, many, size - at):
            _pick_again(chance, picks, many, size - at)
        _swap(deck[at:size], picks, many)
        at += many


@compiled
def _picked(words, picks, many, size):
    """For each of so many places one at or behind it; True if a word may not have been good for that."""
    doubtful = np.uint32(0)
    for place in range(many):
        left = np.uint32(size - place)
        product = np.uint64(words[place]) * np.uint64(left)
        doubtful |= np.uint32(np.uint32(product) < left)
        picks[place] = np.uint32(np.uint64(place) + (product >> np.uint64(32)))
    return doubtful != 0


@compiled
def _pick_again(chance, picks, many, size):
    """Where a word was indeed not good, pick by another."""
    for place in range(many):
        left = size - place
        if not _good(np.uint64(chance.words[place]) * np.uint64(left), left):
            picks[place] = NOWHERE
    for place in range(many):
        if picks[place] == NOWHERE:
            picks[place] = place + below(chance, size - place)


@compiled
def _swap(deck, picks, many):
    for place in range(many):
        here, there = np.uint64(place), np.uint64(picks[np.uint64(place)])
        deck[here], deck[there] = deck[there], deck[here]
