"""Random and mutated answers for the readers of all games: anything but IllegalMove raises right through here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from time import perf_counter, time_ns

from benchmarks.engines import games
from benchmarks.options import Options
from benchmarks.row import Row


def rows(options: Options) -> Iterator[Row]:
    """Answers a second; that there is a row at all is what counts."""
    for game in games() if options.fuzz else ():
        start = perf_counter()
        importlib.import_module(f"tests.{game}.fuzz").fuzz(seed=time_ns() // 1_000_000, count=options.fuzz)
        yield Row(f"{game}: {options.fuzz:,} fuzzed answers", options.fuzz / (perf_counter() - start), "/s")
