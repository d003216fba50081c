# Takes what no limit counts, or what all programs of the machine share: memory without an owner, a quota, cached pages, flags of files.
import ctypes
import errno
import fcntl
import mmap
import os

from attack import attempt, play, syscall, tell

PAGES = 1 << 20
DO_NOT_NEED = 4
GET_FLAGS, SET_FLAGS, NO_DUMP = 0x80086601, 0x40086602, 0x40


def share(path: str = "") -> None:
    place = os.open(path, os.O_RDWR) if path else -1
    with mmap.mmap(place, PAGES) as shared:
        shared[0] = 1


def give_to_a_pipe() -> None:
    page = ctypes.create_string_buffer(b"x", mmap.PAGESIZE)
    vector = (ctypes.c_size_t * 2)(ctypes.addressof(page), len(page))
    syscall("vmsplice", os.pipe()[1], vector, 1, 0)


def take_quota() -> None:
    syscall("io_setup", 1, ctypes.byref(ctypes.c_ulong()))


def make_rules() -> None:
    syscall("landlock_create_ruleset", None, 0, 1)


def set_flags() -> None:
    program = os.open(__file__, os.O_RDONLY)
    flags = bytearray(8)
    fcntl.ioctl(program, GET_FLAGS, flags)
    flags[0] |= NO_DUMP
    fcntl.ioctl(program, SET_FLAGS, flags)


def evict() -> str:
    """Drop a file of the interpreter from memory; return what has become of it."""
    file = os.open(os.__file__, os.O_RDONLY)
    os.pread(file, PAGES, 0)
    os.posix_fadvise(file, 0, 0, DO_NOT_NEED)
    try:
        os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
    except OSError as error:
        return "evicted" if error.errno == errno.EAGAIN else "unknown"
    return "kept"


def attack(_: dict) -> None:
    attempt("shared", share)
    attempt("zero", lambda: share("/dev/zero"))
    attempt("pipe", give_to_a_pipe)
    attempt("quota", take_quota)
    attempt("rules", make_rules)
    attempt("flags", set_flags)
    tell("file", evict())


play(attack)
