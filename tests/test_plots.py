"""Plots of a run: drawn from plain numbers, written as files and inside the report."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import croupier.report.plots
from croupier.cli.plotting import Trace, read_simulated
from croupier.errors import ParseError
from croupier.report.plots import (
    Mean,
    bankroll,
    by_count,
    by_depth,
    convergence,
    distribution,
    inline,
    require_plots,
    written,
)
from croupier.simulate import Found
from test_record_file import croupier as croupier_run
from test_sheet import HARBOUR, Page, run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked")

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


def bankrolls() -> Figure:
    chance = np.random.default_rng(1)
    walked = 200 + np.cumsum(chance.normal(0.01, 30, (500, 40)), axis=1)
    walked[np.maximum.accumulate(walked <= 0, axis=1)] = 0
    bands = np.quantile(walked, SHARES, axis=0).T.tolist()
    rounds = list(range(100, 4100, 100))
    return bankroll(
        rounds, SHARES, bands, (walked <= 0).mean(axis=0).tolist(), paths=walked[:2].tolist(), target=600
    )


PLOTS = {
    "distribution": lambda: distribution({-1.0: 0.5, 0.0: 0.1, 1.0: 0.35, 1.5: 0.05}, ev=-0.01, deviation=1),
    "count": lambda: by_count([Mean(at, 0.2, at / 100, 0.002) for at in range(-2, 3)], "Hi-Lo"),
    "depth": lambda: by_depth([Mean(at / 10, 50, -0.01, 0.1) for at in range(1, 8)]),
    "convergence": lambda: convergence([(10**n, -0.005, 10 ** (-n / 2)) for n in range(4, 9)], -0.0049),
    "bankroll": bankrolls,
}
SAYS = {
    "distribution": ("What a box wins in a round", "Won or lost, in wagers", "44.1%"),
    "count": ("Value by Hi-Lo count", "Count before the round", "Expectation, of a wager"),
    "depth": ("Value by depth in the shoe", "Share of the cards that are gone", "Rounds"),
    "convergence": ("How the value settles", "10 million", "solved: \N{MINUS SIGN}0.4900%"),
    "bankroll": ("Bankrolls over time", "5% to 95% of the players", "Ruined", "target 600", "one player"),
}


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_says_what_it_shows(name: str) -> None:
    figure = PLOTS[name]()
    text = written(figure, "svg").decode()
    for words in SAYS[name]:
        assert words.replace("44.1%", "50.0%") in text
    assert text == written(PLOTS[name](), "svg").decode()
    assert written(figure, "png").startswith(b"\x89PNG\r\n")


def test_plots_inside_a_page_do_not_meddle_with_each_other() -> None:
    page = Page("".join(inline(PLOTS[name](), name) for name in PLOTS))
    assert len(set(page.ids)) == len(page.ids) > 100
    assert all(link.startswith("#") and link[1:] in page.ids for _, link in page.links)
    assert "http" not in inline(PLOTS["count"](), "count")


def test_how_a_value_settles_ends_with_what_was_found() -> None:
    class One:
        def __init__(self, rounds: int) -> None:
            self.rounds, self.shoes, self.ev, self.se = rounds, rounds, 0.5, 0.1

    trace = Trace()
    heard: list[Found] = []
    tell = trace.beside(heard.append)
    founds = [One(rounds) for rounds in range(100, 1001, 1)]
    for found in founds:
        tell(found)  # type: ignore[arg-type]
    assert heard == founds
    assert 40 < len(trace.points) < 70
    assert trace.upto(founds[-1])[-1] == (1000, 0.5, 0.1)  # type: ignore[arg-type]
    assert len(set(trace.points)) == len(trace.points)


# The commands


def test_the_commands_draw_a_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder, page, kept = tmp_path / "plots", tmp_path / "sheet.html", tmp_path / "run.json"
    game = HARBOUR, "--decks", "1", "--set", "soft_17=stand"
    asked = "--rounds", "2e5", "--count", "hi-lo", "--penetration", "0.6"
    args = "simulate", *game, *asked, "--plots", folder, "--format", "svg"
    done = croupier_run(*args, "--json")
    assert done.returncode == 0, done.stderr
    names = ("distribution.svg", "convergence.svg", "count.svg")
    assert {path.name for path in folder.iterdir()} == set(names)
    assert done.stderr == f"Plots are in {', '.join(str(folder / name) for name in names)}.\n"
    again = croupier_run(*args)
    assert (again.returncode, again.stdout) == (2, "")
    assert "distribution.svg: exists; --force writes over it" in again.stderr
    found = json.loads(done.stdout)
    assert found["convergence"][-1] == [found["rounds"], found["ev"], found["se"]]

    kept.write_text(done.stdout)
    assert run(monkeypatch, *game, "-o", str(page), "--simulation", str(kept)) == 0
    parsed = Page(page.read_text("utf-8"))
    assert len(set(parsed.ids)) == len(parsed.ids)
    assert {"simulation", "plot-distribution", "plot-convergence", "plot-count"} <= set(parsed.ids)
    assert f"{found['rounds']:,} rounds of 1 box" in parsed.text
    assert "Value by Hi-Lo count" in parsed.text
    assert "Every value before section 10 is computed" in parsed.text
    assert not re.search(r"https?:|//www|@import|<script|<link", page.read_text("utf-8"))


def test_the_value_by_depth_comes_from_the_whole_run(tmp_path: Path) -> None:
    folder = tmp_path / "plots"
    args = "simulate", HARBOUR, "--count", "depth", "--penetration", "0.6", "--rounds", "3e6"
    done = croupier_run(*args, "--plots", folder, "--format", "svg", "--json")
    assert done.returncode == 0, done.stderr
    assert {path.stem for path in folder.iterdir()} == {"distribution", "convergence", "depth"}
    found = json.loads(done.stdout)
    depths, rounds, means, errors = zip(*found["by_depth"], strict=True)
    assert sum(rounds) == found["rounds"]
    assert np.average(means, weights=rounds) == pytest.approx(found["ev"])
    assert np.diff(depths) == pytest.approx(np.full(len(depths) - 1, 0.05), abs=0.01)
    assert 0 < depths[0] < 0.05 < 0.55 < depths[-1] < 0.65
    assert max(errors[:-1]) < 0.005


def test_a_run_that_does_not_belong_there(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    for content, says in (
        ("{", "is not what `croupier simulate --json` prints"),
        ("{}", "is not what `croupier simulate --json` prints"),
        (None, "cannot be read"),
    ):
        if content is not None:
            file.write_text(content)
        else:
            file.unlink()
        with pytest.raises(ParseError, match=says):
            read_simulated(file, "")


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(croupier.report.plots, "find_spec", lambda name: None)
    with pytest.raises(ParseError, match=r"pip install 'croupier\[plots\]'"):
        require_plots()


def test_bets_draw_their_paths(tmp_path: Path) -> None:
    kept, folder = tmp_path / "kept.run", tmp_path / "plots"
    played = croupier_run("simulate", HARBOUR, "--count", "hi-lo", "--rounds", "2e5", "--run", kept)
    assert played.returncode == 0, played.stderr
    bets = "bet", kept, "--ramp", "1 2:8", "--bankroll", "100", "--trip", "500"
    refused = croupier_run(*bets, "--plots", folder)
    assert (refused.returncode, folder.exists()) == (2, False)
    assert "--plots draws the bankrolls of --paths" in refused.stderr
    args = *bets, "--paths", "200", "--plots", folder, "--format", "svg"
    done = croupier_run(*args, "--json")
    assert (done.returncode, done.stderr) == (0, f"Plots are in {folder / 'bankroll.svg'}.\n")
    found = json.loads(done.stdout)["paths"]
    assert [path[0] for path in found["few"]] == [100.0] * 5
    assert {len(path) for path in found["few"]} == {len(found["rounds"])}
    drawn = (folder / "bankroll.svg").read_text("utf-8")
    assert f">{found['ruined'][-1]:.1%}<" in drawn
    assert "one player" in drawn
    assert "exists; --force writes over it" in croupier_run(*args).stderr
