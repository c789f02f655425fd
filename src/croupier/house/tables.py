"""Tables of a house: a new one, or one that goes on where its log leaves it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from croupier.conductor import CardSource, Conductor
from croupier.errors import ParseError
from croupier.house.clock import now
from croupier.house.shoefile import ShoeFile
from croupier.house.shoes import Follower, VirtualShoe
from croupier.record import Log, LogWriter, header_for, replay
from croupier.record.line import Kind
from croupier.rulebook import Rulebook
from croupier.table import State, open_state
from croupier.table import commands as cmd


def new_table(
    book: Rulebook,
    settings: dict[str, Any],
    *,
    cards: CardSource | None = None,
    log: Path | None = None,
    name: str = "",
) -> Conductor:
    """Open a table of a house, all of whose settings are given; its log is a new file.

    A table without cards of its own is a live one. It is called `name`, or else like its log.
    """
    rules = book.rules_for(settings)
    if log is None:
        return Conductor(open_state(rules), cards=cards, clock=now)
    kind: Kind = "live" if cards is None else "virtual"
    header = header_for(book, rules, settings, table=name or log.stem, kind=kind, at=now())
    store = LogWriter.create(log, header)
    if isinstance(cards, VirtualShoe):
        cards.keep_beside(ShoeFile(log))
    return Conductor(open_state(rules), store, cards, clock=now)


def resume(
    log: Log, *, cards: VirtualShoe | None = None, tell: Callable[[str], None] | None = None
) -> Conductor:
    """Open the table of a log again where the log leaves it, and write on in the same file.

    Somebody is told if a torn line had to be put aside.
    """
    _require_like(log, virtual=cards is not None)
    path = Path(log.source)
    store = LogWriter.continue_from(path, log)
    try:
        table = _taken_up(log, store, cards)
        mended = store.mend(log)
    except BaseException:
        store.close()
        raise
    if mended and tell is not None:
        tell(mended)
    return table


def _require_like(log: Log, *, virtual: bool) -> None:
    """Real cards are not to be made up, nor those of a virtual shoe typed in."""
    if log.header.start is not None:
        raise ParseError(f"{log.source}: is the log of a case, which does not go on")
    if log.header.kind == "live" and virtual:
        raise ParseError(
            f"{log.source}: is a live table's, whose cards are real ones; "
            f"`croupier deal --resume {log.source}` goes on with it"
        )
    if log.header.kind == "virtual" and not virtual:
        raise ParseError(
            f"{log.source}: is a virtual table's, whose cards nobody can type in; "
            f"`croupier play --resume {log.source}` goes on with it"
        )


def _taken_up(log: Log, store: LogWriter, cards: VirtualShoe | None) -> Conductor:
    """The table where the log leaves it: a live one remembers its lines, a virtual one finds its shoe."""
    if cards is None:
        done = replay(log, remember=True)
        return Conductor(done.state, store, clock=now, standing=done.standing)
    file = ShoeFile(Path(log.source))
    followers, problem = _followers(file)
    done = replay(log, *followers)
    cards.keep_beside(file)
    cards.take_up(done.state, store.count, followers, problem)
    return Conductor(done.state, store, cards, clock=now, standing=done.standing)


def _followers(file: ShoeFile) -> tuple[list[Follower], str]:
    """The orders on file, to be carried along the log; and what is the matter if none of them fits it."""
    try:
        return [Follower(made) for made in file.read()], f"{file.path}: does not fit the log"
    except ParseError as error:
        return [], str(error)


def open_betting(state: State) -> cmd.OpenBetting:
    """The invitation to bet, with the time of day where hours of gaming are kept."""
    return cmd.OpenBetting(at=now()[11:16] if state.rules.house.hours else "")
