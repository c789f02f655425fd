"""Where the chunks of a run are played: on threads of this process, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.errors import ParseError
from croupier.threads import cores

if TYPE_CHECKING:
    from croupier.simulate.cluster import Cluster

ClusterAt = Annotated[
    str,
    Parameter(
        name="--cluster",
        help="Play on a Dask cluster: `local` for processes of this machine, or a scheduler's address, as "
        "tcp://host:8786.",
        show_default=False,
    ),
]


@contextmanager
def cluster_asked(address: str, threads: int | None) -> Iterator[Cluster | None]:
    """The cluster that is asked for, or none."""
    if not address:
        yield None
        return
    from croupier.simulate.cluster import LOCAL, cluster_at

    if threads is not None and address != LOCAL:
        raise ParseError(f"--threads {threads}: a cluster has threads of its own; leave one of them out")
    with cluster_at(address, threads or cores()) as cluster:
        yield cluster


def why_partial(cluster: Cluster | None) -> str:
    """Why a run ended before it had what was asked for."""
    return cluster.problem if cluster and cluster.problem else "interrupted"
