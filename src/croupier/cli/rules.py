"""`croupier rules`: rulebooks listed, shown and compared, and what they leave to the house."""

from __future__ import annotations

import datetime
import difflib
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import Annotated, Any

import msgspec
from cyclopts import App, Parameter
from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from croupier.cli.options import BookName, HouseFile, Json, On
from croupier.cli.output import Console, pages, print_json
from croupier.errors import ParseError, RulebookError
from croupier.house.settings import settings_of
from croupier.money import dollars
from croupier.rulebook import NAMES, Clause, Rulebook, Rules, load
from croupier.rulebook.book import HOUSE_RULE, encode_special, flatten
from croupier.rulebook.compare import (
    Comparison,
    Difference,
    Duty,
    Wording,
)
from croupier.rulebook.compare import compare as compare_books
from croupier.rulebook.house import House
from croupier.rulebook.load import short_names
from croupier.rulebook.permitted import permitted, setting
from croupier.rulebook.provision import settings_in
from croupier.rulebook.study import studied, writable
from croupier.rulebook.text import plain_number
from croupier.rulebook.toml import written
from croupier.rulebook.words import cited, ground_words, name_of, words
from croupier.story import restated

app = App(
    name="rules",
    help="List, show and compare rulebooks; coverage of their clauses. Without a command: list them.",
)

app.command(
    "croupier.cli.about:about",
    name="about",
    help="Say in a few lines what a game is, for somebody who has never played it.",
)
app.command(
    "croupier.cli.houses:house",
    name="house",
    help="Write a house's file to fill in: every setting, what the law permits, and the clause.",
)
app.command(
    "croupier.cli.coverage:coverage",
    name="coverage",
    help="Run the clause tests; show for each clause the code that obeys it and the tests that hold it.\n\n"
    "Exit status 1 if a clause that needs a test has none that passes, or a test fails.",
)


def _print_json(shown: Any) -> int:
    plain = msgspec.to_builtins(shown, enc_hook=encode_special, order="deterministic")
    print_json(plain)
    return 0


# List


@app.default
@app.command(name="list")
def list_(*, json: Json = False) -> int:
    """List the rulebooks: id and short names, title, instruments with their dates, number of clauses."""
    books = [load(name) for name in NAMES]
    if json:
        return _print_json({"rulebooks": [_book_as_data(book) for book in books]})
    table = Table("rulebook", "title and instruments", box=SIMPLE_HEAD, header_style="dim")
    table.add_column("clauses", justify="right")
    for book in books:
        made = [f"[dim]{escape(i.title)}, {escape(i.id)}, {escape(i.day)}[/]" for i in book.instruments]
        made.append(f"[dim]known {escape(book.span)}[/]")
        own = len(_own(book))
        more = f"\n[dim]{len(book.clauses)} in force[/]" if own != len(book.clauses) else ""
        short = f"\n[dim]or {', '.join(short_names(book.id))}[/]"
        table.add_row(f"[cyan]{book.id}[/]{short}", "\n".join([escape(book.title), *made]), f"{own}{more}")
    Console().print(table)
    return 0


def _own(book: Rulebook) -> list[Clause]:
    return [clause for clause in book.clauses if clause.document == book.id]


def _book_as_data(book: Rulebook) -> dict[str, Any]:
    return {
        "rulebook": book.id,
        "short_names": short_names(book.id),
        "title": book.title,
        "instruments": [
            {"id": made.id, "title": made.title, "made": made.day, "revokes": made.revokes}
            for made in book.instruments
        ],
        "until": book.until,
        "clauses": len(_own(book)),
        "in_force": len(book.clauses),
    }


# Show

KINDS = {
    "card": "cards",
    "limit": "limits",
    "wager": "wagers",
    "shuffle": "shuffle and cut",
    "deal": "the deal",
    "decision": "decisions",
    "split": "splits",
    "double": "doubling",
    "dealer": "the dealer's hand",
    "bonus": "bonuses",
    "irregularity": "irregularities",
    "sidebet": "a side bet",
    "device": "equipment",
}


@app.command
def show(
    rulebook: BookName,
    /,
    *clause: Annotated[str, Parameter(help="A clause, as 13.1, 7(5)(a) or Dict:Split; a chapter, as 13.")],
    on: On = None,
    json: Json = False,
) -> int:
    """Show the text in force by chapter; or a clause: whom it binds, how it is obeyed, what it sets."""
    book = load(rulebook, on)
    asked = " ".join(clause)
    found, parts = _find(book, asked) if asked else ([], list(book.clauses))
    if json:
        return _print_json(_shown_as_data(book, found, parts, asked))
    with pages() as console:
        if not asked:
            day = f" on {on}" if on else ""
            console.print(f"[bold]{escape(book.title)}[/]{day}: {len(parts)} clauses in force\n")
        for one in found:
            _show_clause(console, book, one)
        if asked and found and parts:
            console.print("[bold]Its parts[/]")
            console.print(_clause_table(book, parts))
        elif parts:
            _show_chapters(console, book, parts)
    return 0


