"""Sentinels as real processes: what they notice, when they beat, and that they end with the arbiter."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from time import monotonic_ns

import pytest

from arbiter.agents.ask.request import Seat, TableRules
from arbiter.agents.ask.table import Table
from arbiter.agents.clock import sentinel
from arbiter.agents.clock.metered import UsageFile
from arbiter.agents.clock.sentinel import Noticed, Sentinel, Sentinels
from arbiter.agents.clock.sentinel_process import AWAKE, BEAT, FIRST_SLOT, ORDER, SEEN, SLOT_SIZE
from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import LEVELS, Level
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.bench import programs
from arbiter.config.limits import resolve_limits
from arbiter.errors import UserError
from tests.tools import missing, until

SECOND_NS = 1_000_000_000


@pytest.fixture
def core() -> int:
    return cores.usable()[0]


@pytest.fixture
def core_sentinel(core: int) -> Iterator[Sentinel]:
    with contextlib.closing(Sentinel(core)) as one:
        yield one


def await_beat(one: Sentinel) -> None:
    """Return after its next beat."""
    since_ns = monotonic_ns()

    def has_beaten() -> bool:
        one.beat(monotonic_ns())
        return one._page is not None and one._page[BEAT] > since_ns

    until(has_beaten, "a beat of the sentinel")


def cpu_clock(pid: int) -> int:
    """Return the CPU clock of a process, as clock_getcpuclockid does."""
    return (~pid << 3) | 2


def pid_of(one: Sentinel) -> int:
    assert one._process is not None
    return one._process.pid


def test_nothing_is_started_before_it_is_needed(core_sentinel: Sentinel) -> None:
    core_sentinel.follow(0, 7, None, 0, monotonic_ns())
    assert core_sentinel.read(0) == Noticed()
    assert not core_sentinel.is_behind(0, monotonic_ns())
    assert core_sentinel._process is None
    assert core_sentinel.beat(monotonic_ns())
    assert not core_sentinel.beat(monotonic_ns())


def test_a_gap_in_its_beats_is_a_stall(core_sentinel: Sentinel) -> None:
    """To the sentinel, being stopped looks the same as losing its core."""
    await_beat(core_sentinel)
    core_sentinel.follow(0, cpu_clock(os.getpid()), None, 0, monotonic_ns())
    await_beat(core_sentinel)
    before_ns = core_sentinel.read(0).stalled_ns
    gap_ns = stop_for(pid_of(core_sentinel), 30)
    await_beat(core_sentinel)
    stalled_ns = core_sentinel.read(0).stalled_ns - before_ns
    assert stalled_ns >= 28_000_000
    assert stalled_ns <= gap_ns + SECOND_NS  # the machine itself may have stalled as well


CLONE, NANOSLEEP = {"x86_64": (56, 230), "aarch64": (220, 115)}[os.uname().machine]
SLEEP = "import time; time.sleep(60)"
STOP = "import os; os.kill(os.getpid(), 19)"
VFORK = f"import ctypes; ctypes.CDLL(None).syscall({CLONE}, 0x4000 | 17, 0, 0, 0, 0); {SLEEP}"


def await_sleep(pid: int, state: str = "S", call: int | str = NANOSLEEP) -> None:
    """Return when a process is in this state and system call."""
    place = Path(f"/proc/{pid}")
    until(lambda: f") {state} " in (place / "stat").read_text(), f"state {state}")
    until(lambda: (place / "syscall").read_text().startswith(f"{call}"), f"system call {call}")


def test_a_stall_is_booked_only_to_the_agent_that_was_running(core_sentinel: Sentinel) -> None:
    burn, sleep = ([sys.executable, "-S", "-c", program] for program in ("while True: pass", SLEEP))
    with subprocess.Popen(burn) as worker, subprocess.Popen(sleep) as sleeper:
        try:
            await_sleep(sleeper.pid)
            await_beat(core_sentinel)
            for seat, process in enumerate((worker, sleeper)):
                clock = cpu_clock(process.pid)
                core_sentinel.follow(seat, clock, None, time.clock_gettime_ns(clock), monotonic_ns())
            await_beat(core_sentinel)
            before = [core_sentinel.read(seat).mistaken_ns for seat in (0, 1)]

            def is_booked() -> bool:  # on a busy machine it works now and then
                stop_for(pid_of(core_sentinel), 20)
                await_beat(core_sentinel)
                return core_sentinel.read(0).mistaken_ns >= before[0] + 10_000_000

            until(is_booked, "a stall of the agent that runs")
            assert core_sentinel.read(1).mistaken_ns == before[1]
        finally:
            worker.kill()
            sleeper.kill()


def test_it_reads_the_cpu_time_of_a_cgroup_from_a_file_of_the_arbiter(core_sentinel: Sentinel, tmp_path: Path) -> None:
    """Of either version of the interface."""
    if os.geteuid() != 0:
        missing("running as root: following cgroups by files of the arbiter")
    for seat, text in enumerate(("7000000\n", "usage_usec 7000\nuser_usec 1\n")):
        file = tmp_path / str(seat)
        file.write_text(text)
        with file.open("rb") as counted:
            number = counted.fileno()
            usage = UsageFile(number, os.fstat(number).st_ino)
            await_beat(core_sentinel)
            page, slot = core_sentinel._page, FIRST_SLOT + SLOT_SIZE * seat
            assert page is not None
            os.kill(pid_of(core_sentinel), signal.SIGSTOP)
            core_sentinel.follow(seat, cpu_clock(os.getpid()), usage, 0, monotonic_ns())
            stop_for(pid_of(core_sentinel), 20)

            def seen(slot: int = slot, page: memoryview = page) -> bool:
                core_sentinel.beat(monotonic_ns())
                return bool(page[slot + SEEN] == page[slot + ORDER])

            until(seen, "its look at the question")
            # It was stalled for longer than those 7 ms leave room for.
            assert core_sentinel.read(seat).mistaken_ns > 0


def test_it_is_behind_until_it_has_looked_at_a_question(core_sentinel: Sentinel) -> None:
    await_beat(core_sentinel)
    os.kill(pid_of(core_sentinel), signal.SIGSTOP)
    core_sentinel.follow(0, cpu_clock(os.getpid()), None, 0, monotonic_ns())
    assert core_sentinel.is_behind(0, monotonic_ns())
    assert core_sentinel.read(0) == Noticed()
    os.kill(pid_of(core_sentinel), signal.SIGCONT)
    await_beat(core_sentinel)
    until(lambda: not core_sentinel.is_behind(0, monotonic_ns()), "its look at the question")


@pytest.mark.parametrize(
    ("program", "state", "call"), [(SLEEP, "S", NANOSLEEP), (STOP, "T", ""), (VFORK, "D", CLONE)], ids=["S", "T", "D"]
)
def test_a_process_that_chose_to_sleep_is_not_blocked(
    program: str, state: str, call: int | str, core_sentinel: Sentinel
) -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", program], start_new_session=True) as agent:
        try:
            await_sleep(agent.pid, state, call)
            await_beat(core_sentinel)
            core_sentinel.follow(0, cpu_clock(agent.pid), None, 0, monotonic_ns())
            for _ in range(5):
                await_beat(core_sentinel)
            assert core_sentinel.read(0).blocked_ns == 0
        finally:
            os.killpg(agent.pid, signal.SIGKILL)


def test_it_is_behind_while_it_is_kept_from_beating(core_sentinel: Sentinel) -> None:
    await_beat(core_sentinel)
    os.kill(pid_of(core_sentinel), signal.SIGSTOP)
    until(lambda: core_sentinel.is_behind(0, monotonic_ns()), "the end of its beats")
    os.kill(pid_of(core_sentinel), signal.SIGCONT)
    await_beat(core_sentinel)


def test_it_stops_beating_when_it_is_no_longer_needed(core_sentinel: Sentinel, monkeypatch: pytest.MonkeyPatch) -> None:
    await_beat(core_sentinel)
    monkeypatch.setattr(sentinel, "LINGER_NS", 0)
    core_sentinel.beat(monotonic_ns())
    page = core_sentinel._page
    assert page is not None
    until(lambda: not page[AWAKE], "its sleep")


def test_it_stops_beating_when_the_last_of_the_open_questions_is_answered(core_sentinel: Sentinel) -> None:
    for seat in range(2):
        core_sentinel.follow(seat, cpu_clock(os.getpid()), None, 0, monotonic_ns())
    await_beat(core_sentinel)
    core_sentinel.rest(0)
    await_beat(core_sentinel)
    core_sentinel.rest(1)
    page = core_sentinel._page
    assert page is not None
    until(lambda: not page[AWAKE], "its sleep")


def test_it_ends_when_the_arbiter_is_killed(core: int) -> None:
    source = f"""
