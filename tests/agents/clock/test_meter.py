"""What a meter reads for a question, from processes and machines that report whatever a test wants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.agents.clock import meter as meters
from arbiter.agents.clock.charge import CLOCKS, NEGLIGIBLE_NS, Clock
from arbiter.agents.clock.meter import PONDERED_NS, SHARED_NS, Meter, Times
from arbiter.agents.clock.pressure import UNKNOWN_NS
from arbiter.agents.clock.sentinel import Noticed
from arbiter.agents.clock.stalls import MachineReadings

MS = 1_000_000


class Threads:
    """Of an agent that has waited so long."""

    def __init__(self, waited_ms: int) -> None:
        self._waited_ns = waited_ms * MS
        self.snapshots = 0

    def snapshot(self) -> bytes:
        self.snapshots += 1
        return b"0 0 0"

    def waits(self, before: object, cpu_ns: int) -> dict[int, int]:
        return {1: self._waited_ns}


class Process:
    """A process whose CPU time a test sets."""

    exit_code = None
    preloaded = has_helped = False
    cpu_clock = 7
    started_ns = launch_wait_ns = cpu_at_start_ns = 0
    memory_pressure: Any = None
    usage_file = None
    disk_pressure: Any = None

    def __init__(self, waited_ms: int = 0) -> None:
        self.threads = Threads(waited_ms)
        self.used_ns = self.helped_ns = 0

    def own_cpu_ns(self) -> int:
        return self.used_ns

    def cpu_ns(self) -> int:
        return self.used_ns + self.helped_ns

    def is_ready(self) -> bool:
        return True


class Arbiter:
    """An arbiter that has waited so long for a core."""

    def __init__(self, waited_ms: int) -> None:
        self.waited_ns = waited_ms * MS

    def snapshot(self) -> bytes:
        return b""

    def since(self, _: bytes) -> int:
        return self.waited_ns

    def close(self) -> None:
        pass


class Steal:
    """A host that has stolen so much."""

    def __init__(self, stolen_ms: int) -> None:
        self.stolen_ns = stolen_ms * MS

    def snapshot(self, _: int) -> bytes:
        return b""

    def since(self, _: bytes, cores: Iterable[int]) -> int:
        return self.stolen_ns

    def ever(self) -> bool:
        return self.stolen_ns > 0

    def close(self) -> None:
        pass


class Pressure:
    """A cgroup that was stalled so long."""

    def __init__(self, stalled_ms: int) -> None:
        self._stalled_ns = stalled_ms * MS

    def snapshot(self, _: int) -> tuple[int, int]:
        return 0, 0

    def since(self, _: tuple[int, int]) -> int:
        return self._stalled_ns


class Disk:
    """Processes that waited so long for a disk."""

    def __init__(self, waited_ns: int) -> None:
        self._waited_ns = waited_ns

    def snapshot(self, _: int) -> int:
        return 0

    def since(self, _: int) -> int:
        return self._waited_ns


class Beats:
    """A sentinel that a test sets; it serves every core."""

    def __init__(self) -> None:
        self.totals = Noticed()
        self.followed: list[tuple[int, int, int]] = []
        self.rested = 0
        self.beaten = 0

    def of(self, _: object) -> Beats:
        return self

    def follow(self, _: int, clock: int, __: object, cpu_ns: int, start_ns: int) -> None:
        self.followed.append((clock, cpu_ns, start_ns))

    def rest(self, _: int) -> None:
        self.rested += 1

    def beat(self, _: int) -> bool:
        self.beaten += 1
        return self.beaten == 1

    def read(self, _: int) -> Noticed:
        return self.totals

    def is_behind(self, _: int, __: int) -> bool:
        return False


class Wall:
    """A monotonic clock that a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_ns = 10**12
        monkeypatch.setattr(meters, "monotonic_ns", lambda: self.now_ns)


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Wall:
    return Wall(monkeypatch)


