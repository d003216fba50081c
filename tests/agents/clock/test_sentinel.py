"""Sentinels: what a real one notices, and that it ends with the arbiter."""

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
from types import SimpleNamespace
from typing import cast

import pytest

from arbiter.agents.ask.request import Seat, TableRules
from arbiter.agents.ask.table import Table
from arbiter.agents.clock import sentinel, sentinel_process
from arbiter.agents.clock.metered import MeteredProcess, UsageFile
from arbiter.agents.clock.sentinel import Noticed, Sentinel, Sentinels
from arbiter.agents.clock.sentinel_process import (
    AWAKE,
    BASE,
    BEAT,
    CLOCK,
    FILE,
    FIRST_SLOT,
    INODE,
    MISTAKEN,
    ORDER,
    SEEN,
    SLOT_SIZE,
    STALLED,
    START,
    Beat,
)
from arbiter.agents.clock.stalls import WARY, MachineReadings, Stalls
from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import LEVELS, Level
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.bench import programs
from arbiter.errors import UserError
from arbiter.limits import resolve_limits
from tests.tools import missing

SECOND_NS = 1_000_000_000

ARBITER = 4321
"""A pid."""


@pytest.fixture
def core() -> int:
    return cores.usable()[0]


@pytest.fixture
def watchman(core: int) -> Iterator[Sentinel]:
    with contextlib.closing(Sentinel(core)) as one:
        yield one


def await_beat(one: Sentinel) -> None:
    """Return after its next beat."""
    since_ns = monotonic_ns()
    while one._page is None or one._page[BEAT] <= since_ns:
        one.beat(monotonic_ns())
        os.sched_yield()


def cpu_clock(pid: int) -> int:
    """Return the CPU clock of a process, as clock_getcpuclockid does."""
    return (~pid << 3) | 2


def pid_of(one: Sentinel) -> int:
    assert one._process is not None
    return one._process.pid


def test_nothing_is_started_before_it_is_needed(watchman: Sentinel) -> None:
    watchman.follow(0, 7, None, 0, monotonic_ns())
    assert watchman.read(0) == Noticed()
    assert not watchman.is_behind(0, monotonic_ns())
    assert watchman._process is None
    assert watchman.beat(monotonic_ns())
    assert not watchman.beat(monotonic_ns())


def test_a_gap_in_its_beats_is_a_stall(watchman: Sentinel) -> None:
    """Stopping the sentinel is to it what it is like when its core is taken away."""
    await_beat(watchman)
    watchman.follow(0, cpu_clock(os.getpid()), None, 0, monotonic_ns())
    await_beat(watchman)
    before_ns = watchman.read(0).stalled_ns
    gap_ns = stop_for(pid_of(watchman), 30)
    await_beat(watchman)
    stalled_ns = watchman.read(0).stalled_ns - before_ns
    assert stalled_ns >= 28_000_000
    assert stalled_ns <= gap_ns + SECOND_NS  # the machine itself may have stalled as well


CLONE, NANOSLEEP = {"x86_64": (56, 230), "aarch64": (220, 115)}[os.uname().machine]
SLEEP = "import time; time.sleep(60)"
STOP = "import os; os.kill(os.getpid(), 19)"
VFORK = f"import ctypes; ctypes.CDLL(None).syscall({CLONE}, 0x4000 | 17, 0, 0, 0, 0); {SLEEP}"


def await_sleep(pid: int, state: str = "S", call: int | str = NANOSLEEP) -> None:
    """Return when a process is in this state and system call."""
    place = Path(f"/proc/{pid}")
    while f") {state} " not in (place / "stat").read_text() or not (
        (place / "syscall").read_text().startswith(f"{call}")
    ):
        os.sched_yield()


def test_only_what_the_agent_seemed_to_work_meanwhile_was_mistaken_for_work(watchman: Sentinel) -> None:
    burn, sleep = ([sys.executable, "-S", "-c", program] for program in ("while True: pass", SLEEP))
    with subprocess.Popen(burn) as worker, subprocess.Popen(sleep) as sleeper:
        try:
            await_sleep(sleeper.pid)
            await_beat(watchman)
            for seat, process in enumerate((worker, sleeper)):
                clock = cpu_clock(process.pid)
                watchman.follow(seat, clock, None, time.clock_gettime_ns(clock), monotonic_ns())
            await_beat(watchman)
            before = [watchman.read(seat).mistaken_ns for seat in (0, 1)]
            while watchman.read(0).mistaken_ns < before[0] + 10_000_000:  # on a busy machine it works now and then
                stop_for(pid_of(watchman), 20)
                await_beat(watchman)
            assert watchman.read(1).mistaken_ns == before[1]
        finally:
            worker.kill()
            sleeper.kill()


