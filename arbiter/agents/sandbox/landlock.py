"""Landlock: what files a process and its children may touch, decided by the process itself and never taken back.

The kernel's interface has grown by versions; what a version does not know is left out and listed as missing.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from typing import Any

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
_READ = EXECUTE | READ_FILE | READ_DIR
_FIRST = (1 << 13) - 1
"""All rights of the first version, from executing to making links."""
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FILE = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL_DEV
"""Rights that a rule about a single file can give."""
_CREATE_RULESET, _VERSION = 444, 1


def version() -> int:
    """Of the kernel's Landlock; 0 without it."""
    libc = ctypes.CDLL(None, use_errno=True)
    found: int = libc.syscall(ctypes.c_long(_CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint(_VERSION))
    return max(0, found)


def keeps_signals_in(abi: int) -> bool:
    """Whether processes inside cannot signal those outside."""
    return abi >= 6


def missing(abi: int) -> list[str]:
    """What a kernel with this version leaves open."""
    gaps = [(3, "cutting files short"), (4, "TCP"), (5, "device controls"), (6, "signals and abstract sockets")]
    return [what for since, what in gaps if abi < since]


def rules(
    abi: int, read: Sequence[str], write: Sequence[str], devices: Sequence[str], folders: Sequence[str]
) -> dict[str, Any]:
    """For the box: everything refused but reading and running what is in ``read``, all but device controls in ``write``,
    using ``devices``, and listing ``folders``."""
    handled = _FIRST | (_REFER if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0) | (_IOCTL_DEV if abi >= 5 else 0)

    def fitting(path: str, rights: int) -> tuple[str, int]:
        return path, rights & handled & (-1 if os.path.isdir(path) else _FILE)

    paths = [fitting(path, _READ) for path in read]
    paths += [fitting(path, handled & ~_IOCTL_DEV) for path in write]
    paths += [fitting(path, READ_FILE | WRITE_FILE | _IOCTL_DEV) for path in devices]
    paths += [fitting(path, READ_DIR) for path in folders]
    return {
        "files": handled,
        "network": 3 if abi >= 4 else 0,
        "scope": 3 if abi >= 6 else 0,
        "size": 24 if abi >= 6 else 16 if abi >= 4 else 8,
        "paths": paths,
    }


def scopes_only(abi: int) -> dict[str, Any] | None:
    """For a box whose root already shows nothing else: no TCP, no signals and no abstract sockets out of it."""
    if abi < 4:
        return None
    return {"files": 0, "network": 3, "scope": 3 if abi >= 6 else 0, "size": 24 if abi >= 6 else 16, "paths": []}
