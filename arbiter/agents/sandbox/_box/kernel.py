"""System calls that Python does not offer, and the one way in which setting up a box fails."""

from __future__ import annotations

import ctypes
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")

SIGKILL, SIGCHLD, SIGCONT, SIGSTOP = 9, 17, 18, 19  # the module `signal` costs 2 ms for its enumerations

OPENAT2, AT_FDCWD, RESOLVE_NO_SYMLINKS = 437, -100, 4

libc = ctypes.CDLL(None, use_errno=True)


class SetupFailed(Exception):
    """One step of making the box failed."""

    def __init__(self, step: str, error: int) -> None:
        super().__init__(step, error)
        self.step, self.error = step, error


def call(step: str, function: Callable[..., int], *arguments: object) -> int:
    """Call a function of the C library; raise SetupFailed if it returns -1."""
    result = function(*arguments)
    if result == -1:
        raise SetupFailed(step, ctypes.get_errno())
    return result


def syscall(step: str, *arguments: int | bytes) -> int:
    """Make a system call by number; raise SetupFailed if it returns -1."""
    return call(step, try_syscall, *arguments)


def try_syscall(*arguments: int | bytes) -> int:
    """Make a system call by number and return what it returned."""
    result: int = libc.syscall(*[ctypes.c_long(word) if isinstance(word, int) else word for word in arguments])
    return result


def open_real(path: str) -> int:
    """Open a path for reference only (O_PATH), unless there is a symbolic link anywhere on it; raise OSError."""
    how = struct.pack("<QQQ", os.O_PATH | os.O_CLOEXEC, 0, RESOLVE_NO_SYMLINKS)
    found = try_syscall(OPENAT2, AT_FDCWD, os.fsencode(path), how, len(how))
    if found == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), path)
    return found


def attempt(step: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Call a Python function; raise SetupFailed if it raises OSError."""
    try:
        return function(*arguments, **named)
    except OSError as error:
        raise SetupFailed(f"{step}, {error.filename}" if error.filename else step, error.errno or 0) from None
