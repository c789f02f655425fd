"""Lanes against the kernel: shoe by shoe, on the same cards, everything that is counted."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from croupier.rulebook import load
from croupier.rulebook.load import NAMES
from croupier.rulebook.paytable import Pattern
from croupier.rulebook.rules import Rules
from croupier.rulebook.study import study
from croupier.simulate import game_of, simulate
from croupier.simulate.counting import System, read_system
from croupier.simulate.full import MIXED, full_desk_for, play_one
from croupier.simulate.kernel import (
    BONUSES,
    COUNT_ROWS,
    COUNTS,
    DEALT,
    MOST_COUNT,
    SHARED,
    SPLITS,
    Counted,
    count_at,
    count_now,
    count_products,
    count_shoe,
    nothing_by_count,
    play_given,
    room_for,
)
from croupier.simulate.lanes import LANE, LANES, PLACE, desk_for, lay_out, play_lanes
from croupier.simulate.run import Game
from croupier.simulate.shoe import FIRST_SEEN, NEXT, REFILLED, RUNNING, SHUFFLED, SIZE, chance_from
from simulated import STUDIES, playing_system, random_study


def game_for(rules: Rules, system: System | None = None, penetration: float = 0.75) -> Game:
    """One box, whatever the rules need, played by the machine."""
    rules = replace(rules, boxes_needed=1)
    game = game_of(rules, seed=1, penetration=penetration, system=system)
    assert game.machine is not None
    return game


def shoes(game: Game, seed: int | str, *, clumped: bool) -> list[Any]:
    """The words of four shoes; badly shuffled ones have more splits and sevens."""
    dice, made = random.Random(seed), []
    for _ in range(LANES):
        cards = game.deck.tolist()
        dice.shuffle(cards)
        if clumped:
            ranks = {word: dice.random() for word in set(cards)}
            cards.sort(key=lambda word: ranks[word] + dice.gauss(0, 0.4))
        made.append(np.array(cards, np.uint32))
    return made


def by_hand(game: Game, words: Any, place: int, counted: Counted) -> None:
    """One shoe by the kernel."""
    room, chance = room_for(1), chance_from(np.random.SeedSequence(5))
    at, rounds, won = game.rules.burn_cards, 0, 0
    by_count = game.count.by_count if game.count else nothing_by_count()
    won_at, running = np.zeros(COUNT_ROWS, np.int64), by_count.play_start
    marks = room.marks
    marks[NEXT], marks[SIZE], marks[SHUFFLED], marks[RUNNING] = at, len(words), len(words), running
    while at < place:
        marks[FIRST_SEEN] = at
        play_given(game.tables.flat, game.tables.places, room, words, chance, by_count, counted.counts)
        assert not marks[REFILLED]
        net = int(room.nets[0])
        rounds, won = rounds + 1, won + net
        if game.count:
            row = MOST_COUNT + int(count_now(by_count.bets, running, len(words) - at))
            count_at(counted.by_count, row, net)
            won_at[row] += net
        counted.results[counted.results.size // 2 + net] += 1
        counted.sums[-1] += net * net
        at, running = int(marks[NEXT]), int(marks[RUNNING])
    count_shoe(counted.sums, rounds, won)
    if game.count:
        count_products(counted.products, won_at, 0, COUNT_ROWS - 1, rounds)


def compare(game: Game, seed: int | str, *, clumped: bool) -> Counted:
    """Four shoes by lanes and by the kernel, which must agree."""
    assert game.machine is not None
    desk, lanes, hand = desk_for(game.deck, game.machine), game.nothing().counted, game.nothing().counted
    dice, size = random.Random(seed), len(game.deck)
    for lane, words in enumerate(shoes(game, seed, clumped=clumped)):
        place = dice.randint(size // 2, size - 70)
        by_hand(game, words.copy(), place, hand)
        deck = desk.decks[lane * (size + 1) : (lane + 1) * (size + 1)]
        deck[:size] = words
        lay_out(desk.lanes, lane, deck, place, size, game.machine.width)
        assert desk.lanes[LANE * lane + PLACE] == place
    chance = chance_from(np.random.SeedSequence(2))
    by_count = game.count.by_count if game.count else nothing_by_count()
    places = game.tables.flat, game.tables.places, game.machine
    assert play_lanes(*places, desk, chance, by_count, 0, game.rules.burn_cards, np.array(game.back), lanes)
    assert lanes.by_count.tolist() == hand.by_count.tolist()
    assert lanes.products.tolist() == hand.products.tolist()
    assert lanes.counts.tolist() == hand.counts.tolist()
    assert lanes.sums.tolist() == hand.sums.tolist()
    assert lanes.results.tolist() == hand.results.tolist()
    before = sorted(game.deck.tolist())
    for lane in range(LANES):
        assert sorted(desk.decks[lane * (size + 1) : lane * (size + 1) + size].tolist()) == before
    return lanes


@pytest.mark.parametrize("clumped", [False, True], ids=["shuffled", "clumped"])
@pytest.mark.parametrize("name", NAMES)
def test_lanes_and_kernel_agree_shoe_by_shoe(name: str, clumped: bool) -> None:
    game = game_for(load(name).choose())
    counts = sum(compare(game, f"{name} {seed}", clumped=clumped).counts for seed in range(30))
    assert counts[SPLITS] > 70


@pytest.mark.parametrize("name", STUDIES)
def test_they_agree_under_what_ifs(name: str) -> None:
    chance = random.Random(name)
    for pairs in [*([pair] for pair in STUDIES[name]), *(random_study(name, chance) for _ in range(4))]:
        game = game_for(study(load(name), pairs).rules)
        for seed in range(2):
            compare(game, f"{pairs} {seed}", clumped=seed == 0)


def compare_full(rules: Rules, boxes: int, name: str, seeds: int = 60) -> Counted:
    """First rounds of full tables by machine and by the kernel, which must agree."""
    game = game_of(rules, seed=1, boxes=boxes, penetration=0.75)
    assert game.machine is not None
    desk = full_desk_for(game.deck, boxes, game.machine)
    room, tables, by_machine = room_for(boxes), game.tables[:2], game.nothing().counted
    chance, by_kernel = chance_from(np.random.SeedSequence(5)), np.zeros(COUNTS, np.int64)
    results = np.zeros_like(by_machine.results)
    for seed in range(seeds):
        for words in shoes(game, f"{name} {boxes} {seed}", clumped=seed % 2 == 0):
            room.marks[:] = 0
            room.marks[SIZE] = room.marks[SHUFFLED] = len(words)
            play_given(*tables, room, words.copy(), chance, nothing_by_count(), by_kernel)
            desk.decks[: len(words)] = words
            desk.marks[MIXED] = len(words)
            play_one(*tables, game.machine, desk, by_machine)
            assert (desk.ats[0], sorted(desk.nets[:boxes])) == (room.marks[NEXT], sorted(room.nets))
            np.add.at(results, results.size // 2 + room.nets, 1)
    by_kernel[DEALT] = 0  # which is counted where the round is played
    assert by_machine.counts.tolist() == by_kernel.tolist()
    assert by_machine.results.tolist() == results.tolist()
    return by_machine


@pytest.mark.parametrize("name", NAMES)
def test_so_do_full_tables_round_by_round(name: str) -> None:
    rules = study(load(name), ["boxes=7"]).rules
    assert sum(compare_full(rules, boxes, name).counts[SPLITS] for boxes in (2, 7)) > 40


@pytest.mark.parametrize("with_odds", ["instead", "on_top"])
def test_so_do_super_bonuses_that_come_often(with_odds: str) -> None:
    """A six, seven and eight of any suits win it against nine of the ranks."""
    rules = study(load("act-pontoon-2002"), ["boxes=7"]).rules
    assert rules.super_bonus is not None
    bonus = replace(rules.super_bonus, when=Pattern(ranks="678"), dealer_rank="A23456789")
    rules = replace(rules, super_bonus=bonus, super_bonus_with_odds=with_odds)
    game, bonuses = game_for(rules), 0
    for seed in range(40):
        bonuses += int(compare(game, f"bonus {seed}", clumped=seed % 2 == 0).counts[BONUSES])
    counts = compare_full(rules, 7, "bonus").counts
    assert bonuses > 5
    assert counts[SHARED] > 0


@pytest.mark.parametrize("name", ["hi-lo", "ko", "omega-ii", "plays"])
@pytest.mark.parametrize("book", NAMES)
def test_rounds_are_noted_by_their_count(book: str, name: str) -> None:
    rules = load(book).choose()
    system = playing_system(rules) if name == "plays" else read_system(name)
    game = game_for(rules, system)
    for seed in range(8):
        compare(game, f"{name} {seed}", clumped=seed % 2 == 0)


def test_a_shoe_that_is_dealt_out_is_worth_what_the_kernel_says() -> None:
    """With the cutting card at the very back the rack is shuffled in, which is chance of its own."""
    rules = load("act-blackjack-2003").choose()
    by_lanes = game_of(rules, seed=3, penetration=1.0)
    by_kernel = replace(by_lanes, machine=None)
    one, other = (simulate(game, rounds=3_000_000) for game in (by_lanes, by_kernel))
    assert abs(one.ev - other.ev) < 4 * (one.se**2 + other.se**2) ** 0.5
    assert one.rounds_per_shoe == pytest.approx(other.rounds_per_shoe, rel=0.001)
    assert one.cards_per_round == pytest.approx(other.cards_per_round, rel=0.001)
    assert one.rounds_per_shoe * one.cards_per_round > len(by_lanes.deck) - rules.burn_cards
    for name, share in one.frequencies().items():
        assert share == pytest.approx(other.frequencies()[name], rel=0.03, abs=1e-5), name


@pytest.mark.parametrize("book", NAMES)
def test_no_count_leads_beyond_the_tables(book: str) -> None:
    """Of shoes that are dealt out lanes and kernel say the same on the whole."""
    rules = load(book).choose()
    by_lanes = game_for(rules, playing_system(rules), penetration=1.0)
    one, other = (simulate(game, rounds=2_000_000) for game in (by_lanes, replace(by_lanes, machine=None)))
    assert abs(one.ev - other.ev) < 4 * (one.se**2 + other.se**2) ** 0.5
    beside = {row.count: row.share for row in other.by_count()}
    for row in one.by_count():
        assert row.share == pytest.approx(beside.get(row.count, 0), abs=0.002)
