"""Long work on all cores: the kernels let go of the interpreter, so that threads do run side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from itertools import takewhile
from typing import TypeVar

Key = TypeVar("Key")
Answer = TypeVar("Answer")
Told = Callable[[int, int], None]


def cores() -> int:
    """The cores that this process may use; where the system does not say, all that the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def at_once(
    jobs: Mapping[Key, Callable[[], Answer]], told: Told | None = None, *, least: int | None = None
) -> dict[Key, Answer]:
    """Every job's answer, in the order of the jobs; `told` hears how many of how many are done.

    Interrupted from the keyboard, the answers of the first jobs will do if they are at `least` so many.
    """
    found: dict[Key, Answer] = {}
    pool = ThreadPoolExecutor(cores())
    waiting: dict[Future[Answer], Key] = {}
    try:
        for key, job in jobs.items():
            waiting[pool.submit(job)] = key
        for done in as_completed(waiting):
            found[waiting[done]] = done.result()
            if told:
                told(len(found), len(jobs))
    except KeyboardInterrupt:
        pool.shutdown(cancel_futures=True)
        first = list(takewhile(lambda one: not one.cancelled(), waiting))
        if least is None or len(first) < least:
            raise
        return {waiting[one]: one.result() for one in first}
    finally:
        pool.shutdown(cancel_futures=True)
    return {key: found[key] for key in jobs}


def as_done(jobs: Mapping[Key, Callable[[], Answer]]) -> Iterator[tuple[Key, Answer]]:
    """Every job's answer as soon as it is there. Who stops listening has the jobs not yet begun left out."""
    pool = ThreadPoolExecutor(cores())
    try:
        waiting = {pool.submit(job): key for key, job in jobs.items()}
        for done in as_completed(waiting):
            yield waiting[done], done.result()
    finally:
        pool.shutdown(cancel_futures=True)
