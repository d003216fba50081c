"""The inside of a box: run as a program of its own, ``python -S -I _box.py CONTROL MESSAGES``.

Theory of operation
-------------------
The arbiter starts this program once for an agent and tells it, in one message, what the box is to be like (see
:mod:`arbiter.agents.sandbox.box`, its other half). It makes the box around itself and then spawns the agent's processes
in it whenever it is told to. They inherit everything: namespaces, root, limits, and what may not be called. So each costs
what a bare spawn costs, however much there is to set up once.

With namespaces there are two processes. The *keeper* stays outside, privileged within the box's own mounts and nothing
else, and lays out a fresh writable folder when asked. The *spawner* is process 1 inside: signals from inside do nothing to
it, its memory is out of reach, and with it everything in the box ends. Without namespaces there is only the spawner.

The arbiter makes the pipes and hands them in; a descriptor of the agent's process (pidfd) goes back. So nothing an agent
says passes through here.

This file stands alone, imports no more than it must (a box takes as long to make as this takes to start), and needs no
compiler: the kernel is called through ctypes. Every number from a kernel header has its name in front of it.
"""

# mypy: ignore-errors

import _signal  # the module `signal` costs 2 ms for its enumerations
import _socket
import array
import ctypes
import marshal
import os
import resource
import select
import struct
import sys
import time

SIGKILL, SIGSTOP, SIGCONT, SIGCHLD = 9, 19, 18, 17
OF_THE_C_LIBRARY = (32, 33)
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 4096
MS_REC, MS_PRIVATE = 16384, 1 << 18
MNT_DETACH = 2
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR, LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 428, 429, 442, 444, 445, 446
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
OPEN_TREE_CLONE, AT_RECURSIVE, AT_FDCWD, AT_EMPTY_PATH, MOVE_MOUNT_F_EMPTY_PATH = 1, 0x8000, -100, 0x1000, 4
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV, MOUNT_ATTR_IDMAP = 1, 2, 4, 0x100000
CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
PR_SET_CHILD_SUBREAPER, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, SECCOMP_MODE_FILTER = 36, 47, 4, 2
CAPABILITY_VERSION_3 = 0x20080522
MSG_CMSG_CLOEXEC = 0x40000000
LANDLOCK_SCOPE_SIGNAL, EPERM = 2, 1
EVERY_SIGNAL = [number for number in range(1, 65) if number not in (SIGKILL, SIGSTOP, *OF_THE_C_LIBRARY)]
"""That can be caught. The C library resets those that are named in one call each, and asks about the others first."""
PACKET = 1 << 16
LARGEST = 1 << 20
"""Of a question; more does not fit into a socket's buffer."""
O_PATH = 0o10000000

REPLY = struct.Struct("<qqqq")
"""Error number, then three figures that depend on the question."""

libc = ctypes.CDLL(None, use_errno=True)


class Step(Exception):
    """One step of making the box did not work."""

    def __init__(self, what, error):
        super().__init__(what, error)
        self.what, self.error = what, error


def call(what, function, *arguments):
    """Call the C library; raise Step with these words when it says no."""
    result = function(*arguments)
    if result == -1:
        raise Step(what, ctypes.get_errno())
    return result


def syscall(what, *arguments):
    converted = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return call(what, libc.syscall, *converted)


def attempt(what, function, *arguments):
    """Call something of Python's; raise Step with these words when it says no."""
    try:
        return function(*arguments)
    except OSError as error:
        raise Step(f"{what}, {error.filename}" if error.filename else what, error.errno) from None


# -- mounts


def mount(source, target, kind, flags, options=None):
    words = [word.encode(errors="surrogateescape") if word else None for word in (source, target, kind, options)]
    call(f"mount {target}", libc.mount, words[0], words[1], words[2], ctypes.c_ulong(flags), words[3])


def take(source):
    """A mount of its own of what is at this path, not placed anywhere yet."""
    path = source.encode(errors="surrogateescape")
    return syscall(f"open_tree {source}", OPEN_TREE, AT_FDCWD, path, OPEN_TREE_CLONE | AT_RECURSIVE | os.O_CLOEXEC)


