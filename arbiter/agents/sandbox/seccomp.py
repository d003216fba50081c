"""The system calls an agent may not make, as a seccomp filter program.

Of the calls that have been looked at, those of Linux 6.17, it denies what reaches other processes, networks or namespaces,
what is known for privilege escalation, and what shows what others do; arguments are checked where a flag matters. Calls of
later kernels are denied as if the kernel lacked them, until somebody has looked at them and raised :data:`LAST_KNOWN`. Denied
calls fail with an error number, as they do on many machines anyway, so that programs which merely probe for them continue.
Calls of a foreign architecture kill the process.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Mapping, Sequence

import msgspec

_LOAD, _AND, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_Instruction = tuple[int, int, int, int]
_NO_EFFECT: _Instruction = (_RETURN, 0, 0, _ERRNO)
"""Return 0 without making the call."""
LAST_KNOWN = 469
"""The number of file_setattr, the last call that has been looked at; newer calls have one number on all architectures. Those of
the x32 ABI on x86-64 are larger as well."""

_NEW_NAMESPACES = 0x7E020080
"""All the CLONE_NEW… flags."""
_CLONE_PARENT = 0x8000
"""Makes a sibling of the agent, a child of the spawner, whose CPU time is in no account of the agent's own processes."""
_PR_SCHED_CORE = 62
"""Would keep programs of others off the second hardware thread of a core."""
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_F_SETLEASE, _F_SETDELEG = 1024, 1040
_RLIMIT_CORE = 4
_FADV_DONTNEED, _MADV_COLD, _MADV_PAGEOUT = 4, 20, 21
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20

_NOT_PERMITTED = [
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "pidfd_getfd",
    "kcmp",
    "process_madvise",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "unshare",
    "setns",
    "open_tree",
    "open_tree_attr",
    "move_mount",
    "fsopen",
    "fsconfig",
    "fspick",
    "fsmount",
    "mount_setattr",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "keyctl",
    "add_key",
    "request_key",
    "shmget",
    "msgget",
    "semget",
    "mq_open",
    "memfd_secret",
    "name_to_handle_at",
    "open_by_handle_at",
    "personality",
    "quotactl",
    "quotactl_fd",
    "swapon",
    "swapoff",
    "reboot",
    "kexec_load",
    "kexec_file_load",
    "init_module",
    "finit_module",
    "delete_module",
    "acct",
    "settimeofday",
    "clock_settime",
    "clock_adjtime",
    "adjtimex",
    "sethostname",
    "setdomainname",
    "syslog",
    "lookup_dcookie",
    "migrate_pages",
    "move_pages",
    "process_mrelease",
    "lsm_set_self_attr",
    "modify_ldt",
]
_MISSING = [
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "clone3",
    "io_setup",
    "landlock_create_ruleset",
    "landlock_add_rule",
    "landlock_restrict_self",
    "seccomp",
    "fanotify_init",
    "cachestat",
    "mincore",
    "statmount",
    "listmount",
]
"""Denied as if the kernel lacked them: programs fall back to older calls, or do without. The arguments of the first four are in
memory, where a filter cannot inspect them; the whole machine shares one quota for io_setup; the rulesets of Landlock take
gigabytes of kernel memory, if they are made large; the listener of a seccomp filter can keep a thread waiting as if for a lock of
the kernel; and cachestat and mincore show which files others have read."""

_SCHEDULING = ["sched_setscheduler", "sched_setparam", "sched_setattr"]
"""These succeed without effect. Mono sets the policy of each of its threads, by thread id, to what it is already, and
cannot start if that fails; a filter cannot tell the ids of the caller's threads from others."""
_READS_WITH_FLAGS = ["preadv2", "pwritev2"]
"""With RWF_NOWAIT, a read shows whether another program has read the same page; no runtime here uses any flag."""

