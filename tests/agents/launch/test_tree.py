"""Finding and killing what agents start, with real processes that try to get away."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from arbiter.agents.launch import tree
from tests.agents.ask.harness import wait_for_end

# Each prints its own pid and that of every process below it, in one line, and stays.
_STAY = "sys.stdout.flush(); signal.pause()"
_PLAIN = f"""
child = os.fork()
if child: print(os.getpid(), child)
{_STAY}
"""
_SETSID = f"""
back, told = os.pipe()
if child := os.fork():
    os.read(back, 1)
    print(os.getpid(), child)
else:
    os.setsid()
    os.write(told, b"!")
{_STAY}
"""
_DOUBLE_FORK = f"""
back, told = os.pipe()
if child := os.fork():
    os.waitpid(child, 0)
    print(os.getpid(), int(os.read(back, 100)))
else:
    os.setsid()
    if os.fork(): os._exit(0)
    os.write(told, str(os.getpid()).encode())
{_STAY}
"""
_THREAD = f"""
import threading
def start():
    child = os.fork()
    if child: print(os.getpid(), child, flush=True)
    signal.sigwait([]) if not child else threading.Event().wait()
threading.Thread(target=start).start()
{_STAY}
"""


@dataclass(frozen=True, slots=True)
class Family:
    """A process in a session of its own, and who is below it."""

    leader: int
    below: tuple[int, ...]
    popen: subprocess.Popen[str]


@pytest.fixture
def spared() -> Iterator[frozenset[int]]:
    """Those of our children that are there before the test; none more may be there after it."""
    before = frozenset(tree.children(os.getpid()))
    tree.become_subreaper()
    try:
        yield before
    finally:
        tree.sweep(before, None)
        tree.become_subreaper(on=False)
    assert frozenset(tree.children(os.getpid())) == before


def start(program: str, mark: str = "test") -> Family:
    popen = subprocess.Popen(
        [sys.executable, "-c", f"import os, signal, sys\n{program}"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, tree.MARK: mark},
    )
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


# -- who is below ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", [_PLAIN, _SETSID, _THREAD], ids=["plain", "setsid", "thread"])
def test_children_are_found_whatever_session_or_thread(program: str, spared: frozenset[int]) -> None:
    family = start(program)
    assert tree.children(family.leader) == list(family.below)
    assert list(tree.descendants(family.leader)) == list(family.below)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()


def test_grandchildren_are_found(spared: frozenset[int]) -> None:
    family = start(
        """
leader = os.getpid()
back, told = os.pipe()
os.fork()
os.fork()
if os.getpid() == leader: print(leader, *[int(os.read(back, 7)) for _ in range(3)])
else: os.write(told, b"%7d" % os.getpid())
"""
        + _STAY
    )
    assert sorted(tree.descendants(family.leader)) == sorted(family.below)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()


def test_a_chain_longer_than_the_stack_is_deep_is_followed_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "children", lambda pid: [pid + 1] if pid < 20_000 else [])
    assert list(tree.descendants(1)) == list(range(2, 20_001))


def test_who_has_cut_itself_loose_still_works_for_its_agent(spared: frozenset[int]) -> None:
    mine, other = start(_DOUBLE_FORK, "mine"), start(_DOUBLE_FORK, "other")
    assert tuple(tree.helpers(mine.leader, "mine")) == mine.below
    assert tuple(tree.helpers(other.leader, "other")) == other.below
    below = start(_PLAIN, "third")
    assert tuple(tree.helpers(below.leader, "third")) == below.below


def test_nobody_is_below_a_process_that_is_gone(spared: frozenset[int]) -> None:
    popen = subprocess.Popen(["true"])
    popen.wait()
    assert tree.children(popen.pid) == []
    assert list(tree.descendants(popen.pid)) == []
    assert tree.resident_bytes([popen.pid]) == 0
    assert tree.cpu_ns([popen.pid]) == 0


def test_memory_is_added_up_over_processes(spared: frozenset[int]) -> None:
    family = start(_PLAIN)
    everybody = [family.leader, *family.below]
    before = [tree.resident_bytes([pid]) for pid in everybody]
    together = tree.resident_bytes(everybody)
    after = [tree.resident_bytes([pid]) for pid in everybody]
    assert min(before) > 1 << 20
    assert sum(before) <= together <= sum(after)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()


def test_time_burnt_is_added_up_over_processes(spared: frozenset[int]) -> None:
    family = start(_SETSID)  # whose child has surely run by now
    everybody = [family.leader, *family.below]
    before = [tree.cpu_ns([pid]) for pid in everybody]
    together = tree.cpu_ns(everybody)
    after = [tree.cpu_ns([pid]) for pid in everybody]
    assert min(before) > 0
    assert sum(before) <= together <= sum(after)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()


# -- killing -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", [_PLAIN, _SETSID], ids=["plain", "setsid"])
def test_an_agent_is_killed_with_its_group_and_its_descendants(program: str, spared: frozenset[int]) -> None:
    family = start(program)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()
    assert family.popen.returncode == -9
    for pid in family.below:
        wait_for_end(pid)
        assert not is_running(pid)


def test_killing_who_is_gone_is_no_error() -> None:
    popen = subprocess.Popen(["true"])
    popen.wait()
    tree.kill(popen.pid)
    tree.kill_group_and_descendants(popen.pid)


def test_who_forked_twice_is_ours_and_goes_with_the_sweep(spared: frozenset[int]) -> None:
    family = start(_DOUBLE_FORK)
    (daemon,) = family.below
    assert list(tree.descendants(family.leader)) == []
    assert daemon in tree.children(os.getpid())
    assert tree.sweep(spared | {family.leader}, "test") == 1
    assert not is_running(daemon)
    assert is_running(family.leader)
    tree.kill_group_and_descendants(family.leader)
    family.popen.wait()


def test_a_child_that_lost_its_agent_goes_with_the_sweep(spared: frozenset[int]) -> None:
    family = start(_SETSID)
    (child,) = family.below
    tree.kill(family.leader)
    family.popen.wait()
    assert is_running(child)
    assert tree.sweep(spared, "test") == 1
    assert not is_running(child)


def test_a_whole_tree_of_strays_goes(spared: frozenset[int]) -> None:
    family = start(
        """
