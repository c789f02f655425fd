"""The environments: what their libraries ask of them, and the vector environment against the table."""

from __future__ import annotations

import random
import runpy
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from croupier.cards import ALL_CARDS, CUT, Card
from croupier.environments import GamesEnv, SeatsEnv, TableEnv, options_of
from croupier.environments.questions import (
    BETTING,
    DEALER,
    DECIDING,
    DECLINE,
    DOUBLED,
    EVEN_MONEY,
    FIELDS,
    FIRST_BET,
    HIT,
    INSURE,
    NOTHING,
    OFFERED,
    QUESTION,
    SPLIT,
    STAND,
    TOTAL,
    Options,
)
from croupier.environments.seats import Seats
from croupier.errors import ParseError, Refused, RulebookError
from croupier.exact import solve
from croupier.exact.hands import Array
from croupier.house.shoes import whole
from croupier.rulebook import NAMES, load
from croupier.table import State
from simulated import STUDIES, ClumpedShoe, random_study
from test_table_properties import OFFERS

VARIED = {"episode": "shoe", "see_gone": True, "bets": (1, 2, 5)}


# The libraries' own checks


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [{}, VARIED, {"fresh": True}], ids=str)
def test_gymnasium_finds_nothing_wrong(name: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(f"croupier/{name}-v0", **options).unwrapped)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [{}, VARIED], ids=str)
def test_pettingzoo_finds_nothing_wrong(name: str, options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(SeatsEnv(name, **options), num_cycles=50)
        seed_test(lambda: SeatsEnv(name, **options), num_cycles=50)


# The vector environment against the table, on the same cards


class Round(NamedTuple):
    """A round at the table: the cards before it, what was seen before each answer, and what came of it."""

    order: tuple[Card, ...]
    seen: list[Array]
    answers: list[int]
    reward: float
    gone: Array


class RiggedShoe(ClumpedShoe):
    """A shoe, badly shuffled, from which certain cards come first: naturals, pairs, and sevens of a suit.

    It notes its order before the first card of each round.
    """

    KINDS = ("AKQJ", "AKQJ", "7s", "7s", "A87", "", "")
    order: tuple[Card, ...] = ()

    def peek(self, state: State) -> str:
        begins = state.stage == "dealing" and not state.dealt
        if begins:
            self._order = whole(self._rigged(self.cards))
        word = super().peek(state)
        if begins and word != CUT:
            self.order = self.cards
        return word

    def _rigged(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        kind = self._random.choice(self.KINDS)
        wanted = [card for card in cards if card in kind or (len(kind) != 2 and card[0] in kind)]
        front = self._random.sample(wanted, min(len(wanted), 8))
        rest = list(cards)
        for card in front:
            rest.remove(card)
        return (*front, *rest)


def played(options: Options, rounds: int, chance: random.Random) -> list[Round]:
    """Rounds of random play, each from a shoe of its own."""
    seats, found = Seats(options), []
    for _ in range(rounds):
        shoe = RiggedShoe(chance.random().hex())
        seats.open(shoe)
        seats.begin()
        seen: list[Array] = []
        answers: list[int] = []
        while seats.question is not None:
            seen.append(seats.observation(seats.question.box))
            # A hand that is hit till it is over says little of the rest.
            likely = [action for action in seats.question.open if action != HIT or chance.random() < 0.5]
            answers.append(chance.choice(likely or seats.question.open))
            seats.answer(answers[-1])
        reward = sum(seats.won(box) for box in range(1, options.boxes + 1))
        found.append(Round(shoe.order, seen, answers, reward, seats.gone.copy()))
    return found


def require_alike(name: str, rounds: int, seed: str, **given: Any) -> set[tuple[int, int]]:
    """All that was asked and answered."""
    given = {"bets": (1, 2, 5), "see_gone": True, "super_bonus": True, "fresh": True, **given}
    table = played(options_of(name, **given), rounds, random.Random(seed))
    games = GamesEnv(name, rounds, **given)
    seen, info = games.reset(seed=1, options={"orders": [one.order for one in table]})
    longest = max(len(one.answers) for one in table)
    for step in range(longest):
        going = [game for game, one in enumerate(table) if step < len(one.answers)]
        actions = np.full(rounds, -1)
        for game in going:
            assert seen[game].tolist() == table[game].seen[step].tolist(), (given, table[game], step)
            actions[game] = table[game].answers[step]
        seen, rewards, over, _, info = games.step(actions)
        assert not info["refused"][going].any()
        for game in going:
            one = table[game]
            assert over[game] == (step == len(one.answers) - 1), (given, one)
            if over[game]:
                assert rewards[game] == pytest.approx(one.reward, abs=1e-9), (given, one)
                assert info["final_obs"][game, -13:].tolist() == one.gone.tolist(), (given, one)
    return {
        (int(at[QUESTION]), action) for one in table for at, action in zip(one.seen, one.answers, strict=True)
    }


@pytest.mark.parametrize("name", NAMES)
def test_many_games_are_the_tables_to_the_cent_and_in_all_that_is_seen(name: str) -> None:
    rules = load(name).choose()
    asked = set()
    for boxes in (rules.boxes_needed, 3):
        asked |= require_alike(name, 400, f"{name} {boxes}", boxes=boxes)
    moves = {(DECIDING, action) for action in (STAND, HIT, SPLIT)}
    offered = {(OFFERED, INSURE), (OFFERED, DECLINE)}
    assert moves | offered | {(BETTING, FIRST_BET + 2)} <= asked
    assert ((DOUBLED, DECLINE) in asked) == rules.forfeit
    assert ((OFFERED, EVEN_MONEY) in asked) == bool(rules.even_money_upcards)


@pytest.mark.parametrize("name", STUDIES)
def test_so_they_are_where_the_law_is_changed_for_study(name: str) -> None:
    chance = random.Random(name)
    for number in range(3):
        require_alike(name, 120, f"{name} {number}", settings=random_study(name, chance))


@pytest.mark.parametrize("options", [{}, {"fresh": True}], ids=str)
def test_a_play_has_the_value_that_the_solver_gives_it(options: dict[str, Any]) -> None:
    """Stand on what can be stood on: shoes are shuffled well, and every round counts."""
    rules = load("act-blackjack-2003").choose()
    lines = [f"* h{total} - {'H' if total < 12 else 'S'}" for total in range(4, 21)]
    value = solve(rules, chart="\n".join([*lines, *(f"* s{total} - S" for total in range(12, 21))])).ev
    games = GamesEnv("act-blackjack-2003", 4096, **options)
    _, info = games.reset(seed=5)
    wanted = np.array([STAND, DECLINE, HIT, FIRST_BET])
    won: list[Array] = []
    while sum(map(len, won)) < 400_000:
        choice = info["action_mask"][:, wanted].argmax(axis=1)
        _, rewards, over, _, info = games.step(wanted[choice])
        won.append(rewards[over])
    rewards = np.concatenate(won)
    assert abs(rewards.mean() - value) < 4 * rewards.std() / len(rewards) ** 0.5


def test_cards_of_a_rack_that_is_shuffled_in_are_gone_no_more() -> None:
    games = GamesEnv("act-blackjack-2003", 2, episode="shoe", see_gone=True)
    _, info = games.reset(seed=1, options={"orders": [ALL_CARDS[:13], ALL_CARDS]})
    over = np.zeros(2, np.bool_)
    while not over[0]:
        _, _, over, _, info = games.step(info["action_mask"].argmax(axis=1))
    of_the_last_round = info["final_obs"][:, -13:].sum(axis=1)
    assert 3 <= of_the_last_round[0] < 13


# Seeds


def random_play(games: GamesEnv, seed: int, steps: int = 40) -> list[Array]:
    chance = np.random.default_rng(3)
    seen, info = games.reset(seed=seed)
    found = [seen]
    for _ in range(steps):
        mask = info["action_mask"]
        seen, rewards, over, _, info = games.step(((1 - chance.random(mask.shape)) * mask).argmax(axis=1))
        assert not info["refused"].any()
        assert seen in games.observation_space
        found += [seen, rewards, over]
    return found


@pytest.mark.parametrize("options", [{}, {"fresh": True}, VARIED], ids=str)
def test_a_seed_gives_the_same_games(options: dict[str, Any]) -> None:
    games = gymnasium.make_vec("croupier/act-pontoon-2002-v0", num_envs=64, **options)
    one = random_play(games, 7)
    again = random_play(GamesEnv("act-pontoon-2002", 64, **options), 7)
    other = random_play(games, 8)
    assert all(map(np.array_equal, one, again))
    assert all(map(np.array_equal, one, random_play(games, 7)))
    assert not all(map(np.array_equal, one, other))


def test_a_seed_gives_the_same_shoe_to_one_table() -> None:
    def rewards(env: TableEnv, seed: int) -> list[float]:
        _, info = env.reset(seed=seed)
        found = []
        while len(found) < 30:
            _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
            if over:
                found.append(reward)
                _, info = env.reset()
        return found

    env = TableEnv("uk-blackjack-1994")
    assert rewards(env, 4) == rewards(TableEnv("uk"), 4) != rewards(env, 5)


# What is refused


def at_a_decision(env: TableEnv, total: int) -> dict[str, Any]:
    seed = 0
    while True:
        env.reset(seed=seed)
        seen, _, _, _, info = env.step(FIRST_BET)
        if (seen[QUESTION], seen[TOTAL]) == (DECIDING, total):
            return info
        seed += 1


def test_what_may_not_be_answered_is_refused_with_its_clause_and_changes_nothing() -> None:
    env = TableEnv("act-blackjack-2003", render_mode="ansi")
    at_a_decision(env, 15)
    before = env.render()
    _, reward, over, _, info = env.step(SPLIT)
    assert (
        info["refused"]
        == "split refused: only two cards of equal value can be split [act-blackjack-2003 Dict:Split]"
    )
    assert (reward, over, env.render()) == (0.0, False, before)
    assert env.step(FIRST_BET)[4]["refused"] == "bet 1 refused: a move is asked"
    assert "refused" not in env.step(STAND)[4]
    with pytest.raises(ParseError, match="the round is over"):
        env.step(STAND)
    with pytest.raises(ParseError, match="99 is no action"):
        env.step(99)
    env.reset()
    with pytest.raises(Refused, match="a wager is asked"):
        env.seats.answer(STAND)


def test_an_agent_that_is_refused_is_asked_again() -> None:
    env = SeatsEnv("act-pontoon-2002", render_mode="ansi")
    env.reset(seed=1)
    env.step(STAND)
    assert (env.agent_selection, env.infos["player_1"]["refused"]) == (
        "player_1",
        "stand refused: a wager is asked",
    )
    env.step(FIRST_BET)
    assert env.agent_selection == "player_2"
    assert env.render() == "dealer -"
    with pytest.raises(ParseError, match="None is no action"):
        env.step(None)


def test_a_game_whose_action_is_refused_stays_as_it_is() -> None:
    games = GamesEnv("act-blackjack-2003", 3)
    before, _ = games.reset(seed=1)
    seen, rewards, over, cut, info = games.step(np.array([FIRST_BET, STAND, 1 << 40]))
    assert info["refused"].tolist() == [False, True, True]
    assert (before[1:] == seen[1:]).all()
    assert not np.stack([rewards, over, cut])[:, 1:].any()


# The example


def test_the_example_learns_and_knows_what_it_has_not_learnt() -> None:
    path = Path(__file__).parent.parent / "examples" / "learn.py"
    example: dict[str, Any] = runpy.run_path(str(path))
    learner = example["trained"](800_000)
    rules = load(example["RULEBOOK"]).choose()
    best, learnt = solve(rules), solve(rules, chart=learner.chart())
    lost = example["regrets"](best, learnt)
    regret, unsplit = best.ev - learnt.ev, sum(one.regret for one in lost)
    assert 0 < regret < 0.02
    assert 0.7 * regret < unsplit < 1.02 * regret
    assert all(one.cost > 0 and one.does != one.best for one in lost)
    rewards = example_play(example, learner.means)
    assert abs(rewards.mean() - learnt.ev) < 4 * rewards.std() / len(rewards) ** 0.5


def example_play(example: dict[str, Any], means: Array) -> Array:
    """What the learner wins without trying anything: doubles and splits have the solver's value too."""
    games = GamesEnv(example["RULEBOOK"], 4096, fresh=True)
    seen, info = games.reset(seed=9)
    won: list[Array] = []
    while sum(map(len, won)) < 400_000:
        chosen, _ = example["best_actions"](means, seen, info["action_mask"])
        seen, rewards, over, _, info = games.step(chosen)
        won.append(rewards[over])
    return np.concatenate(won)


# Options


def test_whatever_a_study_can_set_and_any_rulebook() -> None:
    env = gymnasium.make(
        "croupier/table-v0", rulebook="pontoon", settings={"soft_17": "stand"}, decks=4
    ).unwrapped
    assert isinstance(env, TableEnv)
    assert (env.options.rules.soft_17, env.options.rules.house.decks) == ("stand", 4)
    assert GamesEnv("uk", 2, settings=["soft_17=hit"]).options.rules.soft_17 == "hit"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"boxes": 9}, "from 1 to 7 are played here"),
        ({"bets": (2, 1)}, "the least first"),
        ({"bets": (1, 1000)}, "a bet of 1000 units of 10: 500 is the most that is in play"),
        ({"episode": "hand"}, "a round or a shoe"),
        ({"settings": ["soft_17"]}, "soft_17"),
        ({"render_mode": "human"}, "there is 'ansi'"),
    ],
    ids=str,
)
def test_what_cannot_be_is_said_in_a_sentence(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ParseError, match=says):
        TableEnv("act-blackjack-2003", **options)


