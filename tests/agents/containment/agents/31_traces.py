# Traces the opponent, the arbiter and an unrelated process, reads their memory, and takes their open files.
import ctypes
import errno

from attack import attempt, play, syscall

PTRACE_SEIZE = 0x4206


class Piece(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))


def read_memory(pid: int) -> None:
    to, where = (Piece * 1)(Piece(ctypes.addressof(ctypes.create_string_buffer(8)), 8)), (Piece * 1)(Piece(4096, 8))
    syscall("process_vm_readv", pid, to, 1, where, 1, 0)


def attack(hints: dict) -> None:
    for who in ("host", "victim", "arbiter"):
        pid = hints[who]
        if who != "arbiter":
            attempt(f"ptrace_{who}", lambda pid=pid: syscall("ptrace", PTRACE_SEIZE, pid, 0, 0))
        # Nothing is mapped there: it is the permission that counts.
        attempt(f"read_{who}", lambda pid=pid: read_memory(pid), spent=(errno.EFAULT,))
        attempt(f"getfd_{who}", lambda pid=pid: syscall("pidfd_getfd", syscall("pidfd_open", pid, 0), 0, 0))


play(attack)