back, told = os.pipe()
if not os.fork():
    os.setsid()
    for _ in range(3): os.fork()
    os.write(told, b"%7d" % os.getpid())
    signal.pause()
print(os.getpid(), *[int(os.read(back, 7)) for _ in range(8)])
"""
        + _STAY
    )
    tree.kill(family.leader)
    family.popen.wait()
    assert len(family.below) == 8
    tree.sweep(spared, "test")
    assert not any(is_running(pid) for pid in family.below)


def test_the_sweep_takes_only_those_with_the_mark(spared: frozenset[int]) -> None:
    mine, other = start(_DOUBLE_FORK, "mine"), start(_DOUBLE_FORK, "other")
    leaders = spared | {mine.leader, other.leader}
    assert tree.sweep(leaders, "mine") == 1
    assert not is_running(mine.below[0])
    assert is_running(other.below[0])
    assert tree.sweep(leaders, None) == 1
    assert not is_running(other.below[0])
    for family in (mine, other):
        tree.kill_group_and_descendants(family.leader)
        family.popen.wait()


@pytest.mark.parametrize("mark", ["test", None])
def test_a_process_in_our_own_session_is_spared(mark: str | None, spared: frozenset[int]) -> None:
    with subprocess.Popen(["sleep", "3600"], env={**os.environ, tree.MARK: "test"}) as ours:
        assert tree.sweep(spared, mark) == 0
        assert is_running(ours.pid)
        ours.kill()


def test_a_child_that_is_known_is_spared_in_whatever_session(spared: frozenset[int]) -> None:
    with subprocess.Popen(["sleep", "3600"], start_new_session=True) as known:
        assert tree.sweep(spared | {known.pid}, None) == 0
        assert is_running(known.pid)
        known.kill()


# -- who will not go ---------------------------------------------------------------------------------------

_TRACED = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
PR_SET_PTRACER, PTRACE_SEIZE = 0x59616D61, 0x4206
libc.prctl(PR_SET_PTRACER, ctypes.c_ulong(-1), 0, 0, 0)
back, told = os.pipe()
leader = os.getpid()
if os.fork():
    print(leader, int(os.read(back, 100)), flush=True)
    os._exit(7)
os.setsid()
if os.fork(): os._exit(0)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
traces = libc.ptrace(PTRACE_SEIZE, leader, None, None) == 0
os.write(told, str(os.getpid() if traces else 0).encode())
{_STAY}
"""


def test_who_ends_while_it_is_traced_is_collected_all_the_same(spared: frozenset[int]) -> None:
    """The kernel shows it to its tracer alone; here that is a stray that never looks."""
    family = start(_TRACED)
    if family.below == (0,):
        pytest.skip("nobody may trace here")
    wait_for_end(family.leader)
    code, _ = tree.reap(family.leader) or (None, 0)
    family.popen.returncode = code
    assert code == 7
    assert not is_running(family.below[0])


def test_who_is_no_child_of_ours_cannot_be_collected(spared: frozenset[int]) -> None:
    assert tree.reap(1) is None
    gone = start(_PLAIN)
    gone.popen.kill()
    gone.popen.wait()
    assert tree.reap(gone.leader) is None


_GROUP = f"""
back, told = os.pipe()
if child := os.fork():
    os.waitpid(child, 0)
    print(os.getpid(), *map(int, os.read(back, 100).split()))
else:
    os.setsid()
    if os.fork(): os._exit(0)
    below = os.fork()
    if below: os.write(told, f"{{os.getpid()}} {{below}}".encode())
    else: os.execve(sys.executable, [sys.executable, "-c", "import signal; signal.pause()"], {{}})
{_STAY}
"""


def test_a_stray_goes_with_all_of_its_group(monkeypatch: pytest.MonkeyPatch, spared: frozenset[int]) -> None:
    """Also with those that end and are replaced too fast to be found by their number."""
    family = start(_GROUP)
    stray, hidden = family.below
    monkeypatch.setattr(tree, "descendants", lambda _: [])
    tree.sweep(spared | {family.leader}, "test")
    wait_for_end_of_stranger(hidden)
    assert not is_running(stray)
    assert not is_running(hidden)
    monkeypatch.undo()
    family.popen.kill()
    family.popen.wait()


def wait_for_end_of_stranger(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it is gone already
        wait_for_end(pid)
