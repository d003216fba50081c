"""Counting the CPU time of processes that end unseen."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.agents.launch import tree
from arbiter.agents.launch.counted import TreeCounter
from arbiter.agents.launch.loose import LooseProcess
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox._box.counter import open_counter
from arbiter.agents.sandbox.levels import Level
from tests.agents.sandbox.running import BOXED, program, python, sandbox_of, wait_for
from tests.tools import missing

pytestmark = pytest.mark.slow

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

MANY_THREADS = """
import sys, threading, time
asked, done = threading.Event(), threading.Event()
def work():
    while asked.wait():
        asked.clear()
        start = time.thread_time()
        while time.thread_time() - start < 0.05: pass
        done.set()
threading.stack_size(1 << 16)
for number in range(300):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
threading.Thread(target=work, daemon=True).start()
print(flush=True)
for line in sys.stdin:
    asked.set()
    done.wait()
    done.clear()
    print(flush=True)
"""
"""Works in the last of more threads than are counted one by one."""


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


def work(process: subprocess.Popen[bytes], *, first: bool = True) -> None:
    """Have it work once; ``first``: when it is ready to."""
    if process.stdin is None or process.stdout is None:
        raise AssertionError("it has pipes")
    if first:
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


def test_threads_beyond_those_that_are_counted_still_count(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-S", "-I", "-c", MANY_THREADS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as popen:
        process = LooseProcess(Launch([], str(tmp_path), {}), "", popen, (-1, -1, -1))
        work(popen)
        process.count_everything()
        before_ns = process.cpu_ns()
        work(popen, first=False)
        assert process.cpu_ns() - before_ns >= 50 * MS
        process.stop_counting()
        os.close(process.pidfd)
        popen.kill()


def test_counting_a_process_that_has_ended_adds_nothing(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.wait()
    counter = TreeCounter(3, lambda: [worker.pid])
    assert counter.cpu_ns() == 3
    counter.close()


@pytest.mark.parametrize("level", BOXED)
def test_a_box_counts_what_it_starts_until_counting_is_stopped(
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
