"""The fair clock on a busy machine: eight concurrent games on two cores, with agents that stay within their limit and with
agents that exceed it."""

from __future__ import annotations

from collections.abc import Iterator

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.bench.concurrent_games import ConcurrentGames, play_concurrently
from arbiter.bench.worker import Task
from benchmarks.agents import compiled
from benchmarks.options import Options
from benchmarks.row import Row

GAMES_PER_CORE, CORES = 4, 2
LIMIT_US, USED_US, OVERRUN_US = 50_000, 20_000, 55_000


def rows(options: Options) -> Iterator[Row]:
    """Count the moves that were late by wall time and by charge."""
    for what, burn_us in (("20 of 50 ms", USED_US), ("55 of 50 ms", OVERRUN_US)):
        games = _play(burn_us, options.moves)
        moves, late = len(games.moves) - games.stalled, 0 if burn_us < LIMIT_US else 1
        where = f"{games.workers} games on {len(games.task.cores)} cores, {what}"
        yield Row(f"{where}: late by wall", games.late_by_wall, "", moves, games.late_by_wall / moves)
        yield Row(
            f"{where}: late by charge",
            games.late_by_charge,
            "",
            moves,
            games.late_by_charge / moves,
            most=late,
            least=late,
        )
        stalled = games.stalled
        yield Row(f"{where}: not counted, the machine stalled", stalled, "", moves, stalled / moves, most=0.01)
        if not late:
            charge_ms, used_ms = games.largest_charge_us / 1000, USED_US / 1000
            yield Row(
                f"{where}: largest charge", charge_ms, "ms", used_ms, charge_ms / used_ms, most=LIMIT_US / USED_US
            )
            wall_ms = games.largest_wall_us / 1000
            yield Row(f"{where}: largest wall time", wall_ms, "ms", used_ms, wall_ms / used_ms)


def _play(burn_us: int, moves: int) -> ConcurrentGames:
    used = tuple(cores.usable()[:CORES])
    workers = GAMES_PER_CORE * len(used)
    task = Task(
        command=compiled("burn"),
        burn_us=burn_us,
        limit_us=LIMIT_US,
        level=choose_sandbox("auto").level,
        moves=-(-moves // workers),
        cores=used,
    )
    return play_concurrently(task, workers)
