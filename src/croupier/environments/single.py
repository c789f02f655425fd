"""A Gymnasium environment: one learner at a real table, in every box that is played."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from croupier.environments.questions import Options, options_of
from croupier.environments.seats import Seats
from croupier.errors import ParseError
from croupier.exact.hands import Array
from croupier.house.shoes import VirtualShoe

RENDER_MODES = ["ansi"]
SEEDS = 1 << 62


class TableEnv(gymnasium.Env[Array, np.int64]):
    """A table under a rulebook. Keyword arguments are those of `options_of`.

    An action that is not open is refused: nothing has changed, and `info["refused"]` says why.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(self, rulebook: str, *, render_mode: str | None = None, **options: Any) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise ParseError(f"render_mode {render_mode!r}: there is {RENDER_MODES[0]!r}")
        self.render_mode = render_mode
        self.options: Options = options_of(rulebook, **options)
        self.seats = Seats(self.options)
        self.action_space = self.options.action_space
        self.observation_space = self.options.observation_space
        self._fresh = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """The next round of the shoe; a fresh shoe if there is none, it is over or a seed is given."""
        super().reset(seed=seed)
        seats = self.seats
        if self._fresh or seed is not None or seats.question is not None or self._ends_shoe():
            seats.open(VirtualShoe(int(self.np_random.integers(SEEDS))))
            self._fresh = False
        seats.begin()
        return self._seen()

    def step(self, action: np.int64 | int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        seats, number = self.seats, int(action)
        if not 0 <= number < len(self.options.actions):
            raise ParseError(
                f"{action} is no action: they are numbered from 0 to {len(self.options.actions) - 1}"
            )
        if seats.question is None:
            raise ParseError("the round is over: reset begins another")
        if why := seats.why_not(number):
            seen, info = self._seen()
            return seen, 0.0, False, False, info | {"refused": why}
        seats.answer(number)
        if seats.question is not None:
            seen, info = self._seen()
            return seen, 0.0, False, False, info
        reward = sum(seats.won(box) for box in range(1, self.options.boxes + 1))
        over = self.options.episode == "round" or self._ends_shoe()
        if not over:
            seats.begin()
        seen, info = self._seen()
        return seen, reward, over, False, info

    def _ends_shoe(self) -> bool:
        return self.options.fresh or self.seats.shoe_is_over

    def _seen(self) -> tuple[Array, dict[str, Any]]:
        question = self.seats.question
        seen = self.seats.observation(question.box if question else 1)
        return seen, {"action_mask": np.array(self.options.mask_in(seen))}

    def render(self) -> str | None:
        return self.seats.told() if self.render_mode else None
