"""How long a command takes from its first instruction to its last: the help, a game of one turn, a match of two such games."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter_ns

from arbiter.bench.compare import alternate
from benchmarks.agents import compiled
from benchmarks.options import Options
from benchmarks.row import Row

ROUNDS = 15
ONE_TURN = ("-o", "max_rounds=1", "-q")


def rows(_: Options) -> Iterator[Row]:
    """Measure commands in milliseconds, with a Python process that does nothing as their floor."""
    agent = compiled("once")[0]
    commands = (
        ("arbiter --help", ["--help"], 100),
        ("arbiter play, one turn", ["play", "splendor", agent, *ONE_TURN], 200),
        (
            "arbiter match, two such games",
            ["match", "splendor", agent, f"other={agent}", *ONE_TURN, "--games", "2"],
            350,
        ),
    )
    for what, words, most in commands:
        found = alternate(lambda: _run("-c", ""), lambda: _run("-m", "arbiter", *words), ROUNDS)  # noqa: B023
        yield Row(what, found.cost, "ms", found.floor, found.ratio, most=most, aim_for_figure=True)


def _run(*words: str) -> float:
    """Run Python in a new folder: a match in the same folder would be resumed and play nothing."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # without bytecode files, every import would compile again
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-", dir=Path.home()) as folder:
        start = perf_counter_ns()
        subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True, cwd=folder, env=environment)
        return (perf_counter_ns() - start) / 1e6