def meter_of(clock: Clock = "fair", *, own: int = 0, stolen: int = 0, beats: Beats | None = None) -> Meter:
    machine: Any = MachineReadings(Arbiter(own), Steal(stolen), beats or Beats(), Disk(UNKNOWN_NS))  # type: ignore[arg-type]
    return Meter(clock, machine, frozenset({0}))


def times(
    wall: int,
    cpu: int,
    *,
    waited: int = 0,
    own: int = 0,
    stolen: int = 0,
    late: int = 0,
    asleep: int = 0,
    busy: int = 0,
    stalled: int = 0,
    mistaken: int = 0,
    short: int = 0,
    blocked: int = 0,
    disk: int | None = 0,
    clock: Clock = "fair",
) -> Times:
    """The times of an answer; all in milliseconds. ``disk`` is None where the kernel does not tell."""
    beats = Beats()
    meter, process = meter_of(clock, own=own, stolen=stolen, beats=beats), Process(waited)
    process.memory_pressure = Pressure(short) if short else None
    process.disk_pressure = Disk(disk * MS) if disk is not None else None
    anything: Any = process
    meter.attach(anything)
    start_ns = meter.begin()
    meter.open(start_ns, 50 * MS)
    process.used_ns, beats.totals = cpu * MS, Noticed(stalled * MS, mistaken * MS, blocked * MS)
    if late or busy:
        meter.overslept((asleep + late) * MS, asleep * MS, busy * MS)
    meter.read(start_ns + wall * MS)
    return meter.finish(wall * MS, first=False)


@pytest.mark.parametrize(
    ("given", "waited", "charged"),
    [
        ({"wall": 50, "cpu": 20}, 0, 50),  # it slept for the rest
        ({"wall": 50, "cpu": 20, "waited": 25}, 25, 25),
        ({"wall": 50, "cpu": 20, "waited": 20, "own": 5}, 25, 25),
        ({"wall": 50, "cpu": 20, "waited": 5, "stolen": 20}, 25, 25),
        ({"wall": 50, "cpu": 20, "waited": 25, "own": 25, "stolen": 40}, 30, 20),  # more than there was
        ({"wall": 500, "cpu": 20, "waited": 480, "clock": "wall"}, 480, 500),
        # A core that stalled: the kernel took it for CPU time, or for nothing at all, or counted it as steal time.
        ({"wall": 80, "cpu": 75, "stalled": 55, "mistaken": 55}, 55, 25),
        ({"wall": 80, "cpu": 20, "stalled": 55}, 55, 25),
        ({"wall": 80, "cpu": 20, "stalled": 55, "stolen": 60}, 60, 20),
        ({"wall": 80, "cpu": 75, "stalled": 55}, 5, 75),  # while somebody else was running
        # An arbiter that was stopped: its agent may have waited to be heard, but what it worked was work.
        ({"wall": 80, "cpu": 20, "late": 55}, 55, 25),
        ({"wall": 80, "cpu": 20, "late": 45, "asleep": 10}, 55, 25),  # stopped when it had just fallen asleep
        ({"wall": 80, "cpu": 20, "late": 2, "asleep": 10}, 0, 80),
        ({"wall": 80, "cpu": 20, "late": 30, "busy": 25}, 55, 25),
        ({"wall": 80, "cpu": 20, "own": 30, "late": 30, "asleep": 10, "busy": 25}, 55, 25),  # late for want of a core
        ({"wall": 80, "cpu": 20, "own": 55, "late": 30, "asleep": 10, "busy": 25}, 55, 25),
        ({"wall": 80, "cpu": 20, "own": 5, "late": 7, "asleep": 10, "busy": 2}, 5, 75),
        ({"wall": 80, "cpu": 75, "late": 55}, 5, 75),
        ({"wall": 80, "cpu": 20, "waited": 5, "own": 60, "late": 60}, 60, 20),  # it was waiting for a core, that is all
        ({"wall": 80, "cpu": 20, "short": 55}, 55, 25),  # memory was short
        ({"wall": 80, "cpu": 20, "waited": 50, "short": 55}, 60, 20),
        # A lock in the kernel that somebody else held; unless it was a disk that the agent waited for.
        ({"wall": 80, "cpu": 20, "blocked": 55}, 55, 25),
        ({"wall": 80, "cpu": 20, "blocked": 55, "disk": 15}, 40, 40),
        ({"wall": 80, "cpu": 20, "blocked": 55, "disk": 70}, 0, 80),
        ({"wall": 80, "cpu": 20, "blocked": 55, "disk": None}, 0, 80),
        ({"wall": 80, "cpu": 20, "blocked": 30, "short": 40}, 40, 40),  # perhaps the same
        ({"wall": 80, "cpu": 20, "blocked": 55, "waited": 40}, 60, 20),
        ({"wall": 80, "cpu": 75, "blocked": 55}, 5, 75),  # its other threads worked
        ({"wall": 80, "cpu": 20, "late": 2}, 0, 80),  # timers are not exact
        ({"wall": 50, "cpu": 20, "clock": "cpu"}, 0, 20),
        ({"wall": 50, "cpu": 80}, 0, 50),  # several cores
    ],
)
def test_what_is_charged(given: dict[str, Any], waited: int, charged: int) -> None:
    found = times(**given)
    assert found == (given["wall"] * MS, given["cpu"] * MS, waited * MS, charged * MS)


