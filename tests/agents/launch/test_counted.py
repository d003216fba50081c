"""Counting the CPU time of processes that end unseen."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from arbiter.agents.launch import tree
from arbiter.agents.launch.counted import TreeCounter
from arbiter.agents.sandbox._box.counter import open_counter
from arbiter.agents.sandbox.levels import Level
from tests.agents.sandbox.running import BOXED, program, python, sandbox_of, wait_for
from tests.tools import missing

MS = 1_000_000
WORK = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print(flush=True)
for line in sys.stdin:
    reading, writing = os.pipe()
    for _ in range(4):
        if not os.fork():
            if _ % 2 and os.fork():
                os._exit(0)
            while time.process_time() < 0.05: pass
            os._exit(0)
    os.close(writing)
    os.read(reading, 1)
    print(flush=True)
"""


@pytest.fixture(autouse=True)
def counting() -> None:
    """Skip where the kernel does not let us count."""
    try:
        os.close(open_counter(0))
    except OSError as error:
        missing(f"perf events: {error.strerror}")


@pytest.fixture
def worker() -> Iterator[subprocess.Popen[bytes]]:
    words = [sys.executable, "-S", "-I", "-c", WORK]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


def work(process: subprocess.Popen[bytes]) -> None:
    """Have it work once, or wait until it is ready to."""
    if process.stdin is None or process.stdout is None:
        raise AssertionError("it has pipes")
    process.stdout.readline()
    process.stdin.write(b"\n")
    process.stdin.flush()
    process.stdout.readline()


def test_children_that_nobody_waits_for_are_counted(worker: subprocess.Popen[bytes]) -> None:
    counter = TreeCounter(7 * MS, lambda: [worker.pid])
    work(worker)
    assert 207 * MS <= counter.cpu_ns() < 400 * MS
    assert tree.reaped_cpu_ns(worker.pid) == 0
    counter.close()


def test_what_was_counted_remains_when_the_process_has_ended(worker: subprocess.Popen[bytes]) -> None:
    counter = TreeCounter(0, lambda: [worker.pid])
    work(worker)
    worker.kill()
    worker.wait()
    assert counter.cpu_ns() >= 200 * MS
    counter.close()


def test_counting_a_process_that_has_ended_adds_nothing(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.wait()
    counter = TreeCounter(3, lambda: [worker.pid])
    assert counter.cpu_ns() == 3
    counter.close()


@pytest.mark.parametrize("level", BOXED)
def test_a_box_counts_what_it_starts_until_told_otherwise(
    level: Level, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with sandbox_of(level, program(tmp_path_factory.mktemp("bot"))) as sandbox:
        box = sandbox.box()
        assert box.counter >= 0
        with python(sandbox, WORK) as started:
            started.line()
            before = int.from_bytes(os.read(box.counter, 8), "little")
            os.write(started.stdin, b"\n")
            started.line()
            after = int.from_bytes(os.read(box.counter, 8), "little")
            assert after - before >= 200 * MS
            box.stop_counting()
            assert box.counter == -1
            signal.pidfd_send_signal(started.pidfd, signal.SIGKILL)
            wait_for(started.pidfd)
            sandbox.end()
