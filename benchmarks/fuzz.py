"""Random and mutated answers for every protocol's ``read``: any exception but IllegalMove propagates and stops the run."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from time import perf_counter, time_ns

from benchmarks.engines import protocols
from benchmarks.options import Options
from benchmarks.row import Row


def rows(options: Options) -> Iterator[Row]:
    """Report answers per second; a row means that no answer raised an unexpected exception."""
    for protocol in protocols() if options.fuzz else ():
        fuzz = importlib.import_module(f"tests.protocols.{protocol}.fuzz").fuzz
        start = perf_counter()
        fuzz(seed=time_ns() // 1_000_000, count=options.fuzz)
        yield Row(f"{protocol}: {options.fuzz:,} fuzzed answers", options.fuzz / (perf_counter() - start), "/s")
