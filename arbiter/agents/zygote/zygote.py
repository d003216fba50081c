"""The arbiter's half: starts programs through the zygote, and the zygote when it is first needed."""

from __future__ import annotations

import _socket  # the module `socket` takes milliseconds to import, for its enumerations
import array
import contextlib
import errno
import marshal
import os
import select
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from arbiter.agents.zygote.process import REPLY_SIZE, Request

_START = "import sys; sys.path.append(sys.argv[1]); from process import main; main(int(sys.argv[2]))"
"""The module is imported and not run as a script, so that its bytecode is cached."""
_FOLDER = str(Path(__file__).parent)
_TIMEOUT = struct.pack("ll", 5, 0)
"""How long to wait for a reply before waking a zygote that may have been stopped, as seconds and microseconds."""
_TRIES = 4


class _Broken(Exception):
    """The zygote has exited."""


class ForkedProgram:
    """A running program. Always end it with :meth:`close`."""

    def __init__(self, zygote: _Zygote, pid: int, pidfd: int) -> None:
        self.pid, self._pidfd, self._zygote = pid, pidfd, zygote

    def wait(self, most_ms: int | None = None) -> bool:
        """Wait until it has exited; return whether it has."""
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(most_ms))

    def kill(self) -> None:
        """Kill it, unless it has exited."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def close(self) -> None:
        """Kill it, wait until it has been reaped, and end the zygote if this was its last program."""
        if self._pidfd >= 0:
            self.kill()
            self.wait()
            os.close(self._pidfd)
            self._pidfd = -1
            with _lock:
                self._zygote.reap(self.pid)
                _leave(self._zygote)


def start_program(folder: str, module: str, fds: Sequence[int], *arguments: int) -> ForkedProgram:
    """Start ``main(*fds, *arguments)`` of a module in this folder, with its own descriptors for these files, on the cores
    that the caller may use. Raises OSError."""
    with _lock:
        zygote = _acquire()
        try:
            try:
                pid, pidfd = zygote.fork(folder, module, fds, arguments)
            except _Broken:  # it was killed
                _drop(zygote)
                zygote = _acquire()
                pid, pidfd = zygote.fork(folder, module, fds, arguments)
        except _Broken:
            _drop(zygote)
            raise OSError(errno.ECHILD, "the process that starts sandboxes was killed") from None
        except OSError:
            _leave(zygote)
            raise
    return ForkedProgram(zygote, pid, pidfd)


@contextlib.contextmanager
def keep_zygote() -> Iterator[None]:
    """Start the zygote now, and keep it until the end of this context."""
    with _lock:
        zygote = _acquire()
    try:
        yield
    finally:
        with _lock:
            _leave(zygote)


class _Zygote:
    """The process, and the socket to it."""

    def __init__(self) -> None:
        self.users = 0
        self._socket, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        self._socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_RCVTIMEO, _TIMEOUT)
        try:
            # In a session of its own: a terminal that stops the arbiter must stop neither boxes nor sentinels.
            self._process = subprocess.Popen(
                [sys.executable, "-S", "-I", "-c", _START, _FOLDER, str(theirs.fileno())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),), start_new_session=True, cwd="/", env=_interpreter_environment(),
            )  # fmt: skip
        except OSError:
            self._socket.close()
            raise
        finally:
            theirs.close()

    def fork(self, folder: str, module: str, fds: Sequence[int], arguments: Sequence[int]) -> tuple[int, int]:
        """Have it fork; return pid and pidfd."""
        request: Request = folder, module, tuple(arguments), tuple(os.sched_getaffinity(0))
        pid, received = self._ask(marshal.dumps(request), fds)
        if pid < 0:
            raise OSError(-pid, os.strerror(-pid))
        if not received:  # no descriptor is left for it; it exits, since the caller closes the other ends of its own
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return pid, received[0]

    def reap(self, pid: int) -> None:
        """Have it reap a program that has exited."""
        with contextlib.suppress(OSError, _Broken):
            self._ask(marshal.dumps(pid))

    def _ask(self, request: bytes, fds: Sequence[int] = ()) -> tuple[int, Sequence[int]]:
        try:
            self._socket.sendmsg([request], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", fds))])
            data, ancillary = self._receive()
        except ConnectionError:
            raise _Broken from None
        if len(data) != REPLY_SIZE:
            raise _Broken
        received = array.array("i")
        for _, _, words in ancillary:
            received.frombytes(words)
        return int.from_bytes(data, sys.byteorder, signed=True), received

    def _receive(self) -> tuple[bytes, list[tuple[int, int, bytes]]]:
        for _ in range(_TRIES):
            try:
                size = _socket.CMSG_SPACE(4)
                data, ancillary, _, _ = self._socket.recvmsg(REPLY_SIZE, size, _socket.MSG_CMSG_CLOEXEC)
                return data, ancillary
            except BlockingIOError:  # stopped, by an agent without namespaces
                self._process.send_signal(signal.SIGCONT)
        raise OSError(errno.ETIMEDOUT, "the process that starts sandboxes does not answer")

    def end(self) -> None:
        """End it; with it, the kernel ends all boxes that it has forked."""
        self._socket.close()
        self._process.send_signal(signal.SIGCONT)
        self._process.wait()

    def forget(self) -> None:
        """Close our end of the socket after a fork: the zygote belongs to the parent."""
        self._socket.close()
        self._process.returncode = 0


_lock = threading.Lock()
_current: _Zygote | None = None
"""The zygote of this process."""


def _acquire() -> _Zygote:
    global _current  # noqa: PLW0603
    if _current is None:
        _current = _Zygote()
    _current.users += 1
    return _current


def _leave(zygote: _Zygote) -> None:
    zygote.users -= 1
    if zygote.users == 0:
        _drop(zygote)


def _drop(zygote: _Zygote) -> None:
    global _current  # noqa: PLW0603
    if zygote is _current:
        _current = None
        zygote.end()


def _forget() -> None:
    """Leave the zygote to the parent after a fork."""
    global _current, _lock  # noqa: PLW0603
    _lock = threading.Lock()
    if _current is not None:
        _current.forget()
        _current = None


os.register_at_fork(after_in_child=_forget)


def _interpreter_environment() -> dict[str, str]:
    """Return what the interpreter needs to start where its libraries are not in a standard place."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
