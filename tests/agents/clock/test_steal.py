"""CPU steal time: how it is read, and that no agent is charged for it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from time import monotonic_ns

import pytest

from arbiter.agents.ask import table as tables
from arbiter.agents.ask.request import Request, Seat, TableRules
from arbiter.agents.clock import stalls
from arbiter.agents.clock.meter import Meter
from arbiter.agents.clock.sentinel import Sentinels
from arbiter.agents.clock.steal import FRESH_NS, StealTime
from arbiter.agents.launch import tree
from arbiter.game import FaultKind, Lifetime
from tests.agents.clock.test_charged_agents import launch, limits_of

MS = 1_000_000
STAT = "cpu  1 2 3 4 5 6 7 {all} 0 0\ncpu0 1 2 3 4 5 6 7 {one} 0 0\ncpu1 1 2 3 4 5 6 7 {two} 0 0\nintr 1 2 3\n"


@pytest.fixture
def stat(tmp_path: Path) -> Path:
    path = tmp_path / "stat"
    write(path, 5, 0)
    return path


def write(path: Path, one: int, two: int) -> None:
    path.write_text(STAT.format(all=one + two, one=one, two=two), encoding="ascii")


def test_it_is_counted_by_core_with_the_benefit_of_the_doubt(stat: Path) -> None:
    stolen = StealTime(stat)
    before = stolen.snapshot(0)
    write(stat, 8, 1)
    assert stolen.since(before, [0]) == 40 * MS  # 30 and nearly 40 look the same
    assert stolen.since(before, [1]) == 20 * MS
    assert stolen.since(before, [0, 1]) == 40 * MS
    assert stolen.since(before, [7]) == 0
    stolen.close()


def test_nothing_stolen_is_nothing(stat: Path) -> None:
    stolen = StealTime(stat)
    assert stolen.since(stolen.snapshot(0), [0, 1]) == 0
    assert stolen.ever()  # since the machine was started, that is
    write(stat, 0, 0)
    stolen.since(b"", [0])
    assert not stolen.ever()
    stolen.close()


def test_a_snapshot_serves_for_a_while(stat: Path) -> None:
    stolen = StealTime(stat)
    first = stolen.snapshot(10**18)
    write(stat, 9, 9)
    assert stolen.snapshot(0) == first
    stolen.close()
    assert FRESH_NS == 20 * MS


def test_a_kernel_that_does_not_report_steal_time(tmp_path: Path) -> None:
    stolen = StealTime(tmp_path / "missing")
    assert stolen.snapshot(0) == b""
    assert stolen.since(b"", [0]) == 0
    assert not stolen.ever()
    stolen.close()


class Taken(StealTime):
    """Steal time of ``taken_ns``, which is reported ``tells_after_ns`` after the first reading."""

    taken_ns = tells_after_ns = 0
    asked_ns: int | None = None

    def ever(self) -> bool:
        return True

    def since(self, snapshot: bytes, cores: Iterable[int]) -> int:
        now = monotonic_ns()
        Taken.asked_ns = Taken.asked_ns or now
        return self.taken_ns if now >= Taken.asked_ns + self.tells_after_ns else 0


@pytest.mark.parametrize(
    ("taken_ms", "tells_after_ms", "late"), [(0, 0, True), (20, 0, True), (150, 0, False), (150, 45, False)]
)
@pytest.mark.parametrize("lifetime", ["move", "game"])
def test_an_agent_whose_core_was_stolen_is_not_late(
    monkeypatch: pytest.MonkeyPatch, lifetime: Lifetime, taken_ms: int, tells_after_ms: int, late: bool
) -> None:
    """An agent that loses its core seems to sleep, except that its state is running. Its answer comes 40 ms after its limit,
    perhaps before the steal time is reported."""
    monkeypatch.setattr(stalls, "StealTime", Taken)
    monkeypatch.setattr(Taken, "taken_ns", taken_ms * MS)
    monkeypatch.setattr(Taken, "tells_after_ns", tells_after_ms * MS)
    monkeypatch.setattr(tree, "is_ready", lambda _: True)
    monkeypatch.setattr(Meter, "overslept", lambda *_, **__: None)  # the machine may really have stalled
    monkeypatch.setattr(Sentinels, "of", lambda *_: None)
    with tables.Table([Seat(launch(lifetime), limits_of(300), lifetime)], TableRules(clock="fair")) as table:
        assert table.ask([Request(0, "pass\n", lambda _: "")])[0].fault is None
        monkeypatch.setattr(Taken, "asked_ns", None)
        slept = 0.6 if late else 0.34  # on a busy machine, its waits and ours may add up to more than 40 ms
        (answer,) = table.ask([Request(0, f"time.sleep({slept})\n", lambda _: "")])
    assert (answer.fault is not None and answer.fault.kind is FaultKind.LATE) == late
    if not late:
        assert answer.waited_ns >= taken_ms * MS
        assert answer.charged_ns <= 300 * MS < answer.wall_ns
