"""`croupier count`: a count of its own for any game, what shipped counts are worth there, and indices."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.markup import escape
from rich.table import Table

import croupier
from croupier.cli.options import DEFAULT, Book, Force, Json, PostSplit, StudySettings, whole
from croupier.cli.output import Console, print_json, remark, require_place, write_file
from croupier.cli.solving import INFINITE, announce, parse_decks, parse_post_split, solving_progress
from croupier.errors import ParseError
from croupier.report.text import DIGITS, NAMES, row_name
from croupier.rulebook import load
from croupier.rulebook.plain import rules_hash
from croupier.rulebook.study import Study, study

if TYPE_CHECKING:
    from croupier.exact.removal import Effects, Removal
    from croupier.simulate.counting import System
    from croupier.simulate.derive import Derived, Index, Rating

DEFAULT_LEVEL = 2
VALUES = "A23456789T"
LEVELS = (1, 2, 3)  # whose best tags are rated beside the systems that come with Croupier


def count(
    rulebook: Book = DEFAULT,
    /,
    *,
    decks: Annotated[
        str, Parameter(help="Decks in the shoe (default: those of the house).", show_default=False)
    ] = "",
    settings: StudySettings = (),
    level: Annotated[
        int | None,
        Parameter(
            converter=whole, help="The most that a card counts, either way (default: 2).", show_default=False
        ),
    ] = None,
    unbalanced: Annotated[
        bool,
        Parameter(
            negative="",
            show_default=False,
            help="A running count, which is not divided: a whole pack counts more than 0.",
        ),
    ] = False,
    system: Annotated[
        str,
        Parameter(
            name="--count",
            help="Take this system's tags: hi-lo, ko, zen, omega-ii, pontoon, or those of a .toml file.",
            show_default=False,
        ),
    ] = "",
    indices: Annotated[int, Parameter(converter=whole, help="So many indices, those that bring most.")] = 18,
    penetration: Annotated[
        float, Parameter(help="The share of the shoe that is dealt, for indices and what they bring.")
    ] = 0.75,
    post_split: PostSplit = "cdz",
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            help="Write the system to this file, which `croupier simulate --count` reads.",
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Derive a count from a game's effects of removal: tags, indices, and how well it tells bets and plays.

    Betting correlation is with what a round brings, insurance correlation with what insurance does; playing
    efficiency is the share of what perfect knowledge of the cards gone would gain by play.
    """
    if system and (level is not None or unbalanced):
        raise ParseError("--count names a system that has its tags: leave out --level and --unbalanced")
    if not 0 < penetration < 1:
        raise ParseError(f"--penetration {penetration}: a share of the shoe between 0 and 1, as 0.75")
    if not 0 <= indices <= 1000:
        raise ParseError(f"--indices {indices}: from 0 to 1000")
    if output is not None and output.suffix != ".toml":
        raise ParseError(f"{output}: a system's file ends in .toml")
    if output is not None:
        require_place(output, force=force)
    announce()
    from croupier.exact import solve
    from croupier.exact.removal import removal
    from croupier.simulate.counting import count_for, read_count
    from croupier.simulate.derive import check_level, derived, written

    check_level(level)
    if decks == INFINITE:
        raise ParseError("--decks inf: nothing is gone from packs without end, and nothing to count")
    after_split = parse_post_split(post_split)
    if after_split == "cdp":
        raise ParseError("--post-split cdp: what is played by a count does not hang on the cards gone")
    studied = study(load(rulebook), settings, parse_decks(decks) if decks else None)
    given = read_count(system) if system else None
    if given:
        count_for(given, studied.rules)
    with solving_progress(quiet=json) as told:
        found = removal(solve(studied.rules, post_split=after_split), told)
        chosen = given or _new(found, level, balanced=not unbalanced)
        made = derived(found, chosen, penetration, indices, told)
    ratings = _ratings(found, penetration)
    if json:
        print_json(as_data(studied, found, ratings, made))
    else:
        _show(Console(), studied, found, ratings, made)
    if output is not None:  # last, for a disk that is full takes nothing of what was found
        write_file(output, written(made.system), force=force)
        remark(f"The system is in {output}.")
    return 0


def _new(found: Removal, level: int | None, *, balanced: bool) -> System:
    """The best tags of a level, as a system."""
    from croupier.simulate.derive import best_tags, system_of

    level = DEFAULT_LEVEL if level is None else level
    rules = found.solution.rules
    kind = "" if balanced else ", unbalanced"
    return system_of(rules, best_tags(found.round, level, balanced=balanced), f"level {level}{kind}")


def _ratings(found: Removal, penetration: float) -> list[tuple[System, Rating]]:
    """The systems that come with Croupier and the best of each level; one that lacks a rank is left out."""
    from croupier.simulate.counting import SHIPPED, read_count
    from croupier.simulate.derive import rated

    ranks = set(found.solution.rules.ranks)
    shipped = [one for one in map(read_count, SHIPPED) if ranks <= {key[0] for key in one.tags}]
    new = [_new(found, level, balanced=balanced) for balanced in (True, False) for level in LEVELS]
    return [(one, rated(found, one, penetration)) for one in (*shipped, *new)]


# For programs


