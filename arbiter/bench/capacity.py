"""How many workers this machine can run: add workers until throughput stops growing or moves take longer."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import Level
from arbiter.bench import programs
from arbiter.bench.concurrent_games import play_concurrently
from arbiter.bench.worker import Task

BURN_US = 5_000
LIMIT_US = 1_000_000
GAME_MOVES = 20
WORTHWHILE_GAIN = 1.05
"""The factor by which more workers must raise the throughput to be worth running."""
SLOWDOWN = 1.25
"""Moves count as slowed down if their median time is more than this many times that with one worker."""


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """Throughput and move times with a number of workers, whose agents use 5 ms of CPU time per move."""

    workers: int
    moves_per_s: float
    """Moves per second of all workers together."""
    usual_ms: float
    """Median wall time of a move."""
    longest_ms: float
    """Largest wall time of a move."""


class Capacity(msgspec.Struct, frozen=True, kw_only=True):
    """Measured throughput by number of workers, and what follows from it."""

    loads: list[Load]
    """One measurement for each number of workers, in ascending order."""
    enough: int
    """The number of workers beyond which throughput hardly grows."""
    suffering: int | None
    """The smallest number of workers with which moves are slowed down; None if none that was tried slows them down."""


def measure(level: Level, *, seconds: float) -> Capacity:
    """Measure for ``seconds`` with each number of workers."""
    return find_capacity([_run(count, level, seconds) for count in worker_counts(max(1, len(cores.usable())))])


def worker_counts(usable: int) -> list[int]:
    """Return the numbers of workers to try: doubling up to the number of cores, then twice that number."""
    doubling = [1 << power for power in range(usable.bit_length()) if 1 << power < usable]
    return [*doubling, usable, 2 * usable]


def find_capacity(loads: Sequence[Load]) -> Capacity:
    """Find where throughput stops growing, and where moves begin to be slowed down."""
    enough = loads[0]
    for load in loads:
        if load.moves_per_s > enough.moves_per_s * WORTHWHILE_GAIN:
            enough = load
    suffering = next((load.workers for load in loads if load.usual_ms > loads[0].usual_ms * SLOWDOWN), None)
    return Capacity(loads=list(loads), enough=enough.workers, suffering=suffering)


def _run(workers: int, level: Level, seconds: float) -> Load:
    task = Task(
        command=programs.burner(),
        burn_us=BURN_US,
        limit_us=LIMIT_US,
        level=level,
        seconds=seconds,
        game_moves=GAME_MOVES,
    )
    games = play_concurrently(task, workers)
    return Load(
        workers=workers,
        moves_per_s=games.moves_per_s,
        usual_ms=games.median_wall_us / 1000,
        longest_ms=games.largest_wall_us / 1000,
    )
