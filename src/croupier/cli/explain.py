"""`croupier explain`: what happened at a table, in plain words and with clauses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from msgspec.structs import replace
from rich.markup import escape
from rich.text import Text

from croupier.cli.logs import LogPath
from croupier.cli.options import Force, whole
from croupier.cli.output import Console, pages, print_json, write_file
from croupier.errors import ParseError
from croupier.record import read_log
from croupier.report.timeline import Chapter, Item, Nets, Timeline, restated, timeline
from croupier.story import gain

STYLES = {"difference": "bold red", "refusal": "yellow", "strike": "bold"}


def explain(
    log: LogPath,
    /,
    *,
    round: Annotated[int | None, Parameter(converter=whole, help="Only this round.")] = None,
    refusals: Annotated[bool, Parameter(help="With what was refused, and why.", negative="")] = False,
    json: Annotated[
        bool,
        Parameter(
            name="--json",
            help="Print one JSON object a line: what is told, then the sum of each round, then the total.",
            negative="",
            show_default=False,
        ),
    ] = False,
    html: Annotated[Path | None, Parameter(help="Write one page of HTML to this file.")] = None,
    force: Force = False,
) -> int:
    """Tell all that a log holds in plain words, by round and between rounds, each payment with its clause.

    Struck lines are told and marked. Where the log and the rules differ it says at which line, and by how
    much: the exit status is 1 then, and 1 for a log that does not hold.
    """
    told = _chosen(timeline(read_log(log)), round, refusals=refusals)
    if html is not None:
        from croupier.report.evening import render

        write_file(html, render(told), force=force)
        print(f"What {log} says is in {html}.")
    elif json:
        for found in _objects(told):
            print_json(found)
    else:
        with pages() as console:
            _print(console, told)
    return 1 if told.differences or told.log.cut_off else 0


def _chosen(told: Timeline, number: int | None, *, refusals: bool) -> Timeline:
    """What is asked for: one round or all, with refusals or without."""
    rounds = [chapter.round for chapter in told.chapters if chapter.round]
    if number is not None and number not in rounds:
        span = f"{min(rounds)} to {max(rounds)}" if rounds else "none"
        raise ParseError(f"{told.log.source}: has no round {number}; it has {span}")
    chapters = (chapter for chapter in told.chapters if number in (None, chapter.round))
    kept = [
        replace(chapter, items=tuple(item for item in chapter.items if refusals or item.kind != "refusal"))
        for chapter in chapters
    ]
    return replace(told, chapters=tuple(chapter for chapter in kept if chapter.items))


# As text


def _print(console: Console, told: Timeline) -> None:
    for chapter in told.chapters:
        console.rule(escape(_heading(chapter)), align="left")
        line = 0
        for item in chapter.shown:
            _print_item(console, told, item, first=item.line != line)
            line = item.line
        for words in sums(told, chapter):
            console.print_hanging(Text(), Text(words, "bold"))
    console.rule("All in all", align="left")
    for words in all_in_all(told):
        console.print_hanging(Text(), Text(words))


def _heading(chapter: Chapter) -> str:
    return f"{chapter.title} ({chapter.fate})" if chapter.fate else chapter.title


def _print_item(console: Console, told: Timeline, item: Item, *, first: bool) -> None:
    where = f"{item.line:>5} {item.at[11:19]:<8}" if first else " " * 14
    style = STYLES.get(item.kind, "")
    style = f"{style} strike dim".strip() if item.struck else style
    body = Text.assemble((words(item, first=first), style), "  ", (item.cited, "dim"))
    console.print_hanging(Text(f"{where}  ", "dim"), body)
    if item.struck:
        return
    for citation, says, reading in restated(item, told.book):
        console.print_hanging(Text(" " * 18), Text.assemble((citation, "cyan"), f"  {says}"))
        if reading:
            console.print_hanging(Text(" " * 22), Text(f"read: {reading}", "dim"))


def words(item: Item, *, first: bool) -> str:
    """What is told, at the first of a line by whom if an office has a name, and whether it was struck."""
    by = f" ({item.done_by})" if first and item.done_by else ""
    return f"{'struck: ' if item.struck else ''}{item.what}{by}"


def sums(told: Timeline, chapter: Chapter) -> Iterator[str]:
    """The sum of a chapter; of a round that was changed later, what it was and what it is."""
    if chapter.round and chapter.ended != chapter.nets:
        yield f"Sum when the round ended: {_nets(told, chapter.ended)}"
        yield f"Sum now, {chapter.fate}: {_nets(told, chapter.nets)}"
    elif chapter.nets:
        yield f"Sum: {_nets(told, chapter.nets)}"


def _nets(told: Timeline, nets: Nets) -> str:
    return ", ".join(f"{player} {gain(net, told.book)}" for player, net in nets.items()) or "nothing"


def all_in_all(told: Timeline) -> Iterator[str]:
    """The sums of the evening, and what is the matter with the log."""
    yield f"Won and lost: {_nets(told, told.nets)}"
    yield f"The table: {gain(-sum(told.nets.values()), told.book)}"
    if told.log.cut_off:
        yield f"{told.log.source}: is cut off in its last line, of which {len(told.log.torn)} bytes are left"
    if told.differences:
        yield f"Log and rules differ in {len(told.differences)} place(s), each told at its line."
    yield f"last hash {told.log.last_hash}"


# As JSON


def _objects(told: Timeline) -> Iterator[dict[str, Any]]:
    for chapter in told.chapters:
        for item in chapter.items:
            yield _object(item, told)
        if chapter.nets or chapter.ended:
            sum_ = {"kind": "sum", "round": chapter.round, "fate": chapter.fate}
            yield sum_ | {"net": _plain(chapter.nets), "ended": _plain(chapter.ended)}
    yield {
        "kind": "total",
        "net": _plain(told.nets),
        "brought": _plain(told.brought),
        "differences": len(told.differences),
        "cut_off": told.log.cut_off,
        "last_hash": told.log.last_hash,
    }


def _object(item: Item, told: Timeline) -> dict[str, Any]:
    clauses = told.book.cite(*item.event.basis) if item.event is not None else ()
    return {
        "line": item.line,
        "at": item.at,
        "by": item.by.name,
        "role": item.by.role,
        "kind": item.kind,
        "round": item.round,
        "what": item.what,
        "event": type(item.event).__name__ if item.event is not None else "",
        "clauses": [told.book.short(clause) for clause in clauses],
        "net": _plain(item.nets),
        "struck": item.struck,
    }


def _plain(nets: Nets) -> dict[str, float]:
    return {player: net / 100 for player, net in nets.items()}