MS = 1_000_000


@pytest.fixture
def agent_page(monkeypatch: pytest.MonkeyPatch) -> tuple[memoryview, list[int]]:
    """A page with one slot, and the CPU time that any agent's clock shows."""
    shown_ns = [0]
    monkeypatch.setattr(sentinel_process, "clock_gettime_ns", lambda _: shown_ns[0])
    return memoryview(bytearray(8 * sentinel_process.SLOT_SIZE)).cast("q"), shown_ns


def test_a_stall_before_the_arbiter_could_name_the_process_is_known(agent_page: tuple[memoryview, list[int]]) -> None:
    """The process was spawned at 100 ms; the core was stalled for 20 ms before that and for 30 after; the arbiter, held up as
    well, named the process at 140 ms, when the kernel had booked 35 ms of CPU time to it."""
    page, shown_ns = agent_page
    stalls = [(90 * MS, 20 * MS), (135 * MS, 30 * MS)]
    agent = sentinel_process.Followed(page, 0, stalls, ARBITER)
    page[CLOCK], page[BASE], page[START], page[ORDER] = cpu_clock(77), 0, 100 * MS, 5
    shown_ns[0] = 35 * MS
    agent.look(Beat(142 * MS, 2 * MS, 0))
    assert (page[SEEN], page[STALLED]) == (5, 30 * MS)
    assert page[MISTAKEN] == 35 * MS - (42 - 30) * MS  # it cannot have worked for more than the rest of the time


def test_a_stall_before_the_arbiter_could_name_the_question_is_known(agent_page: tuple[memoryview, list[int]]) -> None:
    """A long-lived agent is followed between its questions, and each question has figures of its own."""
    page, shown_ns = agent_page
    stalls: list[tuple[int, int]] = []
    agent = sentinel_process.Followed(page, 0, stalls, ARBITER)
    page[CLOCK], page[START], page[ORDER] = cpu_clock(77), 10 * MS, 1
    for woken, used, stalled in ((12, 2, 0), (34, 24, 20), (36, 26, 0), (68, 58, 30)):
        shown_ns[0] = used * MS
        agent.look(Beat(woken * MS, (2 + stalled) * MS, stalled * MS))
        if stalled:
            stalls.append((woken * MS, stalled * MS))
    assert (page[SEEN], page[STALLED], page[MISTAKEN]) == (1, 50 * MS, 50 * MS)
    page[BASE], page[START], page[ORDER] = 26 * MS, 37 * MS, 2
    shown_ns[0] = 60 * MS
    agent.look(Beat(70 * MS, 2 * MS, 0))
    assert (page[SEEN], page[STALLED], page[MISTAKEN]) == (2, 30 * MS, 30 * MS)


