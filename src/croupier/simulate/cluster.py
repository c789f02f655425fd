"""Chunks played on a Dask cluster: processes of this machine, or the workers of a scheduler by its address.

A chunk depends on its number only, so whoever plays it plays the same: a worker that is lost costs time, and
its chunks are played again by another. A task is some chunks in a row, few at first and more later, since a
chunk may take no longer than its way there and back. Their tallies come back one by one, because a run may
be over after any of them. The game is a task as well: every worker has it once, and it is made anew where
the worker that had it is gone.
"""

from __future__ import annotations

import collections
import logging
import pickle
import signal
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import croupier
from croupier.errors import ParseError, RulebookError
from croupier.simulate.run import ChunksLost, Game
from croupier.simulate.statistics import Tally

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
MOST_CHUNKS = 16  # in one task
MOST_BYTES = 1 << 22  # that it sends back
AHEAD = 2  # tasks for each thread of a worker
PATIENCE = 10  # seconds for a scheduler to answer, and for a first worker
LOOKS = 12  # so many times PATIENCE without a worker, and the cluster is given up


class OtherRelease(RuntimeError):
    """A worker has another release, which may play otherwise."""


class Cluster:
    """A source of chunks; `problem` says, in a sentence, why it gave out."""

    def __init__(self, client: Client, name: str) -> None:
        self.client, self.name = client, name
        self.problem = ""

    def __call__(self, game: Game, first: int) -> Generator[Tally]:
        """Chunk after chunk in the order of their numbers, some of them played ahead."""
        from distributed import KilledWorker

        try:
            yield from self._chunks(game, first)
        except (RulebookError, GeneratorExit, KeyboardInterrupt):
            raise
        except (OSError, CancelledError, KilledWorker) as error:
            self._lost(str(error) or "its scheduler does not answer")
        except OtherRelease as error:
            self._lost(str(error))
        except ModuleNotFoundError as error:
            self._lost(f"a worker has no module {error.name}: croupier must be installed there")

    def _lost(self, why: str) -> None:
        self.problem = f"the cluster {self.name} was lost: {' '.join(why.split())}"
        raise ChunksLost(self.problem) from None

    def _chunks(self, game: Game, first: int) -> Iterator[Tally]:
        most = _most_chunks(game)
        sent = self.client.submit(pickle.loads, pickle.dumps(game, protocol=5), pure=False)
        ahead: collections.deque[Future[list[Tally]]] = collections.deque()
        number, tasks = first, 0
        try:
            while True:
                room = AHEAD * max(1, sum(self.client.nthreads().values()))
                while len(ahead) < room:
                    count = min(most, 1 << tasks // room)
                    numbers = range(number, number + count)
                    ahead.append(self.client.submit(play, sent, numbers, croupier.__version__, pure=False))
                    number, tasks = number + count, tasks + 1
                yield from self._result(ahead.popleft())
        finally:
            if self.client.status == "running":
                self.client.cancel([*ahead, sent])

    def _result(self, future: Future[list[Tally]]) -> list[Tally]:
        """What came of a task, however long it takes while there is somebody to play it."""
        alone = 0
        while alone < LOOKS:
            try:
                found: list[Tally] = future.result(timeout=PATIENCE)
                return found
            except TimeoutError:
                alone = 0 if self.client.nthreads() else alone + 1
        raise OSError("it has no worker any more")


def play(game: Game, numbers: range, engine: str) -> list[Tally]:
    """Some chunks of a game, on a worker."""
    if croupier.__version__ != engine:
        raise OtherRelease(f"a worker has croupier {croupier.__version__}, and this is croupier {engine}")
    return [game.chunk(number) for number in numbers]


def _most_chunks(game: Game) -> int:
    size = sum(part.nbytes for part in game.nothing().counted)
    return max(1, min(MOST_CHUNKS, MOST_BYTES // size))


@contextmanager
def cluster_at(address: str, workers: int) -> Iterator[Cluster]:
    """The cluster of a scheduler, or for `local` one of so many processes, which end with it.

    A ParseError where it cannot be reached.
    """
    if find_spec("distributed") is None:
        raise ParseError("--cluster: needs Dask, which is not installed: pip install 'croupier[cluster]'")
    with ExitStack() as open_things:
        open_things.enter_context(_quiet())
        try:
            client = _local(workers, open_things) if address == LOCAL else _at(address, open_things)
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            why = "its scheduler has no worker" if "workers" in str(error) else "nobody answers"
            raise ParseError(f"--cluster {address}: cannot be used: {why}") from None
        except (OSError, ValueError, TypeError) as error:
            why = " ".join(str(error).split())
            raise ParseError(f"--cluster {address}: cannot be reached: {why}") from None
        yield Cluster(client, address)


def _at(address: str, open_things: ExitStack) -> Client:
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port

    address = address if "://" in address else f"tcp://{address}"
    get_address_host_port(address, strict=True)  # a client that cannot read it takes long to give up
    client: Client = open_things.enter_context(Client(address, timeout=PATIENCE, set_as_default=False))
    return client


def _local(workers: int, open_things: ExitStack) -> Client:
    from distributed import Client, LocalCluster

    local = open_things.enter_context(
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )
    )
    client: Client = open_things.enter_context(Client(local, set_as_default=False))
    client.register_plugin(_uninterrupted())
    return client


def _uninterrupted() -> Any:
    """Ctrl-C reaches the processes of a local cluster as well, and is not theirs."""
    from distributed import WorkerPlugin

    class Uninterrupted(WorkerPlugin):
        def setup(self, worker: object) -> None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    return Uninterrupted()


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask tells of every worker that comes and goes, which here is nobody's concern."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)