def _shown_as_data(book: Rulebook, found: list[Clause], parts: list[Clause], asked: str) -> dict[str, Any]:
    head = {"rulebook": book.id, "title": book.title}
    if not asked or not found:
        return head | {"clauses": [_clause_as_data(clause) for clause in parts]}
    return head | {
        "clauses": [_clause_as_data(clause) for clause in found],
        "parts": [_clause_as_data(clause) for clause in parts],
    }


def _clause_as_data(clause: Clause) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(clause, enc_hook=encode_special)
    return {"citation": clause.citation} | data | {"sets": flatten(clause.sets)}


def _find(book: Rulebook, asked: str) -> tuple[list[Clause], list[Clause]]:
    """The clauses called so and their parts. An amended text may have two: its own comes first."""
    wanted = plain_number(asked).casefold()
    found = [
        clause
        for clause in reversed(book.clauses)
        if wanted in {name.casefold() for name in (clause.number, clause.citation, *clause.also)}
    ]
    found.sort(key=lambda clause: clause.document != book.id)
    if found:
        parts = [part for part in book.clauses if any(_is_part(part, whole) for whole in found)]
        return found, parts
    parts = [clause for clause in book.clauses if clause.is_named(asked) or _is_in_chapter(clause, asked)]
    if parts:
        return [], parts
    raise RulebookError(f"{book.id} has no clause {asked!r}; {_near(book, asked)}")


def _is_in_chapter(clause: Clause, asked: str) -> bool:
    return _chapter(clause) == clause.bare(asked).casefold()


def _is_part(clause: Clause, whole: Clause) -> bool:
    return clause != whole and clause.document == whole.document and clause.is_named(whole.number)


def _near(book: Rulebook, asked: str) -> str:
    """Clauses that may have been meant, of the same chapter where there is one."""
    wanted = plain_number(asked).casefold()
    chapter = [clause for clause in book.clauses if _chapter(clause) == _leading_digits(wanted)]
    names = {clause.number.casefold(): book.short(clause) for clause in chapter or book.clauses}
    close = difflib.get_close_matches(wanted, names, n=4, cutoff=0.3 if chapter else 0.6)
    if not close:
        return f"`croupier rules show {book.id}` lists them"
    return f"near it: {', '.join(names[name] for name in close)}"


def _chapter(clause: Clause) -> str:
    head = clause.number.partition(":")[0]
    if head in ("Dict", "Instrument"):
        return head.casefold()
    return _leading_digits(clause.number)


def _leading_digits(number: str) -> str:
    return number[: len(number) - len(number.lstrip("0123456789"))]


def _show_chapters(console: Console, book: Rulebook, clauses: Iterable[Clause]) -> None:
    for (document, chapter), members in groupby(clauses, lambda clause: (clause.document, _chapter(clause))):
        chapter_clauses = list(members)
        origin = f"  [dim]{document}[/]" if book.names_documents else ""
        console.print(f"[bold]{escape(_heading(chapter, chapter_clauses))}[/]{origin}")
        console.print(_clause_table(book, chapter_clauses))


def _heading(chapter: str, clauses: list[Clause]) -> str:
    """A chapter's number and what most of it is about; the documents' own headings are not restated."""
    if not chapter.isdigit():
        return {"dict": "Dictionary", "instrument": "Instrument"}.get(chapter, chapter)
    kind, times = Counter(clause.kind for clause in clauses).most_common(1)[0]
    about = KINDS.get(kind, kind) if 2 * times >= len(clauses) else ""
    return f"{chapter}  {about}".strip()


def _clause_table(book: Rulebook, clauses: Iterable[Clause]) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    table.add_column(width=19, style="cyan", overflow="fold")
    table.add_column(ratio=1)
    table.add_column(style="dim", no_wrap=True)
    for clause in clauses:
        table.add_row(escape(book.short(clause)), escape(restated(clause)), clause.obeyed)
    table.add_row()
    return table


def _show_clause(console: Console, book: Rulebook, clause: Clause) -> None:
    console.print(f"[bold cyan]{escape(clause.citation)}[/]")
    console.print(f"{escape(clause.says)}\n")
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(ratio=1)
    for name, text in _facts(book, clause):
        table.add_row(name, text)
    table.add_row()
    console.print(table)