def identity(uid, gid, config):
    """A user namespace in which the agent is this owner of files. When root runs the arbiter, agents become somebody who
    may not read what root keeps to itself, and that may be their own program."""
    ready, tell = os.pipe()
    wait, go = os.pipe()
    child = os.fork()
    if child == 0:
        libc.unshare(CLONE_NEWUSER)
        os.close(tell)
        os.close(go)
        os.read(wait, 1)
        os._exit(0)
    os.close(tell)
    os.read(ready, 1)  # nothing is ever written: it ends when the child has closed its end
    for name, here, there in (("uid_map", uid, config["uid"]), ("gid_map", gid, config["gid"])):
        with open(f"/proc/{child}/{name}", "w", encoding="ascii") as file:
            file.write(f"{here} {there} 1")
    namespace = os.open(f"/proc/{child}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    for fd in (ready, wait, go):
        os.close(fd)
    os.waitpid(child, 0)
    return namespace


def identities(config):
    """By owner, for everything to be shown that is not the system's."""
    if not config["become"]:
        return {}
    owners = {owner(path) for path in config["visible"] if path not in config["system"]}
    return {one: identity(*one, config) for one in owners}


def owner(path):
    found = os.stat(path)
    return found.st_uid, found.st_gid


def make_own(tree, path, known):
    """Let the agent be the owner of what is in a mount that is not placed yet, where the file system can do that."""
    namespace = known.get(owner(path))
    if namespace is not None:
        wanted = struct.pack("<QQQQ", MOUNT_ATTR_IDMAP, 0, 0, namespace)
        numbers = (MOUNT_SETATTR, tree, b"", AT_EMPTY_PATH | AT_RECURSIVE, wanted, len(wanted))
        libc.syscall(*[ctypes.c_long(word) if isinstance(word, int) else word for word in numbers])


def put(tree, target, attributes):
    """SeatState such a mount, with everything below it: read-only and so on."""
    path = target.encode(errors="surrogateescape")
    syscall(f"move_mount {target}", MOVE_MOUNT, tree, b"", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH)
    os.close(tree)
    if attributes:
        wanted = struct.pack("<QQQQ", attributes, 0, 0, 0)
        syscall(f"mount_setattr {target}", MOUNT_SETATTR, AT_FDCWD, path, AT_RECURSIVE, wanted, len(wanted))


def stand_in(source, target):
    """Something to mount over: a folder for a folder, an empty file for anything else."""
    if os.path.isdir(source):
        os.makedirs(target, 0o755, exist_ok=True)
    elif not os.path.lexists(target):
        os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o444))


def lay_out(config, known):
    """The new root: a small file system in memory, with what the agent may see bound into it, read-only."""
    stage, links, visible, hidden = config["stage"], config["links"], config["visible"], config["hidden"]
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    trees = [(path, take(path)) for path in visible]  # before the stage covers any of them
    for path, tree in trees:
        if path not in config["system"]:
            make_own(tree, path, known)
    covers = [(path, os.path.isdir(path)) for path in hidden]
    devices = [(path, take(path)) for path in config["devices"]]
    mount("tmpfs", stage, "tmpfs", MS_NOSUID | MS_NODEV, "size=16m,mode=755")
    for folder in ("proc", "dev", "tmp", "oldroot", ".own", ".none", "etc", config["home"].lstrip("/"), "dev/shm"):
        os.makedirs(f"{stage}/{folder}", 0o755, exist_ok=True)
    os.chmod(f"{stage}/.none", 0)
    os.close(os.open(f"{stage}/.nothing", os.O_CREAT | os.O_WRONLY, 0))
    os.chmod(f"{stage}/.nothing", 0)
    for path, text in config["files"].items():
        with open(stage + path, "w", encoding="utf-8") as file:
            file.write(text)
    for path, tree in devices:
        stand_in(f"/proc/self/fd/{tree}", stage + path)
        put(tree, stage + path, MOUNT_ATTR_NOSUID)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(target, f"{stage}/dev/{name}")
    own_folder(config, stage)
    for path, tree in trees:
        stand_in(f"/proc/self/fd/{tree}", stage + path)
    for top in {
        top for path in visible for place in (config["home"], "/tmp", "/dev/shm") for top in above(path, place)
    }:
        # What is made on the way there is the agent's to rename, and then to replace, unless it is a mount.
        put(take(stage + top), stage + top, MOUNT_ATTR_RDONLY)
    for path, tree in trees:
        put(tree, stage + path, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)
    for path, target in links.items():
        os.makedirs(os.path.dirname(stage + path), 0o755, exist_ok=True)
        if not os.path.lexists(stage + path):
            os.symlink(target, stage + path)
    for path, is_folder in covers:
        if os.path.lexists(stage + path):
            put(take(f"{stage}/.none" if is_folder else f"{stage}/.nothing"), stage + path, MOUNT_ATTR_RDONLY)


