"""Long work on all cores: the kernels let go of the interpreter, so that threads do run side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

Key = TypeVar("Key")
Answer = TypeVar("Answer")
Told = Callable[[int, int], None]


def cores() -> int:
    """The cores that this process may use; where the system does not say, all that the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def at_once(jobs: Mapping[Key, Callable[[], Answer]], told: Told | None = None) -> dict[Key, Answer]:
    """Every job's answer, in the order of the jobs; `told` hears how many of how many are done."""
    found: dict[Key, Answer] = {}
    pool = ThreadPoolExecutor(cores())
    try:
        waiting = {pool.submit(job): key for key, job in jobs.items()}
        for done in as_completed(waiting):
            found[waiting[done]] = done.result()
            if told:
                told(len(found), len(jobs))
    finally:
        pool.shutdown(cancel_futures=True)
    return {key: found[key] for key in jobs}
