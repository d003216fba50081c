"""Disturbers: processes that burn CPU time, stop other processes or fill a memory cgroup. Each exits with its parent.

Run as ``python disturb.py KIND ARGUMENT…``. It imports only the standard library, so that it starts quickly.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

STOP_MS, PAUSE_MS = (2, 60), (20, 200)
"""How long a process is stopped, and how long it runs in between."""
CGROUP_BYTES, HOG_BYTES = 96 << 20, 256 << 20
"""Memory of the cgroup, and of the file pages that the hog in it reads, for which the kernel evicts pages of others."""


@contextlib.contextmanager
def disturber(*arguments: str | int) -> Iterator[None]:
    """Run a process that disturbs others within the context."""
    command = [sys.executable, "-S", "-I", __file__, str(os.getpid()), *map(str, arguments)]
    with subprocess.Popen(command, start_new_session=True) as process:
        try:
            yield
        finally:
            process.terminate()


@contextlib.contextmanager
def memory_cgroup() -> Iterator[None]:
    """Move this process into a small memory cgroup, together with a hog. Raises OSError where that is not allowed."""
    own = next(line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines() if ":memory:" in line)
    parent = Path("/sys/fs/cgroup/memory") / own[2].strip("/")
    group = parent / f"rig-{os.getpid()}"
    group.mkdir()
    try:
        (group / "memory.limit_in_bytes").write_text(str(CGROUP_BYTES))
        (group / "cgroup.procs").write_text(str(os.getpid()))
        with disturber("hog"):
            yield
    finally:
        (parent / "cgroup.procs").write_text(str(os.getpid()))
        for _ in range(100):
            try:
                group.rmdir()
                break
            except OSError:
                time.sleep(0.01)


def drop(path: str) -> None:
    """Drop a file from the page cache, except for pages that are mapped."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(fd)


def _burn() -> None:
    while True:
        sum(range(10_000))


def _stop(pid: int) -> None:
    random.seed(pid)
    while True:
        time.sleep(random.uniform(*PAUSE_MS) / 1000)
        os.kill(pid, signal.SIGSTOP)
        try:
            time.sleep(random.uniform(*STOP_MS) / 1000)
        finally:
            os.kill(pid, signal.SIGCONT)


def _hog() -> None:
    with tempfile.TemporaryFile(dir="/var/tmp") as file:
        file.truncate(HOG_BYTES)
        with mmap.mmap(file.fileno(), HOG_BYTES, prot=mmap.PROT_READ) as pages:
            while True:
                for start in range(0, HOG_BYTES, mmap.PAGESIZE):
                    pages[start]
                time.sleep(0.001)


def _main(parent: int, kind: str, *arguments: str) -> None:
    import ctypes

    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        return
    with contextlib.suppress(ProcessLookupError):
        if kind == "stop":
            _stop(*map(int, arguments))
        elif kind == "hog":
            _hog()
        else:
            _burn()


if __name__ == "__main__":
    _main(int(sys.argv[1]), *sys.argv[2:])
