"""Memory pressure of a cgroup, from files that say what a test wants."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.agents.clock.pressure import FRESH_NS, MemoryPressure

TEXT = "some avg10=0.21 avg60=10.95 avg300=5.95 total=90000\nfull avg10=0.07 avg60=4.03 avg300=2.18 total={}\n"
V1, V2 = "{}\n", "low 0\nhigh 0\nmax {}\noom 0\n"


@pytest.mark.parametrize("hits", [V1, V2], ids=["version 1", "version 2"])
def test_stalls_count_unless_the_agent_reached_its_own_limit(tmp_path: Path, hits: str) -> None:
    stalls, reached = tmp_path / "memory.pressure", tmp_path / "hits"
    stalls.write_text(TEXT.format(1_000))
    reached.write_text(hits.format(3))
    pressure = MemoryPressure(stalls, reached)
    before = pressure.snapshot(FRESH_NS)
    assert pressure.since(before) == 0
    stalls.write_text(TEXT.format(21_000))
    assert pressure.since(before) == 20_000_000
    reached.write_text(hits.format(4))
    assert pressure.since(before) == 0
    assert pressure.snapshot(2 * FRESH_NS - 1) == before  # recent enough
    assert pressure.snapshot(2 * FRESH_NS) == (21_000_000, 4)
    pressure.close()


def test_a_kernel_without_psi(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        MemoryPressure(tmp_path / "memory.pressure", tmp_path / "memory.events")
    (tmp_path / "memory.pressure").write_text("")
    (tmp_path / "memory.events").write_text("")
    pressure = MemoryPressure(tmp_path / "memory.pressure", tmp_path / "memory.events")
    assert pressure.since(pressure.snapshot(FRESH_NS)) == 0
    pressure.close()
