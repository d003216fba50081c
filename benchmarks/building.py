"""The cost of a build in a sandbox, compared with the same compiler run without one."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter_ns

from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.build import OUT, SOURCE
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.levels import LEVELS
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from benchmarks.options import Options
from benchmarks.row import Row

ROUNDS = 15
MOST_MS = 100
PROGRAM = '#include <stdio.h>\nint main(void) { puts("1"); return %s; }\n'


def rows(_: Options) -> Iterator[Row]:
    """Measure the additional milliseconds of a build at each sandbox level that can contain builds here."""
    for level in LEVELS[LEVELS.index("landlock") :]:
        try:
            builder = Builder(choose_sandbox(f"only:{level}"))
        except UserError:
            continue
        more = [_difference_ms(builder, number) for number in range(ROUNDS)]
        yield Row(f"a contained build ({level}), in excess of a bare one", median(more), "ms", most=MOST_MS)


def _difference_ms(builder: Builder, number: int) -> float:
    """Build a program that has not been built before, without a sandbox and with one."""
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-", dir=Path.home()) as folder:
        source = Path(folder, SOURCE, "bot.c")
        source.parent.mkdir()
        Path(folder, OUT).mkdir()
        source.write_text(PROGRAM % f"{os.getpid() % 100} + {number}", encoding="utf-8")
        agent = resolve_agent(str(source), None, Workspace())
        build = agent.build
        if build is None:
            raise AssertionError("a C source has to be built")
        bare_ms = _ms(lambda: subprocess.run(build.command, cwd=source.parent, check=True))
        cache, os.environ["XDG_CACHE_HOME"] = os.environ.get("XDG_CACHE_HOME"), folder  # an empty cache
        try:
            return _ms(lambda: builder.build(agent)) - bare_ms
        finally:
            os.environ.pop("XDG_CACHE_HOME") if cache is None else os.environ.update(XDG_CACHE_HOME=cache)


def _ms(act: Callable[[], object]) -> float:
    start = perf_counter_ns()
    act()
    return (perf_counter_ns() - start) / 1e6