def _facts(book: Rulebook, clause: Clause) -> Iterator[tuple[str, str]]:
    """What there is to know of a clause, line by line, in markup."""
    yield "binds", clause.binds
    yield "obeyed", clause.obeyed
    if clause.reading:
        yield "read as", escape(clause.reading)
    if clause.deletes:
        yield "deletes", escape(", ".join(clause.deletes))
    for path, value in flatten(clause.sets).items():
        yield "sets", f"{escape(f'{path} = {_toml(value)}')}\n[dim]{escape(_said(book.rules, path))}[/]"
    for ground in clause.grounds:
        yield "grounds", f"{escape(ground)}\n[dim]{escape(ground_words(ground))}[/]"
    for name, others in clause.options.items():
        listed = ", ".join(map(_toml, others))
        yield "leaves", escape(f"{name} to the house: {_toml(getattr(book.rules, name))}, or {listed}")
    yield "instrument", escape(_instrument(book, clause))


def _toml(value: Any) -> str:
    """A value as a rulebook file writes it."""
    if value is None:
        return "no limit"
    return str(value) if isinstance(value, Fraction) else written(value)


def _said(rules: Rules, path: str) -> str:
    """A provision with its value in words."""
    value: Any = rules
    for part in path.split("."):
        value = value[part] if isinstance(value, dict) else getattr(value, part)
    return f"{name_of(path)}: {words(path, value)}"


def _instrument(book: Rulebook, clause: Clause) -> str:
    # What a file of one's own was based on is known by its name only if it came with Croupier.
    inherited = load(clause.document).instruments if clause.document in NAMES else ()
    for made in (*book.instruments, *inherited):
        if made.id == clause.instrument:
            return f"{made.title}, {made.id}, {made.day}"
    return clause.instrument


# Options


@app.command
def options(rulebook: BookName = "", /, *, house: HouseFile = None, json: Json = False) -> int:
    """What is left to the house, its settings and readings; and what may be set for study beside that."""
    if house is not None and not rulebook:
        raise ParseError("--house shows the choices of one house: name its rulebook as well")
    books = [load(name) for name in ([rulebook] if rulebook else NAMES)]
    chosen = [(book, book.rules_for(settings_of(book, house))) for book in books]
    if json:
        return _print_json({"rulebooks": [_options_as_data(book, rules) for book, rules in chosen]})
    with pages() as console:
        for book, rules in chosen:
            console.print(f"[bold]{escape(book.title)}[/]  [dim]{escape(book.id)}[/]")
            console.print(_settings_table(book, rules))
            if book.options():
                console.print(_readings_table(book, rules))
            console.print("For study alone, as `croupier solve --set`, outside the law where it says so")
            console.print(_study_table(book))
    return 0


def _setting_words(book: Rulebook, house: House, name: str) -> str:
    value = setting(house, name)
    known = settings_in(House).get(name)
    if known and known.is_amount:
        return f"{book.words.currency}{dollars(getattr(house, name))}" if value else "none"
    if isinstance(value, bool):
        return "yes" if value else "no" if known else "off"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    if isinstance(value, dict):
        shown = ", ".join(f"{part} {amount:g}" for part, amount in value.items() if amount)
        return shown or ("none" if known else "on")
    return str(value or "none")


def _settings_table(book: Rulebook, rules: Rules) -> Table:
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False)
    table.add_column("setting", style="cyan", no_wrap=True)
    table.add_column("house")
    table.add_column("permitted")
    table.add_column("clause", no_wrap=True)
    for name, (allowed, provision) in permitted(book.rules).items():
        clauses = escape(cited(book.cite(provision), inside=book, glue="\n")) or f"[dim]{HOUSE_RULE}[/]"
        table.add_row(name, escape(_setting_words(book, rules.house, name)), escape(allowed), clauses)
    return table


def _readings_table(book: Rulebook, rules: Rules) -> Table:
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False)
    for head in ("reading", "choices, the house's first"):
        table.add_column(head, no_wrap=True)
    table.add_column("that is", ratio=1)
    for name, clause, offered in book.readings(rules):
        behind = escape(cited((clause,), inside=book)) if clause else "not in the text"
        heads = [f"[cyan]{name}[/]", f"[dim]{behind}[/]", *[""] * len(offered)]
        for head, choice in zip(heads, offered, strict=False):
            table.add_row(head, escape(_toml(choice)), escape(words(name, choice)))
    return table


def _study_table(book: Rulebook) -> Table:
    table = Table(box=SIMPLE_HEAD, header_style="dim", pad_edge=False)
    table.add_column("provision", style="cyan", no_wrap=True)
    table.add_column("choices, and what the rules have", ratio=1)
    for name in studied():
        behind = escape(cited(book.cite(name)[:1], inside=book)) or "not in the text"
        said = escape(words(name, getattr(book.rules, name)))
        table.add_row(name, f"{escape(writable(name))}\n[dim]{said} \\[{behind}][/]")
    return table


