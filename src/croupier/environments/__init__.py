"""Environments for those who study how games are learnt, for Gymnasium and PettingZoo (the extra `rl`).

Importing this package registers `croupier/<rulebook>-v0` for every rulebook that comes with Croupier, and
`croupier/table-v0` for any rulebook's name or file:

    import gymnasium
    import croupier.environments

    env = gymnasium.make("croupier/act-blackjack-2003-v0", settings=["soft_17=hit"], decks=8)
    games = gymnasium.make_vec("croupier/act-blackjack-2003-v0", num_envs=4096)
"""

from __future__ import annotations

import gymnasium

from croupier.environments.questions import MOVES, Options, options_of
from croupier.environments.several import SeatsEnv
from croupier.environments.single import TableEnv
from croupier.environments.vector import GamesEnv
from croupier.rulebook import NAMES

__all__ = ["MOVES", "GamesEnv", "Options", "SeatsEnv", "TableEnv", "options_of"]

for _name, _given in (("table", {}), *((name, {"rulebook": name}) for name in NAMES)):
    gymnasium.register(
        f"croupier/{_name}-v0",
        entry_point="croupier.environments.single:TableEnv",
        vector_entry_point="croupier.environments.vector:GamesEnv",
        kwargs=_given,
    )
