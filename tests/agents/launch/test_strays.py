"""Recognising, killing and reaping what agents left behind, and nothing else."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys

import pytest

from arbiter.agents.launch import strays, tree
from tests.agents.ask.harness import wait_for_end
from tests.agents.launch.families import DOUBLE_FORK, PLAIN, SETSID, STAY, Family, is_running, mark_of, start, table

pytestmark = pytest.mark.usefixtures("leaving_no_children")


def end(*families: Family) -> None:
    for family in families:
        tree.kill_group_and_descendants(family.leader)
        family.popen.wait()


# -- marks -------------------------------------------------------------------------------------------------


@pytest.fixture
def sleeper() -> subprocess.Popen[bytes]:
    return subprocess.Popen(["sleep", "3600"], start_new_session=True)


def test_a_mark_set_as_a_limit_reads_as_it_was_written(sleeper: subprocess.Popen[bytes]) -> None:
    with sleeper:
        assert not strays.has_mark(sleeper.pid, mark_of(0), table(), str(os.getpid()))
        strays.mark_process(sleeper.pid, mark_of(0))
        assert strays.has_mark(sleeper.pid, mark_of(0))
        assert strays.has_mark(sleeper.pid, table())
        assert strays.has_mark(sleeper.pid, str(os.getpid()))
        sleeper.kill()


def test_a_mark_does_not_match_another_with_the_same_beginning(sleeper: subprocess.Popen[bytes]) -> None:
    with sleeper:
        strays.mark_process(sleeper.pid, mark_of(12))
        for other in (mark_of(1), table()[:-1], str(os.getpid())[:-1], strays.new_table()):
            assert not strays.has_mark(sleeper.pid, other)
        sleeper.kill()


def test_a_zombie_still_carries_its_mark(sleeper: subprocess.Popen[bytes]) -> None:
    with sleeper:
        strays.mark_process(sleeper.pid, mark_of(0))
        sleeper.kill()
        wait_for_end(sleeper.pid)
        assert strays.has_mark(sleeper.pid, mark_of(0))


def test_marking_a_process_that_is_gone_is_not_an_error(sleeper: subprocess.Popen[bytes]) -> None:
    sleeper.kill()
    sleeper.wait()
    strays.mark_process(sleeper.pid, mark_of(0))
    assert not strays.has_mark(sleeper.pid, mark_of(0))


def test_a_process_that_is_not_dumpable_still_carries_its_mark() -> None:
    """An ordinary user cannot read its environment."""
    source = "import ctypes\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\nprint(flush=True)\ninput()"
    command = [sys.executable, "-c", source]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True) as private:
        strays.mark_process(private.pid, mark_of(0))
        assert private.stdout is not None
        private.stdout.readline()
        assert strays.has_mark(private.pid, mark_of(0))
        private.kill()


def test_our_own_limit_is_restored_after_a_spawn() -> None:
    before = resource.getrlimit(strays._RLIMIT_LOCKS)
    with strays.inherited(mark_of(0)):
        assert resource.getrlimit(strays._RLIMIT_LOCKS) != before
        with strays.inherited(mark_of(1)):  # in another thread
            pass
        assert resource.getrlimit(strays._RLIMIT_LOCKS) == before
    assert resource.getrlimit(strays._RLIMIT_LOCKS) == before


# -- an agent's other processes ----------------------------------------------------------------------------


def test_orphans_count_among_the_processes_of_their_agent() -> None:
    first, second, third = start(DOUBLE_FORK, 0), start(DOUBLE_FORK, 1), start(PLAIN, 2)
    assert tuple(strays.helpers(first.leader, mark_of(0))) == first.below
    assert tuple(strays.helpers(second.leader, mark_of(1))) == second.below
    assert tuple(strays.helpers(third.leader, strays.agent_mark(table(), 2))) == third.below
    end(first, second, third)


# -- sweeping ----------------------------------------------------------------------------------------------


def test_a_child_that_lost_its_agent_is_swept() -> None:
    family = start(SETSID)
    (child,) = family.below
    tree.kill(family.leader)
    family.popen.wait()
    assert is_running(child)
    assert strays.sweep(mark_of(0)) == 1
    assert not is_running(child)


def test_a_daemon_is_swept() -> None:
    family = start(DOUBLE_FORK)
    (daemon,) = family.below
    assert list(tree.descendants(family.leader)) == []
    assert daemon in tree.children(os.getpid())
    end(family)
    assert strays.sweep(mark_of(0)) == 1
    assert not is_running(daemon)


_WITHOUT_ENVIRONMENT = DOUBLE_FORK.replace(
    "    os.write(done, str(os.getpid()).encode())",
    """    os.set_inheritable(done, True)
    code = f"import os, signal; os.write({done}, str(os.getpid()).encode()); signal.pause()"
    os.execve(sys.executable, [sys.executable, "-S", "-c", code], {})""",
)


@pytest.mark.parametrize("hard_limit", [False, True], ids=["forked at once", "forked later"])
def test_a_daemon_that_dropped_its_environment_is_swept(hard_limit: bool) -> None:
    family = start(_WITHOUT_ENVIRONMENT, hard_limit=hard_limit)
    (daemon,) = family.below
    end(family)
    assert strays.sweep(mark_of(0)) == 1
    assert not is_running(daemon)


@pytest.mark.parametrize("hard_limit", [False, True], ids=["forked at once", "forked later"])
def test_a_daemon_that_has_ended_is_reaped(hard_limit: bool) -> None:
    family = start(DOUBLE_FORK, hard_limit=hard_limit)
    (daemon,) = family.below
    end(family)
    tree.kill(daemon)
    wait_for_end(daemon)
    assert strays.sweep(mark_of(0)) == 1
    assert daemon not in tree.children(os.getpid())


def test_a_whole_tree_of_strays_is_swept() -> None:
    family = start(
        """
