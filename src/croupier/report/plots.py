"""Plots of a simulated game, from plain numbers: as PNG, as SVG, and as SVG inside a page.

Matplotlib draws them (`pip install 'croupier[plots]'`); it is read in only here, and draws without a screen.
Colours are those of Okabe and Ito, which colour-blind readers can tell apart.
"""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, ParamSpec

from croupier.errors import ParseError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Format = Literal["png", "svg"]
FORMATS = ("png", "svg")
BLUE, ORANGE, GREEN, SKY, INK, SOFT = "#0072B2", "#D55E00", "#009E73", "#56B4E9", "#1b2230", "#56607a"
MINUS = "\N{MINUS SIGN}"
SIZE = (8.0, 4.5)  # inches
DOTS = 150  # an inch
SIGMAS = 1.959963984540054  # of an interval that holds the truth in 19 of 20 runs
RAREST = 1e-7  # results that are rarer are not drawn
COMMON = 0.01  # of results that are so common the share is written down
RARE_COUNT = 5e-4  # counts that come up in fewer of the rounds are not drawn
STYLE: Any = {
    "font.family": "sans-serif",
    "font.size": 10.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.titlesize": 12.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.grid": True,
    "grid.color": "#d8dde7",
    "grid.linewidth": 0.7,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "legend.edgecolor": "none",
    "legend.framealpha": 0.85,
    "svg.fonttype": "none",
}


class Mean(NamedTuple):
    """What rounds of a kind bring: what tells them apart, their number or share, mean and standard error."""

    at: float
    weight: float
    ev: float
    se: float


def require_plots() -> None:
    if find_spec("matplotlib") is None:
        raise ParseError("plots need Matplotlib, which is not installed: pip install 'croupier[plots]'")


P = ParamSpec("P")


def styled(plot: Callable[P, Figure]) -> Callable[P, Figure]:
    """A plot in our own style, whatever the reader's settings are."""

    @functools.wraps(plot)
    def in_style(*args: P.args, **kwargs: P.kwargs) -> Figure:
        require_plots()
        import matplotlib

        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(STYLE)
            return plot(*args, **kwargs)

    return in_style


# The plots


@styled
def distribution(results: Mapping[float, float], *, ev: float, deviation: float) -> Figure:
    """How often a box wins or loses how much; rare results count by powers of ten."""
    shown = {float(result): share for result, share in results.items() if share >= RAREST}
    figure, axes = _drawn("What a box wins in a round")
    near = min((high - low for low, high in pairwise(sorted(shown))), default=1.0)
    colours = [BLUE if result > 0 else ORANGE if result < 0 else SOFT for result in shown]
    axes.bar(list(shown), list(shown.values()), width=0.8 * near, color=colours)
    inside: dict[str, Any] = {"xytext": (0, -4), "textcoords": "offset points", "rotation": 90}
    for result, share in shown.items():
        if share >= COMMON:
            words = f"{share:.1%}", (result, share)
            axes.annotate(*words, ha="center", va="top", color="white", fontsize=8.5, **inside)
    axes.set_yscale("log")
    axes.set_ylim(min(shown.values()) / 2, 2 * max(shown.values()))
    _in_percent(axes, "y")
    axes.set(xlabel="Won or lost, in wagers", ylabel="Share of rounds, in powers of ten")
    axes.xaxis.set_major_locator(_ticker().MaxNLocator(integer=True, nbins=17))
    axes.xaxis.set_major_formatter(lambda at, _: _whole(at))
    axes.grid(visible=False, axis="x")
    _told(axes, f"mean {ev:+.4%} of a wager, deviation {deviation:.4f} wagers")
    return figure


@styled
def by_count(rows: Sequence[Mean], name: str = "") -> Figure:
    """What rounds bring by the count before them, and how often each count comes; `weight` is a share."""
    shown = [row for row in rows if row.weight >= RARE_COUNT]
    figure, axes, below = _drawn_in_two(f"Value by {name} count".replace("  ", " "))
    _means(axes, shown)
    axes.set_ylabel("Expectation, of a wager")
    below.bar([row.at for row in shown], [row.weight for row in shown], width=0.8, color=SKY)
    below.set(xlabel="Count before the round", ylabel="Rounds")
    _in_percent(below, "y")
    below.xaxis.set_major_locator(_ticker().MaxNLocator(integer=True, nbins=17))
    below.xaxis.set_major_formatter(lambda at, _: _whole(at))
    below.grid(visible=False, axis="x")
    return figure


