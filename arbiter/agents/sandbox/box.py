"""A box: where the processes of one agent run, made once and used for every spawn.

This is the arbiter's half; ``_box.py`` is the half inside. They talk over two sockets: *control*, on which the spawner
inside is asked to start and end processes, and *messages*, on which the box is described, says that it is ready or why it
cannot be, and is asked for a fresh folder.
"""

from __future__ import annotations

import array
import contextlib
import errno
import fcntl
import marshal
import os
import select
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arbiter.agents.launch import cores, tree

_INSIDE = Path(__file__).with_name("_box.py")
_REPLY = struct.Struct("<qqqq")
_PACKET = 1 << 16
"""A packet must fit into a socket's buffer; a description may have to go in several."""
_PATIENCE = struct.pack("ll", 5, 0)
"""How long the other half may take for anything, as seconds and microseconds. It takes milliseconds unless somebody has
stopped it."""
_END, _STOP, _GO_ON = (marshal.dumps((word,)) for word in ("end", "stop", "cont"))
_RIGHTS_SIZE = socket.CMSG_SPACE(4)
_FAREWELL_MS = 2_000
_PIDFD_INFO_SIZE = 64
_PIDFD_GET_INFO = 0xC000FF0B | _PIDFD_INFO_SIZE << 16


def _surroundings() -> dict[str, str]:
    """What the interpreter needs to start at all, where its own libraries are somewhere else."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}


class BoxFailed(Exception):
    """A box cannot be made, or is broken; the text is one line that says what did not work."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How an agent's process ended, from the one who waited for it."""

    exit_code: int
    """Or minus the signal."""
    cpu_ns: int
    """Of itself and the children it waited for."""
    peak_bytes: int
    """Most memory that it or one of them had in use; never below some ten megabytes, which are the spawner's own."""


