"""Finding, measuring, killing and reaping what agents start, with real processes."""

from __future__ import annotations

import subprocess

import pytest

from arbiter.agents.launch import tree
from tests.agents.ask.harness import wait_for_end
from tests.agents.launch.families import PLAIN, SETSID, STAY, THREAD, is_running, start
from tests.tools import missing

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("leaving_no_children")]

UNLIMITED = 1 << 60
SHARED_BYTES = 64 << 20
SHARING = f"""
import mmap
shared = mmap.mmap(-1, {SHARED_BYTES})
shared.write(b"x" * {SHARED_BYTES})
touched, tell = os.pipe()
children = []
for _ in range(4):
    children.append(os.fork())
    if not children[-1]:
        sum(shared[:: mmap.PAGESIZE])
        os.write(tell, b"!")
        break
else:
    for _ in children: os.read(touched, 1)
    print(os.getpid(), *children)
{STAY}
"""
"""Processes that all touch the same memory."""

# -- descendants -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", [PLAIN, SETSID, THREAD], ids=["plain", "setsid", "thread"])
def test_children_are_found_whatever_session_or_thread(program: str) -> None:
    family = start(program)
    assert tree.children(family.leader) == list(family.below)
    assert list(tree.descendants(family.leader)) == list(family.below)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()


def test_grandchildren_are_found() -> None:
    family = start(
        """
leader = os.getpid()
back, done = os.pipe()
os.fork()
os.fork()
if os.getpid() == leader: print(leader, *[int(os.read(back, 7)) for _ in range(3)])
else: os.write(done, b"%7d" % os.getpid())
"""
        + STAY
    )
    assert sorted(tree.descendants(family.leader)) == sorted(family.below)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()


def test_a_chain_longer_than_the_stack_is_deep_is_followed_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "children", lambda pid: [pid + 1] if pid < 20_000 else [])
    assert list(tree.descendants(1)) == list(range(2, 20_001))


def test_a_process_that_is_gone_has_no_descendants() -> None:
    popen = subprocess.Popen(["true"])
    popen.wait()
    assert tree.children(popen.pid) == []
    assert list(tree.descendants(popen.pid)) == []
    assert tree.memory_bytes([popen.pid], 0) == 0
    assert tree.cpu_ns([popen.pid]) == 0


def test_memory_is_added_up_over_processes() -> None:
    family = start(PLAIN)
    everything = [family.leader, *family.below]
    before = [tree.memory_bytes([pid], UNLIMITED) for pid in everything]
    together = tree.memory_bytes(everything, UNLIMITED)
    after = [tree.memory_bytes([pid], UNLIMITED) for pid in everything]
    assert min(before) > 1 << 20
    assert sum(before) <= together <= sum(after)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()


def test_memory_that_processes_share_counts_once_where_a_limit_would_be_exceeded() -> None:
    family = start(SHARING)
    everything = [family.leader, *family.below]
    assert tree.memory_bytes(everything, UNLIMITED) > 4 * SHARED_BYTES
    assert tree.memory_bytes(everything, 2 * SHARED_BYTES) < 2 * SHARED_BYTES
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()


def test_cpu_time_is_added_up_over_processes() -> None:
    family = start(SETSID)  # whose child has surely run by now
    everything = [family.leader, *family.below]
    before = [tree.cpu_ns([pid]) for pid in everything]
    together = tree.cpu_ns(everything)
    after = [tree.cpu_ns([pid]) for pid in everything]
    assert min(before) > 0
    assert sum(before) <= together <= sum(after)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()


# -- killing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", [PLAIN, SETSID], ids=["plain", "setsid"])
def test_an_agent_is_killed_with_its_group_and_its_descendants(program: str) -> None:
    family = start(program)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()
    assert family.popen.returncode == -9
    for pid in family.below:
        wait_for_end(pid)
        assert not is_running(pid)


def test_killing_a_process_that_is_gone_is_not_an_error() -> None:
    popen = subprocess.Popen(["true"])
    popen.wait()
    tree.kill(popen.pid)
    tree.kill_group_and_descendants(popen.pid)


# -- reaping -----------------------------------------------------------------------------------------------

_TRACED = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
PR_SET_PTRACER, PTRACE_SEIZE = 0x59616D61, 0x4206
libc.prctl(PR_SET_PTRACER, ctypes.c_ulong(-1), 0, 0, 0)
back, done = os.pipe()
leader = os.getpid()
if os.fork():
    print(leader, int(os.read(back, 100)), flush=True)
    os._exit(7)
os.setsid()
if os.fork(): os._exit(0)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
traces = libc.ptrace(PTRACE_SEIZE, leader, None, None) == 0
os.write(done, str(os.getpid() if traces else 0).encode())
{STAY}
"""


def test_a_process_that_ends_while_traced_is_reaped() -> None:
    """Only its tracer can wait for it; here that is a stray that never does."""
    family = start(_TRACED)
    if family.below == (0,):
        missing("tracing processes")
    wait_for_end(family.leader)
    code, _ = tree.reap(family.leader) or (None, 0)
    family.popen.returncode = code
    assert code == 7
    assert not is_running(family.below[0])


def test_only_our_own_children_are_reaped() -> None:
    assert tree.reap(1) is None
    gone = start(PLAIN)
    gone.popen.kill()
    gone.popen.wait()
    assert tree.reap(gone.leader) is None
