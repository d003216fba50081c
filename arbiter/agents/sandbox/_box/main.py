"""Start-up: read the configuration, make the box, and become its keeper or its spawner."""

from __future__ import annotations

import _socket
import marshal
import os
import resource
import select

from . import root
from .config import LET_SPAWN, BoxConfig, Namespaces, decode
from .confine import PR_SET_PDEATHSIG, confine, map_user, self_test
from .counter import open_counter
from .kernel import SIGKILL, SetupFailed, attempt, call, libc
from .spawner import Spawner, pack_fds

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
else:
    import _signal

PR_SET_CHILD_SUBREAPER = 36
CLONE_NEWCGROUP = 0x2000000
LANDLOCK_SCOPE_SIGNAL, EPERM = 2, 1
PACKET = 1 << 16
"""Size of the packets in which a configuration arrives; a shorter one is the last."""


def main(control_fd: int, messages_fd: int) -> None:
    """Run a box that talks to the arbiter over these two sockets."""
    control, messages = (
        _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, fd) for fd in (control_fd, messages_fd)
    )
    for end in (control, messages):
        os.set_inheritable(end.fileno(), False)
    os.umask(0o022)  # not the arbiter's: agents under another uid must be able to pass through folders made here
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # signals without a handler do not affect PID 1
    config = receive_config(messages)
    if config is None:
        return
    if config.namespaces:
        run_keeper(config, config.namespaces, control, messages)
    elif messages.recv(16) == LET_SPAWN:
        call("subreaper", libc.prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        run_spawner(config, control, messages)


def receive_config(messages: _socket.socket) -> BoxConfig | None:
    data = packet = messages.recv(PACKET)
    while len(packet) == PACKET:
        packet = messages.recv(PACKET)
        data += packet
    return decode(data) if data else None


def run_keeper(config: BoxConfig, namespaces: Namespaces, control: _socket.socket, messages: _socket.socket) -> None:
    """Make the namespaces, start the spawner in them, and serve requests for the folders until it ends."""
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    try:
        mounted = make_root(config, namespaces)
        if messages.recv(16) != LET_SPAWN:
            return  # the arbiter no longer needs us
        inside = start_spawner(config, namespaces, control, messages)
    except SetupFailed as failure:
        messages.send(marshal.dumps(("failed", failure.step, failure.error)))
        os._exit(0)
    control.close()
    poll = select.poll()
    ended = os.pidfd_open(inside)
    poll.register(ended, select.POLLIN)
    poll.register(messages.fileno(), select.POLLIN)
    while ended not in dict(poll.poll()):
        try:
            request = messages.recv(16)
            if not request:
                os.kill(inside, SIGKILL)
                break
            serve_folder(config, namespaces, mounted, request, messages)
        except ConnectionError:
            continue  # the arbiter has closed the box before it read our last reply: there are no more requests
    os.waitpid(inside, 0)  # returns when everything in the box has ended


def serve_folder(
    config: BoxConfig, namespaces: Namespaces, mounted: list[str], request: bytes, messages: _socket.socket
) -> None:
    """Pass the agent's home to the arbiter, or empty its folders; raises ConnectionError if the reply cannot be sent."""
    try:
        os.chdir("/")
        if request == b"home":
            home = os.open(namespaces.home, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            messages.sendmsg([b"home"], pack_fds(home))
            os.close(home)
            return
        root.renew_writable_folders(config, namespaces, mounted)
        restart_pids()
        messages.send(b"fresh")
    except (SetupFailed, OSError) as error:
        messages.send(repr(error).encode())


def restart_pids() -> None:
    """Have process ids in the box start over: those of an agent's own processes would tell it something of its last game."""
    child = os.fork()  # into the namespace, unlike ourselves
    if child == 0:
        try:
            with open("/proc/sys/kernel/ns_last_pid", "wb") as last:
                last.write(b"1")
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def make_root(config: BoxConfig, namespaces: Namespaces) -> list[str]:
    """Make the namespaces and the root in them; return what is mounted in its writable folders."""
    mappings = attempt("mapping owners", root.id_mappings, config, namespaces)
    step = "unshare(CLONE_NEWUSER …)" if namespaces.map_user else "unshare"
    call(step, libc.unshare, namespaces.unshare)
    if namespaces.map_user:
        attempt("writing uid_map", map_user, config.uid, config.gid)
    libc.sethostname(b"box", 3)
    return attempt("laying out the root", root.lay_out, config, namespaces, mappings)


def start_spawner(config: BoxConfig, namespaces: Namespaces, control: _socket.socket, messages: _socket.socket) -> int:
    """Start the spawner in the namespaces, in the cgroups that we are in by now; return its pid."""
    call("unshare(CLONE_NEWCGROUP)", libc.unshare, CLONE_NEWCGROUP)
    inside = os.fork()
    if inside == 0:
        libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
        attempt("entering the root", root.enter, namespaces)
        run_spawner(config, control, messages)
        os._exit(0)
    return inside


def run_spawner(config: BoxConfig, control: _socket.socket, messages: _socket.socket) -> None:
    """Confine this process, report what the self-test found, and serve the arbiter's requests."""
    try:
        oom_score = attempt("oom_score_adj", os.open, "/proc/self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC)
        waits = (
            os.open("/proc/self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            if os.path.exists("/proc/self/schedstat")
            else -1
        )
        counters = start_counter()
        control, messages = attempt("moving sockets", out_of_reach, config, control, messages)
        confine(config)
        errors = self_test(config)
    except SetupFailed as failure:
        messages.send(marshal.dumps(("failed", failure.step, failure.error)))
        return
    pidfd = os.pidfd_open(os.getpid())
    messages.sendmsg([marshal.dumps(("ready", errors))], pack_fds(pidfd, *counters))
    for fd in (pidfd, *counters):
        os.close(fd)
    messages.close()
    scopes = config.landlock.scopes if config.landlock else 0
    scoped = bool(scopes & LANDLOCK_SCOPE_SIGNAL) and errors["signal"] == EPERM
    Spawner(control, bool(config.namespaces), scoped, oom_score, waits).serve()


def out_of_reach(config: BoxConfig, *sockets: _socket.socket) -> list[_socket.socket]:
    """Move sockets to descriptors that agents cannot have: beyond their limit on open files, which is not set yet. So the spawner
    can still send messages where the filter forbids that on all other descriptors."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    first = dict(config.rlimits)[resource.RLIMIT_NOFILE]
    moved = []
    for number, end in enumerate(sockets, first):
        os.dup2(end.fileno(), number, inheritable=False)
        end.close()
        moved.append(_socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, number))
    return moved


def start_counter() -> tuple[int, ...]:
    """Count this process and everything it starts, if that is allowed."""
    try:
        return (open_counter(0),)
    except OSError:
        return ()
