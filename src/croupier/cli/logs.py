"""`croupier replay` and `croupier case`: does a log hold, and one of its rounds as a case."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.markup import escape

from croupier.cli.options import Force, Json, whole
from croupier.cli.output import Console, print_json, write_file
from croupier.errors import DoesNotHold, ParseError, RulebookError
from croupier.house.rounds import case_of, to_toml
from croupier.money import dollars
from croupier.record import Log, Note, Replay, read_log
from croupier.record import replay as replay_log

LogPath = Annotated[Path, Parameter(help="A table's log, as `croupier play --log` writes it.")]
HASH = 64


def replay(
    log: LogPath,
    /,
    *,
    expect: Annotated[
        str, Parameter(help="The last hash as `play` or `deal` printed it; another one does not hold.")
    ] = "",
    json: Json = False,
) -> int:
    """Verify the chain and every decision of a log, and rebuild the table that it leaves.

    Exit status 0: the log holds; 1: it does not, or is cut off, or another hash is expected.
    """
    if expect and (len(expect) != HASH or set(expect) - set("0123456789abcdef")):
        raise ParseError(f"--expect {expect}: is no hash, which has {HASH} digits and letters a to f")
    try:
        done = replay_log(read_log(log))
    except DoesNotHold as error:
        if not json:
            raise
        print_json({"log": str(log), "holds": False, "problem": str(error)})
        return 1
    problem = _problem(done.log, expect)
    if json:
        print_json(_report(done, problem))
    else:
        _print(done, problem)
    return 1 if problem else 0


def _problem(log: Log, expect: str) -> str:
    """What is the matter with a log whose lines hold."""
    if log.cut_off:
        return f"{log.source}: is cut off: behind its last whole line are {len(log.torn)} bytes of another"
    if expect and expect != log.last_hash:
        return f"{log.source}: its last hash is {log.last_hash}, and {expect} is expected"
    return ""


def _report(done: Replay, problem: str) -> dict[str, Any]:
    log, state = done.log, done.state
    return {
        "log": log.source,
        "holds": not problem,
        "problem": problem,
        "rulebook": log.header.rulebook,
        "format": log.header.log,
        "engine": log.header.engine,
        "table": log.header.table,
        "house": log.header.opened.house,
        "kind": log.header.kind,
        "opened": log.header.at,
        "rules": log.header.fingerprint,
        "commands": done.commands,
        "events": done.events,
        "refusals": done.refusals,
        "struck": len(log.lines) - len(done.standing.lines),
        "rounds": state.round,
        "stage": state.stage,
        "cut_off": log.cut_off,
        "last_hash": log.last_hash,
        "net": {player: net / 100 for player, net in state.won.items()},
        "brought": {player: amount / 100 for player, amount in done.brought.items()},
        "float_change": state.float_change / 100,
        "notes": msgspec.to_builtins(done.notes),
    }


def _print(done: Replay, problem: str) -> None:
    log, state, console = done.log, done.state, Console()
    console.print(
        f"[green]The chain holds[/] over {len(log.lines) + 1} lines, and the rules bear out every one."
    )
    if problem:
        console.print(f"[red]{escape(problem)}[/]", soft_wrap=True)
    if log.unended:
        console.print("[yellow]The end of the last line is missing; the line itself is whole.[/]")
    console.print(f"[dim]last hash {log.last_hash}[/]")
    console.print(
        f"{escape(_title(log))}: {state.round} rounds, {done.events} events, {done.refusals} refusals."
    )
    if struck := len(log.lines) - len(done.standing.lines):
        console.print(f"{struck} lines are struck; `croupier explain` tells which and why.")
    for player, net in state.won.items():
        console.print(f"  {escape(player)}: {'+' if net > 0 else ''}{dollars(net)}")
    change = dollars(state.float_change)
    console.print(f"The table stands at the stage '{state.stage}'; its chips have changed by {change}.")
    for line in _noted(done.notes):
        console.print(f"[yellow]note:[/] {escape(line)}", soft_wrap=True)


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
