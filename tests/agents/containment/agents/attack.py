"""What the hostile agents share: they learn their targets, try an attack, report the result, and then play on properly.

They report with a kibitz line ``tried: WORD OUTCOME``, where the outcome is ``ok`` or the name of an error.

It imports as little as it can: most of what hundreds of these games cost is the start of their agents.
"""

from __future__ import annotations

import errno
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBERS = {
    "x86_64": {
        "add_key": 248, "bpf": 321, "io_uring_setup": 425, "memfd_create": 319, "mount": 165, "perf_event_open": 298,
        "pidfd_getfd": 438, "pidfd_open": 434, "prlimit64": 302, "process_vm_readv": 310, "ptrace": 101, "shmget": 29,
        "unshare": 272, "userfaultfd": 323, "vmsplice": 278, "io_setup": 206, "landlock_create_ruleset": 444, "clone": 56,
        "seccomp": 317, "mincore": 27,
    },
    "aarch64": {
        "add_key": 217, "bpf": 280, "io_uring_setup": 425, "memfd_create": 279, "mount": 40, "perf_event_open": 241,
        "pidfd_getfd": 438, "pidfd_open": 434, "prlimit64": 261, "process_vm_readv": 270, "ptrace": 117, "shmget": 194,
        "unshare": 97, "userfaultfd": 282, "vmsplice": 75, "io_setup": 0, "landlock_create_ruleset": 444, "clone": 220,
        "seccomp": 277, "mincore": 232,
    },
}  # fmt: skip


def syscall(name: str, *arguments: object) -> int:
    """A call to the kernel that Python knows no name for; raises OSError as Python does."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    number = _NUMBERS[os.uname().machine][name]
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    result: int = libc.syscall(ctypes.c_long(number), *words)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def tell(word: str, outcome: str) -> None:
    """Say what came of something."""
    sys.stderr.write(f"kibitz tried: {word} {outcome}\n")
    sys.stderr.flush()


def attempt(word: str, act: Callable[[], object], spent: tuple[int, ...] = ()) -> bool:
    """Do it and tell what came of it; errors in ``spent`` come after permission was given, so they count as success."""
    try:
        act()
    except OSError as error:
        if error.errno not in spent:
            tell(word, errno.errorcode.get(error.errno or 0, f"errno-{error.errno}"))
            return False
    tell(word, "ok")
    return True


def apart(act: Callable[[], object]) -> None:
    """Do it in a process of its own, which is changed by it, and raise here what it raised there."""
    child = os.fork()
    if child == 0:
        code = 0
        try:
            act()
        except OSError as error:
            code = error.errno or 255
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise OSError(abs(code), os.strerror(abs(code)))


def reaches(pid: int) -> bool:
    """Whether there is such a process, as far as can be seen from here."""
    try:
        os.kill(pid, 0)
    except OSError as error:
        return error.errno != errno.ESRCH
    return True


def box(hints: dict) -> int:
    """The process that started this one, if it is the sandbox's and so safe to attack; 0 otherwise."""
    parent = os.getppid()
    if not reaches(hints["arbiter"]):
        return parent  # all visible processes are in the box
    if parent in (0, 1, hints["arbiter"]):
        return 0
    with open(f"/proc/{parent}/stat", "rb") as status:  # noqa: PTH123
        grandparent = int(status.read().rpartition(b")")[2].split()[1])
    return parent if grandparent == hints["arbiter"] else 0


def read_hints(line: str) -> dict[str, str | int]:
    """What stands behind the numbers of a prompt, ``NAME=VALUE`` each behind a tab."""
    pairs = (word.partition("=") for word in line.rstrip("\n").split("\t")[1:])
    return {name: int(value) if value.isdecimal() else value for name, _, value in pairs}


def play(attack: Callable[[dict], None], every_turn: bool = False) -> None:
    """Take part in Count up: attack when first asked, or whenever asked, and always answer."""
    sys.stdin.readline()
    attacked = False
    for line in sys.stdin:
        if every_turn or not attacked:
            attacked = True
            attack(read_hints(line))
        print(1, flush=True)
