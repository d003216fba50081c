"""A program that is ready to be spawned: everything posix_spawn(3) takes is converted once, not at every move.

``os.posix_spawn`` converts it at every call, and reads the limit on open files twice per pipe. For a program that lives for one
move, that takes a twentieth of the time of the move.
"""

from __future__ import annotations

import ctypes
import os

from .config import SpawnRequest
from .kernel import SIGKILL, SIGSTOP, libc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SETPGROUP, _SETSIGDEF, _SETSIGMASK = 0x02, 0x04, 0x08
_C_LIBRARY_SIGNALS = (32, 33)
_CATCHABLE_SIGNALS = sum(
    1 << (number - 1) for number in range(1, 65) if number not in (SIGKILL, SIGSTOP, *_C_LIBRARY_SIGNALS)
)
"""Signals to reset to their defaults, as a bit mask. The C library resets each of these with one call; it would first query each
signal that is left out. Not included are those that it reserves for itself."""
_SIGSET_BYTES = 128
_ROOM = 1024
"""More than the C library's structures take."""
_EINVAL = 22


class Program:
    """A program with its arguments, environment and folder."""

    def __init__(self, request: SpawnRequest) -> None:
        """Raises OSError if an argument, a variable or the folder cannot be passed to a program."""
        environment = [name + b"=" + value for name, value in request.environment.items()]
        self.folder, self.brief = request.folder, request.brief
        self._path = ctypes.c_char_p(request.argv[0])
        self._argv, self._environment = _strings(request.argv), _strings(environment)
        self._attributes = _attributes()
        self._actions = ctypes.create_string_buffer(_ROOM)
        self._pipes: Sequence[int] = ()
        """The pipes that the file actions connect."""
        self._pid = ctypes.c_int()
        self._pid_pointer = ctypes.pointer(self._pid)

    def spawn(self, pipes: Sequence[int]) -> int:
        """Start it, in a process group of its own, with these pipes as its stdin, stdout and stderr; return its pid. Raises OSError."""
        if pipes != self._pipes:
            self._connect(pipes)
        error: int = libc.posix_spawn(
            self._pid_pointer, self._path, self._actions, self._attributes, self._argv, self._environment
        )
        if error:
            raise OSError(error, os.strerror(error))
        return self._pid.value

    def _connect(self, pipes: Sequence[int]) -> None:
        if self._pipes:
            libc.posix_spawn_file_actions_destroy(self._actions)
        libc.posix_spawn_file_actions_init(self._actions)
        for fd, pipe in enumerate(pipes):
            libc.posix_spawn_file_actions_adddup2(self._actions, pipe, fd)
        self._pipes = pipes


def _attributes() -> ctypes.Array[ctypes.c_char]:
    """Return the attributes of a process in a group of its own, with no signal blocked and every signal at its default. It stays in
    the spawner's session, which has one scheduler group for everything in the box."""
    attributes = ctypes.create_string_buffer(_ROOM)
    libc.posix_spawnattr_init(attributes)
    libc.posix_spawnattr_setflags(attributes, ctypes.c_short(_SETPGROUP | _SETSIGDEF | _SETSIGMASK))
    libc.posix_spawnattr_setsigmask(attributes, bytes(_SIGSET_BYTES))
    libc.posix_spawnattr_setsigdefault(attributes, _CATCHABLE_SIGNALS.to_bytes(_SIGSET_BYTES, "little"))
    return attributes


def _strings(words: Sequence[bytes]) -> ctypes.Array[ctypes.c_char_p]:
    if any(b"\0" in word for word in words):
        raise OSError(_EINVAL, os.strerror(_EINVAL))
    return (ctypes.c_char_p * (len(words) + 1))(*words, None)
