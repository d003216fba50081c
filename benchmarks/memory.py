"""Whether the memory of a contest worker grows with the number of games. Python's memory settles within a few thousand games,
after growing by about a megabyte; a leak keeps growing after that."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil

from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.contest.scheduled import ScheduledGame
from arbiter.contest.worker import Done, WorkerConfig
from arbiter.own_module import own_module
from arbiter.playing.job import Job
from arbiter.playing.plan import Plan, encode_plan
from arbiter.playing.planning import make_plan
from benchmarks.agents import INSTANT
from benchmarks.options import Options
from benchmarks.row import Row

FIRST = 10


def rows(options: Options) -> Iterator[Row]:
    """Compare a worker's memory after many games with that after ten and after half of them; each game has one move."""
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        agents = [f"a={INSTANT / 'splendor.c'}"]
        settings, workspace = GameSettings(options={"max_rounds": 1}), Workspace(Path(folder))
        plan = make_plan("splendor", agents, settings, save=Path(folder), workspace=workspace)
        with _Worker(plan, Path(folder)) as worker:
            half = max(FIRST, options.games // 2)
            early = worker.play(FIRST)
            midway = worker.play(half - FIRST)
            late = worker.play(options.games - half)
    what = f"memory of a worker after {options.games:,} games"
    yield Row(f"{what}, against {FIRST:,}", late / 1e6, "MB", early / 1e6, late / early, most=1.05)
    yield Row(f"{what}, against {half:,}", late / 1e6, "MB", midway / 1e6, late / midway, most=1.01)


class _Worker:
    """A contest worker driven by the benchmark."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self._folder, self._number = folder, 0
        self._process = subprocess.Popen(
            own_module("arbiter.contest.worker"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._ask(WorkerConfig(plan, "bench", 0, 1, os.getpid()))

    def _ask(self, message: msgspec.Struct) -> None:
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("Popen was asked for pipes")
        self._process.stdin.write(encode_plan(message) + b"\n")
        self._process.stdin.flush()
        done = msgspec.json.decode(self._process.stdout.readline(), type=Done)
        if done.error:
            raise RuntimeError(f"{done.error}\n{done.bug}")

    def play(self, games: int) -> int:
        """Play a number of games; return the worker's resident memory in bytes after them."""
        for _ in range(games):
            self._number += 1
            path = self._folder / f"{self._number}.jsonl"
            self._ask(Job(ScheduledGame(("a",), self._number), self._number, str(path)))
            path.unlink()
        return int(psutil.Process(self._process.pid).memory_info().rss)

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:  # closes its pipes, which makes it exit
            pass
