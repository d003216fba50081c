"""How many games form a batch: enough that the scheduler's work is small against the play, few enough that no core is
idle."""

from __future__ import annotations

_SHORTEST_S = 0.5
"""Long enough that what a task costs between two batches is small beside it; ``make bench BENCH="--only cluster"`` measures it."""
_TASKS_PER_S = 200
"""The most tasks per second to give to the scheduler; with many cores, batches are longer instead."""
_LONGEST_S = 20.0
QUEUED = 2
"""Batches per core: one in progress and one queued, so that no core waits for the network."""


def batch_size(game_s: float | None, slots: int, left: int) -> int:
    """Return the number of games in the next batch, given the measured time of a game, the number of slots (cores that
    play) and the games left.

    Until a game has been measured, a batch is one game (or deal). Towards the end batches shrink, so that no core is still
    busy with many games when the others have none.
    """
    if game_s is None:
        return 1
    wanted_s = min(_LONGEST_S, max(_SHORTEST_S, slots / _TASKS_PER_S))
    by_time = round(wanted_s / max(game_s, 1e-4))
    by_end = -(-left // (QUEUED * max(1, slots)))
    return max(1, min(by_time, by_end))
