"""Counting the CPU time of processes that end unseen."""

from __future__ import annotations

import os
import signal

import pytest

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


@pytest.fixture(autouse=True)
def counting() -> None:
    """Skip where the kernel does not let us count."""
    try:
        os.close(open_counter(0))
    except OSError as error:
        missing(f"perf events: {error.strerror}")


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
