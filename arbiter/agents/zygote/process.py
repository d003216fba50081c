"""The zygote itself. It imports nothing from the arbiter, and from the standard library only what is built in or needed by every
program that it forks."""

from __future__ import annotations

import _socket
import marshal
import os
import sys

MOST_FDS = 4
"""Descriptors that a program may be given."""
REQUEST_SIZE, REPLY_SIZE = 1 << 16, 8
Request = tuple[str, str, tuple[int, ...], tuple[int, ...]]
"""What to fork: the folder of a module, its name, the arguments of its function ``main``, and the cores to run on."""


def main(fd: int) -> None:
    """Fork programs on request until the arbiter closes the socket or dies."""
    requests = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, fd)
    os.set_inheritable(fd, False)
    while True:
        data, fds = receive(requests)
        if not data:
            os._exit(0)
        request = marshal.loads(data)
        if isinstance(request, int):
            os.waitpid(request, 0)
            reply(requests, request)
        else:
            reply(requests, *start(request, fds, fd))


def receive(requests: _socket.socket) -> tuple[bytes, list[int]]:
    """Return a request and the descriptors that came with it; nothing once the arbiter has closed its end."""
    size = _socket.CMSG_SPACE(4 * MOST_FDS)
    data, ancillary, _, _ = requests.recvmsg(REQUEST_SIZE, size, _socket.MSG_CMSG_CLOEXEC)
    words = b"".join(received for _, _, received in ancillary)
    return data, list(memoryview(words).cast("i"))


def reply(requests: _socket.socket, pid: int, pidfd: int = -1) -> None:
    """Send the pid of a process, with its pidfd if it is a new one; or minus an error number."""
    passed = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, pidfd.to_bytes(4, sys.byteorder))] if pidfd >= 0 else []
    try:
        requests.sendmsg([pid.to_bytes(REPLY_SIZE, sys.byteorder, signed=True)], passed)
    except OSError:
        os._exit(0)  # the arbiter has died
    if pidfd >= 0:
        os.close(pidfd)


def start(request: Request, fds: list[int], own: int) -> tuple[int, int]:
    """Start a program, which does not get our ``own`` socket; return its pid and pidfd, or minus an error number and -1."""
    folder, module, arguments, cores = request
    if folder not in sys.path:
        sys.path.append(folder)
    __import__(module)
    try:
        pid = os.fork()
        if pid == 0:
            os.close(own)
            run(module, (*fds, *arguments), cores)
        pidfd = os.pidfd_open(pid)
    except OSError as error:
        pid, pidfd = -(error.errno or 1), -1
    for fd in fds:
        os.close(fd)
    return pid, pidfd


def run(module: str, arguments: tuple[int, ...], cores: tuple[int, ...]) -> None:
    """Run a program, in a session of its own, and exit. So each box has one scheduler group for everything in it."""
    try:
        os.setsid()
        try:
            os.sched_setaffinity(0, cores)
        except OSError:  # these cores were taken from us meanwhile
            pass
        sys.modules[module].main(*arguments)
    finally:
        os._exit(0)
