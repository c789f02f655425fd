"""`croupier replay`, `croupier explain` and `croupier case`: what a log has to say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.markup import escape
from rich.table import Table

from croupier.cli.options import Force, Json, whole
from croupier.cli.output import Console, print_json, write_file
from croupier.errors import ParseError, RulebookError
from croupier.house.rounds import case_of, rounds_of, to_toml
from croupier.money import dollars
from croupier.record import Log, Note, read_log
from croupier.record import replay as replay_log
from croupier.rulebook import Rulebook
from croupier.story import cited, clauses_of, money, tell
from croupier.table import events as ev
from croupier.table.events import Event

LogPath = Annotated[Path, Parameter(help="A table's log, as `croupier play --log` writes it.")]


def replay(log: LogPath, /, *, json: Json = False) -> int:
    """Verify the chain and every decision of a log, and rebuild the table that it leaves."""
    read = read_log(log)
    done = replay_log(read)
    state = done.state
    if json:
        report = {
            "log": str(log),
            "rulebook": read.header.rulebook,
            "format": read.header.log,
            "engine": read.header.engine,
            "rules": read.header.fingerprint,
            "commands": done.commands,
            "events": done.events,
            "refusals": done.refusals,
            "rounds": state.round,
            "stage": state.stage,
            "cut_off": read.cut_off,
            "last_hash": read.last_hash,
            "net": {player: net / 100 for player, net in state.won.items()},
            "float_change": state.float_change / 100,
            "notes": msgspec.to_builtins(done.notes),
        }
        print_json(report)
        return 0
    console = Console()
    console.print(
        f"[green]The chain holds[/] over {done.commands + 1} lines, and the rules bear out every one."
    )
    if read.cut_off:
        console.print("[yellow]The last line was cut off in the middle; it is not part of the log.[/]")
    console.print(f"[dim]last hash {read.last_hash}[/]")
    console.print(
        f"{escape(_title(read))}: {state.round} rounds, {done.events} events, {done.refusals} refusals."
    )
    for player, net in state.won.items():
        console.print(f"  {escape(player)}: {'+' if net > 0 else ''}{dollars(net)}")
    change = dollars(state.float_change)
    console.print(f"The table stands at the stage '{state.stage}'; its chips have changed by {change}.")
    for line in _noted(done.notes):
        console.print(f"[yellow]note:[/] {escape(line)}", soft_wrap=True)
    return 0


def _noted(notes: tuple[Note, ...]) -> list[str]:
    """The notes in words; what is noted many times is said once."""
    times = Counter(note.what for note in notes)
    first = {note.what: note for note in reversed(notes)}
    more = {what: f" (and {count - 1} more times)" if count > 1 else "" for what, count in times.items()}
    return [f"{first[what]}{more[what]}" for what in times]


def _title(log: Log) -> str:
    """The rulebook's title, or its name where it cannot be read any more: a log stands without it."""
    try:
        return log.book.title
    except RulebookError:
        return log.header.rulebook


def explain(
    log: LogPath,
    /,
    *,
    round: Annotated[int | None, Parameter(converter=whole, help="Only this round.")] = None,
) -> int:
    """Tell the rounds of a log in plain words, each payment with its clause and what the clause says."""
    read = read_log(log)
    replay_log(read)
    rounds = rounds_of(read)
    if round is not None and round not in rounds:
        raise ParseError(f"{log}: has no round {round}; it has {_span(list(rounds))}")
    console = Console()
    for number in rounds if round is None else [round]:
        console.rule(f"Round {number}", align="left")
        for event in rounds[number]:
            _explain(console, event, read.book)
        _sum(console, rounds[number], read.book)
    return 0


def _span(numbers: list[int]) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if numbers else "none"


def _explain(console: Console, event: Event, book: Rulebook) -> None:
    if isinstance(event, ev.BettingOpened | ev.RoundEnded):
        return
    console.print(f"{escape(tell(event, book))}  [dim]{escape(cited(event, book))}[/]")
    if isinstance(event, ev.Settled):
        for clause in clauses_of(event, book):
            console.print(f"    [cyan]{escape(clause.citation)}[/]  {escape(clause.says)}", soft_wrap=True)
            if clause.reading:
                console.print(f"        [dim]read: {escape(clause.reading)}[/]", soft_wrap=True)


def _sum(console: Console, events: list[Event], book: Rulebook) -> None:
    nets: dict[str, int] = {}
    for event in events:
        if isinstance(event, ev.Settled):
            nets[event.player] = nets.get(event.player, 0) + event.net
    table = Table("player", "result", box=None, header_style="dim")
    for player, net in nets.items():
        table.add_row(escape(player), money(net, book))
    console.print(table)


def case(
    log: LogPath,
    /,
    *,
    round: Annotated[
        int | None, Parameter(converter=whole, help="Which round (default: the last complete one).")
    ] = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], help="Write to this file.")] = None,
    force: Force = False,
) -> int:
    """Write a round of a log out as a case, which `croupier check` runs."""
    read = read_log(log)
    replay_log(read)
    text = to_toml(case_of(read, round))
    if output is None:
        print(text, end="")
        return 0
    write_file(output, text, force=force)
    return 0
