"""One thread writes. What is put to it waits while a commit runs, and the next commit takes all that waits.

There is no window in which it would wait for more: a lone piece of work is written at once, and many at a
time are written together. Each is whole or not at all. Where a commit of several fails, each is tried by
itself, so that nobody's work fails for another's.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from croupier.errors import StoreError

T = TypeVar("T")
Work = Callable[[Connection], T]
Done = Callable[[Any, Exception | None], None]
Tell = Callable[[Callable[[], None]], None]
log = logging.getLogger(__name__)
MOST = 1000  # at once, so that no commit is very long


class _Job:
    """A piece of work, who is told of its end and where, and how it ended."""

    __slots__ = ("_done", "error", "made", "waited_for", "work")

    def __init__(self, work: Work[Any], done: Done, *, waited_for: bool = False) -> None:
        self.work = work
        self.waited_for = waited_for
        self.made: Any = None
        self.error: Exception | None = None
        self._done = done

    def tell(self) -> None:
        self._done(self.made, self.error)


class Writer:
    """Writes to a database, from one thread.

    `tell` is handed a function after each commit, which tells all whose work was in it: as it is, the
    writer's own thread calls it; a server has it called on its loop. `commits` and `items` count what was
    written.
    """

    def __init__(self, engine: Engine, *, tell: Tell | None = None) -> None:
        self.tell: Tell = tell or _at_once
        self.commits = 0
        self.items = 0
        self._engine = engine
        self._connection: Connection | None = None
        self._failures = (SQLAlchemyError, OSError, engine.dialect.loaded_dbapi.Error)
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def put(self, work: Work[T], done: Callable[[T | None, Exception | None], None]) -> None:
        """Have something written: `done` is called with what the work made, or with why it was not written.

        The work may be done again if what was written along with it failed, so it changes nothing else. A
        database that fails is a StoreError; what the work itself raises comes back as it is.
        """
        self._queue(_Job(work, done))

    def do(self, work: Work[T]) -> T:
        """Have something written and wait for it. A server's loop does not wait."""
        found: SimpleQueue[tuple[T, Exception | None]] = SimpleQueue()
        self._queue(_Job(work, lambda made, error: found.put((made, error)), waited_for=True))
        made, error = found.get()
        if error is not None:
            raise error
        return made

    def _queue(self, job: _Job) -> None:
        if self._closed:
            raise RuntimeError("nothing is written any more: the database is closed")
        self._jobs.put(job)

    def close(self) -> None:
        """Write what waits, and stop."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            self._thread.join()

    # In the writer's thread

    def _run(self) -> None:
        while jobs := self._waiting():
            self._settle(jobs)
            self._tell(jobs)
        self._disconnect()

    def _tell(self, jobs: list[_Job]) -> None:
        """Who waits is told at once, and all others by `tell`. Whatever they make of it, writing goes on."""
        _tell_all([job for job in jobs if job.waited_for])
        told = [job for job in jobs if not job.waited_for]
        try:
            if told:
                self.tell(partial(_tell_all, told))
        except Exception:
            log.exception("somebody who was told of a commit has failed")

    def _waiting(self) -> list[_Job]:
        """All that waits, once something does; nothing at the end."""
        job = self._jobs.get()
        jobs: list[_Job] = []
        while job is not None:
            jobs.append(job)
            try:
                job = self._jobs.get_nowait() if len(jobs) < MOST else None
            except Empty:
                return jobs
        if jobs and len(jobs) < MOST:
            self._jobs.put(None)  # the end comes after what waited
        return jobs

    def _settle(self, jobs: list[_Job]) -> None:
        """Everything in one commit; if that fails, each in one of its own."""
        if not self._fails(jobs):
            return
        for job in jobs:
            error = self._fails([job])
            job.error = StoreError(self._name, error) if isinstance(error, self._failures) else error

    def _fails(self, jobs: list[_Job]) -> Exception | None:
        """Write these; why nothing of them was written, if so."""
        try:
            connection = self._connected()
            with connection.begin():
                for together, several in groupby(jobs, _together):
                    if together is not None:
                        together(connection, [job.work for job in several])
                    else:
                        for job in several:
                            job.made = job.work(connection)
        except Exception as error:
            if isinstance(error, self._failures):
                self._disconnect()
            return error
        self.commits += 1
        self.items += len(jobs)
        return None

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect().execution_options(writes=True)
        return self._connection

    def _disconnect(self) -> None:
        """What failed may have left the connection in any state; the next commit has a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(*self._failures):
                connection.invalidate()
                connection.close()

    @property
    def _name(self) -> str:
        return self._engine.url.database or str(self._engine.url)


def _together(job: _Job) -> Callable[[Connection, Sequence[Work[Any]]], None] | None:
    """How work of this kind is done with its like at once, if it can be: it makes nothing then."""
    return getattr(job.work, "together", None)


def _at_once(function: Callable[[], None]) -> None:
    function()


def _tell_all(jobs: list[_Job]) -> None:
    """Everybody is told, even if somebody fails at it."""
    with contextlib.ExitStack() as each:
        for job in reversed(jobs):
            each.callback(job.tell)
