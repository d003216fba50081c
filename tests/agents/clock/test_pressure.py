"""Memory and disk pressure of a cgroup, from files that say what a test wants."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.agents.clock.pressure import FRESH_NS, UNKNOWN_NS, DiskPressure, MemoryPressure

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


def test_waits_for_a_disk_are_those_of_any_process(tmp_path: Path) -> None:
    file = tmp_path / "io.pressure"
    text = "some avg10=0.00 avg60=0.00 avg300=0.00 total={}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"
    file.write_text(text.format(1_000))
    pressure = DiskPressure(file)
    before = pressure.snapshot(FRESH_NS)
    file.write_text(text.format(21_000))
    assert pressure.since(before) == 20_000_000
    assert pressure.snapshot(2 * FRESH_NS - 1) == before  # recent enough
    assert pressure.snapshot(2 * FRESH_NS) == 21_000_000
    file.write_text("")
    assert pressure.since(before) == UNKNOWN_NS
    pressure.close()


def test_without_psi_every_wait_may_have_been_for_a_disk(tmp_path: Path) -> None:
    pressure = DiskPressure(tmp_path / "io.pressure")
    assert pressure.since(pressure.snapshot(FRESH_NS)) == UNKNOWN_NS
