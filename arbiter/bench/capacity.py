"""How many games at once this machine bears: more and more workers, until more of them do not get more done."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import Level
from arbiter.bench import programs
from arbiter.bench.crowd import play_at_once
from arbiter.bench.worker import Task

BURN_US = 5_000
LIMIT_US = 1_000_000
GAME_MOVES = 20
STILL_GROWING = 1.05
"""More workers are worth having while they get this much more done."""
SUFFERING = 1.25
"""Moves suffer when they usually take so many times as long as with one worker."""


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """So many workers at once, with agents that think for 5 ms a move."""

    workers: int
    moves_per_s: float
    """Of all together."""
    usual_ms: float
    """Median time of a move on the wall."""
    longest_ms: float


class Capacity(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    loads: list[Load]
    """By number of workers."""
    enough: int
    """Workers after which more get hardly more done."""
    suffering: int | None
    """Workers from which on moves take longer on the wall; None if not even the most that were tried."""


def look(level: Level, *, seconds: float) -> Capacity:
    """Measure, for so long with each number of workers."""
    return conclude([_try(count, level, seconds) for count in counts(max(1, len(cores.usable())))])


def counts(usable: int) -> list[int]:
    """Numbers of workers to try: doubling up to the cores, and twice as many as there are."""
    doubling = [1 << power for power in range(usable.bit_length()) if 1 << power < usable]
    return [*doubling, usable, 2 * usable]


def conclude(loads: Sequence[Load]) -> Capacity:
    """Where it stops growing, and where moves begin to suffer."""
    enough = loads[0]
    for load in loads:
        if load.moves_per_s > enough.moves_per_s * STILL_GROWING:
            enough = load
    suffering = next((load.workers for load in loads if load.usual_ms > loads[0].usual_ms * SUFFERING), None)
    return Capacity(loads=list(loads), enough=enough.workers, suffering=suffering)


def _try(workers: int, level: Level, seconds: float) -> Load:
    task = Task(
        command=programs.burner(),
        burn_us=BURN_US,
        limit_us=LIMIT_US,
        level=level,
        seconds=seconds,
        game_moves=GAME_MOVES,
    )
    crowd = play_at_once(task, workers)
    return Load(
        workers=workers,
        moves_per_s=crowd.moves_per_s,
        usual_ms=crowd.usual_wall_us / 1000,
        longest_ms=crowd.largest_wall_us / 1000,
    )