def test_many_games_say_what_they_do_not_play() -> None:
    with pytest.raises(ParseError, match="without side bets"):
        GamesEnv("act-blackjack-2003", 2, side_bets={"perfect_pairs": {"minimum": 2, "maximum": 50}})
    with pytest.raises(ParseError, match="one or more games"):
        GamesEnv("act-blackjack-2003", 0)
    with pytest.raises(RulebookError, match="super_bonus_others"):
        GamesEnv("pontoon", 2, boxes=2, super_bonus=True, settings=["super_bonus_others=eligible"])
    with pytest.raises(RulebookError, match="doubled_evens"):
        GamesEnv("pontoon", 2, settings=["doubled_evens=box"])
    games = GamesEnv("act-blackjack-2003", 2, decks=1, settings=["shoe_runs_out=none"], penetration=1.0)
    with pytest.raises(ParseError, match="reset begins them"):
        games.step(np.zeros(2))
    games.reset(seed=1)
    with pytest.raises(ParseError, match="one for each of 2 games"):
        games.step(np.zeros(3))
    with pytest.raises(ParseError, match="the packs do not hold"):
        games.reset(options={"orders": [(Card("As"),) * 9] * 2})
    with pytest.raises(ParseError, match="1 orders of cards"):
        games.reset(options={"orders": [()]})
    with pytest.raises(RulebookError, match="shoe_runs_out"):
        random_play(games, 1, 2000)


