"""The cluster: its throughput against the pool of this machine, and what a thousand simulated cores cost head and scheduler."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import psutil

from arbiter.cluster.batches import batch_size
from arbiter.cluster.local import local_cluster
from arbiter.cluster.players import cluster_players
from arbiter.contest.definition import Contest, Definition
from arbiter.contest.ledger import Ledger
from arbiter.contest.making import make_contest
from arbiter.contest.players import MakePlayers
from arbiter.contest.progress import ContestProgress
from arbiter.contest.runner import run
from arbiter.game_settings import GameSettings
from benchmarks.options import Options
from benchmarks.row import Row

GAMES, WORKERS, WARM_UP, ROUNDS = 160, 2, 40, 2
SLOW = "import sys, time\nfor line in sys.stdin:\n    if line.startswith('prize'):\n        time.sleep(0.05)\n        print(5, flush=True)\n"
"""An agent whose games of one round take about 50 ms."""
CORES = 25
"""Of a simulated host."""
SIMULATED = ((4, 1.0), (40, 1.0), (40, 0.05))
"""Hosts, and the length of a game in seconds."""
SETTLED_S, MEASURED_S = 4.0, 6.0
"""How long a simulated contest runs before it is measured, and while it is."""


def rows(_: Options) -> Iterator[Row]:
    """Compare two workers of a cluster with two of the pool, and simulate a hundred and a thousand cores."""
    with local_cluster(WORKERS, "127.0.0.1", 0) as address, cluster_players(address) as players:
        pairs = [(_rate(None), _rate(players)) for _ in range(ROUNDS)]  # in turn: other load on the machine changes
    local, far = (max(rates) for rates in zip(*pairs, strict=True))
    yield Row("cluster: games/s of 50 ms, 2 workers", far, "/s", local, far / local, least=0.95)
    for hosts, game_s in SIMULATED:
        yield from _simulated(hosts, game_s)


@contextlib.contextmanager
def _contest(games: int) -> Iterator[Contest]:
    nullgame = Path(__file__).resolve().parents[1] / "tests" / "nullgame" / "auction"
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        place = Path(folder)
        (place / "arbiter.toml").write_text(f'[protocols.auction]\nfolder = "{nullgame}"\n', encoding="utf-8")
        (place / "bot").mkdir()
        (place / "bot" / "slow.py").write_text(SLOW, encoding="utf-8")
        definition = Definition(
            name="bench",
            protocol="auction",
            agents=tuple(f"{name}={place / 'bot' / 'slow.py'}" for name in "ab"),
            settings=GameSettings(options={"rounds": 1}),
            workspace=folder,
        )
        yield make_contest(definition, {"kind": "round_robin", "games": games}, place / "games")


def _rate(players: MakePlayers | None) -> float:
    """Return games per second once the workers are warm."""
    times: list[float] = []

    def note(progress: ContestProgress, _: Ledger) -> None:
        if progress.now_played:
            times.append(perf_counter())

    with _contest(GAMES) as contest:
        if not run(replace(contest, workers=WORKERS), note, players=players).complete:
            raise RuntimeError("the games failed")
    return (GAMES - 1 - WARM_UP) / (times[-1] - times[WARM_UP])


class _Enough(BaseException):
    """A simulated contest has been measured."""


def _simulated(hosts: int, game_s: float) -> Iterator[Row]:
    """Play a fake game on simulated cores, with a real head and a scheduler in a process of its own."""
    cores = hosts * CORES
    readings: list[tuple[float, int, float, float]] = []
    with _fake_cluster(hosts, game_s) as (address, scheduler), _contest(int(2 * 30 * cores / game_s)) as contest:
        head, start = psutil.Process(), perf_counter()

        def note(progress: ContestProgress, _: Ledger) -> None:
            now = perf_counter()
            if now - start >= (SETTLED_S if not readings else SETTLED_S + MEASURED_S):
                readings.append((now, progress.now_played, _cpu_s(head), _cpu_s(scheduler)))
                if len(readings) == 2:
                    raise _Enough

        with contextlib.suppress(_Enough), cluster_players(address) as players:
            run(contest, note, players=players)
    took, games, head_s, scheduler_s = (after - before for before, after in zip(*readings, strict=True))
    what = f"{cores} simulated cores, games of {game_s:g} s"
    batch = batch_size(game_s, cores, 10**9)
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
