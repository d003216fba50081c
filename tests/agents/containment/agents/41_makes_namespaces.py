# Makes namespaces of its own, mounts, and reaches for parts of the kernel that no game needs.
import ctypes
import os
from pathlib import Path

from attack import apart, attempt, play, syscall

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000


def mount() -> None:
    syscall("unshare", CLONE_NEWNS | (CLONE_NEWUSER if os.getuid() else 0))
    syscall("mount", b"none", b"/", None, 1 << 18 | 1 << 14, None)  # private, so that it has no effect outside
    syscall("mount", b"tmpfs", os.fsencode(Path.cwd()), b"tmpfs", 0, None)


def attack(_: dict) -> None:
    attempt("user_namespace", lambda: apart(lambda: syscall("unshare", CLONE_NEWUSER)))
    attempt("mount", lambda: apart(mount))
    attempt("io_uring", lambda: apart(lambda: syscall("io_uring_setup", 1, ctypes.create_string_buffer(120))))
    attempt("userfaultfd", lambda: apart(lambda: syscall("userfaultfd", 1)))
    attempt("add_key", lambda: apart(lambda: syscall("add_key", b"user", b"x", b"x", 1, -1)))
    attempt("bpf", lambda: apart(lambda: syscall("bpf", 0, bytes(128), 128)))


play(attack)
