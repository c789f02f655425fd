"""The plots of a run: which there are, from what programs read of it, and where they go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from cyclopts import Parameter

from croupier.cli.output import remark, require_place, write_file
from croupier.errors import ParseError
from croupier.report.plots import Mean, require_plots, written

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from croupier.simulate import Found
    from croupier.simulate.paths import Paths

GROWTH = 1.04  # of the rounds from one point of a convergence to the next
NAMES = ("distribution", "convergence", "count", "depth")
PATHS = "bankroll"

PlotsTo = Annotated[
    Path | None,
    Parameter(
        help="Write plots to this directory: the distribution of results, how the value settles, and with "
        "--count the value by count, or by depth.",
        show_default=False,
    ),
]
Form = Literal["png", "svg"]
PlotFormat = Annotated[Form, Parameter(name="--format", help="What plots are written as.")]
Point = tuple[int, float, float]


class Trace:
    """How the value settled: rounds, mean and error, a few times for each doubling."""

    def __init__(self) -> None:
        self.points: list[Point] = []
        self._next = 0.0

    def beside(self, told: Callable[[Found], None] | None) -> Callable[[Found], None]:
        """Listen in on what is told of a run."""

        def both(found: Found) -> None:
            if found.rounds >= self._next:
                self._note(found)
            if told is not None:
                told(found)

        return both

    def upto(self, found: Found) -> list[Point]:
        """All points, the last of which is what was found in the end."""
        if not self.points or self.points[-1][0] < found.rounds:
            self._note(found)
        return self.points

    def _note(self, found: Found) -> None:
        if found.shoes > 1:
            self.points.append((found.rounds, found.ev, found.se))
            self._next = found.rounds * GROWTH


def require_plots_place(
    folder: Path | None, form: Form, *, force: bool, names: Sequence[str] = NAMES
) -> None:
    """Nobody should wait for plots that cannot be drawn, or have no place to go."""
    if folder is None:
        return
    require_plots()
    if folder.exists() and not folder.is_dir():
        raise ParseError(f"{folder}: is no directory that plots could go to")
    if not folder.exists():
        require_place(folder)
    for name in names if folder.exists() else ():
        require_place(folder / f"{name}.{form}", force=force)


def write_plots(plots: Iterable[tuple[str, Figure]], folder: Path, form: Form) -> None:
    """Write plots by their names, and say where they are."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise ParseError(f"{folder}: cannot be made: {error.strerror}") from None
    found = []
    for name, figure in plots:
        path = folder / f"{name}.{form}"
        write_file(path, written(figure, form), force=True)
        found.append(str(path))
    remark(f"Plots are in {', '.join(found)}.")


def plots_of(data: dict[str, Any], exact: float | None = None) -> Iterable[tuple[str, Figure]]:
    """The plots of a run, from what `simulate --json` says of it."""
    from croupier.report import plots

    results = {float(Fraction(result)): share for result, share in data["results"].items()}
    yield "distribution", plots.distribution(results, ev=data["ev"], deviation=data["deviation"])
    if len(data["convergence"]) > 1:
        yield "convergence", plots.convergence(data["convergence"], exact)
    if data["by_depth"]:
        yield "depth", plots.by_depth([Mean(*row) for row in data["by_depth"]])
    elif data["by_count"]:
        rows = [Mean(row["count"], row["share"], row["ev"], row["se"]) for row in data["by_count"]]
        yield "count", plots.by_count(rows, data["count"])


def plot_of_paths(paths: Paths, target: float | None) -> Iterable[tuple[str, Figure]]:
    from croupier.report import plots

    bands = paths.rounds, paths.shares, paths.bankrolls, paths.ruined
    yield PATHS, plots.bankroll(*bands, paths=paths.few, target=target)


class _AtCount(msgspec.Struct):
    count: int
    share: float
    ev: float
    se: float


class Simulated(msgspec.Struct):
    """What a page needs of a run, as `simulate --json` says it."""

    rules_hash: str
    rounds: int
    shoes: int
    seed: int
    boxes: int
    fresh_shoe: bool
    ev: float
    se: float
    deviation: float
    results: dict[str, float]
    count: str | None
    by_count: list[_AtCount]
    by_depth: list[tuple[float, float, float, float]]
    convergence: list[tuple[int, float, float]]
    version: str
    penetration: list[float] | None


def read_simulated(path: Path, rules_hash: str) -> Simulated:
    """A run of these rules that `simulate --json` has written to a file."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Simulated)
    except OSError as error:
        raise ParseError(f"{path}: cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ParseError(f"{path}: is not what `croupier simulate --json` prints: {error}") from None
    if found.rules_hash != rules_hash:
        raise ParseError(f"{path}: is a run of other rules than those of the report")
    for result in found.results:
        try:
            Fraction(result)
        except (ValueError, ZeroDivisionError):
            raise ParseError(f"{path}: {result!r} is no result of a round") from None
    return found


def figures(run: Simulated, exact: float) -> Sequence[tuple[str, str]]:
    """The plots of a run for the inside of a page, by name."""
    from croupier.report.plots import inline

    known = exact if run.fresh_shoe and run.boxes == 1 else None
    return [(name, inline(figure, name)) for name, figure in plots_of(msgspec.to_builtins(run), known)]