_ATTRIBUTES = [
    "chmod",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "chown",
    "fchown",
    "lchown",
    "fchownat",
    "utime",
    "utimes",
    "futimesat",
    "utimensat",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "setxattrat",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "removexattrat",
    "file_setattr",
]
"""Calls that Landlock does not restrict: they work on any file of the same owner."""
_ATTRIBUTE_IOCTLS = (0x40086602, 0x401C5820, 0x40087602, 0x40806685, 0x800C6613)
"""The same as ioctl requests, for which opening the file for reading is enough: FS_IOC_SETFLAGS, FSSETXATTR, SETVERSION,
ENABLE_VERITY and SET_ENCRYPTION_POLICY."""
_DATAGRAM = 2


class Architecture(msgspec.Struct, frozen=True):
    """A processor architecture: its AUDIT_ARCH_… constant and its system call numbers."""

    architecture: int
    numbers: Mapping[str, int]


_COMMON = {
    "pidfd_getfd": 438, "process_madvise": 440, "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431,
    "fsmount": 432, "fspick": 433, "mount_setattr": 442, "memfd_secret": 447, "quotactl_fd": 443, "io_uring_setup": 425,
    "io_uring_enter": 426, "io_uring_register": 427, "clone3": 435, "fchmodat2": 452, "setxattrat": 463,
    "removexattrat": 466, "file_setattr": 469, "open_tree_attr": 467, "landlock_create_ruleset": 444,
    "landlock_add_rule": 445, "landlock_restrict_self": 446, "process_mrelease": 448, "cachestat": 451, "statmount": 457,
    "listmount": 458, "lsm_set_self_attr": 460,
}  # fmt: skip
_X86_64 = {
    "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "mount": 165, "umount2": 166,
    "pivot_root": 155, "chroot": 161, "unshare": 272, "setns": 308, "bpf": 321, "perf_event_open": 298,
    "userfaultfd": 323, "keyctl": 250, "add_key": 248, "request_key": 249, "shmget": 29, "msgget": 68, "semget": 64,
    "mq_open": 240, "name_to_handle_at": 303, "open_by_handle_at": 304, "personality": 135, "quotactl": 179,
    "swapon": 167, "swapoff": 168, "reboot": 169, "kexec_load": 246, "kexec_file_load": 320, "init_module": 175,
    "finit_module": 313, "delete_module": 176, "acct": 163, "settimeofday": 164, "clock_settime": 227,
    "clock_adjtime": 305, "adjtimex": 159, "sethostname": 170, "setdomainname": 171, "syslog": 103,
    "lookup_dcookie": 212, "migrate_pages": 256, "move_pages": 279, "socket": 41, "prlimit64": 302, "setrlimit": 160, "clone": 56,
    "sched_setaffinity": 203, "sched_setscheduler": 144, "sched_setparam": 142, "sched_setattr": 314,
    "setpriority": 141, "ioprio_set": 251, "ioctl": 16, "socketpair": 53, "memfd_create": 319, "chmod": 90, "fchmod": 91, "fchmodat": 268,
    "chown": 92, "fchown": 93, "lchown": 94, "fchownat": 260, "utime": 132, "utimes": 235, "futimesat": 261,
    "utimensat": 280, "fcntl": 72, "sendmsg": 46, "sendmmsg": 307, "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198,
    "fremovexattr": 199, "io_setup": 206, "mmap": 9, "madvise": 28, "fadvise64": 221, "vmsplice": 278, "seccomp": 317,
    "fanotify_init": 300, "mincore": 27, "preadv2": 327, "pwritev2": 328, "prctl": 157, "modify_ldt": 154,
}  # fmt: skip
_AARCH64 = {
    "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "mount": 40, "umount2": 39,
    "pivot_root": 41, "chroot": 51, "unshare": 97, "setns": 268, "bpf": 280, "perf_event_open": 241,
    "userfaultfd": 282, "keyctl": 219, "add_key": 217, "request_key": 218, "shmget": 194, "msgget": 186, "semget": 190,
    "mq_open": 180, "name_to_handle_at": 264, "open_by_handle_at": 265, "personality": 92, "quotactl": 60,
    "swapon": 224, "swapoff": 225, "reboot": 142, "kexec_load": 104, "kexec_file_load": 294, "init_module": 105,
    "finit_module": 273, "delete_module": 106, "acct": 89, "settimeofday": 170, "clock_settime": 112,
    "clock_adjtime": 266, "adjtimex": 171, "sethostname": 161, "setdomainname": 162, "syslog": 116,
    "lookup_dcookie": 18, "migrate_pages": 238, "move_pages": 239, "socket": 198, "prlimit64": 261, "setrlimit": 164, "clone": 220,
    "sched_setaffinity": 122, "sched_setscheduler": 119, "sched_setparam": 118, "sched_setattr": 274,
    "setpriority": 140, "ioprio_set": 30, "ioctl": 29, "socketpair": 199, "memfd_create": 279, "fchmod": 52, "fchmodat": 53, "fchown": 55,
    "fchownat": 54, "utimensat": 88, "fcntl": 25, "sendmsg": 211, "sendmmsg": 269, "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14,
    "lremovexattr": 15, "fremovexattr": 16, "io_setup": 0, "mmap": 222, "madvise": 233, "fadvise64": 223, "vmsplice": 75, "seccomp": 277,
    "fanotify_init": 262, "mincore": 232, "preadv2": 286, "pwritev2": 287, "prctl": 167,
}  # fmt: skip