import os, time
from arbiter.agents.clock.sentinel import Sentinel
one = Sentinel({core})
one.beat(0)
print(one._process.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE) as arbiter:
        assert arbiter.stdout is not None
        pidfd = os.pidfd_open(int(arbiter.stdout.readline()))
        arbiter.kill()
    try:
        import select

        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        assert poll.poll(20_000)
    finally:
        os.close(pidfd)


def test_consecutive_tables_share_the_sentinels_that_are_kept(core: int) -> None:
    with sentinel.keep_sentinels():
        first = Sentinels.for_table()
        one = first.of({core})
        assert one is not None
        one.beat(monotonic_ns())
        first.close()
        assert Sentinels.for_table().of({core}) is one
        assert one._process is not None
    assert one._process is None
    assert Sentinels.for_table() is not first


def test_an_agent_on_several_cores_has_no_sentinel() -> None:
    assert Sentinels().of({0, 1}) is None


def stop_for(pid: int, milliseconds: int) -> int:
    start_ns = monotonic_ns()
    os.kill(pid, signal.SIGSTOP)
    while monotonic_ns() < start_ns + milliseconds * 1_000_000:
        os.sched_yield()
    os.kill(pid, signal.SIGCONT)
    return monotonic_ns() - start_ns


@pytest.mark.parametrize("level", LEVELS)
def test_only_an_agent_that_cannot_signal_it_has_a_sentinel(
    level: Level, core: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it could stop its sentinel while it works, and all of that would be taken for a stall."""
    try:
        choose_sandbox(f"only:{level}" if level != "none" else level)
    except UserError as error:
        missing(f"sandbox level {level}: {error}")
    started: list[Sentinel] = []

    def start(one: Sentinel) -> None:
        started.append(one)

    monkeypatch.setattr(Sentinel, "_start", start)
    command, limits = (
        ("/bin/sh", "-c", "read prompt; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done"),
        resolve_limits([])[0],
    )
    with contextlib.ExitStack() as staying:
        box = programs.bench_sandbox(command, level, limits)
        if box:
            staying.enter_context(box)
        seat = Seat(programs.launch_for(command, box), limits, "game", box, cores=frozenset({core}))
        answer = staying.enter_context(Table([seat], TableRules(clock="fair"))).ask_one(0, "go\n", lambda _: "")
    assert answer.text == "done"
    assert bool(started) == (level in ("namespace", "cgroup"))
