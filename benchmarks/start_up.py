"""How long ``arbiter --help`` takes, compared with a Python process that does nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter_ns

from arbiter.bench.compare import alternate
from benchmarks.options import Options
from benchmarks.row import Row

ROUNDS = 15


def rows(_: Options) -> Iterator[Row]:
    """Measure the time of ``arbiter --help`` in milliseconds."""
    found = alternate(lambda: _run("-c", ""), lambda: _run("-m", "arbiter", "--help"), ROUNDS)
    yield Row("arbiter --help", found.cost, "ms", found.floor, found.ratio, most=100, aim_for_figure=True)


def _run(*words: str) -> float:
    start = perf_counter_ns()
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
    return (perf_counter_ns() - start) / 1e6
