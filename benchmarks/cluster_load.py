"""The load of many cores on the head and the scheduler of a cluster: simulated hosts play a fake game, everything else is real."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from time import perf_counter

import psutil

from arbiter.cluster.batches import batch_size
from arbiter.cluster.players import cluster_players
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress
from arbiter.contest.runner import run_contest
from benchmarks.cluster import auction
from benchmarks.options import Options
from benchmarks.row import Row

CORES = 25
"""Cores of a simulated host."""
SIMULATED = ((4, 1.0), (40, 1.0), (40, 0.05))
"""The number of hosts, and the length of a game in seconds."""
ENOUGH = 120_000
"""A number of games that no head finishes during a measurement."""


def rows(_: Options) -> Iterator[Row]:
    """Simulate a hundred and a thousand cores."""
    for hosts, game_s in SIMULATED:
        yield from _simulated(hosts, game_s)


class _Enough(BaseException):
    """Raised when a simulated contest has been measured."""


def _simulated(hosts: int, game_s: float) -> Iterator[Row]:
    """Play a fake game on simulated cores, with a real head and a scheduler in a separate process."""
    cores = hosts * CORES
    batch = batch_size(game_s, cores, 10**9)
    settled_s, measured_s = 3 + 2 * batch * game_s, max(4, 2 * batch * game_s)
    readings: list[tuple[float, int, float, float]] = []
    with _fake_cluster(hosts, game_s) as (address, scheduler), auction(ENOUGH) as contest:
        head, start = psutil.Process(), perf_counter()

        def note(progress: ContestProgress, _: Ledger) -> None:
            now = perf_counter()
            if now - start >= settled_s + (measured_s if readings else 0):
                readings.append((now, progress.now_played, _cpu_s(head), _cpu_s(scheduler)))
                if len(readings) == 2:
                    raise _Enough

        with contextlib.suppress(_Enough), cluster_players(address) as players:
            run_contest(contest, note, players=players)
    took, games, head_s, scheduler_s = (after - before for before, after in zip(*readings, strict=True))
    what = f"{cores} simulated cores, games of {game_s:g} s"
    yield Row(f"{what}: games/s", games / took, "/s", cores / game_s, games / took * game_s / cores)
    yield Row(f"{what}: head, CPU per game", head_s / games * 1000, "ms")
    yield Row(f"{what}: scheduler, CPU per batch of {batch}", scheduler_s / games * batch * 1000, "ms")
    yield Row(f"{what}: scheduler, CPU as a share of the play", scheduler_s / (games * game_s) * 100, "%", most=2)


def _cpu_s(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system)


@contextlib.contextmanager
def _fake_cluster(hosts: int, game_s: float) -> Iterator[tuple[str, psutil.Process]]:
    """Start a scheduler and a process of simulated hosts; yield the scheduler's address and its process."""
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder, contextlib.ExitStack() as stack:
        words = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        scheduler = stack.enter_context(_process(*words, cwd=folder, stderr=subprocess.PIPE))
        line = next(line for line in scheduler.stderr or () if "Scheduler at:" in line)
        address = line.split("Scheduler at:")[1].strip()
        fake = _process(
            "-m",
            "benchmarks.fake_hosts",
            address,
            str(hosts),
            str(CORES),
            str(game_s),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        if (stack.enter_context(fake).stdout or sys.stdin).readline() != "ready\n":
            raise RuntimeError("the simulated hosts did not start")
        yield address, psutil.Process(scheduler.pid)


@contextlib.contextmanager
def _process(*words: str, **options: object) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
