"""Programs that the zygote forks, with real processes."""

from __future__ import annotations

import os
import resource
import select
import signal
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.agents.launch import tree
from arbiter.agents.zygote import zygote
from arbiter.agents.zygote.zygote import ForkedProgram, keep_zygote, start_program
from tests.agents.ask.harness import leaving_nothing

# Writes what it is told to, and exits when the pipe on its first descriptor is closed.
PROGRAM = """
import os
imported = 0
def main(wait, out, number=0):
    os.write(out, f"{number} {os.getpid()} {os.getpgid(0)} {sorted(os.sched_getaffinity(0))} {len(os.listdir('/proc/self/fd'))}".encode())
    os.close(out)
    os.read(wait, 1)
"""


@pytest.fixture(autouse=True)
def _nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(zygote, "_current", None)  # not the one that all tests share
    with leaving_nothing():
        yield


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "echoes.py").write_text(PROGRAM)
    return str(tmp_path)


class Running:
    """A program, the end of the pipe that it waits for, and what it wrote."""

    def __init__(self, folder: str, number: int = 0) -> None:
        wait, self.end = os.pipe()
        heard, out = os.pipe()
        try:
            self.program = start_program(folder, "echoes", (wait, out), number)
        except OSError:
            os.close(self.end)
            raise
        finally:
            os.close(wait)
            os.close(out)
            self.words = os.read(heard, 4096).decode() if hasattr(self, "program") else ""
            os.close(heard)

    def close(self) -> None:
        os.close(self.end)
        self.program.close()


def test_a_program_gets_its_files_and_arguments_and_nothing_else(folder: str) -> None:
    running = Running(folder, 42)
    pid, cores = running.program.pid, sorted(os.sched_getaffinity(0))
    # Three standard streams, its two pipes, and the descriptor that the listing is read through.
    assert running.words == f"42 {pid} {pid} {cores} 6"
    running.close()


def test_it_exits_by_itself_or_is_killed_and_is_reaped(folder: str) -> None:
    one, other = Running(folder), Running(folder)
    os.close(one.end)
    assert one.program.wait()
    one.program.close()
    assert not other.program.wait(0)
    os.close(other.end)
    other.program.close()
    assert not any(Path(f"/proc/{each.program.pid}").exists() for each in (one, other))


def test_the_zygote_ends_with_its_last_program(folder: str) -> None:
    before = tree.children(os.getpid())
    one, other = Running(folder), Running(folder)
    (started,) = set(tree.children(os.getpid())) - set(before)
    assert tree.children(started) == [one.program.pid, other.program.pid]
    one.close()
    assert started in tree.children(os.getpid())
    other.close()
    assert tree.children(os.getpid()) == before


def test_it_can_be_kept(folder: str) -> None:
    with keep_zygote():
        below = tree.children(os.getpid())
        for _ in range(2):
            Running(folder).close()
            assert tree.children(os.getpid()) == below


def test_one_that_was_killed_is_replaced(folder: str) -> None:
    with keep_zygote():
        first = zygote._current
        assert first is not None
        os.kill(first._process.pid, signal.SIGKILL)
        first._process.wait()
        running = Running(folder)
        assert zygote._current is not first
        assert running.words
        running.close()


def test_one_that_was_stopped_is_woken(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zygote, "_TIMEOUT", struct.pack("ll", 0, 1000))
    monkeypatch.setattr(zygote, "_TRIES", 60_000)
    with keep_zygote():
        Running(folder).close()
        assert zygote._current is not None
        os.kill(zygote._current._process.pid, signal.SIGSTOP)
        Running(folder).close()


def test_a_fork_of_the_arbiter_has_a_zygote_of_its_own(folder: str) -> None:
    """And closes its end of the other, which must notice that the arbiter has died."""
    with keep_zygote():
        theirs = zygote._current
        heard, out = os.pipe()
        child = os.fork()
        if child == 0:
            running: Running | None = None
            try:
                running = Running(folder)
                os.write(out, b"own" if zygote._current is not theirs else b"shared")
                running.close()
            finally:
                os._exit(0)
        os.close(out)
        assert os.read(heard, 10) == b"own"
        os.close(heard)
        os.waitpid(child, 0)
        Running(folder).close()


def test_programs_end_with_the_arbiter(folder: str) -> None:
    heard, out = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            running = Running(folder)
            assert zygote._current is not None
            os.write(out, f"{zygote._current._process.pid} {running.program.pid}".encode())
            signal.pause()
        finally:
            os._exit(1)
    pidfds = [os.pidfd_open(int(pid)) for pid in os.read(heard, 100).split()]
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    for pidfd in pidfds:
        assert select.select([pidfd], [], [], 60)[0]
        os.close(pidfd)
    for fd in (heard, out):
        os.close(fd)


def test_without_a_free_descriptor_there_is_no_program(folder: str) -> None:
    with keep_zygote():
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        (wait, end), (heard, out) = os.pipe(), os.pipe()
        spare = os.dup(wait)
        os.close(spare)
        resource.setrlimit(resource.RLIMIT_NOFILE, (spare, hard))
        found: ForkedProgram | None = None
        try:
            with pytest.raises(OSError, match="Too many open files"):
                found = start_program(folder, "echoes", (wait, out))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            for fd in (wait, end, out):
                os.close(fd)
        assert found is None
        assert os.read(heard, 4096)  # it was started, and exits with its pipe
        os.close(heard)
        Running(folder).close()
