"""Net run-queue waits: how long threads have waited for processes other than the agent's own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.agents.clock.schedstat import Schedstat, ThreadStats, net_waits, total_wait
from arbiter.agents.launch.tree import children

NANOSECONDS = st.integers(0, 10**11)


@pytest.fixture
def own() -> Iterator[ThreadStats]:
    threads = ThreadStats(os.getpid(), list)
    yield threads
    threads.close()


def test_a_reading_counts_from_the_snapshot(own: ThreadStats) -> None:
    before = own.snapshot()
    assert own.waits(before, 10**15) == {}
    assert set(own.waits(before, 0)) <= {os.getpid()}
    assert sum(own.waits(b"", 0).values()) >= sum(own.waits(before, 0).values())


def test_without_kernel_figures_no_wait_is_counted() -> None:
    nobody = ThreadStats(2**22 + 1, list)
    assert nobody.snapshot() == b""
    assert nobody.waits(nobody.snapshot(), 0) == {}
    nobody.close()


@pytest.mark.parametrize(
    ("before", "after", "cpu", "waited"),
    [
        ({1: (0, 0)}, {1: (20, 70)}, 20, 70),
        ({1: (500, 900)}, {1: (520, 970)}, 20, 70),  # the past does not count
        ({1: (0, 0), 2: (90, 400)}, {1: (20, 70)}, 20, 70),  # nor that of a thread that has ended
        ({1: (0, 0)}, {1: (20, 70), 2: (40, 10)}, 60, 30),  # the other thread had the core for 40 of the 70
        ({1: (0, 0)}, {1: (20, 70)}, 60, 30),  # the same if it has ended, or was a process
        ({1: (0, 0)}, {1: (1, 59), 2: (1, 58), 3: (1, 57)}, 60, 0),  # crowding oneself buys nothing
        ({1: (0, 0)}, {1: (0, 0), 2: (50, 200)}, 50, 200),  # a helper does the work
        ({1: (0, 0)}, {1: (10, 100), 2: (10, 80)}, 20, 160),  # both have waited for others, perhaps in turn
    ],
)
def test_waiting_for_oneself_does_not_count(
    before: dict[int, Schedstat], after: dict[int, Schedstat], cpu: int, waited: int
) -> None:
    assert total_wait(net_waits(before, after, cpu)) == waited


def test_total_wait_does_not_add_up_the_waits_of_all_threads() -> None:
    assert total_wait({1: 5, 2: 10, 3: 20, 4: 1, 5: 5}) == 35
    assert total_wait({}) == 0


@given(st.dictionaries(st.integers(1, 9), st.tuples(NANOSECONDS, NANOSECONDS)), NANOSECONDS)
def test_a_net_wait_never_exceeds_the_wait_of_the_thread(after: dict[int, Schedstat], cpu_ns: int) -> None:
    for thread, waited_ns in net_waits({}, after, cpu_ns).items():
        assert 0 < waited_ns <= after[thread][1]


COMPANY = """
import os, signal, threading
print("alone", flush=True); input()
threading.Thread(target=signal.pause, daemon=True).start()
print("a thread", flush=True); input()
os.fork() or signal.pause()
print("and a child", flush=True); input()
"""


def test_company_is_noticed() -> None:
    command = [sys.executable, "-S", "-c", COMPANY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0) as agent:
        assert agent.stdin is not None
        assert agent.stdout is not None
        threads = ThreadStats(agent.pid, lambda: children(agent.pid))
        seen = []
        for line in agent.stdout:
            found = threads.snapshot()
            seen.append((line.strip(), len(found) if isinstance(found, dict) else 1))
            if len(seen) == 3:
                break
            agent.stdin.write(b"\n")
            agent.stdin.flush()
        threads.close()
        os.killpg(agent.pid, signal.SIGKILL)
    assert seen == [(b"alone", 1), (b"a thread", 2), (b"and a child", 3)]
