"""The arithmetic of a sentinel: when a late beat is a stall, and how much of it was booked to an agent. No process runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arbiter.agents.clock import sentinel_process
from arbiter.agents.clock.sentinel_process import (
    BASE,
    BLOCKED,
    CLOCK,
    FILE,
    INODE,
    MISTAKEN,
    ORDER,
    SEEN,
    SLOT_SIZE,
    STALLED,
    START,
    Beat,
    Followed,
)

ARBITER = 4321
"""A pid."""
MS = 1_000_000


def cpu_clock(pid: int) -> int:
    """Return the CPU clock of a process, as clock_getcpuclockid(3) computes it."""
    return (~pid << 3) | 2


@pytest.fixture
def agent_page(monkeypatch: pytest.MonkeyPatch) -> tuple[memoryview, list[int]]:
    """A page with one slot, and the CPU time that any agent's clock shows."""
    shown_ns = [0]
    monkeypatch.setattr(sentinel_process, "clock_gettime_ns", lambda _: shown_ns[0])
    return memoryview(bytearray(8 * SLOT_SIZE)).cast("q"), shown_ns


def test_a_stall_before_the_arbiter_named_the_process_is_counted(agent_page: tuple[memoryview, list[int]]) -> None:
    """The process was spawned at 100 ms; the core was stalled for 20 ms before that and for 30 after; the arbiter, held up as
    well, named the process at 140 ms, when the kernel had booked 35 ms of CPU time to it."""
    page, shown_ns = agent_page
    stalls = [(90 * MS, 20 * MS), (135 * MS, 30 * MS)]
    agent = Followed(page, 0, stalls, ARBITER)
    page[CLOCK], page[BASE], page[START], page[ORDER] = cpu_clock(77), 0, 100 * MS, 5
    shown_ns[0] = 35 * MS
    agent.observe(Beat(142 * MS, 2 * MS, 0))
    assert (page[SEEN], page[STALLED]) == (5, 30 * MS)
    assert page[MISTAKEN] == 35 * MS - (42 - 30) * MS  # it cannot have worked for more than the rest of the time


def test_a_stall_before_the_arbiter_named_the_question_is_counted(agent_page: tuple[memoryview, list[int]]) -> None:
    """A long-lived agent is followed between its questions, and each question has figures of its own."""
    page, shown_ns = agent_page
    stalls: list[tuple[int, int]] = []
    agent = Followed(page, 0, stalls, ARBITER)
    page[CLOCK], page[START], page[ORDER] = cpu_clock(77), 10 * MS, 1
    for woken, used, stalled in ((12, 2, 0), (34, 24, 20), (36, 26, 0), (68, 58, 30)):
        shown_ns[0] = used * MS
        agent.observe(Beat(woken * MS, (2 + stalled) * MS, stalled * MS))
        if stalled:
            stalls.append((woken * MS, stalled * MS))
    assert (page[SEEN], page[STALLED], page[MISTAKEN]) == (1, 50 * MS, 50 * MS)
    page[BASE], page[START], page[ORDER] = 26 * MS, 37 * MS, 2
    shown_ns[0] = 60 * MS
    agent.observe(Beat(70 * MS, 2 * MS, 0))
    assert (page[SEEN], page[STALLED], page[MISTAKEN]) == (2, 30 * MS, 30 * MS)


def test_a_process_that_exited_before_the_arbiter_named_it_is_followed_by_its_cgroup(
    agent_page: tuple[memoryview, list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the CPU time of its cgroup: 30 ms were booked while the core was stalled for 30 ms, and 4 ms were real."""
    page, _ = agent_page
    stalls: list[tuple[int, int]] = []
    agent = Followed(page, 0, stalls, ARBITER)
    monkeypatch.setattr(sentinel_process, "PROC", str(tmp_path))
    counted = tmp_path / str(ARBITER) / "fd" / "9"
    counted.parent.mkdir(parents=True)
    counted.write_text("0\n")
    page[CLOCK], page[FILE], page[INODE], page[START], page[ORDER] = cpu_clock(77), 9, 5, 1, 1
    agent.observe(Beat(2 * MS, 2 * MS, 0))
    page[START] = 0  # its question is over; the next process is spawned at 10 ms
    for woken, used, stalled in ((10, 0, 0), (12, 2, 0), (44, 34, 30), (46, 34, 0)):
        counted.write_text(f"{used * MS}\n")
        agent.observe(Beat(woken * MS, (2 + stalled) * MS, stalled * MS))
        if stalled:
            stalls.append((woken * MS, stalled * MS))
    page[CLOCK], page[START], page[ORDER] = cpu_clock(78), 10 * MS, 2
    agent.observe(Beat(48 * MS, 2 * MS, 0))
    os.close(agent.usage)
    assert (page[SEEN], page[STALLED], page[MISTAKEN]) == (2, 30 * MS, 30 * MS)


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
def test_a_stall_is_distinguished_from_work(
    used: float, interval: float, stalled: float, single: bool, booked: float
) -> None:
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
    page = memoryview(bytearray(8 * SLOT_SIZE)).cast("q")
    page[CLOCK], page[BASE], page[START], page[ORDER] = cpu_clock(77), 4_500_000, 1, 1
    agent = Followed(page, 0, [], ARBITER)
    agent.observe(Beat(2_000_000, 2_000_000, 0))
    assert page[BLOCKED] == 0  # followed for less than a beat
    agent.observe(Beat(4_000_000, 2_000_000, 0))
    blocked = state == b"D" and where in ("exit_group", "page fault")
    assert page[BLOCKED] == (2_000_000 if blocked else 0)
    agent.close_call()