def test_a_process_that_came_and_went_before_the_arbiter_could_name_it_was_followed(
    agent_page: tuple[memoryview, list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the CPU time of its cgroup: 30 ms were booked while the core was stalled for 30 ms, and 4 ms were real."""
    page, _ = agent_page
    stalls: list[tuple[int, int]] = []
    agent = sentinel_process.Followed(page, 0, stalls, ARBITER)
    monkeypatch.setattr(sentinel_process, "PROC", str(tmp_path))
    counted = tmp_path / str(ARBITER) / "fd" / "9"
    counted.parent.mkdir(parents=True)
    counted.write_text("0\n")
    page[CLOCK], page[FILE], page[INODE], page[START], page[ORDER] = cpu_clock(77), 9, 5, 1, 1
    agent.look(Beat(2 * MS, 2 * MS, 0))
    page[START] = 0  # its question is over; the next process is spawned at 10 ms
    for woken, used, stalled in ((10, 0, 0), (12, 2, 0), (44, 34, 30), (46, 34, 0)):
        counted.write_text(f"{used * MS}\n")
        agent.look(Beat(woken * MS, (2 + stalled) * MS, stalled * MS))
        if stalled:
            stalls.append((woken * MS, stalled * MS))
    page[CLOCK], page[START], page[ORDER] = cpu_clock(78), 10 * MS, 2
    agent.look(Beat(48 * MS, 2 * MS, 0))
    os.close(agent.usage)
    assert (page[SEEN], page[STALLED], page[MISTAKEN]) == (2, 30 * MS, 30 * MS)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root follows cgroups by the files of the arbiter")
def test_it_reads_the_cpu_time_of_a_cgroup_from_a_file_of_the_arbiter(watchman: Sentinel, tmp_path: Path) -> None:
    """Of either version of the interface."""
    for seat, text in enumerate(("7000000\n", "usage_usec 7000\nuser_usec 1\n")):
        file = tmp_path / str(seat)
        file.write_text(text)
        with file.open("rb") as counted:
            number = counted.fileno()
            usage = UsageFile(number, os.fstat(number).st_ino)
            await_beat(watchman)
            page, slot = watchman._page, FIRST_SLOT + SLOT_SIZE * seat
            assert page is not None
            os.kill(pid_of(watchman), signal.SIGSTOP)
            watchman.follow(seat, cpu_clock(os.getpid()), usage, 0, monotonic_ns())
            stop_for(pid_of(watchman), 20)
            while page[slot + SEEN] != page[slot + ORDER]:
                watchman.beat(monotonic_ns())
                os.sched_yield()
            # It was stalled for longer than those 7 ms leave room for.
            assert watchman.read(seat).mistaken_ns > 0


def test_it_is_behind_until_it_has_looked_at_a_question(watchman: Sentinel) -> None:
    await_beat(watchman)
    os.kill(pid_of(watchman), signal.SIGSTOP)
    watchman.follow(0, cpu_clock(os.getpid()), None, 0, monotonic_ns())
    assert watchman.is_behind(0, monotonic_ns())
    assert watchman.read(0) == Noticed()
    os.kill(pid_of(watchman), signal.SIGCONT)
    await_beat(watchman)
    while watchman.is_behind(0, monotonic_ns()):
        os.sched_yield()


@pytest.mark.parametrize(
    ("used", "interval", "stalled", "single", "booked"),
    [
        (32, 32, 30, True, 30),  # it ran all the time
        (30.5, 32, 30, True, 30),  # it worked for 0.5 ms, and another process for 1.5 ms
        (30.5, 32, 30, False, 28.5),  # of several stalls, some may have been booked to the other process
        (20, 32, 30, True, 20),  # the kernel has subtracted 10 ms or more of the stall as steal time
        (2, 32, 30, True, 0),  # another process ran during the stall
        (3.5, 4, 2, True, 2),
        (2.5, 4, 2, True, 0.5),  # it may have worked for 2.5 ms of which 2 ms were not stalled; or for 0.5 ms
        (2, 2, 0, True, 0),
    ],
)
def test_a_stall_is_told_from_work(used: float, interval: float, stalled: float, single: bool, booked: float) -> None:
    found_ns = sentinel_process.booked_ns(int(used * MS), int(interval * MS), int(stalled * MS), single=single)
    assert found_ns == int(booked * MS)


@pytest.mark.parametrize(
    ("late_ms", "queued_ms", "real_time", "stalled_ms"),
    [
        (0.9, 0, True, 0),  # timers are not exact
        (9, 0, True, 9),
        (9, 2, True, 7),  # a system call of the agent may have kept it waiting
        (2, 1.5, True, 0),
        (9, 8, True, 9),  # nothing that an agent does keeps it waiting for so long
        (9, 8, False, 1),  # it is one of many
    ],
)
def test_how_long_the_core_was_stalled(late_ms: float, queued_ms: float, real_time: bool, stalled_ms: float) -> None:
    found_ns = sentinel_process.stall_ns(int(late_ms * MS), int(queued_ms * MS), real_time=real_time)
    assert found_ns == int(stalled_ms * MS)


BLOCKED_AT = {
    "exit_group": b"231 0x0 ",
    "page fault": b"-1 0x7ffc ",
    "read": b"0 0x0 ",
    "running": b"running",
    "vfork": b"58 0x0 ",
}


@pytest.mark.parametrize("state", [b"D", b"S", b"T"])
@pytest.mark.parametrize("where", BLOCKED_AT)
def test_only_a_wait_that_no_program_can_choose_is_a_wait_for_a_lock(
    where: str, state: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that is in state D (uninterruptible sleep) while it exits or handles a page fault."""
    monkeypatch.setattr(sentinel_process, "PROC", str(tmp_path))
    monkeypatch.setattr(sentinel_process, "_CALLS", sentinel_process.BLOCKING_CALLS["x86_64"])
    monkeypatch.setattr(sentinel_process, "clock_gettime_ns", lambda _: 5_000_000)
    folder = tmp_path / "77"
    folder.mkdir()
    (folder / "syscall").write_bytes(BLOCKED_AT[where])
    (folder / "stat").write_bytes(b"77 (a) D ) " + state + b" 1 2 3")
    page = memoryview(bytearray(8 * sentinel_process.SLOT_SIZE)).cast("q")
    page[CLOCK], page[BASE], page[START], page[ORDER] = cpu_clock(77), 4_500_000, 1, 1
    agent = sentinel_process.Followed(page, 0, [], ARBITER)
    agent.look(Beat(2_000_000, 2_000_000, 0))
    assert page[sentinel_process.BLOCKED] == 0  # followed for less than a beat
    agent.look(Beat(4_000_000, 2_000_000, 0))
    blocked = state == b"D" and where in ("exit_group", "page fault")
    assert page[sentinel_process.BLOCKED] == (2_000_000 if blocked else 0)
    agent.close_call()


@pytest.mark.parametrize(
    ("program", "state", "call"), [(SLEEP, "S", NANOSLEEP), (STOP, "T", ""), (VFORK, "D", CLONE)], ids=["S", "T", "D"]
)
def test_nobody_who_chose_to_sleep_is_blocked(program: str, state: str, call: int | str, watchman: Sentinel) -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", program], start_new_session=True) as agent:
        try:
            await_sleep(agent.pid, state, call)
            await_beat(watchman)
            watchman.follow(0, cpu_clock(agent.pid), None, 0, monotonic_ns())
            for _ in range(5):
                await_beat(watchman)
            assert watchman.read(0).blocked_ns == 0
        finally:
            os.killpg(agent.pid, signal.SIGKILL)


def test_it_is_behind_while_it_is_kept_from_beating(watchman: Sentinel) -> None:
    await_beat(watchman)
    os.kill(pid_of(watchman), signal.SIGSTOP)
    while not watchman.is_behind(0, monotonic_ns()):
        os.sched_yield()
    os.kill(pid_of(watchman), signal.SIGCONT)
    await_beat(watchman)


def test_it_stops_beating_when_nobody_needs_it(watchman: Sentinel, monkeypatch: pytest.MonkeyPatch) -> None:
    await_beat(watchman)
    monkeypatch.setattr(sentinel, "LINGER_NS", 0)
    watchman.beat(monotonic_ns())
    assert watchman._page is not None
    while watchman._page[AWAKE]:
        os.sched_yield()


def test_it_stops_beating_when_the_last_of_the_open_questions_is_answered(watchman: Sentinel) -> None:
    for seat in range(2):
        watchman.follow(seat, cpu_clock(os.getpid()), None, 0, monotonic_ns())
    await_beat(watchman)
    watchman.rest(0)
    await_beat(watchman)
    watchman.rest(1)
    assert watchman._page is not None
    while watchman._page[AWAKE]:
        os.sched_yield()


def test_questions_after_one_that_took_long_are_watched_before_they_are_asked(
    core: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    beats: list[int] = []

    def beat(_: Sentinel, now_ns: int) -> bool:
        beats.append(now_ns)
        return False

    monkeypatch.setattr(Sentinel, "beat", beat)
    process = cast(
        MeteredProcess, SimpleNamespace(cpu_clock=cpu_clock(os.getpid()), own_cpu_ns=lambda: 0, usage_file=None)
    )
    with contextlib.closing(MachineReadings.open()) as machine:
        stalls = Stalls(machine, frozenset({core}), 0, watched=True)

        def watched_before(took_ns: int) -> bool:
            beats.clear()
            stalls.expect(0)
            found = bool(beats)
            stalls.follow(process, 0, 0, 0)
            stalls.rest(took_ns)  # the arbiter may have waited for a core all the time, and not have watched it
            return found

        quick_ns, slow_ns = sentinel.NEEDED_NS - 1, sentinel.NEEDED_NS
        assert not watched_before(quick_ns)
        assert not watched_before(slow_ns)
        assert watched_before(slow_ns)
        assert all(watched_before(quick_ns) for _ in range(WARY))
        assert not watched_before(quick_ns)
        stalls.limit_ns = 1000 * slow_ns  # so far away that no stall matters
        assert not watched_before(slow_ns)
        assert not watched_before(slow_ns)


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


def test_tables_in_turn_share_the_sentinels_that_are_kept(core: int) -> None:
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


def test_no_core_stands_for_several() -> None:
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
