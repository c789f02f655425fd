"""A learner that knows no rule of blackjack, and what it has still to learn, hand by hand.

It plays thousands of games at once and keeps, for every total against every card of the dealer, what each
action has brought. It does what has brought most, but for one decision of a round, where it tries anything,
and what it tried is what it learns of in that round (Monte-Carlo control). Then the solver says what its play
is worth exactly, and what each decision loses against the best:

    python examples/learn.py [ROUNDS]      # by default 20 million, about a minute

What a hand loses is V*(hand) - Q*(hand, action). Summed over all hands, weighted by how often the learner
comes to them, it is the learner's whole regret, but for what is lost in playing split hands.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.environments import GamesEnv
from croupier.environments.questions import DEALER, DECIDING, DECLINE, FIRST_BET, HANDS, QUESTION, SOFT, TOTAL
from croupier.exact import Solution, solve
from croupier.exact.hands import VALUES
from croupier.rulebook import load

RULEBOOK = "act-blackjack-2003"
GAMES = 4096
SWEEPS = 8  # after each the learner believes what it has seen half as much
LETTERS = "SHDP"  # the solver's names of the first four actions
OFTEN = 0.75  # how often the first decision of a round is the one that is tried out
ROWS = (
    [f"h{total}" for total in range(22)]
    + [f"s{total}" for total in range(22)]
    + [value * 2 for value in VALUES]
)
UPCARDS = np.array([0, *(min(rank, 9) for rank in range(len(RANKS)))])  # by the number of a rank


class Lost(NamedTuple):
    """A hand on which the learner is wrong: what it does, what is best, and what that costs in a round."""

    upcard: str
    hand: str
    does: str
    best: str
    cost: float
    often: float

    @property
    def regret(self) -> float:
        return self.cost * self.often


def places(seen: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The row of the learner's table for each observation: the dealer's card, and a total or a pair."""
    row = seen[:, TOTAL] + 22 * seen[:, SOFT].astype(np.int64)
    values = seen[:, : len(VALUES)]
    pairs = (values.sum(axis=1) == 2) & (values.max(axis=1) == 2)
    row = np.where(pairs, 44 + values.argmax(axis=1), row)
    return UPCARDS[seen[:, DEALER]] * len(ROWS) + row


def best_actions(
    means: NDArray[np.float64], seen: NDArray[np.uint8], mask: NDArray[np.int8]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """What has brought most where there is a move to make, else a bet, or no to offers; and where it is."""
    deciding = seen[:, QUESTION] == DECIDING
    chosen = np.where(mask[:, FIRST_BET], FIRST_BET, DECLINE)
    worth = np.where(mask[deciding, : len(LETTERS)], means[places(seen[deciding])], -np.inf)
    chosen[deciding] = worth.argmax(axis=1)
    return chosen, deciding


class Learner:
    """What each action has brought on average, and how often it was tried."""

    def __init__(self, seed: int) -> None:
        self.chance = np.random.default_rng(seed)
        self.brought = np.zeros((len(VALUES) * len(ROWS), len(LETTERS)))
        self.tried = np.zeros_like(self.brought)

    @property
    def means(self) -> NDArray[np.float64]:
        return self.brought / np.maximum(self.tried, 1e-9)

    def learn(self, games: GamesEnv, rounds: int) -> None:
        """Play so many rounds; what was seen before counts half as much as what is seen now."""
        self.brought /= 2
        self.tried /= 2
        means = self.means
        played = 0
        seen, info = games.reset()
        many = games.num_envs
        decisions, trial = np.zeros(many, np.int64), self._trials(many)
        place, action = np.full(many, -1), np.zeros(many, np.int64)
        while played < rounds:
            chosen, deciding = best_actions(means, seen, info["action_mask"])
            tries = deciding & (decisions == trial) & (seen[:, HANDS] == 1)
            moves = info["action_mask"][tries, : len(LETTERS)]
            chosen[tries] = ((1 - self.chance.random(moves.shape)) * moves).argmax(axis=1)
            place[tries], action[tries] = places(seen[tries]), chosen[tries]
            decisions += deciding
            seen, rewards, over, _, info = games.step(chosen)
            told = over & (place >= 0)
            np.add.at(self.brought, (place[told], action[told]), rewards[told])
            np.add.at(self.tried, (place[told], action[told]), 1)
            place[over], decisions[over] = -1, 0
            trial[over] = self._trials(int(over.sum()))
            played += int(over.sum())

    def _trials(self, many: int) -> NDArray[np.int64]:
        """Which decision of a round is tried out."""
        return self.chance.geometric(OFTEN, many) - 1

    def chart(self) -> str:
        """The play in the words of the solver."""
        lines = []
        for upcard, value in enumerate(VALUES):
            for number, row in enumerate(ROWS):
                place = upcard * len(ROWS) + number
                order = [LETTERS[move] for move in np.argsort(-self.means[place]) if self.tried[place, move]]
                if order:
                    lines.append(f"{value} {row} - {'/'.join(_taken(order))}")
        return "\n".join(lines)


def _taken(order: list[str]) -> list[str]:
    """Of actions from best to worst those that may come to be taken: split, double, then hit or stand."""
    found: list[str] = []
    for letter in order:
        if letter in "HS":
            return [*found, letter]
        if "D" not in found:  # whoever may split may double
            found.append(letter)
    return found


def regrets(best: Solution, learnt: Solution) -> list[Lost]:
    """Every unsplit hand that the learner comes to and plays wrongly, the dearest first."""
    found = []
    for upcard in learnt.solver.upcards:
        chance = float(learnt.solver.chance(upcard))
        for one in learnt.cell_hands(upcard):
            counts = learnt.solver.hands.counts[one.hand]
            hand = " ".join(value for value, count in zip(VALUES, counts, strict=True) for _ in range(count))
            choice = best.decision(hand, VALUES[upcard])
            does = next(letter for letter in one.action.split("/") if letter in choice.worth)
            cost = float(choice.cost[does])
            if cost > 0:
                found.append(Lost(VALUES[upcard], hand, does, choice.best, cost, one.weight * chance))
    return sorted(found, key=lambda lost: -lost.regret)


def trained(rounds: int, seed: int = 1) -> Learner:
    games = GamesEnv(RULEBOOK, GAMES, fresh=True)
    games.reset(seed=seed)
    learner = Learner(seed)
    for _ in range(SWEEPS):
        learner.learn(games, rounds // SWEEPS)
    return learner


def main() -> None:
    rounds = int(float(sys.argv[1])) if len(sys.argv) > 1 else 20_000_000
    learner = trained(rounds)
    rules = load(RULEBOOK).choose()
    best, learnt = solve(rules), solve(rules, chart=learner.chart(), chart_name="what was learnt")
    lost = regrets(best, learnt)
    print(f"best play   {best.ev:+.6f} units a round")
    print(f"the learner {learnt.ev:+.6f}")
    unsplit = sum(one.regret for one in lost)
    print(f"its regret   {best.ev - learnt.ev:.6f}, of which {unsplit:.6f} on unsplit hands")
    print(f"{len(lost)} hands are played wrongly; those that cost most:")
    print("dealer  hand         does  best  costs     comes up   regret")
    for one in lost[:20]:
        print(
            f"{one.upcard:<7} {one.hand:<12} {one.does:<5} {one.best:<5} "
            f"{one.cost:.5f}   {one.often:.6f}   {one.regret:.2e}"
        )


if __name__ == "__main__":
    main()
