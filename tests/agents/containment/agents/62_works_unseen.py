# Works in a sibling of its own process, keeps itself waiting as if for the kernel, gives way to all others so as to wait longer,
# takes a scheduler group for each of its sessions, and looks for what others have read and have in their memory.
import ctypes
import mmap
import os
import sys

from attack import attempt, play, syscall, tell

CLONE_PARENT, SIGCHLD, SET_FILTER, NEW_LISTENER = 0x8000, 17, 1, 8
ALLOW = (ctypes.c_uint64 * 1)(0x06 | 0x7FFF0000 << 32)


def make_sibling() -> None:
    if not syscall("clone", CLONE_PARENT | SIGCHLD, 0, 0, 0, 0):
        os._exit(0)


def listen() -> None:
    program = (ctypes.c_uint64 * 2)(1, ctypes.addressof(ALLOW))
    os.close(syscall("seccomp", SET_FILTER, NEW_LISTENER, program))


def look_for_page() -> None:
    with open(sys.executable, "rb") as file:  # noqa: PTH123
        os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)


def merge() -> None:
    merge_pages = 12
    mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).madvise(merge_pages)


def attack(_: dict) -> None:
    attempt("sibling", make_sibling)
    attempt("listener", listen)
    attempt("page", look_for_page)
    attempt("pages", lambda: syscall("mincore", 0, 0, 0))
    attempt("merge", merge)
    session = os.getsid(0)
    os.setsid()
    tell("session", "kept" if os.getsid(0) == session else "new")
    attempt("nice", lambda: os.nice(5))
    tell("niceness", str(os.getpriority(os.PRIO_PROCESS, 0)))


play(attack)