def _options_as_data(book: Rulebook, rules: Rules) -> dict[str, Any]:
    return {
        "rulebook": book.id,
        "settings": [
            {
                "name": name,
                "value": setting(rules.house, name),
                "permitted": allowed,
                "clauses": book.citations(provision),
            }
            for name, (allowed, provision) in permitted(book.rules).items()
        ],
        "options": [
            {
                "name": name,
                "value": offered[0],
                "alternatives": offered[1:],
                "clause": clause.citation if clause else None,
            }
            for name, clause, offered in book.readings(rules)
        ],
        "study": [
            {
                "name": name,
                "value": getattr(book.rules, name),
                "choices": writable(name),
                "clauses": book.citations(name),
            }
            for name in studied()
        ],
    }


# Diff


@app.command
def diff(
    first: BookName,
    second: Annotated[
        str, Parameter(help="The rulebook to compare with; none for two days of one.", show_default=False)
    ] = "",
    /,
    *,
    on: Annotated[
        list[datetime.date] | None,
        Parameter(name="--on", negative="", help="The text in force on a day; two days for one rulebook."),
    ] = None,
    json: Json = False,
) -> int:
    """Say in words how two rulebooks differ, or one rulebook on two days, clause beside clause."""
    books, names = _pair(first, second, on or [])
    found = compare_books(*books)
    if json:
        return _print_json(_comparison_as_data(found, names))
    with pages() as console:
        if found.differences:
            _show_differences(console, found, names)
        else:
            console.print(f"{names[0]} and {names[1]} set the same provisions.")
        _show_duties(console, f"Duties only in {names[0]}", found.only_first)
        _show_duties(console, f"Duties only in {names[1]}", found.only_second)
        for heading, clauses in (("Clauses deleted", found.deleted), ("Clauses inserted", found.inserted)):
            if clauses:
                console.print(f"[bold]{heading}[/]")
                _show_chapters(console, books[0], clauses)
    return 0


def _pair(first: str, second: str, on: list[datetime.date]) -> tuple[list[Rulebook], list[str]]:
    """The two texts to compare, and what to call them."""
    if second and len(on) <= 1:
        day = on[0] if on else None
        return [load(first, day), load(second, day)], [first, second]
    if not second and len(on) == 2:
        return [load(first, day) for day in on], [f"{first} on {day}" for day in on]
    raise ParseError(
        "diff takes two rulebooks, on one day at most, or one rulebook and two days: "
        "`croupier rules diff A B` or `croupier rules diff A --on 2020-03-01 --on 2024-07-01`"
    )


def _show_differences(console: Console, found: Comparison, names: list[str]) -> None:
    head = _three_columns()
    head.add_row("", *(f"[bold cyan]{escape(name)}[/]" for name in names))
    console.print(head)
    for section, members in groupby(found.differences, lambda one: one.section):
        console.print(f"\n[bold]{escape(section)}[/]")
        table = _three_columns()
        for one in members:
            table.add_row(escape(one.name), _said_with_clause(one.first), _said_with_clause(one.second))
        console.print(table)
    console.print()


def _three_columns() -> Table:
    """Columns of the same widths in every section."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    for share in (5, 7, 7):
        table.add_column(ratio=share)
    return table


def _said_with_clause(wording: Wording) -> str:
    clauses = cited(wording.clauses) or "no clause"
    return f"{escape(wording.words)}\n[dim]\\[{escape(clauses)}][/]"


def _show_duties(console: Console, heading: str, duties: tuple[Duty, ...]) -> None:
    if not duties:
        return
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(ratio=3)
    table.add_column(ratio=2, style="dim")
    for duty in duties:
        table.add_row(escape(duty.words), escape(cited(duty.clauses)))
    table.add_row()
    console.print(f"[bold]{escape(heading)}[/]")
    console.print(table)


def _comparison_as_data(found: Comparison, names: list[str]) -> dict[str, Any]:
    return {
        "first": names[0],
        "second": names[1],
        "differences": [_difference_as_data(one) for one in found.differences],
        "only_first": [_duty_as_data(duty) for duty in found.only_first],
        "only_second": [_duty_as_data(duty) for duty in found.only_second],
        "deleted": [clause.citation for clause in found.deleted],
        "inserted": [clause.citation for clause in found.inserted],
    }


def _difference_as_data(one: Difference) -> dict[str, Any]:
    sides = {
        name: {
            "says": wording.words,
            "value": wording.value,
            "clauses": [clause.citation for clause in wording.clauses],
        }
        for name, wording in (("first", one.first), ("second", one.second))
    }
    return {"section": one.section, "provision": one.provision, "name": one.name} | sides


def _duty_as_data(duty: Duty) -> dict[str, Any]:
    return {
        "ground": duty.ground,
        "says": duty.words,
        "clauses": [clause.citation for clause in duty.clauses],
    }
