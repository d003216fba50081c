"""Games per second as contests play them, with workers, sandbox, records and ledger, and agents that answer immediately."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from arbiter.agents.launch import cores
from arbiter.bench import floor
from arbiter.config.game_settings import GameSettings
from arbiter.contest.definition import Definition
from arbiter.contest.ledger import Ledger
from arbiter.contest.making import make_contest
from arbiter.contest.progress import ContestProgress
from arbiter.contest.runner import run_contest
from arbiter.records.reader import load_record
from arbiter.records.writer import SUFFIX
from benchmarks.agents import INSTANT, compiled
from benchmarks.options import Options
from benchmarks.row import Row
from benchmarks.turns import LINE
from benchmarks.workloads import WORKLOADS, Workload

ROUNDS = 2
"""The better round counts, since disturbances only slow down."""
SPAWNS, TURNS = 100, 2000
"""Bare spawns and round trips for the floor."""
WARM_UP = 5
"""One fifth of the games is played before timing starts, so that the start of the workers is not timed."""


def rows(_: Options) -> Iterator[Row]:
    """Compare one worker with bare round trips or spawns, and two workers with one, for every protocol."""
    for workload in WORKLOADS:
        pairs = [(_rate(workload, 1), _rate(workload, 2)) for _ in range(ROUNDS)]
        one, two = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
        best = 1e6 / one.bare_us
        yield Row(f"{workload.name}: games/s, 1 worker", one.per_s, "/s", best, one.per_s / best)
        ratio = two.per_s / one.per_s
        yield Row(f"{workload.name}: games/s, 2 workers", two.per_s, "/s", one.per_s, ratio, least=1.9)


@dataclass(frozen=True, slots=True, order=True)
class _Rate:
    per_s: float
    bare_us: float
    """The floor for one game: one bare round trip, or bare spawn, for each of its answers."""


def _rate(workload: Workload, workers: int) -> _Rate:
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        definition = Definition(
            name="bench",
            protocol=workload.name,
            agents=tuple(f"{name}={INSTANT / workload.name}.c" for name in "abcd"[: workload.seats]),
            seats=workload.seats,
            settings=GameSettings(options=workload.options),
            workspace=folder,
        )
        games = workload.games * workers
        contest = make_contest(definition, {"kind": "round_robin", "games": games}, Path(folder))
        times: list[float] = []

        def note(progress: ContestProgress, _: Ledger) -> None:
            if progress.now_played:
                times.append(perf_counter())

        ending = run_contest(replace(contest, workers=workers), note)
        faults = [faults for outcome in ending.counted for faults in outcome.faults if faults]
        if faults or not ending.complete:
            raise RuntimeError(f"the games of {workload.name} failed: {faults} {ending.progress.notes}")
        warm = games // WARM_UP
        per_s = (games - 1 - warm) / (times[-1] - times[warm])
        return _Rate(per_s, _bare_us(contest.folder))


def _bare_us(folder: Path) -> float:
    """Return the mean floor of the games saved in a folder, in microseconds."""
    records = [load_record(path) for path in folder.glob(f"*{SUFFIX}")]
    answers = sum(len(record.answers) for record in records) / len(records)
    with cores.pinned():
        if records[0].header.seats[0].lifetime == "move":
            return answers * floor.spawns(compiled("once"), LINE, SPAWNS)
        with floor.round_trips(compiled("echo"), LINE) as bare:
            return answers * bare(TURNS)