def above(path, place):
    """The folder directly in a place on the way to a path further down in it, if there is one."""
    top, _, further = path.removeprefix(f"{place}/").partition("/")
    return [f"{place}/{top}"] if path.startswith(f"{place}/") and further else []


def own_folder(config, root):
    """The agent's writable places, which share one quota: its home, /tmp and /dev/shm."""
    space = f"size={config['disk']},nr_inodes={config['inodes']},mode=755"
    mount("tmpfs", f"{root}/.own", "tmpfs", MS_NOSUID | MS_NODEV, space)
    for name, place in (("home", config["home"]), ("tmp", "/tmp"), ("shm", "/dev/shm")):
        own = f"{root}/.own/{name}"
        os.mkdir(own)
        os.chmod(own, 0o700)
        os.chown(own, config["uid"], config["gid"])
        put(take(own), root + place, 0)
    for name, target in config["own_links"].items():
        os.symlink(target, f"{root}{config['home']}/{name}")


def fresh(config):
    """The same again, empty."""
    for place in (config["home"], "/tmp", "/dev/shm", "/.own"):
        call(f"umount {place}", libc.umount2, place.encode(), MNT_DETACH)
    own_folder(config, "")


def enter(config):
    """Make the new root the root, and lose the old one."""
    stage = config["stage"]
    mount("proc", f"{stage}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    os.chdir(stage)
    number = PIVOT_ROOT[os.uname().machine]
    syscall("pivot_root", number, b".", b"oldroot")
    os.chdir("/")
    call("umount oldroot", libc.umount2, b"oldroot", MNT_DETACH)
    mount(None, "/", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


# -- giving up rights


def map_user(uid, gid):
    """In a user namespace of our own we stay who we are, and nobody else exists."""
    for name, text in (("setgroups", "deny"), ("gid_map", f"{gid} {gid} 1"), ("uid_map", f"{uid} {uid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def limit(limits):
    for which, wanted in limits.items():
        _, most = resource.getrlimit(which)
        value = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        attempt("setrlimit", resource.setrlimit, which, (value, value))


def drop_bounds():
    """No program will give us rights that we have not. Takes rights itself, so it comes first."""
    for number in range(64):
        libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)  # as many as there are; who has none cannot, and need not


def drop_capabilities():
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header, none = struct.pack("<Ii", CAPABILITY_VERSION_3, 0), bytes(24)
    call("capset", libc.capset, header, none)


def landlock(rules):
    """Nothing but what the rules name, from now on and for all children. Does nothing without rules."""
    if not rules:
        return
    attributes = struct.pack("<QQQ", rules["files"], rules["network"], rules["scope"])[: rules["size"]]
    ruleset = syscall("landlock_create_ruleset", LANDLOCK_CREATE, attributes, len(attributes), 0)
    for path, rights in rules["paths"]:
        try:
            place = os.open(path, O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # what is not there need not be allowed
        rule = struct.pack("<Qi", rights, place)
        syscall(f"landlock_add_rule {path}", LANDLOCK_ADD, ruleset, 1, rule, 0)
        os.close(place)
    syscall("landlock_restrict_self", LANDLOCK_RESTRICT, ruleset, 0)
    os.close(ruleset)


def seccomp(code):
    if code:
        buffer = ctypes.create_string_buffer(code, len(code))
        program = struct.pack("<HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
        call("seccomp", libc.prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)


def confine(config):
    """What everything in the box inherits."""
    if config["drop"]:
        drop_bounds()
    if config["become"]:
        attempt("setgroups", os.setgroups, [])
        attempt("setresgid", os.setresgid, *[config["gid"]] * 3)
        attempt("setresuid", os.setresuid, *[config["uid"]] * 3)
    call("prctl(PR_SET_NO_NEW_PRIVS)", libc.prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    limit(config["limits"])
    if config["drop"]:
        drop_capabilities()
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    # Becoming another user and giving up rights both cancel it. A spawner that agents can stop has to go on, to see that
    # the arbiter is gone.
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL if config["namespaces"] else SIGCONT, 0, 0, 0)
    landlock(config["landlock"])
    seccomp(config["seccomp"])


def canary(config):
    """Try from in here what agents must not be able to do; what came of it, by name, as an error number or zero."""

    def write_outside():
        path = config["canary"]
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW))
        os.unlink(path)

    def connect():
        _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM).close()

    def signal_others():
        if not config["namespaces"]:
            os.kill(config["parent"], 0)
        elif sum(name.isdigit() for name in os.listdir("/proc")) == 1:
            raise ProcessLookupError(3, "there is nobody else")

    def keep_privileges():
        with open("/proc/self/status", "rb") as status:
            if all(int(line.split()[1], 16) == 0 for line in status if line.startswith((b"CapEff", b"CapPrm"))):
                raise PermissionError(1, "none left")

    seen = {}
    for name, act in (
        ("write", write_outside),
        ("network", connect),
        ("signal", signal_others),
        ("rights", keep_privileges),
    ):
        try:
            act()
            seen[name] = 0
        except OSError as error:
            seen[name] = error.errno
    return seen


# -- the spawner


def children(pid):
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as listing:
                found += map(int, listing.read().split())
    except OSError:
        pass
    return found


def descendants():
    found, unseen = [], children("self")
    while unseen:
        found.append(unseen.pop())
        unseen += children(found[-1])
    return found


class Spawner:
    """Answers the arbiter's questions, one after the other. ``alone`` says that nobody but what runs in the box can be
    reached by a signal from here, so that one to everybody is meant for them, and misses nobody who forks meanwhile."""

    def __init__(self, control, alone, score):
        self.control, self.alone, self.score = control, alone, score
        self.usual_score = os.pread(score, 16, 0)
        self.leader = 0
        self.brief = False
        _signal.signal(SIGCHLD, self.reap_orphans)

    def serve(self):
        """Until the arbiter has gone, one way or the other."""
        data = bytearray(LARGEST)
        try:
            while True:
                size, rights, _, _ = self.control.recvmsg_into([data], 64, MSG_CMSG_CLOEXEC)
                if not size:
                    break
                word, *rest = marshal.loads(data)
                getattr(self, word)(rights, *rest)
        finally:
            self.kill_all()

    def reply(self, code=0, figures=(0, 0, 0), pidfd=None):
        rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [pidfd]))] if pidfd is not None else []
        self.control.sendmsg([REPLY.pack(code, *figures)], rights)

    def spawn(self, rights, program, words, environment, folder, brief):
        if brief != self.brief:
            # Whom an agent of one move leaves behind is collected with it; to be woken for each would cost a move more.
            self.brief = brief
            _signal.signal(SIGCHLD, _signal.SIG_DFL if brief else self.reap_orphans)
        pipes = array.array("i")
        for _, _, data in rights:
            pipes.frombytes(data)
        actions = [(os.POSIX_SPAWN_DUP2, pipe, fd) for fd, pipe in enumerate(pipes)]
        pidfd = None
        try:
            os.chdir(folder)
            # When memory runs out agents go first, and not the box: they inherit our score.
            os.pwrite(self.score, b"1000", 0)
            started_ns = time.monotonic_ns()
            self.leader = os.posix_spawn(
                program, words, environment, file_actions=actions, setsid=True, setsigmask=(), setsigdef=EVERY_SIGNAL,
            )  # fmt: skip
            pidfd = os.pidfd_open(self.leader)
            self.reply(0, (started_ns, 0, 0), pidfd)
        except OSError as error:
            self.reply(error.errno)
        finally:
            os.pwrite(self.score, self.usual_score, 0)
            for fd in (*pipes, *([pidfd] if pidfd is not None else ())):
                os.close(fd)

    def end(self, _):
        """Nobody but us is left after this; tells how the agent ended and what it used."""
        self.reply(0, self.kill_all())

    def stop(self, _):
        self.signal_all(SIGSTOP)
        self.reply()

    def cont(self, _):
        self.signal_all(SIGCONT)
        self.reply()

    def signal_all(self, number):
        for pid in (-1,) if self.alone else descendants():
            try:
                os.kill(pid, number)
            except OSError:
                pass

    def kill_all(self):
        leader, self.leader = self.leader, 0  # from here on nobody is spared by reap_orphans
        ended = (0, 0, 0)
        how = os.WNOHANG  # most have ended by themselves, and nobody is left to be killed
        while True:
            try:
                pid, status, usage = os.wait4(-1, how)
            except ChildProcessError:
                return ended
            if pid == leader:
                seconds = usage.ru_utime + usage.ru_stime
                ended = (os.waitstatus_to_exitcode(status), round(seconds * 1e9), usage.ru_maxrss * 1024)
            if not pid or how == 0:
                self.signal_all(SIGKILL)
                how = 0

    def reap_orphans(self, *_):
        """Whom their parents left behind. Not the agent itself: the arbiter reads its clocks until it asks for its end,
        which is the end of the others as well."""
        while self.leader:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is None or ended.si_pid == self.leader:
                    return
                os.waitpid(ended.si_pid, os.WNOHANG)
            except OSError:
                return


