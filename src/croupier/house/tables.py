"""Tables of a house: a new one, or one that goes on where its log leaves it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from croupier.conductor import CardSource, Conductor
from croupier.errors import ParseError
from croupier.house.shoefile import ShoeFile
from croupier.house.shoes import Follower, VirtualShoe
from croupier.record import Log, LogWriter, header_for, replay
from croupier.rulebook import Rulebook
from croupier.table import State, open_state
from croupier.table import commands as cmd


def new_table(
    book: Rulebook, settings: dict[str, Any], *, cards: CardSource | None = None, log: Path | None = None
) -> Conductor:
    """Open a table of a house, all of whose settings are given; its log is a new file."""
    rules = book.rules_for(settings)
    if log is None:
        return Conductor(open_state(rules), cards=cards)
    store = LogWriter.create(log, header_for(book, rules, settings))
    if isinstance(cards, VirtualShoe):
        cards.keep_beside(ShoeFile(log))
    return Conductor(open_state(rules), store, cards)


def resume(log: Log, *, cards: VirtualShoe | None = None) -> Conductor:
    """Open the table of a log again where the log leaves it, and write on in the same file."""
    if log.header.start is not None:
        raise ParseError(f"{log.source}: is the log of a case, which does not go on")
    path = Path(log.source)
    if cards is None:
        return Conductor(replay(log).state, LogWriter.continue_from(path, log))
    file = ShoeFile(path)
    followers, problem = _followers(file)
    state = replay(log, *followers).state
    store = LogWriter.continue_from(path, log)
    cards.keep_beside(file)
    cards.take_up(state, store.count, followers, problem)
    return Conductor(state, store, cards)


def _followers(file: ShoeFile) -> tuple[list[Follower], str]:
    """The orders on file, to be carried along the log; and what is the matter if none of them fits it."""
    try:
        return [Follower(made) for made in file.read()], f"{file.path}: does not fit the log"
    except ParseError as error:
        return [], str(error)


def open_betting(state: State) -> cmd.OpenBetting:
    """The invitation to bet, with the time of day where hours of gaming are kept."""
    return cmd.OpenBetting(at=time.strftime("%H:%M") if state.rules.house.hours else "")