@styled
def by_depth(rows: Sequence[Mean]) -> Figure:
    """What rounds bring by the share of the shoe that is gone before them; `weight` is a number of rounds."""
    figure, axes, below = _drawn_in_two("Value by depth in the shoe")
    mean = sum(row.weight * row.ev for row in rows) / sum(row.weight for row in rows)
    axes.axhline(mean, color=ORANGE, linewidth=1.2, linestyle="--", label=_signed(f"all rounds: {mean:+.4%}"))
    _means(axes, rows, joined=False)
    axes.set_ylabel("Expectation, of a wager")
    axes.legend(loc="best", fontsize=8.5)
    width = min((high.at - low.at for low, high in pairwise(rows)), default=0.1)
    below.bar([row.at for row in rows], [row.weight for row in rows], width=0.8 * width, color=SKY)
    below.set(xlabel="Share of the cards that are gone when a round begins", ylabel="Rounds")
    below.yaxis.set_major_formatter(lambda at, _: f"{at:,.0f}")
    _in_percent(below, "x")
    below.grid(visible=False, axis="x")
    return figure


@styled
def convergence(points: Sequence[tuple[float, float, float]], exact: float | None = None) -> Figure:
    """The expectation as rounds are counted, (rounds, mean, standard error), against a known value if any."""
    rounds, means, errors = ([point[part] for point in points] for part in range(3))
    low, high = (
        [mean + sign * SIGMAS * error for mean, error in zip(means, errors, strict=True)] for sign in (-1, 1)
    )
    figure, axes = _drawn("How the value settles")
    axes.fill_between(rounds, low, high, color=SKY, alpha=0.35, linewidth=0, label="19 times of 20")
    axes.plot(rounds, means, color=BLUE, linewidth=1.8, label="mean so far")
    if exact is not None:
        axes.axhline(
            exact, color=ORANGE, linewidth=1.4, linestyle="--", label=_signed(f"solved: {exact:+.4%}")
        )
    axes.set_xscale("log")
    axes.set_xlim(rounds[0], max(rounds[-1], 1.1 * rounds[0]))
    subs = (1, 2, 5) if rounds[-1] < 300 * rounds[0] else (1,)
    axes.xaxis.set_major_locator(_ticker().LogLocator(subs=subs))
    axes.xaxis.set_major_formatter(lambda at, _: _large(at))
    axes.xaxis.set_minor_formatter(_ticker().NullFormatter())
    _in_percent(axes, "y")
    axes.set(xlabel="Rounds counted", ylabel="Expectation, of a wager")
    axes.legend(loc="best")
    _told(axes, f"{means[-1]:+.4%}, standard error {errors[-1]:.4%}, after {_large(rounds[-1])} rounds")
    return figure


