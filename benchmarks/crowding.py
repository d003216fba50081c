"""How far an agent gets in 50 ms of wall time while its opponent spins out of turn, compared with an opponent that sleeps."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, median

from arbiter.agents.launch import cores
from arbiter.config.game_settings import GameSettings
from arbiter.playing.planning import make_plan
from arbiter.playing.series import play_series
from arbiter.records.reader import load_record
from benchmarks.agents import INSTANT
from benchmarks.options import Options
from benchmarks.row import Row

GAMES, TURNS = 5, 20
LEAST = 0.9


def rows(_: Options) -> Iterator[Row]:
    """Play the same games against an opponent that sleeps and one that spins, alternately, all on one core."""
    pairs = [(_nodes("idles"), _nodes("crowds")) for _ in range(GAMES)]
    alone, crowded = median(alone for alone, _ in pairs), median(crowded for _, crowded in pairs)
    ratio = median(crowded / alone for alone, crowded in pairs)
    yield Row("nodes in 50 ms against 45 spinning threads", crowded, "", alone, ratio, least=LEAST)


def _nodes(opponent: str) -> float:
    """Return the mean number of nodes per move, except for the first move, during which the arbiter finds out which agent spins."""
    settings = GameSettings(lifetime="game", options={"max_rounds": TURNS})
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-", dir=Path.home()) as folder, cores.pinned():
        agents = [f"a={INSTANT / opponent}.c", f"b={INSTANT / 'thinks'}.c"]
        report = play_series(make_plan("splendor", agents, settings, save=Path(folder)), games=1, seed=1)
        answers = [line for line in load_record(Path(report.games[0].record)).answers if line.seat == 1]
        if any(line.fault for line in answers):
            raise RuntimeError(f"the benchmark's agent faulted: {answers}")
        return fmean(int(line.kibitz[0]) for line in answers[1:])