back, done = os.pipe()
if not os.fork():
    os.setsid()
    for _ in range(3): os.fork()
    os.write(done, b"%7d" % os.getpid())
    signal.pause()
print(os.getpid(), *[int(os.read(back, 7)) for _ in range(8)])
"""
        + STAY
    )
    tree.kill(family.leader)
    family.popen.wait()
    assert len(family.below) == 8
    strays.sweep(mark_of(0))
    assert not any(is_running(pid) for pid in family.below)


def test_strays_of_one_agent_are_swept_without_those_of_another() -> None:
    first, second = start(DOUBLE_FORK, 0), start(DOUBLE_FORK, 1)
    end(first, second)
    assert strays.sweep(mark_of(0)) == 1
    assert not is_running(first.below[0])
    assert is_running(second.below[0])
    assert strays.sweep(strays.new_table()) == 0
    assert strays.sweep(table()) == 1
    assert not is_running(second.below[0])


_GROUP = f"""
back, done = os.pipe()
if child := os.fork():
    os.waitpid(child, 0)
    print(os.getpid(), *map(int, os.read(back, 100).split()))
else:
    os.setsid()
    if os.fork(): os._exit(0)
    below = os.fork()
    if below: os.write(done, f"{{os.getpid()}} {{below}}".encode())
    else: os.execve(sys.executable, [sys.executable, "-c", "import signal; signal.pause()"], {{}})
{STAY}
"""


def test_a_stray_is_killed_with_its_process_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even processes that end and are replaced too fast to be listed."""
    family = start(_GROUP)
    stray, hidden = family.below
    end(family)
    monkeypatch.setattr(tree, "descendants", lambda _: [])
    strays.sweep(mark_of(0))
    with contextlib.suppress(ProcessLookupError):  # reaped already
        wait_for_end(hidden)
    assert not is_running(stray)
    assert not is_running(hidden)


# -- what is left alone -------------------------------------------------------------------------------------


def test_a_process_in_our_own_session_is_left_alone() -> None:
    with subprocess.Popen(["sleep", "3600"], env={**os.environ, strays.VARIABLE: mark_of(0)}) as ours:
        assert strays.sweep(mark_of(0), table()) == 0
        assert is_running(ours.pid)
        ours.kill()


def test_a_process_without_a_mark_is_left_alone_in_any_session(sleeper: subprocess.Popen[bytes]) -> None:
    with sleeper:
        assert strays.sweep(mark_of(0), table(), str(os.getpid())) == 0
        assert is_running(sleeper.pid)
        sleeper.kill()


@pytest.mark.parametrize("own_session", [False, True], ids=["our session", "own session"])
@pytest.mark.parametrize("ended", [False, True], ids=["running", "ended"])
def test_a_program_that_another_thread_started_during_a_spawn_is_left_alone(own_session: bool, ended: bool) -> None:
    with strays.inherited(mark_of(0)):
        command = ["sh", "-c", "exit 7" if ended else "read line; exit 7"]
        stranger = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=own_session)
    with stranger:
        if ended:
            wait_for_end(stranger.pid)
        assert strays.sweep(mark_of(0), table()) == 0
        stranger.communicate(b"\n")
        assert stranger.returncode == 7


def test_a_zombie_without_a_mark_is_not_reaped() -> None:
    with subprocess.Popen(["sh", "-c", "exit 7"], start_new_session=True) as ended:
        wait_for_end(ended.pid)
        assert strays.sweep(mark_of(0), table()) == 0
        assert ended.wait() == 7
