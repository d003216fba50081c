"""The system calls an agent may make, and on what conditions.

They are those that container runtimes allow by default, less what reaches others or what the whole machine shares: sockets to
anywhere, System V and POSIX queues, io_uring and asynchronous I/O, watches of files, rulesets of Landlock, further filters, keys,
and what shows which pages of a file are in memory. All other calls answer ENOSYS, those of later kernels included, until
somebody has looked at them and added them here; programs then do without or fall back to an older call.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

ALLOWED: Mapping[str, tuple[int, int]] = {
    # Files
    "chdir": (80, 49), "close": (3, 57), "close_range": (436, 436), "copy_file_range": (326, 285), "dup": (32, 23),
    "dup3": (292, 24), "execve": (59, 221), "execveat": (322, 281), "faccessat": (269, 48), "faccessat2": (439, 439),
    "fadvise64": (221, 223), "fallocate": (285, 47), "fchdir": (81, 50), "fchmod": (91, 52), "fchmodat": (268, 53),
    "fchmodat2": (452, 452), "fchown": (93, 55), "fchownat": (260, 54), "fcntl": (72, 25), "fdatasync": (75, 83),
    "fgetxattr": (193, 10), "flistxattr": (196, 13), "flock": (73, 32), "fremovexattr": (199, 16), "fsetxattr": (190, 7),
    "fstat": (5, 80), "fstatfs": (138, 44), "fsync": (74, 82), "ftruncate": (77, 46), "getcwd": (79, 17),
    "getdents64": (217, 61), "getxattr": (191, 8), "ioctl": (16, 29), "lgetxattr": (192, 9), "linkat": (265, 37),
    "listxattr": (194, 11), "llistxattr": (195, 12), "lremovexattr": (198, 15), "lseek": (8, 62), "lsetxattr": (189, 6),
    "mkdirat": (258, 34), "mknodat": (259, 33), "newfstatat": (262, 79), "openat": (257, 56), "openat2": (437, 437),
    "pipe2": (293, 59), "pread64": (17, 67), "preadv": (295, 69), "preadv2": (327, 286), "pwrite64": (18, 68),
    "pwritev": (296, 70), "pwritev2": (328, 287), "read": (0, 63), "readahead": (187, 213), "readlinkat": (267, 78),
    "readv": (19, 65), "removexattr": (197, 14), "renameat": (264, 38), "renameat2": (316, 276), "sendfile": (40, 71),
    "setxattr": (188, 5), "splice": (275, 76), "statfs": (137, 43), "statx": (332, 291), "symlinkat": (266, 36),
    "sync": (162, 81), "sync_file_range": (277, 84), "syncfs": (306, 267), "tee": (276, 77), "truncate": (76, 45),
    "umask": (95, 166), "unlinkat": (263, 35), "utimensat": (280, 88), "vmsplice": (278, 75), "write": (1, 64),
    "writev": (20, 66),
    # Waiting
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_pwait": (281, 22), "epoll_pwait2": (441, 441),
    "eventfd2": (290, 19), "ppoll": (271, 73), "pselect6": (270, 72), "signalfd4": (289, 74), "timerfd_create": (283, 85),
    "timerfd_gettime": (287, 87), "timerfd_settime": (286, 86),
    # Sockets
    "socket": (41, 198), "bind": (49, 200), "connect": (42, 203), "listen": (50, 201), "accept": (43, 202),
    "accept4": (288, 242), "getpeername": (52, 205), "getsockname": (51, 204), "getsockopt": (55, 209),
    "recvfrom": (45, 207), "recvmmsg": (299, 243), "recvmsg": (47, 212), "sendmmsg": (307, 269), "sendmsg": (46, 211),
    "sendto": (44, 206), "setsockopt": (54, 208), "shutdown": (48, 210), "socketpair": (53, 199),
    # Memory
    "brk": (12, 214), "madvise": (28, 233), "map_shadow_stack": (453, 453), "membarrier": (324, 283),
    "memfd_create": (319, 279), "mlock": (149, 228), "mlock2": (325, 284), "mlockall": (151, 230), "mmap": (9, 222),
    "mprotect": (10, 226), "mremap": (25, 216), "mseal": (462, 462), "msync": (26, 227), "munlock": (150, 229),
    "munlockall": (152, 231), "munmap": (11, 215), "pkey_alloc": (330, 289), "pkey_free": (331, 290),
    "pkey_mprotect": (329, 288),
    # Processes
    "capget": (125, 90), "capset": (126, 91), "clone": (56, 220), "exit": (60, 93), "exit_group": (231, 94),
    "futex": (202, 98), "futex_requeue": (456, 456), "futex_wait": (455, 455), "futex_waitv": (449, 449),
    "futex_wake": (454, 454), "get_robust_list": (274, 100), "getitimer": (36, 102), "getpgid": (121, 155),
    "getpid": (39, 172), "getppid": (110, 173), "getrlimit": (97, 163), "getrusage": (98, 165), "getsid": (124, 156),
    "gettid": (186, 178), "kill": (62, 129), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "prctl": (157, 167),
    "prlimit64": (302, 261), "restart_syscall": (219, 128), "rseq": (334, 293), "rt_sigaction": (13, 134),
    "rt_sigpending": (127, 136), "rt_sigprocmask": (14, 135), "rt_sigqueueinfo": (129, 138), "rt_sigreturn": (15, 139),
    "rt_sigsuspend": (130, 133), "rt_sigtimedwait": (128, 137), "rt_tgsigqueueinfo": (297, 240),
    "set_robust_list": (273, 99), "set_tid_address": (218, 96), "setitimer": (38, 103), "setpgid": (109, 154),
    "setrlimit": (160, 164), "setsid": (112, 157), "sigaltstack": (131, 132), "tgkill": (234, 131), "tkill": (200, 130),
    "wait4": (61, 260), "waitid": (247, 95),
    # Scheduling
    "getcpu": (309, 168), "getpriority": (140, 141), "ioprio_get": (252, 31), "ioprio_set": (251, 30),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126), "sched_getaffinity": (204, 123),
    "sched_getattr": (315, 275), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_rr_get_interval": (148, 127), "sched_setaffinity": (203, 122), "sched_setattr": (314, 274),
    "sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "sched_yield": (24, 124), "setpriority": (141, 140),
    # Users
    "getegid": (108, 177), "geteuid": (107, 175), "getgid": (104, 176), "getgroups": (115, 158), "getresgid": (120, 150),
    "getresuid": (118, 148), "getuid": (102, 174), "setfsgid": (123, 152), "setfsuid": (122, 151), "setgid": (106, 144),
    "setregid": (114, 143), "setresgid": (119, 149), "setresuid": (117, 147), "setreuid": (113, 145), "setuid": (105, 146),
    # Time and the system
    "clock_getres": (229, 114), "clock_gettime": (228, 113), "clock_nanosleep": (230, 115), "getrandom": (318, 278),
    "gettimeofday": (96, 169), "nanosleep": (35, 101), "sysinfo": (99, 179), "timer_create": (222, 107),
    "timer_delete": (226, 111), "timer_getoverrun": (225, 109), "timer_gettime": (224, 108), "timer_settime": (223, 110),
    "times": (100, 153), "uname": (63, 160),
}  # fmt: skip
"""System calls by name, with their numbers on x86-64 and aarch64."""

ALLOWED_ON_X86_64: Mapping[str, int] = {
    "access": 21, "chmod": 90, "chown": 92, "creat": 85, "dup2": 33, "futimesat": 261, "getdents": 78, "lchown": 94,
    "link": 86, "lstat": 6, "mkdir": 83, "mknod": 133, "open": 2, "pipe": 22, "readlink": 89, "rename": 82, "rmdir": 84,
    "stat": 4, "symlink": 88, "unlink": 87, "utime": 132, "utimes": 235, "epoll_create": 213, "epoll_wait": 232,
    "eventfd": 284, "poll": 7, "select": 23, "signalfd": 282, "alarm": 37, "arch_prctl": 158, "fork": 57, "getpgrp": 111,
    "pause": 34, "vfork": 58, "time": 201,
}  # fmt: skip
"""Older calls, which aarch64 never had, and those about the segments of x86-64."""

UNCOUNTED = ("memfd_create", "vmsplice")
"""Calls that give memory which only a cgroup counts."""
ATTRIBUTES = (
    "chmod", "chown", "fchmod", "fchmodat", "fchmodat2", "fchown", "fchownat", "fremovexattr", "fsetxattr", "futimesat",
    "lchown", "lremovexattr", "lsetxattr", "removexattr", "setxattr", "utime", "utimensat", "utimes",
)  # fmt: skip
"""Calls that Landlock does not restrict: they work on any file of the same owner."""


class Test(Enum):
    """How an argument is compared with values."""

    IN = "one of"
    NOT_IN = "none of"
    HAS = "any bit of"
    BELOW = "less than"


class Condition(NamedTuple):
    """A condition on an argument. Only its lower half counts, which is all of an int."""

    argument: int
    test: Test
    values: Sequence[int]
    mask: int = 0xFFFFFFFF
    upper: bool = False
    """The upper half counts instead."""


class Rule(NamedTuple):
    """A refusal of an allowed call if all conditions hold."""

    calls: Sequence[str]
    error: int
    """The error number; 0 for a call that succeeds without having been made."""
    conditions: Sequence[Condition] = ()


NO_EFFECT = 0
_PR_OPTIONS = (
    1, 2, 3, 4, 7, 8, 15, 16, 21, 23, 24, 25, 29, 30, 34, 36, 37, 38, 39, 40, 41, 42, 47, 50, 51, 52, 53, 54, 55, 56, 65, 66,
    0x53564D41,
)  # fmt: skip
"""Options of prctl about the process itself, such as its name. Not its scheduling domain (core scheduling), merging of its pages
with others (which shows their contents), or a further filter."""
_IOCTLS = (
    0x5401, 0x5402, 0x5403, 0x5404, 0x540F, 0x5410, 0x5413, 0x5429, 0x541B, 0x5421, 0x5450, 0x5451, 0x5452, 0x802C542A,
    0x40049409, 0x4020940D, 0xC020660B, 0x80086601,
)  # fmt: skip
"""Requests about a terminal or a descriptor (TCGETS, FIONREAD, FIONBIO, FIOCLEX …), and FICLONE, FIEMAP and FS_IOC_GETFLAGS."""
_ATTRIBUTE_IOCTLS = (0x40086602, 0x401C5820)
"""FS_IOC_SETFLAGS and FSSETXATTR, for which opening the file for reading is enough."""
_FCNTLS = (*range(12), 15, 16, 36, 37, 38, 1025, 1027, 1028, 1030, 1032, 1033, 1034)
"""Commands of fcntl: descriptors, locks, owners and seals. Not leases, which make others that open the file wait; not watches of
folders; and not the size of a pipe, which takes from a quota of the user and would keep the arbiter from writing."""
_ADVICE = (*range(5), 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 24, 25, 102, 103)
"""Advice about one's own memory. Not merging it with that of others, which shows what they have in theirs."""
_EVICTING = (20, 21)
"""MADV_COLD and MADV_PAGEOUT."""
_FADV_DONTNEED = 4
_CLONE_FLAGS = 0x81FD7FFF
"""All flags but CLONE_PARENT, which makes a sibling of the agent, and those of new namespaces."""
_RLIMIT_CORE = 4
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20
_STREAM, _SEQPACKET = 1, 5