@given(
    st.sampled_from(CLOCKS),
    st.lists(
        st.tuples(st.integers(1, NEGLIGIBLE_NS - 1), st.integers(0, 2 * MS), st.integers(0, 300_000)), max_size=80
    ),
)
def test_a_quick_answer_is_charged_the_same_on_both_paths(clock: Clock, dialogue: list[tuple[int, int, int]]) -> None:
    """Wall time, CPU time and the pause before each question are the same for a meter on the fast path and one that meters
    every question in full."""
    with pytest.MonkeyPatch.context() as patch:
        wall = Wall(patch)
        quick, full = meter_of(clock), meter_of(clock)
        process: Any = Process()
        seen: list[tuple[int, int]] = []
        for meter in (quick, full):
            process.used_ns, wall.now_ns = 0, 10**12
            meter.attach(process)
            for wall_ns, cpu_ns, pause_ns in dialogue:
                wall.now_ns += pause_ns
                start_ns = meter.begin()
                assert start_ns == wall.now_ns
                process.used_ns += cpu_ns
                wall.now_ns += wall_ns
                if meter is quick:
                    seen.append(meter.finish_quick(wall_ns, wall.now_ns, process.used_ns))
                else:
                    meter.open(start_ns, 50 * MS)
                    found = meter.finish(wall_ns, first=False)
                    assert (found.cpu_ns, found.charged_ns) == seen.pop(0)
        assert not seen


def test_quick_answers_share_a_snapshot_for_a_while(wall: Wall) -> None:
    meter, process = meter_of(), Process()
    anything: Any = process
    meter.attach(anything)
    started_ns = wall.now_ns
    while wall.now_ns < started_ns + SHARED_NS:
        meter.finish_quick(1000, meter.begin(), 0)
        wall.now_ns += 1000
    assert process.threads.snapshots == 1
    meter.begin()
    assert process.threads.snapshots == 2


def test_the_cpu_time_of_an_agent_that_may_have_pondered_is_read_again(wall: Wall) -> None:
    meter, process = meter_of(), Process()
    anything: Any = process
    meter.attach(anything)
    meter.finish_quick(1000, meter.begin(), 0)
    wall.now_ns += PONDERED_NS
    process.used_ns = 5 * MS  # spent pondering, between the questions
    start_ns = meter.begin()
    assert process.threads.snapshots == 1
    process.used_ns = 6 * MS
    assert meter.finish_quick(2 * MS, start_ns, process.used_ns)[0] == MS