def as_data(
    studied: Study, found: Removal, ratings: list[tuple[System, Rating]], made: Derived
) -> dict[str, Any]:
    return {
        "rulebook": studied.book.id,
        "decks": studied.rules.house.decks,
        "effects": _effects_as_data(found.round),
        "insurance_effects": {upcard: _effects_as_data(one) for upcard, one in found.insurance.items()},
        "suits_share": found.suits,
        "most_betting": math.sqrt(1 - found.suits),
        "system": msgspec.to_builtins(made.system),
        "rating": msgspec.to_builtins(made.rating),
        "decks_left": made.packs,
        "indices": [msgspec.to_builtins(index) for index in made.indices],
        "ratings": [
            msgspec.to_builtins(rating) | {"tags": msgspec.to_builtins(one.tags)} for one, rating in ratings
        ],
        "rules_hash": rules_hash(studied.rules),
        "version": croupier.__version__,
        "outside_the_law": [str(departure) for departure in studied.departures],
    }


def _effects_as_data(effects: Effects) -> dict[str, Any]:
    """By value, of those that the packs have."""
    by_value = zip(VALUES, effects.by_value.tolist(), effects.pack.tolist(), strict=True)
    return {
        "worth": round(effects.worth, DIGITS),
        "by_value": {value: round(effect, DIGITS) for value, effect, cards in by_value if cards},
    }


# For people


def _show(
    console: Console, studied: Study, found: Removal, ratings: list[tuple[System, Rating]], made: Derived
) -> None:
    decks = studied.rules.house.decks
    console.print(f"[bold]{escape(studied.book.title)}[/], {decks} deck{'s' if decks > 1 else ''}")
    for departure in studied.departures:
        console.print(f"[yellow]outside the law:[/] {escape(str(departure))}")
    for table in (_effects_table(found), _tags_table(found, ratings, made)):
        console.print()
        console.print(table)
    console.print(_suits(found))
    if not made.system.true_count:
        console.print(_start(made.system))
    if made.indices:
        console.print()
        console.print(_indices_table(made))
        console.print(
            f"[dim]the count of all cards seen, {_divided(made.system)}; exact with {made.packs:.1f} decks "
            "left; gain in percent of a wager a round[/]"
        )


def _table() -> Table:
    return Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1, 0, 0))


def _effects_table(found: Removal) -> Table:
    table = _table()
    table.add_column("one gone", no_wrap=True)
    values = [value for value in range(10) if found.round.pack[value]]
    for value in values:
        table.add_column(VALUES[value], justify="right", no_wrap=True)
    table.add_row("% change", *(f"{100 * found.round.by_value[value]:+.3f}" for value in values))
    return table


def _tags_table(found: Removal, ratings: list[tuple[System, Rating]], made: Derived) -> Table:
    """What each value counts in every system, and how well that does."""
    table = _table()
    table.add_column("", no_wrap=True)
    values = [value for value in range(10) if found.round.pack[value]]
    for value in values:
        table.add_column(VALUES[value], justify="right", min_width=2, no_wrap=True)
    insured = ["insurance", *(f"against {upcard}" for upcard in list(found.insurance)[1:])]
    for heading in ("betting", *insured[: len(found.insurance)], "playing"):
        table.add_column(heading, justify="right", no_wrap=True)
    for system, rating in ratings:
        table.add_row(escape(system.name), *_rating_row(found, system, rating, values))
    table.add_section()
    row = _rating_row(found, made.system, made.rating, values)
    table.add_row(escape(made.system.name), *row, style="bold")
    return table


def _rating_row(found: Removal, system: System, rating: Rating, values: list[int]) -> list[str]:
    from croupier.exact.asked import rank_of_value

    ranks = rank_of_value(found.solution.rules)
    tags = [system.tags.get(ranks[value]) for value in values]
    insured = [f"{one:.3f}" for one in rating.insurance.values()]
    shown = ["" if tag is None else f"{tag:+g}" if tag else "0" for tag in tags]
    return [*shown, f"{rating.betting:.4f}", *insured, f"{rating.playing:.3f}"]


def _suits(found: Removal) -> str:
    if not found.suits:
        return "[dim]suits make no difference here[/]"
    return (
        f"[dim]suits hold {found.suits:.5%} of the variance of effects: by rank a betting correlation up to "
        f"{math.sqrt(1 - found.suits):.6f} can be had[/]"
    )


def _start(system: System) -> str:
    return (
        f"it starts at {system.start:+d} and {system.start_per_deck:+d} a deck; its pivot, which is the same "
        f"true count at any depth, is {system.start:+d}"
    )


def _divided(system: System) -> str:
    return "divided by the decks left and rounded down" if system.true_count else "as it runs"


def _indices_table(made: Derived) -> Table:
    table = _table()
    table.add_column("hand", no_wrap=True)
    table.add_column("instead", no_wrap=True)
    for heading in ("count", "exact", "linear", "r", "gain"):
        table.add_column(heading, justify="right", no_wrap=True)
    for index in made.indices:
        exact, linear = f"{index.count:+.2f}", f"{index.linear:+.2f}"
        numbers = exact, linear, f"{index.correlation:+.2f}", f"{index.gain:.4%}"
        table.add_row(*_said(index), f"{'from' if index.above else 'below'} {index.at:+d}", *numbers)
    return table


def _said(index: Index) -> tuple[str, str]:
    """The hand, and what is done instead; first choice first."""
    if not index.line:
        return f"insurance against {index.upcard}", "take it"
    actions = index.line.split()[-1].split("/")
    return f"{row_name(index.row)} against {index.upcard}", ", or ".join(NAMES[letter] for letter in actions)