@styled
def bankroll(
    rounds: Sequence[float],
    shares: Sequence[float],
    bankrolls: Sequence[Sequence[float]],
    ruined: Sequence[float],
    *,
    paths: Sequence[Sequence[float]] = (),
    target: float | None = None,
) -> Figure:
    """Bankrolls over rounds: those that so many `shares` of the players do not exceed, and who is ruined.

    `bankrolls` is [rounds, shares], with the shares from low to high and the middle one the median; `paths`
    are single players', [player, rounds].
    """
    figure, axes, below = _drawn_in_two("Bankrolls over time")
    columns = list(zip(*bankrolls, strict=True))
    for place in range(len(shares) // 2):
        label = f"{shares[place]:.0%} to {shares[-1 - place]:.0%} of the players"
        alpha = 0.22 + 0.2 * place
        axes.fill_between(
            rounds, columns[place], columns[-1 - place], color=SKY, alpha=alpha, linewidth=0, label=label
        )
    for number, path in enumerate(paths):
        axes.plot(rounds, path, color=SOFT, linewidth=0.7, alpha=0.8, label="" if number else "one player")
    axes.plot(rounds, columns[len(shares) // 2], color=BLUE, linewidth=2, label="median")
    if target is not None:
        axes.axhline(target, color=GREEN, linewidth=1.4, linestyle="--", label=f"target {target:,.0f}")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(lambda at, _: f"{at:,.0f}")
    axes.set_ylabel("Bankroll")
    figure.legend(loc="outside lower center", fontsize=8.5, ncols=len(axes.get_legend_handles_labels()[1]))
    below.fill_between(rounds, ruined, color=ORANGE, alpha=0.35, linewidth=0)
    below.plot(rounds, ruined, color=ORANGE, linewidth=1.6)
    below.annotate(
        f"{ruined[-1]:.1%}",
        (rounds[-1], ruined[-1]),
        (-2, 4),
        textcoords="offset points",
        ha="right",
        color=ORANGE,
    )
    below.set(xlabel="Rounds", ylabel="Ruined")
    below.set_ylim(0, max(1.35 * max(ruined), 0.01))
    below.set_xlim(rounds[0], rounds[-1])
    below.xaxis.set_major_locator(_ticker().MaxNLocator(nbins=8))
    below.xaxis.set_major_formatter(lambda at, _: _large(at))
    _in_percent(below, "y")
    return figure


# How they are drawn


def _drawn(title: str) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, dpi=DOTS, layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title)
    return figure, axes


def _drawn_in_two(title: str) -> tuple[Figure, Axes, Axes]:
    """A plot with a low one below it that shares its axis."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, dpi=DOTS, layout="constrained")
    axes, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    axes.set_title(title)
    return figure, axes, below


def _means(axes: Axes, rows: Sequence[Mean], *, joined: bool = True) -> None:
    """Means with the interval of each, about nothing won and nothing lost."""
    axes.axhline(0, color=INK, linewidth=0.9)
    axes.errorbar(
        [row.at for row in rows],
        [row.ev for row in rows],
        yerr=[SIGMAS * row.se for row in rows],
        color=BLUE,
        ecolor=SOFT,
        marker="o",
        markersize=4,
        linestyle="-" if joined else "none",
        linewidth=1.2,
        elinewidth=1,
        capsize=2.5,
    )
    _in_percent(axes, "y")
    _told(axes, "bars hold the truth 19 times of 20")


def _told(axes: Axes, words: str) -> None:
    """A remark on the right above a plot."""
    axes.annotate(
        _signed(words),
        (1, 1),
        (0, 14),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="right",
        fontsize=9,
        color=SOFT,
    )


def _ticker() -> Any:
    from matplotlib import ticker

    return ticker


def _in_percent(axes: Axes, which: Literal["x", "y"]) -> None:
    axis = axes.yaxis if which == "y" else axes.xaxis
    axis.set_major_formatter(lambda at, _: _signed(f"{100 * at:.6g}%"))


def _signed(text: str) -> str:
    return text.replace("-", MINUS)


def _whole(number: float) -> str:
    return _signed(f"{number:+.0f}") if number else "0"


def _large(number: float) -> str:
    """A number of rounds, as 10 million."""
    for size, name in ((1e9, "billion"), (1e6, "million")):
        if number >= size:
            return f"{number / size:.3g} {name}"
    return f"{number:,.0f}"


# How they are written


def written(figure: Figure, form: Format) -> bytes:
    """The plot as the bytes of a file; the same numbers give the same bytes."""
    from matplotlib import rc_context

    stream = io.BytesIO()
    with rc_context(STYLE | {"svg.hashsalt": "croupier"}):
        dated = {"Date": None} if form == "svg" else {}
        figure.savefig(
            stream, format=form, metadata=dated | {"Software" if form == "png" else "Creator": None}
        )
    return stream.getvalue()


def inline(figure: Figure, name: str) -> str:
    """The plot as SVG for the inside of a page, where no two parts may have the same name."""
    text = written(figure, "svg").decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", text)
    text = text.replace("xlink:href", "href")
    text = re.sub(r'\bid="', f'id="{name}-', text)
    return re.sub(r'(url\(|href=")#', rf"\1#{name}-", text)
