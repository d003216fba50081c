"""The cluster: its throughput against the pool of this machine. ``cluster_load`` measures the cost of many cores.

Scheduler, Dask worker and head are processes of their own, as they are for users, and share the cores with the games.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from statistics import median

from arbiter.cluster.players import cluster_players
from arbiter.config.game_settings import GameSettings
from arbiter.contest.definition import Contest, Definition
from arbiter.contest.ledger import Ledger
from arbiter.contest.making import make_contest
from arbiter.contest.progress import ContestProgress
from arbiter.contest.runner import run_contest
from arbiter.records.reader import load_header
from benchmarks.agents import INSTANT
from benchmarks.options import Options
from benchmarks.row import Row

GAMES, WORKERS, ROUNDS = 160, 2, 3
LOCAL = "local"


def rows(_: Options) -> Iterator[Row]:
    """Compare two workers of a cluster with two of the pool, in games of 50 ms that keep their core busy."""
    with _cluster() as address:
        # In turn, since other load on the machine changes.
        pairs = [(_measured(LOCAL), _measured(address)) for _ in range(ROUNDS)]
    local, far = (median(rates) for rates in zip(*pairs, strict=True))
    yield Row("cluster: games/s of 50 ms, 2 workers", far, "/s", local, far / local, least=0.95)


@contextlib.contextmanager
def _cluster() -> Iterator[str]:
    """Start a cluster of this machine; yield its address."""
    words = ["-m", "arbiter", "cluster", "start", "--workers", str(WORKERS), "--scheduler-port", "0"]
    with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True) as cluster:
        try:
            line = (cluster.stdout or sys.stdin).readline()
            yield next(word for word in line.split() if "://" in word)
        finally:
            cluster.terminate()


@contextlib.contextmanager
def auction(games: int) -> Iterator[Contest]:
    """Yield a match of this many games of 50 ms, in a temporary folder."""
    nullgame = Path(__file__).resolve().parents[1] / "tests" / "nullgame" / "auction"
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        place = Path(folder)
        (place / "arbiter.toml").write_text(f'[protocols.auction]\nfolder = "{nullgame}"\n', encoding="utf-8")
        (place / "bot").mkdir()
        (place / "bot" / "bids.c").write_bytes((INSTANT / "bids.c").read_bytes())
        definition = Definition(
            name="bench",
            protocol="auction",
            agents=tuple(f"{name}={place / 'bot' / 'bids.c'}" for name in "ab"),
            settings=GameSettings(options={"rounds": 1}),
            workspace=folder,
        )
        yield make_contest(definition, {"kind": "round_robin", "games": games}, place / "games")


def _measured(where: str) -> float:
    """Play the match in a separate process; return its games per second."""
    ran = subprocess.run([sys.executable, "-m", "benchmarks.cluster", where], stdout=subprocess.PIPE, check=True)
    return float(ran.stdout)


def _rate(where: str) -> float:
    """Return games per second, from the start of the first game until the last one was reported."""
    last = 0.0

    def note(_: ContestProgress, __: Ledger) -> None:
        nonlocal last
        last = time.time()

    with contextlib.ExitStack() as stack:
        contest = stack.enter_context(auction(GAMES))
        players = None if where == LOCAL else stack.enter_context(cluster_players(where))
        if not run_contest(replace(contest, workers=WORKERS), note, players=players).complete:
            raise RuntimeError("the games failed")
        starts = [datetime.fromisoformat(load_header(path).started) for path in contest.folder.glob("*.jsonl")]
    return GAMES / (last - min(starts).timestamp())


if __name__ == "__main__":
    print(_rate(sys.argv[1]))
