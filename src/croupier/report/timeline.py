"""What happened at a table, from its log: a time line by rounds and between them.

Everything on record is told where it happened, struck lines too. The sums are a fold of what each event
moves between the players and the float, so that awards, voids and invalidations count: those of a finished
round count for that round, whenever they came. Where a line and the rules differ it is said at that line,
and the telling goes on by the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from croupier.record.line import Bring, Entry, Strike, number_of
from croupier.record.log import Log
from croupier.record.replay import Decided, Difference, Note, decided, opening
from croupier.record.standing import Standing, brought_by
from croupier.rulebook import Rulebook
from croupier.story import cited, clauses_of, gain, money, tell
from croupier.table import State, evolve
from croupier.table import events as ev
from croupier.table.actors import Actor
from croupier.table.chips import FLOAT, moves
from croupier.table.events import Event
from croupier.table.state import IN_ROUND, standing

Kind = Literal["opening", "event", "refusal", "strike", "brings", "difference"]
Nets = dict[str, int]
LATER = (ev.RoundVoided, ev.RoundInvalidated, ev.WagerVoided)
NOBODY = Actor("operator", "operator")


class Item(Struct, frozen=True):
    """One thing that is told. `nets` is what it moved to players, and counts for the round `counts_for`."""

    line: int
    kind: Kind
    what: str
    by: Actor
    at: str = ""
    round: int = 0
    cited: str = ""
    event: Event | None = None
    nets: Nets = {}
    counts_for: int = 0
    struck: bool = False

    @property
    def done_by(self) -> str:
        """Who did it for an office, if the office has a name."""
        named = self.kind == "event" and self.by.role not in ("player", self.by.name)
        return self.by.name if named else ""


class Chapter(Struct, frozen=True):
    """A round, or what lies between two. `nets` is its sum, and `ended` what it was when the round ended.

    `fate` says of a round that it is void or invalidated, and by which line. Who strikes back into a round
    makes a second chapter of it, and the sum stands in the last.
    """

    title: str
    round: int
    items: tuple[Item, ...]
    nets: Nets = {}
    ended: Nets = {}
    fate: str = ""

    @property
    def shown(self) -> list[Item]:
        """What is told of it, but for what its title says."""
        return [item for item in self.items if not isinstance(item.event, ev.BettingOpened | ev.RoundEnded)]


class Timeline(Struct, frozen=True):
    """The whole evening, what each player won or lost in it, and where log and rules differ."""

    log: Log
    book: Rulebook
    chapters: tuple[Chapter, ...]
    nets: Nets
    brought: Nets
    differences: tuple[Difference, ...]
    notes: tuple[Note, ...]


def timeline(log: Log) -> Timeline:
    """Decide every line of a log again, and tell what it says."""
    book, stands = log.book, Standing(virtual=log.header.kind == "virtual")
    differences, notes = opening(log)
    items = [_opened(log, book), *(_differs(1, one, book, NOBODY) for one in differences)]
    cite = _citing(book)
    for step in decided(log, stands):
        items += _told(step, book, cite)
        differences += step.differences
        notes += step.notes
    standing_lines = {1, *(number_of(line) for line in stands.lines)}
    items = [item if item.line in standing_lines else replace(item, struck=True) for item in items]
    lasting = [item for item in items if not item.struck]
    return Timeline(
        log=log,
        book=book,
        chapters=tuple(_chapters(items, lasting)),
        nets=_sum(lasting),
        brought=brought_by(stands.lines),
        differences=tuple(differences),
        notes=tuple(notes),
    )


# What a line tells

Cite = Callable[[Event], str]


def _citing(book: Rulebook) -> Cite:
    """The clauses of an event in brackets, looked up once for all that rest on the same."""
    known: dict[tuple[type[Event], tuple[str, ...]], str] = {}

    def cite(event: Event) -> str:
        key = type(event), event.basis
        if key not in known:
            known[key] = cited(event, book)
        return known[key]

    return cite


def _opened(log: Log, book: Rulebook) -> Item:
    header, opened = log.header, log.header.opened
    kind = {"live": ", a live table", "virtual": ", a virtual table"}.get(header.kind, "")
    name = f"{header.table}: " if header.table else ""
    written = f"; written by croupier {header.engine}" if header.engine else ""
    what = f"{name}{tell(opened, book)}{kind}{written}"
    return Item(1, "opening", what, NOBODY, header.at, cited=cited(opened, book), event=opened)


def _told(step: Decided, book: Rulebook, cite: Cite) -> Iterator[Item]:
    """Everything that one line says, and then where the rules say otherwise."""
    line, number = step.line, number_of(step.line)
    if isinstance(line, Entry):
        yield from _of_entry(step, line, book, cite)
    else:
        yield Item(number, *_beside(line, book), line.by, line.at, round_of(step.before))
    for difference in step.differences:
        differs = _differs(number, difference, book, line.by)
        yield replace(differs, at=line.at, round=round_of(step.before) or round_of(step.after))


def _beside(line: Strike | Bring, book: Rulebook) -> tuple[Kind, str]:
    """What a line says that asks nothing of the table."""
    if isinstance(line, Bring):
        return "brings", f"{line.by.name} brings {money(line.brings, book)}"
    which = f"line {line.strike} is" if line.strike == line.n else f"lines {line.strike} to {line.n} are"
    return "strike", f"{which} struck by {line.by}: {line.why}"


def _of_entry(step: Decided, entry: Entry, book: Rulebook, cite: Cite) -> Iterator[Item]:
    number = number_of(entry)
    if step.refused is not None:
        what = f"{entry.by}: {book.why_refused(step.refused)}"
        yield Item(number, "refusal", what, entry.by, entry.at, round_of(step.before))
        return
    state = step.before
    for event in step.made:
        before, state = state, evolve(state, event)
        where = round_of(before) or round_of(state)
        yield Item(
            number,
            "event",
            tell(event, book),
            entry.by,
            entry.at,
            where,
            cite(event),
            event,
            _nets(before, event),
            _counts_for(event, where),
        )


def round_of(state: State) -> int:
    """The round that is on, from the opening of its bets to its end; 0 between rounds."""
    return state.round if standing(state) in ("betting", *IN_ROUND) else 0


def _nets(before: State, event: Event) -> Nets:
    """What an event moves from the float to players, and back."""
    nets: Nets = {}
    for move in moves(before, event):
        if FLOAT in (move.source, move.target):
            player = move.source.player or move.target.player
            nets[player] = nets.get(player, 0) + (move.amount if move.source == FLOAT else -move.amount)
    return nets


def _counts_for(event: Event, where: int) -> int:
    """The round whose sum an event changes: its own, or a finished one that it names."""
    return (event.round or where) if isinstance(event, LATER) else where


def _differs(number: int, difference: Difference, book: Rulebook, by: Actor) -> Item:
    return Item(number, "difference", differs(difference, book), by)


def differs(difference: Difference, book: Rulebook) -> str:
    """Where log and rules differ, in words: by how much, and under which clause."""
    recorded, now, says = difference.recorded, difference.now, f"line {difference.line} says"
    if recorded is None or now is None:
        return f"line {difference.line}: {difference.what}"
    if isinstance(recorded, ev.Settled) and isinstance(now, ev.Settled) and _only_net(recorded, now):
        sums = f"{says} {gain(recorded.net, book)}, the rules give {gain(now.net, book)}"
        return f"{sums} {cited(now, book)}"
    then, today = _safely(recorded, book), _safely(now, book)
    if then == today:
        return f"line {difference.line}: {difference.what}"
    return f"{says}: {then}; the rules give: {today} {cited(now, book)}".rstrip()


def _only_net(recorded: ev.Settled, now: ev.Settled) -> bool:
    return replace(recorded, net=now.net, basis=now.basis) == now


def _safely(event: Event, book: Rulebook) -> str:
    """An event as a forged line has it may be past telling."""
    try:
        return tell(event, book)
    except (LookupError, ValueError):
        return type(event).__name__


# Chapters and sums


def _chapters(items: list[Item], lasting: list[Item]) -> Iterator[Chapter]:
    counting: dict[int, list[Item]] = {}
    for item in lasting:
        counting.setdefault(item.counts_for, []).append(item)
    groups = [(number, tuple(group)) for number, group in groupby(items, key=lambda item: item.round)]
    last = {number: place for place, (number, _) in enumerate(groups)}
    seen: set[int] = set()
    for place, (number, group) in enumerate(groups):
        title = _title(number, seen, group[0])
        seen.add(number)
        if not number:
            own = (item for item in group if not item.struck and not item.counts_for)
            yield Chapter(title, 0, group, _sum(own))
        elif last[number] != place:
            yield Chapter(title, number, group)
        else:
            yield _round(title, number, group, counting.get(number, []))


def _title(number: int, seen: set[int], first: Item) -> str:
    if not number:
        return f"After round {max(seen)}" if max(seen, default=0) else "Before the first round"
    return f"Round {number}, from line {first.line} on" if number in seen else f"Round {number}"


def _round(title: str, number: int, group: tuple[Item, ...], counting: list[Item]) -> Chapter:
    """A round with its sum, `counting` being what counts for it; of one that was struck nothing does."""
    ended = _sum(item for item in counting if item.round == number)
    fates = [_fate(item) for item in counting if isinstance(item.event, LATER)]
    if not any(isinstance(item.event, ev.BettingOpened) for item in counting):
        fates = ["struck"]
    return Chapter(title, number, group, _sum(counting), ended, "; ".join(fates))


def _fate(item: Item) -> str:
    if isinstance(item.event, ev.RoundVoided):
        return f"void since line {item.line}"
    if isinstance(item.event, ev.RoundInvalidated):
        return f"invalidated by line {item.line}"
    player = item.event.player if isinstance(item.event, ev.WagerVoided) else ""
    return f"{player}'s wager void since line {item.line}"


def _sum(items: Iterable[Item]) -> Nets:
    nets: Nets = {}
    for item in items:
        for player, net in item.nets.items():
            nets[player] = nets.get(player, 0) + net
    return dict(sorted(nets.items()))


def restated(item: Item, book: Rulebook) -> Iterator[tuple[str, str, str]]:
    """Of a settlement the clauses in full: citation, what it says, how it is read."""
    if isinstance(item.event, ev.Settled):
        for clause in clauses_of(item.event, book):
            yield clause.citation, clause.says, clause.reading
