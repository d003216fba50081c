"""Attributes of the arbiter's own process that it needs while agents run: subreaper, and not dumpable.

They belong to the whole process, which may be that of an embedding program with settings of its own. Several tables may be open
at a time and be closed in any order, so the first user saves the previous value and the last one restores it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading
from collections.abc import Callable, Iterator

_PR_SET_PDEATHSIG = 1
_PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 3, 4
_PR_SET_CHILD_SUBREAPER, _PR_GET_CHILD_SUBREAPER = 36, 37
_libc = ctypes.CDLL(None, use_errno=True)


class _ProcessAttribute:
    """A process attribute that is held at one value for as long as anyone needs it."""

    def __init__(self, held: int, read: Callable[[], int], write: Callable[[int], None]) -> None:
        self._held, self._read, self._write = held, read, write
        self._lock = threading.Lock()
        self._users = self._before = self._pid = 0

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        pid = os.getpid()
        with self._lock:
            if self._pid != pid:  # a forked child counts its own users: being a subreaper is not inherited
                self._users, self._pid = 0, pid
            if self._users == 0:
                self._before = self._read()
                self._write(self._held)
            self._users += 1
        try:
            yield
        finally:
            if pid == os.getpid():
                with self._lock:
                    self._users -= 1
                    if self._users == 0:
                        self._write(self._before)


def _is_subreaper() -> int:
    value = ctypes.c_int()
    _libc.prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(value), 0, 0, 0)
    return value.value


def _set_subreaper(value: int) -> None:
    if _libc.prctl(_PR_SET_CHILD_SUBREAPER, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def _is_dumpable() -> int:
    value: int = _libc.prctl(_PR_GET_DUMPABLE, 0, 0, 0, 0)
    return value


def _set_dumpable(value: int) -> None:
    # The kernel refuses to set 2, the value after executing a set-uid program: then this process stays not dumpable.
    _libc.prctl(_PR_SET_DUMPABLE, value, 0, 0, 0)


_subreaper = _ProcessAttribute(1, _is_subreaper, _set_subreaper)
_dumpable = _ProcessAttribute(0, _is_dumpable, _set_dumpable)


def subreaper() -> contextlib.AbstractContextManager[None]:
    """Inside this context, orphaned descendants become children of this process instead of init's."""
    return _subreaper.hold()


def private() -> contextlib.AbstractContextManager[None]:
    """Inside this context, other processes of the same user cannot read our memory, environment and open files, or trace us."""
    return _dumpable.hold()


def end_with(parent: int) -> bool:
    """Have the kernel send this process SIGTERM when the thread that started it ends; False if it has ended already."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    return os.getppid() == parent