RULES: Sequence[Rule] = (
    Rule(("socket", "bind", "connect", "listen", "accept", "accept4"), errno.EACCES),
    # A datagram socket of a pair can send to any socket that has a name.
    Rule(("socketpair",), errno.EACCES, [Condition(1, Test.NOT_IN, (_STREAM, _SEQPACKET), mask=0xF)]),
    # Sessions of the agent's own would give it a scheduler group for each; syncing writes what others have written.
    Rule(("setsid", "sync", "syncfs"), NO_EFFECT),
    # Mono sets the policy of each of its threads, by thread id, to what it is already, and cannot start if that fails; a filter
    # cannot tell the ids of the caller's threads from others.
    Rule(("sched_setscheduler", "sched_setparam", "sched_setattr"), NO_EFFECT),
    # The arbiter has chosen the core; runtimes that try to choose one continue regardless.
    Rule(("sched_setaffinity", "prlimit64"), errno.EPERM, [Condition(0, Test.NOT_IN, (0,))]),
    Rule(("sched_setaffinity",), NO_EFFECT),
    # Of the calling process or its group (not PRIO_USER). An agent that gave way to all others would wait longer, and not be
    # charged for that.
    Rule(("setpriority",), errno.EPERM, [Condition(0, Test.IN, (2,))]),
    Rule(("ioprio_set",), errno.EPERM, [Condition(0, Test.IN, (3,))]),
    Rule(("setpriority", "ioprio_set"), errno.EPERM, [Condition(1, Test.NOT_IN, (0,))]),
    Rule(("setpriority", "ioprio_set"), NO_EFFECT),
    # Lowered to 0, the limit on core files would let a crash start the program that core_pattern names, as root. Reading it is
    # allowed: the pointer to the new limit is null then, in both halves.
    Rule(("setrlimit",), errno.EPERM, [Condition(0, Test.IN, (_RLIMIT_CORE,))]),
    Rule(("prlimit64",), errno.EPERM, [Condition(1, Test.IN, (_RLIMIT_CORE,)), Condition(2, Test.NOT_IN, (0,))]),
    Rule(
        ("prlimit64",),
        errno.EPERM,
        [Condition(1, Test.IN, (_RLIMIT_CORE,)), Condition(2, Test.NOT_IN, (0,), upper=True)],
    ),
    Rule(("clone",), errno.EPERM, [Condition(0, Test.HAS, (~_CLONE_FLAGS & 0xFFFFFFFF,))]),
    Rule(("prctl",), errno.EINVAL, [Condition(0, Test.NOT_IN, _PR_OPTIONS)]),
    Rule(("fcntl",), errno.EACCES, [Condition(1, Test.NOT_IN, _FCNTLS)]),
    # With a flag such as RWF_NOWAIT, a read shows whether another program has read the same page; no runtime uses any.
    Rule(("preadv2", "pwritev2"), errno.EOPNOTSUPP, [Condition(5, Test.NOT_IN, (0,))]),
    # Dropping the pages of a file from memory: the opponent's interpreter would have to be read from the disk again.
    Rule(("fadvise64",), NO_EFFECT, [Condition(3, Test.IN, (_FADV_DONTNEED,))]),
    Rule(("madvise",), NO_EFFECT, [Condition(2, Test.IN, _EVICTING)]),
    Rule(("madvise",), errno.EINVAL, [Condition(2, Test.NOT_IN, _ADVICE)]),
)
"""What is refused of the allowed calls; the first rule that applies counts."""


def rules(*, attributes: bool, uncounted: bool, lowest_sender: int) -> list[Rule]:
    """Return :data:`RULES` with those that depend on the box; see :func:`arbiter.agents.sandbox.seccomp.filter_program`."""
    found = [*RULES, Rule(("ioctl",), errno.ENOTTY, [Condition(1, Test.NOT_IN, (*_IOCTLS, *_ATTRIBUTE_IOCTLS))])]
    if not attributes:
        found += [
            Rule(ATTRIBUTES, errno.EPERM),
            Rule(("ioctl",), errno.EPERM, [Condition(1, Test.IN, _ATTRIBUTE_IOCTLS)]),
        ]
    if not uncounted:
        anonymous = [Condition(3, Test.HAS, (_MAP_ANONYMOUS,)), Condition(3, Test.HAS, (_MAP_SHARED,))]
        found += [Rule(UNCOUNTED, errno.ENOSYS), Rule(("mmap",), errno.EPERM, anonymous)]
    if lowest_sender:
        found.append(Rule(("sendmsg", "sendmmsg"), errno.EPERM, [Condition(0, Test.BELOW, (lowest_sender,))]))
    return found
