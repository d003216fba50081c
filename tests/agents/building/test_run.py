"""One step of a build: its limits."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arbiter.agents.building.run import Output, run_step
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.config.limits import Source, resolve_limits

pytestmark = pytest.mark.slow

SPREADS = """
import os, signal
for _ in range(4):
    if not os.fork():
        kept = b"x" * (60 << 20)
        signal.pause()
signal.pause()
"""


def test_memory_spread_over_several_processes_counts_together(tmp_path: Path) -> None:
    limits, _ = resolve_limits([Source("test", {"memory": "150MB", "build": "1min"})])
    with Path(os.devnull).open("rb") as null:
        launch = Launch([sys.executable, "-S", "-I", "-c", SPREADS], str(tmp_path), {})
        outcome = run_step(launch, limits, None, stdin=null.fileno(), stdout=Output().write, most_bytes=1 << 20)
    assert outcome.ended == "out of memory"
