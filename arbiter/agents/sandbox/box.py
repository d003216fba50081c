"""A box: where the processes of one agent run, made once and used for every spawn.

This is the arbiter's half; the package :mod:`arbiter.agents.sandbox._box` is the half inside. They talk over two sockets. On
*control* the spawner inside is asked to start and end processes. On *messages* the box receives its configuration, is told that
it is in its cgroups, reports that it is ready or why it failed, and is asked for an empty folder.
"""

from __future__ import annotations

import _socket  # the module `socket` takes milliseconds to import, for its enumerations
import array
import contextlib
import errno
import fcntl
import marshal
import os
import signal
import struct
import sys
from collections.abc import Mapping, Sequence

import msgspec

from arbiter.agents.sandbox._box.config import AGAIN, CONTINUE, END, LET_SPAWN, STOP, BoxConfig, SpawnRequest, encode
from arbiter.agents.sandbox.first_process import FirstProcess

_REPLY = struct.Struct("<qqqq")
_PACKET = 1 << 16
"""A packet must fit into a socket's buffer; a configuration may need several."""
_TIMEOUT = struct.pack("ll", 5, 0)
"""How long to wait for a reply of the other half before checking whether it is alive, as seconds and microseconds. A
reply takes milliseconds unless the other half was stopped or the machine is very busy."""
_TRIES = 4
"""How many times to wait for a reply of one that is alive."""
_LOOK = struct.pack("ll", 0, 50_000)
_LOOKS = 400
"""Timeout and number of tries where agents can stop the other half: shorter waits, for the same time in total."""
_MOST_STOPS = 4
"""How many times it may be found stopped before the box is given up: the agent stops it whenever it is continued."""
_ANCILLARY_SIZE = _socket.CMSG_SPACE(2 * 4)
_PASS_FDS = _socket.SOL_SOCKET, _socket.SCM_RIGHTS
_PIDFD_INFO_SIZE = 64
_PIDFD_GET_INFO = 0xC000FF0B | _PIDFD_INFO_SIZE << 16


class BoxFailed(Exception):
    """A box cannot be made, or is broken; the message is one line that says what failed."""


class ExitReport(msgspec.Struct, frozen=True):
    """How an agent's process ended and what it used, reported by its parent, the spawner."""

    exit_code: int
    """The exit status, or minus the number of the signal that killed it."""
    cpu_ns: int
    """CPU time of the process and the children it waited for."""
    peak_bytes: int
    """Largest resident set of the process or one of those children; at least some ten megabytes, the spawner's own."""