def test_helpers_that_pondered_are_not_charged_for_it(wall: Wall) -> None:
    meter, process = meter_of(), Process()
    process.has_helped = True
    anything: Any = process
    meter.attach(anything)
    meter.finish_quick(1000, meter.begin(), 0)
    wall.now_ns += PONDERED_NS
    process.helped_ns = 5 * MS
    start_ns = meter.begin()
    assert process.threads.snapshots == 1
    meter.open(start_ns, 50 * MS)
    process.helped_ns = 7 * MS
    assert meter.read(start_ns + 3 * MS).cpu_ns == 2 * MS


def test_after_a_slow_answer_a_new_snapshot_is_taken(wall: Wall) -> None:
    meter, process = meter_of(), Process()
    anything: Any = process
    meter.attach(anything)
    meter.open(meter.begin(), 50 * MS)
    meter.finish(NEGLIGIBLE_NS, first=False)
    meter.begin()
    assert process.threads.snapshots == 2


@pytest.mark.parametrize(
    ("own", "waited", "busy", "charged"),
    [(0, 0, 0, 60), (30, 0, 0, 30), (0, 30, 0, 30), (0, 0, 30, 30), (30, 30, 0, 10)],
    ids=["it slept", "the arbiter waited for a core", "it waited for a core", "the arbiter was stopped", "both waited"],
)
def test_the_launch_is_charged_except_for_waits_that_the_kernel_shows(
    wall: Wall, own: int, waited: int, busy: int, charged: int
) -> None:
    meter, process = meter_of(own=own), Process(waited)
    process.preloaded = True
    process.started_ns, process.cpu_at_start_ns = wall.now_ns + MS, 7 * MS
    meter.expect()
    anything: Any = process
    meter.attach(anything)
    wall.now_ns += 41 * MS
    start_ns = meter.begin()
    assert start_ns == process.started_ns
    assert process.threads.snapshots == 0  # its waits count from its start
    meter.open(start_ns, 50 * MS)
    process.used_ns = 17 * MS
    if busy:
        meter.overslept(0, 0, busy * MS)
    meter.read(start_ns + 60 * MS)
    assert (found := meter.finish(60 * MS, first=False)).charged_ns == charged * MS
    assert found.cpu_ns == 10 * MS


@pytest.mark.parametrize(("later", "waited"), [(0.5, 25), (10, 0)], ids=["the answer was there", "it came later"])
def test_a_wait_of_the_arbiter_before_it_polls_again_counts_if_that_poll_ends_at_once(
    wall: Wall, later: float, waited: int
) -> None:
    meter, process = meter_of(own=25), Process()
    anything: Any = process
    meter.attach(anything)
    start_ns = meter.begin()
    meter.open(start_ns, 50 * MS)
    wall.now_ns = start_ns + 30 * MS
    meter.resume_waiting(wall.now_ns, backlog=False)
    meter._arbiter.waited_ns = 0  # type: ignore[attr-defined]
    wall_ns = 30 * MS + round(later * MS)
    meter.read(start_ns + wall_ns)
    assert meter.finish(wall_ns, first=False).waited_ns == waited * MS


def test_a_sentinel_beats_for_questions_that_take_a_while_and_follows_the_agent_that_is_asked() -> None:
    beats = Beats()
    meter, process = meter_of(beats=beats), Process()
    anything: Any = process
    meter.attach(anything)
    start_ns = meter.begin()
    meter.open(start_ns, 50 * MS)
    meter.resume_waiting(start_ns + MS, backlog=False)
    assert (beats.beaten, beats.followed) == (0, [(7, 0, start_ns)])
    process.used_ns = 3 * MS
    meter.resume_waiting(start_ns + 2 * MS, backlog=False)
    assert (beats.beaten, beats.followed[1:]) == (1, [(7, 3 * MS, start_ns + 2 * MS)])  # it was started only now
    meter.resume_waiting(start_ns + 12 * MS, backlog=False)
    meter.finish(13 * MS, first=False)
    assert (beats.beaten, beats.followed[2:], beats.rested) == (2, [], 1)
