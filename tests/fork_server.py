"""Runs commands of the arbiter without importing it for each: a process that has imported it forks for every command.

A command still has its own process, folder, environment, pipes and exit status. Run as a program, this file is the forking
process: it takes requests from a socket, each with the three standard files, and answers with a pid and later a wait status.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

_MOST_BYTES = 1 << 20
"""The most bytes of a request: its words and its environment."""
_LEFT_OUT = {f"arbiter.{name}" for name in ("__main__", "arena", "bench", "cluster", "records.packed", "testing")}
"""Modules that are programs, that few commands need, or whose libraries start threads, which a fork would leave behind."""


class Running:
    """A command that was started."""

    def __init__(self, status: socket.socket) -> None:
        self._status = status
        self.pid = int(status.recv(100))

    def fileno(self) -> int:
        """A descriptor that becomes readable when it has ended."""
        return self._status.fileno()

    def wait(self) -> int:
        """Return its exit status when it has ended."""
        with self._status:
            return os.waitstatus_to_exitcode(int(self._status.recv(100)))


class ForkServer:
    """The process that forks, seen from the tests."""

    def __init__(self) -> None:
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.started_with = dict(os.environ)
        with far:
            command = [sys.executable, __file__, str(far.fileno())]
            # A session of its own, so that Ctrl-C reaches neither it nor the commands; close ends what is left of them.
            self._process = subprocess.Popen(
                command, pass_fds=[far.fileno()], stdin=subprocess.DEVNULL, start_new_session=True
            )
        self._socket = near
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MOST_BYTES)
        self._lock = threading.Lock()

    def start(
        self,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        files: Sequence[int],
        *,
        session: bool = False,
    ) -> Running:
        """Start ``arbiter WORDS`` with these three standard files, which stay open here; in a ``session`` of its own, or not."""
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        request = {
            "words": words,
            "folder": str(folder),
            "environment": dict(environment),
            "cores": sorted(os.sched_getaffinity(0)),
            "session": session,
        }
        with far, self._lock:
            socket.send_fds(self._socket, [json.dumps(request).encode()], [*files, far.fileno()])
        return Running(near)

    def run(
        self, words: Sequence[str], folder: Path, environment: Mapping[str, str], sent: bytes
    ) -> tuple[int, bytes, bytes]:
        """Run ``arbiter WORDS`` to its end. Returns the exit status, standard output and standard error."""
        pipes = [os.pipe() for _ in range(3)]
        theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
        running = self.start(words, folder, environment, theirs)
        for fd in theirs:
            os.close(fd)
        out, err = _exchange(pipes[0][1], pipes[1][0], pipes[2][0], sent)
        return running.wait(), out, err

    def close(self) -> None:
        """End the process, and commands that still run."""
        self._socket.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _exchange(stdin: int, stdout: int, stderr: int, sent: bytes) -> tuple[bytes, bytes]:
    """Write to a pipe and read two others to their ends, as they take and give."""
    heard = {stdout: bytearray(), stderr: bytearray()}
    poll = select.poll()
    for fd in heard:
        poll.register(fd, select.POLLIN)
    os.set_blocking(stdin, False)
    poll.register(stdin, select.POLLOUT)
    waiting = {stdin, stdout, stderr}
    while waiting:
        for fd, _ in poll.poll():
            if fd == stdin:
                try:
                    sent = sent[os.write(fd, sent) :] if sent else b""
                except BrokenPipeError:
                    sent = b""
                ended = not sent
            else:
                chunk = os.read(fd, 1 << 16)
                heard[fd] += chunk
                ended = not chunk
            if ended:
                poll.unregister(fd)
                os.close(fd)
                waiting.remove(fd)
    return bytes(heard[stdout]), bytes(heard[stderr])


def _serve(requests: socket.socket) -> Any:
    """Fork for every request; returns it in the process that has to carry it out."""
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    running: dict[int, tuple[int, socket.socket]] = {}
    while True:
        for ready, _ in poll.poll():
            if ready != requests.fileno():
                poll.unregister(ready)
                _report(ready, *running.pop(ready))
                continue
            text, files, _, _ = socket.recv_fds(requests, _MOST_BYTES, 4)
            if not text:
                sys.exit()
            pid = os.fork()
            if not pid:
                _take_standard_files(files[:3])
                return json.loads(text)
            for fd in files[:3]:
                os.close(fd)
            pidfd = os.pidfd_open(pid)
            running[pidfd] = pid, socket.socket(fileno=files[3])
            running[pidfd][1].send(str(pid).encode())
            poll.register(pidfd, select.POLLIN)


def _report(pidfd: int, pid: int, asker: socket.socket) -> None:
    """Send the wait status of a process that has ended."""
    os.close(pidfd)
    with asker:
        asker.send(str(os.waitpid(pid, 0)[1]).encode())


def _take_standard_files(files: Sequence[int]) -> None:
    for target, fd in enumerate(files):
        os.dup2(fd, target)
    os.closerange(3, 1024)  # those of the server


def _import(package: ModuleType) -> None:
    """Import every module of a package that a command may need, but for those in _LEFT_OUT."""
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.name not in _LEFT_OUT:
            module = importlib.import_module(found.name)
            if found.ispkg:
                _import(module)


def _carry_out(request: Mapping[str, Any]) -> None:
    """Do what ``python -m arbiter`` does in a new process."""
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    os.sched_setaffinity(0, request["cores"])
    if request["session"]:
        os.setsid()
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", errors="backslashreplace")  # noqa: SIM115
    sys.path.insert(0, request["folder"])
    sys.argv = ["arbiter", *request["words"]]
    runpy.run_module("arbiter", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    del sys.path[0]
    _import(importlib.import_module("arbiter"))
    importlib.import_module("difflib")
    importlib.import_module("wcwidth")
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208
        raise AssertionError("a fork would leave threads behind")
    gc.freeze()
    _carry_out(_serve(socket.socket(fileno=int(sys.argv[1]))))