class Box:
    """One box. Always end it with :meth:`close`; the kernel ends it if the arbiter dies."""

    def __init__(self, config: BoxConfig) -> None:
        """Start its first process, which waits for :meth:`begin`."""
        ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        our_messages, their_messages = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        self._control, self._messages = ours, our_messages
        self._config, self._can_be_stopped = config, not config.namespaces
        for end in (ours, our_messages):
            end.setsockopt(_socket.SOL_SOCKET, _socket.SO_RCVTIMEO, _LOOK if self._can_be_stopped else _TIMEOUT)
        try:
            self._first = FirstProcess(theirs.fileno(), their_messages.fileno())
        finally:
            theirs.close()
            their_messages.close()
        self._spawner_pidfd = -1
        self.counter = -1
        """Counts the CPU time of the spawner and everything it starts; -1 if that is not allowed, or has been
        stopped."""
        self.pid = self._first.pid
        """The spawner's pid in the arbiter's pid namespace, once the box is ready; the keeper's before."""
        self.broken = ""
        """Why the box is broken; empty if it is not."""
        self._cores: frozenset[int] | None = frozenset()
        """The cores that processes are pinned to, once :meth:`place` has been called; None for those of the arbiter."""
        self._spawned: tuple[object, ...] = ()
        """What the spawner was last asked to start; usually the next request is the same."""

    @property
    def first_pid(self) -> int:
        """The process to put into cgroups before :meth:`let_spawn`."""
        return self._first.pid

    def begin(self) -> None:
        """Send the configuration, so that the box is made while the caller does something else."""
        data = encode(self._config)
        data += b"\0" * (len(data) % _PACKET == 0)  # a short packet marks the end
        with contextlib.suppress(OSError):
            for start in range(0, len(data), _PACKET):
                self._messages.send(data[start : start + _PACKET])

    def let_spawn(self) -> None:
        """Let the box start its spawner, which inherits the cgroups that the first process is in by then."""
        with contextlib.suppress(OSError):
            self._messages.send(LET_SPAWN)

    def wait_ready(self) -> Mapping[str, int]:
        """Wait until the box is ready; return the error numbers found by its self-test, 0 for an action that succeeded."""
        data, fds = self._receive(self._messages)
        if not data:
            raise self._fail("the sandbox's spawner did not start")
        outcome, *details = marshal.loads(data)
        if outcome != "ready":
            step, error = details
            raise self._fail(f"{step}: {os.strerror(error)}")
        if not fds:
            raise self._fail(os.strerror(errno.EMFILE))
        self._spawner_pidfd, self.counter = (*fds, -1)[:2]
        pid = pid_of(fds[0])
        if pid <= 0:
            raise self._fail("the sandbox's spawner has exited")
        self.pid = pid
        errors: Mapping[str, int] = details[0]
        return errors

    def spawn(
        self,
        argv: Sequence[str],
        environment: Mapping[str, str],
        folder: str,
        pipes: Sequence[int],
        *,
        brief: bool = False,
    ) -> tuple[int, int, int]:
        """Start a process with these pipes as its stdin, stdout and stderr; return its pidfd, its start time on the
        monotonic clock, and for how long the spawner was in the run queue meanwhile. Raises OSError.

        ``brief``: it lives for one move, so its orphans need not be reaped before it ends.
        """
        wanted = argv, environment, folder, brief
        request = AGAIN if wanted == self._spawned else _encode(*wanted)
        self._spawned = ()
        (error, started_ns, waited_ns, _), fds = self._ask(request, pipes)
        if error:
            raise OSError(error, os.strerror(error))
        self._spawned = wanted
        if not fds:  # it was started, but the arbiter has no file descriptor left for its pidfd
            self.end()
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return fds[0], started_ns, waited_ns

    def place(self, cores: frozenset[int] | None) -> None:
        """Pin processes started from now on to these cores; None for those that the arbiter may use."""
        if cores != self._cores:
            with contextlib.suppress(OSError):  # it has exited
                os.sched_setaffinity(self.pid, cores or os.sched_getaffinity(0))
            self._cores = cores

    def stop_counting(self) -> None:
        """Stop counting CPU time; processes started from now on are not counted."""
        if self.counter >= 0:
            os.close(self.counter)
            self.counter = -1

    def _wake(self) -> None:
        """Continue the spawner: without namespaces, agents can stop it."""
        if self._can_be_stopped and self._spawner_pidfd >= 0:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._spawner_pidfd, signal.SIGCONT)

    def end(self) -> ExitReport:
        """Kill every process of the agent, keep the box, and return how the agent ended."""
        (_, *figures), _ = self._ask(END)
        return ExitReport(*figures)

    def stop(self) -> None:
        """Stop every process of the agent (SIGSTOP)."""
        self._ask(STOP)

    def resume(self) -> None:
        """Continue every process of the agent."""
        self._ask(CONTINUE)

    def begin_fresh(self) -> None:
        """Start to empty the writable folders without waiting for it. The agent must have been ended. Raises OSError."""
        self._spawned = ()  # the spawner has to enter the new folder
        self._messages.send(b"fresh")

    def wait_fresh(self) -> None:
        """Wait until the writable folders are empty."""
        data, _ = self._receive(self._messages)
        if data != b"fresh":
            raise self._fail(f"its folder cannot be emptied: {data.decode(errors='replace')}")

    def open_home(self) -> int:
        """Return a descriptor of the agent's home, which can be read after the agent has been ended."""
        self._messages.send(b"home")
        _, fds = self._receive(self._messages)
        if not fds:
            raise self._fail("its folder cannot be read")
        return fds[0]

    def _ask(self, request: bytes, fds: Sequence[int] = ()) -> tuple[tuple[int, ...], Sequence[int]]:
        if self.broken:
            raise BoxFailed(self.broken)
        try:
            self._wake()
            self._control.sendmsg([request], [(*_PASS_FDS, array.array("i", fds))] if fds else ())
        except OSError as error:
            if error.errno == errno.EMSGSIZE:  # nothing was sent
                raise OSError(errno.E2BIG, os.strerror(errno.E2BIG)) from None
            raise self._fail("the sandbox's spawner has exited") from None
        data, received = self._receive(self._control, _REPLY.size)
        if len(data) != _REPLY.size:
            raise self._fail("the sandbox's spawner has exited")
        return _REPLY.unpack(data), received

    def _receive(self, end: _socket.socket, size: int = 4096) -> tuple[bytes, Sequence[int]]:
        stops = 0
        for _ in range(_LOOKS if self._can_be_stopped else _TRIES):
            try:
                data, ancillary, _, _ = end.recvmsg(size, _ANCILLARY_SIZE, _socket.MSG_CMSG_CLOEXEC)
                break
            except BlockingIOError:
                stops += self._can_be_stopped and self._first.is_stopped()
                if stops > _MOST_STOPS:
                    raise self._fail("the sandbox's spawner was stopped again and again") from None
                self._wake()
            except ConnectionResetError:
                continue  # it ended with an unread request: the kernel reports that before its last message
            except ConnectionError:
                return b"", ()
        else:
            raise self._fail("the sandbox's spawner does not answer")
        fds = array.array("i")
        for _, _, words in ancillary:
            fds.frombytes(words)
        return data, fds

    def _fail(self, why: str) -> BoxFailed:
        self.broken = why
        return BoxFailed(why)

    def begin_close(self) -> None:
        """Start to end the box with everything in it, without waiting. After this, it can only be closed."""
        self._wake()
        self._control.close()  # the box ends when it loses its sockets
        self._messages.close()
        self.broken = self.broken or "closed"

    def close(self) -> None:
        """End the box with everything in it."""
        self.begin_close()
        self._first.wait()
        self.stop_counting()
        if self._spawner_pidfd >= 0:
            os.close(self._spawner_pidfd)
            self._spawner_pidfd = -1


def _encode(argv: Sequence[str], environment: Mapping[str, str], folder: str, brief: bool) -> bytes:
    words = [os.fsencode(word) for word in argv]
    variables = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
    return marshal.dumps(tuple(SpawnRequest(words, variables, folder, brief)))


def pid_of(pidfd: int) -> int:
    """Return the pid, in this process's pid namespace, of the process behind a pidfd; -1 when it has been reaped."""
    info = bytearray(_PIDFD_INFO_SIZE)
    info[0] = 1  # PIDFD_INFO_PID
    try:
        fcntl.ioctl(pidfd, _PIDFD_GET_INFO, info)
    except ProcessLookupError:
        return -1
    except OSError:  # kernels before 6.13 lack this ioctl
        return _pid_from_fdinfo(pidfd)
    return int.from_bytes(info[16:20], sys.byteorder)


def _pid_from_fdinfo(pidfd: int) -> int:
    info = os.open(f"/proc/self/fdinfo/{pidfd}", os.O_RDONLY | os.O_CLOEXEC)  # half the time of a file object
    try:
        _, _, rest = os.read(info, 1024).partition(b"\nPid:")
    finally:
        os.close(info)
    return int(rest.split(None, 1)[0])