def spawner(config, control, ready):
    try:
        score = attempt("oom_score_adj", os.open, "/proc/self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC)
        confine(config)
        seen = canary(config)
    except Step as step:
        ready.send(marshal.dumps(("failed", step.what, step.error)))
        return
    me = array.array("i", [os.pidfd_open(os.getpid())])
    ready.sendmsg([marshal.dumps(("ready", seen))], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, me)])
    os.close(me[0])
    ready.close()
    scoped = config["landlock"] and config["landlock"]["scope"] & LANDLOCK_SCOPE_SIGNAL and seen["signal"] == EPERM
    Spawner(control, config["namespaces"] or bool(scoped), score).serve()


# -- the keeper


def keeper(config, control, messages):
    """Make the namespaces, start the spawner in them, then wait for its end or for a wish of the arbiter's."""
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if os.getppid() != config["parent"]:
        return  # whoever started us is gone already
    try:
        known = attempt("making identities", identities, config)
        call(config["unshare_words"], libc.unshare, config["unshare"])
        if config["map"]:
            attempt("writing uid_map", map_user, config["uid"], config["gid"])
        libc.sethostname(b"box", 3)
        attempt("laying out the root", lay_out, config, known)
        inside = os.fork()
        if inside == 0:
            libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
            attempt("entering the root", enter, config)
            spawner(config, control, messages)
            os._exit(0)
    except Step as step:
        messages.send(marshal.dumps(("failed", step.what, step.error)))
        os._exit(0)
    control.close()
    poll = select.poll()
    ended = os.pidfd_open(inside)
    poll.register(ended, select.POLLIN)
    poll.register(messages, select.POLLIN)
    while ended not in dict(poll.poll()):
        if not messages.recv(16):
            os.kill(inside, SIGKILL)
            break
        try:
            os.chdir("/")
            fresh(config)
            messages.send(b"fresh")
        except (Step, OSError) as error:
            messages.send(repr(error).encode())
    os.waitpid(inside, 0)  # which takes until everybody in the box has ended


def main():
    control, messages = (_socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET, 0, int(fd)) for fd in sys.argv[1:3])
    for end in (control, messages):
        os.set_inheritable(end.fileno(), False)
    os.umask(0o022)  # whatever the arbiter's is: agents who become another user pass through folders made here
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # process 1 is safe from signals for which it has no handler
    words = packet = messages.recv(PACKET)
    while len(packet) == PACKET:
        packet = messages.recv(PACKET)
        words += packet
    if not words:
        return
    config = marshal.loads(words)
    if config["namespaces"]:
        keeper(config, control, messages)
    else:
        call("subreaper", libc.prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        spawner(config, control, messages)


main()
