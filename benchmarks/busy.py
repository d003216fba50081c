"""The fair clock on a busy machine: eight games at once on two cores, with agents that keep to their time, and with
agents that do not."""

from __future__ import annotations

from collections.abc import Iterator

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.trial import choose
from arbiter.bench.crowd import Crowd, play_at_once
from arbiter.bench.worker import Task
from benchmarks.agents import compiled
from benchmarks.options import Options
from benchmarks.row import Row

GAMES_PER_CORE, CORES = 4, 2
LIMIT_US, USED_US, OVERRUN_US = 50_000, 20_000, 55_000


def rows(options: Options) -> Iterator[Row]:
    """How many were late, by which clock."""
    for what, burn_us in (("20 of 50 ms", USED_US), ("55 of 50 ms", OVERRUN_US)):
        crowd = _crowd(burn_us, options.moves)
        moves, late = len(crowd.moves) - crowd.stood_still, 0 if burn_us < LIMIT_US else 1
        where = f"{crowd.workers} games on {len(crowd.task.cores)} cores, {what}"
        yield Row(f"{where}: late by wall", crowd.late_by_wall, "", moves, crowd.late_by_wall / moves)
        yield Row(
            f"{where}: late by charge",
            crowd.late_by_charge,
            "",
            moves,
            crowd.late_by_charge / moves,
            most=late,
            least=late,
        )
        still = crowd.stood_still
        yield Row(f"{where}: not counted, the machine stood still", still, "", moves, still / moves, most=0.01)
        if not late:
            charge_ms, used_ms = crowd.largest_charge_us / 1000, USED_US / 1000
            yield Row(
                f"{where}: largest charge", charge_ms, "ms", used_ms, charge_ms / used_ms, most=LIMIT_US / USED_US
            )
            wall_ms = crowd.largest_wall_us / 1000
            yield Row(f"{where}: longest on the wall", wall_ms, "ms", used_ms, wall_ms / used_ms)


def _crowd(burn_us: int, moves: int) -> Crowd:
    used = tuple(cores.usable()[:CORES])
    workers = GAMES_PER_CORE * len(used)
    task = Task(
        command=compiled("burn"),
        burn_us=burn_us,
        limit_us=LIMIT_US,
        level=choose("auto").level,
        moves=-(-moves // workers),
        cores=used,
    )
    return play_at_once(task, workers)