ARCHITECTURES: Mapping[str, Architecture] = {
    "x86_64": Architecture(0xC000003E, {**_COMMON, **_X86_64}),
    "aarch64": Architecture(0xC00000B7, {**_COMMON, **_AARCH64}),
}
"""By the name that ``uname -m`` prints."""


def filter_program(
    machine: Architecture, *, attributes: bool = True, uncounted: bool = True, lowest_sender: int = 0
) -> bytes:
    """Return the filter, an array of ``struct sock_filter``.

    ``attributes``: allow changing the attributes of files. ``uncounted``: allow memory that no resource limit counts and that
    no resident set shows: files in memory, shared anonymous mappings, and pages handed over to a pipe.
    ``lowest_sender``: the lowest file descriptor that messages may be sent on; the kernel limits the number of files that
    are being passed per user, so agents of one user could keep each other's spawners from passing any.
    """
    of = machine.numbers
    not_permitted = _refuse(errno.EPERM)
    code = [
        _load(_ARCHITECTURE),
        _jump(_JUMP_EQUAL, machine.architecture, 1, 0),
        (_RETURN, 0, 0, _KILL),
        _load(_NUMBER),
    ]
    code += [_jump(_JUMP_AT_LEAST, LAST_KNOWN + 1, 0, 1), _refuse(errno.ENOSYS)]
    for names, refusal in (
        (_NOT_PERMITTED, not_permitted),
        (_MISSING, _refuse(errno.ENOSYS)),
        (["socket"], _refuse(errno.EACCES)),
        ([] if uncounted else ["memfd_create", "vmsplice"], _refuse(errno.ENOSYS)),
        ([] if attributes else _ATTRIBUTES, not_permitted),
    ):
        for name in filter(of.__contains__, names):  # not every architecture has them all
            code += [_jump(_JUMP_EQUAL, of[name], 0, 1), refusal]
    # Only for the calling process: pid 0. The arbiter has chosen its core; runtimes that try to choose one continue regardless.
    code += _when(
        of["prlimit64"], [_argument(0), _jump(_JUMP_EQUAL, 0, 1, 0), not_permitted, *_new_core_limit(not_permitted)]
    )
    code += _when(of["setrlimit"], [_argument(0), _jump(_JUMP_EQUAL, _RLIMIT_CORE, 0, 1), not_permitted])
    code += _when(of["sched_setaffinity"], [_argument(0), _jump(_JUMP_EQUAL, 0, 0, 1), _NO_EFFECT, not_permitted])
    for name in _SCHEDULING:
        code += [_jump(_JUMP_EQUAL, of[name], 0, 1), _NO_EFFECT]
    # The first argument (PRIO_…) says what the second one, the id, refers to. For the calling process or its group there is no
    # effect: an agent that gave way to all others would wait longer, and not be charged for that.
    for name, whole_user in (("setpriority", 2), ("ioprio_set", 3)):
        checks = [_argument(0), _jump(_JUMP_EQUAL, whole_user, 3, 0), _argument(1), _jump(_JUMP_EQUAL, 0, 0, 1)]
        code += _when(of[name], [*checks, _NO_EFFECT, not_permitted])
    relatives = _NEW_NAMESPACES | _CLONE_PARENT
    code += _when(of["clone"], [_argument(0), _jump(_JUMP_ANY_BIT, relatives, 0, 1), not_permitted])
    code += _when(of["prctl"], _if_any(0, (_PR_SCHED_CORE,), _refuse(errno.EINVAL)))
    for name in _READS_WITH_FLAGS:
        code += _when(of[name], [_argument(5), _jump(_JUMP_EQUAL, 0, 1, 0), _refuse(errno.EOPNOTSUPP)])
    # A datagram socket of a pair can send to any socket that has a name.
    pair = [_argument(1), (_AND, 0, 0, 0xF), _jump(_JUMP_EQUAL, _DATAGRAM, 0, 1), _refuse(errno.EACCES)]
    code += _when(of["socketpair"], pair)
    for name in ("sendmsg", "sendmmsg") if lowest_sender else ():
        code += _when(of[name], [_argument(0), _jump(_JUMP_AT_LEAST, lowest_sender, 1, 0), not_permitted])
    # A lease on a file makes others that open it wait: a starting opponent, or the arbiter itself.
    leases = [_argument(1), _jump(_JUMP_EQUAL, _F_SETLEASE, 1, 0), _jump(_JUMP_EQUAL, _F_SETDELEG, 0, 1)]
    code += _when(of["fcntl"], [*leases, _refuse(errno.EACCES)])
    # Pushing input into the user's terminal.
    refused = (_TIOCSTI, _TIOCLINUX, *(() if attributes else _ATTRIBUTE_IOCTLS))
    code += _when(of["ioctl"], _if_any(1, refused, not_permitted))
    # Dropping the pages of a file from memory: the opponent's interpreter would have to be read from the disk again.
    code += _when(of["fadvise64"], _if_any(3, (_FADV_DONTNEED,), _NO_EFFECT))
    code += _when(of["madvise"], _if_any(2, (_MADV_COLD, _MADV_PAGEOUT), _NO_EFFECT))
    if not uncounted:
        anonymous = [_argument(3), _jump(_JUMP_ANY_BIT, _MAP_ANONYMOUS, 0, 2), _jump(_JUMP_ANY_BIT, _MAP_SHARED, 0, 1)]
        code += _when(of["mmap"], [*anonymous, not_permitted])
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def _new_core_limit(refusal: _Instruction) -> list[_Instruction]:
    """Refuse a prlimit64 that sets the limit on core files: lowered to 0, it would let a crash start the program that
    core_pattern names, as root. Reading it is allowed; the pointer to the new limit is null then, in both halves."""
    low, high = _argument(2), _load(_ARGUMENTS + 8 * 2 + 4)
    return [
        _argument(1),
        _jump(_JUMP_EQUAL, _RLIMIT_CORE, 0, 5),
        low,
        _jump(_JUMP_EQUAL, 0, 0, 2),
        high,
        _jump(_JUMP_EQUAL, 0, 1, 0),
        refusal,
    ]


def _if_any(index: int, values: Sequence[int], verdict: _Instruction) -> list[_Instruction]:
    """Return a verdict on calls in which an argument has one of these values."""
    last = len(values) - 1
    checks = [_jump(_JUMP_EQUAL, value, last - at, 0 if at < last else 1) for at, value in enumerate(values)]
    return [_argument(index), *checks, verdict]


def _load(offset: int) -> _Instruction:
    return (_LOAD, 0, 0, offset)


def _argument(index: int) -> _Instruction:
    """Load the lower half of an argument, all of it that matters for an int."""
    return _load(_ARGUMENTS + 8 * index)


def _jump(code: int, value: int, if_true: int, if_false: int) -> _Instruction:
    return (code, if_true, if_false, value)


def _refuse(number: int) -> _Instruction:
    return (_RETURN, 0, 0, _ERRNO | number)


def _when(number: int, checks: Sequence[_Instruction]) -> list[_Instruction]:
    """Apply checks to one call. They load arguments, so the call number is loaded again for what follows."""
    return [_jump(_JUMP_EQUAL, number, 0, len(checks) + 1), *checks, _load(_NUMBER)]