def test_arrays_are_the_callers_unless_they_are_not_to_be() -> None:
    for copy in (True, False):
        games = GamesEnv("act-blackjack-2003", 2, copy=copy)
        before, _ = games.reset(seed=1)
        seen, *_ = games.step(np.array([FIRST_BET] * 2))
        assert (before[0, QUESTION] == BETTING) == copy
        assert np.shares_memory(before, seen) != copy


# What is seen and won


def test_every_field_has_its_word_and_a_shoe_ends_where_the_cards_do() -> None:
    env = TableEnv("act-blackjack-2003", **VARIED)
    options = env.options
    assert len(options.fields) == env.observation_space.shape[0] == len(FIELDS) + 12 + 13
    assert options.actions[FIRST_BET:] == ("bet 1", "bet 2", "bet 5")
    seen, info = env.reset(seed=2)
    rounds, over = 0, False
    while not over:
        before = seen[options.gone_at :].sum()
        seen, _, over, _, info = env.step(int(info["action_mask"].argmax()))
        assert seen[options.gone_at :].sum() >= before
        rounds += seen[QUESTION] in (BETTING, NOTHING)
    assert rounds > 20
    assert seen[options.gone_at :].sum() > 200
    seen, _ = env.reset()
    assert not seen[options.gone_at :].any()
    assert not seen[DEALER]


@pytest.mark.parametrize("name", OFFERS)
def test_side_bets_are_made_and_counted(name: str) -> None:
    with_sides, without = (TableEnv(name, side_bets=offers) for offers in (OFFERS[name], None))
    changed = 0
    for seed in range(40):
        won = []
        for env in (with_sides, without):
            over, reward = False, 0.0
            _, info = env.reset(seed=seed)
            while not over:
                _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
            won.append(reward)
        results = with_sides.seats.state.results
        sides = sum(result.net for result in results if result.wager in with_sides.options.side_bets)
        assert won[0] == pytest.approx(won[1] + sides / with_sides.seats.unit)
        changed += sides > 0
    assert changed
