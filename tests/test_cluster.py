"""Chunks on a Dask cluster: the same answer to the bit, whoever plays them and whoever is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import croupier.simulate.cluster as clusters
from croupier.errors import ParseError, RulebookError
from croupier.rulebook import load
from croupier.rulebook.study import study
from croupier.simulate import Found, Game, game_of, simulate
from croupier.simulate.cluster import Cluster, cluster_at
from test_record_file import croupier as croupier_run

ROUNDS = 4_000_000


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with cluster_at("local", 2) as found:
        yield found


@pytest.fixture(scope="module")
def game() -> Game:
    return game_of(load("act-blackjack-2003").choose(), seed=3, penetration=0.75)


@pytest.fixture(scope="module")
def alone(game: Game) -> Found:
    return simulate(game, rounds=ROUNDS, threads=1)


def same(one: Found, other: Found) -> bool:
    return all(
        part.dtype == its.dtype and np.array_equal(part, its)
        for part, its in zip(one.counted, other.counted, strict=True)
    )


def test_a_killed_worker_changes_nothing(cluster: Cluster, game: Game, alone: Found) -> None:
    before = set(cluster.client.run(os.getpid).values())
    assert len(before) == 2
    killed: list[int] = []

    def kill(found: Found) -> None:
        if not killed and found.rounds > ROUNDS // 8:
            killed.append(before.pop())
            os.kill(killed[0], signal.SIGKILL)

    found = simulate(game, rounds=ROUNDS, source=cluster, told=kill)
    assert killed
    assert found.rounds < 2 * ROUNDS
    assert same(found, alone)
    assert not found.partial
    assert killed[0] not in cluster.client.run(os.getpid).values()


def test_it_goes_on_from_what_was_counted(cluster: Cluster, game: Game, alone: Found) -> None:
    tally = game.nothing()
    for number in range(5):
        tally += game.chunk(number)
    assert same(simulate(game, rounds=ROUNDS, source=cluster, tally=tally), alone)


def test_an_error_of_the_game_is_its_own(cluster: Cluster) -> None:
    rules = study(load("act-blackjack-2003"), ["shoe_runs_out=none"]).rules
    game = game_of(rules, seed=1, penetration=1.0)
    with pytest.raises(RulebookError, match="shoe_runs_out"):
        simulate(game, rounds=20_000, source=cluster)


def test_a_worker_of_another_release_is_not_asked(
    cluster: Cluster, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters.croupier, "__version__", "9.9")
    found = simulate(game, rounds=ROUNDS, source=cluster)
    assert (found.partial, found.rounds) == (True, 0)
    assert "and this is croupier 9.9" in cluster.problem


# A scheduler by its address


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler with one worker, as processes of their own."""
    file = tmp_path / "scheduler.json"
    python, quiet = [sys.executable, "-m"], {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    common = "--scheduler-file", str(file), "--no-dashboard"
    commands = (
        ("distributed.cli.dask_scheduler", *common, "--port", "0", "--host", "127.0.0.1"),
        ("distributed.cli.dask_worker", *common, "--nthreads", "1", "--no-nanny"),
    )
    started = [subprocess.Popen([*python, *command], **quiet) for command in commands]
    try:
        end = time.monotonic() + 30
        while not file.exists() or not file.read_text().strip():
            assert time.monotonic() < end
            time.sleep(0.1)
        yield json.loads(file.read_text())["address"], started
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_lost_scheduler_leaves_what_was_counted(
    scheduler: tuple[str, list[subprocess.Popen[bytes]]], game: Game, alone: Found
) -> None:
    address, processes = scheduler

    def kill(found: Found) -> None:
        if found.rounds > ROUNDS // 2:
            processes[0].kill()

    with cluster_at(address, 1) as cluster:
        found = simulate(game, rounds=10**12, source=cluster, told=kill)
    assert found.partial
    assert found.rounds > ROUNDS // 2
    assert cluster.problem.startswith(f"the cluster {address} was lost: ")
    assert same(found, simulate(game, rounds=found.rounds, threads=1))


# The command


def test_a_cluster_that_nobody_is_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "PATIENCE", 1)
    for address, why in (
        ("tcp://127.0.0.1:9", "Timed out trying to connect to tcp://127.0.0.1:9 after 1 s"),
        ("nowhere", "missing port number"),
    ):
        with pytest.raises(ParseError) as error, cluster_at(address, 1):
            pass
        assert str(error.value).startswith(f"--cluster {address}: cannot be reached: {why}")


def test_interrupted_it_keeps_what_was_counted(tmp_path: Path) -> None:
    """Ctrl-C reaches the workers too, as from a terminal."""
    run = tmp_path / "kept.run"
    args = "simulate", "2003", "--rounds", "1e14", "--cluster", "local", "--threads", "1", "--run", str(run)
    command = [sys.executable, "-m", "croupier", *args, "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        end = time.monotonic() + 60
        while not run.exists():
            assert time.monotonic() < end
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        out, words = process.communicate(timeout=30)
    found = json.loads(out)
    assert found["partial"]
    assert process.returncode == 130
    assert words.decode() == (
        f"interrupted, after {found['rounds']:,} rounds; {run} has it, and the same command goes on\n"
    )
    kept = run.read_bytes()
    done = croupier_run("simulate", "2003", "--rounds", "1e14", "--cluster", "nonsense://x", "--run", run)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("croupier: --cluster nonsense://x: cannot be reached: unknown address")
    assert len(done.stderr.splitlines()) == 1
    assert run.read_bytes() == kept


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "find_spec", lambda name: None)
    with pytest.raises(ParseError, match=r"pip install 'croupier\[cluster\]'"), cluster_at("local", 1):
        pass
