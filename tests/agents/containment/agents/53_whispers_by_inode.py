# Locks a file of the system that the opponent sees, too, and watches who opens it.
import ctypes
import fcntl
import os

from attack import attempt, play

SHARED = "/usr/bin/env"


def watch() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    watcher = libc.inotify_init()
    if watcher < 0 or libc.inotify_add_watch(watcher, SHARED.encode(), 0x20) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def attack(hints: dict) -> None:
    file = os.open(SHARED, os.O_RDONLY)  # stays open, and so locked
    attempt("lock", lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))
    attempt("watch", watch)


play(attack)