class Box:
    """One box. Ended by :meth:`close`, always, and by the kernel if the arbiter dies."""

    def __init__(self, description: Mapping[str, Any]) -> None:
        """Start making it; :meth:`wait_ready` says when it is."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        our_messages, their_messages = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control, self._messages = ours, our_messages
        for end in (ours, our_messages):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _PATIENCE)
        with theirs, their_messages:
            fds = [theirs.fileno(), their_messages.fileno()]
            self._keeper = subprocess.Popen(
                [sys.executable, "-S", "-I", str(_INSIDE), *map(str, fds)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                pass_fds=fds, cwd="/", env=_surroundings(), process_group=0,
            )  # fmt: skip
        self._description = {**description, "parent": os.getpid()}
        self._spawner_pidfd = -1
        self.pid = self._keeper.pid
        """Of the process at the head of the box, as the arbiter sees it; of the spawner once it is ready."""
        self.broken = ""
        """Why it cannot be used any more."""
        self._cores: frozenset[int] | None = None
        self._wish: tuple[object, ...] = (None,) * 4
        self._question = b""
        """The last that was to be started, and how that was said."""

    @property
    def first_pid(self) -> int:
        """The process to put under control groups before the box is made."""
        return self._keeper.pid

    def begin(self) -> None:
        """Send the description: from here on it is being made."""
        words = marshal.dumps(self._description)
        words += b"\0" * (len(words) % _PACKET == 0)  # the last packet is a short one
        with contextlib.suppress(OSError):
            for start in range(0, len(words), _PACKET):
                self._messages.send(words[start : start + _PACKET])

    def wait_ready(self) -> Mapping[str, int]:
        """What the box found out about itself: error numbers of what agents must not do, 0 where it could be done."""
        data, fds = self._receive(self._messages)
        if not data:
            raise self._fail("the sandbox's spawner did not start")
        word, *rest = marshal.loads(data)
        if word != "ready":
            what, error = rest
            raise self._fail(f"{what}: {os.strerror(error)}")
        if not fds:
            raise self._fail(os.strerror(errno.EMFILE))
        self._spawner_pidfd = fds[0]
        pid = pid_of(fds[0])
        if pid <= 0:
            raise self._fail("the sandbox's spawner has ended")
        self.pid = pid
        seen: Mapping[str, int] = rest[0]
        return seen

    def spawn(
        self,
        argv: Sequence[str],
        environment: Mapping[str, str],
        folder: str,
        pipes: Sequence[int],
        *,
        brief: bool = False,
    ) -> tuple[int, int]:
        """Start a process with these pipes as its standard input, output and error; returns its pidfd, and when that was by
        the monotonic clock. Raises OSError.

        ``brief``: it will not live long, so whom it leaves behind need not be collected before its end.
        """
        wish = argv, environment, folder, brief
        if not all(mine is yours for mine, yours in zip(wish, self._wish, strict=True)):  # mostly it is the same again
            words = [os.fsencode(word) for word in argv]
            variables = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
            self._wish, self._question = wish, marshal.dumps(("spawn", words[0], words, variables, folder, brief))
        (code, started_ns, *_), fds = self._ask(self._question, pipes)
        if code:
            raise OSError(code, os.strerror(code))
        if not fds:  # it has been started, but there is no descriptor left to watch it with
            self.end()
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return fds[0], started_ns

    def place(self, wanted: frozenset[int] | None) -> None:
        """Where processes run that are started from now on; None: where the arbiter is."""
        if wanted != self._cores:
            cores.pin(self.pid, wanted or cores.usable())
            self._cores = wanted

    def _wake(self) -> None:
        """Where agents can reach their spawner they may have stopped it."""
        if self._spawner_pidfd >= 0 and not self._description["namespaces"]:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._spawner_pidfd, signal.SIGCONT)

    def end(self) -> Ended:
        """Kill everything in the box but the box, and say how the agent ended."""
        (_, *figures), _ = self._ask(_END)
        return Ended(*figures)

    def stop(self) -> None:
        """Everything in the box stands still."""
        self._ask(_STOP)

    def resume(self) -> None:
        """Everything in the box goes on."""
        self._ask(_GO_ON)

    def fresh(self) -> None:
        """Empty its writable folders. Everything must have been ended before."""
        self._messages.send(b"fresh")
        data, _ = self._receive(self._messages)
        if data != b"fresh":
            raise self._fail(f"no fresh folder: {data.decode(errors='replace')}")

    def _ask(self, question: bytes, fds: Sequence[int] = ()) -> tuple[tuple[int, ...], list[int]]:
        if self.broken:
            raise BoxFailed(self.broken)
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        try:
            self._wake()
            self._control.sendmsg([question], rights)
        except OSError as error:
            if error.errno == errno.EMSGSIZE:  # nothing was sent
                raise OSError(errno.E2BIG, os.strerror(errno.E2BIG)) from None
            raise self._fail("the sandbox's spawner is gone") from None
        data, received = self._receive(self._control)
        if len(data) != _REPLY.size:
            raise self._fail("the sandbox's spawner is gone")
        return _REPLY.unpack(data), received

    def _receive(self, end: socket.socket) -> tuple[bytes, list[int]]:
        try:
            data, rights, _, _ = end.recvmsg(4096, _RIGHTS_SIZE, socket.MSG_CMSG_CLOEXEC)
        except BlockingIOError:
            raise self._fail("the sandbox's spawner does not answer") from None
        except ConnectionError:
            return b"", []
        fds = array.array("i")
        for _, _, words in rights:
            fds.frombytes(words)
        return data, list(fds)

    def _fail(self, why: str) -> BoxFailed:
        self.broken = why
        return BoxFailed(why)

    def close(self) -> None:
        """End it with everything in it."""
        # Losing us is its sign to go.
        self._wake()
        self._control.close()
        self._messages.close()
        if not self._ends_by_itself():  # somebody in it has stopped it, which only lesser boxes allow
            for pid in (*tree.descendants(self.pid), self.pid, self._keeper.pid):
                tree.kill(pid)
        self._keeper.wait()
        if self._spawner_pidfd >= 0:
            os.close(self._spawner_pidfd)
            self._spawner_pidfd = -1
        self.broken = self.broken or "closed"

    def _ends_by_itself(self) -> bool:
        try:
            pidfd = os.pidfd_open(self._keeper.pid)
        except OSError:  # collected already, where nobody wants to know how children end
            return True
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        ended = bool(poll.poll(_FAREWELL_MS))
        os.close(pidfd)
        return ended


def pid_of(pidfd: int) -> int:
    """The process behind a pidfd, by the number that it has here; -1 when it is gone."""
    info = bytearray(_PIDFD_INFO_SIZE)
    info[0] = 1  # PIDFD_INFO_PID
    try:
        fcntl.ioctl(pidfd, _PIDFD_GET_INFO, info)
    except ProcessLookupError:
        return -1
    except OSError:  # kernels before 6.13 do not know the question
        return _pid_in_words(pidfd)
    return int.from_bytes(info[16:20], sys.byteorder)


def _pid_in_words(pidfd: int) -> int:
    info = os.open(f"/proc/self/fdinfo/{pidfd}", os.O_RDONLY | os.O_CLOEXEC)  # half the time of a file object
    try:
        _, _, rest = os.read(info, 1024).partition(b"\nPid:")
    finally:
        os.close(info)
    return int(rest.split(None, 1)[0])
