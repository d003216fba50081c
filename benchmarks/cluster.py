"""The cluster: its throughput against the pool of this machine, and the scheduler under a thousand simulated cores."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from arbiter.cluster.batches import QUEUED, batch_size
from arbiter.cluster.local import local_cluster
from arbiter.cluster.players import cluster_players
from arbiter.contest.definition import Definition
from arbiter.contest.ledger import Ledger
from arbiter.contest.making import make_contest
from arbiter.contest.players import MakePlayers
from arbiter.contest.progress import ContestProgress
from arbiter.contest.runner import run
from arbiter.game_settings import GameSettings
from benchmarks.options import Options
from benchmarks.row import Row

GAMES, WORKERS, WARM_UP, ROUNDS = 240, 2, 40, 3
SLOW = "import sys, time\nfor line in sys.stdin:\n    if line.startswith('prize'):\n        time.sleep(0.05)\n        print(5, flush=True)\n"
"""An agent whose games of one round take about 50 ms."""
HOSTS, CORES = 40, 25
"""Simulated: a thousand cores."""
GAME_S, BATCHES = 0.05, 3


def rows(_: Options) -> Iterator[Row]:
    """Compare two workers of a cluster with two of the pool, and load a scheduler with a fake game."""
    with local_cluster(WORKERS, "127.0.0.1", 0) as address, cluster_players(address) as players:
        pairs = [(_rate(None), _rate(players)) for _ in range(ROUNDS)]  # in turn: other load on the machine changes
    local, far = (max(rates) for rates in zip(*pairs, strict=True))
    yield Row("cluster: games/s of 50 ms, 2 workers", far, "/s", local, far / local, least=0.95)
    yield from _simulated()


def _rate(players: MakePlayers | None) -> float:
    """Return games per second once the workers are warm."""
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
        contest = make_contest(definition, {"kind": "round_robin", "games": GAMES}, place / "games")
        times: list[float] = []

        def note(progress: ContestProgress, _: Ledger) -> None:
            if progress.now_played:
                times.append(perf_counter())

        if not run(replace(contest, workers=WORKERS), note, players=players).complete:
            raise RuntimeError("the games failed")
        return (GAMES - 1 - WARM_UP) / (times[-1] - times[WARM_UP])


def _fake(games: int) -> bytes:
    time.sleep(games * GAME_S)
    return b"x" * 2000 * games


def _simulated() -> Iterator[Row]:
    """Batches of a fake game for a thousand cores; scheduler, workers and head share this process, which is the worst case."""
    from distributed import Client, LocalCluster, as_completed

    cores = HOSTS * CORES
    size = batch_size(GAME_S, cores, 10**9)
    total = BATCHES * cores
    with (
        LocalCluster(
            n_workers=HOSTS, threads_per_worker=CORES, processes=False, dashboard_address=None, memory_limit=0
        ) as cluster,
        Client(cluster) as client,
    ):
        start, cpu = perf_counter(), time.process_time()
        sent = min(total, QUEUED * cores)
        flying = as_completed([client.submit(_fake, size, pure=False) for _ in range(sent)])
        done = 0
        for future in flying:
            future.result()
            done += 1
            if sent < total:
                flying.add(client.submit(_fake, size, pure=False))
                sent += 1
        took, used = perf_counter() - start, time.process_time() - cpu
    play_s = total * size * GAME_S / cores
    yield Row(f"cluster: {cores} simulated cores, games/s", total * size / took, "/s", cores / GAME_S, play_s / took)
    yield Row("cluster: CPU of scheduler, head and workers per batch", used / done * 1000, "ms")
    yield Row("cluster: that CPU as a share of the play", used / (total * size * GAME_S) * 100, "%", most=2)
