"""Playing a contest on a cluster: one connection for all pools of a run."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from arbiter.cluster.connect import connect
from arbiter.contest.players import MakePlayers, Players
from arbiter.playing.plan import Plan


@contextlib.contextmanager
def cluster_players(
    where: str, tls: Path | None = None, *, most: int | None = None, allow_uncontained: bool = False
) -> Iterator[MakePlayers]:
    """Connect to the scheduler at an address or in a scheduler file, for the time of the block. Raises UserError.

    ``most`` caps the games played at the same time.
    """
    client = connect(where, tls)
    from arbiter.cluster.pool import ClusterPool

    def make(plan: Plan, contest: str, _: int, wake_up: int | None) -> Players:
        return ClusterPool(client, plan, contest, wake_up, most=most, allow_uncontained=allow_uncontained)

    try:
        yield make
    finally:
        with contextlib.suppress(Exception):  # a scheduler that is gone cannot be told
            client.close(timeout=2)
