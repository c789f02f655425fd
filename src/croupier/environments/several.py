"""A PettingZoo environment: a learner in each seat of a real table, asked as the table asks them."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from croupier.environments.questions import Options, options_of
from croupier.environments.seats import Seats
from croupier.environments.single import RENDER_MODES, SEEDS
from croupier.errors import ParseError
from croupier.exact.hands import Array
from croupier.house.shoes import VirtualShoe


class SeatsEnv(AECEnv):  # type: ignore[misc]
    """A table with so many `seats`; the other keyword arguments are those of `options_of`.

    An action that is not open is refused: nothing has changed, and the agent's `info["refused"]` says why.
    """

    metadata = {"render_modes": RENDER_MODES, "name": "croupier_table_v0", "is_parallelizable": False}

    def __init__(
        self, rulebook: str, *, seats: int = 3, render_mode: str | None = None, **options: Any
    ) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ParseError(f"render_mode {render_mode!r}: there is {RENDER_MODES[0]!r}")
        self.render_mode = render_mode
        self.options: Options = options_of(rulebook, boxes=seats, **options)
        self.seats = Seats(self.options)
        self.possible_agents = [f"player_{box}" for box in range(1, seats + 1)]
        self.agents: list[str] = []
        self.observation_spaces = dict.fromkeys(self.possible_agents, self.options.observation_space)
        self.action_spaces = dict.fromkeys(self.possible_agents, self.options.action_space)
        self._chance: np.random.Generator | None = None
        self._fresh = True

    def observation_space(self, agent: str) -> spaces.Space[Array]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[np.int64]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Array:
        return self.seats.observation(self._box(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The next round of the shoe; a fresh shoe if there is none, it is over or a seed is given."""
        if self._chance is None or seed is not None:
            self._chance, _ = seeding.np_random(seed)
        seats = self.seats
        if self._fresh or seed is not None or seats.question is not None or self._ends_shoe():
            seats.open(VirtualShoe(int(self._chance.integers(SEEDS))))
            self._fresh = False
        seats.begin()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= int(action) < len(self.options.actions):
            raise ParseError(
                f"{action} is no action: they are numbered from 0 to {len(self.options.actions) - 1}"
            )
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if why := self.seats.why_not(int(action)):
            self.infos[agent] |= {"refused": why}
            return
        self.seats.answer(int(action))
        if self.seats.question is None:
            self._settle()
        self._accumulate_rewards()
        self._ask()

    def _settle(self) -> None:
        self.rewards = {agent: self.seats.won(self._box(agent)) for agent in self.agents}
        if self.options.episode == "round" or self._ends_shoe():
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.seats.begin()

    def _ask(self) -> None:
        """It is the turn of whoever is asked, or of all to leave."""
        question = self.seats.question
        self.agent_selection = self.agents[question.box - 1 if question else 0]
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._mask(agent)} for agent in self.agents
        }

    def _mask(self, agent: str) -> Array:
        return np.array(self.options.mask_in(self.observe(agent)))

    def _box(self, agent: str) -> int:
        return self.possible_agents.index(agent) + 1

    def _ends_shoe(self) -> bool:
        return self.options.fresh or self.seats.shoe_is_over

    def render(self) -> str | None:
        return self.seats.told() if self.render_mode else None

    def close(self) -> None:
        """Nothing is held open."""
