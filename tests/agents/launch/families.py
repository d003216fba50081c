"""Processes for the tests of this folder: a leader in a session of its own and what it has started."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

from arbiter.agents.launch import strays

# Each prints the pids of itself and of every process it started, in one line, and stays.
STAY = "sys.stdout.flush(); signal.pause()"
PLAIN = f"""
child = os.fork()
if child: print(os.getpid(), child)
{STAY}
"""
SETSID = f"""
back, done = os.pipe()
if child := os.fork():
    os.read(back, 1)
    print(os.getpid(), child)
else:
    os.setsid()
    os.write(done, b"!")
{STAY}
"""
DOUBLE_FORK = f"""
back, done = os.pipe()
if child := os.fork():
    os.waitpid(child, 0)
    print(os.getpid(), int(os.read(back, 100)))
else:
    os.setsid()
    if os.fork(): os._exit(0)
    os.write(done, str(os.getpid()).encode())
{STAY}
"""
THREAD = f"""
import threading
def start():
    child = os.fork()
    if child: print(os.getpid(), child, flush=True)
    signal.sigwait([]) if not child else threading.Event().wait()
threading.Thread(target=start).start()
{STAY}
"""


@dataclass(frozen=True, slots=True)
class Family:
    """A process in a session of its own, and its descendants."""

    leader: int
    below: tuple[int, ...]
    popen: subprocess.Popen[str]


@cache
def table() -> str:
    """Return the mark of all of them, which names this process."""
    return strays.new_table()


def mark_of(seat: int) -> str:
    """Return the mark of a seat."""
    return strays.agent_mark(table(), seat)


def start(program: str, seat: int = 0, *, hard_limit: bool = True) -> Family:
    """Start a family with the mark of a seat, and wait until it has printed its pids."""
    mark = mark_of(seat)
    with strays.inherited(mark):
        popen = subprocess.Popen(
            [sys.executable, "-c", f"import os, signal, sys\n{program}"],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, strays.VARIABLE: mark},
        )
    if hard_limit:
        strays.mark_process(popen.pid, mark)
    assert popen.stdout is not None
    with popen.stdout:
        leader, *below = map(int, popen.stdout.readline().split())
    assert leader == popen.pid
    return Family(leader, tuple(below), popen)


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:  # noqa: PTH123
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False
