"""The throughput of a cluster, compared with the pool of this machine. ``cluster_load`` measures the cost of many cores."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from arbiter.cluster.local import local_cluster
from arbiter.cluster.players import cluster_players
from arbiter.contest.definition import Contest, Definition
from arbiter.contest.ledger import Ledger
from arbiter.contest.making import make_contest
from arbiter.contest.players import MakePlayers
from arbiter.contest.progress import ContestProgress
from arbiter.contest.runner import run_contest
from arbiter.game_settings import GameSettings
from benchmarks.options import Options
from benchmarks.row import Row

GAMES, WORKERS, WARM_UP, ROUNDS = 160, 2, 40, 2
SLOW = "import sys, time\nfor line in sys.stdin:\n    if line.startswith('prize'):\n        time.sleep(0.05)\n        print(5, flush=True)\n"
"""An agent whose games of one round take about 50 ms."""


def rows(_: Options) -> Iterator[Row]:
    """Compare two workers of a cluster with two of the pool."""
    with local_cluster(WORKERS, "127.0.0.1", 0) as address, cluster_players(address) as players:
        pairs = [(_rate(None), _rate(players)) for _ in range(ROUNDS)]  # alternately, since other load changes
    local, far = (max(rates) for rates in zip(*pairs, strict=True))
    yield Row("cluster: games/s of 50 ms, 2 workers", far, "/s", local, far / local, least=0.95)


@contextlib.contextmanager
def auction(games: int) -> Iterator[Contest]:
    """Yield a match of so many games of 50 ms, in a temporary folder."""
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

    with auction(GAMES) as contest:
        if not run_contest(replace(contest, workers=WORKERS), note, players=players).complete:
            raise RuntimeError("the games failed")
    return (GAMES - 1 - WARM_UP) / (times[-1] - times[WARM_UP])
