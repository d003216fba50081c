"""Reaps children with wait4(2), faster than ``os.wait4``, which converts sixteen numbers where three are needed, and raises an
exception when no child is left."""

from __future__ import annotations

import ctypes
import os
import struct

from .kernel import libc

_EINTR = 4
_USAGE_BYTES = 256
"""More than a ``struct rusage`` takes."""
_USAGE = struct.Struct("<5q")
"""Its first fields: user and system time, each in seconds and microseconds, and the peak of the resident set in kilobytes."""


class Reaper:
    """Reaps children, one at a time."""

    def __init__(self) -> None:
        self._status = ctypes.c_int()
        self._status_pointer = ctypes.pointer(self._status)
        self._usage = ctypes.create_string_buffer(_USAGE_BYTES)

    def wait(self, options: int) -> int:
        """Reap any child and return its pid: 0 if none has ended, -1 if there is none."""
        while True:
            pid: int = libc.wait4(-1, self._status_pointer, options, self._usage)
            if pid >= 0 or ctypes.get_errno() != _EINTR:
                return pid

    def report(self) -> tuple[int, int, int]:
        """Return the exit code, or minus the signal, of the child reaped last, with the CPU time in nanoseconds and the peak memory
        in bytes of the child and the children it waited for."""
        user_s, user_us, system_s, system_us, peak_kb = _USAGE.unpack_from(self._usage)
        cpu_us = (user_s + system_s) * 1_000_000 + user_us + system_us
        return os.waitstatus_to_exitcode(self._status.value), cpu_us * 1000, peak_kb * 1024
